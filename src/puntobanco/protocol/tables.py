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
    taken: int = 0
    players: int = 0
    results: tuple[str, ...] = ()
    stopped: bool = False
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


class Chip(Wire, frozen=True):
    box: int
    bet: str
    amount: int
    owner: str | None = None
    """The owner; by default the person seated at the box."""


class Chips(Wire, frozen=True):
    """The chips on the layout as a chip reader sees them: absolute amounts."""

    request: str
    chips: tuple[Chip, ...]


class FaultCard(Wire, frozen=True):
    """An irregularity that can be reported: its paragraph, if the rules provide for it, who decides, and what a report
    names."""

    fault: Fault
    paragraph: str | None
    asked_of: Role
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()


class Foresee(Wire, frozen=True):
    """A report or a ruling to preview."""

    command: Report | Rule


class Foreseen(Wire, frozen=True):
    """What the report or ruling would lead to, in sentences. Nothing has happened."""

    phase: Phase
    told: tuple[Sentence, ...] = ()
    question: Question | None = None
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
    """Why it was not carried out; it is not tried again."""


class AlertCard(Wire, frozen=True):
    """An alert: an event of a table by its version, an incident by its number, or an entry of the journal by its
    version."""

    table: str
    version: int
    at: int
    kind: str
    to: Role | None
    """None: whoever may confirm it."""
    round: int
    incident: int = 0
    entry: int = 0
    waits: bool = False
    """Somebody waits for a decision since `at`."""
    worth: dict[str, int] = {}
    """The worth of bets on cards in sight: the average gain on a stake, in millionths of it."""
    stakes: tuple[Stake, ...] = ()
    """The bets it is about."""
    seen_by: str = ""
    seen_at: int = 0
