"""What pyproject.toml cannot say: building screens that are not built yet, and links in the readme that work elsewhere.

`PUNTOBANCO_SITE` is the address of the repository on its host, such as `https://git.example/tables/puntobanco`. Without
it a package has no project URLs, and its readme no images and no links to files.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).parent
INDEX = ROOT / "src" / "puntobanco" / "web" / "static" / "index.html"
SITE = os.environ.get("PUNTOBANCO_SITE", "").rstrip("/")
URLS = {
    "Source": "",
    "Documentation": "/blob/HEAD/docs/index.md",
    "Changelog": "/blob/HEAD/CHANGELOG.md",
    "Issues": "/issues",
}
LINK = re.compile(r"(!?)\[([^]]*)\]\((?!https?:|#)([^)]+)\)")


def build_screens() -> None:
    if INDEX.exists():
        return
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("The screens are not built. Install Node.js 20.19 or newer, or build them elsewhere with 'make ui'.")
    for command in (["ci", "--no-fund", "--no-audit"], ["run", "build"]):
        subprocess.run([npm, *command], cwd=ROOT / "ui", check=True)


def readme() -> str:
    def link(found: re.Match[str]) -> str:
        image, text, path = found.groups()
        if SITE:
            return f"{image}[{text}]({SITE}/{'raw' if image else 'blob'}/HEAD/{path})"
        return "" if image else text

    return LINK.sub(link, (ROOT / "README.md").read_text(encoding="utf-8"))


class BuildWithScreens(build_py):
    def run(self) -> None:
        if not self.editable_mode:
            build_screens()
        super().run()


class SdistWithScreens(sdist):
    def run(self) -> None:
        build_screens()
        super().run()


setup(
    cmdclass={"build_py": BuildWithScreens, "sdist": SdistWithScreens},
    long_description=readme(),
    long_description_content_type="text/markdown",
    project_urls={name: f"{SITE}{path}" for name, path in URLS.items()} if SITE else {},
)
