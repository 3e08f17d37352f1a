"""How long healthy players wait for the answer to a bet while somebody floods the house, beside how long without.

The server is a process of its own with its settings as they come. Each flood is a process of its own too, at the lowest
priority, and stops by itself. Quiet times and floods take turns in one run, so that whatever else the machine does
falls on both alike. The exit code is 1 if a flood makes the 99th percentile more than three times as long.
"""

import argparse
import asyncio
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import uvloop

from benchmarks.load.house import Plan, Process, Seat, furnished, settings_of
from benchmarks.load.scenarios import PATIENCE, Floor
from puntobanco.house.identity.sessions import SessionKind
from puntobanco.web.serve import opened

LIMIT = 3.0
"""How many times as long a bet may take while the house is flooded."""
PLAYERS, BETS = 10, 8
"""Healthy players, and bets a second of each."""
SESSIONS, UNREAD, CROWD = 20, 500, 10
"""Sessions of one person, connections that never read, and how many people hold them."""
PLAN = Plan(tables=2, terminals=PLAYERS + CROWD, betting=20_000, between=200)

PING, PONG = b"\x89\x80" + bytes(4), b"\x8a\x80" + bytes(4)


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """What a flood knows of the house: where it is, its tables, and sessions of its own by person."""

    host: str
    port: int
    tables: list[str]
    sessions: dict[str, list[str]]

    @property
    def at(self) -> str:
        return f"{self.host}:{self.port}"


def framed(text: str) -> bytes:
    content = text.encode()
    size = bytes([0x80 | len(content)]) if len(content) < 126 else b"\xfe" + len(content).to_bytes(2)
    return b"\x81" + size + bytes(4) + content


# ---- what floods do ----------------------------------------------------------------------------------------------


class Line:
    """One connection of a flood: it begins, sends the same again and again, and begins anew when it was closed."""

    def __init__(self, target: Target, hello: bytes, flood: bytes, *, first: bytes = b"", reads: bool = True) -> None:
        self.target, self.hello, self.flood, self.first, self.reads = target, hello, flood, first, reads
        self.begun = 0
        self._socket: socket.socket | None = None
        self._opened = False

    def begin(self, poll: selectors.BaseSelector) -> None:
        self.begun += 1
        self._opened = not self.hello
        self._socket = made = socket.socket()
        if not self.reads:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.connect((self.target.host, self.target.port))
        made.setblocking(False)
        made.send(self.hello)
        poll.register(made, selectors.EVENT_READ | (selectors.EVENT_WRITE if self._opened else 0), self)

    def ready(self, poll: selectors.BaseSelector, events: int) -> None:
        assert self._socket is not None
        try:
            if events & selectors.EVENT_READ:
                self._take(poll, self._socket)
            if events & selectors.EVENT_WRITE and self._opened:
                self._socket.send(self.flood)
        except BlockingIOError:
            pass
        except OSError:
            poll.unregister(self._socket)
            self._socket.close()
            self.begin(poll)

    def _take(self, poll: selectors.BaseSelector, made: socket.socket) -> None:
        content = made.recv(65_536)
        if not content or (not self._opened and not content.startswith(b"HTTP/1.1 101")):
            raise ConnectionResetError
        if not self._opened:
            self._opened = True
            made.send(self.first)
            wanted = (selectors.EVENT_READ if self.reads else 0) | (selectors.EVENT_WRITE if self.flood else 0)
            if wanted:
                poll.modify(made, wanted, self)
            else:
                poll.modify(made, selectors.EVENT_WRITE, self)
                poll.unregister(made)


