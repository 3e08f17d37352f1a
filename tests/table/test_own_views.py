"""The private views of a table that follow its bets are those made from its state."""

import random

from puntobanco.rules import library
from puntobanco.rules.money import Cents
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.decide import Accepted, decide
from puntobanco.table.events import AnyEvent
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


def test_views_that_follow_the_bets_of_a_table_are_those_made_from_its_state() -> None:
    game, chance = library.game("non-commission-etg"), random.Random(5)
    setup = Setup(
        game=game.key, fingerprint=game.fingerprint, layout=None, boxes=0, decks=8, minimum=Cents(10_00),
        differential=Cents(1_000_00),
    )  # fmt: skip
    felt, state = Felt.of(game, setup), State()

    def sent(command: c.Command, by: By) -> tuple[AnyEvent, ...]:
        nonlocal state
        answer = decide(felt, state, command, by)
        if not isinstance(answer, Accepted):
            return ()
        assert answer.state is not None
        state = answer.state
        return answer.events

    sent(c.OpenTable(setup=setup), By("tom", Role.SHIFT_MANAGER, HOUSE.at))
    for person in PEOPLE:
        sent(c.BuyIn(person=person, amount=Cents(1_000_00)), By(person, Role.PLAYER, HOUSE.at))
    sent(c.LoadShoe(shoe="one", decks=8, shuffled=True, source=Source.ELECTRONIC, commitment="a" * 64), HOUSE)
    sent(c.OpenBetting(), HOUSE)
    own = EachOwn(felt, state)
    for _ in range(300):
        events = sent(*bet(state, chance))
        assert own.follow(felt, state, events)
        made = EachOwn(felt, state)
        assert [own.view(person) for person in PEOPLE] == [made.view(person) for person in PEOPLE]
    bought = c.BuyIn(person=PEOPLE[0], amount=Cents(10_00))
    assert not own.follow(felt, state, sent(bought, By(PEOPLE[0], Role.PLAYER, HOUSE.at)))
