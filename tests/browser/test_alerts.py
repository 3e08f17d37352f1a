"""What the pit is alerted to, in a real browser; the closing of a table from its notice to its end; and tiles that are
told apart without colours."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from puntobanco.rules.refusal import Reason
from tests.browser.conftest import Visit
from tests.browser.console import Console
from tests.browser.floor import TABLE, call, card, refusal_text, seated, send, view
from tests.browser.house import Served

HOUSE = {"by_hand": True, "attended": True, "decision_alert": 0}


def alert(page: Any, says: str) -> Any:
    """An open alert. Those that were acknowledged are folded away."""
    return page.locator("section", has=page.locator("#alerts-title")).locator("> ul > li", has_text=says)


def acknowledge(page: Any, says: str) -> None:
    alert(page, says).get_by_role("button", name="Acknowledge").click()
    expect(alert(page, says)).to_have_count(0)


def opened(visit: Visit) -> Console:
    dealer = Console(visit("dora", f"dealer/{TABLE}"), TABLE)
    expect(dealer.next).to_be_visible()
    dealer.open()
    return dealer


def test_a_decision_that_waits_is_an_alert_with_how_long_and_leads_to_its_table(visit: Visit) -> None:
    dealer, tom, sue = opened(visit), visit("tom", "pit"), visit("sue", "pit")
    number = view(dealer.page, "dora")["round"]
    send(dealer.page, "dora", {"type": "Report", "round": number, "fault": "unprovided", "note": "a dog"})
    for page in (tom, sue):
        waits = alert(page, "A decision waits")
        expect(waits).to_contain_text(f"{TABLE} · Round {number}")
        expect(waits).to_contain_text("for Shift Manager")
        expect(waits.get_by_role("timer")).to_have_text(re.compile("0:[0-5][0-9]"))
    expect(alert(sue, "A decision waits").get_by_role("button", name="Acknowledge")).to_have_count(0)
    acknowledge(tom, "A decision waits")
    expect(alert(sue, "A decision waits")).to_have_count(0)
    (seen,) = [one for one in call(tom, "tom", "GET", "/alerts") if one["kind"] == "decision_waits"]
    assert seen["seen_by"] == "tom"
    question = view(tom, "tom")["question"]["number"]
    send(tom, "tom", {"type": "Rule", "question": question, "choice": "continue", "reason": "it has gone"})
    dealer.step("close")
    assert [one for one in call(tom, "tom", "GET", "/alerts") if one["kind"] == "decision_waits"] == []


def test_a_request_that_waits_is_an_alert_for_whoever_may_confirm_it(visit: Visit) -> None:
    tom, max_ = visit("tom", "pit"), visit("max", "pit")
    decide = {"type": "DecideUnprovided", "round": view(tom, "tom")["round"], "decision": "a toast", "reason": "late"}
    send(tom, "tom", decide)
    waits = alert(max_, "A request waits for a second person")
    expect(waits.get_by_role("timer")).to_be_visible(timeout=40_000)
    acknowledge(max_, "A request waits for a second person")
    expect(alert(tom, "A request waits")).to_have_count(0)
    (waiting,) = call(tom, "tom", "GET", "/waiting")
    call(tom, "tom", "POST", f"/waiting/{waiting['number']}/decline", {"reason": "no"})


def test_bets_on_a_known_card_are_named_with_their_worth(visit: Visit) -> None:
    dealer, ann, tom = Console(visit("dora", f"dealer/{TABLE}"), TABLE), visit("ann"), visit("tom", "pit")
    number = view(dealer.page, "dora")["round"]
    report = {"type": "Report", "round": number, "fault": "exposed", "cards": [card("9S")]}
    send(dealer.page, "dora", report)
    for _ in range(240):
        if call(dealer.page, "dora", "GET", f"/tables/{TABLE}/worth")["worth"]:
            break
        dealer.page.wait_for_timeout(500)
    send(dealer.page, "dora", {"type": "OpenBetting", "acknowledge": True})
    seated(ann, "ann", 1)
    lines = [{"bet": "player", "amount": 500_00, "box": 1}, {"bet": "banker", "amount": 100_00, "box": 1}]
    send(ann, "ann", {"type": "PlaceBets", "round": number + 1, "lines": lines})
    send(dealer.page, "dora", {"type": "CloseBetting", "round": number + 1})
    named = alert(tom, "Bets lie on cards that everybody knew")
    expect(named).to_contain_text(re.compile(r"Box 1, Ann: 500 on Player · \+2\d\.\d\d %"), timeout=40_000)
    expect(named).not_to_contain_text("Banker")
    expect(alert(tom, "An exposed card begins the next round")).to_be_visible()
    empty = tom.get_by_role("region", name="Decisions for you").bounding_box()
    assert empty["height"] < 200, "many alerts leave no void beside them"
    acknowledge(tom, "Bets lie on cards that everybody knew")
    tom.get_by_text("Seen to").click()
    expect(tom.locator("details", has_text="Seen to")).to_contain_text("Bets lie on cards that everybody knew")


def test_two_people_with_the_set_up_form_do_not_overwrite_each_other(visit: Visit) -> None:
    tom, max_ = visit("tom", "pit/baccarat-1/setup"), visit("max", "pit/baccarat-1/setup")
    for page in (tom, max_):
        expect(page.locator("[name=minimum]")).to_have_value(re.compile(r"\d"))
    change = "Change from the next round"
    max_.locator("[name=minimum]").fill("75")
    max_.get_by_role("button", name=change).click()
    expect(max_.get_by_text("Changed.")).to_be_visible()
    tom.locator("[name=differential]").fill("4000")
    tom.get_by_role("button", name=change).click()
    expect(tom.get_by_role("region", name="Notices")).to_contain_text("Somebody else has changed the set-up")
    expect(tom.get_by_role("button", name=change)).to_be_disabled()
    expect(tom.locator("[name=differential]")).to_have_value("4000")
    assert view(max_, "max", "baccarat-1")["minimum"] == 75_00
    tom.get_by_role("button", name="Show the current set-up").click()
    expect(tom.locator("[name=minimum]")).to_have_value("75")
    tom.locator("[name=differential]").fill("4000")
    tom.get_by_role("button", name=change).click()
    expect(tom.get_by_text("Changed.")).to_be_visible()
    max_.locator("[name=minimum]").fill("50")
    shown = view(max_, "max", "baccarat-1")
    assert (shown["minimum"], shown["differential"]) == (75_00, 4_000_00)


def test_a_stopped_table_is_an_alert_until_somebody_acknowledges_it(visit: Visit, house: Served) -> None:
    max_, ann = visit("max", "pit"), visit("ann")
    house.overtake("wu-song-1")
    with pytest.raises(AssertionError, match="table_stopped"):
        send(ann, "ann", {"type": "BuyIn", "person": "ann", "amount": 100_00}, "wu-song-1")
    dealer = visit("dora", "dealer/wu-song-1")
    expect(dealer.get_by_role("alert")).to_contain_text("Call the Pit Manager")
    expect(dealer.locator("header.top")).not_to_contain_text("Waiting for the next round")
    stopped = alert(max_, "The table has stopped")
    expect(stopped).to_contain_text("wu-song-1", timeout=40_000)
    stopped.get_by_role("link", name="Go to the table").click()
    expect(max_.get_by_role("alert")).to_contain_text("accepts no commands")
    max_.go_back()
    acknowledge(max_, "The table has stopped")


def test_a_table_closes_after_its_notice_and_one_more_round(visit: Visit) -> None:
    table = "super-six-1"
    dealer, ann = Console(visit("dora", f"dealer/{table}"), table), visit("ann", f"table/{table}")
    max_, floor, board = visit("max", f"pit/{table}/setup"), visit("sue", "pit"), visit("board", f"board/{table}")
    seated(ann, "ann", 1, table)
    expect(dealer.next).to_be_visible()
    max_.get_by_role("button", name="Close table").click()
    max_.get_by_role("dialog").get_by_role("button", name="Close table").click()
    expect(max_.get_by_role("region", name="Notices")).to_contain_text(refusal_text(Reason.CLOSING_UNANNOUNCED))
    max_.locator("[name=closing-reason]").fill("few guests tonight")
    max_.get_by_role("button", name="Announce closing").click()
    tile = floor.get_by_role("article", name=table)
    expect(tile).to_contain_text("Closing soon")
    for screen in (dealer.page, ann, board, max_, tile):
        expect(screen.get_by_text("few guests tonight").first).to_be_visible()
    when_possible = max_.get_by_role("button", name="Close when possible")
    expect(when_possible).to_be_enabled()
    max_.get_by_role("button", name="Close table").click()
    max_.get_by_role("dialog").get_by_role("button", name="Close table").click()
    expect(max_.get_by_role("region", name="Notices")).to_contain_text("notice")
    number = dealer.open()
    send(
        ann,
        "ann",
        {"type": "PlaceBets", "round": number, "lines": [{"bet": "player", "amount": 100_00, "box": 1}]},
        table,
    )
    dealer.enter("close", "draw")
    dealer.deal("9S KD KH 7C", "settle")
    dealer.settle()
    max_.get_by_role("button", name="Close table").click()
    max_.get_by_role("dialog").get_by_role("button", name="Close table").click()
    expect(dealer.next).to_have_attribute("data-step", "wait_closed")
    expect(tile).to_contain_text("Closed")
    expect(ann.get_by_text("few guests tonight")).to_have_count(0)
    purse = call(ann, "ann", "GET", f"/tables/{table}")["private"]["purse"]
    assert purse > 0, "the money stays until it is cashed out, also at a closed table"
    send(ann, "ann", {"type": "CashOut", "person": "ann", "amount": purse}, table)
