"""The container file and the compose file: parsed, and what they say done by processes. No image was ever built."""

import json
import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from puntobanco.house.operations.settings import Settings
from puntobanco.house.operations.settings_loading import load
from puntobanco.rules.plain_data import plain
from puntobanco.rules.refusal import Expected, Refused
from tests.checkout import ROOT, clean_checkout
from tests.deploy.containerfile import Built, build, stages
from tests.store.engines import new_database, postgres
from tests.web.running import Running

SCREENS, PROGRAM, IMAGE = stages()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
HOUSE, DATABASE = COMPOSE["services"]["house"], COMPOSE["services"]["database"]
PROXY = {"PUNTOBANCO_WEB_TRUSTED_PROXIES": "10.88.0.0/16", "PUNTOBANCO_WEB_PUBLIC_URL": "https://tables.example"}


def of_the_house() -> dict[str, str]:
    return {name: value for name, value in IMAGE.environment().items() if name.startswith("PUNTOBANCO_")}


# ---- the container file --------------------------------------------------------------------------------------------


def test_every_source_that_is_copied_into_the_image_exists_and_is_sent_to_the_engine() -> None:
    sent = re.findall(r"(?m)^!(.*)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"))
    copied = [rest.split()[:-1] for stage in (SCREENS, PROGRAM, IMAGE) for rest in stage.of("COPY")]
    for source in (source for sources in copied if not sources[0].startswith("--from") for source in sources):
        assert (ROOT / source).exists(), source
        assert source.partition("/")[0] in sent, source
    left_out = (ROOT / ".dockerignore").read_text(encoding="utf-8").partition("!deploy\n")[2].splitlines()
    assert {f"deploy/{Path(one['file']).parent}" for one in COMPOSE["secrets"].values()} <= {*left_out}


def test_the_image_runs_as_nobody_special_on_the_python_we_need() -> None:
    assert [stage.base for stage in (SCREENS, PROGRAM, IMAGE)] == ["node:20-slim", *["python:3.11-slim"] * 2]
    assert (IMAGE.of("USER"), IMAGE.of("VOLUME"), IMAGE.of("WORKDIR")) == (["puntobanco"], ["/data"], ["/data"])
    words = [word for word, _ in IMAGE.instructions]
    assert words.index("USER") > max(at for at, word in enumerate(words) if word == "RUN")


def test_what_builds_the_image_is_pinned() -> None:
    for line in PROGRAM.of("RUN"):
        for installed in re.findall(r"pip install ([^&]*)", line):
            names = [word for word in installed.split() if not word.startswith("-")]
            assert all("==" in name or name.startswith("/build") for name in names), installed
    assert any("npm ci" in line for line in SCREENS.of("RUN"))


def test_a_container_starts_only_when_it_is_told_of_its_proxy() -> None:
    with pytest.raises(Refused) as caught:
        load(None, of_the_house())
    assert caught.value.parameters["expected"] == plain(Expected.PROXIES)
    settings = load(None, of_the_house() | PROXY)
    assert (settings.web.host, settings.web.secure_cookies, settings.house.demo) == ("0.0.0.0", True, False)
    assert settings.store.place == "house.db", "in /data, where the program starts"


def test_the_image_is_asked_whether_it_is_ready_at_the_port_it_listens_on() -> None:
    assert f":{Settings().web.port}/health/ready" in IMAGE.of("HEALTHCHECK")[0]
    assert IMAGE.of("EXPOSE") == [str(Settings().web.port)]


# ---- the compose file ----------------------------------------------------------------------------------------------


def test_only_the_house_is_published_and_only_on_this_machine() -> None:
    assert "ports" not in DATABASE
    assert HOUSE["ports"] == [f"127.0.0.1:{Settings().web.port}:{Settings().web.port}"]
    assert DATABASE["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"]["internal"] is True


