"""Floods in small: whoever takes more than their budget is refused, then closed, and everybody else goes on."""

import asyncio
import gc
import json
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from itertools import pairwise
from typing import Any
from weakref import WeakSet

import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed, InvalidStatus

from puntobanco.house.identity.throttle import RateLimit
from puntobanco.house.operations.log import Sparing
from puntobanco.house.operations.settings import LiveSettings, Settings, WebSettings
from puntobanco.web.server import admission as gates
from puntobanco.web.server.admission import STRANGERS, Admission, AdmissionLimits, Turnstile
from puntobanco.web.server.listener import DOOR
from puntobanco.web.server.uvicorn_protocols import HttpProtocol, LiveProtocol
from tests.web.floor import closing, live, open_floor, until
from tests.web.house import HERE, PATIENCE, SETTINGS, Premises, Visitor, answer_to, heard, in_a_house

PING, PONG = b"\x89\x80" + bytes(4), b"\x8a\x80" + bytes(4)
EMPTY_PART = b"\x00\x80" + bytes(4)
SMALL: Settings = replace(SETTINGS, live=LiveSettings(messages_per_second=2, bytes_per_second=16_384))
SLOWLY: Settings = replace(SETTINGS, live=LiveSettings(messages_per_second=20))


def counted(premises: Premises, what: str) -> float:
    return premises.services.metrics.registry.get_sample_value("puntobanco_floods_total", {"what": what}) or 0.0


async def still_served(visitor: Visitor) -> None:
    """Somebody who has signed in asks, and opens a screen."""
    assert (await visitor.get("/me")).status_code == 200
    async with visitor.live() as connection:
        await connection.send(json.dumps({"type": "Watch", "table": HERE}))
        async with asyncio.timeout(PATIENCE):
            assert heard(await connection.recv())["type"] == "Whole"


@asynccontextmanager
async def raw_line(premises: Premises, sent: bytes = b"") -> AsyncIterator[tuple[Any, Any]]:
    host, _, port = premises.url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(sent)
        yield reader, writer
    finally:
        writer.transport.abort()


def asked(premises: Premises, path: str = "/u/1/api/me", *headers: str, method: str = "GET") -> bytes:
    lines = (f"{method} {path} HTTP/1.1", f"Host: {premises.url.removeprefix('http://')}", *headers, "", "")
    return "\r\n".join(lines).encode()


async def rest(reader: asyncio.StreamReader) -> bytes:
    """What comes until the connection ends."""
    found = b""
    async with asyncio.timeout(PATIENCE):
        with suppress(ConnectionError):
            while more := await reader.read(65_536):
                found += more
    return found


# ---- one live connection -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", [PING, PONG, EMPTY_PART], ids=["ping", "pong", "empty part"])
def test_frames_of_every_kind_are_budgeted(frame: bytes) -> None:
    @in_a_house(settings=SMALL)
    async def test(premises: Premises) -> None:
        ann, bao = await premises.visitor("ann"), await premises.visitor("bao", 2)
        async with bao.live() as other, ann.live() as connection:
            beginning = b"\x01\x80" + bytes(4) if frame is EMPTY_PART else b""
            connection.transport.write(beginning + 30 * frame)
            await connection.send('{"type":"Here"}') if frame is not EMPTY_PART else None
            await asyncio.sleep(0)
            assert connection.close_code is None
            connection.transport.write(30 * frame)
            assert await closing(connection) == (1008, "too many frames")
            await other.send(json.dumps({"type": "Watch", "table": HERE}))
            assert heard(await other.recv())["type"] == "Whole"
        assert counted(premises, "frames") == 1
        await until(lambda: not premises.services.fanout.listeners(("person", "ann")))
        assert premises.services.admission._is_shut("person ann")
        await still_served(bao)

    test()


def does(table: str, many: int) -> bytes:
    """Frames of commands that are refused one by one."""
    texts = [json.dumps({"type": "Do", "table": table, "request": f"{nth}", "command": {"type": "X"}, "proof": None})
             .ljust(120).encode() for nth in range(many)]  # fmt: skip
    return b"".join(b"\x81" + bytes([0x80 | len(text)]) + bytes(4) + text for text in texts)


@in_a_house(settings=SLOWLY)
async def test_a_few_messages_in_one_packet_are_heard_at_once_and_many_wait_in_line(premises: Premises) -> None:
    ann, waited, turnstile = await premises.visitor("ann"), list[str](), premises.services.admission.turnstile
    enter = turnstile.enter

    def counted(caller: str, work: Callable[[], bool]) -> None:
        waited.append(caller)
        enter(caller, work)

    async with ann.live() as one, ann.live() as other:
        turnstile.enter = counted  # type: ignore[method-assign]
        one.transport.write(does(HERE, 4))
        for nth in range(4):
            await answer_to(one, str(nth))
        assert waited == []
        for screen in (one, other):
            screen.transport.write(does(HERE, 18))
            for nth in range(18):
                await answer_to(screen, str(nth))
        assert set(waited) == {"person ann"}
        assert len(waited) > 30, "hardly more than one message at a time"


