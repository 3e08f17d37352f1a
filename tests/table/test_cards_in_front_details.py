"""Cards in front of the shoe: what is said when a round opens on them, and what becomes of those of another set."""

import pytest

from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.events import AlertRaised, CardsCarriedOver, CarryOverDiscarded
from puntobanco.table.setup import Source
from tests.marks import rulings
from tests.table.pit import SHIFT, SUPERVISOR, in_play, paragraph
from tests.table.test_known_before_bets import waiting

CARRIED = {"commission": "5.7", "wu-song": "5.8"}


def test_cards_of_a_set_that_was_replaced_do_not_wait_for_the_next_round() -> None:
    pit = in_play("commission", "2 3 4")
    pit.report(Fault.SIMULTANEOUS, cards=(None, None))
    pit.rule(SUPERVISOR, Choice.ORDER, order=(1, 2))
    pit.everyone()
    pit.staff(SUPERVISOR, c.LoadShoe(shoe="two", decks=8, shuffled=True, source=Source.KEYBOARD, reason="worn"))
    pit.deal("3")
    assert list(pit.state.front) == [None]
    pit.settle()
    assert (pit.state.front, len(pit.told(CarryOverDiscarded)), pit.told(CardsCarriedOver)) == ((), 1, [])


def test_of_the_cards_that_wait_only_those_of_the_replaced_set_go() -> None:
    pit = in_play("commission", "2 3 4")
    pit.report(Fault.SIMULTANEOUS, cards=(None, None))
    pit.rule(SUPERVISOR, Choice.ORDER, order=(1, 2))
    pit.everyone()
    pit.staff(SUPERVISOR, c.LoadShoe(shoe="two", decks=8, shuffled=True, source=Source.KEYBOARD, reason="worn"))
    pit.deal("3")
    pit.report(Fault.EXCESS, cards=read_cards("9"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.settle()
    assert [event.many for event in pit.told(CarryOverDiscarded)] == [1]
    assert (pit.state.front, pit.state.front_old) == (read_cards("9"), 0)


@rulings("REC-6")
@pytest.mark.parametrize("key", library.GAMES)
def test_the_alert_that_a_round_opens_on_a_known_card_cites_the_paragraph_that_carried_it_over(key: str) -> None:
    pit = waiting(key, "9")
    assert pit.refused(pit.dealer, c.OpenBetting()) == (Reason.EXPOSED_CARD_WAITS, CARRIED.get(key))
    pit.open(acknowledge=True)
    (alert,) = pit.told(AlertRaised)
    assert (alert.to, paragraph(alert)) == (SHIFT, CARRIED.get(key))
