"""What keeps the repository tidy: one name for one thing, documentation that is true, and a map that is current."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any, TypeGuard

import msgspec
import pytest

from docs import game_files, generate, posts_page, repository_map
from puntobanco.house.operations.metrics import DECIDED, REVERSED, VOID, WITHOUT_BETS, Metrics
from puntobanco.house.operations.settings import SECTIONS, settings_of
from puntobanco.protocol.administrative_commands import SECONDED_BY
from puntobanco.rules.library import ParagraphKind, ParagraphMode
from puntobanco.rules.outcome import Winner
from puntobanco.rules.refusal import Reason
from puntobanco.table.setup import Policy, Setup, Timing
from puntobanco.table.state import Phase
from puntobanco.web.http.operations import OPERATIONS
from puntobanco.web.server.admission import Flood

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "puntobanco"
MODULES = {str(file.relative_to(SOURCE)): file.read_text(encoding="utf-8") for file in sorted(SOURCE.rglob("*.py"))}
TREES = {name: ast.parse(text) for name, text in MODULES.items()}

LONGEST = 400
LONG: dict[str, str] = {
    "cli/house.py": "a subcommand is mostly its options and their help",
    "cli/odds.py": "a subcommand is mostly its options and their help",
    "house/house.py": "everything a person may do passes here once, to be checked in one order",
    "house/operations/settings.py": "a list of settings, each with its meaning",
    "house/tables/writer.py": "the queue, the batch and its acknowledgement are one algorithm",
    "rules/refusal.py": "the closed list of reasons",
    "store/postgres.py": "one engine behind the interface of the store, statement by statement",
    "table/betting.py": "the commands of betting, in the order of a round",
    "table/command_table.py": "one entry for each command",
    "table/commands.py": "the closed list of commands",
    "table/dealing.py": "the commands of dealing, in the order of a round",
    "table/events.py": "the closed list of events",
    "table/evolve.py": "one match over every event, so that the type checker finds a missing one",
    "table/irregularities.py": "every fault and what the rules make of it, paragraph by paragraph",
    "table/narration.py": "a sentence for every event",
    "table/views.py": "what each audience is shown, field by field",
    "web/http/examples.py": "an example of every answer and message",
    "web/server/uvicorn_protocols.py": "two protocols of uvicorn, changed where they must be",
}
"""Modules of more than 400 lines, and why they are not cut."""


# ---- names and sizes ---------------------------------------------------------------------------------------------


def test_a_public_class_has_a_name_of_its_own() -> None:
    places = defaultdict(list)
    for name, tree in TREES.items():
        for one in tree.body:
            if isinstance(one, ast.ClassDef) and not one.name.startswith("_"):
                places[one.name].append(name)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_a_module_is_not_long_without_a_reason() -> None:
    long = {name for name, text in MODULES.items() if text.count("\n") > LONGEST}
    assert long - LONG.keys() == set(), "cut it, or say why not"
    assert LONG.keys() - long == set(), "no longer long"


# ---- the map -----------------------------------------------------------------------------------------------------


def test_every_package_says_what_belongs_in_it_and_what_does_not() -> None:
    for name, tree in TREES.items():
        if name.endswith("__init__.py"):
            doc = ast.get_docstring(tree) or ""
            assert len(doc.splitlines()) >= 3, f"{name} says too little"


def test_the_map_is_current() -> None:
    assert repository_map.README.read_text(encoding="utf-8") == generate.readme(), "run 'make docs'"
    assert repository_map.PAGE.read_text(encoding="utf-8") == repository_map.page(), "run 'make docs'"


def test_contributing_lists_every_field_of_a_game_file() -> None:
    assert game_files.PAGE.read_text(encoding="utf-8") == generate.contributing(), "run 'make docs'"
    assert game_files.KINDS.keys() == set(ParagraphKind)
    assert game_files.MODES.keys() == set(ParagraphMode)


def test_every_path_of_the_map_exists() -> None:
    section = repository_map.README.read_text(encoding="utf-8").partition("## Where things are")[2]
    tasks, _, rest = section.partition("| to change")[2].partition(generate.BEGIN)
    beside = rest.partition(generate.END)[2].split("```")[1]
    named = re.findall(r"`([\w./]*(?:/|\.py|\.ts|\.svelte|\.md))`", tasks)
    assert len(re.findall(r"^\| ", tasks, re.MULTILINE)) >= 15
    assert len(named) >= 40
    paths = [ROOT / path if path.startswith(("ui/", "docs/", "tests/", "deploy/")) else SOURCE / path for path in named]
    paths += [ROOT / line.split()[0] for line in beside.splitlines() if line]
    assert [path for path in paths if not path.exists()] == []


def test_every_module_and_link_that_a_page_names_exists() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    gone = []
    for page in pages:
        text = page.read_text(encoding="utf-8")
        modules = re.findall(r"`(?:src/puntobanco/)?((?:[a-z_]+/)+[a-z_]+\.py)`", text)
        gone += [name for name in modules if not any((top / name).exists() for top in (SOURCE, ROOT))]
        links = re.findall(r"\]\(([^)#\s]+)", text)
        gone += [link for link in links if "://" not in link and not (page.parent / link).exists()]
    in_the_site = set(re.findall(r"^[a-z/-]+$", (ROOT / "docs" / "index.md").read_text(encoding="utf-8"), re.MULTILINE))
    gone = [link for link in gone if link.removeprefix("../").removesuffix(".md") not in in_the_site]
    assert gone == []


# ---- metrics -----------------------------------------------------------------------------------------------------

VALUES: dict[tuple[str, str], frozenset[str]] = {
    ("puntobanco_tables", "phase"): frozenset(Phase),
    ("puntobanco_sign_ins_total", "result"): frozenset({"signed_in", *Reason}),
    ("puntobanco_rounds_total", "result"): frozenset({*Winner, VOID, WITHOUT_BETS, DECIDED, REVERSED}),
    ("puntobanco_floods_total", "what"): frozenset(Flood),
    ("puntobanco_refusals_total", "reason"): frozenset(Reason),
}
"""Labels from closed lists."""

DOCUMENTED = [
    str(file.relative_to(ROOT)) for folder in ("operator", "adr") for file in (ROOT / "docs" / folder).glob("*.md")
]


def test_the_posts_are_listed_as_they_are() -> None:
    assert posts_page.PAGE.read_text(encoding="utf-8") == posts_page.page(), "run 'make docs'"


def test_the_guide_lists_every_metric() -> None:
    assert generate.WATCHING.read_text(encoding="utf-8") == generate.watching(), "run 'make docs'"
    described = {one.name for one in Metrics("").described}
    registered = {one.name for one in Metrics("").registry.collect() if one.name.startswith("puntobanco_")}
    assert {re.sub("_(total|info)$", "", name) for name in described} == registered


@pytest.mark.parametrize("page", DOCUMENTED)
def test_every_metric_and_label_that_is_documented_is_emitted(page: str) -> None:
    labels: dict[str, tuple[str, ...]] = {}
    for one in Metrics("").described:
        names = [one.name] if one.type != "histogram" else [one.name + end for end in ("", "_bucket", "_sum", "_count")]
        labels |= dict.fromkeys(names, one.labels)
    text = (ROOT / page).read_text(encoding="utf-8")
    for name, selector in re.findall(r"\b(puntobanco_[a-z_]+)(?:\{([^}]*)\})?", text):
        assert name in labels, f"nothing emits {name}"
        for label, value in re.findall(r'(\w+)="([^"]*)"', selector):
            assert label in labels[name], f"{name} has no label {label}"
            assert value in VALUES[name, label], f"{label} of {name} is never {value}"


def test_every_metric_is_counted_by_somebody() -> None:
    """Each method of `Metrics` is called outside its module, so that no metric stays at nought."""
    counting = TREES["house/operations/metrics.py"]
    [metrics] = [one for one in counting.body if isinstance(one, ast.ClassDef) and one.name == "Metrics"]
    methods = {one.name for one in metrics.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_")}
    called = {name for module, tree in TREES.items() for name in _calls(tree) if "metrics.py" not in module}
    assert methods - called - {"silent"} == set(), "`silent` is read by the metrics themselves"


def _calls(tree: ast.Module) -> Iterator[str]:
    """Methods taken of something called metrics."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            of = node.value
            name = of.attr if isinstance(of, ast.Attribute) else of.id if isinstance(of, ast.Name) else ""
            if name == "metrics":
                yield node.attr


