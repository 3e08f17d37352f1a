"""The doors: cookies, sessions, pages of others, headers, faults and rates, as a browser meets them."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed, InvalidStatus

from puntobanco.house.identity.throttle import RateLimit
from puntobanco.house.operations.settings import LiveSettings, PeopleSettings, Settings, WebSettings
from puntobanco.house.tables import writer as running
from puntobanco.protocol import entries as b
from puntobanco.protocol.posts import Post
from puntobanco.store.records import Failed, StoreFailed
from puntobanco.web.handlers.sign_in import EARLY
from puntobanco.web.http.caller import cookie_name, set_cookie
from puntobanco.web.http.operations import OPERATIONS
from puntobanco.web.live.connection import SIGNED_OUT
from puntobanco.web.live.publisher import RIGHTS_CHANGED
from tests.web.floor import closing, until
from tests.web.house import HERE, NAMES, PASSWORD, SETTINGS, Premises, Visitor, answer_to, heard, in_a_house
from tests.web.test_rights import address

# ---- cookies and sessions ----------------------------------------------------------------------------------------

SECURE: Settings = replace(SETTINGS, web=WebSettings(port=0, behind_tls_proxy=True, trusted_proxies=("127.0.0.1/32",)))


@in_a_house()
async def test_cookies_of_other_services_of_the_same_host_sign_nobody_out(premises: Premises) -> None:
    """A browser sends the cookies of every port of a host, whatever their shape."""
    visitor = await premises.visitor("ann")
    ours = f"puntobanco-{visitor.slot}={visitor.token}"
    for others in ("a[b]=c; {}", "a; {}", "{}; a b=c", 'a="b;{};c', "a,b=\x7f;{}", "x-{}=1; {}", "{} ; a=b"):
        sent = {"Cookie": others.replace("{}", ours)}
        assert (await visitor.get("/me", headers=sent)).status_code == 200, others
    for wrong in (f"x-{ours}", f"{ours}x", f"a={ours}", ours.replace("=", "=x")):
        assert (await visitor.get("/me", headers={"Cookie": wrong})).status_code == 401, wrong


@in_a_house(settings=SECURE)
async def test_s6_a_cookie_over_tls_is_of_this_host_alone_and_no_script_or_other_site_sees_it(
    premises: Premises,
) -> None:
    visitor = await premises.visitor("ann", slot=7)
    name, *flags = [part.strip() for part in visitor.cookie_line.split(";")]
    assert name.startswith("__Host-puntobanco-7=")
    assert {*flags} == {"Path=/", "HttpOnly", "SameSite=Strict", "Secure"}
    assert (await visitor.get("/me")).status_code == 401, "the name without the prefix is not read"
    cookie = {"Cookie": f"__Host-puntobanco-7={visitor.token}"}
    assert (await visitor.get("/me", headers=cookie)).status_code == 200
    out = await visitor.post("/sign-out", headers=cookie)
    assert out.headers["set-cookie"].startswith("__Host-puntobanco-7=; ")
    assert "Max-Age=0" in out.headers["set-cookie"]
    assert cookie_name(7, secure=True) != cookie_name(7, secure=False)
    assert "Secure" not in set_cookie(7, "t", secure=False)


async def with_password(premises: Premises, name: str) -> None:
    await premises.services.identity.passwords.set(name, PASSWORD, staff=True)


@in_a_house()
async def test_s5_signing_in_gives_a_new_token_and_the_one_brought_along_is_over(premises: Premises) -> None:
    await with_password(premises, "ann")
    visitor, tokens = premises.stranger(3), set()
    for _ in range(3):
        before = visitor.token
        answer = await visitor.post("/sign-in", {"name": "ann", "password": PASSWORD})
        assert answer.json()["me"]["person"] == "ann"
        visitor.took(answer)
        tokens.add(visitor.token)
        assert len(visitor.token) == 43, "256 bits"
        assert (
            before == "" or (await visitor.get("/me", headers={"Cookie": f"puntobanco-3={before}"})).status_code == 401
        )
    assert len(tokens) == 3
    assert (await visitor.get("/me")).status_code == 200
    fixed = {"Cookie": f"puntobanco-3={'x' * 43}"}
    answer = await visitor.post("/sign-in", {"name": "ann", "password": PASSWORD}, headers=fixed)
    assert "x" * 43 not in answer.headers["set-cookie"], "a token somebody else chose is never taken up"


@in_a_house()
async def test_s5_a_token_is_good_in_its_own_slot_only_and_never_in_an_address(premises: Premises) -> None:
    visitor = await premises.visitor("ann", slot=1)
    other = {"Cookie": f"puntobanco-2={visitor.token}"}
    assert (await visitor.get("/me", slot=2, headers=other)).status_code == 401
    assert (await visitor.get("/me", slot=2)).status_code == 401
    assert (
        await visitor.get("/me", headers={"Cookie": None, "Authorization": f"Bearer {visitor.token}"})
    ).status_code == 401
    assert (await visitor.get(f"/me?puntobanco-1={visitor.token}", headers={"Cookie": None})).status_code == 401
    with pytest.raises(InvalidStatus) as refused:
        async with visitor.live(path="/u/2/api/live", headers=other):
            pass
    assert refused.value.response.status_code == 401


@in_a_house()
async def test_s3_a_name_that_does_not_exist_a_disabled_one_and_a_wrong_password_get_one_answer(
    premises: Premises,
) -> None:
    await with_password(premises, "ann")
    await with_password(premises, "zed")
    await premises.services.house.journal_writer.note(
        b.PersonDisabled(by=premises.services.house.itself(), person="zed", reason="x")
    )
    answers = [
        await premises.stranger().post("/sign-in", {"name": name, "password": password})
        for name, password in (("ann", "wrong wrong wrong"), ("nobody", PASSWORD), ("zed", PASSWORD), ("bao", PASSWORD))
    ]
    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.content for answer in answers}) == 1
    refused = [entry.person for entry in await premises.journal() if isinstance(entry, b.SignInRefused)]
    assert refused == ["ann", "nobody", "zed", "bao"], "S19: every attempt is in the book"


@in_a_house()
async def test_s4_the_sixth_wrong_password_is_told_to_wait_and_the_wait_is_logged(premises: Premises) -> None:
    await with_password(premises, "ann")
    stranger = premises.stranger()
    for _ in range(5):
        assert (await stranger.post("/sign-in", {"name": "ann", "password": "wrong"})).status_code == 401
    EARLY._written.clear()  # another house of this process may just have said so
    answer = await stranger.post("/sign-in", {"name": "ann", "password": PASSWORD})
    assert (answer.status_code, answer.json()["reason"]) == (429, "try_later")
    assert int(answer.headers["retry-after"]) >= 1
    assert any(line["event"] == "sign-in throttled" and line["person"] == "ann" for line in premises.lines())


BRIEF: Settings = replace(
    SETTINGS,
    people=replace(SETTINGS.people, player_idle=60, player_absolute=300, staff_idle=60, staff_absolute=300),
)


def later(premises: Premises, seconds: int) -> None:
    """Let time pass for sessions alone."""
    clock = premises.services.identity.sessions._clock
    premises.services.identity.sessions._clock = lambda: clock() + seconds * 1_000


@in_a_house(settings=BRIEF)
async def test_s7_a_session_ends_unused_after_a_while_and_in_use_after_a_longer_one(premises: Premises) -> None:
    for name in ("ann", "dora"):
        idle, busy = await premises.visitor(name, 1), await premises.visitor(name, 2)
        later(premises, 59)
        assert (await busy.get("/me")).status_code == 200
        later(premises, 1)
        assert (await idle.get("/me")).status_code == 401
        for _ in range(4):
            later(premises, 50)
            assert (await busy.get("/me")).status_code == 200
        later(premises, 40)
        assert (await busy.get("/me")).status_code == 401


@in_a_house(settings=BRIEF)
async def test_s7_playing_over_a_live_connection_is_using_the_session_and_a_heartbeat_is_not(
    premises: Premises,
) -> None:
    player, away = await premises.visitor("ann"), await premises.visitor("bao")
    async with player.live() as playing, away.live() as waiting:
        for turn in range(3):
            later(premises, 40)
            await playing.send(
                json.dumps({"type": "Do", "table": HERE, "request": f"r{turn}", "command": {"type": "X"}})
            )
            assert (await answer_to(playing, f"r{turn}"))["why"]["reason"] == "unknown_command"
        await waiting.send('{"type":"Here"}')
        assert (await closing(waiting))[0] == SIGNED_OUT
        assert (await player.get("/me")).status_code == 200
        assert (await away.get("/me")).status_code == 401


# ---- the end of a session is the end of its connections ----------------------------------------------------------


async def sign_out(premises: Premises, visitor: Visitor) -> None:
    assert premises.url
    assert (await visitor.post("/sign-out")).status_code == 200


async def forced_out(premises: Premises, visitor: Visitor) -> None:
    root = await premises.visitor("root", 9)
    assert (await root.post(f"/people/{visitor.name}/sign-out")).status_code == 200


async def disabled(premises: Premises, visitor: Visitor) -> None:
    root = await premises.visitor("root", 9)
    command = {"type": "Disable", "person": visitor.name, "reason": "seen counting"}
    assert (await root.post("/office", {"request": "d1", "command": command})).status_code == 200


async def given_a_password(premises: Premises, visitor: Visitor) -> None:
    root = await premises.visitor("root", 9)
    assert (await root.post(f"/people/{visitor.name}/password")).status_code == 200


async def expired(premises: Premises, visitor: Visitor) -> None:
    assert visitor.token
    later(premises, 100_000)
    await premises.services.identity.sessions.sweep()


@pytest.mark.parametrize("how", [sign_out, forced_out, disabled, given_a_password, expired])
def test_s8_whoever_is_out_is_out_of_every_live_connection(
    how: Callable[[Premises, Visitor], Awaitable[None]],
) -> None:
    @in_a_house()
    async def test(premises: Premises) -> None:
        visitor, bystander = await premises.visitor("ann"), await premises.visitor("bao")
        async with visitor.live() as one, visitor.live() as other, bystander.live() as beside:
            await how(premises, visitor)
            for connection in (one, other):
                async with asyncio.timeout(1):
                    assert (await closing(connection))[0] in (SIGNED_OUT, RIGHTS_CHANGED)
            assert (await visitor.get("/me")).status_code in (401, 403)
            with pytest.raises(InvalidStatus):
                async with visitor.live():
                    pass
            if how is not expired:
                await beside.send(json.dumps({"type": "Watch", "table": HERE}))
                assert heard(await beside.recv())["type"] == "Whole"

    test()


@in_a_house()
async def test_s8_a_change_of_rights_closes_the_connections_and_the_next_one_sees_by_the_new_post(
    premises: Premises,
) -> None:
    root = await premises.visitor("root")
    visitor = await premises.visitor("wall", 2)
    async with visitor.live() as before:
        await before.send(json.dumps({"type": "Watch", "table": HERE}))
        whole = heard(await before.recv())
        assert whole.get("private") is None
        assert "allowed" not in whole["public"]
        role = {"type": "GiveRole", "person": "wall", "post": "player", "scope": HERE}
        assert (await root.post("/office", {"request": "g1", "command": role})).status_code == 200
        assert (await closing(before))[0] == RIGHTS_CHANGED
    async with visitor.live() as after:
        await after.send(json.dumps({"type": "Watch", "table": HERE}))
        whole = heard(await after.recv())
        assert "BuyIn" in whole["public"]["allowed"]
        assert whole["private"]["person"] == "wall"
        taken = {"type": "TakeRole", "person": "wall", "scope": HERE}
        assert (await root.post("/office", {"request": "g2", "command": taken})).status_code == 200
        assert (await closing(after))[0] in (RIGHTS_CHANGED, SIGNED_OUT)
    assert (await visitor.get("/me")).status_code == 401, "who loses a role signs in again"


@in_a_house()
async def test_s3_a_player_who_becomes_one_of_the_staff_signs_in_as_one(premises: Premises) -> None:
    """Otherwise a session begun with a player's password alone would have the powers of a dealer."""
    root, visitor = await premises.visitor("root"), await premises.visitor("bao", 2)
    async with visitor.live() as connection:
        role = {"type": "GiveRole", "person": "bao", "post": "dealer", "scope": HERE}
        assert (await root.post("/office", {"request": "g1", "command": role})).status_code == 200
        assert (await closing(connection))[0] in (RIGHTS_CHANGED, SIGNED_OUT)
    await until(lambda: not premises.services.identity.sessions.of("bao"))
    assert (await visitor.get("/me")).status_code == 401


