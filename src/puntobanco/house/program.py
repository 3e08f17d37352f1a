"""Which program this is: a digest over every file of the package, at the start and whenever somebody asks.

Recorded in the book of the house, it shows that a round was dealt by the program that was approved, and that the files
of a version have not been changed under a running house.
"""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import msgspec

import puntobanco

PACKAGE = Path(puntobanco.__file__).parent


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """A version, and the SHA-256 of each of its files."""

    version: str
    files: Mapping[str, str]

    @property
    def digest(self) -> str:
        """One SHA-256 over all paths and contents, in the order of the paths."""
        return sha256(b"".join(_line(path, self.files[path]) for path in sorted(self.files))).hexdigest()

    def differs(self, other: "Program") -> tuple[str, ...]:
        """The files that are not the same in both."""
        paths = {*self.files, *other.files}
        return tuple(path for path in sorted(paths) if self.files.get(path) != other.files.get(path))


class Mismatch(msgspec.Struct, frozen=True, kw_only=True):
    """The files of a version are not those that were recorded for it."""

    version: str
    recorded: str
    found: str


def program(folder: Path = PACKAGE, version: str = puntobanco.__version__) -> Program:
    """The program as its files are now. What Python compiled beside them is no part of it."""
    files = {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    return Program(version=version, files=files)


def mismatch(found: Program, recorded: Mapping[str, str]) -> Mismatch | None:
    """Against the digests recorded by version: another version may differ, the same one may not."""
    before = recorded.get(found.version)
    if before is None or before == found.digest:
        return None
    return Mismatch(version=found.version, recorded=before, found=found.digest)


def _line(path: str, digest: str) -> bytes:
    """No two sets of files come to the same bytes: the digest has a fixed length and the path none of these marks."""
    return f"{digest} {len(path.encode())} {path}\n".encode()
