"""No face of a card is in a page, its socket or its caches before the card is turned over, and nothing is shown as
accepted before the house said so. All traffic of every screen is read."""

import json
import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.floor import call
from tests.browser.house import SLOTS, Served
from tests.browser.seat import Seat

HOUSE = {"face_down": True, "stack": "decks"}
"""One deck after another: among the first 52 cards each face is there once, so that its first sight is its only one."""
TABLE = "wu-song-1"
SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
ROUNDS = 3

WATCHED = """() => {
  window.lay = new Set()
  const look = () => document.querySelectorAll(".hands .card.down").forEach((one) => lay.add(one.ariaLabel))
  new MutationObserver(look).observe(document, {subtree: true, childList: true, attributes: true})
}"""
"""What every card that ever lay face down in the page was called."""
KEPT = """async () => ({
  caches: await caches.keys(), databases: (await indexedDB.databases()).length,
  storage: JSON.stringify([{...localStorage}, {...sessionStorage}]),
})"""


def written(face: str) -> re.Pattern[str]:
    """A face in whatever way it might be written."""
    rank, suit = face[:-1], face[-1]
    number = RANKS.index(rank) + 1
    drawn = rf'"rank":\s*{number},\s*"suit":\s*"{suit}"'
    escaped = suit.encode("unicode_escape").decode().replace("\\", "\\\\")
    return re.compile(rf'(?<!\d){rank}{suit}|(?<!\d){rank}{escaped}|"{rank}{SUITS[suit]}"|{drawn}')


