"""A table that has stopped, as everybody who works with it sees it in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.floor import TABLE, send, view
from tests.browser.house import Served

HOUSE = {"by_hand": True}


def test_a_stopped_table_is_called_stopped_everywhere_and_asks_nothing_when_it_runs_again(
    visit: Visit, house: Served
) -> None:
    max_, sue, dealer = visit("max", f"pit/{TABLE}"), visit("sue", f"pit/{TABLE}"), visit("dora", f"dealer/{TABLE}")
    dealer.wait_for_selector('[data-step="load"][data-ready="true"]')
    dealer.keyboard.press("Enter")
    expect(dealer.get_by_role("dialog", name="Shoe")).to_be_visible()
    house.overtake(TABLE)
    with pytest.raises(AssertionError, match="table_stopped"):
        send(visit("ann"), "ann", {"type": "BuyIn", "person": "ann", "amount": 100_00})
    expect(max_.get_by_role("alert")).to_contain_text("accepts no commands")
    expect(dealer.get_by_role("alert")).to_contain_text("Call the Pit Manager")
    tabs, panel = max_.get_by_role("navigation", name=TABLE), max_.locator("main > section.panel").last
    max_.reload()
    for tab in ("Now", "The shoe right now", "Assignments"):
        tabs.get_by_role("link", name=tab, exact=True).click()
        expect(panel).to_have_text("Stopped")
    tabs.get_by_role("link", name="Table").click()
    expect(max_.get_by_text("The set-up can be changed once the table runs again.")).to_be_visible()
    expect(max_.get_by_text("A Pit Manager or above changes the table.")).to_have_count(0)
    expect(sue.get_by_role("alert")).to_contain_text("A Pit Manager or above starts it again.")
    root = visit("root", "administration/health")
    expect(root.get_by_role("heading", name="Something needs looking after")).to_be_visible()
    running = root.locator("section", has=root.get_by_role("heading", name="Tables running")).locator(".large")
    expect(running).to_have_text("5")
    root.goto(re.sub("health$", "book", root.url))
    entry = root.get_by_role("row", name=re.compile(f"The table {TABLE} stopped"))
    expect(entry.get_by_role("cell").last).to_have_text("The house")
    max_.get_by_role("button", name="Start the table again").click()
    dealer.wait_for_selector('[data-step="load"]', timeout=40_000)
    expect(dealer.get_by_role("dialog")).to_have_count(0)
    assert view(dealer, "dora")["phase"] == "idle"
