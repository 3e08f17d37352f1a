"""The journal as state: the result of all its entries, and the money they move.

`entered` applies one entry and never refuses. The entries themselves are in `protocol.entries`.
"""

from collections.abc import Callable, Iterator
from typing import Any, assert_never

import msgspec
from msgspec.structs import replace

from puntobanco.ledger.accounts import Transfer, TransferKind, adjustments, cage
from puntobanco.protocol import entries as b
from puntobanco.protocol.account_names import drop_of, float_of, wallet
from puntobanco.protocol.entries import AnyEntry, Who
from puntobanco.protocol.posts import Person, Post
from puntobanco.table.authority import Confirmation
from puntobanco.table.tags import tag_of

MOST_ACKNOWLEDGED = 400
"""Acknowledgements of a table kept at hand; all are in the journal."""


MOST_INCIDENTS = 200
"""Incidents and failures kept at hand, the latest."""


COUNTS_TOGETHER = 86_400_000
"""Milliseconds for which what a cashier moves for a guest without a second person counts together."""


class TableEntry(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    game: str
    fingerprint: str
    automatic: bool = False
    retired: bool = False


Sums = dict[str, int]
"""Cents by the kind of entry; adjustments that took away count against those that gave."""


class Till(msgspec.Struct, frozen=True, kw_only=True):
    """What a cashier has moved since they were last balanced."""

    since: int
    sums: Sums
    guests: dict[str, Sums]


class UnconfirmedSum(msgspec.Struct, frozen=True, kw_only=True):
    """What a cashier has moved for a guest without a second person, within a day of the first of these entries."""

    since: int
    sums: Sums


class PendingConfirmation(msgspec.Struct, frozen=True, kw_only=True):
    """A request that waits for a second person, or for the guest whose money it moves. `entry`: the version of
    its entry."""

    number: int
    entry: int
    table: str
    command: dict[str, Any]
    by: Who

    @property
    def at_table(self) -> str:
        """The table it is about: an administrative command may name one."""
        return self.table or self.command.get("table", "")


class Journal(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the house according to its journal."""

    version: int = 0
    people: dict[str, Person] = {}
    tables: dict[str, TableEntry] = {}
    games: dict[str, str] = {}
    """The fingerprint of each game of the operator's own."""
    acknowledged: dict[str, dict[int, Who]] = {}
    """Who has seen to which alert of which table."""
    incidents: dict[int, b.IncidentRaised] = {}
    incidents_seen: dict[int, Who] = {}
    """Who has seen to which incident."""
    failures: dict[int, b.TableFailed] = {}
    """Tables that failed, the latest, by the version of the entry."""
    entries_seen: dict[int, Who] = {}
    """Who has seen to which entry."""
    counts: dict[str, b.FloatCounted] = {}
    """The last count of each table's float."""
    waiting: dict[int, PendingConfirmation] = {}
    asked: int = 0
    guests: dict[str, Sums] = {}
    """What was moved for each guest at the cage, ever."""
    tills: dict[str, Till] = {}
    alone: dict[tuple[str, str], UnconfirmedSum] = {}
    """By cashier and guest; signing out does not end it."""
    provers: dict[tuple[str, Confirmation], str] = {}
    """Who entered the PIN and the card of each guest."""
    programs: dict[str, str] = {}
    """The digest each version of the program had when it first opened the house."""
    differs: b.ProgramDiffers | None = None
    """What holds dealing by the house until it is released."""
    released: dict[str, str] = {}
    """The digest of each file that was released although it differed."""


def moved_alone(journal: Journal, by: Who, guest: str, kind: TransferKind) -> int:
    """What a cashier has moved for a guest without a second person, as far as it still counts."""
    return _alone(journal, by, guest).sums.get(kind.value, 0)


def _alone(journal: Journal, by: Who, guest: str) -> UnconfirmedSum:
    before = journal.alone.get((by.person, guest))
    counts = before is not None and by.at - before.since < COUNTS_TOGETHER
    return before if before is not None and counts else UnconfirmedSum(since=by.at, sums={})


def entered(journal: Journal, entry: AnyEntry) -> Journal:
    """The journal after that entry. Never refuses."""
    return replace(_entered(journal, entry, _added), version=journal.version + 1)


def reread(journal: Journal, kind: str, body: bytes) -> Journal:
    """Like `entered`, to read a whole journal that nothing else uses yet: it is changed in place, and entries that
    change nothing are not decoded, so that years of sign-ins do not delay a start."""
    after = journal if kind in _QUIET else _entered(journal, b.decode(body), _filled)
    return replace(after, version=journal.version + 1)


QUIET = (
    b.PasswordSet, b.SignedIn, b.SignInRefused, b.SignedOut, b.AccessDenied, b.HouseClosed,
    b.ClockMoved, b.ProgramChecked, b.KeyRotated, b.KeyLost, b.TableRestarted,
)  # fmt: skip
"""Entries that change nothing in the journal's state."""
_QUIET = frozenset(f"{tag_of(kind)}.{b.VERSION}" for kind in QUIET)


Put = Callable[[dict[Any, Any], Any, Any], dict[Any, Any]]


def _added(held: dict[Any, Any], name: Any, value: Any) -> dict[Any, Any]:
    return held | {name: value}


def _filled(held: dict[Any, Any], name: Any, value: Any) -> dict[Any, Any]:
    held[name] = value
    return held


def _entered(journal: Journal, entry: AnyEntry, put: Put) -> Journal:  # noqa: PLR0912 (one arm a kind of entry)
    def with_person(person: Person) -> Journal:
        return replace(journal, people=put(journal.people, person.name, person))

    def with_table(table: TableEntry) -> Journal:
        return replace(journal, tables=put(journal.tables, table.name, table))

    if isinstance(entry, QUIET):
        return journal
    match entry:
        case b.PersonAdmitted():
            return with_person(Person(name=entry.person, title=entry.title, roles={}))
        case b.RoleGiven():
            person = journal.people[entry.person]
            return with_person(replace(person, roles=person.roles | {entry.scope: entry.post}))
        case b.RoleTaken():
            person = journal.people[entry.person]
            kept = {scope: post for scope, post in person.roles.items() if scope != entry.scope}
            return with_person(replace(person, roles=kept))
        case b.PersonDisabled():
            return with_person(replace(journal.people[entry.person], active=False))
        case b.PersonEnabled():
            return with_person(replace(journal.people[entry.person], active=True))
        case b.GameAdded():
            return replace(journal, games=put(journal.games, entry.game, entry.fingerprint))
        case b.TableAdded():
            table = TableEntry(
                name=entry.table, game=entry.game, fingerprint=entry.fingerprint, automatic=entry.automatic
            )
            return with_table(table)
        case b.DealingSet():
            return with_table(replace(journal.tables[entry.table], automatic=entry.automatic))
        case b.TableRetired():
            return with_table(replace(journal.tables[entry.table], retired=True, automatic=False))
        case b.HouseOpened():
            return replace(journal, programs={entry.program: entry.digest} | journal.programs)
        case b.ProgramDiffers():
            return replace(journal, differs=entry)
        case b.ProgramReleased():
            files = journal.differs.files if journal.differs is not None else {}
            return replace(journal, differs=None, released=journal.released | files)
        case b.SecondAsked():
            waiting = PendingConfirmation(
                number=entry.number, entry=journal.version + 1, table=entry.table, command=entry.command, by=entry.by
            )
            return replace(journal, waiting=put(journal.waiting, entry.number, waiting), asked=entry.number)
        case b.IncidentRaised():
            return replace(journal, incidents=_latest(journal.incidents | {entry.number: entry}, MOST_INCIDENTS))
        case b.TableFailed():
            failures = journal.failures | {journal.version + 1: entry}
            return replace(journal, failures=_latest(failures, MOST_INCIDENTS))
        case b.AlertAcknowledged() if entry.entry:
            known = _latest(journal.entries_seen | {entry.entry: entry.by}, MOST_INCIDENTS)
            return replace(journal, entries_seen=known)
        case b.AlertAcknowledged() if entry.incident:
            known = _latest(journal.incidents_seen | {entry.incident: entry.by}, MOST_INCIDENTS)
            return replace(journal, incidents_seen=known)
        case b.AlertAcknowledged():
            seen = journal.acknowledged.get(entry.table, {}) | {entry.version: entry.by}
            latest = _latest(seen, MOST_ACKNOWLEDGED)
            return replace(journal, acknowledged=put(journal.acknowledged, entry.table, latest))
        case b.FloatCounted():
            return replace(journal, counts=put(journal.counts, entry.table, entry))
        case b.Deposited() | b.Withdrawn() | b.FloatFilled() | b.FloatCredited() | b.DropCollected() | b.Adjusted():
            return _summed(journal, entry, put)
        case b.ProofSet():
            return replace(journal, provers=put(journal.provers, (entry.person, entry.how), entry.by.person))
        case b.CashierBalanced():
            return replace(journal, tills={who: till for who, till in journal.tills.items() if who != entry.person})
        case b.SecondGiven() | b.SecondDeclined():
            left = {number: one for number, one in journal.waiting.items() if number != entry.number}
            return replace(journal, waiting=left)
        case _:
            assert_never(entry)


def _latest(held: dict[int, Any], most: int) -> dict[int, Any]:
    return dict(list(held.items())[-most:])


def _summed(
    journal: Journal,
    entry: b.Deposited | b.Withdrawn | b.FloatFilled | b.FloatCredited | b.DropCollected | b.Adjusted,
    put: Put,
) -> Journal:
    """The sums of the guest and of the cashier after the entry."""
    kind, amount = _KINDS[type(entry)], entry.counted if isinstance(entry, b.DropCollected) else entry.amount
    guest = getattr(entry, "person", "") or getattr(entry, "account", "").partition("wallet:")[2]
    if guest:
        journal = replace(
            journal, guests=put(journal.guests, guest, _plus(journal.guests.get(guest, {}), kind, amount))
        )
    if entry.by.post is not Post.CASHIER:
        return journal
    till = journal.tills.get(entry.by.person) or Till(since=entry.by.at, sums={}, guests={})
    till = replace(till, sums=_plus(till.sums, kind, amount))
    if guest:
        till = replace(till, guests=till.guests | {guest: _plus(till.guests.get(guest, {}), kind, amount)})
    if guest and not entry.by.second:
        alone = _alone(journal, entry.by, guest)
        alone = replace(alone, sums=_plus(alone.sums, kind, amount))
        journal = replace(journal, alone=put(journal.alone, (entry.by.person, guest), alone))
    return replace(journal, tills=put(journal.tills, entry.by.person, till))


_KINDS: dict[type[b.Entry], TransferKind] = {
    b.Deposited: TransferKind.DEPOSIT,
    b.Withdrawn: TransferKind.WITHDRAWAL,
    b.FloatFilled: TransferKind.FILL,
    b.FloatCredited: TransferKind.CREDIT,
    b.DropCollected: TransferKind.DROP,
    b.Adjusted: TransferKind.ADJUSTMENT,
}


def _plus(sums: Sums, kind: TransferKind, amount: int) -> Sums:
    return sums | {kind.value: sums.get(kind.value, 0) + amount}


def moved(entry: AnyEntry) -> Iterator[Transfer]:
    """The transfers of an entry; most have none."""
    match entry:
        case b.Deposited():
            yield Transfer(TransferKind.DEPOSIT, cage, wallet(entry.person), entry.amount)
        case b.Withdrawn():
            yield Transfer(TransferKind.WITHDRAWAL, wallet(entry.person), cage, entry.amount)
        case b.FloatFilled():
            yield Transfer(TransferKind.FILL, cage, float_of(entry.table), entry.amount)
        case b.FloatCredited():
            yield Transfer(TransferKind.CREDIT, float_of(entry.table), cage, entry.amount)
        case b.DropCollected():
            drop, short = drop_of(entry.table), entry.booked - entry.counted
            yield Transfer(TransferKind.DROP, drop, cage, entry.counted)
            if short > 0:
                yield Transfer(TransferKind.ADJUSTMENT, drop, adjustments, short)
            elif short < 0:
                yield Transfer(TransferKind.ADJUSTMENT, adjustments, drop, -short)
        case b.Adjusted() if entry.amount > 0:
            yield Transfer(TransferKind.ADJUSTMENT, adjustments, entry.account, entry.amount)
        case b.Adjusted():
            yield Transfer(TransferKind.ADJUSTMENT, entry.account, adjustments, -entry.amount)
        case _:
            return
