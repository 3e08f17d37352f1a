"""Sessions and sign-in links: found by their token alone, kept through a restart, over when they are over."""

import asyncio
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puntobanco.house.identity.passwords import HashCost
from puntobanco.house.identity.sessions import (
    Session,
    SessionEnd,
    SessionKind,
    SessionLifetime,
    SessionLimits,
    Sessions,
    StartedSession,
    Tickets,
)
from puntobanco.house.operations.settings import PeopleSettings
from puntobanco.house.secrets.secret_store import DAY, HOUR, MINUTE, SECOND
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.store.records import StoreFailed
from puntobanco.store.sqlite import SqliteStore
from tests.house.stores import Clock, with_store


class Desk(NamedTuple):
    sessions: Sessions
    tickets: Tickets
    store: SqliteStore
    clock: Clock

    async def again(self) -> "Desk":
        """The house after a restart, over the same store."""
        return await desk(self.store, self.clock, self.sessions.limits)


async def desk(store: SqliteStore, clock: Clock, limits: SessionLimits) -> Desk:
    opened = Desk(Sessions(store, clock, limits), Tickets(store, clock), store, clock)
    await opened.sessions.open()
    await opened.tickets.open()
    return opened


LIMITS = SessionLimits(player=SessionLifetime(30 * MINUTE, DAY), staff=SessionLifetime(HOUR, 12 * HOUR), most=3)


def at_the_desk(work: Callable[[Desk], Awaitable[None]], path: Path | str = ":memory:") -> None:
    async def whole(store: SqliteStore) -> None:
        await work(await desk(store, Clock(), LIMITS))

    with_store(whole, path)


# ---- tokens ----------------------------------------------------------------------------------------------------------


def test_a_session_is_found_by_its_token_and_by_nothing_else() -> None:
    async def work(at: Desk) -> None:
        started = await at.sessions.start("anna", SessionKind.PLAYER, slot=4, address="203.0.113.7", agent="a browser")
        assert at.sessions.find(started.token) == started.session
        assert (started.session.person, started.session.slot) == ("anna", 4)
        for other in ("", started.session.id, started.token[:-1], started.token + "A", "\ud800" * 43, "A" * 43):
            assert at.sessions.find(other) is None

    at_the_desk(work)


def test_every_sign_in_gets_a_new_token_of_256_bits() -> None:
    async def work(at: Desk) -> None:
        tokens = {(await at.sessions.start("anna", SessionKind.PLAYER)).token for _ in range(50)}
        assert len(tokens) == 50
        assert {len(token) * 6 >= 256 for token in tokens} == {True}

    at_the_desk(work)


def test_the_store_holds_the_hash_of_a_token_and_never_the_token(tmp_path: Path) -> None:
    tokens: list[str] = []

    async def work(at: Desk) -> None:
        started = await at.sessions.start("anna", SessionKind.PLAYER)
        link = await at.tickets.issue("bao")
        tokens.extend((started.token, link))
        assert await at.store.sealed_names("session:") == ("session:" + sha256(started.token.encode()).hexdigest(),)
        assert await at.store.sealed_names("ticket:") == ("ticket:" + sha256(link.encode()).hexdigest(),)

    at_the_desk(work, tmp_path / "house.db")
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"session:" in held
    assert not any(token.encode() in held for token in tokens)


def test_a_token_is_in_no_repr() -> None:
    session = Session("id", "anna", SessionKind.PLAYER, 0, 0, 0, "", "")
    started = StartedSession("the token", session)
    assert "the token" not in f"{started!r} {started} {started.__rich_repr__()}"


@given(st.text(max_size=400))
@settings(max_examples=30, deadline=None)
def test_what_a_browser_says_of_itself_is_cut_and_cleaned(agent: str) -> None:
    async def work(at: Desk) -> None:
        session = (
            await at.sessions.start("anna", SessionKind.PLAYER, agent=agent + "\r\n\x1b[31m", address=agent)
        ).session
        assert len(session.agent) <= 200
        assert len(session.address) <= 64
        assert session.agent.isprintable()
        assert session.address.isprintable()
        assert (await at.again()).sessions.of("anna") == [session]

    at_the_desk(work)


