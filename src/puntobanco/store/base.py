"""The interface of a store, and the statements that both engines share.

An engine adds how it opens, how it writes a batch of appends, and the few statements in which its SQL differs. Shared
statements mark their parameters as `$1`, `$2` and so on.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from puntobanco.store.records import (
    GENESIS,
    LAST,
    Append,
    Posting,
    Row,
    Snapshot,
    StoredAnswer,
    SummedRow,
    checksum,
    summed_row,
)
from puntobanco.store.schema import STATEMENT, STRAY, SUMMED

MOST_AT_ONCE = 512
"""Most appends in one commit."""
READ_AT_ONCE = 10_000
SUMMED_AT_ONCE = 1_000
"""Rows with a checksum read at a time. A shoe has thirteen thousand bytes."""


class Store(ABC):
    """Append-only streams with money and answers."""

    BY_CODE_POINT: ClassVar[str]
    """The collation that sorts text by code point."""

    lost = False
    """Whether the database does not answer and is looked for. Meanwhile everything waits."""

    @property
    def ended(self) -> str | None:
        """Why nothing can be written any more, as soon as that is known."""
        return None

    @abstractmethod
    async def open(self) -> None: ...

    @abstractmethod
    async def close(self) -> None:
        """Write what waits, then close."""

    @abstractmethod
    async def sole(self) -> None:
        """Become the only process that uses this store until it is closed, or fail with `IN_USE`."""

    @abstractmethod
    async def append(self, append: Append) -> None:
        """Write everything durably, or raise `StoreFailed` and write nothing."""

    @abstractmethod
    async def _all(self, query: str, *values: object) -> list[Any]:
        """The committed rows that a query finds."""

    @abstractmethod
    async def _put(self, statement: str, *values: object) -> object:
        """Execute one statement by itself, durable on return."""

    async def _pages(self, query: str, after: int, *values: object) -> AsyncIterator[list[Any]]:
        """The rows of a query in order of their first column, from after that number ($1), so many at a time ($2)."""
        while True:
            rows = await self._all(query, after, READ_AT_ONCE, *values)
            yield rows
            if len(rows) < READ_AT_ONCE:
                return
            after = rows[-1][0]

    # ---- streams -------------------------------------------------------------------------------------------------

    @abstractmethod
    async def claim(self, stream: str) -> int:
        """Become the owner of a stream. Earlier epochs can no longer append."""

    async def read(self, stream: str, after: int = 0, through: int = LAST) -> AsyncIterator[Row]:
        """The events after version `after`, up to and including `through`. Fetches no other rows."""
        wanted = (
            "SELECT version, kind, at, body, hash FROM events"
            " WHERE stream = $3 AND version > $1 AND version <= $4 ORDER BY version LIMIT $2"
        )
        async for rows in self._pages(wanted, after, stream, through):
            for row in rows:
                yield Row(*row)

    async def head(self, stream: str) -> tuple[int, bytes]:
        """The version and the hash of the last event."""
        found = await self._all("SELECT version, head FROM streams WHERE stream = $1", stream)
        return (found[0][0], found[0][1]) if found else (0, GENESIS)

    async def streams(self) -> tuple[str, ...]:
        wanted = f"SELECT stream FROM streams ORDER BY stream COLLATE {self.BY_CODE_POINT}"
        return tuple(row[0] for row in await self._all(wanted))

    async def stray(self) -> tuple[str, int] | None:
        """The stream and version of an event that reading its stream does not reach, if there is one."""
        found = await self._all(STRAY)
        return (found[0][0], found[0][1]) if found else None

    async def in_play(self, stream: str) -> int:
        """The money on the layout, as of the last append."""
        found = await self._all("SELECT in_play FROM streams WHERE stream = $1", stream)
        return int(found[0][0]) if found else 0

    async def last_moment(self, stream: str) -> int:
        """The time of the last event; 0 if there is none."""
        found = await self._all("SELECT at FROM events WHERE stream = $1 ORDER BY version DESC LIMIT 1", stream)
        return int(found[0][0]) if found else 0

    # ---- money and answers ---------------------------------------------------------------------------------------

    async def postings(self) -> AsyncIterator[list[Posting]]:
        """All postings in the order they were written, in batches."""
        wanted = (
            "SELECT id, stream, version, kind, source, target, amount FROM postings WHERE id > $1 ORDER BY id LIMIT $2"
        )
        async for rows in self._pages(wanted, 0):
            yield [Posting(*row) for row in rows]

    async def statement(self, wallet: str, most: int) -> tuple[Posting, ...]:
        """The latest postings of a person's wallet, newest first. Other accounts have no statement."""
        return tuple(Posting(*row) for row in await self._all(STATEMENT, wallet, most))

    @abstractmethod
    async def balances(self, accounts: Sequence[str] | None = None) -> Mapping[str, int]: ...

    async def answered(self, person: str, request: str) -> StoredAnswer | None:
        return (await self.answered_among([(person, request)])).get((person, request))

    @abstractmethod
    async def answered_among(self, asked: Sequence[tuple[str, str]]) -> Mapping[tuple[str, str], StoredAnswer]:
        """Those of these requests, by person and request id, that were answered."""

    # ---- games, snapshots and secrets ----------------------------------------------------------------------------

    async def keep_game(self, fingerprint: str, content: bytes) -> None:
        wanted = "INSERT INTO games (fingerprint, content) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        await self._put(wanted, fingerprint, content)

    async def game(self, fingerprint: str) -> bytes | None:
        found = await self._all("SELECT content FROM games WHERE fingerprint = $1", fingerprint)
        return found[0][0] if found else None

    async def games(self) -> Mapping[str, bytes]:
        """The content of every stored game, by fingerprint."""
        return dict(await self._all("SELECT fingerprint, content FROM games"))

    async def keep_snapshot(self, stream: str, snapshot: Snapshot) -> None:
        """Store a snapshot in place of an earlier one. A later one stays: a former owner may still write."""
        row = (stream, snapshot.version, snapshot.schema, snapshot.body)
        await self._put(
            "INSERT INTO snapshots (stream, version, schema, body, checksum) VALUES ($1, $2, $3, $4, $5)"
            " ON CONFLICT (stream) DO UPDATE SET version = excluded.version, schema = excluded.schema,"
            " body = excluded.body, checksum = excluded.checksum WHERE excluded.version >= snapshots.version",
            *row,
            checksum(*row),
        )

    async def snapshot(self, stream: str) -> Snapshot | None:
        wanted = "SELECT stream, version, schema, body, checksum FROM snapshots WHERE stream = $1"
        found = await self._all(wanted, stream)
        sound = bool(found) and summed_row("snapshots", 1, found[0]).sound
        return Snapshot(*found[0][1:4]) if sound else None

    async def seal(self, name: str, content: bytes) -> None:
        """Store a secret that no event, log or export may contain: the order of a shoe, a password hash, a session."""
        await self._put(
            "INSERT INTO sealed (name, content, checksum) VALUES ($1, $2, $3)"
            " ON CONFLICT (name) DO UPDATE SET content = excluded.content, checksum = excluded.checksum",
            name,
            content,
            checksum(name, content),
        )

    @abstractmethod
    async def sealed(self, name: str) -> bytes | None: ...

    async def unseal(self, name: str) -> None:
        """Delete a secret, if it exists."""
        await self._put("DELETE FROM sealed WHERE name = $1", name)

    @abstractmethod
    async def sealed_names(self, prefix: str) -> tuple[str, ...]:
        """The names of secrets with this prefix, in code point order."""

    @abstractmethod
    async def sealed_begins(self, length: int) -> dict[str, bytes]:
        """The first bytes of every secret, by name."""

    async def summed(self) -> AsyncIterator[SummedRow]:
        """Every row with a checksum, table by table."""
        for table in SUMMED:
            after: tuple[Any, ...] = ()
            while True:
                rows = await self._all(table.page(first=not after, most=SUMMED_AT_ONCE), *after)
                for row in rows:
                    yield summed_row(table.name, table.keys, row)
                if len(rows) < SUMMED_AT_ONCE:
                    break
                after = tuple(rows[-1])[: table.keys]


def give(answers: Iterable[tuple["asyncio.Future[Any]", Any]]) -> None:
    """Set each future to its result or its error. A future that was cancelled stays so."""
    for future, result in answers:
        if future.done():
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)
