"""Wu Song: the bets it defines, and what each pays on each layout, to the cent."""

from fractions import Fraction

import pytest

import puntobanco as pb
from puntobanco.rules.money import Cents, write_money
from puntobanco.rules.outcome import Outcome, Winner, reachable
from puntobanco.rules.settlement import Result, deciding_line, result_of, settle
from puntobanco.rules.slip import settle_slip
from tests.marks import rulebook, rulings

GAME = pb.game("wu-song")


def profit(cards: str, bet: str, stake: str = "10", *, layout: str) -> str:
    """What a stake on one bet gains or loses, in dollars and cents."""
    return write_money(pb.settle(GAME, cards, {bet: pb.money(stake)}, layout=layout).profit)


# ---- the bets that section 1 defines -----------------------------------------------------------------------------

SIDE_BETS = {
    # bet: the definition, and who has to win with how many points on how many cards
    "banker_big_7": ("1.2", Winner.BANKER, 7, 3),
    "banker_small_7": ("1.3", Winner.BANKER, 7, 2),
    "big_tiger": ("1.5", Winner.BANKER, 6, 3),
    "player_big_7": ("1.17", Winner.PLAYER, 7, 3),
    "player_small_7": ("1.19", Winner.PLAYER, 7, 2),
    "small_tiger": ("1.24", Winner.BANKER, 6, 2),
    "wu_song": ("1.30", Winner.PLAYER, 6, 3),
}


@rulebook({"wu-song": ["1.2", "1.3", "1.5", "1.17", "1.19", "1.24", "1.30"]}, by=[result_of, settle])
@pytest.mark.parametrize("key", SIDE_BETS)
def test_1_2_a_7_a_tiger_and_wu_song_win_by_hand_points_and_cards_and_lose_on_all_else(key: str) -> None:
    number, winner, points, cards = SIDE_BETS[key]
    bet = next(bet for bet in GAME.bets if bet.key == key)
    assert bet.rule == number
    wins = 0
    for end in reachable():
        banker = winner is Winner.BANKER
        hand = (end.banker_points, end.banker_cards) if banker else (end.player_points, end.player_cards)
        beaten = end.player_points if banker else end.banker_points
        won = hand == (points, cards) and beaten < points
        assert result_of(bet, end) is (Result.WIN if won else Result.LOSE), f"{key} at {end}"
        if not won:
            assert settle(bet, pb.money("10"), end).rule == number, "the loser cites the definition"
        wins += won
    assert wins


@rulings("PAY-4")
@rulebook({"wu-song": ["1.2", "1.3", "1.5", "1.17", "1.19", "1.24", "1.30"]}, by=settle_slip)
@pytest.mark.parametrize(
    ("cards", "layout", "bets"),
    [
        ("3 K 4 7", "E", ["banker_big_7", "banker_small_7", "player_big_7", "player_small_7"]),
        ("A K 5 6", "A", ["big_tiger", "small_tiger", "wu_song"]),
        ("K K K K 6 6", "A", ["big_tiger", "small_tiger", "wu_song"]),
        ("K K K K 7 7", "F", ["banker_big_7", "banker_small_7", "player_big_7", "player_small_7"]),
    ],
)
def test_1_2_a_tie_on_the_very_points_wins_none_of_them(cards: str, layout: str, bets: list[str]) -> None:
    for bet in bets:
        assert profit(cards, bet, layout=layout) == "-10.00"


@rulebook({"wu-song": ["1.18"]}, by=[result_of, settle])
@pytest.mark.parametrize("side", ["player", "banker"])
def test_1_18_a_pair_bet_wins_on_that_hands_pair_whoever_wins_the_round(side: str) -> None:
    bet = GAME.bet(f"{side}_pair", GAME.layout("A"))
    assert bet.rule == "1.18"
    for end in reachable():
        paired = end.player_pair if side == "player" else end.banker_pair
        assert result_of(bet, end) is (Result.WIN if paired else Result.LOSE)
        if not paired:
            assert settle(bet, pb.money("10"), end).rule == "1.18"


