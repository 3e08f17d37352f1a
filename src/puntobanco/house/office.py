"""The office: the one writer of the book. Each errand is in the book before it is acknowledged."""

import asyncio
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from puntobanco.house import book as b
from puntobanco.house.accounts import float_of, wallet
from puntobanco.house.book import AnyEntry, Book, Who
from puntobanco.house.errands import (
    SECONDED_BY,
    AdjustWallet,
    AnyOfficeCommand,
    CountFloat,
    Withdraw,
    check_heard,
    decide,
)
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.records import Answer, Append, Fact, Failed, Store, StoreFailed
from puntobanco.table.decide import Refusal


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
            self.book = b.entered(self.book, b.decode(row.body))

    async def do(self, command: AnyOfficeCommand, by: Who) -> Done:
        """Decide, write, acknowledge; the same request is answered once."""
        async with self._turn:
            asked = sha256(msgspec.json.encode(command)).digest()
            if by.request and (before := await self._before(by, asked)) is not None:
                return before
            try:
                check_heard(command, by.post)
                held = await self._held(command)
                entries = decide(self.book, command, by, held)
                if type(command) in SECONDED_BY and not by.second:
                    entries = (self.asks_second("", msgspec.to_builtins(command), by),)
            except Refused as refused:
                return Done(self.book.version, Refusal.of(refused))
            waits = entries[0].number if isinstance(entries[0], b.SecondAsked) else None
            done = Done(self.book.version + len(entries), waits=waits)
            kept = Answer(by.person, by.request, asked, msgspec.json.encode(done)) if by.request else None
            await self._write(entries, kept)
            return done

    async def note(self, *entries: AnyEntry) -> None:
        """Enter what simply happened."""
        async with self._turn:
            await self._write(entries)

    async def ask_second(self, table: str, command: dict[str, Any], by: Who) -> int:
        async with self._turn:
            entry = self.asks_second(table, command, by)
            await self._write((entry,))
            return entry.number

    def asks_second(self, table: str, command: dict[str, Any], by: Who) -> b.SecondAsked:
        return b.SecondAsked(by=by, number=self.book.asked + 1, table=table, command=command)

    async def _held(self, command: AnyOfficeCommand) -> Mapping[str, int]:
        match command:
            case Withdraw() | AdjustWallet():
                return await self.store.balances([wallet(command.person)])
            case CountFloat():
                return await self.store.balances([float_of(command.table)])
            case _:
                return {}

    async def _before(self, by: Who, asked: bytes) -> Done | None:
        kept = await self.store.answered(by.person, by.request)
        if kept is None:
            return None
        if kept.asked != asked:
            return Done(self.book.version, Refusal(Reason.REQUEST_REUSED, None, {"request": by.request}))
        return msgspec.json.decode(kept.answer, type=Done)

    async def _write(self, entries: tuple[AnyEntry, ...], kept: Answer | None = None) -> None:
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
            if failed.why is not Failed.INVARIANT:
                self.failed = str(failed)
            raise
        for entry in entries:
            self.book = b.entered(self.book, entry)
            if self._told is not None:
                self._told(entry)
