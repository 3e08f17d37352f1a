"""Administrative commands: people, tables and the cashier's work; which posts may send each, and who confirms it.

`house.journal.administration` decides what each leads to.
"""

from collections.abc import Mapping
from typing import get_args

import msgspec

from puntobanco.protocol.hidden import Hidden
from puntobanco.protocol.posts import HOUSE, PIT, Post
from puntobanco.table.tags import tag_of

OVERSEERS = frozenset({Post.ADMINISTRATOR, Post.AUDITOR})
"""People whom nobody on the floor can disable."""


class GuestProof(Hidden, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A guest's proof where somebody else moves their money: a PIN, or the code read from their card."""

    pin: str = ""
    """The PIN that the guest keys in: 4 to 12 digits."""
    card: str = ""
    """The code that the reader reads from the guest's card."""


class AdministrativeCommand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The house adds who sends it, in which post, when and from where."""


class Admit(AdministrativeCommand, frozen=True, tag="Admit"):
    """Add a person with their first role."""

    person: str
    title: str
    post: Post = Post.PLAYER
    scope: str = HOUSE


class GiveRole(AdministrativeCommand, frozen=True, tag="GiveRole"):
    """Give a person a role in the whole house or at one table."""

    person: str
    post: Post
    scope: str = HOUSE


class TakeRole(AdministrativeCommand, frozen=True, tag="TakeRole"):
    """Take a person's role in the whole house or at one table away."""

    person: str
    scope: str = HOUSE


class Disable(AdministrativeCommand, frozen=True, tag="Disable"):
    """Disable a person: they can no longer sign in."""

    person: str
    reason: str


class Enable(AdministrativeCommand, frozen=True, tag="Enable"):
    """Enable a disabled person."""

    person: str


class AddGame(AdministrativeCommand, frozen=True, tag="AddGame"):
    """Add a game of this house from its file."""

    content: str


class AddTable(AdministrativeCommand, frozen=True, tag="AddTable"):
    """Add a table that plays a game."""

    table: str
    game: str
    automatic: bool = False


class SetDealing(AdministrativeCommand, frozen=True, tag="SetDealing"):
    """Set whether the house deals a table by itself."""

    table: str
    automatic: bool


class RestartTable(AdministrativeCommand, frozen=True, tag="RestartTable"):
    """Restart a failed table from its history."""

    table: str


class RetireTable(AdministrativeCommand, frozen=True, tag="RetireTable"):
    """Retire a table for good. Its history stays."""

    table: str


class ReleaseProgram(AdministrativeCommand, frozen=True, tag="ReleaseProgram"):
    """Let the house deal although its program files differ. `digest`: the digest of the differences, as the house shows
    it."""

    digest: str
    reason: str


class Acknowledge(AdministrativeCommand, frozen=True, tag="Acknowledge"):
    """Acknowledge an alert of a table by the `version` of its event there, an incident by its number, or an entry of
    the journal by its version."""

    table: str
    """The table of the alert; for an entry of the journal that names none, an empty text."""
    version: int = 0
    """The version of the event that raised the alert; 0 if the alert is not an event of a table."""
    incident: int = 0
    entry: int = 0


class Deposit(AdministrativeCommand, frozen=True, tag="Deposit"):
    """Put money that a player brings to the cage into their wallet."""

    person: str
    amount: int


class Withdraw(AdministrativeCommand, frozen=True, tag="Withdraw"):
    """Pay money out of a player's wallet at the cage."""

    person: str
    amount: int


class Fill(AdministrativeCommand, frozen=True, tag="Fill"):
    """Chips from the cage to a table."""

    table: str
    amount: int


class Credit(AdministrativeCommand, frozen=True, tag="Credit"):
    """Chips from a table back to the cage."""

    table: str
    amount: int


class CountFloat(AdministrativeCommand, frozen=True, tag="CountFloat"):
    """Record a count of a table's float. A difference from the ledger stays until it is adjusted."""

    table: str
    counted: int


class CollectDrop(AdministrativeCommand, frozen=True, tag="CollectDrop"):
    """The cash of a table's drop box goes to the cage. `booked`: the amount in the ledger when it was counted."""

    table: str
    counted: int
    booked: int


class AdjustWallet(AdministrativeCommand, frozen=True, tag="AdjustWallet"):
    """Correct the balance of a wallet."""

    person: str
    amount: int
    """How much the balance changes, in cents; negative to reduce it."""
    reason: str


class AdjustFloat(AdministrativeCommand, frozen=True, tag="AdjustFloat"):
    """Correct the balance of a table's float."""

    table: str
    amount: int
    """How much the balance changes, in cents; negative to reduce it."""
    reason: str


AnyAdministrativeCommand = (
    Admit | GiveRole | TakeRole | Disable | Enable | AddGame | AddTable | SetDealing | RestartTable | RetireTable
    | ReleaseProgram | Acknowledge | Deposit | Withdraw | Fill | Credit | CountFloat | CollectDrop | AdjustWallet
    | AdjustFloat
)  # fmt: skip


KINDS: Mapping[str, type[AdministrativeCommand]] = {tag_of(kind): kind for kind in get_args(AnyAdministrativeCommand)}
"""Every administrative command by its tag."""


HEARD_FROM: dict[type[AdministrativeCommand], frozenset[Post]] = {
    Admit: frozenset({Post.ADMINISTRATOR, Post.CASHIER}),
    GiveRole: frozenset({Post.ADMINISTRATOR}),
    TakeRole: frozenset({Post.ADMINISTRATOR}),
    Disable: frozenset({Post.ADMINISTRATOR, Post.SHIFT_MANAGER}),
    Enable: frozenset({Post.ADMINISTRATOR}),
    AddGame: frozenset({Post.ADMINISTRATOR}),
    AddTable: frozenset({Post.ADMINISTRATOR}),
    SetDealing: frozenset({Post.PIT_MANAGER, Post.SHIFT_MANAGER}),
    RestartTable: frozenset({Post.PIT_MANAGER, Post.SHIFT_MANAGER, Post.ADMINISTRATOR}),
    RetireTable: frozenset({Post.ADMINISTRATOR}),
    ReleaseProgram: frozenset({Post.SHIFT_MANAGER, Post.ADMINISTRATOR}),
    Acknowledge: PIT | {Post.DEALER},
    Deposit: frozenset({Post.CASHIER}),
    Withdraw: frozenset({Post.CASHIER}),
    Fill: PIT | {Post.CASHIER},
    Credit: PIT | {Post.CASHIER},
    CountFloat: PIT | {Post.CASHIER},
    CollectDrop: PIT | {Post.CASHIER},
    AdjustWallet: frozenset({Post.CASHIER, Post.SHIFT_MANAGER}),
    AdjustFloat: frozenset({Post.CASHIER, Post.SHIFT_MANAGER}),
}
"""The posts that may send each command."""


SECONDED_BY: dict[type[AdministrativeCommand], frozenset[Post]] = {
    Fill: PIT | {Post.CASHIER},
    Credit: PIT | {Post.CASHIER},
    CollectDrop: PIT | {Post.CASHIER},
    Deposit: frozenset({Post.CASHIER, Post.PIT_MANAGER, Post.SHIFT_MANAGER}),
    Withdraw: frozenset({Post.CASHIER, Post.PIT_MANAGER, Post.SHIFT_MANAGER}),
    AdjustWallet: frozenset({Post.SHIFT_MANAGER}),
    AdjustFloat: frozenset({Post.SHIFT_MANAGER}),
    ReleaseProgram: frozenset({Post.SHIFT_MANAGER, Post.ADMINISTRATOR}),
}
"""The commands that need a second person, and the posts that may be it. Deposits and withdrawals need one above the
threshold."""


ALWAYS_SECONDED = SECONDED_BY.keys() - {Deposit, Withdraw}


ACROSS_THE_COUNTER = frozenset({Fill, Credit, CollectDrop})
"""Commands by which one side of the counter hands something to the other: the second person must be of the other
side."""


def seconds_for(kind: type[AdministrativeCommand], first: Post | None) -> frozenset[Post]:
    """The posts that may be the second person if the first has that post."""
    posts = SECONDED_BY[kind]
    if kind not in ACROSS_THE_COUNTER:
        return posts
    return posts - {Post.CASHIER} if first is Post.CASHIER else posts & {Post.CASHIER}
