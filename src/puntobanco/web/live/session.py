"""The live session: a screen watches tables, sends commands and receives changes."""

import asyncio
from collections import Counter
from time import perf_counter
from typing import Any, get_args

import msgspec

from puntobanco.house.house import House
from puntobanco.house.identity.sessions import Sessions
from puntobanco.house.identity.throttle import RateLimit
from puntobanco.house.journal.calling import sentences_for
from puntobanco.house.operations.log import logger
from puntobanco.house.operations.metrics import Metrics
from puntobanco.house.operations.settings import LiveSettings
from puntobanco.house.tables.idempotency import Deliver, check_request
from puntobanco.protocol.answers import Answer
from puntobanco.protocol.live import Answered, Beat, Do, FromScreen, Hello, Here, Leave, Misheard, Probe, Watch
from puntobanco.protocol.posts import AUDIENCES, Post
from puntobanco.rules import library
from puntobanco.rules.library import Sentences
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.records import StoreFailed
from puntobanco.table.commands import Command, PlaceBets
from puntobanco.table.reading import read_command
from puntobanco.table.tags import tag_of
from puntobanco.table.views import BOARD, Audience
from puntobanco.web.http.caller import Identity
from puntobanco.web.http.operations import read_json
from puntobanco.web.http.refusals import answer, told
from puntobanco.web.live.connection import SIGNED_OUT, TOO_SLOW, Connection, Receive, Send
from puntobanco.web.live.fanout import Fanout
from puntobanco.web.live.publisher import Publisher, encoded, person_at, person_everywhere
from puntobanco.web.live.waiting import waiting_channel, waiting_message
from puntobanco.web.server.admission import SCREENS, Flood

_KINDS: dict[str, Any] = {tag_of(kind): kind for kind in get_args(FromScreen)}
"""By their tag: converting to one kind takes an eighth of the time that the union takes."""
DEFAULT = LiveSettings()
MOST_TABLES = 64
"""Most tables that one screen may watch."""


class LiveServer:
    """Serves the live connections of signed-in people."""

    def __init__(
        self,
        house: House,
        sessions: Sessions,
        publisher: Publisher,
        fanout: Fanout,
        metrics: Metrics,
        settings: LiveSettings = DEFAULT,
    ) -> None:
        self.house, self.sessions, self.publisher = house, sessions, publisher
        self.fanout, self.metrics = fanout, metrics
        self.settings = settings
        self.watches: Counter[str] = Counter()
        """How many tables each person watches, summed over screens."""
        self.starting = 0
        """Commands whose task has not started yet."""
        messages = SCREENS * settings.messages_per_second
        self._messages = RateLimit(messages, 2 * messages)

    def has_room(self, person: str) -> bool:
        """Whether the person may open another screen."""
        return len(self.fanout.listeners(person_everywhere(person))) < self.settings.person_screens

    async def serve(self, scope: dict[str, Any], receive: Receive, send: Send, who: Identity) -> None:
        """Serve until the connection is closed or its session ends."""
        names = (person_everywhere(who.person), ("session", who.session), waiting_channel(who.person))
        audience = str(self._audience(who, None))

        def refuse(text: str) -> str:
            self.metrics.flooded(Flood.MESSAGES)
            return _misheard(Refused(Reason.TOO_FAST), library.sentences(who.language), *_named_in(text))

        def budget() -> bool:
            return not self._messages.take(who.person, self.house.clock())

        async with self.fanout.connected(scope, receive, send, *names, refuse=refuse, budget=budget) as connection:
            screen = Screen(self, connection, who)
            self.metrics.connected(audience)
            try:
                if not self.sessions.goes_on(who.session):  # signed out while it was being opened
                    connection.close(SIGNED_OUT, "signed out")
                    return
                connection.tell(
                    encoded(Hello(person=who.person, at=self.house.clock(), heartbeat=self.fanout.limits.heartbeat))
                )
                connection.tell(encoded(waiting_message(self.house, who.person)))
                while (text := await connection.hear()) is not None:
                    if not self.sessions.goes_on(who.session):
                        connection.close(SIGNED_OUT, "signed out")
                        break
                    await screen.heard(text)
            finally:
                self.metrics.disconnected(audience)
                if connection.code == TOO_SLOW:
                    self.metrics.dropped_slow()
                screen.over()

    def _audience(self, who: Identity, table: str | None) -> Audience | None:
        try:
            post = self.house.post(who.person, table) if table else self.house.post(who.person)
        except Refused:
            return None
        return AUDIENCES.get(post) if post is not None else None


