"""A program is known by its files: nothing in them can change unnoticed."""

from pathlib import Path

import pytest

import puntobanco
from puntobanco.house.operations.build_digest import build_digest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    (tmp_path / "a.py").write_text("one")
    (tmp_path / "rules" / "b.toml").write_text("two")
    return tmp_path


def test_the_same_files_have_the_same_digest_wherever_they_are(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "rules").mkdir()
    (other / "rules" / "b.toml").write_text("two")
    (other / "a.py").write_text("one")
    assert build_digest(folder).digest == build_digest(other).digest


def test_any_change_of_a_file_changes_the_digest_and_is_named(folder: Path) -> None:
    before = build_digest(folder)
    (folder / "rules" / "b.toml").write_text("twp")
    (folder / "new.py").write_text("")
    after = build_digest(folder)
    assert after.digest != before.digest
    assert {path for path, _ in after.files.items() ^ before.files.items()} == {"new.py", "rules/b.toml"}


def test_moving_content_from_one_file_to_another_changes_the_digest(folder: Path) -> None:
    before = build_digest(folder).digest
    (folder / "a.py").rename(folder / "c.py")
    assert build_digest(folder).digest != before


def test_what_python_compiles_is_no_part_of_it(folder: Path) -> None:
    before = build_digest(folder)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "a.pyc").write_bytes(b"x")
    assert build_digest(folder) == before


def test_the_package_itself_has_its_rules_among_its_files() -> None:
    this = build_digest()
    assert this.version == puntobanco.__version__
    assert {"__init__.py", "rules/games/wu-song.toml", "house/operations/build_digest.py"} <= set(this.files)
    assert len(this.digest) == 64
