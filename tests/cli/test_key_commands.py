"""The key of the sealed rows from the command line: made, rotated, lost, and asked for when a backup comes back."""

import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest

from puntobanco.protocol import entries as b
from tests.cli.test_house_commands import Command, entries, fine, pb, refused
from tests.house.shoes.test_sealed_shoes import delete, exchange_cards_with_the_key, in_the_middle, played, tampered
from tests.house.staffed import Floor

__all__ = ["pb"]


def kinds() -> list[str]:
    return [type(entry).__name__ for entry in entries()]


def test_init_makes_the_key_beside_the_store(pb: Command) -> None:
    fine(pb("house init"))
    assert Path("house.db.key").stat().st_mode & 0o777 == 0o600
    Path("house.db.key").chmod(0o644)
    assert "mode to 0600" in refused(pb("house user list"))


def test_the_settings_say_where_the_key_is(pb: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNTOBANCO_STORE_KEY_FILE", "elsewhere.key")
    fine(pb("house init"))
    assert {one.name for one in Path().iterdir()} >= {"house.db", "elsewhere.key"}
    assert not Path("house.db.key").exists()
    monkeypatch.setenv("PUNTOBANCO_STORE_KEY_FILE", "nowhere/house.key")
    assert "declare it lost" in refused(pb("house user list"))


def test_a_key_in_the_environment_leaves_no_file_and_is_never_repeated(
    pb: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUNTOBANCO_STORE_KEY", "not-a-key-at-all")
    said = refused(pb("house init"))
    assert "not-a-key-at-all" not in said
    assert "32 bytes in base64" in said
    monkeypatch.setenv("PUNTOBANCO_STORE_KEY", b64encode(bytes(range(32))).decode())
    fine(pb("house init"))
    assert list(Path().glob("*.key")) == []
    assert "in front of it" in refused(pb("house key rotate"))


def test_a_settings_file_with_the_key_in_it_is_its_owners_alone(pb: Command) -> None:
    told = Path("house.toml")
    told.write_text(f'[store]\nkey = "{b64encode(bytes(range(32))).decode()}"\n')
    told.chmod(0o644)
    assert "0600" in refused(pb("house init --settings house.toml"))
    told.chmod(0o600)
    fine(pb("house init --settings house.toml"))


def test_a_rotation_is_in_the_book_and_earlier_backups_need_the_earlier_key(pb: Command, tmp_path: Path) -> None:
    Floor(tmp_path).run(played)
    fine(pb("house backup copy.db"))
    old = Path("house.db.key").read_bytes()
    said = fine(pb("house key rotate"))
    assert "house.db.key: new key" in said
    assert "KeyRotated" in kinds()
    assert "Verification passed" in fine(pb("house verify"))
    code, _, err = pb("house verify copy.db")
    assert code == 1
    assert err.startswith("NOT CHECKED: 2 shoes are encrypted with a key that is missing")
    Path("house.db.key").write_bytes(old)
    assert "Verification passed" in fine(pb("house verify copy.db"))


def test_a_house_without_its_key_does_not_start_and_starts_again_once_it_is_declared_lost(
    pb: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUNTOBANCO_WEB_PORT", "0")
    Floor(tmp_path).run(played)
    key = Path("house.db.key").read_bytes()
    assert "is not lost" in refused(pb("house key lost"))
    Path("house.db.key").unlink()
    for line in ("house user list", "house key rotate"):
        assert "puntobanco house key lost" in refused(pb(line))
    assert not Path("house.db.key").exists()
    assert "Users set up their second factor again" in fine(pb("house key lost"))
    assert "KeyLost" in kinds()
    (lost,) = [entry for entry in entries() if isinstance(entry, b.KeyLost)]
    code, out, err = pb("house verify")
    assert (code, out.count("Verification passed")) == (0, 1), "what was declared lost is no fault"
    assert err.startswith(f"NOT CHECKED: 2 shoes are encrypted with a key that is missing ({lost.keys[0]})")
    Path("house.db.key").write_bytes(Path("house.db.key").read_bytes() + key)
    assert "Verification passed" in fine(pb("house verify")), "the key turned up"


def test_a_backup_comes_back_without_the_key_and_says_that_it_is_needed(pb: Command, tmp_path: Path) -> None:
    Floor(tmp_path).run(played)
    fine(pb("house backup copy.db"))
    Path("house.db.key").rename("safe.key")
    code, out, err = pb("house restore copy.db again.db")
    assert (code, err.count("NOT CHECKED: 2 shoes")) == (0, 1)
    assert "put the key at again.db.key" in out
    Path("safe.key").rename("again.db.key")
    Path("again.db").unlink()
    assert "does not contain the key" not in fine(pb("house restore copy.db again.db"))
    assert {one.name for one in Path().iterdir()} == {"house.db", "copy.db", "again.db", "again.db.key"}


def test_a_backup_with_another_order_of_a_shoe_is_not_restored(pb: Command, tmp_path: Path) -> None:
    async def work(house: object) -> None:
        await played(house)  # type: ignore[arg-type]
        await tampered(house, exchange_cards_with_the_key)  # type: ignore[arg-type]

    Floor(tmp_path).run(work)
    code, _, err = pb("house verify")
    assert code == 1
    assert "the order does not match its commitment" in err
    fine(pb("house backup copy.db"))
    assert "the order does not match its commitment" in refused(pb("house restore copy.db again.db"))
    assert not Path("again.db").exists()


def test_verify_names_table_shoe_and_place(pb: Command, tmp_path: Path) -> None:
    async def work(house: object) -> None:
        await in_the_middle(house, "commission")  # type: ignore[arg-type]
        await tampered(house, delete)  # type: ignore[arg-type]

    Floor(tmp_path).run(work)
    code, _, err = pb("house verify")
    assert code == 1
    assert err.startswith("WRONG: stream one, version ")
    assert ": shoe one/" in err
    assert err.endswith(": the order is missing\n")


def test_a_served_house_needs_its_key(pb: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process of its own, as a service would start it."""
    monkeypatch.setenv("PUNTOBANCO_WEB_PORT", "0")
    fine(pb("house init"))
    Path("house.db.key").unlink()
    program = Path(sys.executable).parent / "puntobanco"
    served = subprocess.run(
        [program, "serve"], cwd=tmp_path, capture_output=True, text=True, check=False,
        timeout=60,
    )  # fmt: skip
    assert served.returncode == 2
    assert "puntobanco house key lost" in served.stderr
