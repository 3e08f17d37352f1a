"""The end of a run: a crew brings every round to its end by what the rules allow, and everything must add up."""

import asyncio
from collections import Counter
from typing import Any

import msgspec

from puntobanco.house.tables.writer import felt_of
from puntobanco.protocol import entries as b
from puntobanco.protocol.posts import AUDIENCES, Post
from puntobanco.rules import library
from puntobanco.store import codec, open_store
from puntobanco.store.base import Store
from puntobanco.table import events as e
from puntobanco.table.evolve import evolve
from puntobanco.table.state import State
from puntobanco.table.views import private_view, public_view
from tests.fuzz import crew
from tests.fuzz.house import PEOPLE
from tests.fuzz.run import Run
from tests.fuzz.wire import Line
from tests.fuzz.witness import REFUSED

SHOWS = (
    e.CardExposed, e.CardCorrected, e.CardsReconstructed, e.CardsLeftLying, e.CardDrawn, e.CardsSetAside, e.Ruled,
)  # fmt: skip
"""Events after which another face may be seen."""
PATIENCE = 60.0
OUTSIDE = ("cage", "adjustments", "chips")
"""Accounts on the other side of every door: what they hold less, the house holds."""


async def conclude(run: Run) -> None:
    """Every table to the end of its round, and closed; then every screen shows what a new one would."""
    run.left = 10**9
    followed = {(name, number): await person.line(number) for name, person in run.people.items()
                for number, watched in person.watched.items() if watched}  # fmt: skip
    for table in run.tables.values():
        if crew.is_switched(table):
            await crew.errand(run, {"type": "SetDealing", "table": table.felt.name, "automatic": crew.is_sealed(table)})
    tables = [table for table in run.tables.values() if table.felt.name in run.people["crew-eye"].watched[0]]
    ended = await asyncio.gather(*(crew.ended(run, table) for table in tables))
    run.witness.wrong += [why for why in ended if why]
    await _screens(run, followed)
    run.witness.read_log()


async def _screens(run: Run, followed: dict[tuple[str, int], Line | None]) -> None:
    """Nothing moves any more: what every screen followed is what it is shown when it asks anew."""
    await asyncio.sleep(0.3)
    witness = run.witness
    for (name, number), line in followed.items():
        if line is None or not line.up:
            continue
        for table in run.people[name].watched[number]:
            seen = witness.seen[name, table]
            private, before = seen.private, witness.noted["Whole"]
            if run.tables[table].phase != "closed" or table not in line.watching:
                continue
            line.watch(table, board=PEOPLE[name] is Post.BOARD)
            async with asyncio.timeout(PATIENCE):
                while witness.noted["Whole"] == before and table in line.watching:  # one that is retired is not shown
                    await asyncio.sleep(0.005)
            if not _same(private, seen.private):
                witness.wrong.append(f"{name} at {table} followed {private!s:.400}, but is {seen.private!s:.400}")


def _same(one: dict[str, Any] | None, other: dict[str, Any] | None) -> bool:
    if one is None or other is None:
        return one is other or other is None
    return {**one, "version": 0} == {**other, "version": 0}


# ---- what the history says ---------------------------------------------------------------------------------------


class _By(msgspec.Struct):
    request: str = ""
    person: str = ""


class _Asked(msgspec.Struct):
    by: _By


_asked = msgspec.json.Decoder(_Asked)


async def audit(run: Run, place: str) -> Counter[str]:
    """Compare what everybody was told with what is in the store; returns how often each kind of event happened."""
    store = open_store(place)
    await store.open()
    try:
        happened: dict[int, tuple[str, int]] = {}
        seconds: dict[str, int] = {}
        events: Counter[str] = Counter()
        exposed: dict[tuple[str, int, int, str], int] = {}
        squeezed: set[tuple[str, int, str, int]] = set()
        brought = 0
        for stream in await store.streams():
            state = State()
            async for row in store.read(stream):
                events[row.kind.partition(".")[0]] += 1
                request = _asked.decode(row.body).by.request
                if request.startswith("f") and request[1:].isdigit():
                    number = int(request[1:])
                    before = happened.get(number, (stream, row.version - 1))
                    if before != (stream, row.version - 1):
                        run.witness.wrong.append(f"{run.witness.kinds[number]} happened twice: {before}, {row.version}")
                    happened[number] = (stream, row.version)
                elif request.startswith("second:"):
                    seconds[request] = row.version
                if stream != b.STREAM:
                    event = codec.decode(row.kind, row.body)
                    state = evolve(state, event)
                    squeezed |= {(stream, index, one.person, row.version) for index, one in state.squeezed.items()}
                    if isinstance(event, e.GuestBoughtIn | e.GuestLeft):
                        brought += event.amount if isinstance(event, e.GuestBoughtIn) else -event.amount
                    if isinstance(event, SHOWS):
                        for index, one in enumerate(state.drawn, start=1):
                            if one.card is not None:
                                key = (stream, state.round, index, str(one.card))
                                exposed.setdefault(key, row.version)
            if stream != b.STREAM:
                _views(run, stream, state)
        _effects(run, happened, seconds)
        _faces(run, exposed, squeezed)
        await _money(run, store, brought)
        return events
    finally:
        await store.close()


