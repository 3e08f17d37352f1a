"""Whatever is changed behind the back of the store is found, with the stream and the version."""

import asyncio
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncpg
import pytest

from puntobanco.ledger.accounts import Transfer, TransferKind
from puntobanco.store.base import Store
from puntobanco.store.places import read_only
from puntobanco.store.postgres import PostgresMoment, PostgresStore
from puntobanco.store.records import Append, Fact, Failed, StoreFailed
from puntobanco.store.restore import restore
from puntobanco.store.sqlite import SqliteStore
from puntobanco.store.verify import Discrepancy, Verification, verify
from tests.store.conftest import Run, run_at
from tests.store.engines import statement

NOBODY = 65_534
"""A user of every machine who owns nothing."""


async def filled(store: Store) -> None:
    """Two tables of twelve events: a purchase, ten bets and a win."""
    for name in ("one", "two"):
        epoch = await store.claim(name)
        for version in range(12):
            move = Transfer(TransferKind.STAKE, f"purse:{name}:ann", f"stakes:{name}", 10)
            if version == 0:
                move = Transfer(TransferKind.BUY_IN, "cage", f"purse:{name}:ann", 500)
            elif version == 11:
                move = Transfer(TransferKind.WIN, f"house:{name}", f"purse:{name}:ann", 40)
            await store.append(
                Append(stream=name, expected=version, epoch=epoch,
                       facts=[Fact("Said.1", version, b"%d" % version, [move])], in_play=10 * min(version, 10))
            )  # fmt: skip


def tamper(place: str, *texts: str) -> None:
    """As one who has the database in hand and switches off what guards it."""
    if place.startswith("postgresql"):
        statement(place, "SET session_replication_role = replica", *texts)
        return
    with closing(sqlite3.connect(place)) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        for text in texts:
            db.execute(text)
        db.commit()


def blob(place: str, text: str) -> str:
    return f"'\\x{text.encode().hex()}'::bytea" if place.startswith("postgresql") else f"x'{text.encode().hex()}'"


def test_a_store_left_alone_is_proven(run: Run) -> None:
    run(filled)
    proof: Verification = run(verify)
    assert (proof.streams, proof.events, proof.postings, proof.fault) == (2, 24, 24, None)
    assert list(proof.heads) == ["one", "two"]
    assert proof.heads["one"] == run(lambda store: store.head("one"))[1].hex()


def test_a_database_in_use_is_proven_as_of_one_moment(database: str) -> None:
    async def whole() -> None:
        house, moment, later = PostgresStore(database), PostgresMoment(database), PostgresMoment(database)
        await house.open()
        await house.sole()
        await filled(house)
        await moment.open()
        before = await verify(moment)
        bought = Fact("Said.1", 1, b"1", [Transfer(TransferKind.BUY_IN, "cage", "purse:three:ann", 5)])
        await house.append(Append(stream="three", expected=0, epoch=await house.claim("three"), facts=[bought]))
        assert await verify(moment) == before
        assert (before.fault, before.events) == (None, 24)
        with pytest.raises(StoreFailed):
            await moment.claim("four")
        await later.open()
        assert (await verify(later)).events == 25
        for store in (moment, later, house):
            await store.close()

    asyncio.run(whole())


def test_a_watch_is_told_how_far_it_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puntobanco.store.verify.TOLD_EVERY", 5)
    told: list[tuple[str, int, int]] = []
    run(filled)
    run(lambda store: verify(store, watch=lambda *how_far: told.append(how_far)))
    assert told == [("one", 5, 24), ("one", 10, 24), ("two", 17, 24), ("two", 22, 24)]


def test_an_empty_store_is_proven(run: Run) -> None:
    assert run(verify) == Verification(streams=0, events=0, postings=0)


def test_a_changed_byte_is_found(run: Run, place: str) -> None:
    run(filled)
    tamper(place, f"UPDATE events SET body = {blob(place, '8')} WHERE stream = 'two' AND version = 6")
    fault = run(verify).fault
    assert (fault.stream, fault.version) == ("two", 6)
    assert str(fault).startswith("stream two, version 6: the hash")


