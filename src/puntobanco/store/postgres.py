"""The PostgreSQL engine, for more than one machine: one writer per node, many appends per commit.

Waiting appends are planned together on the heads of their streams as this node left them, and written by one call of a
function in the database: one round trip for a batch. The function checks what the plan assumed. If it refuses, the rows
are locked and read, and the batch is planned again on what is there. If the database still rejects it, the appends are
written one by one, to find the one at fault.

A batch whose connection is lost is found again on the next connection: its events are there with their hashes, or
it is written now. The store never uses a server that is a replica.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

import asyncpg
import msgspec

from puntobanco.store.base import MOST_AT_ONCE, SUMMED_AT_ONCE, Store, give
from puntobanco.store.plan import Head, WritePlan, accounts_of
from puntobanco.store.postgres_connection import (
    LOOKS_AGAIN,
    LOST,
    PASSING,
    READER,
    REFUSED,
    SETTINGS,
    WRITER,
    Result,
    connected,
    parted,
    stored,
)
from puntobanco.store.postgres_schema import TRIGGERS, WRITE_BATCH
from puntobanco.store.records import GENESIS, Append, Failed, StoredAnswer, StoreFailed, checksum
from puntobanco.store.schema import SUMMED, TABLES, latest, statements, steps_from

CHANNEL = "puntobanco"
CALL = f"SELECT write_batch_1({', '.join(f'${n}' for n in range(1, 28))})"
LEAST = -(2**63)
MAKING = 7_061_747
"""The advisory lock for creating tables: two nodes may start at the same time."""
ALONE = MAKING + 1
IN_USE = "another process uses the database"

Waiting = tuple[Append, "asyncio.Future[None]"]
Answers = list[StoreFailed | None]


class Attempt(msgspec.Struct):
    """A plan that was sent to the database, and the answers if it is committed."""

    plan: WritePlan
    answers: Answers


class Change(msgspec.Struct, frozen=True, array_like=True):
    """A stream has reached a version, on any node."""

    stream: str
    version: int


class PostgresStore(Store):
    """`url` is `postgresql://user@host/database`, or names several hosts: whichever is the primary is used."""

    BY_CODE_POINT = '"C"'

    def __init__(self, url: str, patience: float = 30) -> None:
        self.url, self.patience = url, patience
        self._waiting: deque[Waiting] = deque()
        self._wake = asyncio.Event()
        self._stopping = True
        self._broken: str | None = None
        self._task: asyncio.Task[None] | None = None
        self._readers: Any = None
        self._db: Any = None
        self._alone = False
        self._heads: dict[str, Head] = {}
        """The heads of the streams that this node writes, as it left them."""
        self._moved: dict[str, int] = {}
        self._telling: asyncio.Task[None] | None = None
        self._listeners: dict[Any, asyncio.Queue[Change | None]] = {}

    # ---- life ----------------------------------------------------------------------------------------------------

    async def open(self) -> None:
        self._stopping, self._broken, self._wake = False, None, asyncio.Event()
        try:
            self._db = await connected(self.url, SETTINGS, **WRITER)
            await self._sync()
            async with self._db.transaction():
                await self._bring_forward()
            self._readers = await asyncpg.create_pool(
                self.url, min_size=0, max_size=4, server_settings=SETTINGS, **READER
            )
        except BaseException as error:
            await self.close()
            if isinstance(error, LOST):
                raise StoreFailed(Failed.STORAGE, str(error)) from error
            raise
        self._task = asyncio.create_task(self._write(), name="store")

    async def _sync(self) -> None:
        await self._db.execute(
            "SELECT set_config('synchronous_commit', 'on', false)"
            " WHERE current_setting('synchronous_commit') IN ('off', 'local')"
        )

    async def _reconnect(self) -> None:
        """Connect the writer again. What this node knew of its streams is read anew."""
        self._heads.clear()
        self._db.terminate()
        self._db = await connected(self.url, SETTINGS, **WRITER)
        await self._sync()
        if self._alone and not await self._db.fetchval("SELECT pg_try_advisory_lock($1)", ALONE):
            raise TimeoutError(IN_USE)  # by what is left of the lost connection, or by another process

    async def _bring_forward(self) -> None:
        """Create the tables or migrate them to the current schema, all steps or none."""
        await self._db.execute("SELECT pg_advisory_xact_lock($1)", MAKING)
        if await self._db.fetchval("SELECT to_regclass('meta') IS NULL"):
            await self._make(TABLES)
            for trigger in TRIGGERS:
                await self._db.execute(trigger)
            await self._db.execute("INSERT INTO meta VALUES ('schema', '1')")
        steps = steps_from(await self._db.fetchval("SELECT value FROM meta WHERE key = 'schema'"))
        if steps and not await self._db.fetchval("SELECT pg_try_advisory_xact_lock($1)", ALONE):
            raise StoreFailed(Failed.IN_USE, IN_USE)
        for step in steps:
            await self._make(step)
        if steps:
            await self._sum_up()
        await self._db.execute("UPDATE meta SET value = $1 WHERE key = 'schema'", str(latest()))
        await self._db.execute(WRITE_BATCH)

    async def _sum_up(self) -> None:
        """Compute the checksums of rows from an earlier schema."""
        for table in SUMMED:
            own = " AND ".join(f"{column} = ${n}" for n, column in enumerate(table.columns[: table.keys], start=2))
            wanted = (
                f"SELECT {', '.join(table.columns)} FROM {table.name} WHERE checksum IS NULL LIMIT {SUMMED_AT_ONCE}"
            )
            while rows := await self._db.fetch(wanted):
                await self._db.executemany(
                    f"UPDATE {table.name} SET checksum = $1 WHERE {own}",
                    [(checksum(*row), *tuple(row)[: table.keys]) for row in rows],
                )

    async def _make(self, text: str) -> None:
        for statement in statements(text, bytes="BYTEA", serial="BIGSERIAL PRIMARY KEY"):
            await self._db.execute(statement)

    async def sole(self) -> None:
        self._alone = await stored(lambda: self._db.fetchval("SELECT pg_try_advisory_lock($1)", ALONE))
        if not self._alone:
            raise StoreFailed(Failed.IN_USE, IN_USE)

    async def close(self) -> None:
        self._stopping = True
        self._wake.set()
        if self._task is not None:
            await self._task
            self._task = None
        if self._telling is not None:
            await self._telling
        for connection, changes in list(self._listeners.items()):
            changes.put_nowait(None)
            await parted(connection)
        self._listeners.clear()
        if self._readers is not None:
            await parted(self._readers)
            self._readers = None
        if self._db is not None:
            await parted(self._db)
            self._db = None

    # ---- the writer ----------------------------------------------------------------------------------------------

    async def append(self, append: Append) -> None:
        self._may_write()
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, future))
        self._wake.set()
        await future

    def _may_write(self) -> None:
        if self._stopping:
            raise StoreFailed(Failed.STORAGE, "the store is closed")
        if self._broken is not None:
            raise StoreFailed(Failed.STORAGE, self._broken)

    async def _write(self) -> None:
        while True:
            while not self._waiting and not self._stopping:
                self._wake.clear()
                await self._wake.wait()
            if not self._waiting:
                return
            taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_AT_ONCE))]
            await self._commit([one for one in taken if not one[1].done()])

    async def _commit(self, batch: list[Waiting]) -> None:
        """Commit a batch and answer once it is durable. If that fails, the store refuses writes until it is
        reopened."""
        if (why := self._broken) is not None:
            give((future, StoreFailed(Failed.STORAGE, why)) for _, future in batch)
            return
        appends = [append for append, _ in batch]
        try:
            answers = await self._written(appends)
        except Exception as error:
            self._broken = f"the database failed: {error or type(error).__name__}"
            answers = [StoreFailed(Failed.STORAGE, self._broken) for _ in batch]
        give(zip((future for _, future in batch), answers, strict=True))

    async def _written(self, appends: Sequence[Append]) -> Answers:
        """Write a batch. If the database rejects a row, each append is written by itself."""
        try:
            return await self._together(appends)
        except REFUSED as error:
            if len(appends) > 1:
                return [answer for append in appends for answer in await self._written([append])]
            taken = isinstance(error, asyncpg.UniqueViolationError) and error.table_name == "answers"
            return [StoreFailed(Failed.REQUEST_TAKEN if taken else Failed.INVARIANT, str(error))]

    async def _together(self, appends: Sequence[Append]) -> Answers:
        """Write a batch, also if the connection is lost in the middle of it."""
        sent: list[Attempt] = []

        async def write() -> Answers:
            if sent or self._db.is_closed():
                await self._reconnect()
            elif (answers := await self._at_once(appends, sent)) is not None:
                return answers
            return await self._locked(appends, sent)

        return await self._patiently(write)

    async def _patiently(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """Repeat what failed with its connection or its server, until it succeeds or the time is over."""
        until = monotonic() + self.patience
        while True:
            try:
                found = await work()
            except REFUSED:
                raise
            except PASSING:
                self.lost = True
                if self._stopping or monotonic() > until:
                    raise
                await asyncio.sleep(LOOKS_AGAIN)
            else:
                self.lost = False
                return found

    async def _at_once(self, appends: Sequence[Append], sent: list["Attempt"]) -> Answers | None:
        """Write a batch in one round trip, or nothing: the reason is found with the rows locked. Repeated requests are
        left to the key of the answers: they are rare."""
        names = {append.stream for append in appends}
        if not names <= self._heads.keys():
            return None
        plan = WritePlan((name, *msgspec.structs.astuple(self._heads.pop(name))) for name in names)
        if any(plan.take(append) is not None for append in appends):
            return None
        sent.append(Attempt(plan, [None for _ in appends]))
        try:
            await self._put_down(plan)
        except REFUSED:
            sent.clear()
            return None
        return self._kept(sent[-1])

    async def _locked(self, appends: Sequence[Append], sent: list["Attempt"]) -> Answers:
        """Plan the batch on what is there, with the rows of its streams and accounts locked."""
        async with self._db.transaction():
            planned = await self._planned(appends, sent)
        return self._kept(planned)

    def _kept(self, written: "Attempt") -> Answers:
        """Remember the heads of what was written, and tell other nodes of it."""
        plan = written.plan
        self._heads |= plan.streams
        self._moved |= {stream: plan.streams[stream].version for stream in plan.moved}
        if self._moved and self._telling is None:
            self._telling = asyncio.create_task(self._tell())
        return written.answers

    async def _planned(self, appends: Sequence[Append], sent: list["Attempt"]) -> "Attempt":
        """Lock, plan, write, unless an attempt over a lost connection was committed. Locks are taken in the order of
        names, so nodes cannot deadlock."""
        streams = await self._db.fetch(
            "SELECT stream, version, epoch, head FROM streams WHERE stream = ANY($1) ORDER BY stream FOR UPDATE",
            sorted({append.stream for append in appends}),
        )
        for attempt in sent:
            if await self._is_there(attempt.plan):
                return attempt
        plan = WritePlan(
            streams=streams,
            balances=await self._db.fetch(
                "SELECT account, amount FROM balances WHERE account = ANY($1) ORDER BY account FOR UPDATE",
                sorted(set(accounts_of(appends))),
            ),
        )
        attempt = Attempt(plan, [plan.take(append) for append in appends])
        sent.append(attempt)
        await self._put_down(plan)
        return attempt

    async def _is_there(self, plan: WritePlan) -> bool:
        """Whether this plan was committed: with the rows of its streams locked, nothing else can still commit it."""
        for stream, version, _, _, _, _, hash in plan.events[-1:]:
            wanted = "SELECT true FROM events WHERE stream = $1 AND version = $2 AND hash = $3"
            return bool(await self._db.fetchval(wanted, stream, version, hash))
        return False

    async def _put_down(self, plan: WritePlan) -> None:
        """Write a plan: the whole transaction, or a part of the one that is open."""
        if not plan.moved:
            return
        names, accounts = sorted(plan.moved), sorted(plan.changes)
        heads, needed = [plan.streams[name] for name in names], plan.needed or {}
        took = Counter(event[0] for event in plan.events)
        await self._db.fetchval(
            CALL,
            names,
            [head.epoch for head in heads],
            [head.version - took[name] for name, head in zip(names, heads, strict=True)],
            [head.version for head in heads],
            [head.head for head in heads],
            [plan.moved[name] for name in names],
            accounts,
            [plan.changes[account] for account in accounts],
            [needed.get(account, LEAST) for account in accounts],
            *_columns(plan.events, 7),
            *_columns(plan.postings, 6),
            *_columns(plan.answers, 5),
        )

    async def _tell(self) -> None:
        """Tell other nodes which streams have moved, after the commit: a notification within a transaction would make
        all commits of the database wait for each other. What is lost is told with the next move."""
        while self._moved and not self._stopping:
            moved, self._moved = self._moved, {}
            with suppress(*LOST):
                await self._readers.execute(
                    "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, change)"
                    " FROM unnest($2::text[]) AS change",
                    CHANNEL,
                    [msgspec.json.encode(Change(*one)).decode() for one in moved.items()],
                )
        self._telling = None

    # ---- streams -------------------------------------------------------------------------------------------------

    async def claim(self, stream: str) -> int:
        claimed = await self._put(
            "INSERT INTO streams (stream, version, epoch, head, in_play) VALUES ($1, 0, 1, $2, 0)"
            " ON CONFLICT (stream) DO UPDATE SET epoch = streams.epoch + 1 RETURNING version, epoch, head",
            stream,
            GENESIS,
        )
        self._heads[stream] = head = Head(*claimed)
        return head.epoch

    async def changes(self) -> AsyncIterator[Change]:
        """Every stream that moves, on any node, from the moment this returns: `async for change in await changes()`."""
        queue: asyncio.Queue[Change | None] = asyncio.Queue()

        async def start() -> Any:
            connection = await connected(self.url, SETTINGS, **WRITER)
            connection.add_termination_listener(lambda _: queue.put_nowait(None))
            await connection.add_listener(
                CHANNEL, lambda *heard: queue.put_nowait(msgspec.json.decode(heard[3], type=Change))
            )
            return connection

        connection = await stored(start)
        self._listeners[connection] = queue
        return self._heard(connection, queue)

    async def _heard(self, connection: Any, queue: "asyncio.Queue[Change | None]") -> AsyncIterator[Change]:
        try:
            while (change := await queue.get()) is not None:
                yield change
        finally:
            if self._listeners.pop(connection, None) is not None:
                await parted(connection)
        if not self._stopping:
            raise StoreFailed(Failed.STORAGE, "the connection that listens was lost")

    # ---- beside the streams --------------------------------------------------------------------------------------

    async def answered_among(self, asked: Sequence[tuple[str, str]]) -> Mapping[tuple[str, str], StoredAnswer]:
        found = await self._all(
            "SELECT person, request, asked, answer FROM answers"
            " JOIN unnest($1::text[], $2::text[]) AS wanted (person, request) USING (person, request)",
            [person for person, _ in asked],
            [request for _, request in asked],
        )
        return {(row[0], row[1]): StoredAnswer(*row) for row in found}

    async def balances(self, accounts: Sequence[str] | None = None) -> Mapping[str, int]:
        if accounts is None:
            return dict(await self._all("SELECT account, amount FROM balances"))
        return dict(await self._all("SELECT account, amount FROM balances WHERE account = ANY($1)", list(accounts)))

    async def sealed(self, name: str) -> bytes | None:
        found = await self._all("SELECT content FROM sealed WHERE name = $1", name)
        return found[0][0] if found else None

    async def sealed_names(self, prefix: str) -> tuple[str, ...]:
        wanted = 'SELECT name FROM sealed WHERE starts_with(name, $1) ORDER BY name COLLATE "C"'
        return tuple(row[0] for row in await self._all(wanted, prefix))

    async def sealed_begins(self, length: int) -> dict[str, bytes]:
        return dict(await self._all("SELECT name, substr(content, 1, $1) FROM sealed", length))

    async def _all(self, query: str, *values: object) -> list[Any]:
        if self._readers is None:
            raise StoreFailed(Failed.STORAGE, "the store is closed")
        found: list[Any] = await stored(lambda: self._patiently(lambda: self._readers.fetch(query, *values)))
        return found

    async def _put(self, statement: str, *values: object) -> Any:
        """Execute one statement in its own transaction, durable on return. Each may be executed twice: a claim is then
        of a later epoch."""
        self._may_write()
        try:
            return await stored(lambda: self._patiently(lambda: self._readers.fetchrow(statement, *values)))
        except StoreFailed as failed:
            if failed.why is Failed.STORAGE:
                self._broken = str(failed)
            raise


class PostgresMoment(PostgresStore):
    """Everything as committed at one moment, to be read while a server goes on writing."""

    async def open(self) -> None:
        settings = {**SETTINGS, "idle_in_transaction_session_timeout": "0"}
        try:
            self._db = await connected(self.url, settings)
            await self._db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            if steps_from(await self._db.fetchval("SELECT value FROM meta WHERE key = 'schema'")):
                raise StoreFailed(Failed.STORAGE, "the store is of an earlier program: open it with this one first")
        except BaseException as error:
            await self.close()
            if isinstance(error, LOST):
                raise StoreFailed(Failed.STORAGE, str(error)) from error
            raise

    async def _all(self, query: str, *values: object) -> list[Any]:
        found: list[Any] = await stored(lambda: self._db.fetch(query, *values))
        return found


def _columns(rows: Sequence[tuple[object, ...]], width: int) -> list[Sequence[object]]:
    """The rows as one array for each column."""
    return list(zip(*rows, strict=True)) if rows else [()] * width
