"""Decide administrative commands: people, tables and the cashier's work.

Each command is accepted only from the posts named for it, and some need a second person. A refusal changes nothing.
"""

import re
from collections.abc import Container, Mapping

from puntobanco.house.journal.journal import Journal, moved_alone
from puntobanco.ledger.accounts import TransferKind
from puntobanco.protocol import administrative_commands as a
from puntobanco.protocol import entries as b
from puntobanco.protocol.account_names import drop_of, float_of, tray, wallet
from puntobanco.protocol.entries import AnyEntry, Who
from puntobanco.protocol.posts import HOUSE, Person, Post
from puntobanco.rules import library
from puntobanco.rules.money import GREATEST_STAKE, Cents, write_money
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.text import is_line
from puntobanco.table.tags import tag_of

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
DEFAULT_MINIMUM, DEFAULT_DIFFERENTIAL = Cents(50_00), Cents(10_000_00)
RESERVED = frozenset({b.STREAM, "system", "dealer", "cage", "adjustments", "chips"})
"""Names the house uses itself."""


LONGEST_TITLE, LONGEST_REASON = 80, 1_000
LAST_ROUND = "last_round"
"""Where `decide` finds the number of the last round of a table, beside what accounts hold."""


def needs_second(command: a.AdministrativeCommand, over: int, journal: Journal, by: Who) -> bool:
    """Whether a second person must confirm the command. `over`: the threshold for deposits and withdrawals. What the
    cashier moved alone for this guest within a day counts together, so that an amount cannot be split."""
    if isinstance(command, a.Deposit | a.Withdraw):
        kind = TransferKind.DEPOSIT if isinstance(command, a.Deposit) else TransferKind.WITHDRAWAL
        return command.amount + moved_alone(journal, by, command.person, kind) > over
    return type(command) in a.ALWAYS_SECONDED


def needs_guest(command: a.AdministrativeCommand) -> bool:
    """Whether the guest whose money it moves must confirm it."""
    return isinstance(command, a.Withdraw)


def check_size(amount: int, largest: int) -> None:
    """Check the amount of a single entry, in either direction."""
    if abs(amount) > largest:
        raise Refused(Reason.ENTRY_TOO_LARGE, largest=write_money(Cents(largest)))


def decide(  # noqa: PLR0912 (one arm a command)
    journal: Journal, command: a.AnyAdministrativeCommand, by: Who, held: Mapping[str, int]
) -> tuple[AnyEntry, ...]:
    """The entries that the command leads to, or a refusal. `held`: the balances of the accounts that it may depend
    on."""
    match command:
        case a.Admit():
            return _admit(journal, command, by)
        case a.GiveRole():
            person = _known(journal, command.person)
            _check_own(by, person)
            _check_scope(journal, command.scope)
            if command.scope == HOUSE and command.post is not Post.ADMINISTRATOR:
                _check_last(journal, person)
            return (b.RoleGiven(by=by, person=person.name, post=command.post, scope=command.scope),)
        case a.TakeRole():
            person = _known(journal, command.person)
            _check_own(by, person)
            if command.scope not in person.roles:
                raise Refused(Reason.NO_SUCH_ROLE, person=person.name, scope=command.scope)
            if command.scope == HOUSE:
                _check_last(journal, person)
            return (b.RoleTaken(by=by, person=person.name, scope=command.scope),)
        case a.Disable():
            person = _known(journal, command.person)
            _check_own(by, person)
            _check_last(journal, person)
            check_reason(command.reason)
            if by.post is Post.SHIFT_MANAGER and not a.OVERSEERS.isdisjoint(person.posts):
                raise Refused(Reason.ACCESS_DENIED, what=f"Disable {person.name}")
            return (b.PersonDisabled(by=by, person=person.name, reason=command.reason),)
        case a.Enable():
            person = _known(journal, command.person)
            _check_own(by, person)
            return (b.PersonEnabled(by=by, person=person.name),)
        case a.AddGame():
            game, _ = library.game_from(command.content)
            if game.key in (*library.GAMES, *journal.games):
                raise Refused(Reason.NAME_TAKEN, name=game.key)
            return (b.GameAdded(by=by, game=game.key, fingerprint=game.fingerprint),)
        case a.AddTable():
            _check_name(command.table, {*journal.tables, *journal.people})
            fingerprint = journal.games.get(command.game) or library.game(command.game).fingerprint
            added = b.TableAdded(
                by=by, table=command.table, game=command.game, fingerprint=fingerprint, automatic=command.automatic
            )
            return (added,)
        case a.SetDealing():
            return (b.DealingSet(by=by, table=_table(journal, command.table), automatic=command.automatic),)
        case a.Acknowledge():
            seen = _seen(journal, command)
            if (command.entry or command.incident or command.version) in seen:
                raise Refused(Reason.ALREADY_ACKNOWLEDGED)
            table = command.table if command.incident or command.entry else _table(journal, command.table)
            told = b.AlertAcknowledged(
                by=by, table=table, version=command.version, incident=command.incident, entry=command.entry
            )
            return (told,)
        case a.ReleaseProgram():
            if journal.differs is None or journal.differs.digest != command.digest:
                raise Refused(Reason.NOTHING_TO_RELEASE)
            check_reason(command.reason)
            return (b.ProgramReleased(by=by, digest=command.digest, reason=command.reason),)
        case a.RestartTable():
            return (b.TableRestarted(by=by, table=_table(journal, command.table)),)
        case a.RetireTable():
            last = held.get(LAST_ROUND, 0)
            return (b.TableRetired(by=by, table=_table(journal, command.table), last_round=last),)
        case _:
            return (_money(journal, command, by, held),)


