"""A real house behind its real doors, on a port of its own, with somebody of every post and a way in for each.

Everything a test sees here went through the server: sockets, headers, cookies, frames. Only the way people get their
first link, and what the store says afterwards, is asked of the house directly.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import uvloop
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect

from puntobanco.house.house import opening_setup
from puntobanco.house.identity.throttle import RateLimit
from puntobanco.house.operations.log import start_log, stop_log
from puntobanco.house.operations.settings import (
    LiveSettings,
    LogSettings,
    PeopleSettings,
    Settings,
    StoreSettings,
    TableSettings,
    WebSettings,
)
from puntobanco.protocol import entries as b
from puntobanco.protocol.posts import HOUSE, Post
from puntobanco.rules import library
from puntobanco.store import open_store
from puntobanco.store.base import Store
from puntobanco.table import commands as c
from puntobanco.table.setup import InterruptionFinding, Policy, Timing
from puntobanco.web.serve import serve
from puntobanco.web.services import Services

PATIENCE = 90.0
HEADERS = {"X-Puntobanco": "1"}
PASSWORD = "seven quiet herons at dusk"

NAMES: dict[Post, str] = {
    Post.PLAYER: "ann", Post.CASHIER: "cal", Post.DEALER: "dora", Post.PIT_SUPERVISOR: "sue", Post.PIT_MANAGER: "max",
    Post.SHIFT_MANAGER: "tom", Post.AUDITOR: "ada", Post.ADMINISTRATOR: "root", Post.DEVICE: "scan", Post.BOARD: "wall",
}  # fmt: skip
"""Somebody of each post, in the whole house."""
THERE: dict[Post, str] = {post: f"{name}-there" for post, name in NAMES.items()}
"""Somebody of each post at the table `there` alone."""
PLAYERS = ("bao", "chen", "zed")
HERE, ELSEWHERE = "here", "there"
MONEY, FLOAT = 10_000_00, 1_000_000_00


class Visitor:
    """Somebody at a browser, signed in at one slot."""

    def __init__(self, url: str, name: str, slot: int, client: httpx.AsyncClient) -> None:
        self.url, self.name, self.slot, self.client = url, name, slot, client
        self.token = self.cookie_line = ""

    @property
    def cookie(self) -> dict[str, str]:
        return {"Cookie": f"puntobanco-{self.slot}={self.token}"} if self.token else {}

    async def ask(self, method: str, path: str, body: Any = None, **more: Any) -> httpx.Response:
        """A request as our own page sends it, unless told otherwise."""
        headers = {**HEADERS, **self.cookie, **more.pop("headers", {})}
        prefix = f"/u/{more.pop('slot', self.slot)}/api"
        if body is not None:
            more["content"] = body if isinstance(body, bytes) else json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        kept = {name: value for name, value in headers.items() if value is not None}
        answer = await self.client.request(method, prefix + path, headers=kept, **more)
        self.client.cookies.clear()  # which cookie is sent is the test's to say
        return answer

    async def get(self, path: str, **more: Any) -> httpx.Response:
        return await self.ask("GET", path, **more)

    async def post(self, path: str, body: Any = None, **more: Any) -> httpx.Response:
        return await self.ask("POST", path, body, **more)

    def took(self, answer: httpx.Response) -> None:
        """Keep the cookie an answer sets, as a browser does."""
        self.cookie_line = answer.headers["set-cookie"]
        self.token = self.cookie_line.partition(";")[0].partition("=")[2]

    @asynccontextmanager
    async def live(self, origin: str | None = "", **more: Any) -> AsyncIterator[ClientConnection]:
        """A live connection, after its two words of welcome."""
        path = more.pop("path", f"/u/{self.slot}/api/live")
        async with connect(
            self.url.replace("http", "ws", 1) + path,
            origin=self.url if origin == "" else origin,  # type: ignore[arg-type]
            additional_headers=more.pop("headers", self.cookie),
            **{"compression": None, "ping_interval": None, "max_size": None, "close_timeout": 1.0} | more,
        ) as connection:
            async with asyncio.timeout(PATIENCE):
                assert heard(await connection.recv())["type"] == "Hello"
                assert heard(await connection.recv())["type"] == "Seconds"
            yield connection


class Premises:
    """A house that is open, as a test may use it."""

    def __init__(self, services: Services, url: str, store: Store, log: Path) -> None:
        self.services, self.url, self.store, self.log = services, url, store, log
        self._client = httpx.AsyncClient(base_url=url, timeout=PATIENCE, verify=False)

    def stranger(self, slot: int = 1) -> Visitor:
        """Somebody who has not signed in."""
        return Visitor(self.url, "", slot, self._client)

    async def visitor(self, name: str, slot: int = 1) -> Visitor:
        """Somebody signed in by a link."""
        visitor = self.stranger(slot)
        visitor.name = name
        answer = await visitor.post("/ticket", {"ticket": await self.services.identity.tickets.issue(name)})
        assert answer.status_code == 200, answer.text
        visitor.took(answer)
        return visitor

    async def standing(self, *, but: frozenset[str] = frozenset()) -> tuple[dict[str, Any], dict[str, int]]:
        """How everything stands: the head of every stream and what every account holds.

        Of the book, entries of those kinds do not count; refusals of access are written whatever is asked.
        """
        heads: dict[str, Any] = {}
        for stream in await self.store.streams():
            heads[stream] = await self.store.head(stream)
        if b.STREAM in heads:
            heads[b.STREAM] = [kind async for kind in self._entries(but)]
        return heads, dict(await self.store.balances())

    async def _entries(self, but: frozenset[str]) -> AsyncIterator[tuple[int, str]]:
        count = 0
        async for row in self.store.read(b.STREAM):
            if row.kind.partition(".")[0] not in but:
                count += 1
                yield count, row.kind

    async def journal(self) -> list[b.AnyEntry]:
        return [b.decode(row.body) async for row in self.store.read(b.STREAM)]

    def lines(self) -> list[dict[str, Any]]:
        """The log, line by line; each line stands for itself."""
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines()]

    async def add(self, tables: Iterable[tuple[str, str, dict[str, Any]]], betting: int) -> None:
        """Further tables that deal by themselves; `betting`: milliseconds for bets."""
        for name, game, differs in tables:
            await _table(self.services, name, game, automatic=True, betting=betting, **differs)

    async def leave(self) -> None:
        await self._client.aclose()


def heard(text: str | bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    return found


async def answer_to(connection: ClientConnection, request: str) -> dict[str, Any]:
    """What a command was answered with, whatever else is told meanwhile."""
    async with asyncio.timeout(PATIENCE):
        while True:
            told = heard(await connection.recv())
            if told["type"] in ("Answered", "Misheard") and told.get("request", "") == request:
                return told


SETTINGS = Settings(
    store=StoreSettings(place=":memory:"),
    web=WebSettings(port=0, secure_cookies=False),
    people=PeopleSettings(argon2_time=2, argon2_memory=19_456, argon2_lanes=1, staff_second_factor=False),
    tables=TableSettings(pace_card=0, pace_result=0, pace_between=0, drain=0),
    live=LiveSettings(messages_per_second=10_000, bytes_per_second=8_388_608),
)


@asynccontextmanager
async def open_house(
    settings: Settings = SETTINGS,
    *,
    tables: Iterable[tuple[str, str, dict[str, Any]]] = (),
    patient: bool = True,
    place: str | None = None,
) -> AsyncIterator[Premises]:
    """`tables`: name, game and what differs from the usual set-up, dealing by themselves; beside two that wait for a
    dealer. `patient`: without the rate of requests, where a test asks more than a person could. `place`: of the store,
    if it is not a file of this house alone."""
    loop = asyncio.get_running_loop()
    with TemporaryDirectory() as folder:
        log = Path(folder, "log.json")
        start_log(LogSettings(file=str(log)))
        store, stop = open_store(place or Path(folder, "house.db")), asyncio.Event()
        opened: asyncio.Future[tuple[Services, str]] = loop.create_future()

        async def started(services: Services, url: str) -> None:
            opened.set_result((services, url))

        serving = asyncio.create_task(serve(settings, store=store, started=started, stop=stop))
        while not opened.done() and not serving.done():
            await asyncio.sleep(0.005)
        try:
            if serving.done():
                await serving
            services, url = opened.result()
            if patient:
                services.admission.requests = services.admission.pages = services.admission.strangers = RateLimit(
                    1_000_000, 1_000_000
                )
            premises = Premises(services, url, store, log)
            await furnish(services, tables)
            try:
                yield premises
            finally:
                await premises.leave()
        finally:
            stop.set()
            await serving
            stop_log()


async def furnish(services: Services, tables: Iterable[tuple[str, str, dict[str, Any]]]) -> None:
    house, itself = services.house, services.house.itself()
    note, people = house.journal_writer.note, [(name, post, HOUSE) for post, name in NAMES.items()]
    people += [(name, Post.PLAYER, HOUSE) for name in PLAYERS]
    people += [(name, post, ELSEWHERE) for post, name in THERE.items()]
    for name, post, scope in people:
        await note(
            b.PersonAdmitted(by=itself, person=name, title=name.title()),
            b.RoleGiven(by=itself, person=name, post=post, scope=scope),
            *([b.Deposited(by=itself, person=name, amount=MONEY)] if post is Post.PLAYER else []),
        )
    await _table(services, HERE, "commission", automatic=False)
    await _table(services, ELSEWHERE, "super-six", automatic=False)
    for name, game, differs in tables:
        await _table(services, name, game, automatic=True, **differs)


async def _table(
    services: Services, name: str, game: str, *, automatic: bool, betting: int = 20, squeeze: int = 0, **differs: Any
) -> None:
    house = services.house
    await house.journal_writer.note(
        b.TableAdded(
            by=house.itself(), table=name, game=game, fingerprint=library.game(game).fingerprint, automatic=automatic
        ),
        b.FloatFilled(by=house.itself(), table=name, amount=FLOAT),
    )
    await house._host(house.journal.tables[name])
    setup = replace(
        opening_setup(library.game(game)),
        timing=Timing(betting=betting, drain=0, squeeze=squeeze, insurance=10, options=5_000),
        policy=Policy(interruption_finding=InterruptionFinding.AUTOMATIC),
        minimum=10_00,
        differential=5_000_00,
        **differs,
    )
    opened = await house.do(NAMES[Post.SHIFT_MANAGER], name, c.OpenTable(setup=setup))
    assert opened.refusal is None, opened


def in_a_house(
    *, settings: Settings = SETTINGS, tables: Iterable[tuple[str, str, dict[str, Any]]] = (), patient: bool = True
) -> Callable[[Callable[[Premises], Coroutine[Any, Any, None]]], Callable[[], None]]:
    """Run a test in a house of its own, on the loop the house runs on."""

    def made(test: Callable[[Premises], Coroutine[Any, Any, None]]) -> Callable[[], None]:
        async def whole() -> None:
            async with open_house(settings, tables=tables, patient=patient) as premises:
                await test(premises)

        def run() -> None:
            uvloop.run(whole())

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        return run

    return made
