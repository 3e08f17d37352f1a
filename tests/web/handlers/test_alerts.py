"""What the pit is alerted to, through the real doors, and who has acknowledged it."""

import asyncio
from itertools import count
from typing import Any

from msgspec.structs import replace

from puntobanco.house.operations.settings import HouseSettings
from puntobanco.table import commands as c
from tests.web.handlers.test_incidents import betting
from tests.web.house import HERE, PATIENCE, SETTINGS, Premises, Visitor, in_a_house

AT_ONCE = replace(SETTINGS, house=HouseSettings(decision_alert=0))
NUMBERS = count()
COMMANDS = f"/tables/{HERE}/commands"


async def alerts(who: Visitor, *kinds: str) -> list[dict[str, Any]]:
    return [one for one in (await who.get("/alerts")).json() if not kinds or one["kind"] in kinds]


async def acknowledge(who: Visitor, **named: Any) -> str:
    """What it was answered with: nothing, or the reason of the refusal."""
    command = {"type": "Acknowledge", "table": HERE} | named
    answer = await who.post("/office", {"request": f"a{next(NUMBERS)}", "command": command})
    return "" if answer.status_code == 200 else str(answer.json()["reason"])


async def done(who: Visitor, command: dict[str, Any]) -> None:
    answer = await who.post(COMMANDS, {"request": f"c{next(NUMBERS)}", "command": command})
    assert answer.status_code == 200, answer.text


@in_a_house()
async def test_a_table_that_stopped_is_an_alert_until_somebody_acknowledges_it(premises: Premises) -> None:
    dora, sue, max_ = [await premises.visitor(name, slot) for slot, name in enumerate(("dora", "sue", "max"))]
    assert await alerts(sue) == []
    await premises.services.house.store.claim(HERE)  # somebody else owns it: the next thing that is written fails
    load = {"type": "LoadShoe", "shoe": "s", "decks": 8, "shuffled": True, "source": "keyboard"}
    assert (await dora.post(COMMANDS, {"request": "l", "command": load})).json()["reason"] == "table_stopped"
    async with asyncio.timeout(PATIENCE):
        while not (found := await alerts(sue)):  # the entry in the journal follows the failure
            await asyncio.sleep(0.01)
    (alert,) = found
    assert (alert["kind"], alert["table"], alert["to"]) == ("table_stopped", HERE, "pit_manager")
    assert await acknowledge(sue, entry=alert["entry"] + 1) == "not_found"
    assert await acknowledge(sue, entry=alert["entry"], table="there") == "not_found"
    restart = {"request": "again", "command": {"type": "RestartTable", "table": HERE}}
    assert (await max_.post("/office", restart)).status_code == 200
    assert await acknowledge(sue, entry=alert["entry"]) == "access_denied"
    assert await acknowledge(max_, entry=alert["entry"]) == ""
    assert await acknowledge(max_, entry=alert["entry"]) == "already_acknowledged"
    (seen,) = await alerts(max_)
    assert (seen["seen_by"], seen["seen_at"] > 0) == ("max", True)


@in_a_house(settings=AT_ONCE)
async def test_a_decision_that_waits_is_an_alert_until_it_is_taken(premises: Premises) -> None:
    await betting(premises)
    dora, tom = await premises.visitor("dora"), await premises.visitor("tom", 2)
    before = premises.services.house.clock()
    await done(dora, {"type": "Report", "round": 1, "fault": "unprovided", "note": "a dog on the table"})
    (alert,) = await alerts(tom, "decision_waits")
    assert (alert["waits"], alert["to"], alert["round"], alert["at"] >= before) == (True, "shift_manager", 1, True)
    assert await acknowledge(tom, version=alert["version"] - 1) == "not_found"
    assert await acknowledge(tom, version=alert["version"]) == ""
    assert (await alerts(dora, "decision_waits"))[0]["seen_by"] == "tom"
    question = premises.services.house.tables[HERE].state.question
    assert question is not None
    rule = c.Rule(question=question.number, choice=c.Choice.CONTINUE, reason="it has gone")
    assert (await premises.services.house.do("tom", HERE, rule)).refusal is None
    assert await alerts(tom, "decision_waits") == []


