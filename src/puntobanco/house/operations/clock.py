"""The clock of the house: milliseconds UTC that never go back, at the pace of the monotonic clock.

The wall clock is read once, at the start. If it is set back or ahead later, betting still closes when it was going to.
`drift` reports the difference, so that the house can record a time change; the next start adopts the new time. (The
monotonic clock follows the pace of the time servers; only jumps are excluded.)
"""

import time
from collections.abc import Callable

Nanoseconds = Callable[[], int]

NOTICED = 1_000
"""Milliseconds that the wall clock must jump to count as a time change."""


class HouseClock:
    """Call it for the current time. `not_before` is the last recorded time; a start never falls behind it."""

    def __init__(
        self,
        not_before: int = 0,
        *,
        wall: Nanoseconds = time.time_ns,
        monotonic: Nanoseconds = time.monotonic_ns,
    ) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._start = monotonic()
        self._base = max(wall() // 1_000_000, not_before)
        self._told = 0

    def __call__(self) -> int:
        return self._base + (self._monotonic() - self._start) // 1_000_000

    def wall(self) -> int:
        """The time of the machine's own clock, for what must agree with outside clocks."""
        return self._wall() // 1_000_000

    def drift(self) -> int:
        """Milliseconds by which the wall clock is ahead of this one; negative if it is behind."""
        return self.wall() - self()

    def changed(self) -> int:
        """Milliseconds by which the wall clock jumped since the last call, once per change; 0 if it did not."""
        drift = self.drift()
        jumped = drift - self._told
        if abs(jumped) < NOTICED:
            return 0
        self._told = drift
        return jumped
