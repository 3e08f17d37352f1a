"""Three languages in a real browser, on a machine that may have no Chinese font of its own."""

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import Visit

TABLE = "electronic-1"
FETCHED = (
    "() => performance.getEntriesByType('resource').map((one) => one.name).filter((name) => name.endsWith('woff2'))"
)
MISSING = """async () => {
  await document.fonts.ready
  const shown = [...new Set(document.body.innerText.match(/[\\u2e80-\\u9fff\\uff00-\\uffef]/g))]
  const canvas = document.createElement("canvas")
  canvas.width = canvas.height = 40
  const brush = canvas.getContext("2d", { willReadFrequently: true })
  const drawn = (text) => {
    brush.clearRect(0, 0, 40, 40)
    brush.font = `30px ${getComputedStyle(document.body).fontFamily}`
    brush.fillText(text, 2, 32)
    return brush.getImageData(0, 0, 40, 40).data.join()
  }
  const empty = new Set(["\\ufdd0", "\\u{1fffe}", "\\u{e0fff}"].map(drawn))
  const boxes = shown.filter((one) => empty.has(drawn(one)) && one !== "\\u3000")
  return { shown: shown.length, boxes, loaded: document.fonts.check("16px puntobanco", shown.join("")) }
}"""
"""Characters on the page that look like a character no font has."""


def drawn_with(page: Any, control: Any) -> list[str]:
    """The fonts that the browser has drawn a control with."""
    control.evaluate("(one) => one.setAttribute('data-drawn', '')")
    tools = page.context.new_cdp_session(page)
    tools.send("DOM.enable")
    tools.send("CSS.enable")
    root = tools.send("DOM.getDocument")["root"]["nodeId"]
    found = tools.send("DOM.querySelector", {"nodeId": root, "selector": "[data-drawn]"})["nodeId"]
    control.evaluate("(one) => one.removeAttribute('data-drawn')")
    return [one["familyName"] for one in tools.send("CSS.getPlatformFontsForNode", {"nodeId": found})["fonts"]]


def no_box(page: Any) -> None:
    found = page.evaluate(MISSING)
    assert found["shown"] > 20
    assert found["boxes"] == []
    assert found["loaded"]


def test_the_signs_of_the_switch_are_drawn_for_readers_of_english(visit: Visit) -> None:
    page = visit("cal")
    simplified, traditional = (page.get_by_role("button", name=name) for name in ("简体中文", "繁體中文"))
    expect(traditional).to_be_visible()
    page.evaluate("() => document.fonts.ready.then(() => true)")
    page.wait_for_timeout(1_000)
    if page.evaluate("() => document.fonts.check('16px puntobanco', '简繁')"):  # this machine has no Chinese font
        for sign in (simplified, traditional):
            assert drawn_with(page, sign) == ["Noto Sans SC"]


def test_a_terminal_is_switched_to_traditional_and_back(visit: Visit) -> None:
    page = visit("ann", f"table/{TABLE}")
    expect(page.locator(".felt .zone")).not_to_have_count(0)
    top = page.locator(".top")
    expect(top.get_by_role("button", name=re.compile("^(EN|简|繁), "))).to_have_text(["EN", "简", "繁"])
    top.get_by_role("button", name="繁體中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    expect(page.get_by_role("heading", level=1)).to_contain_text("百家樂")
    expect(page.locator(".phase")).to_have_text(re.compile("下注|發牌|結|閒|等待"))
    expect(page.locator("section.felt")).to_contain_text("莊")
    expect(page.get_by_role("button", name="叫監場")).to_be_visible()
    no_box(page)
    page.reload()
    expect(page.get_by_role("button", name="叫監場")).to_be_visible()
    top.get_by_role("button", name="简体中文").click()
    expect(page.get_by_role("button", name="叫监场")).to_be_visible()
    expect(page.locator("section.felt")).to_contain_text("庄")
    no_box(page)


def test_the_house_answers_in_traditional_characters(visit: Visit) -> None:
    page = visit("ann", "", locale="zh-HK")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    expect(page.get_by_role("heading", name="牌桌").first).to_be_visible()
    said = page.evaluate(
        "() => fetch('/u/0/api/tables/none', {headers: {'accept-language': 'zh-Hant'}}).then((one) => one.text())"
    )
    assert re.search("[請沒登無會]", said), said
    no_box(page)


def test_a_board_shows_the_title_in_the_script_of_its_readers(visit: Visit) -> None:
    page = visit("board", f"board/{TABLE}")
    page.get_by_role("button", name="繁體中文").click()
    expect(page.locator("p.title[lang=zh-Hant]")).to_contain_text("百家樂")
    expect(page.locator("footer")).to_contain_text("僅供參考")
    no_box(page)


def test_readers_of_english_do_not_fetch_the_large_font(visit: Visit) -> None:
    page = visit("ann", f"table/{TABLE}")
    expect(page.locator(".felt .zone")).not_to_have_count(0)
    page.evaluate("() => document.fonts.ready.then(() => true)")
    assert not [one for one in page.evaluate(FETCHED) if "/han-" in one]
    page.locator(".top").get_by_role("button", name="繁體中文").click()
    no_box(page)
