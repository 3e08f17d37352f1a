"""`puntobanco odds`, `simulate`, `protect` and `session`: what they print, what they refuse, what they write."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from rich.cells import cell_len

from puntobanco.cli.main import main
from puntobanco.cli.odds import _show
from puntobanco.odds import Shoe, cells, price, sheets
from puntobanco.rules import library
from puntobanco.rules.library import sentences
from puntobanco.rules.scaffold import scaffold
from tests.golden import exact

FIGURES = tomllib.loads((Path(exact.__file__).parent / "figures.toml").read_text(encoding="utf-8"))
ROOT = Path(__file__).parents[2]
COMMAND = str(Path(sys.executable).parent / "puntobanco")


class Answer(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        assert (self.code, self.err) == (0, "")
        found: dict[str, Any] = json.loads(self.out)
        return found


Run = Callable[..., Answer]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command within this process: starting one for each test would take most of the time."""
    monkeypatch.setenv("COLUMNS", "200")

    def answer(*arguments: str) -> Answer:
        monkeypatch.setattr(sys, "argv", ["puntobanco", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        told = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Answer(left.value.code, told.out, told.err)

    return answer


def refused(answer: Answer, *words: str) -> None:
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert answer.err.startswith("puntobanco: ")
    for word in words:
        assert word in answer.err


# ---- odds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decks", FIGURES["edge"])
def test_every_published_house_edge_comes_out_of_the_command(run: Run, decks: str) -> None:
    told: dict[tuple[str, str], dict[str, Any]] = {}
    for name, published in FIGURES["edge"][decks].items():
        game, layout, bet = name.split("/")
        if (game, layout) not in told:
            at = ["--layout", layout] if layout else []
            told[game, layout] = run("odds", game, *at, "--decks", decks, "--json").json
        found = Fraction(told[game, layout]["bets"][bet]["house_edge"]) * 100
        assert round(found, -Decimal(published).as_tuple().exponent) == Fraction(published)  # type: ignore[operator]


def test_odds_are_one_object_of_fractions_in_lowest_terms(run: Run) -> None:
    told = run("odds", "commission", "--layout", "b", "--decks", "6", "--json").json
    assert list(told) == ["game", "layout", "decks", "bets", "correlation"]
    assert (told["game"], told["layout"], told["decks"]) == ("commission", "B", 6)
    banker = told["bets"]["banker"]
    counts = FIGURES["counts"]["6"]
    total = exact.total(6)
    assert banker["probability"] == {
        "win": str(Fraction(counts["banker"], total)),
        "push": str(Fraction(counts["tie"], total)),
        "lose": str(Fraction(counts["player"], total)),
        "void": "0/1",
    }
    edge = Fraction(counts["player"], total) - Fraction(19, 20) * Fraction(counts["banker"], total)
    assert Fraction(banker["house_edge"]) == edge
    assert Fraction(banker["house_edge_resolved"]) == edge / (1 - Fraction(counts["tie"], total))
    assert Fraction(banker["return_to_player"]) == 1 - edge
    assert banker["decimal"]["house_edge"] == pytest.approx(float(edge), abs=1e-15)
    assert banker["stdev"] == pytest.approx(0.927, abs=1e-3)
    assert told["correlation"]["banker"]["banker"] == pytest.approx(1)
    assert told["correlation"]["player"]["banker"] == told["correlation"]["banker"]["player"] < -0.9


def test_odds_of_insurance_have_an_entry_for_every_cell(run: Run) -> None:
    told = run("odds", "insurance", "--json").json["insurance"]
    game = library.game("insurance")
    assert len(told) == len(cells(game, Shoe.of(8))) == 73
    known = next(one for one in told if (one["window"], one["player"], one["banker"]) == ("four", 5, 6))
    assert (known["insures"], known["odds"]) == ("banker", "3:1")
    assert round(float(Fraction(known["ev"])) * 100, 4) == 8.4397
    assert "insurance" not in run("odds", "commission", "--json").json


def test_a_cell_that_the_shoe_cannot_lead_to_has_no_value(run: Run) -> None:
    told = run("odds", "insurance", "--shoe", "A=2, 3=2, 5=2", "--json").json
    assert (told["decks"], told["shoe"]) == (None, "A=2,2=0,3=2,4=0,5=2,6=0,7=0,8=0,9=0,10=0,J=0,Q=0,K=0")
    assert len(told["insurance"]) == 73
    assert {one["ev"] is None for one in told["insurance"]} == {True, False}


@pytest.mark.parametrize("shoe", ["K=0", "A=1", "A=2,9=1", "9=4", "A=2,2=2", "A=3,5=2"])
def test_a_shoe_too_short_returns_stakes(run: Run, shoe: str) -> None:
    told = run("odds", "wu-song", "--shoe", shoe, "--json").json["bets"]
    for bet in told.values():
        chances = {name: Fraction(value) for name, value in bet["probability"].items()}
        assert sum(chances.values()) == 1
        assert chances["void"] == 1 or shoe in ("9=4", "A=2,2=2", "A=3,5=2")
        assert chances["void"] < 1 or Fraction(bet["house_edge"]) == 0
    assert "Void" in run("odds", "wu-song", "--shoe", "A=1").out


def test_insurance_on_the_very_cards(run: Run) -> None:
    told = run("odds", "insurance", "--cards", "2 2 3 4", "--json").json["insurance_now"]
    assert (told["window"], told["insures"], told["odds"]) == ("four", "banker", "3:1")
    assert told["ev_decimal"] == pytest.approx(float(Fraction(told["ev"])))
    assert run("odds", "insurance", "--cards", "9 9 K K", "--json").json["insurance_now"] is None
    assert "No insurance is offered" in run("odds", "insurance", "--cards", "9 9 K K").out
    refused(run("odds", "commission", "--cards", "2 2 3 4"), "has no insurance")
    refused(run("odds", "insurance", "--shoe", "2=1,3=9,4=9", "--cards", "2 2 3 4"), "contains no more 2")
    refused(run("odds", "insurance", "--cards", "2 2 Z 4"), "not a card")


def test_the_figures_of_the_page_are_those_of_the_command(run: Run) -> None:
    """The beginning of an object is printed in docs/odds.md."""
    written = (ROOT / "docs" / "odds.md").read_text(encoding="utf-8")
    sample = written[written.index('{"game": "commission", "layout": "A"') :].partition("```")[0]
    told = run("odds", "commission", "--json").json
    for field, value in re.findall(r'"(house_edge|stdev|player)": "?(-?[0-9./]+)', sample)[:4]:
        bet = told["bets"]["banker"]
        known = [bet.get(field), bet["decimal"].get(field), told["correlation"]["banker"].get(field)]
        places = len(value.partition(".")[2])
        assert value in [str(round(one, places)) if isinstance(one, float) else one for one in known], field


def test_all_decks_side_by_side(run: Run) -> None:
    told = run("odds", "wu-song", "--all-decks", "--json").json["by_decks"]
    assert [one["decks"] for one in told] == [4, 5, 6, 7, 8, 9, 10]
    assert "5.3168%" in run("odds", "wu-song", "--all-decks").out


def test_a_game_file_of_ones_own_is_priced(run: Run, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(scaffold("mine", "commission").replace('"8:1"', '"9:1"'), encoding="utf-8")
    edge = Fraction(run("odds", str(mine), "--json").json["bets"]["tie"]["house_edge"])
    assert edge == price(library.read_game(mine)[0], Shoe.of(8))["tie"].house_edge
    assert round(float(edge), 6) == 0.04844


def test_odds_in_words(run: Run) -> None:
    assert "10.3614%" in run("odds", "commission").out
    assert "赌场优势" in run("odds", "insurance", "--lang", "zh").out


# ---- simulate ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["fresh", "shoe"])
def test_simulate_prints_what_was_played_beside_the_exact_values(run: Run, mode: str) -> None:
    told = run("simulate", "super-six", "--rounds", "2e5", "--mode", mode, "--seed", "7", "--workers", "1", "--json")
    found = told.json
    assert found["rounds"] == found["requested"] == 200_000
    assert found["complete"] is True
    assert sum(one["rounds"] for one in found["outcomes"]) + found["void"] == 200_000
    assert found["seconds"] > 0
    assert found["rounds_per_second"] == pytest.approx(200_000 / found["seconds"])
    assert 1e-4 < found["chi_square"]["p"] <= 1
    for bet in found["bets"].values():
        assert bet["z"] == pytest.approx((bet["house_edge"] - bet["exact"]) / bet["stderr"])
        assert abs(bet["z"]) < 5
    again = run("simulate", "super-six", "--rounds", "200_000", "--mode", mode, "--seed", "7", "--json").json
    assert again["outcomes"] == found["outcomes"]


def test_simulate_in_words(run: Run) -> None:
    shown = run("simulate", "commission", "--rounds", "1e4", "--mode", "shoe", "--burn", "3", "--cut-card", "20").out
    assert "10,000 rounds" in shown
    assert "chi-square" in shown
    assert "3 burnt" in shown


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--rounds", "0"], "are not possible"),
        (["--rounds", "1e30"], "are not possible"),
        (["--rounds", "1e999"], "not a number of rounds"),
        (["--rounds", "nan"], "not a number of rounds"),
        (["--rounds", "inf"], "not a number of rounds"),
        (["--rounds", "1.5"], "not a number of rounds"),
        (["--rounds", "-5"], "not a number of rounds"),
        (["--rounds", "1e-3"], "not a number of rounds"),
        (["--rounds", "²"], "not a number of rounds"),
        (["--rounds", ""], "not a number of rounds"),
        ([], "--rounds"),
        (["--rounds", "9", "--decks", "3"], "(2.2.1)"),
        (["--rounds", "9", "--decks", "many"], "not a whole number"),
        (["--rounds", "9", "--mode", "slow"], "fresh or shoe"),
        (["--rounds", "9", "--seed", "-1"], "not a whole number"),
        (["--rounds", "9", "--seed", "1" * 40], "not a whole number"),
        (["--rounds", "9", "--workers", "0"], "workers are not possible"),
        (["--rounds", "9", "--burn", "1"], "--mode shoe"),
        (["--rounds", "9", "--mode", "shoe", "--burn", "53"], "53"),
        (["--rounds", "9", "--mode", "shoe", "--cut-card", "416"], "416"),
        (["--rounds", "9", "--cluster", "nowhere"], "tcp://host:8786"),
        (["--rounds", "9", "--cluster", "tcp://127.0.0.1:99999"], "tcp://host:8786"),
        (["--rounds", "9", "--cluster", "tcp://127.0.0.1:8786", "--workers", "2"], "cannot be combined with"),
        (["--rounds", "9", "--layout", "Z"], "no layout"),
    ],
)
def test_bad_input_to_simulate_is_one_line(run: Run, arguments: list[str], word: str) -> None:
    refused(run("simulate", "commission", *arguments), word)


def test_a_cluster_that_is_not_there_is_said_to_be_so_within_seconds(run: Run) -> None:
    started = time.monotonic()
    refused(run("simulate", "commission", "--rounds", "1e6", "--cluster", "tcp://127.0.0.1:1"), "No cluster answers")
    assert time.monotonic() - started < 12


def interrupted(*arguments: str, after: float) -> Answer:
    """The command as a shell runs it, with Ctrl-C after a while."""
    with subprocess.Popen(
        [COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        time.sleep(after)
        os.kill(process.pid, signal.SIGINT)
        try:
            out, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return Answer(process.returncode, out, err)


def test_ctrl_c_gives_what_was_played_so_far_and_says_so(tmp_path: Path) -> None:
    out = tmp_path / "tally.json"
    many = ["--rounds", "1e14", "--mode", "shoe", "--json", "--out", str(out)]
    for after in (4, 12):  # a machine that is busy may not have begun after four seconds
        answer = interrupted("simulate", "commission", *many, after=after)
        assert (answer.code, answer.err) == (130, "")
        if answer.out:
            break
    told = json.loads(answer.out)
    assert told["complete"] is False
    assert told["requested"] == 10**14
    assert 0 < told["rounds"] < 10**14
    assert sum(one["rounds"] for one in told["outcomes"]) + told["void"] == told["rounds"]
    rows = json.loads(out.read_text(encoding="utf-8"))
    assert {row["complete"] for row in rows} == {False}
    assert sum(row["rounds"] for row in rows) == told["rounds"]


# ---- protect -----------------------------------------------------------------------------------------------------


def test_protect_gives_effects_counts_and_what_perfect_play_is_worth(run: Run) -> None:
    told = run("protect", "wu-song", "--shoes", "4", "--cut-card", "60", "--seed", "3", "--json").json
    assert (told["shoes"], told["requested"], told["complete"], told["cut_card"]) == (4, 4, True, 60)
    assert set(told["bets"]["player_pair"]["removal"].values()) == {0}
    tiger = told["bets"]["tiger_tie"]
    assert tiger["removal"]["6"] < 0 < tiger["removal"]["9"]
    assert tiger["count"]["tags"]["6"] == -2
    assert 0.8 < tiger["count"]["correlation"] <= 1
    assert 0 <= tiger["perfect_play"]["often"] <= 1
    assert "Perfect play" in run("protect", "wu-song", "--shoes", "1").out


def test_protect_says_which_bets_favour_the_player_right_now(run: Run) -> None:
    shoe = "A=1,6=3,8=2,9=2,K=4"
    told = run("protect", "wu-song", "--shoe", shoe, "--json").json
    exactly = run("odds", "wu-song", "--shoe", shoe, "--json").json
    assert told["favourable"] == [key for key, one in exactly["bets"].items() if Fraction(one["house_edge"]) < 0] != []
    assert "The bets right now" in run("protect", "wu-song", "--shoe", shoe).out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--shoes", "0"], "are not possible"),
        (["--shoes", "9999999"], "are not possible"),
        (["--shoes", "few"], "not a whole number"),
        (["--cut-card", "-1"], "-1"),
        (["--decks", "11"], "(2.2.1)"),
        (["--shoe", "A=1", "--decks", "8"], "cannot be combined with"),
        (["--shoe", "A=1", "--seed", "8"], "cannot be combined with"),
    ],
)
def test_bad_input_to_protect_is_one_line(run: Run, arguments: list[str], word: str) -> None:
    refused(run("protect", "wu-song", *arguments), word)


# ---- session -----------------------------------------------------------------------------------------------------


def test_session_tells_the_distribution_of_a_result(run: Run) -> None:
    told = run("session", "commission", "--bet", "banker=100", "--bet", "tie=5", "--rounds", "60", "--json").json
    edges = run("odds", "commission", "--json").json["bets"]
    loss = 60 * (100 * Fraction(edges["banker"]["house_edge"]) + 5 * Fraction(edges["tie"]["house_edge"]))
    assert Fraction(told["theoretical_loss"]) == loss
    assert told["mean"] == pytest.approx(-float(loss))
    assert (told["ruin"], told["bankroll"], told["stakes"]) == (0, None, {"banker": "100.00", "tie": "5.00"})
    assert list(told["percentiles"]) == ["1", "5", "10", "25", "50", "75", "90", "95", "99"]
    ranked = [Decimal(value) for value in told["percentiles"].values()]
    assert ranked == sorted(ranked)
    poor = run("session", "commission", "--bet", "banker=100", "--rounds", "60", "--bankroll", "300", "--json").json
    assert 0 < poor["ruin"] < 1
    assert poor["expected_rounds"] < 60
    shown = run("session", "commission", "--bet", "banker=100", "--rounds", "60", "--bankroll", "300").out
    assert "Chance of ruin" in shown


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--rounds", "10"], "not a stake"),
        (["--rounds", "0", "--bet", "player=1"], "are not possible"),
        (["--rounds", "1e6", "--bet", "player=1"], "are not possible"),
        (["--rounds", "1e5", "--bet", "player=1", "--bet", "tie=99.99"], "too many possible results"),
        (["--rounds", "10", "--bet", "player=0"], "positive"),
        (["--rounds", "10", "--bet", "player=-5"], "positive"),
        (["--rounds", "10", "--bet", "player=1", "--bet", "player=2"], "given twice"),
        (["--rounds", "10", "--bet", "chess=1"], "no bet"),
        (["--rounds", "10", "--bet", "banker=0.01"], "cannot be paid exactly"),
        (["--rounds", "10", "--bet", "banker_insurance=1"], "insurance"),
        (["--rounds", "10", "--bet", "player=10", "--bankroll", "9"], "more than the 9 "),
        (["--rounds", "10", "--bet", "player=10", "--bankroll", "rich"], "not an amount"),
    ],
)
def test_bad_input_to_session_is_one_line(run: Run, arguments: list[str], word: str) -> None:
    refused(run("session", "insurance", *arguments), word)


