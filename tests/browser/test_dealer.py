"""The dealer console in a real browser: rounds by keyboard alone, bets on somebody's behalf, and every irregularity."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, PATIENCE, Visit
from tests.browser.floor import TABLE, call, card, seated, send, view
from tests.browser.house import Served


class Floor:
    """A dealer, the pit and two players, each at their own screen."""

    def __init__(self, browser: Any, house: Served) -> None:
        self._browser, self._house = browser, house
        self.wrong: list[str] = []
        self.dealer = self.open("dora", f"dealer/{TABLE}")
        self.sue, self.max, self.tom = (self.open(name, "pit") for name in ("sue", "max", "tom"))
        self.ann, self.bao = self.open("ann"), self.open("bao")
        seated(self.ann, "ann", 1)
        seated(self.bao, "bao", 3)

    def open(self, name: str, path: str = "") -> Any:
        opened = self._browser.new_context(viewport=DESKTOP, locale="en-GB", reduced_motion="reduce")
        opened.set_default_timeout(PATIENCE)
        page = opened.new_page()
        page.on("pageerror", lambda error: self.wrong.append(f"{name}: {error}"))
        page.goto(self._house.link(name, path))
        page.wait_for_selector("header.bar")
        return page

    def step(self, kind: str) -> None:
        """Wait until this is the next step, and the console takes it."""
        self.dealer.wait_for_selector(f'[data-step="{kind}"][data-ready="true"]')

    def key(self, text: str, then: str) -> None:
        """A card on the keyboard."""
        self.dealer.keyboard.type(text)
        self.dealer.keyboard.press("Enter")
        self.step(then)

    def pay(self, *boxes: int) -> None:
        """Each of those boxes is taken and paid, and the round has ended."""
        for box in boxes:
            self.step("confirm")
            expect(self.dealer.locator("button.step")).to_contain_text(f"Box {box} ")
            self.dealer.keyboard.press("Enter")
        self.step("open")

    def shoe(self) -> None:
        """A new set of cards, so that none has come too often."""
        load = {"type": "LoadShoe", "shoe": f"set-{self.state['version']}", "decks": 8, "shuffled": True}
        send(self.sue, "sue", load | {"source": "keyboard", "reason": "a fresh set"})

    @property
    def state(self) -> Any:
        return view(self.dealer, "dora")

    def round(self, *cards: str) -> None:
        """A new round with a bet of each player, dealt so far."""
        self.finish()
        self.shoe()
        send(self.dealer, "dora", {"type": "OpenBetting", "acknowledge": True})
        number = self.state["round"]
        for page, name, bet, box in ((self.ann, "ann", "player", 1), (self.bao, "bao", "banker", 3)):
            seated(page, name, box)
            lines = [{"bet": bet, "amount": 100_00, "box": box}]
            send(page, name, {"type": "PlaceBets", "round": number, "lines": lines})
        send(self.dealer, "dora", {"type": "CloseBetting", "round": number})
        for index, text in enumerate(cards, start=1):
            send(self.dealer, "dora", {"type": "DrawCard", "round": number, "index": index, "card": card(text)})
        expect(self.dealer.locator("[data-step]")).to_have_attribute("data-round", str(number))
        expect(self.dealer.locator(".hands .card")).to_have_count(len(cards))

    def finish(self) -> None:
        """Whatever goes on at the table is brought to its end."""
        spare = iter(["2S", "3S", "4S", "5S", "6S", "7S", "8S", "2H", "3H"])
        while (state := self.state)["phase"] not in ("idle", "settled", "voided", "without_bets", "decided"):
            number = state["round"]
            if state.get("question"):
                send(self.tom, "tom", rule(state, "stands" if "stands" in state["question"]["choices"] else "continue"))
            elif state["phase"] == "options":
                asked = state["options"]["question"]
                for person in state["undecided"]:
                    elect = {"type": "Elect", "question": asked, "election": "continue", "person": person}
                    send(self.dealer, "dora", elect | {"present": True})
                send(self.dealer, "dora", {"type": "CloseOptions", "question": asked})
            elif state["phase"] == "betting":
                send(self.dealer, "dora", {"type": "CloseBetting", "round": number})
            elif state["phase"] == "result":
                send(self.dealer, "dora", {"type": "Settle", "round": number})
            elif state["phase"] == "paying":
                send(self.dealer, "dora", {"type": "ConfirmBox", "round": number, "box": state["unpaid"][0]})
            elif "DrawCard" in state["allowed"]:
                draw = {"type": "DrawCard", "round": number, "index": len(state["cards"]) + 1}
                known = (state["waiting"] and state["waiting"][0]) or state.get("face_down")
                send(self.dealer, "dora", draw if known else draw | {"card": card(next(spare))})
            else:
                hidden = next(one["index"] for one in state["cards"] if one["face"] is None)
                expose = {"type": "ExposeCard", "round": number, "index": hidden, "card": card(next(spare))}
                send(self.dealer, "dora", expose)


def rule(state: Any, choice: str) -> dict[str, Any]:
    return {"type": "Rule", "question": state["question"]["number"], "choice": choice, "reason": "to go on"}


@pytest.fixture(scope="module")
def floor(browser: Any, house: Served) -> Iterator[Floor]:
    floor = Floor(browser, house)
    whole = call(floor.tom, "tom", "GET", f"/tables/{TABLE}")["setup"]
    attended = whole | {"policy": whole["policy"] | {"interruption_finding": "pit_supervisor"}}
    send(floor.tom, "tom", {"type": "ChangeSetup", "setup": attended})
    yield floor
    assert not floor.wrong


def test_a_round_is_dealt_by_keyboard_alone_from_the_shoe_to_the_payout(floor: Floor) -> None:
    keys = floor.dealer.keyboard
    floor.step("load")
    keys.press("Enter")
    expect(floor.dealer.locator("[name=shuffled]")).to_be_focused()
    keys.press("Space")
    keys.press("Enter")
    floor.step("open")
    keys.press("Enter")
    floor.step("close")
    lines = [{"bet": "player", "amount": 100_00, "box": 1}]
    send(floor.ann, "ann", {"type": "PlaceBets", "round": 1, "lines": lines})
    keys.press("b")
    expect(floor.dealer.locator("[name=owner]")).to_be_focused()
    keys.type("bao")
    keys.press("Tab")
    keys.press("Tab")
    keys.type("Banker")
    keys.press("Tab")
    keys.type("200")
    keys.press("Tab")
    keys.press("Space")
    keys.press("Enter")
    expect(floor.dealer.locator("dialog")).to_have_count(0)
    expect(floor.dealer.get_by_role("article", name="Box 3")).to_contain_text("200")
    placed = [one for box in floor.state["boxes"] for one in box.get("stakes", [])]
    assert [(one["owner"], one["bet"], one["amount"], one["placer"]) for one in placed] == [
        ("ann", "player", 100_00, "ann"),
        ("bao", "banker", 200_00, "dora"),
    ]
    floor.step("close")
    keys.press("Enter")
    floor.step("draw")
    expect(floor.dealer.locator("[data-step]")).to_contain_text("Player")
    for text in ("9S", "KD", "2H", "7C"):
        floor.key(text, "draw")
    floor.key("10D", "settle")
    expect(floor.dealer.get_by_text("Banker wins").first).to_be_visible()
    keys.press("Enter")
    floor.pay(1, 3)
    rows = floor.dealer.locator("section:has(#take-pay) tbody tr")
    assert [row.split() for row in rows.all_inner_texts()] == [
        ["1", "Ann", "Player", "100", "100", "§", "3.13"],
        ["3", "Bao", "Banker", "200", "×", "0.95:1", "190", "10", "§", "4.1.2", "§", "4.1.1"],
    ]
    assert floor.state["purses"] == {"ann": 1_900_00, "bao": 2_190_00}


def test_a_guest_without_an_account_plays_from_the_console_alone(floor: Floor) -> None:
    floor.finish()
    floor.shoe()
    services = floor.dealer
    services.locator(".people").get_by_role("button", name="Buy in").click()
    dialog = services.get_by_role("dialog")
    dialog.get_by_label("Account").check()
    dialog.get_by_label("with their PIN, here").check()  # a slip of the finger, taken back
    dialog.get_by_label("Cash").check()
    dialog.get_by_label("Guest's name, as given at the table").fill(" Mr  Lee ")
    dialog.get_by_label("Amount").fill("500")
    dialog.get_by_label("Box").select_option("5")
    dialog.get_by_role("button", name="Buy in").click()
    dialog.wait_for(state="detached")
    expect(services.get_by_role("article", name="Box 5")).to_contain_text("Mr Lee")
    assert floor.state["purses"]["~Mr Lee"] == 500_00
    send(services, "dora", {"type": "OpenBetting", "acknowledge": True})
    row = services.locator(".people li", has_text="Mr Lee")
    row.get_by_role("button", name="Bet").click()
    expect(dialog.locator('select[name="owner"] option:checked')).to_have_text("Mr Lee (guest) · 500")
    dialog.locator('select[name="bet"]').select_option("player")
    dialog.get_by_label("Amount").fill("100")
    dialog.get_by_label("The player asked me to place this bet").check()
    dialog.get_by_role("button", name="Place bet").click()
    dialog.wait_for(state="detached")
    floor.step("close")
    services.keyboard.press("Enter")
    for text in ("9S", "2H", "KC"):
        floor.step("draw")
        floor.key(text, "draw")
    floor.key("3D", "settle")
    services.keyboard.press("Enter")
    floor.pay(5)
    expect(services.locator("section:has(#take-pay)")).to_contain_text("Mr Lee")
    expect(row).to_contain_text("600")
    row.get_by_role("button", name="Leaves with chips").click()
    dialog.get_by_role("button", name="Leaves with chips").click()
    expect(row).to_have_count(0)
    assert "~Mr Lee" not in floor.state["purses"]


def test_a_buy_in_waits_for_the_guest_and_a_pin_confirms_it_at_the_console(floor: Floor) -> None:
    call(floor.ann, "ann", "POST", "/proof", {"pin": "7391"})
    before = floor.state["purses"]["ann"]
    services, dialog = floor.dealer, floor.dealer.get_by_role("dialog")
    services.get_by_role("button", name="Money of Ann").click()
    dialog.get_by_label("Amount").fill("50")
    dialog.get_by_role("button", name="Buy in").click()
    dialog.wait_for(state="detached")
    assert floor.state["purses"]["ann"] == before
    waiting = services.locator("[data-second]")
    expect(waiting).to_contain_text(f"Buy-in of Ann at {TABLE}: 50")
    expect(waiting).to_contain_text("waits for Ann")
    waiting.get_by_role("button", name="Take back").click()
    waiting.get_by_role("textbox").fill("wrong amount")
    services.keyboard.press("Enter")
    expect(waiting).to_have_count(0)
    floor.ann.locator("[data-asked]").wait_for(state="detached")
    services.get_by_role("button", name="Money of Ann").click()
    dialog.get_by_label("Amount").fill("50")
    dialog.get_by_role("button", name="Buy in").click()
    floor.ann.locator("[data-asked]").get_by_role("button", name="Confirm").click()
    floor.ann.locator("[data-asked]").wait_for(state="detached")
    expect(waiting).to_have_count(0)
    assert floor.state["purses"]["ann"] == before + 50_00
    services.get_by_role("button", name="Money of Ann").click()
    dialog.get_by_label("Amount").fill("60")
    dialog.get_by_label("with their PIN, here").check()
    for pin in ("7390", "7391"):
        dialog.get_by_label("PIN", exact=True).fill(pin)
        dialog.get_by_role("button", name="Buy in").click()
        if pin == "7390":
            services.get_by_text("Wrong PIN.").first.wait_for()
    dialog.wait_for(state="detached")
    assert floor.state["purses"]["ann"] == before + 110_00


def test_a_key_pressed_twice_does_its_step_once(floor: Floor) -> None:
    floor.finish()
    floor.shoe()
    floor.step("open")
    before = floor.state["round"]
    floor.dealer.keyboard.press("Enter")
    floor.dealer.keyboard.press("Enter")
    floor.dealer.keyboard.press(" ")
    floor.step("close")
    assert (floor.state["phase"], floor.state["round"]) == ("betting", before + 1)


ENTER_WHEN_CLOSED = """() => new MutationObserver((_, watch) => {
  if (document.querySelector("dialog")) return
  watch.disconnect()
  setTimeout(() => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }))
    document.body.dataset.enteredAgain = "yes"
  })
}).observe(document.body, { childList: true, subtree: true })"""
"""Presses Enter once more the moment the dialog has gone, however busy the machine is."""


def test_enter_pressed_twice_in_a_dialog_does_not_close_betting(floor: Floor) -> None:
    floor.finish()
    floor.shoe()
    send(floor.dealer, "dora", {"type": "OpenBetting", "acknowledge": True})
    floor.step("close")
    services = floor.dealer
    services.locator(".people").get_by_role("button", name="Buy in").click()
    services.get_by_label("Guest's name, as given at the table").fill("Mdm Tan")
    services.get_by_label("Amount").fill("100")
    services.evaluate(ENTER_WHEN_CLOSED)
    services.keyboard.press("Enter")
    expect(services.locator("body[data-entered-again]")).to_be_visible()
    floor.step("close")
    assert floor.state["phase"] == "betting"
    send(services, "dora", {"type": "LeaveTable", "person": "~Mdm Tan"})


def test_a_long_name_of_a_guest_hides_nobodys_money(floor: Floor) -> None:
    services, name = floor.dealer, "W" * 40
    guest = {"type": "BuyInAtTable", "name": name, "amount": 100_00, "tender": "cash"}
    send(services, "dora", guest)
    expect(services.locator(".people li", has_text=name)).to_contain_text("100")
    assert services.locator(".people").evaluate("it => it.scrollWidth <= it.clientWidth")
    send(services, "dora", {"type": "LeaveTable", "person": f"~{name}"})


def test_a_card_without_its_rank_is_not_drawn_and_a_scanned_one_appears_by_itself(floor: Floor) -> None:
    floor.round()
    floor.step("draw")
    floor.dealer.keyboard.type("s")
    floor.dealer.keyboard.press("Enter")
    assert floor.state["cards"] == []
    call(floor.dealer, "dora", "POST", f"/tables/{TABLE}/cards", {"request": "scanned-1", "card": "9S"})
    expect(floor.dealer.locator(".hands .card")).to_have_count(1)


def test_an_excess_is_handed_back_and_a_bet_under_the_minimum_advised_then_returned(floor: Floor) -> None:
    floor.finish()
    floor.shoe()
    send(floor.dealer, "dora", {"type": "OpenBetting"})
    number = floor.state["round"]
    send(floor.bao, "bao", {"type": "BuyIn", "person": "bao", "amount": 6_000_00})
    lines = [{"bet": "banker", "amount": 5_100_00, "box": 3}, {"bet": "tie", "amount": 5_00, "box": 3}]
    send(floor.bao, "bao", {"type": "PlaceBets", "round": number, "lines": lines})
    box = floor.dealer.get_by_role("article", name="Box 3")
    expect(box).to_contain_text("over the Differential")
    floor.step("reject")
    floor.dealer.keyboard.press("Enter")
    expect(box).not_to_contain_text("over the Differential")
    expect(box).to_contain_text("5,000")
    floor.step("close")
    floor.dealer.keyboard.press("m")
    expect(box).to_contain_text("advised")
    floor.step("close")
    floor.dealer.keyboard.press("m")
    expect(box).not_to_contain_text("Tie")


def test_a_chip_at_the_close_a_late_bet_and_a_wrong_display_are_recorded(floor: Floor) -> None:
    floor.round()
    floor.step("draw")
    page = floor.dealer
    page.keyboard.press("l")
    page.select_option("[name=owner]", "ann")
    page.select_option("[name=bet]", "tie")
    page.fill("[name=amount]", "20")
    page.check("[name=attested]")
    page.keyboard.press("Enter")
    expect(page.get_by_role("article", name="Box 1")).to_contain_text("Tie")
    expect(page.locator("dialog")).to_have_count(0)
    page.keyboard.press("n")
    page.select_option("[name=owner]", "bao")
    page.select_option("[name=bet]", "banker")
    page.fill("[name=amount]", "50")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Late bet noted.")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)
    page.keyboard.press("x")
    page.fill("[name=shown]", "Player wins")
    page.fill("[name=correct]", "dealing")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Display corrected.")).to_be_visible()
    told = call(page, "dora", "GET", f"/tables/{TABLE}/rounds/{floor.state['round']}")
    kinds = [event["type"] for event in told["events"]]
    assert {"BetAttested", "LateBetNoted", "DisplayCorrected"} <= set(kinds)


def test_the_first_field_of_a_dialog_has_the_focus_as_soon_as_it_is_there(floor: Floor) -> None:
    """What is typed at once goes where it belongs: no frame is drawn in between."""
    floor.round()
    floor.step("draw")
    page = floor.dealer
    page.evaluate("window.requestAnimationFrame = () => 0")
    for key, name in (("l", "owner"), ("n", "owner"), ("x", "shown"), ("p", "person")):
        page.keyboard.press(key)
        expect(page.locator("dialog")).to_have_count(1)
        assert page.evaluate("document.activeElement.name") == name
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
    page.reload()


def test_a_form_that_comes_up_takes_nothing_from_the_field_somebody_writes_in(floor: Floor) -> None:
    floor.finish()
    floor.shoe()
    send(floor.dealer, "dora", {"type": "OpenBetting", "acknowledge": True})
    page = floor.open("tom", f"dealer/{TABLE}")
    page.wait_for_selector("[data-step]")
    page.keyboard.press("o")
    reason = page.locator("dialog [name=reason]")
    reason.press_sequentially("a torn ")
    expect(page.locator("dialog [name=shuffled]")).to_have_count(0)
    send(floor.dealer, "dora", {"type": "CloseBetting", "round": floor.state["round"]})
    expect(page.locator("dialog [name=shuffled]")).to_be_visible()
    expect(page.get_by_role("button", name="Load shoe: 8 decks")).to_be_visible()
    page.keyboard.type("card")
    expect(reason).to_have_value("a torn card")
    page.context.close()


def test_the_pit_lets_a_round_open_on_several_exposed_cards_and_sees_what_bets_are_worth(floor: Floor) -> None:
    floor.round("9S", "KD", "KH", "7C")
    number = floor.state["round"]
    floor.finish()
    spare = [card("9H"), card("5D"), card("KC")]
    send(floor.dealer, "dora", {"type": "Report", "round": number, "fault": "excess", "cards": spare})
    floor.step("wait_permit")
    pit = floor.open("sue", f"pit/{TABLE}")
    shown = pit.locator("section[data-worth=computed]")
    expect(shown.get_by_role("listitem").filter(has_text="Not offered")).to_have_count(3, timeout=240_000)
    pit.get_by_role("button", name="Let the round open").click()
    floor.step("open_seen")
    expect(floor.dealer.locator(".next [data-worth=computed]")).to_be_visible(timeout=240_000)
    floor.dealer.locator(".next .step").click()
    floor.step("close")
    assert floor.state["not_offered"] == ["player", "banker", "player_pair"]
    pit.context.close()
    floor.finish()


def test_a_key_held_down_for_too_long_reports_nothing(floor: Floor) -> None:
    floor.round("9S", "KD")
    floor.step("draw")
    page = floor.dealer
    page.keyboard.down("e")
    faults = page.locator("dialog [data-fault]")
    expect(faults.first).to_be_visible()
    page.keyboard.down("e")
    page.keyboard.up("e")
    expect(faults.first).to_be_visible()
    page.keyboard.press("e")
    expect(page.locator("dialog form")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


VOIDS = ["void", "stands"]
ORDER = ["reconstruct", "cannot_reconstruct", "stands"]
CHOICES = ["continue", "void", "return_bets"]
FAULTS: dict[str, tuple[dict[str, str], str, list[str], str, str]] = {
    "foreign_card": ({}, "sue", VOIDS, "stands", "draw"),
    "deck_count": ({"cards": "9S"}, "sue", VOIDS, "stands", "draw"),
    "unshuffled": ({}, "sue", VOIDS, "stands", "draw"),
    "shoe_empty": ({}, "sue", VOIDS, "stands", "draw"),
    "technical": ({}, "sue", ["affects", "does_not_affect", "cannot_go_on"], "does_not_affect", "draw"),
    "miskeyed": ({}, "sue", ["correct", "stands"], "stands", "draw"),
    "simultaneous": ({"cards": "2H 7C"}, "sue", ["order", "stands"], "order", "wait_options"),
    "misdirected": ({"lies-1": "banker", "lies-2": "player"}, "sue", ORDER, "reconstruct", "wait_options"),
    "wrong_number_of_cards": ({}, "sue", ORDER, "cannot_reconstruct", "open"),
    "excess": ({"cards": "5D"}, "sue", ORDER, "reconstruct", "draw_waiting"),
    "exposed": ({"cards": "5D"}, "sue", ORDER, "reconstruct", "draw_waiting"),
    "other_dealing_error": ({"note": "cards mixed"}, "sue", ORDER, "reconstruct", "wait_options"),
    "mispayment": ({}, "tom", CHOICES, "continue", "draw"),
    "unprovided": ({"note": "a spilt drink"}, "tom", CHOICES, "continue", "draw"),
}
"""What is filled in, who decides, between what, what they choose, and the dealer's next step then."""
ROLES = {"sue": "Pit Supervisor", "tom": "Shift Manager"}


