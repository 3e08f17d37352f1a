"""One live connection: sending, receiving, and closing it when it falls behind."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias, cast

import msgspec

from puntobanco.web.server.admission import Bucket, Clock
from puntobanco.web.server.uvicorn_protocols import GRACE, LINE, TOO_FAST, LiveTransport, PlainTransport

Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]

SIGNED_OUT, SILENT = 4401, 4408
DONE, UNSUPPORTED, FAILED, TOO_SLOW = 1000, 1003, 1011, 1013


class ConnectionLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of a connection. Times in seconds, rates per second."""

    slow: float = 10.0
    """How long it may be behind."""
    waiting: int = 256
    """How many messages may wait for it."""
    rate: float = 20.0
    burst: int = 40
    refusals: int = 100
    """Messages above `rate` are refused. After this many refusals the connection is closed; they expire at a quarter of
    `rate`."""
    heartbeat: float = 10.0
    silence: float = 25.0
    """How long it may be silent: a little more than two unanswered heartbeats."""


class EncodedMessage:
    """A text message, encoded once for all its receivers."""

    __slots__ = ("frame", "text")

    def __init__(self, text: str) -> None:
        self.text, content = text, text.encode()
        self.frame = _head(len(content)) + content


def _head(length: int) -> bytes:
    """The header of an unmasked text frame (RFC 6455, 5.2)."""
    if length < 126:
        return bytes((0x81, length))
    return b"\x81\x7e" + length.to_bytes(2) if length < 2**16 else b"\x81\x7f" + length.to_bytes(8)


class Connection:
    """A live socket. `offer` and `tell` never wait for the client.

    A message is nearly always sent at once. Otherwise the connection is behind: later messages wait here, only the
    newest of each channel and every private message, in order.
    """

    __slots__ = ("_behind", "_budget", "_clock", "_ends", "_fair", "_forget", "_limits", "_line", "_receive",
                 "_refusals", "_refuse", "_send", "_take", "_waiting", "channels", "code", "heard", "open")  # fmt: skip

    def __init__(self, scope: Mapping[str, Any], receive: Receive, send: Send, refuse: Callable[[str], str],
                 forget: Callable[["Connection"], None], limits: ConnectionLimits, clock: Clock,
                 budget: Callable[[], bool]) -> None:  # fmt: skip
        self._receive, self._send, self._refuse, self._forget = receive, send, refuse, forget
        self._limits, self._clock, self._budget = limits, clock, budget
        self._line: LiveTransport = scope.get("extensions", {}).get(LINE) or PlainTransport()
        self._take = self._line.take
        self._fair = Bucket(limits.rate, limits.burst, clock)
        self._refusals = Bucket(limits.rate / 4, limits.refusals, clock)
        self._waiting: dict[Hashable, EncodedMessage] = {}
        self._behind: asyncio.Task[None] | None = None
        self._ends: asyncio.Task[None] | None = None
        self.channels: set[Hashable] = set()
        self.heard = clock()
        self.open = True
        self.code: int | None = None

    @property
    def behind(self) -> bool:
        """Whether earlier messages are not sent yet."""
        return self._behind is not None

    def offer(self, channel: Hashable, message: EncodedMessage) -> None:
        """Send a message that a newer one of the same channel replaces."""
        if not self.open:
            return
        try:
            if self._behind is None and self._take(message.frame):
                return
        except Exception:  # whatever is wrong with one connection is its own affair
            self._give_up()
        else:
            self._wait(channel, message)

    def tell(self, text: str) -> None:
        """Send an answer or a private message. It is delivered, or the connection is closed."""
        self.offer(object(), EncodedMessage(text))

    def _wait(self, key: Hashable, message: EncodedMessage) -> None:
        self._waiting.pop(key, None)
        if len(self._waiting) >= self._limits.waiting:
            self.close(TOO_SLOW, "too much is waiting")
            return
        self._waiting[key] = message
        if self._behind is None:
            self._behind = asyncio.create_task(self._catch_up())

    async def _catch_up(self) -> None:
        """Send the waiting messages through the server, which applies back-pressure."""
        try:
            async with asyncio.timeout(self._limits.slow):
                while self._waiting:
                    message = self._waiting.pop(next(iter(self._waiting)))
                    await self._send({"type": "websocket.send", "text": message.text})
            self._behind = None
        except TimeoutError:
            self.close(TOO_SLOW, "too slow")
        except Exception:
            self._give_up()

    async def hear(self) -> str | None:
        """The next message, or None at the end. Messages above the rate limit are refused."""
        while True:
            event = await self._receive()
            if event["type"] == "websocket.disconnect":
                self.lost()
            if not self.open:
                return None
            self.heard = self._clock()
            text = event.get("text")
            if text is None:
                self.close(UNSUPPORTED, "only text is heard")
            elif (fair := self._fair.take()) and self._budget():
                return cast("str", text)
            elif fair or self._refusals.take():  # what others have used up is not its fault
                self.tell(self._refuse(text))
            else:
                self._line.shut_out()
                self.close(TOO_FAST, "too many messages")

    def close(self, code: int, reason: str) -> None:
        """Send the reason and close. A client that does not accept it in time is disconnected."""
        if self.open:
            self.lost()
            self.code = code
            self._ends = asyncio.create_task(self._farewell(code, reason))

    async def _farewell(self, code: int, reason: str) -> None:
        asyncio.get_running_loop().call_later(GRACE, self._line.end)
        with suppress(Exception):
            async with asyncio.timeout(GRACE):
                await self._send({"type": "websocket.close", "code": code, "reason": reason})

    def _give_up(self) -> None:
        self.lost()
        self._line.end()

    def lost(self) -> None:
        """Forget the connection: nothing more is sent or waits."""
        if self.open:
            self.open = False
            self._waiting.clear()
            if self._behind is not None and self._behind is not asyncio.current_task():
                self._behind.cancel()
            self._forget(self)

    async def over(self) -> None:
        """Wait until the close is sent: the server disconnects when the application returns."""
        if self._ends is not None:
            await self._ends
