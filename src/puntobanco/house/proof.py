"""Prove a whole house: every posting is what its event moves, every table is the replay of its history, and every
history is one that the rules of order allow: no bet after its close, no card too many, each round ended once."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from puntobanco.house.accounts import house_transfers
from puntobanco.house.book import STREAM, moved
from puntobanco.house.book import decode as decode_entry
from puntobanco.ledger.accounts import Transfer
from puntobanco.store import codec, open_store
from puntobanco.store.places import Damaged, copy_of, find, is_url
from puntobanco.store.records import Row, Snapshot, Store, StoreFailed
from puntobanco.store.verify import Proof, Reader, Readers, Wrong, verify
from puntobanco.table import events as e
from puntobanco.table.events import AnyEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.state import State

Moves = Callable[[Row], Iterable[Transfer]]
"""What a stored event of a book moves."""


async def prove(store: Store, books: Mapping[str, Moves] | None = None) -> Proof:
    """`books`: how the streams that are no tables are read, by their names."""
    return await verify(store, readers(books))


async def prove_house(store: Store) -> Proof:
    """The tables and the book of the house itself."""
    return await verify(store, house_readers())


async def proven_at(place: str) -> Proof:
    """A store by a copy of what is committed at this moment, so that it stays as it is and a house may go on writing;
    a database while no house uses it."""
    await find(place)
    if is_url(place):
        return await _proven(place)
    with TemporaryDirectory(prefix="puntobanco-") as folder:
        copy = Path(folder) / "house.db"
        await asyncio.to_thread(copy_of, Path(place), copy)
        return await _proven(str(copy))


async def _proven(place: str) -> Proof:
    store = open_store(place)
    await store.open()
    try:
        await store.sole()
        try:
            return await prove_house(store)
        except StoreFailed as failed:
            raise Damaged(str(failed)) from failed
    finally:
        await store.close()


def house_readers() -> Readers:
    return readers({STREAM: lambda row: moved(decode_entry(row.body))})


def readers(books: Mapping[str, Moves] | None = None) -> Readers:
    known = dict(books or {})

    def reader(stream: str, snapshot: Snapshot | None) -> Reader:
        return Book(known[stream]) if stream in known else History(stream, snapshot)

    return reader


class Book:
    """A stream that is no table: only its money is proven, event by event."""

    def __init__(self, moves: Moves) -> None:
        self.moves = moves

    def take(self, row: Row) -> Iterable[Transfer]:
        try:
            return tuple(self.moves(row))
        except (msgspec.MsgspecError, KeyError, ValueError) as error:
            raise Wrong(f"the event cannot be read: {error}") from None

    def end(self, in_play: int) -> None:
        if in_play:
            raise Wrong(f"{in_play} lies on a layout that is not there")


class History:
    """A table's stream, replayed."""

    def __init__(self, stream: str, snapshot: Snapshot | None = None) -> None:
        self.stream, self.state = stream, State()
        self._snapshot = snapshot if snapshot and snapshot.schema == codec.STATE_SCHEMA else None
        self._round = _Round()
        self._impossible = False

    def take(self, row: Row) -> Iterable[Transfer]:
        try:
            event = codec.decode(row.kind, row.body)
        except (msgspec.MsgspecError, KeyError, ValueError) as error:
            raise Wrong(f"the event cannot be read: {error}") from None
        if row.kind.partition(".")[0] != type(event).__name__ or row.at != event.by.at:
            raise Wrong("kind and moment are not those of the event")
        self._round.take(event)
        self._cards(event)
        if self._snapshot is not None and self._snapshot.version == row.version:
            self._same(self._snapshot)
        return house_transfers(self.stream, event)

    def _cards(self, event: AnyEvent) -> None:
        """A card the decks cannot hold so often is an irregularity, and the next event says so."""
        if self._impossible and not isinstance(event, e.IrregularityReported):
            raise Wrong("a card was dealt more often than the decks hold it, and nobody said so")
        self.state = after = evolve(self.state, event)
        if after.shoe is not None and after.shoe.left < 0:
            raise Wrong("more cards were dealt than the shoe held")
        self._impossible = (
            isinstance(event, e.CardExposed) and not event.counted and event.card.suit is not None
            and after.setup is not None and after.seen[str(event.card)] > after.setup.decks
        )  # fmt: skip

    def _same(self, snapshot: Snapshot) -> None:
        try:
            kept = codec.decode_state(snapshot.body)
        except msgspec.MsgspecError as error:
            raise Wrong(f"the snapshot cannot be read: {error}") from None
        if not same(kept, self.state):
            raise Wrong("the snapshot is not the replay of the events up to it")

    def end(self, in_play: int) -> None:
        if self._impossible:
            raise Wrong("a card was dealt more often than the decks hold it, and nobody said so")
        if self._snapshot is not None and self._snapshot.version > self.state.version:
            raise Wrong(f"the snapshot is of version {self._snapshot.version}, which has not happened")
        if in_play != self.state.in_play:
            raise Wrong(f"{in_play} lies on the layout, the history says {self.state.in_play}")


def same(one: State, other: State) -> bool:
    """Equal, and with every mapping in the same order: who placed first comes first."""
    mappings = [name for name in State.__struct_fields__ if isinstance(getattr(one, name), dict)]
    return one == other and all(list(getattr(one, name)) == list(getattr(other, name)) for name in mappings)


class _Round:
    """The order of a round, kept apart from the state: betting opens once, closes once, and the round ends once."""

    def __init__(self) -> None:
        self._number, self._open, self._betting, self._window = 0, False, False, False

    def take(self, event: AnyEvent) -> None:
        match event:
            case e.BettingOpened():
                if self._open:
                    raise Wrong(f"round {self._number} was neither settled nor void when the next began")
                if event.round != self._number + 1:
                    raise Wrong(f"round {event.round} follows round {self._number}")
                self._number, self._open, self._betting = event.round, True, True
            case e.BettingClosed():
                self._of(event.round, self._betting, "betting was not open")
                self._betting = False
            case e.BetsPlaced() | e.ExcessRejected() | e.BetReturned():
                self._of(event.round, self._betting, "a stake was moved after the close")
            case e.InsuranceOpened():
                self._window = True
            case e.InsuranceClosed() | e.InsuranceReturned():
                self._window = False
            case e.InsuranceTaken():
                self._of(event.round, self._window, "insurance was taken after its window")
            case e.RoundSettled() | e.RoundVoided() | e.RoundEndedWithoutBets():
                self._of(event.round, self._open, "the round had ended already")
                self._open = self._betting = self._window = False
            case e.SettlementReversed():
                self._of(event.round, not self._open, "what is reversed was not settled")
                self._open = True
            case e.TableClosed() if self._open:
                raise Wrong(f"round {self._number} was neither settled nor void when the table closed")
            case _:
                return

    def _of(self, number: int, allowed: bool, otherwise: str) -> None:
        if number != self._number:
            raise Wrong(f"round {number} is not the round that runs, {self._number}")
        if not allowed:
            raise Wrong(otherwise)
