"""A shoe that fails its proof, from the alert to the next shoe: everything is done at the screens."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.floor import view
from tests.browser.house import Served
from tests.browser.seat import Seat

HOUSE = {"attended": True}


def decide(page: Any, choice: str, reason: str) -> None:
    page.locator(f"[data-choice={choice}]").click()
    page.locator(".answers [name=reason]").fill(reason)
    page.locator("button.decide").click()


@pytest.mark.parametrize(
    ("table", "decides", "choices"),
    [
        ("wu-song-1", "sue", ("does_not_affect", "affects")),
        ("super-six-1", "tom", ("void",)),
        ("electronic-1", "tom", ("void",)),
    ],
)
def test_the_pit_is_alerted_decides_on_the_round_and_confirms_that_the_shoe_is_withdrawn(
    visit: Visit, house: Served, table: str, decides: str, choices: tuple[str, ...]
) -> None:
    """Where the document provides for a finding, the restart itself is found on first."""
    pit, staff, seat = visit("sue", "pit"), visit(decides, f"pit/{table}"), Seat(visit("ann", f"table/{table}"))
    seat.buy_in()
    seat.bet("player")
    house.kill()
    with closing(sqlite3.connect(house._place / "house.db")) as store:
        store.execute("DELETE FROM sealed WHERE name LIKE ?", (f"{table}/%",))
        store.commit()
    house.open()
    for nth, choice in enumerate(choices, start=1):
        if nth == len(choices):
            expect(staff.locator(".facts")).to_contain_text("does not match its commitment", timeout=40_000)
        decide(staff, choice, "the order is gone")
    alert = pit.locator("section", has=pit.locator("#alerts-title"))
    expect(alert).to_contain_text("A shoe does not match its commitment", timeout=40_000)
    expect(alert).to_contain_text(table)
    if decides == "tom":
        visit("max", "pit").get_by_role("button", name="Confirm").first.click()
    seat.phase("voided")
    staff.goto(house.link(decides, f"dealer/{table}"))
    staff.get_by_role("button", name="Shoe").first.click()
    dialog = staff.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Load")).to_have_count(0)
    dialog.locator("[name=reason]").fill("the order is gone")
    dialog.get_by_role("button", name="Withdraw shoe").click()
    expect(dialog).to_have_count(0)
    house.bring(table, "betting")
    assert view(pit, "sue", table)["shoe"]["left"] == 416
