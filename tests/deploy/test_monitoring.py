"""The alert rules and the dashboard ask only for what the house emits."""

import json
import re
from typing import Any

import pytest
import yaml

from puntobanco.house.operations.metrics import Metrics
from tests.checkout import ROOT
from tests.test_tidy import VALUES

ALERTS: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "alerts.yaml").read_text(encoding="utf-8"))
DASHBOARD: dict[str, Any] = json.loads((ROOT / "deploy" / "dashboard.json").read_text(encoding="utf-8"))
RULES: list[dict[str, Any]] = [rule for group in ALERTS["groups"] for rule in group["rules"]]
QUERIES: list[tuple[str, str]] = [
    (target["expr"], target.get("legendFormat", "")) for panel in DASHBOARD["panels"] for target in panel["targets"]
]
EMITTED = re.compile(r"\b(puntobanco_\w+|process_\w+|up)\b(?:\{([^}]*)\})?")


def labels_of() -> dict[str, set[str]]:
    """The labels of every name that a scrape has."""
    metrics = Metrics("0")
    found: dict[str, set[str]] = {"up": {"job"}}
    for one in metrics.described:
        names = [one.name] if one.type != "histogram" else [one.name + end for end in ("_bucket", "_sum", "_count")]
        found |= {name: {*one.labels, "le"} if name.endswith("_bucket") else {*one.labels} for name in names}
    for family in metrics.registry.collect():
        if family.name.startswith("process_"):
            found |= {sample.name: set() for sample in family.samples}
    return found


def check(expression: str, shown: str) -> None:
    """Every metric, label and value of an expression exists, and so does every label of the text beside it."""
    known = labels_of()
    asked = EMITTED.findall(expression)
    assert asked, expression
    for name, selector in asked:
        assert name in known, f"nothing emits {name}"
        for label, compared, value in re.findall(r'(\w+)(=~|=)"([^"]*)"', selector):
            assert label in known[name], f"{name} has no label {label}"
            values = value.split("|") if compared == "=~" else [value]
            assert label == "job" or set(values) <= VALUES[name, label], f"{label} of {name} is never {value}"
    kept = {label for listed in re.findall(r"\bby \(([^)]*)\)", expression) for label in re.split(r",\s*", listed)}
    available = set.union(*(known[name] for name, _ in asked))
    assert kept <= available, expression
    used = set(re.findall(r"\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}", shown))
    assert used <= (kept or available), f"{expression} has no label {used}"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_an_alert_asks_for_what_the_house_emits(rule: dict[str, Any]) -> None:
    assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}
    assert rule["labels"]["severity"] in ("critical", "warning")
    assert re.fullmatch(r"\d+[smh]", rule.get("for", "1s"))
    check(rule["expr"], rule["annotations"]["summary"].replace("{{ $value }}", ""))


def test_alerts_have_a_name_each() -> None:
    assert len({rule["alert"] for rule in RULES}) == len(RULES) > 10


@pytest.mark.parametrize(("expression", "legend"), QUERIES)
def test_a_panel_asks_for_what_the_house_emits(expression: str, legend: str) -> None:
    check(expression, legend)


def test_the_panels_do_not_overlap() -> None:
    covered: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & covered, panel["title"]
        assert at["x"] + at["w"] <= 24
        covered |= cells
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def test_every_metric_is_on_the_dashboard_or_in_an_alert() -> None:
    """Without the digest of the program and the files that differ, which `/health` shows."""
    asked = {
        name
        for text in [*(rule["expr"] for rule in RULES), *(one for one, _ in QUERIES)]
        for name, _ in EMITTED.findall(text)
    }
    described = {one.name for one in Metrics("").described}
    seen = {re.sub("_(bucket|sum|count)$", "", name) for name in asked}
    assert described - seen == {"puntobanco_build_info", "puntobanco_program_differs"}
