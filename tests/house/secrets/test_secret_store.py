"""Secrets in the store are under a key that is not in it: what the key does not open, nobody reads or exchanges."""

import asyncio
import os
import secrets
import sqlite3
from base64 import b32decode, b64encode
from collections.abc import Awaitable, Callable
from contextlib import closing
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest

from puntobanco.house.audit.proof import prove_house
from puntobanco.house.identity.totp import STEP, SecondFactors, totp
from puntobanco.house.operations.settings import StoreSettings as Told
from puntobanco.house.secrets import keyring
from puntobanco.house.secrets.keyring import Keyring
from puntobanco.house.secrets.secret_store import (
    CANARY,
    MARK,
    UNFINISHED,
    EncryptedSecretStore,
    NoKey,
    Unreadable,
    declared_lost,
    unlocked,
)
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store import open_store, schema
from puntobanco.store.base import Store
from puntobanco.store.records import StoreFailed, checksum
from puntobanco.store.verify import Discrepancy
from tests.house.shoes.test_sealed_shoes import played, proof_of
from tests.house.staffed import Floor
from tests.house.stores import Clock
from tests.store.test_verify import tamper

Work = Callable[[Store, EncryptedSecretStore], Awaitable[Any]]


def told(place: str, folder: Path) -> Told:
    return Told(place=place, key_file=str(folder / "house.key"))


def at(kept: Told, work: Work) -> Any:
    """With the store, and the vault of a house that starts."""

    async def whole() -> Any:
        store = open_store(kept.place)
        await store.open()
        try:
            return await work(store, await unlocked(store, kept))
        finally:
            await store.close()

    return asyncio.run(whole())


async def one_of_each(store: Store, secret_store: EncryptedSecretStore) -> None:
    await secret_store.seal("one/shoe", b"the order")
    await secret_store.seal("second_factor:ann", b"the secret")
    await store.seal("password:ann", b"a hash")


async def contents(store: Store, secret_store: EncryptedSecretStore) -> list[bytes | None]:
    return [
        await secret_store.sealed("one/shoe"),
        await secret_store.sealed("second_factor:ann"),
        await store.sealed("password:ann"),
    ]


def test_what_is_sealed_is_in_neither_store_nor_backup_and_only_the_key_opens_it(place: str, tmp_path: Path) -> None:
    kept = told(place, tmp_path)

    async def raw(store: Store, _secret_store: EncryptedSecretStore) -> list[bytes]:
        return [await store.sealed(name) or b"" for name in ("one/shoe", "second_factor:ann")]

    at(kept, one_of_each)
    assert at(kept, contents) == [b"the order", b"the secret", b"a hash"]
    for written in at(kept, raw):
        assert written.startswith(MARK)
        assert b"the " not in written
    if place.startswith("/"):
        assert b"the order" not in Path(place).read_bytes()


def test_the_same_content_is_never_written_the_same_way(tmp_path: Path) -> None:
    async def work(store: Store, secret_store: EncryptedSecretStore) -> set[bytes | None]:
        written = set()
        for _ in range(20):
            await secret_store.seal("one/shoe", b"the order")
            written.add(await store.sealed("one/shoe"))
        return written

    assert len(at(told(str(tmp_path / "house.db"), tmp_path), work)) == 20


def test_rows_that_were_exchanged_or_changed_are_not_opened(place: str, tmp_path: Path) -> None:
    async def work(store: Store, secret_store: EncryptedSecretStore) -> None:
        await one_of_each(store, secret_store)
        whole = await store.sealed("one/shoe") or b""
        await store.seal("two/shoe", whole)
        await store.seal("second_factor:ann", whole)
        for name in ("two/shoe", "second_factor:ann"):
            with pytest.raises(Unreadable, match="was changed"):
                await secret_store.sealed(name)
        for nth in range(len(whole)):
            spoilt = bytearray(whole)
            spoilt[nth] ^= 1
            await store.seal("second_factor:ann", bytes(spoilt))
            with pytest.raises(Unreadable):
                await secret_store.sealed("second_factor:ann")
        for length in range(len(whole)):
            await store.seal("second_factor:ann", whole[:length])
            with pytest.raises(Unreadable):
                await secret_store.sealed("second_factor:ann")

    at(told(place, tmp_path), work)


