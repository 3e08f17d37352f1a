"""The crew: who brings a round to its end by what the rules allow, whatever the others did to it."""

import asyncio
import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from puntobanco.house.shoes.at_table import sealed_names
from puntobanco.protocol.posts import Post
from puntobanco.table.guests import is_guest
from tests.fuzz import play
from tests.fuzz.chance import Chance, Table
from tests.fuzz.house import STAFF
from tests.fuzz.office import SPARE, SWITCHED
from tests.fuzz.script import Step

if TYPE_CHECKING:
    from tests.fuzz.run import Run

BETWEEN = ("idle", "settled", "decided", "voided", "without_bets")
MOST_STEPS, PATIENCE = 400, 180.0
"""Steps of the crew, and seconds: a set-up that lost its timing on the way has half a minute for bets."""


def is_switched(table: Table) -> bool:
    return table.felt.name in (*SWITCHED, *SPARE)


def is_sealed(table: Table) -> bool:
    """Whether only the house can deal on, since nobody else knows the order of its cards."""
    return str((table.view.get("shoe") or {}).get("name", "")).startswith(sealed_names(table.felt.name))


async def errand(run: "Run", command: dict[str, Any], who: str = "crew-manager") -> None:
    await run.send(Step(who=who, path="/office", body={"command": command}, table=command["table"]))


async def ended(run: "Run", table: Table) -> str | None:
    """Why the round could not be brought to its end and the table closed, if it could not."""
    rng = random.Random(table.felt.name)
    automatic = is_sealed(table) if is_switched(table) else table.felt.automatic
    refused: Counter[str] = Counter()
    until = asyncio.get_running_loop().time() + PATIENCE
    nth = 0
    while nth < MOST_STEPS and asyncio.get_running_loop().time() < until:
        if table.phase == "closed" or run.witness.wrong:
            break
        if table.felt.name.startswith("spare-") and refused["unknown_table"]:
            return None  # retired meanwhile
        if table.phase in BETWEEN:
            step = Step(
                who="crew-shift",
                table=table.felt.name,
                command={"type": "CloseTable", "cause": "repair", "reason": "the evening is over"},
            )
        elif (leads := play.next_step(Chance(rng, table), deals_itself=automatic)) is None:
            await asyncio.sleep(0.02)
            continue
        else:
            step = _by_crew(leads, table)
        nth += 1
        told = await run.send(step)
        if told.waits is not None:
            confirm = Step(who="crew-second", path=f"/waiting/{told.waits}/confirm", table=table.felt.name)
            told = await run.send(confirm)
        refused[told.reason] += 1
        await run.caught_up(table, told.version if not told.reason else 0)
        if told.reason:
            await asyncio.sleep(0.02 if nth < 50 else 0.1)
    if table.phase == "closed" or run.witness.wrong:
        return None
    return f"the round at {table.felt.name} cannot be concluded: {table.phase}, {refused}, {table.view!s:.600}"


def _by_crew(step: Step, table: Table) -> Step:
    """Somebody whose rights nobody has changed; a ruling by the Shift Manager, with what must be named in it."""
    dealing = step.who in STAFF[Post.DEALER]
    return msgspec.structs.replace(step, who="crew-dealer" if dealing else "crew-shift", table=table.felt.name)


async def cleared(run: "Run", table: Table) -> None:
    """A table that is not needed any more: the round ends, everybody cashes out, and it is retired."""
    if await ended(run, table) is None:
        for name, held in table.view.get("purses", {}).items():
            if is_guest(name):
                leave = {"type": "LeaveTable", "person": name}
                await run.send(Step(who="crew-dealer", table=table.felt.name, command=leave))
            elif held:
                out = {"type": "CashOut", "person": name, "amount": held}
                await run.send(Step(who=name, table=table.felt.name, command=out))
        await errand(run, {"type": "RetireTable", "table": table.felt.name}, "crew-root")