@in_a_house(settings=SMALL)
async def test_bytes_of_a_connection_are_budgeted(premises: Premises) -> None:
    ann, bao = await premises.visitor("ann"), await premises.visitor("bao", 2)
    async with ann.live() as connection:
        with suppress(ConnectionClosed):
            for _ in range(20):
                await connection.send("x" * 60_000)
        assert (await closing(connection))[0] == 1008
    assert counted(premises, "bytes") == 1
    await still_served(bao)


@in_a_house(settings=SMALL)
async def test_whatever_follows_the_handshake_is_no_error(premises: Premises) -> None:
    ann = await premises.visitor("ann")
    head = asked(premises, "/u/1/api/live", "Upgrade: websocket", "Connection: Upgrade", f"Origin: {premises.url}",
                 "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
                 f"Cookie: {ann.cookie['Cookie']}")  # fmt: skip
    for flood in (b"\xff" * 64, b"\x81\x82" + bytes(4) + b"\xff\xfe", PING * 50_000):
        async with raw_line(premises, head) as (reader, writer):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(flood)
            await rest(reader)
    assert not [line for line in premises.lines() if line["level"] == "error"]
    await still_served(await premises.visitor("bao", 2))


@live
async def test_who_floods_before_the_handshake_is_answered_is_ended() -> None:
    never, faults = asyncio.Event(), list[Any]()

    async def app(scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG001
        await never.wait()

    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    async with open_floor(app=app) as floor:
        for flood in (b"\xff" * 64, PING * 500, PING * 50_000):
            reader, writer = await floor.knock("ann")
            await until(lambda: bool(floor.upgraded))
            writer.write(flood)
            await rest(reader)
            writer.transport.abort()
        never.set()
    assert not faults


@in_a_house()
async def test_text_that_is_none_closes_its_connection_without_an_error(premises: Premises) -> None:
    ann = await premises.visitor("ann")
    async with ann.live() as connection:
        connection.transport.write(b"\x81\x82" + bytes(4) + b"\xff\xfe")
        assert (await closing(connection))[0] == 1007
    assert not [line for line in premises.lines() if line["level"] == "error"]


# ---- one person --------------------------------------------------------------------------------------------------


FEW: Settings = replace(SETTINGS, live=LiveSettings(messages_per_second=10_000, person_screens=5, person_watches=3))


@in_a_house(settings=FEW)
async def test_screens_are_capped_for_a_person_over_all_sessions(premises: Premises) -> None:
    sessions = [await premises.visitor("ann", slot) for slot in range(3)]
    async with AsyncExitStack() as publisher:
        for nth in range(5):
            await publisher.enter_async_context(sessions[nth % 3].live())
        for session in sessions:
            with pytest.raises(InvalidStatus) as refused:
                await publisher.enter_async_context(session.live())
            assert refused.value.response.status_code == 429
        await still_served(await premises.visitor("bao", 5))
    await until(lambda: not premises.services.fanout.listeners(("person", "ann")))
    await still_served(sessions[0])


@in_a_house(settings=FEW, tables=[("third", "commission", {}), ("fourth", "commission", {})])
async def test_watches_are_capped_for_a_person_over_all_screens(premises: Premises) -> None:
    ann, again = await premises.visitor("ann"), await premises.visitor("ann", 2)

    async def watched(connection: Any, table: str) -> str:
        await connection.send(json.dumps({"type": "Watch", "table": table}))
        async with asyncio.timeout(PATIENCE):
            while True:
                told = heard(await connection.recv())
                if told.get("table") == table and told["type"] == "Whole":
                    return "Whole"
                if told.get("table") == table and told["type"] == "Misheard":
                    return str(told["why"]["reason"])

    async with ann.live() as one:
        async with again.live() as other:
            assert [await watched(one, table) for table in (HERE, "there")] == ["Whole"] * 2
            assert await watched(other, HERE) == "Whole"
            assert await watched(other, "third") == "too_many_watched"
            assert await watched(other, HERE) == "Whole", "what is watched may be asked for again"
            await one.send(json.dumps({"type": "Leave", "table": "there"}))
            await one.send(json.dumps({"type": "Leave", "table": "nowhere"}))
            assert await watched(one, "third") == "Whole"
            assert await watched(one, "fourth") == "too_many_watched"
        await until(lambda: len(premises.services.fanout.listeners(("person", "ann"))) == 1)
        assert await watched(one, "fourth") == "Whole", "a screen that is closed watches nothing"


@in_a_house(settings=SLOWLY)
async def test_messages_are_budgeted_for_a_person_over_all_screens_and_sessions(premises: Premises) -> None:
    bao = await premises.visitor("bao", 90)
    refused = 0
    async with AsyncExitStack() as stack, bao.live() as other:
        visitors = [await premises.visitor("ann", slot) for slot in range(8)]
        publisher = [await stack.enter_async_context(visitor.live()) for visitor in visitors]
        for screen in publisher:
            screen.transport.write(does(HERE, 40))
        for screen in publisher:
            for _ in range(40):
                refused += heard(await screen.recv())["why"]["reason"] == "too_fast"
        assert refused == counted(premises, "messages") > 0, "each screen alone has room for forty at once"
        await other.send(json.dumps({"type": "Do", "table": HERE, "request": "b", "command": {"type": "X"}}))
        assert (await answer_to(other, "b"))["why"]["reason"] == "unknown_command"


@in_a_house(settings=SMALL)
async def test_frames_are_budgeted_for_a_person_over_all_screens(premises: Premises) -> None:
    """Each screen keeps to its own budget of twelve."""
    ann, bao = await premises.visitor("ann"), await premises.visitor("bao", 2)
    premises.services.admission.frames = RateLimit(0.01, 60)
    async with AsyncExitStack() as stack, bao.live() as other:
        publisher = [await stack.enter_async_context(ann.live()) for _ in range(8)]
        for screen in publisher:
            screen.transport.write(10 * PING)
        async with asyncio.timeout(PATIENCE):
            closed = [asyncio.create_task(one.wait_closed()) for one in publisher]
            await asyncio.wait(closed, return_when="FIRST_COMPLETED")
        assert counted(premises, "frames") >= 1
        await other.send(json.dumps({"type": "Watch", "table": HERE}))
        assert heard(await other.recv())["type"] == "Whole"


@in_a_house(settings=SMALL)
async def test_a_screen_is_not_closed_for_what_a_persons_other_screens_have_used_up(premises: Premises) -> None:
    """Twenty messages at once and ten a second are the person's; the screen itself could send any number."""
    services = premises.services
    services.fanout.limits = replace(services.fanout.limits, rate=10_000, burst=10_000, refusals=3)
    services.admission.limits = replace(services.admission.limits, frames=10_000)
    services.admission.frames = RateLimit(10_000, 10_000)
    ann = await premises.visitor("ann")
    async with ann.live() as connection:
        for number in range(100):
            await connection.send(json.dumps({"type": "Do", "table": HERE, "request": str(number), "command": {}}))
        reasons = [heard(await connection.recv())["why"]["reason"] for _ in range(100)]
        assert reasons.count("too_fast") > 3
        assert connection.close_code is None


@in_a_house(patient=False)
async def test_requests_are_budgeted_for_a_person_over_all_sessions(premises: Premises) -> None:
    sessions = [await premises.visitor("ann", slot) for slot in range(4)]
    bao = await premises.visitor("bao", 5)
    premises.services.admission.requests = RateLimit(0.01, 20)
    statuses = [(await sessions[nth % 4].get("/me")).status_code for nth in range(24)]
    assert statuses == [200] * 20 + [429] * 4
    assert (await bao.get("/me")).status_code == 200
    assert counted(premises, "requests") == 4


# ---- requests of whoever it is -----------------------------------------------------------------------------------


@in_a_house(patient=False)
async def test_a_connection_that_goes_on_after_429_is_closed(premises: Premises) -> None:
    premises.services.admission.requests = RateLimit(0.01, 3)
    async with raw_line(premises, asked(premises) * 50) as (reader, _):
        told = await rest(reader)
    statuses = [part[:3] for part in told.split(b"HTTP/1.1 ")[1:]]
    assert statuses == [b"401"] * 3 + [b"429"] * 2
    assert told.lower().count(b"connection: close") == 1
    assert b'"reason":"too_fast"' in told
    assert b"retry-after: 1" in told.lower()


@in_a_house(patient=False)
async def test_pages_have_a_budget_too_and_head_has_no_body(premises: Premises) -> None:
    premises.services.admission.pages = RateLimit(0.01, 1)
    async with raw_line(premises, asked(premises, "/", method="HEAD") * 3) as (reader, _):
        told = await rest(reader)
    assert [part[:3] for part in told.split(b"HTTP/1.1 ")[1:]] == [b"307", b"429", b"429"]
    assert b"too_fast" not in told


@in_a_house(patient=False)
async def test_strangers_together_have_a_budget_that_is_nobody_elses(premises: Premises) -> None:
    ann = await premises.visitor("ann")
    premises.services.admission.strangers = RateLimit(0.01, 2)
    stranger = premises.stranger(7)
    assert [(await stranger.get("/me")).status_code for _ in range(4)] == [401, 401, 429, 429]
    with pytest.raises(InvalidStatus) as refused:
        async with stranger.live():
            pass
    assert refused.value.response.status_code == 429
    await still_served(ann)
    assert (await stranger.client.get("/health/ready")).status_code == 200, "the house is watched all the same"


@in_a_house(patient=False)
async def test_who_is_refused_again_and_again_is_shut_out_before_anything_is_read(
    premises: Premises,
) -> None:
    ann, admission = await premises.visitor("ann"), premises.services.admission
    admission.requests, admission._refusals = RateLimit(0.01, 3), RateLimit(0.01, 5)
    for _ in range(9):
        async with raw_line(premises, asked(premises)) as (reader, _):
            await reader.read(20)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(gates, "SHUT", 1_000_000)
        async with raw_line(premises, asked(premises)) as (reader, _):
            await rest(reader)
        admission.refused(admission.caller("", "", "127.0.0.1"))
    before = counted(premises, "requests")
    async with raw_line(premises, asked(premises)) as (reader, _):
        assert await rest(reader) == b""
    assert counted(premises, "requests") == before, "nothing was counted, since nothing was read"
    await still_served(ann)


@in_a_house(patient=False)
async def test_requests_that_cannot_be_read_are_budgeted_too(premises: Premises) -> None:
    ann, admission = await premises.visitor("ann"), premises.services.admission
    admission.requests, admission._refusals = RateLimit(0.01, 3), RateLimit(0.01, 5)

    async def answered() -> bool:
        async with raw_line(premises, b"GET\r\n\r\n") as (reader, _):
            return (await rest(reader)).startswith(b"HTTP/1.1 400")

    assert [await answered() for _ in range(12)].count(True) in range(9, 12)
    assert counted(premises, "requests")
    await still_served(ann)


@in_a_house()
async def test_a_body_in_countless_parts_is_not_read_to_its_end(premises: Premises) -> None:
    ann = await premises.visitor("ann")
    head = asked(premises, "/u/1/api/sign-in", "X-Puntobanco: 1", "Transfer-Encoding: chunked", method="POST")
    async with raw_line(premises, head + b"1\r\nx\r\n" * 100_000) as (reader, _):
        assert (await rest(reader))[:12] in (b"HTTP/1.1 400", b"")
    await still_served(ann)
    assert not [line for line in premises.lines() if line["level"] == "error"]


@in_a_house()
async def test_a_connection_that_has_sent_nothing_more_takes_no_turn(premises: Premises) -> None:
    took, turnstile = list[bool](), premises.services.admission.turnstile
    enter = turnstile.enter

    def noted(caller: str, work: Callable[[], bool]) -> None:
        def turn() -> bool:
            took.append(work())
            return took[-1]

        enter(caller, work if caller == DOOR else turn)

    turnstile.enter = noted  # type: ignore[method-assign]
    async with raw_line(premises) as (reader, writer), asyncio.timeout(PATIENCE):
        for nth in range(1, 4):
            writer.write(asked(premises))
            await reader.readuntil(b"HTTP/1.1 401")
            await until(lambda many=nth: len(took) == 2 * many)  # type: ignore[misc]
    assert took == 3 * [True, False]


@in_a_house(settings=replace(SETTINGS, web=WebSettings(port=0, requests_per_second=5)))
async def test_what_takes_long_is_asked_for_less_often(premises: Premises) -> None:
    ann, bao = await premises.visitor("ann"), await premises.visitor("bao", 2)
    paths = (f"/tables/{HERE}/shoe", f"/tables/{HERE}/shoes/one")
    given = [(await ann.get(paths[nth % 2])).status_code for nth in range(4)]
    assert given[:2] == [409, 409], "no shoe is there"
    assert given[2:] == [429, 429]
    assert counted(premises, "requests") == 2
    assert (await ann.get("/me")).status_code == 200, "there is room for others"
    assert (await bao.get(paths[0])).status_code == 409


@in_a_house()
async def test_a_body_in_many_parts_takes_many_turns(premises: Premises) -> None:
    turns, turnstile = list[str](), premises.services.admission.turnstile
    enter = turnstile.enter

    def counted(caller: str, work: Callable[[], bool]) -> None:
        turns.append(caller)
        enter(caller, work)

    turnstile.enter = counted  # type: ignore[method-assign]
    head = asked(premises, "/u/1/api/sign-in", "X-Puntobanco: 1", "Transfer-Encoding: chunked", method="POST")
    content = b'{"name":"nobody","password":"' + b"x" * 167 + b'"}'
    parts = b"".join(b"1\r\n%c\r\n" % one for one in content)
    async with raw_line(premises, head + parts + b"0\r\n\r\n" + asked(premises)) as (reader, _):
        async with asyncio.timeout(PATIENCE):
            assert (await reader.readuntil(b"\r\n"))[:12] == b"HTTP/1.1 401"
            await reader.readuntil(b"HTTP/1.1 401")
    assert 10 <= len(turns) <= 15, "two hundred parts, twenty at a time, and the next request"


@in_a_house()
async def test_a_head_that_is_too_long_is_not_read(premises: Premises) -> None:
    """Nor is what comes after a body: it is read the same way."""
    ann = await premises.visitor("ann")
    tail = "\r\n0\r\n"
    chunked = asked(premises, "/u/1/api/sign-in", "Transfer-Encoding: chunked", method="POST")[:-2].decode()
    for lines, status in (
        (90 * ["a: b"], b"401"),
        (["a: " + 15_000 * "b"], b"401"),
        (120 * ["a: b"], b"400"),
        (["a: b", *(120 * [" folded"])], b"400"),
        (["a: " + 17_000 * "b"], b"400"),
    ):
        async with raw_line(premises, asked(premises, "/u/1/api/me", *lines, "Connection: close")) as (reader, _):
            assert (await rest(reader))[9:12] == status, lines[0][:10]
    for many, status in ((90, b"403"), (120, b"400")):
        after = chunked + tail + many * "a: b\r\n" + "\r\n"
        async with raw_line(premises, after.encode()) as (reader, _), asyncio.timeout(PATIENCE):
            assert (await reader.readuntil(b"\r\n"))[9:12] == status
    await still_served(ann)
    assert not [line for line in premises.lines() if line["level"] == "error"]


@in_a_house(patient=False)
async def test_a_request_that_is_refused_and_cannot_be_read_is_no_error(premises: Premises) -> None:
    premises.services.admission.requests = RateLimit(0.01, 1)
    head = asked(premises, "/u/1/api/sign-in", "X-Puntobanco: 1", "Transfer-Encoding: chunked", method="POST")
    for _ in range(3):
        async with raw_line(premises, head + b"1\r\nx\r\n" * 600) as (reader, _):
            assert (await rest(reader))[:12] in (b"HTTP/1.1 400", b"HTTP/1.1 429"), "whichever is found out first"
    assert not [line for line in premises.lines() if line["level"] == "error"]


@in_a_house()
async def test_who_sends_ahead_without_end_is_ended(premises: Premises) -> None:
    ann = await premises.visitor("ann")
    head = asked(premises, "/u/1/api/sign-in", "X-Puntobanco: 1", "Content-Length: 1000000000", method="POST")
    async with raw_line(premises, head) as (reader, writer):
        reading = asyncio.create_task(rest(reader))
        with suppress(ConnectionError):
            async with asyncio.timeout(PATIENCE):
                while True:
                    writer.write(bytes(1024 * 1024))
                    await writer.drain()
        await reading
    assert counted(premises, "bytes") == 1
    await still_served(ann)


# ---- connections without a session -------------------------------------------------------------------------------

LITTLE_ROOM: Settings = replace(
    SETTINGS,
    web=WebSettings(port=0, secure_cookies=False, anonymous_connections=10, anonymous_connections_per_address=4),
)


@in_a_house(settings=LITTLE_ROOM)
async def test_connections_without_a_session_end_the_oldest_of_them_and_no_other(premises: Premises) -> None:
    ann, admission = await premises.visitor("ann"), premises.services.admission
    await ann.client.aclose()
    premises._client = ann.client = type(ann.client)(base_url=premises.url, timeout=PATIENCE)
    async with AsyncExitStack() as stack, ann.live() as connection:
        readers = [(await stack.enter_async_context(raw_line(premises)))[0] for _ in range(4)]
        await until(lambda: admission.held == 4)
        for _ in range(3):
            await stack.enter_async_context(raw_line(premises))
        for reader in readers[:3]:
            assert await rest(reader) == b""
        assert admission.held == 4
        assert counted(premises, "connections") == 3
        await connection.send(json.dumps({"type": "Watch", "table": HERE}))
        assert heard(await connection.recv())["type"] == "Whole"
        assert (await ann.get("/me")).status_code == 200
        await still_served(ann)


@in_a_house(settings=replace(SETTINGS, web=replace(LITTLE_ROOM.web, person_connections=3)))
async def test_a_person_holds_so_many_connections_and_strangers_end_none_of_them(premises: Premises) -> None:
    ann, bao, admission = await premises.visitor("ann"), await premises.visitor("bao", 2), premises.services.admission
    mine = asked(premises, "/u/1/api/me", f"Cookie: {ann.cookie['Cookie']}")
    async with AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(raw_line(premises, mine)) for _ in range(3)]
        for reader, _ in lines:
            assert await reader.read(12) == b"HTTP/1.1 200"
        for _ in range(20):
            await stack.enter_async_context(raw_line(premises))
        await until(lambda: counted(premises, "connections") > 10)
        for reader, writer in lines:
            writer.write(mine)
            assert b"HTTP/1.1 200" in await reader.readuntil(b"HTTP/1.1 200")
        before = counted(premises, "connections")
        await stack.enter_async_context(raw_line(premises, mine))
        await rest(lines[0][0])
        assert counted(premises, "connections") > before
        assert len(admission._people["person ann"]) == 3
        assert (await bao.get("/me")).status_code == 200


