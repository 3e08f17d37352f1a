"""Denied access in the journal: every denial is counted, and a flood of them does not fill it."""

import msgspec

from puntobanco.protocol.entries import AccessDenied, Who

WINDOW = 60_000
"""Milliseconds in which the same refusal of the same person is written once."""
MOST_KINDS = 1_000
"""Different refusals in one window; those beyond it are counted together."""
LONGEST_NAME = 40


class _Seen(msgspec.Struct):
    since: int
    last: Who
    more: int = 0


class Denials:
    """The first of its kind is written at once, the rest of the window afterwards, as one entry with their number."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], _Seen] = {}

    def note(self, by: Who, what: str) -> tuple[AccessDenied, ...]:
        """What is to be written now that this was refused."""
        by = msgspec.structs.replace(by, person=by.person[:LONGEST_NAME])
        due = self.over(by.at)
        kind = (by.person, what)
        if kind not in self._seen and len(self._seen) >= MOST_KINDS:
            kind = ("", "other")
        seen = self._seen.get(kind)
        if seen is None:
            self._seen[kind] = _Seen(by.at, by)
            return (*due, AccessDenied(by=by, what=kind[1]))
        seen.more, seen.last = seen.more + 1, by
        return due

    def over(self, now: int | None = None) -> tuple[AccessDenied, ...]:
        """What was counted in windows that are over; in all of them if no time is given."""
        gone = [kind for kind, seen in self._seen.items() if now is None or not 0 <= now - seen.since < WINDOW]
        left = [(kind[1], self._seen.pop(kind)) for kind in gone]
        return tuple(AccessDenied(by=seen.last, what=what, times=seen.more) for what, seen in left if seen.more)
