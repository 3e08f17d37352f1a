"""What a dealer's hands do at the console: keys ahead of the answers, corrections, previews, and how many keys."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.console import Console
from tests.browser.floor import TABLE, call, card, seated, send, view
from tests.browser.house import SLOTS, Served

HOUSE = {"by_hand": True, "insurance": 600_000}
INSURANCE = "insurance-1"

HEARD = """() => {
  window.tones = []
  const start = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (...when) {
    window.tones.push(this.frequency.value)
    return start.apply(this, when)
  }
}"""
"""The pitch of every tone that is played."""

COUNTED = """
window.pressed = 0
addEventListener("keydown", () => (window.pressed += 1), true)
"""


class Line:
    """The live connection of a page, with every answer of the house late, and what the page sent."""

    def __init__(self, page: Any, late: int) -> None:
        self.sent: list[dict[str, Any]] = []
        self._page, self._late = page, late
        page.route_web_socket(re.compile("/api/live"), self._carry)

    def _carry(self, line: Any) -> None:
        server = line.connect_to_server()

        def up(text: str) -> None:
            message = json.loads(text)
            if message["type"] == "Do":
                self.sent.append(message["command"])
            server.send(text)

        line.on_message(up)
        server.on_message(lambda text: self._delayed(line, text))

    def _delayed(self, line: Any, text: str) -> None:
        """In the order they came: the page itself waits, so that the test goes on typing."""
        self._page.evaluate("late => new Promise(done => setTimeout(done, late))", self._late)
        line.send(text)

    @property
    def cards(self) -> list[tuple[int, str]]:
        ranks = ["A", *(str(rank) for rank in range(2, 11)), "J", "Q", "K"]
        drawn = [one for one in self.sent if one["type"] == "DrawCard"]
        return [(one["index"], ranks[one["card"]["rank"] - 1] + one["card"]["suit"]) for one in drawn]


@pytest.fixture
def dealer(visit: Visit) -> Console:
    return Console(visit("dora", f"dealer/{TABLE}"), TABLE)


def slow(dealer: Console, house: Served, late: int) -> Line:
    """The console again, with the answers of the house that late."""
    expect(dealer.page.locator("header.bar")).to_be_visible()
    line = Line(dealer.page, late)
    dealer.page.goto(f"{house.url}/u/{SLOTS['dora']}/dealer/{TABLE}")
    return line


def deal_past(dealer: Console, *cards: str) -> None:
    """Cards dealt past the screen."""
    for text in cards:
        number, lie = dealer.state["round"], len(dealer.state["cards"])
        draw = {"type": "DrawCard", "round": number, "index": lie + 1, "card": card(text)}
        send(dealer.page, "dora", draw)
        expect(dealer.page.locator(".hands .card")).to_have_count(lie + 1)


def test_cards_keyed_faster_than_the_answers_come_are_dealt_once_each_and_in_order(
    dealer: Console, house: Served
) -> None:
    dealer.open()
    dealer.enter("close", "draw")
    line = slow(dealer, house, 300)
    dealer.step("draw")
    for text in ("2S", "2H", "3S", "3H", "4C", "KD"):
        dealer.page.keyboard.type(text)
        dealer.page.keyboard.press("Enter")
    assert len(line.cards) < 6
    expect(dealer.page.get_by_text("Keyed: ")).to_contain_text("K♦")
    dealer.step("settle")
    assert line.cards == [(1, "2♠"), (2, "2♥"), (3, "3♠"), (4, "3♥"), (5, "4♣"), (6, "K♦")]
    assert [one["face"] for one in dealer.state["cards"]] == ["2♠", "2♥", "3♠", "3♥", "4♣", "K♦"]
    dealer.settle()


def test_a_card_keyed_while_betting_is_being_closed_is_the_first_one(dealer: Console, house: Served) -> None:
    dealer.open()
    dealer.step("close")
    line = slow(dealer, house, 300)
    dealer.step("close")
    dealer.page.keyboard.press("Enter")
    for text in ("9S", "2D", "KS", "5D"):
        dealer.page.keyboard.type(text)
        dealer.page.keyboard.press("Enter")
    dealer.page.keyboard.type("7C")
    dealer.page.keyboard.press("Enter")
    dealer.step("settle")
    assert line.cards == [(1, "9♠"), (2, "2♦"), (3, "K♠"), (4, "5♦")]
    expect(dealer.page.get_by_text("No card is due. Not recorded: 7♣.").first).to_be_visible()
    dealer.settle()


def test_a_card_that_is_not_due_is_refused_in_words(dealer: Console) -> None:
    dealer.open()
    dealer.step("close")
    dealer.page.keyboard.type("9S")
    expect(dealer.page.get_by_text("No card is due.").first).to_be_visible()
    dealer.page.keyboard.press("Escape")
    dealer.enter("close", "draw")
    expect(dealer.page.locator(".typed output")).to_have_text("_ _")
    dealer.deal("9S 2D KS 5D", "settle")
    dealer.settle()


def test_the_enter_of_a_refused_card_is_not_the_next_step(dealer: Console) -> None:
    """Betting would be closed, or a round settled, by a card keyed too early."""
    dealer.open()
    dealer.step("close")
    dealer.page.keyboard.type("9S")
    dealer.page.keyboard.press("Enter")
    dealer.page.wait_for_timeout(700)
    assert dealer.state["phase"] == "betting"
    dealer.enter("close", "draw")
    dealer.deal("9S 2D KS 5D", "settle")
    dealer.page.keyboard.type("3H")
    dealer.page.keyboard.press("Enter")
    dealer.page.wait_for_timeout(700)
    assert dealer.state["phase"] == "result"
    dealer.settle()


def test_a_card_that_is_not_due_is_refused_aloud_once_sounds_are_on(dealer: Console) -> None:
    dealer.open()
    dealer.step("close")
    dealer.page.evaluate(HEARD)
    dealer.page.keyboard.type("9")
    expect(dealer.page.get_by_text("No card is due.").first).to_be_visible()
    assert dealer.page.evaluate("() => window.tones") == [], "other sounds are off until somebody wants them"
    dealer.page.get_by_role("button", name="Sound: decisions").click()
    dealer.page.evaluate("() => (window.tones = [])")
    dealer.page.keyboard.type("9")
    dealer.page.wait_for_function("() => window.tones.length === 2")
    assert dealer.page.evaluate("() => window.tones") == [220, 165]
    dealer.page.keyboard.press("Escape")
    dealer.enter("close", "draw")
    dealer.deal("9S 2D KS 5D", "settle")
    dealer.settle()


def test_a_card_half_keyed_is_named_when_another_lies_in_its_place(dealer: Console) -> None:
    dealer.open()
    dealer.enter("close", "draw")
    dealer.page.keyboard.type("9S")
    deal_past(dealer, "4D")
    expect(dealer.page.get_by_text("Another card lies in that place. Not recorded: 9S.").first).to_be_visible()
    dealer.deal("2D KS 5D", "draw")
    dealer.deal("9C", "settle")
    dealer.settle()


def test_the_last_card_is_corrected_with_one_key_and_the_card(dealer: Console) -> None:
    dealer.open()
    dealer.enter("close", "draw")
    dealer.deal("9S 2D", "draw")
    dealer.page.keyboard.type("9")
    dealer.page.keyboard.press("Backspace")
    expect(dealer.page.get_by_role("dialog")).to_have_count(0)
    dealer.page.keyboard.press("Backspace")
    expect(dealer.page.locator("[name=card]")).to_be_focused()
    dealer.page.keyboard.type("3D")
    dealer.page.keyboard.press("Enter")
    expect(dealer.page.get_by_role("dialog")).to_have_count(0)
    expect(dealer.page.locator(".hands").get_by_role("img", name="3♦")).to_be_visible()
    assert [one["face"] for one in dealer.state["cards"]] == ["9♠", "3♦"]
    dealer.deal("KS 4D", "settle")
    rounds = dealer.page.locator("section:has(#rounds-title)")
    expect(rounds).to_contain_text("Player wins 9:7")
    dealer.page.keyboard.press("Backspace")
    dealer.page.keyboard.type("5D")
    dealer.page.keyboard.press("Enter")
    expect(rounds).to_contain_text("Player wins 9:8")
    dealer.step("settle")
    dealer.settle()


@pytest.mark.parametrize(("cards", "keys"), [("9S 2D KS 5D", 15), ("2S 2H 3S 3H 4C KD", 21)])
def test_a_round_takes_three_keys_for_a_card_and_three_besides(
    visit: Visit, dealer: Console, cards: str, keys: int
) -> None:
    ann = visit("ann")
    seated(ann, "ann", 1)
    if "LoadShoe" in dealer.state["allowed"]:
        load = {"type": "LoadShoe", "shoe": "set-1", "decks": 8, "shuffled": True, "source": "keyboard"}
        send(dealer.page, "dora", load)
    dealer.step("open")
    dealer.page.evaluate(COUNTED)
    dealer.enter("open", "close")
    lines = [{"bet": "player", "amount": 100_00, "box": 1}, {"bet": "tie", "amount": 50_00, "box": 1}]
    send(ann, "ann", {"type": "PlaceBets", "round": dealer.state["round"], "lines": lines})
    dealer.enter("close", "draw")
    dealer.deal(cards, "settle")
    dealer.page.keyboard.press("Enter")
    dealer.step("confirm")
    assert dealer.page.evaluate("window.pressed") == keys
    expect(dealer.page.locator(".pays li")).to_contain_text(re.compile(r"Ann\s+take (50|150)"))
    dealer.page.keyboard.press("Enter")
    dealer.step("open")
    assert dealer.page.evaluate("window.pressed") == keys + 1


def test_no_report_is_sent_before_what_follows_was_shown_or_said_to_be_unavailable(dealer: Console) -> None:
    dealer.open()
    dealer.enter("close", "draw")
    dealer.deal("9S", "draw")
    held: list[Callable[[], None]] = []
    dealer.page.route("**/foresee", lambda route: held.append(route.abort))
    dealer.page.keyboard.press("e")
    dealer.page.locator("[data-fault=unshuffled]").click()
    report = dealer.page.get_by_role("button", name="Report it")
    dealer.page.locator("[name=note]").focus()
    dealer.page.keyboard.press("Enter")
    expect(report).to_be_disabled()
    dealer.page.wait_for_timeout(500)
    assert (len(held), dealer.state["phase"]) == (1, "dealing")
    held[0]()
    expect(dealer.page.get_by_text("What follows cannot be shown now.")).to_be_visible()
    expect(report).to_be_enabled()
    dealer.page.unroute("**/foresee")
    dealer.page.locator("[name=note]").fill("the set came back as it was")
    expect(dealer.page.get_by_text("What follows cannot be shown now.")).to_have_count(0)
    expect(report).to_be_enabled()
    dealer.page.keyboard.press("Escape")
    expect(dealer.page.get_by_role("dialog")).to_have_count(0)
    dealer.deal("2D KS 5D", "settle")
    dealer.settle()


def test_the_dealer_records_no_thanks_and_insurance_closes_once_everybody_has_answered(visit: Visit) -> None:
    dealer = Console(visit("dora", f"dealer/{INSURANCE}"), INSURANCE)
    people = {"~Mr Lee": 3, "~Mdm Tan": 2}
    for guest in people:
        buy_in = {"type": "BuyInAtTable", "name": guest[1:], "amount": 500_00, "tender": "cash"}
        send(dealer.page, "dora", buy_in, INSURANCE)
    number = dealer.open()
    for guest, box in people.items():
        lines = [{"bet": "banker", "amount": 100_00, "box": box}]
        place = {"type": "PlaceBets", "round": number, "owner": guest, "requested": True, "lines": lines}
        send(dealer.page, "dora", place, INSURANCE)
    dealer.enter("close", "draw")
    dealer.deal("AC KC 3C 5C", then="insurance")
    expect(dealer.page.locator(".takers li").first).to_contain_text("Mdm Tan, box 2")
    lee, tan = (dealer.page.locator(".takers li", has_text=name) for name in ("Mr Lee", "Mdm Tan"))
    expect(dealer.next).to_contain_text("Insurance: 2 to answer")
    expect(dealer.page.locator("button.step")).to_be_disabled()
    lee.get_by_role("button", name="No thanks").click()
    expect(lee).to_contain_text("no thanks")
    expect(lee.get_by_role("button", name="No thanks")).to_be_disabled()
    expect(tan).to_contain_text("no answer yet")
    tan.get_by_role("textbox").fill("25")
    tan.get_by_role("textbox").press("Enter")
    expect(tan).to_contain_text("took 25")
    expect(dealer.next).to_contain_text("Everybody has answered.")
    dealer.enter("insurance", "draw")
    dealer.deal("2H", "settle")
    dealer.page.keyboard.press("Enter")
    dealer.step("confirm")
    paid = dealer.page.locator("section:has(#take-pay) tbody tr")
    expect(paid.first).to_contain_text("Mdm Tan guest")
    for then in ("confirm", "open"):
        dealer.page.keyboard.press("Enter")
        dealer.step(then)


def test_insurance_is_answered_by_keyboard_alone(visit: Visit) -> None:
    dealer = Console(visit("dora", f"dealer/{INSURANCE}"), INSURANCE)
    guests = {"~Mr Ho": 4, "~Mdm Lim": 5}
    for guest in guests:
        buy_in = {"type": "BuyInAtTable", "name": guest[1:], "amount": 500_00, "tender": "cash"}
        send(dealer.page, "dora", buy_in, INSURANCE)
    number = dealer.open()
    for guest, box in guests.items():
        lines = [{"bet": "banker", "amount": 100_00, "box": box}]
        place = {"type": "PlaceBets", "round": number, "owner": guest, "requested": True, "lines": lines}
        send(dealer.page, "dora", place, INSURANCE)
    dealer.enter("close", "draw")
    dealer.deal("AC KC 3C 5C", then="insurance")
    keys, ho, lim = dealer.page.keyboard, *(dealer.page.locator(".takers li", has_text=name) for name in ("Ho", "Lim"))
    keys.type("i")
    keys.type("a")
    amount = ho.get_by_role("textbox")
    expect(amount).to_be_focused()
    expect(amount).to_have_attribute("aria-invalid", "true")
    expect(amount).to_have_accessible_description(re.compile("Key in an amount"))
    keys.press("Enter")
    expect(ho).to_contain_text("no answer yet")
    amount.fill("")
    keys.type("25")
    keys.press("Enter")
    expect(ho).to_contain_text("took 25")
    keys.type("i")
    expect(lim.get_by_role("textbox")).to_be_focused()
    keys.type("0")
    keys.press("Enter")
    expect(lim).to_contain_text("no thanks")
    dealer.enter("insurance", "draw")
    dealer.deal("2H", "settle")
    dealer.settle()


def test_a_key_pressed_twice_answers_one_question_and_advises_before_it_returns(visit: Visit, dealer: Console) -> None:
    ann, page = visit("ann"), dealer.page
    seated(ann, "ann", 1)
    number = dealer.open()
    lines = [{"bet": "player", "amount": 200_00, "box": 1}, {"bet": "tie", "amount": 5_00, "box": 1}]
    send(ann, "ann", {"type": "PlaceBets", "round": number, "lines": lines})
    box = page.get_by_role("article", name="Box 1")
    expect(box).to_contain_text("under the minimum")
    dealer.step("close")
    page.evaluate(TWICE, ["m", "advised"])
    expect(page.locator("body[data-pressed=again]")).to_be_visible()
    dealer.step("close")
    expect(box).to_contain_text("Tie")
    assert [one["bet"] for one in dealer.state["boxes"][0]["stakes"]] == ["player", "tie"]
    dealer.enter("close", "draw")
    dealer.deal("9C 2H KC 5H", "settle")
    dealer.settle()
    tom = visit("tom", f"pit/{TABLE}")
    whole = call(tom, "tom", "GET", f"/tables/{TABLE}")["setup"]
    send(tom, "tom", {"type": "ChangeSetup", "setup": whole | {"face_down": True}})
    number = dealer.open()
    send(ann, "ann", {"type": "PlaceBets", "round": number, "lines": lines[:1]})
    dealer.enter("close", "draw_down")
    for index in (1, 2):
        send(ann, "ann", {"type": "RequestSqueeze", "round": number, "index": index})
    dealer.step("answer_squeeze")
    page.evaluate(TWICE, ["y", "card 2"])
    expect(page.locator("body[data-pressed=again]")).to_be_visible()
    dealer.step("answer_squeeze")
    squeezes = dealer.state["squeezes"]
    assert [squeezes[index]["permitted"] for index in ("1", "2")] == [True, False]
    page.keyboard.press("v")
    dealer.step("draw_down")
    assert list(dealer.state["squeezes"]) == ["1"]
    for many in range(1, 5):
        dealer.draw(many)
    send(ann, "ann", {"type": "FinishSqueeze", "round": number, "index": 1})
    for text in ("9D", "2C", "KD", "5C"):
        dealer.turn(text)
    dealer.settle()
    send(tom, "tom", {"type": "ChangeSetup", "setup": whole})


TWICE = """([key, says]) => {
  const pressed = () => new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })
  const press = () => document.body.dispatchEvent(pressed())
  delete document.body.dataset.pressed
  new MutationObserver((_, watch) => {
    if (!document.querySelector("main").innerText.includes(says)) return
    watch.disconnect()
    setTimeout(() => {
      press()
      document.body.dataset.pressed = "again"
    })
  }).observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true })
  press()
}"""
"""Presses a key, and once more the moment the page says what follows from it."""


def test_the_squeeze_of_a_guest_without_a_terminal_ends_with_enter(visit: Visit, dealer: Console) -> None:
    page, tom = dealer.page, visit("tom", f"pit/{TABLE}")
    whole = call(tom, "tom", "GET", f"/tables/{TABLE}")["setup"]
    send(tom, "tom", {"type": "ChangeSetup", "setup": whole | {"face_down": True}})
    send(page, "dora", {"type": "BuyInAtTable", "name": "Mr Goh", "amount": 500_00, "tender": "cash"})
    send(page, "dora", {"type": "TakeSeat", "box": 6, "person": "~Mr Goh"})
    number = dealer.open()
    lines = [{"bet": "banker", "amount": 100_00, "box": 6}]
    send(page, "dora", {"type": "PlaceBets", "round": number, "owner": "~Mr Goh", "requested": True, "lines": lines})
    dealer.enter("close", "draw_down")
    page.get_by_role("button", name="Asks to squeeze card 1").click()
    dealer.step("answer_squeeze")
    page.keyboard.press("y")
    dealer.step("draw_down")
    for many in range(1, 5):
        dealer.draw(many)
    dealer.step("wait_squeeze")
    expect(page.get_by_role("button", name="Mr Goh has squeezed card 1")).to_be_enabled()
    page.keyboard.press("Enter")
    for text in ("9H", "2S", "KH", "5S"):
        dealer.turn(text)
    dealer.settle()
    send(page, "dora", {"type": "LeaveTable", "person": "~Mr Goh"})
    send(tom, "tom", {"type": "ChangeSetup", "setup": whole})


def test_a_decision_that_waits_is_heard_unless_somebody_wants_no_sound(visit: Visit, dealer: Console) -> None:
    tom = visit("tom", f"pit/{TABLE}")
    number = dealer.open()
    dealer.page.evaluate(HEARD)
    for switched, heard in (("Sound: decisions", [784, 588, 784]), ("Sound: all", [784, 588, 784]), ("Sound: off", [])):
        button = dealer.page.get_by_role("button", name=switched)
        expect(button).to_be_visible()
        dealer.page.evaluate("() => (window.tones = [])")
        send(dealer.page, "dora", {"type": "Report", "round": number, "fault": "unprovided", "note": "a dog"})
        dealer.step("wait_decision")
        dealer.page.wait_for_function("many => window.tones.length === many", arg=len(heard))
        assert dealer.page.evaluate("() => window.tones") == heard
        rule = {"type": "Rule", "question": view(tom, "tom")["question"]["number"], "choice": "continue"}
        send(tom, "tom", rule | {"reason": "it has gone"})
        dealer.step("close")
        button.click()
    dealer.enter("close", "draw")
    dealer.deal("9C 3H KC 4H", "settle")
    dealer.settle()


def test_the_head_names_who_is_on_duty_and_what_was_chosen_to_be_heard_is_remembered(
    visit: Visit, dealer: Console
) -> None:
    tom = visit("tom", f"pit/{TABLE}")
    send(tom, "tom", {"type": "Assign", "person": "sue", "role": "pit_supervisor"})
    titles = {one["person"]: one["title"] for one in call(tom, "tom", "GET", "/people")}
    duty = dealer.page.get_by_role("list", name="On duty")
    expect(duty).to_contain_text(f"Dealer {titles['dora']}")
    dealer.page.reload()
    expect(duty).to_contain_text(f"Pit Supervisor {titles['sue']}")
    dealer.page.get_by_role("button", name="Sound: decisions").click()
    dealer.page.reload()
    expect(dealer.page.get_by_role("button", name="Sound: all")).to_be_visible()
    send(tom, "tom", {"type": "Relieve", "person": "sue"})


def test_a_new_shoe_asks_for_its_burn_and_the_cut_card_says_how_many_rounds_are_left(
    visit: Visit, dealer: Console
) -> None:
    tom = visit("tom", f"pit/{TABLE}")
    whole = call(tom, "tom", "GET", f"/tables/{TABLE}")["setup"]
    send(tom, "tom", {"type": "ChangeSetup", "setup": whole | {"burn": 3}})
    load = {"type": "LoadShoe", "shoe": "burnt", "decks": 8, "shuffled": True, "source": "keyboard", "reason": "fresh"}
    send(tom, "tom", load)
    expect(dealer.next).to_contain_text("New shoe: burn 3 before the first card.")
    dealer.enter("open", "close")
    expect(dealer.next).not_to_contain_text("burn")
    dealer.enter("close", "draw")
    dealer.page.keyboard.press("o")
    expect(dealer.page.get_by_role("button", name="Cut card is out")).to_be_focused()
    dealer.page.keyboard.press("Enter")
    dealer.page.keyboard.press("Enter")
    expect(dealer.page.get_by_role("dialog")).to_have_count(0)
    expect(dealer.next).to_contain_text("Cut card out: one more round")
    expect(dealer.page.get_by_role("region", name="Notices").get_by_role("status")).to_have_count(1)
    dealer.deal("9S 2D KS 5D", "settle")
    dealer.settle()
    expect(dealer.next).to_contain_text("Last round of this shoe")
    dealer.enter("open", "close")
    dealer.enter("close", "draw")
    dealer.deal("9H 2C KH 5C", "settle")
    dealer.page.keyboard.press("Enter")
    dealer.step("load")
    send(tom, "tom", {"type": "ChangeSetup", "setup": whole})
    assert view(tom, "tom")["next"]["code"] == "load"
