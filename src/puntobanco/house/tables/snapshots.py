"""Load the state of a table: its snapshot, and every event since."""

from collections.abc import AsyncIterator

import msgspec

from puntobanco.store import codec
from puntobanco.store.base import Store
from puntobanco.store.places import Damaged
from puntobanco.store.records import GENESIS, Row, Snapshot, chained
from puntobanco.table.evolve import evolve
from puntobanco.table.state import State


def kept(state: State) -> Snapshot:
    return Snapshot(state.version, codec.STATE_SCHEMA, codec.encode_state(state))


async def load_state(store: Store, name: str) -> tuple[State, int]:
    """The state after the whole history, and the version of the snapshot that was used."""
    state = await _before(store, name)
    since, decode = state.version, codec.decode
    async for row in linked(store, name, since):
        state = evolve(state, decode(row.kind, row.body))
    return state, since


async def linked(store: Store, name: str, since: int = 0) -> AsyncIterator[Row]:
    """The events of a stream after that version. Raises `Damaged` if they do not lead to its last hash."""
    last, head = since, GENESIS
    async for row in store.read(name, after=max(since - 1, 0)):
        if row.version == since:
            head = row.hash
            continue
        last, head = row.version, chained(head, row.kind, row.at, row.body)
        if row.hash != head:
            raise Damaged(f"{name}, version {last}: the hash is not that of the event and the hash before it")
        yield row
    if (last, head) != await store.head(name):
        raise Damaged(f"{name}, version {last}: the stream says that its last event is another")


async def _before(store: Store, name: str) -> State:
    """The state of the snapshot, if it is readable, of this schema and not later than the history; otherwise an empty
    state."""
    found, (version, _) = await store.snapshot(name), await store.head(name)
    if found is None or found.schema != codec.STATE_SCHEMA or found.version > version:
        return State()
    try:
        state = codec.decode_state(found.body)
    except msgspec.MsgspecError:
        return State()
    return state if state.version == found.version else State()
