"""Posts and people: what somebody is, where, and what each post is shown.

A person has one role at each table, or one in the whole house for tables without a role of their own. Whatever is not
listed here is denied.
"""

from enum import StrEnum

import msgspec

from puntobanco.rules.procedures import StaffRank
from puntobanco.table import commands as c
from puntobanco.table.authority import RANK, Role
from puntobanco.table.command_table import Sender, sent_by
from puntobanco.table.views import AUDITOR, BOARD, Audience

HOUSE = "*"
"""The scope of a role that applies at every table."""


class Post(StrEnum):
    """The position in which somebody is employed or admitted."""

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
"""Posts that need the longer password, and a second factor if the house requires one."""

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

INCIDENT_ALERTS, STOPPED_ALERTS = Role.PIT_SUPERVISOR, Role.PIT_MANAGER
"""Whom an internal error and a stopped table alert. An alert of a table names its rank itself."""


def acknowledges(post: Post | None, to: Role | None) -> bool:
    """Whether somebody in that post may acknowledge an alert for that rank; for no rank in particular, anybody may."""
    if to is None:
        return True
    return post in STAFF and RANK[StaffRank(post)] >= RANK[StaffRank(to)]


COMMANDS: dict[Post, frozenset[type[c.Command]]] = {
    Post.PLAYER: sent_by(Sender.PLAYER),
    Post.CASHIER: sent_by(Sender.CASHIER),
    Post.DEVICE: sent_by(Sender.DEVICE),
    **dict.fromkeys(STAFF, sent_by(Sender.STAFF)),
}
"""The commands that each post may send; the table then decides by rank, phase and rule."""

AUDIENCES: dict[Post, Audience] = {
    **{post: AT_THE_TABLE[post] for post in (*STAFF, Post.PLAYER)},
    Post.CASHIER: BOARD,
    Post.DEVICE: BOARD,
    Post.ADMINISTRATOR: BOARD,
    Post.BOARD: BOARD,
    Post.AUDITOR: AUDITOR,
}
"""The view of a table that each post is shown."""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """`name`: the name for signing in, used in every record; `title`: the name shown to others."""

    name: str
    title: str
    roles: dict[str, Post]
    active: bool = True

    def post_at(self, table: str = HOUSE) -> Post | None:
        """The person's post at that table, or in the house."""
        return self.roles.get(table, self.roles.get(HOUSE)) if self.active else None

    @property
    def posts(self) -> frozenset[Post]:
        return frozenset(self.roles.values())

    @property
    def is_staff(self) -> bool:
        """Whether they are dealer or pit staff anywhere: only staff can be assigned to a role at a table."""
        return not STAFF.isdisjoint(self.posts)

    @property
    def is_trusted(self) -> bool:
        return not TRUSTED.isdisjoint(self.posts)
