"""Whatever a public function of `puntobanco.odds` is called with, it answers or refuses with a sentence."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import puntobanco as pb
from puntobanco import odds
from puntobanco.rules.cards import Rank

WU_SONG, INSURANCE, SHOE = pb.game("wu-song"), pb.game("insurance"), odds.Shoe.of(8)
WELL: dict[str, tuple[Any, ...]] = {
    "best_count": (np.ones(13),), "cells": (INSURANCE, SHOE), "law": (SHOE, {1: Rank.NINE}),
    "live": (WU_SONG, SHOE, "E"), "menu": (WU_SONG, "E"), "on_the_table": (INSURANCE, SHOE, pb.deal("2 2 2 3")),
    "perfect_play": (WU_SONG,), "points": (SHOE,), "price": (WU_SONG, SHOE, "E"), "read_shoe": ("A=4",),
    "removal_effects": (WU_SONG, SHOE, "E"), "session": (WU_SONG, {"banker": 100_00}, 10),
    "simulate_on": ("tcp://127.0.0.1:1", odds.Plan(rounds=10)), "simulation": (odds.Plan(rounds=10),),
    "write_table": ([{"bet": "banker"}], Path("table.csv")),
}  # fmt: skip
BAD: tuple[Any, ...] = (None, True, 3.5, "x", b"x", object(), [None], {None: None}, {"x": "y"})
SLOW = {"simulate_on", "write_table", "simulation", "perfect_play"}
"""These do something when they are called well: only the first argument is tried, and it never is."""


def test_every_public_function_is_called_here() -> None:
    functions = {name for name in odds.__all__ if not isinstance(getattr(odds, name), type)}
    assert functions == set(WELL)


@pytest.mark.parametrize("name", WELL)
def test_a_wrong_argument_is_refused_with_a_sentence(name: str) -> None:
    function, well = getattr(odds, name), WELL[name]
    for place in range(1 if name in SLOW else len(well)):
        for bad in BAD:
            if name == "simulate_on" and isinstance(bad, str):
                continue
            try:
                function(*well[:place], bad, *well[place + 1 :])
            except pb.Refused as refused:
                said = pb.say(refused)
            else:
                said = "answered"
            assert said


def test_a_shoe_without_decks_is_refused() -> None:
    for decks in (0, -1, 8.0, "8", True):
        with pytest.raises(pb.Refused):
            odds.Shoe.of(decks)  # type: ignore[arg-type]
    with pytest.raises(pb.Refused, match="argument=rounds"):
        odds.Plan(rounds="10")  # type: ignore[arg-type]


def test_what_takes_a_layout_takes_its_key() -> None:
    felt = WU_SONG.layout("E")
    assert odds.price(WU_SONG, SHOE, "E")["wu_dalang"] == odds.price(WU_SONG, SHOE, felt)["wu_dalang"]
    assert odds.menu(WU_SONG, "E") is odds.menu(WU_SONG, felt)
    assert odds.live(WU_SONG, SHOE, "E").returns == odds.live(WU_SONG, SHOE, felt).returns


def test_values_are_short_on_a_prompt_and_tables_in_a_notebook() -> None:
    prices, run = odds.price(WU_SONG, SHOE), odds.simulation(odds.Plan(rounds=1_000, seed=7), workers=1)
    assert repr(prices) == "<Prices wu-song, layout A: 10 bets>"
    assert repr(odds.price(pb.game("non-commission-etg"), SHOE)).startswith("<Prices non-commission-etg: ")
    assert repr(run) == "<Simulation 1,000 rounds, 8 decks, seed 7>"
    assert "Chi-square" in run._repr_html_()
    assert "1.0579" in odds.price(pb.game("commission"), SHOE)._repr_html_()
