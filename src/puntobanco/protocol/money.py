"""Money: wallets and their postings, accounts, and the floats of the tables."""

from puntobanco.protocol.answers import Wire
from puntobanco.table.authority import Confirmation


class Moved(Wire, frozen=True):
    """One posting of an account: the amount, negative if it left the account, and the other account."""

    id: int
    """The number of the posting."""
    kind: str
    other: str
    """The name of the other account."""
    amount: int
    """The amount in cents; negative if it left the account."""
    at: int = 0


class Account(Wire, frozen=True):
    """The balance of an account."""

    account: str
    held: int


class Wallet(Wire, frozen=True):
    """A player's wallet and purses."""

    person: str
    held: int
    purses: dict[str, int]
    """The money in each purse, in cents by table; empty purses are left out."""
    stopped: tuple[str, ...] = ()
    """The tables among these that do not run. Money there is available again when they do."""
    latest: tuple[Moved, ...] = ()
    """The latest movements of the wallet, newest first."""
    sums: dict[str, int] = {}
    """The totals moved at the cage, in cents by kind: deposits, withdrawals, adjustments."""
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
    """The money on the layout, in cents."""
    purses: int = 0
    """The money in all purses at the table, in cents."""
    commission: int = 0
    """The commission that the table has kept, in cents."""
    drop: int = 0
    """Cash of guests who bought in at the table, in cents, until it is collected."""
    tray: int = 0
    """The amount to expect in a count, in cents: the float, and the commission whose chips are still in it."""
    retired: bool = False
    """Whether the table is retired."""
    counted: int | None = None
    """The amount of the last count, in cents; null if it was never counted."""
    booked: int = 0
    counted_at: int = 0
    """When the float was last counted, in milliseconds UTC; 0 if never."""
    counted_by: str = ""
    """Who last counted the float."""
