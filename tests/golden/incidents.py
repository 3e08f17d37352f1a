"""Every scenario, pinned by a digest: `python -m tests.golden.incidents` writes them anew.

A scenario states what it is about. Its digest covers the rest: every event, the account of the round as codes and
parameters, and what each post and each person is shown whenever somebody else acts and at the end.
"""

import json
from hashlib import sha256
from itertools import groupby
from pathlib import Path

from puntobanco.rules import library
from puntobanco.table.evolve import replay
from puntobanco.table.felt import Felt
from puntobanco.table.scenario import read_scenario, run
from puntobanco.table.state import State
from tests.golden.walks import encoded, shown

FILE = Path(__file__).parent / "incidents.json"
FILES = sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml"))


def digest(path: Path) -> str:
    scenario = read_scenario(library.read_toml(path), path.name)
    game = library.game(scenario.game)
    played = run(scenario, game, path.name)
    found = sha256(encoded([played.events, played.told]))
    state = State()
    for _, events in groupby(played.events, key=lambda event: event.by):
        state = replay(events, state)
        assert state.setup is not None
        views = shown(Felt.of(game, state.setup), state, scenario.people, automatic=state.house_deals)
        found.update(encoded(list(views)))
    return found.hexdigest()[:12]


def main() -> None:
    found = {path.stem: digest(path) for path in FILES}
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
