"""Commands as they arrive: read strictly, answered once for each request of a person."""

from collections.abc import Mapping
from typing import cast, get_args

import msgspec

from puntobanco.rules.parsing import convert, decode
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.text import check_text
from puntobanco.table.authority import By
from puntobanco.table.commands import AnyCommand, Command
from puntobanco.table.decide import Accepted, Refusal, decide
from puntobanco.table.felt import Felt
from puntobanco.table.state import State
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
    check_text(written, "command", name, most=LONGEST_TEXT)
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


class Answered(msgspec.Struct, frozen=True):
    """What a request was and how it was answered; kept by whoever keeps the history, under person and request."""

    command: AnyCommand
    answer: Accepted | Refusal


def hear(felt: Felt, state: State, command: AnyCommand, by: By, before: Answered | None) -> Answered | Refusal:
    """Each request takes effect once: sent again it has its first answer, with another body it is refused.

    `before`: how this request of this person was already answered, if it was. Only a new answer has new events.
    """
    if before is None:
        return Answered(command, decide(felt, state, command, by))
    if before.command != command:
        return reused(by)
    return before


def reused(by: By) -> Refusal:
    """The answer to a request whose number was already used for something else."""
    return Refusal(Reason.REQUEST_REUSED, None, {"request": by.request})
