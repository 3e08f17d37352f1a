"""Commission Baccarat with Insurance: everything but the insurance itself."""

import pytest

from puntobanco.rules.cards import read_cards
from puntobanco.rules.coup import deal
from puntobanco.rules.game import Game, Layout
from puntobanco.rules.library import game
from puntobanco.rules.money import Cents, read_money, write_money
from puntobanco.rules.outcome import Outcome, reachable
from puntobanco.rules.procedures import TieMode
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result, Settled, settle
from puntobanco.rules.slip import read_bet, settle_slip
from tests.marks import rulebook, rulings

INSURANCE = "insurance"
STAKE = Cents(100_00)

LAYOUTS = [
    ("A", "Big Baccarat (12 Players)", 12),
    ("B", "Big Baccarat (10 Players)", 10),
    ("C", "Bean Baccarat (9 Players)", 9),
    ("D", "Bean Baccarat (7 Players)", 7),
    ("E", "Mini Baccarat (7 Players)", 7),
    ("F", "Mini Baccarat (6 Players)", 6),
    ("G", "Mini Baccarat (5 Players)", 5),
]
BETS = ["player", "banker", "tie", "player_pair", "banker_pair"]


def felt(key: str) -> Layout:
    layout = game(INSURANCE).layout(key)
    assert layout is not None
    return layout


def settled(bet: str, outcome: Outcome, layout: str = "A") -> Settled:
    return settle(game(INSURANCE).bet(bet, felt(layout)), STAKE, outcome)


def net(cards: str, stakes: dict[str, str]) -> dict[str, str]:
    amounts = {name: read_money(stake) for name, stake in stakes.items()}
    slip = settle_slip(game(INSURANCE), felt("A"), deal(read_cards(cards)), amounts)
    return {name: write_money(one.profit) for name, one in slip.bets.items()}


# ---- 2. the layouts ----------------------------------------------------------------------------------------------


@rulebook({INSURANCE: ["2.1.1"]}, by=Game.layout)
def test_2_1_1_seven_layouts_and_no_others() -> None:
    assert [(one.key, one.title.en, one.most_boxes) for one in game(INSURANCE).layouts] == LAYOUTS
    assert game(INSURANCE).terminal is None
    for key in ("H", "0", "", "AA"):
        with pytest.raises(Refused) as refused:
            game(INSURANCE).layout(key)
        assert refused.value.reason is Reason.UNKNOWN_LAYOUT


@rulebook(
    {INSURANCE: ["2.1.2", "App. A", "App. B", "App. C", "App. D", "App. E", "App. F", "App. G"]}, by=Layout.check_box
)
@pytest.mark.parametrize(("key", "title", "boxes"), LAYOUTS)
def test_2_1_2_as_many_boxes_as_the_layout_has_players(key: str, title: str, boxes: int) -> None:
    layout = felt(key)
    assert (layout.title.en, layout.rule, layout.most_boxes) == (title, f"App. {key}", boxes)
    assert [layout.check_box(box) for box in range(1, boxes + 1)] == list(range(1, boxes + 1))
    for box in (-1, 0, boxes + 1):
        with pytest.raises(Refused) as refused:
            layout.check_box(box)
        assert (refused.value.reason, refused.value.paragraph) == (Reason.BOX_OUT_OF_RANGE, f"App. {key}")


@rulebook({INSURANCE: ["2.1.3"]}, by=Game.menu)
@pytest.mark.parametrize("key", "ABCDEFG")
def test_2_1_3_every_layout_has_seven_betting_areas(key: str) -> None:
    titles = {bet.title.en for bet in game(INSURANCE).menu(felt(key))}
    assert titles == {
        "Player",
        "Banker",
        "Tie",
        "Player Pair",
        "Banker Pair",
        "Player Insurance",
        "Banker Insurance",
    }


# ---- 3. how to play ----------------------------------------------------------------------------------------------


@rulebook({INSURANCE: ["3.3"]}, by=Game.menu)
def test_3_3_five_bets_before_the_cards_and_insurance_is_not_among_them() -> None:
    found = game(INSURANCE)
    assert found.round.menu == "3.3"
    assert [bet.key for bet in found.menu(felt("A")) if bet.insures is None] == BETS
    assert [bet.key for bet in found.bets if bet.original] == ["player", "banker"]
    for missing in ("super_six", "insurance", "big_tiger"):
        with pytest.raises(Refused) as refused:
            found.bet(missing, felt("A"))
        assert (refused.value.reason, refused.value.paragraph) == (Reason.UNKNOWN_BET, "3.3")


@rulebook({INSURANCE: ["3.3", "3.5"]}, by=read_bet)
@pytest.mark.parametrize("bet", ["player_insurance", "banker_insurance"])
def test_3_3_and_3_5_insurance_cannot_be_bet_without_its_window(bet: str) -> None:
    with pytest.raises(Refused) as refused:
        net("2 2 2 3 4 A", {"player": "100", "banker": "100", bet: "1"})
    assert refused.value.reason is Reason.WINDOW_MISSING