# ---- time ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", SessionKind)
def test_a_session_that_is_not_used_ends(kind: SessionKind) -> None:
    async def work(at: Desk) -> None:
        token = (await at.sessions.start("anna", kind)).token
        at.clock.now += LIMITS.of(kind).idle - 1
        assert at.sessions.find(token)
        at.clock.now += 1
        assert at.sessions.find(token) is None

    at_the_desk(work)


@pytest.mark.parametrize("kind", SessionKind)
def test_a_session_ends_even_if_it_is_used_all_the_time(kind: SessionKind) -> None:
    async def work(at: Desk) -> None:
        started = await at.sessions.start("anna", kind)
        for _ in range(LIMITS.of(kind).absolute // (10 * MINUTE) - 1):
            at.clock.now += 10 * MINUTE
            await at.sessions.touch(started.session.id)
            assert at.sessions.find(started.token)
        at.clock.now += 10 * MINUTE
        assert at.sessions.find(started.token) is None

    at_the_desk(work)


def test_an_expired_session_cannot_be_touched_back_to_life() -> None:
    async def work(at: Desk) -> None:
        started = await at.sessions.start("anna", SessionKind.PLAYER)
        at.clock.now += LIMITS.player.idle
        await at.sessions.touch(started.session.id)
        assert at.sessions.find(started.token) is None

    at_the_desk(work)


def test_use_is_written_once_a_minute_at_most() -> None:
    async def work(at: Desk) -> None:
        started = await at.sessions.start("anna", SessionKind.PLAYER)
        name = "session:" + started.session.id
        written = {await at.store.sealed(name)}
        for _ in range(179):
            at.clock.now += 1_000
            await at.sessions.touch(started.session.id)
            written.add(await at.store.sealed(name))
        assert len(written) == 3
        found = at.sessions.find(started.token)
        assert found is not None
        assert found.seen == at.clock.now

    at_the_desk(work)


def test_what_expired_is_removed_from_the_store_and_told() -> None:
    async def work(at: Desk) -> None:
        heard: list[tuple[str, SessionEnd]] = []
        at.sessions.on_ended(lambda session, why: heard.append((session.person, why)))
        await at.sessions.start("anna", SessionKind.PLAYER)
        await at.sessions.start("chen", SessionKind.STAFF)
        at.clock.now += LIMITS.player.idle
        await at.sessions.sweep()
        await asyncio.sleep(0)
        assert heard == [("anna", SessionEnd.EXPIRED)]
        assert len(await at.store.sealed_names("session:")) == 1

    at_the_desk(work)


# ---- a restart -------------------------------------------------------------------------------------------------------


def test_a_restart_keeps_what_lives_and_removes_what_expired() -> None:
    async def work(at: Desk) -> None:
        anna = await at.sessions.start("anna", SessionKind.PLAYER)
        chen = await at.sessions.start("chen", SessionKind.STAFF, slot=2)
        at.clock.now += LIMITS.player.idle
        again = await at.again()
        assert again.sessions.find(chen.token) == chen.session
        assert again.sessions.find(anna.token) is None
        assert len(await at.store.sealed_names("session:")) == 1

    at_the_desk(work)


def test_no_restart_brings_an_ended_session_back() -> None:
    async def work(at: Desk) -> None:
        one, two, three = [await at.sessions.start("anna", SessionKind.PLAYER) for _ in range(3)]
        await at.sessions.end(one.session.id)
        await at.sessions.end_all("anna", but=three.session.id)
        again = await at.again()
        assert [again.sessions.find(each.token) for each in (one, two)] == [None, None]
        assert again.sessions.find(three.token) == three.session

    at_the_desk(work)


# ---- ending ----------------------------------------------------------------------------------------------------------


def test_whoever_holds_connections_hears_of_each_end_once_and_one_listener_stops_no_other() -> None:
    async def work(at: Desk) -> None:
        heard: list[tuple[str, SessionEnd]] = []
        complaints: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context["exception"]))

        def broken(*_: object) -> None:
            raise ZeroDivisionError

        at.sessions.on_ended(broken)
        at.sessions.on_ended(lambda session, why: heard.append((session.id, why)))
        one, two = [(await at.sessions.start("anna", SessionKind.PLAYER)).session for _ in range(2)]
        await at.sessions.end(one.id)
        await at.sessions.end(one.id)
        await at.sessions.end_all("anna")
        await asyncio.sleep(0)
        assert heard == [(one.id, SessionEnd.SIGNED_OUT), (two.id, SessionEnd.REVOKED)]
        assert len(complaints) == 2

    at_the_desk(work)


