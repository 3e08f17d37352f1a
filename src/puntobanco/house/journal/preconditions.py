"""Preconditions of administrative commands at the tables: no money or people left there. They need no running house."""

from collections.abc import Callable, Mapping

from puntobanco.house.journal.journal import Journal, PendingConfirmation
from puntobanco.protocol import administrative_commands as a
from puntobanco.protocol.posts import HOUSE, INCIDENT_ALERTS, STOPPED_ALERTS, Post, acknowledges
from puntobanco.rules import library
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.base import Store
from puntobanco.store.codec import decode
from puntobanco.store.records import SOURCE
from puntobanco.table.authority import Role
from puntobanco.table.events import AlertRaised, Question, QuestionPut
from puntobanco.table.state import State


def check_plays_nowhere(journal: Journal, command: a.GiveRole | a.TakeRole, tables: Mapping[str, State]) -> None:
    """Staff never own bets: whoever plays at a table gets no other role there before they have cashed out."""
    person = journal.people.get(command.person)
    if person is None:
        return
    roles = {scope: post for scope, post in person.roles.items() if scope != command.scope}
    if isinstance(command, a.GiveRole):
        roles[command.scope] = command.post
    for name, state in tables.items():
        if roles.get(name, roles.get(HOUSE)) not in (None, Post.PLAYER):
            check_no_money(state, person.name)


def check_no_money(state: State, person: str) -> None:
    if person in state.seats.values() or (state.in_play and state.stakes_of(person)):
        raise Refused(Reason.PLAYS_HERE, person=person)
    if state.purses.get(person):
        raise Refused(Reason.PURSES_NOT_EMPTY, people=person)


async def check_cleared(store: Store, table: str) -> None:
    """A table can be retired only if nobody has money there."""
    held, purse = await store.balances(), f"purse:{table}:"
    if held.get(f"stakes:{table}"):
        raise Refused(Reason.TABLE_IN_USE, table=table)
    people = sorted(name.removeprefix(purse) for name, amount in held.items() if amount and name.startswith(purse))
    if people:
        raise Refused(Reason.PURSES_NOT_EMPTY, people=people)


async def check_alert(
    store: Store, journal: Journal, command: a.Acknowledge, post: Post | None,
    confirms: Callable[[PendingConfirmation], bool],
) -> None:  # fmt: skip
    """Only an alert that exists can be acknowledged, and only by those whom it alerts: the rank it is addressed to, or
    a higher one; what waits for a second person, by those who may confirm it. Others could silence it."""
    if command.entry:
        failed = journal.failures.get(command.entry)
        waits = next((one for one in journal.waiting.values() if one.entry == command.entry and confirms(one)), None)
        if command.table != (failed.table if failed is not None else waits and waits.at_table):
            raise Refused(Reason.NOT_FOUND)
        to = STOPPED_ALERTS if failed is not None else None
    elif command.incident:
        raised = journal.incidents.get(command.incident)
        if raised is None or raised.incident.table != command.table:
            raise Refused(Reason.NOT_FOUND)
        to = INCIDENT_ALERTS
    else:
        to = await _addressee(store, journal, command)
    if not acknowledges(post, to):
        raise Refused(Reason.ACCESS_DENIED)


async def _addressee(store: Store, journal: Journal, command: a.Acknowledge) -> Role | None:
    """The rank that an event of a table alerts. Nobody, if there is no such table: that is refused elsewhere."""
    at = command.version
    rows = [row async for row in store.read(command.table, after=at - 1, through=at)] if at > 0 else []
    match decode(rows[0].kind, rows[0].body) if rows and command.table in journal.tables else None:
        case AlertRaised(to=to) | QuestionPut(question=Question(asked_of=to)):
            return to
        case _ if command.table in journal.tables:
            raise Refused(Reason.NOT_FOUND)
    return None


async def keep_content(store: Store, journal: Journal, command: a.AddGame) -> None:
    """Store the content of an operator's own game under its fingerprint, before a table can be dealt by it."""
    game, _ = library.game_from(command.content)
    if game.key not in (*library.GAMES, *journal.games):
        await store.keep_game(game.fingerprint, game.canonical())
        await store.keep_game(SOURCE + game.fingerprint, command.content.encode())
