"""What was stored leads to the states that it led to."""

import json

import pytest

from puntobanco.rules import library
from tests.golden.states import EDITIONS, FILE, digest

PINNED: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", library.GAMES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_history_leads_to_the_states_it_led_to(edition: int, game: str) -> None:
    assert digest(edition, game) == PINNED[str(edition)][game], "if this is intended: python -m tests.golden.states"
