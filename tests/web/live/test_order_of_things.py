"""S13 and S14 at the doors: two persons where two are asked for, each thing in its order, and each once."""

import asyncio
import json
from typing import Any

import httpx
from websockets.frames import Frame, Opcode

from puntobanco.protocol import entries as b
from tests.web.house import HERE, MONEY, Premises, Visitor, in_a_house

FLOATS = f"float:{HERE}"


async def errand(visitor: Visitor, request: str, **command: Any) -> httpx.Response:
    return await visitor.post("/office", {"request": request, "command": command})


async def do(visitor: Visitor, request: str, **command: Any) -> httpx.Response:
    return await visitor.post(f"/tables/{HERE}/commands", {"request": request, "command": command})


async def held(premises: Premises, account: str) -> int:
    return (await premises.store.balances([account])).get(account, 0)


@in_a_house()
async def test_s13_what_needs_two_persons_happens_by_two_and_once(premises: Premises) -> None:
    names = ("cal", "tom", "ann", "dora", "ada")
    people = {name: await premises.visitor(name, slot) for slot, name in enumerate(names)}
    for number, (command, account, change) in enumerate(
        [
            ({"type": "Fill", "table": HERE, "amount": 500_00}, FLOATS, 500_00),
            ({"type": "Credit", "table": HERE, "amount": 200_00}, FLOATS, -200_00),
            ({"type": "AdjustWallet", "person": "ann", "amount": -100, "reason": "miscounted"}, "wallet:ann", -100),
            ({"type": "AdjustFloat", "table": HERE, "amount": 100, "reason": "found on the floor"}, FLOATS, 100),
        ],
        start=1,
    ):
        before = await held(premises, account)
        asked = await errand(people["cal"], f"q{number}", **command)
        assert asked.json()["waits"] == number
        assert await held(premises, account) == before, "nothing moved yet"
        assert (await people["cal"].post(f"/waiting/{number}/confirm")).json()["reason"] == "second_is_first"
        for name in ("ann", "dora", "ada"):
            assert (await people[name].post(f"/waiting/{number}/confirm")).status_code == 403, name
        answers = await asyncio.gather(*(people["tom"].post(f"/waiting/{number}/confirm") for _ in range(5)))
        assert [answer.status_code for answer in answers].count(200) >= 1
        assert await held(premises, account) == before + change, "once, however often it was confirmed"
        assert (await people["tom"].post(f"/waiting/{number}/confirm")).status_code == 404
    given = [
        entry for entry in await premises.journal() if isinstance(entry, b.Adjusted | b.FloatFilled) and entry.by.second
    ]
    assert {(entry.by.person, entry.by.second) for entry in given} == {("cal", "tom")}


@in_a_house()
async def test_s13_what_cannot_be_paid_is_refused_and_no_fault(premises: Premises) -> None:
    cal, tom, ann = await premises.visitor("cal"), await premises.visitor("tom", 2), await premises.visitor("ann", 3)
    adjust = {"type": "AdjustWallet", "person": "ann", "amount": -MONEY, "reason": "counted twice"}
    asked = await errand(cal, "a1", **adjust)
    assert (await errand(cal, "w1", type="Withdraw", person="ann", amount=MONEY + 100)).status_code == 409
    out = await errand(cal, "w2", type="Withdraw", person="ann", amount=100)
    assert (await tom.post(f"/waiting/{out.json()['waits']}/confirm")).status_code == 403
    assert (await ann.post(f"/waiting/{out.json()['waits']}/confirm")).status_code == 200
    answer = await tom.post(f"/waiting/{asked.json()['waits']}/confirm")
    assert answer.status_code == 409, "what was there when it was asked for is not there any more"
    assert await held(premises, "wallet:ann") == MONEY - 100
    assert not premises.services.house.failed
    assert (await errand(cal, "d1", type="Deposit", person="ann", amount=100)).status_code == 200


