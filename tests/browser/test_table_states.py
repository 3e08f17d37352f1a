"""The state of a table can be told by its word and by its shape alone, and charts have round, labelled axes."""

import re
from itertools import combinations

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.floor import TABLE, send, view

HOUSE = {"by_hand": True, "attended": True}
STATES = ["betting", "dealing", "between", "decision", "suspended", "stopped", "closing", "closed"]
DRAWN = """(path) => {
  const canvas = document.createElement("canvas")
  canvas.width = canvas.height = 24
  const pen = canvas.getContext("2d")
  pen.fill(new Path2D(path), "evenodd")
  const inks = [...pen.getImageData(0, 0, 24, 24).data].filter((_, place) => place % 4 === 3)
  return inks.map((ink) => (ink > 127 ? 1 : 0))
}"""
"""A shape in one ink, pixel by pixel."""
LEAST = 0.12
"""The share of all pixels in which any two shapes must differ."""


def test_any_two_states_differ_in_word_and_shape_without_colour(visit: Visit) -> None:
    for locale in ("en-GB", "zh-CN"):
        page = visit("sue", "pit", locale=locale)
        marks = page.locator(".states [data-state]")
        expect(marks).to_have_count(len(STATES))
        assert [mark.get_attribute("data-state") for mark in marks.all()] == STATES
        words = [mark.inner_text().strip() for mark in marks.all()]
        assert len(set(words)) == len(STATES)
    drawn = {
        mark.get_attribute("data-state"): page.evaluate(DRAWN, mark.locator("path").get_attribute("d"))
        for mark in marks.all()
    }
    for one, other in combinations(STATES, 2):
        differ = sum(a != b for a, b in zip(drawn[one], drawn[other], strict=True)) / len(drawn[one])
        assert differ > LEAST, (one, other, differ)


def test_a_tile_says_its_state_and_a_notice_of_closing(visit: Visit) -> None:
    page, dealer = visit("max", "pit"), visit("dora", f"dealer/{TABLE}")
    tile = page.get_by_role("article", name=TABLE)
    expect(tile.locator("[data-state]")).to_have_attribute("data-state", "between")
    if "LoadShoe" in view(dealer, "dora")["allowed"]:
        load = {"type": "LoadShoe", "shoe": "first", "decks": 8, "shuffled": True, "source": "keyboard"}
        send(dealer, "dora", load)
    send(dealer, "dora", {"type": "OpenBetting"})
    expect(tile.locator("[data-state=betting]")).to_have_text("Betting")
    send(page, "max", {"type": "AnnounceClosing", "reason": "few guests tonight"})
    expect(tile.locator("[data-state=closing]")).to_have_text("Closing soon")
    expect(tile).to_contain_text("Closing announced: few guests tonight.")
    send(dealer, "dora", {"type": "Report", "round": view(dealer, "dora")["round"], "fault": "technical"})
    expect(tile.locator("[data-state]")).to_have_attribute("data-state", re.compile("decision|suspended"))