@in_a_house(settings=LITTLE_ROOM)
async def test_a_connection_is_its_persons_before_its_turn_has_come(premises: Premises) -> None:
    ann, admission = await premises.visitor("ann"), premises.services.admission
    turn, enter = asyncio.Event(), Turnstile.enter

    def entered(self: Turnstile, caller: str, work: Callable[[], bool]) -> None:
        """Whoever knocks is let in; nobody else has a turn."""
        if caller == DOOR:
            asyncio.get_running_loop().call_soon(work)
        else:
            enter(self, caller, work)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Turnstile, "enter", entered)
        patched.setattr(Turnstile, "_turn", lambda _: turn.set())
        async with raw_line(premises, asked(premises, "/u/1/api/me", f"Cookie: {ann.cookie['Cookie']}")) as (reader, _):
            await turn.wait()
            async with AsyncExitStack() as stack:
                for _ in range(20):
                    await stack.enter_async_context(raw_line(premises))
                await until(lambda: counted(premises, "connections") > 10)
            patched.undo()
            admission.turnstile._turn()
            assert await reader.read(12) == b"HTTP/1.1 200"


class Held:
    ended = False

    def end(self) -> None:
        self.ended = True


def test_in_total_the_address_that_has_the_most_connections_gives_one_up() -> None:
    admission = Admission(AdmissionLimits(connections=5, connections_per_address=100), proxies=("10.0.0.0/8",))
    many, few = [Held() for _ in range(4)], [Held() for _ in range(2)]
    for one in many:
        admission.hold(one, "address 192.0.2.1")
    for one in few:
        admission.hold(one, "address 192.0.2.2")
    assert [one.ended for one in (*many, *few)] == [True] + [False] * 5
    assert admission.held == 5
    for one in (*many, *few, *few):
        admission.release(one, "address 192.0.2.1")
        admission.release(one, "address 192.0.2.2")
    assert (admission.held, admission._strangers) == (0, {})


