"""Whatever arrives that is not what it should be is refused by name, and changes nothing (S15)."""

import asyncio
import json
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from puntobanco.protocol.administrative_commands import HEARD_FROM
from puntobanco.protocol.posts import Post
from puntobanco.rules.refusal import Refused
from puntobanco.table.reading import KINDS
from puntobanco.web.http.operations import DEEPEST, OPERATIONS, Operation, read_json
from tests.web.house import HERE, NAMES, Premises, Visitor, answer_to, heard, in_a_house
from tests.web.nasty import WHOLES, bodies, mutations, written
from tests.web.test_rights import ERRANDS, address, example_of

ATTEMPTS = frozenset({"SignInRefused", "AccessDenied"})
BODIES = [one for one in OPERATIONS if one.takes is not None]
QUESTIONS: dict[str, tuple[tuple[str, ...], ...]] = {"odds": (("layout",), ("shoe",))}
"""What a question may leave out: with nothing in that place it is another question, and is answered."""
SENDERS = {"errand": Post.CASHIER, "send": Post.PLAYER, "change_password": Post.PLAYER}


async def sender(premises: Premises, one: Operation) -> Visitor:
    """Somebody whose right to it is beyond doubt."""
    if one.who is None:
        return premises.stranger()
    return await premises.visitor(NAMES[SENDERS.get(one.name, Post.SHIFT_MANAGER)])


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"a":1}',
        '[{"b":{"a":1,"a":2}}]',
        '{"a":1,"\\u0061":1}',
        '{"a":9007199254740992}',
        "[-9007199254740992]",
        '{"a":1,"b":[12345678901234567890]}',
        "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1),
        '{"a":1}x',
        '{"a":NaN}',
        '{"a":1e400}',
        '{"a":"\\ud800"}',
        '{"\\ud800":1}',
        "",
    ],
)
def test_s15_compact_text_is_read_as_strictly_as_any_other(text: str) -> None:
    with pytest.raises(Refused):
        read_json(text)
    read_json('{"a":9007199254740991,"b":{"a":-1},"c":[0.5,"0000000000000000000",null]}')
    read_json("[" * DEEPEST + "]" * DEEPEST)


@in_a_house()
async def test_s15_a_body_that_is_not_what_it_should_be_is_refused_by_name_and_changes_nothing(
    premises: Premises,
) -> None:
    for one in BODIES:
        visitor = await sender(premises, one)
        before = await premises.standing(but=ATTEMPTS)
        answered = {written(one.example, place, b"null") for place in QUESTIONS.get(one.name, ())}
        for body in bodies(one.example):
            answer = await visitor.ask(
                one.method, address(one, HERE), body, headers={"Content-Type": "application/json"}
            )
            if body in answered:
                assert answer.status_code == 200, (one.name, body, answer.text)
                continue
            assert 400 <= answer.status_code < 500, (one.name, body[:200], answer.status_code, answer.text)
            problem = answer.json()
            assert problem["reason"], body[:200]
            assert problem["detail"]
            assert problem["status"] == answer.status_code
        assert await premises.standing(but=ATTEMPTS) == before, one.name


@in_a_house()
async def test_s15_an_errand_that_is_not_what_it_should_be_changes_nothing(premises: Premises) -> None:
    visitors = {name: await premises.visitor(NAMES[name]) for name in set().union(*HEARD_FROM.values())}
    before = await premises.standing(but=ATTEMPTS)
    for kind, posts in HEARD_FROM.items():
        visitor = visitors[min(posts)]
        example = {"request": "x", "command": {"type": kind.__name__, **ERRANDS[kind.__name__]}}
        for body in mutations(example):
            answer = await visitor.post("/office", body, headers={"Content-Type": "application/json"})
            assert 400 <= answer.status_code < 500, (body[:200], answer.text)
            assert answer.json()["reason"]
    assert await premises.standing(but=ATTEMPTS) == before


