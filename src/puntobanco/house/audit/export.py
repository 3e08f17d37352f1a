"""Export a round as a file that anyone can verify: its events with their hashes, the state before it, and its rules.

Anyone can recompute every hash, replay the events and settle the bets again by the game in the file. The seal covers
every byte, and the same round always gives the same file: a file with the seal that the house shows is the file of the
house.
"""

import base64
from collections.abc import Iterable
from typing import Any

import msgspec

from puntobanco.house.audit.history import History
from puntobanco.protocol.export import FORMAT, Exported, ExportedRow
from puntobanco.rules import library
from puntobanco.rules.game import Game
from puntobanco.rules.money import show_money
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store import codec
from puntobanco.store.records import Row, chained
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.dealing import settle_round
from puntobanco.table.events import AnyEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.felt import Felt
from puntobanco.table.pending import PendingEvents
from puntobanco.table.state import State

LARGEST = 100_000_000
"""The most bytes that an exported round is read from: far more than any has."""

UNREADABLE = (msgspec.MsgspecError, ValueError, KeyError, IndexError, TypeError, AttributeError, AssertionError)
"""Errors caused by tampered data."""


async def export(history: History, game: Game, number: int) -> Exported:
    """Export a round of the history."""
    rows = await history.rows_of(number)
    hash, state = await history.replays.before(rows[0].version)
    return exported(history.table, number, game, hash, state, rows)


def exported(table: str, number: int, game: Game, hash: bytes, state: State, rows: Iterable[Row]) -> Exported:
    """The sealed file of a round. `hash` and `state` are those before the first of its events."""
    unsealed = Exported(
        format=FORMAT, table=table, round=number, game=game.canonical().decode(), before_hash=hash.hex(),
        before=base64.b64encode(_written(state)).decode(),
        rows=tuple(ExportedRow(row.version, row.kind, row.at, row.body.decode(), row.hash.hex()) for row in rows),
    )  # fmt: skip
    return msgspec.structs.replace(unsealed, seal=unsealed.right_seal)


def _written(state: State) -> bytes:
    """The same bytes on every machine. A set is sorted, because it has no order."""
    plain: dict[str, Any] = msgspec.to_builtins(state, str_keys=True)
    for field in state.__struct_fields__:
        if isinstance(getattr(state, field), frozenset):
            plain[field] = sorted(plain[field])
    return msgspec.json.encode(plain)


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """The result of verifying an exported round."""

    table: str
    round: int
    events: int
    head: str
    seal: str
    bets: int
    wrong: tuple[str, ...]


def check(content: bytes, seal: str | None = None, file: str = "export") -> Checked:
    """Recompute every hash, replay every event and settle every bet again. `seal`: the seal as given by the house;
    `file`: the name of the file, for messages."""
    try:
        found = msgspec.json.decode(content, type=Exported)
        game = library.from_canonical(found.game.encode())
        state = codec.decode_state(base64.b64decode(found.before, validate=True))
        before = bytes.fromhex(found.before_hash)
    except (*UNREADABLE, RecursionError, Refused) as error:
        raise Refused(Reason.FILE_MALFORMED, file=file, why=error) from None
    if found.format != FORMAT:
        raise Refused(Reason.FILE_MALFORMED, file=file, why=found.format)
    checking = _Checking(game, state, before)
    checking.file(found, content, seal)
    for place, row in enumerate(found.rows):
        if not checking.row(found, place, row):
            break
    return Checked(
        table=found.table, round=found.round, events=len(found.rows), head=checking.hash.hex(), seal=found.seal,
        bets=checking.bets, wrong=tuple(checking.wrong),
    )  # fmt: skip


class _Checking:
    def __init__(self, game: Game, state: State, hash: bytes) -> None:
        self.game, self.state, self.hash = game, state, hash
        self.version, self.bets, self.wrong = state.version, 0, list[str]()

    def file(self, found: Exported, content: bytes, seal: str | None) -> None:
        if found.seal != found.right_seal:
            self.wrong.append("the seal is not that of the file")
        if content != found.written():
            self.wrong.append("the file is not written as the house writes it")
        if seal is not None and seal.strip().lower() != found.seal:
            self.wrong.append("the seal is not the one that was told")
        if not found.rows:
            self.wrong.append("there is no event in it")

    def row(self, found: Exported, place: int, row: ExportedRow) -> bool:
        """Whether the rest can be read at all."""
        self.version += 1
        try:
            body = row.body.encode()
            self.hash = chained(self.hash, row.kind, row.at, body)
            event = codec.decode(row.kind, body)
            self._order(found, place, row, event)
            if isinstance(event, e.RoundSettled):
                self.bets += len(event.stakes)
                self._settled(row, event)
            self.state = evolve(self.state, event)
        except (*UNREADABLE, Refused) as error:
            self.wrong.append(f"version {row.version}: {type(error).__name__}: {error}")
            return False
        return True

    def _order(self, found: Exported, place: int, row: ExportedRow, event: AnyEvent) -> None:
        if row.version != self.version:
            self.wrong.append(f"version {row.version} stands where {self.version} belongs")
            self.version = row.version  # and the next one follows from it
        if self.hash.hex() != row.hash:
            self.wrong.append(f"version {row.version}: the hash does not match the event and the hash before it")
            self.hash = bytes.fromhex(row.hash)  # later hashes follow from this one: only what was altered is named
        if row.at != event.by.at:
            self.wrong.append(f"version {row.version}: the time does not match the event")
        opens = isinstance(event, e.BettingOpened)
        if opens != (place == 0) or (isinstance(event, e.BettingOpened) and event.round != found.round):
            self.wrong.append(f"version {row.version}: this is not round {found.round} alone, from its opening on")
        setup = self.state.setup
        if place == 0 and (setup is None or setup.fingerprint != self.game.fingerprint):
            self.wrong.append("the game in the file is not the one the table was set up with")

    def _settled(self, row: ExportedRow, event: e.RoundSettled) -> None:
        """Settle the round again by the rules of the table, from its stakes and cards."""
        coup = self.state.coup
        own = coup.outcome if coup is not None and coup.is_complete and not self.state.as_lying else self.state.outcome
        setup = self.state.plays_under
        if setup is None or own is None:
            self.wrong.append(f"version {row.version}: the hands were not complete")
            return
        state = msgspec.structs.replace(self.state, outcome=own)
        pending = PendingEvents(Felt.of(self.game, setup), state, event.by)
        settle_round(pending, c.Settle(round=event.round))
        again = next(one for one in pending.events if isinstance(one, e.RoundSettled))
        if again.outcome != event.outcome:
            self.wrong.append(f"version {row.version}: the cards come to another result than was written")
        for written, right in zip(event.stakes, again.stakes, strict=False):
            if written != right:
                who = f"{written.owner}, {written.bet}"
                self.wrong.append(
                    f"version {row.version}: {who}: profit {show_money(written.profit)} was written, "
                    f"{show_money(right.profit)} is right"
                )
        if len(event.stakes) != len(again.stakes):
            self.wrong.append(f"version {row.version}: not every bet that lay there was settled, or one that did not")
