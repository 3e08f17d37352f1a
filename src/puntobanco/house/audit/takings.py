"""What a table takes: turnover and the house's result by bet, to be held against theory."""

from math import sqrt

import msgspec

from puntobanco.table.events import DecidedBet, SettledStake

BAND = 2.576
"""So many standard deviations hold 99 of a hundred honest tables."""


class Taken(msgspec.Struct):
    """One kind of bet: how often it was settled, what played, what the house kept, and the squares of what played."""

    bets: int = 0
    turnover: int = 0
    won: int = 0
    squares: int = 0


class Takings:
    """Kept up with every settlement, and undone with every one that is taken back."""

    def __init__(self) -> None:
        self.by_bet: dict[str, Taken] = {}

    def settled(self, stakes: tuple[SettledStake, ...], sign: int = 1) -> None:
        for one in stakes:
            taken = self.by_bet.setdefault(one.bet, Taken())
            taken.bets += sign
            taken.turnover += sign * one.plays
            taken.won -= sign * one.profit
            taken.squares += sign * one.plays * one.plays

    def decided(self, one: DecidedBet) -> None:
        """A settlement in place of another, a bet that is over before its settlement, or something paid besides."""
        if one.was is not None:
            self.settled((one.was,), -1)
        if one.settled is not None:
            self.settled((one.settled,))
        elif one.stake is None:
            self.by_bet.setdefault(one.terms.bet, Taken()).won -= one.gets


class TheoreticalHold(msgspec.Struct, frozen=True, kw_only=True):
    """What theory says the house should have kept, and the band around it."""

    won: float
    low: float
    high: float
    turnover: int
    """Of the bets theory has a figure for."""
    priced: int
    """What the house kept of these."""


def expected(takings: Takings, edges: dict[str, float], deviations: dict[str, float]) -> TheoreticalHold:
    """Bets are taken as independent, which makes the band a little narrow where many bet on one round."""
    mean = variance = 0.0
    turnover = priced = 0
    for bet, taken in takings.by_bet.items():
        if bet in edges:
            mean += taken.turnover * edges[bet]
            variance += taken.squares * deviations[bet] ** 2
            turnover += taken.turnover
            priced += taken.won
    width = BAND * sqrt(max(0.0, variance))
    return TheoreticalHold(won=mean, low=mean - width, high=mean + width, turnover=turnover, priced=priced)
