"""S19 and S20: what happened is on record, nobody forges a line of it, and no secret is in one."""

import asyncio
import json
from typing import Any

from puntobanco.protocol import entries as b
from puntobanco.protocol.posts import Post
from tests.web.house import HERE, PASSWORD, Premises, answer_to, in_a_house

FORGED = '{"event": "SignedIn", "who": "root", "logger": "puntobanco.audit"}'
NASTY = (
    f"x\n{FORGED}", f"x\r\n{FORGED}", f"x\u2028{FORGED}", f"x\u0085{FORGED}", "x\x1b[2J\x1b[1;1H", "x\x00y",
    "\u202egnp.exe", "x\x0b\x0cy", "\ufeffx", f"x\u2029{FORGED}",
)  # fmt: skip


def one_line_each(premises: Premises) -> list[dict[str, Any]]:
    """Every line is one occasion, told in printable letters; none is one that somebody else wrote."""
    text = premises.log.read_text("utf-8")
    assert all(letter == "\n" or letter.isprintable() for letter in text)
    lines = premises.lines()
    assert all({"at", "event", "level", "logger"} <= set(line) for line in lines)
    return lines


def signed_in(lines: list[dict[str, Any]]) -> int:
    return sum(line["event"] == "SignedIn" for line in lines)


@in_a_house()
async def test_s19_no_text_of_anybody_can_forge_a_line_or_an_entry(premises: Premises) -> None:
    root, cal, tom = [await premises.visitor(name, slot) for slot, name in enumerate(("root", "cal", "tom"), 1)]
    before = signed_in(one_line_each(premises))
    stranger = premises.stranger(9)
    for count, nasty in enumerate(NASTY):
        agent = {"User-Agent": "".join(letter for letter in nasty if " " <= letter <= "~" or letter == "\x1b")}
        commands: list[dict[str, Any]] = [
            {"type": "Admit", "person": "new", "title": nasty}, {"type": "Admit", "person": nasty, "title": "New"},
            {"type": "Disable", "person": "zed", "reason": nasty},
            {"type": "AddTable", "table": nasty, "game": "commission"},
            {"type": "AddTable", "table": "new", "game": nasty}, {"type": "AddGame", "content": nasty},
            {"type": "GiveRole", "person": "zed", "post": "player", "scope": nasty},
        ]  # fmt: skip
        for number, command in enumerate(commands):
            answer = await root.post("/office", {"request": f"a{count}-{number}", "command": command}, headers=agent)
            assert 400 <= answer.status_code < 500, answer.text
        adjust = {"type": "AdjustWallet", "person": "ann", "amount": 100, "reason": nasty}
        assert (await cal.post("/office", {"request": f"b{count}", "command": adjust})).status_code == 400
        report = {"type": "Report", "round": 1, "fault": "display", "note": nasty}
        assert (await tom.post(f"/tables/{HERE}/commands", {"request": "x", "command": report})).status_code == 400
        assert (await tom.post(f"/tables/{HERE}/commands", {"request": nasty, "command": report})).status_code == 400
        assert (await tom.post("/waiting/1/decline", {"reason": nasty})).status_code in (400, 404)
        await stranger.post("/sign-in", {"name": nasty, "password": nasty}, headers=agent)
        await stranger.post("/ticket", {"ticket": nasty})
        await root.get("/tables/" + "".join(f"%{byte:02x}" for byte in nasty.encode()))
        await root.post("/people/" + "".join(f"%{byte:02x}" for byte in nasty.encode()) + "/sign-out")
        async with tom.live() as connection:
            for message in (
                {"type": "Do", "table": nasty, "request": "r", "command": {"type": nasty}},
                {"type": "Do", "table": HERE, "request": "r", "command": {"type": "WithdrawShoe", "reason": nasty}},
            ):
                await connection.send(json.dumps(message))
                assert (await answer_to(connection, "r"))["type"] == "Misheard"
            await connection.send(json.dumps({"type": "Watch", "table": nasty}))
            assert (await answer_to(connection, ""))["why"]["reason"] == "unknown_table"
    lines = one_line_each(premises)
    assert signed_in(lines) == before, "nobody signed in"
    for entry in await premises.journal():
        texts = json.loads(b.encode(entry))
        assert all(text.isprintable() for text in _texts(texts)), entry


