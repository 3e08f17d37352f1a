"""What the house keeps secret: names the store seals, and values that never show themselves.

The orders of shoes and the secrets of second factors are encrypted and authenticated with a key that is neither in the
store nor in its backups (`EncryptedSecretStore`). The name of the row is authenticated with it, so rows cannot be
exchanged.
Passwords, sessions and links are kept as hashes, which open nothing: they stay readable if the key is lost.
"""

import asyncio
import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Protocol, TypeVar

import msgspec
from cryptography.exceptions import InvalidTag

from puntobanco.house.operations import settings
from puntobanco.house.operations.log import logger
from puntobanco.house.secrets import keyring
from puntobanco.house.secrets.keyring import ENVIRONMENT, Keyring
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.records import Store

Content = TypeVar("Content", bound=msgspec.Struct)
Clock = Callable[[], int]
"""Milliseconds since 1970."""

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000

SEALED = "/"
"""What only the names of sealed shoes have."""
SECOND_FACTOR = "second_factor:"
"""How the names of second factors begin."""

MARK = b"PB1:"
"""How an encrypted row begins; its key's id, a nonce and the ciphertext follow."""
ID, NONCE = 16, 12
AT_ONCE = 256
CANARY = SEALED + "key"
"""A row of no shoe: every store has something under its key."""
UNFINISHED = b"rows in clear are being encrypted"
"""What the canary says until the first start of a version that encrypts has encrypted everything."""


class Unreadable(Exception):
    """A sealed row that the key does not open: it was changed, exchanged with another, or sealed with another key."""


class NoKey(Unreadable):
    """It is sealed with a key that is not here, of that id."""

    def __init__(self, name: str, id: bytes) -> None:
        super().__init__(f"{name} is sealed with another key")
        self.id = id.decode("ascii", "replace")


class SecretStore(Protocol):
    """The sealed names of a store: in no event, log or export."""

    async def seal(self, name: str, content: bytes) -> None: ...

    async def sealed(self, name: str) -> bytes | None: ...

    async def unseal(self, name: str) -> None: ...

    async def sealed_names(self, prefix: str) -> tuple[str, ...]: ...


def is_secret(name: str) -> bool:
    """Whether that row is encrypted."""
    return SEALED in name or name.startswith(SECOND_FACTOR)


class EncryptedSecretStore:
    """The sealed rows of a store under a key: the first of the ring writes, each of them reads."""

    def __init__(self, store: Store, ring: Keyring) -> None:
        self.store, self.ring = store, ring
        self.unseal, self.sealed_names = store.unseal, store.sealed_names
        self._encrypts: bool | None = None
        """Whether anything in the store is encrypted, so that nothing in clear is believed; none before a look."""

    async def open(self) -> None:
        """Rows under a key that is being replaced are written again under the first one, and rows in clear too at the
        first start of a version that encrypts. A store whose rows the ring does not open at all is refused."""
        rows = await secret_rows(self.store)
        if not opens_any(self.ring, rows):
            raise Refused(Reason.KEY_MISSING, place=self.ring.place)
        await self._write_again(name for name, begins in rows.items() if self._is_behind(begins))
        if await self._is_of_an_earlier_version(rows):
            clear = [name for name, begins in rows.items() if id_of(begins) is None]
            await self.seal(CANARY, UNFINISHED)
            await self._write_again(clear)
            await self.seal(CANARY, b"")
            logger("house").info("what is sealed is encrypted from now on", rows=len(clear))
        elif CANARY not in rows:  # somebody removed it
            await self.seal(CANARY, b"")
        self._encrypts = True

    async def _is_of_an_earlier_version(self, rows: Mapping[str, bytes]) -> bool:
        """Whether rows in clear are there because nothing was encrypted before, or because that was cut off."""
        if CANARY not in rows:
            return not any(map(id_of, rows.values()))
        with suppress(Unreadable):
            return await self.sealed(CANARY) == UNFINISHED
        return False

    async def changed(self) -> tuple[str, str] | None:
        """A second factor, or the canary, that is not as it was sealed, and why; as far as the keys of the ring open
        them. Orders are proven with the histories they were dealt in."""
        rows = await secret_rows(self.store)
        earlier = await self._is_of_an_earlier_version(rows)
        for name, begins in rows.items():
            if not (name.startswith(SECOND_FACTOR) or name == CANARY) or (earlier and id_of(begins) is None):
                continue
            try:
                await self.sealed(name)
            except NoKey:
                continue
            except Unreadable as wrong:
                return name, str(wrong)
        return None

    async def rotate(self) -> None:
        """A new key, then every row under it, then the old keys are forgotten. A crash in between leaves both keys in
        the file, and the next start goes on."""
        if self.ring.place == ENVIRONMENT:
            raise Refused(Reason.KEY_IN_ENVIRONMENT, place=ENVIRONMENT)
        self.ring = self.ring.with_new()
        self.ring.keep()
        await self.open()
        self.ring = self.ring.newest()
        self.ring.keep()

    def _is_behind(self, begins: bytes) -> bool:
        id = id_of(begins)
        return id != self.ring.first and id in self.ring.keys

    async def _write_again(self, names: Iterable[str]) -> None:
        """What cannot be opened stays as it is: whoever needs it finds out, and so does `verify`."""
        waiting = list(names)
        for at in range(0, len(waiting), AT_ONCE):
            await asyncio.gather(*map(self._again, waiting[at : at + AT_ONCE]))

    async def _again(self, name: str) -> None:
        written = await self.store.sealed(name)
        if written is not None:
            with suppress(Unreadable):
                await self.seal(name, written if id_of(written) is None else self._opened(name, written))

    async def seal(self, name: str, content: bytes) -> None:
        assert is_secret(name), name
        nonce, id = secrets.token_bytes(NONCE), self.ring.first
        locked = self.ring.keys[id].encrypt(nonce, content, name.encode())
        await self.store.seal(name, MARK + id + nonce + locked)

    async def sealed(self, name: str) -> bytes | None:
        """An order in clear, which an earlier version wrote and no start has encrypted yet, proves itself by its
        commitment; who wrote anything else in clear, nobody knows."""
        written = await self.store.sealed(name)
        if written is None:
            return None
        if id_of(written) is not None:
            return self._opened(name, written)
        if self._encrypts is None:
            self._encrypts = any(map(id_of, (await secret_rows(self.store)).values()))
        if self._encrypts or SEALED not in name:
            raise Unreadable(f"{name} is not sealed")
        return written

    def _opened(self, name: str, written: bytes) -> bytes:
        id = id_of(written)
        assert id is not None, "it is encrypted"
        if id not in self.ring.keys:
            raise NoKey(name, id)
        at = len(MARK) + ID
        try:
            return self.ring.keys[id].decrypt(written[at : at + NONCE], written[at + NONCE :], name.encode())
        except (InvalidTag, ValueError):
            raise Unreadable(f"{name} was changed since it was sealed") from None


