"""Denied access in the journal: every denial is counted, but a flood of denials does not fill the journal."""

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
    """The first denial of a kind is written at once; further ones in the same window are written after it, as one entry
    with their number."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], _Seen] = {}

    def note(self, by: Who, what: str) -> tuple[AccessDenied, ...]:
        """Count a denial. Returns the entries to write now."""
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
        """The entries for windows that are over, or for all windows if no time is given."""
        gone = [kind for kind, seen in self._seen.items() if now is None or not 0 <= now - seen.since < WINDOW]
        left = [(kind[1], self._seen.pop(kind)) for kind in gone]
        return tuple(AccessDenied(by=seen.last, what=what, times=seen.more) for what, seen in left if seen.more)
