"""The OpenAPI document, generated from the operations and the types they name."""

from functools import cache
from typing import Any

import msgspec

import puntobanco
from puntobanco.protocol.answers import Problem
from puntobanco.protocol.live import FromHouse, FromScreen
from puntobanco.protocol.posts import Post
from puntobanco.web.http.caller import HEADER
from puntobanco.web.http.operations import ANYONE, OPERATIONS, Operation

REF = "#/components/schemas/{name}"
PREFIX = "/u/{slot}/api"
PROBLEMS = {
    400: "what was sent cannot be read",
    401: "not signed in, or no longer",
    403: "no right to it",
    404: "nothing by that name",
    409: "refused as things are, with the reason and its paragraph",
    413: "too large",
    415: "not JSON",
    429: "too fast",
    503: "the table or the house has stopped",
}


def definitions() -> list[Any]:
    """Every type that is sent or received, once."""
    kinds: list[Any] = [Problem, FromScreen, FromHouse]
    for one in OPERATIONS:
        kinds += [kind for kind in (one.takes, one.gives) if kind is not None]
    return kinds


def schemas() -> tuple[dict[Any, dict[str, Any]], dict[str, Any]]:
    """The schema of each type, and the components they refer to."""
    kinds = definitions()
    found, components = msgspec.json.schema_components(kinds, schema_hook=_hook, ref_template=REF)
    return dict(zip([str(kind) for kind in kinds], found, strict=True)), components


def _hook(kind: type) -> dict[str, Any]:
    """Types of this package that are encoded as text."""
    return {"type": "string", "title": kind.__name__}


@cache
def written() -> bytes:
    """The document as it is served, generated once because anyone may request it."""
    return msgspec.json.encode(document())


def document() -> dict[str, Any]:
    by_kind, components = schemas()
    paths: dict[str, dict[str, Any]] = {}
    for one in OPERATIONS:
        paths.setdefault(PREFIX + one.path, {})[one.method.lower()] = _described(one, by_kind)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "puntobanco",
            "version": puntobanco.__version__,
            "description": "Baccarat tables by the letter of the approved rules. Money is whole cents, moments are "
            "milliseconds UTC. Every command carries the sender's own `request`: sent twice it happens once. The live "
            "connection is a WebSocket at `/u/{slot}/api/live`; its messages are `FromScreen` and `FromHouse`.",
        },
        "paths": paths,
        "components": {
            "schemas": components | {"FromScreen": by_kind[str(FromScreen)], "FromHouse": by_kind[str(FromHouse)]},
            "securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": "puntobanco-{slot}"}},
        },
    }


def _described(one: Operation, by_kind: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.summary,
        "description": _for_whom(one.who),
        "tags": [one.group],
        "parameters": list(_parameters(one)),
        "responses": {"200": _answer(one, by_kind)}
        | {str(status): _problem(what) for status, what in PROBLEMS.items()},
        "security": [{"session": []}] if one.who is not None else [],
    }
    if one.takes is not None:
        body = {"schema": by_kind[str(one.takes)]} | ({"example": one.example} if one.example is not None else {})
        told["requestBody"] = {"required": True, "content": {"application/json": body}}
    return told


def _for_whom(who: frozenset[Post] | None) -> str:
    if who is None:
        return "For anyone, also without signing in."
    if who == ANYONE:
        return "For everyone who has signed in."
    return f"For {', '.join(post for post in Post if post in who)}."


def _parameters(one: Operation) -> Any:
    yield {"name": "slot", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0, "maximum": 99},
           "description": "which of the browser's identities"}  # fmt: skip
    for part in one.path.split("/"):
        if part.startswith("{"):
            yield {"name": part[1:-1], "in": "path", "required": True, "schema": {"type": "string"}}
    if one.query is not None:
        schema = msgspec.json.schema(one.query)
        for name, described in schema["$defs"][one.query.__name__]["properties"].items():
            yield {"name": name, "in": "query", "required": False, "schema": described}
    if one.changes:
        yield {"name": HEADER, "in": "header", "required": True, "schema": {"const": "1"},
               "description": "shows that the request comes from a page of this house"}  # fmt: skip


def _answer(one: Operation, by_kind: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    if one.gives is None:
        return {"description": "done", "content": {"application/json": {"schema": {"type": "null"}}}}
    return {"description": "the answer", "content": {"application/json": {"schema": by_kind[str(one.gives)]}}}


def _problem(what: str) -> dict[str, Any]:
    return {
        "description": what,
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
