"""The SQLite engine and its backup: one file, one writer thread, many commands per commit, every commit durable."""

import asyncio
import fcntl
import json
import os
import re
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from functools import cache
from io import BufferedWriter
from pathlib import Path
from typing import Any, TypeVar

from puntobanco.store.base import MOST_AT_ONCE, Store, give
from puntobanco.store.plan import WritePlan, accounts_of
from puntobanco.store.records import EXISTS, GENESIS, Append, Failed, StoredAnswer, StoreFailed, Unwritable, checksum
from puntobanco.store.schema import SUMMED, TABLES, latest, statements, steps_from

Result = TypeVar("Result")
Work = tuple[Callable[[], Any] | Append, "asyncio.Future[Any]", bool]
"""The work, the future that waits for it, and whether it writes."""
TOGETHER = (256, 64, 16, 4, 1)
"""Rows per INSERT statement. A few fixed sizes, so that each statement is compiled once."""
REFUSED = (sqlite3.IntegrityError, sqlite3.DataError, OverflowError, UnicodeError)
"""The database rejects a row. Any other error of it is a storage failure."""

TRIGGERS = """
CREATE TRIGGER stakes_equal_open_bets BEFORE UPDATE OF version ON streams
WHEN new.in_play <> coalesce((SELECT amount FROM balances WHERE account = 'stakes:' || new.stream), 0)
BEGIN SELECT raise(ABORT, 'stakes in play are not the open bets'); END;
CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT raise(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_are_kept BEFORE DELETE ON events BEGIN SELECT raise(ABORT, 'events are never removed'); END;
CREATE TRIGGER postings_stay BEFORE UPDATE ON postings BEGIN SELECT raise(ABORT, 'postings are never changed'); END;
CREATE TRIGGER postings_are_kept BEFORE DELETE ON postings BEGIN SELECT raise(ABORT, 'postings are kept'); END;
"""


