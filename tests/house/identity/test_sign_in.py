"""Signing in from the name to the session: one answer for every failure, and no way round a step."""

import asyncio
import traceback
from base64 import b32decode
from collections.abc import Awaitable, Callable

import pytest

from puntobanco.house.identity.credentials import Credentials
from puntobanco.house.identity.guest_confirmation import GuestConfirmation
from puntobanco.house.identity.passwords import HashCost, PasswordCheck, Passwords
from puntobanco.house.identity.sessions import SessionKind, Sessions, StartedSession, Tickets
from puntobanco.house.identity.sign_in import Known, SignInAttempt, SignInService
from puntobanco.house.identity.throttle import Throttle
from puntobanco.house.identity.totp import STEP, Enrolment, SecondFactors, totp
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.sqlite import SqliteStore
from tests.house.stores import Clock, with_store

ANNA, CHEN = Known("anna", SessionKind.PLAYER, ("Anna Koch",)), Known("chen", SessionKind.STAFF, ("Chen Wei",))
PASSWORD, OTHER = "tram lantern oyster", "seven quiet harbours"
HOME, ELSEWHERE = "203.0.113.7", "198.51.100.9"


class Desk:
    def __init__(self, store: SqliteStore, workers: int = 1, most_waiting: int = 64) -> None:
        self.clock, self.people = Clock(), {"anna": ANNA, "chen": CHEN}
        self.credentials = Passwords(
            store, self.clock, work=HashCost(19_456, 2, 1), workers=workers, most_waiting=most_waiting
        )
        self.factors, self.sessions = SecondFactors(store, self.clock), Sessions(store, self.clock)
        self.tickets = Tickets(store, self.clock)
        identity = Credentials(
            passwords=self.credentials, factors=self.factors, sessions=self.sessions, tickets=self.tickets,
            guest_confirmation=GuestConfirmation(store, self.clock, self.credentials, ()),
        )  # fmt: skip
        self.sign_in = SignInService(self.people.get, identity, Throttle(), self.clock)

    async def started(self, name: str, password: str, **more: str) -> StartedSession:
        answer = await self.sign_in(SignInAttempt(name=name, password=password, **more))  # type: ignore[arg-type]
        assert isinstance(answer, StartedSession)
        return answer

    async def refused(self, name: str, password: str, **more: str) -> Reason:
        with pytest.raises(Refused) as caught:
            await self.sign_in(SignInAttempt(name=name, password=password, **more))  # type: ignore[arg-type]
        said = "".join(traceback.format_exception(caught.value))
        assert not any(value in said for value in (password, *more.values()) if len(value) > 6)
        return caught.value.reason

    def code(self, secret: str) -> str:
        return totp(b32decode(secret), self.clock() // STEP)


def at_the_desk(work: Callable[[Desk], Awaitable[None]], most_waiting: int = 64) -> None:
    async def whole(store: SqliteStore) -> None:
        desk = Desk(store, most_waiting=most_waiting)
        await desk.credentials.set("anna", PASSWORD)
        await desk.credentials.set("chen", PASSWORD)
        try:
            await work(desk)
        finally:
            desk.credentials.close()

    with_store(whole)


def test_unknown_disabled_and_wrong_get_the_same_answer() -> None:
    async def work(desk: Desk) -> None:
        assert await desk.refused("nobody", PASSWORD) is Reason.SIGN_IN_FAILED
        assert await desk.refused("anna", OTHER) is Reason.SIGN_IN_FAILED
        del desk.people["anna"]
        assert await desk.refused("anna", PASSWORD) is Reason.SIGN_IN_FAILED
        assert desk.sessions.of("anna") == []

    at_the_desk(work)


def test_a_player_signs_in_with_a_password_and_the_token_brought_along_is_over() -> None:
    async def work(desk: Desk) -> None:
        first = await desk.started("anna", PASSWORD)
        second = await desk.started("anna", PASSWORD, token=first.token)
        assert desk.sessions.find(first.token) is None
        assert desk.sessions.find(second.token) == second.session

    at_the_desk(work)


def test_the_sixth_failure_waits_and_the_owner_elsewhere_does_not() -> None:
    async def work(desk: Desk) -> None:
        for _ in range(5):
            assert await desk.refused("anna", OTHER, address=HOME) is Reason.SIGN_IN_FAILED
        assert await desk.refused("anna", PASSWORD, address=HOME) is Reason.TRY_LATER
        await desk.started("anna", PASSWORD, address=ELSEWHERE)
        desk.clock.now += 1_000
        await desk.started("anna", PASSWORD, address=HOME)

    at_the_desk(work)


def test_guesses_sent_all_at_once_are_counted_one_by_one() -> None:
    async def work(desk: Desk) -> None:
        guesses = (desk.refused("anna", f"guess number {one}", address=HOME) for one in range(30))
        answers = await asyncio.gather(*guesses)
        assert answers.count(Reason.SIGN_IN_FAILED) == 5
        assert answers.count(Reason.TRY_LATER) == 25

    at_the_desk(work)


def test_one_whom_the_house_was_too_busy_to_check_has_not_failed() -> None:
    async def work(desk: Desk) -> None:
        answers = await asyncio.gather(
            *(desk.sign_in(SignInAttempt(name="anna", password=PASSWORD)) for _ in range(5)), return_exceptions=True
        )
        assert sum(isinstance(one, Refused) for one in answers) == 4
        assert [await desk.refused("anna", OTHER) for _ in range(5)] == [Reason.SIGN_IN_FAILED] * 5

    at_the_desk(work, most_waiting=1)


def test_somebody_disabled_while_the_password_is_checked_gets_no_session() -> None:
    async def work(desk: Desk) -> None:
        sign_in_service = asyncio.create_task(desk.refused("anna", PASSWORD))
        await asyncio.sleep(0)
        del desk.people["anna"]
        await desk.sessions.end_all("anna")
        assert await sign_in_service is Reason.SIGN_IN_FAILED
        assert desk.sessions.of("anna") == []

    at_the_desk(work)


def test_staff_set_a_second_factor_up_at_the_first_sign_in_and_need_it_ever_after() -> None:
    async def work(desk: Desk) -> None:
        enrolment = await desk.sign_in(SignInAttempt(name="chen", password=PASSWORD))
        assert isinstance(enrolment, Enrolment)
        assert desk.sessions.of("chen") == []
        assert await desk.refused("chen", PASSWORD, code="000000x") is Reason.SIGN_IN_FAILED
        await desk.started("chen", PASSWORD, code=desk.code(enrolment.secret))
        assert await desk.refused("chen", PASSWORD) is Reason.SECOND_FACTOR_NEEDED
        assert await desk.refused("chen", PASSWORD, code=desk.code(enrolment.secret)) is Reason.SIGN_IN_FAILED
        assert await desk.refused("chen", OTHER) is Reason.SIGN_IN_FAILED
        desk.clock.now += 2 * STEP
        started = await desk.started("chen", PASSWORD, code=desk.code(enrolment.secret))
        assert started.session.kind is SessionKind.STAFF

    at_the_desk(work)


def test_guessing_codes_waits_as_guessing_passwords_does() -> None:
    async def work(desk: Desk) -> None:
        await desk.sign_in(SignInAttempt(name="chen", password=PASSWORD))
        answers = [await desk.refused("chen", PASSWORD, code=f"{one:06}x") for one in range(6)]
        assert answers == [Reason.SIGN_IN_FAILED] * 5 + [Reason.TRY_LATER]

    at_the_desk(work)


def test_a_password_for_one_use_opens_nothing_until_a_new_one_is_chosen() -> None:
    async def work(desk: Desk) -> None:
        given = await desk.credentials.issue("anna")
        assert await desk.refused("anna", given) is Reason.PASSWORD_MUST_CHANGE
        assert await desk.refused("anna", given, new_password=given) is Reason.PASSWORD_UNCHANGED
        assert await desk.refused("anna", given, new_password="annakoch") is Reason.PASSWORD_COMMON
        assert desk.sessions.of("anna") == []
        for _ in range(10):  # none of these is a failure
            assert await desk.refused("anna", given, new_password="short") is Reason.PASSWORD_TOO_SHORT
        await desk.started("anna", given, new_password=OTHER)
        assert await desk.refused("anna", given, new_password=PASSWORD) is Reason.SIGN_IN_FAILED
        await desk.started("anna", OTHER)

    at_the_desk(work)


def test_a_password_for_one_use_is_used_once_even_by_two_at_once() -> None:
    async def work(desk: Desk) -> None:
        given, chosen = await desk.credentials.issue("anna"), (PASSWORD, OTHER, "a whole new harbour")
        asked = (desk.sign_in(SignInAttempt(name="anna", password=given, new_password=one)) for one in chosen)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert sum(isinstance(one, StartedSession) for one in answers) == 1
        assert len(desk.sessions.of("anna")) == 1
        for one, answer in zip(chosen, answers, strict=True):
            if isinstance(answer, StartedSession):
                await desk.started("anna", one)
            else:
                assert await desk.refused("anna", one) is Reason.SIGN_IN_FAILED

    at_the_desk(work)


def test_a_new_password_among_the_staff_is_a_long_one_and_changes_nothing_before_the_code() -> None:
    async def work(desk: Desk) -> None:
        given = await desk.credentials.issue("chen")
        assert await desk.refused("chen", given, new_password="xq7 kvpt") is Reason.PASSWORD_TOO_SHORT
        enrolment = await desk.sign_in(SignInAttempt(name="chen", password=given, new_password=OTHER))
        assert isinstance(enrolment, Enrolment)
        assert await desk.credentials.check("chen", given) is PasswordCheck.MUST_CHANGE
        await desk.started("chen", given, new_password=OTHER, code=desk.code(enrolment.secret))
        assert await desk.credentials.check("chen", OTHER) is PasswordCheck.RIGHT

    at_the_desk(work)


def test_changing_the_password_asks_for_the_old_one_and_ends_every_other_session_and_link() -> None:
    async def work(desk: Desk) -> None:
        mine, other = await desk.started("anna", PASSWORD), await desk.started("anna", PASSWORD)
        link = await desk.tickets.issue("anna")
        for old, new, reason in (
            (OTHER, "a whole new harbour", Reason.SIGN_IN_FAILED),
            (PASSWORD, PASSWORD, Reason.PASSWORD_UNCHANGED),
            (PASSWORD, "baccarat1", Reason.PASSWORD_COMMON),
        ):
            with pytest.raises(Refused) as caught:
                await desk.sign_in.change_password(mine.session, ANNA, old, new)
            assert caught.value.reason is reason
        assert desk.sessions.find(other.token)
        await desk.sign_in.change_password(mine.session, ANNA, PASSWORD, OTHER)
        assert desk.sessions.find(mine.token)
        assert desk.sessions.find(other.token) is None
        assert await desk.tickets.redeem(link) is None
        assert await desk.refused("anna", PASSWORD) is Reason.SIGN_IN_FAILED

    at_the_desk(work)


def test_proving_oneself_again_cannot_be_tried_without_end() -> None:
    async def work(desk: Desk) -> None:
        session = (await desk.started("anna", PASSWORD)).session
        reasons = []
        for _ in range(6):
            with pytest.raises(Refused) as caught:
                await desk.sign_in.prove(session, OTHER)
            reasons.append(caught.value.reason)
        assert reasons == [Reason.SIGN_IN_FAILED] * 5 + [Reason.TRY_LATER]
        desk.clock.now += 1_000
        await desk.sign_in.prove(session, PASSWORD)

    at_the_desk(work)


def test_what_somebody_asked_with_is_in_no_repr() -> None:
    asked = SignInAttempt(name="anna", password=PASSWORD, code="123456", new_password=OTHER, token="a token")
    assert f"{asked!r}{asked}" == "SignInAttempt(…)SignInAttempt(…)"
