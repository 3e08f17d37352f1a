"""A change asked for in the middle of a round waits for its end, on screen, and can be cancelled."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.console import Console
from tests.browser.floor import TABLE, call, send

HOUSE = {"by_hand": True}


def test_a_change_in_a_round_is_shown_as_waiting_and_happens_after_it(visit: Visit) -> None:
    dealer, page = Console(visit("dora", f"dealer/{TABLE}"), TABLE), visit("max", f"pit/{TABLE}/setup")
    expect(dealer.next).to_be_visible()
    dealer.open()
    change = page.get_by_role("button", name="Change after this round")
    page.locator("[name=minimum]").fill("25")
    change.click()
    queued = page.locator("[data-queued=ChangeSetup]")
    expect(queued).to_contain_text("minimum 25")
    expect(queued).to_contain_text(re.compile(r"asked by Max, [\d:]+ · a restart of the server cancels it"))
    queued.get_by_role("button", name="Cancel the change").click()
    expect(queued).to_have_count(0)
    change.click()
    expect(queued).to_have_count(1)
    before = dealer.state["minimum"]
    assert before != 25_00
    dealer.enter("close", "draw")
    dealer.deal("9S KD KH 7C", "settle")
    dealer.settle()
    expect(queued).to_have_count(0)
    assert dealer.state["minimum"] == 25_00


def test_a_change_in_a_round_to_a_set_up_that_somebody_replaced_leads_to_the_new_one(visit: Visit) -> None:
    dealer, page = Console(visit("dora", f"dealer/{TABLE}"), TABLE), visit("max", f"pit/{TABLE}/setup")
    expect(dealer.next).to_be_visible()
    setup = call(page, "max", "GET", f"/tables/{TABLE}")["setup"]
    differential = page.locator("[name=differential]")
    expect(differential).not_to_have_value("")
    changed = setup | {"differential": setup["differential"] + 1_000_00}
    send(page, "max", {"type": "ChangeSetup", "setup": changed})
    dealer.open()
    page.locator("[name=minimum]").fill("30")
    change = page.get_by_role("button", name="Change after this round")
    change.click()
    expect(change).to_be_disabled()
    page.get_by_role("button", name="Show the current set-up").click()
    expect(differential).to_have_value(f"{changed['differential'] // 100:,}")
    page.locator("[name=minimum]").fill("30")
    change.click()
    expect(page.locator("[data-queued=ChangeSetup]")).to_contain_text("minimum 30")
