"""The administration in a real browser: people and their posts, tables, games, the book."""

import re
from typing import Any

from playwright.sync_api import expect

from puntobanco.rules.library import GAMES
from tests.browser.conftest import DESKTOP, Visit
from tests.browser.floor import call
from tests.browser.house import Served

NEW = "green lanterns over the river 9"


def test_a_dealer_is_admitted_signs_in_and_must_change_the_password(visit: Visit, house: Served, browser: Any) -> None:
    page = visit("root", "administration/people")
    page.get_by_role("button", name="Admit somebody").click()
    page.get_by_label("How they are called").fill("Dana")
    page.get_by_label("Sign-in name").fill("dana")
    page.get_by_role("dialog").get_by_label("Post").select_option("dealer")
    page.get_by_role("dialog").get_by_label("Where").select_option("baccarat-2")
    page.get_by_role("dialog").get_by_role("button", name="Admit somebody").click()
    password = page.locator("output").inner_text()
    page.get_by_role("dialog").locator("footer").get_by_role("button", name="Close").click()
    page.get_by_role("heading", name="Dana").wait_for()
    assert password not in page.content()

    context = browser.new_context(viewport=DESKTOP, locale="en-GB")
    context.set_default_timeout(20_000)
    try:
        dana = context.new_page()
        dana.goto(f"{house.url}/u/0/")
        expect(dana.locator("input[autocomplete=username]")).to_be_focused()
        dana.locator("input[autocomplete=username]").fill("dana")
        dana.locator("input[autocomplete=current-password]").fill(password)
        dana.keyboard.press("Enter")
        fresh = dana.locator("input[autocomplete=new-password]")
        expect(fresh.first).to_be_focused()
        for place in range(fresh.count()):
            fresh.nth(place).fill(NEW)
        dana.keyboard.press("Enter")
        dana.locator("header.bar").get_by_text("Dana").wait_for()

        page.reload()
        page.get_by_text("127.0.0.1").first.wait_for()
        page.get_by_role("button", name="Sign out everywhere").click()
        page.get_by_role("dialog").get_by_role("button", name="Sign out everywhere").click()
        dana.locator("input[autocomplete=username]").wait_for()
    finally:
        context.close()


def test_a_post_is_given_and_taken_and_somebody_is_disabled_with_a_reason(visit: Visit) -> None:
    page = visit("root", "administration/people/bao")
    page.get_by_role("button", name="Disable", exact=True).click()
    page.get_by_label("Reason").fill("asked to be kept out")
    page.get_by_role("dialog").get_by_role("button", name="Disable").click()
    page.get_by_role("button", name="Enable", exact=True).click()
    page.get_by_role("button", name="Disable", exact=True).wait_for()
    page.get_by_role("link", name="Journal").last.click()
    page.get_by_text("bao was enabled again").wait_for()
    page.get_by_text("bao was disabled: asked to be kept out").wait_for()


def test_a_table_is_added_and_retired(visit: Visit) -> None:
    page = visit("root", "administration/tables")
    page.get_by_role("button", name="Add a table").click()
    page.get_by_label("Name of the table").fill("Bad Name")
    page.get_by_role("dialog").get_by_role("button", name="Add a table").click()
    page.get_by_role("dialog").get_by_role("alert").wait_for()
    page.get_by_label("Name of the table").fill("salon-9")
    page.get_by_label("Game").select_option("wu-song")
    page.get_by_label("Deals by itself").uncheck()
    page.get_by_role("dialog").get_by_role("button", name="Add a table").click()
    row = page.locator('tr[data-table="salon-9"]')
    row.wait_for()
    row.get_by_role("button", name="Retire").click()
    page.get_by_role("dialog").get_by_role("button", name="Retire").click()
    row.wait_for(state="detached")


def test_a_game_file_that_is_wrong_is_refused_with_its_place(visit: Visit) -> None:
    page = visit("root", "administration/games")
    page.locator("article[data-game]").nth(len(GAMES) - 1).wait_for()
    page.locator("textarea").fill('key = "x"\ntitle = 5')
    page.get_by_role("button", name="Check and add").click()
    alert = page.locator("form").get_by_role("alert")
    expect(alert).to_have_text(re.compile(r"\S"))
    assert page.locator("textarea").input_value().startswith("key"), "what was pasted is still there"


def test_the_book_is_filtered_and_paged_and_health_is_shown(visit: Visit) -> None:
    page = visit("root", "administration/book")
    page.locator("tbody tr").first.wait_for()
    page.get_by_role("combobox", name="Kind").select_option("money")
    page.get_by_text("Fill: 1,000,000 to wu-song-1").wait_for()
    expect(page.get_by_text("signed in")).to_have_count(0)
    page.get_by_role("combobox", name="Person").select_option("ann")
    page.get_by_text("10,000 deposited for ann").wait_for()
    page.get_by_role("link", name="Health").click()
    page.get_by_role("heading", name="Everything works").wait_for()
    page.get_by_role("button", name="简体中文").click()
    page.get_by_role("heading", name="一切正常").wait_for()


def test_a_shift_manager_sees_no_book_and_gives_no_posts(visit: Visit) -> None:
    page = visit("tom", "administration/people/dora")
    page.get_by_role("heading", name="Dora").wait_for()
    assert not page.get_by_role("link", name="Journal").count()
    assert not page.get_by_role("button", name="Give a post").count()


def test_a_changed_program_is_shown_and_released_by_two_people(visit: Visit, house: Served) -> None:
    house.change_program("/opt/puntobanco/lib/stray.py")
    told = [visit("dora", "dealer/wu-song-1"), visit("sue", "pit"), visit("sue", "pit/wu-song-1")]
    lobby = visit("ann")
    tom, root = visit("tom", "pit"), visit("root", "administration/health")
    for page in (tom, root):
        page.get_by_text("/opt/puntobanco/lib/stray.py").wait_for()
    held = "no further round opens at a table that deals by itself until two people release it"
    for page in told:
        page.get_by_text(held).wait_for()
    assert not any(card.get("held") for card in call(lobby, "ann", "GET", "/tables")), "no matter of the players"
    assert not visit("dora", "dealer/baccarat-2").get_by_text(held).count(), "a dealer goes on by hand"
    tom.get_by_label("Reason").fill("put there by the integrator")
    tom.get_by_role("button", name="Release").click()
    root.get_by_text("Let the house deal with the changed program").wait_for()
    assert root.locator("[data-held=true]").count(), "one person is not enough"
    root.get_by_role("button", name="Confirm as second person").click()
    root.get_by_role("dialog").get_by_role("button", name="Confirm", exact=True).click()
    root.locator("[data-held]").wait_for(state="detached")
    tom.locator("[data-held]").wait_for(state="detached")
    for page in told:
        page.get_by_text(held).wait_for(state="detached")
    journal = visit("root", "administration/book")
    journal.get_by_text("The changed program was released").wait_for()
    journal.get_by_text("The program differs").wait_for()
