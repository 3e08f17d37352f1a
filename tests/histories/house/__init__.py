"""A whole house as an earlier program left it: a backup of its store, its key, and what was known of it then.

`python -m tests.histories.house` writes the next one with the program as it is, through its doors and at its console:
people, money, tables of every game, and every kind of entry that its book can have. Run it with the version before a
change that could make old stores unreadable, and never again for that version: what is kept stays as it was written. A
kept house is never overwritten; `LATEST` says which is the last.

Requests, answers and entries are kept as they are sent and stored, by their tags. Every secret in it was made up here.
"""

import asyncio
import sqlite3
import tarfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import msgspec

from puntobanco.house.identity.throttle import RateLimit
from puntobanco.house.integrity import Integrity
from puntobanco.house.operations.clock import HouseClock
from puntobanco.house.operations.log import start_log, stop_log
from puntobanco.house.operations.settings import LogSettings, PeopleSettings, Settings, TableSettings, WebSettings
from puntobanco.house.operations.settings import StoreSettings as StoreSettings
from puntobanco.web.serve import serve
from puntobanco.web.services import Services
from tests.web.house import Premises

HERE = Path(__file__).parent
LATEST = 1
"""The house that is kept last. Raise it to write another."""
STORE, KEY, REQUESTS = "house.db", "house.db.key", "requests.json"
"""What is in the archive."""
BOOK = "house"
"""The stream of the book."""


class Asked(msgspec.Struct, frozen=True):
    """A request that took effect, and how it was answered."""

    person: str
    path: str
    body: dict[str, Any]
    answer: dict[str, Any]


class View(msgspec.Struct, frozen=True):
    """What somebody was shown at last."""

    person: str
    path: str
    shown: Any


class SignIn(msgspec.Struct, frozen=True):
    """A password, and a code for a second factor where there is one; the code is good once."""

    person: str
    password: str
    code: str | None = None


class Standing(msgspec.Struct, frozen=True):
    """How the store stands, as its tables say it."""

    heads: dict[str, tuple[int, str]]
    """Of each stream the version and the last hash."""
    entries: dict[str, int]
    """How many entries of each kind are in the book."""
    balances: dict[str, int]
    snapshots: dict[str, int]
    """The version of each."""
    sealed: tuple[str, ...]
    answers: int


class Record(msgspec.Struct, frozen=True):
    """What is known of a kept house beside it."""

    standing: Standing
    views: tuple[View, ...]
    sign_ins: tuple[SignIn, ...]


def archive(number: int) -> Path:
    return HERE / f"house-{number}.tar.xz"


def record_path(number: int) -> Path:
    return HERE / f"house-{number}.json"


def record(number: int) -> Record:
    return msgspec.json.decode(record_path(number).read_bytes(), type=Record)


def unpacked(number: int, folder: Path) -> Path:
    """The store of that house in the folder, with its key beside it."""
    with tarfile.open(archive(number)) as kept:
        kept.extractall(folder, filter="data")
    (folder / KEY).chmod(0o600)
    return folder / STORE


def requests(folder: Path) -> list[Asked]:
    return msgspec.json.decode((folder / REQUESTS).read_bytes(), type=list[Asked])


def standing(store: Path) -> Standing:
    """Read by SQL alone: it says what is in the file, whatever the program makes of it."""
    with closing(sqlite3.connect(f"{store.absolute().as_uri()}?mode=ro", uri=True)) as db:

        def rows(text: str, *values: str) -> list[Any]:
            return db.execute(text, values).fetchall()

        heads = rows("SELECT stream, version, head FROM streams ORDER BY stream")
        entries = "SELECT kind, count(*) FROM events WHERE stream = ? GROUP BY kind ORDER BY kind"
        return Standing(
            heads={name: (version, head.hex()) for name, version, head in heads},
            entries=dict(rows(entries, BOOK)),
            balances=dict(rows("SELECT account, amount FROM balances ORDER BY account")),
            snapshots=dict(rows("SELECT stream, version FROM snapshots ORDER BY stream")),
            sealed=tuple(name for (name,) in rows("SELECT name FROM sealed ORDER BY name")),
            answers=rows("SELECT count(*) FROM answers")[0][0],
        )


def last_moment(store: Path) -> int:
    """When something happened last, in milliseconds since 1970."""
    with closing(sqlite3.connect(f"{store.absolute().as_uri()}?mode=ro", uri=True)) as db:
        return int(db.execute("SELECT max(at) FROM events").fetchone()[0])


# ---- its doors ---------------------------------------------------------------------------------------------------


def settings(folder: Path, *, second_factor: bool = False) -> Settings:
    """A table that deals by itself deals one round and then waits ten minutes."""
    return Settings(
        store=StoreSettings(place=str(folder / STORE)),
        web=WebSettings(port=0, secure_cookies=False),
        people=PeopleSettings(argon2_time=2, argon2_memory=19_456, argon2_lanes=1, staff_second_factor=second_factor),
        tables=TableSettings(pace_card=0, pace_result=0, pace_between=600_000, drain=0),
        log=LogSettings(file=str(folder / "house.log")),
    )


@asynccontextmanager
async def open_doors(
    told: Settings, *, clock: HouseClock | None = None, integrity: Integrity | None = None
) -> AsyncIterator[Premises]:
    """The house at that place, served until the block ends."""
    start_log(told.log)
    stop = asyncio.Event()
    opened: asyncio.Future[tuple[Services, str]] = asyncio.get_running_loop().create_future()

    async def started(services: Services, url: str) -> None:
        opened.set_result((services, url))

    serving = asyncio.create_task(serve(told, clock=clock, started=started, stop=stop, integrity=integrity))
    try:
        while not opened.done() and not serving.done():
            await asyncio.sleep(0.005)
        if serving.done():
            await serving
        services, url = opened.result()
        services.admission.requests = services.admission.pages = services.admission.strangers = RateLimit(
            1_000_000, 1_000_000
        )
        premises = Premises(services, url, services.house.store, Path(told.log.file))
        try:
            yield premises
        finally:
            await premises.leave()
    finally:
        stop.set()
        await serving
        stop_log()
