"""What screens are told is what a new screen is shown, whenever their messages are made."""

import asyncio
import json
from typing import Any

import pytest

from puntobanco.house.tables.writer import RunningTable
from puntobanco.protocol.administrative_commands import SetDealing
from puntobanco.rules.cards import read_cards
from puntobanco.table import commands as c
from puntobanco.table.state import Phase
from tests.web.handlers.test_incidents import betting, told
from tests.web.house import HERE, PATIENCE, Premises, heard, in_a_house

NATURAL = read_cards("9 2 K K")


@in_a_house()
async def test_a_result_reaches_screens_whose_message_was_made_before_the_history_had_it(premises: Premises) -> None:
    """A table has taken what is durable before everybody is told of it, and a message may fall due in between."""
    await betting(premises)
    house, publisher, ann = premises.services.house, premises.services.publisher, await premises.visitor("ann")
    table, acknowledge = house.tables[HERE], RunningTable._acknowledge

    async def slowly(running: RunningTable, step: Any) -> None:
        await acknowledge(running, step)
        publisher._speak(HERE)

    async with ann.live() as screen:
        await screen.send(json.dumps({"type": "Watch", "table": HERE}))
        shown = (await told(screen, "Whole")).get("results", [])
        for command in (
            c.CloseBetting(round=1),
            *(c.DrawCard(round=1, index=index, card=card) for index, card in enumerate(NATURAL, start=1)),
        ):
            assert (await house.do("dora", HERE, command)).refusal is None
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(RunningTable, "_acknowledge", slowly)
            assert (await house.do("dora", HERE, c.Settle(round=1))).refusal is None
        for box in table.state.unpaid:
            assert (await house.do("dora", HERE, c.ConfirmBox(round=1, box=box))).refusal is None
        assert table.state.phase is Phase.SETTLED
        assert (await house.do("dora", HERE, c.OpenBetting())).refusal is None
        async with asyncio.timeout(PATIENCE):
            while (message := heard(await screen.recv())).get("version", 0) < table.state.version:
                shown = message.get("results") or shown
    assert shown == list((await publisher.history(HERE)).marks) != []


@in_a_house()
async def test_a_dealer_is_told_at_once_that_the_house_deals_the_table(premises: Premises) -> None:
    await betting(premises)
    house, dora = premises.services.house, await premises.visitor("dora")
    async with dora.live() as screen:
        await screen.send(json.dumps({"type": "Watch", "table": HERE}))
        assert (await told(screen, "Whole"))["public"]["next"]["code"] == "close"
        assert (await house.manage("tom", SetDealing(table=HERE, automatic=True))).refusal is None
        async with asyncio.timeout(PATIENCE):
            while (await told(screen, "Public"))["view"]["next"]["code"] != "wait_itself":
                pass
