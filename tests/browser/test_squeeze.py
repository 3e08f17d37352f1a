"""A squeeze by mouse, by touch and by keyboard, with motion: the face appears on the flap alone, the others see a card
being squeezed and its face together, and nothing that was asked for stays without a word."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.floor import call, send
from tests.browser.house import SLOTS, Served
from tests.browser.seat import Seat
from tests.browser.test_accessible import check as for_everyone
from tests.browser.test_hidden_cards import Traffic, written

HOUSE = {"face_down": True, "stack": "9 8 K 5", "card": 700}
"""Player draws a nine and a king, Banker an eight and a five; slow enough to ask for a card before it is drawn."""
TABLE, PATH = "wu-song-1", "table/wu-song-1"
MOVES = {"reduced_motion": "no-preference"}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class Squeezing(Seat):
    """A player who squeezes."""

    def __init__(self, page: Any, name: str) -> None:
        super().__init__(page)
        self.name = name
        self.panel = page.locator(".squeeze")
        self.card = self.panel.get_by_role("slider")
        self.flap = self.panel.locator(".flap")

    def wish(self, *sides: str) -> None:
        """For exactly these hands."""
        for side in ("player", "banker"):
            button = self.page.locator(f".hand.{side} .wish")
            if (button.get_attribute("aria-pressed") == "true") is not (side in sides):
                button.click()
            expect(button).to_have_attribute("aria-pressed", str(side in sides).lower())

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A place on the card as it lies, in shares of its width and height."""
        box = self.panel.locator(".ground").bounding_box()
        return box["x"] + x * box["width"], box["y"] + y * box["height"]

    def pull(self, *places: tuple[float, float]) -> None:
        """With the mouse, held down."""
        self.page.mouse.move(*self.at(*places[0]))
        self.page.mouse.down()
        for (x, y), (to_x, to_y) in pairwise(places):
            for step in range(1, 6):
                self.page.mouse.move(*self.at(x + (to_x - x) * step / 5, y + (to_y - y) * step / 5))

    def shown(self) -> list[Any]:
        """What the panel has shown since it was asked to note it, however briefly."""
        found: list[Any] = self.page.evaluate("window.shown")
        return found

    def face_shown(self) -> str:
        """The first face that was turned over in the panel since it was asked to note it."""
        self.page.wait_for_function("window.shown.some((one) => one.face)")
        return next(str(one["face"]) for one in self.shown() if one["face"])

    def says(self, words: str) -> None:
        expect(self.card).to_have_attribute("aria-valuetext", re.compile(f"^({words})$"))


@pytest.fixture
def ann(visit: Visit, house: Served) -> Squeezing:
    return sits(visit, house, "ann")


def sits(visit: Visit, house: Served, name: str, **context: Any) -> Squeezing:
    page = visit(name, PATH, **(MOVES | context))
    seat = Squeezing(page, name)
    expect(page.locator(".felt .zone")).not_to_have_count(0)
    found = call(page, name, "GET", f"/tables/{TABLE}")["private"]
    if found["purse"] < 1_000_00:
        send(page, name, {"type": "BuyIn", "person": name, "amount": 2_000_00}, TABLE)
    house.bring(TABLE, "settled" if found["stakes"] else "betting")
    house.bring(TABLE, "betting")
    seat.phase("betting")
    return seat


WIDEST = """
window.widest = 0
window.look = () => {
  window.widest = Math.max(window.widest, innerWidth)
  requestAnimationFrame(window.look)
}
window.look()
"""
"""Notes how wide the page becomes."""

