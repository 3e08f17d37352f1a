"""Set-up changes and closings that wait for the end of the round and are sent as soon as the table allows them.

They are kept in memory only: a restart discards them. They are sent in the name of the person who asked. Authority is
checked when they are queued and again when they are sent.
"""

from collections.abc import Awaitable, Callable

import msgspec

from puntobanco.protocol.answers import Answer
from puntobanco.rules.refusal import Reason, Refusal
from puntobanco.table.commands import ChangeSetup, CloseTable
from puntobanco.table.state import BETWEEN_ROUNDS, Phase, State

Queueable = ChangeSetup | CloseTable


class Queued(msgspec.Struct, kw_only=True):
    number: int
    command: Queueable
    person: str
    at: int
    address: str
    refused: Refusal | None = None
    """Why it could not be carried out; it is not tried again."""


Send = Callable[[str, Queued], Awaitable[Answer]]


class QueuedChanges:
    """At most one command of each kind for a table: a later one replaces an earlier one of the same person, and a later
    closing any."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._asked = 0
        self._of: dict[str, list[Queued]] = {}
        self._sending: set[str] = set()

    def at(self, table: str) -> tuple[Queued, ...]:
        return tuple(self._of.get(table, ()))

    def add(self, table: str, command: Queueable, person: str, at: int, address: str) -> Queued:
        self._asked += 1
        added = Queued(number=self._asked, command=command, person=person, at=at, address=address)
        others = [one for one in self._of.get(table, ()) if type(one.command) is not type(command)]
        self._of[table] = [*others, added]
        return added

    def of_another(self, table: str, command: Queueable, person: str) -> Queued | None:
        """The change of the set-up by somebody else that this one would discard without a word to them."""
        if not isinstance(command, ChangeSetup):
            return None
        waiting = (one for one in self.at(table) if isinstance(one.command, ChangeSetup) and one.refused is None)
        return next((one for one in waiting if one.person != person), None)

    def cancel(self, table: str, number: int) -> bool:
        kept = [one for one in self._of.get(table, ()) if one.number != number]
        found = len(kept) < len(self._of.get(table, ()))
        self._of[table] = kept
        return found

    def due(self, table: str, state: State) -> bool:
        """Whether a command is to be sent now. Closing a table discards its queue."""
        if state.phase is Phase.CLOSED:
            self._of.pop(table, None)
        waits = any(one.refused is None for one in self._of.get(table, ()))
        return waits and table not in self._sending and state.phase in BETWEEN_ROUNDS

    async def go(self, table: str) -> None:
        """Send what waits, changes before a closing. What is too early stays in the queue."""
        self._sending.add(table)
        try:
            for one in sorted(self.at(table), key=lambda queued: isinstance(queued.command, CloseTable)):
                if one.refused is not None:
                    continue
                given = await self._send(table, one)
                if given.refusal is None:
                    self.cancel(table, one.number)
                elif given.refusal.reason not in (Reason.CLOSING_TOO_EARLY, Reason.NOT_HEARD_NOW):
                    one.refused = given.refusal
        finally:
            self._sending.discard(table)
