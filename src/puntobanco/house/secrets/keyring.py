"""The encryption keys of the secret store: in a file of their own or in the environment, never in the database or a
backup.

A ring is a list of keys, 32 bytes in base64, one per line in the file or separated by commas in the environment. The
first key encrypts; the others decrypt rows that are not yet re-encrypted. A key is identified by an id that is derived
from it and reveals nothing about it.
"""

import os
import secrets
import stat
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from puntobanco.house.operations.settings import StoreSettings
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.places import is_url
from puntobanco.store.sqlite_file import synced

SIZE = 32
IN_MEMORY = ":memory:"
ENVIRONMENT = "PUNTOBANCO_STORE_KEY"
FOR_A_DATABASE = "puntobanco.key"


class Keyring:
    """The keys by id, the encrypting one first. `place`: where they came from."""

    def __init__(self, secret: Sequence[bytes], place: str) -> None:
        self.place, self._secret = place, tuple(secret)
        self.keys = {id_of(key): AESGCM(key) for key in self._secret}
        self.first = id_of(self._secret[0]) if self._secret else b""

    def __repr__(self) -> str:
        return f"Keyring({self.place})"

    @staticmethod
    def none() -> "Keyring":
        """A ring without keys."""
        return Keyring((), "")

    def with_new(self) -> "Keyring":
        """The same ring with a new key in front."""
        return Keyring((_new(), *self._secret), self.place)

    def newest(self) -> "Keyring":
        return Keyring(self._secret[:1], self.place)

    def keep(self) -> None:
        """Write the key file atomically."""
        path = Path(self.place)
        part = path.with_name(path.name + ".part")
        part.unlink(missing_ok=True)
        _write(part, self._secret)
        os.replace(part, path)
        synced(path.parent)


def id_of(key: bytes) -> bytes:
    return sha256(b"puntobanco key id\x00" + key).hexdigest()[:16].encode()


def path_of(store: StoreSettings) -> Path | None:
    """The key file, by default next to the database. None if the key is in the environment."""
    if store.key:
        return None
    if store.key_file:
        return Path(store.key_file)
    return Path(FOR_A_DATABASE) if is_url(store.place) else Path(store.place + ".key")


def found(store: StoreSettings) -> Keyring | None:
    """The existing ring. None if its file does not exist."""
    path = path_of(store)
    if path is None:
        return _read(store.key.split(","), ENVIRONMENT)
    if store.place == IN_MEMORY:
        return Keyring((_new(),), IN_MEMORY)
    try:
        mode = path.stat().st_mode
        if mode & 0o077:
            raise Refused(Reason.KEY_EXPOSED, place=path)
        if not stat.S_ISREG(mode):  # a pipe would wait for somebody to write into it
            raise Refused(Reason.KEY_UNREADABLE, place=path)
        return _read(path.read_text(encoding="ascii").split(), str(path))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeError):
        raise Refused(Reason.KEY_UNREADABLE, place=path) from None


def created(store: StoreSettings) -> Keyring:
    """Create a ring of one new key and write it durably before anything is encrypted with it."""
    path = path_of(store)
    assert path is not None, "a key in the environment is there"
    ring = Keyring((_new(),), str(path))
    _write(path, ring._secret)
    synced(path.parent)
    return ring


def _new() -> bytes:
    return secrets.token_bytes(SIZE)


def _read(texts: Sequence[str], place: str) -> Keyring:
    try:
        keys = [b64decode(text.strip(), validate=True) for text in texts]
    except ValueError:
        keys = []
    if not keys or any(len(key) != SIZE for key in keys):
        raise Refused(Reason.KEY_UNREADABLE, place=place)
    return Keyring(keys, place)


def _write(path: Path, keys: Iterable[bytes]) -> None:
    """Create the file with mode 0600, never over another. A full disk leaves no empty file behind, which the next start
    would take for an unreadable key."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.writelines(b64encode(key).decode() + "\n" for key in keys)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        path.unlink()
        raise
