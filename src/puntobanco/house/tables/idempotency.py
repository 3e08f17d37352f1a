"""Answers to retried requests: the latest in memory, those that took effect in the store."""

import asyncio
import re
from collections.abc import Callable
from hashlib import sha256

import msgspec

from puntobanco.house.stream import reused
from puntobanco.protocol.answers import Answer
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import commands as c
from puntobanco.table.authority import By

REMEMBERED = 1_000
"""The number of answers of one table that are kept in memory, more than can be in transit; older ones are in the
store."""

_REQUEST = re.compile(r"[A-Za-z0-9_-]{1,64}")


def check_request(request: str) -> None:
    """Check a request id: letters, digits, dash and underscore, such as a UUID. Every store can keep it, and it is
    never one of the house's own (`RESERVED_REQUEST`)."""
    if not _REQUEST.fullmatch(request):
        raise Refused(Reason.REQUEST_WRONG)


Deliver = Callable[[Answer | Exception], None]
"""Told the answer to a command once it is durable, or why there is none."""


def to(future: "asyncio.Future[Answer]") -> Deliver:
    """Set the future, unless its sender has stopped waiting."""

    def deliver(answer: Answer | Exception) -> None:
        if future.done():
            return
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)

    return deliver


class QueuedCommand(msgspec.Struct):
    """A command in the queue, and who is told its answer."""

    command: c.Command
    by: By
    asked: bytes
    deliver: Deliver
    answered: bool = False

    def give(self, answer: Answer | Exception) -> None:
        """Deliver the answer, once."""
        if not self.answered:
            self.answered = True
            self.deliver(answer)

    @property
    def name(self) -> tuple[str, str]:
        return self.by.person, self.by.request


def digest(table: str, asked: msgspec.Struct) -> bytes:
    """The digest of a request and its table: the same request at another table is another request."""
    return sha256(table.encode() + b"\0" + _written(asked)).digest()


def _written(asked: msgspec.Struct) -> bytes:
    """The same bytes for the same request, whatever the order of the members of an object."""
    try:
        return msgspec.json.encode(asked, order="deterministic")
    except TypeError:  # only text as a key can be put in order
        return msgspec.json.encode(msgspec.to_builtins(asked, str_keys=True), order="deterministic")


Noted = dict[tuple[str, str], tuple[bytes, Answer]]
"""By person and request: what was asked, and the answer."""


class RecentAnswers:
    """The answers to the latest requests, including refusals: `REMEMBERED` at least, and at most twice as many."""

    def __init__(self) -> None:
        self._given: Noted = {}
        self._before: Noted = {}

    def before(self, waiting: QueuedCommand, version: int, *pending: Noted) -> Answer | None:
        """The answer to this request, given or pending; a refusal if the request id was used with another body."""
        if not waiting.by.request:
            return None
        name = waiting.name
        for given in (*pending, self._given, self._before):
            if (found := given.get(name)) is not None:
                asked, answer = found
                return answer if asked == waiting.asked else Answer(version, reused(waiting.by.request))
        return None

    def note(self, noted: Noted) -> None:
        """Keep answers that are now durable."""
        self._given.update(noted)
        if len(self._given) >= REMEMBERED:
            self._before, self._given = self._given, {}

    def forget(self, waiting: QueuedCommand) -> None:
        self._given.pop(waiting.name, None)
        self._before.pop(waiting.name, None)
