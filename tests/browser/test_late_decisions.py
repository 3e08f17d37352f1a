"""What is put right late, in a real browser: chips that are missing, bets the House decides on, rounds that end by
decision, a card keyed wrongly, and a table that carries an overlay."""

import json
from typing import Any

from playwright.sync_api import expect

from puntobanco.rules.refusal import Reason
from tests.browser.conftest import Visit
from tests.browser.console import Console
from tests.browser.floor import TABLE, call, refusal_text, seated, send, view
from tests.browser.house import Served
from tests.browser.seat import Seat

HOUSE = {"by_hand": True, "attended": True}
OVERLAY = {
    "key": "sample", "title": {"en": "Sample Act", "zh": "示例法"}, "document": "Act 5",
    "void": [{"cause": "technical", "citation": "s 12", "declared_by": "pit_manager"}],
}  # fmt: skip


def dealt(visit: Visit, cards: str, then: str = "draw") -> tuple[Console, Any]:
    """A round in which Ann has 500 on Player and 100 on the pair of it, with these cards drawn."""
    dealer, ann = Console(visit("dora", f"dealer/{TABLE}"), TABLE), visit("ann", f"table/{TABLE}")
    expect(dealer.next).to_be_visible()
    number = dealer.open()
    seated(ann, "ann", 1)
    lines = [{"bet": "player", "amount": 500_00, "box": 1}, {"bet": "player_pair", "amount": 100_00, "box": 1}]
    send(ann, "ann", {"type": "PlaceBets", "round": number, "lines": lines})
    dealer.enter("close", "draw")
    dealer.deal(cards, then)
    return dealer, ann


def test_a_chip_taken_away_has_its_own_entry_and_whoever_confirms_the_write_off_sees_what_it_is(visit: Visit) -> None:
    dealer, _ann = dealt(visit, "9S")
    dealer.page.keyboard.press("g")
    dialog = dealer.page.get_by_role("dialog", name="Chip taken away")
    dialog.locator("[name=bet]").select_option("player")
    dialog.locator("[name=amount]").fill("200")
    dialog.get_by_role("button", name="Chip to collect").dblclick()
    expect(dialog).to_have_count(0)
    chips = dealer.page.get_by_role("region", name="Chips to collect")
    expect(chips.get_by_role("listitem")).to_have_text(
        ["200 from Ann: taken off Player in box 1 after the close of round 1 Collected"]
    )
    assert [one["amount"] for one in view(dealer.page, "dora")["missing"].values()] == [200_00]

    tom, max_ = visit("tom", f"pit/{TABLE}"), visit("max", "pit")
    asked = tom.get_by_role("region", name="Chips to collect")
    field = asked.get_by_role("textbox", name="Reason for writing it off")
    field.fill("x" * 2_000)
    expect(field).to_have_value("x" * 300)
    field.fill("he has left")
    asked.get_by_role("button", name="Write off").click()
    expect(asked).to_contain_text("Writing it off waits for a second person.")
    expect(field).to_have_count(0)
    expect(tom.get_by_role("region", name="Waiting for confirmation")).to_contain_text("You asked")
    waiting = max_.get_by_role("region", name="Second person")
    expect(waiting).to_contain_text("Write off 200 that Ann took off Player in box 1 after the close of round 1")
    expect(waiting).to_contain_text("he has left")

    chips.get_by_role("button", name="Collected").click()
    expect(chips).to_have_count(0)
    waiting.get_by_role("button", name="Confirm").click()
    refused = "There is no missing chip number 1 to collect or to write off."
    expect(max_.get_by_role("region", name="Notices")).to_contain_text(refused)
    journal = visit("root", "administration/book")
    expect(journal.get_by_text(f"Number 1 was confirmed, but refused: {refused}")).to_be_visible()
    dealer.deal("KD KH 7C", "settle")
    dealer.settle()


def test_the_last_card_is_corrected_by_its_key_while_the_next_is_due(visit: Visit) -> None:
    dealer, _ann = dealt(visit, "9S KD")
    dealer.page.keyboard.press("k")
    expect(dealer.page.get_by_role("dialog")).to_have_count(0)
    dealer.page.keyboard.press("Escape")
    dealer.page.keyboard.press("w")
    dialog = dealer.page.get_by_role("dialog", name="Correct last card")
    dialog.locator("[name=card]").fill("8D")
    dialog.locator("[name=card]").press("Enter")
    expect(dialog).to_have_count(0)
    expect(dealer.page.locator(".hands").get_by_role("img", name="8♦")).to_be_visible()
    dealer.deal("KH 7C", "settle")
    dealer.settle()