@rulebook({INSURANCE: ["3.3"]}, by=settle_slip)
@pytest.mark.parametrize("alone", BETS)
def test_3_3_each_bet_may_be_placed_alone(alone: str) -> None:
    assert list(net("2 4 3 4", {alone: "100"})) == [alone]


@rulebook({INSURANCE: ["3.3"]}, by=settle_slip)
def test_3_3_all_of_them_may_be_placed_together_player_and_banker_too() -> None:
    assert net("2 4 3 4", dict.fromkeys(BETS, "100")) == {
        "player": "-100.00",
        "banker": "95.00",
        "tie": "-100.00",
        "player_pair": "-100.00",
        "banker_pair": "1100.00",
    }


@rulebook({INSURANCE: ["3.9"]}, by=settle)
def test_3_9_on_a_tie_bets_on_player_and_banker_neither_win_nor_lose_and_may_be_withdrawn() -> None:
    tie = game(INSURANCE).tie
    assert (tie.mode, tie.rule) == (TieMode.MAY_BE_WITHDRAWN, "3.9")
    for outcome in reachable():
        if outcome.player_points == outcome.banker_points:
            for bet in ("player", "banker"):
                back = settled(bet, outcome)
                assert (back.result, back.returned, back.rule) == (Result.PUSH, STAKE, "3.9")
                assert back.commission == 0


# ---- 4. settlement -----------------------------------------------------------------------------------------------


@rulebook({INSURANCE: ["4.1.1"]}, by=settle)
def test_4_1_1_a_winning_banker_bet_is_charged_a_twentieth_and_no_other_bet_anything() -> None:
    for outcome in reachable():
        for bet in BETS:
            got = settled(bet, outcome)
            charged = bet == "banker" and outcome.banker_points > outcome.player_points
            assert got.commission == (5_00 if charged else 0)
            assert got.commission_rule == ("4.1.1" if charged else None)
            if charged:
                assert (got.gross, got.profit) == (100_00, 95_00)


@rulebook({INSURANCE: ["4.1.1", "4.1.2"]}, by=settle)
def test_4_1_1_the_commission_comes_out_to_the_cent() -> None:
    won = settle(game(INSURANCE).bet("banker", felt("A")), read_money("25"), deal(read_cards("2 4 3 4")).outcome)
    assert (won.profit, won.commission) == (read_money("23.75"), read_money("1.25"))
    assert game(INSURANCE).check_unit(20) == 20
    for unit in (0, 1, 2, 10, 50):
        with pytest.raises(Refused) as refused:
            game(INSURANCE).check_unit(unit)
        assert refused.value.reason is Reason.UNIT_NOT_PAYABLE


def pay_table(outcome: Outcome) -> dict[str, int | None]:
    """What 100 wins on each bet, less the commission; none if it does not win."""
    player, banker = outcome.player_points, outcome.banker_points
    return {
        "player": 100 if player > banker else None,
        "banker": 95 if banker > player else None,
        "tie": 800 if player == banker else None,
        "player_pair": 1_100 if outcome.player_pair else None,
        "banker_pair": 1_100 if outcome.banker_pair else None,
    }


@rulebook({INSURANCE: ["4.1.2"]}, by=settle)
@pytest.mark.parametrize("layout", "ABCDEFG")
@pytest.mark.parametrize("bet", BETS)
def test_4_1_2_every_way_a_round_can_end_pays_as_the_table_says_on_every_layout(bet: str, layout: str) -> None:
    for outcome in reachable():
        wins, got = pay_table(outcome)[bet], settled(bet, outcome, layout)
        if wins is not None:
            assert (got.result, got.profit, got.rule) == (Result.WIN, wins * 100, "4.1.2"), outcome
        elif outcome.player_points == outcome.banker_points and bet in ("player", "banker"):
            assert (got.result, got.profit, got.rule) == (Result.PUSH, 0, "3.9"), outcome
        else:
            assert (got.result, got.profit, got.returned) == (Result.LOSE, -STAKE, 0), outcome


@rulings("PAY-9")
@pytest.mark.parametrize(
    ("bet", "cards", "rule"),
    [
        ("player", "2 4 3 4", "3.8"),
        ("banker", "9 7 K T", "3.8"),
        ("tie", "9 7 K T", "1-Tie"),
        ("player_pair", "9 7 K T", "1-Pair"),
        ("banker_pair", "9 7 K T", "1-Pair"),
    ],
)
def test_a_losing_bet_cites_what_decided_against_it(bet: str, cards: str, rule: str) -> None:
    lost = settled(bet, deal(read_cards(cards)).outcome)
    assert (lost.result, lost.rule) == (Result.LOSE, rule)
