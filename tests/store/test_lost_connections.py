"""A database that goes away and comes back: whatever was being written is there once, and nothing is lost."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from tempfile import TemporaryDirectory
from typing import Any

import asyncpg
import pytest

from puntobanco.store.postgres import PostgresStore
from puntobanco.store.records import Append, Fact, Failed, StoredAnswer, StoreFailed
from puntobanco.store.verify import verify
from tests.store.clusters import cluster
from tests.store.conftest import run_at
from tests.store.engines import value
from tests.store.test_failures import TABLE, acknowledged, bet, cut


def settled(url: str, work: Callable[[PostgresStore], Any], patience: float = 30) -> Any:
    async def whole() -> Any:
        store = PostgresStore(url, patience)
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(whole())


class Proxy:
    """Between a store and its server: it can keep the answers of the server to itself, then hang up."""

    def __init__(self, server: str) -> None:
        self.server, self.mute = server, False
        self._open: set[asyncio.StreamWriter] = set()

    async def serve(self, screen: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
        reader, writer = await asyncio.open_unix_connection(self.server)
        self._open |= {answers, writer}
        await asyncio.gather(self._pass(screen, writer), self._pass(reader, answers, mutable=True))

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, mutable: bool = False) -> None:
        try:
            while data := await source.read(65_536):
                if not (mutable and self.mute):
                    target.write(data)
                    await target.drain()
        except ConnectionError:
            pass
        finally:
            target.close()

    def hang_up(self) -> None:
        for writer in self._open:
            writer.close()
        self._open.clear()
        self.mute = False


@asynccontextmanager
async def proxied(url: str) -> AsyncIterator[tuple[str, Proxy]]:
    found = re.search(r"host=([^&]+)", url)
    assert found is not None
    with TemporaryDirectory() as folder:
        proxy = Proxy(f"{found[1]}/.s.PGSQL.5432")
        async with await asyncio.start_unix_server(proxy.serve, f"{folder}/.s.PGSQL.5432"):
            yield url.replace(found[1], folder), proxy
            proxy.hang_up()


async def moved_to(url: str, version: int) -> None:
    """Until the table is there, as the database itself says."""
    connection = await asyncpg.connect(url)
    try:
        async with asyncio.timeout(20):
            while (await connection.fetchval("SELECT version FROM streams WHERE stream = $1", TABLE)) != version:
                await asyncio.sleep(0.01)
    finally:
        await connection.close()


@pytest.mark.parametrize("known", [True, False])
def test_a_batch_that_was_committed_without_an_answer_is_found_and_not_written_again(
    database: str, known: bool
) -> None:
    """`known`: whether the node knew the head of the stream, so that it wrote in one round trip."""

    async def whole() -> None:
        async with proxied(database) as (url, proxy):
            store = PostgresStore(url)
            await store.open()
            try:
                epoch = await store.claim(TABLE)
                await store.append(bet(0, epoch))
                if not known:
                    store._heads.clear()
                    with pytest.raises(StoreFailed, check=lambda failed: failed.why is Failed.STALE_VERSION):
                        await store.append(bet(7, epoch))
                    store._heads.clear()
                proxy.mute = True
                answer = StoredAnswer("ann", "r1", b"asked", b"said")
                request = Append(
                    stream=TABLE, expected=1, epoch=epoch, facts=[Fact("Said.1", 1, b"x")], answers=[answer]
                )
                writing = [asyncio.create_task(store.append(one)) for one in (request, bet(2, epoch))]
                if known:
                    await moved_to(database, 3)
                else:
                    await asyncio.sleep(0.3)
                proxy.hang_up()
                await asyncio.gather(*writing)
                await store.append(bet(3, epoch))
                assert (await store.head(TABLE))[0] == 4
                assert await store.answered("ann", "r1") == answer
            finally:
                await store.close()

    asyncio.run(whole())
    assert run_at(database, verify).fault is None


def test_connections_that_are_cut_again_and_again_lose_nothing_and_double_nothing(database: str) -> None:
    async def work(store: PostgresStore) -> None:
        epoch = await store.claim(TABLE)
        feeding = asyncio.create_task(acknowledged(store, [bet(version, epoch) for version in range(10_000)]))
        for cuts in range(1, 7):
            while (await store.head(TABLE))[0] < 1_500 * cuts:
                await asyncio.sleep(0.001)
            await cut(database)
        assert await feeding == 10_000
        assert (await store.head(TABLE))[0] == 10_000

    settled(database, work)
    assert run_at(database, verify).fault is None


def test_a_database_that_stays_away_stops_the_store() -> None:
    with cluster() as server:

        async def work(store: PostgresStore) -> None:
            epoch = await store.claim(TABLE)
            await store.append(bet(0, epoch))
            server.stop()
            for _ in range(2):
                with pytest.raises(StoreFailed, check=lambda failed: failed.why is Failed.STORAGE):
                    await store.append(bet(1, epoch))

        settled(server.url, work, patience=0.5)


def test_a_server_that_is_restarted_is_waited_for() -> None:
    with cluster() as server:

        async def work(store: PostgresStore) -> None:
            epoch = await store.claim(TABLE)
            await store.append(bet(0, epoch))
            await asyncio.to_thread(server.stop)
            writing, reading = asyncio.create_task(store.append(bet(1, epoch))), asyncio.create_task(store.head(TABLE))
            await asyncio.sleep(0.3)
            assert store.lost
            await asyncio.to_thread(server.start)
            await writing
            assert (await reading)[0] in (1, 2)
            assert not store.lost

        settled(server.url, work)
        assert run_at(server.url, verify).fault is None


def test_the_only_process_of_a_database_stays_it_over_a_lost_connection(database: str) -> None:
    async def work(store: PostgresStore) -> None:
        await store.sole()
        epoch = await store.claim(TABLE)
        await cut(database)
        await store.append(bet(0, epoch))
        other = PostgresStore(database)
        await other.open()
        try:
            with pytest.raises(StoreFailed, check=lambda failed: failed.why is Failed.IN_USE):
                await other.sole()
        finally:
            await other.close()

    settled(database, work)


def test_a_replica_is_never_used() -> None:
    async def nothing(_: PostgresStore) -> None:
        raise AssertionError

    with cluster() as server:
        settled(server.url, lambda store: store.claim(TABLE))
        with server.standby() as standby:
            assert value(standby.url, "SELECT epoch FROM streams") == 1
            for url in (standby.url, f"{standby.url}&target_session_attrs=any"):
                with pytest.raises(StoreFailed, check=lambda failed: failed.why is Failed.STORAGE):
                    settled(url, nothing)
            assert settled(standby.or_(server), lambda store: store.claim(TABLE)) == 2


def test_a_primary_that_is_killed_is_followed_to_its_standby() -> None:
    """Nothing acknowledged is lost: the standby is synchronous."""
    with cluster() as server:
        settled(server.url, lambda store: store.claim(TABLE))
        with server.standby() as standby:

            async def work(store: PostgresStore) -> None:
                epoch = await store.claim(TABLE)
                feeding = asyncio.create_task(acknowledged(store, [bet(version, epoch) for version in range(5_000)]))
                while (await store.head(TABLE))[0] < 500:
                    await asyncio.sleep(0.001)
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(standby.promote)
                assert await feeding == 5_000
                assert (await store.head(TABLE))[0] == 5_000

            settled(server.or_(standby), work)
            assert run_at(standby.url, verify).fault is None