class Traffic:
    """Everything a page is sent, in order."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.texts: list[str] = []
        page.on("websocket", lambda line: line.on("framereceived", lambda text: self.texts.append(str(text))))
        page.on("response", self._answered)
        self._answers: list[Any] = []

    def _answered(self, answer: Any) -> None:
        if "/api/" in answer.url and not answer.url.endswith("/live"):
            assert "no-store" in (answer.headers.get("cache-control") or ""), answer.url
            self._answers.append((len(self.texts), answer))

    def hear(self, number: int) -> None:
        """Until the page was told of that round."""
        while not any((found := views(text)) and found["round"] >= number for text in self.texts if ours(text)):
            self.page.wait_for_timeout(20)

    @property
    def all(self) -> list[str]:
        """With what was answered to requests, before the message it came before."""
        texts = list(self.texts)
        for place, answer in reversed(self._answers):
            if answer.status == 200:
                texts.insert(place, answer.text())
        return [text for text in texts if ours(text)]


def ours(text: str) -> bool:
    """A screen that shows the whole floor is told of other tables, with cards of their own."""
    message = json.loads(text)
    return not isinstance(message, dict) or message.get("table", TABLE) == TABLE


def views(text: str) -> Any:
    """The table as a message shows it."""
    message = json.loads(text)
    if not isinstance(message, dict):
        return None
    return message.get("view") if message.get("type") == "Public" else message.get("public")


def test_no_face_is_anywhere_before_its_card_is_turned_over(visit: Visit, house: Served) -> None:
    screens = {"ann": f"table/{TABLE}", "dora": f"dealer/{TABLE}", "board": f"board/{TABLE}", "sue": f"pit/{TABLE}"}
    watched = {}
    for name, path in screens.items():
        page = visit(name)
        expect(page.locator("main, .board, .board-list").first).to_be_visible()
        page.goto("about:blank")
        watched[name] = Traffic(page)
        page.goto(f"{house.url}/u/{SLOTS[name]}/{path}")
    first = Seat(watched["ann"].page)
    expect(first.page.locator(".felt .zone")).not_to_have_count(0)
    begun = house.bring(TABLE, "betting")
    first.page.evaluate(WATCHED)
    for _ in range(ROUNDS):
        house.bring(TABLE, "settled")
        house.bring(TABLE, "betting")
    for traffic in watched.values():
        traffic.hear(begun + ROUNDS)
    lay = first.page.evaluate("[...lay]")
    assert lay
    assert not any(re.search("[♠♥♦♣]", name) for name in lay)
    for name, traffic in watched.items():
        kept = traffic.page.evaluate(KEPT)
        assert kept["caches"] == []
        assert kept["databases"] == 0
        assert not re.search("[♠♥♦♣]", kept["storage"])
        check(name, traffic.all, begun)


def check(name: str, texts: list[str], begun: int) -> None:
    faces: dict[tuple[int, int], str] = {}
    lay: dict[tuple[int, int], int] = {}
    """When each card was last seen face down."""
    for at, text in enumerate(texts):
        view = views(text)
        for one in view["cards"] if view and view["round"] >= begun else ():
            card = view["round"], one["index"]
            if one["face"] is None:
                lay[card] = at
                assert card not in faces, f"{name}: {card} was turned back"
            else:
                faces[card] = one["face"]
    seen = [card for card in faces if card in lay]
    assert len(seen) >= 4 * (ROUNDS - 1), f"{name} saw too little: {faces}"
    if len(set(faces.values())) < len(faces):
        raise AssertionError("the first deck was over: the faces do not tell the cards apart")
    for card in seen:
        pattern = written(faces[card])
        early = [text[:300] for text in texts[: lay[card] + 1] if pattern.search(text)]
        assert not early, f"{name}: {faces[card]} of {card} was sent while it lay face down"


def test_a_squeezed_card_is_in_no_file_and_no_export_before_everyone_may_see_it(visit: Visit, house: Served) -> None:
    """Of two screens of the player one has the card shown; the other goes on with the next."""
    page, auditor = visit("chen", f"table/{TABLE}"), visit("ada")
    seat = Seat(page)
    house.bring(TABLE, "betting")
    seat.phase("betting")
    seat.buy_in()
    page.locator(".hand.player .wish").click()
    number = seat.bet("player")
    second = page.context.new_page()
    second.goto(page.url)
    house.go_on(TABLE)
    for one in (page, second):
        expect(one.locator(".squeeze")).to_contain_text("Player, first card")

    def exported() -> str:
        path = f"/tables/{TABLE}/rounds/{number}/export"
        return json.dumps(call(auditor, "ada", "GET", path), ensure_ascii=False).replace('\\"', '"')

    face = written(call(page, "chen", "GET", f"/tables/{TABLE}")["private"]["faces"]["1"])
    assert not face.search(house.written())
    assert not face.search(exported())
    page.get_by_role("button", name="Show it").click()
    for one in (page, second):
        expect(one.locator(".squeeze")).to_contain_text("Player, second card")
    assert face.search(house.written()), "the search would have found it"
    assert face.search(exported())
    assert not face.search(house.log(10_000))
    second.get_by_role("button", name="Show it").click()
    house.bring(TABLE, "settled")


def test_nothing_is_accepted_before_the_house_said_so(visit: Visit, house: Served) -> None:
    """The answer is held up on its way: the slip is pending for as long as that lasts."""
    page = visit("bao")
    held: list[tuple[str, Any]] = []
    state = {"holding": False}

    def carry(line: Any) -> None:
        server = line.connect_to_server()

        def down(text: str) -> None:
            if state["holding"]:
                held.append((text, line))
            else:
                line.send(text)

        def up(text: str) -> None:
            if '"PlaceBets"' in text:
                state["holding"] = True
            server.send(text)

        server.on_message(down)
        line.on_message(up)

    expect(page.locator("header.bar")).to_be_visible()
    page.route_web_socket(re.compile("/api/live"), carry)
    page.goto(f"{house.url}/u/{SLOTS['bao']}/table/baccarat-1")
    seat = Seat(page)
    seat.buy_in()
    house.bring("baccarat-1", "betting")
    seat.phase("betting")
    seat.put("player")
    seat.confirm.click()
    expect(seat.ticket.locator(".wanted")).to_contain_text("sent…")
    expect(page.locator(".status .pending")).to_have_text("Sent, waiting for the house…")
    while not any('"Answered"' in text for text, _ in held):
        page.wait_for_timeout(20)
    expect(seat.ticket.locator(".accepted")).to_have_count(0)
    expect(seat.confirm).to_be_disabled()
    expect(seat.confirm).to_have_text("Sending…")
    expect(page.locator(".balance")).to_contain_text("1,000")
    state["holding"] = False
    for text, line in held:
        line.send(text)
    expect(seat.ticket.locator(".wanted")).to_have_count(0)
