"""How long a command takes from a cold process, beside a Python that does nothing and one that imports typer.

The limit for `puntobanco settle` is 300 ms on an idle machine.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 15
PUNTOBANCO = str(Path(sys.executable).parent / "puntobanco")
HAND = ["settle", "wu-song", "--cards", "K 2 4 A 7 7", "--bet", "wu_dalang=1", "--bet", "player=100"]

CASES = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "python -c 'import typer, msgspec'": [sys.executable, "-c", "import typer, msgspec"],
    "puntobanco settle --json": [PUNTOBANCO, *HAND, "--json"],
    "puntobanco settle": [PUNTOBANCO, *HAND],
}


def seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - started


LIMIT = 0.3


def main() -> None:
    taken: dict[str, list[float]] = {name: [] for name in CASES}
    for done in range(RUNS):
        for name, command in CASES.items():
            taken[name].append(seconds(command))
        print(f"\rcold start: {done + 1} of {RUNS} runs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    base = statistics.median(taken["python -c pass"])
    for name, times in taken.items():
        median = statistics.median(times)
        against = f"   {median / LIMIT:5.2f} of the limit" if name.startswith("puntobanco") else ""
        print(f"{name:36} {median * 1000:7.0f} ms   {median / base:5.1f} x{against}")


if __name__ == "__main__":
    main()
