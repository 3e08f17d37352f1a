"""Dealing: what is sent about another round is stale, and who may not deal is refused, whatever the moment."""

from collections.abc import Callable
from functools import partial

import pytest

from puntobanco.rules.cards import read_card, read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Window
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import dealing
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.decide import Refusal
from puntobanco.table.state import Phase
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, SHIFT, SUPERVISOR, Pit, in_play

SIX = read_card("6")


def dealt(*, face_down: bool = False, cards: str = "") -> Pit:
    """Ann has 1,000 on Banker at an insurance table."""
    pit = Pit("insurance", face_down=face_down)
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.close()
    pit.deal(cards)
    return pit


def squeezing() -> Pit:
    """Ann squeezes the first card."""
    pit = dealt(face_down=True)
    pit.player("ann", c.RequestSqueeze(round=1, index=1))
    pit.staff(DEALER, c.AnswerSqueeze(round=1, index=1, permit=True))
    pit.hides(1)
    return pit


def third_cards_due() -> Pit:
    """Player 0, Banker 1: both draw whatever comes, and Ann asks to see the Banker's card first."""
    pit = dealt(face_down=True)
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "K", 2: "A", 3: "K", 4: "K"})
    pit.player("ann", c.RequestWaiver(round=1))
    return pit


def tied() -> Pit:
    pit = dealt(cards="9 9 K K")
    pit.settle()
    return pit


OFFERED = "2 2 2 3"


def name_of(value: object) -> str:
    return type(value).__name__ if isinstance(value, c.Command) else ""


STALE: list[tuple[Callable[[], Pit], Role | str, c.Command]] = [
    (squeezing, DEALER, c.ExposeCard(round=0, index=1, card=SIX)),
    (partial(dealt, cards="2"), DEALER, c.CorrectCard(round=0, index=1, card=SIX)),
    (partial(dealt, face_down=True), "ann", c.RequestSqueeze(round=0, index=1)),
    (squeezing, DEALER, c.AnswerSqueeze(round=0, index=1, permit=True)),
    (squeezing, "ann", c.FinishSqueeze(round=0, index=1)),
    (third_cards_due, "ann", c.RequestWaiver(round=0)),
    (third_cards_due, "ann", c.AgreeToWaiver(round=0, agrees=True)),
    (third_cards_due, DEALER, c.AnswerWaiver(round=0, consent=True)),
    (partial(dealt, cards=OFFERED), "ann", c.Insure(round=0, window=Window.FOUR, amount=100_00, box=1)),
    (partial(dealt, cards=OFFERED), "ann", c.DeclineInsurance(round=0, window=Window.FOUR, box=1)),
    (partial(dealt, cards=OFFERED), DEALER, c.CloseInsurance(round=0, window=Window.FOUR)),
    (tied, "ann", c.ChooseAfterTie(round=0, bet="banker", leave=True, box=1)),
]


@pytest.mark.parametrize(("begun", "who", "command"), STALE, ids=name_of)
def test_what_is_sent_about_another_round_is_stale(
    begun: Callable[[], Pit], who: Role | str, command: c.Command
) -> None:
    assert begun().refused(who, command) == (Reason.STALE_ROUND, None)


NOT_THEIRS: list[tuple[Callable[[], Pit], Role | str, c.Command]] = [
    (dealt, "ann", c.DrawCard(round=1, index=1, card=SIX)),
    (squeezing, "ann", c.ExposeCard(round=1, index=1, card=SIX)),
    (partial(dealt, cards="2"), "ann", c.CorrectCard(round=1, index=1, card=SIX)),
    (squeezing, "ann", c.AnswerSqueeze(round=1, index=1, permit=True)),
    (third_cards_due, "ann", c.AnswerWaiver(round=1, consent=True)),
    (partial(dealt, cards=OFFERED), "ann", c.CloseInsurance(round=1, window=Window.FOUR)),
    (partial(dealt, cards="9 7 K 10"), "ann", c.Settle(round=1)),
]


@pytest.mark.parametrize(("begun", "who", "command"), NOT_THEIRS, ids=name_of)
def test_a_player_deals_permits_and_settles_nothing(
    begun: Callable[[], Pit], who: Role | str, command: c.Command
) -> None:
    assert begun().refused(who, command)[0] is Reason.NOT_AUTHORISED


