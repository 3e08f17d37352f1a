"""Builds the site: collects its pages in build/pages, then Sphinx writes build/site. `python -m docs.site.build`
writes into build/, or into the folder that it is given."""

import os
import posixpath
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from sphinx.cmd.build import main as sphinx

from docs import repository_map
from docs.site import api_pages, game_pages, search, traceability
from docs.site.citations import ROOT, SCENARIOS, TESTS
from docs.site.diagrams import drawn

DOCS = ROOT / "docs"
COPIED = "_copied"
"""A folder beside the pages that goes into the site as it is."""
_DECISIONS = """
```{toctree}
:hidden:
:glob:

0*
```
"""
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?:|mailto:|#)([^)\s#]+)(#[^)\s]*)?\)")
_FENCE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


def written() -> dict[str, Path]:
    """Pages written by hand: name in the site, and file."""
    pages = {str(file.relative_to(DOCS)): file for file in sorted(DOCS.rglob("*.md"))}
    pages["adr/index.md"] = pages.pop("adr/README.md")
    pages |= {"readme.md": ROOT / "README.md", "contributing.md": ROOT / "CONTRIBUTING.md"}
    return pages | {"changelog.md": ROOT / "CHANGELOG.md"}


def generated() -> Iterator[tuple[str, str]]:
    yield from game_pages.pages()
    yield from traceability.pages()
    yield from api_pages.pages()
    yield "architecture.md", architecture()


def architecture() -> str:
    return f"""# Architecture

The approved rules are data; everything else reads them. The same game file that settles a bet at a live table also
prices it exactly, simulates it, draws it on the felt, prints its pay table and proves afterwards that a round was
played by it. [Decisions](adr/index.md) give the reasons, [the map](map.md) lists every module, and [a
round](round.md) draws the phases.

{repository_map.readme()}
"""


def build(folder: Path = ROOT / "build") -> int:
    """Writes `site` in that folder, and what it is made from beside it. Returns the exit code of Sphinx."""
    Stage(folder / "pages").fill()
    shutil.rmtree(folder / "site", ignore_errors=True)
    jobs = str(min(4, os.cpu_count() or 1))
    settings = ["-c", str(Path(__file__).parent), "-D", f"html_extra_path={folder / 'pages' / COPIED}"]
    places = ["-d", str(folder / "doctrees"), str(folder / "pages"), str(folder / "site")]
    code = int(sphinx(["-q", "-W", "--keep-going", "-b", "html", "-j", jobs, *settings, *places]))
    search.write(folder / "site")
    return code


class Stage:
    """The folder of pages that Sphinx reads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written = written()
        self._generated = dict(generated())
        self._by_file = {file.relative_to(ROOT): name for name, file in self._written.items()}

    def fill(self) -> None:
        """Writes every page, and every file that a page links to beside them as text."""
        shutil.rmtree(self._folder, ignore_errors=True)
        for name, file in self._written.items():
            text = file.read_text(encoding="utf-8") + (_DECISIONS if name == "adr/index.md" else "")
            self._write(name, text, file.relative_to(ROOT).parent)
        for name, text in self._generated.items():
            self._write(name, text, Path("docs", name).parent)
        for pictures in (self._folder / "docs" / "screens", self._folder / "screens"):
            shutil.copytree(DOCS / "screens", pictures)
        for top in (SCENARIOS, TESTS, ROOT / "src"):
            for file in top.rglob("*"):
                if file.suffix in (".py", ".toml"):
                    self._copy(file.relative_to(ROOT))

    def _write(self, name: str, text: str, source: Path) -> None:
        target = self._folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(drawn(self._linked(text, name, source)), encoding="utf-8")

    def _copy(self, file: Path) -> str:
        """A file of the repository as text; its place in the site."""
        target = Path("files", f"{file}.txt")
        (self._folder / COPIED / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, self._folder / COPIED / target)
        return str(target)

    def _linked(self, text: str, name: str, source: Path) -> str:
        """The page with links that hold in the site: to another page, or to a copy of the file."""
        here = posixpath.dirname(name) or "."

        def link(found: re.Match[str]) -> str:
            said, path, place = found[1], found[2], found[3] or ""
            file = Path(posixpath.normpath(source / path))
            page = self._by_file.get(file) or str(file).removeprefix("docs/")
            if page in self._written or page in self._generated:
                return f"[{said}]({posixpath.relpath(page, here)}{place})"
            if (ROOT / file).is_file():
                return f'<a href="{posixpath.relpath(self._copy(file), here)}">{said}</a>'
            return said

        parts = _FENCE.split(text)
        return "".join(part if part.startswith("```") else _LINK.sub(link, part) for part in parts)


if __name__ == "__main__":
    sys.exit(build(*map(Path, sys.argv[1:2])))
