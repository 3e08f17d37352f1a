"""The AsyncAPI document of the live connection, generated from the types of its messages."""

from collections.abc import Sequence
from functools import cache
from typing import Any, get_args

import msgspec

import puntobanco
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
    Probe,
    Public,
    WaitingRequests,
    Watch,
    Whole,
)
from puntobanco.table.commands import AnyCommand
from puntobanco.table.tags import tag_of
from puntobanco.web.http import examples
from puntobanco.web.http.schemas import Schema, description, schemas_of

Kind = type[msgspec.Struct]

ABOUT = """\
Messages are text, one JSON object each, and `type` names the kind. Sign in over HTTP first (`/openapi.json`), then open
a WebSocket with the session cookie and an `Origin` of this house.

Money is whole cents. Moments are milliseconds UTC by the clock of the house. Every view is complete: show the newest.
A screen whose version is older than the `after` of a `Public` has missed a message. It sends one `Watch` with its
version and gets a `Whole`.
"""
RECEIVED: tuple[tuple[str, str, Kind, tuple[Kind, ...]], ...] = (
    ("watch", "Subscribe to a table", Watch, (Whole, Misheard)),
    ("leave", "Unsubscribe from a table", Leave, ()),
    ("do", "Send a command to a table", Do, (Answered, Misheard)),
    ("here", "Answer a heartbeat", Here, ()),
    ("probe", "Ask for a heartbeat at once", Probe, (Beat,)),
)
"""What a screen sends, and what the house answers it with."""
SENT: tuple[tuple[str, str, tuple[Kind, ...]], ...] = (
    ("welcome", "The first messages of a connection", (Hello, WaitingRequests)),
    ("showPublic", "What everyone in the reader's audience sees, when it changes", (Public,)),
    ("showPrivate", "What only the reader sees, when it changes", (Private,)),
    ("showWaiting", "The requests that wait for confirmation, when they change", (WaitingRequests,)),
    ("beat", "A heartbeat, at regular intervals", (Beat,)),
)
"""What the house sends unasked."""


@cache
def written() -> bytes:
    """The document as it is served, generated once because anyone may request it."""
    return msgspec.json.encode(document())


def document() -> dict[str, Any]:
    kinds: list[Kind] = [*get_args(FromScreen), *get_args(FromHouse)]
    (*_, command), components = schemas_of([*kinds, AnyCommand])
    components["Do"]["properties"]["command"] |= command
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "puntobanco live",
            "version": puntobanco.__version__,
            "license": {"name": "MIT"},
            "description": ABOUT,
        },
        "defaultContentType": "application/json",
        "servers": {
            "house": {
                "host": "{host}",
                "protocol": "wss",
                "description": "The house that serves this document. On loopback without TLS, use `ws`.",
                "variables": {"host": {"description": "Host and port of the house.", "default": "localhost:8888"}},
            }
        },
        "channels": {"live": _channel(kinds)},
        "operations": _operations(),
        "components": {
            "messages": {tag_of(kind): _message(kind) for kind in kinds},
            "schemas": {name: _as_draft_7(schema) for name, schema in components.items()},
        },
    }


def _channel(kinds: Sequence[Kind]) -> dict[str, Any]:
    language = {"type": "string", "enum": ["en", "zh", "zh-Hant"], "description": "The language of refusals."}
    headers = {
        "Cookie": {"type": "string", "description": "The session cookie of the slot, set by signing in."},
        "Origin": {"type": "string", "description": "An origin of this house."},
    }
    return {
        "address": "/u/{slot}/api/live",
        "title": "The live connection",
        "description": "One WebSocket for everything a screen or program watches and does, at as many tables as it "
        "needs.",
        "servers": [{"$ref": "#/servers/house"}],
        "parameters": {
            "slot": {
                "description": "Which of the identities of a browser or program it is, from 0 to 99: the slot that "
                "signed in.",
                "default": "0",
            }
        },
        "messages": {tag_of(kind): {"$ref": f"#/components/messages/{tag_of(kind)}"} for kind in kinds},
        "bindings": {
            "ws": {
                "method": "GET",
                "query": {"type": "object", "properties": {"language": language}},
                "headers": {"type": "object", "properties": headers, "required": ["Cookie", "Origin"]},
                "bindingVersion": "0.1.0",
            }
        },
    }


def _operations() -> dict[str, Any]:
    """From the point of view of the house: it receives what screens send."""
    channel = {"$ref": "#/channels/live"}
    found: dict[str, Any] = {}
    for name, summary, kind, answers in RECEIVED:
        found[name] = {
            "action": "receive",
            "channel": channel,
            "title": summary,
            "summary": summary,
            "description": description(kind),
            "messages": _named([kind]),
        }
        if answers:
            found[name]["reply"] = {"channel": channel, "messages": _named(answers)}
    for name, summary, kinds in SENT:
        found[name] = {
            "action": "send",
            "channel": channel,
            "title": summary,
            "summary": summary,
            "description": " ".join(description(kind) for kind in kinds),
            "messages": _named(kinds),
        }
    return found


def _named(kinds: Sequence[Kind]) -> list[dict[str, str]]:
    return [{"$ref": f"#/channels/live/messages/{tag_of(kind)}"} for kind in kinds]


def _message(kind: Kind) -> dict[str, Any]:
    said = description(kind)
    told = {
        "name": tag_of(kind),
        "title": kind.__name__,
        "summary": said.partition(". ")[0].rstrip(".") + ".",
        "description": said,
        "contentType": "application/json",
        "payload": {"$ref": f"#/components/schemas/{kind.__name__}"},
        "examples": [
            {"name": tag_of(kind), "payload": msgspec.to_builtins(examples.of_messages()[kind], str_keys=True)}
        ],
    }
    if "request" in kind.__struct_fields__:
        told["correlationId"] = {
            "location": "$message.payload#/request",
            "description": "The id that the screen gave its command.",
        }
    return told


def _as_draft_7(schema: Any) -> Any:
    """A schema in the dialect of AsyncAPI, JSON Schema draft 7: a reference stands alone, and a tuple is `items`."""
    if isinstance(schema, list):
        return [_as_draft_7(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    told: Schema = {name: _as_draft_7(one) for name, one in schema.items() if name != "discriminator"}
    if "prefixItems" in told:
        told["items"], told["additionalItems"] = told.pop("prefixItems"), False
    if "$ref" in told and len(told) > 1:
        told["allOf"] = [{"$ref": told.pop("$ref")}]
    return told
