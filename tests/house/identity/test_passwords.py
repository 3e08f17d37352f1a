"""Passwords: strong hashes, one answer for every failure, nothing secret said by accident."""

import asyncio
import json
import os
import pickle
import secrets
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable
from itertools import islice
from typing import NamedTuple
from unicodedata import normalize

import pytest
from argon2 import extract_parameters
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from zxcvbn.frequency_lists import FREQUENCY_LISTS

from puntobanco.house.identity.passwords import (
    NICENESS,
    READ_AT_MOST,
    HashCost,
    PasswordCheck,
    Passwords,
    StoredPassword,
    check_new,
    is_guessable,
    one_time,
)
from puntobanco.house.secrets.secret_store import DAY
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.sqlite import SqliteStore
from tests.house.stores import Clock, with_store

FLOOR = HashCost(memory=19_456, passes=2, lanes=1)
GOOD, OTHER = "tram lantern oyster", "seven quiet harbours"


class Desk(NamedTuple):
    desk: Passwords
    store: SqliteStore
    clock: Clock


def at_the_desk(work: Callable[[Desk], Awaitable[None]], most_waiting: int = 64) -> None:
    async def whole(store: SqliteStore) -> None:
        clock = Clock()
        desk = Passwords(store, clock, work=FLOOR, workers=1, most_waiting=most_waiting)
        try:
            await work(Desk(desk, store, clock))
        finally:
            desk.close()

    with_store(whole)


def refusal_of(password: str, **how: object) -> Reason | None:
    try:
        check_new(password, **how)  # type: ignore[arg-type]
    except Refused as refused:
        return refused.reason
    return None


# ---- what may be a password ------------------------------------------------------------------------------------------


def test_a_password_has_eight_characters_and_one_of_the_staff_fifteen() -> None:
    assert refusal_of("xq7 kvp") is Reason.PASSWORD_TOO_SHORT
    assert refusal_of("xq7 kvpt") is None
    assert refusal_of("xq7 kvpt zmfw r", staff=True) is None
    assert refusal_of("xq7 kvpt zmfw ", staff=True) is Reason.PASSWORD_TOO_SHORT


def test_a_password_may_be_long_but_not_endless() -> None:
    assert refusal_of("aq" + "".join(chr(0x4E00 + one * 7) for one in range(126))) is None
    assert refusal_of("aq" + "".join(chr(0x4E00 + one * 7) for one in range(127))) is Reason.PASSWORD_TOO_LONG
    assert refusal_of("a" * 1_000_000) is Reason.PASSWORD_TOO_LONG


@pytest.mark.parametrize("password", ["nur kleine buchstaben", "我喜欢在海边散步", "жёлтый трамвай", "🂡🂮🂭 🃁🃎 🂫🂪 🂩"])
def test_no_mixture_of_signs_is_asked_for_and_any_script_will_do(password: str) -> None:
    assert refusal_of(password) is None


@pytest.mark.parametrize(
    "worst",
    [
        "123456", "password", "12345678", "qwerty", "123456789", "12345", "1234", "111111", "1234567", "dragon",
        "123123", "baseball", "abc123", "football", "monkey", "letmein", "shadow", "master", "666666", "qwertyuiop",
        "123321", "mustang", "1234567890", "michael", "654321", "superman", "1qaz2wsx", "7777777", "121212", "000000",
        "qazwsx", "123qwe", "killer", "trustno1", "jordan", "jennifer", "zxcvbnm", "asdfgh", "hunter",
        "iloveyou", "qwerty123", "password1", "baccarat1", "welcome1", "admin123", "P@ssw0rd", "Passw0rd!", "1q2w3e4r",
        "aa123456", "Password123!", "zaq12wsx", "puntobanco2026", "Casino888", "banker99", "987654321", "woaini1314",
        "5201314", "q1w2e3r4", "adminadmin", "passwordpassword", "1234567890123",
        "changeme", "abcd1234",
    ],
)  # fmt: skip
def test_what_is_guessed_first_is_refused(worst: str) -> None:
    assert is_guessable(worst)


@pytest.mark.parametrize(
    "password", ["anna.koch", "AnnaKoch!", "kochanna!", "Koch2024", "annaanna", "puntobanco-anna", "王小明-2024"]
)
def test_ones_own_name_is_no_password(password: str) -> None:
    assert refusal_of(password, about=("Anna Koch", "王小明")) is Reason.PASSWORD_COMMON


@given(
    st.sampled_from(["baccarat", "sunshine", "password", "qwertyuiop", "puntobanco"]),
    st.sampled_from([str.upper, str.title, str.capitalize, str.casefold]),
    st.sampled_from(["", "1", "123", "!", "888", "2024", "123!", "@123", "1234567890"]),
)
def test_dressing_a_common_password_up_does_not_help(word: str, case: Callable[[str], str], tail: str) -> None:
    assert is_guessable(case(word) + tail)


