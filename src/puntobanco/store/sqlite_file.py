"""A SQLite file and the one who writes it: many requests in each commit, and every commit durable.

Requests and their results are plain data, so that they can come from another thread or another process.
"""

import fcntl
import json
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext, suppress
from functools import cache, partial
from io import BufferedWriter
from pathlib import Path
from typing import Any

import msgspec

from puntobanco.store.plan import WritePlan, accounts_of
from puntobanco.store.records import GENESIS, Append, Failed, StoreFailed, Unwritable, checksum
from puntobanco.store.schema import SUMMED, TABLES, latest, statements, steps_from


class Claim(msgspec.Struct, frozen=True, array_like=True, tag="claim"):
    """Become the owner of a stream. The result is the new epoch."""

    stream: str


class Statement(msgspec.Struct, frozen=True, array_like=True, tag="statement"):
    """The result is the rows that it finds. A statement that writes is committed by then."""

    text: str
    values: tuple[Any, ...] = ()
    writes: bool = False


class Hold(msgspec.Struct, frozen=True, array_like=True, tag="hold"):
    """Become the only process that uses the file."""


class Copy(msgspec.Struct, frozen=True, array_like=True, tag="copy"):
    """Copy everything committed to a new file."""

    target: str


Request = Append | Claim | Statement | Hold | Copy
Results = list[tuple[int, Any]]
"""The results, or the errors, of some requests of a batch, each with its place in it."""

TOGETHER = (256, 64, 16, 4, 1)
"""Rows per INSERT statement. A few fixed sizes, so that each statement is compiled once."""
REFUSED = (sqlite3.IntegrityError, sqlite3.DataError, OverflowError, UnicodeError)
"""The database rejects a row. Any other error of it is a storage failure."""
HOLD_WITHIN = 1.0
"""Seconds in which a writer whose house was killed ends."""

TRIGGERS = """
CREATE TRIGGER stakes_equal_open_bets BEFORE UPDATE OF version ON streams
WHEN new.in_play <> coalesce((SELECT amount FROM balances WHERE account = 'stakes:' || new.stream), 0)
BEGIN SELECT raise(ABORT, 'stakes in play are not the open bets'); END;
CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT raise(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_are_kept BEFORE DELETE ON events BEGIN SELECT raise(ABORT, 'events are never removed'); END;
CREATE TRIGGER postings_stay BEFORE UPDATE ON postings BEGIN SELECT raise(ABORT, 'postings are never changed'); END;
CREATE TRIGGER postings_are_kept BEFORE DELETE ON postings BEGIN SELECT raise(ABORT, 'postings are kept'); END;
"""


