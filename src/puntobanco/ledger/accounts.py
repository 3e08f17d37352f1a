"""Accounts and transfers: money is only ever moved, so that all accounts together stay at nothing."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

import msgspec

Account = str

cage: Account = "cage"
"""The world outside the table: what was bought in and cashed out."""
stakes: Account = "stakes"
"""Chips lying on the layout."""
house: Account = "house"
commission: Account = "commission"
adjustments: Account = "adjustments"
"""Corrections of what a person or a table holds, beside every round."""


def purse(person: str) -> Account:
    """A player's money at the table."""
    return f"purse:{person}"


def receivable(person: str) -> Account:
    """What a player owes after a reversal."""
    return f"receivable:{person}"


class Kind(StrEnum):
    BUY_IN = "buy_in"
    CASH_OUT = "cash_out"
    STAKE = "stake"
    WIN = "win"
    LOSS = "loss"
    COMMISSION = "commission"
    PUSH = "push"
    RETURN_UNPLAYED = "return_unplayed"
    RETURN_OPTION = "return_option"
    VOID_REFUND = "void_refund"
    REVERSAL = "reversal"
    SET_OFF = "set_off"
    DEPOSIT = "deposit"
    WITHDRAWAL = "withdrawal"
    FILL = "fill"
    CREDIT = "credit"
    ADJUSTMENT = "adjustment"


class Transfer(msgspec.Struct, frozen=True):
    """So many cents from one account to another."""

    kind: Kind
    source: Account
    target: Account
    amount: int


def balances(transfers: Iterable[Transfer], start: Mapping[Account, int] | None = None) -> dict[Account, int]:
    """What each account holds; all of them together hold nothing."""
    held = dict(start or {})
    for one in transfers:
        held[one.source] = held.get(one.source, 0) - one.amount
        held[one.target] = held.get(one.target, 0) + one.amount
    return held
