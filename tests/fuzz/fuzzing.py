"""One run from its furniture to its proof, and one replay of a script."""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from tempfile import mkdtemp

import msgspec

from tests.fuzz import closing
from tests.fuzz.house import Furnished, Server, furnish
from tests.fuzz.run import UNHURRIED, Run
from tests.fuzz.script import Script, Step, read_lines
from tests.fuzz.witness import signature
from tests.store.engines import new_database, postgres

MOST_STEPS = 100_000
"""Of a script: the last ones."""
SETTLES = 1.0
"""Seconds a house that has failed is given to say why."""


class Outcome(msgspec.Struct, kw_only=True):
    """What a run or a replay came to."""

    seed: int
    commands: int
    seconds: float
    counts: Counter[tuple[str, str]]
    phases: Counter[tuple[str, str]]
    noted: Counter[str]
    events: Counter[str] = Counter()
    wrong: list[str] = []
    script: Script

    def happened(self, *kinds: str) -> int:
        return sum(self.events[kind] for kind in kinds)

    @property
    def accepted(self) -> int:
        return sum(many for (_, reason), many in self.counts.items() if not reason)

    @property
    def rate(self) -> float:
        return self.commands / max(self.seconds, 0.001)

    @property
    def failure(self) -> str:
        return signature(self.wrong[0]) if self.wrong else ""


@asynccontextmanager
async def served(furnished: Furnished, folder: Path, place: str | None = None) -> AsyncIterator[Server]:
    """A house of its own in a folder under this one."""
    server = Server(furnished, Path(mkdtemp(dir=folder)), place)
    try:
        yield await server.ready()
    finally:
        await asyncio.to_thread(server.stop)


async def fuzzed(
    folder: Path, seed: int, commands: int, *, serial: bool = False, engine: str = "sqlite", shown: bool = False
) -> Outcome:
    with postgres() if engine == "postgresql" else nullcontext() as database:
        place = await asyncio.to_thread(new_database, database) if database else None
        furnished = await furnish(folder, place)
        record = folder / "steps.jsonl"
        with record.open("wb") as file:
            async with served(furnished, folder, place) as server:
                run = Run(server, seed, commands, file)
                began = time.perf_counter()
                await run.open()
                showing = asyncio.create_task(_show(run, commands, began)) if shown else None
                await (run.serially() if serial else run.fuzz())
                seconds = time.perf_counter() - began
                sent = run.sent
                if showing is not None:
                    showing.cancel()
                late = not run.witness.wrong
                if late:
                    await closing.conclude(run)
                await _settled(run)
                run.close()
        events = await _proven(run, server)
    steps = read_lines(record, MOST_STEPS) if run.witness.wrong else []
    return _outcome(run, sent, seconds, events, steps, late=late)


async def _settled(run: Run) -> None:
    """Give the log the time to say what happened."""
    if run.witness.wrong:
        await asyncio.sleep(SETTLES)
    run.witness.read_log()
    if not run.server.running:
        run.witness.wrong.append("the server has ended")


async def _proven(run: Run, server: Server) -> Counter[str]:
    run.witness.read_log()
    if run.witness.wrong:
        return Counter()
    events = await closing.audit(run, server.place)
    code, said = await asyncio.to_thread(server.verify)
    if code:
        run.witness.wrong.append(f"house verify: {said}")
    return events


def _outcome(run: Run, sent: int, seconds: float, events: Counter[str], steps: list[Step], *, late: bool) -> Outcome:
    witness = run.witness
    failure = signature(witness.wrong[0]) if witness.wrong else ""
    return Outcome(
        seed=run.seed, commands=sent, seconds=seconds, counts=witness.counts, phases=witness.phases,
        noted=witness.noted, events=events, wrong=witness.wrong,
        script=Script(seed=run.seed, failure=failure, steps=tuple(steps), at_the_end=late),
    )  # fmt: skip


async def _show(run: Run, commands: int, began: float) -> None:
    while True:
        await asyncio.sleep(1)
        rate = run.sent / (time.perf_counter() - began)
        left = max(0, commands - run.sent) / rate
        print(f"\r{run.sent:,} of {commands:,} commands, {rate:,.0f} /s, {left:,.0f} s left ", end="", file=sys.stderr)


# ---- again -------------------------------------------------------------------------------------------------------


async def replayed(folder: Path, script: Script, furnished: Furnished | None = None, *, whole: bool = True) -> Outcome:
    """The steps of a script, one after the other. `whole`: also the end of every round and the proof of the store."""
    furnished = furnished or await furnish(folder)
    async with served(furnished, folder) as server:
        run = Run(server, script.seed, len(script.steps) + 1)
        began = time.perf_counter()
        await run.open()
        first: dict[str, Step] = {}
        for step in script.steps:
            was = first.setdefault(step.request, step)
            same = (was.command, was.body, was.path) == (step.command, step.body, step.path)
            told = await run.send(step, same=same or None)
            table = run.tables.get(step.table)
            if table is not None and not told.reason and told.version and step.kind not in UNHURRIED:
                await run.caught_up(table, told.version)
            if not run.going:
                break
        seconds = time.perf_counter() - began
        if whole and not run.witness.wrong:
            await closing.conclude(run)
        await _settled(run)
        run.close()
    events = await _proven(run, server) if whole else Counter[str]()
    return _outcome(run, len(script.steps), seconds, events, list(script.steps), late=whole)
