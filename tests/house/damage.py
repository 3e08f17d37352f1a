"""Disks that lie, fill up and give errors: what is read afterwards is a beginning of the history, or refused."""

import asyncio
import os
import random
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from puntobanco.house.audit.proof import prove
from puntobanco.house.tables.writer import RunningTable, Stopped
from puntobanco.rules import library
from puntobanco.rules.money import Cents
from puntobanco.store.base import Store
from puntobanco.store.records import Append, Failed, Row, StoreFailed
from puntobanco.store.sqlite import SqliteStore
from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.setup import Source
from tests.house.floor import JOURNAL, TABLE, Clock, fill, opened, paid_in, seated, setup_of, sound
from tests.house.kills import forked
from tests.store.engines import file_of

SETUP = setup_of("super-six", differential=Cents(10**12))
FRAME, WAL_HEADER, SECTOR = 24 + 4096, 32, 512
OPENING: tuple[tuple[c.Command, Role], ...] = (
    (c.OpenTable(setup=SETUP), Role.PIT_MANAGER),
    (c.LoadShoe(shoe="s", decks=8, shuffled=True, source=Source.KEYBOARD), Role.DEALER),
    (c.OpenBetting(), Role.DEALER),
)


PREPARED = len(OPENING) + 1
"""The version of a table that is prepared."""


async def prepared(store: Store, table: RunningTable) -> None:
    await fill(store, ["ann"])
    for command, role in OPENING:
        assert (await table.send(command, "staff", role)).refusal is None
    assert (await table.send(c.BuyIn(person="ann", amount=10**12), "ann", Role.PLAYER)).refusal is None


async def bet(table: RunningTable, number: int) -> int:
    """Every bet differs from the one before it; its request is its number. The version it happened at."""
    line = c.Line(bet="tie", amount=100_00 + 100 * number, box=1)
    answer = await table.send(c.PlaceBets(round=1, lines=(line,)), "ann", Role.PLAYER, f"{number}")
    assert answer.refusal is None, answer.refusal
    return answer.version


async def rows_of(store: Store) -> dict[str, list[Row]]:
    return {name: [row async for row in store.read(name)] for name in await store.streams()}


# ---- what a disk may leave of the last writes --------------------------------------------------------------------


def written(folder: Path, bets: int) -> dict[str, list[Row]]:
    """A store as it is on the disk while its house runs, in `folder`, and what it holds."""

    async def whole() -> dict[str, list[Row]]:
        async with opened(folder / "running.db") as store, seated(store, SETUP) as table:
            await prepared(store, table)
            for number in range(bets):
                (folder / "synced").write_text(f"{(folder / 'running.db-wal').stat().st_size}")
                await bet(table, number)
            for end in ("", "-wal"):
                shutil.copy(folder / f"running.db{end}", folder / f"house.db{end}")
            return await rows_of(store)

    return asyncio.run(whole())


def judged(place: Path, whole: dict[str, list[Row]]) -> int | None:
    """How many events are left, a beginning of what there was; or none if the store or its proof refuses."""

    async def look() -> int | None:
        store = SqliteStore(place)
        try:
            await store.open()
        except StoreFailed:
            return None
        try:
            if (await prove(store, {JOURNAL: paid_in})).fault is not None:
                return None
            rows = await rows_of(store)
            for name, found in rows.items():
                assert found == whole[name][: len(found)], "another history, and nothing was said"
            return sum(map(len, rows.values()))
        except (StoreFailed, TypeError, ValueError):
            return None
        finally:
            await store.close()

    return asyncio.run(look())


def torn(folder: Path, every: int, told: Callable[[int], None] = lambda _: None) -> dict[int | None, int]:
    """The log of writes cut off at every so many bytes of its last two frames; how often what was left."""
    whole = written(folder, 5)
    log, found = (folder / "house.db-wal").read_bytes(), dict[int | None, int]()
    end = len(log) - (len(log) - WAL_HEADER) % FRAME
    for length in (*range(end - 2 * FRAME, end, every), end):
        left = _judged_copy(folder, whole, log[:length])
        found[left] = found.get(left, 0) + 1
        told(length)
    return found


