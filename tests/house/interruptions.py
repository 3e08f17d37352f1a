"""A house that stops in the middle of a round, and one that is copied while it runs."""

import asyncio
import os
import random
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from puntobanco.house.audit.proof import prove, same
from puntobanco.house.tables.writer import RunningTable, Stopped
from puntobanco.protocol.answers import Answer
from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.money import Cents
from puntobanco.store import codec
from puntobanco.store.restore import restore
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.evolve import replay
from puntobanco.table.setup import InterruptionFinding, Policy, Setup, Source
from puntobanco.table.state import Phase, State
from tests.house.damage import bet, prepared
from tests.house.floor import JOURNAL, TABLE, Clock, fill, history, opened, paid_in, seated, setup_of, sound
from tests.house.kills import die, forked
from tests.house.traffic import dealer_of, oracle

CARDS = list(read_cards("2 2 3 3 5 A"))
"""A round of six cards that offers no insurance."""
BETTING = -1
STAKES = {"ann": ("player", 100_00), "bob": ("banker", 200_00), "cat": ("tie", 300_00)}
PURSE = 100_000_00


class Finding(StrEnum):
    AFFECTS = "affects"
    DOES_NOT_AFFECT = "does_not_affect"
    AUTOMATIC = "automatic"


class Case(NamedTuple):
    key: str
    layout: str | None
    cards: int
    """So many are dealt when the house stops; `BETTING` before the close."""
    finding: Finding
    kill: bool

    @property
    def setup(self) -> Setup:
        automatic = self.finding is Finding.AUTOMATIC
        finding = InterruptionFinding.AUTOMATIC if automatic else InterruptionFinding.PIT_SUPERVISOR
        return setup_of(self.key, self.layout, policy=Policy(interruption_finding=finding))


CASES = [
    Case(key, layout.key if layout else None, cards, finding, kill=(cards + nth) % 2 == 0)
    for key in library.GAMES
    for nth, layout in enumerate(library.game(key).layouts or (None,))
    for cards in range(BETTING, 7)
    for finding in Finding
]


async def told(table: RunningTable, command: c.Command, person: str = "dora", role: Role | None = None) -> None:
    answer = await table.send(command, person, role or dealer_of(table))
    assert answer.refusal is None, answer.refusal


async def close(table: RunningTable, clock: Clock) -> None:
    if table.felt.close_is_displayed:
        await told(table, c.AnnounceClose(round=1))
        clock.now += 1_000
    await told(table, c.CloseBetting(round=1))


async def deal(table: RunningTable, until: int) -> None:
    for index in range(len(table.state.drawn) + 1, until + 1):
        await told(table, c.DrawCard(round=1, index=index, card=CARDS[index - 1]))


def interrupted(folder: Path, case: Case) -> None:
    place = folder / f"{'-'.join(map(str, case))}.db"

    async def before(pipe: int) -> None:
        async with opened(place) as store:
            clock = Clock()
            table = RunningTable(TABLE, library.game(case.key), case.setup, store, clock)
            await table.start()
            await fill(store, STAKES)
            await told(table, c.OpenTable(setup=case.setup), "max", Role.PIT_MANAGER)
            for person in STAKES:
                await told(table, c.BuyIn(person=person, amount=PURSE), person, Role.PLAYER)
            await told(table, c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD))
            await told(table, c.OpenBetting())
            for person, (name, amount) in STAKES.items():
                line = c.Line(bet=name, amount=amount, box=0 if table.game.terminal else 1)
                await told(table, c.PlaceBets(round=1, lines=(line,)), person, Role.PLAYER)
            if case.cards >= 0:
                await close(table, clock)
                await deal(table, case.cards)
            os.write(pipe, table.state.phase.encode())
            if case.kill:
                die()
            await table.stop()

    status, said = forked(before)
    assert os.WIFSIGNALED(status) == case.kill, case
    asyncio.run(_after(place, case, Phase(said.decode())))
    for path in folder.glob(f"{place.name}*"):
        path.unlink()


