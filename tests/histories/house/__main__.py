"""Write a house for every version of the program after this one; see `tests.histories.house`."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import uvloop

import puntobanco
from tests.histories.house import (
    KEY,
    LATEST,
    REQUESTS,
    STORE,
    Asked,
    Record,
    SignIn,
    View,
    archive,
    last_moment,
    open_doors,
    record_path,
    settings,
    standing,
)  # fmt: skip
from tests.histories.house.crew import Crew
from tests.histories.house.shifts import PASSWORDS, Hands, first, installed_in, second, third

ROOT = Path(__file__).parents[3]
COSTS = {
    "PUNTOBANCO_PEOPLE_ARGON2_TIME": "2",
    "PUNTOBANCO_PEOPLE_ARGON2_MEMORY": "19456",
    "PUNTOBANCO_PEOPLE_ARGON2_LANES": "1",
}


def console(folder: Path, *words: str) -> str:
    """A command of somebody at the machine."""
    package = Path(puntobanco.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-m", "puntobanco", "house", *words],
        cwd=folder, env={**os.environ, **COSTS, "PYTHONPATH": str(package)}, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout


async def lived(folder: Path) -> tuple[list[Asked], Record]:
    """From its foundation to a backup in the middle of its third shift."""
    noted: list[Asked] = []
    hands, installed = Hands(), installed_in(Path("site"))
    once = re.findall(r"One-time password: (\S+)", console(folder, "init"))[0]
    console(folder, "table", "add", "one", "commission")
    console(folder, "table", "add", "etg", "non-commission-etg", "--automatic")
    console(folder, "table", "add", "own", str(ROOT / "examples" / "games" / "ez-baccarat.toml"))
    async with open_doors(settings(folder), integrity=installed.start()["integrity"]) as premises:
        await first(Crew(premises, noted), once)
    (folder / KEY).unlink()
    console(folder, "key", "lost")
    clock = hands.clock(last_moment(folder / STORE))
    async with open_doors(
        settings(folder, second_factor=True), clock=clock, integrity=installed.start()["integrity"]
    ) as premises:
        enrolled = await second(Crew(premises, noted), hands, installed)
    console(folder, "key", "rotate")
    async with open_doors(settings(folder), integrity=installed.start()["integrity"]) as premises:
        shown = await third(Crew(premises, noted))
        console(folder, "backup", "copy.db")
    (folder / "copy.db").rename(folder / STORE)
    return noted, recorded(folder, shown, enrolled)


def recorded(folder: Path, shown: tuple[View, ...], enrolled: SignIn) -> Record:
    known = [SignIn(name, PASSWORDS[name]) for name in ("administrator", "ann")]
    found = Record(standing(folder / STORE), shown, (*known, enrolled))
    tags = tomllib.loads((ROOT / "tests" / "golden" / "tags.toml").read_text(encoding="utf-8"))["entries"]
    missing = set(tags) - {kind.partition(".")[0] for kind in found.standing.entries}
    assert not missing, missing
    return found


def pack(folder: Path, noted: list[Asked], found: Record) -> None:
    (folder / REQUESTS).write_bytes(msgspec.json.encode(noted))
    with tarfile.open(archive(LATEST), "x:xz", preset=9) as kept:
        for name in (STORE, KEY, REQUESTS):
            kept.add(folder / name, name, filter=_nobodys)
    record_path(LATEST).write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")


def _nobodys(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


if archive(LATEST).exists():
    sys.exit(f"{archive(LATEST).name} is written already, and stays as it is")
with TemporaryDirectory(prefix="puntobanco-") as place, chdir(place):  # what differs is named by where it is
    told, what = uvloop.run(lived(Path(place)))
    pack(Path(place), told, what)
