"""Section 1 of the two long documents: terms both define alike, each under its own number."""

from itertools import product

import pytest

import puntobanco as pb
from puntobanco.rules import library
from puntobanco.rules.cards import Card, Rank, read_cards
from puntobanco.rules.checks import citations
from puntobanco.rules.coup import Coup, Hand, deal
from puntobanco.rules.game import Bet
from puntobanco.rules.library import ParagraphMode
from puntobanco.rules.limits import BoxBet, TableLimits, differential, merged, reject_excess
from puntobanco.rules.money import Cents
from puntobanco.rules.outcome import Outcome, Side, Winner
from puntobanco.rules.procedures import Action, Authority, Irregularities, Round
from puntobanco.rules.procedures import StaffRank as HouseRank
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result, settle
from puntobanco.rules.tableau import TableOfPlay
from tests.marks import rulebook, rulings

LONG = ("commission", "wu-song")
LIMITS = TableLimits(minimum=Cents(100_00), differential=Cents(10_000_00))

PICTURES = (Rank.JACK, Rank.QUEEN, Rank.KING)


def bet_of(person: str, dollars: int, side: Side = Side.BANKER, *, seated: bool = False) -> BoxBet:
    return BoxBet(person=person, side=side, amount=Cents(dollars * 100), seated=seated)


# ---- terms nothing depends on ------------------------------------------------------------------------------------

INFORMATIONAL = {
    "commission": ("1.2", "1.3", "1.6", "1.8", "3.1"),
    "wu-song": ("1.4", "1.6", "1.9", "1.11", "3.1"),
}


@rulebook(
    {
        # bet and wager, shoe, shuffler, House; and the aim of the game
        "commission": ["1.2", "1.3", "1.6", "1.8", "3.1"],
        "wu-song": ["1.4", "1.6", "1.9", "1.11", "3.1"],
    },
    by=[library.rulebook, citations],
)
@pytest.mark.parametrize(("key", "rule"), [(key, rule) for key in LONG for rule in INFORMATIONAL[key]])
def test_1_2_a_term_that_only_informs_is_listed_as_such_and_decides_nothing(key: str, rule: str) -> None:
    assert library.rulebook(key)[rule].mode == (ParagraphMode.INFORMATIONAL,)
    assert rule not in {cited for _, cited in citations(pb.game(key))}


@pytest.mark.parametrize("key", LONG)
def test_no_other_paragraph_before_the_irregularities_merely_informs(key: str) -> None:
    book = library.rulebook(key)
    only_inform = [rule for rule, one in book.items() if one.mode == (ParagraphMode.INFORMATIONAL,) and rule < "5"]
    assert tuple(only_inform) == INFORMATIONAL[key]


# ---- the Table of Play, hands and totals -------------------------------------------------------------------------


@rulings("CRD-7")
@rulebook({"commission": ["1.1"], "wu-song": ["1.1"]}, by=[Coup.draw, Coup.due, Coup.outcome])
def test_1_1_no_card_is_drawn_beyond_the_table_of_play_and_none_is_left_out() -> None:
    both_stand = deal(read_cards("3 10 4 6"))
    with pytest.raises(Refused) as refused:
        both_stand.draw(Card(Rank.FIVE))
    assert refused.value.reason is Reason.HAND_COMPLETE

    player_must_draw = deal(read_cards("2 4 3 2"))
    assert player_must_draw.due is Side.PLAYER
    with pytest.raises(Refused) as refused:
        _ = player_must_draw.outcome
    assert refused.value.reason is Reason.TOO_FEW_CARDS


@rulebook({"commission": ["1.7"], "wu-song": ["1.10"]}, by=Coup.hand)
def test_1_7_a_hand_is_what_one_side_was_dealt_in_the_round() -> None:
    coup = deal(read_cards("2 4 3 2 6 9"))
    assert coup.hand(Side.PLAYER) == Hand(read_cards("2 3 6"))
    assert coup.hand(Side.BANKER) == Hand(read_cards("4 2 9"))
    assert Coup().hand(Side.PLAYER) == Hand(())


