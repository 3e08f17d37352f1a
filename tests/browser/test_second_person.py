"""What the second person sees, in a real browser: before, after, the money of everybody, reason, paragraph and how long
it has been waiting, on one page of any size."""

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.console import Console
from tests.browser.floor import TABLE, call, seated, send
from tests.browser.test_dealer_keys import HEARD

HOUSE = {"by_hand": True, "attended": True}
PHONE = {"width": 390, "height": 844}


def asked(visit: Visit) -> tuple[Console, Any]:
    """Ann has won 500 on Player; the shift manager asks to return that bet."""
    dealer, ann = Console(visit("dora", f"dealer/{TABLE}"), TABLE), visit("ann", f"table/{TABLE}")
    expect(dealer.next).to_be_visible()
    number = dealer.open()
    seated(ann, "ann", 1)
    lines = [{"bet": "player", "amount": 500_00, "box": 1}]
    send(ann, "ann", {"type": "PlaceBets", "round": number, "lines": lines})
    dealer.enter("close", "draw")
    dealer.deal("9S KD KH 7C", "settle")
    dealer.settle()
    tom = visit("tom", f"pit/{TABLE}")
    bets = [{"owner": "ann", "box": 1, "bet": "player", "terms": "return"}]
    decision = {"type": "DecideUnprovided", "round": number, "decision": "the bet is returned", "bets": bets}
    send(tom, "tom", decision | {"reason": "it was called as a bet on the Banker"})
    return dealer, tom


def test_the_second_person_sees_before_after_money_reason_and_paragraph_on_a_phone(visit: Visit) -> None:
    _dealer, tom = asked(visit)
    page = visit("max", "pit", viewport=PHONE)
    one = page.get_by_role("region", name="Second person").get_by_role("listitem").first
    expect(one.locator("[data-known=true]")).to_be_visible()
    expect(one.get_by_role("timer")).to_have_text(re.compile(r"waiting \d+:\d\d"))
    expect(one).to_contain_text("1 player has bets in the round")
    expect(one).to_contain_text("it was called as a bet on the Banker")
    expect(one.get_by_role("button", name=re.compile("Paragraph 5.17")).first).to_be_visible()
    purse = one.locator("[data-part=money] tr", has_text="Purse of ann")
    expect(purse).to_contain_text("−500")
    expect(one.locator("[data-part=money] tr", has_text="Float")).to_contain_text("+500")
    bet = one.locator("[data-part=round] tr", has_text="ann")
    expect(bet).to_contain_text("wins, gets 1,000")
    expect(bet).to_contain_text("stake back, gets 500")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"]
    table = one.locator("[data-part=money]").evaluate("(table) => table.scrollWidth - table.parentElement.clientWidth")
    assert table <= 0
    one.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("Nothing waits for a second person.")).to_be_visible()
    expect(tom.get_by_role("region", name="Waiting for confirmation")).to_have_count(0)


def test_the_wait_counts_up_and_what_would_be_refused_says_so(visit: Visit) -> None:
    dealer, _tom = asked(visit)
    page = visit("max", f"pit/{TABLE}")
    one = page.get_by_role("region", name="Waiting for confirmation").get_by_role("listitem").first
    timer = one.get_by_role("timer")
    before = timer.inner_text()
    expect(timer).not_to_have_text(before)
    dealer.enter("open", "close")
    expect(one).to_contain_text("It would be refused now:")
    for waiting in call(page, "max", "GET", "/waiting"):
        call(page, "max", "POST", f"/waiting/{waiting['number']}/decline", {"reason": "too late"})


def test_an_answer_that_waits_for_a_second_person_is_not_given_again(visit: Visit) -> None:
    dealer, sue = Console(visit("dora", f"dealer/{TABLE}"), TABLE), visit("sue", f"pit/{TABLE}")
    expect(dealer.next).to_be_visible()
    if dealer.state["phase"] != "betting":
        dealer.open()
    send(dealer.page, "dora", {"type": "Report", "round": dealer.state["round"], "fault": "unshuffled"})
    void = sue.locator("[data-choice=void]")
    expect(dealer.next).to_contain_text("Play waits until it is decided.")
    rings, heard = visit("max", "pit"), "() => window.tones"
    expect(rings.get_by_role("region", name="Decisions for you")).to_contain_text("was not shuffled")
    rings.evaluate(HEARD)
    void.click()
    sue.get_by_role("button", name="Decide: Declare the round void").click()
    first = sue.get_by_role("region", name="Decisions for you")
    expect(first).to_contain_text("“Declare the round void” waits for a second person. You asked")
    expect(void).to_have_count(0)
    for said in (dealer.next, dealer.page.get_by_role("region", name="Waiting for a decision")):
        expect(said).to_contain_text("An answer is given and waits for a second person.")
    rings.wait_for_function(f"({heard})().length === 3")
    expect(rings).to_have_title("(1) Pit console")
    asks = rings.get_by_role("region", name="Second person")
    confirm = asks.get_by_role("button", name="Confirm").bounding_box()
    assert confirm["y"] + confirm["height"] < 900, "a page to decide on is seen whole"
    page = visit("max", "pit", viewport=PHONE)
    second = page.get_by_role("region", name="Decisions for you")
    expect(second).to_contain_text("“Declare the round void” waits for a second person. Confirm or decline it first.")
    expect(page.locator("[data-choice=void]")).to_have_count(0)
    asked = page.get_by_role("region", name="Second person")
    expect(asked).to_contain_text(f"Declare the round void · {TABLE}")
    asked.get_by_role("button", name="Decline").click()
    asked.get_by_role("textbox").fill("it was shuffled")
    asked.get_by_role("button", name="Decline").click()
    expect(void).to_have_count(1)
    expect(dealer.next).to_contain_text("Play waits until it is decided.")
    page.locator("[data-choice=stands]").click()
    page.get_by_role("button", name="Decide: Nothing was wrong").click()
    dealer.step("close")


def test_a_fill_shows_what_the_float_holds_before_and_after(visit: Visit) -> None:
    page = visit("sue", "pit")
    fill = {"type": "Fill", "table": TABLE, "amount": 1_000_00}
    call(page, "sue", "POST", "/office", {"request": "fill-1", "command": fill})
    cashier = visit("cal", "cashier/waiting", viewport=PHONE)
    row = cashier.locator("[data-waiting] [data-part=money] tr", has_text=f"Float of {TABLE}")
    expect(row).to_contain_text("+1,000")
