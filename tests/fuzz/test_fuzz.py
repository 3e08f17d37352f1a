"""A short run of the fuzzer, the scripts of what it once found, and what the fuzzer itself must be able to do."""

import random
from pathlib import Path

import pytest
import uvloop

from puntobanco.protocol import administrative_commands as o
from puntobanco.table.reading import KINDS
from puntobanco.table.state import Phase
from tests.fuzz import chance, office, script
from tests.fuzz.__main__ import told
from tests.fuzz.fuzzing import fuzzed, replayed
from tests.fuzz.script import Step
from tests.fuzz.shrink import shortest, thinned

SEED, COMMANDS = 12, 4_000
SCRIPTS = sorted(Path(__file__).parent.glob("scripts/*.json"))


def test_every_command_and_every_errand_has_a_maker() -> None:
    assert chance.MAKERS.keys() == KINDS.keys(), "tests/fuzz/chance.py makes each table command"
    assert office.MAKERS.keys() == o.KINDS.keys(), "tests/fuzz/office.py makes each administrative command"


def test_a_house_survives_a_short_run(tmp_path: Path) -> None:
    outcome = uvloop.run(fuzzed(tmp_path, SEED, COMMANDS))
    assert not outcome.wrong, outcome.wrong
    told(outcome)  # how often each was accepted and refused, if the next line fails
    assert not {*KINDS, *o.KINDS} - {kind for kind, _ in outcome.counts}, "a kind of command was never sent"
    assert outcome.accepted > COMMANDS // 10
    assert outcome.happened("RoundSettled") > 40
    rare = {Phase.OPTIONS, Phase.SUSPENDED, Phase.WITHOUT_BETS, Phase.DECIDED}
    assert {phase for _, phase in outcome.phases} >= {*Phase} - rare
    assert outcome.noted["views compared with the replay"] > 30


def test_a_house_on_a_database_survives_a_few_commands(tmp_path: Path) -> None:
    outcome = uvloop.run(fuzzed(tmp_path, SEED, 400, engine="postgresql"))
    assert not outcome.wrong, outcome.wrong
    assert outcome.accepted > 40


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_what_was_found_once_is_not_found_again(path: Path, tmp_path: Path) -> None:
    outcome = uvloop.run(replayed(tmp_path, script.load(path)))
    assert not outcome.wrong, outcome.wrong


# ---- the shrinker ------------------------------------------------------------------------------------------------


def shrunk_to(needed: set[str], *, now_and_then: bool = False) -> list[str]:
    """What is left of three hundred steps that fail while all of these are among them."""
    rng = random.Random(1)

    async def fails(steps: list[Step]) -> bool:
        return needed <= {step.who for step in steps} and not (now_and_then and rng.random() < 0.3)

    steps = [Step(who=f"p{number}") for number in range(300)]
    return [step.who for step in uvloop.run(shortest(steps, fails))]


def test_a_failure_shrinks_to_the_steps_it_needs() -> None:
    assert shrunk_to({"p7"}) == ["p7"]
    assert shrunk_to({"p7", "p150", "p299"}) == ["p7", "p150", "p299"]


def test_a_failure_that_comes_now_and_then_shrinks_as_far_as_it_can() -> None:
    left = shrunk_to({"p7", "p150"}, now_and_then=True)
    assert {"p7", "p150"} <= set(left)
    assert len(left) < 100


def test_a_slip_shrinks_to_the_lines_it_needs() -> None:
    async def fails(steps: list[Step]) -> bool:
        return {"b", "d"} <= {line["bet"] for line in (steps[0].command or {})["lines"]}

    slip = {"type": "PlaceBets", "lines": [{"bet": bet} for bet in "abcde"]}
    left = uvloop.run(thinned([Step(who="p1", command=slip)], fails))
    assert left[0].command == {"type": "PlaceBets", "lines": [{"bet": "b"}, {"bet": "d"}]}


def test_a_script_is_read_as_it_was_written(tmp_path: Path) -> None:
    steps = (
        Step(who="p1", table="commission-a", command={"type": "PlaceBets", "round": "$round", "lines": []}, line=1),
        Step(who="scan", path="/tables/commission-a/cards", body={"card": "9♠"}, request="f7"),
        Step(who="p2", raw='{"type":"\x00'),
    )
    for written in (
        script.Script(seed=3, failure='log: "x"', steps=steps),
        script.Script(seed=3, failure="", steps=steps[:1], at_the_end=True),
    ):
        script.save(tmp_path / "script.json", written)
        assert script.load(tmp_path / "script.json") == written
