"""An incident: an internal error in handling one command, with what is needed to send that command again."""

from enum import StrEnum
from typing import Any

import msgspec

from puntobanco.table.authority import By


class Stage(StrEnum):
    """When it happened. Only the first stage refuses the command; later the command is already durable."""

    DECIDING = "deciding"
    """While the command was decided."""
    PUBLISHING = "publishing"
    """While screens were sent what had happened."""
    DEALING = "dealing"
    """While the house took its next step at a table that deals by itself."""


UNWRITABLE = "unwritable"
"""Instead of the fields of a command that could not be encoded, the reason."""


class Sent(msgspec.Struct, frozen=True, omit_defaults=True):
    """A command as it was sent, and by whom. `sealed`: a card of a sealed shoe that it named is left out."""

    command: dict[str, Any]
    by: By
    sealed: bool = False
    """The command named a card of a sealed shoe, which is left out."""
    post: str = ""
    """The post from which an administrative command was heard."""

    @property
    def unwritable(self) -> str:
        """Why the command could not be recorded, if so; then only its type is known."""
        return str(self.command.get(UNWRITABLE, ""))


class Incident(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A fault in the program while it handled a command. The house survived it."""

    table: str
    """The table; for an administrative command, the stream of the journal."""
    version: int
    """The version of the state on which the first of the commands was decided."""
    stage: Stage
    """The stage of handling in which it happened."""
    sent: tuple[Sent, ...] = ()
    """One command; those of a batch if the fault came after they were durable; none if the dealer itself has it."""
    error: str
    """The type of the error, and its message where that holds no secret."""
    trace: tuple[str, ...] = ()
    """The lines of the program where it happened."""

    @property
    def kind(self) -> tuple[str, ...]:
        """Two incidents with the same kind are the same fault."""
        commands = [str(one.command.get("type", "")) for one in self.sent[:1]]
        return (self.table, self.stage, self.error.partition(":")[0], *self.trace[-1:], *commands)
