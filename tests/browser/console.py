"""A dealer at the console of one table, who deals what the test wants, by keyboard."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.floor import send, view


class Console:
    def __init__(self, page: Any, table: str) -> None:
        self.page, self.table = page, table
        self.next = page.locator("[data-step]")

    @property
    def state(self) -> Any:
        return view(self.page, "dora", self.table)

    def step(self, kind: str) -> None:
        """Wait until this is the next step, and the console takes it."""
        self.page.wait_for_selector(f'[data-step="{kind}"][data-ready="true"]')

    def enter(self, kind: str, then: str) -> None:
        """Take that step, once its time has come."""
        self.step(kind)
        expect(self.page.locator("button.step")).to_be_enabled()
        self.page.keyboard.press("Enter")
        self.step(then)

    def open(self) -> int:
        """Betting on a new round, with cards in the shoe."""
        if "LoadShoe" in self.state["allowed"]:
            load = {"type": "LoadShoe", "shoe": f"{self.table} set-1", "decks": 8, "shuffled": True}
            send(self.page, "dora", load | {"source": "keyboard"}, self.table)
        self.enter("open", "close")
        return int(self.state["round"])

    def deal(self, cards: str, then: str) -> None:
        """Those cards, one after the other, from the next that is due."""
        for many, text in enumerate(cards.split(), start=len(self.state["cards"]) + 1):
            self.step("draw")
            self.page.keyboard.type(text)
            self.page.keyboard.press("Enter")
            expect(self.page.locator(".hands .card")).to_have_count(many)
        self.step(then)

    def draw(self, many: int) -> None:
        """The next card, face down; so many lie there then."""
        self.step("draw_down")
        self.page.keyboard.press("Enter")
        expect(self.page.locator(".hands .card")).to_have_count(many)

    def turn(self, text: str) -> None:
        """The face of the card that is turned over."""
        self.step("expose")
        hidden = self.page.locator(".hands .card.down")
        many = hidden.count()
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")
        expect(hidden).to_have_count(many - 1)

    def settle(self) -> None:
        """Settled, and every box taken and paid, to the next opening."""
        self.step("settle")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector('[data-step="confirm"], [data-step="open"]')
        for box in self.state.get("unpaid", ()):
            expect(self.page.locator("button.step")).to_contain_text(f"Box {box} ")
            self.step("confirm")
            self.page.keyboard.press("Enter")
        self.step("open")

    def paid(self) -> list[list[str]]:
        """The rows of what to take and pay."""
        rows = self.page.locator("section:has(#take-pay) tbody tr")
        return [row.split() for row in rows.all_inner_texts()]
