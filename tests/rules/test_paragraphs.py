"""Every paragraph of the five documents, mere headings apart, has a rulebook test that names its code."""

import pytest

from puntobanco.rules import library
from puntobanco.rules.library import GAMES
from tests.paragraphs import needing_tests


@pytest.mark.parametrize("game", GAMES)
def test_every_paragraph_has_a_test_and_names_its_code(game: str) -> None:
    enforced = library.enforcement(game)
    missing = [rule for rule in needing_tests(game) if rule not in enforced]
    assert not missing
    for rule in needing_tests(game):
        assert enforced[rule].code
        assert all(name.startswith("puntobanco.") for name in enforced[rule].code)
