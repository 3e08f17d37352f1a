"""Section 3 of the two long documents: card values, dealing, third cards, winner and tie."""

from itertools import product

import pytest

import puntobanco as pb
from puntobanco.rules.cards import Card, Rank, read_cards
from puntobanco.rules.coup import FIRST_FOUR, Coup, Hand, deal
from puntobanco.rules.explanation import ExplanationStep, explain
from puntobanco.rules.outcome import Outcome, Side, Winner
from puntobanco.rules.procedures import TieMode
from puntobanco.rules.settlement import Result, settle
from puntobanco.rules.slip import settle_slip
from puntobanco.rules.tableau import TableOfPlay
from tests.marks import rulebook, rulings

LONG = ("commission", "wu-song")

PLAYER, BANKER = Side.PLAYER, Side.BANKER

TWO_CARDS = ("10 K", "A Q", "2 J", "3 K", "4 K", "5 K", "6 K", "7 K", "8 K", "9 K")
"""Two cards for each total from 0 to 9, none of them a pair."""


def opening(player: int, banker: int) -> tuple[Card, ...]:
    """Four cards in draw order that give these two-card totals."""
    (one, three), (two, four) = read_cards(TWO_CARDS[player]), read_cards(TWO_CARDS[banker])
    return (one, two, three, four)


# ---- card values -------------------------------------------------------------------------------------------------


@rulebook({"commission": ["3.2", "3.2.1"], "wu-song": ["3.2", "3.2.1"]}, by=Rank.points)
def test_3_2_1_an_ace_is_worth_one() -> None:
    assert Rank.ACE.points == 1


@rulebook({"commission": ["3.2", "3.2.2"], "wu-song": ["3.2", "3.2.2"]}, by=[Rank.points, Hand.points])
def test_3_2_2_two_to_ten_are_worth_their_face_and_of_a_ten_the_last_digit_stays() -> None:
    assert [Rank(face).points for face in range(2, 10)] == list(range(2, 10))
    assert Rank.TEN.points == 10 % 10
    for other in Rank:
        face = 0 if other > Rank.TEN else int(other)
        assert Hand((Card(Rank.TEN), Card(other))).points == (10 + face) % 10


@rulebook({"commission": ["3.2", "3.2.3"], "wu-song": ["3.2", "3.2.3"]}, by=Rank.points)
@pytest.mark.parametrize("picture", [Rank.JACK, Rank.QUEEN, Rank.KING])
def test_3_2_3_pictures_are_worth_nothing(picture: Rank) -> None:
    assert picture.points == 0


@pytest.mark.parametrize("key", LONG)
def test_3_2_the_three_value_paragraphs_are_cited_in_order(key: str) -> None:
    assert pb.game(key).round.values == ("3.2.1", "3.2.2", "3.2.3")


# ---- the first four cards ----------------------------------------------------------------------------------------


@rulebook({"commission": ["3.10"], "wu-song": ["3.10"]}, by=[Coup.sides, explain])
@pytest.mark.parametrize("key", LONG)
def test_3_10_first_and_third_card_go_to_the_player_second_and_fourth_to_the_banker(key: str) -> None:
    coup = deal(read_cards("A 2 3 4"))
    assert coup.sides == (PLAYER, BANKER, PLAYER, BANKER)
    assert (coup.player, coup.banker) == (Hand(read_cards("A 3")), Hand(read_cards("2 4")))
    assert [deal(read_cards("A 2 3 4")[:drawn]).due for drawn in range(4)] == list(FIRST_FOUR)
    dealt = [step for step in explain(pb.game(key), coup) if step.step is ExplanationStep.CARD_DEALT]
    assert [step.rule for step in dealt] == ["3.10"] * 4


@rulebook({"commission": ["3.10"], "wu-song": ["3.10"]}, by=[Hand.is_pair, settle_slip])
@pytest.mark.parametrize("key", LONG)
def test_3_10_only_the_first_four_cards_decide_the_pairs(key: str) -> None:
    """The Player's third card repeats a rank, the Banker's a second one: neither makes a pair."""
    cards = "2 3 A K 2 K"
    slip = pb.settle(pb.game(key), cards, {"player_pair": pb.money("10"), "banker_pair": pb.money("10")})
    assert {bet: settled.result for bet, settled in slip.bets.items()} == {
        "player_pair": Result.LOSE,
        "banker_pair": Result.LOSE,
    }
    coup = deal(read_cards("2 A 2 K A K"))
    assert (coup.outcome.player_pair, coup.outcome.banker_pair) == (True, False)


# ---- the Table of Play -------------------------------------------------------------------------------------------

