"""The bounds of the times that people get."""

import pytest
from msgspec.structs import replace

from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table.setup import Timing
from tests.table.pit import AT_ONCE, MANAGER, Pit

DAY = 86_400_000


@pytest.mark.parametrize(
    ("timing", "reason"),
    [
        (Timing(options=5_000), None),
        (Timing(options=4_999), Reason.OPTIONS_TOO_SHORT),
        (Timing(options=DAY), None),
        (Timing(options=DAY + 1), Reason.TIME_TOO_LONG),
        (Timing(betting=DAY), None),
        (Timing(betting=DAY + 1), Reason.TIME_TOO_LONG),
    ],
)
def test_people_have_five_seconds_to_choose_an_option_at_least_and_a_day_for_anything_at_most(
    timing: Timing, reason: Reason | None
) -> None:
    pit = Pit("commission")
    pit.staff(MANAGER, AT_ONCE)
    assert pit.state.setup is not None
    opens = c.OpenTable(setup=replace(pit.state.setup, timing=timing))
    if reason is None:
        pit.staff(MANAGER, opens)
    else:
        assert pit.refused(MANAGER, opens) == (reason, None)
