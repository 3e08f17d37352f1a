"""What opens the doors of a house: passwords, second factors, sessions and links, all sealed in its store."""

import msgspec

from puntobanco.house.identity.guest_confirmation import Confirming
from puntobanco.house.identity.passwords import Credentials, Work
from puntobanco.house.identity.sessions import Lasts, Limits, Sessions, Tickets
from puntobanco.house.identity.totp import SecondFactors
from puntobanco.house.operations.clock import HouseClock
from puntobanco.house.operations.settings import Settings
from puntobanco.house.secrets.secret_store import SECOND, Vault
from puntobanco.store.records import Store


class Keys(msgspec.Struct, frozen=True, kw_only=True):
    credentials: Credentials
    factors: SecondFactors
    sessions: Sessions
    tickets: Tickets
    confirming: Confirming

    @staticmethod
    def of(settings: Settings, store: Store, vault: Vault, clock: HouseClock) -> "Keys":
        """Hashes are in the store as they are; the secrets of second factors are encrypted in the vault."""
        people = settings.people
        limits = Limits(
            player=Lasts(people.player_idle * SECOND, people.player_absolute * SECOND),
            staff=Lasts(people.staff_idle * SECOND, people.staff_absolute * SECOND),
            most=people.most_sessions,
        )
        work = Work(passes=people.argon2_time, memory=people.argon2_memory, lanes=people.argon2_lanes)
        credentials = Credentials(store, clock, work=work)
        return Keys(
            credentials=credentials,
            factors=SecondFactors(vault, clock.wall, settings.house.name),  # telephones know no other time
            sessions=Sessions(store, clock, limits),
            tickets=Tickets(store, clock),
            confirming=Confirming(store, clock, credentials, settings.money.confirmations),
        )

    async def open(self) -> None:
        await self.sessions.open()
        await self.tickets.open()

    def close(self) -> None:
        self.credentials.close()

    async def shut_out(self, person: str) -> None:
        """Whatever they are signed in with, or could be, is worth nothing any more."""
        await self.sessions.end_all(person)
        await self.tickets.revoke_all(person)
