"""The live connection from the other side: what a screen shows, kept up to date, and commands that happen once.

A connection that breaks is made again by itself. What was watched is taken up at the version this side has; a command
without an answer is sent again under its own number, so that it has the answer it had.
"""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, TypeVar
from uuid import uuid4

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.typing import Origin

from puntobanco.protocol.administration import ConfirmationCard
from puntobanco.protocol.administrative_commands import GuestProof
from puntobanco.protocol.answers import Answer
from puntobanco.protocol.live import (
    Answered,
    Beat,
    Do,
    FromHouse,
    FromScreen,
    Hello,
    Here,
    Leave,
    Misheard,
    Private,
    Public,
    WaitingRequests,
    Watch,
    Whole,
)
from puntobanco.rules.refusal import Refused
from puntobanco.table.commands import AnyCommand
from puntobanco.table.setup import Setup
from puntobanco.table.state import Phase
from puntobanco.table.views import PrivateView, PublicView

Result = TypeVar("Result")
_messages: msgspec.json.Decoder[FromHouse] = msgspec.json.Decoder(FromHouse)

SIGNED_OUT, TOO_LARGE = 4401, 1009
REFUSED_FOR_GOOD = frozenset({400, 401, 403, 404, 421})
"""Handshakes that would be refused again."""
AGAIN = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds before the next attempt to connect, each up to twice as long by chance: a thousand do not come at once."""
LONGEST_REQUEST = 64
"""Letters of a request id that come back with its answer; a longer one is refused."""
SILENCE = 2.5
"""After so many heartbeats without a word the connection is taken for dead."""


class Over(Exception):
    """The live connection is over for good: signed out, or closed by this side. `code` is that of the close."""

    def __init__(self, why: str, code: int = 0) -> None:
        super().__init__(why, code)
        self.code = code


class Seen(msgspec.Struct, kw_only=True):
    """A table as a screen of this identity shows it; brought up to date in place."""

    table: str
    board: bool = False
    version: int = 0
    """Of the public part."""
    public: PublicView | None = None
    private: PrivateView | None = None
    setup: Setup | None = None
    results: tuple[str, ...] = ()
    at: int = 0
    asked: bool = False
    """Something was missed and the whole is on its way."""

    @property
    def round(self) -> int:
        return self.public.round if self.public is not None else 0

    @property
    def phase(self) -> Phase | None:
        return self.public.phase if self.public is not None else None

    @property
    def has(self) -> int:
        """What it can be resumed from: the older of its parts, since the newer may be all that arrived."""
        return min(self.version, self.private.version) if self.private is not None else self.version

    def whole(self, message: Whole) -> None:
        if message.version >= self.version:
            self.version, self.public, self.setup = message.version, message.public, message.setup
            self.private, self.results, self.at = message.private, message.results, message.at
        self.asked = False

    def changed(self, message: Public) -> bool:
        """Whether the message follows on what is here; one that is older says nothing new."""
        if message.version < self.version:
            return True
        if message.after > self.version:
            return False
        self.version, self.public, self.at = message.version, message.view, message.at
        if message.results is not None:
            self.results = message.results
        if message.setup is not None:
            self.setup = message.setup
        return True

    def own(self, message: Private) -> None:
        if self.private is None or message.version >= self.private.version:
            self.private = message.view


class Live:
    """One live connection, for as long as the block lasts.

    `heard` is told every message after it was taken in; it must be quick.
    """

    def __init__(
        self,
        address: str,
        *,
        origin: str,
        cookie: Callable[[], str],
        heard: Callable[[FromHouse], None] | None = None,
    ) -> None:
        self.tables: dict[str, Seen] = {}
        self.confirmations: tuple[ConfirmationCard, ...] = ()
        self.person = ""
        self.connections = 0
        """How often it was connected."""
        self._address, self._origin, self._cookie, self._heard = address, origin, cookie, heard
        self._socket: ClientConnection | None = None
        self._silence = 60.0
        self._waiting: dict[str, list[tuple[bytes, asyncio.Future[Answer]]]] = {}
        """Commands without an answer, as they were sent, by request id. One id sent twice is answered twice."""
        self._looking: dict[asyncio.Future[Any], Callable[[], Any]] = {}
        self._opening: set[asyncio.Future[Any]] = set()
        """Of those who look, who wait to see a table at all."""
        self._over: BaseException | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Live":
        self._task = asyncio.create_task(self._run())
        try:
            await self.until(lambda: self.person or None)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._end(Over("closed here"))

    # ---- what it is for ------------------------------------------------------------------------------------------

    async def watch(self, table: str, *, board: bool = False) -> Seen:
        """See a table from now on; the answer is kept up to date. `board`: only what a display shows."""
        seen = self.tables[table] = Seen(table=table, board=board)
        await self._say(Watch(table=table, board=board))
        try:
            return await self._until(lambda: seen if seen.at else None, self._opening)
        except BaseException:
            self.tables.pop(table, None)
            raise

    async def leave(self, table: str) -> None:
        if self.tables.pop(table, None) is not None:
            await self._say(Leave(table=table))

    async def do(
        self, table: str, command: AnyCommand, request: str | None = None, *, proof: GuestProof | None = None
    ) -> Answer:
        """Send a command and wait until it is durable, across reconnections. Raises `Refused` when it is not heard.

        `proof`: the PIN or card of the guest whose money a buy-in moves.
        """
        self._check()
        request = request or uuid4().hex
        message = msgspec.json.encode(Do(table=table, request=request, command=command, proof=proof))
        waiting, number = (message, asyncio.get_running_loop().create_future()), request[:LONGEST_REQUEST]
        self._waiting.setdefault(number, []).append(waiting)
        try:
            await self._send(message)
            answer: Answer = await waiting[1]
        finally:
            self._waiting[number].remove(waiting)
            if not self._waiting[number]:
                del self._waiting[number]
        if answer.refusal is not None:
            raise Refused.of(answer.refusal)
        return answer

    async def until(self, found: Callable[[], Result | None]) -> Result:
        """Wait until what is seen gives an answer, looked at after each message."""
        return await self._until(found, set())

    # ---- staying connected ---------------------------------------------------------------------------------------

    async def _run(self) -> None:
        tries = 0
        while True:
            known = self.connections
            try:
                await self._connected()
            except (Over, Refused) as over:
                self._end(over)
                return
            except (OSError, TimeoutError, WebSocketException):
                pass
            except Exception as error:  # a message nobody can read, or `heard` failed: whoever waits must not wait on
                self._end(error)
                return
            tries = 0 if self.connections > known else tries + 1
            await asyncio.sleep(AGAIN[min(tries, len(AGAIN) - 1)] * (1 + random.random()))

    async def _connected(self) -> None:
        """One connection, from its handshake to its end."""
        opening = connect(
            self._address,
            origin=Origin(self._origin),
            additional_headers={"Cookie": self._cookie()},
            compression=None,
            ping_interval=None,
            max_size=None,
            open_timeout=10,
            close_timeout=1,
            proxy=None,
        )
        try:
            async with opening as socket:
                self._socket = socket
                try:
                    await self._take_up()
                    await self._listen(socket)
                finally:
                    self._socket = None
        except InvalidStatus as refused:
            status = refused.response.status_code
            if status in REFUSED_FOR_GOOD:
                raise Over("signed out" if status == 401 else f"refused with {status}", status) from None
            raise

    async def _take_up(self) -> None:
        """Say again what is watched, and what was asked without an answer."""
        for seen in self.tables.values():
            seen.asked = False
            await self._say(Watch(table=seen.table, version=seen.has, board=seen.board))
        for message, _ in [one for waiting in self._waiting.values() for one in waiting]:
            await self._send(message)

    async def _listen(self, socket: ClientConnection) -> None:
        try:
            while True:
                async with asyncio.timeout(self._silence):
                    text = await socket.recv(decode=False)
                await self._take(_messages.decode(text))
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd is not None else 0
            if code == SIGNED_OUT:
                raise Over("signed out", SIGNED_OUT) from None
            if code == TOO_LARGE:  # sent again it would be closed again
                raise Over("a message was too large", TOO_LARGE) from None
            raise

    # ---- what is heard and said ----------------------------------------------------------------------------------

    async def _take(self, message: FromHouse) -> None:
        match message:
            case Hello():
                self.person, self._silence = message.person, SILENCE * message.heartbeat
                self.connections += 1
            case Whole():
                if (seen := self.tables.get(message.table)) is not None:
                    seen.whole(message)
            case Public():
                await self._changed(message)
            case Private():
                if (seen := self.tables.get(message.table)) is not None:
                    seen.own(message)
            case Answered():
                self._answer(message.request, message.answer)
            case Misheard():
                self._misheard(message)
            case WaitingRequests():
                self.confirmations = message.waiting
            case Beat():
                await self._say(Here())
        if self._heard is not None:
            self._heard(message)
        self._look_again()

    async def _changed(self, message: Public) -> None:
        """One that was missed is asked for once, as a whole."""
        seen = self.tables.get(message.table)
        if seen is not None and not seen.changed(message) and not seen.asked:
            seen.asked = True
            await self._say(Watch(table=seen.table, version=seen.version, board=seen.board))

    def _answer(self, request: str, answer: Answer | Refused) -> None:
        """Answers to one id come in the order in which it was sent."""
        waiting = next((one for _, one in self._waiting.get(request, ()) if not one.done()), None)
        if waiting is None:
            return
        if isinstance(answer, Refused):
            waiting.set_exception(answer)
        else:
            waiting.set_result(answer)

    def _misheard(self, message: Misheard) -> None:
        """Without a number it is about watching: whoever waits for a table to be seen hears it."""
        refused = Refused.of(message.why)
        if message.request:
            self._answer(message.request, refused)
            return
        for future in self._opening:
            if not future.done():
                future.set_exception(refused)

    async def _say(self, message: FromScreen) -> None:
        self._check()
        await self._send(msgspec.json.encode(message))

    async def _send(self, message: bytes) -> None:
        """Without a connection it is said when there is one again."""
        if self._socket is not None:
            with suppress(ConnectionClosed):
                await self._socket.send(message, text=True)

    # ---- waiting -------------------------------------------------------------------------------------------------

    async def _until(self, found: Callable[[], Result | None], among: set["asyncio.Future[Any]"]) -> Result:
        self._check()
        if (now := found()) is not None:
            return now
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._looking[future] = found
        among.add(future)
        try:
            return await future
        finally:
            among.discard(future)
            del self._looking[future]

    def _look_again(self) -> None:
        for future, found in tuple(self._looking.items()):
            if not future.done() and (now := found()) is not None:
                future.set_result(now)

    def _check(self) -> None:
        if self._over is not None:
            raise self._over

    def _end(self, why: BaseException) -> None:
        self._over = self._over or why
        for future in (*self._looking, *(one for waiting in self._waiting.values() for _, one in waiting)):
            if not future.done():
                future.set_exception(self._over)
