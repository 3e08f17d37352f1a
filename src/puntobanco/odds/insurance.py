"""The worth of insurance: each cell of the pay table, averaged over the hands that lead to it, or for given cards."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import msgspec
import numpy as np

from puntobanco.odds import exact, kernels, tables
from puntobanco.odds.shoe import Shoe
from puntobanco.odds.tables import Ints
from puntobanco.rules import insurance as rules
from puntobanco.rules.cards import Card, Rank
from puntobanco.rules.coup import Coup
from puntobanco.rules.game import Game
from puntobanco.rules.outcome import Side, Winner
from puntobanco.rules.procedures import InsuranceRow, Window

Ways = Counter[Winner | None]
"""The number of ways in which each hand wins, they tie, or the shoe runs out (None)."""


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One cell of the insurance table: the points of both hands in that window. `ev` is the bettor's, per unit."""

    window: Window
    insures: Side
    player: int
    banker: int
    row: InsuranceRow
    win: Fraction
    push: Fraction
    lose: Fraction
    reached: Fraction
    """How often a round reaches this window with these points."""

    @property
    def ev(self) -> Fraction:
        return self.win * self.row.odds - self.lose


def cells(game: Game, shoe: Shoe) -> tuple[Cell, ...]:
    """Every cell that the shoe can lead to, in the order of the pay table."""
    if game.insurance is None:
        return ()
    dealt = _Dealt(shoe)
    return tuple(cell for row in game.insurance.rows for cell in _row(row, dealt))


def _row(row: InsuranceRow, dealt: "_Dealt") -> Iterator[Cell]:
    for player, banker in product(sorted(row.player), sorted(row.banker)):
        ways = dealt.four(player, banker) if row.window is Window.FOUR else dealt.five(player, banker)
        if ways.total():
            yield _cell(row, player, banker, ways, Fraction(ways.total(), dealt.total))


def _cell(row: InsuranceRow, player: int, banker: int, ways: Ways, reached: Fraction) -> Cell:
    win, lose = Fraction(ways[row.paid_on], ways.total()), Fraction(ways[row.lost_on], ways.total())
    return Cell(
        window=row.window,
        insures=row.insures,
        player=player,
        banker=banker,
        row=row,
        win=win,
        push=1 - win - lose,
        lose=lose,
        reached=reached,
    )


def on_the_table(game: Game, shoe: Shoe, coup: Coup) -> Cell | None:
    """The window open on exactly these cards, if any. `shoe` is what was left before they were drawn."""
    made = rules.offer(game, coup)
    if made is None:
        return None
    left = shoe.without(coup.cards)
    ways: Ways = Counter()
    for finish, many in _finishes(coup, left):
        ways[finish] += many
    return _cell(made.row, coup.player.points, coup.banker.points, ways, Fraction(1))


def _finishes(coup: Coup, left: Shoe) -> Iterator[tuple[Winner | None, int]]:
    """How the coup may end, card by card, each over the same number of cards: two more, or as many as there are."""
    to_come = min(2, left.cards)

    def go_on(at: Coup, classes: tuple[int, ...], ways: int, drawn: int) -> Iterator[tuple[Winner | None, int]]:
        if at.is_complete:
            rest = sum(classes)
            for _ in range(to_come - drawn):
                ways, rest = ways * rest, rest - 1
            yield at.outcome.winner, ways
        elif drawn == to_come:
            yield None, ways
        else:
            for points, count in enumerate(classes):
                if count:
                    fewer = tuple(held - (place == points) for place, held in enumerate(classes))
                    yield from go_on(at.draw(_card(points)), fewer, ways * count, drawn + 1)

    yield from go_on(coup, left.classes, 1, 0)


class _Dealt:
    """Every deal of a shoe by two-card totals and third cards, in exact counts."""

    def __init__(self, shoe: Shoe) -> None:
        self.drawn, _, self.ways_after_five, self.total = exact.stages(shoe)
        self.classes = shoe.classes
        self.player, self.alone = tables.player_draws(), tables.banker_draws_alone()
        self.banker = tables.banker_draws()
        self._tables: dict[tuple[int, ...], tuple[Ints, Ints, Ints]] = {}

    def four(self, player: int, banker: int) -> Ways:
        """After four cards, from the two totals."""
        ways: Ways = Counter()
        for x in range(10):
            five = self._hands((x,), player, banker) * self.classes[x]
            if not five:
                continue
            if self.drawn < 5:
                break
            if self.player[player, banker]:
                for finish, many in self._after_third(player, banker, x, five):
                    ways[finish] += many
            elif self.alone[player, banker]:
                ways[_winner(player, (banker + x) % 10)] += five * self.ways_after_five
        if self.drawn == 4:
            ways[None] = self._hands((), player, banker)
        return ways

    def five(self, player: int, banker: int) -> Ways:
        """After the Player's third card, from the Player's three and the Banker's two, if the Banker must draw."""
        ways: Ways = Counter()
        for x in range(10):
            start = (player - x) % 10
            if not self.player[start, banker] or not self.banker[x, banker] or self.drawn < 5:
                continue
            five = self._hands((x,), start, banker) * self.classes[x]
            for finish, many in self._after_third(start, banker, x, five):
                ways[finish] += many
        return ways

    def _after_third(self, player: int, banker: int, x: int, five: int) -> Iterator[tuple[Winner | None, int]]:
        points = (player + x) % 10
        if not self.banker[x, banker]:
            yield _winner(points, banker), five * self.ways_after_five
        elif self.drawn < 6:
            yield None, five
        else:
            for y in range(10):
                held = self.classes[y] - (x == y)
                if held > 0:
                    many = self.classes[x] * held * self._hands((x, y), player, banker)
                    yield _winner(points, (banker + y) % 10), many

    def _hands(self, out: tuple[int, ...], player: int, banker: int) -> int:
        """Ordered deals of four cards with these totals, from what is left without the cards `out`."""
        if out not in self._tables:
            left = np.array(self.classes, np.int64)
            for points in out:
                left[points] -= 1
            a, s = np.empty((10, 16), np.int64), np.empty(16, np.int64)
            kernels.pairs_of_cards(left, a, s)
            self._tables[out] = (left, a, s)
        left, a, s = self._tables[out]
        return int(kernels.two_hands(left, a, s, player, banker)) if left.min() >= 0 else 0


def _card(points: int) -> Card:
    """Any card with that many points."""
    return Card(Rank(points) if points else Rank.TEN)


def _winner(player: int, banker: int) -> Winner:
    if player == banker:
        return Winner.TIE
    return Winner.PLAYER if player > banker else Winner.BANKER
