"""PostgreSQL is killed under load and its synchronous standby promoted, again and again: the tables play on."""

import asyncio
from collections.abc import Callable

from puntobanco.store import open_store
from tests.house.damage import bet, prepared
from tests.house.floor import TABLE, history, sound
from tests.house.owners import leave, seat
from tests.store.clusters import cluster

BETS, AT_ONCE = 200, 8
"""How many are placed during each failover, and how many wait for their answer at a time."""


def failovers(times: int, told: Callable[[int], None] = lambda _: None) -> int:
    """How many bets were acknowledged: each is in the history once, at the version its player was told."""
    with cluster() as one, one.standby() as other:

        async def whole() -> int:
            place, acked = one.or_(other), dict[int, int]()
            table = await seat(place)
            await prepared(table.store, table)
            left = iter(range(1, BETS * times + 1))

            async def feed(through: int) -> None:
                for number in left:
                    acked[number] = await bet(table, number)
                    if number >= through:
                        return

            primary, standby = one, other
            for cycle in range(1, times + 1):
                feeding = [asyncio.create_task(feed(BETS * cycle)) for _ in range(AT_ONCE)]
                while len(acked) < BETS * (cycle - 1) + BETS // 4:
                    await asyncio.sleep(0)
                await asyncio.to_thread(primary.kill)
                await asyncio.to_thread(standby.promote)
                await asyncio.gather(*feeding)
                await asyncio.to_thread(primary.follow, standby)
                primary, standby = standby, primary
                told(cycle)
            rows = {row.version async for row in table.store.read(TABLE)}
            assert set(acked.values()) <= rows
            assert len(set(acked.values())) == len(acked)
            assert await history(table.store) == table.state
            await leave(table)
            store = open_store(place)
            await store.open()
            await sound(store)
            await store.close()
            return len(acked)

        return asyncio.run(whole())
