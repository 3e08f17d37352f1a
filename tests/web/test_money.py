"""What is shown of somebody's money, wherever it is."""

import sqlite3

from tests.web.house import ELSEWHERE, HERE, MONEY, Premises, Visitor, in_a_house


async def office(visitor: Visitor, request: str, kind: str, table: str) -> str:
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
    assert await office(max_, "r1", "RestartTable", HERE) == "table_stopped"
    assert HERE not in premises.desk.house.tables
    assert await shown() == 2 * [(held, purses, [HERE])], "it could not be started"

    await first_event(premises, HERE, was)
    assert await office(max_, "r2", "RestartTable", HERE) == ""
    assert await shown() == 2 * [(held, purses, [])]
    assert (await ann.post(f"/tables/{HERE}/commands", out)).status_code == 200
    assert await shown() == 2 * [(held + 100_00, purses | {HERE: 200_00}, [])]
