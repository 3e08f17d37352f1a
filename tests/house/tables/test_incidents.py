"""A fault in handling one command is that command's: refused with a number, or it has happened; the table goes on."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.house.audit.reenact import Reenacted, reenact, reenacted_at
from puntobanco.house.house import House, Watcher
from puntobanco.house.journal.administration import decide
from puntobanco.house.journal.journal import entered
from puntobanco.house.tables import incidents
from puntobanco.house.tables import runner as running
from puntobanco.house.tables.writer import RunningTable
from puntobanco.protocol import entries as b
from puntobanco.protocol.administrative_commands import Acknowledge, AddTable, Deposit, SetDealing
from puntobanco.protocol.answers import Answer
from puntobanco.protocol.entries import IncidentRaised
from puntobanco.protocol.incidents import Incident, Stage
from puntobanco.rules.cards import Card
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store import codec
from puntobanco.store.records import Failed, StoreFailed
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.betting import place_bets
from puntobanco.table.command_table import TABLE
from puntobanco.table.events import AnyEvent
from puntobanco.table.evolve import replay
from puntobanco.table.pending import PendingEvents
from puntobanco.table.setup import Source
from tests.house.staffed import Floor, add, entries, fund, refused, restart, setup_of, until, well
from tests.table.pit import AT_ONCE

Handler = Callable[[PendingEvents, Any], None]


class Broken(Exception):
    pass


def broken(pending: PendingEvents, command: Any) -> None:
    raise Broken(f"cannot take {command} at {pending.state.version}")


def unwritable(pending: PendingEvents, command: Any) -> None:  # noqa: ARG001
    box: Any = object()
    pending.add(e.ObjectionRefused(by=pending.by, round=1, box=box, against="ann"))


def handle(monkeypatch: pytest.MonkeyPatch, kind: type[c.Command], handler: Handler) -> None:
    """From now on that is what such a command leads to."""
    monkeypatch.setitem(TABLE, kind, replace(TABLE[kind], handler=handler))


async def betting(house: House, game: str = "commission") -> RunningTable:
    """A table with betting open, and Ann with money at it."""
    table = await add(house, "one", game)
    await fund(house, "ann", 1_000_00, "one")
    well(await house.do("dora", "one", c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD)))
    well(await house.do("dora", "one", c.OpenBetting()))
    return table


def slip(amount: int = 100_00, on: str = "player") -> c.PlaceBets:
    return c.PlaceBets(round=1, lines=(c.Line(bet=on, amount=amount, box=1),))


def then(error: Exception) -> Handler:
    """Place the bet, and raise the error if it is on the Banker."""

    def placed(pending: PendingEvents, command: Any) -> None:
        place_bets(pending, command)
        if command.lines[0].bet == "banker":
            raise error

    return placed


OBJECTION = c.Object(round=1, box=3, against="ann")


async def raised(house: House) -> list[IncidentRaised]:
    await until(lambda: not house._later)
    return await entries(house, IncidentRaised)


# ---- before it is durable ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [Broken(), Refused(Reason.SLIP_EMPTY)])
def test_a_bet_that_comes_to_nothing_changes_nothing_for_those_decided_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    floor = Floor(tmp_path)
    floor.unsound = True
    handle(monkeypatch, c.PlaceBets, then(error))

    async def work(house: House) -> None:
        table = await betting(house)
        slips = [slip(on=on) for on in ("player", "banker", "tie")]
        given = await asyncio.gather(*(house.do("ann", "one", one, f"r{nth}") for nth, one in enumerate(slips)))
        assert [one.refusal is not None for one in given] == [False, True, False]
        assert [stake.bet for stake in table.state.stakes.values()] == ["player", "tie"]
        assert table.state == replay([codec.decode(row.kind, row.body) async for row in house.store.read("one")])

    floor.run(work)


@pytest.mark.parametrize(("handler", "error"), [(broken, "Broken"), (unwritable, "TypeError")])
def test_a_command_that_cannot_be_decided_or_encoded_is_refused_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, handler: Handler, error: str
) -> None:
    floor = Floor(tmp_path)
    floor.unsound = True
    handle(monkeypatch, c.Object, handler)

    async def work(house: House) -> None:
        table = await betting(house)
        version = table.state.version
        commands: list[c.Command] = [slip(), OBJECTION, slip(on="banker"), slip(on="tie")]
        given = await asyncio.gather(
            *(house.do("ann", "one", command, f"r{nth}") for nth, command in enumerate(commands))
        )
        assert [refused(one) for one in given if one.refusal] == [Reason.INCIDENT]
        assert given[1].refusal is not None
        assert given[1].refusal.parameters == {"incident": 1}
        assert (house.failed, table.state.version) == ({}, version + 3)
        assert len(table.state.stakes) == 3
        (entry,) = await raised(house)
        assert (entry.number, entry.incident.table, entry.incident.version) == (1, "one", version + 1)
        assert entry.incident.stage is Stage.DECIDING
        assert entry.incident.error.startswith(error)
        (sent,) = entry.incident.sent
        assert sent.command == {"type": "Object", "round": 1, "box": 3, "against": "ann"}
        assert (sent.by.person, sent.by.request) == ("ann", "r1")
        assert any(" _decide:" in line for line in entry.incident.trace)
        assert await house.do("ann", "one", OBJECTION, "r1") == given[1], "asked again it has the same answer"
        assert refused(await house.do("bob", "one", OBJECTION)) is Reason.INCIDENT
        assert len(await raised(house)) == 1, "the same fault within a minute is the same incident"
        floor.clock.now += incidents.AGAIN
        again = await house.do("ann", "one", OBJECTION, "r9")
        assert again.refusal is not None
        assert again.refusal.parameters == {"incident": 2}

    floor.run(work)

    async def later(house: House) -> None:
        well(await house.manage("ada", AddTable(table="two", game="commission")))
        again = await house.do("max", "two", c.OpenTable(setup=setup_of(house.tables["two"])))
        assert again.refusal is not None
        assert again.refusal.parameters == {"incident": 3}, "numbers go on after a restart"
        assert house.journal.incidents.keys() == {1, 2}

    handle(monkeypatch, c.OpenTable, handler)
    floor.run(later)


def test_a_command_that_cannot_be_written_down_is_refused_by_itself(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await betting(house)
        strange = c.PlaceBets(round=1, lines=(c.Line(bet="\ud800", amount=100_00, box=1),))
        assert refused(await house.do("ann", "one", strange, "r1")) is Reason.INCIDENT
        (entry,) = await raised(house)
        assert entry.incident.sent[0].command["type"] == "PlaceBets"
        well(await house.do("ann", "one", slip(), "r2"))

    Floor(tmp_path).run(work)


def test_a_fault_before_the_queue_is_an_incident_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(house: House) -> None:
        await betting(house)
        monkeypatch.setattr("puntobanco.house.house.table_command_needs_second", lambda *_: 1 / 0)
        assert refused(await house.do("ann", "one", slip(), "r1")) is Reason.INCIDENT
        monkeypatch.undo()
        well(await house.do("ann", "one", slip(), "r2"))

    Floor(tmp_path).run(work)


# ---- afterwards --------------------------------------------------------------------------------------------------


class Clumsy(Watcher):
    def __init__(self) -> None:
        self.breaks, self.reloaded, self.told = False, 0, list[tuple[int, bool]]()

    def at_table(self, table: RunningTable, events: tuple[AnyEvent, ...]) -> None:  # noqa: ARG002
        if self.breaks:
            raise Broken("nothing can be shown")

    def written(self, commands: int, seconds: float) -> None:  # noqa: ARG002
        if self.breaks:
            raise Broken("nothing can be counted")

    def reload(self, table: RunningTable) -> None:
        assert table.name == "one"
        self.reloaded += 1

    def incident(self, number: int, incident: Incident, *, new: bool) -> None:
        assert incident.stage is Stage.PUBLISHING
        self.told.append((number, new))


def test_a_fault_after_the_append_leaves_the_command_accepted_and_screens_reload(tmp_path: Path) -> None:
    watcher = Clumsy()

    async def work(house: House) -> None:
        house.watchers.append(watcher)
        table = await betting(house)
        version = table.state.version
        watcher.breaks = True
        first = well(await house.do("ann", "one", slip(), "r1"))
        assert first.version == version + 1
        well(await house.do("ann", "one", slip(on="tie"), "r2"))
        watcher.breaks = False
        (entry,) = await raised(house)
        assert (entry.incident.version, entry.incident.stage) == (version, Stage.PUBLISHING)
        assert entry.incident.sent[0].command["type"] == "PlaceBets"
        assert (house.failed, watcher.reloaded, watcher.told) == ({}, 2, [(1, True), (1, False)])
        assert await house.do("ann", "one", slip(), "r1") == first

    Floor(tmp_path).run(work)


@pytest.mark.parametrize("late", [False, True])
def test_a_kept_answer_that_cannot_be_read_harms_one_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, late: bool
) -> None:
    """Whether the command would be refused by now, or accepted once more and only the store knows that it was."""

    async def work(house: House) -> None:
        table = await betting(house)
        again = slip() if late else c.TakeSeat(box=2)
        well(await house.do("ann", "one", again, "r1"))
        after = c.CloseBetting(round=1) if late else c.LeaveSeat(box=2)
        well(await house.do("dora" if late else "ann", "one", after, "r2"))
        table._answers._given.clear()

        def unreadable(_: object) -> Answer:
            raise Broken

        with monkeypatch.context() as patched:
            patched.setattr("puntobanco.house.stream.read_answer", unreadable)
            both = await asyncio.gather(
                table.send(again, "ann", Role.PLAYER, "r1"), table.send(c.TakeSeat(box=3), "bob", Role.PLAYER, "r3")
            )
        assert refused(both[0]) is Reason.INCIDENT
        assert house.failed == {}
        assert [entry.incident.sent[0].by.request for entry in await raised(house)] == ["r1"]
        assert well(await table.send(again, "ann", Role.PLAYER, "r1")).version < table.state.version

    Floor(tmp_path).run(work)


@pytest.mark.parametrize("where", ["puntobanco.house.journal.writer.decide", "puntobanco.house.journal.writer.entered"])
def test_an_errand_that_cannot_be_decided_or_entered_is_refused_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    async def work(house: House) -> None:
        version, errand = house.journal.version, Deposit(person="ann", amount=100_00)

        def fails(journal: Any, asked: Any, *_: Any) -> Any:
            if isinstance(asked, Deposit | b.Deposited):
                raise Broken("100 at hand")
            return real(journal, asked, *_)

        real = decide if where.endswith("decide") else entered
        with monkeypatch.context() as patched:
            patched.setattr(where, fails)
            given = await house.manage("cal", errand, "r1")
            assert given.refusal == incidents.refusal(1)
            (entry,) = await raised(house)
            assert await house.manage("cal", errand, "r1") == replace(given, version=version + 1)
            assert len(await raised(house)) == 1, "the same fault is the same incident"
            again = await reenact(house.store, 1, house.secret_store)
            assert again.fault is not None
            assert any(" fails:" in line for line in again.fault.trace)
        told, (sent,) = entry.incident, entry.incident.sent
        assert (told.table, told.version, told.stage, told.error) == (b.STREAM, version, Stage.DECIDING, "Broken")
        assert sent.command == {"type": "Deposit", "person": "ann", "amount": 100_00}
        assert (sent.by.person, sent.post, sent.by.request) == ("cal", "cashier", "r1")
        assert any(" fails:" in line for line in told.trace)
        assert (await reenact(house.store, 1, house.secret_store)).became == ("Deposited",)
        well(await house.manage("cal", errand, "r1"))
        assert house.failed == {}
        assert refused(await house.manage("sue", Acknowledge(table="one", incident=1))) is Reason.NOT_FOUND
        well(await house.manage("sue", Acknowledge(table=b.STREAM, incident=1)))
        assert refused(await house.manage("cal", Acknowledge(table=b.STREAM, incident=1))) is Reason.ACCESS_DENIED

    Floor(tmp_path).run(work)


def test_an_errand_that_is_entered_stands_whatever_fails_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        raise Broken

    async def work(house: House) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(House, "_as_booked", fails)
            well(await house.manage("ada", AddTable(table="one", game="commission"), "r1"))
        assert "one" in house.journal.tables
        (entry,) = await raised(house)
        assert (entry.incident.stage, entry.incident.sent[0].command["type"]) == (Stage.PUBLISHING, "AddTable")
        well(await house.manage("ada", AddTable(table="one", game="commission"), "r1"))
        assert "one" in house.tables, "asked again it is brought in line"

    Floor(tmp_path).run(work)


def test_a_store_that_cannot_write_still_stops_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(house: House) -> None:
        await betting(house)

        async def full(_: object) -> None:
            raise StoreFailed(Failed.STORAGE, "the disk is full")

        monkeypatch.setattr(house.store, "append", full)
        assert refused(await house.do("ann", "one", slip())) is Reason.TABLE_STOPPED
        monkeypatch.undo()
        assert "the disk is full" in house.failed["one"]

    Floor(tmp_path).run(work)


# ---- the house's own ---------------------------------------------------------------------------------------------


@pytest.fixture
def quick_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "AFTER_A_FAULT", (0.01,))


@pytest.mark.usefixtures("quick_again")
@pytest.mark.parametrize("face_down", [False, True])
def test_a_dealer_that_cannot_deal_leaves_the_round_to_the_pit_and_no_card_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, face_down: bool
) -> None:
    floor = Floor(tmp_path)
    floor.clock.goes = True
    kind = c.ExposeCard if face_down else c.DrawCard
    tried: list[Card] = []

    def fails(_: PendingEvents, command: Any) -> None:
        tried.append(command.card)
        raise Broken(f"cannot deal {command.card}")

    async def work(house: House) -> None:
        table = await add(house, "one", "commission", face_down=face_down)
        handler = TABLE[kind].handler
        handle(monkeypatch, kind, fails)
        well(await house.manage("tom", SetDealing(table="one", automatic=True)))
        await until(lambda: table.state.interrupted is not None)
        assert (len(tried), house.failed, house.dead) == (running.TRIES, {}, ())
        assert table.state.question is not None
        assert [one.note for one in table.state.faults] == [running.UNABLE]
        deciding, dealing = [one.incident for one in await raised(house)]
        assert (deciding.stage, dealing.stage) == (Stage.DECIDING, Stage.DEALING)
        assert deciding.sent[0].sealed
        written = b"".join([row.body async for row in house.store.read(b.STREAM) if b"Incident" in row.body])
        for form in (str(tried[0]).encode(), msgspec.json.encode(tried[0]), b'"card"'):
            assert form not in written
        again = await reenact(house.store, 1, house.secret_store)
        assert again.fault is not None
        assert tried[-1] == tried[0], "the card comes from its sealed shoe"
        assert str(tried[0]) not in again.fault.error
        handle(monkeypatch, kind, handler)
        assert (await reenact(house.store, 1, house.secret_store)).fault is None
        rule = c.Rule(question=table.state.question.number, choice=c.Choice.CONTINUE, reason="mended")
        given = await house.do("sue", "one", rule)
        if given.refusal is not None:  # where only whether it affects the round is asked
            rule = c.Rule(question=table.state.question.number, choice=c.Choice.DOES_NOT_AFFECT, reason="mended")
            well(await house.do("sue", "one", rule))
        await until(lambda: table.state.round > 1, "the dealer goes on by itself")

    floor.run(work)


class Overheard(Watcher):
    """Whatever is told of faults: all of it is in the log."""

    def __init__(self) -> None:
        self.told = list[str]()

    def incident(self, number: int, incident: Incident, *, new: bool) -> None:  # noqa: ARG002
        self.told.append(f"{incident.error} {incident.trace}")

    def fault(self, where: str, error: BaseException) -> None:
        self.told.append(f"{where}: {error!r}")


@pytest.mark.usefixtures("quick_again")
def test_a_dealer_that_fails_with_the_order_in_hand_tells_nobody_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor, overheard, cards = Floor(tmp_path), Overheard(), list[str]()
    floor.clock.goes = True

    def fails(order: tuple[Card, ...], *_: object) -> int:
        cards.extend(map(str, order))
        raise Broken(f"not among {order} or {' '.join(cards)}")

    async def work(house: House) -> None:
        house.watchers.append(overheard)
        monkeypatch.setattr("puntobanco.house.tables.dealer.place_of", fails)
        table = await add(house, "one", "commission", automatic=True)
        await until(lambda: table.state.interrupted is not None)
        (entry,) = await raised(house)
        assert (entry.incident.error, entry.incident.stage) == ("Broken", Stage.DEALING)
        still = (await reenact(house.store, entry.number, house.secret_store)).fault
        assert still is not None
        assert still.error == "Broken"
        monkeypatch.undo()
        mended = await reenact(house.store, entry.number, house.secret_store)
        assert (mended.became, mended.fault) == (("CardDrawn, CardExposed",), None)
        with pytest.raises(Refused):  # without the key
            await reenact(house.store, entry.number)

    floor.run(work)
    assert cards
    assert overheard.told
    assert not [told for told in overheard.told if cards[0] in told or "Card(" in told]


@pytest.mark.usefixtures("quick_again")
def test_a_dealer_that_cannot_take_a_shoe_out_of_service_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    floor = Floor(tmp_path)
    floor.clock.goes = True

    async def work(house: House) -> None:
        handle(monkeypatch, c.WithdrawShoe, broken)
        handle(monkeypatch, c.Report, broken)
        table = await add(house, "one", "super-six", automatic=True)
        await until(lambda: table.state.shoe is not None)
        assert table.state.shoe is not None
        await house.secret_store.seal(table.state.shoe.name, b"{}")
        dealer = house.runners["one"].dealer

        def dead() -> bool:
            dealer._shoe = None  # it may just have read the order as it was
            return house.dead == ("one",)

        await until(dead)
        assert house.failed == {}

    floor.run(work)


@pytest.mark.usefixtures("quick_again")
def test_a_dealer_that_cannot_open_a_round_stops_until_somebody_starts_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = Floor(tmp_path)
    floor.clock.goes = True

    async def work(house: House) -> None:
        handle(monkeypatch, c.OpenBetting, broken)
        table = await add(house, "one", "super-six", automatic=True)
        await until(lambda: house.dead == ("one",))
        assert [one.incident.stage for one in await raised(house)] == [Stage.DECIDING, Stage.DEALING]
        names = await house.secret_store.sealed_names("")
        for number in (1, 2):
            assert (await reenact(house.store, number, house.secret_store)).fault is not None
        assert await house.secret_store.sealed_names("") == names
        assert (house.failed, table.state.round) == ({}, 0)
        well(await house.do("max", "one", AT_ONCE))
        monkeypatch.undo()
        await restart(house, "one")
        table = house.tables["one"]
        well(await house.do("max", "one", c.OpenTable(setup=setup_of(table))))
        await until(lambda: table.state.round > 1)

    floor.run(work)


# ---- afterwards, from the book -----------------------------------------------------------------------------------


def test_an_incident_is_reenacted_from_a_copy_while_the_house_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = Floor(tmp_path)
    floor.unsound = True
    handle(monkeypatch, c.Object, broken)

    async def work(house: House) -> tuple[Reenacted, Reenacted]:
        await betting(house)
        well(await house.do("ann", "one", slip(), "r1"))
        assert refused(await house.do("ann", "one", OBJECTION, "r2")) is Reason.INCIDENT
        await raised(house)
        well(await house.do("ann", "one", slip(200_00), "r3"))
        await house.store.keep_game("x", b"y")
        still = await reenacted_at(str(floor.path), 1)
        monkeypatch.undo()
        return still, await reenacted_at(str(floor.path), 1)

    still, mended = floor.run(work)
    assert still.fault is not None
    assert still.fault.error.startswith("Broken")
    assert (mended.fault, mended.became) == (None, ("ObjectionRefused",))
    with pytest.raises(Refused) as unknown:
        asyncio.run(reenacted_at(str(floor.path), 2))
    assert unknown.value.reason is Reason.UNKNOWN_INCIDENT


def test_a_fault_in_showing_is_reenacted_with_all_that_was_decided_together(tmp_path: Path) -> None:
    watcher = Clumsy()

    async def work(house: House) -> None:
        house.watchers.append(watcher)
        await betting(house)
        watcher.breaks = True
        await asyncio.gather(*(house.do("ann", "one", slip(on=on)) for on in ("player", "banker", "tie")))
        watcher.breaks = False
        entry, *_ = await raised(house)
        found = await reenact(house.store, entry.number, house.secret_store)
        assert (found.fault, found.became) == (None, ("BetsPlaced",) * len(entry.incident.sent))

    Floor(tmp_path).run(work)


def test_an_incident_is_seen_to_once_and_only_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    floor = Floor(tmp_path)
    handle(monkeypatch, c.Object, broken)

    async def work(house: House) -> None:
        await betting(house)
        await add(house, "two", "commission")
        assert refused(await house.do("ann", "one", OBJECTION)) is Reason.INCIDENT
        await raised(house)
        for wrong in (Acknowledge(table="two", incident=1), Acknowledge(table="one", incident=2)):
            assert refused(await house.manage("sue", wrong)) is Reason.NOT_FOUND
        well(await house.manage("sue", Acknowledge(table="one", incident=1)))
        assert refused(await house.manage("sam", Acknowledge(table="one", incident=1))) is Reason.ALREADY_ACKNOWLEDGED
        assert house.journal.incidents_seen[1].person == "sue"

    floor.run(work)
    floor.run(lambda house: asyncio.sleep(0, house.journal.incidents_seen[1]))


def test_what_was_acknowledged_before_there_were_incidents_is_read_as_it_was() -> None:
    old = b'{"type":"AlertAcknowledged","by":{"person":"sue","post":"pit_supervisor","at":1},"table":"one","version":7}'
    entry = b.decode(old)
    assert isinstance(entry, b.AlertAcknowledged)
    assert (entry.version, entry.incident) == (7, 0)
    assert b.encode(entry) == msgspec.json.format(b.encode(entry), indent=-1)
    assert b.decode(b.encode(entry)) == entry
