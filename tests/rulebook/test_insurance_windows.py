"""Insurance: when it is offered, on which hand and at what odds, and how the window is waived.

The pay table below was written down from the printed page a second time, on purpose: nothing here reads ours.
"""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from puntobanco.rules.cards import Card, Rank, read_cards
from puntobanco.rules.coup import Coup, deal
from puntobanco.rules.game import Game
from puntobanco.rules.insurance import Offer, check_waiver, may_waive, offer, offers
from puntobanco.rules.library import GAMES, game
from puntobanco.rules.outcome import Side, Winner
from puntobanco.rules.procedures import InsuranceRow, Window
from puntobanco.rules.refusal import Reason, Refused
from tests.marks import rulebook, rulings

INSURANCE = "insurance"

Cell = tuple[Window, int, int]
"""A window, the Player's points and the Banker's points in it."""

# ---- the printed page, a second time -----------------------------------------------------------------------------

PRINTED = [
    # window, insured hand, Player points, Banker points, odds
    (Window.FOUR, Side.BANKER, "01234", "5", "2"),
    (Window.FOUR, Side.BANKER, "012345", "6", "3"),
    (Window.FOUR, Side.BANKER, "012345", "7", "4"),
    (Window.FOUR, Side.PLAYER, "5", "4", "2"),
    (Window.FOUR, Side.PLAYER, "6", "012345", "3"),
    (Window.FOUR, Side.PLAYER, "7", "012345", "4"),
    (Window.FIVE, Side.BANKER, "1", "1", "6"),
    (Window.FIVE, Side.BANKER, "1", "23456", "7"),
    (Window.FIVE, Side.BANKER, "2", "3456", "4"),
    (Window.FIVE, Side.BANKER, "3", "4", "1.5"),
    (Window.FIVE, Side.PLAYER, "5", "01234", "2"),
    (Window.FIVE, Side.PLAYER, "6", "012345", "3"),
    (Window.FIVE, Side.PLAYER, "7", "0123456", "4"),
    (Window.FIVE, Side.PLAYER, "8", "0123456", "7"),
    (Window.FIVE, Side.PLAYER, "9", "0123456", "8"),
]

PRINTED_CELLS: dict[Cell, tuple[Side, Fraction]] = {
    (window, int(player), int(banker)): (insures, Fraction(odds))
    for window, insures, players, bankers, odds in PRINTED
    for player in players
    for banker in bankers
}

NOT_OFFERED_AFTER_FOUR = {(p, b) for p in range(5) for b in range(5)} | {(5, 0), (5, 1), (5, 2), (5, 3), (5, 5)}

NOT_OFFERED_AFTER_FIVE = (
    {(0, b) for b in range(7)}
    | {(1, 0)}
    | {(2, b) for b in range(3)}
    | {(3, b) for b in range(4)}
    | {(4, b) for b in range(6)}
    | {(5, 5), (6, 6)}
)

BANKER_DRAWS_AGAINST = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
}


def card(points: int) -> Card:
    return Card(Rank(points) if points else Rank.JACK)


def dealt(player: int, banker: int, *thirds: int) -> Coup:
    """Two-card totals and what was drawn to them."""
    return deal([card(0), card(0), card(player), card(banker), *map(card, thirds)])


def offered(coup: Coup) -> Offer | None:
    return offer(game(INSURANCE), coup)


def ways_to(player: int) -> Iterator[tuple[int, int]]:
    """Every (two-card total that draws, third card) that comes to those Player points."""
    return ((two, (player - two) % 10) for two in range(6))


def is_live(banker: int, third: int) -> bool:
    """Whether the Banker is still to draw once the Player's third card is open."""
    return str(third) in BANKER_DRAWS_AGAINST.get(banker, "")


def rows(found: Game) -> tuple[InsuranceRow, ...]:
    assert found.insurance is not None
    return found.insurance.rows


# ---- the pay table -----------------------------------------------------------------------------------------------


