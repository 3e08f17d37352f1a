"""Every incident in scenarios/ goes as it is written down."""

from pathlib import Path

import pytest

from puntobanco.rules import library
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table.evolve import replay
from puntobanco.table.scenario import read_scenario, run

FILES = sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_incident_goes_as_written(path: Path) -> None:
    scenario = read_scenario(library.read_toml(path), path.name)
    played = run(scenario, library.game(scenario.game))
    assert played.misses == ()
    assert played.checked > len(scenario.steps)
    assert replay(played.events) == played.state
    assert set(scenario.paragraphs) <= library.rulebook(scenario.game).keys()


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ({}, Reason.FIELD_MISSING),
        ({"title": "x", "game": "commission", "step": [{"by": "dealer", "do": "dance"}]}, Reason.SCENARIO_WORD),
        ({"title": "x", "game": "commission", "step": [{"by": "dealer"}]}, Reason.FIELD_MISSING),
        ({"title": "x", "game": "commission", "step": [], "colour": 1}, Reason.FIELD_UNKNOWN),
        (
            {"title": "x", "game": "commission", "step": [{"by": "a", "do": "open", "expect": {"fase": "idle"}}]},
            Reason.FIELD_UNKNOWN,
        ),
    ],
)
def test_a_scenario_with_a_typo_is_refused_by_the_name_of_the_field(written: dict[str, object], reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        read_scenario(written, "mine.toml")
    assert refused.value.reason is reason
    for language in library.LANGUAGES:
        assert "mine.toml" in library.sentences(language).refusal(refused.value)


def test_what_did_not_hold_is_named_with_what_there_was() -> None:
    written = {
        "title": "x",
        "game": "commission",
        "people": {"ann": "1000"},
        "step": [{"by": "dealer", "do": "open", "expect": {"phase": "idle", "purses": {"ann": "900"}}}],
    }
    played = run(read_scenario(written, "mine.toml"), library.game("commission"))
    assert [(miss.step, miss.field, miss.found) for miss in played.misses] == [
        (1, "phase", "betting"),
        (1, "purses.ann", "1000.00"),
    ]
