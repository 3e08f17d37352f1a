"""What is shown of somebody's money, wherever it is."""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

from puntobanco.protocol.administrative_commands import SECONDED_BY, GuestProof
from puntobanco.table import commands as c
from puntobanco.table.authority import Confirmation
from puntobanco.table.setup import Source
from tests.web.house import ELSEWHERE, HERE, MONEY, Premises, Visitor, in_a_house


async def journal_writer(visitor: Visitor, request: str, kind: str, table: str) -> str:
    answer = await visitor.post("/office", {"request": request, "command": {"type": kind, "table": table}})
    return str(answer.json().get("reason", ""))


async def first_event(premises: Premises, table: str, body: bytes) -> bytes:
    """Somebody writes into the file: the first event of the table is that from now on. Returns what it was."""
    with sqlite3.connect(premises.log.with_name("house.db")) as db:
        db.execute("DROP TRIGGER IF EXISTS events_stay")
        db.execute("DELETE FROM snapshots WHERE stream = ?", (table,))
        (was,) = db.execute("SELECT body FROM events WHERE stream = ? AND version = 1", (table,)).fetchone()
        db.execute("UPDATE events SET body = ? WHERE stream = ? AND version = 1", (body, table))
    db.close()
    return bytes(was)


@in_a_house()
async def test_money_at_a_table_that_does_not_run_is_shown_as_such(premises: Premises) -> None:
    ann, cal, max_ = [await premises.visitor(name, slot) for slot, name in enumerate(("ann", "cal", "max"), start=1)]
    for table, amount in ((HERE, 300_00), (ELSEWHERE, 50_00)):
        buy = {"request": f"b-{table}", "command": {"type": "BuyIn", "person": "ann", "amount": amount}}
        assert (await ann.post(f"/tables/{table}/commands", buy)).status_code == 200
    purses = {HERE: 300_00, ELSEWHERE: 50_00}

    async def shown() -> list[tuple[int, dict[str, int], list[str]]]:
        answers = [(await ann.get("/wallet")).json(), (await cal.get("/people/ann/wallet")).json()]
        return [(one["held"], one["purses"], one.get("stopped", [])) for one in answers]

    held = MONEY - 350_00
    assert await shown() == 2 * [(held, purses, [])]
    assert (await cal.get("/people/bao/wallet")).json()["purses"] == {}

    await premises.store.claim(HERE)
    out = {"request": "o1", "command": {"type": "CashOut", "person": "ann", "amount": 100_00}}
    assert (await ann.post(f"/tables/{HERE}/commands", out)).json()["reason"] == "table_stopped"
    assert await shown() == 2 * [(held, purses, [HERE])], "it has failed"

    was = await first_event(premises, HERE, b"\0")
    assert await journal_writer(max_, "r1", "RestartTable", HERE) == "table_stopped"
    assert HERE not in premises.services.house.tables
    assert await shown() == 2 * [(held, purses, [HERE])], "it could not be started"

    await first_event(premises, HERE, was)
    assert await journal_writer(max_, "r2", "RestartTable", HERE) == ""
    assert await shown() == 2 * [(held, purses, [])]
    assert (await ann.post(f"/tables/{HERE}/commands", out)).status_code == 200
    assert await shown() == 2 * [(held + 100_00, purses | {HERE: 200_00}, [])]


def errand(request: str, kind: str, **fields: object) -> dict[str, object]:
    return {"request": request, "command": {"type": kind, **fields}}


RIGHT_PIN, WRONG_PIN = "739126408517", "739126408518"
"""Of full length: four digits turn up in a log by chance, in a moment or a number."""


# ---- a guest's own word ------------------------------------------------------------------------------------------


async def buys(visitor: Visitor, request: str, **more: object) -> tuple[int, dict[str, object]]:
    command = {"type": "BuyIn", "person": "ann", "amount": 100_00}
    answer = await visitor.post(f"/tables/{HERE}/commands", {"request": request, "command": command, **more})
    return answer.status_code, answer.json()


