"""A table that deals by itself, face down: it grants a squeeze, waits for it, and asks before insurance is given up."""

import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from puntobanco.house.shoes.seal import SALT, Sealed
from puntobanco.house.shoes.shuffle import cards_of
from puntobanco.house.tables.dealer import AutomaticDealer
from puntobanco.house.tables.writer import RunningTable
from puntobanco.rules.cards import read_card
from puntobanco.rules.refusal import Reason
from puntobanco.store.base import Store
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.state import Phase
from tests.house.tables.test_writer import House, fund, setup_of

MANAGER, PLAYER, SUPERVISOR = Role.PIT_MANAGER, Role.PLAYER, Role.PIT_SUPERVISOR
BOTH_DRAW = "AS KS 3S 2S 7H 5H"

Until = Callable[[Callable[[], bool]], Awaitable[None]]


def shoe_of(first: str) -> Callable[[int], Sealed]:
    """A shoe that begins with these cards."""

    def shoe(decks: int) -> Sealed:
        named, left = [read_card(text) for text in first.split()], list(cards_of(decks))
        for card in named:
            left.remove(card)
        return Sealed((*named, *left), tuple(secrets.token_bytes(SALT) for _ in range(52 * decks)))

    return shoe


def dealt(folder: Path, key: str, work: Callable[[RunningTable, Until, House], Awaitable[None]]) -> House:
    """A table that deals itself, with 100 of Ann's on Player and 100 of Bob's on Banker, up to the first card."""
    house = House(folder, key)

    async def whole(store: Store, table: RunningTable) -> None:
        dealer = AutomaticDealer(table, shoes=shoe_of(BOTH_DRAW))

        async def until(reached: Callable[[], bool]) -> None:
            while not reached():
                house.clock.now += await dealer.step()

        setup = replace(setup_of(key), face_down=True)
        await table.send(c.OpenTable(setup=setup), "max", MANAGER)
        await until(lambda: table.state.phase is Phase.BETTING)
        for box, (person, bet) in enumerate((("ann", "player"), ("bob", "banker")), start=1):
            await fund(store, person, 1_000_00)
            await did(table, c.BuyIn(person=person, amount=500_00), person)
            await did(table, c.TakeSeat(box=box), person)
            await did(table, c.PlaceBets(round=1, lines=(c.Line(bet=bet, amount=100_00, box=box),)), person)
        await until(lambda: table.state.phase is Phase.DEALING)
        await work(table, until, house)

    house.run(whole)
    return house


async def did(table: RunningTable, command: c.Command, person: str, role: Role = PLAYER) -> None:
    answer = await table.send(command, person, role)
    assert answer.refusal is None, answer.refusal


def told(house: House, kind: type[e.Event]) -> list[e.Event]:
    return [event for event in house.published if isinstance(event, kind)]


@pytest.mark.parametrize("key", ["commission", "wu-song", "insurance"])
def test_a_request_is_granted_and_waited_for(tmp_path: Path, key: str) -> None:
    async def work(table: RunningTable, until: Until, house: House) -> None:
        await did(table, c.RequestSqueeze(round=1, index=1), "ann")
        await did(table, c.RequestSqueeze(round=1, index=3), "ann")
        await until(lambda: len(table.state.drawn) == 1)
        began = house.clock.now
        await until(lambda: len(table.state.squeezed) == 2)
        await until(lambda: table.state.drawn[0].card is not None)
        assert 19_000 <= house.clock.now - began <= 22_000
        before = house.clock.now
        await until(lambda: table.state.drawn[2].card is not None)
        assert house.clock.now - before <= 4_000, "the time is one for the round"
        await until(lambda: table.state.phase is Phase.SETTLED)
        assert str(table.state.drawn[0].card) == "A♠"

    house = dealt(tmp_path, key, work)
    assert [one.person for one in told(house, e.SqueezeAnswered) if isinstance(one, e.SqueezeAnswered)] == ["ann"] * 2


def test_the_end_of_a_squeeze_is_not_waited_out(tmp_path: Path) -> None:
    async def work(table: RunningTable, until: Until, house: House) -> None:
        await did(table, c.RequestSqueeze(round=1, index=1), "ann")
        await until(lambda: len(table.state.drawn) == 4)
        await did(table, c.FinishSqueeze(round=1, index=1), "ann")
        before = house.clock.now
        await until(lambda: table.state.drawn[0].card is not None)
        assert house.clock.now - before <= 2_000

    dealt(tmp_path, "wu-song", work)


def test_a_card_that_is_squeezed_is_shown_before_anyone_chooses(tmp_path: Path) -> None:
    async def work(table: RunningTable, until: Until, house: House) -> None:
        await did(table, c.RequestSqueeze(round=1, index=1), "ann")
        await until(lambda: bool(table.state.squeezed))
        await did(table, c.Report(round=1, fault=Fault.OTHER_DEALING_ERROR), "sue", SUPERVISOR)
        question = table.state.questions
        await did(table, c.Rule(question=question, choice=Choice.RECONSTRUCT, reason="seen"), "sue", SUPERVISOR)
        elect = c.Elect(question=table.state.questions, election=Election.CONTINUE)
        answer = await table.send(elect, "bob", PLAYER)
        assert answer.refusal is not None
        assert answer.refusal.reason is Reason.SQUEEZE_GOES_ON
        before = house.clock.now
        await until(lambda: table.state.drawn[0].card is not None)
        assert (table.state.phase, house.clock.now - before <= 1_000) == (Phase.OPTIONS, True)
        await did(table, elect, "bob")
        await until(lambda: table.state.phase is Phase.SETTLED)

    dealt(tmp_path, "wu-song", work)


# ---- the waiver --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("says", [True, False, None])
def test_insurance_is_given_up_only_if_everyone_agrees(tmp_path: Path, *, says: bool | None) -> None:
    async def work(table: RunningTable, until: Until, house: House) -> None:
        await until(lambda: len([one for one in table.state.drawn if one.card]) == 4)
        await did(table, c.RequestWaiver(round=1), "ann")
        asked = house.clock.now
        await until(lambda: house.clock.now >= asked + 3_000)
        assert table.state.waiver_asked == "ann", "nobody is taken to agree who says nothing"
        if says is not None:
            await did(table, c.AgreeToWaiver(round=1, agrees=says), "bob")
        await until(lambda: table.state.waiver_asked is None)
        assert table.state.waived is bool(says)
        assert (house.clock.now - asked >= 20_000) is (says is None)
        await until(lambda: sum(one.card is not None for one in table.state.drawn) == 5)
        assert (table.state.drawn[4].card is None) is bool(says)
        await until(lambda: table.state.phase is Phase.SETTLED)

    dealt(tmp_path, "insurance", work)


def test_a_waiver_that_came_too_late_is_refused(tmp_path: Path) -> None:
    async def work(table: RunningTable, until: Until, _: House) -> None:
        await until(lambda: len([one for one in table.state.drawn if one.card]) == 4)
        await did(table, c.RequestWaiver(round=1), "ann")
        await did(table, c.DrawCard(round=1, index=5), "dora", Role.DEALER)
        await did(table, c.ExposeCard(round=1, index=5, card=read_card("7H")), "dora", Role.DEALER)
        await until(lambda: table.state.phase is Phase.SETTLED)
        assert not table.state.waived

    house = dealt(tmp_path, "insurance", work)
    (answered,) = told(house, e.WaiverAnswered)
    assert isinstance(answered, e.WaiverAnswered)
    assert not answered.consent
