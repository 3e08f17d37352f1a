"""Tables: the lobby, commands, what devices read, previews of irregularities, and alerts."""

from puntobanco.protocol.administrative_commands import GuestProof
from puntobanco.protocol.answers import Sentence, Wire
from puntobanco.protocol.posts import Post
from puntobanco.table.authority import Role
from puntobanco.table.commands import AnyCommand, ChangeSetup, CloseTable, Fault, Report, Rule
from puntobanco.table.events import Question
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
    """What the reader is there."""
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
    """A command with the sender's own number for it: sent twice, it happens once."""

    request: str
    command: AnyCommand
    proof: GuestProof | None = None
    """Of the guest whose money a buy-in moves."""


class Scanned(Wire, frozen=True):
    """The next card an external shoe or a scanner read."""

    request: str
    card: str


class Chip(Wire, frozen=True):
    box: int
    bet: str
    amount: int
    owner: str | None = None
    """Whose it is; without a name it is of whoever sits at the box."""


class Chips(Wire, frozen=True):
    """What a chip reader sees lying: absolute amounts."""

    request: str
    chips: tuple[Chip, ...]


class FaultCard(Wire, frozen=True):
    """An irregularity that can be reported: where the rules provide for it, who decides, what a report of it names."""

    fault: Fault
    paragraph: str | None
    asked_of: Role
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()


class Foresee(Wire, frozen=True):
    """A report or a ruling that is only thought of."""

    command: Report | Rule


class Foreseen(Wire, frozen=True):
    """What would come of it, in the words of the account; nothing has happened."""

    phase: Phase
    told: tuple[Sentence, ...] = ()
    question: Question | None = None
    preview: Preview | None = None
    choosing: tuple[str, ...] = ()
    """Who would have to choose between going on and taking the bets back."""
    second: bool = False
    """Whether it would wait for a second person."""


class QueueRequest(Wire, frozen=True):
    """A change of the set-up or a closing, for the first moment between rounds."""

    command: ChangeSetup | CloseTable


class QueuedCard(Wire, frozen=True):
    """What waits for the end of the round at a table. A restart of the server forgets it."""

    number: int
    command: ChangeSetup | CloseTable
    person: str
    at: int
    refused: str = ""
    """Why it was not carried out; it is not tried again."""


class AlertCard(Wire, frozen=True):
    """Something to look at: an event of a table by its version, or an incident by its number."""

    table: str
    version: int
    at: int
    kind: str
    to: Role
    round: int
    incident: int = 0
    worth: dict[str, int] = {}
    """Of bets on cards in sight: the average gain on a stake, in millionths of it."""
    seen_by: str = ""
    seen_at: int = 0
