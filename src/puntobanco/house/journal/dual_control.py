"""Dual control: requests that wait for a second person, or for the guest whose money they move.

A request is decided when it is confirmed, in the name of the first person and with both names on record, and only if
the first person still has the same post. Nobody can be their own second person. A request that needs the guest and a
second person waits for the guest first. A void that follows from a rule needs no second person; one that somebody
declares does, and so does every correction.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from puntobanco.house.journal.administration import check_reason
from puntobanco.house.journal.journal import Journal, PendingConfirmation
from puntobanco.house.journal.writer import JournalWriter, unbroken
from puntobanco.house.operations.settings import MoneySettings
from puntobanco.house.stream import read_answer
from puntobanco.house.tables.idempotency import digest
from puntobanco.house.tables.writer import RunningTable, Stopped
from puntobanco.protocol import administrative_commands as a
from puntobanco.protocol import entries as b
from puntobanco.protocol.answers import Answer
from puntobanco.protocol.entries import Who
from puntobanco.protocol.posts import AT_THE_TABLE, HOUSE, PIT, Post
from puntobanco.rules.refusal import Reason, Refusal, Refused
from puntobanco.store.base import Store
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Confirmation
from puntobanco.table.command_table import TABLE
from puntobanco.table.decide import decide
from puntobanco.table.reading import KINDS
from puntobanco.table.state import State
from puntobanco.table.tags import tag_of


class Controlled(Protocol):
    """What dual control needs from the house."""

    @property
    def store(self) -> Store: ...
    @property
    def clock(self) -> Callable[[], int]: ...
    @property
    def money(self) -> MoneySettings: ...
    @property
    def tables(self) -> Mapping[str, RunningTable]: ...
    @property
    def journal(self) -> Journal: ...
    @property
    def journal_writer(self) -> JournalWriter: ...
    def post(self, name: str, table: str) -> Post | None: ...
    def known_as(self, name: str, table: str) -> Post | None: ...
    async def denied(self, name: str, what: str, address: str) -> None: ...
    async def manage_as(self, command: a.AnyAdministrativeCommand, by: Who) -> Answer: ...
    def stopped(self, running: RunningTable, stopped: Stopped) -> Answer: ...


SECONDS_AT_TABLE: frozenset[Post] = PIT

RESERVED_REQUEST = "second:"
"""How the requests begin under which the house itself sends what was confirmed."""


class DualControl:
    """Handles one confirmation at a time, so that only one of two simultaneous confirmations counts."""

    def __init__(self, house: Controlled) -> None:
        self.house = house
        self.turn = asyncio.Lock()

    async def ask(self, running: RunningTable, command: c.Command, by: Who) -> Answer:
        """Refuse at once what the table would refuse; otherwise record the request, which waits for a second person."""
        assert by.post is not None, "it was heard from somebody"
        asked_for = digest(running.name, command)  # the table's own, for what needed no second before
        version, role, device = running.state.version, AT_THE_TABLE[by.post], by.post is Post.DEVICE
        if (before := await running.stream.answered(by.person, by.request, asked_for, version)) is not None:
            return before
        would = By(by.person, role, by.at, by.request, confirmed=Confirmation.SESSION, device=device)
        found = decide(running.felt, running.state, command, would)
        if isinstance(found, Refusal):
            return Answer(running.state.version, found)
        asked: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(command))  # as the journal is read again
        return await self.house.journal_writer.ask_second(running.name, asked, by, asked_for, version)

    @unbroken
    async def confirm(self, name: str, number: int, address: str = "") -> Answer:
        """Confirm a request: it is decided now, in the name of the first person, with both names on record."""
        async with self.turn:
            try:
                waiting = self._waiting(name, number)
            except Refused as refused:
                if refused.reason is Reason.ACCESS_DENIED:
                    await self.house.denied(name, "confirm", address)
                return Answer(self.house.journal.version, refused.refusal)
            by = Who(name, self.house.post(name, _place(waiting)), self.house.clock(), address)
            given = await (self._seconded_at_table if waiting.table else self._seconded)(waiting, by)
            if given.refusal is None or given.refusal.reason is not Reason.TABLE_STOPPED:
                why = given.refusal
                entry = b.SecondGiven(by=by, number=number)
                if why is not None:
                    entry = msgspec.structs.replace(entry, refused=str(why.reason), parameters=why.parameters)
                await self.house.journal_writer.note(entry)
            return given

    async def _seconded(self, waiting: PendingConfirmation, by: Who) -> Answer:
        command = msgspec.convert(waiting.command, a.AnyAdministrativeCommand)
        if self.house.known_as(waiting.by.person, _place(waiting)) is not waiting.by.post:
            return Answer(self.house.journal.version, _lost(waiting))
        request = f"{RESERVED_REQUEST}{waiting.number}"
        return await self.house.manage_as(
            command, msgspec.structs.replace(waiting.by, at=by.at, request=request, **_agreed(waiting, by))
        )

    async def _seconded_at_table(self, waiting: PendingConfirmation, by: Who) -> Answer:
        first, request = waiting.by, f"{RESERVED_REQUEST}{waiting.number}"
        if (kept := await self.house.store.answered(first.person, request)) is not None:
            return read_answer(kept)
        running = self.house.tables.get(waiting.table)
        if running is None:
            return Answer(0, Refusal(Reason.TABLE_STOPPED, None, {"table": waiting.table}))
        if first.post is None or self.house.known_as(first.person, waiting.table) is not first.post:
            return Answer(running.state.version, _lost(waiting))
        sent = msgspec.convert(waiting.command, KINDS[waiting.command["type"]], str_keys=True)
        try:
            role, device = AT_THE_TABLE[first.post], first.post is Post.DEVICE
            return await running.send(sent, first.person, role, request, device=device, **_agreed(waiting, by))
        except Stopped as stopped:
            return self.house.stopped(running, stopped)

    @unbroken
    async def decline(self, name: str, number: int, reason: str, address: str = "") -> Answer:
        """Decline a request as the second person, or withdraw it as the first."""
        async with self.turn:
            try:
                waiting = self.house.journal.waiting.get(number)
                if waiting is None or waiting.by.person != name:
                    waiting = self._waiting(name, number)
                by = Who(name, self.house.post(name, _place(waiting)), self.house.clock(), address)
                check_reason(reason)
            except Refused as refused:
                if refused.reason is Reason.ACCESS_DENIED:
                    await self.house.denied(name, "decline", address)
                return Answer(self.house.journal.version, refused.refusal)
            await self.house.journal_writer.note(b.SecondDeclined(by=by, number=number, reason=reason))
            return Answer(self.house.journal.version)

    def may_second(self, name: str, waiting: PendingConfirmation) -> bool:
        """Whether the person may confirm it."""
        if waiting.by.person == name:
            return False
        post = self.house.known_as(name, _place(waiting))
        if (guest := guest_of(waiting)) is not None:
            still = post is Post.PLAYER if waiting.table else post is not None
            return name == guest and still and Confirmation.SESSION in self.house.money.confirmations
        if waiting.table:
            return post in SECONDS_AT_TABLE
        return post in a.seconds_for(a.KINDS[waiting.command["type"]], waiting.by.post)

    def _waiting(self, name: str, number: int) -> PendingConfirmation:
        waiting = self.house.journal.waiting.get(number)
        if waiting is None:
            raise Refused(Reason.NOTHING_WAITS, number=number)
        if waiting.by.person == name:
            raise Refused(Reason.SECOND_IS_FIRST)
        if not self.may_second(name, waiting):
            raise Refused(Reason.ACCESS_DENIED, what=f"confirm {number}")
        return waiting


def table_command_needs_second(state: State, command: c.Command, post: Post) -> bool:
    """Decided before the command is queued: anything that may change until the command is decided counts as changed."""
    asks = TABLE[type(command)].second
    return asks is not None and asks(state, command, AT_THE_TABLE[post])


def guest_of(waiting: PendingConfirmation) -> str | None:
    """The guest whose confirmation it waits for; None if it waits for a second person."""
    asked_of_guest = waiting.command["type"] in (tag_of(c.BuyIn), tag_of(a.Withdraw))
    return str(waiting.command["person"]) if asked_of_guest and waiting.by.confirmed is None else None


def _agreed(waiting: PendingConfirmation, by: Who) -> dict[str, Any]:
    """The fields that record who confirmed."""
    return {"second": by.person} if guest_of(waiting) is None else {"confirmed": Confirmation.SESSION}


def _place(waiting: PendingConfirmation) -> str:
    """Where it takes effect: both people need a post there."""
    return waiting.table or str(waiting.command.get("table", HOUSE))


def _lost(waiting: PendingConfirmation) -> Refusal:
    """The refusal if the first person no longer has the post in which they asked."""
    return Refusal(Reason.ACCESS_DENIED, None, {"what": f"{waiting.command['type']} of {waiting.by.person}"})
