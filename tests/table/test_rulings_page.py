"""docs/rulings.md: every ruling once, complete and cited by what holds it, and no policy that a table does not have."""

import re
from pathlib import Path

import msgspec
import pytest
from docs.site.citations import citations

from puntobanco.house.operations.settings import settings_of
from puntobanco.table.setup import Policy, Setup, Timing

PAGE = (Path(__file__).parents[2] / "docs" / "rulings.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    for line in PAGE[PAGE.index("## Documents, dates, layouts") :].splitlines()
    if re.match(r"\| [A-Z]{3}-[0-9]+ \|", line)
]
IDS = [row[0] for row in ROWS]
RULINGS = {row[0]: row for row in ROWS if len(row) == 6}
SETTINGS = {f"house.{name}" for name in settings_of("house")}
AT_A_GLANCE = PAGE[PAGE.index("## Policy fields at a glance") : PAGE.index("## For confirmation")]


def test_an_id_is_given_once_and_none_is_left_out() -> None:
    assert len(IDS) == len(set(IDS))
    for prefix in {one[:3] for one in IDS}:
        numbers = sorted(int(one[4:]) for one in IDS if one.startswith(prefix))
        assert numbers == list(range(1, len(numbers) + 1)), prefix


def test_whatever_is_referred_to_exists() -> None:
    assert set(re.findall(r"\b[A-Z]{3}-[0-9]+", PAGE)) == set(IDS)


def test_every_ruling_is_cited_by_a_test_or_a_scenario_and_none_is_cited_that_is_not_there() -> None:
    assert set(citations()) == set(IDS)


@pytest.mark.parametrize("ruling", RULINGS)
def test_a_ruling_is_complete(ruling: str) -> None:
    _, question, paragraphs, answer, reason, kind = RULINGS[ruling]
    assert all((question, paragraphs, answer, reason))
    assert re.match(r"fixed|policy: `[\w.]+`", kind)


def test_every_policy_named_is_a_field_of_a_table_and_every_policy_is_named() -> None:
    known = {*Policy.__struct_fields__, *Timing.__struct_fields__, *Setup.__struct_fields__, *SETTINGS}
    named = {found for row in RULINGS.values() for found in re.findall(r"policy: `([\w.]+)`", row[5])}
    listed = set(re.findall(r"^\| `([\w.]+)`", AT_A_GLANCE, re.MULTILINE))
    assert named == listed
    assert set(Policy.__struct_fields__) <= listed <= known


def test_the_defaults_are_those_of_the_page() -> None:
    for name, value in msgspec.structs.asdict(Policy()).items():
        if value is not None:
            found = re.search(rf"^\| `{name}` \| `(\w+)`", AT_A_GLANCE, re.MULTILINE)
            assert found is not None, name
            assert found[1].lower() == str(value).lower()
