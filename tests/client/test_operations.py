"""Every operation of the API, called by name at a running house."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, get_type_hints

import httpx
import pytest

from puntobanco.client import Client, Refused
from puntobanco.house.identity.totp import STEP, totp
from puntobanco.protocol.administrative_commands import Admit, Deposit, Disable, RestartTable
from puntobanco.protocol.posts import Post
from puntobanco.protocol.sign_in import Enrolled
from puntobanco.protocol.tables import Chip
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table.setup import Source
from puntobanco.web import routes
from puntobanco.web.http.operations import OPERATIONS, Operation
from tests.client.house import Open, in_house

assert routes.PARTS, "the operations are declared by the parts of the application"


@pytest.mark.parametrize("one", OPERATIONS, ids=lambda one: one.name)
def test_each_operation_is_a_call_by_its_name_that_gives_what_is_declared(one: Operation) -> None:
    call = getattr(Client, one.name)
    assert get_type_hints(call)["return"] == (type(None) if one.gives is None else one.gives)


@in_house(staff_second_factor=False)
async def test_each_call_reaches_the_operation_of_its_name(house: Open) -> None:
    asked: list[tuple[str, str]] = []

    async def noted(request: httpx.Request) -> None:
        asked.append((request.method, request.url.path))

    root = await house.client("root")
    root.http.event_hooks = {"request": [noted]}
    calls: dict[str, Callable[[], Awaitable[Any]]] = {
        "errand": lambda: root.errand(Admit(person="eve", title="Eve")),
        "waiting": root.waiting,
        "confirm": lambda: root.confirm(7),
        "decline": lambda: root.decline(7, "no"),
        "people": root.people,
        "give_password": lambda: root.give_password("ann"),
        "force_out": lambda: root.force_out("ann"),
        "journal": root.journal,
        "games": root.games,
        "game": lambda: root.game("wu-song"),
        "own_wallet": root.own_wallet,
        "players_wallet": lambda: root.players_wallet("ann"),
        "accounts": lambda: root.accounts(begins="wallet:"),
        "me": root.me,
        "change_password": lambda: root.change_password("what it was", "what it shall be"),
        "tables": root.tables,
        "table": lambda: root.table("wu-song-1"),
        "send": lambda: root.send("wu-song-1", c.OpenBetting()),
        "scan": lambda: root.scan("wu-song-1", "9S"),
        "chips": lambda: root.chips("wu-song-1", (Chip(box=1, bet="player", amount=1000),)),
        "rounds": lambda: root.rounds("wu-song-1", before=9),
        "round": lambda: root.round("wu-song-1", 1),
        "shoe": lambda: root.shoe("wu-song-1"),
        "earlier_shoe": lambda: root.earlier_shoe("wu-song-1", "an earlier"),
        "health": root.health,
        "sessions_of": lambda: root.sessions_of("ann"),
        "find_rounds": lambda: root.find_rounds(table="wu-song-1", person="ann"),
        "round_steps": lambda: root.round_steps("wu-song-1", 1),
        "export_round": lambda: root.export_round("wu-song-1", 1),
        "alerts": root.alerts,
        "edges": lambda: root.edges("wu-song", layout="Z"),
        "odds": lambda: root.odds(content=""),
        "worth": lambda: root.worth("wu-song-1"),
        "shoe_now": lambda: root.shoe_now("wu-song-1"),
        "takings": lambda: root.takings("wu-song-1"),
        "simulate": lambda: root.simulate(0),
        "simulated": lambda: root.simulated(7),
        "stop": lambda: root.stop(7),
        "game_source": lambda: root.game_source("wu-song"),
        "faults": lambda: root.faults("wu-song-1"),
        "foresee": lambda: root.foresee("wu-song-1", c.Report(round=1, fault=c.Fault.TECHNICAL)),
        "consequence": lambda: root.consequence(7),
        "queue": lambda: root.queue("wu-song-1", c.CloseTable()),
        "titles": lambda: root.titles(people="ann,gone"),
        "queued": lambda: root.queued("wu-song-1"),
        "unqueue": lambda: root.unqueue("wu-song-1", 7),
        "floats": root.floats,
        "tills": root.tills,
        "set_proof": lambda: root.set_proof(pin="2580"),
        "give_proof": lambda: root.give_proof("ann", pin="2580"),
        "sign_in": lambda: root.sign_in("root", "not the password"),
        "use_ticket": lambda: root.use_ticket("none"),
        "sign_out": root.sign_out,
    }
    async with root:
        assert calls.keys() == {one.name for one in OPERATIONS}, "each operation is called here"
        last = ("sign_in", "use_ticket", "sign_out")
        for one in sorted(OPERATIONS, key=lambda one: one.name in last and last.index(one.name) + 1):
            asked.clear()
            with suppress(Refused):
                await calls[one.name]()
            [(method, path)] = asked
            assert method == one.method
            wanted, found = one.path.split("/"), path.removeprefix("/u/0/api").split("/")
            assert len(found) == len(wanted), path
            assert all(part == here or part.startswith("{") for part, here in zip(wanted, found, strict=True)), path


@in_house(staff_second_factor=False)
async def test_a_refusal_has_its_reason_its_paragraph_and_its_sentence(house: Open) -> None:
    async with await house.client("ann") as ann:
        await ann.send("wu-song-1", c.BuyIn(person="ann", amount=100_00))
        round = (await ann.table("wu-song-1")).public
        assert round is not None
        slip = c.PlaceBets(round=round.round, lines=(c.Line(bet="player", amount=1000_00, box=1),))
        with pytest.raises(Refused) as refused:
            await ann.send("wu-song-1", slip)
        assert refused.value.reason is Reason.NOT_ENOUGH_MONEY
        assert "100" in str(refused.value)
        ann.language = "zh"
        with pytest.raises(Refused) as said:
            await ann.send("wu-song-1", slip)
        assert said.value.sentence != refused.value.sentence
        with pytest.raises(Refused) as early:
            await ann.send("baccarat-1", c.CloseBetting(round=1))
        assert early.value.reason is Reason.ACCESS_DENIED


@in_house(staff_second_factor=True)
async def test_a_one_time_password_is_changed_and_a_second_factor_set_up_on_the_way_in(house: Open) -> None:
    password = await house.services.identity.passwords.issue("cal")
    secrets: list[str] = []

    async def codes(enrolled: Enrolled | None) -> str:
        from base64 import b32decode

        if enrolled is not None:
            secrets.append(enrolled.secret)
        step = house.services.house.clock() // STEP
        return totp(b32decode(secrets[0]), step if enrolled else step + 1)

    async with Client(house.line.url) as cal:
        with pytest.raises(Refused, match=r".") as unchanged:
            await cal.enter("cal", password)
        assert unchanged.value.reason is Reason.PASSWORD_MUST_CHANGE
        me = await cal.enter("cal", password, new_password="seven quiet herons at noon", codes=codes)
        assert me.roles == {"*": Post.CASHIER}
        answer = await cal.errand(Deposit(person="ann", amount=5_00))
        assert answer.version
        assert (await cal.players_wallet("ann")).held == 10_005_00
        await cal.sign_out()
        with pytest.raises(Refused) as needed:
            await cal.enter("cal", "seven quiet herons at noon")
        assert needed.value.reason is Reason.SECOND_FACTOR_NEEDED
        assert (await cal.enter("cal", "seven quiet herons at noon", codes=codes)).person == "cal"


@in_house(staff_second_factor=False)
async def test_a_request_sent_twice_happens_once(house: Open) -> None:
    async with await house.client("cal") as cal, await house.client("root", 1) as root:
        first = await cal.errand(Deposit(person="bao", amount=5_00), "dep-1")
        assert await cal.errand(Deposit(person="bao", amount=5_00), "dep-1") == first
        assert (await cal.players_wallet("bao")).held == 10_005_00
        await root.errand(Disable(person="cal", reason="left the house"))
        with pytest.raises(Refused) as over:
            await cal.me()
        assert over.value.reason is Reason.SESSION_OVER


@in_house(staff_second_factor=False)
async def test_a_table_that_has_failed_is_started_again(house: Open) -> None:
    table = next(name for name, entry in house.services.house.journal.tables.items() if not entry.automatic)
    load = c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD)
    async with await house.client("root") as root, await house.client("dora", 1) as dora:
        with pytest.raises(Refused) as runs:
            await root.errand(RestartTable(table=table))
        assert runs.value.reason is Reason.TABLE_RUNS
        await house.services.house.store.claim(table)
        with pytest.raises(Refused) as stopped:
            await dora.send(table, load)
        assert stopped.value.reason is Reason.TABLE_STOPPED
        assert set((await root.health()).failed) == {table}
        await root.errand(RestartTable(table=table))
        assert (await root.health()).failed == {}
        assert (await dora.send(table, load)).version
