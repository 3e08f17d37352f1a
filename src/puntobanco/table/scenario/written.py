"""How a scenario is written: its fields, and nothing unknown among them."""

import msgspec

from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Rank, Window
from puntobanco.rules.refusal import Reason
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.setup import Policy, Timing
from puntobanco.table.state import Phase
from puntobanco.table.wording import Alert


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


class Bet(_Written, frozen=True):
    """A line of a slip."""

    bet: str
    amount: str
    box: int = 0


class Expectation(_Written, frozen=True, omit_defaults=True):
    """What should hold after a step; what is left out is not looked at."""

    phase: Phase | None = None
    round: int | None = None
    refused: Reason | None = None
    lines: tuple[str, ...] | None = None
    """What became of each line of a slip: `accepted`, or the reason of its refusal."""
    rule: str | None = None
    """The paragraph of the refusal, or one that the step's events cite."""
    cites: tuple[str, ...] = ()
    purses: dict[str, str] = {}
    stakes: dict[str, str] = {}
    plays: dict[str, str] = {}
    held: dict[str, str] = {}
    """Stakes that wait since a tie to be taken or left."""
    results: dict[str, str] = {}
    """What each stake won at the settlement; negative: lost."""
    player: str | None = None
    banker: str | None = None
    waiting: str | None = None
    """Cards in front of the shoe."""
    cards_left: int | None = None
    last_round: bool | None = None
    options: tuple[str, ...] | None = None
    offered: dict[str, str] | None = None
    """By person, or by box and person."""
    asked_of: Role | None = None
    owed: dict[str, str] = {}
    """What a person owes since a settlement was taken back."""
    acting: dict[str, Role] | None = None
    alerts: tuple[Alert, ...] | None = None
    cites_nothing: bool = False
    events: tuple[str, ...] = ()


class Step(_Written, frozen=True, omit_defaults=True, rename={"role_claimed": "as"}):
    """Somebody does something. Which fields are meant depends on what is done."""

    by: str
    do: str
    box: int | None = None
    bet: str | None = None
    amount: str | None = None
    bets: tuple[Bet, ...] | None = None
    """A slip of several lines."""
    person: str | None = None
    cards: str | None = None
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
    steps: tuple[Step, ...] = ()
    layout: str | None = None
    table: Table = Table()
    policy: Policy = Policy()
    timing: Timing = Timing()
    people: dict[str, str] = {}
    paragraphs: tuple[str, ...] = ()
    """What the scenario is about."""
    opening: Expectation = Expectation()
    """What should hold once the table is open; a set-up expected to be refused ends the scenario."""
