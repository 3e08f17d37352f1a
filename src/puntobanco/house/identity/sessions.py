"""Sessions and sign-in links: random tokens of which the house stores only the hash.

Reading the store is not enough to sign in. Sessions are also kept in memory, so that finding one needs no disk access.
A session ends in memory first, then its live connections are closed and the store forgets it.
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from enum import StrEnum
from hashlib import sha256

import msgspec

from puntobanco.house.secrets.secret_store import HOUR, MINUTE, Clock, Content, SecretStore, readable
from puntobanco.protocol.hidden import Hidden
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.text import printable

TOKEN = 32
TYPED = 43
"""The characters of a token of 32 bytes."""
SESSION, TICKET = "session:", "ticket:"


class SessionKind(StrEnum):
    PLAYER = "player"
    STAFF = "staff"


class SessionLifetime(msgspec.Struct, frozen=True):
    """The longest time without use, and the longest time in total."""

    idle: int
    absolute: int


class SessionLimits(msgspec.Struct, frozen=True):
    """The defaults are those of the settings: a shift lasts at most twelve hours."""

    player: SessionLifetime = SessionLifetime(30 * MINUTE, 12 * HOUR)
    staff: SessionLifetime = SessionLifetime(HOUR, 12 * HOUR)
    most: int = 20
    """Sessions of one person at a time: with one more, the oldest ends."""
    written: int = MINUTE
    """How old the moment of last use in the store may be."""

    def of(self, kind: SessionKind) -> SessionLifetime:
        return self.staff if kind is SessionKind.STAFF else self.player


class Session(msgspec.Struct, frozen=True):
    """A signed-in session. `id` is the hash of the token and grants nothing; `slot` is the N of /u/N/."""

    id: str
    person: str
    kind: SessionKind
    slot: int
    created: int
    seen: int
    address: str
    agent: str


class StartedSession(Hidden, frozen=True):
    """A new session with its token, which is returned only this once."""

    token: str
    session: Session


class SessionEnd(StrEnum):
    SIGNED_OUT = "signed_out"
    EXPIRED = "expired"
    TOO_MANY = "too_many"
    REVOKED = "revoked"


Heard = Callable[[Session, SessionEnd], None]
DEFAULT_LIMITS = SessionLimits()


class Sessions:
    def __init__(self, secret_store: SecretStore, clock: Clock, limits: SessionLimits = DEFAULT_LIMITS) -> None:
        self._secret_store, self._clock, self.limits = secret_store, clock, limits
        self._live: dict[str, Session] = {}
        self._written: dict[str, int] = {}
        self._heard: list[Heard] = []

    async def open(self) -> None:
        """Load the sessions that a restart interrupted, and remove those that have expired."""
        async for id, session in _all(self._secret_store, SESSION, Session):
            if session.id == id:
                self._live[id], self._written[id] = session, session.seen
        await self.sweep()

    def on_ended(self, heard: Heard) -> None:
        """Register a function that is called for every session that ends, so that its connections can be closed."""
        self._heard.append(heard)

    async def start(
        self, person: str, kind: SessionKind, *, slot: int = 0, address: str = "", agent: str = ""
    ) -> StartedSession:
        """Start a session, always with a new token: a token that was known before the sign-in grants nothing after
        it."""
        now, token = self._clock(), secrets.token_urlsafe(TOKEN)
        session = Session(hashed(token), person, kind, slot, now, now, printable(address[:64]), printable(agent[:200]))
        self._live[session.id] = session  # before anything waits, so that `end_all` meanwhile ends this one too
        try:
            await self._keep(session)
            await self._end(self.of(person)[: -self.limits.most], SessionEnd.TOO_MANY)
        except BaseException:
            self._live.pop(session.id, None)
            raise
        if session.id not in self._live:
            raise Refused(Reason.SESSION_OVER)
        return StartedSession(token, session)

    def find(self, token: str) -> Session | None:
        """The session of the token, if there is one and it has not expired."""
        found = self._live.get(hashed(token)) if len(token) == TYPED else None
        return found if found is not None and not self._expired(found, self._clock()) else None

    def goes_on(self, id: str) -> bool:
        return (found := self._live.get(id)) is not None and not self._expired(found, self._clock())

    def of(self, person: str) -> list[Session]:
        """The sessions of a person, the oldest first."""
        return sorted((one for one in self._live.values() if one.person == person), key=lambda one: one.created)

    def counted(self) -> Counter[str]:
        """The number of sessions of every person, counted in one pass: a full house has thousands of both."""
        return Counter(one.person for one in self._live.values())

    async def touch(self, id: str) -> None:
        """Record that the session was used now. The store is updated at most once a minute."""
        session, now = self._live.get(id), self._clock()
        if session is None or self._expired(session, now):
            return
        if now > session.seen:
            self._live[id] = session = msgspec.structs.replace(session, seen=now)
        if now - self._written.get(id, 0) >= self.limits.written:
            await self._keep(session)

    async def end(self, id: str) -> None:
        await self._end([one for one in (self._live.get(id),) if one], SessionEnd.SIGNED_OUT)

    async def end_all(self, person: str, *, but: str | None = None) -> None:
        """End every session of the person, except the one with the id `but`."""
        await self._end([one for one in self.of(person) if one.id != but], SessionEnd.REVOKED)

    async def sweep(self) -> None:
        """End the sessions that have expired. Called periodically."""
        now = self._clock()
        await self._end([one for one in self._live.values() if self._expired(one, now)], SessionEnd.EXPIRED)

    def _expired(self, session: Session, now: int) -> bool:
        lasts = self.limits.of(session.kind)
        return now - session.seen >= lasts.idle or now - session.created >= lasts.absolute

    async def _keep(self, session: Session) -> None:
        self._written[session.id] = session.seen
        await self._secret_store.seal(SESSION + session.id, msgspec.json.encode(session))
        if session.id not in self._live:  # it ended while it was written
            self._written.pop(session.id, None)
            await self._secret_store.unseal(SESSION + session.id)

    async def _end(self, sessions: Iterable[Session], why: SessionEnd) -> None:
        """End the sessions in memory at once, then remove them from the store."""
        ending = [one for one in sessions if self._live.pop(one.id, None)]
        loop = asyncio.get_running_loop()
        for one in ending:
            self._written.pop(one.id, None)
            for heard in self._heard:
                loop.call_soon(heard, one, why)
        await asyncio.gather(*(self._secret_store.unseal(SESSION + one.id) for one in ending))


class StoredTicket(msgspec.Struct, frozen=True):
    person: str
    expires: int


class Tickets:
    """Links that sign a person in once, for a house whose users have no passwords: the demonstration."""

    def __init__(self, secret_store: SecretStore, clock: Clock) -> None:
        self._secret_store, self._clock = secret_store, clock
        self._live: dict[str, StoredTicket] = {}

    async def open(self) -> None:
        async for id, ticket in _all(self._secret_store, TICKET, StoredTicket):
            self._live[id] = ticket
        await self.sweep()

    async def issue(self, person: str, lasts: int = HOUR) -> str:
        token, ticket = secrets.token_urlsafe(TOKEN), StoredTicket(person, self._clock() + lasts)
        await self._secret_store.seal(TICKET + hashed(token), msgspec.json.encode(ticket))
        self._live[hashed(token)] = ticket
        return token

    async def redeem(self, token: str) -> str | None:
        """The person the link belonged to. It is removed from the store before it counts, so that a restart does not
        restore it."""
        ticket = self._live.pop(hashed(token), None) if len(token) == TYPED else None
        if ticket is None:
            return None
        await self._secret_store.unseal(TICKET + hashed(token))
        return ticket.person if self._clock() < ticket.expires else None

    async def revoke_all(self, person: str) -> None:
        await self._forget([id for id, one in self._live.items() if one.person == person])

    async def sweep(self) -> None:
        await self._forget([id for id, one in self._live.items() if self._clock() >= one.expires])

    async def _forget(self, ids: list[str]) -> None:
        for id in ids:
            self._live.pop(id, None)
            await self._secret_store.unseal(TICKET + id)


async def _all(secret_store: SecretStore, prefix: str, kind: type[Content]) -> AsyncIterator[tuple[str, Content]]:
    """The rows of the secret store whose names have the prefix, read many at a time: a full house has thousands."""
    names = await secret_store.sealed_names(prefix)
    for at in range(0, len(names), 256):
        some = names[at : at + 256]
        for name, content in zip(some, await asyncio.gather(*map(secret_store.sealed, some)), strict=True):
            if content is not None and (kept := readable(name, content, kind)) is not None:
                yield name.removeprefix(prefix), kept


def hashed(token: str) -> str:
    """The hash of a token. Tokens are random and long, so a fast hash is enough."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
