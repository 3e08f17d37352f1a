"""What ships a house says what the code says: sources that exist, settings that are known, times that fit."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import puntobanco
from puntobanco.house.operations.metrics import Metrics
from puntobanco.house.operations.settings import SECTIONS, Settings, settings_of
from puntobanco.house.operations.settings_loading import load
from puntobanco.rules.plain_data import plain
from puntobanco.rules.refusal import Expected, Refused

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"

# ---- the container -----------------------------------------------------------------------------------------------


def instructions() -> Iterator[tuple[str, str]]:
    """Each instruction of the container file on one line."""
    text = re.sub(r"(?m)^\s*#.*\n", "", (DEPLOY / "Containerfile").read_text(encoding="utf-8"))
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip():
            word, _, rest = line.strip().partition(" ")
            yield word, rest.strip()


def of(word: str) -> list[str]:
    return [rest for name, rest in instructions() if name == word]


def environment() -> dict[str, str]:
    """The settings the container has of its own."""
    pairs = (pair.partition("=") for rest in of("ENV") for pair in shlex.split(rest))
    return {name: value for name, _, value in pairs if name.startswith("PUNTOBANCO_")}


def test_every_source_that_is_copied_into_the_container_exists() -> None:
    copied = [source for rest in of("COPY") if "--from" not in rest for source in rest.split()[:-1]]
    assert {"requirements.txt", "pyproject.toml", "src"} <= set(copied)
    for source in copied:
        assert (ROOT / source).exists(), source


def test_the_container_runs_as_nobody_special_on_the_python_we_need() -> None:
    assert all(rest.startswith("python:3.11-slim") for rest in of("FROM"))
    assert of("USER") == ["puntobanco"]
    assert of("VOLUME") == ["/data"]
    words = [word for word, _ in instructions()]
    assert words.index("USER") > max(at for at, word in enumerate(words) if word == "RUN")


def test_what_builds_the_container_is_pinned() -> None:
    for line in of("RUN"):
        for installed in re.findall(r"pip install ([^&]*)", line):
            names = [word for word in installed.split() if not word.startswith("-")]
            assert all("==" in name or name.startswith("/build") for name in names), installed


def test_a_container_starts_only_when_it_is_told_of_its_proxy() -> None:
    with pytest.raises(Refused) as caught:
        load(None, environment())
    assert caught.value.parameters["expected"] == plain(Expected.PROXIES)
    told = {"PUNTOBANCO_WEB_TRUSTED_PROXIES": "10.88.0.0/16", "PUNTOBANCO_WEB_PUBLIC_URL": "https://tables.example"}
    settings = load(None, environment() | told)
    assert (settings.web.host, settings.web.secure_cookies, settings.house.demo) == ("0.0.0.0", True, False)
    assert settings.store.place.startswith("/data/")


def test_the_container_is_asked_whether_it_is_ready() -> None:
    (check,) = of("HEALTHCHECK")
    assert "/health/ready" in check
    assert of("EXPOSE") == [environment()["PUNTOBANCO_WEB_PORT"]]


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
    guide = (ROOT / "docs" / "operator.md").read_text(encoding="utf-8")
    variables = {one.variable for section in SECTIONS for one in settings_of(section).values()}
    assert set(re.findall(r"\bPUNTOBANCO_[A-Z0-9_]+", guide)) - {"PUNTOBANCO_SETTINGS"} <= variables
    for section, name in re.findall(rf"`({'|'.join(SECTIONS)})\.([a-z0-9_]+)", guide):
        assert name in settings_of(section), f"{section}.{name}"
    families = {family.name for family in Metrics(puntobanco.__version__).registry.collect()}
    figures = set(re.findall(r"\bpuntobanco_[a-z_]+", guide))
    assert len(figures) > 5
    for figure in figures:
        assert re.sub("_(total|bucket|count|sum|info)$", "", figure) in families, figure
