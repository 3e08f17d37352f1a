"""What the tests of people share: a real store, a clock that moves when told, and one loop for a test."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from puntobanco.store.sqlite import SqliteStore


class Clock:
    def __init__(self) -> None:
        self.now = 1_900_000_000_000

    def __call__(self) -> int:
        return self.now


def with_store(work: Callable[[SqliteStore], Awaitable[None]], path: Path | str = ":memory:") -> None:
    async def whole() -> None:
        store = SqliteStore(path)
        await store.open()
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(whole())
