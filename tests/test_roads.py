"""The scoreboards, against 20 worked shoes and against a plain reading of their definition."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks.roads import by_definition
from hypothesis import example, given
from hypothesis import strategies as st

from puntobanco.roads import ROWS, Colour, Derived, Mark, RoadCell, Roads, Turn, read_marks, side_bets_won
from puntobanco.rules import library
from puntobanco.rules.library import LANGUAGES, sentences
from puntobanco.rules.outcome import Outcome, Winner, reachable
from puntobanco.rules.refusal import Reason, Refused
from tests.marks import rulings

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden" / "roads.json").read_text(encoding="utf-8"))
SIDES = {"B": Winner.BANKER, "P": Winner.PLAYER}

won = st.lists(st.sampled_from(["big_tiger", "wu_song", "player_big_7"]), unique=True, max_size=2).map(tuple)
marks = st.builds(Mark, st.sampled_from(Winner), st.booleans(), st.booleans(), st.booleans(), won)
streaks = st.lists(st.tuples(marks, st.integers(1, 16)), max_size=16).map(
    lambda runs: [mark for mark, length in runs for _ in range(length)]
)
shoes = st.lists(marks, max_size=90) | streaks
turns = st.sampled_from(Turn)


def drawn(roads: Roads) -> tuple[object, ...]:
    """Everything a board shows."""
    derived = [(road.colours, road.places) for road in roads.derived]
    return roads.bead_plate, roads.big_road, derived, roads.ties_waiting, [roads.ask(side) for side in Winner]


def written(cell: RoadCell) -> str:
    return f"{cell.mark}{cell.ties or ''}@{cell.place[0]},{cell.place[1]}"


def colours(roads: Roads) -> Derived[str]:
    return Derived(*(road.colours for road in roads.derived))


# ---- worked shoes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GOLDEN)
def test_a_worked_shoe_has_these_roads(name: str) -> None:
    expected = GOLDEN[name]
    roads = Roads(read_marks(expected["rounds"]))
    columns = [column.split() for column in expected["bead_plate"]]
    assert roads.bead_plate == [
        RoadCell((column, row), read_marks(mark)[0])
        for column, those in enumerate(columns)
        for row, mark in enumerate(those)
    ]
    assert " ".join(map(written, roads.big_road)) == expected["big_road"]
    assert roads.ties_waiting == expected["ties_waiting"]
    for letter, side in SIDES.items():
        assert "".join(colour or "-" for colour in roads.ask(side)) == expected["ask"][letter]


@pytest.mark.parametrize("turn", Turn)
@pytest.mark.parametrize("name", GOLDEN)
def test_a_worked_shoe_has_these_derived_roads(name: str, turn: Turn) -> None:
    expected = GOLDEN[name]
    for road, one in Roads(read_marks(expected["rounds"]), turn).derived._asdict().items():
        assert one.colours == expected[road]["colours"]
        assert " ".join(f"{column},{row}" for column, row in one.places) == expected[road][turn]


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ("BBBPPBPPPBB", ("rbbbrbr", "brbbb", "rrrr")),
        ("B" * 7 + "P" * 8 + "B" + "PP" + "BBB" + "P", ("rrrrrrbbbbbrbb", "brbbrb", "rbrrb")),
    ],
)
def test_the_two_shoes_of_the_definition_come_out(results: str, expected: tuple[str, str, str]) -> None:
    assert colours(Roads(read_marks(results))) == expected


@rulings("DSP-2")
def test_a_run_that_has_turned_right_stays_on_its_row_unless_the_house_lets_it_drop() -> None:
    shoe = read_marks("BBBBBBB" + "PPPPPPPP")
    stays, drops = (Roads(shoe, turn).big_road[-3:] for turn in (Turn.STAY_ON_ROW, Turn.DROP_WHEN_FREE))
    assert [cell.place for cell in stays] == [(2, 4), (3, 4), (4, 4)]
    assert [cell.place for cell in drops] == [(2, 4), (2, 5), (3, 5)]


def test_a_run_begins_right_of_a_tail_that_reaches_the_top_row() -> None:
    # each run of thirteen turns right one row above the one before, until the sixth has no room at all
    runs = ["BP"[n % 2] * 13 for n in range(6)]
    starts = [cell for n, cell in enumerate(Roads(read_marks("".join(runs) + "B")).big_road) if n % 13 == 0]
    assert [cell.place for cell in starts] == [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (18, 0)]


# ---- what holds for every shoe -----------------------------------------------------------------------------------


@given(shoes, turns)
@example([*read_marks("".join("BP"[n % 2] * 13 for n in range(9)))], Turn.DROP_WHEN_FREE)
def test_the_roads_are_as_they_are_defined(shoe: list[Mark], turn: Turn) -> None:
    roads = Roads(shoe, turn)
    derived = [(road.colours, road.places) for road in roads.derived]
    assert (roads.bead_plate, roads.big_road, derived) == by_definition(shoe, turn)


@given(shoes, turns)
def test_roads_that_grew_round_by_round_equal_roads_built_at_once(shoe: list[Mark], turn: Turn) -> None:
    grown = Roads(turn=turn)
    for number, mark in enumerate(shoe, 1):
        grown.add(mark)
        if number % 7 == 0:
            assert drawn(grown) == drawn(Roads(shoe[:number], turn))
    assert drawn(grown) == drawn(Roads(shoe, turn))


@given(shoes, marks)
def test_ask_tells_what_happens_when_that_result_comes(shoe: list[Mark], coming: Mark) -> None:
    roads = Roads(shoe)
    before, asked = colours(roads), roads.ask(coming.winner)
    roads.add(coming)
    assert colours(roads) == Derived(*(now + (colour or "") for now, colour in zip(before, asked, strict=True)))


@given(shoes)
def test_ask_has_opposite_answers_for_the_two_hands_or_none(shoe: list[Mark]) -> None:
    roads = Roads(shoe)
    for answers in zip(roads.ask(Winner.BANKER), roads.ask(Winner.PLAYER), strict=True):
        assert set(answers) in ({None}, set(Colour))


@given(shoes, turns)
def test_no_two_cells_share_a_place_and_none_lies_off_the_board(shoe: list[Mark], turn: Turn) -> None:
    roads = Roads(shoe, turn)
    boards = [[cell.place for cell in cells] for cells in (roads.bead_plate, roads.big_road)]
    for places in (*boards, *(road.places for road in roads.derived)):
        assert len(set(places)) == len(places)
        assert all(column >= 0 and 0 <= row < ROWS for column, row in places)


@given(shoes, turns)
def test_every_result_has_one_cell_on_the_big_road_and_every_tie_is_counted_once(shoe: list[Mark], turn: Turn) -> None:
    roads = Roads(shoe, turn)
    assert [cell.mark for cell in roads.big_road] == [mark for mark in shoe if mark.winner is not Winner.TIE]
    ties = sum(cell.ties for cell in roads.big_road) + roads.ties_waiting
    assert ties == sum(mark.winner is Winner.TIE for mark in shoe)


@given(shoes, st.booleans(), st.booleans(), st.booleans())
def test_a_tie_changes_no_derived_road(shoe: list[Mark], player: bool, banker: bool, natural: bool) -> None:
    roads = Roads(shoe)
    before = colours(roads), [roads.ask(side) for side in Winner]
    roads.add(Mark(Winner.TIE, player, banker, natural))
    assert (colours(roads), [roads.ask(side) for side in Winner]) == before


@given(st.lists(marks, min_size=1, max_size=60), marks, st.data())
def test_a_correction_builds_everything_anew(shoe: list[Mark], right: Mark, data: st.DataObject) -> None:
    wrong = data.draw(st.integers(0, len(shoe) - 1))
    corrected = [*shoe[:wrong], right, *shoe[wrong + 1 :]]
    roads = Roads(shoe[:wrong])
    roads.extend([right])
    roads.extend(iter(shoe[wrong + 1 :]))
    assert drawn(Roads(corrected)) == drawn(roads)


def test_a_new_shoe_begins_with_an_empty_board() -> None:
    assert drawn(Roads()) == ([], [], [("", [])] * 3, 0, [(None, None, None)] * 3)


# ---- marks -------------------------------------------------------------------------------------------------------


def test_a_mark_keeps_of_an_outcome_what_the_boards_show() -> None:
    for outcome in reachable():
        mark = Mark.of(outcome)
        assert (mark.winner, mark.natural) == (outcome.winner, outcome.natural)
        assert (mark.player_pair, mark.banker_pair) == (outcome.player_pair, outcome.banker_pair)


@given(shoes, st.sampled_from(["", " ", ",", ", ", "\n"]))
def test_marks_are_read_as_they_are_written(shoe: list[Mark], between: str) -> None:
    assert list(read_marks(between.join(map(str, shoe)))) == shoe


def test_flags_may_stand_in_any_order() -> None:
    assert read_marks("Bnpb") == (Mark(Winner.BANKER, player_pair=True, banker_pair=True, natural=True),)


def test_results_alone_may_be_typed_in_lower_case() -> None:
    assert read_marks("bpt, b") == read_marks("BPTB")
    assert read_marks("Bp") == (Mark(Winner.BANKER, player_pair=True),)


def test_other_bets_that_won_follow_the_flags() -> None:
    assert read_marks("Bbn+big_tiger+wu_songP") == (
        Mark(Winner.BANKER, banker_pair=True, natural=True, bets=("big_tiger", "wu_song")),
        Mark(Winner.PLAYER),
    )


@pytest.mark.parametrize(
    ("game", "outcome", "won"),
    [
        ("wu-song", Outcome(5, 6, 2, 3, player_pair=True, banker_pair=True), ("big_tiger",)),
        ("wu-song", Outcome(5, 6, 2, 2, player_pair=False, banker_pair=False), ("small_tiger",)),
        ("wu-song", Outcome(6, 6, 2, 2, player_pair=False, banker_pair=False), ("tiger_tie",)),
        ("wu-song", Outcome(5, 7, 2, 2, player_pair=False, banker_pair=False), ()),
        ("super-six", Outcome(5, 6, 2, 3, player_pair=False, banker_pair=False), ("super_six",)),
        ("insurance", Outcome(6, 6, 2, 2, player_pair=True, banker_pair=False), ()),
    ],
)
def test_the_side_bets_that_win_come_from_the_file_of_the_game(
    game: str, outcome: Outcome, won: tuple[str, ...]
) -> None:
    found = library.game(game)
    assert side_bets_won(found.menu(found.layout()), outcome) == won
    assert str(Mark.of(outcome, won)).endswith("".join(f"+{bet}" for bet in won))


WRONG = {
    "BBX": "X",
    "bn": "b",
    "bBP": "b",
    "B b": "b",
    "Bbb": "Bbb",
    "B+wu_song+wu_song": "B+wu_song+wu_song",
    "B+": "+",
    "BPt": "t",
    "B;P": ";",
    "1": "1",
    "庄": "庄",
    "B\0": "\0",
}


@pytest.mark.parametrize(("text", "wrong"), WRONG.items())
def test_anything_else_is_refused_by_name(text: str, wrong: str) -> None:
    with pytest.raises(Refused) as caught:
        read_marks(text)
    assert caught.value.reason is Reason.UNKNOWN_RESULT
    assert caught.value.parameters == {"result": wrong}


# ---- the command -------------------------------------------------------------------------------------------------


def run(*arguments: str, columns: int = 200) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"COLUMNS": str(columns), "PYTHONUTF8": "1", "NO_COLOR": "1"}
    command = [str(Path(sys.executable).parent / "puntobanco"), "roads", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)


def test_the_command_prints_one_object() -> None:
    done = run("TBbn PT", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    plain = {"banker_pair": False, "player_pair": False, "natural": False}
    nothing = dict.fromkeys(Derived._fields)
    assert json.loads(done.stdout) == {
        "bead_plate": [[0, 0, "T"], [0, 1, "Bbn"], [0, 2, "P"], [0, 3, "T"]],
        "big_road": [
            {"col": 0, "row": 0, "side": "B", "ties": 1, "banker_pair": True, "player_pair": False, "natural": True},
            {"col": 1, "row": 0, "side": "P", "ties": 1, **plain},
        ],
        "big_eye_boy": "",
        "small_road": "",
        "cockroach_pig": "",
        "ask": {"B": nothing | {"big_eye_boy": "r"}, "P": nothing | {"big_eye_boy": "b"}},
    }


def test_the_command_prints_derived_roads_as_colours() -> None:
    printed = json.loads(run("bbbppbpppbb", "--json").stdout)
    assert [printed[road] for road in Derived._fields] == ["rbbbrbr", "brbbb", "rrrr"]


def test_a_shoe_without_rounds_is_an_empty_board() -> None:
    printed = json.loads(run("", "--json").stdout)
    assert (printed["bead_plate"], printed["big_road"], printed["big_eye_boy"]) == ([], [], "")


@pytest.mark.parametrize("text", ["BBX", "bn", "Bbb"])
def test_bad_input_gives_one_clear_line_and_exit_code_2(text: str) -> None:
    done = run(text)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "is not a result. Write B, P or T" in done.stderr


def test_the_boards_can_be_read_without_colour() -> None:
    lines = run("BBBPPBPPPBbTB").stdout.splitlines()
    bead_plate, big_road, big_eye_boy = (
        lines[lines.index(title) + 1 :][:ROWS] for title in ("Bead plate", "Big Road", "Big Eye Boy")
    )
    assert bead_plate == ["B  P", "B  P", "B  P", "P  Bb", "P  T", "B  B"]
    assert big_road[:3] == ["B   P   B   P   Bb1", "B   P   ·   P   B", "B   ·   ·   P   ·"]
    assert big_eye_boy[:3] == ["● ○ ● ○ ●", "· ○ · · ·", "· ○ · · ·"]
    assert "If Banker is next:  Big Eye Boy ●  Small Road ●  Cockroach Pig ○" in lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_boards_are_labelled_and_say_that_they_only_inform(language: str) -> None:
    said, printed = sentences(language), run("TT", "--lang", language).stdout
    parameters: dict[str, dict[str, object]] = {"waiting": {"ties": 2}, "ask": {"side": Winner.BANKER}}
    for key in said.table["roads"]:
        assert said.say("roads", key, **parameters.get(key, {})) in printed


def test_a_road_too_wide_for_the_terminal_goes_on_below() -> None:
    lines = run("BP" * 20, columns=40).stdout.splitlines()
    assert max(map(len, lines)) <= 40
    at = lines.index("Big Road")
    assert [lines[at + 1], lines[at + 8]] == [" ".join("BP" * 10)] * 2
