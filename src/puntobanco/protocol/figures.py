"""Figures: prices, simulations, what a shoe is worth now, and the takings of the tables."""

from typing import Any

from puntobanco.protocol.answers import Wire
from puntobanco.rules.tried_pay import NewPay


class GameSource(Wire, frozen=True):
    """The text of a game file."""

    key: str
    content: str


class Pricing(Wire, frozen=True):
    """A game of the house, or the text of a game file; a number of decks, or a shoe such as `A=32,2=31,...`. `pays`:
    other pay lines to use instead."""

    game: str = ""
    content: str | None = None
    """The text of a game file to use; null to use a game of the house."""
    layout: str | None = None
    """The key of the layout; null for the first of the game."""
    decks: int = 8
    shoe: str | None = None
    """The number of cards of each rank in the shoe, such as `A=32,2=31`; null for full decks."""
    removal: bool = False
    """Whether to compute the effect of removing one card of each rank."""
    pays: tuple[NewPay, ...] = ()
    """Pay lines to use instead of those of the game."""


class Figures(Wire, frozen=True):
    """The figures of `puntobanco odds --json`. `removal`: the effect of removing one card of each rank."""

    figures: dict[str, Any]
    """The figures of every bet."""
    removal: dict[str, list[float]] | None = None
    """For each bet, the change of its return, as a share of the stake, when one card of each rank, ace to king, leaves
    the shoe; null unless it
    was asked for."""


class SimulationRequest(Wire, frozen=True):
    """A simulation to run."""

    rounds: int
    """How many rounds to simulate."""
    game: str = ""
    content: str | None = None
    """The text of a game file to use; null to use a game of the house."""
    layout: str | None = None
    """The key of the layout; null for the first of the game."""
    decks: int = 8
    seed: int = 1
    """The seed, any whole number: the same seed gives the same rounds."""
    pays: tuple[NewPay, ...] = ()
    """Pay lines to use instead of those of the game."""


class Simulated(Wire, frozen=True):
    """The progress and results of a simulation."""

    number: int
    done: bool = False
    """Whether the simulation has ended."""
    progress: dict[str, Any] | None = None
    """The results so far; null before there are any."""


class ShoeNow(Wire, frozen=True):
    """The exact return of every bet on the cards left in the shoe."""

    table: str
    version: int
    shoe: str
    """The number of cards of each rank left, such as `A=32,2=31`."""
    cards: int
    """How many cards are left."""
    returns: dict[str, float]
    """The average gain of each bet on a stake of one; negative for a loss."""
    favourable: tuple[str, ...]
    """The bets with a positive return."""


class InSight(Wire, frozen=True):
    """Cards that everybody has seen before betting is closed, in draw order, and what bets are worth on them."""

    table: str
    version: int
    cards: tuple[str | None, ...]
    not_offered: tuple[str, ...]
    worth: dict[str, int] | None
    """The average gain of each bet, in millionths of the stake; null if it could not be computed in time."""


class BetTaken(Wire, frozen=True):
    """The takings of one bet."""

    bet: str
    bets: int
    """How many bets were settled."""
    turnover: int
    won: int


class TableTakings(Wire, frozen=True):
    """The takings of a table compared with theory: 99 of 100 honest tables are between `low` and `high`."""

    table: str
    rounds: int
    """How many rounds the table has played."""
    rounds_per_hour: float
    """How many rounds the table plays in an hour, by those of the last hour."""
    turnover: int
    won: int
    bets: tuple[BetTaken, ...]
    """The takings of each bet."""
    priced: int = 0
    """What the house won, in cents, on the bets that theory has a figure for: compare this with `expected`."""
    expected: float | None = None
    """What the house should have won in theory, in cents; null if it cannot be computed."""
    low: float | None = None
    """The lower end of the band around `expected`, in cents."""
    high: float | None = None
    """The upper end of the band around `expected`, in cents."""