async def _after(place: Path, case: Case, phase: Phase) -> None:
    """What the document says of it, and every cent where it belongs."""
    clock = Clock()
    clock.now += 60_000
    rules = library.game(case.key).irregularities.interruption
    void = rules is not None and case.finding is not Finding.DOES_NOT_AFFECT and case.cards < 3
    async with opened(place) as store:
        async with seated(store, case.setup, clock) as table:
            if rules is not None and case.finding is not Finding.AUTOMATIC:
                assert table.state.phase is Phase.SUSPENDED, case
                assert table.state.in_play == sum(amount for _, amount in STAKES.values())
                assert table.state.question is not None
                choice = c.Choice(case.finding.value)
                rule = c.Rule(question=table.state.question.number, choice=choice, reason="found so")
                await told(table, rule, "sue", Role.PIT_SUPERVISOR)
            rows = [codec.decode(row.kind, row.body) async for row in store.read(TABLE)]
            cited = [one.rule.paragraph for one in rows if isinstance(one, e.RoundVoided | e.FaultClosed) and one.rule]
            if void:
                assert rules is not None
                assert table.state.phase is Phase.VOIDED, case
                assert cited == [rules.not_established]
                owed = dict.fromkeys(STAKES, PURSE)
            else:
                assert table.state.phase is phase, case
                if rules is not None and case.finding is not Finding.DOES_NOT_AFFECT:
                    assert cited == [rules.established]
                if case.cards == BETTING:
                    await close(table, clock)
                await deal(table, len(CARDS))
                await told(table, c.Settle(round=1))
                for box in table.state.unpaid:
                    await told(table, c.ConfirmBox(round=1, box=box))
                owed = {
                    person: int(PURSE + amount * oracle(case.key, name, CARDS))
                    for person, (name, amount) in STAKES.items()
                }
            assert table.state.purses == owed, case
            held = await store.balances([f"purse:{TABLE}:{person}" for person in STAKES])
            assert sorted(held.values()) == sorted(owed.values())
            assert await history(store) == table.state
        await sound(store)


async def twice(place: Path) -> None:
    """The house reported the pause, and stopped again before it could end it."""
    setup = setup_of("super-six", differential=Cents(10**12))

    class Halted(RunningTable):
        async def send(self, command: c.Command, person: str, role: Role, *more: Any, **named: Any) -> Answer:
            if isinstance(command, c.Rule):
                raise Stopped("killed in between")
            return await super().send(command, person, role, *more, **named)

    async with opened(place) as store:
        async with seated(store, setup) as table:
            await prepared(store, table)
            await bet(table, 1)
        halted = Halted(TABLE, library.game(setup.game), setup, store, Clock())
        with pytest.raises(Stopped):
            await halted.start()
        assert halted.state.phase is Phase.SUSPENDED
        await halted.stop()
        async with seated(store, setup) as table:
            assert table.state.phase is Phase.BETTING
            await bet(table, 2)
        await sound(store)


# ---- copies ------------------------------------------------------------------------------------------------------


def digest(state: State) -> str:
    return sha256(codec.encode_state(state)).hexdigest()


def copied(folder: Path, copies: int, seed: int) -> list[int]:
    """Copies made while bets come in, each restored: the state is that of its version. Returns the versions."""
    rng = random.Random(seed)
    setup = setup_of("super-six", differential=Cents(10**12))

    async def whole() -> list[e.AnyEvent]:
        async with opened(folder / "house.db") as store, seated(store, setup) as table:
            await prepared(store, table)
            done = asyncio.Event()

            async def feed() -> None:
                number = 0
                while not done.is_set():
                    await asyncio.gather(*(bet(table, number + nth) for nth in range(5)))
                    number += 5

            feeding = asyncio.ensure_future(feed())
            for nth in range(copies):
                await asyncio.sleep(rng.random() * 0.01)
                await store.backup(folder / f"copy{nth}.db")
            done.set()
            await feeding
            return [codec.decode(row.kind, row.body) async for row in store.read(TABLE)]

    async def again(place: Path) -> int:
        async with opened(place) as store:
            await sound(store)
            found, _ = await store.head(TABLE)
            restored, was = await history(store), replay(events[:found])
            assert same(restored, was)
            assert digest(restored) == digest(was)
            async with seated(store, setup) as table:
                await bet(table, 10**6)
            return found

    events, versions = asyncio.run(whole()), list[int]()
    for nth in range(copies):
        proof = asyncio.run(
            restore(folder / f"copy{nth}.db", folder / f"again{nth}.db", lambda store: prove(store, {JOURNAL: paid_in}))
        )
        assert proof.fault is None
        versions.append(asyncio.run(again(folder / f"again{nth}.db")))
        for path in (*folder.glob(f"copy{nth}.db*"), *folder.glob(f"again{nth}.db*")):
            path.unlink()
    return versions
