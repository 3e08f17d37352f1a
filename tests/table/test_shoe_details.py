"""Sets of cards: what becomes of the cards in front of one that goes in the middle of a round, and earlier editions."""

import pytest

from puntobanco.rules.cards import read_cards
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import Fault
from puntobanco.table.felt import Edition
from tests.table.pit import DEALER, SHIFT, SUPERVISOR, Pit, in_play, paragraph
from tests.table.test_irregularities_details import as_of
from tests.table.test_shoe import drawn_together, load


@pytest.mark.parametrize(("key", "rule"), [("commission", "5.10.2"), ("wu-song", "5.11.2")])
def test_since_the_second_reading_the_right_to_replace_the_shoe_outlasts_the_round(key: str, rule: str) -> None:
    pit = drawn_together(key)
    pit.hides(1, 2)
    pit.deal("9S 3S")
    pit.settle()
    as_of(pit, Edition.SECOND_READING)
    (withdrawn,) = pit.staff(SUPERVISOR, c.WithdrawShoe(reason="they stick"))
    assert paragraph(withdrawn) == rule


@pytest.mark.parametrize(("key", "rule"), [("commission", "5.10.2"), ("wu-song", "5.11.2")])
def test_cards_in_front_of_a_shoe_that_is_withdrawn_in_the_middle_of_a_round_are_still_dealt(
    key: str, rule: str
) -> None:
    pit = drawn_together(key)
    (withdrawn,) = pit.staff(SUPERVISOR, c.WithdrawShoe(reason="they stick"))
    assert (type(withdrawn), paragraph(withdrawn), pit.state.front) == (e.ShoeWithdrawn, rule, read_cards("KS 5S"))


def test_in_the_middle_of_a_round_a_shoe_that_was_withdrawn_is_not_the_dealers_to_replace() -> None:
    pit = in_play("commission", "5")
    pit.staff(SHIFT, c.WithdrawShoe(reason="worn"))
    assert pit.refused(DEALER, load(reason="the last was withdrawn")) == (Reason.NOT_AUTHORISED, "5.17")


def test_between_rounds_an_unshuffled_set_is_loaded_and_the_dealer_may_replace_it() -> None:
    pit = Pit("commission")
    pit.staff(SUPERVISOR, load(shuffled=False))
    assert pit.refused(DEALER, c.OpenBetting())[0] is Reason.SHOE_UNSHUFFLED
    pit.staff(DEALER, load("three"))
    pit.open()


def test_a_finished_shoe_stays_while_a_card_waits_in_front_of_it() -> None:
    pit = Pit("commission")
    pit.staff(DEALER, c.ShowCutCard())
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    assert pit.state.shoe is not None
    assert pit.state.shoe.finished
    pit.report(Fault.EXPOSED, cards=read_cards("4"))
    assert pit.refused(DEALER, load())[0] is Reason.NOT_AUTHORISED
    pit.staff(SUPERVISOR, c.WithdrawShoe(reason="finished"))
    assert (pit.state.front, len(pit.told(e.CarryOverDiscarded))) == ((), 1)
    pit.staff(DEALER, load())


def test_whoever_deals_shows_the_cut_card() -> None:
    pit = Pit("commission")
    for who in ("ann", SHIFT):
        assert pit.refused(who, c.ShowCutCard()) == (Reason.NOT_AUTHORISED, "1.4")
    pit.staff(DEALER, c.ShowCutCard())
