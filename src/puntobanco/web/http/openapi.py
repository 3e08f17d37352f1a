"""The OpenAPI document, generated from the operations and the types they name."""

import inspect
import sys
from functools import cache
from http import HTTPStatus
from typing import Any, get_args

import msgspec

import puntobanco
from puntobanco.protocol.answers import Problem
from puntobanco.protocol.posts import Post
from puntobanco.rules import library
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.web.http import examples
from puntobanco.web.http.caller import HEADER, SLOTS
from puntobanco.web.http.operations import ANYONE, OPERATIONS, Operation
from puntobanco.web.http.refusals import PROBLEM, problem
from puntobanco.web.http.schemas import Schema, description, flowing, glossary, schemas_of

PREFIX = "/u/{slot}/api"
SLOT = "Which of the identities of a browser or program sends the request. One cookie jar holds up to a hundred."
ABOUT = """\
Baccarat tables by the letter of the approved rules.

Money is whole cents. Moments are milliseconds UTC by the clock of the house. Every command carries the sender's own
`request`: sent twice, it takes effect once and gets the same answer.

`/asyncapi.json` describes the messages of the live connection, a WebSocket at `/u/{slot}/api/live`.

Three addresses outside the API are for whoever watches the house and need no session: `GET /health/live` answers 200
while the process runs, `GET /health/ready` answers 200 while the house can take bets and 503 otherwise, and
`GET /metrics` gives Prometheus its figures in exchange for the configured token.
"""
PROBLEMS: dict[int, tuple[str, Refused]] = {
    400: (
        "The request cannot be read.",
        Refused(Reason.FIELD_MISSING, place="body", field="request", file="request"),
    ),
    401: ("Nobody is signed in, or the session has ended.", Refused(Reason.SESSION_OVER)),
    403: ("The caller has no right to it.", Refused(Reason.ACCESS_DENIED, what="List all users")),
    404: ("Nothing has that name.", Refused(Reason.UNKNOWN_TABLE, table="wu-song-9")),
    409: (
        "It is refused as things are. `reason` and `paragraph` say why.",
        Refused(Reason.UNDER_MINIMUM, "5.2", stake="10.00", minimum="50.00"),
    ),
    413: ("The body is too large.", Refused(Reason.COMMAND_MALFORMED, why=HTTPStatus(413).phrase)),
    415: ("The body is not JSON.", Refused(Reason.NOT_JSON)),
    429: ("The caller sends too fast. `Retry-After` says when to send it again.", Refused(Reason.TOO_FAST)),
    500: (
        "With `failed`, the outcome is not known: send the request again, unchanged. With `incident`, the program "
        "failed: show the sentence, which has the number that the pit needs.",
        Refused(Reason.INCIDENT, incident=17),
    ),
    503: ("The table or the house has stopped.", Refused(Reason.TABLE_STOPPED, table="wu-song-1")),
}
"""What each status means, and a refusal that is answered with it."""


def definitions(*more: Any) -> list[Any]:
    """Every type that is sent or received, once."""
    kinds: list[Any] = [Problem, *more]
    for one in OPERATIONS:
        kinds += [kind for kind in (one.takes, one.gives) if kind is not None]
    return kinds


@cache
def written() -> bytes:
    """The document as it is served, generated once because anyone may request it."""
    return msgspec.json.encode(document())


def document() -> dict[str, Any]:
    kinds = definitions()
    found, components = schemas_of(kinds)
    by_kind = dict(zip([str(kind) for kind in kinds], found, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for one in OPERATIONS:
        paths.setdefault(PREFIX + one.path, {})[one.method.lower()] = _described(one, by_kind)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "puntobanco",
            "summary": "The HTTP API of a house of baccarat tables.",
            "version": puntobanco.__version__,
            "license": {"name": "MIT", "identifier": "MIT"},
            "description": ABOUT,
        },
        "servers": [{"url": "/", "description": "The house that serves this document."}],
        "tags": [{"name": name, "description": said} for name, said in _tags().items()],
        "paths": paths,
        "components": {
            "schemas": components,
            "responses": {response_name(status): _problem(status) for status in PROBLEMS},
            "securitySchemes": {
                "session": {
                    "type": "apiKey", "in": "cookie", "name": "puntobanco-{slot}",
                    "description": "The cookie of the slot in the path, set by signing in. Over TLS its name begins "
                    "with `__Host-`.",
                }
            },
        },
    }  # fmt: skip


