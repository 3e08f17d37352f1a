"""Which command led to an event: in what order cards and bets came, who recorded it, what follows in the same moment.

The pit decides every command again from its events alone.
"""

import pytest
from msgspec.structs import replace

from puntobanco.rules.cards import read_card, read_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.events import AnyEvent
from puntobanco.table.redeciding import Contradiction
from tests.table.pit import DEALER, SHIFT, SUPERVISOR, Pit, in_play
from tests.table.test_redeciding import decided_again

LONG = ["commission", "wu-song"]


def contradiction(pit: Pit, *events: AnyEvent) -> str:
    """What is wrong with these events after the history of the table."""
    with pytest.raises(Contradiction) as found:
        decided_again(pit.game, [*pit.events, *events], since=len(pit.events))
    return str(found.value)


# ---- cards -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("face_down", [True, False])
def test_5_1_3_the_draw_that_finds_the_shoe_empty_names_a_card_only_at_a_face_up_table(face_down: bool) -> None:
    pit = in_play("super-six", decks=4, face_down=face_down)
    pit.report(Fault.EXCESS, cards=(None,) * 208)
    pit.rule(SHIFT, Choice.SET_ASIDE)
    pit.staff(DEALER, c.DrawCard(round=1, index=1, card=None if face_down else read_card("K")))
    assert [type(event) for event in pit.events[-3:]] == [e.IrregularityReported, e.RoundVoided, e.ShoeWithdrawn]


def test_a_squeeze_that_nobody_asked_for_does_not_end() -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1)
    finished = e.SqueezeFinished(by=pit.events[-1].by, round=1, index=1)
    assert contradiction(pit, finished) == "SqueezeFinished, round 1: the rules refuse it: no_squeeze_asked"


@pytest.mark.parametrize("key", LONG)
def test_5_10_cards_drawn_together_go_in_the_order_that_was_found_even_if_two_are_alike(key: str) -> None:
    pit = in_play(key, "2S")
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("5H KD 5H"))
    pit.rule(SHIFT, Choice.ORDER, order=(1, 2, 3))
    assert pit.state.front == read_cards("5H KD 5H")


@pytest.mark.parametrize("key", LONG)
def test_5_10_cards_on_the_table_change_places_from_the_first_that_came_with_others(key: str) -> None:
    pit = in_play(key, "2S KD 3H")
    pit.report(Fault.SIMULTANEOUS, index=2)
    pit.rule(SHIFT, Choice.ORDER, order=(2, 1))
    assert pit.hands == {"player": "2♠ K♦", "banker": "3♥"}


@pytest.mark.parametrize("key", LONG)
def test_an_order_that_nobody_asked_for_is_not_given(key: str) -> None:
    pit = in_play(key, "2S KD")
    ruled = e.Ruled(by=pit.events[-1].by, question=1, choice=Choice.ORDER, reason="seen")
    assert contradiction(pit, ruled) == "Ruled: the rules refuse it: not_heard_now"


@pytest.mark.parametrize("key", LONG)
def test_a_record_is_corrected_beside_a_card_that_waits_in_front_of_the_shoe(key: str) -> None:
    pit = in_play(key, "9 7 K")
    pit.report(Fault.EXCESS, cards=read_cards("10"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.report(Fault.MISKEYED)
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("9 6 K"))
    assert (pit.hands, pit.state.front) == ({"player": "9 K", "banker": "6"}, read_cards("10"))


# ---- bets --------------------------------------------------------------------------------------------------------


SLIPS = {
    "the bet placed last, lowered and raised again": ([300], [100, 200]),
    "and raised once more after another bet": ([300], [400, ("tie", 100), 500]),
    "taken away, placed again and taken away again": ([300], [0, 200, 0, ("tie", 100)]),
    "taken away beside a bet raised twice": ([("tie", 100), 300], [("tie", 200), 0, ("tie", 300)]),
    "placed again with the chips of another": ([99_800], [("tie", 100), 0, 99_800, 0, ("tie", 99_900)]),
}


@pytest.mark.parametrize("slips", SLIPS.values(), ids=SLIPS.keys())
def test_a_slip_names_a_bet_more_than_once(slips: tuple[list[int | tuple[str, int]], ...]) -> None:
    """A plain amount lies on Player."""
    pit = Pit("commission", differential=200_000_00)
    pit.open()
    for slip in slips:
        named = [line if isinstance(line, tuple) else ("player", line) for line in slip]
        lines = tuple(c.Line(bet=bet, amount=dollars * 100, box=1) for bet, dollars in named)
        pit.player("ann", c.PlaceBets(round=1, lines=lines))
    assert pit.told(e.BetsPlaced)[-1].was


# ---- several commands in one moment ------------------------------------------------------------------------------


@pytest.mark.parametrize("key", LONG)
def test_what_a_late_bet_was_worth_is_not_taken_for_what_the_bets_at_the_close_were_worth(key: str) -> None:
    pit = in_play(key, "9 7 K 10")
    pit.settle()
    pit.report(Fault.EXCESS, cards=read_cards("Q"))
    pit.open(acknowledge=True)
    pit.bet("ann", "player", 100)
    pit.staff(SUPERVISOR, c.CloseBetting(round=2))
    line = c.Line(bet="player", amount=200_00, box=1)
    worth = c.Worth(cards=pit.state.faces, returns={"player": 300_018})
    pit.staff(SUPERVISOR, c.AttestBet(round=2, owner="bob", line=line, attested=True, reason="seen", worth=worth))
    assert [type(event) for event in pit.events[-3:]] == [e.BettingClosed, e.AlertRaised, e.BetAttested]
    assert decided_again(pit.game, pit.events) == pit.state


# ---- what a contradiction is about -------------------------------------------------------------------------------


def test_a_forged_report_is_not_taken_for_a_draw_from_an_empty_shoe() -> None:
    pit = in_play("commission", "9 7")
    pit.report(Fault.DISPLAY)
    reported = pit.told(e.IrregularityReported)[0]
    forged = replace(reported, report=replace(reported.report, number=2))
    pit.events = pit.events[: pit.events.index(reported)]
    assert contradiction(pit, forged) == ("IrregularityReported: report number 2 was written, the rules give 1")


def test_a_forged_choice_after_a_tie_is_not_taken_for_a_guest_who_leaves() -> None:
    pit = Pit("super-six")
    pit.round({"ann": {"player": 100}}, "9 9 K K")
    pit.player("ann", c.ChooseAfterTie(round=1, bet="player", leave=True, box=1))
    chosen = pit.events.pop()
    assert isinstance(chosen, e.TieChoiceMade)
    forged = replace(chosen, stake=replace(chosen.stake, amount=200_00))
    assert contradiction(pit, forged) == (
        "TieChoiceMade, round 1: stake ann, box 1, player: amount 20000 was written, the rules give 10000"
    )


def test_a_forged_alert_of_exposed_cards_is_not_taken_for_an_opening_nobody_acknowledged() -> None:
    pit = in_play("commission", "9 7 K 10")
    pit.settle()
    pit.report(Fault.EXCESS, cards=read_cards("Q"))
    pit.open(acknowledge=True)
    alert, opened = pit.events[-2:]
    assert isinstance(alert, e.AlertRaised)
    pit.events = pit.events[:-2]
    assert contradiction(pit, replace(alert, to=Role.DEALER), opened) == (
        'AlertRaised: to "dealer" was written, the rules give "shift_manager"'
    )
