"""Commands that lead to every kind of event there is: the incidents in scenarios/, as they are sent to a table."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import msgspec

from puntobanco.house.tables.writer import felt_of
from puntobanco.rules import library
from puntobanco.rules.cards import read_card
from puntobanco.rules.game import Game
from puntobanco.table import commands as c
from puntobanco.table.authority import By
from puntobanco.table.decide import Accepted, Refusal, decide
from puntobanco.table.events import AnyEvent
from puntobanco.table.evolve import Draft
from puntobanco.table.felt import Felt
from puntobanco.table.scenario import play, read_scenario
from puntobanco.table.setup import Setup
from puntobanco.table.state import State
from tests.table.pit import AT_ONCE, DEALER, MANAGER, SHIFT, Pit

FILES = sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml"))
KINDS = tuple(kind.__name__ for kind in get_args(AnyEvent))


class Trace(msgspec.Struct, frozen=True):
    """Accepted commands in order, each a request of its own, and the events each leads to."""

    name: str
    setup: Setup
    commands: tuple[tuple[c.Command, By], ...]
    events: tuple[tuple[AnyEvent, ...], ...]

    @property
    def people(self) -> set[str]:
        return {command.person for command, _ in self.commands if isinstance(command, c.BuyIn)}

    @property
    def versions(self) -> list[int]:
        """The version after each command."""
        counts = [len(told) for told in self.events]
        return [sum(counts[: nth + 1]) for nth in range(len(counts))]


class _Recorded(play._Play):
    """A scenario under way, with the commands that were taken."""

    def __init__(self, path: Path) -> None:
        scenario = read_scenario(library.read_toml(path), path.name)
        super().__init__(scenario, library.game(scenario.game), path.name)
        self.felt = felt_of(library.game(scenario.game), self.setup)
        self.asked: dict[int, tuple[Accepted | Refusal, c.Command, By]] = {}
        self.taken: list[tuple[c.Command, By]] = []

    def decided(
        self, felt: Felt, state: State, command: c.Command, by: By, draft: Draft | None = None
    ) -> Accepted | Refusal:
        answer = decide(felt, state, command, by, draft)
        self.asked[id(answer)] = (answer, command, by)
        return answer

    def _take(self, answer: Accepted) -> None:
        _, command, by = self.asked[id(answer)]
        self.taken.append((command, by))
        super()._take(answer)


def recorded(path: Path) -> Trace | None:
    played = _Recorded(path)
    play.decide, before = played.decided, play.decide  # type: ignore[attr-defined]
    try:
        if not played.open():
            return None
        for number, step in enumerate(played.scenario.steps, start=1):
            played.step(number, step)
    finally:
        play.decide = before  # type: ignore[attr-defined]
    if any(by.device for _, by in played.taken):
        return None  # a table is sent commands of people here; devices have their own way in
    return traced(path.stem, library.game(played.setup.game), played.setup, played.taken)


def traced(name: str, game: Game, setup: Setup, commands: list[tuple[c.Command, By]]) -> Trace:
    """With a request each, and the events they lead to then."""
    state, told, sent = State(), list[tuple[AnyEvent, ...]](), list[tuple[c.Command, By]]()
    felt = felt_of(game, setup)
    for nth, (command, by) in enumerate(commands):
        asks = By(by.person, by.role, by.at, f"r{nth}", house=by.house)
        answer = decide(felt, state, command, asks)
        assert isinstance(answer, Accepted), (name, nth, answer)
        assert answer.state is not None
        if answer.state.setup is not None and answer.state.setup is not state.setup:
            felt = felt_of(game, answer.state.setup)
        state = answer.state
        told.append(answer.events)
        sent.append((command, asks))
    return Trace(name, setup, tuple(sent), tuple(told))


class _Pit(Pit):
    """A table of the tests whose commands are kept."""

    def __init__(self, key: str) -> None:
        self.sent: list[tuple[c.Command, By]] = []
        super().__init__(key)

    def tell(self, command: c.Command, by: By) -> Accepted | Refusal:
        answer = super().tell(command, by)
        if isinstance(answer, Accepted):
            self.sent.append((command, by))
        return answer


def _others() -> Iterator[_Pit]:
    """What no incident tells: a guest without an account, a seat that is left, stakes held since a tie when the table
    closes, a card set aside."""
    guest = _Pit("commission")
    guest.staff(DEALER, c.BuyInAtTable(name="Lee", amount=500_00, tender=c.Tender.CASH))
    guest.staff(DEALER, c.BuyInAtTable(name="Lee", amount=500_00, tender=c.Tender.CHIPS, again=True))
    guest.staff(DEALER, c.LeaveTable(person="~Lee"))
    yield guest
    left = _Pit("super-six")
    left.player("ann", c.TakeSeat(box=1))
    left.player("ann", c.LeaveSeat(box=1))
    left.round({"ann": {"player": 100}}, "9 9 K K")
    left.staff(MANAGER, AT_ONCE)
    yield left
    aside = _Pit("super-six")
    aside.open()
    aside.bet("ann", "player", 100)
    aside.close()
    aside.deal("2 3")
    aside.report(c.Fault.EXCESS, cards=(read_card("9S"),))
    aside.rule(SHIFT, c.Choice.SET_ASIDE)
    aside.deal("4 4")
    yield aside


@cache
def traces(every: int = 1) -> tuple[Trace, ...]:
    found = [trace for path in FILES[::every] if (trace := recorded(path)) is not None]
    for pit in _others():
        assert pit.state.setup is not None
        found.append(traced("others", pit.game, pit.state.setup, pit.sent))
    return tuple(found)


@cache
def places() -> dict[str, list[tuple[Trace, int]]]:
    """For each kind of event, where it is told: the trace and the command."""
    found: dict[str, list[tuple[Trace, int]]] = {kind: [] for kind in KINDS}
    for trace in traces():
        for nth, told in enumerate(trace.events):
            for kind in {type(event).__name__ for event in told}:
                found[kind].append((trace, nth))
    return found
