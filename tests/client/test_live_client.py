"""The live connection of the client, at a running house and over a line that breaks."""

import asyncio

import pytest
from msgspec.structs import replace

from puntobanco.client import Over, Refused, Seen
from puntobanco.protocol.live import FromHouse, Private, Public, Whole
from puntobanco.rules.refusal import Reason
from puntobanco.store import codec
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.web.live.publisher import person_at, person_everywhere
from tests.client.house import TABLE, Open, in_house
from tests.table.pit import AT_ONCE


def bet(seen: Seen, amount: int = 100_00) -> c.PlaceBets:
    return c.PlaceBets(round=seen.round, lines=(c.Line(bet="player", amount=amount, box=1),))


async def placed(house: Open) -> list[int]:
    """The amounts of every bet in the history."""
    found = [codec.decode(row.kind, row.body) async for row in house.services.house.store.read(TABLE)]
    return [stake.amount for event in found if isinstance(event, e.BetsPlaced) for stake in event.stakes]


@in_house()
async def test_a_bet_is_answered_and_seen(house: Open) -> None:
    async with await house.client("ann") as ann, ann.live() as live:
        seen = await live.watch(TABLE)
        assert (live.person, seen.setup and seen.setup.game) == ("ann", "wu-song")
        await live.do(TABLE, c.BuyIn(person="ann", amount=1000_00))
        answer = await live.do(TABLE, bet(seen))
        own = await live.until(lambda: seen.private if seen.private and seen.private.stakes else None)
        assert (own.purse, own.stakes[0].amount) == (900_00, 100_00)
        await live.until(lambda: seen.version >= answer.version or None)
        await live.leave(TABLE)
        assert not live.tables


@in_house()
async def test_a_refusal_over_the_live_connection_has_its_sentence(house: Open) -> None:
    async with await house.client("ann") as ann, ann.live() as live:
        with pytest.raises(Refused) as unknown:
            await live.watch("no-such-table")
        assert unknown.value.reason is Reason.UNKNOWN_TABLE
        assert not live.tables
        seen = await live.watch(TABLE)
        with pytest.raises(Refused) as poor:
            await live.do(TABLE, bet(seen))
        assert poor.value.sentence
        with pytest.raises(Refused) as wrong:
            await live.do(TABLE, bet(seen), request="not a number!")
        assert wrong.value.reason is Reason.REQUEST_WRONG


@in_house()
async def test_a_broken_line_is_made_again_and_what_was_missed_is_seen(house: Open) -> None:
    async with await house.client("ann") as ann, await house.client("tom", 1) as tom, ann.live() as live:
        seen = await live.watch("baccarat-2")
        before = seen.version
        house.line.deaf = True
        await ann.http.aclose()
        told = await house.services.house.do("tom", "baccarat-2", AT_ONCE)
        assert told.refusal is None
        house.line.cut()
        house.line.deaf = False
        await live.until(lambda: seen.version > before or None)
        assert live.connections == 2
        assert seen.public is not None
        assert seen.public.phase == "closed"
        assert tom.slot == 1


@in_house()
async def test_a_bet_whose_answer_was_lost_is_sent_again_and_happens_once(house: Open) -> None:
    async with await house.client("ann") as ann, ann.live() as live:
        seen = await live.watch(TABLE)
        await live.do(TABLE, c.BuyIn(person="ann", amount=1000_00))
        house.line.deaf = True
        answering = asyncio.create_task(live.do(TABLE, bet(seen)))
        while not await placed(house):
            await asyncio.sleep(0.01)
        assert not answering.done()
        house.line.cut()
        house.line.deaf = False
        answer = await answering
        assert answer.version
        assert await placed(house) == [100_00]
        assert live.connections == 2


@in_house()
async def test_one_request_id_sent_twice_is_answered_twice_and_happens_once(house: Open) -> None:
    async with await house.client("ann") as ann, ann.live() as live:
        seen = await live.watch(TABLE)
        await live.do(TABLE, c.BuyIn(person="ann", amount=1000_00))
        first, second = await asyncio.gather(*(live.do(TABLE, bet(seen), request="twice") for _ in range(2)))
        assert first == second == await live.do(TABLE, bet(seen), request="twice")
        house.line.deaf = True
        answering = [asyncio.create_task(live.do(TABLE, bet(seen, 200_00), request="again")) for _ in range(2)]
        while len(await placed(house)) < 2:
            await asyncio.sleep(0.01)
        house.line.cut()
        house.line.deaf = False
        assert len({answer.version for answer in await asyncio.gather(*answering)}) == 1
        assert await placed(house) == [100_00, 200_00]


@in_house()
async def test_one_request_id_for_two_commands_answers_each(house: Open) -> None:
    async with await house.client("ann") as ann, ann.live() as live:
        seen = await live.watch(TABLE)
        await live.do(TABLE, c.BuyIn(person="ann", amount=1000_00))
        told = await asyncio.gather(
            live.do(TABLE, bet(seen), request="one"), live.do(TABLE, bet(seen, 200_00), request="one"),
            return_exceptions=True,
        )  # fmt: skip
        assert len(told) == 2
        assert await placed(house) == [100_00]


