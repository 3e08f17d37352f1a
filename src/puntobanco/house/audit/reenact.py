"""Reenact an incident: restore the state from the history and run the same commands through deciding, encoding and
showing again, or the dealer's next step if the dealer failed. Nothing is written."""

from collections.abc import Iterator

import msgspec

from puntobanco.house.audit.past_states import PastStates
from puntobanco.house.house import game_at, opening_setup
from puntobanco.house.journal.journal import Journal, reread
from puntobanco.house.journal.writer import JournalWriter, written
from puntobanco.house.secrets.keyring import Keyring
from puntobanco.house.secrets.secret_store import EncryptedSecretStore, SecretStore, Unreadable
from puntobanco.house.shoes.at_table import place_of
from puntobanco.house.shoes.seal import Proven, Unproven
from puntobanco.house.tables.dealer import AutomaticDealer, committed
from puntobanco.house.tables.incidents import incident, said, trace
from puntobanco.house.tables.writer import RunningTable, felt_of, prepare
from puntobanco.protocol.administrative_commands import AnyAdministrativeCommand
from puntobanco.protocol.answers import Answer
from puntobanco.protocol.entries import STREAM, IncidentRaised, Who
from puntobanco.protocol.incidents import Incident, Sent, Stage
from puntobanco.protocol.posts import AUDIENCES, Post
from puntobanco.rules.game import Game
from puntobanco.rules.refusal import Reason, Refusal, Refused
from puntobanco.store.base import Store
from puntobanco.store.places import as_committed
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.felt import Felt
from puntobanco.table.reading import read_command
from puntobanco.table.state import State
from puntobanco.table.tags import tag_of
from puntobanco.table.views import EachOwn, public_view


class Reenacted(msgspec.Struct, frozen=True):
    """The recorded incident, the new result of each command or of the dealer, and the fault if it occurs again."""

    raised: IncidentRaised
    became: tuple[str, ...]
    fault: Incident | None


async def reenacted_at(place: str, number: int, ring: Keyring | None = None) -> Reenacted:
    """Work on the data committed at this moment. The server may be running."""
    async with as_committed(place) as store:
        return await reenact(store, number, EncryptedSecretStore(store, ring or Keyring.none()))


async def reenact(store: Store, number: int, secret_store: SecretStore | None = None) -> Reenacted:
    """`secret_store`: holds the orders of shoes, for incidents of the dealer."""
    journal, raised = Journal(), None
    async for row in store.read(STREAM):
        journal = reread(journal, row.kind, row.body)
        if row.kind.startswith(f"{tag_of(IncidentRaised)}.") and number in journal.incidents:
            raised = journal.incidents[number]
    if raised is None:
        raise Refused(Reason.UNKNOWN_INCIDENT, number=number)
    if any(one.unwritable for one in raised.incident.sent):
        return Reenacted(raised, (), None)  # what was not recorded cannot be sent again
    if raised.incident.table == STREAM:
        return await _administer_again(store, raised)
    told, became, fault = raised.incident, list[str](), None
    game = await game_at(store, journal, told.table)
    _, state = await PastStates(told.table, store).before(told.version + 1)
    sent = [(await _command(store, secret_store or store, told.table, state, one), one.by) for one in told.sent]
    try:
        for line in _again(told.table, game, state, sent):
            became.append(line)
        if told.stage is Stage.DEALING:
            await _dealt(Rehearsal(told.table, game, state, store, raised.by.at, became), secret_store or store)
    except Unproven:
        raise Refused(Reason.NO_SHOE) from None
    except Exception as error:
        fault = incident(told.table, state, told.stage, sent, error)
    return Reenacted(raised, tuple(became), fault)


async def _administer_again(store: Store, raised: IncidentRaised) -> Reenacted:
    """Run the administrative command on the journal as it was, with the balances of now."""
    (sent,), journal_writer = raised.incident.sent, JournalWriter(store)
    async for row in store.read(STREAM, through=raised.incident.version):
        journal_writer.journal = reread(journal_writer.journal, row.kind, row.body)
    told, post = sent.by, Post(sent.post) if sent.post else None
    by = Who(told.person, post, told.at, "", told.request, told.second, told.confirmed)
    try:
        entries = await journal_writer.decided(msgspec.convert(sent.command, AnyAdministrativeCommand), by)
        written(journal_writer.journal, entries)
    except Refused as refused:
        return Reenacted(raised, (f"refused: {refused.reason}",), None)
    except Exception as error:
        again = msgspec.structs.replace(raised.incident, error=said(error), trace=trace(error))
        return Reenacted(raised, (), again)
    return Reenacted(raised, (", ".join(tag_of(type(entry)) for entry in entries),), None)


def _again(table: str, game: Game, state: State, sent: list[tuple[c.Command, By]]) -> Iterator[str]:
    felt = felt_of(game, state.setup or opening_setup(game))
    for command, by in sent:
        ready = prepare(table, game, felt, state, command, by)
        if isinstance(ready, Refusal):
            yield f"refused: {ready.reason}"
            continue
        msgspec.json.encode(ready.answer)
        felt, state = ready.felt, ready.state
        yield ", ".join(tag_of(type(event)) for event in ready.events)
    if state.setup is not None:
        _show(felt, state)


class Rehearsal(RunningTable):
    """A table as it was. What its dealer sends is decided, and nothing is written."""

    def __init__(self, name: str, game: Game, state: State, store: Store, at: int, became: list[str]) -> None:
        super().__init__(name, game, state.setup or opening_setup(game), store, lambda: at)
        self.state, self._became = state, became

    async def send(self, command: c.Command, person: str, role: Role, *_: object, **__: object) -> Answer:
        became = list(_again(self.name, self.game, self.state, [(command, By(person, role, self.clock(), house=True))]))
        self._became += became
        return Answer(self.state.version)


class ReadOnlySecretStore:
    """A read-only secret store."""

    def __init__(self, secret_store: SecretStore) -> None:
        self.sealed, self.sealed_names = secret_store.sealed, secret_store.sealed_names

    async def seal(self, name: str, content: bytes) -> None: ...

    async def unseal(self, name: str) -> None: ...


async def _dealt(table: Rehearsal, secret_store: SecretStore) -> None:
    await AutomaticDealer(table, secret_store=ReadOnlySecretStore(secret_store)).act()


def _show(felt: Felt, state: State) -> None:
    """Render the state as for every screen."""
    for audience in set(AUDIENCES.values()):
        msgspec.json.encode(public_view(felt, state, audience))
    own = EachOwn(felt, state)
    for person in state.purses:
        msgspec.json.encode(own.view(person))


async def _command(store: Store, secret_store: SecretStore, table: str, state: State, sent: Sent) -> c.Command:
    """The command as it was sent. A card that was left out is taken from its sealed shoe."""
    written, shoe = dict(sent.command), state.shoe
    if sent.sealed:
        try:
            if shoe is None:
                raise Refused(Reason.NO_SHOE)
            content = await secret_store.sealed(shoe.name)
            proven = Proven.of(shoe.name, await committed(store, table, shoe), shoe.decks, content)
        except (Unreadable, Unproven):
            raise Refused(Reason.NO_SHOE) from None
        written["card"] = proven.card(place_of(proven.order.cards, state, int(written["index"])))
    return read_command(written)
