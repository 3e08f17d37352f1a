"""Bets and announcements at the wrong moment: refused by the paragraph of that moment."""

import pytest

from puntobanco.rules import library
from puntobanco.rules.cards import read_card, read_cards
from puntobanco.rules.procedures import Window
from puntobanco.rules.refusal import Reason
from puntobanco.table import betting
from puntobanco.table import commands as c
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.state import Phase
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, SUPERVISOR, Pit, in_play

SPOKEN = {"commission": "3.8", "super-six": "3.2", "insurance": "3.2", "wu-song": "3.8"}
OPENS = {"commission": "3.3", "non-commission-etg": "3.1", "super-six": "3.1", "insurance": "3.1", "wu-song": "3.3"}


def place(pit: Pit, dollars: int, bet: str = "player") -> c.PlaceBets:
    box = 0 if pit.game.terminal else 1
    return c.PlaceBets(round=pit.state.round, lines=(c.Line(bet=bet, amount=dollars * 100, box=box),))


@rulings("BET-10")
@rulebook({key: [rule] for key, rule in SPOKEN.items()}, by=betting.announce_close)
@pytest.mark.parametrize(("key", "rule"), SPOKEN.items())
def test_where_the_close_is_spoken_it_closes_at_once(key: str, rule: str) -> None:
    pit = Pit(key)
    pit.open()
    assert pit.refused(DEALER, c.AnnounceClose(round=1)) == (Reason.CLOSE_IS_SPOKEN, rule)
    pit.staff(DEALER, c.CloseBetting(round=1))
    assert pit.refused("ann", place(pit, 100))[0] is Reason.BETS_LATE


@rulings("BET-10")
def test_where_terminals_show_the_close_nothing_closes_before_it_is_shown() -> None:
    pit = Pit("non-commission-etg")
    pit.open()
    assert pit.refused(pit.dealer, c.CloseBetting(round=1)) == (Reason.TOO_EARLY, "3.2")


@pytest.mark.parametrize("key", library.GAMES)
def test_a_bet_before_the_announcement_is_refused_by_the_paragraph_of_the_opening(key: str) -> None:
    pit = Pit(key)
    assert pit.refused("ann", place(pit, 100)) == (Reason.NOT_HEARD_NOW, OPENS[key])
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    assert pit.refused("ann", place(pit, 100)) == (Reason.NOT_HEARD_NOW, OPENS[key])