@rulebook({INSURANCE: ["4.1.3"]}, by=InsuranceRow)
def test_4_1_3_the_table_has_these_fifteen_rows() -> None:
    ours = [
        (
            row.window,
            row.insures,
            "".join(map(str, sorted(row.player))),
            "".join(map(str, sorted(row.banker))),
            row.odds,
        )
        for row in rows(game(INSURANCE))
    ]
    assert ours == [(*printed, Fraction(odds)) for *printed, odds in PRINTED]
    assert {row.rule for row in rows(game(INSURANCE))} == {"4.1.3"}
    assert [cell for cell, _, _ in PRINTED_CELLS].count(Window.FOUR) == 30
    assert [cell for cell, _, _ in PRINTED_CELLS].count(Window.FIVE) == 43


@rulebook({INSURANCE: ["4.1.3"]}, by=InsuranceRow.paid_on)
def test_4_1_3_only_the_row_with_the_asterisk_is_paid_on_a_tie() -> None:
    for row in rows(game(INSURANCE)):
        loses = Winner.BANKER if row.insures is Side.PLAYER else Winner.PLAYER
        asterisk = row.window is Window.FIVE and set(row.player) == {9}
        assert row.paid_on is (Winner.TIE if asterisk else loses)


@rulebook({INSURANCE: ["3.5", "4.1.3"]}, by=offer)
@pytest.mark.parametrize("player", range(10))
def test_4_1_3_after_four_cards_exactly_the_printed_cells_are_offered(player: int) -> None:
    for banker in range(10):
        made = offered(dealt(player, banker))
        printed = PRINTED_CELLS.get((Window.FOUR, player, banker))
        assert (made is None) is (printed is None), (player, banker)
        if made is not None:
            assert (made.insures, made.row.odds) == printed
            assert (made.window, made.bet.insures) == (Window.FOUR, made.insures)


@rulings("INS-4", "REJ-16")
@rulebook({INSURANCE: ["3.5", "4.1.3"]}, by=offer)
@pytest.mark.parametrize("player", range(10))
def test_4_1_3_after_the_third_card_exactly_the_printed_cells_are_offered_while_the_banker_is_to_draw(
    player: int,
) -> None:
    """The points are those of three cards, and how the Player came to them does not matter."""
    for banker in range(8):
        printed = PRINTED_CELLS.get((Window.FIVE, player, banker))
        for two, third in ways_to(player):
            made = offered(dealt(two, banker, third))
            assert (made is not None) is (printed is not None and is_live(banker, third)), (player, banker, third)
            if made is not None:
                assert (made.insures, made.row.odds) == printed
                assert (made.window, made.bet.insures) == (Window.FIVE, made.insures)


@rulings("INS-7", "REJ-18")
@rulebook({INSURANCE: ["4.1.3"]}, by=offer)
def test_4_1_3_what_the_table_leaves_out_is_not_offered_though_a_card_is_to_come() -> None:
    after_four = {(p, b) for p in range(8) for b in range(8) if not dealt(p, b).is_complete}
    assert {(p, b) for p, b in after_four if offered(dealt(p, b)) is None} == NOT_OFFERED_AFTER_FOUR
    after_five = {(p, b) for p in range(10) for b in range(8) for _, third in ways_to(p) if is_live(b, third)}
    missing = {cell for cell in after_five if (Window.FIVE, *cell) not in PRINTED_CELLS}
    assert missing == NOT_OFFERED_AFTER_FIVE
    for player, banker in missing:
        assert all(offered(dealt(two, banker, third)) is None for two, third in ways_to(player))


