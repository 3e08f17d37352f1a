"""What a request that waits would lead to, computed before anybody confirms it."""

from typing import Any

from puntobanco.rules.cards import read_card
from puntobanco.table import commands as c
from puntobanco.table.setup import Source
from tests.web.house import HERE, Premises, Visitor, in_a_house


async def _do(premises: Premises, name: str, command: c.Command) -> int | None:
    given = await premises.services.house.do(name, HERE, command)
    assert given.refusal is None, given
    return given.waits


async def _dealt(premises: Premises, *cards: str) -> None:
    """A round with a bet of Ann's on Player, dealt so far."""
    await _do(premises, "ann", c.BuyIn(person="ann", amount=5_000_00))
    await _do(premises, "dora", c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD))
    await _do(premises, "dora", c.OpenBetting())
    await _do(premises, "ann", c.PlaceBets(round=1, lines=(c.Line(bet="player", amount=100_00, box=1),)))
    await _do(premises, "dora", c.CloseBetting(round=1))
    for index, card in enumerate(cards, start=1):
        await _do(premises, "dora", c.DrawCard(round=1, index=index, card=read_card(card)))


async def _decision(premises: Premises, terms: c.Terms) -> int:
    bets = (c.BetTerms(owner="ann", box=1, bet="player", terms=terms),)
    command = c.DecideUnprovided(round=1, decision="as called", reason="the camera shows it", bets=bets)
    waits = await _do(premises, "tom", command)
    assert waits is not None
    return waits


async def _seen(visitor: Visitor, number: int, status: int = 200) -> Any:
    answer = await visitor.get(f"/waiting/{number}")
    assert answer.status_code == status, answer.text
    return answer.json()


@in_a_house()
async def test_the_second_person_sees_the_round_and_every_account_before_and_after(premises: Premises) -> None:
    await _dealt(premises, "9S", "KD", "KH", "7C")
    await _do(premises, "dora", c.Settle(round=1))
    await _do(premises, "dora", c.ConfirmBox(round=1, box=1))
    number = await _decision(premises, c.Terms.RETURN)
    max_ = await premises.visitor("max")
    found = await _seen(max_, number)
    assert [(one["result"], one["back"]) for one in found["before"]["bets"]] == [("win", 200_00)]
    assert [(one["result"], one["back"]) for one in found["after"]["bets"]] == [("push", 100_00)]
    money = {one["account"]: one["after"] - one["before"] for one in found["money"]}
    assert money == {f"purse:{HERE}:ann": -100_00, f"float:{HERE}": 100_00}
    assert "5.17" in {one.get("paragraph") for one in found["told"]}
    assert "unforeseen" not in found
    held = await premises.services.house.store.balances([f"purse:{HERE}:ann"])
    assert held == {f"purse:{HERE}:ann": 5_100_00}, "nothing has happened"
    assert (await max_.post(f"/waiting/{number}/confirm")).status_code == 200
    after = {one["account"]: one["after"] for one in found["money"]}
    assert await premises.services.house.store.balances(list(after)) == after


@in_a_house()
async def test_what_depends_on_cards_to_come_says_so_and_what_would_be_refused_says_why(premises: Premises) -> None:
    await _dealt(premises, "9S", "KD")
    number = await _decision(premises, c.Terms.AS_RECORDED)
    max_ = await premises.visitor("max")
    assert (await _seen(max_, number))["unforeseen"] == "cards_to_come"
    for index, card in enumerate(("KH", "7C"), start=3):
        await _do(premises, "dora", c.DrawCard(round=1, index=index, card=read_card(card)))
    await _do(premises, "dora", c.Settle(round=1))
    await _do(premises, "dora", c.ConfirmBox(round=1, box=1))
    await _do(premises, "dora", c.OpenBetting())
    found = await _seen(max_, number)
    assert found["refused"]["text"]
    assert "money" not in found


@in_a_house()
async def test_money_of_the_cage_is_shown_before_and_after_and_a_guest_sees_only_their_own(premises: Premises) -> None:
    sue, cal, ann, bao = [
        await premises.visitor(name, slot) for slot, name in enumerate(("sue", "cal", "ann", "bao"), start=1)
    ]
    fill = {"request": "f1", "command": {"type": "Fill", "table": HERE, "amount": 500_00}}
    number = (await sue.post("/office", fill)).json()["waits"]
    found = await _seen(cal, number)
    assert {one["account"]: one["after"] - one["before"] for one in found["money"]} == {
        "cage": -500_00, f"float:{HERE}": 500_00,
    }  # fmt: skip
    await _seen(bao, number, 404)
    number = await premises.services.house.do("dora", HERE, c.BuyIn(person="ann", amount=100_00))
    assert number.waits is not None
    found = await _seen(ann, number.waits)
    assert {one["account"]: one["after"] - one["before"] for one in found["money"]} == {
        f"purse:{HERE}:ann": 100_00, "wallet:ann": -100_00,
    }  # fmt: skip
    assert "told" not in found
