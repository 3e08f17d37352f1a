"""Sign-in, in an order that reveals nothing: throttle, password, second factor, new password, session.

There is no partial session: whoever must still give a code or choose a password sends the whole request again with it.
"""

from collections.abc import Callable

import msgspec

from puntobanco.house.identity.credentials import Credentials
from puntobanco.house.identity.passwords import PasswordCheck, normal
from puntobanco.house.identity.sessions import Session, SessionKind, StartedSession
from puntobanco.house.identity.throttle import Throttle
from puntobanco.house.identity.totp import Enrolment
from puntobanco.house.secrets.secret_store import Clock
from puntobanco.protocol.hidden import Hidden
from puntobanco.rules.refusal import Reason, Refused


class Known(msgspec.Struct, frozen=True):
    """Somebody who may sign in. `about`: what an attacker would guess first, such as the full name."""

    person: str
    kind: SessionKind
    about: tuple[str, ...] = ()

    @property
    def staff(self) -> bool:
        return self.kind is SessionKind.STAFF


class SignInAttempt(Hidden, frozen=True, kw_only=True):
    name: str
    password: str
    code: str | None = None
    new_password: str | None = None
    slot: int = 0
    address: str = ""
    agent: str = ""
    token: str | None = None
    """The token the browser sent. Its session ends."""


class SignInService:
    """`known` returns None for a name that does not exist and for a person who is disabled."""

    def __init__(
        self,
        known: Callable[[str], Known | None],
        identity: Credentials,
        throttle: Throttle,
        clock: Clock,
        *,
        staff_second_factor: bool = True,
    ) -> None:
        self._known, self._identity, self._throttle, self._clock = known, identity, throttle, clock
        self._staff_second_factor = staff_second_factor

    async def __call__(self, asked: SignInAttempt) -> StartedSession | Enrolment:
        """Start a session; or, if the person needs a second factor and has none yet, return what is needed to set one
        up.

        The next attempt then contains a code of it.
        """
        known = self._known(asked.name)
        account = known.person if known else normal(asked.name[:200]).casefold()
        self._count(account, asked.address)
        try:
            enrolment = await self._proved(known, asked)
        except Exception as error:
            if not isinstance(error, Refused) or error.reason is not Reason.SIGN_IN_FAILED:
                self._throttle.withdrawn(account, asked.address, self._clock())
            raise
        if known is None or self._known(asked.name) != known:  # disabled, or made something else, meanwhile
            raise Refused(Reason.SIGN_IN_FAILED)
        if enrolment is not None:
            self._throttle.withdrawn(account, asked.address, self._clock())
            return enrolment
        self._throttle.succeeded(account, asked.address, self._clock())
        started = await self._identity.sessions.start(
            known.person, known.kind, slot=asked.slot, address=asked.address, agent=asked.agent
        )
        if asked.token and (before := self._identity.sessions.find(asked.token)):
            await self._identity.sessions.end(before.id)
        return started

    async def prove(self, session: Session, password: str) -> None:
        """Check the password of the person at that session again. Wrong guesses are delayed as at sign-in."""
        self._count(session.person, session.address)
        try:
            right = await self._identity.passwords.check(session.person, password) is PasswordCheck.RIGHT
        except Exception:
            self._throttle.withdrawn(session.person, session.address, self._clock())
            raise
        if not right:
            raise Refused(Reason.SIGN_IN_FAILED)
        self._throttle.succeeded(session.person, session.address, self._clock())

    async def change_password(self, session: Session, known: Known, old: str, new: str) -> None:
        """Change the password, end every other session of the person and revoke their sign-in links: the old password
        may be known to somebody else."""
        await self.prove(session, old)
        await self._replace(known, old, new)
        await self._identity.shut_out(known.person, but=session.id)

    def _count(self, account: str, address: str) -> None:
        if wait := self._throttle.attempt(account, address, self._clock()):
            raise Refused(Reason.TRY_LATER, seconds=-(-wait // 1_000))

    async def _proved(self, known: Known | None, asked: SignInAttempt) -> Enrolment | None:
        """Check password, second factor and new password. Returns a factor that must be set up first, if there is
        one."""
        outcome = await self._identity.passwords.check(known.person if known else None, asked.password)
        if known is None or outcome is PasswordCheck.WRONG:
            raise Refused(Reason.SIGN_IN_FAILED)
        if outcome is PasswordCheck.MUST_CHANGE:
            await self._check_new(known, asked)
        if enrolment := await self._second_factor(known, asked):
            return enrolment
        if outcome is PasswordCheck.MUST_CHANGE and asked.new_password is not None:
            await self._replace(known, asked.password, asked.new_password)
            await self._identity.shut_out(known.person)
        return None

    async def _check_new(self, known: Known, asked: SignInAttempt) -> None:
        """Checked first, so that a refused password does not use up a code."""
        if asked.new_password is None:
            raise Refused(Reason.PASSWORD_MUST_CHANGE)
        passwords = self._identity.passwords
        await passwords.acceptable(known.person, asked.new_password, staff=known.staff, about=known.about)
        if normal(asked.new_password) == normal(asked.password):
            raise Refused(Reason.PASSWORD_UNCHANGED)

    async def _replace(self, known: Known, old: str, new: str) -> None:
        if not await self._identity.passwords.replace(known.person, old, new, staff=known.staff, about=known.about):
            raise Refused(Reason.SIGN_IN_FAILED)

    async def _second_factor(self, known: Known, asked: SignInAttempt) -> Enrolment | None:
        has = await self._identity.factors.has(known.person)
        if not has and not (known.staff and self._staff_second_factor):
            return None
        if not asked.code:
            if has:
                raise Refused(Reason.SECOND_FACTOR_NEEDED)
            return await self._identity.factors.enrol(known.person)
        good = await (self._identity.factors.check if has else self._identity.factors.confirm)(known.person, asked.code)
        if not good:
            raise Refused(Reason.SIGN_IN_FAILED)
        return None
