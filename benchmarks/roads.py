"""How long the five roads of a shoe take, whole and round by round, beside a plain reading of their definition."""

import random
import statistics
import time
from collections.abc import Callable, Sequence
from itertools import groupby

from puntobanco.roads import ROWS, Mark, Place, RoadCell, Roads, Turn
from puntobanco.rules.outcome import Winner

SHOES, ROUNDS, REPEATS = 60, 80, 9

Laid = tuple[str, list[Place]]


# ---- the reference: every road written down from its definition, on the grid and on all runs ----------------------


def by_definition(
    marks: Sequence[Mark], turn: Turn = Turn.STAY_ON_ROW
) -> tuple[list[RoadCell], list[RoadCell], list[Laid]]:
    """Bead plate, Big Road, and the three derived roads as colours and places."""
    bead_plate = [RoadCell((number // ROWS, number % ROWS), mark) for number, mark in enumerate(marks)]
    results = [number for number, mark in enumerate(marks) if mark.winner is not Winner.TIE]
    places = laid_out([marks[number].winner for number in results], turn)
    big_road = []
    for nth, (place, number) in enumerate(zip(places, results, strict=True)):
        following = results[nth + 1] if nth + 1 < len(results) else len(marks)
        ties = following - number - 1 + (results[0] if nth == 0 else 0)
        big_road.append(RoadCell(place, marks[number], ties))
    runs = [len(list(run)) for _, run in groupby(marks[number].winner for number in results)]
    derived = [colours(runs, back) for back in (1, 2, 3)]
    return bead_plate, big_road, [(one, laid_out(one, turn)) for one in derived]


def laid_out(kinds: Sequence[str], turn: Turn) -> list[Place]:
    taken: set[Place] = set()
    places = []
    start = -1
    for _, run in groupby(kinds):
        start += 1
        while (start, 0) in taken:
            start += 1
        column, row, turned = start, 0, False
        for nth, _ in enumerate(run):
            may_drop = turn is Turn.DROP_WHEN_FREE or not turned
            if nth and may_drop and row + 1 < ROWS and (column, row + 1) not in taken:
                row += 1
            elif nth:
                column, turned = column + 1, True
            taken.add((column, row))
            places.append((column, row))
    return places


def colours(runs: Sequence[int], back: int) -> str:
    found = ""
    for n, length in enumerate(runs):
        for r in range(1, length + 1):
            if r == 1 and n - 1 - back >= 0:
                found += "r" if runs[n - 1] == runs[n - 1 - back] else "b"
            elif r > 1 and n - back >= 0:
                found += "b" if r == runs[n - back] + 1 else "r"
    return found


# ---- the measurement ---------------------------------------------------------------------------------------------


def rebuilt(marks: Sequence[Mark]) -> tuple[list[RoadCell], list[RoadCell], list[Laid]]:
    roads = Roads(marks)
    return roads.bead_plate, roads.big_road, [(road.colours, road.places) for road in roads.derived]


def one_by_one(marks: Sequence[Mark]) -> None:
    roads = Roads()
    for mark in marks:
        roads.add(mark)


def microseconds(work: Callable[[Sequence[Mark]], object], marks: Sequence[Mark]) -> float:
    taken = []
    for _ in range(REPEATS):
        started = time.perf_counter_ns()
        work(marks)
        taken.append(time.perf_counter_ns() - started)
    return statistics.median(taken) / 1000


def shoe(chance: random.Random) -> list[Mark]:
    """Results about as often as eight decks give them."""
    winners = chance.choices([Winner.BANKER, Winner.PLAYER, Winner.TIE], weights=[459, 446, 95], k=ROUNDS)
    return [Mark(one, chance.random() < 0.07, chance.random() < 0.07, chance.random() < 0.34) for one in winners]


def main() -> None:
    chance = random.Random(80)
    shoes = [shoe(chance) for _ in range(SHOES)]
    assert all(rebuilt(one) == by_definition(one) for one in shoes), "only equal answers are worth comparing"
    whole, plain, steps = zip(
        *([microseconds(work, one) for work in (rebuilt, by_definition, one_by_one)] for one in shoes), strict=True
    )
    ours, reference, step = statistics.median(whole), statistics.median(plain), statistics.median(steps) / ROUNDS
    print(f"roads of {ROUNDS} rounds, rebuilt          {ours:7.1f} µs   aim 100 µs")
    print(f"  by definition                    {reference:7.1f} µs   {reference / ours:5.1f} x")
    print(f"one more round                     {step:7.1f} µs   aim  10 µs")
    print(f"  by definition, all over again    {reference:7.1f} µs   {reference / step:5.1f} x")


if __name__ == "__main__":
    main()
