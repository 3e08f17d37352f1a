"""The house's way to the mathematician's desk: a process of its own, low in priority, started when it is needed.

No kernel and no simulation ever runs in the process that serves tables. Questions wait in a short line; a desk that
does not answer in time is ended, and the next question starts another.
"""

import asyncio
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import msgspec

from puntobanco.rules.refusal import Reason, Refused

PATIENCE = 30.0
"""Seconds an exact answer may take; the first waits for the kernels to be compiled."""
LONGEST_RUN = 120.0
MOST_WAITING = 16
MOST_RUNS = 2
KEPT = 256
LARGEST_LINE = 4 * 1024 * 1024


class Desk:
    """One desk: asked one thing at a time."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._asked = 0

    async def ask(self, question: dict[str, Any], patience: float, told: Callable[[Any], None] | None = None) -> Any:
        """The answer; what comes on the way goes to `told`."""
        self._asked += 1
        number = self._asked
        try:
            async with asyncio.timeout(patience):
                process = await self._there()
                assert process.stdin is not None, "opened with pipes"
                assert process.stdout is not None, "opened with pipes"
                process.stdin.write(msgspec.json.encode({"id": number} | question) + b"\n")
                await process.stdin.drain()
                while True:
                    line = await process.stdout.readline()
                    if not line:
                        raise ConnectionError("the desk is gone")
                    said = msgspec.json.decode(line)
                    if said["id"] != number:
                        continue
                    if "refused" in said:
                        why = said["refused"]
                        raise Refused(Reason(why["reason"]), why["paragraph"], **why["parameters"])
                    if not said.get("more"):
                        return said["answer"]
                    if told is not None:
                        told(said["answer"])
        except (TimeoutError, ConnectionError, asyncio.CancelledError, msgspec.MsgspecError, ValueError) as error:
            await self.close()
            if isinstance(error, asyncio.CancelledError):
                raise
            raise Refused(Reason.DESK_BUSY) from None

    async def _there(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "puntobanco.odds.desk",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
                limit=LARGEST_LINE,
            )  # fmt: skip
        return self._process

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()


class Run(msgspec.Struct):
    """A simulation under way, or done."""

    person: str
    progress: Any = None
    done: bool = False
    refused: Refused | None = None
    task: "asyncio.Task[None] | None" = None


class Calculator:
    """Exact answers, kept for those who ask the same again; and a few simulations."""

    def __init__(self) -> None:
        self._desk, self._turn, self._waiting = Desk(), asyncio.Lock(), 0
        self._kept: OrderedDict[bytes, Any] = OrderedDict()
        self._runs: dict[int, Run] = {}
        self._count = 0

    async def ask(self, **question: Any) -> Any:
        """`do` and what it needs, as `odds.desk.Question` has it."""
        name = msgspec.json.encode(question, order="sorted")
        if name in self._kept:
            self._kept.move_to_end(name)
            return self._kept[name]
        if self._waiting >= MOST_WAITING:
            raise Refused(Reason.DESK_BUSY)
        self._waiting += 1
        try:
            async with self._turn:
                if name not in self._kept:
                    self._kept[name] = await self._desk.ask(question, PATIENCE)
                    if len(self._kept) > KEPT:
                        self._kept.popitem(last=False)
                return self._kept[name]
        finally:
            self._waiting -= 1

    def simulate(self, person: str, **question: Any) -> int:
        """Started; its progress is asked for by the number."""
        running = [run for run in self._runs.values() if not run.done]
        if len(running) >= MOST_RUNS or any(run.person == person for run in running):
            raise Refused(Reason.DESK_BUSY)
        for number in [number for number, run in self._runs.items() if run.done][: -MOST_WAITING or None]:
            del self._runs[number]
        self._count += 1
        run = self._runs[self._count] = Run(person)
        run.task = asyncio.create_task(self._simulated(run, question))
        return self._count

    async def _simulated(self, run: Run, question: dict[str, Any]) -> None:
        desk = Desk()

        def told(progress: Any) -> None:
            run.progress = progress

        try:
            run.progress = await desk.ask(question, LONGEST_RUN, told)
        except Refused as refused:
            if run.progress is None:
                run.refused = refused
        finally:
            run.done = True
            await desk.close()

    def run(self, person: str, number: int) -> Run:
        found = self._runs.get(number)
        if found is None or found.person != person:
            raise Refused(Reason.NOT_FOUND)
        return found

    async def stop(self, person: str, number: int) -> None:
        """What was played so far stays to be read."""
        task = self.run(person, number).task
        if task is not None and not task.done():
            task.cancel()
            await asyncio.wait([task])

    async def close(self) -> None:
        for run in self._runs.values():
            if run.task is not None and not run.task.done():
                run.task.cancel()
                await asyncio.wait([run.task])
        await self._desk.close()
