"""The secret store: named rows of the database that appear in no event, log or export.

Orders of shoes and secrets of second factors are encrypted and authenticated with a key that is neither in the database
nor in its backups (`EncryptedSecretStore`). The row's name is authenticated too, so rows cannot be exchanged.
Passwords, sessions and links are stored as hashes, which grant nothing: they stay readable if the key is lost.
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
from puntobanco.store.base import Store

Content = TypeVar("Content", bound=msgspec.Struct)
Clock = Callable[[], int]
"""Milliseconds since 1970."""

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000

SEALED = "/"
"""Occurs only in the names of sealed shoes."""
SECOND_FACTOR = "second_factor:"
"""Prefix of the names of second factors."""

MARK = b"PB1:"
"""Prefix of an encrypted row, followed by the key id, a nonce and the ciphertext."""
ID, NONCE = 16, 12
AT_ONCE = 256
CANARY = SEALED + "key"
"""A row that belongs to no shoe: every store has at least this one under its key."""
UNFINISHED = b"rows in clear are being encrypted"
"""The content of the canary until the first start of a version that encrypts has encrypted everything."""


class Unreadable(Exception):
    """The key does not decrypt the row: it was changed, exchanged with another, or encrypted with another key."""


class NoKey(Unreadable):
    """The row is encrypted with a missing key, of that id."""

    def __init__(self, name: str, id: bytes) -> None:
        super().__init__(f"{name} is sealed with another key")
        self.id = id.decode("ascii", "replace")


class SecretStore(Protocol):
    """The secrets of a store: in no event, log or export."""

    async def seal(self, name: str, content: bytes) -> None: ...

    async def sealed(self, name: str) -> bytes | None: ...

    async def unseal(self, name: str) -> None: ...

    async def sealed_names(self, prefix: str) -> tuple[str, ...]: ...


def is_secret(name: str) -> bool:
    """Whether rows with that name are encrypted."""
    return SEALED in name or name.startswith(SECOND_FACTOR)


class EncryptedSecretStore:
    """Encrypted secrets. The first key of the ring encrypts, every key decrypts."""

    def __init__(self, store: Store, ring: Keyring) -> None:
        self.store, self.ring = store, ring
        self.unseal, self.sealed_names = store.unseal, store.sealed_names
        self._encrypts: bool | None = None
        """Whether any row is encrypted, so that unencrypted rows are not trusted. None until checked."""

    async def open(self) -> None:
        """Re-encrypt rows under older keys with the first key, and encrypt plain rows at the first start of a version
        that encrypts. Refuses a store of which the ring decrypts nothing."""
        rows = await secret_rows(self.store)
        if not opens_any(self.ring, rows):
            raise Refused(Reason.KEY_MISSING, place=self.ring.place)
        await self._write_again(name for name, begins in rows.items() if self._is_behind(begins))
        if await self._is_of_an_earlier_version(rows):
            clear = [name for name, begins in rows.items() if id_of(begins) is None]
            await self.seal(CANARY, UNFINISHED)
            await self._write_again(clear)
            await self.seal(CANARY, b"")
            logger("house").info("encrypted the secrets in the store", rows=len(clear))
        elif CANARY not in rows:  # somebody removed it
            await self.seal(CANARY, b"")
        self._encrypts = True

    async def _is_of_an_earlier_version(self, rows: Mapping[str, bytes]) -> bool:
        """Whether plain rows exist because an earlier version did not encrypt, or because encrypting was
        interrupted."""
        if CANARY not in rows:
            return not any(map(id_of, rows.values()))
        with suppress(Unreadable):
            return await self.sealed(CANARY) == UNFINISHED
        return False

    async def changed(self) -> tuple[str, str] | None:
        """A second factor or the canary that fails authentication, and why, as far as the ring has the keys. Orders are
        verified with the histories they were dealt in."""
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
        """Create a new key, re-encrypt every row, then delete the old keys. After a crash in between, both keys are in
        the file and the next start continues."""
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
        """Re-encrypt rows. A row that cannot be decrypted stays as it is: its reader and `verify` report it."""
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
        """A plain order, written by an earlier version and not encrypted yet, is proven by its commitment. No other
        plain row is trusted."""
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
    """The key id of a row. None if it is not encrypted."""
    return begins[len(MARK) : len(MARK) + ID] if begins.startswith(MARK) else None


def readable(name: str, content: bytes, kind: type[Content]) -> Content | None:
    """The text of an unencrypted row. A damaged row grants nothing and affects no other; `verify` reports it."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, UnicodeError):
        logger("house").error("a secret cannot be read", row=name)
        return None


async def secret_rows(store: Store) -> dict[str, bytes]:
    """The first bytes of each encrypted row."""
    return {name: begins for name, begins in (await store.sealed_begins(len(MARK) + ID)).items() if is_secret(name)}


def opens_any(ring: Keyring, rows: Mapping[str, bytes]) -> bool:
    """Whether the ring has the key of at least one encrypted row, if there is any. A single row with a damaged id must
    not prevent a start."""
    ids = {id for begins in rows.values() if (id := id_of(begins)) is not None}
    return not ids or not ids.isdisjoint(ring.keys)


async def unlocked(store: Store, told: settings.StoreSettings) -> EncryptedSecretStore:
    """Open the secret store when the server starts. The first start creates the key."""
    ring = keyring.found(told)
    if ring is None:
        if any(map(id_of, (await secret_rows(store)).values())):
            raise Refused(Reason.KEY_MISSING, place=keyring.path_of(told))
        ring = keyring.created(told)
    secret_store = EncryptedSecretStore(store, ring)
    await secret_store.open()
    return secret_store


async def declared_lost(store: Store, told: settings.StoreSettings) -> tuple[EncryptedSecretStore, tuple[str, ...]]:
    """Open the secret store under a new key. Returns the ids of the lost keys too. Second factors that cannot be
    decrypted are deleted; orders stay, in case the key is found."""
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
