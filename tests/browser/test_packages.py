"""What is released: built from a clean checkout, installed into empty environments, and played in a browser."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import puntobanco
from puntobanco.extras import EXTRAS
from tests.browser.conftest import DESKTOP
from tests.browser.seat import Seat
from tests.checkout import ROOT, clean_checkout
from tests.deploy.containerfile import stages
from tests.web.running import Running

HAND = ("settle", "wu-song", "--layout", "E", "--cards", "K 2 4 A 7 7", "--bet", "wu_dalang=1")
NAMES = {"argon2": "argon2-cffi"}
"""Where the name of a distribution is not that of its module."""


class Released(NamedTuple):
    wheel: Path
    source: Path


def _run(*command: str | Path, cwd: Path, path: str = os.environ["PATH"]) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PUNTOBANCO_", "PYTHON"))}
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env=clean | {"PATH": path})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Released:
    """The source distribution builds the screens with Node.js; the wheel comes from it without."""
    folder = tmp_path_factory.mktemp("released")
    checkout = clean_checkout(folder / "checkout")
    hook = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"
    _run(sys.executable, "-c", hook, folder, cwd=checkout)
    (source,) = folder.glob("*.tar.gz")
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    _run(*pip, "--wheel-dir", folder, source, cwd=folder, path="/nowhere")
    (wheel,) = folder.glob("*.whl")
    return Released(wheel, source)


def _environment(folder: Path, *installed: str) -> Path:
    """An empty environment with those packages, at the versions the project is developed with."""
    _run(sys.executable, "-m", "venv", folder, cwd=ROOT)
    pip = (folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check")
    _run(*pip, "-c", ROOT / "requirements.txt", *installed, cwd=folder)
    return folder / "bin" / "puntobanco"


@pytest.fixture(scope="module")
def core(released: Released, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _environment(tmp_path_factory.mktemp("core"), str(released.wheel))


def _metadata(wheel: Path) -> Any:
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        return message_from_bytes(packed.read(name))


# ---- what is in it -----------------------------------------------------------------------------------------------


def test_the_wheel_and_the_source_distribution_contain_the_built_screens(released: Released) -> None:
    with zipfile.ZipFile(released.wheel) as wheel:
        packed = set(wheel.namelist())
    with tarfile.open(released.source) as source:
        unpacked = {name.partition("/")[2] for name in source.getnames()}
    screens = {name for name in packed if name.startswith("puntobanco/web/static/")}
    assert "puntobanco/web/static/index.html" in screens
    assert any(name.endswith(".woff2") for name in screens)
    assert {f"src/{name}" for name in screens} <= unpacked
    assert {"ui/package-lock.json", "ui/svelte.config.js", "ui/src/main.ts", "setup.py"} <= unpacked
    copied = [rest.split()[:-1] for stage in stages() for rest in stage.of("COPY") if not rest.startswith("--from")]
    assert {".dockerignore", *(source for sources in copied for source in sources)} <= unpacked
    shown = {*(ROOT / "scenarios").rglob("*.toml"), *(ROOT / "examples").rglob("*.toml"), ROOT / "CONTRIBUTING.md"}
    assert {str(path.relative_to(ROOT)) for path in shown} <= unpacked, "what the pages tell readers to open"
    assert any(name.endswith("share/doc/puntobanco/CONTRIBUTING.md") for name in packed), "a new game file refers to it"
    assert not any(name.startswith("tests/") for name in unpacked)


def test_the_metadata_is_complete(released: Released) -> None:
    metadata = _metadata(released.wheel)
    assert metadata["Version"] == puntobanco.__version__
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert set(metadata.get_all("Provides-Extra")) == {*EXTRAS, "all"}
    assert "Typing :: Typed" in metadata.get_all("Classifier")
    assert "](docs/" not in metadata.get_payload(), "a link that leads nowhere outside the repository"


def test_every_module_that_can_be_missing_belongs_to_the_extra_that_installs_it() -> None:
    """`extras.py` and `pyproject.toml` say the same."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    del declared["all"]
    for extra, requirements in declared.items():
        named = {re.split(r"[><=\[]", line)[0] for line in requirements}
        assert named - {"puntobanco"} == {NAMES.get(one, one).replace("_", "-") for one in EXTRAS[extra]}


