"""Which tests and scenarios cite which rulings: read from the `@rulings` marks and the `rulings` of scenario files."""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "rulings.md"
SCENARIOS = ROOT / "scenarios"
TESTS = ROOT / "tests"


class Citations(msgspec.Struct, frozen=True):
    """Who cites one ruling."""

    tests: tuple[str, ...] = ()
    """As pytest names them, without parameters: `tests/table/test_gap.py::test_...`."""
    scenarios: tuple[str, ...] = ()
    """The names of files, without their ending."""


class Ruling(msgspec.Struct, frozen=True):
    """A row of docs/rulings.md."""

    id: str
    cells: tuple[str, ...]
    """Every cell after the id, as written."""

    def cites(self, document: str, paragraph: str) -> bool:
        """Whether its paragraphs include that one of that document (`000` to `004`). A definition is named
        without a document."""
        return any(
            paragraph in _paragraphs(part.partition(" ")[2] or part)
            for cell in self.cells[:3]
            for part in re.split(r";\s*", cell)
            if document in (_documents(part) or {document})
        )


def rulings() -> tuple[Ruling, ...]:
    """Every ruling, in the order of the page."""
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Z]{3}-\d+) \|(.*)\|$", text[text.index("## Documents, dates") :], re.MULTILINE)
    return tuple(Ruling(id, tuple(one.strip() for one in re.split(r"(?<!\\)\|", rest))) for id, rest in rows)


@cache
def citations() -> Mapping[str, Citations]:
    """By id of the ruling, also of an id that no row has."""
    tests: dict[str, list[str]] = {}
    for name, cited in marked():
        for id in cited:
            tests.setdefault(id, []).append(name)
    scenarios: dict[str, list[str]] = {}
    for file in sorted(SCENARIOS.glob("*.toml")):
        for id in tomllib.loads(file.read_text(encoding="utf-8")).get("rulings", ()):
            scenarios.setdefault(id, []).append(file.stem)
    return {
        id: Citations(tuple(tests.get(id, ())), tuple(scenarios.get(id, ()))) for id in sorted({*tests, *scenarios})
    }


def marked() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every test with a `@rulings` mark, and the ids it names."""
    for file in sorted(TESTS.rglob("test_*.py")):
        text = file.read_text(encoding="utf-8")
        if "@rulings(" not in text:
            continue
        for one in ast.parse(text).body:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                for mark in one.decorator_list:
                    if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "rulings":
                        yield f"{file.relative_to(ROOT)}::{one.name}", tuple(ast.literal_eval(id) for id in mark.args)


def _documents(part: str) -> set[str]:
    """`000, 004 5.1`: both; `001 to 003 5.1.1`: three."""
    named = set(re.findall(r"\b00[0-4]\b", part))
    for first, last in re.findall(r"\b00([0-4]) to 00([0-4])\b", part):
        named |= {f"00{number}" for number in range(int(first), int(last) + 1)}
    return named


def _paragraphs(part: str) -> set[str]:
    """Every number it names, and every one in a range of the last figure: `4.1.2 to 4.1.10`."""
    named = set(re.findall(r"\b\d+(?:\.\d+)+(?:\.[a-z])?\b", part)) | set(re.findall(r"`(1-\w+)`", part))
    for stem, first, last in re.findall(r"\b((?:\d+\.)+)(\d+) to (?:\1)(\d+)\b", part):
        named |= {f"{stem}{number}" for number in range(int(first), int(last) + 1)}
    return named
