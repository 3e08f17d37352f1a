"""The site: every page is reached, every link and anchor holds, and its figures are true."""

import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from docs.site import citations, diagrams, game_pages, traceability
from playwright.sync_api import sync_playwright

from puntobanco.rules import library
from puntobanco.rules.refusal import Reason
from puntobanco.web.http import asyncapi, openapi
from tests.browser.chromium import chromium
from tests.browser.conftest import FLAGS
from tests.last_run import counted_as

ROOT = Path(__file__).parents[2]
FIGURES = tomllib.loads((ROOT / "tests" / "golden" / "figures.toml").read_text(encoding="utf-8"))
FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """The links of a page, the places in it, and what a browser fetches for it."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.fetched: list[str] = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids += [given["id"]] if "id" in given else []
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in FETCHED and given.get(FETCHED[tag]):
            self.fetched.append(given[FETCHED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    made = subprocess.run(
        [sys.executable, "-m", "docs.site.build", folder], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (made.returncode, made.stderr) == (0, "")
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {file: Page(file) for file in sorted(site.rglob("*.html"))}


def test_every_link_and_anchor_of_the_site_holds(site: Path, pages: dict[Path, Page]) -> None:
    broken = []
    for file, page in pages.items():
        for link in {*page.links, *page.fetched}:
            if re.match(r"[a-z]+:", link):
                continue
            path, _, place = link.partition("#")
            target = (file.parent / unquote(path.partition("?")[0])).resolve() if path else file
            held = target.is_file() and (not place or target not in pages or unquote(place) in pages[target].ids)
            if not held:
                broken.append(f"{file.relative_to(site)}: {link}")
    assert broken == []


def test_a_place_of_a_page_has_an_id_of_its_own(site: Path, pages: dict[Path, Page]) -> None:
    twice = {
        str(file.relative_to(site)): [one for one, times in Counter(page.ids).items() if times > 1]
        for file, page in pages.items()
    }
    assert {name: ids for name, ids in twice.items() if set(ids) - {"arrow"}} == {}


def test_a_page_fetches_nothing_from_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    fetched = {link for page in pages.values() for link in page.fetched}
    assert [link for link in fetched if re.match(r"[a-z]+:|//", link) and not link.startswith("data:")] == []
    for style in site.rglob("*.css"):
        outside = re.findall(r"url\(\s*['\"]?(?:https?:)?//[^)]*", style.read_text(encoding="utf-8"))
        assert outside == [], style.name


def test_every_page_is_reached_from_the_home(site: Path, pages: dict[Path, Page]) -> None:
    found, waiting = set(), [site / "index.html"]
    while waiting:
        file = waiting.pop()
        if file in found or file not in pages:
            continue
        found.add(file)
        waiting += [(file.parent / unquote(link.partition("#")[0])).resolve() for link in pages[file].links]
    assert {file.name for file in pages.keys() - found} <= {"search.html", "genindex.html", "py-modindex.html"}


SEARCHES = {
    "5.4.1": "traceability/commission.html#p-5.4.1",
    "wu song 4.1.10": "traceability/wu-song.html#p-4.1.10",
    "INS-13": "rulings.html#INS-13",
    "庄家 佣金": "traceability/commission.html#p-4.1.1",
    "莊家 佣金": "traceability/commission.html#p-4.1.1",
    "differentials": "rulings.html#limits-and-the-differential",
    "restoring a backup": "store.html#backup-and-restore",
    "PlaceBets": "api-types.html#placebets",
    "not_enough_money": "api.html#reason-not_enough_money",
    "house_edge_resolved": "python.html#puntobanco.odds.Price.house_edge_resolved",
}
"""What somebody may look for, and what should come first."""


@pytest.mark.skipif(bool(os.environ.get("PUNTOBANCO_NO_BROWSER")), reason="PUNTOBANCO_NO_BROWSER is set")
def test_the_search_and_the_filters_work_without_a_server(site: Path) -> None:
    path = chromium()
    assert path is not None, "no Chromium"
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path or None, args=FLAGS)
        page = browser.new_page()
        failed: list[str] = []
        page.on("requestfailed", lambda request: failed.append(request.url))
        page.on("pageerror", lambda error: failed.append(str(error)))
        page.goto((site / "odds.html").as_uri())
        box = page.get_by_label("Search")
        for asked, first in SEARCHES.items():
            box.fill(asked)
            box.press("Enter")
            page.wait_for_url("**/search.html?*")
            link = page.locator("#search-results li a").first
            assert (asked, link.get_attribute("href")) == (asked, first)
            assert page.locator("#search-results mark").count() > 0, asked
        link.click()
        page.wait_for_url(f"**/{first}")
        for asked in ("lightning storm", "()", "5.4.1 INS-13 nothing", "<img src=x onerror=alert(1)>"):
            page.goto((site / "search.html").as_uri() + f"?q={quote(asked)}")
            assert page.locator("#search-status").inner_text() == f"Nothing was found for “{asked}”."
        page.goto((site / "traceability" / "index.html").as_uri())
        page.get_by_placeholder("Filter").fill("pro rata")
        page.get_by_label("Document").select_option("wu-song")
        shown = page.locator("table.filtered tbody tr:visible")
        assert 1 <= shown.count() <= 5
        assert {row.split()[0] for row in shown.all_inner_texts()} == {"wu-song"}
        page.goto((site / "traceability" / "wu-song.html").as_uri())
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        links = page.locator("td:has(details)")
        assert links.evaluate_all("cells => cells.every((cell) => cell.querySelector('details').open)")
        assert min(links.evaluate_all("cells => cells.map((cell) => cell.clientWidth)")) > 100, "broken into letters"
        page.emulate_media(media="screen")
        for width in (1280, 1024, 390):
            page.set_viewport_size({"width": width, "height": 900})
            for file in sorted(site.rglob("*.html")):
                page.goto(file.as_uri())
                over = page.evaluate("document.documentElement.scrollWidth")
                assert over <= width, f"{file.relative_to(site)} at {width}"
        assert failed == []
        browser.close()


def test_the_pages_of_the_api_explain_every_refusal_and_message(site: Path) -> None:
    api, live = ((site / name).read_text(encoding="utf-8") for name in ("api.html", "live.html"))
    for said, _ in openapi.PROBLEMS.values():
        assert escape(said.partition("`")[0].partition("'")[0], quote=False) in api
    assert {f"reason-{reason}" for reason in Reason} <= set(Page(site / "api.html").ids)
    assert {f"message-{tag.lower()}" for tag in asyncapi.document()["components"]["messages"]} <= set(
        Page(site / "live.html").ids
    )
    assert "Example: body" in api
    assert "Example: message" in live


@pytest.mark.parametrize("game", library.GAMES)
def test_every_paragraph_has_its_place_on_the_page_of_its_document(
    pages: dict[Path, Page], site: Path, game: str
) -> None:
    page = pages[site / "traceability" / f"{game}.html"]
    assert {traceability.name(one) for one in library.rulebook(game)} <= set(page.ids)


def test_every_ruling_has_its_place_and_shows_who_holds_it(pages: dict[Path, Page], site: Path) -> None:
    page = pages[site / "rulings.html"]
    assert {one.id for one in citations.rulings()} <= set(page.ids)
    assert (site / "rulings.html").read_text(encoding="utf-8").count("<details>") == len(citations.rulings())


@pytest.mark.parametrize("name", FIGURES["edge"][str(game_pages.DECKS)])
def test_the_house_edges_of_a_game_page_are_the_published_ones(name: str) -> None:
    game, layout, bet = name.split("/")
    text = game_pages.page(library.game(game))
    parts = [part for part in text.split("### Layout ")[1:] if layout in part.partition("\n")[0].split(", ")]
    row = re.search(rf"\| `{bet}` \| [^|]* \| (-?[\d.]+) % \|", parts[0] if parts else text)
    assert row is not None
    published = FIGURES["edge"][str(game_pages.DECKS)][name]
    assert round(float(row[1]), len(published.partition(".")[2])) == float(published)


def test_a_diagram_has_every_node_and_arrow() -> None:
    drawn = diagrams.drawn('```mermaid\nflowchart TD\n    n0["a/"]\n    n1["b/ & c"]\n    n0 --> n1\n```\n')
    assert (drawn.count("<rect"), drawn.count("marker-end")) == (2, 1)
    assert "b/ &amp; c" in drawn


def test_a_paragraph_is_as_well_as_its_worst_test() -> None:
    run = {"a": {"failed": False}, "b": {"failed": True}}
    assert traceability.result(["a"], run) == "passed"
    assert traceability.result(["a", "b"], run) == "failed"
    assert traceability.result(["a", "c"], run) == "not run"
    assert traceability.result([], run) == "no test"


def test_every_scenario_is_counted_for_itself_and_other_tests_whatever_their_parameters() -> None:
    assert (
        counted_as("tests/table/test_scenarios.py::test_the_incident_goes_as_written[a-1.2]") == "scenarios/a-1.2.toml"
    )
    assert counted_as("tests/a.py::test_b[x]") == "tests/a.py::test_b"


def test_a_run_adds_to_what_earlier_runs_found_and_a_blocked_one_adds_nothing(tmp_path: Path) -> None:
    file = tmp_path / "build" / "last-run.json"
    script = tmp_path / "test_a.py"
    script.write_text("def test_good():\n    pass\n\n\ndef test_bad():\n    assert not 1\n", encoding="utf-8")
    plugin = (
        "from pathlib import Path\nfrom tests.last_run import LastRun\n\ndef pytest_configure(config):\n"
        f"    config.pluginmanager.register(LastRun(Path({str(file)!r})), 'last-run')\n"
    )
    (tmp_path / "conftest.py").write_text(plugin, encoding="utf-8")

    def run(*more: str) -> dict[str, bool]:
        command = [sys.executable, "-m", "pytest", "-q", "-c", "/dev/null", "--rootdir", str(tmp_path), *more]
        known = {**os.environ, "PYTHONPATH": str(ROOT)}
        subprocess.run(command, cwd=tmp_path, env=known, capture_output=True, check=False)
        return {name: bool(went["failed"]) for name, went in traceability.last_run(file).items()}

    assert run("-p", "no:last-run", "test_a.py") == {}
    assert run("test_a.py::test_good") == {"test_a.py::test_good": False}
    assert run("test_a.py::test_bad") == {"test_a.py::test_good": False, "test_a.py::test_bad": True}
