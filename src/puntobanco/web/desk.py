"""The desk: everything a request may need, put together once when the house opens its doors."""

import msgspec

from puntobanco.house.appraisal import Appraisal
from puntobanco.house.book import Book
from puntobanco.house.calculator import Calculator
from puntobanco.house.confirming import Confirming
from puntobanco.house.house import House
from puntobanco.house.metrics import Metrics
from puntobanco.house.passwords import Credentials
from puntobanco.house.second_factor import SecondFactors
from puntobanco.house.sessions import Kind, Sessions, Tickets
from puntobanco.house.settings import Settings
from puntobanco.house.signing_in import Known, SigningIn
from puntobanco.web.fanout import Fanout
from puntobanco.web.gate import Gate
from puntobanco.web.screens import Screens


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
