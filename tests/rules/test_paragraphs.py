"""Every paragraph that the core enforces has a rulebook test."""

import pytest

from puntobanco.rules import library
from puntobanco.rules.library import GAMES
from tests.paragraphs import needing_tests

OVER_TIME = {
    "commission": ["3.3", "3.8", "3.9", "5.3", "5.4"],
    "non-commission-etg": ["3.1", "3.2"],
    "super-six": ["3.1", "3.2"],
    "insurance": ["3.1", "3.2"],
    "wu-song": ["3.3", "3.8", "3.9", "5.3", "5.4"],
}
"""Paragraphs about a table over time: announcements, squeeze, absence, interruption."""

LAST_OF_THE_CORE = {"commission": "5.4.2", "wu-song": "5.4.2"}
"""From there on the long documents are about irregularities at the table; all of chapter 5 in the short ones is."""


def enforced_by_the_core(game: str) -> list[str]:
    needed = needing_tests(game)
    last = LAST_OF_THE_CORE.get(game)
    stop = needed.index(last) + 1 if last else next(at for at, rule in enumerate(needed) if rule.startswith("5."))
    appendices = [rule for rule in needed if rule.startswith("App.")]
    return [rule for rule in needed[:stop] if rule not in OVER_TIME[game]] + appendices


@pytest.mark.parametrize("game", GAMES)
def test_every_paragraph_of_the_core_has_a_test_and_names_its_code(game: str) -> None:
    enforced = library.enforcement(game)
    missing = [rule for rule in enforced_by_the_core(game) if rule not in enforced]
    assert not missing
    for rule in enforced_by_the_core(game):
        assert enforced[rule].code
        assert all(name.startswith("puntobanco.") for name in enforced[rule].code)
