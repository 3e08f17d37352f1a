"""What a report or a ruling would lead to, told through the real doors before anything happens."""

from typing import Any

from msgspec.structs import replace

from puntobanco.rules.cards import read_card
from puntobanco.rules.overlay import Overlay, OverlayCause, OverlayVoid
from puntobanco.rules.plain_data import Words
from puntobanco.rules.procedures import StaffRank
from puntobanco.table import commands as c
from puntobanco.table.commands import Fault
from puntobanco.table.report_forms import REPORT_FORMS
from puntobanco.table.setup import Source
from tests.web.floor import until
from tests.web.house import HERE, Premises, Visitor, in_a_house


async def _do(premises: Premises, name: str, command: c.Command) -> None:
    given = await premises.services.house.do(name, HERE, command)
    assert given.refusal is None, given


async def _dealt(premises: Premises, *cards: str) -> None:
    """A round with a bet of Ann's, dealt so far."""
    await _do(premises, "ann", c.BuyIn(person="ann", amount=5_000_00))
    await _do(premises, "dora", c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD))
    await _do(premises, "dora", c.OpenBetting())
    await _do(premises, "ann", c.PlaceBets(round=1, lines=(c.Line(bet="player", amount=100_00, box=1),)))
    await _do(premises, "dora", c.CloseBetting(round=1))
    for index, card in enumerate(cards, start=1):
        await _do(premises, "dora", c.DrawCard(round=1, index=index, card=read_card(card)))


async def _foreseen(visitor: Visitor, status: int = 200, **command: Any) -> Any:
    answer = await visitor.post(f"/tables/{HERE}/foresee", {"command": command})
    assert answer.status_code == status, answer.text
    return answer.json()


@in_a_house()
async def test_every_fault_is_listed_with_its_paragraph_and_who_decides_it(premises: Premises) -> None:
    dora = await premises.visitor("dora")
    found = {one["fault"]: one for one in (await dora.get(f"/tables/{HERE}/faults")).json()}
    assert list(found) == [str(fault) for fault in Fault]
    assert (found["misdirected"]["paragraph"], found["misdirected"]["asked_of"]) == ("5.8", "pit_supervisor")
    assert (found["unprovided"]["paragraph"], found["unprovided"]["asked_of"]) == ("5.17", "shift_manager")
    assert found["mispayment"]["asked_of"] == "pit_supervisor"
    assert {
        fault: (tuple(one.get("needs", ())), tuple(one.get("may", ()))) for fault, one in found.items()
    } == REPORT_FORMS


@in_a_house(tables=[("six", "super-six", {})])
async def test_a_fault_that_an_overlay_names_is_decided_by_the_rank_it_names(premises: Premises) -> None:
    house, dora = premises.services.house, await premises.visitor("dora")

    async def decides(fault: str) -> str:
        found = (await dora.get("/tables/six/faults")).json()
        return str(next(one["asked_of"] for one in found if one["fault"] == fault))

    assert await decides("technical") == "shift_manager"
    setup = house.tables["six"].state.setup
    assert setup is not None
    void = OverlayVoid(cause=OverlayCause.TECHNICAL, citation="s 12", declared_by=StaffRank.PIT_MANAGER)
    carried = Overlay(key="sample", title=Words(en="Act", zh="法"), document="Act 5", voids=(void,))
    given = await house.do("tom", "six", c.ChangeSetup(setup=replace(setup, overlay=carried)))
    assert given.refusal is None
    assert (await decides("technical"), await decides("display")) == ("pit_manager", "shift_manager")


@in_a_house()
async def test_a_report_is_thought_through_and_changes_nothing(premises: Premises) -> None:
    await _dealt(premises, "9S", "KD")
    dora = await premises.visitor("dora")
    before = await premises.standing()
    seen = await _foreseen(dora, type="Report", round=1, fault="misdirected", lies={"1": "banker", "2": "player"})
    assert (seen["phase"], seen["question"]["asked_of"]) == ("decision", "pit_supervisor")
    assert seen["question"]["choices"] == ["reconstruct", "cannot_reconstruct", "stands"]
    assert (seen["preview"]["player"], seen["preview"]["banker"]) == (["9♠"], ["K♦"])
    assert [one["paragraph"] for one in seen["told"]] == ["5.8.1", "5.8"]
    assert await premises.standing() == before


@in_a_house()
async def test_each_answer_says_where_it_leads_and_whether_a_second_person_is_wanted(premises: Premises) -> None:
    await _dealt(premises, "9S", "KD")
    await _do(premises, "dora", c.Report(round=1, fault=Fault.FOREIGN_CARD))
    sue = await premises.visitor("sue")
    void = await _foreseen(sue, type="Rule", question=1, choice="void")
    assert (void["phase"], void["second"]) == ("voided", True)
    stands = await _foreseen(sue, type="Rule", question=1, choice="stands")
    assert stands["phase"] == "dealing"
    assert not stands.get("second")


@in_a_house()
async def test_what_would_be_refused_is_refused_with_its_reason(premises: Premises) -> None:
    await _dealt(premises, "9S", "KD")
    dora, ann = await premises.visitor("dora"), await premises.visitor("ann", slot=2)
    refused = await _foreseen(dora, 409, type="Report", round=1, fault="excess")
    assert refused["reason"] == "report_incomplete"
    assert (await _foreseen(ann, 403, type="Report", round=1, fault="excess"))["reason"] == "access_denied"
    malformed = await dora.post(f"/tables/{HERE}/foresee", {"command": {"type": "Settle", "round": 1}})
    assert malformed.status_code == 400, "only a report or a ruling is thought through"


@in_a_house(tables=[("auto", "commission", {})])
async def test_a_card_of_a_sealed_shoe_that_somebody_names_is_refused_before_it_is_reported(premises: Premises) -> None:
    table = premises.services.house.tables["auto"]
    await until(lambda: table.state.shoe is not None)
    dora = await premises.visitor("dora")
    seen = {"type": "Report", "round": 1, "fault": "exposed", "cards": [{"rank": 9, "suit": "♠"}]}
    answer = await dora.post("/tables/auto/foresee", {"command": seen})
    assert (answer.status_code, answer.json()["reason"]) == (409, "deals_itself")
