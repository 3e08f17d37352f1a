"""Rate limiting of public messages."""

import asyncio
from collections.abc import Callable, Hashable
from typing import Protocol

from puntobanco.web.live.fanout import Fanout

DEFAULT_INTERVAL = 0.2
"""Five messages per second are as many as a person can follow."""


class Cancellable(Protocol):
    def cancel(self) -> None: ...


class Timer(Protocol):
    """What pacing needs from an event loop."""

    def time(self) -> float: ...
    def call_at(self, when: float, callback: Callable[[], None], /) -> Cancellable: ...


class Paced:
    """The publisher of a channel: collects changes and builds the message when it is due, if the channel has
    subscribers."""

    def __init__(
        self, fanout: Fanout, channel: Hashable, make: Callable[[], str], timer: Timer | None = None,
        *, interval: float = DEFAULT_INTERVAL, failed: Callable[[Exception], None] | None = None,
    ) -> None:  # fmt: skip
        """`failed` is called when a message cannot be built."""
        self._fanout, self._channel, self._make, self._interval = fanout, channel, make, interval
        self._failed = failed
        self._timer: Timer = timer or asyncio.get_running_loop()
        self._last = float("-inf")
        self._due: Cancellable | None = None

    def soon(self) -> None:
        """A change that can wait for its turn, such as a bet."""
        if self._due is None:
            when = max(self._timer.time(), self._last + self._interval)
            self._due = self._timer.call_at(when, self._turn)

    def at_once(self) -> None:
        """A phase, card or result: publish at once, together with pending changes."""
        self.stop()
        self._last = self._timer.time()
        if self._channel in self._fanout:
            self._fanout.publish(self._channel, self._make())

    def _turn(self) -> None:
        if self._fanout.busy(self._channel):
            # The message before is not with everyone yet: another would only queue, and be old when its turn came.
            self._due = self._timer.call_at(self._timer.time() + self._interval, self._turn)
            return
        try:
            self.at_once()
        except Exception as error:
            if self._failed is None:
                raise
            self._failed(error)

    def stop(self) -> None:
        """Drop what is pending."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
