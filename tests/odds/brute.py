"""Odds the slow way: every deal of a small shoe, card by card through the rules themselves."""

from collections import defaultdict
from fractions import Fraction

from puntobanco.odds.shoe import Shoe
from puntobanco.rules.cards import Card, Rank
from puntobanco.rules.coup import Coup
from puntobanco.rules.outcome import Outcome


def chances(shoe: Shoe, coup: Coup | None = None) -> dict[Outcome | None, Fraction]:
    """The chance of each Outcome, and of running out of cards (none)."""
    found: dict[Outcome | None, Fraction] = defaultdict(Fraction)
    _deal(Coup() if coup is None else coup, shoe.ranks, Fraction(1), found)
    return dict(found)


def _deal(coup: Coup, ranks: tuple[int, ...], chance: Fraction, found: dict[Outcome | None, Fraction]) -> None:
    if coup.is_complete:
        found[coup.outcome] += chance
        return
    left = sum(ranks)
    if left == 0:
        found[None] += chance
        return
    for place, count in enumerate(ranks):
        if count:
            fewer = tuple(held - (at == place) for at, held in enumerate(ranks))
            _deal(coup.draw(Card(Rank(place + 1))), fewer, chance * Fraction(count, left), found)
