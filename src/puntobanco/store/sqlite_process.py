"""The writer of a SQLite file in a process of its own: `python -m puntobanco.store.sqlite_process`.

Requests and results travel over a pair of sockets, as msgpack with its length before it. What is asked in one turn of
the event loop is sent together; while the process commits one batch, the next one waits in the socket. A result is sent
when it is durable. A writer that is lost fails everything that waits, and nothing can be asked any more. If the house
is lost, the writer completes what it has received and ends.
"""

import asyncio
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from puntobanco.store.base import MOST_AT_ONCE, give
from puntobanco.store.records import Failed, StoreFailed, Unwritable
from puntobanco.store.sqlite_file import Request, SqliteFile

HEADER = 4
"""Bytes of the length before a message."""
READ = 2**18
OPENED = 0
"""The number of the result of opening the file. Those of requests follow."""


class Asked(msgspec.Struct, frozen=True, array_like=True):
    number: int
    request: Request


class Done(msgspec.Struct, frozen=True, array_like=True, tag="done"):
    value: Any


class NotDone(msgspec.Struct, frozen=True, array_like=True, tag="not_done"):
    why: Failed
    detail: str
    file: str | None = None

    @classmethod
    def of(cls, error: Exception) -> "NotDone":
        if isinstance(error, StoreFailed):
            return cls(error.why, error.detail, str(error.file) if isinstance(error, Unwritable) else None)
        return cls(Failed.STORAGE, f"{type(error).__name__}: {error}")

    @property
    def error(self) -> StoreFailed:
        if self.file is not None:
            return Unwritable(Path(self.file), self.detail)
        return StoreFailed(self.why, self.detail if self.detail != self.why else "")


class Told(msgspec.Struct, frozen=True, array_like=True):
    number: int
    result: Done | NotDone

    @classmethod
    def of(cls, number: int, result: Any) -> "Told":
        return cls(number, NotDone.of(result) if isinstance(result, Exception) else Done(result))


_encoded = msgspec.msgpack.Encoder().encode
_asked = msgspec.msgpack.Decoder(Asked).decode
_told = msgspec.msgpack.Decoder(list[Told]).decode


def framed(message: Any) -> bytes:
    body = _encoded(message)
    return len(body).to_bytes(HEADER, "big") + body


class Messages:
    """Cuts received bytes into messages."""

    def __init__(self) -> None:
        self._received = bytearray()

    def add(self, data: bytes) -> Iterator[memoryview]:
        """The messages that are complete by these bytes."""
        received = self._received
        received += data
        start = 0
        with memoryview(received) as view:
            while len(received) - start >= HEADER:
                end = start + HEADER + int.from_bytes(view[start : start + HEADER], "big")
                if end > len(received):
                    break
                with view[start + HEADER : end] as message:
                    yield message
                start = end
        del received[:start]


# ---- the house ---------------------------------------------------------------------------------------------------


class WriterProcess(asyncio.Protocol):
    """The house's side: starts the process and asks it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.ended: str | None = None
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._number = OPENED
        self._unsent: list[bytes] = []
        self._why: str | None = "the store is closed"
        self._process: subprocess.Popen[bytes] | None = None
        self._transport: asyncio.WriteTransport | None = None
        self._loop: asyncio.AbstractEventLoop

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._messages, self._number = Messages(), OPENED
        self.ended = self._why = None
        opened = self._waiting[OPENED] = self._loop.create_future()
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-m", "puntobanco.store.sqlite_process", self.path, str(theirs.fileno())],
                pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL,
            )  # fmt: skip
        self._transport, _ = await self._loop.create_unix_connection(lambda: self, sock=ours)
        await opened

    def ask(self, request: Request) -> "asyncio.Future[Any]":
        if self._why is not None:
            raise StoreFailed(Failed.STORAGE, self._why)
        future = self._loop.create_future()
        try:
            message = framed(Asked(self._number + 1, request))
        except (OverflowError, UnicodeError) as error:
            give([(future, StoreFailed(Failed.INVARIANT, str(error)))])
            return future
        self._number += 1
        self._waiting[self._number] = future
        if not self._unsent:
            self._loop.call_soon(self._send)
        self._unsent.append(message)
        return future

    def _send(self) -> None:
        unsent, self._unsent = self._unsent, []
        if self._transport is not None and unsent:
            self._transport.write(b"".join(unsent))

    def data_received(self, data: bytes) -> None:
        for message in self._messages.add(data):
            for told in _told(message):
                result = told.result.value if isinstance(told.result, Done) else told.result.error
                give([(self._waiting.pop(told.number), result)])

    def connection_lost(self, _: Exception | None) -> None:
        if self._why is None:
            self.ended = self._why = "the process that writes has ended"
        waiting, self._waiting, self._transport = self._waiting, {}, None
        give((future, StoreFailed(Failed.STORAGE, str(self._why))) for future in waiting.values())

    async def stop(self) -> None:
        self._why = self._why or "the store is closed"
        if self._transport is not None:
            self._send()
            with suppress(OSError, RuntimeError):  # it has ended already
                self._transport.write_eof()
        if self._process is not None:
            await asyncio.to_thread(self._process.wait)


# ---- the process -------------------------------------------------------------------------------------------------


def batches(connection: socket.socket) -> Iterator[list[Asked]]:
    """What has been received until now, or what comes next. Ends with the connection."""
    messages, waiting = Messages(), list[Asked]()
    while True:
        while not waiting or len(waiting) < MOST_AT_ONCE:
            try:
                data = connection.recv(READ, socket.MSG_DONTWAIT if waiting else 0)
            except BlockingIOError:
                break
            except ConnectionError:
                data = b""
            if not data:
                if waiting:
                    yield waiting
                return
            waiting += map(_asked, messages.add(data))
        batch, waiting = waiting[:MOST_AT_ONCE], waiting[MOST_AT_ONCE:]
        yield batch


def write(path: str, connection: socket.socket) -> None:
    file = SqliteFile(path)
    try:
        try:
            file.open()
        except Exception as error:
            _tell(connection, [Told.of(OPENED, error)])
            return
        _tell(connection, [Told.of(OPENED, None)])
        for batch in batches(connection):
            for results in file.carry_out([one.request for one in batch]):
                _tell(connection, [Told.of(batch[place].number, result) for place, result in results])
    finally:
        file.close()


def _tell(connection: socket.socket, told: list[Told]) -> None:
    """If the house has ended, nobody is told, but everything it asked is carried out."""
    with suppress(ConnectionError):
        connection.sendall(framed(told))


def main() -> None:
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.SIG_IGN)  # the house ends it, when everything is written
    path, descriptor = sys.argv[1:]
    with socket.socket(fileno=int(descriptor)) as connection:
        write(path, connection)


if __name__ == "__main__":
    main()
