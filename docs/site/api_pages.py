"""The HTTP API, rendered from the OpenAPI document that the server generates, and the Python API from docstrings."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

import msgspec

from docs.site.tables import markdown_table
from puntobanco.web import routes
from puntobanco.web.http import openapi

MODULES = (
    ("puntobanco", "Games, cards, settlement"),
    ("puntobanco.odds", "Odds"),
    ("puntobanco.client.client", "The client"),
    ("puntobanco.client.operations", "Operations of the client"),
    ("puntobanco.client.live", "The live connection"),
)


def pages() -> Iterator[tuple[str, str]]:
    yield "api.md", page(document())
    yield "python.md", python()


def document() -> Mapping[str, Any]:
    """As it is served."""
    assert routes.PARTS, "the operations are declared"
    read: Mapping[str, Any] = msgspec.json.decode(openapi.written())
    return read


def page(api: Mapping[str, Any]) -> str:
    groups: dict[str, list[str]] = defaultdict(list)
    for path, methods in api["paths"].items():
        for method, one in methods.items():
            group = (one.get("tags") or [path.split("/api/")[-1].split("/")[0]])[0]
            groups[group] += _operation(method, path, one)
    schemas = api["components"]["schemas"]
    lines = [
        "# API reference",
        "",
        "Rendered from the OpenAPI document that a house serves at `/openapi.json`. The [integrator's "
        "guide](integrator.md) explains how the operations fit together.",
        "",
    ]
    for group, operations in sorted(groups.items()):
        lines += [f"## {group}", "", *operations]
    lines += ["## Types", ""]
    for name in sorted(schemas):
        lines += _schema(name, schemas[name])
    return "\n".join(lines)


def _operation(method: str, path: str, one: Mapping[str, Any]) -> Iterator[str]:
    yield f"### {method.upper()} {path}"
    yield ""
    for said in (one.get("summary"), one.get("description")):
        if said:
            yield _text(said)
            yield ""
    if parameters := one.get("parameters"):
        rows = [
            (f"`{given['name']}`", given["in"], _type(given.get("schema", {})), _text(given.get("description", "")))
            for given in parameters
        ]
        yield markdown_table(("parameter", "in", "type", "meaning"), rows)
        yield ""
    for media in one.get("requestBody", {}).get("content", {}).values():
        yield f"Body: {_type(media.get('schema', {}))}"
        yield ""
    answers = []
    for code, answer in one.get("responses", {}).items():
        given = [_type(media.get("schema", {})) for media in answer.get("content", {}).values()]
        answers.append((code, _text(answer.get("description", "")), ", ".join(given)))
    yield markdown_table(("answer", "when", "type"), answers)
    yield ""


def _schema(name: str, one: Mapping[str, Any]) -> Iterator[str]:
    yield f'<h3 id="{_place(name)}"><code>{escape(_short(name))}</code></h3>'
    yield ""
    if said := one.get("description"):
        yield _text(said)
        yield ""
    if "enum" in one:
        yield "One of " + ", ".join(f"`{value}`" for value in one["enum"]) + "."
        yield ""
    if fields := one.get("properties"):
        needed = set(one.get("required", ()))
        rows = [
            (f"`{field}`", _type(of), "required" if field in needed else "", _text(of.get("description", "")))
            for field, of in fields.items()
        ]
        yield markdown_table(("field", "type", "", "meaning"), rows)
        yield ""
    elif "enum" not in one:
        yield _type(one)
        yield ""


def _type(schema: Mapping[str, Any]) -> str:
    """A type in a cell: a link to a named one."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#{_place(name)}">{escape(_short(name))}</a>'
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(_type(one) for one in schema[several]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}" if schema.get("items") else "list"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type", "anything")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def _place(name: str) -> str:
    return "type-" + name.replace(".", "-")


def _text(said: str) -> str:
    """A description on one line, with its backquotes."""
    return " ".join(said.split()).replace("|", "\\|").replace("<", "&lt;")


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
