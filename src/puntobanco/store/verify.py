"""Prove a store: every chain recomputed, every version there, every cent accounted for.

The store must be at rest, or be a backup: what is appended meanwhile would look like a fault.
"""

import msgspec

from puntobanco.store.records import GENESIS, NEVER_NEGATIVE, Posting, Store, chained


class Fault(msgspec.Struct, frozen=True):
    """The first thing that is wrong, and where. An account is named by the last posting that touched it."""

    stream: str
    version: int
    what: str

    def __str__(self) -> str:
        return f"stream {self.stream}, version {self.version}: {self.what}"


class Proof(msgspec.Struct, frozen=True):
    """What was walked, and the first fault if there is one."""

    streams: int
    events: int
    postings: int
    fault: Fault | None = None


class _Found(Exception):
    def __init__(self, stream: str, version: int, what: str) -> None:
        self.fault = Fault(stream, version, what)


async def verify(store: Store) -> Proof:
    streams = await store.streams()
    events = postings = 0
    heads: dict[str, int] = {}
    try:
        for stream in streams:
            heads[stream] = await _chain(store, stream)
            events += heads[stream]
        postings = await _money(store, heads)
    except _Found as found:
        return Proof(len(streams), events, postings, found.fault)
    return Proof(len(streams), events, postings)


async def _chain(store: Store, stream: str) -> int:
    """The number of events, each following the one before it, the last being the head."""
    version, head = 0, GENESIS
    async for row in store.read(stream):
        version += 1
        if row.version != version:
            raise _Found(stream, version, f"the event is missing, the next is {row.version}")
        head = chained(head, row.body)
        if row.hash != head:
            raise _Found(stream, version, "the hash is not that of the event and the hash before it")
    written, kept = await store.head(stream)
    if written > version:
        raise _Found(stream, version + 1, f"the event is missing, the stream was written to {written}")
    if (written, kept) != (version, head):
        raise _Found(stream, version, f"the stream says that version {written} is its last, with another hash")
    return version


async def _money(store: Store, heads: dict[str, int]) -> int:
    """The number of postings; they add up to the balances, and the balances to nothing."""
    held: dict[str, int] = {}
    last: dict[str, Posting] = {}
    count = 0
    async for one in store.postings():
        count += 1
        if one.stream not in heads or not 0 <= one.version <= heads[one.stream]:
            raise _Found(one.stream, one.version, f"posting {one.id} belongs to no event")
        for account, change in ((one.source, -one.amount), (one.target, one.amount)):
            held[account] = held.get(account, 0) + change
            last[account] = one
    balances = await store.balances()
    for account in sorted(held.keys() | balances.keys()):
        if held.get(account, 0) != balances.get(account, 0):
            stream, version = _place(account, last, heads)
            what = f"{account} holds {balances.get(account, 0)}, its postings come to {held.get(account, 0)}"
            raise _Found(stream, version, what)
        if account.startswith(NEVER_NEGATIVE) and held.get(account, 0) < 0:
            raise _Found(*_place(account, last, heads), f"{account} is negative")
    if total := sum(balances.values()):
        raise _Found("", 0, f"all accounts together hold {total}, not nothing")
    for stream, version in heads.items():
        in_play, stakes = await store.in_play(stream), balances.get(f"stakes:{stream}", 0)
        if in_play != stakes:
            raise _Found(stream, version, f"{in_play} lies on the layout, the account of stakes holds {stakes}")
    return count


def _place(account: str, last: dict[str, Posting], heads: dict[str, int]) -> tuple[str, int]:
    if account in last:
        return last[account].stream, last[account].version
    stream = account.partition(":")[2].partition(":")[0]
    return (stream, heads[stream]) if stream in heads else ("", 0)
