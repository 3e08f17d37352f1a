"""People are called by their titles on every screen; the name they sign in with is shown only where two people must be
told apart: in the lists of administration and cashier."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from puntobanco.web.demo import PEOPLE
from tests.browser.conftest import Visit
from tests.browser.console import Console
from tests.browser.floor import TABLE, call, seated, send

HOUSE = {"by_hand": True, "attended": True}
NAMES = re.compile(
    rf"(?<![\w-])(?<!sign-in name )(?<!sign-in as )({'|'.join(name for name in PEOPLE if name != 'board')})(?![\w-])"
)
"""Every title begins with a capital letter; `board` is a word as well."""
TEXTS = """() => {
  for (const one of document.querySelectorAll("[data-told-apart]")) one.remove()
  const told = [...document.querySelectorAll("[aria-label], [title], [placeholder]")].flatMap((one) =>
    ["aria-label", "title", "placeholder"].map((name) => one.getAttribute(name) ?? ""))
  const typed = [...document.querySelectorAll("datalist option")].map((one) => one.value)
  const shown = [...document.querySelectorAll("option")].map((one) => one.label)
  return [document.title, document.body.innerText, ...told, ...typed, ...shown].join("\\n")
}"""
ROUND_OF_ANN = "round"

WALKS = {
    "ann": ("", f"table/{TABLE}"),
    "bao": (f"table/{TABLE}",),
    "dora": ("", "dealer", f"dealer/{TABLE}"),
    "sue": ("pit", f"pit/{TABLE}", "disputes", f"disputes/{TABLE}/{ROUND_OF_ANN}", "cashier/waiting"),
    "max": ("pit", f"pit/{TABLE}", "odds", "odds/commission/edges"),
    "tom": ("pit", f"pit/{TABLE}"),
    "cal": ("cashier", "cashier/players/ann", "cashier/floats", "cashier/waiting", "cashier/owed"),
    "ada": ("disputes", f"disputes/{TABLE}/{ROUND_OF_ANN}", "administration/book", "administration/people/ann"),
    "root": (
        "administration", "administration/people/dora", "administration/tables", "administration/book",
        "administration/waiting", "administration/health",
    ),
    "board": ("board", f"board/{TABLE}"),
}  # fmt: skip


@pytest.fixture(scope="module")
def played() -> list[int]:
    return []


@pytest.fixture
def round_of_ann(visit: Visit, played: list[int]) -> int:
    """Staff with roles at the table, a round with bets of two players, a queued change, alerts, money moved, and
    requests that wait for a second person and for a guest."""
    if played:
        return played[0]
    sue, max_, tom, cal = (visit(name) for name in ("sue", "max", "tom", "cal"))
    send(max_, "max", {"type": "Assign", "person": "dora", "role": "dealer"})
    send(max_, "max", {"type": "Assign", "person": "sue", "role": "pit_supervisor"})
    dealer = Console(visit("dora", f"dealer/{TABLE}"), TABLE)
    expect(dealer.next).to_be_visible()
    number = dealer.open()
    for name, box, bet in (("ann", 1, "player"), ("bao", 2, "banker")):
        page = visit(name, f"table/{TABLE}")
        seated(page, name, box)
        lines = [{"bet": bet, "amount": 500_00, "box": box}]
        send(page, name, {"type": "PlaceBets", "round": number, "lines": lines})
    dealer.enter("close", "draw")
    dealer.deal("9S KD KH 7C", "settle")
    dealer.settle()
    bets = [{"owner": "ann", "box": 1, "bet": "player", "terms": "return"}]
    decision = {"type": "DecideUnprovided", "round": number, "decision": "the bet is returned", "bets": bets}
    send(tom, "tom", decision | {"reason": "it was called as a bet on the Banker"})
    fill = {"type": "Fill", "table": TABLE, "amount": 1_000_00}
    call(sue, "sue", "POST", "/office", {"request": "fill", "command": fill})
    take = {"type": "Withdraw", "person": "bao", "amount": 50_00}
    call(cal, "cal", "POST", "/office", {"request": "take", "command": take})
    give = {"type": "Deposit", "person": "ann", "amount": 70_00}
    call(cal, "cal", "POST", "/office", {"request": "give", "command": give})
    played.append(number)
    return number


def shown(page: Any) -> str:
    """Everything a person can read in a page, whatever it takes to see it, but for where people are told apart."""
    page.wait_for_load_state("networkidle")  # titles that were asked for are there
    return str(page.evaluate(TEXTS))


@pytest.mark.parametrize("name", WALKS)
def test_no_screen_shows_the_name_somebody_signs_in_with(visit: Visit, round_of_ann: int, name: str) -> None:
    for path in WALKS[name]:
        page = visit(name, path.replace(f"/{ROUND_OF_ANN}", f"/{round_of_ann}"))
        page.locator("main, .board").first.wait_for()
        page.wait_for_load_state("networkidle")
        for fold in page.locator("details:not([open]) > summary").all():
            fold.evaluate("(one) => (one.parentElement.open = true)")
        text = shown(page)
        assert len(text) > 40, path
        found = {match: text[max(0, match.start() - 40) : match.end() + 40] for match in NAMES.finditer(text)}
        assert not found, f"{name} at {path}: {list(found.values())}"


def test_the_titles_are_there(visit: Visit, round_of_ann: int) -> None:
    page = visit("sue", f"disputes/{TABLE}/{round_of_ann}")
    expect(page.locator("main")).to_contain_text("Ann has 500 on Player")
    page = visit("max", "pit")
    waiting = page.get_by_role("region", name="Second person")
    expect(waiting).to_contain_text("Tom")
    expect(waiting).to_contain_text("Ann")
    page = visit("bao", f"table/{TABLE}")
    expect(page.locator("[data-asked]")).to_contain_text("Cal")
    page = visit("root", "administration/book")
    expect(page.locator("tbody")).to_contain_text("70 deposited for Ann")