BANKER_DRAWS_AGAINST = {
    3: (0, 1, 2, 3, 4, 5, 6, 7, 9),
    4: (2, 3, 4, 5, 6, 7),
    5: (4, 5, 6, 7),
    6: (6, 7),
}
BANKER_STANDS_AGAINST = {
    3: (8,),
    4: (0, 1, 8, 9),
    5: (0, 1, 2, 3, 8, 9),
    6: (0, 1, 2, 3, 4, 5, 8, 9),
}
"""The two middle columns of the printed table; each Banker total against every third card of the Player."""


def test_3_12_the_two_printed_columns_leave_no_third_card_out() -> None:
    for total, draws in BANKER_DRAWS_AGAINST.items():
        assert sorted(draws + BANKER_STANDS_AGAINST[total]) == list(range(10))


@rulings("CRD-4", "CRD-5")
@rulebook({"commission": ["3.12"], "wu-song": ["3.12"]}, by=[TableOfPlay.player_draws, Coup.due])
@pytest.mark.parametrize(("player", "banker"), list(product(range(10), repeat=2)))
def test_3_12_the_player_draws_on_0_to_5_stands_on_6_and_7_and_a_natural_stops_both(player: int, banker: int) -> None:
    coup = deal(opening(player, banker))
    if player >= 8 or banker >= 8:
        assert coup.due is None
    elif player <= 5:
        assert coup.due is PLAYER
    else:
        assert coup.due is not PLAYER


@rulebook({"commission": ["3.11"], "wu-song": ["3.11"]}, by=[TableOfPlay.banker_draws, Coup.due])
@pytest.mark.parametrize(("player", "banker"), list(product((6, 7), range(10))))
def test_3_11_when_the_player_takes_no_third_card_the_banker_draws_on_0_to_5_and_stands_on_6_to_9(
    player: int, banker: int
) -> None:
    coup = deal(opening(player, banker))
    assert coup.due is (BANKER if banker <= 5 else None)
    if banker <= 5:
        drawn = coup.draw(Card(Rank.NINE))
        assert drawn.is_complete
        assert drawn.sides[4:] == (BANKER,)


@rulebook({"commission": ["3.12"], "wu-song": ["3.12"]}, by=[TableOfPlay.banker_draws, Coup.due])
@pytest.mark.parametrize(("player", "banker"), list(product(range(6), range(8))))
def test_3_12_the_banker_answers_every_third_card_of_the_player_as_printed(player: int, banker: int) -> None:
    for third in Rank:
        coup = deal(opening(player, banker)).draw(Card(third))
        counts = third.value if third.value < 10 else 0
        if banker in BANKER_DRAWS_AGAINST:
            draws = counts in BANKER_DRAWS_AGAINST[banker]
            assert draws is not (counts in BANKER_STANDS_AGAINST[banker])
        else:
            draws = banker <= 2
        assert coup.due is (BANKER if draws else None), f"Banker {banker} against {third.name}"
        if draws:
            assert coup.draw(Card(Rank.ACE)).is_complete, "six cards are the most"


@rulebook({"commission": ["3.11", "3.12"], "wu-song": ["3.11", "3.12"]}, by=explain)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize(
    ("cards", "steps"),
    [
        ("2 4 3 2 6 9", [(ExplanationStep.PLAYER_DRAWS, "3.12"), (ExplanationStep.BANKER_DRAWS_AGAINST, "3.12")]),
        ("2 4 3 2 5", [(ExplanationStep.PLAYER_DRAWS, "3.12"), (ExplanationStep.BANKER_STANDS_AGAINST, "3.12")]),
        ("3 2 4 3 4", [(ExplanationStep.PLAYER_STANDS, "3.12"), (ExplanationStep.BANKER_DRAWS, "3.11")]),
        ("3 K 4 6", [(ExplanationStep.PLAYER_STANDS, "3.12"), (ExplanationStep.BANKER_STANDS, "3.11")]),
    ],
)
def test_3_11_and_3_12_are_cited_for_every_draw_and_stand(
    key: str, cards: str, steps: list[tuple[ExplanationStep, str]]
) -> None:
    said = list(explain(pb.game(key), deal(read_cards(cards))))
    third_cards = [step.rule for step in said if step.step is ExplanationStep.CARD_DEALT][4:]
    assert third_cards == ["3.11"] * (len(cards.split()) - 4)
    decisions = [(step.step, step.rule) for step in said if step.step in dict(steps)]
    assert decisions == steps


# ---- winner and tie ----------------------------------------------------------------------------------------------


