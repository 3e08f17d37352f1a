"""Write tables of figures as Parquet, CSV, JSON or JSON Lines, by file suffix.

A fraction fills two columns: `house_edge` as a float, `house_edge_exact` as text in lowest terms. Files are written
atomically: to a temporary file first, then renamed.
"""

import csv
import json
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

import msgspec

from puntobanco.odds.insurance import cells
from puntobanco.odds.pricing import Prices
from puntobanco.odds.protection import Exposure, best_count
from puntobanco.odds.sessions import SessionForecast
from puntobanco.odds.simulate import Simulation
from puntobanco.odds.tables import Floats
from puntobanco.rules.arguments import bad_argument
from puntobanco.rules.cards import Rank
from puntobanco.rules.outcome import reachable
from puntobanco.rules.refusal import Reason, Refused

TABLES = (".parquet", ".csv", ".json", ".jsonl")
"""Suffixes of table files."""
REPORTS = (".html", ".png")
"""Suffixes of report files."""

Value = str | int | float | bool | Fraction | None
Row = dict[str, Value]
Rows = Sequence[Row]


def fraction(value: Fraction) -> str:
    """In lowest terms, also for whole numbers.

    >>> fraction(Fraction(2, 4)), fraction(Fraction(0))
    ('1/2', '0/1')
    """
    return f"{value.numerator}/{value.denominator}"


# ---- where files go ----------------------------------------------------------------------------------------------


def check_path(path: Path, endings: Sequence[str]) -> Path:
    """Refuse a path that cannot be written, before any work is done."""
    if path.suffix.lower() not in endings:
        raise Refused(Reason.OUTPUT_KIND, file=path, known=", ".join(endings))
    try:
        for place in (path, path.resolve().parent):
            if place.exists() and not stat.S_IMODE(place.stat().st_mode) & 0o222:
                raise PermissionError(None, "it is read-only")
        if path.exists() and not path.is_file():
            raise OSError(None, "it is not a file")
        with replacing(path, keep=False):
            pass
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    return path


def _unwritable(path: Path, error: Exception) -> Refused:
    why = getattr(error, "strerror", None) or str(error)
    return Refused(Reason.OUTPUT_UNWRITABLE, file=path, why=why[:1].lower() + why[1:])


@contextmanager
def replacing(path: Path, *, keep: bool = True) -> Iterator[Path]:
    """A temporary file beside the path that replaces it on success and is deleted on failure."""
    place = path.resolve()
    beside = place.with_name(f".{place.name[:200]}.{secrets.token_hex(8)}")
    beside.touch(exist_ok=False)
    try:
        yield beside
        if keep:
            beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


def write_bytes(content: bytes, path: Path) -> None:
    with _reported(path), replacing(path) as beside:
        beside.write_bytes(content)


def write_table(rows: Rows, path: Path) -> None:
    """Write rows with the same columns. Raises `Refused` if the path cannot be written."""
    check_path(path, TABLES)
    flat = [_flat(row) for row in rows]
    for place, row in enumerate(flat):
        if row.keys() != flat[0].keys():
            raise bad_argument("write_table", f"rows[{place}]", f"a row with {', '.join(flat[0])}", ", ".join(row))
    with _reported(path), replacing(path) as beside:
        if path.suffix.lower() == ".parquet":
            _parquet(flat, beside)
        else:
            with beside.open("w", encoding="utf-8", newline="") as file:
                {".csv": _csv, ".json": _json, ".jsonl": _json_lines}[path.suffix.lower()](flat, file)


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, OverflowError) as error:
        raise _unwritable(path, error) from None


def _flat(row: Row) -> Row:
    flat: Row = {}
    for name, value in row.items():
        flat[name] = float(value) if isinstance(value, Fraction) else value
        if isinstance(value, Fraction):
            flat[f"{name}_exact"] = fraction(value)
    return flat


def _csv(rows: Rows, file: TextIO) -> None:
    writer = csv.DictWriter(file, list(rows[0]) if rows else [])
    writer.writeheader()
    writer.writerows(rows)


def _json(rows: Rows, file: TextIO) -> None:
    json.dump(rows, file, ensure_ascii=False, indent=1)
    file.write("\n")


def _json_lines(rows: Rows, file: TextIO) -> None:
    for row in rows:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _parquet(rows: Rows, path: Path) -> None:
    arrow: Any = import_module("pyarrow")
    parquet: Any = import_module("pyarrow.parquet")
    columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
    table = arrow.table(
        {name: arrow.array(held, arrow.type_for_alias(_kind(name, held))) for name, held in columns.items()}
    )
    parquet.write_table(table, path)


