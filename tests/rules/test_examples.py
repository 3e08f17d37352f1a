"""Games that are not ours, each one file and no code: they load, settle by paragraph and have the published edge."""

import copy
import json
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import puntobanco
from puntobanco.rules import library
from puntobanco.rules.checks import citations
from puntobanco.rules.game import Game
from puntobanco.rules.money import read_money, write_money
from puntobanco.rules.settlement import Result, deciding_line
from tests.golden import exact

FOLDER = Path(__file__).parents[2] / "examples" / "games"
EXAMPLES = sorted(FOLDER.glob("*.toml"))
every_example = pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)


@cache
def example(key: str) -> Game:
    return library.read_game(FOLDER / f"{key}.toml")[0]


@cache
def eight_decks() -> exact.Distribution:
    return exact.distribution(8)


# ---- they load ---------------------------------------------------------------------------------------------------


def test_there_are_at_least_three_examples() -> None:
    assert {path.stem for path in EXAMPLES} >= {"dragon-bonus", "ez-baccarat", "lucky-six"}


@every_example
def test_an_example_loads_under_the_name_of_its_file_and_is_none_of_our_games(path: Path) -> None:
    game = puntobanco.read_game(path)
    assert game.key == path.stem
    assert game.key not in library.GAMES


@every_example
def test_an_example_brings_its_own_paragraphs_and_cites_every_one(path: Path) -> None:
    game, paragraphs = library.read_game(path)
    assert {rule for _, rule in citations(game)} == set(paragraphs)
    assert all(one.en and one.zh and one.kind and one.mode for one in paragraphs.values())


# ---- they settle -------------------------------------------------------------------------------------------------

WIN, LOSE, PUSH = Result.WIN, Result.LOSE, Result.PUSH

