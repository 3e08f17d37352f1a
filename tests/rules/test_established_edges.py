"""EST-4: an exposed third card counts only once the cards that count settle whose it is, or that it is dealt at all."""

import pytest

from puntobanco.rules.cards import Card, Rank, read_cards
from puntobanco.rules.coup import Coup
from puntobanco.rules.established import possible_outcomes


def exposed(cards: str) -> dict[int, Rank]:
    """`9 - 9 -`: the first and third card are exposed and the others are not."""
    return {index: read_cards(card)[0].rank for index, card in enumerate(cards.split(), start=1) if card != "-"}


@pytest.mark.parametrize(
    "initial",
    [
        "- - - -",
        "2 - 2 -",  # the Player draws unless the Banker has a natural
        "2 2 2 -",
        "3 - 3 -",  # the Player stands; the Banker may draw, stand or have a natural
        "3 2 3 -",
        "- 3 - 4",  # the Banker stands on 7; the Player may draw, stand or have a natural
        "2 3 - 4",
        "- 2 - 2",
        "3 3 3 4",  # both stand
        "9 2 K 2",  # a natural
    ],
)
@pytest.mark.parametrize("fifth", [Rank.KING, Rank.FOUR, Rank.EIGHT])
def test_a_fifth_card_whose_place_is_open_is_left_out(initial: str, fifth: Rank) -> None:
    assert possible_outcomes(exposed(initial) | {5: fifth}) == possible_outcomes(exposed(initial))


@pytest.mark.parametrize(
    "seen",
    [
        "- - - - - ",
        "2 2 2 A -",  # a Banker of 3 stands against an eight
        "2 2 2 A 8",
        "2 2 2 - -",
        "3 2 3 2 -",  # the fifth card is the Banker's and there is no sixth
        "9 2 K 2 -",
    ],
)
def test_a_sixth_card_that_may_not_be_the_bankers_is_left_out(seen: str) -> None:
    assert possible_outcomes(exposed(seen) | {6: Rank.FOUR}) == possible_outcomes(exposed(seen))


@pytest.mark.parametrize(
    ("seen", "points"),
    [("2 2 2 A 7 4", (1, 7)), ("3 2 3 2 4", (6, 8)), ("9 2 K 2", (9, 4)), ("2 K 2 A - 4", (None, 5))],
)
def test_a_third_card_whose_place_is_fixed_counts(seen: str, points: tuple[int | None, int]) -> None:
    ends = possible_outcomes(exposed(seen))
    player, banker = points
    assert {one.banker_points for one in ends} == {banker}
    assert {one.player_points for one in ends} == ({player} if player is not None else set(range(10)))


@pytest.mark.parametrize("cards", ["9 K", "K 9", "5 5", "K Q", "3 4"])
def test_two_exposed_cards_of_a_hand_are_its_total_and_its_pair(cards: str) -> None:
    one, other = read_cards(cards)
    coup = Coup((one, Card(Rank.NINE), other, Card(Rank.KING)))
    assert possible_outcomes(exposed(f"{one} 9 {other} K")) == {coup.outcome}


@pytest.mark.parametrize("seen", ["9 9 - K", "- 9 9 K"])
def test_a_hand_with_one_exposed_card_may_come_to_any_total_and_pairs_in_one_way(seen: str) -> None:
    ends = possible_outcomes(exposed(seen))
    assert {one.player_points for one in ends} == set(range(10))
    assert {one.player_points for one in ends if one.player_pair} == {8}
