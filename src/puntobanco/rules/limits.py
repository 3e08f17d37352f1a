"""Limits: the minimum, and the Differential of each betting box before and after the close.

Bets are listed in the order they were placed. All of one person's chips on one hand of one box are one bet.
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from puntobanco.rules.arguments import check_fields
from puntobanco.rules.money import CHIP, Cents, apportion, check_stake, write_money
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason, Refused


class ProRata(StrEnum):
    """Whose bets are cut after the close: everyone's on the heavier side, or the seated bettor's last."""

    ALL_PRO_RATA = "all_pro_rata"
    SEATED_FIRST = "seated_first"


class BoxBet(msgspec.Struct, frozen=True, kw_only=True):
    """An Original Bet in a box. `seated`: its owner sits at this box."""

    person: str
    side: Side
    amount: Cents
    seated: bool = False

    def __post_init__(self) -> None:
        if type(self.side) is not Side or type(self.person) is not str:
            check_fields(self)
        check_stake(self.amount, unit=1)


class Effective(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a bet plays, and how much goes back unplayed."""

    bet: BoxBet
    plays: Cents

    @property
    def unplayed(self) -> Cents:
        return Cents(self.bet.amount - self.plays)


class TableLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits displayed at a table: a minimum for each bet, and one Differential tested in each box."""

    minimum: Cents
    differential: Cents
    unit: Cents = CHIP

    def __post_init__(self) -> None:
        check_fields(self)
        if self.unit <= 0 or self.minimum <= 0 or self.differential < 0:
            raise Refused(Reason.LIMIT_NOT_POSITIVE)
        if self.minimum > self.differential:
            raise Refused(
                Reason.MINIMUM_OVER_DIFFERENTIAL,
                minimum=write_money(self.minimum),
                differential=write_money(self.differential),
            )
        for limit in (self.minimum, self.differential):
            if limit % self.unit:
                raise Refused(Reason.LIMIT_NOT_IN_UNITS, limit=write_money(limit), unit=write_money(self.unit))


def differential(bets: Sequence[BoxBet]) -> Cents:
    """The difference between the totals on the two hands of a box."""
    return Cents(abs(_total(bets, Side.BANKER) - _total(bets, Side.PLAYER)))


def free_room(bets: Sequence[BoxBet], side: Side, limits: TableLimits) -> Cents:
    """How much more may be staked on that hand of the box. Nobody in the box can block it."""
    other = Side.PLAYER if side is Side.BANKER else Side.BANKER
    return Cents(max(0, _total(bets, other) + limits.differential - _total(bets, side)))


def under_minimum(bets: Sequence[BoxBet], limits: TableLimits) -> tuple[BoxBet, ...]:
    """The bets below the minimum, whose owners must be advised if it is noticed before the close."""
    return tuple(bet for bet in merged(bets) if bet.amount < limits.minimum)


def reject_excess(bets: Sequence[BoxBet], limits: TableLimits) -> tuple[Effective, ...]:
    """Reject an excess noticed before the close: cut the heavier side, standing bets first, last placed first.

    A raise counts as placed when it is made. If less than the minimum would remain of a bet, the rest is rejected too.

    >>> seated = BoxBet(person="S", side=Side.BANKER, amount=Cents(8_000_00), seated=True)
    >>> standing = BoxBet(person="T", side=Side.BANKER, amount=Cents(4_000_00))
    >>> limits = TableLimits(minimum=Cents(100_00), differential=Cents(10_000_00))
    >>> [one.plays // 100 for one in reject_excess([seated, standing], limits)]
    [8000, 2000]
    """
    whole = _checked(bets, limits)
    heavier, excess = _excess(bets, limits)
    left = {(bet.person, bet.side): bet.amount for bet in whole}
    last_placed_first = tuple(reversed(bets))
    for bet in sorted(last_placed_first, key=lambda bet: bet.seated):
        if bet.side is heavier and excess > 0:
            key = (bet.person, bet.side)
            kept = left[key] - min(left[key], bet.amount, excess)
            kept = kept if kept >= limits.minimum else 0
            excess -= left[key] - kept
            left[key] = Cents(kept)
    return tuple(Effective(bet=bet, plays=left[bet.person, bet.side]) for bet in whole)


def pro_rata(
    bets: Sequence[BoxBet], limits: TableLimits, policy: ProRata = ProRata.ALL_PRO_RATA
) -> tuple[Effective, ...]:
    """Cut an excess that was not rejected before the close: the heavier side plays pro rata, down to the limit.

    A bet below the minimum plays in full; no share falls below the minimum, even if the limit is then exceeded.

    >>> seated = BoxBet(person="S", side=Side.BANKER, amount=Cents(8_000_00), seated=True)
    >>> standing = BoxBet(person="T", side=Side.BANKER, amount=Cents(4_000_00))
    >>> limits = TableLimits(minimum=Cents(100_00), differential=Cents(10_000_00))
    >>> [one.plays // 100 for one in pro_rata([seated, standing], limits)]
    [6667, 3333]
    """
    bets = _checked(bets, limits)
    heavier, excess = _excess(bets, limits)
    plays = {bet: bet.amount for bet in bets}
    if excess <= 0:
        return tuple(Effective(bet=bet, plays=bet.amount) for bet in bets)
    cap = _total(bets, heavier) - excess
    pool = [bet for bet in bets if bet.side is heavier]
    cap -= sum(bet.amount for bet in pool if bet.amount < limits.minimum)
    pool = [bet for bet in pool if bet.amount >= limits.minimum]
    if policy is ProRata.SEATED_FIRST:
        for bet in [bet for bet in pool if bet.seated]:
            plays[bet] = Cents(min(bet.amount, max(cap, limits.minimum)))
            cap -= plays[bet]
            pool.remove(bet)
    plays |= _shares(pool, cap, limits)
    return tuple(Effective(bet=bet, plays=plays[bet]) for bet in bets)


def _shares(pool: list[BoxBet], cap: int, limits: TableLimits) -> dict[BoxBet, Cents]:
    """Share the cap among the pool. A bet that would fall below the minimum is fixed there and leaves the pool."""
    fixed: dict[BoxBet, Cents] = {}
    while pool:
        weight = sum(bet.amount for bet in pool)
        low = [bet for bet in pool if cap * bet.amount < limits.minimum * weight]
        if not low:
            shares = apportion(cap, [bet.amount for bet in pool], limits.unit)
            return fixed | dict(zip(pool, shares, strict=True))
        fixed |= dict.fromkeys(low, limits.minimum)
        cap -= limits.minimum * len(low)
        pool = [bet for bet in pool if bet not in low]
    return fixed


def _checked(bets: Sequence[BoxBet], limits: TableLimits) -> tuple[BoxBet, ...]:
    """The bets of one box, one for each person and hand: in whole chips, with at most one seated bettor."""
    for bet in bets:
        check_stake(bet.amount, limits.unit)
    if len({bet.person for bet in bets if bet.seated}) > 1:
        raise Refused(Reason.TWO_SEATED)
    return merged(bets)


def merged(bets: Sequence[BoxBet]) -> tuple[BoxBet, ...]:
    """One bet for each person and hand, in the order they were first placed."""
    held: dict[tuple[str, Side], BoxBet] = {}
    for bet in bets:
        earlier = held.get((bet.person, bet.side))
        held[bet.person, bet.side] = (
            bet
            if earlier is None
            else msgspec.structs.replace(bet, amount=earlier.amount + bet.amount, seated=earlier.seated or bet.seated)
        )
    return tuple(held.values())


def _total(bets: Sequence[BoxBet], side: Side) -> int:
    return sum(bet.amount for bet in bets if bet.side is side)


def _excess(bets: Sequence[BoxBet], limits: TableLimits) -> tuple[Side, int]:
    """The heavier hand, and by how much it exceeds the lighter one plus the Differential."""
    banker, player = _total(bets, Side.BANKER), _total(bets, Side.PLAYER)
    heavier = Side.BANKER if banker > player else Side.PLAYER
    return heavier, abs(banker - player) - limits.differential
