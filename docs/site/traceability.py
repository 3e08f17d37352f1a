"""Traceability: every paragraph with our summary, the code and tests that enforce it, scenarios, rulings, and how its
tests last went."""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path

import msgspec

from docs.site.citations import ROOT, SCENARIOS, Citations, citations, rulings
from docs.site.tables import anchor, folded, link, markdown_table
from puntobanco.rules import library
from puntobanco.rules.library import Enforcement, Paragraph, ParagraphKind

LAST_RUN = ROOT / "build" / "last-run.json"
NUMBERS = {"commission": "000", "non-commission-etg": "001", "super-six": "002", "insurance": "003", "wu-song": "004"}
"""How docs/rulings.md names the documents."""
_BEHIND = ("Tests", "Scenarios", "Rulings", "Last run*")


def _head(*columns: str) -> str:
    """A row of heads; by a column marked with a star the table can be filtered."""
    return "".join(f"<th data-choose>{one[:-1]}</th>" if one.endswith("*") else f"<th>{one}</th>" for one in columns)


class Scenario(msgspec.Struct, frozen=True):
    name: str
    title: str
    game: str
    paragraphs: tuple[str, ...]
    rulings: tuple[str, ...]


class Traced(msgspec.Struct, frozen=True):
    """Everything that stands behind one paragraph."""

    game: str
    id: str
    paragraph: Paragraph
    enforcement: Enforcement
    scenarios: tuple[str, ...]
    rulings: tuple[str, ...]
    result: str


@cache
def scenarios() -> tuple[Scenario, ...]:
    found = []
    for file in sorted(SCENARIOS.glob("*.toml")):
        read = tomllib.loads(file.read_text(encoding="utf-8"))
        cited = {key: tuple(read.get(key, ())) for key in ("paragraphs", "rulings")}
        found.append(Scenario(file.stem, read["title"], read["game"], cited["paragraphs"], cited["rulings"]))
    return tuple(found)


def traced(game: str, last_run: Mapping[str, Mapping[str, object]]) -> Iterator[Traced]:
    enforced = library.enforcement(game)
    for id, paragraph in library.rulebook(game).items():
        behind = enforced.get(id, Enforcement(code=(), tests=()))
        told = tuple(one.name for one in scenarios() if one.game == game and id in one.paragraphs)
        ruled = tuple(one.id for one in rulings() if one.cites(NUMBERS[game], id))
        names = [*behind.tests, *(f"scenarios/{name}.toml" for name in told)]
        heading = paragraph.kind == (ParagraphKind.HEADING,)
        went = "heading" if heading else result(names, last_run)
        yield Traced(game, id, paragraph, behind, told, ruled, went)


def result(names: Sequence[str], last_run: Mapping[str, Mapping[str, object]]) -> str:
    """The worst of them: failed, not run, passed."""
    if not names:
        return "no test"
    if any(last_run.get(name, {}).get("failed") for name in names):
        return "failed"
    return "passed" if all(name in last_run for name in names) else "not run"


def last_run(file: Path = LAST_RUN) -> Mapping[str, Mapping[str, object]]:
    """How each test last went; nothing if none was run here."""
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


# ---- pages -------------------------------------------------------------------------------------------------------


def pages(run: Mapping[str, Mapping[str, object]] | None = None) -> Iterator[tuple[str, str]]:
    went = last_run() if run is None else run
    of = {game: tuple(traced(game, went)) for game in library.GAMES}
    yield "traceability/index.md", _overview(of, went)
    for game, ones in of.items():
        yield f"traceability/{game}.md", _document(game, ones, went)
    yield "rulings.md", _rulings((ROOT / "docs" / "rulings.md").read_text(encoding="utf-8"))
    yield "scenarios-played.md", _scenarios(went)


def _overview(of: Mapping[str, Sequence[Traced]], went: Mapping[str, Mapping[str, object]]) -> str:
    rows = markdown_table(
        ("document", "paragraphs", "with tests", "tests", "with scenarios", "last run"),
        [
            (
                link(library.game(game).title.en, f"{game}.md"),
                str(len(ones)),
                str(sum(bool(one.enforcement.tests) for one in ones)),
                str(len({test for one in ones for test in one.enforcement.tests})),
                str(sum(bool(one.scenarios) for one in ones)),
                ", ".join(f"{sum(one.result == word for one in ones)} {word}" for word in _results(ones)),
            )
            for game, ones in of.items()
        ],
    )
    cells = "\n".join(_line(one) for ones in of.values() for one in ones)
    return f"""# Traceability

Every paragraph of the five documents in our own words, and what stands behind it: the code that enforces it, the tests
that show it, the scenarios that play it, the [rulings](../rulings.md) that interpret it, and how those tests and
scenarios last went {_when(went)}. The page of a document prints.

{rows}

## Every paragraph

<table class="filtered unsearched">
<thead><tr>{_head("Document*", "Paragraph", "In our words", "Kind*", "How*", *_BEHIND)}</tr></thead>
<tbody>
{cells}
</tbody>
</table>
"""


def _line(one: Traced) -> str:
    counts = (len(one.enforcement.tests), len(one.scenarios), len(one.rulings))
    return (
        f"<tr><td>{anchor(one.game, f'{one.game}.html')}</td>"
        f"<td>{anchor(one.id, f'{one.game}.html#{name(one.id)}')}</td>"
        f'<td class="said">{escape(one.paragraph.en)}</td>{_kinds(one.paragraph)}'
        f"{''.join(f'<td>{count}</td>' for count in counts)}{_went(one.result)}</tr>"
    )