def test_a_proxy_has_no_share_of_its_own() -> None:
    admission = Admission(AdmissionLimits(connections=100, connections_per_address=2), proxies=("10.0.0.0/8",))
    behind, direct = [Held() for _ in range(5)], [Held() for _ in range(5)]
    for one in behind:
        admission.hold(one, "address 10.1.2.3", shared=admission.is_proxy("10.1.2.3"))
    for one in direct:
        admission.hold(one, "address 192.0.2.1", shared=admission.is_proxy("192.0.2.1"))
    assert not any(one.ended for one in behind)
    assert [one.ended for one in direct] == [True, True, True, False, False]
    assert not admission.is_proxy("no address")


PROXIED: Settings = replace(
    SETTINGS,
    web=WebSettings(port=0, behind_tls_proxy=True, trusted_proxies=("127.0.0.1/32",), secure_cookies=False),
)


@in_a_house(settings=PROXIED, patient=False)
async def test_behind_a_proxy_the_budget_is_of_the_address_it_names(premises: Premises) -> None:
    premises.services.admission.requests = RateLimit(0.01, 2)

    async def status(address: str) -> int:
        return (await premises.stranger().get("/me", headers={"X-Forwarded-For": address})).status_code

    assert [await status("192.0.2.1") for _ in range(3)] == [401, 401, 429]
    assert await status("192.0.2.2") == 401


