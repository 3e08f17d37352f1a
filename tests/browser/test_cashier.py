"""The cashier's desk in a real browser: money in, to a table and back, and a fill that takes two people."""

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.floor import call

HELD = "[data-wallet]"


def _wallet(page: Any) -> int:
    page.wait_for_selector('[data-wallet]:not([data-wallet=""])')
    return int(page.locator(HELD).get_attribute("data-wallet"))


def _until(page: Any, cents: int) -> None:
    page.wait_for_selector(f'[data-wallet="{cents}"]')


def _act(page: Any, act: str, amount: str, table: str = "") -> None:
    page.get_by_role("group").get_by_role("button", name=act, exact=True).click()
    if table:
        page.get_by_role("combobox", name="Table").select_option(table)
    page.get_by_label("Amount").fill(amount)
    page.locator("button.go").click()


def _act_again(page: Any, amount: str) -> None:
    page.get_by_label("Amount").fill(amount)
    page.locator("button.go").click()


def _confirm(page: Any, act: str) -> None:
    page.get_by_role("dialog").get_by_role("button", name=act, exact=True).click()
    page.get_by_role("dialog").wait_for(state="detached")


def _held(page: Any, where: str) -> list[Any]:
    """What is asked there, held until the test lets it go."""
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route(where, hold)
    return held


def test_money_goes_in_to_a_table_and_back_and_out(visit: Visit) -> None:
    page, bao = visit("cal", "cashier"), visit("bao")
    call(bao, "bao", "POST", "/proof", {"pin": "7391"})
    page.get_by_role("searchbox").fill("bao")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Bao").wait_for()
    before = _wallet(page)

    _act(page, "Deposit", "1250.50")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("1,250.50")
    expect(dialog).to_contain_text("one thousand two hundred and fifty and 50/100")
    _confirm(page, "Deposit")
    _until(page, before + 1_250_50)

    _act(page, "Buy in", "1,000", "baccarat-2")
    _confirm(page, "Buy in")
    page.get_by_text("It waits for the guest").first.wait_for()
    assert _wallet(page) == before + 1_250_50
    bao.locator("[data-asked]").get_by_role("button", name="Confirm").click()
    _until(page, before + 250_50)
    page.get_by_text("Purse of Bao at baccarat-2").first.wait_for()

    page.locator("li", has_text="baccarat-2").get_by_role("button", name="Cash out").click()
    page.get_by_role("button", name="All", exact=True).click()
    page.locator("button.go").click()
    _confirm(page, "Cash out")
    _until(page, before + 1_250_50)

    page.get_by_role("group").get_by_role("button", name="Withdraw", exact=True).click()
    page.get_by_label("with their PIN, here").check()
    page.get_by_label("Amount").fill("1250.50")
    expect(page.locator("button.go")).to_be_disabled()
    page.get_by_label("PIN", exact=True).fill("7390")
    _act_again(page, "1250.50")
    page.get_by_role("dialog").get_by_role("button", name="Withdraw", exact=True).click()
    page.locator('[role=alert][data-reason="pin_wrong"]').wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.get_by_label("PIN", exact=True).fill("7391")
    _act_again(page, "1250.50")
    _confirm(page, "Withdraw")
    _until(page, before)
    expect(page.locator('[data-sum="withdrawal"]')).to_have_text("1,250.50")
    kinds = page.locator("tbody tr td:nth-child(2)")
    for place, kind in enumerate(("Withdrawal", "Cash-out", "Buy-in", "Deposit")):
        expect(kinds.nth(place)).to_have_text(kind)


def test_a_double_click_deposits_once_and_nothing_is_shown_before_the_house_said_so(visit: Visit) -> None:
    page = visit("cal", "cashier/players/chen")
    before = _wallet(page)
    held = _held(page, "**/api/office")
    _act(page, "Deposit", "100")
    button = page.get_by_role("dialog").get_by_role("button", name="Deposit", exact=True)
    button.dblclick()
    page.get_by_text("Sent, waiting for the house").wait_for()
    assert _wallet(page) == before
    assert len(held) == 1
    held[0].continue_()
    _until(page, before + 100_00)


