"""Reads commands as they arrive, strictly. A refusal names the wrong field."""

from collections.abc import Mapping
from typing import cast, get_args

import msgspec

from puntobanco.rules.parsing import convert
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.text import check_text
from puntobanco.table.commands import AnyCommand, Command
from puntobanco.table.tags import tag_of

LONGEST_TEXT = 1_000

KINDS: Mapping[str, type[Command]] = {tag_of(kind): kind for kind in get_args(AnyCommand)}


def read_command(written: object) -> Command:
    """The command in a JSON object that has been decoded, whose `type` names it.

    >>> read_command({"type": "Settle", "round": 7})
    Settle(round=7)
    """
    name = written.get("type") if isinstance(written, dict) else None
    if name is None:
        raise Refused(Reason.FIELD_MISSING, file="command", place="command", field="type")
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        said = name if isinstance(name, str) else msgspec.json.encode(name).decode()  # always text in the refusal
        raise Refused(Reason.UNKNOWN_COMMAND, command=said, known=", ".join(KINDS))
    command = cast(Command, convert(written, kind, "command", written, within=name))
    if not _is_plain(written):
        check_text(written, "command", name, most=LONGEST_TEXT)
    return command


def _is_plain(written: object) -> bool:
    """Whether every text in it is short and printable, as in nearly all commands; otherwise `check_text` finds the
    field."""
    text = msgspec.json.encode(written).decode()
    return len(text) <= LONGEST_TEXT and text.isprintable() and "\\" not in text
