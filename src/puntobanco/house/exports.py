"""A round as a file the other side can check: its events with their hashes, what lay before it, and the rules of it.

Whoever has the last hash of the table's history from elsewhere can see that these are its events; anybody can replay
them, and settle the bets again by the game that is in the file.
"""

import base64

import msgspec

from puntobanco.rules import library
from puntobanco.rules.game import Game
from puntobanco.rules.money import Cents
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import settle
from puntobanco.store import codec
from puntobanco.store.records import GENESIS, Store, chained
from puntobanco.table import events as e
from puntobanco.table.evolve import evolve
from puntobanco.table.state import State

FORMAT = "puntobanco.round.1"


class ExportedRow(msgspec.Struct, frozen=True):
    version: int
    kind: str
    at: int
    body: str
    """The canonical bytes, which are JSON."""
    hash: str


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    table: str
    round: int
    game: str
    """Canonical content; its SHA-256 is the fingerprint in the table's set-up."""
    before_hash: str
    before: str
    """The state of the table before the first of these events."""
    rows: tuple[ExportedRow, ...]


async def export(store: Store, table: str, game: Game, round: int, first: int, before: int | None) -> bytes:
    """The events from `first` on, up to but without `before`."""
    state, hash, rows = State(), GENESIS, list[ExportedRow]()
    kept = b""
    async for row in store.read(table):
        if before is not None and row.version >= before:
            break
        if row.version < first:
            state, hash = evolve(state, codec.decode(row.kind, row.body)), row.hash
            continue
        kept = kept or codec.encode_state(state)
        rows.append(ExportedRow(row.version, row.kind, row.at, row.body.decode(), row.hash.hex()))
    exported = Exported(
        format=FORMAT, table=table, round=round, game=game.canonical().decode(), before_hash=hash.hex(),
        before=base64.b64encode(kept).decode(), rows=tuple(rows),
    )  # fmt: skip
    return msgspec.json.format(msgspec.json.encode(exported), indent=2)


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What an exported round comes to when it is gone through again."""

    table: str
    round: int
    events: int
    head: str
    bets: int
    wrong: tuple[str, ...]


def check(content: bytes) -> Checked:
    """Recompute every hash, replay every event, settle every bet again."""
    try:
        found = msgspec.json.decode(content, type=Exported)
        game, state = library.from_canonical(found.game.encode()), codec.decode_state(base64.b64decode(found.before))
    except (msgspec.MsgspecError, ValueError) as error:
        raise Refused(Reason.FILE_MALFORMED, file="export", why=error) from None
    if found.format != FORMAT:
        raise Refused(Reason.FILE_MALFORMED, file="export", why=found.format)
    wrong: list[str] = []
    hash, bets, version = bytes.fromhex(found.before_hash), 0, state.version
    for row in found.rows:
        version += 1
        hash = chained(hash, row.kind, row.at, row.body.encode())
        if row.version != version:
            wrong.append(f"version {row.version} stands where {version} belongs")
        if hash.hex() != row.hash:
            wrong.append(f"version {row.version}: the hash is not that of the event and the hash before it")
        try:
            event = codec.decode(row.kind, row.body.encode())
        except (msgspec.MsgspecError, KeyError, ValueError) as error:
            wrong.append(f"version {row.version}: {error}")
            break
        if isinstance(event, e.RoundSettled):
            bets += len(event.stakes)
            wrong += [f"version {row.version}: {why}" for why in _unlike(game, state, event)]
        state = evolve(state, event)
    return Checked(
        table=found.table, round=found.round, events=len(found.rows), head=hash.hex(), bets=bets, wrong=tuple(wrong)
    )


def _unlike(game: Game, state: State, event: e.RoundSettled) -> list[str]:
    """Bets that the rules settle otherwise than it was written; insurance is by its window and not looked at here."""
    if state.setup is not None and state.setup.fingerprint != game.fingerprint:
        return ["the game in the file is not the one the table was set up with"]
    layout = game.layout(state.setup.layout) if state.setup is not None else game.layout()
    found = []
    for one in event.stakes:
        if "@" in one.bet:
            continue
        again = settle(game.bet(one.bet, layout), Cents(one.plays), event.outcome)
        if (again.result, again.profit) != (one.result, one.profit):
            found.append(f"{one.owner}, {one.bet}: {one.profit} was written, {again.profit} is right")
    return found
