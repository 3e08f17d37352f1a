"""The odds desk shows exact figures, tries what is changed, explains what is refused, and simulates beside tables."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from puntobanco.rules import library
from tests.browser.conftest import Visit
from tests.browser.house import Served

FIRST = 240_000
"""The first answer waits for the kernels, at the lowest priority of a busy machine."""


@pytest.fixture
def services(visit: Visit) -> Any:
    def opened(path: str = "commission/edges", **settings: Any) -> Any:
        page = visit("max", f"odds/{path}", **settings)
        page.set_default_timeout(60_000)
        expect(page.locator("[data-working=false]")).to_be_attached(timeout=FIRST)
        return page

    return opened


def edge(page: Any, bet: str) -> Any:
    return page.locator(f"[data-bet={bet}] .edge")


def test_the_edges_are_exact(services: Any) -> None:
    page = services("wu-song/edges")
    expect(page.locator("[data-bet=tie] .exact")).to_have_text("1257720143858/19524993263685", timeout=FIRST)
    page.get_by_role("combobox", name="Game").select_option("commission")
    expect(edge(page, "banker")).to_contain_text("1.0579 %")
    expect(page.locator("[data-bar]")).to_have_count(5)
    shown = [float(text.split("%")[0].split("\n")[-1]) for text in page.locator(".bars .value").all_inner_texts()]
    assert shown == sorted(shown)
    assert len(shown) == 5


def test_decks_and_a_written_shoe_change_the_figures(services: Any) -> None:
    page = services()
    before = page.locator("[data-bet=banker] .exact").inner_text()
    page.get_by_label("Decks", exact=True).fill("6")
    expect(page.locator("[data-bet=banker] .exact")).not_to_have_text(before)
    page.get_by_label("A shoe").check()
    page.get_by_label("Cards of each rank").fill("A=4,2=4,9=20")
    expect(page.locator("aside")).to_contain_text("28 cards")
    expect(page.locator("td.good").first).to_contain_text("Favours the player")
    page.get_by_role("button", name="One 9 more").click()
    expect(page.get_by_label("Cards of each rank")).to_have_value(re.compile("9=21"))
    page.get_by_label("Cards of each rank").fill("A=4,A=5")
    expect(page.get_by_role("alert")).to_have_attribute("data-reason", "rank_twice")


def test_removal_effects_and_insurance_cells_are_shown(services: Any) -> None:
    page = services("insurance/removal")
    expect(page.locator("[data-bet=tie] td")).to_have_count(13)
    page.get_by_role("tab", name="Insurance").click()
    expect(page.locator("[data-cell='four banker 0 5']")).to_contain_text("2:1")
    page.get_by_role("tab", name="Insurance").press("ArrowRight")
    expect(page.get_by_role("tab", name="Pay lines")).to_have_attribute("aria-selected", "true")
    page.get_by_role("combobox", name="Game").select_option("commission")
    page.get_by_role("tab", name="Insurance").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("no insurance")


def test_a_changed_pay_line_changes_the_edge_at_once_and_can_be_taken_back(services: Any) -> None:
    page = services("commission/lines")
    shown = page.locator("[data-edge=tie]")
    expect(shown).to_contain_text("14.3596 %")
    page.locator("[data-line='tie 1'] input").fill("9:1")
    expect(shown).to_contain_text("4.8440 %")
    expect(shown).to_contain_text("was 14.3596 %")
    page.locator("[data-line='tie 1'] input").fill("nine")
    refusal = page.get_by_role("alert")
    expect(refusal.locator("[data-why=field]")).to_have_text("pays")
    expect(refusal.locator("[data-why=place]")).to_have_text("bet tie, line 1")
    expect(refusal.locator("[data-why=expected]")).to_contain_text("expected odds such as")
    page.get_by_role("button", name="As in the rules").click()
    expect(shown).to_have_text(re.compile(r"^\s*14\.3596 %\s*$"))
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_pasted_file_is_priced_and_a_broken_one_is_explained(services: Any) -> None:
    page = services("commission/file")
    page.get_by_role("button", name="Begin with").click()
    area = page.get_by_label("Game file (TOML)")
    expect(area).to_have_value(library.source("commission"))
    expect(page.locator(".fine")).to_be_visible()
    area.fill(library.source("super-six"))
    expect(page.locator("aside")).to_contain_text("Super Six")
    expect(page.locator("tr[data-bet=super_six]")).to_be_visible()
    area.fill(library.source("commission").replace("[tie]", "[tie"))
    expect(page.get_by_role("alert")).to_have_attribute("data-reason", "file_malformed")
    expect(page.locator(".line code")).to_have_text("[tie")
    area.fill(library.source("commission").replace('winner = "tie" }', 'winner = "nobody" }'))
    expect(page.locator("[data-why=known]")).to_contain_text("banker")
    page.get_by_role("button", name="Back to the house's game").click()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_figures_are_taken_away_as_files(services: Any) -> None:
    page = services()
    with page.expect_download() as given:
        page.get_by_role("button", name="Export CSV").click()
    rows = given.value.path().read_text(encoding="utf-8").splitlines()
    assert len(rows) == 6
    assert rows[0].startswith("game,layout,shoe,bet,house_edge,")
    with page.expect_download() as given:
        page.get_by_role("button", name="Export JSON").click()
    assert json.loads(given.value.path().read_text(encoding="utf-8"))["figures"]["game"] == "commission"


def test_a_simulation_runs_converges_and_stops_while_the_tables_keep_dealing(
    services: Any, visit: Visit, house: Served
) -> None:
    page = services("commission/simulation")
    board = visit("board", "board/super-six-1")
    expect(board.locator(".board")).to_have_attribute("data-phase", re.compile("."))
    page.get_by_label("Rounds").select_option("20,000,000,000")
    page.get_by_role("button", name="Start").click()
    run = page.locator("[data-simulation=running]")
    expect(run.locator("tr[data-simulated=banker]")).to_contain_text("1.0579 %", timeout=FIRST)
    expect(run.locator("svg[data-points]")).to_have_attribute("data-points", re.compile(r"^(9|\d\d+)$"), timeout=FIRST)
    for _ in range(2):
        number = house.bring("super-six-1", "settled") + 1
        assert house.bring("super-six-1", "betting") == number
        expect(board.locator(".board")).to_have_attribute("data-round", str(number))
    expect(run).to_be_attached()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("[data-simulation=stopped]")).to_be_attached()
    expect(page.locator(".state")).to_contain_text("what was played so far stands")
    page.get_by_role("button", name="Banker", exact=True).click()
    expect(page.locator("tr[data-simulated=banker].chosen")).to_be_attached()


def test_a_player_sees_edges_and_may_not_simulate(visit: Visit) -> None:
    page = visit("ann", "odds/commission/simulation")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("alert").first).to_be_visible()


def test_it_works_on_a_phone_and_in_chinese(services: Any) -> None:
    page = services("wu-song/edges", viewport={"width": 390, "height": 844}, locale="zh-CN")
    expect(page.get_by_role("heading", level=1)).to_have_text("赔率台")
    expect(page.locator("[data-bet=tie] th")).to_have_text("和")
    for tab in page.get_by_role("tab").all():
        tab.click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_commission_changed_alone_changes_the_edge_and_a_wrong_one_is_marked(services: Any) -> None:
    page = services("commission/lines")
    shown, rate = page.locator("[data-edge=banker]"), page.get_by_label("Banker, line 1: commission")
    expect(shown).to_contain_text("1.0579 %")
    rate.fill("4%")
    expect(shown).to_contain_text("0.5993 %")
    expect(shown).to_contain_text("was 1.0579 %")
    rate.fill("four")
    expect(rate).to_have_attribute("aria-invalid", "true")
    expect(rate).to_have_accessible_description(re.compile("expected"))
    expect(shown).to_contain_text("no price")
    expect(page.locator("[aria-invalid=true]")).to_have_count(1)
    rate.fill("5%")
    expect(shown).to_have_text(re.compile(r"^\s*1\.0579 %\s*$"))
    expect(page.locator("[aria-invalid=true]")).to_have_count(0)


def test_the_bars_stand_on_a_linear_axis_with_round_labels(services: Any) -> None:
    page = services("commission/edges")
    labels = page.locator(".scale span")
    expect(labels.first).to_have_text("0 %")
    assert labels.all_inner_texts() == ["0 %", "5 %", "10 %"]
    places = [label.evaluate("(one) => parseFloat(one.style.insetInlineStart)") for label in labels.all()]
    assert abs(places[2] - 2 * places[1]) < 0.01
