"""The timer of an automatic table, and the heartbeat that shows that it runs."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from puntobanco.house.tables.dealer import AutomaticDealer, Unable
from puntobanco.house.tables.incidents import Raised, incident
from puntobanco.house.tables.writer import Stopped
from puntobanco.protocol.incidents import Stage
from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.state import Phase

LONGEST_SLEEP = 1_000
"""The longest sleep in milliseconds, so that heartbeats continue while the dealer rests."""
LONGEST_STEP = 10
"""Seconds a step may take to end once the dealer is stopped."""
AFTER_A_FAULT = (1, 2, 5, 10, 30)
"""Seconds before it tries again after an unexpected error."""
TRIES = 3
"""Errors in a row after which the table is left to the pit."""
UNABLE = "the house could not go on dealing"

Fault = Callable[[str, BaseException], None]


class Runner:
    """Steps one automatic dealer while the table is open. It reports an error and tries again; after several in a row
    it leaves the table to the pit."""

    def __init__(
        self,
        dealer: AutomaticDealer,
        clock: Callable[[], int],
        fault: Fault,
        raised: Raised,
        held: Callable[[], bool] = lambda: False,
    ) -> None:
        """`held`: whether no round may be opened; a running round is finished."""
        self.dealer, self._clock, self._fault, self._raised, self._held = dealer, clock, fault, raised, held
        self.last_beat = clock()
        self.finishing = False
        self._stopping = False
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        return self.dealer.table.name

    @property
    def alive(self) -> bool:
        return self._task is not None and not self._task.done()

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"dealer {self.name}")

    async def finish(self) -> None:
        """Finish the round and open no other."""
        self.finishing = True
        self._wake.set()
        if self._task is not None:
            await asyncio.wait([self._task])

    async def stop(self) -> None:
        """Finish the step in progress, then stop."""
        self._stopping = True
        self._wake.set()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=LONGEST_STEP)
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        faults = 0
        while not self._done():
            self.last_beat = self._clock()
            try:
                wait = await self.dealer.step() if self._open() else LONGEST_SLEEP
                faults = 0
            except Stopped as stopped:
                self._fault(self.name, stopped)
                return
            except Exception as error:
                wait = 1_000 * AFTER_A_FAULT[min(faults, len(AFTER_A_FAULT) - 1)]
                faults += 1
                enough = faults % TRIES == 0
                if enough or not isinstance(error, Unable):  # that is an incident already
                    self._raised(incident(self.name, self.dealer.table.state, Stage.DEALING, (), error))
                if enough and not await self._left_to_the_pit():
                    return
            await self._rest(wait)

    async def _left_to_the_pit(self) -> bool:
        """Interrupt the round. Returns whether the pit now decides how it continues; otherwise nobody deals here until
        somebody restarts the table."""
        table = self.dealer.table
        if table.state.in_round and table.state.interrupted is None:
            report = c.Report(round=table.state.round, fault=c.Fault.TECHNICAL, note=UNABLE)
            with suppress(Stopped):
                await table.send(report, "house", Role.SYSTEM)
        return table.state.interrupted is not None

    async def _rest(self, wait: int) -> None:
        """Sleep in short pieces, each with a heartbeat, until woken or until the phase of the table changes."""
        await asyncio.sleep(0)
        table = self.dealer.table
        phase = table.state.phase
        while wait > 0 and table.state.phase is phase and not self._wake.is_set():
            self.last_beat = self._clock()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), min(wait, LONGEST_SLEEP) / 1_000)
            wait -= LONGEST_SLEEP
        self._wake.clear()

    def _open(self) -> bool:
        state = self.dealer.table.state
        return state.phase is not Phase.CLOSED and (state.in_round or not self._held())

    def _done(self) -> bool:
        return self._stopping or (self.finishing and not self.dealer.table.state.in_round)
