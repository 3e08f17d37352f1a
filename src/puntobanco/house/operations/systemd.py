"""Watching the loop that everything runs on, and telling the service manager that the house is there.

The manager is told over the socket it names in `NOTIFY_SOCKET`; where there is none, telling it is nothing. Its
watchdog hears from the loop itself, and only while the house says that it is well: a loop that is stuck, or a house
that has failed, falls silent and is started again.
"""

import asyncio
import socket
from collections.abc import Callable, Mapping

from puntobanco.house.operations.metrics import Metrics

READY, STOPPING, ALIVE = "READY=1", "STOPPING=1", "WATCHDOG=1"


def tell_manager(word: str, environ: Mapping[str, str]) -> bool:
    """Whether somebody was there to be told."""
    address = environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to:
        to.setblocking(False)
        try:
            to.sendto(word.encode(), address)
        except OSError:
            return False
    return True


async def watch(
    metrics: Metrics, environ: Mapping[str, str], *, well: Callable[[], bool] = lambda: True, every: float = 0.5
) -> None:
    """Measure how late the loop is, and keep the watchdog of the manager quiet, until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + every
        await asyncio.sleep(every)
        metrics.loop_lag(max(0.0, loop.time() - due))
        if "WATCHDOG_USEC" in environ and well():
            tell_manager(ALIVE, environ)