@in_a_house()
async def test_s8_the_pit_assigning_somebody_at_a_table_changes_their_view_too(premises: Premises) -> None:
    manager, visitor = await premises.visitor("tom"), await premises.visitor("dora", 2)
    async with visitor.live() as before:
        command = {"type": "Assign", "person": "dora", "role": "pit_supervisor"}
        answer = await manager.post(f"/tables/{HERE}/commands", {"request": "a1", "command": command})
        assert answer.status_code == 200, answer.text
        assert (await closing(before))[0] == RIGHTS_CHANGED


# ---- pages of others ---------------------------------------------------------------------------------------------


@in_a_house()
async def test_s9_a_live_connection_is_opened_by_our_own_pages_only(premises: Premises) -> None:
    visitor = await premises.visitor("ann")
    foreign = (None, "null", "https://evil.example", premises.url + ".evil.example", premises.url + "/", "http://127.0.0.1",
               premises.url.replace("http", "https"), premises.url.upper())  # fmt: skip
    for origin in foreign:
        with pytest.raises(InvalidStatus) as refused:
            async with visitor.live(origin=origin):
                pass
        assert refused.value.response.status_code == 403, origin
    with pytest.raises(InvalidStatus) as refused:
        async with premises.stranger().live():
            pass
    assert refused.value.response.status_code == 401
    with pytest.raises(InvalidStatus) as refused:
        async with visitor.live(path=f"/u/1/api/live?token={visitor.token}", headers={}):
            pass
    assert refused.value.response.status_code == 401, "a token in the address opens nothing"
    for path in ("/u/1/api/other", "/", "/u/x/api/live"):
        with pytest.raises(InvalidStatus) as refused:
            async with visitor.live(path=path):
                pass
        assert refused.value.response.status_code == 403
    async with visitor.live():
        pass