# cards in draw order; then, with 10.00 on each bet: the result, the profit and the paragraph
SETTLED: dict[str, dict[str, dict[str, tuple[Result, str, str]]]] = {
    "ez-baccarat": {
        # Banker wins with a three-card 7
        "K K 2 2 2 5": {
            "player": (LOSE, "-10.00", "2.8"),
            "banker": (PUSH, "0.00", "3.3"),
            "tie": (LOSE, "-10.00", "3.4"),
            "dragon_7": (WIN, "400.00", "3.5"),
            "panda_8": (LOSE, "-10.00", "3.6"),
        },
        # Banker wins with a two-card 7
        "K 7 6 K": {"banker": (WIN, "10.00", "3.2"), "dragon_7": (LOSE, "-10.00", "3.5")},
        # Banker wins with a three-card 6
        "K K 2 2 2 4": {"banker": (WIN, "10.00", "3.2"), "dragon_7": (LOSE, "-10.00", "3.5")},
        # both have a three-card 7
        "K K 2 2 5 5": {
            "player": (PUSH, "0.00", "2.9"),
            "banker": (PUSH, "0.00", "2.9"),
            "tie": (WIN, "80.00", "3.4"),
            "dragon_7": (LOSE, "-10.00", "3.5"),
        },
        # Player beats a three-card 7 with a three-card 8
        "K K 2 2 6 5": {
            "player": (WIN, "10.00", "3.1"),
            "banker": (LOSE, "-10.00", "2.8"),
            "dragon_7": (LOSE, "-10.00", "3.5"),
            "panda_8": (WIN, "250.00", "3.6"),
        },
        # Player wins with a natural 8, has a three-card 8 in a tie, and loses with it
        "K K 8 7": {"player": (WIN, "10.00", "3.1"), "panda_8": (LOSE, "-10.00", "3.6")},
        "K K 2 2 6 6": {"player": (PUSH, "0.00", "2.9"), "panda_8": (LOSE, "-10.00", "3.6")},
        "K K 2 2 6 7": {"player": (LOSE, "-10.00", "2.8"), "panda_8": (LOSE, "-10.00", "3.6")},
    },
    "lucky-six": {
        # Banker wins with 6: two cards, three cards
        "K 6 2 K 2": {"banker": (WIN, "5.00", "3.2"), "lucky_6": (WIN, "120.00", "3.4.1")},
        "K K 2 2 2 4": {"banker": (WIN, "5.00", "3.2"), "lucky_6": (WIN, "200.00", "3.4.2")},
        # Banker wins with 7, ties with 6, loses to 7 with 6
        "K 7 6 K": {"banker": (WIN, "10.00", "3.2"), "lucky_6": (LOSE, "-10.00", "3.4")},
        "K 6 6 K": {
            "player": (PUSH, "0.00", "2.9"),
            "banker": (PUSH, "0.00", "2.9"),
            "tie": (WIN, "80.00", "3.3"),
            "lucky_6": (LOSE, "-10.00", "3.4"),
        },
        "K 6 7 K": {
            "player": (WIN, "10.00", "3.1"),
            "banker": (LOSE, "-10.00", "2.8"),
            "lucky_6": (LOSE, "-10.00", "3.4"),
        },
        # Player wins with 6
        "K 2 6 K 3": {"player": (WIN, "10.00", "3.1"), "lucky_6": (LOSE, "-10.00", "3.4")},
        # pairs
        "K K K 7 5": {"player_pair": (WIN, "110.00", "3.5"), "banker_pair": (LOSE, "-10.00", "3.5")},
        "K 3 10 3 8": {"player_pair": (LOSE, "-10.00", "3.5"), "banker_pair": (WIN, "110.00", "3.5")},
    },
    "dragon-bonus": {
        # commission
        "K K 6 7": {"player": (LOSE, "-10.00", "2.8"), "banker": (WIN, "9.50", "3.1")},
        # a natural pays even money by whatever margin, and nothing is lost when both have the same
        "K K 9 Q": {"player_dragon_bonus": (WIN, "10.00", "4.2"), "banker_dragon_bonus": (LOSE, "-10.00", "4.5")},
        "K K 8 7": {"player_dragon_bonus": (WIN, "10.00", "4.2")},
        "K K 8 9": {"player_dragon_bonus": (LOSE, "-10.00", "4.5"), "banker_dragon_bonus": (WIN, "10.00", "4.2")},
        "K K Q 9": {"banker_dragon_bonus": (WIN, "10.00", "4.2")},
        "K K 8 8": {"player_dragon_bonus": (PUSH, "0.00", "4.3"), "banker_dragon_bonus": (PUSH, "0.00", "4.3")},
        "K K 9 9": {"player_dragon_bonus": (PUSH, "0.00", "4.3"), "tie": (WIN, "80.00", "3.3")},
        # Player with three cards, by 9 to 3, and a tie that is no natural
        "K K 2 Q 7 K": {"player_dragon_bonus": (WIN, "300.00", "4.4"), "banker_dragon_bonus": (LOSE, "-10.00", "4.5")},
        "K K 2 Q 7 A": {"player_dragon_bonus": (WIN, "100.00", "4.4")},
        "K K 2 Q 7 2": {"player_dragon_bonus": (WIN, "60.00", "4.4")},
        "K K 2 Q 7 3": {"player_dragon_bonus": (WIN, "40.00", "4.4")},
        "K K 2 Q 7 4": {"player_dragon_bonus": (WIN, "20.00", "4.4")},
        "K K 2 Q 7 5": {"player_dragon_bonus": (WIN, "10.00", "4.4")},
        "K K 2 Q 7 6": {"player_dragon_bonus": (LOSE, "-10.00", "4.5"), "player": (WIN, "10.00", "3.1")},
        "K K 2 Q 7 9": {"player_dragon_bonus": (LOSE, "-10.00", "4.5"), "banker_dragon_bonus": (LOSE, "-10.00", "4.5")},
        # Player stood on two cards
        "K K 7 Q K": {"player_dragon_bonus": (WIN, "60.00", "4.4")},
        "K K 7 Q A": {"player_dragon_bonus": (WIN, "40.00", "4.4")},
        "K K 6 Q K": {"player_dragon_bonus": (WIN, "40.00", "4.4")},
        "K K 6 Q A": {"player_dragon_bonus": (WIN, "20.00", "4.4")},
        "K K 7 Q 3": {"player_dragon_bonus": (WIN, "10.00", "4.4")},
        "K K 7 Q 4": {"player_dragon_bonus": (LOSE, "-10.00", "4.5")},
        # Banker with three cards, by 9 and 3
        "K K 2 Q 8 9": {"banker_dragon_bonus": (WIN, "300.00", "4.4"), "player_dragon_bonus": (LOSE, "-10.00", "4.5")},
        "K K 2 Q 8 3": {"banker_dragon_bonus": (LOSE, "-10.00", "4.5"), "banker": (WIN, "9.50", "3.1")},
        # Banker stood on two cards: also on 6, 5, 4 and 3
        "K K 2 7 8": {"banker_dragon_bonus": (WIN, "60.00", "4.4")},
        "K K 2 6 8": {"banker_dragon_bonus": (WIN, "40.00", "4.4")},
        "K K 2 5 8": {"banker_dragon_bonus": (WIN, "20.00", "4.4")},
        "K K 2 4 8": {"banker_dragon_bonus": (WIN, "10.00", "4.4")},
        "K K 2 3 8": {"banker_dragon_bonus": (LOSE, "-10.00", "4.5")},
    },
}


