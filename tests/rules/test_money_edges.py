"""Money at its limits, odds as they are printed, and what two-card totals can come to."""

from fractions import Fraction

import pytest

from puntobanco.rules.money import GREATEST_ODDS, Odds, check_stake, exactly, read_odds
from puntobanco.rules.outcome import Outcome, Winner, finishes, reachable
from puntobanco.rules.refusal import Expected, Reason, Refused


@pytest.mark.parametrize("written", ["1:1", "1000:1", "0.0001:1", "1:9999", "1000.0:1"])
def test_odds_go_up_to_a_thousand_to_one(written: str) -> None:
    assert 0 < read_odds(written) <= GREATEST_ODDS == 1_000


@pytest.mark.parametrize("written", ["1001:1", "1000.0001:1", "0:1", "0.0:1"])
def test_no_others_are_odds(written: str) -> None:
    with pytest.raises(ValueError, match=Expected.ODDS):
        read_odds(written)


@pytest.mark.parametrize(
    ("odds", "printed"),
    [
        (Odds(50), "50:1"),
        (Odds(2, on=3), "2:3"),  # no decimal says it exactly
        (Odds(3, on=2), "1.5:1"),
        (Odds(19, on=20), "0.95:1"),
        (Odds(9_999, on=10_000), "0.9999:1"),
        (Odds(1, on=20), "1:20"),
    ],
)
def test_odds_are_printed_without_rounding_and_read_back(odds: Odds, printed: str) -> None:
    assert str(odds) == printed
    assert read_odds(printed) == odds


def test_a_stake_may_be_one_cent_where_that_is_a_chip() -> None:
    assert check_stake(1, unit=1) == 1
    with pytest.raises(Refused) as refused:
        check_stake(0, unit=1)
    assert refused.value.reason is Reason.STAKE_NOT_POSITIVE


def test_part_of_a_cent_is_refused_and_named_in_dollars() -> None:
    assert exactly(Fraction(50)) == 50
    with pytest.raises(Refused) as refused:
        exactly(Fraction(1, 2))
    assert (refused.value.reason, refused.value.parameters["amount"]) == (Reason.UNIT_NOT_PAYABLE, "1/200")


@pytest.mark.parametrize(
    ("totals", "thirds", "ends"),
    [
        ((7, 5), (3,), {(7, 8, 2, 3)}),  # the Player stands, the Banker draws
        ((7, 5), (), {(7, points, 2, 3) for points in range(10)}),
        ((4, 3), (7, 7), {(1, 0, 3, 3)}),
        ((4, 3), (8, 7), {(2, 3, 3, 2)}),  # against an eight a Banker of 3 stands
        ((4, 3), (8,), {(2, 3, 3, 2)}),
        ((4, 3), (9,), {(3, points, 3, 3) for points in range(10)}),
        ((7, 6), (3,), {(7, 6, 2, 2)}),
        ((8, 2), (3, 4), {(8, 2, 2, 2)}),
    ],
)
def test_what_two_card_totals_come_to(
    totals: tuple[int, int], thirds: tuple[int, ...], ends: set[tuple[int, int, int, int]]
) -> None:
    assert finishes(*totals, *thirds) == ends


def test_outcomes_are_listed_in_their_order() -> None:
    listed = reachable()
    assert list(listed) == sorted(listed)
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize(
    ("player", "banker", "winner"), [(5, 5, Winner.TIE), (6, 5, Winner.PLAYER), (5, 6, Winner.BANKER)]
)
def test_the_hand_nearer_to_nine_wins_and_equal_hands_tie(player: int, banker: int, winner: Winner) -> None:
    assert Outcome(player, banker, 3, 3, False, False).winner is winner
