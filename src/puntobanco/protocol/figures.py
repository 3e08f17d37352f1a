"""Figures: prices, simulations, what a shoe is worth now, and the takings of the tables."""

from typing import Any

from puntobanco.protocol.answers import Wire
from puntobanco.rules.library import NewPay


class GameSource(Wire, frozen=True):
    """The text of a game file."""

    key: str
    content: str


class Pricing(Wire, frozen=True):
    """A game of the house, or the text of a game file; a number of decks, or a shoe such as `A=32,2=31,...`. `pays`:
    other pay lines to use instead."""

    game: str = ""
    content: str | None = None
    layout: str | None = None
    decks: int = 8
    shoe: str | None = None
    removal: bool = False
    pays: tuple[NewPay, ...] = ()


class Figures(Wire, frozen=True):
    """The figures of `puntobanco odds --json`. `removal`: the effect of removing one card of each rank."""

    figures: dict[str, Any]
    removal: dict[str, list[float]] | None = None


class SimulationRequest(Wire, frozen=True):
    rounds: int
    game: str = ""
    content: str | None = None
    layout: str | None = None
    decks: int = 8
    seed: int = 1
    pays: tuple[NewPay, ...] = ()


class Simulated(Wire, frozen=True):
    number: int
    done: bool = False
    progress: dict[str, Any] | None = None


class ShoeNow(Wire, frozen=True):
    table: str
    version: int
    shoe: str
    cards: int
    returns: dict[str, float]
    favourable: tuple[str, ...]


class InSight(Wire, frozen=True):
    """Cards that everybody has seen before betting is closed, in draw order, and what bets are worth on them. `worth`:
    the average gain on a stake, in millionths of it; None if it could not be computed in time."""

    table: str
    version: int
    cards: tuple[str | None, ...]
    not_offered: tuple[str, ...]
    worth: dict[str, int] | None


class BetTaken(Wire, frozen=True):
    bet: str
    bets: int
    turnover: int
    won: int


class TableTakings(Wire, frozen=True):
    """The takings of a table compared with theory: 99 of 100 honest tables are between `low` and `high`."""

    table: str
    rounds: int
    rounds_per_hour: float
    turnover: int
    won: int
    bets: tuple[BetTaken, ...]
    priced: int = 0
    """What was won on the bets theory has a figure for: this is what to hold against it."""
    expected: float | None = None
    low: float | None = None
    high: float | None = None
