"""The first start: one administrator, whose password is told once and must be changed."""

from puntobanco.house.identity.passwords import Passwords
from puntobanco.house.journal.writer import JournalWriter
from puntobanco.protocol import entries as b
from puntobanco.protocol.entries import Who
from puntobanco.protocol.posts import HOUSE, Post

FIRST = "administrator"


async def create_administrator(
    journal_writer: JournalWriter, credentials: Passwords, by: Who
) -> tuple[str, str] | None:
    """The name and one-time password of the first administrator; nothing if there are people already.

    The password is sealed before the person is in the book: a power cut in between leaves a house without people, and
    the next start tells another password.
    """
    if journal_writer.journal.people:
        return None
    password = await credentials.issue(FIRST)
    await journal_writer.note(
        b.PersonAdmitted(by=by, person=FIRST, title="Administrator"),
        b.RoleGiven(by=by, person=FIRST, post=Post.ADMINISTRATOR, scope=HOUSE),
        b.PasswordSet(by=by, person=FIRST, once=True),
    )
    return FIRST, password
