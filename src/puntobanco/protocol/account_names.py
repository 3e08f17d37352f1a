"""Names of accounts: wallets, floats, drop boxes, and the accounts of a table within the house."""

from collections.abc import Mapping
from functools import lru_cache, partial

from puntobanco.ledger.accounts import Account, Accounts, Transfer
from puntobanco.table.events import AnyEvent
from puntobanco.table.money import transfers

MOST_NAMES = 4_096
"""Tables, and accounts of each, whose names are kept at hand, so that none is put together for every bet."""


def wallet(person: str) -> Account:
    """A player's money in the house, apart from the purses at the tables."""
    return f"wallet:{person}"


def float_of(table: str) -> Account:
    """The chips a table pays from."""
    return f"float:{table}"


def commission_of(table: str) -> Account:
    """The commission that a table has kept of winnings. Its chips stay in the tray of the float."""
    return f"commission:{table}"


def tray(held: Mapping[Account, int], table: str) -> int:
    """The amount to expect when the chips of a table are counted."""
    return held.get(float_of(table), 0) + held.get(commission_of(table), 0)


def drop_of(table: str) -> Account:
    """The cash in a table's drop box."""
    return f"drop:{table}"


def purse_at(table: str, person: str) -> Account:
    """A player's money at one table."""
    return f"purse:{table}:{person}"


def receivable_at(table: str, person: str) -> Account:
    """What a player owes at one table after a reversal."""
    return f"receivable:{table}:{person}"


def house_transfers(table: str, event: AnyEvent) -> tuple[Transfer, ...]:
    """The transfers of an event at that table. Buying in and cashing out involve the wallet; all others stay at the
    table."""
    return transfers(event, _accounts(table))


@lru_cache(MOST_NAMES)
def _accounts(table: str) -> Accounts:
    """The accounts of a table within the house; cash and chips in circulation belong to the house."""
    return Accounts(
        stakes=f"stakes:{table}",
        house=float_of(table),
        drop=drop_of(table),
        commission=commission_of(table),
        purse=lru_cache(MOST_NAMES)(partial(purse_at, table)),
        receivable=lru_cache(MOST_NAMES)(partial(receivable_at, table)),
        wallet=wallet,
    )
