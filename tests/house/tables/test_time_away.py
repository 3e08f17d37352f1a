"""A house that was away takes nobody's time: whoever could still bet, insure, choose or squeeze has what was left."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from puntobanco.house.tables.dealer import AutomaticDealer
from puntobanco.house.tables.writer import RunningTable
from puntobanco.rules.cards import read_card
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.setup import Policy, Setup, Source, Timing
from puntobanco.table.state import Phase
from tests.house.floor import Clock, fill, history, opened, seated, setup_of, sound
from tests.house.interruptions import told
from tests.house.traffic import dealer_of
from tests.marks import rulings

AWAY = 3_600_000
TIMING = Timing(betting=20_000, insurance=20_000, options=20_000, squeeze=20_000)
PASSED = 5_000
"""Of each time, when the house stops."""

Work = Callable[[RunningTable, Clock], Awaitable[None]]


@asynccontextmanager
async def table_of(place: Path, setup: Setup, clock: Clock) -> AsyncIterator[RunningTable]:
    async with opened(place) as store, seated(store, setup, clock) as table:
        yield table
        assert await history(store) == table.state


async def opened_round(table: RunningTable, setup: Setup, bets: dict[str, str]) -> None:
    await fill(table.store, bets)
    await told(table, c.OpenTable(setup=setup), "max", Role.PIT_MANAGER)
    await told(table, c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD))
    await told(table, c.OpenBetting())
    for person, bet in bets.items():
        await told(table, c.BuyIn(person=person, amount=10_000_00), person, Role.PLAYER)
        line = c.Line(bet=bet, amount=1_000_00, box=0 if table.game.terminal else 1)
        await told(table, c.PlaceBets(round=1, lines=(line,)), person, Role.PLAYER)


async def draw(table: RunningTable, cards: str) -> None:
    for card in cards.split():
        index = len(table.state.drawn) + 1
        await told(table, c.DrawCard(round=1, index=index, card=read_card(card)))


async def found(table: RunningTable) -> None:
    """The finding, where the document asks for one."""
    if table.state.question is not None:
        rule = c.Rule(question=table.state.question.number, choice=Choice.DOES_NOT_AFFECT, reason="all there")
        await told(table, rule, "sue", Role.PIT_SUPERVISOR)


def away(place: Path, setup: Setup, before: Work, after: Work, times: int = 1) -> None:
    """The house stops after the first, is away, stops again as often as is said, and is there for the second."""

    async def whole() -> None:
        clock = Clock()
        async with table_of(place, setup, clock) as table:
            await before(table, clock)
        for _ in range(times):
            clock.now += AWAY
            async with table_of(place, setup, clock):
                pass
        clock.now += AWAY
        async with table_of(place, setup, clock) as table:
            await after(table, clock)
        async with opened(place) as store:
            await sound(store)

    asyncio.run(whole())


@rulings("TEC-8")
@pytest.mark.parametrize("key", ["commission", "non-commission-etg", "super-six", "insurance", "wu-song"])
@pytest.mark.parametrize("times", [0, 2])
def test_a_betting_time_that_ran_out_while_the_house_was_away_has_not_run_out(
    tmp_path: Path, key: str, times: int
) -> None:
    setup = setup_of(key, timing=TIMING)

    async def before(table: RunningTable, clock: Clock) -> None:
        await opened_round(table, setup, {"ann": "player"})
        clock.now += PASSED
        await told(table, c.BuyIn(person="ann", amount=1_00), "ann", Role.PLAYER)  # the last that is heard of the table

    async def after(table: RunningTable, clock: Clock) -> None:
        await found(table)
        assert table.state.phase is Phase.BETTING
        assert table.state.deadline == clock.now + TIMING.betting - PASSED
        await AutomaticDealer(table).step()
        assert table.state.phase is Phase.BETTING, "the dealer waits as well"

    away(tmp_path / "house.db", setup, before, after, times)


@rulings("TEC-8")
@pytest.mark.parametrize("times", [0, 2])
def test_an_insurance_window_is_open_for_as_long_as_it_was(tmp_path: Path, times: int) -> None:
    setup = setup_of("insurance", timing=TIMING)

    async def before(table: RunningTable, _clock: Clock) -> None:
        await opened_round(table, setup, {"ann": "player"})
        await told(table, c.CloseBetting(round=1))
        await draw(table, "7S 2D TC 2C")
        assert table.state.phase is Phase.INSURANCE

    async def after(table: RunningTable, clock: Clock) -> None:
        window = table.state.window
        assert window is not None
        assert window.deadline == table.state.deadline == clock.now + TIMING.insurance
        assert await AutomaticDealer(table).step()
        insure = c.Insure(round=1, window=window.window, amount=100_00, box=1)
        await told(table, insure, "ann", Role.PLAYER)

    away(tmp_path / "house.db", setup, before, after, times)


@rulings("TEC-8")
@pytest.mark.parametrize("key", ["commission", "wu-song"])
@pytest.mark.parametrize("times", [0, 2])
def test_who_had_a_choice_has_it_still_and_one_finding_answers_for_every_time(
    tmp_path: Path, key: str, times: int
) -> None:
    setup = setup_of(key, timing=TIMING)

    async def before(table: RunningTable, _clock: Clock) -> None:
        await opened_round(table, setup, {"ann": "player", "bob": "banker"})
        await told(table, c.CloseBetting(round=1))
        await draw(table, "5S 2D")
        lies = {1: Side.BANKER, 2: Side.PLAYER}
        await told(table, c.Report(round=1, fault=Fault.MISDIRECTED, lies=lies), "sue", Role.PIT_SUPERVISOR)
        assert table.state.question is not None
        put = c.Rule(question=table.state.question.number, choice=Choice.RECONSTRUCT, reason="seen")
        await told(table, put, "sue", Role.PIT_SUPERVISOR)
        assert table.state.phase is Phase.OPTIONS

    async def after(table: RunningTable, clock: Clock) -> None:
        options = table.state.options
        assert options is not None
        assert options.deadline == table.state.deadline == clock.now + TIMING.options
        early = await table.send(c.CloseOptions(question=options.question), "dora", dealer_of(table))
        assert early.refusal is not None
        assert early.refusal.reason is Reason.OPTIONS_RUNNING
        elect = c.Elect(question=options.question, election=Election.RETURN)
        await told(table, elect, "ann", Role.PLAYER)
        clock.now += TIMING.options
        await told(table, c.CloseOptions(question=options.question))
        assert table.state.phase is Phase.SUSPENDED, "and now whether the round can go on"
        await found(table)
        assert (table.state.phase, table.state.faults) == (Phase.DEALING, ())
        assert table.state.purses["ann"] == 10_000_00

    away(tmp_path / "house.db", setup, before, after, times)


def test_who_was_squeezing_goes_on_squeezing(tmp_path: Path) -> None:
    setup = setup_of("wu-song", timing=TIMING, face_down=True)

    async def before(table: RunningTable, _clock: Clock) -> None:
        await opened_round(table, setup, {"ann": "player"})
        await told(table, c.CloseBetting(round=1))
        await told(table, c.RequestSqueeze(round=1, index=1), "ann", Role.PLAYER)
        await told(table, c.AnswerSqueeze(round=1, index=1, permit=True))
        await told(table, c.DrawCard(round=1, index=1))
        assert table.state.squeezes[1].deadline

    async def after(table: RunningTable, clock: Clock) -> None:
        await found(table)
        assert table.state.squeezes[1].deadline == clock.now + TIMING.squeeze

    away(tmp_path / "house.db", setup, before, after)


@pytest.mark.parametrize("key", ["commission", "non-commission-etg", "super-six", "insurance", "wu-song"])
@pytest.mark.parametrize(
    ("gap", "grace", "goes_on"), [(0, 10, True), (10_000, 10, True), (10_001, 10, False), (500, 0, False)]
)
def test_a_table_that_another_process_takes_over_soon_enough_goes_on(
    tmp_path: Path, key: str, gap: int, grace: int, *, goes_on: bool
) -> None:
    """Counted from when the other was last there, and not from the last event."""
    setup = setup_of(key, timing=TIMING, policy=Policy(handover_grace=grace))

    async def whole() -> None:
        clock = Clock()
        async with opened(tmp_path / "house.db") as store:
            async with seated(store, setup, clock) as table:
                await opened_round(table, setup, {"ann": "player"})
                clock.now += PASSED
                ends = table.state.deadline
            last_there = clock.now
            clock.now += gap
            taken = RunningTable(table.name, table.game, setup, store, clock)
            await taken.start(taken_over=last_there)
            interrupted = [one async for one in store.read(table.name) if one.kind.startswith("IrregularityReported")]
            assert (not interrupted) is goes_on
            if goes_on:
                assert (taken.state.phase, taken.state.deadline) == (Phase.BETTING, ends + gap)
            await found(taken)
            assert taken.state.phase is Phase.BETTING
            assert await history(store) == taken.state
            await taken.stop()
            await sound(store)

    asyncio.run(whole())


def test_a_restart_is_no_handover(tmp_path: Path) -> None:
    setup = setup_of("commission", timing=TIMING)

    async def whole() -> None:
        clock = Clock()
        async with table_of(tmp_path / "house.db", setup, clock) as table:
            await opened_round(table, setup, {"ann": "player"})
        async with table_of(tmp_path / "house.db", setup, clock) as table:
            assert table.state.phase is Phase.SUSPENDED

    asyncio.run(whole())


def test_only_the_house_says_that_it_was_away(tmp_path: Path) -> None:
    setup = setup_of("commission", timing=TIMING)

    async def before(table: RunningTable, clock: Clock) -> None:
        await opened_round(table, setup, {"ann": "player"})
        away_ = c.Report(round=1, fault=Fault.TECHNICAL, since=clock.now - AWAY)
        for person, role in (("ann", Role.PLAYER), ("dora", Role.DEALER), ("tom", Role.SHIFT_MANAGER)):
            refused = (await table.send(away_, person, role)).refusal
            assert refused is not None
            assert refused.reason is Reason.ACCESS_DENIED

    async def after(table: RunningTable, _clock: Clock) -> None:
        assert table.state.phase is Phase.SUSPENDED

    away(tmp_path / "house.db", setup, before, after)
