"""Every operation, every office errand and every table command, asked for by everybody (S11): what the declarations
deny is denied and written down, and nothing else is denied."""

import itertools
import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from puntobanco.protocol import entries as b
from puntobanco.protocol.administrative_commands import HEARD_FROM
from puntobanco.protocol.posts import COMMANDS, Post
from puntobanco.table.reading import KINDS
from puntobanco.web.http.operations import ANYONE, OPERATIONS, Operation, operation
from tests.web.floor import until
from tests.web.house import ELSEWHERE, HERE, NAMES, THERE, Premises, Visitor, answer_to, in_a_house

DENIED = {"access_denied", "session_over"}
OWN_PLACE = {"number": "1", "person": "zed", "round": "1", "game": "commission", "shoe": "none"}
COMMAND = {"send": "PlaceBets", "scan": "DrawCard", "chips": "PlaceBets"}
"""Which command an operation at a table leads to."""


def address(one: Operation, table: str) -> str:
    path = one.path.replace("{table}", table)
    for name, value in OWN_PLACE.items():
        path = path.replace("{" + name + "}", value)
    return path


def at_table(one: Operation) -> bool:
    return "{table}" in one.path


def may(one: Operation, post: Post | None, post_here: Post | None, held: frozenset[Post]) -> bool:
    """What the declaration says, worked out apart from the code that obeys it."""
    if one.who is None:
        return True
    if at_table(one):
        allowed = post_here in one.who
        wanted = COMMAND.get(one.name)
        return allowed and (wanted is None or KINDS[wanted] in COMMANDS.get(post_here, frozenset()))  # type: ignore[arg-type]
    if one.who == ANYONE:
        return True
    if one.name == "errand":
        return post is Post.CASHIER  # the example is a deposit, and that is asked of the house
    if one.anywhere:
        return bool(held & one.who)
    return post in one.who


async def asked(visitor: Visitor, one: Operation, table: str) -> tuple[int, str]:
    answer = await visitor.ask(one.method, address(one, table), one.example if one.takes is not None else None)
    problem = answer.headers["content-type"].startswith("application/problem")
    return answer.status_code, str(answer.json()["reason"]) if problem else ""


def ordered() -> Iterator[Operation]:
    """Whoever has signed out is heard no more."""
    yield from sorted((one for one in OPERATIONS if one.who is not None), key=lambda one: one.name == "sign_out")


@in_a_house()
async def test_s11_every_operation_is_for_the_posts_it_names_and_for_nobody_else(premises: Premises) -> None:
    people: list[tuple[str, Post | None, str, Post | None, Post]]
    people = [(name, post, HERE, post, post) for post, name in NAMES.items()]
    people += [(name, None, HERE, None, post) for post, name in THERE.items()]
    people += [(name, None, ELSEWHERE, post, post) for post, name in THERE.items()]
    wrong = []
    for name, post, table, post_here, held in people:
        visitor = await premises.visitor(name)
        for one in ordered():
            status, reason = await asked(visitor, one, table)
            allowed = may(one, post, post_here, frozenset({held}))
            if status >= 500 or (reason in DENIED) == allowed or (reason == "access_denied") != (status == 403):
                wrong.append((one.name, name, table, status, reason, allowed))
    assert not wrong


@in_a_house()
async def test_s11_whoever_is_not_signed_in_gets_only_what_is_for_anyone(premises: Premises) -> None:
    stranger = premises.stranger()
    for one in OPERATIONS:
        status, reason = await asked(stranger, one, HERE)
        assert (reason == "session_over") == (one.who is not None), (one.name, status, reason)
        assert status == 401


@in_a_house()
async def test_s19_every_denial_is_in_the_book_with_who_what_when_and_where(premises: Premises) -> None:
    player = await premises.visitor("ann")
    for one in OPERATIONS:
        if one.who is not None and Post.PLAYER not in one.who:
            before = len(await premises.journal())
            assert (await asked(player, one, HERE))[0] == 403
            entries = (await premises.journal())[before:]
            assert [type(entry) for entry in entries] == [b.AccessDenied], one.name
            by = entries[0].by
            assert (by.person, by.post, by.address) == ("ann", Post.PLAYER, "127.0.0.1")
            assert by.at > 0


def test_an_operation_without_saying_for_whom_cannot_be_declared() -> None:
    with pytest.raises(TypeError):
        operation("GET", "/everything", "All there is")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Operation(method="GET", path="/x", summary="", handler=None)  # type: ignore[call-arg, arg-type]
    assert {one.name for one in OPERATIONS if one.who is None} == {"sign_in", "use_ticket"}


