"""Compares the expectations of a step with what it led to, field by field and in the same words."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from puntobanco.rules.money import read_money, write_money
from puntobanco.rules.outcome import Side
from puntobanco.table import events as e
from puntobanco.table.commands import BetTerms
from puntobanco.table.decide import Refusal
from puntobanco.table.events import AnyEvent, Stake, stake_key
from puntobanco.table.narration_words import NarratedLine
from puntobanco.table.scenario_format import Expectation, Never
from puntobanco.table.scenario_words import read_faces
from puntobanco.table.state import Phase, State
from puntobanco.table.tags import tag_of


class Led(NamedTuple):
    """What a step led to: the state, the time, the events and their narration, and any refusal."""

    state: State
    now: int
    events: tuple[AnyEvent, ...] = ()
    told: tuple[NarratedLine, ...] = ()
    refusal: Refusal | None = None
    lines: tuple[str, ...] = ()
    """The result of each line of a slip."""
    dealt_by: str = ""
    """Who announced the round."""


def compared(expect: Expectation, led: Led) -> Iterator[tuple[str, object, object]]:
    """Each checked field, with the expected and the found value."""
    found = {**dict(_found(expect, led)), **dict(_found_amounts(expect, led.state))}
    for field, value in _expected(expect):
        yield field, value, found[field]
    for field, is_so in _found_never(expect.never, led):
        yield field, False, is_so


# ---- expected ----------------------------------------------------------------------------------------------------

PLAIN = ("phase", "round", "options", "asked_of", "acting", "cards_left", "last_round", "lines", "alerts", "time_left",
         "shoe", "dealt_by", "unpaid", "not_offered", "choices", "decided")  # fmt: skip
"""Fields that are compared as they are written."""

KEPT = ("purses", "withheld", "stakes", "plays", "held", "results")
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
    yield from _expected_amounts(expect)
    for paragraph in _cited(expect):
        yield f"cites {paragraph}", True
    if expect.cites_nothing:
        yield "cites", "-"
    for name in expect.events:
        yield f"event {name}", True


def _expected_amounts(expect: Expectation) -> Iterator[tuple[str, object]]:
    if expect.most is not None:
        yield "most", _money(expect.most)
    if expect.offered is not None:
        yield "offered", {person: _money(most) for person, most in expect.offered.items()}
    if expect.owed is not None:
        yield "owed", {person: _money(debt) for person, debt in expect.owed.items() if read_money(debt)}
    if expect.missing is not None:
        yield "missing", {key: _money(amount) for key, amount in expect.missing.items()}
    for field in KEPT:
        for name, amount in getattr(expect, field).items():
            yield f"{field}.{name}", _money(amount)


def _cited(expect: Expectation) -> tuple[str, ...]:
    return (*expect.cites, *((expect.rule,) if expect.rule else ()))


def _money(text: str) -> str:
    return write_money(read_money(text))


def _faces(cards: Iterable[object]) -> str:
    return " ".join(str(card or "?") for card in cards)


# ---- found -------------------------------------------------------------------------------------------------------


def _found(expect: Expectation, led: Led) -> Iterator[tuple[str, object]]:
    state, refusal = led.state, led.refusal
    cited = _cited_by(led)
    yield "refused", refusal.reason if refusal else None
    yield "most", refusal.parameters.get("most", "-") if refusal else "-"
    yield "phase", state.phase
    yield "round", state.round
    yield "lines", led.lines
    for side in Side:
        yield side, _faces(one.card for one in state.drawn if one.side is side)
    yield "waiting", _faces(state.front)
    yield "not_offered", state.not_offered
    yield "cards_left", state.shoe.left if state.shoe else 0
    yield "last_round", state.shoe is not None and state.shoe.last_round
    yield "options", state.options.people if state.options else ()
    yield "offered", _offered(state, expect.offered or {})
    yield "asked_of", state.question.asked_of if state.question else None
    yield "acting", state.acting
    yield "alerts", tuple(event.kind for event in led.events if isinstance(event, e.AlertRaised))
    yield "cites", ", ".join(sorted(cited)) or "-"
    for paragraph in _cited(expect):
        yield f"cites {paragraph}", paragraph in cited
    for name in expect.events:
        yield f"event {name}", _happened(name, led)
    yield "owed", {person: write_money(amount) for person, amount in state.owed.items() if amount}
    yield "time_left", _time_left(state, led.now)
    yield "shoe", state.shoe.name if state.shoe and state.shoe.in_service else ""
    yield "dealt_by", led.dealt_by
    yield "unpaid", state.unpaid
    yield "missing", _missing(state)
    yield "choices", state.question.choices if state.question else ()
    yield "decided", {stake_key(one.box, one.bet, one.owner): one.terms for one in _decided(led)}


def _missing(state: State) -> dict[str, str]:
    amounts: dict[str, int] = {}
    for chip in state.missing.values():
        key = stake_key(chip.box, chip.bet, chip.person)
        amounts[key] = amounts.get(key, 0) + chip.amount
    return {key: write_money(amount) for key, amount in amounts.items()}


def _decided(led: Led) -> Iterator[BetTerms]:
    for event in led.events:
        if isinstance(event, e.BetsDecided):
            yield from (one.terms for one in event.bets)
        elif isinstance(event, e.RoundDecided):
            yield from event.named


def _found_never(never: Never, led: Led) -> Iterator[tuple[str, bool]]:
    """Each thing that must not hold, and whether it does."""
    state, cited = led.state, _cited_by(led)
    for phase in never.phases:
        yield f"phase {phase}", state.phase is phase
    for name in never.events:
        yield f"event {name}", _happened(name, led)
    for paragraph in never.cites:
        yield f"cites {paragraph}", paragraph in cited
    for kind in never.alerts:
        yield f"alert {kind}", any(isinstance(event, e.AlertRaised) and event.kind == kind for event in led.events)
    for person in never.options:
        yield f"options {person}", state.options is not None and person in state.options.people
    for person in never.offered:
        yield f"offered {person}", state.window is not None and any(one.owner == person for one in state.window.offers)


def _cited_by(led: Led) -> set[str]:
    told = {line.rule.paragraph for line in led.told if line.rule}
    return told | ({led.refusal.paragraph} if led.refusal and led.refusal.paragraph else set())


def _happened(name: str, led: Led) -> bool:
    return any(tag_of(type(event)) == name for event in led.events)


def _time_left(state: State, now: int) -> int:
    """Seconds until the deadline, rounded up. The clock of the round stops while a question is open."""
    held = state.phase in (Phase.DECISION, Phase.SUSPENDED)
    left = state.interrupted_deadline - state.interrupted_at if held else state.deadline - now
    return -(-max(0, left) // 1000)


def _offered(state: State, expected: Iterable[str]) -> dict[str, str]:
    """The most that each person may insure, by box and person; by person alone if it was written so and they have one
    offer."""
    offers = state.window.offers if state.window else ()
    boxes: dict[str, int] = {}
    for one in offers:
        boxes[one.owner] = boxes.get(one.owner, 0) + 1
    alone = {person for person, many in boxes.items() if many == 1 and person in expected}
    return {one.owner if one.owner in alone else f"{one.box}/{one.owner}": write_money(one.most) for one in offers}


def _found_amounts(expect: Expectation, state: State) -> Iterator[tuple[str, object]]:
    results = {one.key: one.profit for one in state.settled}
    kept = {
        "purses": state.purses,
        "withheld": {person: state.withheld(person) for person in state.purses},
        "stakes": _amounts(state.stakes),
        "held": _amounts(state.held),
        "plays": {key: state.playing(key) for key in state.stakes},
    }
    for field, amounts in kept.items():
        for name in getattr(expect, field):
            yield f"{field}.{name}", write_money(amounts.get(name, 0))
    for name in expect.results:
        yield f"results.{name}", write_money(results[name]) if name in results else "-"


def _amounts(stakes: dict[str, Stake]) -> dict[str, int]:
    return {key: stake.amount for key, stake in stakes.items()}