@rulebook({INSURANCE: ["3.5.1", "4.1.3"]}, by=offer)
@pytest.mark.parametrize(
    ("player", "banker", "live", "dead"),
    [
        (1, 1, "016789", ""),
        (1, 2, "016789", ""),
        (1, 3, "01679", "8"),
        (1, 4, "67", "0189"),
        (1, 5, "67", "0189"),
        (1, 6, "67", "0189"),
        (2, 3, "01279", "8"),
        (2, 4, "27", "0189"),
        (2, 5, "7", "01289"),
        (2, 6, "7", "01289"),
        (3, 4, "23", "0189"),
        (5, 3, "012345", ""),
        (5, 4, "2345", "01"),
        (6, 3, "123456", ""),
        (6, 4, "23456", "1"),
        (6, 5, "456", "123"),
        (7, 3, "234567", ""),
        (7, 4, "234567", ""),
        (7, 5, "4567", "23"),
        (7, 6, "67", "2345"),
        (8, 3, "34567", "8"),
        (8, 4, "34567", "8"),
        (8, 5, "4567", "38"),
        (8, 6, "67", "3458"),
        (9, 3, "45679", "8"),
        (9, 4, "4567", "89"),
        (9, 5, "4567", "89"),
        (9, 6, "67", "4589"),
    ],
)
def test_3_5_1_the_third_card_says_whether_the_banker_still_draws_and_so_whether_there_is_a_window(
    player: int, banker: int, live: str, dead: str
) -> None:
    assert {str(third) for _, third in ways_to(player)} == set(live + dead)
    for two, third in ways_to(player):
        coup = dealt(two, banker, third)
        assert (offered(coup) is not None) is (str(third) in live)
        assert coup.is_complete is (str(third) in dead)


@rulebook({INSURANCE: ["3.5.1"]}, by=offer)
@pytest.mark.parametrize("player", [5, 6, 7, 8, 9])
def test_3_5_1_against_a_banker_of_0_1_or_2_every_third_card_leaves_a_window(player: int) -> None:
    for banker in (0, 1, 2):
        assert all(offered(dealt(two, banker, third)) is not None for two, third in ways_to(player))


@pytest.mark.parametrize(
    ("capability", "paragraph"),
    [
        ("rule", "3.5"),
        ("situations", "3.5.1"),
        ("cap", "3.5.2"),
        ("eligible", "4.1.4"),
        ("tie", "3.9"),
        ("waiver", "4.1.5"),
    ],
)
def test_each_part_of_insurance_cites_its_own_paragraph(capability: str, paragraph: str) -> None:
    assert getattr(game(INSURANCE).insurance, capability) == paragraph


# ---- when -----------------------------------------------------------------------------------------------------------


@rulebook({INSURANCE: ["1-Insurance", "3.5"]}, by=offer)
def test_3_5_nothing_is_offered_before_four_cards_or_once_the_drawing_is_over() -> None:
    for cards in ("", "2", "2 2", "2 2 2"):
        assert offered(deal(read_cards(cards))) is None
    for cards in ("2 4 3 2 6 9", "3 2 4 3 4", "K 2 5 2 K", "2 3 4 3", "9 7 K T"):
        assert deal(read_cards(cards)).is_complete
        assert offered(deal(read_cards(cards))) is None


@rulebook({INSURANCE: ["1-Insurance"]}, by=offer)
@pytest.mark.parametrize("cards", ["4 3 5 6", "9 7 K T", "2 4 3 4", "2 3 4 3", "3 3 4 3", "K 3 6 4"])
def test_1_insurance_there_is_no_window_where_no_third_card_is_drawn(cards: str) -> None:
    assert list(offers(game(INSURANCE), deal(read_cards(cards)))) == []


@rulebook({INSURANCE: ["1-Insurance", "3.5.1"]}, by=offers)
def test_3_5_1_player_insurance_with_two_or_three_cards_banker_insurance_with_two_and_a_card_to_come() -> None:
    seen = set()
    for player in range(10):
        for banker in range(10):
            for third in range(10) if dealt(player, banker).due is Side.PLAYER else ():
                for made in offers(game(INSURANCE), dealt(player, banker, third)):
                    at = dealt(player, banker, third) if made.window is Window.FIVE else dealt(player, banker)
                    assert not at.is_complete
                    assert len(at.banker.cards) == 2
                    seen.add((made.insures, len(at.hand(made.insures).cards)))
    assert seen == {(Side.PLAYER, 2), (Side.PLAYER, 3), (Side.BANKER, 2)}