def reported(floor: Floor, fault: str, fields: dict[str, str]) -> Any:
    """The wizard of that fault, filled in; it says what follows."""
    page = floor.dealer
    page.keyboard.press("e")
    page.click(f'[data-fault="{fault}"]')
    for name, value in fields.items():
        field = page.locator(f"dialog [name={name}]")
        (field.select_option if name.startswith("lies") or name == "index" else field.fill)(value)
    return page.locator("dialog .then")


@pytest.mark.parametrize("fault", FAULTS)
def test_the_wizard_leads_to_the_right_question_and_the_pit_decides_it(floor: Floor, fault: str) -> None:
    fields, decider, choices, choice, then = FAULTS[fault]
    floor.round("9S", "KD")
    floor.step("draw")
    foreseen = reported(floor, fault, fields)
    expect(foreseen).to_contain_text(f"{ROLES[decider]} is asked")
    floor.dealer.click("text=Report it")
    floor.step("wait_decision")
    expect(floor.dealer.locator("[data-step]")).to_contain_text(ROLES[decider])
    page = getattr(floor, decider)
    asked = page.locator(f'[data-question="{TABLE}"]')
    expect(asked.locator("[data-choice]")).to_have_count(len(choices))
    found = asked.locator("[data-choice]")
    assert [found.nth(place).get_attribute("data-choice") for place in range(found.count())] == choices
    asked.locator(f'[data-choice="{choice}"]').click()
    expect(asked.locator(".then li").first).to_be_visible()
    asked.locator("button.decide").click()
    if choice == "cannot_reconstruct":
        floor.max.locator("[data-second]").get_by_role("button", name="Confirm").click()
    floor.step(then)
    expect(asked).to_have_count(0)


