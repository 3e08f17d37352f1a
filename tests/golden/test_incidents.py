"""What a table answers, shows and narrates in every scenario is what it was."""

import json
from pathlib import Path

import pytest

from tests.golden.incidents import FILE, FILES, digest

PINNED: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8"))


def test_every_scenario_is_pinned() -> None:
    assert list(PINNED) == [path.stem for path in FILES]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_incident_goes_as_it_went(path: Path) -> None:
    assert digest(path) == PINNED[path.stem], "if this is intended: python -m tests.golden.incidents"
