"""Rows that nothing else proves carry a checksum: whatever is changed in one is found, with its table and key."""

import asyncio
from pathlib import Path

import pytest

from puntobanco.store import schema
from puntobanco.store.base import Store
from puntobanco.store.records import Append, Fact, Snapshot, StoredAnswer, StoreFailed, checksum
from puntobanco.store.restore import restore
from puntobanco.store.sqlite import SqliteStore
from puntobanco.store.verify import Discrepancy, verify
from tests.store.conftest import Run, run_at
from tests.store.test_verify import blob, tamper


async def filled(store: Store) -> None:
    epoch = await store.claim("one")
    answers = [StoredAnswer("ann", f"r{nth}", b"asked", b"answer") for nth in range(3)]
    await store.append(Append(stream="one", expected=0, epoch=epoch, facts=[Fact("Said.1", 1, b"a")], answers=answers))
    await store.keep_snapshot("one", Snapshot(1, "x", b"state"))
    await store.seal("session:1", b"content")
    await store.seal("session:2", b"other")


async def faults(store: Store) -> Discrepancy | None:
    return (await verify(store)).fault


CHANGES = {
    "an answer": ("UPDATE answers SET answer = {x} WHERE request = 'r1'", "answers, row ann/r1"),
    "what was asked": ("UPDATE answers SET asked = {x} WHERE request = 'r2'", "answers, row ann/r2"),
    "whose answer it is": ("UPDATE answers SET person = 'bob' WHERE request = 'r0'", "answers, row bob/r0"),
    "an answer's checksum": ("UPDATE answers SET checksum = {x} WHERE request = 'r1'", "answers, row ann/r1"),
    "no checksum": ("UPDATE answers SET checksum = NULL WHERE request = 'r1'", "answers, row ann/r1"),
    "a snapshot": ("UPDATE snapshots SET body = {x}", "snapshots, row one"),
    "a snapshot's version": ("UPDATE snapshots SET version = 0", "snapshots, row one"),
    "a snapshot's schema": ("UPDATE snapshots SET schema = 'y'", "snapshots, row one"),
    "what is sealed": ("UPDATE sealed SET content = {x} WHERE name = 'session:2'", "sealed, row session:2"),
    "the name of what is sealed": ("UPDATE sealed SET name = 'session:3' WHERE name = 'session:1'", "row session:3"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_row_is_found_with_its_table_and_key(run: Run, place: str, what: str) -> None:
    run(filled)
    assert run(faults) is None
    change, named = CHANGES[what]
    tamper(place, change.format(x=blob(place, "else")))
    fault = run(faults)
    assert str(fault).startswith("table ")
    assert f"{named}: the checksum is not that of the row" in str(fault)


def test_two_rows_that_were_exchanged_are_found(run: Run, place: str) -> None:
    run(filled)
    exchange = "UPDATE sealed SET name = CASE name WHEN 'session:1' THEN 'x' WHEN 'session:2' THEN 'session:1' END"
    tamper(place, exchange, "UPDATE sealed SET name = 'session:2' WHERE name = 'x'")
    assert "table sealed, row session:1: " in str(run(faults))


def test_every_page_of_rows_is_read(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puntobanco.store.base.SUMMED_AT_ONCE", 1)
    run(filled)

    async def keys(store: Store) -> list[str]:
        return [row.key async for row in store.summed() if row.sound]

    assert run(keys) == ["ann/r0", "ann/r1", "ann/r2", "one", "session:1", "session:2"]


def test_a_snapshot_with_another_checksum_is_not_used(run: Run, place: str) -> None:
    run(filled)
    tamper(place, f"UPDATE snapshots SET body = {blob(place, 'else')}")
    assert run(lambda store: store.snapshot("one")) is None


def test_rows_of_the_first_schema_get_their_checksums_when_the_store_is_opened(run: Run, place: str) -> None:
    run(filled)
    assert schema.STEPS[0].count("ADD COLUMN checksum") == len(schema.SUMMED)
    tamper(place, *(f"ALTER TABLE {table.name} DROP COLUMN checksum" for table in schema.SUMMED),
           "UPDATE meta SET value = '1'")  # fmt: skip
    assert run(faults) is None

    async def kept(store: Store) -> tuple[StoredAnswer | None, bytes | None]:
        return await store.answered("ann", "r1"), await store.sealed("session:1")

    assert run(kept) == (StoredAnswer("ann", "r1", b"asked", b"answer"), b"content")


def test_a_backup_with_a_changed_answer_is_not_restored(tmp_path: Path) -> None:
    async def copy(store: SqliteStore) -> None:
        await filled(store)
        await store.backup(tmp_path / "copy.db")

    run_at(tmp_path / "house.db", copy)
    tamper(str(tmp_path / "copy.db"), "UPDATE answers SET answer = x'00' WHERE request = 'r1'")
    with pytest.raises(StoreFailed, match="table answers, row ann/r1"):
        asyncio.run(restore(tmp_path / "copy.db", tmp_path / "again.db"))
    assert not list(tmp_path.glob("again*"))


def test_no_two_rows_have_their_columns_alike() -> None:
    assert checksum("a", "bc") != checksum("ab", "c")
    assert checksum("1") != checksum(1) != checksum(b"1")
    assert checksum("a", b"") != checksum("a")
