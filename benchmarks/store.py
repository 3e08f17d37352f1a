"""How many bets a second become durable, and how soon a house is back, each beside what limits it.

Appends: each is one bet, an event with its posting and an answer, at one table. It expects the version before it, so
the writers' appends are issued in order and wait for the disk together. Bets: the same from the queue of a table, each
decided by the rules. Restarts: beside the mere decoding of the same events.
"""

import asyncio
import itertools
import os
import sys
import tempfile
import time
from pathlib import Path

import uvloop
from tests.store.engines import new_database, postgres

from puntobanco.house.tables.writer import RunningTable
from puntobanco.ledger.accounts import Transfer, TransferKind
from puntobanco.protocol.account_names import house_transfers, wallet
from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.money import Cents
from puntobanco.store import codec, open_store
from puntobanco.store.base import Store
from puntobanco.store.records import Append, Fact, Snapshot, StoredAnswer
from puntobanco.store.verify import verify
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.decide import Accepted, decide
from puntobanco.table.events import AnyEvent
from puntobanco.table.evolve import replay
from puntobanco.table.felt import Felt
from puntobanco.table.setup import Setup, Source
from puntobanco.table.state import State

TABLE = "one"
BODY = b'{"type":"BetPlaced","round":1,"person":"ann","box":1,"bet":"banker","stake":100,"before":0,"box_before":0}'
SECONDS = 3.0
REPEATS = 3
NOW = 1_900_000_000_000
EVENTS = 100_000
TABLES, EVENTS_EACH = 50, 2_000


def disk(folder: Path) -> float:
    """Writes of a page, each brought to the disk, a second."""
    with tempfile.TemporaryFile(dir=folder) as file:
        count, start = 0, time.perf_counter()
        while time.perf_counter() - start < SECONDS / 2:
            os.pwrite(file.fileno(), bytes(4096), count % 1024 * 4096)
            os.fdatasync(file.fileno())
            count += 1
        return count / (time.perf_counter() - start)


# ---- appends -----------------------------------------------------------------------------------------------------


def bet(version: int, epoch: int) -> Append:
    """The bet that brings the stream from this version to the next."""
    stake = Transfer(TransferKind.STAKE, f"purse:{TABLE}:{version % 64}", f"stakes:{TABLE}", 100)
    answer = StoredAnswer(f"person {version % 64}", f"request {version}", bytes(32), b"accepted")
    fact = Fact("BetPlaced.1", version, BODY, [stake])
    return Append(stream=TABLE, expected=version, epoch=epoch, facts=[fact], answers=[answer], in_play=100 * version)


async def appends(place: str, writers: int) -> float:
    store = open_store(place)
    await store.open()
    try:
        epoch = await store.claim(TABLE)
        bought = [Transfer(TransferKind.BUY_IN, "cage", f"purse:{TABLE}:{nth}", 10**12) for nth in range(64)]
        opening = Fact("TableOpened.1", 0, b"{}", bought)
        await store.append(Append(stream=TABLE, expected=0, epoch=epoch, facts=[opening]))
        version, start = 1, time.perf_counter()

        async def writer() -> None:
            nonlocal version
            while time.perf_counter() - start < SECONDS:
                mine, version = version, version + 1
                await store.append(bet(mine, epoch))

        await asyncio.gather(*(writer() for _ in range(writers)))
        rate = (version - 1) / (time.perf_counter() - start)
        assert (await verify(store)).fault is None
        return rate
    finally:
        await store.close()


# ---- bets through a table ----------------------------------------------------------------------------------------


def setup() -> Setup:
    game = library.game("commission")
    layout = game.layout("D")
    return Setup(
        game=game.key, fingerprint=game.fingerprint, layout="D", boxes=layout.most_boxes if layout else 0, decks=8,
        minimum=Cents(100), differential=Cents(1_000_000_000_00),
    )  # fmt: skip


def running(name: str, store: Store) -> RunningTable:
    return RunningTable(name, library.game("commission"), setup(), store, lambda: NOW)


async def fund(store: Store, people: int) -> None:
    filled = [Transfer(TransferKind.BUY_IN, "cage", wallet(f"p{nth}"), 10**15) for nth in range(people)]
    epoch = await store.claim("house")
    await store.append(Append(stream="house", expected=0, epoch=epoch, facts=[Fact("PaidIn.1", 0, b"{}", filled)]))


async def bets(place: str, writers: int) -> float:
    store = open_store(place)
    await store.open()
    table = running(TABLE, store)
    try:
        await fund(store, writers)
        await table.start()
        for command, role in opening("one"):
            await table.send(command, "staff", role)
        for nth in range(writers):
            await table.send(c.BuyIn(person=f"p{nth}", amount=10**9), f"p{nth}", Role.PLAYER)
        done, start = 0, time.perf_counter()

        async def terminal(nth: int) -> None:
            nonlocal done
            for number in itertools.count():
                if time.perf_counter() - start >= SECONDS:
                    return
                line = c.Line(bet="player", amount=100_00 * (1 + number % 2), box=1 + nth % 12)
                slip = c.PlaceBets(round=1, lines=(line,))
                answer = await table.send(slip, f"p{nth}", Role.PLAYER, f"{number}")
                assert answer.refusal is None
                done += 1

        await asyncio.gather(*(terminal(nth) for nth in range(writers)))
        return done / (time.perf_counter() - start)
    finally:
        await table.stop()
        await store.close()


def opening(shoe: str) -> list[tuple[c.Command, Role]]:
    load = c.LoadShoe(shoe=shoe, decks=8, shuffled=True, source=Source.KEYBOARD)
    return [(c.OpenTable(setup=setup()), Role.PIT_MANAGER), (load, Role.DEALER), (c.OpenBetting(), Role.DEALER)]


