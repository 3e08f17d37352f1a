"""Passwords, second factors, sessions and sign-in links of a house, opened together."""

import msgspec

from puntobanco.house.identity.guest_confirmation import GuestConfirmation
from puntobanco.house.identity.passwords import HashCost, Passwords
from puntobanco.house.identity.sessions import SessionLifetime, SessionLimits, Sessions, Tickets
from puntobanco.house.identity.totp import SecondFactors
from puntobanco.house.operations.clock import HouseClock
from puntobanco.house.operations.settings import Settings
from puntobanco.house.secrets.secret_store import SECOND, SecretStore
from puntobanco.store.base import Store


class Credentials(msgspec.Struct, frozen=True, kw_only=True):
    passwords: Passwords
    factors: SecondFactors
    sessions: Sessions
    tickets: Tickets
    guest_confirmation: GuestConfirmation

    @staticmethod
    def of(settings: Settings, store: Store, secret_store: SecretStore, clock: HouseClock) -> "Credentials":
        """Hashes are in the store as they are; the secrets of second factors are encrypted in the secret store."""
        people = settings.people
        limits = SessionLimits(
            player=SessionLifetime(people.player_idle * SECOND, people.player_absolute * SECOND),
            staff=SessionLifetime(people.staff_idle * SECOND, people.staff_absolute * SECOND),
            most=people.most_sessions,
        )
        work = HashCost(passes=people.argon2_time, memory=people.argon2_memory, lanes=people.argon2_lanes)
        passwords = Passwords(store, clock, work=work)
        return Credentials(
            passwords=passwords,
            factors=SecondFactors(secret_store, clock.wall, settings.house.name),  # telephones know no other time
            sessions=Sessions(store, clock, limits),
            tickets=Tickets(store, clock),
            guest_confirmation=GuestConfirmation(store, clock, passwords, settings.money.confirmations),
        )

    async def open(self) -> None:
        await self.sessions.open()
        await self.tickets.open()

    def close(self) -> None:
        self.passwords.close()

    async def shut_out(self, person: str, *, but: str | None = None) -> None:
        """End their sessions, except the one with that id, and revoke their sign-in links."""
        await self.sessions.end_all(person, but=but)
        await self.tickets.revoke_all(person)
