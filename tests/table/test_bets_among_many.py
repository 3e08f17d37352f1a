"""Bets among many others: private views that follow them, and states that are changed in place."""

import random

import msgspec

from puntobanco.rules import library
from puntobanco.rules.money import Cents
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.decide import Accepted, decide
from puntobanco.table.events import AnyEvent
from puntobanco.table.evolve import Draft
from puntobanco.table.felt import Felt
from puntobanco.table.setup import Setup, Source
from puntobanco.table.state import State
from puntobanco.table.views import EachOwn

PEOPLE, BETS = [f"p{number}" for number in range(7)], ("player", "banker", "tie")
HOUSE = By("house", Role.SYSTEM, 1_900_000_000_000)


def bet(state: State, chance: random.Random) -> tuple[c.Command, By]:
    """Somebody raises, lowers or withdraws a bet, sometimes beyond what the table lets lie."""
    person = chance.choice(PEOPLE)
    line = c.Line(bet=chance.choice(BETS), amount=chance.choice((0, 10_00, 50_00, 100_00)))
    return c.PlaceBets(round=state.round, lines=(line,)), By(person, Role.PLAYER, HOUSE.at)


class Played:
    """An electronic table with betting open and money in front of everybody."""

    def __init__(self) -> None:
        game = library.game("non-commission-etg")
        setup = Setup(
            game=game.key, fingerprint=game.fingerprint, layout=None, boxes=0, decks=8, minimum=Cents(10_00),
            differential=Cents(1_000_00),
        )  # fmt: skip
        self.felt, self.state = Felt.of(game, setup), State()
        load = c.LoadShoe(shoe="one", decks=8, shuffled=True, source=Source.ELECTRONIC, commitment="a" * 64)
        self.sent(c.OpenTable(setup=setup), By("tom", Role.SHIFT_MANAGER, HOUSE.at))
        for person in PEOPLE:
            self.sent(*bought(person))
        self.sent(load, HOUSE)
        self.sent(c.OpenBetting(), HOUSE)

    def sent(self, command: c.Command, by: By, draft: Draft | None = None) -> tuple[AnyEvent, ...]:
        answer = decide(self.felt, self.state, command, by, draft)
        if not isinstance(answer, Accepted):
            return ()
        assert answer.state is not None
        self.state = answer.state
        return answer.events


def bought(person: str) -> tuple[c.Command, By]:
    return c.BuyIn(person=person, amount=Cents(1_000_00)), By(person, Role.PLAYER, HOUSE.at)


def test_views_that_follow_the_bets_of_a_table_are_those_made_from_its_state() -> None:
    table, chance = Played(), random.Random(5)
    own = EachOwn(table.felt, table.state)
    for _ in range(300):
        events = table.sent(*bet(table.state, chance))
        assert own.follow(table.felt, table.state, events)
        made = EachOwn(table.felt, table.state)
        assert [own.view(person) for person in PEOPLE] == [made.view(person) for person in PEOPLE]
    assert not own.follow(table.felt, table.state, table.sent(*bought(PEOPLE[0])))


def test_bets_with_a_draft_lead_to_the_same_states_and_leave_the_one_before_the_batch_as_it_was() -> None:
    table, plain, chance = Played(), Played(), random.Random(6)
    for _ in range(40):
        before, draft = table.state, Draft()
        kept = msgspec.json.encode(before)
        for _ in range(8):
            command, by = bet(table.state, chance)
            assert table.sent(command, by, draft) == plain.sent(command, by)
            assert msgspec.json.encode(table.state) == msgspec.json.encode(plain.state), "in the order of placing, too"
        assert msgspec.json.encode(before) == kept
