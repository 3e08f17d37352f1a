"""The states that stored histories lead to, pinned by digests: `python -m tests.golden.states` writes them anew.

A digest covers the state after every event and the order of the stakes, without the fields at their default: what a
later program adds to a state moves nothing.
"""

import json
from hashlib import sha256
from pathlib import Path

import msgspec

from puntobanco.rules import library
from puntobanco.store import codec
from puntobanco.table.evolve import evolve
from puntobanco.table.felt import Edition
from puntobanco.table.state import State
from tests.histories import kept, path

FILE = Path(__file__).parent / "states.json"
EDITIONS = [int(edition) for edition in Edition if path(edition).exists()]
"""Those of which there are histories."""

DEFAULTS = msgspec.structs.asdict(State())


def digest(edition: int, game: str) -> str:
    """The states that the histories of that edition and game lead to."""
    found = sha256()
    for one in kept(edition):
        if one.game != game:
            continue
        state = State()
        for kind, body in one.events:
            state = evolve(state, codec.decode(kind, bytes(body)))
            known = {name: value for name, value in msgspec.structs.asdict(state).items() if value != DEFAULTS[name]}
            plain = msgspec.to_builtins(known, str_keys=True, order="deterministic")
            found.update(msgspec.json.encode([plain, list(state.stakes)], order="deterministic"))
    return found.hexdigest()[:12]


def main() -> None:
    found = {str(edition): {game: digest(edition, game) for game in library.GAMES} for edition in EDITIONS}
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