@in_house()
async def test_who_is_signed_out_is_told_and_does_not_come_back(house: Open) -> None:
    async with await house.client("ann") as ann, ann.live() as live:
        seen = await live.watch(TABLE)
        await ann.sign_out()
        with pytest.raises(Over):
            await live.until(lambda: None)
        with pytest.raises(Over):
            await live.do(TABLE, bet(seen))
        with pytest.raises(Over):
            async with ann.live():
                pass


@in_house()
async def test_who_has_other_rights_now_comes_back_with_them(house: Open) -> None:
    heard: list[FromHouse] = []
    async with await house.client("ann") as ann, ann.live(heard=heard.append) as live:
        seen = await live.watch(TABLE)
        house.services.fanout.close(person_everywhere("ann"), 4403, "rights have changed")
        await live.until(lambda: live.connections == 2 or None)
        await live.do(TABLE, c.BuyIn(person="ann", amount=1000_00))
        await live.until(lambda: (seen.private and seen.private.purse == 1000_00) or None)
        assert any(isinstance(message, Whole) for message in heard)


def test_a_screen_that_missed_one_says_so_and_one_that_is_newer_does_not_go_back() -> None:
    seen = Seen(table="t")
    seen.whole(Whole(table="t", version=10, public=None, results=("B",), at=1))
    assert seen.changed(Public(table="t", after=8, version=12, at=2, view=None))
    assert (seen.version, seen.results) == (12, ("B",))
    assert seen.changed(Public(table="t", after=12, version=13, at=3, view=None, results=("B", "P")))
    assert seen.results == ("B", "P")
    assert not seen.changed(Public(table="t", after=14, version=15, at=4, view=None))
    assert seen.version == 13
    assert seen.changed(Public(table="t", after=8, version=12, at=2, view=None))
    assert (seen.version, seen.at) == (13, 3)
    seen.whole(Whole(table="t", version=12, public=None, at=2))
    assert seen.version == 13


@in_house()
async def test_limits_that_change_are_seen(house: Open) -> None:
    async with await house.client("ann") as ann, ann.live() as live:
        seen = await live.watch("baccarat-2")
        assert seen.setup is not None
        higher = replace(seen.setup, minimum=20_00)
        told = await house.services.house.do("tom", "baccarat-2", c.ChangeSetup(setup=higher))
        assert told.refusal is None
        await live.until(lambda: seen.version >= told.version or None)
        assert seen.setup == higher


@in_house()
async def test_a_fault_of_who_hears_is_told_to_all_who_wait(house: Open) -> None:
    def broken(message: FromHouse) -> None:
        if isinstance(message, Whole):
            raise LookupError("nothing to show it on")

    async with await house.client("ann") as ann, ann.live(heard=broken) as live:
        with pytest.raises(LookupError):
            await live.watch(TABLE)


@in_house()
async def test_a_screen_asks_once_for_the_whole_when_it_missed_one(house: Open) -> None:
    heard: list[FromHouse] = []
    async with await house.client("ann") as ann, ann.live(heard=heard.append) as live:
        seen = await live.watch(TABLE)
        seen.version = 0
        await live.do(TABLE, c.BuyIn(person="ann", amount=1000_00))
        await live.do(TABLE, bet(seen))
        await live.until(lambda: seen.version or None)
        assert len([one for one in heard if isinstance(one, Whole)]) <= 2
        assert any(isinstance(one, Private) for one in heard)


@in_house()
async def test_who_stops_watching_is_forgotten_with_the_last_screen(house: Open) -> None:
    screens, channel = house.services.publisher, person_at(TABLE, "ann")
    async with await house.client("ann") as ann, ann.live() as live:
        seen = await live.watch(TABLE)
        async with ann.live() as other:
            await other.watch(TABLE)
            await live.do(TABLE, c.BuyIn(person="ann", amount=1000_00))
            await live.until(lambda: (seen.private and seen.private.purse) or None)
            assert channel in screens._private
            await other.leave(TABLE)
        assert channel in screens._private
    while house.services.fanout.listeners():
        await asyncio.sleep(0.01)
    assert not screens._private


@in_house()
async def test_a_command_that_cannot_be_heard_is_refused_to_whoever_sent_it(house: Open) -> None:
    async with await house.client("ann") as ann, ann.live() as live:
        seen = await live.watch(TABLE)
        for request, amount, reason in (
            ("r1", 10**30, Reason.COMMAND_MALFORMED),
            ("r" * 65, 100_00, Reason.REQUEST_WRONG),
            ("r\0", 100_00, Reason.REQUEST_WRONG),
        ):
            with pytest.raises(Refused) as refused:
                await live.do(TABLE, bet(seen, amount), request)
            assert refused.value.reason is reason


@in_house()
async def test_a_message_that_is_too_large_ends_the_connection_and_is_not_sent_again(house: Open) -> None:
    async with await house.client("ann") as ann, ann.live() as live:
        slip = c.PlaceBets(round=1, lines=(c.Line(bet="player", amount=100_00, box=1),) * 2_000)
        with pytest.raises(Over) as over:
            await live.do(TABLE, slip)
        assert (over.value.code, live.connections) == (1009, 1)
