"""The house: many tables that do not feel each other's faults, rounds finished before it closes, games of one's own."""

import asyncio
import itertools
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from puntobanco.house.house import House, Watcher
from puntobanco.house.shoes.seal import Sealed
from puntobanco.house.shoes.shuffle import cards_of
from puntobanco.house.tables.dealer import AutomaticDealer, Pace
from puntobanco.house.tables.writer import RunningTable
from puntobanco.protocol import entries as b
from puntobanco.protocol.administrative_commands import (
    AddGame,
    AddTable,
    Credit,
    GiveRole,
    RestartTable,
    RetireTable,
    SetDealing,
)
from puntobanco.protocol.answers import Answer
from puntobanco.protocol.posts import Post
from puntobanco.rules import library
from puntobanco.rules.cards import Card, read_card, read_cards
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import commands as c
from puntobanco.table.commands import Choice
from puntobanco.table.events import AnyEvent, RoundSettled
from puntobanco.table.setup import Source, Timing
from puntobanco.table.state import Phase
from tests.house.staffed import (
    QUICK,
    Floor,
    add,
    bet,
    deal,
    entries,
    fill,
    fund,
    in_play,
    in_wallet,
    refused,
    restart,
    settle,
    setup_of,
    until,
    well,
)  # fmt: skip
from tests.marks import rulings
from tests.table.pit import AT_ONCE

GAMES_FOLDER = Path(library.__file__).parent / "games"


def damage(path: Path, stream: str) -> None:
    """Somebody wrote into the file: the first event of the stream is no longer one."""
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER events_stay")
        db.execute("UPDATE events SET body = x'00' WHERE stream = ? AND version = 1", (stream,))
    db.close()


def test_a_damaged_table_does_not_start_and_the_others_do(tmp_path: Path) -> None:
    floor = Floor(tmp_path)

    async def before(house: House) -> None:
        for name, game in zip(("one", "two", "three"), library.GAMES[2:], strict=True):
            await add(house, name, game)

    floor.run(before)
    with sqlite3.connect(floor.path) as db:
        (body,) = db.execute("SELECT body FROM events WHERE stream = 'two' AND version = 1").fetchone()
        db.execute("DELETE FROM snapshots")
    db.close()
    damage(floor.path, "two")

    async def after(house: House) -> None:
        assert set(house.failed) == {"two"}
        assert set(house.tables) == {"one", "three"}
        assert refused_table(house, "two") is Reason.TABLE_STOPPED
        assert refused_table(house, "four") is Reason.UNKNOWN_TABLE
        await fund(house, "ann", 100_00, "one")
        await until(lambda: not house._later)
        (told,) = await entries(house, b.TableFailed)
        assert told.table == "two"
        again = RestartTable(table="two")
        for _ in range(2):
            assert refused(await house.manage("ada", again, "r1")) is Reason.TABLE_STOPPED, "it is as damaged as it was"
        assert set(house.failed) == {"two"}
        await until(lambda: not house._later)
        assert [one.table for one in await entries(house, b.TableFailed)] == ["two", "two"]
        with sqlite3.connect(floor.path) as db:
            db.execute("UPDATE events SET body = ? WHERE stream = 'two' AND version = 1", (body,))
        db.close()
        well(await house.manage("max", again, "r2"))
        assert house.failed == {}
        asked = [(one.by.person, one.by.post, one.table) for one in await entries(house, b.TableRestarted)]
        assert asked == [("ada", Post.ADMINISTRATOR, "two"), ("max", Post.PIT_MANAGER, "two")]
        assert house.tables["two"].state.phase is Phase.IDLE

    floor.run(after)
    assert ("two", "Damaged") in floor.faults.told


def refused_table(house: House, name: str) -> Reason:
    with pytest.raises(Refused) as caught:
        house.table(name)
    return caught.value.reason


