"""Housekeeping of a running server: count and record events, end expired sessions, notice a changed clock or changed
program files, and stop when the store or the audit log fails.
"""

import asyncio
from typing import Any

import msgspec

from puntobanco.house.house import House, Watcher
from puntobanco.house.identity.sessions import Session, SessionEnd
from puntobanco.house.operations.audit_log import audit_entry
from puntobanco.house.operations.clock import HouseClock
from puntobanco.house.operations.log import logger
from puntobanco.house.tables.writer import RunningTable
from puntobanco.protocol import entries as b
from puntobanco.protocol.entries import AnyEntry
from puntobanco.protocol.incidents import Incident
from puntobanco.table.events import AnyEvent
from puntobanco.web.live.pacing import Paced
from puntobanco.web.live.publisher import encoded
from puntobanco.web.live.waiting import waiting_channel, waiting_message
from puntobanco.web.services import Services, store_failed

LOOK = 1.0
"""Seconds between two runs."""
SWEEP, FILES, HOUR, DAY = 60_000, 5_000, 3_600_000, 86_400_000
"""Milliseconds between sweeps of what expired, and between checks of the program files: of those that look changed, of
all of them, and of all of them with an entry in the journal."""
ALIVE = 5_000
"""Milliseconds since the last heartbeat within which a dealer counts as alive."""


class Observer(Watcher):
    """Counts and logs what happens, and signs out people whose rights have changed."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: dict[str, Paced] = {}

    def at_table(self, table: RunningTable, events: tuple[AnyEvent, ...]) -> None:
        self.services.metrics.count(table.name, table.game.key, events)

    def written(self, commands: int, seconds: float) -> None:
        self.services.metrics.written(commands, seconds)

    def in_journal(self, entry: AnyEntry) -> None:
        try:
            audit_entry(entry)
        except Exception as error:  # whatever the audit is written to
            self.services.house.journal_writer.stream.give_up(f"the audit file cannot be written: {error}")
            self.fault(b.STREAM, error)
        if isinstance(entry, b.PersonDisabled | b.RoleTaken):
            self._soon(self.services.identity.shut_out(entry.person))
        if isinstance(entry, b.RoleGiven) and self._promoted(entry.person):
            self._soon(self.services.identity.shut_out(entry.person))
        if isinstance(entry, b.SecondAsked | b.SecondGiven | b.SecondDeclined):
            for person in self.services.house.journal.people:
                if waiting_channel(person) in self.services.fanout:
                    self._waiting_list(person).soon()

    def _waiting_list(self, person: str) -> Paced:
        """The rate limit of the person's list of waiting requests, which is always sent as a whole."""
        if person not in self._waiting:
            self._waiting[person] = Paced(
                self.services.fanout,
                waiting_channel(person),
                lambda: encoded(waiting_message(self.services.house, person)),
                failed=lambda error: self.fault(b.STREAM, error),
            )
        return self._waiting[person]

    def incident(self, number: int, incident: Incident, *, new: bool) -> None:
        self.services.metrics.incident(incident.table)
        if new:
            sent = msgspec.json.encode(incident.sent).decode()
            logger("house").error(
                "incident", number=number, table=incident.table, version=incident.version, stage=incident.stage,
                sent=sent, error=incident.error, exception=list(incident.trace),
            )  # fmt: skip

    def fault(self, where: str, error: BaseException) -> None:
        logger("house").error("a fault", where=where, exc_info=error)

    def gone(self, session: Session, why: SessionEnd) -> None:
        """Balance a cashier who signs out, or whose last session has ended otherwise."""
        if why is SessionEnd.SIGNED_OUT or not self.services.identity.sessions.of(session.person):
            self._soon(self.services.house.balance(session.person))

    def _promoted(self, person: str) -> bool:
        """Whether a session was started as another kind of user: staff must meet stricter requirements and sign in
        again."""
        account = self.services.known(person)
        sessions = self.services.identity.sessions.of(person)
        return account is not None and any(one.kind is not account.kind for one in sessions)

    def _soon(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class Housekeeping:
    """Periodic work. A failed run is logged and does not prevent the next one."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._swept = self._looked = self._read = self._checked = services.house.clock()
        self._watched: set[str] = set()
        self._lost = False

    async def keep(self, stop: asyncio.Event) -> None:
        """Run until cancelled. Sets `stop` when the store has failed."""
        while True:
            await asyncio.sleep(LOOK)
            self._tell_if_lost()
            try:
                await self.look()
            except Exception as error:
                logger("house").error("upkeep failed", exc_info=error)
            if (why := store_failed(self.services.house)) is not None and not stop.is_set():
                logger("house").error("the store failed: the house stops", why=why)
                stop.set()

    def _tell_if_lost(self) -> None:
        if self.services.house.store.lost is not self._lost:
            self._lost = self.services.house.store.lost
            logger("house").warning("the database is lost: everything waits" if self._lost else "the database is back")

    async def look(self) -> None:
        house, clock, now = self.services.house, self.services.house.clock, self.services.house.clock()
        if isinstance(clock, HouseClock):
            self.services.metrics.drift(clock.drift())
            if by_ms := clock.changed():
                logger("house").warning("the clock of the machine was set", by_ms=by_ms)
                await house.journal_writer.note(b.ClockMoved(by=house.itself(), by_ms=by_ms))
        self._watch_tables(now)
        await self._check_program(now)
        if now - self._swept >= SWEEP:
            self._swept = now
            await self.services.identity.sessions.sweep()
            await self.services.identity.tickets.sweep()
            self.services.admission.sweep()

    def _watch_tables(self, now: int) -> None:
        """Export the queue of every table and the last heartbeat of its dealer. A table dealt by a person is alive
        unless it has failed."""
        house, metrics = self.services.house, self.services.metrics
        for gone in self._watched - house.tables.keys():
            metrics.forget_table(gone)
        for name in house.tables.keys() - self._watched:
            metrics.watch_table(name, lambda name=name: _depth(house, name))  # type: ignore[misc]
        self._watched = set(house.tables)
        for name, table in house.tables.items():
            runner = house.runners.get(name)
            alive = table.failed is None if runner is None else runner.alive and now - runner.last_beat < ALIVE
            if alive:
                metrics.beat(name)

    async def _check_program(self, now: int) -> None:
        house = self.services.house
        if house.integrity is None or now - self._looked < FILES:
            return
        anew, on_record, self._looked = now - self._read >= HOUR, now - self._checked >= DAY, now
        found = await house.integrity.check(house.journal_writer, house.itself(), anew=anew or on_record)
        self.services.metrics.program(len(house.integrity.differs(house.journal)), held=house.held)
        if anew:
            self._read = now
        if on_record:
            self._checked = now
            await house.journal_writer.note(
                b.ProgramChecked(by=house.itself(), program=found.version, digest=found.digest)
            )


def _depth(house: House, table: str) -> int:
    running = house.tables.get(table)
    return running.depth if running is not None else 0
