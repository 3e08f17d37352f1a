"""Electronic shoes: shuffled by the kernel's entropy, sealed before the first bet, one card revealed at a time.

The commitment is the root of a tree over the cards in their order, each with a salt of its own: published when the shoe
is opened, it proves afterwards that no card was moved, and tells nothing about any that was not dealt.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

import msgspec

from puntobanco.house.shuffle import cards_of, shuffled
from puntobanco.rules.cards import Card

SALT = 16


class Sealed(msgspec.Struct, frozen=True):
    """The order of a shoe and the salts of its leaves: never in an event, a log or an export."""

    cards: tuple[Card, ...]
    salts: tuple[bytes, ...]

    @property
    def commitment(self) -> str:
        return root(self.leaves).hex()

    @property
    def leaves(self) -> list[bytes]:
        return [leaf(place, card, salt) for place, (card, salt) in enumerate(zip(self.cards, self.salts, strict=True))]

    def reveal(self, place: int) -> "Revealed":
        """What proves the card at that place once it has been dealt."""
        return next(self.reveal_all([place]))

    def reveal_all(self, places: Iterable[int]) -> Iterator["Revealed"]:
        """The same for many places."""
        levels = tree(self.leaves)
        for place in places:
            yield Revealed(place, self.cards[place], self.salts[place], tuple(path(levels, place)))

    def encode(self) -> bytes:
        return msgspec.json.encode(self)

    @classmethod
    def decode(cls, content: bytes) -> "Sealed":
        return msgspec.json.decode(content, type=cls)


class Revealed(msgspec.Struct, frozen=True):
    place: int
    card: Card
    salt: bytes
    path: tuple[bytes, ...]

    def proves(self, commitment: str) -> bool:
        """Whether the card was at that place when the commitment was published."""
        node, place = leaf(self.place, self.card, self.salt), self.place
        for other in self.path:
            node = _node(other, node) if place % 2 else _node(node, other)
            place //= 2
        return node.hex() == commitment


def new_shoe(decks: int) -> Sealed:
    ordered = tuple(shuffled(cards_of(decks)))
    return Sealed(ordered, tuple(secrets.token_bytes(SALT) for _ in ordered))


def leaf(place: int, card: Card, salt: bytes) -> bytes:
    return sha256(b"\x00" + place.to_bytes(2, "big") + str(card).encode() + salt).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def tree(leaves: Sequence[bytes]) -> list[list[bytes]]:
    """Level above level up to the root; one with an odd number has its last node twice."""
    levels = [list(leaves)]
    while len(level := levels[-1]) > 1:
        levels.append([_node(level[at], level[min(at + 1, len(level) - 1)]) for at in range(0, len(level), 2)])
    return levels


def root(leaves: Sequence[bytes]) -> bytes:
    return tree(leaves)[-1][0]


def path(levels: Sequence[Sequence[bytes]], place: int) -> list[bytes]:
    """The neighbours on the way from a leaf to the root."""
    found = []
    for level in levels[:-1]:
        beside = place + 1 if place % 2 == 0 else place - 1
        found.append(level[min(beside, len(level) - 1)])
        place //= 2
    return found
