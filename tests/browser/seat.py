"""A player at the terminal, as a person would use it."""

import re
from typing import Any

from playwright.sync_api import expect


class Seat:
    def __init__(self, page: Any) -> None:
        self.page = page
        self.terminal = page.locator(".terminal")
        self.ticket = page.locator(".ticket")
        self.confirm = page.locator(".confirm")

    @property
    def round(self) -> int:
        return int(self.terminal.get_attribute("data-round"))

    def phase(self, *names: str) -> None:
        expect(self.terminal).to_have_attribute("data-phase", re.compile(f"^({'|'.join(names)})$"), timeout=40_000)

    def buy_in(self, amount: int = 1_000) -> None:
        self.page.locator(".start button").click()
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_label("Amount").fill(str(amount))
        dialog.get_by_role("button", name="Buy in").click()
        expect(self.page.locator(".balance")).to_contain_text(f"{amount:,}")

    def zone(self, bet: str) -> Any:
        return self.page.locator(f".zone[data-bet={bet}]")

    def put(self, *bets: str, chip: str = "Chip 100", press: str = "click") -> None:
        """Chips on the felt, before they are confirmed."""
        self.page.get_by_role("button", name=chip, exact=True).click()
        for bet in bets:
            getattr(self.zone(bet), press)()

    def bet(self, *bets: str, chip: str = "Chip 100", press: str = "click") -> int:
        """Accepted bets of the round that is open, whose number is the answer."""
        self.phase("betting")
        number = self.round
        self.put(*bets, chip=chip, press=press)
        getattr(self.confirm, press)()
        expect(self.ticket.locator(".accepted")).to_have_count(len(bets))
        expect(self.ticket.locator(".wanted")).to_have_count(0)
        assert self.round == number
        return number

    def settled(self, bet: str) -> Any:
        return self.ticket.locator("li", has_text=re.compile(bet))
