"""One suite for every engine: all of an append or nothing, money conserved, history chained, requests answered once."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from puntobanco.ledger.accounts import Kind, Transfer
from puntobanco.store.records import GENESIS, Answer, Append, Fact, Failed, Snapshot, Store, StoreFailed, chained
from puntobanco.store.sqlite import SqliteStore

TABLE = "one"


@asynccontextmanager
async def opened(engine: str, folder: Path) -> AsyncIterator[Store]:
    assert engine == "sqlite"
    store: Store = SqliteStore(folder / "house.db")
    await store.open()
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture(params=["sqlite"])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Callable[[Store], Awaitable[Any]]], Any]:
    """Do something with a store that is opened for it; opened again it is the same store."""

    def do(work: Callable[[Store], Awaitable[Any]]) -> Any:
        async def whole() -> Any:
            async with opened(request.param, tmp_path) as store:
                return await work(store)

        return asyncio.run(whole())

    return do


Run = Callable[[Callable[[Store], Awaitable[Any]]], Any]


def fact(text: str) -> Fact:
    return Fact("Said.1", 1, text.encode())


def moved(amount: int, source: str = "cage", target: str = "purse:one:ann") -> Transfer:
    return Transfer(Kind.BUY_IN, source, target, amount)


async def fails(why: Failed, work: Awaitable[None]) -> None:
    with pytest.raises(StoreFailed) as failed:
        await work
    assert failed.value.why is why


def test_what_is_appended_is_read_in_order_and_chained(run: Run) -> None:
    async def work(store: Store) -> None:
        epoch = await store.claim(TABLE)
        await store.append(Append(stream=TABLE, expected=0, epoch=epoch, facts=[fact("a"), fact("b")]))
        await store.append(Append(stream=TABLE, expected=2, epoch=epoch, facts=[fact("c")]))

    async def again(store: Store) -> None:
        rows = [row async for row in store.read(TABLE)]
        assert [(row.version, row.body) for row in rows] == [(1, b"a"), (2, b"b"), (3, b"c")]
        head = GENESIS
        for row in rows:
            head = chained(head, row.body)
            assert row.hash == head
        assert await store.head(TABLE) == (3, head)
        assert [row.version async for row in store.read(TABLE, after=2)] == [3]
        assert await store.streams() == (TABLE,)
        assert await store.head("another") == (0, GENESIS)

    run(work)
    run(again)


def test_a_stale_version_and_a_former_owner_append_nothing(run: Run) -> None:
    async def work(store: Store) -> None:
        former = await store.claim(TABLE)
        await store.append(Append(stream=TABLE, expected=0, epoch=former, facts=[fact("a")]))
        await fails(
            Failed.STALE_VERSION, store.append(Append(stream=TABLE, expected=0, epoch=former, facts=[fact("b")]))
        )
        owner = await store.claim(TABLE)
        assert owner > former
        await fails(Failed.STALE_EPOCH, store.append(Append(stream=TABLE, expected=1, epoch=former, facts=[fact("c")])))
        await fails(Failed.STALE_EPOCH, store.append(Append(stream="nobody's", expected=0, epoch=1)))
        await store.append(Append(stream=TABLE, expected=1, epoch=owner, facts=[fact("d")]))
        assert [row.body async for row in store.read(TABLE)] == [b"a", b"d"]

    run(work)


def test_money_moves_with_the_events_or_not_at_all(run: Run) -> None:
    async def work(store: Store) -> None:
        epoch = await store.claim(TABLE)
        bought = Append(stream=TABLE, expected=0, epoch=epoch, facts=[fact("a")], transfers=[moved(500)])
        await store.append(bought)
        stake = Transfer(Kind.STAKE, "purse:one:ann", f"stakes:{TABLE}", 200)
        staked = Append(stream=TABLE, expected=1, epoch=epoch, facts=[fact("b")], transfers=[stake], in_play=200)
        await store.append(staked)
        held = await store.balances()
        assert held == {"cage": -500, "purse:one:ann": 300, f"stakes:{TABLE}": 200}
        assert sum(held.values()) == 0
        assert await store.balances(["purse:one:ann"]) == {"purse:one:ann": 300}
        too_much = Transfer(Kind.CASH_OUT, "purse:one:ann", "cage", 301)
        over = Append(stream=TABLE, expected=2, epoch=epoch, facts=[fact("c")], transfers=[too_much], in_play=200)
        await fails(Failed.INVARIANT, store.append(over))
        wrong = Append(stream=TABLE, expected=2, epoch=epoch, facts=[fact("c")], in_play=100)
        await fails(Failed.INVARIANT, store.append(wrong))
        assert (await store.head(TABLE))[0] == 2
        assert await store.balances() == held

    run(work)


def test_a_request_is_answered_once_across_restarts(run: Run) -> None:
    answer = Answer("ann", "r1", b"asked", b"answer")

    async def work(store: Store) -> None:
        epoch = await store.claim(TABLE)
        assert await store.answered("ann", "r1") is None
        await store.append(Append(stream=TABLE, expected=0, epoch=epoch, facts=[fact("a")], answers=[answer]))

    async def again(store: Store) -> None:
        assert await store.answered("ann", "r1") == answer
        assert await store.answered("bob", "r1") is None
        epoch = await store.claim(TABLE)
        repeated = Append(stream=TABLE, expected=1, epoch=epoch, facts=[fact("b")], answers=[answer])
        await fails(Failed.REQUEST_TAKEN, store.append(repeated))
        assert (await store.head(TABLE))[0] == 1

    run(work)
    run(again)


def test_many_appends_at_once_are_each_whole_or_nothing(run: Run) -> None:
    async def work(store: Store) -> None:
        epochs = {name: await store.claim(name) for name in ("a", "b", "c")}

        async def feed(name: str) -> None:
            for version in range(200):
                await store.append(
                    Append(stream=name, expected=version, epoch=epochs[name], facts=[fact(f"{name}{version}")],
                           transfers=[moved(1, "cage", f"purse:{name}:ann")])
                )  # fmt: skip

        await asyncio.gather(*(feed(name) for name in epochs))
        for name in epochs:
            assert (await store.head(name))[0] == 200
        assert await store.balances(["cage"]) == {"cage": -600}

    run(work)


def test_games_snapshots_and_what_is_sealed_are_kept(run: Run) -> None:
    async def work(store: Store) -> None:
        await store.keep_game("f1", b"rules")
        await store.keep_game("f1", b"rules")
        await store.claim(TABLE)
        await store.keep_snapshot(TABLE, Snapshot(3, "1", b"state"))
        await store.keep_snapshot(TABLE, Snapshot(5, "1", b"later"))
        await store.seal("shoe", b"order")

    async def again(store: Store) -> None:
        assert (await store.game("f1"), await store.game("f2")) == (b"rules", None)
        assert await store.snapshot(TABLE) == Snapshot(5, "1", b"later")
        assert await store.snapshot("another") is None
        assert (await store.sealed("shoe"), await store.sealed("other")) == (b"order", None)

    run(work)
    run(again)
