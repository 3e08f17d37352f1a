"""The display board follows its table, shows the right roads, fits every screen and recovers by itself."""

import re

import pytest
from playwright.sync_api import expect

from puntobanco.roads import Roads, read_marks
from puntobanco.rules.outcome import Winner
from tests.browser.conftest import Visit
from tests.browser.floor import call, send
from tests.browser.house import SLOTS, Served

TABLE = "wu-song-1"
SIZES = {
    "phone": (390, 844), "phone on its side": (844, 390), "old screen": (1024, 768), "wall": (1920, 1080),
    "4k": (3840, 2160), "tall": (1080, 1920),
}  # fmt: skip
ROUNDS = 6
SPILLING = """() => [...document.querySelectorAll(".board, .board *")]
  .filter((one) => one.clientWidth && !one.closest("svg") && !one.matches(".hidden")
    && (one.getBoundingClientRect().right > innerWidth + 1 || one.getBoundingClientRect().bottom > innerHeight + 1))
  .map((one) => one.className)"""

COVERED = """() => [...document.querySelectorAll(".called")].filter((name) => {
  const [over, road] = [name, name.parentElement.querySelector("svg")].map((one) => one.getBoundingClientRect())
  return over.right > road.left + 1 && over.bottom > road.top + 1
}).map((name) => name.textContent)"""

CLIPPED = """() => [...document.querySelectorAll("h1, .title, .called")]
  .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > 1.1 * one.clientHeight)
  .map((one) => one.innerText)"""
"""The names that are not read to their end."""


def test_the_board_follows_its_table_through_a_round(visit: Visit, house: Served) -> None:
    house.bring(TABLE, "betting")
    page = visit("board", f"board/{TABLE}")
    board = page.locator(".board")
    expect(board).to_have_attribute("data-phase", "betting")
    expect(page.locator("h1")).to_contain_text(TABLE)
    expect(page.locator("header")).to_contain_text("Wu Song (Non-Commission Baccarat)")
    expect(page.locator("header")).to_contain_text("武松（免佣百家乐）")
    expect(page.locator(".limits")).to_contain_text("5,000")
    number = board.get_attribute("data-round")
    expect(page.locator("[role=timer]")).to_have_text(re.compile(r"\d"))
    house.go_on(TABLE)
    expect(page.locator("[data-hand=banker] svg")).not_to_have_count(0)
    house.bring(TABLE, "settled")
    expect(board).to_have_attribute("data-phase", "settled")
    expect(board).to_have_attribute("data-round", number)
    shown = page.evaluate(
        """() => ({
          result: document.querySelector("[data-result]").dataset.result,
          points: ["player", "banker"].map(
            (side) => Number(document.querySelector(`[data-hand=${side}] .points`).textContent)),
          cards: ["player", "banker"].map((side) => document.querySelectorAll(`[data-hand=${side}] svg`).length),
        })"""
    )
    player, banker = shown["points"]
    assert shown["result"] == ("tie" if player == banker else "player" if player > banker else "banker")
    assert all(count in (2, 3) for count in shown["cards"])
    house.go_on(TABLE)
    expect(board).not_to_have_attribute("data-round", str(number))
    expect(page.locator("[data-result]")).to_contain_text("Last result")


def test_the_roads_are_those_of_the_results(visit: Visit, house: Served) -> None:
    for _ in range(ROUNDS):
        house.bring(TABLE, "betting")
        last = house.bring(TABLE, "settled")
    page = visit("board", f"board/{TABLE}")
    expect(page.locator(".roads [data-road=bead] [data-mark]")).to_have_count(last)
    shown = page.evaluate(
        """async ([slot, table]) => {
          const results = (await (await fetch(`/u/${slot}/api/tables/${table}`)).json()).results
          const marks = (road, name) => [...document.querySelectorAll(`.roads [data-road=${road}] [data-${name}]`)]
          const all = (road, name) => marks(road, name).map((one) => one.dataset[name]).join("")
          const count = (key) => Number(document.querySelector(`[data-count=${key}] dd`).textContent)
          const ask = (side) => [...document.querySelectorAll(`[data-ask=${side}] [data-colour]`)]
            .map((one) => one.dataset.colour)
          return {
            results: results.join(" "), bead: all("bead", "mark"), big: all("big", "mark"),
            derived: ["bigEyeBoy", "smallRoad", "cockroachPig"].map((road) => all(road, "colour")),
            counts: ["banker", "player", "tie", "bankerPair", "playerPair", "natural"].map(count),
            ask: { B: ask("B"), P: ask("P") },
          }
        }""",
        [SLOTS["board"], TABLE],
    )
    marks = read_marks(shown["results"])
    roads = Roads(marks)
    assert shown["bead"] == "".join(mark.letter for mark in roads.marks)
    ties_alone = "T" * bool(roads.ties_waiting)
    assert shown["big"] == "".join(cell.mark.letter for cell in roads.big_road) + ties_alone
    assert shown["derived"] == [road.colours for road in roads.derived]
    wins = [sum(mark.winner is winner for mark in roads.marks) for winner in (Winner.BANKER, Winner.PLAYER, Winner.TIE)]
    rest = [sum(getattr(mark, name) for mark in roads.marks) for name in ("banker_pair", "player_pair", "natural")]
    assert shown["counts"] == wins + rest
    for side, winner in (("B", Winner.BANKER), ("P", Winner.PLAYER)):
        assert shown["ask"][side] == [colour or "none" for colour in roads.ask(winner)]
    expect(page.locator("footer")).to_contain_text("They inform only")


