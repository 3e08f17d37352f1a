"""The office: money beside the tables moves exactly once, never out of nothing, and only with the hands it needs."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from puntobanco.house.house import House
from puntobanco.house.journal.writer import JournalWriter
from puntobanco.house.operations.settings import MoneySettings
from puntobanco.protocol import entries as b
from puntobanco.protocol.account_names import commission_of, float_of
from puntobanco.protocol.administrative_commands import (
    Acknowledge,
    AdjustFloat,
    AdjustWallet,
    CountFloat,
    Credit,
    Deposit,
    Disable,
    Fill,
    GiveRole,
    Withdraw,
)
from puntobanco.protocol.answers import Answer
from puntobanco.protocol.posts import Post
from puntobanco.rules.money import GREATEST_STAKE
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store import open_store
from puntobanco.store.places import Damaged
from puntobanco.store.records import Append, Fact, StoreFailed
from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from tests.house.staffed import Floor, add, bet, deal, entries, fill, fund, in_wallet, pay_out, refused, settle, well
from tests.marks import rulings


def test_deposits_and_withdrawals_move_between_cage_and_wallet(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        well(await house.manage("cal", Deposit(person="ann", amount=500_00)))
        await pay_out(house, "cal", "ann", 200_00)
        assert await in_wallet(house, "ann") == 300_00
        version = house.journal.version
        assert refused(await house.manage("cal", Withdraw(person="ann", amount=300_01))) is Reason.WALLET_EMPTY
        assert refused(await house.manage("cal", Withdraw(person="bob", amount=1))) is Reason.WALLET_EMPTY
        assert house.journal.version == version
        held = await house.store.balances()
        assert (held["cage"], held["wallet:ann"]) == (-300_00, 300_00)

    Floor(tmp_path).run(work)


@pytest.mark.parametrize(
    ("amount", "reason"),
    [(0, Reason.AMOUNT_NOT_POSITIVE), (-0, Reason.AMOUNT_NOT_POSITIVE), (-1, Reason.AMOUNT_NOT_POSITIVE),
     (GREATEST_STAKE + 1, Reason.AMOUNT_TOO_GREAT), (2**63, Reason.AMOUNT_TOO_GREAT),
     (10**40, Reason.AMOUNT_TOO_GREAT)],
)  # fmt: skip
def test_an_amount_is_positive_and_bounded(tmp_path: Path, amount: int, reason: Reason) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        version = house.journal.version
        for command in (
            Deposit(person="ann", amount=amount), Withdraw(person="ann", amount=amount),
            Fill(table="one", amount=amount), Credit(table="one", amount=amount),
        ):  # fmt: skip
            assert refused(await house.manage("cal", command)) is reason
        if amount:
            assert refused(await house.manage("cal", CountFloat(table="one", counted=amount))) is reason
        for adjust in (-abs(amount), abs(amount)):
            float_ = AdjustFloat(table="one", amount=adjust, reason="x")
            if not amount or abs(amount) > GREATEST_STAKE:
                assert refused(await house.manage("cal", float_)) is reason
        assert house.journal.version == version
        assert await house.store.balances() == {}

    Floor(tmp_path).run(work)


def test_more_than_any_account_can_hold_is_refused_and_the_office_lives_on(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        well(await house.manage("cal", Deposit(person="ann", amount=GREATEST_STAKE)))
        assert await in_wallet(house, "ann") == GREATEST_STAKE
        by = b.Who("cal", Post.CASHIER, 1)
        vast = b.Deposited(by=by, person="ann", amount=2**63)
        with pytest.raises(StoreFailed):
            await house.journal_writer.note(vast)
        assert house.journal_writer.failed is None
        well(await house.manage("cal", Deposit(person="ann", amount=1)))

    Floor(tmp_path).run(work, money=MoneySettings(second_over=GREATEST_STAKE, largest_entry=GREATEST_STAKE))


def test_wallets_belong_to_players_and_nobody_moves_their_own(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        for name in ("dora", "cas", "ada"):
            assert refused(await house.manage("cal", Deposit(person=name, amount=1))) is Reason.NO_WALLET
        assert refused(await house.manage("cal", Deposit(person="who", amount=1))) is Reason.NOT_ADMITTED
        for name in ("cal", "tom"):
            well(await house.manage("ada", GiveRole(person=name, post=Post.PLAYER, scope="one")))
        for own in (
            Deposit(person="cal", amount=1), Withdraw(person="cal", amount=1),
            AdjustWallet(person="cal", amount=1, reason="tip"),
        ):  # fmt: skip
            assert refused(await house.manage("cal", own)) is Reason.OWN_MONEY
        toms = well(await house.manage("cal", AdjustWallet(person="tom", amount=1, reason="tip")))
        assert refused(await house.confirm("tom", toms.waits)) is Reason.OWN_MONEY
        assert await house.store.balances() == {}
        well(await house.manage("cas", Deposit(person="cal", amount=5_00)))

    Floor(tmp_path).run(work)


def test_money_of_somebody_who_plays_no_more_can_still_be_paid_out(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await fund(house, "ann", 100_00)
        well(await house.manage("ada", GiveRole(person="ann", post=Post.DEALER)))
        assert refused(await house.manage("cal", Deposit(person="ann", amount=1))) is Reason.NO_WALLET
        await pay_out(house, "cal", "ann", 100_00)
        assert refused(await house.manage("cal", Withdraw(person="ann", amount=1))) is Reason.NO_WALLET

    Floor(tmp_path).run(work)


def test_fills_credits_counts_and_adjustments_of_a_float(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        fill = well(await house.manage("cal", Fill(table="one", amount=10_000_00)))
        assert await house.store.balances() == {}
        well(await house.confirm("sue", fill.waits))
        credit = well(await house.manage("max", Credit(table="one", amount=4_000_00)))
        well(await house.confirm("cas", credit.waits))
        well(await house.manage("sue", CountFloat(table="one", counted=5_990_00)))
        counted = (await entries(house, b.FloatCounted))[0]
        assert (counted.counted, counted.booked) == (5_990_00, 6_000_00)
        assert refused(await house.manage("cal", AdjustFloat(table="one", amount=-10_00, reason=" "))) is (
            Reason.REASON_WANTED
        )
        adjust = well(await house.manage("cal", AdjustFloat(table="one", amount=-10_00, reason="a chip was lost")))
        well(await house.confirm("tim", adjust.waits))
        held = await house.store.balances()
        assert (held[float_of("one")], held["adjustments"], held["cage"]) == (5_990_00, 10_00, -6_000_00)
        filled = (await entries(house, b.FloatFilled))[0]
        assert (filled.by.person, filled.by.post, filled.by.second) == ("cal", Post.CASHIER, "sue")
        for nowhere in (Fill(table="x", amount=1), CountFloat(table="x", counted=1)):
            assert refused(await house.manage("cal", nowhere)) is Reason.UNKNOWN_TABLE
        well(await house.manage("sue", CountFloat(table="one", counted=0)))

    Floor(tmp_path).run(work)


def test_no_more_goes_back_to_the_cage_than_the_float_holds(tmp_path: Path) -> None:
    """A table may lose more than it holds; that is then made up by a fill."""

    async def work(house: House) -> None:
        await add(house, "one", "commission")
        nothing, all_of_it = Credit(table="one", amount=1), Credit(table="one", amount=150_00)
        assert refused(await house.manage("cal", nothing)) is Reason.FLOAT_TOO_SMALL
        await fill(house, "one", 150_00)
        too_much = await house.manage("max", Credit(table="one", amount=150_01))
        assert refused(too_much) is Reason.FLOAT_TOO_SMALL
        assert too_much.refusal is not None
        assert too_much.refusal.parameters == {"amount": "150.01", "held": "150.00"}
        assert house.journal.waiting == {}
        asked, twice = [well(await house.manage(name, all_of_it)) for name in ("sue", "max")]
        well(await house.confirm("cal", asked.waits))
        assert refused(await house.confirm("cal", twice.waits)) is Reason.FLOAT_TOO_SMALL
        assert house.journal.waiting == {}
        assert (await house.store.balances())[float_of("one")] == 0

        await fund(house, "ann", 100_00, "one")
        await bet(house)
        await deal(house, "one", "9S 2D KC KD")
        await settle(house)
        assert (await house.store.balances())[float_of("one")] == -100_00
        assert refused(await house.manage("cal", nothing)) is Reason.FLOAT_TOO_SMALL
        await fill(house, "one", 100_01)
        well(await house.confirm("sue", well(await house.manage("cal", nothing)).waits))
        assert (await house.store.balances())[float_of("one")] == 0

    Floor(tmp_path).run(work)


@rulings("TEC-11")
def test_the_chips_of_commission_are_counted_with_the_float_they_never_left(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await fill(house, "one", 1_000_00)
        await fund(house, "ann", 100_00, "one")
        await bet(house, on="banker")
        await deal(house, "one", "2S 9D KC KD")
        await settle(house)
        held = await house.store.balances()
        assert (held[float_of("one")], held[commission_of("one")]) == (900_00, 5_00)
        well(await house.manage("sue", CountFloat(table="one", counted=905_00)))
        counted = (await entries(house, b.FloatCounted))[0]
        assert (counted.counted, counted.booked) == (905_00, 905_00)
        assert refused(await house.manage("cal", Credit(table="one", amount=905_01))) is Reason.FLOAT_TOO_SMALL
        well(await house.confirm("sue", well(await house.manage("cal", Credit(table="one", amount=905_00))).waits))

    Floor(tmp_path).run(work)


@pytest.mark.parametrize(
    ("first", "may", "may_not"),
    [("cal", {"sue", "sam", "max", "tom", "tim"}, {"cas", "dora", "ada", "eve", "ann", "dev", "wall"}),
     ("sue", {"cal", "cas"}, {"sam", "max", "tom", "tim", "dora", "ada", "eve"}),
     ("tom", {"cal", "cas"}, {"sue", "tim", "ada"})],
)  # fmt: skip
def test_a_fill_needs_one_cashier_and_one_of_the_pit(
    tmp_path: Path, first: str, may: set[str], may_not: set[str]
) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await fill(house, "one", 100)
        for number, second in enumerate(sorted(may | may_not), start=1):
            for command in (Fill, Credit):
                asked = well(await house.manage(first, command(table="one", amount=number)))
                assert house.may_second(second, house.journal.waiting[asked.waits]) is (second in may)
                answer = await house.confirm(second, asked.waits)
                assert (answer.refusal is None) is (second in may)
                if second in may_not:
                    assert refused(answer) is Reason.ACCESS_DENIED
        left = len(may_not) * 2
        assert len(house.journal.waiting) == left
        assert refused(await house.confirm(first, min(house.journal.waiting))) is Reason.SECOND_IS_FIRST
        assert (await house.store.balances())[float_of("one")] == 100

    Floor(tmp_path).run(work)


def test_an_adjustment_of_a_wallet_is_a_new_entry_by_two(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await fund(house, "ann", 100_00)
        too_much = AdjustWallet(person="ann", amount=-100_01, reason="x")
        assert refused(await house.manage("cal", too_much)) is Reason.WALLET_EMPTY
        adjust = AdjustWallet(person="ann", amount=-100_00, reason="paid twice")
        asked = well(await house.manage("cal", adjust))
        assert refused(await house.confirm("sue", asked.waits)) is Reason.ACCESS_DENIED
        await pay_out(house, "cal", "ann", 1_00)
        assert refused(await house.confirm("tom", asked.waits)) is Reason.WALLET_EMPTY
        assert house.journal.waiting == {}
        assert await in_wallet(house, "ann") == 99_00
        given = (await entries(house, b.SecondGiven))[-1]
        assert (given.by.person, given.refused) == ("tom", "wallet_empty")
        back = well(await house.manage("tom", AdjustWallet(person="ann", amount=1_00, reason="and back")))
        assert refused(await house.confirm("tom", back.waits)) is Reason.SECOND_IS_FIRST
        well(await house.confirm("tim", back.waits))
        assert await in_wallet(house, "ann") == 100_00
        assert len(await entries(house, b.Adjusted)) == 1

    Floor(tmp_path).run(work)


def test_a_request_takes_effect_once_also_after_a_restart(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    deposit = Deposit(person="ann", amount=100_00)

    async def work(house: House) -> None:
        answers = [await house.manage("cal", deposit, "r1") for _ in range(3)]
        assert len(set(map(str, answers))) == 1
        assert await in_wallet(house, "ann") == 100_00
        other = Deposit(person="ann", amount=200_00)
        assert refused(await house.manage("cal", other, "r1")) is Reason.REQUEST_REUSED
        well(await house.manage("cas", other, f"r{house.journal.version}"))
        assert await in_wallet(house, "ann") == 100_00 + 200_00
        await pay_out(house, "cas", "ann", 200_00)

    floor.run(work)
    floor.run(work)


def test_a_second_is_asked_for_once_and_nobody_uses_the_numbers_of_the_house_itself(
    tmp_path: Path,
) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        fill = Fill(table="one", amount=5_00)
        assert refused(await house.manage("cal", fill, "second:1")) is Reason.REQUEST_WRONG
        with pytest.raises(Refused, check=lambda one: one.reason is Reason.REQUEST_WRONG):
            await house.do("dora", "one", c.OpenBetting(), "second:1")
        first, again = [well(await house.manage("cal", fill, "r1")) for _ in range(2)]
        assert first == again
        well(await house.confirm("sue", first.waits))
        assert await house.manage("cal", fill, "r1") == first
        assert (await house.store.balances())[float_of("one")] == 5_00
        assert house.journal.waiting == {}

    Floor(tmp_path).run(work)


def test_a_wallet_is_spent_once_when_office_and_table_reach_for_it_together(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        for _ in range(20):
            well(await house.manage("cal", Deposit(person="ann", amount=100_00)))
            out, buy = Withdraw(person="ann", amount=100_00), c.BuyIn(person="ann", amount=100_00)
            asked: list[Answer] = [
                await house.manage("cal", out),
                await house.manage("cas", out),
                await house.do("cas", "one", buy),
            ]
            answers = await asyncio.gather(
                house.do("ann", "one", buy), *(house.confirm("ann", well(one).waits) for one in asked)
            )
            lost = [refused(one) for one in answers if one.refusal is not None]
            assert lost == [Reason.WALLET_EMPTY] * 3
            assert await in_wallet(house, "ann") == 0
        assert house.failed == {}

    Floor(tmp_path).run(work)


def test_one_request_sent_to_a_table_and_the_office_at_once_harms_neither(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00, "one")
        for number in range(20):
            answers = await asyncio.gather(
                house.manage("cal", Deposit(person="bob", amount=1_00), f"r{number}"),
                house.do("cal", "one", c.CashOut(person="ann", amount=1_00), f"r{number}"),
            )
            assert [refused(one) for one in answers if one.refusal] == [Reason.REQUEST_REUSED]
        by = b.Who("cal", Post.CASHIER, 1, request="r0")
        late = b.Deposited(by=by, person="bob", amount=1_00)
        assert refused(await house.journal_writer._answered((late,), by, b"another", 1)) is Reason.REQUEST_REUSED
        assert house.failed == {}
        moved = await in_wallet(house, "bob") + await in_wallet(house, "ann")
        assert moved == 20_00

    Floor(tmp_path).run(work)


def test_whoever_asks_and_goes_away_leaves_the_office_whole(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        for number in range(60):
            asking = asyncio.create_task(house.manage("cal", Deposit(person="ann", amount=1_00), f"r{number}"))
            await asyncio.sleep(0.0001 * number)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        for number in range(60):
            well(await house.manage("cal", Deposit(person="ann", amount=1_00), f"r{number}"))
        assert house.failed == {}
        assert await in_wallet(house, "ann") == 60_00

    Floor(tmp_path).run(work)


def test_an_office_whose_book_another_house_has_taken_fails_and_writes_nothing(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        await house.store.claim(b.STREAM)
        with pytest.raises(StoreFailed):
            await house.manage("cal", Deposit(person="ann", amount=1_00))
        assert set(house.failed) == {"house"}
        assert await in_wallet(house, "ann") == 0
        assert refused(await house.manage("ann", Deposit(person="ann", amount=1))) is Reason.ACCESS_DENIED

    Floor(tmp_path).run(work)


def test_reasons_are_one_line(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        for reason in ("", "  ", "a\nb", "x" * 1_001, "\u202ex"):
            assert refused(await house.manage("tom", Disable(person="ann", reason=reason))) is Reason.REASON_WANTED
        assert refused(await house.manage("tom", Disable(person="who", reason="x"))) is Reason.NOT_ADMITTED

    Floor(tmp_path).run(work)


def test_nobody_has_seen_to_an_alert_that_was_not_raised(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00, "one")
        for version in (-1, 0, 1, table.state.version, table.state.version + 1, 10**9):
            early = Acknowledge(table="one", version=version)
            assert refused(await house.manage("dora", early)) is Reason.NOT_FOUND
        await bet(house)
        well(await house.do("ann", "one", c.Report(round=1, fault=c.Fault.UNPROVIDED, note="my chip")))
        raised = [row.version async for row in house.store.read("one") if row.kind.startswith("AlertRaised.")]
        for version in raised:
            well(await house.manage("dora", Acknowledge(table="one", version=version)))

    Floor(tmp_path).run(work)


def test_an_alert_is_acknowledged_by_the_rank_that_it_alerts_or_a_higher_one(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await add(house, "one", "commission")
        await fund(house, "ann", 1_000_00, "one")
        await bet(house)
        well(await house.do("dora", "one", c.Report(round=1, fault=c.Fault.UNPROVIDED, note="a fire alarm")))
        asked = [row.version async for row in house.store.read("one") if row.kind.startswith("QuestionPut.")]
        assert table.state.question is not None
        assert table.state.question.asked_of is not Role.DEALER
        seen = Acknowledge(table="one", version=asked[-1])
        assert refused(await house.manage("dora", seen)) is Reason.ACCESS_DENIED
        well(await house.manage("tom", seen))

    Floor(tmp_path).run(work)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events SET body = CAST(replace(CAST(body AS TEXT), '\"player\"', '\"cashier\"') AS BLOB)",
        "UPDATE events SET body = x'00' WHERE version = 3",
        "UPDATE events SET kind = 'SignedIn.1' WHERE version = 3",
        "DELETE FROM events WHERE version = 3",
        "DELETE FROM events WHERE version = (SELECT max(version) FROM events)",
    ],
)
def test_a_book_that_was_changed_is_not_read_on(tmp_path: Path, change: str) -> None:
    floor = Floor(tmp_path)

    async def nothing(_: House) -> None: ...

    floor.run(nothing)
    with sqlite3.connect(floor.path) as db:
        for trigger in ("events_stay", "events_are_kept"):
            db.execute(f"DROP TRIGGER {trigger}")
        assert db.execute(change).rowcount
    db.close()
    with pytest.raises(Damaged, match="house, version"):
        asyncio.run(_started(floor.path))


def test_an_entry_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    taken = b.RoleTaken(by=b.Who("ada", Post.ADMINISTRATOR, 1), person="nobody", scope="*")

    async def whole() -> None:
        for nth, body in enumerate((b"rubbish", b.encode(taken))):
            store = open_store(tmp_path / f"{nth}.db")
            await store.open()
            facts = [Fact(b.kind_of(taken), 1, body, ())]
            await store.append(Append(stream=b.STREAM, expected=0, epoch=await store.claim(b.STREAM), facts=facts))
            await store.close()
            with pytest.raises(Damaged, match="house, version 1: the entry cannot be read"):
                await _started(tmp_path / f"{nth}.db")

    asyncio.run(whole())


async def _started(path: Path) -> None:
    store = open_store(path)
    await store.open()
    try:
        await JournalWriter(store).start()
    finally:
        await store.close()
