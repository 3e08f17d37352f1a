"""Run tests on one change: `python -m tests.mutants.one`, with the order on standard input as JSON.

The change is made while the module is imported. No file is written: not the module, no bytecode, no cache of the tests.
"""

import ast
import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

import msgspec
import pytest

from tests.mutants.changes import changed

MEMORY = 4 << 30
"""Bytes one run may use: a change may make a loop endless."""


PASSED = 10
NOTICED = (PASSED + pytest.ExitCode.TESTS_FAILED, PASSED + pytest.ExitCode.INTERRUPTED)
"""A test failed, or could not even be imported."""


OPTIONS = (
    "-x",
    "-q",
    "--no-header",
    "--tb=line",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:last-run",
    "-p",
    "_hypothesis_pytestplugin",
)


class Order(msgspec.Struct, frozen=True):
    """`change`: its number, or -1 for none. `tests`: tests, or whole files of them. `seconds`: when to give up."""

    module: str
    change: int
    tests: tuple[str, ...]
    seconds: int = 300


def settle_hypothesis() -> None:
    """An example that fails is enough: it is neither shrunk nor kept."""
    from hypothesis import Phase, settings  # not before pytest has rewritten its assertions

    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutant", deadline=None, database=None, derandomize=True, phases=phases)
    settings.load_profile("mutant")


class _Loader(SourceFileLoader):
    change: int

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        tree: ast.Module = changed(self.get_data(path).decode(), self.change)
        return compile(tree, path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, order: Order) -> None:
        self.order = order

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.order.module:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        assert spec is not None
        assert spec.origin is not None
        spec.loader = _Loader(fullname, spec.origin)
        spec.loader.change = self.order.change
        return spec


class _Chosen:
    """Only these tests, in this order."""

    def __init__(self, tests: tuple[str, ...]) -> None:
        self.places = {test: place for place, test in enumerate(tests)}

    def pytest_sessionstart(self) -> None:
        settle_hypothesis()

    def _place(self, item: pytest.Item) -> int | None:
        return self.places.get(item.nodeid, self.places.get(item.nodeid.partition("::")[0]))

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        placed = [(place, item) for item in items if (place := self._place(item)) is not None]
        items[:] = [item for _, item in sorted(placed, key=lambda one: one[0])]


def run(order: Order) -> int:
    """`PASSED` plus the exit code of pytest: a fault of this program is not taken for a test that fails."""
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, _Finder(order))
    try:
        import_module(order.module)
    except Exception:
        return PASSED + pytest.ExitCode.INTERRUPTED
    files = dict.fromkeys(test.partition("::")[0] for test in order.tests)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # importing the others takes longer than most runs
    return PASSED + int(pytest.main([*OPTIONS, *files], plugins=[_Chosen(order.tests)]))


if __name__ == "__main__":
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.exit(run(msgspec.convert(json.load(sys.stdin), Order)))