@pytest.mark.parametrize(
    ("key", "cards", "bet", "expected"),
    [
        (key, cards, bet, expected)
        for key, hands in SETTLED.items()
        for cards, bets in hands.items()
        for bet, expected in bets.items()
    ],
)
def test_a_hand_settles_as_the_rule_sheet_says(
    key: str, cards: str, bet: str, expected: tuple[Result, str, str]
) -> None:
    settled = puntobanco.settle(example(key), cards, {bet: read_money("10")}).bets[bet]
    assert (settled.result, write_money(settled.profit), settled.rule) == expected


def test_commission_is_taken_from_a_winning_banker_bet_by_its_own_paragraph() -> None:
    settled = puntobanco.settle(example("dragon-bonus"), "K K 6 7", {"banker": read_money("10")}).bets["banker"]
    assert (write_money(settled.gross), write_money(settled.commission)) == ("10.00", "0.50")
    assert settled.commission_rule == "3.2"


# ---- they have the published odds --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "bet", "percent"),
    [
        ("ez-baccarat", "player", "1.24"),
        ("ez-baccarat", "banker", "1.02"),
        ("ez-baccarat", "tie", "14.36"),
        ("ez-baccarat", "dragon_7", "7.61"),
        ("ez-baccarat", "panda_8", "10.19"),
        ("lucky-six", "player", "1.24"),
        ("lucky-six", "banker", "1.46"),
        ("lucky-six", "tie", "14.36"),
        ("lucky-six", "lucky_6", "16.68"),
        ("lucky-six", "player_pair", "10.36"),
        ("lucky-six", "banker_pair", "10.36"),
        ("dragon-bonus", "player", "1.24"),
        ("dragon-bonus", "banker", "1.06"),
        ("dragon-bonus", "tie", "14.36"),
        ("dragon-bonus", "player_dragon_bonus", "2.65"),
        ("dragon-bonus", "banker_dragon_bonus", "9.37"),
    ],
)
def test_the_house_edge_with_eight_decks_is_the_published_one(key: str, bet: str, percent: str) -> None:
    game = example(key)
    edge = -exact.net(game.bet(bet, game.layout()), eight_decks()) / exact.total(8)
    assert f"{float(edge * 100):.2f}" == percent


@every_example
def test_every_bet_of_an_example_has_an_edge_and_it_is_the_houses(path: Path) -> None:
    game = example(path.stem)
    for bet in game.menu(game.layout()):
        assert Fraction(0) < -exact.net(bet, eight_decks()) / exact.total(8) < Fraction(1, 5)


# of all ordered deals of six cards from eight decks: by bet, how many end so
PUBLISHED: dict[tuple[str, str], dict[str, int]] = {
    ("ez-baccarat", "dragon_7"): {"3.5 40:1": 112_633_011_329_024},
    ("ez-baccarat", "panda_8"): {"3.6 25:1": 172_660_763_262_976},
    ("ez-baccarat", "banker"): {
        "3.2 1:1": 2_179_619_555_108_864,
        "3.3 push": 112_633_011_329_024,
        "2.9 push": 475_627_426_473_216,
    },
    ("dragon-bonus", "player_dragon_bonus"): {
        "4.4 30:1": 18_409_431_764_992,
        "4.4 10:1": 34_097_645_543_424,
        "4.4 6:1": 89_590_261_473_280,
        "4.4 4:1": 141_238_897_317_888,
        "4.4 2:1": 166_169_165_987_840,
        "4.4 1:1": 186_780_352_174_080,
        "4.2 1:1": 812_685_054_124_032,
        "4.3 push": 89_325_908_267_520,
    },
    ("dragon-bonus", "banker_dragon_bonus"): {
        "4.4 30:1": 15_390_342_909_952,
        "4.4 10:1": 28_305_092_784_128,
        "4.4 6:1": 79_517_099_278_336,
        "4.4 4:1": 119_200_072_366_080,
        "4.4 2:1": 157_275_882_332_160,
        "4.4 1:1": 201_147_167_287_296,
        "4.2 1:1": 812_685_054_124_032,
        "4.3 push": 89_325_908_267_520,
    },
}


@pytest.mark.parametrize(("key", "bet"), PUBLISHED)
def test_every_pay_line_is_reached_as_often_as_published(key: str, bet: str) -> None:
    game = example(key)
    offered, reached = game.bet(bet, game.layout()), Counter[str]()
    for outcome, ways in eight_decks().items():
        if line := deciding_line(offered, outcome):
            reached[f"{line.rule} {line.pays}"] += ways
    assert reached == PUBLISHED[key, bet]


# ---- the command takes their path --------------------------------------------------------------------------------


def command(*arguments: str) -> str:
    done = subprocess.run(
        [Path(sys.executable).with_name("puntobanco"), *arguments],
        capture_output=True,
        check=True,
        encoding="utf-8",
        env={"PYTHONIOENCODING": "utf-8", "COLUMNS": "200"},
        timeout=60,
    )
    assert not done.stderr
    return done.stdout


