"""The second factor: time-based one-time codes (RFC 6238), and recovery codes for a lost device."""

import asyncio
import hmac
import secrets
from base64 import b32encode
from collections.abc import Iterator
from hashlib import sha256
from urllib.parse import quote

import msgspec

from puntobanco.house.operations.log import logger
from puntobanco.house.secrets.secret_store import SECOND, SECOND_FACTOR, Clock, SecretStore, Unreadable
from puntobanco.protocol.hidden import Hidden

STEP = 30 * SECOND
DIGITS = 6
WINDOW = 1
"""Steps a device's clock may be off."""
RECOVERY_CODES = 10


class Enrolment(Hidden, frozen=True):
    """Shown once: the secret, as text and as the address an authenticator reads, and the recovery codes."""

    secret: str
    uri: str
    recovery: tuple[str, ...]


class Factor(Hidden, frozen=True):
    secret: bytes
    recovery: tuple[str, ...]
    """Hashes of the codes that are left."""
    last: int = -1
    """The last step whose code was used."""


class StoredFactor(Hidden, frozen=True):
    """A new factor replaces the one in use only when a code of it is given."""

    used: Factor | None = None
    asked: Factor | None = None


class SecondFactors:
    def __init__(self, secret_store: SecretStore, clock: Clock, issuer: str = "puntobanco") -> None:
        self._secret_store, self._clock, self._issuer = secret_store, clock, issuer
        self._one_by_one = asyncio.Lock()

    async def has(self, person: str) -> bool:
        return (await self._kept(person)).used is not None

    async def enrol(self, person: str) -> Enrolment:
        """Create a new secret. It is in use once a code of it is given."""
        secret = secrets.token_bytes(20)
        recovery = tuple(_grouped(secrets.token_bytes(10)) for _ in range(RECOVERY_CODES))
        async with self._one_by_one:
            asked = Factor(secret, tuple(map(_hashed, recovery)))
            await self._keep(person, msgspec.structs.replace(await self._kept(person), asked=asked))
        text = b32encode(secret).decode()
        label = quote(f"{self._issuer}:{person}", safe="")
        return Enrolment(text, f"otpauth://totp/{label}?secret={text}&issuer={quote(self._issuer, safe='')}", recovery)

    async def check(self, person: str, code: str) -> bool:
        """Whether the code is valid and was not used before. It is then used up."""
        async with self._one_by_one:  # or the same code, sent twice at once, would be good twice
            kept = await self._kept(person)
            if kept.used is not None and (used := self._after(kept.used, code)):
                await self._keep(person, msgspec.structs.replace(kept, used=used))
                return True
            return False

    async def confirm(self, person: str, code: str) -> bool:
        """Whether the code belongs to the new factor, which is then in use."""
        async with self._one_by_one:
            kept = await self._kept(person)
            if kept.asked is not None and (used := self._after(kept.asked, code, recovery=False)):
                await self._keep(person, StoredFactor(used))
                return True
            return False

    async def remove(self, person: str) -> None:
        async with self._one_by_one:
            await self._secret_store.unseal(_name(person))

    def _after(self, factor: Factor, code: str, *, recovery: bool = True) -> Factor | None:
        """The factor after the code is used, or None if the code is not one of its own."""
        code = "".join(code[:64].split())
        for step in self._steps(factor):
            if hmac.compare_digest(totp(factor.secret, step).encode(), code.encode("utf-8", "surrogatepass")):
                return msgspec.structs.replace(factor, last=step)
        given = _hashed(code)
        if recovery and given in factor.recovery:
            return msgspec.structs.replace(factor, recovery=tuple(one for one in factor.recovery if one != given))
        return None

    def _steps(self, factor: Factor) -> Iterator[int]:
        now = self._clock() // STEP
        return (step for step in range(max(0, now - WINDOW), now + WINDOW + 1) if step > factor.last)

    async def _kept(self, person: str) -> StoredFactor:
        """The stored factor. One that cannot be decrypted counts as a factor without codes, so that damaging its row
        does not let anybody in without one."""
        try:
            content = await self._secret_store.sealed(_name(person))
            return msgspec.json.decode(content, type=StoredFactor) if content else StoredFactor()
        except (Unreadable, msgspec.MsgspecError):
            logger("house").error("a second factor cannot be opened", person=person)
            return StoredFactor(Factor(secrets.token_bytes(20), ()))

    async def _keep(self, person: str, kept: StoredFactor) -> None:
        await self._secret_store.seal(_name(person), msgspec.json.encode(kept))


def totp(secret: bytes, step: int, digits: int = DIGITS, algorithm: str = "sha1") -> str:
    """The code of a time step. SHA-1, because every authenticator supports it; as a keyed hash it is sound."""
    mac = hmac.digest(secret, step.to_bytes(8, "big"), algorithm)
    at = mac[-1] & 15
    return str((int.from_bytes(mac[at : at + 4], "big") & 0x7FFF_FFFF) % 10**digits).zfill(digits)


def _grouped(random: bytes) -> str:
    letters = b32encode(random).decode().lower()
    return "-".join(letters[at : at + 4] for at in range(0, len(letters), 4))


def _hashed(code: str) -> str:
    """80 random bits need no slow hash."""
    return sha256(code.replace("-", "").lower().encode("utf-8", "surrogatepass")).hexdigest()


def _name(person: str) -> str:
    return SECOND_FACTOR + person
