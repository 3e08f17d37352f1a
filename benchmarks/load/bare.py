"""The limit that a house is compared with: a server without rules.

Same connections, same frames, same store: it reads a bet, appends an event with its posting and its answer, and answers
once they are durable. The bets that arrive in one turn of the loop, or while the one before them is written, are one
append. Nothing is decided, checked, counted or shown to anybody else.
"""

import asyncio
import os
import signal
import socket
import sys
import time
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
import uvloop

from benchmarks.load.house import CHIPS, Plan, Seat, settings_of
from benchmarks.load.terminal import RAISE
from puntobanco.house.operations.garbage_collection import freeze
from puntobanco.ledger.accounts import Transfer, TransferKind
from puntobanco.store import open_store
from puntobanco.store.base import Store
from puntobanco.store.records import Append, Fact, StoredAnswer
from puntobanco.web.live.connection import EncodedMessage
from puntobanco.web.server.admission import Admission, AdmissionLimits
from puntobanco.web.server.uvicorn_protocols import LINE, SERVER, HttpProtocol, LiveProtocol, LiveTransport

HOUR = 3_600_000


class Heard(msgspec.Struct):
    """What a terminal says: that it watches a table, or a bet."""

    type: str
    table: str = ""
    request: str = ""
    command: msgspec.Raw = msgspec.Raw(b"null")


_heard = msgspec.json.Decoder(Heard)


class Unlimited(Admission):
    """Everybody may send as much as they like."""

    def is_prompt(self, caller: str, slices: int) -> bool:  # noqa: ARG002
        return True

    def has_frames(self, caller: str, many: int) -> bool:  # noqa: ARG002
        return True


UNLIMITED = AdmissionLimits(frames=10**6, bytes=10**9, requests=10**6, strangers=10**6, connections_per_address=10**6)


class Stream:
    """The bets of one table: one append at a time."""

    def __init__(self, store: Store, name: str) -> None:
        self.store, self.name = store, name
        self.version = self.epoch = self.in_play = 0
        self.waiting: list[tuple[Heard, LiveTransport]] = []
        self.writing: asyncio.Task[None] | None = None

    async def open(self, people: list[str]) -> None:
        self.epoch = await self.store.claim(self.name)
        bought = [Transfer(TransferKind.BUY_IN, "cage", f"purse:{self.name}:{one}", CHIPS) for one in people]
        await self._append([Fact("TableOpened.1", 0, b"{}", bought)], [])

    def take(self, bet: Heard, line: LiveTransport) -> None:
        self.waiting.append((bet, line))
        if self.writing is None:
            self.writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        while self.waiting:
            batch, self.waiting = self.waiting, []
            facts, answers = [], []
            for number, (bet, _) in enumerate(batch, start=self.version + 1):
                person = bet.request.rpartition("-")[0]
                moved = Transfer(TransferKind.STAKE, f"purse:{self.name}:{person}", f"stakes:{self.name}", RAISE)
                facts.append(Fact("BetsPlaced.2", time.time_ns() // 1_000_000, bytes(bet.command), [moved]))
                answer = b'{"version":%d}' % number
                answers.append(StoredAnswer(person, bet.request, sha256(bet.command).digest(), answer))
            self.in_play += RAISE * len(batch)
            await self._append(facts, answers)
            for (bet, line), stored in zip(batch, answers, strict=True):
                told = f'{{"type":"Answered","request":"{bet.request}","answer":{stored.answer.decode()}}}'
                line.take(EncodedMessage(told).frame)
        self.writing = None

    async def _append(self, facts: list[Fact], answers: list[StoredAnswer]) -> None:
        await self.store.append(
            Append(stream=self.name, expected=self.version, epoch=self.epoch, facts=facts, answers=answers,
                   in_play=self.in_play)
        )  # fmt: skip
        self.version += len(facts)


def seats_of(plan: Plan) -> list[Seat]:
    return [Seat(f"{table}-{number}", table, "nobody asks") for table in plan.names for number in range(plan.terminals)]


async def _served(plan: Plan, folder: Path) -> None:
    store = open_store(settings_of(plan, folder).store.place)
    await store.open()
    streams = {name: Stream(store, name) for name in plan.names}
    for name, stream in streams.items():
        await stream.open([seat.person for seat in seats_of(plan) if seat.table == name])

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        line: LiveTransport = scope["extensions"][LINE]
        while (event := await receive())["type"] != "websocket.disconnect":
            heard = _heard.decode(event["text"])
            if heard.type == "Do":
                streams[heard.table].take(heard, line)
            elif heard.type == "Watch":
                now = time.time_ns() // 1_000_000
                view = f'{{"phase":"betting","round":1,"deadline":{now + HOUR}}}'
                whole = f'{{"type":"Whole","version":1,"at":{now},"public":{view}}}'
                line.take(EncodedMessage(whole).frame)

    listening = socket.create_server(("127.0.0.1", 0))
    lets_in = Unlimited(UNLIMITED)
    protocols = {"http": partial(HttpProtocol, admission=lets_in), "ws": partial(LiveProtocol, admission=lets_in)}
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", **(SERVER | protocols)))
    running, stop = asyncio.create_task(server._serve([listening])), asyncio.Event()
    while not server.started:
        await asyncio.sleep(0.01)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    freeze()
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
    await stop.wait()
    server.should_exit = True
    await running
    await store.close()


def main() -> None:
    folder, core, content = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    if core:
        os.sched_setaffinity(0, {int(core)})
    uvloop.run(_served(msgspec.json.decode(content, type=Plan), folder))


if __name__ == "__main__":
    main()
