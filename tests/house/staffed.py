"""A house in the tests: a real store, somebody of every post, and every cent proven when it closes."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from puntobanco.house.audit.proof import JournalProof, prove
from puntobanco.house.house import House, Watcher, opening_setup
from puntobanco.house.operations import settings
from puntobanco.house.secrets.secret_store import unlocked
from puntobanco.house.shoes.proof import Tally
from puntobanco.house.tables.dealer import Pace
from puntobanco.house.tables.writer import RunningTable
from puntobanco.protocol import entries as b
from puntobanco.protocol.account_names import wallet
from puntobanco.protocol.administrative_commands import (
    AddTable,
    Admit,
    Deposit,
    Fill,
    RestartTable,
    SetDealing,
    Withdraw,
)
from puntobanco.protocol.answers import Answer
from puntobanco.protocol.entries import STREAM, AnyEntry
from puntobanco.protocol.posts import HOUSE, Post
from puntobanco.rules.cards import read_cards
from puntobanco.rules.refusal import Reason
from puntobanco.store import open_store
from puntobanco.store.verify import verify
from puntobanco.table import commands as c
from puntobanco.table.setup import Setup, Source, Timing
from puntobanco.table.state import Phase

PEOPLE = {
    "ada": Post.ADMINISTRATOR, "adi": Post.ADMINISTRATOR, "cal": Post.CASHIER, "cas": Post.CASHIER, "dora": Post.DEALER,
    "sue": Post.PIT_SUPERVISOR, "sam": Post.PIT_SUPERVISOR, "max": Post.PIT_MANAGER, "tom": Post.SHIFT_MANAGER,
    "tim": Post.SHIFT_MANAGER, "eve": Post.AUDITOR, "dev": Post.DEVICE, "wall": Post.BOARD, "ann": Post.PLAYER,
    "bob": Post.PLAYER,
}  # fmt: skip
QUICK = Timing(betting=0, drain=0, squeeze=0, insurance=0)
Work = Callable[[House], Awaitable[Any]]


class Clock:
    """Stands still unless it is moved, or goes with the world."""

    def __init__(self) -> None:
        self.now, self.goes = 1_900_000_000_000, False

    def __call__(self) -> int:
        return self.now + (time.monotonic_ns() // 1_000_000 if self.goes else 0)


class Faults(Watcher):
    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []

    def fault(self, where: str, error: BaseException) -> None:
        self.told.append((where, type(error).__name__))


class Floor:
    """`place`: a database instead of a file in the folder. When it closes, every event is decided again, unless the
    test makes the house `unsound`."""

    unsound = False

    def __init__(self, folder: Path, place: str = "") -> None:
        self.path, self.clock, self.faults = folder / "house.db", Clock(), Faults()
        self.kept = settings.StoreSettings(place=place or str(self.path), key_file=str(self.path) + ".key")

    @asynccontextmanager
    async def open(self, **options: Any) -> AsyncIterator[House]:
        store = open_store(self.kept.place)
        await store.open()
        options.setdefault("pace", Pace(card=0, result=0, between=0))
        options.setdefault("secret_store", await unlocked(store, self.kept))
        house = House(store, self.clock, **options)
        house.watchers.append(self.faults)
        try:
            await house.open()
            if not house.journal.people:
                await people_of(house)
            yield house
        finally:
            await house.close()
            proof = await (verify(store) if self.unsound else prove(store, {STREAM: JournalProof(Tally()).moves}))
            held = await store.balances()
            await store.close()
        assert proof.fault is None, proof
        assert sum(held.values()) == 0

    def run(self, work: Work, **options: Any) -> Any:
        async def whole() -> Any:
            async with self.open(**options) as house:
                return await work(house)

        return asyncio.run(whole())


async def people_of(house: House) -> None:
    by = house.itself()
    await house.journal_writer.note(
        b.PersonAdmitted(by=by, person="ada", title="Ada"),
        b.RoleGiven(by=by, person="ada", post=Post.ADMINISTRATOR, scope=HOUSE),
    )
    for name, post in PEOPLE.items():
        if name != "ada":
            well(await house.manage("ada", Admit(person=name, title=name.title(), post=post)))


def well(answer: Answer) -> Any:
    assert answer.refusal is None, answer
    return answer


def refused(answer: Answer) -> Reason:
    assert answer.refusal is not None, answer
    return answer.refusal.reason


def setup_of(running: RunningTable, **changes: Any) -> Setup:
    return replace(opening_setup(running.game), **{"timing": QUICK, **changes})


async def add(house: House, name: str, game: str, *, automatic: bool = False, **changes: Any) -> RunningTable:
    """A table of that game, open."""
    well(await house.manage("ada", AddTable(table=name, game=game)))
    well(await house.do("max", name, c.OpenTable(setup=setup_of(house.tables[name], **changes))))
    if automatic:
        well(await house.manage("tom", SetDealing(table=name, automatic=True)))
    return house.tables[name]


async def restart(house: House, table: str) -> None:
    well(await house.manage("max", RestartTable(table=table)))


async def fill(house: House, table: str, amount: int) -> None:
    asked = well(await house.manage("cal", Fill(table=table, amount=amount)))
    well(await house.confirm("sue", asked.waits))


async def fund(house: House, person: str, amount: int, table: str = "") -> None:
    """Money in the wallet, or in the purse at a table; much of it by two cashiers."""
    asked = well(await house.manage("cal", Deposit(person=person, amount=amount)))
    if asked.waits is not None:
        well(await house.confirm("cas", asked.waits))
    if table:
        well(await house.do(person, table, c.BuyIn(person=person, amount=amount)))


async def pay_out(house: House, cashier: str, person: str, amount: int) -> None:
    """From the wallet, confirmed by the guest."""
    asked = well(await house.manage(cashier, Withdraw(person=person, amount=amount)))
    well(await house.confirm(person, asked.waits))


async def in_play(house: House, cards: str = "", game: str = "commission", name: str = "one") -> RunningTable:
    """A table with 100 of Ann's on Player after the close, and these cards drawn."""
    table = await add(house, name, game)
    await fund(house, "ann", 1_000_00, name)
    await bet(house, name)
    await deal(house, name, cards)
    return table


