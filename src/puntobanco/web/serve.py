"""Opening the doors and closing them: one process serves tables, people and screens.

A request to stop drains: rounds are finished and none is opened. If the store fails the house stops at once, and what
starts it again finds everything that was acknowledged.
"""

import asyncio
import os
import signal
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from functools import partial
from typing import Any, cast

import uvicorn

import puntobanco
from puntobanco.house.house import House
from puntobanco.house.identity.credentials import Keys
from puntobanco.house.identity.sessions import Session
from puntobanco.house.identity.sign_in import Known, SigningIn
from puntobanco.house.identity.throttle import Throttle
from puntobanco.house.integrity import Integrity
from puntobanco.house.offline import last_moment
from puntobanco.house.operations.clock import HouseClock
from puntobanco.house.operations.log import logger
from puntobanco.house.operations.metrics import Metrics
from puntobanco.house.operations.settings import Settings, Web
from puntobanco.house.operations.systemd import READY, STOPPING, tell_manager, watch
from puntobanco.house.pricing.appraisal import Appraisal
from puntobanco.house.pricing.odds_process import Calculator
from puntobanco.house.secrets.secret_store import Vault, unlocked
from puntobanco.house.shoes.seal import Sealed, new_shoe
from puntobanco.house.tables.dealer import Pace
from puntobanco.protocol.live import Beat
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store import open_store
from puntobanco.store.records import Store
from puntobanco.web.asgi import App, Doors
from puntobanco.web.housekeeping import Observer, Upkeep, store_failed
from puntobanco.web.live.connection import Limits as Patience
from puntobanco.web.live.fanout import Fanout
from puntobanco.web.live.publisher import Screens, encoded
from puntobanco.web.live.session import Live, PerPerson
from puntobanco.web.routes import application
from puntobanco.web.server.admission import Gate, Limits
from puntobanco.web.server.listener import Listening
from puntobanco.web.server.uvicorn_protocols import SERVER, HurriedProtocol, LiveProtocol
from puntobanco.web.services import Desk, known

Started = Callable[[Desk, str], Awaitable[None]]
"""Told once the doors are open, with the address at which people reach the house."""
Shoes = Callable[[int], Sealed]
"""Fills the electronic shoes with so many decks."""
Stopping = Callable[[int], None]
"""Told when the house was asked to stop, with the seconds that rounds have to finish."""


class Server(uvicorn.Server):
    """Signals are the house's to hear: it drains first. And it takes connections as the gate can bear them."""

    def __init__(self, config: uvicorn.Config, gate: Gate) -> None:
        super().__init__(config)
        self._gate = gate

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        config = self.config

        def make() -> asyncio.Protocol:
            kind = cast(Callable[..., asyncio.Protocol], config.http_protocol_class)
            return kind(config=config, server_state=self.server_state, app_state={})

        self.servers = [
            Listening(one, make, self._gate, backlog=config.backlog, tls=config.ssl)  # type: ignore[misc]
            for one in sockets or ()
        ]
        self.started = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


# ---- a house without doors ---------------------------------------------------------------------------------------


@asynccontextmanager
async def opened(
    settings: Settings,
    store: Store | None = None,
    *,
    clock: HouseClock | None = None,
    dealing: bool = True,
    shoes: Shoes = new_shoe,
    integrity: Integrity | None = None,
) -> AsyncIterator[Desk]:
    """A house with everything a request may need; `dealing`: whether tables that deal by themselves do."""
    store = store or open_store(settings.store.place)
    await store.open()
    try:
        await store.sole()
        clock = clock or HouseClock(not_before=await last_moment(store))
        if integrity is None:
            integrity = await asyncio.to_thread(Integrity, enforced=not settings.house.demo)
        vault = await unlocked(store, settings.store)
        desk = await _desk(settings, store, vault, clock, shoes, integrity, dealing=dealing)
        try:
            yield desk
        finally:
            await desk.house.close()
            desk.credentials.close()
            await desk.calculator.close()
    finally:
        await store.close()


