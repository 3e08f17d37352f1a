"""Non-Commission Baccarat on player terminals."""

import pytest

from puntobanco.rules.cards import read_cards
from puntobanco.rules.coup import deal
from puntobanco.rules.game import Game, Terminal
from puntobanco.rules.library import game
from puntobanco.rules.money import Cents, read_money, write_money
from puntobanco.rules.outcome import Outcome, reachable
from puntobanco.rules.procedures import TieMode
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result, Settled, settle
from puntobanco.rules.slip import settle_slip
from tests.marks import rulebook, rulings

ETG = "non-commission-etg"
STAKE = Cents(100_00)


def settled(bet: str, outcome: Outcome) -> Settled:
    return settle(game(ETG).bet(bet, None), STAKE, outcome)


def net(cards: str, stakes: dict[str, str]) -> dict[str, str]:
    slip = settle_slip(game(ETG), None, deal(read_cards(cards)), {k: read_money(v) for k, v in stakes.items()})
    return {name: write_money(one.profit) for name, one in slip.bets.items()}


# ---- 2. the display ----------------------------------------------------------------------------------------------


@rulebook({ETG: ["2.1.1"]}, by=(Game.layout, Game.check_box))
def test_2_1_1_the_display_is_a_terminal_so_there_is_no_layout_and_no_box() -> None:
    found = game(ETG)
    assert found.terminal is not None
    assert found.terminal.rule == "2.1.1"
    assert found.layouts == ()
    assert found.layout() is None
    with pytest.raises(Refused) as refused:
        found.layout("A")
    assert (refused.value.reason, refused.value.paragraph) == (Reason.NO_LAYOUTS, "2.1.1")
    with pytest.raises(Refused) as refused:
        found.check_box(None, 1)
    assert refused.value.reason is Reason.NO_BOXES


@rulebook({ETG: ["1-PlayerTerminal"]}, by=Terminal)
def test_1_player_terminal_is_the_device_the_game_names() -> None:
    terminal = game(ETG).terminal
    assert terminal is not None
    assert terminal.device == "1-PlayerTerminal"


# ---- 3. how to play ----------------------------------------------------------------------------------------------


@rulebook({ETG: ["3.3"]}, by=Game.menu)
def test_3_3_five_bets_and_no_others() -> None:
    found = game(ETG)
    assert found.round.menu == "3.3"
    assert [bet.title.en for bet in found.menu(None)] == ["Player", "Banker", "Tie", "Player Pair", "Banker Pair"]
    assert [bet.key for bet in found.menu(None) if bet.original] == ["player", "banker"]
    for missing in ("super_six", "player_insurance", "tiger_tie"):
        with pytest.raises(Refused) as refused:
            found.bet(missing, None)
        assert (refused.value.reason, refused.value.paragraph) == (Reason.UNKNOWN_BET, "3.3")


@rulebook({ETG: ["3.3"]}, by=settle_slip)
@pytest.mark.parametrize("alone", ["tie", "player_pair", "banker_pair", "player", "banker"])
def test_3_3_each_bet_may_be_placed_alone(alone: str) -> None:
    assert list(net("2 4 3 4", {alone: "100"})) == [alone]


@rulebook({ETG: ["3.3"]}, by=settle_slip)
def test_3_3_all_of_them_may_be_placed_together_player_and_banker_too() -> None:
    stakes = {bet.key: "100" for bet in game(ETG).menu(None)}
    assert net("2 4 3 4", stakes) == {
        "player": "-100.00",
        "banker": "100.00",
        "tie": "-100.00",
        "player_pair": "-100.00",
        "banker_pair": "1100.00",
    }


@rulebook({ETG: ["3.8"]}, by=settle)
def test_3_8_on_a_tie_bets_on_player_and_banker_are_returned() -> None:
    tie = game(ETG).tie
    assert (tie.mode, tie.rule) == (TieMode.RETURNED, "3.8")
    ties = [outcome for outcome in reachable() if outcome.player_points == outcome.banker_points]
    for outcome in ties:
        for bet in ("player", "banker"):
            back = settled(bet, outcome)
            assert (back.result, back.returned, back.rule) == (Result.PUSH, STAKE, "3.8")


