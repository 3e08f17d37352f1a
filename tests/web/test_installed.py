"""The program deals only while it is itself: an installed one, served as it is in a house, with its files changed."""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

import puntobanco
from puntobanco.house.integrity import Integrity
from puntobanco.house.operations.build_digest import BuildDigest
from puntobanco.house.operations.settings import PeopleSettings, Settings, StoreSettings, TableSettings, WebSettings
from puntobanco.table.state import BETWEEN_ROUNDS
from puntobanco.web.serve import opened
from tests.checkout import clean_checkout
from tests.web.house import HEADERS, furnish

PATIENCE = 60
SITE = Path("lib", f"python{sys.version_info[0]}.{sys.version_info[1]}", "site-packages")
TABLE = "auto"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program installed by pip in an environment of its own, with links to what it needs."""
    folder = tmp_path_factory.mktemp("installed")
    environment, source = folder / "environment", folder / "source"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    for entry in Path(sys.prefix, SITE).iterdir():
        if "puntobanco" not in entry.name and entry.name != "__pycache__":
            (environment / SITE / entry.name).symlink_to(entry)
    source.mkdir()
    clean_checkout(source)
    shutil.copytree(Path(puntobanco.__file__).parent, source / "src" / "puntobanco", dirs_exist_ok=True)
    pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([environment / "bin" / "python", *pip, source], check=True, env=os.environ | {"PIP_CONFIG_FILE": ""})
    return environment


class Serving:
    """`puntobanco serve` of that environment, and two people who may release its program."""

    def __init__(self, environment: Path, folder: Path, told: dict[str, str] | None = None) -> None:
        settings = {
            "STORE_PLACE": str(folder / "house.db"), "WEB_PORT": "0", "LOG_FILE": str(folder / "house.log"),
            "TABLES_PACE_CARD": "0", "TABLES_PACE_RESULT": "0", "TABLES_PACE_BETWEEN": "0", "TABLES_DRAIN": "5",
            "PEOPLE_STAFF_SECOND_FACTOR": "false",
        }  # fmt: skip
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PUNTOBANCO_", "PYTHON"))}
        self.tickets = asyncio.run(tickets(folder))
        self.process = subprocess.Popen(
            [environment / "bin" / "puntobanco", "serve"], cwd=folder, text=True, stderr=subprocess.PIPE,
            env=clean | {f"PUNTOBANCO_{name}": value for name, value in settings.items()} | (told or {}),
        )  # fmt: skip
        assert self.process.stderr is not None
        said = ""
        while not (at := re.search(r"Listening on (\S+)", said)):
            line = self.process.stderr.readline()
            assert line, said
            said += line
        self.people = {name: self._person(at[1], slot, name) for slot, name in enumerate(self.tickets, start=1)}

    def __enter__(self) -> "Serving":
        return self

    def __exit__(self, *_: object) -> None:
        for client in self.people.values():
            client.close()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.communicate(timeout=PATIENCE)
        finally:
            self.process.kill()

    def _person(self, url: str, slot: int, name: str) -> httpx.Client:
        client = httpx.Client(base_url=f"{url}/u/{slot}/api", headers=HEADERS)
        assert client.post("/ticket", json={"ticket": self.tickets[name]}).status_code == 200
        return client

    def health(self) -> dict[str, Any]:
        found: dict[str, Any] = self.people["tom"].get("/health").json()
        return found

    def table(self) -> dict[str, Any]:
        found: dict[str, Any] = next(one for one in self.people["tom"].get("/tables").json() if one["table"] == TABLE)
        return found

    def figures(self) -> str:
        client = self.people["root"]
        return client.get(str(client.base_url.copy_with(path="/metrics"))).text

    def arguments(self) -> list[str]:
        return Path(f"/proc/{self.process.pid}/cmdline").read_text(encoding="utf-8").split("\0")

    def until(self, wanted: Callable[[], Any]) -> None:
        ends = time.monotonic() + PATIENCE
        while not wanted():
            assert time.monotonic() < ends, self.health()
            assert self.process.poll() is None
            time.sleep(0.1)

    def deals(self) -> None:
        """Until a round is opened after those it has now."""
        before = self.table()["round"]
        self.until(lambda: self.table()["round"] > before)

    def stands(self) -> None:
        """Held, with the last round over; a while later it is still that round."""
        self.until(lambda: self.health().get("held"))
        self.until(lambda: self.table()["phase"] in BETWEEN_ROUNDS)
        before = self.table()["round"]
        for _ in range(20):
            time.sleep(0.1)
            assert self.table()["round"] == before

    def release(self, reason: str = "checked against the delivery") -> None:
        command = {"type": "ReleaseProgram", "digest": self.health()["release"], "reason": reason}
        asked = self.people["tom"].post("/office", json={"request": f"r{time.time_ns()}", "command": command})
        number = asked.json()["waits"]
        assert self.health()["held"], "one person is not enough"
        assert self.people["tom"].post(f"/waiting/{number}/confirm").status_code == 409
        assert self.people["root"].post(f"/waiting/{number}/confirm").status_code == 200


async def tickets(folder: Path) -> dict[str, str]:
    """Links for people of the house, which is furnished if it is new; this process is another version."""
    settings = Settings(
        store=StoreSettings(place=str(folder / "house.db")),
        web=WebSettings(port=0, secure_cookies=False),
        people=PeopleSettings(staff_second_factor=False),
        tables=TableSettings(drain=0),
    )
    itself = Integrity(enforced=False, files=lambda **_: BuildDigest(version="0", files={}))
    async with opened(settings, dealing=False, integrity=itself) as services:
        if not services.house.journal.tables:
            await furnish(services, [(TABLE, "commission", {})])
        return {name: await services.identity.tickets.issue(name) for name in ("tom", "root")}


def test_a_changed_program_deals_no_further_round_until_two_people_release_it(installed: Path, tmp_path: Path) -> None:
    changed = installed / SITE / "puntobanco" / "roads.py"
    with Serving(installed, tmp_path) as house:
        house.deals()
        assert not house.health().get("held")
        assert "-I" in house.arguments(), "no PYTHONPATH, no user site"
        changed.write_text(changed.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
        house.stands()
        assert house.health()["differs"] == [str(changed), f"puntobanco {puntobanco.__version__}"]
        assert "puntobanco_program_held 1.0" in house.figures()
        assert house.health()["ready"], "tables that people deal go on"
    with Serving(installed, tmp_path) as house:
        house.stands()
        house.release()
        house.deals()
    assert "the program is not what was recorded" in (tmp_path / "house.log").read_text(encoding="utf-8")

    stray = installed / SITE / "stray.pth"
    stray.write_text("import antigravity_of_nobody\n", encoding="utf-8")
    try:
        with Serving(installed, tmp_path) as house:
            house.stands()
            assert house.health()["differs"] == [str(stray)], "what was released stays released"
            house.release()
            house.deals()
        with Serving(installed, tmp_path) as house:
            house.deals()
            assert not house.health().get("held")
    finally:
        stray.unlink()


def test_a_program_that_isolated_python_does_not_find_says_how_to_install_it(installed: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "empty"], check=True)
    told = subprocess.run(
        [tmp_path / "empty" / "bin" / "python", "-m", "puntobanco", "serve", "--demo"], cwd=tmp_path, text=True,
        stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(installed / SITE)}, check=False,
    )  # fmt: skip
    assert told.returncode == 2
    assert "Install it in a virtual environment" in told.stderr


def test_the_demonstration_of_a_changed_program_deals_and_warns(installed: Path, tmp_path: Path) -> None:
    stray = installed / SITE / "sitecustomize.py"
    stray.write_text("", encoding="utf-8")
    try:
        demo = subprocess.Popen(
            [installed / "bin" / "puntobanco", "serve", "--demo"], cwd=tmp_path, text=True, stdout=subprocess.PIPE,
            env=os.environ | {"PUNTOBANCO_WEB_PORT": "0"},
        )  # fmt: skip
        assert demo.stdout is not None
        assert any("Ctrl-C" in line for line in demo.stdout)
        demo.terminate()
        demo.communicate(timeout=PATIENCE)
    finally:
        stray.unlink()
    lines = [json.loads(line) for line in (tmp_path / "demo" / "house.log").read_text(encoding="utf-8").splitlines()]
    (warned,) = [line for line in lines if line["event"] == "the program is not what was recorded"]
    assert (warned["level"], warned["held"], warned["files"]) == ("warning", False, [str(stray)])
    assert not any(line["event"] == "ProgramDiffers" for line in lines)
