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
    expect(queued).to_contain_text("Change of the set-up: Minimum 25.")
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
    expect(page.locator("[data-queued=ChangeSetup]")).to_contain_text("Change of the set-up: Minimum 30.")


def test_a_change_that_waits_names_every_field_it_changes(visit: Visit) -> None:
    dealer, page = Console(visit("dora", "dealer/super-six-1"), "super-six-1"), visit("max", "pit/super-six-1/setup")
    expect(dealer.next).to_be_visible()
    dealer.open()
    page.locator("[name=maximum]").fill("200")
    page.locator("[name=burn]").fill("2")
    page.locator("[name=t_betting]").fill("40")
    page.get_by_role("button", name="Change after this round").click()
    queued = page.locator("[data-queued=ChangeSetup]")
    expect(queued).to_contain_text("Change of the set-up: Maximum side bet 200, Burn cards, Betting 40 s.")
    queued.get_by_role("button", name="Cancel the change").click()
    expect(queued).to_have_count(0)


def test_every_policy_and_the_minimum_of_a_side_bet_is_set_on_the_form(visit: Visit) -> None:
    page = visit("max", "pit/wu-song-1/setup")
    expect(page.get_by_label("Smallest chip")).to_have_value("1")
    before = call(page, "max", "GET", "/tables/wu-song-1")["setup"]
    change, changed = page.get_by_role("button", name="Change from the next round"), page.get_by_text("Changed.")
    page.get_by_text("Minimum of a side bet that has its own").click()
    page.get_by_label("Big Tiger").fill("5")
    page.get_by_label("Smallest chip").fill("5")
    page.get_by_label("Minutes of notice").fill("45")
    page.get_by_label("Foreign card").check()
    page.get_by_label("Bets over the Differential").select_option("refuse")
    change.click()
    expect(changed).to_be_visible()
    after = call(page, "max", "GET", "/tables/wu-song-1")["setup"]
    policy = {"closing_notice": 45, "gap_void": ["foreign_card"], "excess_at_placement": "refuse"}
    assert after == before | {"unit": 5_00, "minimums": {"big_tiger": 5_00}, "policy": before["policy"] | policy}
    page.reload()
    page.get_by_text("Minimum of a side bet that has its own").click()
    expect(page.get_by_label("Big Tiger")).to_have_value("5")
    page.get_by_label("Big Tiger").fill("")
    page.get_by_label("Foreign card").uncheck()
    change.click()
    expect(changed).to_be_visible()
    again = call(page, "max", "GET", "/tables/wu-song-1")["setup"]
    assert (again["minimums"], again["policy"]["gap_void"]) == ({}, None)
