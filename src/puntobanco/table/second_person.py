"""Which commands take effect only when a second person confirms them.

A void that follows from a rule needs none; one that somebody declares does, and so does every correction. Asked before
the command is in the table's queue: what could change until it is decided counts as changed.
"""

from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice
from puntobanco.table.state import State

DECLARED = frozenset(
    {
        Choice.VOID, Choice.CANNOT_RECONSTRUCT, Choice.RETURN_BETS, Choice.RESETTLE, Choice.CORRECT, Choice.CONCLUDE,
        Choice.DECIDE_BETS,
    }
)  # fmt: skip
"""Answers by which somebody voids, takes back, corrects or decides on bets, unless they are the only one there is."""

REVERSING = frozenset({Choice.RECONSTRUCT, Choice.ORDER, Choice.AS_LYING})
"""Answers that put cards in order, and take a settlement back where there is one."""


def always(_state: State, _command: c.Command, _role: Role) -> bool:
    return True


def declares(state: State, command: c.Rule, _role: Role) -> bool:
    question = state.question
    if question is None or question.number != command.question:
        return command.choice in DECLARED | REVERSING
    return (command.choice in DECLARED and len(question.choices) > 1) or (
        command.choice in REVERSING and state.is_posted
    )


def attests_late(state: State, _command: c.AttestBet, role: Role) -> bool:
    """A dealer's is refused once a card is known."""
    return state.card_known or (By("", role, 0).is_staff and role is not Role.DEALER)
