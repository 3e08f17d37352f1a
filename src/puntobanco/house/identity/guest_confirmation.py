"""A guest's confirmation without a session: a PIN keyed in, or a player's card read.

PINs are hashed like passwords and appear in no log, event or answer. A wrong PIN delays the next attempt, for the guest
and for the member of staff who entered it. After a few wrong PINs in a row, the PIN is locked until the guest sets
another.
"""

import asyncio
import secrets
from itertools import pairwise

import msgspec

from puntobanco.house.identity.passwords import Passwords
from puntobanco.house.identity.sessions import hashed
from puntobanco.house.identity.throttle import Throttle
from puntobanco.house.secrets.secret_store import SECOND, Clock, SecretStore
from puntobanco.protocol.administrative_commands import GuestProof
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.text import is_line
from puntobanco.table.authority import Confirmation

WRONG_IN_A_ROW = 5
SHORTEST_PIN, LONGEST_PIN = 4, 12
SHORTEST_CARD, LONGEST_CARD = 16, 128


class _Pin(msgspec.Struct, frozen=True):
    hash: str
    wrong: int = 0
    """Attempts since it was last right, or set."""


class GuestConfirmation:
    """PINs and cards of guests. `accepted`: the kinds of confirmation that this house accepts."""

    def __init__(
        self, secret_store: SecretStore, clock: Clock, credentials: Passwords, accepted: tuple[Confirmation, ...]
    ) -> None:
        self.accepted = accepted
        self._secret_store, self._clock, self._credentials = secret_store, clock, credentials
        self._throttle = Throttle()
        self._writing = asyncio.Lock()
        self.setting = asyncio.Lock()
        """Held by whoever sets one and notes it: what counts and who entered it belong together."""

    async def check(self, person: str, proof: GuestProof, asker: str) -> Confirmation:
        """Return how the guest confirmed what `asker` does, or raise a refusal."""
        how = Confirmation.PIN if proof.pin else Confirmation.CARD
        if how not in self.accepted or bool(proof.pin) == bool(proof.card):
            raise Refused(Reason.CONFIRMATION_OFF)
        now = self._clock()
        if wait := self._throttle.attempt(person, asker, now):
            raise Refused(Reason.TRY_LATER, seconds=-(-wait // SECOND))
        try:
            right = await (self._pin_fits(person, proof.pin) if proof.pin else self._card_fits(person, proof.card))
        except Refused:
            self._throttle.withdrawn(person, asker, now)
            raise
        if not right:
            raise Refused(Reason.PIN_WRONG) if proof.pin else Refused(Reason.CARD_WRONG, person=person)
        self._throttle.succeeded(person, asker, now)
        return how

    async def _pin_fits(self, person: str, pin: str) -> bool:
        """Every attempt counts as wrong until it proves right, so that only a few of many simultaneous attempts are
        checked."""
        async with self._writing:
            kept = await self._pin(person)
            if kept is None:
                raise Refused(Reason.PIN_MISSING, person=person)
            if kept.wrong >= WRONG_IN_A_ROW:
                raise Refused(Reason.PIN_LOCKED)
            await self._keep(person, msgspec.structs.replace(kept, wrong=kept.wrong + 1))
        right = await self._credentials.fits(kept.hash, pin)
        if right:
            async with self._writing:
                now = await self._pin(person)
                if now is not None and now.hash == kept.hash:
                    await self._keep(person, _Pin(kept.hash))
        return right

    async def _card_fits(self, person: str, card: str) -> bool:
        kept = await self._secret_store.sealed(_card(person)) or b""
        return secrets.compare_digest(kept, hashed(card).encode()) and bool(kept)

    # ---- setting them --------------------------------------------------------------------------------------------

    def given(self, proof: GuestProof) -> tuple[Confirmation, ...]:
        """What the proof would set: a PIN, a card or both. Refuses a kind that this house does not accept, and an unfit
        PIN."""
        said = {Confirmation.PIN: proof.pin, Confirmation.CARD: proof.card}
        changed = tuple(how for how, secret in said.items() if secret)
        if not changed or not set(changed) <= set(self.accepted):
            raise Refused(Reason.CONFIRMATION_OFF)
        if proof.pin:
            _check_pin(proof.pin)
        if proof.card and (len(proof.card) < SHORTEST_CARD or not is_line(proof.card, LONGEST_CARD)):
            raise Refused(Reason.CARD_UNFIT)
        return changed

    async def set(self, person: str, proof: GuestProof) -> tuple[Confirmation, ...]:
        """Set a new PIN, a new card or both. Returns which."""
        changed = self.given(proof)
        if proof.pin:
            hash = await self._credentials.hash(proof.pin)
            async with self._writing:
                await self._keep(person, _Pin(hash))
        if proof.card:
            await self._secret_store.seal(_card(person), hashed(proof.card).encode())
        return changed

    async def held(self, person: str) -> tuple[Confirmation, ...]:
        """The kinds of confirmation that the guest has and this house accepts."""
        pin, card = await self._secret_store.sealed(_name(person)), await self._secret_store.sealed(_card(person))
        has = {Confirmation.SESSION: True, Confirmation.PIN: pin is not None, Confirmation.CARD: card is not None}
        return tuple(how for how in self.accepted if has[how])

    async def _pin(self, person: str) -> _Pin | None:
        content = await self._secret_store.sealed(_name(person))
        return msgspec.json.decode(content, type=_Pin) if content else None

    async def _keep(self, person: str, pin: _Pin) -> None:
        await self._secret_store.seal(_name(person), msgspec.json.encode(pin))


def _check_pin(pin: str) -> None:
    """Refuse PINs that are easy to guess."""
    if not (SHORTEST_PIN <= len(pin) <= LONGEST_PIN and pin.isascii() and pin.isdigit()):
        raise Refused(Reason.PIN_GUESSABLE)
    steps = {int(after) - int(before) for before, after in pairwise(pin)}
    if len(steps) == 1 and steps <= {-1, 0, 1}:
        raise Refused(Reason.PIN_GUESSABLE)


def _name(person: str) -> str:
    return f"pin:{person}"


def _card(person: str) -> str:
    return f"card:{person}"