def test_a_wrong_display_is_recorded_and_nobody_has_to_decide(floor: Floor) -> None:
    floor.round("9S", "KD")
    floor.step("draw")
    foreseen = reported(floor, "display", {"note": "the board shows Tie"})
    expect(foreseen.locator("li").first).to_be_visible()
    expect(foreseen).not_to_contain_text("is asked")
    floor.dealer.click("text=Report it")
    expect(floor.dealer.locator("dialog")).to_have_count(0)
    floor.step("draw")


def test_a_card_that_lies_face_up_by_mistake_is_refused_where_all_lie_face_up(floor: Floor) -> None:
    floor.round("9S", "KD")
    floor.step("draw")
    foreseen = reported(floor, "face_up", {})
    expect(foreseen.locator(".refused")).to_be_visible()
    expect(floor.dealer.locator("dialog button[type=submit]")).to_be_disabled()
    floor.dealer.keyboard.press("Escape")


def test_players_choose_after_a_dealing_error_and_the_dealer_records_it(floor: Floor) -> None:
    floor.round("9S", "KD")
    floor.step("draw")
    reported(floor, "other_dealing_error", {"note": "cards mixed"})
    floor.dealer.click("text=Report it")
    floor.step("wait_decision")
    send(floor.sue, "sue", rule(floor.state, "reconstruct"))
    floor.step("wait_options")
    floor.dealer.click("[data-person=ann] [data-elect=continue]")
    floor.dealer.click("[data-person=bao] [data-elect=return]")
    floor.step("options_close")
    floor.dealer.keyboard.press("Enter")
    floor.step("draw")
    assert [one["owner"] for box in floor.state["boxes"] for one in box.get("stakes", [])] == ["ann"]


