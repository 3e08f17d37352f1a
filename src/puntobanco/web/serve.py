"""Opening the doors and closing them: one process serves tables, people and screens.

A request to stop drains: rounds are finished and none is opened. If the store fails the house stops at once, and what
starts it again finds everything that was acknowledged.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, cast

import msgspec
import uvicorn

import puntobanco
from puntobanco.house import book as b
from puntobanco.house.book import AnyEntry
from puntobanco.house.clock import HouseClock
from puntobanco.house.dealer import Pace
from puntobanco.house.house import House, Watcher
from puntobanco.house.log import audit, logger
from puntobanco.house.metrics import Metrics
from puntobanco.house.passwords import Credentials, Work
from puntobanco.house.program import mismatch, program
from puntobanco.house.second_factor import SecondFactors
from puntobanco.house.sessions import Lasts, Limits, Session, Sessions, Tickets
from puntobanco.house.settings import Settings
from puntobanco.house.signing_in import Known, SigningIn
from puntobanco.house.table import Hosted
from puntobanco.house.throttle import Rate, Throttle
from puntobanco.house.vault import SECOND
from puntobanco.house.watch import READY, STOPPING, tell_manager, watch
from puntobanco.store import open_store
from puntobanco.store.records import Store
from puntobanco.table.events import AnyEvent
from puntobanco.web.app import application
from puntobanco.web.connection import Limits as Patience
from puntobanco.web.desk import BURST, PER_SECOND, Desk, known
from puntobanco.web.doors import App, Doors
from puntobanco.web.fanout import Fanout
from puntobanco.web.live import Live
from puntobanco.web.protocol import SERVER
from puntobanco.web.screens import Screens, encoded
from puntobanco.web.seconds import seconds_for, seconds_of
from puntobanco.web.wire import Beat

SWEEP = 60.0
LOOK = 1.0
"""Seconds between looks at what expired, and at whether the house still works."""


class Observer(Watcher):
    """Counts and logs what happens; a person who is disabled is out within the second."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._tasks: set[asyncio.Task[None]] = set()

    def at_table(self, table: Hosted, events: tuple[AnyEvent, ...]) -> None:
        self.desk.metrics.count(table.name, table.game.key, events)
        if table.name in self.desk.house.runners:
            self.desk.metrics.beat(table.name)

    def in_book(self, entry: AnyEntry) -> None:
        told = msgspec.to_builtins(entry)
        by, what = told.pop("by"), told.pop("type")
        result = "refused" if isinstance(entry, b.SignInRefused | b.AccessDenied) else "done"
        audit(what, who=by["person"], where=by.get("address", ""), result=result, entry=told)
        if isinstance(entry, b.PersonDisabled | b.RoleTaken):
            self._soon(self._out(entry.person))
        if isinstance(entry, b.RoleGiven) and self._promoted(entry.person):
            self._soon(self._out(entry.person))
        if isinstance(entry, b.SecondAsked | b.SecondGiven | b.SecondDeclined):
            for person in self.desk.house.book.people:
                if seconds_of(person) in self.desk.fanout:
                    told_now = encoded(seconds_for(self.desk.house, person))
                    self.desk.fanout.publish(seconds_of(person), told_now)

    def fault(self, where: str, error: BaseException) -> None:
        logger("house").error("a fault", where=where, exc_info=error)

    def _promoted(self, person: str) -> bool:
        """Whoever signed in as a player has not shown what is asked of the staff, and signs in again."""
        account = self.desk.known(person)
        return account is not None and any(one.kind is not account.kind for one in self.desk.sessions.of(person))

    async def _out(self, person: str) -> None:
        await self.desk.sessions.end_all(person)
        await self.desk.tickets.revoke_all(person)

    def _soon(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class Server(uvicorn.Server):
    """Signals are the house's to hear: it drains first."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def opened(settings: Settings, store: Store | None = None, *, at_rest: bool = False) -> AsyncIterator[Desk]:
    """A house with everything a request may need, without doors yet; `at_rest`: nothing is dealt."""
    store = store or open_store(settings.store.place)
    await store.open()
    try:
        await store.sole()
        desk = await _desk(settings, store, at_rest=at_rest)
        try:
            yield desk
        finally:
            await desk.house.close()
            desk.credentials.close()
    finally:
        await store.close()


async def _desk(settings: Settings, store: Store, *, at_rest: bool) -> Desk:
    found = program()
    clock = HouseClock(not_before=await _last_moment(store))
    pace = Pace(
        card=settings.tables.pace_card, result=settings.tables.pace_result, between=settings.tables.pace_between
    )
    house = House(store, clock, pace=pace, program=(found.version, found.digest))
    people = settings.people
    limits = Limits(
        player=Lasts(people.player_idle * SECOND, people.player_absolute * SECOND),
        staff=Lasts(people.staff_idle * SECOND, people.staff_absolute * SECOND),
        most=people.most_sessions,
    )
    sessions, tickets = Sessions(store, clock, limits), Tickets(store, clock)
    credentials = Credentials(
        store, clock, work=Work(passes=people.argon2_time, memory=people.argon2_memory, lanes=people.argon2_lanes)
    )
    factors = SecondFactors(store, clock, settings.house.name)

    def somebody(name: str) -> Known | None:
        return known(house.book, name)

    fanout = Fanout(
        Patience(
            slow=settings.live.slow_limit,
            rate=settings.live.messages_per_second,
            burst=2 * settings.live.messages_per_second,
            gross_rate=5 * settings.live.messages_per_second,
            gross_burst=10 * settings.live.messages_per_second,
            heartbeat=settings.live.heartbeat,
            silence=2.5 * settings.live.heartbeat,
        )
    )
    desk = Desk(
        house=house,
        settings=settings,
        sessions=sessions,
        tickets=tickets,
        credentials=credentials,
        factors=factors,
        signing_in=SigningIn(
            somebody, credentials, factors, sessions, Throttle(), clock,
            staff_second_factor=people.staff_second_factor,
        ),
        fanout=fanout,
        screens=Screens(house, fanout),
        metrics=Metrics(puntobanco.__version__, found.digest),
        rate=Rate(PER_SECOND, BURST),
        program=found.digest,
    )  # fmt: skip
    house.watchers += [desk.screens, Observer(desk)]
    sessions.on_ended(lambda session, _: _hang_up(fanout, session))
    await house.open(dealing=not at_rest)
    await sessions.open()
    await tickets.open()
    if (differs := mismatch(found, house.book.programs)) is not None:
        logger("house").error("the program is not the one that was recorded", differs=str(differs))
    return desk


def _hang_up(fanout: Fanout, session: Session) -> None:
    fanout.close(("session", session.id))


async def _last_moment(store: Store) -> int:
    """Time never goes back, also across a restart."""
    moments = [await store.last_moment(stream) for stream in await store.streams()]
    return max(moments, default=0)


async def serve(
    settings: Settings,
    *,
    store: Store | None = None,
    started: Callable[[Desk, str], Awaitable[None]] | None = None,
    stop: asyncio.Event | None = None,
) -> int:
    """Run the house until it is told to stop; the answer is the exit code of the process."""
    stop = stop or asyncio.Event()
    async with opened(settings, store) as desk:
        url = settings.web.url

        def origins() -> frozenset[str]:
            return frozenset({url, *settings.web.origins})

        live = Live(desk.house, desk.screens, desk.fanout, desk.metrics)
        doors = Doors(desk, live, cast(App, application(desk, origins)), origins)
        server = Server(_config(settings, doors))
        running = asyncio.create_task(server.serve())
        while not server.started and not running.done():
            await asyncio.sleep(0.01)
        if running.done():
            return await _failed(running)
        url = settings.web.public_url or _address(settings, server)
        beside = [
            asyncio.create_task(work)
            for work in (
                _look_after(desk, stop),
                desk.fanout.keep_beating(lambda: encoded(Beat(at=desk.house.clock()))),
                watch(desk.metrics, os.environ, well=lambda: not desk.house.failed),
            )
        ]
        with _heard(stop):
            tell_manager(READY, os.environ)
            if started is not None:
                await started(desk, url)
            await asyncio.wait([asyncio.create_task(stop.wait()), running], return_when=asyncio.FIRST_COMPLETED)
            tell_manager(STOPPING, os.environ)
            if not desk.house.failed:
                left = await desk.house.drain(settings.tables.drain)
                logger("house").info("the house is closing", still_in_round=list(left))
        server.should_exit = True
        await running
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        return 1 if desk.house.failed else 0


def _config(settings: Settings, app: Any) -> uvicorn.Config:
    web = settings.web
    return uvicorn.Config(
        app,
        host=web.host,
        port=web.port,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="off",
        proxy_headers=bool(web.trusted_proxies),
        forwarded_allow_ips=list(web.trusted_proxies),
        ssl_certfile=web.tls_certificate or None,
        ssl_keyfile=web.tls_key or None,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=64 * 1024,
        **(SERVER | {"ws_max_size": settings.live.frame_bytes}),
    )


def _address(settings: Settings, server: uvicorn.Server) -> str:
    """Where it listens, when the port was left to the machine."""
    port = server.servers[0].sockets[0].getsockname()[1]
    host = f"[{settings.web.host}]" if ":" in settings.web.host else settings.web.host
    return f"{'https' if settings.web.tls else 'http'}://{host}:{port}"


async def _failed(running: "asyncio.Task[None]") -> int:
    """The doors could not be opened: the address is taken, or not ours."""
    try:
        await running
    except SystemExit:
        return 1
    return 1


@contextmanager
def _heard(stop: asyncio.Event) -> Iterator[None]:
    """The first signal drains; the second stops at once."""
    loop = asyncio.get_running_loop()

    def told() -> None:
        if stop.is_set():
            os._exit(1)
        stop.set()

    signals = (signal.SIGTERM, signal.SIGINT)
    for one in signals:
        loop.add_signal_handler(one, told)
    try:
        yield
    finally:
        for one in signals:
            loop.remove_signal_handler(one)


async def _look_after(desk: Desk, stop: asyncio.Event) -> None:
    """What expired is ended, a clock that was set is recorded, and a house whose store failed does not go on."""
    swept = 0.0
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(LOOK)
        if desk.house.office.failed is not None:
            logger("house").error("the store failed: the house stops", why=desk.house.office.failed)
            stop.set()
        clock = desk.house.clock
        if isinstance(clock, HouseClock):
            desk.metrics.drift(clock.drift())
            if (changed := clock.changed()) is not None:
                await desk.house.office.note(b.ClockMoved(by=desk.house.itself(), by_ms=changed.by))
        if loop.time() - swept > SWEEP:
            swept = loop.time()
            await desk.sessions.sweep()
            await desk.tickets.sweep()
            desk.rate.sweep(clock())