@in_a_house()
async def test_s15_a_body_too_large_is_refused_before_it_is_read(premises: Premises) -> None:
    visitor = await premises.visitor(NAMES[Post.CASHIER])
    before = await premises.standing()
    huge = json.dumps({"request": "x", "command": {"type": "Deposit", "person": "a" * 2_000_000, "amount": 1}}).encode()
    answer = await visitor.post("/office", huge, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert answer.json()["reason"]

    long_name = json.dumps({"name": "a" * 65_536, "password": "a"}).encode()
    stranger = premises.stranger()
    assert (await stranger.post("/sign-in", long_name, headers={"Content-Type": "application/json"})).status_code == 413

    async def in_pieces() -> Any:
        for _ in range(64):
            yield b" " * 65_536

    answer = await visitor.ask("POST", "/office", headers={"Content-Type": "application/json"}, content=in_pieces())
    assert answer.status_code == 413
    assert (await visitor.get("/me")).status_code == 200
    assert await premises.standing() == before


@in_a_house()
async def test_s15_what_is_put_together_from_thousands_of_parts_is_not_read(premises: Premises) -> None:
    """A few kilobytes of brackets would keep every table waiting while they are read and looked through."""
    visitor, player = await premises.visitor(NAMES[Post.CASHIER]), await premises.visitor("ann")
    before = await premises.standing()
    for part in (b"[]", b"{}", b"1", b"1e9", b'""'):
        many = b"[" + b",".join([part] * 10_000) + b"]"
        answer = await visitor.post("/office", many, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400
        assert "too many parts" in answer.json()["detail"]
        async with player.live() as line:
            await line.send(f'{{"type":"Do","table":"{HERE}","request":"x","command":{many.decode()}}}')
            assert "too many parts" in heard(await line.recv())["why"]["sentence"]
    assert await premises.standing() == before


@in_a_house()
async def test_s15_numbers_in_addresses_and_queries_are_plain_digits(premises: Premises) -> None:
    auditor, manager = await premises.visitor("ada"), await premises.visitor("tom")
    for figure in ("1.0", "1e2", "１２", "٣", "%D9%A3", "0x1", " 1", "+1", "1_0", "NaN", "-0.0", "9" * 30, "", "1%00"):
        for path in (f"/book?after={figure}", f"/book?most={figure}", f"/tables/{HERE}/rounds?before={figure}"):
            assert (await auditor.get(path)).status_code == 400, path
        if figure:
            assert (await auditor.get(f"/tables/{HERE}/rounds/{figure}")).status_code == 404, figure
            assert (await manager.post(f"/waiting/{figure}/confirm")).status_code == 404, figure
    for query in ("most=1&most=2", "before=1&before=1", "other=1", "most=0", "most=-1", "most=201"):
        assert (await auditor.get(f"/tables/{HERE}/rounds?{query}")).status_code == 400, query
    for path in ("/people/%FF/wallet", "/people/%ED%A0%80/wallet", "/people/..%2F..%2Fetc/wallet", "/games/%00"):
        assert (await auditor.get(path)).status_code == 404, path


@in_a_house()
async def test_s15_a_word_that_is_not_among_those_a_command_knows_is_refused_with_those_it_does(
    premises: Premises,
) -> None:
    manager = await premises.visitor("tom")
    setup = {
        "game": "commission",
        "fingerprint": "",
        "layout": None,
        "boxes": 0,
        "decks": 8,
        "minimum": 1,
        "differential": 1,
    }
    wrong = [
        {"type": "ChangeSetup", "setup": {**setup, "policy": {"interruption_finding": "perhaps"}}},
        {"type": "LoadShoe", "shoe": "x", "decks": 8, "shuffled": True, "source": "pocket"},
        {"type": "Rule", "question": 1, "choice": "maybe"},
        {"type": "Report", "round": 1, "fault": "display", "lies": {"1": "table"}},
    ]
    for command in wrong:
        answer = await manager.post(f"/tables/{HERE}/commands", {"request": "x", "command": command})
        assert (answer.status_code, answer.json()["reason"]) == (400, "field_choice"), answer.text
        assert answer.json()["parameters"]["known"]


@in_a_house()
async def test_s15_only_json_is_read(premises: Premises) -> None:
    visitor = await premises.visitor(NAMES[Post.CASHIER])
    body = json.dumps({"request": "x", "command": {"type": "Deposit", "person": "ann", "amount": 1}}).encode()
    before = await premises.standing()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "json"):
        answer = await visitor.post("/office", body, headers={"Content-Type": kind})
        assert answer.status_code == 415, kind
    assert await premises.standing() == before


# ---- the live connection -----------------------------------------------------------------------------------------


@in_a_house()
async def test_s15_a_live_message_that_is_not_what_it_should_be_is_misheard_and_changes_nothing(
    premises: Premises,
) -> None:
    visitor = await premises.visitor("tom")
    before = await premises.standing()
    sent = [one for one in WHOLES if len(one) < 60_000]
    for example in (
        {"type": "Watch", "table": HERE, "version": 1}, {"type": "Leave", "table": HERE},
        {"type": "Do", "table": HERE, "request": "x", "command": {"type": "Settle", "round": 1}}, {"type": "Here"},
    ):  # fmt: skip
        sent += mutations(example)
    for kind in KINDS.values():
        sent += mutations({"type": "Do", "table": HERE, "request": "x", "command": example_of(kind)})
    async with visitor.live() as connection:
        for body in sent:
            try:
                text = body.decode()
            except UnicodeDecodeError:
                continue
            await connection.send(text)
            while (told := heard(await connection.recv()))["type"] == "Beat":
                continue
            assert told["type"] in ("Misheard", "Answered"), (text[:300], told)
            why = told["why"] if told["type"] == "Misheard" else told["answer"]["refusal"]
            assert why["reason"] not in ("failed", ""), (text[:300], told)
        await connection.send(json.dumps({"type": "Watch", "table": HERE}))
        assert heard(await connection.recv())["type"] == "Whole"
    assert await premises.standing() == before


@in_a_house()
async def test_s15_what_is_no_message_at_all_closes_the_connection_and_no_other(premises: Premises) -> None:
    visitor = await premises.visitor("ann")
    async with visitor.live() as bystander:
        for frame, code in ((b"\x00\x01", 1003), ("x" * 70_000, 1009)):
            async with visitor.live() as connection:
                await connection.send(frame)
                with pytest.raises(ConnectionClosed):
                    async with asyncio.timeout(10):
                        await connection.recv()
                assert connection.close_code == code
        async with visitor.live() as connection:
            connection.transport.write(b"\x81\x82\x00\x00\x00\x00\xff\xfe")  # text that is no UTF-8
            with pytest.raises(ConnectionClosed):
                async with asyncio.timeout(10):
                    await connection.recv()
            assert connection.close_code == 1007
        await bystander.send(json.dumps({"type": "Do", "table": HERE, "request": "b", "command": {"type": "Nothing"}}))
        assert (await answer_to(bystander, "b"))["why"]["reason"] == "unknown_command"