async def bet(house: House, name: str = "one", stake: int = 100_00, on: str = "player") -> None:
    table = house.tables[name]
    if table.state.shoe is None:
        load = c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD)
        well(await house.do("dora", name, load))
    well(await house.do("dora", name, c.OpenBetting()))
    number = table.state.round
    slip = c.PlaceBets(round=number, lines=(c.Line(bet=on, amount=stake, box=1),))
    well(await house.do("ann", name, slip))
    well(await house.do("dora", name, c.CloseBetting(round=number)))


async def deal(house: House, name: str, cards: str) -> None:
    state = house.tables[name].state
    for index, card in enumerate(read_cards(cards), start=len(state.drawn) + 1):
        well(await house.do("dora", name, c.DrawCard(round=state.round, index=index, card=card)))


async def settle(house: House, name: str = "one") -> None:
    """Settled, and every box taken and paid."""
    state = house.tables[name].state
    well(await house.do("dora", name, c.Settle(round=state.round)))
    for box in house.tables[name].state.unpaid:
        well(await house.do("dora", name, c.ConfirmBox(round=state.round, box=box)))


async def entries(house: House, kind: type[Any]) -> list[Any]:
    """What the book holds of one kind."""
    found: list[AnyEntry] = [b.decode(row.body) async for row in house.store.read(b.STREAM)]
    return [one for one in found if isinstance(one, kind)]


async def in_wallet(house: House, person: str) -> int:
    return (await house.store.balances([wallet(person)])).get(wallet(person), 0)


def phase(house: House, table: str = "one") -> Phase:
    return house.tables[table].state.phase


async def until(true: Callable[[], bool], what: str = "") -> None:
    """Wait for it, at most half a minute."""
    for _ in range(3_000):
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"it never came to it: {what}")
