"""Monitor the event loop and notify systemd.

Notifications go to the socket in `NOTIFY_SOCKET`; without one they do nothing. The watchdog is notified from the event
loop, and only while the house is healthy: if the loop hangs or the house fails, systemd restarts it.
"""

import asyncio
import socket
from collections.abc import Callable, Mapping

from puntobanco.house.operations.metrics import Metrics

READY, STOPPING, ALIVE = "READY=1", "STOPPING=1", "WATCHDOG=1"


def tell_manager(word: str, environ: Mapping[str, str]) -> bool:
    """Notify systemd. Returns whether there is a socket."""
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
    """Measure the loop's lag and notify the watchdog until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + every
        await asyncio.sleep(every)
        metrics.loop_lag(max(0.0, loop.time() - due))
        if "WATCHDOG_USEC" in environ and well():
            tell_manager(ALIVE, environ)