def live(target: Target, token: str, slot: int = 0) -> bytes:
    return (
        f"GET /u/{slot}/api/live HTTP/1.1\r\nHost: {target.at}\r\nOrigin: http://{target.at}\r\n"
        f"Cookie: puntobanco-{slot}={token}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def asking(target: Target, path: str, *headers: str) -> bytes:
    return "\r\n".join((f"GET {path} HTTP/1.1", f"Host: {target.at}", *headers, "", "")).encode()


def frames(frame: bytes) -> Callable[[Target], list[Line]]:
    """A few connections that send nothing but this frame."""

    def flood(target: Target) -> list[Line]:
        [token, *_] = target.sessions["flooder"]
        return [Line(target, live(target, token), frame * 10_000) for _ in range(4)]

    return flood


def twenty_sessions(target: Target) -> list[Line]:
    """Each session opens screens, watches, commands and asks, as fast as it can."""
    lines = []
    watch = [framed(f'{{"type":"Watch","table":"{table}"}}') for table in target.tables]
    for slot, token in enumerate(target.sessions["flooder"]):
        do = framed(
            f'{{"type":"Do","table":"{target.tables[0]}","request":"f{slot}","command":{{"type":"PlaceBets",'
            '"round":1,"lines":[{"bet":"player","amount":1000}]}}'
        )
        screens = [Line(target, live(target, token, slot), b"".join([*watch, do]) * 20) for _ in range(5)]
        cookie = f"Cookie: puntobanco-{slot}={token}"
        asks = [asking(target, f"/u/{slot}/api/{path}", cookie) for path in ("tables", "me", "wallet")]
        lines += [*screens, Line(target, b"", b"".join(asks) * 20), Line(target, b"", b"".join(asks) * 20)]
    return lines


def never_reading(target: Target) -> list[Line]:
    """Screens that watch every table and take nothing of it."""
    watch = b"".join(framed(f'{{"type":"Watch","table":"{table}"}}') for table in target.tables)
    tokens = [tokens[0] for person, tokens in target.sessions.items() if person != "flooder"]
    return [
        Line(target, live(target, tokens[nth % len(tokens)]), b"", first=watch, reads=False) for nth in range(UNREAD)
    ]


def pipelining(target: Target) -> list[Line]:
    """Strangers who ask without waiting for an answer."""
    paths = ("/u/0/api/me", "/", "/openapi.json", "/u/0/api/tables")
    flood = b"".join(asking(target, path) for path in paths) * 25
    return [Line(target, b"", flood) for _ in range(16)]


FLOODS: dict[str, tuple[str, Callable[[Target], list[Line]]]] = {
    "sessions": (f"one person, {SESSIONS} sessions", twenty_sessions),
    "ping": ("a ping flood", frames(PING)),
    "pong": ("an unasked-pong flood", frames(PONG)),
    "unread": (f"{UNREAD} connections that never read", never_reading),
    "pipelining": ("a pipelining stranger", pipelining),
}


def flood(name: str, target: Target, seconds: float) -> None:
    """In a process of its own, until the time is over."""
    os.setpriority(os.PRIO_PROCESS, 0, 19)
    poll, until = selectors.DefaultSelector(), time.monotonic() + seconds
    lines = FLOODS[name][1](target)
    for line in lines:
        line.begin(poll)
    print("flooding", flush=True)
    while time.monotonic() < until:
        for key, events in poll.select(0.1):
            with suppress(OSError):
                key.data.ready(poll, events)
    print(sum(line.begun for line in lines), flush=True)


# ---- what is measured --------------------------------------------------------------------------------------------


async def invited(folder: Path, seats: list[Seat]) -> dict[str, list[str]]:
    """Sessions for the flooder, and one for each of the crowd."""
    crowd = seats[PLAYERS : PLAYERS + CROWD]
    flooder = seats[-1].person
    async with opened(settings_of(PLAN, folder), dealing=False) as services:
        sessions = services.identity.sessions
        tokens = [(await sessions.start(flooder, SessionKind.PLAYER, slot=slot)).token for slot in range(SESSIONS)]
    return {"flooder": tokens, **{seat.person: [seat.token] for seat in crowd}}


async def bets(floor: Floor, seconds: float) -> list[float]:
    """How long each answer took, in seconds, sorted."""
    floor.tally.latencies.clear()
    until = time.perf_counter() + seconds

    async def player(nth: int) -> None:
        terminal = floor.terminals[nth]
        await asyncio.sleep(nth / PLAYERS / BETS)
        while time.perf_counter() < until:
            if terminal.screen.phase == "betting":
                terminal.bet()
            await asyncio.sleep(1 / BETS)

    await asyncio.gather(*(player(nth) for nth in range(PLAYERS)))
    assert not await floor.answered(), f"a bet had no answer within {PATIENCE} s"
    return sorted(floor.tally.latencies)


def p99(times: list[float]) -> float:
    return times[min(len(times) - 1, int(0.99 * len(times)))]


async def flooded(name: str, floor: Floor, target: Target, seconds: float) -> tuple[list[float], int]:
    """The bets during a flood, and how many connections it made."""
    command = [sys.executable, "-m", "benchmarks.floods", "--flood", name, "--seconds", str(seconds + 2)]
    process = await asyncio.create_subprocess_exec(
        *command, msgspec.json.encode(target).decode(), stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE):
            await process.stdout.readline()
        times = await bets(floor, seconds)
        async with asyncio.timeout(PATIENCE):
            return times, int(await process.stdout.readline())
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
        await process.wait()


async def run(names: list[str], seconds: float, *, pinned: bool) -> bool:
    with tempfile.TemporaryDirectory(prefix="puntobanco-floods-") as place:
        folder = Path(place)
        seats = await furnished(PLAN, folder)
        sessions = await invited(folder, seats)
        server = Process(PLAN, folder, 0 if pinned else None)
        try:
            parts = urlsplit(server.url)
            target = Target(host=parts.hostname or "", port=parts.port or 0, tables=PLAN.names, sessions=sessions)
            floor = Floor(server, seats[:PLAYERS])
            await floor.connect()
            await bets(floor, seconds / 4)
            quiet: list[float] = []
            found: dict[str, tuple[list[float], int, float]] = {}
            for name in names:
                quiet += await bets(floor, seconds / 2)
                worked = server.worked
                times, begun = await flooded(name, floor, target, seconds)
                found[name] = (times, begun, (server.worked - worked) / seconds)
                await asyncio.sleep(1.0)
            lost = floor.tally.lost
            await floor.close()
        finally:
            server.stop()
    return report(sorted(quiet), found, lost)


def report(quiet: list[float], found: dict[str, tuple[list[float], int, float]], lost: int) -> bool:
    without = p99(quiet)
    print(
        f"without a flood: {len(quiet):,} bets, p50 {1000 * quiet[len(quiet) // 2]:.1f} ms, p99 {1000 * without:.1f} ms"
    )
    print(f"{'answer to a bet, p99 in ms, during':40}{'bets':>7}{'ours':>9}{'without':>9}{'ratio':>7}{'limit':>7}")
    well = True
    for name, (times, begun, share) in found.items():
        ratio = p99(times) / without
        well &= ratio <= LIMIT
        print(
            f"{FLOODS[name][0]:40}{len(times):>7,}{1000 * p99(times):>9.1f}{1000 * without:>9.1f}{ratio:>7.2f}"
            f"{LIMIT:>7.2f}   {'yes' if ratio <= LIMIT else 'NO '}   "
            f"({begun:,} connections; server {share:.0%} of a core)"
        )
    print(f"  {'yes' if not lost else 'NO '}  no healthy connection was lost ({lost} were)", flush=True)
    return well and not lost


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", choices=[*FLOODS], default=[*FLOODS])
    parser.add_argument("--seconds", type=float, default=8.0, help="of each flood")
    parser.add_argument("--unpinned", action="store_true", help="leave it to the machine who runs on which core")
    parser.add_argument("--flood", choices=[*FLOODS], help=argparse.SUPPRESS)
    parser.add_argument("target", nargs="?", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.flood:
        flood(asked.flood, msgspec.json.decode(asked.target, type=Target), asked.seconds)
        return 0
    pinned = not asked.unpinned and (os.cpu_count() or 1) > 1
    if pinned:
        os.sched_setaffinity(0, {1})
    return 0 if uvloop.run(run(asked.only, asked.seconds, pinned=pinned)) else 1


if __name__ == "__main__":
    sys.exit(main())
