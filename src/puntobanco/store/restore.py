"""Restore a SQLite backup: never over another store, and only after verification."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from puntobanco.store.base import Store
from puntobanco.store.places import copy_of
from puntobanco.store.records import Failed, StoreFailed
from puntobanco.store.sqlite import SqliteStore
from puntobanco.store.sqlite_file import settled
from puntobanco.store.verify import Verification, verify

Prove = Callable[[Store], Awaitable[Verification]]


async def restore(backup: Path, target: Path, prove: Prove = verify) -> Verification:
    """Copy the backup to `target` and verify it. A backup that fails verification leaves nothing behind."""
    if not backup.is_file():
        raise StoreFailed(Failed.STORAGE, f"there is no backup {backup}")
    for path in (target, *_beside(target)):
        if path.exists():
            raise StoreFailed(Failed.EXISTS, str(path))
    unproven = target.with_name(target.name + ".unproven")
    _remove(unproven)
    try:
        await asyncio.to_thread(copy_of, backup, unproven)
        proof = await _proven(unproven, prove)
        settled(unproven, target)
    except OSError as error:
        raise StoreFailed(Failed.STORAGE, str(error)) from error
    finally:
        _remove(unproven)
    return proof


async def _proven(path: Path, prove: Prove) -> Verification:
    store = SqliteStore(path)
    await store.open()
    try:
        proof = await prove(store)
    finally:
        await store.close()
    if proof.fault is not None:
        raise StoreFailed(Failed.STORAGE, f"the backup is not restored: {proof.fault}")
    return proof


def _beside(path: Path) -> tuple[Path, ...]:
    return tuple(path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal"))


def _remove(path: Path) -> None:
    for one in (path, *_beside(path)):
        one.unlink(missing_ok=True)
