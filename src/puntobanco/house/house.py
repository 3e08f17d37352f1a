"""The running house: passes every command to its table or to the journal, and starts and stops the tables.

The house records who acts, in which role and when. A failure of one table stops only that table.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import nullcontext, suppress
from typing import Any

import msgspec

from puntobanco.house.identity.guest_confirmation import GuestConfirmation
from puntobanco.house.integrity import Integrity
from puntobanco.house.journal import administration as o
from puntobanco.house.journal.denials import Denials
from puntobanco.house.journal.dual_control import DualControl, table_command_needs_second
from puntobanco.house.journal.journal import Journal, TableEntry
from puntobanco.house.journal.preconditions import (
    check_alert,
    check_cleared,
    check_no_money,
    check_plays_nowhere,
    keep_content,
)
from puntobanco.house.journal.writer import DEFAULT_MONEY, JournalWriter, unbroken
from puntobanco.house.operations.settings import MoneySettings
from puntobanco.house.secrets.secret_store import SecretStore
from puntobanco.house.shoes.at_table import claims_to_be_sealed, sealed_names
from puntobanco.house.shoes.seal import Sealed, new_shoe
from puntobanco.house.stream import read_answer
from puntobanco.house.tables.dealer import AutomaticDealer, Pace
from puntobanco.house.tables.idempotency import Deliver, check_request, digest
from puntobanco.house.tables.incidents import IncidentNumbers, administrative_incident, refusal
from puntobanco.house.tables.queued import Queueable, Queued, QueuedChanges
from puntobanco.house.tables.runner import Runner
from puntobanco.house.tables.writer import Appraise, Clock, RunningTable, Stopped
from puntobanco.protocol import administrative_commands as a
from puntobanco.protocol import entries as b
from puntobanco.protocol.answers import Answer
from puntobanco.protocol.entries import STREAM, AnyEntry, Who
from puntobanco.protocol.incidents import Incident, Stage
from puntobanco.protocol.posts import AT_THE_TABLE, COMMANDS, HOUSE, Person, Post
from puntobanco.rules import library
from puntobanco.rules.cards import Card
from puntobanco.rules.game import Game
from puntobanco.rules.refusal import Reason, Refusal, Refused
from puntobanco.store.base import Store
from puntobanco.store.records import StoreFailed
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Confirmation, Role
from puntobanco.table.command_table import TABLE
from puntobanco.table.decide import decide
from puntobanco.table.events import AnyEvent
from puntobanco.table.reconstruction import cards_out
from puntobanco.table.setup import Setup
from puntobanco.table.state import Phase, State
from puntobanco.table.tags import tag_of

STARTED_AT_ONCE = 16
MOST_LINES = 100
"""Lines of a slip. Each may be refused with a sentence, and a thousand of them would delay everybody else."""
DEAD_AFTER = 60_000
"""Milliseconds without a heartbeat after which an automatic dealer counts as dead."""


class Watcher:
    """Receives what happened, after it is durable. Override the methods you need."""

    def at_table(self, table: RunningTable, events: tuple[AnyEvent, ...]) -> None: ...

    def reload(self, table: RunningTable) -> None:
        """Send the whole table again: what was sent may be incomplete."""

    def written(self, commands: int, seconds: float) -> None: ...

    def in_journal(self, entry: AnyEntry) -> None: ...

    def incident(self, number: int, incident: Incident, *, new: bool) -> None: ...

    def fault(self, where: str, error: BaseException) -> None: ...


class House:
    """All tables and the journal of one store."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        pace: Pace | None = None,
        shoes: Callable[[int], Sealed] = new_shoe,
        secret_store: SecretStore | None = None,
        program: tuple[str, str] = ("", ""),
        integrity: Integrity | None = None,
        money: MoneySettings = DEFAULT_MONEY,
        guest_confirmation: GuestConfirmation | None = None,
    ) -> None:
        self.store, self.clock, self.pace, self._shoes, self._program = store, clock, pace or Pace(), shoes, program
        self.integrity = integrity
        self.secret_store = secret_store or store
        self.money, self.guest_confirmation = money, guest_confirmation
        self.journal_writer = JournalWriter(store, self._in_journal, money)
        self.tables: dict[str, RunningTable] = {}
        self.games: dict[str, Game] = {}
        self.runners: dict[str, Runner] = {}
        self.broken: dict[str, str] = {}
        """Tables that could not be started, and why."""
        self.draining = False
        self._dealing = True
        self.watchers: list[Watcher] = []
        self.appraise: Appraise | None = None
        self._denials = Denials()
        self._incidents = IncidentNumbers()
        self._opening = 0
        """Rounds that are being opened by hand at this moment."""
        self.under_way = 0
        """Commands of people that are being decided or written at this moment."""
        self._told_failed: set[str] = set()
        self._later: set[asyncio.Task[None]] = set()
        self._changing = asyncio.Lock()
        self._dual_control = DualControl(self)
        self.confirm, self.decline = self._dual_control.confirm, self._dual_control.decline
        self.may_second = self._dual_control.may_second
        self.queued = QueuedChanges(self._send_queued)

    @property
    def journal(self) -> Journal:
        return self.journal_writer.journal

    # ---- life ----------------------------------------------------------------------------------------------------

    async def open(self, *, dealing: bool = True) -> None:
        """Replay the journal and every table. Each table recovers its own interrupted round."""
        self._dealing = dealing
        await self.journal_writer.start()
        self._incidents.last = max(self.journal.incidents, default=0)
        await self.journal_writer.note(
            b.HouseOpened(by=self.itself(), program=self._program[0], digest=self._program[1])
        )
        if self.integrity is not None:
            await self.integrity.check(self.journal_writer, self.itself())
        turn = asyncio.Semaphore(STARTED_AT_ONCE)

        async def start(entry: TableEntry) -> None:
            async with turn:
                await self._host(entry)

        await asyncio.gather(*(start(entry) for entry in self.journal.tables.values() if not entry.retired))

    async def _host(self, entry: TableEntry) -> None:
        """Start one table. A table that cannot start does not affect the others."""
        self.broken.pop(entry.name, None)
        try:
            game = await game_at(self.store, self.journal, entry.name)
            table = RunningTable(entry.name, game, opening_setup(game), self.store, self.clock, self._at_table)
            table.measured, table.raised, table.appraise = self._written, self.raise_incident, self.appraise
            table.show_squeezed = self._show_squeezed
            await table.start()
        except Exception as error:
            self.broken[entry.name] = f"{type(error).__name__}: {error}"
            self._fault(entry.name, error)
            return
        self.tables[entry.name] = table
        self._set_dealing(entry.name)

    async def game_of(self, table: str) -> Game:
        """The game of a table, also of a retired one."""
        return self.tables[table].game if table in self.tables else await game_at(self.store, self.journal, table)

    async def _restart(self, table: str) -> None:
        """Restart a failed table from its history and publish it again."""
        await self._silence(table)
        self._told_failed.discard(table)
        await self._host(self.journal.tables[table])
        if (running := self.tables.get(table)) is not None:
            self._tell(table, lambda watcher: watcher.at_table(running, ()))

    async def _silence(self, table: str) -> None:
        """Stop the table and its automatic dealer."""
        await self._stop_dealing(table)
        if (running := self.tables.pop(table, None)) is not None:
            try:
                await running.stop()
            except Exception as error:
                self._fault(table, error)

    async def drain(self, seconds: float) -> tuple[str, ...]:
        """Finish rounds and open none. Returns the tables that were still in one when the time was up."""
        self.draining = True
        finishing = [asyncio.create_task(runner.finish()) for runner in self.runners.values()]
        until = asyncio.get_running_loop().time() + seconds
        while self._unfinished and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(0.05)
        for task in finishing:
            task.cancel()
        await asyncio.gather(*finishing, return_exceptions=True)
        return self.in_round

    @property
    def _unfinished(self) -> bool:
        """Whether a round is running or about to be opened."""
        return bool(self.in_round or self._opening) or any(runner.alive for runner in self.runners.values())

    async def close(self) -> None:
        """Stop every table as it is. The store stays open."""
        self.draining = True
        await asyncio.gather(*(runner.stop() for runner in self.runners.values()))
        in_round = self.in_round
        async with self._changing:
            for table in tuple(self.tables):
                await self._silence(table)
        await asyncio.gather(*self._later)
        await self._enter_of(lambda journal: self._balanced(journal, *journal.tills))
        closed = b.HouseClosed(by=self.itself(), in_round=in_round)
        await self._enter(*self._denials.over(), closed)

    async def balance(self, person: str) -> None:
        """Balance a cashier who has signed out. Their pending requests are withdrawn first: nobody is there to take or
        hand out the money, and no sum would include it."""
        async with self._dual_control.turn:
            await self._enter_of(lambda journal: (*self._taken_back(journal, person), *self._balanced(journal, person)))

    def _taken_back(self, journal: Journal, person: str) -> Iterator[AnyEntry]:
        for waiting in journal.waiting.values():
            if waiting.by.person == person and waiting.by.post is Post.CASHIER and not waiting.table:
                yield b.SecondDeclined(by=self.itself(), number=waiting.number, reason="the cashier signed out")

    def _balanced(self, journal: Journal, *people: str) -> Iterator[AnyEntry]:
        for person in people:
            if (till := journal.tills.get(person)) is not None:
                yield b.CashierBalanced(
                    by=self.itself(), person=person, since=till.since, sums=till.sums, guests=till.guests
                )

    async def _enter(self, *entries: AnyEntry) -> None:
        await self._enter_of(lambda _: entries)

    async def _enter_of(self, entries: Callable[[Journal], Iterable[AnyEntry]]) -> None:
        """Enter what happened, if the journal can still be written."""
        if self.journal_writer.failed is not None:
            return
        try:
            await self.journal_writer.note_of(entries)
        except Exception as error:
            self._fault(STREAM, error)

    @property
    def in_round(self) -> tuple[str, ...]:
        return tuple(name for name, one in self.tables.items() if one.failed is None and one.state.in_round)

    @property
    def held(self) -> bool:
        """Whether automatic tables open no round, because the program differs from the recorded one."""
        return self.integrity is not None and self.integrity.enforced and self.journal.differs is not None

    def holds(self, running: RunningTable) -> bool:
        """Whether this table opens no round until the program is released, because the house deals it."""
        return self.held and (self.journal.tables[running.name].automatic or _is_sealed(running))

    @property
    def dead(self) -> tuple[str, ...]:
        """Tables whose automatic dealer should be running and has sent no heartbeat for too long."""
        now = self.clock()
        return tuple(
            name
            for name, runner in self.runners.items()
            if not runner.finishing and (not runner.alive or now - runner.last_beat > DEAD_AFTER)
        )

    @property
    def failed(self) -> dict[str, str]:
        """The tables that have failed, or the journal, each with the reason."""
        stopped = {name: table.failed for name, table in self.tables.items() if table.failed is not None}
        return self.broken | stopped | ({STREAM: self.journal_writer.failed} if self.journal_writer.failed else {})

    # ---- who is who ----------------------------------------------------------------------------------------------

    def itself(self) -> Who:
        return Who("house", None, self.clock())

    def person(self, name: str) -> Person:
        person = self.journal.people.get(name)
        if person is None or not person.active:
            raise Refused(Reason.ACCESS_DENIED, what=name)
        return person

    def post(self, name: str, table: str = HOUSE) -> Post | None:
        """The person's post at the table: for staff the one assigned there, otherwise the one in the journal."""
        person = self.person(name)
        running = self.tables.get(table)
        acting = running.state.acting.get(name) if running is not None else None
        return Post(acting.value) if acting is not None and person.is_staff else person.post_at(table)

    def table(self, name: str) -> RunningTable:
        table = self.tables.get(name)
        if table is None:
            entry = self.journal.tables.get(name)
            known = entry is not None and not entry.retired
            raise Refused(Reason.TABLE_STOPPED if known else Reason.UNKNOWN_TABLE, table=name)
        return table

    # ---- at a table ----------------------------------------------------------------------------------------------

    async def do(
        self,
        name: str,
        table: str,
        command: c.Command,
        request: str = "",
        address: str = "",
        *,
        proof: a.GuestProof | None = None,
        meant: msgspec.Struct | None = None,
    ) -> Answer:
        """Send a command of a person to a table: it is refused, held until somebody confirms it, or decided by the
        table.

        `proof`: the PIN or card of the guest whose money it moves; `meant`: the original request, if the command was
        derived from it.
        """
        running = self.table(table)
        if request:
            check_request(request)
        try:
            post = self._heard_as(name, table, command)
        except Refused as refused:
            await self.denied(name, f"{tag_of(type(command))} at {table}", address)
            return Answer(running.state.version, refused.refusal)
        self.under_way += 1
        try:
            return await self._do(name, post, running, command, request, address, proof, meant)
        except (Refused, StoreFailed):
            raise
        except Exception as error:
            by = By(name, AT_THE_TABLE[post], self.clock(), request, device=post is Post.DEVICE)
            return running.faulted(command, by, error)
        finally:
            self.under_way -= 1

    def bet(self, name: str, table: str, slip: c.PlaceBets, request: str, deliver: Deliver) -> bool:
        """Queue a slip, whose request id was checked, and deliver its answer once it is durable. Returns false, and has
        done nothing, if it cannot be queued as it is: then `do` says why."""
        running = self.tables.get(table)
        if running is None or running.failed is not None:
            return False
        try:
            post = self._heard_as(name, table, slip)
            self.check_possible(running, slip)
        except Refused:
            return False

        def delivered(answer: Answer | Exception) -> None:
            self.under_way -= 1
            deliver(self.stopped(running, answer) if isinstance(answer, Stopped) else answer)

        self.under_way += 1
        try:
            running.bet(slip, name, AT_THE_TABLE[post], request, delivered, device=post is Post.DEVICE)
        except Stopped as stopped:
            delivered(stopped)
        return True

    async def _do(
        self,
        name: str,
        post: Post,
        running: RunningTable,
        command: c.Command,
        request: str,
        address: str,
        proof: a.GuestProof | None,
        meant: msgspec.Struct | None,
    ) -> Answer:
        try:
            self.check_possible(running, command)
            if post is not Post.DEVICE:
                _check_answered(running, command)
        except Refused as refused:
            before = await self.answered_before(name, running.name, meant or command, request)
            return before or Answer(running.state.version, refused.refusal)
        confirmed = None
        if isinstance(command, c.BuyIn) and post is not Post.PLAYER:
            who = Who(name, post, self.clock(), address, request)
            if proof is None and Confirmation.SESSION in self.money.confirmations:
                return await self._dual_control.ask(running, command, who)
            if proof is not None:
                if (before := await self.answered_before(name, running.name, command, request)) is not None:
                    return before
                try:
                    confirmed = await self._proved(command.person, proof, who)
                except Refused as refused:
                    return Answer(running.state.version, refused.refusal)
        elif table_command_needs_second(running.state, command, post):
            return await self._dual_control.ask(running, command, Who(name, post, self.clock(), address, request))
        opens = isinstance(command, c.OpenBetting)
        self._opening += opens
        try:
            device = post is Post.DEVICE
            return await running.send(
                command, name, AT_THE_TABLE[post], request, confirmed=confirmed, device=device, meant=meant
            )
        except Stopped as stopped:
            return self.stopped(running, stopped)
        finally:
            self._opening -= opens

    async def queue(self, name: str, table: str, command: Queueable, address: str = "") -> Answer:
        """Hold a change of the set-up or a closing until the first moment between rounds, in the name of that person. A
        closing that needs notice announces it now. What the table would refuse anyway is refused at once."""
        running = self.table(table)
        try:
            post = self._heard_as(name, table, command)
        except Refused as refused:
            await self.denied(name, f"{tag_of(type(command))} at {table}", address)
            return Answer(running.state.version, refused.refusal)
        first = self.queued.of_another(table, command, name)
        if first is not None:
            return Answer(running.state.version, Refusal(Reason.CHANGE_WAITS, None, {"person": first.person}))
        by = By(name, AT_THE_TABLE[post], self.clock())
        between = msgspec.structs.replace(running.state, phase=Phase.SETTLED)
        found = decide(running.felt, between, command, by)
        if isinstance(found, Refusal) and found.reason is Reason.CLOSING_UNANNOUNCED:
            announced = await self.do(name, table, c.AnnounceClosing(reason=command.reason), address=address)  # type: ignore[union-attr]
            if announced.refusal is not None:
                return announced
        elif isinstance(found, Refusal) and found.reason is not Reason.CLOSING_TOO_EARLY:
            return Answer(running.state.version, found)
        self.queued.add(table, command, name, self.clock(), address)
        if self.queued.due(table, running.state):
            await self.queued.go(table)
        if (closing := running.state.closing) is not None:
            wait = max(0, closing.until - self.clock()) / 1_000 + 1
            asyncio.get_running_loop().call_later(wait, self._queue_again, running)
        return Answer(running.state.version)

    async def _send_queued(self, table: str, queued: Queued) -> Answer:
        try:
            return await self.do(queued.person, table, queued.command, address=queued.address)
        except Refused as refused:
            return Answer(0, refused.refusal)

    def _queue_again(self, running: RunningTable) -> None:
        """The notice is over: the table may close even if nothing happens there."""
        if self.tables.get(running.name) is running and self.queued.due(running.name, running.state):
            self._soon(self.queued.go(running.name))

    async def _proved(self, guest: str, proof: a.GuestProof, by: Who) -> Confirmation:
        """Check the guest's PIN or card. A wrong one is recorded with the person who entered it."""
        if self.guest_confirmation is None:
            raise Refused(Reason.CONFIRMATION_OFF)
        try:
            how = await self.guest_confirmation.check(guest, proof, by.person)
            if self.journal.provers.get((guest, how)) == by.person:
                raise Refused(Reason.PROOF_FROM_YOU, person=guest)
            return how
        except Refused as refused:
            await self.denied(by.person, f"{refused.reason} for {guest}", by.address)
            raise

    async def answered_before(self, name: str, table: str, asked: msgspec.Struct, request: str) -> Answer | None:
        """The original answer, if the request took effect: a command that is impossible now may have succeeded
        before."""
        kept = await self.store.answered(name, request) if request else None
        return read_answer(kept) if kept is not None and kept.asked == digest(table, asked) else None

    def _heard_as(self, name: str, table: str, command: c.Command) -> Post:
        """The post in which the person may send the command at the table, or a refusal."""
        post = self.post(name, table)
        if post is None or type(command) not in COMMANDS.get(post, frozenset()):
            raise Refused(Reason.ACCESS_DENIED, what=tag_of(type(command)))
        return post

    def check_possible(self, running: RunningTable, command: c.Command) -> None:
        """Refuse what only the house knows to be impossible. The table checks the rest."""
        if isinstance(command, c.PlaceBets):  # by far the most frequent, and nothing else is about it
            if len(command.lines) > MOST_LINES:
                raise Refused(Reason.SLIP_TOO_LONG, most=MOST_LINES)
            return
        if self.draining and isinstance(command, c.OpenBetting):
            raise Refused(Reason.HOUSE_DRAINING)
        if isinstance(command, c.OpenBetting) and self.holds(running):
            raise Refused(Reason.PROGRAM_HELD)
        if TABLE[type(command)].deals and self.journal.tables[running.name].automatic:
            raise Refused(Reason.DEALS_ITSELF)
        if _is_sealed(running) and _names_a_card(running.state, command):
            raise Refused(Reason.DEALS_ITSELF)
        if isinstance(command, c.LoadShoe) and (claims_to_be_sealed(command) or _hides_a_card(running)):
            raise Refused(Reason.DEALS_ITSELF)
        if isinstance(command, c.BuyIn) and self.known_as(command.person, running.name) is not Post.PLAYER:
            raise Refused(Reason.NOT_ADMITTED, person=command.person)
        if isinstance(command, c.BuyInAtTable):
            o.check_size(command.amount, self.money.largest_entry)
        if isinstance(command, c.Assign):
            person = self.journal.people.get(command.person)
            if person is None or not person.active or not person.is_staff:
                raise Refused(Reason.NOT_STAFF, person=command.person)
            check_no_money(running.state, command.person)

    def known_as(self, name: str, table: str) -> Post | None:
        """Like `post`, but None for somebody unknown or disabled."""
        with suppress(Refused):
            return self.post(name, table)
        return None

    def stopped(self, running: RunningTable, stopped: Stopped) -> Answer:
        if running.failed is not None:
            self._fault(running.name, stopped)
        return Answer(running.state.version, Refusal(Reason.TABLE_STOPPED, None, {"table": running.name}))

    # ---- administration ------------------------------------------------------------------------------------------

    async def manage(
        self,
        name: str,
        command: a.AnyAdministrativeCommand,
        request: str = "",
        address: str = "",
        *,
        proof: a.GuestProof | None = None,
    ) -> Answer:
        """Send an administrative command of a person. `proof`: the PIN or card of the guest whose money it moves."""
        try:
            post = self.post(name, getattr(command, "table", HOUSE))
            o.check_heard(command, post)
            if request:
                check_request(request)
            by = Who(name, post, self.clock(), address, request)
            done = await self._manage(command, by, proof)
        except Refused as refused:
            done = Answer(self.journal.version, refused.refusal)
        if done.refusal is not None and done.refusal.reason is Reason.ACCESS_DENIED:
            await self.denied(name, tag_of(type(command)), address)
        return done

    async def _manage(self, command: a.AnyAdministrativeCommand, by: Who, proof: a.GuestProof | None) -> Answer:
        try:
            if (
                proof is not None
                and isinstance(command, a.Withdraw)
                and not await self.journal_writer.before(command, by)
            ):
                by = msgspec.structs.replace(by, confirmed=await self._proved(command.person, proof, by))
        except (Refused, StoreFailed):
            raise
        except Exception as error:
            return self._administration_faulted(command, by, error)
        return await self.manage_as(command, by)

    @unbroken
    async def manage_as(self, command: a.AnyAdministrativeCommand, by: Who) -> Answer:
        """If it fails, nothing was entered. A failure of what follows an entry is an incident of its own."""
        try:
            return await self._managed(command, by)
        except (Refused, StoreFailed):
            raise
        except Exception as error:
            return self._administration_faulted(command, by, error)

    def _administration_faulted(
        self, command: a.AnyAdministrativeCommand, by: Who, error: Exception, stage: Stage = Stage.DECIDING
    ) -> Answer:
        """Refuse an administrative command that could not be decided because of an internal error."""
        role = AT_THE_TABLE.get(by.post, Role.SYSTEM) if by.post is not None else Role.SYSTEM
        sent = By(by.person, role, by.at, by.request, by.second, by.confirmed)
        found = administrative_incident(STREAM, self.journal.version, stage, command, sent, str(by.post or ""), error)
        return Answer(self.journal.version, refusal(self.raise_incident(found)))

    async def _managed(self, command: a.AnyAdministrativeCommand, by: Who) -> Answer:
        about_a_table = isinstance(command, a.AddTable | a.SetDealing | a.RestartTable | a.RetireTable)
        async with self._changing if about_a_table else nullcontext():
            done = await self.journal_writer.before(command, by)
            try:
                if done is None:
                    await self._prepare(command, by)
                    done = await self.journal_writer.do(command, by)
                    if isinstance(command, a.RestartTable) and done.refusal is None:
                        await self._follow(self._restart(command.table), command, by)
            except Refused as refused:
                return Answer(self.journal.version, refused.refusal)
            finally:
                if isinstance(command, a.AddTable | a.SetDealing | a.RetireTable):
                    await self._follow(self._as_booked(command.table), command, by)
            return self._running(done, command.table) if isinstance(command, a.RestartTable) else done

    async def _follow(self, work: Coroutine[Any, Any, None], command: a.AnyAdministrativeCommand, by: Who) -> None:
        """Carry out what follows from the journal. An error there does not undo the entry."""
        try:
            await work
        except Exception as error:
            self._administration_faulted(command, by, error, Stage.PUBLISHING)

    async def _prepare(self, command: a.AnyAdministrativeCommand, by: Who) -> None:
        """Check the tables, and store what must be durable before the entry is in the journal."""
        match command:
            case a.AddGame():
                await keep_content(self.store, self.journal, command)
            case a.GiveRole() | a.TakeRole():
                states = {name: running.state for name, running in self.tables.items()}
                check_plays_nowhere(self.journal, command, states)
            case a.Acknowledge():
                await check_alert(
                    self.store, self.journal, command, by.post, lambda one: self.may_second(by.person, one)
                )
            case a.RestartTable():
                self._check_failed(command.table)
            case a.RetireTable():
                await self._check_cleared(command.table)
            case _:
                return

    def _check_failed(self, table: str) -> None:
        """Only a table that has failed, or whose dealer is dead, can be restarted."""
        if table in self.tables and table not in self.failed and table not in self.dead:
            raise Refused(Reason.TABLE_RUNS, table=table)

    def _running(self, done: Answer, table: str) -> Answer:
        """The answer, unless the table has failed again."""
        if done.refusal is not None or table not in self.failed:
            return done
        return Answer(done.version, Refusal(Reason.TABLE_STOPPED, None, {"table": table}))

    async def _check_cleared(self, table: str) -> None:
        """A table can be retired only if it is closed and nobody has money there."""
        running = self.tables.get(table)
        if running is not None and running.state.phase is not Phase.CLOSED:
            raise Refused(Reason.TABLE_IN_USE, table=table)
        await self._silence(table)
        await check_cleared(self.store, table)

    async def _as_booked(self, table: str) -> None:
        """Bring a table in line with the journal, whatever the result of the command was."""
        entry = self.journal.tables.get(table)
        if entry is None:
            return
        if entry.retired:
            await self._silence(table)
        elif table not in self.tables:
            await self._host(entry)
        elif entry.automatic:
            self._set_dealing(table)
        else:
            await self._stop_dealing(table)

    # ---- what is told --------------------------------------------------------------------------------------------

    async def denied(self, name: str, what: str, address: str = "") -> None:
        """Enter a denied access in the journal. Denials of one kind are summed once a minute."""
        person = self.journal.people.get(name)
        by = Who(name, person.post_at() if person else None, self.clock(), address)
        await self._enter(*self._denials.note(by, what))

    def _at_table(self, table: RunningTable, events: tuple[AnyEvent, ...]) -> None:
        """Notify all watchers; the first error among them is recorded by the table."""
        if self.queued.due(table.name, table.state):
            self._soon(self.queued.go(table.name))
        if faults := self._tell(table.name, lambda watcher: watcher.at_table(table, events)):
            raise faults[0]

    def raise_incident(self, incident: Incident) -> int:
        """Notify all watchers, enter the incident in the journal and return its number. A table that was shown wrongly
        is sent again."""
        number, new = self._incidents.of(incident, self.clock())
        self._tell(incident.table, lambda watcher: watcher.incident(number, incident, new=new))
        if new:
            self._soon(self._enter(b.IncidentRaised(by=self.itself(), number=number, incident=incident)))
        running = self.tables.get(incident.table)
        if incident.stage is Stage.PUBLISHING and running is not None:
            self._tell(running.name, lambda watcher: watcher.reload(running))
        return number

    def _written(self, commands: int, seconds: float) -> None:
        self._tell(STREAM, lambda watcher: watcher.written(commands, seconds))

    def _in_journal(self, entry: AnyEntry) -> None:
        self._tell(STREAM, lambda watcher: watcher.in_journal(entry))

    def _tell(self, where: str, what: Callable[[Watcher], None]) -> list[Exception]:
        """Notify all watchers. An error of one is reported to all of them and stops nothing."""
        faults: list[Exception] = []
        for watcher in self.watchers:
            try:
                what(watcher)
            except Exception as error:
                faults.append(error)
                self._fault(where, error)
        return faults

    def _fault(self, where: str, error: BaseException) -> None:
        for watcher in self.watchers:
            with suppress(Exception):
                watcher.fault(where, error)
        why = self.failed.get(where)
        if why is not None and where != STREAM and where not in self._told_failed:
            self._told_failed.add(where)
            self._soon(self._enter(b.TableFailed(by=self.itself(), table=where, why=why)))

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    # ---- dealing by itself ---------------------------------------------------------------------------------------

    def _set_dealing(self, table: str) -> None:
        if not self.journal.tables[table].automatic or self.draining or not self._dealing or table in self.runners:
            return  # a dealer that is dead is shown as such; `RestartTable` brings it back
        dealer = self._dealer(self.tables[table])
        self.runners[table] = Runner(dealer, self.clock, self._fault, self.raise_incident, lambda: self.held)
        self.runners[table].start()

    def _dealer(self, table: RunningTable) -> AutomaticDealer:
        def proven() -> None:
            self._tell(table.name, lambda watcher: watcher.at_table(table, ()))

        return AutomaticDealer(table, self.pace, self._shoes, self.secret_store, proven)

    async def _show_squeezed(self, table: RunningTable) -> None:
        """While a table starts it has no dealer yet, but its cards are sealed where they were."""
        runner = self.runners.get(table.name)
        await (runner.dealer if runner is not None else self._dealer(table)).show_squeezed()

    def squeezed_faces(self, table: str, person: str) -> dict[int, Card]:
        """The faces of the cards that this person is squeezing at a table where the house deals: for them alone."""
        runner = self.runners.get(table)
        return runner.dealer.squeezed_faces(person) if runner is not None else {}

    async def _stop_dealing(self, table: str) -> None:
        """Stop at once. A round in progress stays as it is until somebody continues it."""
        if (runner := self.runners.pop(table, None)) is not None:
            await runner.stop()


