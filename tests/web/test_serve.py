"""A house as a process: its first start, its signals, its failures, and what is found after them."""

import asyncio
import re
import signal
import socket
import subprocess
import sys
import time
from base64 import b32decode
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvloop
from msgspec.structs import replace

from puntobanco.house.house import House, opening_setup
from puntobanco.house.identity.sessions import SessionKind
from puntobanco.house.identity.totp import totp
from puntobanco.house.integrity import Integrity
from puntobanco.house.operations.build_digest import BuildDigest
from puntobanco.house.operations.clock import HouseClock
from puntobanco.house.operations.log import start_log, stop_log
from puntobanco.house.operations.settings import (
    LogSettings,
    PeopleSettings,
    Settings,
    StoreSettings,
    TableSettings,
    WebSettings,
)
from puntobanco.house.tables.dealer import AutomaticDealer, Pace
from puntobanco.protocol import entries as b
from puntobanco.protocol.administrative_commands import AddTable, Disable, Enable
from puntobanco.protocol.posts import Post
from puntobanco.rules import library
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.records import StoreFailed
from puntobanco.store.sqlite import SqliteStore
from puntobanco.table import commands as c
from puntobanco.table.events import BettingOpened
from puntobanco.table.setup import Timing
from puntobanco.table.state import Phase
from puntobanco.web.demo import FACE_DOWN, PEOPLE, TABLES, create_demo
from puntobanco.web.housekeeping import DAY, Housekeeping
from puntobanco.web.http import asyncapi, openapi
from puntobanco.web.serve import _bound, opened, serve
from puntobanco.web.services import Services
from tests.house import staffed
from tests.house.staffed import until
from tests.store.engines import file_of
from tests.web.running import PATIENCE, Running

CHEAP = PeopleSettings(argon2_time=2, argon2_memory=19_456, argon2_lanes=1, staff_second_factor=False)
QUICK = TableSettings(pace_card=0, pace_result=0, pace_between=0, drain=20)
ASKED = {"X-Puntobanco": "1"}


@contextmanager
def page(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, headers=ASKED) as client:
        yield client


# ---- the first start ---------------------------------------------------------------------------------------------


