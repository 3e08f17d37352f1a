"""Scenarios: an incident written down as steps, played at a table of its own, and what was expected of it.

A scenario is read from a file by whoever calls this; here it is already a plain mapping. See docs/scenarios.md.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from puntobanco.rules.cards import read_card, read_cards
from puntobanco.rules.game import Game
from puntobanco.rules.money import Cents, read_money, show_money
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Rank, Window
from puntobanco.rules.reading import convert
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.decide import Accepted, Refusal, decide
from puntobanco.table.events import AnyEvent
from puntobanco.table.explain import account
from puntobanco.table.felt import Felt
from puntobanco.table.setup import Policy, Setup, Source, Timing
from puntobanco.table.state import Phase, State

START = 1_900_000_000_000
"""The moment scenarios begin, unless they say otherwise: every document is in force."""


class _Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class Table(_Written, frozen=True):
    """How the table is set up; what is left out stays as it is, or as `STANDARD` has it."""

    boxes: int | None = None
    decks: int | None = None
    minimum: str | None = None
    differential: str | None = None
    unit: str | None = None
    maximum: str | None = None
    face_down: bool | None = None
    burn: int | None = None
    cut_card: int | None = None


STANDARD = {"minimum": 100_00, "differential": 10_000_00}


class Expectation(_Written, frozen=True, omit_defaults=True):
    """What should hold after a step; what is left out is not looked at."""

    phase: Phase | None = None
    round: int | None = None
    refused: Reason | None = None
    rule: str | None = None
    """The paragraph of the refusal, or one that the step's events cite."""
    cites: tuple[str, ...] = ()
    purses: dict[str, str] = {}
    stakes: dict[str, str] = {}
    plays: dict[str, str] = {}
    player: str | None = None
    banker: str | None = None
    waiting: str | None = None
    """Cards in front of the shoe."""
    options: tuple[str, ...] | None = None
    offered: dict[str, str] | None = None
    asked_of: Role | None = None
    owed: dict[str, str] = {}
    """What a person owes since a settlement was taken back."""
    acting: dict[str, Role] | None = None
    cites_nothing: bool = False
    events: tuple[str, ...] = ()


class Step(_Written, frozen=True, omit_defaults=True, rename={"role_claimed": "as"}):
    """Somebody does something. Which fields are meant depends on what is done."""

    by: str
    do: str
    box: int | None = None
    bet: str | None = None
    amount: str | None = None
    person: str | None = None
    cards: str | None = None
    index: int | None = None
    round: int | None = None
    fault: Fault | None = None
    lies: dict[str, Side] = {}
    to_person: bool = False
    order_known: bool = False
    choice: Choice | None = None
    reason: str = ""
    order: tuple[int, ...] = ()
    election: Election | None = None
    window: Window | None = None
    permit: bool = True
    leave: bool = False
    over_excess: bool = False
    acknowledge: bool = False
    attested: bool = False
    withdrawn: bool = False
    shuffled: bool = True
    requested: bool = True
    role: Rank | None = None
    role_claimed: Role | None = None
    table: Table | None = None
    note: str = ""
    wait: int = 0
    """Seconds that pass before the step."""
    expect: Expectation = Expectation()


class Scenario(_Written, frozen=True, rename={"steps": "step"}):
    title: str
    game: str
    steps: tuple[Step, ...]
    layout: str | None = None
    table: Table = Table()
    policy: Policy = Policy()
    timing: Timing = Timing()
    people: dict[str, str] = {}
    paragraphs: tuple[str, ...] = ()
    """What the scenario is about."""
    opening: Expectation = Expectation()
    """What should hold once the table is open; a set-up expected to be refused ends the scenario."""


class Miss(msgspec.Struct, frozen=True):
    """An expectation that did not hold, and what there was instead."""

    step: int
    field: str
    expected: str
    found: str


class Outcome(msgspec.Struct, frozen=True):
    events: tuple[AnyEvent, ...]
    state: State
    checked: int
    misses: tuple[Miss, ...]


def read_scenario(written: Mapping[str, Any], file: str) -> Scenario:
    """The scenario, or a refusal that names the field."""
    read: Scenario = convert(written, Scenario, file, written, within="scenario")
    for number, step in enumerate(read.steps, start=1):
        if step.do not in WORDS:
            known = ", ".join(WORDS)
            raise Refused(Reason.SCENARIO_WORD, file=file, step=number, word=step.do, known=known)
    return read