# ---- one at a time -----------------------------------------------------------------------------------------------


@live
async def test_whoever_brings_much_waits_behind_themselves() -> None:
    turnstile, done = Turnstile(), list[str]()

    def enter(caller: str, name: str) -> None:
        def work() -> bool:
            done.append(name)
            return True

        turnstile.enter(caller, work)

    for nth in range(3):
        enter("person ann", f"ann {nth}")
    for nth in range(5):
        enter("address 192.0.2.1", f"one {nth}")
    enter("address 192.0.2.2", "two")
    enter("person bao", "bao")
    await until(lambda: len(done) == 10)
    assert done == ["ann 0", "one 0", "bao", "two", "ann 1", "one 1", "ann 2", "one 2", "one 3", "one 4"]
    enter("person ann", "again")
    await until(lambda: done[-1] == "again")


@live
async def test_between_two_pieces_of_work_the_loop_is_left_to_others() -> None:
    """Whatever a piece leads to: a pause that began with it would be over when that is done."""
    turnstile, loop, at, turns = Turnstile(), asyncio.get_running_loop(), list[int](), 0

    def turn() -> None:
        nonlocal turns
        turns += 1
        if len(at) < 5:
            loop.call_soon(turn)

    def work() -> bool:
        at.append(turns)
        loop.call_soon(loop.call_soon, time.sleep, 0.005)
        return True

    turn()
    for _ in range(5):
        turnstile.enter("person ann", work)
    await until(lambda: len(at) == 5)
    between = [after - before for before, after in pairwise(at)]
    assert min(between) > 10, "a bet takes about ten"


