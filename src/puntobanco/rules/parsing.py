"""Convert untrusted data to a type, or refuse it with the name of the field and what was expected."""

import re
from collections.abc import Iterator
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec

from puntobanco.rules.checks import spoken
from puntobanco.rules.condition import Numbers, read_numbers
from puntobanco.rules.money import Odds, Rate, read_odds, read_rate
from puntobanco.rules.plain_data import ParagraphId
from puntobanco.rules.refusal import Expected, Reason, Refused, TypeName
from puntobanco.rules.suggestion import meant, nearest


def decode(kind: type, written: object) -> Any:
    if kind is ParagraphId and isinstance(written, str) and written:
        return ParagraphId(written)
    if kind is Odds:
        return read_odds(written)
    if kind is Rate:
        return read_rate(written)
    if kind is Numbers:
        return read_numbers(written)
    raise ValueError(Expected.PARAGRAPH)


_AT = re.compile(r"(?P<what>.*?)(?: - at `(?P<key>key` in `)?\$(?P<path>[^`]*)`)?", re.DOTALL)
"""The path comes last. The text before it may quote anything, even another path."""
_COMPLAINTS = {
    Reason.FIELD_MISSING: re.compile(r"Object missing required field `(?P<field>.+)`", re.DOTALL),
    Reason.FIELD_UNKNOWN: re.compile(r"Object contains unknown field `(?P<field>.+)`", re.DOTALL),
    Reason.FIELD_CHOICE: re.compile(r"Invalid enum value '?(?P<got>.*?)'?", re.DOTALL),
    Reason.FIELD_LENGTH: re.compile(r"Expected `(?P<wanted>.+)` of length (?P<bound>[<>]= [0-9]+)"),
    Reason.FIELD_PATTERN: re.compile(r"Expected `str` matching regex '(?P<pattern>.+)'"),
    Reason.FIELD_TYPE: re.compile(r"Expected `(?P<wanted>.+)`, got `(?P<got>.+)`"),
}


def convert(written: object, kind: Any, file: str, root: object, within: str = "game") -> Any:
    """Convert data to that type, or refuse it with the name of the field and what was expected."""
    try:
        return _converted(written, kind)
    except msgspec.ValidationError as error:
        raise _refused(str(error), "", kind, file, root, within) from None


def faults(written: object, kind: Any, file: str, within: str = "game") -> list[Refused]:
    """Everything for which `convert` would refuse the data, each fault on its own."""
    return [_refused(message, at, kind, file, written, within) for message, at in _complaints(written, kind, "")]


def _converted(written: object, kind: Any) -> Any:
    return msgspec.convert(written, kind, dec_hook=decode, str_keys=True)


def _complaints(written: object, kind: Any, at: str) -> Iterator[tuple[str, str]]:
    """The decoder's messages, each with the path of the smallest part that it is about."""
    try:
        _converted(written, kind)
    except msgspec.ValidationError as error:
        yield from list(_inner_complaints(written, kind, at)) or [(str(error), at)]


def _inner_complaints(written: object, kind: Any, at: str) -> Iterator[tuple[str, str]]:
    match [one for one in _alternatives(kind) if one is not NoneType]:
        case [type() as struct] if issubclass(struct, msgspec.Struct) and isinstance(written, dict):
            fields = {field.encode_name: field for field in msgspec.structs.fields(struct)}
            for name, held in written.items():
                if name in fields:
                    yield from _complaints(held, fields[name].type, f"{at}.{name}")
                else:
                    yield f"Object contains unknown field `{name}`", at
            for name, field in fields.items():
                if field.required and name not in written:
                    yield f"Object missing required field `{name}`", at
        case [several] if get_origin(several) is tuple and isinstance(written, list):
            for place, held in enumerate(written):
                yield from _complaints(held, get_args(several)[0], f"{at}[{place}]")


def _alternatives(kind: Any) -> Iterator[Any]:
    """The types of a union or behind constraints."""
    if get_origin(kind) is Annotated:
        yield from _alternatives(get_args(kind)[0])
    elif isinstance(kind, UnionType) or get_origin(kind) is Union:
        for one in get_args(kind):
            yield from _alternatives(one)
    else:
        yield kind


