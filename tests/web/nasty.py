"""What strangers send: bodies that look like something and are not (S15)."""

import json
from collections.abc import Iterator
from typing import Any

NUMBERS = (
    b"NaN", b"Infinity", b"-Infinity", b"1e309", b"-1e309", b"1.0", b"1e2", b"-0.0", b"0x10", b"01", b"+1", b"1_000",
    b"1" + b"0" * 30, b"-1" + b"0" * 30, b"9007199254740992", b'"1"', '"１２"'.encode(), '"٣"'.encode(),
    "１２".encode(), b"null", b"true", b"[]", b"{}", b"[1]",
)  # fmt: skip
"""In place of a whole number."""
FORMS = (
    b'{"word": "no such word"}', b'{"en": 1, "zh": []}', b'[1, {"word": "no such word"}]', b'{"any": [{"word": "x"}]}',
    b'{"section": "refusal", "key": "no such key", "parameters": {}}',
    b'{"section": "no such section", "key": "x", "parameters": {"section": 1}}',
)  # fmt: skip
"""What looks like a part of our own sentences."""
TEXTS = (
    b"null", b"1", b"true", b"[]", b"{}", b'"\\ud800"', b'"\\udc00x"', b'"\xff"', b'"\xed\xa0\x80"', b'"\n"', b'"',
    *FORMS,
)  # fmt: skip
"""In place of a text."""
WHOLES = (
    b"", b" ", b"null", b"true", b"1", b'"x"', b"[]", b"{}", b"[" * 100_000, b'{"a":' * 100_000, b"\xff\xfe{\x00}\x00",
    b"\x00", b"{", b"{}{}", b"{'a':1}", b'{"a":1,}', b"<xml/>", b"\xef\xbb\xbf{}",
)  # fmt: skip
"""In place of everything."""
DEEP = b"[" * 900 + b"]" * 900

_HOLE = "\ue000"


def bodies(example: dict[str, Any]) -> Iterator[bytes]:
    """Every one of them is to be refused, whatever the example is."""
    yield from WHOLES
    yield from mutations(example)


def mutations(example: dict[str, Any]) -> Iterator[bytes]:
    for path, value in leaves(example):
        for nasty in (*(NUMBERS if isinstance(value, int) and not isinstance(value, bool) else TEXTS), DEEP):
            yield written(example, path, nasty)
    for path in _objects(example):
        yield _extended(example, path, "__class__")
        yield _doubled(example, path)
        for forged in _paths(_at(example, path)):
            yield _extended(example, path, f"x` - at `${forged}")
    yield _extended(example, (), f"x` - at `$[{'9' * 5_000}]")


def written(example: Any, path: tuple[Any, ...], raw: bytes) -> bytes:
    """The example with those bytes at that place."""
    marked = json.dumps(_put(example, path, _HOLE), ensure_ascii=False).encode()
    return marked.replace(f'"{_HOLE}"'.encode(), raw)


def _put(at: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    step, *rest = path
    if isinstance(at, dict):
        return {key: _put(held, tuple(rest), value) if key == step else held for key, held in at.items()}
    return [_put(held, tuple(rest), value) if index == step else held for index, held in enumerate(at)]


def _at(example: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        example = example[step]
    return example


def _extended(example: Any, path: tuple[Any, ...], name: str) -> bytes:
    return json.dumps(_put(example, path, {**_at(example, path), name: 1})).encode()


def _paths(at: Any, path: str = "") -> Iterator[str]:
    """Places that are not in it, as the reader of JSON writes them: no name of a field can pass for one."""
    if isinstance(at, dict):
        for key, held in at.items():
            yield from _paths(held, f"{path}.{key}")
    elif isinstance(at, list):
        yield f"{path}[{len(at)}]"
        for index, held in enumerate(at):
            yield from _paths(held, f"{path}[{index}]")


def _doubled(example: Any, path: tuple[Any, ...]) -> bytes:
    """The first name of an object twice, with the same value: harmless, and still nothing to guess at."""
    held = _at(example, path)
    name, value = next(iter(held.items()))
    twice = json.dumps(held).encode()[:-1] + b", " + json.dumps({name: value}).encode()[1:]
    return written(example, path, twice)


def leaves(at: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(at, dict):
        for key, held in at.items():
            yield from leaves(held, (*path, key))
    elif isinstance(at, list):
        for index, held in enumerate(at):
            yield from leaves(held, (*path, index))
    elif isinstance(at, int | str) and not isinstance(at, bool):
        yield path, at


def _objects(at: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(at, dict):
        yield path
        for key, held in at.items():
            yield from _objects(held, (*path, key))
    elif isinstance(at, list):
        for index, held in enumerate(at):
            yield from _objects(held, (*path, index))
