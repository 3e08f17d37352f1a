"""Both engines, the second one real."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from puntobanco.store import open_store
from puntobanco.store.base import Store
from tests.store.engines import new_database, postgres


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with postgres() as url:
        yield url


APART = "apart.db"
"""The name of a file that a process of its own writes."""


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Also a file that a process of its own writes, unless the test changes something in this process."""
    if "place" in metafunc.fixturenames and "monkeypatch" not in metafunc.fixturenames:
        engines = ["sqlite", "sqlite apart", "postgresql"]
        metafunc.definition.add_marker(pytest.mark.parametrize("place", engines, indirect=True))


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new store is, one for each engine."""
    if request.param == "sqlite apart":
        return str(tmp_path / APART)
    if request.param == "sqlite":
        return str(tmp_path / "house.db")
    return new_database(request.getfixturevalue("server"))


@pytest.fixture
def database(server: str) -> str:
    return new_database(server)


Run = Callable[[Callable[[Store], Awaitable[Any]]], Any]


@pytest.fixture
def run(place: str) -> Run:
    """Do something with a store that is opened for it; opened again it is the same store."""
    return lambda work: run_at(place, work)


def run_at(place: str | Path, work: Callable[[Any], Awaitable[Any]]) -> Any:
    async def whole() -> Any:
        store = open_store(place, apart=str(place).endswith(APART))
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(whole())
