"""Where a Chromium is; one is fetched if there is none. Run as a program it says so before the tests need it."""

import os
import shutil
import subprocess
import sys
from functools import cache

NAMES = (os.environ.get("CHROMIUM"), "/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome")


@cache
def chromium() -> str | None:
    """Its path; empty for the one playwright brings; none if there is no way to have one."""
    if found := _here():
        return found
    if not _done(sys.executable, "-m", "playwright", "install", "chromium"):
        return ""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _done("apt-get", "update", "-qq")
        _done("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium")
    return _here()


def _here() -> str | None:
    return next((found for name in NAMES if name and (found := shutil.which(name))), None)


def _done(*program: str) -> int:
    return subprocess.run(
        program, check=False, capture_output=True, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    ).returncode


if __name__ == "__main__":
    found = chromium()
    print("Chromium:", "there is none, tests in a browser fail" if found is None else found or "playwright's own")
