"""What a step was expected to lead to, and what it led to, field by field in the same words."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from puntobanco.rules.money import read_money, show_money
from puntobanco.rules.outcome import Side
from puntobanco.table import events as e
from puntobanco.table.decide import Refusal
from puntobanco.table.events import AnyEvent, Stake
from puntobanco.table.scenario.words import read_faces
from puntobanco.table.scenario.written import Expectation
from puntobanco.table.state import State
from puntobanco.table.wording import Told


class Led(NamedTuple):
    """What a step led to: the table, the events and how they are told, and what was refused."""

    state: State
    events: tuple[AnyEvent, ...] = ()
    told: tuple[Told, ...] = ()
    refusal: Refusal | None = None
    lines: tuple[str, ...] = ()
    """What became of each line of a slip."""


def compared(expect: Expectation, led: Led) -> Iterator[tuple[str, object, object]]:
    """Each field that is looked at, what was expected there and what was found."""
    found = {**dict(_found(expect, led)), **dict(_found_amounts(expect, led.state))}
    for field, value in _expected(expect):
        yield field, value, found[field]


# ---- expected ----------------------------------------------------------------------------------------------------

PLAIN = ("phase", "round", "options", "asked_of", "acting", "cards_left", "last_round", "lines", "alerts")
"""Fields that are compared as they are written."""

KEPT = ("purses", "stakes", "plays", "held", "results", "owed")
"""Fields that hold an amount for each name."""


def _expected(expect: Expectation) -> Iterator[tuple[str, object]]:
    yield "refused", expect.refused
    for field in PLAIN:
        value = getattr(expect, field)
        if value is not None:
            yield field, value
    for field in ("player", "banker", "waiting"):
        text = getattr(expect, field)
        if text is not None:
            yield field, _faces(read_faces(text))
    if expect.offered is not None:
        yield "offered", {person: _money(most) for person, most in expect.offered.items()}
    for field in KEPT:
        for name, amount in getattr(expect, field).items():
            yield f"{field}.{name}", _money(amount)
    for paragraph in _cited(expect):
        yield f"cites {paragraph}", True
    if expect.cites_nothing:
        yield "cites", "-"
    for name in expect.events:
        yield f"event {name}", True


def _cited(expect: Expectation) -> tuple[str, ...]:
    return (*expect.cites, *((expect.rule,) if expect.rule else ()))


def _money(text: str) -> str:
    return show_money(read_money(text))


def _faces(cards: Iterable[object]) -> str:
    return " ".join(str(card or "?") for card in cards)


# ---- found -------------------------------------------------------------------------------------------------------


def _found(expect: Expectation, led: Led) -> Iterator[tuple[str, object]]:
    state, refusal = led.state, led.refusal
    cited = {line.rule.paragraph for line in led.told if line.rule} | ({refusal.paragraph} if refusal else set())
    yield "refused", refusal.reason if refusal else None
    yield "phase", state.phase
    yield "round", state.round
    yield "lines", led.lines
    for side in Side:
        yield side, _faces(one.card for one in state.drawn if one.side is side)
    yield "waiting", _faces(state.front)
    yield "cards_left", state.shoe.left if state.shoe else 0
    yield "last_round", state.shoe is not None and state.shoe.last_round
    yield "options", state.options.people if state.options else ()
    yield "offered", _offered(state, expect.offered or {})
    yield "asked_of", state.question.asked_of if state.question else None
    yield "acting", state.acting
    yield "alerts", tuple(event.kind for event in led.events if isinstance(event, e.AlertRaised))
    yield "cites", ", ".join(sorted(filter(None, cited))) or "-"
    for paragraph in _cited(expect):
        yield f"cites {paragraph}", paragraph in cited
    for name in expect.events:
        yield f"event {name}", any(type(event).__name__ == name for event in led.events)


def _offered(state: State, expected: Iterable[str]) -> dict[str, str]:
    """Who may insure, box by box; by the name alone where it was written so and only one box is meant."""
    offers = state.window.offers if state.window else ()
    boxes: dict[str, int] = {}
    for one in offers:
        boxes[one.owner] = boxes.get(one.owner, 0) + 1
    alone = {person for person, many in boxes.items() if many == 1 and person in expected}
    return {one.owner if one.owner in alone else f"{one.box}/{one.owner}": show_money(one.most) for one in offers}


def _found_amounts(expect: Expectation, state: State) -> Iterator[tuple[str, object]]:
    results = {one.key: one.profit for one in state.settled}
    kept = {
        "purses": state.purses,
        "owed": state.owed,
        "stakes": _amounts(state.stakes),
        "held": _amounts(state.held),
        "plays": {key: state.playing(key) for key in state.stakes},
    }
    for field, amounts in kept.items():
        for name in getattr(expect, field):
            yield f"{field}.{name}", show_money(amounts.get(name, 0))
    for name in expect.results:
        yield f"results.{name}", show_money(results[name]) if name in results else "-"


def _amounts(stakes: dict[str, Stake]) -> dict[str, int]:
    return {key: stake.amount for key, stake in stakes.items()}
