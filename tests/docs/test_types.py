"""The examples of the README are typed: what an editor shows beside them is complete."""

import doctest
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_examples_of_the_readme_pass_a_strict_type_check(tmp_path: Path) -> None:
    examples = doctest.DocTestParser().get_examples((ROOT / "README.md").read_text(encoding="utf-8"))
    program = tmp_path / "examples.py"
    program.write_text("".join(one.source for one in examples), encoding="utf-8")
    assert len(examples) > 8
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", tmp_path / "cache", program],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