def test_rows_an_earlier_version_wrote_in_clear_are_encrypted_at_the_start(place: str, tmp_path: Path) -> None:
    kept = told(place, tmp_path)

    async def clear(store: Store) -> None:
        await store.seal("one/shoe", b"the order")
        await store.seal("second_factor:ann", b"the secret")
        await store.seal("password:ann", b"a hash")

    async def before() -> None:
        store = open_store(place)
        await store.open()
        await clear(store)
        await store.close()

    async def begins(store: Store, _secret_store: EncryptedSecretStore) -> dict[str, bytes]:
        return await store.sealed_begins(len(MARK))

    asyncio.run(before())
    assert at(kept, contents) == [b"the order", b"the secret", b"a hash"]
    assert at(kept, begins) == {
        "one/shoe": MARK, "second_factor:ann": MARK, CANARY: MARK, "password:ann": b"a ha",
    }  # fmt: skip
    if place.startswith("/"):
        assert b"the order" not in Path(place).read_bytes(), "what was overwritten is gone"


def test_a_second_factor_in_clear_is_not_believed_once_the_store_is_encrypted(tmp_path: Path) -> None:
    async def work(store: Store, secret_store: EncryptedSecretStore) -> None:
        await store.seal("second_factor:ann", b"{}")
        with pytest.raises(Unreadable, match="is not sealed"):
            await secret_store.sealed("second_factor:ann")

    at(told(str(tmp_path / "house.db"), tmp_path), work)
    at(told(str(tmp_path / "house.db"), tmp_path), lambda _, secret_store: still(secret_store))


@pytest.mark.parametrize(
    ("content", "why"), [(None, "was changed since it was sealed"), (b'{"secret": "mine"}', "is not sealed")]
)
@pytest.mark.parametrize("name", ["second_factor:ann", CANARY])
def test_a_second_factor_that_was_changed_with_its_checksum_is_found_by_a_proof(
    tmp_path: Path, name: str, content: bytes | None, why: str
) -> None:
    kept = told(str(tmp_path / "house.db"), tmp_path)

    async def proven(store: Store, secret_store: EncryptedSecretStore) -> Discrepancy | None:
        return (await prove_house(store, secret_store.ring)).fault

    async def change(store: Store, secret_store: EncryptedSecretStore) -> tuple[Discrepancy | None, ...]:
        written = await store.sealed(name) or b""
        await store.seal(name, content or written[:-1] + bytes([written[-1] ^ 1]))
        return await proven(store, secret_store), (await prove_house(store)).fault

    at(kept, one_of_each)
    assert at(kept, proven) is None
    with_key, without = at(kept, change)
    assert str(with_key) == f"table sealed, row {name}: {name} {why}"
    assert without == (with_key if content else None), "what is not sealed shows without the key"


@pytest.mark.parametrize("change", ["content = 'words'", "content = 5", "name = CAST(name AS BLOB)"])
def test_a_sealed_row_of_other_types_is_nobodys_secret_and_no_fault_of_ours(tmp_path: Path, change: str) -> None:
    """SQLite keeps anything in any column, and anybody can compute a checksum."""
    kept = told(str(tmp_path / "house.db"), tmp_path)

    async def proven(store: Store, secret_store: EncryptedSecretStore) -> Discrepancy | None:
        return (await prove_house(store, secret_store.ring)).fault

    at(kept, one_of_each)
    tamper(kept.place, f"UPDATE sealed SET {change} WHERE name = 'second_factor:ann'")
    with closing(sqlite3.connect(kept.place)) as db:
        for row in db.execute("SELECT name, content FROM sealed").fetchall():
            db.execute("UPDATE sealed SET checksum = ? WHERE name = ?", (checksum(*row), row[0]))
        db.commit()
    fault = at(kept, proven)
    if "name" in change:
        assert fault is None, "there is no such row any more"
    else:
        assert (fault.table, fault.key) == ("sealed", "second_factor:ann")


