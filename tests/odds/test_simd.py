"""Simulation kernels do exactly what the plain words say, and a seed gives one tally everywhere."""

import numpy as np
import pytest

from puntobanco.odds import simd, simulate, tables
from puntobanco.odds.chance import chi_square_tail
from puntobanco.odds.simulate import Plan, Simulation, SimulationMode, gather, play
from puntobanco.rules import library
from puntobanco.rules.outcome import finishes, reachable
from puntobanco.rules.refusal import Reason, Refused


def state_of(seed: int) -> "np.ndarray[tuple[int, int], np.dtype[np.uint64]]":
    words = np.random.SeedSequence(seed).generate_state(4 * simd.GENERATORS, np.uint64)
    return np.asarray(words.reshape(4, simd.GENERATORS), np.uint64)


def test_the_generator_is_xoshiro256_plus_plus() -> None:
    state = state_of(5)
    plain = [[int(state[word, lane]) for word in range(4)] for lane in range(simd.GENERATORS)]
    words = np.empty(3 * simd.GENERATORS, np.uint64)
    simd.random_numbers(state, words)
    mask = 2**64 - 1

    def rotate(x: int, k: int) -> int:
        return (x << k | x >> 64 - k) & mask

    for step in range(3):
        for lane, s in enumerate(plain):
            assert int(words[step * simd.GENERATORS + lane]) == (rotate(s[0] + s[3] & mask, 23) + s[0]) & mask
            t = s[1] << 17 & mask
            s[2] ^= s[0]
            s[3] ^= s[1]
            s[1] ^= s[2]
            s[0] ^= s[3]
            s[2] ^= t
            s[3] = rotate(s[3], 45)


