"""The rules as tables for the kernels: compiled here from `rules/`; an exhaustive test proves them equal."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puntobanco.rules.cards import Rank
from puntobanco.rules.outcome import reachable
from puntobanco.rules.tableau import TABLE_OF_PLAY, TableOfPlay

POINTS = tuple(rank.points for rank in Rank)
"""The point class of each of the thirteen ranks."""

DRAWING = 8
"""Two-card totals below this may draw. 8 and 9 are naturals and end the drawing of both hands."""

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@cache
def player_draws(table: TableOfPlay = TABLE_OF_PLAY) -> Bools:
    """By the two totals."""
    return np.array([[table.player_draws(player, banker) for banker in range(10)] for player in range(10)])


@cache
def banker_draws_alone(table: TableOfPlay = TABLE_OF_PLAY) -> Bools:
    """By the two totals, if the Player stands: whether the fifth card is the Banker's."""
    return np.array(
        [
            [
                not table.player_draws(player, banker) and table.banker_draws(player, banker, None)
                for banker in range(10)
            ]
            for player in range(10)
        ]
    )


@cache
def banker_draws(table: TableOfPlay = TABLE_OF_PLAY) -> Bools:
    """By the Player's third card and the Banker's total, if the Player has drawn."""
    drawing = next(total for total in range(10) if table.player_draws(total, 0))
    return np.array([[table.banker_draws(drawing, banker, third) for banker in range(DRAWING)] for third in range(10)])


@cache
def rules(kind: Any = np.bool_) -> tuple[Bools, Bools, Any]:
    """What a kernel reads of the rules: the three tables above, the last as numbers of that kind."""
    return player_draws(), banker_draws_alone(), banker_draws().astype(kind)


@cache
def cell_of_outcome() -> Ints:
    """For each reachable Outcome, its cell."""
    return np.array(
        [
            cell(
                2 * it.player_pair + it.banker_pair,
                it.player_points,
                it.banker_points,
                it.player_cards,
                it.banker_cards,
            )
            for it in reachable()
        ],
        dtype=np.int64,
    )


def cell(pairs: int, player: int, banker: int, player_cards: int, banker_cards: int) -> int:
    """The index in a kernel's table of [pairs][Player cards][Banker cards][P][B]."""
    return (((pairs * 2 + player_cards - 2) * 2 + banker_cards - 2) * 10 + player) * 10 + banker


CELLS = 4 * 2 * 2 * 10 * 10
