"""The clockwork of a table that deals by itself, and the beat by which the house sees that it lives."""

import asyncio
from collections.abc import Callable

from puntobanco.house.dealer import AutomaticDealer
from puntobanco.house.table import Stopped
from puntobanco.table.state import BETWEEN_ROUNDS, Phase

LONGEST_SLEEP = 1_000
"""Milliseconds after which a waiting dealer looks again, so that its beat never stops while it lives."""
AFTER_A_FAULT = (1, 2, 5, 10, 30)
"""Seconds before it tries again after something unforeseen."""

Fault = Callable[[str, BaseException], None]


class Runner:
    """Steps one automatic dealer for as long as the table is open; a fault is told, and does not end it."""

    def __init__(self, dealer: AutomaticDealer, clock: Callable[[], int], fault: Fault) -> None:
        self.dealer, self._clock, self._fault = dealer, clock, fault
        self.last_beat = clock()
        self.finishing = False
        self._task: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        return self.dealer.table.name

    @property
    def alive(self) -> bool:
        return self._task is not None and not self._task.done()

    def start(self) -> None:
        self.finishing = False
        self._task = asyncio.create_task(self._run(), name=f"dealer {self.name}")

    async def finish(self) -> None:
        """Play the round to its end and open no other."""
        self.finishing = True
        if self._task is not None:
            await asyncio.wait([self._task])

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        faults = 0
        while not self._done():
            self.last_beat = self._clock()
            try:
                wait = await self.dealer.step() if self._open() else LONGEST_SLEEP
                faults = 0
            except Stopped:
                return
            except Exception as error:
                self._fault(self.name, error)
                wait = 1_000 * AFTER_A_FAULT[min(faults, len(AFTER_A_FAULT) - 1)]
                faults += 1
            await asyncio.sleep(min(wait, LONGEST_SLEEP) / 1_000)

    def _open(self) -> bool:
        return self.dealer.table.state.phase is not Phase.CLOSED

    def _done(self) -> bool:
        return self.finishing and self.dealer.table.state.phase in {*BETWEEN_ROUNDS, Phase.CLOSED}
