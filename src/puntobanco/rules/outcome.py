"""The Outcome of a round: the one vocabulary of every pay line, price and proof."""

from enum import StrEnum
from functools import cache
from itertools import product

import msgspec

from puntobanco.rules.tableau import TABLE_OF_PLAY, TableOfPlay


class Side(StrEnum):
    """The two hands that cards are dealt to."""

    PLAYER = "player"
    BANKER = "banker"


class Winner(StrEnum):
    """The hand that won, or a tie."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


class Outcome(msgspec.Struct, frozen=True, order=True):
    """The result of the two hands. Every bet of every game is settled from it."""

    player_points: int
    """The points of the Player hand, 0 to 9."""
    banker_points: int
    """The points of the Banker hand, 0 to 9."""
    player_cards: int
    """How many cards the Player hand has, 2 or 3."""
    banker_cards: int
    """How many cards the Banker hand has, 2 or 3."""
    player_pair: bool
    """Whether the first two cards of the Player hand are a pair."""
    banker_pair: bool
    """Whether the first two cards of the Banker hand are a pair."""

    @property
    def winner(self) -> Winner:
        if self.player_points == self.banker_points:
            return Winner.TIE
        return Winner.PLAYER if self.player_points > self.banker_points else Winner.BANKER

    @property
    def margin(self) -> int:
        return abs(self.player_points - self.banker_points)

    @property
    def natural(self) -> bool:
        """Whether a two-card 8 or 9 of either hand, or of both, ended the round."""
        return any(
            cards == 2 and points >= 8
            for points, cards in (
                (self.player_points, self.player_cards),
                (self.banker_points, self.banker_cards),
            )
        )


@cache
def finishes(
    player: int, banker: int, fifth: int | None = None, sixth: int | None = None, table: TableOfPlay = TABLE_OF_PLAY
) -> frozenset[tuple[int, int, int, int]]:
    """Every (Player points, Banker points, Player cards, Banker cards) that can still follow from two-card totals.
    `fifth` and `sixth` are the points of the next cards, or none if they may be anything."""
    fifths = range(10) if fifth is None else (fifth,)
    sixths = range(10) if sixth is None else (sixth,)
    if table.player_draws(player, banker):
        return frozenset(
            ((player + x) % 10, (banker + y) % 10, 3, 3) if draws else ((player + x) % 10, banker, 3, 2)
            for x in fifths
            for draws in (table.banker_draws(player, banker, x),)
            for y in sixths
        )
    if table.banker_draws(player, banker, None):
        return frozenset((player, (banker + x) % 10, 2, 3) for x in fifths)
    return frozenset({(player, banker, 2, 2)})


def two_card_hands() -> tuple[tuple[int, bool], ...]:
    """Every (total, pair) that two cards can have. A pair has an even total."""
    return tuple((total, pair) for total in range(10) for pair in (False, True) if not pair or total % 2 == 0)


@cache
def reachable() -> tuple[Outcome, ...]:
    """Every Outcome that some deal leads to, sorted."""
    return tuple(
        sorted(
            {
                Outcome(*finish, player_pair, banker_pair)
                for (player, player_pair), (banker, banker_pair) in product(two_card_hands(), repeat=2)
                for finish in finishes(player, banker)
            }
        )
    )
