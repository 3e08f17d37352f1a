"""The house deals only while its installed files are the recorded ones.

If files differ from those recorded for this version or from those the server was started from, or if a file appears
that no installed distribution declares, the house finishes its rounds and deals no others until two people release
exactly that change. Holds and releases are in the journal and survive a restart.
"""

import asyncio
from itertools import islice
from typing import Protocol

from puntobanco.house.journal.journal import Journal
from puntobanco.house.journal.writer import JournalWriter
from puntobanco.house.operations.build_digest import BuildDigest, build_digest, digest_of
from puntobanco.house.operations.installed_files import Installation
from puntobanco.house.operations.log import logger
from puntobanco.protocol import entries as b
from puntobanco.protocol.entries import Who

FAILED = "the comparison failed"
MOST_FILES = 100
"""Most files that an entry names, undeclared ones first. The others are summarised."""


class Files(Protocol):
    def __call__(self, *, anew: bool) -> BuildDigest: ...


class Integrity:
    """`enforced`: whether a difference stops dealing. In a demo or a source folder it is only logged."""

    def __init__(
        self, *, enforced: bool, installation: Installation | None = None, files: Files = build_digest
    ) -> None:
        self._installation, self._files = installation or Installation(), files
        self.enforced = enforced and self._installation.holds_package
        self.started = files(anew=False)
        self._found: dict[str, str] = {}
        self._told = ""

    async def check(self, writer: JournalWriter, by: Who, *, anew: bool = False) -> BuildDigest:
        """Look for differences and enter new ones in the journal."""
        recorded = writer.journal.programs.get(self.started.version)
        try:
            now, found = await asyncio.to_thread(self._look, recorded, anew)
        except Exception as error:  # whoever can make it fail must not get around it
            logger("house").error("cannot compare the installed files", exc_info=error)
            now, found = self.started, {FAILED: digest_of({f"{type(error).__name__}: {error}": ""})}
        self._found = _bounded(found)
        files, held = self._unreleased(writer.journal), writer.journal.differs
        digest = digest_of(files) if files else ""
        if digest and self.enforced and (held is None or held.digest != digest):
            await writer.note(b.ProgramDiffers(by=by, digest=digest, files=files))
        if digest and digest != self._told:
            self._told, tell = digest, logger("house").error if self.enforced else logger("house").warning
            tell("the program is not what was recorded", held=self.enforced, digest=digest, files=sorted(files))
        return now

    def differs(self, journal: Journal) -> dict[str, str]:
        """The differences that stop dealing, or would if enforced: the digest of each file by path."""
        return journal.differs.files if self.enforced and journal.differs is not None else self._unreleased(journal)

    def _unreleased(self, journal: Journal) -> dict[str, str]:
        return {path: digest for path, digest in self._found.items() if journal.released.get(path) != digest}

    def _look(self, recorded: str | None, anew: bool) -> tuple[BuildDigest, dict[str, str]]:
        now, found = self._files(anew=anew), self._installation.strange(anew=anew)
        if self.enforced:
            found |= self._installation.wrongly_compiled() | self._installation.misrecorded(now)
        if now.digest != self.started.digest or recorded not in (None, now.digest):
            found[f"puntobanco {now.version}"] = now.digest
        return now, found


def _bounded(found: dict[str, str]) -> dict[str, str]:
    found = {path.encode("utf-8", "backslashreplace").decode(): digest for path, digest in found.items()}
    named = dict(islice(found.items(), MOST_FILES))
    if left := {path: digest for path, digest in found.items() if path not in named}:
        named[f"{len(left)} other files"] = digest_of(left)
    return named
