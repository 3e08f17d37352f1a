"""Settings for every test."""

import os
import signal

import pytest
from hypothesis import settings

from tests.last_run import LastRun

# Where a change is accepted, the same examples are tried each time; elsewhere, and in the long runs, others are.
settings.register_profile("steady", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("steady")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell's background job ignores Ctrl-C, and so would every program that a test starts and interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(LastRun(), "last-run")
