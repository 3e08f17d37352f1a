"""The process that writes a SQLite file: what it is told arrives whole, and nobody is told of what is not durable."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.store.base import Store
from puntobanco.store.records import Failed, StoreFailed, Unwritable
from puntobanco.store.sqlite import SqliteStore
from puntobanco.store.sqlite_file import Claim, Request, Statement
from puntobanco.store.sqlite_process import Asked, Messages, NotDone, WriterProcess, framed
from tests.store.conftest import APART, run_at
from tests.store.test_failures import TABLE, acknowledged, bet, refused, sound


def process_of(store: Any) -> WriterProcess:
    assert isinstance(store, SqliteStore)
    assert isinstance(store.writer, WriterProcess)
    return store.writer


@given(bodies=st.lists(st.binary(max_size=40), max_size=6), data=st.data())
def test_messages_arrive_whole_however_they_are_cut(bodies: list[bytes], data: st.DataObject) -> None:
    sent = b"".join(len(body).to_bytes(4, "big") + body for body in bodies)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=8)))
    messages = Messages()
    parts = [sent[start:end] for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    assert [bytes(one) for part in parts for one in messages.add(part)] == bodies


@pytest.mark.parametrize("why", Failed)
def test_every_failure_crosses_as_it_is(why: Failed) -> None:
    for error in (StoreFailed(why), StoreFailed(why, "a detail"), Unwritable(Path("copy.db"), "no space")):
        again = NotDone.of(error).error
        assert (type(again), again.why, again.detail, str(again)) == (type(error), error.why, error.detail, str(error))
    assert str(NotDone.of(ValueError("x")).error) == "storage: ValueError: x"


def test_what_no_database_can_hold_is_refused_and_the_rest_is_written(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        for name, version in (("\ud800", 1), ("one", 2**70)):
            with pytest.raises(StoreFailed, check=lambda failed: failed.why is Failed.INVARIANT):
                await store._put("INSERT INTO snapshots VALUES ($1, $2, 'x', x'', x'')", name, version)
        await sound(store)

    run_at(tmp_path / APART, work)


def test_a_writer_that_is_lost_fails_what_waits_and_everything_after_it(tmp_path: Path) -> None:
    async def work(store: Store) -> int:
        epoch = await store.claim(TABLE)
        assert await acknowledged(store, [bet(version, epoch) for version in range(5)]) == 5
        pid = process_of(store).pid
        assert pid is not None
        ended = [store.ended]
        os.kill(pid, signal.SIGSTOP)
        waits = asyncio.gather(*(store.append(bet(version, epoch)) for version in range(5, 9)), return_exceptions=True)
        await asyncio.sleep(0)
        os.kill(pid, signal.SIGKILL)
        assert {getattr(one, "why", None) for one in await waits} == {Failed.STORAGE}
        ended.append(store.ended)
        assert ended == [None, "the process that writes has ended"]
        await refused(store, 5, epoch)
        return 5

    good = run_at(tmp_path / APART, work)
    assert run_at(tmp_path / APART, sound) == good, "what was not acknowledged is not there"


def test_a_writer_ends_with_its_store_and_not_with_a_signal(tmp_path: Path) -> None:
    pids = []

    async def work(store: Store) -> None:
        process = process_of(store)
        assert process.pid is not None
        pids.append(process.pid)
        for stop in (signal.SIGINT, signal.SIGTERM):
            os.kill(process.pid, stop)
        await sound(store)
        written = asyncio.create_task(store.seal("shoe", b"order"))
        await asyncio.sleep(0)
        await store.close()
        await written
        with pytest.raises(StoreFailed, match="closed"):
            await store.sealed("shoe")

    run_at(tmp_path / APART, work)
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)

    async def kept(store: Store) -> bytes | None:
        return await store.sealed("shoe")

    assert run_at(tmp_path / APART, kept) == b"order"


@contextmanager
def writing(place: Path) -> Iterator[tuple[socket.socket, subprocess.Popen[bytes]]]:
    """The process, and a connection to it that is not closed by anybody but the test."""
    ours, theirs = socket.socketpair()
    with closing(ours), theirs:
        program = [sys.executable, "-m", "puntobanco.store.sqlite_process", str(place), str(theirs.fileno())]
        process = subprocess.Popen(program, pass_fds=[theirs.fileno()])
        theirs.close()
        try:
            yield ours, process
        finally:
            process.kill()
            process.wait()


def test_a_writer_whose_house_is_killed_writes_what_it_was_asked_and_ends(tmp_path: Path) -> None:
    place = tmp_path / APART
    with writing(place) as (house, process):
        statement = "INSERT INTO games (fingerprint, content) VALUES ($1, x'')"
        asked: list[Request] = [Claim(TABLE), *(Statement(statement, (str(nth),), writes=True) for nth in range(600))]
        house.sendall(b"".join(framed(Asked(number, request)) for number, request in enumerate(asked, start=1)))
        house.close()
        assert process.wait(30) == 0

    async def there(store: Store) -> int:
        await store.sole()
        return len(await store.games())

    assert run_at(place, there) == 600


def test_a_new_house_waits_for_the_writer_of_one_that_was_killed(tmp_path: Path) -> None:
    place = tmp_path / "house.db"

    async def hold(store: Store) -> None:
        await store.sole()

    async def other() -> None:
        first = SqliteStore(place, apart=True)
        await first.open()
        await first.sole()
        pid = process_of(first).pid
        assert pid is not None
        later = threading.Timer(0.3, os.kill, (pid, signal.SIGKILL))
        later.start()
        second = SqliteStore(place)
        await second.open()
        await second.sole()
        await second.close()
        await first.close()

    asyncio.run(other())
    run_at(place, hold)
