"""What bets are worth on cards in sight: worked out for whoever opens a round on them, from cards nobody has seen."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from puntobanco.house.pricing import appraisal
from puntobanco.house.pricing.appraisal import Appraisal, dealt, in_sight, question
from puntobanco.house.pricing.odds_process import ITSELF, OddsService
from puntobanco.house.tables.dealer import LOOKS_AGAIN, AutomaticDealer, Pace
from puntobanco.house.tables.writer import RunningTable
from puntobanco.odds import Shoe, price
from puntobanco.rules import library
from puntobanco.rules.cards import Rank, read_cards
from puntobanco.store.base import Store
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Fault, Worth
from puntobanco.table.events import AnyEvent
from puntobanco.table.state import Phase
from tests.house.pricing.test_odds_process import strange
from tests.house.tables.test_writer import DEALER, MANAGER, SUPERVISOR, House, open_for_bets, setup_of
from tests.table.pit import Pit, in_play

Work = Callable[[Store, RunningTable, Appraisal], Awaitable[None]]


def with_appraisal(folder: Path, key: str, work: Work, odds_service: Callable[[], OddsService] = OddsService) -> House:
    house = House(folder, key)

    async def whole(store: Store, table: RunningTable) -> None:
        asked = odds_service()
        appraised = Appraisal(asked)
        table.appraise = appraised.for_command

        def publish(running: RunningTable, told: tuple[AnyEvent, ...]) -> None:
            house.published.extend(told)
            appraised.at_table(running, told)

        table.publish = publish
        try:
            await work(store, table, appraised)
        finally:
            await asked.close()

    house.run(whole)
    return house


def silent() -> OddsService:
    """Its desk takes every question and answers none in time."""

    class Silent(OddsService):
        async def ask(self, *_: object, **question: Any) -> Any:
            return await super().ask(ITSELF, do="sleep", n=question["shoe"])

    return Silent(strange)


async def done(table: RunningTable, command: c.Command, role: Role = DEALER) -> None:
    answer = await table.send(command, "staff", role)
    assert answer.refusal is None, answer.refusal


async def round_with_a_card_left(store: Store, table: RunningTable, cards: str = "9") -> None:
    """Four cards are gone, and these wait in front of the shoe."""
    await open_for_bets(store, table)
    await done(table, c.CloseBetting(round=1))
    for index, card in enumerate(read_cards("9S 7S KS 10"), start=1):
        await done(table, c.DrawCard(round=1, index=index, card=card))
    await done(table, c.Settle(round=1))
    await done(table, c.Report(round=1, fault=Fault.EXCESS, cards=read_cards(cards)))


async def computed(table: RunningTable, appraised: Appraisal) -> Worth:
    """A desk that was only started takes longer than an opening waits."""
    for _ in range(120):
        if (found := await appraised.in_time(table)) is not None:
            return found
    raise AssertionError("it was never computed")


def alert(events: list[AnyEvent]) -> e.AlertRaised:
    return [one for one in events if isinstance(one, e.AlertRaised)][-1]


def test_the_alert_holds_the_exact_worth_of_every_bet_on_the_unseen_cards(tmp_path: Path) -> None:
    gone = [Rank.NINE, Rank.SEVEN, Rank.KING, Rank.TEN]
    exact = price(library.game("commission"), Shoe.of(8).without([*gone, Rank.NINE]), known={1: Rank.NINE})
    expected = {bet: round(-float(one.house_edge) * 1_000_000) for bet, one in exact.bets.items()}

    async def work(store: Store, table: RunningTable, appraised: Appraisal) -> None:
        await round_with_a_card_left(store, table)
        found = await computed(table, appraised)
        assert found == Worth(cards=read_cards("9"), returns=expected)
        assert found.returns["player"] == 212_192
        forged = Worth(cards=read_cards("9"), returns={"player": -999_999})
        await done(table, c.OpenBetting(acknowledge=True, worth=forged))
        assert (table.state.round, table.state.phase) == (2, Phase.BETTING)

    assert alert(with_appraisal(tmp_path, "commission", work).published).worth == expected


def test_an_opening_that_cannot_wait_says_that_nothing_was_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appraisal, "WITHIN", 0.05)

    async def work(store: Store, table: RunningTable, appraised: Appraisal) -> None:
        await round_with_a_card_left(store, table)
        assert await appraised.in_time(table) is None
        await done(table, c.OpenBetting(acknowledge=True))
        assert table.state.phase is Phase.BETTING

    told = alert(with_appraisal(tmp_path, "commission", work, silent).published)
    assert (told.kind, told.worth) == ("exposed_card_carried_over", {})


def test_a_desk_that_fails_is_as_good_as_none(tmp_path: Path) -> None:
    async def work(store: Store, table: RunningTable, appraised: Appraisal) -> None:
        await round_with_a_card_left(store, table)
        assert await appraised.in_time(table) is None

    class Dying(OddsService):
        async def ask(self, *_: object, **__: Any) -> Any:
            return await super().ask(ITSELF, do="die")

    class Faulty(OddsService):
        async def ask(self, *_: object, **__: Any) -> Any:
            raise ZeroDivisionError

    for place, kind in enumerate((Dying, Faulty)):
        folder = tmp_path / str(place)
        folder.mkdir()
        with_appraisal(folder, "commission", work, lambda kind=kind: kind(strange))  # type: ignore[misc]


def test_nothing_is_asked_where_no_card_is_in_sight_or_bets_are_closed(tmp_path: Path) -> None:
    async def work(store: Store, table: RunningTable, appraised: Appraisal) -> None:
        await open_for_bets(store, table)
        assert (in_sight(table.state).front, await appraised.in_time(table)) == ((), None)
        await done(table, c.CloseBetting(round=1))
        await done(table, c.Report(round=1, fault=Fault.EXCESS, cards=read_cards("9")))
        assert table.state.front == read_cards("9")
        assert in_sight(table.state).front == ()

    with_appraisal(tmp_path, "commission", work, silent)


def test_a_card_the_house_still_decides_about_is_in_sight(tmp_path: Path) -> None:
    """Where the document leaves it to the House, the card joins the others only by the decision."""

    async def work(store: Store, table: RunningTable, _appraised: Appraisal) -> None:
        await open_for_bets(store, table)
        before = question(table, in_sight(table.state))
        assert (before["known"], before["most"]) == ({}, 6)
        await done(table, c.Report(round=1, fault=Fault.EXPOSED, cards=read_cards("9S")), SUPERVISOR)
        assert (table.state.phase, table.state.front) == (Phase.DECISION, ())
        asked = question(table, in_sight(table.state))
        assert (asked["known"], "9=31" in asked["shoe"]) == ({"1": 9}, True)
        number = table.state.questions
        await done(table, c.Rule(question=number, choice=Choice.CONTINUE, reason="seen by all"), Role.SHIFT_MANAGER)
        assert question(table, in_sight(table.state)) == asked

    with_appraisal(tmp_path, "super-six", work, silent)


def test_a_table_that_deals_by_itself_waits_until_somebody_lets_it_open(tmp_path: Path) -> None:
    house = House(tmp_path, "commission")

    async def work(_store: Store, table: RunningTable) -> None:
        await done(table, c.OpenTable(setup=setup_of("commission")), MANAGER)
        dealer = AutomaticDealer(table, Pace(between=0))
        while not (table.state.round == 1 and table.state.phase is Phase.SETTLED):
            house.clock.now += 30_000
            await dealer.step()
        await done(table, c.Report(round=1, fault=Fault.EXCESS, cards=read_cards("9 5 K")))
        for _ in range(3):
            house.clock.now += 60_000
            assert await dealer.step() == LOOKS_AGAIN
            assert table.state.round == 1
        await done(table, c.PermitOpening(), SUPERVISOR)
        await dealer.step()
        assert (table.state.round, table.state.phase) == (2, Phase.BETTING)
        assert set(table.state.not_offered) == {"player", "banker", "player_pair"}

    house.run(work)
    kinds = [one.kind for one in house.published if isinstance(one, e.AlertRaised)]
    assert kinds == ["opening_waits", "exposed_card_carried_over"]


def test_a_bet_attested_after_cards_were_seen_is_worth_what_those_cards_make_of_it(tmp_path: Path) -> None:
    cards = read_cards("9S 7S KS")
    ranks = {place: card.rank for place, card in enumerate(cards, start=1)}
    exact = price(library.game("commission"), Shoe.of(8).without([*ranks.values()]), known=ranks)
    expected = round(-float(exact.bets["player"].house_edge) * 1_000_000)
    assert expected > 500_000, "a natural is in sight"

    async def work(store: Store, table: RunningTable, appraised: Appraisal) -> None:
        await open_for_bets(store, table)
        await done(table, c.CloseBetting(round=1))
        for index, card in enumerate(cards, start=1):
            await done(table, c.DrawCard(round=1, index=index, card=card))
        line = c.Line(bet="player", amount=100_00, box=2)
        attest = c.AttestBet(round=1, owner="ann", line=line, attested=True, reason="seen by camera")
        async with asyncio.timeout(300):  # kernels are compiled on a new machine, and the process has a low priority
            while await appraised.for_command(table, attest) is None:
                pass
        assert await appraised.in_time(table) is None, "betting is closed"
        await done(table, attest, SUPERVISOR)

    told = alert(with_appraisal(tmp_path, "commission", work).published)
    assert (told.kind, told.worth) == ("attested_late", {"player": expected})
    assert [(one.owner, one.bet, one.box) for one in told.stakes] == [("ann", "player", 2)]


@pytest.mark.parametrize("claimed", [False, True])
def test_bets_on_the_first_card_are_named_if_a_second_card_closes_betting(tmp_path: Path, claimed: bool) -> None:
    known: list[Worth] = []

    async def work(store: Store, table: RunningTable, appraised: Appraisal) -> None:
        await round_with_a_card_left(store, table)
        known.append(await computed(table, appraised))
        await done(table, c.OpenBetting(acknowledge=True))
        for box in table.state.unpaid:
            await done(table, c.ConfirmBox(round=1, box=box))
        line = c.Line(bet="player", amount=100_00, box=1)
        placed = await table.send(c.PlaceBets(round=2, lines=(line,)), "ann", Role.PLAYER)
        assert placed.refusal is None
        seen: c.Command = c.Report(round=2, fault=Fault.EXPOSED, cards=read_cards("5"))
        if claimed:
            assert (await table.send(seen, "ann", Role.PLAYER)).refusal is None
            assert table.state.question is not None
            seen = c.Rule(question=table.state.question.number, choice=Choice.RECONSTRUCT)
        await done(table, seen, SUPERVISOR)

    told = alert(with_appraisal(tmp_path, "commission", work).published)
    assert (told.kind, told.worth) == ("bets_on_known_cards", {"player": known[0].returns["player"]})
    assert [(one.owner, one.bet) for one in told.stakes] == [("ann", "player")]


def test_no_bet_is_priced_on_cards_that_stay_as_they_lie_or_before_the_close() -> None:
    pit = in_play("commission", "9 7 K")
    assert dealt(pit.state).front == read_cards("9 7 K")
    assert dealt(msgspec.structs.replace(pit.state, as_lying=True)).front == ()
    assert dealt(Pit("commission").state).front == ()
