"""A change asked for in the middle of a round waits for its end, on screen, and can be cancelled."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.console import Console
from tests.browser.floor import TABLE

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
    expect(queued).to_contain_text("asked by Max")
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
