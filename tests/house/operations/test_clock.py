"""The house's time goes forward at an even pace, whatever is done to the wall clock."""

from hypothesis import given
from hypothesis import strategies as st

from puntobanco.house.operations.clock import HouseClock

MINUTE = 60_000
HOUR = 60 * MINUTE
NOON = 1_700_000_000_000


class Hands:
    """Two clocks that a test moves."""

    def __init__(self, wall: int = NOON) -> None:
        self.wall, self.running = wall, 0

    def pass_by(self, milliseconds: int) -> None:
        self.wall += milliseconds
        self.running += milliseconds

    def clock(self, not_before: int = 0) -> HouseClock:
        return HouseClock(
            not_before, wall=lambda: self.wall * 1_000_000, monotonic=lambda: 5 + self.running * 1_000_000
        )


def test_it_starts_at_the_time_of_the_day_and_goes_with_it() -> None:
    hands = Hands()
    clock = hands.clock()
    hands.pass_by(1_500)
    assert clock() == NOON + 1_500
    assert clock.drift() == 0
    assert clock.changed() == 0


def test_setting_the_wall_clock_back_ten_minutes_prolongs_no_betting() -> None:
    hands = Hands()
    clock = hands.clock()
    deadline = clock() + 20_000
    hands.pass_by(5_000)
    hands.wall -= 10 * MINUTE
    hands.pass_by(15_000)
    assert clock() == deadline
    assert clock.drift() == -10 * MINUTE


def test_setting_the_wall_clock_ahead_an_hour_closes_no_betting() -> None:
    hands = Hands()
    clock = hands.clock()
    deadline = clock() + 20_000
    hands.wall += HOUR
    hands.pass_by(19_999)
    assert clock() == deadline - 1
    assert clock.drift() == HOUR


def test_a_wall_clock_that_stands_still_holds_nothing_up() -> None:
    hands = Hands()
    clock = hands.clock()
    hands.running += 30_000
    assert clock() == NOON + 30_000
    assert clock.drift() == -30_000


def test_a_machine_that_was_frozen_goes_on_where_it_was() -> None:
    """Neither clock moved for us; nobody's time to bet has passed, and the wall clock tells afterwards."""
    hands = Hands()
    clock = hands.clock()
    before = clock()
    assert clock() == before
    hands.wall += HOUR
    hands.pass_by(1)
    assert clock() == before + 1
    assert clock.drift() == HOUR


def test_each_change_of_time_is_told_once() -> None:
    hands = Hands()
    clock = hands.clock()
    hands.wall += HOUR
    assert clock.changed() == HOUR
    assert (clock(), clock.wall()) == (NOON, NOON + HOUR)
    hands.pass_by(MINUTE)
    assert clock.changed() == 0
    hands.wall -= HOUR
    assert clock.changed() == -HOUR
    assert clock.changed() == 0


def test_what_is_less_than_a_second_is_no_change_until_it_adds_up() -> None:
    hands = Hands()
    clock = hands.clock()
    hands.wall += 999
    assert clock.changed() == 0
    hands.wall += 1
    assert clock.changed() == 1_000


def test_a_start_never_falls_behind_what_is_on_record() -> None:
    hands = Hands(wall=NOON - HOUR)
    clock = hands.clock(not_before=NOON)
    assert clock() == NOON
    hands.pass_by(7)
    assert clock() == NOON + 7
    assert clock.changed() == -HOUR


@given(st.lists(st.tuples(st.integers(0, 10_000), st.integers(-HOUR, HOUR), st.booleans()), max_size=30))
def test_it_never_goes_back_across_jumps_and_restarts(steps: list[tuple[int, int, bool]]) -> None:
    hands = Hands()
    clock = hands.clock()
    last = clock()
    for passed, jump, restarted in steps:
        hands.pass_by(passed)
        hands.wall = max(0, hands.wall + jump)
        if restarted:
            clock = hands.clock(not_before=last)
        now = clock()
        assert now >= last + (0 if restarted else passed)
        last = now


def test_the_clock_of_the_machine_is_used_unless_another_is_given() -> None:
    clock = HouseClock()
    assert clock() > NOON
    assert clock() <= clock()
