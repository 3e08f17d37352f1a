"""The mathematician's desk: a program of its own that answers questions a line at a time, so that tables never feel it.

`python -m puntobanco.odds.desk` reads one JSON object a line and answers with one or more: several with `more` while a
simulation runs, the last without. What cannot be answered is a refusal; the desk lives on.
"""

import os
import sys
from typing import Any

import msgspec

from puntobanco.odds import plain
from puntobanco.odds.pricing import price
from puntobanco.odds.protection import live, removal_effects
from puntobanco.odds.shoe import Shoe, read_shoe
from puntobanco.odds.simulate import Mode, Plan, Simulation, simulate
from puntobanco.rules import library
from puntobanco.rules.game import Game, Layout
from puntobanco.rules.refusal import Reason, Refused


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`do`: price, live, removal or simulate. `content`: the game, canonical; or `file`, as somebody wrote it. A shoe
    is so many decks, or written."""

    id: int
    do: str
    content: str = ""
    file: str | None = None
    layout: str | None = None
    decks: int = 8
    shoe: str | None = None
    rounds: int = 0
    seed: int = 0
    mode: Mode = Mode.FRESH


def answer(question: Question, say: Any) -> dict[str, object]:
    written = question.file
    game = library.from_canonical(question.content.encode()) if written is None else library.game_from(written)[0]
    layout = game.layout(question.layout)
    if question.do == "simulate":
        return _simulated(question, game, layout, say)
    if question.shoe is None:
        game.decks.check(question.decks)
    shoe = read_shoe(question.shoe) if question.shoe is not None else Shoe.of(question.decks)
    match question.do:
        case "price":
            return plain.prices(price(game, shoe, layout), None if question.shoe is not None else question.decks)
        case "live":
            found = live(game, shoe, layout)
            return {"returns": found.returns, "favourable": sorted(found.favourable), "cards": shoe.cards}
        case "removal":
            return {key: list(map(float, effects)) for key, effects in removal_effects(game, shoe, layout).items()}
        case _:
            raise Refused(Reason.UNKNOWN_COMMAND, command=question.do, known="price, live, removal, simulate")


def _simulated(question: Question, game: Game, layout: Layout | None, say: Any) -> dict[str, object]:
    plan = Plan(rounds=question.rounds, seed=question.seed, decks=question.decks, mode=question.mode)

    def progress(run: Simulation) -> None:
        say(_summary(run, game, layout))

    return _summary(simulate(plan, workers=1, progress=progress), game, layout)


def _summary(run: Simulation, game: Game, layout: Layout | None) -> dict[str, object]:
    told = plain.simulation(run, game, layout)
    del told["outcomes"]
    return told


def main() -> None:
    """Low in priority, and gone as soon as nobody reads or asks any more."""
    os.nice(10)
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        number = 0

        def say(told: object, *, more: bool = True, name: str = "answer") -> None:
            out.write(msgspec.json.encode({"id": number, name: told} | ({"more": True} if more else {})) + b"\n")  # noqa: B023
            out.flush()

        try:
            question = msgspec.json.decode(line, type=Question)
            number = question.id
            say(answer(question, say), more=False)
        except Refused as refused:
            parameters = {key: str(value) for key, value in refused.parameters.items()}
            paragraph = str(refused.paragraph) if refused.paragraph is not None else None
            say(
                {"reason": refused.reason, "paragraph": paragraph, "parameters": parameters}, more=False, name="refused"
            )
        except msgspec.MsgspecError as error:
            say({"reason": Reason.COMMAND_MALFORMED, "paragraph": None, "parameters": {"why": str(error)}},
                more=False, name="refused")  # fmt: skip


if __name__ == "__main__":
    main()
