"""Posts and people: what somebody is, where, and what each post is shown.

A person has one role in one place: at a table, or in the whole house where no table says otherwise. Whatever is not
named here is denied.
"""

from enum import StrEnum

import msgspec

from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.command_table import Sender, sent_by
from puntobanco.table.views import AUDITOR, BOARD, Audience

HOUSE = "*"
"""The scope of a role that holds at every table."""


class Post(StrEnum):
    """What somebody is employed or admitted as."""

    PLAYER = "player"
    CASHIER = "cashier"
    DEALER = "dealer"
    PIT_SUPERVISOR = "pit_supervisor"
    PIT_MANAGER = "pit_manager"
    SHIFT_MANAGER = "shift_manager"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"
    DEVICE = "device"
    """A scanner, an external shoe or a chip reader."""
    BOARD = "board"
    """A display nobody sits at."""


PIT = frozenset({Post.PIT_SUPERVISOR, Post.PIT_MANAGER, Post.SHIFT_MANAGER})
STAFF = PIT | {Post.DEALER}
TRUSTED = STAFF | {Post.CASHIER, Post.AUDITOR, Post.ADMINISTRATOR}
"""Who needs the longer password, and the second factor where the house asks for one."""

AT_THE_TABLE: dict[Post, Role] = {
    Post.PLAYER: Role.PLAYER,
    Post.CASHIER: Role.CASHIER,
    Post.DEALER: Role.DEALER,
    Post.DEVICE: Role.DEALER,
    Post.PIT_SUPERVISOR: Role.PIT_SUPERVISOR,
    Post.PIT_MANAGER: Role.PIT_MANAGER,
    Post.SHIFT_MANAGER: Role.SHIFT_MANAGER,
}
"""In which role somebody acts at a table; a device acts for the dealer."""

COMMANDS: dict[Post, frozenset[type[c.Command]]] = {
    Post.PLAYER: sent_by(Sender.PLAYER),
    Post.CASHIER: sent_by(Sender.CASHIER),
    Post.DEVICE: sent_by(Sender.DEVICE),
    **dict.fromkeys(STAFF, sent_by(Sender.STAFF)),
}
"""What is heard from whom at all; the table then decides by rank, phase and rule."""

AUDIENCES: dict[Post, Audience] = {
    **{post: AT_THE_TABLE[post] for post in (*STAFF, Post.PLAYER)},
    Post.CASHIER: BOARD,
    Post.DEVICE: BOARD,
    Post.ADMINISTRATOR: BOARD,
    Post.BOARD: BOARD,
    Post.AUDITOR: AUDITOR,
}
"""Which view of a table each is shown."""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """`name` is what they sign in with and how they stand in every record; `title` is how they are called."""

    name: str
    title: str
    roles: dict[str, Post]
    active: bool = True

    def post_at(self, table: str = HOUSE) -> Post | None:
        """What they are at that table, or in the house."""
        return self.roles.get(table, self.roles.get(HOUSE)) if self.active else None

    @property
    def posts(self) -> frozenset[Post]:
        return frozenset(self.roles.values())

    @property
    def is_staff(self) -> bool:
        """Of the floor, somewhere: only they are given a role at a table."""
        return not STAFF.isdisjoint(self.posts)

    @property
    def is_trusted(self) -> bool:
        return not TRUSTED.isdisjoint(self.posts)
