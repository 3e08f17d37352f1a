"""A terminal, as lean as it can be: a WebSocket by hand, so that a thousand of them cost less than the house."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from typing import cast

import msgspec

BETS = ("player", "banker", "tie")
RAISE = 10_00
HERE = b'{"type":"Here"}'


class _View(msgspec.Struct, frozen=True):
    phase: str
    round: int
    deadline: int


class _Shown(msgspec.Struct, frozen=True):
    """What of a whole or a public message a terminal needs."""

    version: int
    at: int
    public: _View | None = None
    view: _View | None = None


class _Why(msgspec.Struct, frozen=True):
    reason: str


class _Answer(msgspec.Struct, frozen=True):
    version: int = 0
    refusal: _Why | None = None


class _Answered(msgspec.Struct, frozen=True):
    request: str = ""
    answer: _Answer = _Answer()
    why: _Why | None = None


_shown = msgspec.json.Decoder(_Shown)
_answered = msgspec.json.Decoder(_Answered)


class Screen:
    """A table as all its terminals see it: what comes to each is read once."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.version, self.phase, self.round, self.deadline = 0, "", 0, 0
        self.ahead = 0.0
        """How far the house's clock is ahead of ours, in milliseconds."""
        self.rounds = 0
        self.changed: list[Callable[[], None]] = []
        self._last = b""

    def take(self, content: bytes) -> None:
        if content == self._last:
            return
        self._last = content
        shown = _shown.decode(content)
        view = shown.view or shown.public
        if view is None or shown.version < self.version:
            return
        before = (self.phase, self.round)
        self.version, self.phase, self.round, self.deadline = shown.version, view.phase, view.round, view.deadline
        self.ahead = shown.at - time.time() * 1000
        if before != (self.phase, self.round):
            self.rounds += before[0] not in ("", "settled") and self.phase == "settled"
            for tell in self.changed:
                tell()


class Tally:
    """What all terminals sent and were told."""

    def __init__(self) -> None:
        self.sent: dict[str, float] = {}
        """Requests without an answer yet, and when they were sent."""
        self.accepted: dict[str, int] = {}
        self.refused: dict[str, str] = {}
        self.reasons: Counter[str] = Counter()
        self.latencies: list[float] = []
        self.messages: Counter[str] = Counter()
        self.lost = 0

    def answered(self, content: bytes) -> None:
        told = _answered.decode(content)
        began = self.sent.pop(told.request, None)
        if began is None:
            return
        self.latencies.append(time.perf_counter() - began)
        why = told.why or told.answer.refusal
        if why is None:
            self.accepted[told.request] = told.answer.version
        else:
            self.refused[told.request] = why.reason
            self.reasons[why.reason] += 1


class Terminal(asyncio.Protocol):
    """One person at a table. `free` is told whenever an answer came."""

    def __init__(self, person: str, screen: Screen, token: str, address: str, tally: Tally) -> None:
        self.person, self.screen, self.tally = person, screen, tally
        self.ready = asyncio.get_running_loop().create_future()
        self.free: Callable[[], None] | None = None
        self._token, self._address = token, address
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._open = False
        self._count = 0
        self._round = 0
        self._staked = dict.fromkeys(BETS, 0)
        self.closing = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(
            f"GET /u/0/api/live HTTP/1.1\r\nHost: {self._address}\r\nOrigin: http://{self._address}\r\n"
            f"Cookie: puntobanco-0={self._token}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.tally.lost += not self.closing
        if not self.ready.done():
            self.ready.set_exception(ConnectionError("the house hung up"))

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        if not self._open:
            head, found, rest = buffer.partition(b"\r\n\r\n")
            if not found:
                self._buffer = buffer
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._open, buffer = True, rest
            self.say(f'{{"type":"Watch","table":"{self.screen.table}"}}'.encode())
        at, end = 0, len(buffer)
        while end - at >= 2:
            length, start = buffer[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(buffer[at + 2 : at + 4]), at + 4
            elif length == 127:
                length, start = int.from_bytes(buffer[at + 2 : at + 10]), at + 10
            if end < start + length or end < start:
                break
            if buffer[at] == 0x81:
                self._heard(buffer[start : start + length])
            at = start + length
        self._buffer = buffer[at:]

    def _heard(self, content: bytes) -> None:
        kind = content[9:12]  # {"type":"...
        self.tally.messages[kind.decode()] += 1
        if kind in (b"Ans", b"Mis"):
            self.tally.answered(content)
            if self.free is not None:
                self.free()
        elif kind in (b"Pub", b"Who"):
            self.screen.take(content)
            if not self.ready.done():
                self.ready.set_result(None)
        elif kind == b"Bea":
            self.say(HERE)

    def say(self, content: bytes) -> None:
        """Masked with nothing, as the protocol allows."""
        assert self._transport is not None
        length = len(content)
        size = bytes([0x80 | length]) if length < 126 else b"\xfe" + length.to_bytes(2)
        self._transport.write(b"\x81" + size + b"\0\0\0\0" + content)

    def bet(self) -> None:
        """Raise one of the bets by a chip, in the round that is shown."""
        if self._round != self.screen.round:
            self._round, self._staked = self.screen.round, dict.fromkeys(BETS, 0)
        self._count += 1
        on = BETS[self._count % len(BETS)]
        self._staked[on] += RAISE
        request = f"{self.person}-{self._count}"
        self.tally.sent[request] = time.perf_counter()
        self.say(
            f'{{"type":"Do","table":"{self.screen.table}","request":"{request}","command":{{"type":"PlaceBets",'
            f'"round":{self._round},"lines":[{{"bet":"{on}","amount":{self._staked[on]}}}]}}}}'.encode()
        )

    def close(self) -> None:
        self.closing = True
        if self._transport is not None:
            self._transport.abort()
