"""Those who knock are taken a few at a time, counted before they have spoken, and shown out if they never do."""

import asyncio
import errno
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import pairwise
from typing import Any

import pytest

from puntobanco.web.server import listener
from puntobanco.web.server.admission import SETTLES, Admission, AdmissionLimits
from puntobanco.web.server.listener import AT_ONCE, Listener
from tests.web.floor import live, until


class Guest(asyncio.Protocol):
    """Says hello and goes."""

    def connection_made(self, transport: Any) -> None:
        transport.write(b"hello")
        transport.close()


class Door:
    """A listening socket that counts, and fails as often as it is told to."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.taken, self.failing = 0, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.socket, name)

    def accept(self) -> Any:
        if self.failing:
            self.failing -= 1
            raise OSError(errno.EMFILE, "Too many open files")
        found = self.socket.accept()
        self.taken += 1
        return found


@asynccontextmanager
async def opened(admission: Admission, tls: ssl.SSLContext | None = None) -> AsyncIterator[Door]:
    door, faults = Door(), list[Any]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    made = Listener(door, Guest, admission, backlog=100, tls=tls)  # type: ignore[arg-type]
    try:
        yield door
    finally:
        made.close()
        await made.wait_closed()
        door.socket.close()
        await until(lambda: not admission.held)
        assert not faults


async def knock(door: Door) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(*door.getsockname())


async def greeted(people: list[socket.socket]) -> None:
    for one in people:
        with one:
            one.setblocking(False)
            assert await asyncio.get_running_loop().sock_recv(one, 10) == b"hello"


@live
async def test_a_few_are_taken_before_the_loop_turns_to_something_else() -> None:
    async with opened(Admission()) as door:
        people = [socket.create_connection(door.getsockname()) for _ in range(3 * AT_ONCE)]
        most = before = 0
        while before < len(people):
            await asyncio.sleep(0)
            most, before = max(most, door.taken - before), door.taken
        assert 0 < most <= AT_ONCE
        await greeted(people)


@live
async def test_those_who_knock_wait_their_turn_like_requests() -> None:
    """So a bet that is under way is not held up by a crowd at the door."""
    async with opened(Admission()) as door:
        people = [socket.create_connection(door.getsockname()) for _ in range(4 * AT_ONCE)]
        turns, taken_at = 0, list[int]()
        while door.taken < len(people):
            before = door.taken
            await asyncio.sleep(0)
            turns += 1
            if door.taken > before:
                taken_at.append(turns)
        assert min(after - before for before, after in pairwise(taken_at)) > SETTLES
        await greeted(people)


@live
async def test_who_never_agrees_on_a_key_is_counted_and_shown_out() -> None:
    admission = Admission(AdmissionLimits(connections_per_address=3))
    async with AsyncExitStack() as stack, opened(admission, ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)) as door:
        people = []
        for nth in range(5):
            people.append(await knock(door))
            stack.callback(people[-1][1].close)
            await until(lambda nth=nth: door.taken == nth + 1)  # type: ignore[misc]
        for reader, _ in people[:2]:
            async with asyncio.timeout(10):
                with suppress(ConnectionError):
                    assert await reader.read() == b""
        await until(lambda: admission.held == 3)
        people[-1][1].write(b"GET / HTTP/1.1\r\n\r\n")
        await until(lambda: admission.held == 2)


@live
async def test_nobody_has_long_to_agree_on_a_key() -> None:
    admission = Admission()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(listener, "HANDSHAKE", 0.1)
        async with opened(admission, ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)) as door:
            _, writer = await knock(door)
            await until(lambda: admission.held == 1)
            await until(lambda: admission.held == 0)
            writer.close()


@live
async def test_a_process_that_can_open_no_more_says_so_and_tries_again() -> None:
    said = list[str]()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(listener, "FULL", 0.05)
        patched.setattr(listener._knocks, "warning", lambda text, *given: said.append(text % given))
        async with opened(Admission()) as door:
            door.failing = 2
            reader, writer = await knock(door)
            assert await reader.read() == b"hello"
            writer.close()
            door.failing = 1_000_000
            _, waiting = await knock(door)
            await until(lambda: door.failing < 1_000_000)
            waiting.close()
    assert set(said) == {"cannot accept connections: Too many open files"}