@rulebook({"commission": ["3.13"], "wu-song": ["3.13"]}, by=[Outcome.winner, settle])
@pytest.mark.parametrize("key", LONG)
def test_3_13_nine_is_highest_and_the_higher_total_wins(key: str) -> None:
    game = pb.game(key)
    player_bet, banker_bet = (game.bet(side, game.layout("A")) for side in Side)
    for player, banker in product(range(10), repeat=2):
        outcome = Outcome(player, banker, 3, 3, False, False)
        if player > banker:
            assert outcome.winner is Winner.PLAYER
            assert settle(banker_bet, pb.money("10"), outcome).rule == "3.13", "the loser cites the comparison"
        if player < banker:
            assert outcome.winner is Winner.BANKER
            assert settle(player_bet, pb.money("10"), outcome).rule == "3.13"
    assert game.round.winner == "3.13"


@rulings("TIE-1")
@rulebook({"commission": ["3.14"], "wu-song": ["3.14"]}, by=settle)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize("points", range(10))
def test_3_14_on_a_tie_both_original_bets_are_returned_to_the_cent(key: str, points: int) -> None:
    game = pb.game(key)
    assert game.tie.rule == "3.14"
    assert game.tie.mode is TieMode.RETURNED
    for layout, side in product(game.layouts, Side):
        settled = settle(game.bet(side, layout), pb.money("123"), Outcome(points, points, 3, 3, False, False))
        assert (settled.result, settled.profit, settled.commission) == (Result.PUSH, 0, 0)
        assert (settled.returned, settled.rule) == (pb.money("123"), "3.14")


# ---- whole deals -------------------------------------------------------------------------------------------------


@rulebook(
    {"commission": ["3.10", "3.11", "3.12", "3.13", "3.14"], "wu-song": ["3.10", "3.11", "3.12", "3.13", "3.14"]},
    by=[deal, settle_slip],
)
@pytest.mark.parametrize(
    ("cards", "points", "won"),
    [
        # cards in draw order, final totals, and what 100 on each bet brings: the same in both documents, or in each
        pytest.param(
            "9 7 K 10", (9, 7), {"player": "100", "banker": "-100", "tie": "-100"}, id="Player's natural 9 beats 7"
        ),
        pytest.param(
            "2 4 3 4",
            (5, 8),
            {"player": "-100", "banker": ("95", "100"), "tie": "-100", "banker_pair": "1100"},
            id="Banker's natural 8 stops a Player on 5",
        ),
        pytest.param(
            "10 6 K A 5",
            (5, 7),
            {"player": "-100", "banker": ("95", "50"), "tie": "-100"},
            id="ten and king are no pair, Banker 7 stands",
        ),
        pytest.param(
            "2 3 4 3",
            (6, 6),
            {"player": "0", "banker": "0", "tie": ("800", "1000"), "banker_pair": "1100"},
            id="6-6, both stand",
        ),
        pytest.param(
            "2 K 3 3 8",
            (3, 3),
            {"player": "0", "banker": "0", "tie": "800"},
            id="Banker 3 stands against an 8",
        ),
        pytest.param(
            "K 4 Q K A",
            (1, 4),
            {"player": "-100", "banker": ("95", "100"), "tie": "-100"},
            id="Banker 4 stands against an ace",
        ),
        pytest.param(
            "2 4 3 2 6 9",
            (1, 5),
            {"player": "-100", "banker": ("95", "100"), "tie": "-100"},
            id="Banker 6 draws against a 6",
        ),
        pytest.param(
            "2 4 3 2 5",
            (0, 6),
            {"player": "-100", "banker": ("95", "50"), "tie": "-100"},
            id="Banker 6 stands against a 5",
        ),
        pytest.param(
            "3 2 4 3 4",
            (7, 9),
            {"player": "-100", "banker": ("95", "100"), "tie": "-100"},
            id="Player stands on 7, Banker 5 draws",
        ),
    ],
)
def test_3_10_to_3_14_a_deal_from_the_first_card_to_the_money(
    cards: str, points: tuple[int, int], won: dict[str, str | tuple[str, str]]
) -> None:
    outcome = deal(read_cards(cards)).outcome
    assert (outcome.player_points, outcome.banker_points) == points
    expected = {"player_pair": "-100", "banker_pair": "-100"} | won
    stakes = {bet: pb.money("100") for bet in expected}
    for place, key in enumerate(LONG):
        slip = pb.settle(pb.game(key), cards, stakes)
        for bet, profit in expected.items():
            amount = profit if isinstance(profit, str) else profit[place]
            assert slip.bets[bet].profit == pb.money(amount), f"{bet} in {key}"
