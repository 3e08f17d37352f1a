"""Which code and tests enforce each paragraph, generated from the marks on the tests.

`python -m tests.paragraphs` prints it by document and writes `rules/paragraphs/enforced.json`;
with `--check` it fails if that file is not what the marks say.
"""

import contextlib
import io
import sys
from collections import defaultdict
from pathlib import Path

import msgspec
import pytest

from puntobanco.rules import library
from puntobanco.rules.library import GAMES, Enforcement, ParagraphKind

ENFORCED = Path(library.__file__).parent / "paragraphs" / "enforced.json"

Enforced = dict[str, dict[str, Enforcement]]


class _Collector:
    """Gathers the marks of every test that pytest finds."""

    def __init__(self) -> None:
        self.code: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.tests: dict[tuple[str, str], set[str]] = defaultdict(set)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            for mark in item.iter_markers("rulebook"):
                game, paragraph = mark.kwargs["game"], mark.kwargs["paragraph"]
                assert paragraph in library.rulebook(game), f"{item.nodeid}: {game} has no paragraph {paragraph}"
                self.code[game, paragraph].update(mark.kwargs["by"])
                self.tests[game, paragraph].add(item.nodeid.partition("[")[0])

    def enforced(self) -> Enforced:
        return {
            game: {
                paragraph: Enforcement(
                    code=tuple(sorted(self.code[game, paragraph])), tests=tuple(sorted(self.tests[game, paragraph]))
                )
                for paragraph in library.rulebook(game)
                if (game, paragraph) in self.tests
            }
            for game in GAMES
        }


def collected() -> Enforced:
    collector = _Collector()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        code = pytest.main(["--collect-only", "-qq", "tests"], plugins=[collector])
    assert code == 0, f"the tests cannot be collected: {printed.getvalue()}"
    return collector.enforced()


def encoded(enforced: Enforced) -> bytes:
    return msgspec.json.format(msgspec.json.encode(enforced, order="sorted"), indent=1) + b"\n"


def needing_tests(game: str) -> list[str]:
    """Every paragraph but mere headings."""
    return [rule for rule, one in library.rulebook(game).items() if one.kind != (ParagraphKind.HEADING,)]


def report(enforced: Enforced) -> None:
    for game in GAMES:
        book = library.rulebook(game)
        needed = needing_tests(game)
        have = [rule for rule in needed if rule in enforced[game]]
        print(f"\n{game}: {len(have)} of {len(needed)} paragraphs have tests")
        for rule in needed:
            tests = enforced[game][rule].tests if rule in enforced[game] else ()
            print(f"  {rule:18}{len(tests) or '-':>4}  {book[rule].en}")


if __name__ == "__main__":
    found = collected()
    if "--check" in sys.argv:
        if ENFORCED.read_bytes() != encoded(found):
            sys.exit("rules/paragraphs/enforced.json is not what the marks say: run 'make paragraphs'")
    else:
        ENFORCED.write_bytes(encoded(found))
        report(found)
