"""The screens in a real browser on loopback: how soon a terminal can be used, how smoothly cards move, what it keeps.

python -m benchmarks.screens [ROUNDS]
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from tests.browser.chromium import chromium
from tests.browser.conftest import DESKTOP, FLAGS
from tests.browser.house import SLOTS, Served

TABLE = "wu-song-1"
INTERACTIVE, LONG_TASK, FIRST_LOAD = 1_500, 50, 200
"""Milliseconds, milliseconds, kilobytes."""
GROWTH = 1.1
"""Memory after all rounds against memory after half of them: more than so much is not flat."""
ROUNDS = 200
TRIES = 5
FAST = {"card": 15, "result": 40, "between": 40, "betting": 120, "insurance": 100}
WATCH = """() => {
  window.longest = 0
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) window.longest = Math.max(window.longest, one.duration)
  }).observe({type: "longtask"})
}"""

BUSY = "setTimeout(() => { const end = performance.now() + 80; while (performance.now() < end); })"


def main(rounds: int = ROUNDS) -> None:
    path = chromium()
    if path is None:
        print("there is no Chromium: the screens are not measured")
        return
    with tempfile.TemporaryDirectory() as place, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path or None, args=FLAGS)
        usual = opened(Path(place) / "usual", card=700, betting=1_500, between=250, insurance=1_500)
        first_load(browser, usual)
        motion(browser, usual)
        usual.kill()
        fast = opened(Path(place) / "fast", **FAST)
        memory(browser, fast, rounds)
        fast.kill()
        browser.close()


def opened(place: Path, **pace: int) -> Served:
    place.mkdir()
    return Served(place, stack="", face_down=False, attended=False, by_hand=False, confirms="", **pace).open()


def told(what: str, figure: float, unit: str, limit: float) -> None:
    print(f"{what:<44} {figure:>9,.1f} {unit:<3} limit {limit:>8,.1f}  ratio {figure / limit:.2f}")


def seated(browser: Any, house: Served) -> Any:
    """Somebody who is signed in, in a browser with nothing in its cache."""
    page = browser.new_context(viewport=DESKTOP).new_page()
    page.goto(house.link("ann"))
    page.wait_for_selector("header.bar")
    page.goto("about:blank")
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.clearBrowserCache")
    return page


def first_load(browser: Any, house: Served) -> None:
    """From following the link until a chip can be put down, and what came over the wire for it."""
    times, sizes = [], []
    for _ in range(TRIES):
        page = seated(browser, house)
        line = page.context.new_cdp_session(page)
        line.send("Network.enable")
        size: list[float] = []
        line.on("Network.loadingFinished", lambda one, size=size: size.append(one["encodedDataLength"]))
        page.goto(f"{house.url}/u/{SLOTS['ann']}/table/{TABLE}", wait_until="commit")
        page.wait_for_selector(".felt .zone")
        times.append(page.evaluate("performance.now()"))
        page.wait_for_load_state("networkidle")
        sizes.append(sum(size) / 1_000)
        page.context.close()
    told("terminal interactive, median", sorted(times)[TRIES // 2], "ms", INTERACTIVE)
    told("first load of the terminal, compressed", max(sizes), "kB", FIRST_LOAD)


def motion(browser: Any, house: Served) -> None:
    """The longest task of the page while three rounds are dealt."""
    page = seated(browser, house)
    page.goto(f"{house.url}/u/{SLOTS['ann']}/table/{TABLE}")
    page.wait_for_selector(".felt .zone")
    page.wait_for_selector(".terminal[data-phase=betting]")
    page.evaluate(WATCH)
    page.evaluate(BUSY)
    page.wait_for_function("() => window.longest > 0")  # it does see one
    page.evaluate("window.longest = 0")
    after(page, 3)
    told("longest task while cards move", page.evaluate("window.longest"), "ms", LONG_TASK)
    page.context.close()


def memory(browser: Any, house: Served, rounds: int) -> None:
    page = seated(browser, house)
    page.goto(f"{house.url}/u/{SLOTS['ann']}/table/{TABLE}")
    page.wait_for_selector(".felt .zone")
    line = page.context.new_cdp_session(page)
    after(page, rounds // 2)
    before = heap(line)
    after(page, rounds - rounds // 2)
    now = heap(line)
    told(f"JavaScript heap after {rounds // 2} rounds", before, "MB", before)
    told(f"JavaScript heap after {rounds} rounds", now, "MB", before * GROWTH)
    page.context.close()


def after(page: Any, rounds: int) -> None:
    number = int(page.locator(".terminal").get_attribute("data-round"))
    page.wait_for_function(
        "(least) => Number(document.querySelector('.terminal').dataset.round) >= least",
        arg=number + rounds,
        timeout=600_000,
    )


def heap(line: Any) -> float:
    for _ in range(3):
        line.send("HeapProfiler.collectGarbage")
    return float(line.send("Runtime.getHeapUsage")["usedSize"]) / 1_000_000


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
