"""uvicorn's protocols, with a few things ASGI has no word for.

* A frame made once can be written to every connection; through `send` it would be made again for each.
* A connection that does not read cannot be closed politely: the close frame waits behind what it has not read, and so
  does `transport.close()`. So there is a way to end it.
* Pongs are written whatever already waits, so someone who pings and never reads is ended here.
* A request that never comes to its end holds its connection for nothing, and costs whoever does it nothing either.
* An answer that nobody reads is held for nothing, and closing waits for its reader.
* Frames, bytes and parts of a body cost time before the application hears of them. So they are counted here, against
  the budgets of the `Admission`, and what comes in is parsed a little at a time: one connection never keeps the loop.
* What strangers do is worth a line now and then, and never an error.

The application finds the first two in `scope["extensions"]`, as a `LiveTransport`, and the connection of a request in
`scope["state"]`, as a `Caller`.
"""

import asyncio
import logging
import re
import time
from random import random
from typing import Any, Protocol

import h11
from h11._receivebuffer import ReceiveBuffer
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from puntobanco.house.operations.log import Sparing
from puntobanco.web.server.admission import HEAD, Admission, Bucket, Flood, is_known, stranger

FRAME = 64 * 1024
"""The largest message that is heard; a larger one closes its connection with 1009 before it is in memory."""

UNREAD = 1024 * 1024
"""The most that may wait in a connection's buffer. Messages wait elsewhere from 64 KiB on, so only pongs get here."""

LINE = "puntobanco.line"
CALLER = "puntobanco.caller"

NOT_TEXT, TOO_FAST = 1007, 1008
GRACE = 0.8
"""Seconds a connection has to take its close frame and answer it: a forced sign-out is done within one."""
SLICE = 64
"""Bytes of a live connection that are parsed at once when its person sends much: hardly more than one message that asks
for the whole of a table."""
SHUT_OUT = 1.0
"""Seconds for which the connection of somebody who is shut out is left alone, more or less: so they come back neither
at once nor all together."""
LINES = 100
"""Lines that a request may have before its body, and again after it."""
PARTS, PARTS_AT_ONCE = 500, 20
"""Parts in which the body of a request may come, and those that are read in one turn."""
AHEAD = 512 * 1024
"""Bytes of further requests that a connection may send before the first is answered."""
BODIES, BODIES_AT_ONCE = 1024 * 1024, 16 * 1024 * 1024
"""Bytes a second of a connection's requests. A proxy's are of many callers and not counted."""

_BLANK = re.compile(rb"^\r?\n|\n\r?\n")
_connections = logging.getLogger("puntobanco.connections")
_connections.addFilter(Sparing())
_faults = logging.getLogger("puntobanco.connections.faults")
_faults.setLevel(logging.WARNING)


class LiveTransport(Protocol):
    """What a connection can do beyond ASGI."""

    def take(self, frame: bytes) -> bool:
        """Write a whole frame at once, or not at all when it would have to wait or the transport is closing."""

    def end(self) -> None:
        """End the connection, whatever it has not read."""

    def shut_out(self) -> None:
        """Whoever it is has no further connection for a while."""


class PlainTransport:
    """The line of a server that is not ours: every message goes through its `send`."""

    def take(self, frame: bytes) -> bool:  # noqa: ARG002
        return False

    def end(self) -> None:
        """The server hangs up when the application returns."""

    def shut_out(self) -> None:
        """The server knows nobody."""


class Caller(Protocol):
    """The connection a request came by."""

    def called_by(self, caller: str) -> None:
        """Who it is, by the request that is heard."""

    def refused(self) -> bool:
        """A request was refused as too fast; whether the connection is to end with the answer."""


class LiveProtocol(WebSocketsSansIOProtocol):
    """What uvicorn is given as `ws`."""

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

    @property
    def _caller(self) -> str:
        came_by: HurriedProtocol | None = self.app_state.get(CALLER)
        return came_by.caller if came_by is not None else ""

    async def run_asgi(self) -> None:
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[LINE] = self
        try:
            await super().run_asgi()
        finally:
            del extensions[LINE]  # nothing refers to itself any more

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # else uvicorn takes a refusal for a fault of the application

    def take(self, frame: bytes) -> bool:
        if not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True

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
        """The whole request comes at once, as the other protocol has read it."""
        super().data_received(data)
        if not self.handshake_initiated and not self.transport.is_closing():
            self._refused("cannot be read")
            self.end()

    def _wait(self, data: bytes) -> None:
        self._rest = data
        self._admission.turnstile.enter(self._caller, self._read_on)

    def _read_on(self) -> bool:
        """Up to the first slice in which a frame ends: a long frame is read at once, many short ones are not."""
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
        if self.conn.close_sent is None:  # before the handshake was answered
            self.end()
        else:
            super().handle_parser_exception()

    def _flooded(self, what: Flood) -> None:
        """Say why and end it, whether that is read or not."""
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
"""Seconds in which a request is there with its body, from the connection or its first byte on."""


TAKEN = 30.0
"""Seconds in which an answer is taken, but for what fits into the buffers of a connection."""


class _Lines(ReceiveBuffer):
    """A head that is too long cannot be read: twelve thousand lines take the time of fifty requests."""

    def maybe_extract_lines(self) -> list[bytearray] | None:
        blank = _BLANK.search(self._data, 0, HEAD)
        if blank is None and len(self) >= HEAD:
            raise h11.RemoteProtocolError("its head is too long")
        if self._data.count(b"\n", 0, blank.end() if blank else HEAD) > LINES:
            raise h11.RemoteProtocolError("its head has too many lines")
        return super().maybe_extract_lines()


class _Parts(h11.Connection):
    """A request whose body comes in too many parts cannot be read, and a few are read at once: each takes as long as a
    request."""

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


class HurriedProtocol(H11Protocol):
    """What uvicorn is given as `http`. It bounds what a request's headers may hold, too."""

    _due: asyncio.TimerHandle | None = None
    _untaken: asyncio.TimerHandle | None = None
    _upgraded = False
    _begun = False
    _waiting = False
    _refusals = 0
    _address = ""
    _holder = ""
    """Under whom it is held."""
    conn: _Parts
    _shared = False
    """Whether it is a proxy's."""
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
        """The first bytes of a request say in whose line it waits, those of a connection whether it is heard at all."""
        if self.conn.their_state is h11.IDLE and not self.conn._receive_buffer:
            self.called_by(admission.sender(data, self._address))
            if not self._begun and admission.shuts_out(self.caller):
                self.flow.pause_reading()
                self.loop.call_later(SHUT_OUT * (0.5 + random()), self.end)
                return False
            self._begun = True
        return True

    def handle_events(self) -> None:
        """What was sent is read when it is its turn, and no more is taken before."""
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
        """Nothing refers to itself any more, so it is freed without the collector."""
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
    "http": HurriedProtocol,
    "ws": LiveProtocol,
    "ws_max_size": FRAME,
    "ws_per_message_deflate": False,
    "ws_ping_interval": None,
}
"""How uvicorn is started. Compressing for each connection apart would cost more than it saves, and the heartbeats are
the application's own: a page can see them, and uvicorn's pings it cannot."""
