"""Every screen through axe, by the rules of WCAG 2.2 A and AA, in both themes: nothing is found."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit

AXE = Path("ui/node_modules/axe-core/axe.min.js")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SCREENS = {
    "lobby": ("ann", "", ".tables, main"),
    "terminal": ("ann", "table/wu-song-1", ".felt .zone"),
    "electronic terminal": ("bao", "table/electronic-1", ".felt .zone"),
    "dealer": ("dora", "dealer/baccarat-2", "[data-step]"),
    "dealers": ("dora", "dealer", "main"),
    "pit": ("max", "pit", "article.tile"),
    "pit table": ("max", "pit/wu-song-1", "main h1, main h2"),
    "board": ("board", "board/wu-song-1", ".board"),
    "odds": ("max", "odds", "tr[data-bet]"),
    "cashier": ("cal", "cashier", "main h1"),
    "administration": ("root", "administration", "main h1"),
    "disputes": ("ada", "disputes", "main h1"),
}
OPENED = {
    "terminal": ("Pay table and rules", "Rounds", "Report something"),
    "lobby": ("Change password",),
}
"""Sheets of a screen, by the button that opens them."""
FOUND = """async (tags) => {
  const found = await axe.run(document, {runOnly: {type: "tag", values: tags}})
  return found.violations.flatMap((one) => one.nodes.map((node) =>
    `${one.id}: ${node.target.join(" ")}: ${node.failureSummary.replaceAll("\\n", " ").slice(0, 300)}`))
}"""


def check(page: Any) -> None:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(FOUND, TAGS) == []


@pytest.mark.parametrize("theme", ["felt", "desk"])
@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_can_be_used_by_everyone(visit: Visit, screen: str, theme: str) -> None:
    name, path, ready = SCREENS[screen]
    page = visit(name, path, reduced_motion="reduce")
    expect(page.locator(ready).first).to_be_visible()
    if page.locator("html").get_attribute("data-theme") != theme:
        page.evaluate("(theme) => localStorage.setItem('puntobanco.theme', theme)", theme)
        page.reload()
        expect(page.locator(ready).first).to_be_visible()
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
    check(page)
    for button in OPENED.get(screen, ()):
        page.get_by_role("button", name=button).first.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        check(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("theme", ["felt", "desk"])
def test_signing_in_can_be_done_by_everyone(browser: Any, house: Any, theme: str) -> None:
    page = browser.new_page()
    page.goto(f"{house.url}/u/12/")
    page.evaluate("(theme) => localStorage.setItem('puntobanco.theme', theme)", theme)
    page.reload()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    check(page)
    page.close()
