"""Set-up changes and closings that wait for the end of the round."""

from msgspec.structs import replace

from puntobanco.rules.cards import read_card
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table.setup import Source
from puntobanco.table.state import Phase
from tests.web.floor import until
from tests.web.house import HERE, Premises, in_a_house


async def _do(premises: Premises, name: str, command: c.Command) -> None:
    given = await premises.services.house.do(name, HERE, command)
    assert given.refusal is None, given


async def _round(premises: Premises) -> None:
    """A round with a bet of Ann's, up to the betting."""
    await _do(premises, "ann", c.BuyIn(person="ann", amount=5_000_00))
    await _do(premises, "dora", c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD))
    await _do(premises, "dora", c.OpenBetting())
    await _do(premises, "ann", c.PlaceBets(round=1, lines=(c.Line(bet="player", amount=100_00, box=1),)))


async def _played(premises: Premises, number: int = 1) -> None:
    await _do(premises, "dora", c.CloseBetting(round=number))
    for index, card in enumerate(("9S", "KD", "KH", "7C"), start=1):
        await _do(premises, "dora", c.DrawCard(round=number, index=index, card=read_card(card)))
    await _do(premises, "dora", c.Settle(round=number))
    if premises.services.house.tables[HERE].state.unpaid:
        await _do(premises, "dora", c.ConfirmBox(round=number, box=1))


@in_a_house()
async def test_a_change_asked_for_in_a_round_happens_after_it_as_the_askers(premises: Premises) -> None:
    house = premises.services.house
    await _round(premises)
    setup = house.tables[HERE].state.setup
    assert setup is not None
    changed = replace(setup, minimum=25_00)
    assert (await house.queue("sue", HERE, c.ChangeSetup(setup=changed))).refusal is not None, "not her rank"
    assert (await house.queue("max", HERE, c.ChangeSetup(setup=replace(setup, minimum=-1)))).refusal is not None
    assert (await house.queue("max", HERE, c.ChangeSetup(setup=changed))).refusal is None
    assert [one.person for one in house.queued.at(HERE)] == ["max"]
    assert house.tables[HERE].state.setup == setup
    await _played(premises)
    await until(lambda: house.tables[HERE].state.setup == changed)
    await until(lambda: house.queued.at(HERE) == ())


@in_a_house()
async def test_a_change_of_somebody_else_that_waits_is_not_discarded(premises: Premises) -> None:
    """Two people who change the set-up in one round: the first was told that it takes effect."""
    house = premises.services.house
    await _round(premises)
    setup = house.tables[HERE].state.setup
    assert setup is not None
    first = c.ChangeSetup(setup=replace(setup, minimum=25_00), replaces=setup)
    assert (await house.queue("max", HERE, first)).refusal is None
    later = c.ChangeSetup(setup=replace(setup, differential=6_000_00), replaces=setup)
    refused = (await house.queue("tom", HERE, later)).refusal
    assert refused is not None
    assert (refused.reason, refused.parameters) == (Reason.CHANGE_WAITS, {"person": "max"})
    assert (await house.queue("max", HERE, c.ChangeSetup(setup=replace(setup, minimum=30_00)))).refusal is None
    assert (await house.queue("tom", HERE, c.CloseTable(cause=c.ClosingCause.SAFETY, reason="fire"))).refusal is None
    waiting = house.queued.at(HERE)
    assert [one.person for one in waiting] == ["max", "tom"]
    assert house.queued.cancel(HERE, waiting[0].number)
    assert (await house.queue("tom", HERE, later)).refusal is None


@in_a_house()
async def test_a_change_that_waits_is_listed_and_cancelled(premises: Premises) -> None:
    house = premises.services.house
    await _round(premises)
    setup = house.tables[HERE].state.setup
    assert setup is not None
    assert (await house.queue("max", HERE, c.ChangeSetup(setup=replace(setup, minimum=25_00)))).refusal is None
    max_, sue = await premises.visitor("max", 1), await premises.visitor("sue", 2)
    (card,) = (await sue.get(f"/tables/{HERE}/queued")).json()
    assert (card["person"], card["command"]["setup"]["minimum"]) == ("max", 25_00)
    cancel = f"/tables/{HERE}/queue/{card['number']}/cancel"
    assert (await sue.post(cancel)).status_code == 403
    unnamed = await max_.post(f"/tables/{HERE}/queue/x/cancel")
    assert (unnamed.status_code, unnamed.json()["reason"]) == (404, "not_found"), "no request is called x"
    assert (await max_.post(cancel)).status_code == 200
    assert (await max_.post(cancel)).status_code == 404
    await _played(premises)
    assert house.tables[HERE].state.setup == setup


@in_a_house()
async def test_a_closing_gives_notice_now_and_closes_after_another_round(premises: Premises) -> None:
    house = premises.services.house
    await _round(premises)
    max_ = await premises.visitor("max")
    body = {"command": {"type": "CloseTable", "reason": "few guests"}}
    assert (await max_.post(f"/tables/{HERE}/queue", body)).status_code == 200
    closing = house.tables[HERE].state.closing
    assert closing is not None
    assert closing.reason == "few guests"
    await _played(premises)
    assert house.tables[HERE].state.phase is Phase.SETTLED, "the round of the notice is not the last"
    await _do(premises, "dora", c.OpenBetting())
    await _played(premises, 2)
    await until(lambda: house.tables[HERE].state.phase is Phase.CLOSED)
    assert house.queued.at(HERE) == ()
