"""How many events a second `house verify` proves on one core, beside the mere reading and hashing of the same rows.

The history is that of five busy tables, one of each game: slips mostly of one line, raises and withdrawals, random
cards, insurance, choices after a tie, a dealing error or an interruption now and then. `python -m benchmarks.verify
[EVENTS] [--profile]`.
"""

import asyncio
import cProfile
import pstats
import random
import sys
import tempfile
import time
from pathlib import Path

from puntobanco.house.audit.proof import prove_house
from puntobanco.house.journal.journal import moved
from puntobanco.house.operations.garbage_collection import freeze
from puntobanco.protocol import entries as b
from puntobanco.protocol.account_names import house_transfers
from puntobanco.protocol.posts import HOUSE, Post
from puntobanco.rules import library
from puntobanco.rules.cards import Card, Rank, Suit
from puntobanco.rules.money import Cents
from puntobanco.store import codec
from puntobanco.store.base import Store
from puntobanco.store.records import GENESIS, Append, Fact, chained
from puntobanco.store.sqlite import SqliteStore
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.decide import Accepted, decide
from puntobanco.table.events import AnyEvent
from puntobanco.table.felt import Felt
from puntobanco.table.setup import Setup, Source
from puntobanco.table.state import Phase, State

EVENTS, REPEATS = 300_000, 5
GUESTS = tuple(f"p{nth}" for nth in range(40))
LEAST, AIM = 30_000, 100_000
START = 1_900_000_000_000
STAKES = (50_00, 100_00, 200_00, 500_00)
LINES = (1, 1, 1, 1, 2, 3)
"""How many lines a slip has: at a terminal a chip that is put down is a line."""
TROUBLE = 0.03
"""The share of rounds in which something goes wrong."""


