"""Verify a store: recompute every chain, check every version, account for every cent.

The store must not be in use, or be a backup: an append during verification would look like a fault. The store does not
know what events mean: readers say which postings each event must have, and what else is wrong.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Protocol

import msgspec

from puntobanco.ledger.accounts import Transfer, TransferKind
from puntobanco.rules import library
from puntobanco.rules.refusal import Refused
from puntobanco.store.base import Store
from puntobanco.store.records import GENESIS, NEVER_NEGATIVE, SOURCE, Posting, Row, Snapshot, StoreFailed, chained


class Discrepancy(msgspec.Struct, frozen=True):
    """The first fault, and where it is. A fault in an account is at the last posting that touched it; a fault in a row
    outside the streams is named by table and key. Without a stream it concerns the whole store."""

    stream: str
    version: int
    what: str
    table: str = ""
    key: str = ""

    def __str__(self) -> str:
        if self.table:
            return f"table {self.table}, row {self.key}: {self.what}"
        if not self.stream:
            return self.what
        return f"stream {self.stream}, version {self.version}: {self.what}"


class Verification(msgspec.Struct, frozen=True):
    """What was verified, and the first fault if there is one."""

    streams: int
    events: int
    postings: int
    fault: Discrepancy | None = None
    heads: dict[str, str] = {}
    """The last hash of each stream. Keep it elsewhere too: it proves that a history is unchanged."""


class Wrong(Exception):
    """Raised by a reader for the current event, or for an earlier one."""

    def __init__(self, what: str, version: int | None = None) -> None:
        super().__init__(what)
        self.version = version


class Reader(Protocol):
    """Reads one stream from first to last event and raises `Wrong` at the first fault."""

    def take(self, row: Row) -> Iterable[Transfer]:
        """The transfers of this event, in order."""
        ...

    def end(self, in_play: int) -> None:
        """The stream ends, with this much money on the layout."""
        ...

    @property
    def wants(self) -> bool:
        """Whether the reader must look something up in the store before the next event."""
        ...

    async def look_up(self) -> None: ...


Readers = Callable[[str, Snapshot | None, Mapping[str, bytes]], Reader]
"""Returns the reader of a stream, given its name, its snapshot and the contents of games by fingerprint."""


Watch = Callable[[str, int, int], None]
"""Called from time to time with the stream being read, the events done and the total."""
KINDS = frozenset(str(kind) for kind in TransferKind)
TOLD_EVERY = 5_000
"""Events between two calls of the watch."""


class _Found(Exception):
    def __init__(self, stream: str, version: int, what: str, table: str = "", key: str = "") -> None:
        self.fault = Discrepancy(stream, version, what, table, key)


async def verify(
    store: Store, readers: Readers | None = None, watch: Watch | None = None, *, first: str = ""
) -> Verification:
    """`first`: the stream to read before all others."""
    streams = sorted(await store.streams(), key=lambda stream: stream != first)
    events = postings = 0
    heads: dict[str, int] = {}
    hashes: dict[str, str] = {}
    owed = _Owed() if readers else None
    games = await store.games() if readers else {}
    try:
        total = sum([(await store.head(stream))[0] for stream in streams]) if watch else 0
        _check_games(games)
        for stream in streams:
            reader = readers(stream, await store.snapshot(stream), games) if readers else None

            def told(many: int, stream: str = stream, before: int = events) -> None:
                if watch is not None:
                    watch(stream, before + many, total)

            heads[stream] = await _chain(store, stream, reader, owed, told)
            events += heads[stream]
            hashes[stream] = (await store.head(stream))[1].hex()
        if (stray := await store.stray()) is not None:
            raise _Found(*stray, "the event belongs to no stream")
        postings = await _money(store, heads, owed)
        await _rows(store)
    except _Found as found:
        return Verification(len(streams), events, postings, found.fault, hashes)
    except StoreFailed:
        raise
    except Exception as error:  # what no store has written can be anything
        return Verification(len(streams), events, postings, Discrepancy("", 0, _unreadable(error)), hashes)
    return Verification(len(streams), events, postings, None, hashes)


async def _chain(
    store: Store, stream: str, reader: Reader | None, owed: "_Owed | None", told: Callable[[int], None]
) -> int:
    """The number of events. Checks that each follows the one before, and that the last is the head."""
    version, head = 0, GENESIS
    try:
        async for row in store.read(stream):
            version += 1
            if row.version != version:
                raise Wrong(f"the event is missing; the next version is {row.version}")
            head = chained(head, row.kind, row.at, row.body)
            if row.hash != head:
                raise Wrong("the hash does not match the event and the hash before it")
            if reader is not None and owed is not None:
                owed.note(stream, version, reader.take(row))
                if reader.wants:
                    await reader.look_up()
            if version % TOLD_EVERY == 0:
                told(version)
        written, kept = await store.head(stream)
        if written > version:
            version += 1
            raise Wrong(f"the event is missing; the stream's last version is {written}")
        if (written, kept) != (version, head):
            raise Wrong(f"the stream's head has version {written} and another hash")
        if reader is not None:
            reader.end(await store.in_play(stream))
    except Wrong as wrong:
        raise _Found(stream, wrong.version or version, str(wrong)) from None
    except StoreFailed:
        raise
    except Exception as error:
        raise _Found(stream, version, _unreadable(error)) from None
    return version


def _unreadable(error: Exception) -> str:
    return f"it cannot be read: {type(error).__name__}: {error}"


class _Owed:
    """The postings that each event must have, kept as one digest per version, because there may be millions."""

    def __init__(self) -> None:
        self._owed: dict[str, array[int]] = {}
        self._at: dict[str, tuple[int, int]] = {}
        """The version each stream's postings have reached, and the digest of that version's postings so far."""
        self._stream, self._version, self._digest = "", 0, 0
        """The same for the current stream. A digest covers the postings so far and is never zero. The hash of strings
        is salted, so nobody can aim at a collision."""

    def note(self, stream: str, version: int, transfers: Iterable[Transfer]) -> None:
        owed = self._owed.get(stream)
        if owed is None:
            owed = self._owed[stream] = array("q", [0])
        assert version == len(owed), "events are noted in order"
        digest = 0
        for one in transfers:
            digest = hash((digest, one.kind, one.source, one.target, one.amount)) or 1
        owed.append(digest)

    def begin(self, stream: str, version: int) -> None:
        """The next postings are of this event; those of a stream come in the order of its events."""
        if stream != self._stream:
            self._turn_to(stream)
        if version != self._version:
            self._close(stream, self._version, self._digest, version)
            self._version, self._digest = version, 0

    def found(self, one: Posting) -> None:
        self._digest = hash((self._digest, one.kind, one.source, one.target, one.amount)) or 1

    def _turn_to(self, stream: str) -> None:
        self._at[self._stream] = self._version, self._digest
        self._stream, (self._version, self._digest) = stream, self._at.get(stream, (0, 0))

    def end(self) -> None:
        self._turn_to("")
        for stream, owed in self._owed.items():
            self._close(stream, *self._at.get(stream, (0, 0)), len(owed))

    def _close(self, stream: str, version: int, digest: int, until: int) -> None:
        """That is all for this version, and what was skipped has none."""
        owed = self._owed[stream]
        if digest != owed[version]:
            raise _Found(stream, version, "its postings are not what the event moves")
        for between in range(version + 1, until):
            if owed[between]:
                raise _Found(stream, between, "its postings are not what the event moves")
        if until < version:
            raise _Found(stream, until, "a posting was written after those of a later event")


async def _money(store: Store, heads: dict[str, int], owed: _Owed | None) -> int:
    """The number of postings. Checks that they add up to the balances, and the balances to zero."""
    held: defaultdict[str, int] = defaultdict(int)
    count = await _posted(store, heads, owed, held)
    if owed is not None:
        owed.end()
    balances = await store.balances()
    for account in sorted(held.keys() | balances.keys(), key=str):  # what is no text is no account either
        if held.get(account, 0) != balances.get(account, 0):
            what = f"{account} holds {balances.get(account, 0)}, its postings come to {held.get(account, 0)}"
            stream, version = await _place(store, str(account), heads)
            raise _Found(stream, version, what, *(() if stream else ("balances", str(account))))
    if total := sum(balances.values()):
        raise _Found("", 0, f"all accounts together hold {total}, not nothing")
    for stream, version in heads.items():
        in_play, stakes = await store.in_play(stream), balances.get(f"stakes:{stream}", 0)
        if in_play != stakes:
            raise _Found(stream, version, f"{in_play} lies on the layout, the account of stakes holds {stakes}")
    return count


async def _posted(store: Store, heads: dict[str, int], owed: _Owed | None, held: defaultdict[str, int]) -> int:
    """The number of postings, each added to its accounts."""
    count = before = 0
    stream, version = "", 0
    short = set[str]()
    """Accounts that paid more than they held, in this event."""
    async for page in store.postings():
        count += len(page)
        for one in page:
            new = one.version != version or one.stream != stream
            if new:
                _check_covered(held, short, (stream, version))
                stream, version = one.stream, one.version
            if one.id <= before:
                raise _Found(stream, version, f"posting {one.id} comes after posting {before}")
            before = one.id
            if one.kind not in KINDS:  # also bytes, whose hash is that of their text
                raise _Found(stream, version, f"posting {one.id} is of no kind there is")
            if new:
                if stream not in heads or not 1 <= version <= heads[stream]:
                    raise _Found(stream, version, f"posting {one.id} belongs to no event")
                if owed is not None:
                    owed.begin(stream, version)
            if owed is not None:
                owed.found(one)
            source, amount = one.source, one.amount
            try:
                left = held[source] = held[source] - amount
            except TypeError as error:
                raise _Found(stream, version, f"posting {one.id}: {_unreadable(error)}") from None
            held[one.target] += amount
            if left < 0 and source.startswith(NEVER_NEGATIVE):
                short.add(source)
    _check_covered(held, short, (stream, version))
    return count


def _check_covered(held: Mapping[str, int], short: set[str], at: tuple[str, int]) -> None:
    """Check that after each event no wallet, purse or stakes account is negative."""
    if short:
        for account in sorted(short):
            if held[account] < 0:
                raise _Found(*at, f"{account} is negative")
        short.clear()


async def _rows(store: Store) -> None:
    """Check the checksums of rows that no event proves: answers, snapshots and secrets."""
    async for row in store.summed():
        if not row.sound:
            raise _Found("", 0, "the checksum is not that of the row", row.table, row.key)


def _check_games(games: Mapping[str, bytes]) -> None:
    """Check that each game matches its fingerprint, and that its source file parses to that game."""
    for key, content in games.items():
        if not _is_its_fingerprint(key, content):
            raise _Found("", 0, "the content is not what the fingerprint says", "games", str(key))


def _is_its_fingerprint(key: str, content: bytes) -> bool:
    try:
        if key.startswith(SOURCE):
            return library.game_from(content.decode())[0].fingerprint == key.removeprefix(SOURCE)
        return sha256(content).hexdigest() == key
    except (Refused, UnicodeDecodeError, TypeError, AttributeError):  # the last two: it is not text, or not bytes
        return False


async def _place(store: Store, account: str, heads: dict[str, int]) -> tuple[str, int]:
    """The last posting of the account, or the last event of its table."""
    stream = account.partition(":")[2].partition(":")[0]
    place = (stream, heads[stream]) if stream in heads else ("", 0)
    async for page in store.postings():
        for one in page:
            if account in (one.source, one.target):
                place = one.stream, one.version
    return place
