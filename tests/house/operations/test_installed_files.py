"""What an environment holds that no distribution declares, or that is not what was loaded, is found and named."""

import marshal
import os
import py_compile
import sys
from base64 import urlsafe_b64encode
from hashlib import md5, sha256
from pathlib import Path

import pytest

from puntobanco.house.operations.build_digest import build_digest
from puntobanco.house.operations.installed_files import MISSING, STANDARD, Installation, loaded, sites


class Environment:
    """A folder of installed packages, and what a process has loaded from it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.loaded = folder, list[str]()
        self.package = folder / "puntobanco"
        self.install("puntobanco", {"puntobanco/__init__.py": "ours"})
        self.install(
            "other", {"other/__init__.py": "one", "other/lazy.py": "two", "single.py": "three", "other.pth": ""}
        )
        self.load("other/__init__.py")

    def install(self, name: str, files: dict[str, str]) -> None:
        for path, text in files.items():
            self.write(path, text)
        self.record(name, tuple(files))

    def record(self, name: str, paths: tuple[str, ...]) -> None:
        lines = [f"{path},sha256={self.recorded(path)},1" for path in paths]
        self.write(f"{name}-1.0.dist-info/RECORD", "\n".join([*lines, f"{name}-1.0.dist-info/RECORD,,", ""]))

    def recorded(self, path: str) -> str:
        return urlsafe_b64encode(sha256((self.folder / path).read_bytes()).digest()).rstrip(b"=").decode()

    def write(self, path: str, text: str) -> str:
        (self.folder / path).parent.mkdir(exist_ok=True, parents=True)
        (self.folder / path).write_text(text, encoding="utf-8")
        return str(self.folder / path)

    def load(self, path: str) -> str:
        self.loaded.append(str(self.folder / path))
        return self.loaded[-1]


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    return Environment(tmp_path)


@pytest.fixture
def installation(environment: Environment) -> Installation:
    found = Installation([str(environment.folder)], lambda: environment.loaded, environment.package)
    assert found.strange() == {}
    assert found.holds_package
    return found


def test_what_a_distribution_declares_may_be_loaded_later(environment: Environment, installation: Installation) -> None:
    environment.load("other/lazy.py")
    environment.load("single.py")
    environment.install("third", {"third/__init__.py": "new"})
    environment.load("third/__init__.py")
    assert installation.strange() == {}


@pytest.mark.parametrize(
    "path",
    [
        "sitecustomize.py",
        "evil.pth",
        "evil/__init__.py",
        "evil.so",
        "evil/deep/one.py",
        "other/evil.py",
        "other/x/y.pyc",
    ],
)
def test_what_turns_up_and_nothing_declares_is_found(
    environment: Environment, installation: Installation, path: str
) -> None:
    written = environment.write(path, "import os")
    assert installation.strange() == {written: sha256(b"import os").hexdigest()}


def test_a_module_that_nothing_declares_is_found_when_it_is_loaded(
    environment: Environment, installation: Installation, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("elsewhere") / "evil.py"
    outside.write_text("")
    assert installation.strange() == {}, "elsewhere it is only a file"
    environment.loaded.append(str(outside))
    assert set(installation.strange()) == {str(outside)}


def test_what_python_compiles_and_folders_that_lead_back_are_no_modules(
    environment: Environment, installation: Installation
) -> None:
    for path in ("single.py", "other/lazy.py"):
        assert py_compile.compile(str(environment.folder / path)) is not None
    (environment.folder / "other" / "back").symlink_to(environment.folder)
    assert installation.strange() == {}


@pytest.mark.parametrize("path", ["other/__init__.py", "other.pth"])
def test_a_file_that_was_changed_is_found(environment: Environment, installation: Installation, path: str) -> None:
    written = environment.write(path, "changed")
    assert set(installation.strange()) == {written}


def test_a_loaded_file_that_was_changed_is_found_though_the_record_was_changed_too(
    environment: Environment, installation: Installation
) -> None:
    written = environment.write("other/__init__.py", "changed")
    environment.record("other", ("other/__init__.py", "other/lazy.py", "single.py", "other.pth"))
    assert set(installation.strange()) == {written}
    again = Installation([str(environment.folder)], lambda: environment.loaded, environment.package)
    assert again.strange() == {}, "to whoever starts after it, it is what was installed"


def test_a_change_that_hides_behind_its_times_is_found_anew(
    environment: Environment, installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = environment.write("other/__init__.py", "ten")
    monkeypatch.setattr("puntobanco.house.operations.build_digest.stamp", lambda _: (0, 0, 0, 0, 0))
    monkeypatch.setattr(
        "puntobanco.house.operations.build_digest._hashed", {written: ((0, 0, 0, 0, 0), sha256(b"one").hexdigest())}
    )
    assert written not in installation.strange()
    assert written in installation.strange(anew=True)


def test_a_loaded_file_that_has_gone_is_found(environment: Environment, installation: Installation) -> None:
    (environment.folder / "other/__init__.py").unlink()
    assert installation.strange() == {environment.loaded[0]: MISSING}


def test_a_compiled_file_that_is_not_made_of_its_source_is_found(
    environment: Environment, installation: Installation
) -> None:
    for path in ("puntobanco/__init__.py", "other/lazy.py"):
        source = environment.load(path)
        environment.write(path, "x = 1\n")
        compiled = py_compile.compile(source)
        assert compiled is not None
        assert installation.wrongly_compiled() == {}
        good = Path(compiled).read_bytes()
        other = marshal.dumps(compile("x = 2\n", source, "exec"))
        for bad in (good[:16] + other, good[:4] + b"\1\0\0\0" + good[8:16] + other, good[:-1], good[:16]):
            Path(compiled).write_bytes(bad)
            assert installation.wrongly_compiled().keys() == {compiled}
        for unused in (b"\0" + good[1:], good[:8] + bytes([good[8] ^ 1]) + good[9:16] + other):
            Path(compiled).write_bytes(unused)
            assert installation.wrongly_compiled() == {}, "Python does not load it"


def test_files_of_the_package_are_those_its_distribution_declares(
    environment: Environment, installation: Installation
) -> None:
    changed = environment.write("puntobanco/__init__.py", "changed")
    added = environment.write("puntobanco/rules/added.toml", "")
    environment.load("puntobanco/__init__.py")
    assert installation.strange() == {}
    assert installation.misrecorded(build_digest(environment.package)).keys() == {changed, added}


def test_a_package_that_lost_its_record_is_still_an_installed_one(
    environment: Environment, installation: Installation
) -> None:
    (environment.folder / "puntobanco-1.0.dist-info" / "RECORD").unlink()
    assert installation.holds_package
    assert installation.misrecorded(build_digest(environment.package)).keys() == {f"{environment.package}/__init__.py"}


def test_a_package_that_runs_from_its_source_is_in_no_folder_of_installed_ones(
    environment: Environment, tmp_path: Path
) -> None:
    assert not Installation([str(environment.folder)], package=tmp_path.parent / "source" / "puntobanco").holds_package


def test_what_debian_brings_with_python_is_known_by_its_content(
    environment: Environment, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    standard = tmp_path_factory.mktemp("python3")
    kept, status = standard.parent / "etc.py", standard.parent / "status"
    kept.write_text("as packaged")
    (standard / "sitecustomize.py").symlink_to(kept)
    monkeypatch.setattr("puntobanco.house.operations.installed_files.STANDARD", {str(standard)})
    monkeypatch.setattr("puntobanco.house.operations.installed_files.DPKG", status)
    environment.loaded = [str(standard / "sitecustomize.py")]

    def found() -> set[str]:
        return set(Installation([str(environment.folder)], lambda: environment.loaded, environment.package).strange())

    assert found() == {*environment.loaded}, "not on Debian"
    status.write_text(f"Package: python3\nConffiles:\n {kept} {md5(b'as packaged').hexdigest()}\nVersion: 3\n")
    assert found() == set()
    kept.write_text("changed")
    assert found() == {*environment.loaded}


def test_a_record_that_cannot_be_read_declares_nothing(environment: Environment, installation: Installation) -> None:
    (environment.folder / "other-1.0.dist-info" / "RECORD").write_bytes(b"\xff\xfe\n\0")
    assert set(installation.strange()) >= set(environment.loaded)


def test_the_standard_library_is_known_and_what_stands_in_its_folder_is_not(environment: Environment) -> None:
    folder = os.path.dirname(os.__file__)
    assert folder in STANDARD
    environment.loaded = [os.__file__, f"{folder}/json/decoder.py"]
    installation = Installation([str(environment.folder)], lambda: environment.loaded, environment.package)
    assert installation.strange() == {}
    environment.loaded.append(f"{folder}/evil.py")
    assert set(installation.strange()) == {f"{folder}/evil.py"}


def test_what_python_imports_at_every_start_is_found_before_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "usercustomize.py").write_text("")
    assert str(tmp_path / "usercustomize.py") not in loaded()
    monkeypatch.syspath_prepend(tmp_path)
    assert str(tmp_path / "usercustomize.py") in loaded()


def test_this_very_process_has_loaded_files_and_knows_its_folders() -> None:
    assert {str(Path(__file__)), os.__file__, str(Path(pytest.__file__))} <= set(loaded())
    assert any(folder in sys.path for folder in sites())
