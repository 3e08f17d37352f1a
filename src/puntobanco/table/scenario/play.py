"""Plays a scenario: opens a table, buys everyone in, loads a shuffled shoe, and runs step by step."""

import msgspec
from msgspec.structs import replace

from puntobanco.rules.game import Game
from puntobanco.rules.money import Cents, read_money
from puntobanco.rules.plain_data import Phrase
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import By, Role
from puntobanco.table.command_table import WORDS
from puntobanco.table.decide import Accepted, Refusal, decide
from puntobanco.table.events import AnyEvent
from puntobanco.table.explain import RunningAccount
from puntobanco.table.felt import Felt
from puntobanco.table.narration_words import NarratedLine
from puntobanco.table.scenario.expectations import Led, compared
from puntobanco.table.scenario_format import Expectation, Scenario, ScenarioStep
from puntobanco.table.scenario_words import HOUSE, written_over
from puntobanco.table.setup import Setup, Source
from puntobanco.table.state import State

START = 1_900_000_000_000
"""When scenarios start that give no time: every document is in force."""

MINIMUM, DIFFERENTIAL = Cents(100_00), Cents(10_000_00)
"""The limits of a table that gives none."""


class Miss(msgspec.Struct, frozen=True):
    """An expectation that did not hold, and the value found instead."""

    step: int
    field: str
    expected: str
    found: str


class ScenarioOutcome(msgspec.Struct, frozen=True):
    events: tuple[AnyEvent, ...]
    state: State
    checked: int
    misses: tuple[Miss, ...]
    told: tuple[NarratedLine, ...]
    """The account, with refusals in their places."""


def run(scenario: Scenario, game: Game, file: str = "scenario") -> ScenarioOutcome:
    """Plays the scenario, on a table with everyone bought in and a shuffled shoe."""
    played = _Play(scenario, game, file)
    if played.open():
        for number, step in enumerate(scenario.steps, start=1):
            played.step(number, step)
    return ScenarioOutcome(tuple(played.events), played.state, played.checked, tuple(played.misses), tuple(played.told))


