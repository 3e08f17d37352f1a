"""The desk: everything a request may need, put together once when the house opens its doors."""

import msgspec

from puntobanco.house.house import House
from puntobanco.house.identity.guest_confirmation import Confirming
from puntobanco.house.identity.passwords import Credentials
from puntobanco.house.identity.sessions import Kind, Sessions, Tickets
from puntobanco.house.identity.sign_in import Known, SigningIn
from puntobanco.house.identity.totp import SecondFactors
from puntobanco.house.journal.journal import Book
from puntobanco.house.operations.metrics import Metrics
from puntobanco.house.operations.settings import Settings
from puntobanco.house.pricing.appraisal import Appraisal
from puntobanco.house.pricing.odds_process import Calculator
from puntobanco.web.live.fanout import Fanout
from puntobanco.web.live.publisher import Screens
from puntobanco.web.server.admission import Gate


class Desk(msgspec.Struct, frozen=True, kw_only=True):
    house: House
    settings: Settings
    sessions: Sessions
    tickets: Tickets
    credentials: Credentials
    confirming: Confirming
    factors: SecondFactors
    signing_in: SigningIn
    fanout: Fanout
    screens: Screens
    metrics: Metrics
    gate: Gate
    calculator: Calculator
    appraisal: Appraisal
    program: str = ""

    def known(self, name: str) -> Known | None:
        return known(self.house.book, name)

    @property
    def secure(self) -> bool:
        return self.settings.web.keeps_cookies_to_tls


def known(book: Book, name: str) -> Known | None:
    """Somebody of the book who may sign in."""
    person = book.people.get(name)
    if person is None or not person.active:
        return None
    return Known(person.name, Kind.STAFF if person.is_trusted else Kind.PLAYER, (person.title,))
