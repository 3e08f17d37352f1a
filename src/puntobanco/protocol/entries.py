"""The book of the house: what happens beside the tables, as events in a stream of its own.

Who was admitted and may do what, which tables there are, what the cashier moved, who asked for a second person and who
that was, every sign-in, every refusal of access and every incident. No password, token or undealt card is ever in it.
"""

from collections.abc import Callable, Iterator
from typing import Any, assert_never

import msgspec
from msgspec.structs import replace

from puntobanco.house.tables.incidents import Incident
from puntobanco.ledger.accounts import Kind, Transfer, adjustments, cage
from puntobanco.protocol.account_names import drop_of, float_of, wallet
from puntobanco.protocol.posts import Person, Post
from puntobanco.table.authority import Confirmation
from puntobanco.table.tags import tag_of

STREAM = "house"
"""The name of its stream; no table may have it."""
VERSION = 1
MOST_ACKNOWLEDGED = 400
"""Acknowledgements of a table kept at hand; all are in the book."""
MOST_INCIDENTS = 200
"""Incidents kept at hand, the latest."""
COUNTS_TOGETHER = 86_400_000
"""Milliseconds for which what a cashier moves for a guest without a second person counts together."""


class Who(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who did it, as what, when and from where; `second`: who confirmed it."""

    person: str
    post: Post | None
    at: int
    address: str = ""
    request: str = ""
    second: str = ""
    confirmed: Confirmation | None = None
    """How the guest whose money it is confirmed it."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    by: Who


# ---- people ------------------------------------------------------------------------------------------------------


class PersonAdmitted(Entry, frozen=True, tag="PersonAdmitted"):
    person: str
    title: str


class RoleGiven(Entry, frozen=True, tag="RoleGiven"):
    person: str
    post: Post
    scope: str


class RoleTaken(Entry, frozen=True, tag="RoleTaken"):
    person: str
    scope: str


class PersonDisabled(Entry, frozen=True, tag="PersonDisabled"):
    person: str
    reason: str


class PersonEnabled(Entry, frozen=True, tag="PersonEnabled"):
    person: str


class PasswordSet(Entry, frozen=True, tag="PasswordSet"):
    """Only that it was; `once`: it must be changed at the first sign-in."""

    person: str
    once: bool = False


class ProofSet(Entry, frozen=True, tag="ProofSet"):
    """Only that the guest has a new PIN or card."""

    person: str
    how: Confirmation


class SignedIn(Entry, frozen=True, tag="SignedIn"):
    person: str
    slot: int = 0


class SignInRefused(Entry, frozen=True, tag="SignInRefused"):
    person: str
    reason: str


class SignedOut(Entry, frozen=True, tag="SignedOut"):
    person: str
    forced: bool = False


class AccessDenied(Entry, frozen=True, tag="AccessDenied"):
    """`times`: how often since it was last written."""

    what: str
    times: int = 1


# ---- tables and the house itself ---------------------------------------------------------------------------------


class GameAdded(Entry, frozen=True, tag="GameAdded"):
    """A game of the operator's own; its content is kept under its fingerprint."""

    game: str
    fingerprint: str


class TableAdded(Entry, frozen=True, tag="TableAdded"):
    table: str
    game: str
    fingerprint: str
    automatic: bool = False


class DealingSet(Entry, frozen=True, tag="DealingSet"):
    """Whether the table deals by itself from an electronic shoe."""

    table: str
    automatic: bool


class TableRetired(Entry, frozen=True, tag="TableRetired"):
    table: str
    last_round: int = 0
    """The round that became final with it, since none will follow."""


class TableFailed(Entry, frozen=True, tag="TableFailed"):
    table: str
    why: str


class TableRestarted(Entry, frozen=True, tag="TableRestarted"):
    """Somebody had a table that had failed started again; if it could not be, it has failed once more after this."""

    table: str


class IncidentRaised(Entry, frozen=True, tag="IncidentRaised"):
    """A fault of ours in handling one command; `house incident` sends it again to the state it was decided on."""

    number: int
    incident: Incident


class AlertAcknowledged(Entry, frozen=True, tag="AlertAcknowledged"):
    """Somebody has seen to an alert, named by the version of its event at the table, or to an incident."""

    table: str
    version: int
    incident: int = 0


class HouseOpened(Entry, frozen=True, tag="HouseOpened"):
    program: str
    digest: str


class HouseClosed(Entry, frozen=True, tag="HouseClosed"):
    """Left in good order: every table is between rounds, or is named."""

    in_round: tuple[str, ...] = ()


class ProgramChecked(Entry, frozen=True, tag="ProgramChecked"):
    """The files of the running program, looked at again."""

    program: str
    digest: str


class ProgramDiffers(Entry, frozen=True, tag="ProgramDiffers"):
    """The program is not what was recorded, or loads what nothing declares: dealing by the house is held. `files`: the
    digest of each by its path; `digest`: over all of them."""

    digest: str
    files: dict[str, str]


class ProgramReleased(Entry, frozen=True, tag="ProgramReleased"):
    """Two people have looked at what differs, and the house deals with it."""

    digest: str
    reason: str


class KeyRotated(Entry, frozen=True, tag="KeyRotated"):
    """The sealed rows are under a new key."""


class KeyLost(Entry, frozen=True, tag="KeyLost"):
    """The key of the sealed rows was declared lost: by the ids of the keys. Second factors are set up again."""

    keys: tuple[str, ...]


class ClockMoved(Entry, frozen=True, tag="ClockMoved"):
    """The machine's clock was set by so many milliseconds; the house's own went on as before."""

    by_ms: int


# ---- money -------------------------------------------------------------------------------------------------------


class Deposited(Entry, frozen=True, tag="Deposited"):
    person: str
    amount: int


class Withdrawn(Entry, frozen=True, tag="Withdrawn"):
    person: str
    amount: int


class FloatFilled(Entry, frozen=True, tag="FloatFilled"):
    table: str
    amount: int


class FloatCredited(Entry, frozen=True, tag="FloatCredited"):
    """Chips went back from the table to the cage."""

    table: str
    amount: int


class FloatCounted(Entry, frozen=True, tag="FloatCounted"):
    table: str
    counted: int
    booked: int


class DropCollected(Entry, frozen=True, tag="DropCollected"):
    """The cash in a table's drop box was counted and went to the cage; what differs is an adjustment."""

    table: str
    counted: int
    booked: int


class CashierBalanced(Entry, frozen=True, tag="CashierBalanced"):
    """What a cashier moved since they were last balanced, until they signed out, their last session ended otherwise or
    the house closed: sums by kind, in all and for each guest. `since`: when they first moved any of it."""

    person: str
    since: int
    sums: dict[str, int]
    guests: dict[str, dict[str, int]] = {}


class Adjusted(Entry, frozen=True, tag="Adjusted"):
    """A correction is a new entry, never a change of an old one."""

    account: str
    amount: int
    reason: str


# ---- second persons ----------------------------------------------------------------------------------------------


class SecondAsked(Entry, frozen=True, tag="SecondAsked"):
    """Held until somebody else confirms it. `table` is empty for the office's own; `command` as it was sent."""

    number: int
    table: str
    command: dict[str, Any]


class SecondGiven(Entry, frozen=True, tag="SecondGiven"):
    number: int
    refused: str = ""
    """The table refused it after all, and why."""
    parameters: dict[str, Any] = {}
    """What the sentence of that refusal names."""


class SecondDeclined(Entry, frozen=True, tag="SecondDeclined"):
    number: int
    reason: str


AnyEntry = (
    PersonAdmitted | RoleGiven | RoleTaken | PersonDisabled | PersonEnabled | PasswordSet | SignedIn | SignInRefused
    | SignedOut | AccessDenied | GameAdded | TableAdded | DealingSet | TableRetired | TableFailed | HouseOpened
    | HouseClosed | ClockMoved | Deposited | Withdrawn | FloatFilled | FloatCredited | FloatCounted | Adjusted
    | SecondAsked | SecondGiven | SecondDeclined | AlertAcknowledged | ProgramChecked | TableRestarted | IncidentRaised
    | ProgramDiffers | ProgramReleased | KeyRotated | KeyLost | ProofSet | DropCollected | CashierBalanced
)  # fmt: skip


class TableEntry(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    game: str
    fingerprint: str
    automatic: bool = False
    retired: bool = False


Sums = dict[str, int]
"""Cents by the kind of entry; adjustments that took away count against those that gave."""


class Till(msgspec.Struct, frozen=True, kw_only=True):
    """What a cashier has moved and not been balanced for."""

    since: int
    sums: Sums
    guests: dict[str, Sums]


class Alone(msgspec.Struct, frozen=True, kw_only=True):
    """What a cashier has moved for a guest without a second person, within a day since the first of it."""

    since: int
    sums: Sums


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """What waits for a second person, or for the guest whose money it is."""

    number: int
    table: str
    command: dict[str, Any]
    by: Who


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """The house as its book says it is."""

    version: int = 0
    people: dict[str, Person] = {}
    tables: dict[str, TableEntry] = {}
    games: dict[str, str] = {}
    """The fingerprint of each game of the operator's own."""
    acknowledged: dict[str, dict[int, Who]] = {}
    """Who has seen to which alert of which table."""
    incidents: dict[int, IncidentRaised] = {}
    incidents_seen: dict[int, Who] = {}
    """Who has seen to which incident."""
    counts: dict[str, FloatCounted] = {}
    """The last count of each table's float."""
    waiting: dict[int, Waiting] = {}
    asked: int = 0
    guests: dict[str, Sums] = {}
    """What was moved for each guest at the cage, ever."""
    tills: dict[str, Till] = {}
    alone: dict[tuple[str, str], Alone] = {}
    """By cashier and guest; signing out does not end it."""
    provers: dict[tuple[str, Confirmation], str] = {}
    """Who entered the PIN and the card of each guest."""
    programs: dict[str, str] = {}
    """The digest each version of the program had when it first opened the house."""
    differs: ProgramDiffers | None = None
    """What holds dealing by the house until it is released."""
    released: dict[str, str] = {}
    """The digest of each file that was released although it differed."""


def moved_alone(book: Book, by: Who, guest: str, kind: Kind) -> int:
    """What a cashier has moved for a guest without a second person, of what still counts."""
    return _alone(book, by, guest).sums.get(kind.value, 0)


def _alone(book: Book, by: Who, guest: str) -> Alone:
    before = book.alone.get((by.person, guest))
    counts = before is not None and by.at - before.since < COUNTS_TOGETHER
    return before if before is not None and counts else Alone(since=by.at, sums={})


def entered(book: Book, entry: AnyEntry) -> Book:
    """The book after that entry. It never refuses."""
    return replace(_entered(book, entry, _added), version=book.version + 1)


def reread(book: Book, kind: str, body: bytes) -> Book:
    """The same while a whole book is read from its beginning and nobody holds it yet: it is filled in place, and what
    changes nothing is not even looked into, so that years of sign-ins delay no opening."""
    after = book if kind in QUIET else _entered(book, decode(body), _filled)
    return replace(after, version=book.version + 1)


Put = Callable[[dict[Any, Any], Any, Any], dict[Any, Any]]


def _added(held: dict[Any, Any], name: Any, value: Any) -> dict[Any, Any]:
    return held | {name: value}


def _filled(held: dict[Any, Any], name: Any, value: Any) -> dict[Any, Any]:
    held[name] = value
    return held


def _entered(book: Book, entry: AnyEntry, put: Put) -> Book:  # noqa: PLR0912 (one arm a kind of entry)
    def with_person(person: Person) -> Book:
        return replace(book, people=put(book.people, person.name, person))

    def with_table(table: TableEntry) -> Book:
        return replace(book, tables=put(book.tables, table.name, table))

    match entry:
        case PersonAdmitted():
            return with_person(Person(name=entry.person, title=entry.title, roles={}))
        case RoleGiven():
            person = book.people[entry.person]
            return with_person(replace(person, roles=person.roles | {entry.scope: entry.post}))
        case RoleTaken():
            person = book.people[entry.person]
            kept = {scope: post for scope, post in person.roles.items() if scope != entry.scope}
            return with_person(replace(person, roles=kept))
        case PersonDisabled():
            return with_person(replace(book.people[entry.person], active=False))
        case PersonEnabled():
            return with_person(replace(book.people[entry.person], active=True))
        case GameAdded():
            return replace(book, games=put(book.games, entry.game, entry.fingerprint))
        case TableAdded():
            table = TableEntry(
                name=entry.table, game=entry.game, fingerprint=entry.fingerprint, automatic=entry.automatic
            )
            return with_table(table)
        case DealingSet():
            return with_table(replace(book.tables[entry.table], automatic=entry.automatic))
        case TableRetired():
            return with_table(replace(book.tables[entry.table], retired=True, automatic=False))
        case HouseOpened():
            return replace(book, programs={entry.program: entry.digest} | book.programs)
        case ProgramDiffers():
            return replace(book, differs=entry)
        case ProgramReleased():
            files = book.differs.files if book.differs is not None else {}
            return replace(book, differs=None, released=book.released | files)
        case SecondAsked():
            waiting = Waiting(number=entry.number, table=entry.table, command=entry.command, by=entry.by)
            return replace(book, waiting=put(book.waiting, entry.number, waiting), asked=entry.number)
        case IncidentRaised():
            return replace(book, incidents=_latest(book.incidents | {entry.number: entry}, MOST_INCIDENTS))
        case AlertAcknowledged() if entry.incident:
            known = _latest(book.incidents_seen | {entry.incident: entry.by}, MOST_INCIDENTS)
            return replace(book, incidents_seen=known)
        case AlertAcknowledged():
            seen = book.acknowledged.get(entry.table, {}) | {entry.version: entry.by}
            latest = _latest(seen, MOST_ACKNOWLEDGED)
            return replace(book, acknowledged=put(book.acknowledged, entry.table, latest))
        case FloatCounted():
            return replace(book, counts=put(book.counts, entry.table, entry))
        case Deposited() | Withdrawn() | FloatFilled() | FloatCredited() | DropCollected() | Adjusted():
            return _summed(book, entry, put)
        case ProofSet():
            return replace(book, provers=put(book.provers, (entry.person, entry.how), entry.by.person))
        case CashierBalanced():
            return replace(book, tills={who: till for who, till in book.tills.items() if who != entry.person})
        case SecondGiven() | SecondDeclined():
            left = {number: one for number, one in book.waiting.items() if number != entry.number}
            return replace(book, waiting=left)
        case (
            PasswordSet() | SignedIn() | SignInRefused() | SignedOut() | AccessDenied() | TableFailed() | HouseClosed()
            | ClockMoved() | ProgramChecked() | KeyRotated() | KeyLost() | TableRestarted()
        ):  # fmt: skip
            return book
        case _:
            assert_never(entry)


def _latest(held: dict[int, Any], most: int) -> dict[int, Any]:
    return dict(list(held.items())[-most:])


def _summed(
    book: Book, entry: Deposited | Withdrawn | FloatFilled | FloatCredited | DropCollected | Adjusted, put: Put
) -> Book:
    """What it comes to for the guest, and for the cashier who entered it."""
    kind, amount = _KINDS[type(entry)], entry.counted if isinstance(entry, DropCollected) else entry.amount
    guest = getattr(entry, "person", "") or getattr(entry, "account", "").partition("wallet:")[2]
    if guest:
        book = replace(book, guests=put(book.guests, guest, _plus(book.guests.get(guest, {}), kind, amount)))
    if entry.by.post is not Post.CASHIER:
        return book
    till = book.tills.get(entry.by.person) or Till(since=entry.by.at, sums={}, guests={})
    till = replace(till, sums=_plus(till.sums, kind, amount))
    if guest:
        till = replace(till, guests=till.guests | {guest: _plus(till.guests.get(guest, {}), kind, amount)})
    if guest and not entry.by.second:
        alone = _alone(book, entry.by, guest)
        alone = replace(alone, sums=_plus(alone.sums, kind, amount))
        book = replace(book, alone=put(book.alone, (entry.by.person, guest), alone))
    return replace(book, tills=put(book.tills, entry.by.person, till))


_KINDS: dict[type[Entry], Kind] = {
    Deposited: Kind.DEPOSIT, Withdrawn: Kind.WITHDRAWAL, FloatFilled: Kind.FILL, FloatCredited: Kind.CREDIT,
    DropCollected: Kind.DROP, Adjusted: Kind.ADJUSTMENT,
}  # fmt: skip


def _plus(sums: Sums, kind: Kind, amount: int) -> Sums:
    return sums | {kind.value: sums.get(kind.value, 0) + amount}


def moved(entry: AnyEntry) -> Iterator[Transfer]:
    """What an entry moves between accounts; most move nothing."""
    match entry:
        case Deposited():
            yield Transfer(Kind.DEPOSIT, cage, wallet(entry.person), entry.amount)
        case Withdrawn():
            yield Transfer(Kind.WITHDRAWAL, wallet(entry.person), cage, entry.amount)
        case FloatFilled():
            yield Transfer(Kind.FILL, cage, float_of(entry.table), entry.amount)
        case FloatCredited():
            yield Transfer(Kind.CREDIT, float_of(entry.table), cage, entry.amount)
        case DropCollected():
            drop, short = drop_of(entry.table), entry.booked - entry.counted
            yield Transfer(Kind.DROP, drop, cage, entry.counted)
            if short > 0:
                yield Transfer(Kind.ADJUSTMENT, drop, adjustments, short)
            elif short < 0:
                yield Transfer(Kind.ADJUSTMENT, adjustments, drop, -short)
        case Adjusted() if entry.amount > 0:
            yield Transfer(Kind.ADJUSTMENT, adjustments, entry.account, entry.amount)
        case Adjusted():
            yield Transfer(Kind.ADJUSTMENT, entry.account, adjustments, -entry.amount)
        case _:
            return


_encoder = msgspec.json.Encoder(order="deterministic")
_entries: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)


def kind_of(entry: AnyEntry) -> str:
    return f"{tag_of(type(entry))}.{VERSION}"


QUIET: frozenset[str] = frozenset(
    f"{tag_of(kind)}.{VERSION}"
    for kind in (
        PasswordSet, SignedIn, SignInRefused, SignedOut, AccessDenied, TableFailed, HouseClosed, ClockMoved,
        ProgramChecked, KeyRotated, KeyLost, TableRestarted,
    )
)  # fmt: skip
"""Entries that tell what happened and change nothing in the book itself."""


def encode(entry: AnyEntry) -> bytes:
    return _encoder.encode(entry)


def decode(body: bytes) -> AnyEntry:
    entry: AnyEntry = _entries.decode(body)
    return entry