def _check_answered(running: RunningTable, command: c.Command) -> None:
    """Nobody draws over a request to squeeze that they may not have seen. A card that a device reports has left the
    shoe, whatever was asked."""
    if isinstance(command, c.DrawCard):
        asked = running.state.squeezes.get(command.index)
        if asked is not None and not asked.permitted:
            rule = running.felt.squeeze_rule
            raise Refused(Reason.SQUEEZE_UNANSWERED, rule, person=asked.person, index=command.index)


def _names_a_card(state: State, command: c.Command) -> bool:
    """Whether the command says which card was dealt, seen or meant, or that the cards came in another order."""
    match command:
        case c.DrawCard() | c.ExposeCard() | c.CorrectCard():
            return True
        case c.Report():
            return any(command.cards)
        case c.Rule(choice=c.Choice.RECONSTRUCT, cards=cards):
            out = cards_out(state)
            return bool(cards) and (cards[: len(out)] != out or any(cards[len(out) :]))
        case c.Rule(choice=c.Choice.ORDER):
            return list(command.order) != sorted(command.order)
        case c.Rule():
            return any(command.cards)
        case _:
            return False


def _is_sealed(running: RunningTable) -> bool:
    """Whether the table deals from an order that nobody knows, or its last round was dealt from one that was withdrawn
    since: any card that a person names would be invented."""
    state, shoe = running.state, running.state.shoe
    if shoe is None or not shoe.name.startswith(sealed_names(running.name)):
        return False
    return shoe.in_service or state.in_round or state.in_gap


def _hides_a_card(running: RunningTable) -> bool:
    """Whether cards of a sealed shoe lie face down, which only the house can turn over while their shoe is in use."""
    return running.state.in_round and _is_sealed(running) and None in cards_out(running.state)


async def game_at(store: Store, journal: Journal, table: str) -> Game:
    """The game as it was when the table was added, whatever game files come with the program today."""
    entry = journal.tables.get(table)
    if entry is None:
        raise Refused(Reason.UNKNOWN_TABLE, table=table)
    if entry.game in library.GAMES and library.game(entry.game).fingerprint == entry.fingerprint:
        return library.game(entry.game)
    content = await store.game(entry.fingerprint)
    if content is None:
        raise Refused(Reason.UNKNOWN_GAME, game=entry.game, known=", ".join((*library.GAMES, *journal.games)))
    return library.from_canonical(content)


def opening_setup(game: Game) -> Setup:
    """The default set-up of a table of that game."""
    layout = game.layout()
    return Setup(
        game=game.key,
        fingerprint=game.fingerprint,
        layout=layout.key if layout else None,
        boxes=layout.most_boxes if layout else 0,
        decks=8,
        minimum=o.DEFAULT_MINIMUM,
        differential=o.DEFAULT_DIFFERENTIAL,
    )
