"""Decide a history again, to verify that the rules lead from each command to the events that were stored.

Commands are not stored. `inferring` recovers them from the events, and `decide` says which events must follow. This
module contains no rules.
"""

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from puntobanco.rules.money import GREATEST_STAKE, Cents, show_money
from puntobanco.table import betting
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.decide import Accepted, Refusal, decide
from puntobanco.table.events import AnyEvent, Cited, SettledStake, Stake
from puntobanco.table.evolve import evolve
from puntobanco.table.felt import Felt
from puntobanco.table.inferring import Told, commands_for, lines_by_steps, slip
from puntobanco.table.pending import PendingEvents
from puntobanco.table.setup import Setup
from puntobanco.table.state import State
from puntobanco.table.tags import tag_of

Felts = Callable[[Setup], Felt]
"""Looks up the felt of a set-up."""


class Contradiction(Exception):
    """An event that does not follow by the rules from the events before it. `place`: its position among the events."""

    def __init__(self, place: int, what: str) -> None:
        super().__init__(what)
        self.place = place


def redecided(felts: Felts, state: State, told: Told) -> tuple[int, State]:
    """How many of the first events come from one command, and the state after them. All events are by the same person
    at the same moment. Events of further commands may follow."""
    first = told[0]
    found: list[Contradiction] = []
    for command in commands_for(state, told):
        setup = command.setup if isinstance(command, c.OpenTable) else state.setup
        if setup is None:
            raise Contradiction(0, "the table was never opened")
        answer = decide(felts(setup), state, command, first.by)
        if isinstance(answer, Accepted):
            many = len(answer.events)
            if first == answer.events[0] and (many == 1 or tuple(told[:many]) == answer.events):
                assert answer.state is not None, "an accepted command leads to a state"
                return many, answer.state
        if isinstance(first, e.BetsPlaced) and _placed_by_steps(felts(setup), state, first):
            placed = PendingEvents(felts(setup), evolve(state, first), first.by)
            if placed.house_deals:
                betting.give_way(placed, first.stakes, first.was)
            if tuple(told[1 : 1 + len(placed.events)]) == tuple(placed.events):
                return 1 + len(placed.events), placed.state
        found.append(_contradiction(told, answer))
    if not found:
        raise Contradiction(0, f"no command leads to {_kind(first)} here")
    raise max(found, key=lambda one: one.place)


# ---- slips that name a stake more than once ----------------------------------------------------------------------


def _placed_by_steps(felt: Felt, state: State, placed: e.BetsPlaced) -> bool:
    """Whether a slip with several lines on one bet may have led to these stakes.

    Such a slip may have passed through positions that nobody can recover, so the Differential is not checked: an excess
    at the end is handed back, or cut, at the close.
    """
    if len(placed.stakes) != len(placed.was) or _is_one_line(state, placed):
        return False
    assert state.setup is not None, "the table is open"
    anything = replace(state, setup=replace(state.setup, differential=Cents(GREATEST_STAKE)))
    for before in (state, anything):
        answer = decide(felt, before, slip(placed, lines_by_steps(state, placed)), placed.by)
        if isinstance(answer, Accepted) and not answer.refusals:
            again = answer.events[0]
            assert isinstance(again, e.BetsPlaced), "a slip places bets"
            if again.rule == placed.rule and _unnumbered(state, again) == _unnumbered(state, placed):
                return True
    return False


def _is_one_line(state: State, placed: e.BetsPlaced) -> bool:
    """Whether the slip had a single line. Any other slip leaves another stake, or a gap in the order of placing."""
    return len(placed.stakes) == 1 and all(order <= state.orders + 1 for order in _orders(placed.stakes[0]))


def _unnumbered(state: State, placed: e.BetsPlaced) -> list[tuple[Stake, int]]:
    """The stakes by key, with one number for everything new, because lines that left nothing also took numbers."""
    new = state.orders + 1
    stakes = [
        replace(
            stake,
            order=min(stake.order, new),
            raises=tuple((min(order, new), amount) for order, amount in stake.raises),
        )
        for stake in placed.stakes
    ]
    return sorted(zip(stakes, placed.was, strict=True), key=lambda one: one[0].key)


def _orders(stake: Stake) -> tuple[int, ...]:
    return (stake.order, *(order for order, _ in stake.raises))


# ---- messages ----------------------------------------------------------------------------------------------------


def _contradiction(told: Told, answer: Accepted | Refusal) -> Contradiction:
    """The first event that differs from what the rules give."""
    if isinstance(answer, Refusal):
        return Contradiction(0, f"{_about(told[0])}the rules refuse it: {_said(answer)}")
    if answer.refusals:
        return Contradiction(0, f"{_about(told[0])}the rules refuse a part of it: {_said(answer.refusals[0][1])}")
    same = [one == other for one, other in zip(told, answer.events, strict=False)]
    place = same.index(False) if False in same else len(told)
    if place < len(told):
        return Contradiction(place, _about(told[place]) + difference(told[place], answer.events[place]))
    missing = _kind(answer.events[place])
    return Contradiction(place - 1, f"{_about(told[-1])}the rules give {missing} after it, which is missing")


def _said(refusal: Refusal) -> str:
    return f"{refusal.reason} ({refusal.paragraph})" if refusal.paragraph else str(refusal.reason)


def _kind(event: AnyEvent) -> str:
    return tag_of(type(event))


def _about(event: AnyEvent) -> str:
    number = getattr(event, "round", 0)
    return f"{_kind(event)}, round {number}: " if number else f"{_kind(event)}: "


def difference(written: object, right: object) -> str:
    """The first difference between two values, with the bet by name and money as people write it."""
    if isinstance(written, SettledStake) and isinstance(right, SettledStake) and written.key == right.key:
        return _differently_paid(written, right)
    if isinstance(written, msgspec.Struct) and type(written) is type(right):
        fields = ((field, getattr(written, field), getattr(right, field)) for field in written.__struct_fields__)
        field, one, other = next(both for both in fields if both[1] != both[2])
        return f"{_whose(written)}{field} {difference(one, other)}"
    if isinstance(written, tuple) and isinstance(right, tuple):
        both = [(one, other) for one, other in zip(written, right, strict=False) if one != other]
        return f"of {difference(*both[0])}" if both else f"{len(written)} were written, the rules give {len(right)}"
    return f"{_plain(written)} was written, the rules give {_plain(right)}"


def _differently_paid(written: SettledStake, right: SettledStake) -> str:
    return (
        f"{_whose(written)}{written.result} with {show_money(written.back)} back by {written.rule} was written, "
        f"the rules give {right.result} with {show_money(right.back)} back by {right.rule}"
        + "".join(
            f"; {field} {_plain(getattr(written, field))}, not {_plain(getattr(right, field))}"
            for field in written.__struct_fields__
            if field not in ("result", "rule") and getattr(written, field) != getattr(right, field)
        )
    )


def _whose(value: msgspec.Struct) -> str:
    """Owner, box and bet, if it is a stake."""
    if isinstance(value, Stake | SettledStake):
        return f"{value.owner}, box {value.box}, {value.bet}: "
    return f"{value.key}: " if isinstance(value, e.Playing) else ""


def _plain(value: object) -> str:
    """The value as it is stored, with amounts in cents; an event by its tag and a citation by its paragraph."""
    if isinstance(value, e.Event):
        return tag_of(type(value))
    if isinstance(value, Cited):
        return f"{value.ruleset} {value.paragraph}"
    return msgspec.json.encode(value, order="deterministic").decode()
