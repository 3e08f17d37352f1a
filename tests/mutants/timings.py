"""A pytest plugin: how long each test took, as JSON in the file that `PUNTOBANCO_TIMINGS` names."""

import json
import os
from pathlib import Path

import pytest

TOOK: dict[str, float] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    TOOK[report.nodeid] = TOOK.get(report.nodeid, 0.0) + report.duration


def pytest_sessionfinish() -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ:
        Path(os.environ["PUNTOBANCO_TIMINGS"]).write_text(json.dumps(TOOK), encoding="utf-8")
