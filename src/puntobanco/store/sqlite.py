"""The embedded engine: one file, one writer thread, many commands a commit, every commit on the disk."""

import asyncio
import sqlite3
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from puntobanco.store.records import (
    GENESIS,
    SCHEMA,
    Answer,
    Append,
    Failed,
    Row,
    Snapshot,
    StoreFailed,
    chained,
)  # fmt: skip
from puntobanco.store.schema import TABLES

Result = TypeVar("Result")
MOST_AT_ONCE = 512
"""Appends of one commit at the most."""
READ_AT_ONCE = 10_000

TRIGGERS = """
CREATE TRIGGER stakes_equal_open_bets BEFORE UPDATE OF version ON streams
WHEN new.in_play <> coalesce((SELECT amount FROM balances WHERE account = 'stakes:' || new.stream), 0)
BEGIN SELECT raise(ABORT, 'stakes in play are not the open bets'); END;
CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT raise(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_are_kept BEFORE DELETE ON events BEGIN SELECT raise(ABORT, 'events are never removed'); END;
CREATE TRIGGER postings_stay BEFORE UPDATE ON postings BEGIN SELECT raise(ABORT, 'postings are never changed'); END;
CREATE TRIGGER postings_are_kept BEFORE DELETE ON postings BEGIN SELECT raise(ABORT, 'postings are kept'); END;
"""