SHOWN = """
window.shown = []
window.note = () => {
  const said = document.querySelector(".squeeze [role=status]")
  if (said) {
    const face = document.querySelector(".squeeze .whole")?.dataset.face ?? null
    const { x, y } = [...document.querySelectorAll(".squeeze .tools button")].at(-1).getBoundingClientRect()
    const now = { says: said.textContent.trim(), face, x: Math.round(x), y: Math.round(y) }
    if (JSON.stringify(now) !== JSON.stringify(window.shown.at(-1))) window.shown.push(now)
  }
}
const everything = { subtree: true, childList: true, characterData: true, attributes: true }
new MutationObserver(window.note).observe(document.body, everything)
window.frame = () => {
  window.note()
  requestAnimationFrame(window.frame)
}
window.frame()
"""
"""Notes what the panel says, the face it shows and where its last button is: a peeled card is shown for less than a
second, too short for a test that only looks now and then. It looks at every change of the page, since a busy machine
may draw no picture in that time, and at every picture, since what moves changes nothing else."""


def dealt(house: Served, seat: Squeezing) -> None:
    """The player's first card is in their hands."""
    house.go_on(TABLE)
    expect(seat.card).to_be_visible()
    expect(seat.panel).to_contain_text("Player, first card")


def finish(house: Served, seat: Squeezing) -> None:
    """Whatever is still squeezed is shown, and the round comes to its end."""
    while seat.terminal.get_attribute("data-phase") == "dealing":
        seat.page.evaluate("document.querySelector('.squeeze .tools .button:last-child')?.click()")
        seat.page.wait_for_timeout(50)
    house.bring(TABLE, "settled")


def test_a_card_is_peeled_with_the_mouse_and_everyone_sees_it_with_its_result(
    visit: Visit, house: Served, ann: Squeezing
) -> None:
    other, board = visit("bao", PATH, **MOVES), visit("board", f"board/{TABLE}", **MOVES)
    ann.wish("player")
    ann.bet("player")
    dealt(house, ann)
    first = other.locator(".hand.player .card").first
    expect(first).to_have_class(re.compile("held"))
    expect(first).to_have_attribute("aria-label", "card face down, being squeezed")
    expect(board.locator("[data-hand=player] svg.squeezed").first).to_be_visible()

    ann.pull((0.98, 0.5), (0.2, 0.5))
    ann.says("pips to be seen: 4")  # one side of a nine
    ann.page.mouse.up()  # let go of, it falls flat again
    expect(ann.flap).to_have_count(0)
    ann.says("lies flat")

    ann.pull((0.97, 0.97), (0.55, 0.6))
    ann.says("pips to be seen: [12]|nothing to be seen yet")
    expect(first).to_have_attribute("aria-label", "card face down, being squeezed")
    ann.page.mouse.up()
    expect(ann.flap).to_have_count(0)

    ann.page.evaluate(SHOWN)
    ann.pull((0.5, 0.98), (0.5, -0.4))
    ann.page.mouse.up()
    face = ann.face_shown()
    assert face.startswith("9")
    expect(first).to_have_attribute("aria-label", face)
    expect(board.locator("[data-hand=player] svg").first).to_have_attribute("data-face", face)

    expect(ann.panel).to_contain_text("Player, second card")
    expect(ann.panel).to_contain_text("9 so far")
    ann.pull((0.98, 0.5), (0.2, 0.5))
    ann.says("the frame of a picture card to be seen")
    ann.page.mouse.up()
    ann.panel.get_by_role("button", name="Show it").click()
    expect(other.locator(".banner")).to_have_text(re.compile("Player wins"))
    expect(ann.panel).to_have_count(0)
    house.bring(TABLE, "settled")


