"""The types of the screens, generated from the types that the house reads and writes: `ui/src/lib/wire.ts`.

`python -m puntobanco.web.typescript --write` writes the file; `--check` reports whether it is current.
"""

import enum
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect as m

from puntobanco.protocol.administrative_commands import AnyAdministrativeCommand
from puntobanco.protocol.entries import AnyEntry
from puntobanco.protocol.live import FromHouse, FromScreen
from puntobanco.rules.condition import Numbers
from puntobanco.rules.game import Game
from puntobanco.table.commands import AnyCommand
from puntobanco.table.events import AnyEvent
from puntobanco.web import routes
from puntobanco.web.http.openapi import definitions
from puntobanco.web.http.operations import OPERATIONS, Operation
from puntobanco.web.http.schemas import types_in

FILE = Path(__file__).parents[3] / "ui" / "src" / "lib" / "wire.ts"

UNIONS: dict[str, Any] = {
    "AnyCommand": AnyCommand,
    "AnyEvent": AnyEvent,
    "AnyEntry": AnyEntry,
    "AnyAdministrativeCommand": AnyAdministrativeCommand,
    "FromScreen": FromScreen,
    "FromHouse": FromHouse,
}
"""Unions with a name of their own; `type` tells which of them a value is."""
RAW = {("Do", "command"): "AnyCommand", ("GameCard", "content"): "Game"}
"""What stands where the wire passes something on as it is."""
ALWAYS = {("Refusal", "sentence")}
"""Fields that the house always sends, although it may not know them yet itself."""
PLAIN = {
    m.StrType: "string", m.BoolType: "boolean", m.IntType: "number", m.FloatType: "number", m.NoneType: "null",
    m.AnyType: "unknown", m.RawType: "unknown", m.DateTimeType: "string",
}  # fmt: skip
HEAD = """\
// Written by `python -m puntobanco.web.typescript --write` from the definitions of the wire; a test keeps it true.
// Money is whole cents, moments are milliseconds UTC. A field that may be left out has its default then.
"""


class Names:
    """Every struct and enum, in the order of first use. Two of the same name are prefixed with their module."""

    def __init__(self, kinds: Sequence[Any]) -> None:
        self.found = types_in(kinds)

    def of(self, cls: type) -> str:
        first = next(other for other in self.found if other.__name__ == cls.__name__)
        return cls.__name__ if cls is first else cls.__module__.rpartition(".")[2].capitalize() + cls.__name__


def content() -> str:
    """The whole file."""
    assert routes.PARTS, "the operations are declared"
    live = (FromScreen, FromHouse)
    kinds = [*definitions(*live), Game, *UNIONS.values(), *(one.query for one in OPERATIONS if one.query is not None)]
    names = Names(kinds)
    parts = [HEAD]
    parts += [_declared(kind, names) for kind in names.found.values()]
    parts += [
        f"export type {name} =\n  | " + "\n  | ".join(names.of(one) for one in get_args(union)) + "\n"
        for name, union in UNIONS.items()
    ]
    parts += [_operations(names)]
    return "\n".join(parts)


def _declared(kind: m.StructType | m.EnumType, names: Names) -> str:
    if isinstance(kind, m.EnumType):
        values = [msgspec.json.encode(one.value).decode() for one in _members(kind.cls)]
        return f"export type {names.of(kind.cls)} = {' | '.join(values)}\n"
    lines = [f"export interface {names.of(kind.cls)} {{"]
    if kind.tag is not None:
        lines.append(f"  {kind.tag_field}: {msgspec.json.encode(kind.tag).decode()}")
    omits = kind.cls.__struct_config__.omit_defaults
    for field in kind.fields:
        raw = RAW.get((kind.cls.__name__, field.name))
        always = (kind.cls.__name__, field.name) in ALWAYS
        maybe = "?" if omits and not field.required and not always else ""
        lines.append(f"  {field.encode_name}{maybe}: {raw or _said(field.type, names)}")
    return "\n".join([*_comment(kind.cls), *lines, "}\n"])


def _members(cls: type[enum.Enum]) -> list[enum.Enum]:
    return list(cls)


def _comment(cls: type) -> list[str]:
    told = (cls.__doc__ or "").strip().partition("\n")[0]
    return [f"/** {told} */"] if told else []


def _said(kind: m.Type, names: Names) -> str:
    match kind:
        case m.StructType() | m.EnumType():
            return names.of(kind.cls)
        case m.UnionType():
            return _union(kind, names)
        case m.VarTupleType() | m.ListType() | m.FrozenSetType() | m.SetType():
            item = _said(kind.item_type, names)
            return f"readonly ({item})[]" if "|" in item or " " in item else f"readonly {item}[]"
        case m.TupleType():
            return f"readonly [{', '.join(_said(one, names) for one in kind.item_types)}]"
        case m.DictType():
            return f"{{ readonly [key: string]: {_said(kind.value_type, names)} }}"
        case m.CustomType():
            return "readonly number[]" if kind.cls is Numbers else "string"
        case m.LiteralType():
            return " | ".join(msgspec.json.encode(one).decode() for one in kind.values)
        case m.Metadata():
            return _said(kind.type, names)
        case _:
            return PLAIN[type(kind)]


def _union(kind: m.UnionType, names: Names) -> str:
    structs = {one.cls for one in kind.types if isinstance(one, m.StructType)}
    for name, union in UNIONS.items():
        if structs == set(get_args(union)):
            return name
    return " | ".join(_said(one, names) for one in kind.types)


# ---- operations --------------------------------------------------------------------------------------------------


def _operations(names: Names) -> str:
    lines = ["/** What each operation of the API takes and gives. */", "export interface Operations {"]
    for one in OPERATIONS:
        lines += [f"  /** {one.summary}. */", f"  {one.name}: {{ {_operation(one, names)} }}"]
    lines += ["}", "", "export const operations = {"]
    lines += [f'  {one.name}: ["{one.method}", "{one.path}"],' for one in OPERATIONS]
    return "\n".join([*lines, "} as const satisfies { [name in keyof Operations]: readonly [string, string] }", ""])


def _operation(one: Operation, names: Names) -> str:
    def kind(of: Any) -> str:
        return "null" if of is None else _said(m.type_info(of), names)

    inside = [part[1:-1] for part in one.path.split("/") if part.startswith("{")]
    path = "; ".join(f"{name}: string" for name in inside)
    query = f"Partial<{kind(one.query)}>" if one.query is not None else "null"
    return f"takes: {kind(one.takes)}; gives: {kind(one.gives)}; path: {{ {path} }}; query: {query}"


def main(arguments: list[str]) -> int:
    wanted = content()
    if arguments == ["--write"]:
        FILE.parent.mkdir(parents=True, exist_ok=True)
        FILE.write_text(wanted, encoding="utf-8")
        return 0
    if arguments == ["--check"]:
        true = FILE.exists() and FILE.read_text(encoding="utf-8") == wanted
        if not true:
            print(f"{FILE.name} is not what the definitions say: run 'make docs'", file=sys.stderr)
        return 0 if true else 1
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