@rulings("CRD-6", "REJ-13")
@rulebook({"wu-song": ["1.18"]}, by=settle_slip)
def test_1_18_ten_and_king_are_no_pair_two_tens_and_two_kings_are() -> None:
    assert profit("10 6 K A 5", "player_pair", layout="A") == "-10.00"
    assert profit("10 6 10 A 5", "player_pair", layout="A") == "110.00"
    assert profit("9 K K K", "banker_pair", layout="A") == "110.00"


@rulebook({"wu-song": ["1.27"]}, by=[result_of, settle])
def test_1_27_tiger_tie_wins_on_six_all_and_on_nothing_else() -> None:
    bet = GAME.bet("tiger_tie", GAME.layout("A"))
    assert bet.rule == "1.27"
    for end in reachable():
        sixes = end.player_points == end.banker_points == 6
        assert result_of(bet, end) is (Result.WIN if sixes else Result.LOSE)
        if not sixes:
            assert settle(bet, pb.money("10"), end).rule == "1.27"


@rulings("PAY-3")
@rulebook({"wu-song": ["1.29"]}, by=[result_of, settle])
def test_1_29_wu_dalang_needs_the_player_hand_to_win_on_one_point() -> None:
    bet = GAME.bet("wu_dalang", GAME.layout("A"))
    assert bet.rule == "1.29"
    for end in reachable():
        won = (end.player_points, end.banker_points) == (1, 0)
        assert result_of(bet, end) is (Result.WIN if won else Result.LOSE)
        if won:
            assert end.player_cards == 3, "two cards of one point always draw or are beaten"
        else:
            assert settle(bet, pb.money("10"), end).rule == "1.29"


@rulings("PAY-2", "REJ-12")
@rulebook({"wu-song": ["1.29"]}, by=settle_slip)
@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        pytest.param("K 2 4 A 7 7", "150.00", id="1 beats 0"),
        pytest.param("K 4 Q K A", "-1.00", id="1 loses to 4"),
        pytest.param("K K Q A A K", "-1.00", id="1 ties 1"),
    ],
)
def test_1_29_a_player_total_of_one_is_not_enough(cards: str, expected: str) -> None:
    assert profit(cards, "wu_dalang", "1", layout="A") == expected


# ---- Player and Banker -------------------------------------------------------------------------------------------


@rulebook({"wu-song": ["1.13", "1.13.1", "1.13.2", "4.1.1"]}, by=settle)
@pytest.mark.parametrize("layout", "ABCDEF")
def test_1_13_original_bets_pay_even_money_but_half_for_banker_on_6_or_7_and_player_on_7(layout: str) -> None:
    player, banker = (GAME.bet(side, GAME.layout(layout)) for side in ("player", "banker"))
    for end in reachable():
        if end.winner is Winner.TIE:
            continue
        if end.winner is Winner.BANKER:
            bet, half, exception = banker, end.banker_points in (6, 7), "1.13.1"
        else:
            bet, half, exception = player, end.player_points == 7, "1.13.2"
        line, settled = deciding_line(bet, end), settle(bet, pb.money("15"), end)
        assert line is not None
        assert line.defined == (exception if half else "1.13")
        assert settled.profit == (pb.money("7.50") if half else pb.money("15"))
        assert (settled.pays, settled.rule) == ("1:2" if half else "1:1", "4.1.1")
        assert (settled.commission, settled.commission_rule) == (0, None)


@rulebook({"wu-song": ["4.1.1"]}, by=settle_slip)
@pytest.mark.parametrize(
    ("cards", "bet", "expected"),
    [
        pytest.param("3 K 4 5 A", "player", "50.00", id="Player 7 beats a drawn 6"),
        pytest.param("3 K 4 6", "player", "50.00", id="Player 7 beats 6, both stand"),
        pytest.param("K K A 2 5 2", "player", "100.00", id="Player 6 pays even money"),
        pytest.param("K 2 4 A 7 7", "player", "100.00", id="Player 1 pays even money"),
        pytest.param("9 7 K 10", "player", "100.00", id="Player 9 pays even money"),
        pytest.param("2 4 3 2 5", "banker", "50.00", id="Banker 6 on two cards"),
        pytest.param("K A 2 A 2 4", "banker", "50.00", id="Banker 6 on three cards"),
        pytest.param("10 6 K A 5", "banker", "50.00", id="Banker 7 on two cards"),
        pytest.param("K A 2 A 2 5", "banker", "50.00", id="Banker 7 on three cards"),
        pytest.param("2 4 3 4", "banker", "100.00", id="Banker 8 pays even money"),
        pytest.param("2 4 3 2 6 9", "banker", "100.00", id="Banker 5 pays even money"),
        pytest.param("9 7 K 10", "banker", "-100.00", id="Banker loses whole"),
    ],
)
def test_4_1_1_original_bets_on_dealt_cards(cards: str, bet: str, expected: str) -> None:
    for layout in "ABCDEF":
        assert profit(cards, bet, "100", layout=layout) == expected


