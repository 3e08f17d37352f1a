"""The desks on every device: nothing is wider than a phone, and a 4K screen enlarges them."""

import itertools
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.floor import TABLE, send, view

SMALLEST = 44
TARGETS = """(least) => [...document.querySelectorAll("button:not(.cite), summary, a:not(.skip), select")]
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, {width, height}]) => width && height && (width < least - 0.1 || height < least - 0.1))
  .map(([one, {width, height}]) => `${one.className} ${one.innerText} ${width} x ${height}`)"""
"""Whatever is too small for a finger, but for the signs of paragraphs, which stand in sentences."""

PHONE, WALL = {"width": 390, "height": 844}, {"width": 3840, "height": 2160}
DESKS = {
    "cashier": ("cal", "cashier/players/ann", "[data-wallet]"),
    "administration": ("root", "administration/people/dora", "main h2"),
    "pit": ("max", "pit", "article.tile"),
    "shoe": ("max", "pit/wu-song-1/shoe", "section[aria-busy=false] .ranks"),
    "odds": ("max", "odds/wu-song/edges", "tr[data-bet]"),
    "disputes": ("ada", "disputes", "main h1"),
}


def with_money_at_a_table(visit: Visit) -> Any:
    ann = visit("ann")
    ann.wait_for_selector("main")
    return send(ann, "ann", {"type": "BuyIn", "person": "ann", "amount": 100_00}, "wu-song-1")


@pytest.mark.parametrize("desk", DESKS)
def test_nothing_is_wider_than_a_phone_and_a_wall_enlarges_it(visit: Visit, desk: str) -> None:
    with_money_at_a_table(visit)
    name, path, ready = DESKS[desk]
    page = visit(name, path, viewport=PHONE)
    expect(page.locator(ready).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.set_viewport_size(WALL)
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == pytest.approx(
        32, abs=0.1
    )


TOUCHED = {
    "dealer": ("dora", f"dealer/{TABLE}", "[data-step]"),
    "pit": ("max", "pit", "article.tile"),
    "pit-table": ("max", f"pit/{TABLE}", "section [data-hand], .hands"),
    "lobby": ("chen", "", "main article, main li"),
    "board": ("board", f"board/{TABLE}", ".board"),
    "cashier": ("cal", "cashier/players/ann", "[data-wallet]"),
}
TABLET = {"width": 1024, "height": 768}


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
@pytest.mark.parametrize("desk", TOUCHED)
def test_a_finger_hits_every_control_of_a_desk(visit: Visit, desk: str, size: Any) -> None:
    name, path, ready = TOUCHED[desk]
    page = visit(name, path, viewport=size, has_touch=True, is_mobile=True)
    expect(page.locator(ready).first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.evaluate(TARGETS, SMALLEST) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", ["en-GB", "zh-HK"])
@pytest.mark.parametrize(
    ("name", "path", "row"),
    [
        ("cal", "cashier/floats", "tr[data-table]"),
        ("root", "administration/book", "tbody tr"),
        ("root", "administration/tables", "tr[data-table]"),
    ],
)
def test_a_table_of_a_desk_is_read_on_a_phone_without_scrolling_sideways(
    visit: Visit, name: str, path: str, row: str, language: str
) -> None:
    page = visit(name, path, viewport=PHONE, locale=language)
    expect(page.locator(row).first).to_be_visible()
    wide = "(it) => it.scrollWidth - it.clientWidth"
    assert page.locator(".table-wrap").evaluate(wide) <= 0
    assert page.get_by_role("navigation").last.evaluate(wide) <= 0, "every tab is in sight"


@pytest.mark.parametrize("viewport", [PHONE, {"width": 844, "height": 390}])
def test_the_answers_to_a_question_are_not_covered_before_one_is_chosen(visit: Visit, viewport: dict[str, int]) -> None:
    dora, tom = visit("dora"), visit("tom", "pit/baccarat-2", viewport=viewport)
    if "LoadShoe" in view(dora, "dora")["allowed"]:
        load = {"type": "LoadShoe", "shoe": "first", "decks": 8, "shuffled": True, "source": "keyboard"}
        send(dora, "dora", load)
        send(dora, "dora", {"type": "OpenBetting"})
        report = {"type": "Report", "round": 1, "fault": "unprovided", "note": "the lights went out"}
        send(dora, "dora", report)
    choices = tom.locator("[data-choice]")
    expect(choices.first).to_be_visible()
    decide = tom.locator(".decide")
    for choice in choices.all():
        choice.scroll_into_view_if_needed()
        (one, button) = (choice.bounding_box(), decide.bounding_box())
        assert button["y"] >= one["y"] + one["height"] or button["y"] + button["height"] <= one["y"]


def test_the_bars_of_the_shoe_stand_on_a_linear_axis_with_round_ticks(visit: Visit) -> None:
    page = visit("max", "pit/wu-song-1/shoe")
    expect(page.locator("section[aria-busy=false] .ranks")).to_be_visible()
    ticks = [
        float(one) for one in page.locator("[data-tick]").evaluate_all("(all) => all.map((one) => one.dataset.tick)")
    ]
    steps = {round(after - before, 6) for before, after in itertools.pairwise(ticks)}
    assert 0 in ticks
    assert len(steps) == 1
    assert str(steps.pop()).strip("0.")[0] in "125"
    scale = page.locator(".scale").bounding_box()
    shares = [
        (one["x"] + one["width"] / 2 - scale["x"]) / scale["width"]
        for one in (page.locator("[data-tick]").nth(place).bounding_box() for place in range(len(ticks)))
    ]
    apart = [after - before for before, after in itertools.pairwise(shares)]
    assert max(apart) - min(apart) < 0.01, "equal steps look equal"
