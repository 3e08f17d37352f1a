"""Incidents: internal errors in handling one command. An incident refuses that command, or follows it once it is
durable, and stops nothing else.

An incident records what is needed to send the command again to the same state (`audit/reenact.py`). It contains no card
that may still lie face down or undealt: a card the house was about to deal is left out, and so is the text of the
exception.
"""

import traceback
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import msgspec

from puntobanco.protocol.incidents import UNWRITABLE, Incident, Sent, Stage
from puntobanco.rules.refusal import Reason, Refusal
from puntobanco.table import commands as c
from puntobanco.table.authority import By
from puntobanco.table.state import State
from puntobanco.table.tags import tag_of

MOST_LINES, LONGEST_LINE = 40, 300
"""Of a traceback that are kept, the last ones."""
MOST_SENT = 32
"""Commands of a batch that are kept."""
AGAIN, LONGEST = 60_000, 3_600_000
"""Milliseconds since the same fault at a table last and first happened, within which it is the same incident: nobody
fills the journal with it."""


Raised = Callable[[Incident], int]
"""Enters an incident; returns its number."""


def incident(
    table: str, state: State, stage: Stage, sent: Iterable[tuple[c.Command, By]], error: BaseException
) -> Incident:
    written = tuple(_written(command, by, sealed=stage is Stage.DECIDING) for command, by in islice(sent, MOST_SENT))
    silent = stage is Stage.DEALING or any(one.sealed for one in written)
    return Incident(
        table=table,
        version=state.version,
        stage=stage,
        sent=written,
        error=type(error).__name__ if silent else said(error),
        trace=trace(error),
    )


def administrative_incident(
    stream: str, version: int, stage: Stage, command: msgspec.Struct, by: By, post: str, error: BaseException
) -> Incident:
    """The incident of an administrative command at that version of the journal. The text of the exception is left out,
    because it may contain a PIN or a card."""
    sent = msgspec.structs.replace(_written(command, by, sealed=False), post=post)
    return Incident(
        table=stream, version=version, stage=stage, sent=(sent,), error=type(error).__name__, trace=trace(error)
    )


def refusal(number: int) -> Refusal:
    return Refusal(Reason.INCIDENT, None, {"incident": number})


def _written(command: msgspec.Struct, by: By, *, sealed: bool) -> Sent:
    """`sealed`: leave out the card that the house was about to deal from its own shoe."""
    try:
        written: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(command))
    except Exception as error:  # whatever cannot be written may be the fault itself
        return Sent({"type": tag_of(type(command)), UNWRITABLE: said(error)}, by)
    if sealed and isinstance(command, c.DrawCard | c.ExposeCard) and by.house:
        return Sent(written, by, sealed=written.pop("card", None) is not None)
    return Sent(written, by)


def trace(error: BaseException) -> tuple[str, ...]:
    """The stack, innermost frame last, without the values of variables and without messages."""
    frames = traceback.extract_tb(error.__traceback__)[-MOST_LINES:]
    return tuple(
        _line(f"{frame.filename.rpartition('/puntobanco/')[2]}:{frame.lineno} {frame.name}: {frame.line}")
        for frame in frames
    )


def said(error: BaseException) -> str:
    """The type and text of the exception, if its text can be produced."""
    name = type(error).__name__
    try:
        return _line(f"{name}: {error}")
    except Exception:
        return name


def _line(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()[:LONGEST_LINE]


class IncidentNumbers:
    """Numbers incidents. The same error at a table keeps its number while it recurs."""

    def __init__(self) -> None:
        self.last = 0
        self._lately: dict[tuple[str, ...], tuple[int, int, int]] = {}
        """The number of each recent kind of incident, and when it happened first and last."""

    def of(self, incident: Incident, now: int) -> tuple[int, bool]:
        """The number of the incident, and whether it is new."""
        self._lately = {
            kind: (number, first, last)
            for kind, (number, first, last) in self._lately.items()
            if now - last < AGAIN and now - first < LONGEST
        }
        known = self._lately.get(incident.kind)
        if known is None:
            self.last += 1
        number, first = known[:2] if known else (self.last, now)
        self._lately[incident.kind] = (number, first, now)
        return number, known is None
