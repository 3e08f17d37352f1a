"""The one writer of the journal. Every administrative command is in the journal before it is acknowledged."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import reduce, wraps
from hashlib import sha256
from typing import Any, ParamSpec, TypeVar

import msgspec

from puntobanco.house.journal.administration import (
    LAST_ROUND,
    check_heard,
    check_size,
    decide,
    needs_guest,
    needs_second,
)
from puntobanco.house.journal.journal import Journal, entered, moved, reread
from puntobanco.house.operations.settings import MoneySettings
from puntobanco.house.stream import StreamWriter, kept_answer
from puntobanco.house.tables.snapshots import linked, load_state
from puntobanco.protocol import administrative_commands as a
from puntobanco.protocol import entries as b
from puntobanco.protocol.account_names import commission_of, drop_of, float_of, wallet
from puntobanco.protocol.answers import Answer
from puntobanco.protocol.entries import AnyEntry, Who
from puntobanco.rules.money import GREATEST_STAKE, write_money
from puntobanco.rules.refusal import Reason, Refusal, Refused
from puntobanco.store.base import Store
from puntobanco.store.places import Damaged
from puntobanco.store.records import Fact, Failed, StoredAnswer, StoreFailed
from puntobanco.table.authority import Confirmation

DEFAULT_MONEY = MoneySettings()
MOST_WAITING = 100
"""Requests of one person that may wait for somebody else: everybody who may confirm them is told of all."""
Given = ParamSpec("Given")
Result = TypeVar("Result")


def unbroken(work: Callable[Given, Coroutine[Any, Any, Result]]) -> Callable[Given, Coroutine[Any, Any, Result]]:
    """Finish what was begun, even if the caller is cancelled: whatever becomes durable must also be known here."""

    @wraps(work)
    async def whole(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        return await asyncio.shield(asyncio.ensure_future(work(*args, **kwargs)))

    return whole


class JournalWriter:
    """Handles one command at a time. Each is in the journal before it is acknowledged."""

    def __init__(
        self, store: Store, entered: Callable[[AnyEntry], None] | None = None, money: MoneySettings = DEFAULT_MONEY
    ) -> None:
        self.store, self.money, self._told = store, money, entered
        self.journal = Journal()
        self.stream = StreamWriter(store, b.STREAM)
        self._turn = asyncio.Lock()

    @property
    def failed(self) -> str | None:
        """Why the journal accepts no more entries, or None."""
        return self.stream.failed

    async def start(self) -> None:
        await self.stream.claim()
        self.journal = await read_journal(self.store)

    @unbroken
    async def do(self, command: a.AnyAdministrativeCommand, by: Who) -> Answer:
        """Decide, write, acknowledge. A retried request returns its original answer."""
        async with self._turn:
            asked = _digest(command) if by.request else b""
            version = self.journal.version
            if (before := await self.stream.answered(by.person, by.request, asked, version)) is not None:
                return before
            try:
                entries = await self.decided(command, by)
            except Refused as refused:
                return Answer(version, refused.refusal)
            try:
                return await self._answered(entries, by, asked, version + len(entries))
            except StoreFailed as failed:
                if failed.why is not Failed.INVARIANT:
                    raise
                return Answer(version, _not_possible(command))

    async def decided(self, command: a.AnyAdministrativeCommand, by: Who) -> tuple[AnyEntry, ...]:
        """The entries that the command would lead to. Nothing is written."""
        check_heard(command, by.post)
        entries = decide(self.journal, command, by, await self._held(command))
        if isinstance(command, a.Deposit | a.Withdraw | a.AdjustWallet | a.AdjustFloat):
            check_size(command.amount, self.money.largest_entry)
        return (self._asking("", msgspec.to_builtins(command), by),) if self._waits(command, by) else entries

    def _waits(self, command: a.AnyAdministrativeCommand, by: Who) -> bool:
        """Whether the command must wait: first for the guest, if a guest may confirm in their own session, then for a
        second person."""
        if needs_guest(command) and by.confirmed is None:
            if Confirmation.SESSION not in self.money.confirmations:
                raise Refused(Reason.GUEST_NOT_CONFIRMED, person=getattr(command, "person", ""))
            return True
        return needs_second(command, self.money.second_over, self.journal, by) and not by.second

    async def before(self, command: a.AnyAdministrativeCommand, by: Who) -> Answer | None:
        """The original answer to this request, if it was answered before."""
        if not by.request:
            return None
        return await self.stream.answered(by.person, by.request, _digest(command), self.journal.version)

    @unbroken
    async def note(self, *entries: AnyEntry) -> None:
        """Enter facts that nobody decides."""
        async with self._turn:
            await self._write(entries)

    @unbroken
    async def note_of(self, entries: Callable[[Journal], Iterable[AnyEntry]]) -> None:
        """Enter what follows from the journal at the moment of writing."""
        async with self._turn:
            if found := tuple(entries(self.journal)):
                await self._write(found)

    @unbroken
    async def ask_second(self, table: str, command: dict[str, Any], by: Who, asked: bytes, version: int) -> Answer:
        """Hold a table command, asked at that version of the table, until somebody else confirms it; `asked` is the
        digest of the request. The same command waits only once, and every request for it has an answer."""
        async with self._turn:
            if (before := await self.stream.answered(by.person, by.request, asked, version)) is not None:
                return before
            for number, waiting in self.journal.waiting.items():
                if (waiting.table, waiting.command, waiting.by.person) == (table, command, by.person):
                    return await self._answered((), by, asked, version, number)
            try:
                asking = self._asking(table, command, by)
            except Refused as refused:
                return Answer(version, refused.refusal)
            return await self._answered((asking,), by, asked, version)

    def _asking(self, table: str, command: dict[str, Any], by: Who) -> b.SecondAsked:
        if sum(one.by.person == by.person for one in self.journal.waiting.values()) >= MOST_WAITING:
            raise Refused(Reason.TOO_MANY_WAITING, most=MOST_WAITING)
        return b.SecondAsked(by=by, number=self.journal.asked + 1, table=table, command=command)

    async def _held(self, command: a.AnyAdministrativeCommand) -> Mapping[str, int]:
        match command:
            case a.Withdraw() | a.AdjustWallet():
                return await self.store.balances([wallet(command.person)])
            case a.CollectDrop():
                return await self.store.balances([drop_of(command.table)])
            case a.Credit() | a.CountFloat():
                return await self.store.balances([float_of(command.table), commission_of(command.table)])
            case a.RetireTable():
                return await self._last_round(command.table)
            case _:
                return {}

    async def _last_round(self, table: str) -> Mapping[str, int]:
        """The last round of a table; nothing if its history cannot be read."""
        with suppress(Damaged, LookupError, msgspec.MsgspecError):
            return {LAST_ROUND: (await load_state(self.store, table))[0].round}
        return {}

    async def _answered(
        self, entries: tuple[AnyEntry, ...], by: Who, asked: bytes, version: int, waits: int | None = None
    ) -> Answer:
        """Write the entries with their answer. If a table answered the request in the meantime, that answer is
        returned."""
        if entries and isinstance(entries[0], b.SecondAsked):
            waits = entries[0].number
        answer = Answer(version, waits=waits)
        kept = [kept_answer(by.person, by.request, asked, answer)] if by.request else []
        try:
            if entries or kept:
                await self._write(entries, kept)
        except StoreFailed as failed:
            if failed.why is Failed.REQUEST_TAKEN:
                before = await self.stream.answered(by.person, by.request, asked, version)
                if before is not None:
                    return before
            raise
        return answer

    async def _write(self, entries: tuple[AnyEntry, ...], kept: Sequence[StoredAnswer] = ()) -> None:
        facts, after = written(self.journal, entries)  # whatever may fail comes before it is durable
        await self.stream.append(self.journal.version, facts, kept)
        self.journal = after
        if self._told is not None:
            for entry in entries:
                self._told(entry)


async def read_journal(store: Store) -> Journal:
    """Read the journal and check that its entries lead to its last hash."""
    journal = Journal()
    async for row in linked(store, b.STREAM):
        try:
            journal = reread(journal, row.kind, row.body)
        except (msgspec.MsgspecError, LookupError) as error:
            raise Damaged(f"{b.STREAM}, version {row.version}: the entry cannot be read: {error}") from None
    return journal


def written(journal: Journal, entries: tuple[AnyEntry, ...]) -> tuple[list[Fact], Journal]:
    """The entries as they are stored, and the journal after them."""
    facts = [Fact(b.kind_of(one), one.by.at, b.encode(one), tuple(moved(one))) for one in entries]
    return facts, reduce(entered, entries, journal)


def _digest(command: a.AnyAdministrativeCommand) -> bytes:
    return sha256(msgspec.json.encode(command)).digest()


def _not_possible(command: a.AnyAdministrativeCommand) -> Refusal:
    """Why the store refused the postings: a table was faster, or the amount is more than an account can hold."""
    if isinstance(command, a.Withdraw | a.AdjustWallet):
        return Refusal(Reason.WALLET_EMPTY, None, {"amount": write_money(abs(command.amount))})
    return Refusal(Reason.AMOUNT_TOO_GREAT, None, {"greatest": write_money(GREATEST_STAKE)})