@pytest.mark.parametrize("key", library.GAMES)
def test_a_bet_while_open_betting_is_interrupted_is_not_late(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.report(Fault.TECHNICAL, who=SUPERVISOR)
    assert pit.refused("ann", place(pit, 100)) == (Reason.NOT_HEARD_NOW, None)
    pit.rule(SUPERVISOR, Choice.CONTINUE if pit.game.irregularities.interruption is None else Choice.DOES_NOT_AFFECT)
    pit.bet("ann", "player", 100)


@rulebook({"super-six": ["5.2", "5.3"], "insurance": ["5.2", "5.3"]}, by=betting.place_bets)
@pytest.mark.parametrize(
    ("key", "placed", "lowered"),
    [("super-six", "5.2", "5.3"), ("insurance", "5.2", "5.3"), ("commission", "5.6", "5.6"), ("wu-song", "5.7", "5.7")],
)
def test_a_late_lowering_is_a_late_withdrawal(key: str, placed: str, lowered: str) -> None:
    pit = in_play(key)
    assert pit.refused("bob", place(pit, 100, "banker")) == (Reason.BETS_LATE, lowered)
    for_bob = c.PlaceBets(round=1, lines=place(pit, 100, "banker").lines, owner="bob", requested=True)
    assert pit.refused(DEALER, for_bob) == (Reason.BETS_LATE, lowered), "whoever keys it in"
    for person, dollars in (("bob", 300), ("bob", 200), ("cat", 300), ("cat", 0)):
        assert pit.refused(person, place(pit, dollars, "banker")) == (Reason.BETS_LATE, placed)
    both = c.PlaceBets(
        round=1, lines=(c.Line(bet="banker", amount=0, box=1), c.Line(bet="player", amount=500_00, box=1))
    )
    assert pit.refused("bob", both) == (Reason.BETS_LATE, placed), "part of it is placed"


def test_insurance_after_its_window_is_late_and_before_it_unheard() -> None:
    pit = Pit("insurance")
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.close()
    early = c.Insure(round=1, window=Window.FOUR, amount=100_00, box=1)
    assert pit.refused("ann", early) == (Reason.NOT_HEARD_NOW, None)
    pit.deal("2 2 2 3")
    pit.player("ann", early)
    pit.staff(DEALER, c.CloseInsurance(round=1, window=Window.FOUR))
    for cents, rule in ((0, "5.3"), (50_00, "5.3"), (200_00, "5.2")):
        late = c.Insure(round=1, window=Window.FOUR, amount=cents, box=1)
        assert pit.refused("ann", late) == (Reason.BETS_LATE, rule)
    elsewhere = c.Insure(round=1, window=Window.FOUR, amount=50_00, box=2)
    assert pit.refused("ann", elsewhere) == (Reason.BETS_LATE, "5.2"), "nothing was insured in that box"
    stale = c.Insure(round=0, window=Window.FOUR, amount=50_00, box=1)
    assert pit.refused("ann", stale) == (Reason.NOT_HEARD_NOW, None)


# ---- faces -------------------------------------------------------------------------------------------------------


def test_a_card_that_waits_in_front_of_the_shoe_keeps_its_face() -> None:
    pit = in_play("commission", "5")
    pit.report(Fault.EXPOSED, cards=read_cards("7"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.everyone()
    another = c.DrawCard(round=1, index=2, card=read_card("8"))
    assert pit.refused(DEALER, another) == (Reason.FACE_UNWANTED, None)
    pit.staff(DEALER, c.DrawCard(round=1, index=2, card=read_card("7")))
    assert (pit.state.seen_in_order, pit.state.front) == ({1: 5, 2: 7}, ())


@rulings("EST-3")
@pytest.mark.parametrize("key", ["commission", "wu-song"])
def test_a_card_that_lies_face_down_establishes_nothing_whatever_read_it(key: str) -> None:
    ends = {}
    for turned in ({}, {1: "9"}, {1: "9", 3: "K"}):
        pit = in_play(key, face_down=True)
        for index, card in enumerate(read_cards("9 2 K 5"), start=1):
            assert pit.refused(DEALER, c.DrawCard(round=1, index=index, card=card)) == (Reason.FACE_UNWANTED, None)
            pit.hides(index)
        pit.turn(turned)
        pit.report(Fault.TECHNICAL)
        pit.rule(SUPERVISOR, Choice.AFFECTS)
        ends[len(turned)] = pit.phase
    assert (ends[0], ends[1]) == (Phase.VOIDED, Phase.VOIDED)
    assert ends[2] is not Phase.VOIDED, "a natural of Player decides that Banker draws no card"


def test_a_table_that_deals_face_down_is_told_no_face_until_the_card_is_exposed() -> None:
    pit = in_play("commission", face_down=True)
    assert pit.refused(DEALER, c.DrawCard(round=1, index=1, card=read_card("7"))) == (Reason.FACE_UNWANTED, None)
    pit.hides(1)
    assert pit.state.seen_in_order == {}
    assert pit.refused(DEALER, c.ExposeCard(round=1, index=2, card=read_card("7"))) == (Reason.STALE_INDEX, None)
    pit.turn({1: "7"})
    assert pit.refused(DEALER, c.ExposeCard(round=1, index=1, card=read_card("7"))) == (Reason.ALREADY_EXPOSED, None)


def test_a_table_that_deals_face_up_is_told_every_face() -> None:
    pit = in_play("commission")
    assert pit.refused(DEALER, c.DrawCard(round=1, index=1)) == (Reason.FACE_MISSING, None)
    assert pit.refused(DEALER, c.DrawCard(round=1, index=2, card=read_card("7"))) == (Reason.STALE_INDEX, None)


def test_no_third_card_is_due_while_four_lie_face_down() -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1, 2, 3, 4)
    assert pit.refused(DEALER, c.DrawCard(round=1, index=5)) == (Reason.EXPOSE_FIRST, None)


def test_nothing_is_drawn_once_both_hands_are_complete() -> None:
    pit = in_play("commission", "9 7 K 10")
    assert pit.phase is Phase.RESULT
    late = c.DrawCard(round=1, index=5, card=read_card("2"))
    assert pit.refused(DEALER, late) == (Reason.NOT_HEARD_NOW, None)
