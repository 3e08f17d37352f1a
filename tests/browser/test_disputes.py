"""The dispute desk in a real browser: find the round of a player by its amount, step through it, export it."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from puntobanco.house.audit.export import check
from tests.browser.conftest import Visit
from tests.browser.house import Served

STAKE = 135_00
ASK = """async ([method, path, body]) => {
  const base = location.pathname.match(/^\\/u\\/\\d+/)[0] + "/api"
  const headers = { "x-puntobanco": "1", "content-type": "application/json" }
  const answer = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) })
  return [answer.status, await answer.json()]
}"""


def _ask(page: Any, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    status, answer = page.evaluate(ASK, [method, path, body])
    return status, answer


def _command(page: Any, request: str, command: dict[str, Any]) -> int:
    body = {"request": request, "command": command}
    return _ask(page, "POST", "/tables/baccarat-1/commands", body)[0]


@pytest.fixture(scope="module")
def disputed() -> list[int]:
    return []


@pytest.fixture
def round_of_ann(visit: Visit, house: Served, disputed: list[int]) -> int:
    """A round in which Ann staked an amount nobody else did, once for all tests here."""
    if disputed:
        return disputed[0]
    page = visit("ann")
    page.locator("header.bar").wait_for()
    assert _command(page, "buy", {"type": "BuyIn", "person": "ann", "amount": 1_000_00}) < 300
    lines = [{"bet": "player", "amount": STAKE, "box": 1}]
    number = house.bring("baccarat-1", "betting")
    assert _command(page, "bet", {"type": "PlaceBets", "round": number, "lines": lines}) < 300
    house.bring("baccarat-1", "settled")
    house.bring("baccarat-1", "betting")
    disputed.append(number)
    return number


def test_a_round_is_found_by_player_and_amount_stepped_through_and_exported(
    visit: Visit, round_of_ann: int, tmp_path: Path
) -> None:
    page = visit("ada", "disputes")
    page.get_by_label("Player", exact=True).fill("ann")
    page.get_by_label("Amount from").fill("135")
    page.get_by_label("to", exact=True).fill("135")
    page.get_by_role("button", name="Find", exact=True).click()
    found = page.locator("aside ul a")
    found.first.get_by_text("ann: 135 on Player").wait_for()
    found.first.click()
    page.get_by_role("heading", name=f"baccarat-1 Round {round_of_ann}").wait_for()

    page.locator("[data-step='1']").wait_for()
    page.keyboard.press("ArrowRight")
    page.locator("[data-step='2']").wait_for()
    page.get_by_role("button", name=re.compile("Bets: Ann has 135")).click()
    page.get_by_text("Stake: Purse of ann at baccarat-1").first.wait_for()
    expect(page.locator(".paragraph").first).to_have_text(re.compile("^Paragraph"))
    page.keyboard.press("End")
    page.locator(".line").get_by_text(re.compile(f"Round {round_of_ann} is settled")).wait_for()
    expect(page.locator(".felt .card").nth(3)).to_be_attached()
    page.keyboard.press("Home")
    page.locator("[data-step='1']").wait_for()
    page.locator("[data-sound='true']").wait_for()

    with page.expect_download() as download:
        page.get_by_role("button", name="Export as a file").click()
    file = tmp_path / "round.json"
    download.value.save_as(file)
    content = file.read_bytes()
    seal = page.locator("[data-seal]").inner_text()
    assert check(content, seal).wrong == ()
    assert check(content.replace(b'"table": "baccarat-1"', b'"table": "baccarat-2"')).wrong


@pytest.mark.usefixtures("round_of_ann")
def test_a_record_that_was_tampered_with_on_the_way_is_marked(visit: Visit) -> None:
    page = visit("ada")
    page.locator("header.bar").wait_for()

    def tampered(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("13500", "23500"))

    page.route("**/export", tampered)
    page.get_by_role("link", name="Dispute desk").click()
    page.get_by_label("Amount from").fill("135")
    page.get_by_label("to", exact=True).fill("135")
    page.get_by_role("button", name="Find", exact=True).click()
    page.locator("aside ul a", has_text="ann: 135 on Player").click()
    page.locator("[data-sound='false']").wait_for()


def test_every_card_of_the_shoe_is_proven_in_the_browser(visit: Visit, round_of_ann: int) -> None:
    page = visit("sue", f"disputes/baccarat-1/{round_of_ann}")
    page.get_by_role("link", name="Check the shoe").click()
    page.get_by_text("Every card shown was where the commitment says.").wait_for()
    shown = page.locator("ul.cards li")
    expect(shown.nth(3)).to_be_attached()
    expect(page.locator("[data-proven]")).to_have_attribute("data-proven", str(shown.count()))


def test_the_desk_speaks_chinese_and_prints(visit: Visit, round_of_ann: int) -> None:
    page = visit("ada", f"disputes/baccarat-1/{round_of_ann}", viewport={"width": 390, "height": 844}, locale="zh-CN")
    page.get_by_text("经过").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.emulate_media(media="print")
    expect(page.locator("article.printed")).to_be_visible()
    expect(page.locator("header.bar")).to_be_hidden()
