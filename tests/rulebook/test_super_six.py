"""Non-Commission Baccarat with Super Six."""

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
from puntobanco.rules.slip import settle_slip
from tests.marks import rulebook, rulings

SUPER_SIX = "super-six"
STAKE = Cents(100_00)

LAYOUTS = [
    ("A", "Bean Baccarat (9 Players)", 9),
    ("B", "Mini Baccarat (7 Players)", 7),
    ("C", "Bean Baccarat (8 Players)", 8),
    ("D", "Bean Baccarat (7 Players)", 7),
    ("E", "Mini Baccarat (6 Players)", 6),
    ("F", "Mini Baccarat (5 Players)", 5),
]
BETS = ["player", "banker", "tie", "super_six", "player_pair", "banker_pair"]


def felt(key: str) -> Layout:
    layout = game(SUPER_SIX).layout(key)
    assert layout is not None
    return layout


def settled(bet: str, outcome: Outcome, layout: str = "A") -> Settled:
    return settle(game(SUPER_SIX).bet(bet, felt(layout)), STAKE, outcome)


def net(cards: str, stakes: dict[str, str]) -> dict[str, str]:
    amounts = {name: read_money(stake) for name, stake in stakes.items()}
    slip = settle_slip(game(SUPER_SIX), felt("A"), deal(read_cards(cards)), amounts)
    return {name: write_money(one.profit) for name, one in slip.bets.items()}


# ---- 2. the layouts ----------------------------------------------------------------------------------------------


@rulebook({SUPER_SIX: ["2.1.1"]}, by=Game.layout)
def test_2_1_1_six_layouts_and_no_others() -> None:
    assert [(one.key, one.title.en, one.most_boxes) for one in game(SUPER_SIX).layouts] == LAYOUTS
    assert game(SUPER_SIX).terminal is None
    for key in ("G", "0", "", "AA"):
        with pytest.raises(Refused) as refused:
            game(SUPER_SIX).layout(key)
        assert refused.value.reason is Reason.UNKNOWN_LAYOUT


@rulebook({SUPER_SIX: ["2.1.2", "App. A", "App. B", "App. C", "App. D", "App. E", "App. F"]}, by=Layout.check_box)
@pytest.mark.parametrize(("key", "title", "boxes"), LAYOUTS)
def test_2_1_2_as_many_boxes_as_the_layout_has_players(key: str, title: str, boxes: int) -> None:
    layout = felt(key)
    assert (layout.title.en, layout.rule, layout.most_boxes) == (title, f"App. {key}", boxes)
    assert [layout.check_box(box) for box in range(1, boxes + 1)] == list(range(1, boxes + 1))
    for box in (-1, 0, boxes + 1):
        with pytest.raises(Refused) as refused:
            layout.check_box(box)
        assert (refused.value.reason, refused.value.paragraph) == (Reason.BOX_OUT_OF_RANGE, f"App. {key}")


@rulebook({SUPER_SIX: ["2.1.3"]}, by=Game.menu)
@pytest.mark.parametrize("key", "ABCDEF")
def test_2_1_3_every_layout_has_six_betting_areas(key: str) -> None:
    titles = {bet.title.en for bet in game(SUPER_SIX).menu(felt(key))}
    assert titles == {"Player", "Banker", "Tie", "Player Pair", "Banker Pair", "Super Six"}


# ---- 3. how to play ----------------------------------------------------------------------------------------------


@rulebook({SUPER_SIX: ["3.3"]}, by=Game.menu)
def test_3_3_six_bets_and_no_others() -> None:
    found = game(SUPER_SIX)
    assert found.round.menu == "3.3"
    assert [bet.key for bet in found.menu(felt("A"))] == BETS
    assert [bet.key for bet in found.bets if bet.original] == ["player", "banker"]
    for missing in ("player_insurance", "banker_insurance", "big_tiger"):
        with pytest.raises(Refused) as refused:
            found.bet(missing, felt("A"))
        assert (refused.value.reason, refused.value.paragraph) == (Reason.UNKNOWN_BET, "3.3")


@rulebook({SUPER_SIX: ["3.3"]}, by=settle_slip)
@pytest.mark.parametrize("alone", BETS)
def test_3_3_each_bet_may_be_placed_alone(alone: str) -> None:
    assert list(net("K 2 3 4 A", {alone: "100"})) == [alone]


@rulebook({SUPER_SIX: ["3.3"]}, by=settle_slip)
def test_3_3_all_of_them_may_be_placed_together_player_and_banker_too() -> None:
    assert net("K 2 3 4 A", dict.fromkeys(BETS, "100")) == {
        "player": "-100.00",
        "banker": "50.00",
        "tie": "-100.00",
        "super_six": "1500.00",
        "player_pair": "-100.00",
        "banker_pair": "-100.00",
    }


