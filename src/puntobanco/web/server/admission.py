"""Admission: rate limits, so that no client starves the others.

A caller is a person, over all their sessions, or without a session the client's address. Callers without a session
share a further limit. A caller who is refused repeatedly or floods a live connection is shut out for a while: then a
new connection is judged by its first bytes, and nothing is parsed. A caller who sends much waits in a queue of their
own.
"""

import asyncio
import re
import time
from collections import deque
from collections.abc import Callable, Iterable
from enum import StrEnum
from ipaddress import ip_address, ip_network
from itertools import islice
from typing import Protocol

import msgspec

from puntobanco.house.identity.throttle import RateLimit, place

Clock = Callable[[], float]

PAGES = 4
"""Static files per API request: they cost less, and a page needs a dozen at once."""
LONG = 10
"""A slow request counts as this many."""
DOCUMENTS = frozenset({"/openapi.json", "/asyncapi.json"})
"""What programs request outside the API."""
AT_ONCE, MANY_AT_ONCE = 4, 2
"""Seconds' worth of a burst: of requests and a person's frames; and of static files and of anonymous callers."""
REFUSALS, REFUSALS_AT_ONCE = 10, 20
"""Refusals per second that a caller is answered with."""
SHUT, FLOODED = 1_000, 5_000
"""Milliseconds for which a caller is shut out: for exceeding the refusals, or for flooding a live connection."""
MOST_SHUT = 10_000
SCREENS = 5
"""One person may send the frames and the messages of this many screens."""
PROMPT, PROMPTLY = 32, 4
"""Slices from live connections that a person may send at once and have handled at once, and per allowed frame per
second. More than that waits in a queue."""
SETTLES = 3
"""Turns of the event loop in which most consequences of a piece of work are done."""
PAUSE, PAUSES = 0.001, 2
"""Seconds of a pause after that, the shortest the loop can measure, and how many pauses at most while a table command
is in progress."""
AT_LEAST = 0.05
"""Seconds within which a piece of work is done on average, however slow the turns of the loop are."""
STRANGERS = "strangers"
HEAD = 16 * 1024
"""Most bytes of a request head. This many first bytes are inspected to identify the sender."""
COOKIES = 100
"""Most cookies of a request that are inspected."""
_COOKIE = re.compile(r"puntobanco-(\d{1,2})=([\w-]{20,100})")
_SLOT = re.compile(r"/u/(\d{1,2})(?:/|$)")


class Flood(StrEnum):
    """The limit that a caller exceeded."""

    FRAMES = "frames"
    BYTES = "bytes"
    MESSAGES = "messages"
    REQUESTS = "requests"
    CONNECTIONS = "connections"


class AdmissionLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Rates are per second."""

    frames: int = 120
    """Frames of one live connection, control frames included; also the burst."""
    bytes: int = 256 * 1024
    """Bytes of one live connection."""
    requests: int = 50
    """Requests of one person, or of one address without a session."""
    strangers: int = 200
    """Requests of all callers without a session."""
    connections: int = 1_000
    """Open connections without a session."""
    connections_per_address: int = 500
    connections_per_person: int = 200
    """A person's connections for requests; live connections count as screens."""


class Bucket:
    """A token bucket: tokens return at a rate, up to a burst."""

    __slots__ = ("_burst", "_clock", "_left", "_rate", "_seen")

    def __init__(self, rate: float, burst: int, clock: Clock) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left, self._seen = float(burst), clock()

    def take(self, tokens: int = 1) -> bool:
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._seen) * self._rate)
        self._seen = now
        if self._left < tokens:
            return False
        self._left -= tokens
        return True


Work = Callable[[], bool]
"""Work in a queue. Returns whether it used its turn: there is nothing to do for a closed connection or one without new
data."""


