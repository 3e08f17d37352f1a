"""Administer a house that is not running, at the console: its journal and its keys.

No table is started, and a refused command leaves nothing behind.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from puntobanco.house.first_start import create_administrator
from puntobanco.house.identity.credentials import Credentials
from puntobanco.house.journal import administration as o
from puntobanco.house.journal.journal import Journal, entered
from puntobanco.house.journal.preconditions import check_cleared, check_plays_nowhere, keep_content
from puntobanco.house.journal.writer import JournalWriter, read_journal
from puntobanco.house.operations.audit_log import audit_entry
from puntobanco.house.operations.clock import HouseClock
from puntobanco.house.operations.settings import Settings
from puntobanco.house.secrets.secret_store import EncryptedSecretStore, declared_lost, unlocked
from puntobanco.house.tables.snapshots import load_state
from puntobanco.protocol import administrative_commands as a
from puntobanco.protocol import entries as b
from puntobanco.protocol.entries import Who
from puntobanco.protocol.posts import Post
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store import open_store
from puntobanco.store.base import Store
from puntobanco.store.places import find
from puntobanco.table.state import Phase, State


class OfflineHouse:
    """Everything is done with the rights of an administrator and recorded in the journal as done at the console."""

    def __init__(self, store: Store, clock: HouseClock, keys: Credentials, secret_store: EncryptedSecretStore) -> None:
        self.store, self.keys, self.secret_store, self._clock = store, keys, secret_store, clock
        self.journal_writer = JournalWriter(store, audit_entry)
        self._known = Journal()

    async def open(self) -> None:
        """Read the journal without becoming its owner."""
        self._known = await read_journal(self.store)
        await self.keys.open()

    @property
    def journal(self) -> Journal:
        return self.journal_writer.journal if self.journal_writer.journal.version else self._known

    def _by(self) -> Who:
        return Who("house", Post.ADMINISTRATOR, self._clock(), "console")

    # ---- people --------------------------------------------------------------------------------------------------

    async def found(self) -> tuple[str, str]:
        """Create the first administrator. Returns the name and one-time password."""
        if self.journal.people:
            raise Refused(Reason.HOUSE_FOUNDED)
        await self.journal_writer.start()
        first = await create_administrator(self.journal_writer, self.keys.passwords, self._by())
        assert first is not None, "there was nobody"
        return first

    async def give_password(self, person: str) -> str:
        """Set a new one-time password and end the sessions of the user."""
        if person not in self.journal.people:
            raise Refused(Reason.NOT_ADMITTED, person=person)
        await self._own()
        password = await self.keys.passwords.issue(person)
        await self.keys.factors.remove(person)
        await self.keys.shut_out(person)
        await self.journal_writer.note(b.PasswordSet(by=self._by(), person=person, once=True))
        return password

    # ---- the key of what is sealed ---------------------------------------------------------------------------------

    async def rotate_key(self) -> None:
        await self.secret_store.rotate()
        await self._own()
        await self.journal_writer.note(b.KeyRotated(by=self._by()))

    async def note_lost(self, keys: tuple[str, ...]) -> None:
        await self._own()
        await self.journal_writer.note(b.KeyLost(by=self._by(), keys=keys))

    # ---- commands ------------------------------------------------------------------------------------------------

    async def do(self, *commands: a.AnyAdministrativeCommand) -> None:
        """Carry out all commands or none: a refusal comes before the journal is owned."""
        after = self.journal
        for one in commands:
            await self._check_tables(one)
            for entry in o.decide(after, one, self._by(), {}):
                after = entered(after, entry)
        await self._own()
        for one in commands:
            if isinstance(one, a.AddGame):
                await keep_content(self.store, self.journal, one)
            done = await self.journal_writer.do(one, self._by())
            if done.refusal is not None:
                raise Refused.of(done.refusal)
            if isinstance(one, a.Disable | a.GiveRole | a.TakeRole):
                await self.keys.shut_out(one.person)

    async def _check_tables(self, command: a.AnyAdministrativeCommand) -> None:
        match command:
            case a.RetireTable() if command.table in self.journal.tables:
                if (await self.left(command.table)).phase is not Phase.CLOSED:
                    raise Refused(Reason.TABLE_IN_USE, table=command.table)
                await check_cleared(self.store, command.table)
            case a.GiveRole() | a.TakeRole():
                running = [one.name for one in self.journal.tables.values() if not one.retired]
                check_plays_nowhere(self.journal, command, {name: await self.left(name) for name in running})

    async def _own(self) -> None:
        """Become the only writer of the journal."""
        if not self.journal_writer.journal.version:
            await self.journal_writer.start()

    # ---- tables --------------------------------------------------------------------------------------------------

    async def left(self, table: str) -> State:
        """The state of a table as it was left, and as a start would find it."""
        return (await load_state(self.store, table))[0]


@asynccontextmanager
async def open_offline(settings: Settings, *, new: bool = False, key_lost: bool = False) -> AsyncIterator[OfflineHouse]:
    """Open the house exclusively. `new`: it need not exist yet. `key_lost`: continue under a new key."""
    if not new:
        await find(settings.store.place)
    store = open_store(settings.store.place, settings.store.reconnect_within)
    await store.open()
    try:
        await store.sole()
        clock = HouseClock(not_before=await last_moment(store))
        if key_lost:
            secret_store, lost = await declared_lost(store, settings.store)
        else:
            secret_store, lost = await unlocked(store, settings.store), ()
        keys = Credentials.of(settings, store, secret_store, clock)
        try:
            house = OfflineHouse(store, clock, keys, secret_store)
            await house.open()
            if lost:
                await house.note_lost(lost)
            yield house
        finally:
            keys.close()
    finally:
        await store.close()


async def last_moment(store: Store) -> int:
    """The last recorded time: the clock never goes back, even across a restart."""
    moments = [await store.last_moment(stream) for stream in await store.streams()]
    return max(moments, default=0)