def test_ending_one_persons_sessions_ends_nobody_elses() -> None:
    async def work(at: Desk) -> None:
        anna, ann = (
            await at.sessions.start("anna", SessionKind.PLAYER),
            await at.sessions.start("ann", SessionKind.PLAYER),
        )
        await at.sessions.start("ann", SessionKind.PLAYER)
        assert at.sessions.counted() == {"anna": 1, "ann": 2}
        await at.sessions.end_all("ann")
        assert at.sessions.counted() == {"anna": 1}
        assert at.sessions.find(anna.token)
        assert at.sessions.find(ann.token) is None

    at_the_desk(work)


def test_with_one_session_too_many_the_oldest_ends() -> None:
    async def work(at: Desk) -> None:
        started = []
        for _ in range(5):
            at.clock.now += 1
            started.append(await at.sessions.start("anna", SessionKind.PLAYER))
        assert [at.sessions.find(one.token) is not None for one in started] == [False, False, True, True, True]
        assert len(await at.store.sealed_names("session:")) == 3

    at_the_desk(work)


def test_a_session_that_starts_while_all_are_ended_does_not_survive_it() -> None:
    async def work(at: Desk) -> None:
        starting = asyncio.create_task(at.sessions.start("anna", SessionKind.PLAYER))
        await asyncio.sleep(0)
        await at.sessions.end_all("anna")
        with pytest.raises(Refused) as caught:
            await starting
        assert caught.value.reason is Reason.SESSION_OVER
        assert await at.store.sealed_names("session:") == ()

    at_the_desk(work)


def test_a_session_that_ends_while_its_use_is_written_stays_ended() -> None:
    async def work(at: Desk) -> None:
        session = (await at.sessions.start("anna", SessionKind.PLAYER)).session
        at.clock.now += 2 * MINUTE
        await asyncio.gather(at.sessions.touch(session.id), at.sessions.end(session.id))
        await asyncio.gather(at.sessions.end(session.id), at.sessions.touch(session.id))
        assert await at.store.sealed_names("session:") == ()

    at_the_desk(work)


class Slow:
    """A vault that writes in another order than it was asked: what is sealed waits until told."""

    def __init__(self, store: SqliteStore) -> None:
        self.store, self.go_on = store, asyncio.Event()
        self.sealed, self.unseal, self.sealed_names = store.sealed, store.unseal, store.sealed_names

    async def seal(self, name: str, content: bytes) -> None:
        await self.go_on.wait()
        await self.store.seal(name, content)


def test_no_order_of_writing_leaves_an_ended_session_in_the_store() -> None:
    async def work(at: Desk) -> None:
        secret_store = Slow(at.store)
        sessions = Sessions(secret_store, at.clock, LIMITS)
        starting = asyncio.create_task(sessions.start("anna", SessionKind.PLAYER))
        await asyncio.sleep(0)
        await sessions.end_all("anna")
        secret_store.go_on.set()
        with pytest.raises(Refused):
            await starting
        session = (await sessions.start("anna", SessionKind.PLAYER)).session
        secret_store.go_on.clear()
        at.clock.now += 2 * MINUTE
        touching = asyncio.create_task(sessions.touch(session.id))
        await asyncio.sleep(0)
        await sessions.end(session.id)
        secret_store.go_on.set()
        await touching
        assert await at.store.sealed_names("session:") == ()

    at_the_desk(work)