# ---- policies and settings ---------------------------------------------------------------------------------------


def _policies() -> dict[str, tuple[str, str]]:
    """The fields of docs/rulings.md with their default and other values."""
    text = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
    table = text.partition("## Policy fields at a glance")[2].partition("\n\nEverything else")[0]
    rows = re.findall(r"^\| `([\w.]+)`([^|]*)\| ([^|]*) \| ([^|]*) \|", table, re.MULTILINE)
    return {name + re.sub(r"\W", "", of): (default, other) for name, of, default, other in rows}


def test_every_documented_policy_can_be_set() -> None:
    places: dict[str, Any] = {"": Policy, "ofthetiming": Timing, "ofthesetup": Setup}
    documented = set()
    for name, (default, other) in _policies().items():
        if "." in name:
            section, _, setting = name.removesuffix("asetting").partition(".")
            assert settings_of(section)[setting].default is (default == "`true`"), name
            continue
        [(of, kind)] = [(of, kind) for of, kind in places.items() if name.endswith(of) and of] or [("", Policy)]
        field = name.removesuffix(of)
        documented.add(field)
        fields = {one.name: one for one in msgspec.structs.fields(kind)}
        assert field in fields, f"{field} cannot be set"
        choices = fields[field].type
        if isinstance(choices, type) and issubclass(choices, StrEnum):
            written = set(re.findall(r"`([A-Z_]+)`", f"{default} {other}"))
            assert written == {one.name for one in choices}, field
    assert {one.name for one in msgspec.structs.fields(Policy)} <= documented, "a policy without a ruling"