def test_a_first_start_tells_one_password_that_must_be_changed_and_a_second_start_none(tmp_path: Path) -> None:
    with Running(tmp_path) as house:
        url = house.until(r"Listening on (\S+)")
        password = house.until(r"One-time password: (\S+)")
        with page(url) as browser:

            def sign_in(**more: str) -> httpx.Response:
                body = {"name": "administrator", "password": password} | more
                return browser.post("/u/1/api/sign-in", json=body)

            assert sign_in().json()["reason"] == Reason.PASSWORD_MUST_CHANGE
            new = {"new_password": "seven crows over the river"}
            enrol = sign_in(**new).json()["enrol"]
            code = totp(b32decode(enrol["secret"]), int(time.time()) // 30)
            assert sign_in(**new, code=code).status_code == 200
            assert browser.get("/u/1/api/me").json()["roles"] == {"*": "administrator"}, "a browser keeps the cookie"
            assert sign_in().status_code == 401, "it was good once"
            assert len(browser.get("/u/1/api/health").json()["program"]) == 64
        house.told(signal.SIGTERM)
        assert house.ended() == 0
    with Running(tmp_path) as house:
        house.until(r"Listening on (\S+)")
        house.told(signal.SIGINT)
        assert house.ended() == 0
        assert "password" not in house.said
    assert password not in (tmp_path / "house.log").read_text(encoding="utf-8")
    assert (tmp_path / "house.db").stat().st_mode & 0o077 == 0


def test_an_address_that_is_taken_is_told_in_one_line_and_nothing_is_touched(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with Running(tmp_path, told={"PUNTOBANCO_WEB_PORT": str(port)}) as house:
            assert house.ended() == 1
            assert house.said == f"puntobanco: Cannot listen on 127.0.0.1:{port}: Address already in use.\n"
    assert not (tmp_path / "house.db").exists()


def test_a_house_is_served_once(tmp_path: Path) -> None:
    with Running(tmp_path) as first, Running(tmp_path, told={"PUNTOBANCO_LOG_FILE": "second.log"}) as second:
        codes = []
        for house in (first, second):
            try:
                house.until(r"Listening on (\S+)")
                house.told(signal.SIGTERM)
            except AssertionError:
                assert "The server is running" in house.said
            codes.append(house.ended())
        assert codes.count(2) <= 1
        assert 0 in codes


# ---- the demonstration -------------------------------------------------------------------------------------------


def found(browser: httpx.Client) -> dict[str, Any]:
    time.sleep(0.05)
    return {one["table"]: one for one in browser.get("/u/1/api/tables").json()}


def test_the_demonstration_deals_every_game_and_is_found_again_as_it_was_left(tmp_path: Path) -> None:
    told = {"PUNTOBANCO_TABLES_PACE_CARD": "0", "NOTIFY_SOCKET": str(tmp_path / "notify")}
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(PATIENCE)
        with Running(tmp_path, "--demo", told=told) as house:
            house.until("twice to stop at once")
            assert manager.recv(100) == b"READY=1"
            links = re.findall(r"(http\S+)/u/(\d+)/#ticket=(\S+)", house.said)
            assert len(links) == len(PEOPLE) == len({slot for _, slot, _ in links})
            assert set(Post) - {post for _, post in PEOPLE.values()} <= {Post.DEVICE}
            with page(links[0][0]) as browser:
                for _, slot, ticket in links:
                    entered = browser.post(f"/u/{slot}/api/ticket", json={"ticket": ticket})
                    assert entered.json()["me"]["play_money"] is True
                    assert browser.post(f"/u/{slot}/api/ticket", json={"ticket": ticket}).status_code == 401
                dealt = {name for name, (_, automatic) in TABLES.items() if automatic}
                tables = found(browser)
                while not all(tables[name]["round"] for name in dealt):
                    tables = found(browser)
                assert {one["game"] for one in tables.values()} == {game for game, _ in TABLES.values()}
                down = [name for name in dealt if browser.get(f"/u/1/api/tables/{name}").json()["setup"]["face_down"]]
                assert down == [FACE_DOWN], "at one table a player can squeeze"
                assert library.game(TABLES[FACE_DOWN][0]).squeeze is not None
                kept = dict(browser.cookies)
                assert (tmp_path / "demo").stat().st_mode & 0o777 == 0o700
                house.process.kill()
                house.process.wait()
        with Running(tmp_path, "--demo", told=told) as house:
            house.until("twice to stop at once")
            assert manager.recv(100) == b"READY=1"
            url, _, ticket = re.findall(r"(http\S+)/u/(\d+)/#ticket=(\S+)", house.said)[0]
            assert ticket not in [one for _, _, one in links]
            with httpx.Client(base_url=url, headers=ASKED, cookies=kept) as browser:
                again = found(browser)
                assert all(again[name]["round"] >= one["round"] for name, one in tables.items())
                assert browser.get("/u/1/api/wallet").json()["held"] == 10_000_00
            house.told(signal.SIGTERM)
            assert manager.recv(100) == b"STOPPING=1"
            house.told(signal.SIGTERM)
            assert house.ended() == 1, "the second signal ends it in the middle of a round"


def test_lines_of_the_demonstration_fit_a_terminal(tmp_path: Path) -> None:
    """At the usual port; here it is the machine's choice and has a digit more."""
    with Running(tmp_path, "--demo") as house:
        house.until("twice to stop at once")
        assert max(map(len, house.said.splitlines())) <= 81


@pytest.mark.parametrize(
    "told",
    [
        {"PUNTOBANCO_WEB_HOST": "0.0.0.0"},
        {
            "PUNTOBANCO_WEB_BEHIND_TLS_PROXY": "true", "PUNTOBANCO_WEB_TRUSTED_PROXIES": "10.0.0.0/8",
            "PUNTOBANCO_WEB_PUBLIC_URL": "https://tables.example",
        },
    ],
)  # fmt: skip
def test_there_is_no_demonstration_where_others_could_reach_it(tmp_path: Path, told: dict[str, str]) -> None:
    with Running(tmp_path, "--demo", told=told) as house:
        assert house.ended() == 2
        assert house.said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_there_is_no_demonstration_in_a_house_of_other_people(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        with pytest.raises(Refused) as caught:
            await create_demo(house)
        assert caught.value.reason is Reason.HOUSE_FOUNDED
        assert "root" not in house.journal.people

    staffed.Floor(tmp_path).run(work)


# ---- failures ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [150_000, 1_100_000])
def test_a_house_whose_disk_is_full_stops_with_exit_code_1_and_starts_again(tmp_path: Path, limit: int) -> None:
    """Before it has opened its doors, or while it deals."""
    told = {"PUNTOBANCO_TABLES_PACE_CARD": "0", "PUNTOBANCO_TABLES_PACE_RESULT": "0"}
    with Running(tmp_path, "--demo", limit=limit, told=told) as house:
        assert house.ended() == 1
        assert "store" in house.said.splitlines()[-1]
    with Running(tmp_path, "--demo") as house:
        house.until("twice to stop at once")
        house.process.kill()
    command = [sys.executable, "-c", "from puntobanco.cli.main import main; main()", "house", "verify", "demo/house.db"]
    assert subprocess.run(command, cwd=tmp_path, check=False, stdout=subprocess.DEVNULL).returncode == 0


def settings(folder: Path, **changes: Any) -> Settings:
    told = Settings(
        web=WebSettings(port=0), people=CHEAP, tables=QUICK, store=StoreSettings(place=str(folder / "house.db")),
        log=LogSettings(file=str(folder / "house.log")),
    )  # fmt: skip
    return replace(told, **changes)


class Wall:
    """The clock on the wall, which somebody sets, and the one nobody can."""

    def __init__(self) -> None:
        self.wall, self.monotonic = 1_900_000_000_000, 0

    def clock(self) -> HouseClock:
        return HouseClock(wall=lambda: self.wall * 1_000_000, monotonic=lambda: self.monotonic * 1_000_000)

    def goes(self, ms: int) -> None:
        self.wall, self.monotonic = self.wall + ms, self.monotonic + ms


async def staff(house: House) -> None:
    itself = house.itself()
    for name, post in (("tom", Post.SHIFT_MANAGER), ("ada", Post.ADMINISTRATOR)):
        await house.journal_writer.note(
            b.PersonAdmitted(by=itself, person=name, title=name),
            b.RoleGiven(by=itself, person=name, post=post, scope="*"),
        )


async def in_round(house: House, *names: str) -> None:
    """Tables with a round that somebody else must finish."""
    for name in names:
        staffed.well(await house.manage("ada", AddTable(table=name, game="commission")))
        setup = replace(opening_setup(house.tables[name].game), timing=Timing(betting=600_000))
        staffed.well(await house.do("tom", name, c.OpenTable(setup=setup)))
        dealer = AutomaticDealer(house.tables[name])
        while house.tables[name].state.phase is not Phase.BETTING:
            await dealer.step()


def test_the_drain_goes_on_although_one_table_has_failed(tmp_path: Path) -> None:
    """A table that lost its history to another owner is told as failed; the rest of the house finishes in order."""
    drained: list[int] = []

    async def work() -> int:
        stop = asyncio.Event()

        async def started(services: Services, _: str) -> None:
            house = services.house
            await staff(house)
            staffed.well(await house.manage("ada", AddTable(table="one", game="commission")))
            await house.store.claim("one")
            opening = c.OpenTable(setup=opening_setup(house.tables["one"].game))
            assert staffed.refused(await house.do("tom", "one", opening)) is Reason.TABLE_STOPPED
            assert set(house.failed) == {"one"}
            await Housekeeping(services).look()
            stop.set()

        return await serve(settings(tmp_path), started=started, stop=stop, stopping=drained.append)

    assert uvloop.run(work()) == 0
    assert drained == [QUICK.drain]


def test_a_house_whose_audit_cannot_be_written_shuts_out_who_is_out_and_stops(tmp_path: Path) -> None:
    async def work() -> int:
        async def started(services: Services, _: str) -> None:
            house = services.house
            await staffed.people_of(house)
            await services.identity.sessions.start("ann", SessionKind.PLAYER)
            start_log(LogSettings(file=str(tmp_path / "log"), audit_file="/dev/full"))
            staffed.well(await house.manage("ada", Disable(person="ann", reason="cheated")))
            await until(lambda: not services.identity.sessions.of("ann"))
            with pytest.raises(StoreFailed, match="audit"):
                await house.manage("ada", Enable(person="ann"))
            assert not house.journal.people["ann"].active

        return await serve(settings(tmp_path), started=started)

    try:
        assert uvloop.run(work()) == 1
    finally:
        stop_log()


def test_a_store_that_fails_under_a_table_stops_the_whole_house(tmp_path: Path) -> None:
    async def work() -> int:
        store = SqliteStore(tmp_path / "house.db")

        async def started(services: Services, _: str) -> None:
            house = services.house
            await staff(house)
            staffed.well(await house.manage("ada", AddTable(table="one", game="commission")))
            file_of(store).fail("the disk is gone")
            opening = c.OpenTable(setup=opening_setup(house.tables["one"].game))
            assert staffed.refused(await house.do("tom", "one", opening)) is Reason.TABLE_STOPPED
            assert house.journal_writer.failed is None, "only the table has noticed"

        return await serve(settings(tmp_path), store=store, started=started)

    assert uvloop.run(work()) == 1


def test_what_was_running_at_a_power_cut_is_suspended_at_the_next_start(tmp_path: Path) -> None:
    async def cut() -> None:
        async with opened(settings(tmp_path)) as services:
            await staff(services.house)
            await in_round(services.house, "one")

    async def again() -> None:
        async with opened(settings(tmp_path)) as services:
            assert services.house.tables["one"].state.phase is Phase.SUSPENDED
            assert services.house.in_round == ("one",)

    asyncio.run(cut())
    asyncio.run(again())


def test_a_house_that_cannot_go_on_starting_closes_what_it_has_opened(tmp_path: Path) -> None:
    async def work() -> None:
        async def started(_services: Services, _url: str) -> None:
            raise LookupError("nobody there")

        with pytest.raises(LookupError):
            await serve(settings(tmp_path), started=started)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert not others, "nothing runs on"

    uvloop.run(work())


# ---- what is looked after ----------------------------------------------------------------------------------------


def test_a_clock_that_was_set_is_on_record_once(tmp_path: Path) -> None:
    wall = Wall()

    async def work() -> list[b.ClockMoved]:
        async with opened(settings(tmp_path), clock=wall.clock()) as services:
            housekeeping = Housekeeping(services)
            await housekeeping.look()
            wall.wall -= 600_000
            for _ in range(3):
                wall.goes(1_000)
                await housekeeping.look()
            wall.wall += 3_600_000
            await housekeeping.look()
            found: list[b.ClockMoved] = await staffed.entries(services.house, b.ClockMoved)
            return found

    moved = asyncio.run(work())
    assert [one.by_ms for one in moved] == [-600_000, 3_600_000]
    assert moved[0].by.at < moved[1].by.at, "the clock of the house went on"


def test_the_program_is_on_record_at_the_start_and_every_day(tmp_path: Path) -> None:
    wall = Wall()
    found = BuildDigest(version="0.1.0", files={"a.py": "0" * 64})

    async def work() -> tuple[list[b.HouseOpened], list[b.ProgramChecked]]:
        integrity = Integrity(enforced=True, files=lambda **_: found)
        async with opened(settings(tmp_path), clock=wall.clock(), integrity=integrity) as services:
            housekeeping = Housekeeping(services)
            for _ in range(5):
                wall.goes(DAY // 2)
                await housekeeping.look()
            assert services.program == next(iter(services.house.journal.programs.values()))
            return await staffed.entries(services.house, b.HouseOpened), await staffed.entries(
                services.house, b.ProgramChecked
            )

    opening, checked = asyncio.run(work())
    assert len(opening) == 1
    assert [one.digest for one in checked] == [found.digest] * 2
    assert checked[1].by.at - checked[0].by.at == DAY


def test_the_figures_show_every_table_and_one_that_has_failed_falls_silent(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(tmp_path)) as services:
            house, housekeeping = services.house, Housekeeping(services)
            await staff(house)
            await in_round(house, "one", "two")
            await housekeeping.look()
            for name in ("one", "two"):
                assert f'puntobanco_queue_depth{{table="{name}"}} 0.0' in services.metrics.text().decode()
            house.tables["one"].stream.give_up("a fault")
            await asyncio.sleep(0.05)
            await housekeeping.look()
            assert services.metrics.silent("one") >= 0.05 > services.metrics.silent("two")
            house.tables.pop("one")
            await housekeeping.look()
            assert 'queue_depth{table="one"}' not in services.metrics.text().decode()

    asyncio.run(work())


def test_upkeep_goes_on_after_a_look_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puntobanco.web.housekeeping.LOOK", 0.01)

    async def work() -> None:
        async with opened(settings(tmp_path)) as services:
            housekeeping, looks = Housekeeping(services), [0]

            async def failing() -> None:
                looks[0] += 1
                raise RuntimeError("dust in the works")

            housekeeping.look = failing  # type: ignore[method-assign]
            keeping = asyncio.create_task(housekeeping.keep(asyncio.Event()))
            await until(lambda: looks[0] >= 3)
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)

    asyncio.run(work())


# ---- the pace ----------------------------------------------------------------------------------------------------


def test_an_automatic_dealer_opens_no_more_rounds_than_an_hour_may_have(tmp_path: Path) -> None:
    """Fifty an hour, as one regulator wants it: never two within 72 seconds, whatever the pace of the cards."""
    floor = staffed.Floor(tmp_path)

    async def hour(house: House) -> list[int]:
        dealer = AutomaticDealer(house.tables["one"], Pace(card=0, result=0, between=0, round=Pace.most(50)))
        ends = floor.clock.now + 3_600_000
        while floor.clock.now < ends:
            floor.clock.now += min(max(await dealer.step(), 1), ends - floor.clock.now)
        rows = [row async for row in house.store.read("one") if row.kind.startswith(BettingOpened.__name__)]
        return [row.at for row in rows]

    async def first(house: House) -> list[int]:
        await staffed.add(house, "one", "commission")
        return await hour(house)

    rounds = floor.run(first)
    assert len(rounds) == 50
    again = floor.run(hour)
    assert len(again) <= 100
    assert min(later - before for before, later in pairwise(again)) >= 72_000, "nor by a restart"


def test_without_a_limit_the_pace_alone_counts() -> None:
    assert (Pace.most(0), Pace.most(50), Pace.most(7)) == (0, 72_000, 514_286)


# ---- cookies -----------------------------------------------------------------------------------------------------


def test_cookies_are_kept_to_tls_wherever_there_is_any() -> None:
    proxied = WebSettings(behind_tls_proxy=True, trusted_proxies=("10.0.0.0/8",), public_url="https://tables.example")
    assert proxied.keeps_cookies_to_tls
    assert WebSettings(tls_certificate="c.pem", tls_key="k.pem").keeps_cookies_to_tls
    assert WebSettings(host="0.0.0.0", tls_certificate="c.pem", tls_key="k.pem").keeps_cookies_to_tls
    assert not WebSettings().keeps_cookies_to_tls, "no browser but a few would keep such a cookie on plain http"


def test_a_certificate_that_is_none_is_a_setting_to_put_right(tmp_path: Path) -> None:
    certificate, key = tmp_path / "c.pem", tmp_path / "k.pem"
    for file in (certificate, key):
        file.write_text("none")
    with pytest.raises(Refused) as refused:
        _bound(WebSettings(port=0, tls_certificate=str(certificate), tls_key=str(key)))
    assert refused.value.reason is Reason.TLS_UNUSABLE


def test_what_delays_a_table_is_there_before_anybody_asks_and_the_documents_are_not(tmp_path: Path) -> None:
    documents = (openapi.written, asyncapi.written)
    for written in documents:
        written.cache_clear()
    library.sentences.cache_clear()
    stop, found = asyncio.Event(), dict[str, int]()

    async def started(_: Services, __: str) -> None:
        found["languages"] = library.sentences.cache_info().currsize
        found["documents"] = sum(written.cache_info().currsize for written in documents)
        stop.set()

    assert uvloop.run(serve(settings(tmp_path), started=started, stop=stop)) == 0
    assert found == {"languages": len(library.LANGUAGES), "documents": 0}
