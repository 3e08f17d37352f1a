"""Plan what a batch of appends writes together. Both engines plan, write with a few statements, and commit once.

The database repeats every check. If it rejects a planned batch, the appends are written one by one to find the one at
fault.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from puntobanco.store.records import NEVER_NEGATIVE, Append, Failed, StoreFailed, chained, checksum


class Head(msgspec.Struct):
    """The current version, epoch and hash of a stream."""

    version: int
    epoch: int
    head: bytes


class WritePlan:
    """What a batch will write. Each append is checked as if the earlier ones were committed.

    Without `balances`, the plan assumes that nobody's money runs out: then it may only be written where the database
    checks that each account holds what is `needed`.
    """

    def __init__(
        self,
        streams: Iterable[tuple[str, int, int, bytes]],
        balances: Iterable[tuple[str, int]] | None = None,
    ) -> None:
        self.streams = {stream: Head(version, epoch, head) for stream, version, epoch, head in streams}
        self.answered: set[tuple[str, str]] = set()
        self.known: dict[str, int] = dict(balances or ())
        self.needed: dict[str, int] | None = {} if balances is None else None
        """What an account must hold before the batch, so that it is never negative in it."""
        self.changes: dict[str, int] = {}
        self.moved: dict[str, int] = {}
        self.events: list[tuple[object, ...]] = []
        self.postings: list[tuple[object, ...]] = []
        self.answers: list[tuple[object, ...]] = []

    def take(self, append: Append) -> StoreFailed | None:
        """Plan the append, or return why it fails. A failed append leaves nothing in the plan."""
        stream = append.stream
        head = self.streams.get(stream)
        if head is None or head.epoch != append.epoch:
            return StoreFailed(Failed.STALE_EPOCH, stream)
        if head.version != append.expected:
            return StoreFailed(Failed.STALE_VERSION, f"{stream}: {head.version}, not {append.expected}")
        asked = [(one.person, one.request) for one in append.answers]
        if len(set(asked)) < len(asked) or not self.answered.isdisjoint(asked):
            return StoreFailed(Failed.REQUEST_TAKEN, stream)
        changes: dict[str, int] = {}
        for fact in append.facts:
            for one in fact.transfers:
                changes[one.source] = changes.get(one.source, 0) - one.amount
                changes[one.target] = changes.get(one.target, 0) + one.amount
            for one in fact.transfers:
                if one.source.startswith(NEVER_NEGATIVE) and not self._covers(one.source, changes):
                    return StoreFailed(Failed.INVARIANT, f"{one.source} would be negative")
        stakes = f"stakes:{stream}"
        if self.needed is not None and stakes not in self.known:
            self.known[stakes] = append.in_play - self._held(stakes, changes)  # the database compares the last ones
        if append.in_play != self._held(stakes, changes):
            return StoreFailed(Failed.INVARIANT, "stakes in play are not the open bets")
        self._add(append, head, changes)
        self.answered.update(asked)
        return None

    def _covers(self, account: str, changes: Mapping[str, int]) -> bool:
        """Whether the account is not negative now, as far as is known."""
        held = self._held(account, changes)
        if self.needed is None or account in self.known:
            return held >= 0
        self.needed[account] = max(self.needed.get(account, 0), -held)
        return True

    def _held(self, account: str, changes: Mapping[str, int]) -> int:
        return self.known.get(account, 0) + self.changes.get(account, 0) + changes.get(account, 0)

    def _add(self, append: Append, head: Head, changes: Mapping[str, int]) -> None:
        stream = append.stream
        for fact in append.facts:
            head.version += 1
            head.head = chained(head.head, fact.kind, fact.at, fact.body)
            self.events.append((stream, head.version, append.epoch, fact.kind, fact.at, fact.body, head.head))
            for one in fact.transfers:
                self.postings.append((stream, head.version, str(one.kind), one.source, one.target, one.amount))
        for account, change in changes.items():
            self.changes[account] = self.changes.get(account, 0) + change
        for answer in append.answers:
            row = (answer.person, answer.request, answer.asked, answer.answer)
            self.answers.append((*row, checksum(*row)))
        self.moved[stream] = append.in_play


def accounts_of(appends: Sequence[Append]) -> Iterable[str]:
    """All accounts whose balances the appends depend on."""
    for append in appends:
        yield f"stakes:{append.stream}"
        for fact in append.facts:
            for one in fact.transfers:
                yield one.source
                yield one.target
