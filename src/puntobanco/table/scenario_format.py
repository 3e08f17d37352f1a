"""How a scenario is written: its fields, and nothing unknown among them."""

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
    """How the table is set up; what is left out stays as it is, or as tables are here that name nothing."""

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
"""The fields of a table that are money."""


class ScenarioBet(_Written, frozen=True):
    """A line of a slip."""

    bet: str
    amount: str
    box: int = 0


class Decision(_Written, frozen=True):
    """What the House makes of one bet."""

    person: str
    bet: str
    terms: Terms
    amount: str = "0"
    box: int = 0


class Never(_Written, frozen=True, omit_defaults=True):
    """What must not be after a step: none of what is listed."""

    phase: Phase | tuple[Phase, ...] = ()
    events: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    alerts: tuple[Alert, ...] = ()
    options: tuple[str, ...] = ()
    """People who are not asked."""
    offered: tuple[str, ...] = ()
    """People who are offered no insurance."""

    @property
    def phases(self) -> tuple[Phase, ...]:
        return (self.phase,) if isinstance(self.phase, Phase) else self.phase


class Expectation(_Written, frozen=True, omit_defaults=True, rename={"never": "not"}):
    """What should hold after a step; what is left out is not looked at."""

    phase: Phase | None = None
    round: int | None = None
    refused: Reason | None = None
    lines: tuple[str, ...] | None = None
    """What became of each line of a slip: `accepted`, or the reason of its refusal."""
    most: str | None = None
    """What the refusal says is possible at the most."""
    rule: str | None = None
    """The paragraph of the refusal, or one that the step's events cite."""
    cites: tuple[str, ...] = ()
    purses: dict[str, str] = {}
    stakes: dict[str, str] = {}
    plays: dict[str, str] = {}
    unpaid: tuple[int, ...] | None = None
    """Boxes of the settled round that are still to be taken or paid; complete."""
    withheld: dict[str, str] = {}
    """What of each purse waits until its box is confirmed."""
    held: dict[str, str] = {}
    """Stakes that wait since a tie to be taken or left."""
    results: dict[str, str] = {}
    """What each stake won at the settlement; negative: lost."""
    player: str | None = None
    banker: str | None = None
    waiting: str | None = None
    """Cards in front of the shoe."""
    not_offered: tuple[str, ...] | None = None
    """Bets that those cards have decided, complete and in the order of the menu."""
    cards_left: int | None = None
    last_round: bool | None = None
    options: tuple[str, ...] | None = None
    offered: dict[str, str] | None = None
    """By person, or by box and person."""
    asked_of: Role | None = None
    owed: dict[str, str] | None = None
    """Who owes what since a settlement was taken back; complete."""
    missing: dict[str, str] | None = None
    """Which chips are to be collected from whom since they were taken away after the close; complete."""
    acting: dict[str, Role] | None = None
    alerts: tuple[Alert, ...] | None = None
    cites_nothing: bool = False
    events: tuple[str, ...] = ()
    time_left: int | None = None
    """Seconds until the deadline that runs; 0: none runs, or it has passed."""
    shoe: str | None = None
    """The set of cards in service; empty: none."""
    dealt_by: str | None = None
    """Who announced the round: the house itself or a person."""
    choices: tuple[Choice, ...] | None = None
    """What the open question may be answered with, in order."""
    decided: dict[str, Terms] | None = None
    """What a decision of the step made of each bet it named; complete."""
    never: Never = Never()


class ScenarioStep(_Written, frozen=True, omit_defaults=True, rename={"role_claimed": "as"}):
    """Somebody does something. Which fields are meant depends on what is done."""

    by: str
    do: str
    box: int | None = None
    bet: str | None = None
    amount: str | None = None
    bets: tuple[ScenarioBet, ...] | None = None
    """A slip of several lines."""
    person: str | None = None
    terms: Terms | None = None
    """What the House makes of the bet."""
    decisions: tuple[Decision, ...] | None = None
    """What it makes of several."""
    cards: str | None = None
    faces: dict[int, str] = {}
    """Several cards that are turned over, by draw index."""
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
    """Settled only in the books: the boxes are confirmed in steps of their own."""
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
    """A chip reader, scanner or external shoe tells it."""
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
    """When the table is opened; left out, at a moment when every document is in force."""
    people: dict[str, str] = {}
    paragraphs: tuple[str, ...] = ()
    """What the scenario is about."""
    overlay: Overlay | None = None
    """A regulation the table carries, where the document is silent."""
    opening: Expectation = Expectation()
    """What should hold once the table is open; a set-up expected to be refused ends the scenario."""