def test_the_face_goes_to_whoever_squeezes_and_to_nobody_else(visit: Visit, house: Served, ann: Squeezing) -> None:
    """Everything that a player, a dealer, the board and the pit are sent in the round, until the card is shown."""
    screens = {"bao": PATH, "dora": f"dealer/{TABLE}", "board": f"board/{TABLE}", "sue": f"pit/{TABLE}"}
    watched = {"ann": Traffic(ann.page)}
    for name, path in screens.items():
        page = visit(name)
        expect(page.locator("main, .board, .board-list").first).to_be_visible()
        page.goto("about:blank")
        watched[name] = Traffic(page)
        page.goto(f"{house.url}/u/{SLOTS[name]}/{path}")
    ann.page.reload()
    ann.phase("betting")
    ann.wish("player")
    number = ann.bet("player")
    dealt(house, ann)
    lies = [watched[name].page.locator(".card.held, svg.squeezed").first for name in screens]
    for one in lies:
        expect(one).to_be_visible()
    faces = [own["faces"]["1"] for text in watched["ann"].all if (own := own_view(text)) and "1" in own["faces"]]
    assert len(set(faces)) == 1
    assert faces[0].startswith("9")
    sent = {name: "\n".join(traffic.all) for name, traffic in watched.items() if name != "ann"}
    for name, text in sent.items():
        assert f'"round":{number}' in text.replace(" ", ""), f"{name} watched"
        assert not written(faces[0]).search(text), f"{name} was sent {faces[0]}"
    call(watched["bao"].page, "bao", "GET", f"/tables/{TABLE}")
    whole = call(watched["sue"].page, "sue", "GET", f"/tables/{TABLE}")
    assert not written(faces[0]).search(str(whole).replace("'", '"'))
    finish(house, ann)
    for name in screens:
        expect(watched[name].page.locator(f"[aria-label='{faces[0]}'], [data-face='{faces[0]}']").first).to_be_visible()


def own_view(text: str) -> Any:
    """What a message shows to one person alone."""
    told = json.loads(text)
    return told.get("view") if told.get("type") == "Private" else told.get("private")


def test_a_card_is_turned_and_peeled_with_a_finger(visit: Visit, house: Served) -> None:
    ann = sits(visit, house, "ann", **PHONE)
    ann.wish("player")
    ann.bet("player", press="tap")
    ann.page.evaluate(WIDEST)
    dealt(house, ann)
    turn = ann.panel.get_by_role("button", name="Turn it")
    for button in (turn, ann.panel.get_by_role("button", name="Show it")):
        assert button.bounding_box()["height"] >= 44
    turn.tap()
    expect(ann.panel.locator("g.card")).to_have_attribute("style", re.compile(r"rotate\(90deg\)"))
    ann.page.wait_for_timeout(400)
    line = ann.page.context.new_cdp_session(ann.page)

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in (ann.at(*place) for place in places)]
        line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (0.5, 0.98))
    for step in range(1, 9):
        touch("touchMove", (0.5, 0.98 - step * 0.1))
    ann.says("pips to be seen: 4")  # the long side lies below, now
    assert ann.page.evaluate("scrollY") == 0, "the page stays where it is"
    touch("touchEnd")
    expect(ann.flap).to_have_count(0)
    ann.page.evaluate(SHOWN)
    touch("touchStart", (0.5, 0.98))
    for step in range(1, 16):
        touch("touchMove", (0.5, 0.98 - step * 0.1))
    touch("touchEnd")
    assert ann.face_shown().startswith("9")
    assert ann.page.evaluate("widest") == 390, "a card that flies in does not widen the page"
    finish(house, ann)


def test_without_a_pointer_a_card_is_peeled_turned_and_given_up(house: Served, ann: Squeezing) -> None:
    ann.wish("player")
    ann.bet("player")
    dealt(house, ann)
    expect(ann.card).to_be_focused()
    keys = ann.page.keyboard
    for _ in range(9):
        keys.press("ArrowLeft")
    ann.says("pips to be seen: 4")
    keys.press("Escape")
    ann.says("lies flat")
    keys.press("r")
    for _ in range(9):
        keys.press("ArrowUp")
    ann.says("pips to be seen: 4")  # turned, the long side lies below
    for _ in range(4):
        keys.press("ArrowDown")
    ann.says("nothing to be seen yet")
    ann.page.evaluate(SHOWN)
    keys.press("Enter")
    assert ann.face_shown().startswith("9")
    expect(ann.panel).to_contain_text("Player, second card")
    expect(ann.card).to_be_focused()
    keys.press("Enter")
    ann.phase("result", "settled")
    house.bring(TABLE, "settled")


