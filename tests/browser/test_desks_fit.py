"""The desks on every device: nothing is wider than a phone, and a 4K screen enlarges them."""

import itertools
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.floor import send

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
