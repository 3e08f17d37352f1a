"""Commands as they arrive, read strictly."""

from collections.abc import Mapping
from typing import cast, get_args

import msgspec

from puntobanco.rules.parsing import convert, decode
from puntobanco.rules.refusal import Reason, Refusal, Refused
from puntobanco.table.authority import By
from puntobanco.table.commands import AnyCommand, Command
from puntobanco.table.tags import tag_of

LONGEST_TEXT = 1_000

_commands: msgspec.json.Decoder[AnyCommand] = msgspec.json.Decoder(AnyCommand, dec_hook=decode)
KINDS: Mapping[str, type[Command]] = {tag_of(kind): kind for kind in get_args(AnyCommand)}


def read_command(content: bytes | str) -> Command:
    """The command in a JSON object whose `type` names it, or a refusal by the name of the field.

    >>> read_command('{"type": "CloseBetting", "round": 7}')
    CloseBetting(round=7, over_excess=False)
    """
    if (plain := _plain(content)) is not None:
        return plain
    try:
        written = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(Reason.COMMAND_MALFORMED, why=error) from None
    name = written.get("type") if isinstance(written, dict) else None
    if name is None:
        raise Refused(Reason.FIELD_MISSING, file="command", place="command", field="type")
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        said = name if isinstance(name, str) else msgspec.json.encode(name).decode()  # text, whatever form it has
        raise Refused(Reason.UNKNOWN_COMMAND, command=said, known=", ".join(KINDS))
    command = cast(Command, convert(written, kind, "command", written, within=name))
    _check_text(written, name)
    return command


def _plain(content: bytes | str) -> Command | None:
    """A command without anything to look twice at: right in every field, short, and all of it printable as it stands.

    Nearly all are. Whatever is not is read again, slowly, to say what is wrong with it.
    """
    if len(content) > LONGEST_TEXT or not content.isascii():
        return None
    text = content if isinstance(content, str) else content.decode("ascii")
    if "\\" in text or not text.isprintable():
        return None
    try:
        return _commands.decode(text)
    except msgspec.MsgspecError:
        return None


def _check_text(written: object, place: str, field: str = "") -> None:
    """Names, notes and reasons are one printable line each: no history can be forged with them."""
    if isinstance(written, str) and len(written) > LONGEST_TEXT:
        raise Refused(Reason.TEXT_TOO_LONG, file="command", place=place, field=field, most=LONGEST_TEXT)
    if isinstance(written, str) and not written.isprintable():
        raise Refused(Reason.TEXT_UNREADABLE, file="command", place=place, field=field)
    if isinstance(written, dict):
        for name, held in written.items():
            _check_text(held, place, name)
    elif isinstance(written, list):
        for held in written:
            _check_text(held, place, field)


def reused(by: By) -> Refusal:
    """The answer to a request whose number was already used for something else."""
    return Refusal(Reason.REQUEST_REUSED, None, {"request": by.request})
