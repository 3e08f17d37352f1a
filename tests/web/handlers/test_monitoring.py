"""Who reads the figures of a house: never somebody only because of where they seem to call from."""

from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop
from msgspec.structs import replace

from puntobanco.house.operations.settings import MetricsSettings
from puntobanco.web.live.connection import TOO_SLOW
from tests.web.floor import closing, until
from tests.web.house import SETTINGS, Premises, in_a_house, open_house

TOKEN = "0123456789abcdef" * 2


@in_a_house()
async def test_a_caller_on_this_machine_may_be_anybody_behind_a_proxy_and_reads_no_figures(premises: Premises) -> None:
    stranger, port = premises.stranger().client, premises.url.rpartition(":")[2]
    for headers in ({}, {"Host": f"127.0.0.1:{port}"}, {"Host": "localhost"}, {"Authorization": "Bearer"}):
        answer = await stranger.get("/metrics", headers=headers)
        assert (answer.status_code, answer.content) == (404, b""), headers
    assert (await stranger.get("/health/ready", headers={"Host": "127.0.0.1"})).status_code == 200


@in_a_house()
async def test_administrators_read_the_figures_and_nobody_else_does(premises: Premises) -> None:
    for name, status in {"root": 200, "ann": 404, "tom": 404, "ada": 404, "root-there": 404}.items():
        visitor = await premises.visitor(name)
        assert (await visitor.client.get("/metrics", headers=visitor.cookie)).status_code == status, name


@in_a_house()
async def test_a_house_whose_database_is_lost_is_not_ready_and_says_so(premises: Premises) -> None:
    root = await premises.visitor("root")

    async def told() -> tuple[int, bool]:
        ready = await root.client.get("/health/ready")
        figures = await root.client.get("/metrics", headers=root.cookie)
        return ready.status_code, "puntobanco_store_failed 1.0" in figures.text

    assert await told() == (200, False)
    premises.services.house.store.lost = True
    assert await told() == (503, True)
    premises.services.house.store.lost = False
    assert await told() == (200, False)


def test_whoever_has_the_token_reads_the_figures_until_it_is_exchanged() -> None:
    async def test(file: Path) -> None:
        async with open_house(replace(SETTINGS, metrics=MetricsSettings(token_file=str(file)))) as premises:

            async def status(authorization: str) -> int:
                asked = premises.stranger().client.get("/metrics", headers={"Authorization": authorization})
                return (await asked).status_code

            assert await status(f"Bearer {TOKEN}") == await status(f"bearer {TOKEN}") == 200
            for wrong in ("", "Bearer", f"Basic {TOKEN}", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}0", TOKEN):
                assert await status(wrong) == 404, wrong
            file.write_text(TOKEN[::-1])
            assert (await status(f"Bearer {TOKEN}"), await status(f"Bearer {TOKEN[::-1]}")) == (404, 200)
            file.write_text("short\n")
            assert await status("Bearer short") == 404
            file.unlink()
            assert await status(f"Bearer {TOKEN}") == await status("Bearer") == 404

    with TemporaryDirectory() as folder:
        file = Path(folder, "token")
        file.write_text(TOKEN + "\n")
        uvloop.run(test(file))


@in_a_house(settings=replace(SETTINGS, metrics=MetricsSettings(enabled=False)))
async def test_figures_can_be_switched_off(premises: Premises) -> None:
    root = await premises.visitor("root")
    assert (await root.client.get("/metrics", headers=root.cookie)).status_code == 404


@in_a_house()
async def test_a_connection_that_is_dropped_because_it_is_too_slow_is_counted(premises: Premises) -> None:
    ann = await premises.visitor("ann")
    for code in (TOO_SLOW, 1000, TOO_SLOW):
        async with ann.live() as connection:
            await until(lambda: bool(premises.services.fanout.listeners(("person", "ann"))))
            premises.services.fanout.close(("person", "ann"), code, "closed")
            assert await closing(connection) == (code, "closed")
    await until(lambda: b"puntobanco_slow_connections_total 2.0" in premises.services.metrics.text())
