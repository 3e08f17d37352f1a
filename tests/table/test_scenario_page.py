"""docs/scenarios.md says all there is to write, and its examples hold."""

import re
import tomllib

import pytest
from docs.generate import SCENARIOS, scenarios

from puntobanco.rules import library
from puntobanco.rules.library import sentences
from puntobanco.table.scenario import WORDS, Expectation, check, read_scenario, run
from puntobanco.table.scenario_format import Never, Scenario, ScenarioStep, Table
from puntobanco.table.setup import Policy, Timing

PAGE = SCENARIOS.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(title.*?)```", PAGE, re.DOTALL)


def test_the_lists_are_what_the_code_knows() -> None:
    assert scenarios() == PAGE, "run 'make docs'"


@pytest.mark.parametrize("kind", [Expectation, Never, ScenarioStep, Table, Policy, Timing])
def test_every_field_is_on_the_page(kind: type[ScenarioStep]) -> None:
    for field in kind.__struct_encode_fields__:
        assert f"`{field}`" in PAGE or f"`{field} =" in PAGE, field
    for field in Scenario.__struct_encode_fields__:
        assert f"`{field}`" in PAGE or f"[{field}]" in PAGE, field


@pytest.mark.parametrize("word", WORDS)
def test_every_word_is_explained_beside_the_lists(word: str) -> None:
    steps = PAGE[PAGE.index("## Steps") : PAGE.index("## Expectations")]
    assert f"`{word}`" in steps


@pytest.mark.parametrize("written", EXAMPLES, ids=range(len(EXAMPLES)))
def test_the_examples_hold(written: str) -> None:
    scenario = read_scenario(tomllib.loads(written), "page.toml")
    game = library.game(scenario.game)
    check(scenario, game, library.rulebook(scenario.game), "page.toml")
    assert run(scenario, game).misses == ()


def test_the_account_of_the_first_example_is_what_is_told() -> None:
    scenario = read_scenario(tomllib.loads(EXAMPLES[0]), "page.toml")
    said = sentences("en")
    lines = [
        said.say(one.section, one.code, **one.parameters) + (f" ({one.rule.paragraph})" if one.rule else "")
        for one in run(scenario, library.game(scenario.game)).told
    ]
    assert re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL) == ["\n".join(lines) + "\n"]
