"""Print scoreboards: grids that are readable without colour, or one JSON object."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from puntobanco.cli.show import console, print_json, styled
from puntobanco.roads import ROWS, Colour, Place, Road, RoadCell, Roads
from puntobanco.rules.library import Sentences
from puntobanco.rules.outcome import Winner

if TYPE_CHECKING:
    from rich.text import Text

Grid = Mapping[Place, tuple[str, str]]
"""The mark of each cell and its style."""

SIDES = (Winner.BANKER, Winner.PLAYER)
STYLES = {Winner.BANKER: "bold red", Winner.PLAYER: "bold blue", Winner.TIE: "bold green"}
SIGNS = {Colour.RED: ("●", "red"), Colour.BLUE: ("○", "blue"), None: ("–", "dim")}


def show_roads(roads: Roads, said: Sentences, *, json: bool) -> None:
    if json:
        print_json(_as_json(roads))
        return
    out = console()
    grids = {"bead_plate": _marks(roads.bead_plate), "big_road": _marks(roads.big_road)}
    grids |= {name: _signs(road) for name, road in roads.derived._asdict().items()}
    out.print(styled((said.say("roads", "informs"), "bold")))
    out.print(said.say("roads", "legend"))
    for name, grid in grids.items():
        out.print(styled("\n", (said.say("roads", name), "bold")))
        for line in _lines(grid, out.width):
            out.print(line)
    out.print()
    if roads.ties_waiting:
        out.print(said.say("roads", "waiting", ties=roads.ties_waiting))
    for side in SIDES:
        asked = roads.ask(side)._asdict().items()
        signs = [part for name, colour in asked for part in (f"  {said.say('roads', name)} ", SIGNS[colour])]
        out.print(styled((said.say("roads", "ask", side=side), STYLES[side]), *signs))


def _marks(cells: list[RoadCell]) -> Grid:
    return {one.place: (f"{one.mark}{one.ties or ''}", STYLES[one.mark.winner]) for one in cells}


def _signs(road: Road) -> Grid:
    return {place: SIGNS[Colour(colour)] for place, colour in zip(road.places, road.colours, strict=True)}


def _lines(grid: Grid, width: int) -> Iterator["Text"]:
    """The six rows. Columns that do not fit the terminal continue below, after a blank line."""
    wide = 1 + max((len(text) for text, _ in grid.values()), default=1)
    columns = 1 + max((column for column, _ in grid), default=0)
    fitting = max(1, width // wide)
    for left in range(0, columns, fitting):
        if left:
            yield styled("")
        for row in range(ROWS):
            here = (grid.get((column, row), ("·", "dim")) for column in range(left, min(columns, left + fitting)))
            line = styled(*((text.ljust(wide), style) for text, style in here))
            line.rstrip()
            yield line


def _as_json(roads: Roads) -> dict[str, object]:
    return {
        "bead_plate": [[*one.place, str(one.mark)] for one in roads.bead_plate],
        "big_road": [
            {
                "col": one.place[0],
                "row": one.place[1],
                "side": one.mark.letter,
                "ties": one.ties,
                "banker_pair": one.mark.banker_pair,
                "player_pair": one.mark.player_pair,
                "natural": one.mark.natural,
            }
            for one in roads.big_road
        ],
        **{name: road.colours for name, road in roads.derived._asdict().items()},
        "ask": {side[0].upper(): roads.ask(side)._asdict() for side in SIDES},
    }