class _Play:
    def __init__(self, scenario: Scenario, game: Game, file: str) -> None:
        layout = game.layout(scenario.layout)
        setup = Setup(
            game=game.key,
            fingerprint=game.fingerprint,
            layout=layout.key if layout else None,
            boxes=layout.most_boxes if layout else 0,
            decks=min(8, game.decks.most),
            minimum=MINIMUM,
            differential=DIFFERENTIAL,
            policy=scenario.policy,
            timing=scenario.timing,
            overlay=scenario.overlay,
        )
        self.scenario, self.file, self.setup = scenario, file, written_over(setup, scenario.table)
        self.felt, self.state = Felt.of(game, self.setup), State()
        self.now = START if scenario.begins is None else int(scenario.begins.timestamp() * 1000)
        self.dealt_by = ""
        self.account = RunningAccount(game)
        self.events: list[AnyEvent] = []
        self.told: list[NarratedLine] = []
        self.misses: list[Miss] = []
        self.checked = 0

    # ---- the opening ---------------------------------------------------------------------------------------------

    def open(self) -> bool:
        """Opens the table, buys everyone in and loads a shuffled shoe, as step 0. Returns false if the set-up is
        refused as expected."""
        opening = self.scenario.opening
        by = By("manager", Role.PIT_MANAGER, self.now)
        answer = decide(self.felt, self.state, c.OpenTable(setup=self.setup), by)
        if isinstance(answer, Refusal) and opening.refused is not None:
            self.told.append(self.account.refused(by, "open_table", answer))
            self._compare(0, opening, Led(self.state, self.now, refusal=answer))
            return False
        self._accept(answer, "table")
        for person, amount in self.scenario.people.items():
            command = c.BuyIn(person=person, amount=read_money(amount))
            self._accept(decide(self.felt, self.state, command, By(person, Role.PLAYER, self.now)), "people")
        shoe = c.LoadShoe(shoe="first", decks=self.setup.decks, shuffled=True, source=Source.KEYBOARD)
        self._accept(decide(self.felt, self.state, shoe, By("dealer", Role.DEALER, self.now)), "table")
        self._compare(0, opening, Led(self.state, self.now, tuple(self.events), tuple(self.told)))
        return True

    def _accept(self, answer: Accepted | Refusal, place: str) -> None:
        if isinstance(answer, Refusal):
            why = Phrase("refusal", answer.reason, answer.parameters)
            raise Refused(
                Reason.SCENARIO_VALUE, answer.paragraph, file=self.file, place="scenario", field=place, why=why
            )
        self._take(answer)

    def _take(self, answer: Accepted) -> None:
        assert answer.state is not None, "an accepted command leads to a state"
        self.state = answer.state
        self.events += answer.events
        for event in answer.events:
            if isinstance(event, e.BettingOpened):
                self.dealt_by = HOUSE if self.state.house_deals else event.by.person
        self.told += [line for event in answer.events for line in self.account.tell(event)]

    # ---- the steps -----------------------------------------------------------------------------------------------

    def step(self, number: int, step: ScenarioStep) -> None:
        self.now += step.wait * 1000
        roles = {role.value: role for role in Role if role is not Role.PLAYER} | self.state.acting
        roles[HOUSE] = Role.SYSTEM if self.felt.game.terminal else Role.DEALER
        role = step.role_claimed or roles.get(step.by, Role.PLAYER)
        role = Role.DEALER if step.device else role
        by = By(step.by, role, self.now, confirmed=step.confirmed, device=step.device, house=step.by == HOUSE)
        events, told = len(self.events), len(self.told)
        refusal: Refusal | None = None
        lines: tuple[str, ...] = ()
        for command in WORDS[step.do].commands(step, self.state):
            answer = decide(self.felt, self.state, command, by)
            lines = self._lines(command, by, answer)
            refusal = self._answered(step, by, answer)
            if isinstance(answer, Refusal):
                break
        done, said = tuple(self.events[events:]), tuple(self.told[told:])
        led = Led(self.state, self.now, done, said, refusal, lines, self.dealt_by)
        self._compare(number, step.expect, led)

    def _answered(self, step: ScenarioStep, by: By, answer: Accepted | Refusal) -> Refusal | None:
        """Applies what was accepted. Returns the refusal, unless the step expects results line by line."""
        if isinstance(answer, Refusal):
            self.told.append(self.account.refused(by, step.do, answer))
            return answer
        self._take(answer)
        self.told += [self.account.refused(by, step.do, refused) for _, refused in answer.refusals]
        return answer.refusals[0][1] if answer.refusals and step.expect.lines is None else None

    def _lines(self, command: c.Command, by: By, answer: Accepted | Refusal) -> tuple[str, ...]:
        """The result of each line of a slip. If the whole slip is refused, the reason of each line alone, or the reason
        of the slip if some line alone would be accepted."""
        if not isinstance(command, c.PlaceBets):
            return ()
        if isinstance(answer, Accepted):
            refused = {place: one.reason for place, one in answer.refusals}
            return tuple(refused.get(place, "accepted") for place in range(len(command.lines)))
        alone = [decide(self.felt, self.state, replace(command, lines=(line,)), by) for line in command.lines]
        reasons = tuple(one.reason for one in alone if isinstance(one, Refusal))
        return reasons if len(reasons) == len(alone) else (answer.reason,) * len(alone)

    def _compare(self, number: int, expect: Expectation, led: Led) -> None:
        for field, expected, found in compared(expect, led):
            self.checked += 1
            if expected != found:
                self.misses.append(Miss(number, field, _shown(expected), _shown(found)))


def _shown(value: object) -> str:
    """The value as scenarios write it."""
    if isinstance(value, dict):
        value = tuple(f"{name} = {one}" for name, one in value.items())
    return ", ".join(map(str, value)) or "-" if isinstance(value, tuple) else str(value)
