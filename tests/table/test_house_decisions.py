"""Where no paragraph answers, the House decides, on the cards as well; and what it says is recorded."""

import pytest

from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import irregularities
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.events import (
    CardsSetAside,
    DisplayCorrected,
    FaultClosed,
    HouseDecided,
    LateBetNoted,
    QuestionPut,
    RoundDecided,
    RoundVoided,
)
from puntobanco.table.state import Phase
from puntobanco.table.views import public_view
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, in_play, paragraph

LONG = ["commission", "wu-song"]
SHORT = ["non-commission-etg", "super-six", "insurance"]
UNPROVIDED = {"commission": "5.17", "wu-song": "5.18"}


def left(pit: Pit) -> int:
    assert pit.state.shoe is not None
    return pit.state.shoe.left


@rulings("IRR-16")
@pytest.mark.parametrize("key", SHORT)
@pytest.mark.parametrize(
    ("fault", "cards"), [(Fault.EXCESS, "9S"), (Fault.EXPOSED, "9S"), (Fault.SIMULTANEOUS, "9S 8S")]
)
def test_a_card_that_came_too_early_is_kept_or_set_aside_as_the_house_says(key: str, fault: Fault, cards: str) -> None:
    early = read_cards(cards)
    kept = in_play(key, "5")
    before = left(kept)
    kept.report(fault, who=SUPERVISOR, cards=early)
    question = kept.told(QuestionPut)[0].question
    choices = (Choice.CONTINUE, Choice.SET_ASIDE, Choice.VOID, Choice.RETURN_BETS)
    assert (question.choices, question.asked_of, question.rule) == (choices, SHIFT, None)
    assert kept.state.front == (), "nothing is done before it is decided"
    kept.rule(SHIFT, Choice.CONTINUE)
    assert (kept.phase, kept.state.front, left(kept)) == (Phase.DEALING, early, before - len(early))
    aside = in_play(key, "5")
    aside.report(fault, who=SUPERVISOR, cards=early)
    aside.rule(SHIFT, Choice.SET_ASIDE)
    assert (aside.phase, aside.state.front, left(aside)) == (Phase.DEALING, (), before - len(early))
    assert (aside.state.seen["9♠"], len(aside.told(CardsSetAside))) == (1, 1)


@rulings("IRR-16")
@pytest.mark.parametrize("key", SHORT)
@pytest.mark.parametrize(("choice", "ann"), [(Choice.CONTINUE, 100_100), (Choice.AS_LYING, 99_900)])
def test_cards_that_lie_wrong_are_put_back_or_left_as_the_house_says(key: str, choice: Choice, ann: int) -> None:
    pit = in_play(key, "9 2")
    pit.report(Fault.MISDIRECTED, who=SUPERVISOR, lies={1: Side.BANKER, 2: Side.PLAYER})
    pit.rule(SHIFT, choice)
    pit.deal("K K")
    while pit.phase is Phase.DEALING:
        pit.deal("K")
    pit.settle()
    assert pit.purse("ann") == ann


@pytest.mark.parametrize("key", SHORT)
def test_a_face_seen_by_mistake_is_seen_when_the_house_plays_on(key: str) -> None:
    pit = in_play(key, face_down=True)
    pit.hides(1)
    pit.report(Fault.FACE_UP, who=SUPERVISOR, index=1, cards=read_cards("7"))
    pit.rule(SHIFT, Choice.CONTINUE)
    assert (pit.phase, pit.state.seen_in_order) == (Phase.DEALING, {1: 7})


@rulings("AUT-16")
@pytest.mark.parametrize("key", SHORT)
def test_a_house_decision_has_its_reason(key: str) -> None:
    pit = in_play(key, "5")
    pit.report(Fault.OTHER_DEALING_ERROR, who=SUPERVISOR)
    assert pit.refused(SHIFT, c.Rule(question=1, choice=Choice.CONTINUE)) == (Reason.REASON_MISSING, None)
    pit.rule(SHIFT, Choice.RETURN_BETS)
    (voided,) = pit.told(RoundVoided)
    assert (pit.phase, paragraph(voided), pit.purse("bob")) == (Phase.VOIDED, None, 100_000)


# ---- an outcome established, and no way to go on -----------------------------------------------------------------


