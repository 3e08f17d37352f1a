"""What the terminals do, and what is measured while they do it."""

import asyncio
import random
import time
from urllib.parse import urlsplit

import msgspec

from benchmarks.load.house import Process, Seat
from benchmarks.load.terminal import Screen, Tally, Terminal

AT_ONCE = 50
"""Connections opened side by side."""
OPEN = ("betting", "closing")
PATIENCE = 30.0
WINDOW = 4
"""Bets one terminal may have on their way when it bets as fast as it can."""
PAUSE = 0.02
"""Seconds between two bets of somebody who bets alone."""


class Measured(msgspec.Struct, kw_only=True):
    """What a scenario came to."""

    seconds: float = 0.0
    worked: float = 0.0
    """Seconds of processor time of the server meanwhile."""
    rounds: int = 0
    unanswered: int = 0
    memory: list[int] = []
    """Resident bytes of the server, every second."""


class Floor:
    """Every terminal of the house, connected and watching its table."""

    def __init__(self, server: Process, seats: list[Seat]) -> None:
        self.server, self.tally = server, Tally()
        self.publisher = {seat.table: Screen(seat.table) for seat in seats}
        address = urlsplit(server.url).netloc
        self.terminals = [
            Terminal(seat.person, self.publisher[seat.table], seat.token, address, self.tally) for seat in seats
        ]

    async def connect(self) -> None:
        turn, parts = asyncio.Semaphore(AT_ONCE), urlsplit(self.server.url)
        host, port = parts.hostname or "", parts.port or 0

        async def one(terminal: Terminal) -> None:
            async with turn:
                await asyncio.get_running_loop().create_connection(lambda: terminal, host, port)
                await terminal.ready

        await asyncio.gather(*(one(terminal) for terminal in self.terminals))

    async def answered(self) -> int:
        """Wait until every bet has its answer; returns how many have none."""
        until = time.perf_counter() + PATIENCE
        while self.tally.sent and time.perf_counter() < until:
            await asyncio.sleep(0.001)
        return len(self.tally.sent)

    @property
    def rounds(self) -> int:
        return sum(screen.rounds for screen in self.publisher.values())

    async def until(self, screen: Screen, *phases: str) -> None:
        async with asyncio.timeout(120):
            while screen.phase not in phases:
                await asyncio.sleep(0.005)

    async def close(self) -> None:
        """A few at a time: a thousand who hang up at once are not what is measured."""
        for at in range(0, len(self.terminals), AT_ONCE):
            for terminal in self.terminals[at : at + AT_ONCE]:
                terminal.close()
            await asyncio.sleep(0.05)


async def last_second(floor: Floor, rounds: int) -> Measured:
    """Everybody at one table bets in the last second before the close, some of them too late."""
    [screen] = floor.publisher.values()
    loop, measured = asyncio.get_running_loop(), Measured()
    began, worked = time.perf_counter(), floor.server.worked
    for _ in range(rounds):
        await floor.until(screen, "settled", "idle", "dealing", "result")
        await floor.until(screen, "betting")
        left = (screen.deadline - screen.ahead) / 1000 - time.time()
        for terminal in floor.terminals:
            loop.call_later(max(0.0, left - random.random()), terminal.bet)
        await floor.until(screen, "dealing")
        measured.unanswered += await floor.answered()
    measured.seconds, measured.worked = time.perf_counter() - began, floor.server.worked - worked
    measured.rounds = floor.rounds
    return measured


async def steady(floor: Floor, seconds: float) -> Measured:
    """Each terminal places a few bets in every round, for as long as it is asked to."""
    loop, measured, going = asyncio.get_running_loop(), Measured(), True

    def soon(terminal: Terminal) -> None:
        def think() -> None:
            screen = terminal.screen
            left = (screen.deadline - screen.ahead) / 1000 - time.time()
            if going and screen.phase == "betting":
                for at in sorted(random.random() for _ in range(3)):
                    loop.call_later(max(0.0, at * left * 0.9), bet)

        def bet() -> None:
            if going and terminal.screen.phase in OPEN:
                terminal.bet()

        terminal.screen.changed.append(think)
        think()

    for terminal in floor.terminals:
        soon(terminal)
    began, worked, rounds = time.perf_counter(), floor.server.worked, floor.rounds
    while time.perf_counter() - began < seconds:
        await asyncio.sleep(1.0)
        measured.memory.append(floor.server.memory)
    going = False
    measured.seconds, measured.worked = time.perf_counter() - began, floor.server.worked - worked
    measured.rounds = floor.rounds - rounds
    measured.unanswered = await floor.answered()
    return measured


async def throughput(floor: Floor, seconds: float) -> Measured:
    """Each terminal has a few bets on their way at any time while betting is open."""
    measured, going = Measured(), True

    def keen(terminal: Terminal) -> None:
        def more() -> None:
            if going and terminal.screen.phase == "betting":
                terminal.bet()

        def opened() -> None:
            for _ in range(WINDOW):
                more()

        terminal.free = more
        terminal.screen.changed.append(opened)
        opened()

    for terminal in floor.terminals:
        keen(terminal)
    began, worked, rounds = time.perf_counter(), floor.server.worked, floor.rounds
    await asyncio.sleep(seconds)
    going = False
    measured.seconds, measured.worked = time.perf_counter() - began, floor.server.worked - worked
    measured.rounds = floor.rounds - rounds
    measured.unanswered = await floor.answered()
    return measured


async def alone(floor: Floor, bets: int) -> Measured:
    """One terminal bets once, waits for its answer, and bets again after a pause: nobody else does anything."""
    measured, terminal = Measured(), floor.terminals[0]
    await floor.until(terminal.screen, "betting")
    began, worked = time.perf_counter(), floor.server.worked
    for _ in range(bets):
        await asyncio.sleep(PAUSE)
        terminal.bet()
        measured.unanswered += await floor.answered()
    measured.seconds, measured.worked = time.perf_counter() - began, floor.server.worked - worked
    return measured
