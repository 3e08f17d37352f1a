"""Fuzz a running house: `python -m tests.fuzz --commands 100000 --seed 7`, or replay a script with `--replay FILE`."""

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import uvloop

from tests.fuzz.fuzzing import Outcome, fuzzed, replayed
from tests.fuzz.script import load, save
from tests.fuzz.shrink import shrunk

MEMORY, ROOM = Path("/dev/shm"), 4_000_000_000
"""Where there is room for it the house is kept in memory: what is tried here is the program, not the disk."""


def told(outcome: Outcome) -> None:
    """What was sent, what came of it, and what was covered."""
    print(f"\nseed {outcome.seed}: {outcome.commands:,} commands in {outcome.seconds:.0f} s, {outcome.rate:,.0f} /s")
    print(
        f"  {outcome.accepted:,} accepted, {outcome.happened('RoundSettled'):,} rounds settled,"
        f" {outcome.happened('RoundVoided'):,} void, {outcome.happened('QuestionPut'):,} questions,"
        f" {outcome.happened('SettlementReversed'):,} settlements taken back"
    )
    by_kind: dict[str, Counter[str]] = {}
    for (kind, reason), many in outcome.counts.items():
        by_kind.setdefault(kind, Counter())[reason] += many
    for kind in sorted(by_kind):
        accepted = by_kind[kind].pop("", 0)
        why = ", ".join(f"{reason} {many:,}" for reason, many in by_kind[kind].most_common(8))
        print(f"  {kind:40} accepted {accepted:>9,}   refused {sum(by_kind[kind].values()):>9,}   {why}")
    for name, many in sorted(outcome.events.items()):
        print(f"  {many:>12,}  {name}")
    games: dict[str, list[str]] = {}
    for game, phase in sorted(outcome.phases):
        games.setdefault(game, []).append(phase)
    for game, phases in games.items():
        print(f"  {game}: {', '.join(phases)}")
    for name, many in sorted(outcome.noted.items()):
        print(f"  {many:>12,}  {name}")
    for wrong in outcome.wrong:
        print(f"WRONG: {wrong}", file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--commands", type=int, default=10_000)
    parser.add_argument("--serial", action="store_true", help="send one command after the other")
    parser.add_argument("--store", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="send a recorded script to a new house")
    parser.add_argument(
        "--script", type=Path, default=Path("build/fuzz-failure.json"), help="where a failure is written"
    )
    parser.add_argument("--no-shrink", action="store_true", help="write a failure as it was found")
    asked = parser.parse_args()
    roomy = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM
    with tempfile.TemporaryDirectory(prefix="puntobanco-fuzz-", dir=MEMORY if roomy else None) as name:
        folder = Path(name)
        if asked.replay is not None:
            outcome = uvloop.run(replayed(folder, load(asked.replay)))
            told(outcome)
            return 1 if outcome.wrong else 0
        outcome = uvloop.run(
            fuzzed(folder, asked.seed, asked.commands, serial=asked.serial, engine=asked.store, shown=True)
        )
        told(outcome)
        if outcome.wrong:
            script = outcome.script
            if not asked.no_shrink:
                script = uvloop.run(shrunk(folder, script))
            save(asked.script, script)
            print(f"{len(script.steps)} steps in {asked.script}; --replay {asked.script}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
