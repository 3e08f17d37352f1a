"""Mutation testing of the rules and the table: `make mutants`, or `python -m tests.mutants rules.limits --each 50`.

Which test covers which line is measured once and kept in build/mutants until a source or a test changes. A seed draws
a sample of the changes that each module allows. Each runs in a process of its own with the tests that cover its lines,
the fastest first. A change that no test notices survives. What was found is kept too: a run that is stopped goes on
where it was.
"""

import argparse
import ast
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec
from coverage import CoverageData

from tests.mutants.changes import Change, changes
from tests.mutants.explained import explained, keys
from tests.mutants.one import NOTICED, PASSED, Order
from tests.mutants.verdicts import Verdicts
from tests.mutants.worker import Verdict

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "puntobanco"
KEPT = ROOT / "build" / "mutants"
COVERAGE, TIMINGS, MEASURED = KEPT / "coverage", KEPT / "timings.json", KEPT / "measured"

SUITE = (
    "golden", "rulebook", "rules", "table", "test_roads.py", "house/tables/test_time_away.py",
    "house/audit/test_earlier_histories.py",
)  # fmt: skip
"""The tests of the core, in tests/."""

OVERHEAD = 0.01
"""Seconds a test takes beside what it measures of itself."""

LIKELY = 12
"""How many of the tests that noticed changes nearby have the first turn."""

PINNED = {"tests/golden/test_incidents.py": 24, "tests/golden/test_walks.py": 1}
"""The tests that pin everything shown at a table, and how many of them come before the rest: they notice most."""

FIRST, WAYS = 8, 24
"""How many of them come before the ways through a function, and how many ways have a turn: a function with an arm for
every event has hundreds."""

DECLARED = (
    "tests/golden/test_defaults.py", "tests/table/test_command_table.py", "tests/table/test_reopened_details.py",
)  # fmt: skip
"""The tests of what modules declare. They read it without running a line of it."""

DETAILS = ("_details.py", "_edges.py")
"""How files of tests end that hold what earlier campaigns found untested."""

SLOW = 1.0
"""Seconds from which a test waits for the others."""


# ---- what covers what --------------------------------------------------------------------------------------------


def measure(processes: int, *, keep: bool) -> None:
    """Run the tests of the core once with coverage by test, unless that was done for these very files."""
    digest = hashlib.sha256()
    for path in sorted(path for top in (PACKAGE, ROOT / "tests") for path in top.rglob("*.py")):
        digest.update(path.read_bytes())
    now = digest.hexdigest()
    if MEASURED.exists() and (keep or MEASURED.read_text(encoding="utf-8") == now):
        return
    print("Measuring which test covers which line; this takes some minutes.", flush=True)
    KEPT.mkdir(parents=True, exist_ok=True)
    MEASURED.unlink(missing_ok=True)
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", str(processes), "--dist", "loadfile",
         "-p", "tests.mutants.timings", *(f"tests/{part}" for part in SUITE),
         "--cov", "--cov-context=test", "--cov-report="],
        cwd=ROOT, check=True,
        env={**os.environ, "COVERAGE_FILE": str(COVERAGE), "PUNTOBANCO_TIMINGS": str(TIMINGS)},
    )  # fmt: skip
    MEASURED.write_text(now, encoding="utf-8")


