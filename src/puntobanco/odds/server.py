"""The odds process: answers questions in a process of its own, so that tables are not affected.

`python -m puntobanco.odds.server` reads one JSON object per line and answers with one or more lines: several with
`more` while a simulation runs, the last without. An invalid question is answered with a refusal, and the process
continues. It runs at low priority and with limited memory, and exits when it has grown large or its input closes.
"""

import os
import resource
import sys
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from puntobanco.odds import json_values
from puntobanco.odds.pricing import price
from puntobanco.odds.protection import live, removal_effects
from puntobanco.odds.shoe import Shoe, read_shoe
from puntobanco.odds.simulate import PIECE, Plan, Simulation, SimulationMode, play, simulate
from puntobanco.odds.tables import Ints
from puntobanco.rules import library
from puntobanco.rules.cards import Rank
from puntobanco.rules.game import Game, Layout
from puntobanco.rules.refusal import Reason, Refusal, Refused
from puntobanco.rules.tried_pay import NewPay

NICENESS = 19
MOST_MEMORY = 3 * 2**30
"""Most bytes of memory. A question that needs more is refused."""
LARGE = 2**20
"""Kilobytes beyond which the process takes no further question."""
FIRST_LOOK = 1024
"""Rounds until the first intermediate result of a simulation; the next come at twice as many, and so on."""

Say = Callable[[dict[str, object]], None]


class OddsQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`do`: price, live, removal or simulate. A shoe is a number of decks, or given card by card. `content`: the
    canonical game; or `text`: a game file, parsed here; with `pays`: as if these lines were written so."""

    id: int
    do: str
    content: str = ""
    text: str | None = None
    pays: tuple[NewPay, ...] = ()
    layout: str | None = None
    decks: int = 8
    shoe: str | None = None
    known: dict[int, Rank] = {}
    """Draws of the next round that everyone knows, by index. These cards have left the shoe."""
    most: int = 6
    """Cards that can be drawn in all, including those."""
    rounds: int = 0
    seed: int = 0
    mode: SimulationMode = SimulationMode.FRESH


def answer(question: OddsQuestion, say: Say) -> dict[str, object]:
    if question.text is not None:
        game = library.game_from(question.text, question.pays)[0]
    else:
        game = library.from_canonical(question.content.encode())
    layout = game.layout(question.layout)
    if question.shoe is None:
        game.decks.check(question.decks)
    if question.do == "simulate":
        return _simulated(question, game, layout, say)
    shoe = read_shoe(question.shoe) if question.shoe is not None else Shoe.of(question.decks)
    match question.do:
        case "price":
            told = json_values.prices(price(game, shoe, layout), None if question.shoe is not None else question.decks)
            return told | {"about": _about(game, layout)}
        case "live":
            found = live(game, shoe, layout, question.known, question.most)
            return {"returns": found.returns, "favourable": sorted(found.favourable), "cards": shoe.cards}
        case "removal":
            return {key: list(map(float, effects)) for key, effects in removal_effects(game, shoe, layout).items()}
        case _:
            raise Refused(Reason.UNKNOWN_COMMAND, command=question.do, known="price, live, removal, simulate")


def _about(game: Game, layout: Layout | None) -> dict[str, object]:
    """What a screen needs to label the result: a pasted file is known nowhere else."""
    return {
        "title": msgspec.to_builtins(game.title),
        "decks": [game.decks.least, game.decks.most],
        "layouts": [{"key": one.key, "title": msgspec.to_builtins(one.title)} for one in game.layouts],
        "bets": {bet.key: msgspec.to_builtins(bet.title) for bet in game.menu(layout)},
    }


# ---- simulations -------------------------------------------------------------------------------------------------


def _simulated(question: OddsQuestion, game: Game, layout: Layout | None, say: Say) -> dict[str, object]:
    plan = Plan(rounds=question.rounds, seed=question.seed, decks=question.decks, mode=question.mode)
    path: dict[int, dict[str, object]] = {}

    def summary(run: Simulation) -> dict[str, object]:
        told = json_values.simulation(run, game, layout)
        del told["outcomes"]
        for rounds, tally in run.path:
            if rounds > max(path, default=0):
                path[rounds] = _point(plan, rounds, tally, game, layout)
        return told | {"path": list(path.values())}

    for run in _first_looks(plan):
        say(summary(run))
    return summary(simulate(plan, workers=1, progress=lambda run: say(summary(run))))


def _first_looks(plan: Plan) -> Iterator[Simulation]:
    """The beginning of the first piece, repeatedly and twice as far each time: the same rounds as in the whole run."""
    rounds = FIRST_LOOK
    while rounds < min(plan.rounds, PIECE[plan.mode]):
        tally = play(msgspec.structs.replace(plan, rounds=rounds), 0)
        yield Simulation(plan=plan, tally=tally, seconds=0.0, path=((rounds, tally),))
        rounds *= 2


def _point(plan: Plan, rounds: int, tally: Ints, game: Game, layout: Layout | None) -> dict[str, object]:
    """The edge and standard error of every bet after that many rounds."""
    run = Simulation(plan=plan, tally=tally, seconds=0.0)
    return {
        "rounds": rounds,
        "bets": {key: [one.house_edge, one.stderr] for key, one in run.bets(game, layout).items()},
    }


# ---- the program -------------------------------------------------------------------------------------------------


def answers(line: bytes, write: Callable[[dict[str, Any]], None]) -> None:
    number = 0
    try:
        question = msgspec.json.decode(line, type=OddsQuestion)
        number = question.id
        told = answer(question, lambda progress: write({"id": number, "answer": progress, "more": True}))
        write({"id": number, "answer": told})
    except Refused as refused:
        write({"id": number, "refused": refused.refusal})
    except (msgspec.MsgspecError, UnicodeError) as error:
        write({"id": number, "refused": Refusal(Reason.COMMAND_MALFORMED, None, {"why": error})})
    except (ArithmeticError, MemoryError, RecursionError, ValueError):
        write({"id": number, "refused": Refusal(Reason.CANNOT_BE_PRICED)})


def encoded(told: dict[str, Any]) -> bytes:
    """Encode a line, with paragraphs and odds as text."""
    return msgspec.json.encode(told, enc_hook=str) + b"\n"


def main() -> None:
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    out = sys.stdout.buffer

    def write(told: dict[str, Any]) -> None:
        out.write(encoded(told))
        out.flush()

    for line in sys.stdin.buffer:
        answers(line, write)
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > LARGE:
            return


if __name__ == "__main__":
    main()
