"""A house on loopback with its doors open, and a line to it that can be cut."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvloop

from puntobanco.client import Client
from puntobanco.house.operations import settings as s
from puntobanco.table.state import Phase
from puntobanco.web.demo import create_demo
from puntobanco.web.serve import serve
from puntobanco.web.services import Services

TABLE = "wu-song-1"
"""Where betting is open, for as long as a test needs."""
PATIENCE = 20.0


class Line:
    """A wire between a client and the house. It may be cut, or go deaf towards the client before it is."""

    def __init__(self) -> None:
        self.port = self.to = 0
        self.deaf = False
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def opened(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self.to)
        both = {writer, back}
        self._writers |= both
        await asyncio.gather(self._carry(reader, back, up=True), self._carry(there, writer, up=False))
        self._writers -= both

    async def _carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, up: bool) -> None:
        with suppress(OSError):
            while content := await source.read(65_536):
                if up or not self.deaf:
                    target.write(content)
                    await target.drain()
        target.transport.abort()


class Open:
    """A house that is open, and the line to it."""

    def __init__(self, services: Services, line: Line) -> None:
        self.services, self.line = services, line

    async def client(self, person: str, slot: int = 0) -> Client:
        """Somebody who came in by a link."""
        client = Client(self.line.url, slot=slot)
        await client.use_ticket(await self.services.identity.tickets.issue(person))
        return client


@asynccontextmanager
async def open_house(**people: Any) -> AsyncIterator[Open]:
    """The demonstration's people and tables, slow enough that no round ends while a test looks."""
    line, stop = Line(), asyncio.Event()
    opened: asyncio.Future[Services] = asyncio.get_running_loop().create_future()

    async def started(services: Services, url: str) -> None:
        line.to = int(url.rpartition(":")[2])
        await create_demo(services.house)
        while services.house.tables[TABLE].state.phase is not Phase.BETTING:
            await asyncio.sleep(0.01)
        opened.set_result(services)

    carrier = await asyncio.start_server(line.opened, "127.0.0.1", 0)
    line.port = carrier.sockets[0].getsockname()[1]
    with TemporaryDirectory() as place:
        settings = s.Settings(
            store=s.StoreSettings(place=str(Path(place) / "house.db")),
            web=s.WebSettings(port=0, origins=(line.url,), secure_cookies=False),
            people=s.PeopleSettings(argon2_time=2, argon2_memory=19_456, argon2_lanes=1, **people),
            tables=s.TableSettings(drain=0),
        )
        serving = asyncio.create_task(serve(settings, started=started, stop=stop))
        try:
            async with asyncio.timeout(PATIENCE):
                yield Open(await opened, line)
        finally:
            stop.set()
            await serving
            line.cut()
            carrier.close()
            await carrier.wait_closed()


def in_house(**people: Any) -> Callable[[Callable[[Open], Coroutine[Any, Any, None]]], Callable[[], None]]:
    """Run a test in an open house, on the loop the house runs on."""

    def wrapped(test: Callable[[Open], Coroutine[Any, Any, None]]) -> Callable[[], None]:
        async def whole() -> None:
            async with open_house(**people) as house:
                await test(house)

        def run() -> None:
            uvloop.run(whole())

        run.__name__, run.__doc__ = test.__name__, test.__doc__
        return run

    return wrapped