# ---- shoes and files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shoe",
    [
        "",
        "A",
        "A=",
        "A=-1",
        "A=1.5",
        "A=99999",
        "A=9999999",
        "Z=1",
        "A=1,A=2",
        "A=1,,2=1",
        "A=²",
        "10=1,T=1",
        "A=1;2=1",
    ],
)
def test_a_shoe_that_is_none_is_refused(run: Run, shoe: str) -> None:
    refused(run("odds", "commission", "--shoe", shoe))
    refused(run("protect", "commission", "--shoe", shoe))


@pytest.mark.parametrize(
    "arguments",
    [
        ["--decks", "3"],
        ["--decks", "8", "--all-decks"],
        ["--shoe", "A=9", "--decks", "8"],
        ["--shoe", "A=9", "--all-decks"],
        ["--lang", "fr"],
    ],
)
def test_bad_input_to_odds_is_one_line(run: Run, arguments: list[str]) -> None:
    refused(run("odds", "commission", *arguments))


COMMANDS = {
    "odds": ["odds", "commission"],
    "simulate": ["simulate", "commission", "--rounds", "1e15"],
    "protect": ["protect", "commission", "--shoes", "1000000"],
    "session": ["session", "commission", "--bet", "player=1", "--rounds", "99999"],
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("option", ["--out", "--report"])
def test_a_place_that_cannot_be_written_is_refused_before_the_work(
    run: Run, tmp_path: Path, command: list[str], option: str
) -> None:
    ending = ".csv" if option == "--out" else ".html"
    fixed = tmp_path / f"fixed{ending}"
    fixed.write_text("as it was", encoding="utf-8")
    fixed.chmod(0o444)
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    folder = tmp_path / f"folder{ending}"
    folder.mkdir()
    before = sorted(tmp_path.rglob("*"))
    for place in (fixed, locked / f"a{ending}", folder, tmp_path / "none" / f"a{ending}", fixed / f"a{ending}"):
        refused(run(*command, option, str(place)), "Cannot write")
    for place in (tmp_path / "a.xlsx", tmp_path / "a", Path("/dev/null")):
        refused(run(*command, option, str(place)), "file name must end in")
    assert sorted(tmp_path.rglob("*")) == before
    assert fixed.read_text(encoding="utf-8") == "as it was"


@pytest.mark.parametrize("ending", ["html", "png"])
def test_every_command_draws_its_report(run: Run, tmp_path: Path, ending: str) -> None:
    for name, command in (
        ("odds", ["odds", "insurance"]),
        ("simulate", ["simulate", "commission", "--rounds", "1e5"]),
        ("protect", ["protect", "commission", "--shoe", "A=4,5=4,9=4,K=4"]),
        ("session", ["session", "commission", "--bet", "player=10", "--rounds", "20", "--bankroll", "50"]),
    ):
        place = tmp_path / f"{name}.{ending}"
        answer = run(*command, "--report", str(place), "--lang", "zh")
        assert (answer.code, answer.err) == (0, "")
        content = place.read_bytes()
        assert content.startswith(b"<!doctype html>" if ending == "html" else b"\x89PNG")
        if ending == "html":
            text = content.decode()
            assert not {"http:", "https:", "<script", "<link", "url("} & {
                word for word in ("http:", "https:", "<script", "<link", "url(") if word in text
            }
            assert 'src="data:image/svg+xml;base64,' in text
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(
        f"{name}.{ending}" for name in ("odds", "simulate", "protect", "session")
    )


def test_what_a_game_file_says_is_only_text_in_a_report(run: Run, tmp_path: Path) -> None:
    mine, page = tmp_path / "mine.toml", tmp_path / "page.html"
    text = scaffold("mine", "commission", "<script>x</script> $x_1$")
    mine.write_text(text.replace('en = "Tie"', 'en = "Tie <b>"'), encoding="utf-8")
    assert run("odds", str(mine), "--report", str(page)).code == 0
    written = page.read_text(encoding="utf-8")
    assert "<script" not in written
    assert "Tie &lt;b&gt;" in written


def test_the_commands_are_found_without_what_they_compute_with() -> None:
    program = (
        "import sys; sys.argv = ['puntobanco', 'simulate', 'commission', '--rounds', 'nan']\n"
        "from puntobanco.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as done:\n    assert done.code == 2\n"
        "assert not {'numpy', 'numba', 'matplotlib', 'distributed', 'pyarrow'} & sys.modules.keys()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr


def test_too_many_rounds_are_refused_with_the_limit_of_the_command(run: Run) -> None:
    refused(run("session", "commission", "--bet", "player=100", "--rounds", "1e15"), "100,000")
    refused(run("session", "commission", "--bet", "player=100", "--rounds", "100001"), "100,000")
    refused(run("simulate", "commission", "--rounds", "1e16"), "1,000,000,000,000,000")


def test_a_wide_table_is_split_and_no_figure_is_cut_at_any_width(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said, shoe = sentences("en"), Shoe.of(8)
    for key in ("super-six", "insurance"):
        priced = price(library.game(key), shoe)
        for sheet in (*sheets.prices(priced, said), sheets.correlations(priced, said)):
            told = {cell for row in sheet.rows for cell in row[sheet.words :]}
            for width in (60, 73, 79, 80, 81, 100):
                monkeypatch.setenv("COLUMNS", str(width))
                _show("", [sheet], {}, json=False)
                shown = capsys.readouterr().out
                assert told <= set(shown.split()), (sheet.heading, width)
                assert max(map(cell_len, shown.splitlines())) <= width


def test_each_part_of_a_split_table_says_which_points_its_rows_are_about() -> None:
    averaged = list(sheets.prices(price(library.game("insurance"), Shoe.of(8)), sentences("en")))[-1]
    assert averaged.columns[: averaged.words] == ("Window", "Insures", "Player", "Banker")
