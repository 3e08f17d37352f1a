"""A table's state from its history: what was kept of it, and every event since."""

import msgspec

from puntobanco.store import codec
from puntobanco.store.places import Damaged
from puntobanco.store.records import GENESIS, Snapshot, Store, chained
from puntobanco.table.evolve import evolve
from puntobanco.table.state import State


def kept(state: State) -> Snapshot:
    return Snapshot(state.version, codec.STATE_SCHEMA, codec.encode_state(state))


async def recalled(store: Store, name: str) -> tuple[State, int]:
    """The state the history leads to, and the version of the snapshot that was used. A history that is not chained to
    its last hash is not played on."""
    state = await _before(store, name)
    since, head, decode = state.version, GENESIS, codec.decode
    async for row in store.read(name, after=max(since - 1, 0)):
        if row.version == since:
            head = row.hash
            continue
        head = chained(head, row.kind, row.at, row.body)
        if row.hash != head:
            raise Damaged(f"{name}, version {row.version}: the hash is not that of the event and the hash before it")
        state = evolve(state, decode(row.kind, row.body))
    if (state.version, head) != await store.head(name):
        raise Damaged(f"{name}, version {state.version}: the stream says that its last event is another")
    return state, since


async def _before(store: Store, name: str) -> State:
    """What was kept, if it can be read and is of this schema and of a version that has happened; or nothing."""
    found, (version, _) = await store.snapshot(name), await store.head(name)
    if found is None or found.schema != codec.STATE_SCHEMA or found.version > version:
        return State()
    try:
        state = codec.decode_state(found.body)
    except msgspec.MsgspecError:
        return State()
    return state if state.version == found.version else State()
