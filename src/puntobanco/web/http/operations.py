"""The operations of the API as data: who may call, what goes in, what comes out. An operation that is not declared does
not exist.

Routes, the OpenAPI document, the rights matrix and the generated types all come from this list.
"""

import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from puntobanco.protocol.posts import Post
from puntobanco.rules.parsing import convert
from puntobanco.rules.refusal import Expected, Reason, Refused

ANYONE = frozenset(Post)
"""Everyone who has signed in, whatever their post."""
LARGEST_BODY = 64 * 1024
LARGEST_WITH_A_GAME = 256 * 1024
"""Bytes of a body, and of one that may hold a game file: while it is read, every table waits."""


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """An answer with more than a body."""

    body: Any = None
    token: str | None = None
    """The token of a new session; empty if the session has ended."""
    content: bytes | None = None
    """The body, if it is already encoded as JSON."""


Handler = Callable[[Any], Awaitable[Any]]
"""Takes a `Call` of `puntobanco.web.services`, which this module does not know."""


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    method: str
    path: str
    summary: str
    handler: Handler
    who: frozenset[Post] | None
    """The posts that may call it, at the table in the path or in the house. None: also callers who are not signed
    in."""
    takes: Any = None
    gives: Any = None
    query: Any = None
    example: Any = None
    """An example of its body."""
    largest: int = LARGEST_BODY
    anywhere: bool = False
    """A post at any table is enough to call it: the handler checks the place that the request is about."""
    long: bool = False
    """It takes as long as ten others, so a person may call it a tenth as often."""

    @property
    def name(self) -> str:
        return self.handler.__name__

    @property
    def group(self) -> str:
        """The module that declares it."""
        return self.handler.__module__.rpartition(".")[2]

    @property
    def changes(self) -> bool:
        return self.method != "GET"


OPERATIONS: list[Operation] = []


def operation(
    method: str, path: str, summary: str, *, who: frozenset[Post] | None, anywhere: bool = False, **more: Any
) -> Callable[[Handler], Handler]:
    """Declare an operation; `more` are the other fields of `Operation`."""

    def declared(handler: Handler) -> Handler:
        everywhere = anywhere or who == ANYONE
        OPERATIONS.append(
            Operation(method=method, path=path, summary=summary, who=who, handler=handler, anywhere=everywhere, **more)
        )
        return handler

    return declared


def read_body(content: bytes, kind: Any) -> Any:
    """Decode a body as the type it should have, or refuse it with the name of the field."""
    written = read_json(content)
    return convert(written, kind, "request", written, within="body")


LARGEST_NUMBER = 2**53 - 1
"""The largest number that every JSON parser reads the same way."""
DEEPEST, MOST_PARTS = 16, 5_000
"""Nothing that is meant lies deeper, or is put together from more."""
_FIGURE = re.compile(r"-?[0-9]{1,15}")


def read_json(content: bytes | str) -> Any:
    """Decode a request body or a live message. Refuses a name that is given twice, a number that not every JSON parser
    can represent, and content that would take long to read."""
    try:
        text = content if isinstance(content, str) else content.decode()
        if len(text) > MOST_PARTS and text.count("{") + text.count("[") + text.count(",") > MOST_PARTS:
            raise Refused(Reason.COMMAND_MALFORMED, why="it has too many parts")
        written = msgspec.json.decode(text)
        if text.count(":") != _names(written):  # a colon in a text, or a name that was given twice
            _pairs.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refused(Reason.COMMAND_MALFORMED, why=error) from None
    return written


def _names(written: Any) -> int:
    """The number of names in it, each of which is followed by a colon. Refuses content that is nested too deeply. Every
    message comes through here, so this goes level by level: a call for each part takes several times as long."""
    names, deep, level = 0, 0, [written]
    while level:
        below: list[Any] = []
        for held in level:
            kind = type(held)
            if kind is dict:
                names += len(held)
                below += held.values()
            elif kind is list:
                below += held
            elif (kind is int or kind is float) and not -LARGEST_NUMBER <= held <= LARGEST_NUMBER:
                raise Refused(Reason.COMMAND_MALFORMED, why="a number is out of range")
        deep, level = deep + 1, below
        if deep >= DEEPEST and any(type(held) is dict or type(held) is list for held in level):
            raise Refused(Reason.COMMAND_MALFORMED, why="it is nested too deeply")
    return names


def _once(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise Refused(Reason.COMMAND_MALFORMED, why="the same name is given twice")


_pairs = json.JSONDecoder(object_pairs_hook=_once)


def figure(text: str) -> int | None:
    """A whole number in a path or query: plain digits, and few of them."""
    return int(text) if _FIGURE.fullmatch(text) else None


def read_query(pairs: list[tuple[str, str]], kind: Any) -> Any:
    """Like `read_body`, for a query: each name once, numbers as plain digits."""
    written: dict[str, str] = {}
    for name, value in pairs:
        if name in written:
            raise Refused(Reason.FIELD_WRONG, file="request", place="query", field=name, expected=Expected.ONCE)
        written[name] = value
    wanted = {field.name: field.type for field in msgspec.structs.fields(kind)}
    for name, value in written.items():
        if wanted.get(name, str) not in (str, str | None) and figure(value) is None:
            raise Refused(Reason.FIELD_WRONG, file="request", place="query", field=name, expected=Expected.WHOLE_NUMBER)
    try:
        return msgspec.convert(written, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Refused(Reason.COMMAND_MALFORMED, why=error) from None
