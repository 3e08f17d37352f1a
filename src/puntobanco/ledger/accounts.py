"""Accounts and transfers: money is only ever moved, so that all accounts together stay at nothing."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum

import msgspec

Account = str

cage: Account = "cage"
"""The world outside the table: what was bought in and cashed out."""
stakes: Account = "stakes"
"""Chips lying on the layout."""
house: Account = "house"
drop: Account = "drop"
"""Cash guests bought in with, in the box under the table until it is counted."""
chips: Account = "chips"
"""Chips in circulation: guests carried them away from a table, or brought them to one. It falls below nothing where
chips come back that left the house before its records began."""
commission: Account = "commission"
adjustments: Account = "adjustments"
"""Corrections of what a person or a table holds, beside every round."""


def purse(person: str) -> Account:
    """A player's money at the table."""
    return f"purse:{person}"


def receivable(person: str) -> Account:
    """What a player owes after a reversal."""
    return f"receivable:{person}"


class Accounts(msgspec.Struct, frozen=True, kw_only=True):
    """What the accounts of a table are called: by itself, unless it is one of a house."""

    stakes: Account = stakes
    house: Account = house
    drop: Account = drop
    commission: Account = commission
    purse: Callable[[str], Account] = purse
    receivable: Callable[[str], Account] = receivable
    wallet: Callable[[str], Account] = lambda _: cage
    """What a person buys in from and cashes out to."""


class TransferKind(StrEnum):
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
    DECISION = "decision"
    SET_OFF = "set_off"
    DROP = "drop"
    DEPOSIT = "deposit"
    WITHDRAWAL = "withdrawal"
    FILL = "fill"
    CREDIT = "credit"
    ADJUSTMENT = "adjustment"


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """So many cents from one account to another."""

    kind: TransferKind
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
