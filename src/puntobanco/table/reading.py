"""Commands as they arrive: read strictly, or refused by the name of the field."""

from collections.abc import Mapping
from typing import cast, get_args

import msgspec

from puntobanco.rules.parsing import convert
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table.commands import AnyCommand, Command
from puntobanco.table.tags import tag_of

LONGEST_TEXT = 1_000

KINDS: Mapping[str, type[Command]] = {tag_of(kind): kind for kind in get_args(AnyCommand)}


def read_command(written: object) -> Command:
    """The command in a JSON object that has been decoded, whose `type` names it.

    >>> read_command({"type": "CloseBetting", "round": 7})
    CloseBetting(round=7, over_excess=False)
    """
    name = written.get("type") if isinstance(written, dict) else None
    if name is None:
        raise Refused(Reason.FIELD_MISSING, file="command", place="command", field="type")
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        said = name if isinstance(name, str) else msgspec.json.encode(name).decode()  # text, whatever form it has
        raise Refused(Reason.UNKNOWN_COMMAND, command=said, known=", ".join(KINDS))
    command = cast(Command, convert(written, kind, "command", written, within=name))
    check_text(written, name)
    return command


def check_text(written: object, place: str, field: str = "", file: str = "command") -> None:
    """Names, notes and reasons are one printable line each: no history can be forged with them."""
    if isinstance(written, str):
        if len(written) > LONGEST_TEXT:
            raise Refused(Reason.TEXT_TOO_LONG, file=file, place=place, field=field, most=LONGEST_TEXT)
        if not written.isprintable():
            raise Refused(Reason.TEXT_UNREADABLE, file=file, place=place, field=field)
    elif isinstance(written, dict):
        for name, held in written.items():
            check_text(held, place, str(name), file)
    elif isinstance(written, list | tuple):
        for held in written:
            check_text(held, place, field, file)
