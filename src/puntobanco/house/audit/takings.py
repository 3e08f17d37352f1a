"""The takings of a table: turnover and the house's result by bet, for comparison with theory."""

from math import sqrt

import msgspec

from puntobanco.table.events import DecidedBet, SettledStake

BAND = 2.576
"""This many standard deviations include 99 of 100 honest tables."""


class Taken(msgspec.Struct):
    """One kind of bet: how often it was settled, what played, what the house kept, and the sum of squares of what
    played."""

    bets: int = 0
    turnover: int = 0
    won: int = 0
    squares: int = 0


class Takings:
    """Updated with every settlement and undone with every reversal."""

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
        """A settlement in place of another, a bet decided before settlement, or an additional payment."""
        if one.was is not None:
            self.settled((one.was,), -1)
        if one.settled is not None:
            self.settled((one.settled,))
        elif one.stake is None:
            self.by_bet.setdefault(one.terms.bet, Taken()).won -= one.gets


class TheoreticalHold(msgspec.Struct, frozen=True, kw_only=True):
    """What the house should have kept in theory, and the band around it."""

    won: float
    low: float
    high: float
    priced: int
    """What the house kept of the bets that theory has a figure for."""


def expected(takings: Takings, edges: dict[str, float], deviations: dict[str, float]) -> TheoreticalHold:
    """Bets are assumed to be independent, so the band is slightly too narrow if many bet on one round."""
    mean = variance = 0.0
    priced = 0
    for bet, taken in takings.by_bet.items():
        if bet in edges:
            mean += taken.turnover * edges[bet]
            variance += taken.squares * deviations[bet] ** 2
            priced += taken.won
    width = BAND * sqrt(max(0.0, variance))
    return TheoreticalHold(won=mean, low=mean - width, high=mean + width, priced=priced)
