"""Administration: requests, confirmations that wait, people, the journal, games and health."""

from enum import StrEnum
from typing import Any

import msgspec

from puntobanco.protocol.administrative_commands import AnyAdministrativeCommand, GuestProof
from puntobanco.protocol.answers import Sentence, Wire
from puntobanco.protocol.entries import AnyEntry
from puntobanco.protocol.posts import Post
from puntobanco.protocol.rounds import RoundBet
from puntobanco.rules.outcome import Outcome
from puntobanco.table.state import MissingChip, Phase


class AdministrativeRequest(Wire, frozen=True):
    """An administrative command with its request id."""

    request: str
    command: AnyAdministrativeCommand
    proof: GuestProof | None = None
    """The PIN or card of the guest whose money a withdrawal moves."""


class DeclineRequest(Wire, frozen=True):
    reason: str


class ConfirmationCard(Wire, frozen=True):
    """A request that waits for a second person, or for the guest whose money it moves."""

    number: int
    table: str
    command: dict[str, Any]
    person: str
    post: Post | None
    at: int
    mine: bool
    may_confirm: bool
    guest: str = ""
    """The guest whose confirmation it waits for; empty if it waits for a second person."""
    chip: MissingChip | None = None
    """The missing chip that is to be written off, while it is missing."""


class RoundStatus(Wire, frozen=True):
    """A round before or after the request takes effect."""

    phase: Phase
    round: int
    outcome: Outcome | None = None
    bets: tuple[RoundBet, ...] = ()


class AccountChange(Wire, frozen=True):
    account: str
    before: int
    after: int


class Unforeseen(StrEnum):
    """Why a consequence cannot be computed."""

    TABLE_STOPPED = "table_stopped"
    CARDS_TO_COME = "cards_to_come"
    """Bets stay on the layout: what they get depends on cards that are not dealt yet."""
    NO_MONEY = "no_money"
    """It moves no money."""


class Consequence(Wire, frozen=True):
    """What a waiting request would lead to now, computed on a copy. Nothing is changed."""

    number: int
    told: tuple[Sentence, ...] = ()
    before: RoundStatus | None = None
    after: RoundStatus | None = None
    """The round, for a request at a table."""
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
    """A session of a person."""

    slot: int
    created: int
    seen: int
    address: str = ""
    agent: str = ""


class JournalPage(Wire, frozen=True):
    entries: tuple[AnyEntry, ...]
    next: int
    """The version from which to ask for the next page: for entries after it, or before it if the latest were asked
    for."""
    versions: tuple[int, ...] = ()
    sentences: dict[int, str] = {}
    """The sentence of the refusal that an entry records, by the version of the entry, in the requested language."""


class GameCard(Wire, frozen=True):
    """A game as its file describes it, for felts, pay tables and rules."""

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
    """Program files that differ from the record, or that nothing declares."""
    release: str = ""
    """The digest that a release must name."""
