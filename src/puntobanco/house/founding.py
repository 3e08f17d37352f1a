"""The first start: one administrator, whose password is told once and must be changed."""

from puntobanco.house import book as b
from puntobanco.house.house import House
from puntobanco.house.passwords import Credentials
from puntobanco.house.people import HOUSE, Post

FIRST = "administrator"


async def founded(house: House, credentials: Credentials) -> tuple[str, str] | None:
    """The name and one-time password of the first administrator; nothing if there are people already."""
    if house.book.people:
        return None
    itself = house.itself()
    password = await credentials.issue(FIRST)
    await house.office.note(
        b.PersonAdmitted(by=itself, person=FIRST, title="Administrator"),
        b.RoleGiven(by=itself, person=FIRST, post=Post.ADMINISTRATOR, scope=HOUSE),
        b.PasswordSet(by=itself, person=FIRST, once=True),
    )
    return FIRST, password
