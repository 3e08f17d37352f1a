"""What every operation can answer: a refusal, the result of a command, and an account in sentences."""

import msgspec

from puntobanco.rules.refusal import Refusal


class Wire(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The body of a request or an answer."""


class Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A message of the live connection; `type` names it."""


class Problem(Refusal, frozen=True, kw_only=True):
    """A refusal as the body of an HTTP answer: problem details (RFC 9457)."""

    title: str
    status: int
    sentence: str = msgspec.field(name="detail")
    """In the language that was asked for."""
    type: str = "about:blank"


class LineRefused(Wire, frozen=True, kw_only=False):
    """A line of a slip that was refused; the first line is 0."""

    line: int
    why: Refusal


class Answer(Wire, frozen=True, kw_only=False):
    """The result of a command: the version at which it took effect, or the refusal, and the refused lines of a slip.
    The version is that of the stream the command is for: a table, or the journal."""

    version: int
    refusal: Refusal | None = None
    lines: tuple[LineRefused, ...] = ()
    waits: int | None = None
    """The number under which it waits for a second person or a guest; nothing has happened yet."""


class Sentence(Wire, frozen=True):
    """One line of the account of a round, with the paragraph it cites."""

    text: str
    paragraph: str | None = None
