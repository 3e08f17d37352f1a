"""The JSON schemas of the types that are sent and received, with a description of each type and property.

The docstring of a class describes its schema, and a string under a field describes its property. A field without one
has its meaning from the glossary `protocol/fields.toml`, because a name has one meaning in the whole API.
"""

import ast
import inspect
import sys
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Any

import msgspec
from msgspec import inspect as m

from puntobanco.rules import library
from puntobanco.rules.refusal import Reason

Schema = dict[str, Any]
REF = "#/components/schemas/{name}"


def schemas_of(kinds: Sequence[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    """The schema of each kind, and the components that they refer to."""
    found, components = msgspec.json.schema_components(kinds, schema_hook=_as_text, ref_template=REF)
    for cls, kind in types_in(kinds).items():
        if isinstance(kind, m.StructType):
            _describe_struct(components[cls.__name__], kind)
        else:
            _describe_enum(components[cls.__name__], kind)
    return list(found), components


def types_in(kinds: Sequence[Any]) -> dict[type, m.StructType | m.EnumType]:
    """Every struct and enum of these kinds, in the order of first use."""
    found: dict[type, m.StructType | m.EnumType] = {}

    def meet(kind: m.Type) -> None:
        if isinstance(kind, m.StructType | m.EnumType):
            if kind.cls in found:
                return
            found[kind.cls] = kind
        for part in _parts(kind):
            meet(part)

    for kind in m.multi_type_info(kinds):
        meet(kind)
    return found


@cache
def glossary() -> dict[str, str]:
    """The meaning of each name that has the same meaning everywhere."""
    return tomllib.loads((resources.files("puntobanco.protocol") / "fields.toml").read_text(encoding="utf-8"))


def description(cls: type, field: m.Field | None = None) -> str:
    """What a class or one of its fields means; empty if nothing says so."""
    if field is None:
        return flowing(cls.__doc__ or "")
    for one in cls.__mro__:
        if field.name in (said := _docstrings(one.__module__).get(one.__qualname__, {})):
            return said[field.name]
    return glossary().get(field.encode_name, "")


def flowing(docstring: str) -> str:
    """Without the line breaks of the source: only an empty line begins a new paragraph."""
    return "\n\n".join(" ".join(part.split()) for part in inspect.cleandoc(docstring).split("\n\n"))


def _as_text(kind: type) -> Schema:
    """Types of this package that are encoded as text."""
    return {"type": "string", "title": kind.__name__}


def _describe_struct(schema: Schema, kind: m.StructType) -> None:
    if kind.cls.__doc__:
        schema["description"] = description(kind.cls)
    properties = schema["properties"]
    if kind.tag is not None:
        properties[kind.tag_field]["description"] = f"The tag of this type: always `{kind.tag}`."
    for field in kind.fields:
        if said := description(kind.cls, field):
            properties[field.encode_name]["description"] = said


def _describe_enum(schema: Schema, kind: m.EnumType) -> None:
    members = _docstrings(kind.cls.__module__).get(kind.cls.__qualname__, {})
    if kind.cls is Reason:
        said = library.sentences("en").table["refusal"]
        members = {one.name: said[one] for one in Reason}
    schema["enum"] = [one.value for one in kind.cls]  # in the order of the class, which descriptions refer to
    lines = [f"- `{one.value}`: {members[one.name]}" for one in kind.cls if one.name in members]
    if about := "\n\n".join(part for part in (description(kind.cls), "\n".join(lines)) if part):
        schema["description"] = about


@cache
def _docstrings(module: str) -> dict[str, dict[str, str]]:
    """The strings under the fields of each class of a module, by class and field."""
    if not module.startswith("puntobanco."):
        return {}
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {one.name: dict(_of_fields(one)) for one in tree.body if isinstance(one, ast.ClassDef)}


def _of_fields(cls: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in zip(cls.body, cls.body[1:], strict=False):
        match field, below:
            case (
                (ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)])),
                ast.Expr(value=ast.Constant(value=str(said))),
            ):
                yield name, flowing(said)


def _parts(kind: m.Type) -> Iterator[m.Type]:
    match kind:
        case m.StructType():
            yield from (field.type for field in kind.fields)
        case m.UnionType():
            yield from kind.types
        case m.VarTupleType() | m.ListType() | m.FrozenSetType() | m.SetType():
            yield kind.item_type
        case m.TupleType():
            yield from kind.item_types
        case m.DictType():
            yield kind.key_type
            yield kind.value_type
        case m.Metadata():
            yield kind.type
        case _:
            return