@rulebook({"commission": ["1.9"], "wu-song": ["1.12"]}, by=[TableOfPlay.is_natural, Outcome.natural])
@pytest.mark.parametrize("key", LONG)
def test_1_9_a_natural_is_two_card_8_or_9_of_either_hand_or_of_both(key: str) -> None:
    table = Coup().table
    for player, banker in product(range(10), repeat=2):
        natural = player >= 8 or banker >= 8
        assert table.is_natural(player, banker) is natural
        assert Outcome(player, banker, 2, 2, False, False).natural is natural
        assert not Outcome(player, banker, 3, 3, False, False).natural, "three cards are never a natural"
    assert pb.game(key).round.natural == {"commission": "1.9", "wu-song": "1.12"}[key]
    assert pb.explain(pb.game(key), deal(read_cards("9 7 K 10")))[-2].endswith(f"({pb.game(key).round.natural})")


@rulebook({"commission": ["1.14"], "wu-song": ["1.20"]}, by=Hand.points)
@pytest.mark.parametrize("key", LONG)
def test_1_14_above_nine_only_the_second_digit_of_the_total_counts(key: str) -> None:
    def printed(rank: Rank) -> int:
        return 0 if rank in PICTURES else int(rank)  # a ten is worth ten here

    for ranks in [*product(Rank, repeat=2), *product(Rank, repeat=3)]:
        total = sum(printed(rank) for rank in ranks)
        assert Hand(tuple(map(Card, ranks))).points == (total if total <= 9 else int(str(total)[1]))
    assert pb.game(key).round.total == {"commission": "1.14", "wu-song": "1.20"}[key]


@rulebook({"commission": ["1.19"], "wu-song": ["1.26"]}, by=Outcome.winner)
@pytest.mark.parametrize("key", LONG)
def test_1_19_a_tie_is_equal_totals_however_many_cards_made_them(key: str) -> None:
    for player, banker in product(range(10), repeat=2):
        for player_cards, banker_cards in product((2, 3), repeat=2):
            winner = Outcome(player, banker, player_cards, banker_cards, False, False).winner
            assert (winner is Winner.TIE) is (player == banker)
    game = pb.game(key)
    assert game.bet("tie", game.layout("A")).rule == {"commission": "1.19", "wu-song": "1.26"}[key]


# ---- people and their bets ---------------------------------------------------------------------------------------


@rulings("LIM-1")
@rulebook({"commission": ["1.5"], "wu-song": ["1.8"]}, by=differential)
@pytest.mark.parametrize("key", LONG)
def test_1_5_the_differential_is_the_gap_between_banker_and_player_money_whoever_bet_it(key: str) -> None:
    box = [bet_of("S", 12_000), bet_of("T1", 6_000), bet_of("T2", 5_000, Side.PLAYER)]
    assert differential(box) == 13_000_00
    assert differential([bet_of("S", 500), bet_of("S", 2_000, Side.PLAYER)]) == 1_500_00
    assert differential([]) == 0
    assert {side.value for side in Side} == {"player", "banker"}, "no other bet has a side and can enter it"
    limits = pb.game(key).limits
    assert limits is not None
    assert limits.differential == {"commission": "1.5", "wu-song": "1.8"}[key]


@rulings("PAY-1")
@rulebook({"commission": ["1.10"], "wu-song": ["1.14"]}, by=[Bet, settle])
@pytest.mark.parametrize("key", LONG)
def test_1_10_only_bets_on_the_two_hands_are_original_bets(key: str) -> None:
    game, number = pb.game(key), {"commission": "1.10", "wu-song": "1.14"}[key]
    assert {bet.key for bet in game.bets if bet.original} == {"player", "banker"}
    assert {bet.rule for bet in game.bets if bet.original} == {number}
    assert game.limits is not None
    assert game.limits.original_bet == number

    tie = deal(read_cards("2 K 3 3 8")).outcome
    for layout in game.layouts:
        returned = {bet.key for bet in game.menu(layout) if settle(bet, Cents(100), tie).result is Result.PUSH}
        assert returned == {"player", "banker"}, "no other bet comes back on a tie"


@rulings("BET-1")
@rulebook({"commission": ["1.12"], "wu-song": ["1.16"]}, by=merged)
def test_1_12_a_player_is_whoever_has_bet_and_all_chips_of_one_player_on_a_hand_are_one_bet() -> None:
    box = [bet_of("Ann", 60), bet_of("Bo", 300), bet_of("Ann", 40), bet_of("Ann", 500, Side.PLAYER)]
    assert merged(box) == (bet_of("Ann", 100), bet_of("Bo", 300), bet_of("Ann", 500, Side.PLAYER))
    assert merged([]) == ()