def _seen(journal: Journal, command: a.Acknowledge) -> Container[int]:
    if command.entry:
        return journal.entries_seen
    return journal.incidents_seen if command.incident else journal.acknowledged.get(command.table, {})


def _money(  # noqa: PLR0912 (one arm a command)
    journal: Journal,
    command: a.Deposit | a.Withdraw | a.Fill | a.Credit | a.CountFloat | a.CollectDrop | a.AdjustWallet | a.AdjustFloat,
    by: Who,
    held: Mapping[str, int],
) -> AnyEntry:
    match command:
        case a.Deposit():
            person = _holder(journal, command.person, by, 0)
            if not journal.people[person].active:
                raise Refused(Reason.NOT_ADMITTED, person=person)
            return b.Deposited(by=by, person=person, amount=_positive(command.amount))
        case a.Withdraw():
            inside = held.get(wallet(command.person), 0)
            person, amount = _holder(journal, command.person, by, inside), _positive(command.amount)
            if inside < amount:
                raise Refused(Reason.WALLET_EMPTY, amount=write_money(amount))
            return b.Withdrawn(by=by, person=person, amount=amount)
        case a.Fill():
            return b.FloatFilled(by=by, table=_ever(journal, command.table), amount=_positive(command.amount))
        case a.Credit():
            table, amount = _ever(journal, command.table), _positive(command.amount)
            if (inside := tray(held, table)) < amount:
                raise Refused(Reason.FLOAT_TOO_SMALL, amount=write_money(amount), held=write_money(inside))
            return b.FloatCredited(by=by, table=table, amount=amount)
        case a.CountFloat():
            table, counted = _ever(journal, command.table), command.counted
            counted = _positive(counted) if counted else 0
            return b.FloatCounted(by=by, table=table, counted=counted, booked=tray(held, table))
        case a.CollectDrop():
            table, booked = _ever(journal, command.table), held.get(drop_of(command.table), 0)
            if booked != command.booked:
                raise Refused(Reason.DROP_CHANGED, booked=write_money(Cents(booked)))
            counted = _positive(command.counted) if command.counted or not booked else 0
            return b.DropCollected(by=by, table=table, counted=counted, booked=booked)
        case a.AdjustWallet():
            inside = held.get(wallet(command.person), 0)
            person = _holder(journal, command.person, by, inside)
            if inside + command.amount < 0:
                raise Refused(Reason.WALLET_EMPTY, amount=write_money(-command.amount))
            return _adjusted(by, wallet(person), command.amount, command.reason)
        case a.AdjustFloat():
            return _adjusted(by, float_of(_ever(journal, command.table)), command.amount, command.reason)


