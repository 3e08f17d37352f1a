"""Cards: ranks, suits, points, and how people type them."""

import re
from enum import Enum, IntEnum
from types import NoneType

import msgspec

from puntobanco.rules.arguments import check_fields
from puntobanco.rules.refusal import Reason, Refused


class Suit(Enum):
    """The suit of a card."""

    SPADES = "♠"
    HEARTS = "♥"
    DIAMONDS = "♦"
    CLUBS = "♣"


class Rank(IntEnum):
    """The rank of a card: 1 is an ace, 11 a jack, 12 a queen, 13 a king."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def points(self) -> int:
        """The points of the rank: ace 1, two to nine their number, ten and pictures 0."""
        return int(self) if self < 10 else 0

    @property
    def sign(self) -> str:
        return _SIGN[self]


_SIGN = dict(zip(Rank, ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"], strict=True))


class Card(msgspec.Struct, frozen=True):
    """One card. The suit may be omitted, because no bet of these games depends on it."""

    rank: Rank
    """The rank."""
    suit: Suit | None = None
    """The suit; null if it was not recorded."""

    def __post_init__(self) -> None:
        if type(self.rank) is not Rank or type(self.suit) not in (Suit, NoneType):  # which is fast, for many cards
            check_fields(self)

    @property
    def points(self) -> int:
        return self.rank.points

    def __str__(self) -> str:
        return self.rank.sign + (self.suit.value if self.suit else "")


_RANKS = {rank.sign: rank for rank in Rank} | {"T": Rank.TEN}
_SUITS = {
    **{suit.value: suit for suit in Suit},
    **dict(zip("SHDC", Suit, strict=True)),
    **dict(zip("♤♡♢♧", Suit, strict=True)),
}
_CARD = re.compile(r"(?P<rank>A|[2-9]|10|T|J|Q|K)(?P<suit>[SHDC♠♥♦♣♤♡♢♧]?)\ufe0f?", re.ASCII | re.IGNORECASE)


def read_card(text: str) -> Card:
    """Read a card written as `9S`, `10d`, `TD`, `9♠` or just `9`.

    >>> str(read_card("td"))
    '10♦'
    """
    found = _CARD.fullmatch(text)
    if found is None:
        raise Refused(Reason.UNKNOWN_CARD, card=text)
    suit = found["suit"].upper()
    return Card(_RANKS[found["rank"].upper()], _SUITS[suit] if suit else None)


def read_cards(text: str) -> tuple[Card, ...]:
    """Cards in draw order, separated by blanks or commas.

    >>> [card.points for card in read_cards("K 2 4 A 7 7")]
    [0, 2, 4, 1, 7, 7]
    """
    return tuple(read_card(word) for word in text.replace(",", " ").split())


def check_copies(cards: tuple[Card, ...], decks: int, paragraph: str | None = None) -> None:
    """Refuse cards that appear more often than that number of decks contains them."""
    for card in cards:
        copies = sum(card == other for other in cards)
        alike = sum(card.rank == other.rank for other in cards)
        if alike > 4 * decks or (card.suit and copies > decks):
            raise Refused(Reason.IMPOSSIBLE_CARD, paragraph, card=card, decks=decks)
