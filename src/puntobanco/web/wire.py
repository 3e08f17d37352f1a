"""What goes over the wire: every message and answer, as one set of definitions.

The OpenAPI document, the Python client and the TypeScript types are made from these. Money is whole cents, moments are
milliseconds UTC.
"""

import re
from typing import Any

import msgspec

from puntobanco.house.book import AnyEntry
from puntobanco.house.errands import AnyOfficeCommand
from puntobanco.house.history import RoundLine
from puntobanco.house.people import Post
from puntobanco.ledger.accounts import Transfer
from puntobanco.rules.library import NewPay
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result
from puntobanco.table.authority import Role
from puntobanco.table.commands import AnyCommand, Fault, Report, Rule
from puntobanco.table.events import AnyEvent, Question, SettledStake
from puntobanco.table.setup import Setup
from puntobanco.table.state import Phase
from puntobanco.table.views import CardView, Preview, PrivateView, PublicView

_REQUEST = re.compile(r"[A-Za-z0-9_-]{1,64}")


def check_request(request: str) -> None:
    """The sender's own number for what it asks: letters, digits, dash and underscore, such as a UUID."""
    if not _REQUEST.fullmatch(request):
        raise Refused(Reason.REQUEST_WRONG)


class Wire(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A body of a request or an answer."""


class Message(msgspec.Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True, omit_defaults=True):
    """A message of the live connection; `type` names it."""


# ---- refusals ----------------------------------------------------------------------------------------------------


class Problem(Wire, frozen=True):
    """Problem details (RFC 9457): why not, by which paragraph, and in words a person can read out."""

    title: str
    status: int
    reason: Reason
    detail: str
    """The sentence, in the language that was asked for."""
    paragraph: str | None = None
    parameters: dict[str, Any] = {}
    type: str = "about:blank"


class Why(Wire, frozen=True):
    """A refusal inside an answer."""

    reason: Reason
    sentence: str
    paragraph: str | None = None
    parameters: dict[str, Any] = {}


class LineRefused(Wire, frozen=True):
    line: int
    why: Why


class Answer(Wire, frozen=True):
    """What became of a command: at which version it happened, that it waits for a second person, or why not."""

    version: int
    refusal: Why | None = None
    lines: tuple[LineRefused, ...] = ()
    waits: int | None = None


# ---- signing in --------------------------------------------------------------------------------------------------


class SignIn(Wire, frozen=True):
    name: str
    password: str
    code: str | None = None
    """Of the second factor, where the house asks for one."""
    new_password: str | None = None
    """Where the old one has to be changed."""


class Ticket(Wire, frozen=True):
    """A link that signs in once."""

    ticket: str


class NewPassword(Wire, frozen=True):
    old: str
    new: str


class OneTimePassword(Wire, frozen=True):
    """Told once, to be changed at the first sign-in."""

    person: str
    password: str


class Enrolled(Wire, frozen=True):
    """The second factor to set up, shown once; the next attempt carries a code of it."""

    secret: str
    uri: str
    recovery: tuple[str, ...]


class Entered(Wire, frozen=True):
    """Signed in, or what has to be set up first."""

    me: "Me | None" = None
    enrol: Enrolled | None = None


class Me(Wire, frozen=True):
    """Who is signed in here, as what, and what the house is."""

    person: str
    title: str
    roles: dict[str, Post]
    house: str
    play_money: bool
    slot: int = 0


# ---- tables ------------------------------------------------------------------------------------------------------


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


class Send(Wire, frozen=True):
    """A command with the sender's own number for it: sent twice, it happens once."""

    request: str
    command: AnyCommand


class Sentence(Wire, frozen=True):
    """One line of the account of a round, with the paragraph it rests on."""

    text: str
    paragraph: str | None = None


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


class RoundRecord(Wire, frozen=True):
    """A round as its reader may see it: a player's own bets and everything everyone saw; for staff all of it."""

    table: str
    line: RoundLine
    game: str
    cards: tuple[CardView, ...] = ()
    account: tuple[Sentence, ...] = ()
    events: tuple[AnyEvent, ...] = ()
    own: tuple[SettledStake, ...] = ()


class RoundPage(Wire, frozen=True):
    rounds: tuple[RoundLine, ...]


class FoundStake(Wire, frozen=True):
    """A bet of a round: settled, or no result if it was refunded or still lies."""

    owner: str
    box: int
    bet: str
    stake: int
    result: Result | None = None
    back: int = 0
    """What went back to the player for it."""


class FoundRound(Wire, frozen=True):
    """A round that was looked for, with the bets that made it found."""

    table: str
    game: str
    line: RoundLine
    stakes: tuple[FoundStake, ...] = ()


class FoundRounds(Wire, frozen=True):
    found: tuple[FoundRound, ...]
    before: int | None = None
    """Ask again for what lies before this moment; nothing more if there is none."""


class RoundStep(Wire, frozen=True):
    """One event of a round: what it was, in words and by paragraph, what it moved, and what lay on the table then."""

    version: int
    hash: str
    event: AnyEvent
    account: tuple[Sentence, ...]
    moved: tuple[Transfer, ...]
    cards: tuple[CardView, ...]
    waiting: tuple[str | None, ...]
    """Cards in front of the shoe."""
    phase: Phase
    in_play: int


class RoundSteps(Wire, frozen=True):
    """A round event by event. `seal`: of the file the round is exported as."""

    table: str
    line: RoundLine
    game: str
    fingerprint: str
    own_game: bool
    """Whether the house has the game's rules as they were then."""
    before_hash: str
    steps: tuple[RoundStep, ...]
    seal: str
    shoe: str = ""
    """The electronic shoe it was dealt from."""


class AlertCard(Wire, frozen=True):
    table: str
    version: int
    at: int
    kind: str
    to: Role
    round: int
    seen_by: str = ""
    seen_at: int = 0


class BetTaken(Wire, frozen=True):
    bet: str
    bets: int
    turnover: int
    won: int


class TableTakings(Wire, frozen=True):
    """What a table took, and what theory says it should have: `low` to `high` holds 99 of 100 honest tables."""

    table: str
    rounds: int
    rounds_per_hour: float
    turnover: int
    won: int
    bets: tuple[BetTaken, ...]
    priced: int = 0
    """What was won on the bets theory has a figure for: this is what to hold against it."""
    expected: float | None = None
    low: float | None = None
    high: float | None = None


class CardProof(Wire, frozen=True):
    """What proves one card of an electronic shoe against its commitment; bytes as hexadecimal digits."""

    place: int
    card: str
    salt: str
    path: tuple[str, ...]


class ShoeProof(Wire, frozen=True):
    shoe: str
    commitment: str
    in_service: bool
    cards: tuple[CardProof, ...]


# ---- money and office --------------------------------------------------------------------------------------------


class Moved(Wire, frozen=True):
    """One posting of an account: what came (or went, below nothing) and from or to where."""

    id: int
    kind: str
    other: str
    amount: int
    at: int = 0


class Account(Wire, frozen=True):
    account: str
    held: int


class Wallet(Wire, frozen=True):
    person: str
    held: int
    purses: dict[str, int]
    """By table, where there is something in it."""
    stopped: tuple[str, ...] = ()
    """Of these tables those that do not run: what is there can be had once they do."""
    latest: tuple[Moved, ...] = ()


class FloatCard(Wire, frozen=True):
    """What a table pays from, what lies on its layout and in its purses, and how it was last counted."""

    table: str
    game: str
    held: int
    stakes: int = 0
    purses: int = 0
    commission: int = 0
    tray: int = 0
    """What should be counted: the float, and the commission whose chips never left it."""
    retired: bool = False
    counted: int | None = None
    booked: int = 0
    counted_at: int = 0
    counted_by: str = ""


class Errand(Wire, frozen=True):
    """A command to the office, with the sender's own number for it."""

    request: str
    command: AnyOfficeCommand


class Declined(Wire, frozen=True):
    reason: str


class WaitingCard(Wire, frozen=True):
    """What waits for a second person."""

    number: int
    table: str
    command: dict[str, Any]
    person: str
    post: Post | None
    at: int
    mine: bool
    may_confirm: bool


class PersonCard(Wire, frozen=True):
    person: str
    title: str
    roles: dict[str, Post]
    active: bool
    sessions: int = 0


class SessionCard(Wire, frozen=True):
    """Somebody signed in somewhere."""

    slot: int
    created: int
    seen: int
    address: str = ""
    agent: str = ""


class BookPage(Wire, frozen=True):
    entries: tuple[AnyEntry, ...]
    next: int
    """Ask for what comes after this; or before this, if the latest were asked for: nothing is before the first."""
    versions: tuple[int, ...] = ()


class GameCard(Wire, frozen=True):
    """A game as its file says it is, for felts, pay tables and rules."""

    key: str
    title: dict[str, str]
    fingerprint: str
    content: msgspec.Raw
    paragraphs: dict[str, dict[str, str]]


class GameSource(Wire, frozen=True):
    """A game file as it was written."""

    key: str
    content: str


class Pricing(Wire, frozen=True):
    """A game of the house, or the text of a game file; so many decks, or a shoe written as `A=32,2=31,...`.

    `pays`: as if these pay lines were written so.
    """

    game: str = ""
    content: str | None = None
    layout: str | None = None
    decks: int = 8
    shoe: str | None = None
    removal: bool = False
    pays: tuple[NewPay, ...] = ()


class Figures(Wire, frozen=True):
    """As `puntobanco odds --json` gives them; `removal`: what one card less of each rank changes."""

    figures: dict[str, Any]
    removal: dict[str, list[float]] | None = None


class ShoeNow(Wire, frozen=True):
    table: str
    version: int
    shoe: str
    cards: int
    returns: dict[str, float]
    favourable: tuple[str, ...]


class Simulation(Wire, frozen=True):
    rounds: int
    game: str = ""
    content: str | None = None
    layout: str | None = None
    decks: int = 8
    seed: int = 1
    pays: tuple[NewPay, ...] = ()


class Simulated(Wire, frozen=True):
    number: int
    done: bool = False
    progress: dict[str, Any] | None = None


class Health(Wire, frozen=True):
    ready: bool
    tables: int
    failed: dict[str, str] = {}
    dead: tuple[str, ...] = ()
    draining: bool = False
    program: str = ""
    """The digest of the program's files."""


# ---- the live connection: what a screen says ---------------------------------------------------------------------


class Watch(Message, frozen=True):
    """Show me this table from now on. `version`: the one I have, after a gap; `board`: only what a display shows."""

    table: str
    version: int = 0
    board: bool = False


class Leave(Message, frozen=True):
    table: str


class Do(Message, frozen=True):
    table: str
    request: str
    command: msgspec.Raw


class Here(Message, frozen=True):
    """The answer to a heartbeat."""


FromScreen = Watch | Leave | Do | Here


# ---- the live connection: what the house says --------------------------------------------------------------------


class Hello(Message, frozen=True):
    person: str
    at: int
    heartbeat: float


class Told(Wire, frozen=True):
    """A step of the hand in words, in every language: a public message is the same for all who read it."""

    en: str
    zh: str
    paragraph: str


class Whole(Message, frozen=True):
    """Everything a screen shows of a table: on watching it, and when the screen asks after a gap."""

    table: str
    version: int
    public: PublicView | None
    setup: Setup | None = None
    private: PrivateView | None = None
    results: tuple[str, ...] = ()
    told: tuple[Told, ...] = ()
    at: int = 0


class Public(Message, frozen=True):
    """The same for everyone of an audience. A screen older than `after` has missed one and asks for the whole."""

    table: str
    after: int
    version: int
    at: int
    view: PublicView | None
    """Nothing before the table was ever opened, and once it has failed or is gone."""
    results: tuple[str, ...] | None = None
    """The results of the shoe, when they changed since `after`."""
    told: tuple[Told, ...] = ()
    """Why a hand drew or stood, and who won."""
    setup: Setup | None = None
    """How the table is set up, when that changed since `after`."""


class Private(Message, frozen=True):
    table: str
    version: int
    view: PrivateView


class Answered(Message, frozen=True):
    request: str
    answer: Answer


class Misheard(Message, frozen=True):
    """What was sent could not be taken: nothing changed."""

    why: Why
    request: str = ""
    table: str = ""
    """The table that could not be watched."""


class Seconds(Message, frozen=True):
    """What waits for a second person, for those who may be that or who asked."""

    waiting: tuple[WaitingCard, ...]


class Beat(Message, frozen=True):
    at: int


FromHouse = Hello | Whole | Public | Private | Answered | Misheard | Seconds | Beat
