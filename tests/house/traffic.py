"""Requests that come twice, late, in another order or at the last moment, and money that must add up to the cent."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from puntobanco.house.tables.writer import RunningTable
from puntobanco.protocol.answers import Answer
from puntobanco.rules import library
from puntobanco.rules.cards import Card, Rank
from puntobanco.rules.coup import Coup
from puntobanco.rules.money import Cents
from puntobanco.rules.refusal import Reason
from puntobanco.store import codec
from puntobanco.store.base import Store
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.setup import Setup, Source, Timing
from tests.house.floor import TABLE, Clock, fill, history, opened, seated, setup_of, sound
from tests.table.pit import AT_ONCE

Progress = Callable[[int], None]
PURSE = 10**12
WIDE: dict[str, Any] = {"differential": Cents(10**15), "minimum": Cents(100)}


def quiet(_: int) -> None:
    return


async def ready(store: Store, table: RunningTable, people: list[str], setup: Setup) -> None:
    await fill(store, people)
    assert (await table.send(c.OpenTable(setup=setup), "max", Role.PIT_MANAGER)).refusal is None
    for person in people:
        bought = await table.send(c.BuyIn(person=person, amount=PURSE), person, Role.PLAYER)
        assert bought.refusal is None


def dealer_of(table: RunningTable) -> Role:
    return Role.SYSTEM if table.game.terminal else Role.DEALER


async def shoe(table: RunningTable, number: int) -> None:
    load = c.LoadShoe(
        shoe=f"shoe {number}", decks=8, shuffled=True, source=Source.KEYBOARD, reason="the one before is finished"
    )
    answer = await table.send(load, "dora", dealer_of(table))
    assert answer.refusal is None, answer.refusal


# ---- requests that come again ------------------------------------------------------------------------------------


def repeated(folder: Path, requests: int, seed: int, told: Progress = quiet) -> Counter[str]:
    """Each request is sent one to five times, out of order; a tenth of the replies is lost, so the sender asks again,
    also after restarts. Now and then somebody uses a number again for something else."""
    rng, people = random.Random(seed), [f"p{nth}" for nth in range(400)]
    setup = setup_of("super-six", **WIDE)
    given: dict[int, Answer] = {}
    counts: Counter[str] = Counter()

    def slip(number: int, more: int = 0) -> tuple[c.PlaceBets, str]:
        """Every amount differs, so that every request has an effect, in whatever order they come."""
        line = c.Line(bet="tie", amount=100 * (number + 1) + more, box=1)
        return c.PlaceBets(round=1, lines=(line,)), people[number % len(people)]

    async def send(table: RunningTable, number: int) -> None:
        command, person = slip(number)
        answer = await table.send(command, person, Role.PLAYER, f"{number}")
        assert answer.refusal is None, answer.refusal
        if rng.random() < 0.1:
            counts["replies lost"] += 1
            return
        assert given.setdefault(number, answer) == answer, "one request, one answer"

    async def misuse(table: RunningTable, number: int) -> None:
        command, person = slip(number, more=10**9)
        answer = await table.send(command, person, Role.PLAYER, f"{number}")
        assert answer.refusal is not None
        assert answer.refusal.reason is Reason.REQUEST_REUSED
        counts["refused as used"] += 1

    async def life(first: int, last: int, again: list[int]) -> None:
        async with opened(folder / "house.db") as store, seated(store, setup) as table:
            if first == 0:
                await ready(store, table, people, setup)
                await shoe(table, 1)
                await table.send(c.OpenBetting(), "dora", Role.DEALER)
            sends = [number for number in range(first, last) for _ in range(rng.randint(1, 5))] + again
            sends.sort(key=lambda number: number + rng.randint(0, 300))
            counts["sent"] += len(sends)
            for start in range(0, len(sends), 500):
                await asyncio.gather(*(send(table, number) for number in sends[start : start + 500]))
                settled = [number for number in sends[start : start + 500] if number in given]
                await asyncio.gather(*(misuse(table, number) for number in settled[:: max(1, len(settled) // 5)]))

    each = max(1, requests // 10)
    for first in range(0, requests, each):
        last = min(first + each, requests)
        lost = [number for number in range(first) if number not in given]
        asyncio.run(life(first, last, lost + rng.choices(range(max(1, first)), k=20 if first else 0)))
        told(last)
    counts.update(asyncio.run(_effects(folder / "house.db", requests)))
    return counts


async def _effects(place: Path, requests: int) -> dict[str, int]:
    async with opened(place) as store:
        await sound(store)
        rows = [codec.decode(row.kind, row.body) async for row in store.read(TABLE)]
        effects = Counter(event.by.request for event in rows if isinstance(event, e.BetsPlaced))
        assert effects == Counter(f"{number}" for number in range(requests)), "each exactly once"
        return {"effects": sum(effects.values())}


# ---- the moment of the close -------------------------------------------------------------------------------------


def closes(folder: Path, rounds: int, seed: int, told: Progress = quiet) -> Counter[str]:
    """Sixty-four terminals bet while the table closes, in whatever order the moment brings."""
    rng, people = random.Random(seed), [f"p{nth}" for nth in range(64)]
    setup, clock, counts = setup_of("super-six", **WIDE), Clock(), Counter[str]()

    async def bet(table: RunningTable, person: str, number: int) -> tuple[str, Answer]:
        for _ in range(rng.randint(0, 3)):
            await asyncio.sleep(0)
        line = c.Line(bet=rng.choice(["player", "banker", "tie"]), amount=100 * rng.randint(1, 50), box=1)
        slip = c.PlaceBets(round=number, lines=(line,))
        return person, await table.send(slip, person, Role.PLAYER, f"{number}")

    async def close(table: RunningTable, number: int) -> Answer:
        for _ in range(rng.randint(0, 5)):
            await asyncio.sleep(0)
        return await table.send(c.CloseBetting(round=number, over_excess=True), "dora", Role.DEALER)

    async def whole() -> None:
        async with opened(folder / "house.db") as store, seated(store, setup, clock) as table:
            await ready(store, table, people, setup)
            for number in range(1, rounds + 1):
                if table.state.shoe is None or table.state.shoe.finished:
                    await shoe(table, number)
                assert (await table.send(c.OpenBetting(), "dora", Role.DEALER)).refusal is None
                work = [bet(table, person, number) for person in rng.sample(people, len(people))]
                shut = asyncio.ensure_future(close(table, number))
                answers = await asyncio.gather(*work)
                closed = await shut
                assert closed.refusal is None
                for person, answer in answers:
                    if answer.refusal is None:
                        assert answer.version < closed.version, "accepted before the close"
                        counts["accepted"] += 1
                    else:
                        assert answer.refusal.reason is Reason.BETS_LATE
                        assert not table.state.stakes_of(person)
                        counts["too late"] += 1
                await _dealt(table, number, _cards(rng))
                told(number)
            assert await history(store) == table.state
            await sound(store)

    asyncio.run(whole())
    return counts


def _cards(rng: random.Random) -> list[Card]:
    coup, cards = Coup(), list[Card]()
    while not coup.is_complete:
        cards.append(Card(rng.choice(list(Rank)), None))
        coup = coup.draw(cards[-1])
    return cards


async def _dealt(table: RunningTable, number: int, cards: list[Card]) -> None:
    """All in one breath; where a window of insurance opens between two cards, the rest is refused and dealt later."""
    dealer = dealer_of(table)
    steps: list[c.Command] = [
        c.DrawCard(round=number, index=index, card=card) for index, card in enumerate(cards, start=1)
    ]
    settle = c.Settle(round=number)
    *_, settled = await asyncio.gather(*(table.send(step, "dora", dealer) for step in (*steps, settle)))
    if settled.refusal is not None:
        await _insured(table, number, cards)
        await _accepted(table, settle)
    for box in table.state.unpaid:
        await _accepted(table, c.ConfirmBox(round=number, box=box))


async def _accepted(table: RunningTable, command: c.Command) -> None:
    answer = await table.send(command, "dora", dealer_of(table))
    assert answer.refusal is None, answer.refusal


async def _insured(table: RunningTable, number: int, cards: list[Card]) -> None:
    """A window of insurance opened between two cards: nobody takes any, and the rest is dealt."""
    while len(table.state.drawn) < len(cards) or table.state.window is not None:
        if table.state.window is not None:
            shut = c.CloseInsurance(round=number, window=table.state.window.window)
            assert (await table.send(shut, "dora", Role.DEALER)).refusal is None
            continue
        index = len(table.state.drawn) + 1
        draw = c.DrawCard(round=number, index=index, card=cards[index - 1])
        assert (await table.send(draw, "dora", Role.DEALER)).refusal is None


# ---- to the cent -------------------------------------------------------------------------------------------------

HALF = {"non-commission-etg": {6}, "super-six": {6}, "wu-song": {6, 7}}
"""With which points a winning Banker pays half, where there is no commission; elsewhere 19 to 20."""


def oracle(key: str, bet: str, cards: list[Card]) -> Fraction:
    """What one cent on this bet wins or loses: written from the documents, apart from the program."""
    values = [min(card.rank.value, 10) % 10 for card in cards]
    player, banker = [values[0], values[2]], [values[1], values[3]]
    rest = values[4:]
    if max(sum(player) % 10, sum(banker) % 10) < 8:
        drew = sum(player) % 10 <= 5
        player += rest[:1] if drew else []
        banker += rest[1:] if drew else rest
    ours, theirs = sum(player) % 10, sum(banker) % 10
    if bet == "tie":
        return Fraction(-1 if ours != theirs else 10 if key == "wu-song" and ours in (6, 7) else 8)
    if ours == theirs:
        return Fraction(0)
    if bet == "player":
        return Fraction(-1 if theirs > ours else 1) / (2 if key == "wu-song" and ours == 7 and ours > theirs else 1)
    if theirs < ours:
        return Fraction(-1)
    if key in HALF:
        return Fraction(1, 2 if theirs in HALF[key] else 1)
    return Fraction(19, 20)


def conserved(folder: Path, rounds: int, seed: int, told: Progress = quiet) -> int:
    """Random rounds of every game, through the store; every purse is what the oracle says. Returns what was staked."""
    rng, staked, done = random.Random(seed), 0, 0
    for nth, key in enumerate(library.GAMES):
        many = rounds // len(library.GAMES)
        staked += asyncio.run(_conserved(folder / f"{nth}.db", key, many, rng, lambda now, done=done: told(done + now)))  # type: ignore[misc]
        done += many
    return staked


async def _conserved(place: Path, key: str, rounds: int, rng: random.Random, told: Progress) -> int:
    people = ["ann", "bob", "cat"]
    setup = setup_of(key, timing=Timing(drain=0), **WIDE)
    owed, staked = dict.fromkeys(people, Fraction(PURSE)), 0
    async with opened(place) as store, seated(store, setup) as table:
        await ready(store, table, people, setup)
        for number in range(1, rounds + 1):
            if table.state.shoe is None or table.state.shoe.finished:
                await shoe(table, number)
            bets = [(person, rng.choice(["player", "banker", "tie"]), 100 * rng.randint(1, 999)) for person in people]
            cards, void = _cards(rng), rng.random() < 0.02
            steps: list[c.Command] = [c.AnnounceClose(round=number)] if table.felt.close_is_displayed else []
            steps.append(c.CloseBetting(round=number, over_excess=True))
            await asyncio.gather(
                _accepted(table, c.OpenBetting()),
                *(_stake(table, number, *one) for one in bets),
                *(_accepted(table, step) for step in steps),
            )
            await (_voided(table, number) if void else _dealt(table, number, cards))
            staked += sum(amount for *_, amount in bets)
            for person, bet, amount in bets:
                owed[person] += 0 if void else amount * oracle(key, bet, cards)
            if number % 500 == 0:
                told(number)
        assert (await table.send(AT_ONCE, "max", Role.PIT_MANAGER)).refusal is None
        held = await store.balances([f"purse:{TABLE}:{person}" for person in people])
        assert {person: held[f"purse:{TABLE}:{person}"] for person in people} == owed, "to the cent"
        assert sum((await store.balances()).values()) == 0
        assert await store.in_play(TABLE) == 0
        await sound(store)
    return staked


async def _stake(table: RunningTable, number: int, person: str, bet: str, amount: int) -> None:
    line = c.Line(bet=bet, amount=amount, box=0 if table.game.terminal else 1)
    answer = await table.send(c.PlaceBets(round=number, lines=(line,)), person, Role.PLAYER, f"{number}")
    assert answer.refusal is None, answer.refusal


async def _voided(table: RunningTable, number: int) -> None:
    """The cards are found unshuffled before one is dealt; everything goes back."""
    report = c.Report(round=number, fault=c.Fault.UNSHUFFLED)
    await table.send(report, "sue", Role.PIT_SUPERVISOR)
    while table.state.question is not None:
        rule = c.Rule(question=table.state.question.number, choice=c.Choice.VOID, reason="seen")
        answer = await table.send(rule, "tom", Role.SHIFT_MANAGER)
        assert answer.refusal is None, answer.refusal
    assert not table.state.in_round
    await shoe(table, number)
