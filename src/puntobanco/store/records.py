"""What a store keeps, and the one interface both engines have."""

from collections.abc import AsyncIterator, Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Any, Protocol

import msgspec

from puntobanco.ledger.accounts import Transfer

GENESIS = bytes(32)
"""What the first event of a stream is chained to."""

LAST = 2**62
"""Later than any version there will be."""

NEVER_NEGATIVE = ("purse:", "wallet:", "stakes:")
"""How the accounts begin that hold a person's money or chips on the layout; the tables repeat it."""


SOURCE = "source:"
"""Before the fingerprint of a game, the key of its file as it was written."""


class Fact(msgspec.Struct, frozen=True, gc=False):
    """An event on its way into a stream: its kind, the moment, its canonical bytes, and the money it moves."""

    kind: str
    at: int
    body: bytes
    transfers: Sequence[Transfer] = ()


class Row(msgspec.Struct, frozen=True, gc=False):
    """An event as it is stored. `hash` follows from the hash before it (`chained`)."""

    version: int
    kind: str
    at: int
    body: bytes
    hash: bytes


class Posting(msgspec.Struct, frozen=True, gc=False):
    """A transfer as it is stored: `version` is that of its event, `at` its moment where that was asked for."""

    id: int
    stream: str
    version: int
    kind: str
    source: str
    target: str
    amount: int
    at: int = 0


class StoredAnswer(msgspec.Struct, frozen=True):
    """How a request of a person was answered: the digest of what was asked, and the answer."""

    person: str
    request: str
    asked: bytes
    answer: bytes


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """Everything one step of a stream writes, or nothing of it.

    `expected` is the version the stream must have, `epoch` the ownership it is written under; `in_play` is what lies
    on the layout afterwards, which the database compares with the account of stakes.
    """

    stream: str
    expected: int
    epoch: int
    facts: Sequence[Fact] = ()
    answers: Sequence[StoredAnswer] = ()
    in_play: int = 0


class Failed(StrEnum):
    """Why nothing was written."""

    STALE_VERSION = "stale_version"
    STALE_EPOCH = "stale_epoch"
    REQUEST_TAKEN = "request_taken"
    INVARIANT = "invariant"
    STORAGE = "storage"
    IN_USE = "in_use"


class StoreFailed(Exception):
    """Nothing was written; the reason says whether trying again can help."""

    def __init__(self, why: Failed, detail: str = "") -> None:
        super().__init__(f"{why}: {detail}" if detail else str(why))
        self.why, self.detail = why, detail or str(why)


class Snapshot(msgspec.Struct, frozen=True):
    """A state proven equal to the replay of so many events, under one schema of states."""

    version: int
    schema: str
    body: bytes


def chained(before: bytes, kind: str, at: int, body: bytes) -> bytes:
    """The hash of an event that follows another: SHA-256 of `before`, `<bytes in kind>:<kind>:<at>:` and the body."""
    name = kind.encode(errors="surrogatepass")
    return sha256(b"%b%d:%b:%d:%b" % (before, len(name), name, at, body)).digest()


def checksum(*values: str | int | bytes) -> bytes:
    """SHA-256 of the columns of a row, each with its type and length. It finds damage and careless changes; it has no
    key, so whoever can write to the database can compute it anew."""
    return sha256(b"".join(map(_column, values))).digest()


def _column(value: str | int | bytes) -> bytes:
    if isinstance(value, bytes):
        return b"b%d:%b" % (len(value), value)
    if isinstance(value, int):
        return b"i%d:" % value
    text = value.encode(errors="surrogatepass")
    return b"s%d:%b" % (len(text), text)


class SummedRow(msgspec.Struct, frozen=True):
    """A row that carries its checksum: its table, its key, and whether the checksum is that of its columns."""

    table: str
    key: str
    sound: bool


def summed_row(table: str, keys: int, row: Sequence[Any]) -> SummedRow:
    """`row`: its columns, the key first and the checksum last; what is there may be anything."""
    *columns, kept = row
    plain = all(isinstance(value, str | int | bytes) for value in columns)
    return SummedRow(table, "/".join(map(str, columns[:keys])), plain and kept == checksum(*columns))


class Store(Protocol):
    """Append-only streams with money and answers beside them."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def sole(self) -> None:
        """Be the only process that uses this store from now until it is closed, or fail with `IN_USE`."""
        ...

    async def claim(self, stream: str) -> int:
        """Become the owner: every earlier epoch can append nothing from now on."""
        ...

    async def append(self, append: Append) -> None:
        """All of it, durable, or `StoreFailed` and nothing."""
        ...

    def read(self, stream: str, after: int = 0, through: int = LAST) -> AsyncIterator[Row]:
        """The events after that version, up to and with `through`; no more rows than these are fetched."""
        ...

    async def head(self, stream: str) -> tuple[int, bytes]: ...

    async def streams(self) -> tuple[str, ...]: ...

    async def stray(self) -> tuple[str, int] | None:
        """The stream and version of an event that reading no stream comes to, if there is one."""
        ...

    async def in_play(self, stream: str) -> int:
        """What lies on the layout, as the last append said."""
        ...

    def postings(self) -> AsyncIterator[list[Posting]]:
        """Every posting in the order it was written, many at a time."""
        ...

    async def statement(self, wallet: str, most: int) -> tuple[Posting, ...]:
        """The latest postings of somebody's wallet, the latest first; other accounts have no such list."""
        ...

    async def last_moment(self, stream: str) -> int:
        """When its last event happened; 0 if there is none."""
        ...

    async def answered(self, person: str, request: str) -> StoredAnswer | None: ...

    async def answered_among(self, asked: Sequence[tuple[str, str]]) -> Mapping[tuple[str, str], StoredAnswer]:
        """Those of these requests, by person and request, that were answered."""
        ...

    async def balances(self, accounts: Sequence[str] | None = None) -> Mapping[str, int]: ...

    async def keep_game(self, fingerprint: str, content: bytes) -> None: ...

    async def game(self, fingerprint: str) -> bytes | None: ...

    async def games(self) -> Mapping[str, bytes]:
        """The content of every game that is kept, by its fingerprint."""
        ...

    async def keep_snapshot(self, stream: str, snapshot: Snapshot) -> None:
        """Instead of an earlier one; a later one stays, for a former owner may wake up and keep what it had."""
        ...

    async def snapshot(self, stream: str) -> Snapshot | None: ...

    async def seal(self, name: str, content: bytes) -> None:
        """Keep something no event, log or export may have: the order of a shoe, a password's hash, a session."""
        ...

    async def sealed(self, name: str) -> bytes | None: ...

    async def unseal(self, name: str) -> None:
        """Forget it; what is not there is forgotten already."""
        ...

    async def sealed_names(self, prefix: str) -> tuple[str, ...]:
        """What is sealed under names that begin so, by the order of their code points."""
        ...

    async def sealed_begins(self, length: int) -> dict[str, bytes]:
        """The first bytes of everything that is sealed, by name."""
        ...

    def summed(self) -> AsyncIterator[SummedRow]:
        """Every row that carries a checksum, table by table."""
        ...
