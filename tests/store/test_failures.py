"""When the storage fails nothing more is written, nothing unwritten was acknowledged, and a restart is clean."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from puntobanco.ledger.accounts import Transfer, TransferKind
from puntobanco.store.base import Store
from puntobanco.store.postgres import Change, PostgresStore
from puntobanco.store.postgres_connection import REFUSED, stored
from puntobanco.store.records import Append, Fact, Failed, Snapshot, StoreFailed
from puntobanco.store.sqlite import SqliteStore
from puntobanco.store.verify import verify
from tests.store.conftest import Run, run_at
from tests.store.engines import file_of, statement

TABLE = "one"


def bet(version: int, epoch: int, size: int = 10, stream: str = TABLE) -> Append:
    bought = Transfer(TransferKind.BUY_IN, "cage", f"purse:{stream}:ann", 5)
    return Append(stream=stream, expected=version, epoch=epoch, facts=[Fact("Said.1", version, b"x" * size, [bought])])


async def acknowledged(store: Store, appends: Sequence[Append]) -> int:
    """How many of them were; after the first that was not, none."""
    answers = await asyncio.gather(*(store.append(one) for one in appends), return_exceptions=True)
    for answer in answers:
        assert answer is None or isinstance(answer, StoreFailed)
    good = sum(answer is None for answer in answers)
    assert all(answer is None for answer in answers[:good])
    return good


async def refused(store: Store, version: int, epoch: int) -> None:
    for work in (store.append(bet(version, epoch)), store.seal("shoe", b"order"), store.keep_game("f", b"rules")):
        with pytest.raises(StoreFailed) as failed:
            await work
        assert failed.value.why is Failed.STORAGE


async def sound(store: Store) -> int:
    assert (await verify(store)).fault is None
    version, _ = await store.head(TABLE)
    epoch = await store.claim(TABLE)
    await store.append(bet(version, epoch))
    return version


# ---- SQLite ------------------------------------------------------------------------------------------------------


def test_a_store_is_held_once_whatever_path_leads_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    place = folder / "house.db"
    (tmp_path / "link.db").symlink_to(place)
    (tmp_path / "linked").symlink_to(folder)
    monkeypatch.chdir(tmp_path)
    others = (place, tmp_path / "link.db", tmp_path / "linked" / "house.db", Path("store/../store/house.db"))

    async def hold(store: SqliteStore) -> None:
        await store.sole()
        for other in others:
            second = SqliteStore(other)
            await second.open()
            with pytest.raises(StoreFailed, check=lambda failed: failed.why is Failed.IN_USE):
                await second.sole()
            await second.close()

    for other in others:
        run_at(other, hold)


def test_a_store_with_a_hard_link_is_not_held(tmp_path: Path) -> None:
    """SQLite would keep a write-ahead log for each name, and neither would know of the other."""
    place, copy = tmp_path / "house.db", tmp_path / "copy.db"
    run_at(place, lambda store: store.claim(TABLE))
    copy.hardlink_to(place)
    for one in (place, copy):
        with pytest.raises(StoreFailed, match="hard link"):
            run_at(one, lambda store: store.sole())
    copy.unlink()
    run_at(place, lambda store: store.sole())


def test_a_full_disk_stops_the_store_and_loses_nothing_acknowledged(tmp_path: Path) -> None:
    async def work(store: SqliteStore) -> int:
        epoch = await store.claim(TABLE)
        assert await acknowledged(store, [bet(version, epoch) for version in range(20)]) == 20
        pages = (await store._all("PRAGMA page_count"))[0][0]
        await store._all(f"PRAGMA max_page_count = {pages + 20}")
        good = 20
        for start in range(20, 400, 10):
            fed = await acknowledged(store, [bet(version, epoch, 2_000) for version in range(start, start + 10)])
            good += fed
            if fed < 10:
                break
        assert 20 < good < 400
        await refused(store, good, epoch)
        await store._all("PRAGMA max_page_count = 1000000")
        await refused(store, good, epoch)
        assert (await store.head(TABLE))[0] == good
        return good

    good = run_at(tmp_path / "house.db", work)
    assert run_at(tmp_path / "house.db", sound) == good


class Failing:
    """A connection whose disk gives out at the nth statement of a kind."""

    def __init__(self, db: sqlite3.Connection, statement: str, after: int) -> None:
        self._db, self._statement, self._left = db, statement, after

    def execute(self, text: str, *values: Any) -> Any:
        if text.startswith(self._statement):
            self._left -= 1
            if self._left < 0:
                raise sqlite3.OperationalError("disk I/O error")
        return self._db.execute(text, *values)

    def executemany(self, text: str, values: Any) -> Any:
        if text.startswith(self._statement):
            return self.execute(text)
        return self._db.executemany(text, values)

    def close(self) -> None:
        self._db.close()


@pytest.mark.parametrize(
    "statement",
    ["BEGIN", "SAVEPOINT", "SELECT stream, version", "INSERT INTO events", "UPDATE streams", "RELEASE", "COMMIT"],
)
def test_an_error_of_the_disk_at_any_statement_stops_the_store(tmp_path: Path, statement: str) -> None:
    async def work(store: SqliteStore) -> int:
        epoch = await store.claim(TABLE)
        assert await acknowledged(store, [bet(version, epoch) for version in range(5)]) == 5
        file = file_of(store)
        file.db = Failing(file.db, statement, 0)  # type: ignore[assignment]
        assert await acknowledged(store, [bet(version, epoch) for version in range(5, 10)]) == 0
        await refused(store, 5, epoch)
        return (await store.head(TABLE))[0]

    assert run_at(tmp_path / "house.db", work) == 5
    assert run_at(tmp_path / "house.db", sound) == 5


def test_a_store_that_cannot_be_opened_says_so(tmp_path: Path) -> None:
    async def nothing(_: Store) -> None:
        raise AssertionError

    (tmp_path / "house.db").write_bytes(b"not a database at all" * 500)
    for place in (tmp_path / "house.db", tmp_path / "nowhere" / "house.db", "postgresql://nobody@127.0.0.1:1/none"):
        with pytest.raises(StoreFailed) as failed:
            run_at(place, nothing)
        assert failed.value.why is Failed.STORAGE


# ---- PostgreSQL --------------------------------------------------------------------------------------------------


async def cut(url: str) -> None:
    """Every other connection to this database is ended by the server."""
    connection = await asyncpg.connect(url)
    await connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await connection.close()


def test_every_error_of_the_driver_is_a_failure_of_the_store() -> None:
    async def raising(kind: type[Exception], *said: object) -> None:
        raise kind(*said)

    kinds = [kind for kind in vars(asyncpg.exceptions).values() if isinstance(kind, type)]
    kinds += [kind for kind in vars(asyncpg.exceptions._base).values() if isinstance(kind, type)]
    errors = {kind for kind in kinds if issubclass(kind, Exception) and not issubclass(kind, Warning)}
    assert {asyncpg.InternalClientError, asyncpg.ProtocolError, asyncpg.ConnectionDoesNotExistError} <= errors
    for kind in (*errors, ConnectionResetError, TimeoutError, UnicodeEncodeError):
        said = ("utf-8", "x", 0, 1, "why") if kind is UnicodeEncodeError else ("said by the driver",)
        with pytest.raises(StoreFailed) as failed:
            asyncio.run(stored(lambda said=said, kind=kind: raising(kind, *said)))  # type: ignore[misc]
        refused_row = issubclass(kind, REFUSED)
        assert failed.value.why is (Failed.INVARIANT if refused_row else Failed.STORAGE), kind


def test_a_value_that_cannot_be_stored_is_refused_and_breaks_nothing(run: Run) -> None:
    async def work(store: Store) -> None:
        epoch = await store.claim(TABLE)
        for bad in (
            store.append(Append(stream=TABLE, expected=0, epoch=epoch, facts=[Fact("Said\ud800.1", 0, b"x")])),
            store.append(Append(stream=TABLE, expected=0, epoch=epoch, facts=[Fact("Said.1", 2**64, b"x")])),
            store.keep_snapshot(TABLE, Snapshot(2**64, "1", b"x")),
            store.seal("\ud800", b"x"),
        ):
            with pytest.raises(StoreFailed) as failed:
                await bad
            assert failed.value.why is Failed.INVARIANT
        await store.append(bet(0, epoch))

    run(work)


def test_a_commit_that_fails_stops_the_store(database: str) -> None:
    async def work(store: PostgresStore) -> None:
        epoch = await store.claim(TABLE)
        await store.append(bet(0, epoch))
        await store._db.execute(
            "CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;"
            "CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED"
            " FOR EACH ROW EXECUTE FUNCTION fails()"
        )
        assert await acknowledged(store, [bet(version, epoch) for version in range(1, 9)]) == 0
        await store._db.execute("DROP TRIGGER fails ON events")
        await refused(store, 1, epoch)

    run_at(database, work)
    assert run_at(database, sound) == 1


def test_a_former_owner_that_wakes_up_in_the_middle_of_a_commit_writes_nothing(database: str) -> None:
    async def work(former: PostgresStore) -> None:
        epoch = await former.claim(TABLE)
        owner = PostgresStore(database)
        await owner.open()
        try:
            asleep = former._db.transaction()
            await former._db.execute("SET idle_in_transaction_session_timeout = '200ms'")
            await asleep.start()
            await former._written([bet(0, epoch)])
            taken = await owner.claim(TABLE)
            await owner.append(bet(0, taken))
            with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError)):
                await asleep.commit()
            with pytest.raises(StoreFailed):
                await former.append(bet(1, epoch))
            assert (await owner.head(TABLE))[0] == 1
        finally:
            await owner.close()

    run_at(database, work)
    assert run_at(database, sound) == 1


def test_two_nodes_share_accounts_without_blocking_each_other(database: str) -> None:
    async def work(one: PostgresStore) -> None:
        other = PostgresStore(database)
        await other.open()
        try:

            async def feed(store: Store, stream: str) -> None:
                epoch = await store.claim(stream)
                for start in range(0, 200, 20):
                    appends = [bet(version, epoch, stream=stream) for version in range(start, start + 20)]
                    assert await acknowledged(store, appends) == 20

            names = "abcdefgh"
            await asyncio.gather(*(feed((one, other)[nth % 2], name) for nth, name in enumerate(names)))
            assert await one.balances(["cage"]) == {"cage": -5 * 200 * len(names)}
        finally:
            await other.close()

    run_at(database, work)
    assert run_at(database, verify).fault is None


def test_nodes_that_start_at_once_make_the_tables_once(database: str) -> None:
    async def whole() -> None:
        stores = [PostgresStore(database) for _ in range(4)]
        await asyncio.gather(*(store.open() for store in stores))
        epochs = await asyncio.gather(*(store.claim(TABLE) for store in stores))
        assert sorted(epochs) == [1, 2, 3, 4]
        await asyncio.gather(*(store.close() for store in stores))

    asyncio.run(whole())


def test_changes_are_heard_on_every_node_once_they_are_committed(database: str) -> None:
    async def work(store: PostgresStore) -> None:
        other = PostgresStore(database)
        await other.open()
        changes = await other.changes()
        unheard = await other.changes()
        epoch = await store.claim(TABLE)
        await store.append(bet(0, epoch))
        assert await anext(changes) == Change(TABLE, 1)
        with pytest.raises(StoreFailed):
            await store.append(bet(0, epoch))
        await asyncio.gather(*(store.append(bet(version, epoch)) for version in range(1, 50)))
        while (change := await anext(changes)).version < 50:
            assert change.stream == TABLE
        assert (await anext(unheard)).stream == TABLE
        await other.close()
        assert [change async for change in changes] == []
        async for change in unheard:
            assert change.stream == TABLE

    run_at(database, work)


def test_who_listens_is_told_when_the_connection_is_lost(database: str) -> None:
    async def work(store: PostgresStore) -> None:
        changes = await store.changes()
        await cut(database)
        with pytest.raises(StoreFailed):
            await anext(changes)

    run_at(database, work)


# ---- many at once ------------------------------------------------------------------------------------------------


def test_what_waits_together_is_committed_together(database: str, tmp_path: Path) -> None:
    async def on_postgres(store: PostgresStore) -> None:
        epoch = await store.claim(TABLE)
        before = await store._all("SELECT pg_current_xact_id()::text::bigint")
        assert await acknowledged(store, [bet(version, epoch) for version in range(2_000)]) == 2_000
        after = await store._all("SELECT pg_current_xact_id()::text::bigint")
        assert after[0][0] - before[0][0] < 40

    async def on_sqlite(store: SqliteStore) -> None:
        epoch = await store.claim(TABLE)
        commits = 0

        def count(text: str) -> None:
            nonlocal commits
            commits += text == "COMMIT"

        file_of(store).db.set_trace_callback(count)
        assert await acknowledged(store, [bet(version, epoch) for version in range(2_000)]) == 2_000
        assert commits < 200

    run_at(database, on_postgres)
    run_at(tmp_path / "house.db", on_sqlite)


def test_sixty_four_writers_at_one_stream_are_written_in_order(run: Run) -> None:
    async def work(store: Store) -> None:
        epoch = await store.claim(TABLE)
        version = 0

        async def writer() -> None:
            nonlocal version
            for _ in range(10):
                version, mine = version + 1, version
                await store.append(bet(mine, epoch))

        await asyncio.gather(*(writer() for _ in range(64)))
        assert (await store.head(TABLE))[0] == 640
        assert (await verify(store)).fault is None

    run(work)


def test_the_guards_of_the_database_hold_without_the_plan(database: str) -> None:
    """The triggers and checks repeat what was planned, for whoever writes past it."""
    run_at(database, sound)
    for text in ("TRUNCATE events", "TRUNCATE postings", "UPDATE streams SET version = 2, in_play = 7"):
        with pytest.raises(asyncpg.IntegrityConstraintViolationError):
            statement(database, text)
