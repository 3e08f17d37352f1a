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
    board: bool = False


class Leave(Message, frozen=True, tag="Leave"):
    table: str


class Do(Message, frozen=True, tag="Do"):
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
    person: str
    at: int
    heartbeat: float


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
    setup: Setup | None = None
    private: PrivateView | None = None
    results: tuple[str, ...] = ()
    told: tuple[NarratedStep, ...] = ()
    at: int = 0


class Public(Message, frozen=True, tag="Public"):
    """The public view, the same for everyone of an audience. A screen older than `after` has missed a message and asks
    for the whole."""

    table: str
    after: int
    version: int
    at: int
    view: PublicView | None
    """None before the table was first opened, and after it has failed or was retired."""
    results: tuple[str, ...] | None = None
    """The results of the shoe, when they changed since `after`."""
    told: tuple[NarratedStep, ...] = ()
    """Why a hand drew or stood, and who won."""
    setup: Setup | None = None
    """How the table is set up, when that changed since `after`."""
    stopped: bool = False
    """The table has failed. Bets and purses stay as recorded until it runs again."""


class Private(Message, frozen=True, tag="Private"):
    table: str
    version: int
    view: PrivateView


class Answered(Message, frozen=True, tag="Answered"):
    request: str
    answer: Answer


class Misheard(Message, frozen=True, tag="Misheard"):
    """The message was not accepted, and nothing changed."""

    why: Refusal
    request: str = ""
    table: str = ""
    """The table that could not be watched."""


class Seconds(Message, frozen=True, tag="Seconds"):
    """The requests that wait for a second person or a guest, sent to those who may confirm them and to those who
    asked."""

    waiting: tuple[ConfirmationCard, ...]


class Beat(Message, frozen=True, tag="Beat"):
    at: int


FromHouse = Hello | Whole | Public | Private | Answered | Misheard | Seconds | Beat
