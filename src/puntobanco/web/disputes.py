"""Disputes: find a round, export it as a file the other side can check, and the alerts of the pit."""

import msgspec

from puntobanco.house.exports import export
from puntobanco.house.history import History, RoundLine
from puntobanco.house.people import PIT, STAFF, Post
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import events as e
from puntobanco.table.events import SettledStake
from puntobanco.web.api import Asked, Given, figure, operation
from puntobanco.web.wire import AlertCard, FoundRound, FoundRounds

DESK = frozenset({Post.AUDITOR, *PIT})
MOST_FOUND, MOST_LOOKED_AT = 100, 400
"""Rounds in one answer, and rounds gone through for it."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Moments in milliseconds; `person` and amounts of a single bet, in cents."""

    table: str | None = None
    since: int = 0
    before: int | None = None
    person: str | None = None
    least: int | None = None
    most: int | None = None


@operation("GET", "/rounds", "Find rounds by table, time, player and amount, the latest first", who=DESK,
           gives=FoundRounds, query=Wanted)  # fmt: skip
async def find_rounds(asked: Asked) -> FoundRounds:
    wanted: Wanted = asked.query
    house = asked.desk.house
    names = [wanted.table] if wanted.table is not None else list(house.tables)
    lines: list[tuple[RoundLine, History]] = []
    for name in names:
        history = await asked.desk.screens.history(house.table(name).name)
        lines += [
            (line, history)
            for line in history.rounds
            if line.at >= wanted.since and (wanted.before is None or line.at < wanted.before)
        ]
    lines.sort(key=lambda pair: pair[0].at, reverse=True)
    found: list[FoundRound] = []
    for looked_at, (line, history) in enumerate(lines):
        if len(found) == MOST_FOUND or looked_at == MOST_LOOKED_AT:
            return FoundRounds(found=tuple(found), before=lines[looked_at - 1][0].at)
        stakes = await _matching(history, line, wanted)
        if stakes is not None:
            found.append(FoundRound(table=history.table, line=line, stakes=stakes))
    return FoundRounds(found=tuple(found))


async def _matching(history: History, line: RoundLine, wanted: Wanted) -> tuple[SettledStake, ...] | None:
    """The bets that fit, or nothing if the round does not; without a wish about bets every round fits."""
    if wanted.person is None and wanted.least is None and wanted.most is None:
        return ()
    settled: tuple[SettledStake, ...] = ()
    for _, event in await history.events_of(line.round):
        if isinstance(event, e.RoundSettled):
            settled = event.stakes
    fitting = tuple(
        one
        for one in settled
        if (wanted.person is None or one.owner == wanted.person)
        and (wanted.least is None or one.stake >= wanted.least)
        and (wanted.most is None or one.stake <= wanted.most)
    )
    return fitting or None


@operation("GET", "/tables/{table}/rounds/{round}/export", "A round as a file the other side can check", who=DESK)
async def export_round(asked: Asked) -> Given:
    house = asked.desk.house
    hosted = house.table(asked.path["table"])
    history = await asked.desk.screens.history(hosted.name)
    number = figure(asked.path["round"]) or 0
    place = next((at for at, line in enumerate(history.rounds) if line.round == number), None)
    if place is None:
        raise Refused(Reason.NOT_FOUND)
    after = history.rounds[place + 1].version if place + 1 < len(history.rounds) else None
    first = history.rounds[place].version
    return Given(content=await export(house.store, hosted.name, hosted.game, number, first, after))


@operation("GET", "/alerts", "What somebody should look at, the latest first, and who has seen to it",
           who=STAFF | {Post.AUDITOR}, gives=list[AlertCard])  # fmt: skip
async def alerts(asked: Asked) -> list[AlertCard]:
    house, found = asked.desk.house, list[AlertCard]()
    for name in house.tables:
        if house.post(asked.person, name) not in (*STAFF, Post.AUDITOR):
            continue
        seen = house.book.acknowledged.get(name, {})
        for one in (await asked.desk.screens.history(name)).alerts:
            by = seen.get(one.version)
            found.append(
                AlertCard(
                    table=name, version=one.version, at=one.at, kind=one.kind, to=one.to, round=one.round,
                    seen_by=by.person if by else "", seen_at=by.at if by else 0,
                )
            )  # fmt: skip
    return sorted(found, key=lambda card: card.at, reverse=True)