@rulings("FIN-18")
def test_boxes_are_confirmed_by_whoever_deals_and_all_that_are_left_by_a_supervisor() -> None:
    pit = dealt(cards="9 7 K 10")
    pit.staff(DEALER, c.Settle(round=1))
    assert pit.refused("ann", c.ConfirmBox(round=1, box=1))[0] is Reason.NOT_AUTHORISED
    assert pit.refused(DEALER, c.ConfirmRest(round=1))[0] is Reason.NOT_AUTHORISED
    assert pit.refused(DEALER, c.ConfirmBox(round=1, box=2))[0] is Reason.NOT_UNPAID
    pit.staff(SUPERVISOR, c.ConfirmRest(round=1))
    assert pit.phase is Phase.SETTLED


# ---- which cards come --------------------------------------------------------------------------------------------


def test_a_card_that_waits_is_drawn_although_the_shoe_behind_it_was_withdrawn() -> None:
    pit = in_play("commission", "2 3")
    pit.report(Fault.EXCESS, cards=(None,))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.everyone()
    pit.staff(SHIFT, c.WithdrawShoe(reason="torn"))
    pit.deal("4")
    assert (pit.hands["player"], pit.state.front, pit.state.seen.get("4")) == ("2 4", (), 1)
    assert pit.refused(DEALER, c.DrawCard(round=1, index=4, card=SIX)) == (Reason.NO_SHOE, None)


@rulebook({"commission": ["5.5.2"]}, by=dealing.draw_card)
def test_5_5_2_a_copy_too_many_that_was_let_stand_is_not_reported_again_when_it_is_drawn() -> None:
    pit = in_play("commission", "KS KS KS KS", decks=4)
    pit.report(Fault.EXCESS, cards=read_cards("KS"))
    pit.rule(SHIFT, Choice.STANDS)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.staff(DEALER, c.DrawCard(round=1, index=5))
    assert (pit.phase, pit.state.seen) == (Phase.DEALING, {"K♠": 5})


# ---- the waiver --------------------------------------------------------------------------------------------------


@rulebook({"insurance": ["4.1.5"]}, by=dealing.request_waiver)
def test_4_1_5_nothing_is_waived_where_the_cards_are_dealt_face_up() -> None:
    assert dealt(cards="K A K K").refused("ann", c.RequestWaiver(round=1)) == (Reason.NO_WAIVER, "4.1.5")


def test_hands_left_lying_with_a_third_card_have_no_waiver() -> None:
    """In the order of drawing the Player would have a natural eight."""
    pit = Pit("insurance", face_down=True)
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.close()
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "6", 2: "A"})
    pit.report(Fault.MISDIRECTED, lies={1: Side.BANKER, 2: Side.PLAYER})
    pit.rule(SHIFT, Choice.AS_LYING)
    pit.turn({3: "2", 4: "4"})
    pit.hides(5)
    pit.turn({5: "5"})
    assert pit.hands == {"player": "A 2 5", "banker": "6 4"}
    assert pit.refused("ann", c.RequestWaiver(round=1)) == (Reason.NO_WAIVER, "4.1.5")


def test_nobody_agrees_for_a_player_who_has_walked_away() -> None:
    pit = Pit("insurance", face_down=True, automatic=True)
    pit.open()
    pit.bet("ann", "player", 1_000)
    pit.bet("bob", "banker", 1_000)
    pit.close()
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "A", 2: "K", 3: "3", 4: "2"})
    pit.player("ann", c.RequestWaiver(round=1))
    pit.player("bob", c.WalkAway(person="bob"))
    agrees = c.AgreeToWaiver(round=1, person="bob", agrees=True)
    assert pit.refused(SUPERVISOR, agrees) == (Reason.PLAYER_ABSENT, None)


# ---- insurance and settlement ------------------------------------------------------------------------------------


def test_a_purse_that_cannot_pay_for_more_insurance_is_told_the_difference() -> None:
    pit = Pit("insurance", people={"ann": 1_200_00})
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.close()
    pit.deal(OFFERED)
    pit.player("ann", c.Insure(round=1, window=Window.FOUR, amount=150_00, box=1))
    more = c.Insure(round=1, window=Window.FOUR, amount=201_00, box=1)
    answer = pit.tell(more, By("ann", Role.PLAYER, pit.now))
    assert isinstance(answer, Refusal)
    assert answer.parameters == {"stake": "51.00", "purse": "50.00"}


def test_boxes_are_taken_and_paid_in_their_order() -> None:
    pit = Pit("commission")
    pit.open()
    for box in (8, 1):
        pit.bet("ann", "player", 100, box=box)
    pit.close()
    pit.deal("9 7 K 10")
    pit.staff(DEALER, c.Settle(round=1))
    assert pit.state.unpaid == (1, 8)
