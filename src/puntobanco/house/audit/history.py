"""The rounds of a table and the results of the shoe in use: a projection of the stream."""

import asyncio
from bisect import bisect_left
from collections import deque

import msgspec

from puntobanco.house.audit.past_states import AT_ONCE, PastStates
from puntobanco.house.audit.takings import Takings
from puntobanco.house.shoes.exposure import FOLLOWED, ShoeExposure
from puntobanco.protocol.rounds import AlertLine, RoundLine
from puntobanco.roads import Mark, side_bets_won
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.outcome import Outcome
from puntobanco.rules.settlement import Result
from puntobanco.store import codec
from puntobanco.store.base import Store
from puntobanco.store.records import LAST, Row
from puntobanco.table import events as e
from puntobanco.table.events import AnyEvent
from puntobanco.table.tags import tag_of

TOLD_BY = (
    e.TableOpened, e.SetupChanged, e.BettingOpened, e.ShoeLoaded, e.CardCorrected, e.HandsCompleted, e.RoundSettled,
    e.RoundVoided, e.RoundEndedWithoutBets, e.RoundDecided, e.BetsDecided,
    e.SettlementReversed, e.AlertRaised, e.QuestionPut, *FOLLOWED,
)  # fmt: skip
"""The events this projection is built from. Others are read only when a round is inspected."""
MOST_ALERTS = 200
MINUTE, HOUR = 60_000, 3_600_000
_TOLD_BY = frozenset(TOLD_BY)
_KINDS = frozenset(tag_of(kind) for kind in TOLD_BY)


