"""The mutation tests make the changes they say, leave every file as it is, and know a test that fails from a fault."""

import ast
import hashlib
import subprocess
import sys
from pathlib import Path

import msgspec

from tests.mutants.changes import changed, changes
from tests.mutants.explained import explained, keys
from tests.mutants.one import NOTICED, PASSED, Order
from tests.mutants.verdicts import Verdicts, digest, parts
from tests.mutants.worker import Verdict

ROOT = Path(__file__).parents[1]
MODULE = ROOT / "src" / "puntobanco" / "rules" / "limits.py"

SOURCE = '''
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import os
LIMIT: "int | None" = 9
@cached(True)
def f(a: int = 1, *, b: bool) -> bool:
    """Not a change: 1 < 2."""
    assert a < 3
    if a < 2 and b:
        check(a)
        raise ValueError
    return [x for x in sorted(a, key=len) if x != 1][a - 1]
'''


def test_every_change_is_listed_once_and_what_only_describes_is_left_alone() -> None:
    listed = [(one.first, one.before, one.after) for one in changes(SOURCE)]
    assert listed == [
        (5, "9", "10"),
        (7, "1", "2"),
        (10, "2", "3"),
        (10, "a < 2", "a <= 2"),
        (10, "a < 2 and b", "a < 2 or b"),
        (10, "a < 2 and b", "b"),
        (10, "a < 2 and b", "a < 2"),
        (11, "check(a)", "nothing"),
        (12, "raise ValueError", "nothing"),
        (10, "if a < 2 and b:", "if True:"),
        (10, "if a < 2 and b:", "if False:"),
        (13, "sorted(a, key=len)", "list(a)"),
        (13, "1", "2"),
        (13, "x != 1", "x == 1"),
        (13, "for x in sorted(a, key=len) if x != 1", "for x in sorted(a, key=len)"),
        (13, "1", "2"),
        (13, "a - 1", "a + 1"),
    ]


def test_a_chosen_change_is_the_only_one() -> None:
    plain = ast.unparse(ast.parse(SOURCE))
    assert ast.unparse(changed(SOURCE, -1)) == plain
    for number, one in enumerate(changes(SOURCE)):
        made = ast.unparse(changed(SOURCE, number))
        assert made != plain, one
        compile(changed(SOURCE, number), "made", "exec")


def test_a_module_of_the_core_compiles_with_each_change() -> None:
    source = MODULE.read_text(encoding="utf-8")
    for number in range(len(changes(source))):
        compile(changed(source, number), "made", "exec")


def run(change: int, *tests: str, module: str = "rules.limits") -> int:
    order = Order(f"puntobanco.{module}", change, tests)
    return subprocess.run(
        [sys.executable, "-m", "tests.mutants.one"],
        input=msgspec.json.encode(order),
        cwd=ROOT, check=False, capture_output=True, timeout=120,
    ).returncode  # fmt: skip


def test_a_test_notices_a_change_and_no_file_is_touched() -> None:
    test = "test_3_4_a_table_displays_a_minimum_and_one_differential_in_whole_chips"
    tests = [f"tests/rulebook/test_long_documents_limits.py::{test}[{key}]" for key in ("commission", "wu-song")]
    before = {path: hashlib.sha256(path.read_bytes()).digest() for path in MODULE.parent.rglob("*.py*")}
    (forced,) = (
        number
        for number, one in enumerate(changes(MODULE.read_text(encoding="utf-8")))
        if (one.before, one.after) == ("if self.minimum > self.differential:", "if False:")
    )
    assert run(-1, *tests) == PASSED
    assert run(forced, *tests) in NOTICED
    after = {path: hashlib.sha256(path.read_bytes()).digest() for path in MODULE.parent.rglob("*.py*")}
    assert {path: after[path] for path in before} == before


def test_a_module_that_cannot_be_imported_is_noticed() -> None:
    table = MODULE.parents[1] / "table" / "command_table.py"
    listed = [(one.before, one.after) for one in changes(table.read_text(encoding="utf-8"))]
    added = listed.index(("_ANY - {Phase.CLOSED}", "_ANY + {Phase.CLOSED}"))
    assert run(added, "tests/table/test_phases.py::test_any", module="table.command_table") in NOTICED


def test_a_fault_of_the_program_is_no_test_that_fails() -> None:
    broken = subprocess.run(
        [sys.executable, "-m", "tests.mutants.one"],
        input=b"{}",
        cwd=ROOT,
        check=False,
        capture_output=True,
        timeout=120,
    )
    assert broken.returncode not in (PASSED, *NOTICED)
    assert run(-1, "tests/rulebook/test_long_documents_limits.py::test_that_is_not_there") not in (PASSED, *NOTICED)


