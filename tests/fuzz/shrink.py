"""Delta debugging: the shortest part of a script that still fails in the same way, each try in a new house."""

import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from tests.fuzz.fuzzing import replayed
from tests.fuzz.house import furnish
from tests.fuzz.script import Script, Step

TRIES, REPEATS, FEW = 200, 3, 6
"""Parts that may be tried, and how often so few steps are tried, since some fail only now and then."""
ENDS = (50, 400, 3_000, 25_000)
"""How many of the last steps are tried first: most failures have a short history."""


One = TypeVar("One")
Fails = Callable[[list[One]], Awaitable[bool]]
Say = Callable[[str], None]


async def shortest(whole: list[One], fails: Fails[One], say: Say = lambda _: None, tries: int = TRIES) -> list[One]:
    """Zeller's algorithm: leave out ever smaller parts for as long as what is left fails."""
    parts = 2
    while len(whole) > 1:
        size = -(-len(whole) // parts)
        for at in range(0, len(whole), size):
            left = whole[:at] + whole[at + size :]
            if tries <= 0:
                return whole
            tries -= 1
            if left and await fails(left):
                whole, parts = left, max(2, parts - 1)
                say(f"{len(whole)} left")
                break
        else:
            if size == 1:
                return whole
            parts = min(len(whole), 2 * parts)
    return whole


async def thinned(steps: list[Step], fails: Fails[Step], say: Say = lambda _: None) -> list[Step]:
    """The same within each step: the lines of a slip, the chips in a box, the cards of a ruling."""
    for at, step in enumerate(steps):
        held = step.command or step.body
        for name, parts in held.items() if isinstance(held, dict) else ():
            if isinstance(parts, list) and len(parts) > 1:
                with_some = partial(_with, steps, at, name)
                steps = with_some(await shortest(parts, partial(_fails, fails, with_some), say))
    return steps


def _with(steps: list[Step], at: int, name: str, some: list[Any]) -> list[Step]:
    step = steps[at]
    field = "command" if step.command else "body"
    return [*steps[:at], replace(step, **{field: getattr(step, field) | {name: some}}), *steps[at + 1 :]]


async def _fails(fails: Fails[Step], with_some: Callable[[list[Any]], list[Step]], some: list[Any]) -> bool:
    return await fails(with_some(some))


async def shrunk(folder: Path, script: Script, say: Say = lambda text: print(text, file=sys.stderr)) -> Script:
    """The script as short as it could be made; as it is where it does not fail again."""
    again = folder / "again"
    again.mkdir()
    furnished = await furnish(again)

    async def fails(steps: list[Step]) -> bool:
        tried = replace(script, steps=tuple(steps))
        for _ in range(REPEATS if len(steps) <= FEW else 1):
            outcome = await replayed(folder, tried, furnished, whole=script.at_the_end)
            if outcome.failure == script.failure:
                return True
        return False

    whole = list(script.steps)
    for many in (*(one for one in ENDS if one < len(whole)), *[len(whole)] * REPEATS):
        if await fails(whole[-many:]):
            say(f"the last {many} steps are enough")
            steps = await shortest(whole[-many:], fails, say)
            return replace(script, steps=tuple(await thinned(steps, fails, say)))
    say("it does not fail again when it is replayed; the script is as it was recorded")
    return script