@in_a_house()
async def test_what_is_not_declared_is_not_there(premises: Premises) -> None:
    someone = await premises.visitor("root")
    paths = (
        "/tablez",
        "/tables/here/secrets",
        "/people/ann",
        "/live/x",
        "/tables//commands",
        "/",
        "/me/",
        "//me",
        "/me%0A",
    )
    for path in paths:
        assert (await someone.get(path)).status_code == 404, path
    for slot in ("100", "-1", "x", "٣", "1e1", "01x"):
        assert (await someone.get("/me", slot=slot)).status_code == 404, slot
    methods = {path: {one.method for one in OPERATIONS if one.path == path} for path in {o.path for o in OPERATIONS}}
    for path, there in methods.items():
        one = next(one for one in OPERATIONS if one.path == path)
        for method in {"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"} - there:
            answer = await someone.ask(method, address(one, HERE))
            assert answer.status_code == 405, (method, path)
            assert there <= set(answer.headers["allow"].replace(" ", "").split(","))


# ---- the office --------------------------------------------------------------------------------------------------

ERRANDS: dict[str, dict[str, Any]] = {
    "Admit": {"person": "new-%s", "title": "New"},
    "GiveRole": {"person": "nobody", "post": "player"},
    "TakeRole": {"person": "nobody"},
    "Disable": {"person": "nobody", "reason": "none"},
    "Enable": {"person": "nobody"},
    "AddGame": {"content": "nothing"},
    "AddTable": {"table": "T", "game": "commission"},
    "SetDealing": {"table": "nowhere", "automatic": False},
    "RestartTable": {"table": "nowhere"},
    "RetireTable": {"table": "nowhere"},
    "ReleaseProgram": {"digest": "0" * 64, "reason": "none"},
    "Acknowledge": {"table": "nowhere", "version": 1},
    "Deposit": {"person": "nobody", "amount": 100},
    "Withdraw": {"person": "nobody", "amount": 100},
    "Fill": {"table": "nowhere", "amount": 100},
    "Credit": {"table": "nowhere", "amount": 100},
    "CountFloat": {"table": "nowhere", "counted": 100},
    "CollectDrop": {"table": "nowhere", "counted": 100, "booked": 100},
    "AdjustWallet": {"person": "nobody", "amount": 100, "reason": "none"},
    "AdjustFloat": {"table": "nowhere", "amount": 100, "reason": "none"},
}


@in_a_house()
async def test_s11_every_errand_is_heard_from_the_posts_named_for_it(premises: Premises) -> None:
    assert set(ERRANDS) == {kind.__name__ for kind in HEARD_FROM}
    people = [(name, post) for post, name in NAMES.items()] + [(name, None) for name in THERE.values()]
    for name, post in people:
        visitor = await premises.visitor(name)
        for kind, heard_from in HEARD_FROM.items():
            fields = {
                key: value % name if value == "new-%s" else value for key, value in ERRANDS[kind.__name__].items()
            }
            answer = await visitor.post(
                "/office", {"request": f"{name}-{kind.__name__}", "command": {"type": kind.__name__, **fields}}
            )
            denied = answer.status_code == 403
            assert denied == (post not in heard_from), (name, kind, answer.text)
            assert answer.status_code < 500


@in_a_house()
async def test_s11_a_post_at_one_table_gives_no_power_over_the_house(premises: Premises) -> None:
    """An administrator of one table is none of the house: no password, nobody's wallet, no account, no book."""
    for name in (THERE[Post.ADMINISTRATOR], THERE[Post.SHIFT_MANAGER], THERE[Post.CASHIER], THERE[Post.AUDITOR]):
        visitor = await premises.visitor(name)
        for method, path in (
            ("POST", "/people/root/password"), ("POST", "/people/root/sign-out"), ("GET", "/people"),
            ("GET", "/people/ann/wallet"), ("GET", "/accounts"), ("GET", "/book"), ("GET", "/health"),
        ):  # fmt: skip
            assert (await visitor.ask(method, path)).status_code == 403, (name, path)


# ---- tables, over the live connection ----------------------------------------------------------------------------


def example_of(kind: type) -> dict[str, Any]:
    """Some command of that kind that can be read: what it leads to is the table's affair."""
    given: dict[str, Any] = {"type": kind.__name__}
    for field in msgspec.structs.fields(kind):
        if field.required:
            given[field.name] = _value(field.type, field.name)
    return given