@in_a_house()
async def test_s10_nothing_is_changed_from_a_page_of_another_site(premises: Premises) -> None:
    visitors = {post: await premises.visitor(name, 1 + at) for at, (post, name) in enumerate(NAMES.items())}
    before = await premises.standing()
    for one in OPERATIONS:
        if not one.changes:
            continue
        visitor = visitors[min(one.who)] if one.who else premises.stranger()
        body = one.example if one.takes is not None else None
        for headers in (
            {"X-Puntobanco": None}, {"X-Puntobanco": "0"}, {"X-Puntobanco": ""}, {"Origin": "https://evil.example"},
            {"Origin": "null"}, {"Origin": premises.url + ".evil.example"}, {"Origin": ""},
        ):  # fmt: skip
            answer = await visitor.ask(one.method, address(one, HERE), body, headers=headers)
            assert (answer.status_code, answer.json()["reason"]) == (403, "foreign_page"), (one.name, headers)
            assert "access-control-allow-origin" not in answer.headers
    assert await premises.standing() == before
    preflight = await visitors[Post.PLAYER].ask(
        "OPTIONS", "/sign-out",
        headers={"Origin": "https://evil.example", "Access-Control-Request-Method": "POST",
                 "Access-Control-Request-Headers": "x-puntobanco"},
    )  # fmt: skip
    assert not [name for name in preflight.headers if name.startswith("access-control")]


