"""Contact sheets, to be looked at: every screen on every device, in both themes and all languages. The pictures are in
build/sheets/<screen>/, and build/sheets/<screen>.jpg has them all side by side.

python -m tests.browser.sheets [SCREEN ...]
"""

import sys
import tempfile
from base64 import b64encode
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from puntobanco.rules.library import LANGUAGES
from tests.browser.chromium import chromium
from tests.browser.conftest import FLAGS
from tests.browser.floor import TABLE, send
from tests.browser.house import Served
from tests.browser.pictures import dealt, opened
from tests.browser.seat import Seat

FOLDER = Path("build/sheets")
DEVICES = {
    "desktop": (1440, 900), "tablet": (1024, 768), "phone": (390, 844), "phone-on-its-side": (844, 390),
    "cabinet": (1080, 1920), "4k": (3840, 2160),
}  # fmt: skip
THEMES = ("felt", "desk")
SCREENS = {
    "sign-in": ("", "", "form"),
    "lobby": ("chen", "", "main article, main li"),
    "terminal": ("ann", "table/wu-song-1", ".felt .zone"),
    "terminal-electronic": ("ann", "table/electronic-1", ".felt .zone"),
    "terminal-insurance": ("bao", "table/insurance-1", ".felt .zone"),
    "dealer": ("dora", f"dealer/{TABLE}", "main .next"),
    "pit": ("max", "pit", "article.tile"),
    "pit-table": ("max", "pit/wu-song-1", "main"),
    "pit-decision": ("tom", f"pit/{TABLE}", "main"),
    "board": ("board", "board/wu-song-1", ".board"),
    "board-tables": ("board", "board", "main, .board"),
    "odds": ("max", "odds/wu-song/edges", "tr[data-bet]"),
    "odds-lines": ("max", "odds/commission/lines", "tr[data-line]"),
    "cashier": ("cal", "cashier/players/ann", "main h2"),
    "cashier-floats": ("cal", "cashier/floats", "main table"),
    "administration": ("root", "administration/people/dora", "main h2"),
    "administration-book": ("root", "administration/book", "tbody tr"),
    "disputes": ("ada", "disputes/wu-song-1/1", "[data-step]"),
}
"""Who looks at which path, and what is there once the screen is ready."""
KEPT = """([theme, language]) => {
  localStorage.setItem("puntobanco.theme", theme)
  localStorage.setItem("puntobanco.language", language)
}"""
PAGE = """<!doctype html><meta charset="utf-8"><style>
body{{margin:12px;background:#808080;font:14px sans-serif;display:grid;gap:8px;width:max-content}}
section{{display:grid;grid-template-columns:repeat({columns},auto);gap:8px;justify-content:start;align-items:start}}
figure{{margin:0;background:#fff}}figcaption{{padding:2px 6px}}img{{display:block}}</style><h1>{name}</h1>{rows}"""


def main() -> None:
    wanted = sys.argv[1:] or list(SCREENS)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium() or None, args=FLAGS)
        house = Served(Path(place)).open()
        try:
            furnish(browser, house)
            for name in wanted:
                taken = pictures(browser, house, name)
                sheet(browser, name, taken)
        finally:
            house.kill()
        browser.close()


def furnish(browser: Any, house: Served) -> None:
    """Results on the roads, bets on the felt, and a decision that waits at the dealer's table."""
    for _ in range(12):
        house.bring("wu-song-1", "settled")
        house.bring("wu-song-1", "betting")
    for table, bets in (("wu-song-1", ("player", "tie", "wu_song")), ("electronic-1", ("banker", "player_pair"))):
        house.bring(table, "betting")
        seat = Seat(opened(browser, house, "ann", f"table/{table}"))
        seat.buy_in()
        seat.bet(*bets)
        seat.page.context.close()
    dora, sue, bao = (opened(browser, house, name) for name in ("dora", "sue", "bao"))
    number = dealt(dora, sue, bao)
    report = {"type": "Report", "round": number, "fault": "unprovided", "note": "the lights went out"}
    assert "refusal" not in send(dora, "dora", report)
    for one in (dora, sue, bao):
        one.context.close()


def pictures(browser: Any, house: Served, name: str) -> dict[tuple[str, str, str], Path]:
    person, path, ready = SCREENS[name]
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    page, found = opened(browser, house, person, path, reduced_motion="reduce"), {}
    page.locator(ready).first.wait_for(timeout=60_000)  # signed in: the ticket in the address is used once
    for theme in THEMES:
        for language in LANGUAGES:
            page.evaluate(KEPT, [theme, language])
            page.reload()
            page.locator(ready).first.wait_for(timeout=60_000)
            page.wait_for_load_state("networkidle")
            for device, (width, height) in DEVICES.items():
                page.set_viewport_size({"width": width, "height": height})
                page.wait_for_timeout(150)  # whatever moves comes to rest
                found[device, theme, language] = folder / f"{device}-{theme}-{language}.jpg"
                page.screenshot(path=found[device, theme, language], quality=70, type="jpeg")
    page.context.close()
    return found


def sheet(browser: Any, name: str, taken: dict[tuple[str, str, str], Path]) -> None:
    """A row for each device, in its own proportions."""
    rows = []
    for device, (width, height) in DEVICES.items():
        shown = min(420, 640 * width // height)
        pictured = "".join(
            f"<figure><img width={shown} src='data:image/jpeg;base64,{b64encode(path.read_bytes()).decode()}'>"
            f"<figcaption>{device} {theme} {language}</figcaption></figure>"
            for (at, theme, language), path in taken.items()
            if at == device
        )
        rows.append(f"<section>{pictured}</section>")
    page = browser.new_page()
    page.set_content(PAGE.format(name=name, rows="".join(rows), columns=len(THEMES) * len(LANGUAGES)))
    path = FOLDER / f"{name}.jpg"
    page.set_viewport_size({"width": page.evaluate("document.body.scrollWidth + 24"), "height": 800})
    page.screenshot(path=path, full_page=True, type="jpeg", quality=80)
    print(f"{path} {path.stat().st_size / 1_000:.0f} kB, {len(taken)} pictures", flush=True)
    page.close()


if __name__ == "__main__":
    main()
