"""Passwords: argon2id in a separate thread, with the same answer and the same work whether or not the person exists.

A password that was printed or given by an administrator is a one-time password: it expires, and it only allows the
person to choose a new one.
"""

import asyncio
import os
import re
import secrets
import sys
import threading
from base64 import b32encode, b64encode
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import StrEnum
from typing import TypeVar
from unicodedata import normalize

import msgspec
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError

from puntobanco.house.secrets.secret_store import DAY, Clock, SecretStore, readable
from puntobanco.protocol.hidden import Hidden
from puntobanco.rules.refusal import Reason, Refused

Result = TypeVar("Result")

PRODUCT = ("puntobanco", "baccarat", "casino", "banker")
GUESSES = 10**8
"""A password that zxcvbn expects to be found by fewer guesses is refused. Eight random characters need that many."""
READ_AT_MOST = 20
"""Characters that zxcvbn reads: its work grows steeply with signs that may stand for letters."""
_estimating = threading.Lock()
"""zxcvbn keeps what is known of the person in one global place."""
LEAST_MEMORY, LEAST_PASSES, LEAST_LANES = 19_456, 2, 1
"""What OWASP asks for at the least."""
SALT, HASH = 16, 32
LEAST, LEAST_STAFF, MOST = 8, 15, 128
"""Characters of a password: at least, at least for staff, and at most."""
TYPED_AT_MOST = 1_024
"""Longer than any password that was ever accepted, so that nobody makes us normalise a novel."""

NICENESS = 10


class HashCost(msgspec.Struct, frozen=True):
    """The cost of a guess: KiB of memory, passes over it, lanes. One lane, so that a hash never takes a second core."""

    memory: int = 65_536
    passes: int = 3
    lanes: int = 1

    def __post_init__(self) -> None:
        for name, least in (("memory", LEAST_MEMORY), ("passes", LEAST_PASSES), ("lanes", LEAST_LANES)):
            if getattr(self, name) < least:
                raise Refused(Reason.SETTING_TOO_LOW, setting=f"password_{name}", least=least)


class PasswordCheck(StrEnum):
    WRONG = "wrong"
    """Wrong, expired, or there is no such person: nobody is told which."""
    RIGHT = "right"
    MUST_CHANGE = "must_change"
    """Right, and only good for choosing a new one."""


class StoredPassword(Hidden, frozen=True):
    hash: str
    set_at: int
    expires: int | None = None
    """Set for a password of one use."""


DEFAULT_WORK = HashCost()


