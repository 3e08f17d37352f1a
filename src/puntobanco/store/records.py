"""The records of a store: what is appended, what is read, and the hashes over both."""

from collections.abc import Sequence
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from puntobanco.ledger.accounts import Transfer

GENESIS = bytes(32)
"""The hash before the first event of a stream."""

LAST = 2**62
"""Greater than any version."""

NEVER_NEGATIVE = ("purse:", "wallet:", "stakes:")
"""Prefixes of accounts that hold a person's money or chips on the layout. The schema repeats them."""


SOURCE = "source:"
"""Prefix to a game's fingerprint: the key of its source file."""


class Fact(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """An event to be appended: its kind, time, canonical bytes, and the money it moves."""

    kind: str
    at: int
    body: bytes
    transfers: Sequence[Transfer] = ()


class Row(msgspec.Struct, frozen=True, gc=False):
    """A stored event. `chained` computes `hash` from the hash before it."""

    version: int
    kind: str
    at: int
    body: bytes
    hash: bytes


class Posting(msgspec.Struct, frozen=True, gc=False):
    """A stored transfer. `version` is that of its event; `at` is its time, if it was asked for."""

    id: int
    stream: str
    version: int
    kind: str
    source: str
    target: str
    amount: int
    at: int = 0


class StoredAnswer(msgspec.Struct, frozen=True, array_like=True):
    """The stored answer to a person's request, with the digest of the request."""

    person: str
    request: str
    asked: bytes
    answer: bytes


class Append(msgspec.Struct, frozen=True, kw_only=True, array_like=True, tag="append"):
    """Everything one step of a stream writes, atomically. `expected` is the version the stream must have, `epoch` the
    ownership it is written under; `in_play` is the money on the layout afterwards, which the database compares with the
    stakes account."""

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
    EXISTS = "exists"
    """A copy is never written over a file. The detail is its path."""


class StoreFailed(Exception):
    """Nothing was written. The reason says whether a retry can help."""

    def __init__(self, why: Failed, detail: str = "") -> None:
        super().__init__(f"{why}: {detail}" if detail else str(why))
        self.why, self.detail = why, detail or str(why)


class Unwritable(StoreFailed):
    """A file beside the store, such as a backup, cannot be written."""

    def __init__(self, file: Path, detail: str) -> None:
        super().__init__(Failed.STORAGE, detail)
        self.file = file


class Snapshot(msgspec.Struct, frozen=True):
    """A state equal to the replay of that many events, under one schema of states."""

    version: int
    schema: str
    body: bytes


def chained(before: bytes, kind: str, at: int, body: bytes) -> bytes:
    """The hash of the next event: SHA-256 of `before`, `<bytes in kind>:<kind>:<at>:` and the body."""
    name = kind.encode(errors="surrogatepass")
    return sha256(b"%b%d:%b:%d:%b" % (before, len(name), name, at, body)).digest()


def checksum(*values: str | int | bytes) -> bytes:
    """SHA-256 of the columns of a row, each with its type and length. Detects damage and careless changes. It has no
    key, so anyone who can write to the database can recompute it."""
    return sha256(b"".join(map(_column, values))).digest()


def _column(value: str | int | bytes) -> bytes:
    if isinstance(value, bytes):
        return b"b%d:%b" % (len(value), value)
    if isinstance(value, int):
        return b"i%d:" % value
    text = value.encode(errors="surrogatepass")
    return b"s%d:%b" % (len(text), text)


class SummedRow(msgspec.Struct, frozen=True):
    """A row with a checksum: its table, its key, and whether the checksum matches."""

    table: str
    key: str
    sound: bool


def summed_row(table: str, keys: int, row: Sequence[Any]) -> SummedRow:
    """`row`: its columns, the key first and the checksum last. The values may be of any type."""
    *columns, kept = row
    plain = all(isinstance(value, str | int | bytes) for value in columns)
    return SummedRow(table, "/".join(map(str, columns[:keys])), plain and kept == checksum(*columns))