def test_a_declared_void_waits_for_another_person_who_confirms_it(floor: Floor) -> None:
    floor.round("9S", "KD")
    floor.step("draw")
    reported(floor, "foreign_card", {"note": "a blue back"})
    floor.dealer.click("text=Report it")
    asked = floor.sue.locator(f'[data-question="{TABLE}"]')
    asked.locator('[data-choice="void"]').click()
    expect(asked).to_contain_text("second person")
    asked.locator("button.decide").click()
    expect(floor.sue.locator("[data-second]")).to_contain_text("You asked")
    expect(floor.sue.locator("[data-second]").get_by_role("button", name="Confirm")).to_have_count(0)
    waiting = floor.max.locator("[data-second]")
    expect(waiting).to_contain_text("Sue (Pit Supervisor) asks")
    expect(waiting).to_contain_text("Declare the round void")
    assert floor.state["phase"] == "decision"
    waiting.get_by_role("button", name="Confirm").click()
    expect(floor.max.locator("[data-second]")).to_have_count(0)
    expect(floor.dealer.locator("[data-step]")).to_have_attribute("data-step", "load")
    assert floor.state["phase"] == "voided"


def test_a_question_somebody_else_answered_closes_and_the_next_does_not_open_by_itself(floor: Floor) -> None:
    floor.round("9S", "KD")
    page = floor.open("tom", f"dealer/{TABLE}")
    report = {"type": "Report", "round": floor.state["round"], "fault": "foreign_card"}
    waits = '[data-step="wait_decision"][data-ready="true"]'
    send(floor.dealer, "dora", report)
    page.wait_for_selector(waits)
    page.keyboard.press("Enter")
    expect(page.locator("dialog [data-choice]").first).to_be_visible()
    send(floor.max, "max", rule(floor.state, "stands"))
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("[data-step]")).not_to_have_attribute("data-step", "wait_decision")
    send(floor.dealer, "dora", report)
    page.wait_for_selector(waits)
    expect(page.locator("dialog")).to_have_count(0)
    page.context.close()


