"""Whether there is a store at a place, without making one; and a copy of it that can be read at leisure."""

import sqlite3
from contextlib import closing
from pathlib import Path

from puntobanco.store.records import Failed, StoreFailed
from puntobanco.store.sqlite import copied


class Damaged(StoreFailed):
    """There is a store, and it cannot be read through."""

    def __init__(self, detail: str) -> None:
        super().__init__(Failed.STORAGE, detail)


def is_url(place: str | Path) -> bool:
    return "://" in str(place)


async def find(place: str | Path) -> None:
    """Nothing, or `StoreFailed` if there is no store; nothing is written there."""
    if not is_url(place):
        with closing(_read_only(Path(place))):
            return
    import asyncpg

    try:
        connection = await asyncpg.connect(str(place))
        try:
            there = await connection.fetchval("SELECT to_regclass('meta') IS NOT NULL")
        finally:
            await connection.close()
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError, ValueError) as error:
        raise StoreFailed(Failed.STORAGE, str(error)) from error
    if not there:
        raise StoreFailed(Failed.STORAGE, "there is no store in that database")


def copy_of(path: Path, target: Path) -> None:
    """Everything that is committed at this moment, also while a house writes to it; the store stays as it is."""
    with closing(_read_only(path)) as source:
        copied(source, target)
    try:
        with closing(sqlite3.connect(target)) as copy:
            found = str(copy.execute("PRAGMA integrity_check(1)").fetchone()[0])
    except sqlite3.Error as error:
        raise Damaged(f"{path} is damaged: {error}") from error
    if found != "ok":
        raise Damaged(f"{path} is damaged: {' '.join(found.split())}")


def _read_only(path: Path) -> sqlite3.Connection:
    """A connection that writes nothing to the file, nor leaves one beside it that was not there."""
    if not path.exists():
        raise StoreFailed(Failed.STORAGE, f"there is no store at {path}")
    waiting = path.with_name(path.name + "-wal").exists()
    try:
        opened = sqlite3.connect(f"{path.absolute().as_uri()}?mode={'ro' if waiting else 'rw'}", uri=True)
        try:
            opened.execute("PRAGMA query_only = ON")
            if opened.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
                return opened
        except BaseException:
            opened.close()
            raise
        opened.close()
    except sqlite3.Error as error:
        raise StoreFailed(Failed.STORAGE, f"{path} cannot be read as a store: {error}") from error
    raise StoreFailed(Failed.STORAGE, f"{path} is not a store")
