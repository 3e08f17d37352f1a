"""What was sent, as it can be sent again: steps that name the round, the question or the card by where the table is.

`"$round"` is the round the table is in when the step is sent, `"$round-1"` the one before; so a script still means the
same once steps before it were taken out.
"""

import re
from collections import deque
from pathlib import Path
from typing import Any

import msgspec

_KIND = re.compile("([A-Z][a-z]+)+")


class Step(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One sending by one person. Without a `path` it goes over a live connection."""

    who: str
    table: str = ""
    command: dict[str, Any] | None = None
    request: str = ""
    line: int = 0
    """Which of the person's live connections."""
    path: str = ""
    method: str = "POST"
    body: Any = None
    raw: str | None = None
    """Sent as it stands instead of anything that was meant."""
    drop: bool = False
    """The connection is pulled and made again."""

    @property
    def kind(self) -> str:
        command = self.command or (self.body.get("command") if isinstance(self.body, dict) else None)
        if self.path.endswith("/foresee"):
            return "POST /tables/{table}/foresee"
        if self.command is not None or isinstance(command, dict):
            kind = command.get("type") if isinstance(command, dict) else None
            return kind if isinstance(kind, str) and _KIND.fullmatch(kind) else "(unknown)"
        if self.drop or (self.raw is not None and not self.path):
            return "(drop)" if self.drop else "(raw)"
        path = self.path.replace(f"/{self.table}", "/{table}") if self.table else self.path
        return f"{self.method} {re.sub('[?].*', '?', re.sub('[0-9]+|[$][a-z]+', '#', path))}"


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """Steps with what they led to. `seed` is of the run they were taken from."""

    seed: int
    failure: str
    steps: tuple[Step, ...]
    at_the_end: bool = False
    """It shows only once every round was brought to its end, or in the store."""


_REFERENCE = re.compile(r"\$([a-z]+)([+-][0-9]+)?")


def resolved(written: Any, names: dict[str, Any]) -> Any:
    """With what the references stand for now.

    >>> resolved({"round": "$round-1", "box": 1}, {"round": 7})
    {'round': 6, 'box': 1}
    """
    if isinstance(written, dict):
        return {name: resolved(held, names) for name, held in written.items()}
    if isinstance(written, list | tuple):
        return [resolved(held, names) for held in written]
    if isinstance(written, str) and (found := _REFERENCE.fullmatch(written)) and found[1] in names:
        value = names[found[1]]
        return value + int(found[2]) if found[2] else value
    return written


def in_path(path: str, names: dict[str, Any]) -> str:
    return re.sub(r"\$([a-z]+)", lambda found: str(names.get(found[1], 0)), path)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Step)


def read_lines(path: Path, most: int) -> list[Step]:
    """The last steps of a record: a long run has more than anybody could replay."""
    with path.open("rb") as lines:
        return [_decoder.decode(line) for line in deque(lines, maxlen=most)]


def encoded(step: Step) -> bytes:
    return _encoder.encode(step) + b"\n"


def save(path: Path, script: Script) -> None:
    """One step a line, so that a person can read it and take out more."""
    steps = ",\n  ".join(_encoder.encode(step).decode() for step in script.steps)
    head = f'"seed": {script.seed},\n "failure": {msgspec.json.encode(script.failure).decode()}'
    if script.at_the_end:
        head += ',\n "at_the_end": true'
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'{{{head},\n "steps": [\n  {steps}\n ]}}\n', encoding="utf-8")


def load(path: Path) -> Script:
    return msgspec.json.decode(path.read_bytes(), type=Script)
