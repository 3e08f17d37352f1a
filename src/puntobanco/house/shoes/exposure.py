"""Track which cards of a table's shoes everyone has seen, and which shoes may be disclosed completely.

A card is disclosed once it was exposed and its round has ended. When cards leave a shoe other than by one draw after
another, nobody can tell from outside which place a card had: then nothing more of that shoe is disclosed until it is
out of service. A shoe out of service is disclosed completely only when none of its cards can still lie face down on the
layout or in front of the shoe.
"""

import msgspec

from puntobanco.rules.cards import Card
from puntobanco.table import events as e
from puntobanco.table.events import AnyEvent
from puntobanco.table.setup import Source

FOLLOWED = (
    e.ShoeLoaded, e.ShoeWithdrawn, e.BettingOpened, e.CardDrawn, e.CardExposed, e.CardCorrected, e.RoundSettled,
    e.RoundVoided, e.RoundEndedWithoutBets, e.RoundDecided, e.SettlementReversed, e.CardsOutOfTurn, e.CardsSetAside,
    e.CardsReconstructed, e.CardsLeftLying, e.FaultClosed, e.CarryOverDiscarded,
)  # fmt: skip


class ShoeLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One shoe of a table, from the event that loaded it."""

    shoe: str
    version: int
    at: int
    electronic: bool = False
    commitment: str | None = None


class ShoeExposure:
    """Tracks the shoes of one table."""

    def __init__(self) -> None:
        self.lines: list[ShoeLine] = []
        self.whole: set[str] = set()
        """Shoes of which every card may be disclosed."""
        self.shown: dict[int, Card] = {}
        """By place: the disclosed cards of the last loaded shoe."""
        self._leaving: set[str] = set()
        self._next = 0
        self._regular = True
        self._drawn: dict[int, int] = {}
        """The place in the shoe of each card of the round, by draw index."""
        self._seen: dict[int, Card] = {}
        self._in_round = False
        self._waiting = 0
        """Cards in front of the shoe."""

    def find(self, shoe: str | None) -> ShoeLine | None:
        """The shoe with that name or last part of a name. Default: the last."""
        if shoe is None:
            return self.lines[-1] if self.lines else None
        return next((line for line in reversed(self.lines) if shoe in (line.shoe, line.shoe.rpartition("/")[2])), None)

    def at(self, version: int) -> ShoeLine | None:
        """The shoe in use at that event."""
        return next((line for line in reversed(self.lines) if line.version <= version), None)

    def follow(self, event: AnyEvent, version: int) -> None:
        match event:
            case e.ShoeLoaded():
                self._load(event, version)
            case e.ShoeWithdrawn() if self.lines:
                self._leaving.add(self.lines[-1].shoe)
            case e.BettingOpened():
                self._in_round, self._drawn = True, {}
            case e.SettlementReversed():
                self._in_round = True
            case e.RoundSettled() | e.RoundVoided() | e.RoundEndedWithoutBets() | e.RoundDecided():
                self._in_round = False
                self.shown |= self._seen
                self._seen = {}
            case e.CardDrawn() if not event.carried:
                self._drawn[event.index] = self._next
                self._next += 1
            case e.CardExposed() | e.CardCorrected() if self._regular and event.index in self._drawn:
                self._seen[self._drawn[event.index]] = event.card
            case _:
                self._out_of_order(event)
        if not self._in_round and self._waiting <= 0:
            self.whole |= self._leaving
            self._leaving = set()

    def _load(self, event: e.ShoeLoaded, version: int) -> None:
        if self.lines:
            self._leaving.add(self.lines[-1].shoe)
        line = ShoeLine(
            shoe=event.shoe, version=version, at=event.by.at, electronic=event.source is Source.ELECTRONIC,
            commitment=event.commitment,
        )  # fmt: skip
        self.lines.append(line)
        self._leaving.discard(event.shoe)
        self.whole.discard(event.shoe)
        self._next, self._drawn, self._seen, self.shown = event.burned, {}, {}, {}
        self._regular = not self._in_round and self._waiting <= 0

    def _out_of_order(self, event: AnyEvent) -> None:
        match event:
            case e.CardDrawn():
                self._waiting -= 1
            case e.CardsOutOfTurn():
                self._waiting += len(event.cards)
            case e.CardsReconstructed():
                self._waiting = len(event.spare)
            case e.CarryOverDiscarded():
                self._waiting = 0 if event.many is None else self._waiting - event.many
            case e.FaultClosed() if event.put_back:
                self._waiting -= len(event.put_back)
            case e.CardsSetAside() | e.CardsLeftLying():
                pass
            case _:
                return
        self._regular, self._seen = False, {}
