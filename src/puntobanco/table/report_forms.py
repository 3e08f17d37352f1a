"""What a report of each fault must name and may name. The table refuses reports by this, and the screens ask for it."""

from collections.abc import Callable
from typing import NamedTuple

from puntobanco.table.commands import Fault, Report


class ReportForm(NamedTuple):
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    """Every report may have a note."""


REPORT_FORMS: dict[Fault, ReportForm] = dict.fromkeys(Fault, ReportForm()) | {
    Fault.FOREIGN_CARD: ReportForm(may=("cards", "shoe")),
    Fault.DECK_COUNT: ReportForm(may=("cards", "shoe")),
    Fault.UNSHUFFLED: ReportForm(may=("shoe",)),
    Fault.SIMULTANEOUS: ReportForm(needs=("together",), may=("order_known",)),
    Fault.MISDIRECTED: ReportForm(needs=("lies",), may=("to_person",)),
    Fault.WRONG_NUMBER_OF_CARDS: ReportForm(may=("cards",)),
    Fault.EXCESS: ReportForm(needs=("cards",)),
    Fault.EXPOSED: ReportForm(needs=("cards",)),
    Fault.FACE_UP: ReportForm(needs=("faces",)),
}


def _faces(report: Report, _drawn: int) -> bool:
    return bool(report.index and report.cards) and None not in (report.cards[0], report.cards[-1])


def _together(report: Report, drawn: int) -> bool:
    if report.cards:
        return len(report.cards) >= 2
    return report.index is not None and 1 <= report.index < drawn


_NAMED: dict[str, Callable[[Report, int], bool]] = {
    "cards": lambda report, _: bool(report.cards),
    "faces": _faces,
    "together": _together,
    "lies": lambda report, _: bool(report.lies),
}
"""Checks for what a report must name. `cards`: one or more; `faces`: those of the card at `index` and the cards after
it; `together`: two or more faces, or the index of the first card that was drawn together; `lies`: where cards lie."""


def is_complete(report: Report, drawn: int) -> bool:
    """Whether the report names what it needs, given the number of cards drawn."""
    return all(_NAMED[need](report, drawn) for need in REPORT_FORMS[report.fault].needs)
