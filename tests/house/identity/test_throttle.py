"""How often one may try: growing waits for failures where they came from, a rate for requests, bounded memory."""

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.house.identity.throttle import Patience, RateLimit, Throttle, place
from puntobanco.house.secrets.secret_store import DAY, HOUR, MINUTE, SECOND

HOME, ELSEWHERE, START = "203.0.113.7", "198.51.100.9", 1_900_000_000_000


def failing(throttle: Throttle, times: int, account: str = "anna", address: str = HOME, now: int = START) -> int:
    """Fail so often, waiting whenever told to; the moment afterwards."""
    for _ in range(times):
        while wait := throttle.attempt(account, address, now):
            now += wait
    return now


def test_five_failures_cost_nothing_and_the_next_attempt_waits() -> None:
    throttle = Throttle()
    assert [throttle.attempt("anna", HOME, START) for _ in range(5)] == [0] * 5
    assert throttle.attempt("anna", HOME, START) == SECOND
    assert throttle.attempt("anna", HOME, START + SECOND - 1) == 1
    assert throttle.attempt("anna", HOME, START + SECOND) == 0


def test_the_wait_doubles_up_to_a_longest_and_is_never_for_ever() -> None:
    throttle, now, waits = Throttle(address=Patience(free=1_000)), START, []
    for _ in range(40):
        waits.append(wait := throttle.attempt("anna", HOME, now))
        now += wait
        if wait:
            assert throttle.attempt("anna", HOME, now) == 0
    grown = [wait for wait in waits if wait]
    assert grown[:4] == [SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND]
    assert grown == sorted(grown)
    assert grown[-1] == 15 * MINUTE


def test_attempts_that_are_too_early_are_not_counted() -> None:
    throttle = Throttle()
    failing(throttle, 5)
    for _ in range(1_000):
        assert throttle.attempt("anna", HOME, START) == SECOND
    assert throttle.attempt("anna", HOME, START + SECOND) == 0


def test_many_attempts_at_once_are_not_all_the_first() -> None:
    throttle = Throttle()
    let_through = [throttle.attempt("anna", HOME, START) == 0 for _ in range(100)]
    assert sum(let_through) == 5


def test_the_owner_signs_in_from_another_address_while_an_attacker_waits() -> None:
    throttle = Throttle()
    now = failing(throttle, 12)
    assert throttle.attempt("anna", HOME, now) > 0
    assert throttle.attempt("anna", ELSEWHERE, now) == 0


def test_success_resets_the_account_at_that_address() -> None:
    throttle = Throttle()
    now = failing(throttle, 8)
    now += throttle.attempt("anna", HOME, now)
    assert throttle.attempt("anna", HOME, now) == 0
    throttle.succeeded("anna", HOME, now)
    assert [throttle.attempt("anna", HOME, now) for _ in range(6)] == [0, 0, 0, 0, 0, SECOND]


def test_an_address_that_tries_many_names_waits_too() -> None:
    throttle = Throttle()
    waits = [throttle.attempt(f"name {one}", HOME, START) for one in range(30)]
    assert waits[:20] == [0] * 20
    assert all(waits[20:])


def test_signing_in_as_oneself_between_guesses_does_not_free_the_address() -> None:
    throttle, guesses = Throttle(), 0
    for one in range(100):
        guesses += throttle.attempt(f"victim {one}", HOME, START) == 0
        if throttle.attempt("mallory", HOME, START) == 0:
            throttle.succeeded("mallory", HOME, START)
    assert guesses == 20


def test_what_was_withdrawn_was_never_a_failure() -> None:
    throttle = Throttle()
    for _ in range(100):
        assert throttle.attempt("anna", HOME, START) == 0
        throttle.withdrawn("anna", HOME, START)
    assert len(throttle) == 0


def test_failures_are_forgotten_after_a_while_but_never_before_the_longest_wait_is_over() -> None:
    throttle = Throttle()
    now = failing(throttle, 12)
    assert throttle.attempt("anna", HOME, now + HOUR) == 0
    assert Throttle(Patience(longest=DAY), forget=0).forget == DAY


