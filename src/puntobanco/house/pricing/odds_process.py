"""The client of the odds process: a separate process at low priority, started on demand.

The process that serves tables runs no kernel and no simulation and parses no foreign game file. Questions wait in a
short queue; staff have their own queue and process. A process that does not answer in time is killed, and the next
question starts another.
"""

import asyncio
import hashlib
import sys
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from puntobanco.rules.refusal import Reason, Refusal, Refused

PATIENCE = 30.0
"""Seconds that an exact answer may take, and that a question may wait for its turn."""
FIRST_PATIENCE = 120.0
"""The first answer waits until the kernels are loaded, or compiled on a new machine."""
LONGEST_RUN = 120.0
MOST_WAITING = 16
MOST_OF_ONE = 4
"""Most questions in a queue: of everyone, and of one person."""
MOST_RUNS = 2
ITSELF = ""
"""The house asks: only the whole queue limits it."""
KEPT = 256
KEPT_RUNS = 16
LARGEST_KEPT = 64 * 1024
LARGEST_LINE = 4 * 1024 * 1024


class ProcessExited(Exception):
    """The process exited in the middle of a question."""


class OddsProcess:
    """One odds process. It answers one question at a time."""

    def __init__(self, program: tuple[str, ...] = ("-m", "puntobanco.odds.server")) -> None:
        self._program = program
        self._process: asyncio.subprocess.Process | None = None
        self._asked = 0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    async def ask(self, question: dict[str, Any], patience: float, told: Callable[[Any], None] | None = None) -> Any:
        """Return the answer; pass intermediate results to `told`. A process that had exited before is replaced."""
        fresh = self._process is None
        try:
            try:
                return await self._ask(question, patience, told)
            except ProcessExited:
                if fresh:
                    raise
                return await self._ask(question, patience, told)
        except (ProcessExited, TimeoutError, OSError, msgspec.MsgspecError, ValueError) as error:
            await self.close()
            raise Refused(Reason.DESK_BUSY) from error
        except asyncio.CancelledError:
            await self.close()
            raise

    async def _ask(self, question: dict[str, Any], patience: float, told: Callable[[Any], None] | None) -> Any:
        self._asked += 1
        number = self._asked
        async with asyncio.timeout(patience if self._process is not None else max(patience, FIRST_PATIENCE)):
            process = await self._there()
            assert process.stdin is not None, "opened with pipes"
            assert process.stdout is not None, "opened with pipes"
            try:
                process.stdin.write(msgspec.json.encode({"id": number} | question) + b"\n")
                await process.stdin.drain()
            except ConnectionError:
                await self.close()
                raise ProcessExited from None
            while True:
                line = await process.stdout.readline()
                if not line.endswith(b"\n"):
                    await self.close()
                    raise ProcessExited
                said = msgspec.json.decode(line)
                if "refused" in said:
                    raise Refused.of(msgspec.convert(said["refused"], Refusal))
                if not said.get("more"):
                    return said["answer"]
                if told is not None:
                    told(said["answer"])

    async def _there(self) -> asyncio.subprocess.Process:
        if self._process is not None and self._process.returncode is not None:
            await self.close()
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-I", *self._program,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
                limit=LARGEST_LINE,
            )  # fmt: skip
        return self._process

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        await process.wait()


class OddsQueue:
    """An odds process and the questions that wait for it."""

    def __init__(self, process: OddsProcess) -> None:
        self.process, self.turn = process, asyncio.Lock()
        self.waiting: Counter[str] = Counter()

    @asynccontextmanager
    async def place(self, asker: str, patience: float) -> AsyncIterator[OddsProcess]:
        """Wait for a turn and yield the process. One person cannot fill the queue."""
        if self.waiting.total() >= MOST_WAITING or (asker and self.waiting[asker] >= MOST_OF_ONE):
            raise Refused(Reason.DESK_BUSY)
        self.waiting[asker] += 1
        try:
            await self._my_turn(patience)
            try:
                yield self.process
            finally:
                self.turn.release()
        finally:
            self.waiting[asker] -= 1
            self.waiting += Counter()  # those who wait for nothing are forgotten

    async def _my_turn(self, patience: float) -> None:
        try:
            async with asyncio.timeout(patience):
                await self.turn.acquire()
        except TimeoutError:
            raise Refused(Reason.DESK_BUSY) from None


class SimulationRun(msgspec.Struct):
    """A simulation, running or finished."""

    person: str
    progress: Any = None
    refused: Refused | None = None
    task: "asyncio.Task[None] | None" = None

    @property
    def done(self) -> bool:
        return self.task is None or self.task.done()


class OddsService:
    """Exact answers, cached, and a few simulations."""

    def __init__(self, process: Callable[[], OddsProcess] = OddsProcess, patience: float = PATIENCE) -> None:
        self._new_desk, self._patience = process, patience
        self._line, self._staff_line = OddsQueue(process()), OddsQueue(process())
        self._kept: OrderedDict[bytes, Any] = OrderedDict()
        self._runs: dict[int, SimulationRun] = {}
        self._count = 0

    async def ask(self, asker: str, *, staff: bool = False, **question: Any) -> Any:
        """`do` and its parameters, as in `puntobanco.odds.server.OddsQuestion`. Staff never wait behind players.

        `asker`: the person, or `ITSELF`. It has no default, because a question of nobody counts against nobody.
        """
        name = hashlib.sha256(msgspec.json.encode(question, order="sorted")).digest()
        if name in self._kept:
            self._kept.move_to_end(name)
            return self._kept[name]
        line = self._staff_line if staff else self._line
        async with line.place(asker, self._patience) as process:
            if name in self._kept:
                return self._kept[name]
            found = await process.ask(question, self._patience)
            self._keep(name, found)
            return found

    def _keep(self, name: bytes, found: Any) -> None:
        if len(msgspec.json.encode(found)) > LARGEST_KEPT:
            return
        self._kept[name] = found
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    # ---- simulations ---------------------------------------------------------------------------------------------

    def simulate(self, person: str, **question: Any) -> int:
        """Start a simulation. Ask for its progress by the number returned."""
        running = [run for run in self._runs.values() if not run.done]
        if len(running) >= MOST_RUNS or any(run.person == person for run in running):
            raise Refused(Reason.DESK_BUSY)
        for number in [number for number, run in self._runs.items() if run.done][:-KEPT_RUNS]:
            del self._runs[number]
        self._count += 1
        run = self._runs[self._count] = SimulationRun(person)
        run.task = asyncio.create_task(self._simulated(run, question))
        return self._count

    async def _simulated(self, run: SimulationRun, question: dict[str, Any]) -> None:
        process = self._new_desk()

        def told(progress: Any) -> None:
            run.progress = progress

        try:
            run.progress = await process.ask(question, LONGEST_RUN, told)
        except Refused as refused:
            if run.progress is None:
                run.refused = refused
        finally:
            await process.close()

    def run(self, person: str, number: int) -> SimulationRun:
        found = self._runs.get(number)
        if found is None or found.person != person:
            raise Refused(Reason.NOT_FOUND)
        return found

    async def stop(self, person: str, number: int) -> None:
        """Stop the simulation and keep its results."""
        await _ended(self.run(person, number))

    async def close(self) -> None:
        for run in self._runs.values():
            await _ended(run)
        for line in (self._line, self._staff_line):
            await line.process.close()


async def _ended(run: SimulationRun) -> None:
    if run.task is not None and not run.task.done():
        run.task.cancel()
        await asyncio.wait([run.task])
