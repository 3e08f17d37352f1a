"""A table that deals by itself: the insurance window ends as soon as everybody who may insure has answered."""

from pathlib import Path

import pytest

from puntobanco.house.tables.dealer import Pace
from puntobanco.house.tables.writer import RunningTable
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.state import Phase
from tests.house.tables.test_automatic_squeeze import Until, dealt, did, told
from tests.house.tables.test_writer import House


@pytest.mark.parametrize("answers", [True, False])
def test_the_window_ends_with_the_last_answer_or_when_its_time_is_up(tmp_path: Path, *, answers: bool) -> None:
    async def work(table: RunningTable, until: Until, house: House) -> None:
        await until(lambda: table.state.phase is Phase.INSURANCE)
        window = table.state.window
        assert window is not None
        opened = house.clock.now
        for offer in window.offers if answers else ():
            await did(table, c.DeclineInsurance(round=1, window=window.window, box=offer.box), offer.owner)
        await until(lambda: table.state.phase is not Phase.INSURANCE)
        assert (house.clock.now < window.deadline) is answers
        assert (house.clock.now - opened < 2_000) is answers
        await until(lambda: table.state.phase is Phase.SETTLED)

    dealt(tmp_path, "insurance", work)


def test_whoever_may_squeeze_has_time_to_ask_for_the_card_after_insurance(tmp_path: Path) -> None:
    async def work(table: RunningTable, until: Until, _house: House) -> None:
        await until(lambda: table.state.phase is Phase.INSURANCE)
        await until(lambda: table.state.phase is Phase.DEALING)
        assert len(table.state.drawn) == 5
        await did(table, c.RequestSqueeze(round=1, index=6), "ann")
        await until(lambda: 6 in table.state.squeezed)

    house = dealt(tmp_path, "insurance", work)
    (closed,), drawn = told(house, e.InsuranceClosed), told(house, e.CardDrawn)
    assert drawn[5].by.at - closed.by.at >= Pace().card
