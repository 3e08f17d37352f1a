"""Check the files that this process runs in addition to the package: its modules, and what Python loads by itself.

A file is known if an installed distribution declares it with this content (`RECORD` in its `.dist-info`) or if it
belongs to the standard library, and if it is the file that was loaded. Files are hashed once, and again when their
time, size or inode changes; `anew` reads all of them again.
"""

import csv
import marshal
import os
import site
import sys
import sysconfig
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import md5
from importlib.machinery import SOURCE_SUFFIXES, PathFinder, all_suffixes
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path

from puntobanco.house.operations.build_digest import COMPILED, PACKAGE, BuildDigest, Stamp, hashed, stamp

MODULES = tuple(all_suffixes())
"""Suffixes of files that Python can import."""
STANDARD = frozenset({sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), os.path.dirname(os.__file__)})
EXTENSIONS = "lib-dynload"
AT_EVERY_START = ("sitecustomize", "usercustomize")
"""Modules that Python imports at every start."""
DPKG = Path("/var/lib/dpkg/status")
"""The packages that Debian installed. Its Python has a `sitecustomize.py` that no Python distribution declares."""
MISSING = "missing"
COMPARED_AT_ONCE = 50
"""Third-party modules compiled per check, to compare them with their bytecode."""


def sites() -> tuple[str, ...]:
    """The site-packages folders, which Python searches for `.pth` files at the start."""
    own = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    return tuple(folder for folder in dict.fromkeys([*site.getsitepackages(), *own]) if os.path.isdir(folder))


def loaded() -> Iterator[str]:
    """The files of all loaded modules and of those that the next start loads. Built-in modules have none."""
    for module in list(sys.modules.values()):
        spec = getattr(module, "__spec__", None)
        path = spec.origin if spec is not None and spec.has_location else getattr(module, "__file__", None)
        if isinstance(path, str):
            yield os.path.abspath(path)
    for name in AT_EVERY_START:
        spec = PathFinder.find_spec(name)
        if spec is not None and spec.origin is not None:
            yield os.path.abspath(spec.origin)


class Installation:
    """The site-packages folders and the files this process has loaded."""

    def __init__(
        self,
        folders: Sequence[str] | None = None,
        modules: Callable[[], Iterable[str]] = loaded,
        package: Path = PACKAGE,
    ) -> None:
        self._folders = tuple(folders) if folders is not None else sites()
        self._modules, self._package = modules, f"{package}{os.sep}"
        self._first: dict[str, str] = {}
        """The digest of each file when it was first seen."""
        self._listed: dict[str, tuple[Stamp, list[str], list[str]]] = {}
        """The modules and subfolders of each folder."""

    @property
    def holds_package(self) -> bool:
        """Whether the package is installed, as opposed to running from a source folder."""
        return any(self._package.startswith(f"{folder}{os.sep}") for folder in self._folders)

    def misrecorded(self, program: BuildDigest) -> dict[str, str]:
        """By path, the digest of every package file that its distribution does not declare with this content."""
        known = declared(self._folders)
        files = {f"{self._package}{path}": digest for path, digest in program.files.items()}
        return {path: digest for path, digest in files.items() if not _is_known(path, digest, known)}

    def strange(self, *, anew: bool = False) -> dict[str, str]:
        """By path, the digest of every file that differs from what was loaded or that nothing declares."""
        known = declared(self._folders)
        found: dict[str, str] = {}
        for path in sorted({*self._modules(), *self._by_itself(known, anew=anew)}):
            if path.startswith(self._package):
                continue  # `misrecorded` answers for these
            digest = hashed(path, anew=anew) or MISSING
            if digest != self._first.setdefault(path, digest) or not _is_known(path, digest, known):
                found[path] = digest
        return found

    def wrongly_compiled(self) -> dict[str, str]:
        """By path, the digest of every file in `__pycache__` that its source does not compile to. This is slow: the
        package is compared at the first check, third-party modules a few at a time."""
        found: dict[str, str] = {}
        left = COMPARED_AT_ONCE
        for path in self._modules():
            if not path.endswith(tuple(SOURCE_SUFFIXES)):
                continue
            compiled = cache_from_source(path)
            key = stamp(path), stamp(compiled)
            if key[1] is None:
                continue
            if _compared.get(path, (None, True))[0] != key:
                if not path.startswith(self._package):
                    left -= 1
                    if left < 0:
                        continue
                _compared[path] = key, _is_compiled_from(path, compiled)
            if not _compared[path][1]:
                found[compiled] = hashed(compiled, anew=False) or MISSING
        return found

    def _by_itself(self, known: Mapping[str, str], *, anew: bool) -> Iterator[str]:
        """What Python runs at the next start or at some import: every `.pth` file, and modules of no distribution."""
        for folder in self._folders:
            yield from (entry.path for entry in _entries(folder) if entry.name.endswith(".pth"))
            yield from (path for path in self._modules_in(folder, anew=anew) if path not in known)

    def _modules_in(self, folder: str, *, anew: bool) -> Iterator[str]:
        """The modules in a folder and its subfolders. An unchanged folder is not read again."""
        left, seen = [folder], set[tuple[int, ...]]()
        while left:
            at = stamp(here := left.pop())
            if at is None or at[-2:] in seen:
                continue  # it has gone meanwhile, or a link leads back to it
            seen.add(at[-2:])
            if anew or here not in self._listed or self._listed[here][0] != at:
                entries = _entries(here)
                modules = [one.path for one in entries if one.name.endswith(MODULES)]
                folders = [one.path for one in entries if one.name != COMPILED and one.is_dir()]
                self._listed[here] = at, modules, folders
            yield from self._listed[here][1]
            left += self._listed[here][2]


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []  # it has gone meanwhile