def key_of(random: list[int], cards: int, copies: int) -> int:
    """The key of one round, from its six random numbers: the readable equivalent of `_keys_of_lanes`."""
    dealt = [number * cards // 65536 for number in random]
    biased = any(number * cards % 65536 < 65536 % cards for number in random)
    if biased or len(set(dealt)) < 6:
        return simd.THROWN_AWAY
    # the ten is rank 0 here and pictures come last, so that ranks below ten are their points
    ranks = [card // copies for card in dealt]
    points = [rank if rank < 10 else 0 for rank in ranks]
    pairs = 2 * (ranks[0] == ranks[2]) + (ranks[1] == ranks[3])
    player, banker = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
    return ((pairs * 10 + player) * 10 + banker) * 100 + points[4] * 10 + points[5]


@pytest.mark.parametrize("decks", range(1, simulate.MOST_DECKS_IN_LANES + 1))
def test_sixteen_rounds_side_by_side_are_each_the_plain_one(decks: int) -> None:
    words = np.empty(6 * simd.BLOCK // 4, np.uint64)
    simd.random_numbers(state_of(decks), words)
    random = words.view(np.uint16).reshape(6, simd.BLOCK)
    random[:, :8] = np.array([0, 1, 65535, 65536 // decks % 65536, 5041, 630, 4096, 77], np.uint16)
    keys = np.empty(simd.BLOCK, np.uint16)
    simd.keys_of_block(random, keys, 52 * decks, 4 * decks)
    assert [key_of(round, 52 * decks, 4 * decks) for round in random.T.tolist()] == keys.tolist()


@pytest.mark.parametrize("decks", range(1, simulate.MOST_DECKS_IN_LANES + 1))
def test_every_card_is_read_as_its_rank(decks: int) -> None:
    rank = -(-65536 // (4 * decks))
    assert [card * rank >> 16 for card in range(52 * decks)] == [card // (4 * decks) for card in range(52 * decks)]


def test_a_key_comes_to_what_the_rules_say() -> None:
    cells = simulate.outcome_of_key()
    by_cell = dict(zip(tables.cell_of_outcome().tolist(), reachable(), strict=True))
    for key in range(simd.KEYS):
        digits = f"{key % 10_000:04d}"
        player, banker, fifth, sixth = map(int, digits)
        pairs = key // 10_000
        (finish,) = finishes(player, banker, fifth, sixth)
        if (pairs & 2 and player % 2) or (pairs & 1 and banker % 2):
            continue  # a pair has an even total
        outcome = by_cell[int(cells[key])]
        assert (outcome.player_points, outcome.banker_points, outcome.player_cards, outcome.banker_cards) == finish
        assert (outcome.player_pair, outcome.banker_pair) == (pairs & 2 == 2, pairs & 1 == 1)
    assert cells[simd.THROWN_AWAY] == tables.CELLS


@pytest.mark.parametrize("rounds", [1, 17, simd.BLOCK - 1, simd.BLOCK, simd.BLOCK + 1, 3 * simd.BLOCK + 5])
def test_exactly_so_many_rounds_are_played(rounds: int) -> None:
    for mode in SimulationMode:
        tally = play(Plan(rounds=rounds, mode=mode), 0)
        assert tally.sum() == rounds


@pytest.mark.parametrize(
    "plan",
    [
        Plan(rounds=20_000_000, seed=1),
        Plan(rounds=4_000_000, decks=4, seed=2),
        Plan(rounds=1_000_000, decks=1, seed=3),
        Plan(rounds=1_000_000, decks=30, seed=4),
        Plan(rounds=2_000_000, mode=SimulationMode.SHOE, cut_card=415, seed=5),
        Plan(rounds=2_000_000, mode=SimulationMode.SHOE, burn=3, seed=6),
    ],
    ids=str,
)
def test_the_joint_tally_fits_the_exact_law(plan: Plan) -> None:
    run = simulate.simulate(plan)
    assert run.complete
    assert run.chi_square.p > 0.001
    for key in library.GAMES:
        for bet, estimate in run.bets(library.game(key)).items():
            assert abs(estimate.z) < 4.5, (key, bet)


def test_a_shoe_played_to_its_last_card_may_run_out() -> None:
    run = simulate.simulate(Plan(rounds=200_000, mode=SimulationMode.SHOE, decks=1, cut_card=0, seed=1))
    assert run.void > 1_000
    assert run.tally.sum() == 200_000


def test_a_whole_shoe_is_dealt_without_losing_a_card() -> None:
    cards = np.array([rank << 4 | points for rank, points in enumerate(tables.POINTS)] * 32, np.uint8)
    before = np.sort(cards)
    tally = np.zeros(tables.CELLS + 1, np.int64)
    rules = (tables.player_draws(), tables.banker_draws_alone(), tables.banker_draws())
    shoes = simd.play_shoes(state_of(1), 10_000, cards, 1, 14, *rules, tally)
    assert 100 < shoes < 140, "about eighty rounds a shoe"
    assert (np.sort(cards) == before).all()


def test_the_same_seed_gives_the_same_tally_on_any_number_of_workers() -> None:
    plan = Plan(rounds=3 * simulate.PIECE[SimulationMode.SHOE] + 5, mode=SimulationMode.SHOE, seed=9)
    one, three = simulate.simulate(plan, workers=1), simulate.simulate(plan, workers=3)
    assert (one.tally == three.tally).all()
    other = simulate.simulate(Plan(rounds=plan.rounds, mode=SimulationMode.SHOE, seed=10), workers=3)
    assert (one.tally != other.tally).any()


def test_an_interruption_gives_what_was_played() -> None:
    plan = Plan(rounds=10 * simulate.PIECE[SimulationMode.SHOE], mode=SimulationMode.SHOE)

    def stop(so_far: Simulation) -> None:
        if so_far.rounds >= 2 * simulate.PIECE[SimulationMode.SHOE]:
            raise KeyboardInterrupt

    run = simulate.simulate(plan, workers=1, progress=stop)
    assert not run.complete
    assert run.rounds == 2 * simulate.PIECE[SimulationMode.SHOE]
    assert run.path[-1][0] == run.rounds
    assert run.rounds_per_second > 0

    def tallies() -> "list[np.ndarray[tuple[int], np.dtype[np.int64]]]":
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gather(plan, (tally for tally in tallies()))


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Plan(rounds=0), Reason.ROUNDS_OUT_OF_RANGE),
        (lambda: Plan(rounds=10**30), Reason.ROUNDS_OUT_OF_RANGE),
        (lambda: Plan(rounds=1, decks=0), Reason.DECKS_OUT_OF_RANGE),
        (lambda: Plan(rounds=1, burn=53), Reason.SHOE_SET_WRONGLY),
        (lambda: Plan(rounds=1, cut_card=416), Reason.SHOE_SET_WRONGLY),
        (lambda: Plan(rounds=1, seed=-1), Reason.SEED_OUT_OF_RANGE),
        (lambda: simulate.simulate(Plan(rounds=1), workers=0), Reason.WORKERS_OUT_OF_RANGE),
    ],
)
def test_what_cannot_be_played_is_refused(make: object, reason: Reason) -> None:
    assert callable(make)
    with pytest.raises(Refused) as refused:
        make()
    assert refused.value.reason is reason


@pytest.mark.parametrize(
    ("value", "freedom", "tail"),
    [(3.841459, 1, 0.05), (18.307038, 10, 0.05), (29.588298, 10, 0.001), (672, 672, 0.4927), (0, 5, 1.0), (5, 0, 1.0)],
)
def test_tails_of_the_chi_square(value: float, freedom: int, tail: float) -> None:
    assert chi_square_tail(value, freedom) == pytest.approx(tail, abs=1e-4)
