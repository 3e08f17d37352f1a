"""The player's terminal on the screens it is played on: what it takes to bet is in sight and uncovered."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.floor import call, send, view
from tests.browser.house import Served
from tests.browser.seat import Seat

HOUSE = {"stack": "A K 3 5 7 6"}
"""Every round is a tie, after which stakes are taken or left."""
SIZES = {
    "phone": (390, 844), "phone on its side": (844, 390), "tablet": (1024, 768), "desktop": (1440, 900),
    "cabinet": (1080, 1920), "4k": (3840, 2160),
}  # fmt: skip
SMALLEST = 44

TARGETS = """(least) => [...document.querySelectorAll("button, summary, a.back")]
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, {width, height}]) => width && height && (width < least - 0.1 || height < least - 0.1))
  .map(([one, {width, height}]) => `${one.className} ${one.innerText} ${width} x ${height}`)"""
"""Whatever is too small for a finger."""

UNREACHABLE = """() => [...document.querySelectorAll(".zone, .chips button, .actions button")].filter((one) => {
  const {left, right, top, bottom} = one.getBoundingClientRect()
  if (left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) return true
  return ![[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.9]].every(([x, y]) => one.contains(
    document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y)))
}).map((one) => one.className + " " + one.innerText)"""
"""Zones, chips and actions that are not wholly on the screen, or lie under something."""

OVERLAPPING = """() => {
  const parts = [...document.querySelectorAll("footer, footer button")].map((one) => one.getBoundingClientRect())
  return [...document.querySelectorAll(".zone, .hand, .boxes button")].filter((one) => {
    const over = one.getBoundingClientRect()
    return parts.some((part) => part.left < over.right - 1 && part.right > over.left + 1
      && part.top < over.bottom - 1 && part.bottom > over.top + 1)
  }).map((one) => one.className)
}"""

BESIDE_NOTICES = (".phase", ".hand", ".boxes button", ".zone", ".chips button", ".way")
COVERED = """([notice, ...others]) => {
  const said = document.querySelector(notice)
  const {left, right, top, height} = said.getBoundingClientRect()
  const over = {left, right, top, bottom: top + Math.max(height, said.scrollHeight)}
  return [...document.querySelectorAll(others)].filter((one) => {
    const part = one.getBoundingClientRect()
    return part.width && part.left < over.right - 1 && part.right > over.left + 1
      && part.top < over.bottom - 1 && part.bottom > over.top + 1
  }).map((one) => one.className + " " + one.innerText)
}"""
"""What lies under a notice that should stand beside it."""

HANDS = """() => {
  const [player, banker] = [...document.querySelectorAll(".hand")].map((hand) => {
    const all = [hand, ...hand.querySelectorAll(".dealt")].map((one) => one.getBoundingClientRect())
    return {left: Math.min(...all.map((one) => one.left)), right: Math.max(...all.map((one) => one.right)),
      bottom: Math.max(...all.map((one) => one.bottom))}
  })
  const below = document.querySelector(".stage").getBoundingClientRect().top
  return player.right <= banker.left + 1 && banker.right <= innerWidth
    && Math.max(player.bottom, banker.bottom) <= below + 1
}"""
"""The hands lie beside each other, over the felt."""


def opened(visit: Visit, size: str, table: str, name: str = "ann") -> Any:
    width, height = SIZES[size]
    page = visit(name, f"table/{table}", viewport={"width": width, "height": height})
    expect(page.locator(".felt .zone")).not_to_have_count(0)
    return page


@pytest.mark.parametrize("table", ["wu-song-1", "insurance-1", "electronic-1"])
@pytest.mark.parametrize("size", SIZES)
def test_felt_chips_and_confirm_are_in_sight_together(visit: Visit, house: Served, size: str, table: str) -> None:
    house.bring(table, "betting")
    page = opened(visit, size, table)
    seat = Seat(page)
    if page.locator(".start").count():
        seat.buy_in()
    seat.put("player", "tie")
    page.evaluate("scrollTo(0, 0)")
    for cross in page.locator(".notice button").all():
        cross.click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(OVERLAPPING) == []
    assert page.evaluate(UNREACHABLE) == []
    assert page.evaluate(TARGETS, SMALLEST) == []
    page.locator(".chips button").first.click()
    assert page.evaluate("scrollY") == 0


UNDER_CHIPS = """() => [...document.querySelectorAll(".zone:has(.stake) .room")].filter((room) => {
  const range = document.createRange()
  range.selectNodeContents(room)
  const chip = room.closest(".zone").querySelector(".stake").getBoundingClientRect()
  return [...range.getClientRects()].some((line) => line.right > chip.left + 1 && line.left < chip.right - 1
    && line.bottom > chip.top + 1 && line.top < chip.bottom - 1)
}).map((room) => room.innerText)"""


@pytest.mark.parametrize("size", SIZES)
def test_a_maximum_of_side_bets_is_read_on_the_felt_and_moves_none_of_it(
    visit: Visit, house: Served, size: str
) -> None:
    house.bring("wu-song-1", "settled")
    pit = visit("max", "pit")
    whole = call(pit, "max", "GET", "/tables/wu-song-1")["setup"]
    send(pit, "max", {"type": "ChangeSetup", "setup": whole | {"maximum": 2_000_00}}, "wu-song-1")
    house.bring("wu-song-1", "betting")
    page = opened(visit, size, "wu-song-1", name="bao")
    seat = Seat(page)
    if page.locator(".start").count():
        seat.buy_in()
    seat.bet("tie", "big_tiger")
    expect(seat.zone("big_tiger")).to_contain_text("can still bet 1,900")
    page.evaluate("scrollTo(0, 0)")
    assert page.evaluate(OVERLAPPING) == []
    assert (
        page.locator(".zone .room").evaluate_all(
            "all => all.filter(one => one.scrollWidth > one.closest('.zone').clientWidth).map(one => one.innerText)"
        )
        == []
    )
    assert page.evaluate(UNDER_CHIPS) == []
    house.bring("wu-song-1", "settled")
    send(pit, "max", {"type": "ChangeSetup", "setup": whole}, "wu-song-1")


@pytest.mark.parametrize("size", SIZES)
def test_whoever_has_not_bought_in_reads_the_whole_felt(visit: Visit, house: Served, size: str) -> None:
    house.bring("super-six-1", "betting")
    page = opened(visit, size, "super-six-1", name="chen")
    expect(page.locator(".start")).to_be_visible()
    assert page.evaluate(OVERLAPPING) == []
    assert page.evaluate(UNREACHABLE) == []
    page.locator(".start button").click()
    expect(page.get_by_role("dialog").locator(".quick button")).not_to_have_count(0)
    assert page.evaluate(TARGETS, SMALLEST) == []


@pytest.mark.parametrize("size", ["phone", "phone on its side"])
def test_a_lost_connection_hides_neither_the_phase_nor_the_chips(visit: Visit, house: Served, size: str) -> None:
    house.bring("super-six-1", "betting")
    page = opened(visit, size, "super-six-1")
    if page.locator(".start").count():
        Seat(page).buy_in()
    before = [page.locator(one).first.bounding_box() for one in BESIDE_NOTICES]
    page.context.set_offline(True)
    expect(page.locator("p.lost")).to_be_visible()
    assert page.evaluate(COVERED, ["p.lost", *BESIDE_NOTICES]) == []
    assert [page.locator(one).first.bounding_box() for one in BESIDE_NOTICES] == before, "nothing moves"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("size", ["phone", "phone on its side", "tablet"])
def test_a_notice_of_closing_lies_over_nothing_at_the_seat(visit: Visit, house: Served, size: str) -> None:
    house.bring("super-six-1", "betting")
    reason = "few guests tonight, and the cooling is under repair"
    page, pit = opened(visit, size, "super-six-1"), visit("max", "pit")
    if "AnnounceClosing" in view(pit, "max", "super-six-1")["allowed"]:
        send(pit, "max", {"type": "AnnounceClosing", "reason": reason}, "super-six-1")
    expect(page.locator(".closing")).to_contain_text(reason)
    assert page.evaluate(COVERED, [".closing", *BESIDE_NOTICES]) == []
    assert page.evaluate(OVERLAPPING) == [], "the felt is in sight as without the notice"


FIRST = """(one, length) => {
  const range = document.createRange()
  range.setStart(one.firstChild, 0)
  range.setEnd(one.firstChild, length)
  const [text, box] = [range, one].map((it) => it.getBoundingClientRect())
  return text.bottom <= box.bottom + 1 && text.right <= box.right + 1
}"""
"""Whether the beginning of a text can be read."""


@pytest.mark.parametrize("size", ["phone", "cabinet"])
def test_the_game_its_limits_and_the_play_money_are_named(visit: Visit, house: Served, size: str) -> None:
    house.bring("insurance-1", "betting")
    page = opened(visit, size, "insurance-1", name="chen")
    assert page.locator("h1").evaluate(FIRST, len("Commission Baccarat"))
    expect(page.locator(".said")).to_contain_text("Minimum 10 · Differential 5,000")
    expect(page.get_by_text("Play money").locator("visible=true")).to_have_count(1)


def test_folded_roads_leave_no_void_on_a_cabinet(visit: Visit, house: Served) -> None:
    house.bring("wu-song-1", "betting")
    page = opened(visit, "cabinet", "wu-song-1", name="chen")
    before = page.locator(".phase").bounding_box()["y"]
    page.locator(".roads summary").click()
    expect(page.locator("[data-road=bead]")).to_be_hidden()
    assert page.locator(".phase").bounding_box()["y"] < before - 100
    roads, below = page.locator(".roads").bounding_box(), page.locator(".roads summary").bounding_box()
    assert roads["height"] < below["height"] + 30


@pytest.mark.parametrize("path", ["", "sign-in"])
def test_a_cabinet_enlarges_the_way_to_a_table(visit: Visit, path: str) -> None:
    page = visit("ann", viewport=dict(zip(("width", "height"), SIZES["cabinet"], strict=True)))
    if path:
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(page.locator(".at-cabinet")).to_be_visible()
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") >= 20


def test_a_chip_lies_beside_the_odds_and_not_on_them(visit: Visit, house: Served) -> None:
    house.bring("wu-song-1", "settled")
    house.bring("wu-song-1", "betting")
    page = opened(visit, "tablet", "wu-song-1", name="chen")
    seat = Seat(page)
    if page.locator(".start").count():
        seat.buy_in()
    seat.put("wu_song")
    zone = seat.zone("wu_song")
    ends = zone.locator(".odds").evaluate("""(one) => {
      const range = document.createRange()
      range.selectNodeContents(one)
      return range.getBoundingClientRect().right
    }""")
    assert zone.locator(".chip").bounding_box()["x"] >= ends - 1


@pytest.mark.parametrize("size", ["phone", "phone on its side", "desktop"])
def test_what_a_bet_won_covers_neither_its_sign_nor_its_name(visit: Visit, house: Served, size: str) -> None:
    house.bring("wu-song-1", "settled")
    house.bring("wu-song-1", "betting")
    page = opened(visit, size, "wu-song-1", name="bao")
    seat = Seat(page)
    if page.locator(".start").count():
        seat.buy_in()
    seat.bet("tie")
    house.bring("wu-song-1", "settled")
    zone = seat.zone("tie")
    won = zone.locator(".profit").bounding_box()
    for part in (".sign", ".title"):
        text = zone.locator(part).bounding_box()
        assert won["y"] >= text["y"] + text["height"] - 1 or won["x"] >= text["x"] + text["width"], part


def test_a_phone_names_the_table_and_the_round(visit: Visit, house: Served) -> None:
    house.bring("insurance-1", "betting")
    page = opened(visit, "phone", "insurance-1", name="chen")
    game, words = page.locator(".top h1"), page.locator(".top .title p")
    expect(game).to_have_text("Commission Baccarat with Insurance")
    assert game.evaluate("(one) => one.scrollHeight <= one.clientHeight")
    expect(words).to_contain_text("Round")
    assert words.evaluate("(one) => one.scrollWidth <= one.clientWidth")


@pytest.mark.parametrize("size", SIZES)
def test_the_cards_lie_between_the_phase_and_the_felt(visit: Visit, house: Served, size: str) -> None:
    house.bring("wu-song-1", "settled")
    page = opened(visit, size, "wu-song-1", name="bao")
    expect(page.locator(".dealt")).not_to_have_count(0)
    page.wait_for_function(HANDS)
    assert page.evaluate(OVERLAPPING) == []


def test_on_a_phone_held_across_the_latest_sentence_of_the_hand_is_in_sight(visit: Visit, house: Served) -> None:
    house.bring("insurance-1", "settled")
    page = opened(visit, "phone on its side", "insurance-1", name="bao")
    said = page.locator(".said")
    assert said.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1"), said.inner_text()


def test_on_a_phone_held_across_all_is_in_sight_of_what_becomes_of_the_money(visit: Visit, house: Served) -> None:
    table = "electronic-1"
    page, tom = opened(visit, "phone on its side", table, name="bao"), visit("tom", "pit")
    send(page, "bao", {"type": "BuyIn", "person": "bao", "amount": 100_00}, table)
    house.bring(table, "settled")
    send(tom, "tom", {"type": "CloseTable", "cause": "safety", "reason": "smoke in the pit"}, table)
    said = page.locator(".said")
    expect(said).to_contain_text("Your balance here stays yours")
    assert said.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1"), said.inner_text()
    setup = call(tom, "tom", "GET", f"/tables/{table}")["setup"]
    send(tom, "tom", {"type": "OpenTable", "setup": setup}, table)


@pytest.mark.parametrize("size", SIZES)
def test_a_question_over_the_felt_covers_the_chips_that_lie_there(visit: Visit, house: Served, size: str) -> None:
    house.bring("super-six-1", "settled")
    house.bring("super-six-1", "betting")
    page = opened(visit, size, "super-six-1", name="bao")
    seat = Seat(page)
    if page.locator(".start").count():
        seat.buy_in()
    seat.bet("banker")
    house.bring("super-six-1", "settled")
    expect(page.locator(".choice")).to_be_visible()
    over, chip = (page.locator(one).bounding_box() for one in (".choice", ".zone[data-bet=banker] .stake"))
    assert over["y"] > chip["y"] + chip["height"] or (
        over["x"] + over["width"] >= chip["x"] + chip["width"]
        and over["y"] + over["height"] >= chip["y"] + chip["height"]
    )


@pytest.mark.parametrize(("size", "card", "zone"), [("cabinet", 130, 200), ("4k", 190, 280), ("desktop", 80, 110)])
def test_a_large_screen_is_used(visit: Visit, house: Served, size: str, card: int, zone: int) -> None:
    house.bring("wu-song-1", "betting")
    page = opened(visit, size, "wu-song-1", name="bao")
    assert page.locator(".place").first.bounding_box()["width"] >= card
    assert page.locator(".zone.large").first.bounding_box()["height"] >= zone
    road, left = page.locator("[data-road=big]").bounding_box(), page.locator("section.felt").bounding_box()
    assert road["height"] >= SIZES[size][1] * 0.06
    felt_ends, footer = left["y"] + left["height"], page.locator("footer").bounding_box()["y"]
    assert footer - felt_ends < SIZES[size][1] * 0.03, "no void between the felt and the chips"
