"""Whose money it is: the accounts of one table among those of the whole house."""

from collections.abc import Iterator, Mapping

from puntobanco.ledger import accounts
from puntobanco.ledger.accounts import Account, Transfer
from puntobanco.table import events as e
from puntobanco.table.events import AnyEvent
from puntobanco.table.money import transfers


def wallet(person: str) -> Account:
    """A player's money in the house, beside the purses at the tables."""
    return f"wallet:{person}"


def float_of(table: str) -> Account:
    """The chips a table pays from."""
    return f"float:{table}"


def commission_of(table: str) -> Account:
    """What a table has kept of winnings; its chips never left the float's tray."""
    return f"commission:{table}"


def tray(held: Mapping[Account, int], table: str) -> int:
    """What should be found when the chips of a table are counted."""
    return held.get(float_of(table), 0) + held.get(commission_of(table), 0)


def purse_at(table: str, person: str) -> Account:
    """A player's money at one table."""
    return f"purse:{table}:{person}"


def house_transfers(table: str, event: AnyEvent) -> Iterator[Transfer]:
    """What an event at that table moves: buying in and cashing out cross to the wallet, all else stays at the table."""
    for one in transfers(event):
        yield Transfer(one.kind, _at(table, one.source, event), _at(table, one.target, event), one.amount)


def _at(table: str, account: Account, event: AnyEvent) -> Account:
    if account == accounts.cage:
        assert isinstance(event, e.BoughtIn | e.CashedOut), "only these leave the table"
        return wallet(event.person)
    if account == accounts.house:
        return float_of(table)
    kind, _, person = account.partition(":")
    return f"{kind}:{table}:{person}" if person else f"{kind}:{table}"
