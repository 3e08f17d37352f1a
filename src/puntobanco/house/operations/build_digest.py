"""The digest of the installed package, computed at the start and periodically.

It is recorded in the journal and shows that a round was dealt by the approved version, and that its files did not
change while the server ran.
"""

import os
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import msgspec

import puntobanco

PACKAGE = Path(puntobanco.__file__).parent
COMPILED = "__pycache__"


class BuildDigest(msgspec.Struct, frozen=True, kw_only=True):
    """A version and the SHA-256 of each of its files."""

    version: str
    files: Mapping[str, str]

    @property
    def digest(self) -> str:
        return digest_of(self.files)


def build_digest(folder: Path = PACKAGE, version: str = puntobanco.__version__, *, anew: bool = True) -> BuildDigest:
    """The digest of the files as they are now, without compiled bytecode. `anew`: read every file again, even if it
    looks unchanged."""
    files = {
        path.removeprefix(f"{folder}{os.sep}"): digest
        for path in _files_in(folder)
        if (digest := hashed(path, anew=anew)) is not None
    }
    return BuildDigest(version=version, files=files)


def _files_in(folder: Path) -> Iterator[str]:
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != COMPILED]
        paths = [os.path.join(here, name) for name in names if name != COMPILED]
        yield from filter(os.path.isfile, paths)


# ---- files -------------------------------------------------------------------------------------------------------

Stamp = tuple[int, int, int, int, int]
_hashed: dict[str, tuple[Stamp, str]] = {}


def stamp(path: str) -> Stamp | None:
    """Changes whenever the file does, unless the clock is set back: includes the kernel's change time."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_dev, found.st_ino


def hashed(path: str, *, anew: bool) -> str | None:
    """The SHA-256 of a file. None if it cannot be read."""
    at, before = stamp(path), _hashed.get(path)
    if at is None:
        return None
    if anew or before is None or before[0] != at:
        try:
            before = _hashed[path] = at, sha256(Path(path).read_bytes()).hexdigest()
        except OSError:
            return None
    return before[1]


def digest_of(files: Mapping[str, str]) -> str:
    """One SHA-256 over all paths and contents, in the order of paths."""
    return sha256(b"".join(_line(path, files[path]) for path in sorted(files))).hexdigest()


def _line(path: str, digest: str) -> bytes:
    """Unambiguous: the digest has a fixed length and the path contains no separator."""
    name = path.encode("utf-8", "surrogateescape")  # a file may have any name
    return b"%s %d %s\n" % (digest.encode(), len(name), name)
