"""The player terminal in a real browser: rounds of every game, and everything only a player can be asked."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from puntobanco.web.demo import TABLES
from tests.browser.conftest import Visit
from tests.browser.floor import card, seated, send, view
from tests.browser.house import SLOTS, Served
from tests.browser.seat import Seat

HOUSE = {"stack": "A K 3 5 7 6"}
"""Every round: Player A 3 7, Banker K 5 6, a tie of 1; the Banker is insured after four cards and after five."""
PHONE = {"width": 390, "height": 844}
BY_HAND = "baccarat-2"
AUTOMATIC = [name for name, (_, automatic) in TABLES.items() if automatic]


@pytest.mark.parametrize("table", AUTOMATIC)
def test_a_full_round_from_sign_in_to_payout(visit: Visit, house: Served, table: str) -> None:
    page = visit("ann")
    page.get_by_role("link", name=re.compile(rf"\b{table}\b")).first.click()
    seat = Seat(page)
    seat.buy_in()
    house.bring(table, "betting")
    number = seat.bet("player", "tie")
    expect(seat.ticket.locator(".accepted").first).to_contain_text("accepted")
    expect(page.locator(".balance")).to_contain_text("800")
    house.go_on(table)
    expect(page.locator(".zone[data-bet=player]")).to_have_attribute("aria-disabled", "true")
    house.bring(table, "settled")
    seat.phase("settled")
    assert seat.round == number
    expect(page.locator(".banner")).to_contain_text("Tie")
    expect(page.locator(".hand.player .card")).to_have_count(3)
    expect(seat.settled("Tie")).to_contain_text("+800")
    expect(seat.settled("Tie")).to_contain_text(re.compile(r"100 × 8:1 win\s+· Paragraph \d"))
    expect(seat.settled("Player")).to_contain_text(re.compile(r"push\s+· Paragraph \d"))
    expect(seat.ticket.locator(".net")).to_have_text("You won 800")
    expect(page.locator(".words")).to_contain_text("Tie")
    expect(page.locator(".balance")).to_contain_text(re.compile("1,[78]00"))


def test_an_answer_that_arrives_while_a_button_is_pressed_does_not_move_it_away(visit: Visit) -> None:
    page = visit("bao", "table/electronic-1")
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/api/wallet", hold)
    page.locator(".start button").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Amount").fill("1000")
    button = dialog.get_by_role("button", name="Buy in")
    button.hover()
    page.mouse.down()
    held[0].continue_()
    expect(dialog).to_contain_text("Latest movements")
    page.mouse.up()
    expect(page.locator(".balance")).to_contain_text("1,000")


@pytest.mark.parametrize("viewport", [PHONE, None, {"width": 1024, "height": 600}], ids=["phone", "desktop", "low"])
@pytest.mark.parametrize("answer", ["Confirm", "Decline"])
def test_what_staff_ask_of_a_guest_is_answered_at_the_terminal(visit: Visit, viewport: Any, answer: str) -> None:
    dora, page = visit("dora", "dealer"), visit("chen", f"table/{BY_HAND}", viewport=viewport)
    page.wait_for_selector(".balance")
    for amount in (10_00, 20_00):
        send(dora, "dora", {"type": "BuyIn", "person": "chen", "amount": amount}, BY_HAND)
    asked = page.locator("[data-asked]")
    expect(asked).to_have_count(2)
    expect(asked.first).to_contain_text("Dora asks to move 10 from your wallet")
    for left in (1, 0):
        asked.first.get_by_role("button", name=answer).click()
        expect(asked).to_have_count(left)


def test_insurance_in_both_windows_and_the_stake_after_the_tie(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("bao", "table/insurance-1"))
    seat.buy_in()
    house.bring("insurance-1", "betting")
    number = seat.bet("banker")
    panel = page.locator(".insurance")
    insured = []
    house.go_on("insurance-1")
    for window, odds, amount in (("four cards", "2:1", "25"), ("the Player's third card", "7:1", "5")):
        expect(panel.locator("h2")).to_have_text(f"Banker Insurance (after {window}) at {odds}", timeout=40_000)
        expect(panel).to_contain_text("You may stake up to")
        panel.get_by_label("Stake").fill(amount)
        panel.get_by_role("button", name=f"Insure for {amount}").click()
        expect(seat.ticket.locator(".accepted", has_text=f"(after {window})")).to_contain_text(amount)
        insured.append(amount)
    house.bring("insurance-1", "settled")
    seat.phase("settled")
    assert seat.round == number
    for amount in insured:
        expect(seat.settled("Banker Insurance").filter(has_text=re.compile(rf"\b{amount} "))).to_have_count(1)
    choice = page.get_by_role("region", name="After the tie")
    expect(choice).to_contain_text("If you do not choose, they go back to your balance.")
    leave = choice.get_by_role("button", name="Leave")
    leave.click()
    expect(leave).to_have_attribute("aria-pressed", "true")
    house.go_on("insurance-1")
    seat.phase("betting")
    assert seat.round == number + 1
    expect(seat.ticket.locator(".accepted")).to_contain_text("100")


def test_after_the_tie_a_stake_is_taken_back(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("chen", "table/super-six-1"))
    seat.buy_in()
    house.bring("super-six-1", "betting")
    number = seat.bet("player")
    house.bring("super-six-1", "settled")
    seat.phase("settled")
    choice = page.get_by_role("region", name="After the tie")
    expect(seat.zone("player").locator(".stake")).to_have_count(1)
    choice.get_by_role("button", name="Take").click()
    expect(choice).to_have_count(0)
    expect(seat.zone("player").locator(".stake")).to_have_count(0)
    expect(page.locator(".balance")).to_contain_text("1,000")
    house.go_on("super-six-1")
    seat.phase("betting")
    assert seat.round == number + 1
    expect(seat.ticket).to_contain_text("No bets in this round.")
    expect(page.locator(".balance")).to_contain_text("1,000")


def test_a_card_seen_while_betting_is_open_is_on_every_screen(visit: Visit) -> None:
    """It closes betting; those with a bet and those without, the board and the staff know the same."""
    table = "baccarat-2"
    dealer, supervisor = visit("dora", f"dealer/{table}"), visit("sue")
    ann, bao, board = (
        Seat(visit("ann", f"table/{table}")),
        visit("bao", f"table/{table}"),
        visit("board", f"board/{table}"),
    )
    seated(ann.page, "ann", 1)
    ann.page.get_by_role("button", name="Box 1, your seat").click()
    shoe = {"shoe": "set-2", "decks": 8, "shuffled": True, "source": "keyboard", "reason": "a fresh set"}
    send(supervisor, "sue", {"type": "LoadShoe", **shoe})
    send(dealer, "dora", {"type": "OpenBetting", "acknowledge": True})
    number = view(dealer, "dora")["round"]
    ann.phase("betting")
    ann.put("player")
    ann.confirm.click()
    expect(ann.ticket.locator(".accepted")).to_have_count(1)
    send(dealer, "dora", {"type": "Report", "round": number, "fault": "exposed", "cards": [card("9S")]})
    everywhere = (dealer, ann.page, bao, board)
    for page in everywhere:
        expect(page.locator("[data-seen]")).to_have_attribute("data-seen", "9♠")
        expect(page.locator("[data-seen]")).to_contain_text("Until the decision, every bet stays as it is.")
    question = view(dealer, "dora")["question"]["number"]
    reason = "in the mouth of the shoe"
    send(supervisor, "sue", {"type": "Rule", "question": question, "choice": "reconstruct", "reason": reason})
    for page in everywhere:
        expect(page.locator("[data-seen]")).to_contain_text("A card was seen before it was due.")
    for page in (dealer, bao, board):  # whoever is asked is told beside the choices, below
        expect(page.locator("[data-seen]")).to_contain_text("A player who does not choose goes on with every bet")
    expect(dealer.locator("[data-person=ann]")).to_be_visible()
    asked = ann.page.get_by_role("region", name="A dealing error: you choose")
    expect(asked).to_contain_text("If you do not choose, your bets go on.")
    asked.get_by_role("button", name="Take my bets back").click()
    expect(asked.get_by_role("button", name="Take my bets back")).to_have_attribute("aria-pressed", "true")
    send(dealer, "dora", {"type": "CloseOptions", "question": view(dealer, "dora")["options"]["question"]})
    ann.phase("without_bets")
    expect(board.get_by_role("status").first).to_contain_text("Round ended without bets")
    for page in everywhere:
        expect(page.locator("[data-seen]")).to_contain_text("The next round begins with what was seen.")
    send(supervisor, "sue", {"type": "LoadShoe", **shoe, "shoe": "set-3"})
    for page in everywhere:
        expect(page.locator("[data-seen]")).to_have_count(0)


def test_options_after_a_dealing_error(visit: Visit) -> None:
    """One goes on and is paid, the other has the bets back."""
    dealer, supervisor = visit("dora"), visit("sue")
    people = {name: Seat(visit(name, "table/baccarat-2")) for name in ("ann", "bao")}
    for box, (name, seat) in enumerate(people.items(), start=1):
        expect(seat.page.locator(".felt .zone")).not_to_have_count(0)
        seated(seat.page, name, box)
        expect(seat.page.get_by_role("button", name=f"Box {box}, your seat")).to_be_visible()
        seat.page.get_by_role("button", name=f"Box {box}, your seat").click()
    shoe = {"shoe": "set-1", "decks": 8, "shuffled": True, "source": "keyboard", "reason": "a fresh set"}
    send(supervisor, "sue", {"type": "LoadShoe", **shoe})
    send(dealer, "dora", {"type": "OpenBetting", "acknowledge": True})
    number = view(dealer, "dora")["round"]
    for seat in people.values():
        seat.phase("betting")
        seat.put("player")
        seat.confirm.click()
        expect(seat.ticket.locator(".accepted")).to_have_count(1)
    send(dealer, "dora", {"type": "CloseBetting", "round": number})

    def draw(index: int, text: str) -> None:
        send(dealer, "dora", {"type": "DrawCard", "round": number, "index": index, "card": card(text)})

    draw(1, "2S")
    draw(2, "3S")
    lies = {"1": "banker", "2": "player"}
    send(dealer, "dora", {"type": "Report", "round": number, "fault": "misdirected", "lies": lies})
    question = view(dealer, "dora")["question"]["number"]
    rule = {"type": "Rule", "question": question, "choice": "reconstruct", "reason": "the order is known"}
    send(supervisor, "sue", rule)
    for name, choice in (("ann", "Go on"), ("bao", "Take my bets back")):
        asked = people[name].page.get_by_role("region", name="A dealing error: you choose")
        expect(asked).to_contain_text("Paragraph")
        asked.get_by_role("button", name=choice).click()
        expect(asked.get_by_role("button", name=choice)).to_have_attribute("aria-pressed", "true")
    send(dealer, "dora", {"type": "CloseOptions", "question": view(dealer, "dora")["options"]["question"]})
    draw(3, "6H")
    draw(4, "4H")
    send(dealer, "dora", {"type": "Settle", "round": number})
    expect(people["ann"].ticket.locator(".net")).to_have_text("You won 100")
    expect(people["bao"].page.locator(".balance")).to_contain_text("2,000")


def test_two_at_one_box_one_seated_and_one_standing(visit: Visit, house: Served) -> None:
    ann, bao = (Seat(visit(name, "table/baccarat-1")) for name in ("ann", "bao"))
    for seat in (ann, bao):
        expect(seat.page.locator(".felt .zone")).not_to_have_count(0)
        seat.page.get_by_role("button", name=re.compile("^Box 3, ")).click()
        if seat.page.locator(".start").count():
            seat.buy_in()
    ann.page.get_by_role("button", name="Take seat 3").click()
    expect(ann.page.get_by_role("button", name="Box 3, your seat")).to_be_visible()
    expect(bao.page.get_by_role("button", name="Box 3, somebody sits there; you may bet standing")).to_be_visible()
    house.bring("baccarat-1", "betting")
    assert ann.bet("player") == bao.bet("banker", chip="Chip 500")
    expect(ann.ticket.locator(".accepted")).to_contain_text("Box 3")
    expect(bao.ticket.locator(".accepted")).to_contain_text("500")
    expect(ann.ticket).not_to_contain_text("500")
    house.bring("baccarat-1", "settled")
    for seat, stake in ((ann, "100"), (bao, "500")):
        seat.phase("settled")
        expect(seat.ticket.locator("li")).to_have_count(1)
        expect(seat.ticket.locator("li")).to_contain_text(f"{stake} push")


def test_a_double_click_bets_once(visit: Visit, house: Served) -> None:
    page = visit("chen", "table/wu-song-1")
    sent: list[Any] = []
    expect(page.locator(".felt .zone")).not_to_have_count(0)
    page.on("websocket", lambda line: line.on("framesent", lambda text: sent.append(json.loads(text))))
    page.reload()
    seat = Seat(page)
    seat.buy_in()
    house.bring("wu-song-1", "betting")
    seat.phase("betting")
    seat.put("player")
    page.evaluate("() => { const it = document.querySelector('.confirm'); it.click(); it.click() }")
    seat.confirm.dblclick(force=True)
    expect(seat.ticket.locator(".accepted")).to_have_count(1)
    expect(seat.ticket.locator(".wanted")).to_have_count(0)
    placed = [one for one in sent if one["type"] == "Do" and one["command"]["type"] == "PlaceBets"]
    assert [line["amount"] for one in placed for line in one["command"]["lines"]] == [100_00]
    expect(seat.ticket.locator(".accepted")).to_contain_text("100")
    expect(page.locator(".balance")).to_contain_text("900")


def test_a_late_bet_is_shown_as_not_accepted_with_its_reason(visit: Visit, house: Served) -> None:
    """The slip is held up on its way until the cards are dealt."""
    page = visit("bao")
    held: list[Any] = []
    holding = True

    def carry(line: Any) -> None:
        server = line.connect_to_server()

        def up(text: str) -> None:
            if holding and '"PlaceBets"' in text:
                held.append(lambda: server.send(text))
            else:
                server.send(text)

        line.on_message(up)

    expect(page.locator("header.bar")).to_be_visible()
    page.route_web_socket(re.compile("/api/live"), carry)
    page.goto(f"{house.url}/u/{SLOTS['bao']}/table/wu-song-1")
    seat = Seat(page)
    seat.buy_in()
    house.bring("wu-song-1", "betting")
    seat.phase("betting")
    seat.put("player")
    seat.confirm.click()
    expect(seat.ticket.locator(".wanted")).to_contain_text("sent…")
    expect(page.locator(".status .pending")).to_be_visible()
    house.bring("wu-song-1", "settled")
    seat.phase("settled")
    assert len(held) == 1
    expect(seat.ticket.locator(".accepted")).to_have_count(0)
    holding = False
    held[0]()
    refused = seat.ticket.locator(".refused")
    expect(refused).to_have_attribute("data-reason", re.compile("bets_late|not_heard_now|stale_round"))
    expect(refused).to_contain_text(re.compile(r"not accepted: .+ \(Paragraph \d"))
    expect(page.locator(".balance")).to_contain_text("1,000")


def test_the_language_is_switched_in_the_middle_of_a_round(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("ann", "table/electronic-1"))
    expect(page.locator(".felt .zone")).not_to_have_count(0)
    page.locator(".top").get_by_role("button", name="简体中文").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("百家乐")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.locator(".phase")).to_have_text(re.compile("下注|发牌|结"))
    expect(seat.ticket.locator("h2")).to_have_text("您的投注")
    house.bring("electronic-1", "settled")
    expect(page.locator(".banner")).to_contain_text("和局")
    page.reload()
    expect(page.locator(".ticket h2")).to_have_text("您的投注")
    page.locator(".top").get_by_role("button", name="EN, English").click()
    expect(page.locator(".ticket h2")).to_have_text("Your bets")


def test_on_a_phone_a_bet_is_placed_by_touch_and_nothing_spills(visit: Visit, house: Served) -> None:
    page = visit("chen", "table/electronic-1", viewport=PHONE, has_touch=True, is_mobile=True)
    seat = Seat(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".start button").tap()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="500", exact=True).tap()
    dialog.get_by_role("button", name="Buy in").tap()
    expect(page.locator(".balance")).to_contain_text("500")
    house.bring("electronic-1", "betting")
    seat.bet("banker", press="tap")
    expect(seat.ticket.locator(".accepted")).to_contain_text("100")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    small = page.evaluate(
        """() => [...document.querySelectorAll(".terminal button, .terminal a")]
          .map((one) => [one.getBoundingClientRect(), one.ariaLabel ?? one.textContent.trim()])
          .filter(([box]) => box.width && (box.width < 24 || box.height < 24)).map(([, name]) => name)"""
    )
    assert small == []


def test_somebody_walks_away_and_the_bets_are_settled(visit: Visit, house: Served) -> None:
    seat = Seat(page := visit("bao", "table/super-six-1"))
    seat.buy_in()
    house.bring("super-six-1", "betting")
    seat.bet("tie")
    page.locator(".balance").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
    page.get_by_role("dialog").last.get_by_role("button", name="Confirm").click()
    expect(page.locator(".terminal")).to_have_count(0)
    house.bring("super-six-1", "settled")
    page.go_back()
    expect(page.locator(".balance")).to_contain_text("1,800", timeout=40_000)


def test_an_objection_is_recorded(visit: Visit, house: Served) -> None:
    page = visit("chen", "table/baccarat-1")
    seat = Seat(page)
    seat.buy_in()
    house.bring("baccarat-1", "betting")
    seat.bet("player")
    page.get_by_role("button", name="Call supervisor").click()
    form = page.locator("form.object")
    expect(form.get_by_role("textbox")).to_have_count(0)  # nobody is told who else bets there
    form.get_by_role("button", name="Object").click()
    expect(page.get_by_text("Your objection is recorded.")).to_be_visible()