@every_example
def test_the_command_checks_an_example(path: Path) -> None:
    game = example(path.stem)
    printed = command("check", str(path))
    assert printed.startswith(f"{path.name} is a valid game file.\n")
    assert game.fingerprint in printed
    assert json.loads(command("check", str(path), "--json"))["fingerprint"] == game.fingerprint


@every_example
def test_the_command_prints_the_pay_table_of_an_example_in_both_languages(path: Path) -> None:
    game = example(path.stem)
    shown = json.loads(command("paytable", str(path), "--json"))
    assert {key: [(line["pays"], line["rule"]) for line in lines] for key, lines in shown["bets"].items()} == {
        bet.key: [(str(line.pays), line.rule) for line in bet.lines] for bet in game.menu(game.layout())
    }
    for language in library.LANGUAGES:
        printed = command("paytable", str(path), "--lang", language)
        assert game.title.said(language) in printed
        assert all(bet.title.said(language) in printed for bet in game.bets)


@every_example
def test_the_command_settles_hands_of_an_example(path: Path) -> None:
    cards, bets = next(iter(SETTLED[path.stem].items()))
    stakes = [word for bet in bets for word in ("--bet", f"{bet}=10")]
    settled = json.loads(command("settle", str(path), "--cards", cards, *stakes, "--json"))["bets"]
    assert {bet: (one["result"], one["profit"], one["rule"]) for bet, one in settled.items()} == bets
    assert all(rule in command("settle", str(path), "--cards", cards, *stakes) for _, _, rule in bets.values())


# ---- their fingerprint is that of the rules, not of the file -----------------------------------------------------


def rewritten(value: Any) -> str:
    """The value as TOML on one line, the fields of every table in reverse."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)} = {rewritten(one)}" for name, one in reversed(value.items())) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(rewritten, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def read_back(content: dict[str, Any], folder: Path) -> Game:
    path = folder / "again.toml"
    lines = [f"{json.dumps(name)} = {rewritten(value)}" for name, value in reversed(content.items())]
    path.write_text("\n".join(lines), encoding="utf-8")
    return puntobanco.read_game(path)


@every_example
def test_comments_and_spacing_do_not_change_the_fingerprint(path: Path, tmp_path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    bare, remarked = tmp_path / "bare.toml", tmp_path / "remarked.toml"
    bare.write_text("\n".join(line for line in lines if line and not line.startswith("#")), encoding="utf-8")
    remarked.write_text("".join(f"  {line}\t # 备注\r\n\r\n" for line in lines), encoding="utf-8")
    for other in (bare, remarked):
        assert puntobanco.read_game(other).fingerprint == example(path.stem).fingerprint


@every_example
def test_the_order_of_fields_does_not_change_the_fingerprint(path: Path, tmp_path: Path) -> None:
    game = read_back(tomllib.loads(path.read_text(encoding="utf-8")), tmp_path)
    assert game == example(path.stem)
    assert game.fingerprint == example(path.stem).fingerprint


@every_example
def test_the_canonical_content_reads_back_as_the_same_game(path: Path) -> None:
    again = library.from_canonical(example(path.stem).canonical())
    assert again == example(path.stem)
    assert again.fingerprint == example(path.stem).fingerprint


def with_other_odds(content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The content with one pay line or commission changed, each in turn; an Original Bet stays a push on a tie."""
    for place, bet in enumerate(content["bet"]):
        for number, line in enumerate(bet["lines"]):
            if not (bet.get("original") and line["when"]["winner"] == "tie"):
                changed = copy.deepcopy(content)
                changed["bet"][place]["lines"][number]["pays"] = "76.95:1" if "commission" in line else "77:1"
                yield changed
            if "commission" in line:
                changed = copy.deepcopy(content)
                changed["bet"][place]["lines"][number] |= {
                    "pays": "0.96:1",
                    "commission": {"rate": "4%", "rule": "3.2"},
                }
                yield changed


@every_example
def test_any_change_of_odds_changes_the_fingerprint(path: Path, tmp_path: Path) -> None:
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    changed = [read_back(one, tmp_path).fingerprint for one in with_other_odds(content)]
    assert len(changed) >= 6
    assert len({example(path.stem).fingerprint, *changed}) == len(changed) + 1


@every_example
def test_odds_written_another_way_are_the_same_odds(path: Path, tmp_path: Path) -> None:
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    for line in (line for bet in content["bet"] for line in bet["lines"] if line["pays"] != "push"):
        win, on = line["pays"].split(":")
        line["pays"] = f"{Fraction(win) * 20} : {int(on) * 20}"
    assert read_back(content, tmp_path).fingerprint == example(path.stem).fingerprint