@live
async def test_nothing_pauses_while_no_command_is_under_way() -> None:
    for busy in (False, True):
        turnstile, done, began = Turnstile(lambda busy=busy: busy), list[float](), time.monotonic()  # type: ignore[misc]
        for _ in range(200):
            turnstile.enter("person ann", lambda done=done: done.append(time.monotonic()) is None)  # type: ignore[misc]
        await until(lambda done=done: len(done) == 200)  # type: ignore[misc]
        took = done[-1] - began
        assert took >= 199 * gates.PAUSE * gates.PAUSES if busy else took < 199 * gates.PAUSE * gates.PAUSES


@live
async def test_a_loop_that_is_never_idle_keeps_nobody_waiting() -> None:
    turnstile, loop, done, turns = Turnstile(), asyncio.get_running_loop(), 0, 0

    def busy() -> None:
        nonlocal turns
        turns += 1
        time.sleep(0.02)
        if done < 60:
            loop.call_soon(busy)

    def work() -> bool:
        nonlocal done
        done += 1
        return True

    busy()
    for _ in range(60):
        turnstile.enter("person ann", work)
    await until(lambda: done == 60)
    assert turns < 180, "four turns for each piece if there were always a pause"


@live
async def test_those_who_are_gone_take_no_turn() -> None:
    turnstile, turns = Turnstile(), 0
    turn = turnstile._turn

    def counted() -> None:
        nonlocal turns
        turns += 1
        turn()

    turnstile._turn = counted  # type: ignore[method-assign]
    for took in (*[False] * 1_000, True, True):
        turnstile.enter("person ann", partial(bool, took))
    await until(lambda: not turnstile._turning)
    assert turns == 2


