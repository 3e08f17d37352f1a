"""Tables are brought forward step by step, and never back."""

import asyncio
from pathlib import Path

import pytest

from puntobanco.store import schema
from puntobanco.store.base import Store
from puntobanco.store.records import Append, Fact, Failed, StoreFailed
from puntobanco.store.restore import restore
from puntobanco.store.sqlite import SqliteStore
from puntobanco.store.verify import verify
from tests.store.conftest import Run, run_at
from tests.store.test_verify import tamper

RELEASED = schema.STEPS
latest = schema.latest()
STEP = """
CREATE TABLE remarks (id {serial}, body {bytes} NOT NULL);
ALTER TABLE streams ADD COLUMN remark TEXT;
"""


async def fill(store: Store) -> None:
    epoch = await store.claim("one")
    await store.append(Append(stream="one", expected=0, epoch=epoch, facts=[Fact("Said.1", 1, b"a")]))


async def check(store: Store) -> None:
    assert [row.body async for row in store.read("one")] == [b"a"]
    assert (await verify(store)).fault is None


def test_an_earlier_schema_is_brought_forward_once_and_keeps_what_it_holds(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(fill)
    monkeypatch.setattr(schema, "STEPS", [*RELEASED, STEP])
    run(check)
    monkeypatch.setattr(schema, "STEPS", [*RELEASED, STEP, "CREATE INDEX remarked ON streams (remark);\n"])
    run(check)
    run(check)


def test_no_step_is_taken_under_a_program_that_uses_the_store(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would find tables that it does not know."""

    async def used(store: Store) -> None:
        await fill(store)
        await store.sole()
        await asyncio.to_thread(beside)
        assert [failed.why for failed in refused] == [Failed.IN_USE]
        await check(store)

    refused: list[StoreFailed] = []

    def beside() -> None:
        with monkeypatch.context() as later:
            later.setattr(schema, "STEPS", [*RELEASED, STEP])
            with pytest.raises(StoreFailed) as failed:
                run(check)
        refused.append(failed.value)

    run(used)
    monkeypatch.setattr(schema, "STEPS", [*RELEASED, STEP])
    run(check)


def test_a_new_store_takes_every_step(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "STEPS", [*RELEASED, STEP, "ALTER TABLE remarks ADD COLUMN at BIGINT;\n"])

    async def work(store: Store) -> None:
        assert await store.streams() == ()

    run(work)


def test_a_step_that_fails_leaves_the_store_as_it_was(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run(fill)
    monkeypatch.setattr(schema, "STEPS", [*RELEASED, STEP, "ALTER TABLE nowhere ADD COLUMN at BIGINT;\n"])
    with pytest.raises(StoreFailed) as failed:
        run(check)
    assert failed.value.why is Failed.STORAGE
    monkeypatch.setattr(schema, "STEPS", [*RELEASED, STEP])
    run(check)


def test_a_later_schema_is_refused_and_left_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run(fill)
    monkeypatch.setattr(schema, "STEPS", [*RELEASED, STEP])
    run(check)
    monkeypatch.setattr(schema, "STEPS", RELEASED)
    with pytest.raises(StoreFailed, match=f"has schema {latest + 1}, this program knows {latest}") as failed:
        run(check)
    assert failed.value.why is Failed.STORAGE
    monkeypatch.setattr(schema, "STEPS", [*RELEASED, STEP])
    run(check)


def test_a_backup_of_a_later_program_is_not_restored_by_an_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def copy(store: SqliteStore) -> None:
        await fill(store)
        await store.backup(tmp_path / "copy.db")

    monkeypatch.setattr(schema, "STEPS", [*RELEASED, STEP])
    run_at(tmp_path / "house.db", copy)
    monkeypatch.setattr(schema, "STEPS", RELEASED)
    with pytest.raises(StoreFailed, match=f"this program knows {latest}"):
        asyncio.run(restore(tmp_path / "copy.db", tmp_path / "again.db"))
    assert not list(tmp_path.glob("again*"))
    monkeypatch.setattr(schema, "STEPS", [*RELEASED, STEP])
    assert asyncio.run(restore(tmp_path / "copy.db", tmp_path / "again.db")).fault is None


@pytest.mark.parametrize("said", ["one", "", "-1", "0", None])
def test_a_store_that_does_not_say_its_schema_is_refused(run: Run, place: str, said: str | None) -> None:
    run(fill)
    changed = "DELETE FROM meta" if said is None else f"UPDATE meta SET value = '{said}'"
    tamper(place, changed)
    with pytest.raises(StoreFailed, match="does not say which schema") as failed:
        run(check)
    assert failed.value.why is Failed.STORAGE
