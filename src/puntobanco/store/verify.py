"""Prove a store: every chain recomputed, every version there, every cent accounted for.

The store must be at rest, or be a backup: what is appended meanwhile would look like a fault. What the events of a
stream mean is not the store's to know: readers say which postings each event must have, and what else is wrong.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import msgspec

from puntobanco.ledger.accounts import Transfer
from puntobanco.store.records import GENESIS, NEVER_NEGATIVE, Posting, Row, Snapshot, Store, chained


class Fault(msgspec.Struct, frozen=True):
    """The first thing that is wrong, and where. An account is named by the last posting that touched it."""

    stream: str
    version: int
    what: str

    def __str__(self) -> str:
        return f"stream {self.stream}, version {self.version}: {self.what}"


class Proof(msgspec.Struct, frozen=True):
    """What was walked, and the first fault if there is one."""

    streams: int
    events: int
    postings: int
    fault: Fault | None = None
    heads: dict[str, str] = {}
    """The last hash of each stream: kept elsewhere too, it shows that a history is still the one it was."""


class Wrong(Exception):
    """What a reader finds wrong with the event it is at."""


class Reader(Protocol):
    """Reads one stream from its first event to its last; raises `Wrong` at what may not be."""

    def take(self, row: Row) -> Iterable[Transfer]:
        """What this event moves, in order."""
        ...

    def end(self, in_play: int) -> None:
        """The stream is read, and says that so much lies on the layout."""
        ...


Readers = Callable[[str, Snapshot | None], Reader]
"""Who reads a stream of that name, which has that snapshot."""


class _Found(Exception):
    def __init__(self, stream: str, version: int, what: str) -> None:
        self.fault = Fault(stream, version, what)


async def verify(store: Store, readers: Readers | None = None) -> Proof:
    streams = await store.streams()
    events = postings = 0
    heads: dict[str, int] = {}
    hashes: dict[str, str] = {}
    owed = _Owed() if readers else None
    try:
        for stream in streams:
            reader = readers(stream, await store.snapshot(stream)) if readers else None
            heads[stream] = await _chain(store, stream, reader, owed)
            events += heads[stream]
            hashes[stream] = (await store.head(stream))[1].hex()
        postings = await _money(store, heads, owed)
    except _Found as found:
        return Proof(len(streams), events, postings, found.fault, hashes)
    return Proof(len(streams), events, postings, None, hashes)


async def _chain(store: Store, stream: str, reader: Reader | None, owed: "_Owed | None") -> int:
    """The number of events, each following the one before it, the last being the head."""
    version, head = 0, GENESIS
    try:
        async for row in store.read(stream):
            version += 1
            if row.version != version:
                raise Wrong(f"the event is missing, the next is {row.version}")
            head = chained(head, row.kind, row.at, row.body)
            if row.hash != head:
                raise Wrong("the hash is not that of the event and the hash before it")
            if reader is not None and owed is not None:
                owed.note(stream, version, reader.take(row))
        written, kept = await store.head(stream)
        if written > version:
            version += 1
            raise Wrong(f"the event is missing, the stream was written to {written}")
        if (written, kept) != (version, head):
            raise Wrong(f"the stream says that version {written} is its last, with another hash")
        if reader is not None:
            reader.end(await store.in_play(stream))
    except Wrong as wrong:
        raise _Found(stream, version, str(wrong)) from None
    return version


class _Owed:
    """Which postings each event must have: for each version a digest of them, since there may be millions."""

    def __init__(self) -> None:
        self._owed: dict[str, array[int]] = {}
        self._at: dict[str, tuple[int, list[object]]] = {}

    def note(self, stream: str, version: int, transfers: Iterable[Transfer]) -> None:
        moved = [(str(one.kind), one.source, one.target, one.amount) for one in transfers]
        owed = self._owed.setdefault(stream, array("q", [0]))
        assert version == len(owed), "events are noted in order"
        owed.append(_digest(moved))

    def found(self, one: Posting) -> None:
        """Postings of a stream come in the order of its events."""
        version, moved = self._at.get(one.stream, (0, []))
        if one.version != version:
            self._close(one.stream, version, moved, one.version)
            version, moved = one.version, []
            self._at[one.stream] = (version, moved)
        moved.append((one.kind, one.source, one.target, one.amount))

    def end(self) -> None:
        for stream, owed in self._owed.items():
            self._close(stream, *self._at.get(stream, (0, [])), len(owed))

    def _close(self, stream: str, version: int, moved: list[object], until: int) -> None:
        """That is all for this version, and what was skipped has none."""
        owed = self._owed[stream]
        if _digest(moved) != owed[version]:
            raise _Found(stream, version, "its postings are not what the event moves")
        for between in range(version + 1, until):
            if owed[between]:
                raise _Found(stream, between, "its postings are not what the event moves")
        if until < version:
            raise _Found(stream, until, "a posting was written after those of a later event")


def _digest(moved: Sequence[object]) -> int:
    """Of this process only: the hash of strings is salted, so nobody can aim at it."""
    return hash(tuple(moved)) or 1 if moved else 0


async def _money(store: Store, heads: dict[str, int], owed: _Owed | None) -> int:
    """The number of postings; they add up to the balances, and the balances to nothing."""
    held: dict[str, int] = {}
    last: dict[str, Posting] = {}
    count = before = 0
    async for one in store.postings():
        count += 1
        if one.id <= before:
            raise _Found(one.stream, one.version, f"posting {one.id} comes after posting {before}")
        before = one.id
        if one.stream not in heads or not 1 <= one.version <= heads[one.stream]:
            raise _Found(one.stream, one.version, f"posting {one.id} belongs to no event")
        if owed is not None:
            owed.found(one)
        for account, change in ((one.source, -one.amount), (one.target, one.amount)):
            held[account] = held.get(account, 0) + change
            last[account] = one
    if owed is not None:
        owed.end()
    balances = await store.balances()
    for account in sorted(held.keys() | balances.keys()):
        if held.get(account, 0) != balances.get(account, 0):
            stream, version = _place(account, last, heads)
            what = f"{account} holds {balances.get(account, 0)}, its postings come to {held.get(account, 0)}"
            raise _Found(stream, version, what)
        if account.startswith(NEVER_NEGATIVE) and held.get(account, 0) < 0:
            raise _Found(*_place(account, last, heads), f"{account} is negative")
    if total := sum(balances.values()):
        raise _Found("", 0, f"all accounts together hold {total}, not nothing")
    for stream, version in heads.items():
        in_play, stakes = await store.in_play(stream), balances.get(f"stakes:{stream}", 0)
        if in_play != stakes:
            raise _Found(stream, version, f"{in_play} lies on the layout, the account of stakes holds {stakes}")
    return count


def _place(account: str, last: dict[str, Posting], heads: dict[str, int]) -> tuple[str, int]:
    if account in last:
        return last[account].stream, last[account].version
    stream = account.partition(":")[2].partition(":")[0]
    return (stream, heads[stream]) if stream in heads else ("", 0)