class SqliteFile:
    """`path` may be `:memory:`. It is used by one thread at a time."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.broken: str | None = None
        self.db: sqlite3.Connection
        self._lock: BufferedWriter | None = None

    # ---- life ----------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Open the file, create it or bring it to the current schema."""
        self.broken = None
        try:
            self.db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            for setting in (
                "busy_timeout = 5000",
                "journal_mode = WAL",
                "synchronous = FULL",
                "foreign_keys = ON",
                "secure_delete = ON",
            ):
                self.db.execute(f"PRAGMA {setting}")
            self.db.execute("BEGIN IMMEDIATE")
            try:
                self._bring_forward()
            except BaseException:
                with suppress(sqlite3.Error):
                    self.db.execute("ROLLBACK")
                raise
            self.db.execute("COMMIT")
        except sqlite3.Error as error:
            raise StoreFailed(Failed.STORAGE, f"cannot open {self.path}: {error}") from error

    def _bring_forward(self) -> None:
        """Create the tables or migrate them to the current schema, all steps or none."""
        new = not self.db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'meta'").fetchone()[0]
        if new:
            self._make(TABLES)
            for trigger in TRIGGERS.strip().split("END;"):
                if trigger.strip():
                    self.db.execute(trigger + "END")
            self.db.execute("INSERT INTO meta VALUES ('schema', '1')")
        said = self.db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
        if steps := steps_from(said and said[0]):
            with (None if new else self._locked()) or nullcontext():  # who uses it now would not know them
                for step in steps:
                    self._make(step)
                self._sum_up()
        self.db.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(latest()),))

    def _sum_up(self) -> None:
        """Compute the checksums of rows from an earlier schema."""
        for table in SUMMED:
            columns = ", ".join(table.columns)
            self.db.create_function("row_checksum", len(table.columns), checksum, deterministic=True)
            self.db.execute(f"UPDATE {table.name} SET checksum = row_checksum({columns}) WHERE checksum IS NULL")

    def _make(self, text: str) -> None:
        for statement in statements(text, bytes="BLOB", serial="INTEGER PRIMARY KEY"):
            self.db.execute(statement)

    def hold(self) -> None:
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
        until = time.monotonic() + HOLD_WITHIN
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                if time.monotonic() > until:
                    lock.close()
                    raise StoreFailed(Failed.IN_USE, f"another process uses {self.path}") from None
                time.sleep(0.02)
            else:
                return lock

    def close(self) -> None:
        if hasattr(self, "db"):
            self.db.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # ---- requests ------------------------------------------------------------------------------------------------

    def carry_out(self, batch: Sequence[Request]) -> Iterator[Results]:
        """Reads first, on committed data; then writes, in one commit."""
        places = [place for place, one in enumerate(batch) if _writes(one)]
        asked = [batch[place] for place in places]
        if len(asked) < len(batch):
            yield [(place, self._read(one)) for place, one in enumerate(batch) if not _writes(one)]
        if asked:
            yield list(zip(places, self._committed(asked), strict=True))

    def _committed(self, asked: Sequence[Request]) -> list[Any]:
        if self.broken is None:
            try:
                return self._durable(asked)
            except sqlite3.Error as error:
                self.fail(f"the disk refused: {error}")
        return [StoreFailed(Failed.STORAGE, str(self.broken)) for _ in asked]

    def fail(self, why: str) -> None:
        """Discard the batch. The file accepts no writes until it is opened again."""
        self.broken = why
        with suppress(sqlite3.Error):
            self.db.execute("ROLLBACK")

    def _read(self, request: Request) -> Any:
        try:
            return self._result(request)
        except (sqlite3.Error, UnicodeError) as error:  # a damaged file may not even say in letters what is wrong
            return StoreFailed(Failed.STORAGE, str(error))
        except Exception as error:
            return error

    def _result(self, request: Request) -> Any:
        match request:
            case Statement(text, values):
                return self.db.execute(marked(text), values).fetchall()
            case Claim(stream):
                return self._claimed(stream)
            case Hold():
                return self.hold()
            case Copy(target):
                return copied(self.db, Path(target))
            case Append():
                raise AssertionError("appends are written together")

    def _durable(self, asked: Sequence[Request]) -> list[Any]:
        """Carry out all requests in one commit and return the results."""
        results: list[Any] = []
        appends: list[Append] = []
        self.db.execute("BEGIN IMMEDIATE")
        for request in asked:
            if isinstance(request, Append):
                appends.append(request)
                continue
            results += self._appended(appends)
            results.append(self._one(partial(self._result, request)))
            appends = []
        results += self._appended(appends)
        self.db.execute("COMMIT")
        return results

    def _one(self, work: Callable[[], Any]) -> Any:
        """The result, or the error, in which case nothing of it is written."""
        self.db.execute("SAVEPOINT one")
        try:
            result = work()
        except Exception as error:
            if isinstance(error, sqlite3.Error) and not isinstance(error, REFUSED):
                raise
            self.db.execute("ROLLBACK TO one")
            result = StoreFailed(Failed.INVARIANT, str(error)) if isinstance(error, REFUSED) else error
        self.db.execute("RELEASE one")
        return result

    def _appended(self, appends: list[Append]) -> list[StoreFailed | None]:
        """Write the appends together, or one by one if the database rejects the batch."""
        if not appends:
            return []
        written = self._one(lambda: self._written(appends))
        if isinstance(written, list):
            return written
        return [written] if len(appends) == 1 else [self._appended([one])[0] for one in appends]

    def _claimed(self, stream: str) -> int:
        self.db.execute(
            "INSERT INTO streams (stream, version, epoch, head, in_play) VALUES (?, 0, 1, ?, 0)"
            " ON CONFLICT (stream) DO UPDATE SET epoch = epoch + 1",
            (stream, GENESIS),
        )
        return int(self.db.execute("SELECT epoch FROM streams WHERE stream = ?", (stream,)).fetchone()[0])

    def _written(self, appends: list[Append]) -> list[StoreFailed | None]:
        db = self.db
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
                self.db.execute(f"{into} {', '.join([one] * many)}{otherwise}", values)
                done += many


def _writes(request: Request) -> bool:
    return isinstance(request, Append | Claim) or (isinstance(request, Statement) and request.writes)


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
        with suppress(OSError):
            part.unlink()
        raise Unwritable(target, getattr(error, "strerror", None) or str(error)) from error


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
