"""Entries of the book that move money are held against who may enter them, and with whom."""

import asyncio

import pytest
from msgspec.structs import replace

from puntobanco.house.audit.proof import prove_house
from puntobanco.house.journal.journal import moved
from puntobanco.protocol import entries as b
from puntobanco.protocol.entries import STREAM, Who
from puntobanco.protocol.posts import HOUSE, Post
from puntobanco.store.records import Append, Fact
from puntobanco.store.sqlite import SqliteStore
from puntobanco.store.verify import Discrepancy

ITSELF = Who("house", None, 1)
CASHIER = Who("cal", Post.CASHIER, 2)
SECONDED = Who("cal", Post.CASHIER, 3, second="tom")
PEOPLE = {"root": Post.ADMINISTRATOR, "cal": Post.CASHIER, "tom": Post.SHIFT_MANAGER, "ann": Post.PLAYER}


def opened(people: dict[str, Post] = PEOPLE) -> list[b.AnyEntry]:
    entries: list[b.AnyEntry] = []
    for name, post in people.items():
        entries.append(b.PersonAdmitted(by=ITSELF, person=name, title=name))
        entries.append(b.RoleGiven(by=ITSELF, person=name, post=post, scope=HOUSE))
    return [*entries, b.TableAdded(by=ITSELF, table="one", game="commission", fingerprint="f")]


def fault_of(entries: list[b.AnyEntry], kind: str | None = None) -> Discrepancy | None:
    async def whole() -> Discrepancy | None:
        store = SqliteStore(":memory:")
        await store.open()
        facts = [Fact(kind or b.kind_of(one), one.by.at, b.encode(one), tuple(moved(one))) for one in entries]
        await store.append(Append(stream=STREAM, expected=0, epoch=await store.claim(STREAM), facts=facts))
        found = (await prove_house(store)).fault
        await store.close()
        return found

    return asyncio.run(whole())


RIGHT: list[b.AnyEntry] = [
    b.Deposited(by=CASHIER, person="ann", amount=1_000_00),
    b.Withdrawn(by=CASHIER, person="ann", amount=100_00),
    b.FloatFilled(by=SECONDED, table="one", amount=5_000_00),
    b.FloatCredited(by=SECONDED, table="one", amount=1_000_00),
    b.FloatCounted(by=CASHIER, table="one", counted=4_000_00, booked=4_000_00),
    b.Adjusted(by=SECONDED, account="wallet:ann", amount=5_00, reason="miscounted"),
    b.Adjusted(by=SECONDED, account="float:one", amount=-5_00, reason="miscounted"),
    b.DropCollected(by=SECONDED, table="one", counted=490_00, booked=500_00),
    b.DropCollected(by=SECONDED, table="one", counted=10_00, booked=0),
]


def test_what_people_of_the_house_may_enter_is_proven() -> None:
    assert fault_of([*opened(), *RIGHT]) is None


@pytest.mark.parametrize("place", range(len(RIGHT)), ids=[type(one).__name__ for one in RIGHT])
def test_nobody_enters_money_who_may_not(place: int) -> None:
    dealer = replace(RIGHT[place], by=replace(RIGHT[place].by, post=Post.DEALER))
    entries = [*opened(), *RIGHT[:place], dealer]
    found = fault_of(entries)
    assert found is not None
    assert (found.stream, found.version) == (STREAM, len(entries))
    assert found.what.startswith("the house would refuse it: access_denied")


@pytest.mark.parametrize("second", ["", "cal", "ann", "nobody"])
@pytest.mark.parametrize("place", [2, 3, 5, 6, 7])
def test_what_needs_a_second_person_has_one(place: int, second: str) -> None:
    alone = replace(RIGHT[place], by=replace(SECONDED, second=second))
    found = fault_of([*opened(), *RIGHT[:place], alone])
    assert found is not None
    assert "the house would refuse it" in found.what


@pytest.mark.parametrize("place", [2, 3, 7])
def test_what_crosses_the_counter_has_somebody_from_each_side(place: int) -> None:
    both = opened({**PEOPLE, "cas": Post.CASHIER, "tia": Post.SHIFT_MANAGER})
    for first, second, is_right in (
        (CASHIER, "tia", True), (CASHIER, "cas", False),
        (Who("tom", Post.SHIFT_MANAGER, 2), "cas", True), (Who("tom", Post.SHIFT_MANAGER, 2), "tia", False),
    ):  # fmt: skip
        entry = replace(RIGHT[place], by=replace(first, at=3, second=second))
        assert (fault_of([*both, *RIGHT[:place], entry]) is None) is is_right


@pytest.mark.parametrize("place", [2, 3, 7])
def test_whoever_was_assigned_to_a_role_of_the_pit_at_the_table_may_have_been_the_second(place: int) -> None:
    people = opened({**PEOPLE, "dora": Post.DEALER})
    entry = replace(RIGHT[place], by=replace(SECONDED, second="dora"))
    assert fault_of([*people, *RIGHT[:place], entry]) is None


def test_nobody_enters_money_who_is_not_of_the_house() -> None:
    stranger = b.Deposited(by=replace(CASHIER, person="zed"), person="ann", amount=1_000_00)
    found = fault_of([*opened(), stranger])
    assert found is not None
    assert found.what.startswith("the house would refuse it: not_admitted")


BALANCED = b.CashierBalanced(
    by=ITSELF, person="cal", since=2, sums={"deposit": 1_000_00, "withdrawal": 100_00},
    guests={"ann": {"deposit": 1_000_00, "withdrawal": 100_00}},
)  # fmt: skip


def test_the_sums_of_a_cashier_follow_from_what_they_moved() -> None:
    moved = [*opened(), *RIGHT[:2]]
    assert fault_of([*moved, BALANCED]) is None
    wrong = [
        replace(BALANCED, sums={"deposit": 900_00, "withdrawal": 100_00}),
        replace(BALANCED, guests={}),
        replace(BALANCED, since=1),
        replace(BALANCED, person="tom"),
    ]
    for entry in wrong:
        found = fault_of([*moved, entry])
        assert found is not None
        assert (found.version, found.what) == (
            len(moved) + 1,
            f"the sums differ from what {entry.person} moved since the last balancing",
        )
    assert fault_of([*moved, BALANCED, BALANCED]) is not None, "what is balanced is balanced once"


def test_a_house_gives_play_money_itself_only_where_nobody_administers_it() -> None:
    gift = b.Deposited(by=ITSELF, person="ann", amount=1_000_00)
    demo = {"ann": Post.PLAYER, **PEOPLE}
    assert fault_of([*opened(demo), gift]) is None
    assert fault_of([*opened(), gift]) is not None


def test_an_entry_is_of_its_kind() -> None:
    assert fault_of(opened()[:1], "SignedIn.1") == Discrepancy(STREAM, 1, "kind and time do not match the entry")