def test_a_second_person_may_decline_with_a_reason(floor: Floor) -> None:
    floor.round("9S", "KD")
    floor.step("draw")
    send(floor.dealer, "dora", {"type": "Report", "round": floor.state["round"], "fault": "foreign_card"})
    send(floor.sue, "sue", rule(floor.state, "void"))
    waiting = floor.max.locator("[data-second]")
    waiting.get_by_role("button", name="Decline").click()
    waiting.locator("[name=reason]").fill("the card is ours")
    waiting.locator("button[type=submit]").click()
    expect(floor.max.locator("[data-second]")).to_have_count(0)
    assert floor.state["phase"] == "decision"


def test_face_down_cards_are_turned_over_and_a_squeeze_is_permitted(floor: Floor) -> None:
    floor.finish()
    whole = call(floor.tom, "tom", "GET", f"/tables/{TABLE}")["setup"]
    send(floor.tom, "tom", {"type": "ChangeSetup", "setup": whole | {"face_down": True}})
    try:
        floor.round()
        number = floor.state["round"]
        send(floor.bao, "bao", {"type": "RequestSqueeze", "round": number, "index": 2})
        floor.step("answer_squeeze")
        floor.dealer.keyboard.press("y")
        for many in range(1, 5):
            floor.step("draw_down")
            floor.dealer.keyboard.press("Enter")
            expect(floor.dealer.locator(".hands .card")).to_have_count(many)
        floor.step("expose")
        assert floor.state["squeezes"]["2"]["permitted"]
        floor.key("9S", "wait_squeeze")
        send(floor.bao, "bao", {"type": "FinishSqueeze", "round": number, "index": 2})
        floor.step("expose")
        for text, then in (("KD", "expose"), ("2H", "expose"), ("7C", "draw_down")):
            floor.key(text, then)
    finally:
        floor.finish()
        send(floor.tom, "tom", {"type": "ChangeSetup", "setup": whole})


