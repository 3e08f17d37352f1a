"""Tables as files: every ending, exact fractions beside floats, whole or not at all."""

import csv
import json
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from puntobanco.odds import Plan, Shoe, files, perfect_play, price, removal_effects, session, simulation
from puntobanco.odds.files import Row, write_table
from puntobanco.rules import library
from puntobanco.rules.money import Cents
from puntobanco.rules.outcome import reachable
from puntobanco.rules.refusal import Reason, Refused

ROWS: list[Row] = [
    {"bet": "player", "edge": Fraction(1, 3), "many": 7, "seen": True},
    {"bet": "平", "edge": Fraction(-2, 4), "many": None, "seen": False},
]


def parquet(path: Path) -> list[Any]:
    reader: Any = import_module("pyarrow.parquet")
    return list(reader.read_table(path).to_pylist())


READERS: dict[str, Callable[[Path], list[Any]]] = {
    ".parquet": parquet,
    ".json": lambda path: list(json.loads(path.read_text(encoding="utf-8"))),
    ".jsonl": lambda path: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()],
}


@pytest.mark.parametrize("ending", READERS)
def test_a_table_comes_back_as_it_was_with_fractions_as_text_and_float(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"table{ending}"
    write_table(ROWS, path)
    assert READERS[ending](path) == [
        {"bet": "player", "edge": 1 / 3, "edge_exact": "1/3", "many": 7, "seen": True},
        {"bet": "平", "edge": -0.5, "edge_exact": "-1/2", "many": None, "seen": False},
    ]


def test_a_table_as_csv(tmp_path: Path) -> None:
    path = tmp_path / "table.CSV"
    write_table(ROWS, path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[1] == {"bet": "平", "edge": "-0.5", "edge_exact": "-1/2", "many": "", "seen": "False"}


def test_a_file_is_replaced_whole_and_a_link_leads_to_it(tmp_path: Path) -> None:
    path, link = tmp_path / "table.json", tmp_path / "link.json"
    path.write_text("old", encoding="utf-8")
    link.symlink_to(path)
    write_table(ROWS, link)
    assert link.is_symlink()
    assert len(json.loads(path.read_text(encoding="utf-8"))) == 2


def test_what_fails_in_the_middle_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(Refused, match="output_unwritable"):
        write_table([{"bet": "banker"}, {"bet": "\ud800"}], path)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_disk_that_fills_up_is_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "_json", full)
    with pytest.raises(Refused) as caught:
        write_table(ROWS, tmp_path / "table.json")
    assert caught.value.reason is Reason.OUTPUT_UNWRITABLE
    assert caught.value.parameters["why"] == "no space left on device"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["table.txt", "table", ".csv", "nowhere/table.csv", "bad\0name.csv", "x" * 300 + ".csv"]
)
def test_a_place_that_cannot_be_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused) as caught:
        write_table(ROWS, tmp_path / name)
    assert caught.value.reason in (Reason.OUTPUT_KIND, Reason.OUTPUT_UNWRITABLE)
    assert list(tmp_path.iterdir()) == []


def test_prices_with_insurance_are_one_table() -> None:
    game = library.game("insurance")
    rows = files.price_rows(price(game, Shoe.of(8)))
    assert len(rows) == len([bet for bet in game.menu(game.layout()) if bet.insures is None]) + 73
    cell = next(row for row in rows if (row["window"], row["player"], row["banker"]) == ("four", 5, 6))
    assert (cell["bet"], cell["pays"]) == ("banker_insurance", "3:1")
    edge = cell["house_edge"]
    assert isinstance(edge, Fraction)
    assert round(float(edge), 6) == -0.084397
    assert {row["decks"] for row in rows} == {8}
    assert files.price_rows(price(game, Shoe((31, *(32,) * 12))))[0]["decks"] is None


def test_a_column_of_a_parquet_file_has_a_type_even_if_it_is_empty(tmp_path: Path) -> None:
    types = []
    for key in ("commission", "non-commission-etg", "insurance"):
        file = tmp_path / f"{key}.parquet"
        write_table(files.price_rows(price(library.game(key), Shoe((31, *(32,) * 12)))), file)
        types.append({field.name: str(field.type) for field in import_module("pyarrow.parquet").read_schema(file)})
    assert "null" not in {kind for one in types for kind in one.values()}
    assert types[0]["layout"] == types[1]["layout"] == "string"
    for name, kind in types[0].items():
        assert types[2][name] == kind, f"{name}: files of several games can be read together"


def test_a_tally_has_a_row_for_every_outcome_and_one_for_rounds_that_ran_out() -> None:
    rows = files.tally_rows(simulation(Plan(rounds=5_000, seed=3)))
    assert len(rows) == len(reachable()) + 1
    assert sum(int(str(row["rounds"])) for row in rows) == 5_000
    assert sum(Fraction(str(row["probability"])) for row in rows) == 1


def test_protection_and_sessions_have_tables_that_can_be_written(tmp_path: Path) -> None:
    game = library.game("commission")
    effects = removal_effects(game, Shoe.of(8))
    found = perfect_play(game, shoes=2, cut_card=200)
    write_table(files.protection_rows(price(game, Shoe.of(8)), effects, found.bets), tmp_path / "protection.parquet")
    assert {"removal_A", "count_K", "often", "house_edge_exact"} <= set(parquet(tmp_path / "protection.parquet")[0])
    played = session(game, {"player": Cents(100_00)}, 20)
    rows = files.session_rows(played)
    assert rows[-1]["at_most"] == pytest.approx(1)
    assert [row["result_cents"] for row in rows] == played.results.tolist()