class Busy:
    """A table with everyone at it, and what happens there."""

    def __init__(self, key: str, seed: int) -> None:
        self.game = library.game(key)
        layout = self.game.layouts[0] if self.game.layouts else None
        self.setup = Setup(
            game=key, fingerprint=self.game.fingerprint, layout=layout.key if layout else None,
            boxes=layout.most_boxes if layout else 0, decks=8, minimum=Cents(50_00), differential=Cents(1_000_000_00),
        )  # fmt: skip
        self.felt, self.state, self.events = Felt.of(self.game, self.setup), State(), list[AnyEvent]()
        self.rng, self.now, self.requests = random.Random(seed), START, 0
        self.dealer = Role.SYSTEM if self.game.terminal else Role.DEALER
        self.bets = [bet.key for bet in self.felt.bets.values() if bet.insures is None]
        self.cards: list[Card] = []
        self.tell(c.OpenTable(setup=self.setup), Role.PIT_MANAGER)
        for name in GUESTS:
            self.tell(c.BuyIn(person=name, amount=10**10), Role.PLAYER, name)

    def tell(self, command: c.Command, role: Role, person: str = "") -> bool:
        self.now += self.rng.randrange(1, 80)
        self.requests += 1
        by = By(person or f"the {role}", role, self.now, f"request-{self.requests}")
        answer = decide(self.felt, self.state, command, by)
        if not isinstance(answer, Accepted):
            return False
        assert answer.state is not None
        self.state = answer.state
        self.events += answer.events
        return True

    def play(self, events: int) -> None:
        while len(self.events) < events:
            self.round()

    def round(self) -> None:
        if self.state.shoe is None or self.state.shoe.finished or not self.state.shoe.in_service:
            self.cards = [Card(rank, suit) for rank in Rank for suit in Suit] * 8
            self.rng.shuffle(self.cards)
            self.tell(c.LoadShoe(shoe="next", decks=8, shuffled=True, source=Source.KEYBOARD), self.dealer)
        assert self.tell(c.OpenBetting(acknowledge=True), self.dealer)
        for nth, name in enumerate(GUESTS):
            for _ in range(self.rng.randrange(1, 4)):
                self.tell(c.PlaceBets(round=self.state.round, lines=self.lines(nth)), Role.PLAYER, name)
        if self.game.terminal:
            self.tell(c.AnnounceClose(round=self.state.round), self.dealer)
            self.now += 1_000
        assert self.tell(c.CloseBetting(round=self.state.round, over_excess=True), self.dealer)
        trouble = self.rng.randrange(1, 5) if self.rng.random() < TROUBLE else 0
        while self.state.in_round:
            if trouble and len(self.state.drawn) == trouble and self.state.phase is Phase.DEALING:
                trouble = 0
                fault = self.rng.choice([Fault.TECHNICAL, Fault.OTHER_DEALING_ERROR, Fault.UNPROVIDED])
                assert self.tell(c.Report(round=self.state.round, fault=fault), Role.DEALER)
            self.step()
        for stake in list(self.state.held.values()):
            if self.rng.random() < 0.5:
                choice = c.ChooseAfterTie(round=self.state.round, bet=stake.bet, leave=True, box=stake.box)
                self.tell(choice, Role.PLAYER, stake.owner)

    def lines(self, nth: int) -> tuple[c.Line, ...]:
        box = 0 if self.game.terminal else 1 + nth % self.setup.boxes
        return tuple(
            c.Line(bet=bet, amount=self.rng.choice(STAKES) if self.rng.random() < 0.95 else 0, box=box)
            for bet in self.rng.sample(self.bets, self.rng.choice(LINES))
        )

    def step(self) -> None:
        state = self.state
        match state.phase:
            case Phase.DEALING:
                draw = c.DrawCard(round=state.round, index=len(state.drawn) + 1, card=self.cards.pop())
                assert self.tell(draw, self.dealer)
            case Phase.INSURANCE:
                assert state.window is not None
                window = state.window.window
                for offer in state.window.offers:
                    insure = c.Insure(round=state.round, window=window, amount=offer.most // 200 * 100, box=offer.box)
                    self.tell(insure, Role.PLAYER, offer.owner)
                assert self.tell(c.CloseInsurance(round=state.round, window=window), self.dealer)
            case Phase.RESULT:
                assert self.tell(c.Settle(round=state.round), self.dealer)
            case Phase.PAYING:
                assert self.tell(c.ConfirmBox(round=state.round, box=state.unpaid[0]), self.dealer)
            case Phase.OPTIONS:
                assert state.options is not None
                for person in state.options.people:
                    election = self.rng.choice(list(Election))
                    self.tell(c.Elect(question=state.options.question, election=election), Role.PLAYER, person)
                assert self.tell(c.CloseOptions(question=state.options.question), Role.DEALER)
            case _:
                assert state.question is not None
                going_on = (Choice.DOES_NOT_AFFECT, Choice.RECONSTRUCT, Choice.CONTINUE)
                choice = next(one for one in going_on if one in state.question.choices)
                rule = c.Rule(question=state.question.number, choice=choice, reason="seen on the camera")
                assert self.tell(rule, Role.SHIFT_MANAGER)


# ---- the store ---------------------------------------------------------------------------------------------------


async def append(store: Store, stream: str, facts: list[Fact], in_play: int) -> None:
    epoch = await store.claim(stream)
    await store.append(Append(stream=stream, expected=0, epoch=epoch, facts=facts, in_play=in_play))


async def filled(store: Store, events: int) -> int:
    """How many events there are: the tables', and the money everybody begins with."""
    itself, cashier = b.Who("house", None, START), b.Who("cash", Post.CASHIER, START)
    entries: list[b.AnyEntry] = []
    for name, post in (("root", Post.ADMINISTRATOR), ("cash", Post.CASHIER), *((name, Post.PLAYER) for name in GUESTS)):
        entries.append(b.PersonAdmitted(by=itself, person=name, title=name))
        entries.append(b.RoleGiven(by=itself, person=name, post=post, scope=HOUSE))
    for key in library.GAMES:
        entries.append(b.TableAdded(by=itself, table=key, game=key, fingerprint=library.game(key).fingerprint))
    entries += [b.Deposited(by=cashier, person=name, amount=10**12) for name in GUESTS]
    facts = [Fact(b.kind_of(one), START, b.encode(one), tuple(moved(one))) for one in entries]
    await append(store, b.STREAM, facts, 0)
    many = len(facts)
    for nth, key in enumerate(library.GAMES):
        table = Busy(key, nth)
        table.play(events // len(library.GAMES))
        await store.keep_game(table.game.fingerprint, table.game.canonical())
        facts = [
            Fact(codec.kind_of(one), one.by.at, codec.encode(one), house_transfers(key, one)) for one in table.events
        ]
        await append(store, key, facts, table.state.in_play)
        many += len(facts)
    return many


async def hashed(store: SqliteStore) -> None:
    """What nobody can do without: every row read, and its hash."""
    for stream in await store.streams():
        head = GENESIS
        async for row in store.read(stream):
            head = chained(head, row.kind, row.at, row.body)
            assert head == row.hash


async def proven(store: SqliteStore) -> None:
    proof = await prove_house(store)
    assert proof.fault is None, proof.fault


async def main(events: int, profile: bool) -> None:
    with tempfile.TemporaryDirectory(prefix="puntobanco-") as folder:
        store = SqliteStore(Path(folder) / "house.db")
        await store.open()
        try:
            many = await filled(store, events)
            freeze()  # as `house verify` does
            limit, ours = 0.0, 0.0
            for _ in range(REPEATS):
                start = time.process_time()
                await hashed(store)
                limit = max(limit, many / (time.process_time() - start))
                start = time.process_time()
                await proven(store)
                ours = max(ours, many / (time.process_time() - start))
            print(f"read and hashed, events              {limit:10,.0f} /s of one core")
            print(f"proven, {many:,} events          {ours:10,.0f} /s of one core   aim {AIM:,}", end="   ")
            print(f"{ours / AIM:.2f} x   {ours / limit:.2f} of the limit")
            if profile:
                profiler = cProfile.Profile()
                profiler.enable()
                await proven(store)
                profiler.disable()
                pstats.Stats(profiler).sort_stats("tottime").print_stats(45)
        finally:
            await store.close()
    if ours < LEAST:
        sys.exit(f"fewer than {LEAST:,} events a second")


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:] if one.isdigit()]
    asyncio.run(main(given[0] if given else EVENTS, "--profile" in sys.argv))