def test_the_dealer_records_a_squeeze_for_a_player_without_a_terminal(floor: Floor) -> None:
    floor.finish()
    whole = call(floor.tom, "tom", "GET", f"/tables/{TABLE}")["setup"]
    send(floor.tom, "tom", {"type": "ChangeSetup", "setup": whole | {"face_down": True}})
    try:
        floor.round()
        row = floor.dealer.locator(".people li", has_text="bao")
        row.get_by_role("button", name="Asks to squeeze card 1").click()
        floor.step("answer_squeeze")
        floor.dealer.keyboard.press("y")
        for many in range(1, 5):
            floor.step("draw_down")
            floor.dealer.keyboard.press("Enter")
            expect(floor.dealer.locator(".hands .card")).to_have_count(many)
        floor.step("wait_squeeze")
        row.get_by_role("button", name="Has squeezed card 1").click()
        floor.step("expose")
    finally:
        floor.finish()
        send(floor.tom, "tom", {"type": "ChangeSetup", "setup": whole})


def test_a_player_at_a_dealers_table_is_told_what_became_of_a_request(floor: Floor, visit: Visit) -> None:
    floor.finish()
    whole = call(floor.tom, "tom", "GET", f"/tables/{TABLE}")["setup"]
    send(floor.tom, "tom", {"type": "ChangeSetup", "setup": whole | {"face_down": True}})
    try:
        floor.round()
        seat = visit("bao", f"table/{TABLE}")
        asks = seat.get_by_role("region", name="You may squeeze")
        asks.get_by_role("button", name="Player, first card").click()
        expect(seat.get_by_text("You asked to squeeze card 1.")).to_be_visible()
        floor.step("answer_squeeze")
        with pytest.raises(AssertionError, match="squeeze_unanswered"):
            send(floor.dealer, "dora", {"type": "DrawCard", "round": floor.state["round"], "index": 1})
        floor.dealer.keyboard.press("v")
        expect(seat.locator(".notice", has_text="You do not squeeze card 1: the request was refused.")).to_be_visible()
        asks.get_by_role("button", name="Banker, first card").click()
        floor.step("answer_squeeze")
        floor.dealer.keyboard.press("y")
        floor.step("draw_down")
        assert floor.state["squeezing"] == [2]
        expect(seat.get_by_text("A card is being squeezed")).to_have_count(0)  # it is still in the shoe
        for many in (1, 2):
            floor.step("draw_down")
            floor.dealer.keyboard.press("Enter")
            expect(floor.dealer.locator(".hands .card")).to_have_count(many)
        panel = seat.locator(".squeeze")
        expect(panel).to_contain_text("The card is at the table: squeeze it there.")
        expect(panel.get_by_role("slider")).to_have_count(0)
        expect(floor.dealer.locator(".hands .card.held")).to_have_count(1)
        panel.get_by_role("button", name="I have squeezed it").click()
        expect(floor.dealer.locator(".hands .card.held")).to_have_count(0)
    finally:
        floor.finish()
        send(floor.tom, "tom", {"type": "ChangeSetup", "setup": whole})


def test_the_dealer_corrects_the_card_keyed_in_last(floor: Floor) -> None:
    floor.round("9S", "KD")
    floor.step("draw")
    floor.dealer.get_by_role("button", name="Correct last card").click()
    dialog = floor.dealer.get_by_role("dialog")
    expect(dialog).to_contain_text("Card 2 was keyed in as K♦")
    dialog.locator("[name=card]").fill("qd")
    dialog.get_by_role("button", name="Correct last card").click()
    dialog.wait_for(state="detached")
    assert [one["face"] for one in floor.state["cards"]] == ["9♠", "Q♦"]
    assert floor.state["corrections"] == {"dora": 1}
    floor.finish()


def test_everything_is_said_in_chinese_too(visit: Visit) -> None:
    page = visit("dora", f"dealer/{TABLE}", locale="zh-CN")
    expect(page.get_by_role("heading", name="下一步")).to_be_visible()
    expect(page.locator("section:has(#rounds-title)")).to_contain_text("作废")
    page.click("text=按键")
    expect(page.locator("dialog")).to_contain_text("执行下一步")
