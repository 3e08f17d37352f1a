"""The format of a scenario. Unknown fields are refused."""

from datetime import datetime
from typing import Annotated

import msgspec

from puntobanco.rules.outcome import Side
from puntobanco.rules.overlay import Overlay
from puntobanco.rules.procedures import StaffRank, Window
from puntobanco.rules.refusal import Reason
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import Confirmation, Role
from puntobanco.table.commands import Choice, ClosingCause, Election, Fault, Tender, Terms
from puntobanco.table.setup import Policy, Timing
from puntobanco.table.state import Phase


class _Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class Table(_Written, frozen=True):
    """The set-up of the table. A field left out keeps its current value, or the default of scenarios."""

    boxes: int | None = None
    decks: int | None = None
    minimum: str | None = None
    differential: str | None = None
    unit: str | None = None
    maximum: str | None = None
    face_down: bool | None = None
    burn: int | None = None
    cut_card: int | None = None


AMOUNTS = ("minimum", "differential", "unit", "maximum")
"""The fields of a table that contain money."""


class ScenarioBet(_Written, frozen=True):
    """A line of a slip."""

    bet: str
    amount: str
    box: int = 0


class Decision(_Written, frozen=True):
    """What the House decides for one bet."""

    person: str
    bet: str
    terms: Terms
    amount: str = "0"
    box: int = 0


class Never(_Written, frozen=True, omit_defaults=True):
    """What must not hold after a step."""

    phase: Phase | tuple[Phase, ...] = ()
    events: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    alerts: tuple[Alert, ...] = ()
    options: tuple[str, ...] = ()
    """People who have no options."""
    offered: tuple[str, ...] = ()
    """People who are offered no insurance."""

    @property
    def phases(self) -> tuple[Phase, ...]:
        return (self.phase,) if isinstance(self.phase, Phase) else self.phase


class Expectation(_Written, frozen=True, omit_defaults=True, rename={"never": "not"}):
    """What should hold after a step. Fields left out are not checked."""

    phase: Phase | None = None
    round: int | None = None
    refused: Reason | None = None
    lines: tuple[str, ...] | None = None
    """The result of each line of a slip: `accepted`, or the reason of its refusal."""
    most: str | None = None
    """The maximum that the refusal names."""
    rule: str | None = None
    """The paragraph of the refusal, or one that the step's events cite."""
    cites: tuple[str, ...] = ()
    purses: dict[str, str] = {}
    stakes: dict[str, str] = {}
    plays: dict[str, str] = {}
    unpaid: tuple[int, ...] | None = None
    """Boxes of the settled round that are still to be taken or paid. The list must be complete."""
    withheld: dict[str, str] = {}
    """How much of each purse cannot be taken out until its box is confirmed."""
    held: dict[str, str] = {}
    """Stakes held since a tie that their owners may take or leave."""
    results: dict[str, str] = {}
    """The profit of each stake at the settlement; negative for a loss."""
    player: str | None = None
    banker: str | None = None
    waiting: str | None = None
    """Cards in front of the shoe."""
    not_offered: tuple[str, ...] | None = None
    """Bets that those cards have decided. The list must be complete and in the order of the menu."""
    cards_left: int | None = None
    last_round: bool | None = None
    options: tuple[str, ...] | None = None
    offered: dict[str, str] | None = None
    """The most that each may insure, by person, or by box and person."""
    asked_of: Role | None = None
    owed: dict[str, str] | None = None
    """What each person owes. The list must be complete."""
    missing: dict[str, str] | None = None
    """Chips taken away after the close that are still to be collected. The list must be complete."""
    acting: dict[str, Role] | None = None
    alerts: tuple[Alert, ...] | None = None
    cites_nothing: bool = False
    events: tuple[str, ...] = ()
    time_left: int | None = None
    """Seconds until the current deadline; 0 if there is none, or it has passed."""
    shoe: str | None = None
    """The set of cards in service; empty for none."""
    dealt_by: str | None = None
    """Who announced the round: the house itself or a person."""
    choices: tuple[Choice, ...] | None = None
    """The possible answers to the open question, in order."""
    decided: dict[str, Terms] | None = None
    """What the step's decision gave each bet that it named. The list must be complete."""
    never: Never = Never()


class ScenarioStep(_Written, frozen=True, omit_defaults=True, rename={"role_claimed": "as"}):
    """One action of a person. The action determines which fields it uses."""

    by: str
    do: str
    box: int | None = None
    bet: str | None = None
    amount: str | None = None
    bets: tuple[ScenarioBet, ...] | None = None
    """A slip of several lines."""
    person: str | None = None
    terms: Terms | None = None
    """What the House decides for the bet."""
    decisions: tuple[Decision, ...] | None = None
    """What the House decides for several bets."""
    cards: str | None = None
    faces: dict[int, str] = {}
    """Several cards to expose, by draw index."""
    index: int | None = None
    round: int | None = None
    fault: Fault | None = None
    lies: dict[int, Side] = {}
    to_person: bool = False
    order_known: bool = False
    choice: Choice | None = None
    reason: str = ""
    order: tuple[int, ...] = ()
    election: Election | None = None
    window: Window | None = None
    permit: bool = True
    leave: bool = False
    box_by_box: bool = False
    """Settles only in the books. Further steps confirm the boxes."""
    over_excess: bool = False
    acknowledge: bool = False
    attested: bool = False
    withdrawn: bool = False
    shuffled: bool = True
    requested: bool = True
    present: bool = True
    confirmed: Confirmation | None = None
    """How the guest confirmed what somebody else asks for."""
    tender: Tender | None = None
    cause: ClosingCause | None = None
    """Why a table closes without notice."""
    again: bool = False
    role: StaffRank | None = None
    role_claimed: Role | None = None
    device: bool = False
    """A chip reader, scanner or external shoe reports it."""
    table: Table | None = None
    note: str = ""
    shoe: str = ""
    wait: int = 0
    """Seconds that pass before the step."""
    expect: Expectation = Expectation()


class Scenario(_Written, frozen=True, rename={"steps": "step"}):
    title: str
    game: str
    steps: tuple[ScenarioStep, ...] = ()
    layout: str | None = None
    table: Table = Table()
    policy: Policy = Policy()
    timing: Timing = Timing()
    begins: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    """When the table opens. If left out, a moment when every document is in force."""
    people: dict[str, str] = {}
    paragraphs: tuple[str, ...] = ()
    """The paragraphs that the scenario is about."""
    rulings: tuple[str, ...] = ()
    """The rows of docs/rulings.md that it holds."""
    overlay: Overlay | None = None
    """A regulation that binds the table where the document is silent."""
    opening: Expectation = Expectation()
    """What should hold once the table is open. If it expects the set-up to be refused, the scenario ends there."""
