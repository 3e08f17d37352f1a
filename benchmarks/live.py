"""How long until the last of ten thousand screens has a message, ours beside a bare `websockets` broadcast.

Each server runs in a process of its own and so do its screens, which are plain sockets that count bytes. Messages go to
the two servers in turns, so that whatever else the machine does falls on both alike. The clock starts when the server
is about to publish and stops when the last screen has the last byte; it is the same clock in all processes.
"""

import argparse
import asyncio
import logging
import multiprocessing
import resource
import select
import socket
import statistics
import time
from collections.abc import Callable, Coroutine
from contextlib import closing
from multiprocessing.connection import Connection as Pipe
from multiprocessing.context import SpawnProcess
from typing import Any, TypeAlias

SIZE = 1_500
PATIENCE = 60.0
HANDSHAKE = (
    b"GET /live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
Kind: TypeAlias = Callable[[Pipe], Coroutine[Any, Any, None]]
CONTEXT = multiprocessing.get_context("spawn")


def framed(size: int) -> int:
    """The bytes a message of this size is on the wire."""
    return size + (2 if size < 126 else 4 if size < 65_536 else 10)


def listening() -> socket.socket:
    opened = socket.create_server(("127.0.0.1", 0), backlog=4096)
    opened.setblocking(False)
    return opened


async def serve(pipe: Pipe, publish: Callable[[str], None], behind: Callable[[], int]) -> None:
    """Publish a message of each size asked for, and answer with the time it was begun."""
    loop = asyncio.get_running_loop()
    while size := await loop.run_in_executor(None, pipe.recv):
        message = "x" * size
        start = time.perf_counter()
        publish(message)
        pipe.send((start, behind()))


async def bare(pipe: Pipe) -> None:
    from websockets.asyncio.server import ServerConnection, broadcast
    from websockets.asyncio.server import serve as websockets_serve

    screens: set[ServerConnection] = set()

    async def screen(connection: ServerConnection) -> None:
        screens.add(connection)
        await connection.wait_closed()

    opened = listening()
    async with websockets_serve(screen, sock=opened, compression=None, ping_interval=None, open_timeout=None):
        pipe.send(opened.getsockname()[1])
        await serve(pipe, lambda message: broadcast(screens, message), lambda: 0)


async def ours(pipe: Pipe) -> None:
    import uvicorn

    from puntobanco.web.live.connection import ConnectionLimits
    from puntobanco.web.live.fanout import Fanout
    from puntobanco.web.server.uvicorn_protocols import SERVER

    fanout = Fanout(ConnectionLimits(slow=10 * PATIENCE))
    channel = ("one", "players")

    async def app(scope: Any, receive: Any, send: Any) -> None:
        async with fanout.connected(scope, receive, send, refuse=str) as connection:
            fanout.join(channel, connection)
            while await connection.hear() is not None:
                pass

    opened = listening()
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", timeout_graceful_shutdown=1, **SERVER))
    running = asyncio.create_task(server.serve([opened]))
    pipe.send(opened.getsockname()[1])
    await serve(
        pipe,
        lambda message: fanout.publish(channel, message),
        lambda: sum(connection.behind for connection in fanout.listeners(channel)),
    )
    server.should_exit = True
    await running


def server(pipe: Pipe, files: int, which: Kind) -> None:
    import uvloop

    allow(files)
    logging.disable(logging.CRITICAL)
    uvloop.run(which(pipe))


def screens(pipe: Pipe, files: int, port: int, count: int, stalled: int) -> None:
    """Connect, then for each size asked for wait until every screen has the message, and answer with the time."""
    allow(files)
    poll = select.epoll()
    opened: dict[int, socket.socket] = {}
    for nth in range(count + stalled):
        one = socket.socket()
        if nth >= count:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect(("127.0.0.1", port))
        one.sendall(HANDSHAKE)
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += one.recv(4096)
        one.setblocking(False)
        opened[one.fileno()] = one
        if nth < count:
            poll.register(one.fileno(), select.EPOLLIN)
    pipe.send(None)
    receivers = {number: one.recv_into for number, one in opened.items()}
    left = dict.fromkeys(list(opened)[:count], 0)
    buffer = bytearray(1 << 18)
    while size := pipe.recv():
        waiting, late = count, time.monotonic() + PATIENCE
        for number in left:
            left[number] += framed(size)
        pipe.send(None)
        while waiting:
            assert time.monotonic() < late, f"{waiting} screens never had the message"
            for number, _ in poll.poll(1.0, 256):
                got = receivers[number](buffer)
                assert got, "a screen was closed"
                left[number] -= got
                if not left[number]:
                    waiting -= 1
        pipe.send(time.perf_counter())
    for one in opened.values():
        one.close()


def allow(files: int) -> None:
    """Let this process hold so many sockets."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, max(files, hard)))


class House:
    """One server and its screens, in two processes."""

    def __init__(self, which: Kind, count: int, stalled: int = 0) -> None:
        self._files = count + stalled + 100
        self._processes: list[SpawnProcess] = []
        self._server = self._start(server, which)
        self._screens = self._start(screens, self._answer(self._server), count, stalled)
        self._answer(self._screens)
        self.behind = 0

    def _start(self, target: Callable[..., None], *arguments: Any) -> Pipe:
        here, there = CONTEXT.Pipe()
        process = CONTEXT.Process(target=target, args=(there, self._files, *arguments), daemon=True)
        process.start()
        there.close()
        self._processes.append(process)
        return here

    def _answer(self, pipe: Pipe) -> Any:
        assert pipe.poll(PATIENCE), "no answer"
        return pipe.recv()

    def publish(self, size: int = SIZE) -> float:
        """Milliseconds from the start of a message until the last screen has it."""
        self._screens.send(size)
        self._answer(self._screens)
        self._server.send(size)
        start, self.behind = self._answer(self._server)
        return 1000 * float(self._answer(self._screens) - start)

    def close(self) -> None:
        for pipe, process in zip((self._screens, self._server), reversed(self._processes), strict=True):
            pipe.send(0)
            process.join(10)
            process.kill()


def compare(one: House, other: House, messages: int) -> tuple[float, float]:
    """The median of each, measured in turns."""
    for house in (one, other) * 3:
        house.publish()
    times = [(one.publish(), other.publish()) for _ in range(messages)]
    return statistics.median(ours for ours, _ in times), statistics.median(theirs for _, theirs in times)


def report(title: str, ours: float, theirs: float) -> None:
    print(f"{title:50}{ours:10.1f}{theirs:10.1f}{ours / theirs:8.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("screens", type=int, nargs="?", default=10_000)
    parser.add_argument("messages", type=int, nargs="?", default=50)
    asked = parser.parse_args()

    print(f"{'milliseconds until the last has it, median':50}{'ours':>10}{'beside':>10}{'ratio':>8}")
    with closing(House(ours, asked.screens)) as ready, closing(House(bare, asked.screens)) as limit:
        report(f"{asked.screens:,} screens, beside bare websockets", *compare(ready, limit, asked.messages))

    few = max(1, asked.screens // 10)
    with closing(House(ours, few, stalled=1)) as hindered, closing(House(ours, few)) as free:
        for _ in range(1000):
            if hindered.behind:
                break
            hindered.publish(60_000)
        report(f"{few:,} screens and a stalled one, beside none", *compare(hindered, free, 4 * asked.messages))
        assert hindered.behind == 1


if __name__ == "__main__":
    main()
