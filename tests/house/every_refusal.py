"""Every reason there is, made of everything a refusal is made of, given by a table as its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from string import Formatter
from typing import Any

from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.cards import read_card
from puntobanco.rules.plain_data import ParagraphId, Phrase, Words
from puntobanco.rules.refusal import Expected, Reason, Refused, TypeName
from puntobanco.table import commands as c
from puntobanco.table.command_table import TABLE
from puntobanco.table.pending import PendingEvents
from puntobanco.table.state import Phase

VALUES: tuple[object, ...] = (
    "Ann", 7, 10**30, None, True, 1.5, "\ud800", ParagraphId("5.1"), Words(en="Player", zh="闲", felt="閒"),
    Phase.BETTING,
    (TypeName.INT, TypeName.STR), ["9♠", Phrase("phrase", "face_down")], read_card("9S"), ValueError("wrong"), object(),
    Phrase("refusal", Reason.UNKNOWN_CARD, {"card": Expected.ODDS}), {"no": "form"},
)  # fmt: skip


def refused(reason: Reason) -> list[Refused]:
    """With and without a paragraph, and each kind of value in the place of each parameter."""
    names = [name for _, name, _, _ in Formatter().parse(library.sentences("en").table["refusal"][reason]) if name]
    if not names:
        return [Refused(reason), Refused(reason, ParagraphId("5.1"))]
    return [
        Refused(reason, (None, ParagraphId("5.1"))[place % 2], **dict.fromkeys(names, value))
        for place, value in enumerate(VALUES)
    ]


EVERY = [one for reason in Reason for one in refused(reason)]


@contextmanager
def given() -> Iterator[None]:
    """Until the end of the block tables refuse with these: lines of any slip of which one stands, and an objection
    against box n with the n-th."""
    place, object_to = TABLE[c.PlaceBets], TABLE[c.Object]

    def placed(pending: PendingEvents, command: c.PlaceBets) -> None:
        place.handler(pending, command)
        pending.refusals += enumerate(EVERY, start=len(command.lines))

    def objected(pending: PendingEvents, command: c.Object) -> None:  # noqa: ARG001
        raise EVERY[command.box]

    TABLE.update({c.PlaceBets: replace(place, handler=placed), c.Object: replace(object_to, handler=objected)})
    try:
        yield
    finally:
        TABLE.update({c.PlaceBets: place, c.Object: object_to})


def same(lines: Any, of: list[Refused]) -> None:
    """Whether these were given, in this order."""
    assert [(one.reason, one.paragraph, one.parameters) for one in lines] == [
        (one.reason, one.paragraph, one.parameters) for one in of
    ]


def told(lines: Any, of: list[Refused], language: str = "en") -> None:
    """Whether these were told, in this order: with text and numbers alone, which screens can show."""
    shown = library.sentences(language).shown
    assert [(one.reason, one.paragraph, one.parameters) for one in lines] == [
        (one.reason, one.paragraph, shown(one.parameters)) for one in of
    ]
    assert all(isinstance(value, str | int | None) for one in lines for value in one.parameters.values())