_WHOLE = ("decks", "player", "banker")
"""Columns of whole numbers that can be empty from top to bottom."""


def _kind(name: str, held: Sequence[object]) -> str:
    """The type of a column, also of one without any value."""
    kinds = {bool: "bool", int: "int64", float: "double", str: "string"}
    found = {kinds[type(value)] for value in held if value is not None}
    return found.pop() if len(found) == 1 else "double" if found else "int64" if name in _WHOLE else "string"


# ---- what is in them ---------------------------------------------------------------------------------------------


def price_rows(prices: Prices) -> list[Row]:
    """A row for each bet of the layout, and one for each insurance cell that the shoe can lead to.

    In such a cell, a deal that runs out of cards counts as a push: the stake is returned either way.
    """
    shoe = prices.law.shoe
    known: Row = {
        "game": prices.game.key,
        "layout": prices.layout.key if prices.layout else None,
        "decks": shoe.ranks[0] // 4 if len(set(shoe.ranks)) == 1 and shoe.ranks[0] % 4 == 0 else None,
        "shoe": str(shoe),
    }
    nowhere: Row = {"window": None, "player": None, "banker": None, "pays": None}
    rows = [
        known
        | {"bet": key}
        | nowhere
        | {
            "reached": Fraction(1),
            "win": one.win,
            "push": one.push,
            "lose": one.lose,
            "void": one.void,
            "house_edge": one.house_edge,
            "house_edge_resolved": one.house_edge_resolved,
            "return_to_player": one.return_to_player,
            "stdev": one.stdev,
        }
        for key, one in prices.bets.items()
    ]
    insuring = {bet.insures: bet.key for bet in prices.game.menu(prices.layout)}
    for cell in cells(prices.game, shoe):
        resolved = cell.win + cell.lose
        spread = float(cell.win * cell.row.odds**2 + cell.lose - cell.ev**2)
        rows.append(
            known
            | {
                "bet": insuring.get(cell.insures),
                "window": str(cell.window),
                "player": cell.player,
                "banker": cell.banker,
                "pays": str(cell.row.odds),
                "reached": cell.reached,
                "win": cell.win,
                "push": cell.push,
                "lose": cell.lose,
                "void": None,
                "void_exact": None,
                "house_edge": -cell.ev,
                "house_edge_resolved": -cell.ev / resolved if resolved else Fraction(0),
                "return_to_player": 1 + cell.ev,
                "stdev": spread**0.5,
            }
        )
    return rows


def tally_rows(run: Simulation) -> list[Row]:
    """A row for each Outcome, and a last one for rounds that ran out of cards."""
    plan, exact = run.plan, run.exact
    known: Row = {"decks": plan.decks, "mode": str(plan.mode), "seed": str(plan.seed), "complete": run.complete}
    rows: list[Row] = []
    for outcome, rounds, ways in zip(reachable(), run.tally[:-1].tolist(), exact.ways, strict=True):
        told: Row = {"winner": str(outcome.winner), **msgspec.structs.asdict(outcome)}
        rows.append(known | told | {"rounds": rounds, "probability": Fraction(int(ways), exact.total)})
    nothing: Row = dict.fromkeys(("winner", *reachable()[0].__struct_fields__))
    rows.append(known | nothing | {"rounds": run.void, "probability": Fraction(exact.void, exact.total)})
    return rows


def protection_rows(
    prices: Prices, effects: dict[str, Floats], exposed: dict[str, Exposure] | None = None
) -> list[Row]:
    """A row for each bet: its edge, the effect of each rank, the best count, and the result of perfect play."""
    rows: list[Row] = []
    for key, one in prices.bets.items():
        count = best_count(effects[key])
        row: Row = {"game": prices.game.key, "bet": key, "house_edge": one.house_edge}
        row |= {f"removal_{rank.sign}": float(effects[key][rank - 1]) for rank in Rank}
        row |= {f"count_{rank.sign}": count.tags[rank - 1] for rank in Rank}
        row |= {"count_correlation": count.correlation}
        rows.append(row | (msgspec.structs.asdict(exposed[key]) if exposed is not None else {}))
    return rows


def session_rows(played: SessionForecast) -> list[Row]:
    """A row for each possible result of a session."""
    below, rows = 0.0, []
    for result, chance in zip(played.results.tolist(), played.chance.tolist(), strict=True):
        below += chance
        rows.append({"result_cents": result, "chance": chance, "at_most": min(1.0, below)})
    return list(rows)
