"""What the tests of a running house share: a clock in hand, wallets that are filled, a table on a store of its own."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from puntobanco.house.audit.proof import prove
from puntobanco.house.tables.writer import RunningTable
from puntobanco.ledger.accounts import Transfer, TransferKind
from puntobanco.protocol.account_names import wallet
from puntobanco.rules import library
from puntobanco.rules.money import Cents
from puntobanco.store import codec
from puntobanco.store.base import Store
from puntobanco.store.records import Append, Fact, Row
from puntobanco.store.sqlite import SqliteStore
from puntobanco.table.evolve import replay
from puntobanco.table.setup import Setup
from puntobanco.table.state import State

JOURNAL = "house"
TABLE = "one"
RICH = 10**16


class Clock:
    def __init__(self) -> None:
        self.now = 1_900_000_000_000

    def __call__(self) -> int:
        return self.now


def setup_of(key: str, layout: str | None = None, **other: Any) -> Setup:
    game = library.game(key)
    chosen = game.layout(layout)
    figures = {"minimum": Cents(100_00), "differential": Cents(10_000_00), "decks": 8} | other
    return Setup(
        game=key, fingerprint=game.fingerprint, layout=chosen.key if chosen else None,
        boxes=chosen.most_boxes if chosen else 0, **figures,
    )  # fmt: skip


def paid_in(row: Row) -> list[Transfer]:
    """The book of these tests: each event names whose wallet was filled, and with how much."""
    person, amount = row.body.decode().rsplit(" ", 1)
    return [Transfer(TransferKind.BUY_IN, "cage", wallet(person), int(amount))]


async def fill(store: Store, people: Iterable[str], amount: int = RICH) -> None:
    bodies = [f"{person} {amount}".encode() for person in people]
    facts = [Fact("PaidIn.1", 1, body, paid_in(Row(0, "", 1, body, b""))) for body in bodies]
    version, _ = await store.head(JOURNAL)
    await store.append(Append(stream=JOURNAL, expected=version, epoch=await store.claim(JOURNAL), facts=facts))


@asynccontextmanager
async def opened(place: str | Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(place)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def seated(
    store: Store, setup: Setup, clock: Clock | None = None, name: str = TABLE
) -> AsyncIterator[RunningTable]:
    table = RunningTable(name, library.game(setup.game), setup, store, clock or Clock())
    await table.start()
    try:
        yield table
    finally:
        await table.stop()


async def history(store: Store, name: str = TABLE) -> State:
    return replay([codec.decode(row.kind, row.body) async for row in store.read(name)])


async def sound(store: Store) -> None:
    """Everything that always holds does."""
    proof = await prove(store, {JOURNAL: paid_in})
    assert proof.fault is None, str(proof.fault)
