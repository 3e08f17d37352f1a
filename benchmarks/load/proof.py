"""What must hold after any load: the house proves, and what the terminals were told is what happened."""

from pathlib import Path

from benchmarks.load.terminal import Tally
from puntobanco.house.audit.proof import prove_house
from puntobanco.store import codec, open_store
from puntobanco.table import events as e


async def wrong(folder: Path, tables: list[str], tally: Tally) -> list[str]:
    """Everything that does not hold, in words."""
    store = open_store(str(folder / "house.db"))
    await store.open()
    try:
        found: list[str] = []
        placed: dict[str, int] = {}
        late = 0
        for table in tables:
            betting = False
            async for row in store.read(table):
                if row.kind.startswith("BetsPlaced."):
                    event = codec.decode(row.kind, row.body)
                    placed[event.by.request] = row.version
                    late += not betting
                elif row.kind.startswith("BettingOpened."):
                    betting = True
                elif row.kind.startswith("BettingClosed."):
                    betting = False
        proof = await prove_house(store)
        if proof.fault is not None:
            found.append(f"the house does not prove: {proof.fault}")
        if late:
            found.append(f"{late} bets after the close")
        if lost := tally.accepted.items() - placed.items():
            found.append(f"{len(lost)} acknowledged bets are not in the history where they were said to be")
        if both := placed.keys() & tally.refused.keys():
            found.append(f"{len(both)} refused bets are in the history")
        if unknown := placed.keys() - tally.accepted.keys():
            found.append(f"{len(unknown)} bets are in the history of which nobody was told")
        return found
    finally:
        await store.close()


assert e.BetsPlaced.__name__ == "BetsPlaced"
assert e.BettingOpened.__name__ == "BettingOpened"
assert e.BettingClosed.__name__ == "BettingClosed"
