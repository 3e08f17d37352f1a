"""The examples of the README and the programs of the tutorials are typed: what an editor shows beside them is
complete."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.test_snippets import ROOT, blocks


def _check(program: str, folder: Path) -> None:
    (folder / "program.py").write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", folder / "cache", "program.py"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_the_examples_of_the_readme_pass_a_strict_type_check(tmp_path: Path) -> None:
    examples = doctest.DocTestParser().get_examples((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(examples) > 8
    _check("".join(one.source for one in examples), tmp_path)


@pytest.mark.parametrize("page", ["auditor", "integrator"])
def test_the_program_of_a_tutorial_passes_a_strict_type_check(page: str, tmp_path: Path) -> None:
    (program,) = (one.text for one in blocks(ROOT / "docs" / "tutorials" / f"{page}.md") if one.language == "python")
    _check(program, tmp_path)
