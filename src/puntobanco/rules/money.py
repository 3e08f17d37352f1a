"""Money is whole cents and odds are fractions. A payout is never rounded."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NewType

from puntobanco.rules.arguments import bad_argument, check_argument
from puntobanco.rules.refusal import Expected, Reason, Refused

Cents = NewType("Cents", int)

CHIP = Cents(100)
"""The default chip unit: one dollar, for which 0.95, 1:2 and 1.5:1 all pay whole cents."""

GREATEST_STAKE = Cents(1_000_000_000_000)
"""Ten thousand million dollars. With odds up to 1,000 to 1, a payout is exact even as a JavaScript number."""

GREATEST_ODDS = 1_000

_AMOUNT = re.compile(r"(?P<sign>-?)(?P<dollars>[0-9]{1,40})(\.(?P<cents>[0-9]{1,2}))?")


def read_money(text: str) -> Cents:
    """Read `100`, `7.5` or `0.95` as whole cents.

    >>> read_money("23.75")
    2375
    """
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise Refused(Reason.NOT_AN_AMOUNT, amount=text)
    cents = int(found["dollars"]) * 100 + int((found["cents"] or "").ljust(2, "0"))
    return Cents(-cents if found["sign"] else cents)


def show_money(cents: int) -> str:
    """For people, as the screens show it: cents only where there are any.

    >>> show_money(110_000), show_money(-2375)
    ('1,100', '−23.75')
    """
    whole, rest = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}{whole:,}" + (f".{rest:02}" if rest else "")


def write_money(cents: int) -> str:
    """For programs and records: `read_money` reads it.

    >>> write_money(-2375)
    '-23.75'
    """
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02}"


class Odds(Fraction):
    """What a winning bet pays for each unit staked: `Odds(19, on=20)` is 0.95 to 1. Odds of 0 are a push.

    >>> str(Odds(50)), str(Odds(1, on=2)), str(Odds(19, on=20)), str(PUSH)
    ('50:1', '1:2', '0.95:1', 'push')
    """

    __slots__ = ()

    def __new__(cls, win: int | Fraction, on: int = 1) -> "Odds":
        check_argument("Odds", "win", win, int | Fraction)
        check_argument("Odds", "on", on, int)
        if on <= 0:
            raise bad_argument("Odds", "on", "int above 0", on)
        return super().__new__(cls, Fraction(win) / on)

    def __str__(self) -> str:
        win, on = self.numerator, self.denominator
        if win == 0:
            return "push"
        if on == 1 or win == 1 or 10_000 % on:
            return f"{win}:{on}"
        decimal = f"{win // on}.{win % on * 10_000 // on:04}".rstrip("0")
        return f"{decimal}:1"

    def of(self, stake: int) -> Cents:
        """The profit of the stake, in whole cents. The chip unit guarantees that there is no remainder."""
        check_argument("of", "stake", stake, int)
        return exactly(self * stake)


PUSH = Odds(0)

_ODDS = re.compile(r"(?P<win>[0-9]{1,6}(\.[0-9]{1,4})?) *: *(?P<on>[1-9][0-9]{0,3})")


def read_odds(text: object) -> Odds:
    """Read odds written as `"8:1"`, `"0.95:1"`, `"1:2"` or `"push"`. A ValueError names what was expected."""
    if text == "push":
        return PUSH
    found = _ODDS.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError(Expected.ODDS)
    odds = Odds(Fraction(found["win"]), on=int(found["on"]))
    if not 0 < odds <= GREATEST_ODDS:
        raise ValueError(Expected.ODDS)
    return odds


class Rate(Fraction):
    """A share of a stake, written as a percentage.

    >>> str(read_rate("5%"))
    '5%'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return f"{float(self * 100):g}%"


_RATE = re.compile(r"(?P<percent>[0-9]{1,2}(\.[0-9]{1,2})?) *%")


def read_rate(text: object) -> Rate:
    found = _RATE.fullmatch(text) if isinstance(text, str) else None
    rate = Rate(Fraction(found["percent"]) / 100) if found else Rate(0)
    if not rate:
        raise ValueError(Expected.RATE)
    return rate


def exactly(amount: Fraction) -> Cents:
    if amount.denominator != 1:
        raise Refused(Reason.UNIT_NOT_PAYABLE, amount=amount / 100)
    return Cents(amount.numerator)


def check_stake(stake: int, unit: int = CHIP, paragraph: str | None = None) -> Cents:
    """Check that a stake is a positive multiple of the chip unit and not above the greatest stake."""
    if type(stake) is not int:
        raise Refused(Reason.NOT_AN_AMOUNT, paragraph, amount=stake)
    if stake <= 0:
        raise Refused(Reason.STAKE_NOT_POSITIVE, paragraph, stake=write_money(stake))
    if stake > GREATEST_STAKE:
        raise Refused(Reason.STAKE_TOO_GREAT, paragraph, greatest=write_money(GREATEST_STAKE))
    if stake % unit:
        raise Refused(Reason.STAKE_NOT_IN_UNITS, paragraph, stake=write_money(stake), unit=write_money(unit))
    return Cents(stake)


def down_to_unit(amount: Fraction | int, unit: int) -> Cents:
    """The amount rounded down to whole chip units."""
    return Cents(amount // unit * unit)


def apportion(total: int, weights: Sequence[int], unit: int) -> tuple[Cents, ...]:
    """Share the total in proportion to the weights, in whole units, by largest remainder. Ties go to the earlier.

    >>> apportion(10_000, [8_000, 4_000, 2_000], unit=1)
    (5714, 2857, 1429)
    """
    raw = [Fraction(total * weight, sum(weights)) for weight in weights]
    shares = [down_to_unit(share, unit) for share in raw]
    left = (total - sum(shares)) // unit
    by_remainder = sorted(range(len(raw)), key=lambda i: (shares[i] - raw[i], i))
    for i in by_remainder[:left]:
        shares[i] = Cents(shares[i] + unit)
    return tuple(shares)