class Covering:
    """Which tests cover a line, and how long each takes."""

    def __init__(self) -> None:
        self.data = CoverageData(str(COVERAGE))
        self.data.read()
        self.took: dict[str, float] = json.loads(TIMINGS.read_text(encoding="utf-8"))
        self._tests_at: dict[Path, dict[int, frozenset[str]]] = {}
        self._ranked_at: dict[tuple[Path, int, int], list[str]] = {}
        self._reading = threading.Lock()

    def expected(self, tests: Sequence[str]) -> float:
        return sum(self.took[test] + OVERHEAD for test in tests)

    def lines(self, path: Path) -> dict[int, frozenset[str]]:
        """The tests of each line; "" for what runs outside a test. Reading them takes seconds: once for each module."""
        with self._reading:
            if path not in self._tests_at:
                contexts = self.data.contexts_by_lineno(str(path))
                kept = dict(list(self._tests_at.items())[-1:])  # at the seam of two modules, both are tried
                self._tests_at = {**kept, path: {line: frozenset(_tests(found)) for line, found in contexts.items()}}
            return self._tests_at[path]

    def at_import(self, path: Path, change: Change) -> bool:
        """Whether those lines also run outside a test: when modules are imported or tests are collected."""
        lines = self.lines(path)
        return any("" in lines.get(line, ()) for line in range(change.first, change.last + 1))

    def tests(self, path: Path, change: Change, seconds: float, likely: Sequence[str]) -> tuple[str, ...]:
        """The tests of those lines, as many as fit into the time: the likely ones, one for each way through the
        function, some that pin everything, then each once, the fastest first, then with further parameters."""
        ranked = self._ranked(path, change.first, change.last)
        covers = set(ranked)
        order = [test for test in likely if test in covers][:LIKELY]
        chosen: list[str] = []
        for test in dict.fromkeys([*order, *ranked]):
            took = self.took[test] + OVERHEAD
            if took <= seconds or not chosen:
                chosen.append(test)
                seconds -= took
        return tuple(chosen)

    def _ranked(self, path: Path, first: int, last: int) -> list[str]:
        """What runs when the module is imported belongs to no test: there, whatever uses the module, or else any."""
        if (path, first, last) not in self._ranked_at:
            lines = self.lines(path)
            found = frozenset[str]().union(*(lines.get(line, ()) for line in range(first, last + 1)))
            at_import, found = "" in found, found - {""}
            found = found or frozenset[str]().union(*lines.values()) - {""} or frozenset(self.took)
            fastest = sorted(found & self.took.keys(), key=lambda test: (self.took[test], test))
            pins = [
                test
                for file, most in PINNED.items()
                for test in sorted((test for test in fastest if test.startswith(file)), key=_scattered)[:most]
            ]
            ways = self._ways(path, first, last, fastest)[:WAYS]
            reading = [test for test in self.took if test.startswith(DECLARED)] if at_import else []
            reading.sort(key=self.took.__getitem__)
            details = [test for test in fastest if test.partition("::")[0].endswith(DETAILS)]
            order = [*reading, *pins[:FIRST], *_each_once(details), *ways, *pins, *_each_once(fastest)]
            self._ranked_at[path, first, last] = list(dict.fromkeys(order))
        return self._ranked_at[path, first, last]

    def _ways(self, path: Path, first: int, last: int, tests: Sequence[str]) -> list[str]:
        """The fastest test of each way through the function, the rarest way first: a refusal leaves early."""
        lines = self.lines(path)
        through: dict[str, list[int]] = {test: [] for test in tests}
        for line in _function(path, first, last):
            for test in lines.get(line, frozenset()) & through.keys():
                through[test].append(line)
        taken = Counter(tuple(way) for way in through.values())
        fastest: dict[tuple[int, ...], str] = {}
        for test, way in through.items():
            fastest.setdefault(tuple(way), test)
        ways = sorted(fastest, key=lambda way: (self.took[fastest[way]] > SLOW, taken[way], way))
        return [fastest[way] for way in ways]


def _each_once(tests: Sequence[str]) -> list[str]:
    """Each with its first parameters, then with further ones; otherwise in the same order."""
    again, ranked = Counter[str](), []
    for place, test in enumerate(tests):
        name = test.partition("[")[0]
        ranked.append((again[name], place, test))
        again[name] += 1
    return [test for _, _, test in sorted(ranked)]


def _function(path: Path, first: int, last: int) -> range:
    """The lines of the innermost function around a change, or of the change itself."""
    spans = [range(first, last + 1)]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        end = getattr(node, "end_lineno", None) or 0
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.lineno <= first and last <= end:
            spans.append(range(node.lineno, end + 1))  # a function inside another comes after it
    return spans[-1]


def _scattered(test: str) -> bytes:
    """An order in which neighbours have nothing in common."""
    return hashlib.sha256(test.encode()).digest()


def _tests(contexts: Sequence[str]) -> Iterator[str]:
    """The tests of those contexts; "" for one outside a test."""
    return (context.rpartition("|")[0] if "|" in context else context for context in contexts)


# ---- the runs ----------------------------------------------------------------------------------------------------


class Mutant(NamedTuple):
    path: Path
    number: int
    change: Change

    @property
    def module(self) -> str:
        return ".".join(self.path.relative_to(PACKAGE).with_suffix("").parts)

    def is_in(self, name: str) -> bool:
        name, _, line = name.partition(":")
        return f"{self.module}.".startswith(f"{name}.") and line in ("", str(self.change.first))


def every(names: Sequence[str]) -> dict[str, list[Mutant]]:
    """The changes of each module, of those named or in the packages named; of one line of it, where that is named."""
    modules: dict[str, list[Mutant]] = {}
    for path in sorted([*(PACKAGE / "rules").rglob("*.py"), *(PACKAGE / "table").rglob("*.py")]):
        for mutant in (Mutant(path, *one) for one in enumerate(changes(path.read_text(encoding="utf-8")))):
            if any(mutant.is_in(name) for name in names):
                modules.setdefault(mutant.module, []).append(mutant)
    return modules