def test_random_passwords_and_a_few_words_are_hard_to_guess() -> None:
    for good in (GOOD, OTHER, "correct horse battery staple", "ab 8374-9201 k", "k93847561029"):
        assert not is_guessable(good), good
    assert not any(is_guessable(secrets.token_urlsafe(12)) for _ in range(200))


@pytest.mark.parametrize(
    "password", ["4@8({[<369&#!1/|0$5+7%2" * 5, "p@ssw0rd1!$5+7" * 9, "王小明" * 42, "1/1/11 " * 18]
)
def test_only_the_beginning_of_a_long_password_is_judged(password: str) -> None:
    assert is_guessable(password) == is_guessable(password[:READ_AT_MOST])


def test_the_three_thousand_most_common_passwords_are_refused() -> None:
    common = [one for one in islice(FREQUENCY_LISTS["passwords"], 3_000) if not is_guessable(one)]
    assert common == []


def test_what_is_known_of_one_person_is_not_held_against_another() -> None:
    assert refusal_of("kowalczewska", about=("Kowalczewska",)) is Reason.PASSWORD_COMMON
    assert refusal_of("kowalczewska", about=("Koch",)) is None


@pytest.mark.parametrize("lower", [{"memory": 19_455}, {"passes": 1}, {"lanes": 0}])
def test_less_work_than_the_floor_is_refused(lower: dict[str, int]) -> None:
    with pytest.raises(Refused) as caught:
        HashCost(**lower)
    assert caught.value.reason is Reason.SETTING_TOO_LOW


# ---- checking --------------------------------------------------------------------------------------------------------


def test_the_right_password_is_right_and_any_other_wrong() -> None:
    async def work(at: Desk) -> None:
        await at.desk.set("anna", GOOD)
        assert await at.desk.check("anna", GOOD) is PasswordCheck.RIGHT
        for wrong in (OTHER, GOOD.upper(), GOOD + " ", "", GOOD * 100, "\ud800", "\0"):
            assert await at.desk.check("anna", wrong) is PasswordCheck.WRONG

    at_the_desk(work)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(min_size=1, max_size=40), st.text(max_size=40))
def test_only_the_same_text_opens_however_it_was_composed(password: str, other: str) -> None:
    async def work(at: Desk) -> None:
        await at.desk._keep("anna", await at.desk.hash(password))
        assert await at.desk.check("anna", normalize("NFD", password)) is PasswordCheck.RIGHT
        same = normalize("NFKC", other) == normalize("NFKC", password)
        assert (await at.desk.check("anna", other) is PasswordCheck.RIGHT) == same

    at_the_desk(work)


def test_a_password_that_is_refused_changes_nothing() -> None:
    async def work(at: Desk) -> None:
        await at.desk.set("anna", GOOD)
        with pytest.raises(Refused):
            await at.desk.set("anna", "password1")
        assert await at.desk.check("anna", GOOD) is PasswordCheck.RIGHT

    at_the_desk(work)


def test_unknown_disabled_expired_and_wrong_cost_one_hash_each() -> None:
    async def work(at: Desk) -> None:
        await at.desk.set("anna", GOOD)
        given = await at.desk.issue("bao", lasts=DAY)
        at.clock.now += DAY
        for person, password in (
            ("nobody", GOOD),
            (None, GOOD),
            ("bao", given),
            ("anna", OTHER),
            ("anna", "x" * 9_999),
        ):
            before = at.desk.hashed
            assert await at.desk.check(person, password) is PasswordCheck.WRONG
            assert at.desk.hashed == before + 1

    at_the_desk(work)


def test_the_hash_of_nobody_costs_what_every_hash_costs() -> None:
    async def work(at: Desk) -> None:
        await at.desk.set("anna", GOOD)
        kept = json.loads(await at.store.sealed("password:anna") or b"")["hash"]
        assert extract_parameters(at.desk._nobody) == extract_parameters(kept)
        assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")

    at_the_desk(work)


def test_a_person_without_a_name_is_nobody() -> None:
    async def work(at: Desk) -> None:
        await at.desk.set("", GOOD)
        assert await at.desk.check(None, GOOD) is PasswordCheck.WRONG

    at_the_desk(work)


def test_a_hash_is_made_again_when_more_work_is_asked_for_and_not_when_less_is() -> None:
    async def work(at: Desk) -> None:
        await at.desk.set("anna", GOOD)
        weak = await at.store.sealed("password:anna")
        stronger = Passwords(at.store, at.clock, work=HashCost(memory=20_480, passes=3), workers=1)
        try:
            assert await stronger.check("anna", OTHER) is PasswordCheck.WRONG
            assert await at.store.sealed("password:anna") == weak
            assert await stronger.check("anna", GOOD) is PasswordCheck.RIGHT
            strong = await at.store.sealed("password:anna")
            assert b"m=20480,t=3" in (strong or b"")
            assert await at.desk.check("anna", GOOD) is PasswordCheck.RIGHT
            assert await at.store.sealed("password:anna") == strong
        finally:
            stronger.close()

    at_the_desk(work)