@in_a_house()
async def test_s14_each_thing_comes_in_its_order_and_is_used_once(premises: Premises) -> None:
    ann, dora = await premises.visitor("ann"), await premises.visitor("dora", 2)
    slip = {"type": "PlaceBets", "round": 1, "lines": [{"bet": "player", "amount": 100_00, "box": 1}]}
    assert (await do(ann, "b0", **slip)).status_code == 409, "nothing is open"
    assert (await do(dora, "s0", type="Settle", round=1)).status_code == 409
    assert (await do(ann, "i1", type="BuyIn", person="ann", amount=1_000_00)).status_code == 200
    assert (await do(ann, "i1", type="BuyIn", person="ann", amount=1_000_00)).status_code == 200, "answered again"
    assert await held(premises, "wallet:ann") == MONEY - 1_000_00, "and moved once"
    reused = await do(ann, "i1", type="BuyIn", person="ann", amount=2_000_00)
    assert (reused.status_code, reused.json()["reason"]) == (409, "request_reused")
    load = {"type": "LoadShoe", "shoe": "one", "decks": 8, "shuffled": True, "source": "keyboard"}
    assert (await do(dora, "l1", **load)).status_code == 200
    assert (await do(dora, "o1", type="OpenBetting")).status_code == 200
    assert (await do(ann, "b1", **slip)).status_code == 200
    assert (await do(ann, "b2", **slip, owner="bao")).status_code in (403, 409), "nobody bets another's money"
    assert (await do(ann, "i2", type="BuyIn", person="bao", amount=100_00)).status_code in (403, 409)
    assert (await do(dora, "k1", type="CloseBetting", round=1)).status_code == 200
    before = await premises.standing()
    for request, command in (
        ("b3", slip), ("k2", {"type": "CloseBetting", "round": 1}), ("o2", {"type": "OpenBetting"}),
        ("s1", {"type": "Settle", "round": 1}), ("x1", {"type": "CloseTable", "cause": "repair", "reason": "torn"}),
    ):  # fmt: skip
        who = ann if request.startswith("b") else dora
        assert (await do(who, request, **command)).status_code in (403, 409), command
    assert await premises.standing() == before


@in_a_house()
async def test_s14_one_request_sent_many_times_at_once_happens_once(premises: Premises) -> None:
    cal = await premises.visitor("cal")
    answers = await asyncio.gather(
        *(errand(cal, "same", type="Deposit", person="ann", amount=100_00) for _ in range(20))
    )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert await held(premises, "wallet:ann") == MONEY + 100_00


@in_a_house()
async def test_s14_a_bet_does_not_overtake_what_its_player_sent_before(premises: Premises) -> None:
    ann, dora = await premises.visitor("ann"), await premises.visitor("dora", 2)
    load = {"type": "LoadShoe", "shoe": "one", "decks": 8, "shuffled": True, "source": "keyboard"}
    assert (await do(dora, "l1", **load)).status_code == 200
    assert (await do(dora, "o1", type="OpenBetting")).status_code == 200
    lines = [{"bet": "player", "amount": 100_00, "box": 1}]
    sent = {
        "i1": {"type": "BuyIn", "person": "ann", "amount": 1_000_00},
        "b1": {"type": "PlaceBets", "round": 1, "lines": lines},
    }
    async with ann.live() as connection:
        frames = [
            Frame(
                Opcode.TEXT,
                json.dumps({"type": "Do", "table": HERE, "request": request, "command": command}).encode(),
            ).serialize(mask=True)
            for request, command in sent.items()
        ]
        connection.transport.write(b"".join(frames))  # read in one turn of the loop
        told: list[dict[str, Any]] = []
        while len(told) < len(sent):
            message = json.loads(await connection.recv())
            told += [message] if message["type"] in ("Answered", "Misheard") else []
    assert [(one["request"], one["answer"].get("refusal")) for one in told] == [("i1", None), ("b1", None)]
