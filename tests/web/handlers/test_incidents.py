"""A fault of the program as people and machines see it: a number, an alert, a figure, one line in the log."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from puntobanco.house.audit.reenact import reenact
from puntobanco.protocol.posts import Post
from puntobanco.store.records import Failed, StoreFailed
from puntobanco.table import commands as c
from puntobanco.table.command_table import TABLE
from puntobanco.table.pending import PendingEvents
from puntobanco.table.setup import Source
from tests.web.house import HERE, NAMES, PATIENCE, Premises, answer_to, heard, in_a_house

OBJECTION = {"type": "Object", "round": 1, "box": 3, "against": "ann"}
SLIP = {"type": "PlaceBets", "round": 1, "lines": [{"bet": "player", "amount": 100_00, "box": 1}]}


@contextmanager
def broken(kind: type[c.Command]) -> Iterator[None]:
    def fails(_: PendingEvents, command: Any) -> None:
        raise ZeroDivisionError(f"in {type(command).__name__}")

    before = TABLE[kind]
    TABLE[kind] = replace(before, handler=fails)
    try:
        yield
    finally:
        TABLE[kind] = before


async def betting(premises: Premises) -> None:
    house = premises.services.house
    for person, command in (
        ("dora", c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD)),
        ("dora", c.OpenBetting()),
        ("ann", c.BuyIn(person="ann", amount=1_000_00)),
    ):
        assert (await house.do(person, HERE, command)).refusal is None


@in_a_house()
async def test_it_is_refused_through_both_doors_shown_to_the_pit_counted_and_logged_once(premises: Premises) -> None:
    await betting(premises)
    ann, sue = await premises.visitor("ann"), await premises.visitor(NAMES[Post.PIT_SUPERVISOR], 2)
    body = {"request": "o1", "command": OBJECTION}
    with broken(c.Object):
        english = await ann.post(f"/tables/{HERE}/commands", body)
        chinese = await ann.post(f"/tables/{HERE}/commands", body, headers={"Accept-Language": "zh"})
        async with ann.live() as live:
            await live.send(json.dumps({"type": "Do", "table": HERE, "request": "o2", "command": OBJECTION}))
            told = (await answer_to(live, "o2"))["answer"]["refusal"]
    assert (english.status_code, english.json()["reason"]) == (500, "incident")
    assert "incident 1" in english.json()["detail"]
    assert "事故编号 1" in chinese.json()["detail"]
    assert (told["reason"], told["parameters"]) == ("incident", {"incident": 1})
    assert (await ann.post(f"/tables/{HERE}/commands", {"request": "s1", "command": SLIP})).status_code == 200

    (alert,) = (await sue.get("/alerts")).json()
    assert (alert["table"], alert["kind"], alert["incident"]) == (HERE, "incident", 1)
    assert (await ann.get("/alerts")).status_code == 403
    seen = {"request": "a1", "command": {"type": "Acknowledge", "table": HERE, "incident": 1}}
    assert (await sue.post("/office", seen)).status_code == 200
    (alert,) = (await sue.get("/alerts")).json()
    assert alert["seen_by"] == sue.name

    root = await premises.visitor(NAMES[Post.ADMINISTRATOR], 3)
    figures = (await root.client.get("/metrics", headers=root.cookie)).text
    assert f'puntobanco_incidents_total{{table="{HERE}"}} 2.0' in figures
    (line,) = [line for line in premises.lines() if line["event"] == "incident"]
    assert (line["number"], line["table"], line["error"]) == (1, HERE, "ZeroDivisionError: in Object")
    assert json.loads(line["sent"])[0]["command"] == OBJECTION
    assert "fails" in line["exception"][-1]


@in_a_house()
async def test_an_errand_that_meets_a_fault_is_refused_with_its_number_too(premises: Premises) -> None:
    cal, sue = await premises.visitor(NAMES[Post.CASHIER]), await premises.visitor(NAMES[Post.PIT_SUPERVISOR], 2)
    body = {"request": "d1", "command": {"type": "Deposit", "person": "ann", "amount": 100_00}}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("puntobanco.house.journal.writer.decide", lambda *_: 1 / 0)
        answer = await cal.post("/office", body)
    assert (answer.status_code, answer.json()["reason"]) == (500, "incident")
    assert (await cal.post("/office", body)).status_code == 200
    (alert,) = (await sue.get("/alerts")).json()
    assert (alert["table"], alert["incident"]) == ("house", 1)
    seen = {"request": "a1", "command": {"type": "Acknowledge", "table": "house", "incident": 1}}
    assert (await sue.post("/office", seen)).status_code == 200
    (line,) = [line for line in premises.lines() if line["event"] == "incident"]
    (sent,) = json.loads(line["sent"])
    assert (line["table"], line["error"], sent["post"]) == ("house", "ZeroDivisionError", "cashier")
    assert sent["command"] == body["command"]


@in_a_house()
async def test_an_answer_that_cannot_be_put_into_words_is_had_by_asking_again(premises: Premises) -> None:
    await betting(premises)
    house, ann = premises.services.house, await premises.visitor("ann")
    unknown = {"bet": "nothing", "amount": 100_00, "box": 1}  # a refused line is put into words
    slips = [SLIP | {"lines": [{"bet": on, "amount": 100_00, "box": 1}, unknown]} for on in ("player", "banker")]
    async with ann.live() as live:
        with pytest.MonkeyPatch.context() as patched:
            for door in ("handlers.tables", "live.session"):
                patched.setattr(f"puntobanco.web.{door}.answer", lambda *_: 1 / 0)
            asked = await ann.post(f"/tables/{HERE}/commands", {"request": "s1", "command": slips[0]})
            await live.send(json.dumps({"type": "Do", "table": HERE, "request": "s2", "command": slips[1]}))
            misheard = await answer_to(live, "s2")
        assert (asked.status_code, asked.json()["reason"]) == (500, "failed")
        assert misheard["why"]["reason"] == "failed"
        versions = []
        for number, slip in (("s1", slips[0]), ("s2", slips[1])):
            again = await ann.post(f"/tables/{HERE}/commands", {"request": number, "command": slip})
            versions.append(again.json()["version"])
    assert versions == [house.tables[HERE].state.version - 1, house.tables[HERE].state.version]
    assert [entry.incident.stage for entry in house.journal.incidents.values()] == ["publishing"]


async def told(screen: ClientConnection, kind: str) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE):
        while (message := heard(await screen.recv()))["type"] != kind:
            pass
    return message


@in_a_house()
async def test_screens_that_missed_what_happened_are_sent_everything_again(premises: Premises) -> None:
    await betting(premises)
    house, publisher, ann = premises.services.house, premises.services.publisher, await premises.visitor("ann")
    async with ann.live() as screen:
        await screen.send(json.dumps({"type": "Watch", "table": HERE}))
        version = (await told(screen, "Whole"))["version"]
        follow = publisher.histories[HERE].follow
        publisher.histories[HERE].follow = lambda *_: 1 / 0  # type: ignore[assignment,method-assign]
        answer = await ann.post(f"/tables/{HERE}/commands", {"request": "s1", "command": SLIP})
        assert answer.status_code == 200, "it is durable"
        whole = await told(screen, "Whole")
        assert whole["version"] == version + 1
        private = await told(screen, "Private")
        assert (private["view"]["purse"], private["view"]["stakes"][0]["amount"]) == (900_00, 100_00)
        assert house.failed == {}
        assert publisher.histories[HERE].follow != follow, "what it had missed was read from the store"
        more = SLIP | {"lines": [{"bet": "tie", "amount": 100_00, "box": 1}]}
        assert (await ann.post(f"/tables/{HERE}/commands", {"request": "s2", "command": more})).status_code == 200
        assert (await told(screen, "Public"))["version"] == version + 2
    assert [entry.incident.stage for entry in house.journal.incidents.values()] == ["publishing"]


@in_a_house()
async def test_a_view_that_cannot_be_made_closes_its_screens_and_is_reenacted(
    premises: Premises,
) -> None:
    """Bets wait their turn on public screens: the fault comes after the command was answered."""
    await betting(premises)
    house, ann = premises.services.house, await premises.visitor("ann")
    async with ann.live() as screen:
        await screen.send(json.dumps({"type": "Watch", "table": HERE}))
        await told(screen, "Whole")

        def fails(*_: object, **_options: object) -> None:
            raise ZeroDivisionError("no view")

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("puntobanco.web.live.publisher.public_view", fails)
            patched.setattr("puntobanco.house.audit.reenact.public_view", fails)
            answer = await ann.post(f"/tables/{HERE}/commands", {"request": "s1", "command": SLIP})
            assert answer.status_code == 200
            with pytest.raises(ConnectionClosed):
                await told(screen, "nothing")
            while not house.journal.incidents:
                await asyncio.sleep(0.01)
            (raised,) = house.journal.incidents.values()
            assert raised.incident.error == "ZeroDivisionError: no view"
            fault = (await reenact(premises.store, raised.number)).fault
            assert fault is not None
            assert fault.error == raised.incident.error
        assert (await reenact(premises.store, raised.number)).fault is None
    async with ann.live() as screen:
        await screen.send(json.dumps({"type": "Watch", "table": HERE}))
        assert (await told(screen, "Whole"))["private"]["stakes"]


@in_a_house()
async def test_a_store_that_fails_during_a_live_message_is_an_answer_and_the_connection_goes_on(
    premises: Premises,
) -> None:
    await betting(premises)
    ann, touch = await premises.visitor("ann"), premises.services.identity.sessions.touch

    async def failed(_: object) -> None:
        raise StoreFailed(Failed.STORAGE, "the disk is gone")

    async with ann.live() as screen:
        premises.services.identity.sessions.touch = failed  # type: ignore[method-assign,assignment]
        await screen.send(json.dumps({"type": "Do", "table": HERE, "request": "s1", "command": SLIP}))
        assert (await answer_to(screen, "s1"))["why"]["reason"] == "failed"
        await screen.send(json.dumps({"type": "Watch", "table": HERE}))
        misheard = await told(screen, "Misheard")
        assert (misheard["table"], misheard["why"]["reason"]) == (HERE, "failed")
        premises.services.identity.sessions.touch = touch  # type: ignore[method-assign]
        await screen.send(json.dumps({"type": "Watch", "table": HERE}))
        assert (await told(screen, "Whole"))["version"]
    assert not [line for line in premises.lines() if line["level"] == "error"]
