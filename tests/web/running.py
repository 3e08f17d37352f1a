"""`puntobanco serve` in a process of its own, as somebody at a terminal starts it."""

import os
import re
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

PATIENCE = 60
COMMAND = (sys.executable, "-c", "from puntobanco.cli.main import main; main()")
LEAST = {"TIME": "2", "MEMORY": "19456", "LANES": "1"}


class Running:
    """`puntobanco serve` in a folder of its own; ended, if need be, when it is left."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        told: dict[str, str] | None = None,
        limit: int = 0,
        command: Sequence[str] = COMMAND,
    ) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PUNTOBANCO_")}
        environment |= {"PUNTOBANCO_WEB_PORT": "0", "PYTHONUNBUFFERED": "1", "PUNTOBANCO_LOG_FILE": "house.log"}
        environment |= told or {}
        environment |= {f"PUNTOBANCO_PEOPLE_ARGON2_{name}": least for name, least in LEAST.items()}

        def limited() -> None:
            if limit:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        self.process = subprocess.Popen(
            [*command, "serve", *options], cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, preexec_fn=limited,  # noqa: PLW1509 (no other thread runs here)
        )  # fmt: skip
        self.said = ""

    def __enter__(self) -> "Running":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.communicate()

    def until(self, pattern: str) -> str:
        """What it has said once that was among it; a process that never says it is killed."""
        assert self.process.stdout is not None
        late = threading.Timer(PATIENCE, self.process.kill)
        late.start()
        try:
            while not (found := re.search(pattern, self.said)):
                line = self.process.stdout.readline()
                assert line, f"never said {pattern!r}: {self.said}"
                self.said += line
        finally:
            late.cancel()
        return found[1] if found.groups() else found[0]

    def told(self, signal: signal.Signals) -> None:
        self.process.send_signal(signal)

    def ended(self) -> int:
        self.said += self.process.communicate(timeout=PATIENCE)[0]
        return self.process.returncode