def test_a_table_that_fails_stops_alone_and_it_is_written_once(tmp_path: Path) -> None:
    floor = Floor(tmp_path)

    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await add(house, "two", "commission")
        await house.store.claim("one")
        load = c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD)
        for _ in range(3):
            assert refused(await house.do("dora", "one", load)) is Reason.TABLE_STOPPED
        assert set(house.failed) == {"one"}
        well(await house.do("dora", "two", load))
        await until(lambda: not house._later)
        assert [one.table for one in await entries(house, b.TableFailed)] == ["one"]
        await restart(house, "one")
        assert house.failed == {}
        well(await house.do("dora", "one", load))

    floor.run(work)
    assert {where for where, _ in floor.faults.told} == {"one"}


async def fail(house: House, table: str) -> None:
    """Somebody else owns it: the next thing that is written fails."""
    await house.store.claim(table)
    load = c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD)
    assert refused(await house.do("dora", table, load)) is Reason.TABLE_STOPPED


def test_two_who_restart_a_table_leave_one(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await fail(house, "one")
        again = [house.manage(name, RestartTable(table="one")) for name in ("max", "tom", "tim", "ada")]
        reasons = [done.refusal and done.refusal.reason for done in await asyncio.gather(*again)]
        assert sorted(reasons, key=str) == [None] + 3 * [Reason.TABLE_RUNS]
        await fund(house, "ann", 100_00, "one")
        assert house.failed == {}
        assert len(await entries(house, b.TableRestarted)) == 1

    Floor(tmp_path).run(work)


def test_only_a_table_that_has_failed_is_started_again_and_by_those_who_run_it(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        await add(house, "two", "commission")
        await fund(house, "ann", 100_00, "one")
        again = RestartTable(table="one")
        assert refused(await house.manage("max", again)) is Reason.TABLE_RUNS
        assert house.tables["one"] is table, "it went on as it was"
        for nowhere in ("three", "*", "house"):
            assert refused(await house.manage("ada", RestartTable(table=nowhere))) is Reason.UNKNOWN_TABLE
        well(await house.manage("ada", GiveRole(person="sue", post=Post.PIT_MANAGER, scope="two")))
        await fail(house, "one")
        for name in ("sue", "dora", "cal", "eve", "ann"):
            assert refused(await house.manage(name, again)) is Reason.ACCESS_DENIED
        await fail(house, "two")
        well(await house.manage("sue", RestartTable(table="two")))
        assert set(house.failed) == {"one"}
        assert [one.by.person for one in await entries(house, b.TableRestarted)] == ["sue"]
        well(await house.manage("tom", again, "r1"))
        back = house.tables["one"]
        assert back.state.purses == {"ann": 100_00}
        well(await house.manage("tom", again, "r1"))
        assert house.tables["one"] is back, "asked twice it happens once"

    Floor(tmp_path).run(work)


def test_a_watcher_with_a_fault_of_its_own_harms_nobody(tmp_path: Path) -> None:
    class Broken(Watcher):
        def at_table(self, table: RunningTable, events: tuple[AnyEvent, ...]) -> None:
            raise ValueError(table, events)

        def in_journal(self, entry: b.AnyEntry) -> None:
            raise ValueError(entry)

        def fault(self, where: str, error: BaseException) -> None:
            raise ValueError(where, error)

    floor = Floor(tmp_path)

    async def work(house: House) -> None:
        house.watchers.append(Broken())
        await in_play(house, "9S 8D")
        assert house.failed == {}
        assert ("one", "ValueError") in floor.faults.told
        assert ("house", "ValueError") in floor.faults.told

    floor.run(work)


# ---- retiring ----------------------------------------------------------------------------------------------------


def test_a_table_is_retired_when_it_is_closed_and_everybody_has_cashed_out(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    retire = RetireTable(table="one")

    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await fund(house, "ann", 100_00, "one")
        assert refused(await house.manage("ada", retire)) is Reason.TABLE_IN_USE
        well(await house.do("max", "one", AT_ONCE))
        assert refused(await house.manage("ada", retire)) is Reason.PURSES_NOT_EMPTY
        well(await house.do("cal", "one", c.CashOut(person="ann", amount=100_00)))
        assert await in_wallet(house, "ann") == 100_00
        well(await house.manage("ada", retire, "r1"))
        assert refused_table(house, "one") is Reason.UNKNOWN_TABLE
        well(await house.manage("ada", retire, "r1"))
        assert refused(await house.manage("ada", retire)) is Reason.UNKNOWN_TABLE
        again = AddTable(table="one", game="commission")
        assert refused(await house.manage("ada", again)) is Reason.NAME_TAKEN
        deal_it = SetDealing(table="one", automatic=True)
        assert refused(await house.manage("max", deal_it)) is Reason.UNKNOWN_TABLE
        await fill(house, "one", 1_00)
        credit = well(await house.manage("cal", Credit(table="one", amount=1_00)))
        well(await house.confirm("sue", credit.waits))

    async def after(house: House) -> None:
        assert house.tables == {}
        assert house.failed == {}

    floor.run(work)
    floor.run(after)


@rulings("FIN-14")
def test_retiring_a_table_makes_its_last_round_final_on_record(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await in_play(house, "9S 7S KS TS")
        await settle(house)
        well(await house.do("max", "one", AT_ONCE))
        well(await house.do("cal", "one", c.CashOut(person="ann", amount=1_100_00)))
        well(await house.do("dora", "one", c.Report(round=1, fault=c.Fault.MISPAYMENT)))
        assert refused(await house.manage("ada", RetireTable(table="one"))) is Reason.TABLE_IN_USE, "it is judged"
        question = house.tables["one"].state.questions
        stands = c.Rule(question=question, choice=c.Choice.STANDS, reason="as paid")
        well(await house.do("sue", "one", stands))
        well(await house.manage("ada", RetireTable(table="one")))
        rows = [row async for row in house.store.read(b.STREAM) if row.kind.startswith("TableRetired")]
        assert [msgspec.json.decode(row.body)["last_round"] for row in rows] == [1]

    Floor(tmp_path).run(work)


def test_a_table_that_cannot_start_is_not_retired_with_money_at_it(tmp_path: Path) -> None:
    floor = Floor(tmp_path)

    async def before(house: House) -> None:
        await in_play(house, "9S", game="super-six")

    floor.run(before)
    with sqlite3.connect(floor.path) as db:
        (body,) = db.execute("SELECT body FROM events WHERE stream = 'one' AND version = 1").fetchone()
        db.execute("DELETE FROM snapshots")
    db.close()
    damage(floor.path, "one")

    async def after(house: House) -> None:
        assert refused(await house.manage("ada", RetireTable(table="one"))) is Reason.TABLE_IN_USE
        assert set(house.failed) == {"one"}
        assert refused(await house.manage("max", SetDealing(table="nowhere", automatic=True))) is Reason.UNKNOWN_TABLE
        well(await house.manage("max", SetDealing(table="one", automatic=True)))
        with sqlite3.connect(floor.path) as db:
            db.execute("UPDATE events SET body = ? WHERE stream = 'one' AND version = 1", (body,))
        db.close()

    floor.run(after)


def test_a_retried_errand_does_not_undo_what_was_done_since(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        add_it = AddTable(table="one", game="commission")
        well(await house.manage("ada", add_it, "r1"))
        well(await house.manage("ada", RetireTable(table="one"), "r2"))
        well(await house.manage("ada", add_it, "r1"))
        assert house.tables == {}
        await add(house, "two", "commission")
        well(await house.manage("max", SetDealing(table="two", automatic=False), "r1"))
        well(await house.manage("max", SetDealing(table="two", automatic=True), "r2"))
        well(await house.manage("max", SetDealing(table="two", automatic=False), "r1"))
        assert set(house.runners) == {"two"}

    Floor(tmp_path).run(work)


# ---- closing -----------------------------------------------------------------------------------------------------


def test_draining_finishes_rounds_and_opens_none_and_nothing_is_interrupted_afterwards(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    floor.clock.goes = True
    games = (*library.GAMES, "non-commission-etg")

    async def before(house: House) -> None:
        timing = Timing(betting=30, drain=1, insurance=1, squeeze=1)
        for number, game in enumerate(games):
            await add(house, f"t{number}", game, automatic=True, timing=timing)
        await in_play(house, "9S 8D", name="hand")
        await until(lambda: all(house.tables[f"t{number}"].state.round > 1 for number in range(len(games))))
        draining = asyncio.create_task(house.drain(20))
        await until(lambda: house.draining)
        await deal(house, "hand", "TC KC")
        await settle(house, "hand")
        assert await draining == ()
        assert refused(await house.do("dora", "hand", c.OpenBetting())) is Reason.HOUSE_DRAINING
        rounds = [table.state.round for table in house.tables.values()]
        await asyncio.sleep(0.1)
        assert [table.state.round for table in house.tables.values()] == rounds

    async def after(house: House) -> None:
        house.draining = True
        opened, closed = await entries(house, b.HouseOpened), await entries(house, b.HouseClosed)
        assert (len(opened), len(closed), closed[0].in_round) == (2, 1, ())
        for table in house.tables.values():
            assert table.state.interrupted is None
            assert table.state.faults == ()

    floor.run(before)
    floor.run(after)


def test_a_round_that_is_being_opened_while_the_house_drains_is_waited_for(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        load = c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD)
        well(await house.do("dora", "one", load))
        opened, left = await asyncio.gather(house.do("dora", "one", c.OpenBetting()), house.drain(0.3))
        assert (opened.refusal is None) == (left == ("one",))
        assert house.in_round == left

    Floor(tmp_path).run(work)


def test_what_was_in_a_round_when_the_house_closed_is_named_and_found_interrupted(tmp_path: Path) -> None:
    floor = Floor(tmp_path)

    async def before(house: House) -> None:
        await in_play(house, "9S 8D")
        assert await house.drain(0.1) == ("one",)

    async def after(house: House) -> None:
        assert (await entries(house, b.HouseClosed))[0].in_round == ("one",)
        assert house.tables["one"].state.phase is Phase.SUSPENDED
        well(await house.do("sue", "one", c.Rule(question=1, choice=Choice.DOES_NOT_AFFECT, reason="back")))
        await deal(house, "one", "TC KC")
        await settle(house)

    floor.run(before)
    floor.run(after)


def test_a_closed_house_hears_nothing(tmp_path: Path) -> None:
    floor = Floor(tmp_path)

    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await house.close()
        assert refused_table(house, "one") is Reason.TABLE_STOPPED

    floor.run(work)


# ---- tables that deal by themselves ------------------------------------------------------------------------------


def stacked(cards: str) -> Any:
    """A shoe that begins with these cards, and goes on with cards of these ranks for as long as there are any."""

    def shoe(decks: int) -> Sealed:
        order, left = list[Card](), cards_of(decks)
        for wanted in itertools.cycle(read_cards(cards)):
            alike = [card for card in left if card.rank == wanted.rank]
            if not alike:
                break
            order.append(wanted if wanted in left else alike[0])
            left.remove(order[-1])
        return Sealed((*order, *left), tuple(bytes(16) for _ in range(52 * decks)))

    return shoe


def test_an_electronic_table_runs_by_itself_while_players_bet(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    floor.clock.goes = True

    async def work(house: House) -> None:
        timing = Timing(betting=200, drain=20)
        table = await add(house, "one", "non-commission-etg", automatic=True, timing=timing)
        await fund(house, "ann", 10_000_00, "one")
        settled: list[int] = []

        class Results(Watcher):
            def at_table(self, table: RunningTable, events: tuple[AnyEvent, ...]) -> None:
                settled.extend(table.state.round for one in events if isinstance(one, RoundSettled))

        house.watchers.append(Results())
        placed = 0
        while len(settled) < 3:
            number = table.state.round
            if table.state.phase is Phase.BETTING and "0/player/ann" not in table.state.stakes:
                slip = c.PlaceBets(round=number, lines=(c.Line(bet="player", amount=100_00),))
                answer = await house.do("ann", "one", slip, f"bet-{number}")
                placed += answer.refusal is None
            await asyncio.sleep(0.01)
        assert placed >= 3
        assert refused(await house.do("dora", "one", c.OpenBetting())) in (
            Reason.NOT_AUTHORISED, Reason.NOT_HEARD_NOW,
        )  # fmt: skip

    floor.run(work)


@pytest.mark.parametrize(
    ("key", "face_down"),
    [*((key, False) for key in library.GAMES), *((key, True) for key in library.GAMES if key != "non-commission-etg")],
)
def test_every_game_is_dealt_by_itself_to_its_settlement(tmp_path: Path, key: str, face_down: bool) -> None:
    floor = Floor(tmp_path)
    floor.clock.goes = True

    async def work(house: House) -> None:
        timing = Timing(betting=50, drain=1, insurance=20, squeeze=20)
        table = await add(house, "one", key, automatic=True, timing=timing, face_down=face_down)
        await fund(house, "ann", 100_000_00, "one")
        box = 0 if table.game.terminal else 1
        settled = 0
        while settled < 4:
            state = table.state
            if state.phase is Phase.BETTING and not state.stakes:
                slip = c.PlaceBets(round=state.round, lines=(c.Line(bet="player", amount=100_00, box=box),))
                answer = await house.do("ann", "one", slip)
                settled += answer.refusal is None
            if state.phase is Phase.DEALING and state.setup is not None and state.setup.face_down:
                index = len(state.drawn) + 1
                await house.do("ann", "one", c.RequestSqueeze(round=state.round, index=index))
                await house.do("sue", "one", c.AnswerSqueeze(round=state.round, index=index, permit=True))
            await asyncio.sleep(0.002)
        await house.drain(20)
        assert not table.state.in_round
        assert house.failed == {}
        assert floor.faults.told == []

    floor.run(work)


def test_a_slip_of_countless_lines_is_refused_as_a_whole(tmp_path: Path) -> None:
    """By whoever it comes: each line has an answer in words of its own, which is made, kept and sent."""

    async def work(house: House) -> None:
        table = await add(house, "one", "commission", automatic=True, timing=Timing(betting=60_000))
        await fund(house, "ann", 1_000_00, "one")
        await until(lambda: table.state.phase is Phase.BETTING)
        unknown = c.Line(bet="none", amount=100_00, box=1)
        good, number = c.Line(bet="player", amount=100_00, box=1), table.state.round

        async def slip(*lines: c.Line) -> Answer:
            return await house.do("ann", "one", c.PlaceBets(round=number, lines=lines), f"slip-{len(lines)}")

        version = table.state.version
        long = (await slip(good, *100 * [unknown])).refusal
        assert long is not None
        assert (long.reason, long.parameters) == (Reason.SLIP_TOO_LONG, {"most": 100})
        assert table.state.version == version
        taken = await slip(good, *99 * [unknown])
        assert taken.refusal is None
        assert len(taken.lines) == 99

    Floor(tmp_path).run(work)


def test_insurance_is_offered_taken_and_closed_by_the_clock(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    floor.clock.goes = True

    async def work(house: House) -> None:
        timing = Timing(betting=100, insurance=200, options=5_000)
        table = await add(house, "one", "insurance", automatic=True, timing=timing)
        await fund(house, "ann", 100_000_00, "one")
        insured: set[int] = set()
        while not insured:
            state = table.state
            if state.phase is Phase.BETTING and not state.stakes:
                slip = c.PlaceBets(round=state.round, lines=(c.Line(bet="player", amount=1_000_00, box=1),))
                await house.do("ann", "one", slip)
            if state.window is not None and state.window.offers:
                insure = c.Insure(round=state.round, window=state.window.window, amount=100_00, box=1)
                if (await house.do("ann", "one", insure)).refusal is None:
                    insured.add(state.round)
            await asyncio.sleep(0.005)
        number = insured.pop()
        await until(lambda: table.state.round > number)
        assert house.failed == {}

    floor.run(work, shoes=stacked("7S 2D TC 4C 3D 2H"))


def test_a_suspended_table_waits_for_the_pit_and_goes_on(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    floor.clock.goes = True

    async def work(house: House) -> None:
        timing = Timing(betting=100)
        table = await add(house, "one", "commission", automatic=True, timing=timing)
        await until(lambda: table.state.in_round)
        number = table.state.round
        well(await house.do("sue", "one", c.Report(round=number, fault=c.Fault.TECHNICAL)))
        version = table.state.version
        await asyncio.sleep(0.3)
        assert (table.state.phase, table.state.version) == (Phase.SUSPENDED, version)
        assert await house.drain(0.1) == ("one",)
        question = table.state.question
        assert question is not None
        well(await house.do("sue", "one", c.Rule(question=question.number, choice=Choice.DOES_NOT_AFFECT, reason="ok")))
        await until(lambda: not table.state.in_round)

    floor.run(work)


@rulings("TEC-9")
def test_nobody_brings_cards_to_a_table_that_deals_by_itself_or_names_its_shoe(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        for load in (
            c.LoadShoe(shoe="one/0123456789abcdef", decks=8, shuffled=True, source=Source.KEYBOARD),
            c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.ELECTRONIC),
            c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD, commitment="00"),
        ):
            assert refused(await house.do("tom", "one", load)) is Reason.DEALS_ITSELF
        load = c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.SCANNER)
        await add(house, "two", "commission", automatic=True, timing=Timing(betting=60_000))
        await until(lambda: house.tables["two"].state.in_round)
        for command in (load, c.DrawCard(round=1, index=1)):
            for name in ("dora", "tom"):
                assert refused(await house.do(name, "two", command)) is Reason.DEALS_ITSELF
        well(await house.manage("tom", SetDealing(table="two", automatic=False)))
        well(await house.do("dora", "two", c.CloseBetting(round=1)))
        for made_up in (
            c.DrawCard(round=1, index=1, card=read_card("9S")),
            c.DrawCard(round=1, index=1),
            c.CorrectCard(round=1, index=1, card=read_card("9S")),
        ):
            assert refused(await house.do("dora", "two", made_up)) is Reason.DEALS_ITSELF, "nobody knows its order"
        seen = c.Report(round=1, fault=c.Fault.EXPOSED, cards=read_cards("9S"))
        for name in ("ann", "dora", "sue"):
            assert refused(await house.do(name, "two", seen)) is Reason.DEALS_ITSELF, "nor has seen a card of it"
        for choice in (Choice.CORRECT, Choice.RESETTLE):
            named = c.Rule(question=1, choice=choice, reason="another card", cards=read_cards("9S 8S 7S 6S"))
            assert refused(await house.do("sue", "two", named)) is Reason.DEALS_ITSELF, "nor knows one better"
        well(await house.manage("tom", SetDealing(table="two", automatic=True)))
        await until(lambda: bool(house.tables["two"].state.drawn) or house.tables["two"].state.round > 1)

    Floor(tmp_path).run(work)


@pytest.mark.parametrize(("fault", "cards"), [(c.Fault.EXCESS, (None,)), (c.Fault.WRONG_NUMBER_OF_CARDS, ())])
def test_a_reconstruction_at_a_sealed_shoe_names_no_card_that_nobody_has_seen(
    tmp_path: Path, fault: c.Fault, cards: tuple[None, ...]
) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        dealer = AutomaticDealer(table, Pace(card=0, result=0, between=0), secret_store=house.secret_store)
        while len(table.state.drawn) < 3:
            await dealer.step()
        well(await house.do("dora", "one", c.Report(round=1, fault=fault, cards=cards)))
        seen, question = tuple(one.card for one in table.state.drawn), table.state.question
        assert question is not None
        made_up, there = (
            c.Rule(question=question.number, choice=Choice.RECONSTRUCT, reason="put in order", cards=named)
            for named in ((*seen, read_card("9S")), (*seen, *cards))
        )
        assert refused(await house.do("sue", "one", made_up)) is Reason.DEALS_ITSELF
        assert tuple(one.card for one in table.state.drawn) == seen
        well(await house.do("sue", "one", there))
        assert table.state.phase is not Phase.DECISION

    Floor(tmp_path).run(work)


@rulings("TEC-9")
@pytest.mark.parametrize("face_down", [False, True])
def test_nobody_puts_the_cards_of_a_sealed_shoe_in_another_order(tmp_path: Path, *, face_down: bool) -> None:
    async def work(house: House) -> None:
        table, cards = await add(house, "one", "commission", face_down=face_down), read_cards("2S 3S 4S 6S 5S 6D")
        dealer = AutomaticDealer(
            table, Pace(card=0, result=0, between=0), stacked("2S 3S 4S 6S 5S 6D"), secret_store=house.secret_store
        )
        while len(table.state.drawn) < 4 or table.state.drawn[1].card is None:
            await dealer.step()
        out = tuple(one.card for one in table.state.drawn)
        for fault, choice in ((c.Fault.SIMULTANEOUS, Choice.ORDER), (c.Fault.OTHER_DEALING_ERROR, Choice.RECONSTRUCT)):
            first = 1 if choice is Choice.ORDER else None
            well(await house.do("dora", "one", c.Report(round=1, fault=fault, index=first)))
            question = table.state.question
            assert question is not None

            def ruling(*places: int, question: int = question.number, choice: Choice = choice) -> c.Rule:
                named = tuple(out[place - 1] for place in places) if choice is Choice.RECONSTRUCT else ()
                order = places if choice is Choice.ORDER else ()
                return c.Rule(question=question, choice=choice, reason="as they came", order=order, cards=named)

            for order in ((3, 2, 1, 4), (1, 4, 3, 2)):
                assert refused(await house.do("sue", "one", ruling(*order))) is Reason.DEALS_ITSELF
            well(await house.do("sue", "one", ruling(1, 2, 3, 4)))
        while table.state.in_round:
            await dealer.step()
        assert tuple(one.card for one in table.state.drawn) == cards[: len(table.state.drawn)]

    Floor(tmp_path).run(work)


@rulings("TEC-9")
@pytest.mark.parametrize("face_down", [False, True])
def test_what_has_left_a_sealed_shoe_is_named_by_nobody_when_the_shoe_is_withdrawn(
    tmp_path: Path, *, face_down: bool
) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission", face_down=face_down)
        dealer = AutomaticDealer(table, Pace(card=0, result=0, between=0), secret_store=house.secret_store)
        while table.state.phase is not Phase.DEALING:
            await dealer.step()
        if face_down:
            await dealer.step()
        else:
            together = c.Report(round=1, fault=c.Fault.SIMULTANEOUS, cards=(None,) * 6, order_known=True)
            well(await house.do("dora", "one", together))
        well(await house.do("tom", "one", c.WithdrawShoe(reason="mine is better")))
        card, load = read_card("9S"), c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.SCANNER)
        made_up = c.ExposeCard(round=1, index=1, card=card) if face_down else c.DrawCard(round=1, index=1, card=card)
        assert refused(await house.do("dora", "one", made_up)) is Reason.DEALS_ITSELF
        assert refused(await house.do("tom", "one", load)) is Reason.DEALS_ITSELF, "then nobody could turn them over"
        assert table.state.shoe is not None
        content = await house.secret_store.sealed(table.state.shoe.name)
        assert content is not None
        while None in (*(one.card for one in table.state.drawn), *table.state.front) and table.state.in_round:
            await dealer.step()
        dealt = tuple(one.card for one in table.state.drawn)
        assert dealt == Sealed.decode(content).cards[: len(dealt)]
        if face_down:
            well(await house.do("tom", "one", load))

    Floor(tmp_path).run(work)


def test_a_table_dealt_by_hand_can_be_left_to_itself_once_its_cards_are_withdrawn(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    floor.clock.goes = True

    async def work(house: House) -> None:
        table = await in_play(house, "9S 8D")
        well(await house.manage("tom", SetDealing(table="one", automatic=True)))
        await asyncio.sleep(0.2)
        assert len(table.state.drawn) == 2
        assert floor.faults.told == []
        well(await house.manage("tom", SetDealing(table="one", automatic=False)))
        await deal(house, "one", "TC KC")
        await settle(house)
        well(await house.manage("tom", SetDealing(table="one", automatic=True)))
        await asyncio.sleep(0.1)
        assert table.state.round == 1
        well(await house.do("tom", "one", c.WithdrawShoe(reason="from now on by itself")))
        await until(lambda: table.state.round > 3)
        assert house.failed == {}

    floor.run(work)


def test_a_shoe_without_a_cut_card_is_dealt_to_its_end_and_the_next_one_follows(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    floor.clock.goes = True

    async def work(house: House) -> None:
        table = await add(house, "one", "super-six", automatic=True, decks=4, burn=50, cut_card=0)
        first = None
        while first is None or (table.state.shoe is not None and table.state.shoe.name == first):
            first = first or (table.state.shoe.name if table.state.shoe else None)
            await asyncio.sleep(0.01)
        assert floor.faults.told == []
        assert house.failed == {}

    floor.run(work, shoes=_naturals(), pace=Pace(card=0, result=0, between=0))


def _naturals() -> Any:
    shoes = iter(range(1, 100))

    def shoe(decks: int) -> Sealed:
        sealed = stacked("9 8 K K")(decks)
        number = next(shoes)
        return Sealed((*sealed.cards[2:], *sealed.cards[:2]), tuple(number.to_bytes(16, "big") for _ in sealed.cards))

    return shoe


# ---- games of the operator's own ---------------------------------------------------------------------------------


def own_game(key: str = "super-nine") -> str:
    """Super Six, with a table of pays of its own, by the paragraphs of the document it comes from."""
    text = (GAMES_FOLDER / "super-six.toml").read_text()
    assert 'pays = "8:1"' in text
    return text.replace('key = "super-six"', f'key = "{key}"\nrulebook = "super-six"', 1).replace('"8:1"', '"9:1"')


def test_a_game_of_ones_own_is_added_played_and_kept(tmp_path: Path) -> None:
    floor = Floor(tmp_path)

    async def before(house: House) -> None:
        well(await house.manage("ada", AddGame(content=own_game()), "r1"))
        well(await house.manage("ada", AddGame(content=own_game()), "r1"))
        table = await add(house, "one", "super-nine")
        assert table.game.key == "super-nine"
        assert house.journal.tables["one"].fingerprint == table.game.fingerprint
        await fund(house, "ann", 1_000_00, "one")
        await bet(house)
        await deal(house, "one", "9S 8D TC KC")
        await settle(house)
        assert table.state.purses["ann"] == 1_100_00

    async def after(house: House) -> None:
        table = house.tables["one"]
        assert table.game.fingerprint == house.journal.games["super-nine"]
        assert table.state.setup is not None
        assert any(line.pays is not None and str(line.pays) == "9:1" for one in table.game.bets for line in one.lines)
        await bet(house)
        source = await house.store.game(f"source:{table.game.fingerprint}")
        assert source == own_game().encode()

    floor.run(before)
    floor.run(after)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (own_game("commission"), Reason.NAME_TAKEN),
        ("not a game", Reason.FILE_MALFORMED),
        ("", Reason.FIELD_MISSING),
        ("\ud800", Reason.FILE_MALFORMED),
        ("x = " + "[" * 100_000, Reason.FILE_MALFORMED),
        ("#" * 1_000_001, Reason.FILE_MALFORMED),
        (own_game("x:y"), Reason.KEY_MALFORMED),
    ],
    ids=["a key of ours", "no game", "empty", "no text", "deep", "large", "a key that is none"],
)
def test_a_bad_game_is_refused_and_nothing_of_it_is_kept(tmp_path: Path, content: str, reason: Reason) -> None:
    floor = Floor(tmp_path)

    async def work(house: House) -> None:
        version = house.journal.version
        assert refused(await house.manage("ada", AddGame(content=content))) is reason
        assert house.journal.version == version
        assert refused(await house.manage("ada", AddTable(table="one", game="own"))) is Reason.UNKNOWN_GAME

    floor.run(work)
    with sqlite3.connect(floor.path) as db:
        assert db.execute("SELECT count(*) FROM games").fetchone() == (0,)
    db.close()


def test_a_game_whose_content_is_lost_stops_its_table_alone(tmp_path: Path) -> None:
    floor = Floor(tmp_path)

    async def before(house: House) -> None:
        well(await house.manage("ada", AddGame(content="\ufeff" + own_game())))
        well(await house.manage("ada", AddTable(table="one", game="super-nine")))
        well(await house.manage("ada", AddTable(table="two", game="super-six")))
        assert refused(await house.manage("ada", AddGame(content=own_game()))) is Reason.NAME_TAKEN

    floor.run(before)
    with sqlite3.connect(floor.path) as db:
        db.execute("DELETE FROM games")
    db.close()

    async def after(house: House) -> None:
        assert set(house.failed) == {"one"}
        well(await house.do("max", "two", c.OpenTable(setup=setup_of(house.tables["two"], timing=QUICK))))

    floor.run(after)
