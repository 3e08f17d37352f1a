"""Load a house: `last-second`, `steady`, `alone` and `throughput`, each beside what is required of it.

The server runs in a process of its own on one core, the terminals on another. Figures of a machine that others use
too say little; the server's own processor time per bet says more. `alone` and `throughput` run a server without rules
(`bare.py`) in turns with the house, and compare the medians.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
import uvloop

from benchmarks.load import scenarios
from benchmarks.load.bare import seats_of
from benchmarks.load.house import Plan, Process, Stalls, furnished
from benchmarks.load.proof import wrong
from benchmarks.load.scenarios import Floor, Measured

LATENCY, CROWDED, BETS, GROWTH = 0.250, 0.500, 10_000, 0.05
"""What is required: the 99th percentile in seconds, also in the last second, and there with more than a thousand
terminals; bets a second; and memory after warm-up."""
WORK, RATIO, ALONE = 90.0, 0.5, 2.0
"""What is required beside the bare server: microseconds of processor time a bet, how much of its speed, and the answer
to a single bet."""
ASKED = 200
"""Bets of the terminal that bets alone."""
LONG = 300
"""Seconds after which memory is judged."""

Scenario = Callable[[Floor], Coroutine[Any, Any, Measured]]


async def run(plan: Plan, scenario: Scenario, *, pinned: bool) -> tuple[Measured, Floor, Stalls, list[str]]:
    with tempfile.TemporaryDirectory(prefix="puntobanco-load-") as place:
        folder = Path(place)
        seats = await furnished(plan, folder)
        server = Process(plan, folder, 0 if pinned else None)
        try:
            floor = Floor(server, seats)
            await floor.connect()
            measured = await scenario(floor)
            await floor.close()
        finally:
            stalls = server.stop()
        return measured, floor, stalls, await wrong(folder, plan.names, floor.tally)


def percentile(sorted_values: list[float], part: float) -> float:
    return sorted_values[min(len(sorted_values) - 1, int(part * len(sorted_values)))]


def growth(memory: list[int]) -> tuple[int, int]:
    """Resident memory after warm-up, a third of the time, and at the end; each the median of a few seconds."""
    few = max(1, len(memory) // 20)
    warm = len(memory) // 3
    return int(median(memory[warm : warm + few])), int(median(memory[-few:]))


def report(name: str, plan: Plan, measured: Measured, floor: Floor, stalls: Stalls, found: list[str]) -> bool:
    tally, times = floor.tally, sorted(floor.tally.latencies)
    bets = len(tally.accepted)
    print(f"\n{name}: {plan.tables} tables, {plan.terminals} terminals each, {measured.seconds:.0f} s")
    print(f"  bets accepted     {bets:>10,}   {bets / measured.seconds:,.0f} /s")
    print(f"  rounds            {measured.rounds:>10,}   {measured.rounds / measured.seconds:.1f} /s")
    reasons = ", ".join(f"{reason} {many:,}" for reason, many in tally.reasons.most_common())
    print(f"  refused           {len(tally.refused):>10,}   {reasons}")
    told = ", ".join(f"{kind} {many:,}" for kind, many in tally.messages.most_common())
    print(f"  messages heard    {sum(tally.messages.values()):>10,}   {told}")
    if times:
        shown = "   ".join(
            f"p{part:g} {1000 * percentile(times, part / 100):.1f}" for part in (50, 90, 99)
        )  # fmt: skip
        print(f"  answer, ms        {shown}   max {1000 * times[-1]:.1f}")
    print(
        f"  server            {measured.worked / measured.seconds:.0%} of a core, "
        f"{1e6 * measured.worked / max(1, bets):,.0f} us a bet; longest turn of the loop "
        f"{1000 * stalls.longest:.0f} ms, {stalls.many} over 50 ms"
    )
    checks = {
        f"every bet has an answer ({measured.unanswered} have none)": not measured.unanswered,
        f"no connection was lost ({tally.lost} were)": not tally.lost,
        **dict.fromkeys(found, False),
    }
    if not found:
        checks["the house proves; acknowledged bets are in the history, refused ones not, none after the close"] = True
    if name == "last-second":
        most = LATENCY if plan.terminals <= 1_000 else CROWDED
        checks[f"p99 below {1000 * most:.0f} ms"] = bool(times) and percentile(times, 0.99) < most
    if measured.memory:
        warm, end = growth(measured.memory)
        print(f"  memory            {warm / 2**20:.0f} MiB after warm-up, {end / 2**20:.0f} MiB at the end")
        print(f"  it grew by        {end / warm - 1:.1%}, at most {GROWTH:.0%} after warm-up")
        if measured.seconds >= LONG:
            checks[f"memory grows by at most {GROWTH:.0%} after warm-up"] = end <= warm * (1 + GROWTH)
        else:
            print(f"        (judged in a run of {LONG // 60} minutes: in less, what is kept at hand is still filling)")
    return check(checks)


# ---- beside the limit --------------------------------------------------------------------------------------------


class Run(msgspec.Struct, frozen=True):
    """What one server did."""

    bets: float
    """A second."""
    work: float
    """Microseconds of processor time a bet, over all processes of the server."""
    half: float
    """Milliseconds until half of the answers had come, and 99 of 100."""
    most: float


async def bare(plan: Plan, scenario: Scenario, *, pinned: bool) -> Run:
    """The same by a server without rules."""
    with tempfile.TemporaryDirectory(prefix="puntobanco-load-") as place:
        server = Process(plan, Path(place), 0 if pinned else None, "benchmarks.load.bare")
        try:
            floor = Floor(server, seats_of(plan))
            await floor.connect()
            measured = await scenario(floor)
            await floor.close()
        finally:
            server.stop()
        return result(measured, floor)


def result(measured: Measured, floor: Floor) -> Run:
    bets, times = len(floor.tally.accepted), sorted(floor.tally.latencies)
    half, most = 1000 * percentile(times, 0.5), 1000 * percentile(times, 0.99)
    return Run(bets / measured.seconds, 1e6 * measured.worked / max(1, bets), half, most)


def middle(runs: list[Run]) -> Run:
    return Run(*(median(getattr(run, field) for run in runs) for field in Run.__struct_fields__))


def compare(ours: list[Run], theirs: list[Run]) -> tuple[Run, Run]:
    """The medians, side by side."""
    house, limit = middle(ours), middle(theirs)
    print(f"\nmedian of {len(ours)}            house   bare server   ratio")
    print(f"  bets a second     {house.bets:>9,.0f} {limit.bets:>13,.0f}   {house.bets / limit.bets:.2f}")
    print(f"  us a bet          {house.work:>9.1f} {limit.work:>13.1f}   {limit.work / house.work:.2f}")
    print(f"  p50, ms           {house.half:>9.1f} {limit.half:>13.1f}   {house.half / limit.half:.2f}")
    print(f"  p99, ms           {house.most:>9.1f} {limit.most:>13.1f}   {house.most / limit.most:.2f}")
    return house, limit


def check(checks: dict[str, bool]) -> bool:
    for what, holds in checks.items():
        print(f"  {'yes' if holds else 'NO '}  {what}")
    sys.stdout.flush()
    return all(checks.values())


def beside(name: str, plan: Plan, scenario: Scenario, runs: int, *, pinned: bool) -> bool:
    """Run the house and the bare server in turns, and compare their medians."""
    well, ours, theirs = True, list[Run](), list[Run]()
    for _ in range(runs):
        measured, floor, stalls, found = uvloop.run(run(plan, scenario, pinned=pinned))
        well &= report(name, plan, measured, floor, stalls, found)
        ours.append(result(measured, floor))
        theirs.append(uvloop.run(bare(plan, scenario, pinned=pinned)))
    house, limit = compare(ours, theirs)
    if name == "alone":
        within = f"half of the answers within {ALONE:g} times the limit"
        return well & check({within: house.half <= ALONE * limit.half})
    return well & check(
        {
            f"at least {BETS:,} bets a second": house.bets >= BETS,
            f"99 of 100 answers within {1000 * LATENCY:.0f} ms": house.most < 1000 * LATENCY,
            f"at most {WORK:.0f} us of processor time a bet": house.work <= WORK,
            f"at least {RATIO} of the limit": limit.work / house.work >= RATIO,
        }
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = ["last-second", "steady", "alone", "throughput"]
    parser.add_argument("scenario", nargs="*", choices=[*names, []], default=[])
    parser.add_argument("--tables", type=int, default=50, help="of the steady scenario")
    parser.add_argument("--terminals", type=int, default=0, help="at each table")
    parser.add_argument("--rounds", type=int, default=5, help="of the last-second scenario")
    parser.add_argument("--minutes", type=float, default=1.0, help="of the steady scenario")
    parser.add_argument("--seconds", type=float, default=15.0, help="of the throughput scenario")
    parser.add_argument("--runs", type=int, default=3, help="of the scenarios beside a bare server")
    parser.add_argument("--unpinned", action="store_true", help="leave it to the machine who runs on which core")
    asked = parser.parse_args()
    pinned = not asked.unpinned and (os.cpu_count() or 1) > 1
    if pinned:
        os.sched_setaffinity(0, {1})
    wanted: dict[str, tuple[Plan, Scenario]] = {
        "last-second": (
            Plan(tables=1, terminals=asked.terminals or 1_000, betting=5_000, card=50),
            lambda floor: scenarios.last_second(floor, asked.rounds),
        ),
        "steady": (
            Plan(tables=asked.tables, terminals=asked.terminals or 20, betting=4_000),
            lambda floor: scenarios.steady(floor, 60 * asked.minutes),
        ),
        "alone": (
            Plan(tables=1, terminals=1, betting=LONG * 1_000, messages_per_second=10_000),
            lambda floor: scenarios.alone(floor, ASKED),
        ),
        "throughput": (
            Plan(tables=10, terminals=asked.terminals or 20, betting=LONG * 1_000, card=0, between=0,
                 messages_per_second=10_000),
            lambda floor: scenarios.throughput(floor, asked.seconds),
        ),
    }  # fmt: skip
    well = True
    for name in asked.scenario or names:
        plan, scenario = wanted[name]
        if name in ("alone", "throughput"):
            well &= beside(name, plan, scenario, asked.runs, pinned=pinned)
        else:
            well &= report(name, plan, *uvloop.run(run(plan, scenario, pinned=pinned)))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