def test_the_second_factors_of_an_earlier_version_are_proven_as_they_are(tmp_path: Path) -> None:
    async def work() -> Discrepancy | None:
        store = open_store(str(tmp_path / "house.db"))
        await store.open()
        try:
            await store.seal("second_factor:ann", b"in clear")
            return (await prove_house(store)).fault
        finally:
            await store.close()

    assert asyncio.run(work()) is None


async def still(secret_store: EncryptedSecretStore) -> None:
    """Nor is it encrypted by the next start as if an earlier version had written it."""
    with pytest.raises(Unreadable, match="is not sealed"):
        await secret_store.sealed("second_factor:ann")


@pytest.mark.parametrize(
    "canary", [None, b"", UNFINISHED, MARK + bytes(60)], ids=["none", "empty", "unfinished", "damaged"]
)
def test_nothing_in_clear_is_believed_beside_what_is_encrypted_whatever_becomes_of_the_canary(
    place: str, tmp_path: Path, canary: bytes | None
) -> None:
    kept = told(place, tmp_path)

    async def put(store: Store, secret_store: EncryptedSecretStore) -> None:
        await one_of_each(store, secret_store)
        await store.seal("one/next", b"an order of their own")
        await store.unseal(CANARY)
        if canary is not None:
            await store.seal(CANARY, canary)

    async def read(_store: Store, secret_store: EncryptedSecretStore) -> None:
        for looks in (secret_store, EncryptedSecretStore(secret_store.store, Keyring.none())):
            with pytest.raises(Unreadable, match="one/next is not sealed"):
                await looks.sealed("one/next")
        assert await secret_store.sealed("one/shoe") == b"the order"

    at(kept, put)
    at(kept, read)
    at(kept, read)


@pytest.mark.parametrize("after", range(4))
def test_a_first_encryption_that_is_cut_off_is_finished_by_the_next_start(tmp_path: Path, after: int) -> None:
    kept = told(str(tmp_path / "house.db"), tmp_path)

    async def cut() -> None:
        store, left = open_store(kept.place), [after]
        await store.open()
        for name in ("one/shoe", "second_factor:ann", "password:ann"):
            await store.seal(name, {"o": b"the order", "s": b"the secret", "p": b"a hash"}[name[0]])
        seal = store.seal

        async def sealing(name: str, content: bytes) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise OSError("the power failed")
            await seal(name, content)

        store.seal = sealing  # type: ignore[method-assign]
        with pytest.raises(OSError, match="the power failed"):
            await unlocked(store, kept)
        await store.close()

    asyncio.run(cut())
    assert at(kept, contents) == [b"the order", b"the secret", b"a hash"]


