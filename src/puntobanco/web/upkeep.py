"""What is looked after while a house is open: what happens is counted and on record, what expired is ended, a clock
that was set and a program that was changed are found out, and a house whose store or audit failed does not go on."""

import asyncio
from collections.abc import Callable
from typing import Any

from puntobanco.house import book as b
from puntobanco.house.book import AnyEntry
from puntobanco.house.clock import HouseClock
from puntobanco.house.house import House, Watcher
from puntobanco.house.log import logger
from puntobanco.house.program import Program, mismatch, program
from puntobanco.house.record import put_on_record
from puntobanco.house.table import Hosted
from puntobanco.store.records import Failed
from puntobanco.table.events import AnyEvent
from puntobanco.web.desk import Desk
from puntobanco.web.screens import encoded
from puntobanco.web.seconds import seconds_for, seconds_of

LOOK = 1.0
"""Seconds between two looks."""
SWEEP, DAY = 60_000, 86_400_000
"""Milliseconds between looks at what expired, and at the program's own files."""
ALIVE = 5_000
"""Milliseconds since its last beat for which a dealer counts as alive."""


class Observer(Watcher):
    """Counts and logs what happens; a person who is disabled is out within the second."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._tasks: set[asyncio.Task[None]] = set()

    def at_table(self, table: Hosted, events: tuple[AnyEvent, ...]) -> None:
        self.desk.metrics.count(table.name, table.game.key, events)

    def written(self, commands: int, seconds: float) -> None:
        self.desk.metrics.written(commands, seconds)

    def in_book(self, entry: AnyEntry) -> None:
        try:
            put_on_record(entry)
        except Exception as error:  # whatever the audit is written to
            self.desk.house.office.give_up(f"the audit file cannot be written: {error}")
            self.fault(b.STREAM, error)
        if isinstance(entry, b.PersonDisabled | b.RoleTaken):
            self._soon(self._out(entry.person))
        if isinstance(entry, b.RoleGiven) and self._promoted(entry.person):
            self._soon(self._out(entry.person))
        if isinstance(entry, b.SecondAsked | b.SecondGiven | b.SecondDeclined):
            for person in self.desk.house.book.people:
                if seconds_of(person) in self.desk.fanout:
                    told_now = encoded(seconds_for(self.desk.house, person))
                    self.desk.fanout.publish(seconds_of(person), told_now)

    def fault(self, where: str, error: BaseException) -> None:
        logger("house").error("a fault", where=where, exc_info=error)

    def _promoted(self, person: str) -> bool:
        """Whoever signed in as a player has not shown what is asked of the staff, and signs in again."""
        account = self.desk.known(person)
        return account is not None and any(one.kind is not account.kind for one in self.desk.sessions.of(person))

    async def _out(self, person: str) -> None:
        await self.desk.sessions.end_all(person)
        await self.desk.tickets.revoke_all(person)

    def _soon(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class Upkeep:
    """One look after the other. A look that fails is told, and the next one comes all the same."""

    def __init__(self, desk: Desk, files: Callable[[], Program] = program) -> None:
        self.desk, self._files = desk, files
        self._swept = self._checked = desk.house.clock()
        self._watched: set[str] = set()

    async def keep(self, stop: asyncio.Event) -> None:
        """Until cancelled; when the store has failed, `stop` is set."""
        while True:
            await asyncio.sleep(LOOK)
            try:
                await self.look()
            except Exception as error:
                logger("house").error("upkeep failed", exc_info=error)
            if (why := store_failed(self.desk.house)) is not None and not stop.is_set():
                logger("house").error("the store failed: the house stops", why=why)
                stop.set()

    async def look(self) -> None:
        house, clock, now = self.desk.house, self.desk.house.clock, self.desk.house.clock()
        if isinstance(clock, HouseClock):
            self.desk.metrics.drift(clock.drift())
            if (changed := clock.changed()) is not None:
                logger("house").warning("the clock of the machine was set", by_ms=changed.by)
                await house.office.note(b.ClockMoved(by=house.itself(), by_ms=changed.by))
        self._watch_tables(now)
        if now - self._checked >= DAY:
            self._checked = now
            await self._check_program()
        if now - self._swept >= SWEEP:
            self._swept = now
            await self.desk.sessions.sweep()
            await self.desk.tickets.sweep()
            self.desk.rate.sweep(now)

    def _watch_tables(self, now: int) -> None:
        """Every table's queue is among the figures, and when its dealer was last seen; one that a person deals lives as
        long as it has not failed."""
        house, metrics = self.desk.house, self.desk.metrics
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

    async def _check_program(self) -> None:
        """The digest is on record again every day, and told if it is not the one of this version."""
        house, found = self.desk.house, await asyncio.to_thread(self._files)
        await house.office.note(b.ProgramChecked(by=house.itself(), program=found.version, digest=found.digest))
        tell_mismatch(house, found)


def _depth(house: House, table: str) -> int:
    hosted = house.tables.get(table)
    return hosted.depth if hosted is not None else 0


def tell_mismatch(house: House, found: Program) -> None:
    if (differs := mismatch(found, house.book.programs)) is not None:
        logger("house").error(
            "the program is not the one that was recorded",
            version=differs.version, recorded=differs.recorded, found=differs.found,
        )  # fmt: skip


def store_failed(house: House) -> str | None:
    """Why nothing can be written any more. A table that failed for reasons of its own is no such failure."""
    if house.office.failed is not None:
        return house.office.failed
    return next((why for why in house.failed.values() if why.startswith(f"{Failed.STORAGE}")), None)
