"""A house that is killed, at any kind of event and at any point of the way to its acknowledgement.

A child is forked, plays, and kills itself with SIGKILL where it was told to; what it acknowledged it has written to a
pipe before. Then the store is opened again and everything that always holds is proven.
"""

import asyncio
import os
import random
import signal
import sqlite3
import traceback
import warnings
from collections.abc import Callable, Coroutine
from enum import IntEnum
from pathlib import Path
from typing import Any

from puntobanco.house.tables.writer import RunningTable, _Step
from puntobanco.protocol.answers import Answer
from puntobanco.rules import library
from puntobanco.store import codec
from puntobanco.store.records import Append
from puntobanco.store.sqlite import SqliteStore, WriterThread
from puntobanco.store.sqlite_file import SqliteFile
from tests.house.floor import TABLE, Clock, fill, history, opened, seated, sound
from tests.house.traces import KINDS, Trace, places


class Point(IntEnum):
    BEFORE_APPEND = 1
    WRITTEN_NOT_COMMITTED = 2
    COMMITTED_NOT_TAKEN = 3
    TAKEN_NOT_ACKNOWLEDGED = 4
    ACKNOWLEDGED = 5


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class _Connection:
    """A connection that ends the process before or after a commit."""

    def __init__(self, db: sqlite3.Connection, store: "MortalStore") -> None:
        self._db, self._store = db, store

    def execute(self, text: str, *values: Any) -> Any:
        if text == "COMMIT" and self._store.armed and self._store.point is Point.WRITTEN_NOT_COMMITTED:
            die()
        found = self._db.execute(text, *values)
        if text == "COMMIT" and self._store.armed and self._store.point is Point.COMMITTED_NOT_TAKEN:
            die()
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


class MortalStore(SqliteStore):
    """Ends its process on the way of one request."""

    def __init__(self, path: Path, point: Point, request: str) -> None:
        super().__init__(path)
        self.writer = WriterThread(MortalFile(self))
        self.point, self.request, self.armed = point, request, False

    def hit(self, append: Append) -> bool:
        return any(answer.request == self.request for answer in append.answers)

    async def append(self, append: Append) -> None:
        if self.point is Point.BEFORE_APPEND and self.hit(append):
            die()
        await super().append(append)


class MortalFile(SqliteFile):
    def __init__(self, store: MortalStore) -> None:
        super().__init__(store.path)
        self._store = store

    def open(self) -> None:
        super().open()
        self.db = _Connection(self.db, self._store)  # type: ignore[assignment]

    def _written(self, appends: list[Append]) -> Any:
        self._store.armed = self._store.armed or any(self._store.hit(one) for one in appends)
        return super()._written(appends)


class MortalTable(RunningTable):
    async def _acknowledge(self, step: _Step) -> None:
        store = self.store
        assert isinstance(store, MortalStore)
        if store.point is Point.TAKEN_NOT_ACKNOWLEDGED and store.armed:
            die()
        await super()._acknowledge(step)


class Child:
    """A process of ours, and the pipe it writes to."""

    def __init__(self, pid: int, pipe: int) -> None:
        self.pid, self._pipe = pid, pipe

    def frozen(self) -> None:
        """Wait until it has stopped itself."""
        _, status = os.waitpid(self.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status), f"it ended: {status}"

    def end(self) -> tuple[int, bytes]:
        """What became of it, and everything it wrote."""
        with os.fdopen(self._pipe, "rb") as pipe:
            said = pipe.read()
        return os.waitpid(self.pid, 0)[1], said


def spawned(work: Callable[[int], Coroutine[Any, Any, None]]) -> Child:
    """A child that does this and is given the end of a pipe to write to."""
    reads, writes = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reads)
            asyncio.run(work(writes))
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writes)
    return Child(child, reads)


def forked(work: Callable[[int], Coroutine[Any, Any, None]]) -> tuple[int, bytes]:
    return spawned(work).end()


async def send(table: RunningTable, clock: Clock, trace: Trace, nth: int, pipe: int) -> Answer:
    command, by = trace.commands[nth]
    clock.now = by.at
    answer = await table.send(command, by.person, by.role, by.request, house=by.house)
    os.write(pipe, f"{nth} {answer.version}\n".encode())
    return answer


def life(
    place: Path, trace: Trace, nth: int, point: Point, rng: random.Random
) -> Callable[[int], Coroutine[Any, Any, None]]:
    """Everything before the command is acknowledged; it is sent together with some that follow it."""
    together = rng.randint(1, 4)

    async def whole(pipe: int) -> None:
        store, clock = MortalStore(place, point, f"r{nth}"), Clock()
        await store.open()
        await fill(store, trace.people)
        table = MortalTable(TABLE, library.game(trace.setup.game), trace.setup, store, clock)
        await table.start()
        await asyncio.gather(*(send(table, clock, trace, before, pipe) for before in range(nth)))
        last = min(nth + together, len(trace.commands))
        sent = [asyncio.ensure_future(send(table, clock, trace, which, pipe)) for which in range(nth, last)]
        await sent[0]
        if point is Point.ACKNOWLEDGED:
            die()

    return whole


async def aftermath(place: Path, trace: Trace, nth: int, point: Point, acked: dict[int, int]) -> None:
    versions, expected = trace.versions, [event for told in trace.events for event in told]
    async with opened(place) as store:
        await sound(store)
        found = [codec.decode(row.kind, row.body) async for row in store.read(TABLE)]
        assert found == expected[: len(found)], "the history is the beginning of what was sent"
        assert len(found) in (0, *versions), "a command is there whole or not at all"
        assert all(versions[which] == version <= len(found) for which, version in acked.items()), (
            "acknowledged is there"
        )
        there = len(found) >= versions[nth]
        assert there == (point >= Point.COMMITTED_NOT_TAKEN)
        command, by = trace.commands[nth]
        clock = Clock()
        clock.now = by.at
        async with seated(store, trace.setup, clock) as table:
            answer = await table.send(command, by.person, by.role, by.request, house=by.house)
            if there:
                assert (answer.version, answer.refusal) == (versions[nth], None), "a retry has its first answer"
            assert await history(store) == table.state
        await sound(store)
        rows = [codec.decode(row.kind, row.body) async for row in store.read(TABLE)]
        effects = [event for event in rows if (event.by.person, event.by.request) == (by.person, by.request)]
        took = there or answer.refusal is None
        assert (len(effects) > 0) == took
        if there:
            assert tuple(effects) == trace.events[nth], "exactly once"


def killed(folder: Path, kind: str, point: Point, seed: int) -> None:
    rng = random.Random(f"{kind} {point} {seed}")
    trace, nth = rng.choice(places()[kind])
    place = folder / f"{kind}-{point}-{seed}.db"
    status, said = forked(life(place, trace, nth, point, rng))
    assert os.WIFSIGNALED(status), f"{trace.name}, command {nth}: not killed"
    assert os.WTERMSIG(status) == signal.SIGKILL
    acked = {int(one): int(version) for one, version in (line.split() for line in said.decode().splitlines())}
    asyncio.run(aftermath(place, trace, nth, point, acked))
    for path in folder.glob(f"{place.name}*"):
        path.unlink()


def kills(folder: Path, runs: int, told: Callable[[int], None] = lambda _: None) -> int:
    """At least so many, over every kind and every point."""
    done, seed = 0, 0
    while done < runs:
        for kind in KINDS:
            for point in Point:
                killed(folder, kind, point, seed)
                done += 1
                told(done)
        seed += 1
    return done
