"""The words of a scenario's steps: how a step becomes commands. `command_table` gives each command its word."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from puntobanco.rules.cards import Card, read_card, read_cards
from puntobanco.rules.money import read_money
from puntobanco.table import commands as c
from puntobanco.table.commands import Choice, Fault, Tender
from puntobanco.table.scenario_format import AMOUNTS, Decision, ScenarioStep, Table
from puntobanco.table.setup import Setup, Source
from puntobanco.table.state import State

Commands = Callable[[ScenarioStep, State], Iterator[c.Command]]

ALWAYS = frozenset({"by", "do", "as", "device", "wait", "expect"})
"""Fields that every step may have."""


HOUSE = "house"
"""The name in `by` for the house, which acts where the table deals by itself."""


class Word(NamedTuple):
    """A word of a step: the fields that it needs and may have, and the commands that it stands for."""

    name: str
    needs: tuple[str, ...]
    may: tuple[str, ...]
    commands: Commands


def word(name: str, needs: str, may: str, made: Commands | type[c.Command], **named: str) -> Word:
    """A word for one command, whose fields come from the fields of the step, renamed by `named`; or made by a
    function."""
    commands = partial(_one, made, named) if isinstance(made, type) else made
    return Word(name, tuple(needs.split()), tuple(may.split()), commands)


def _one(kind: type[c.Command], named: dict[str, str], step: ScenarioStep, state: State) -> Iterator[c.Command]:
    values = {field: _value(named.get(field, field), step, state) for field in kind.__struct_fields__}
    yield kind(**{field: value for field, value in values.items() if value is not None})


def _value(field: str, step: ScenarioStep, state: State) -> Any:
    """What the step gives for that field of a command; none if nothing."""
    match field:
        case "round":
            return _round(step, state)
        case "amount":
            return _amount(step)
        case "box":
            return step.box or 0
        case "whom":
            return step.person or step.by
        case "setup":
            return _changed(step, state)
        case "question":
            return step.index or state.questions
        case "missing":
            return next(iter(state.missing), 0) if step.index is None else step.index
        case "away":
            return step.wait * 1_000
        case _:
            return getattr(step, field, None)


# ---- cards and money as they are written -------------------------------------------------------------------------


def read_faces(text: str) -> tuple[Card | None, ...]:
    """Cards separated by blanks or commas. `?` is a card that lies face down."""
    return tuple(None if word == "?" else read_card(word) for word in text.replace(",", " ").split())


def _round(step: ScenarioStep, state: State) -> int:
    return state.round if step.round is None else step.round


def _amount(step: ScenarioStep) -> int:
    return read_money(step.amount or "0")


def written_over(setup: Setup, table: Table) -> Setup:
    """The set-up with the values that the scenario gives."""
    named: dict[str, Any] = {name: getattr(table, name) for name in Table.__struct_fields__}
    for name in AMOUNTS:
        named[name] = None if named[name] is None else read_money(named[name])
    return replace(setup, **{name: value for name, value in named.items() if value is not None})


def _changed(step: ScenarioStep, state: State) -> Setup:
    assert state.setup is not None, "the table has been opened"
    return written_over(state.setup, step.table or Table())


# ---- words with a function of their own --------------------------------------------------------------------------


def draw(step: ScenarioStep, state: State) -> Iterator[c.Command]:
    """Draws the named cards one after the other. Without any, draws one card whose face stays hidden or is known."""
    number, drawn = _round(step, state), len(state.drawn)
    cards = read_cards(step.cards) if step.cards else (None,)
    for place, card in enumerate(cards, start=1):
        yield c.DrawCard(round=number, index=step.index or drawn + place, card=card)


def _line(step: ScenarioStep) -> c.Line:
    return c.Line(bet=step.bet or "", amount=_amount(step), box=step.box or 0)


def guest_buy_in(step: ScenarioStep, _state: State) -> Iterator[c.Command]:
    tender = step.tender or Tender.CASH
    yield c.BuyInAtTable(name=step.person or "", amount=_amount(step), tender=tender, again=step.again)


def bet(step: ScenarioStep, state: State) -> Iterator[c.Command]:
    lines: tuple[c.Line, ...] = (_line(step),)
    if step.bets is not None:
        lines = tuple(c.Line(bet=one.bet, amount=read_money(one.amount), box=one.box) for one in step.bets)
    yield c.PlaceBets(round=_round(step, state), lines=lines, owner=step.person, requested=step.requested)


def report(step: ScenarioStep, state: State) -> Iterator[c.Command]:
    yield c.Report(
        round=_round(step, state),
        fault=step.fault or Fault.UNPROVIDED,
        cards=read_faces(step.cards or ""),
        index=step.index,
        lies=step.lies,
        to_person=step.to_person,
        order_known=step.order_known,
        note=step.note,
        shoe=step.shoe,
    )


def rule(step: ScenarioStep, state: State) -> Iterator[c.Command]:
    yield c.Rule(
        question=step.index or state.questions,
        choice=step.choice or Choice.CONTINUE,
        reason=step.reason,
        order=step.order,
        cards=read_cards(step.cards or ""),
        bets=_decisions(step),
    )


def _decisions(step: ScenarioStep) -> tuple[c.BetTerms, ...]:
    """The bets that a decision names: several, the one of the step, or none."""
    several = step.decisions
    if several is None:
        one = Decision(person=step.person or "", bet=step.bet or "", terms=step.terms or c.Terms.AS_RECORDED,
                       amount=step.amount or "0", box=step.box or 0)  # fmt: skip
        several = (one,) if step.terms is not None else ()
    return tuple(
        c.BetTerms(owner=one.person, bet=one.bet, terms=one.terms, amount=read_money(one.amount), box=one.box)
        for one in several
    )


def decide(step: ScenarioStep, state: State) -> Iterator[c.Command]:
    yield c.DecideUnprovided(round=_round(step, state), decision=step.note, reason=step.reason, bets=_decisions(step))


def load_shoe(step: ScenarioStep, state: State) -> Iterator[c.Command]:
    yield c.LoadShoe(
        shoe=step.note or "next",
        decks=state.setup.decks if state.setup else 8,
        shuffled=step.shuffled,
        source=Source.KEYBOARD,
        reason=step.reason,
    )


def attest_bet(step: ScenarioStep, state: State) -> Iterator[c.Command]:
    yield c.AttestBet(
        round=_round(step, state),
        owner=step.person or "",
        line=_line(step),
        attested=step.attested,
        reason=step.reason,
    )


def expose(step: ScenarioStep, state: State) -> Iterator[c.Command]:
    """Exposes the named card, or several by index, one after the other."""
    faces = step.faces or {step.index or 0: step.cards or ""}
    for index, face in faces.items():
        yield c.ExposeCard(round=_round(step, state), index=index, card=read_card(face))


def correct_card(step: ScenarioStep, state: State) -> Iterator[c.Command]:
    index = state.keyed if step.index is None else step.index
    yield c.CorrectCard(round=_round(step, state), index=index, card=read_card(step.cards or ""))


def settle(step: ScenarioStep, state: State) -> Iterator[c.Command]:
    """Settles the round. At a dealer's table it also takes and pays every box."""
    yield c.Settle(round=_round(step, state))
    if not (step.box_by_box or state.house_deals):
        for box in sorted({stake.box for stake in state.stakes.values()}):
            yield c.ConfirmBox(round=_round(step, state), box=box)


def confirm(step: ScenarioStep, state: State) -> Iterator[c.Command]:
    """Confirms one box, or all that are left."""
    number = _round(step, state)
    yield c.ConfirmRest(round=number) if step.box is None else c.ConfirmBox(round=number, box=step.box)


def _nothing(_step: ScenarioStep, _state: State) -> Iterator[c.Command]:
    yield from ()


TIME_PASSES = word("time_passes", "wait", "", _nothing)
"""The only word that stands for no command."""
