"""What earlier runs found, in build/mutants: a campaign that is stopped goes on where it was.

A kill holds as long as the function or class it was made in and the file of the test that noticed are the same;
comments and docstrings do not count. A survivor is tried again as soon as any source or test has changed.
"""

import ast
import hashlib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from tests.mutants.changes import changes
from tests.mutants.worker import Verdict


class Part(NamedTuple):
    """Where a change is: the digest of the function or class it is made in, and its number there."""

    digest: str
    number: int


class Found(msgspec.Struct, frozen=True):
    module: str
    part: Part
    by: str | None
    """The test that failed; nothing if the change survived."""
    tests: str
    """The digest of the file of that test; of every source and test, if the change survived."""


@cache
def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


@cache
def parts(path: Path) -> tuple[Part, ...]:
    """The part of every change of a module, in their order. Comments and docstrings do not count."""
    source = path.read_text(encoding="utf-8")
    digests: dict[int, str] = {}
    for statement in ast.parse(source).body:
        first = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))])
        said = hashlib.sha256(ast.dump(_without_text(statement)).encode()).hexdigest()
        digests |= dict.fromkeys(range(first, (statement.end_lineno or first) + 1), said)
    counted = Counter[str]()
    found = []
    for change in changes(source):
        part = digests[change.first]
        found.append(Part(part, counted[part]))
        counted[part] += 1
    return tuple(found)


def _without_text(statement: ast.stmt) -> ast.stmt:
    for node in ast.walk(statement):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [one for one in node.body if not _is_text(one)]
    return statement


def _is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


class Verdicts:
    def __init__(self, file: Path, root: Path, everything: str) -> None:
        self.file, self.root, self.everything = file, root, everything
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
        lines = file.read_bytes().splitlines(keepends=True)
        found = (msgspec.json.decode(line, type=Found) for line in lines if line.endswith(b"\n"))
        self.found = {(one.module, one.part): one for one in found}

    def known(self, module: str, path: Path, number: int) -> Verdict | None:
        found = self.found.get((module, parts(path)[number]))
        if found is None or found.tests != self._tests(found.by):
            return None
        return Verdict(tried=True, killed=found.by is not None, by=found.by or "")

    def keep(self, module: str, path: Path, number: int, verdict: Verdict) -> None:
        by = verdict.by if verdict.killed else None
        found = Found(module, parts(path)[number], by, self._tests(by))
        with self.file.open("ab") as file:
            file.write(msgspec.json.encode(found) + b"\n")

    def _tests(self, by: str | None) -> str:
        return self.everything if by is None else digest(self.root / by.partition("::")[0])
