"""A slip of which one line stands and another is refused: kept for its request, and told alike ever after."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from puntobanco.house.house import House
from puntobanco.house.tables.writer import RunningTable
from puntobanco.protocol.answers import Answer
from puntobanco.rules import library
from puntobanco.rules.refusal import Reason
from puntobanco.store.base import Store
from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.setup import ExcessAtPlacement, Policy, Source
from tests.house import every_refusal
from tests.house.floor import fill, opened, seated
from tests.house.floor import setup_of as table_setup
from tests.house.staffed import Floor, add, fund, well
from tests.store.conftest import place, run_at, server  # noqa: F401 (both engines)

STANDS = c.Line(bet="player", amount=100_00, box=1)
REFUSED: dict[Reason, tuple[str, dict[str, Any], c.Line]] = {
    Reason.OVER_SIDE_MAXIMUM: ("commission", {"maximum": 200_00}, c.Line(bet="tie", amount=300_00, box=1)),
    Reason.OVER_DIFFERENTIAL: (
        "commission",
        {"policy": Policy(excess_at_placement=ExcessAtPlacement.REFUSE)},
        c.Line(bet="banker", amount=90_000_00, box=2),
    ),
    Reason.BET_NOT_ON_LAYOUT: ("wu-song", {"layout": "A"}, c.Line(bet="banker_big_7", amount=100_00, box=1)),
    Reason.UNKNOWN_BET: ("commission", {}, c.Line(bet="red", amount=100_00, box=1)),
    Reason.STAKE_NOT_IN_UNITS: ("commission", {}, c.Line(bet="banker", amount=100_01, box=1)),
    Reason.BOX_OUT_OF_RANGE: ("commission", {}, c.Line(bet="banker", amount=100_00, box=10**30)),
}
"""What is refused by itself: the game, how the table is set up, and the line."""


def said(answered: Answer) -> list[str]:
    return [library.sentences(language).refusal(one.why) for language in library.LANGUAGES for one in answered.lines]


@pytest.mark.parametrize("reason", REFUSED)
def test_a_slip_of_which_a_line_is_refused_stops_no_table_and_is_answered_alike_after_a_restart(
    tmp_path: Path, reason: Reason
) -> None:
    floor = Floor(tmp_path)
    game, changes, line = REFUSED[reason]
    slip = c.PlaceBets(round=1, lines=(STANDS, line))

    async def first(house: House) -> Answer:
        await add(house, "one", game, **changes)
        await fund(house, "ann", 100_000_00, "one")
        well(await house.do("dora", "one", c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD)))
        well(await house.do("dora", "one", c.OpenBetting()))
        answered: Answer = well(await house.do("ann", "one", slip, "r1"))
        assert [(one.line, one.why.reason) for one in answered.lines] == [(1, reason)]
        assert house.failed == {}
        assert [stake.bet for stake in house.tables["one"].state.stakes.values()] == ["player"]
        assert await house.do("ann", "one", slip, "r1") == answered
        return answered

    async def again(house: House) -> Answer:
        return await house.do("ann", "one", slip, "r1")

    answered = floor.run(first)
    replayed = floor.run(again)
    assert replayed == answered
    assert said(replayed) == said(answered)


def test_every_refusal_is_kept_in_both_stores_and_told_alike_after_a_restart(place: str) -> None:  # noqa: F811
    """One slip with a line for every reason, and kinds of parameters of all sorts."""
    slip = c.PlaceBets(round=1, lines=(STANDS,))

    async def first(store: Store) -> Answer:
        await fill(store, ["ann"])
        async with seated(store, table_setup("commission")) as table:
            await table.send(c.OpenTable(setup=table_setup("commission")), "max", Role.PIT_MANAGER)
            await table.send(c.BuyIn(person="ann", amount=100_000_00), "ann", Role.PLAYER)
            load = c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD)
            await table.send(load, "dora", Role.DEALER)
            await table.send(c.OpenBetting(), "dora", Role.DEALER)
            return await table.send(slip, "ann", Role.PLAYER, "r1")

    async def again(store: Store) -> Answer:
        async with seated(store, table_setup("commission")) as table:
            return await table.send(slip, "ann", Role.PLAYER, "r1")

    with every_refusal.given():
        answered = run_at(place, first)
    assert answered.refusal is None
    every_refusal.same([one.why for one in answered.lines], every_refusal.EVERY)
    replayed = run_at(place, again)
    assert replayed == answered
    assert said(replayed) == said(answered)


# ---- any slip ----------------------------------------------------------------------------------------------------

BETS = sorted({bet.key for key in library.GAMES for bet in library.game(key).bets})
LINES = st.builds(
    c.Line,
    bet=st.sampled_from(BETS) | st.sampled_from(["", "red", "player@four", "\x00", "闲"]) | st.text(max_size=5),
    amount=st.sampled_from([100_00, 200_00, 0, 5, 100_01, 10_100_00, -100_00, 10**12, 10**30]) | st.integers(),
    box=st.integers(0, 9) | st.sampled_from([-1, 99, 10**30]),
)
SLIPS = st.lists(st.lists(LINES, max_size=6), min_size=1, max_size=5)
POLICIES = st.sampled_from(ExcessAtPlacement)


@pytest.mark.parametrize("game", library.GAMES)
@settings(max_examples=15, deadline=None)
@given(slips=SLIPS, policy=POLICIES)
def test_no_slip_stops_a_table_and_a_retry_has_the_first_answer(
    game: str, slips: list[list[c.Line]], policy: ExcessAtPlacement
) -> None:
    setup = replace(table_setup(game, maximum=5_000_00), policy=Policy(excess_at_placement=policy))
    shoe = c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD)
    sent = [c.PlaceBets(round=1, lines=tuple(lines)) for lines in slips]

    async def ask(table: RunningTable) -> list[Answer]:
        return await asyncio.gather(
            *(table.send(slip, "ann", Role.PLAYER, f"r{number}") for number, slip in enumerate(sent))
        )

    async def whole() -> None:
        async with opened(Path(folder, "house.db")) as store:
            await fill(store, ["ann"])
            async with seated(store, setup) as table:
                await table.send(c.OpenTable(setup=setup), "max", Role.PIT_MANAGER)
                await table.send(c.BuyIn(person="ann", amount=100_000_00), "ann", Role.PLAYER)
                await table.send(shoe, "dora", Role.DEALER)
                await table.send(c.OpenBetting(), "dora", Role.DEALER)
                answered = await ask(table)
                assert await ask(table) == answered
                assert table.failed is None
            async with seated(store, setup) as table:
                for first, again in zip(answered, await ask(table), strict=True):
                    if first.refusal is None:  # what took effect is kept; what was refused may be refused otherwise
                        assert again == first
                        assert said(again) == said(first)
                assert table.failed is None

    with TemporaryDirectory() as folder:
        asyncio.run(whole())