class SqliteStore(Store):
    """`path` may be `:memory:` for tests that need no disk."""

    BY_CODE_POINT = "BINARY"

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        self._work: deque[Work] = deque()
        self._wake = threading.Condition()
        self._stopping = False
        self._broken: str | None = None
        self._thread: threading.Thread | None = None
        self._lock: BufferedWriter | None = None
        self._db: sqlite3.Connection
        self._loop: asyncio.AbstractEventLoop

    # ---- life ----------------------------------------------------------------------------------------------------

    async def open(self) -> None:
        self._stopping, self._broken, self._loop = False, None, asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._write, name=f"store {self.path}", daemon=True)
        self._thread.start()
        try:
            await self._do(self._prepare)
        except BaseException:
            await self.close()
            raise

    def _prepare(self) -> None:
        try:
            self._db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            for setting in (
                "busy_timeout = 5000",
                "journal_mode = WAL",
                "synchronous = FULL",
                "foreign_keys = ON",
                "secure_delete = ON",
            ):
                self._db.execute(f"PRAGMA {setting}")
        except sqlite3.Error as error:
            raise StoreFailed(Failed.STORAGE, f"cannot open {self.path}: {error}") from error
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._bring_forward()
        except BaseException:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _bring_forward(self) -> None:
        """Create the tables or migrate them to the current schema, all steps or none."""
        new = not self._db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'meta'").fetchone()[0]
        if new:
            self._make(TABLES)
            for trigger in TRIGGERS.strip().split("END;"):
                if trigger.strip():
                    self._db.execute(trigger + "END")
            self._db.execute("INSERT INTO meta VALUES ('schema', '1')")
        said = self._db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
        if steps := steps_from(said and said[0]):
            with (None if new else self._locked()) or nullcontext():  # who uses it now would not know them
                for step in steps:
                    self._make(step)
                self._sum_up()
        self._db.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(latest()),))

    def _sum_up(self) -> None:
        """Compute the checksums of rows from an earlier schema."""
        for table in SUMMED:
            columns = ", ".join(table.columns)
            self._db.create_function("row_checksum", len(table.columns), checksum, deterministic=True)
            self._db.execute(f"UPDATE {table.name} SET checksum = row_checksum({columns}) WHERE checksum IS NULL")

    def _make(self, text: str) -> None:
        for statement in statements(text, bytes="BLOB", serial="INTEGER PRIMARY KEY"):
            self._db.execute(statement)

    async def sole(self) -> None:
        self._lock = self._lock or self._locked()

    def _locked(self) -> BufferedWriter | None:
        """Lock a file next to the database, with symbolic links resolved, that only one process can hold. A hard link
        would have its own lock and write-ahead log, and is refused."""
        if self.path == ":memory:":
            return None
        path = Path(self.path).resolve()
        if path.stat().st_nlink > 1:
            raise StoreFailed(Failed.STORAGE, f"{self.path} has another hard link; remove it, or use a copy")
        lock = open(f"{path}.lock", "ab")  # noqa: SIM115 (held until the store is closed)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise StoreFailed(Failed.IN_USE, f"another process uses {self.path}") from None
        return lock

    async def close(self) -> None:
        with self._wake:
            self._stopping = True
            self._wake.notify()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # ---- the writer ----------------------------------------------------------------------------------------------

    async def _do(self, work: Callable[[], Result] | Append, *, writes: bool = False) -> Result:
        """Run in the writer thread. Writes are committed, together with others, before the answer."""
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        with self._wake:
            if self._stopping:
                raise StoreFailed(Failed.STORAGE, "the store is closed")
            self._work.append((work, future, writes))
            self._wake.notify()
        return await future

    def _write(self) -> None:
        while True:
            with self._wake:
                while not self._work and not self._stopping:
                    self._wake.wait()
                if not self._work:
                    break
                batch = [self._work.popleft() for _ in range(min(len(self._work), MOST_AT_ONCE))]
            self._commit([one for one in batch if not one[1].cancelled()])
        if hasattr(self, "_db"):
            self._db.close()

    def _commit(self, batch: list[Work]) -> None:
        """Reads first, on committed data; then writes, each under a savepoint, answered once all are durable."""
        reads = [(work, future) for work, future, writes in batch if not writes]
        asked = [(work, future) for work, future, writes in batch if writes]
        self._answer((future, _read(work)) for work, future in reads if not isinstance(work, Append))
        if self._broken is None and asked:
            try:
                results = self._durable([work for work, _ in asked])
            except sqlite3.Error as error:
                self._fail(f"the disk refused: {error}")
        if self._broken is not None:
            results = [StoreFailed(Failed.STORAGE, self._broken) for _ in asked]
        self._answer(zip((future for _, future in asked), results, strict=True) if asked else ())

    def _durable(self, asked: list[Callable[[], Any] | Append]) -> list[Any]:
        """Carry out all work in one commit and return the results."""
        results: list[Any] = []
        appends: list[Append] = []
        self._db.execute("BEGIN IMMEDIATE")
        for work in asked:
            if isinstance(work, Append):
                appends.append(work)
                continue
            results += self._appended(appends)
            results.append(self._one(work))
            appends = []
        results += self._appended(appends)
        self._db.execute("COMMIT")
        return results

    def _fail(self, why: str) -> None:
        """Discard the batch. The store refuses writes until it is reopened."""
        self._broken = why
        with suppress(sqlite3.Error):
            self._db.execute("ROLLBACK")

    def _answer(self, answers: Iterable[tuple["asyncio.Future[Any]", Any]]) -> None:
        """Answer all in one call to the event loop. If the loop is closed, nobody waits."""
        if given := list(answers):
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(give, given)

    def _one(self, work: Callable[[], Any]) -> Any:
        """The result, or the error, in which case nothing of it is written."""
        self._db.execute("SAVEPOINT one")
        try:
            result = work()
        except Exception as error:
            if isinstance(error, sqlite3.Error) and not isinstance(error, REFUSED):
                raise
            self._db.execute("ROLLBACK TO one")
            result = StoreFailed(Failed.INVARIANT, str(error)) if isinstance(error, REFUSED) else error
        self._db.execute("RELEASE one")
        return result

    def _appended(self, appends: list[Append]) -> list[StoreFailed | None]:
        """Write the appends together, or one by one if the database rejects the batch."""
        if not appends:
            return []
        written = self._one(lambda: self._written(appends))
        if isinstance(written, list):
            return written
        return [written] if len(appends) == 1 else [self._appended([one])[0] for one in appends]

    # ---- streams -------------------------------------------------------------------------------------------------

    async def claim(self, stream: str) -> int:
        def work() -> int:
            self._db.execute(
                "INSERT INTO streams (stream, version, epoch, head, in_play) VALUES (?, 0, 1, ?, 0)"
                " ON CONFLICT (stream) DO UPDATE SET epoch = epoch + 1",
                (stream, GENESIS),
            )
            return int(self._db.execute("SELECT epoch FROM streams WHERE stream = ?", (stream,)).fetchone()[0])

        return await self._do(work, writes=True)

    async def append(self, append: Append) -> None:
        await self._do(append, writes=True)

    def _written(self, appends: list[Append]) -> list[StoreFailed | None]:
        db = self._db
        plan = WritePlan(
            streams=db.execute(
                "SELECT stream, version, epoch, head FROM streams WHERE stream IN (SELECT value FROM json_each(?))",
                (json.dumps([append.stream for append in appends]),),
            ),
            balances=db.execute(
                "SELECT account, amount FROM balances WHERE account IN (SELECT value FROM json_each(?))",
                (json.dumps(list(set(accounts_of(appends)))),),
            ),
        )
        failures = [plan.take(append) for append in appends]
        self._insert("INSERT INTO events (stream, version, epoch, kind, at, body, hash) VALUES", plan.events)
        self._move(plan)
        try:
            self._insert("INSERT INTO answers (person, request, asked, answer, checksum) VALUES", plan.answers)
        except sqlite3.IntegrityError as error:
            raise StoreFailed(Failed.REQUEST_TAKEN, str(error)) from None
        heads = plan.streams
        db.executemany(
            "UPDATE streams SET version = ?, head = ?, in_play = ? WHERE stream = ?",
            [(heads[stream].version, heads[stream].head, in_play, stream) for stream, in_play in plan.moved.items()],
        )
        return failures

    def _move(self, plan: WritePlan) -> None:
        """Write balances before postings, so that both accounts of a posting exist. The database rejects forbidden
        negative balances."""
        held = [(account, plan.known.get(account, 0) + change) for account, change in plan.changes.items()]
        self._insert(
            "INSERT INTO balances (account, amount) VALUES",
            held,
            " ON CONFLICT (account) DO UPDATE SET amount = excluded.amount",
        )
        self._insert("INSERT INTO postings (stream, version, kind, source, target, amount) VALUES", plan.postings)

    def _insert(self, into: str, rows: Sequence[Sequence[object]], otherwise: str = "") -> None:
        """Insert many rows per statement: between statements the writer waits for the GIL, which the event loop
        holds."""
        done = 0
        for many in TOGETHER:
            while len(rows) - done >= many:
                one = f"({', '.join('?' * len(rows[0]))})"
                values = [value for row in rows[done : done + many] for value in row]
                self._db.execute(f"{into} {', '.join([one] * many)}{otherwise}", values)
                done += many

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

    async def _all(self, query: str, *values: object) -> list[Any]:
        return await self._do(lambda: self._db.execute(marked(query), values).fetchall())

    async def _put(self, statement: str, *values: object) -> None:
        await self._do(lambda: self._db.execute(marked(statement), values), writes=True)

    async def backup(self, target: Path) -> None:
        """Copy everything committed while the store stays in use. The copy contains the sealed shoes and is readable by
        its owner only."""
        if target.exists():
            raise Unwritable(target, EXISTS)
        if self.path == ":memory:":
            await self._do(lambda: copied(self._db, target))
        else:
            await asyncio.to_thread(self._copied_beside, target)

    def _copied_beside(self, target: Path) -> None:
        """Uses its own connection, so that the writer does not wait."""
        with closing(sqlite3.connect(self.path)) as source:
            copied(source, target)


@cache
def marked(statement: str) -> str:
    """The statement with its parameters marked as SQLite numbers them: `?1` for `$1`."""
    return re.sub(r"\$(\d)", r"?\1", statement)


def copied(source: sqlite3.Connection, target: Path) -> None:
    """Copy the file completely and durably, or not at all."""
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        with closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
        settled(part, target)
    except (sqlite3.Error, OSError) as error:
        part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise Unwritable(target, error.strerror or str(error)) from error
        raise StoreFailed(Failed.STORAGE, f"cannot copy to {target}: {error}") from error


def settled(part: Path, target: Path) -> None:
    """Rename a finished file to its name durably, never over another file."""
    synced(part)
    os.link(part, target)
    part.unlink()
    synced(target.parent)


def synced(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _read(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except (sqlite3.Error, UnicodeError) as error:  # a damaged file may not even say in letters what is wrong with it
        return StoreFailed(Failed.STORAGE, str(error))
    except Exception as error:
        return error
