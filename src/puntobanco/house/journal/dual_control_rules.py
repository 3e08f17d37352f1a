"""What needs a second person at a table, and who may be that.

A void that follows from a rule needs none; one that somebody declares does, and so does every correction.
"""

from puntobanco.protocol.posts import PIT, Post
from puntobanco.table import commands as c
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

SECONDED_BY: frozenset[Post] = PIT

RESERVED_REQUEST = "second:"
"""How the requests begin under which the house itself sends what was confirmed."""


def needs_second(state: State, command: c.Command, post: Post) -> bool:
    """Asked before the command is in the table's queue: what could change until it is decided counts as changed."""
    match command:
        case c.Rule():
            question = state.question
            if question is None or question.number != command.question:
                return command.choice in DECLARED | REVERSING
            return (command.choice in DECLARED and len(question.choices) > 1) or (
                command.choice in REVERSING and state.is_posted
            )
        case c.DecideUnprovided() | c.WriteOffChip():
            return True
        case c.AttestBet():
            return state.card_known or post in PIT  # a dealer's is refused once a card is known
        case _:
            return False
