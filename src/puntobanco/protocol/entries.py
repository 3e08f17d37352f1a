"""Entries of the journal: what happens apart from the tables, as events in a stream of its own.

Who was admitted and may do what, which tables exist, what the cashier moved, requests for a second person and who
confirmed them, every sign-in, every denied access and every incident. No password, token or undealt card is ever in it.
"""

from typing import Any

import msgspec

from puntobanco.protocol.incidents import Incident
from puntobanco.protocol.posts import Post
from puntobanco.table.authority import Confirmation
from puntobanco.table.tags import tag_of

STREAM = "house"
"""The name of its stream; no table may have it."""
VERSION = 1


class Who(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who did it, in which post, when and from where; `second`: who confirmed it."""

    person: str
    post: Post | None
    """The post in which they acted; null for the house itself."""
    at: int
    address: str = ""
    request: str = ""
    second: str = ""
    confirmed: Confirmation | None = None
    """How the guest whose money moves confirmed it; null if no guest had to."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    by: Who


# ---- people ------------------------------------------------------------------------------------------------------


class PersonAdmitted(Entry, frozen=True, tag="PersonAdmitted"):
    """A person was added."""

    person: str
    title: str


class RoleGiven(Entry, frozen=True, tag="RoleGiven"):
    """A person was given a role."""

    person: str
    post: Post
    scope: str


class RoleTaken(Entry, frozen=True, tag="RoleTaken"):
    """A person's role was taken away."""

    person: str
    scope: str


class PersonDisabled(Entry, frozen=True, tag="PersonDisabled"):
    """A person was disabled and can no longer sign in."""

    person: str
    reason: str


class PersonEnabled(Entry, frozen=True, tag="PersonEnabled"):
    """A disabled person was enabled."""

    person: str


class PasswordSet(Entry, frozen=True, tag="PasswordSet"):
    """A password was set. `once`: it must be changed at the first sign-in."""

    person: str
    once: bool = False


class ProofSet(Entry, frozen=True, tag="ProofSet"):
    """The guest has a new PIN or card."""

    person: str
    how: Confirmation


class SignedIn(Entry, frozen=True, tag="SignedIn"):
    """A person signed in."""

    person: str
    slot: int = 0


class SignInRefused(Entry, frozen=True, tag="SignInRefused"):
    """An attempt to sign in was refused."""

    person: str
    reason: str
    """The code of the refusal."""


class SignedOut(Entry, frozen=True, tag="SignedOut"):
    """A person signed out, or somebody ended their sessions."""

    person: str
    forced: bool = False
    """Somebody else ended the sessions."""


class AccessDenied(Entry, frozen=True, tag="AccessDenied"):
    """A person sent what their post does not allow, and was refused."""

    what: str
    """The operation or action that was refused."""
    times: int = 1


# ---- tables and the house itself ---------------------------------------------------------------------------------


class GameAdded(Entry, frozen=True, tag="GameAdded"):
    """A game of the operator's own. Its content is stored under its fingerprint."""

    game: str
    fingerprint: str


class TableAdded(Entry, frozen=True, tag="TableAdded"):
    """A table was added."""

    table: str
    game: str
    fingerprint: str
    automatic: bool = False


class DealingSet(Entry, frozen=True, tag="DealingSet"):
    """Whether the table deals by itself from an electronic shoe."""

    table: str
    automatic: bool


class TableRetired(Entry, frozen=True, tag="TableRetired"):
    """A table was retired for good."""

    table: str
    last_round: int = 0
    """The number of the round that became final with it, since none will follow; 0 if there was none."""


class TableFailed(Entry, frozen=True, tag="TableFailed"):
    """A table stopped."""

    table: str
    why: str
    """The error that stopped it."""


class TableRestarted(Entry, frozen=True, tag="TableRestarted"):
    """Somebody restarted a failed table. If the restart fails, `TableFailed` follows."""

    table: str


class IncidentRaised(Entry, frozen=True, tag="IncidentRaised"):
    """An internal error in handling one command. `house incident` sends the command again to the state in which it
    failed."""

    number: int
    incident: Incident
    """What went wrong, where and with which command."""


class AlertAcknowledged(Entry, frozen=True, tag="AlertAcknowledged"):
    """Somebody acknowledged an alert, named by the version of its event at the table or of its entry in the journal, or
    an incident."""

    table: str
    version: int
    """The version of the event that raised the alert; 0 if the alert is not an event of a table."""
    incident: int = 0
    entry: int = 0


class HouseOpened(Entry, frozen=True, tag="HouseOpened"):
    """The house started."""

    program: str
    digest: str


class HouseClosed(Entry, frozen=True, tag="HouseClosed"):
    """The house stopped in order. Tables that were still in a round are named."""

    in_round: tuple[str, ...] = ()


class ProgramChecked(Entry, frozen=True, tag="ProgramChecked"):
    """The files of the running program were checked again."""

    program: str
    digest: str


class ProgramDiffers(Entry, frozen=True, tag="ProgramDiffers"):
    """The program differs from the record, or loads files that nothing declares: the house does not deal. `files`: the
    digest of each by its path; `digest`: over all of them."""

    digest: str
    files: dict[str, str]


class ProgramReleased(Entry, frozen=True, tag="ProgramReleased"):
    """Two people have examined the differences, and the house deals again."""

    digest: str
    reason: str


class KeyRotated(Entry, frozen=True, tag="KeyRotated"):
    """The encrypted rows have a new key."""


class KeyLost(Entry, frozen=True, tag="KeyLost"):
    """The keys with these ids were declared lost. Second factors must be set up again."""

    keys: tuple[str, ...]


class ClockMoved(Entry, frozen=True, tag="ClockMoved"):
    """The machine's clock was set by this many milliseconds. The clock of the house was not affected."""

    by_ms: int


# ---- money -------------------------------------------------------------------------------------------------------


class Deposited(Entry, frozen=True, tag="Deposited"):
    """A player's money went into their wallet at the cage."""

    person: str
    amount: int


class Withdrawn(Entry, frozen=True, tag="Withdrawn"):
    """Money was paid out of a player's wallet at the cage."""

    person: str
    amount: int


class FloatFilled(Entry, frozen=True, tag="FloatFilled"):
    """Chips went from the cage to the table."""

    table: str
    amount: int


class FloatCredited(Entry, frozen=True, tag="FloatCredited"):
    """Chips went back from the table to the cage."""

    table: str
    amount: int


class FloatCounted(Entry, frozen=True, tag="FloatCounted"):
    """The float of a table was counted."""

    table: str
    counted: int
    booked: int


class DropCollected(Entry, frozen=True, tag="DropCollected"):
    """The cash in a table's drop box was counted and went to the cage. A difference is an adjustment."""

    table: str
    counted: int
    booked: int


class CashierBalanced(Entry, frozen=True, tag="CashierBalanced"):
    """What a cashier moved since they were last balanced, until they signed out, their last session ended or the house
    closed: sums by kind, in total and for each guest. `since`: when they first moved any of it."""

    person: str
    since: int
    sums: dict[str, int]
    guests: dict[str, dict[str, int]] = {}


class Adjusted(Entry, frozen=True, tag="Adjusted"):
    """A correction is a new entry, never a change of an old one."""

    account: str
    amount: int
    """How much the balance changed, in cents; negative if it was reduced."""
    reason: str


# ---- dual control ------------------------------------------------------------------------------------------------


class SecondAsked(Entry, frozen=True, tag="SecondAsked"):
    """A request waits for somebody else to confirm it. `table` is empty for an administrative command; `command` as
    sent."""

    number: int
    table: str
    """The table of the command; empty for an administrative command."""
    command: dict[str, Any]


class SecondGiven(Entry, frozen=True, tag="SecondGiven"):
    """A request was confirmed by a second person or by the guest."""

    number: int
    refused: str = ""
    """The code of the refusal, if it was refused after all; otherwise empty."""
    parameters: dict[str, Any] = {}
    """What the sentence of that refusal names."""


class SecondDeclined(Entry, frozen=True, tag="SecondDeclined"):
    """A request was declined or withdrawn."""

    number: int
    reason: str


AnyEntry = (
    PersonAdmitted | RoleGiven | RoleTaken | PersonDisabled | PersonEnabled | PasswordSet | SignedIn | SignInRefused
    | SignedOut | AccessDenied | GameAdded | TableAdded | DealingSet | TableRetired | TableFailed | HouseOpened
    | HouseClosed | ClockMoved | Deposited | Withdrawn | FloatFilled | FloatCredited | FloatCounted | Adjusted
    | SecondAsked | SecondGiven | SecondDeclined | AlertAcknowledged | ProgramChecked | TableRestarted | IncidentRaised
    | ProgramDiffers | ProgramReleased | KeyRotated | KeyLost | ProofSet | DropCollected | CashierBalanced
)  # fmt: skip


_encoder = msgspec.json.Encoder(order="deterministic")
_entries: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)


def kind_of(entry: AnyEntry) -> str:
    return f"{tag_of(type(entry))}.{VERSION}"


def encode(entry: AnyEntry) -> bytes:
    return _encoder.encode(entry)


def decode(body: bytes) -> AnyEntry:
    entry: AnyEntry = _entries.decode(body)
    return entry