def draw(modules: dict[str, list[Mutant]], each: int, seed: int) -> list[Mutant]:
    """So many of each module, or all if that is 0, module by module."""
    drawn: list[Mutant] = []
    for module, found in modules.items():
        few = each and each < len(found)
        drawn += random.Random(f"{seed} {module}").sample(found, each) if few else found
    return sorted(drawn)


class Runs:
    """Workers that try changes, each in a process group of its own that can be ended."""

    def __init__(self, seconds: float, files: Sequence[str]) -> None:
        self.seconds, self.files = seconds, tuple(files)
        self.running: set[subprocess.Popen[str]] = set()
        self.mine = threading.local()
        self.noticed: dict[str, list[tuple[int, str]]] = {}
        self.stopped = False

    @cached_property
    def covering(self) -> Covering:
        return Covering()

    def keep(self, mutant: Mutant, verdict: Verdict) -> None:
        """Whatever notices a change is likely to notice others nearby."""
        if verdict.killed:
            self.noticed.setdefault(mutant.module, []).append((mutant.change.first, verdict.by))

    def _likely(self, mutant: Mutant) -> list[str]:
        noticed = self.noticed.get(mutant.module, [])
        near = sorted(noticed, key=lambda one: abs(one[0] - mutant.change.first))
        most = Counter(test for _, test in noticed).most_common(LIKELY // 3)
        return list(dict.fromkeys([*(test for _, test in near[:LIKELY]), *(test for test, _ in most)]))

    def verdict(self, mutant: Mutant, *, unchanged: bool = False) -> Verdict:
        """Whether a test notices: one fails, or they do not come to an end."""
        if self.files and not self.stopped:
            change = -1 if unchanged else mutant.number
            return self._fresh(Order(f"puntobanco.{mutant.module}", change, self.files))
        tests = self.covering.tests(mutant.path, mutant.change, self.seconds, self._likely(mutant))
        limit = int(30 + 5 * min(self.seconds, self.covering.expected(tests)))
        order = Order(f"puntobanco.{mutant.module}", -1 if unchanged else mutant.number, tests, limit)
        if self.stopped:
            return Verdict(tried=False)
        verdict = self._warm(order)
        if verdict.killed or (verdict.tried and not self.covering.at_import(mutant.path, mutant.change)):
            return verdict
        return self._fresh(order)

    def _warm(self, order: Order) -> Verdict:
        """By a worker that has imported the modules already."""
        if not hasattr(self.mine, "worker"):
            self.mine.worker = self._start("tests.mutants.worker", *(f"tests/{part}" for part in SUITE))
        worker: subprocess.Popen[str] = self.mine.worker
        assert worker.stdin is not None
        assert worker.stdout is not None
        print(msgspec.json.encode(order).decode(), file=worker.stdin, flush=True)
        answer = worker.stdout.readline()
        if not answer and not self.stopped:
            raise RuntimeError(f"The worker has ended at {order.module} #{order.change}.")
        return msgspec.json.decode(answer, type=Verdict) if answer else Verdict(tried=False)

    def _fresh(self, order: Order) -> Verdict:
        """By a process that imports the changed module."""
        run = self._start("tests.mutants.one")
        try:
            said, _ = run.communicate(msgspec.json.encode(order).decode(), timeout=30 + order.seconds)
        except subprocess.TimeoutExpired:
            return Verdict(tried=True, killed=True, by="out of time")
        finally:
            self._end(run)
        if run.returncode not in (PASSED, *NOTICED) and run.returncode >= 0:
            raise RuntimeError(f"{order.module} #{order.change} could not be run:\n{said}")
        return Verdict(tried=True, killed=run.returncode != PASSED)

    def _start(self, module: str, *arguments: str) -> subprocess.Popen[str]:
        errors = subprocess.STDOUT if module == "tests.mutants.one" else subprocess.DEVNULL
        run = subprocess.Popen(
            [sys.executable, "-m", module, *arguments], cwd=ROOT, text=True, start_new_session=True,
            env={**os.environ, "HYPOTHESIS_STORAGE_DIRECTORY": str(KEPT / "hypothesis")},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
        )  # fmt: skip
        self.running.add(run)
        return run

    def _end(self, run: subprocess.Popen[str]) -> None:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        self.running.discard(run)

    def stop(self) -> None:
        self.stopped = True
        for run in list(self.running):
            self._end(run)


# ---- the report --------------------------------------------------------------------------------------------------


def report(modules: dict[str, list[Mutant]], done: dict[Mutant, bool]) -> None:
    """A row for each module, and every survivor that is not explained."""
    tried = Counter(mutant.module for mutant in done)
    alive = sorted(mutant for mutant, survives in done.items() if survives)
    known, named = explained(), {module: list(keys(module)) for module in {mutant.module for mutant in alive}}
    unexplained = [mutant for mutant in alive if named[mutant.module][mutant.number] not in known]
    survive, open_ = Counter(mutant.module for mutant in alive), Counter(mutant.module for mutant in unexplained)
    print(f"\n{'module':<28}{'changes':>9}{'tried':>7}{'killed':>8}{'explained':>11}{'open':>6}{'score':>8}")
    for module, found in modules.items():
        if tried[module]:
            _row(module, len(found), tried[module], survive[module], open_[module])
    _row("all", sum(map(len, modules.values())), tried.total(), survive.total(), open_.total())
    if unexplained:
        print("\nsurvivors without an explanation:")
    for mutant in unexplained:
        place = f"{mutant.path.relative_to(ROOT)}:{mutant.change.first}"
        print(f"  {place}: {mutant.change.before}  ->  {mutant.change.after}  (#{mutant.number})")


def _row(name: str, found: int, tried: int, alive: int, open_: int) -> None:
    killed = tried - alive
    score = killed / max(tried, 1)
    print(f"{name:<28}{found:>9}{tried:>7}{killed:>8}{alive - open_:>11}{open_:>6}{score:>8.1%}")


def kept(given: argparse.Namespace) -> Verdicts:
    """What earlier runs found, once it is measured which test covers what; nothing, if the tests are given."""
    if given.tests:
        return Verdicts(Path(os.devnull), ROOT, "")
    measure(given.processes, keep=given.keep)
    return Verdicts(KEPT / "verdicts.jsonl", ROOT, MEASURED.read_text(encoding="utf-8"))


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument(
        "modules",
        nargs="*",
        default=["rules", "table"],
        help="such as rules.limits or table.betting:300; all if left out",
    )
    parser.add_argument("--each", type=int, default=4, help="changes drawn from each module; 0 for all of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=30, help="the most that the tests of a change take together")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--tests", nargs="+", default=[], help="try only these files of tests, and keep no verdict")
    parser.add_argument("--again", action="store_true", help="try what survived earlier runs again, with more seconds")
    parser.add_argument("--keep", action="store_true", help="use the last measurement although files have changed")
    return parser


def main() -> int:
    parser = arguments()
    given = parser.parse_args()

    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.default_int_handler)
    modules: dict[str, list[Mutant]] = every(given.modules)
    if not modules:
        parser.error(f"nothing to change in {', '.join(given.modules)}")
    verdicts = kept(given)
    drawn = draw(modules, given.each, given.seed)
    runs, done, code = Runs(given.seconds, given.tests), dict[Mutant, bool](), 0
    for mutant in drawn:
        known = verdicts.known(mutant.module, mutant.path, mutant.number)
        if known and (known.killed or not given.again):
            done[mutant] = not known.killed
            runs.keep(mutant, known)
    left = [mutant for mutant in drawn if mutant not in done]
    if done:
        print(f"{len(done)} of {len(drawn)} are known from earlier runs.", flush=True)
    if left and runs.verdict(left[0], unchanged=True).killed:
        runs.stop()
        sys.exit("The tests fail without any change.")
    began, before = time.monotonic(), len(done)
    with ThreadPoolExecutor(given.processes) as pool:
        waiting = {pool.submit(runs.verdict, mutant): mutant for mutant in left}
        try:
            for ended in as_completed(waiting):
                mutant, verdict = waiting[ended], ended.result()
                verdicts.keep(mutant.module, mutant.path, mutant.number, verdict)
                done[mutant] = not verdict.killed
                runs.keep(mutant, verdict)
                spent = time.monotonic() - began
                rest = spent / (len(done) - before) * (len(drawn) - len(done))
                if sys.stdout.isatty() or len(done) % 10 == 0:
                    end = "\r" if sys.stdout.isatty() else "\n"
                    so_far = f"{len(done)} of {len(drawn)}, {sum(done.values())} survive, {spent:.0f} s"
                    print(f"{so_far}, about {rest:.0f} s left ", end=end, flush=True)
        except BaseException as stopped:
            pool.shutdown(wait=False, cancel_futures=True)
            runs.stop()
            if not isinstance(stopped, KeyboardInterrupt):
                report(modules, done)
                raise
            code = 130
        finally:
            runs.stop()
    report(modules, done)
    return code


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
