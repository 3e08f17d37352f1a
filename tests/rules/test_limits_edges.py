"""Limits to the cent: one cent more or less, several bets at the minimum, a bettor who sits down between two bets."""

from collections.abc import Sequence

import pytest

from puntobanco.rules.limits import BoxBet, Effective, ProRata, TableLimits, merged, pro_rata, reject_excess
from puntobanco.rules.money import Cents
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason, Refused


def bet(person: str, amount: int, side: Side = Side.BANKER, *, seated: bool = False) -> BoxBet:
    return BoxBet(person=person, side=side, amount=Cents(amount), seated=seated)


def limits(minimum: int, differential: int, unit: int = 1) -> TableLimits:
    return TableLimits(minimum=Cents(minimum), differential=Cents(differential), unit=Cents(unit))


def plays(effective: Sequence[Effective]) -> list[int]:
    return [one.plays for one in effective]


@pytest.mark.parametrize(
    ("minimum", "differential", "unit", "reason"),
    [
        (1, 1, 1, None),
        (1, 1, 0, Reason.LIMIT_NOT_POSITIVE),
        (0, 1, 1, Reason.LIMIT_NOT_POSITIVE),
        (1, -1, 1, Reason.LIMIT_NOT_POSITIVE),
        (1, 0, 1, Reason.MINIMUM_OVER_DIFFERENTIAL),
        (2, 1, 1, Reason.MINIMUM_OVER_DIFFERENTIAL),
        (100, 150, 100, Reason.LIMIT_NOT_IN_UNITS),
    ],
)
def test_the_least_limits_are_one_chip_and_a_chip_may_be_a_cent(
    minimum: int, differential: int, unit: int, reason: Reason | None
) -> None:
    if reason is None:
        assert limits(minimum, differential, unit)
        return
    with pytest.raises(Refused) as refused:
        limits(minimum, differential, unit)
    assert refused.value.reason is reason


def test_an_excess_of_one_cent_is_an_excess() -> None:
    box = [bet("S", 6, seated=True), bet("T", 5)]
    assert plays(reject_excess(box, limits(1, 10))) == [6, 4]
    assert sum(plays(pro_rata(box, limits(1, 10)))) == 10
    assert plays(pro_rata(box, limits(1, 11))) == [6, 5]


def test_a_bet_is_of_whole_cents_however_many() -> None:
    assert bet("S", 1).amount == 1
    with pytest.raises(Refused) as refused:
        bet("S", 0)
    assert refused.value.reason is Reason.STAKE_NOT_POSITIVE


def test_every_bet_that_would_fall_below_the_minimum_plays_it_and_the_others_share_what_is_left() -> None:
    box = [bet("S", 9_000, seated=True), bet("T1", 150), bet("T2", 150), bet("T3", 4_500)]
    assert plays(pro_rata(box, limits(100, 1_100))) == [600, 100, 100, 300]
    assert plays(pro_rata(box, limits(100, 1_100), ProRata.SEATED_FIRST)) == [1_100, 100, 100, 100]


def test_who_sits_down_between_two_bets_is_seated_for_both() -> None:
    for first, second in ((False, True), (True, False), (True, True)):
        (one,) = merged([bet("S", 100, seated=first), bet("S", 200, seated=second)])
        assert (one.amount, one.seated) == (300, True)
    (one,) = merged([bet("T", 100), bet("T", 200)])
    assert not one.seated
