"""The key of the sealed rows: in a file of its own or in the environment, never in the store or a backup.

A ring is a list of keys, 32 bytes in base64, one a line in the file and separated by commas in the environment. The
first one writes; the others are there to read what has not been written again yet. A key is known by an id, which is
derived from it and tells nothing about it.
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
from puntobanco.store.sqlite import synced

SIZE = 32
IN_MEMORY = ":memory:"
ENVIRONMENT = "PUNTOBANCO_STORE_KEY"
FOR_A_DATABASE = "puntobanco.key"


class Keyring:
    """The keys by their ids, the one that writes first. `place`: where they came from."""

    def __init__(self, secret: Sequence[bytes], place: str) -> None:
        self.place, self._secret = place, tuple(secret)
        self.keys = {id_of(key): AESGCM(key) for key in self._secret}
        self.first = id_of(self._secret[0]) if self._secret else b""

    def __repr__(self) -> str:
        return f"Keyring({self.place})"

    @staticmethod
    def none() -> "Keyring":
        """Opens nothing."""
        return Keyring((), "")

    def with_new(self) -> "Keyring":
        """The same behind a new key."""
        return Keyring((_new(), *self._secret), self.place)

    def newest(self) -> "Keyring":
        return Keyring(self._secret[:1], self.place)

    def keep(self) -> None:
        """In its file, whole or not at all."""
        path = Path(self.place)
        part = path.with_name(path.name + ".part")
        part.unlink(missing_ok=True)
        _write(part, self._secret)
        os.replace(part, path)
        synced(path.parent)


def id_of(key: bytes) -> bytes:
    return sha256(b"puntobanco key id\x00" + key).hexdigest()[:16].encode()


def path_of(store: StoreSettings) -> Path | None:
    """The file of the key, beside the store if nothing else was told; none if it is in the environment."""
    if store.key:
        return None
    if store.key_file:
        return Path(store.key_file)
    return Path(FOR_A_DATABASE) if is_url(store.place) else Path(store.place + ".key")


def found(store: StoreSettings) -> Keyring | None:
    """The ring as it is; none if its file is not there."""
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
    """A ring of one new key, in its file and on the disk before anything is sealed with it."""
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
    """Its owner's alone from the first moment, and never over another. A disk that is full leaves no empty file: the
    next start would take it for a key that cannot be read."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.writelines(b64encode(key).decode() + "\n" for key in keys)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        path.unlink()
        raise
