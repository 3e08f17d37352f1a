"""Nobody moves a guest's money alone, in a running house: confirmations, second persons, limits, sums and the drop."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from puntobanco.house.audit.proof import prove_house
from puntobanco.house.house import House
from puntobanco.house.identity.guest_confirmation import WRONG_IN_A_ROW, GuestConfirmation
from puntobanco.house.identity.passwords import LEAST_MEMORY, HashCost, Passwords
from puntobanco.house.journal.journal import COUNTS_TOGETHER, moved_alone
from puntobanco.house.operations.settings import MoneySettings
from puntobanco.ledger.accounts import TransferKind
from puntobanco.protocol import entries as b
from puntobanco.protocol.account_names import drop_of, float_of
from puntobanco.protocol.administrative_commands import (
    AdjustFloat,
    AdjustWallet,
    Admit,
    AnyAdministrativeCommand,
    CollectDrop,
    Deposit,
    GuestProof,
    Withdraw,
)
from puntobanco.protocol.entries import Who
from puntobanco.protocol.posts import Post
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store import codec
from puntobanco.store.sqlite import SqliteStore
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Confirmation
from puntobanco.table.commands import Tender
from tests.house.staffed import Floor, add, bet, deal, entries, fund, in_wallet, refused, settle, well
from tests.marks import rulings

BUY = c.BuyIn(person="ann", amount=100_00)
TAKE = Withdraw(person="ann", amount=100_00)
PIN, CARD = GuestProof(pin="2580"), GuestProof(card="4929-8817-0031-7742")
LEE = "~Lee"
Task = Callable[[House], Awaitable[Any]]


def run(tmp_path: Path, work: Task, **money: Any) -> None:
    """With PINs and cards, in a house of those settings."""

    async def whole() -> None:
        store, floor = SqliteStore(tmp_path / "pins.db"), Floor(tmp_path)
        await store.open()
        credentials = Passwords(store, floor.clock, work=HashCost(memory=LEAST_MEMORY, passes=2))
        settings = MoneySettings(**money)
        guest_confirmation = GuestConfirmation(store, floor.clock, credentials, settings.confirmations)
        try:
            async with floor.open(money=settings, guest_confirmation=guest_confirmation) as house:
                await work(house)
                assert (await prove_house(house.store)).fault is None
        finally:
            credentials.close()
            await store.close()

    asyncio.run(whole())


async def with_proof(house: House) -> None:
    assert house.guest_confirmation is not None
    assert await house.guest_confirmation.set("ann", PIN) == (Confirmation.PIN,)
    assert await house.guest_confirmation.set("ann", CARD) == (Confirmation.CARD,)


async def bought(house: House, table: str = "one") -> list[e.BoughtIn]:
    told = [codec.decode(row.kind, row.body) async for row in house.store.read(table)]
    return [event for event in told if isinstance(event, e.BoughtIn)]


# ---- a guest's session -------------------------------------------------------------------------------------------


@rulings("MON-12")
@pytest.mark.parametrize("asker", ["dora", "sue", "max", "tom", "cal"])
def test_what_staff_ask_for_waits_for_the_guest_and_for_nobody_else(tmp_path: Path, asker: str) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00)
        asked = well(await house.do(asker, "one", BUY, "r-1"))
        assert asked.waits is not None
        assert table.state.purses == {}
        for other in ("bob", "sue", "sam", "tom", "tim", "cas"):
            reason = refused(await house.confirm(other, asked.waits))
            assert reason is (Reason.SECOND_IS_FIRST if other == asker else Reason.ACCESS_DENIED)
        assert table.state.purses == {}
        well(await house.confirm("ann", asked.waits))
        assert table.state.purses == {"ann": 100_00}
        (event,) = await bought(house)
        assert (event.by.person, event.by.confirmed, event.by.second) == (asker, Confirmation.SESSION, "")
        assert refused(await house.confirm("ann", asked.waits)) is Reason.NOTHING_WAITS
        assert well(await house.do(asker, "one", BUY, "r-1")).waits == asked.waits
        assert table.state.purses == {"ann": 100_00}

    run(tmp_path, work)


def test_a_guest_may_say_no_and_whoever_asked_may_take_it_back(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00)
        first = well(await house.do("dora", "one", BUY, "r-1")).waits
        assert refused(await house.decline("bob", first, "mine")) is Reason.ACCESS_DENIED
        well(await house.decline("ann", first, "not mine"))
        second = well(await house.do("dora", "one", BUY, "r-2")).waits
        well(await house.decline("dora", second, "wrong guest"))
        assert refused(await house.confirm("ann", second)) is Reason.NOTHING_WAITS
        assert table.state.purses == {}

    run(tmp_path, work)


def test_guests_buy_in_for_themselves_as_before(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00)
        well(await house.do("ann", "one", BUY))
        assert table.state.purses == {"ann": 100_00}
        assert refused(await house.do("bob", "one", BUY)) is Reason.NOT_YOURS

    run(tmp_path, work, confirmations=())


def test_where_a_session_does_not_count_nothing_waits_for_one(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00)
        await with_proof(house)
        assert refused(await house.do("dora", "one", BUY)) is Reason.GUEST_NOT_CONFIRMED
        assert refused(await house.manage("cal", TAKE)) is Reason.GUEST_NOT_CONFIRMED
        well(await house.manage("cal", TAKE, proof=PIN))

    run(tmp_path, work, confirmations=(Confirmation.PIN, Confirmation.CARD))


# ---- a PIN or a card ---------------------------------------------------------------------------------------------


@rulings("MON-12")
@pytest.mark.parametrize(("proof", "how"), [(PIN, Confirmation.PIN), (CARD, Confirmation.CARD)])
def test_a_pin_or_card_confirms_at_once(tmp_path: Path, proof: GuestProof, how: Confirmation) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00)
        await with_proof(house)
        assert well(await house.do("dora", "one", BUY, "r-1", proof=proof)).waits is None
        assert well(await house.do("dora", "one", BUY, "r-1", proof=GuestProof(pin="0000"))).waits is None  # a retry
        assert table.state.purses == {"ann": 100_00}
        (event,) = await bought(house)
        assert event.by.confirmed is how
        well(await house.manage("cal", TAKE, "w-1", proof=proof))
        well(await house.manage("cal", TAKE, "w-1", proof=GuestProof(pin="0000")))
        assert await in_wallet(house, "ann") == 800_00
        (taken,) = await entries(house, b.Withdrawn)
        assert taken.by.confirmed is how

    run(tmp_path, work)


@pytest.mark.parametrize(
    ("proof", "reason"),
    [
        (GuestProof(pin="2581"), Reason.PIN_WRONG),
        (GuestProof(card="4929-8817-0031-7743"), Reason.CARD_WRONG),
        (GuestProof(card="4"), Reason.CARD_WRONG),
        (GuestProof(), Reason.CONFIRMATION_OFF),
        (GuestProof(pin="2580", card="4929-8817-0031-7742"), Reason.CONFIRMATION_OFF),
        (GuestProof(pin="2" * 100_000), Reason.PIN_WRONG),
    ],
)
def test_a_wrong_one_moves_nothing_and_is_on_record(tmp_path: Path, proof: GuestProof, reason: Reason) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00)
        await with_proof(house)
        assert refused(await house.do("dora", "one", BUY, proof=proof)) is reason
        assert refused(await house.manage("cal", TAKE, proof=proof)) is reason
        assert (table.state.purses, await in_wallet(house, "ann")) == ({}, 1_000_00)
        assert [one.what for one in await entries(house, b.AccessDenied)] == [f"{reason} for ann"] * 2

    run(tmp_path, work)


def test_a_pin_is_locked_after_wrong_ones_and_a_new_one_opens(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00)
        await with_proof(house)
        wrong = GuestProof(pin="9513")
        for nth in range(WRONG_IN_A_ROW):
            asker = ("dora", "sue")[nth % 2]
            assert refused(await house.do(asker, "one", BUY, proof=wrong)) is Reason.PIN_WRONG
        assert refused(await house.do("dora", "one", BUY, proof=PIN)) is Reason.PIN_LOCKED
        assert house.guest_confirmation is not None
        await house.guest_confirmation.set("ann", GuestProof(pin="7391"))
        well(await house.do("dora", "one", BUY, proof=GuestProof(pin="7391")))

    run(tmp_path, work)


def test_a_fault_in_checking_a_pin_is_an_incident_and_moves_nothing(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00)
        await with_proof(house)

        def faulty(*_: object) -> None:
            raise ZeroDivisionError

        house.guest_confirmation.check = faulty  # type: ignore[union-attr, method-assign]
        assert refused(await house.do("dora", "one", BUY, proof=PIN)) is Reason.INCIDENT
        assert refused(await house.manage("cal", TAKE, proof=PIN)) is Reason.INCIDENT
        assert await in_wallet(house, "ann") == 1_000_00

    run(tmp_path, work)


def test_a_console_that_guesses_waits_and_many_at_once_are_not_all_the_first(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00)
        await with_proof(house)
        guesses = [house.do("dora", "one", BUY, proof=GuestProof(pin=f"{1000 + 7 * nth}")) for nth in range(50)]
        told = [refused(answer) for answer in await asyncio.gather(*guesses)]
        assert told.count(Reason.PIN_WRONG) == WRONG_IN_A_ROW
        assert set(told) == {Reason.PIN_WRONG, Reason.TRY_LATER}

    run(tmp_path, work)


def test_whoever_guesses_waits_wherever_they_are_and_nobody_else_does(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00)
        await with_proof(house)
        wrong = GuestProof(card="4929-8817-0031-7743")
        told = [refused(await house.do("dora", "one", BUY, address=f"10.0.0.{nth}", proof=wrong)) for nth in range(9)]
        assert told == [Reason.CARD_WRONG] * 5 + [Reason.TRY_LATER] * 4
        well(await house.do("sue", "one", BUY, address="10.0.0.1", proof=CARD))

    run(tmp_path, work)


def test_many_guesses_at_once_of_many_people_lock_the_pin(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00)
        await with_proof(house)
        guess = GuestProof(pin="9513")
        askers = ("dora", "sue", "sam", "max", "cal") * 10
        guesses = [house.do(asker, "one", BUY, proof=guess) for asker in askers]
        told = [refused(answer) for answer in await asyncio.gather(*guesses)]
        assert told.count(Reason.PIN_WRONG) == WRONG_IN_A_ROW
        assert set(told) == {Reason.PIN_WRONG, Reason.PIN_LOCKED, Reason.TRY_LATER}

    run(tmp_path, work)


def test_a_right_pin_forgets_the_wrong_ones_before_it(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00)
        await with_proof(house)
        for nth in range(3 * WRONG_IN_A_ROW):
            right = nth % 2 == 1
            proof = PIN if right else GuestProof(pin="9513")
            answer = await house.do("dora", "one", BUY, address=f"10.0.0.{nth}", proof=proof)
            assert (answer.refusal is None) == right

    run(tmp_path, work)


@pytest.mark.parametrize(
    ("proof", "reason"),
    [
        (GuestProof(pin=pin), Reason.PIN_GUESSABLE)
        for pin in ("1", "123", "1234", "4321", "0000", "12a4", "１２５８", "1" * 13)
    ]
    + [(GuestProof(card=card), Reason.CARD_UNFIT) for card in ("short", "x" * 129, "x" * 16 + "\n")]
    + [(GuestProof(), Reason.CONFIRMATION_OFF)],
)
def test_what_is_guessed_first_is_nobodys_pin(tmp_path: Path, proof: GuestProof, reason: Reason) -> None:
    async def work(house: House) -> None:
        assert house.guest_confirmation is not None
        with pytest.raises(Refused) as found:
            await house.guest_confirmation.set("ann", proof)
        assert found.value.reason is reason
        assert await house.guest_confirmation.held("ann") == (Confirmation.SESSION,)
        assert refused(await house.manage("cal", TAKE, proof=PIN)) is Reason.PIN_MISSING

    run(tmp_path, work)


def test_a_pin_stands_in_no_store_log_or_repr(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00)
        assert house.guest_confirmation is not None
        await house.guest_confirmation.set("ann", GuestProof(pin="730218465"))
        well(await house.do("dora", "one", BUY, "r-1", proof=GuestProof(pin="730218465")))

    run(tmp_path, work)
    for kept in tmp_path.iterdir():
        assert b"730218465" not in kept.read_bytes()
    assert "730218465" not in repr(GuestProof(pin="730218465"))


# ---- the cage ----------------------------------------------------------------------------------------------------


def test_a_withdrawal_waits_for_the_guest(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await fund(house, "ann", 1_000_00)
        asked = well(await house.manage("cal", TAKE, "w-1"))
        for other in ("cal", "cas", "tom", "bob"):
            refused(await house.confirm(other, asked.waits))
        assert await in_wallet(house, "ann") == 1_000_00
        assert well(await house.confirm("ann", asked.waits)).waits is None
        assert await in_wallet(house, "ann") == 900_00
        assert refused(await house.confirm("ann", asked.waits)) is Reason.NOTHING_WAITS

    run(tmp_path, work)


def test_above_the_threshold_a_second_person_is_needed_besides_the_guest(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        asked = well(await house.manage("cal", Deposit(person="ann", amount=500_01)))
        assert refused(await house.confirm("cal", asked.waits)) is Reason.SECOND_IS_FIRST
        assert refused(await house.confirm("ann", asked.waits)) is Reason.ACCESS_DENIED
        assert refused(await house.confirm("dora", asked.waits)) is Reason.ACCESS_DENIED
        well(await house.confirm("cas", asked.waits))
        assert well(await house.manage("cal", Deposit(person="ann", amount=500_00))).waits is None
        assert await in_wallet(house, "ann") == 1_000_01
        first = well(await house.manage("cal", Withdraw(person="ann", amount=600_00)))
        then = well(await house.confirm("ann", first.waits))
        assert then.waits not in (None, first.waits)
        assert await in_wallet(house, "ann") == 1_000_01
        assert refused(await house.confirm("ann", then.waits)) is Reason.ACCESS_DENIED
        assert refused(await house.confirm("cal", then.waits)) is Reason.SECOND_IS_FIRST
        well(await house.confirm("tom", then.waits))
        assert await in_wallet(house, "ann") == 400_01
        (taken,) = await entries(house, b.Withdrawn)
        assert (taken.by.person, taken.by.second, taken.by.confirmed) == ("cal", "tom", Confirmation.SESSION)
        await with_proof(house)
        big = Withdraw(person="ann", amount=400_00)
        assert well(await house.manage("cal", big, proof=PIN)).waits is None

    run(tmp_path, work, second_over=500_00)


@pytest.mark.parametrize(
    "command",
    [
        Deposit(person="ann", amount=1_000_01),
        Withdraw(person="ann", amount=1_000_01),
        AdjustWallet(person="ann", amount=-1_000_01, reason="r"),
        AdjustWallet(person="ann", amount=1_000_01, reason="r"),
        AdjustFloat(table="one", amount=1_000_01, reason="r"),
    ],
)
def test_a_single_entry_is_bounded(tmp_path: Path, command: AnyAdministrativeCommand) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        for _ in range(2):
            await fund(house, "ann", 1_000_00)
        assert refused(await house.manage("cal", command)) is Reason.ENTRY_TOO_LARGE

    run(tmp_path, work, largest_entry=1_000_00)


@pytest.mark.parametrize("tender", Tender)
def test_a_guest_without_an_account_buys_in_no_further_than_a_single_entry_goes(tmp_path: Path, tender: Tender) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        for amount, reason in ((1_000_01, Reason.ENTRY_TOO_LARGE), (1_000_00, None)):
            answer = await house.do("dora", "one", c.BuyInAtTable(name="Lee", amount=amount, tender=tender))
            assert (answer.refusal.reason if answer.refusal else None) is reason
        assert table.state.purses == {LEE: 1_000_00}

    run(tmp_path, work, largest_entry=1_000_00)


def test_a_sum_that_is_split_needs_a_second_person_like_the_whole(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        for _ in range(2):
            assert well(await house.manage("cal", Deposit(person="ann", amount=250_00))).waits is None
        for nth in range(2):
            asked = well(await house.manage("cal", Deposit(person="ann", amount=1)))
            well(await house.confirm("cas", asked.waits))
            assert await in_wallet(house, "ann") == 500_01 + nth, "what had a second person counts for nothing more"
        assert well(await house.manage("cal", Deposit(person="bob", amount=500_00))).waits is None
        assert well(await house.manage("cas", Deposit(person="ann", amount=500_00))).waits is None
        await with_proof(house)
        for amount, waits in ((300_00, False), (200_00, False), (1, True)):
            taken = well(await house.manage("cal", Withdraw(person="ann", amount=amount), proof=PIN))
            assert (taken.waits is not None) is waits
        await house.balance("cal")
        again = well(await house.manage("cal", Deposit(person="ann", amount=1)))
        assert again.waits is not None, "who signs out and in again has not moved less"
        tomorrow = Who("cal", Post.CASHIER, house.clock() + COUNTS_TOGETHER)
        assert moved_alone(house.journal, tomorrow, "ann", TransferKind.DEPOSIT) == 0
        well(await house.manage_as(Deposit(person="ann", amount=500_00), tomorrow))
        assert moved_alone(house.journal, tomorrow, "ann", TransferKind.DEPOSIT) == 500_00

    run(tmp_path, work, second_over=500_00)


def test_what_waits_when_a_cashier_goes_is_taken_back(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00)
        taken = well(await house.manage("cal", TAKE)).waits
        given = well(await house.manage("cal", Deposit(person="ann", amount=1_000_000_00))).waits
        other = well(await house.manage("cas", TAKE)).waits
        buys = well(await house.do("cal", "one", BUY)).waits
        await house.balance("cal")
        assert refused(await house.confirm("ann", taken)) is Reason.NOTHING_WAITS
        assert refused(await house.confirm("cas", given)) is Reason.NOTHING_WAITS
        well(await house.confirm("ann", other))
        well(await house.confirm("ann", buys))
        assert await in_wallet(house, "ann") == 800_00
        assert [one.number for one in await entries(house, b.SecondDeclined)] == [taken, given]
        assert "cal" not in house.journal.tills

    run(tmp_path, work)


def test_no_entry_falls_between_two_balances(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        deposit = Deposit(person="ann", amount=1_00)

        async def balanced_after(steps: int) -> None:
            for _ in range(steps):
                await asyncio.sleep(0)
            await house.balance("cal")

        for steps in range(20):
            well(await house.manage("cal", deposit))
            await asyncio.gather(house.manage("cal", deposit), balanced_after(steps))
        await house.balance("cal")
        assert sum(one.sums["deposit"] for one in await entries(house, b.CashierBalanced)) == 40_00

    run(tmp_path, work)


def test_what_a_cashier_moved_is_summed_when_they_go_and_when_the_house_closes(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        well(await house.manage("cal", Deposit(person="ann", amount=300_00)))
        well(await house.manage("cal", Deposit(person="bob", amount=100_00)))
        asked = well(await house.manage("cal", Withdraw(person="ann", amount=50_00)))
        well(await house.confirm("ann", asked.waits))
        adjust = well(await house.manage("cal", AdjustWallet(person="ann", amount=-10_00, reason="miscounted")))
        well(await house.confirm("tom", adjust.waits))
        assert house.journal.guests["ann"] == {"deposit": 300_00, "withdrawal": 50_00, "adjustment": -10_00}
        await house.balance("cal")
        await house.balance("cal")
        await house.balance("dora")
        (balanced,) = await entries(house, b.CashierBalanced)
        assert balanced.person == "cal"
        assert balanced.sums == {"deposit": 400_00, "withdrawal": 50_00, "adjustment": -10_00}
        assert balanced.guests == {
            "ann": {"deposit": 300_00, "withdrawal": 50_00, "adjustment": -10_00},
            "bob": {"deposit": 100_00},
        }
        well(await house.manage("cas", Deposit(person="bob", amount=7_00)))

    async def again(house: House) -> None:
        left = [(one.person, one.sums) for one in await entries(house, b.CashierBalanced)]
        assert left[1:] == [("cas", {"deposit": 7_00})]
        assert house.journal.tills == {}
        assert house.journal.guests["bob"] == {"deposit": 107_00}

    run(tmp_path, work)
    run(tmp_path, again)


# ---- a table without terminals -----------------------------------------------------------------------------------


async def held(house: House, *names: str) -> list[int]:
    found = await house.store.balances(list(names))
    return [found.get(name, 0) for name in names]


def test_a_cash_guest_plays_and_leaves_and_the_drop_is_collected(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00, "one")
        buy = c.BuyInAtTable(name="Lee", amount=500_00, tender=Tender.CASH)
        well(await house.do("dora", "one", buy, "g-1"))
        well(await house.do("dora", "one", buy, "g-1"))
        assert table.state.purses[LEE] == 500_00
        await bet(house, "one")
        await deal(house, "one", "2 9 3 K")
        await settle(house)
        assert await held(house, float_of("one"), drop_of("one"), "chips") == [-400_00, 500_00, 0]
        well(await house.do("dora", "one", c.LeaveTable(person=LEE)))
        assert await held(house, float_of("one"), drop_of("one"), "chips") == [-400_00, 500_00, 500_00]
        collect = CollectDrop(table="one", counted=490_00, booked=500_00)
        assert refused(await house.manage("cal", CollectDrop(table="one", counted=1, booked=1))) is Reason.DROP_CHANGED
        asked = well(await house.manage("cal", collect))
        assert refused(await house.confirm("cas", asked.waits)) is Reason.ACCESS_DENIED
        well(await house.confirm("sue", asked.waits))
        assert await held(house, drop_of("one"), "adjustments") == [0, 10_00]
        again = CollectDrop(table="one", counted=0, booked=0)
        assert refused(await house.manage("cal", again)) is Reason.AMOUNT_NOT_POSITIVE
        over = CollectDrop(table="one", counted=5_00, booked=0)
        well(await house.confirm("sue", well(await house.manage("cal", over)).waits))
        assert await held(house, drop_of("one"), "adjustments") == [0, 5_00]

    run(tmp_path, work)


def test_a_guest_of_the_table_has_no_wallet_to_reach(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        well(await house.do("dora", "one", c.BuyInAtTable(name="Lee", amount=500_00, tender=Tender.CHIPS)))
        assert refused(await house.do("dora", "one", c.BuyIn(person=LEE, amount=1_00))) is Reason.NOT_ADMITTED
        assert refused(await house.do("dora", "one", c.CashOut(person=LEE, amount=1_00))) is Reason.CHIPS_ONLY
        for command in (Deposit(person=LEE, amount=1), Withdraw(person=LEE, amount=1)):
            assert refused(await house.manage("cal", command)) is Reason.NOT_ADMITTED
        assert refused(await house.manage("ada", Admit(person=LEE, title="Lee"))) is Reason.NAME_WRONG
        assert refused(await house.do("ann", "one", c.LeaveTable(person=LEE))) is Reason.ACCESS_DENIED
        assert await held(house, "chips") == [-500_00]
        well(await house.do("dora", "one", c.LeaveTable(person=LEE)))
        assert await held(house, "chips") == [0]

    run(tmp_path, work)