def dropped(
    folder: Path, states: int, seed: int, told: Callable[[int], None] = lambda _: None
) -> dict[int | None, int]:
    """The power fails before the last transaction is synced: any of its sectors may be missing, nothing before it."""
    whole = written(folder, 5)
    log, found, rng = (folder / "house.db-wal").read_bytes(), dict[int | None, int](), random.Random(seed)
    synced, events = int((folder / "synced").read_text()), sum(map(len, whole.values()))
    sectors = range(synced, len(log), SECTOR)
    for done in range(states):
        changed = bytearray(log)
        for start in rng.sample(sectors, rng.randint(1, len(sectors))):
            changed[start : start + SECTOR] = bytes(len(changed[start : start + SECTOR]))
        left = _judged_copy(folder, whole, bytes(changed[: rng.choice([len(log), rng.randint(synced, len(log))])]))
        assert left in (events - 1, events), "something that was synced is gone"
        found[left] = found.get(left, 0) + 1
        told(done + 1)
    return found


def flipped(folder: Path, flips: int, seed: int, told: Callable[[int], None] = lambda _: None) -> dict[int | None, int]:
    """One bit of the log is another; how often what was left."""
    whole = written(folder, 5)
    log, found, rng = (folder / "house.db-wal").read_bytes(), dict[int | None, int](), random.Random(seed)
    for done in range(flips):
        changed = bytearray(log)
        changed[rng.randrange(len(log))] ^= 1 << rng.randrange(8)
        left = _judged_copy(folder, whole, bytes(changed))
        found[left] = found.get(left, 0) + 1
        told(done + 1)
    return found


def _judged_copy(folder: Path, whole: dict[str, list[Row]], log: bytes) -> int | None:
    place = folder / "copy.db"
    shutil.copy(folder / "house.db", place)
    place.with_name("copy.db-wal").write_bytes(log)
    try:
        return judged(place, whole)
    finally:
        for path in folder.glob("copy.db*"):
            path.unlink()