def test_without_motion_a_squeeze_goes_on_where_it_was_after_the_page_was_loaded_again(
    visit: Visit, house: Served
) -> None:
    ann = sits(visit, house, "ann", reduced_motion="reduce")
    ann.wish("player")
    ann.bet("player")
    dealt(house, ann)
    ann.page.reload()
    expect(ann.card).to_be_visible()
    ann.pull((0.98, 0.5), (0.2, 0.5))
    ann.says("pips to be seen: 4")
    for_everyone(ann.page)
    ann.page.mouse.up()
    ann.says("lies flat")
    finish(house, ann)


@contextmanager
def in_time(visit: Visit, house: Served, milliseconds: int) -> Iterator[None]:
    """So long may be squeezed in a round."""
    tom = visit("tom", f"pit/{TABLE}")
    setup = call(tom, "tom", "GET", f"/tables/{TABLE}")["setup"]

    def change(to: int) -> None:
        house.bring(TABLE, "settled")
        timing = setup["timing"] | {"squeeze": to}
        send(tom, "tom", {"type": "ChangeSetup", "setup": setup | {"timing": timing}}, TABLE)

    change(milliseconds)
    yield
    change(setup["timing"]["squeeze"])


def test_when_the_time_is_over_the_card_is_turned_over_and_that_is_said(
    visit: Visit, house: Served, ann: Squeezing
) -> None:
    with in_time(visit, house, 5_000):
        house.bring(TABLE, "betting")
        ann.phase("betting")
        ann.wish("player")
        ann.bet("player")
        dealt(house, ann)
        expect(ann.panel.get_by_role("timer")).to_have_text(re.compile("[1-5]"))
        expect(ann.page.locator(".notice", has_text="Player, first card: the time to squeeze is over")).to_be_visible()
        ann.phase("result", "settled")


def test_whoever_wishes_to_squeeze_without_the_highest_bet_is_told(visit: Visit, house: Served, ann: Squeezing) -> None:
    bao = Squeezing(visit("bao", PATH, **MOVES), "bao")
    if call(bao.page, "bao", "GET", f"/tables/{TABLE}")["private"]["purse"] < 1_000_00:
        send(bao.page, "bao", {"type": "BuyIn", "person": "bao", "amount": 2_000_00}, TABLE)
    bao.phase("betting")
    ann.wish("player")
    bao.wish("banker")
    ann.bet("player", chip="Chip 500")
    bao.page.locator(".boxes .row button", has_text="2").click()
    bao.bet("banker")
    dealt(house, ann)
    expect(bao.page.locator(".notice", has_text="another player has the highest bet")).to_be_visible()
    expect(bao.panel).to_have_count(0)
    finish(house, ann)


def test_a_player_with_two_tabs_is_refused_in_neither(house: Served, ann: Squeezing) -> None:
    ann.wish("player", "banker")
    other = ann.page.context.new_page()
    other.goto(f"{house.url}/u/{SLOTS['ann']}/{PATH}")
    expect(other.locator(".hand.player .wish")).to_have_attribute("aria-pressed", "true")
    ann.bet("player")
    dealt(house, ann)
    expect(other.locator(".squeeze")).to_be_visible()
    ann.page.wait_for_timeout(1_500)
    for page in (ann.page, other):
        assert page.locator(".notice.refused").all_inner_texts() == []
    finish(house, ann)