class SqliteStore:
    """`path` may be `:memory:` for tests that need no disk."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        self._work: deque[tuple[Callable[[], Any], Future[Any], bool]] = deque()
        self._wake = threading.Condition()
        self._stopping = False
        self._broken: str | None = None
        self._thread: threading.Thread | None = None
        self._db: sqlite3.Connection

    # ---- life ----------------------------------------------------------------------------------------------------

    async def open(self) -> None:
        self._thread = threading.Thread(target=self._write, name=f"store {self.path}", daemon=True)
        self._thread.start()
        await self._do(self._prepare)

    def _prepare(self) -> None:
        self._db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "busy_timeout = 5000"):
            self._db.execute(f"PRAGMA {setting}")
        found = self._db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'meta'").fetchone()[0]
        if not found:
            self._db.execute("BEGIN IMMEDIATE")
            for statement in TABLES.format(bytes="BLOB", serial="INTEGER PRIMARY KEY").split(";\n"):
                if statement.strip():
                    self._db.execute(statement)
            for trigger in TRIGGERS.strip().split("END;"):
                if trigger.strip():
                    self._db.execute(trigger + "END")
            self._db.execute("INSERT INTO meta VALUES ('schema', ?)", (str(SCHEMA),))
            self._db.execute("COMMIT")
        schema = int(self._db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()[0])
        if schema > SCHEMA:
            raise StoreFailed(Failed.STORAGE, f"the store has schema {schema}, this program knows {SCHEMA}")

    async def close(self) -> None:
        with self._wake:
            self._stopping = True
            self._wake.notify()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)

    # ---- the writer ----------------------------------------------------------------------------------------------

    async def _do(self, work: Callable[[], Result], *, writes: bool = False) -> Result:
        """Done by the writer thread; what writes is committed, together with others, before it answers."""
        future: Future[Result] = Future()
        with self._wake:
            if self._stopping:
                raise StoreFailed(Failed.STORAGE, "the store is closed")
            self._work.append((work, future, writes))
            self._wake.notify()
        return await asyncio.wrap_future(future)

    def _write(self) -> None:
        while True:
            with self._wake:
                while not self._work and not self._stopping:
                    self._wake.wait()
                if not self._work:
                    break
                batch = [self._work.popleft() for _ in range(min(len(self._work), MOST_AT_ONCE))]
            self._commit(batch)
        if hasattr(self, "_db"):
            self._db.close()

    def _commit(self, batch: list[tuple[Callable[[], Any], Future[Any], bool]]) -> None:
        """Reads first, of what is committed; writes each under a savepoint, answered once all are on the disk."""
        done: list[tuple[Future[Any], Any]] = []
        began = False
        for work, future, writes in batch:
            if not writes:
                _settle(future, work)
        try:
            for work, future, writes in batch:
                if not writes:
                    continue
                if self._broken is not None:
                    future.set_exception(StoreFailed(Failed.STORAGE, self._broken))
                    continue
                if not began:
                    self._db.execute("BEGIN IMMEDIATE")
                    began = True
                self._db.execute("SAVEPOINT one")
                try:
                    result = work()
                except StoreFailed as failed:
                    self._db.execute("ROLLBACK TO one")
                    self._db.execute("RELEASE one")
                    future.set_exception(failed)
                except sqlite3.IntegrityError as error:
                    self._db.execute("ROLLBACK TO one")
                    self._db.execute("RELEASE one")
                    future.set_exception(StoreFailed(Failed.INVARIANT, str(error)))
                else:
                    self._db.execute("RELEASE one")
                    done.append((future, result))
            if began:
                self._db.execute("COMMIT")
        except sqlite3.Error as error:
            self._fail(str(error), began, [future for future, _ in done], batch)
            return
        for future, result in done:
            future.set_result(result)

    def _fail(self, why: str, began: bool, done: list[Future[Any]], batch: list[Any]) -> None:
        """The disk refused: nothing of the batch counts, and nothing is written any more until a restart."""
        self._broken = why
        if began:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
        for _, future, _ in batch:
            if not future.done():
                future.set_exception(StoreFailed(Failed.STORAGE, why))
        assert all(future.done() for future in done)

    # ---- streams -------------------------------------------------------------------------------------------------

    async def claim(self, stream: str) -> int:
        def work() -> int:
            self._db.execute(
                "INSERT INTO streams VALUES (?, 0, 1, ?, 0) ON CONFLICT (stream) DO UPDATE SET epoch = epoch + 1",
                (stream, GENESIS),
            )
            return int(self._db.execute("SELECT epoch FROM streams WHERE stream = ?", (stream,)).fetchone()[0])

        return await self._do(work, writes=True)

    async def append(self, append: Append) -> None:
        await self._do(lambda: self._append(append), writes=True)

    def _append(self, append: Append) -> None:
        db, stream = self._db, append.stream
        found = db.execute("SELECT version, epoch, head FROM streams WHERE stream = ?", (stream,)).fetchone()
        if found is None or found[1] != append.epoch:
            raise StoreFailed(Failed.STALE_EPOCH, stream)
        version, head = found[0], found[2]
        if version != append.expected:
            raise StoreFailed(Failed.STALE_VERSION, f"{stream}: {version}, not {append.expected}")
        rows = []
        for fact in append.facts:
            version += 1
            head = chained(head, fact.body)
            rows.append((stream, version, append.epoch, fact.kind, fact.at, fact.body, head))
        db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        self._post(append, version)
        try:
            db.executemany(
                "INSERT INTO answers VALUES (?, ?, ?, ?)",
                [(one.person, one.request, one.asked, one.answer) for one in append.answers],
            )
        except sqlite3.IntegrityError as error:
            raise StoreFailed(Failed.REQUEST_TAKEN, str(error)) from None
        db.execute(
            "UPDATE streams SET version = ?, head = ?, in_play = ? WHERE stream = ?",
            (version, head, append.in_play, stream),
        )

    def _post(self, append: Append, version: int) -> None:
        """Balances first, so that a posting has both its accounts; the database refuses what may not be negative."""
        if not append.transfers:
            return
        changes: dict[str, int] = {}
        for one in append.transfers:
            changes[one.source] = changes.get(one.source, 0) - one.amount
            changes[one.target] = changes.get(one.target, 0) + one.amount
        self._db.executemany("INSERT OR IGNORE INTO balances VALUES (?, 0)", [(account,) for account in changes])
        self._db.executemany(
            "UPDATE balances SET amount = amount + ? WHERE account = ?",
            [(change, account) for account, change in changes.items()],
        )
        self._db.executemany(
            "INSERT INTO postings (stream, version, kind, source, target, amount) VALUES (?, ?, ?, ?, ?, ?)",
            [(append.stream, version, one.kind, one.source, one.target, one.amount) for one in append.transfers],
        )

    async def read(self, stream: str, after: int = 0) -> AsyncIterator[Row]:
        while True:
            rows = await self._all(
                "SELECT version, kind, at, body, hash FROM events"
                " WHERE stream = ? AND version > ? ORDER BY version LIMIT ?",
                (stream, after, READ_AT_ONCE),
            )
            for row in rows:
                yield Row(*row)
            if len(rows) < READ_AT_ONCE:
                return
            after = rows[-1][0]

    async def head(self, stream: str) -> tuple[int, bytes]:
        found = await self._all("SELECT version, head FROM streams WHERE stream = ?", (stream,))
        return (found[0][0], found[0][1]) if found else (0, GENESIS)

    async def streams(self) -> tuple[str, ...]:
        return tuple(row[0] for row in await self._all("SELECT stream FROM streams ORDER BY stream"))

    # ---- beside the streams --------------------------------------------------------------------------------------

    async def answered(self, person: str, request: str) -> Answer | None:
        wanted = "SELECT person, request, asked, answer FROM answers WHERE person = ? AND request = ?"
        found = await self._all(wanted, (person, request))
        return Answer(*found[0]) if found else None

    async def balances(self, accounts: Sequence[str] | None = None) -> Mapping[str, int]:
        if accounts is None:
            return dict(await self._all("SELECT account, amount FROM balances"))
        marks = ", ".join("?" * len(accounts))
        return dict(
            await self._all(f"SELECT account, amount FROM balances WHERE account IN ({marks})", tuple(accounts))
        )

    async def keep_game(self, fingerprint: str, content: bytes) -> None:
        await self._put("INSERT OR IGNORE INTO games VALUES (?, ?)", (fingerprint, content))

    async def game(self, fingerprint: str) -> bytes | None:
        found = await self._all("SELECT content FROM games WHERE fingerprint = ?", (fingerprint,))
        return found[0][0] if found else None

    async def keep_snapshot(self, stream: str, snapshot: Snapshot) -> None:
        kept = (stream, snapshot.version, snapshot.schema, snapshot.body)
        await self._put("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)", kept)

    async def snapshot(self, stream: str) -> Snapshot | None:
        found = await self._all("SELECT version, schema, body FROM snapshots WHERE stream = ?", (stream,))
        return Snapshot(*found[0]) if found else None

    async def seal(self, name: str, content: bytes) -> None:
        await self._put("INSERT OR REPLACE INTO sealed VALUES (?, ?)", (name, content))

    async def sealed(self, name: str) -> bytes | None:
        found = await self._all("SELECT content FROM sealed WHERE name = ?", (name,))
        return found[0][0] if found else None

    async def _all(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        return await self._do(lambda: self._db.execute(query, values).fetchall())

    async def _put(self, statement: str, values: Sequence[object]) -> None:
        await self._do(lambda: self._db.execute(statement, values), writes=True)

    async def backup(self, target: Path) -> None:
        """A copy of everything committed, while the store goes on."""

        def work() -> None:
            with sqlite3.connect(target) as copy:
                self._db.backup(copy)
            copy.close()

        await self._do(work)


def _settle(future: Future[Any], work: Callable[[], Any]) -> None:
    try:
        future.set_result(work())
    except sqlite3.Error as error:
        future.set_exception(StoreFailed(Failed.STORAGE, str(error)))
    except StoreFailed as failed:
        future.set_exception(failed)
