"""uvicorn's protocols, extended by what ASGI cannot express.

* A frame is encoded once and written to every connection; `send` would encode it for each.
* A connection that does not read cannot be closed normally: the close frame waits behind unread data, and so does
  `transport.close()`. `end` disconnects it.
* Pongs are written regardless of unread data, so a client that pings and never reads is disconnected here.
* A request that is never completed and an answer that is never read would hold their connections: both are limited.
* Frames, bytes and body parts cost time before the application sees them. They are counted here against the limits of
  `Admission`, and input is parsed in small slices, so that one connection never blocks the event loop.
* Faults of anonymous clients are logged sparingly and never as errors.

The application finds the first two in `scope["extensions"]` as a `LiveTransport`, and the connection of a request in
`scope["state"]` as `CALLER`.
"""

import asyncio
import logging
import re
import time
from collections import deque
from random import random
from typing import Any, Protocol

import h11
from h11._receivebuffer import ReceiveBuffer
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from puntobanco.house.operations.log import Sparing
from puntobanco.web.server.admission import HEAD, Admission, Bucket, Flood, is_known, stranger

FRAME = 64 * 1024
"""The largest message accepted. A larger one closes its connection with 1009 before it is in memory."""

TOGETHER = 64 * 1024
"""Most bytes that are collected for one write."""
UNREAD = 1024 * 1024
"""Most unread bytes in a connection's buffer. Messages wait elsewhere from 64 KiB on, so only pongs reach this."""

LINE = "puntobanco.line"
CALLER = "puntobanco.caller"

NOT_TEXT, TOO_FAST = 1007, 1008
GRACE = 0.8
"""Seconds a connection has to read and answer its close frame: a forced sign-out completes within one second."""
SLICE = 64
"""Bytes of a live connection parsed at once when its person sends much: little more than one request for a whole
table."""
SHUT_OUT = 1.0
"""Seconds, roughly, for which a connection of a shut-out caller is left open, so that clients return neither at once
nor all together."""
LINES = 100
"""Most lines in the head of a request, and again in its trailer."""
PARTS, PARTS_AT_ONCE = 500, 20
"""Most parts of a chunked body, and parts read per turn."""
AHEAD = 512 * 1024
"""Bytes of pipelined requests that a connection may send before the first is answered."""
BODIES, BODIES_AT_ONCE = 1024 * 1024, 16 * 1024 * 1024
"""Bytes per second of a connection's requests. Connections of a proxy serve many callers and are not limited."""

_BLANK = re.compile(rb"^\r?\n|\n\r?\n")
_connections = logging.getLogger("puntobanco.connections")
_connections.addFilter(Sparing())
_faults = logging.getLogger("puntobanco.connections.faults")
_faults.setLevel(logging.WARNING)


class LiveTransport(Protocol):
    """What a connection can do beyond ASGI."""

    def take(self, frame: bytes) -> bool:
        """Write a whole frame, together with the others of this turn of the loop. Returns false if it would have to
        wait or the transport is closing."""

    def end(self) -> None:
        """Disconnect, whatever is unread."""

    def shut_out(self) -> None:
        """Refuse new connections of this caller for a while."""


class PlainTransport:
    """For other servers: every message goes through `send`."""

    def take(self, frame: bytes) -> bool:  # noqa: ARG002
        return False

    def end(self) -> None:
        """The server disconnects when the application returns."""

    def shut_out(self) -> None:
        """Not supported by the server."""


class Inbox(asyncio.Queue[ASGIReceiveEvent]):
    """A queue without a limit that one task reads: a third of the calls that each message takes through asyncio's."""

    _items: deque[ASGIReceiveEvent]
    _reader: asyncio.Future[None] | None = None

    def _init(self, maxsize: int) -> None:  # noqa: ARG002
        self._items = deque()

    def empty(self) -> bool:
        return not self._items

    def put_nowait(self, item: ASGIReceiveEvent) -> None:
        self._items.append(item)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> ASGIReceiveEvent:
        while not self._items:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._items.popleft()


