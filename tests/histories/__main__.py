"""Write what tables of the current edition do, for every version of the program after this one."""

import lzma
import random
import sys
from collections.abc import Iterator, Sequence

import msgspec

from puntobanco.rules import library
from puntobanco.rules.game import Game
from puntobanco.store import codec
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Confirmation
from puntobanco.table.events import AnyEvent
from puntobanco.table.felt import CURRENT
from puntobanco.table.scenario import read_scenario, run
from tests.histories import Kept, path
from tests.table.pit import AT_ONCE, DEALER, MANAGER, STAFF, YEAR_2026, Pit
from tests.table.test_random_commands import FELTS, conclude, play, table
from tests.table.test_scenarios import FILES

SEEDS, COMMANDS = 2, 120


def histories() -> Iterator[Kept]:
    for file in FILES:
        scenario = read_scenario(library.read_toml(file), file.name)
        game = library.game(scenario.game)
        yield _kept(file.stem, game, run(scenario, game, file.name).events)
    for seed in range(SEEDS * len(FELTS)):
        rng = random.Random(seed)
        pit = table(FELTS[seed % len(FELTS)], face_down=seed >= len(FELTS))
        play(pit, rng, COMMANDS)
        conclude(pit, rng)
        yield _kept(f"random-{seed}", pit.game, pit.events)
    served = _served()
    yield _kept("staff", served.game, served.events)


def _served() -> Pit:
    """Staff buy in and bet for a guest, who cashes out and buys in again; then the table closes."""
    pit = Pit("commission")
    for _ in range(2):
        asked = By(STAFF[DEALER], DEALER, YEAR_2026, confirmed=Confirmation.PIN)
        pit.tell(c.BuyIn(person="cat", amount=1_000_00), asked)
        pit.open()
        lines = (c.Line(bet="player", amount=100_00, box=1),)
        pit.staff(DEALER, c.PlaceBets(round=pit.state.round, owner="cat", requested=True, lines=lines))
        pit.close()
        pit.deal("9 2 K K")
        pit.settle()
        pit.player("cat", c.CashOut(person="cat", amount=100_00))
    pit.staff(MANAGER, AT_ONCE)
    return pit


def _kept(name: str, game: Game, events: Sequence[AnyEvent]) -> Kept:
    stored = tuple((codec.kind_of(event), msgspec.Raw(codec.encode(event))) for event in events)
    return Kept(name, game.key, game.fingerprint, stored)


if path(CURRENT).exists():
    sys.exit(f"{path(CURRENT)} is written already")
path(CURRENT).write_bytes(lzma.compress(b"\n".join(map(msgspec.json.encode, histories())), preset=9))
