"""The operations of the API as data: who may, what goes in, what comes out. Whatever is not declared is not there.

Routes, the OpenAPI document, the rights matrix and the generated types all come from this one list.
"""

import json
import re
from collections.abc import Awaitable, Callable
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
    """Ready bytes of another kind than JSON."""
    media_type: str = "application/json"
    status: int = 200


Handler = Callable[[Any], Awaitable[Any]]
"""Takes a `Call` of `puntobanco.web.services`, which this module does not know."""


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    method: str
    path: str
    name: str
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
    changes: bool = True
    anywhere: bool = False
    """A post at any table is enough to ask: what is asked for is judged by the place it is about."""
    long: bool = False
    """It takes as long as ten others, and a person may ask for it a tenth as often."""
    group: str = ""


OPERATIONS: list[Operation] = []


def operation(
    method: str,
    path: str,
    summary: str,
    *,
    who: frozenset[Post] | None,
    takes: Any = None,
    gives: Any = None,
    query: Any = None,
    example: Any = None,
    largest: int = LARGEST_BODY,
    anywhere: bool = False,
    long: bool = False,
) -> Callable[[Handler], Handler]:
    """Declare an operation; GET never changes anything."""

    def declared(handler: Handler) -> Handler:
        OPERATIONS.append(
            Operation(
                method=method,
                path=path,
                name=handler.__name__,
                summary=summary,
                handler=handler,
                who=who,
                takes=takes,
                gives=gives,
                query=query,
                example=example,
                largest=largest,
                changes=method != "GET",
                anywhere=anywhere or who == ANYONE,
                long=long,
                group=handler.__module__.rpartition(".")[2],
            )
        )
        return handler

    return declared


def read_body(content: bytes, kind: Any) -> Any:
    """A body as the kind it should be, or a refusal by the name of the field."""
    try:
        check_written(content.decode())
        written = msgspec.json.decode(content)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refused(Reason.COMMAND_MALFORMED, why=error) from None
    return convert(written, kind, "body", written, within="body")


LARGEST_NUMBER = 2**53 - 1
"""What every reader of JSON takes for the same number."""
LONGEST_NUMBER = len(f"-{LARGEST_NUMBER}")
DEEPEST, MOST_PARTS = 16, 5_000
"""Nothing that is meant lies deeper, or is put together from more."""
_FIGURE = re.compile(r"-?[0-9]{1,15}")
_ZEROS = bytes.maketrans(b"123456789", b"000000000")
_LONG = b"0" * len(str(LARGEST_NUMBER))


def check_written(content: str) -> None:
    """A name given twice means two things, and so does a number that not every reader can hold: neither is guessed at.

    What would take long to read is not read at all.
    """
    within = content.count("{") + content.count("[")
    if within + content.count(",") > MOST_PARTS:
        raise Refused(Reason.COMMAND_MALFORMED, why="it has too many parts")
    if within <= DEEPEST and _is_plain(content):
        return
    written = _strict.decode(content)
    if within > DEEPEST:
        _check_depth(written, DEEPEST)


def _is_plain(content: str) -> bool:
    """Whether it has no long number, and is written again as it was: a name given twice would be written once. Nearly
    all messages are; whatever is not is read again, slowly."""
    try:
        written = content.encode()
        return _LONG not in written.translate(_ZEROS) and msgspec.json.encode(msgspec.json.decode(written)) == written
    except (msgspec.MsgspecError, ValueError):
        return False


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    written = dict(pairs)
    if len(written) < len(pairs):
        raise Refused(Reason.COMMAND_MALFORMED, why="the same name is given twice")
    return written


def _held(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER or abs(number := int(digits)) > LARGEST_NUMBER:
        raise Refused(Reason.COMMAND_MALFORMED, why="a number is out of range")
    return number


_strict = json.JSONDecoder(object_pairs_hook=_once, parse_int=_held)


def _check_depth(written: Any, deep: int) -> None:
    if not isinstance(written, dict | list):
        return
    if not deep:
        raise Refused(Reason.COMMAND_MALFORMED, why="it is nested too deeply")
    for held in written.values() if isinstance(written, dict) else written:
        _check_depth(held, deep - 1)


LONGEST_LINE = 1_000


def check_line(written: Any, field: str = "") -> None:
    """Names, titles and reasons are one printable line each: no book can be forged with them."""
    if isinstance(written, str) and len(written) > LONGEST_LINE:
        raise Refused(Reason.TEXT_TOO_LONG, file="body", place="body", field=field, most=LONGEST_LINE)
    if isinstance(written, str) and not written.isprintable():
        raise Refused(Reason.TEXT_UNREADABLE, file="body", place="body", field=field)
    if isinstance(written, dict):
        for name, held in written.items():
            check_line(held, str(name))


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
