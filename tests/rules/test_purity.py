"""The core has no I/O, clock or randomness, and no paragraph number outside the game files."""

import ast
import re
from pathlib import Path

import pytest

import puntobanco.rules
from tests.marks import rulings

CORE = sorted(Path(puntobanco.rules.__file__).parent.glob("*.py"))

IMPURE_CALLS = {
    "open",
    "print",
    "input",
    "now",
    "utcnow",
    "today",
    "time",
    "random",
    "urandom",
    "getenv",
    "exec",
    "eval",
}


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.name)
def test_the_core_calls_nothing_of_the_world(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if (path.name, called) == ("library.py", "open"):
                continue  # the library reads files
            assert called not in IMPURE_CALLS, f"{path.name}:{node.lineno} calls {called}"


@rulings("IRR-3")
@pytest.mark.parametrize("path", CORE, ids=lambda path: path.name)
def test_no_paragraph_number_stands_in_code(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
            assert not re.fullmatch(r"[1-5]\.\d+(\.\d+)*", node.value), f"{path.name}:{node.lineno}"
