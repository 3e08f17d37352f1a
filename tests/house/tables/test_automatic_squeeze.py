"""A table that deals by itself, face down: it grants a squeeze, waits for it, shows the face to whoever squeezes and
to nobody else, and asks before insurance is given up."""

import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from puntobanco.house.house import House as Whole
from puntobanco.house.house import Watcher
from puntobanco.house.shoes.seal import SALT, Sealed
from puntobanco.house.shoes.shuffle import cards_of
from puntobanco.house.tables.dealer import ASKED_WITHIN, AutomaticDealer, Pace
from puntobanco.house.tables.writer import RunningTable
from puntobanco.rules.cards import read_card
from puntobanco.rules.refusal import Reason
from puntobanco.store.base import Store
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.events import AnyEvent
from puntobanco.table.setup import InterruptionFinding, Policy, Source, Timing
from puntobanco.table.state import Phase
from tests.house import staffed
from tests.house.tables.test_writer import House, fund, setup_of
from tests.marks import rulings

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


@pytest.mark.parametrize(
    ("key", "asks", "waits"), [("wu-song", False, True), ("wu-song", True, False), ("super-six", False, False)]
)
def test_whoever_may_squeeze_has_time_to_ask_for_the_first_card(
    tmp_path: Path, key: str, *, asks: bool, waits: bool
) -> None:
    async def work(table: RunningTable, until: Until, house: House) -> None:
        closed = house.clock.now
        if asks:
            await did(table, c.RequestSqueeze(round=1, index=1), "ann")
        await until(lambda: bool(table.state.drawn))
        assert house.clock.now - closed == Pace().card + ASKED_WITHIN * waits

    dealt(tmp_path, key, work)


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


# ---- who sees the face -------------------------------------------------------------------------------------------


class Shown(Watcher):
    """How often the table was shown again although nothing happened."""

    def __init__(self) -> None:
        self.again = 0

    def at_table(self, table: RunningTable, events: tuple[AnyEvent, ...]) -> None:
        self.again += table.name == "auto" and not events


SLOW = Pace(card=400, result=0, between=0)
"""Slow enough to ask for a card before it is drawn."""
BETTING, SQUEEZE = 1_000, 5_000
HELD = Policy(interruption_finding=InterruptionFinding.PIT_SUPERVISOR)
Work = Callable[[Whole], Awaitable[None]]


async def squeezed_in(house: Whole, key: str = "wu-song", **changes: Any) -> RunningTable:
    """A table of the house that deals itself and waits: Ann, who bet most, squeezes the first card."""
    timing = Timing(betting=BETTING, drain=0, squeeze=SQUEEZE, options=5_000)
    table = await staffed.add(house, "auto", key, automatic=True, face_down=True, timing=timing, **changes)
    await staffed.until(lambda: table.state.phase is Phase.BETTING)
    for box, (person, stake) in enumerate((("ann", 500_00), ("bob", 200_00)), start=1):
        await staffed.fund(house, person, 1_000_00, "auto")
        staffed.well(await house.do(person, "auto", c.TakeSeat(box=box)))
        line = c.Line(bet="player", amount=stake, box=box)
        staffed.well(await house.do(person, "auto", c.PlaceBets(round=1, lines=(line,))))
    later(house, BETTING)
    await staffed.until(lambda: table.state.phase is Phase.DEALING)
    staffed.well(await house.do("ann", "auto", c.RequestSqueeze(round=1, index=1)))
    await staffed.until(lambda: 1 in table.state.squeezed)
    return table


def later(house: Whole, milliseconds: int) -> None:
    assert isinstance(house.clock, staffed.Clock)
    house.clock.now += milliseconds


def served(folder: Path, *works: Work, unsound: bool = False) -> None:
    """One after another, each in the house as the one before left it."""
    floor = staffed.Floor(folder)
    floor.unsound = unsound
    for work in works:
        floor.run(work, pace=SLOW, shoes=shoe_of(BOTH_DRAW))


@rulings("SQZ-9")
def test_only_whoever_squeezes_a_card_has_its_face(tmp_path: Path) -> None:
    async def work(house: Whole) -> None:
        table = await squeezed_in(house)
        assert {index: str(card) for index, card in house.squeezed_faces("auto", "ann").items()} == {1: "A♠"}
        for person in ("bob", "dora", "sue", "max", "dealer", ""):
            assert house.squeezed_faces("auto", person) == {}, person
        assert house.squeezed_faces("nowhere", "ann") == {}
        assert table.state.drawn[0].card is None
        staffed.well(await house.do("ann", "auto", c.FinishSqueeze(round=table.state.round, index=1)))
        assert house.squeezed_faces("auto", "ann") == {}, "from here on it is turned over for everybody"

    served(tmp_path, work)


