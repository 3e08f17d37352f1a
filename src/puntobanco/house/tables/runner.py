"""The timer of a table that deals by itself, and the heartbeat by which the house sees that it runs."""

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
"""Milliseconds after which a resting dealer looks up, so that its beat never stops while it lives."""
LONGEST_STEP = 10
"""Seconds a step may take to end once the dealer is stopped."""
AFTER_A_FAULT = (1, 2, 5, 10, 30)
"""Seconds before it tries again after something unforeseen."""
TRIES = 3
"""Faults in a row after which the table is the pit's."""
UNABLE = "the house could not go on dealing"

Fault = Callable[[str, BaseException], None]


class Runner:
    """Steps one automatic dealer for as long as the table is open; a fault is told and tried again, and after some in a
    row the table is left to the pit."""

    def __init__(
        self,
        dealer: AutomaticDealer,
        clock: Callable[[], int],
        fault: Fault,
        raised: Raised,
        held: Callable[[], bool] = lambda: False,
    ) -> None:
        """`held`: whether no round may be opened; one that runs is played to its end."""
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
        """Play the round to its end and open no other."""
        self.finishing = True
        self._wake.set()
        if self._task is not None:
            await asyncio.wait([self._task])

    async def stop(self) -> None:
        """A step that is under way is finished, so that nothing it asked for is left without its asker."""
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
        """Interrupt the round; whether the pit now decides how it goes on. Otherwise nobody deals here until somebody
        starts it again."""
        table = self.dealer.table
        if table.state.in_round and table.state.interrupted is None:
            report = c.Report(round=table.state.round, fault=c.Fault.TECHNICAL, note=UNABLE)
            with suppress(Stopped):
                await table.send(report, "house", Role.SYSTEM)
        return table.state.interrupted is not None

    async def _rest(self, wait: int) -> None:
        """In short sleeps with a beat each; shorter if it is woken, or somebody else has brought the table on."""
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