def _is_known(path: str, digest: str, known: Mapping[str, str]) -> bool:
    if (wanted := known.get(path)) is not None:
        return not wanted.startswith("sha256=") or wanted == _as_recorded(digest)
    for folder in STANDARD:
        if path.startswith(f"{folder}{os.sep}"):
            inside = path.removeprefix(f"{folder}{os.sep}").removeprefix(f"{EXTENSIONS}{os.sep}")
            name = inside.partition(os.sep)[0].partition(".")[0]
            is_standard = name in sys.stdlib_module_names or name.startswith("_sysconfigdata")
            return digest != MISSING and (is_standard or _is_debians(path, digest, stamp(str(DPKG))))
    return False


@lru_cache(maxsize=16)
def _is_debians(path: str, digest: str, at: Stamp | None) -> bool:  # noqa: ARG001 (asked again when these change)
    """Whether a Debian package declares the file with this content: as a configuration file, by its MD5."""
    try:
        real = os.path.realpath(path)
        found = md5(Path(real).read_bytes(), usedforsecurity=False).hexdigest()
        return at is not None and b"\n %s %s\n" % (os.fsencode(real), found.encode()) in DPKG.read_bytes()
    except OSError:
        return False


_compared: dict[str, tuple[object, bool]] = {}


def _is_compiled_from(path: str, compiled: str) -> bool:
    """Whether the bytecode matches its source. Bytecode that Python would not use, because it is outdated or of another
    interpreter, does not count."""
    try:
        content, at = Path(compiled).read_bytes(), os.stat(path)
        by_time = content[4:8] == bytes(4)
        of_source = b"".join((int(one) & 0xFFFFFFFF).to_bytes(4, "little") for one in (at.st_mtime, at.st_size))
        if content[:4] != MAGIC_NUMBER or (by_time and content[8:16] != of_source):
            return True
        return bool(marshal.loads(content[16:]) == compile(Path(path).read_bytes(), path, "exec", dont_inherit=True))
    except (OSError, ValueError, EOFError, TypeError, SyntaxError):
        return False


def _as_recorded(digest: str) -> str:
    return "" if digest == MISSING else f"sha256={urlsafe_b64encode(bytes.fromhex(digest)).rstrip(b'=').decode()}"


# ---- what distributions declare ------------------------------------------------------------------------------------

_read: dict[str, tuple[object, dict[str, str]]] = {}
_together: tuple[object, dict[str, str]] = (None, {})


def declared(folders: Sequence[str]) -> Mapping[str, str]:
    """The digest of every file that a distribution declares, as written there."""
    global _together  # noqa: PLW0603 (read again only when something was installed)
    records = [
        os.path.join(entry.path, "RECORD")
        for folder in folders
        for entry in _entries(folder)
        if entry.name.endswith(".dist-info")
    ]
    key = tuple((record, stamp(record)) for record in records)
    if _together[0] != key:
        _together = key, {path: digest for record in records for path, digest in _recorded(record).items()}
    return _together[1]


def _recorded(record: str) -> dict[str, str]:
    at = stamp(record)
    if record not in _read or _read[record][0] != at:
        _read[record] = at, dict(_lines(record))
    return _read[record][1]


def _lines(record: str) -> Iterator[tuple[str, str]]:
    folder = os.path.dirname(os.path.dirname(record))
    try:
        with open(record, encoding="utf-8", newline="") as opened:
            for row in csv.reader(opened):
                if len(row) >= 2:
                    yield os.path.normpath(os.path.join(folder, row[0])), row[1]
    except (OSError, UnicodeError, csv.Error):
        return  # what cannot be read declares nothing
