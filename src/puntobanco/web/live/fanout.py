"""Who listens to what, and one message to all of them."""

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
"""To how many connections a message goes before the loop may turn to something else: a few milliseconds."""

EVERYONE = "everyone"


class Channel:
    """The connections that listen to one thing, and what is on its way to them."""

    __slots__ = ("_at_once", "_key", "_under_way", "members")

    def __init__(self, key: Hashable, at_once: int) -> None:
        self._key, self._at_once = key, at_once
        self._under_way: deque[tuple[EncodedMessage, tuple[Connection, ...]]] = deque()
        self.members: dict[Connection, None] = {}

    @property
    def busy(self) -> bool:
        """Whether a message is still on its way to some."""
        return bool(self._under_way)

    def publish(self, message: EncodedMessage) -> None:
        """Send to those who listen now. Messages follow one another: none starts before the one before has ended."""
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
    """Every live connection of the house, by channel.

    A channel is anything that names a group: a table and an audience, a person, a session. It exists while someone
    listens to it.
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
        """Accept a connection and keep it, under the names it can be told and closed by, until the block ends.

        `refuse` gives the answer to a message that came too fast; `budget` is what it has in common with others.
        """
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
        """Let it hear what is published from now on."""
        if connection.open:
            self._channels.setdefault(channel, Channel(channel, self._at_once)).members[connection] = None
            connection.channels.add(channel)

    def leave(self, channel: Hashable, connection: Connection) -> None:
        """It hears nothing more, not even what is on its way to others."""
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
        """Those that anyone listens to."""
        return tuple(self._channels)

    def __contains__(self, channel: Hashable) -> bool:
        """Whether anyone listens."""
        return channel in self._channels

    def listeners(self, channel: Hashable = EVERYONE) -> tuple[Connection, ...]:
        found = self._channels.get(channel)
        return tuple(found.members) if found else ()

    def busy(self, channel: Hashable) -> bool:
        """Whether the last message is still on its way to some."""
        found = self._channels.get(channel)
        return found is not None and found.busy

    def publish(self, channel: Hashable, text: str) -> None:
        """Send to all who listen; who is behind keeps the newest only."""
        if found := self._channels.get(channel):
            found.publish(EncodedMessage(text))

    def tell(self, channel: Hashable, text: str) -> None:
        """Send to all who listen what none of them may miss."""
        for connection in self.listeners(channel):
            connection.tell(text)

    def close(self, channel: Hashable, code: int = SIGNED_OUT, reason: str = "signed out") -> None:
        """Close every connection of a person or a session, or all that listen to a table."""
        for connection in self.listeners(channel):
            connection.close(code, reason)

    def beat(self, text: str) -> None:
        """One heartbeat: close those not heard of for too long, ask the others for a sign of life."""
        silent_since = self._clock() - self.limits.silence
        for connection in self.listeners():
            if connection.heard < silent_since:
                connection.close(SILENT, "nothing heard")
        self.publish(EVERYONE, text)

    async def keep_beating(self, make: Callable[[], str]) -> None:
        """A heartbeat every so often, until cancelled."""
        while True:
            await asyncio.sleep(self.limits.heartbeat)
            self.beat(make())
