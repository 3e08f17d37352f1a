"""`make release`: built from the last commit, with bills of materials, a digest and checksums that are right."""

import hashlib
import json
import re
import subprocess
import zipfile
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

import puntobanco
from puntobanco.house.operations.build_digest import build_digest
from tests.checkout import ROOT, clean_checkout
from tests.deploy.containerfile import clean

NAME = f"puntobanco-{puntobanco.__version__}"
PYTHON, NPM, DIGEST = f"{NAME}-python.cdx.json", f"{NAME}-npm.cdx.json", f"{NAME}.digest"
WHEEL, SOURCE = f"{NAME}-py3-none-any.whl", f"{NAME}.tar.gz"
SITE = "https://git.example/tables/puntobanco"
VALIDATED = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
for version, path in (sys.argv[1:3], sys.argv[3:5]):
    wrong = JsonStrictValidator(SchemaVersion.from_version(version)).validate_str(open(path).read())
    assert wrong is None, wrong
"""


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a release leaves, in a repository where something was built before."""
    repository = clean_checkout(tmp_path_factory.mktemp("release"))
    git = ["git", "-c", "user.name=Test", "-c", "user.email=test@tables.example"]
    for step in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "Everything"]):
        subprocess.run([*git, *step], cwd=repository, check=True)
    stale = repository / "build" / "lib" / "puntobanco" / "stale.py"
    stale.parent.mkdir(parents=True)
    stale.touch()
    (repository / "src" / "puntobanco" / "not_committed.py").touch()
    site = clean() | {"PUNTOBANCO_SITE": SITE}
    done = subprocess.run(["make", "release"], cwd=repository, env=site, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return repository / "dist"


def test_a_release_has_packages_bills_of_materials_and_checksums(dist: Path) -> None:
    files = {path.name for path in dist.iterdir()}
    assert files == {WHEEL, SOURCE, PYTHON, NPM, DIGEST, "SHA256SUMS"}
    lines = [line.split() for line in (dist / "SHA256SUMS").read_text(encoding="ascii").splitlines()]
    sums = {name: digest for digest, name in lines}
    assert sums == {name: hashlib.sha256((dist / name).read_bytes()).hexdigest() for name in files - {"SHA256SUMS"}}


def test_only_what_is_committed_gets_into_a_release(dist: Path) -> None:
    with zipfile.ZipFile(dist / WHEEL) as wheel:
        names = set(wheel.namelist())
    assert "puntobanco/web/static/index.html" in names
    assert not {"puntobanco/stale.py", "puntobanco/not_committed.py"} & names


def test_the_digest_is_what_a_house_reports_of_the_installed_wheel(dist: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(dist / WHEEL) as wheel:
        wheel.extractall(tmp_path)
    assert (dist / DIGEST).read_text(encoding="ascii") == f"{build_digest(tmp_path / 'puntobanco').digest}\n"


def test_a_page_of_the_package_leads_to_the_project_and_shows_the_images(dist: Path) -> None:
    with zipfile.ZipFile(dist / WHEEL) as wheel:
        metadata = message_from_bytes(wheel.read(f"{NAME}.dist-info/METADATA"))
    urls = dict(line.split(", ") for line in metadata.get_all("Project-URL", []))
    assert urls == {
        "Source": SITE,
        "Documentation": f"{SITE}/blob/HEAD/docs/index.md",
        "Changelog": f"{SITE}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{SITE}/issues",
    }
    targets = re.findall(r"(!?)\[[^]]*\]\(([^)#][^)]*)\)", str(metadata.get_payload()))
    assert {path for image, path in targets if image} == {
        f"{SITE}/raw/HEAD/docs/screens/{name}.png" for name in ("terminal", "dealer", "board")
    }
    for _, path in targets:
        assert path.startswith("https://")
        named = path.removeprefix(f"{SITE}/raw/HEAD/").removeprefix(f"{SITE}/blob/HEAD/").partition("#")[0]
        assert named.startswith("https://") or (ROOT / named).exists(), path


def test_the_bills_of_materials_are_valid_and_name_every_pinned_package(dist: Path) -> None:
    python, npm = (json.loads((dist / name).read_text(encoding="utf-8")) for name in (PYTHON, NPM))
    program = dist.parent / "build" / "release" / "venv" / "bin" / "python"
    asked = [python["specVersion"], dist / PYTHON, npm["specVersion"], dist / NPM]
    subprocess.run([program, "-c", VALIDATED, *asked], check=True)
    for bill in (python, npm):
        assert bill["metadata"]["component"]["version"] == puntobanco.__version__
    pinned = re.findall(r"(?m)^([^#\s=]+)==(\S+)$", (ROOT / "requirements.txt").read_text(encoding="utf-8"))
    assert components(python) == set(pinned)
    locked = json.loads((ROOT / "ui" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert components(npm) == {
        (path.rpartition("node_modules/")[2], one["version"]) for path, one in locked.items() if path
    }


def components(bill: dict[str, Any]) -> set[tuple[str, str]]:
    return {(one["name"], one["version"]) for one in bill["components"]}
