"""What `python -m tests.house.torture` does at length, in short: whatever goes wrong, the house is whole afterwards."""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import damage, failovers, interruptions, owners, torture, traffic
from tests.house.kills import Point, killed
from tests.house.traces import KINDS, places
from tests.marks import rulings
from tests.store.conftest import place, server  # noqa: F401 (both engines)


@pytest.fixture
def folder() -> Iterator[Path]:
    with torture.folder() as here:
        yield here


def test_every_kind_of_event_is_told_somewhere() -> None:
    assert [kind for kind, found in places().items() if not found] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_house_killed_at_any_kind_of_event_is_whole_afterwards(folder: Path, kind: str) -> None:
    """Each kind at one of the five points here, all of them over the kinds."""
    killed(folder, kind, list(Point)[KINDS.index(kind) % len(Point)], seed=0)


def test_a_log_torn_anywhere_leaves_a_beginning_of_the_history(folder: Path) -> None:
    found = damage.torn(folder, every=97)
    assert None not in found
    assert len(found) == 2, "all of it only if nothing is missing"


def test_sectors_that_were_not_synced_may_be_missing_and_nothing_before_them_is(folder: Path) -> None:
    assert damage.dropped(folder, 60, seed=10)


def test_a_bit_flipped_in_the_log_leaves_a_beginning_or_is_refused(folder: Path) -> None:
    assert len(damage.flipped(folder, 100, seed=3)) > 3


def test_a_bit_flipped_in_the_file_is_refused_or_harmless(folder: Path) -> None:
    found = damage.flipped_at_rest(folder, 100, seed=4)
    assert found["refused"] > 10


@pytest.mark.parametrize("room", [5_000, 30_000, 100_000, 120_000])
def test_a_write_that_fails_stops_the_table_and_a_restart_is_clean(folder: Path, room: int) -> None:
    damage.file_too_big(folder, room)


@pytest.mark.parametrize("room", [400_000, 500_000])
def test_a_full_disk_stops_the_table_and_a_restart_is_clean(folder: Path, room: int) -> None:
    if not damage.can_mount(folder):
        pytest.skip("only the superuser can mount a small disk, and not everywhere")
    assert damage.disk_full(folder, room) > 0


@pytest.mark.parametrize("nth", [1, 2, 9])
@pytest.mark.parametrize("after", [False, True])
def test_a_commit_that_fails_is_acknowledged_to_nobody(folder: Path, nth: int, after: bool) -> None:
    damage.commit_fails(folder, nth, after=after)


def test_requests_sent_again_out_of_order_and_across_restarts_take_effect_once(folder: Path) -> None:
    counts = traffic.repeated(folder, 1_000, seed=5)
    assert counts["effects"] == 1_000
    assert counts["sent"] > 2_000
    assert counts["replies lost"] > 100
    assert counts["refused as used"] > 20


def test_no_bet_is_accepted_after_its_close_and_every_sender_is_told(folder: Path) -> None:
    counts = traffic.closes(folder, 20, seed=6)
    assert sum(counts.values()) == 20 * 64
    assert min(counts.values()) > 100


@rulings("MON-10")
def test_random_rounds_of_every_game_are_conserved_to_the_cent(folder: Path) -> None:
    assert traffic.conserved(folder, 250, seed=7) > 0


def test_a_frozen_former_owner_can_append_nothing(place: str) -> None:  # noqa: F811
    owners.frozen(place)


def test_owners_overtaken_while_they_write_leave_one_history(place: str) -> None:  # noqa: F811
    owners.overtaken(place, 10)


def test_tables_play_on_when_their_database_is_killed_and_its_standby_promoted() -> None:
    assert failovers.failovers(2) >= 2 * failovers.BETS


def test_a_copy_made_while_the_house_runs_is_restored_to_the_same_state(folder: Path) -> None:
    assert len(interruptions.copied(folder, 5, seed=8)) == 5


def test_a_round_interrupted_after_any_card_goes_as_its_document_says(folder: Path) -> None:
    for case in random.Random(9).sample(interruptions.CASES, 30):
        interruptions.interrupted(folder, case)


def test_a_pause_that_was_itself_interrupted_still_goes_on_by_itself(folder: Path) -> None:
    asyncio.run(interruptions.twice(folder / "house.db"))
