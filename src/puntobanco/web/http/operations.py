"""The operations of the API as data: who may, what goes in, what comes out. Whatever is not declared is not there.

Routes, the OpenAPI document, the rights matrix and the generated types all come from this one list.
"""

import json
import re
from collections.abc import Awaitable, Callable
from math import isfinite
from typing import Any

import msgspec

from puntobanco.protocol.posts import Post
from puntobanco.rules.parsing import convert
from puntobanco.rules.refusal import Reason, Refused

ANYONE = frozenset(Post)
"""Anybody who has signed in, whatever they are."""
LARGEST_BODY = 64 * 1024
LARGEST_WITH_A_GAME = 256 * 1024
"""Bytes of a body, and of one that may hold a game file: while it is read, every table waits."""


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that is more than its body."""

    body: Any = None
    token: str | None = None
    """A session began with this token; empty: it is over."""
    content: bytes | None = None
    """JSON that is ready."""


Handler = Callable[[Any], Awaitable[Any]]
"""Takes a `Call` of `puntobanco.web.services`, which this module does not know."""


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    method: str
    path: str
    summary: str
    handler: Handler
    who: frozenset[Post] | None
    """The posts it is for, at the table in the path or in the house; nobody named: also for those not signed in."""
    takes: Any = None
    gives: Any = None
    query: Any = None
    example: Any = None
    """A body it takes."""
    largest: int = LARGEST_BODY
    anywhere: bool = False
    """A post at any table is enough to ask: what is asked for is judged by the place it is about."""
    long: bool = False
    """It takes as long as ten others, and a person may ask for it a tenth as often."""

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
    """A body as the kind it should be, or a refusal by the name of the field."""
    written = read_json(content)
    return convert(written, kind, "body", written, within="body")


LARGEST_NUMBER = 2**53 - 1
"""What every reader of JSON takes for the same number."""
LONGEST_NUMBER = len(f"-{LARGEST_NUMBER}")
DEEPEST, MOST_PARTS = 16, 5_000
"""Nothing that is meant lies deeper, or is put together from more."""
_FIGURE = re.compile(r"-?[0-9]{1,15}")


def read_json(content: bytes | str) -> Any:
    """Decode what somebody sent, once. A name given twice means two things, and so does a number that not every reader
    can hold: both are refused. So is what would take long to read."""
    try:
        text = content if isinstance(content, str) else content.decode()
        nested = text.count("{") + text.count("[")
        if nested + text.count(",") > MOST_PARTS:
            raise Refused(Reason.COMMAND_MALFORMED, why="it has too many parts")
        written = _strict.decode(text)
    except (ValueError, RecursionError) as error:
        raise Refused(Reason.COMMAND_MALFORMED, why=error) from None
    if nested > DEEPEST or "\\u" in text:
        _check_parts(written, DEEPEST)
    return written


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    written = dict(pairs)
    if len(written) < len(pairs):
        raise Refused(Reason.COMMAND_MALFORMED, why="the same name is given twice")
    return written


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER or abs(number := int(digits)) > LARGEST_NUMBER:
        raise Refused(Reason.COMMAND_MALFORMED, why="a number is out of range")
    return number


def _fraction(digits: str) -> float:
    if not isfinite(number := float(digits)):
        raise Refused(Reason.COMMAND_MALFORMED, why="a number is out of range")
    return number


_strict = json.JSONDecoder(object_pairs_hook=_once, parse_int=_whole, parse_float=_fraction, parse_constant=_fraction)


def _check_parts(written: Any, deep: int) -> None:
    """Text that can be encoded again, and nothing nested too deeply."""
    if isinstance(written, str):
        if not _is_encodable(written):
            raise Refused(Reason.COMMAND_MALFORMED, why="half of a surrogate pair")
    elif isinstance(written, dict | list):
        if not deep:
            raise Refused(Reason.COMMAND_MALFORMED, why="it is nested too deeply")
        for held in (*written, *written.values()) if isinstance(written, dict) else written:
            _check_parts(held, deep - 1)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def figure(text: str) -> int | None:
    """A whole number as part of an address is written: plain digits and not many."""
    return int(text) if _FIGURE.fullmatch(text) else None


def read_query(pairs: list[tuple[str, str]], kind: Any) -> Any:
    """The same for a query: each name once, figures written plainly."""
    written: dict[str, str] = {}
    for name, value in pairs:
        if name in written:
            raise Refused(Reason.FIELD_WRONG, file="query", place="query", field=name, expected="once")
        written[name] = value
    wanted = {field.name: field.type for field in msgspec.structs.fields(kind)}
    for name, value in written.items():
        if wanted.get(name, str) not in (str, str | None) and figure(value) is None:
            raise Refused(Reason.FIELD_WRONG, file="query", place="query", field=name, expected="a whole number")
    try:
        return msgspec.convert(written, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Refused(Reason.COMMAND_MALFORMED, why=error) from None
