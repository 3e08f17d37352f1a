"""The commands for those who write games, as a shell runs them."""

import json
import re
import shlex
from pathlib import Path

import pytest

from puntobanco.rules import library
from puntobanco.rules.library import GAMES
from puntobanco.rules.scaffold import scaffold
from tests.cli.test_commands import run

# ---- a new file --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("like", GAMES)
def test_a_new_file_is_valid_at_once_and_plays_like_the_game_it_copies(like: str, tmp_path: Path) -> None:
    path = tmp_path / "my-game.toml"
    path.write_text(scaffold("my-game", like), encoding="utf-8")
    mine, ours = library.read_game(path)[0], library.game(like)
    assert (mine.key, mine.title.en, mine.version, mine.effective) == ("my-game", "My Game", 1, None)
    assert (mine.rulebook, mine.document) == (like, "My Game, draft rules")
    assert (mine.bets, mine.layouts, mine.decks) == (ours.bets, ours.layouts, ours.decks)
    assert mine.approved == ours.approved
    assert mine.authority == ours.authority


def test_new_writes_a_file_that_check_accepts_and_says_what_to_try(tmp_path: Path) -> None:
    mine = tmp_path / "ten-seven.toml"
    done = run("new", str(mine), "--like", "super-six", "--title", 'Ten "Seven"', "--title-zh", "十七")
    assert (done.returncode, done.stderr) == (0, "")
    commands = [one.strip() for one in done.stdout.split("try:")[1].split(";")]
    assert [one.split()[1] for one in commands] == ["check", "paytable", "play"]
    for one in commands[:2]:
        assert run(*one.split()[1:]).returncode == 0
    found = json.loads(run("check", str(mine), "--json").stdout)
    assert (found["game"], found["title"]) == ("ten-seven", 'Ten "Seven"')
    assert library.read_game(mine)[0].title.zh == "十七"


def test_new_never_overwrites(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("precious", encoding="utf-8")
    done = run("new", str(mine))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"puntobanco: {mine} already exists. Choose another name; nothing was changed.\n"
    assert mine.read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["my game.toml"], '"my game" is invalid, expected lower-case letters, digits and dashes'),
        (["My-Game.toml"], '"My-Game" is invalid'),
        ([".toml"], "must end in .toml"),
        (["mine"], "must end in .toml"),
        (["mine.TOML"], "must end in .toml"),
        (["wu-song.toml"], '"wu-song" is the key of a built-in game'),
        (["mine.toml", "--like", "chess"], "chess"),
        (["mine.toml", "--title", " "], "expected text that is not empty"),
        (["mine.toml", "--title", "a\x7fb"], "expected text that is not empty and has no control characters"),
        (["mine.toml", "--title", "a\nkey = 3"], "expected text that is not empty and has no control characters"),
        (["nowhere/mine.toml"], "Cannot write"),
    ],
)
def test_new_refuses_what_would_be_no_game_file(arguments: list[str], why: str, tmp_path: Path) -> None:
    name, *options = arguments
    done = run("new", str(tmp_path / name), *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert why in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


# ---- keys --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["check", "paytable", "odds"])
def test_a_file_with_the_key_of_a_built_in_game_is_refused(command: str, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(library.source("commission").replace('"8:1"', '"9:1"'), encoding="utf-8")
    done = run(command, str(mine))
    assert (done.returncode, done.stdout) == (2, "")
    at = ":5:1" if command == "check" else ""
    why = '"commission" is the key of a built-in game, expected a key of its own.'
    assert done.stderr == f"puntobanco: mine.toml{at}: game: key: {why}\n"


# ---- paragraphs --------------------------------------------------------------------------------------------------

OWN = """
[paragraph."4.1.1"]
kind = ["settlement"]
mode = ["machine", "human"]
en = "Tie pays 9 to 1."
zh = "和局一赔九。"
"""


def test_a_paragraph_of_a_file_is_declared_and_one_of_ours_enforced(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(scaffold("mine", "super-six") + OWN, encoding="utf-8")
    for lang, enforced, declared in (("en", "enforced", "declared by the file"), ("zh", "由系统执行", "由文件声明")):
        for wanted in ([], ["4.1.1"], ["5.1.1"]):
            ours = run("rules", "super-six", *wanted, "--lang", lang).stdout
            told = run("rules", str(mine), *wanted, "--lang", lang).stdout
            assert enforced in ours
            assert declared not in ours
            assert enforced not in told
            assert declared in told
    both = run("rules", str(mine), "4.1.1").stdout
    assert "declared by the file, decided by a person" in both
    assert "Tie pays 9 to 1." in both


def test_the_tests_of_a_paragraph_are_those_of_the_document_it_comes_from(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(scaffold("mine", "super-six") + OWN, encoding="utf-8")
    told = json.loads(run("rules", str(mine), "--json").stdout)
    ours = json.loads(run("rules", "super-six", "--json").stdout)
    assert told["5.1.1"]["tests"] == ours["5.1.1"]["tests"] != []
    assert ours["4.1.1"]["tests"] != []
    assert (told["4.1.1"]["tests"], told["4.1.1"]["code"]) == ([], [])
    assert not any(one["enforced"] for one in told.values())
    assert all(one["enforced"] is ("machine" in one["mode"]) for one in ours.values())


# ---- the page ----------------------------------------------------------------------------------------------------


def test_the_smallest_file_of_the_page_is_valid_and_has_no_field_too_many() -> None:
    page = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    [smallest] = re.findall(r"```toml\n(key = .*?)```", page, re.DOTALL)
    assert library.own_game_from(smallest, "tiny.toml")[0].key == "tiny"
    lines = smallest.splitlines()
    for place, line in enumerate(lines):
        if re.match("[a-z_]+ = [^\\[]", line):
            shorter = "\n".join([*lines[:place], *lines[place + 1 :]])
            assert library.located_faults(shorter, "tiny.toml") != [], line


def test_what_to_try_can_be_pasted_into_a_shell_whatever_the_folder_is_called(tmp_path: Path) -> None:
    folder = tmp_path / "my games; x"
    folder.mkdir()
    told = run("new", str(folder / "mine.toml")).stdout
    first = told.partition("try: puntobanco ")[2].partition("; puntobanco")[0]
    assert run(*shlex.split(first)).returncode == 0