def _results(ones: Sequence[Traced]) -> list[str]:
    return [
        word
        for word in ("passed", "failed", "not run", "no test", "heading")
        if any(one.result == word for one in ones)
    ]


def _document(game: str, ones: Sequence[Traced], went: Mapping[str, Mapping[str, object]]) -> str:
    cells = "\n".join(
        f'<tr id="{name(one.id)}"><td>{escape(one.id)}</td>'
        f'<td class="said">{escape(one.paragraph.en)}<br><span lang="zh">'
        f"{escape(one.paragraph.zh)}</span></td>{_kinds(one.paragraph)}"
        f"<td>{folded([link_to_code(code) for code in one.enforcement.code])}</td>"
        f"<td>{folded([link_to_test(test) for test in one.enforcement.tests])}</td>"
        f"<td>{folded([link_to_scenario(told) for told in one.scenarios])}</td>"
        f"<td>{' '.join(anchor(id, f'../rulings.html#{id}') for id in one.rulings)}</td>{_went(one.result)}</tr>"
        for one in ones
    )
    found = library.game(game)
    return f"""# {found.title.en}: paragraph by paragraph

{found.document}. Fingerprint of the game file: `{found.fingerprint}`. Last run {_when(went)}. Links to code, tests and
scenarios open the files as text. To print everything, unfolded, use the browser's print command.

<table class="filtered">
<thead><tr>{_head("Paragraph", "In our words", "Kind*", "How*", "Code", *_BEHIND)}</tr></thead>
<tbody>
{cells}
</tbody>
</table>
"""


def _scenarios(went: Mapping[str, Mapping[str, object]]) -> str:
    cells = "\n".join(
        f'<tr id="{one.name}"><td>{anchor(one.title, f"files/scenarios/{one.name}.toml.txt")}</td><td>{one.game}</td>'
        f"<td>{' '.join(_paragraph_link(one.game, id) for id in one.paragraphs)}</td>"
        f"<td>{' '.join(anchor(id, f'rulings.html#{id}') for id in one.rulings)}</td>"
        f"{_went(result([f'scenarios/{one.name}.toml'], went))}</tr>"
        for one in scenarios()
    )
    return f"""# Scenarios that are played

Incidents at a table, written as files and played by the suite. [How to write one](scenarios.md).

<table class="filtered">
<thead><tr>{_head("Scenario", "Game*", "Paragraphs", "Rulings", "Last run*")}</tr></thead>
<tbody>
{cells}
</tbody>
</table>
"""


def _paragraph_link(game: str, id: str) -> str:
    return anchor(id, f"traceability/{game}.html#{name(id)}") if id in library.rulebook(game) else escape(id)


def _rulings(written: str) -> str:
    """The page as it is written, with an anchor for each id and a last column: who holds it."""
    cited = citations()
    before, rows, after = written.partition("## Documents, dates")
    lines = before.splitlines()
    for line in (rows + after).splitlines():
        cells = line.split(" | ", 1)
        id = cells[0].removeprefix("| ")
        if id in cited and len(cells) == 2:
            lines.append(f'| <span id="{id}">{id}</span> | {cells[1]} {_held(cited[id])} |')
        elif line.startswith("| Id |"):
            lines.append(f"{line} Held by |")
        elif lines and lines[-1].startswith("| Id |"):
            lines.append(f"{line}---|")
        else:
            lines.append(line)
    return "\n".join([*lines, ""])


def _held(cited: Citations) -> str:
    return folded(
        [link_to_test(one, "") for one in cited.tests] + [link_to_scenario(one, "") for one in cited.scenarios]
    ).replace("|", "&#124;")


def name(paragraph: str) -> str:
    """The anchor of a paragraph."""
    return f"p-{paragraph.replace(' ', '-')}"


def code_file(code: str) -> str:
    """Where the code is: its module as text."""
    parts = code.split(".")
    while parts:
        for file in (Path("src", *parts).with_suffix(".py"), Path("src", *parts, "__init__.py")):
            if (ROOT / file).exists():
                return f"../files/{file}.txt"
        parts.pop()
    raise LookupError(code)


def link_to_code(code: str) -> str:
    return anchor(code.removeprefix("puntobanco."), code_file(code))


def link_to_test(test: str, up: str = "../") -> str:
    file, _, function = test.partition("::")
    said = function.removeprefix("test_").replace("_", " ")
    return anchor(said, f"{up}files/{file}.txt")


def link_to_scenario(scenario: str, up: str = "../") -> str:
    return anchor(scenario, f"{up}files/scenarios/{scenario}.toml.txt")


def _kinds(paragraph: Paragraph) -> str:
    return "".join(
        f'<td data-values="{"|".join(words)}">{", ".join(words)}</td>' for words in (paragraph.kind, paragraph.mode)
    )


def _went(word: str) -> str:
    return f'<td><span class="{word.replace(" ", "-")}">{word}</span></td>'


def _when(went: Mapping[str, Mapping[str, object]]) -> str:
    times = sorted(str(one["at"]) for one in went.values())
    return f"({times[0]} to {times[-1]} UTC)" if times else "(nothing was run where this site was built)"
