"""Sign-in: passwords, one-time links, second factors, and who is signed in."""

from puntobanco.protocol.answers import Wire
from puntobanco.protocol.posts import Post
from puntobanco.table.authority import Confirmation


class SignIn(Wire, frozen=True):
    name: str
    password: str
    code: str | None = None
    """Of the second factor, where the house asks for one."""
    new_password: str | None = None
    """Where the old one has to be changed."""


class Ticket(Wire, frozen=True):
    """A link that signs in once."""

    ticket: str


class NewPassword(Wire, frozen=True):
    old: str
    new: str


class OneTimePassword(Wire, frozen=True):
    """Shown once, and changed at the first sign-in."""

    person: str
    password: str


class Enrolled(Wire, frozen=True):
    """The second factor to set up, shown once. The next attempt contains a code of it."""

    secret: str
    uri: str
    recovery: tuple[str, ...]


class Entered(Wire, frozen=True):
    """The signed-in person, or the factor that must be set up first."""

    me: "Me | None" = None
    enrol: Enrolled | None = None


class Me(Wire, frozen=True):
    """The signed-in person and their posts, and facts about the house."""

    person: str
    title: str
    roles: dict[str, Post]
    house: str
    play_money: bool
    slot: int = 0
    confirmations: tuple[Confirmation, ...] = ()
    """How guests may confirm here what staff do with their money."""
    roads_drop_when_free: bool = False
    """How screens draw a long run on the roads."""
