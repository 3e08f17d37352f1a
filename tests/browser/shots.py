"""Pictures of every screen, to be looked at: three for the README in docs/screens, the others in build/screens.

python -m tests.browser.shots
"""

import re
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import expect, sync_playwright

from tests.browser.chromium import chromium
from tests.browser.conftest import FLAGS
from tests.browser.floor import TABLE
from tests.browser.house import Served
from tests.browser.pictures import dealt, opened
from tests.browser.seat import Seat

SHOWN = Path("docs/screens")
OTHERS = Path("build/screens")
DESKTOP, PHONE, WALL = (1440, 900), (390, 844), (1920, 1080)
SCREENS = {
    "lobby": ("chen", "", DESKTOP, "main"),
    "lobby-phone": ("chen", "", PHONE, "main"),
    "terminal-phone": ("chen", "table/electronic-1", PHONE, ".felt .zone"),
    "terminal-chinese": ("chen", "table/super-six-1", DESKTOP, ".felt .zone"),
    "pit": ("max", "pit", DESKTOP, "article.tile"),
    "pit-table": ("max", "pit/wu-song-1", DESKTOP, "main"),
    "odds": ("max", "odds/wu-song/edges", DESKTOP, "tr[data-bet]"),
    "cashier": ("cal", "cashier", DESKTOP, "main h1"),
    "administration": ("root", "administration", DESKTOP, "main h1"),
    "disputes": ("ada", "disputes", DESKTOP, "main h1"),
    "board-4k": ("board", "board/wu-song-1", (3840, 2160), ".board"),
}


def main() -> None:
    path = chromium()
    for folder in (SHOWN, OTHERS):
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path or None, args=FLAGS)
        house = Served(Path(place), card=250, betting=4_000, result=800, between=3_000, insurance=1_500).open()
        try:
            terminal(browser, house)
            dealer(browser, house)
            for name, (person, screen, size, ready) in SCREENS.items():
                locale = "zh-CN" if name.endswith("chinese") else "en-GB"
                page = opened(browser, house, person, screen, size, locale=locale)
                page.wait_for_selector(ready)
                taken(page, OTHERS / f"{name}.png")
            board = opened(browser, house, "board", "board/wu-song-1", WALL)
            board.wait_for_selector(".board[data-phase=betting]")
            expect(board.locator("[data-road=bead] [data-mark]")).to_have_count(12, timeout=240_000)
            board.wait_for_selector(".board[data-phase=settled]")
            taken(board, SHOWN / "board.png")
            signing = opened(browser, house, "")
            signing.get_by_role("button", name="Sign in").wait_for()
            taken(signing, OTHERS / "sign-in.png")
        finally:
            house.kill()
        browser.close()


def taken(page: Any, to: Path) -> None:
    page.wait_for_timeout(500)  # whatever moves comes to rest
    page.screenshot(path=to)
    print(f"{to} {to.stat().st_size / 1_000:.0f} kB")
    page.context.close()


def terminal(browser: Any, house: Served) -> None:
    seat = Seat(opened(browser, house, "ann", "table/wu-song-1", DESKTOP))
    seat.buy_in()
    house.bring("wu-song-1", "settled")
    house.bring("wu-song-1", "betting")
    seat.bet("player", "tie", "wu_song")
    seat.phase("settled")
    taken(seat.page, SHOWN / "terminal.png")


def dealer(browser: Any, house: Served) -> None:
    page = opened(browser, house, "dora", f"dealer/{TABLE}")
    pit, player = (opened(browser, house, name) for name in ("sue", "bao"))
    dealt(page, pit, player)
    expect(page.get_by_role("img", name=re.compile("5♣")).first).to_be_visible()
    taken(page, SHOWN / "dealer.png")
    for one in (pit, player):
        one.context.close()


if __name__ == "__main__":
    main()
