"""One live connection: what is sent to it, what is heard from it, and when it is given up."""

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
    """How much patience the house has with a connection. Times in seconds, rates a second."""

    slow: float = 10.0
    """How long it may be behind."""
    waiting: int = 256
    """How many messages may wait for it."""
    rate: float = 20.0
    burst: int = 40
    refusals: int = 100
    """Above `rate` each message is refused. After so many refusals the connection is closed; they are forgiven at a
    quarter of `rate`."""
    heartbeat: float = 10.0
    silence: float = 25.0
    """How long nothing may be heard from it: two heartbeats unanswered, and some."""


class EncodedMessage:
    """A text, made ready once for all who get it."""

    __slots__ = ("frame", "text")

    def __init__(self, text: str) -> None:
        self.text, content = text, text.encode()
        self.frame = _head(len(content)) + content


def _head(length: int) -> bytes:
    """Before the content of an unmasked text frame (RFC 6455, 5.2)."""
    if length < 126:
        return bytes((0x81, length))
    return b"\x81\x7e" + length.to_bytes(2) if length < 2**16 else b"\x81\x7f" + length.to_bytes(8)


class Connection:
    """A live socket. `offer` and `tell` never wait, whoever is at the other end.

    Nearly always a message is taken at once. When it is not, the connection is behind: what follows waits here, of each
    channel only the newest, every private message, in the order in which they came.
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
        """Whether it has yet to take what was sent before."""
        return self._behind is not None

    def offer(self, channel: Hashable, message: EncodedMessage) -> None:
        """Send what a newer message of the channel makes worthless."""
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
        """Send an answer or a private message: it arrives, or the connection is closed."""
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
        """Send what waits through the server, which waits for the connection to take it."""
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
        """The next message, or nothing more when the connection is over. Those that come too fast are refused."""
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
        """Say why and end it; one that does not take the reason in time is ended without."""
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
        """Forget it: nothing is sent to it or waits for it any more."""
        if self.open:
            self.open = False
            self._waiting.clear()
            if self._behind is not None and self._behind is not asyncio.current_task():
                self._behind.cancel()
            self._forget(self)

    async def over(self) -> None:
        """Wait until the last word is said: when the application returns, the server hangs up."""
        if self._ends is not None:
            await self._ends
