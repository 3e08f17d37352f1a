"""The first start: create one administrator with a one-time password."""

from puntobanco.house.identity.passwords import Passwords
from puntobanco.house.journal.writer import JournalWriter
from puntobanco.protocol import entries as b
from puntobanco.protocol.entries import Who
from puntobanco.protocol.posts import HOUSE, Post

FIRST = "administrator"


async def create_administrator(
    journal_writer: JournalWriter, credentials: Passwords, by: Who
) -> tuple[str, str] | None:
    """The name and one-time password of the first administrator, or None if there are users already.

    The password is stored before the journal entry: after a power cut in between, the house still has no users, and the
    next start creates another password.
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