def test_every_policy_is_in_the_guide_to_scenarios() -> None:
    text = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    table = text.partition("### `[policy]`")[2].partition("\n### ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == {
        one.name for one in msgspec.structs.fields(Policy)
    }


def test_every_setting_is_in_the_reference() -> None:
    reference = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    for section in SECTIONS:
        part = reference.partition(f"## `[{section}]`")[2].partition("\n## ")[0]
        assert set(re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE)) == settings_of(section).keys(), section


# ---- decisions and operations ------------------------------------------------------------------------------------


def test_decisions_are_numbered_without_gaps_and_listed() -> None:
    folder = ROOT / "docs" / "adr"
    files = sorted(file.name for file in folder.glob("[0-9]*.md"))
    assert [int(name[:4]) for name in files] == list(range(1, len(files) + 1))
    assert re.findall(
        r"^\| \[\d{4}\]\(([^)]*)\)", (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    ) == (files)
    for name in files:
        assert (folder / name).read_text(encoding="utf-8").startswith(f"# {name[:4]}: "), name


def test_every_http_operation_is_declared_as_data() -> None:
    """Whatever takes a `Call` is private to its module or declared; no other route leads to a handler."""
    import_module("puntobanco.web.routes")  # the handlers declare themselves when they are imported
    assert Counter((one.method, one.path) for one in OPERATIONS).most_common(1)[0][1] == 1
    for module, tree in TREES.items():
        if module.startswith("web/handlers/"):
            own = f"puntobanco.{module.removesuffix('.py').replace('/', '.')}"
            declared = {one.handler.__name__ for one in OPERATIONS if one.handler.__module__ == own}
            assert {one.name for one in tree.body if _takes_call(one) and one.name[0] != "_"} == declared, module


def _takes_call(one: ast.stmt) -> TypeGuard[ast.AsyncFunctionDef]:
    """Whether it is a coroutine function of one request."""
    if not isinstance(one, ast.AsyncFunctionDef):
        return False
    return [ast.unparse(argument.annotation) for argument in one.args.args if argument.annotation] == ["Call"]


def test_the_second_person_reads_what_every_administrative_command_asks() -> None:
    described = set(re.findall(r'case "(\w+)"', (ROOT / "ui/src/lib/desk/waiting.ts").read_text(encoding="utf-8")))
    assert {kind.__name__ for kind in SECONDED_BY} <= described