def test_a_clock_that_is_set_back_makes_nobody_wait_longer_than_the_wait() -> None:
    throttle = Throttle()
    failing(throttle, 5)
    assert throttle.attempt("anna", HOME, START - DAY) == SECOND


def test_a_whole_network_of_one_subscriber_counts_as_one_address() -> None:
    throttle = Throttle()
    for one in range(5):
        assert throttle.attempt("anna", f"2001:db8::{one:x}", START) == 0
    assert throttle.attempt("anna", "2001:db8::ffff", START) > 0
    assert throttle.attempt("anna", "2001:db8:0:1::1", START) == 0


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("a socket", "a socket"),
    ],
)
def test_addresses_are_read_as_places(address: str, counts_as: str) -> None:
    assert place(address) == counts_as


# ---- bounded, and no fresh start by flooding -----------------------------------------------------------------------


def test_memory_is_bounded_however_many_names_and_addresses_are_tried() -> None:
    throttle, rate = Throttle(most=100), RateLimit(1, 5, most=100)
    for one in range(5_000):
        throttle.attempt(f"name {one}" * 50, f"10.{one >> 16}.{one >> 8 & 255}.{one & 255}", START + one)
        rate.take(str(one), START)
    assert len(throttle) <= 200
    assert len(rate) <= 100


def test_a_throttled_account_stays_throttled_while_the_table_is_flooded() -> None:
    throttle = Throttle(most=100)
    now = failing(throttle, 12)
    for one in range(10_000):
        throttle.attempt(f"name {one}", f"10.0.{one >> 8 & 255}.{one & 255}", now)
    assert throttle.attempt("anna", HOME, now) > 0


def test_pushing_each_other_out_of_a_full_table_gives_no_two_names_a_fresh_start() -> None:
    throttle = Throttle(most=1)
    let_through = [throttle.attempt("ab"[turn % 2], HOME, START) == 0 for turn in range(100)]
    assert sum(let_through) <= 10


Tries = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from([HOME, ELSEWHERE]), st.integers(0, 400)),
    min_size=40,
    max_size=120,
)


@given(Tries, st.integers(1, 6))
def test_a_small_table_is_never_milder_than_one_that_forgets_nobody(
    tries: list[tuple[str, str, int]], most: int
) -> None:
    small, whole, now = Throttle(most=most), Throttle(most=10_000), START
    for account, address, later in tries:
        now += later
        if small.attempt(account, address, now) == 0:
            assert whole.attempt(account, address, now) == 0


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 300)), min_size=40, max_size=150), st.integers(1, 3))
def test_a_small_table_of_rates_is_never_milder_either(asked: list[tuple[str, int]], most: int) -> None:
    small, whole, now = RateLimit(2, 3, most=most), RateLimit(2, 3, most=10_000), START
    for who, later in asked:
        now += later
        if small.take(who, now) == 0:
            assert whole.take(who, now) == 0


@given(
    st.integers(1, 50),
    st.integers(1, 20),
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 2_000)), max_size=200),
)
def test_no_span_of_time_holds_more_than_the_burst_and_what_the_rate_allows(
    per_second: int, burst: int, asked: list[tuple[str, int]]
) -> None:
    rate, now, taken = RateLimit(per_second, burst), START, defaultdict[str, list[int]](list)
    for who, later in asked:
        now += later
        if (early := rate.take(who, now)) == 0:
            taken[who].append(now)
        else:
            assert early > 0
    for moments in taken.values():
        for first, start in enumerate(moments):
            for last in range(first, len(moments)):
                assert last - first + 1 <= burst + (moments[last] - start) * per_second / 1_000 + 1e-3


def test_whoever_waits_as_told_is_heard() -> None:
    rate = RateLimit(3, 2)
    now = START
    for _ in range(50):
        if wait := rate.take("anna", now):
            assert rate.take("anna", now + wait - 1) > 0
            now += wait
            assert rate.take("anna", now) == 0


def test_one_who_asks_too_much_takes_nothing_from_others() -> None:
    rate = RateLimit(1, 5)
    assert sum(rate.take("anna", START) == 0 for _ in range(100)) == 5
    assert rate.take("bao", START) == 0
