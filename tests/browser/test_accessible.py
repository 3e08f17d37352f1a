"""Every screen through axe, by the rules of WCAG 2.2 A and AA, in both themes: nothing is found."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.console import Console
from tests.browser.floor import seated, send
from tests.browser.house import Served

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
    "pit takings": ("max", "pit/wu-song-1/takings", "main table"),
    "pit shoe": ("max", "pit/wu-song-1/shoe", "section[aria-busy=false] .ranks"),
    "pit set-up": ("max", "pit/wu-song-1/setup", "[name=minimum]"),
    "pit people": ("max", "pit/wu-song-1/people", "[name=person]"),
    "pit float": ("max", "pit/wu-song-1/float", "[name=amount]"),
    "cashier's player": ("cal", "cashier/players/ann", "[data-wallet]"),
    "cashier's floats": ("cal", "cashier/floats", "tr[data-table]"),
    "cashier's waiting": ("cal", "cashier/waiting", "main h1"),
    "cashier's owed": ("cal", "cashier/owed", "main h1"),
    "people": ("root", "administration/people", "main h1"),
    "person": ("root", "administration/people/dora", "main h2"),
    "tables": ("root", "administration/tables", "tr[data-table]"),
    "games": ("root", "administration/games", "article[data-game]"),
    "book": ("root", "administration/book", "tbody tr"),
    "health": ("root", "administration/health", "main h2"),
    "disputed round": ("ada", "disputes/baccarat-1/1", "[data-sound]"),
}
OPENED = {
    "terminal": ("Pay table and rules", "Rounds", "Call supervisor", "Buy in"),
    "lobby": ("Change password",),
    "cashier": ("Admit a player",),
    "cashier's floats": ("Fill", "Count"),
    "people": ("Admit somebody",),
    "person": ("Disable",),
    "tables": ("Add a table",),
}
"""Sheets and dialogs of a screen, by the button that opens them."""
KEYS = {"betting": "bpo?", "closed": "l", "dealing": "nx"}
"""What a dealer opens by key, and when."""
FAULTS = 16
READY = 240_000
"""The first exact figures of a shoe take a while on a busy machine."""
FOUND = """async (tags) => {
  const seen = []
  const html = document.documentElement
  const [first, other] = html.dataset.theme === "felt" ? ["felt", "desk"] : ["desk", "felt"]
  const look = async (theme, only) => {
    html.dataset.theme = theme
    for (const { id, nodes } of (await axe.run(document, {runOnly: only})).violations)
      for (const { target, failureSummary } of nodes)
        seen.push(`${theme}: ${id}: ${target.join(" ")}: ${failureSummary.replaceAll("\\n", " ").slice(0, 300)}`)
  }
  await look(other, {type: "rule", values: ["color-contrast"]})
  await look(first, {type: "tag", values: tags})
  return seen
}"""
"""A theme is nothing but colours: in the other one they alone are looked at."""


def check(page: Any) -> None:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(FOUND, TAGS) == []


@pytest.fixture
def still(visit: Visit) -> Any:
    """A screen that shows what it has, without motion."""

    def opened(name: str, path: str, ready: str) -> Any:
        page = visit(name, path, reduced_motion="reduce")
        expect(page.locator(ready).first).to_be_visible(timeout=READY)
        return page

    return opened


def closed(page: Any) -> None:
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_can_be_used_by_everyone(still: Any, house: Served, screen: str) -> None:
    if screen == "disputed round":
        house.bring("baccarat-1", "settled")
    page = still(*SCREENS[screen])
    check(page)
    for button in OPENED.get(screen, ()):
        page.get_by_role("button", name=button).first.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        check(page)
        closed(page)


def test_the_shoe_and_a_payment_can_be_checked_by_everyone(still: Any, house: Served) -> None:
    house.bring("baccarat-1", "settled")
    shoe = still("ada", "disputes/baccarat-1/1", "[data-sound]")
    shoe.get_by_role("link", name="Check the shoe").click()
    expect(shoe.locator("[data-proven]")).to_be_visible()
    check(shoe)
    cashier = still("cal", "cashier/players/ann", "[data-wallet]")
    cashier.get_by_role("group").get_by_role("button", name="Deposit", exact=True).click()
    cashier.get_by_label("Amount").fill("100")
    cashier.locator("button.go").click()
    expect(cashier.get_by_role("dialog")).to_be_visible()
    check(cashier)
    closed(cashier)


def test_every_page_of_the_wizard_and_every_dialog_of_the_dealer(still: Any) -> None:
    page = still("dora", "dealer/baccarat-2", "[data-step]")
    dealer = Console(page, "baccarat-2")
    player = still("ann", "", "main")
    seated(player, "ann", 1)
    number = dealer.open()
    lines = [{"bet": "player", "amount": 100_00, "box": 1}]
    send(player, "ann", {"type": "PlaceBets", "round": number, "lines": lines})
    keys(page, KEYS["betting"])
    dealer.enter("close", "draw")
    keys(page, KEYS["closed"])
    dealer.deal("9S KD", then="draw")
    keys(page, KEYS["dealing"])
    page.keyboard.press("e")
    expect(page.locator("[data-fault]")).to_have_count(FAULTS)
    check(page)
    faults = [one.get_attribute("data-fault") for one in page.locator("[data-fault]").all()]
    closed(page)
    for fault in faults:
        page.keyboard.press("e")
        page.click(f'[data-fault="{fault}"]')
        expect(page.locator("dialog .then[aria-busy=false]")).to_be_visible()
        check(page)
        closed(page)
    dealer.deal("KH 7C", then="settle")
    check(page)
    dealer.settle()
    check(page)


def keys(page: Any, opening: str) -> None:
    for key in opening:
        page.keyboard.press(key)
        expect(page.get_by_role("dialog"), key).to_be_visible()
        check(page)
        closed(page)


def test_signing_in_can_be_done_by_everyone(browser: Any, house: Any) -> None:
    page = browser.new_page(reduced_motion="reduce")
    page.goto(f"{house.url}/u/12/")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    check(page)
    page.close()


GREY = """(rules) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(rules)
  document.adoptedStyleSheets = [sheet]
}"""


def test_a_colour_that_cannot_be_read_is_found_in_either_theme(still: Any) -> None:
    page = still("ann", "", "main")
    for theme in ("felt", "desk"):
        page.evaluate(
            GREY, f":root[data-theme={theme}] main * {{ color: #888 !important; background: #777 !important }}"
        )
        with pytest.raises(AssertionError, match=f"{theme}: color-contrast"):
            check(page)
    page.evaluate(GREY, "")
    check(page)