@in_a_house(settings=AT_ONCE)
async def test_a_request_that_waits_for_a_second_person_alerts_those_who_may_confirm_it(premises: Premises) -> None:
    await betting(premises)
    tom, max_, dora = [await premises.visitor(name, slot) for slot, name in enumerate(("tom", "max", "dora"))]
    decide = {"type": "DecideUnprovided", "round": 1, "decision": "the dog goes", "reason": "it barks"}
    await done(tom, decide)
    (alert,) = await alerts(max_)
    assert (alert["kind"], alert["table"], alert["waits"]) == ("confirmation_waits", HERE, True)
    assert await alerts(tom) == await alerts(dora) == []
    assert await acknowledge(dora, entry=alert["entry"]) == "not_found", "she is not alerted"
    assert await acknowledge(tom, entry=alert["entry"]) == "not_found", "he asked for it"
    assert await acknowledge(max_, entry=alert["entry"]) == ""
    assert (await alerts(max_))[0]["seen_by"] == "max"
    (waiting,) = premises.services.house.journal.waiting
    assert (await max_.post(f"/waiting/{waiting}/confirm")).status_code == 200
    assert await alerts(max_) == []


@in_a_house()
async def test_what_has_not_waited_long_is_no_alert_yet(premises: Premises) -> None:
    await betting(premises)
    dora, tom = await premises.visitor("dora"), await premises.visitor("tom", 2)
    await done(dora, {"type": "Report", "round": 1, "fault": "unprovided", "note": "a dog on the table"})
    assert premises.services.house.tables[HERE].state.question is not None
    assert await alerts(tom) == []


@in_a_house()
async def test_bets_on_a_card_in_sight_are_named_at_the_close_with_their_exact_worth(premises: Premises) -> None:
    await betting(premises)
    dora, tom, ann = [await premises.visitor(name, slot) for slot, name in enumerate(("dora", "tom", "ann"))]
    await done(dora, {"type": "Report", "round": 1, "fault": "exposed", "cards": [{"rank": 9, "suit": "♠"}]})
    for _ in range(60):  # a process that was only started takes longer than an opening waits
        if (await dora.get(f"/tables/{HERE}/worth")).json()["worth"] is not None:
            break
    await done(dora, {"type": "OpenBetting", "acknowledge": True})
    lines = [{"bet": "player", "amount": 500_00, "box": 1}, {"bet": "tie", "amount": 100_00, "box": 1}]
    await done(ann, {"type": "PlaceBets", "round": 2, "lines": lines})
    assert await alerts(tom, "bets_on_known_cards") == []
    await done(dora, {"type": "CloseBetting", "round": 2})
    (alert,) = await alerts(tom, "bets_on_known_cards")
    assert alert["worth"] == {"player": 215_281}
    assert [(one["owner"], one["bet"], one["amount"]) for one in alert["stakes"]] == [("ann", "player", 500_00)]
    assert await acknowledge(tom, version=alert["version"]) == ""


@in_a_house()
async def test_an_opening_that_waits_is_an_alert_until_somebody_lets_it_through(premises: Premises) -> None:
    await betting(premises)
    dora, sue = await premises.visitor("dora"), await premises.visitor("sue", 2)
    cards = [{"rank": 9, "suit": "♠"}, {"rank": 13, "suit": "♦"}]
    await done(dora, {"type": "Report", "round": 1, "fault": "exposed", "cards": cards})
    (waits,) = await alerts(sue, "opening_waits")
    assert waits["may_acknowledge"]
    await done(sue, {"type": "PermitOpening"})
    assert await alerts(sue, "opening_waits") == []
    await acknowledge(sue, version=waits["version"])
    (seen,) = await alerts(sue, "opening_waits")
    assert seen["seen_by"] == "sue", "what somebody saw to stays on record"