def run(scenario: Scenario, game: Game) -> Outcome:
    """Play it from an open table with everyone bought in and a shuffled shoe."""
    played = _Play(scenario, game)
    if played.open():
        for number, step in enumerate(scenario.steps, start=1):
            played.step(number, step)
    return Outcome(tuple(played.events), played.state, played.checked, tuple(played.misses))


# ---- what the steps do -------------------------------------------------------------------------------------------

Word = Callable[[Step, State], Iterator[c.Command]]


def _one(make: Callable[[Step, State], c.Command]) -> Word:
    def word(step: Step, state: State) -> Iterator[c.Command]:
        yield make(step, state)

    return word


def _draw(step: Step, state: State) -> Iterator[c.Command]:
    """The cards named, one after the other; without any, one card whose face stays hidden or is known."""
    number, drawn = _round(step, state), len(state.drawn)
    cards = read_cards(step.cards) if step.cards else (None,)
    for place, card in enumerate(cards, start=1):
        yield c.DrawCard(round=number, index=step.index or drawn + place, card=card)


def _round(step: Step, state: State) -> int:
    return state.round if step.round is None else step.round


def _amount(step: Step) -> int:
    return read_money(step.amount or "0")


def _line(step: Step) -> c.Line:
    return c.Line(bet=step.bet or "", amount=_amount(step), box=step.box or 0)


def _report(step: Step, state: State) -> c.Command:
    return c.Report(
        round=_round(step, state),
        fault=step.fault or Fault.UNPROVIDED,
        cards=read_cards(step.cards or ""),
        index=step.index,
        lies={int(index): side for index, side in step.lies.items()},
        to_person=step.to_person,
        order_known=step.order_known,
        note=step.note,
    )


def _changed(step: Step, state: State) -> Setup:
    """The table as it was, with what the step writes anew."""
    assert state.setup is not None, "the table has been opened"
    return _written(state.setup, step.table or Table())


def _written(setup: Setup, table: Table) -> Setup:
    named: dict[str, Any] = {name: getattr(table, name) for name in Table.__struct_fields__}
    for name in ("minimum", "differential", "unit", "maximum"):
        named[name] = None if named[name] is None else read_money(named[name])
    return replace(setup, **{name: value for name, value in named.items() if value is not None})


