"""Doubling what lies, up to the limit and the balance."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.house import Served
from tests.browser.seat import Seat


def test_doubling_beyond_the_balance_or_the_limit_says_why(visit: Visit, house: Served) -> None:
    table = "wu-song-1"
    seat = Seat(page := visit("bao", f"table/{table}"))
    seat.buy_in(6_000)
    house.bring(table, "settled")
    house.bring(table, "betting")
    double = page.get_by_role("button", name="Double")
    seat.bet("player", chip="Chip 5,000, 5K")
    double.click()
    expect(page.get_by_text("Nothing was doubled: your bets are at their limits.")).to_be_visible()
    seat.put("tie", chip="Chip 1,000, 1K")
    seat.confirm.click()
    expect(seat.ticket.locator(".accepted")).to_have_count(2)
    double.click()
    expect(page.get_by_text("Your balance at this table is 0. Buy in for more.")).to_be_visible()
    expect(seat.ticket.locator(".wanted")).to_have_count(0)