# ---- Tie ---------------------------------------------------------------------------------------------------------

TIES = {
    0: "K 5 K 5 K K",
    3: "2 K 3 3 8",
    6: "A K 5 6",
    7: "3 2 4 5",
    8: "3 2 5 6",
    9: "4 3 5 6",
}


@rulebook({"wu-song": ["4.1.2"]}, by=settle_slip)
@pytest.mark.parametrize("layout", "ABD")
@pytest.mark.parametrize("points", TIES)
def test_4_1_2_on_a_b_and_d_a_tie_pays_ten_on_6_or_7_and_eight_otherwise(layout: str, points: int) -> None:
    settled = pb.settle(GAME, TIES[points], {"tie": pb.money("100")}, layout=layout)
    assert settled.outcome.player_points == settled.outcome.banker_points == points
    assert settled.profit == pb.money("1000" if points in (6, 7) else "800")
    assert settled.bets["tie"].rule == "4.1.2"


@rulebook({"wu-song": ["4.1.3"]}, by=settle_slip)
@pytest.mark.parametrize("layout", "CEF")
@pytest.mark.parametrize("points", TIES)
def test_4_1_3_on_c_e_and_f_every_tie_pays_eight(layout: str, points: int) -> None:
    settled = pb.settle(GAME, TIES[points], {"tie": pb.money("100")}, layout=layout)
    assert settled.profit == pb.money("800")
    assert settled.bets["tie"].rule == "4.1.3"


@rulebook({"wu-song": ["4.1.2", "4.1.3"]}, by=settle_slip)
@pytest.mark.parametrize("layout", "ABCDEF")
def test_4_1_2_a_tie_bet_loses_when_a_hand_wins(layout: str) -> None:
    tie = pb.settle(GAME, "9 7 K 10", {"tie": pb.money("100")}, layout=layout).bets["tie"]
    assert (tie.profit, tie.rule) == (pb.money("-100"), "1.26")


# ---- the side bets' pay tables -----------------------------------------------------------------------------------


@rulings("PAY-6")
@rulebook({"wu-song": ["4.1.4"]}, by=settle_slip)
@pytest.mark.parametrize("layout", "ABCDEF")
def test_4_1_4_tiger_tie_pays_35_on_every_layout_beside_the_tie_itself(layout: str) -> None:
    stakes = {"tiger_tie": pb.money("10"), "tie": pb.money("10"), "small_tiger": pb.money("10")}
    slip = pb.settle(GAME, TIES[6], stakes, layout=layout)
    assert slip.bets["tiger_tie"].profit == pb.money("350")
    assert slip.bets["tiger_tie"].rule == "4.1.4"
    assert slip.bets["tie"].profit == pb.money("100" if layout in "ABD" else "80")
    assert slip.bets["small_tiger"].profit == pb.money("-10"), "a tie is no Banker win"
    assert profit(TIES[7], "tiger_tie", layout=layout) == "-10.00"


@rulebook({"wu-song": ["4.1.5"]}, by=settle_slip)
@pytest.mark.parametrize("layout", "ABCD")
def test_4_1_5_pairs_pay_11_on_a_to_d(layout: str) -> None:
    slip = pb.settle(GAME, "5 3 5 3 K", {"player_pair": pb.money("10"), "banker_pair": pb.money("10")}, layout=layout)
    assert [(one.profit, one.rule) for one in slip.bets.values()] == [(pb.money("110"), "4.1.5")] * 2


