"""The book of the house: what happens beside the tables, as events in a stream of its own.

Who was admitted and may do what, which tables there are, what the cashier moved, who asked for a second person and who
that was, every sign-in and every refusal of access. No password, token or card is ever in it.
"""

from collections.abc import Callable, Iterator
from typing import Any, assert_never

import msgspec
from msgspec.structs import replace

from puntobanco.house.accounts import float_of, wallet
from puntobanco.house.people import Person, Post
from puntobanco.ledger.accounts import Kind, Transfer, adjustments, cage

STREAM = "house"
"""The name of its stream; no table may have it."""
VERSION = 1
MOST_ACKNOWLEDGED = 400
"""Acknowledgements of a table kept at hand; all are in the book."""


class Who(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who did it, as what, when and from where; `second`: who confirmed it."""

    person: str
    post: Post | None
    at: int
    address: str = ""
    request: str = ""
    second: str = ""


class Entry(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    by: Who


# ---- people ------------------------------------------------------------------------------------------------------


class PersonAdmitted(Entry, frozen=True):
    person: str
    title: str


class RoleGiven(Entry, frozen=True):
    person: str
    post: Post
    scope: str


class RoleTaken(Entry, frozen=True):
    person: str
    scope: str


class PersonDisabled(Entry, frozen=True):
    person: str
    reason: str


class PersonEnabled(Entry, frozen=True):
    person: str


class PasswordSet(Entry, frozen=True):
    """Only that it was; `once`: it must be changed at the first sign-in."""

    person: str
    once: bool = False


class SignedIn(Entry, frozen=True):
    person: str
    slot: int = 0


class SignInRefused(Entry, frozen=True):
    person: str
    reason: str


class SignedOut(Entry, frozen=True):
    person: str
    forced: bool = False


class AccessDenied(Entry, frozen=True):
    """`times`: how often since it was last written."""

    what: str
    times: int = 1


# ---- tables and the house itself ---------------------------------------------------------------------------------


class GameAdded(Entry, frozen=True):
    """A game of the operator's own; its content is kept under its fingerprint."""

    game: str
    fingerprint: str


class TableAdded(Entry, frozen=True):
    table: str
    game: str
    fingerprint: str
    automatic: bool = False


class DealingSet(Entry, frozen=True):
    """Whether the table deals by itself from an electronic shoe."""

    table: str
    automatic: bool


class TableRetired(Entry, frozen=True):
    table: str


class TableFailed(Entry, frozen=True):
    table: str
    why: str


class TableRestarted(Entry, frozen=True):
    """Somebody had a table that had failed started again; if it could not be, it has failed once more after this."""

    table: str


class AlertAcknowledged(Entry, frozen=True):
    """Somebody has seen to an alert, named by the version of its event at the table."""

    table: str
    version: int


class HouseOpened(Entry, frozen=True):
    program: str
    digest: str


class HouseClosed(Entry, frozen=True):
    """Left in good order: every table is between rounds, or is named."""

    in_round: tuple[str, ...] = ()


class ProgramChecked(Entry, frozen=True):
    """The files of the running program, looked at again."""

    program: str
    digest: str


class ClockMoved(Entry, frozen=True):
    """The machine's clock was set by so many milliseconds; the house's own went on as before."""

    by_ms: int


# ---- money -------------------------------------------------------------------------------------------------------


class Deposited(Entry, frozen=True):
    person: str
    amount: int


class Withdrawn(Entry, frozen=True):
    person: str
    amount: int


class FloatFilled(Entry, frozen=True):
    table: str
    amount: int


class FloatCredited(Entry, frozen=True):
    """Chips went back from the table to the cage."""

    table: str
    amount: int


class FloatCounted(Entry, frozen=True):
    table: str
    counted: int
    booked: int


class Adjusted(Entry, frozen=True):
    """A correction is a new entry, never a change of an old one."""

    account: str
    amount: int
    reason: str


# ---- second persons ----------------------------------------------------------------------------------------------


class SecondAsked(Entry, frozen=True):
    """Held until somebody else confirms it. `table` is empty for the office's own; `command` as it was sent."""

    number: int
    table: str
    command: dict[str, Any]


class SecondGiven(Entry, frozen=True):
    number: int
    refused: str = ""
    """The table refused it after all, and why."""


class SecondDeclined(Entry, frozen=True):
    number: int
    reason: str


AnyEntry = (
    PersonAdmitted | RoleGiven | RoleTaken | PersonDisabled | PersonEnabled | PasswordSet | SignedIn | SignInRefused
    | SignedOut | AccessDenied | GameAdded | TableAdded | DealingSet | TableRetired | TableFailed | HouseOpened
    | HouseClosed | ClockMoved | Deposited | Withdrawn | FloatFilled | FloatCredited | FloatCounted | Adjusted
    | SecondAsked | SecondGiven | SecondDeclined | AlertAcknowledged | ProgramChecked | TableRestarted
)  # fmt: skip


class TableEntry(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    game: str
    fingerprint: str
    automatic: bool = False
    retired: bool = False


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """What waits for a second person."""

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
    counts: dict[str, FloatCounted] = {}
    """The last count of each table's float."""
    waiting: dict[int, Waiting] = {}
    asked: int = 0
    programs: dict[str, str] = {}
    """The digest each version of the program had when it first opened the house."""


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
        case SecondAsked():
            waiting = Waiting(number=entry.number, table=entry.table, command=entry.command, by=entry.by)
            return replace(book, waiting=put(book.waiting, entry.number, waiting), asked=entry.number)
        case AlertAcknowledged():
            seen = book.acknowledged.get(entry.table, {}) | {entry.version: entry.by}
            latest = dict(list(seen.items())[-MOST_ACKNOWLEDGED:])
            return replace(book, acknowledged=put(book.acknowledged, entry.table, latest))
        case FloatCounted():
            return replace(book, counts=put(book.counts, entry.table, entry))
        case SecondGiven() | SecondDeclined():
            left = {number: one for number, one in book.waiting.items() if number != entry.number}
            return replace(book, waiting=left)
        case (
            PasswordSet() | SignedIn() | SignInRefused() | SignedOut() | AccessDenied() | TableFailed() | HouseClosed()
            | ClockMoved() | Deposited() | Withdrawn() | FloatFilled() | FloatCredited() | Adjusted() | ProgramChecked()
            | TableRestarted()
        ):  # fmt: skip
            return book
        case _:
            assert_never(entry)


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
        case Adjusted() if entry.amount > 0:
            yield Transfer(Kind.ADJUSTMENT, adjustments, entry.account, entry.amount)
        case Adjusted():
            yield Transfer(Kind.ADJUSTMENT, entry.account, adjustments, -entry.amount)
        case _:
            return


_encoder = msgspec.json.Encoder(order="deterministic")
_entries: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)


def kind_of(entry: AnyEntry) -> str:
    return f"{type(entry).__name__}.{VERSION}"


QUIET: frozenset[str] = frozenset(
    f"{kind.__name__}.{VERSION}"
    for kind in (
        PasswordSet, SignedIn, SignInRefused, SignedOut, AccessDenied, TableFailed, HouseClosed, ClockMoved, Deposited,
        Withdrawn, FloatFilled, FloatCredited, Adjusted, ProgramChecked, TableRestarted,
    )
)  # fmt: skip
"""Entries that tell what happened and change nothing in the book itself."""


def encode(entry: AnyEntry) -> bytes:
    return _encoder.encode(entry)


def decode(body: bytes) -> AnyEntry:
    entry: AnyEntry = _entries.decode(body)
    return entry
