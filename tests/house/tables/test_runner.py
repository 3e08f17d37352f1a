"""The clockwork of a table: a fault is told and tried again, a dead one is seen, and it never runs hot."""

import asyncio
from pathlib import Path

import pytest

from puntobanco.house.house import DEAD_AFTER, House
from puntobanco.house.shoes.seal import Sealed, new_shoe
from puntobanco.house.tables import runner as running
from puntobanco.house.tables.dealer import LOOKS_AGAIN, REFUSED, AutomaticDealer, Pace
from puntobanco.protocol import entries as b
from puntobanco.protocol.administrative_commands import AddTable, SetDealing
from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.setup import Timing
from puntobanco.table.state import Phase
from tests.house.staffed import Floor, add, entries, fund, in_play, phase, restart, settle, until, well


def dead(house: House) -> tuple[str, ...]:
    return house.dead


async def sealed(house: House, name: str) -> Sealed:
    content = await house.secret_store.sealed(name)
    assert content is not None
    return Sealed.decode(content)


async def next_beat(runner: running.Runner) -> None:
    last = runner.last_beat
    await until(lambda: runner.last_beat > last)


def failing(times: int) -> tuple[list[int], object]:
    """Shoes of a machine that jams so often."""
    jams = [0]

    def shoe(decks: int) -> Sealed:
        jams[0] += 1
        if jams[0] <= times:
            raise OSError("the shuffler is jammed")
        return new_shoe(decks)

    return jams, shoe


@pytest.fixture
def quick_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "AFTER_A_FAULT", (0.01, 0.02))


