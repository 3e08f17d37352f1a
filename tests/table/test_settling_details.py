"""Which stakes are held after a tie, what insurance pays in each window, and stakes that play in part by decision."""

import re

import pytest

from puntobanco.rules import library
from puntobanco.rules.game import Game
from puntobanco.rules.procedures import Window
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import BetTerms, Terms
from tests.table.pit import DEALER, SHIFT, Pit
from tests.table.test_insurance_details import fifth_card, four_cards, insure
from tests.table.test_own_games import AUTHORITY, PAGE

HEDGE = """
[[bet]]
key = "hedge"
title = { en = "Hedge", zh = "对冲" }
rule = "2"
lines = [
  { when = { winner = "player" }, pays = "1:1", rule = "3" },
  { when = { winner = "tie" }, pays = "push", rule = "3" },
]
"""


def own_game(mode: str) -> Game:
    """With a side bet that a tie gives back."""
    found = re.search(r'```toml\n(key = "tiny".*?)```', PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    text = found[1].replace('mode = "returned"', f'mode = "{mode}"')
    return library.own_game_from("\n".join([text, HEDGE, AUTHORITY]), "tiny.toml")[0]


@pytest.mark.parametrize(
    ("mode", "cards", "held"),
    [
        ("may_be_withdrawn", "9 9 K K", {"1/player/ann", "1/banker/bob"}),
        ("may_be_withdrawn", "7 9 K K", set()),
        ("returned", "9 9 K K", set()),
    ],
)
def test_only_an_original_bet_is_held_after_a_tie(mode: str, cards: str, held: set[str]) -> None:
    pit = Pit("tiny", game=own_game(mode))
    pit.round({"ann": {"player": 100, "hedge": 100}, "bob": {"banker": 100}}, cards)
    (settled,) = pit.told(e.RoundSettled)
    assert {one.key for one in settled.stakes if one.held} == held == set(pit.state.held)


def test_3_5_each_window_pays_by_its_own_row() -> None:
    pit = four_cards()
    insure(pit, "ann", 100)
    fifth_card(pit)
    insure(pit, "bob", 50, Window.FIVE)
    pit.staff(DEALER, c.CloseInsurance(round=1, window=Window.FIVE))
    pit.deal("5")
    (settled,) = (event for event in pit.staff(DEALER, c.Settle(round=1)) if isinstance(event, e.RoundSettled))
    assert {one.bet: one.pays for one in settled.stakes if "@" in one.bet} == {
        "banker_insurance@four": "2:1", "banker_insurance@five": "7:1"
    }  # fmt: skip


def test_a_decision_lets_a_settled_bet_play_in_part_where_nothing_plays_pro_rata() -> None:
    pit = Pit("super-six")
    pit.round({"ann": {"player": 200}}, "9 7 K 10")
    part = BetTerms(owner="ann", bet="player", box=1, terms=Terms.AT_STAKE, amount=100_00)
    decision = c.DecideUnprovided(round=1, decision="half of it", reason="seen", bets=(part,))
    (decided,) = (event for event in pit.staff(SHIFT, decision) if isinstance(event, e.BetsDecided))
    settled = decided.bets[0].settled
    assert settled is not None
    assert (settled.plays, settled.profit, settled.unplayed_rule) == (100_00, 100_00, None)