class LiveProtocol(WebSocketsSansIOProtocol):
    """uvicorn's `ws` protocol."""

    def __init__(self, *given: Any, admission: Admission | None = None, **more: Any) -> None:
        super().__init__(*given, **more)
        self.logger = _connections
        self.conn.logger, self.conn.debug = _faults, False
        self._admission = admission = admission or Admission()
        limits = admission.limits
        self._frames = Bucket(limits.frames, limits.frames, time.monotonic)
        most = self.config.ws_max_size
        self._bytes = Bucket(limits.bytes, max(4 * limits.bytes, 2 * most), time.monotonic)
        self._rest = b""
        self._ended = False
        self.queue = Inbox()
        self._taken: list[bytes] = []
        self._size = 0

    @property
    def _caller(self) -> str:
        came_by: HttpProtocol | None = self.app_state.get(CALLER)
        return came_by.caller if came_by is not None else ""

    async def run_asgi(self) -> None:
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[LINE] = self
        try:
            await super().run_asgi()
        finally:
            del extensions[LINE]  # nothing refers to itself any more

    async def send(self, message: ASGISendEvent) -> None:
        self._write()
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # else uvicorn takes a refusal for a fault of the application

    def take(self, frame: bytes) -> bool:
        if not self.writable.is_set() or self.transport.is_closing():
            return False
        if not self._taken:
            self.loop.call_soon(self._write)
        self._taken.append(frame)
        self._size += len(frame)
        if self._size > TOGETHER:
            self._write()
        return True

    def _write(self) -> None:
        """Write what was taken: a system call costs as much as deciding a bet."""
        taken, self._taken, self._size = self._taken, [], 0
        if taken and not self.transport.is_closing():
            self.transport.writelines(taken)

    def shutdown(self) -> None:
        self._write()
        super().shutdown()

    def end(self) -> None:
        self.transport.abort()

    def shut_out(self) -> None:
        if caller := self._caller:
            self._admission.shut(caller)

    def data_received(self, data: bytes) -> None:
        if not self._bytes.take(len(data)):
            self._flooded(Flood.BYTES)
            return
        if not self.handshake_initiated:
            self._shake_hands(data)
        elif self._rest:
            self._rest += data
        elif self._admission.is_prompt(self._caller, -(-len(data) // SLICE)):
            super().data_received(data)
        else:
            self._wait(data)

    def _shake_hands(self, data: bytes) -> None:
        """The whole request arrives at once, as the HTTP protocol has read it."""
        super().data_received(data)
        if not self.handshake_initiated and not self.transport.is_closing():
            self._refused("cannot be read")
            self.end()

    def _wait(self, data: bytes) -> None:
        self._rest = data
        self._admission.turnstile.enter(self._caller, self._read_on)

    def _read_on(self) -> bool:
        """Parse up to the slice in which a frame ends: one long frame at once, but not many short ones."""
        data, at, self._rest, self._ended = self._rest, 0, b"", False
        if self.transport.is_closing():
            return False
        while at < len(data) and not self._ended and not self.transport.is_closing():
            super().data_received(data[at : at + SLICE])
            at += SLICE
        if at < len(data) and not self.transport.is_closing():
            self._wait(data[at:])
        return True

    def handle_events(self) -> None:
        frames = len(self.conn.events)
        self._ended = bool(frames)
        if self._frames.take(frames) and self._admission.has_frames(self._caller, frames):
            super().handle_events()
        else:
            self._flooded(Flood.FRAMES)

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.response.status_code != 101:
            self._refused(f"answered with {self.response.status_code}")

    def _refused(self, why: str) -> None:
        self.logger.info("%s - WebSocket handshake %s", self.client[0] if self.client else "", why)

    def handle_ping(self) -> None:
        super().handle_ping()
        if self.transport.get_write_buffer_size() > UNREAD:
            self.end()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not _is_text(self.frames):
            self.conn.fail(NOT_TEXT, "not UTF-8")
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    def handle_parser_exception(self) -> None:
        self._write()
        if self.conn.close_sent is None:  # before the handshake was answered
            self.end()
        else:
            super().handle_parser_exception()

    def _flooded(self, what: Flood) -> None:
        """Send the reason and disconnect, whether it is read or not."""
        self._admission.flooded(what)
        self.shut_out()
        self.conn.fail(TOO_FAST, f"too many {what}")
        self.handle_parser_exception()
        self.loop.call_later(GRACE, self.end)


def _is_text(parts: list[bytes]) -> bool:
    if len(parts) == 1 and parts[0].isascii():
        return True
    try:
        b"".join(parts).decode()
    except UnicodeDecodeError:
        return False
    return True


WHOLE = 30.0
"""Seconds in which a request must arrive with its body, from the connection or its first byte."""


TAKEN = 30.0
"""Seconds in which an answer must be read, except for what fits into the buffers."""


class _Lines(ReceiveBuffer):
    """Rejects a head with too many lines: twelve thousand take the time of fifty requests."""

    def maybe_extract_lines(self) -> list[bytearray] | None:
        blank = _BLANK.search(self._data, 0, HEAD)
        if blank is None and len(self) >= HEAD:
            raise h11.RemoteProtocolError("its head is too long")
        if self._data.count(b"\n", 0, blank.end() if blank else HEAD) > LINES:
            raise h11.RemoteProtocolError("its head has too many lines")
        return super().maybe_extract_lines()


class _Parts(h11.Connection):
    """Rejects a body in too many parts and reads a few at a time: each costs as much as a request."""

    _parts = 0
    turn = PARTS_AT_ONCE
    """Parts that may still be read in this turn."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER, HEAD)
        self._receive_buffer = _Lines()

    def next_event(self) -> Any:
        if not self.turn:
            return h11.NEED_DATA
        try:
            event = super().next_event()
        except h11.RemoteProtocolError as error:
            raise error.with_traceback(None) from None  # where it was raised it refers to itself
        if isinstance(event, h11.Data):
            self._parts += 1
            self.turn -= 1
            if self._parts > PARTS:
                raise h11.RemoteProtocolError("too many parts")
        elif isinstance(event, h11.Request):
            self._parts = 0
        return event


class HttpProtocol(H11Protocol):
    """uvicorn's `http` protocol. It also limits the headers of a request."""

    _due: asyncio.TimerHandle | None = None
    _untaken: asyncio.TimerHandle | None = None
    _upgraded = False
    _begun = False
    _waiting = False
    _refusals = 0
    _address = ""
    _holder = ""
    """The caller it is registered for."""
    conn: _Parts
    _shared = False
    """Whether it comes from a proxy."""
    _bytes: Bucket | None = None
    caller = ""

    def __init__(self, *given: Any, admission: Admission | None = None, **more: Any) -> None:
        super().__init__(*given, **more)
        self.logger = _connections
        self.app_state = {**self.app_state, CALLER: self}
        self.conn = _Parts()
        self._admission = admission

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._due = self.loop.call_later(WHOLE, transport.abort)
        if self._admission is not None:
            self._address = self.client[0] if self.client else ""
            self._shared = self._admission.is_proxy(self._address)
            self._hold(stranger(self._address))
            if not self._shared:
                self._bytes = Bucket(BODIES, BODIES_AT_ONCE, time.monotonic)

    def data_received(self, data: bytes) -> None:
        if self._admission is None:
            super().data_received(data)
        elif len(self.conn._receive_buffer) > AHEAD or not (self._bytes is None or self._bytes.take(len(data))):
            self._admission.flooded(Flood.BYTES)
            self.end()
        elif self._is_heard(self._admission, data):
            super().data_received(data)

    def _is_heard(self, admission: Admission, data: bytes) -> bool:
        """The first bytes of a request select its queue; those of a connection decide whether it is served at all."""
        if self.conn.their_state is h11.IDLE and not self.conn._receive_buffer:
            self.called_by(admission.sender(data, self._address))
            if not self._begun and admission.shuts_out(self.caller):
                self.flow.pause_reading()
                self.loop.call_later(SHUT_OUT * (0.5 + random()), self.end)
                return False
            self._begun = True
        return True

    def handle_events(self) -> None:
        """Parse input in its turn, and accept no more before."""
        if self._admission is None:
            self._read()
        elif not self._waiting:
            self._waiting = True
            self.flow.pause_reading()
            self._admission.turnstile.enter(self.caller, self._read)

    def _read(self) -> bool:
        self._waiting = False
        if self.transport.is_closing():
            return False
        sent = bool(self.conn._receive_buffer)
        self.flow.resume_reading()
        self.conn.turn = PARTS_AT_ONCE
        super().handle_events()
        if not self.conn.turn:
            self.handle_events()
        if self._upgraded or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._in_time()
        elif self._due is None:
            self._due = self.loop.call_later(WHOLE, self.transport.abort)
        return sent  # after an answer there is rarely more

    def send_400_response(self, msg: str) -> None:
        if self._admission is not None and not self._shared:
            self._admission.unreadable(self.caller)
        if self.cycle is not None and not self.cycle.response_complete:  # it cannot be answered a second time
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:  # the answer was given before the request had ended
            self.end()

    # ---- as a caller ---------------------------------------------------------------------------------------------

    def end(self) -> None:
        self.transport.abort()

    def called_by(self, caller: str) -> None:
        """Set the caller, known from the request."""
        self.caller = caller
        if is_known(caller) and caller != self._holder:
            self._release()
            if not self._shared:
                self._hold(caller)

    def _hold(self, caller: str) -> None:
        if self._admission is not None:
            self._holder = caller
            self._admission.hold(self, caller, shared=self._shared)

    def _release(self) -> None:
        if self._admission is not None:
            self._admission.release(self, self._holder)

    def refused(self) -> bool:
        """Count a refusal for rate. Returns whether the connection must be closed after the answer."""
        self._refusals += 1
        return self._refusals > 1

    # ---- in time -------------------------------------------------------------------------------------------------

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._upgraded = True
        self._release()  # a live connection is counted as a screen, or ends with the answer
        super().handle_websocket_upgrade(event)
        self._forget()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._untaken = self.loop.call_later(TAKEN, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._taken()

    def timeout_keep_alive_handler(self) -> None:
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._release()
        self._in_time()
        self._taken()
        super().connection_lost(exc)
        self._forget()

    def _forget(self) -> None:
        """Break reference cycles, so that the object is freed without the cycle collector."""
        self.app_state, self.scope, self.cycle = {}, None, None  # type: ignore[assignment]

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
    "http": HttpProtocol,
    "ws": LiveProtocol,
    "ws_max_size": FRAME,
    "ws_per_message_deflate": False,
    "ws_ping_interval": None,
}
"""uvicorn's options. Compression per connection would cost more than it saves. Heartbeats are sent by the application,
because a page can see them but not uvicorn's pings."""