@rulings("LIM-16")
@rulebook({"commission": ["1.17"], "wu-song": ["1.23"]}, by=[BoxBet, merged, reject_excess])
@pytest.mark.parametrize("key", LONG)
def test_1_17_who_sits_at_the_box_is_seated_there_even_when_betting_last(key: str) -> None:
    box = [bet_of("early", 6_000), bet_of("sitter", 7_000, seated=True)]
    assert [one.plays for one in reject_excess(box, LIMITS)] == [3_000_00, 7_000_00]
    raised = [bet_of("sitter", 60, seated=True), bet_of("sitter", 40)]
    assert merged(raised) == (bet_of("sitter", 100, seated=True),), "a raise does not make the sitter stand"
    limits = pb.game(key).limits
    assert limits is not None
    assert limits.seated == {"commission": "1.17", "wu-song": "1.23"}[key]


@rulings("LIM-16")
@rulebook({"commission": ["1.18"], "wu-song": ["1.25"]}, by=[BoxBet, reject_excess])
@pytest.mark.parametrize("key", LONG)
def test_1_18_who_bets_on_the_box_of_another_is_standing_there(key: str) -> None:
    box = [bet_of("neighbour", 6_000), bet_of("passer-by", 7_000)]
    assert [one.plays for one in reject_excess(box, LIMITS)] == [6_000_00, 4_000_00], "the last to place is cut first"
    limits = pb.game(key).limits
    assert limits is not None
    assert limits.standing == {"commission": "1.18", "wu-song": "1.25"}[key]


# ---- the House's people, the round and its end -------------------------------------------------------------------


@rulebook({"commission": ["1.4"], "wu-song": ["1.7"]}, by=Authority)
@pytest.mark.parametrize(("key", "number"), [("commission", "1.4"), ("wu-song", "1.7")])
def test_1_4_whoever_deals_is_the_dealer(key: str, number: str) -> None:
    deals = pb.game(key).authority.provided()[Action.DEAL]
    assert deals.rule == number
    assert deals.least is HouseRank.DEALER


@rulebook({"commission": ["1.11"], "wu-song": ["1.15"]}, by=Authority)
@pytest.mark.parametrize(("key", "number"), [("commission", "1.11"), ("wu-song", "1.15")])
def test_1_11_dealer_supervisor_and_manager_are_pit_employees_and_may_act_for_each_other(key: str, number: str) -> None:
    game = pb.game(key)
    assert game.pit_employees == number
    for duty in (Action.DEAL, Action.OPEN_BETTING, Action.CLOSE_BETTING, Action.BET_FOR_PLAYER):
        assert (game.authority.provided()[duty].least, game.authority.provided()[duty].most) == (
            HouseRank.DEALER,
            HouseRank.PIT_MANAGER,
        )
    assert [rank.value for rank in HouseRank] == ["dealer", "pit_supervisor", "pit_manager", "shift_manager"]


@rulings("REC-1")
@rulebook({"commission": ["1.15"], "wu-song": ["1.21"]}, by=[Irregularities, deal])
@pytest.mark.parametrize(("key", "number"), [("commission", "1.15"), ("wu-song", "1.21")])
def test_1_15_reconstruction_gives_cards_the_place_their_order_of_leaving_the_shoe_means(key: str, number: str) -> None:
    left_the_shoe = read_cards("2 5 K K 4")
    put_right = deal(left_the_shoe)
    assert put_right.hand(Side.PLAYER) == Hand(read_cards("2 K 4")), "also if the fifth lay before the Banker"
    assert put_right.hand(Side.BANKER) == Hand(read_cards("5 K"))
    assert put_right.due is Side.BANKER
    assert pb.game(key).irregularities.reconstruction == number


@rulebook({"commission": ["1.16"], "wu-song": ["1.22"]}, by=Round)
@pytest.mark.parametrize(("key", "number"), [("commission", "1.16"), ("wu-song", "1.22")])
def test_1_16_the_document_says_when_a_round_begins_and_ends(key: str, number: str) -> None:
    assert pb.game(key).round.begins_and_ends == number


@rulebook({"commission": ["1.20"], "wu-song": ["1.28"]}, by=[Winner, Result, Coup.outcome])
def test_1_20_void_is_no_result_a_round_or_a_bet_can_have() -> None:
    assert {winner.value for winner in Winner} == {"player", "banker", "tie"}
    assert {result.value for result in Result} == {"win", "lose", "push"}
    for cards in ("", "9", "9 7", "9 7 K", "2 4 3 2", "2 4 3 2 6"):
        with pytest.raises(Refused):
            _ = deal(read_cards(cards)).outcome
