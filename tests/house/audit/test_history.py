"""What has been played at a table, as a projection of its stream: loaded late, followed, or both, it is the same."""

from pathlib import Path

import pytest

from puntobanco.house.audit.history import HOUR, History
from puntobanco.house.house import House, Watcher
from puntobanco.house.tables.writer import RunningTable
from puntobanco.protocol.administrative_commands import Acknowledge
from puntobanco.rules.cards import read_cards
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import Fault
from puntobanco.table.events import AnyEvent
from tests.house.staffed import Floor, bet, deal, in_play, refused, settle, well

NATURAL = "9S KH KD 7C"


async def _rounds(house: House, many: int, *, settled: bool = True) -> None:
    for number in range(many):
        await (in_play(house, NATURAL) if number == 0 else _again(house))
        if settled or number < many - 1:
            await settle(house)


async def _again(house: House) -> None:
    await bet(house)
    await deal(house, "one", NATURAL)


class _Following(Watcher):
    def __init__(self, history: History) -> None:
        self.history = history

    def at_table(self, table: RunningTable, events: tuple[AnyEvent, ...]) -> None:
        self.history.follow(events, table.state.version)


def _told(history: History) -> object:
    return (
        history.rounds, history.shoe, history.version, history.changed_at, list(history.alerts), history.shoes.shown,
        {bet: (one.bets, one.turnover, one.won) for bet, one in history.takings.by_bet.items()},
    )  # fmt: skip


def test_followed_from_the_start_or_loaded_at_the_end_it_is_the_same(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await _rounds(house, 1)
        followed = await History("one", house.store, house.tables["one"].game).load()
        house.watchers.append(_Following(followed))
        await _again(house)
        await settle(house)
        loaded = await History("one", house.store, house.tables["one"].game).load()
        assert _told(followed) == _told(loaded)
        assert [(line.round, line.ended) for line in loaded.rounds] == [(1, "settled"), (2, "settled")]

    Floor(tmp_path).run(work)


def test_what_happens_while_it_loads_is_neither_lost_nor_counted_twice(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await _rounds(house, 2, settled=False)
        history = History("one", house.store, house.tables["one"].game)
        house.watchers.append(_Following(history))
        read = history._store.read
        done = False

        async def reading(*args: object, **kwargs: object) -> object:
            nonlocal done
            async for row in read(*args, **kwargs):  # type: ignore[arg-type]
                yield row
                if not done:
                    done = True
                    await settle(house)

        class Slow:
            read = staticmethod(reading)

        history._store = Slow()  # type: ignore[assignment]
        await history.load()
        assert _told(history) == _told(await History("one", house.store, house.tables["one"].game).load())
        assert history.takings.by_bet["player"].bets == 2

    Floor(tmp_path).run(work)


def test_a_load_that_broke_off_goes_on_where_it_was(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await _rounds(house, 1)
        history = History("one", house.store, house.tables["one"].game)
        store = history._store

        async def breaking(*args: object, **kwargs: object) -> object:
            async for row in store.read(*args, **kwargs):  # type: ignore[arg-type]
                if row.version == 9:
                    raise OSError("gone")
                yield row

        class Broken:
            read = staticmethod(breaking)

        history._store = Broken()  # type: ignore[assignment]
        with pytest.raises(OSError, match="gone"):
            await history.load()
        history._store = store
        assert _told(await history.load()) == _told(await History("one", house.store, house.tables["one"].game).load())

    Floor(tmp_path).run(work)


def test_a_round_is_everything_from_its_opening_to_the_next(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await _rounds(house, 3)
        history = await History("one", house.store, house.tables["one"].game).load()
        first, second = await history.events_of(1), await history.events_of(2)
        assert isinstance(first[0][1], e.BettingOpened)
        assert first[-1][0] + 1 == second[0][0]
        assert (await history.events_of(3))[-1][0] == house.tables["one"].state.version
        assert await history.events_of(4) == await history.events_of(0) == ()
        assert history.round(4) is None

    Floor(tmp_path).run(work)


def test_rounds_per_hour_counts_the_last_hour(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await _rounds(house, 3)
        history, now = await History("one", house.store, house.tables["one"].game).load(), house.clock()
        assert history.rounds_per_hour(now + HOUR // 2) == pytest.approx(6)
        assert history.rounds_per_hour(now + 2 * HOUR) == 0.0
        assert (await History("two", house.store, house.tables["one"].game).load()).rounds_per_hour(now) == 0.0

    Floor(tmp_path).run(work)


def test_only_an_alert_can_be_seen_to_and_only_once(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await _rounds(house, 2)
        late = c.Report(round=1, fault=Fault.EXPOSED, cards=read_cards("9S"))
        well(await house.do("sue", "one", late))
        history = await History("one", house.store, house.tables["one"].game).load()
        version = history.alerts[-1].version
        for wrong in (0, -1, 1, version - 1, 10**6):
            done = await house.manage("sue", Acknowledge(table="one", version=wrong))
            assert refused(done) is Reason.NOT_FOUND, wrong
        assert refused(await house.manage("sue", Acknowledge(table="two", version=1))) is Reason.UNKNOWN_TABLE
        assert refused(await house.manage("ann", Acknowledge(table="one", version=version))) is Reason.ACCESS_DENIED
        assert refused(await house.manage("sue", Acknowledge(table="one", version=version))) is Reason.ACCESS_DENIED
        well(await house.manage("tom", Acknowledge(table="one", version=version)))
        again = await house.manage("tom", Acknowledge(table="one", version=version))
        assert refused(again) is Reason.ALREADY_ACKNOWLEDGED
        assert house.journal.acknowledged["one"][version].person == "tom"

    Floor(tmp_path).run(work)


def test_a_result_names_the_side_bets_that_win_whoever_bet_on_them(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await in_play(house, "KS 2H KD 4C 5S", game="wu-song")
        await settle(house)
        history = await History("one", house.store, house.tables["one"].game).load()
        assert history.marks == ("Bp+small_tiger",)

    Floor(tmp_path).run(work)