# ---- 4. settlement -----------------------------------------------------------------------------------------------


def half_on_six(outcome: Outcome) -> int:
    """What 100 on the Banker wins when the Banker wins."""
    return 50 if outcome.banker_points == 6 else 100


def pay_table(outcome: Outcome) -> dict[str, int | None]:
    """What 100 wins on each bet; none if it does not win."""
    player, banker = outcome.player_points, outcome.banker_points
    return {
        "player": 100 if player > banker else None,
        "banker": half_on_six(outcome) if banker > player else None,
        "tie": 800 if player == banker else None,
        "player_pair": 1_100 if outcome.player_pair else None,
        "banker_pair": 1_100 if outcome.banker_pair else None,
    }


@rulebook({ETG: ["4.1.1", "1-NonCommission"]}, by=settle)
@pytest.mark.parametrize("bet", ["player", "banker", "tie", "player_pair", "banker_pair"])
def test_4_1_1_every_way_a_round_can_end_pays_as_the_table_says(bet: str) -> None:
    for outcome in reachable():
        wins, got = pay_table(outcome)[bet], settled(bet, outcome)
        assert got.commission == 0
        if wins is not None:
            assert (got.result, got.profit, got.rule) == (Result.WIN, wins * 100, "4.1.1"), outcome
        elif outcome.player_points == outcome.banker_points and bet in ("player", "banker"):
            assert (got.result, got.profit, got.rule) == (Result.PUSH, 0, "3.8"), outcome
        else:
            assert (got.result, got.profit, got.returned) == (Result.LOSE, -STAKE, 0), outcome


@rulebook({ETG: ["1-NonCommission"]}, by=settle)
def test_1_non_commission_the_banker_wins_even_money_or_half_on_six_with_two_cards_or_three() -> None:
    for cards in ("K 2 3 4 A", "K A 2 A 2 4"):
        assert deal(read_cards(cards)).outcome.banker_points == 6
        assert net(cards, {"banker": "15", "player": "15"}) == {"banker": "7.50", "player": "-15.00"}
    assert net("T 6 K A 5", {"banker": "15"}) == {"banker": "15.00"}
    assert net("K 2 6 4", {"banker": "15", "tie": "15"}) == {"banker": "0.00", "tie": "120.00"}


@rulings("MON-4")
@rulebook({ETG: ["1-NonCommission", "4.1.1"]}, by=Game.check_unit)
def test_4_1_1_half_pay_comes_out_to_the_cent_so_the_smallest_chip_is_two_cents() -> None:
    assert game(ETG).check_unit(2) == 2
    for unit in (0, 1, 3, 25):
        with pytest.raises(Refused) as refused:
            game(ETG).check_unit(unit)
        assert refused.value.reason is Reason.UNIT_NOT_PAYABLE


@rulings("DSP-3")
@rulebook({ETG: ["4.1.1"]}, by=(Game.menu, settle))
def test_4_1_1_what_the_terminal_shows_is_what_settles() -> None:
    for bet in game(ETG).menu(None):
        shown = {str(line.pays) for line in bet.lines}
        paid = {settled(bet.key, outcome).pays for outcome in reachable()} - {""}
        assert paid == shown


@rulings("PAY-9")
@pytest.mark.parametrize(
    ("bet", "cards", "rule"),
    [
        ("player", "2 4 3 4", "3.7"),
        ("banker", "9 7 K T", "3.7"),
        ("tie", "9 7 K T", "1-Tie"),
        ("player_pair", "9 7 K T", "1-Pair"),
        ("banker_pair", "9 7 K T", "1-Pair"),
    ],
)
def test_a_losing_bet_cites_what_decided_against_it(bet: str, cards: str, rule: str) -> None:
    lost = settled(bet, deal(read_cards(cards)).outcome)
    assert (lost.result, lost.rule) == (Result.LOSE, rule)
