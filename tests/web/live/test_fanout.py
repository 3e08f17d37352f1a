"""One message to many, over real connections where the network matters."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from websockets.exceptions import ConnectionClosedError

from puntobanco.web.live.connection import ConnectionLimits
from puntobanco.web.live.fanout import Fanout
from tests.web.floor import TABLE, Hand, Seat, closing, live, open_floor, read, until


@live
async def test_a_message_reaches_everyone_at_the_table_in_order() -> None:
    async with open_floor(Fanout(at_once=2)) as floor, AsyncExitStack() as people:
        clients = [await people.enter_async_context(floor.person(f"p{nth}")) for nth in range(7)]
        for nth in range(20):
            floor.fanout.publish(TABLE, f"m{nth}")
        for client in clients:
            assert await read(client, "m19") == [f"m{nth}" for nth in range(20)]


@live
async def test_the_loop_turns_between_parts_of_a_message_and_a_newer_one_does_not_overtake() -> None:
    fanout = Fanout(at_once=2)
    async with AsyncExitStack() as seats:
        taken = [await seats.enter_async_context(Seat(fanout)) for _ in range(5)]
        for seat in taken:
            fanout.join(TABLE, seat.connection)
        fanout.publish(TABLE, "first")
        fanout.publish(TABLE, "second")
        assert [seat.had for seat in taken] == [["first"], ["first"], [], [], []]
        assert fanout.busy(TABLE)
        while fanout.busy(TABLE):
            await asyncio.sleep(0)
        assert [seat.had for seat in taken] == [["first", "second"]] * 5


@live
async def test_who_leaves_or_joins_while_a_message_is_on_its_way_does_not_get_it() -> None:
    fanout = Fanout(at_once=1)
    async with Seat(fanout) as stays, Seat(fanout) as leaves, Seat(fanout) as joins:
        fanout.join(TABLE, stays.connection)
        fanout.join(TABLE, leaves.connection)
        fanout.publish(TABLE, "card")
        fanout.leave(TABLE, leaves.connection)
        fanout.join(TABLE, joins.connection)
        while fanout.busy(TABLE):
            await asyncio.sleep(0)
        assert (stays.had, leaves.had, joins.had) == (["card"], [], [])


@live
async def test_a_connection_may_leave_and_another_close_while_they_are_being_sent_to() -> None:
    fanout = Fanout()

    def leave() -> None:
        fanout.leave(TABLE, one.connection)
        two.connection.close(1000, "")

    async with Seat(fanout, leave) as one, Seat(fanout) as two, Seat(fanout) as three:
        for seat in (one, two, three):
            fanout.join(TABLE, seat.connection)
        fanout.publish(TABLE, "card")
        assert (one.had, two.had, three.had) == (["card"], [], ["card"])
        assert fanout.listeners(TABLE) == (three.connection,)


@live
async def test_the_failure_of_one_connection_is_its_own() -> None:
    fanout = Fanout()

    def fail() -> None:
        raise OSError("gone")

    async with Seat(fanout, fail) as broken, Seat(fanout) as whole:
        for seat in (broken, whole):
            fanout.join(TABLE, seat.connection)
        fanout.publish(TABLE, "card")
        assert whole.had == ["card"]
        assert broken.ended
        assert fanout.listeners(TABLE) == (whole.connection,)


@live
async def test_nothing_is_kept_of_a_channel_nobody_listens_to() -> None:
    fanout = Fanout()
    async with Seat(fanout) as seat:
        fanout.join(TABLE, seat.connection)
        assert TABLE in fanout
    assert TABLE not in fanout
    assert fanout.listeners() == ()
    fanout.publish(TABLE, "to nobody")
    fanout.join(TABLE, seat.connection)
    assert TABLE not in fanout


@live
async def test_a_person_who_leaves_is_forgotten() -> None:
    async with open_floor() as floor:
        async with floor.person("ann"):
            assert len(floor.fanout.listeners(TABLE)) == 1
        await until(lambda: not floor.fanout.listeners())


@live
async def test_a_forced_sign_out_closes_every_connection_of_the_person_and_no_other() -> None:
    async with (
        open_floor() as floor,
        floor.person("ann") as one,
        floor.person("ann") as two,
        floor.person("ben") as ben,
    ):
        signed_in = floor.connection("ann")
        floor.fanout.close(("person", "ann"))
        floor.fanout.publish(TABLE, "after")
        signed_in.tell("a late answer")
        for client in (one, two):
            with pytest.raises(ConnectionClosedError, match=r"4401 .* signed out"):
                await client.recv()
        assert await read(ben, "after") == ["after"]
        await until(lambda: floor.sockets == 1)


@live
async def test_a_forced_sign_out_ends_a_connection_that_does_not_read_or_does_not_answer() -> None:
    async with open_floor() as floor, floor.person("ann"):
        await floor.stall("ann")
        _, writer = await floor.raw("ben")
        for name in ("ann", "ben"):
            floor.fanout.close(("person", name))
        assert not floor.fanout.listeners()
        await until(lambda: floor.sockets == 0)
        writer.close()


@live
async def test_who_does_not_answer_heartbeats_is_closed() -> None:
    clock = Hand()
    fanout = Fanout(ConnectionLimits(silence=25), clock)
    async with open_floor(fanout) as floor, floor.person("ann") as ann, floor.person("ben") as ben:
        clock.now += 20
        fanout.beat("beat 1")
        assert await read(ann, "beat 1") == ["beat 1"]
        await ann.send("here")
        assert await read(ann, "heard here") == ["heard here"]
        clock.now += 6
        fanout.beat("beat 2")
        assert await read(ann, "beat 2") == ["beat 2"]
        assert await closing(ben) == (4408, "nothing heard")


@live
async def test_heartbeats_go_on_by_themselves() -> None:
    fanout = Fanout(ConnectionLimits(heartbeat=0.01))
    async with open_floor(fanout) as floor, floor.person("ann") as ann:
        beats = iter(range(1000))
        beating = asyncio.create_task(fanout.keep_beating(lambda: f"beat {next(beats)}"))
        assert await read(ann, "beat 2") == ["beat 0", "beat 1", "beat 2"]
        beating.cancel()
