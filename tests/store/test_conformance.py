"""One suite for every engine: all of an append or nothing, money conserved, history chained, requests answered once."""

import asyncio
from collections.abc import Awaitable
from hashlib import sha256

import pytest

from puntobanco.ledger.accounts import Transfer, TransferKind
from puntobanco.store import open_store
from puntobanco.store.base import Store
from puntobanco.store.records import GENESIS, Append, Fact, Failed, Snapshot, StoredAnswer, StoreFailed, chained
from tests.store.conftest import Run

TABLE = "one"


def fact(text: str, *transfers: Transfer) -> Fact:
    return Fact("Said.1", 1, text.encode(), transfers)


def moved(amount: int, source: str = "cage", target: str = "purse:one:ann") -> Transfer:
    return Transfer(TransferKind.BUY_IN, source, target, amount)


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
            head = chained(head, row.kind, row.at, row.body)
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
        bought = Append(stream=TABLE, expected=0, epoch=epoch, facts=[fact("a", moved(500))])
        await store.append(bought)
        stake = Transfer(TransferKind.STAKE, "purse:one:ann", f"stakes:{TABLE}", 200)
        staked = Append(stream=TABLE, expected=1, epoch=epoch, facts=[fact("b", stake)], in_play=200)
        await store.append(staked)
        held = await store.balances()
        assert held == {"cage": -500, "purse:one:ann": 300, f"stakes:{TABLE}": 200}
        assert sum(held.values()) == 0
        assert await store.balances(["purse:one:ann"]) == {"purse:one:ann": 300}
        too_much = Transfer(TransferKind.CASH_OUT, "purse:one:ann", "cage", 301)
        over = Append(stream=TABLE, expected=2, epoch=epoch, facts=[fact("c", too_much)], in_play=200)
        await fails(Failed.INVARIANT, store.append(over))
        wrong = Append(stream=TABLE, expected=2, epoch=epoch, facts=[fact("c")], in_play=100)
        await fails(Failed.INVARIANT, store.append(wrong))
        assert (await store.head(TABLE))[0] == 2
        assert await store.balances() == held

    run(work)


def test_a_request_is_answered_once_across_restarts(run: Run) -> None:
    answer = StoredAnswer("ann", "r1", b"asked", b"answer")

    async def work(store: Store) -> None:
        epoch = await store.claim(TABLE)
        assert await store.answered("ann", "r1") is None
        await store.append(Append(stream=TABLE, expected=0, epoch=epoch, facts=[fact("a")], answers=[answer]))

    async def again(store: Store) -> None:
        assert await store.answered("ann", "r1") == answer
        assert await store.answered("bob", "r1") is None
        among = [("ann", "r1"), ("ann", "r1"), ("ann", "r2"), ("r1", "ann"), ('"', "中")]
        assert await store.answered_among(among) == {("ann", "r1"): answer}
        assert await store.answered_among([]) == {}
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
                    Append(stream=name, expected=version, epoch=epochs[name],
                           facts=[fact(f"{name}{version}", moved(1, "cage", f"purse:{name}:ann"))])
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
        assert await store.games() == {"f1": b"rules"}
        await store.claim(TABLE)
        await store.keep_snapshot(TABLE, Snapshot(3, "1", b"state"))
        await store.keep_snapshot(TABLE, Snapshot(5, "1", b"later"))
        await store.keep_snapshot(TABLE, Snapshot(4, "1", b"of a former owner"))
        await store.seal("shoe", b"order")

    async def again(store: Store) -> None:
        assert (await store.game("f1"), await store.game("f2")) == (b"rules", None)
        assert await store.snapshot(TABLE) == Snapshot(5, "1", b"later")
        assert await store.snapshot("another") is None
        assert (await store.sealed("shoe"), await store.sealed("other")) == (b"order", None)

    run(work)
    run(again)


