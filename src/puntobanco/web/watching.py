"""For those who watch the house run: whether it lives, whether it can serve, and its figures."""

from puntobanco.house.people import Post
from puntobanco.web.api import Asked, operation
from puntobanco.web.wire import Health


def health_of(asked: Asked) -> Health:
    house = asked.desk.house
    failed, dead = house.failed, house.dead
    return Health(
        ready=not failed and not dead and not house.draining,
        tables=len(house.tables),
        failed=dict.fromkeys(failed, "stopped"),
        dead=dead,
        draining=house.draining,
    )


@operation("GET", "/health", "What works and what does not, table by table",
           who=frozenset({Post.ADMINISTRATOR, Post.SHIFT_MANAGER, Post.PIT_MANAGER}), gives=Health)  # fmt: skip
async def health(asked: Asked) -> Health:
    house = asked.desk.house
    found = health_of(asked)
    return Health(ready=found.ready, tables=found.tables, failed=house.failed, dead=found.dead, draining=found.draining)