def _effects(run: Run, happened: dict[int, tuple[str, int]], seconds: dict[str, int]) -> None:
    """Every acknowledged command is there once, where it was said to be, and no refused one is."""
    wrong, kinds = run.witness.wrong, run.witness.kinds
    without: Counter[str] = Counter()
    for number, outcome in enumerate(run.witness.outcome):
        found = happened.get(number)
        if outcome == REFUSED and found is not None and f"f{number}" not in run.witness.lost:
            wrong.append(f"{kinds[number]} f{number} was refused and is in the history: {found}")
        elif outcome > 0 and found is None:
            without[kinds[number]] += 1
        elif outcome > 0 and found is not None and found[1] != outcome:
            wrong.append(f"{kinds[number]} f{number} was accepted as {outcome} and is there as {found}")
    wrong += [f"{kind} was accepted {many} times and is not in the history" for kind, many in without.items()]
    for number, version in run.witness.seconded.items():
        if seconds.get(f"second:{number}", REFUSED) != version:
            wrong.append(f"what waited as {number} was answered with {version}: {seconds.get(f'second:{number}')}")


def _faces(run: Run, exposed: dict[tuple[str, int, int, str], int], squeezed: set[tuple[str, int, str, int]]) -> None:
    """Nobody saw the face of a card before it was exposed, but for whoever squeezed it."""
    for sight in run.witness.squeezed - squeezed:
        run.witness.wrong.append(f"{sight} was sent the face of a card that they did not squeeze then")
    for key, version in run.witness.faces.items():
        if version < exposed.get(key, 2**62):
            run.witness.wrong.append(f"{key} was shown at {version}, exposed at {exposed.get(key)}")


def _views(run: Run, stream: str, state: State) -> None:
    """The view of the replayed state is what every screen showed last."""
    table = run.tables.get(stream)
    if table is None or state.setup is None or state.setup.game not in library.GAMES:
        return
    felt = felt_of(library.game(state.setup.game), state.setup)
    for (person, name), seen in run.witness.seen.items():
        if name != stream or not seen.shown or seen.shown["public"] is None or seen.version != state.version:
            continue
        post = PEOPLE[person]
        view = msgspec.json.decode(msgspec.json.encode(public_view(felt, state, AUDIENCES[post])))
        run.witness.noted["views compared with the replay"] += 1
        if view != seen.shown["public"]:
            run.witness.wrong.append(
                f"{person} at {stream}: shown {seen.shown['public']!s:.400}, replayed {view!s:.400}"
            )
        if post is Post.PLAYER and seen.private is not None:
            own = msgspec.json.decode(msgspec.json.encode(private_view(felt, state, person)))
            if not _same(own, seen.private):
                run.witness.wrong.append(f"{person} at {stream}: own {seen.private!s:.400}, replayed {own!s:.400}")


async def _money(run: Run, store: Store, came: int) -> None:
    """To the cent: all accounts together hold nothing, no purse is overdrawn, and what came in by the book is there.
    `came`: what guests brought to the tables and did not take away."""
    held = await store.balances()
    if total := sum(held.values()):
        run.witness.wrong.append(f"the accounts together hold {total}")
    below = {
        name: amount
        for name, amount in held.items()
        if amount < 0 and name.startswith(("wallet:", "purse:", "stakes:"))
    }
    if below:
        run.witness.wrong.append(f"overdrawn: {below}")
    async for row in store.read(b.STREAM):
        entry = b.decode(row.body)
        match entry:
            case b.Deposited() | b.FloatFilled() | b.Adjusted():
                came += entry.amount
            case b.Withdrawn() | b.FloatCredited():
                came -= entry.amount
            case b.DropCollected():
                came -= entry.booked
            case _:
                pass
    inside = sum(amount for name, amount in held.items() if name not in OUTSIDE)
    if came != inside:
        run.witness.wrong.append(f"{came} came in, {inside} is there")