@pytest.mark.parametrize("version", [1, 7, 12])
def test_a_removed_event_is_found(run: Run, place: str, version: int) -> None:
    run(filled)
    tamper(place, f"DELETE FROM events WHERE stream = 'one' AND version = {version}")
    fault = run(verify).fault
    assert (fault.stream, fault.version) == ("one", version)
    assert "missing" in fault.what


def test_a_shortened_history_is_found(run: Run, place: str) -> None:
    run(filled)
    tamper(place, "DELETE FROM events WHERE stream = 'one' AND version > 9",
           "UPDATE streams SET version = 9 WHERE stream = 'one'")  # fmt: skip
    fault = run(verify).fault
    assert (fault.stream, fault.version) == ("one", 9)


def test_a_purse_that_paid_before_it_was_filled_is_found(run: Run, place: str) -> None:
    """In the end everything adds up."""

    async def late(store: Store) -> None:
        bets = [
            Transfer(TransferKind.STAKE, "purse:one:ann", "stakes:one", 10),
            Transfer(TransferKind.BUY_IN, "cage", "purse:one:ann", 10),
        ]
        facts = [Fact("Said.1", 1, b"1", [bet]) for bet in reversed(bets)]
        await store.append(Append(stream="one", expected=0, epoch=await store.claim("one"), facts=facts, in_play=10))

    run(late)
    swapped = "UPDATE postings SET kind = '{}', source = '{}', target = '{}' WHERE version = {}"
    tamper(place, swapped.format("stake", "purse:one:ann", "stakes:one", 1),
           swapped.format("buy_in", "cage", "purse:one:ann", 2))  # fmt: skip
    assert run(verify).fault == Discrepancy("one", 1, "purse:one:ann is negative")


def test_a_kind_that_is_bytes_is_found_although_it_has_the_hash_of_its_text(run: Run, place: str) -> None:
    run(filled)
    other = "'gift'" if place.startswith("postgresql") else "CAST(kind AS BLOB)"
    tamper(place, f"UPDATE postings SET kind = {other} WHERE stream = 'two' AND version = 2")
    assert "is of no kind there is" in str(run(verify).fault)


def test_two_events_in_the_wrong_order_are_found(run: Run, place: str) -> None:
    run(filled)
    tamper(
        place,
        *(f"UPDATE events SET version = {new} WHERE stream = 'one' AND version = {old}"
          for old, new in ((4, 99), (5, 4), (99, 5))),
    )  # fmt: skip
    fault = run(verify).fault
    assert (fault.stream, fault.version) == ("one", 4)


def test_an_event_put_in_front_is_found(run: Run, place: str) -> None:
    run(filled)
    tamper(place, "UPDATE events SET version = 13 WHERE stream = 'one' AND version = 12")
    fault = run(verify).fault
    assert (fault.stream, fault.version) == ("one", 12)


def test_money_that_was_not_moved_is_found(run: Run, place: str) -> None:
    run(filled)
    tamper(place, "UPDATE balances SET amount = amount + 1 WHERE account = 'purse:two:ann'")
    assert run(verify).fault == Discrepancy("two", 12, "purse:two:ann holds 441, its postings come to 440")


def test_a_removed_or_changed_posting_is_found(run: Run, place: str) -> None:
    run(filled)
    tamper(place, "DELETE FROM postings WHERE stream = 'two' AND version = 5")
    fault = run(verify).fault
    assert (fault.stream, fault.version) == ("two", 12)
    assert "purse:two:ann holds 440, its postings come to 450" in str(fault)


def test_a_posting_without_its_event_is_found(run: Run, place: str) -> None:
    run(filled)
    tamper(place, "UPDATE postings SET version = 13 WHERE stream = 'two' AND version = 5")
    fault = run(verify).fault
    assert (fault.stream, fault.version) == ("two", 13)


