"""A process that has collected the tests once and tries one change after another: `python -m tests.mutants.worker`.

It reads an `Order` from each line of standard input and answers with a `Verdict` on standard output. For every order it
forks. The child replaces the code of the changed function and runs the chosen tests until one fails. Importing and
collecting, which take longer than most tests, happen once.

A change outside a function, or one that cannot be put into a running function, is not tried here: `Verdict.tried` is
false. `tests.mutants.one` imports the changed module instead.
"""

import contextlib
import gc
import io
import os
import resource
import signal
import sys
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FunctionType
from typing import NoReturn, TextIO

import msgspec
import pytest

from tests.mutants.changes import changed
from tests.mutants.one import MEMORY, OPTIONS, Order, settle_hypothesis

Key = tuple[str, str, int]
"""The file, the qualified name and the first line of a function."""


class Verdict(msgspec.Struct, frozen=True):
    """`by`: the test that failed, or nothing if they all passed."""

    tried: bool
    killed: bool = False
    by: str = ""


def _key(code: CodeType) -> Key:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _functions(code: CodeType) -> Iterator[CodeType]:
    """The functions of a module and the methods of its classes, without what is inside them."""
    for one in code.co_consts:
        if isinstance(one, CodeType):
            if one.co_flags & 0x2:  # CO_NEWLOCALS: a function; the body of a class has it not
                yield one
            else:
                yield from _functions(one)


class Worker:
    """The plugin that serves orders in place of running the tests."""

    def __init__(self, orders: TextIO, verdicts: TextIO) -> None:
        self.orders, self.verdicts = orders, verdicts
        self.items: dict[str, pytest.Item] = {}
        self.functions: dict[Key, list[FunctionType]] = {}
        self.cached: list[_lru_cache_wrapper[object]] = []
        self.failed = ""

    def pytest_sessionstart(self) -> None:
        settle_hypothesis()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        for one in gc.get_objects():
            if isinstance(one, FunctionType):
                self.functions.setdefault(_key(one.__code__), []).append(one)
            elif isinstance(one, _lru_cache_wrapper):
                self.cached.append(one)
        gc.collect()
        gc.freeze()
        for line in self.orders:
            verdict = self._serve(msgspec.json.decode(line, type=Order))
            print(msgspec.json.encode(verdict).decode(), file=self.verdicts, flush=True)
        return True

    def _serve(self, order: Order) -> Verdict:
        came, gone = os.pipe()
        child = os.fork()
        if not child:
            self._child(order, gone)
        os.close(gone)
        with os.fdopen(came, "rb") as said:
            answer = said.read()
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what the tests have started
        if answer:
            return msgspec.json.decode(answer, type=Verdict)
        if not os.WIFSIGNALED(status):
            raise RuntimeError(f"{order.module} #{order.change} could not be run")
        return Verdict(tried=True, killed=True, by="out of time or memory")

    def _child(self, order: Order, out: int) -> NoReturn:
        try:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(order.seconds)
            verdict = Verdict(tried=False)
            if self._change(order):
                with contextlib.redirect_stdout(io.StringIO()):
                    verdict = self._run(order.tests)
            os.write(out, msgspec.json.encode(verdict))
        finally:
            os._exit(0)

    def _run(self, tests: tuple[str, ...]) -> Verdict:
        items = [self.items[test] for test in tests]
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return Verdict(tried=True, killed=True, by=self.failed)
        return Verdict(tried=True)

    def _change(self, order: Order) -> bool:
        """Whether the change could be made in the functions that are loaded."""
        if order.change < 0:
            return True
        module = sys.modules.get(order.module)
        if module is None or module.__file__ is None:
            return False
        path = module.__file__
        source = Path(path).read_text(encoding="utf-8")
        original, other = (compile(changed(source, one), path, "exec", dont_inherit=True) for one in (-1, order.change))
        before, after = ({_key(one): one for one in _functions(code)} for code in (original, other))
        differ = [key for key in before if key in after and before[key] != after[key]]
        functions = [function for key in differ for function in self.functions.get(key, ())]
        if len(differ) != 1 or not functions:
            return False
        try:
            for function in functions:
                function.__code__ = after[differ[0]]
        except ValueError:  # it closes over other names than before
            return False
        for cached in self.cached:
            if cached.__wrapped__.__module__ == order.module:
                cached.cache_clear()  # of what was called while the tests were collected
        return True


if __name__ == "__main__":
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    worker = Worker(os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w"))  # the tests get others
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    sys.exit(pytest.main([*OPTIONS, *sys.argv[1:]], plugins=[worker]))
