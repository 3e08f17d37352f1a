"""No sequence of commands brings a table into a state the rules do not know."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puntobanco.rules import library
from puntobanco.table.decide import Refusal
from puntobanco.table.events import BetAttested, BetsDecided
from puntobanco.table.state import BETWEEN_ROUNDS, Phase, State
from tests.table.chance import PEOPLE, next_step, random_command
from tests.table.pit import Pit

FELTS = [
    (key, layout.key if layout else None) for key in library.GAMES for layout in library.game(key).layouts or (None,)
]


def table(felt: tuple[str, str | None], *, face_down: bool, automatic: bool = False) -> Pit:
    key, layout = felt
    people = dict.fromkeys(PEOPLE, 20_000_00)
    return Pit(key, layout, face_down=face_down, decks=4, people=people, automatic=automatic)


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
        if before.reached not in (Phase.BETTING, Phase.CLOSING) and pit.state.round == before.round:
            after_the_close(pit, before)
        if pit.state.house_deals:
            within_the_limits(pit, before)
    return accepted


def after_the_close(pit: Pit, before: State) -> None:
    """Once bets are closed no stake is raised or lowered, unless the House decides on it; it may only leave by a right,
    or join by attestation."""
    decided = {one.key: one.stake for event in pit.told(BetsDecided)[-1:] for one in event.bets}
    settled = {one.key: one.stake for one in pit.state.settled}
    told = pit.events[before.version - pit.state.version :]
    for key, stake in pit.state.stakes.items():
        was = before.stakes.get(key)
        if was is not None and "@" not in key:
            attested = any(isinstance(event, BetAttested) and event.stake.key == key for event in told)
            by_decision = decided.get(key) == stake or (key in decided and settled.get(key) == stake.amount)
            assert stake.amount == was.amount or by_decision or (attested and stake.amount > was.amount)


def within_the_limits(pit: Pit, before: State) -> None:
    """Where the house deals nothing comes to lie under the minimum, unless the House decides so, and nothing plays pro
    rata. What lies there stays when the minimum is raised."""
    setup = pit.state.setup
    assert setup is not None
    assert pit.state.plays == {}
    if pit.state.in_round:
        named = {one.key for event in pit.told(BetsDecided) if event.round == pit.state.round for one in event.bets}
        moved = [one for key, one in pit.state.stakes.items() if one != before.stakes.get(key) and key not in named]
        assert all(one.amount >= setup.least(one.bet) for one in moved if "@" not in one.bet)


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
@given(seed=st.integers(0, 2**32), felt=st.sampled_from(FELTS), face_down=st.booleans(), automatic=st.booleans())
def test_random_commands_keep_every_invariant_and_every_round_can_end(
    seed: int, felt: tuple[str, str | None], face_down: bool, automatic: bool
) -> None:
    rng = random.Random(seed)
    pit = table(felt, face_down=face_down, automatic=automatic)
    play(pit, rng, 120)
    conclude(pit, rng)


@pytest.mark.parametrize("felt", [("commission", "A"), ("insurance", "G"), ("wu-song", "E")])
def test_a_long_run_gets_everywhere(felt: tuple[str, str | None]) -> None:
    rng = random.Random(7)
    pit = table(felt, face_down=False)
    accepted = play(pit, rng, 3_000)
    assert accepted > 500
    assert pit.state.round > 20
