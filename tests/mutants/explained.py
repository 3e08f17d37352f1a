"""Survivors that are explained: changes that make no difference, each with the reason, in explained.toml.

An entry names the module, the line as it stands in the file and the changes made there. The suite fails on an
entry that fits no change any more.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.mutants.changes import changes

FILE = Path(__file__).with_name("explained.toml")
PACKAGE = Path(__file__).parents[2] / "src" / "puntobanco"


class Explained(NamedTuple):
    module: str
    line: str
    change: str
    """Before and after, with an arrow between."""


def explained() -> dict[Explained, str]:
    """The reason for each change that is explained."""
    written = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        Explained(module, entry["line"], change): entry["why"]
        for module, entries in written.items()
        for entry in entries
        for change in entry["changes"]
    }


def keys(module: str) -> Iterator[Explained]:
    """What an entry would name for each change of a module, in their order."""
    source = (PACKAGE / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
    lines = source.splitlines()
    for one in changes(source):
        yield Explained(module, lines[one.first - 1].strip(), f"{one.before} -> {one.after}")
