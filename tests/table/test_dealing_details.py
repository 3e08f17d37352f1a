"""Dealing: what is sent about another round is stale, and who may not deal is refused, whatever the moment."""

from collections.abc import Callable
from functools import partial

import pytest

from puntobanco.rules.cards import read_card
from puntobanco.rules.procedures import Window
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.state import Phase
from tests.marks import rulings
from tests.table.pit import DEALER, SUPERVISOR, Pit

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
