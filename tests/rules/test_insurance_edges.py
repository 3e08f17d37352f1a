"""Insurance and slips at their limits: one cent, one window, what is tested first."""

from fractions import Fraction

import pytest

from puntobanco.rules.cards import read_cards
from puntobanco.rules.coup import deal
from puntobanco.rules.insurance import Insured, Offer, cap, check_stake, offer, offered_to, offers
from puntobanco.rules.library import game
from puntobanco.rules.money import CHIP, Cents
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.slip import settle_slip

GAME = game("insurance")
FOUR = "2 2 2 3"
"""Banker 5 against Player 4: the Banker is insured at 2:1."""
ASTERISK = "K A 2 3 7"
"""Player 9 against Banker 4: paid at 8:1 on a tie."""


def made(cards: str) -> Offer:
    found = offer(GAME, deal(read_cards(cards)))
    assert found is not None
    return found


def test_a_round_of_four_cards_so_far_has_had_one_window() -> None:
    assert [one.window for one in offers(GAME, deal(read_cards(FOUR)))] == ["four"]
    assert not list(offers(GAME, deal(read_cards(FOUR)[:3])))


def test_one_cent_on_the_hand_is_a_bet_and_a_bet_elsewhere_is_none() -> None:
    originals = {
        "one cent": {Side.BANKER: Cents(1)},
        "other hand": {Side.PLAYER: CHIP},
        "taken back": {Side.BANKER: Cents(0)},
    }
    assert offered_to(made(FOUR), originals) == ("one cent",)


def test_the_cap_of_a_bet_that_is_insured_in_full_already_is_nothing() -> None:
    earlier = (Insured(made(FOUR), Cents(600)),)
    assert cap(made(FOUR), original=1_200, unit=1, earlier=earlier) == 0
    assert cap(made(FOUR), original=1_000, unit=1, earlier=earlier) == 0
    assert cap(made(FOUR), original=1_202, unit=1, earlier=earlier) == 1


def test_what_can_never_be_paid_together_counts_all_the_same_unless_said_otherwise() -> None:
    """A Player insured at 2:1 after four cards has 9 after five: the row with the asterisk pays on a tie only."""
    lost, tie = made("K 2 5 2"), made(ASTERISK)
    earlier = (Insured(lost, Cents(40_000)),)
    assert cap(tie, original=100_000, unit=100, earlier=earlier) == 2_500
    assert cap(tie, original=100_000, unit=100, earlier=earlier, count_exclusive=False) == 12_500
    with pytest.raises(Refused) as refused:
        check_stake(tie, GAME, Cents(2_600), original=100_000, unit=100, earlier=earlier)
    assert refused.value.reason is Reason.OVER_CAP
    assert check_stake(tie, GAME, Cents(2_600), original=100_000, unit=100, earlier=earlier, count_exclusive=False)


def test_an_insurance_stake_is_of_whole_chips() -> None:
    for stake, reason in ((150, Reason.STAKE_NOT_IN_UNITS), (0, Reason.STAKE_NOT_POSITIVE)):
        with pytest.raises(Refused) as refused:
            check_stake(made(FOUR), GAME, Cents(stake), original=1_000, unit=100)
        assert (refused.value.reason, refused.value.paragraph) == (reason, "3.5")


def test_where_little_is_staked_there_is_something_to_insure_but_the_cap_is_below_a_chip() -> None:
    for original, reason in ((0, Reason.NOTHING_TO_INSURE), (1, Reason.OVER_CAP)):
        with pytest.raises(Refused) as refused:
            check_stake(made(FOUR), GAME, Cents(1), original=original, unit=1)
        assert refused.value.reason is reason


# ---- slips -------------------------------------------------------------------------------------------------------


def refusal(cards: str, stakes: dict[str, int], *, unit: int = CHIP, waived: bool = False) -> Refused:
    with pytest.raises(Refused) as refused:
        settle_slip(GAME, GAME.layout(), deal(read_cards(cards)), stakes, unit, waived=waived)
    return refused.value


def test_a_chip_that_some_line_cannot_pay_is_refused_whatever_is_staked() -> None:
    assert refusal("9 7 K T", {"player": 10}, unit=10).reason is Reason.UNIT_NOT_PAYABLE
    assert Fraction(95, 100) * 10 % 1


def test_a_slip_may_say_that_the_window_was_waived_only_where_it_could_be() -> None:
    assert refusal("2 2 2 3 K", {"player": 100}, waived=True).reason is Reason.NO_WAIVER
    coup = deal(read_cards("2 K 2 A 5 5"))
    settled = settle_slip(GAME, GAME.layout(), coup, {"player": 10_000}, waived=True)
    assert settled.profit == 10_000


def test_bets_are_looked_at_before_insurance_and_the_first_window_before_the_second() -> None:
    wrong = {"banker_insurance@five": 100, "banker_insurance@four": 100_000, "nothing": 100, "banker": 1_000}
    assert refusal("2 2 2 3 K", wrong).reason is Reason.UNKNOWN_BET
    del wrong["nothing"]
    assert refusal("2 2 2 3 K", wrong).reason is Reason.OVER_CAP
    wrong["banker_insurance@four"] = 100
    assert refusal("2 2 2 3 K", wrong).reason is Reason.NOT_OFFERED