def _texts(at: Any) -> list[str]:
    if isinstance(at, dict):
        return [text for held in at.values() for text in _texts(held)]
    if isinstance(at, list):
        return [text for held in at for text in _texts(held)]
    return [at] if isinstance(at, str) else []


@in_a_house()
async def test_s19_whatever_is_done_is_in_the_book_and_in_the_audit_with_who_what_when_and_where(
    premises: Premises,
) -> None:
    await premises.services.identity.passwords.set("cal", PASSWORD, staff=True)
    visitor = premises.stranger()
    visitor.took(await visitor.post("/sign-in", {"name": "cal", "password": PASSWORD}))
    deposit = {"type": "Deposit", "person": "ann", "amount": 500_00}
    await visitor.post("/office", {"request": "d1", "command": deposit})
    await visitor.get("/book")
    await visitor.post("/password", {"old": PASSWORD, "new": PASSWORD + " and more"})
    await visitor.post("/sign-out")
    expected = [b.SignedIn, b.Deposited, b.AccessDenied, b.PasswordSet, b.SignedOut]
    for _ in range(3_000):
        if balanced := [entry for entry in await premises.journal() if isinstance(entry, b.CashierBalanced)]:
            break
        await asyncio.sleep(0.01)
    assert [(one.person, one.sums) for one in balanced] == [("cal", {"deposit": 500_00})]
    entries = [entry for entry in await premises.journal() if entry not in balanced][-len(expected) :]
    assert [type(entry) for entry in entries] == expected
    assert all(
        (entry.by.person, entry.by.post, entry.by.address) == ("cal", Post.CASHIER, "127.0.0.1") for entry in entries
    )
    moments = [entry.by.at for entry in entries]
    assert moments == sorted(moments)
    audited = [line for line in premises.lines() if line["logger"] == "puntobanco.audit"]
    audited = [line for line in audited if line["event"] != "CashierBalanced"][-len(expected) :]
    assert [line["event"] for line in audited] == [kind.__name__ for kind in expected]
    assert all((line["who"], line["where"]) == ("cal", "127.0.0.1") and line["at"].endswith("Z") for line in audited)
    assert [line["result"] for line in audited] == ["done", "done", "refused", "done", "done"]


@in_a_house()
async def test_s20_no_password_token_code_or_ticket_is_in_the_log_the_book_or_an_answer(premises: Premises) -> None:
    await premises.services.identity.passwords.set("ann", PASSWORD, staff=True)
    visitor, root = premises.stranger(), await premises.visitor("root", 2)
    wrong, ticket = "a wrong but real password", await premises.services.identity.tickets.issue("bao")
    answers = [await visitor.post("/sign-in", {"name": "ann", "password": wrong, "code": "918273"})]
    signed = await visitor.post("/sign-in", {"name": "ann", "password": PASSWORD})
    visitor.took(signed)
    answers += [signed, await visitor.post("/ticket", {"ticket": ticket}), await visitor.get("/me")]
    answers += [await visitor.post("/password", {"old": wrong, "new": PASSWORD + "!"}), await root.get("/people")]
    given = (await root.post("/people/zed/password")).json()["password"]
    secrets = (PASSWORD, wrong, "918273", ticket, visitor.token, root.token, given)
    answers += [await root.get("/book?most=1000"), await root.get("/health")]
    kept = premises.log.read_text() + "".join(answer.text for answer in answers)
    kept += "".join(b.encode(entry).decode() for entry in await premises.journal())
    figures = await visitor.client.get("/metrics", headers=root.cookie)
    assert figures.status_code == 200
    for secret in secrets:
        assert secret not in kept + figures.text
    assert "argon2" not in kept


@in_a_house()
async def test_s19_a_link_that_is_nobodys_is_audited_and_does_not_fill_the_book(premises: Premises) -> None:
    before = len(await premises.journal())
    assert (await premises.stranger().post("/ticket", {"ticket": "x" * 43})).status_code == 401
    assert len(await premises.journal()) == before
    audited = [line for line in premises.lines() if line["logger"] == "puntobanco.audit"]
    assert (audited[-1]["event"], audited[-1]["where"]) == ("TicketRefused", "127.0.0.1")