def test_a_session_the_store_could_not_keep_never_was() -> None:
    async def work(at: Desk) -> None:
        await at.store.close()
        with pytest.raises(StoreFailed):
            await at.sessions.start("anna", SessionKind.PLAYER)
        assert at.sessions.of("anna") == []

    at_the_desk(work)


# ---- sign-in links ---------------------------------------------------------------------------------------------------


def test_a_link_signs_in_once() -> None:
    async def work(at: Desk) -> None:
        link = await at.tickets.issue("anna")
        answers = await asyncio.gather(*(at.tickets.redeem(link) for _ in range(10)))
        assert sorted(answers, key=str) == [None] * 9 + ["anna"]
        assert await at.tickets.redeem(link) is None
        assert await (await at.again()).tickets.redeem(link) is None

    at_the_desk(work)


def test_a_link_is_good_after_a_restart_and_not_after_its_time() -> None:
    async def work(at: Desk) -> None:
        one, two, three = [await at.tickets.issue("anna", lasts=HOUR) for _ in range(3)]
        at.clock.now += HOUR - 1
        assert await (await at.again()).tickets.redeem(one) == "anna"
        at.clock.now += 1
        assert await at.tickets.redeem(two) is None
        assert await (await at.again()).tickets.redeem(three) is None
        assert await at.store.sealed_names("ticket:") == ()

    at_the_desk(work)


def test_links_of_a_person_can_be_taken_back() -> None:
    async def work(at: Desk) -> None:
        anna, bao = await at.tickets.issue("anna"), await at.tickets.issue("bao")
        await at.tickets.revoke_all("anna")
        assert await at.tickets.redeem(anna) is None
        assert await at.tickets.redeem(bao) == "bao"
        assert await at.tickets.redeem("A" * 43) is None

    at_the_desk(work)


@pytest.mark.parametrize("damaged", [b"", b"rubbish", b"5", b'{"person":"anna"}', b"\xff"])
def test_a_damaged_row_opens_nothing_and_keeps_nobody_else_out(damaged: bytes) -> None:
    async def work(at: Desk) -> None:
        kept, lost = [await at.sessions.start("anna", SessionKind.PLAYER) for _ in range(2)]
        good, bad = [await at.tickets.issue("anna") for _ in range(2)]
        await at.store.seal(f"session:{lost.session.id}", damaged)
        await at.store.seal(f"ticket:{sha256(bad.encode()).hexdigest()}", damaged)
        again = await at.again()
        assert (again.sessions.find(lost.token), again.sessions.find(kept.token)) == (None, kept.session)
        assert (await again.tickets.redeem(bad), await again.tickets.redeem(good)) == (None, "anna")

    at_the_desk(work)


def test_a_session_under_another_sessions_name_opens_nothing() -> None:
    async def work(at: Desk) -> None:
        mine, other = (
            await at.sessions.start("anna", SessionKind.PLAYER),
            await at.sessions.start("root", SessionKind.STAFF),
        )
        content = await at.store.sealed(f"session:{other.session.id}")
        await at.store.seal(f"session:{mine.session.id}", content or b"")
        again = await at.again()
        assert (again.sessions.find(mine.token), again.sessions.find(other.token)) == (None, other.session)

    at_the_desk(work)


# ---- settings --------------------------------------------------------------------------------------------------------


def test_the_defaults_are_those_of_the_settings_reference() -> None:
    people = PeopleSettings()
    assert HashCost(people.argon2_memory, people.argon2_time, people.argon2_lanes) == HashCost()
    assert HashCost().lanes == 1, "a hash must not take a second core from the tables"
    limits = SessionLimits()
    assert limits.most == people.most_sessions
    for kind, idle, absolute in (
        (SessionKind.PLAYER, people.player_idle, people.player_absolute),
        (SessionKind.STAFF, people.staff_idle, people.staff_absolute),
    ):
        assert limits.of(kind) == SessionLifetime(idle * SECOND, absolute * SECOND)
