"""What ships a house says what the code says: sources that exist, settings that are known, times that fit."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import puntobanco
from puntobanco.house.operations.metrics import Metrics
from puntobanco.house.operations.settings import SECTIONS, Settings, settings_of

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"

# ---- the service -------------------------------------------------------------------------------------------------

UNIT = (DEPLOY / "puntobanco.service").read_text(encoding="utf-8")


def unit(name: str) -> str:
    found = re.search(rf"(?m)^{name}=(.*)$", UNIT)
    assert found is not None, name
    return found[1]


def test_the_service_waits_for_rounds_to_finish() -> None:
    assert int(unit("TimeoutStopSec")) > Settings().tables.drain + 30


def test_the_service_may_do_nothing_it_does_not_need() -> None:
    expected = {
        "NoNewPrivileges": "true", "ProtectSystem": "strict", "ProtectHome": "true", "PrivateTmp": "true",
        "CapabilityBoundingSet": "", "StateDirectoryMode": "0700", "UMask": "0077", "Restart": "on-failure",
        "User": "puntobanco", "Type": "notify", "StartLimitIntervalSec": "0",
    }  # fmt: skip
    assert {name: unit(name) for name in expected} == expected


def test_the_service_lets_the_desk_of_odds_lower_its_priority_and_its_memory() -> None:
    denied = " ".join(re.findall(r"(?m)^SystemCallFilter=~(.*)$", UNIT)).split()
    assert denied == ["@privileged"], "setpriority and setrlimit are of @resources"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_understands_the_service(tmp_path: Path) -> None:
    """With a program that exists here in place of ours, which systemd would look for."""
    path = tmp_path / "puntobanco.service"
    path.write_text(re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", UNIT), encoding="utf-8")
    asked = ["systemd-analyze", "verify", "--man=no", str(path)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    complaints = [line for line in done.stderr.splitlines() if "puntobanco.service" in line]
    assert complaints == []


# ---- the guide ---------------------------------------------------------------------------------------------------


def test_every_setting_and_figure_the_guide_names_is_known() -> None:
    guide = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "operator").glob("*.md"))
    variables = {one.variable for section in SECTIONS for one in settings_of(section).values()}
    assert set(re.findall(r"\bPUNTOBANCO_[A-Z0-9_]+", guide)) - {"PUNTOBANCO_SETTINGS"} <= variables
    for section, name in re.findall(rf"`({'|'.join(SECTIONS)})\.([a-z0-9_]+)", guide):
        assert name in settings_of(section), f"{section}.{name}"
    families = {family.name for family in Metrics(puntobanco.__version__).registry.collect()}
    figures = set(re.findall(r"\bpuntobanco_[a-z_]+", guide))
    assert len(figures) > 5
    for figure in figures:
        assert re.sub("_(total|bucket|count|sum|info)$", "", figure) in families, figure