def id_of(begins: bytes) -> bytes | None:
    """The id of the key a row is under; none if it is in clear."""
    return begins[len(MARK) : len(MARK) + ID] if begins.startswith(MARK) else None


def readable(name: str, content: bytes, kind: type[Content]) -> Content | None:
    """What a row in clear says. One that was damaged opens nothing and keeps nobody else out; `verify` names it."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, UnicodeError):
        logger("house").error("a sealed row cannot be read", row=name)
        return None


async def secret_rows(store: Store) -> dict[str, bytes]:
    """How each row begins that is a secret."""
    return {name: begins for name, begins in (await store.sealed_begins(len(MARK) + ID)).items() if is_secret(name)}


def opens_any(ring: Keyring, rows: Mapping[str, bytes]) -> bool:
    """Whether the ring has the key of at least one encrypted row, if there is one: a single row whose id is damaged
    must not keep the house from starting."""
    ids = {id for begins in rows.values() if (id := id_of(begins)) is not None}
    return not ids or not ids.isdisjoint(ring.keys)


async def unlocked(store: Store, told: settings.StoreSettings) -> EncryptedSecretStore:
    """The vault of a house that starts. The first start creates the key."""
    ring = keyring.found(told)
    if ring is None:
        if any(map(id_of, (await secret_rows(store)).values())):
            raise Refused(Reason.KEY_MISSING, place=keyring.path_of(told))
        ring = keyring.created(told)
    secret_store = EncryptedSecretStore(store, ring)
    await secret_store.open()
    return secret_store


async def declared_lost(store: Store, told: settings.StoreSettings) -> tuple[EncryptedSecretStore, tuple[str, ...]]:
    """A vault under a new key, and the ids of the keys that are lost with what they sealed. Second factors that cannot
    be opened are forgotten; orders stay, in case the key turns up."""
    ring, rows = keyring.found(told), await secret_rows(store)
    ids = {id for begins in rows.values() if (id := id_of(begins)) is not None}
    lost = ids - set(ring.keys) if ring else ids
    if not lost:
        raise Refused(Reason.KEY_FOUND, place=keyring.path_of(told) or ENVIRONMENT)
    for name, begins in rows.items():
        if name.startswith(SECOND_FACTOR) and id_of(begins) in lost:
            await store.unseal(name)
    secret_store = EncryptedSecretStore(store, ring or keyring.created(told))
    await secret_store.seal(CANARY, b"")
    await secret_store.open()
    return secret_store, tuple(sorted(id.decode("ascii", "replace") for id in lost))