@pytest.mark.parametrize("content", [b"", b"{}", b"nonsense", MARK + bytes(60)])
def test_nobody_gets_in_without_a_code_by_spoiling_the_row_of_a_second_factor(tmp_path: Path, content: bytes) -> None:
    async def work(store: Store, secret_store: EncryptedSecretStore) -> None:
        clock = Clock()
        factors = SecondFactors(secret_store, clock)
        enrolment = await factors.enrol("ann")
        assert await factors.confirm("ann", totp(b32decode(enrolment.secret), clock() // STEP))
        await store.seal("second_factor:ann", content)
        assert await factors.has("ann")
        for code in ("", "000000", totp(b"", clock() // STEP), enrolment.recovery[0]):
            assert not await factors.check("ann", code)
            assert not await factors.confirm("ann", code)
        await factors.remove("ann")
        assert not await factors.has("ann")

    at(told(str(tmp_path / "house.db"), tmp_path), work)


# ---- the key -----------------------------------------------------------------------------------------------------


def test_a_key_that_could_not_be_written_is_made_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = told(str(tmp_path / "house.db"), tmp_path)

    def full(_: int) -> None:
        raise OSError(ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("puntobanco.house.secrets.keyring.os.fsync", full)
        with pytest.raises(OSError, match="No space left"):
            keyring.created(kept)
    assert not (tmp_path / "house.key").exists()
    at(kept, one_of_each)
    assert at(kept, contents)[0] == b"the order"


def test_the_key_is_its_owners_alone_and_is_made_once(tmp_path: Path) -> None:
    kept, path = told(str(tmp_path / "house.db"), tmp_path), tmp_path / "house.key"
    at(kept, one_of_each)
    made = path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600
    at(kept, contents)
    assert path.read_bytes() == made
    assert list(tmp_path.glob("*.part")) == []
    path.chmod(0o640)
    with pytest.raises(Refused) as refused:
        at(kept, contents)
    assert refused.value.reason is Reason.KEY_EXPOSED


@pytest.mark.parametrize("text", ["", "\n", "abc", "A" * 44, b64encode(bytes(31)).decode(), "ключ", "\x00" * 44])
def test_a_key_that_cannot_be_read_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "house.key"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(Refused) as refused:
        at(told(str(tmp_path / "house.db"), tmp_path), contents)
    assert refused.value.reason is Reason.KEY_UNREADABLE
    assert path.read_text(encoding="utf-8") == text


def test_a_pipe_is_no_key_and_nobody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "house.key", 0o600)
    with pytest.raises(Refused) as refused:
        at(told(str(tmp_path / "house.db"), tmp_path), contents)
    assert refused.value.reason is Reason.KEY_UNREADABLE


@pytest.mark.parametrize("missing", [True, False])
def test_a_house_whose_key_is_missing_or_another_one_does_not_start(
    place: str, tmp_path: Path, *, missing: bool
) -> None:
    kept, path = told(place, tmp_path), tmp_path / "house.key"
    at(kept, one_of_each)
    path.unlink()
    if not missing:
        keyring.created(kept)
    with pytest.raises(Refused) as refused:
        at(kept, contents)
    assert refused.value.reason is Reason.KEY_MISSING
    assert path.exists() is not missing, "no other key is made"


def test_one_row_whose_key_id_is_damaged_does_not_keep_the_house_from_starting(tmp_path: Path) -> None:
    kept = told(str(tmp_path / "house.db"), tmp_path)

    async def spoil(store: Store, secret_store: EncryptedSecretStore) -> None:
        await secret_store.seal("one/shoe", b"the order")
        await store.seal("one/shoe", MARK + b"f" * 16 + (await store.sealed("one/shoe") or b"")[20:])

    async def read(_store: Store, secret_store: EncryptedSecretStore) -> None:
        with pytest.raises(NoKey):
            await secret_store.sealed("one/shoe")

    at(kept, spoil)
    at(kept, read)


def test_the_key_may_come_by_the_environment_and_the_first_of_several_writes(tmp_path: Path) -> None:
    old, new = (b64encode(secrets.token_bytes(32)).decode() for _ in range(2))
    kept = Told(place=str(tmp_path / "house.db"), key=old)
    at(kept, one_of_each)
    assert at(Told(place=kept.place, key=f"{new}, {old}"), contents) == [b"the order", b"the secret", b"a hash"]
    assert at(Told(place=kept.place, key=new), contents) == [b"the order", b"the secret", b"a hash"]
    with pytest.raises(Refused):
        at(kept, contents)
    with pytest.raises(Refused) as refused:
        at(Told(place=kept.place, key=new), lambda _, secret_store: secret_store.rotate())
    assert refused.value.reason is Reason.KEY_IN_ENVIRONMENT
    assert [one.name for one in tmp_path.glob("*key*")] == []
    assert old not in repr(kept)


def test_a_rotation_leaves_one_new_key_that_opens_everything(place: str, tmp_path: Path) -> None:
    kept, path = told(place, tmp_path), tmp_path / "house.key"
    at(kept, one_of_each)
    old = path.read_text()
    at(kept, lambda _, secret_store: secret_store.rotate())
    assert len(path.read_text().split()) == 1
    assert path.read_text() != old
    assert path.stat().st_mode & 0o777 == 0o600
    assert at(kept, contents) == [b"the order", b"the secret", b"a hash"]
    path.write_text(old)
    with pytest.raises(Refused):
        at(kept, contents)


@pytest.mark.parametrize("after", range(6))
def test_a_rotation_that_is_cut_off_anywhere_is_finished_by_the_next_start(tmp_path: Path, after: int) -> None:
    """The power fails after so many writes of rows and of the key file."""
    kept, path = told(str(tmp_path / "house.db"), tmp_path), tmp_path / "house.key"
    at(kept, one_of_each)

    async def cut(_store: Store, secret_store: EncryptedSecretStore) -> None:
        left, seal, keep = [after], secret_store.seal, Keyring.keep

        def spend() -> None:
            left[0] -= 1
            if left[0] < 0:
                raise OSError("the power failed")

        async def sealing(name: str, content: bytes) -> None:
            spend()
            await seal(name, content)

        def keeping(ring: Keyring) -> None:
            spend()
            keep(ring)

        secret_store.seal = sealing  # type: ignore[method-assign]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Keyring, "keep", keeping)
            await secret_store.rotate()

    if after < 5:
        with pytest.raises(OSError, match="the power failed"):
            at(kept, cut)
    else:
        at(kept, cut)
    assert at(kept, contents) == [b"the order", b"the secret", b"a hash"]
    path.write_text(path.read_text().split()[0] + "\n")
    assert at(kept, contents) == [b"the order", b"the secret", b"a hash"], "the first key opens everything"


def test_a_lost_key_costs_orders_and_second_factors_and_nothing_else(place: str, tmp_path: Path) -> None:
    kept = told(place, tmp_path)
    at(kept, one_of_each)

    async def lost() -> tuple[str, ...]:
        store = open_store(place)
        await store.open()
        try:
            return (await declared_lost(store, kept))[1]
        finally:
            await store.close()

    with pytest.raises(Refused) as refused:
        asyncio.run(lost())
    assert refused.value.reason is Reason.KEY_FOUND
    (tmp_path / "house.key").unlink()
    (id,) = asyncio.run(lost())
    assert len(id) == 16

    async def left(store: Store, secret_store: EncryptedSecretStore) -> None:
        with pytest.raises(NoKey):
            await secret_store.sealed("one/shoe")
        assert await secret_store.sealed("second_factor:ann") is None
        assert await store.sealed("password:ann") == b"a hash"
        await secret_store.seal("one/next", b"the next order")

    at(kept, left)


# ---- the last version's stores -----------------------------------------------------------------------------------


def test_a_store_of_the_last_version_opens_is_encrypted_and_every_card_in_it_is_proven(
    place: str, tmp_path: Path
) -> None:
    """Rows in clear and without checksums, and no key."""
    floor = Floor(tmp_path, place)
    floor.run(played)

    async def clear() -> None:
        store = open_store(place)
        await store.open()
        ring = keyring.found(floor.kept)
        assert ring is not None
        secret_store = EncryptedSecretStore(store, ring)
        for name in await store.sealed_names("one/"):
            await store.seal(name, await secret_store.sealed(name) or b"")
        await store.unseal(CANARY)
        await store.close()

    asyncio.run(clear())
    tamper(place, *(f"ALTER TABLE {table.name} DROP COLUMN checksum" for table in schema.SUMMED),
           "UPDATE meta SET value = '1'")  # fmt: skip
    Path(floor.kept.key_file).unlink()
    if place.startswith("/"):
        fault, tally = proof_of(floor, Keyring.none())
        assert (fault, tally.shoes, tally.missing) == ("", 2, 0), "as it is, without a key"
    else:
        with pytest.raises(StoreFailed, match="of an earlier program: open it with this one first"):
            proof_of(floor, Keyring.none())

    async def begins(house: Any) -> set[bytes]:
        rows = await house.store.sealed_begins(len(MARK))
        return {begins for name, begins in rows.items() if name.startswith("one/")}

    assert floor.run(begins) == {MARK}
    fault, tally = proof_of(floor)
    assert (fault, tally.shoes, tally.missing) == ("", 2, 0)
    assert tally.cards >= 8


def test_a_failing_store_is_not_mistaken_for_a_tampered_one(tmp_path: Path) -> None:
    async def work(store: Store, secret_store: EncryptedSecretStore) -> None:
        await store.close()
        with pytest.raises(StoreFailed):
            await secret_store.sealed("one/shoe")

    at(told(str(tmp_path / "house.db"), tmp_path), work)