@pytest.mark.parametrize("name", SIZES)
def test_nothing_spills_over_the_edge(visit: Visit, house: Served, name: str) -> None:
    house.bring(TABLE, "settled")
    width, height = SIZES[name]
    page = visit("board", f"board/{TABLE}", viewport={"width": width, "height": height})
    expect(page.locator("[data-hand=banker] svg")).not_to_have_count(0)
    assert page.evaluate(SPILLING) == []
    assert page.evaluate(COVERED) == []
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("name", SIZES)
def test_every_limit_leaves_room_for_the_name_of_the_table(visit: Visit, house: Served, name: str) -> None:
    house.bring("super-six-1", "settled")
    pit = visit("max", "pit")
    whole = call(pit, "max", "GET", "/tables/super-six-1")["setup"]
    send(pit, "max", {"type": "ChangeSetup", "setup": whole | {"maximum": 25_000_00}}, "super-six-1")
    house.bring("super-six-1", "betting")
    width, height = SIZES[name]
    page = visit("board", "board/super-six-1", viewport={"width": width, "height": height})
    expect(page.locator(".limits")).to_contain_text("25,000")
    expect(page.locator(".title").first).to_have_text("Non-Commission Baccarat with Super Six")
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate(SPILLING) == []


def test_a_long_notice_clips_no_name_of_a_road(visit: Visit) -> None:
    pit = visit("max", "pit")
    reason = "the floor closes early tonight, for a private event that the house was asked for; see you soon"
    send(pit, "max", {"type": "AnnounceClosing", "reason": reason}, "baccarat-1")
    page = visit("board", "board/baccarat-1", viewport={"width": 1920, "height": 1080})
    expect(page.locator(".closing")).to_contain_text("see you soon")
    assert page.evaluate(CLIPPED) == []


def test_it_is_readable_from_five_metres(visit: Visit, house: Served) -> None:
    """On a wall screen of 1080 lines what matters is at least 27 of them high, and what matters most much more."""
    house.bring(TABLE, "settled")
    page = visit("board", f"board/{TABLE}", viewport={"width": 1920, "height": 1080})
    expect(page.locator("[data-result] .winner")).to_be_visible()
    size = """(of) => Math.min(
      ...[...document.querySelectorAll(of)].map((one) => parseFloat(getComputedStyle(one).fontSize)))"""
    for of in (".phase p", ".limits dt", ".count dt", ".title"):
        assert page.evaluate(size, of) >= 27, of
    for of in (".limits dd", ".winner", ".points", "h1", ".count dd"):
        assert page.evaluate(size, of) >= 40, of


def test_the_board_of_all_tables_shows_every_one_and_goes_round(visit: Visit) -> None:
    page = visit("ann", "board", viewport={"width": 1920, "height": 1080})
    expect(page.locator("[data-strip]")).to_have_count(6)
    first = page.locator(".board").get_attribute("data-table")
    expect(page.locator(f"[data-strip={first}]")).to_have_attribute("aria-current", "true")
    expect(page.locator(".board")).not_to_have_attribute("data-table", str(first), timeout=25_000)
    assert page.evaluate(SPILLING) == []


def test_the_language_is_switched_on_the_board_itself(visit: Visit) -> None:
    page = visit("board", f"board/{TABLE}")
    page.get_by_role("button", name="简体中文").click()
    expect(page.locator(".counts")).to_contain_text("庄对")
    expect(page.locator("footer")).to_contain_text("仅供参考")
    expect(page.locator(".board")).to_have_attribute("data-phase", re.compile("."))


def test_there_is_no_such_table(visit: Visit) -> None:
    page = visit("board", "board/nowhere-9")
    expect(page.get_by_role("alert")).to_be_visible()


def test_the_board_recovers_by_itself_when_the_house_comes_back(visit: Visit, house: Served) -> None:
    before = house.bring(TABLE, "betting")
    page = visit("board", f"board/{TABLE}")
    board = page.locator(".board")
    expect(board).to_have_attribute("data-phase", "betting")
    house.kill()
    expect(page.locator(".lost")).to_be_visible()
    house.open()
    expect(page.locator(".lost")).to_have_count(0, timeout=30_000)
    house.bring(TABLE, "settled")
    after = house.bring(TABLE, "betting")
    assert after > before
    expect(board).to_have_attribute("data-round", str(after))
