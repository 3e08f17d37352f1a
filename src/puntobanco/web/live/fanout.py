"""Channels and their subscribers: one message to all of them."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from puntobanco.web.live.connection import (
    DONE,
    FAILED,
    SIGNED_OUT,
    SILENT,
    Connection,
    ConnectionLimits,
    EncodedMessage,
    Receive,
    Send,
)
from puntobanco.web.server.admission import Clock

AT_ONCE = 250
"""Connections served before yielding to the event loop: a few milliseconds."""

EVERYONE = "everyone"


class Channel:
    """The subscribers of one channel, and the message being sent to them."""

    __slots__ = ("_at_once", "_key", "_under_way", "members")

    def __init__(self, key: Hashable, at_once: int) -> None:
        self._key, self._at_once = key, at_once
        self._under_way: deque[tuple[EncodedMessage, tuple[Connection, ...]]] = deque()
        self.members: dict[Connection, None] = {}

    @property
    def busy(self) -> bool:
        """Whether a message is still being sent."""
        return bool(self._under_way)

    def publish(self, message: EncodedMessage) -> None:
        """Send to the current subscribers. Messages are sent one after another."""
        idle, listeners, step = not self._under_way, tuple(self.members), self._at_once
        self._under_way.extend((message, listeners[at : at + step]) for at in range(0, len(listeners), step))
        if idle and listeners:
            self._go_on()

    def _go_on(self) -> None:
        message, listeners = self._under_way[0]
        key, members = self._key, self.members
        for connection in listeners:
            if connection in members:
                connection.offer(key, message)
        self._under_way.popleft()
        if self._under_way:
            asyncio.get_running_loop().call_soon(self._go_on)


class Fanout:
    """Every live connection, by channel.

    A channel is anything that names a group: a table and an audience, a person, a session. It exists while it has
    subscribers.
    """

    def __init__(
        self, limits: ConnectionLimits | None = None, clock: Clock = time.monotonic, *, at_once: int = AT_ONCE
    ) -> None:
        self.limits = limits or ConnectionLimits()
        self._clock, self._at_once = clock, at_once
        self._channels: dict[Hashable, Channel] = {}

    @asynccontextmanager
    async def connected(self, scope: Mapping[str, Any], receive: Receive, send: Send, *names: Hashable,
                        refuse: Callable[[str], str],
                        budget: Callable[[], bool] = lambda: True) -> AsyncIterator[Connection]:  # fmt: skip
        """Accept a connection and register it under the names it can be addressed and closed by, until the block ends.
        `refuse` returns the answer to a message above the rate limit; `budget` is shared with other connections."""
        await receive()
        await send({"type": "websocket.accept"})
        connection = Connection(scope, receive, send, refuse, self._forget, self.limits, self._clock, budget)
        for name in (EVERYONE, *names):
            self.join(name, connection)
        try:
            yield connection
        except Exception:
            connection.close(FAILED, "something went wrong here")
            raise
        finally:
            connection.close(DONE, "")
            await connection.over()

    def join(self, channel: Hashable, connection: Connection) -> None:
        """Subscribe to a channel."""
        if connection.open:
            self._channels.setdefault(channel, Channel(channel, self._at_once)).members[connection] = None
            connection.channels.add(channel)

    def leave(self, channel: Hashable, connection: Connection) -> None:
        """Unsubscribe, effective also for a message being sent."""
        connection.channels.discard(channel)
        if found := self._channels.get(channel):
            found.members.pop(connection, None)
            if not found.members:
                del self._channels[channel]

    def _forget(self, connection: Connection) -> None:
        for channel in tuple(connection.channels):
            self.leave(channel, connection)

    @property
    def channels(self) -> tuple[Hashable, ...]:
        """Channels with subscribers."""
        return tuple(self._channels)

    def __contains__(self, channel: Hashable) -> bool:
        """Whether the channel has subscribers."""
        return channel in self._channels

    def listeners(self, channel: Hashable = EVERYONE) -> tuple[Connection, ...]:
        found = self._channels.get(channel)
        return tuple(found.members) if found else ()

    def busy(self, channel: Hashable) -> bool:
        """Whether the last message is still being sent."""
        found = self._channels.get(channel)
        return found is not None and found.busy

    def publish(self, channel: Hashable, text: str) -> None:
        """Send to all subscribers. Those behind keep only the newest."""
        if found := self._channels.get(channel):
            found.publish(EncodedMessage(text))

    def tell(self, channel: Hashable, text: str) -> None:
        """Send to all subscribers a message that none may miss."""
        for connection in self.listeners(channel):
            connection.tell(text)

    def close(self, channel: Hashable, code: int = SIGNED_OUT, reason: str = "signed out") -> None:
        """Close every connection of a person, a session or a table."""
        for connection in self.listeners(channel):
            connection.close(code, reason)

    def beat(self, text: str) -> None:
        """One heartbeat: close connections that were silent for too long and ping the others."""
        silent_since = self._clock() - self.limits.silence
        for connection in self.listeners():
            if connection.heard < silent_since:
                connection.close(SILENT, "nothing heard")
        self.publish(EVERYONE, text)

    async def keep_beating(self, make: Callable[[], str]) -> None:
        """Send heartbeats at an interval until cancelled."""
        while True:
            await asyncio.sleep(self.limits.heartbeat)
            self.beat(make())
