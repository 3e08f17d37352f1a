"""What is pictured: somebody's page, and a round at the dealer's table."""

from typing import Any

from tests.browser.floor import TABLE, card, seated, send, view
from tests.browser.house import Served


def opened(
    browser: Any, house: Served, person: str, path: str = "", size: tuple[int, int] = (1440, 900), **context: Any
) -> Any:
    """A page of that person; without one, the page that asks who it is."""
    viewport = {"width": size[0], "height": size[1]}
    page = browser.new_context(**({"viewport": viewport, "locale": "en-GB"} | context)).new_page()
    page.goto(house.link(person, path) if person else f"{house.url}/u/50/")
    return page


def dealt(dora: Any, sue: Any, bao: Any) -> int:
    """A round at the dealer's table with two bets and four cards, from these pages; its number."""
    for one in (dora, sue, bao):
        one.wait_for_selector("main")
    seated(bao, "bao", 3)
    load = {"type": "LoadShoe", "shoe": "set-1", "decks": 8, "shuffled": True, "source": "keyboard"}
    send(sue, "sue", load)
    send(dora, "dora", {"type": "OpenBetting", "acknowledge": True})
    number = int(view(dora, "dora", TABLE)["round"])
    lines = [{"bet": bet, "amount": 100_00, "box": 3} for bet in ("banker", "tie")]
    send(bao, "bao", {"type": "PlaceBets", "round": number, "lines": lines})
    send(dora, "dora", {"type": "CloseBetting", "round": number})
    for index, text in enumerate(("2S", "KH", "3D", "5C"), start=1):
        send(dora, "dora", {"type": "DrawCard", "round": number, "index": index, "card": card(text)})
    return number
