"""Sets of cards: what becomes of the cards in front of one that goes in the middle of a round, and earlier editions."""

import pytest

from puntobanco.rules.cards import read_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.felt import Edition
from tests.table.pit import SUPERVISOR, paragraph
from tests.table.test_irregularities_details import as_of
from tests.table.test_shoe import drawn_together


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
