"""Insurance: who may buy it, up to what stake, and how it is settled."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from puntobanco.rules.cards import Card, Rank, read_cards
from puntobanco.rules.coup import Coup, deal
from puntobanco.rules.insurance import Insured, Offer, cap, check_stake, offer, offered_to, settle_insurance
from puntobanco.rules.library import game
from puntobanco.rules.money import CHIP, Cents, read_money, write_money
from puntobanco.rules.outcome import Side, Winner
from puntobanco.rules.procedures import Window
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result
from puntobanco.rules.slip import settle_slip
from tests.marks import rulebook, rulings

INSURANCE = "insurance"
ORIGINAL = read_money("1000")

# one deal for each row of the pay table, up to its window
ROWS = {
    # after four cards: Banker Insurance
    "2 2 2 3": (Window.FOUR, Side.BANKER, "2"),
    "2 2 3 4": (Window.FOUR, Side.BANKER, "3"),
    "K 3 Q 4": (Window.FOUR, Side.BANKER, "4"),
    # after four cards: Player Insurance
    "K 2 5 2": (Window.FOUR, Side.PLAYER, "2"),
    "2 2 4 3": (Window.FOUR, Side.PLAYER, "3"),
    "3 2 4 3": (Window.FOUR, Side.PLAYER, "4"),
    # after the Player's third card: Banker Insurance
    "K K Q A A": (Window.FIVE, Side.BANKER, "6"),
    "2 4 3 2 6": (Window.FIVE, Side.BANKER, "7"),
    "2 K 3 3 7": (Window.FIVE, Side.BANKER, "4"),
    "K K A 4 2": (Window.FIVE, Side.BANKER, "1.5"),
    # after the Player's third card: Player Insurance
    "K A 2 3 3": (Window.FIVE, Side.PLAYER, "2"),
    "K A 2 3 4": (Window.FIVE, Side.PLAYER, "3"),
    "K A 2 3 5": (Window.FIVE, Side.PLAYER, "4"),
    "K A 2 3 6": (Window.FIVE, Side.PLAYER, "7"),
    "K A 2 3 7": (Window.FIVE, Side.PLAYER, "8"),
}
ASTERISK = "K A 2 3 7"


def made(cards: str) -> Offer:
    found = offer(game(INSURANCE), deal(read_cards(cards)))
    assert found is not None
    return found


def taken(cards: str, stake: str) -> Insured:
    return Insured(made(cards), read_money(stake))


def most(cards: str, *earlier: Insured, original: int = ORIGINAL, count_exclusive: bool = True) -> str:
    return write_money(cap(made(cards), original=original, unit=CHIP, earlier=earlier, count_exclusive=count_exclusive))


def net(cards: str, stakes: dict[str, str]) -> dict[str, str]:
    """What each stake won or lost, in dollars."""
    found = game(INSURANCE)
    slip = settle_slip(found, found.layout(), deal(read_cards(cards)), {k: read_money(v) for k, v in stakes.items()})
    return {name: write_money(one.profit) for name, one in slip.bets.items()}


def total(cards: str, stakes: dict[str, str]) -> str:
    return write_money(sum(read_money(profit) for profit in net(cards, stakes).values()))


def endings(coup: Coup) -> Iterator[Coup]:
    """Every way the coup can still go, one for each value of the cards to come."""
    if coup.is_complete:
        yield coup
    else:
        for points in range(10):
            yield from endings(coup.draw(Card(Rank(points) if points else Rank.TEN)))


def test_these_deals_are_one_for_each_row_of_the_pay_table() -> None:
    insurance = game(INSURANCE).insurance
    assert insurance is not None
    assert [made(cards).row for cards in ROWS] == list(insurance.rows)
    for cards, (window, insures, odds) in ROWS.items():
        assert (made(cards).window, made(cards).insures, made(cards).row.odds) == (window, insures, Fraction(odds))


# ---- who may insure ----------------------------------------------------------------------------------------------


@rulebook({INSURANCE: ["4.1.4"]}, by=offered_to)
@pytest.mark.parametrize("cards", ROWS)
def test_4_1_4_insurance_is_offered_to_those_with_a_bet_on_that_hand(cards: str) -> None:
    originals = {
        "on the Player": {Side.PLAYER: CHIP},
        "on the Banker": {Side.BANKER: CHIP},
        "on both": {Side.PLAYER: CHIP, Side.BANKER: CHIP},
        "on the Tie alone": {},
        "withdrawn": {Side.PLAYER: Cents(0), Side.BANKER: Cents(0)},
    }
    insured = {Side.PLAYER: "on the Player", Side.BANKER: "on the Banker"}[made(cards).insures]
    assert offered_to(made(cards), originals) == (insured, "on both")


@rulebook({INSURANCE: ["4.1.4"]}, by=check_stake)
@pytest.mark.parametrize("cards", ROWS)
def test_4_1_4_without_a_bet_on_that_hand_there_is_nothing_to_insure(cards: str) -> None:
    with pytest.raises(Refused) as refused:
        check_stake(made(cards), game(INSURANCE), CHIP, original=0, unit=CHIP)
    assert (refused.value.reason, refused.value.paragraph) == (Reason.NOTHING_TO_INSURE, "4.1.4")


@rulings("INS-2")
@rulebook({INSURANCE: ["4.1.4"]}, by=settle_slip)
@pytest.mark.parametrize("only", ["tie", "player_pair", "banker_pair", "player"])
def test_4_1_4_a_tie_a_pair_or_the_other_hand_does_not_qualify_for_banker_insurance(only: str) -> None:
    with pytest.raises(Refused) as refused:
        net("2 2 2 3 4 A", {only: "1000", "banker_insurance@four": "1"})
    assert (refused.value.reason, refused.value.paragraph) == (Reason.NOTHING_TO_INSURE, "4.1.4")


@rulebook({INSURANCE: ["3.5"]}, by=settle_slip)
@pytest.mark.parametrize(
    ("cards", "insurance"),
    [
        ("2 2 2 3 4 A", "player_insurance@four"),  # the window is for the other hand
        ("2 2 2 3 4 A", "banker_insurance@five"),
        ("K 2 5 2 K", "player_insurance@five"),  # the Banker stood: no second window
        ("K A 5 2 3 2", "player_insurance@four"),  # 5 against 3 has no row
        ("4 3 5 6", "player_insurance@four"),  # naturals
        ("4 3 5 6", "banker_insurance@five"),
    ],
)
def test_3_5_insurance_that_was_not_offered_is_refused(cards: str, insurance: str) -> None:
    with pytest.raises(Refused) as refused:
        net(cards, {"player": "1000", "banker": "1000", insurance: "1"})
    assert (refused.value.reason, refused.value.paragraph) == (Reason.NOT_OFFERED, "3.5")


# ---- up to what stake --------------------------------------------------------------------------------------------


@rulebook({INSURANCE: ["3.5.2"]}, by=(cap, check_stake))
@pytest.mark.parametrize(
    ("odds", "most_of_a_thousand"),
    [("2", 500), ("3", 333), ("4", 250), ("6", 166), ("7", 142), ("8", 125), ("1.5", 666)],
)
def test_3_5_2_the_payout_stays_within_the_original_bet(odds: str, most_of_a_thousand: int) -> None:
    at_these_odds = [made(cards) for cards, row in ROWS.items() if row[2] == odds]
    assert at_these_odds
    for one in at_these_odds:
        greatest = Cents(most_of_a_thousand * CHIP)
        assert cap(one, original=ORIGINAL, unit=CHIP) == greatest
        assert check_stake(one, game(INSURANCE), greatest, original=ORIGINAL, unit=CHIP) == Insured(one, greatest)
        with pytest.raises(Refused) as refused:
            check_stake(one, game(INSURANCE), Cents(greatest + CHIP), original=ORIGINAL, unit=CHIP)
        assert (refused.value.reason, refused.value.paragraph) == (Reason.OVER_CAP, "3.5.2")


@rulings("INS-8")
@rulebook({INSURANCE: ["3.5.2"]}, by=cap)
def test_3_5_2_payouts_together_stay_within_the_original_bet() -> None:
    """300 at 2 to 1 would pay 600; the 400 left buy 57 at 7 to 1."""
    first = taken("K K 5 4", "300")
    assert most("K K 5 4 3", first) == "57.00"
    assert most("K K 5 4 3") == "142.00"
    assert most("K K 5 4", first) == "200.00"
    assert most("K K 5 4 3", taken("K K 5 4", "500")) == "0.00"
    assert most("K K 5 4 3", taken("K K 5 4", "501")) == "0.00"


@rulebook({INSURANCE: ["3.5.2"]}, by=settle_slip)
def test_3_5_2_the_second_window_is_tested_with_what_the_first_would_pay() -> None:
    stakes = {"player": "1000", "player_insurance@four": "300", "player_insurance@five": "57"}
    assert net("K K 5 4 3 5", stakes) == {
        "player": "-1000.00",
        "player_insurance@four": "600.00",
        "player_insurance@five": "399.00",
    }
    with pytest.raises(Refused) as refused:
        net("K K 5 4 3 5", stakes | {"player_insurance@five": "58"})
    assert (refused.value.reason, refused.value.paragraph) == (Reason.OVER_CAP, "3.5.2")


@rulings("INS-9")
@rulebook({INSURANCE: ["3.5.2"]}, by=cap)
def test_3_5_2_the_bet_with_the_asterisk_counts_unless_the_table_says_otherwise() -> None:
    first = taken("K K 5 4", "250")
    assert made("K K 5 4 4").row.paid_on is Winner.TIE
    assert most("K K 5 4 4", first) == "62.00"
    assert most("K K 5 4 4", first, count_exclusive=False) == "125.00"
    assert most("K K 5 4 3", first, count_exclusive=False) == "71.00"


@rulings("INS-2")
@rulebook({INSURANCE: ["3.5.2", "4.1.4"]}, by=(cap, settle_slip))
def test_3_5_2_someone_with_bets_on_both_hands_has_two_separate_caps() -> None:
    banker_first = taken("2 2 2 3", "500")
    assert most("2 2 2 3 4", banker_first) == "142.00"
    stakes = {
        "player": "1000",
        "banker": "1000",
        "banker_insurance@four": "500",
        "player_insurance@five": "142",
    }
    assert net("2 2 2 3 4 A", stakes) == {
        "player": "1000.00",
        "banker": "-1000.00",
        "banker_insurance@four": "1000.00",
        "player_insurance@five": "-142.00",
    }


@rulings("MON-11")
@rulebook({INSURANCE: ["3.5.2"]}, by=cap)
def test_3_5_2_the_cap_is_of_the_bet_on_that_hand_in_whole_chips() -> None:
    assert most("2 2 3 4", original=read_money("100")) == "33.00"
    assert most("2 2 3 4", original=read_money("2")) == "0.00"
    assert cap(made("2 2 3 4"), original=ORIGINAL, unit=read_money("25")) == read_money("325")
    assert cap(made("2 2 3 4"), original=ORIGINAL, unit=20) == read_money("333.20")


@rulebook({INSURANCE: ["3.5.2"]}, by=settle_slip)
def test_3_5_2_a_stake_of_334_against_a_bet_of_1000_at_3_to_1_is_too_much() -> None:
    assert net("2 2 3 4 K", {"banker": "1000", "banker_insurance@four": "333"}) == {
        "banker": "950.00",
        "banker_insurance@four": "-333.00",
    }
    with pytest.raises(Refused) as refused:
        net("2 2 3 4 K", {"banker": "1000", "banker_insurance@four": "334"})
    assert (refused.value.reason, refused.value.paragraph) == (Reason.OVER_CAP, "3.5.2")


# ---- how it is settled -------------------------------------------------------------------------------------------


@rulings("INS-5", "REJ-14")
@rulebook({INSURANCE: ["3.9", "4.1.3", "4.1.4"]}, by=settle_insurance)
@pytest.mark.parametrize("cards", ROWS)
def test_4_1_4_paid_when_the_insured_hand_loses_returned_on_a_tie_lost_when_it_wins(cards: str) -> None:
    insured, stake = made(cards).insures, read_money("20")
    win = int(Fraction(ROWS[cards][2]) * stake)
    seen = set()
    for coup in endings(deal(read_cards(cards))):
        result = settle_insurance(Insured(made(cards), stake), game(INSURANCE), coup.outcome)
        points, other = coup.hand(insured).points, coup.hand(_other(insured)).points
        if points < other:
            expected, profit, rule = Result.WIN, win, "4.1.3"
        elif points > other:
            expected, profit, rule = Result.LOSE, -stake, "4.1.4"
        elif cards == ASTERISK:
            expected, profit, rule = Result.WIN, win, "4.1.3"
        else:
            expected, profit, rule = Result.PUSH, 0, "3.9"
        assert (result.result, result.profit, result.rule) == (expected, profit, rule)
        assert result.returned == stake + profit
        seen.add((points > other) - (points < other))
    assert seen == ({0, 1} if cards == ASTERISK else {-1, 0, 1})


def _other(side: Side) -> Side:
    return Side.BANKER if side is Side.PLAYER else Side.PLAYER


@rulings("INS-10")
@rulebook({INSURANCE: ["4.1.1"]}, by=settle_insurance)
@pytest.mark.parametrize("cards", ROWS)
def test_4_1_1_insurance_is_never_charged_a_commission(cards: str) -> None:
    for coup in endings(deal(read_cards(cards))):
        result = settle_insurance(taken(cards, "20"), game(INSURANCE), coup.outcome)
        assert (result.commission, result.commission_rule) == (0, None)
        assert result.gross == result.profit


@rulebook({INSURANCE: ["3.5.2", "4.1.4"]}, by=settle_slip)
def test_4_1_4_a_banker_bet_fully_insured_at_2_to_1_cannot_lose() -> None:
    stakes = {"banker": "1000", "banker_insurance@four": "500"}
    assert total("2 2 2 3 4 A", stakes) == "0.00"  # 8 against 6: the Banker loses
    assert total("2 2 2 3 4 4", stakes) == "450.00"  # 8 against 9: the Banker wins, less commission and insurance
    assert total("2 2 2 3 4 3", stakes) == "0.00"  # 8 all


@rulebook({INSURANCE: ["3.9"]}, by=settle_slip)
def test_3_9_a_tie_gives_back_the_original_bet_and_the_insurance_and_the_tie_bet_wins() -> None:
    stakes = {"player": "1000", "player_insurance@four": "250", "tie": "100"}
    assert net("3 2 4 3 2", stakes) == {"player": "0.00", "player_insurance@four": "0.00", "tie": "800.00"}


@rulings("INS-6")
@rulebook({INSURANCE: ["3.9", "4.1.3"]}, by=settle_slip)
def test_4_1_3_at_nine_all_the_asterisk_is_paid_and_everything_else_insured_comes_back() -> None:
    stakes = {"player": "1000", "player_insurance@four": "250", "player_insurance@five": "62", "tie": "100"}
    assert net("K K 5 4 4 5", stakes) == {
        "player": "0.00",
        "player_insurance@four": "0.00",
        "player_insurance@five": "496.00",
        "tie": "800.00",
    }
    assert net("K K 5 4 4 6", stakes) == {
        "player": "1000.00",
        "player_insurance@four": "-250.00",
        "player_insurance@five": "-62.00",
        "tie": "-100.00",
    }


@rulebook({INSURANCE: ["4.1.3"]}, by=settle_slip)
def test_4_1_3_a_banker_who_stands_on_seven_is_insured_against_the_players_third_card() -> None:
    assert net("K 3 Q 4 9", {"banker": "1000", "banker_insurance@four": "250"}) == {
        "banker": "-1000.00",
        "banker_insurance@four": "1000.00",
    }


@rulebook({INSURANCE: ["4.1.3"]}, by=settle_slip)
def test_4_1_3_one_and_a_half_to_one_comes_out_to_the_cent() -> None:
    assert net("K K A 4 2 7", {"banker": "1000", "banker_insurance@five": "333"}) == {
        "banker": "-1000.00",
        "banker_insurance@five": "499.50",
    }


@rulebook({INSURANCE: ["3.5", "4.1.4"]}, by=settle_slip)
def test_4_1_4_the_player_who_drew_ahead_insures_in_the_second_window_what_the_banker_insured_in_the_first() -> None:
    assert net("2 2 2 3 4 4", {"player": "1000", "player_insurance@five": "142"}) == {
        "player": "-1000.00",
        "player_insurance@five": "994.00",
    }
    assert net("2 2 2 3 4 A", {"player": "1000", "player_insurance@five": "142"}) == {
        "player": "1000.00",
        "player_insurance@five": "-142.00",
    }


@rulebook({INSURANCE: ["4.1.4"]}, by=settle_slip)
def test_4_1_4_after_a_banker_who_stands_only_the_first_window_is_settled() -> None:
    assert net("K 2 5 2 K", {"player": "1000", "player_insurance@four": "500"}) == {
        "player": "1000.00",
        "player_insurance@four": "-500.00",
    }
