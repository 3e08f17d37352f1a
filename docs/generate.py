"""Writes docs/round.md from the tables in `puntobanco.table.phases`; `make docs`."""

from pathlib import Path

from puntobanco.rules.library import sentences
from puntobanco.table.phases import HEARD, LEADS
from puntobanco.table.state import Phase

PAGE = Path(__file__).parent / "round.md"


def page() -> str:
    said = sentences("en").table["word"]
    lines = [
        "# A round, phase by phase",
        "",
        "Generated from `src/puntobanco/table/phases.py` by `make docs`; a test keeps it true.",
        "",
        "## The phases",
        "",
        "| phase | in words |",
        "|---|---|",
        *(f"| `{phase}` | {said[phase]} |" for phase in Phase),
        "",
        "## Where commands lead",
        "",
        "```mermaid",
        "stateDiagram-v2",
        "    [*] --> closed",
    ]
    for (phase, command), leads in LEADS.items():
        lines += [f"    {phase} --> {to}: {command.__name__}" for to in sorted(leads)]
    lines += [
        "```",
        "",
        "Every other accepted command leaves the phase as it is.",
        "",
        "## What is heard when",
        "",
        "| command | heard in |",
        "|---|---|",
        *(
            f"| `{command.__name__}` | {', '.join(phase for phase in Phase if phase in heard)} |"
            for command, heard in HEARD.items()
        ),
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
