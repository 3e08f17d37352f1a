"""Whatever a public function of `puntobanco.odds` is called with, it answers or refuses with a sentence."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import puntobanco as pb
from puntobanco import odds
from tests.public_calls import INSURANCE, OF_RULES, WU_SONG, Examples, public, try_it, try_wrong

SHOE = odds.Shoe.of(8)
RUN = odds.simulation(odds.Plan(rounds=1_000, seed=7), workers=1)
EXAMPLES: Examples = {
    **OF_RULES, np.ndarray: (np.ones(13), np.full(13, np.nan), np.ones(2), np.array(["x"]), np.array(1)),
    odds.Shoe: (SHOE, odds.Shoe.of(961), odds.Shoe((0,) * 13), odds.read_shoe("A=4,9=1")), odds.Plan: (RUN.plan,),
    odds.Law: (odds.law(SHOE),), odds.Prices: (odds.price(WU_SONG, SHOE),), odds.Simulation: (RUN,),
    odds.SessionForecast: (odds.session(WU_SONG, {"banker": pb.Cents(100_00)}, 10),),
}  # fmt: skip


@pytest.mark.parametrize("called", public(odds))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_it_is_called_with_it_answers_or_refuses_with_a_sentence(
    called: Callable[..., object], data: st.DataObject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    try_it(called, data, EXAMPLES)


@pytest.mark.parametrize("called", public(odds))
@settings(max_examples=2, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_one_wrong_argument_is_refused_with_a_sentence(
    called: Callable[..., object], data: st.DataObject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    try_wrong(called, data, EXAMPLES)


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


def test_prices_are_looked_up_by_bet() -> None:
    prices = odds.price(INSURANCE, SHOE)
    assert list(prices) == list(prices.bets) == ["player", "banker", "tie", "player_pair", "banker_pair"]
    assert "tie" in prices
    assert "dragon" not in prices
    for bet, reason in (("dragon", pb.Reason.UNKNOWN_BET), ("banker_insurance", pb.Reason.INSURANCE_NOT_MAIN)):
        with pytest.raises(pb.Refused) as caught:
            prices[bet]
        assert caught.value.reason is reason


def test_a_card_that_no_round_has_is_refused() -> None:
    for known, most in (({7: pb.Rank.ACE}, 6), ({0: pb.Rank.ACE}, 6), ({}, -1), (None, 7)):
        for ask in (odds.price, odds.live):
            with pytest.raises(pb.Refused, match="card_out_of_place"):
                ask(WU_SONG, SHOE, known=known, most=most)
    assert odds.law(SHOE, most=0).void == odds.law(SHOE, most=0).total


def test_what_no_deal_leads_to_has_no_probability() -> None:
    assert odds.law(SHOE).probability(pb.Outcome(10, 0, 2, 2, False, False)) == 0


def test_rows_of_a_table_have_the_same_columns(tmp_path: Path) -> None:
    with pytest.raises(pb.Refused) as caught:
        odds.write_table([{"bet": "tie"}, {"bets": "tie"}], tmp_path / "table.csv")
    assert pb.say(caught.value) == "The argument rows[1] of write_table() must be a row with bet, not bets."
    assert list(tmp_path.iterdir()) == []


def test_values_are_short_on_a_prompt_and_tables_in_a_notebook() -> None:
    prices, run = odds.price(WU_SONG, SHOE), odds.simulation(odds.Plan(rounds=1_000, seed=7), workers=1)
    assert repr(prices) == "<Prices wu-song, layout A: 10 bets>"
    assert repr(odds.price(pb.game("non-commission-etg"), SHOE)).startswith("<Prices non-commission-etg: ")
    assert repr(run) == "<Simulation 1,000 rounds, 8 decks, seed 7>"
    assert repr(prices["tie"]) == "<Price tie: house edge 6.4416%>"
    assert repr(prices.law) == "<Law of 416 cards: 4,998,398,275,503,360 deals>"
    assert repr(prices.menu) == f"<Menu {', '.join(prices)}>"
    night = odds.session(WU_SONG, {"banker": pb.Cents(100_00), "tie": pb.Cents(5_00)}, 10)
    assert repr(night) == "<SessionForecast 10 rounds, banker 100, tie 5: average −56.24>"
    assert "Chi-square" in run._repr_html_()
    assert "1.0579" in odds.price(pb.game("commission"), SHOE)._repr_html_()
