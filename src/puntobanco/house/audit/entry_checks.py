"""Check journal entries that move money again during verification: the amount, the person, their post, and the second
person where one is required.

Balances at that moment follow from the postings; the sums of a cashier follow from the entries before.
"""

from typing import assert_never

from puntobanco.house.journal import administration as o
from puntobanco.house.journal.journal import Journal
from puntobanco.protocol import administrative_commands as a
from puntobanco.protocol import entries as b
from puntobanco.protocol.account_names import drop_of, wallet
from puntobanco.protocol.posts import PIT, Person, Post
from puntobanco.rules.money import GREATEST_STAKE
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.verify import Wrong
from puntobanco.table.tags import tag_of


def check_entry(journal: Journal, entry: b.AnyEntry) -> None:
    """Raise if nobody could have made the entry, or if it is wrong. Entries that neither move nor sum up money pass."""
    if isinstance(entry, b.CashierBalanced):
        _check_sums(journal, entry)
    command = _command(entry)
    if command is None or (entry.by.post is None and _is_demonstration(journal)):
        return
    if entry.by.person not in journal.people:
        raise Refused(Reason.NOT_ADMITTED, person=entry.by.person)
    o.check_heard(command, entry.by.post)
    o.decide(journal, command, entry.by, _held(entry))
    if entry.by.second or type(command) in a.ALWAYS_SECONDED:
        second, seconds = journal.people.get(entry.by.second), a.seconds_for(type(command), entry.by.post)
        if second is None or second.name == entry.by.person or _posts(second, command).isdisjoint(seconds):
            raise Refused(Reason.ACCESS_DENIED, what=f"{tag_of(type(command))} without an authorised second person")


def _posts(second: Person, command: a.AnyAdministrativeCommand) -> frozenset[Post]:
    """The posts they may have had. At a table, staff act in the role the pit assigned, which the journal does not
    record."""
    return second.posts | (PIT if second.is_staff and hasattr(command, "table") else frozenset())


def _check_sums(journal: Journal, entry: b.CashierBalanced) -> None:
    till = journal.tills.get(entry.person)
    if till is None or (till.since, till.sums, till.guests) != (entry.since, entry.sums, entry.guests):
        raise Wrong(f"the sums differ from what {entry.person} moved since the last balancing")


def _is_demonstration(journal: Journal) -> bool:
    """Whether the house itself gave out play money, as only a demo does: a real house begins with an administrator."""
    first = next(iter(journal.people.values()), None)
    return first is not None and Post.ADMINISTRATOR not in first.posts


def _held(entry: b.AnyEntry) -> "_Anything":
    """The balances, as far as the entry itself states them."""
    return _Anything({drop_of(entry.table): entry.booked} if isinstance(entry, b.DropCollected) else {})


class _Anything(dict[str, int]):
    """Accounts whose balances are mostly unknown here."""

    def get(self, account: str, _otherwise: int = 0) -> int:  # type: ignore[override]
        return super().get(account, GREATEST_STAKE)


def _command(entry: b.AnyEntry) -> a.AnyAdministrativeCommand | None:
    """The administrative command behind the entry, if it moves money or states a balance."""
    match entry:
        case b.Deposited():
            return a.Deposit(person=entry.person, amount=entry.amount)
        case b.Withdrawn():
            return a.Withdraw(person=entry.person, amount=entry.amount)
        case b.FloatFilled():
            return a.Fill(table=entry.table, amount=entry.amount)
        case b.FloatCredited():
            return a.Credit(table=entry.table, amount=entry.amount)
        case b.DropCollected():
            return a.CollectDrop(table=entry.table, counted=entry.counted, booked=entry.booked)
        case b.FloatCounted():
            return a.CountFloat(table=entry.table, counted=entry.counted)
        case b.Adjusted():
            if entry.account.startswith(wallet("")):
                person = entry.account.removeprefix(wallet(""))
                return a.AdjustWallet(person=person, amount=entry.amount, reason=entry.reason)
            table = entry.account.partition(":")[2]
            return a.AdjustFloat(table=table, amount=entry.amount, reason=entry.reason)
        case (
            b.PersonAdmitted() | b.RoleGiven() | b.RoleTaken() | b.PersonDisabled() | b.PersonEnabled()
            | b.PasswordSet() | b.SignedIn() | b.SignInRefused() | b.SignedOut() | b.AccessDenied() | b.GameAdded()
            | b.TableAdded() | b.DealingSet() | b.TableRetired() | b.TableFailed() | b.TableRestarted()
            | b.AlertAcknowledged() | b.HouseOpened() | b.HouseClosed() | b.ProgramChecked() | b.ClockMoved()
            | b.SecondAsked() | b.SecondGiven() | b.SecondDeclined() | b.IncidentRaised() | b.ProgramDiffers()
            | b.ProgramReleased() | b.KeyRotated() | b.KeyLost() | b.ProofSet() | b.CashierBalanced()
        ):  # fmt: skip
            return None
        case _:
            assert_never(entry)
