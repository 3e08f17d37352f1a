"""Electronic shoes: shuffled with kernel entropy, sealed before the first bet, revealed one card at a time.

The commitment is the root of a Merkle tree over the cards in order, each with its own salt. Published when the shoe is
opened, it proves afterwards that no card was moved, and reveals nothing about cards that were not dealt.
`ui/src/screens/disputes/verify.ts` checks it in the browser and must hash in the same way.
"""

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

import msgspec

from puntobanco.house.shoes.shuffle import cards_of, shuffled
from puntobanco.protocol.hidden import Hidden
from puntobanco.rules.cards import Card

SALT = 16


class Sealed(msgspec.Struct, frozen=True):
    """The order of a shoe and the salts of its leaves. Never in an event, log or export."""

    cards: tuple[Card, ...]
    salts: tuple[bytes, ...]

    @property
    def commitment(self) -> str:
        return root(self.leaves).hex()

    @property
    def leaves(self) -> list[bytes]:
        return [leaf(place, card, salt) for place, (card, salt) in enumerate(zip(self.cards, self.salts, strict=True))]

    def reveal_all(self, places: Iterable[int]) -> Iterator["Revealed"]:
        """What proves the cards at those places once they have been dealt."""
        levels = tree(self.leaves)
        for place in places:
            yield Revealed(place, self.cards[place], self.salts[place], tuple(path(levels, place)))

    def encode(self) -> bytes:
        return msgspec.json.encode(self)

    @classmethod
    def decode(cls, content: bytes) -> "Sealed":
        return msgspec.json.decode(content, type=cls)


class Unproven(Exception):
    """The order of a shoe is missing, unreadable or does not match its commitment. Contains nothing of the order."""


class Proven(Hidden, frozen=True):
    """The order of a shoe that matches its commitment. Each card is checked against it again when it is dealt."""

    name: str
    commitment: str
    order: Sealed
    levels: list[list[bytes]]

    @classmethod
    def of(cls, name: str, commitment: str | None, decks: int | None, content: bytes | None) -> "Proven":
        """`decks`: None accepts any number of decks."""
        if content is None:
            raise Unproven("the order is missing")
        if commitment is None:
            raise Unproven("no commitment was published")
        try:
            order = Sealed.decode(content)
        except (msgspec.MsgspecError, UnicodeError):
            raise Unproven("the order cannot be read") from None
        decks = decks or len(order.cards) // 52
        if not len(order.cards) == len(order.salts) == 52 * decks > 0:
            raise Unproven("the order does not contain the cards of its decks")
        levels = tree(order.leaves)
        if levels[-1][0].hex() != commitment:
            raise Unproven("the order does not match its commitment")
        if Counter(order.cards) != Counter(cards_of(decks)):
            raise Unproven("the cards are not those of the decks")
        return cls(name, commitment, order, levels)

    def card(self, place: int) -> Card:
        card, salt = self.order.cards[place], self.order.salts[place]
        if not Revealed(place, card, salt, tuple(path(self.levels, place))).proves(self.commitment):
            raise Unproven(f"the card at place {place} does not match the commitment")
        return card


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
    """The levels of the tree from leaves to root. An odd level repeats its last node."""
    levels = [list(leaves)]
    while len(level := levels[-1]) > 1:
        levels.append([_node(level[at], level[min(at + 1, len(level) - 1)]) for at in range(0, len(level), 2)])
    return levels


def root(leaves: Sequence[bytes]) -> bytes:
    return tree(leaves)[-1][0]


def path(levels: Sequence[Sequence[bytes]], place: int) -> list[bytes]:
    """The sibling hashes from a leaf to the root."""
    found = []
    for level in levels[:-1]:
        beside = place + 1 if place % 2 == 0 else place - 1
        found.append(level[min(beside, len(level) - 1)])
        place //= 2
    return found
