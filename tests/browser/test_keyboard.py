"""The dealer console and the pit by keyboard alone: Tab follows the eye, and Enter submits from every field."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.console import Console
from tests.browser.floor import TABLE, seated, send, view

HOUSE = {"by_hand": True, "attended": True}

AT = """() => {
  const here = document.activeElement
  if (!here || here === document.body || here.matches(".skip")) return null
  const { left, right, top, bottom } = here.getBoundingClientRect()
  let down = 0
  for (let up = here.parentElement; up; up = up.parentElement) {
    down += up.scrollTop
    if (["fixed", "sticky"].includes(getComputedStyle(up).position)) break
  }
  window.tabbed ??= new Map()
  if (!window.tabbed.has(here)) window.tabbed.set(here, window.tabbed.size)
  const words = here.getAttribute("aria-label") || here.name || here.innerText?.trim().split("\\n")[0] || here.tagName
  return { key: window.tabbed.get(here), words, left, right, top: top + down, bottom: bottom + down }
}"""
"""The element that has the focus, and where it lies."""

HELD_BACK = """() => {
  window.submitted = 0
  addEventListener("submit", (event) => {
    window.submitted += 1
    event.preventDefault()
    event.stopImmediatePropagation()
  }, true)
}"""
"""Counts what is submitted, and sends nothing."""

FIELDS = "input:visible:enabled, select:visible:enabled"
FILLED = {
    "amount": "100",
    "cards": "9S",
    "card": "8D",
    "reason": "seen by camera",
    "note": "seen by camera",
    "shoe": "a set",
}
LESS = 6
"""Pixels by which things in one row may lie apart."""


def walk(page: Any, most: int = 120) -> list[dict[str, Any]]:
    """What Tab reaches, one after the other, from where the focus is, once round."""
    page.evaluate("() => (window.tabbed = undefined)")
    found: list[dict[str, Any]] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        at = page.evaluate(AT)
        if at is None:
            continue
        if found and at["key"] == found[0]["key"]:
            break
        found.append(at)
    return found


def against_the_eye(found: list[dict[str, Any]]) -> Iterator[str]:
    """From every element the next lies below, or to the right: of it, or in a further column. The steps that do not:
    one of them leads from the last to the first."""
    for one, other in zip(found, found[1:] + found[:1], strict=True):
        above = other["bottom"] <= one["top"] + LESS
        below = other["top"] >= one["bottom"] - LESS
        if (above and other["left"] < one["right"] - LESS) or (not above and not below and other["left"] < one["left"]):
            yield f"{one['words']} -> {other['words']}"


def check_order(page: Any, what: str, least: int = 2) -> None:
    found = walk(page)
    assert len(found) >= least, (what, found)
    assert len(list(against_the_eye(found))) <= 1, (what, list(against_the_eye(found)))


def fill(form: Any) -> None:
    """Something valid in every field."""
    for field in form.locator(FIELDS).all():
        kind, name = field.get_attribute("type") or "", field.get_attribute("name") or ""
        if field.evaluate("one => one.tagName") == "SELECT":
            if not field.input_value():
                field.select_option(index=1)
        elif kind == "checkbox":
            field.check()
        elif kind != "radio" and not field.input_value() and name != "maximum":
            field.fill(FILLED.get(name, "9S" if name.startswith("face") else "text"))


def check_enter(page: Any, form: Any, what: str) -> None:
    """Enter in every field submits the form once."""
    fields = form.locator(FIELDS).all()
    assert fields, what
    for field in fields:
        before = page.evaluate("() => window.submitted")
        field.focus()
        page.keyboard.press("Enter")
        named = field.get_attribute("name") or field.get_attribute("aria-label")
        assert page.evaluate("() => window.submitted") == before + 1, (what, named)


def check_dialog(page: Any, what: str) -> None:
    """Order and Enter of the dialog that is open, and Escape, which closes it."""
    dialog = page.locator("dialog[open]")
    expect(dialog).to_be_visible()
    check_order(page, what, 1)
    for form in dialog.locator("form").all():
        fill(form)
        name = form.get_attribute("id")
        submits = page.locator(f"[type=submit][form='{name}']") if name else form.locator("[type=submit]")
        expect(submits).to_be_enabled()
        check_enter(page, form, what)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@pytest.fixture
def dealer(visit: Visit) -> Iterator[Console]:
    """Betting is open, and Ann has a bet. The round is over afterwards."""
    found, ann = Console(visit("dora", f"dealer/{TABLE}"), TABLE), visit("ann")
    expect(found.next).to_be_visible()
    if found.state["phase"] != "betting":
        found.open()
    number = found.state["round"]
    seated(ann, "ann", 1)
    send(ann, "ann", {"type": "PlaceBets", "round": number, "lines": [{"bet": "player", "amount": 200_00, "box": 1}]})
    expect(found.page.get_by_text("200").first).to_be_visible()
    found.page.evaluate(HELD_BACK)
    yield found
    over(found)


def over(dealer: Console) -> None:
    """The round is played to its end past the screen."""
    number, lie = dealer.state["round"], len(dealer.state["cards"])
    if dealer.state["phase"] == "settled":
        return
    if dealer.state["phase"] == "betting":
        send(dealer.page, "dora", {"type": "CloseBetting", "round": number})
    for index, (rank, suit) in list(enumerate([(9, "♠"), (13, "♦"), (13, "♥"), (7, "♣")], start=1))[lie:]:
        draw = {"type": "DrawCard", "round": number, "index": index, "card": {"rank": rank, "suit": suit}}
        send(dealer.page, "dora", draw)
    send(dealer.page, "dora", {"type": "Settle", "round": number})
    for box in dealer.state["unpaid"]:
        send(dealer.page, "dora", {"type": "ConfirmBox", "round": number, "box": box})


def test_tab_follows_the_eye_over_the_whole_console(dealer: Console) -> None:
    check_order(dealer.page, "the console while betting is open", 10)
    send(dealer.page, "dora", {"type": "CloseBetting", "round": dealer.state["round"]})
    dealer.step("draw")
    check_order(dealer.page, "the console while cards are dealt", 10)


def test_every_dialog_while_betting_is_open(dealer: Console) -> None:
    for key, what in (("b", "bet"), ("o", "shoe"), ("x", "display"), ("p", "money"), ("?", "keys")):
        dealer.page.keyboard.press(key)
        check_dialog(dealer.page, what)


def test_every_dialog_while_cards_are_dealt(dealer: Console) -> None:
    dealer.enter("close", "draw")
    dealer.page.keyboard.press("l")
    check_dialog(dealer.page, "attest")
    dealer.deal("9S", "draw")
    for key, what in (("n", "late"), ("g", "taken"), ("w", "correct")):
        dealer.page.keyboard.press(key)
        check_dialog(dealer.page, what)


def test_every_report(dealer: Console) -> None:
    dealer.enter("close", "draw")
    dealer.deal("9S 2D", "draw")
    page = dealer.page
    page.keyboard.press("e")
    check_order(page, "the list of reports", 5)
    faults = [one.get_attribute("data-fault") for one in page.locator("[data-fault]").all()]
    page.keyboard.press("Escape")
    assert len(faults) > 8
    sent = 0
    for fault in faults:
        page.keyboard.press("e")
        page.locator(f"[data-fault={fault}]").focus()
        page.keyboard.press("Enter")
        form = page.locator("dialog form")
        fill(form)
        check_order(page, f"report {fault}")
        submits = page.locator("dialog [type=submit]")
        expect(page.locator("dialog [aria-busy=true]")).to_have_count(0)
        if submits.is_enabled():
            check_enter(page, form, f"report {fault}")
            sent += 1
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
    assert sent > len(faults) / 2


def test_the_forms_of_the_pit(dealer: Console, visit: Visit) -> None:
    over(dealer)
    max_ = visit("max", f"pit/{TABLE}/setup")
    expect(max_.locator("[name=minimum]")).to_have_value("10")
    max_.evaluate(HELD_BACK)
    check_order(max_, "set-up", 20)
    for tab, least in (("setup", 2), ("people", 1), ("float", 1)):
        max_.get_by_role("navigation", name=TABLE).locator(f"a[href$={tab}]").click()
        forms = max_.locator("section.panel form, fieldset form")
        expect(forms.first).to_be_visible()
        assert forms.count() >= least, tab
        check_order(max_, tab, 5)
        for form in forms.all():
            fill(form)
            expect(form.locator("[type=submit]").first).to_be_enabled()
            check_enter(max_, form, f"{tab} {form.inner_text()[:40]}")


def test_the_decision_of_the_pit(dealer: Console, visit: Visit) -> None:
    number = dealer.state["round"]
    send(dealer.page, "dora", {"type": "Report", "round": number, "fault": "unprovided", "note": "a dog"})
    for path in ("pit", f"pit/{TABLE}", f"dealer/{TABLE}"):
        tom = visit("tom", path)
        if path.startswith("dealer"):
            tom.wait_for_selector('[data-step="wait_decision"][data-ready="true"]')
            tom.keyboard.press("Enter")
        form = tom.locator("form", has=tom.locator("[data-choice]")).first
        expect(form).to_be_visible()
        tom.evaluate(HELD_BACK)
        check_order(tom, path, 5)
        form.locator("[data-choice=continue]").click()
        fill(form)
        expect(form.locator("[type=submit]")).to_be_enabled()
        expect(form.locator("[name=reason]")).to_be_visible()
        check_enter(tom, form, path)
    question = view(tom, "tom")["question"]["number"]
    send(tom, "tom", {"type": "Rule", "question": question, "choice": "continue", "reason": "it has gone"})


def check_kept(page: Any, opens: str, what: str) -> None:
    """Order and Escape of the dialog that a button opens."""
    page.get_by_role("button", name=opens, exact=True).first.click()
    check_dialog(page, what)


def test_every_dialog_of_the_cage(visit: Visit) -> None:
    cal = visit("cal", "cashier/players/ann")
    expect(cal.locator("[data-wallet]")).to_be_visible()
    cal.evaluate(HELD_BACK)
    check_order(cal, "a player at the cage", 10)
    check_kept(cal, "Admit a player", "admit a player")
    cal = visit("cal", "cashier/floats")
    expect(cal.locator("tr[data-table]").first).to_be_visible()
    cal.evaluate(HELD_BACK)
    check_order(cal, "the floats", 10)
    for act in ("Count", "Fill", "Credit", "Adjust"):
        check_kept(cal, act, act)


def test_every_dialog_of_the_administration(visit: Visit) -> None:
    root = visit("root", "administration/people/dora")
    expect(root.get_by_role("heading", name="Dora")).to_be_visible()
    root.evaluate(HELD_BACK)
    for opens in ("Admit somebody", "Disable", "Sign out everywhere", "One-time password", "Take away"):
        check_kept(root, opens, opens)
    root.locator("header.bar .who").click()
    expect(root.get_by_role("dialog").locator("[type=password]").first).to_be_focused()
    check_dialog(root, "password")
    root = visit("root", "administration/tables")
    expect(root.locator("tr[data-table]").first).to_be_visible()
    root.evaluate(HELD_BACK)
    check_order(root, "the tables", 6)
    for opens in ("Add a table", "Retire"):
        check_kept(root, opens, opens)


def test_a_file_too_large_to_be_a_game_is_refused_in_words(visit: Visit) -> None:
    root = visit("root", "administration/games")
    large = {"name": "film.toml", "mimeType": "text/plain", "buffer": b"#" * 900_000}
    root.locator("input[type=file]").set_input_files(large)
    expect(root.get_by_text("film.toml is too large to be a game file")).to_be_visible()
    expect(root.locator("textarea")).to_have_value("")
