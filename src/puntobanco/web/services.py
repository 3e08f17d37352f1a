"""Everything a request may need, created once when the server starts, and a request together with it."""

from typing import Any

import msgspec

from puntobanco.house.house import House
from puntobanco.house.identity.credentials import Credentials
from puntobanco.house.identity.sessions import SessionKind
from puntobanco.house.identity.sign_in import Known, SignInService
from puntobanco.house.journal.journal import Journal
from puntobanco.house.operations.metrics import Metrics
from puntobanco.house.operations.settings import Settings
from puntobanco.house.pricing.appraisal import Appraisal
from puntobanco.house.pricing.odds_process import OddsService
from puntobanco.house.tables.writer import RunningTable
from puntobanco.protocol.entries import Who
from puntobanco.rules import library
from puntobanco.rules.library import Sentences
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.records import SOURCE, Failed
from puntobanco.web.http.caller import Identity
from puntobanco.web.http.operations import figure
from puntobanco.web.live.fanout import Fanout
from puntobanco.web.live.publisher import Publisher
from puntobanco.web.server.admission import Admission


class Services(msgspec.Struct, frozen=True, kw_only=True):
    house: House
    settings: Settings
    identity: Credentials
    sign_in_service: SignInService
    fanout: Fanout
    publisher: Publisher
    metrics: Metrics
    admission: Admission
    odds_service: OddsService
    appraisal: Appraisal
    program: str = ""

    def known(self, name: str) -> Known | None:
        return known(self.house.journal, name)

    async def source_of(self, game: str) -> str:
        """The source file of a game, built in or added by this house."""
        own = self.house.journal.games.get(game)
        if own is None:
            return library.source(game)
        content = await self.house.store.game(SOURCE + own)
        assert content is not None, "kept before it was entered in the journal"
        return content.decode()

    @property
    def secure(self) -> bool:
        return self.settings.web.keeps_cookies_to_tls


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One request, read and checked."""

    services: Services
    who: Identity | None
    slot: int
    path: dict[str, str]
    query: Any
    body: Any
    said: Sentences
    """The caller's language, with people called as the caller may know them."""
    address: str
    agent: str
    token: str

    @property
    def person(self) -> str:
        assert self.who is not None, "the operation asks for somebody"
        return self.who.person

    @property
    def by(self) -> Who:
        """The caller as a journal entry names them."""
        house = self.services.house
        return Who(self.person, house.person(self.person).post_at(), house.clock(), self.address)

    @property
    def table(self) -> RunningTable:
        """The running table named in the path."""
        return self.services.house.table(self.path["table"])

    def number(self, name: str) -> int:
        """A number in the path."""
        number = figure(self.path[name])
        if number is None:
            raise Refused(Reason.NOT_FOUND)
        return number


def known(journal: Journal, name: str) -> Known | None:
    """The account of a person in the journal who may sign in, or None."""
    person = journal.people.get(name)
    if person is None or not person.active:
        return None
    return Known(person.name, SessionKind.STAFF if person.is_trusted else SessionKind.PLAYER, (person.title,))


def store_failed(house: House) -> str | None:
    """Why the store accepts no writes, or None. The failure of a single table does not count."""
    if (why := house.journal_writer.failed or house.store.ended) is not None:
        return why
    return next((why for why in house.failed.values() if why.startswith(f"{Failed.STORAGE}")), None)
