"""Price every bet of a layout on a shoe, as exact fractions.

A bet is a vector over the reachable Outcomes: the gain per unit staked. Everything else is a dot product.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from math import lcm, sqrt

import msgspec
import numpy as np

from puntobanco.odds.exact import Law, law
from puntobanco.odds.shoe import Shoe
from puntobanco.odds.tables import Floats, Ints
from puntobanco.rules.arguments import checked
from puntobanco.rules.established import Exposed
from puntobanco.rules.game import Bet, Game, Layout
from puntobanco.rules.html import html_table
from puntobanco.rules.money import PUSH
from puntobanco.rules.outcome import reachable
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import deciding_line

WHOLE = 2**63
"""The first number that 64 bits cannot hold."""


def _product(one: Ints, other: Ints) -> Ints:
    """Exact: uses Python integers where 64 bits would overflow."""
    if int(np.abs(one).max()) * int(np.abs(other).max()) >= WHOLE:
        return np.asarray(one.astype(object) * other.astype(object))
    return one * other


class Menu(msgspec.Struct, frozen=True, dict=True):
    """The bets of a layout over the reachable Outcomes: `gains[bet][outcome]`, in units of 1 / `unit` of the stake."""

    bets: tuple[Bet, ...]
    unit: int
    gains: Ints
    pushes: Ints

    def __repr__(self) -> str:
        return f"<Menu {', '.join(self.at)}>"

    @cached_property
    def squares(self) -> Ints:
        return _product(self.gains, self.gains)

    @cached_property
    def wins(self) -> Ints:
        return (self.gains > 0).astype(np.int64)

    @cached_property
    def returns(self) -> Floats:
        """The gain per unit staked, as floats: for a live shoe."""
        return self.gains / self.unit

    @cached_property
    def at(self) -> dict[str, int]:
        return {bet.key: place for place, bet in enumerate(self.bets)}


_MENUS: dict[tuple[str, str | None], Menu] = {}


def menu(game: Game, layout: Layout | str | None) -> Menu:
    """The bets of the layout that are placed before the deal, compiled once per game content."""
    layout = game.layout(layout)
    name = (game.fingerprint, layout.key if layout else None)
    if name not in _MENUS:
        _MENUS[name] = _compiled(tuple(bet for bet in game.menu(layout) if bet.insures is None))
    return _MENUS[name]


def _compiled(bets: tuple[Bet, ...]) -> Menu:
    unit = lcm(*(line.pays.denominator for bet in bets for line in bet.lines))
    gains = np.full((len(bets), len(reachable())), -unit, np.int64)
    pushes = np.zeros_like(gains)
    for row, bet in enumerate(bets):
        for column, outcome in enumerate(reachable()):
            line = deciding_line(bet, outcome)
            if line is not None:
                gains[row, column] = int(line.pays * unit)
                pushes[row, column] = line.pays == PUSH
    return Menu(bets, unit, gains, pushes)


def dot(rows: Ints, ways: Ints | list[int]) -> list[int]:
    """Exact at any size: numbers are split where 64 bits would overflow."""
    greatest = int(np.abs(rows).max(initial=0)) if rows.dtype != object else WHOLE
    if isinstance(ways, list) or greatest << 32 >= WHOLE // max(1, rows.shape[1]):
        return [sum(int(gain) * way for gain, way in zip(row, map(int, ways), strict=True)) for row in rows.tolist()]
    low, high = ways & 0xFFFFFFFF, ways >> 32
    return [int(a) + (int(b) << 32) for a, b in zip(rows @ low, rows @ high, strict=True)]


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """One bet on one shoe. Edges are the house's: positive when the house wins. A void deal returns the stake."""

    bet: Bet
    win: Fraction
    push: Fraction
    lose: Fraction
    void: Fraction
    house_edge: Fraction
    variance: Fraction

    def __repr__(self) -> str:
        return f"<Price {self.bet.key}: house edge {float(self.house_edge):.4%}>"

    @property
    def house_edge_resolved(self) -> Fraction:
        """Per bet that was won or lost, as some books print it."""
        resolved = self.win + self.lose
        return self.house_edge / resolved if resolved else Fraction(0)

    @property
    def return_to_player(self) -> Fraction:
        return 1 - self.house_edge

    @property
    def stdev(self) -> float:
        return sqrt(self.variance)


class Prices(msgspec.Struct, frozen=True, dict=True):
    """Every bet of a layout on one shoe."""

    game: Game
    layout: Layout | None
    law: Law
    menu: Menu
    bets: dict[str, Price]

    @checked
    def __getitem__(self, key: str) -> Price:
        if key not in self.bets:
            raise Refused(Reason.INSURANCE_NOT_MAIN, bet=self.game.bet(key, self.layout).title)
        return self.bets[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.bets)

    @cached_property
    def covariance(self) -> list[list[Fraction]]:
        """Covariance of the gains per unit, in the order of the menu."""
        gains, unit, total = self.menu.gains, self.menu.unit, self.law.total
        means = [-price.house_edge for price in self.bets.values()]
        rows = []
        for row, mean in zip(gains, means, strict=True):
            products = dot(_product(gains, row), self.law.ways)
            rows.append(
                [Fraction(it, total * unit * unit) - mean * other for it, other in zip(products, means, strict=True)]
            )
        return rows

    @cached_property
    def correlation(self) -> Floats:
        """Correlation of the gains of each pair of bets."""
        spread = np.array([price.stdev or 1.0 for price in self.bets.values()])
        matrix = np.array([[float(one) for one in row] for row in self.covariance])
        return np.clip(matrix / np.outer(spread, spread), -1.0, 1.0)

    def _repr_html_(self) -> str:
        rows = [
            (one.bet.title.en, f"{float(one.house_edge):.4%}", f"{float(one.win):.4%}", f"{float(one.push):.4%}",
             f"{one.stdev:.4f}")
            for one in self.bets.values()
        ]  # fmt: skip
        return html_table(self.game.title.en, ("Bet", "House edge", "Win", "Push", "St. dev."), rows)

    def __repr__(self) -> str:
        felt = f", layout {self.layout.key}" if self.layout else ""
        return f"<Prices {self.game.key}{felt}: {len(self.bets)} bets>"


def price(
    game: Game, shoe: Shoe, layout: Layout | str | None = None, known: Exposed | None = None, most: int = 6
) -> Prices:
    """Price every bet of the layout, by default the game's first. `known` and `most` as in `law`.

    >>> from puntobanco.rules import library
    >>> round(float(price(library.game("commission"), Shoe.of(8))["banker"].house_edge), 6)
    0.010579
    """
    felt = game.layout(layout)
    compiled, dealt = menu(game, felt), law(shoe, known, most)
    total, unit = dealt.total, compiled.unit
    gained, squared = dot(compiled.gains, dealt.ways), dot(compiled.squares, dealt.ways)
    won, pushed = dot(compiled.wins, dealt.ways), dot(compiled.pushes, dealt.ways)
    void = Fraction(dealt.void, total)
    bets = {}
    for place, bet in enumerate(compiled.bets):
        edge, win, push = (
            Fraction(-gained[place], total * unit), Fraction(won[place], total), Fraction(pushed[place], total),
        )  # fmt: skip
        bets[bet.key] = Price(
            bet=bet,
            win=win,
            push=push,
            lose=1 - win - push - void,
            void=void,
            house_edge=edge,
            variance=Fraction(squared[place], total * unit * unit) - edge * edge,
        )
    return Prices(game, felt, dealt, compiled, bets)
