"""The Baccarat Table of Play: who draws a third card. Laid out as it is printed, one row per line."""

import msgspec

DRAWS, STANDS, NATURAL = "draws", "stands", "natural"


def _row(printed: str) -> tuple[bool, ...]:
    return tuple(cell == "D" for cell in printed.split())


class TableOfPlay(msgspec.Struct, frozen=True):
    """The Table of Play. `player[total]` is what the Player does; `banker[total]` is a row of the grid below."""

    player: tuple[str, ...]
    banker: tuple[tuple[bool, ...], ...]

    def is_natural(self, player: int, banker: int) -> bool:
        """Whether a two-card total of either hand ends the drawing for both."""
        return NATURAL in (self.player[player], self.player[banker])

    def player_draws(self, player: int, banker: int) -> bool:
        return not self.is_natural(player, banker) and self.player[player] == DRAWS

    def banker_draws(self, player: int, banker: int, third: int | None) -> bool:
        """Whether the Banker draws. `third`: the points of the Player's third card, or none if the Player stood."""
        return not self.is_natural(player, banker) and self.banker[banker][0 if third is None else 1 + third]


TABLE_OF_PLAY = TableOfPlay(
    # the total of the first two cards, of the Player and, for a natural, of either hand
    player=(
        *(DRAWS, DRAWS, DRAWS, DRAWS, DRAWS, DRAWS),  # 0-1-2-3-4-5
        *(STANDS, STANDS),  # 6-7
        *(NATURAL, NATURAL),  # 8-9
    ),
    # the total of the Banker's first two cards, and against what the Banker draws (D) or stands (-)
    banker=(
        #            Player   the Player's third card
        #            stood    0  1  2  3  4  5  6  7  8  9
        _row("         D      D  D  D  D  D  D  D  D  D  D "),  # 0
        _row("         D      D  D  D  D  D  D  D  D  D  D "),  # 1
        _row("         D      D  D  D  D  D  D  D  D  D  D "),  # 2
        _row("         D      D  D  D  D  D  D  D  D  -  D "),  # 3
        _row("         D      -  -  D  D  D  D  D  D  -  - "),  # 4
        _row("         D      -  -  -  -  D  D  D  D  -  - "),  # 5
        _row("         -      -  -  -  -  -  -  D  D  -  - "),  # 6
        _row("         -      -  -  -  -  -  -  -  -  -  - "),  # 7
    ),
)