@pytest.mark.parametrize("pinned", sorted({ROOT / "requirements.txt", *ROOT.glob("requirements-newest.txt")}))
def test_the_versions_it_is_tested_with_are_in_the_declared_ranges(pinned: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    text = pinned.read_text(encoding="utf-8")
    known = {canonicalize_name(name): version for name, version in re.findall(r"(?m)^([^#\s=]+)==(\S+)$", text)}
    for wanted in map(Requirement, lines):
        if wanted.name != "puntobanco":
            assert known[canonicalize_name(wanted.name)] in wanted.specifier, wanted


# ---- the core alone ----------------------------------------------------------------------------------------------


def test_the_core_settles_a_hand_without_numpy(core: Path) -> None:
    assert "150" in _run(core, *HAND, cwd=core.parent)
    assert _run(core, "--version", cwd=core.parent) == f"puntobanco {puntobanco.__version__}\n"
    names = _run(core.parent / "pip", "list", "--format=freeze", cwd=core.parent)
    assert "numpy" not in names
    assert len(names.splitlines()) < 15


def test_the_first_steps_of_the_page_on_installation_settle_a_hand(released: Released, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    steps = text.partition("```sh\n")[2].partition("```")[0].replace("install puntobanco", f"install {released.wheel}")
    python = Path(sys.base_prefix, "bin")
    settled = _run(
        "env", f"HOME={tmp_path}", "bash", "-euc", steps, cwd=tmp_path, path=f"{python}:{os.environ['PATH']}"
    )
    assert "Banker wins, 8 to 5." in settled


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("odds wu-song", "odds"), ("simulate wu-song --rounds 10", "odds"), ("protect wu-song", "odds"),
        ("session commission --bet banker=100 --rounds 20 --bankroll 1500", "odds"), ("serve --demo", "house"),
        ("house init", "house"), ("house table list", "house"), ("house verify", "house"),
        ("house backup copy.db", "house"), ("house restore copy.db house.db", "house"),
    ],
)  # fmt: skip
def test_a_missing_extra_is_one_line_with_the_command_that_installs_it(
    core: Path, tmp_path: Path, command: str, extra: str
) -> None:
    done = subprocess.run([str(core), *command.split()], cwd=tmp_path, capture_output=True, text=True, check=False)
    said = rf"puntobanco: \w+ is not installed\. Run: pip install 'puntobanco\[{extra}\]'\n"
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(said, done.stderr), done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("module", "extra"), [("puntobanco.odds", "odds"), ("puntobanco.client", "client")])
def test_a_program_that_imports_a_missing_extra_is_told_the_command(core: Path, module: str, extra: str) -> None:
    command = [str(core.parent / "python"), "-c", f"import {module}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith(f"Run: pip install 'puntobanco[{extra}]'")


# ---- a house -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo(released: Released, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The sign-in link of the first player of a demonstration, served by the installed wheel."""
    folder = tmp_path_factory.mktemp("house")
    command = _environment(folder / "environment", f"{released.wheel}[house]")
    with Running(folder, "--demo", told={"PUNTOBANCO_TABLES_PACE_BETWEEN": "0"}, command=[str(command)]) as house:
        house.until("twice to stop at once")
        found = re.search(r"http\S+/#ticket=\S+", house.said)
        assert found is not None
        yield found[0]


def test_a_bet_is_accepted_in_a_browser_from_an_installed_wheel(browser: Any, demo: str) -> None:
    context = browser.new_context(viewport=DESKTOP, locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.goto(demo.replace("/#ticket=", "/table/baccarat-1#ticket="))
    seat = Seat(page)
    seat.buy_in()
    seat.bet("player")
    context.close()
