"""What a report needs is written once: what the screens ask for is what the table refuses without."""

import pytest
from msgspec import convert

from puntobanco.rules.cards import read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Fault
from puntobanco.table.decide import Refusal, decide
from puntobanco.table.report_forms import REPORT_FORMS
from tests.table.pit import Pit

NAMED: dict[str, dict[str, object]] = {
    "cards": {"cards": read_cards("9S")},
    "faces": {"index": 1, "cards": read_cards("9S")},
    "together": {"cards": read_cards("9S 8S")},
    "lies": {"lies": {1: Side.BANKER}},
}


@pytest.mark.parametrize("fault", Fault)
def test_a_report_is_incomplete_without_exactly_what_its_form_needs(fault: Fault) -> None:
    pit = Pit("commission")
    pit.open()
    pit.close()
    pit.deal("9S 8S")
    needs = REPORT_FORMS[fault].needs
    facts = {name: value for need in needs for name, value in NAMED[need].items()}
    without = _reason(pit, c.Report(round=1, fault=fault))
    assert (without is Reason.REPORT_INCOMPLETE) is bool(needs)
    assert _reason(pit, convert({"round": 1, "fault": fault, **facts}, c.Report)) is not Reason.REPORT_INCOMPLETE


def _reason(pit: Pit, report: c.Report) -> Reason | None:
    answer = decide(pit.felt, pit.state, report, By("dora", Role.DEALER, pit.now))
    return answer.reason if isinstance(answer, Refusal) else None
