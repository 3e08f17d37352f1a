"""Whole cents, exact odds, and the one module that divides money."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.rules.money import (
    GREATEST_ODDS,
    GREATEST_STAKE,
    PUSH,
    Odds,
    apportion,
    check_stake,
    exactly,
    read_money,
    read_odds,
    read_rate,
    show_money,
    write_money,
)
from puntobanco.rules.refusal import Reason, Refused
from tests.marks import rulings


@rulings("MON-2")
@pytest.mark.parametrize(
    ("text", "cents"), [("0", 0), ("1", 100), ("7.5", 750), ("23.75", 2375), ("0.05", 5), ("-3", -300), ("007", 700)]
)
def test_amounts_are_read_as_whole_cents(text: str, cents: int) -> None:
    assert read_money(text) == cents


AMOUNTS = Path(__file__).parents[2] / "ui" / "src" / "lib" / "amounts.json"


@pytest.mark.parametrize(("cents", "text"), json.loads(AMOUNTS.read_text(encoding="utf-8")))
def test_amounts_for_people_are_written_as_on_the_screens(cents: int, text: str) -> None:
    assert show_money(cents) == text


@pytest.mark.parametrize(
    "text",
    ["", "x", "1e30", "1.234", "1,000", "1_000", "NaN", "inf", ".5", "5.", "+5", " 5", "٣", "1" * 41, "0x10", "1\n"],
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read_money(text)
    assert refused.value.reason is Reason.NOT_AN_AMOUNT


@given(st.integers(min_value=-(10**30), max_value=10**30))
def test_what_is_shown_is_read_back(cents: int) -> None:
    assert read_money(write_money(cents)) == cents


@rulings("MON-3")
@pytest.mark.parametrize(
    ("stake", "unit", "reason"),
    [
        (0, 100, Reason.STAKE_NOT_POSITIVE),
        (-100, 100, Reason.STAKE_NOT_POSITIVE),
        (150, 100, Reason.STAKE_NOT_IN_UNITS),
        (10**32, 100, Reason.STAKE_TOO_GREAT),
        (GREATEST_STAKE + 100, 100, Reason.STAKE_TOO_GREAT),
    ],
)
def test_a_stake_is_a_positive_multiple_of_the_unit_and_not_absurd(stake: int, unit: int, reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        check_stake(stake, unit)
    assert refused.value.reason is reason


@rulings("MON-8")
def test_the_greatest_payout_is_exact_in_a_browser() -> None:
    assert check_stake(GREATEST_STAKE) == GREATEST_STAKE
    assert Odds(GREATEST_ODDS).of(GREATEST_STAKE) + GREATEST_STAKE < 2**53


@pytest.mark.parametrize(
    ("text", "odds", "shown"),
    [
        ("50:1", Odds(50), "50:1"),
        ("1:2", Odds(1, on=2), "1:2"),
        ("0.95:1", Odds(19, on=20), "0.95:1"),
        ("19:20", Odds(19, on=20), "0.95:1"),
        ("1.5:1", Odds(3, on=2), "1.5:1"),
        ("8:7", Odds(8, on=7), "8:7"),
        ("123.4567:1", Odds(Fraction(1234567, 10000)), "123.4567:1"),
        ("push", PUSH, "push"),
    ],
)
def test_odds_are_read_and_shown(text: str, odds: Odds, shown: str) -> None:
    assert read_odds(text) == odds
    assert str(odds) == shown
    assert read_odds(shown) == odds


@pytest.mark.parametrize("text", ["", "8", "8/1", "0:1", "-1:1", "8:0", "1001:1", "x:1", 8, None, "1e3:1", "8:1 "])
def test_what_is_no_odds_is_refused(text: object) -> None:
    with pytest.raises(ValueError, match="expected_odds"):
        read_odds(text)


@pytest.mark.parametrize("text", ["", "5", "0%", "-5%", "100%", 5, "five%"])
def test_what_is_no_percentage_is_refused(text: object) -> None:
    with pytest.raises(ValueError, match="expected_rate"):
        read_rate(text)


def test_a_percentage_reads_as_a_share() -> None:
    assert read_rate("5%") == Fraction(1, 20)
    assert str(read_rate("2.5%")) == "2.5%"


@rulings("MON-2", "MON-5", "REJ-21")
def test_no_payout_is_ever_rounded() -> None:
    assert Odds(19, on=20).of(2500) == 2375
    with pytest.raises(Refused) as refused:
        exactly(Fraction(1, 2))
    assert refused.value.reason is Reason.UNIT_NOT_PAYABLE


@given(st.integers(0, 10**9), st.lists(st.integers(1, 10**9), min_size=1, max_size=12), st.sampled_from([1, 5, 100]))
def test_shares_add_up_and_stay_within_a_unit_of_proportion(units: int, weights: list[int], unit: int) -> None:
    total = units * unit
    shares = apportion(total, weights, unit)
    assert sum(shares) == total
    for share, weight in zip(shares, weights, strict=True):
        assert share % unit == 0
        assert abs(share - Fraction(total * weight, sum(weights))) < unit


def test_equal_remainders_go_to_the_earlier() -> None:
    assert apportion(100, [1, 1, 1], unit=1) == (34, 33, 33)
