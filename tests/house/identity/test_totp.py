"""The second factor: the RFC's own figures, each code once, a lost device survived."""

import asyncio
import re
from base64 import b32decode
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import pytest

from puntobanco.house.identity.credentials import Credentials
from puntobanco.house.identity.totp import STEP, Factor, SecondFactors, StoredFactor, totp
from puntobanco.house.operations.clock import HouseClock
from puntobanco.house.operations.settings import Settings
from puntobanco.house.secrets.secret_store import HOUR
from puntobanco.store.sqlite import SqliteStore
from tests.house.stores import Clock, with_store

SEED = b"12345678901234567890"


class Desk(NamedTuple):
    factors: SecondFactors
    store: SqliteStore
    clock: Clock

    def code(self, secret: str, later: int = 0) -> str:
        return totp(b32decode(secret), self.clock() // STEP + later)

    async def enrolled(self, person: str) -> str:
        secret = (await self.factors.enrol(person)).secret
        assert await self.factors.confirm(person, self.code(secret, -1))
        return secret


def at_the_desk(work: Callable[[Desk], Awaitable[None]]) -> None:
    async def whole(store: SqliteStore) -> None:
        clock = Clock()
        await work(Desk(SecondFactors(store, clock), store, clock))

    with_store(whole)


@pytest.mark.parametrize(
    ("second", "sha1", "sha256", "sha512"),
    [
        (59, "94287082", "46119246", "90693936"),
        (1_111_111_109, "07081804", "68084774", "25091201"),
        (1_111_111_111, "14050471", "67062674", "99943326"),
        (1_234_567_890, "89005924", "91819424", "93441116"),
        (2_000_000_000, "69279037", "90698825", "38618901"),
        (20_000_000_000, "65353130", "77737706", "47863826"),
    ],
)
def test_the_codes_are_those_of_rfc_6238(second: int, sha1: str, sha256: str, sha512: str) -> None:
    step = second // 30
    assert totp(SEED, step, 8) == sha1
    assert totp((SEED * 2)[:32], step, 8, "sha256") == sha256
    assert totp((SEED * 4)[:64], step, 8, "sha512") == sha512
    assert totp(SEED, step) == sha1[-6:]


def test_a_factor_counts_from_its_first_code_and_not_before() -> None:
    async def work(at: Desk) -> None:
        enrolment = await at.factors.enrol("anna")
        assert not await at.factors.has("anna")
        assert not await at.factors.check("anna", at.code(enrolment.secret))
        assert not await at.factors.confirm("anna", enrolment.recovery[0])
        assert not await at.factors.confirm("bao", at.code(enrolment.secret))
        assert await at.factors.confirm("anna", at.code(enrolment.secret))
        assert await at.factors.has("anna")

    at_the_desk(work)


def test_a_code_is_good_once_even_if_it_is_sent_ten_times_at_once() -> None:
    async def work(at: Desk) -> None:
        secret = await at.enrolled("anna")
        code = at.code(secret)
        assert sum(await asyncio.gather(*(at.factors.check("anna", code) for _ in range(10)))) == 1
        again = SecondFactors(at.store, at.clock)
        assert not await again.check("anna", code)
        assert not await again.check("anna", at.code(secret, -1))
        assert await again.check("anna", at.code(secret, 1))

    at_the_desk(work)


def test_a_device_may_be_one_step_off_and_no_more() -> None:
    async def work(at: Desk) -> None:
        secret = await at.enrolled("anna")
        at.clock.now += 100 * STEP
        for later, good in ((-2, False), (2, False), (-1, True), (0, True), (1, True)):
            assert await at.factors.check("anna", at.code(secret, later)) is good

    at_the_desk(work)


@pytest.mark.parametrize("typed", ["", "000000x", "abcdef", "１２３４５６", "\ud800", "-", "0" * 10_000])
def test_what_is_no_code_is_refused(typed: str) -> None:
    async def work(at: Desk) -> None:
        await at.enrolled("anna")
        assert not await at.factors.check("anna", typed)
        assert not await at.factors.check("nobody", typed)

    at_the_desk(work)


def test_a_code_may_be_typed_in_groups() -> None:
    async def work(at: Desk) -> None:
        code = at.code(await at.enrolled("anna"))
        assert await at.factors.check("anna", f" {code[:3]} {code[3:]} ")

    at_the_desk(work)


def test_each_recovery_code_is_good_once_and_kept_as_a_hash() -> None:
    async def work(at: Desk) -> None:
        enrolment = await at.factors.enrol("anna")
        await at.factors.confirm("anna", at.code(enrolment.secret))
        content = await at.store.sealed("second_factor:anna") or b""
        assert len(set(enrolment.recovery)) == 10
        for code in enrolment.recovery:
            assert len(code.replace("-", "")) * 5 >= 80
            assert code.encode() not in content
            assert code.replace("-", "").encode() not in content
            assert await at.factors.check("anna", code.upper())
            assert not await at.factors.check("anna", code)

    at_the_desk(work)


def test_the_old_factor_is_good_until_the_new_one_is_confirmed() -> None:
    async def work(at: Desk) -> None:
        old = await at.enrolled("anna")
        new = (await at.factors.enrol("anna")).secret
        assert await at.factors.check("anna", at.code(old))
        assert not await at.factors.check("anna", at.code(new))
        assert await at.factors.confirm("anna", at.code(new))
        at.clock.now += 10 * STEP
        assert not await at.factors.check("anna", at.code(old))
        assert await at.factors.check("anna", at.code(new))

    at_the_desk(work)


def test_a_factor_can_be_taken_away() -> None:
    async def work(at: Desk) -> None:
        secret = await at.enrolled("anna")
        await at.factors.remove("anna")
        assert not await at.factors.has("anna")
        assert not await at.factors.check("anna", at.code(secret))

    at_the_desk(work)


def test_what_an_authenticator_reads_names_the_house_and_the_person() -> None:
    async def work(at: Desk) -> None:
        enrolment = await at.factors.enrol("anna k&och")
        assert re.fullmatch(
            r"otpauth://totp/puntobanco%3Aanna%20k%26och\?secret=[A-Z2-7]{32}&issuer=puntobanco", enrolment.uri
        )
        said = f"{enrolment!r} {StoredFactor(Factor(SEED, ('hash',)))} {Factor(SEED, ('hash',))!r}"
        assert not any(secret in said for secret in (enrolment.secret, enrolment.recovery[0], "1234567890", "hash"))

    at_the_desk(work)


def test_a_house_that_has_gone_ahead_of_the_world_takes_the_codes_of_its_telephones() -> None:
    """After a start with a wrong date the house never goes back, and its staff must get in all the same."""

    async def work(store: SqliteStore) -> None:
        now = 1_900_000_000_000
        clock = HouseClock(not_before=now + HOUR, wall=lambda: now * 1_000_000)
        factors = Credentials.of(Settings(), store, store, clock).factors
        secret = b32decode((await factors.enrol("ann")).secret)
        assert clock() >= now + HOUR
        assert await factors.confirm("ann", totp(secret, now // STEP))

    with_store(work)
