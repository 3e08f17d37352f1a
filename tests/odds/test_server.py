"""The mathematician's desk answers a line at a time, refuses what it cannot answer, and lives on."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from puntobanco.odds import server
from puntobanco.odds.simulate import Plan, simulate
from puntobanco.rules import library
from puntobanco.rules.refusal import Expected, Reason, Refusal, Refused

WU_SONG = library.game("wu-song").canonical().decode()
COMMISSION = library.game("commission").canonical().decode()


def ask(**question: Any) -> Any:
    """The last line of the answer."""
    return asked(**question)[-1]


def asked(**question: Any) -> list[Any]:
    told: list[Any] = []
    server.answers(msgspec.json.encode({"id": 1} | question), lambda line: told.append(server.encoded(line)))
    return [msgspec.json.decode(line) for line in told]


def refusal(said: dict[str, Any]) -> Refused:
    return Refused.of(msgspec.convert(said["refused"], Refusal))


def test_a_price_is_exact() -> None:
    told = ask(do="price", content=WU_SONG, layout="A", decks=8)["answer"]
    assert told["bets"]["tie"]["house_edge"] == "1257720143858/19524993263685"
    assert ask(do="price", content=COMMISSION)["answer"]["bets"]["banker"]["decimal"]["house_edge"] == pytest.approx(
        0.010579, abs=1e-6
    )


@pytest.mark.parametrize("key", library.GAMES)
def test_every_game_is_priced_and_named(key: str) -> None:
    game = library.game(key)
    told = ask(do="price", content=game.canonical().decode())["answer"]
    assert told["about"]["title"]["zh"] == game.title.zh
    assert set(told["bets"]) <= set(told["about"]["bets"])
    assert ("insurance" in told) == (game.insurance is not None)


def test_a_written_shoe_is_priced_and_may_favour_the_player() -> None:
    told = ask(do="live", content=WU_SONG, shoe="A=4,2=4,9=20")["answer"]
    assert told["cards"] == 28
    assert told["favourable"]
    priced = ask(do="price", content=WU_SONG, shoe="A=4,2=4,9=20")["answer"]
    favourable = [key for key, one in priced["bets"].items() if Fraction(one["house_edge"]) < 0]
    assert sorted(favourable) == told["favourable"]
    assert priced["decks"] is None


def test_removal_effects_have_one_figure_for_each_rank() -> None:
    told = ask(do="removal", content=COMMISSION)["answer"]
    assert set(told) == {"player", "banker", "tie", "player_pair", "banker_pair"}
    assert all(len(effects) == 13 for effects in told.values())


def test_a_game_file_is_read_here_and_a_pay_line_may_be_tried() -> None:
    text = library.source("commission")
    as_it_is = ask(do="price", text=text)["answer"]["bets"]["tie"]
    tried = ask(do="price", text=text, pays=[{"bet": "tie", "line": 1, "pays": "9:1"}])["answer"]["bets"]["tie"]
    assert as_it_is == ask(do="price", content=COMMISSION)["answer"]["bets"]["tie"]
    gained = Fraction(as_it_is["house_edge"]) - Fraction(tried["house_edge"])
    assert gained == Fraction(as_it_is["probability"]["win"])


@pytest.mark.parametrize(
    ("pays", "reason", "named"),
    [
        ({"bet": "dragon", "line": 1, "pays": "9:1"}, Reason.UNKNOWN_BET, {"bet": "dragon"}),
        ({"bet": "tie", "line": 2, "pays": "9:1"}, Reason.FIELD_WRONG, {"field": "line", "expected": "1..1"}),
        ({"bet": "tie", "line": 0, "pays": "9:1"}, Reason.FIELD_WRONG, {"field": "line"}),
        (
            {"bet": "tie", "line": 1, "pays": "nine"},
            Reason.FIELD_WRONG,
            {"field": "pays", "expected": {"word": Expected.ODDS}},
        ),
        ({"bet": "banker", "line": 1, "pays": "0.96:1"}, Reason.COMMISSION_MISMATCH, {"field": "commission"}),
    ],
)
def test_a_pay_line_that_cannot_be_is_refused_by_its_place(
    pays: dict[str, Any], reason: Reason, named: dict[str, object]
) -> None:
    refused = refusal(ask(do="price", text=library.source("commission"), pays=[pays]))
    assert refused.reason is reason
    assert named.items() <= refused.parameters.items()


def test_a_refusal_can_be_said_in_any_language() -> None:
    broken = library.source("commission").replace('pays = "8:1"', 'pays = "8"')
    refused = refusal(ask(do="price", text=broken))
    english, chinese = (library.sentences(language).refusal(refused) for language in ("en", "zh"))
    assert "bet tie, line 1: pays" in english
    assert chinese != english
    assert "expected" not in chinese


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ({"do": "dance", "content": COMMISSION}, Reason.UNKNOWN_COMMAND),
        ({"do": "price", "content": "{}"}, Reason.FILE_MALFORMED),
        ({"do": "price", "text": "key = "}, Reason.FILE_MALFORMED),
        ({"do": "price", "content": COMMISSION, "layout": "Z"}, Reason.UNKNOWN_LAYOUT),
        ({"do": "price", "content": COMMISSION, "decks": 99}, Reason.DECKS_OUT_OF_RANGE),
        ({"do": "simulate", "content": COMMISSION, "rounds": 10, "decks": 99}, Reason.DECKS_OUT_OF_RANGE),
        ({"do": "simulate", "content": COMMISSION, "rounds": 0}, Reason.ROUNDS_OUT_OF_RANGE),
        ({"do": "price", "content": COMMISSION, "shoe": "A=1,A=2"}, Reason.RANK_TWICE),
        ({"do": "price", "content": COMMISSION, "shoe": "A=999999"}, Reason.SHOE_COUNT_WRONG),
        ({"do": "price", "content": COMMISSION, "colour": "red"}, Reason.COMMAND_MALFORMED),
        ({"do": "price", "content": COMMISSION, "decks": "many"}, Reason.COMMAND_MALFORMED),
    ],
)
def test_a_bad_question_is_refused_with_its_reason(question: dict[str, Any], reason: Reason) -> None:
    assert refusal(ask(**question)).reason is reason


def test_a_shoe_too_short_for_a_round_is_answered_all_the_same() -> None:
    """Nothing is dealt from it: every stake goes back."""
    told = ask(do="price", content=COMMISSION, shoe="A=1,2=1")["answer"]["bets"]["banker"]
    assert told["probability"]["void"] == "1/1"


def test_a_simulation_tells_how_it_converges_and_its_first_looks_are_of_the_same_rounds() -> None:
    lines = asked(do="simulate", content=COMMISSION, rounds=50_000, seed=7)
    assert [line.get("more", False) for line in lines] == [True] * (len(lines) - 1) + [False]
    last = lines[-1]["answer"]
    assert [point["rounds"] for point in last["path"]] == [1024, 2048, 4096, 8192, 16384, 32768, 50_000]
    whole = simulate(Plan(rounds=50_000, seed=7), workers=1)
    early = simulate(Plan(rounds=8192, seed=7), workers=1)
    assert (early.tally <= whole.tally).all()
    banker = early.bets(library.game("commission"))["banker"]
    assert last["path"][3]["bets"]["banker"] == [banker.house_edge, banker.stderr]
    assert last["bets"]["banker"]["house_edge"] == whole.bets(library.game("commission"))["banker"].house_edge
    assert last["complete"]


# ---- as a program ------------------------------------------------------------------------------------------------


@contextmanager
def running() -> Iterator[subprocess.Popen[bytes]]:
    program = [sys.executable, "-m", "puntobanco.odds.server"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def said(process: subprocess.Popen[bytes], line: bytes) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line + b"\n")
    process.stdin.flush()
    answered: dict[str, Any] = msgspec.json.decode(process.stdout.readline())
    return answered


def test_it_stands_back_keeps_to_its_memory_and_leaves_when_nobody_asks() -> None:
    with running() as process:
        assert refusal(said(process, b"not a question")).reason is Reason.COMMAND_MALFORMED
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == server.NICENESS
        limits = Path(f"/proc/{process.pid}/limits")
        if limits.exists():
            assert str(server.MOST_MEMORY) in limits.read_text(encoding="utf-8")
        told = said(process, msgspec.json.encode({"id": 2, "do": "live", "content": COMMISSION, "shoe": "A=9,5=9"}))
        assert told["id"] == 2
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=60) == 0
