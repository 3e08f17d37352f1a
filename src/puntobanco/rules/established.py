"""Established outcomes: which available bets have conclusively won or lost on the exposed cards.

Every bet that the layout offers is available, placed or not. Face-down cards and cards in the shoe may be anything. The
possible Outcomes are stored as the bits of one number, which makes it fast enough to test every state.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from itertools import product

import msgspec

from puntobanco.rules.cards import Rank
from puntobanco.rules.game import Game, Layout
from puntobanco.rules.outcome import Outcome, Side, finishes, reachable
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result, result_of
from puntobanco.rules.tableau import TABLE_OF_PLAY

Exposed = Mapping[int, Rank]
"""Draw index, from 1, to the rank that everyone can see."""

Possible = int
"""A set of Outcomes as bits: bit n stands for the n-th reachable one."""


class Standing(StrEnum):
    """How a bet stands on the exposed cards. A bet that is certain to be returned is neither won nor lost."""

    WON = "won"
    LOST = "lost"
    RETURNED = "returned"
    OPEN = "open"


def standings(game: Game, layout: Layout | None, exposed: Exposed) -> dict[str, Standing]:
    """How each available bet stands."""
    return available(game, layout).standings(possible(exposed))


def is_established(game: Game, layout: Layout | None, exposed: Exposed) -> bool:
    """Whether any available bet has conclusively won or lost."""
    return available(game, layout).established(possible(exposed))


def possible_outcomes(exposed: Exposed) -> frozenset[Outcome]:
    """Every Outcome that is still possible, whatever the unseen cards are."""
    bits = possible(exposed)
    return frozenset(outcome for place, outcome in enumerate(reachable()) if bits >> place & 1)


class Available(msgspec.Struct, frozen=True):
    """The available bets of a layout, each with the Outcomes that win, lose and return it."""

    bets: dict[str, dict[Standing, Possible]]

    def standings(self, possible: Possible) -> dict[str, Standing]:
        return {
            key: next((standing for standing, those in by.items() if not possible & ~those), Standing.OPEN)
            for key, by in self.bets.items()
        }

    def decided(self, possible: Possible) -> tuple[str, ...]:
        """The bets that can no longer lose, or can no longer win."""
        one_way = (Standing.WON, Standing.LOST)
        return tuple(key for key, by in self.bets.items() if any(not possible & by[way] for way in one_way))

    def established(self, possible: Possible) -> bool:
        return any(not possible & ~by[Standing.WON] or not possible & ~by[Standing.LOST] for by in self.bets.values())


_RESULTS = {Standing.WON: Result.WIN, Standing.LOST: Result.LOSE, Standing.RETURNED: Result.PUSH}


def available(game: Game, layout: Layout | None) -> Available:
    """The available bets. Insurance is not included, because it is offered only in its windows."""
    bets = {}
    for bet in game.menu(layout):
        if bet.insures is None:
            results = [result_of(bet, outcome) for outcome in reachable()]
            bets[bet.key] = {
                standing: sum(1 << place for place, one in enumerate(results) if one is result)
                for standing, result in _RESULTS.items()
            }
    return Available(bets)


def possible(exposed: Exposed) -> Possible:
    """The Outcomes that are still possible."""
    for index in exposed:
        if not 1 <= index <= 6:
            raise Refused(Reason.CARD_OUT_OF_PLACE, index=index)
    players = _hands(exposed.get(1), exposed.get(3))
    bankers = _hands(exposed.get(2), exposed.get(4))
    fifth, sixth = _placed(players, bankers, exposed)
    bits = 0
    for player, banker in product(players, bankers):
        bits |= _ends(player, banker, fifth, sixth)
    return bits


_Hand = tuple[int, bool]
"""The total of a hand's first two cards, and whether they pair."""

_Hands = frozenset[_Hand]


@cache
def _places() -> dict[Outcome, int]:
    return {outcome: place for place, outcome in enumerate(reachable())}


@cache
def _ends(player: _Hand, banker: _Hand, fifth: int | None, sixth: int | None) -> Possible:
    ends: Iterable[tuple[int, int, int, int]] = finishes(player[0], banker[0], fifth, sixth)
    return sum(1 << _places()[Outcome(*end, player[1], banker[1])] for end in ends)


@cache
def _hands(one: Rank | None, other: Rank | None) -> _Hands:
    """Every possible first two cards of a hand."""
    ones, others = ((one,) if one else tuple(Rank)), ((other,) if other else tuple(Rank))
    return frozenset(((a.points + b.points) % 10, a == b) for a in ones for b in others)


@cache
def _thirds(players: _Hands, bankers: _Hands, fifth: int | None) -> frozenset[tuple[Side, ...]]:
    """The hands that the fifth and sixth cards may still go to."""
    ways: set[tuple[Side, ...]] = set()
    for (player, _), (banker, _) in product(players, bankers):
        if TABLE_OF_PLAY.player_draws(player, banker):
            for third in range(10) if fifth is None else (fifth,):
                drawn = TABLE_OF_PLAY.banker_draws(player, banker, third)
                ways.add((Side.PLAYER, Side.BANKER) if drawn else (Side.PLAYER,))
        else:
            ways.add((Side.BANKER,) if TABLE_OF_PLAY.banker_draws(player, banker, None) else ())
    return frozenset(ways)


def _placed(players: _Hands, bankers: _Hands, exposed: Exposed) -> tuple[int | None, int | None]:
    """The points of the fifth and sixth cards, if they are exposed and the exposed cards determine which hand they go
    to."""
    fifth = exposed[5].points if 5 in exposed else None
    goes_to = {way[:1] for way in _thirds(players, bankers, None)}
    if len(goes_to) > 1:
        fifth = None
    sixth = exposed[6].points if 6 in exposed else None
    if {way[1:] for way in _thirds(players, bankers, fifth)} != {(Side.BANKER,)}:
        sixth = None
    return fifth, sixth