def _value(kind: Any, name: str) -> Any:
    about = msgspec.inspect.type_info(kind)
    if name == "setup":
        return {"game": "commission", "fingerprint": "", "layout": None, "boxes": 0, "decks": 8, "minimum": 1000,
                "differential": 1000}  # fmt: skip
    if name == "source":
        return "keyboard"
    if isinstance(about, msgspec.inspect.EnumType):
        return next(iter(about.cls)).value
    if isinstance(about, msgspec.inspect.StructType):
        return {field.name: _value(field.type, field.name) for field in msgspec.structs.fields(kind) if field.required}
    if isinstance(about, msgspec.inspect.BoolType):
        return False
    if isinstance(about, msgspec.inspect.IntType | msgspec.inspect.Metadata):
        return 999
    if isinstance(about, msgspec.inspect.VarTupleType):
        return []
    return "nobody"


@in_a_house()
async def test_s11_every_command_is_heard_live_from_the_posts_named_for_it_and_each_denial_is_written(
    premises: Premises,
) -> None:
    here = [(name, post, HERE) for post, name in NAMES.items()]
    there = [(name, None, HERE) for name in THERE.values()] + [(name, post, ELSEWHERE) for post, name in THERE.items()]
    denied, count = 0, itertools.count()
    before = len([entry for entry in await premises.journal() if isinstance(entry, b.AccessDenied)])
    for name, post, table in here + there:
        visitor = await premises.visitor(name)
        async with visitor.live() as connection:
            for kind in KINDS.values():
                request = f"r{next(count)}"
                await connection.send(
                    json.dumps({"type": "Do", "table": table, "request": request, "command": example_of(kind)})
                )
                told = await answer_to(connection, request)
                assert told["type"] == "Answered", (kind, told)
                refusal = told["answer"].get("refusal", {}).get("reason")
                heard = post is not None and kind in COMMANDS.get(post, frozenset())
                assert (refusal == "access_denied") == (not heard), (name, table, kind, told)
                assert refusal != "failed"
                denied += not heard
    entries = [entry for entry in await premises.journal() if isinstance(entry, b.AccessDenied)]
    together = sum(one.times for one in premises.services.house._denials.over())  # beyond so many kinds
    assert len(entries) - before + together == denied


@in_a_house()
async def test_s11_nobody_watches_a_table_they_have_no_post_at_not_even_as_a_board(premises: Premises) -> None:
    visitor = await premises.visitor(THERE[Post.PLAYER])
    async with visitor.live() as connection:
        for board in (False, True):
            before = len(await premises.journal())
            await connection.send(json.dumps({"type": "Watch", "table": HERE, "board": board}))
            told = await answer_to(connection, "")
            assert (told["why"]["reason"], told["table"]) == ("access_denied", HERE)
            written = [entry.what for entry in (await premises.journal())[before:] if isinstance(entry, b.AccessDenied)]
            assert written == ([] if board else [f"watch {HERE}"]), "the same within a minute is written once"
        await connection.send(json.dumps({"type": "Watch", "table": ELSEWHERE}))
        assert json.loads(await connection.recv())["type"] == "Whole"


# ---- the shoe of a table that deals by itself --------------------------------------------------------------------


@in_a_house(tables=[("auto", "commission", {})])
async def test_s12_nobody_loads_or_deals_an_electronic_shoe_but_the_house(premises: Premises) -> None:
    """Whoever could load a shoe by the name of another could have its order shown while that is still dealt. A device
    brings cards and is not heard with a shoe at all."""
    await until(lambda: premises.services.house.tables["auto"].state.shoe is not None)
    for post in (Post.DEALER, Post.PIT_SUPERVISOR, Post.PIT_MANAGER, Post.SHIFT_MANAGER, Post.DEVICE):
        visitor = await premises.visitor(NAMES[post])
        found = (await visitor.get("/tables/auto/shoe")).json()
        load = {"type": "LoadShoe", "decks": 8, "shuffled": True, "reason": "because"}
        tries = [
            (HERE, load | {"shoe": found["shoe"], "source": "electronic", "commitment": found["commitment"]}),
            (HERE, load | {"shoe": found["shoe"], "source": "keyboard"}),
            (HERE, load | {"shoe": "mine", "source": "electronic", "commitment": "00"}),
            ("auto", load | {"shoe": "mine", "source": "keyboard"}),
            ("auto", example_of(KINDS["DrawCard"])),
            ("auto", example_of(KINDS["ExposeCard"])),
            ("auto", example_of(KINDS["CorrectCard"])),
        ]
        for number, (table, command) in enumerate(tries):
            answer = await visitor.post(
                f"/tables/{table}/commands", {"request": f"{post}-{number}", "command": command}
            )
            heard = KINDS[str(command["type"])] in COMMANDS[post]
            expected = "deals_itself" if heard else "access_denied"
            assert answer.json().get("reason") == expected, (post, command, answer.text)
        assert (await visitor.get(f"/tables/{HERE}/shoe")).json()["reason"] == "no_shoe"
