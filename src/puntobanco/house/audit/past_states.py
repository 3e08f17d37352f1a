"""The state of a table at any event, without replaying from the first event each time."""

import asyncio
from bisect import bisect_right

from puntobanco.store import codec
from puntobanco.store.base import Store
from puntobanco.store.records import GENESIS
from puntobanco.table.evolve import evolve
from puntobanco.table.state import State

EVERY = 2_000
"""Events between two cached states."""
AT_ONCE = 200
"""Events replayed before yielding to the event loop."""


class PastStates:
    """Cached states of one table: later requests start from the nearest one."""

    def __init__(self, table: str, store: Store) -> None:
        self.table, self._store = table, store
        self._kept: list[tuple[int, bytes, State]] = [(0, GENESIS, State())]

    async def before(self, version: int) -> tuple[bytes, State]:
        """The state before that event, and the hash the event is chained to."""
        place = bisect_right(self._kept, version - 1, key=lambda kept: kept[0]) - 1
        first, hash, state = self._kept[place]
        async for row in self._store.read(self.table, after=first, through=version - 1):
            hash, state = row.hash, evolve(state, codec.decode(row.kind, row.body))
            if row.version % EVERY == 0 and row.version > self._kept[-1][0]:
                self._kept.append((row.version, hash, state))
            if row.version % AT_ONCE == 0:
                await asyncio.sleep(0)
        return hash, state