class Turnstile:
    """Runs one piece of work at a time, and delays it while a table command is in progress: a bet takes about ten turns
    of the loop, most of which fall into the pauses.

    If turns are slow because the server is busy, it runs several pieces at a time. Every caller has a queue; the queues
    take turns, those of people alternating with those of anonymous callers.
    """

    def __init__(self, busy: Callable[[], bool] = lambda: True) -> None:
        """`busy`: whether a table command is in progress."""
        self._busy = busy
        self._people: dict[str, deque[Work]] = {}
        self._strangers: dict[str, deque[Work]] = {}
        self._first, self._second = self._strangers, self._people
        self._turning = False
        self._last = 0.0

    def enter(self, caller: str, work: Work) -> None:
        lines = self._people if is_known(caller) else self._strangers
        lines.setdefault(caller, deque()).append(work)
        if not self._turning:
            self._turning, self._last = True, time.monotonic()
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        now = time.monotonic()
        left, self._last = 1 + int((now - self._last) / AT_LEAST), now
        try:
            while left and (work := self._take()) is not None:
                left -= work()
        finally:
            self._settle(SETTLES)

    def _settle(self, turns: int, pauses: int = PAUSES) -> None:
        """The pause begins after the work, because a pause begun with it would end with it."""
        loop = asyncio.get_running_loop()
        if turns:
            loop.call_soon(self._settle, turns - 1)
        elif not (self._people or self._strangers):
            self._turning = False
        elif pauses and self._busy():
            loop.call_later(PAUSE, self._settle, 0, pauses - 1)
        else:
            self._turn()

    def _take(self) -> Work | None:
        self._first, self._second = self._second, self._first
        if not (lines := self._first or self._second):
            return None
        caller = next(iter(lines))
        line = lines.pop(caller)
        work = line.popleft()
        if line:
            lines[caller] = line
        return work


class Ends(Protocol):
    def end(self) -> None:
        """Close the connection at once."""


