"""A live house on loopback, and people who connect to it."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

import uvicorn
import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from puntobanco.web.live.connection import Connection
from puntobanco.web.live.fanout import Fanout
from puntobanco.web.server.uvicorn_protocols import LINE, SERVER, LiveProtocol

TABLE = ("one", "players")
FILLER = "." * 32_768
PATIENCE = 20.0
LONGER = {126: 4, 127: 10}
"""Bytes before the text of a frame whose length does not fit into one of them."""


class Hand:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Floor:
    """A running server whose people all listen to one table, are heard and answered."""

    def __init__(self, fanout: Fanout, server: uvicorn.Server, port: int) -> None:
        self.fanout, self._server, self._port = fanout, server, port

    @property
    def sockets(self) -> int:
        """How many connections the server itself still holds."""
        return len(self._server.server_state.connections)

    @asynccontextmanager
    async def person(self, name: str, **settings: Any) -> AsyncIterator[ClientConnection]:
        """Someone whose connection takes little before it is full."""
        receiver = socket.socket()
        receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        receiver.setblocking(False)
        await asyncio.get_running_loop().sock_connect(receiver, ("127.0.0.1", self._port))
        address = f"ws://127.0.0.1/{name}"
        settings = {"compression": None, "max_queue": 1, "close_timeout": 0.2, "ping_interval": None, **settings}
        async with connect(address, sock=receiver, **settings) as client:
            assert await client.recv() == "welcome"
            yield client

    async def raw(self, name: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Someone who keeps to no protocol once connected."""
        reader, writer = await self.knock(name)
        await reader.readuntil(b"welcome")
        return reader, writer

    @property
    def upgraded(self) -> list[LiveProtocol]:
        """Connections that asked to be live."""
        return [one for one in self._server.server_state.connections if isinstance(one, LiveProtocol)]

    async def knock(self, name: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Someone who has asked to be connected."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(
            f"GET /{name} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        return reader, writer

    def connection(self, name: str) -> Connection:
        return self.fanout.listeners(("person", name))[0]

    async def stall(self, name: str) -> Connection:
        """Fill the connection of someone who does not read."""
        connection = self.connection(name)
        while not connection.behind:
            connection.tell(FILLER)
            await asyncio.sleep(0)
        return connection


@asynccontextmanager
async def open_floor(fanout: Fanout | None = None, app: Any = None, **settings: Any) -> AsyncIterator[Floor]:
    fanout = fanout or Fanout()
    settings = {**SERVER, "log_config": None, "lifespan": "off", "timeout_graceful_shutdown": 1, **settings}

    async def serve(scope: Any, receive: Any, send: Any) -> None:
        name = ("person", scope["path"].strip("/"))
        async with fanout.connected(scope, receive, send, name, refuse=lambda text: f"refused {text}") as connection:
            fanout.join(TABLE, connection)
            connection.tell("welcome")
            while (text := await connection.hear()) is not None:
                assert text != "fail"
                if text == "bye":
                    break
                connection.tell(f"heard {text}" if len(text) < 100 else f"heard {len(text)}")

    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    server = uvicorn.Server(uvicorn.Config(app or serve, **settings))
    running = asyncio.create_task(server.serve([listening]))
    try:
        yield Floor(fanout, server, listening.getsockname()[1])
    finally:
        server.should_exit = True
        await running
        listening.close()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.01)


async def read(client: ClientConnection, last: str) -> list[str]:
    """What arrives up to the last message, without what only filled the line."""
    arrived: list[str] = []
    async with asyncio.timeout(PATIENCE):
        while not arrived or arrived[-1] != last:
            message = await client.recv()
            if message != FILLER:
                arrived.append(str(message))
    return arrived


async def closing(client: ClientConnection) -> tuple[int | None, str | None]:
    """The code and the reason a connection is closed with."""
    async with asyncio.timeout(PATIENCE):
        with suppress(ConnectionClosed):
            while True:
                await client.recv()
    return client.close_code, client.close_reason


def live(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Run a test on the loop the house runs on."""

    def run() -> None:
        uvloop.run(test())

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


class Seat:
    """A connection with no network. While it is full, what is sent to it has to wait."""

    def __init__(self, fanout: Fanout, taking: Callable[[], None] = lambda: None) -> None:
        self.had: list[str] = []
        self.says: list[str] = []
        self.full = self.ended = False
        self._taking = taking
        self._held = fanout.connected({"extensions": {LINE: self}}, self._receive, self._send, refuse=str)

    def take(self, frame: bytes) -> bool:
        if self.full:
            return False
        self._taking()
        self.had.append(frame[LONGER.get(frame[1], 2) :].decode())
        return True

    def end(self) -> None:
        self.ended = True

    def shut_out(self) -> None:
        self.ended = True

    async def _receive(self) -> dict[str, Any]:
        if self.says:
            return {"type": "websocket.receive", "text": self.says.pop(0)}
        return {"type": "websocket.connect"}

    async def _send(self, event: dict[str, Any]) -> None:
        while self.full:
            await asyncio.sleep(0)
        if event["type"] == "websocket.send":
            self.had.append(event["text"])

    async def __aenter__(self) -> "Seat":
        self.connection = await self._held.__aenter__()
        return self

    async def __aexit__(self, *why: Any) -> None:
        await self._held.__aexit__(*why)
