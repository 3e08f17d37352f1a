"""Real PostgreSQL servers that are stopped, killed, restarted, copied to a synchronous standby, and promoted."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.store.engines import new_database, postgres_server, statement, value


class Server:
    """One server: its data, its socket, and the database of the house in it."""

    def __init__(self, made: Any, folder: Path, socket: str, database: str) -> None:
        self.made, self.folder, self.socket, self.database = made, folder, socket, database

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/{self.database}?host={self.socket}"

    def run(self, command: str, *arguments: str) -> None:
        subprocess.run(
            [str(self.made.bin_path / command), *arguments],
            user=self.made.system_user, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60,
        )  # fmt: skip

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.folder), "-m", "immediate", "-w", "stop")

    def start(self) -> None:
        log, options = str(self.folder / "log"), f'-h "" -k {self.socket}'
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-l", log, "-o", options, "start")

    def promote(self) -> None:
        self.run("pg_ctl", "-D", str(self.folder), "-w", "promote")

    def kill(self) -> None:
        """Without a chance to do anything more; its other processes end when they notice."""
        first = int((self.folder / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        os.kill(first, signal.SIGKILL)
        with suppress(ProcessLookupError):
            while True:
                os.kill(first, 0)
                time.sleep(0.01)

    @contextmanager
    def standby(self) -> Iterator["Server"]:
        """A copy that has everything this server has committed, before it says so."""
        room = tempfile.mkdtemp(prefix="puntobanco-", dir=self.folder.parent)
        if self.made.system_user is not None:
            shutil.chown(room, self.made.system_user)
        copy = Server(self.made, Path(room) / "data", room, self.database)
        source = f"host={self.socket} user=postgres application_name=standby"
        try:
            self.run("pg_basebackup", "-D", str(copy.folder), "-R", "-c", "fast", "-d", source)
            copy.start()
            statement(self.url, "ALTER SYSTEM SET synchronous_standby_names = 'standby'", "SELECT pg_reload_conf()")
            deadline = time.monotonic() + 30
            while value(self.url, "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") != 1:
                assert time.monotonic() < deadline, "the standby does not follow"
                time.sleep(0.05)
            yield copy
        finally:
            with suppress(subprocess.CalledProcessError):
                copy.stop()
            shutil.rmtree(room, ignore_errors=True)

    def or_(self, other: "Server") -> str:
        """The address of whichever of the two is the primary."""
        return self.url.replace(self.socket, f"{self.socket},{other.socket}")


@contextmanager
def cluster() -> Iterator[Server]:
    """A server of our own with an empty database, stopped and removed afterwards."""
    made = postgres_server()
    found = re.fullmatch(r"postgresql://postgres:?@/(\w+)\?host=(.+)", new_database(made.get_uri()))
    assert found is not None
    server = Server(made, made.pgdata, found[2], found[1])
    try:
        yield server
    finally:
        with suppress(subprocess.CalledProcessError):
            server.stop()
        made.cleanup()
