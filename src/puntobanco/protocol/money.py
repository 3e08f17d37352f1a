"""Money: wallets and their postings, accounts, and the floats of the tables."""

from puntobanco.protocol.answers import Wire
from puntobanco.table.authority import Confirmation


class Moved(Wire, frozen=True):
    """One posting of an account: the amount, negative if it left the account, and the other account."""

    id: int
    kind: str
    other: str
    amount: int
    at: int = 0


class Account(Wire, frozen=True):
    account: str
    held: int


class Wallet(Wire, frozen=True):
    person: str
    held: int
    purses: dict[str, int]
    """By table, if there is money in it."""
    stopped: tuple[str, ...] = ()
    """The tables among these that do not run. Money there is available again when they do."""
    latest: tuple[Moved, ...] = ()
    sums: dict[str, int] = {}
    """The totals moved at the cage, by kind: deposits, withdrawals, adjustments."""
    confirms: tuple[Confirmation, ...] = ()
    """How the guest can confirm what somebody else does with this money."""


class TillReport(Wire, frozen=True):
    """What a cashier has moved since they were last balanced: by kind, in total and for each guest."""

    person: str
    since: int
    sums: dict[str, int] = {}
    guests: dict[str, dict[str, int]] = {}


class FloatCard(Wire, frozen=True):
    """The float of a table, the money on its layout and in its purses, and its last count."""

    table: str
    game: str
    held: int
    stakes: int = 0
    purses: int = 0
    commission: int = 0
    drop: int = 0
    """Cash of guests who bought in at the table, until it is collected."""
    tray: int = 0
    """The amount to expect in a count: the float, and the commission whose chips are still in it."""
    retired: bool = False
    counted: int | None = None
    booked: int = 0
    counted_at: int = 0
    counted_by: str = ""