def test_after_a_decision_about_bets_none_stays_named(visit: Visit) -> None:
    dealer, _ann = dealt(visit, "9S KD KH 7C", "settle")
    tom = visit("tom", f"pit/{TABLE}")
    form = tom.locator("details.house")
    form.locator("summary").click()
    named = form.locator("select[data-bet='1/player_pair/ann']")
    expect(form).to_contain_text("Ann · box 1 · Player Pair · 100")
    form.locator("[name=decision]").fill("the pair is returned")
    form.locator("[name=reason]").fill("it was announced as a bet on the Banker's")
    named.select_option("return")
    form.get_by_role("button", name="Record decision").click()
    expect(tom.get_by_role("region", name="Waiting for confirmation")).to_contain_text(
        "Ann · box 1 · Player Pair · returned"
    )
    expect(named).to_have_value("")
    expect(form.locator("[name=decision]")).to_have_value("")
    waiting = call(tom, "tom", "GET", "/waiting")
    call(tom, "tom", "POST", f"/waiting/{waiting[0]['number']}/decline", {"reason": "another one"})
    dealer.step("settle")
    dealer.page.keyboard.press("Enter")
    dealer.step("confirm")
    form.locator("[name=decision]").fill("late")
    form.locator("[name=reason]").fill("late")
    named.select_option("return")
    form.get_by_role("button", name="Record decision").click()
    expect(tom.get_by_role("region", name="Notices")).to_contain_text("Take and pay first: box 1.")
    dealer.page.keyboard.press("Enter")
    dealer.step("open")


def test_a_round_that_cannot_go_on_is_concluded_and_open_bets_are_returned(visit: Visit) -> None:
    dealer, ann = dealt(visit, "9S KD 9H")
    sue, tom, max_ = visit("sue", f"pit/{TABLE}"), visit("tom", f"pit/{TABLE}"), visit("max", f"pit/{TABLE}")
    send(dealer.page, "dora", {"type": "Report", "round": dealer.state["round"], "fault": "technical"})
    sue.locator("[data-choice=cannot_go_on]").click()
    sue.locator("button.decide").click()
    tom.locator("[data-choice=conclude]").click()
    tom.locator("section.waiting [name=reason]").fill("the hall is evacuated")
    expect(tom.locator("section.waiting")).to_contain_text("A second person has to confirm it.")
    expect(tom.locator("section.waiting")).to_contain_text("Player Pair in box 1: 100 wins 1,100 at 11:1")
    tom.locator("button.decide").click()
    expect(tom.locator("[data-choice=conclude]")).to_have_count(0)
    max_.get_by_role("region", name="Waiting for confirmation").get_by_role("button", name="Confirm").click()
    seat = Seat(ann)
    seat.phase("decided")
    expect(seat.ticket.locator("li").first).to_contain_text("500 returned · Paragraph 5.17")
    expect(seat.settled("Player Pair")).to_contain_text("100 × 11:1 win")
    dealer.step("open")


def test_an_overlay_that_is_no_json_says_where_and_the_rank_that_declares_is_named(visit: Visit) -> None:
    page, dealer = visit("max", "pit/super-six-1/setup"), Console(visit("dora", "dealer/super-six-1"), "super-six-1")
    text, change = page.locator("[name=overlay]"), page.get_by_role("button", name="Change from the next round")
    text.fill('{"key": "sample",\n "title": }')
    expect(page.get_by_text("This is not JSON from line 2, column 11 on: }")).to_be_visible()
    change.click()
    expect(text).to_be_focused()
    expect(page.get_by_text("Changed.")).to_have_count(0)
    text.fill("[]")
    expect(page.get_by_text("An overlay is one object in braces")).to_be_visible()
    text.fill(json.dumps(OVERLAY | {"void": []}))
    change.click()
    expect(page.get_by_role("region", name="Notices")).to_contain_text("void: expected a list of length >= 1.")
    text.fill(json.dumps(OVERLAY))
    change.click()
    expect(page.get_by_text("Changed.")).to_be_visible()
    dealer.open()
    dealer.enter("close", "draw")
    dealer.page.keyboard.press("e")
    fault = dealer.page.locator("[data-fault=technical]")
    expect(fault).to_contain_text("Pit Manager decides")
    fault.click()
    dealer.page.get_by_role("button", name="Report it").click()
    expect(dealer.next).to_contain_text("Pit Manager")


def test_a_refused_line_is_still_told_after_the_page_is_loaded_again(visit: Visit, house: Served) -> None:
    seat = Seat(visit("bao", "table/electronic-1"))
    seat.buy_in()
    house.bring("electronic-1", "betting")
    seat.phase("betting")
    seat.put("player", chip="Chip 5")
    seat.confirm.click()
    refused = seat.ticket.locator(".refused")
    below = refusal_text(Reason.UNDER_MINIMUM, stake="5.00", minimum="10.00")
    expect(refused).to_contain_text(below)
    seat.page.reload()
    expect(refused).to_contain_text(below)
    seat.bet("player")
    expect(refused).to_have_count(0)
    seat.page.reload()
    expect(seat.ticket.locator(".accepted")).to_have_count(1)
    expect(refused).to_have_count(0)
