"""A real Chromium before a real house. One of each for a file of tests; every test has tabs of its own.

Where the screens or a Chromium are missing the tests fail, unless `PUNTOBANCO_NO_BROWSER` says to go without.
"""

import os
from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect, sync_playwright

from puntobanco.web.http.static_files import BUILT
from tests.browser.chromium import chromium
from tests.browser.house import Served

WITHOUT = bool(os.environ.get("PUNTOBANCO_NO_BROWSER"))

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE = 20_000
expect.set_options(timeout=PATIENCE)
DESKTOP = {"width": 1440, "height": 900}

Visit = Callable[..., Any]

PRESSED = """
let pressed = null
addEventListener("pointerdown", (event) => {
  const control = event.target.closest?.("button, a, summary")
  pressed = control && { control, x: event.clientX, y: event.clientY }
}, true)
addEventListener("pointerup", (event) => {
  const { control, x, y } = pressed ?? {}
  pressed = null
  if (!control || Math.hypot(event.clientX - x, event.clientY - y) > 2) return
  if (!control.contains(document.elementFromPoint(x, y)))
    setTimeout(() => { throw new Error(`"${control.innerText}" moved away while it was pressed`) })
}, true)
"""
"""Fails the test in which a control moves away between press and release: the click of a person would be lost."""


def _check_wanted() -> None:
    if WITHOUT:
        pytest.skip("PUNTOBANCO_NO_BROWSER is set")


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """As the file wants it: its `HOUSE` says what is not as usual."""
    _check_wanted()
    if not (BUILT / "index.html").exists():
        pytest.fail("the screens have not been built: run `make ui`")
    served = Served(tmp_path_factory.mktemp("house"), **getattr(request.module, "HOUSE", {})).open()
    try:
        yield served
    finally:
        served.kill()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    _check_wanted()
    path = chromium()
    if path is None:
        pytest.fail("no Chromium: set CHROMIUM to one, or run `playwright install chromium`")
    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=path or None, args=FLAGS)
        try:
            yield opened
        finally:
            opened.close()


PAGES = pytest.StashKey[Callable[[], str]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call" and report.failed and PAGES in item.stash:
        report.sections.append(("pages", item.stash[PAGES]()))
    return report


def _account(page: Any) -> str:
    """What a page says when its test has failed: what the house answered is often only in a notice."""
    try:
        return f"==== {page.url}\n{page.locator('body').inner_text(timeout=5_000)}"
    except Exception as error:
        return f"==== {page.url}\n(not readable: {error})"


@pytest.fixture
def visit(browser: Any, house: Served, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Open a screen as somebody: `visit("ann", "table/wu-song-1")`. Nothing may go wrong unsaid in the page.

    When a test fails, the text of its pages and the end of the house's log are printed.
    """
    wrong: list[str] = []
    contexts = []

    def visited(name: str, path: str = "", viewport: dict[str, int] | None = None, **context: Any) -> Any:
        opened = browser.new_context(
            viewport=viewport or DESKTOP, **({"locale": "en-GB", "reduced_motion": "reduce"} | context)
        )
        contexts.append(opened)
        opened.set_default_timeout(PATIENCE)
        opened.add_init_script(PRESSED)
        page = opened.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(house.link(name, path))
        return page

    request.node.stash[PAGES] = lambda: "\n".join(
        [*(_account(page) for opened in contexts for page in opened.pages), "==== the log of the house", house.log()]
    )
    yield visited
    for opened in contexts:
        opened.close()
    assert not wrong