WORDS: dict[str, Word] = {
    "assign": _one(lambda step, _: c.Assign(person=step.person or "", role=step.role or Rank.DEALER)),
    "relieve": _one(lambda step, _: c.Relieve(person=step.person or "")),
    "change_table": _one(lambda step, state: c.ChangeSetup(setup=_changed(step, state))),
    "close_table": _one(lambda _, __: c.CloseTable()),
    "open_table": _one(lambda step, state: c.OpenTable(setup=_changed(step, state))),
    "show_cut_card": _one(lambda _, __: c.ShowCutCard()),
    "buy_in": _one(lambda step, _: c.BuyIn(person=step.person or step.by, amount=_amount(step))),
    "cash_out": _one(lambda step, _: c.CashOut(person=step.person or step.by, amount=_amount(step))),
    "sit": _one(lambda step, _: c.TakeSeat(box=step.box or 0)),
    "stand_up": _one(lambda step, _: c.LeaveSeat(box=step.box or 0)),
    "walk_away": _one(lambda step, _: c.WalkAway(person=step.person or step.by)),
    "load_shoe": _one(
        lambda step, state: c.LoadShoe(
            shoe=step.note or "next",
            decks=state.setup.decks if state.setup else 8,
            shuffled=step.shuffled,
            source=Source.KEYBOARD,
        )
    ),
    "withdraw_shoe": _one(lambda step, _: c.WithdrawShoe(reason=step.reason)),
    "open": _one(lambda step, _: c.OpenBetting(acknowledge=step.acknowledge)),
    "bet": _one(
        lambda step, state: c.PlaceBets(
            round=_round(step, state), lines=(_line(step),), owner=step.person, requested=step.requested
        )
    ),
    "object": _one(
        lambda step, state: c.Object(round=_round(step, state), box=step.box or 0, against=step.person or "")
    ),
    "reject_excess": _one(lambda step, state: c.RejectExcess(round=_round(step, state), box=step.box or 0)),
    "advise_minimum": _one(
        lambda step, state: c.AdviseMinimum(round=_round(step, state), box=step.box or 0, person=step.person or "")
    ),
    "return_bet": _one(
        lambda step, state: c.ReturnBet(
            round=_round(step, state), box=step.box or 0, bet=step.bet or "", person=step.person or ""
        )
    ),
    "announce_close": _one(lambda step, state: c.AnnounceClose(round=_round(step, state))),
    "close": _one(lambda step, state: c.CloseBetting(round=_round(step, state), over_excess=step.over_excess)),
    "attest_bet": _one(
        lambda step, state: c.AttestBet(
            round=_round(step, state),
            owner=step.person or "",
            line=_line(step),
            attested=step.attested,
            reason=step.reason,
        )
    ),
    "note_late_bet": _one(
        lambda step, state: c.NoteLateBet(
            round=_round(step, state),
            person=step.person or "",
            box=step.box or 0,
            bet=step.bet or "",
            amount=_amount(step),
            withdrawn=step.withdrawn,
        )
    ),
    "draw": _draw,
    "expose": _one(
        lambda step, state: c.ExposeCard(
            round=_round(step, state), index=step.index or 0, card=read_card(step.cards or "")
        )
    ),
    "ask_squeeze": _one(lambda step, state: c.RequestSqueeze(round=_round(step, state), index=step.index or 0)),
    "answer_squeeze": _one(
        lambda step, state: c.AnswerSqueeze(round=_round(step, state), index=step.index or 0, permit=step.permit)
    ),
    "finish_squeeze": _one(lambda step, state: c.FinishSqueeze(round=_round(step, state), index=step.index or 0)),
    "ask_waiver": _one(lambda step, state: c.RequestWaiver(round=_round(step, state))),
    "answer_waiver": _one(lambda step, state: c.AnswerWaiver(round=_round(step, state), consent=step.permit)),
    "insure": _one(
        lambda step, state: c.Insure(
            round=_round(step, state), window=step.window or Window.FOUR, amount=_amount(step), box=step.box or 0
        )
    ),
    "close_insurance": _one(
        lambda step, state: c.CloseInsurance(round=_round(step, state), window=step.window or Window.FOUR)
    ),
    "settle": _one(lambda step, state: c.Settle(round=_round(step, state))),
    "after_tie": _one(
        lambda step, state: c.ChooseAfterTie(
            round=_round(step, state), bet=step.bet or "", leave=step.leave, box=step.box or 0
        )
    ),
    "report": _one(_report),
    "rule": _one(
        lambda step, state: c.Rule(
            question=step.index or state.questions,
            choice=step.choice or Choice.CONTINUE,
            reason=step.reason,
            order=step.order,
            cards=read_cards(step.cards or ""),
        )
    ),
    "elect": _one(
        lambda step, state: c.Elect(
            question=step.index or state.questions, election=step.election or Election.CONTINUE, person=step.person
        )
    ),
    "close_options": _one(lambda step, state: c.CloseOptions(question=step.index or state.questions)),
    "correct_display": _one(
        lambda step, state: c.CorrectDisplay(round=_round(step, state), shown=step.note, correct=step.reason)
    ),
    "decide": _one(
        lambda step, state: c.DecideUnprovided(round=_round(step, state), decision=step.note, reason=step.reason)
    ),
}


