"""A clean checkout to build from."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def clean_checkout(folder: Path) -> Path:
    """Copy the files that are or may be committed, and nothing that was installed or built."""
    named = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    listed = subprocess.run(named, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.split("\0"):
        if name and (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder
