"""The house that is loaded: furnished before its doors open, then served by a process of its own."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import uvloop
from msgspec.structs import replace

from puntobanco.house.house import opening_setup
from puntobanco.house.identity.sessions import SessionKind
from puntobanco.house.operations import settings as s
from puntobanco.house.operations.garbage_collection import freeze
from puntobanco.house.operations.log import start_log
from puntobanco.protocol import entries as b
from puntobanco.protocol.administrative_commands import AddTable
from puntobanco.protocol.posts import HOUSE, Post
from puntobanco.rules import library
from puntobanco.rules.money import Cents
from puntobanco.table import commands as c
from puntobanco.table.setup import Timing
from puntobanco.web.serve import opened, serve
from puntobanco.web.services import Services

GAME = "non-commission-etg"
MINIMUM, CHIPS, FLOAT = Cents(10_00), Cents(10_000_000_00), Cents(1_000_000_000_000_00)
TICK = 0.005
STALL = 0.05


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """So many electronic tables with so many terminals each, and their pace in milliseconds."""

    tables: int
    terminals: int
    betting: int
    drain: int = 300
    card: int = 100
    between: int = 500
    messages_per_second: int = 20

    @property
    def names(self) -> list[str]:
        return [f"electronic-{number}" for number in range(1, self.tables + 1)]


class Seat(msgspec.Struct, frozen=True):
    person: str
    table: str
    token: str


class Stalls(msgspec.Struct):
    """How long the loop worked without turning to anybody else, in seconds of its own processor time."""

    longest: float = 0.0
    many: int = 0
    """Of more than fifty milliseconds."""


def settings_of(plan: Plan, folder: Path) -> s.Settings:
    """Passwords at the floor of what is allowed: nobody signs in with one here."""
    return s.Settings(
        store=s.StoreSettings(place=str(folder / "house.db")),
        web=s.WebSettings(port=0, secure_cookies=False),
        people=s.PeopleSettings(argon2_time=2, argon2_memory=19_456, argon2_lanes=1, staff_second_factor=False),
        live=s.LiveSettings(messages_per_second=plan.messages_per_second),
        tables=s.TableSettings(pace_card=plan.card, pace_result=plan.card, pace_between=plan.between, drain=0),
        log=s.LogSettings(file=str(folder / "house.log"), level=s.LogLevel.WARNING),
    )


# ---- before the doors open ---------------------------------------------------------------------------------------


async def furnished(plan: Plan, folder: Path) -> list[Seat]:
    """Tables, people with chips in front of them, and a session for each."""
    settings = settings_of(plan, folder)
    start_log(settings.log)
    async with opened(settings, dealing=False) as services:
        await _staffed(services, plan)
        people = [(f"{table}-{number}", table) for table in plan.names for number in range(plan.terminals)]
        itself = services.house.itself()
        entries: list[b.AnyEntry] = []
        for person, _ in people:
            entries.append(b.PersonAdmitted(by=itself, person=person, title=person))
            entries.append(b.RoleGiven(by=itself, person=person, post=Post.PLAYER, scope=HOUSE))
            entries.append(b.Deposited(by=itself, person=person, amount=CHIPS))
        await services.house.journal_writer.note(*entries)

        async def seated(person: str, table: str) -> Seat:
            bought = await services.house.do(person, table, c.BuyIn(person=person, amount=CHIPS))
            assert bought.refusal is None, bought
            started = await services.identity.sessions.start(person, SessionKind.PLAYER)
            return Seat(person, table, started.token)

        return list(await asyncio.gather(*(seated(*one) for one in people)))


async def _staffed(services: Services, plan: Plan) -> None:
    house, itself = services.house, services.house.itself()
    # whoever proves a house takes one that does not begin with an administrator for one with play money
    for name, post in (("tom", Post.SHIFT_MANAGER), ("root", Post.ADMINISTRATOR)):
        await house.journal_writer.note(
            b.PersonAdmitted(by=itself, person=name, title=name),
            b.RoleGiven(by=itself, person=name, post=post, scope=HOUSE),
        )
    setup = replace(
        opening_setup(library.game(GAME)),
        timing=Timing(betting=plan.betting, drain=plan.drain),
        minimum=MINIMUM,
        differential=Cents(1_000_000_00),
    )
    for table in plan.names:
        await house.manage("root", AddTable(table=table, game=GAME, automatic=True))
        await house.journal_writer.note(b.FloatFilled(by=itself, table=table, amount=FLOAT))
        told = await house.do("tom", table, c.OpenTable(setup=setup))
        assert told.refusal is None, told


# ---- the process -------------------------------------------------------------------------------------------------


class Process:
    """A server, seen from outside: where it is, how much memory and processor time it has taken."""

    def __init__(self, plan: Plan, folder: Path, core: int | None, module: str = "benchmarks.load.house") -> None:
        self._folder = folder
        arguments = [sys.executable, "-m", module, str(folder), "" if core is None else str(core)]
        content = msgspec.json.encode(plan).decode()
        self._process = subprocess.Popen([*arguments, content], stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        assert self.url, "the server did not start"

    @property
    def memory(self) -> int:
        """Resident bytes."""
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    @property
    def worked(self) -> float:
        """Seconds of processor time so far, of all its processes."""
        return (
            sum(
                int((thread / "schedstat").read_text().split()[0])
                for pid in _processes(self._process.pid)
                for thread in Path(f"/proc/{pid}/task").iterdir()
            )
            / 1e9
        )

    def stop(self) -> Stalls:
        self._process.send_signal(signal.SIGTERM)
        try:
            code = self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        finally:
            assert self._process.stdout is not None
            self._process.stdout.close()
        assert code == 0, f"the server ended with {code}"
        measured = self._folder / "stalls.json"
        return msgspec.json.decode(measured.read_bytes(), type=Stalls) if measured.exists() else Stalls()


def _processes(pid: int) -> Iterator[int]:
    """A process and all that it has started."""
    yield pid
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in (thread / "children").read_text().split():
            yield from _processes(int(child))


async def _tick(stalls: Stalls) -> None:
    """Wall time would count what other processes took; the loop's own time does not."""
    await asyncio.sleep(1.0)
    while True:
        before = time.thread_time()
        await asyncio.sleep(TICK)
        worked = time.thread_time() - before
        stalls.longest = max(stalls.longest, worked)
        stalls.many += worked > STALL


async def _served(settings: s.Settings, stalls: Stalls) -> int:
    ticking: list[asyncio.Task[None]] = []

    async def started(_: Services, url: str) -> None:
        freeze()
        print(url, flush=True)
        ticking.append(asyncio.create_task(_tick(stalls)))

    code = await serve(settings, started=started)
    for task in ticking:
        task.cancel()
    return code


def main() -> None:
    folder, core, content = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    if core:
        os.sched_setaffinity(0, {int(core)})
    settings = settings_of(msgspec.json.decode(content, type=Plan), folder)
    start_log(settings.log)
    stalls = Stalls()
    code = uvloop.run(_served(settings, stalls))
    (folder / "stalls.json").write_bytes(msgspec.json.encode(stalls))
    sys.exit(code)


if __name__ == "__main__":
    main()