def test_cards_asked_for_in_any_order_are_squeezed_as_they_lie(house: Served, ann: Squeezing) -> None:
    """Everyone sees them in that order: a later card is not waited for."""
    ann.wish()
    ann.bet("player")
    house.go_on(TABLE)
    for index in (3, 1):
        send(ann.page, "ann", {"type": "RequestSqueeze", "round": ann.round, "index": index}, TABLE)
    for place in ("first", "second"):
        expect(ann.panel).to_contain_text(f"Player, {place} card")
        ann.panel.get_by_role("button", name="Show it").click()
    expect(ann.panel).to_have_count(0)
    house.bring(TABLE, "settled")


def test_a_card_is_called_shown_only_when_everyone_sees_it(house: Served, ann: Squeezing) -> None:
    ann.wish("player")
    ann.bet("player")
    dealt(house, ann)
    ann.page.context.set_offline(True)
    expect(ann.page.locator("p.lost")).to_be_visible()
    ann.page.evaluate(SHOWN)
    ann.panel.get_by_role("button", name="Show it").click()
    expect(ann.panel.get_by_role("status")).to_have_text("Sent, waiting for the house…")
    ann.page.wait_for_timeout(1_000)
    assert "Everyone sees it now." not in {one["says"] for one in ann.shown()}
    ann.page.context.set_offline(False)
    expect(ann.panel).to_contain_text("Player, second card")
    finish(house, ann)


@pytest.mark.parametrize("viewport", [(390, 844), (844, 390), (1440, 900)])
def test_the_buttons_stay_where_they_are_whatever_is_said(visit: Visit, house: Served, viewport: Any) -> None:
    ann = sits(visit, house, "ann", viewport=dict(zip(("width", "height"), viewport, strict=True)))
    ann.wish("player")
    ann.bet("player")
    dealt(house, ann)
    ann.page.wait_for_timeout(400)
    ann.page.evaluate(SHOWN)
    said = ann.page.locator(".notice", has_text="Accepted").bounding_box()
    card = ann.panel.locator(".ground").bounding_box()
    apart = [
        said[at] + said[size] <= card[at] or said[at] >= card[at] + card[size]
        for at, size in (("x", "width"), ("y", "height"))
    ]
    assert any(apart), "the card is in sight"
    ann.panel.get_by_role("button", name="Show it").click()
    ann.face_shown()
    expect(ann.panel).to_contain_text("9 so far")
    expect(ann.panel.get_by_role("status")).to_contain_text("Peel it")
    shown = ann.shown()
    says = [one["says"] for one in shown]
    assert any("Everyone sees it now." in said for said in says), says
    assert len({(one["x"], one["y"]) for one in shown}) == 1, shown
    finish(house, ann)


def test_what_comes_too_late_is_refused_in_a_sentence(house: Served, ann: Squeezing) -> None:
    ann.wish()
    ann.bet("player")
    house.go_on(TABLE)
    expect(ann.page.locator(".hand.player .card").first).to_be_visible()
    number = ann.round
    path = f"/u/{SLOTS['ann']}/api/tables/{TABLE}/commands"
    body = {"request": "late", "command": {"type": "RequestSqueeze", "round": number, "index": 1}}
    refused = ann.page.evaluate(
        """async ([path, body]) => {
          const headers = {"content-type": "application/json", "x-puntobanco": "1"}
          return (await fetch(path, {method: "POST", headers, body: JSON.stringify(body)})).json()
        }""",
        [path, body],
    )
    assert "Ask before the card leaves the shoe" in str(refused)
    house.bring(TABLE, "settled")


def test_the_result_is_shown_when_the_last_card_lies_there(visit: Visit, house: Served) -> None:
    style = "(one, name) => getComputedStyle(one)[name]"
    for motion in ("no-preference", "reduce"):
        seat = sits(visit, house, "ann", reduced_motion=motion)
        house.bring(TABLE, "settled")
        flies = seat.page.locator(".dealt").last.evaluate(style, "animationDuration")
        waits = "0s" if motion == "reduce" else flies
        for shown in (".banner", ".hand.player .points", ".hand.banker .points"):
            assert seat.page.locator(shown).evaluate(style, "animationDelay") == waits
