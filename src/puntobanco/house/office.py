"""The office: the one writer of the book. Each errand is in the book before it is acknowledged."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from functools import wraps
from hashlib import sha256
from typing import Any, ParamSpec, TypeVar

import msgspec

from puntobanco.house import book as b
from puntobanco.house.accounts import commission_of, float_of, wallet
from puntobanco.house.book import AnyEntry, Book, Who
from puntobanco.house.errands import (
    SECONDED_BY,
    AdjustWallet,
    AnyOfficeCommand,
    CountFloat,
    Credit,
    Withdraw,
    check_heard,
    decide,
)
from puntobanco.rules.money import GREATEST_STAKE, show_money
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.records import Answer, Append, Fact, Failed, Store, StoreFailed
from puntobanco.table.decide import Refusal

Given = ParamSpec("Given")
Result = TypeVar("Result")


def unbroken(work: Callable[Given, Coroutine[Any, Any, Result]]) -> Callable[Given, Coroutine[Any, Any, Result]]:
    """What has begun is finished, even if whoever asked has gone meanwhile: what is durable must be known here too."""

    @wraps(work)
    async def whole(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        return await asyncio.shield(asyncio.ensure_future(work(*args, **kwargs)))

    return whole


class Done(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a sender is told: where in the book it stands, that it waits for a second person, or why not."""

    version: int
    refusal: Refusal | None = None
    waits: int | None = None


class Office:
    """One command after the other; each is in the book before it is acknowledged."""

    def __init__(self, store: Store, entered: Callable[[AnyEntry], None] | None = None) -> None:
        self.store, self._told = store, entered
        self.book = Book()
        self.failed: str | None = None
        self._epoch = 0
        self._turn = asyncio.Lock()

    async def start(self) -> None:
        self._epoch = await self.store.claim(b.STREAM)
        self.book = Book()
        async for row in self.store.read(b.STREAM):
            self.book = b.reread(self.book, row.kind, row.body)

    @unbroken
    async def do(self, command: AnyOfficeCommand, by: Who) -> Done:
        """Decide, write, acknowledge; the same request is answered once."""
        async with self._turn:
            asked = _digest(command) if by.request else b""
            if (before := await self._before(by, asked)) is not None:
                return before
            try:
                check_heard(command, by.post)
                entries = decide(self.book, command, by, await self._held(command))
                if type(command) in SECONDED_BY and not by.second:
                    entries = (self._asking("", msgspec.to_builtins(command), by),)
            except Refused as refused:
                return Done(self.book.version, Refusal.of(refused))
            try:
                return await self._answered(entries, by, asked)
            except StoreFailed as failed:
                if failed.why is not Failed.INVARIANT:
                    raise
                return Done(self.book.version, _not_possible(command))

    async def before(self, command: AnyOfficeCommand, by: Who) -> Done | None:
        """How this request was answered already, if it was."""
        return await self._before(by, _digest(command)) if by.request else None

    @unbroken
    async def note(self, *entries: AnyEntry) -> None:
        """Enter what simply happened."""
        async with self._turn:
            await self._write(entries)

    @unbroken
    async def ask_second(self, table: str, command: dict[str, Any], by: Who, asked: bytes) -> Done:
        """Hold what was asked at a table until somebody else confirms it; `asked` is the digest of the request."""
        async with self._turn:
            before = await self._before(by, asked)
            return before or await self._answered((self._asking(table, command, by),), by, asked)

    def _asking(self, table: str, command: dict[str, Any], by: Who) -> b.SecondAsked:
        return b.SecondAsked(by=by, number=self.book.asked + 1, table=table, command=command)

    async def _held(self, command: AnyOfficeCommand) -> Mapping[str, int]:
        match command:
            case Withdraw() | AdjustWallet():
                return await self.store.balances([wallet(command.person)])
            case Credit() | CountFloat():
                return await self.store.balances([float_of(command.table), commission_of(command.table)])
            case _:
                return {}

    async def _before(self, by: Who, asked: bytes) -> Done | None:
        kept = await self.store.answered(by.person, by.request) if by.request else None
        if kept is None:
            return None
        if kept.asked != asked:
            return Done(self.book.version, Refusal(Reason.REQUEST_REUSED, None, {"request": by.request}))
        return msgspec.json.decode(kept.answer, type=Done)

    async def _answered(self, entries: tuple[AnyEntry, ...], by: Who, asked: bytes) -> Done:
        """Write the entries with their answer; a request that was taken at a table meanwhile is no fault of ours."""
        waits = entries[0].number if isinstance(entries[0], b.SecondAsked) else None
        done = Done(self.book.version + len(entries), waits=waits)
        kept = Answer(by.person, by.request, asked, msgspec.json.encode(done)) if by.request else None
        try:
            await self._write(entries, kept)
        except StoreFailed as failed:
            if failed.why is Failed.REQUEST_TAKEN and (before := await self._before(by, asked)) is not None:
                return before
            raise
        return done

    def give_up(self, why: str) -> None:
        """Nothing more is entered."""
        self.failed = self.failed or why

    async def _write(self, entries: tuple[AnyEntry, ...], kept: Answer | None = None) -> None:
        if self.failed is not None:
            raise StoreFailed(Failed.STORAGE, self.failed)
        facts = [Fact(b.kind_of(one), one.by.at, b.encode(one), tuple(b.moved(one))) for one in entries]
        try:
            await self.store.append(
                Append(
                    stream=b.STREAM,
                    expected=self.book.version,
                    epoch=self._epoch,
                    facts=facts,
                    answers=[kept] if kept else [],
                )
            )
        except StoreFailed as failed:
            if failed.why not in (Failed.INVARIANT, Failed.REQUEST_TAKEN):
                self.give_up(str(failed))
            raise
        for entry in entries:
            self.book = b.entered(self.book, entry)
            if self._told is not None:
                self._told(entry)


def _digest(command: AnyOfficeCommand) -> bytes:
    return sha256(msgspec.json.encode(command)).digest()


def _not_possible(command: AnyOfficeCommand) -> Refusal:
    """Why the accounts could not take it: a table was quicker, or more was asked than any account can hold."""
    if isinstance(command, Withdraw | AdjustWallet):
        return Refusal(Reason.WALLET_EMPTY, None, {"amount": show_money(abs(command.amount))})
    return Refusal(Reason.AMOUNT_TOO_GREAT, None, {"greatest": show_money(GREATEST_STAKE)})
