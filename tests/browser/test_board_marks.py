"""What the board says beyond the winner: bets that won, results cut off, limits, and what comes next."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.floor import TABLE, call, send
from tests.browser.house import Served
from tests.browser.seat import Seat

HOUSE = {"stack": "K 10 5 2 Q 4", "card": 1, "result": 1}
"""Player 5, Banker 6 with three cards, in the first rounds of a shoe."""
WALL = {"width": 1920, "height": 1080}
OLD = {"width": 1024, "height": 768}


def results(page: Any, table: str) -> list[str]:
    found: list[str] = call(page, "board", "GET", f"/tables/{table}")["results"]
    return found


def test_a_big_tiger_has_its_sign_and_its_count(visit: Visit, house: Served) -> None:
    house.bring("wu-song-1", "settled")
    page = visit("board", "board/wu-song-1", viewport=WALL)
    expect(page.locator("[data-wins=big_tiger] b")).to_have_text("1")
    expect(page.locator("[data-wins=big_tiger]")).to_contain_text("大 Big Tiger")
    expect(page.locator("[data-wins=wu_song]")).to_contain_text("武松 Wu Song")
    expect(page.locator("[data-road=bead] [data-sign=大]")).to_have_count(1)
    assert results(page, "wu-song-1") == ["B+big_tiger"]
    house.bring("wu-song-1", "betting")
    house.bring("wu-song-1", "settled")
    expect(page.locator("[data-wins=big_tiger] b")).to_have_text("2")


def test_super_six_is_marked_and_a_game_without_such_bets_has_no_signs(visit: Visit, house: Served) -> None:
    house.bring("super-six-1", "settled")
    page = visit("board", "board/super-six-1", viewport=WALL)
    expect(page.locator("[data-wins=super_six] b")).to_have_text("1")
    expect(page.locator("[data-road=bead] [data-sign=超]")).to_have_count(1)
    house.bring("baccarat-1", "settled")
    page = visit("board", "board/baccarat-1", viewport=WALL)
    expect(page.locator("[data-road=bead] [data-mark]")).to_have_count(1)
    expect(page.locator("[data-wins], [data-sign]")).to_have_count(0)


def test_insurance_is_marked_when_it_was_paid(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("bao", "table/insurance-1"))
    seat.buy_in()
    house.bring("insurance-1", "betting")
    seat.bet("player")
    house.go_on("insurance-1")
    panel = page.locator(".insurance")
    panel.get_by_role("textbox", name="Stake").fill("25")
    panel.get_by_role("button", name="Insure for 25").click()
    expect(panel.get_by_role("status")).to_contain_text("Insured for 25")
    house.bring("insurance-1", "settled")
    board = visit("board", "board/insurance-1", viewport=WALL)
    expect(board.locator("[data-wins=player_insurance] b")).to_have_text("1")
    house.bring("insurance-1", "betting")
    house.bring("insurance-1", "settled")
    expect(board.locator("[data-count=banker] dd")).to_have_text("2")
    expect(board.locator("[data-wins=player_insurance] b")).to_have_text("1")
    expect(board.locator("[data-road=bead] [data-sign=閒保]")).to_have_count(1)


def test_results_that_are_cut_off_are_counted_at_the_edge(visit: Visit, house: Served) -> None:
    page = visit("board", "board/baccarat-1", viewport=OLD)
    bead = page.locator("[data-road=bead]")
    expect(bead.locator("svg")).to_be_visible()
    expect(bead.locator(".cut")).to_have_count(0)
    while len(dealt := results(page, "baccarat-1")) < 60:
        for _ in range(10):
            house.bring("baccarat-1", "betting")
            house.bring("baccarat-1", "settled")
    expect(bead.locator(".cut")).to_be_visible()
    expect(page.locator("[data-count=banker] dd")).to_have_text(str(sum(one[0] == "B" for one in dealt)))
    shown = bead.locator("[data-mark]").count()
    expect(bead.locator(".cut")).to_have_attribute("data-earlier", str(len(dealt) - shown))
    expect(bead.locator(".cut")).to_contain_text(f"{len(dealt) - shown} earlier")
    edge = bead.locator(".cut rect").bounding_box()
    first = bead.locator("[data-mark] .full").first.bounding_box()
    assert edge["x"] + edge["width"] <= first["x"] + 1, "the sign covers no result"


def test_the_limits_of_side_bets_are_shown(visit: Visit) -> None:
    page = visit("board", f"board/{TABLE}", viewport=WALL)
    pit = visit("tom", "pit")
    setup = call(pit, "tom", "GET", f"/tables/{TABLE}")["setup"] | {"maximum": 500_00, "minimums": {"tie": 25_00}}
    send(pit, "tom", {"type": "ChangeSetup", "setup": setup})
    expect(page.locator(".limits")).to_contain_text(re.compile(r"Side bet maximum\s*500"))
    expect(page.locator(".limits")).to_contain_text(re.compile(r"Differential\s*5,000"))
    expect(page.locator("[data-minimum=tie]")).to_have_text("Tie from 25")


def test_without_a_round_the_board_says_what_comes_next(visit: Visit) -> None:
    page = visit("board", f"board/{TABLE}", viewport=WALL)
    expect(page.locator("[data-awaited=shoe]")).to_contain_text("New shoe")
    expect(page.locator("[data-awaited=shoe]")).to_contain_text("Betting opens when the new shoe is in place.")
    expect(page.locator("header")).not_to_contain_text("Round 0")
    pit = visit("sue", "pit")
    load = {"type": "LoadShoe", "shoe": "one", "decks": 8, "shuffled": True, "source": "keyboard", "reason": "fresh"}
    send(pit, "sue", load)
    expect(page.locator("[data-awaited=round]")).to_contain_text("Betting opens shortly.")
    dealer = visit("dora", "dealer")
    send(dealer, "dora", {"type": "OpenBetting", "acknowledge": True})
    expect(page.locator("[data-hand]")).to_have_count(2)
    expect(page.locator("[data-awaited]")).to_have_count(0)


def test_a_notice_of_closing_is_readable_from_five_metres(visit: Visit, house: Served) -> None:
    house.bring("baccarat-1", "betting")
    page, pit = visit("board", "board/baccarat-1", viewport=WALL), visit("tom", "pit")
    send(pit, "tom", {"type": "AnnounceClosing", "reason": "few guests tonight"}, "baccarat-1")
    notice = page.locator(".closing")
    expect(notice).to_contain_text("few guests tonight")
    assert notice.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)") >= 0.03 * WALL["height"]
    box = notice.bounding_box()
    assert box["y"] + box["height"] <= WALL["height"]


def test_a_closed_table_says_so(visit: Visit, house: Served) -> None:
    page = visit("board", "board/electronic-1", viewport=WALL)
    expect(page.locator("[data-hand]")).to_have_count(2)
    house.bring("electronic-1", "settled")
    pit = visit("tom", "pit")
    send(pit, "tom", {"type": "CloseTable", "reason": "end of the day"}, "electronic-1")
    expect(page.locator("[data-awaited=opening]")).to_contain_text("Table closed")
    expect(page.locator("[data-awaited=opening]")).to_contain_text("The pit opens this table")


def test_a_stopped_table_says_so_and_counts_nothing_down(visit: Visit, house: Served) -> None:
    house.bring("super-six-1", "betting")
    page = visit("board", "board/super-six-1", viewport=WALL)
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"\d"))
    pit = visit("tom", "pit")
    house.overtake("super-six-1")
    with pytest.raises(AssertionError, match="stopped"):
        send(pit, "tom", {"type": "AnnounceClosing", "reason": "few guests"}, "super-six-1")
    expect(page.locator("[data-awaited=stopped]")).to_contain_text("This table has stopped")
    expect(page.locator("header")).not_to_contain_text("Place your bets")
    expect(page.get_by_role("timer")).to_have_count(0)
    page.reload()
    expect(page.locator("[data-awaited=stopped]")).to_be_visible()