# ---- restarts ----------------------------------------------------------------------------------------------------


def history(events: int, people: int = 36) -> list[AnyEvent]:
    """Rounds of a full table, three bets each, until there are so many events."""
    felt, state, told = Felt.of(library.game("commission"), setup()), State(), list[AnyEvent]()

    def tell(command: c.Command, role: Role, person: str = "staff") -> None:
        nonlocal state
        answer = decide(felt, state, command, By(person, role, NOW))
        assert isinstance(answer, Accepted), answer
        assert answer.state is not None
        state = answer.state
        told.extend(answer.events)

    shoe = itertools.count()
    open_table, *_, open_betting = opening("")
    tell(*open_table)
    for nth in range(people):
        tell(c.BuyIn(person=f"p{nth}", amount=10**12), Role.PLAYER, f"p{nth}")
    while len(told) < events:
        if state.shoe is None or state.shoe.finished:
            tell(c.LoadShoe(shoe=f"{next(shoe)}", decks=8, shuffled=True, source=Source.KEYBOARD), Role.DEALER)
        tell(*open_betting)
        for nth in range(people):
            for side in ("player", "banker", "tie"):
                line = c.Line(bet=side, amount=100_00, box=1 + nth % 12)
                tell(c.PlaceBets(round=state.round, lines=(line,)), Role.PLAYER, f"p{nth}")
        tell(c.CloseBetting(round=state.round), Role.DEALER)
        for index, card in enumerate(read_cards("9 7 K 10"), start=1):
            tell(c.DrawCard(round=state.round, index=index, card=card), Role.DEALER)
        tell(c.Settle(round=state.round), Role.DEALER)
        for box in state.unpaid:
            tell(c.ConfirmBox(round=state.round, box=box), Role.DEALER)
    return told[:events]


async def keep(store: Store, name: str, events: list[AnyEvent]) -> None:
    facts = [
        Fact(codec.kind_of(one), one.by.at, codec.encode(one), tuple(house_transfers(name, one))) for one in events
    ]
    epoch = await store.claim(name)
    in_play = replay(events).in_play
    await store.append(Append(stream=name, expected=0, epoch=epoch, facts=facts, in_play=in_play))


async def started(place: str, names: list[str]) -> float:
    """Seconds until all of these tables are ready, in a house that was killed."""
    store = open_store(place)
    start = time.perf_counter()
    await store.open()
    tables = [running(name, store) for name in names]
    await asyncio.gather(*(table.start() for table in tables))
    taken = time.perf_counter() - start
    await store.close()
    for table in tables:
        await table.stop()
    return taken


async def snapshot(place: str, schema: str) -> None:
    store = open_store(place)
    await store.open()
    state = replay([codec.decode(row.kind, row.body) async for row in store.read(TABLE)])
    await store.keep_snapshot(TABLE, Snapshot(state.version, schema, codec.encode_state(state)))
    await store.close()


async def restarts(place: str, floor: str, engine: str) -> None:
    """One long table in the one place, many short ones in the other."""
    events = history(EVENTS)
    rows = [codec.encode(one) for one in events]
    start = time.perf_counter()
    for one, body in zip(events, rows, strict=True):
        codec.decode(codec.kind_of(one), body)
    plain = time.perf_counter() - start
    store = open_store(place)
    await store.open()
    await fund(store, 36)
    await keep(store, TABLE, events)
    await store.close()
    none = await started(place, [TABLE])
    await snapshot(place, "of another program")
    other = await started(place, [TABLE])
    await snapshot(place, codec.STATE_SCHEMA)
    kept = await started(place, [TABLE])
    store = open_store(floor)
    await store.open()
    await fund(store, 36)
    names = [f"table {nth}" for nth in range(TABLES)]
    for name in names:
        await keep(store, name, events[:EVENTS_EACH])
    await store.close()
    many = await started(floor, names)
    for what, taken, aim in (
        (f"{EVENTS:,} events, snapshot", kept, 2.0),
        (f"{EVENTS:,} events, no snapshot", none, 2.0),
        (f"{EVENTS:,} events, another schema", other, 2.0),
        (f"{TABLES} tables of {EVENTS_EACH:,} events", many, 5.0),
    ):
        print(f"{engine:12}{what:34}{taken:8.2f} s   aim {aim:.0f} s{taken / plain:9.1f} x decoding", flush=True)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with (
        tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as name,
        postgres(Path(name).parent) as url,
    ):

        def place(engine: str, file: str) -> str:
            return f"{name}/{file}.db" if engine == "SQLite" else new_database(url)

        print(f"{'':28}{'appends/s':>12}{'syncs/s':>10}{'a sync':>9}{'bets/s':>12}{'of appends':>12}")
        for writers in (1, 64, 256, 512):
            for engine in ("SQLite", "PostgreSQL"):
                runs = []
                for nth in range(REPEATS):
                    rate = uvloop.run(appends(place(engine, f"a{writers}-{nth}"), writers))
                    through = uvloop.run(bets(place(engine, f"b{writers}-{nth}"), writers))
                    runs.append((through / rate, through, rate, disk(Path(name))))
                ratio, through, rate, syncs = sorted(runs)[REPEATS // 2]
                print(
                    f"{engine:12}{writers:4} in flight {rate:12,.0f}{syncs:10,.0f}{rate / syncs:9.1f}{through:12,.0f}"
                    f"{ratio:12.2f}",
                    flush=True,
                )
        print()
        for engine in ("SQLite", "PostgreSQL"):
            uvloop.run(restarts(place(engine, "restart"), place(engine, "tables"), engine))


if __name__ == "__main__":
    main()
