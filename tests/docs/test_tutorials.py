"""Every command and snippet of the tutorials, run in an empty folder in the order of the page.

`console`: each line after `$` is a command, and what follows is what it prints; `...` stands for anything.
`python`: a script. `text`: what the script above prints. A first line `# name.toml` or `# name.py`: a file to write.
`<!-- runs until the end of the page -->`: the command is started, and stopped when the page is done.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(r"(<!-- runs until the end of the page -->\n)?^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PORT = 8888
LONGEST = 60


class Folder:
    """An empty folder in which a page is followed, beside the files that a copy of the source has."""

    def __init__(self, place: Path) -> None:
        self.place = place
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        for name in ("examples", "scenarios"):
            (place / name).symlink_to(ROOT / name)
        self.known = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "COLUMNS": "100",
            "PUNTOBANCO_WEB_PORT": str(self.port),
            "PYTHONWARNINGS": "error",
        }
        self.running: list[subprocess.Popen[bytes]] = []

    def run(self, command: str) -> str:
        done = subprocess.run(
            self.here(command), shell=True, cwd=self.place, env=self.known, capture_output=True, text=True,
            timeout=LONGEST * 2, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout.replace(f":{self.port}", f":{PORT}")

    def start(self, command: str) -> None:
        self.running.append(
            subprocess.Popen(
                ["sh", "-c", f"exec {self.here(command)}"], cwd=self.place, env=self.known, start_new_session=True
            )
        )
        for _ in range(LONGEST * 10):
            with socket.socket() as door:
                if door.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self.running[-1].poll() is None, f"{command} has ended"
            time.sleep(0.1)
        raise AssertionError(f"{command} does not answer")

    def here(self, text: str) -> str:
        return text.replace(f":{PORT}", f":{self.port}")

    def stop(self) -> None:
        for one in self.running:
            one.send_signal(signal.SIGTERM)
            assert one.wait(LONGEST) == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_reader_who_follows_the_page_gets_what_it_shows(page: Path, tmp_path: Path) -> None:
    folder, printed = Folder(tmp_path), ""
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert blocks
    try:
        for runs_on, language, written in blocks:
            name = re.match(r"# ([\w-]+\.(?:toml|py))\n", written)
            if name is not None:
                (tmp_path / name[1]).write_text(folder.here(written), encoding="utf-8")
            elif language == "console" and runs_on:
                folder.start(written.removeprefix("$ ").split("\n")[0])
            elif language == "console":
                for part in re.split(r"^\$ ", written, flags=re.MULTILINE)[1:]:
                    command, _, shown = part.partition("\n")
                    said(shown, folder.run(command))
            elif language == "python":
                (tmp_path / "script.py").write_text(folder.here(written), encoding="utf-8")
                printed = folder.run(f"{sys.executable} script.py")
            elif language == "text":
                said(written, printed)
            else:
                pytest.fail(f"nobody runs a block of {language}")
    finally:
        folder.stop()


def said(shown: str, printed: str) -> None:
    """What a page shows is what was printed, however wide its columns are; nothing shown is not compared."""
    if shown.strip():
        pattern = "".join(
            r"(?:.*\n)*?" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + r"\n"
            for line in lines(shown)
        )
        text = "".join(f"{line}\n" for line in lines(printed))
        assert re.fullmatch(pattern, text), f"shown:\n{shown}\nprinted:\n{printed}"


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.strip().splitlines()]


def test_there_is_a_page_for_each_reader() -> None:
    assert [page.stem for page in PAGES] == [
        "auditor", "contributor", "designer", "integrator", "mathematician", "operator", "player",
    ]  # fmt: skip
