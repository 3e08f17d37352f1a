"""The house is killed while screens are open, in the middle of betting and of dealing: they recover by themselves."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.console import Console
from tests.browser.floor import card, seated, send, view
from tests.browser.house import Served
from tests.browser.seat import Seat

HOUSE = {"attended": True}
"""Nobody is hurried: what is bet on stays open through a restart, once the pit has found that it may."""
BY_HAND = "baccarat-2"


def lost(page: Any) -> None:
    expect(page.locator(".line.lost")).to_have_count(1)


def back(page: Any) -> None:
    expect(page.locator(".line.open")).to_have_count(1, timeout=40_000)


def open_by_hand(pit: Any, dealer: Any) -> None:
    load = {"type": "LoadShoe", "shoe": "set-1", "decks": 8, "shuffled": True, "source": "keyboard", "reason": "fresh"}
    send(pit, "sue", load)
    send(dealer, "dora", {"type": "OpenBetting", "acknowledge": True})


def find(page: Any, table: str) -> None:
    """The Pit Supervisor finds that the round is as it was."""
    question = view(page, "sue", table)["question"]["number"]
    rule = {"type": "Rule", "question": question, "choice": "does_not_affect", "reason": "nothing is missing"}
    send(page, "sue", rule, table)


def test_screens_recover_and_accepted_bets_are_as_they_were(visit: Visit, house: Served) -> None:
    terminal, board = visit("ann", "table/wu-song-1"), visit("board", "board/wu-song-1")
    pit, dealer, hand = visit("sue", "pit"), visit("dora", f"dealer/{BY_HAND}"), visit("bao", f"table/{BY_HAND}")
    betting = Seat(terminal)
    betting.buy_in()
    number = betting.bet("player", "tie")
    expect(board.locator(".board")).to_have_attribute("data-round", str(number))

    expect(hand.locator(".felt .zone")).not_to_have_count(0)
    seated(hand, "bao", 1)
    open_by_hand(pit, dealer)
    dealt = Seat(hand)
    dealt.phase("betting")
    dealt.put("banker")
    dealt.confirm.click()
    expect(dealt.ticket.locator(".accepted")).to_have_count(1)
    send(dealer, "dora", {"type": "CloseBetting", "round": (dealing := view(dealer, "dora")["round"])})
    for index, text in enumerate(("2S", "3S"), start=1):
        send(dealer, "dora", {"type": "DrawCard", "round": dealing, "index": index, "card": card(text)})
    expect(hand.locator(".hands .card")).to_have_count(2)

    house.kill()
    for page in (terminal, pit, dealer, hand):
        lost(page)
    expect(terminal.locator(".lost[role=alert]")).to_contain_text("The house keeps what it accepted")
    expect(betting.ticket.locator(".accepted")).to_have_count(2)
    betting.put("banker")
    betting.confirm.click()
    expect(betting.ticket.locator(".wanted")).to_contain_text("sent…")

    house.open()
    for page in (terminal, pit, dealer, hand):
        back(page)
    expect(betting.ticket.locator(".wanted")).to_have_count(0)
    expect(betting.ticket.locator(".refused")).to_have_attribute("data-reason", "not_heard_now")
    for table in ("wu-song-1", BY_HAND):
        find(pit, table)
    betting.phase("betting")
    assert betting.round == number
    expect(betting.ticket.locator(".accepted")).to_have_count(2)
    expect(terminal.locator(".balance")).to_contain_text("800")
    betting.put("banker")
    betting.confirm.click()
    expect(betting.ticket.locator(".accepted")).to_have_count(3)
    expect(board.locator(".board")).to_have_attribute("data-phase", "betting")
    expect(board.locator(".board")).to_have_attribute("data-round", str(number))
    expect(pit.get_by_role("article", name="wu-song-1")).to_contain_text("Place your bets")

    expect(dealt.ticket.locator(".accepted")).to_contain_text("100")
    expect(hand.locator(".hands .card")).to_have_count(2)
    Console(dealer, BY_HAND).deal("6H", then="draw")
    expect(hand.get_by_role("img", name="6♥")).to_be_visible()
    send(dealer, "dora", {"type": "DrawCard", "round": dealing, "index": 4, "card": card("4H")})
    send(dealer, "dora", {"type": "Settle", "round": dealing})
    expect(dealt.ticket.locator(".net")).to_have_text("You lost 100")
    assert view(dealer, "dora")["round"] == dealing