class _Play:
    """One scenario under way."""

    def __init__(self, scenario: Scenario, game: Game) -> None:
        layout = game.layout(scenario.layout)
        setup = Setup(
            game=game.key,
            fingerprint=game.fingerprint,
            layout=layout.key if layout else None,
            boxes=layout.most_boxes if layout else 0,
            decks=min(8, game.decks.most),
            minimum=Cents(STANDARD["minimum"]),
            differential=Cents(STANDARD["differential"]),
            policy=scenario.policy,
            timing=scenario.timing,
        )
        self.scenario, self.setup = scenario, _written(setup, scenario.table)
        self.felt, self.state, self.now = Felt.of(game, self.setup), State(), START
        self.events: list[AnyEvent] = []
        self.misses: list[Miss] = []
        self.checked = 0

    def open(self) -> bool:
        """The table opened, everyone bought in, a shuffled shoe: step 0. Not so if it should be, and is, refused."""
        scenario, opening = self.scenario, self.scenario.opening
        answer = decide(self.felt, self.state, c.OpenTable(setup=self.setup), self._by("manager", Role.PIT_MANAGER))
        if isinstance(answer, Refusal) and opening.refused is not None:
            self._check(0, opening, answer, ())
            return False
        self._take(_accepted(answer))
        for person, amount in scenario.people.items():
            self._must(c.BuyIn(person=person, amount=read_money(amount)), person, Role.PLAYER)
        shoe = c.LoadShoe(shoe="first", decks=self.setup.decks, shuffled=True, source=Source.KEYBOARD)
        self._must(shoe, "dealer", Role.DEALER)
        self._check(0, opening, None, tuple(self.events))
        return True

    def _by(self, person: str, role: Role) -> By:
        return By(person, role, self.now)

    def _must(self, command: c.Command, person: str, role: Role) -> None:
        self._take(_accepted(decide(self.felt, self.state, command, self._by(person, role))))

    def _take(self, answer: Accepted) -> None:
        assert answer.state is not None, "an accepted command leads to a state"
        self.state = answer.state
        self.events += answer.events

    def step(self, number: int, step: Step) -> None:
        self.now += step.wait * 1000
        roles = {role.value: role for role in Role if role is not Role.PLAYER} | self.state.acting
        role = step.role_claimed or roles.get(step.by, Role.PLAYER)
        before = len(self.events)
        refusal: Refusal | None = None
        for command in WORDS[step.do](step, self.state):
            answer = decide(self.felt, self.state, command, By(step.by, role, self.now))
            if isinstance(answer, Refusal):
                refusal = answer
                break
            refusal = next((refused for _, refused in answer.refusals), None)
            self._take(answer)
        self._check(number, step.expect, refusal, tuple(self.events[before:]))

    def _check(self, number: int, expect: Expectation, refusal: Refusal | None, told: tuple[AnyEvent, ...]) -> None:
        found = {
            "refused": refusal.reason if refusal else None,
            **dict(_found(self.state, expect, refusal, told)),
        }
        expected = {"refused": expect.refused, **dict(_expected(expect))}
        for field, value in expected.items():
            self.checked += 1
            if value != found[field]:
                self.misses.append(Miss(number, field, str(value), str(found[field])))


def _accepted(answer: Accepted | Refusal) -> Accepted:
    if isinstance(answer, Refusal):
        raise Refused(answer.reason, answer.paragraph, **answer.parameters)
    return answer


def _expected(expect: Expectation) -> Iterator[tuple[str, object]]:
    for field in ("phase", "round", "player", "banker", "waiting", "options", "asked_of", "acting"):
        value = getattr(expect, field)
        if value is not None:
            yield field, value
    if expect.offered is not None:
        yield "offered", {person: show_money(read_money(most)) for person, most in expect.offered.items()}
    for field in ("purses", "stakes", "plays", "owed"):
        for name, amount in getattr(expect, field).items():
            yield f"{field}.{name}", show_money(read_money(amount))
    for paragraph in (*expect.cites, *((expect.rule,) if expect.rule else ())):
        yield f"cites {paragraph}", True
    if expect.cites_nothing:
        yield "cites", "-"
    for name in expect.events:
        yield f"event {name}", True


def _found(
    state: State, expect: Expectation, refusal: Refusal | None, told: tuple[AnyEvent, ...]
) -> Iterator[tuple[str, object]]:
    cited = {line.rule.paragraph for line in account(told) if line.rule} | ({refusal.paragraph} if refusal else set())
    hands = {side: " ".join(str(one.card or "?") for one in state.drawn if one.side is side) for side in Side}
    yield "phase", state.phase
    yield "round", state.round
    yield "player", hands[Side.PLAYER]
    yield "banker", hands[Side.BANKER]
    yield "waiting", " ".join(str(card or "?") for card in state.front)
    yield "options", state.options.people if state.options else ()
    yield "offered", {one.owner: show_money(one.most) for one in state.window.offers} if state.window else {}
    yield "asked_of", state.question.asked_of if state.question else None
    yield "acting", state.acting
    yield "cites", ", ".join(sorted(filter(None, cited))) or "-"
    for name in expect.owed:
        yield f"owed.{name}", show_money(state.owed.get(name, 0))
    for name in expect.purses:
        yield f"purses.{name}", show_money(state.purses.get(name, 0))
    for name in expect.stakes:
        stake = state.stakes.get(name)
        yield f"stakes.{name}", show_money(stake.amount if stake else 0)
    for name in expect.plays:
        yield f"plays.{name}", show_money(state.playing(name) if name in state.stakes else 0)
    for paragraph in (*expect.cites, *((expect.rule,) if expect.rule else ())):
        yield f"cites {paragraph}", paragraph in cited
    for name in expect.events:
        yield f"event {name}", any(type(event).__name__ == name for event in told)
