"""For those who watch the house run: whether it lives, whether it can serve, and its figures."""

from collections import Counter
from collections.abc import Mapping

from litestar import Response

from puntobanco.house.metrics import CONTENT_TYPE
from puntobanco.house.people import HOUSE, Post
from puntobanco.house.settings import Readers, is_loopback
from puntobanco.web.api import Asked, operation
from puntobanco.web.desk import Desk
from puntobanco.web.identity import SLOTS, identity_of, token_of
from puntobanco.web.upkeep import store_failed
from puntobanco.web.wire.office import Health


def health_of(desk: Desk) -> Health:
    """Ready is a house that can write and is not closing; a table that failed is named, and the others are served."""
    house = desk.house
    return Health(
        ready=store_failed(house) is None and not house.draining,
        tables=len(house.tables),
        failed=house.failed,
        dead=house.dead,
        draining=house.draining,
        program=desk.program,
    )


@operation("GET", "/health", "What works and what does not, table by table",
           who=frozenset({Post.ADMINISTRATOR, Post.SHIFT_MANAGER, Post.PIT_MANAGER}), gives=Health)  # fmt: skip
async def health(asked: Asked) -> Health:
    return health_of(asked.desk)


def figures(desk: Desk, address: str, cookies: Mapping[str, str]) -> Response[bytes]:
    """For Prometheus: to callers on this machine, or to an administrator, as the settings say."""
    settings = desk.settings.metrics
    if not settings.enabled or not _may_read(desk, settings.readers, address, cookies):
        return Response(b"", status_code=404, media_type="text/plain")
    desk.metrics.tables(Counter(table.state.phase for table in desk.house.tables.values()))
    desk.metrics.store_failed(store_failed(desk.house) is not None)
    return Response(desk.metrics.text(), media_type=CONTENT_TYPE)


def _may_read(desk: Desk, readers: Readers, address: str, cookies: Mapping[str, str]) -> bool:
    if readers is Readers.LOOPBACK:
        return is_loopback(address)
    for slot in range(SLOTS):
        who = identity_of(desk.sessions, token_of(cookies, slot, secure=desk.secure), slot, address, "en")
        person = desk.house.book.people.get(who.person) if who is not None else None
        if person is not None and person.post_at(HOUSE) is Post.ADMINISTRATOR:
            return True
    return False