def _tags() -> dict[str, str]:
    """The groups of operations, each described by the module that declares them."""
    return {one.group: flowing(sys.modules[one.handler.__module__].__doc__ or "") for one in OPERATIONS}


def _described(one: Operation, by_kind: dict[str, Schema]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.summary,
        "description": "\n\n".join(_about(one)),
        "tags": [one.group],
        "parameters": list(_parameters(one)),
        "responses": {"200": _answer(one, by_kind)}
        | {str(status): {"$ref": f"#/components/responses/{response_name(status)}"} for status in PROBLEMS},
        "security": [{"session": []}] if one.who is not None else [],
    }
    if one.takes is not None:
        body = {"schema": by_kind[str(one.takes)]} | ({"example": one.example} if one.example is not None else {})
        told["requestBody"] = {
            "description": _what(one.takes), "required": True, "content": {"application/json": body},
        }  # fmt: skip
    return told


def _about(one: Operation) -> list[str]:
    """What the handler says about itself, and who may call it how often."""
    said = [flowing(inspect.getdoc(one.handler) or ""), _for_whom(one.who)]
    if one.long:
        said.append("It takes long, so a person may call it a tenth as often as other operations.")
    return [part for part in said if part]


def _for_whom(who: frozenset[Post] | None) -> str:
    if who is None:
        return "For anyone, also without signing in."
    if who == ANYONE:
        return "For everyone who has signed in."
    return f"For {', '.join(post for post in Post if post in who)}."


def _parameters(one: Operation) -> Any:
    yield {"name": "slot", "in": "path", "required": True, "description": SLOT,
           "schema": {"type": "integer", "minimum": 0, "maximum": SLOTS - 1}}  # fmt: skip
    for part in one.path.split("/"):
        if part.startswith("{"):
            yield {"name": part[1:-1], "in": "path", "required": True, "description": glossary()[part[1:-1]],
                   "schema": {"type": "string"}}  # fmt: skip
    if one.query is not None:
        _, components = schemas_of([one.query])
        for name, schema in components[one.query.__name__]["properties"].items():
            told = {key: value for key, value in schema.items() if key != "description"}
            yield {"name": name, "in": "query", "required": False, "description": schema["description"],
                   "schema": told}  # fmt: skip
    if one.changes:
        yield {"name": HEADER, "in": "header", "required": True, "schema": {"const": "1"},
               "description": "Shows that a page of this house or a program sends the request, not another site."
               }  # fmt: skip


def _answer(one: Operation, by_kind: dict[str, Schema]) -> dict[str, Any]:
    if one.gives is None:
        content: dict[str, Any] = {"schema": {"type": "null"}, "example": None}
        return {"description": "It is done; the body is `null`.", "content": {"application/json": content}}
    content = {"schema": by_kind[str(one.gives)]}
    if shown := examples.of_answers().get(one.gives):
        content["examples"] = {
            name: {"summary": summary, "value": msgspec.json.decode(msgspec.json.encode(value))}
            for name, (summary, value) in shown.items()
        }
    return {"description": _what(one.gives), "content": {"application/json": content}}


def _what(kind: Any) -> str:
    """What a type means; for a list, what one of them means."""
    if arguments := get_args(kind):
        return f"A list. {description(arguments[0])}"
    return description(kind)


def response_name(status: int) -> str:
    return HTTPStatus(status).phrase.replace(" ", "")


def _problem(status: int) -> dict[str, Any]:
    what, refused = PROBLEMS[status]
    example = msgspec.structs.replace(problem(refused, library.sentences("en")), status=status)
    content = {"schema": {"$ref": "#/components/schemas/Problem"}, "example": msgspec.to_builtins(example)}
    told: dict[str, Any] = {"description": what, "content": {PROBLEM: content}}
    if status == 429:
        told["headers"] = {
            "Retry-After": {"description": "How many seconds to wait.", "required": True, "schema": {"type": "integer"}}
        }
    return told
