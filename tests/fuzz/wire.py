"""Everybody's lines to the house: live connections and plain HTTP by hand, so that anything at all can be sent."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, cast

import msgspec

HERE = b'{"type":"Here"}'
PATIENCE = 120.0
"""Seconds after which a command on an open line counts as unanswered."""

Heard = Callable[["Line", dict[str, Any], bytes], None]


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one sending, whichever way it went."""

    reason: str = ""
    """Empty: accepted."""
    version: int = 0
    waits: int | None = None
    status: int = 200
    lost: bool = False
    """The line was gone before the answer came."""
    lines: tuple[int, ...] = ()
    """The lines of a slip that were refused."""
    body: Any = None


LOST = Told(reason="(lost)", lost=True)


class Line(asyncio.Protocol):
    """One live connection of one person."""

    def __init__(self, person: str, token: str, address: str, heard: Heard) -> None:
        self.person, self._token, self._address, self._heard = person, token, address, heard
        self.open: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """Done with the status of the handshake."""
        self.watching: set[str] = set()
        self._transport: asyncio.Transport | None = None
        self._pending: dict[str, deque[asyncio.Future[Told]]] = {}
        self._nameless: deque[asyncio.Future[Told]] = deque()
        self._buffer, self._up = b"", False

    @property
    def up(self) -> bool:
        return self._up and self._transport is not None and not self._transport.is_closing()

    def waits_for(self, request: str) -> bool:
        """Whether an answer to it is on its way here: a second one could not be told from it."""
        return bool(self._pending.get(request))

    # ---- what is sent --------------------------------------------------------------------------------------------

    async def do(self, request: str, text: bytes) -> Told:
        """A message that names its request, as far as can be told; without one it is answered in its turn."""
        if not self.up:
            return LOST
        found: asyncio.Future[Told] = asyncio.get_running_loop().create_future()
        waiting = self._pending.setdefault(request, deque()) if request else self._nameless
        waiting.append(found)
        self.say(text)
        async with asyncio.timeout(PATIENCE):
            return await found

    def say(self, content: bytes, opcode: int = 0x81) -> None:
        """Masked with nothing, as the protocol allows."""
        assert self._transport is not None
        length = len(content)
        size = bytes([0x80 | length]) if length < 126 else b"\xfe" + length.to_bytes(2)
        if length > 0xFFFF:
            size = b"\xff" + length.to_bytes(8)
        self._transport.write(bytes([opcode]) + size + b"\0\0\0\0" + content)

    def watch(self, table: str, *, board: bool = False) -> None:
        self.watching.add(table)
        self.say(msgspec.json.encode({"type": "Watch", "table": table, "board": board}))

    def drop(self) -> None:
        """As a cable that is pulled: no goodbye."""
        if self._transport is not None:
            self._transport.abort()

    # ---- what is heard -------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(
            f"GET /u/0/api/live HTTP/1.1\r\nHost: {self._address}\r\nOrigin: http://{self._address}\r\n"
            f"Cookie: puntobanco-0={self._token}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 (why it went is the house's affair)
        self._up = False
        if not self.open.done():
            self.open.set_result(0)
        for waiting in (*self._pending.values(), self._nameless):
            for found in waiting:
                _give(found, LOST)
            waiting.clear()

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        if not self._up:
            head, found, rest = buffer.partition(b"\r\n\r\n")
            if not found:
                self._buffer = buffer
                return
            status = int(head.split(b" ", 2)[1])
            self._up, buffer = status == 101, rest
            if not self.open.done():
                self.open.set_result(status)
        at, end = 0, len(buffer)
        while end - at >= 2:
            length, start = buffer[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(buffer[at + 2 : at + 4]), at + 4
            elif length == 127:
                length, start = int.from_bytes(buffer[at + 2 : at + 10]), at + 10
            if end < start + length:
                break
            self._frame(buffer[at] & 0x0F, buffer[start : start + length])
            at = start + length
        self._buffer = buffer[at:]

    def _frame(self, opcode: int, content: bytes) -> None:
        if opcode == 8:
            self.drop()
        elif opcode == 9:
            self.say(content, 0x8A)
        elif opcode == 1:
            told = msgspec.json.decode(content)
            match told["type"]:
                case "Answered":
                    self._answer(told["request"], _answered(told["answer"]))
                case "Misheard":
                    self._misheard(told)
                case "Beat":
                    self.say(HERE)
            self._heard(self, told, content)

    def _misheard(self, told: dict[str, Any]) -> None:
        if told.get("table"):
            self.watching.discard(told["table"])
            return
        self._answer(told.get("request", ""), Told(reason=told["why"]["reason"], status=400))

    def _answer(self, request: str, told: Told) -> None:
        waiting = self._pending.get(request) if request else self._nameless
        if waiting:
            _give(waiting.popleft(), told)
            if not waiting and request:
                del self._pending[request]
        elif self._nameless:
            _give(self._nameless.popleft(), told)


def _give(found: "asyncio.Future[Told]", told: Told) -> None:
    if not found.done():
        found.set_result(told)


def _answered(answer: dict[str, Any]) -> Told:
    refusal = answer.get("refusal")
    return Told(
        reason=refusal["reason"] if refusal else "",
        version=answer["version"],
        waits=answer.get("waits"),
        lines=tuple(one["line"] for one in answer.get("lines", ())),
        body=answer,
    )


class Http:
    """Requests of one person, one after the other on a connection that is kept."""

    def __init__(self, token: str, address: str) -> None:
        self.token, self._address = token, address
        """Whose session it is; the house may give another one."""
        self._turn = asyncio.Lock()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        """The status and what came with it; 0 if the house hung up."""
        async with self._turn, asyncio.timeout(PATIENCE):
            for _ in range(2):  # a kept connection may have been closed meanwhile
                try:
                    return await self._asked(method, path, body)
                except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                    self.close()
            return 0, b""

    async def _asked(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        if self._streams is None:
            host, _, port = self._address.rpartition(":")
            self._streams = await asyncio.open_connection(host, int(port), limit=2**24)
        reader, writer = self._streams
        length = "" if body is None else f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        writer.write(
            f"{method} /u/0/api{path} HTTP/1.1\r\nHost: {self._address}\r\nX-Puntobanco: 1\r\n"
            f"Cookie: puntobanco-0={self.token}\r\n{length}\r\n".encode()
            + (body or b"")
        )
        written = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        if "puntobanco-0=" in written:
            self.token = written.partition("puntobanco-0=")[2].partition(";")[0]
        head = written.lower()
        size = next((line.split(":")[1] for line in head.splitlines() if line.startswith("content-length")), "0")
        content = await reader.readexactly(int(size))
        if "connection: close" in head:
            self.close()
        return int(head.split(" ", 2)[1]), content

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def told_of(status: int, content: bytes) -> Told:
    """An answer of HTTP in the same words as one of a live connection."""
    if status == 0:
        return LOST
    try:
        body = msgspec.json.decode(content) if content else None
    except msgspec.MsgspecError:
        body = None
    if status < 300:
        answer = body if isinstance(body, dict) else {}
        return Told(status=status, version=answer.get("version", 0), waits=answer.get("waits"), body=body)
    reason = body.get("reason", "") if isinstance(body, dict) else ""
    return Told(reason=reason or f"(status {status})", status=status, body=body)