@in_a_house()
async def test_s10_reading_changes_nothing_whoever_reads(premises: Premises) -> None:
    people = [await premises.visitor(name, at) for at, name in enumerate([*NAMES.values(), "dora-there"])]
    before = await premises.standing(but=frozenset({"AccessDenied"}))
    for visitor in people:
        for one in OPERATIONS:
            if not one.changes:
                assert (await visitor.ask(one.method, address(one, HERE))).status_code < 500
    for path in ("/health/live", "/health/ready", "/openapi.json", "/asyncapi.json", "/metrics"):
        await premises.stranger().client.get(path)
    assert await premises.standing(but=frozenset({"AccessDenied"})) == before
    assert {one.method for one in OPERATIONS if not one.changes} == {"GET"}
    assert all(one.changes for one in OPERATIONS if one.method != "GET")


@in_a_house()
async def test_s9_a_name_pointed_at_the_house_by_somebody_else_is_not_served(premises: Premises) -> None:
    visitor = await premises.visitor("ann")
    for host in ("evil.example", "127.0.0.1", "127.0.0.1:1", ""):
        answer = await visitor.get("/me", headers={"Host": host})
        assert answer.status_code in (400, 421), host


# ---- what every answer carries -----------------------------------------------------------------------------------


async def _headers(premises: Premises, *, secure: bool) -> None:
    stranger = premises.stranger()
    answers = [
        await stranger.get("/me"), await stranger.get("/nothing"), await stranger.ask("DELETE", "/me"),
        await stranger.post("/sign-in", b"{"), await stranger.client.get("/openapi.json"),
        await stranger.client.get("/health/ready"), await stranger.client.get("/"),
        await stranger.get("/me", headers={"Host": "evil.example"}),
    ]  # fmt: skip
    for answer in answers:
        headers = answer.headers
        policy = {part.strip() for part in headers["content-security-policy"].split(";")}
        assert {"default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} <= policy
        assert not any("unsafe" in part or "*" in part for part in policy)
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-frame-options"] == "DENY"
        assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
        assert ("strict-transport-security" in headers) == secure
        assert "server" not in headers
        if secure:
            age = int(headers["strict-transport-security"].partition("max-age=")[2].partition(";")[0])
            assert age >= 365 * 86_400
    assert answers[0].headers["cache-control"] == "no-store"


@in_a_house()
async def test_s17_every_answer_carries_its_headers(premises: Premises) -> None:
    await _headers(premises, secure=False)


@in_a_house(settings=SECURE)
async def test_s17_behind_tls_every_answer_asks_for_tls(premises: Premises) -> None:
    await _headers(premises, secure=True)


# ---- faults ------------------------------------------------------------------------------------------------------

SECRET = "hunter2-the-salt-and-the-order"


@in_a_house()
async def test_s18_a_fault_of_ours_says_only_that_it_was_one(premises: Premises) -> None:
    visitor, manager = await premises.visitor("ann"), await premises.visitor("tom", 2)

    async def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError(f"password={SECRET} in /srv/house.db")

    async def failed(*_: object, **__: object) -> None:
        raise StoreFailed(Failed.STORAGE, f"password={SECRET}")

    store, kept = premises.store, premises.store.balances
    for fault, status in ((broken, 500), (failed, 503)):
        store.balances = fault  # type: ignore[method-assign, assignment]
        try:
            answers = [await visitor.get("/wallet"), await manager.get("/accounts")]
        finally:
            store.balances = kept  # type: ignore[method-assign]
        for answer in answers:
            assert answer.status_code == status
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["reason"] == "failed"
            told = answer.text.lower()
            assert not any(word in told for word in ("traceback", "zerodivision", "hunter2", "house.db", ".py", "sql"))
    assert (await visitor.get("/wallet")).status_code == 200
    assert any(line["event"] == "a request failed" for line in premises.lines()), "we are told what it was"
    assert SECRET not in premises.log.read_text(), "S20: but no secret"


@in_a_house()
async def test_s18_a_command_that_fails_over_the_live_connection_is_answered_and_the_connection_goes_on(
    premises: Premises,
) -> None:
    visitor = await premises.visitor("ann")
    house, kept = premises.services.house, premises.services.house.do

    async def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError(SECRET)

    async with visitor.live() as connection:
        house.do = broken  # type: ignore[method-assign, assignment]
        for request in ("r1", "r2"):
            command = {"type": "WalkAway", "person": "ann"}
            await connection.send(json.dumps({"type": "Do", "table": HERE, "request": request, "command": command}))
            told = await answer_to(connection, request)
            assert told["why"]["reason"] == "failed"
            assert SECRET not in json.dumps(told)
            house.do = kept  # type: ignore[method-assign]
            break
        await connection.send(json.dumps({"type": "Watch", "table": HERE}))
        assert heard(await connection.recv())["type"] == "Whole"


# ---- rates -------------------------------------------------------------------------------------------------------


@in_a_house(patient=False)
async def test_s16_one_session_asks_so_often_and_no_more_while_others_are_served(premises: Premises) -> None:
    premises.services.admission.requests = RateLimit(0.1, 20)
    eager, other = await premises.visitor("ann"), await premises.visitor("bao", 2)
    answers = [await eager.get("/me") for _ in range(30)]
    statuses = [answer.status_code for answer in answers]
    assert statuses[:20] == [200] * 20, "so many at once are everybody's"
    assert 429 in statuses
    refused = answers[statuses.index(429)]
    assert refused.json()["reason"] == "too_fast"
    assert int(refused.headers["retry-after"]) >= 1
    assert (await other.get("/me")).status_code == 200


SLOWLY: Settings = replace(SETTINGS, live=LiveSettings(messages_per_second=20, slow_limit=1))


@in_a_house(settings=SLOWLY)
async def test_s16_live_messages_have_a_rate_and_a_flood_closes_the_connection(premises: Premises) -> None:
    visitor = await premises.visitor("ann")
    async with visitor.live() as connection:
        for number in range(60):
            message = {"type": "Do", "table": HERE, "request": f"r{number}", "command": {"type": "X"}}
            await connection.send(json.dumps(message))
        told = [heard(await connection.recv()) for _ in range(60)]
        reasons = {one["request"]: one["why"]["reason"] for one in told}
        assert {reasons[f"r{number}"] for number in range(40)} == {"unknown_command"}
        assert "too_fast" in reasons.values()
        with suppress(ConnectionClosed):
            for _ in range(2_000):
                await connection.send('{"type":"Here"}')
        assert (await closing(connection))[0] == 1008


@in_a_house()
async def test_s16_a_command_that_finds_no_room_at_the_table_is_not_answered_for_good(premises: Premises) -> None:
    visitor = await premises.visitor("ann")
    message = {"type": "Do", "table": HERE, "request": "r1", "command": {"type": "LeaveSeat", "box": 1}}
    async with visitor.live() as connection:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(running, "MOST_WAITING", 0)
            await connection.send(json.dumps(message))
            told = await answer_to(connection, "r1")
        assert (told["type"], told["why"]["reason"]) == ("Misheard", "too_fast"), "screens send it again"
        await connection.send(json.dumps(message))
        told = await answer_to(connection, "r1")
        assert (told["type"], told["answer"]["refusal"]["reason"]) == ("Answered", "no_seat")


@in_a_house(settings=SLOWLY, tables=[("auto", "commission", {})])
async def test_s16_a_screen_that_does_not_read_is_dropped_and_delays_nobody(premises: Premises) -> None:
    slow, reader = await premises.visitor("ann"), await premises.visitor("bao", 2)
    fanout = premises.services.fanout
    async with slow.live(max_queue=1) as stuck, reader.live() as quick:
        connection = fanout.listeners(("person", "ann"))[0]
        stuck.transport.pause_reading()
        await quick.send(json.dumps({"type": "Watch", "table": "auto"}))
        while not connection.behind and connection.open:
            connection.tell("." * 65_536)
            await asyncio.sleep(0)
        rounds = 0
        async with asyncio.timeout(15):
            while connection.open:
                rounds += heard(await quick.recv())["type"] == "Public"
        assert rounds > 0
        await until(lambda: not fanout.listeners(("person", "ann")))
        stuck.transport.abort()


def test_the_floor_of_the_work_for_a_password_is_that_of_the_settings() -> None:
    """S1: the fixture is at the floor, and nothing lower can be set."""
    assert (SETTINGS.people.argon2_time, SETTINGS.people.argon2_memory) == (2, 19_456)
    assert (PeopleSettings().argon2_time, PeopleSettings().argon2_memory) == (3, 65_536)
