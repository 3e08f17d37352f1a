"""Administration: requests, confirmations that wait, people, the journal, games and health."""

from enum import StrEnum
from typing import Any

import msgspec

from puntobanco.protocol.administrative_commands import AnyAdministrativeCommand, GuestProof
from puntobanco.protocol.answers import Sentence, Wire
from puntobanco.protocol.entries import AnyEntry
from puntobanco.protocol.posts import Post
from puntobanco.rules.outcome import Outcome
from puntobanco.rules.settlement import Result
from puntobanco.table.state import MissingChip, Phase


class AdministrativeRequest(Wire, frozen=True):
    """An administrative command, with the sender's own number for it."""

    request: str
    command: AnyAdministrativeCommand
    proof: GuestProof | None = None
    """Of the guest whose money a withdrawal moves."""


class DeclineRequest(Wire, frozen=True):
    reason: str


class ConfirmationCard(Wire, frozen=True):
    """What waits for a second person, or for the guest whose money it is."""

    number: int
    table: str
    command: dict[str, Any]
    person: str
    post: Post | None
    at: int
    mine: bool
    may_confirm: bool
    guest: str = ""
    """Whose word it waits for, if it is the guest's."""
    chip: MissingChip | None = None
    """The missing chip that is to be written off, while it is missing."""


class RoundBet(Wire, frozen=True):
    """A bet of the round: it lies on the layout, or what the settlement made of it."""

    owner: str
    box: int
    bet: str
    stake: int
    result: Result | None = None
    """None: it lies on the layout."""
    back: int = 0
    """What its owner gets, stake included."""


class RoundStatus(Wire, frozen=True):
    """A round before or after what waits."""

    phase: Phase
    round: int
    outcome: Outcome | None = None
    bets: tuple[RoundBet, ...] = ()


class AccountChange(Wire, frozen=True):
    account: str
    before: int
    after: int


class Unforeseen(StrEnum):
    """Why something cannot be computed."""

    TABLE_STOPPED = "table_stopped"
    CARDS_TO_COME = "cards_to_come"
    """Bets stay on the layout: what they get depends on cards that are not dealt yet."""
    NO_MONEY = "no_money"
    """It moves no money."""


class Consequence(Wire, frozen=True):
    """What a request that waits would lead to now, computed on a copy. Nothing is changed."""

    number: int
    told: tuple[Sentence, ...] = ()
    before: RoundStatus | None = None
    after: RoundStatus | None = None
    """Of the round, for what is asked at a table."""
    money: tuple[AccountChange, ...] = ()
    refused: Sentence | None = None
    """Why it would be refused now."""
    unforeseen: Unforeseen | None = None
    files: tuple[str, ...] = ()
    """The files of the program that a release is about."""


class Titles(Wire, frozen=True):
    """How people are called, by the name they sign in with."""

    titles: dict[str, str]


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


class JournalPage(Wire, frozen=True):
    entries: tuple[AnyEntry, ...]
    next: int
    """Ask for what comes after this; or before this, if the latest were asked for: nothing is before the first."""
    versions: tuple[int, ...] = ()
    sentences: dict[int, str] = {}
    """Why what an entry tells of was refused, by its version, in the language that was asked for."""


class GameCard(Wire, frozen=True):
    """A game as its file says it is, for felts, pay tables and rules."""

    key: str
    title: dict[str, str]
    fingerprint: str
    content: msgspec.Raw
    paragraphs: dict[str, dict[str, str]]


class Health(Wire, frozen=True):
    ready: bool
    tables: int
    failed: dict[str, str] = {}
    dead: tuple[str, ...] = ()
    draining: bool = False
    program: str = ""
    """The digest of the program's files when it started."""
    held: bool = False
    """Tables that deal by themselves open no round until the program is released."""
    differs: tuple[str, ...] = ()
    """Files of the program that are not as recorded, or that nothing declares."""
    release: str = ""
    """The digest to release them by."""
