"""What every operation can answer: a refusal, the result of a command, and an account in sentences."""

import msgspec

from puntobanco.rules.library import Sentences
from puntobanco.rules.refusal import Refusal
from puntobanco.table.narration_words import NarratedLine


class Wire(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The body of a request or an answer."""


class Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A message of the live connection; `type` names it."""


class Problem(Refusal, frozen=True, kw_only=True):
    """A refusal as the body of an HTTP answer: problem details (RFC 9457)."""

    title: str
    """The reason in words, without its parameters."""
    status: int
    """The HTTP status of this answer, a number such as 409."""
    sentence: str = msgspec.field(name="detail")
    """The sentence of the refusal, in the language that was asked for."""
    type: str = "about:blank"
    """Always `about:blank`: `reason` tells one kind of refusal from another."""


class LineRefused(Wire, frozen=True, kw_only=False):
    """A line of a slip that was refused; the first line is 0."""

    line: int
    """The number of the line in the slip, from 0."""
    why: Refusal
    """Why the line was refused."""


class Answer(Wire, frozen=True, kw_only=False):
    """The result of a command: the version at which it took effect, or the refusal, and the refused lines of a slip.
    The version is that of the stream the command is for: a table, or the journal."""

    version: int
    """The version of the stream that the command is for, a table or the journal, when the command took effect."""
    refusal: Refusal | None = None
    """Why the command was refused; null if it took effect, or waits."""
    lines: tuple[LineRefused, ...] = ()
    """The lines of a slip that were refused; the other lines took effect."""
    waits: int | None = None
    """The number under which it waits for a second person or a guest; nothing has happened yet."""


class Sentence(Wire, frozen=True):
    """One line of the account of a round, with the paragraph it cites."""

    text: str
    paragraph: str | None = None

    @classmethod
    def of(cls, line: NarratedLine, said: Sentences) -> "Sentence":
        """The line in the language of `said`."""
        text = said.say(line.section, line.code, **line.parameters)
        return cls(text=text, paragraph=line.rule.paragraph if line.rule else None)