def _refused(message: str, at: str, kind: Any, file: str, root: object, within: str) -> Refused:
    found = _AT.fullmatch(message)
    assert found is not None, "the expression takes any text"
    what, path = found["what"], at + (found["path"] or "")
    steps = _steps(path, root)
    named: dict[str, object] = {"expected": Expected(what) if what in tuple(Expected) else what}
    reason = Reason.FIELD_WRONG
    for complaint, form in _COMPLAINTS.items():
        if said := form.fullmatch(what):
            reason, named = complaint, dict(said.groupdict())
    field = named.pop("field", None) or (steps.pop() if steps else within)
    if reason is Reason.FIELD_UNKNOWN:
        named["meant"] = meant(str(field), _fields(kind, path))
    if reason is Reason.FIELD_CHOICE:
        choices = _choices(kind, path)
        named["known"], named["meant"] = nearest(str(named["got"]), choices), meant(str(named["got"]), choices)
    if reason is Reason.FIELD_TYPE:
        named = {name: _type_names(str(types)) for name, types in named.items()}
    if reason is Reason.FIELD_LENGTH:
        named["wanted"] = _type_names(str(named["wanted"]))
    place = spoken(steps) if within == "game" else _numbered(steps if within == "scenario" else [within, *steps])
    return Refused(reason, file=file, place=place or within, field=field, **named)


def _numbered(steps: list[str]) -> str:
    """`step`, `3`, `expect` as `step 3, expect`."""
    return re.sub(r", (?=[0-9]+(,|$))", " ", ", ".join(steps))


_PYTHONS = {"NoneType": "null", "dict": "object", "list": "array"}
"""Type names in the decoder's messages about tagged unions."""


def _type_names(types: str) -> tuple[TypeName, ...]:
    return tuple(TypeName(f"type_{_PYTHONS.get(one, one)}") for one in types.split(" | "))


_STEP = re.compile(r"\.(?P<name>[A-Za-z_]+)|\[(?P<index>[0-9]{1,9}|\.\.\.)\]")


def _steps(path: str, root: Any) -> list[str]:
    """`.bet[2].lines[0].pays` as `bet`, `big_tiger`, `lines`, `1`, `pays`: by key where the file gives one."""
    steps = []
    for step in _STEP.finditer(path):
        name, index = step["name"], step["index"]
        if name:
            root = root.get(name) if isinstance(root, dict) else None
            steps.append(name)
        elif index == "...":
            root = None
        else:
            root = root[int(index)] if isinstance(root, list) and int(index) < len(root) else None
            called = root.get("key") if isinstance(root, dict) else None
            steps.append(called if isinstance(called, str) else str(int(index) + 1))
    return steps


def _choices(kind: Any, path: str) -> list[str]:
    """The values that the field at that path may have, if it is an enumeration."""
    listed = [one.cls for one in _types_at(kind, path) if isinstance(one, msgspec.inspect.EnumType)]
    return list(dict.fromkeys(str(one.value) for choices in listed for one in choices))


def _fields(kind: Any, path: str) -> list[str]:
    """The fields that the table at that path may have."""
    tables = [one for one in _types_at(kind, path) if isinstance(one, msgspec.inspect.StructType)]
    return [field.encode_name for one in tables for field in one.fields]


def _types_at(kind: Any, path: str) -> list[Any]:
    at = [_description(kind)]
    for step in _STEP.finditer(path):
        at = [inner for one in at for inner in _within(one, step["name"])]
    return [one for many in at for one in _meant(many)]


@cache
def _description(kind: Any) -> msgspec.inspect.Type:
    return msgspec.inspect.type_info(kind)


def _within(at: Any, name: str | None) -> Iterator[Any]:
    """The types one step further in. For a union, those of each member that has such a field."""
    for one in _meant(at):
        if isinstance(one, msgspec.inspect.StructType):
            yield from (field.type for field in one.fields if field.encode_name == name)
        elif isinstance(one, msgspec.inspect.DictType):
            yield one.value_type
        elif (item := getattr(one, "item_type", None)) is not None:
            yield item


def _meant(at: Any) -> Iterator[Any]:
    """The types behind an optional type, a union or constraints."""
    if isinstance(at, msgspec.inspect.UnionType):
        for one in at.types:
            yield from _meant(one)
    elif isinstance(at, msgspec.inspect.Metadata):
        yield from _meant(at.type)
    else:
        yield at
