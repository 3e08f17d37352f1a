"""The people of a house that is written to be kept, and what they say through its doors."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from puntobanco.house.house import opening_setup
from puntobanco.rules.cards import read_cards
from puntobanco.table.setup import Timing
from tests.histories.house import BOOK, Asked
from tests.web.house import Premises, Visitor

PATIENCE = 20.0
TIMING = Timing(betting=3_000, drain=0, squeeze=0, insurance=0, options=5_000)


class Crew:
    """Everybody who is signed in. What took effect is noted with its answer; `named`: how its requests begin."""

    def __init__(self, premises: Premises, noted: list[Asked], named: str = "kept") -> None:
        self.premises, self.noted, self._named = premises, noted, named
        self._visitors: dict[str, Visitor] = {}

    async def visitor(self, name: str) -> Visitor:
        """Signed in by a link the first time."""
        if name not in self._visitors:
            self._visitors[name] = await self.premises.visitor(name)
        return self._visitors[name]

    def came(self, visitor: Visitor) -> None:
        self._visitors[visitor.name] = visitor

    async def post(self, name: str, path: str, body: Any = None) -> Any:
        answer = await (await self.visitor(name)).post(path, body)
        assert answer.status_code in (200, 201, 204), (name, path, body, answer.text)
        return answer.json() if answer.content else None

    async def refused(self, name: str, path: str, body: Any) -> str:
        """Why it is."""
        answer = await (await self.visitor(name)).post(path, {"request": self._request(), **body})
        assert answer.status_code >= 400, answer.text
        return str(answer.json()["reason"])

    async def get(self, name: str, path: str) -> Any:
        answer = await (await self.visitor(name)).get(path)
        assert answer.status_code == 200, (name, path, answer.text)
        return answer.json()

    # ---- at the tables and in the office -------------------------------------------------------------------------

    async def ask(self, name: str, path: str, /, **body: Any) -> dict[str, Any]:
        """Something that happens once, or waits for somebody."""
        body = {"request": self._request(), **body}
        answer: dict[str, Any] = await self.post(name, path, body)
        self.noted.append(Asked(name, path, body, answer))
        return answer

    async def do(self, name: str, table: str, type: str, /, **command: Any) -> dict[str, Any]:
        return await self.ask(name, f"/tables/{table}/commands", command={"type": type, **command})

    async def errand(self, name: str, type: str, /, **command: Any) -> dict[str, Any]:
        return await self.ask(name, "/office", command={"type": type, **command})

    async def seconded(self, asked: Awaitable[dict[str, Any]], second: str) -> None:
        """Asked by one and confirmed by another; by nobody else where nobody needs to."""
        if (waits := (await asked).get("waits")) is not None:
            await self.post(second, f"/waiting/{waits}/confirm")

    def _request(self) -> str:
        return f"{self._named}-{len(self.noted) + 1}-{len(self._visitors)}"

    # ---- tables --------------------------------------------------------------------------------------------------

    async def open(self, table: str, **changes: Any) -> None:
        setup = replace(opening_setup(self.premises.services.house.tables[table].game), timing=TIMING, **changes)
        await self.do("tom", table, "OpenTable", setup=msgspec.to_builtins(setup))

    async def load(self, table: str, shoe: str, source: str = "keyboard") -> None:
        await self.do(dealer(table), table, "LoadShoe", shoe=shoe, decks=8, shuffled=True, source=source)

    async def bet(self, table: str, stakes: dict[str, tuple[str, int]]) -> int:
        """Betting opened and closed, with a bet of each of these people between; the number of the round."""
        await self.do(dealer(table), table, "OpenBetting")
        round = await self.round(table)
        await self.place(table, round, stakes)
        await self.do(dealer(table), table, "CloseBetting", round=round)
        return round

    async def place(self, table: str, round: int, stakes: dict[str, tuple[str, int]], box: int = 1) -> None:
        for person, (bet, amount) in stakes.items():
            lines = [{"bet": bet, "amount": amount, "box": box}]
            await self.do(person, table, "PlaceBets", round=round, lines=lines)

    async def deal(self, table: str, round: int, cards: str, first: int = 1) -> None:
        for index, card in enumerate(written(cards), start=first):
            await self.do(dealer(table), table, "DrawCard", round=round, index=index, card=card)

    async def settle(self, table: str, round: int) -> None:
        await self.do(dealer(table), table, "Settle", round=round)
        if (await self.seen(table))["phase"] == "paying":
            await self.do("sue", table, "ConfirmRest", round=round)

    async def play(self, table: str, cards: str, stakes: dict[str, tuple[str, int]]) -> int:
        round = await self.bet(table, stakes)
        await self.deal(table, round, cards)
        await self.settle(table, round)
        return round

    async def report(self, name: str, table: str, round: int, fault: str, **what: Any) -> int:
        """Reported; the number of the question that is put."""
        await self.do(name, table, "Report", round=round, fault=fault, **what)
        return await self.question(table)

    # ---- what can be seen ----------------------------------------------------------------------------------------

    async def seen(self, table: str) -> dict[str, Any]:
        """The table as the lobby shows it."""
        return next(one for one in await self.get("tom", "/tables") if one["table"] == table)

    async def round(self, table: str) -> int:
        return int((await self.seen(table))["round"])

    async def question(self, table: str) -> int:
        shown = await self.get("tom", f"/tables/{table}")
        return int(shown["public"]["question"]["number"])

    async def phase(self, table: str, *phases: str) -> None:
        """Wait until it is in one of them."""

        async def is_there() -> bool:
            return (await self.seen(table))["phase"] in phases

        await until(is_there, f"{table}: {phases}")

    async def entered(self, kind: str, least: int = 1) -> None:
        """Wait until the book has so many entries of that kind."""

        async def is_there() -> bool:
            return [one async for one in self._kinds()].count(kind) >= least

        await until(is_there, kind)

    async def _kinds(self) -> AsyncIterator[str]:
        async for row in self.premises.store.read(BOOK):
            yield row.kind.partition(".")[0]


def dealer(table: str) -> str:
    """Who deals there: a game of the operator's own that names nobody is left to the Shift Manager."""
    return "tom" if table == "own" else "dora"


def written(cards: str) -> list[Any]:
    """As a command names them."""
    found: list[Any] = msgspec.to_builtins(read_cards(cards))
    return found


async def until(true: Callable[[], Awaitable[bool]], what: str) -> None:
    try:
        async with asyncio.timeout(PATIENCE):
            while not await true():
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"it never came to it: {what}") from None
