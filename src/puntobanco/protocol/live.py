"""Live messages: what a screen sends, and what the server sends."""

from typing import Any

from puntobanco.protocol.administration import ConfirmationCard
from puntobanco.protocol.administrative_commands import GuestProof
from puntobanco.protocol.answers import Answer, Message, Wire
from puntobanco.rules.refusal import Refusal
from puntobanco.table.setup import Setup
from puntobanco.table.views import PrivateView, PublicView

# ---- what a screen says ------------------------------------------------------------------------------------------


class Watch(Message, frozen=True, tag="Watch"):
    """Subscribe to a table. `version`: the one the screen has, after a gap; `board`: only what a display shows."""

    table: str
    version: int = 0
    """The version that the screen shows. Nothing is sent if it is still the latest."""
    board: bool = False
    """Show only what a display shows, whatever the post of the sender."""


class Leave(Message, frozen=True, tag="Leave"):
    """Unsubscribe from a table."""

    table: str


class Do(Message, frozen=True, tag="Do"):
    """Send a command to a table. `Answered` answers it, under the same `request`."""

    table: str
    request: str
    command: Any
    proof: GuestProof | None = None
    """The PIN or card of the guest whose money a buy-in moves."""


class Here(Message, frozen=True, tag="Here"):
    """The answer to a heartbeat."""


class Probe(Message, frozen=True, tag="Probe"):
    """Asks for a heartbeat at once, to find out whether the connection still works."""


FromScreen = Watch | Leave | Do | Here | Probe


# ---- what the house says -----------------------------------------------------------------------------------------


class Hello(Message, frozen=True, tag="Hello"):
    """The first message of a connection."""

    person: str
    at: int
    """The time of the house, in milliseconds UTC."""
    heartbeat: float
    """The seconds between two heartbeats."""


class NarratedStep(Wire, frozen=True):
    """A step of the hand in words, in every language, because a public message is the same for all its readers."""

    en: str
    zh: str
    paragraph: str


class Whole(Message, frozen=True, tag="Whole"):
    """Everything a screen shows of a table. Sent when it begins to watch, and when it asks after a gap."""

    table: str
    version: int
    public: PublicView | None
    """What everyone in the reader's audience sees; null before the table was first opened."""
    setup: Setup | None = None
    """How the table is set up, or the set-up that is proposed before it is first opened."""
    private: PrivateView | None = None
    """What only the reader sees; null unless the reader is a player."""
    results: tuple[str, ...] = ()
    told: tuple[NarratedStep, ...] = ()
    at: int = 0
    """The time of the house when it sent the message, in milliseconds UTC."""
    stopped: bool = False
    """The table has failed. Bets and purses stay as recorded until it runs again."""


class Public(Message, frozen=True, tag="Public"):
    """The public view, the same for everyone of an audience. A screen older than `after` has missed a message and asks
    for the whole."""

    table: str
    after: int
    """The version of the public message before this one."""
    version: int
    at: int
    """The time of the house when it sent the message, in milliseconds UTC."""
    view: PublicView | None
    """Null before the table was first opened, and after it has failed or was retired."""
    results: tuple[str, ...] | None = None
    """The results of the shoe, when they changed since `after`."""
    told: tuple[NarratedStep, ...] = ()
    """Why a hand drew or stood, and who won."""
    setup: Setup | None = None
    """How the table is set up, when that changed since `after`."""
    stopped: bool = False
    """The table has failed. Bets and purses stay as recorded until it runs again."""


class Private(Message, frozen=True, tag="Private"):
    """The private view, sent only to the person whose money, bets and choices it shows."""

    table: str
    version: int
    view: PrivateView
    """What only the reader sees."""


class Answered(Message, frozen=True, tag="Answered"):
    """The answer to a command that was sent with `Do`."""

    request: str
    """The id that the screen gave the command."""
    answer: Answer
    """The result of the command."""


class Misheard(Message, frozen=True, tag="Misheard"):
    """The message was not accepted, and nothing changed."""

    why: Refusal
    """Why the message was not accepted."""
    request: str = ""
    """The id of the command, if the message had one."""
    table: str = ""
    """The table that could not be watched."""


class AnsweredQuestion(Wire, frozen=True):
    """A question at a table whose answer waits for a second person."""

    table: str
    question: int
    """The number of the question."""


class WaitingRequests(Message, frozen=True, tag="Seconds"):
    """The requests that wait for a second person or a guest, sent to those who may confirm them and to those who
    asked."""

    waiting: tuple[ConfirmationCard, ...]
    """All requests that wait and concern the reader."""
    answered: tuple[AnsweredQuestion, ...] = ()
    """The questions of tables where the reader is staff whose answer waits, whoever may confirm it."""


class Beat(Message, frozen=True, tag="Beat"):
    """A heartbeat. Answer it with `Here`."""

    at: int
    """The time of the house, in milliseconds UTC."""


FromHouse = Hello | Whole | Public | Private | Answered | Misheard | WaitingRequests | Beat