@rulings("INS-1")
@rulebook({INSURANCE: ["3.5", "4.1.3"]}, by=offers)
@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("2 2 2 3 4 A", ["four banker 2:1", "five player 7:1"]),  # the lead changes, and with it the insured hand
        ("K K 5 4 4 5", ["four player 2:1", "five player 8:1"]),
        ("K 2 5 2 K", ["four player 2:1"]),  # the Banker's 4 stands against a 0
        ("K A 5 2 3 2", ["five player 7:1"]),  # 5 against 3 has no row
        ("K 3 Q 4 9", ["four banker 4:1"]),  # the Banker stands on 7, but the Player is to draw
        ("3 2 4 3 2", ["four player 4:1"]),  # the Player stood, so there is no second window
        ("2 K 4 K 9", ["four player 3:1"]),
        ("2 4 3 2 6 9", ["four banker 3:1", "five banker 7:1"]),
        ("K K Q A A 9", ["five banker 6:1"]),
        ("K K A 4 2 5", ["five banker 1.5:1"]),
    ],
)
def test_3_5_the_windows_of_whole_rounds(cards: str, expected: list[str]) -> None:
    made = offers(game(INSURANCE), deal(read_cards(cards)))
    assert [f"{one.window} {one.insures} {one.row.odds}" for one in made] == expected


@rulebook({INSURANCE: ["3.5"]}, by=offer)
@pytest.mark.parametrize("key", [key for key in GAMES if key != INSURANCE])
def test_3_5_no_other_game_offers_insurance(key: str) -> None:
    for player, banker in ((4, 5), (5, 6), (0, 7), (7, 0)):
        assert offer(game(key), dealt(player, banker)) is None


# ---- the waiver -------------------------------------------------------------------------------------------------


@rulings("INS-15")
@rulebook({INSURANCE: ["4.1.5"]}, by=(may_waive, check_waiver))
def test_4_1_5_the_bankers_card_can_come_first_only_where_both_draw_whatever_the_players_is() -> None:
    for player in range(10):
        for banker in range(10):
            coup = dealt(player, banker)
            possible = player <= 5 and banker in (0, 1, 2)
            assert may_waive(game(INSURANCE), coup) is possible, (player, banker)
            if possible:
                check_waiver(game(INSURANCE), coup)
            else:
                with pytest.raises(Refused) as refused:
                    check_waiver(game(INSURANCE), coup)
                assert (refused.value.reason, refused.value.paragraph) == (Reason.NO_WAIVER, "4.1.5")


@rulings("INS-15")
@rulebook({INSURANCE: ["4.1.5"]}, by=may_waive)
def test_4_1_5_not_before_the_four_cards_and_not_once_the_third_is_open() -> None:
    for cards in ("", "2 K 3", "K A 2 K 4", "K A 2 K 4 5"):
        assert not may_waive(game(INSURANCE), deal(read_cards(cards)))


@rulings("INS-16", "REJ-20")
@rulebook({INSURANCE: ["4.1.5"]}, by=offer)
def test_4_1_5_a_waiver_takes_the_window_after_the_third_card_from_everyone() -> None:
    taken = 0
    for player in range(6):
        for banker in (0, 1, 2):
            for third in range(10):
                coup = dealt(player, banker, third)
                taken += offered(coup) is not None
                assert offer(game(INSURANCE), coup, waived=True) is None
    assert taken > 0


@rulings("INS-17")
@rulebook({INSURANCE: ["4.1.5"]}, by=offer)
def test_4_1_5_a_waiver_leaves_the_window_after_four_cards_alone_and_where_it_is_possible_there_is_none() -> None:
    for player in range(10):
        for banker in range(10):
            coup = dealt(player, banker)
            assert offer(game(INSURANCE), coup, waived=True) == offered(coup)
            if may_waive(game(INSURANCE), coup):
                assert offered(coup) is None


@rulings("INS-18")
@rulebook({INSURANCE: ["4.1.5"]}, by=check_waiver)
def test_4_1_5_a_waiver_does_not_change_who_draws_first() -> None:
    coup = deal(read_cards("K A 2 K"))
    check_waiver(game(INSURANCE), coup)
    assert coup.due is Side.PLAYER
    assert coup.draw(Card(Rank.FOUR)).due is Side.BANKER


@pytest.mark.parametrize("key", [key for key in GAMES if key != INSURANCE])
def test_4_1_5_no_other_game_has_anything_to_waive(key: str) -> None:
    with pytest.raises(Refused) as refused:
        check_waiver(game(key), dealt(2, 1))
    assert (refused.value.reason, refused.value.paragraph) == (Reason.NO_WAIVER, None)
