"""Evenings at a table, drawn by a seed and pinned by digests: `python -m tests.golden.walks` writes them anew.

Each walk sends random commands to a table of its own. The digest of a stretch covers every answer, what every post and
player is then shown, what may be done next, and how the events are narrated, as codes and parameters without the words
of a language. A change of behaviour moves a digest; a digest that should not have moved names the walk and the stretch.
"""

import json
import random
from collections.abc import Collection, Iterator
from enum import EnumType
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import msgspec

from puntobanco.rules import library
from puntobanco.table.authority import Role
from puntobanco.table.decide import Refusal
from puntobanco.table.explain import RunningAccount
from puntobanco.table.felt import Felt
from puntobanco.table.setup import Policy
from puntobanco.table.state import Phase, State
from puntobanco.table.tags import tag_of
from puntobanco.table.views import preview, private_view, public_view
from tests.table.chance import GUESTS, PEOPLE, random_command
from tests.table.pit import Pit

FILE = Path(__file__).parent / "walks.json"
COMMANDS, STRETCH = 400, 20


class Walk(NamedTuple):
    game: str
    layout: str | None
    face_down: bool
    automatic: bool

    @property
    def name(self) -> str:
        felt = f"{self.game}-{self.layout}" if self.layout else self.game
        return f"{felt}{'-face-down' * self.face_down}{'-automatic' * self.automatic}"


WALKS = [
    Walk(key, layout.key if layout else None, face_down, automatic)
    for key in library.GAMES
    for layout in library.game(key).layouts or (None,)
    for face_down in (False, True)
    for automatic in (False, True)
]


def policy(rng: random.Random) -> Policy:
    """Some choice among the readings that a house may make."""
    kinds = {name: kind for name, kind in get_type_hints(Policy).items() if isinstance(kind, EnumType)}
    return Policy(**{name: rng.choice(list(kind)) for name, kind in kinds.items() if rng.random() < 0.4})


def digests(walk: Walk) -> Iterator[str]:
    """One for every stretch of commands."""
    rng = random.Random(walk.name)
    pit = Pit(
        walk.game, walk.layout, face_down=walk.face_down, automatic=walk.automatic, decks=4, policy=policy(rng),
        people=dict.fromkeys(PEOPLE, 20_000_00),
    )  # fmt: skip
    account = RunningAccount(pit.game)
    told, digest = 0, sha256()
    for number in range(1, COMMANDS + 1):
        command, by = random_command(rng, pit)
        answer = pit.tell(command, by)
        if isinstance(answer, Refusal):
            digest.update(encoded([answer, account.refused(by, tag_of(type(command)), answer)]))
        else:
            lines = [account.tell(event) for event in pit.events[told:]]
            told = len(pit.events)
            views = shown(pit.felt, pit.state, (*PEOPLE, *GUESTS), automatic=pit.automatic)
            digest.update(encoded([answer, lines, *views]))
        if number % STRETCH == 0:
            yield digest.hexdigest()[:12]


def shown(felt: Felt, state: State, people: Collection[str], *, automatic: bool) -> Iterator[Any]:
    """What every post and each of those people see."""
    for audience in (*Role, *people, ""):
        yield public_view(felt, state, audience, automatic=automatic, totals=True)
    for person in people:
        yield private_view(felt, state, person)
    yield preview(state) if state.phase is Phase.DECISION else None


def encoded(value: Any) -> bytes:
    """Sets and the fields of structs in order, whatever the process hashes them to."""
    return msgspec.json.encode(_plain(value), order="sorted")


def _plain(value: Any) -> Any:
    match value:
        case msgspec.Struct():
            return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
        case dict():
            return {str(key): _plain(one) for key, one in value.items()}
        case frozenset() | set():
            return sorted(map(str, value))
        case list() | tuple():
            return [_plain(one) for one in value]
        case None | bool() | int() | str():
            return value
        case _:
            return str(value)


def main() -> None:
    found = {}
    for walk in WALKS:
        print(walk.name, flush=True)
        found[walk.name] = list(digests(walk))
    FILE.write_text(json.dumps(found, indent=1).replace('",\n  "', '", "') + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