class History:
    """Follows a table once it is loaded. Loading reads the stream; events that arrive meanwhile are kept."""

    def __init__(self, table: str, store: Store, game: Game) -> None:
        self.table, self._store, self._game = table, store, game
        self._menu: tuple[Bet, ...] = ()
        self._won: dict[Outcome, tuple[str, ...]] = {}
        """The side bets of the menu that win on each outcome met so far."""
        self.rounds: list[RoundLine] = []
        self.replays = PastStates(table, store)
        self.shoes = ShoeExposure()
        self._places: dict[int, int] = {}
        """The index of each round in the list."""
        self.shoe: list[tuple[int, Mark]] = []
        """Round and mark of every result of the shoe in use."""
        self.takings = Takings()
        self.alerts: deque[AlertLine] = deque(maxlen=MOST_ALERTS)
        self.asked: AlertLine | None = None
        """The last question that was put."""
        self.version = 0
        self.changed_at = 0
        """The version at which the results of the shoe last changed."""
        self.loaded = False
        self._missed: list[tuple[tuple[AnyEvent, ...], int]] | None = None
        """Events that arrived while loading."""
        self._turn = asyncio.Lock()

    async def load(self) -> "History":
        async with self._turn:
            if not self.loaded:
                self._missed = []
                try:
                    async for row in self._store.read(self.table, after=self.version):
                        self._row(row)
                        if row.version % AT_ONCE == 0:
                            await asyncio.sleep(0)
                    self.loaded = True
                finally:
                    missed, self._missed = self._missed, None
                for events, version in missed:
                    self.follow(events, version)
        return self

    def _row(self, row: Row) -> None:
        self.version = row.version
        if row.kind.partition(".")[0] in _KINDS:
            self._note(codec.decode(row.kind, row.body), row.version)

    def follow(self, events: tuple[AnyEvent, ...], version: int) -> None:
        """Take new events, the last one at that version. Before loading, loading takes care of them."""
        if self._missed is not None:
            self._missed.append((events, version))
        if not self.loaded:
            return
        for at, event in enumerate(events, start=version - len(events) + 1):
            if at > self.version:
                self.version = at
                if type(event) in _TOLD_BY:
                    self._note(event, at)

    def _note(self, event: AnyEvent, version: int) -> None:  # noqa: PLR0912 (one arm a kind of event)
        self.shoes.follow(event, version)
        match event:
            case e.TableOpened() | e.SetupChanged():
                self._menu, self._won = self._game.menu(self._game.layout(event.setup.layout)), {}
            case e.BettingOpened():
                self._places[event.round] = len(self.rounds)
                self.rounds.append(RoundLine(round=event.round, at=event.by.at, version=version))
            case e.ShoeLoaded():
                self.shoe, self.changed_at = [], version
            case e.CardCorrected():
                self._end(event.round, None, "")
            case e.HandsCompleted():
                self._end(event.round, event.outcome, "")
            case e.RoundSettled():
                self._end(event.round, event.outcome, "settled")
                self._unmark(event.round)
                self.shoe.append((event.round, Mark.of(event.outcome, self._bets_won(event))))
                self.takings.settled(event.stakes)
                self.changed_at = version
            case e.RoundVoided():
                self.takings.settled(event.taken_back, -1)
                self._end(event.round, None, "void")
                self._unmark(event.round)
                self.changed_at = version
            case e.RoundEndedWithoutBets():
                self._end(event.round, None, "without_bets")
            case e.RoundDecided():
                self._end(event.round, None, "decided")
                self.takings.settled(event.stakes)
            case e.BetsDecided():
                for one in event.bets:
                    self.takings.decided(one)
            case e.AlertRaised():
                self.alerts.append(
                    AlertLine(
                        version=version, at=event.by.at, kind=event.kind, to=event.to, round=self._round,
                        worth=event.worth, stakes=event.stakes,
                    )
                )  # fmt: skip
            case e.QuestionPut():
                self.asked = AlertLine(
                    version=version, at=event.by.at, kind="decision_waits", to=event.question.asked_of,
                    round=self._round,
                )  # fmt: skip
            case e.SettlementReversed():
                self.takings.settled(event.stakes, -1)
                self._end(event.round, None, "")
                self._unmark(event.round)
                self.changed_at = version
            case _:
                return

    @property
    def _round(self) -> int:
        return self.rounds[-1].round if self.rounds else 0

    def _bets_won(self, settled: e.RoundSettled) -> tuple[str, ...]:
        """Side bets by the outcome, whoever bet; insurance only if it was taken and paid."""
        if settled.outcome not in self._won:
            self._won[settled.outcome] = side_bets_won(self._menu, settled.outcome)
        paid = {one.bet.partition("@")[0] for one in settled.stakes if "@" in one.bet and one.result is Result.WIN}
        return self._won[settled.outcome] + tuple(bet.key for bet in self._menu if bet.key in paid)

    def _end(self, number: int, outcome: Outcome | None, ended: str) -> None:
        if (place := self._places.get(number)) is not None:
            self.rounds[place] = msgspec.structs.replace(self.rounds[place], outcome=outcome, ended=ended)

    def _unmark(self, number: int) -> None:
        self.shoe = [(round, mark) for round, mark in self.shoe if round != number]

    def rounds_per_hour(self, now: int) -> float:
        """Over the rounds of the last hour, or since the first if that is later."""
        first = bisect_left(self.rounds, now - HOUR + 1, key=lambda line: line.at)
        many = len(self.rounds) - first
        return many * HOUR / max(now - self.rounds[first].at, MINUTE) if many else 0.0

    @property
    def marks(self) -> tuple[str, ...]:
        """The results of the shoe in the notation of the roads."""
        return tuple(str(mark) for _, mark in self.shoe)

    def round(self, number: int) -> RoundLine | None:
        place = self._places.get(number)
        return self.rounds[place] if place is not None else None

    async def rows_of(self, number: int) -> tuple[Row, ...]:
        """The stored rows from the opening of that round to the opening of the next."""
        place = self._places.get(number)
        if place is None:
            return ()
        first = self.rounds[place].version
        last = self.rounds[place + 1].version - 1 if place + 1 < len(self.rounds) else LAST
        return tuple([row async for row in self._store.read(self.table, after=first - 1, through=last)])

    async def events_of(self, number: int) -> tuple[tuple[int, AnyEvent], ...]:
        """The same as events, with their versions."""
        return tuple((row.version, codec.decode(row.kind, row.body)) for row in await self.rows_of(number))
