"""Definitions that all five documents share."""

from puntobanco.rules.cards import read_cards
from puntobanco.rules.coup import Hand
from tests.marks import rulebook


@rulebook(
    {
        "commission": ["1.13"],
        "non-commission-etg": ["1-Pair"],
        "super-six": ["1-Pair"],
        "insurance": ["1-Pair"],
        "wu-song": ["1.18"],
    },
    by=Hand.is_pair,
)
def test_1_13_a_pair_is_two_cards_of_one_rank_whatever_the_suit() -> None:
    assert Hand(read_cards("10S 10D")).is_pair
    assert Hand(read_cards("K♣ K♣")).is_pair
    assert not Hand(read_cards("10 K")).is_pair
    assert not Hand(read_cards("9 K K")).is_pair