@pytest.mark.parametrize("service", [HOUSE, DATABASE])
def test_services_write_to_their_volumes_only(service: dict[str, Any]) -> None:
    assert service["read_only"] is True
    assert "/tmp" in service["tmpfs"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert {volume.partition(":")[0] for volume in service["volumes"]} <= COMPOSE["volumes"].keys()


def test_secrets_are_files_and_no_variable_holds_one() -> None:
    for service in (HOUSE, DATABASE):
        named = {value for name, value in service["environment"].items() if name.endswith("_FILE")}
        assert named == {f"/run/secrets/{secret}" for secret in service["secrets"]}
    used = {secret for service in (HOUSE, DATABASE) for secret in service["secrets"]}
    assert COMPOSE["secrets"] == {secret: {"file": f"secrets/{secret}"} for secret in used}
    assert "password" not in json.dumps([HOUSE["environment"], DATABASE["environment"]]).replace("_password", "")


def test_the_house_waits_for_its_database_and_has_time_to_finish_rounds() -> None:
    assert HOUSE["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert "pg_isready" in DATABASE["healthcheck"]["test"]
    assert int(HOUSE["stop_grace_period"].removesuffix("s")) > Settings().tables.drain
    assert (ROOT / "deploy" / HOUSE["build"]["context"]).resolve() == ROOT
    assert (ROOT / HOUSE["build"]["dockerfile"]).is_file()


# ---- both, as processes --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("image")
    return build(folder, clean_checkout(folder / "context"))


def test_the_steps_of_the_container_file_install_the_program_with_its_screens(built: Built) -> None:
    (static,) = built.root.glob("opt/puntobanco/lib/python*/site-packages/puntobanco/web/static")
    assert (static / "index.html").is_file()
    assert (built.root / "data").stat().st_mode & 0o777 == 0o700
    assert built.written_down == [
        "useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin puntobanco",
        "install -d -m 0700 -o puntobanco -g puntobanco /data",
    ]


def test_everything_in_the_image_is_pinned(built: Built) -> None:
    pip = str(built.root / "opt/puntobanco/bin/pip")
    listed = [pip, "list", "--format=freeze", "--exclude=pip", "--exclude=puntobanco"]
    installed = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    pinned = (ROOT / "requirements.txt").read_text(encoding="utf-8") + "setuptools==80.9.0"
    assert names_of(installed) == names_of(re.sub("#.*", "", pinned))


def names_of(requirements: str) -> set[str]:
    return {line.lower().replace("_", "-") for line in requirements.split("\n") if line}


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """What the service `database` provides."""
    with postgres() as server:
        yield new_database(server)


@pytest.fixture
def told(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of the service `house`, with the secrets at their place and a port of its own."""
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    contents = {"store_place": database, "store_key": "aG91c2UgaG91c2UgaG91c2UgaG91c2UgaG91c2UgISE=",
                "metrics_token": "0123456789abcdef"}  # fmt: skip
    for name in HOUSE["secrets"]:
        (secrets / name).write_text(contents[name] + "\n", encoding="utf-8")
        (secrets / name).chmod(0o600)
    monkeypatch.setenv("PUNTOBANCO_WEB_PUBLIC_URL", PROXY["PUNTOBANCO_WEB_PUBLIC_URL"])
    return {
        name: re.sub(r"\$\{(\w+):\?[^}]*\}", lambda found: os.environ[found[1]], value).replace(
            "/run/secrets", str(secrets)
        )
        for name, value in HOUSE["environment"].items()
    }


def written(root: Path) -> dict[str, tuple[int, int]]:
    """Every file below a folder with its size and the moment of its last change."""
    files = (path for path in root.rglob("*") if path.is_file())
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


def test_the_services_of_the_compose_file_become_ready_as_processes_and_write_to_their_volumes_only(
    built: Built, told: dict[str, str]
) -> None:
    """PostgreSQL and the entry point of the image, side by side; the house is asked as the health check asks."""
    program, port = built.root / "opt", str(free_port())
    before = written(program)
    options = of_the_house() | told | {"PUNTOBANCO_WEB_HOST": "127.0.0.1", "PUNTOBANCO_WEB_PORT": port}
    with Running(built.root / "data", told=options, command=built.command()) as house:
        house.until("Listening on https://tables.example")
        asked = [word.replace(f":{Settings().web.port}/", f":{port}/") for word in built.health()]
        assert subprocess.run(asked, check=False).returncode == 0
        house.told(signal.SIGTERM)
        assert house.ended() == 0
    assert written(program) == before
    assert {path.name for path in (built.root / "data").iterdir()} == {"house.log"}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        port: int = one.getsockname()[1]
        return port
