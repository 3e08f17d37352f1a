"""Start and stop the server: one process serves tables, people and screens.

A request to stop drains the house: running rounds are finished and none is opened. If the store fails, the house stops
at once; the next start finds everything that was acknowledged.
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
from msgspec.structs import replace

import puntobanco
from puntobanco.house.house import House
from puntobanco.house.identity.credentials import Credentials
from puntobanco.house.identity.sign_in import SignInService
from puntobanco.house.identity.throttle import Throttle
from puntobanco.house.integrity import Integrity
from puntobanco.house.offline import last_moment
from puntobanco.house.operations.clock import HouseClock
from puntobanco.house.operations.log import logger
from puntobanco.house.operations.metrics import Metrics
from puntobanco.house.operations.settings import Settings, WebSettings
from puntobanco.house.operations.systemd import READY, STOPPING, tell_manager, watch
from puntobanco.house.pricing.appraisal import Appraisal
from puntobanco.house.pricing.odds_process import OddsService
from puntobanco.house.secrets.secret_store import SecretStore, unlocked
from puntobanco.house.shoes.seal import Sealed, new_shoe
from puntobanco.house.tables.dealer import Pace
from puntobanco.protocol.live import Beat
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store import open_store
from puntobanco.store.base import Store
from puntobanco.web.asgi import App, AsgiApplication
from puntobanco.web.housekeeping import Housekeeping, Observer
from puntobanco.web.live.connection import ConnectionLimits
from puntobanco.web.live.fanout import Fanout
from puntobanco.web.live.publisher import Publisher, encoded
from puntobanco.web.live.session import LiveServer
from puntobanco.web.routes import application
from puntobanco.web.server.admission import Admission, AdmissionLimits
from puntobanco.web.server.listener import Listener
from puntobanco.web.server.uvicorn_protocols import SERVER, HttpProtocol, LiveProtocol
from puntobanco.web.services import Services, known, store_failed

Started = Callable[[Services, str], Awaitable[None]]
"""Called once the server accepts connections, with its public URL."""
Shoes = Callable[[int], Sealed]
"""Fills the electronic shoes with so many decks."""
Stopping = Callable[[int], None]
"""Called when the server is asked to stop, with the seconds that rounds have to finish."""


class Server(uvicorn.Server):
    """Leaves signals to `serve`, which drains first, and accepts connections through `Listener`."""

    def __init__(self, config: uvicorn.Config, admission: Admission) -> None:
        super().__init__(config)
        self._admission = admission

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        config = self.config

        def make() -> asyncio.Protocol:
            kind = cast(Callable[..., asyncio.Protocol], config.http_protocol_class)
            return kind(config=config, server_state=self.server_state, app_state={})

        self.servers = [
            Listener(one, make, self._admission, backlog=config.backlog, tls=config.ssl)  # type: ignore[misc]
            for one in sockets or ()
        ]
        self.started = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


# ---- a house that is not served ----------------------------------------------------------------------------------


@asynccontextmanager
async def opened(
    settings: Settings,
    store: Store | None = None,
    *,
    clock: HouseClock | None = None,
    dealing: bool = True,
    shoes: Shoes = new_shoe,
    integrity: Integrity | None = None,
) -> AsyncIterator[Services]:
    """Open a house with everything a request may need. `dealing`: whether automatic tables deal."""
    store = store or open_store(settings.store.place, settings.store.reconnect_within)
    await store.open()
    try:
        await store.sole()
        clock = clock or HouseClock(not_before=await last_moment(store))
        if integrity is None:
            integrity = await asyncio.to_thread(Integrity, enforced=not settings.house.demo)
        secret_store = await unlocked(store, settings.store)
        services = await _services(settings, store, secret_store, clock, shoes, integrity, dealing=dealing)
        try:
            yield services
        finally:
            await services.house.close()
            services.identity.passwords.close()
            await services.odds_service.close()
    finally:
        await store.close()


async def _services(
    settings: Settings,
    store: Store,
    secret_store: SecretStore,
    clock: HouseClock,
    shoes: Shoes,
    integrity: Integrity,
    *,
    dealing: bool,
) -> Services:
    found = integrity.started
    tables = settings.tables
    pace = Pace(
        card=tables.pace_card,
        result=tables.pace_result,
        between=tables.pace_between,
        round=Pace.most(tables.most_rounds_per_hour),
    )
    keys = Credentials.of(settings, store, secret_store, clock)
    house = House(
        store,
        clock,
        pace=pace,
        shoes=shoes,
        secret_store=secret_store,
        program=(found.version, found.digest),
        integrity=integrity,
        money=settings.money,
        guest_confirmation=keys.guest_confirmation,
    )

    metrics = Metrics(puntobanco.__version__, found.digest)
    fanout = Fanout(
        ConnectionLimits(
            slow=settings.live.slow_limit,
            rate=settings.live.messages_per_second,
            burst=2 * settings.live.messages_per_second,
            refusals=5 * settings.live.messages_per_second,
            heartbeat=settings.live.heartbeat,
            silence=2.5 * settings.live.heartbeat,
        )
    )
    odds_service = OddsService()
    appraisal = Appraisal(odds_service)
    house.appraise = appraisal.for_command
    services = Services(
        house=house,
        settings=settings,
        identity=keys,
        sign_in_service=SignInService(
            lambda name: known(house.journal, name), keys, Throttle(), clock,
            staff_second_factor=settings.people.staff_second_factor,
        ),
        fanout=fanout,
        publisher=Publisher(house, fanout, settings.live.per_second, totals=settings.house.bet_totals),
        metrics=metrics,
        admission=_admission(settings, house, keys, clock, metrics),
        odds_service=odds_service,
        appraisal=appraisal,
        program=found.digest,
    )  # fmt: skip
    observer = Observer(services)
    house.watchers += [services.publisher, observer, appraisal]
    keys.sessions.on_ended(lambda session, _: fanout.close(("session", session.id)))
    keys.sessions.on_ended(observer.gone)
    await house.open(dealing=dealing)
    await keys.open()
    services.metrics.program(len(integrity.differs(house.journal)), held=house.held)
    return services


def _admission(settings: Settings, house: House, keys: Credentials, clock: HouseClock, metrics: Metrics) -> Admission:
    web, live = settings.web, settings.live

    def person_of(token: str) -> str | None:
        session = keys.sessions.find(token)
        return session.person if session is not None else None

    limits = AdmissionLimits(
        frames=6 * live.messages_per_second,
        bytes=live.bytes_per_second,
        requests=web.requests_per_second,
        strangers=web.anonymous_requests_per_second,
        connections=web.anonymous_connections,
        connections_per_address=web.anonymous_connections_per_address,
        connections_per_person=web.person_connections,
    )
    return Admission(
        limits, person_of=person_of, proxies=web.trusted_proxies, flooded=metrics.flooded,
        busy=lambda: house.under_way > 0, clock=clock,
    )  # fmt: skip


# ---- a house that is served --------------------------------------------------------------------------------------


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
    """Run the house until it is asked to stop. Returns the exit code of the process.

    The address is bound before the store is opened: if it is in use, nothing has happened.
    """
    stop = stop or asyncio.Event()
    with _heard(stop), closing(_bound(settings.web)) as listening:
        store = store or open_store(settings.store.place, settings.store.reconnect_within, apart=True)
        async with opened(settings, store, clock=clock, shoes=shoes, integrity=integrity) as services:
            await _serve(services, listening, started, stopping, stop)
            return 0 if store_failed(services.house) is None else 1


async def _serve(
    services: Services,
    listening: socket.socket,
    started: Started | None,
    stopping: Stopping | None,
    stop: asyncio.Event,
) -> None:
    web = replace(services.settings.web, port=listening.getsockname()[1])  # it may have been left to the machine
    url, origins = web.url, frozenset(web.allowed_origins)
    live = LiveServer(
        services.house, services.identity.sessions, services.publisher, services.fanout, services.metrics,
        services.settings.live,
    )  # fmt: skip
    app = AsgiApplication(services, live, cast(App, application(services, origins)), origins)
    app.prepare()
    server = Server(_config(services.settings, app, services.admission), services.admission)
    running = asyncio.create_task(server.serve([listening]))
    stopped = asyncio.create_task(stop.wait())
    beside = [
        asyncio.create_task(Housekeeping(services).keep(stop)),
        asyncio.create_task(services.fanout.keep_beating(lambda: encoded(Beat(at=services.house.clock())))),
        asyncio.create_task(watch(services.metrics, os.environ, well=lambda: store_failed(services.house) is None)),
    ]
    try:
        while not server.started and not running.done():
            await asyncio.sleep(0.01)
        if not running.done():
            tell_manager(READY, os.environ)
            if started is not None:
                await started(services, url)
            await asyncio.wait([stopped, running], return_when=asyncio.FIRST_COMPLETED)
            await _drain(services, stopping)
    finally:
        server.should_exit = True
        for task in (stopped, *beside):
            task.cancel()
        await asyncio.gather(stopped, *beside, return_exceptions=True)
        await running


async def _drain(services: Services, stopping: Stopping | None) -> None:
    """Finish the running rounds, unless the store has failed."""
    tell_manager(STOPPING, os.environ)
    if store_failed(services.house) is not None:
        return
    seconds = services.settings.tables.drain
    if stopping is not None:
        stopping(seconds)
    left = await services.house.drain(seconds)
    logger("house").info("the house is closing", still_in_round=list(left))


def _config(settings: Settings, app: Any, admission: Admission) -> uvicorn.Config:
    web = settings.web
    ours = {
        "http": partial(HttpProtocol, admission=admission),
        "ws": partial(LiveProtocol, admission=admission),
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


def _bound(web: WebSettings) -> socket.socket:
    """Bind the address. Connections are accepted once the house is ready."""
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


def _check_certificate(web: WebSettings) -> None:
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(web.tls_certificate, web.tls_key)
    except OSError as error:
        why = error.strerror or error
        raise Refused(Reason.TLS_UNUSABLE, certificate=web.tls_certificate, key=web.tls_key, why=why) from None


@contextmanager
def _heard(stop: asyncio.Event) -> Iterator[None]:
    """The first signal drains the house. The second stops it at once; the next start finds everything that was
    acknowledged."""
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