async def _desk(
    settings: Settings,
    store: Store,
    vault: Vault,
    clock: HouseClock,
    shoes: Shoes,
    integrity: Integrity,
    *,
    dealing: bool,
) -> Desk:
    found = integrity.started
    tables = settings.tables
    pace = Pace(
        card=tables.pace_card,
        result=tables.pace_result,
        between=tables.pace_between,
        round=Pace.most(tables.most_rounds_per_hour),
    )
    keys = Keys.of(settings, store, vault, clock)
    house = House(
        store,
        clock,
        pace=pace,
        shoes=shoes,
        vault=vault,
        program=(found.version, found.digest),
        integrity=integrity,
        money=settings.money,
        confirming=keys.confirming,
    )

    def somebody(name: str) -> Known | None:
        return known(house.book, name)

    metrics = Metrics(puntobanco.__version__, found.digest)
    fanout = Fanout(
        Patience(
            slow=settings.live.slow_limit,
            rate=settings.live.messages_per_second,
            burst=2 * settings.live.messages_per_second,
            refusals=5 * settings.live.messages_per_second,
            heartbeat=settings.live.heartbeat,
            silence=2.5 * settings.live.heartbeat,
        )
    )
    calculator = Calculator()
    appraisal = Appraisal(calculator)
    house.appraise = appraisal.in_time
    desk = Desk(
        house=house,
        settings=settings,
        sessions=keys.sessions,
        tickets=keys.tickets,
        credentials=keys.credentials,
        confirming=keys.confirming,
        factors=keys.factors,
        signing_in=SigningIn(
            somebody, keys.credentials, keys.factors, keys.sessions, Throttle(), clock,
            staff_second_factor=settings.people.staff_second_factor,
        ),
        fanout=fanout,
        screens=Screens(house, fanout, settings.live.per_second),
        metrics=metrics,
        gate=_gate(settings, house, keys, clock, metrics),
        calculator=calculator,
        appraisal=appraisal,
        program=found.digest,
    )  # fmt: skip
    observer = Observer(desk)
    house.watchers += [desk.screens, observer, appraisal]
    keys.sessions.on_ended(lambda session, _: _hang_up(fanout, session))
    keys.sessions.on_ended(observer.gone)
    await house.open(dealing=dealing)
    await keys.open()
    desk.metrics.program(len(integrity.differs(house.book)), held=house.held)
    return desk


def _gate(settings: Settings, house: House, keys: Keys, clock: HouseClock, metrics: Metrics) -> Gate:
    web, live = settings.web, settings.live

    def person_of(token: str) -> str | None:
        session = keys.sessions.find(token)
        return session.person if session is not None else None

    limits = Limits(
        frames=6 * live.messages_per_second,
        bytes=live.bytes_per_second,
        requests=web.requests_per_second,
        strangers=web.anonymous_requests_per_second,
        connections=web.anonymous_connections,
        connections_per_address=web.anonymous_connections_per_address,
        connections_per_person=web.person_connections,
    )
    return Gate(
        limits, person_of=person_of, proxies=web.trusted_proxies, flooded=metrics.flooded,
        busy=lambda: house.under_way > 0, clock=clock,
    )  # fmt: skip


def _hang_up(fanout: Fanout, session: Session) -> None:
    fanout.close(("session", session.id))


# ---- with its doors open -----------------------------------------------------------------------------------------


async def serve(
    settings: Settings,
    *,
    store: Store | None = None,
    clock: HouseClock | None = None,
    started: Started | None = None,
    stopping: Stopping | None = None,
    stop: asyncio.Event | None = None,
    shoes: Shoes = new_shoe,
    integrity: Integrity | None = None,
) -> int:
    """Run the house until it is told to stop; the answer is the exit code of the process.

    The address is taken before the store is touched: where somebody else listens, nothing has happened.
    """
    stop = stop or asyncio.Event()
    with _heard(stop), closing(_bound(settings.web)) as listening:
        async with opened(settings, store, clock=clock, shoes=shoes, integrity=integrity) as desk:
            await _serve(desk, listening, started, stopping, stop)
            return 0 if store_failed(desk.house) is None else 1


