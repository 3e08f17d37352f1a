"""The terminal table: played line by line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from puntobanco.cli.play import TerminalTable
from puntobanco.house.shoes.shuffle import cards_of, shuffled
from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.limits import TableLimits
from puntobanco.rules.money import Cents
from tests.cli.test_commands import COMMAND


def table(key: str, cards: str = "", layout: str | None = None, purse: int = 100_000) -> TerminalTable:
    """A table whose shoe deals these cards first."""
    game = library.game(key)
    shoe = list(reversed(read_cards(cards + " 2" * 20))) if cards else []
    return TerminalTable(
        game,
        game.layout(layout),
        decks=8,
        purse=Cents(purse),
        limits=TableLimits(minimum=Cents(500), differential=Cents(1_000_000)),
        said=library.sentences("en"),
        shoe=shoe,
    )


def played(at: TerminalTable, lines: str, capsys: pytest.CaptureFixture[str]) -> str:
    typed = iter(lines.split("\n"))

    def line(prompt: str) -> str:
        print(prompt, end="")
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    at.keyboard = line
    at.run()
    return capsys.readouterr().out


Capture = pytest.CaptureFixture[str]


def test_bets_are_placed_dealt_and_paid(capsys: Capture) -> None:
    at = table("wu-song", "K 2 4 A 7 7")
    said = played(at, "player 100 wu_dalang 5\ndeal", capsys)
    assert at.purse == 100_000 + 10_000 + 75_000
    assert "Player wins, 1 to 0. (3.13)" in said
    assert "4.1.10" in said
    assert "You leave with 1,850." in said


def test_bets_go_by_number_prefix_or_name_and_a_bad_line_changes_nothing(capsys: Capture) -> None:
    at = table("wu-song")
    said = played(
        at,
        "1 100\nbig 10\nwu 5\nplayer 50 dragon 5\nplayer 10 player 20\n0011 5\n"
        "player\nplayer 3\nplayer 9999\nplayer x\n99 5\nquit",
        capsys,
    )
    assert at.slip == {"player": 10_000, "big_tiger": 1_000}
    for words in (
        "given twice",
        "wu_song, wu_dalang",
        'no bet "dragon"',
        "not a stake",
        "below the minimum",
        "more than the 1,000",
    ):
        assert words in said
    assert "(5.2)" in said


def test_undo_clear_rebet_and_double(capsys: Capture) -> None:
    at = table("commission", "9 7 K 10")
    played(at, "player 100\ntie 10\nundo", capsys)
    assert at.slip == {"player": 10_000}
    played(at, "clear\nundo\ndouble\ndeal\nrebet", capsys)
    assert at.slip == {"player": 20_000}
    assert at.purse == 120_000
    played(at, "player 0", capsys)
    assert at.slip == {}
    played(at, "undo\nundo\nundo\nundo", capsys)
    assert at.slip == {}


def test_the_differential_is_kept(capsys: Capture) -> None:
    at = table("commission", purse=10_000_000)
    said = played(at, "banker 15000\nbanker 15000 player 6000", capsys)
    assert "At most 10,000 may lie here. (5.1)" in said
    assert at.slip == {"banker": 1_500_000, "player": 600_000}


def test_insurance_is_offered_capped_and_settled(capsys: Capture) -> None:
    at = table("insurance", "2 2 2 3 4 A", purse=200_000)
    said = played(at, "banker 1000\ndeal\n501\nx\n500", capsys)
    assert "Banker Insurance at 2:1, up to 500" in said
    assert "The maximum is 500" in said
    assert at.purse == 200_000


def test_insurance_is_offered_only_to_the_holder_and_only_what_he_can_pay(capsys: Capture) -> None:
    at = table("insurance", "2 2 2 3 4 A", purse=100_000)
    said = played(at, "tie 5\ndeal\nplayer 10\nquit", capsys)
    assert "Stake (Enter" not in said
    at = table("insurance", "2 2 2 3 4 A", purse=110_000)
    said = played(at, "banker 1000\ndeal\n200\n100", capsys)
    assert "up to 100" in said
    assert "200 is more than the 100 available" in said
    assert at.purse == 110_000 - 100_000 + 20_000


def test_leaving_at_the_insurance_prompt_finishes_the_round_first(capsys: Capture) -> None:
    at = table("insurance", "2 2 2 3 4 A", purse=200_000)
    said = played(at, "banker 1000\ndeal\nquit\nbanker 1000", capsys)
    assert at.purse == 100_000
    assert "You leave with 1,000." in said


def test_an_all_in_player_is_told_why_there_is_no_insurance(capsys: Capture) -> None:
    at = table("insurance", "2 2 2 3 4 A", purse=100_000)
    assert "is not enough" in played(at, "banker 1000\ndeal", capsys)


def test_both_insurance_windows_share_one_cap(capsys: Capture) -> None:
    at = table("insurance", "3 2 2 2 3 K", purse=200_000)
    said = played(at, "player 1000\ndeal\n300\nno", capsys)
    assert "Player Insurance at 7:1, up to 57" in said
    assert at.purse == 200_000 + 100_000 - 30_000


@pytest.mark.parametrize(("answer", "left"), [("leave", {"banker": 10_000}), ("take", {}), ("", {})])
def test_after_a_tie_bets_that_may_be_withdrawn_may_be_left(capsys: Capture, answer: str, left: dict[str, int]) -> None:
    at = table("super-six", "2 3 4 3")
    played(at, f"banker 100 tie 5\ndeal\n{answer}\nhelp", capsys)
    assert at.slip == left
    assert at.purse == 100_000 + 4_000


def test_where_a_tie_returns_bets_nothing_is_asked(capsys: Capture) -> None:
    at = table("commission", "2 3 4 3")
    assert "take or leave" not in played(at, "banker 100\ndeal", capsys)
    assert at.slip == {}


def test_a_new_shoe_is_shuffled_before_it_runs_out(capsys: Capture) -> None:
    at = table("commission")
    said = played(at, "\n".join(["deal"] * 80), capsys)
    assert said.count("A new shoe: 8 decks, 416 cards") >= 1
    assert at.rounds == 80
    assert at.purse == 100_000


@pytest.mark.parametrize("key", library.GAMES)
def test_every_game_plays_over_a_pipe(key: str) -> None:
    lines = "player 10 banker 20\ndeal\n\n\n\nrebet\ndeal\n\n\n\nquit\nquit\n"
    done = subprocess.run(
        [*COMMAND, "play", key, "--lang", "zh"],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=os.environ | {"PYTHONUTF8": "1"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert library.game(key).title.zh in done.stdout


def test_hanging_up_ends_the_table_politely() -> None:
    done = subprocess.run(
        [*COMMAND, "play"], input="player 10\n", capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "You leave with 1,000." in done.stdout


def test_it_plays_in_a_real_terminal() -> None:
    """Under a pseudo-terminal, as over ssh, with a pause between cards."""
    import pty

    program = Path(sys.executable).parent / "puntobanco"
    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover
        os.environ["TERM"] = "xterm"
        os.execv(program, [str(program), "play", "commission", "--fast"])
    os.write(terminal, b"player 10\ndeal\nquit\n")
    seen = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        if not part:
            break
        seen += part
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert b"Card 4" in seen


def test_the_shuffle_deals_every_card_once_and_every_order_alike() -> None:
    cards = cards_of(8)
    assert len(cards) == 416
    dealt = shuffled(cards)
    assert sorted(map(str, dealt)) == sorted(map(str, cards))
    assert dealt != cards
    asked: list[int] = []

    def first(n: int) -> int:
        asked.append(n)
        return 0

    assert len(shuffled(cards[:5], first)) == 5
    assert asked == [5, 4, 3, 2]
    choices = [(one, other) for one in range(3) for other in range(2)]
    orders = {tuple(map(str, shuffled(cards[:3], Fixed(chosen)))) for chosen in choices}
    assert len(orders) == 6


class Fixed:
    """Draws the given numbers, one after the other."""

    def __init__(self, choices: tuple[int, ...]) -> None:
        self.left = list(choices)

    def __call__(self, n: int) -> int:
        drawn = self.left.pop(0)
        assert drawn < n
        return drawn