@rulebook({SUPER_SIX: ["3.8"]}, by=settle)
def test_3_8_on_a_tie_bets_on_player_and_banker_neither_win_nor_lose_and_may_be_withdrawn() -> None:
    tie = game(SUPER_SIX).tie
    assert (tie.mode, tie.rule) == (TieMode.MAY_BE_WITHDRAWN, "3.8")
    for outcome in reachable():
        if outcome.player_points == outcome.banker_points:
            for bet in ("player", "banker"):
                back = settled(bet, outcome)
                assert (back.result, back.returned, back.rule) == (Result.PUSH, STAKE, "3.8")


# ---- 4. settlement -----------------------------------------------------------------------------------------------


def pay_table(outcome: Outcome) -> dict[str, int | None]:
    """What 100 wins on each bet; none if it does not win."""
    player, banker = outcome.player_points, outcome.banker_points
    banker_on_six = banker == 6 and player < 6
    return {
        "player": 100 if player > banker else None,
        "banker": 50 if banker_on_six else 100 if banker > player else None,
        "tie": 800 if player == banker else None,
        "super_six": 1_500 if banker_on_six else None,
        "player_pair": 1_100 if outcome.player_pair else None,
        "banker_pair": 1_100 if outcome.banker_pair else None,
    }


@rulebook({SUPER_SIX: ["4.1.1", "1-NonCommission", "1-SuperSix"]}, by=settle)
@pytest.mark.parametrize("layout", "ABCDEF")
@pytest.mark.parametrize("bet", BETS)
def test_4_1_1_every_way_a_round_can_end_pays_as_the_table_says_on_every_layout(bet: str, layout: str) -> None:
    for outcome in reachable():
        wins, got = pay_table(outcome)[bet], settled(bet, outcome, layout)
        assert got.commission == 0
        if wins is not None:
            assert (got.result, got.profit, got.rule) == (Result.WIN, wins * 100, "4.1.1"), outcome
        elif outcome.player_points == outcome.banker_points and bet in ("player", "banker"):
            assert (got.result, got.profit, got.rule) == (Result.PUSH, 0, "3.8"), outcome
        else:
            assert (got.result, got.profit, got.returned) == (Result.LOSE, -STAKE, 0), outcome


@rulings("PAY-5")
@rulebook({SUPER_SIX: ["1-SuperSix", "1-NonCommission"]}, by=settle)
@pytest.mark.parametrize("cards", ["K 2 3 4 A", "K A 2 A 2 4"])
def test_1_super_six_wins_when_the_banker_wins_on_six_with_two_cards_or_three(cards: str) -> None:
    assert net(cards, {"super_six": "10", "banker": "100"}) == {"super_six": "150.00", "banker": "50.00"}


@rulings("PAY-4")
@rulebook({SUPER_SIX: ["1-SuperSix", "3.8"]}, by=settle)
def test_1_super_six_loses_on_a_tie_at_six_while_the_banker_bet_may_be_withdrawn() -> None:
    stakes = {"super_six": "10", "tie": "10", "banker": "10", "player": "10"}
    assert net("2 2 4 4", stakes) == {"super_six": "-10.00", "tie": "80.00", "banker": "0.00", "player": "0.00"}


@rulebook({SUPER_SIX: ["1-SuperSix"]}, by=settle)
@pytest.mark.parametrize(
    "cards",
    [
        "2 2 5 4",  # the Player's 7 beats the Banker's 6
        "2 K 4 5 8",  # the Player wins on 6
        "T 6 K A 5",  # the Banker wins on 7
        "2 4 3 2 6 9",  # the Banker had six and drew to 5
    ],
)
def test_1_super_six_loses_on_everything_else(cards: str) -> None:
    assert net(cards, {"super_six": "10"}) == {"super_six": "-10.00"}


@pytest.mark.parametrize(
    ("bet", "cards", "rule"),
    [
        ("player", "2 4 3 4", "3.7"),
        ("banker", "9 7 K T", "3.7"),
        ("tie", "9 7 K T", "1-Tie"),
        ("super_six", "9 7 K T", "1-SuperSix"),
        ("player_pair", "9 7 K T", "1-Pair"),
        ("banker_pair", "9 7 K T", "1-Pair"),
    ],
)
def test_a_losing_bet_cites_what_decided_against_it(bet: str, cards: str, rule: str) -> None:
    lost = settled(bet, deal(read_cards(cards)).outcome)
    assert (lost.result, lost.rule) == (Result.LOSE, rule)
