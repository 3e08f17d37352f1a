"""What a table answers, shows and narrates in long random evenings is what it was."""

import json

import pytest

from tests.golden.walks import FILE, WALKS, Walk, digests

PINNED: dict[str, list[str]] = json.loads(FILE.read_text(encoding="utf-8"))


def test_every_walk_is_pinned() -> None:
    assert list(PINNED) == [walk.name for walk in WALKS]


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.name)
def test_an_evening_goes_as_it_went(walk: Walk) -> None:
    for found, pinned in zip(digests(walk), PINNED[walk.name], strict=True):
        assert found == pinned, "if this is intended: python -m tests.golden.walks"
