"""What a player has at the seat beside the felt: roads, limits, totals, insurance as a decision, money elsewhere."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.floor import card, send, view
from tests.browser.house import Served
from tests.browser.seat import Seat

HOUSE = {"stack": "A K 3 5 7 6"}
"""Every round: Player A 3 7, Banker K 5 6, a tie of 1; the Banker is insured after four cards and after five."""
INSURANCE, WU_SONG = "insurance-1", "wu-song-1"

UNCOVERED = """(notice) => {
  const shown = notice.getBoundingClientRect()
  return [...document.querySelectorAll("button, a[href], input, summary")]
    .filter((one) => !notice.closest(".notices").contains(one) && one.checkVisibility())
    .filter((one) => {
      const box = one.getBoundingClientRect()
      return shown.left < box.right && box.left < shown.right && shown.top < box.bottom && box.top < shown.bottom
    })
    .map((one) => one.innerText || one.getAttribute("aria-label"))
}"""
CONTRAST = """(text) => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((one) => one / 255)
      .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const both = [light(getComputedStyle(text).color), light(getComputedStyle(text.closest(".panel")).backgroundColor)]
  return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05)
}"""
PHONE = {"width": 390, "height": 844}


def test_all_five_roads_are_at_the_seat_and_stay_as_they_were_left(visit: Visit, house: Served) -> None:
    page = visit("ann", f"table/{WU_SONG}")
    Seat(page).phase("betting", "idle")
    house.bring(WU_SONG, "settled")
    roads = page.locator("details.roads")
    for kind in ("bead", "big", "bigEyeBoy", "smallRoad", "cockroachPig"):
        expect(roads.locator(f"[data-road={kind}]").first).to_be_visible()
    expect(roads.locator("[data-ask]")).to_have_count(2)
    expect(roads.locator("[data-road=bead] [data-mark]")).to_have_count(1)
    expect(roads.locator("[data-count=tie] b")).to_have_text("1")
    roads.locator("summary").click()
    expect(roads.locator("[data-road=bead]")).to_be_hidden()
    page.reload()
    expect(page.locator("details.roads [data-count=tie]")).to_be_visible()
    expect(page.locator("details.roads [data-road=bead]")).to_be_hidden()


def test_the_last_result_is_still_shown_after_the_page_was_loaded_again(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("ann", f"table/{WU_SONG}"))
    house.bring(WU_SONG, "settled")
    house.bring(WU_SONG, "betting")
    expect(page.locator(".felt .zone")).not_to_have_count(0)
    if page.locator(".start button").count():
        seat.buy_in()
    seat.bet("tie")
    house.bring(WU_SONG, "settled")
    last = page.locator(".money div").nth(2)
    expect(last).to_contain_text("+800")
    house.bring(WU_SONG, "betting")
    page.reload()
    expect(last).to_contain_text("+800")


def test_a_terminal_without_boxes_says_what_its_bets_can_still_take(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("ann", "table/electronic-1"))
    house.bring("electronic-1", "betting")
    expect(page.locator(".felt .zone")).not_to_have_count(0)
    if page.locator(".start button").count():
        seat.buy_in()
    expect(seat.zone("banker")).to_contain_text("can still bet 5,000")
    seat.bet("banker")
    expect(seat.zone("banker")).to_contain_text("can still bet 4,900")
    expect(seat.zone("player")).to_contain_text("can still bet 5,100")
    house.bring("electronic-1", "settled")


def test_why_a_part_of_the_slip_was_refused_is_said_at_once(visit: Visit, house: Served) -> None:
    """On a phone the ticket with the reason of each line is below the chips."""
    seat = Seat(page := visit("ann", "table/electronic-1", viewport=PHONE))
    house.bring("electronic-1", "betting")
    expect(page.locator(".felt .zone")).not_to_have_count(0)
    if page.locator(".start button").count():
        seat.buy_in()
    seat.put("tie")
    seat.put("banker", chip="Chip 5")
    seat.confirm.click()
    expect(page.locator(".notice").last).to_contain_text(
        "1 of 2 lines were not accepted. 5 is below the minimum of 10."
    )
    house.bring("electronic-1", "settled")


def test_each_bet_says_what_it_can_still_take_and_three_bettors_make_a_total(visit: Visit, house: Served) -> None:
    seats = [Seat(visit(name, f"table/{WU_SONG}")) for name in ("ann", "bao", "chen")]
    house.bring(WU_SONG, "betting")
    for seat in seats:
        expect(seat.page.locator(".felt .zone")).not_to_have_count(0)
        if seat.page.locator(".start button").count():
            seat.buy_in()
    zone = seats[0].zone("banker")
    expect(zone).to_contain_text("can still bet 5,000")
    for at, seat in enumerate(seats):
        expect(zone.locator("[data-total]")).to_have_count(0)
        seat.bet("banker", "player") if at == 2 else seat.bet("banker")
    expect(zone).to_contain_text("can still bet 4,")
    for seat in seats:
        expect(seat.zone("banker").locator("[data-total]")).to_have_text("300 · 3 bettors")
        expect(seat.zone("player").locator("[data-total]")).to_have_count(0)


def test_undo_can_be_pressed_whenever_it_does_something(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("ann", f"table/{WU_SONG}"))
    house.bring(WU_SONG, "settled")
    house.bring(WU_SONG, "betting")
    if page.locator(".start button").count():
        seat.buy_in()
    undo, wanted = page.get_by_role("button", name="Undo"), seat.ticket.locator(".wanted")
    expect(undo).to_be_disabled()
    seat.put("tie", "tie")
    expect(wanted).to_contain_text("200")
    undo.click()
    expect(wanted).to_contain_text("100")
    page.get_by_role("button", name="Clear").click()
    expect(wanted).to_have_count(0)
    undo.click()
    expect(wanted).to_contain_text("100")
    undo.click()
    expect(wanted).to_have_count(0)
    expect(undo).to_be_disabled()


def test_rebet_can_be_pressed_only_while_a_bet_of_the_last_round_is_missing(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("ann", f"table/{WU_SONG}"))
    house.bring(WU_SONG, "settled")
    house.bring(WU_SONG, "betting")
    if page.locator(".start button").count():
        seat.buy_in()
    seat.bet("tie")
    house.bring(WU_SONG, "settled")
    house.bring(WU_SONG, "betting")
    rebet = page.get_by_role("button", name="Rebet")
    rebet.click()
    expect(seat.ticket.locator(".wanted")).to_contain_text("100")
    expect(rebet).to_be_disabled()
    seat.confirm.click()
    expect(seat.ticket.locator(".accepted")).to_have_count(1)
    expect(rebet).to_be_disabled()


@pytest.mark.parametrize("viewport", [PHONE, None, {"width": 1024, "height": 768}], ids=["phone", "desktop", "tablet"])
def test_what_is_said_in_passing_covers_no_control(visit: Visit, house: Served, viewport: Any) -> None:
    seat = Seat(page := visit("bao", f"table/{WU_SONG}", viewport=viewport))
    house.bring(WU_SONG, "settled")  # nothing lies there from before
    house.bring(WU_SONG, "betting")
    if page.locator(".start button").count():
        seat.buy_in()
    expect(page.locator(".notice")).to_have_count(0)
    seat.bet("tie")
    notice = page.locator(".notice").last
    expect(notice).to_contain_text("Accepted")
    page.wait_for_timeout(500)
    assert notice.evaluate(UNCOVERED) == []


@pytest.mark.parametrize("viewport", [None, {"width": 1024, "height": 768}], ids=["desktop", "tablet"])
def test_what_is_said_in_passing_leaves_phase_cards_and_result_in_sight(
    visit: Visit, house: Served, viewport: Any
) -> None:
    seat = Seat(page := visit("bao", f"table/{WU_SONG}", viewport=viewport))
    house.bring(WU_SONG, "settled")
    house.bring(WU_SONG, "betting")
    if page.locator(".start button").count():
        seat.buy_in()
    seat.bet("tie")
    house.bring(WU_SONG, "settled")
    expect(page.locator(".banner")).to_be_visible()
    notice = page.locator(".notice").last
    expect(notice).to_contain_text("Accepted")
    page.wait_for_timeout(500)
    assert notice.evaluate(UNCOVERED) == []
    said = notice.bounding_box()
    for part in page.locator(".phase, .hand .card, .banner").all():
        box = part.bounding_box()
        assert not (overlaps(said, box, "x", "width") and overlaps(said, box, "y", "height")), part.inner_text()


def overlaps(one: Any, other: Any, start: str, size: str) -> bool:
    return bool(one[start] < other[start] + other[size] and other[start] < one[start] + one[size])


@pytest.mark.parametrize("table", [WU_SONG, "baccarat-1"])
def test_on_a_phone_what_is_said_in_passing_leaves_the_time_and_the_cards_in_sight(
    visit: Visit, house: Served, table: str
) -> None:
    seat = Seat(page := visit("bao", f"table/{table}", viewport=PHONE))
    house.bring(table, "settled")
    house.bring(table, "betting")
    if page.locator(".start button").count():
        seat.buy_in()
    seat.bet("tie")
    notice = page.locator(".notice").last
    expect(notice).to_contain_text("Accepted")
    page.wait_for_timeout(500)
    said = notice.bounding_box()
    for part in page.locator(".phase, [role=timer]").all():
        box = part.bounding_box()
        assert box["y"] + box["height"] <= said["y"] or box["y"] >= said["y"] + said["height"], part.inner_text()


def test_what_a_bet_can_still_take_is_said_only_while_it_can(visit: Visit, house: Served) -> None:
    page = visit("bao", f"table/{WU_SONG}")
    house.bring(WU_SONG, "betting")
    room = page.locator(".zone[data-bet=player] .room")
    expect(room).to_be_visible()
    house.bring(WU_SONG, "settled")
    expect(room).to_be_hidden()


def test_insurance_is_a_decision_and_the_window_ends_with_the_last_answer(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("chen", f"table/{INSURANCE}"))
    seat.buy_in()
    house.bring(INSURANCE, "betting")
    seat.bet("banker")
    house.go_on(INSURANCE)
    panel = page.locator(".insurance")
    expect(panel.get_by_label("Stake")).to_have_value("0")
    take, no = (
        panel.get_by_role("button", name=re.compile("^Insure for")),
        panel.get_by_role("button", name="No thanks"),
    )
    expect(take).to_be_disabled()
    panel.get_by_role("button", name="50%").click()
    expect(panel).to_contain_text("Player wins: you win 50. Banker wins: you lose 25.")
    panel.get_by_label("Stake").fill("51")
    expect(take).to_be_disabled()
    expect(panel).to_contain_text("Between 0 and 50")
    no.click()
    expect(panel.locator("h2")).to_contain_text("after the Player's third card", timeout=20_000)
    expect(seat.ticket.locator(".accepted")).to_have_count(1)
    no.click()
    seat.phase("settled")
    expect(page.locator(".insurance")).to_have_count(0)


def test_what_was_insured_to_the_full_is_said_to_leave_nothing(visit: Visit, house: Served) -> None:
    house.bring(INSURANCE, "settled")
    house.bring(INSURANCE, "betting")
    panels = []
    for name in ("chen", "bao"):
        seat = Seat(page := visit(name, f"table/{INSURANCE}"))
        expect(page.locator(".felt .zone")).not_to_have_count(0)
        if page.locator(".start button").count():
            seat.buy_in()
        seat.bet("banker")
        panels.append(page.locator(".insurance"))
    house.go_on(INSURANCE)
    insured, other = panels
    insured.get_by_role("button", name="100%").click()
    insured.get_by_role("button", name="Insure for 50").click()
    other.get_by_role("button", name="No thanks").click()
    expect(insured).to_contain_text("Nothing is left to insure of your bet on the Banker.", timeout=20_000)
    expect(visit("ann", f"table/{INSURANCE}").locator(".insurance")).to_contain_text("to those who bet on the hand")
    other.get_by_role("button", name="No thanks").click()
    house.bring(INSURANCE, "settled")


def test_staff_record_the_insurance_of_a_guest_where_the_house_deals(visit: Visit, house: Served) -> None:
    page = visit("sue", f"dealer/{INSURANCE}")
    expect(page.locator("[data-step=wait_itself]")).to_be_visible()
    buy_in = {"type": "BuyInAtTable", "name": "Mr Goh", "amount": 500_00, "tender": "cash"}
    send(page, "sue", buy_in, INSURANCE)
    house.bring(INSURANCE, "settled")
    number = house.bring(INSURANCE, "betting")
    lines = [{"bet": "banker", "amount": 100_00, "box": 6}]
    place = {"type": "PlaceBets", "round": number, "owner": "~Mr Goh", "requested": True, "lines": lines}
    send(page, "sue", place, INSURANCE)
    house.go_on(INSURANCE)
    taker = page.locator(".takers li", has_text="Mr Goh")
    expect(taker).to_contain_text("no answer yet")
    taker.get_by_role("textbox").fill("25")
    taker.get_by_role("button", name="Record insurance").click()
    expect(page.locator("main")).to_contain_text("(after the Player's third card)", timeout=20_000)
    expect(taker).to_contain_text("no answer yet")
    taker.get_by_role("button", name=re.compile("Mr Goh, box 6")).click()
    expect(page.locator(".takers")).to_have_count(0)
    house.bring(INSURANCE, "settled")
    send(page, "sue", {"type": "LeaveTable", "person": "~Mr Goh"}, INSURANCE)


def test_in_the_light_theme_the_time_left_for_insurance_can_be_read(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("chen", f"table/{INSURANCE}"))
    house.bring(INSURANCE, "settled")
    house.bring(INSURANCE, "betting")
    page.evaluate("localStorage.setItem('puntobanco.theme', 'desk')")
    page.reload()
    if page.locator(".start button").count():
        seat.buy_in()
    seat.bet("banker")
    house.go_on(INSURANCE)
    clock = page.locator(".insurance .clock")
    expect(clock).to_have_text(re.compile(r"\d"))
    assert clock.evaluate(CONTRAST) >= 4.5
    house.bring(INSURANCE, "settled")


def test_a_stake_of_insurance_that_is_not_in_chips_cannot_be_sent(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("chen", f"table/{INSURANCE}"))
    house.bring(INSURANCE, "settled")
    house.bring(INSURANCE, "betting")
    expect(page.locator(".felt .zone")).not_to_have_count(0)
    if page.locator(".start button").count():
        seat.buy_in()
    seat.bet("banker")
    house.go_on(INSURANCE)
    panel = page.locator(".insurance")
    panel.get_by_label("Stake").fill("5.50")
    expect(panel).to_contain_text("Between 0 and 50, in steps of 1.")
    expect(panel.get_by_role("button", name=re.compile("^Insure for"))).to_be_disabled()
    house.bring(INSURANCE, "settled")


def test_on_a_phone_offers_for_two_boxes_leave_the_cards_in_sight(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("chen", f"table/{INSURANCE}", viewport=PHONE))
    house.bring(INSURANCE, "settled")
    house.bring(INSURANCE, "betting")
    expect(page.locator(".felt .zone")).not_to_have_count(0)
    if page.locator(".start button").count():
        seat.buy_in()
    seat.bet("banker")
    page.get_by_role("button", name=re.compile("^Box 2, ")).click()
    seat.put("banker")
    seat.confirm.click()
    expect(seat.ticket.locator(".accepted")).to_have_count(2)
    house.go_on(INSURANCE)
    expect(page.locator("[data-offer]")).to_have_count(2)
    expect(page.locator(".hand .card")).to_have_count(4)
    page.wait_for_timeout(500)
    panel = page.locator(".asks").bounding_box()
    for lying in page.locator(".hand .card").all():
        box = lying.bounding_box()
        assert box["y"] + box["height"] <= panel["y"] + 1
    last = page.locator("[data-offer]").last.get_by_role("button", name="No thanks")
    last.click()
    expect(last).to_be_disabled()
    house.bring(INSURANCE, "settled")


def test_a_bet_that_played_in_part_explains_itself_on_the_ticket_and_in_the_rounds(visit: Visit) -> None:
    table = "baccarat-2"
    dealer, pit, page = visit("dora"), visit("sue"), visit("bao", f"table/{table}", viewport=PHONE)
    expect(page.locator(".felt .zone")).not_to_have_count(0)
    send(page, "bao", {"type": "BuyIn", "person": "bao", "amount": 6_000_00}, table)
    shoe = {"shoe": "first", "decks": 8, "shuffled": True, "source": "keyboard", "reason": "a fresh set"}
    send(pit, "sue", {"type": "LoadShoe", **shoe}, table)
    send(dealer, "dora", {"type": "OpenBetting", "acknowledge": True}, table)
    number = view(dealer, "dora", table)["round"]
    lines = [{"bet": "banker", "amount": 6_000_00, "box": 1}]
    send(page, "bao", {"type": "PlaceBets", "round": number, "lines": lines}, table)
    send(dealer, "dora", {"type": "CloseBetting", "round": number, "over_excess": True}, table)
    ticket = page.locator(".ticket")
    expect(ticket.locator(".accepted")).to_contain_text("✓ accepted · 5,000 of 6,000 plays")
    for index, text in enumerate(("2S", "KH", "3D", "8C"), start=1):
        send(dealer, "dora", {"type": "DrawCard", "round": number, "index": index, "card": card(text)}, table)
    send(dealer, "dora", {"type": "Settle", "round": number}, table)
    told = "5,000 of 6,000 played, Paragraph 5.1.1 · 5,000 × 0.95:1 win · commission 250 (Paragraph 4.1.1)"
    expect(ticket).to_contain_text(told)
    page.get_by_role("button", name="Rounds").click()
    dialog = page.get_by_role("dialog")
    dialog.locator(".line").first.click()
    expect(dialog).to_contain_text(told)
    assert dialog.evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_only_rounds_with_own_bets_and_money_moved_from_another_table(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("ann", f"table/{INSURANCE}"))
    house.bring(INSURANCE, "betting")
    seat.buy_in(300)
    house.bring(INSURANCE, "settled")
    page.get_by_role("button", name="Rounds").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("li").first).to_be_visible()
    dialog.get_by_label("Only rounds with my bets").check()
    expect(dialog).to_contain_text("None of these rounds had a bet of yours.")
    expect(dialog.locator("li")).to_have_count(0)
    page.keyboard.press("Escape")

    page.goto(page.url.replace(INSURANCE, "baccarat-1"))
    page.locator(".balance, .start button").first.wait_for()
    house.bring("baccarat-1", "betting")
    page.locator(".start button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Your money at other tables")
    row = dialog.locator(".elsewhere li", has_text=INSURANCE)
    expect(row).to_contain_text("300")
    row.get_by_role("button", name="Move here").click()
    expect(page.locator(".balance")).to_contain_text("300")
    expect(row).to_have_count(0)


def test_a_table_that_has_failed_is_called_stopped_and_the_money_is_named(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("chen", "table/super-six-1"))
    house.bring("super-six-1", "betting")
    seat.phase("betting")
    seat.buy_in()
    house.overtake("super-six-1")
    seat.put("tie")
    seat.confirm.click()
    stopped = page.get_by_role("alert").filter(has_text="This table has stopped")
    expect(stopped).to_contain_text("Your balance here and the bets of the round are recorded")
    expect(stopped).to_contain_text("At this table 1,000")
    expect(page.get_by_role("button", name="Call supervisor")).to_have_count(0)
    page.reload()
    expect(stopped).to_contain_text("At this table 1,000")
    expect(page.locator("h1").first).to_contain_text("Super Six")
    page.get_by_role("main").get_by_role("link", name="To the lobby").click()
    expect(page.get_by_role("link", name=re.compile(WU_SONG)).first).to_be_visible()


def test_a_closed_table_says_what_becomes_of_the_money(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("bao", "table/electronic-1"))
    house.bring("electronic-1", "settled")
    seat.buy_in()
    tom = visit("tom", "pit")
    send(tom, "tom", {"type": "CloseTable", "cause": "safety", "reason": "smoke in the pit"}, "electronic-1")
    seat.phase("closed")
    expect(page.locator(".said")).to_contain_text("This table is closed. Your balance here stays yours")
    page.locator(".balance").click()
    page.get_by_role("dialog").get_by_role("button", name="Cash out 1,000").click()
    expect(page.locator(".balance")).to_contain_text("0")
    expect(page.locator(".said")).not_to_contain_text("Your balance")


def test_a_lost_connection_is_said_within_five_seconds(visit: Visit, house: Served) -> None:
    page = visit("ann", f"table/{WU_SONG}")
    Seat(page).phase("betting", "idle", "settled")
    page.wait_for_timeout(500)
    house.freeze()
    try:
        expect(page.get_by_role("alert").filter(has_text="Connection lost")).to_be_visible(timeout=5_000)
    finally:
        house.thaw()
    expect(page.get_by_role("alert").filter(has_text="Connection lost")).to_have_count(0)


def test_a_round_that_ended_while_the_connection_was_lost_is_told(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("chen", f"table/{WU_SONG}"))
    house.bring(WU_SONG, "settled")
    house.bring(WU_SONG, "betting")
    seat.phase("betting")
    if page.locator(".start button").count():
        seat.buy_in()
    number = seat.bet("tie")
    page.context.set_offline(True)
    expect(page.locator("p.lost")).to_be_visible()
    house.bring(WU_SONG, "settled")
    house.bring(WU_SONG, "betting")
    page.context.set_offline(False)
    told = page.locator(".notice", has_text=f"Round {number} ended while the connection was lost.")
    expect(told).to_be_visible()
