"""Requests that wait for a second person or a guest, as each person may see them."""

from collections.abc import Hashable

from puntobanco.house.house import House
from puntobanco.house.journal.dual_control import guest_of
from puntobanco.house.journal.journal import PendingConfirmation
from puntobanco.protocol.administration import ConfirmationCard
from puntobanco.protocol.live import AnsweredQuestion, WaitingRequests
from puntobanco.protocol.posts import STAFF
from puntobanco.rules.refusal import Refused
from puntobanco.table.commands import Rule, WriteOffChip
from puntobanco.table.state import MissingChip


def waiting_channel(person: str) -> Hashable:
    return ("seconds", person)


def waiting_for(house: House, person: str) -> tuple[ConfirmationCard, ...]:
    """The requests that the person made or may confirm."""
    found = []
    for waiting in house.journal.waiting.values():
        mine = waiting.by.person == person
        may = may_confirm(house, person, waiting)
        if mine or may:
            found.append(
                ConfirmationCard(
                    number=waiting.number,
                    table=waiting.table,
                    command=waiting.command,
                    person=waiting.by.person,
                    post=waiting.by.post,
                    at=waiting.by.at,
                    mine=mine,
                    may_confirm=may,
                    guest=guest_of(waiting) or "",
                    chip=_chip(house, waiting),
                )
            )
    return tuple(found)


def may_confirm(house: House, person: str, waiting: PendingConfirmation) -> bool:
    try:
        return house.may_second(person, waiting)
    except Refused:
        return False


def _chip(house: House, waiting: PendingConfirmation) -> MissingChip | None:
    """The details of a write-off: its number alone tells the second person nothing."""
    running = house.tables.get(waiting.table)
    if running is None or waiting.command["type"] != WriteOffChip.__name__:
        return None
    return running.state.missing.get(waiting.command["missing"])


def waiting_message(house: House, person: str) -> WaitingRequests:
    return WaitingRequests(waiting=waiting_for(house, person), answered=_answered(house, person))


def _answered(house: House, person: str) -> tuple[AnsweredQuestion, ...]:
    return tuple(
        AnsweredQuestion(table=waiting.table, question=waiting.command["question"])
        for waiting in house.journal.waiting.values()
        if waiting.command["type"] == Rule.__name__ and house.post(person, waiting.table) in STAFF
    )
