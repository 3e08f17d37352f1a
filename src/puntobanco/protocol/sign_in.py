"""Sign-in: passwords, one-time links, second factors, and who is signed in."""

from puntobanco.protocol.answers import Wire
from puntobanco.protocol.posts import Post
from puntobanco.table.authority import Confirmation


class SignIn(Wire, frozen=True):
    """A name and password to sign in with."""

    name: str
    """The sign-in name."""
    password: str
    """The password."""
    code: str | None = None
    """A code of the second factor, where the house asks for one."""
    new_password: str | None = None
    """The new password, where the old one has to be changed."""


class Ticket(Wire, frozen=True):
    """A link that signs in once."""

    ticket: str
    """The secret of the link: the part after `#`."""


class NewPassword(Wire, frozen=True):
    """The old password and the new one."""

    old: str
    """The present password."""
    new: str
    """The new password."""


class OneTimePassword(Wire, frozen=True):
    """Shown once, and changed at the first sign-in."""

    person: str
    password: str
    """The one-time password."""


class Enrolled(Wire, frozen=True):
    """The second factor to set up, shown once. The next attempt contains a code of it."""

    secret: str
    """The shared secret of the second factor in base32, to key into an authenticator."""
    uri: str
    """The same secret as a URI, to show as a QR code."""
    recovery: tuple[str, ...]
    """Recovery codes, each of which replaces one code."""


class Entered(Wire, frozen=True):
    """The signed-in person, or the factor that must be set up first."""

    me: "Me | None" = None
    """The signed-in person; null while a second factor must be set up."""
    enrol: Enrolled | None = None
    """The second factor to set up; null if the person is signed in."""


class Me(Wire, frozen=True):
    """The signed-in person and their posts, and facts about the house."""

    person: str
    title: str
    roles: dict[str, Post]
    """The post by scope: `*` for the whole house, or a table."""
    house: str
    """The name of the house."""
    play_money: bool
    """Whether the house plays for play money."""
    slot: int = 0
    confirmations: tuple[Confirmation, ...] = ()
    """How guests may confirm here what staff do with their money."""
    roads_drop_when_free: bool = False
    """How screens draw a long run on the roads."""
