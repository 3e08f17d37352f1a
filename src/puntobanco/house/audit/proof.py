"""Verify a whole house: every posting is what its event moves, every event is what the rules decide after those before
it, and every snapshot equals the replay of its history."""

from collections.abc import Callable, Iterable, Mapping

import msgspec
from msgspec.structs import replace

from puntobanco.house.audit.entry_checks import check_entry
from puntobanco.house.journal.journal import Journal, moved, reread
from puntobanco.house.secrets.keyring import Keyring
from puntobanco.house.secrets.secret_store import EncryptedSecretStore, SecretStore
from puntobanco.house.shoes.proof import OF_CARDS, ShoeProver, Tally
from puntobanco.house.tables.writer import felt_of
from puntobanco.ledger.accounts import Transfer
from puntobanco.protocol import entries as b
from puntobanco.protocol.account_names import house_transfers
from puntobanco.protocol.entries import STREAM, KeyLost
from puntobanco.rules import library
from puntobanco.rules.game import Game
from puntobanco.rules.refusal import Refused
from puntobanco.store import codec
from puntobanco.store.base import Store
from puntobanco.store.places import Damaged, as_committed
from puntobanco.store.records import Row, Snapshot, StoreFailed
from puntobanco.store.verify import Discrepancy, Reader, Readers, Verification, Watch, Wrong, verify
from puntobanco.table.events import AnyEvent, ShoeLoaded
from puntobanco.table.evolve import evolve, replay
from puntobanco.table.felt import Felt
from puntobanco.table.redeciding import Contradiction, redecided
from puntobanco.table.setup import Setup
from puntobanco.table.state import State

MOST_OF_A_MOMENT = 4_096
"""Most events by one person in one moment that are kept: many times more than any command produces."""

Moves = Callable[[Row], Iterable[Transfer]]
"""The transfers of a stored journal entry."""


async def prove(store: Store, books: Mapping[str, Moves] | None = None) -> Verification:
    """`books`: the readers of streams that are not tables, by name."""
    return await verify(store, readers(books))


async def prove_house(
    store: Store, ring: Keyring | None = None, tally: Tally | None = None, watch: Watch | None = None
) -> Verification:
    """Verify the tables and the journal, and the shoes and second factors as far as the keys decrypt them."""
    secret_store = EncryptedSecretStore(store, ring or Keyring.none())
    proof = await verify(store, house_readers(secret_store, tally), watch, first=STREAM)
    changed = await secret_store.changed() if proof.fault is None else None
    return replace(proof, fault=Discrepancy("", 0, changed[1], "sealed", changed[0])) if changed else proof


async def proven_at(
    place: str, ring: Keyring | None = None, tally: Tally | None = None, watch: Watch | None = None
) -> Verification:
    """Verify the data committed at this moment, while a server may go on writing (see `as_committed`)."""
    async with as_committed(place) as store:
        try:
            return await prove_house(store, ring, tally, watch)
        except StoreFailed as failed:
            raise Damaged(failed.detail) from failed


def house_readers(secret_store: SecretStore, tally: Tally | None = None) -> Readers:
    """The readers for one verification. Entries are checked against the journal before them, and tables against the
    journal, which is read first."""
    tally = tally or Tally()
    entries = JournalProof(tally)

    def game(table: str) -> str:
        added = entries.journal.tables.get(table)
        return added.fingerprint if added else ""

    return readers({STREAM: entries.moves}, lambda table: ShoeProver(table, secret_store, tally), game)


def readers(
    books: Mapping[str, Moves] | None = None,
    shoes: Callable[[str], ShoeProver] | None = None,
    game: Callable[[str], str] | None = None,
) -> Readers:
    """`game`: the fingerprint of the game a table was added with; None if there is no such table."""
    known = dict(books or {})

    def reader(stream: str, snapshot: Snapshot | None, contents: Mapping[str, bytes]) -> Reader:
        if stream in known:
            return MoneyOnly(known[stream])
        games = Games(contents, game(stream) if game else None)
        return TableProof(stream, snapshot, games, shoes(stream) if shoes else None)

    return reader


class Games:
    """The games of a store by fingerprint. Built-in games need not be stored."""

    def __init__(self, contents: Mapping[str, bytes], only: str | None = None) -> None:
        """`only`: the fingerprint of the only game allowed."""
        self._contents, self._only = contents, only
        self._known: dict[str, Game] = {}

    def of(self, setup: Setup) -> Game:
        if setup.fingerprint not in self._known:
            self._known[setup.fingerprint] = self._read(setup)
        return self._known[setup.fingerprint]

    def _read(self, setup: Setup) -> Game:
        if self._only not in (None, setup.fingerprint):
            raise Wrong(f"the journal has no table of this name with the game {setup.fingerprint}")
        content = self._contents.get(setup.fingerprint)
        try:
            game = library.game(setup.game) if content is None else library.from_canonical(content)
        except Refused as refused:
            raise Wrong(f"the game {setup.game} cannot be read: {refused}") from None
        if game.fingerprint != setup.fingerprint:
            raise Wrong(f"the game {setup.game} of fingerprint {setup.fingerprint} is not in the store")
        return game


class JournalProof:
    """Verifies the journal: who entered what moves money, and who confirmed it."""

    def __init__(self, tally: Tally) -> None:
        self.journal, self._tally = Journal(), tally

    def moves(self, row: Row) -> tuple[Transfer, ...]:
        entry = b.decode(row.body)
        if row.kind != b.kind_of(entry) or row.at != entry.by.at:
            raise Wrong("kind and time do not match the entry")
        check_entry(self.journal, entry)
        if isinstance(entry, KeyLost):
            self._tally.lost.update(entry.keys)
        self.journal = reread(self.journal, row.kind, row.body)
        return tuple(moved(entry))


