"""Simulation: play rounds and tally them by Outcome, so that one run prices every bet.

Work is split into pieces of fixed size, each with its own random stream derived from the seed and the piece number. A
seed therefore gives the same tally on one core, on many, and on a cluster.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from enum import StrEnum
from fractions import Fraction
from functools import cache
from math import sqrt

import msgspec
import numpy as np

from puntobanco.odds import simd, tables
from puntobanco.odds.chance import chi_square_tail
from puntobanco.odds.exact import Law, law
from puntobanco.odds.pricing import Menu, dot, menu
from puntobanco.odds.shoe import Shoe
from puntobanco.odds.tables import CELLS, Ints
from puntobanco.rules.arguments import check_fields, checked
from puntobanco.rules.game import Game, Layout
from puntobanco.rules.html import html_table
from puntobanco.rules.outcome import finishes, reachable
from puntobanco.rules.refusal import Reason, Refused

MOST_ROUNDS = 10**15
PIECE = {"fresh": 2**26, "shoe": 2**21}
"""Rounds per piece: about a quarter of a second."""


class SimulationMode(StrEnum):
    FRESH = "fresh"
    SHOE = "shoe"


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What to simulate. Equal plans give equal tallies."""

    rounds: int
    decks: int = 8
    mode: SimulationMode = SimulationMode.FRESH
    seed: int = 1
    burn: int = 0
    cut_card: int = 14

    def __post_init__(self) -> None:
        check_fields(self)
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise Refused(Reason.ROUNDS_OUT_OF_RANGE, rounds=self.rounds, most=f"{MOST_ROUNDS:,}")
        if not 1 <= self.decks <= 100:
            raise Refused(Reason.DECKS_OUT_OF_RANGE, decks=self.decks, least=1, most=100)
        if not 0 <= self.burn <= 52 or not 0 <= self.cut_card < 52 * self.decks:
            raise Refused(Reason.SHOE_SET_WRONGLY, burn=self.burn, cut_card=self.cut_card)
        if not 0 <= self.seed < 2**128:
            raise Refused(Reason.SEED_OUT_OF_RANGE, seed=self.seed)

    @property
    def pieces(self) -> int:
        return -(-self.rounds // PIECE[self.mode])

    @checked
    def rounds_of(self, piece: int) -> int:
        return min(PIECE[self.mode], self.rounds - piece * PIECE[self.mode])


@cache
def outcome_of_key() -> "np.ndarray[tuple[int], np.dtype[np.uint16]]":
    """The Outcome of each key of a fresh-shoe round by the table of play; last, discarded rounds."""
    cells = np.full(simd.KEYS + 1, CELLS, np.uint16)
    for key in range(simd.KEYS):
        pairs, player, banker, fifth, sixth = (key // 10_000, *(key // 10**place % 10 for place in (3, 2, 1, 0)))
        (end,) = finishes(player, banker, fifth, sixth)
        cells[key] = tables.cell(pairs, *end)
    return cells


def play(plan: Plan, piece: int) -> Ints:
    """The tally of one piece: rounds by reachable Outcome, and last those that ran out of cards."""
    stream = np.random.SeedSequence(plan.seed, spawn_key=(piece,))
    state = stream.generate_state(4 * simd.GENERATORS, np.uint64).reshape(4, simd.GENERATORS)
    tally = np.zeros(CELLS + 1, np.int64)
    rounds, copies = plan.rounds_of(piece), 4 * plan.decks
    if plan.mode is SimulationMode.FRESH and plan.decks <= MOST_DECKS_IN_LANES:
        counted = np.zeros(CELLS + 1, np.uint32)
        simd.play_fresh(state, rounds, 13 * copies, copies, outcome_of_key(), counted)
        tally[:CELLS] = counted[:CELLS]
    else:
        cards = np.array([rank << 4 | points for rank, points in enumerate(tables.POINTS)] * copies, np.uint8)
        fresh = plan.mode is SimulationMode.FRESH
        cut_card = cards.size if fresh else plan.cut_card
        simd.play_shoes(state, rounds, cards, 0 if fresh else plan.burn, cut_card, *tables.rules(), tally)
    return np.append(tally[tables.cell_of_outcome()], tally[CELLS])


LOOKS = 24
"""Points of a convergence chart before the first whole piece."""


def first_looks(plan: Plan) -> Iterator[tuple[int, Ints]]:
    """Tallies of the beginning of the first piece, ever further: the same rounds as in the whole run. The first rounds
    of a long run are left out: they are so far off that the chart would show nothing else."""
    end = min(plan.rounds, PIECE[plan.mode])
    steps = np.geomspace(end / 1_000, end, LOOKS) if end > 10_000 else np.linspace(max(1, end / LOOKS), end, LOOKS)
    for rounds in np.unique(steps.astype(np.int64))[:-1].tolist():
        yield rounds, play(msgspec.structs.replace(plan, rounds=rounds), 0)


MOST_DECKS_IN_LANES = 16
"""With more decks, too many rounds would be discarded as biased, and ranks could not be computed by multiplication."""


Progress = Callable[["Simulation"], None]


class Simulation(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Rounds tallied by Outcome. `complete` is false if the run was interrupted; then `rounds` is what was played."""

    plan: Plan
    tally: Ints
    seconds: float
    path: tuple[tuple[int, Ints], ...] = ()
    """Intermediate tallies, for the convergence chart."""

    def __repr__(self) -> str:
        return f"<Simulation {self.rounds:,} rounds, {self.plan.decks} decks, seed {self.plan.seed}>"

    def _repr_html_(self) -> str:
        fit = self.chi_square
        rows = [
            ("Rounds", f"{self.rounds:,}"), ("Without a result", f"{self.void:,}"),
            ("Chi-square", f"{fit.value:.1f}, {fit.freedom} degrees of freedom"), ("By chance", f"{fit.p:.3f}"),
        ]  # fmt: skip
        return html_table("Simulation", ("Measure", "Value"), rows)

    @property
    def rounds(self) -> int:
        return int(self.tally.sum())

    @property
    def void(self) -> int:
        return int(self.tally[-1])

    @property
    def complete(self) -> bool:
        return self.rounds == self.plan.rounds

    @property
    def rounds_per_second(self) -> float:
        return self.rounds / self.seconds if self.seconds else 0.0

    @property
    def exact(self) -> Law:
        return law(Shoe.of(self.plan.decks))

    @checked
    def bets(self, game: Game, layout: Layout | str | None = None) -> dict[str, "Estimate"]:
        """Every bet of the layout, simulated and exact."""
        compiled = menu(game, game.layout(layout))
        return dict(zip(compiled.at, _estimates(compiled, self.tally, self.exact), strict=True))

    @property
    def chi_square(self) -> "Fit":
        """How well the joint tally fits the exact distribution. Outcomes expected fewer than five times are pooled."""
        exact, n = self.exact, self.rounds
        expected = np.append(np.array([int(way) / exact.total * n for way in exact.ways]), exact.void / exact.total * n)
        often = expected >= 5
        seen = np.append(self.tally[often], self.tally[~often].sum())
        hoped = np.append(expected[often], expected[~often].sum())
        seen, hoped = seen[hoped > 0], hoped[hoped > 0]
        value = float(((seen - hoped) ** 2 / hoped).sum())
        return Fit(value, len(hoped) - 1, chi_square_tail(value, len(hoped) - 1))


class Fit(msgspec.Struct, frozen=True):
    """A chi-square, its degrees of freedom, and the probability of a larger one by chance."""

    value: float
    freedom: int
    p: float


class Estimate(msgspec.Struct, frozen=True):
    """A simulated house edge, its standard error, and the exact edge."""

    house_edge: float
    stderr: float
    exact: Fraction

    @property
    def z(self) -> float:
        """By how many standard errors the simulation is off."""
        return (self.house_edge - float(self.exact)) / self.stderr if self.stderr else 0.0


def _estimates(compiled: Menu, tally: Ints, exact: Law) -> Iterator[Estimate]:
    rounds, unit = int(tally.sum()), compiled.unit
    gained, squared = dot(compiled.gains, tally[:-1]), dot(compiled.squares, tally[:-1])
    worth = dot(compiled.gains, exact.ways)
    for gain, square, ways in zip(gained, squared, worth, strict=True):
        mean = Fraction(gain, rounds * unit)
        variance = Fraction(square, rounds * unit * unit) - mean * mean
        yield Estimate(-float(mean), sqrt(variance / rounds), Fraction(-ways, exact.total * unit))


def simulate(plan: Plan, *, workers: int | None = None, progress: Progress | None = None) -> Simulation:
    """Play the plan on that many threads, all cores by default. Ctrl-C returns what was played so far.

    >>> simulate(Plan(rounds=1000, seed=7)).rounds
    1000
    """
    workers = (os.cpu_count() or 1) if workers is None else workers
    if not 1 <= workers <= 1024:
        raise Refused(Reason.WORKERS_OUT_OF_RANGE, workers=workers)
    with ThreadPoolExecutor(workers) as pool:
        try:
            return gather(plan, _tallies(pool, plan, ahead=2 * workers), progress)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _tallies(pool: ThreadPoolExecutor, plan: Plan, ahead: int) -> Iterator[Ints]:
    """Tallies as they complete, with a limited number of pieces queued."""
    waiting: set[Future[Ints]] = set()
    for piece in range(plan.pieces):
        waiting.add(pool.submit(play, plan, piece))
        if len(waiting) >= ahead:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (one.result() for one in done)
    yield from (one.result() for one in as_completed(waiting))


def gather(plan: Plan, tallies: Iterable[Ints], progress: Progress | None = None) -> Simulation:
    """Add up tallies as they arrive. An interruption ends the run with those so far."""
    started = time.perf_counter()
    tally = np.zeros(len(reachable()) + 1, np.int64)
    path: list[tuple[int, Ints]] = []
    so_far = Simulation(plan=plan, tally=tally, seconds=0.0)
    try:
        for one in tallies:
            tally = tally + one
            rounds = int(tally.sum())
            if not path or rounds >= path[-1][0] * 1.1 or rounds == plan.rounds:
                path.append((rounds, tally))
            so_far = Simulation(plan=plan, tally=tally, seconds=time.perf_counter() - started, path=tuple(path))
            if progress is not None:
                progress(so_far)
    except KeyboardInterrupt:
        if so_far.rounds == 0:
            raise
    return so_far
