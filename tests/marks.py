"""Marks: which paragraph a test enforces and by which code, and which rulings it holds."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

Code = Callable[..., Any] | type | property
Test = Callable[..., Any]


def rulebook(paragraphs: Mapping[str, Sequence[str]], *, by: Code | Sequence[Code]) -> Callable[[Test], Test]:
    """The test enforces these paragraphs, by game; `by` is the code under test."""
    code = tuple(_name(one) for one in (by if isinstance(by, Sequence) else (by,)))

    def mark(test: Test) -> Test:
        for game, ids in paragraphs.items():
            for paragraph in ids:
                test = pytest.mark.rulebook(game=game, paragraph=paragraph, by=code)(test)
        return test

    return mark


def rulings(*ids: str) -> Callable[[Test], Test]:
    """The test holds these rows of docs/rulings.md: it fails if the software does something else."""
    return pytest.mark.rulings(*ids)


def _name(code: Code) -> str:
    function = code.fget if isinstance(code, property) else code
    assert function is not None
    return f"{function.__module__}.{function.__qualname__}"
