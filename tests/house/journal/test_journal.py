"""The book: every entry is kept as it was written, leads to one state, and moves what it says."""

import inspect
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from puntobanco.house.house import House
from puntobanco.house.journal.denials import MOST_KINDS, WINDOW, Denials
from puntobanco.house.journal.journal import QUIET, Journal, entered, moved, reread
from puntobanco.ledger.accounts import balances
from puntobanco.protocol import entries as b
from puntobanco.protocol.administrative_commands import Disable, Fill, TakeRole
from puntobanco.protocol.entries import Who
from puntobanco.protocol.incidents import Incident, Stage
from puntobanco.protocol.posts import Post
from puntobanco.table.authority import Confirmation
from tests.house.staffed import PEOPLE, Floor, add, fund, well

BY = Who("ada", Post.ADMINISTRATOR, 1, "127.0.0.1", "r1", "adi")
VALUES: dict[Any, Any] = {
    str: "ann", int: 5_00, bool: True, Post: Post.PLAYER, Who: BY, tuple[str, ...]: ("one",),
    dict[str, Any]: {"type": "Fill", "table": "one", "amount": 5}, Confirmation: Confirmation.PIN,
    Incident: Incident(table="one", version=5, stage=Stage.DECIDING, error="KeyError: 1", trace=("a:1 b: c",)),
    dict[str, str]: {"puntobanco 0.1.0": "0" * 64},
    dict[str, int]: {"deposit": 5}, dict[str, dict[str, int]]: {"ann": {"deposit": 5}},
}  # fmt: skip
KINDS = get_args(b.AnyEntry)


def made(kind: type[Any]) -> Any:
    """An entry with something in every field."""
    return kind(**{field: VALUES[hint] for field, hint in get_type_hints(kind).items() if field != "__slots__"})


def started() -> Journal:
    journal = Journal()
    for entry in (
        b.PersonAdmitted(by=BY, person="ann", title="Ann"),
        b.TableAdded(by=BY, table="ann", game="commission", fingerprint="f"),
    ):
        journal = entered(journal, entry)
    return journal


def test_every_kind_of_entry_there_is_belongs_to_the_book() -> None:
    classes = {one for _, one in inspect.getmembers(b, inspect.isclass) if issubclass(one, b.Entry)}
    assert classes - {b.Entry} == set(KINDS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_entry_is_read_as_it_was_written_and_moves_money_only_in_transfers(kind: type[Any]) -> None:
    entry = made(kind)
    assert b.decode(b.encode(entry)) == entry
    assert b.kind_of(entry) == f"{kind.__name__}.1"
    journal = started()
    after = entered(journal, entry)
    assert after.version == journal.version + 1
    again = started()
    assert reread(again, b.kind_of(entry), b.encode(entry)) == after
    if isinstance(entry, QUIET):
        assert after == msgspec.structs.replace(journal, version=after.version)
    held = balances(moved(entry))
    assert sum(held.values()) == 0
    moves = (b.Deposited, b.Withdrawn, b.FloatFilled, b.FloatCredited, b.DropCollected, b.Adjusted)
    assert bool(held) is (kind in moves)


def test_a_book_of_many_people_is_read_again_to_the_same_and_none_it_was_copied_from_changes() -> None:
    journal, again = Journal(), Journal()
    kept: list[tuple[Journal, int]] = []
    for number in range(300):
        for entry in (
            b.PersonAdmitted(by=BY, person=f"p{number}", title="P"),
            b.RoleGiven(by=BY, person=f"p{number}", post=Post.PLAYER, scope="*"),
            b.SignedIn(by=BY, person=f"p{number}"),
        ):
            journal = entered(journal, entry)
            again = reread(again, b.kind_of(entry), b.encode(entry))
        kept.append((journal, number + 1))
    assert again == journal
    assert all(len(one.people) == many for one, many in kept)


def test_an_adjustment_up_and_the_same_down_leave_nothing() -> None:
    up, down = (b.Adjusted(by=BY, account="wallet:ann", amount=amount, reason="x") for amount in (7_00, -7_00))
    assert set(balances([*moved(up), *moved(down)]).values()) == {0}
    assert balances(moved(up))["wallet:ann"] == 7_00


def test_an_unknown_entry_is_not_read_as_another() -> None:
    with pytest.raises(msgspec.ValidationError):
        b.decode(b'{"type": "Deposited2", "by": {"person": "x", "post": null, "at": 1}}')


def test_the_book_is_the_same_after_a_restart(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    kept: list[Journal] = []

    async def before(house: House) -> None:
        await add(house, "one", "commission")
        await add(house, "two", "super-six", automatic=True)
        await fund(house, "ann", 100_00)
        well(await house.manage("tom", Fill(table="one", amount=1_000_00)))
        well(await house.manage("tom", Disable(person="bob", reason="x")))
        well(await house.manage("ada", TakeRole(person="wall")))
        kept.append(house.journal)

    async def after(house: House) -> None:
        journal = house.journal
        assert (journal.people, journal.tables, journal.waiting, journal.asked) == (
            kept[0].people, kept[0].tables, kept[0].waiting, 1,
        )  # fmt: skip
        assert set(journal.people) == set(PEOPLE)
        assert not journal.people["bob"].active
        assert journal.tables["two"].automatic
        assert journal.version > kept[0].version

    floor.run(before, program=("0.1", "abc"))
    floor.run(after, program=("0.1", "abc"))
    floor.run(_programs, program=("0.2", "def"))


async def _programs(house: House) -> None:
    assert house.journal.programs == {"0.1": "abc", "0.2": "def"}


def test_the_first_digest_of_a_program_stays() -> None:
    journal = Journal()
    for digest in ("abc", "another"):
        journal = entered(journal, b.HouseOpened(by=BY, program="0.1", digest=digest))
    assert journal.programs == {"0.1": "abc"}


def test_refused_access_is_written_at_once_then_counted_for_a_minute() -> None:
    denials = Denials()

    def note(person: str, what: str, at: int) -> list[tuple[str, str, int]]:
        written = denials.note(Who(person, None, at), what)
        return [(one.by.person, one.what, one.times) for one in written]

    assert note("ann", "Fill", 0) == [("ann", "Fill", 1)]
    assert note("ann", "Fill", 1) == []
    assert note("ann", "Credit", 1) == [("ann", "Credit", 1)]
    assert note("bob", "Fill", 1) == [("bob", "Fill", 1)]
    assert note("ann", "Fill", WINDOW - 1) == []
    assert note("ann", "Fill", WINDOW) == [("ann", "Fill", 2), ("ann", "Fill", 1)]
    assert note("x" * 1_000, "Fill", WINDOW) == [("x" * 40, "Fill", 1)]
    assert denials.over() == ()


def test_however_many_kinds_are_refused_the_book_grows_by_so_many_a_minute() -> None:
    denials = Denials()
    written = [denials.note(Who(f"p{number}", None, 0), "x") for number in range(10 * MOST_KINDS)]
    assert len([one for one in written if one]) == MOST_KINDS + 1
    assert sum(one.times for one in denials.over()) == 9 * MOST_KINDS - 1
