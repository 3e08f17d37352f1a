"""A shoe for odds: how many cards of each rank are left."""

import re
from collections.abc import Iterable

import msgspec

from puntobanco.odds.tables import POINTS
from puntobanco.rules.arguments import check_argument, check_fields, checked
from puntobanco.rules.cards import Card, Rank
from puntobanco.rules.refusal import Reason, Refused

MOST_CARDS = 50_000
"""Two hands from this many cards can still be counted in 64 bits."""
_SIGNS = {rank.sign: rank for rank in Rank} | {"T": Rank.TEN}
_PART = re.compile(r"\s*(?P<rank>[0-9A-Za-z]+)\s*=\s*(?P<count>[^\s]+)\s*")


class Shoe(msgspec.Struct, frozen=True):
    """`ranks[0]` aces to `ranks[12]` kings."""

    ranks: tuple[int, ...]

    def __post_init__(self) -> None:
        few = range(MOST_CARDS + 1)
        if type(self.ranks) is not tuple or any(type(count) is not int or count not in few for count in self.ranks):
            check_fields(self)
        if len(self.ranks) != 13 or any(count < 0 for count in self.ranks):
            raise Refused(Reason.SHOE_COUNT_WRONG, count=self.ranks, most=MOST_CARDS)
        if self.cards > MOST_CARDS:
            raise Refused(Reason.SHOE_COUNT_WRONG, count=self.cards, most=MOST_CARDS)

    @classmethod
    def of(cls, decks: int) -> "Shoe":
        """A full shoe.

        >>> Shoe.of(8).cards
        416
        """
        check_argument("Shoe.of", "decks", decks, int)
        if decks < 1:
            raise Refused(Reason.DECKS_OUT_OF_RANGE, decks=decks, least=1, most=MOST_CARDS // 52)
        return cls((4 * decks,) * 13)

    @property
    def cards(self) -> int:
        return sum(self.ranks)

    @property
    def classes(self) -> tuple[int, ...]:
        """Cards by points, 0 to 9."""
        held = [0] * 10
        for points, count in zip(POINTS, self.ranks, strict=True):
            held[points] += count
        return tuple(held)

    @checked
    def without(self, cards: Iterable[Card | Rank]) -> "Shoe":
        """The shoe without these cards.

        >>> Shoe.of(8).without([Rank.ACE]).ranks[0]
        31
        """
        left = list(self.ranks)
        for card in cards:
            rank = card.rank if isinstance(card, Card) else card
            left[rank - 1] -= 1
            if left[rank - 1] < 0:
                raise Refused(Reason.SHOE_HAS_NONE, card=rank.sign)
        return Shoe(tuple(left))

    def __str__(self) -> str:
        return ",".join(f"{rank.sign}={count}" for rank, count in zip(Rank, self.ranks, strict=True))


def read_shoe(text: str) -> Shoe:
    """Parse `A=32,2=31,...`. A missing rank has no cards.

    >>> read_shoe("A=4, T=2, K=1").cards
    7
    """
    held = dict.fromkeys(Rank, 0)
    named: set[Rank] = set()
    for part in text.split(","):
        found = _PART.fullmatch(part)
        rank = _SIGNS.get(found["rank"].upper()) if found else None
        if found is None or rank is None:
            raise Refused(Reason.NOT_A_SHOE, shoe=part.strip() or text)
        if rank in named:
            raise Refused(Reason.RANK_TWICE, card=rank.sign)
        if not (found["count"].isascii() and found["count"].isdecimal()) or len(found["count"]) > 6:
            raise Refused(Reason.SHOE_COUNT_WRONG, count=found["count"], most=MOST_CARDS)
        named.add(rank)
        held[rank] = int(found["count"])
    return Shoe(tuple(held.values()))