# ---- a worker ----------------------------------------------------------------------------------------------------

LIMITS = "tests/rulebook/test_long_documents_limits.py"
DISPLAYED = f"{LIMITS}::test_3_4_a_table_displays_a_minimum_and_one_differential_in_whole_chips[commission]"


def number_of(path: Path, before: str, after: str) -> int:
    listed = [(one.before, one.after) for one in changes(path.read_text(encoding="utf-8"))]
    return listed.index((before, after))


def test_a_worker_tries_one_change_after_another_and_each_is_gone_afterwards() -> None:
    forced = number_of(MODULE, "if self.minimum > self.differential:", "if False:")
    table = MODULE.parents[1] / "table" / "command_table.py"
    added = number_of(table, "_ANY - {Phase.CLOSED}", "_ANY + {Phase.CLOSED}")
    orders = [
        Order("puntobanco.rules.limits", -1, (DISPLAYED,)),
        Order("puntobanco.rules.limits", forced, (DISPLAYED,)),
        Order("puntobanco.rules.limits", -1, (DISPLAYED,)),
        Order("puntobanco.table.command_table", added, (DISPLAYED,)),
    ]
    answered = subprocess.run(
        [sys.executable, "-m", "tests.mutants.worker", LIMITS],
        input=b"".join(msgspec.json.encode(order) + b"\n" for order in orders),
        cwd=ROOT, check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    verdicts = [msgspec.json.decode(line, type=Verdict) for line in answered.stdout.splitlines()]
    passed = Verdict(tried=True)
    assert verdicts == [passed, Verdict(tried=True, killed=True, by=DISPLAYED), passed, Verdict(tried=False)]


def test_what_was_cached_while_the_tests_were_collected_is_found_again() -> None:
    tests = "tests/rules/test_money_edges.py"
    listed = f"{tests}::test_outcomes_are_listed_in_their_order"
    outcome = MODULE.with_name("outcome.py")
    (unsorted,) = (
        number
        for number, one in enumerate(changes(outcome.read_text(encoding="utf-8")))
        if one.before.startswith("sorted(")
    )
    answered = subprocess.run(
        [sys.executable, "-m", "tests.mutants.worker", "tests/rules/test_established.py", tests],
        input=msgspec.json.encode(Order("puntobanco.rules.outcome", unsorted, (listed,))),
        cwd=ROOT, check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    assert msgspec.json.decode(answered.stdout, type=Verdict).by == listed


def test_a_kill_is_known_until_its_test_changes_and_a_survivor_until_anything_does(tmp_path: Path) -> None:
    source, test, file = tmp_path / "source.py", tmp_path / "test_it.py", tmp_path / "kept" / "verdicts.jsonl"
    source.write_text("a = 1\nb = 2")
    test.write_text("pass")
    killed, survived = Verdict(tried=True, killed=True, by="test_it.py::test_one"), Verdict(tried=True)
    first = Verdicts(file, tmp_path, "as it is")
    first.keep("it", source, 0, killed)
    first.keep("it", source, 1, survived)
    again = Verdicts(file, tmp_path, "as it is")
    assert [again.known("it", source, number) for number in range(2)] == [killed, survived]
    changed = Verdicts(file, tmp_path, "changed")
    assert [changed.known("it", source, number) for number in range(2)] == [killed, None]
    test.write_text("assert True")
    digest.cache_clear()
    assert changed.known("it", source, 0) is None
    file.write_bytes(file.read_bytes()[:-5])
    assert [part.number for _, part in Verdicts(file, tmp_path, "as it is").found] == [0]


def test_a_verdict_holds_as_long_as_the_function_is_the_same(tmp_path: Path) -> None:
    source, survived = tmp_path / "source.py", Verdict(tried=True)
    source.write_text("A = 1\n\ndef f(a):\n    return a + 2\n\ndef g(a):\n    return a < 3\n")
    verdicts = Verdicts(tmp_path / "verdicts.jsonl", tmp_path, "as it is")
    for number in range(5):
        verdicts.keep("it", source, number, survived)
    source.write_text('A = 7\n\ndef f(a):\n    """More."""\n    return a + 2  # more\n\ndef g(a):\n    return a < 4\n')
    parts.cache_clear()
    again = Verdicts(tmp_path / "verdicts.jsonl", tmp_path, "as it is")
    assert [again.known("it", source, number) for number in range(5)] == [None, survived, survived, None, None]


def test_every_explanation_fits_a_change() -> None:
    known = explained()
    fits = {one for module in {one.module for one in known} for one in keys(module)}
    assert known.keys() - fits == set(), "the line has changed: look at the explanation again"
    assert all(known.values())
