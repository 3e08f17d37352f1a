"""Games that a house wrote itself and whose documents leave out what the five have: they are played all the same, and
what no paragraph requires cites none."""

import re
from pathlib import Path

from puntobanco.rules import library
from puntobanco.rules.game import Game
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import events as e
from tests.table.pit import DEALER, SUPERVISOR, Pit, in_play, paragraph

LIMITS = """
[limits]
differential = "2"
displayed = "2"
duty = "2"
balance = "2"
original_bet = "2"
seated = "2"
standing = "2"
"""
AUTHORITY = """
[authority]
open_betting = { from = "dealer" }
close_betting = { from = "dealer" }
deal = { from = "dealer" }
reject_excess = { from = "dealer" }
advise_minimum = { from = "dealer" }
refuse_late_bets = { from = "dealer" }
change_table = { from = "pit_manager" }
"""
PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"


def smallest(*tables: str) -> Game:
    """The smallest complete game file, with dealers and these tables added."""
    found = re.search(r'```toml\n(key = "tiny".*?)```', PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return library.own_game_from("\n".join([found[1], AUTHORITY, *tables]), "tiny.toml")[0]


def test_without_a_paragraph_on_late_bets_they_are_refused_and_noted_without_one() -> None:
    pit = in_play("tiny", game=smallest())
    line = c.Line(bet="player", amount=200_00, box=1)
    assert pit.refused("ann", c.PlaceBets(round=1, lines=(line,))) == (Reason.NOT_HEARD_NOW, None)
    for withdrawn in (False, True):
        late = c.NoteLateBet(round=1, person="ann", box=1, bet="player", amount=50_00, withdrawn=withdrawn)
        (noted,) = pit.staff(DEALER, late)
        assert (type(noted), paragraph(noted)) == (e.LateBetNoted, None)


def test_with_limits_and_no_paragraph_on_what_breaks_them_a_low_bet_is_advised_and_goes_back() -> None:
    pit = Pit("tiny", game=smallest(LIMITS))
    pit.open()
    for person in ("ann", "bob"):
        pit.bet(person, "player", 50)
    (advised,) = pit.staff(DEALER, c.AdviseMinimum(round=1, box=1, person="ann"))
    (returned,) = pit.staff(DEALER, c.ReturnBet(round=1, box=1, bet="player", person="ann"))
    pit.close()
    (low,) = pit.told(e.BettingClosed)[0].under_minimum
    assert (type(advised), type(returned)) == (e.MinimumAdvised, e.BetReturned)
    assert (advised.rule, returned.rule, low.key, low.rule) == (None, None, "1/player/bob", None)


def test_with_limits_and_no_paragraph_on_an_excess_it_is_rejected_or_plays_pro_rata() -> None:
    pit = Pit("tiny", game=smallest(LIMITS))
    pit.open()
    pit.bet("ann", "player", 15_000)
    (rejected,) = pit.staff(SUPERVISOR, c.RejectExcess(round=1, box=1))
    assert (type(rejected), rejected.rule, pit.purse("ann")) == (e.ExcessRejected, None, 90_000)
    pit.bet("bob", "player", 5_000)
    pit.bet("cat", "banker", 50)
    assert pit.refused(DEALER, c.CloseBetting(round=1)) == (Reason.EXCESS_UNACKNOWLEDGED, None)
    pit.close(over_excess=True)
    (closed,) = pit.told(e.BettingClosed)
    assert [(one.key, one.rule) for one in closed.cut] == [("1/player/ann", None), ("1/player/bob", None)]
    assert [(one.key, one.rule) for one in closed.under_minimum] == [("1/banker/cat", None)]
