"""Everything that can go wrong with a house, at length: `python -m tests.house.torture [part ...] [--size 1.0]`.

Parts: kills, torn, disk, requests, closes, owners, failovers, money, copies, interruptions; all of them without a name.
The size scales every part; 1 is the long form. Each part says what it did; an assertion ends the run.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.house import damage, failovers, interruptions, kills, owners, traffic
from tests.store.engines import new_database, postgres

MEMORY = Path("/dev/shm")


def progress(whole: int, what: str) -> Callable[[int], None]:
    started = time.perf_counter()

    def told(done: int) -> None:
        rate = done / (time.perf_counter() - started)
        print(f"\r{done:,} of {whole:,} {what}, {rate:,.0f} /s   ", end="", file=sys.stderr)

    return told


@contextmanager
def folder() -> Iterator[Path]:
    """In memory where there is some: what is killed, torn and filled here is the program, not the disk."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        yield Path(name)


def kill(size: float) -> str:
    runs = max(1, int(2_500 * size))
    with folder() as here:
        done = kills.kills(here, runs, progress(runs, "kills"))
    return f"{done:,} houses killed at every kind of event and five points: all that was acknowledged was there, once"


def torn(size: float) -> str:
    step, flips = max(1, round(1 / size)), int(1_000 * size)
    with folder() as here:
        left = damage.torn(here, step)
    with folder() as here:
        dropped = sum(damage.dropped(here, max(1, flips // 2), 3).values())
    with folder() as here:
        flipped = damage.flipped(here, flips, 1)
    with folder() as here:
        at_rest = damage.flipped_at_rest(here, flips, 2)
    many, refused = sum(left.values()), flipped.get(None, 0)
    return (
        f"{many:,} torn logs, {dropped:,} without some unsynced sectors and {flips:,} with a bit flipped"
        f" ({refused} refused): each a beginning of the history; "
        f"{flips:,} files with a bit flipped: {at_rest['refused']} refused, the others unharmed"
    )


def disk(size: float) -> str:
    with folder() as here:
        rooms = [4_000 + 2_000 * nth for nth in range(max(2, int(100 * size)))]
        acked = sum(damage.file_too_big(here, room) for room in rooms)
        full = "no disk could be mounted here"
        if damage.can_mount(here):
            levels = [350_000 + 9_000 * nth for nth in range(max(2, int(50 * size)))]
            acked += sum(damage.disk_full(here, room) for room in levels)
            full = f"{len(levels)} disks filled up"
    commits = max(2, int(200 * size))
    for nth in range(1, commits + 1):
        with folder() as here:
            for after in (False, True):
                damage.commit_fails(here, nth, after=after)
    return (
        f"{len(rooms)} files at their limit, {full}, {2 * commits} commits with an error: each stopped, and {acked:,} "
        f"bets acknowledged before were there after"
    )


def requests(size: float) -> str:
    many = max(100, int(100_000 * size))
    with folder() as here:
        counts = traffic.repeated(here, many, 1, progress(many, "requests"))
    return f"{counts['sent']:,} sendings of {many:,} requests, {dict(counts)}: each took effect once"


def closes(size: float) -> str:
    many = max(5, int(1_000 * size))
    with folder() as here:
        counts = traffic.closes(here, many, 1, progress(many, "closes"))
    return f"{many:,} closes under 64 terminals, {dict(counts)}: no bet after its close"


def owner(size: float) -> str:
    cycles = max(5, int(1_000 * size))
    with folder() as here, postgres() as server:
        for place in (str(here / "frozen.db"), new_database(server)):
            owners.frozen(place)
        for place in (str(here / "house.db"), new_database(server)):
            owners.overtaken(place, cycles, progress(cycles, "owners"))
    return f"{cycles:,} owners overtaken on each engine, one frozen: a former owner appended nothing"


def failover(size: float) -> str:
    times = max(2, int(50 * size))
    acknowledged = failovers.failovers(times, progress(times, "failovers"))
    return f"PostgreSQL killed and its standby promoted {times} times: {acknowledged:,} acknowledged bets there, once"


def money(size: float) -> str:
    rounds = max(50, int(50_000 * size))
    with folder() as here:
        staked = traffic.conserved(here, rounds, 1, progress(rounds, "rounds"))
    return f"{rounds:,} rounds of five games, {staked / 100:,.2f} staked: every purse to the cent"


def copies(size: float) -> str:
    many = max(3, int(50 * size))
    with folder() as here:
        versions = interruptions.copied(here, many, 1)
    return f"{many} copies while running, restored at versions {versions[0]:,} to {versions[-1]:,}: the same state"


def interrupted(size: float) -> str:
    cases = interruptions.CASES[:: max(1, round(1 / size))]
    told = progress(len(cases), "interruptions")
    with folder() as here:
        for done, case in enumerate(cases, start=1):
            interruptions.interrupted(here, case)
            told(done)
    return f"{len(cases)} rounds interrupted, of every game and layout: concluded or void as the document says"


PARTS: dict[str, Callable[[float], str]] = {
    "kills": kill,
    "torn": torn,
    "disk": disk,
    "requests": requests,
    "closes": closes,
    "owners": owner,
    "failovers": failover,
    "money": money,
    "copies": copies,
    "interruptions": interrupted,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--size", type=float, default=1.0)
    chosen = parser.parse_args()
    if unknown := set(chosen.parts) - PARTS.keys():
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    for name in chosen.parts or PARTS:
        started = time.perf_counter()
        said = PARTS[name](chosen.size)
        print(f"\r{name:14} {said} ({time.perf_counter() - started:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