class MoneyOnly:
    """A stream that is not a table: only its money is verified, event by event."""

    wants = False

    def __init__(self, moves: Moves) -> None:
        self.moves = moves

    def take(self, row: Row) -> Iterable[Transfer]:
        try:
            return tuple(self.moves(row))
        except Refused as refused:
            raise Wrong(f"the house would refuse it: {refused}") from None
        except (msgspec.MsgspecError, KeyError, ValueError) as error:
            raise Wrong(f"the event cannot be read: {error}") from None

    def end(self, in_play: int) -> None:
        if in_play:
            raise Wrong(f"{in_play} is on a layout, but the stream is not a table")

    async def look_up(self) -> None: ...


class TableProof:
    """Replays the stream of a table and decides every command in it again by the rules of its game."""

    def __init__(self, stream: str, snapshot: Snapshot | None, games: Games, shoes: ShoeProver | None = None) -> None:
        self.stream, self.state, self._shoes = stream, State(), shoes
        self._snapshot = snapshot if snapshot and snapshot.schema == codec.STATE_SCHEMA else None
        self._games = games
        self._waiting: list[AnyEvent] = []
        """Events of one person in one moment: one command, or several."""
        self._edition = 0
        """The edition that decided them."""
        self._last: tuple[Setup, Felt] | None = None
        self.wants = False
        """Whether the order of an electronic shoe must be looked up."""

    def take(self, row: Row) -> Iterable[Transfer]:
        try:
            event, edition = codec.decode(row.kind, row.body), codec.version_of(row.kind)
            moved = house_transfers(self.stream, event)
        except (msgspec.MsgspecError, KeyError, ValueError) as error:
            raise Wrong(f"the event cannot be read: {error}") from None
        if row.at != event.by.at:
            raise Wrong("the time does not match the event")
        waiting = self._waiting
        if edition != self._edition:
            self._decide()
            if edition < self._edition:
                raise Wrong(f"{row.kind} follows an event of version {self._edition}")
            self._edition = edition
        elif waiting and (event.by != waiting[0].by or len(waiting) >= MOST_OF_A_MOMENT):
            self._decide(MOST_OF_A_MOMENT // 2 if event.by == waiting[0].by else 0)
        waiting.append(event)
        if self._shoes is not None and isinstance(event, ShoeLoaded):
            self.wants = self._shoes.wants(event)
        return moved

    async def look_up(self) -> None:
        assert self._shoes is not None, "a shoe is wanted"
        self.wants = False
        await self._shoes.look_up()

    def _decide(self, left: int = 0) -> None:
        """Decide the waiting commands until at most this many events are left."""
        done, waiting = 0, self._waiting
        while len(waiting) - done > left:
            many, after = self._decided(waiting[done:] if done else waiting)
            told = waiting[done : done + many] if len(waiting) > 1 else waiting
            if self._snapshot is not None:
                self._compare(self._snapshot, told)
            if self._shoes is not None and not OF_CARDS.isdisjoint(map(type, told)):
                self._dealt(self._shoes, told)
            self.state = after
            done += many
        del waiting[:done]

    def _decided(self, told: list[AnyEvent]) -> tuple[int, State]:
        try:
            return redecided(self._felt, self.state, told)
        except Contradiction as found:
            raise Wrong(str(found), self.state.version + 1 + found.place) from None
        except Wrong as wrong:
            raise Wrong(str(wrong), self.state.version + 1) from None
        except Exception as error:  # an event no table has written can be anything
            what = f"it cannot be decided again: {type(error).__name__}: {error}"
            raise Wrong(what, self.state.version + 1) from None

    def _felt(self, setup: Setup) -> Felt:
        """Cached, because it is asked for every command and rarely changes."""
        if self._last is None or self._last[0] is not setup or self._last[1].edition != self._edition:
            self._last = setup, felt_of(self._games.of(setup), setup, self._edition)
        return self._last[1]

    def _dealt(self, shoes: ShoeProver, told: list[AnyEvent]) -> None:
        """Check every card among these events against the order it was dealt from."""
        before = self.state
        for event in told:
            after = evolve(before, event)
            try:
                shoes.take(before, event, after)
            except Wrong as wrong:
                raise Wrong(str(wrong), after.version) from None
            before = after

    def _compare(self, snapshot: Snapshot, told: list[AnyEvent]) -> None:
        """Compare the snapshot with the state at its version, if that is among these events."""
        many = snapshot.version - self.state.version
        if not 0 < many <= len(told):
            return
        try:
            kept = codec.decode_state(snapshot.body)
        except msgspec.MsgspecError as error:
            raise Wrong(f"the snapshot cannot be read: {error}", snapshot.version) from None
        if not same(kept, replay(told[:many], self.state)):
            raise Wrong("the snapshot differs from the replay of its events", snapshot.version)

    def end(self, in_play: int) -> None:
        self._decide()
        if self._snapshot is not None and self._snapshot.version > self.state.version:
            raise Wrong(f"the snapshot is of version {self._snapshot.version}, which does not exist")
        if in_play != self.state.in_play:
            raise Wrong(f"{in_play} is on the layout; the history has {self.state.in_play}")


def same(one: State, other: State) -> bool:
    """Whether the states are equal, including the order of every mapping: bets placed first come first."""
    mappings = [name for name in State.__struct_fields__ if isinstance(getattr(one, name), dict)]
    return one == other and all(list(getattr(one, name)) == list(getattr(other, name)) for name in mappings)
