"""S12: nobody learns a card before its time from which messages are sent, when, or how large they are."""

import asyncio
import json
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from puntobanco.house.house import House
from puntobanco.house.operations.clock import HouseClock
from puntobanco.house.operations.settings import LiveSettings
from puntobanco.house.shoes.seal import Sealed
from puntobanco.house.shoes.shuffle import cards_of
from puntobanco.house.tables.dealer import AutomaticDealer, Pace
from puntobanco.protocol.posts import Post
from puntobanco.rules.cards import Card, read_cards
from puntobanco.store.sqlite import SqliteStore
from puntobanco.table import commands as c
from puntobanco.table.state import Phase
from puntobanco.web.http.caller import Identity
from puntobanco.web.live.session import LiveServer, Screen
from puntobanco.web.serve import opened
from tests.web.floor import Seat, until
from tests.web.house import NAMES, SETTINGS, furnish

FIRST = "2S 3S 2H 3H 6C 5C"
"""Both hands draw: Player has 4, then 0; Banker has 6, and draws against a six."""
OTHERS = ("9D", "KD")
UNUSED = 100
"""From this place on nothing of the shoe is dealt here."""
PACE = Pace(card=700, result=1_300, between=2_900)
TABLES: dict[str, tuple[str, dict[str, Any]]] = {
    "face up": ("commission", {}),
    "face down": ("super-six", {"face_down": True}),
    "insurance": ("insurance", {}),
    "terminal": ("non-commission-etg", {}),
    "face down with burned cards": ("wu-song", {"face_down": True, "burn": 7}),
}
PEOPLE = (*NAMES.values(), "bao")
"""Somebody of every post, and a player who bets against the other."""


class Message(NamedTuple):
    """What somebody was sent: at which moment, after which event at the table, and what."""

    who: str
    at: int
    version: int
    text: str

    @property
    def outside(self) -> tuple[str, int, int, str, int]:
        """All that can be told of it without reading it, and what kind it is."""
        return self.who, self.at, self.version, json.loads(self.text)["type"], len(self.text.encode())


class Round(NamedTuple):
    commitment: str
    messages: list[Message]
    known_at: list[int]
    """How many messages had been sent when each card came to be known."""
    hidden: list[bool]
    """Of each card, whether it lay face down for a while."""

    def before(self, place: int) -> list[Message]:
        return self.messages[: self.known_at[place]]

    def read(self, place: int) -> list[Message]:
        """The same without what the commitment makes of every shoe."""
        mark = self.commitment[:16]
        return [
            one._replace(text=one.text.replace(self.commitment, "-").replace(mark, "-")) for one in self.before(place)
        ]


def shoe(burned: int, changed: dict[int, Card]) -> Sealed:
    """The same every time but for these places, whose cards change places with unused ones."""
    cards = cards_of(8)
    wanted = dict(enumerate(read_cards(FIRST))) | changed
    for place, card in wanted.items():
        other = cards.index(card, UNUSED)
        cards[burned + place], cards[other] = card, cards[burned + place]
    return Sealed(tuple(cards), tuple(bytes([place % 256]) * 16 for place in range(len(cards))))


async def dealt(game: str, differs: dict[str, Any], order: Sealed) -> Round:
    """A round of that shoe, with everything anybody is sent; time goes by as the dealer says and not otherwise."""
    now = 1_900_000_000_000

    def clock() -> int:
        return now * 1_000_000

    settings = replace(SETTINGS, live=LiveSettings(per_second=60))
    store, messages, known_at, hidden = SqliteStore(":memory:"), list[Message](), list[int](), set[int]()
    async with (
        opened(settings, store, clock=HouseClock(wall=clock, monotonic=clock), dealing=False) as services,
        AsyncExitStack() as seats,
    ):
        await furnish(services, [("auto", game, differs)])
        house, table = services.house, services.house.tables["auto"]
        for name in ("ann", "bao"):
            await taken(house, name, c.BuyIn(person=name, amount=1_000_00))
        live = LiveServer(house, services.identity.sessions, services.publisher, services.fanout, services.metrics)
        publisher: dict[str, tuple[Seat, Screen]] = {}
        for name in PEOPLE:
            seat = await seats.enter_async_context(Seat(services.fanout))
            who = Identity(person=name, session=name, slot=0, address="", language="en")
            publisher[name] = (seat, Screen(live, seat.connection, who))

        def collect() -> None:
            for name, (seat, _) in publisher.items():
                for text in seat.had:
                    messages.append(Message(name, house.clock(), table.state.version, text))
                seat.had.clear()

        async def spread() -> None:
            """Everybody has been told of the table as it is."""
            wanted = f'"version":{table.state.version}'
            await until(lambda: all(any(wanted in text for text in seat.had) for seat, _ in publisher.values()))
            collect()

        async def look() -> None:
            """Everybody asks for the whole of the table."""
            for _, screen in publisher.values():
                await screen.heard(json.dumps({"type": "Watch", "table": "auto"}))
            await spread()

        dealer = AutomaticDealer(table, PACE, lambda _: order)
        await look()
        while len(known_at) < len(read_cards(FIRST)) and table.state.phase is not Phase.RESULT:
            version, told = table.state.version, len(messages)
            now += await dealer.step()
            if table.state.version > version:
                await spread()
            known = sum(one.card is not None for one in table.state.drawn)
            hidden |= {place for place, one in enumerate(table.state.drawn) if one.card is None}
            known_at += [told] * (known - len(known_at))
            await look()
            if table.state.phase is Phase.BETTING and not table.state.in_play:
                for name, bet, box in (("ann", "player", 1), ("bao", "banker", 2)):
                    line = c.Line(bet=bet, amount=100_00, box=0 if table.game.terminal else box)
                    await taken(house, name, c.PlaceBets(round=table.state.round, lines=(line,)))
                    await spread()
    return Round(order.commitment, messages, known_at, [place in hidden for place in range(len(known_at))])


async def taken(house: House, name: str, command: c.Command) -> None:
    answer = await house.do(name, "auto", command)
    assert answer.refusal is None, answer


@pytest.mark.parametrize("kind", TABLES)
def test_s12_what_is_sent_before_a_card_is_known_is_the_same_whatever_card_it_is(kind: str) -> None:
    game, differs = TABLES[kind]
    burned = differs.get("burn", 0)
    usual = asyncio.run(dealt(game, differs, shoe(burned, {})))
    assert len(usual.known_at) == len(read_cards(FIRST)), "every card of the round was dealt"
    assert {one.who for one in usual.before(0)} == set(PEOPLE)
    assert set(NAMES) == set(Post), "somebody of every post looks on"
    assert usual.hidden == 6 * [bool(differs.get("face_down"))], "a card that lies face down is not known either"
    for place in range(len(usual.known_at)):
        for card in read_cards(" ".join(OTHERS)):
            other = asyncio.run(dealt(game, differs, shoe(burned, {place: card})))
            assert [one.outside for one in usual.before(place)] == [one.outside for one in other.before(place)]
            assert usual.read(place) == other.read(place)
            at = usual.known_at[place]
            assert usual.messages[at:] != other.messages[at:], "then it is known"
