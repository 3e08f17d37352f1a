"""uvicorn's WebSocket protocol, with the two things ASGI has no word for.

A connection that does not read cannot be closed politely: the close frame waits behind what it has not read, and so
does `transport.close()`. The application therefore gets a way to end it, in `scope["extensions"]`.
And pongs are written without regard to what already waits, so someone who pings and never reads is ended here.
"""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

FRAME = 64 * 1024
"""The largest message that is heard; a larger one closes its connection with 1009 before it is in memory."""

UNREAD = 1024 * 1024
"""The most that may wait in a connection's buffer. `send` waits at 64 KiB, so only pongs can get here."""

END = "puntobanco.end"
"""The name in `scope["extensions"]` of the function that ends a connection at once, whatever it has not read."""


class Protocol(WebSocketsSansIOProtocol):
    """What uvicorn is given as `ws`; see `SERVER`."""

    async def run_asgi(self) -> None:
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[END] = self.transport.abort
        await super().run_asgi()

    def handle_ping(self) -> None:
        super().handle_ping()
        if self.transport.get_write_buffer_size() > UNREAD:
            self.transport.abort()


SERVER: dict[str, Any] = {
    "loop": "uvloop",
    "ws": Protocol,
    "ws_max_size": FRAME,
    "ws_per_message_deflate": False,
    "ws_ping_interval": None,
}
"""How uvicorn is started. Compressing for each connection apart would cost more than it saves, and the heartbeats are
the application's own, which a page can see and uvicorn's pings it cannot."""
