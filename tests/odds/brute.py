"""Odds the slow way: every deal of a small shoe, card by card through the rules themselves."""

from collections import defaultdict
from fractions import Fraction

from puntobanco.odds.shoe import Shoe
from puntobanco.rules.cards import Card, Rank
from puntobanco.rules.coup import Coup
from puntobanco.rules.established import Exposed
from puntobanco.rules.outcome import Outcome


def chances(
    shoe: Shoe, coup: Coup | None = None, known: Exposed | None = None, most: int = 6
) -> dict[Outcome | None, Fraction]:
    """The chance of each Outcome, and of running out of cards (none)."""
    found: dict[Outcome | None, Fraction] = defaultdict(Fraction)
    _deal(Coup() if coup is None else coup, shoe.ranks, Fraction(1), found, known or {}, most)
    return dict(found)


def _deal(
    coup: Coup,
    ranks: tuple[int, ...],
    chance: Fraction,
    found: dict[Outcome | None, Fraction],
    known: Exposed,
    most: int,
) -> None:
    if coup.is_complete:
        found[coup.outcome] += chance
        return
    left, draw = sum(ranks), len(coup.cards) + 1
    if draw > most or (left == 0 and draw not in known):
        found[None] += chance
        return
    if draw in known:
        _deal(coup.draw(Card(known[draw])), ranks, chance, found, known, most)
        return
    for place, count in enumerate(ranks):
        if count:
            fewer = tuple(held - (at == place) for at, held in enumerate(ranks))
            _deal(coup.draw(Card(Rank(place + 1))), fewer, chance * Fraction(count, left), found, known, most)