@pytest.mark.parametrize(
    "text",
    [
        "DELETE FROM streams WHERE stream = 'three'",
        "UPDATE events SET stream = 'four' WHERE stream = 'three'",
        "INSERT INTO events SELECT 'three', 0, epoch, kind, at, body, hash FROM events WHERE stream = 'three'",
    ],
)
def test_an_event_that_belongs_to_no_stream_is_found(run: Run, place: str, text: str) -> None:
    """No posting and no other event misses a history without money."""

    async def said(store: Store) -> None:
        await filled(store)
        fact = Fact("Said.1", 1, b"1", [])
        await store.append(Append(stream="three", expected=0, epoch=await store.claim("three"), facts=[fact]))

    run(said)
    checks = "ALTER TABLE events DROP CONSTRAINT events_version_check"
    tamper(place, *([checks] if place.startswith("postgresql") and "INSERT" in text else []), text)
    if "UPDATE" in text:
        tamper(place, "UPDATE streams SET version = 0, head = " + blob(place, "\0" * 32) + " WHERE stream = 'three'")
    fault = run(verify).fault
    where = ("four", 1) if "UPDATE" in text else ("three", 0 if "INSERT" in text else 1)
    assert fault == Discrepancy(*where, "the event belongs to no stream")


def test_an_account_of_no_table_is_named_by_its_row(run: Run, place: str) -> None:
    run(filled)
    tamper(place, "INSERT INTO balances VALUES ('nowhere', 5), ('the house', -5)")
    assert str(run(verify).fault) == "table balances, row nowhere: nowhere holds 5, its postings come to 0"


@pytest.mark.parametrize("key", ["x'ff'", "NULL"])
def test_a_key_that_is_no_text_is_found(tmp_path: Path, key: str) -> None:
    """SQLite keeps anything in any column."""
    place = tmp_path / "house.db"
    run_at(place, filled)
    tamper(str(place), f"INSERT INTO balances VALUES ({key}, 5)")
    assert run_at(place, verify).fault.table == "balances"


def test_an_account_from_nowhere_is_found(run: Run, place: str) -> None:
    run(filled)
    tamper(place, "INSERT INTO balances VALUES ('purse:two:eve', 5), ('the house', -5)")
    assert run(verify).fault == Discrepancy("two", 12, "purse:two:eve holds 5, its postings come to 0")


def test_stakes_that_are_not_in_play_are_found(run: Run, place: str) -> None:
    run(filled)
    tamper(place, "UPDATE streams SET in_play = 99 WHERE stream = 'two'")
    assert run(verify).fault == Discrepancy("two", 12, "99 lies on the layout, the account of stakes holds 100")


def test_the_database_itself_keeps_events_and_postings(run: Run, place: str) -> None:
    run(filled)
    for text in (
        "UPDATE events SET at = 5",
        "DELETE FROM events",
        "UPDATE postings SET amount = 1",
        "DELETE FROM postings",
        "UPDATE balances SET amount = -1 WHERE account = 'purse:one:ann'",
        "UPDATE streams SET version = 99, in_play = 0",
    ):
        with pytest.raises((sqlite3.IntegrityError, asyncpg.IntegrityConstraintViolationError)):  # noqa: PT012
            if place.startswith("postgresql"):
                statement(place, text)
            else:
                with closing(sqlite3.connect(place)) as db:
                    db.execute(text)
    assert run(verify).fault is None


# ---- backup and restore ------------------------------------------------------------------------------------------


def backed_up(folder: Path) -> Path:
    async def work(store: SqliteStore) -> None:
        await filled(store)
        await store.seal("shoe", b"order")
        await store.backup(folder / "copy.db")
        with pytest.raises(StoreFailed, match="exists: "):
            await store.backup(folder / "copy.db")

    run_at(folder / "house.db", work)
    return folder / "copy.db"


def restored(backup: Path, target: Path) -> Verification:
    return asyncio.run(restore(backup, target))


