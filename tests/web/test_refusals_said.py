"""Every refusal of the house and its doors can be said: it carries what its sentence needs."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import puntobanco
from puntobanco.rules import library
from puntobanco.rules.refusal import Reason

SOURCES = [path for part in ("web", "house", "store") for path in Path(puntobanco.__file__).parent.glob(f"{part}/*.py")]


def refusals(source: str) -> Iterator[tuple[int, Reason, set[str]]]:
    """Where a refusal is made by name, and with which parameters."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not node.args:
            continue
        first = node.args[0]
        if node.func.id not in ("Refused", "Refusal") or not isinstance(first, ast.Attribute):
            continue
        if not isinstance(first.value, ast.Name) or first.value.id != "Reason":
            continue
        given = {keyword.arg for keyword in node.keywords if keyword.arg}
        if node.func.id == "Refusal" and len(node.args) > 2 and isinstance(node.args[2], ast.Dict):
            given = {str(key.value) for key in node.args[2].keys if isinstance(key, ast.Constant)}
        yield node.lineno, Reason[first.attr], given


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_refusal_carries_what_its_sentence_needs(path: Path) -> None:
    for line, reason, given in refusals(path.read_text()):
        for language in library.LANGUAGES:
            sentence = library.sentences(language).table["refusal"][reason]
            needed = {name for _, name, _, _ in Formatter().parse(sentence) if name}
            assert needed <= given, f"{path.name}:{line} {reason} needs {needed - given}"
