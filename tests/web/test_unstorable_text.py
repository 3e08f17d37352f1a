"""Text that a database cannot keep is refused before it gets there: PostgreSQL takes no NUL, and no store a surrogate.

Every operation, errand and command is tried with such text in every place that takes text, on a real PostgreSQL.
"""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import msgspec
import uvloop

from puntobanco.protocol.administrative_commands import HEARD_FROM
from puntobanco.table.reading import KINDS
from puntobanco.web.http.operations import OPERATIONS, Operation
from tests.store.engines import new_database, postgres
from tests.web.house import HERE, NAMES, Premises, Visitor, answer_to, open_house
from tests.web.nasty import leaves, written
from tests.web.test_bad_input import ATTEMPTS, sender
from tests.web.test_rights import ERRANDS, OWN_PLACE, address, example_of

TEXTS = (b'"a\\u0000b"', b'"\\u0000"', b'"\\ud800"')
ADDRESSES = ("a%00b", "%00")
JSON = {"Content-Type": "application/json"}


def test_s15_text_that_postgresql_cannot_keep_is_refused_wherever_it_is_sent() -> None:
    with postgres() as server:
        uvloop.run(_everywhere(new_database(server)))


async def _everywhere(place: str) -> None:
    async with open_house(place=place) as premises:
        before = await premises.standing(but=ATTEMPTS | {"SignedIn"})
        for one in OPERATIONS:
            visitor = await sender(premises, one)
            await _tried(visitor, one)
        for kind, posts in HEARD_FROM.items():
            visitor = await premises.visitor(NAMES[min(posts)])
            example = {"request": "x", "command": {"type": kind.__name__, **ERRANDS[kind.__name__]}}
            for body in _with_text(example):
                answer = await visitor.post("/office", body, headers=JSON)
                assert 400 <= answer.status_code < 500, (body, answer.text)
        await _over_the_live_connection(premises)
        assert await premises.standing(but=ATTEMPTS | {"SignedIn"}) == before


async def _tried(visitor: Visitor, one: Operation) -> None:
    for body in _with_text(one.example) if one.takes is not None else ():
        answer = await visitor.ask(one.method, address(one, HERE), body, headers=JSON)
        assert 400 <= answer.status_code < 500, (one.name, body, answer.text)
    for path in _addresses(one):
        answer = await visitor.ask(one.method, path, one.example)
        assert answer.status_code < 500, (one.name, path, answer.text)


def _with_text(example: dict[str, Any]) -> Iterator[bytes]:
    for path, value in leaves(example):
        if isinstance(value, str):
            yield from (written(example, path, text) for text in TEXTS)


def _addresses(one: Operation) -> Iterator[str]:
    for name in (*OWN_PLACE, "table"):
        if "{" + name + "}" in one.path:
            for text in ADDRESSES:
                yield address(msgspec.structs.replace(one, path=one.path.replace("{" + name + "}", text)), HERE)
    for field in msgspec.structs.fields(one.query) if one.query is not None else ():
        for text in ADDRESSES:
            yield f"{address(one, HERE)}?{quote(field.name)}={text}"


async def _over_the_live_connection(premises: Premises) -> None:
    visitor = await premises.visitor("tom")
    examples: list[dict[str, Any]] = [{"type": "Watch", "table": HERE}, {"type": "Leave", "table": HERE}]
    examples += [{"type": "Do", "table": HERE, "request": "x", "command": example_of(kind)} for kind in KINDS.values()]
    async with visitor.live() as line:
        for example in examples:
            for body in _with_text(example):
                await line.send(body.decode())
        await line.send(json.dumps({"type": "Do", "table": HERE, "request": "last", "command": {"type": "Nothing"}}))
        assert (await answer_to(line, "last"))["why"]["reason"] == "unknown_command"
    assert not [line for line in premises.lines() if line.get("level") == "error"]
