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
    """Why a waiting request is declined or withdrawn."""

    reason: str


class ConfirmationCard(Wire, frozen=True):
    """A request that waits for a second person, or for the guest whose money it moves."""

    number: int
    table: str
    """The table of the command; empty for an administrative command."""
    command: dict[str, Any]
    person: str
    """The person who sent the command."""
    post: Post | None
    """The post in which the sender sent it."""
    at: int
    """When it was sent, in milliseconds UTC."""
    mine: bool
    """Whether the reader sent it."""
    may_confirm: bool
    """Whether the reader may confirm it."""
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
    """The bets of the round."""


class AccountChange(Wire, frozen=True):
    """A change of the balance of one account."""

    account: str
    before: int
    """The balance before, in cents."""
    after: int
    """The balance after, in cents."""


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
    """What would happen, in sentences."""
    before: RoundStatus | None = None
    """The round as it stands; null for a request that is not about a round."""
    after: RoundStatus | None = None
    """The round after the request took effect; null for a request that is not about a round."""
    money: tuple[AccountChange, ...] = ()
    """The accounts whose balance would change."""
    refused: Sentence | None = None
    """Why it would be refused now; null if it would not."""
    unforeseen: Unforeseen | None = None
    """Why the consequence could not be computed; null if it could."""
    files: tuple[str, ...] = ()
    """The files of the program that a release is about."""


class Titles(Wire, frozen=True):
    """How people are called, by the name they sign in with."""

    titles: dict[str, str]
    """The name shown to others, by sign-in name."""


class PersonCard(Wire, frozen=True):
    """A person with their roles."""

    person: str
    title: str
    roles: dict[str, Post]
    """The post by scope: `*` for the whole house, or a table."""
    active: bool
    """Whether the person is enabled."""
    sessions: int = 0
    """How many sessions the person has open."""


class SessionCard(Wire, frozen=True):
    """A session of a person."""

    slot: int
    created: int
    """When the session began, in milliseconds UTC."""
    seen: int
    """When the session was last used, in milliseconds UTC."""
    address: str = ""
    agent: str = ""
    """What the browser or program calls itself."""


class JournalPage(Wire, frozen=True):
    """A page of the journal."""

    entries: tuple[AnyEntry, ...]
    """The entries."""
    next: int
    """The version from which to ask for the next page: for entries after it, or before it if the latest were asked
    for."""
    versions: tuple[int, ...] = ()
    """The version of each entry, in the order of `entries`."""
    sentences: dict[int, str] = {}
    """The sentence of the refusal that an entry records, by the version of the entry, in the requested language."""


class GameCard(Wire, frozen=True):
    """A game as its file describes it, for felts, pay tables and rules."""

    key: str
    title: dict[str, str]
    """The name of the game by language."""
    fingerprint: str
    content: msgspec.Raw
    """The game as its file describes it, in canonical form."""
    paragraphs: dict[str, dict[str, str]]
    """The text of each paragraph by its number, in each language."""


class Health(Wire, frozen=True):
    """The health of the server and its tables."""

    ready: bool
    """Whether the server can write and is not closing."""
    tables: int
    """How many tables run."""
    failed: dict[str, str] = {}
    """The tables that stopped, each with the reason."""
    dead: tuple[str, ...] = ()
    """The tables that should deal by themselves and have sent no heartbeat for too long."""
    draining: bool = False
    """Whether the house is closing: it accepts no new rounds."""
    program: str = ""
    """The digest of the program's files when it started."""
    held: bool = False
    """Whether tables that deal by themselves open no round until the program is released."""
    differs: tuple[str, ...] = ()
    """Program files that differ from the record, or that nothing declares."""
    release: str = ""
    """The digest that a release must name."""
