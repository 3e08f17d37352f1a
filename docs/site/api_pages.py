"""The HTTP API and the live connection, rendered from the documents that the server generates, and the Python API from
docstrings."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

import msgspec

from docs.site.tables import markdown_table
from puntobanco.rules.library import sentences
from puntobanco.rules.refusal import Reason
from puntobanco.web import routes
from puntobanco.web.http import asyncapi, openapi
from puntobanco.web.http.caller import HEADER
from puntobanco.web.http.refusals import STATUS

MODULES = (
    ("puntobanco", "Games, cards, settlement"),
    ("puntobanco.odds", "Odds"),
    ("puntobanco.client.client", "The client"),
    ("puntobanco.client.operations", "Operations of the client"),
    ("puntobanco.client.live", "The live connection"),
)
TYPES = "api-types.html"
_EVERYWHERE = ("slot", HEADER)
"""Parameters of every operation, which the page explains once."""
Document = Mapping[str, Any]


def pages() -> Iterator[tuple[str, str]]:
    assert routes.PARTS, "the operations are declared"
    http, live = msgspec.json.decode(openapi.written()), msgspec.json.decode(asyncapi.written())
    yield "api.md", operations(http)
    yield "live.md", messages(live)
    yield "api-types.md", types(live["components"]["schemas"] | http["components"]["schemas"])
    yield "python.md", python()


# ---- operations --------------------------------------------------------------------------------------------------


def operations(api: Document) -> str:
    by_group: dict[str, list[str]] = defaultdict(list)
    parameters: dict[str, str] = {}
    for path, methods in api["paths"].items():
        for method, one in methods.items():
            by_group[one["tags"][0]] += _operation(method, path, one)
            parameters |= {given["name"]: given["description"] for given in one["parameters"]}
    about = {tag["name"]: tag["description"] for tag in api["tags"]}
    session = api["components"]["securitySchemes"]["session"]
    refusals = api["components"]["responses"].items()
    lines = [
        "# HTTP API",
        "",
        "Rendered from the OpenAPI document that a house serves at `/openapi.json`. The [integrator's "
        "guide](integrator.md) explains how the operations fit together, [the live connection](live.md) has the "
        "messages, and [types](api-types.md) has every body and answer, field by field.",
        "",
        *_paragraphs(api["info"]["description"]),
        "## Every request",
        "",
        markdown_table(
            ("", "where", "meaning"),
            [
                (f"`{session['name']}`", "cookie", _text(session["description"])),
                ("`slot`", "path", _text(parameters["slot"])),
                (f"`{HEADER}`", "header, except with `GET`", f"`1`. {_text(parameters[HEADER])}"),
            ],
        ),
        "",
        "## Refusals",
        "",
        "Every operation may be refused with one of these. The body is a [Problem](api-types.md#problem), and [its "
        "`reason`](#every-reason-of-a-refusal) tells more than the status.",
        "",
        markdown_table(
            ("status", "when", "example of `reason`"),
            [
                (str(shown["status"]), _text(one["description"]), f"`{shown['reason']}`")
                for _, one in refusals
                for media in one["content"].values()
                for shown in [media["example"]]
            ],
        ),
        "",
    ]
    for group, found in by_group.items():
        title, _, said = about[group].partition(": ")
        lines += [f"## {title}", "", *_paragraphs(said[:1].upper() + said[1:]), *found]
    return "\n".join([*lines, *_reasons()])


def _reasons() -> Iterator[str]:
    yield "## Every reason of a refusal"
    yield ""
    yield "What is in braces comes from `parameters`."
    yield ""
    said = sentences("en").table["refusal"]
    yield markdown_table(
        ("`reason`", "status", "sentence"),
        [
            (f'<span id="reason-{reason}">`{reason}`</span>', str(STATUS.get(reason, 409)), _text(said[reason]))
            for reason in Reason
        ],
    )
    yield ""


def _operation(method: str, path: str, one: Document) -> Iterator[str]:
    yield f"### {method.upper()} {path}"
    yield ""
    yield f"**{_text(one['summary'])}.**"
    yield ""
    yield from _paragraphs(one["description"])
    own = [given for given in one["parameters"] if given["name"] not in _EVERYWHERE]
    if own:
        rows = [
            (f"`{given['name']}`", given["in"], _type(given["schema"]), _default(given), _text(given["description"]))
            for given in own
        ]
        yield markdown_table(("parameter", "in", "type", "", "meaning"), rows)
        yield ""
    for media in one.get("requestBody", {}).get("content", {}).values():
        yield f"Body: {_type(media['schema'])}."
        yield ""
        yield from _example("body", media["example"])
    answer = one["responses"]["200"]
    for media in answer["content"].values():
        yield f"Answer: {_type(media['schema'])}. {_text(answer['description'])}"
        yield ""
        for shown in media.get("examples", {}).values():
            yield from _example(shown["summary"], shown["value"])


# ---- live messages -----------------------------------------------------------------------------------------------


def messages(api: Document) -> str:
    channel, server = api["channels"]["live"], api["servers"]["house"]
    ws = channel["bindings"]["ws"]
    handshake = [("`slot`", "path", channel["parameters"]["slot"]["description"])]
    handshake += [
        (f"`{name}`", where, field["description"])
        for where, of in (("header", "headers"), ("query", "query"))
        for name, field in ws[of]["properties"].items()
    ]
    lines = [
        "# Live connection",
        "",
        "Rendered from the AsyncAPI document that a house serves at `/asyncapi.json`. The [integrator's "
        "guide](integrator.md#the-live-connection) explains gaps, resuming and close codes.",
        "",
        *_paragraphs(api["info"]["description"]),
        f"Address: `{server['protocol']}://{server['host']}{channel['address']}`. {_text(server['description'])} "
        f"{_text(channel['description'])}",
        "",
        markdown_table(
            ("handshake", "where", "meaning"), [(name, where, _text(said)) for name, where, said in handshake]
        ),
        "",
    ]
    for action, title in (("receive", "You send"), ("send", "The house sends")):
        lines += [f"## {title}", ""]
        for one in api["operations"].values():
            if one["action"] == action:
                lines += _exchange(one)
    lines += ["## Messages", ""]
    for message in api["components"]["messages"].values():
        lines += _message(message, api["components"]["schemas"])
    return "\n".join(lines)


def _exchange(one: Document) -> Iterator[str]:
    yield f"* **{_text(one['title'])}**: {_links(one['messages'])}. {_text(one['description'])}" + (
        f" Answer: {_links(one['reply']['messages'], ' or ')}." if "reply" in one else ""
    )
    yield ""


def _links(named: list[dict[str, str]], between: str = ", ") -> str:
    tags = [one["$ref"].rpartition("/")[2] for one in named]
    return between.join(f"[{tag}](#message-{tag.lower()})" for tag in tags)


def _message(message: Document, schemas: Document) -> Iterator[str]:
    yield f"### Message {message['name']}"
    yield ""
    yield from _paragraphs(message["description"])
    yield from _fields(schemas[message["payload"]["$ref"].rpartition("/")[2]])
    for shown in message["examples"]:
        yield from _example("message", shown["payload"])


# ---- types -------------------------------------------------------------------------------------------------------


def types(schemas: Document) -> str:
    lines = ["# Types of the API", "", "Of the [HTTP API](api.md) and the [live connection](live.md).", ""]
    for name in sorted(schemas):
        lines += [f"## {name}", "", *_schema(schemas[name])]
    return "\n".join(lines)


def _schema(one: Document) -> Iterator[str]:
    yield from _paragraphs(one.get("description", ""))
    if "enum" in one:
        yield f"One of {_type(one)}."
        yield ""
    elif "properties" in one:
        yield from _fields(one)
    else:
        yield f"{_type(one)}."
        yield ""


def _fields(one: Document) -> Iterator[str]:
    needed = set(one.get("required", ()))
    rows = [
        (f"`{name}`", _type(of), "required" if name in needed else _default({"schema": of}), _text(of["description"]))
        for name, of in one.get("properties", {}).items()
    ]
    if rows:
        yield markdown_table(("field", "type", "if absent", "meaning"), rows)
        yield ""


def _type(schema: Document) -> str:
    """A type in a cell: a link to a named one."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="{TYPES}#{name.lower()}">{escape(name)}</a>'
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(_type(one) for one in schema[several]))
    if "prefixItems" in schema:
        return f"list of {len(schema['prefixItems'])}: {', '.join(map(_type, schema['prefixItems']))}"
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}" if schema.get("items") else "list"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    return str(schema.get("type", "anything"))


