"""The tables of CONTRIBUTING: every field of a game file, and the values of `kind` and `mode` of a paragraph."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import EnumType
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo

from puntobanco.rules.condition import Numbers
from puntobanco.rules.game import Game
from puntobanco.rules.library import Paragraph, ParagraphKind, ParagraphMode
from puntobanco.rules.money import Odds, Rate
from puntobanco.rules.plain_data import ParagraphId
from puntobanco.rules.procedures import Authorities, Authority

PAGE = Path(__file__).parent.parent / "CONTRIBUTING.md"

KINDS = {
    ParagraphKind.DEFINITION: "what a word means",
    ParagraphKind.DATA: "a fact, such as the decks, the layouts or the bets",
    ParagraphKind.PROCEDURE: "who does what, and when",
    ParagraphKind.SETTLEMENT: "what a bet pays",
    ParagraphKind.IRREGULARITY: "what happens when something went wrong",
    ParagraphKind.AUTHORITY: "who may decide something",
    ParagraphKind.HEADING: "a heading without a rule of its own",
}
MODES = {
    ParagraphMode.MACHINE: "the software does it",
    ParagraphMode.HUMAN: "a person decides, and the software records it",
    ParagraphMode.INFORMATIONAL: "nothing to do; the paragraph only informs",
}
TYPES: dict[object, str] = {
    str: "text", int: "whole number", bool: "`true` or `false`", datetime: "date and time with zone", Odds: "odds",
    Rate: "percentage", Numbers: "numbers",
}  # fmt: skip


def tables() -> str:
    """Fields by table, then the values of `kind` and `mode`."""
    lines = ["| table | must have | may have |", "|---|---|---|"]
    for struct, name in ({Game: "the file itself"} | _paths() | {Paragraph: '`[paragraph."1.5"]`'}).items():
        fields = msgspec.structs.fields(struct)
        cells = [", ".join(_field(one) for one in fields if one.required is wanted) for wanted in (True, False)]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    meanings: Mapping[Any, str]
    for title, meanings in (("kind", KINDS), ("mode", MODES)):
        lines += ["", f"| `{title}` | means |", "|---|---|"]
        lines += [f"| `{value}` | {meaning} |" for value, meaning in meanings.items()]
    return "\n".join(lines)


def _inner(struct: type[msgspec.Struct], within: str = "") -> Iterator[tuple[str, type[msgspec.Struct]]]:
    """The tables of a table, each with its path, in order."""
    for field in msgspec.structs.fields(struct):
        for one in _alternatives(field.type):
            many = get_origin(one) is tuple
            table = get_args(one)[0] if many else one
            if isinstance(table, type) and issubclass(table, msgspec.Struct):
                path = f"{within}{field.encode_name}"
                yield f"`{path}`" if within else f"`[[{path}]]`" if many else f"`[{path}]`", table
                yield from _inner(table, f"{path}.")


def _paths() -> dict[type[msgspec.Struct], str]:
    """The tables of a game file, each with the paths where it may stand."""
    found: dict[type[msgspec.Struct], list[str]] = {}
    for path, table in _inner(Game):
        found.setdefault(table, []).append(path)
    every = found[Authority]
    assert len(every) == len(Authorities.__struct_fields__)
    return {table: ", ".join(paths) for table, paths in found.items()} | {Authority: "each in `[authority]`"}


def _field(field: FieldInfo) -> str:
    kinds = [kind for one in _alternatives(field.type) if (kind := _kind(one))]
    return f"`{field.encode_name}`" + (f" ({' or '.join(kinds)})" if kinds else "")


def _kind(one: Any) -> str:
    if get_origin(one) is tuple:
        inner = _kind(next(_alternatives(get_args(one)[0])))
        return "list of tables" if inner == "table" else f"list of {inner}" if inner else "list of paragraphs"
    if one is ParagraphId:
        return ""
    if isinstance(one, EnumType):
        values: list[Any] = list(one)
        return ", ".join(f"`{value}`" for value in values)
    return TYPES.get(one, "table")


def _alternatives(kind: Any) -> Iterator[Any]:
    if get_origin(kind) is Annotated:
        yield from _alternatives(get_args(kind)[0])
    elif isinstance(kind, UnionType) or get_origin(kind) is Union:
        for one in get_args(kind):
            yield from _alternatives(one)
    elif kind is not NoneType:
        yield kind
