"""Budgets: how much of the house's time one caller may take, so that no flood starves the others.

A caller is a person, over all their sessions, or without a session the address they call from. Callers without a
session share a further budget. Who is refused again and again, or floods a live connection, is shut out for a while:
then the first bytes of a new connection decide, and nothing is parsed. Whoever asks for much waits behind themselves.
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
"""Files of the screens count so many to a request of the API: they cost less, and a page needs a dozen at once."""
LONG = 10
"""Requests that take as long as one that takes long."""
AT_ONCE, MANY_AT_ONCE = 4, 2
"""A burst is what may come in so many seconds: of requests and a person's frames, and of files and of strangers."""
REFUSALS, REFUSALS_AT_ONCE = 10, 20
"""How many refusals a second a caller is told of."""
SHUT, FLOODED = 1_000, 5_000
"""Milliseconds for which a caller is shut out who would be refused more often, or who flooded a live connection."""
MOST_SHUT = 10_000
SCREENS = 5
"""So many screens' frames one person may send over all of them."""
PROMPT, PROMPTLY = 32, 4
"""Slices that a person may send at once on live connections to be heard at once, and for each frame a second that a
connection may send; who sends more waits in a line."""
SETTLES = 3
"""Turns of the loop in which most of what a piece of work leads to is done."""
PAUSE, PAUSES = 0.001, 2
"""Seconds of a pause after that, the least the loop can measure, and how many there are at the most while a command at
a table is under way."""
AT_LEAST = 0.05
"""Seconds within which a piece is done, on average, however slow the turns of the loop are."""
STRANGERS = "strangers"
HEAD = 16 * 1024
"""Bytes that a request may have before its body. So many of the first are looked at to see who sends it."""
COOKIES = 100
"""How many of the cookies that come with a request are looked at."""
_COOKIE = re.compile(r"puntobanco-(\d{1,2})=([\w-]{20,100})")
_SLOT = re.compile(r"/u/(\d{1,2})(?:/|$)")


class Flood(StrEnum):
    """What a caller had too much of."""

    FRAMES = "frames"
    BYTES = "bytes"
    MESSAGES = "messages"
    REQUESTS = "requests"
    CONNECTIONS = "connections"


class AdmissionLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Rates are a second."""

    frames: int = 120
    """Frames of one live connection, control frames included; as many at once."""
    bytes: int = 256 * 1024
    """Bytes of one live connection."""
    requests: int = 50
    """Requests of one person, or of one address without a session."""
    strangers: int = 200
    """Requests of all who have no session."""
    connections: int = 1_000
    """Connections without a session that are held at once."""
    connections_per_address: int = 500
    connections_per_person: int = 200
    """Those by which a person sends requests; live ones are counted as screens."""


class Bucket:
    """Tokens that come back at a rate, up to a burst."""

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
"""What waits for its turn; whether it took one: nothing is left to do for a connection that is gone, or that has sent
nothing more."""


class Turnstile:
    """One piece of work at a time, and none while a command at a table is under way, or not for a while: a bet takes
    about ten turns of the loop, and most of them fall into the pauses. Where the turns are slow, for there is much else
    to do, several pieces at a time: nobody waits for a loop that is never idle.

    Every caller has a line, and the lines take turns: those of people every other time, those of strangers in between.
    """

    def __init__(self, busy: Callable[[], bool] = lambda: True) -> None:
        """`busy`: whether a command at a table is under way."""
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
        """A pause that began with the work would be over when the work is."""
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
        """End the connection at once."""


class Admission:
    """The budgets of one house. `person_of` knows whose session a token is; `busy`, whether a command at a table is
    under way; `clock` is in milliseconds."""

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
        """For requests, and for what people who send much sent on live connections."""
        self._people: dict[str, dict[Ends, None]] = {}
        self._strangers: dict[str, dict[Ends, None]] = {}
        """The connections that are held, oldest first."""
        self._many = 0

    # ---- requests ------------------------------------------------------------------------------------------------

    def caller(self, path: str, sent: str, address: str) -> str:
        """Who asks: the person of the path's slot, else anybody the cookies know, else an address."""
        slot = _SLOT.match(path)
        known = None
        for number, token in islice(_COOKIE.findall(sent), COOKIES):
            if (person := self._person_of(token)) is not None:
                if slot is None or number == slot[1]:
                    return f"person {person}"
                known = known or f"person {person}"
        return known or stranger(address)

    def sender(self, first: bytes, address: str) -> str:
        """Who asks, by the first bytes of a request, before it is read: a token is good wherever it stands."""
        sent = first[:HEAD].decode("latin-1")
        return self.caller(sent.partition(" ")[2], sent, address)

    def early(self, caller: str, path: str, *, watched: bool) -> str | None:
        """Who asks too early, if they do: the caller, or all strangers together.

        Whoever watches the house is not refused because strangers flood it.
        """
        now = self._clock()
        rate = self.requests if watched or "/api/" in path or path == "/openapi.json" else self.pages
        if rate.take(f"watching {caller}" if watched else caller, now):
            return caller
        if not watched and not is_known(caller) and self.strangers.take(STRANGERS, now):
            return STRANGERS
        return None

    def is_long_early(self, person: str) -> bool:
        """Whether it is too early for a request that takes long."""
        early = self.long.take(person, self._clock()) > 0
        if early:
            self.flooded(Flood.REQUESTS)
        return early

    def has_frames(self, caller: str, many: int) -> bool:
        """Whether a caller may send so many more on a live connection."""
        return not self.frames.take(caller, self._clock(), many)

    def is_prompt(self, caller: str, slices: int) -> bool:
        """Whether so much of a caller is heard at once."""
        return slices <= PROMPT and not self.prompt.take(caller, self._clock(), slices)

    def unreadable(self, caller: str) -> None:
        """A request that cannot be read counts like one that can, and one too many like a refusal."""
        if (who := self.early(caller, "/api/", watched=False)) is not None:
            self.refused(who)

    def refused(self, who: str) -> None:
        """After too many refusals they are shut out for a while."""
        self.flooded(Flood.REQUESTS)
        if self._refusals.take(who, self._clock()):
            self.shut(who, SHUT)

    def shut(self, who: str, time: int = FLOODED) -> None:
        """Nothing of a new connection of theirs is read for a while; what they have open goes on."""
        now = self._clock()
        if len(self._shut) >= MOST_SHUT:
            self._shut = {one: until for one, until in self._shut.items() if until > now}
        self._shut[who] = now + time

    def shuts_out(self, caller: str) -> bool:
        """Whether a connection of theirs is ended before anything is read."""
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
        """A proxy's connections are of many callers."""
        try:
            return any(ip_address(address) in network for network in self._proxies)
        except ValueError:
            return False

    def hold(self, connection: Ends, caller: str, *, shared: bool = False) -> None:
        """A connection for requests. If there are too many, the oldest of the caller ends: of a person, or of an
        address as long as nobody has signed in there; unless many `share` it."""
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
        """It is over, or somebody else's. May be called again."""
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
        """Connections without a session."""
        return self._many


def is_known(caller: str) -> bool:
    return caller.startswith("person ")


def stranger(address: str) -> str:
    return f"address {place(address)}"
