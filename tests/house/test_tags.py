"""The tags under which things are stored and sent, as `tests/golden/tags.toml` lists them: add to it, change nothing.

Stored histories and programs of integrators name them, so a class may be renamed and its tag may not.
"""

import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest

from puntobanco.protocol.administrative_commands import AnyAdministrativeCommand
from puntobanco.protocol.entries import AnyEntry
from puntobanco.protocol.live import FromHouse, FromScreen
from puntobanco.table.commands import AnyCommand
from puntobanco.table.events import AnyEvent
from puntobanco.table.tags import tag_of

GOLDEN: dict[str, list[str]] = tomllib.loads((Path(__file__).parents[1] / "golden" / "tags.toml").read_text())

UNIONS: dict[str, Any] = {
    "events": AnyEvent,
    "commands": AnyCommand,
    "entries": AnyEntry,
    "errands": AnyAdministrativeCommand,
    "from_house": FromHouse,
    "from_screen": FromScreen,
}


@pytest.mark.parametrize("name", UNIONS)
def test_the_tags_are_the_golden_ones(name: str) -> None:
    tags = sorted(tag_of(kind) for kind in get_args(UNIONS[name]))
    assert tags == GOLDEN[name], "add a new tag to tests/golden/tags.toml, in alphabetical order; never change one"
