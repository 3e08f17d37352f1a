"""Disputes: find a round, step through it, and export it as a verifiable file."""

from bisect import bisect_left
from collections.abc import Iterator
from heapq import merge

import msgspec

from puntobanco.house.audit.export import export
from puntobanco.house.audit.history import History
from puntobanco.house.audit.round_bets import bets_of
from puntobanco.protocol.account_names import house_transfers
from puntobanco.protocol.export import Exported
from puntobanco.protocol.posts import PIT, Post
from puntobanco.protocol.rounds import FoundRound, FoundRounds, RoundBet, RoundLine, RoundStep, RoundSteps
from puntobanco.rules import library
from puntobanco.rules.game import Game
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store import codec
from puntobanco.table.explain import RunningAccount
from puntobanco.table.state import State
from puntobanco.table.views import CardView
from puntobanco.web.handlers.tables import sentences
from puntobanco.web.http.operations import Reply, operation
from puntobanco.web.services import Call

DESK = frozenset({Post.AUDITOR, *PIT})
MOST_FOUND, MOST_LOOKED_AT = 100, 400
"""Rounds in one answer, and rounds scanned for it."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`since` and `before` in milliseconds. `least` and `most` in cents, compared with the stake or return of a bet."""

    table: str | None = None
    """Rounds of this table only."""
    since: int = 0
    """Rounds opened at this moment or later, in milliseconds UTC."""
    before: int | None = None
    """Rounds opened before this moment, in milliseconds UTC."""
    person: str | None = None
    """Rounds with a bet of this person."""
    least: int | None = None
    """Rounds with a bet whose stake or return is at least this many cents."""
    most: int | None = None
    """Rounds with a bet whose stake or return is at most this many cents."""


# ---- finding -----------------------------------------------------------------------------------------------------


@operation("GET", "/rounds", "Find rounds by table, time, player and amount, newest first", who=DESK,
           gives=FoundRounds, query=Wanted, anywhere=True)  # fmt: skip
async def find_rounds(asked: Call) -> FoundRounds:
    """Includes retired tables. Rounds with the same time are always in the same answer."""
    wanted: Wanted = asked.query
    histories = [await asked.services.publisher.history(name) for name in _tables(asked, wanted.table)]
    lines = merge(*(_latest_first(one, wanted) for one in histories), key=lambda pair: pair[0].at, reverse=True)
    games, found, last = asked.services.house.journal.tables, list[FoundRound](), 0
    for looked_at, (line, history) in enumerate(lines):
        if (len(found) >= MOST_FOUND or looked_at >= MOST_LOOKED_AT) and line.at != last:
            return FoundRounds(found=tuple(found), before=last)
        last = line.at
        stakes = await _matching(history, line, wanted)
        if stakes is not None:
            found.append(FoundRound(table=history.table, game=games[history.table].game, line=line, stakes=stakes))
    return FoundRounds(found=tuple(found))


def _tables(asked: Call, wanted: str | None) -> list[str]:
    """The tables whose disputes the caller may read."""
    house = asked.services.house
    if wanted is not None and wanted not in house.journal.tables:
        raise Refused(Reason.UNKNOWN_TABLE, table=wanted)
    names = [wanted] if wanted is not None else list(house.journal.tables)
    return [name for name in names if house.post(asked.person, name) in DESK]


def _latest_first(history: History, wanted: Wanted) -> Iterator[tuple[RoundLine, History]]:
    rounds = history.rounds
    end = len(rounds) if wanted.before is None else bisect_left(rounds, wanted.before, key=lambda line: line.at)
    for place in range(end - 1, -1, -1):
        if rounds[place].at < wanted.since:
            return
        yield rounds[place], history


async def _matching(history: History, line: RoundLine, wanted: Wanted) -> tuple[RoundBet, ...] | None:
    """The matching bets, or None if the round does not match. Without a filter on bets every round matches."""
    if wanted.person is None and wanted.least is None and wanted.most is None:
        return ()
    bets = bets_of(event for _, event in await history.events_of(line.round))
    return tuple(one for one in bets if _fits(one, wanted)) or None


def _fits(bet: RoundBet, wanted: Wanted) -> bool:
    if wanted.person is not None and bet.owner != wanted.person:
        return False
    least, most = wanted.least or 0, wanted.most if wanted.most is not None else bet.stake + bet.back
    return any(least <= amount <= most for amount in (bet.stake, bet.back))


# ---- one round ---------------------------------------------------------------------------------------------------


@operation("GET", "/tables/{table}/rounds/{round}/steps", "Step through a round: cards, money, text and paragraphs",
           who=DESK, gives=RoundSteps, long=True)  # fmt: skip
async def round_steps(asked: Call) -> RoundSteps:
    """Each step has its event, the sentences and the money of it, and the table after it."""
    history, game, line = await _round(asked)
    rows = await history.rows_of(line.round)
    hash, state = await history.replays.before(rows[0].version)
    telling, steps = RunningAccount(game, state), list[RoundStep]()
    for row in rows:
        event = codec.decode(row.kind, row.body)
        account = sentences(telling.tell(event), asked.said)
        steps.append(
            RoundStep(
                version=row.version, hash=row.hash.hex(), event=event, account=account,
                moved=tuple(house_transfers(history.table, event)), cards=_cards(telling.state),
                waiting=tuple(str(card) if card is not None else None for card in telling.state.front),
                phase=telling.state.phase, in_play=telling.state.in_play,
            )
        )  # fmt: skip
    shoe = history.shoes.at(rows[0].version)
    known = game.key in library.GAMES and library.game(game.key).fingerprint == game.fingerprint
    return RoundSteps(
        table=history.table,
        line=line,
        game=game.key,
        fingerprint=game.fingerprint,
        own_game=known or asked.services.house.journal.games.get(game.key) == game.fingerprint,
        before_hash=hash.hex(),
        steps=tuple(steps),
        seal=(await export(history, game, line.round)).seal,
        shoe=shoe.shoe.rpartition("/")[2] if shoe is not None and shoe.electronic else "",
    )


def _cards(state: State) -> tuple[CardView, ...]:
    return tuple(
        CardView(index=index, side=one.side, face=str(one.card) if one.card is not None else None)
        for index, one in enumerate(state.drawn, start=1)
    )


@operation("GET", "/tables/{table}/rounds/{round}/export", "Export a round as a file that anyone can verify", who=DESK,
           gives=Exported, long=True)  # fmt: skip
async def export_round(asked: Call) -> Reply:
    """`puntobanco house check` verifies the file without the house."""
    history, game, line = await _round(asked)
    return Reply(content=(await export(history, game, line.round)).written())


async def _round(asked: Call) -> tuple[History, Game, RoundLine]:
    """The round named in the path. The table may be retired."""
    table = asked.path["table"]
    game = await asked.services.house.game_of(table)
    history = await asked.services.publisher.history(table)
    line = history.round(asked.number("round"))
    if line is None:
        raise Refused(Reason.NOT_FOUND)
    return history, game, line