def flipped_at_rest(folder: Path, flips: int, seed: int) -> dict[str, int]:
    """One bit of the file itself is another: refused, or nothing that counts has changed."""

    async def make() -> Any:
        async with opened(folder / "rest.db") as store:
            async with seated(store, SETUP) as table:
                await prepared(store, table)
                for number in range(40):
                    await bet(table, number)
            return await contents(store)

    async def contents(store: Store) -> Any:
        return await rows_of(store), [one async for page in store.postings() for one in page], await store.balances()

    async def same(place: Path) -> bool:
        async with opened(place) as store:
            return bool(await contents(store) == before)

    before = asyncio.run(make())
    whole, content, rng = before[0], (folder / "rest.db").read_bytes(), random.Random(seed)
    found = {"refused": 0, "unharmed": 0}
    for _ in range(flips):
        changed = bytearray(content)
        changed[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        place = folder / "copy.db"
        place.write_bytes(changed)
        if judged(place, whole) is None:
            found["refused"] += 1
        else:
            assert asyncio.run(same(place)), "something else is there, and nothing was said"
            found["unharmed"] += 1
        for path in folder.glob("copy.db*"):
            path.unlink()
    return found


# ---- a disk that gives out ---------------------------------------------------------------------------------------


async def until_it_fails(store: Store, table: RunningTable, pipe: int, most: int = 100_000) -> None:
    """Bets, three at a time; once one was not acknowledged none is, and nothing is written any more."""
    for number in range(0, most, 3):
        answers = await asyncio.gather(*(bet(table, number + nth) for nth in range(3)), return_exceptions=True)
        for nth, answer in enumerate(answers):
            if isinstance(answer, int):
                os.write(pipe, f"{number + nth} {answer}\n".encode())
            else:
                assert isinstance(answer, Stopped), answer
        if not all(isinstance(answer, int) for answer in answers):
            break
    else:
        raise AssertionError("the disk never failed")
    assert table.failed is not None
    with pytest.raises(Stopped):
        await bet(table, most)
    with pytest.raises(StoreFailed) as failed:
        await store.append(Append(stream=TABLE, expected=table.state.version, epoch=table.stream._epoch))
    assert failed.value.why is Failed.STORAGE


async def clean_restart(place: Path, acked: dict[int, int], unknown: int = 3) -> None:
    """Everything acknowledged is there; at most what was being written is besides; and the table goes on."""
    async with opened(place) as store:
        await sound(store)
        version, _ = await store.head(TABLE)
        last = max(acked.values(), default=PREPARED)
        assert last <= version <= last + unknown
        async with seated(store, SETUP) as table:
            before = table.state.version
            for number, when in list(acked.items())[-3:]:
                assert await bet(table, number) == when, "asked again, it has its first answer"
            assert table.state.version == before
            await bet(table, 10**6)
        await sound(store)


def acknowledged(said: bytes) -> dict[int, int]:
    return {int(number): int(version) for number, version in (line.split() for line in said.decode().splitlines())}


def file_too_big(folder: Path, room: int) -> int:
    """The kernel refuses writes beyond a size, so many bytes from now: a real error of a real write."""
    place = folder / f"limited{room}.db"

    async def child(pipe: int) -> None:
        store = SqliteStore(place)
        await store.open()
        table = RunningTable(TABLE, library.game(SETUP.game), SETUP, store, Clock())
        await table.start()
        await prepared(store, table)
        limit = place.with_name(place.name + "-wal").stat().st_size + room
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        await until_it_fails(store, table, pipe)

    status, said = forked(child)
    assert os.waitstatus_to_exitcode(status) == 0
    acked = acknowledged(said)
    asyncio.run(clean_restart(place, acked))
    return len(acked)


class Full:
    """A disk of two million bytes, most of them taken; only the superuser can make one."""

    def __init__(self, folder: Path, room: int) -> None:
        self.folder, self.room = folder / f"disk{room}", room

    def __enter__(self) -> Path:
        self.folder.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", self.folder], check=True, capture_output=True)
        (self.folder / "ballast").write_bytes(bytes(2 * 2**20 - self.room))
        return self.folder

    def __exit__(self, *_: object) -> None:
        subprocess.run(["umount", "-l", self.folder], check=True)
        self.folder.rmdir()


def can_mount(folder: Path) -> bool:
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    try:
        with Full(folder, 100_000):
            return True
    except (OSError, subprocess.CalledProcessError):
        (folder / "disk100000").rmdir()
        return False


def disk_full(folder: Path, room: int) -> int:
    with Full(folder, room) as full:
        place = full / "house.db"

        async def child(pipe: int) -> None:
            store = SqliteStore(place)
            await store.open()
            table = RunningTable(TABLE, library.game(SETUP.game), SETUP, store, Clock())
            await table.start()
            await prepared(store, table)
            await until_it_fails(store, table, pipe)

        status, said = forked(child)
        assert os.waitstatus_to_exitcode(status) == 0
        (full / "ballast").unlink()
        acked = acknowledged(said)
        asyncio.run(clean_restart(place, acked))
        return len(acked)


class _Erring:
    """A connection whose nth commit is an error: before it was made, or after."""

    def __init__(self, db: sqlite3.Connection, nth: int, *, after: bool) -> None:
        self._db, self._left, self._after = db, nth, after

    def execute(self, text: str, *values: Any) -> Any:
        if text != "COMMIT":
            return self._db.execute(text, *values)
        self._left -= 1
        if self._left == 0 and not self._after:
            raise sqlite3.OperationalError("disk I/O error")
        found = self._db.execute(text, *values)
        if self._left == 0:
            raise sqlite3.OperationalError("disk I/O error")
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


def commit_fails(folder: Path, nth: int, *, after: bool) -> None:
    """`after`: everything is on the disk, and the error says it is not. Nobody was told, so both are allowed."""
    place = folder / f"erring{nth}{after}.db"

    async def whole(pipe: int) -> None:
        async with opened(place) as store, seated(store, SETUP) as table:
            await prepared(store, table)
            file = file_of(store)
            file.db = _Erring(file.db, nth, after=after)  # type: ignore[assignment]
            await until_it_fails(store, table, pipe)

    said = piped(whole)
    acked = acknowledged(said)
    assert len(acked) == 3 * (nth - 1)
    asyncio.run(clean_restart(place, acked))


def piped(work: Callable[[int], Coroutine[Any, Any, None]]) -> bytes:
    """Here, not in a child: what it writes is read afterwards."""
    with open(os.memfd_create("said"), "w+b", buffering=0) as said:
        asyncio.run(work(said.fileno()))
        said.seek(0)
        return said.read()
