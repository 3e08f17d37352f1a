"""Established outcomes: which available bets the exposed cards have conclusively won or lost.

Available is every bet the layout offers, placed or not. Cards face down and cards still in the shoe may be anything.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from itertools import product

from puntobanco.rules.cards import Rank
from puntobanco.rules.game import Bet, Game, Layout
from puntobanco.rules.outcome import Outcome, Side, finishes, reachable, two_card_hands
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result, result_of
from puntobanco.rules.tableau import TABLE_OF_PLAY


class Standing(StrEnum):
    """How a bet stands on the exposed cards. What is certain to be returned is neither won nor lost."""

    WON = "won"
    LOST = "lost"
    RETURNED = "returned"
    OPEN = "open"


Exposed = Mapping[int, Rank]
"""Draw index, from 1, to the rank that everyone can see."""


def standings(game: Game, layout: Layout | None, exposed: Exposed) -> dict[str, Standing]:
    """How each available bet stands. Insurance is not among them: it is on offer only in its windows."""
    possible = possible_outcomes(exposed)
    return {bet.key: _standing(bet, possible) for bet in game.menu(layout) if bet.insures is None}


def is_established(game: Game, layout: Layout | None, exposed: Exposed) -> bool:
    """Whether any available bet has conclusively won or lost."""
    return bool({Standing.WON, Standing.LOST} & set(standings(game, layout, exposed).values()))


def possible_outcomes(exposed: Exposed) -> frozenset[Outcome]:
    """Every Outcome the round may still come to, whatever the cards nobody has seen."""
    for index in exposed:
        if not 1 <= index <= 6:
            raise Refused(Reason.CARD_OUT_OF_PLACE, index=index)
    players = _hands(exposed.get(1), exposed.get(3))
    bankers = _hands(exposed.get(2), exposed.get(4))
    fifth, sixth = _placed(players, bankers, exposed)
    return frozenset(
        Outcome(*finish, player_pair, banker_pair)
        for (player, player_pair), (banker, banker_pair) in product(players, bankers)
        for finish in finishes(player, banker, fifth, sixth)
    )


_Hands = frozenset[tuple[int, bool]]


@cache
def _hands(one: Rank | None, other: Rank | None) -> _Hands:
    """Every (total, pair) the first two cards of a hand may have."""
    if one is None and other is None:
        return frozenset(two_card_hands())
    ones, others = ((one,) if one else tuple(Rank)), ((other,) if other else tuple(Rank))
    return frozenset(((a.points + b.points) % 10, a == b) for a in ones for b in others)


@cache
def _thirds(players: _Hands, bankers: _Hands, fifth: int | None) -> frozenset[tuple[Side, ...]]:
    """To whom the fifth and sixth cards may yet go."""
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
    """The points of the fifth and sixth cards, where exposed and once the exposed cards fix where they belong."""
    fifth = exposed[5].points if 5 in exposed else None
    goes_to = {way[:1] for way in _thirds(players, bankers, None)}
    if len(goes_to) > 1 or () in goes_to:
        fifth = None
    sixth = exposed[6].points if 6 in exposed else None
    if {way[1:] for way in _thirds(players, bankers, fifth)} != {(Side.BANKER,)}:
        sixth = None
    return fifth, sixth


def _standing(bet: Bet, possible: frozenset[Outcome]) -> Standing:
    results_by_outcome = _results(bet)
    results = {results_by_outcome[outcome] for outcome in possible}
    if len(results) > 1:
        return Standing.OPEN
    return {Result.WIN: Standing.WON, Result.LOSE: Standing.LOST, Result.PUSH: Standing.RETURNED}[results.pop()]


@cache
def _results(bet: Bet) -> dict[Outcome, Result]:
    return {outcome: result_of(bet, outcome) for outcome in reachable()}