@rulings("SQZ-9")
def test_a_card_counts_as_exposed_before_a_report_stops_the_round(tmp_path: Path) -> None:
    async def work(house: Whole) -> None:
        table = await squeezed_in(house)
        staffed.well(await house.do("sue", "auto", c.Report(round=1, fault=Fault.OTHER_DEALING_ERROR)))
        assert (table.state.phase, str(table.state.drawn[0].card)) == (Phase.DECISION, "A♠")
        assert not table.state.squeezed

    served(tmp_path, work)


def test_a_report_that_stops_nothing_ends_nobodys_squeeze(tmp_path: Path) -> None:
    async def work(house: Whole) -> None:
        unattended = Policy(interruption_finding=InterruptionFinding.AUTOMATIC)
        table = await squeezed_in(house, policy=unattended)
        claim = c.Report(round=1, fault=Fault.OTHER_DEALING_ERROR)
        staffed.well(await house.do("bob", "auto", claim))
        refused = await house.do("sue", "auto", c.Report(round=2, fault=Fault.OTHER_DEALING_ERROR))
        assert staffed.refused(refused) is Reason.STALE_ROUND
        assert (table.state.phase, list(table.state.squeezed)) == (Phase.DEALING, [1])

    served(tmp_path, work)


@pytest.mark.parametrize("key", ["wu-song", "insurance"])
def test_after_a_power_cut_the_card_is_shown_before_it_is_found_what_that_changes(tmp_path: Path, key: str) -> None:
    """Where the document has no word on it the round goes on by itself, and so does the squeeze."""
    goes_on = key == "insurance"

    async def before(house: Whole) -> None:
        await squeezed_in(house, key, policy=HELD)

    async def after(house: Whole) -> None:
        table, shown = house.tables["auto"], Shown()
        house.watchers.append(shown)
        assert (table.state.drawn[0].card is None) is goes_on
        if goes_on:
            await staffed.until(lambda: bool(house.squeezed_faces("auto", "ann")))
            assert str(house.squeezed_faces("auto", "ann")[1]) == "A♠"
            assert shown.again == 1, "whoever squeezes is told of the face once its order was read"
        else:
            assert (table.state.phase, str(table.state.drawn[0].card)) == (Phase.SUSPENDED, "A♠")

    served(tmp_path, before, after)


@rulings("SQZ-9")
def test_of_a_shoe_that_cannot_be_proven_nothing_is_shown(tmp_path: Path) -> None:
    async def work(house: Whole) -> None:
        table = await squeezed_in(house)
        dealer = house.runners["auto"].dealer
        assert dealer._shoe is not None
        order = dealer._shoe.order
        forged = Sealed((order.cards[1], order.cards[0], *order.cards[2:]), order.salts)
        dealer._shoe = replace(dealer._shoe, order=forged)
        assert house.squeezed_faces("auto", "ann") == {}
        await dealer.show_squeezed()
        assert table.state.drawn[0].card is None
        later(house, SQUEEZE)
        await staffed.until(lambda: table.state.phase is Phase.SUSPENDED)
        assert table.state.shoe is not None
        assert table.state.shoe.unproven
        assert (house.squeezed_faces("auto", "ann"), table.state.drawn[0].card) == ({}, None)

    served(tmp_path, work)


def test_a_player_who_is_gone_keeps_nobody_waiting_for_longer_than_the_time_set(tmp_path: Path) -> None:
    async def work(house: Whole) -> None:
        table = await squeezed_in(house)
        later(house, SQUEEZE - 1)
        await staffed.until(lambda: len(table.state.drawn) == 4)
        assert 1 in table.state.squeezed
        later(house, 1)
        await staffed.until(lambda: table.state.drawn[0].card is not None)

    served(tmp_path, work)


def test_nobody_draws_over_a_request_that_has_no_answer(tmp_path: Path) -> None:
    async def work(house: Whole) -> None:
        table = await staffed.add(house, "one", "wu-song", face_down=True)
        await staffed.fund(house, "ann", 1_000_00, "one")
        for command in (c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD), c.OpenBetting()):
            staffed.well(await house.do("dora", "one", command))
        line = c.Line(bet="player", amount=100_00, box=1)
        staffed.well(await house.do("ann", "one", c.PlaceBets(round=1, lines=(line,))))
        staffed.well(await house.do("dora", "one", c.CloseBetting(round=1)))
        staffed.well(await house.do("ann", "one", c.RequestSqueeze(round=1, index=1)))
        drawn = c.DrawCard(round=1, index=1)
        assert staffed.refused(await house.do("dora", "one", drawn)) is Reason.SQUEEZE_UNANSWERED
        staffed.well(await house.do("dora", "one", c.AnswerSqueeze(round=1, index=1, permit=True)))
        staffed.well(await house.do("dora", "one", drawn))
        assert (1 in table.state.squeezed, house.squeezed_faces("one", "ann")) == (True, {})

    served(tmp_path, work)
