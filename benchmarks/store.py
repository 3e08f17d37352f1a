"""How many bets a second become durable, on both engines, beside what the disk does by itself.

Each append is one bet: an event, a posting and an answer, at one table. It expects the version before it, so the
writers' appends are issued in order and wait for the disk together.
"""

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.store.engines import new_database, postgres

from puntobanco.ledger.accounts import Kind, Transfer
from puntobanco.store import open_store
from puntobanco.store.records import Answer, Append, Fact
from puntobanco.store.verify import verify

TABLE = "one"
BODY = b'{"type":"BetPlaced","round":1,"person":"ann","box":1,"bet":"banker","stake":100,"before":0,"box_before":0}'
SECONDS = 3.0
REPEATS = 3


def disk(folder: Path) -> float:
    """Writes of a page, each brought to the disk, a second."""
    with tempfile.TemporaryFile(dir=folder) as file:
        count, start = 0, time.perf_counter()
        while time.perf_counter() - start < SECONDS / 2:
            os.pwrite(file.fileno(), bytes(4096), count % 1024 * 4096)
            os.fdatasync(file.fileno())
            count += 1
        return count / (time.perf_counter() - start)


def bet(version: int, epoch: int) -> Append:
    """The bet that brings the stream from this version to the next."""
    stake = Transfer(Kind.STAKE, f"purse:{TABLE}:{version % 64}", f"stakes:{TABLE}", 100)
    answer = Answer(f"person {version % 64}", f"request {version}", bytes(32), b"accepted")
    fact = Fact("BetPlaced.1", version, BODY, [stake])
    return Append(stream=TABLE, expected=version, epoch=epoch, facts=[fact], answers=[answer], in_play=100 * version)


async def appends(place: str, writers: int) -> float:
    store = open_store(place)
    await store.open()
    try:
        epoch = await store.claim(TABLE)
        bought = [Transfer(Kind.BUY_IN, "cage", f"purse:{TABLE}:{nth}", 10**12) for nth in range(64)]
        opening = Fact("TableOpened.1", 0, b"{}", bought)
        await store.append(Append(stream=TABLE, expected=0, epoch=epoch, facts=[opening]))
        version, start = 1, time.perf_counter()

        async def writer() -> None:
            nonlocal version
            while time.perf_counter() - start < SECONDS:
                mine, version = version, version + 1
                await store.append(bet(mine, epoch))

        await asyncio.gather(*(writer() for _ in range(writers)))
        rate = (version - 1) / (time.perf_counter() - start)
        assert (await verify(store)).fault is None
        return rate
    finally:
        await store.close()


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with (
        tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as name,
        postgres(Path(name).parent) as url,
    ):
        print(f"{'':28}{'bets/s':>12}{'disk syncs/s':>14}{'bets a sync':>13}")
        for writers in (1, 64, 512):
            for engine in ("SQLite", "PostgreSQL"):
                rates = []
                for nth in range(REPEATS):
                    place = f"{name}/{writers}-{nth}.db" if engine == "SQLite" else new_database(url)
                    rates.append((asyncio.run(appends(place, writers)), disk(Path(name))))
                rate, syncs = sorted(rates)[REPEATS // 2]
                print(f"{engine:12}{writers:4} in flight {rate:14,.0f}{syncs:14,.0f}{rate / syncs:13.1f}", flush=True)


if __name__ == "__main__":
    main()
