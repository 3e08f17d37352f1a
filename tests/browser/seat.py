"""A player at the terminal, as a person would use it."""

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE

expect.set_options(timeout=PATIENCE)
TRIES = 6
"""Rounds in which a bet may come too late, on a machine that is busy, before it is a fault."""


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
        """Accepted bets of one round, whose number is the answer; if betting closes over them, in the next."""
        for _ in range(TRIES):
            self.open()
            number = self.round
            self.put(*bets, chip=chip, press=press)
            if self.page.locator(".ticket .wanted").count() != len(bets):
                continue
            getattr(self.confirm, press)()
            expect(self.ticket.locator(".wanted")).to_have_count(0)
            if self.ticket.locator(".accepted").count() == len(bets) and self.round == number:
                return number
        raise AssertionError("no bet was accepted")

    def open(self) -> None:
        """Betting on a new round begins: as much time as there is."""
        expect(self.page.locator(".felt .zone")).not_to_have_count(0)
        number = self.round
        if self.terminal.get_attribute("data-phase") != "betting" or self._soon():
            expect(self.terminal).not_to_have_attribute("data-round", str(number), timeout=40_000)
        self.phase("betting")

    def _soon(self) -> bool:
        left = self.page.locator("[role=timer]")
        return not left.count() or int(left.inner_text() or 0) < 2

    def settled(self, bet: str) -> Any:
        return self.ticket.locator("li", has_text=re.compile(bet))
