"""uvicorn's protocols, with five things ASGI has no word for.

* A frame made once can be written to every connection; through `send` it would be made again for each.
* A connection that does not read cannot be closed politely: the close frame waits behind what it has not read, and so
  does `transport.close()`. So there is a way to end it.
* Pongs are written whatever already waits, so someone who pings and never reads is ended here.
* A request that never comes to its end holds its connection for nothing, and costs whoever does it nothing either.
* An answer that nobody reads is held for nothing, and closing waits for its reader.

The application finds the first two in `scope["extensions"]`, as a `Line`.
"""

import asyncio
from typing import Any, Protocol

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

FRAME = 64 * 1024
"""The largest message that is heard; a larger one closes its connection with 1009 before it is in memory."""

UNREAD = 1024 * 1024
"""The most that may wait in a connection's buffer. Messages wait elsewhere from 64 KiB on, so only pongs get here."""

LINE = "puntobanco.line"


class Line(Protocol):
    """What a connection can do beyond ASGI."""

    def take(self, frame: bytes) -> bool:
        """Write a whole frame at once, or not at all when it would have to wait or the transport is closing."""

    def end(self) -> None:
        """End the connection, whatever it has not read."""


class PlainLine:
    """The line of a server that is not ours: every message goes through its `send`."""

    def take(self, frame: bytes) -> bool:  # noqa: ARG002
        return False

    def end(self) -> None:
        """The server hangs up when the application returns."""


class LiveProtocol(WebSocketsSansIOProtocol):
    """What uvicorn is given as `ws`."""

    async def run_asgi(self) -> None:
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[LINE] = self
        await super().run_asgi()

    def take(self, frame: bytes) -> bool:
        if not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True

    def end(self) -> None:
        self.transport.abort()

    def handle_ping(self) -> None:
        super().handle_ping()
        if self.transport.get_write_buffer_size() > UNREAD:
            self.end()


WHOLE = 30.0
"""Seconds in which a request is there with its body, from the connection or its first byte on."""


TAKEN = 30.0
"""Seconds in which an answer is taken, but for what fits into the buffers of a connection."""


class HurriedProtocol(H11Protocol):
    """What uvicorn is given as `http`. It bounds what a request's headers may hold, too."""

    _due: asyncio.TimerHandle | None = None
    _untaken: asyncio.TimerHandle | None = None
    _upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._due = self.loop.call_later(WHOLE, transport.abort)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._upgraded or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._in_time()
        elif self._due is None:
            self._due = self.loop.call_later(WHOLE, self.transport.abort)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._upgraded = True
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._untaken = self.loop.call_later(TAKEN, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._taken()

    def timeout_keep_alive_handler(self) -> None:
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._in_time()
        self._taken()
        super().connection_lost(exc)

    def _taken(self) -> None:
        if self._untaken is not None:
            self._untaken.cancel()
            self._untaken = None

    def _in_time(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None


SERVER: dict[str, Any] = {
    "loop": "uvloop",
    "http": HurriedProtocol,
    "ws": LiveProtocol,
    "ws_max_size": FRAME,
    "ws_per_message_deflate": False,
    "ws_ping_interval": None,
}
"""How uvicorn is started. Compressing for each connection apart would cost more than it saves, and the heartbeats are
the application's own: a page can see them, and uvicorn's pings it cannot."""
