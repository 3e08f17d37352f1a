"""An exact count of every Outcome, written for the tests alone: slow, plain, and independent of the product's odds.

Cards fall into ten classes by points; the zero class holds four ranks, which matters only for pairs.
"""

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm

import msgspec

from puntobanco.rules.game import Bet, PayLine
from puntobanco.rules.money import Cents
from puntobanco.rules.outcome import Outcome, Winner
from puntobanco.rules.settlement import settle
from puntobanco.rules.tableau import TABLE_OF_PLAY, TableOfPlay

Start = tuple[int, bool, int, bool]
"""Player's total and pair, Banker's total and pair, after four cards."""

Distribution = dict[Outcome, int]


def total(decks: int) -> int:
    """All ordered deals of six cards."""
    return perm(52 * decks, 6)


@cache
def six_cards(decks: int) -> dict[Start, list[list[int]]]:
    """How many ordered deals of six cards have each start, fifth and sixth card class."""
    fresh = [16 * decks] + [4 * decks] * 9
    by_removal: dict[tuple[Start, tuple[int, ...]], int] = defaultdict(int)
    for classes in product(range(10), repeat=4):
        for (pair, other), ways in _ways(classes, decks).items():
            one, two, three, four = classes
            start = ((one + three) % 10, pair, (two + four) % 10, other)
            by_removal[start, tuple(sorted(classes))] += ways
    counted: dict[Start, list[list[int]]] = defaultdict(lambda: [[0] * 10 for _ in range(10)])
    for (start, removed), ways in by_removal.items():
        left = [count - removed.count(points) for points, count in enumerate(fresh)]
        table = counted[start]
        for fifth in range(10):
            row, weight = table[fifth], ways * left[fifth]
            for sixth in range(10):
                row[sixth] += weight * (left[sixth] - (fifth == sixth))
    return dict(counted)


def _ways(classes: tuple[int, ...], decks: int) -> dict[tuple[bool, bool], int]:
    """Ordered ways to draw the four classes, by whether cards 1 and 3, and 2 and 4, are of one rank."""
    copies = 4 * decks
    ways: dict[tuple[bool, bool], int] = defaultdict(int)
    ranks = [range(10, 14) if points == 0 else (points,) for points in classes]
    for drawn in product(*ranks):
        count = 1
        for place, rank in enumerate(drawn):
            count *= copies - drawn[:place].count(rank)
        ways[drawn[0] == drawn[2], drawn[1] == drawn[3]] += count
    return ways


def distribution(decks: int, table: TableOfPlay = TABLE_OF_PLAY) -> Distribution:
    """How many of all ordered deals of six cards end in each Outcome."""
    counted: Distribution = defaultdict(int)
    for (player, player_pair, banker, banker_pair), rows in six_cards(decks).items():
        if table.player_draws(player, banker):
            for fifth, row in enumerate(rows):
                drawn = (player + fifth) % 10
                if table.banker_draws(player, banker, fifth):
                    for sixth, ways in enumerate(row):
                        outcome = Outcome(drawn, (banker + sixth) % 10, 3, 3, player_pair, banker_pair)
                        counted[outcome] += ways
                else:
                    counted[Outcome(drawn, banker, 3, 2, player_pair, banker_pair)] += sum(row)
        elif table.banker_draws(player, banker, None):
            for fifth, row in enumerate(rows):
                counted[Outcome(player, (banker + fifth) % 10, 2, 3, player_pair, banker_pair)] += sum(row)
        else:
            counted[Outcome(player, banker, 2, 2, player_pair, banker_pair)] += sum(map(sum, rows))
    return dict(counted)


def net(bet: Bet, counts: Distribution) -> Fraction:
    """What the player gains over all deals with one unit staked on each: an exact, signed number."""
    unit = Cents(10_000)
    return sum(
        (Fraction(settle(bet, unit, outcome).profit * ways, unit) for outcome, ways in counts.items()), Fraction(0)
    )


def golden(bet: Bet, counts: Distribution) -> list[int]:
    """What a bet pins: its net over all deals, in twentieths of the stake, parted by who wins the hand.

    Parted, because Banker Small 7 and Player Small 7 win equally often.
    """
    parts = [
        20 * net(bet, {outcome: ways for outcome, ways in counts.items() if outcome.winner is winner})
        for winner in Winner
    ]
    assert all(part.denominator == 1 for part in parts)
    return [part.numerator for part in parts]


def house_edge(bet: Bet, decks: int) -> Fraction:
    return -net(bet, distribution(decks)) / total(decks)


def with_lines(bet: Bet, lines: tuple[PayLine, ...]) -> Bet:
    return msgspec.structs.replace(bet, lines=lines)
