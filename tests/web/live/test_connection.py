"""What one connection is sent, what is heard from it, and when it is given up."""

import asyncio
import socket
import sys
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from puntobanco.web.live.connection import ConnectionLimits, EncodedMessage
from puntobanco.web.live.fanout import Fanout
from puntobanco.web.server.admission import Bucket
from puntobanco.web.server.uvicorn_protocols import FRAME
from tests.web.floor import TABLE, Floor, Hand, Seat, closing, live, open_floor, read, until

OTHER = ("two", "players")


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536])
def test_a_message_is_framed_as_the_protocol_says(length: int) -> None:
    text = "x" * length
    assert EncodedMessage(text).frame == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


@live
async def test_who_is_behind_gets_the_newest_of_each_channel_and_every_private_message_in_order() -> None:
    async with open_floor() as floor, floor.person("ann") as ann:
        connection = await floor.stall("ann")
        connection.offer(TABLE, EncodedMessage("old"))
        connection.tell("answer 1")
        connection.offer(OTHER, EncodedMessage("other table"))
        connection.offer(TABLE, EncodedMessage("older"))
        connection.tell("answer 2")
        connection.offer(TABLE, EncodedMessage("newest"))
        assert await read(ann, "newest") == ["answer 1", "other table", "answer 2", "newest"]
        await until(lambda: not connection.behind)
        connection.offer(TABLE, EncodedMessage("and on"))
        assert await read(ann, "and on") == ["and on"]


def segments(floor: Floor) -> int:
    """How many packets with data the only connection has sent."""
    [line] = floor.upgraded
    told = line.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 160)
    return int.from_bytes(told[156:160], sys.byteorder)


@live
async def test_the_messages_of_one_turn_are_written_together_and_in_order() -> None:
    async with open_floor() as floor, floor.person("ann") as ann:
        connection, before = floor.connection("ann"), segments(floor)
        connection.tell("answer 1")
        connection.offer(TABLE, EncodedMessage("public"))
        connection.tell("answer 2")
        assert await read(ann, "answer 2") == ["answer 1", "public", "answer 2"]
        assert segments(floor) == before + 1


@live
async def test_what_was_told_in_the_same_turn_arrives_before_the_close() -> None:
    async with open_floor() as floor, floor.person("ann") as ann:
        connection = floor.connection("ann")
        connection.tell("last words")
        connection.close(4401, "signed out")
        assert await read(ann, "last words") == ["last words"]
        assert await closing(ann) == (4401, "signed out")


@live
async def test_what_comes_later_does_not_overtake_what_waits() -> None:
    fanout = Fanout()
    async with Seat(fanout) as seat:
        seat.full = True
        seat.connection.tell("first")
        seat.full = False
        seat.connection.tell("second")
        await until(lambda: not seat.connection.behind)
        assert seat.had == ["first", "second"]


@live
async def test_nothing_more_is_heard_from_a_connection_that_was_closed() -> None:
    async with Seat(Fanout()) as seat:
        seat.says = ["in time", "too late"]
        assert await seat.connection.hear() == "in time"
        seat.connection.close(4401, "signed out")
        assert await seat.connection.hear() is None


@live
async def test_what_waits_is_not_sent_to_a_connection_that_was_closed() -> None:
    async with Seat(Fanout()) as seat:
        seat.full = True
        seat.connection.tell("private")
        await asyncio.sleep(0)
        seat.connection.close(4401, "signed out")
        seat.full = False
        await seat.connection.over()
        assert seat.had == []


@live
async def test_one_that_is_behind_delays_nobody() -> None:
    async with open_floor() as floor, floor.person("ann"), floor.person("ben") as ben:
        connection = await floor.stall("ann")
        for nth in range(50):
            floor.fanout.publish(TABLE, f"m{nth}")
            assert await read(ben, f"m{nth}") == [f"m{nth}"]
        assert connection.behind


@live
async def test_private_messages_are_never_skipped_up_to_the_bound_and_then_the_connection_is_closed() -> None:
    async with (
        open_floor(Fanout(ConnectionLimits(waiting=8))) as floor,
        floor.person("ann") as ann,
        floor.person("ben") as ben,
    ):
        connection = await floor.stall("ann")
        for nth in range(8):
            connection.tell(f"answer {nth}")
        assert await read(ann, "answer 7") == [f"answer {nth}" for nth in range(8)]
        connection = await floor.stall("ben")
        for nth in range(9):
            assert connection.open
            connection.tell(f"answer {nth}")
        assert not connection.open
        assert await closing(ben) == (1013, "too much is waiting")


@live
async def test_who_stays_behind_too_long_is_told_so_and_forgotten() -> None:
    async with open_floor(Fanout(ConnectionLimits(slow=0.05))) as floor, floor.person("ann") as ann:
        await floor.stall("ann")
        await until(lambda: not floor.fanout.listeners())
        assert await closing(ann) == (1013, "too slow")


