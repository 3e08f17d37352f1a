"""The SQLite engine: one file and one writer, in a thread or in a process of its own, and its backup."""

import asyncio
import json
import sqlite3
import threading
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Protocol

from puntobanco.store.base import MOST_AT_ONCE, Store, give
from puntobanco.store.records import Append, Failed, StoredAnswer, StoreFailed
from puntobanco.store.sqlite_file import Claim, Copy, Hold, Request, SqliteFile, Statement, copied
from puntobanco.store.sqlite_process import WriterProcess


class Writer(Protocol):
    """Carries out requests in the order in which they come, many in each commit."""

    @property
    def ended(self) -> str | None: ...

    async def start(self) -> None: ...

    def ask(self, request: Request) -> "asyncio.Future[Any]": ...

    async def stop(self) -> None:
        """Carry out what waits, then close the file."""


class SqliteStore(Store):
    """`path` may be `:memory:` for tests that need no disk. `apart`: a process of its own writes, so that the processor
    time of writing is spent on another core."""

    BY_CODE_POINT = "BINARY"

    def __init__(self, path: str | Path, *, apart: bool = False) -> None:
        self.path = str(path)
        self.writer: Writer = WriterProcess(self.path) if apart else WriterThread(SqliteFile(self.path))

    @property
    def ended(self) -> str | None:
        return self.writer.ended

    # ---- life ----------------------------------------------------------------------------------------------------

    async def open(self) -> None:
        try:
            await self.writer.start()
        except BaseException:
            await self.close()
            raise

    async def sole(self) -> None:
        await self.writer.ask(Hold())

    async def close(self) -> None:
        await self.writer.stop()

    # ---- streams -------------------------------------------------------------------------------------------------

    async def claim(self, stream: str) -> int:
        epoch: int = await self.writer.ask(Claim(stream))
        return epoch

    async def append(self, append: Append) -> None:
        await self.writer.ask(append)

    # ---- beside the streams --------------------------------------------------------------------------------------

    async def answered_among(self, asked: Sequence[tuple[str, str]]) -> Mapping[tuple[str, str], StoredAnswer]:
        found = await self._all(
            "SELECT person, request, asked, answer FROM answers WHERE (person, request)"
            " IN (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each($1))",
            json.dumps(asked),
        )
        return {(row[0], row[1]): StoredAnswer(*row) for row in found}

    async def balances(self, accounts: Sequence[str] | None = None) -> Mapping[str, int]:
        if accounts is None:
            return dict(await self._all("SELECT account, amount FROM balances"))
        wanted = "SELECT account, amount FROM balances WHERE account IN (SELECT value FROM json_each($1))"
        return dict(await self._all(wanted, json.dumps(accounts)))

    async def sealed(self, name: str) -> bytes | None:
        found = await self._all("SELECT coalesce(CAST(content AS BLOB), x'') FROM sealed WHERE name = $1", name)
        return found[0][0] if found else None

    async def sealed_names(self, prefix: str) -> tuple[str, ...]:
        wanted = "SELECT name FROM sealed WHERE name >= $1 AND substr(name, 1, length($1)) = $1 ORDER BY name"
        return tuple(row[0] for row in await self._all(wanted, prefix))

    async def sealed_begins(self, length: int) -> dict[str, bytes]:
        found = await self._all(
            "SELECT name, coalesce(CAST(substr(content, 1, $1) AS BLOB), x'') FROM sealed WHERE typeof(name) = 'text'",
            length,
        )
        return dict(found)

    async def _all(self, query: str, *values: Any) -> list[Any]:
        found: list[Any] = await self.writer.ask(Statement(query, values))
        return found

    async def _put(self, statement: str, *values: Any) -> None:
        await self.writer.ask(Statement(statement, values, writes=True))

    async def backup(self, target: Path) -> None:
        """Copy everything committed while the store stays in use. The copy contains the sealed shoes and is readable by
        its owner only."""
        if target.exists():
            raise StoreFailed(Failed.EXISTS, str(target))
        if self.path == ":memory:":
            await self.writer.ask(Copy(str(target)))
        else:
            await asyncio.to_thread(self._copied_beside, target)

    def _copied_beside(self, target: Path) -> None:
        """Uses its own connection, so that the writer does not wait."""
        with closing(sqlite3.connect(self.path)) as source:
            copied(source, target)


class WriterThread:
    """The writer in a thread of this process."""

    def __init__(self, file: SqliteFile) -> None:
        self.file = file
        self._work: deque[tuple[Request, asyncio.Future[Any]]] = deque()
        self._wake = threading.Condition()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop

    @property
    def ended(self) -> str | None:
        return self.file.broken

    async def start(self) -> None:
        self._stopping, self._loop = False, asyncio.get_running_loop()
        opened: asyncio.Future[None] = self._loop.create_future()
        self._thread = threading.Thread(target=self._write, args=(opened,), name=f"store {self.file.path}", daemon=True)
        self._thread.start()
        await opened

    def ask(self, request: Request) -> "asyncio.Future[Any]":
        future = asyncio.get_running_loop().create_future()
        with self._wake:
            if self._stopping:
                raise StoreFailed(Failed.STORAGE, "the store is closed")
            self._work.append((request, future))
            self._wake.notify()
        return future

    async def stop(self) -> None:
        with self._wake:
            self._stopping = True
            self._wake.notify()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)

    def _write(self, opened: "asyncio.Future[Any]") -> None:
        try:
            try:
                self.file.open()
            except Exception as error:
                self._answer([(opened, error)])
                return
            self._answer([(opened, None)])
            while True:
                with self._wake:
                    while not self._work and not self._stopping:
                        self._wake.wait()
                    if not self._work:
                        return
                    batch = [self._work.popleft() for _ in range(min(len(self._work), MOST_AT_ONCE))]
                asked = [(request, future) for request, future in batch if not future.cancelled()]
                for results in self.file.carry_out([request for request, _ in asked]):
                    self._answer((asked[place][1], result) for place, result in results)
        finally:
            self.file.close()

    def _answer(self, answers: Iterable[tuple["asyncio.Future[Any]", Any]]) -> None:
        """Answer all in one call to the event loop. If the loop is closed, nobody waits."""
        if given := list(answers):
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(give, given)
