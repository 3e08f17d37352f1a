"""The shuffle: kernel entropy, rejection sampling, Fisher-Yates. Never a seeded generator."""

import secrets
from collections.abc import Callable

from puntobanco.rules.cards import Card, Rank, Suit


def cards_of(decks: int) -> list[Card]:
    """That many decks of 52 cards, in order."""
    return [Card(rank, suit) for _ in range(decks) for suit in Suit for rank in Rank]


def shuffled(cards: list[Card], below: Callable[[int], int] = secrets.randbelow) -> list[Card]:
    """Shuffle the cards, every order equally likely. `below(n)` draws from 0 to n - 1."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        chosen = below(last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order