def _default(given: Document) -> str:
    if given.get("required") or "default" not in given["schema"]:
        return "required" if given.get("required") else ""
    return f"`{json.dumps(given['schema']['default'], ensure_ascii=False)}`"


# ---- text --------------------------------------------------------------------------------------------------------


def _paragraphs(said: str) -> Iterator[str]:
    """A description in Markdown as it is."""
    if said:
        yield said.replace("<", "&lt;").strip()
        yield ""


def _text(said: str) -> str:
    """A description on one line."""
    return " ".join(said.split()).replace("|", "\\|").replace("<", "&lt;")


def _example(summary: str, value: Any) -> Iterator[str]:
    yield f'<details class="example unsearched"><summary>Example: {escape(summary[:1].lower() + summary[1:])}</summary>'
    yield ""
    yield "```json"
    yield msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    yield "```"
    yield ""
    yield "</details>"
    yield ""


def python() -> str:
    parts = [
        "# Python reference",
        "",
        "From the docstrings. The names of `puntobanco` itself are the ones to begin with: `import puntobanco as pb`.",
        "",
    ]
    for module, title in MODULES:
        more = ["   :imported-members:"] if module in ("puntobanco", "puntobanco.odds") else []
        parts += [f"## {title}: `{module}`", "", "```{eval-rst}", f".. automodule:: {module}", "   :members:", *more]
        parts += ["   :undoc-members:", "```", ""]
    return "\n".join(parts)
