"""The `puntobanco` command, as a shell runs it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from puntobanco.rules import library
from puntobanco.rules.scaffold import scaffold
from tests.marks import rulings

COMMAND = [str(Path(sys.executable).parent / "puntobanco")]


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"COLUMNS": "200", "PYTHONUTF8": "1", "NO_COLOR": "1"}
    return subprocess.run(
        [*COMMAND, *arguments], input=stdin, capture_output=True, text=True, env=environment, check=False, timeout=60
    )


def settled(*arguments: str) -> dict[str, Any]:
    done = run("settle", *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_settle_prints_one_object_with_decimal_strings() -> None:
    assert settled("wu-song", "--cards", "K 2 4 A 7 7", "--bet", "wu_dalang=1", "--bet", "player=100") == {
        "game": "wu-song",
        "layout": "A",
        "outcome": {
            "winner": "player",
            "player_points": 1,
            "banker_points": 0,
            "player_cards": 3,
            "banker_cards": 3,
            "player_pair": False,
            "banker_pair": False,
        },
        "bets": {
            "wu_dalang": {
                "result": "win",
                "stake": "1.00",
                "profit": "150.00",
                "commission": "0.00",
                "returned": "151.00",
                "rule": "4.1.10",
            },
            "player": {
                "result": "win",
                "stake": "100.00",
                "profit": "100.00",
                "commission": "0.00",
                "returned": "200.00",
                "rule": "4.1.1",
            },
        },
    }


@rulings("MON-7")
def test_settle_shows_commission_losses_and_insurance() -> None:
    bets = settled("commission", "--cards", "2 4 3 4", "--bet", "banker=25", "--bet", "player=25")["bets"]
    assert bets["banker"] | {"rule": ""} == {
        "result": "win",
        "stake": "25.00",
        "profit": "23.75",
        "commission": "1.25",
        "returned": "48.75",
        "rule": "",
    }
    assert (bets["player"]["profit"], bets["player"]["returned"], bets["player"]["rule"]) == ("-25.00", "0.00", "3.13")
    cards = ("--cards", "2 2 2 3 4 A", "--bet", "banker=1000", "--bet", "banker_insurance@four=500")
    bets = settled("insurance", *cards)["bets"]
    assert bets["banker_insurance@four"]["profit"] == "1000.00"


def test_the_electronic_table_has_no_layout() -> None:
    assert settled("non-commission-etg", "--cards", "K 2 3 4 A", "--bet", "banker=15")["layout"] is None


def test_a_box_is_shown_when_it_was_given() -> None:
    assert settled("commission", "--cards", "9 7 K T", "--box", "9")["box"] == 9


@pytest.mark.parametrize(
    ("language", "words"), [("en", ["Player wins, 1 to 0.", "4.1.10", "150:1"]), ("zh", ["武大郎", "4.1.10", "150:1"])]
)
def test_settle_tells_the_story_with_paragraphs(language: str, words: list[str]) -> None:
    done = run("settle", "wu-song", "--lang", language, "--cards", "K 2 4 A 7 7", "--bet", "wu_dalang=1")
    assert done.returncode == 0
    for word in words:
        assert word in done.stdout


BAD: list[tuple[list[str], str]] = [
    (["settle", "chess", "--cards", "9 7 K T"], 'no game "chess"'),
    (["settle", "commission", "--layout", "E", "--cards", "9 7 K T"], 'no layout "E"'),
    (["settle", "non-commission-etg", "--layout", "A", "--cards", "9 7 K T"], "has no layout"),
    (["settle", "commission", "--cards", "9 7 K T", "--bet", "dragon=5"], 'no bet "dragon"'),
    (["settle", "wu-song", "--layout", "E", "--cards", "9 7 K T", "--bet", "wu_song=5"], "not on layout E"),
    (["settle", "commission", "--layout", "B", "--box", "8", "--cards", "9 7 K T"], "no box 8"),
    (["settle", "commission", "--box", "x", "--cards", "9 7 K T"], "not a whole number"),
    (["settle", "non-commission-etg", "--box", "1", "--cards", "9 7 K T"], "no boxes"),
    (["settle", "commission", "--decks", "9", "--cards", "9 7 K T"], "9 decks are not allowed"),
    (["settle", "commission", "--decks", "0", "--cards", "9 7 K T"], "0 decks are not allowed"),
    (["settle", "commission", "--decks", "-4", "--cards", "9 7 K T"], "not a whole number"),
    (["settle", "commission", "--decks", "1" + "0" * 12, "--cards", "9 7 K T"], "decks are not allowed"),
    (["settle", "commission", "--decks", "٣", "--cards", "9 7 K T"], "not a whole number"),
    (["settle", "commission", "--cards", "9 7 K T", "--bet", "player=0"], "positive"),
    (["settle", "commission", "--cards", "9 7 K T", "--bet", "player=-5"], "positive"),
    (["settle", "commission", "--cards", "9 7 K T", "--bet", "player=1.50"], "chip unit"),
    (["settle", "commission", "--cards", "9 7 K T", "--bet", "player=abc"], "not an amount"),
    (["settle", "commission", "--cards", "9 7 K T", "--bet", "player=1e30"], "not an amount"),
    (["settle", "commission", "--cards", "9 7 K T", "--bet", "player=1" + "0" * 30], "must not exceed"),
    (["settle", "commission", "--cards", "9 7 K T", "--bet", "player"], "not a stake"),
    (["settle", "commission", "--cards", "9 7 K T", "--bet", "player=5", "--bet", "player=5"], "given twice"),
    (["settle", "commission", "--cards", "9 7 K"], "Too few"),
    (["settle", "commission", "--cards", ""], "Too few"),
    (["settle", "commission", "--cards", "2 4 3 2"], "Too few"),
    (["settle", "commission", "--cards", "9 7 K T 5"], "one card too many"),
    (["settle", "commission", "--cards", "2 4 3 2 6 9 A"], "one card too many"),
    (["settle", "commission", "--cards", "9 7 K X"], "not a card"),
    (["settle", "commission", "--cards", "9 7 K \x1b[31m"], "not a card"),
    (["settle", "commission", "--decks", "4", "--cards", "AS AS AS AS AS 2"], "do not contain"),
    (["settle", "commission", "--unit", "0.05", "--cards", "9 7 K T"], "whole cents"),
    (["settle", "commission", "--lang", "fr", "--cards", "9 7 K T"], 'no language "fr"'),
    (["settle", "commission"], "--cards"),
    (["settle"], "game"),
    (["dance"], "dance"),
    (["settle", "commission", "--nonsense"], "--nonsense"),
    (["settle", "insurance", "--cards", "9 7 K T", "--bet", "banker_insurance=5"], "@four"),
    (["settle", "insurance", "--cards", "9 7 K T", "--bet", "banker_insurance@four=5"], "not offered"),
    (["rules", "commission", "9.9"], 'no paragraph "9.9"'),
    (["paytable", "commission", "--layout", "Q"], 'no layout "Q"'),
    (["check", "/nowhere/at/all.toml"], "Cannot read"),
    (["check", "/tmp"], "Cannot read"),
    (["check", "."], "Cannot read"),
    (["check", "/dev/zero"], "Cannot read"),
    (["settle", "commission", "--decks", "", "--cards", "9 7 K T"], "not a whole number"),
    (["settle", "insurance", "--waived", "--cards", "2 2 2 3 4 A"], "cannot be shown first"),
    (["settle", "commission", "--waived", "--cards", "9 7 K T"], "cannot be shown first"),
    (["play", "commission", "--minimum", "20000"], "more than the Differential"),
    (["play", "commission", "--decks", "3"], "3 decks"),
    (["play", "commission", "--balance", "x"], "not an amount"),
    (["play", "commission", "--balance", "-5"], "positive"),
    (["play", "commission", "--minimum", "0"], "positive"),
    (["play", "commission", "--differential", "10.50"], "chip unit"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD, ids=[" ".join(arguments)[:60] for arguments, _ in BAD])
def test_bad_input_gives_one_clear_line_and_exit_code_2(arguments: list[str], words: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("puntobanco: ")
    assert words in done.stderr
    assert "\x1b" not in done.stderr


def test_a_refusal_is_said_in_the_language_asked_for_with_its_paragraph() -> None:
    done = run("settle", "commission", "--decks", "9", "--cards", "9 7 K T", "--lang", "zh")
    assert done.returncode == 2
    assert "9" in done.stderr
    assert "(2.2.1)" in done.stderr
    assert "decks" not in done.stderr


def test_the_games_are_listed() -> None:
    listed = json.loads(run("games", "--json").stdout)
    assert [game["game"] for game in listed] == list(library.GAMES)
    assert [game["fingerprint"] for game in listed] == [library.game(key).fingerprint for key in library.GAMES]
    shown = run("games", "--lang", "zh").stdout
    assert all(key in shown for key in library.GAMES)


@pytest.mark.parametrize("key", library.GAMES)
def test_every_pay_table_is_shown_from_the_lines_that_settle(key: str) -> None:
    game = library.game(key)
    for layout in game.layouts or (None,):
        option = ["--layout", layout.key] if layout else []
        listed = json.loads(run("paytable", key, *option, "--json").stdout)
        assert listed["layout"] == (layout.key if layout else None)
        assert {bet: [line["pays"] for line in lines] for bet, lines in listed["bets"].items()} == {
            bet.key: [str(line.pays) for line in bet.lines] for bet in game.menu(layout) if not bet.insures
        }
        assert len(listed["insurance"]) == (len(game.insurance.rows) if game.insurance else 0)
    assert "1:1" in run("paytable", key).stdout


def test_a_paragraph_is_shown_with_what_enforces_it() -> None:
    shown = run("rules", "wu-song", "5.1.1").stdout
    assert "puntobanco.rules.limits.pro_rata" in shown
    assert "irregularities.over_differential.pro_rata" in shown
    everything = json.loads(run("rules", "wu-song", "--json").stdout)
    assert list(everything) == list(library.rulebook("wu-song"))
    assert "5.18" in run("rules", "wu-song", "--lang", "zh").stdout


def test_an_overlay_is_checked(tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "examples" / "overlays" / "interruptions.toml"
    good = run("check", str(source))
    assert (good.returncode, good.stderr) == (0, "")
    for said in (
        "interruptions.toml is a valid overlay.",
        "reg. 12(3), Shift Manager",
        "while the round runs",
        "Fingerprint",
    ):
        assert said in good.stdout
    assert "局中 / 结算后" in run("check", str(source), "--lang", "zh").stdout.replace("\n", "")
    written = json.loads(run("check", str(source), "--json").stdout)
    assert (written["key"], len(written["void"]), len(written["fingerprint"])) == ("sample-interruptions", 2, 64)
    mine = tmp_path / "mine.toml"
    text = source.read_text(encoding="utf-8").replace('"technical"', '"tecnical"').replace("citation", "citatoin")
    mine.write_text(text, encoding="utf-8")
    bad = run("check", str(mine))
    assert bad.returncode == 2
    places = [line.partition(": overlay")[0] for line in bad.stderr.splitlines()]
    assert places == [f"puntobanco: mine.toml:{at}" for at in ("7:1", "8:1", "9:1", "13:1", "15:1")]
    assert "overlay, void 1: cause: expected one of" in bad.stderr
    assert 'Did you mean "technical"?' in bad.stderr
    told = json.loads(run("check", str(mine), "--json").stdout)
    assert [(one["line"], one["field"]) for one in told[:2]] == [(7, "citation"), (8, "cause")]


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        ('key = "x"\ntitle = {\n', 2, 10, "Invalid initial character for a key part"),
        ('key = "x', 1, 9, "Unterminated string"),
        ("a = 1\n[b\n", 2, 3, "Expected ']' at the end of a table declaration"),
    ],
)
def test_a_file_that_is_no_toml_is_told_where(text: str, line: int, column: int, why: str, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(text, encoding="utf-8")
    done = run("check", str(mine))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"puntobanco: Cannot parse mine.toml:{line}:{column}: {why}.\n"
    [told] = json.loads(run("check", str(mine), "--json").stdout)
    assert (told["line"], told["column"], told["reason"]) == (line, column, "file_malformed")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "Cannot read {folder}/mine.toml: there is no such file."),
        (b"\xff\xfe", "Cannot parse mine.toml: it is not text in UTF-8."),
        (b"#" * 1_000_001, "Cannot parse mine.toml: it is larger than 1 MB."),
        (b"x = " + b"9" * 5000, "Cannot parse mine.toml: a number has too many digits."),
        (b"x = " + b"[" * 100_000, "Cannot parse mine.toml: it is nested too deeply."),
    ],
)
def test_a_file_that_cannot_be_read_is_told_in_plain_words(content: bytes | None, why: str, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    if content is not None:
        mine.write_bytes(content)
    for command in ("check", "paytable", "scenario"):
        done = run(command, str(mine))
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"puntobanco: {why.format(folder=tmp_path)}\n")


def test_a_game_file_is_checked(tmp_path: Path) -> None:
    mine = tmp_path / "mine.TOML"
    mine.write_text(scaffold("mine", "commission").replace('"8:1"', '"9:1"'), encoding="utf-8")
    good = run("check", str(mine))
    assert (good.returncode, good.stderr) == (0, "")
    assert "mine.TOML is a valid game file." in good.stdout
    assert json.loads(run("check", str(mine), "--json").stdout)["game"] == "mine"
    assert settled(str(mine), "--cards", "2 3 4 3", "--bet", "tie=1")["bets"]["tie"]["profit"] == "9.00"
    mine.write_text(mine.read_text(encoding="utf-8").replace('"9:1"', '"nine"'), encoding="utf-8")
    bad = run("check", str(mine))
    assert bad.returncode == 2
    assert bad.stderr.startswith("puntobanco: mine.TOML:108:32: bet tie, line 1: pays: expected odds")


def test_a_file_with_a_key_of_very_many_parts_is_refused_at_once(tmp_path: Path) -> None:
    hostile = tmp_path / "hostile.toml"
    hostile.write_text("a" + ".a" * 50_000 + " = 1", encoding="utf-8")
    for command in ("check", "scenario", "explain", "paytable"):
        done = run(command, str(hostile))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "puntobanco: Cannot parse hostile.toml: a key has more than 16 parts.\n"


def test_markup_in_a_game_file_is_only_text(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    text = scaffold("mine", "commission", "EZ [/x] [red]")
    mine.write_text(text.replace('en = "Tie"', 'en = "Tie [/b]"'), encoding="utf-8")
    for arguments in (["paytable"], ["settle", "--cards", "9 7 K T", "--bet", "tie=1"], ["check"]):
        done = run(arguments[0], str(mine), *arguments[1:])
        assert (done.returncode, done.stderr) == (0, "")
    assert "EZ [/x] [red]" in run("check", str(mine)).stdout


def test_settle_needs_neither_numpy_nor_numba_nor_rich() -> None:
    program = (
        "import sys; sys.argv = ['puntobanco', 'settle', 'wu-song', '--cards', 'K 2 4 A 7 7', '--bet', 'player=1',"
        " '--json']\n"
        "from puntobanco.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as done:\n    assert done.code == 0\n"
        "assert not {'numpy', 'numba', 'rich.console'} & sys.modules.keys()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_cannot_be_written_is_one_line_too() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "games"], stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60
        )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_a_terminal_that_knows_no_chinese_still_gets_an_answer() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [*COMMAND, "paytable", "wu-song", "--lang", "zh"], env=environment, capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_minus_and_a_mark_are_never_question_marks(encoding: str) -> None:
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    for arguments in (["settle", "commission", "--cards", "9 7 K T", "--bet", "banker=5"], ["roads", "BBPBT"]):
        done = subprocess.run(
            [*COMMAND, *arguments], env=environment, capture_output=True, encoding=encoding, check=True, timeout=60
        )
        assert "?" not in done.stdout
    assert "* red, o blue" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="streams of a shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
def test_streams_may_be_closed(closed: str) -> None:
    for line, code in (("games", 0), ("games --json", 0), ("paytable chess", 2)):
        done = subprocess.run(
            f"{COMMAND[0]} {line} {closed}", shell=True, capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == code
        assert "Traceback" not in done.stderr


def test_nothing_asked_is_answered_with_help() -> None:
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    assert "paytable" in done.stdout


@pytest.mark.parametrize("columns", [60, 79, 80])
@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
def test_names_and_dates_are_whole_on_a_narrow_terminal(columns: int, language: str) -> None:
    environment = os.environ | {"COLUMNS": str(columns), "PYTHONUTF8": "1", "NO_COLOR": "1"}
    asked = [*COMMAND, "games", "--lang", language]
    shown = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True, timeout=60).stdout
    games = [library.game(key) for key in library.GAMES]
    words = {word for game in games for word in (game.key, *game.title.said(language).split())}
    assert [word for word in ("2019-09-16 08:00", *words) if word not in shown] == []
    assert max(map(cell_len, shown.splitlines())) <= columns


def test_help_and_version() -> None:
    assert "paytable" in run("--help").stdout
    assert run("--version").stdout.startswith("puntobanco ")
    assert "--cards" in run("settle", "--help").stdout


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("puntobanco set", "settle"),
        ("puntobanco settle w", "wu-song"),
        ("puntobanco settle wu-song --layout ", "F"),
        ("puntobanco settle wu-song --bet wu_", "wu_dalang="),
        ("puntobanco settle insurance --bet banker_i", "banker_insurance@four="),
        ("puntobanco rules commission 5.12", "5.12.3"),
        ("puntobanco rules examples/games/ez-baccarat.toml T", "Title"),
        ("puntobanco games --lang ", "zh"),
    ],
)
def test_shells_complete_commands_games_layouts_bets_and_paragraphs(words: str, expected: str) -> None:
    environment = os.environ | {"_PUNTOBANCO_COMPLETE": "complete_bash", "COMP_WORDS": words}
    environment["COMP_CWORD"] = str(words.count(" "))
    done = subprocess.run(COMMAND, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert expected in done.stdout.split()


@pytest.mark.parametrize("words", ["puntobanco rules chess 5", "puntobanco settle wu-song --layout Q --bet w"])
def test_completing_nonsense_offers_nothing_and_says_nothing(words: str) -> None:
    environment = os.environ | {"_PUNTOBANCO_COMPLETE": "complete_bash", "COMP_WORDS": words}
    environment["COMP_CWORD"] = str(words.count(" "))
    done = subprocess.run(COMMAND, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("", "")


# ---- scenarios ---------------------------------------------------------------------------------------------------

SCENARIOS = Path(__file__).parents[2] / "scenarios"

WRITTEN = """
title = "A bet nobody heard"
game = "commission"
people = { ann = "1000" }
step = [
  { by = "ann", do = "bet", box = 1, bet = "player", amount = "100", expect = { refused = "not_heard_now" } },
  { by = "dealer", do = "open", expect = { phase = "idle" } },
]
"""


def test_a_scenario_says_what_held_and_what_did_not(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(WRITTEN, encoding="utf-8")
    done = run("scenario", str(file))
    assert (done.returncode, done.stdout) == (1, "mine.toml: step 2: phase: expected idle, found betting.\n")
    file.write_text(WRITTEN.replace('"idle"', '"betting"'), encoding="utf-8")
    assert run("scenario", str(file)).stdout == "mine.toml: A bet nobody heard: 4 expectations held.\n"


def three_files(folder: Path) -> list[str]:
    """One that holds, one that does not, one that is no scenario between them."""
    held = WRITTEN.replace('"idle"', '"betting"')
    for name, text in (("held", held), ("broken", "game = "), ("missed", WRITTEN)):
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return [str(folder / f"{name}.toml") for name in ("broken", "missed", "held", "absent")]


def test_every_scenario_has_its_own_verdict_and_the_last_line_counts_them(tmp_path: Path) -> None:
    files = three_files(tmp_path)
    done = run("scenario", *files)
    assert done.returncode == 2
    assert done.stdout == (
        "missed.toml: step 2: phase: expected idle, found betting.\n"
        "held.toml: A bet nobody heard: 4 expectations held.\n"
        "4 files: 1 held, 1 did not, 2 cannot be played.\n"
    )
    broken, absent = done.stderr.splitlines()
    assert broken.startswith("puntobanco: Cannot parse broken.toml: ")
    assert absent.startswith(f"puntobanco: Cannot read {tmp_path / 'absent.toml'}: ")
    assert run("scenario", *files[1:3]).returncode == 1
    assert run("scenario", files[2], files[2]).returncode == 0
    assert "1 个不符合" in run("scenario", *files, "--lang", "zh").stdout


def test_the_verdicts_are_data_too(tmp_path: Path) -> None:
    done = run("scenario", *three_files(tmp_path), "--json")
    assert (done.returncode, done.stderr) == (2, "")
    told = json.loads(done.stdout)
    assert {name: told[name] for name in ("held", "missed", "unplayable")} == {"held": 1, "missed": 1, "unplayable": 2}
    broken, missed, held, absent = told["files"]
    assert [broken["file"], broken["verdict"], broken["reason"]] == ["broken.toml", "unplayable", "file_malformed"]
    assert absent["reason"] == "file_unreadable"
    assert "absent.toml" in absent["why"]
    assert missed == {
        "file": "missed.toml",
        "verdict": "missed",
        "title": "A bet nobody heard",
        "checked": 4,
        "misses": [{"step": 2, "field": "phase", "expected": "idle", "found": "betting"}],
    }
    assert (held["verdict"], held["misses"]) == ("held", [])
    assert json.loads(run("scenario", str(tmp_path / "held.toml"), "--json").stdout)["held"] == 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ('game = "commissions"', "mine.toml: scenario: game: There is no game"),
        ('paragraphs = ["9.9"]', "mine.toml: scenario: paragraphs:"),
        ("table = { decks = 3 }", "mine.toml: table: decks:"),
    ],
)
def test_a_scenario_that_cannot_be_played_names_file_and_field(tmp_path: Path, wrong: str, words: str) -> None:
    file = tmp_path / "mine.toml"
    text = WRITTEN.replace('game = "commission"', "") if wrong.startswith("game") else WRITTEN
    file.write_text(wrong + text, encoding="utf-8")
    for command in ("scenario", "explain"):
        done = run(command, str(file))
        assert done.returncode == 2
        assert done.stderr.startswith(f"puntobanco: {words}")


def test_an_account_is_words_and_data_and_tells_what_was_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(WRITTEN.replace('"idle"', '"betting"'), encoding="utf-8")
    assert (
        "ann wants to bet: refused. That cannot be done now: no round is being played. (3.3)"
        in run("explain", str(file)).stdout
    )
    lines = json.loads(run("explain", str(file), "--json", "--lang", "zh").stdout)
    refused = next(line for line in lines if line["code"] == "refused")
    assert refused["paragraph"] == "3.3"
    assert refused["parameters"] == {"who": "ann", "wish": "bet", "why": "not_heard_now"}
    tied = json.loads(
        run("explain", str(SCENARIOS / "super-six-3.8-tie-silence-returns-the-stake.toml"), "--json").stdout
    )
    assert [line["paragraph"] for line in tied if line["code"] == "stake_silent"] == ["3.8"]
    placed = next(line for line in tied if line["code"] == "bets_placed")
    assert placed["parameters"]["lines"][0]["code"] == "staked"


@pytest.mark.skipif(os.name == "nt", reason="pipes of a shell")
def test_whoever_reads_only_the_beginning_is_no_error() -> None:
    for arguments in (
        ["roads", "BPB"],
        ["explain", str(SCENARIOS / "commission-3.9-squeeze.toml")],
        ["games", "--json"],
    ):
        with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
            assert command.stdout is not None
            command.stdout.close()
            assert command.wait(timeout=60) == 0
            assert command.stderr is not None
            assert command.stderr.read() == b""


def test_a_file_that_the_system_refuses_is_named(tmp_path: Path) -> None:
    (tmp_path / "demo").touch()
    done = run("serve", "--demo", "--place", str(tmp_path / "demo" / "deep"))
    assert (done.returncode, done.stderr) == (2, f"puntobanco: {tmp_path}/demo/deep: Not a directory.\n")