async def _serve(
    desk: Desk, listening: socket.socket, started: Started | None, stopping: Stopping | None, stop: asyncio.Event
) -> None:
    url = desk.settings.web.public_url or _address(desk.settings.web, listening)
    origins = frozenset({url, *desk.settings.web.origins})
    told = desk.settings.live
    most = PerPerson(screens=told.person_screens, watches=told.person_watches, messages=5 * told.messages_per_second)
    live = Live(desk.house, desk.screens, desk.fanout, desk.metrics, most)
    doors = Doors(desk, live, cast(App, application(desk, lambda: origins)), lambda: origins)
    doors.prepare()
    server = Server(_config(desk.settings, doors, desk.gate), desk.gate)
    running = asyncio.create_task(server.serve([listening]))
    stopped = asyncio.create_task(stop.wait())
    beside = [
        asyncio.create_task(Upkeep(desk).keep(stop)),
        asyncio.create_task(desk.fanout.keep_beating(lambda: encoded(Beat(at=desk.house.clock())))),
        asyncio.create_task(watch(desk.metrics, os.environ, well=lambda: store_failed(desk.house) is None)),
    ]
    try:
        while not server.started and not running.done():
            await asyncio.sleep(0.01)
        if not running.done():
            tell_manager(READY, os.environ)
            if started is not None:
                await started(desk, url)
            await asyncio.wait([stopped, running], return_when=asyncio.FIRST_COMPLETED)
            await _drain(desk, stopping)
    finally:
        server.should_exit = True
        for task in (stopped, *beside):
            task.cancel()
        await asyncio.gather(stopped, *beside, return_exceptions=True)
        await running


async def _drain(desk: Desk, stopping: Stopping | None) -> None:
    """Rounds are finished, unless nothing of them could be written."""
    tell_manager(STOPPING, os.environ)
    if store_failed(desk.house) is not None:
        return
    seconds = desk.settings.tables.drain
    if stopping is not None:
        stopping(seconds)
    left = await desk.house.drain(seconds)
    logger("house").info("the house is closing", still_in_round=list(left))


def _config(settings: Settings, app: Any, gate: Gate) -> uvicorn.Config:
    web = settings.web
    ours = {
        "http": partial(HurriedProtocol, gate=gate),
        "ws": partial(LiveProtocol, gate=gate),
        "ws_max_size": settings.live.frame_bytes,
    }
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
        **(SERVER | ours),
    )


# ---- the address and the signals -----------------------------------------------------------------------------------


def _bound(web: Web) -> socket.socket:
    """The address is ours from now on; nobody is heard there before the house is ready."""
    if web.tls:
        _check_certificate(web)
    try:
        found = socket.getaddrinfo(web.host, web.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
        except OSError:
            listening.close()
            raise
    except OSError as error:
        raise Refused(Reason.CANNOT_LISTEN, address=f"{web.host}:{web.port}", why=error.strerror or error) from None
    return listening


def _check_certificate(web: Web) -> None:
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(web.tls_certificate, web.tls_key)
    except OSError as error:
        why = error.strerror or error
        raise Refused(Reason.TLS_UNUSABLE, certificate=web.tls_certificate, key=web.tls_key, why=why) from None


def _address(web: Web, listening: socket.socket) -> str:
    """Where it listens, when the port was left to the machine."""
    port = listening.getsockname()[1]
    host = f"[{web.host}]" if ":" in web.host else web.host
    return f"{'https' if web.tls else 'http'}://{host}:{port}"


@contextmanager
def _heard(stop: asyncio.Event) -> Iterator[None]:
    """The first signal drains; the second stops at once, and the next start finds everything acknowledged."""
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
