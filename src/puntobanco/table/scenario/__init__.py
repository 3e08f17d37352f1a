"""Scenarios: an incident written down as steps, played at a table of its own, and what was expected of it.

A scenario is read from a file by whoever calls this; here it is already a plain mapping. See docs/scenarios.md.
"""

from puntobanco.table.command_table import WORDS
from puntobanco.table.scenario.checks import Place, check, read_scenario
from puntobanco.table.scenario.play import Miss, ScenarioOutcome, run
from puntobanco.table.scenario_format import Expectation, Scenario, ScenarioStep

__all__ = [
    "WORDS",
    "Expectation",
    "Miss",
    "ScenarioOutcome",
    "Place",
    "Scenario",
    "ScenarioStep",
    "check",
    "read_scenario",
    "run",
]