def test_a_request_whose_answer_was_lost_happens_once_when_it_is_sent_again(visit: Visit) -> None:
    page = visit("cal", "cashier/players/chen")
    before = _wallet(page)

    def lost(route: Any) -> None:
        route.fetch()
        route.abort()

    page.route("**/api/office", lost)
    _act(page, "Deposit", "200")
    button = page.get_by_role("dialog").get_by_role("button", name="Deposit", exact=True)
    button.click()
    page.get_by_role("alert").get_by_text("cannot be reached").wait_for()
    page.unroute("**/api/office")
    _confirm(page, "Deposit")
    _until(page, before + 200_00)


def test_a_key_held_down_for_too_long_confirms_nothing(visit: Visit) -> None:
    page = visit("cal", "cashier/players/chen")
    before = _wallet(page)
    page.get_by_role("group").get_by_role("button", name="Deposit", exact=True).click()
    page.get_by_label("Amount").fill("400")
    yes = page.get_by_role("dialog").get_by_role("button", name="Deposit", exact=True)
    page.keyboard.down("Enter")
    expect(yes).to_be_focused()
    page.keyboard.down("Enter")
    page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(yes).to_be_focused()
    assert _wallet(page) == before
    page.keyboard.press("Enter")
    _until(page, before + 400_00)


def test_after_a_lost_answer_the_wallet_is_as_it_is_now(visit: Visit) -> None:
    page = visit("cal", "cashier/players/chen")
    before = _wallet(page)

    def lost(route: Any) -> None:
        route.fetch()
        route.abort()

    page.route("**/api/office", lost)
    _act(page, "Deposit", "300")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Deposit", exact=True).click()
    page.get_by_role("alert").get_by_text("cannot be reached").wait_for()
    dialog.get_by_role("button", name="Cancel").click()
    _until(page, before + 300_00)


def test_a_refusal_is_said_where_it_was_asked(visit: Visit) -> None:
    page = visit("cal", "cashier/players/ann")
    before = _wallet(page)
    _act(page, "Withdraw", "9,999,999")
    page.get_by_role("dialog").get_by_role("button", name="Withdraw", exact=True).click()
    page.locator('[role=alert][data-reason="wallet_empty"]').wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert _wallet(page) == before


def test_a_fill_waits_for_somebody_of_the_pit(visit: Visit) -> None:
    cal, sue = visit("cal", "cashier/floats"), visit("sue", "cashier/waiting")
    row = cal.locator('tr[data-table="super-six-1"]')
    before = row.locator("td").nth(1).inner_text()
    row.get_by_role("button", name="Fill").click()
    cal.get_by_label("Amount").fill("50,000")
    cal.get_by_role("dialog").get_by_role("button", name="Ask a second person").click()
    expect(cal.get_by_role("dialog")).to_contain_text("fifty thousand")
    cal.get_by_role("dialog").get_by_role("button", name="Ask a second person").click()
    cal.get_by_role("dialog").wait_for(state="detached")
    assert row.locator("td").nth(1).inner_text() == before

    sue.get_by_text("Fill: 50,000 from the cage to super-six-1").wait_for()
    sue.get_by_role("button", name="Confirm as second person").click()
    sue.get_by_role("dialog").get_by_role("button", name="Confirm", exact=True).click()
    sue.get_by_text("Nothing waits for a second person.").wait_for()

    cal.reload()
    after = f"{(_cents(before) + 50_000_00) // 100:,}"
    expect(cal.locator('tr[data-table="super-six-1"] td').nth(1)).to_have_text(after)


def test_the_pit_reads_whose_money_it_confirms(visit: Visit) -> None:
    cal, tom = visit("cal", "cashier/waiting"), visit("tom", "pit")
    deposit = {"type": "Deposit", "person": "chen", "amount": 20_000_00}
    call(cal, "cal", "POST", "/office", {"request": "over-the-threshold", "command": deposit})
    expect(cal.locator("[data-waiting]")).to_contain_text("waits for a second person")
    asked = tom.locator("[data-second]", has_text="Deposit of 20,000 for chen")
    asked.get_by_role("button", name="Confirm").click()
    expect(asked).to_have_count(0)
    expect(cal.locator("[data-waiting]")).to_have_count(0)


