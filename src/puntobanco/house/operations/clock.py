"""The clock of the house: milliseconds UTC that only ever go forward, at the pace of the monotonic clock.

The wall clock is asked once, at the start. Afterwards somebody may set it back or ahead: betting closes when it was
going to. What the wall clock did is told by `drift`, so that the house can put a change of time on record; the house
takes it over when it is started again. (The system's monotonic clock is itself kept at the pace of the time servers;
only jumps are left out.)
"""

import time
from collections.abc import Callable

import msgspec

Nanoseconds = Callable[[], int]

NOTICED = 1_000
"""Milliseconds that the wall clock must move for a change of time."""


class TimeChanged(msgspec.Struct, frozen=True, kw_only=True):
    """The wall clock jumped: by how many milliseconds since the last such change, and what both clocks show."""

    by: int
    house: int
    wall: int


class HouseClock:
    """Called, it gives the moment. `not_before` is the last moment on record, which a start never falls behind."""

    def __init__(
        self,
        not_before: int = 0,
        *,
        wall: Nanoseconds = time.time_ns,
        monotonic: Nanoseconds = time.monotonic_ns,
        noticed: int = NOTICED,
    ) -> None:
        self._wall, self._monotonic, self._noticed = wall, monotonic, noticed
        self._start = monotonic()
        self._base = max(wall() // 1_000_000, not_before)
        self._told = 0

    def __call__(self) -> int:
        return self._base + (self._monotonic() - self._start) // 1_000_000

    def wall(self) -> int:
        """What the machine's own clock shows, for what must agree with clocks outside the house."""
        return self._wall() // 1_000_000

    def drift(self) -> int:
        """How many milliseconds the wall clock is ahead of this one; less than nothing if it is behind."""
        return self.wall() - self()

    def changed(self) -> TimeChanged | None:
        """What the wall clock did since this was last answered, once for each change."""
        drift = self.drift()
        if abs(drift - self._told) < self._noticed:
            return None
        by, self._told = drift - self._told, drift
        now = self()
        return TimeChanged(by=by, house=now, wall=now + drift)
