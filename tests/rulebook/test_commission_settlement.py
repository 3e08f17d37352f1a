"""Commission Baccarat: what every bet pays, to the cent."""

from fractions import Fraction

import pytest

import puntobanco as pb
from puntobanco.rules.game import Game
from puntobanco.rules.money import Cents
from puntobanco.rules.outcome import Outcome, reachable
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result, settle
from puntobanco.rules.slip import settle_slip
from tests.marks import rulebook, rulings

GAME = pb.game("commission")

BANKER_WINS, PLAYER_WINS, TIED = "2 4 3 2 5", "9 7 K 10", "2 K 3 3 8"


@rulings("PAY-10")
@rulebook({"commission": ["4.1.1"]}, by=settle_slip)
@pytest.mark.parametrize(
    ("stake", "profit", "commission"),
    [
        ("25", "23.75", "1.25"),
        ("100", "95", "5"),
        ("1", "0.95", "0.05"),
        ("20", "19", "1"),
        ("5714", "5428.30", "285.70"),
    ],
)
def test_4_1_1_a_winning_banker_bet_pays_five_per_cent_to_the_house(stake: str, profit: str, commission: str) -> None:
    banker = pb.settle(GAME, BANKER_WINS, {"banker": pb.money(stake)}).bets["banker"]
    assert (banker.profit, banker.commission) == (pb.money(profit), pb.money(commission))
    assert banker.gross == pb.money(stake), "an even win, of which the House takes its part"
    assert (banker.rule, banker.commission_rule) == ("4.1.2", "4.1.1")


@rulebook({"commission": ["4.1.1"]}, by=settle)
def test_4_1_1_no_other_bet_and_no_other_result_pays_commission() -> None:
    for outcome in reachable():
        for bet in GAME.menu(GAME.layout("A")):
            settled = settle(bet, pb.money("100"), outcome)
            if bet.key == "banker" and settled.result is Result.WIN:
                assert settled.commission == pb.money("5")
            else:
                assert (settled.commission, settled.commission_rule) == (0, None)


@rulings("MON-4")
@rulebook({"commission": ["4.1.1"]}, by=Game.check_unit)
def test_4_1_1_no_chip_unit_is_used_that_commission_would_break_into_parts_of_a_cent() -> None:
    assert [GAME.check_unit(unit) for unit in (20, 100, 500)] == [20, 100, 500]
    for unit in (1, 10, 50, 0, -100):
        with pytest.raises(Refused) as refused:
            GAME.check_unit(unit)
        assert refused.value.reason is Reason.UNIT_NOT_PAYABLE


@rulebook({"commission": ["4.1.2"]}, by=settle_slip)
@pytest.mark.parametrize(
    ("bet", "cards", "profit", "pays"),
    [
        ("banker", BANKER_WINS, "95", "0.95:1"),
        ("player", PLAYER_WINS, "100", "1:1"),
        ("tie", TIED, "800", "8:1"),
        ("player_pair", "5 K 5 9", "1100", "11:1"),
        ("banker_pair", "2 3 4 3", "1100", "11:1"),
    ],
)
def test_4_1_2_each_winning_bet_pays_what_the_table_prints(bet: str, cards: str, profit: str, pays: str) -> None:
    settled = pb.settle(GAME, cards, {bet: pb.money("100")}).bets[bet]
    assert (settled.result, settled.profit, settled.pays) == (Result.WIN, pb.money(profit), pays)
    assert settled.returned == pb.money("100") + pb.money(profit)
    assert settled.rule == "4.1.2"


@rulebook({"commission": ["4.1.2"]}, by=settle_slip)
@pytest.mark.parametrize(
    ("bet", "cards", "cited"),
    [
        ("banker", PLAYER_WINS, "3.13"),
        ("player", BANKER_WINS, "3.13"),
        ("tie", PLAYER_WINS, "1.19"),
        ("player_pair", PLAYER_WINS, "1.13"),
        ("banker_pair", PLAYER_WINS, "1.13"),
    ],
)
def test_4_1_2_what_the_table_does_not_pay_is_lost_whole(bet: str, cards: str, cited: str) -> None:
    settled = pb.settle(GAME, cards, {bet: pb.money("100")}).bets[bet]
    assert (settled.result, settled.profit, settled.returned) == (Result.LOSE, pb.money("-100"), 0)
    assert settled.rule == cited


@rulebook({"commission": ["1.13"]}, by=settle_slip)
@pytest.mark.parametrize(
    ("cards", "player_pair", "banker_pair"),
    [
        pytest.param("10♠ 6 10♦ A 5", "110", "-10", id="two tens of different suits"),
        pytest.param("9 K K K", "-10", "110", id="two kings"),
        pytest.param("10 6 K A 5", "-10", "-10", id="ten and king are no pair"),
        pytest.param("5 3 5 3 K", "110", "110", id="both hands"),
    ],
)
def test_1_13_a_pair_is_one_rank_twice_in_the_first_two_cards(cards: str, player_pair: str, banker_pair: str) -> None:
    slip = pb.settle(GAME, cards, {"player_pair": pb.money("10"), "banker_pair": pb.money("10")})
    assert slip.bets["player_pair"].profit == pb.money(player_pair)
    assert slip.bets["banker_pair"].profit == pb.money(banker_pair)


def printed(bet: str, end: Outcome) -> Fraction:
    """The pay table read afresh: the gain on one unit, -1 for a loss, 0 for a return."""
    difference = end.player_points - end.banker_points
    return {
        "player": Fraction(1) if difference > 0 else Fraction(0) if difference == 0 else Fraction(-1),
        "banker": Fraction(95, 100) if difference < 0 else Fraction(0) if difference == 0 else Fraction(-1),
        "tie": Fraction(8) if difference == 0 else Fraction(-1),
        "player_pair": Fraction(11) if end.player_pair else Fraction(-1),
        "banker_pair": Fraction(11) if end.banker_pair else Fraction(-1),
    }[bet]


@rulebook({"commission": ["4.1.1", "4.1.2", "3.14"]}, by=settle)
@pytest.mark.parametrize("key", ["A", "B", "C", "D"])
def test_4_1_2_holds_for_every_bet_on_every_layout_at_every_possible_end(key: str) -> None:
    stake = Cents(240_00)
    for bet in GAME.menu(GAME.layout(key)):
        for end in reachable():
            assert settle(bet, stake, end).profit == printed(bet.key, end) * stake, f"{bet.key} at {end}"