class Passwords:
    """The passwords of all users. `hashed`: the number of hashes computed to check one."""

    def __init__(
        self,
        secret_store: SecretStore,
        clock: Clock,
        *,
        work: HashCost = DEFAULT_WORK,
        workers: int = max(1, (os.cpu_count() or 1) // 2),
        most_waiting: int = 64,
    ) -> None:
        self.hashed = 0
        self._secret_store, self._clock, self._work = secret_store, clock, work
        self._hasher = PasswordHasher(work.passes, work.memory, work.lanes, HASH, SALT)
        self._nobody = _nobody(work)
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="passwords", initializer=_step_back)
        self._waiting, self._most_waiting = 0, most_waiting
        self._writing = asyncio.Lock()

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def acceptable(self, person: str, password: str, *, staff: bool = False, about: Iterable[str] = ()) -> None:
        """Raise a refusal if it may not be the person's password."""
        about = (person, *about)
        await self._beside(lambda: check_new(password, staff=staff, about=about))

    async def set(self, person: str, password: str, *, staff: bool = False, about: Iterable[str] = ()) -> None:
        """Set a password that the person chose."""
        await self.acceptable(person, password, staff=staff, about=about)
        await self._keep(person, await self.hash(password))

    async def replace(self, person: str, old: str, new: str, *, staff: bool = False, about: Iterable[str] = ()) -> bool:
        """Replace the old password. Returns whether it did: of several simultaneous requests with the old one, only one
        succeeds."""
        await self.acceptable(person, new, staff=staff, about=about)
        if normal(old[:TYPED_AT_MOST]) == normal(new):
            raise Refused(Reason.PASSWORD_UNCHANGED)
        kept = await self._kept(person)
        if kept is None or not await self.fits(kept.hash, old) or self._expired(kept):
            return False
        changed = StoredPassword(await self.hash(new), self._clock())
        async with self._writing:
            if await self._kept(person) != kept:
                return False
            await self._secret_store.seal(_name(person), msgspec.json.encode(changed))
            return True

    async def issue(self, person: str, lasts: int = 3 * DAY) -> str:
        """Replace the password by a one-time password and return it. It cannot be read again."""
        password = one_time()
        await self._keep(person, await self.hash(password), expires=self._clock() + lasts)
        return password

    async def check(self, person: str | None, password: str) -> PasswordCheck:
        """Check a password. `None` stands for somebody unknown or disabled, and takes as much work as a wrong
        password."""
        kept = await self._kept(person or "")
        right = await self.fits(kept.hash if kept else self._nobody, password)
        if person is None or kept is None or not right or self._expired(kept):
            return PasswordCheck.WRONG
        if kept.expires is not None:
            return PasswordCheck.MUST_CHANGE
        if self._rose_since(kept):
            await self._raise(person, kept, password)
        return PasswordCheck.RIGHT

    async def has(self, person: str) -> bool:
        return await self._secret_store.sealed(_name(person)) is not None

    # ---- keeping -------------------------------------------------------------------------------------------------

    async def _kept(self, person: str) -> StoredPassword | None:
        content = await self._secret_store.sealed(_name(person))
        return readable(_name(person), content, StoredPassword) if content else None

    async def _keep(self, person: str, hash: str, expires: int | None = None) -> None:
        async with self._writing:
            await self._secret_store.seal(
                _name(person), msgspec.json.encode(StoredPassword(hash, self._clock(), expires))
            )

    def _expired(self, kept: StoredPassword) -> bool:
        return kept.expires is not None and self._clock() >= kept.expires

    def _rose_since(self, kept: StoredPassword) -> bool:
        was = extract_parameters(kept.hash)
        return was.memory_cost < self._work.memory or was.time_cost < self._work.passes

    async def _raise(self, person: str, kept: StoredPassword, password: str) -> None:
        """Hash the password again at the current cost, unless it was changed or removed in the meantime."""
        raised = StoredPassword(await self.hash(password), kept.set_at)
        async with self._writing:
            if await self._kept(person) == kept:
                await self._secret_store.seal(_name(person), msgspec.json.encode(raised))

    # ---- the work ------------------------------------------------------------------------------------------------

    async def hash(self, password: str) -> str:
        """The hash of a password, or of another secret that must be as costly to guess."""
        return await self._beside(lambda: self._hasher.hash(_bytes(password)))

    async def fits(self, hash: str, password: str) -> bool:
        def work() -> bool:
            try:
                return self._hasher.verify(hash, _bytes(password)) and len(password) <= TYPED_AT_MOST
            except (VerificationError, InvalidHashError):
                return False

        self.hashed += 1
        return await self._beside(work)

    async def _beside(self, work: Callable[[], Result]) -> Result:
        """Compute in few threads with a short queue, so that a flood of sign-ins neither starves tables nor fills the
        memory."""
        if self._waiting >= self._most_waiting:
            raise Refused(Reason.TRY_LATER, seconds=5)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        finally:
            self._waiting -= 1


def _step_back() -> None:
    """Lower the priority of the thread: bets come before passwords. Only Linux has priorities of threads."""
    if sys.platform == "linux":
        with suppress(OSError):
            me = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, me, max(NICENESS, os.getpriority(os.PRIO_PROCESS, me)))


def check_new(password: str, *, staff: bool = False, about: Iterable[str] = ()) -> None:
    """Refuse a password that is too short, too long or easily guessed. Digits and symbols are not required. `about`:
    what anybody may know about the person."""
    least = LEAST_STAFF if staff else LEAST
    if len(password) > TYPED_AT_MOST or len(password := normal(password)) > MOST:
        raise Refused(Reason.PASSWORD_TOO_LONG, most=MOST)
    if len(password) < least:
        raise Refused(Reason.PASSWORD_TOO_SHORT, least=least)
    if is_guessable(password, about):
        raise Refused(Reason.PASSWORD_COMMON)


def is_guessable(password: str, about: Iterable[str] = ()) -> bool:
    """Whether few guesses find it. `about`: what anybody may know about the person, such as the name."""
    from zxcvbn import zxcvbn  # its lists of words take a tenth of a second to load

    known = [part for text in (*PRODUCT, *about) for part in (text, *re.findall(r"\w+", text))]
    with _estimating:
        return bool(zxcvbn(password[:READ_AT_MOST], known)["guesses"] < GUESSES)


def normal(password: str) -> str:
    """The same text, however a keyboard composed it."""
    return normalize("NFKC", password)


def one_time() -> str:
    """140 bits, in groups that can be read out: abcd-efgh-…"""
    letters = b32encode(secrets.token_bytes(20)).decode().lower()[:28]
    return "-".join(letters[at : at + 4] for at in range(0, 28, 4))


def _bytes(password: str) -> bytes:
    return normal(password[:TYPED_AT_MOST]).encode("utf-8", "surrogatepass")


def _name(person: str) -> str:
    return f"password:{person}"


def _nobody(work: HashCost) -> str:
    """The hash of no password, as costly as any other."""

    def random(size: int) -> str:
        return b64encode(secrets.token_bytes(size)).decode().rstrip("=")

    return f"$argon2id$v=19$m={work.memory},t={work.passes},p={work.lanes}${random(SALT)}${random(HASH)}"
