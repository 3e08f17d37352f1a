"""Every block of code on our pages is executed, or is listed here with a reason. The tutorials have a test of their
own; the others are executed by the tests named in `EXECUTED_BY`, most of them below."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
import uvloop
import yaml

from puntobanco.house.operations.settings_loading import load
from puntobanco.protocol.export import FORMAT, Exported, ExportedRow
from puntobanco.protocol.live import FromScreen
from puntobanco.rules import library
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table.state import Phase
from puntobanco.web import routes
from puntobanco.web.http import examples
from puntobanco.web.http.operations import OPERATIONS, read_body
from puntobanco.web.http.refusals import problem
from tests.docs.test_tutorials import Folder, said
from tests.web.floor import until
from tests.web.house import PASSWORD, Premises, in_a_house

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


class Block(NamedTuple):
    page: str
    language: str
    text: str

    @property
    def begins(self) -> str:
        return self.text.partition("\n")[0]


def blocks(page: Path) -> Iterator[Block]:
    for language, text in re.findall(
        r"^```(\S*)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    ):
        yield Block(str(page.relative_to(ROOT)), language, text)


BLOCKS = [block for page in PAGES for block in blocks(page)]

EXECUTED_BY: dict[tuple[str, str, str], str] = {
    (r"docs/index\.md", r"\{toctree\}", r""): "tests/docs/test_site.py: the navigation of the site",
    (r"docs/tutorials/.*", r".*", r""): "tests/docs/test_tutorials.py",
    (r"docs/operator/.*", r"sh", r""): "tests/deploy/test_guide.py",
    (r"docs/(odds|README)\.md|README\.md", r"python", r">>> "): "the doctests of these pages (pyproject.toml)",
    (r"docs/odds\.md", r"console", r""): "test_a_command_of_the_page_on_odds_prints_what_the_page_shows",
    (r"docs/odds\.md", r"text", r'\{"game"'): "test_the_object_of_the_page_on_odds_is_that_of_the_command",
    (r"docs/scenarios\.md", r"toml|text", r""): "tests/table/test_scenario_page.py",
    (r"docs/scenarios\.md", r"console", r""): "test_what_the_page_on_scenarios_shows_is_printed",
    (r"CONTRIBUTING\.md", r"toml", r"key = "): "tests/cli/test_designing.py",
    (r"README\.md", r"sh", r"puntobanco "): "test_the_house_of_the_readme_opens",
    (r"docs/install\.md", r"sh", r"python3 -m venv"): "tests/browser/test_packages.py",
    (r"README\.md|docs/integrator\.md", r"python", r"from puntobanco\.client"): "test_the_programs_of_the_pages_run",
    (r"docs/integrator\.md", r"http", r""): "test_the_requests_of_the_guide_are_understood",
    (r"docs/integrator\.md", r"json", r""): "test_the_refusal_of_the_guide_is_the_one_that_is_sent",
    (r"docs/store\.md", r"python", r""): "test_the_example_of_the_store_works",
    (r"docs/formats\.md", r"python", r""): "test_an_exported_round_is_verified_as_the_page_on_formats_says",
    (r"docs/operator/start\.md", r"toml", r""): "test_the_settings_of_the_guide_are_accepted",
    (r"docs/operator/watching\.md", r"yaml", r""): "test_the_settings_of_the_guide_are_accepted",
    (r"README\.md", r"|mermaid", r"src/puntobanco|ui/|flowchart"): "tests/test_tidy.py: the map of the repository",
    (r"docs/round\.md", r"mermaid", r""): "tests/table/test_command_table.py: the page is generated",
}
"""By page, language and first line, each a pattern."""
NOT_EXECUTED = {
    ("README.md", "make run"): "starts the demonstration until Ctrl-C, and the suite itself",
    (
        "README.md",
        "pip install puntobanco ",
    ): "needs a published release; tests/browser/test_packages.py installs a wheel",
    ("docs/install.md", "pip install --no-deps"): "needs a published release",
    ("docs/install.md", "export PIP_NO_INDEX"): "continues the block before it",
    ("docs/odds.md", "dask scheduler"): "needs several machines; tests/odds/test_cluster.py runs a cluster on one",
    (
        "docs/operator/backup.md",
        "WRONG: ",
    ): "needs a forged store; tests/house/audit forges them and reads what is said",
    ("docs/rulings.md", "TB, TP"): "the algorithm in words; the rulings above it are held by tests",
}
"""By page and how the block begins."""


def test_every_block_is_executed_or_says_why_not() -> None:
    used, excused = set[tuple[str, str, str]](), set[tuple[str, str]]()
    for block in BLOCKS:
        by = {
            key
            for key in EXECUTED_BY
            if re.fullmatch(key[0], block.page)
            and re.fullmatch(key[1], block.language)
            and re.match(key[2], block.text)
        }
        reasons = {key for key in NOT_EXECUTED if key[0] == block.page and block.text.startswith(key[1])}
        assert len(by) + len(reasons) == 1, f"{block.page}: {block.language} {block.begins}"
        used, excused = used | by, excused | reasons
    assert used == EXECUTED_BY.keys(), "nothing to execute"
    assert excused == NOT_EXECUTED.keys(), "nothing to excuse"
    here = {name for name in EXECUTED_BY.values() if name.startswith("test_")}
    assert here <= globals().keys(), "no such test"


def of(page: str, language: str, begins: str = "") -> list[str]:
    found = [one.text for one in BLOCKS if (one.page, one.language) == (page, language) and one.text.startswith(begins)]
    assert found, (page, language, begins)
    return found


# ---- commands ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", of("docs/odds.md", "console"), ids=lambda text: text.partition("\n")[0][2:50])
def test_a_command_of_the_page_on_odds_prints_what_the_page_shows(text: str, tmp_path: Path) -> None:
    command, _, shown = text.removeprefix("$ ").partition("\n")
    said(shown, Folder(tmp_path).run(command))


def test_the_object_of_the_page_on_odds_is_that_of_the_command(tmp_path: Path) -> None:
    """Of which the page shows the beginning, with `...` for what it leaves out."""
    (sample,) = of("docs/odds.md", "text", '{"game"')
    folder = Folder(tmp_path)
    told, insured = (json.loads(folder.run(f"puntobanco odds {game} --json")) for game in ("commission", "insurance"))
    assert re.match(r'\{"game": "commission", "layout": "A", "decks": 8,', sample)
    bet = told["bets"]["banker"]
    for field, value in re.findall(
        r'"(\w+)": "?(-?\d[\d./]*)', sample.partition('"insurance"')[0].partition('"bets"')[2]
    ):
        known = [bet.get(field), bet["decimal"].get(field), bet["probability"].get(field)]
        known.append(told["correlation"]["banker"].get(field))
        places = len(value.partition(".")[2])
        assert value in [f"{one:.{places}f}" if isinstance(one, float) else str(one) for one in known], field
    cell = {name: json.loads(value) for name, value in re.findall(r'"(\w+)": ("[^"]*"|\d+)', sample.partition("[{")[2])}
    assert any(cell.items() <= one.items() for one in insured["insurance"])


def test_what_the_page_on_scenarios_shows_is_printed(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    for text in of("docs/scenarios.md", "console"):
        for part in text.removeprefix("$ ").split("\n$ "):
            command, _, shown = part.partition("\n")
            said(shown, folder.run(command))


FILE = "scenarios/commission-5.5.4-shoe-runs-out.toml"
README = (ROOT / "README.md").read_text(encoding="utf-8")
TYPED = re.findall(r"^\| `(puntobanco (?!serve|house)[^`]*)` \|", README, re.MULTILINE)


@pytest.mark.parametrize("command", TYPED)
def test_a_command_of_the_readme_works(command: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    if command.startswith("puntobanco check"):
        folder.run("puntobanco new my-game.toml --like super-six")
    assert folder.run(command.replace("FILE", FILE) + " < /dev/null")


def test_every_command_of_a_house_in_the_readme_exists(tmp_path: Path) -> None:
    rows = re.findall(r"^\| `(puntobanco (?:serve|house)[^`]*)` \|", README, re.MULTILINE)
    assert len(rows) >= 10
    folder = Folder(tmp_path)
    for row in rows:
        words = re.sub(r"( --demo| wallet:| \[?[A-Z]+\]?)", "", row).split(" ")
        for last in words[-1].replace("\\", "").split("|"):
            assert f"Usage: {' '.join([*words[:-1], last])}" in folder.run(" ".join([*words[:-1], last, "--help"]))


def test_the_house_of_the_readme_opens(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    (text,) = of("README.md", "sh", "puntobanco house init")
    *before, last = (line.partition(" #")[0].strip() for line in text.splitlines())
    try:
        for command in before:
            folder.run(command)
        folder.start(last)
    finally:
        folder.stop()


# ---- programs ------------------------------------------------------------------------------------------------------


def awaited(program: str, known: dict[str, Any]) -> Any:
    """Runs a program that awaits outside a function, as it stands on a page."""
    return eval(compile(program, "page", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), known)


@in_a_house()
async def test_the_programs_of_the_pages_run(premises: Premises) -> None:
    await premises.services.identity.passwords.set("ann", PASSWORD)
    await premises.add([("wu-song-1", "wu-song", {})], betting=60_000)
    table = premises.services.house.tables["wu-song-1"]
    await until(lambda: table.state.phase is Phase.BETTING)
    known: dict[str, Any] = {}
    for page in ("README.md", "docs/integrator.md"):
        for text in of(page, "python", "from puntobanco.client"):
            program = re.sub(r'(?<=Client\(")[^"]*', premises.url, text)
            await awaited(re.sub(r'(?<="ann", ")[^"]*', PASSWORD, program), known)
    assert known["table"].public.phase == "betting"
    assert known["answer"].refusal is None
    wallet = json.loads((await (await premises.visitor("ann")).get("/wallet")).content)
    assert wallet["purses"] == {"wu-song-1": 900_00}


def test_the_requests_of_the_guide_are_understood() -> None:
    """Each body is one that the operation at this address accepts, and each answer one that it gives."""
    assert routes.PARTS, "the operations are declared"
    for text in of("docs/integrator.md", "http"):
        method, path, *bodies = re.fullmatch(r"(\w+) /u/0/api(\S+)\n(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
        (found,) = [
            one
            for one in OPERATIONS
            if one.method == method and re.fullmatch(re.sub(r"\{\w+\}", r"[^/]+", one.path), path)
        ]
        asked, _, given = bodies[0].partition("\n\n")
        read_body(asked.encode(), found.takes)
        if given:
            msgspec.json.decode(given, type=found.gives)


def test_the_messages_of_the_guide_are_understood() -> None:
    """Those in the table of what a program sends."""
    text = (ROOT / "docs" / "integrator.md").read_text(encoding="utf-8")
    written = re.findall(
        r"^\| `(\{.*?\})` \|", text.partition("| you send |")[2].partition("| the house sends |")[0], re.MULTILINE
    )
    assert len(written) == 6
    for message in written:
        command = '{"type":"PlaceBets","round":12,"lines":[]}'
        msgspec.json.decode(message.replace("{...}", command), type=FromScreen)


def test_the_refusal_of_the_guide_is_the_one_that_is_sent() -> None:
    (text,) = of("docs/integrator.md", "json")
    refused = Refused(Reason.NOT_ENOUGH_MONEY, stake="1000.00", purse="100.00")
    assert json.loads(text).items() <= msgspec.to_builtins(problem(refused, library.sentences("en"))).items()


def test_an_exported_round_is_verified_as_the_page_on_formats_says(tmp_path: Path) -> None:
    (page,) = (page for page in PAGES if page.name == "formats.md")
    (block,) = blocks(page)
    ((_, exported),) = examples.of_answers()[Exported].values()
    (tmp_path / "round.json").write_bytes(exported.written())

    def printed() -> list[str]:
        run = [sys.executable, "-I", "-c", block.text]
        return subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.splitlines()

    right = printed()
    assert right == ["seal True", *(f"{row.version} {row.kind} True" for row in exported.rows)]
    altered = exported.rows[0].body.replace("dora", "sue")
    assert altered != exported.rows[0].body
    rows = (msgspec.structs.replace(exported.rows[0], body=altered), *exported.rows[1:])
    (tmp_path / "round.json").write_bytes(msgspec.structs.replace(exported, rows=rows).written())
    assert [line.endswith("True") for line in printed()] == [False] * len(right)
    text = page.read_text(encoding="utf-8")
    for kind in (Exported, ExportedRow):
        assert [field for field in kind.__struct_fields__ if f"`{field}`" not in text] == []
    assert f"`{FORMAT}`" in text


def test_the_example_of_the_store_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (text,) = of("docs/store.md", "python")
    known: dict[str, Any] = {}

    async def whole() -> None:
        await awaited(text, known)

    uvloop.run(whole())
    assert known["epoch"] == 1
    assert (tmp_path / "house.db").exists()


def test_the_settings_of_the_guide_are_accepted(tmp_path: Path) -> None:
    (text,) = of("docs/operator/start.md", "toml")
    file = tmp_path / "puntobanco.toml"
    file.write_text(text, encoding="utf-8")
    assert load(file, {}).web.public_url == "https://tables.example"
    (text,) = of("docs/operator/watching.md", "yaml")
    told = yaml.safe_load(text)
    written = "".join(of("docs/operator/watching.md", "sh"))
    assert all(place in written for place in told["rule_files"])
    assert told["scrape_configs"][0]["authorization"]["credentials_file"] in written