@rulings("TEC-6")
@rulebook({"commission": ["5.4.1", "5.17"], "wu-song": ["5.4.1", "5.18"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize(("choice", "phase"), [(Choice.BY_HAND, Phase.DEALING), (Choice.CONCLUDE, Phase.DECIDED)])
def test_5_4_1_an_established_round_that_cannot_go_on_is_the_shift_managers(
    key: str, choice: Choice, phase: Phase
) -> None:
    pit = in_play(key, "5 K 5")
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
    question = pit.told(QuestionPut)[-1].question
    assert (pit.phase, question.asked_of, question.choices) == (
        Phase.SUSPENDED,
        SHIFT,
        (Choice.BY_HAND, Choice.CONCLUDE, Choice.DECIDE_BETS),
    )
    for who in (DEALER, SUPERVISOR, MANAGER):
        answer = c.Rule(question=2, choice=choice, reason="the lights are out")
        assert pit.refused(who, answer) == (Reason.NOT_AUTHORISED, UNPROVIDED[key])
        assert "Rule" not in public_view(pit.felt, pit.state, who).allowed
    pit.rule(SHIFT, choice)
    assert pit.phase is phase
    if phase is Phase.DECIDED:
        assert paragraph(pit.told(RoundDecided)[0]) == UNPROVIDED[key]


@pytest.mark.parametrize("key", LONG)
def test_5_4_2_a_round_without_outcome_that_cannot_go_on_is_void(key: str) -> None:
    pit = in_play(key, "5")
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
    assert paragraph(pit.told(RoundVoided)[0]) == "5.4.2"


# ---- recorded ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", library.GAMES)
def test_a_decision_names_a_round_that_was_played(key: str) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    for number in (0, 2):
        command = c.DecideUnprovided(round=number, decision="a drink", reason="spilt")
        assert pit.refused(SHIFT, command) == (Reason.STALE_ROUND, None)
        display = c.CorrectDisplay(round=number, shown="Banker", correct="Player")
        assert pit.refused(DEALER, display) == (Reason.STALE_ROUND, None)
    (decided,) = pit.staff(SHIFT, c.DecideUnprovided(round=1, decision="a drink", reason="spilt"))
    assert isinstance(decided, HouseDecided)
    assert paragraph(decided) == UNPROVIDED.get(key)
    assert isinstance(pit.staff(DEALER, c.CorrectDisplay(round=1, shown="x", correct="y"))[0], DisplayCorrected)


def test_a_late_bet_that_is_noted_is_somebodys_on_a_bet_of_the_table() -> None:
    pit = in_play("commission", "5")

    def note(
        person: str = "cat", box: int = 1, bet: str = "tie", cents: int = 100_00, *, away: bool = False
    ) -> c.Command:
        return c.NoteLateBet(round=1, person=person, box=box, bet=bet, amount=cents, withdrawn=away)

    assert pit.refused(DEALER, note(person="nobody")) == (Reason.UNKNOWN_PERSON, None)
    assert pit.refused(DEALER, note(box=99))[0] is Reason.BOX_OUT_OF_RANGE
    assert pit.refused(DEALER, note(bet="foo"))[0] is Reason.UNKNOWN_BET
    assert pit.refused(DEALER, note(cents=-5)) == (Reason.STAKE_NOT_POSITIVE, "3.5")
    assert pit.refused(DEALER, note(away=True)) == (Reason.NO_SUCH_BET_PLACED, None)
    pit.staff(DEALER, note())
    pit.staff(DEALER, note(person="ann", bet="player", away=True))
    assert [(event.withdrawn, paragraph(event)) for event in pit.told(LateBetNoted)] == [(False, "5.6"), (True, "5.6")]


def test_a_late_bet_at_a_terminal_is_noted_by_the_machine() -> None:
    pit = in_play("non-commission-etg")
    note = c.NoteLateBet(round=1, person="cat", box=0, bet="tie", amount=100_00)
    assert pit.refused(DEALER, note)[0] is Reason.NOT_AUTHORISED
    pit.staff(pit.dealer, note)
    assert len(pit.told(LateBetNoted)) == 1


def test_a_wrong_display_is_only_noted() -> None:
    pit = in_play("commission", "5")
    pit.report(Fault.DISPLAY)
    (closed,) = pit.told(FaultClosed)
    assert (pit.phase, paragraph(closed), closed.logged_only) == (Phase.DEALING, "5.14", True)


def test_a_mispayment_that_stands_leaves_the_money_and_one_before_settlement_is_the_houses() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert (pit.phase, pit.purse("ann")) == (Phase.SETTLED, 100_100)
    early = in_play("commission", "9 7")
    early.report(Fault.MISPAYMENT)
    assert early.told(QuestionPut)[0].question.asked_of is SHIFT