@in_a_house()
async def test_a_buy_in_of_staff_waits_for_the_guest_over_http_and_live(premises: Premises) -> None:
    dora, ann, bao = [await premises.visitor(name, slot) for slot, name in enumerate(("dora", "ann", "bao"), start=1)]
    async with ann.live() as screen:
        status, asked = await buys(dora, "b1")
        assert status == 200
        while not (told := json.loads(await screen.recv())).get("waiting"):
            pass
    (card,) = told["waiting"]
    assert (card["guest"], card["may_confirm"], card["person"]) == ("ann", True, "dora")
    assert (await bao.get("/waiting")).json() == []
    assert (await bao.post(f"/waiting/{asked['waits']}/confirm")).status_code == 403
    assert (await ann.post(f"/waiting/{asked['waits']}/confirm")).status_code == 200
    assert (await ann.get("/wallet")).json()["purses"] == {HERE: 100_00}
    assert (await ann.post("/proof", {"pin": RIGHT_PIN})).status_code == 200
    async with dora.live() as console:
        command = {"type": "BuyIn", "person": "ann", "amount": 50_00}
        for request, pin, refused in (("p1", WRONG_PIN, "pin_wrong"), ("p2", RIGHT_PIN, None)):
            await console.send(
                json.dumps({"type": "Do", "table": HERE, "request": request, "command": command, "proof": {"pin": pin}})
            )
            while (answered := json.loads(await console.recv())).get("request") != request:
                pass
            assert answered["answer"].get("refusal", {}).get("reason") == refused
    assert (await ann.get("/wallet")).json()["purses"] == {HERE: 150_00}
    log = premises.log.read_text()
    assert RIGHT_PIN not in log
    assert WRONG_PIN not in log


@in_a_house()
async def test_a_cashier_gives_the_first_pin_and_password_only_while_there_is_no_money(premises: Premises) -> None:
    cal, dora = await premises.visitor("cal"), await premises.visitor("dora", 2)
    admit = {"type": "Admit", "person": "new", "title": "New"}
    assert (await cal.post("/office", {"request": "a1", "command": admit})).status_code == 200
    assert (await dora.post("/people/new/proof", {"pin": "7391"})).status_code == 403
    assert (await cal.post("/people/nobody/proof", {"pin": "7391"})).status_code == 404
    assert (await cal.post("/people/new/proof", {"pin": "1234"})).json()["reason"] == "pin_guessable"
    assert (await cal.post("/people/new/proof", {"pin": "7391"})).status_code == 200
    for person in ("new", "ann", "dora"):
        assert (await cal.post(f"/people/{person}/proof", {"pin": "8402"})).json()["reason"] == "pin_not_yours"
    deposit = {"type": "Deposit", "person": "new", "amount": 100}
    assert (await cal.post("/office", {"request": "d1", "command": deposit})).status_code == 200
    assert (await cal.post("/people/new/password")).json()["reason"] == "pin_not_yours"
    wallet = (await cal.get("/people/new/wallet")).json()
    assert (wallet["sums"], wallet["confirms"]) == ({"deposit": 100}, ["session", "pin"])
    (till,) = (await cal.get("/tills")).json()
    assert (till["person"], till["sums"], till["guests"]) == ("cal", {"deposit": 100}, {"new": {"deposit": 100}})