@rulebook({"wu-song": ["4.1.6", "4.1.7", "4.1.8", "4.1.9", "4.1.10"]}, by=settle_slip)
@pytest.mark.parametrize(
    ("bet", "layouts", "rule", "wins", "cards", "loses"),
    [
        # on the losing cards the same hand wins on the same points, or nearly
        ("banker_big_7", "EF", "4.1.6", "300.00", "K A 2 A 2 5", "10 6 K A 5"),
        ("banker_small_7", "EF", "4.1.6", "150.00", "10 6 K A 5", "K A 2 A 2 5"),
        ("player_big_7", "EF", "4.1.7", "300.00", "K K A 2 6 2", "3 K 4 5 A"),
        ("player_small_7", "EF", "4.1.7", "150.00", "3 K 4 5 A", "K K A 2 6 2"),
        ("big_tiger", "ABCDEF", "4.1.8", "500.00", "K A 2 A 2 4", "2 4 3 2 5"),
        ("small_tiger", "ABCDEF", "4.1.8", "220.00", "2 4 3 2 5", "K A 2 A 2 4"),
        ("wu_song", "ABCD", "4.1.9", "360.00", "K K A 2 5 2", "2 K 4 2 3"),
        ("wu_dalang", "ABCDEF", "4.1.10", "1500.00", "K 2 4 A 7 7", "K 4 Q K A"),
    ],
)
def test_4_1_6_to_4_1_10_each_side_bet_pays_what_its_table_prints(
    bet: str, layouts: str, rule: str, wins: str, cards: str, loses: str
) -> None:
    for layout in layouts:
        assert profit(cards, bet, layout=layout) == wins
        assert pb.settle(GAME, cards, {bet: pb.money("10")}, layout=layout).bets[bet].rule == rule
        assert profit(loses, bet, layout=layout) == "-10.00"


def printed(bet: str, layout: str, end: Outcome) -> Fraction:
    """The pay tables read afresh: the gain on one unit, -1 for a loss, 0 for a return."""
    player, banker = end.player_points, end.banker_points
    if bet in ("player", "banker") and player == banker:
        return Fraction(0)
    player_wins, banker_wins = player > banker, banker > player
    tie_pays = 10 if layout in ("A", "B", "D") and player in (6, 7) else 8
    won: dict[str, tuple[bool, Fraction | int]] = {
        "player": (player_wins, Fraction(1, 2) if player == 7 else 1),
        "banker": (banker_wins, Fraction(1, 2) if banker in (6, 7) else 1),
        "tie": (player == banker, tie_pays),
        "tiger_tie": (player == banker == 6, 35),
        "player_pair": (end.player_pair, 11),
        "banker_pair": (end.banker_pair, 11),
        "banker_big_7": (banker_wins and banker == 7 and end.banker_cards == 3, 30),
        "banker_small_7": (banker_wins and banker == 7 and end.banker_cards == 2, 15),
        "player_big_7": (player_wins and player == 7 and end.player_cards == 3, 30),
        "player_small_7": (player_wins and player == 7 and end.player_cards == 2, 15),
        "big_tiger": (banker_wins and banker == 6 and end.banker_cards == 3, 50),
        "small_tiger": (banker_wins and banker == 6 and end.banker_cards == 2, 22),
        "wu_song": (player_wins and player == 6 and end.player_cards == 3, 36),
        "wu_dalang": (player_wins and player == 1, 150),
    }
    wins, pays = won[bet]
    return Fraction(pays) if wins else Fraction(-1)


@rulebook(
    {
        "wu-song": [
            "3.14", "4.1.1", "4.1.2", "4.1.3", "4.1.4", "4.1.5", "4.1.6", "4.1.7", "4.1.8", "4.1.9", "4.1.10",
        ]
    },
    by=settle,
)  # fmt: skip
@pytest.mark.parametrize("layout", "ABCDEF")
def test_4_1_1_to_4_1_10_hold_for_every_bet_at_every_possible_end(layout: str) -> None:
    stake = Cents(12_00)
    for bet in GAME.menu(GAME.layout(layout)):
        for end in reachable():
            assert settle(bet, stake, end).profit == printed(bet.key, layout, end) * stake, f"{bet.key} at {end}"
