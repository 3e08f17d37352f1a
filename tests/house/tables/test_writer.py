"""A table that lives in the house: durable before it is acknowledged, once a request, the same after a restart."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import permutations
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.house.audit.proof import same
from puntobanco.house.shoes.seal import SALT, Sealed
from puntobanco.house.shoes.shuffle import cards_of
from puntobanco.house.tables import writer as running
from puntobanco.house.tables.dealer import AutomaticDealer
from puntobanco.house.tables.idempotency import digest
from puntobanco.house.tables.writer import RunningTable, Stopped
from puntobanco.ledger.accounts import Transfer, TransferKind
from puntobanco.protocol.account_names import wallet
from puntobanco.protocol.answers import Answer
from puntobanco.rules import library
from puntobanco.rules.cards import read_card
from puntobanco.rules.money import Cents
from puntobanco.rules.refusal import Reason
from puntobanco.store import codec
from puntobanco.store.base import Store
from puntobanco.store.records import Append, Fact, Snapshot
from puntobanco.store.sqlite import SqliteStore
from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice
from puntobanco.table.events import AnyEvent
from puntobanco.table.evolve import replay
from puntobanco.table.reading import read_command
from puntobanco.table.setup import Setup, Source
from puntobanco.table.state import Phase, State
from tests.marks import rulings

MANAGER, DEALER, PLAYER, SUPERVISOR = Role.PIT_MANAGER, Role.DEALER, Role.PLAYER, Role.PIT_SUPERVISOR


class Clock:
    def __init__(self) -> None:
        self.now = 1_900_000_000_000

    def __call__(self) -> int:
        return self.now


def setup_of(key: str) -> Setup:
    game = library.game(key)
    layout = game.layout()
    return Setup(
        game=key, fingerprint=game.fingerprint, layout=layout.key if layout else None,
        boxes=layout.most_boxes if layout else 0, decks=8, minimum=Cents(100_00), differential=Cents(10_000_00),
    )  # fmt: skip


class House:
    """A store, a clock and one table of a game."""

    def __init__(self, folder: Path, key: str) -> None:
        self.folder, self.key, self.clock = folder, key, Clock()
        self.published: list[AnyEvent] = []

    @asynccontextmanager
    async def open(self) -> AsyncIterator[tuple[Store, RunningTable]]:
        store = SqliteStore(self.folder / "house.db")
        await store.open()
        table = RunningTable(
            "one", library.game(self.key), setup_of(self.key), store, self.clock,
            lambda _, told: self.published.extend(told),
        )  # fmt: skip
        await table.start()
        try:
            yield store, table
        finally:
            await table.stop()
            await store.close()

    def run(self, work: Callable[[Store, RunningTable], Awaitable[None]]) -> None:
        async def whole() -> None:
            async with self.open() as (store, table):
                await work(store, table)

        asyncio.run(whole())


async def fund(store: Store, person: str, amount: int) -> None:
    epoch = await store.claim("cashier")
    version, _ = await store.head("cashier")
    moved = Transfer(TransferKind.BUY_IN, "cashier", wallet(person), amount)
    paid = Fact("PaidIn.1", 0, b"{}", [moved])
    await store.append(Append(stream="cashier", expected=version, epoch=epoch, facts=[paid]))


async def open_for_bets(store: Store, table: RunningTable) -> None:
    await fund(store, "ann", 1_000_00)
    for command, role in (
        (c.OpenTable(setup=setup_of(table.game.key)), MANAGER),
        (c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD), DEALER),
        (c.OpenBetting(), DEALER),
    ):
        assert (await table.send(command, "staff", role)).refusal is None
    assert (await table.send(c.BuyIn(person="ann", amount=500_00), "ann", PLAYER)).refusal is None


def slip(amount: int) -> c.PlaceBets:
    return c.PlaceBets(round=1, lines=(c.Line(bet="player", amount=amount, box=1),))


async def history(store: Store) -> State:
    return replay([codec.decode(row.kind, row.body) async for row in store.read("one")])


def test_what_was_acknowledged_is_there_after_a_restart(tmp_path: Path) -> None:
    house = House(tmp_path, "commission")

    async def before(store: Store, table: RunningTable) -> None:
        await open_for_bets(store, table)
        assert (await table.send(slip(100_00), "ann", PLAYER, "r1")).refusal is None
        assert await history(store) == table.state
        held = await store.balances()
        assert held[wallet("ann")] == 500_00
        assert (held["purse:one:ann"], held["stakes:one"], sum(held.values())) == (400_00, 100_00, 0)

    async def after(store: Store, table: RunningTable) -> None:
        assert table.state.stakes["1/player/ann"].amount == 100_00
        assert await history(store) == table.state

    house.run(before)
    assert len(house.published) == 5
    house.run(after)


def test_a_request_takes_effect_once_also_across_a_restart(tmp_path: Path) -> None:
    house = House(tmp_path, "commission")
    first: list[Answer] = []

    async def before(store: Store, table: RunningTable) -> None:
        await open_for_bets(store, table)
        first.append(await table.send(slip(100_00), "ann", PLAYER, "r1"))
        assert await table.send(slip(100_00), "ann", PLAYER, "r1") == first[0]
        reused = await table.send(slip(200_00), "ann", PLAYER, "r1")
        assert reused.refusal is not None
        assert reused.refusal.reason is Reason.REQUEST_REUSED

    async def after(store: Store, table: RunningTable) -> None:
        await table.send(c.Rule(question=1, choice=Choice.DOES_NOT_AFFECT, reason="x"), "sue", SUPERVISOR)
        version = table.state.version
        withdraw = c.PlaceBets(round=1, lines=(c.Line(bet="player", amount=0, box=1),))
        assert (await table.send(withdraw, "ann", PLAYER, "r2")).refusal is None
        again, other = await asyncio.gather(
            table.send(slip(100_00), "ann", PLAYER, "r1"), table.send(slip(300_00), "ann", PLAYER, "r3")
        )
        assert again == first[0]
        assert other.refusal is None
        assert table.state.stakes["1/player/ann"].amount == 300_00
        assert table.state.version == version + 2
        assert await history(store) == table.state

    house.run(before)
    house.run(after)


def test_a_wallet_without_money_buys_nothing_and_stops_nothing(tmp_path: Path) -> None:
    async def work(store: Store, table: RunningTable) -> None:
        await open_for_bets(store, table)
        answer = await table.send(c.BuyIn(person="ann", amount=500_01), "ann", PLAYER)
        assert answer.refusal is not None
        assert answer.refusal.reason is Reason.WALLET_EMPTY
        assert (await table.send(c.CashOut(person="ann", amount=500_00), "ann", PLAYER)).refusal is None
        assert (await store.balances([wallet("ann")]))[wallet("ann")] == 1_000_00

    House(tmp_path, "commission").run(work)


@rulings("TEC-2")
@pytest.mark.parametrize(("key", "phase"), [("commission", Phase.SUSPENDED), ("super-six", Phase.BETTING)])
def test_a_round_interrupted_by_a_restart_waits_for_the_finding_or_goes_on(
    tmp_path: Path, key: str, phase: Phase
) -> None:
    house = House(tmp_path, key)
    house.run(open_for_bets)

    async def after(store: Store, table: RunningTable) -> None:
        assert table.state.phase is phase
        assert await history(store) == table.state

    house.run(after)
    house.run(after)


def test_a_former_owner_fails_and_hears_nothing_more(tmp_path: Path) -> None:
    async def work(store: Store, table: RunningTable) -> None:
        await open_for_bets(store, table)
        await store.claim("one")
        with pytest.raises(Stopped):
            await table.send(slip(100_00), "ann", PLAYER)
        with pytest.raises(Stopped):
            await table.send(slip(100_00), "ann", PLAYER)
        assert table.failed is not None
        assert "1/player/ann" not in table.state.stakes

    House(tmp_path, "commission").run(work)


def test_a_snapshot_is_what_the_history_leads_to_and_one_of_another_schema_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path, "super-six")
    house.run(open_for_bets)

    async def after(store: Store, table: RunningTable) -> None:
        kept = await store.snapshot("one")
        assert kept is not None
        assert codec.decode_state(kept.body).version == kept.version
        assert await history(store) == table.state

    house.run(after)
    monkeypatch.setattr(codec, "STATE_SCHEMA", "another")
    house.run(after)


def test_snapshots_are_kept_while_the_table_runs_and_are_the_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "SNAPSHOT_EVERY", 10)
    house, kept = House(tmp_path, "commission"), set[int]()

    async def work(store: Store, table: RunningTable) -> None:
        await open_for_bets(store, table)
        for number in range(60):
            await table.send(slip(100_00 * (1 + number % 2)), "ann", PLAYER, f"r{number}")
            found = await store.snapshot("one")
            if found is not None:
                kept.add(found.version)
                told = [codec.decode(row.kind, row.body) async for row in store.read("one")]
                assert same(codec.decode_state(found.body), replay(told[: found.version]))

    house.run(work)
    assert len(kept) >= 5

    async def after(store: Store, table: RunningTable) -> None:
        assert same(await history(store), table.state)

    house.run(after)


def test_a_snapshot_that_cannot_be_read_or_has_not_happened_is_not_used(tmp_path: Path) -> None:
    house = House(tmp_path, "commission")
    house.run(open_for_bets)

    async def spoil(store: Store, body: bytes, version: int) -> None:
        await store.keep_snapshot("one", Snapshot(version, codec.STATE_SCHEMA, body))

    async def after(store: Store, table: RunningTable) -> None:
        assert same(await history(store), table.state)
        assert table.state.purses == {"ann": 500_00}

    for body, version in ((b"no state", 50), (b"{}", 50), (codec.encode_state(State(version=99)), 99)):
        house.run(after)

        async def with_it(store: Store, _: RunningTable, body: bytes = body, version: int = version) -> None:
            await spoil(store, body, version)

        house.run(with_it)
        house.run(after)


def test_the_same_request_twice_at_once_has_one_effect_and_one_answer(tmp_path: Path) -> None:
    async def work(store: Store, table: RunningTable) -> None:
        await open_for_bets(store, table)
        version = table.state.version
        answers = await asyncio.gather(*(table.send(slip(100_00), "ann", PLAYER, "r1") for _ in range(5)))
        assert {answer.version for answer in answers} == {version + 1}
        assert all(answer.refusal is None for answer in answers)
        other = await asyncio.gather(
            table.send(slip(200_00), "ann", PLAYER, "r2"), table.send(slip(300_00), "ann", PLAYER, "r2")
        )
        assert other[0].refusal is None
        assert other[1].refusal is not None
        assert other[1].refusal.reason is Reason.REQUEST_REUSED
        assert table.state.version == version + 2

    House(tmp_path, "commission").run(work)


def test_a_retry_that_would_be_refused_now_has_the_answer_it_had_before_the_restart(tmp_path: Path) -> None:
    house = House(tmp_path, "super-six")
    first: list[Answer] = []

    async def before(store: Store, table: RunningTable) -> None:
        await open_for_bets(store, table)
        first.append(await table.send(slip(100_00), "ann", PLAYER, "r1"))
        assert first[0].refusal is None

    async def after(_: Store, table: RunningTable) -> None:
        assert (await table.send(c.CloseBetting(round=1), "dora", DEALER)).refusal is None
        late, again, reused = await asyncio.gather(
            table.send(slip(200_00), "ann", PLAYER, "r2"),
            table.send(slip(100_00), "ann", PLAYER, "r1"),
            table.send(slip(300_00), "ann", PLAYER, "r1"),
        )
        assert late.refusal is not None
        assert late.refusal.reason is Reason.BETS_LATE
        assert again == first[0]
        assert reused.refusal is not None
        assert reused.refusal.reason is Reason.REQUEST_REUSED
        assert await table.send(slip(100_00), "ann", PLAYER, "r1") == first[0]

    house.run(before)
    house.run(after)


def test_a_request_is_the_same_in_whatever_order_its_members_come() -> None:
    members = ('"1":"player"', '"2":"banker"', '"3":"banker"')
    texts = [
        f'{{"type":"Report","round":1,"fault":"misdirected","lies":{{{",".join(order)}}}}}'
        for order in permutations(members)
    ]
    assert len({digest("one", read_command(msgspec.json.decode(text))) for text in texts}) == 1


def test_the_same_words_at_another_table_are_another_request(tmp_path: Path) -> None:
    async def work(store: Store, table: RunningTable) -> None:
        await open_for_bets(store, table)
        other = RunningTable("two", table.game, setup_of("commission"), store, table.clock)
        await other.start()
        await other.send(c.OpenTable(setup=setup_of("commission")), "max", MANAGER)
        seat = c.TakeSeat(box=1)
        assert (await table.send(seat, "ann", PLAYER, "r1")).refusal is None
        answer = await other.send(seat, "ann", PLAYER, "r1")
        assert answer.refusal is not None
        assert answer.refusal.reason is Reason.REQUEST_REUSED
        await other.stop()

    House(tmp_path, "commission").run(work)


def test_a_sender_that_goes_away_leaves_nobody_waiting(tmp_path: Path) -> None:
    async def work(store: Store, table: RunningTable) -> None:
        await open_for_bets(store, table)
        gone = asyncio.ensure_future(table.send(slip(100_00), "ann", PLAYER, "r1"))
        stays = asyncio.ensure_future(table.send(slip(200_00), "ann", PLAYER, "r2"))
        await asyncio.sleep(0)
        gone.cancel()
        assert (await stays).refusal is None
        assert (await table.send(slip(100_00), "ann", PLAYER, "r1")).refusal is None
        assert (await table.send(slip(300_00), "ann", PLAYER)).refusal is None

    House(tmp_path, "commission").run(work)


def test_a_fault_in_deciding_refuses_that_command_alone(tmp_path: Path) -> None:
    """What was decided with it, and what is on its way meanwhile, is durable."""
    heard: list[str] = []

    async def work(store: Store, table: RunningTable) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, told: heard.append(told["message"]))
        await open_for_bets(store, table)
        odd = c.PlaceBets(round=1, lines=("not a line",))  # type: ignore[arg-type]
        bought, bet, failed, raised = await asyncio.gather(
            table.send(c.BuyIn(person="ann", amount=100_00), "ann", PLAYER),
            table.send(slip(100_00), "ann", PLAYER),
            table.send(odd, "ann", PLAYER),
            table.send(slip(200_00), "ann", PLAYER),
        )
        assert bought.refusal is bet.refusal is raised.refusal is None
        assert failed.refusal is not None
        assert failed.refusal.reason is Reason.INCIDENT
        assert table.failed is None
        assert await history(store) == table.state
        assert sum(table.state.purses.values()) == 400_00

    House(tmp_path, "commission").run(work)
    assert len(heard) == 1


def test_a_fault_in_showing_it_does_not_undo_what_happened(tmp_path: Path) -> None:
    house, heard = House(tmp_path, "commission"), list[str]()
    house.published = None  # type: ignore[assignment]

    async def work(store: Store, table: RunningTable) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, told: heard.append(told["message"]))
        await open_for_bets(store, table)
        assert (await table.send(slip(100_00), "ann", PLAYER)).refusal is None
        assert table.failed is None

    house.run(work)
    assert len(heard) == 5


def test_a_stopped_table_says_so_and_leaves_nobody_waiting(tmp_path: Path) -> None:
    async def work(store: Store, table: RunningTable) -> None:
        await open_for_bets(store, table)
        last = asyncio.ensure_future(table.send(slip(100_00), "ann", PLAYER))
        await asyncio.sleep(0)
        await table.stop()
        assert (await last).refusal is None
        with pytest.raises(Stopped):
            await table.send(slip(200_00), "ann", PLAYER)

    House(tmp_path, "commission").run(work)


def test_a_bet_is_decided_on_the_felt_its_table_has_by_then(tmp_path: Path) -> None:
    """The set-up and a bet on it may come in one breath."""

    async def work(store: Store, table: RunningTable) -> None:
        await fund(store, "ann", 1_000_00)
        menus = {layout.key: {bet.key for bet in table.game.menu(layout)} for layout in table.game.layouts}
        before, after = next((one, two) for one in menus for two in menus if menus[two] - menus[one])
        setups = [replace(setup_of("wu-song"), layout=key, boxes=1) for key in (before, after)]
        await table.send(c.OpenTable(setup=setups[0]), "max", MANAGER)
        assert (await table.send(c.BuyIn(person="ann", amount=500_00), "ann", PLAYER)).refusal is None
        line = c.Line(bet=min(menus[after] - menus[before]), amount=100_00, box=1)
        load = c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD)
        answers = await asyncio.gather(
            table.send(load, "dora", DEALER),
            table.send(c.ChangeSetup(setup=setups[1]), "max", MANAGER),
            table.send(c.OpenBetting(), "dora", DEALER),
            table.send(c.PlaceBets(round=1, lines=(line,)), "ann", PLAYER),
        )
        assert [answer.refusal for answer in answers] == [None] * 4

    House(tmp_path, "wu-song").run(work)


@pytest.mark.parametrize("key", library.GAMES)
def test_a_table_can_run_by_itself_from_a_sealed_shoe(tmp_path: Path, key: str) -> None:
    house = House(tmp_path, key)

    async def deal(table: RunningTable, rounds: int) -> None:
        dealer = AutomaticDealer(table)
        while table.state.round < rounds or table.state.in_round:
            house.clock.now += await dealer.step()

    async def before(_store: Store, table: RunningTable) -> None:
        await table.send(c.OpenTable(setup=setup_of(key)), "max", MANAGER)
        await deal(table, 3)

    async def after(store: Store, table: RunningTable) -> None:
        await deal(table, 5)
        assert table.state.shoe is not None
        sealed = await store.sealed(table.state.shoe.name)
        assert sealed is not None
        exported = b"".join([row.body async for row in store.read("one")])
        assert sealed not in exported
        assert await history(store) == table.state

    house.run(before)
    house.run(after)


def test_the_bankers_third_card_is_turned_over_first_where_the_dealer_consented(tmp_path: Path) -> None:
    """Player A 3, Banker K 2: both draw whatever comes."""
    house = House(tmp_path, "insurance")

    def shoe(decks: int) -> Sealed:
        first = [read_card(text) for text in ("AS", "KS", "3S", "2S", "7H", "5H")]
        left = list(cards_of(decks))
        for card in first:
            left.remove(card)
        return Sealed((*first, *left), tuple(secrets.token_bytes(SALT) for _ in range(52 * decks)))

    async def work(store: Store, table: RunningTable) -> None:
        dealer = AutomaticDealer(table, shoes=shoe)

        async def until(reached: Callable[[], bool]) -> None:
            while not reached():
                house.clock.now += await dealer.step()

        await fund(store, "ann", 1_000_00)
        await table.send(c.OpenTable(setup=replace(setup_of("insurance"), face_down=True)), "max", MANAGER)
        await until(lambda: table.state.phase is Phase.BETTING)
        await table.send(c.BuyIn(person="ann", amount=500_00), "ann", PLAYER)
        assert (await table.send(slip(100_00), "ann", PLAYER)).refusal is None
        await until(lambda: sum(one.card is not None for one in table.state.drawn) == 4)
        assert (await table.send(c.RequestWaiver(round=1), "ann", PLAYER)).refusal is None
        assert (await table.send(c.AnswerWaiver(round=1, consent=True), "dora", DEALER)).refusal is None
        await until(lambda: sum(one.card is not None for one in table.state.drawn) == 5)
        assert [str(one.card) for one in table.state.drawn[4:]] == ["None", "5♥"]
        await until(lambda: table.state.phase is Phase.SETTLED)
        assert str(table.state.drawn[4].card) == "7♥"

    house.run(work)


def test_so_many_commands_of_players_may_wait_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MOST_WAITING", 3)

    async def work() -> None:
        async with House(tmp_path, "commission").open() as (_, table):
            await table.send(c.OpenTable(setup=setup_of("commission")), "max", MANAGER)
            leaving = [table.send(c.LeaveSeat(box=1), "ann", PLAYER, f"r{nth}") for nth in range(5)]
            answers = await asyncio.gather(*leaving, table.send(c.LeaveSeat(box=1), "dora", DEALER))
            reasons = [answer.refusal.reason for answer in answers if answer.refusal is not None]
            assert reasons == [Reason.NO_SEAT] * 3 + [Reason.TOO_FAST] * 2 + [Reason.NO_SEAT], "the staff is heard"
            again = await table.send(c.LeaveSeat(box=1), "ann", PLAYER, "r4")
            assert again.refusal is not None
            assert again.refusal.reason is Reason.NO_SEAT, "it was not answered for good"

    asyncio.run(work())
