"""Who owns a table, on both engines: a former owner that wakes up can append nothing."""

import asyncio
import os
import signal
from collections.abc import Callable

import pytest

from puntobanco.house.tables.writer import RunningTable, Stopped
from puntobanco.rules import library
from puntobanco.store import open_store
from puntobanco.store.records import Append, Failed, StoreFailed
from tests.house.damage import SETUP, bet, prepared
from tests.house.floor import TABLE, Clock, history, sound
from tests.house.kills import spawned


async def seat(place: str) -> RunningTable:
    store = open_store(place)
    await store.open()
    table = RunningTable(TABLE, library.game(SETUP.game), SETUP, store, Clock())
    await table.start()
    return table


async def leave(table: RunningTable) -> None:
    await table.stop()
    await table.store.close()


def frozen(place: str) -> None:
    """A real process is stopped while it owns the table, another takes over, and the first goes on."""

    async def former(pipe: int) -> None:
        table = await seat(place)
        await prepared(table.store, table)
        await bet(table, 1)
        os.write(pipe, b"bet ")
        os.kill(os.getpid(), signal.SIGSTOP)
        for number in range(2, 5):
            with pytest.raises(Stopped):
                await bet(table, number)
        with pytest.raises(StoreFailed) as failed:
            await table.store.append(Append(stream=TABLE, expected=table.state.version, epoch=table.stream._epoch))
        assert failed.value.why is Failed.STALE_EPOCH
        os.write(pipe, b"stopped")

    async def owner() -> None:
        table = await seat(place)
        assert table.state.stakes["1/tie/ann"].amount == 100_00 + 100
        await bet(table, 100)
        await leave(table)

    async def after() -> None:
        table = await seat(place)
        assert table.state.stakes["1/tie/ann"].amount == 100_00 + 100 * 100
        assert await history(table.store) == table.state
        await leave(table)
        store = open_store(place)
        await store.open()
        await sound(store)
        await store.close()

    child = spawned(former)
    child.frozen()
    asyncio.run(owner())
    os.kill(child.pid, signal.SIGCONT)
    status, said = child.end()
    assert os.waitstatus_to_exitcode(status) == 0
    assert said == b"bet stopped"
    asyncio.run(after())


def overtaken(place: str, cycles: int, told: Callable[[int], None] = lambda _: None) -> None:
    """Each owner is overtaken by the next while its bets are on their way: one history, no version twice."""

    async def whole() -> None:
        table = await seat(place)
        await prepared(table.store, table)
        acked: dict[int, int] = {}

        async def feed(owner: RunningTable, first: int) -> None:
            for number in range(first, first + 10):
                try:
                    acked[number] = await bet(owner, number)
                except Stopped:
                    return

        for cycle in range(cycles):
            feeding = asyncio.ensure_future(feed(table, 10 * cycle + 1))
            for _ in range(cycle % 7):
                await asyncio.sleep(0.0005)
            following = await seat(place)
            await feeding
            with pytest.raises(Stopped):
                await bet(table, 10**7 + cycle)
            await leave(table)
            table = following
            told(cycle + 1)
        assert len(set(acked.values())) == len(acked)
        rows = {row.version async for row in table.store.read(TABLE)}
        assert set(acked.values()) <= rows
        await leave(table)
        store = open_store(place)
        await store.open()
        await sound(store)
        await store.close()

    asyncio.run(whole())
