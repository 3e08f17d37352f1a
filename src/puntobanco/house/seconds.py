"""What needs a second person at a table, and who may be that.

A void that follows from a rule needs none; one that somebody declares does, and so does every correction.
"""

from puntobanco.house.people import PIT, Post
from puntobanco.table import commands as c
from puntobanco.table.commands import Choice
from puntobanco.table.state import State

DECLARED = frozenset({Choice.VOID, Choice.RETURN_BETS, Choice.RESETTLE, Choice.CORRECT})
"""Answers that void, take back or correct, unless they are the only one there is."""

SECONDED_BY: frozenset[Post] = PIT


def needs_second(state: State, command: c.Command) -> bool:
    match command:
        case c.Rule():
            question = state.question
            choices = question.choices if question is not None and question.number == command.question else ()
            return command.choice in DECLARED and len(choices) > 1
        case c.DecideUnprovided():
            return True
        case c.AttestBet():
            return bool(state.seen_in_order)
        case _:
            return False
