"""Which commands take effect only when a second person confirms them.

A void that follows from a rule needs no second person. A void that somebody declares does, and so do rulings that
correct cards or decide bets, decisions on what the document leaves open, bets attested late, and chips written off. The
question is asked before the command enters the table's queue, so anything that could change before the decision counts
as changed.
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
"""Answers that void, take back, correct or decide bets. They need a second person unless they are the only answer there
is."""

REVERSING = frozenset({Choice.RECONSTRUCT, Choice.ORDER, Choice.AS_LYING})
"""Answers that put cards in order, and reverse a settlement where there is one."""


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
    """Whether the late attestation needs a second person: once a card is known, or if its sender ranks above a dealer.
    A dealer's attestation is refused once a card is known."""
    return state.card_known or (By("", role, 0).is_staff and role is not Role.DEALER)