@pytest.mark.usefixtures("quick_again")
def test_a_step_that_fails_is_told_and_tried_again(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    floor.clock.goes = True
    jams, shoes = failing(2)

    async def work(house: House) -> None:
        table = await add(house, "one", "commission", automatic=True)
        await until(lambda: table.state.round > 2)
        assert dead(house) == ()
        assert house.failed == {}

        await until(lambda: not house._later)
        (entry,) = await entries(house, b.IncidentRaised)
        assert (entry.incident.error, entry.incident.stage) == ("OSError", "dealing")

    floor.run(work, shoes=shoes)
    assert floor.faults.told == []
    assert jams[0] == 3


@pytest.mark.usefixtures("quick_again")
def test_a_shuffler_that_stays_jammed_is_left_to_the_pit(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    floor.clock.goes = True
    jams, shoes = failing(running.TRIES)

    async def work(house: House) -> None:
        await add(house, "one", "commission", automatic=True)
        await until(lambda: dead(house) == ("one",))
        await until(lambda: not house._later)
        (entry,) = await entries(house, b.IncidentRaised)
        assert (entry.incident.error, entry.incident.sent) == ("OSError", ())
        await restart(house, "one")
        await until(lambda: house.tables["one"].state.round > 1)

    floor.run(work, shoes=shoes)
    assert jams[0] == running.TRIES + 1


def test_the_longer_it_fails_the_longer_it_rests_and_its_beat_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "AFTER_A_FAULT", (0.01, 1_000))
    monkeypatch.setattr(running, "LONGEST_SLEEP", 5)
    floor = Floor(tmp_path)
    floor.clock.goes = True
    jams, shoes = failing(10_000)

    async def work(house: House) -> None:
        await add(house, "one", "commission", automatic=True)
        await until(lambda: jams[0] == 2)
        (runner,) = house.runners.values()
        for _ in range(10):
            await next_beat(runner)
        assert jams[0] == 2
        assert runner.alive

    floor.run(work, shoes=shoes)


def test_the_pace_is_kept_however_short_the_sleeps_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pause longer than the longest sleep is a pause all the same, and ends early only with its phase."""
    monkeypatch.setattr(running, "LONGEST_SLEEP", 5)
    floor = Floor(tmp_path)
    floor.clock.goes = True

    async def work(house: House) -> None:
        table = await add(house, "one", "super-six", automatic=True)
        await until(lambda: table.state.phase is Phase.SETTLED)
        (runner,) = house.runners.values()
        for _ in range(10):
            await next_beat(runner)
        assert (table.state.phase, table.state.round) == (Phase.SETTLED, 1)
        well(await house.do("dora", "one", c.OpenBetting()))
        await until(lambda: table.state.phase is Phase.SETTLED and table.state.round == 2)

    floor.run(work, pace=Pace(card=0, result=0, between=1_000_000))


def test_the_result_is_shown_for_as_long_as_the_pace_says(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        dealer = AutomaticDealer(table, Pace(card=1, result=2, between=3), secret_store=house.secret_store)
        waits = [await dealer.step()]
        while table.state.phase is not Phase.SETTLED:
            waits.append(await dealer.step())
        waits.append(await dealer.step())
        cards = len(table.state.drawn)
        assert waits == [0, 0, 1, *[1] * (cards - 1), 2, 0, 3]

    Floor(tmp_path).run(work)


def test_the_pause_between_rounds_is_kept_also_where_somebody_else_ends_the_round(tmp_path: Path) -> None:
    """A round that a person opened ends when its boxes are paid."""
    floor = Floor(tmp_path)

    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00, "one")
        dealer = AutomaticDealer(table, Pace(card=0, result=0, between=3_000), secret_store=house.secret_store)
        await dealer.step()
        well(
            await house.do("dora", "one", c.OpenBetting())
        )  # a round that a person opened ends when its boxes are paid
        slip = c.PlaceBets(round=1, lines=(c.Line(bet="player", amount=100_00, box=1),))
        well(await house.do("ann", "one", slip))
        while phase(house) is not Phase.PAYING:
            await dealer.step()
        well(await house.do("dora", "one", c.ConfirmBox(round=1, box=1)))
        assert phase(house) is Phase.SETTLED
        assert await dealer.step() == 3_000
        floor.clock.now += 2_999
        assert await dealer.step() == 1
        floor.clock.now += 1
        await dealer.step()
        assert (phase(house), table.state.round) == (Phase.BETTING, 2)

    floor.run(work)


def test_options_nobody_uses_are_closed_by_the_clock(tmp_path: Path) -> None:
    floor = Floor(tmp_path)

    async def work(house: House) -> None:
        table = await add(house, "one", "commission", timing=Timing(betting=0, options=5_000))
        await fund(house, "ann", 1_000_00, "one")
        dealer = AutomaticDealer(table, secret_store=house.secret_store)
        while table.state.phase is not Phase.BETTING:
            await dealer.step()
        slip = c.PlaceBets(round=1, lines=(c.Line(bet="player", amount=100_00, box=1),))
        well(await house.do("ann", "one", slip))
        while len(table.state.drawn) < 1:
            await dealer.step()
        well(await house.do("sue", "one", c.Report(round=1, fault=c.Fault.OTHER_DEALING_ERROR)))
        assert await dealer.step() == LOOKS_AGAIN
        well(await house.do("sue", "one", c.Rule(question=1, choice=c.Choice.RECONSTRUCT, reason="seen")))
        assert phase(house) is Phase.OPTIONS
        assert await dealer.step() == LOOKS_AGAIN
        floor.clock.now += 4_999
        assert await dealer.step() == LOOKS_AGAIN
        floor.clock.now += 1
        assert await dealer.step() == 0
        assert phase(house) is Phase.DEALING

    floor.run(work)


def test_a_dealer_not_heard_of_for_long_or_gone_is_dead_and_a_restart_brings_it_back(tmp_path: Path) -> None:
    floor = Floor(tmp_path)

    async def work(house: House) -> None:
        table = await add(house, "one", "commission", automatic=True, timing=Timing(betting=10_000_000))
        await until(lambda: table.state.in_round)
        assert dead(house) == ()
        floor.clock.now += DEAD_AFTER + 1
        assert dead(house) == ("one",)
        await until(lambda: dead(house) == (), "it looks again within a second")
        await house.store.claim("one")
        floor.clock.now += 10_000_000
        await until(lambda: set(house.failed) == {"one"})
        await until(lambda: dead(house) == ("one",))
        await until(lambda: not house._later)
        assert [one.table for one in await entries(house, b.TableFailed)] == ["one"]
        await restart(house, "one")
        assert dead(house) == ()
        assert house.failed == {}

    floor.run(work)
    assert floor.faults.told == [("one", "Stopped")]


def test_a_refused_step_waits_before_the_next(tmp_path: Path) -> None:
    floor = Floor(tmp_path)

    async def work(house: House) -> None:
        table = await in_play(house, "9S 8D TC KC")
        await settle(house)
        well(await house.do("tom", "one", c.WithdrawShoe(reason="new cards")))
        dealer = AutomaticDealer(table, secret_store=house.secret_store)
        well(await house.do("tom", "one", c.Report(round=1, fault=c.Fault.MISPAYMENT)))
        assert table.state.phase is Phase.DECISION
        assert await dealer.step() > 0
        version = table.state.version
        assert await dealer._send(c.OpenBetting()) == REFUSED
        assert table.state.version == version

    floor.run(work)


def test_a_shoe_that_was_not_taken_is_not_dealt_from(tmp_path: Path) -> None:
    """Sealed but refused: the cards still come from the one in use, as its commitment says."""
    floor = Floor(tmp_path)

    async def work(house: House) -> None:
        table = await add(house, "one", "commission", timing=Timing(betting=0))
        dealer = AutomaticDealer(table, Pace(between=0), secret_store=house.secret_store)
        while table.state.phase is not Phase.BETTING:
            await dealer.step()
        assert table.state.shoe is not None
        name = table.state.shoe.name
        assert await dealer._load() >= REFUSED
        assert table.state.shoe.name == name
        while len(table.state.drawn) < 4:
            await dealer.step()
        assert [one.card for one in table.state.drawn] == list((await sealed(house, name)).cards[:4])
        while phase(house) is not Phase.SETTLED:
            await dealer.step()
        well(await house.do("tom", "one", c.WithdrawShoe(reason="another")))
        while len(table.state.drawn) < 4 or table.state.round == 1:
            await dealer.step()
        other = table.state.shoe.name
        assert other != name
        assert [one.card for one in table.state.drawn[:4]] == list((await sealed(house, other)).cards[:4])

    floor.run(work)


def test_stopping_a_dealer_in_the_middle_of_a_step_leaves_the_table_well(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    floor.clock.goes = True

    async def work(house: House) -> None:
        table = await add(house, "one", "commission", automatic=True)
        for number in range(30):
            await asyncio.sleep(0.001 * (number % 5))
            well(await house.manage("tom", SetDealing(table="one", automatic=False)))
            assert house.runners == {}
            well(await house.manage("tom", SetDealing(table="one", automatic=True)))
        now = table.state.version
        await until(lambda: table.state.version > now)
        assert house.failed == {}

    floor.run(work)


def test_a_closed_table_is_left_alone_until_it_opens(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    floor.clock.goes = True

    async def work(house: House) -> None:
        well(await house.manage("ada", AddTable(table="one", game="commission", automatic=True)))
        await asyncio.sleep(0.05)
        assert house.tables["one"].state.version == 0
        (runner,) = house.runners.values()
        assert runner.alive
        await house.drain(5)
        assert not runner.alive

    floor.run(work)
    assert floor.faults.told == []


@pytest.mark.parametrize("face_down", [False, True])
def test_cards_that_came_out_unasked_are_dealt_in_the_order_of_the_shoe(tmp_path: Path, *, face_down: bool) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission", face_down=face_down)
        dealer = AutomaticDealer(table, Pace(card=0, result=0, between=0), secret_store=house.secret_store)

        async def play(rounds: int) -> None:
            for _ in range(100):
                if table.state.round == rounds and not table.state.in_round:
                    return
                await dealer.step()
            raise AssertionError(f"the round stands still: {table.state.phase}")

        await play(1)
        shoe = table.state.shoe
        assert shoe is not None
        used = 416 - shoe.left
        well(await house.do("dora", "one", c.Report(round=1, fault=c.Fault.EXCESS, cards=(None,) * 5)))
        await play(2)
        dealt = [one.card for one in table.state.drawn]
        assert dealt == list((await sealed(house, shoe.name)).cards[used : used + len(dealt)])

    Floor(tmp_path).run(work)


def test_a_card_in_front_of_a_finished_shoe_is_the_pits_to_discard_and_no_shoe_is_sealed_in_vain(
    tmp_path: Path,
) -> None:
    async def work(house: House) -> None:
        table, shoes = await add(house, "one", "commission"), []

        def counted(decks: int) -> Sealed:
            shoes.append(new_shoe(decks))
            return shoes[-1]

        dealer = AutomaticDealer(table, Pace(card=0, result=0, between=0), counted, secret_store=house.secret_store)

        async def play(rounds: int) -> None:
            while not (table.state.round == rounds and not table.state.in_round):
                await dealer.step()

        await play(1)
        well(await house.do("dora", "one", c.ShowCutCard()))
        await play(2)
        well(await house.do("dora", "one", c.Report(round=2, fault=c.Fault.EXCESS, cards=(None,))))
        assert (table.state.shoe is not None and table.state.shoe.finished, table.state.front) == (True, (None,))
        for _ in range(5):
            assert await dealer.step() == REFUSED
        assert len(shoes) == 1
        well(await house.do("tom", "one", c.WithdrawShoe(reason="a card in front")))
        await play(3)
        assert len(shoes) == 2

    Floor(tmp_path).run(work)


@pytest.mark.parametrize("order", [(2, 1, 3, 4), (4, 3, 2, 1), (3, 4, 1, 2), (1, 2, 3, 4)])
def test_cards_put_in_another_order_stay_the_cards_that_left_the_shoe(tmp_path: Path, order: tuple[int, ...]) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission", face_down=True)
        dealer = AutomaticDealer(table, Pace(card=0, result=0, between=0), secret_store=house.secret_store)
        while not (len(table.state.drawn) == 4 and table.state.drawn[0].card):
            await dealer.step()
        well(await house.do("dora", "one", c.Report(round=1, fault=c.Fault.SIMULTANEOUS, index=1)))
        question, shoe = table.state.question, table.state.shoe
        assert question is not None
        assert shoe is not None
        ruling = c.Rule(question=question.number, choice=c.Choice.ORDER, reason="as they came", order=order)
        well(await table.send(ruling, "sue", Role.PIT_SUPERVISOR))  # the house hears no such order any more
        while table.state.in_round:
            await dealer.step()
        cards = (await sealed(house, shoe.name)).cards
        dealt = [one.card for one in table.state.drawn]
        assert dealt[order.index(1)] == cards[0]
        assert sorted(map(str, dealt)) == sorted(map(str, cards[: len(dealt)]))

    Floor(tmp_path).run(work)


@pytest.mark.parametrize("faults", [(c.Fault.EXCESS, c.Fault.FOREIGN_CARD), (c.Fault.FOREIGN_CARD, c.Fault.EXCESS)])
def test_a_card_in_front_of_a_set_in_doubt_keeps_no_table_waiting(tmp_path: Path, faults: tuple[c.Fault, ...]) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        dealer = AutomaticDealer(table, Pace(card=0, result=0, between=0), secret_store=house.secret_store)

        async def play(rounds: int) -> None:
            for _ in range(100):
                if table.state.round == rounds and not table.state.in_round:
                    return
                await dealer.step()
            raise AssertionError(f"the table stands still: {table.state.phase}")

        await play(1)
        for fault in faults:
            cards = (None,) if fault is c.Fault.EXCESS else ()
            well(await house.do("dora", "one", c.Report(round=1, fault=fault, cards=cards)))
        assert (table.state.shoe is not None and table.state.shoe.in_service, table.state.front) == (False, (None,))
        await play(2)
        assert table.state.front == ()

    Floor(tmp_path).run(work)
