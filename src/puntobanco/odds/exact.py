"""The exact distribution of a round: for any shoe, how many of all ordered deals lead to each Outcome."""

from fractions import Fraction
from functools import cached_property
from math import perm
from typing import Any

import msgspec
import numpy as np

from puntobanco.odds import kernels, tables
from puntobanco.odds.shoe import Shoe
from puntobanco.odds.tables import Ints
from puntobanco.rules.arguments import checked
from puntobanco.rules.established import Exposed
from puntobanco.rules.outcome import Outcome, reachable
from puntobanco.rules.refusal import Reason, Refused

EXACT_FLOAT = 2**53
"""Floats represent every whole number below this exactly."""
WRAPS = 2**64
"""64-bit integers are correct modulo this."""

Kind = Any
"""np.float64 or np.int64."""


class Law(msgspec.Struct, frozen=True, dict=True):
    """`ways[k]` of `total` ordered deals lead to the k-th reachable Outcome; `void` of them run out of cards."""

    shoe: Shoe
    total: int
    ways: Ints | list[int]

    def __repr__(self) -> str:
        return f"<Law of {self.shoe.cards} cards: {self.total:,} deals>"

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        return reachable()

    @cached_property
    def void(self) -> int:
        return self.total - sum(int(way) for way in self.ways)

    @checked
    def probability(self, outcome: Outcome) -> Fraction:
        """How often a round ends like this; 0 for what no deal leads to.

        >>> law(Shoe.of(8)).probability(Outcome(9, 9, 2, 2, False, False)) > 0
        True
        """
        place = self.outcomes.index(outcome) if outcome in self.outcomes else None
        return Fraction(0) if place is None else Fraction(int(self.ways[place]), self.total)


def law(shoe: Shoe, known: Exposed | None = None, most: int = 6) -> Law:
    """The joint distribution of points, numbers of cards and pairs.

    `known`: the rank of some draws by index, for cards that are not in the shoe. `most`: how many cards can be drawn in
    all, including those.

    >>> law(Shoe.of(8)).total
    4998398275503360
    >>> from puntobanco.rules.cards import Rank
    >>> seen = law(Shoe.of(8).without([Rank.NINE]), {1: Rank.NINE})
    >>> round(float(seen.probability(Outcome(9, 9, 2, 2, False, False))), 4)
    0.029
    """
    for index in (*(known or {}), most or 1):
        if not 1 <= index <= 6:
            raise Refused(Reason.CARD_OUT_OF_PLACE, index=index)
    if known or most < 6:
        return _law_of_known(shoe, known or {}, most)
    drawn, four, five, total = stages(shoe)
    if drawn < 4:
        return Law(shoe, total, np.zeros(len(reachable()), np.int64))
    if total < EXACT_FLOAT:
        return Law(shoe, total, _ways(shoe, four, five, drawn, np.float64).astype(np.int64))
    wrapped = _ways(shoe, four, five, drawn, np.int64)
    if total < WRAPS // 2:
        return Law(shoe, total, wrapped)
    rounded = _ways(shoe, four, five, drawn, np.float64)
    return Law(shoe, total, [_unwrapped(int(low), near) for low, near in zip(wrapped, rounded, strict=True)])


def _unwrapped(low: int, near: float) -> int:
    """The whole number equal to `low` modulo 2^64 that is closest to the float result."""
    return low + WRAPS * round((int(near) - low) / WRAPS)


def _law_of_known(shoe: Shoe, known: Exposed, most: int) -> Law:
    """Known draws have one way each; the others come from the shoe while it has cards."""
    unseen = [int(draw not in known) for draw in range(1, 7)]
    drawn = next((draw for draw in range(min(most, 6)) if sum(unseen[: draw + 1]) > shoe.cards), min(most, 6))
    ways_after = [
        perm(shoe.cards - sum(unseen[:draw]), sum(unseen[draw:drawn])) if draw <= drawn else 0 for draw in range(7)
    ]
    total = ways_after[0]
    if total >= WRAPS // 2:
        raise Refused(Reason.SHOE_COUNT_WRONG, count=shoe.cards, most=1_447)
    out = np.zeros((4, 2, 2, 10, 10), np.int64)
    if drawn >= 4:
        first = np.array([known[draw] - 1 if draw in known else 0 for draw in range(1, 7)], np.int64)
        last = np.array([known[draw] - 1 if draw in known else 12 for draw in range(1, 7)], np.int64)
        kernels.count_known(
            np.array(shoe.ranks, np.int64), np.array(tables.POINTS, np.int64), first, last,
            np.array(ways_after, np.int64), *tables.rules(np.bool_), out, drawn,
        )  # fmt: skip
    return Law(shoe, total, out.reshape(-1)[tables.cell_of_outcome()])


def points(shoe: Shoe) -> Ints:
    """The distribution of points and numbers of cards alone, [Player cards - 2][Banker cards - 2][P][B], up to 27
    decks."""
    drawn, four, five, total = stages(shoe)
    if total >= WRAPS // 2:
        raise Refused(Reason.SHOE_COUNT_WRONG, count=shoe.cards, most=1_447)
    kind: Kind = np.float64 if total < EXACT_FLOAT else np.int64
    out = np.zeros((2, 2, 10, 10), kind)
    if drawn >= 4:
        m = np.array(shoe.classes, kind)
        kernels.count_points(m, kind(four), kind(five), *tables.rules(kind), out, drawn)
    return out.astype(np.int64, copy=False)


def _ways(shoe: Shoe, four: int, five: int, drawn: int, kind: Kind) -> Any:
    out = np.zeros((4, 2, 2, 10, 10), kind)
    m, pairs, fours = (np.array([_held(n, kind) for n in one], kind) for one in _counts(shoe))
    kernels.count_all(m, pairs, fours, kind(_held(four, kind)), kind(five), *tables.rules(kind), out, drawn)
    return out.reshape(-1)[tables.cell_of_outcome()]


def _held(number: int, kind: Kind) -> int:
    """The value modulo 2^64 as a signed 64-bit integer."""
    return (number + WRAPS // 2) % WRAPS - WRAPS // 2 if kind is np.int64 else number


def stages(shoe: Shoe) -> tuple[int, int, int, int]:
    """How many cards can be drawn, the ways to continue after four and five, and the number of ordered deals of that
    many."""
    cards = shoe.cards
    drawn = min(cards, 6)
    four = perm(cards - 4, drawn - 4) if drawn >= 4 else 0
    five = perm(cards - 5, drawn - 5) if drawn >= 5 else 0
    return drawn, four, five, perm(cards, drawn)


def _counts(shoe: Shoe) -> tuple[list[int], list[int], list[int]]:
    """Cards by class; ordered pairs of one rank by class; ordered pairs of such pairs within one class."""
    pairs, fours = [0] * 10, [0] * 10
    for points_, n in zip(tables.POINTS, shoe.ranks, strict=True):
        pair = n * (n - 1)
        fours[points_] += pair * (n - 2) * (n - 3) - pair * pair
        pairs[points_] += pair
    for c in range(10):
        fours[c] += pairs[c] * pairs[c]
    return list(shoe.classes), pairs, fours