def test_what_is_sealed_is_listed_by_the_beginning_of_its_name_and_can_be_forgotten(run: Run) -> None:
    names = ["session/", "session/B", "session/a", "session/a%", "session/é", "session/中"]

    async def work(store: Store) -> None:
        for name in [*reversed(names), "sessions", "Session/a", "shoe"]:
            await store.seal(name, name.encode())
        assert await store.sealed_names("session/") == tuple(names)
        assert await store.sealed_names("session/a%") == ("session/a%",)
        assert await store.sealed_names("session_") == ()
        assert len(await store.sealed_names("")) == 9
        await store.unseal("session/a")
        await store.unseal("session/a")
        await store.unseal("never there")

    async def again(store: Store) -> None:
        assert await store.sealed("session/a") is None
        assert await store.sealed("session/a%") == b"session/a%"
        assert await store.sealed_names("session/a") == ("session/a%",)

    run(work)
    run(again)


def test_what_lies_on_the_layout_and_every_posting_can_be_read(run: Run) -> None:
    async def work(store: Store) -> None:
        epoch = await store.claim(TABLE)
        stake = Transfer(TransferKind.STAKE, "purse:one:ann", f"stakes:{TABLE}", 200)
        whole = Append(
            stream=TABLE,
            expected=0,
            epoch=epoch,
            facts=[fact("a", moved(500)), fact("b"), fact("c", stake)],
            in_play=200,
        )
        await store.append(whole)
        assert (await store.in_play(TABLE), await store.in_play("another")) == (200, 0)
        found = [
            (one.stream, one.version, one.kind, one.source, one.target, one.amount)
            async for page in store.postings()
            for one in page
        ]
        assert found == [
            (TABLE, 1, "buy_in", "cage", "purse:one:ann", 500),
            (TABLE, 3, "stake", "purse:one:ann", "stakes:one", 200),
        ]

    run(work)


def test_one_refused_among_many_at_once_takes_none_of_the_others_with_it(run: Run) -> None:
    async def work(store: Store) -> None:
        epoch = await store.claim(TABLE)

        def step(version: int, *transfers: Transfer, epoch: int = epoch, request: str = "", in_play: int = 0) -> Append:
            answers = [StoredAnswer("ann", request, b"asked", b"answer")] if request else []
            return Append(stream=TABLE, expected=version, epoch=epoch, facts=[fact(f"{version}", *transfers)],
                          answers=answers, in_play=in_play)  # fmt: skip

        all_of_it = Transfer(TransferKind.STAKE, "purse:one:ann", f"stakes:{TABLE}", 500)
        nothing = Transfer(TransferKind.WIN, "house", "purse:one:ann", 0)
        vast = Transfer(TransferKind.WIN, "house", "purse:one:ann", 2**63)
        to_itself = Transfer(TransferKind.WIN, "house", "house", 5)
        asked = [
            (step(0, moved(500), request="r1"), None),
            (step(1, all_of_it, request="r1", in_play=500), Failed.REQUEST_TAKEN),
            (step(1, all_of_it, request="r2", in_play=499), Failed.INVARIANT),
            (step(1, all_of_it, request="r3", in_play=500), None),
            (step(2, all_of_it, in_play=1000), Failed.INVARIANT),
            (step(2, nothing, in_play=500), Failed.INVARIANT),
            (step(2, vast, in_play=500), Failed.INVARIANT),
            (step(2, to_itself, in_play=500), Failed.INVARIANT),
            (step(2, moved(1), in_play=500), None),
            (step(2, moved(1), in_play=500), Failed.STALE_VERSION),
            (step(3, moved(1), epoch=epoch + 1, in_play=500), Failed.STALE_EPOCH),
            (step(3, moved(1), in_play=500, request="r2"), None),
        ]
        answers = await asyncio.gather(*(store.append(one) for one, _ in asked), return_exceptions=True)
        found = [one.why if isinstance(one, StoreFailed) else one for one in answers]
        assert found == [why for _, why in asked]
        assert [row.body async for row in store.read(TABLE)] == [b"0", b"1", b"2", b"3"]
        assert await store.balances() == {"cage": -502, "purse:one:ann": 2, f"stakes:{TABLE}": 500}
        assert await store.answered("ann", "r2") is not None

    run(work)


