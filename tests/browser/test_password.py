"""Somebody changes their own password: a wrong one is refused with words, the new one works at the next sign-in."""

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.house import Served

FIRST, SECOND = "green lanterns over the river 9", "seven brass bells in the fog 4"


def admitted(page: Any) -> str:
    """Pat is admitted to deal; the password for the first sign-in."""
    page.get_by_role("button", name="Admit somebody").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("How they are called").fill("Pat")
    dialog.get_by_label("Sign-in name").fill("pat")
    dialog.get_by_label("Post").select_option("dealer")
    dialog.get_by_label("Where").select_option("baccarat-2")
    dialog.get_by_role("button", name="Admit somebody").click()
    return str(page.locator("output").inner_text())


def sign_in(page: Any, password: str) -> None:
    page.locator("input[autocomplete=username]").fill("pat")
    page.locator("input[autocomplete=current-password]").fill(password)
    page.keyboard.press("Enter")


def change(page: Any, old: str, new: str, again: str) -> Any:
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Present password").fill(old)
    dialog.get_by_label("New password", exact=True).fill(new)
    dialog.get_by_label("New password again").fill(again)
    dialog.get_by_role("button", name="Change password").click()
    return dialog


def test_a_wrong_password_is_refused_with_words_and_the_new_one_works_at_the_next_sign_in(
    visit: Visit, house: Served
) -> None:
    page = visit("ann")
    expect(page.locator("header.bar")).to_be_visible()
    first = admitted(visit("root", "administration/people"))
    page.goto(f"{house.url}/u/0/")
    sign_in(page, first)
    fresh = page.locator("input[autocomplete=new-password]")
    expect(fresh.first).to_be_visible()
    for place in range(fresh.count()):
        fresh.nth(place).fill(FIRST)
    page.keyboard.press("Enter")
    page.locator("header.bar").get_by_role("button", name="Change password").click()

    why = change(page, "not what it is today 1", SECOND, SECOND).get_by_role("alert")
    expect(why).to_have_text(re.compile(r"\w+ .*\w+"))
    why = change(page, FIRST, SECOND, SECOND + "5").get_by_role("alert")
    expect(why).to_have_text("The two new passwords are not the same.")
    change(page, FIRST, SECOND, SECOND)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("region", name="Notices")).to_contain_text("Your password is changed.")

    page.get_by_role("button", name="Sign out").click()
    sign_in(page, FIRST)
    expect(page.get_by_role("alert")).to_be_visible()
    sign_in(page, SECOND)
    expect(page.locator("header.bar")).to_contain_text("Pat")


def test_a_phone_on_its_side_shows_the_whole_form(browser: Any, house: Served) -> None:
    for language in ("en-GB", "zh-CN"):
        context = browser.new_context(viewport={"width": 844, "height": 390}, locale=language)
        page = context.new_page()
        page.goto(f"{house.url}/u/9/")
        button = page.locator("form .button").last
        expect(button).to_be_visible()
        box = button.bounding_box()
        assert box["y"] + box["height"] <= 390, language
        context.close()
