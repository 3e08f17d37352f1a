"""Insurance is priced on what leads to a window, and on the very cards on the table."""

from collections import defaultdict
from fractions import Fraction
from itertools import permutations

import pytest

import puntobanco as pb
from puntobanco.odds.insurance import cells, on_the_table
from puntobanco.odds.shoe import Shoe
from puntobanco.rules import insurance, library
from puntobanco.rules.cards import Card, Rank
from puntobanco.rules.coup import Coup
from puntobanco.rules.outcome import Outcome, Winner
from puntobanco.rules.procedures import Window
from tests.odds.brute import chances

GAME = library.game("insurance")


def test_the_published_cell() -> None:
    """Four cards, Banker 6 against Player 5 at 3 to 1, eight decks."""
    (cell,) = [one for one in cells(GAME, Shoe.of(8)) if (one.window, one.player, one.banker) == (Window.FOUR, 5, 6)]
    assert round(float(cell.ev) * 100, 4) == 8.4397


def test_every_cell_of_the_pay_table_can_be_reached_from_a_full_shoe() -> None:
    assert GAME.insurance is not None
    written = {
        (row.window, row.insures, player, banker)
        for row in GAME.insurance.rows
        for player in row.player
        for banker in row.banker
    }
    found = {(one.window, one.insures, one.player, one.banker) for one in cells(GAME, Shoe.of(8))}
    assert found == written
    for one in cells(GAME, Shoe.of(8)):
        assert one.win + one.push + one.lose == 1
        assert 0 < one.reached < 1


def test_games_without_insurance_have_no_cells() -> None:
    assert cells(library.game("commission"), Shoe.of(8)) == ()
    assert on_the_table(library.game("commission"), Shoe.of(8), pb.deal("2 2 2 3")) is None


@pytest.mark.parametrize("cards", ["2 2 2 3", "2 2 2 3 4", "6 K K K", "K 2 5 2 3"])
def test_on_the_table_it_is_what_dealing_on_by_the_rules_gives(cards: str) -> None:
    coup = pb.deal(cards)
    shoe = Shoe.of(1)
    cell = on_the_table(GAME, shoe, coup)
    assert cell is not None
    dealt = chances(shoe.without(coup.cards), coup)
    won, lost = _share(dealt, cell.row.paid_on), _share(dealt, cell.row.lost_on)
    assert (cell.win, cell.lose) == (won, lost)
    assert cell.ev == won * cell.row.odds - lost


def _share(dealt: dict[Outcome | None, Fraction], winner: Winner) -> Fraction:
    return sum((chance for outcome, chance in dealt.items() if outcome and outcome.winner is winner), Fraction(0))


def test_nothing_is_priced_where_nothing_is_offered() -> None:
    assert on_the_table(GAME, Shoe.of(8), pb.deal("9 7 K 10")) is None


SMALL = [
    Shoe((2, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1)),
    Shoe((0, 2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0)),
    Shoe((0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0)),
]


@pytest.mark.parametrize("shoe", SMALL, ids=str)
def test_averaged_it_is_the_mean_over_all_deals_that_lead_there(shoe: Shoe) -> None:
    deck = [Card(rank) for rank, count in zip(Rank, shoe.ranks, strict=True) for _ in range(count)]
    reached: dict[tuple[object, ...], list[Fraction]] = defaultdict(list)
    for many in (4, 5):
        for cards in permutations(deck, many):
            try:
                coup = Coup(tuple(cards))
            except pb.Refused:
                continue
            made = insurance.offer(GAME, coup)
            cell = on_the_table(GAME, shoe, coup)
            if made is not None and cell is not None:
                reached[made.window, made.insures, coup.player.points, coup.banker.points].append(cell.ev)
    found = {(one.window, one.insures, one.player, one.banker): one.ev for one in cells(GAME, shoe)}
    assert found == {where: sum(worth, Fraction(0)) / len(worth) for where, worth in reached.items()}