class Admission:
    """The limits of one server. `person_of` returns the owner of a session token; `busy`, whether a table command is in
    progress; `clock` is in milliseconds."""

    def __init__(
        self,
        limits: AdmissionLimits | None = None,
        *,
        person_of: Callable[[str], str | None] = lambda _: None,
        proxies: Iterable[str] = (),
        flooded: Callable[[Flood], None] = lambda _: None,
        busy: Callable[[], bool] = lambda: True,
        clock: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000,
    ) -> None:
        self.limits = limits = limits or AdmissionLimits()
        self.flooded, self._person_of, self._clock = flooded, person_of, clock
        self._proxies = tuple(ip_network(proxy) for proxy in proxies)
        self.requests = RateLimit(limits.requests, AT_ONCE * limits.requests)
        self.long = RateLimit(limits.requests / LONG, max(1, AT_ONCE * limits.requests // LONG))
        self.pages = RateLimit(PAGES * limits.requests, MANY_AT_ONCE * PAGES * limits.requests)
        self.strangers = RateLimit(limits.strangers, MANY_AT_ONCE * limits.strangers)
        self.frames = RateLimit(SCREENS * limits.frames, AT_ONCE * SCREENS * limits.frames)
        self.prompt = RateLimit(PROMPTLY * limits.frames, PROMPT)
        self._refusals = RateLimit(REFUSALS, REFUSALS_AT_ONCE)
        self._shut: dict[str, int] = {}
        self.turnstile = Turnstile(busy)
        """For requests, and for live messages of people who send many."""
        self._people: dict[str, dict[Ends, None]] = {}
        self._strangers: dict[str, dict[Ends, None]] = {}
        """The open connections, oldest first."""
        self._many = 0

    # ---- requests ------------------------------------------------------------------------------------------------

    def caller(self, path: str, sent: str, address: str) -> str:
        """The caller: the person of the path's slot, else any person whose session the cookies hold, else the
        address."""
        slot = _SLOT.match(path)
        known = None
        for number, token in islice(_COOKIE.findall(sent), COOKIES):
            if (person := self._person_of(token)) is not None:
                if slot is None or number == slot[1]:
                    return f"person {person}"
                known = known or f"person {person}"
        return known or stranger(address)

    def sender(self, first: bytes, address: str) -> str:
        """The caller, by the first bytes of a request, before it is parsed. A token counts wherever it is."""
        sent = first[:HEAD].decode("latin-1")
        return self.caller(sent.partition(" ")[2], sent, address)

    def early(self, caller: str, path: str, *, watched: bool) -> str | None:
        """The caller who exceeds a limit, if any: this caller, or all anonymous callers together. Monitoring is not
        refused because anonymous callers flood the server."""
        now = self._clock()
        rate = self.requests if watched or "/api/" in path or path in DOCUMENTS else self.pages
        if rate.take(f"watching {caller}" if watched else caller, now):
            return caller
        if not watched and not is_known(caller) and self.strangers.take(STRANGERS, now):
            return STRANGERS
        return None

    def is_long_early(self, person: str) -> bool:
        """Whether a slow request exceeds its limit."""
        early = self.long.take(person, self._clock()) > 0
        if early:
            self.flooded(Flood.REQUESTS)
        return early

    def has_frames(self, caller: str, many: int) -> bool:
        """Whether a caller may send that many more frames on a live connection."""
        return not self.frames.take(caller, self._clock(), many)

    def is_prompt(self, caller: str, slices: int) -> bool:
        """Whether that much of a caller's input is handled at once."""
        return slices <= PROMPT and not self.prompt.take(caller, self._clock(), slices)

    def unreadable(self, caller: str) -> None:
        """Count a malformed request like a valid one, and one above the limit like a refusal."""
        if (who := self.early(caller, "/api/", watched=False)) is not None:
            self.refused(who)

    def refused(self, who: str) -> None:
        """Count a refusal. After too many, the caller is shut out for a while."""
        self.flooded(Flood.REQUESTS)
        if self._refusals.take(who, self._clock()):
            self.shut(who, SHUT)

    def shut(self, who: str, time: int = FLOODED) -> None:
        """Read nothing from the caller's new connections for a while. Open connections stay."""
        now = self._clock()
        if len(self._shut) >= MOST_SHUT:
            self._shut = {one: until for one, until in self._shut.items() if until > now}
        self._shut[who] = now + time

    def shuts_out(self, caller: str) -> bool:
        """Whether a connection of the caller is closed before anything is read."""
        return self._is_shut(caller) or (not is_known(caller) and self._is_shut(STRANGERS))

    def _is_shut(self, who: str) -> bool:
        if (until := self._shut.get(who)) is None:
            return False
        if until <= self._clock():
            del self._shut[who]
            return False
        return True

    def sweep(self) -> None:
        now = self._clock()
        for rate in (self.requests, self.long, self.pages, self.strangers, self.frames, self.prompt, self._refusals):
            rate.sweep(now)

    # ---- connections ---------------------------------------------------------------------------------------------

    def is_proxy(self, address: str) -> bool:
        """Whether the address is a trusted proxy, whose connections serve many callers."""
        try:
            return any(ip_address(address) in network for network in self._proxies)
        except ValueError:
            return False

    def hold(self, connection: Ends, caller: str, *, shared: bool = False) -> None:
        """Register a connection for requests. Above the limit, close the caller's oldest: of a person, or of an address
        without sessions; unless many callers `share` it."""
        known = is_known(caller)
        callers = self._people if known else self._strangers
        held = callers.setdefault(caller, {})
        held[connection] = None
        self._many += not known
        most = self.limits.connections_per_person if known else self.limits.connections_per_address
        if len(held) > most and not shared:
            self._end_oldest(callers, caller)
        if self._many > self.limits.connections:
            self._end_oldest(self._strangers, max(self._strangers, key=lambda one: len(self._strangers[one])))

    def _end_oldest(self, callers: dict[str, dict[Ends, None]], caller: str) -> None:
        self.flooded(Flood.CONNECTIONS)
        oldest = next(iter(callers[caller]))
        self.release(oldest, caller)
        oldest.end()

    def release(self, connection: Ends, caller: str) -> None:
        """Unregister a connection. May be called again."""
        known = is_known(caller)
        callers = self._people if known else self._strangers
        held = callers.get(caller, {})
        if connection in held:
            del held[connection]
            self._many -= not known
            if not held:
                del callers[caller]

    @property
    def held(self) -> int:
        """The number of connections without a session."""
        return self._many


def is_known(caller: str) -> bool:
    return caller.startswith("person ")


def stranger(address: str) -> str:
    return f"address {place(address)}"