def test_a_guest_is_told_that_a_large_withdrawal_still_waits_for_a_second_person(visit: Visit) -> None:
    cal, tom, bao = visit("cal", "cashier"), visit("tom", "pit"), visit("bao")
    adjust = {"type": "AdjustWallet", "person": "bao", "amount": 20_000_00, "reason": "won at another house"}
    withdraw = {"type": "Withdraw", "person": "bao", "amount": 15_000_00}
    call(cal, "cal", "POST", "/office", {"request": "much-money", "command": adjust})
    tom.locator("[data-second]").get_by_role("button", name="Confirm").click()
    expect(tom.locator("[data-second]")).to_have_count(0)
    call(cal, "cal", "POST", "/office", {"request": "paid-out", "command": withdraw})
    bao.locator("[data-asked]").get_by_role("button", name="Confirm").click()
    bao.get_by_text("It waits for a second person.").wait_for()
    asked = tom.locator("[data-second]", has_text="Withdrawal of 15,000 by bao")
    asked.get_by_role("button", name="Confirm").click()
    expect(asked).to_have_count(0)


def _cents(text: str) -> int:
    whole, _, cents = re.sub(r"[^0-9.]", "", text).partition(".")
    return int(whole) * 100 + int(cents or 0)


def test_a_count_shows_the_difference_afterwards(visit: Visit) -> None:
    page = visit("cal", "cashier/floats")
    row = page.locator('tr[data-table="baccarat-2"]')
    booked = _cents(row.locator("td").nth(1).inner_text())
    row.get_by_role("button", name="Count").click()
    page.get_by_label("Amount").fill(f"{(booked - 75_00) // 100}")
    page.get_by_role("button", name="Enter the count").click()
    expect(page.locator("[data-difference]")).to_have_text("75 short")
    page.get_by_role("dialog").locator("footer").get_by_role("button", name="Close").click()
    row.get_by_text("75 short").wait_for()


def test_a_count_is_entered_once_and_its_own_figures_are_shown_or_none(visit: Visit) -> None:
    page = visit("cal", "cashier/floats")
    row = page.locator('tr[data-table="baccarat-2"]')
    row.get_by_role("button", name="Count").click()
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.method))
    held = _held(page, "**/api/floats")
    page.get_by_label("Amount").fill("1234")
    with page.expect_request("**/api/floats"):
        page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Sent, waiting for the house")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog").get_by_role("button", name="Cancel")).to_be_disabled()
    held[0].abort()
    expect(page.get_by_text("The count of baccarat-2 was entered.")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert asked.count("POST") == 1


def test_a_player_is_admitted_with_a_password_of_their_own(visit: Visit) -> None:
    page = visit("cal", "cashier")
    page.get_by_role("button", name="Admit a player").click()
    page.get_by_label("How they are called").fill("Wei Ling")
    page.get_by_label("Sign-in name").fill("weiling")
    page.get_by_role("dialog").get_by_role("button", name="Admit a player").click()
    password = page.locator("output").inner_text()
    page.get_by_role("dialog").locator("footer").get_by_role("button", name="Close").click()
    page.get_by_role("heading", name="Wei Ling").wait_for()
    assert _wallet(page) == 0
    assert password not in page.content()


def test_a_player_on_the_way_is_not_left_and_the_password_is_shown(visit: Visit) -> None:
    page = visit("cal", "cashier")
    page.get_by_role("button", name="Admit a player").click()
    page.get_by_label("How they are called").fill("Mei Fang")
    page.get_by_label("Sign-in name").fill("meifang")
    held = _held(page, "**/api/office")
    with page.expect_request("**/api/office"):
        page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Sent, waiting for the house")
    page.keyboard.press("Escape")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_disabled()
    held[0].continue_()
    expect(page.locator("output")).to_have_text(re.compile(r"\S{8}"))
    dialog.locator("footer").get_by_role("button", name="Close").click()
    expect(page.get_by_role("heading", name="Mei Fang")).to_be_visible()


def test_the_desk_speaks_chinese_and_fits_a_phone(visit: Visit) -> None:
    page = visit("cal", "cashier/players/ann", viewport={"width": 390, "height": 844}, locale="zh-CN")
    page.get_by_text("钱包余额").wait_for()
    page.get_by_label("金额").fill("1050")
    page.get_by_text("壹仟零伍拾元整").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
