"""How each test went when it was last run, for the pages on traceability: `build/last-run.json`."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

FILE = Path(__file__).parent.parent / "build" / "last-run.json"
_SCENARIO = "test_the_incident_goes_as_written"


class LastRun:
    """Collects the outcome of every test, and adds it to the file when the run ends."""

    def __init__(self, file: Path = FILE) -> None:
        self._file = file
        self._failed: dict[str, bool] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.failed:
            name = counted_as(report.nodeid)
            self._failed[name] = self._failed.get(name, False) or report.failed

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workerinput") or not self._failed:
            return
        at = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
        known = json.loads(self._file.read_text(encoding="utf-8")) if self._file.exists() else {}
        known |= {name: {"failed": failed, "at": at} for name, failed in self._failed.items()}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def counted_as(nodeid: str) -> str:
    """A test whatever its parameters are, except that every scenario is counted for itself."""
    name, _, parameter = nodeid.partition("[")
    return f"scenarios/{parameter.rstrip(']')}.toml" if name.endswith(_SCENARIO) else name
