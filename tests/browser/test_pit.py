"""The pit console in a real browser: the floor live, limits between rounds, assignments, fills, the shoe right now."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from puntobanco.web.demo import TABLES
from tests.browser.conftest import Visit
from tests.browser.floor import TABLE, call, card, seated, send, view
from tests.browser.house import Served


def dealt(dealer: Any, number: int) -> None:
    """A set of cards and a round without third cards, at the result."""
    for index, text in enumerate(("9S", "KD", "KH", "7C"), start=1):
        send(dealer, "dora", {"type": "DrawCard", "round": number, "index": index, "card": card(text)})


WORKED_OUT = 240_000
"""Milliseconds for figures of the odds desk, whose process has the lowest priority."""


def test_every_table_is_shown_live_with_its_exposure_and_its_takings(visit: Visit) -> None:
    page, dealer, ann = visit("sue", "pit"), visit("dora"), visit("ann")
    expect(page.get_by_role("article")).to_have_count(len(TABLES))
    tile = page.get_by_role("article", name=TABLE)
    load = {"type": "LoadShoe", "shoe": "first", "decks": 8, "shuffled": True, "source": "keyboard"}
    send(dealer, "dora", load)
    send(dealer, "dora", {"type": "OpenBetting"})
    expect(tile).to_contain_text("Place your bets")
    seated(ann, "ann", 1)
    number = view(dealer, "dora")["round"]
    lines = [{"bet": "player", "amount": 500_00, "box": 1}]
    send(ann, "ann", {"type": "PlaceBets", "round": number, "lines": lines})
    expect(tile).to_contain_text("1 of 9 seats")
    page.goto(page.url.partition("#")[0] + f"/{TABLE}")
    expect(page.get_by_text("Box 1: 500 of 5,000")).to_be_visible()
    send(dealer, "dora", {"type": "CloseBetting", "round": number})
    dealt(dealer, number)
    send(dealer, "dora", {"type": "Settle", "round": number})
    expect(page.get_by_role("heading", name="Take and pay")).to_be_visible()
    page.get_by_role("link", name="Takings").click()
    expect(page.locator("tfoot")).to_contain_text("−500", timeout=WORKED_OUT)
    expect(page.get_by_text("99 of 100 honest tables")).to_be_visible()


def test_the_shoe_right_now_gives_the_exact_return_of_every_bet(visit: Visit) -> None:
    page, dealer = visit("sue", f"pit/{TABLE}/shoe"), visit("dora")
    if "LoadShoe" in view(dealer, "dora")["allowed"]:
        load = {"type": "LoadShoe", "shoe": "second", "decks": 8, "shuffled": True, "source": "keyboard"}
        send(dealer, "dora", load)
    page.get_by_role("button", name="Work it out again").click(timeout=WORKED_OUT)
    expect(page.locator("tbody tr")).to_have_count(5, timeout=WORKED_OUT)
    left = view(dealer, "dora")["cards_left"]
    expect(page.get_by_text(f"{left} cards left")).to_be_visible()
    expect(page.get_by_text("No bet favours the player now.")).to_be_visible()


def test_limits_are_changed_between_rounds_and_only_then(visit: Visit) -> None:
    page, dealer = visit("max", f"pit/{TABLE}/setup"), visit("dora", f"dealer/{TABLE}")
    finish(dealer)
    page.locator("[name=minimum]").fill("25")
    page.locator("[name=differential]").fill("8000")
    page.get_by_role("button", name="Change from the next round").click()
    expect(page.get_by_text("Changed.")).to_be_visible()
    expect(dealer.locator("header.top")).to_contain_text("8,000")
    assert (view(dealer, "dora")["minimum"], view(dealer, "dora")["differential"]) == (25_00, 8_000_00)
    send(dealer, "dora", {"type": "OpenBetting"})
    expect(page.get_by_text("takes effect after it")).to_be_visible()
    expect(page.get_by_role("button", name="Change from the next round")).to_have_count(0)
    finish(dealer)


def test_changed_limits_are_on_every_open_screen_at_once(visit: Visit) -> None:
    page, dealer = visit("max", f"pit/{TABLE}/setup"), visit("dora", f"dealer/{TABLE}")
    terminal, board = visit("ann", f"table/{TABLE}"), visit("board", f"board/{TABLE}")
    finish(dealer)
    expect(terminal.locator(".limits")).to_contain_text("Minimum")
    expect(board.locator(".limits")).to_contain_text("Minimum")
    expect(dealer.locator("header.top")).to_contain_text("Differential")
    again: list[Any] = []
    for screen in (dealer, terminal, board):
        screen.on("websocket", lambda line: again.append(line.url))
        screen.on("framenavigated", lambda frame: again.append(frame.url))
    for minimum, differential, smallest in (("100", "9,000", 100), ("25", "8,000", 25)):
        page.locator("[name=minimum]").fill(minimum)
        page.locator("[name=differential]").fill(differential)
        page.get_by_role("button", name="Change from the next round").click()
        expect(terminal.locator(".limits")).to_have_text(
            re.compile(rf"Minimum {minimum} · Differential {differential}\s*$")
        )
        expect(board.locator(".limits dd").first).to_have_text(minimum)
        expect(board.locator(".limits")).to_contain_text(differential)
        expect(dealer.locator("header.top")).to_contain_text(differential)
        expect(terminal.get_by_role("button", name=re.compile(r"^Chip \d")).first).to_have_accessible_name(
            f"Chip {smallest}"
        )
    assert again == []


def test_limits_that_contradict_each_other_are_refused_with_the_reason(visit: Visit) -> None:
    page = visit("max", f"pit/{TABLE}/setup")
    page.locator("[name=minimum]").fill("9000")
    page.locator("[name=differential]").fill("100")
    page.get_by_role("button", name="Change from the next round").click()
    expect(page.get_by_role("region", name="Notices")).to_contain_text("Differential")


def test_every_part_of_the_set_up_page_is_framed_alike(visit: Visit) -> None:
    page = visit("max", f"pit/{TABLE}/setup")
    expect(page.get_by_role("group", name="Limits")).to_be_visible()
    expect(page.get_by_role("group", name="Closing")).to_be_visible()
    frame = "(all) => all.map((one) => getComputedStyle(one)).map(({display, border}) => display + border)"
    assert len(set(page.locator("fieldset").evaluate_all(frame))) == 1


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("minimum", "", "Key in an amount"), ("differential", "5.000", "Key in an amount"),
        ("maximum", "none", "Key in an amount"), ("decks", "", "from 4 to 8"), ("decks", "9", "from 4 to 8"),
        ("burn", "1.5", "a whole number"), ("t_betting", "", "Key in a number"), ("t_options", "-1", "Key in a number"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_in_the_set_up_is_marked_says_why_and_is_not_sent(
    visit: Visit, name: str, text: str, why: str
) -> None:
    page = visit("max", f"pit/{TABLE}/setup")
    finish(visit("dora"))
    field, before = page.locator(f"[name={name}]"), call(page, "max", "GET", f"/tables/{TABLE}")["setup"]
    was = field.input_value()
    field.fill(text)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile(why))
    page.get_by_role("button", name="Change from the next round").click()
    expect(field).to_be_focused()
    assert call(page, "max", "GET", f"/tables/{TABLE}")["setup"] == before
    field.fill(was)
    expect(page.locator("[aria-invalid=true]")).to_have_count(0)


def test_a_pit_supervisor_is_told_who_changes_the_table(visit: Visit) -> None:
    page = visit("sue", f"pit/{TABLE}/setup")
    expect(page.get_by_text("A Pit Manager or above changes the table.")).to_be_visible()
    expect(page.locator("[name=minimum]")).to_be_disabled()


def test_a_table_is_closed_and_opened_again(visit: Visit) -> None:
    page, dealer = visit("max", f"pit/{TABLE}/setup"), visit("dora", f"dealer/{TABLE}")
    page.get_by_label("Close at once?").select_option("repair")
    page.locator("[name=closing-reason]").fill("the felt is torn")
    page.get_by_role("button", name="Close table").click()
    page.get_by_role("dialog").get_by_role("button", name="Close table").click()
    expect(dealer.locator("[data-step]")).to_have_attribute("data-step", "wait_closed")
    page.get_by_role("button", name="Open table").click()
    expect(dealer.locator("[data-step]")).not_to_have_attribute("data-step", "wait_closed")


def test_notice_of_closing_is_shown_to_everybody_at_the_table(visit: Visit) -> None:
    page = visit("max", f"pit/{TABLE}/setup")
    others = [visit("dora", f"dealer/{TABLE}"), visit("ann", f"table/{TABLE}"), visit("ann", f"board/{TABLE}")]
    page.locator("[name=closing-reason]").fill("few guests tonight")
    page.get_by_role("button", name="Announce closing").click()
    for other in others:
        expect(other.get_by_text("few guests tonight")).to_be_visible()
    expect(page.get_by_role("button", name="Announce closing")).to_have_count(0)


def test_somebody_is_assigned_to_a_role_at_a_table_and_relieved_of_it(visit: Visit) -> None:
    page, sue = visit("max", f"pit/{TABLE}/people"), visit("sue", f"dealer/{TABLE}")
    page.locator("[name=person]").select_option("sue")
    page.locator("[name=role]").select_option("dealer")
    page.get_by_role("button", name="Assign", exact=True).click()
    expect(page.get_by_role("listitem").filter(has_text="Sue")).to_contain_text("Dealer")
    expect(sue.locator("header.top")).to_contain_text("Dealer")
    page.get_by_role("button", name="Relieve").click()
    expect(page.get_by_text("Nobody is assigned here")).to_be_visible()
    assert view(sue, "sue").get("acting", {}) == {}


def test_a_fill_is_asked_for_by_the_pit_and_confirmed_by_the_cashier(visit: Visit) -> None:
    page, cal = visit("sue", f"pit/{TABLE}/float"), visit("cal")
    held = page.get_by_text("Booked in the float")
    expect(held).to_contain_text(re.compile(r"\d"))
    before = held.inner_text()
    page.locator("[name=amount]").fill("5000")
    page.get_by_role("button", name="Request fill").click()
    expect(page.get_by_text("Asked. Somebody else confirms it.")).to_be_visible()
    assert held.inner_text() == before
    waiting = call(cal, "cal", "GET", "/waiting")
    assert [one["command"]["type"] for one in waiting] == ["Fill"]
    call(cal, "cal", "POST", f"/waiting/{waiting[0]['number']}/confirm")

    booked = f"{int(before.split()[-1].replace(',', '')) + 5_000:,}"
    page.locator("[name=amount]").fill("100")
    page.get_by_role("button", name="Record count").click()
    expect(page.get_by_text(f"Counted: 100. Booked: {booked}.")).to_be_visible()
    expect(held).to_contain_text(booked)


def test_an_alert_is_acknowledged_with_who_and_when(visit: Visit) -> None:
    page, dealer, tom = visit("tom", "pit"), visit("dora"), visit("tom")
    finish(dealer)
    send(dealer, "dora", {"type": "OpenBetting"})
    number = view(dealer, "dora")["round"]
    report = {"type": "Report", "round": number - 1, "fault": "other_dealing_error", "note": "seen on the film"}
    send(dealer, "dora", report)
    page.reload()
    alert = page.get_by_role("listitem").filter(has_text="An irregularity of an earlier round")
    alert.get_by_role("button", name="Acknowledge").first.click()
    expect(page.get_by_text("Acknowledged.")).to_be_visible()
    seen = [one for one in call(tom, "tom", "GET", "/alerts") if one.get("seen_by")]
    assert seen[0]["seen_by"] == "tom"
    finish(dealer)


def test_a_table_is_set_to_deal_by_itself_and_its_dealer_is_told(visit: Visit) -> None:
    page, dealer = visit("max", f"pit/{TABLE}/setup"), visit("dora", f"dealer/{TABLE}")
    finish(dealer)
    page.get_by_role("button", name="Let it deal by itself").click()
    expect(page.get_by_role("button", name="Deal by hand")).to_be_visible()
    dealer.reload()
    expect(dealer.get_by_text("This table deals by itself")).to_be_visible()
    page.get_by_role("button", name="Deal by hand").click()
    expect(page.get_by_role("button", name="Let it deal by itself")).to_be_visible()


def finish(dealer: Any) -> None:
    """Whatever round is open at the table is settled."""
    while (state := view(dealer, "dora"))["phase"] not in ("idle", "settled", "voided", "without_bets", "closed"):
        number = state["round"]
        if state["phase"] == "betting":
            send(dealer, "dora", {"type": "CloseBetting", "round": number})
        elif state["phase"] == "dealing":
            dealt(dealer, number)
        elif state["phase"] == "paying":
            send(dealer, "dora", {"type": "ConfirmBox", "round": number, "box": state["unpaid"][0]})
        else:
            send(dealer, "dora", {"type": "Settle", "round": number})
    if "LoadShoe" in view(dealer, "dora")["allowed"]:
        load = {"type": "LoadShoe", "shoe": f"set-{state['version']}", "decks": 8, "shuffled": True}
        send(dealer, "dora", load | {"source": "keyboard"})


def test_a_table_that_has_failed_is_started_again_from_the_pit(visit: Visit, house: Served) -> None:
    page, ann = visit("max", f"pit/{TABLE}"), visit("ann")
    version = view(ann, "ann")["version"]
    house.overtake(TABLE)
    with pytest.raises(AssertionError, match="table_stopped"):
        send(ann, "ann", {"type": "BuyIn", "person": "ann", "amount": 100_00})
    expect(page.get_by_role("alert")).to_contain_text("accepts no commands")
    page.get_by_role("button", name="Start the table again").click()
    expect(page.get_by_role("region", name="Notices")).to_contain_text(f"{TABLE} runs again")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert view(ann, "ann")["version"] == version
