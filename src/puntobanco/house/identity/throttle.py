"""Throttling: failed sign-ins delay the next attempt, and requests have a rate limit.

Pure: the time is passed in, in milliseconds. Both tables are bounded. When a table is full, entries are removed and the
strictest of them is remembered: whoever is not in the table starts from there. So nobody gets a fresh start by flooding
the house with unknown names.
"""

from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Generic, TypeVar

import msgspec

from puntobanco.house.secrets.secret_store import HOUR, MINUTE, SECOND

Key = str | bytes
Standing = TypeVar("Standing")


SHORT = 80
"""A name of at most this many characters is used as the key itself."""


def key(*parts: str) -> Key:
    """A key of fixed length, however long the parts are. Different parts have different keys."""
    return blake2b(
        msgspec.json.encode([part.encode("utf-8", "surrogatepass") for part in parts]), digest_size=16
    ).digest()


@lru_cache(4_096)
def place(address: str) -> str:
    """The place of an address: an IPv6 address counts as its /64 network, which is what one subscriber gets."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or ip_network((int(found), 64), strict=False))


class Bounded(Generic[Standing]):
    """A table of at most `most` entries. `order` sorts the mildest first; `worse` combines two into one as strict as
    both."""

    def __init__(
        self,
        most: int,
        *,
        none: Standing,
        over: Callable[[Standing, int], bool],
        order: Callable[[Standing], tuple[int, ...]],
        worse: Callable[[Standing, Standing], Standing],
    ) -> None:
        self.most, self.none, self.over, self.order, self.worse = most, none, over, order, worse
        self._kept: dict[Key, Standing] = {}
        self._pushed_out = none

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Key, now: int) -> Standing:
        found = self.last(key)
        return self.none if self.over(found, now) else found

    def last(self, key: Key) -> Standing:
        """Like `get`, but also if the entry has expired."""
        return self._kept.get(key, self._pushed_out)

    def put(self, key: Key, standing: Standing, now: int) -> None:
        if key not in self._kept and len(self._kept) >= self.most:
            self._make_room(now)
        self._kept[key] = standing

    def drop(self, key: Key) -> None:
        self._kept.pop(key, None)

    def sweep(self, now: int) -> None:
        """Remove entries that have expired."""
        if self.over(self._pushed_out, now):
            self._pushed_out = self.none
        self._kept = {key: kept for key, kept in self._kept.items() if not self.over(kept, now)}

    def _make_room(self, now: int) -> None:
        self.sweep(now)
        if len(self._kept) < self.most:
            return
        for key in sorted(self._kept, key=lambda key: self.order(self._kept[key]))[: self.most // 10 + 1]:
            self._pushed_out = self.worse(self._pushed_out, self._kept.pop(key))


class Patience(msgspec.Struct, frozen=True):
    """The first `free` failures cost nothing; after them the wait doubles from `first` to `longest`."""

    free: int = 5
    first: int = SECOND
    longest: int = 15 * MINUTE

    def after(self, failures: int) -> int:
        if failures < self.free:
            return 0
        return min(self.longest, self.first << min(failures - self.free, 32))


ACCOUNT, ADDRESS = Patience(), Patience(free=20)
"""An address may be a hall of terminals, so it is allowed more failures."""


class Failures(msgspec.Struct, frozen=True):
    count: int = 0
    last: int = 0


class Throttle:
    """Failed attempts to sign in, counted for each account at an address and for each address.

    The owner of an account is never locked out: the delay applies only to the address where the failures came from.
    """

    def __init__(
        self,
        account: Patience = ACCOUNT,
        address: Patience = ADDRESS,
        forget: int = HOUR,
        most: int = 20_000,
    ) -> None:
        self.forget = max(forget, account.longest, address.longest)
        self._by_account = _Tally(account, self.forget, most)
        self._by_address = _Tally(address, self.forget, most)

    def __len__(self) -> int:
        return len(self._by_account.failures) + len(self._by_address.failures)

    def attempt(self, account: str, address: str, now: int) -> int:
        """The milliseconds until an attempt is allowed; 0 if it is allowed now.

        An allowed attempt counts as failed until `succeeded` is called, or `withdrawn` if neither password nor code was
        wrong. So simultaneous attempts are all counted.
        """
        here, where = _keys(account, address)
        wait = max(self._by_account.wait(here, now), self._by_address.wait(where, now))
        if wait == 0:
            self._by_account.more(here, now)
            self._by_address.more(where, now)
        return wait

    def succeeded(self, account: str, address: str, now: int) -> None:
        """Forget the failures of the account at this address. Those of the address stay, except this attempt: somebody
        with one account could otherwise go on trying others."""
        here, where = _keys(account, address)
        self._by_account.failures.drop(here)
        self._by_address.less(where, now)

    def withdrawn(self, account: str, address: str, now: int) -> None:
        here, where = _keys(account, address)
        self._by_account.less(here, now)
        self._by_address.less(where, now)


def _keys(account: str, address: str) -> tuple[Key, Key]:
    where = place(address)
    return key(account, where), key(where)


class _Tally:
    """The failures of many keys, all with the same patience."""

    def __init__(self, patience: Patience, forget: int, most: int) -> None:
        self._patience = patience
        self.failures: Bounded[Failures] = Bounded(
            most,
            none=Failures(),
            over=lambda one, now: now - one.last >= forget,
            order=lambda one: (one.count, one.last),
            worse=lambda one, other: Failures(max(one.count, other.count), max(one.last, other.last)),
        )

    def wait(self, key: Key, now: int) -> int:
        failures = self.failures.get(key, now)
        wait = self._patience.after(failures.count)
        return max(0, min(wait, failures.last + wait - now))  # a clock set back makes nobody wait longer than that

    def more(self, key: Key, now: int) -> None:
        self.failures.put(key, Failures(self.failures.get(key, now).count + 1, now), now)

    def less(self, key: Key, now: int) -> None:
        before = self.failures.get(key, now)
        if before.count > 1:
            self.failures.put(key, Failures(before.count - 1, before.last), now)
        else:
            self.failures.drop(key)


class RateLimit:
    """A rate per second and a `burst`, for each key: a session, an address.

    Stores for each key the time, in microseconds, at which it will have used up what it took.
    """

    def __init__(self, per_second: float, burst: int, most: int = 20_000) -> None:
        self._each = round(1_000_000 / per_second)
        self._room = self._each * burst
        self._paid: Bounded[int] = Bounded(
            most, none=0, over=lambda paid, now: paid <= now, order=lambda paid: (paid,), worse=max
        )

    def __len__(self) -> int:
        return len(self._paid)

    def take(self, who: str, now: int, many: int = 1) -> int:
        """The milliseconds until this is allowed; 0 if it was taken now."""
        moment, one = now * 1_000, who if len(who) <= SHORT else key(who)
        owes = min(max(self._paid.last(one) - moment, 0), self._room) + many * self._each
        if owes > self._room:
            return -(-(owes - self._room) // 1_000)
        self._paid.put(one, moment + owes, moment)
        return 0

    def sweep(self, now: int) -> None:
        self._paid.sweep(now * 1_000)
