"""The PostgreSQL engine, for more than one machine: one writer per node, many appends per commit.

Waiting appends are planned together: the rows of their streams are locked; versions, epochs, answers and balances are
checked in order; and everything accepted is written with a few statements. The database repeats every check. If it
rejects a batch, the appends are written one by one, each under a savepoint, to find the one at fault.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import asyncpg
import msgspec

from puntobanco.store.base import MOST_AT_ONCE, SUMMED_AT_ONCE, Store, give
from puntobanco.store.plan import WritePlan, accounts_of
from puntobanco.store.records import GENESIS, Append, Failed, StoredAnswer, StoreFailed, checksum
from puntobanco.store.schema import SUMMED, TABLES, latest, statements, steps_from

Result = TypeVar("Result")
CHANNEL = "puntobanco"
MAKING = 7_061_747
"""The advisory lock for creating tables: two nodes may start at the same time."""
ALONE = MAKING + 1
IN_USE = "another process uses the database"

SETTINGS = {
    "lock_timeout": "10s",
    # A node that stops in the middle of a commit gives its locks back, so that another can take its tables over.
    "idle_in_transaction_session_timeout": "5s",
    "default_transaction_isolation": "read committed",
    "application_name": "puntobanco",
}

TRIGGERS = (
    """
    CREATE FUNCTION stakes_equal_open_bets() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF new.in_play <> coalesce((SELECT amount FROM balances WHERE account = 'stakes:' || new.stream), 0) THEN
        RAISE EXCEPTION 'stakes in play are not the open bets' USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      RETURN new;
    END $$""",
    """
    CREATE FUNCTION is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% are never changed or removed', tg_table_name
        USING ERRCODE = 'integrity_constraint_violation';
    END $$""",
    """
    CREATE TRIGGER stakes_equal_open_bets BEFORE UPDATE OF version ON streams
    FOR EACH ROW EXECUTE FUNCTION stakes_equal_open_bets()""",
    "CREATE TRIGGER events_stay BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION is_kept()",
    "CREATE TRIGGER events_are_kept BEFORE TRUNCATE ON events EXECUTE FUNCTION is_kept()",
    "CREATE TRIGGER postings_stay BEFORE UPDATE OR DELETE ON postings FOR EACH ROW EXECUTE FUNCTION is_kept()",
    "CREATE TRIGGER postings_are_kept BEFORE TRUNCATE ON postings EXECUTE FUNCTION is_kept()",
)

REFUSED = (
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.DataError,
    asyncpg.exceptions._base.DataError,  # the driver itself cannot encode a value; it has no other name
    UnicodeError,
    OverflowError,
)
"""The database rejects a row. Any other driver error is a storage failure."""
LOST = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)
"""asyncpg reports a connection killed in mid-exchange as an internal client error."""

Waiting = tuple[Append, "asyncio.Future[None]"]


async def connected(url: str, settings: dict[str, str]) -> Any:
    """Connect without leaking the password: the driver quotes an unparsable URL in its error."""
    try:
        return await asyncpg.connect(url, server_settings=settings)
    except LOST:
        raise
    except ValueError:
        raise StoreFailed(Failed.STORAGE, "the address of the database cannot be read") from None


class Change(msgspec.Struct, frozen=True, array_like=True):
    """A stream has reached a version, on any node."""

    stream: str
    version: int


class PostgresStore(Store):
    """`url` is `postgresql://user@host/database`."""

    BY_CODE_POINT = '"C"'

    def __init__(self, url: str) -> None:
        self.url = url
        self._waiting: deque[Waiting] = deque()
        self._wake = asyncio.Event()
        self._stopping = True
        self._broken: str | None = None
        self._task: asyncio.Task[None] | None = None
        self._readers: Any = None
        self._db: Any = None
        self._listeners: dict[Any, asyncio.Queue[Change | None]] = {}

    # ---- life ----------------------------------------------------------------------------------------------------

    async def open(self) -> None:
        self._stopping, self._broken, self._wake = False, None, asyncio.Event()
        try:
            self._db = await connected(self.url, SETTINGS)
            await self._db.execute(
                "SELECT set_config('synchronous_commit', 'on', false)"
                " WHERE current_setting('synchronous_commit') IN ('off', 'local')"
            )
            async with self._db.transaction():
                await self._bring_forward()
            self._readers = await asyncpg.create_pool(self.url, min_size=1, max_size=4, server_settings=SETTINGS)
        except BaseException as error:
            await self.close()
            if isinstance(error, LOST):
                raise StoreFailed(Failed.STORAGE, str(error)) from error
            raise
        self._task = asyncio.create_task(self._write(), name="store")

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
        alone = await _stored(lambda: self._db.fetchval("SELECT pg_try_advisory_lock($1)", ALONE))
        if not alone:
            raise StoreFailed(Failed.IN_USE, IN_USE)

    async def close(self) -> None:
        self._stopping = True
        self._wake.set()
        if self._task is not None:
            await self._task
            self._task = None
        for connection, changes in list(self._listeners.items()):
            changes.put_nowait(None)
            await _parted(connection)
        self._listeners.clear()
        if self._readers is not None:
            await _parted(self._readers)
            self._readers = None
        if self._db is not None:
            await _parted(self._db)
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
            try:
                async with self._db.transaction():
                    answers = await self._written(appends)
            except REFUSED:
                async with self._db.transaction():
                    answers = [await self._alone(append) for append in appends]
        except Exception as error:
            self._broken = f"the database failed: {error or type(error).__name__}"
            answers = [StoreFailed(Failed.STORAGE, self._broken) for _ in batch]
        give(zip((future for _, future in batch), answers, strict=True))

    async def _alone(self, append: Append) -> StoreFailed | None:
        try:
            async with self._db.transaction():
                return (await self._written([append]))[0]
        except REFUSED as error:
            taken = isinstance(error, asyncpg.UniqueViolationError) and error.table_name == "answers"
            return StoreFailed(Failed.REQUEST_TAKEN if taken else Failed.INVARIANT, str(error))

    async def _written(self, appends: Sequence[Append]) -> list[StoreFailed | None]:
        """Lock, plan, write. Locks are taken in the order of names, so nodes cannot deadlock. Repeated requests are
        left to the key of the answers: they are rare, and asking costs a round trip."""
        plan = WritePlan(
            streams=await self._db.fetch(
                "SELECT stream, version, epoch, head FROM streams WHERE stream = ANY($1) ORDER BY stream FOR UPDATE",
                sorted({append.stream for append in appends}),
            ),
            balances=await self._db.fetch(
                "SELECT account, amount FROM balances WHERE account = ANY($1) ORDER BY account FOR UPDATE",
                sorted(set(accounts_of(appends))),
            ),
        )
        failures = [plan.take(append) for append in appends]
        await self._copy("events", ("stream", "version", "epoch", "kind", "at", "body", "hash"), plan.events)
        if plan.postings:
            await self._move(plan)
        await self._copy("answers", ("person", "request", "asked", "answer", "checksum"), plan.answers)
        if plan.moved:
            names = sorted(plan.moved)
            await self._db.fetch(
                "WITH moved AS (UPDATE streams SET version = new.version, head = new.head, in_play = new.in_play"
                " FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::bigint[])"
                " AS new (stream, version, head, in_play)"
                " WHERE streams.stream = new.stream RETURNING streams.stream, streams.version)"
                " SELECT pg_notify($5, json_build_array(stream, version)::text) FROM moved",
                names,
                [plan.streams[name].version for name in names],
                [plan.streams[name].head for name in names],
                [plan.moved[name] for name in names],
                CHANNEL,
            )
        return failures

    async def _move(self, plan: WritePlan) -> None:
        """Write balances before postings, so that both accounts of a posting exist. The database rejects forbidden
        negative balances."""
        accounts = sorted(plan.changes)
        new = [account for account in accounts if account not in plan.known]
        if new:
            await self._db.execute(
                "INSERT INTO balances (account, amount) SELECT account, 0 FROM unnest($1::text[]) AS account"
                " ON CONFLICT DO NOTHING",
                new,
            )
        await self._db.execute(
            "UPDATE balances SET amount = amount + change"
            " FROM unnest($1::text[], $2::bigint[]) AS changes (name, change) WHERE account = name",
            accounts,
            [plan.changes[account] for account in accounts],
        )
        await self._copy("postings", ("stream", "version", "kind", "source", "target", "amount"), plan.postings)

    async def _copy(self, table: str, columns: Sequence[str], rows: list[tuple[object, ...]]) -> None:
        if rows:
            await self._db.copy_records_to_table(table, columns=columns, records=rows)

    # ---- streams -------------------------------------------------------------------------------------------------

    async def claim(self, stream: str) -> int:
        epoch = await self._put(
            "INSERT INTO streams (stream, version, epoch, head, in_play) VALUES ($1, 0, 1, $2, 0)"
            " ON CONFLICT (stream) DO UPDATE SET epoch = streams.epoch + 1 RETURNING epoch",
            stream,
            GENESIS,
        )
        return int(epoch)

    async def changes(self) -> AsyncIterator[Change]:
        """Every stream that moves, on any node, from the moment this returns: `async for change in await changes()`."""
        queue: asyncio.Queue[Change | None] = asyncio.Queue()

        async def start() -> Any:
            connection = await asyncpg.connect(self.url, server_settings=SETTINGS)
            connection.add_termination_listener(lambda _: queue.put_nowait(None))
            await connection.add_listener(
                CHANNEL, lambda *heard: queue.put_nowait(msgspec.json.decode(heard[3], type=Change))
            )
            return connection

        connection = await _stored(start)
        self._listeners[connection] = queue
        return self._heard(connection, queue)

    async def _heard(self, connection: Any, queue: "asyncio.Queue[Change | None]") -> AsyncIterator[Change]:
        try:
            while (change := await queue.get()) is not None:
                yield change
        finally:
            if self._listeners.pop(connection, None) is not None:
                await _parted(connection)
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
        found: list[Any] = await _stored(lambda: self._readers.fetch(query, *values))
        return found

    async def _put(self, statement: str, *values: object) -> Any:
        """Execute one statement in its own transaction, durable on return."""
        self._may_write()
        try:
            return await _stored(lambda: self._readers.fetchval(statement, *values))
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
        found: list[Any] = await _stored(lambda: self._db.fetch(query, *values))
        return found


async def _stored(work: Callable[[], Awaitable[Result]]) -> Result:
    """Translate driver errors into `StoreFailed`."""
    try:
        return await work()
    except REFUSED as error:
        raise StoreFailed(Failed.INVARIANT, str(error)) from error
    except LOST as error:
        raise StoreFailed(Failed.STORAGE, str(error) or type(error).__name__) from error


async def _parted(connection: Any) -> None:
    """Close a connection that may already be lost."""
    with suppress(*LOST):
        await asyncio.wait_for(connection.close(), 5)