def test_a_purse_may_not_be_negative_between_two_appends_of_one_commit(run: Run) -> None:
    async def work(store: Store) -> None:
        epoch = await store.claim(TABLE)
        out = Transfer(TransferKind.CASH_OUT, "purse:one:ann", "cage", 100)
        first = Append(stream=TABLE, expected=0, epoch=epoch, facts=[fact("a", out)])
        second = Append(stream=TABLE, expected=0, epoch=epoch, facts=[fact("b", moved(100))])
        answers = await asyncio.gather(store.append(first), store.append(second), return_exceptions=True)
        assert isinstance(answers[0], StoreFailed)
        assert answers[0].why is Failed.INVARIANT
        assert answers[1] is None

    run(work)


def test_a_purse_may_not_be_negative_between_two_events_of_one_append(run: Run) -> None:
    async def work(store: Store) -> None:
        epoch = await store.claim(TABLE)
        out = Transfer(TransferKind.CASH_OUT, "purse:one:ann", "cage", 100)
        both = Append(stream=TABLE, expected=0, epoch=epoch, facts=[fact("a", out), fact("b", moved(100))])
        await fails(Failed.INVARIANT, store.append(both))
        await store.append(Append(stream=TABLE, expected=0, epoch=epoch, facts=[fact("b", moved(100)), fact("a", out)]))
        assert [row.body async for row in store.read(TABLE)] == [b"b", b"a"]

    run(work)


def test_the_chain_tells_apart_whatever_is_told_apart() -> None:
    """Kind, moment and body are framed: no two events that differ have the same bytes."""
    events = [
        ("Said.1", 1, b"a"), ("Said.1", 11, b"a"), ("Said.1", 1, b"1:a"), ("Said.1:1", 1, b"a"), ("Said.", 11, b"a"),
        ("Said.1", -1, b"a"), ("Said.1", 1, b""), ("Said.1", 1, b"b"), ("", 1, b"a"), ("é", 1, b"a"),
    ]  # fmt: skip
    hashes = {chained(GENESIS, *event) for event in events} | {chained(b"\1" * 32, *events[0])}
    assert len(hashes) == len(events) + 1
    assert chained(GENESIS, "é", -7, b"{}") == sha256(bytes(32) + b"2:\xc3\xa9:-7:{}").digest()


def test_who_does_not_wait_for_the_answer_disturbs_nobody(run: Run) -> None:
    async def work(store: Store) -> None:
        epoch = await store.claim(TABLE)
        for _ in range(20):
            version, _ = await store.head(TABLE)
            gone = asyncio.ensure_future(
                store.append(Append(stream=TABLE, expected=version, epoch=epoch, facts=[fact("gone")]))
            )
            await asyncio.sleep(0)
            gone.cancel()
            await asyncio.gather(gone, return_exceptions=True)
            await store.claim("another")
        version, _ = await store.head(TABLE)
        await store.append(Append(stream=TABLE, expected=version, epoch=epoch, facts=[fact("stays")]))
        assert (await store.head(TABLE))[0] == version + 1

    run(work)


def test_a_closed_store_writes_nothing(run: Run) -> None:
    async def work(store: Store) -> None:
        epoch = await store.claim(TABLE)
        await store.close()
        await fails(Failed.STORAGE, store.append(Append(stream=TABLE, expected=0, epoch=epoch, facts=[fact("a")])))
        await fails(Failed.STORAGE, store.keep_game("f", b"rules"))
        with pytest.raises(StoreFailed):
            await store.streams()
        await store.open()
        assert (await store.head(TABLE))[0] == 0

    run(work)


def test_a_place_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="mysql"):
        open_store("mysql://house")
