"""The one rank with two digits, on the cards of the board and of the felt."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.house import Served

HOUSE = {"stack": "K 10 5 2 Q 4", "card": 1, "result": 1}

TENS = """() => [...document.querySelectorAll("svg text")].filter((one) => one.textContent === "10").map((one) => {
  const [first, second] = [one.getExtentOfChar(0), one.getExtentOfChar(1)]
  return {apart: second.x - first.x - first.width, from: first.x, to: second.x + second.width}
})"""


@pytest.mark.parametrize("path", ["board", "table"])
def test_the_digits_of_a_ten_stand_apart_on_the_card_in_any_font(visit: Visit, house: Served, path: str) -> None:
    house.bring("baccarat-1", "settled")
    page = visit("ann", f"{path}/baccarat-1")
    expect(page.locator("svg[aria-label^='10'], [aria-label^='10'] svg").first).to_be_visible()
    tens = page.evaluate(TENS)
    assert tens
    for ten in tens:
        assert ten["apart"] > -2, "one digit lies over the other"
        assert ten["from"] >= 0
        assert ten["to"] <= 100
