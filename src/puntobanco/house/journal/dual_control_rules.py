"""Who may be the second person that a command at a table needs; the command table says which commands need one."""

from puntobanco.protocol.posts import AT_THE_TABLE, PIT, Post
from puntobanco.table import commands as c
from puntobanco.table.command_table import TABLE
from puntobanco.table.state import State

SECONDED_BY: frozenset[Post] = PIT

RESERVED_REQUEST = "second:"
"""How the requests begin under which the house itself sends what was confirmed."""


def needs_second(state: State, command: c.Command, post: Post) -> bool:
    """Asked before the command is in the table's queue: what could change until it is decided counts as changed."""
    asks = TABLE[type(command)].second
    return asks is not None and asks(state, command, AT_THE_TABLE[post])
