"""What every desk says: why something is refused, what became of a command, and an account in sentences."""

from typing import Any

import msgspec

from puntobanco.rules.refusal import Reason


class Wire(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A body of a request or an answer."""


class Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A message of the live connection; `type` names it."""


class Problem(Wire, frozen=True):
    """Problem details (RFC 9457): why not, by which paragraph, and in words a person can read out."""

    title: str
    status: int
    reason: Reason
    detail: str
    """The sentence, in the language that was asked for."""
    paragraph: str | None = None
    parameters: dict[str, Any] = {}
    type: str = "about:blank"


class Why(Wire, frozen=True):
    """A refusal inside an answer."""

    reason: Reason
    sentence: str
    paragraph: str | None = None
    parameters: dict[str, Any] = {}


class LineRefused(Wire, frozen=True):
    line: int
    why: Why


class Answer(Wire, frozen=True):
    """What became of a command: at which version it happened, that it waits for a second person, or why not."""

    version: int
    refusal: Why | None = None
    lines: tuple[LineRefused, ...] = ()
    waits: int | None = None


class Sentence(Wire, frozen=True):
    """One line of the account of a round, with the paragraph it rests on."""

    text: str
    paragraph: str | None = None
