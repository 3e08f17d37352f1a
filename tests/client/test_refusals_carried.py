"""Every refusal goes through HTTP, the live connection and the client as it was given, in both languages."""

import pytest

from puntobanco.client import Client, Refused
from puntobanco.house.journal.calling import sentences_for
from puntobanco.table import commands as c
from puntobanco.table.setup import Source
from tests.house import every_refusal
from tests.web.house import HERE, Premises, in_a_house

SLIP = c.PlaceBets(round=1, lines=(c.Line(bet="player", amount=100_00, box=1),))


async def seated(premises: Premises) -> Client:
    """Ann with money at a table where betting is open."""
    house = premises.services.house
    for person, command in (
        ("dora", c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD)),
        ("dora", c.OpenBetting()),
        ("ann", c.BuyIn(person="ann", amount=1_000_00)),
    ):
        assert (await house.do(person, HERE, command)).refusal is None
    client = Client(premises.url)
    await client.use_ticket(await premises.services.identity.tickets.issue("ann"))
    return client


@in_a_house()
async def test_lines_of_a_slip_are_refused_alike_through_both_doors_and_whenever_they_are_asked_for(
    premises: Premises,
) -> None:
    async with await seated(premises) as ann, ann.live() as live:
        with every_refusal.given():
            first = await live.do(HERE, SLIP, "r1")
        every_refusal.told([one.why for one in first.lines], every_refusal.EVERY)
        assert await live.do(HERE, SLIP, "r1") == first
        assert await ann.send(HERE, SLIP, "r1") == first
        sentences = sentences_for(premises.services.house.journal, "ann", "en")
        assert [one.why.sentence for one in first.lines] == [sentences.refusal(one) for one in every_refusal.EVERY]
        ann.language = "zh"
        chinese = await ann.send(HERE, SLIP, "r1")
        sentences = sentences_for(premises.services.house.journal, "ann", "zh")
        every_refusal.told([one.why for one in chinese.lines], every_refusal.EVERY, "zh")
        assert [one.why.sentence for one in chinese.lines] == [sentences.refusal(one) for one in every_refusal.EVERY]
    assert premises.services.house.failed == {}


@in_a_house()
async def test_a_command_is_refused_alike_through_both_doors(premises: Premises) -> None:
    async with await seated(premises) as ann, ann.live() as live:
        one_each = {one.reason: number for number, one in enumerate(every_refusal.EVERY)}
        with every_refusal.given():
            for number in one_each.values():
                objection = c.Object(round=1, box=number, against="ann")
                with pytest.raises(Refused) as heard:
                    await live.do(HERE, objection)
                with pytest.raises(Refused) as asked:
                    await ann.send(HERE, objection)
                every_refusal.told([heard.value, asked.value], [every_refusal.EVERY[number]] * 2)
                assert heard.value.sentence == asked.value.sentence
    assert premises.services.house.failed == {}
