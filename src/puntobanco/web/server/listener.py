"""The listening socket: accepts a few connections at a time, in turn with requests, and counts them before they send
anything.

The event loop's own server accepts all waiting connections at once: two thousand together would delay everyone else for
half a second. With TLS it also reports no connection before the handshake is complete.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable

from puntobanco.house.operations.log import Sparing
from puntobanco.web.server.admission import Admission, stranger

AT_ONCE = 2
"""Connections accepted per turn: a fraction of a millisecond."""
DOOR = "door"
"""The queue that new connections share."""
HANDSHAKE = 10.0
"""Seconds for a TLS handshake."""
FULL = 1.0
"""Seconds until the next attempt when the process has no file descriptors left."""

_knocks = logging.getLogger("puntobanco.connections.knocks")
_knocks.addFilter(Sparing())


class PendingHandshake:
    """A connection before its TLS handshake is complete."""

    def __init__(self, task: asyncio.Task[None]) -> None:
        self._task = task

    def end(self) -> None:
        self._task.cancel()


class Listener:
    """Replaces the event loop's own server; uvicorn closes it when it stops."""

    def __init__(
        self,
        listening: socket.socket,
        make: Callable[[], asyncio.Protocol],
        admission: Admission,
        *,
        backlog: int,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._listening, self._make, self._admission, self._tls = listening, make, admission, tls
        self._loop = asyncio.get_running_loop()
        self._knocking: set[asyncio.Task[None]] = set()
        self._again: asyncio.TimerHandle | None = None
        self._closed = False
        listening.setblocking(False)
        listening.listen(backlog)
        self._listen()

    def _listen(self) -> None:
        self._loop.add_reader(self._listening, self._wait)

    def _wait(self) -> None:
        """A connection waits. It is accepted in its turn: a bet in progress comes first."""
        self._loop.remove_reader(self._listening)
        self._admission.turnstile.enter(DOOR, self._take)

    def _take(self) -> bool:
        if self._closed:
            return False
        try:
            for _ in range(AT_ONCE):
                made, address = self._listening.accept()
                task = self._loop.create_task(self._connect(made, address[0]))
                self._knocking.add(task)
                task.add_done_callback(self._knocking.discard)
        except (BlockingIOError, InterruptedError, ConnectionError):
            pass
        except OSError as error:
            _knocks.warning("cannot accept connections: %s", error.strerror)
            self._again = self._loop.call_later(FULL, self._listen)
            return True
        self._listen()
        return True

    async def _connect(self, made: socket.socket, address: str) -> None:
        try:
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._tls is None:
                await self._loop.connect_accepted_socket(self._make, made)
            else:
                await self._agree(made, address, self._tls)
        except OSError:  # gone already, or no key was agreed on
            made.close()

    async def _agree(self, made: socket.socket, address: str, tls: ssl.SSLContext) -> None:
        task = asyncio.current_task()
        assert task is not None, "somebody knocked"
        knock, caller = PendingHandshake(task), stranger(address)
        self._admission.hold(knock, caller, shared=self._admission.is_proxy(address))
        try:
            await self._loop.connect_accepted_socket(self._make, made, ssl=tls, ssl_handshake_timeout=HANDSHAKE)
        finally:
            self._admission.release(knock, caller)

    def close(self) -> None:
        self._closed = True
        self._loop.remove_reader(self._listening)
        if self._again is not None:
            self._again.cancel()
        for task in self._knocking:
            task.cancel()

    async def wait_closed(self) -> None:
        await asyncio.gather(*self._knocking, return_exceptions=True)
