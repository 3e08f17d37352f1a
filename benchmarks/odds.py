"""Odds and simulation, ours beside straightforward Python and beside C of our own, compiled on the spot.

One table, one run: every figure is the median of several, and all are taken in turn, so that a machine that slows down
slows all of them down.
"""

import ctypes
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from tests.golden import exact as enumeration

from puntobanco.odds import exact, simd, tables
from puntobanco.odds.pricing import price
from puntobanco.odds.protection import live
from puntobanco.odds.shoe import Shoe
from puntobanco.odds.simulate import Plan, SimulationMode, outcome_of_key, play, simulate
from puntobanco.rules import library
from puntobanco.rules.cards import Card, Rank
from puntobanco.rules.coup import Coup

REPEATS = 7
SHOE = Shoe.of(8)


class Limits:
    """The C program, or nothing where there is no compiler."""

    def __init__(self, library_file: str) -> None:
        self.c: Any = ctypes.CDLL(library_file)
        self.player = np.ascontiguousarray(tables.player_draws(), np.uint8)
        self.alone = np.ascontiguousarray(tables.banker_draws_alone(), np.uint8)
        self.banker = np.ascontiguousarray(tables.banker_draws(), np.uint8)
        self.weights = np.ascontiguousarray(tables.banker_draws(), np.float64)
        self.state = np.random.SeedSequence(3).generate_state(64, np.uint64)
        self.tally, self.small = np.zeros(1601, np.int64), np.zeros(1601, np.uint32)
        self.cards = np.array([rank << 4 | points for rank, points in enumerate(tables.POINTS)] * 32, np.uint8)
        self.rules = [_at(one) for one in (self.player, self.alone, self.banker)]

    @property
    def has_vectors(self) -> bool:
        return hasattr(self.c, "fresh_vector")

    def fresh_scalar(self, rounds: int) -> None:
        self.c.fresh_scalar(_at(self.state), ctypes.c_int64(rounds), 416, 32, *self.rules, _at(self.tally))

    def fresh_vector(self, rounds: int) -> None:
        outcomes = outcome_of_key()
        self.c.fresh_vector(_at(self.state), ctypes.c_int64(rounds), 416, 32, _at(outcomes), _at(self.small))

    def shoes_scalar(self, rounds: int) -> None:
        many = ctypes.c_int64(rounds)
        self.c.shoes_scalar(_at(self.state), many, _at(self.cards), 416, 1, 14, *self.rules, _at(self.tally))

    def exact_points(self, times: int = 1) -> Any:
        _, four, five, _ = exact.stages(SHOE)
        m, out = np.array(SHOE.classes, np.float64), np.zeros((2, 2, 10, 10))
        ways = (ctypes.c_double(four), ctypes.c_double(five))
        self.c.exact_points_often(ctypes.c_int64(times), _at(m), *ways, *self.rules[:2], _at(self.weights), _at(out))
        return out


def _at(array: Any) -> Any:
    return array.ctypes.data_as(ctypes.c_void_p)


def compiled(folder: str) -> Limits | None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    source, target = Path(__file__).with_name("limits.c"), str(Path(folder) / "limits.so")
    command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", target, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return Limits(target) if done.returncode == 0 else None


# ---- straightforward Python --------------------------------------------------------------------------------------


def plain_rounds(rounds: int) -> None:
    """A loop as one writes it first: a shoe, six cards, the rules."""
    cards = [Card(rank) for rank in Rank] * 32
    for _ in range(rounds):
        drawn, coup = random.sample(cards, 6), Coup()
        for card in drawn:
            if coup.is_complete:
                break
            coup = coup.draw(card)
        _ = coup.outcome


def plain_enumeration() -> None:
    enumeration.six_cards.cache_clear()
    enumeration.distribution(8)


# ---- measuring ---------------------------------------------------------------------------------------------------

Case = tuple[str, Callable[[], object], float]
"""A name, what to do, and how much is done by it."""