@live
async def test_a_fault_in_one_turn_keeps_nobody_else_waiting() -> None:
    turnstile, done, faults = Turnstile(), asyncio.Event(), list[Any]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    turnstile.enter("person ann", lambda: bool(1 // 0))
    turnstile.enter("person bao", lambda: done.set() is None)  # type: ignore[func-returns-value]
    await done.wait()
    assert len(faults) == 1


# ---- who somebody is ---------------------------------------------------------------------------------------------


def test_a_caller_is_the_person_of_the_slot_then_anybody_known_then_an_address() -> None:
    people = {"a" * 43: "ann", "b" * 43: "bao"}
    admission = Admission(person_of=people.get)
    cookies = f"x=1; puntobanco-1={'a' * 43}; __Host-puntobanco-22={'b' * 43}; puntobanco-3={'c' * 43}"
    assert admission.caller("/u/1/api/me", cookies, "192.0.2.1") == "person ann"
    assert admission.caller("/u/22/", cookies, "192.0.2.1") == "person bao"
    assert (
        admission.caller("/u/3/", cookies, "192.0.2.1") == admission.caller("/", cookies, "192.0.2.1") == "person ann"
    )
    assert admission.caller("/u/3/", f"puntobanco-3={'c' * 43}", "2001:db8::1:2") == "address 2001:db8::/64"


def test_shut_out_is_for_a_second_and_strangers_never_shut_out_a_person() -> None:
    now = 0
    admission = Admission(person_of={"a" * 43: "ann"}.get, clock=lambda: now)
    ann = admission.sender(f"GET /u/1/api/me HTTP/1.1\r\nCookie: puntobanco-1={'a' * 43}\r\n\r\n".encode(), "192.0.2.1")
    somebody = admission.sender(b"GET / HTTP/1.1\r\n\r\n", "192.0.2.1")
    assert (ann, somebody) == ("person ann", "address 192.0.2.1")
    for _ in range(gates.REFUSALS_AT_ONCE):
        admission.refused(STRANGERS)
        assert not admission.shuts_out(somebody)
    admission.refused(STRANGERS)
    assert admission.shuts_out(somebody)
    assert not admission.shuts_out(ann)
    now += gates.SHUT
    assert not admission.shuts_out(somebody)


# ---- what is written about it ------------------------------------------------------------------------------------


@in_a_house()
async def test_refused_handshakes_are_a_line_now_and_then_and_never_an_error(premises: Premises) -> None:
    upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
    good = asked(premises, "/u/1/api/live", *upgrade, "Sec-WebSocket-Version: 13", f"Origin: {premises.url}")
    bad = (
        good,
        good.replace(b"Origin: http", b"Origin: https"),
        good.replace(b"Version: 13", b"Version: 9"),
        good.replace(b"\r\n\r\n", b"\r\nX-A: " + b"a" * 30_000 + b"\r\n\r\n"),
        good.replace(b"\r\n\r\n", b"\r\nContent-Length: 5\r\n\r\nhello"),
        b"\x16\x03\x01\x02\x00" + bytes(200),
    )
    for request in bad * 10:
        async with raw_line(premises, request) as (reader, _):
            await rest(reader)
    lines = [line for line in premises.lines() if line["logger"].startswith(("puntobanco.connections", "uvicorn"))]
    assert not [line for line in lines if line["level"] == "error"]
    assert 1 <= len([line for line in lines if "WebSocket" in line["event"]]) < 30


@in_a_house()
async def test_who_hangs_up_in_the_middle_of_a_request_makes_no_error(premises: Premises) -> None:
    head = asked(premises, "/u/1/api/sign-in", "X-Puntobanco: 1", "Content-Length: 50", method="POST")
    async with raw_line(premises, head + b"{") as (_, writer):
        await until(lambda: premises.services.admission.held == 1)
        writer.transport.abort()
    await until(lambda: premises.services.admission.held == 0)
    await premises.stranger().get("/me")
    assert not [line for line in premises.lines() if line["level"] == "error"]


def test_of_each_kind_of_line_one_a_second_is_written_and_the_others_counted() -> None:
    now = 0.0
    sparing = Sparing(lambda: now)

    def line(message: str, level: int = logging.INFO) -> logging.LogRecord:
        return logging.LogRecord("connections", level, "", 0, message, ("ann",), None)

    assert [sparing.filter(line("%s came")) for _ in range(3)] == [True, False, False]
    assert sparing.filter(line("%s left"))
    assert all(sparing.filter(line("%s failed", logging.ERROR)) for _ in range(3))
    now += 1.0
    last = line("%s came")
    assert sparing.filter(last)
    assert last.getMessage() == "ann came; 2 more were left out"


def test_so_are_lines_of_our_own_loggers() -> None:
    now = 0.0
    sparing = Sparing(lambda: now)

    def line(person: str) -> logging.LogRecord:
        return logging.makeLogRecord({"levelno": logging.WARNING, "msg": {"event": "too early", "person": person}})

    assert [sparing.filter(line(name)) for name in ("ann", "bao", "chen")] == [True, False, False]
    now += 1.0
    last = line("zed")
    assert sparing.filter(last)
    assert last.msg == {"event": "too early", "person": "zed", "left_out": 2}


@in_a_house()
async def test_sign_ins_that_come_too_early_are_a_line_now_and_then(premises: Premises) -> None:
    answers = [
        await premises.stranger().post("/sign-in", {"name": f"n{nth % 3}", "password": "wrong wrong wrong"})
        for nth in range(60)
    ]
    assert sum(answer.status_code == 429 for answer in answers) > 30
    assert len([line for line in premises.lines() if line["event"] == "sign-in throttled"]) < 20


# ---- what is left of it ------------------------------------------------------------------------------------------


@in_a_house()
async def test_a_connection_that_is_over_leaves_nothing_for_the_collector(premises: Premises) -> None:
    """Thousands that come and go would keep everybody waiting while their remains are gathered."""
    ann = await premises.visitor("ann")
    cookie = f"Cookie: {ann.cookie['Cookie']}"
    upgrade = ("Upgrade: websocket", "Connection: Upgrade", f"Origin: {premises.url}",
               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13")  # fmt: skip
    sent = {
        "nothing": b"",
        "half a request": b"GET / HT",
        "no request": b"\r\n" * 10 + b"nonsense\r\n\r\n",
        "a page": asked(premises, "/u/1/"),
        "a stranger's": asked(premises),
        "a person's": asked(premises, "/u/1/api/me", cookie),
        "a person's without its body": asked(premises, "/u/1/api/password", cookie, "X-Puntobanco: 1",
                                             "Content-Type: application/json", "Content-Length: 9", method="POST"),
        "a handshake": asked(premises, "/u/1/api/live", *upgrade, cookie),
        "a refused handshake": asked(premises, "/u/1/api/live", *upgrade),
    }  # fmt: skip
    here: WeakSet[Any] = WeakSet()
    came = asyncio.Event()
    with pytest.MonkeyPatch.context() as patched:
        for kind in (HttpProtocol, LiveProtocol):
            patched.setattr(kind, "connection_made", _noting(kind.connection_made, here, came))
        gc.collect()
        gc.disable()
        try:
            for request in sent.values():
                async with raw_line(premises, request) as (reader, _):
                    async with asyncio.timeout(PATIENCE):
                        await came.wait()
                    with suppress(TimeoutError):
                        async with asyncio.timeout(0.2):
                            await reader.read(10)
                del reader
                await until(lambda: not here)
                came.clear()
        finally:
            gc.enable()


def _noting(made: Callable[[Any, Any], None], here: WeakSet[Any], came: asyncio.Event) -> Callable[[Any, Any], None]:
    def connection_made(self: Any, transport: Any) -> None:
        here.add(self)
        came.set()
        made(self, transport)

    return connection_made