def test_a_backup_is_restored_whole_and_proven(tmp_path: Path) -> None:
    backup = backed_up(tmp_path)
    assert backup.stat().st_mode & 0o077 == 0
    proof = restored(backup, tmp_path / "again.db")
    assert (proof.streams, proof.events, proof.postings, proof.fault) == (2, 24, 24, None)

    async def contents(store: Store) -> object:
        rows = {name: [row async for row in store.read(name)] for name in await store.streams()}
        return (
            rows,
            await store.balances(),
            [one async for page in store.postings() for one in page],
            await store.sealed("shoe"),
        )

    assert run_at(tmp_path / "again.db", contents) == run_at(tmp_path / "house.db", contents)
    assert {path.name for path in tmp_path.iterdir()} == {"house.db", "copy.db", "again.db"}


def test_a_backup_made_while_bets_come_in_is_whole(tmp_path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        await filled(store)
        epoch = await store.claim("three")

        async def feed() -> None:
            for version in range(300):
                await store.append(
                    Append(stream="three", expected=version, epoch=epoch,
                      facts=[Fact("Said.1", 1, b"x", [Transfer(TransferKind.BUY_IN, "cage", "purse:three:ann", 1)])])
                )  # fmt: skip

        feeding = asyncio.create_task(feed())
        for nth in range(5):
            await store.backup(tmp_path / f"copy{nth}.db")
        await feeding

    run_at(tmp_path / "house.db", work)
    for nth in range(5):
        assert restored(tmp_path / f"copy{nth}.db", tmp_path / f"again{nth}.db").fault is None


def test_a_plain_copy_of_a_store_is_restored_and_left_as_it_is(tmp_path: Path) -> None:
    """Not a backup, but the file itself, as somebody copied it while the house was at rest."""
    backed_up(tmp_path)
    assert restored(tmp_path / "house.db", tmp_path / "again.db").fault is None
    assert {path.name for path in tmp_path.iterdir()} == {"house.db", "copy.db", "again.db"}


def test_a_copy_on_a_medium_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    backed_up(tmp_path)
    with TemporaryDirectory() as name:
        medium, user = Path(name), os.geteuid()
        shutil.copy(tmp_path / "house.db", medium)
        (medium / "house.db").chmod(0o444)
        medium.chmod(0o555)
        os.seteuid(user or NOBODY)  # root may write anywhere
        try:
            with closing(read_only(medium / "house.db")) as found:
                assert found.execute("SELECT count(*) FROM events").fetchone() == (24,)
            assert [path.name for path in medium.iterdir()] == ["house.db"]
        finally:
            os.seteuid(user)
            medium.chmod(0o755)


def test_restore_writes_over_nothing(tmp_path: Path) -> None:
    backup = backed_up(tmp_path)
    with pytest.raises(StoreFailed, match="exists: "):
        restored(backup, tmp_path / "house.db")
    with pytest.raises(StoreFailed, match="no backup"):
        restored(tmp_path / "nothing.db", tmp_path / "again.db")
    (tmp_path / "again.db-wal").write_bytes(b"of another")
    with pytest.raises(StoreFailed, match="exists: "):
        restored(backup, tmp_path / "again.db")


def test_a_backup_with_a_fault_is_not_restored(tmp_path: Path) -> None:
    backup = backed_up(tmp_path)
    tamper(str(backup), "UPDATE events SET body = x'00' WHERE stream = 'one' AND version = 3")
    with pytest.raises(StoreFailed, match="stream one, version 3"):
        restored(backup, tmp_path / "again.db")
    (tmp_path / "page.db").write_bytes(b"SQLite format 3\0" + bytes(5000))
    with pytest.raises(StoreFailed) as failed:
        restored(tmp_path / "page.db", tmp_path / "again.db")
    assert failed.value.why is Failed.STORAGE
    assert not (tmp_path / "again.db").exists()
    assert not list(tmp_path.glob("again*"))
