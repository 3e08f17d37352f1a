"""The map of the repository in README.md, and docs/map.md, drawn from the docstrings and the import graph."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
README = ROOT / "README.md"
WHO_IMPORTS = (
    "An arrow is an import; one that follows from other arrows is omitted. If a box lists several files, at least one "
    "of them has the import."
)
PAGE = Path(__file__).parent / "map.md"

PACKAGE = "puntobanco"
CUT = (PACKAGE, f"{PACKAGE}.house", f"{PACKAGE}.web")
"""Packages whose parts are drawn, each in a diagram of its own."""

Edges = Mapping[str, frozenset[str]]


def tree() -> str:
    """Every package with the first line of its docstring."""
    packages = [one for one in _modules() if one.is_package and one.name != PACKAGE]
    rows = [(f"{'    ' * (one.name.count('.') - 1)}{one.name.rpartition('.')[2]}/", one.title) for one in packages]
    roads = next(one for one in _modules() if one.name == f"{PACKAGE}.roads")
    rows.append(("roads.py", roads.title))
    width = max(len(name) for name, _ in rows) + 2
    return "\n".join(["```", f"src/{PACKAGE}/", *(f"    {name:{width}}{title}" for name, title in rows), "```"])


def diagrams() -> Iterator[str]:
    """Who imports whom: an arrow for each import that does not follow from other arrows."""
    graph = grimp.build_graph(PACKAGE, cache_dir=None)
    for package in CUT:
        yield f"Inside `{package.replace('.', '/')}/`:"
        yield "\n".join(["```mermaid", "flowchart TD", *_arrows(_edges(graph, package)), "```"])


def readme() -> str:
    """The generated part of the section "Where things are"."""
    return "\n\n".join(
        [
            tree(),
            WHO_IMPORTS,
            *diagrams(),
        ]
    )


def page() -> str:
    """Every module with the first sentence of its docstring."""
    lines = ["# Map", "", "Generated from docstrings by `make docs`; a test keeps it true. README.md has the overview."]
    for package in (one for one in _modules() if one.is_package):
        lines += ["", f"## `{package.name.replace('.', '/')}/`", "", package.about, ""]
        inside = [one for one in _modules() if one.name.rpartition(".")[0] == package.name and not one.is_package]
        if inside:
            lines += ["| module | what |", "|---|---|", *(f"| `{one.path}` | {one.title} |" for one in inside)]
    return "\n".join([*lines, ""])


# ---- docstrings --------------------------------------------------------------------------------------------------


class Documented:
    """A module or package and what its docstring says."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.is_package = file.name == "__init__.py"
        where = file.parent if self.is_package else file.with_suffix("")
        self.name = ".".join(where.relative_to(SOURCE).parts)
        self.doc = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""

    @property
    def path(self) -> str:
        return self.file.name

    @property
    def title(self) -> str:
        """The first paragraph, of which the first sentence if it has several."""
        first = " ".join(self.doc.partition("\n\n")[0].split())
        return first.partition(". ")[0].rstrip(".")

    @property
    def about(self) -> str:
        """What belongs there and what does not: the docstring up to its first example."""
        paragraphs = self.doc.split("\n\n")
        text = [one for one in paragraphs if not one.startswith((">>>", "async ", "    "))]
        return "\n\n".join(text[:2])


@cache
def _modules() -> list[Documented]:
    """Packages before what is in them, each in the order of the alphabet."""
    found = [Documented(file) for file in SOURCE.rglob("*.py") if file.name != "__main__.py"]
    return sorted(found, key=lambda one: one.name.split("."))


# ---- the import graph --------------------------------------------------------------------------------------------


def _edges(graph: grimp.ImportGraph, package: str) -> Edges:
    """Between the packages inside. Modules beside them are one node, except those that a package imports."""
    parts = graph.find_children(package)
    rooms = {part for part in parts if graph.find_children(part)}
    imports = {
        part: {
            other
            for other in parts - {part}
            if graph.direct_import_exists(importer=part, imported=other, as_packages=True)
        }
        for part in parts
    }
    below = {other for room in rooms for other in imports[room]} | rooms
    beside = sorted(parts - below)

    def node(part: str) -> str:
        if part in rooms:
            return f"{part.rpartition('.')[2]}/"
        return f"{part.rpartition('.')[2]}.py" if part in below else ", ".join(f"{_last(one)}.py" for one in beside)

    edges: dict[str, set[str]] = {node(part): set() for part in sorted(parts) if _last(part) != "__main__"}
    for part, others in imports.items():
        if _last(part) != "__main__":
            edges[node(part)] |= {node(other) for other in others} - {node(part)}
    return _reduced({name: frozenset(others) for name, others in edges.items()})


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _reduced(edges: Edges) -> Edges:
    """Without the arrows that follow from others."""

    def reached(name: str) -> frozenset[str]:
        return edges[name].union(*(reached(other) for other in edges[name]))

    return {name: others.difference(*(reached(other) for other in others)) for name, others in edges.items()}


def _arrows(edges: Edges) -> Iterator[str]:
    ids = {name: f"n{number}" for number, name in enumerate(sorted(edges))}
    for name in sorted(edges):
        yield f'    {ids[name]}["{name}"]'
    for name in sorted(edges):
        yield from (f"    {ids[name]} --> {ids[other]}" for other in sorted(edges[name]))
