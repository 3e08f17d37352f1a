"""Monitoring: liveness, readiness, health and metrics."""

from collections import Counter
from collections.abc import Mapping
from hmac import compare_digest
from pathlib import Path

from starlette.responses import Response

from puntobanco.house.operations.log import logger
from puntobanco.house.operations.metrics import CONTENT_TYPE
from puntobanco.house.operations.settings import MetricsSettings
from puntobanco.protocol.administration import Health
from puntobanco.protocol.posts import HOUSE, Post
from puntobanco.web.http.caller import SLOTS, identity_of, token_of
from puntobanco.web.http.operations import operation
from puntobanco.web.services import Call, Services, store_failed

SHORTEST_TOKEN, LONGEST_TOKEN = 16, 1_000


def health_of(services: Services) -> Health:
    """The server is ready if it can write and is not closing. Failed tables are listed; the others are served."""
    house = services.house
    return Health(
        ready=store_failed(house) is None and not house.store.lost and not house.draining,
        tables=sum(table.failed is None for table in house.tables.values()),
        failed=house.failed,
        dead=house.dead,
        draining=house.draining,
        program=services.program,
        held=house.held,
        differs=tuple(sorted(house.integrity.differs(house.journal) if house.integrity is not None else ())),
        release=house.journal.differs.digest if house.journal.differs is not None else "",
    )


@operation("GET", "/health", "Get the health of the server and of each table",
           who=frozenset({Post.ADMINISTRATOR, Post.SHIFT_MANAGER, Post.PIT_MANAGER}), gives=Health)  # fmt: skip
async def health(asked: Call) -> Health:
    """Tables that stopped are listed; the others are served."""
    return health_of(asked.services)


def figures(services: Services, authorization: str, cookies: Mapping[str, str]) -> Response:
    """For Prometheus with the configured bearer token, and for signed-in administrators.

    The caller's address grants nothing: behind a local proxy every request comes from loopback.
    """
    settings = services.settings.metrics
    if not settings.enabled or not (_has_token(settings, authorization) or _is_administrator(services, cookies)):
        return Response(b"", status_code=404, media_type="text/plain")
    services.metrics.tables(Counter(table.state.phase for table in services.house.tables.values()))
    services.metrics.store_failed(store_failed(services.house) is not None or services.house.store.lost)
    return Response(services.metrics.text(), media_type=CONTENT_TYPE)


def _has_token(settings: MetricsSettings, authorization: str) -> bool:
    """Reads the file each time, so that a token can be replaced without a restart. A short token grants nothing."""
    if not settings.token_file:
        return False
    try:
        token = Path(settings.token_file).read_bytes()[:LONGEST_TOKEN].strip()
    except OSError as error:
        logger("web").warning("cannot read the metrics token", why=error.strerror)
        return False
    scheme, _, given = authorization.partition(" ")
    return len(token) >= SHORTEST_TOKEN and scheme.lower() == "bearer" and compare_digest(given.encode(), token)


def _is_administrator(services: Services, cookies: Mapping[str, str]) -> bool:
    for slot in range(SLOTS):
        who = identity_of(services.identity.sessions, token_of(cookies, slot, secure=services.secure), slot, "", "en")
        person = services.house.journal.people.get(who.person) if who is not None else None
        if person is not None and person.post_at(HOUSE) is Post.ADMINISTRATOR:
            return True
    return False
