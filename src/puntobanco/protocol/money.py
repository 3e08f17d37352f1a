"""Money: wallets and their postings, accounts, and the floats of the tables."""

from puntobanco.protocol.answers import Wire
from puntobanco.table.authority import Confirmation


class Moved(Wire, frozen=True):
    """One posting of an account: what came (or went, below nothing) and from or to where."""

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
    """By table, where there is something in it."""
    stopped: tuple[str, ...] = ()
    """Of these tables those that do not run: what is there can be had once they do."""
    latest: tuple[Moved, ...] = ()
    sums: dict[str, int] = {}
    """What was moved at the cage in all, by kind: deposits, withdrawals, adjustments."""
    confirms: tuple[Confirmation, ...] = ()
    """How the guest could confirm what somebody else does with it."""


class TillReport(Wire, frozen=True):
    """What a cashier has moved since they were last balanced: by kind, in all and for each guest."""

    person: str
    since: int
    sums: dict[str, int] = {}
    guests: dict[str, dict[str, int]] = {}


class FloatCard(Wire, frozen=True):
    """What a table pays from, what lies on its layout and in its purses, and how it was last counted."""

    table: str
    game: str
    held: int
    stakes: int = 0
    purses: int = 0
    commission: int = 0
    drop: int = 0
    """Cash that guests bought in with, until it is collected."""
    tray: int = 0
    """What should be counted: the float, and the commission whose chips never left it."""
    retired: bool = False
    counted: int | None = None
    booked: int = 0
    counted_at: int = 0
    counted_by: str = ""
