"""Rounds that are won and lost, dealt card by card at the dealer's console: what each bet is paid, to the cent."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from puntobanco.rules.refusal import Reason
from tests.browser.conftest import Visit
from tests.browser.console import Console
from tests.browser.floor import call, refusal_text, send
from tests.browser.house import Served
from tests.browser.seat import Seat

HOUSE = {"by_hand": True, "stack": "K 2 K 4 3", "insurance": 1_000}
"""Dealers wait for the test, and close insurance once its time is up. The terminals deal by themselves, every round:
Player K K 3, Banker 2 4."""
COMMISSION, OTHER, SIX, INSURANCE = "baccarat-1", "baccarat-2", "super-six-1", "insurance-1"

Table = tuple[Console, Seat]


@pytest.fixture
def sit(visit: Visit) -> Any:
    """A dealer and a player with 1,000 at box 1 of a table, or with what is left of it."""

    def seated(table: str, player: str = "ann") -> Table:
        dealer = Console(visit("dora", f"dealer/{table}"), table)
        seat = Seat(visit(player, f"table/{table}"))
        expect(seat.page.locator(".felt .zone")).not_to_have_count(0)
        seat.page.get_by_role("button", name=re.compile("^Box 1, ")).click()
        if seat.page.locator(".start").count():
            seat.buy_in()
        return dealer, seat

    return seated


def bet(dealer: Console, seat: Seat, **amounts: int) -> None:
    """Accepted bets on a new round; then betting is closed."""
    number = dealer.open()
    expect(seat.terminal).to_have_attribute("data-round", str(number))
    seat.phase("betting")
    for name, amount in amounts.items():
        seat.put(name, chip=f"Chip {amount}")
    seat.confirm.click()
    expect(seat.ticket.locator(".accepted")).to_have_count(len(amounts))
    dealer.enter("close", "draw")


def told(seat: Seat) -> list[str]:
    """What became of every bet, as the ticket says it."""
    seat.phase("settled")
    expect(seat.ticket.locator(".net")).to_be_visible()
    rows = seat.ticket.locator("li").all_inner_texts()
    return [" ".join(row.replace("Box 1", " ").split()) for row in rows]


def test_a_banker_win_is_paid_less_commission_to_the_cent(sit: Any, visit: Visit) -> None:
    dealer, seat = sit(COMMISSION)
    board = visit("board", f"board/{COMMISSION}")
    bet(dealer, seat, banker=25, banker_pair=100, tie=100)
    dealer.deal("2S 4S 4D 4H", then="settle")
    dealer.settle()
    seat.phase("settled")
    expect(seat.page.locator(".banner")).to_contain_text("Banker")
    assert told(seat) == [
        "Banker +23.75 25 × 0.95:1 win · commission 1.25 (Paragraph 4.1.1) · Paragraph 4.1.2",
        "Banker Pair +1,100 100 × 11:1 win · Paragraph 4.1.2",
        "Tie −100 100 lose · Paragraph 1.19",
    ]
    expect(seat.ticket.locator(".net")).to_have_text("You won 1,023.75")
    expect(seat.page.locator(".balance")).to_contain_text("2,023.75")
    assert dealer.paid() == [
        ["1", "Ann", "Banker", "25", "×", "0.95:1", "23.75", "1.25", "§", "4.1.2", "§", "4.1.1"],
        ["Ann", "Banker", "Pair", "100", "×", "11:1", "1,100", "§", "4.1.2"],
        ["Ann", "Tie", "100", "100", "§", "1.19"],
    ]
    expect(board.locator("[data-result]")).to_have_attribute("data-result", "banker")


def test_a_player_win_pays_even_money_without_commission(sit: Any) -> None:
    dealer, seat = sit(OTHER)
    bet(dealer, seat, player=100, banker=25)
    dealer.deal("9S 2H KD 5C", then="settle")
    dealer.settle()
    seat.phase("settled")
    expect(seat.page.locator(".banner")).to_contain_text("Player")
    assert told(seat) == [
        "Player +100 100 × 1:1 win · Paragraph 4.1.2",
        "Banker −25 25 lose · Paragraph 3.13",
    ]
    expect(seat.ticket).not_to_contain_text("commission")
    expect(seat.ticket.locator(".net")).to_have_text("You won 75")
    expect(seat.page.locator(".balance")).to_contain_text("1,075")


def test_a_banker_win_on_six_pays_half_and_on_any_other_point_evenly(sit: Any) -> None:
    dealer, seat = sit(SIX)
    bet(dealer, seat, banker=100, super_six=25)
    dealer.deal("KS 2S QS 4S 3S", then="settle")
    dealer.settle()
    assert told(seat) == [
        "Banker +50 100 × 1:2 win · Paragraph 4.1.1",
        "Super Six +375 25 × 15:1 win · Paragraph 4.1.1",
    ]
    expect(seat.page.locator(".balance")).to_contain_text("1,425")
    bet(dealer, seat, banker=100, super_six=25)
    dealer.deal("KH 3H QH 5H", then="settle")
    dealer.settle()
    assert told(seat) == [
        "Banker +100 100 × 1:1 win · Paragraph 4.1.1",
        "Super Six −25 25 lose · Definition: Super Six",
    ]
    expect(seat.page.locator(".balance")).to_contain_text("1,500")


def test_wu_song_pays_half_on_a_player_seven_too(sit: Any) -> None:
    dealer, seat = sit("wu-song-1")
    bet(dealer, seat, banker=100, small_tiger=25)
    dealer.deal("KS 2S QS 4S 3S", then="settle")
    dealer.settle()
    assert told(seat) == [
        "Banker +50 100 × 1:2 win · Paragraph 4.1.1",
        "Small Tiger +550 25 × 22:1 win · Paragraph 4.1.8",
    ]
    bet(dealer, seat, player=100)
    dealer.deal("3H 2H 4D 4H", then="settle")
    dealer.settle()
    assert told(seat) == [
        "Player +50 100 × 1:2 win · Paragraph 4.1.1",
    ]
    expect(seat.page.locator(".balance")).to_contain_text("1,650")


def test_at_the_terminals_a_banker_six_pays_half_and_a_pair_eleven_times(visit: Visit, house: Served) -> None:
    seat = Seat(visit("ann", "table/electronic-1"))
    seat.buy_in()
    house.bring("electronic-1", "betting")
    seat.bet("banker", "player_pair")
    house.bring("electronic-1", "settled")
    assert told(seat) == [
        "Banker +50 100 × 1:2 win · Paragraph 4.1.1",
        "Player Pair +1,100 100 × 11:1 win · Paragraph 4.1.1",
    ]
    expect(seat.ticket.locator(".net")).to_have_text("You won 1,150")
    expect(seat.page.locator(".balance")).to_contain_text("2,150")


FOUR, FIVE = "Banker Insurance (after four cards)", "Banker Insurance (after the Player's third card)"


def insure(seat: Seat, title: str, odds: str, amount: str) -> None:
    panel = seat.page.locator(".insurance")
    expect(panel.locator("h2")).to_have_text(f"{title} at {odds}")
    panel.get_by_role("textbox", name="Stake").fill(amount)
    panel.get_by_role("button", name=f"Insure for {amount}").click()
    expect(panel.get_by_role("status")).to_contain_text(f"Insured for {amount}")


LOST = [
    "Banker −100 100 lose · Paragraph 3.8",
    f"{FOUR} +50 25 × 2:1 win · Paragraph 4.1.3",
    f"{FIVE} +35 5 × 7:1 win · Paragraph 4.1.3",
]
WON = [
    "Banker +95 100 × 0.95:1 win · commission 5 (Paragraph 4.1.1) · Paragraph 4.1.2",
    f"{FOUR} −25 25 lose · Paragraph 4.1.4",
    f"{FIVE} −5 5 lose · Paragraph 4.1.4",
]


def test_insurance_wins_when_the_insured_hand_loses_and_loses_when_it_wins(sit: Any) -> None:
    dealer, seat = sit(INSURANCE)
    for last, lines, net, balance in (("5H", LOST, "You lost 15", "985"), ("3H", WON, "You won 65", "1,050")):
        bet(dealer, seat, banker=100)
        dealer.deal("AS KS 3S 5S", then="insurance")
        insure(seat, FOUR, "2:1", "25")
        dealer.enter("insurance", "draw")
        dealer.deal("7S", then="insurance")
        insure(seat, FIVE, "7:1", "5")
        dealer.enter("insurance", "draw")
        dealer.deal(last, then="settle")
        dealer.settle()
        assert told(seat) == lines
        expect(seat.ticket.locator(".net")).to_have_text(net)
        expect(seat.page.locator(".balance")).to_contain_text(balance)


def test_the_dealer_sees_who_may_insure_who_did_and_closes_each_window(sit: Any) -> None:
    dealer, seat = sit(INSURANCE, "bao")
    bet(dealer, seat, banker=100, tie=25)
    dealer.deal("AH KH 3H 5H", then="insurance")
    taker = dealer.page.locator(".takers li")
    expect(dealer.next).to_contain_text("Insurance on Banker 莊 is offered at 2:1.")
    expect(dealer.next).to_contain_text("3.5")
    expect(taker).to_contain_text(re.compile(r"Bao, box 1: up to \d+"))
    expect(taker).to_contain_text("no answer yet")
    insure(seat, FOUR, "2:1", "20")
    expect(taker).to_contain_text("took 20")
    seat.page.get_by_role("button", name="Take insurance back").click()
    expect(taker).to_contain_text("no thanks")
    insure(seat, FOUR, "2:1", "25")
    expect(taker).to_contain_text("took 25")
    dealer.enter("insurance", "draw")
    expect(seat.page.locator(".insurance")).to_have_count(0)
    dealer.deal("7H", then="insurance")
    expect(dealer.next).to_contain_text("at 7:1")
    expect(taker).to_contain_text("no answer yet")
    dealer.enter("insurance", "draw")
    dealer.deal("5D", then="settle")
    dealer.settle()
    paid = dealer.paid()
    assert ["Bao", *FOUR.split(), "25", "×", "2:1", "50", "§", "4.1.3"] in paid
    assert [row for row in paid if "Insurance" in row] == paid[2:]


def test_the_dealer_insures_for_a_guest_without_an_account_and_keeps_a_refused_amount(visit: Visit) -> None:
    dealer, guest = Console(visit("dora", f"dealer/{INSURANCE}"), INSURANCE), "~Mr Lee"
    buy_in = {"type": "BuyInAtTable", "name": "Mr Lee", "amount": 500_00, "tender": "cash"}
    send(dealer.page, "dora", buy_in, INSURANCE)
    number = dealer.open()
    lines = [{"bet": "banker", "amount": 100_00, "box": 2}]
    place = {"type": "PlaceBets", "round": number, "owner": guest, "requested": True, "lines": lines}
    send(dealer.page, "dora", place, INSURANCE)
    dealer.enter("close", "draw")
    dealer.deal("AC KC 3C 5C", then="insurance")
    taker = dealer.page.locator(".takers li", has_text="Mr Lee")
    field, button = taker.get_by_role("textbox"), taker.get_by_role("button", name="Record insurance")
    for text in ("", "abc", "-5"):
        field.fill(text)
        expect(button).to_be_disabled()
    field.fill("9000")
    button.click()
    too_much = refusal_text(Reason.OVER_CAP, bet="Banker Insurance", stake="9000.00", most="50.00")
    expect(dealer.page.locator("[role=alert], [role=status]", has_text=too_much)).to_be_visible()
    expect(field).to_have_value("9000")
    field.fill("25")
    button.click()
    expect(taker).to_contain_text("took 25")
    expect(field).to_have_value("")
    field.fill("40")
    field.blur()
    dealer.enter("insurance", "draw")
    dealer.deal("7C", then="insurance")
    expect(field).to_have_value("")
    dealer.enter("insurance", "draw")
    dealer.deal("5C", then="settle")
    dealer.settle()
    assert dealer.state["purses"][guest] == 500_00 - 100_00 + 50_00
    send(dealer.page, "dora", {"type": "LeaveTable", "person": guest}, INSURANCE)


def dealt_face_down(dealer: Console, seat: Seat, tom: Any) -> None:
    """A round of the insurance table that deals face down, with a bet on the Banker: Player A 3, Banker K 2."""
    whole = call(tom, "tom", "GET", f"/tables/{INSURANCE}")["setup"]
    send(tom, "tom", {"type": "ChangeSetup", "setup": whole | {"face_down": True}}, INSURANCE)
    number = dealer.open()
    expect(seat.terminal).to_have_attribute("data-round", str(number))
    seat.put("banker")
    seat.confirm.click()
    expect(seat.ticket.locator(".accepted")).to_have_count(1)
    dealer.enter("close", "draw_down")
    for many in range(1, 5):
        dealer.draw(many)
    for text in ("AS", "KS", "3S", "2S"):
        dealer.turn(text)


def ask_to_see_first(dealer: Console, seat: Seat, player: str) -> None:
    seat.page.get_by_role("button", name="See the Banker's third card first").click()
    dialog = seat.page.get_by_role("dialog")
    expect(dialog).to_contain_text("You give up insurance after it. The dealer has to consent.")
    dialog.get_by_role("button", name="Confirm").click()
    expect(seat.page.get_by_text("The answer is awaited.")).to_be_visible()
    expect(seat.page.get_by_role("button", name="See the Banker's third card first")).to_have_count(0)
    dealer.step("answer_waiver")
    expect(dealer.next).to_contain_text(f"{player.capitalize()} asks to see the Banker's third card first")
    expect(dealer.next).to_contain_text("4.1.5")


def test_the_bankers_third_card_is_seen_first_when_the_dealer_consents(sit: Any, visit: Visit) -> None:
    dealer, seat = sit(INSURANCE, "chen")
    dealt_face_down(dealer, seat, visit("tom"))
    ask_to_see_first(dealer, seat, "chen")
    cap = dealer.page.locator("button.step kbd")
    dealer.page.keyboard.press("y")
    expect(seat.page.get_by_text("there is no insurance after the Player's third card")).to_be_visible()
    assert cap.evaluate("(one) => one.scrollWidth <= one.clientWidth"), "the key is written within its cap"
    dealer.draw(5)
    dealer.draw(6)
    dealer.turn("5H")
    expect(seat.page.locator(".hand.banker").get_by_role("img", name="5♥")).to_be_visible()
    expect(seat.page.locator(".hand.player .card.down")).to_have_count(1)
    dealer.turn("7H")
    expect(seat.page.locator(".hand.player").get_by_role("img", name="7♥")).to_be_visible()
    dealer.settle()
    assert told(seat)[0].startswith("Banker +95 ")
    expect(seat.page.locator(".balance")).to_contain_text("1,095")


def test_the_window_after_the_players_third_card_opens_when_the_dealer_refuses(sit: Any, visit: Visit) -> None:
    dealer, seat = sit(INSURANCE, "bao")
    dealt_face_down(dealer, seat, visit("tom"))
    ask_to_see_first(dealer, seat, "bao")
    dealer.page.keyboard.press("v")
    expect(seat.page.get_by_text("The Banker's third card is not seen first")).to_be_visible()
    expect(seat.page.get_by_text("The answer is awaited.")).to_have_count(0)
    dealer.draw(5)
    dealer.turn("7D")
    dealer.step("insurance")
    insure(seat, FIVE, "7:1", "5")
    dealer.enter("insurance", "draw_down")
    dealer.draw(6)
    dealer.turn("5D")
    dealer.settle()
    assert [row.partition(" · ")[0] for row in told(seat)] == [
        "Banker +95 100 × 0.95:1 win",
        f"{FIVE} −5 5 lose",
    ]