def _adjusted(by: Who, account: str, amount: int, reason: str) -> AnyEntry:
    _positive(abs(amount))
    check_reason(reason)
    return b.Adjusted(by=by, account=account, amount=amount, reason=reason)


def _admit(journal: Journal, command: a.Admit, by: Who) -> tuple[AnyEntry, ...]:
    _check_name(command.person, {*journal.people, *journal.tables})
    _check_scope(journal, command.scope)
    if not is_line(command.title.strip(), LONGEST_TITLE) or not command.title.isprintable():
        raise Refused(Reason.TITLE_WRONG, most=LONGEST_TITLE)
    if by.post is Post.CASHIER and command.post is not Post.PLAYER:
        raise Refused(Reason.ACCESS_DENIED, what=f"Admit {command.post}")
    return (
        b.PersonAdmitted(by=by, person=command.person, title=command.title.strip()),
        b.RoleGiven(by=by, person=command.person, post=command.post, scope=command.scope),
    )


# ---- what is checked ---------------------------------------------------------------------------------------------


def check_heard(command: a.AdministrativeCommand, post: Post | None) -> None:
    if post not in a.HEARD_FROM[type(command)]:
        raise Refused(Reason.ACCESS_DENIED, what=tag_of(type(command)))


def _known(journal: Journal, name: str) -> Person:
    if name not in journal.people:
        raise Refused(Reason.NOT_ADMITTED, person=name)
    return journal.people[name]


def _holder(journal: Journal, name: str, by: Who, inside: int) -> str:
    """The owner of a wallet: a person who may play, or who still has money in it; never the person who moves the
    money."""
    person = _known(journal, name)
    if Post.PLAYER not in person.posts and not inside:
        raise Refused(Reason.NO_WALLET, person=name)
    if name in (by.person, by.second):
        raise Refused(Reason.OWN_MONEY)
    return name


def _table(journal: Journal, name: str) -> str:
    if name not in journal.tables or journal.tables[name].retired:
        raise Refused(Reason.UNKNOWN_TABLE, table=name)
    return name


def _ever(journal: Journal, name: str) -> str:
    """A table that exists or was retired: its chips still belong to the house."""
    if name not in journal.tables:
        raise Refused(Reason.UNKNOWN_TABLE, table=name)
    return name


def _check_scope(journal: Journal, scope: str) -> None:
    if scope != HOUSE:
        _table(journal, scope)


def _check_name(name: str, taken: set[str]) -> None:
    if not NAME.fullmatch(name) or name in RESERVED:
        raise Refused(Reason.NAME_WRONG, name=name)
    if name in taken:
        raise Refused(Reason.NAME_TAKEN, name=name)


def check_reason(reason: str) -> None:
    """One printable line, so that it cannot forge a record."""
    if not is_line(reason, LONGEST_REASON):
        raise Refused(Reason.REASON_WANTED)


def _check_own(by: Who, person: Person) -> None:
    """Nobody changes their own rights."""
    if by.person == person.name:
        raise Refused(Reason.OWN_RIGHTS)


def _check_last(journal: Journal, person: Person) -> None:
    """Somebody who can assign rights must remain."""
    left = [
        one
        for one in journal.people.values()
        if one.active and one.roles.get(HOUSE) is Post.ADMINISTRATOR and one.name != person.name
    ]
    if person.roles.get(HOUSE) is Post.ADMINISTRATOR and not left:
        raise Refused(Reason.LAST_ADMINISTRATOR)


def _positive(amount: int) -> int:
    if amount <= 0:
        raise Refused(Reason.AMOUNT_NOT_POSITIVE, amount=write_money(amount))
    if amount > GREATEST_STAKE:
        raise Refused(Reason.AMOUNT_TOO_GREAT, greatest=write_money(GREATEST_STAKE))
    return amount
