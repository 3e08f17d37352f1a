"""Alerts: what the pit should look at, from the tables and from the journal, and who has acknowledged it."""

from collections.abc import Iterator, Mapping

import msgspec

from puntobanco.house.journal.journal import Journal
from puntobanco.protocol import entries as b
from puntobanco.protocol.entries import Who
from puntobanco.protocol.posts import INCIDENT_ALERTS, STAFF, STOPPED_ALERTS, Post, acknowledges
from puntobanco.protocol.rounds import AlertLine
from puntobanco.protocol.tables import AlertCard
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import Role
from puntobanco.table.state import State
from puntobanco.web.http.operations import operation
from puntobanco.web.live.waiting import may_confirm
from puntobanco.web.services import Call


@operation("GET", "/alerts", "List alerts, newest first, and who acknowledged them",
           who=STAFF | {Post.AUDITOR}, gives=list[AlertCard], anywhere=True)  # fmt: skip
async def alerts(asked: Call) -> list[AlertCard]:
    """Of the tables that the caller may see. A question or a request that has waited too long for an answer is listed
    too."""
    house, found = asked.services.house, list[AlertCard]()
    overdue = house.clock() - asked.services.settings.house.decision_alert * 1_000
    for name, running in tuple(house.tables.items()):
        if not _sees(asked, name):
            continue
        seen = house.journal.acknowledged.get(name, {})
        history = await asked.services.publisher.history(name)
        found += [
            _raised(name, one, seen)
            for one in history.alerts
            if one.version in seen or not _is_over(one, running.state)
        ]
        if running.state.question is not None and history.asked is not None and history.asked.at <= overdue:
            found.append(msgspec.structs.replace(_raised(name, history.asked, seen), waits=True))
    found += _of_the_journal(asked, overdue)
    mine = (msgspec.structs.replace(one, may_acknowledge=_acknowledges(asked, one)) for one in found)
    return sorted(mine, key=lambda card: card.at, reverse=True)


def _of_the_journal(asked: Call, overdue: int) -> Iterator[AlertCard]:
    """Incidents, tables that stopped, and what has waited for the caller to confirm it."""
    house = asked.services.house
    journal = house.journal
    for raised in journal.incidents.values():
        if _sees(asked, raised.incident.table):
            yield _incident(journal, raised)
    for version, failed in journal.failures.items():
        if _sees(asked, failed.table):
            yield _entry(journal, version, failed.table, failed.by.at, "table_stopped", STOPPED_ALERTS)
    for waiting in journal.waiting.values():
        if waiting.by.at <= overdue and may_confirm(house, asked.person, waiting):
            card = _entry(journal, waiting.entry, waiting.at_table, waiting.by.at, "confirmation_waits", None)
            yield msgspec.structs.replace(card, waits=True)


def _is_over(one: AlertLine, state: State) -> bool:
    """Whether an opening was let through, or no longer waits. Other alerts stay until somebody acknowledges them."""
    return one.kind == Alert.OPENING_WAITS and not (state.waits_for_permission and one.round == state.round)


def _raised(table: str, one: AlertLine, seen: Mapping[int, Who]) -> AlertCard:
    by = seen.get(one.version)
    return AlertCard(
        table=table, version=one.version, at=one.at, kind=one.kind, to=one.to, round=one.round, worth=one.worth,
        stakes=one.stakes, seen_by=by.person if by else "", seen_at=by.at if by else 0,
    )  # fmt: skip


def _entry(journal: Journal, version: int, table: str, at: int, kind: str, to: Role | None) -> AlertCard:
    by = journal.entries_seen.get(version)
    return AlertCard(
        table=table, version=0, at=at, kind=kind, to=to, round=0, entry=version, seen_by=by.person if by else "",
        seen_at=by.at if by else 0,
    )  # fmt: skip


def _acknowledges(asked: Call, card: AlertCard) -> bool:
    return not card.seen_by and acknowledges(asked.services.house.post(asked.person, card.table), card.to)


def _sees(asked: Call, table: str) -> bool:
    return asked.services.house.post(asked.person, table) in (*STAFF, Post.AUDITOR)


def _incident(journal: Journal, raised: b.IncidentRaised) -> AlertCard:
    by = journal.incidents_seen.get(raised.number)
    return AlertCard(
        table=raised.incident.table, version=0, at=raised.by.at, kind="incident", to=INCIDENT_ALERTS, round=0,
        incident=raised.number, seen_by=by.person if by else "", seen_at=by.at if by else 0,
    )  # fmt: skip
