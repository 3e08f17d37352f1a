"""No sequence of commands brings a table into a state the rules do not know."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puntobanco.rules import library
from puntobanco.table.decide import Refusal
from puntobanco.table.events import BetAttested
from puntobanco.table.state import BETWEEN_ROUNDS, Phase, State
from tests.table.chance import PEOPLE, next_step, random_command
from tests.table.pit import Pit

FELTS = [
    (key, layout.key if layout else None) for key in library.GAMES for layout in library.game(key).layouts or (None,)
]


def table(felt: tuple[str, str | None], *, face_down: bool) -> Pit:
    key, layout = felt
    return Pit(key, layout, face_down=face_down, decks=4, people=dict.fromkeys(PEOPLE, 20_000_00))


def play(pit: Pit, rng: random.Random, commands: int) -> int:
    """Send random commands; every invariant is checked after each. Returns how many were accepted."""
    accepted = 0
    for _ in range(commands):
        before = pit.state
        command, by = random_command(rng, pit)
        answer = pit.tell(command, by)
        if isinstance(answer, Refusal):
            assert pit.state is before
            continue
        accepted += 1
        if before.phase not in (Phase.BETTING, Phase.CLOSING) and pit.state.round == before.round:
            after_the_close(pit, before)
    return accepted


def after_the_close(pit: Pit, before: State) -> None:
    """Once bets are closed no stake is raised or lowered; it may only leave by a right, or join by attestation."""
    for key, stake in pit.state.stakes.items():
        was = before.stakes.get(key)
        if was is not None and "@" not in key:
            attested = isinstance(pit.events[-1], BetAttested) and pit.events[-1].stake.key == key
            assert stake.amount == was.amount or (attested and stake.amount > was.amount)


def conclude(pit: Pit, rng: random.Random) -> None:
    """From any state a round can be concluded or voided."""
    for _ in range(80):
        if pit.phase in BETWEEN_ROUNDS:
            return
        step = next_step(pit, rng)
        assert step is not None
        pit.tell(*step)
    raise AssertionError(f"the round can neither conclude nor void: {pit.phase}")


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), felt=st.sampled_from(FELTS), face_down=st.booleans())
def test_random_commands_keep_every_invariant_and_every_round_can_end(
    seed: int, felt: tuple[str, str | None], face_down: bool
) -> None:
    rng = random.Random(seed)
    pit = table(felt, face_down=face_down)
    play(pit, rng, 120)
    conclude(pit, rng)


@pytest.mark.parametrize("felt", [("commission", "A"), ("insurance", "G"), ("wu-song", "E")])
def test_a_long_run_gets_everywhere(felt: tuple[str, str | None]) -> None:
    rng = random.Random(7)
    pit = table(felt, face_down=False)
    accepted = play(pit, rng, 3_000)
    assert accepted > 500
    assert pit.state.round > 20
