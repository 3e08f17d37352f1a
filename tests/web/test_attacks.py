"""What an attacker would try beside rights and bad input: to take the house's time, or more than was given."""

import asyncio
import socket

import pytest

from puntobanco.odds import server as mathematician
from puntobanco.protocol import entries as b
from puntobanco.rules import library
from puntobanco.web.server import uvicorn_protocols
from tests.web.house import HERE, PATIENCE, Premises, in_a_house

DEEP = "a." * 100_000 + "b = 1"
"""Reading it takes the square of its length: days."""


async def raw(premises: Premises, request: bytes) -> bytes:
    host, _, port = premises.url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(request)
        async with asyncio.timeout(PATIENCE):
            return await reader.read(100)
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


@in_a_house()
async def test_a_host_nobody_can_read_is_refused_and_no_fault(premises: Premises) -> None:
    for host in (b"[", b"[::", b"[x]"):
        asked = b"GET /health/live HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n"
        assert (await raw(premises, asked)).startswith(b"HTTP/1.1 421")


@in_a_house()
async def test_a_number_longer_than_any_is_of_nothing(premises: Premises) -> None:
    tom = await premises.visitor("tom")
    for number in ("9" * 5_000, "\u0663", "-1"):
        assert (await tom.get(f"/simulations/{number}")).status_code == 404
        assert (await tom.post(f"/simulations/{number}/stop")).status_code == 404
        assert (await tom.get(f"/tables/{HERE}/rounds/{number}/export")).status_code == 404


@in_a_house()
async def test_rounds_are_found_by_table_and_player_and_edges_by_layout(premises: Premises) -> None:
    tom = await premises.visitor("tom")
    for query in (f"table={HERE}", "person=ann", f"table={HERE}&person=ann&least=100"):
        answer = await tom.get(f"/rounds?{query}")
        assert answer.status_code == 200, answer.text
    assert (await tom.get("/rounds?table=nowhere")).status_code == 404
    assert (await tom.get("/rounds?least=much")).status_code == 400


@in_a_house()
async def test_a_game_file_that_is_hard_to_read_takes_nobody_s_time(premises: Premises) -> None:
    ann, root = await premises.visitor("ann"), await premises.visitor("root", 2)
    asking = asyncio.create_task(ann.post("/odds", {"content": DEEP}))
    add = {"request": "g1", "command": {"type": "AddGame", "content": DEEP}}
    async with asyncio.timeout(PATIENCE):
        assert (await root.post("/office", add)).json()["reason"] == "file_malformed"
        assert (await asking).json()["reason"] == "file_malformed"


def test_a_file_of_anybody_is_read_at_the_mathematician_s_desk() -> None:
    game = library.game("commission")
    kept = mathematician.OddsQuestion(id=1, do="price", content=game.canonical().decode())
    sent = mathematician.OddsQuestion(id=1, do="price", text=_written("commission"))
    assert mathematician.answer(kept, lambda _: None) == mathematician.answer(sent, lambda _: None)


def _written(key: str) -> str:
    return (library._HERE / "games" / f"{key}.toml").read_text("utf-8")


def test_a_request_that_never_ends_is_ended_and_a_whole_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uvicorn_protocols, "WHOLE", 0.2)

    @in_a_house()
    async def test(premises: Premises) -> None:
        host = premises.url.removeprefix("http://").encode()
        for beginning in (
            b"",
            b"GET /health/live HTTP/1.1\r\nHost: " + host + b"\r\nX-A: ",
            b"POST /u/1/api/sign-in HTTP/1.1\r\nHost: " + host + b"\r\nX-Puntobanco: 1\r\nContent-Length: 900\r\n\r\n{",
        ):
            assert await raw(premises, beginning) == b""
        ann = await premises.visitor("ann")
        async with ann.live() as connection:
            await asyncio.sleep(0.5)
            await connection.send('{"type": "Watch", "table": "here"}')
            assert '"Whole"' in str(await connection.recv())
            assert (await ann.get("/me")).status_code == 200

    test()


def test_an_answer_that_nobody_takes_is_held_for_a_while_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uvicorn_protocols, "TAKEN", 0.2)

    @in_a_house()
    async def test(premises: Premises) -> None:
        host = premises.url.removeprefix("http://")
        asked = f"GET /openapi.json HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
        silent = socket.socket()
        silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        silent.setblocking(False)
        address, _, port = host.partition(":")
        await asyncio.get_running_loop().sock_connect(silent, (address, int(port)))
        _, writer = await asyncio.open_connection(sock=silent, limit=1024)
        writer.write(asked * 50)

        async def ask_on() -> None:
            async with asyncio.timeout(PATIENCE):
                while True:
                    writer.write(asked)
                    await writer.drain()
                    await asyncio.sleep(0.05)

        with pytest.raises(ConnectionError):
            await ask_on()
        writer.transport.abort()
        await asyncio.sleep(0)

    test()


# ---- more than was given -----------------------------------------------------------------------------------------


@in_a_house()
async def test_a_players_session_is_over_when_its_person_becomes_staff(premises: Premises) -> None:
    root, bao, chen = [await premises.visitor(name, slot) for slot, name in enumerate(("root", "bao", "chen"))]
    for nth, (person, post) in enumerate((("bao", "shift_manager"), ("chen", "board"))):
        role = {"type": "GiveRole", "person": person, "post": post}
        assert (await root.post("/office", {"request": f"g{nth}", "command": role})).status_code == 200
    assert (await bao.get("/people")).status_code == 401
    assert (await chen.get("/me")).status_code == 200, "still of the same kind"


@in_a_house()
async def test_nobody_of_the_floor_sends_away_who_oversees_it(premises: Premises) -> None:
    tom, root, ada = [await premises.visitor(name, slot) for slot, name in enumerate(("tom", "root", "ada"))]
    for overseer in (root, ada):
        assert (await tom.post(f"/people/{overseer.name}/sign-out")).status_code == 403
        assert (await overseer.get("/me")).status_code == 200
    assert b.AccessDenied in {type(entry) for entry in await premises.journal()}
    assert (await root.post(f"/people/{ada.name}/sign-out")).status_code == 200
    assert (await ada.get("/me")).status_code == 401


@in_a_house()
async def test_a_link_is_worth_nothing_once_its_person_was_given_a_password(premises: Premises) -> None:
    root, link = await premises.visitor("root"), await premises.services.identity.tickets.issue("ann")
    assert (await root.post("/people/ann/password")).status_code == 200
    assert (await premises.stranger(2).post("/ticket", {"ticket": link})).status_code in (401, 403)
