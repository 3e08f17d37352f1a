"""Tables: the lobby, commands, input of devices, previews of irregularities, and alerts."""

from puntobanco.protocol.administrative_commands import GuestProof
from puntobanco.protocol.answers import Sentence, Wire
from puntobanco.protocol.posts import Post
from puntobanco.table.authority import Role
from puntobanco.table.commands import AnyCommand, ChangeSetup, CloseTable, Fault, Report, Rule
from puntobanco.table.events import Question, Stake
from puntobanco.table.state import Phase
from puntobanco.table.views import Preview


class TableCard(Wire, frozen=True):
    """A table in the lobby."""

    table: str
    game: str
    title: dict[str, str]
    """The name of the game by language."""
    phase: Phase
    round: int
    deadline: int
    post: Post | None
    """The reader's post at the table."""
    automatic: bool
    layout: str | None = None
    minimum: int = 0
    differential: int = 0
    seats: int = 0
    """How many boxes the table has."""
    taken: int = 0
    """How many seats are taken."""
    players: int = 0
    """How many people have money in a purse here."""
    results: tuple[str, ...] = ()
    stopped: bool = False
    """Whether the table has failed."""
    held: bool = False
    """For staff: no further round opens here until the changed program is released."""


class Send(Wire, frozen=True):
    """A command with its request id. A command that is sent twice takes effect once."""

    request: str
    command: AnyCommand
    proof: GuestProof | None = None
    """The PIN or card of the guest whose money a buy-in moves."""


class Scanned(Wire, frozen=True):
    """The next card, read by an external shoe or a scanner."""

    request: str
    card: str
    """The face of the card, such as `9S`."""


class Chip(Wire, frozen=True):
    """What a chip reader sees on one bet of one box."""

    box: int
    bet: str
    amount: int
    """The amount that lies on the bet, in cents; 0 if nothing does."""
    owner: str | None = None
    """The owner; by default the person seated at the box."""


class Chips(Wire, frozen=True):
    """The chips on the layout as a chip reader sees them: absolute amounts."""

    request: str
    chips: tuple[Chip, ...]
    """The chips in the boxes of one person."""


class FaultCard(Wire, frozen=True):
    """An irregularity that can be reported: its paragraph, if the rules provide for it, who decides, and what a report
    names."""

    fault: Fault
    paragraph: str | None
    asked_of: Role
    needs: tuple[str, ...] = ()
    """The fields that a report must have."""
    may: tuple[str, ...] = ()
    """The fields that a report may have."""


class Foresee(Wire, frozen=True):
    """A report or a ruling to preview."""

    command: Report | Rule


class Foreseen(Wire, frozen=True):
    """What the report or ruling would lead to, in sentences. Nothing has happened."""

    phase: Phase
    """The phase that the table would be in."""
    told: tuple[Sentence, ...] = ()
    """What would happen, in sentences."""
    question: Question | None = None
    """The question that would be open; null if none."""
    preview: Preview | None = None
    choosing: tuple[str, ...] = ()
    """The players who would have to choose between continuing and taking their bets back."""
    second: bool = False
    """Whether it would wait for a second person."""


class QueueRequest(Wire, frozen=True):
    """A change of the set-up or a closing, for the first moment between rounds."""

    command: ChangeSetup | CloseTable


class QueuedCard(Wire, frozen=True):
    """A command that waits for the end of the round. A restart of the server discards it."""

    number: int
    command: ChangeSetup | CloseTable
    person: str
    at: int
    refused: str = ""
    """Why it was not carried out; it is not tried again. Empty while it waits."""


class AlertCard(Wire, frozen=True):
    """An alert: an event of a table by its version, an incident by its number, or an entry of the journal by its
    version."""

    table: str
    """The table; empty for an alert of the whole house."""
    version: int
    """The version of the event that raised the alert; 0 if it is not an event of a table."""
    at: int
    kind: str
    """The code of the alert."""
    to: Role | None
    """The lowest rank that it alerts; null for whoever may confirm it."""
    round: int
    """The number of the round; 0 for an alert that is not an event of a table."""
    incident: int = 0
    entry: int = 0
    waits: bool = False
    """Whether somebody has waited for a decision since `at`."""
    worth: dict[str, int] = {}
    """The worth of bets on cards in sight: the average gain on a stake, in millionths of it."""
    stakes: tuple[Stake, ...] = ()
    """The bets that the alert is about."""
    may_acknowledge: bool = False
    """Whether it alerts the reader, who may then acknowledge it: their rank, a lower one, or those who may confirm
    it."""
    seen_by: str = ""
    """Who acknowledged it; empty if nobody has."""
    seen_at: int = 0
    """When it was acknowledged, in milliseconds UTC; 0 if nobody has."""
