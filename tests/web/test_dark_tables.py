"""What a screen shows when its table has failed or is gone: nothing, and no longer what was."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Set

from tests.web.house import HERE, PATIENCE, Premises, heard, in_a_house


@in_a_house()
async def test_every_screen_of_a_table_that_fails_goes_dark_once_and_lights_up_with_it(premises: Premises) -> None:
    house, ann, dora = premises.services.house, await premises.visitor("ann"), await premises.visitor("dora", 2)
    async with ann.live() as player, dora.live() as dealer:
        for screen in (player, dealer):
            await screen.send(json.dumps({"type": "Watch", "table": HERE}))
            assert heard(await screen.recv())["public"]
        await house.store.claim(HERE)  # somebody else owns it: the next thing that is written fails
        load = {"type": "LoadShoe", "shoe": "s", "decks": 8, "shuffled": True, "source": "keyboard"}
        for nth in range(3):
            answer = await dora.post(f"/tables/{HERE}/commands", {"request": f"l{nth}", "command": load})
            assert answer.json()["reason"] == "table_stopped"
        for screen in (player, dealer):
            async with asyncio.timeout(PATIENCE):
                told = heard(await screen.recv())
            assert (told["type"], told["view"], told["stopped"]) == ("Public", None, True)
        again = {"request": "again", "command": {"type": "RestartTable", "table": HERE}}
        assert (await (await premises.visitor("max", 3)).post("/office", again)).status_code == 200
        for screen in (player, dealer):
            async with asyncio.timeout(PATIENCE):
                told = heard(await screen.recv())
            assert told["view"]["phase"] == "idle", "it was told once, and then the table was there again"
        answer = await dora.post(f"/tables/{HERE}/commands", {"request": "l3", "command": load})
        assert answer.status_code == 200, answer.text


@in_a_house()
async def test_a_table_that_is_retired_goes_dark(premises: Premises) -> None:
    tom, root = await premises.visitor("tom"), await premises.visitor("root", 2)
    async with tom.live() as screen:
        await screen.send(json.dumps({"type": "Watch", "table": HERE}))
        assert heard(await screen.recv())["public"]
        closed = await tom.post(
            f"/tables/{HERE}/commands",
            {"request": "c", "command": {"type": "CloseTable", "cause": "repair", "reason": "torn"}},
        )
        assert closed.status_code == 200, closed.text
        retire = {"request": "r", "command": {"type": "RetireTable", "table": HERE}}
        assert (await root.post("/office", retire)).status_code == 200
        async with asyncio.timeout(PATIENCE):
            while (told := heard(await screen.recv()))["view"] is not None:
                pass
        assert "stopped" not in told, "it is gone, and has not failed"
        services = premises.services
        for part in (
            services.publisher,
            services.house,
            services.house.queued,
            services.odds_service,
            services.appraisal,
        ):
            assert list(kept_of(part, HERE)) == [], type(part).__name__
        assert (await tom.get(f"/rounds?table={HERE}")).status_code == 200, "its rounds can still be read"


@in_a_house()
async def test_a_table_that_is_retired_while_a_screen_asks_for_it_is_refused(premises: Premises) -> None:
    tom, root = await premises.visitor("tom"), await premises.visitor("root", 2)
    close = {"request": "c", "command": {"type": "CloseTable", "cause": "repair", "reason": "torn"}}
    assert (await tom.post(f"/tables/{HERE}/commands", close)).status_code == 200
    history = await premises.services.publisher.history(HERE)
    async with tom.live() as screen:
        async with history._turn:  # as if it took long to read
            await screen.send(json.dumps({"type": "Watch", "table": HERE}))
            await asyncio.sleep(0.2)
            retire = {"request": "r", "command": {"type": "RetireTable", "table": HERE}}
            assert (await root.post("/office", retire)).status_code == 200
        assert heard(await screen.recv())["why"]["reason"] == "unknown_table"


def kept_of(part: object, table: str) -> Iterator[str]:
    """The fields in which something is kept under the name of a table."""
    for name, held in vars(part).items():
        keys = [key if isinstance(key, tuple) else (key,) for key in held] if isinstance(held, Mapping | Set) else []
        if any(table in key for key in keys):
            yield name


@in_a_house()
async def test_a_screen_may_ask_for_a_heartbeat(premises: Premises) -> None:
    ann = await premises.visitor("ann")
    async with ann.live() as screen, asyncio.timeout(PATIENCE):
        clock = premises.services.house.clock
        before = clock()
        await screen.send(json.dumps({"type": "Probe"}))
        told = heard(await screen.recv())
        assert told["type"] == "Beat"
        assert before <= told["at"] <= clock()
