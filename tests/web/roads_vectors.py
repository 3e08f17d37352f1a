"""What the roads on the screens are held against: shoes drawn by `puntobanco.roads`, for `ui/src/lib/roads`.

`python -m tests.web.roads_vectors --write` writes the file; a test keeps it true.
"""

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

from puntobanco.roads import Colour, Derived, Mark, Road, Roads, Turn, read_marks
from puntobanco.rules.outcome import Winner

FILE = Path(__file__).parents[2] / "ui" / "src" / "lib" / "roads" / "vectors.json"
WRITTEN = (
    "", "T", "TTT", "TTB", "B", "BT", "PBPBPBPB", "BBBBBBBBBBBBBBBBBBBB", "BBBBBBBBPPPPPPPPBBBBBBBBPPPPPPPP",
    "BBBPPBPPPBB", "BbnTPpTTBbpBn", "PPPPPPPPPBPPPPPPPPPBPPPPPPPPP", "BBPPBBPPBBPPBBPP", "BPPBBBPPPPBBBBBPPPPPP",
)  # fmt: skip
DRAWN = 40


def marks_drawn(chance: Random, stays: float) -> str:
    """A shoe whose runs are long or short, with ties, pairs and naturals among them."""
    winner, drawn = chance.choice("BP"), ""
    for _ in range(chance.randint(20, 80)):
        if chance.random() < 0.09:
            drawn += "T"
        else:
            winner = winner if chance.random() < stays else "BP"[winner == "B"]
            drawn += winner
        drawn += "b" * (chance.random() < 0.08) + "p" * (chance.random() < 0.08) + "n" * (chance.random() < 0.3)
    return drawn


def vector(shoe: int, marks: tuple[Mark, ...], turn: Turn) -> dict[str, Any]:
    drawn = Roads(marks, turn)
    return {
        "shoe": shoe,
        "turn": turn,
        "results": " ".join(map(str, marks)),
        "roads": {
            "bead_plate": " ".join(_at(cell.place) for cell in drawn.bead_plate),
            "big_road": " ".join(f"{cell.mark}{cell.ties or ''}@{_at(cell.place)}" for cell in drawn.big_road),
            "ties_waiting": drawn.ties_waiting,
            "big_eye_boy": _dots(drawn.derived.big_eye_boy),
            "small_road": _dots(drawn.derived.small_road),
            "cockroach_pig": _dots(drawn.derived.cockroach_pig),
            "ask": {"B": _asked(drawn.ask(Winner.BANKER)), "P": _asked(drawn.ask(Winner.PLAYER))},
        },
        "counts": {
            "banker": sum(mark.winner is Winner.BANKER for mark in marks),
            "player": sum(mark.winner is Winner.PLAYER for mark in marks),
            "tie": sum(mark.winner is Winner.TIE for mark in marks),
            "bankerPair": sum(mark.banker_pair for mark in marks),
            "playerPair": sum(mark.player_pair for mark in marks),
            "natural": sum(mark.natural for mark in marks),
        },
    }


def _at(place: tuple[int, int]) -> str:
    return f"{place[0]},{place[1]}"


def _dots(road: Road) -> str:
    return " ".join(f"{colour}@{_at(place)}" for colour, place in zip(road.colours, road.places, strict=True))


def _asked(colours: Derived[Colour | None]) -> str:
    return "".join(colour or "-" for colour in colours)


def content() -> str:
    chance = Random(20_241_206)
    shoes = [*WRITTEN, *(marks_drawn(chance, stays=chance.uniform(0.3, 0.9)) for _ in range(DRAWN))]
    lines = [
        json.dumps(vector(number, read_marks(shoe), turn))
        for number, shoe in enumerate(shoes, start=1)
        for turn in Turn
    ]
    return "[\n" + ",\n".join(lines) + "\n]\n"


if __name__ == "__main__":
    if "--write" in sys.argv:
        FILE.write_text(content(), encoding="utf-8")
    sys.exit(FILE.read_text(encoding="utf-8") != content())
