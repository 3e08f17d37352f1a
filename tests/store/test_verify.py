"""Whatever is changed behind the back of the store is found, with the stream and the version."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import asyncpg
import pytest

from puntobanco.ledger.accounts import Kind, Transfer
from puntobanco.store.records import Append, Fact, Failed, Store, StoreFailed
from puntobanco.store.restore import restore
from puntobanco.store.sqlite import SqliteStore
from puntobanco.store.verify import Fault, Proof, verify
from tests.store.conftest import Run, run_at
from tests.store.engines import statement


async def filled(store: Store) -> None:
    """Two tables of twelve events: a purchase, ten bets and a win."""
    for name in ("one", "two"):
        epoch = await store.claim(name)
        for version in range(12):
            move = Transfer(Kind.STAKE, f"purse:{name}:ann", f"stakes:{name}", 10)
            if version == 0:
                move = Transfer(Kind.BUY_IN, "cage", f"purse:{name}:ann", 500)
            elif version == 11:
                move = Transfer(Kind.WIN, f"house:{name}", f"purse:{name}:ann", 40)
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
    proof: Proof = run(verify)
    assert (proof.streams, proof.events, proof.postings, proof.fault) == (2, 24, 24, None)
    assert list(proof.heads) == ["one", "two"]
    assert proof.heads["one"] == run(lambda store: store.head("one"))[1].hex()


def test_an_empty_store_is_proven(run: Run) -> None:
    assert run(verify) == Proof(streams=0, events=0, postings=0)


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
    assert run(verify).fault == Fault("two", 12, "purse:two:ann holds 441, its postings come to 440")


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


def test_an_account_from_nowhere_is_found(run: Run, place: str) -> None:
    run(filled)
    tamper(place, "INSERT INTO balances VALUES ('purse:two:eve', 5), ('the house', -5)")
    assert run(verify).fault == Fault("two", 12, "purse:two:eve holds 5, its postings come to 0")


def test_stakes_that_are_not_in_play_are_found(run: Run, place: str) -> None:
    run(filled)
    tamper(place, "UPDATE streams SET in_play = 99 WHERE stream = 'two'")
    assert run(verify).fault == Fault("two", 12, "99 lies on the layout, the account of stakes holds 100")


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
        with pytest.raises(StoreFailed, match="not written over"):
            await store.backup(folder / "copy.db")

    run_at(folder / "house.db", work)
    return folder / "copy.db"


def restored(backup: Path, target: Path) -> Proof:
    return asyncio.run(restore(backup, target))


def test_a_backup_is_restored_whole_and_proven(tmp_path: Path) -> None:
    backup = backed_up(tmp_path)
    assert backup.stat().st_mode & 0o077 == 0
    proof = restored(backup, tmp_path / "again.db")
    assert (proof.streams, proof.events, proof.postings, proof.fault) == (2, 24, 24, None)

    async def contents(store: Store) -> object:
        rows = {name: [row async for row in store.read(name)] for name in await store.streams()}
        return rows, await store.balances(), [one async for one in store.postings()], await store.sealed("shoe")

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
                           facts=[Fact("Said.1", 1, b"x", [Transfer(Kind.BUY_IN, "cage", "purse:three:ann", 1)])])
                )  # fmt: skip

        feeding = asyncio.create_task(feed())
        for nth in range(5):
            await store.backup(tmp_path / f"copy{nth}.db")
        await feeding

    run_at(tmp_path / "house.db", work)
    for nth in range(5):
        assert restored(tmp_path / f"copy{nth}.db", tmp_path / f"again{nth}.db").fault is None


def test_restore_writes_over_nothing(tmp_path: Path) -> None:
    backup = backed_up(tmp_path)
    with pytest.raises(StoreFailed, match="not written over"):
        restored(backup, tmp_path / "house.db")
    with pytest.raises(StoreFailed, match="no backup"):
        restored(tmp_path / "nothing.db", tmp_path / "again.db")
    (tmp_path / "again.db-wal").write_bytes(b"of another")
    with pytest.raises(StoreFailed, match="not written over"):
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