@live
async def test_who_never_reads_at_all_holds_nothing_of_the_server() -> None:
    async with open_floor(Fanout(ConnectionLimits(slow=0.05))) as floor, floor.person("ann"):
        await floor.stall("ann")
        await until(lambda: floor.sockets == 0)


@live
async def test_who_goes_away_while_behind_is_forgotten() -> None:
    async with open_floor() as floor, floor.person("ann") as ann:
        connection = await floor.stall("ann")
        connection.tell("never read")
        ann.transport.abort()
        await until(lambda: not floor.fanout.listeners())
        connection.tell("to nobody")
        await until(lambda: floor.sockets == 0)


@live
async def test_twenty_messages_a_second_are_heard_and_the_rest_refused() -> None:
    clock = Hand()
    async with open_floor(Fanout(ConnectionLimits(rate=20, burst=3), clock)) as floor, floor.person("ann") as ann:
        for nth in range(5):
            await ann.send(f"{nth}")
        assert await read(ann, "refused 4") == ["heard 0", "heard 1", "heard 2", "refused 3", "refused 4"]
        clock.now += 1 / 16
        for nth in range(2):
            await ann.send(f"later {nth}")
        assert await read(ann, "refused later 1") == ["heard later 0", "refused later 1"]


@live
async def test_who_goes_on_after_refusals_is_closed() -> None:
    limits = ConnectionLimits(burst=3, refusals=7)
    async with open_floor(Fanout(limits, Hand())) as floor, floor.person("ann") as ann:
        for _ in range(11):
            await ann.send("again")
        assert await closing(ann) == (1008, "too many messages")


def test_tokens_come_back_at_their_rate_and_never_exceed_the_burst() -> None:
    clock = Hand()
    bucket = Bucket(rate=20, burst=40, clock=clock)
    assert [bucket.take() for _ in range(41)] == [True] * 40 + [False]
    clock.now += 0.5
    assert [bucket.take() for _ in range(11)] == [True] * 10 + [False]
    clock.now += 3600
    assert [bucket.take() for _ in range(41)] == [True] * 40 + [False]


@live
async def test_a_frame_of_64_kib_is_heard_and_a_larger_one_closes() -> None:
    async with open_floor() as floor, floor.person("ann") as ann:
        await ann.send("x" * FRAME)
        assert await read(ann, f"heard {FRAME}") == [f"heard {FRAME}"]
        await ann.send("x" * (FRAME + 1))
        code, _ = await closing(ann)
        assert code == 1009


@live
async def test_a_message_in_parts_is_bounded_as_a_whole() -> None:
    async with open_floor() as floor, floor.person("ann") as ann:
        with suppress(ConnectionClosed):
            await ann.send("x" * 1024 for _ in range(65))
        code, _ = await closing(ann)
        assert code == 1009


@live
async def test_only_text_is_heard() -> None:
    async with open_floor() as floor, floor.person("ann") as ann:
        await ann.send(b"bytes")
        assert await closing(ann) == (1003, "only text is heard")


@live
async def test_a_handler_that_fails_closes_its_connection_only() -> None:
    async with open_floor() as floor, floor.person("ann") as ann, floor.person("ben") as ben:
        await ann.send("fail")
        assert await closing(ann) == (1011, "something went wrong here")
        await ben.send("still here")
        assert await read(ben, "heard still here") == ["heard still here"]


@live
async def test_a_handler_that_is_done_says_so() -> None:
    async with open_floor() as floor, floor.person("ann") as ann:
        await ann.send("bye")
        assert await closing(ann) == (1000, "")


@live
async def test_who_pings_and_never_reads_is_ended() -> None:
    async with open_floor() as floor:
        _, writer = await floor.raw("ann")
        pings = (b"\x89\xfd" + bytes(4) + bytes(125)) * 500
        try:
            with suppress(ConnectionError):
                for _ in range(300):
                    writer.write(pings)
                    await writer.drain()
                    await asyncio.sleep(0)
            await until(lambda: floor.sockets == 0)
        finally:
            writer.transport.abort()


@live
async def test_on_another_server_messages_go_its_own_way() -> None:
    async with open_floor(ws="websockets-sansio") as floor, floor.person("ann") as ann:
        for nth in range(3):
            floor.fanout.tell(TABLE, f"answer {nth}")
        floor.fanout.publish(TABLE, "old")
        floor.fanout.publish(TABLE, "new")
        assert await read(ann, "new") == ["answer 0", "answer 1", "answer 2", "new"]
        floor.fanout.close(("person", "ann"))
        assert await closing(ann) == (4401, "signed out")


@live
async def test_who_asks_for_compression_gets_the_same_messages() -> None:
    async with open_floor(ws_per_message_deflate=True) as floor, floor.person("ann", compression="deflate") as ann:
        assert ann.protocol.extensions
        floor.fanout.publish(TABLE, "card " * 100)
        assert await read(ann, "card " * 100) == ["card " * 100]
