"""What a container engine would do with the container file, as processes below a folder instead of in containers.

Every absolute path of an instruction leads into the folder of its stage. `useradd` is only written down, and `install`
leaves owners as they are: both would need to be root. `python` and `node` are those of this machine.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FILE = ROOT / "deploy" / "Containerfile"
OURS = re.compile(r"(?<![\w.:/-])/(?=(?:build|opt|data)\b)")
"""Where an absolute path of a stage begins; the system's own, such as /usr/sbin/nologin, stay as they are."""

WRITES_DOWN = '#!/bin/sh\necho "$(basename "$0") $*" >> "$WRITTEN_DOWN"\n'
WITHOUT_OWNERS = """#!/bin/sh
echo "install $*" >> "$WRITTEN_DOWN"
for word do
    shift
    case "$skip$word" in
        -o | -g) skip=x ;;
        x*) skip= ;;
        *) set -- "$@" "$word" ;;
    esac
done
exec /usr/bin/install "$@"
"""


class Instruction(NamedTuple):
    word: str
    rest: str


class Stage(NamedTuple):
    base: str
    name: str
    instructions: list[Instruction]

    def of(self, word: str) -> list[str]:
        return [rest for name, rest in self.instructions if name == word]

    def environment(self) -> dict[str, str]:
        pairs = (pair.partition("=") for rest in self.of("ENV") for pair in shlex.split(rest))
        return {name: value for name, _, value in pairs}


def stages() -> list[Stage]:
    found: list[Stage] = []
    for word, rest in _instructions():
        if word == "FROM":
            base, _, name = rest.partition(" AS ")
            found.append(Stage(base, name, []))
        else:
            found[-1].instructions.append(Instruction(word, rest))
    return found


def _instructions() -> Iterator[Instruction]:
    """Each instruction on one line."""
    text = re.sub(r"(?m)^\s*#.*\n", "", FILE.read_text(encoding="utf-8"))
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip():
            word, _, rest = line.strip().partition(" ")
            yield Instruction(word, " ".join(rest.split()))


class Built(NamedTuple):
    """The root of the last stage, what it says about itself, and the commands that were only written down."""

    root: Path
    image: Stage
    written_down: list[str]

    def command(self, *arguments: str) -> list[str]:
        entry: list[str] = json.loads(self.image.of("ENTRYPOINT")[0])
        return [str(self.root / "opt/puntobanco/bin" / entry[0]), *entry[1:], *arguments]

    def health(self) -> list[str]:
        words = json.loads(self.image.of("HEALTHCHECK")[0].partition(" CMD ")[2])
        return [str(self.root / "opt/puntobanco/bin" / words[0]), *words[1:]]


def build(folder: Path, context: Path) -> Built:
    """Execute every COPY and RUN of every stage."""
    shims = replaced_commands(folder / "bin")
    written_down = folder / "written-down"
    roots: dict[str, Path] = {}
    found = stages()
    for number, stage in enumerate(found):
        root = roots[stage.name] = folder / f"stage-{number}"
        environment = clean() | {"WRITTEN_DOWN": str(written_down), "PATH": f"{shims}:{os.environ['PATH']}"}
        for word, rest in stage.instructions:
            if word == "COPY":
                _copy(rest, root, context, roots)
            if word == "RUN":
                line = OURS.sub(f"{root}/", rest)
                done = subprocess.run(line, shell=True, cwd=folder, env=environment, capture_output=True, text=True)  # noqa: PLW1510
                assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return Built(root, found[-1], written_down.read_text(encoding="utf-8").replace(str(root), "").splitlines())


def _copy(rest: str, root: Path, context: Path, roots: dict[str, Path]) -> None:
    stage = re.match(r"--from=(\w+) ", rest)
    *sources, target = rest.split()[1 if stage else 0 :]
    for source in sources:
        path = roots[stage[1]] / source[1:] if stage else context / source
        to = root / target[1:]
        if path.is_dir():
            shutil.copytree(path, to, symlinks=True, dirs_exist_ok=True)
        else:
            (to if target.endswith("/") else to.parent).mkdir(parents=True, exist_ok=True)
            shutil.copy(path, to)


def replaced_commands(folder: Path, **others: str) -> Path:
    """A folder for PATH: scripts in place of commands that need the system, and the Python in use."""
    folder.mkdir()
    python = Path(sys.base_prefix, "bin", f"python3.{sys.version_info[1]}")
    scripts = dict.fromkeys(("python", "python3.11"), f'#!/bin/sh\nexec {python} "$@"\n')
    for name, text in (scripts | {"useradd": WRITES_DOWN, "install": WITHOUT_OWNERS} | others).items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder


def clean() -> dict[str, str]:
    """The environment without what is set for this house or this Python."""
    ours = ("PUNTOBANCO_", "PYTHON", "VIRTUAL_ENV", "COV_")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}
