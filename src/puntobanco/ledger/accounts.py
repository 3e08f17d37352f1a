"""Accounts and transfers: money is only moved, so the sum of all accounts is always zero."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum

import msgspec

Account = str

cage: Account = "cage"
"""Outside the table: buy-ins come from here, cash-outs go here."""
stakes: Account = "stakes"
"""Chips on the layout."""
house: Account = "house"
drop: Account = "drop"
"""Cash from guests' buy-ins, in the drop box until it is counted."""
chips: Account = "chips"
"""Chips in circulation: guests carried them away from a table or brought them to one. Negative if chips come back that
left the house before its records began."""
commission: Account = "commission"
adjustments: Account = "adjustments"
"""Corrections of what a person or a table holds, outside any round."""


def purse(person: str) -> Account:
    """A player's money at the table."""
    return f"purse:{person}"


def receivable(person: str) -> Account:
    """What a player owes after a reversal or a decision."""
    return f"receivable:{person}"


class Accounts(msgspec.Struct, frozen=True, kw_only=True):
    """The account names of a table: on its own, or as one table of a house."""

    stakes: Account = stakes
    house: Account = house
    drop: Account = drop
    commission: Account = commission
    purse: Callable[[str], Account] = purse
    receivable: Callable[[str], Account] = receivable
    wallet: Callable[[str], Account] = lambda _: cage
    """The account that a person buys in from and cashes out to."""


class TransferKind(StrEnum):
    """Why money moved."""

    BUY_IN = "buy_in"
    """From the wallet, or for cash or chips, to the purse at a table."""
    CASH_OUT = "cash_out"
    """From the purse at a table to the wallet, or out as chips."""
    STAKE = "stake"
    """From the purse onto the layout, or back from it: a bet changed, handed back, or won."""
    WIN = "win"
    """What a winning bet pays, before commission."""
    LOSS = "loss"
    """A losing stake, to the float of the table."""
    COMMISSION = "commission"
    """Commission on what a bet won."""
    PUSH = "push"
    """The stake of a bet that neither won nor lost."""
    RETURN_UNPLAYED = "return_unplayed"
    """The part of a stake that did not play, because the Differential cut it."""
    RETURN_OPTION = "return_option"
    """A stake taken back by a player who was offered options."""
    VOID_REFUND = "void_refund"
    """A stake of a round that was declared void."""
    REVERSAL = "reversal"
    """A settlement taken back."""
    DECISION = "decision"
    """A bet decided by the House otherwise than recorded."""
    SET_OFF = "set_off"
    """From the purse of a player who owes money to the House, against that debt."""
    DROP = "drop"
    """Cash of guests' buy-ins, into the drop box or from it to the cage."""
    DEPOSIT = "deposit"
    """From the cage to a guest's wallet."""
    WITHDRAWAL = "withdrawal"
    """From a guest's wallet to the cage."""
    FILL = "fill"
    """Chips from the cage to the float of a table."""
    CREDIT = "credit"
    """Chips from the float of a table to the cage."""
    ADJUSTMENT = "adjustment"
    """A correction outside any round."""


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """A transfer of cents from one account to another."""

    kind: TransferKind
    source: Account
    """The account that the money leaves."""
    target: Account
    """The account that the money goes to."""
    amount: int


def balances(transfers: Iterable[Transfer], start: Mapping[Account, int] | None = None) -> dict[Account, int]:
    """The balance of each account after the transfers, which do not change the sum of all balances."""
    held = dict(start or {})
    for one in transfers:
        held[one.source] = held.get(one.source, 0) - one.amount
        held[one.target] = held.get(one.target, 0) + one.amount
    return held
