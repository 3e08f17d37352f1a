"""Find a store without creating one, and read a consistent copy of it."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from tempfile import TemporaryDirectory

from puntobanco.store import open_store
from puntobanco.store.base import Store
from puntobanco.store.records import Failed, StoreFailed
from puntobanco.store.sqlite_file import copied


class Damaged(StoreFailed):
    """There is a store, but it cannot be read completely."""

    def __init__(self, detail: str) -> None:
        super().__init__(Failed.STORAGE, detail)


def is_url(place: str | Path) -> bool:
    return "://" in str(place)


async def find(place: str | Path) -> None:
    """Raise `StoreFailed` if there is no store. Writes nothing."""
    if not is_url(place):
        with closing(read_only(Path(place))):
            return
    from puntobanco.store.postgres_connection import LOST, connected

    try:
        connection = await connected(str(place), {})
        try:
            there = await connection.fetchval("SELECT to_regclass('meta') IS NOT NULL")
        finally:
            await connection.close()
    except LOST as error:
        raise StoreFailed(Failed.STORAGE, str(error)) from error
    if not there:
        raise StoreFailed(Failed.STORAGE, "there is no store in that database")


@asynccontextmanager
async def as_committed(place: str) -> AsyncIterator[Store]:
    """The committed data at this moment, while a server may go on writing: a copy of a SQLite file, or one read-only
    transaction in PostgreSQL. The store is not changed."""
    await find(place)
    with TemporaryDirectory(prefix="puntobanco-") as folder:
        if is_url(place):
            from puntobanco.store.postgres import PostgresMoment

            store: Store = PostgresMoment(place)
        else:
            copy = Path(folder) / "house.db"
            await asyncio.to_thread(copy_of, Path(place), copy)
            store = open_store(copy)
        await store.open()
        try:
            yield store
        finally:
            await store.close()


def copy_of(path: Path, target: Path) -> None:
    """Copy everything committed at this moment, even while a server writes. The store is not changed."""
    with closing(read_only(path)) as source:
        copied(source, target)
    try:
        with closing(sqlite3.connect(target)) as copy:
            found = str(copy.execute("PRAGMA integrity_check(1)").fetchone()[0])
    except sqlite3.Error as error:
        raise Damaged(f"{path} is damaged: {error}") from error
    if found != "ok":
        raise Damaged(f"{path} is damaged: {' '.join(found.split())}")


def read_only(path: Path) -> sqlite3.Connection:
    """A connection that neither writes to the file nor leaves a new file beside it."""
    if not path.exists():
        raise StoreFailed(Failed.STORAGE, f"there is no store at {path}")
    try:
        try:
            opened = _opened(path, "mode=ro" if Path(f"{path}-wal").exists() else "mode=rw")
        except sqlite3.Error as error:
            if _code(error) != sqlite3.SQLITE_READONLY:
                raise
            opened = _opened(path, "immutable=1")  # nothing can be written beside it: a copy on a medium of its own
    except sqlite3.Error as error:
        said = f"{path} cannot be read as a store: {error}"
        if _code(error) == sqlite3.SQLITE_CORRUPT:
            raise Damaged(said) from error
        raise StoreFailed(Failed.STORAGE, said) from error
    if opened is None:
        raise StoreFailed(Failed.STORAGE, f"{path} is not a store")
    return opened


def _opened(path: Path, how: str) -> sqlite3.Connection | None:
    """None if the file is a database of another application."""
    opened = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)
    try:
        opened.execute("PRAGMA query_only = ON")
        if opened.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
            return opened
    except BaseException:
        opened.close()
        raise
    opened.close()
    return None


def _code(error: sqlite3.Error) -> int:
    """The name of the error without its details."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