def measured(cases: list[Case]) -> dict[str, float]:
    """The median rate of each, taken in turn."""
    for _, work, _ in cases:
        work()
    taken: dict[str, list[float]] = {name: [] for name, _, _ in cases}
    for done in range(REPEATS):
        for name, work, amount in cases:
            started = time.perf_counter()
            work()
            taken[name].append(amount / (time.perf_counter() - started))
        print(f"\rodds: {done + 1} of {REPEATS} runs ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return {name: statistics.median(rates) for name, rates in taken.items()}


def times(work: Callable[[], object], many: int) -> Callable[[], None]:
    def repeated() -> None:
        for _ in range(many):
            work()

    return repeated


def fresh_cases(limits: Limits | None) -> list[Case]:
    rounds = 40_000_000
    one = Plan(rounds=rounds)
    two = Plan(rounds=8 * 2**26)
    cases: list[Case] = [
        ("plain Python loop", lambda: plain_rounds(3_000), 3_000),
        ("ours, one core", lambda: play(one, 0), rounds),
        ("ours, one thread of simulate", lambda: simulate(two, workers=1), two.rounds),
        ("ours, two threads of simulate", lambda: simulate(two, workers=2), two.rounds),
    ]
    if limits is not None:
        cases.append(("C, scalar", lambda: limits.fresh_scalar(4_000_000), 4_000_000))
        if limits.has_vectors:
            cases.append(("C, limit", lambda: limits.fresh_vector(rounds), rounds))
    return cases


def shoe_cases(limits: Limits | None) -> list[Case]:
    plan = Plan(rounds=2_000_000, mode=SimulationMode.SHOE, burn=1)
    cases: list[Case] = [("ours, one core", lambda: play(plan, 0), plan.rounds)]
    if limits is not None:
        cases.append(("C, scalar", lambda: limits.shoes_scalar(plan.rounds), plan.rounds))
    return cases


def exact_cases(limits: Limits | None) -> list[Case]:
    game = library.game("wu-song")
    cases: list[Case] = [
        ("points and cards, plain enumeration", plain_enumeration, 1),
        ("points and cards, ours", times(lambda: exact.points(SHOE), 400), 400),
        ("joint law with pairs, ours", times(lambda: exact.law(SHOE), 200), 200),
        ("all bets of Wu Song as fractions", times(lambda: price(game, SHOE), 20), 20),
        ("a live shoe, all bets", times(lambda: live(game, SHOE), 100), 100),
    ]
    if limits is not None:
        assert (limits.exact_points() == exact.points(SHOE)).all()
        cases.append(("points and cards, C limit", lambda: limits.exact_points(400), 400))
    return cases


def show(title: str, rates: dict[str, float], unit: str, scale: float, ratios: list[tuple[str, str, str]]) -> None:
    print(f"\n{title}")
    for name, rate in rates.items():
        shown = f"{rate / scale:,.3f} {unit}" if scale else f"{1e6 / rate:,.1f} µs"
        print(f"  {name:<40}{shown:>24}")
    for said, one, other in ratios:
        if one in rates and other in rates:
            print(f"  {said:<40}{rates[one] / rates[other]:>24.2f}")


def main() -> None:
    print(f"{os.cpu_count()} cores, numpy {np.__version__}, blocks of {simd.BLOCK}, {simd.LANES} rounds side by side")
    with tempfile.TemporaryDirectory() as folder:
        limits = compiled(folder)
        if limits is None:
            print("no C compiler: the limits are left out")
        fresh = measured(fresh_cases(limits))
        show(
            "Fresh shoe every round, full tally", fresh, "M rounds/s", 1e6,
            [
                ("ours / C limit (at least 0.35)", "ours, one core", "C, limit"),
                ("ours / C scalar (at least 3)", "ours, one core", "C, scalar"),
                (
                    "two cores / one (at least 1.7)", "ours, two threads of simulate", "ours, one thread of simulate",
                ),
                ("ours / plain Python", "ours, one core", "plain Python loop"),
            ],
        )  # fmt: skip
        shoes = measured(shoe_cases(limits))
        ratio = [("ours / C scalar (at least 0.9)", "ours, one core", "C, scalar")]
        show("Whole shoes to a cut card, full tally", shoes, "M rounds/s", 1e6, ratio)
        counted = measured(exact_cases(limits))
        show(
            "Exact, eight decks", counted, "", 0,
            [
                ("C limit / ours (at most 3)", "points and cards, C limit", "points and cards, ours"),
                ("ours / enumeration", "points and cards, ours", "points and cards, plain enumeration"),
            ],
        )  # fmt: skip


if __name__ == "__main__":
    main()