class Screen:
    """One connection and what it watches. Answering heartbeats does not count as activity of its session."""

    def __init__(self, live: LiveServer, connection: Connection, who: Identity) -> None:
        self.live, self.connection, self.who = live, connection, who
        self.house, self.publisher, self.fanout = live.house, live.publisher, live.fanout
        self.watching: dict[str, tuple[Any, ...]] = {}
        self._deciding: set[asyncio.Task[None]] = set()

    @property
    def _said(self) -> Sentences:
        return sentences_for(self.house.journal, self.who.person, self.who.language)

    async def heard(self, text: str) -> None:
        try:
            message = _read(text)
        except Refused as refused:
            self._misheard(refused, *_named_in(text))
            return
        try:
            match message:
                case Do():
                    await self.live.sessions.touch(self.who.session)
                    self._do(message)
                case Watch():
                    await self.live.sessions.touch(self.who.session)
                    await self._watch(message)
                case Leave():
                    self._leave(message.table)
                case Here():
                    pass
                case Probe():
                    self.connection.tell(encoded(Beat(at=self.house.clock())))
        except Exception as error:  # it affects neither the connection nor the tables it watches
            if isinstance(error, StoreFailed):
                logger("live").warning("a message failed", why=str(error))
            else:
                logger("live").error("a message failed", exc_info=error)
            self._misheard(Refused(Reason.FAILED), *_named(message))

    def _do(self, message: Do) -> None:
        """Several commands may be in progress; the table's queue keeps them in order. A bet is queued at once, unless a
        command that came before it is still on its way to a queue."""
        began = perf_counter()
        try:
            check_request(message.request)
            command = read_command(message.command)
        except Refused as refused:
            self._refused(refused, message)
            return

        def answered(given: Answer | Exception) -> None:
            self._answered(given, message, command, began)

        if (
            isinstance(command, PlaceBets)
            and not self.live.starting
            and self.house.bet(self.who.person, message.table, command, message.request, answered)
        ):
            return
        self.live.starting += 1
        task = asyncio.create_task(self._decided(message, command, answered))
        self._deciding.add(task)
        task.add_done_callback(self._deciding.discard)

    async def _decided(self, message: Do, command: Command, answered: Deliver) -> None:
        self.live.starting -= 1
        try:
            given = await self.house.do(
                self.who.person, message.table, command, message.request, self.who.address, proof=message.proof
            )
        except Refused as refused:
            self._refused(refused, message)
        except Exception as error:
            answered(error)
        else:
            answered(given)

    def _answered(self, given: Answer | Exception, message: Do, command: Command, began: float) -> None:
        if isinstance(given, Exception):
            logger("live").error("a command failed", table=message.table[:64], exc_info=given)
            self._misheard(Refused(Reason.FAILED), message.request)
            return
        if given.refusal is not None:
            self.live.metrics.refused(given.refusal.reason)
            if given.refusal.reason is Reason.TOO_FAST:  # undecided: sent before, it may be waiting among the others
                self._misheard(Refused.of(given.refusal), message.request)
                return
        self.live.metrics.decided(tag_of(type(command)), perf_counter() - began)
        try:
            plain = given.refusal is None and not given.lines
            told = given if plain else answer(given, self._said)
            answered = encoded(Answered(request=message.request, answer=told))
        except Exception as error:  # asked again it has an answer, once that can be put into words
            self.publisher.not_shown(message.table, error)
            self._misheard(Refused(Reason.FAILED), message.request)
            return
        self.connection.tell(answered)

    def _refused(self, refused: Refused, message: Do) -> None:
        self.live.metrics.refused(refused.reason)
        self._misheard(refused, message.request)

    async def _watch(self, message: Watch) -> None:
        """Send the whole table unless the screen already has it, and subscribe to its channels."""
        try:
            table = self.house.table(message.table)
            audience = self.live._audience(self.who, table.name)
            if audience is None:
                await self.house.denied(self.who.person, f"watch {table.name}", self.who.address)
                raise Refused(Reason.ACCESS_DENIED, what=f"watch {table.name}")
            self._check_room(table.name)
            await self.publisher.history(table.name)
            table = self.house.table(message.table)  # it may have been retired while its history was read
        except Refused as refused:
            self._misheard(refused, "", message.table)
            return
        if message.board:
            audience = BOARD
        person = None if message.board else self._own(message.table)
        self._leave(message.table)
        channels: tuple[Any, ...] = (self.publisher.channel(table.name, audience),)
        if person is not None:
            channels += (person_at(table.name, person),)
        self.watching[table.name] = channels
        self.live.watches[self.who.person] += 1
        for channel in channels:
            self.fanout.join(channel, self.connection)
        if message.version != table.state.version or not message.version:
            self.connection.tell(encoded(await self.publisher.whole(table, audience, person)))

    def _check_room(self, table: str) -> None:
        """Check the limits of tables per screen and per person."""
        if table in self.watching:
            return
        if len(self.watching) >= MOST_TABLES:
            raise Refused(Reason.TOO_MANY_WATCHED, most=MOST_TABLES)
        if self.live.watches[self.who.person] >= self.live.settings.person_watches:
            raise Refused(Reason.TOO_MANY_WATCHED, most=self.live.settings.person_watches)

    def _own(self, table: str) -> str | None:
        """Only players have their own bets and purse there."""
        return self.who.person if self.house.post(self.who.person, table) is Post.PLAYER else None

    def _leave(self, table: str) -> None:
        channels = self.watching.pop(table, ())
        for channel in channels:
            self.fanout.leave(channel, self.connection)
        if channels:
            self.live.watches[self.who.person] -= 1
            if not self.live.watches[self.who.person]:
                del self.live.watches[self.who.person]
        self.publisher.left(table, self.who.person)

    def _misheard(self, refused: Refused, request: str, table: str = "") -> None:
        self.connection.tell(_misheard(refused, self._said, request, table))

    def over(self) -> None:
        """Commands in progress are completed; their answers are not delivered here."""
        for table in tuple(self.watching):
            self._leave(table)


def _read(text: str) -> FromScreen:
    """Decode a message. Its command is decoded later, when it is known which request to answer."""
    written = read_json(text)
    kind = _KINDS.get(str(written.get("type")), FromScreen) if isinstance(written, dict) else FromScreen
    try:
        message: FromScreen = msgspec.convert(written, kind)
    except msgspec.ValidationError as error:
        raise Refused(Reason.COMMAND_MALFORMED, why=error) from None
    return message


def _misheard(refused: Refused, said: Sentences, request: str, table: str) -> str:
    return encoded(Misheard(why=told(refused.refusal, said), request=request[:64], table=table[:64]))


def _named_in(text: str) -> tuple[str, str]:
    """Like `_named`, for a message that was refused, as far as it can be read."""
    try:
        return _named(msgspec.json.decode(text, type=FromScreen))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return "", ""


def _named(message: FromScreen) -> tuple[str, str]:
    """The request id of a command, or the table to be watched, so that the sender knows which message was refused."""
    return message.request if isinstance(message, Do) else "", message.table if isinstance(message, Watch) else ""
