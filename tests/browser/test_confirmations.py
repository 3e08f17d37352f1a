"""A house where guests confirm only in their own session: no screen offers a PIN or a card that would be refused."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.floor import TABLE, view

HOUSE = {"confirms": "session"}


def test_no_screen_offers_a_confirmation_that_the_house_does_not_accept(visit: Visit) -> None:
    ann = visit("ann", f"table/{TABLE}")
    ann.locator(".balance").click()
    purse = ann.get_by_role("dialog")
    expect(purse).to_contain_text("10,000")
    expect(purse).not_to_contain_text("PIN")
    ann.keyboard.press("Escape")
    services = visit("dora", f"dealer/{TABLE}")
    services.locator(".people").get_by_role("button", name="Buy in").click()
    dialog = services.get_by_role("dialog")
    dialog.get_by_label("Account").check()
    expect(dialog.locator("[name=confirms]")).to_have_count(1)
    dialog.get_by_label("Sign-in name").fill("Ann")
    dialog.get_by_label("Amount").fill("50")
    dialog.get_by_role("button", name="Buy in").click()
    ann.locator("[data-asked]").get_by_role("button", name="Confirm").click()
    expect(services.locator(".people li", has_text="ann")).to_contain_text("50")
    assert view(services, "dora")["purses"] == {"ann": 50_00}