@in_a_house()
async def test_a_cashier_does_not_use_the_pin_or_card_they_entered_themselves(premises: Premises) -> None:
    cal, ann = await premises.visitor("cal"), await premises.visitor("ann", 2)
    proof, card = {"pin": "7391"}, {"card": "4929-8817-0031-7742"}
    assert (await cal.post("/office", errand("a1", "Admit", person="new", title="New"))).status_code == 200
    for one in (proof, card):
        asked = await cal.post("/people/new/proof", one)
        assert asked.status_code == (200 if one is proof else 409), "one of them, the first time"
    assert (await cal.post("/office", errand("d1", "Deposit", person="new", amount=100_00))).status_code == 200
    taken = errand("w1", "Withdraw", person="new", amount=50_00) | {"proof": proof}
    assert (await cal.post("/office", taken)).json()["reason"] == "proof_from_you"
    buy = {"request": "b1", "command": {"type": "BuyIn", "person": "new", "amount": 50_00}, "proof": proof}
    assert (await cal.post(f"/tables/{HERE}/commands", buy)).json()["reason"] == "proof_from_you"
    dora = await premises.visitor("dora", 3)
    assert (await dora.post(f"/tables/{HERE}/commands", buy)).status_code == 200
    assert (await ann.post("/proof", proof)).status_code == 200
    taken = errand("w2", "Withdraw", person="ann", amount=50_00) | {"proof": proof}
    assert (await cal.post("/office", taken)).status_code == 200
    assert (await cal.get("/people/new/wallet")).json()["held"] == 50_00


@in_a_house()
async def test_who_entered_a_pin_is_on_record_for_as_long_as_it_counts(premises: Premises) -> None:
    """A PIN that counts before the book says who entered it could be used by whoever did."""
    cal, new = await premises.visitor("cal"), premises.stranger(2)
    services = premises.services
    assert (await cal.post("/office", errand("a1", "Admit", person="new", title="New"))).status_code == 200
    new.took(await new.post("/ticket", {"ticket": await services.identity.tickets.issue("new")}))
    seal, seen = services.identity.guest_confirmation._keep, list[str | None]()

    async def slow(person: str, pin: Any) -> None:
        await seal(person, pin)
        seen.append(services.house.journal.provers.get((person, Confirmation.PIN)))

    services.identity.guest_confirmation._keep = slow  # type: ignore[method-assign]
    by_both = cal.post("/people/new/proof", {"pin": "7391"}), new.post("/proof", {"pin": "8402"})
    assert [one.status_code for one in await asyncio.gather(*by_both)] in ([200, 200], [409, 200])
    assert seen[-1] in ("cal", None), "until a guest's own is in the book, the one before it is still the cashier's"
    assert services.house.journal.provers[("new", Confirmation.PIN)] == "new"
    assert services.house.guest_confirmation is not None
    assert await services.house.guest_confirmation.check("new", GuestProof(pin="8402"), "cleo") is Confirmation.PIN
    if len(seen) == 2:
        assert seen[0] == "cal", "on record before it counts"


@in_a_house()
async def test_money_on_the_layout_is_money_too(premises: Premises) -> None:
    cal = await premises.visitor("cal")
    assert (await cal.post("/office", errand("a1", "Admit", person="new", title="New"))).status_code == 200
    assert (await cal.post("/office", errand("d1", "Deposit", person="new", amount=100_00))).status_code == 200
    house = premises.services.house
    for person, command in (
        ("dora", c.LoadShoe(shoe="one", decks=8, source=Source.KEYBOARD, shuffled=True)),
        ("dora", c.OpenBetting()),
        ("new", c.BuyIn(person="new", amount=100_00)),
        ("new", c.PlaceBets(round=1, lines=(c.Line(bet="player", amount=100_00, box=1),))),
    ):
        assert (await house.do(person, HERE, command)).refusal is None
    assert house.tables[HERE].state.purses["new"] == 0
    assert (await cal.post("/people/new/proof", {"pin": "7391"})).json()["reason"] == "pin_not_yours"
    assert (await cal.post("/people/new/password")).json()["reason"] == "pin_not_yours"


def test_screens_have_words_for_all_money_that_waits() -> None:
    words = (Path(__file__).parents[3] / "ui/src/lib/desk/waiting.ts").read_text(encoding="utf-8")
    kinds: tuple[type, ...] = (*SECONDED_BY, c.BuyIn)
    assert [kind.__name__ for kind in kinds if f'case "{kind.__name__}":' not in words] == []