def test_making_a_hash_again_never_brings_an_old_password_back() -> None:
    async def work(at: Desk) -> None:
        await at.desk.set("anna", GOOD)
        stronger = Passwords(at.store, at.clock, work=HashCost(memory=20_480, passes=3), workers=2)
        try:
            old = await stronger._kept("anna")
            assert old is not None
            await asyncio.gather(stronger.set("anna", OTHER), stronger._raise("anna", old, GOOD))
            await stronger._raise("anna", old, GOOD)
            assert await stronger.check("anna", GOOD) is PasswordCheck.WRONG
            assert await stronger.check("anna", OTHER) is PasswordCheck.RIGHT
        finally:
            stronger.close()

    at_the_desk(work)


def test_a_flood_of_sign_ins_is_told_to_come_later_and_the_loop_goes_on() -> None:
    async def work(at: Desk) -> None:
        await at.desk.set("anna", GOOD)
        turns = 0

        async def table() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        running = asyncio.create_task(table())
        answers = await asyncio.gather(*(at.desk.check("anna", GOOD) for _ in range(12)), return_exceptions=True)
        running.cancel()
        refused = [one for one in answers if isinstance(one, Refused)]
        assert answers.count(PasswordCheck.RIGHT) == 4
        assert [one.reason for one in refused] == [Reason.TRY_LATER] * 8
        assert turns > 100
        assert await at.desk.check("anna", GOOD) is PasswordCheck.RIGHT

    at_the_desk(work, most_waiting=4)


# ---- for one use -----------------------------------------------------------------------------------------------------


def test_a_given_password_only_opens_the_way_to_a_new_one() -> None:
    async def work(at: Desk) -> None:
        given = await at.desk.issue("anna")
        assert await at.desk.check("anna", given) is PasswordCheck.MUST_CHANGE
        await at.desk.set("anna", GOOD)
        assert await at.desk.check("anna", given) is PasswordCheck.WRONG
        assert await at.desk.check("anna", GOOD) is PasswordCheck.RIGHT

    at_the_desk(work)


def test_a_given_password_expires() -> None:
    async def work(at: Desk) -> None:
        given = await at.desk.issue("anna", lasts=DAY)
        at.clock.now += DAY - 1
        assert await at.desk.check("anna", given) is PasswordCheck.MUST_CHANGE
        at.clock.now += 1
        assert await at.desk.check("anna", given) is PasswordCheck.WRONG

    at_the_desk(work)


def test_given_passwords_hold_128_bits_and_more_and_never_repeat() -> None:
    given = {one_time() for _ in range(2_000)}
    assert len(given) == 2_000
    for one in given:
        letters = one.replace("-", "")
        assert len(letters) * 5 >= 128
        assert set(letters) <= set("abcdefghijklmnopqrstuvwxyz234567")
    for place in range(28):
        assert len({one.replace("-", "")[place] for one in given}) == 32


# ---- nothing secret is said ------------------------------------------------------------------------------------------


def test_no_password_or_hash_is_in_the_store_a_repr_or_an_exception() -> None:
    async def work(at: Desk) -> None:
        await at.desk.set("anna", GOOD)
        content = await at.store.sealed("password:anna") or b""
        assert GOOD.encode() not in content
        kept = StoredPassword("a hash", 0)
        assert "a hash" not in f"{kept!r} {kept} {list(kept.__rich_repr__())} {at.desk!r} {vars(at.desk)}"
        for bad in ("secret1", "Password123!", "secret" * 100):
            with pytest.raises(Refused) as caught:
                await at.desk.set("anna", bad)
            said = "".join(traceback.format_exception(caught.value)) + repr(pickle.dumps(caught.value))
            assert bad not in said

    at_the_desk(work)


def test_a_broken_record_opens_nothing_and_says_nothing() -> None:
    async def work(at: Desk) -> None:
        for hash in ("", "nonsense", "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA"):
            await at.store.seal("password:anna", json.dumps({"hash": hash, "set_at": 0}).encode())
            assert await at.desk.check("anna", "") is PasswordCheck.WRONG

    at_the_desk(work)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a thread has no priority of its own")
def test_whoever_works_out_a_hash_steps_back_for_everybody_else() -> None:
    async def work(at: Desk) -> None:
        here = os.getpriority(os.PRIO_PROCESS, 0)
        there = await at.desk._beside(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        assert there == max(here, NICENESS)
        assert os.getpriority(os.PRIO_PROCESS, 0) == here

    at_the_desk(work)


@pytest.mark.parametrize("damaged", [b"rubbish", b"5", b'{"hash":1}', b"\xff"])
def test_a_damaged_password_opens_nothing_and_is_still_one(damaged: bytes) -> None:
    async def work(at: Desk) -> None:
        await at.store.seal("password:anna", damaged)
        assert await at.desk.check("anna", GOOD) is PasswordCheck.WRONG
        assert await at.desk.has("anna"), "nobody is given a first one in its place"

    at_the_desk(work)
