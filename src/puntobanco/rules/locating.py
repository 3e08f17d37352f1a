"""Where a field is written in a TOML file, for messages about it. A place that is not certain is not given."""

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterable
from typing import Any, NamedTuple

from puntobanco.rules.checks import spoken
from puntobanco.rules.refusal import Reason, Refused

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_TEXT = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|"(?:[^"\\\n]|\\.)*"' r"|'''.*?'{3,5}|'[^'\n]*'",
    re.DOTALL,
)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d[^\s,\]}#]*|[^\s,\]}#]+")
"""A value that is no text, list or table: a date may have a space before its time."""

_Path = tuple[str | int, ...]


class Position(NamedTuple):
    """Line and column, from 1."""

    line: int
    column: int


class LocatedFault(NamedTuple):
    """A fault of a file. Its sentence begins with the position, if that is known."""

    refused: Refused
    position: Position | None


def locate(found: Iterable[Refused], text: str, written: dict[str, Any], file: str) -> list[LocatedFault]:
    """The faults in the order of the file. What cannot be located comes last. One pay line that is wrong on several
    layouts is one fault."""
    among, again = positions(text, written), positions(text, written, last=True)
    faults: dict[object, LocatedFault] = {}
    for one in found:
        known = again if one.reason is Reason.KEY_TWICE else among
        at = position(str(one.parameters.get("place", "")), str(one.parameters.get("field", "")), known)
        named = one.parameters | ({"file": f"{file}:{at.line}:{at.column}"} if at else {})
        parameters = {name: str(value) for name, value in named.items() if name != "place" or not at}
        faults.setdefault((one.reason, *sorted(parameters.items())), LocatedFault(Refused(one.reason, **named), at))
    return sorted(faults.values(), key=lambda fault: (fault.position is None, fault.position or ()))


_UNPARSED = re.compile(r"(.*) \(at (?:line ([0-9]+), column ([0-9]+)|end of document)\)", re.DOTALL)
"""The end of a parser's message."""


def locate_unparsed(refused: Refused, text: str) -> LocatedFault:
    """A file that cannot be parsed, where its parser says so."""
    found = _UNPARSED.fullmatch(str(refused.parameters["why"]))
    if found is None:
        return LocatedFault(refused, None)
    why, line, column = found.groups()
    lines = text.split("\n")
    at = Position(int(line), int(column)) if line else Position(len(lines), len(lines[-1]) + 1)
    file = f"{refused.parameters['file']}:{at.line}:{at.column}"
    return LocatedFault(Refused(refused.reason, file=file, why=why), at)


def positions(text: str, written: dict[str, Any], *, last: bool = False) -> dict[str, Position]:
    """The position of every place and field of a file, by how messages name it: `bet tie, line 1, pays`. `written` is
    what the text means; if the scanner reads anything else, it gives no positions at all. `last`: of several places
    with one name the last; otherwise none."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    scanner = _Scanner(text)
    try:
        if scanner.scan() != written:
            return {}
    except RecursionError:
        return {}
    found: dict[str, int | None] = {}
    for path, offset in scanner.offsets.items():
        steps = _steps(path, written)
        for name in {spoken(steps), ", ".join(steps)}:
            found[name] = offset if last or name not in found else None
    breaks = [at for at, one in enumerate(text) if one == "\n"]
    return {name: _position(offset, breaks) for name, offset in found.items() if offset is not None}


def position(place: str, field: str, among: dict[str, Position]) -> Position | None:
    """The position of a field, or of its place if the field is missing there."""
    inside = re.sub(r"^(game|overlay)(, |$)| on layout [A-Z0-9-]+", "", place)
    names = [f"{inside}, {field}", f"{inside}, {field.replace('.', ', ')}", inside]
    return next((among[name] for name in (one.removeprefix(", ") for one in names) if name in among), None)


def _position(offset: int, breaks: list[int]) -> Position:
    line = bisect_left(breaks, offset)
    return Position(line + 1, offset - (breaks[line - 1] + 1 if line else 0) + 1)


def _steps(path: _Path, root: Any) -> list[str]:
    """A path with each part of a list named as messages do: by its key, or by its number from 1."""
    steps: list[str] = []
    for step in path:
        root = root[step]
        if isinstance(step, int):
            key = root.get("key") if isinstance(root, dict) else None
            steps.append(key if isinstance(key, str) else str(step + 1))
        else:
            steps.append(step)
    return [f'paragraph "{steps[1]}"', *steps[2:]] if steps[0] == "paragraph" and len(steps) > 1 else steps


class _Scanner:
    """Reads TOML that is known to be valid, and notes where each key and each part of a list begins."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.offsets: dict[_Path, int] = {}

    def scan(self) -> dict[str, Any]:
        root: dict[str, Any] = {}
        table = root
        path: _Path = ()
        while self._skip(_BLANK) < len(self.text):
            if self.text[self.at] == "[":
                table, path = self._header(root)
            else:
                self._pair(table, path)
        return root

    def _skip(self, blank: re.Pattern[str]) -> int:
        found = blank.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.at

    def _take(self, form: re.Pattern[str]) -> str:
        found = form.match(self.text, self.at)
        assert found is not None, "the text is valid"
        self.at = found.end()
        return found[0]

    def _note(self, path: _Path, offset: int) -> None:
        self.offsets.setdefault(path, offset)

    def _keys(self) -> list[str]:
        keys = []
        while True:
            self._skip(_SPACE)
            quoted = self.text[self.at] in "\"'"
            keys.append(_value(self._take(_TEXT)) if quoted else self._take(_BARE))
            if self.text[self._skip(_SPACE)] != ".":
                return keys
            self.at += 1

    def _header(self, root: dict[str, Any]) -> tuple[dict[str, Any], _Path]:
        start, many = self.at, self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        *outer, last = self._keys()
        self.at += 2 if many else 1
        table, path = self._inside(root, (), outer, start)
        if not many:
            return self._inside(table, path, [last], start)
        rows = table.setdefault(last, [])
        rows.append({})
        self._note((*path, last), start)
        self._note((*path, last, len(rows) - 1), start)
        return rows[-1], (*path, last, len(rows) - 1)

    def _inside(self, table: dict[str, Any], path: _Path, keys: list[str], offset: int) -> tuple[dict[str, Any], _Path]:
        """The table under those keys: of a list of tables, the last."""
        for key in keys:
            held, path = table.setdefault(key, {}), (*path, key)
            self._note(path, offset)
            if isinstance(held, list):
                held, path = held[-1], (*path, len(held) - 1)
            table = held
        return table, path

    def _pair(self, table: dict[str, Any], path: _Path) -> None:
        start = self.at
        *outer, last = self._keys()
        self.at += 1
        self._skip(_SPACE)
        table, path = self._inside(table, path, outer, start)
        self._note((*path, last), start)
        table[last] = self._read((*path, last))

    def _read(self, path: _Path) -> Any:
        opening = self.text[self.at]
        if opening not in "[{":
            return _value(self._take(_TEXT if opening in "\"'" else _PLAIN))
        self.at += 1
        parts: list[Any] = []
        table: dict[str, Any] = {}
        while self.text[self._skip(_BLANK)] not in "]}":
            if self.text[self.at] == ",":
                self.at += 1
            elif opening == "{":
                self._pair(table, path)
            else:
                self._note((*path, len(parts)), self.at)
                parts.append(self._read((*path, len(parts))))
        self.at += 1
        return parts if opening == "[" else table


def _value(written: str) -> Any:
    return tomllib.loads(f"x = {written}")["x"]
