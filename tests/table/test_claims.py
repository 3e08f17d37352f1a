"""What a player reports is a claim: it is heard, it moves no card, and somebody of the House says what was so."""

import pytest

from puntobanco.rules import library
from puntobanco.rules.cards import Card, read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import irregularities
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.events import AlertRaised, CarryOverDiscarded, FaultClosed, OptionsOffered, QuestionPut
from puntobanco.table.setup import InterruptionFinding, Policy
from puntobanco.table.state import Phase
from puntobanco.table.views import public_view
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, SHIFT, SUPERVISOR, Pit, in_play

LONG = ["commission", "wu-song"]
SHORT = ["non-commission-etg", "super-six", "insurance"]
UNATTENDED = Policy(interruption_finding=InterruptionFinding.AUTOMATIC)


def left(pit: Pit) -> int:
    assert pit.state.shoe is not None
    return pit.state.shoe.left


# ---- no card moves before a ruling -------------------------------------------------------------------------------


@rulebook({"commission": ["5.9"], "wu-song": ["5.10"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
def test_a_face_a_player_says_lay_open_is_seen_once_it_is_confirmed(key: str) -> None:
    pit = in_play(key, face_down=True)
    pit.hides(1)
    pit.claim("ann", Fault.FACE_UP, index=1, cards=read_cards("9S"))
    assert pit.state.question is not None
    assert pit.state.question.choices == (Choice.CONFIRM, Choice.STANDS)
    assert pit.state.seen_in_order == {}
    pit.rule(SUPERVISOR, Choice.CONFIRM)
    assert (pit.phase, pit.state.seen_in_order) == (Phase.OPTIONS, {1: 9})


@rulebook({"commission": ["5.10"], "wu-song": ["5.11"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
def test_the_order_a_player_says_is_known_is_still_the_supervisors_to_say(key: str) -> None:
    pit = in_play(key)
    before = left(pit)
    pit.claim("ann", Fault.SIMULTANEOUS, cards=read_cards("9S KS"), order_known=True)
    assert pit.state.question is not None
    assert pit.state.question.choices == (Choice.ORDER, Choice.STANDS)
    assert (pit.state.front, left(pit)) == ((), before)
    pit.rule(SUPERVISOR, Choice.ORDER, order=(2, 1))
    assert (pit.state.front, left(pit)) == (read_cards("KS 9S"), before - 2)


@rulebook({"commission": ["5.7"], "wu-song": ["5.8"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize("fault", [Fault.EXCESS, Fault.EXPOSED])
def test_a_card_a_player_says_was_out_is_out_once_it_is_reconstructed(key: str, fault: Fault) -> None:
    pit = in_play(key, "2 3 4 3")
    before = left(pit)
    pit.claim("ann", fault, cards=read_cards("9S"))
    dealt = {"2": 1, "3": 2, "4": 1}
    assert (pit.state.front, pit.state.seen, left(pit)) == ((), dealt, before)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert (pit.state.front, pit.state.seen, left(pit)) == (read_cards("9S"), dealt | {"9♠": 1}, before - 1)
    assert pit.phase is Phase.RESULT, "an outcome was established"


@pytest.mark.parametrize("key", LONG)
def test_a_card_a_player_saw_is_out_although_nothing_can_be_reconstructed(key: str) -> None:
    pit = in_play(key, "2")
    before = left(pit)
    pit.claim("ann", Fault.EXPOSED, cards=read_cards("9S"))
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert (pit.phase, pit.state.front, left(pit)) == (Phase.OPTIONS, read_cards("9S"), before - 1)
    excess = in_play(key, "2 3 4 3")
    excess.claim("ann", Fault.EXCESS, cards=read_cards("9S"))
    excess.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert (excess.phase, excess.state.front, left(excess)) == (Phase.VOIDED, (), 416 - 5)
    assert len(excess.told(CarryOverDiscarded)) == 1


@pytest.mark.parametrize("fault", [Fault.MISDIRECTED, Fault.OTHER_DEALING_ERROR])
def test_cards_named_with_a_fault_that_brings_none_out_stay_in_the_shoe(fault: Fault) -> None:
    pit = in_play("commission", "5 K")
    before = left(pit)
    pit.claim("ann", fault, lies={1: Side.BANKER, 2: Side.PLAYER}, cards=read_cards("9S"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert (pit.state.front, left(pit)) == ((), before)


@pytest.mark.parametrize("key", SHORT)
def test_where_no_paragraph_answers_a_claim_brings_no_card_out_either(key: str) -> None:
    pit = in_play(key, "5")
    before = left(pit)
    pit.claim("ann", Fault.EXPOSED, cards=read_cards("9S"))
    assert (pit.state.front, left(pit)) == ((), before)
    pit.rule(SHIFT, Choice.CONTINUE)
    assert (pit.phase, pit.state.front, left(pit)) == (Phase.DEALING, read_cards("9S"), before - 1)


@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize("fault", [Fault.EXCESS, Fault.EXPOSED])
def test_after_settlement_a_card_a_player_says_was_out_is_the_next_rounds_once_confirmed(
    key: str, fault: Fault
) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.claim("ann", fault, cards=read_cards("4"))
    assert pit.state.question is not None
    assert pit.state.question.choices == (Choice.CONFIRM, Choice.STANDS)
    assert pit.state.front == ()
    pit.rule(SUPERVISOR, Choice.CONFIRM)
    assert (pit.phase, pit.state.front, pit.purse("ann")) == (Phase.SETTLED, read_cards("4"), 100_100)


# ---- nothing was wrong -------------------------------------------------------------------------------------------

FACTS: list[tuple[Fault, dict[str, object]]] = [
    (Fault.FOREIGN_CARD, {}),
    (Fault.DECK_COUNT, {}),
    (Fault.MISKEYED, {}),
    (Fault.SIMULTANEOUS, {"cards": read_cards("9S KS")}),
    (Fault.MISDIRECTED, {"lies": {1: Side.BANKER}}),
    (Fault.WRONG_NUMBER_OF_CARDS, {"cards": read_cards("9S")}),
    (Fault.EXCESS, {"cards": read_cards("9S 9S")}),
    (Fault.EXPOSED, {"cards": read_cards("9S")}),
    (Fault.OTHER_DEALING_ERROR, {}),
]


@rulings("IRR-13")
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize("claimed", [True, False])
@pytest.mark.parametrize(("fault", "facts"), FACTS)
def test_a_report_that_proves_unfounded_leaves_everything_as_it_was(
    key: str, claimed: bool, fault: Fault, facts: dict[str, object]
) -> None:
    pit = in_play(key, "2 9 K 10")
    was = (pit.state.front, pit.state.seen, pit.state.shoe, pit.state.drawn, pit.state.purses)
    if claimed:
        pit.claim("ann", fault, **facts)
    else:
        pit.report(fault, DEALER, **facts)
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert (pit.phase, pit.state.options_due) == (Phase.RESULT, None)
    assert (pit.state.front, pit.state.seen, pit.state.shoe, pit.state.drawn, pit.state.purses) == was
    assert pit.told(OptionsOffered) == []
    assert not pit.state.drawn_together
    pit.settle()
    assert pit.purse("ann") == 99_900, "whoever lost has lost"


def test_a_card_face_up_that_was_not_stays_face_down() -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1)
    pit.claim("ann", Fault.FACE_UP, index=1, cards=read_cards("9"))
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert (pit.phase, pit.state.seen_in_order) == (Phase.DEALING, {})


def test_of_two_cards_reported_the_one_that_was_never_out_leaves_the_front() -> None:
    pit = in_play("commission", "2 3 4 3")
    pit.report(Fault.EXCESS, cards=read_cards("9S"))
    pit.report(Fault.EXPOSED, cards=read_cards("5H"))
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert pit.state.front == read_cards("5H")
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert (pit.state.front, pit.state.seen) == (read_cards("5H"), {"2": 1, "3": 2, "4": 1, "5♥": 1})


def test_a_card_without_a_suit_that_was_never_out_leaves_the_front_too() -> None:
    pit = in_play("commission", "2 3 4 3")
    pit.report(Fault.EXCESS, cards=(None, Card(read_cards("9")[0].rank)))
    assert left(pit) == 416 - 6
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert (pit.state.front, pit.state.seen, left(pit)) == ((), {"2": 1, "3": 2, "4": 1}, 416 - 4)


def test_a_card_in_front_of_the_shoe_stays_there_while_another_ruling_puts_the_hands_right() -> None:
    pit = in_play("commission", "5 K")
    pit.report(Fault.EXPOSED, cards=read_cards("7"))
    pit.report(Fault.MISDIRECTED, lies={1: Side.BANKER, 2: Side.PLAYER})
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT, cards=read_cards("K 5 7"))
    assert (pit.hands, left(pit)) == ({"player": "K", "banker": "5"}, 416 - 3)
    assert [str(card) for card in pit.state.front] == ["7"]
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert (pit.hands, pit.state.front, left(pit)) == ({"player": "K", "banker": "5"}, (), 416 - 2)


# ---- who stops play ----------------------------------------------------------------------------------------------


@rulings("IRR-12", "AUT-5")
@pytest.mark.parametrize("key", library.GAMES)
def test_a_claim_of_somebody_without_a_bet_is_noted_and_play_goes_on(key: str) -> None:
    pit = in_play(key, "5")
    for _ in range(2):
        pit.claim("cat", Fault.OTHER_DEALING_ERROR, note="he bent a card")
    assert (pit.phase, pit.state.faults) == (Phase.DEALING, ())
    assert [(alert.kind, alert.to) for alert in pit.told(AlertRaised)] == [("claim", Role.DEALER)] * 2
    assert [closed.logged_only for closed in pit.told(FaultClosed)] == [True, True]


@rulings("IRR-12")
@pytest.mark.parametrize("key", LONG)
def test_nobody_stops_an_unattended_table_with_a_claim(key: str) -> None:
    pit = in_play(key, "2 9", policy=UNATTENDED)
    pit.claim("ann", Fault.TECHNICAL)
    assert pit.phase is Phase.DEALING
    assert [alert.kind for alert in pit.told(AlertRaised)] == ["claim"]


@rulings("IRR-12")
def test_a_player_has_one_report_open_at_a_time() -> None:
    pit = in_play("commission", "2 9")
    pit.claim("ann", Fault.OTHER_DEALING_ERROR)
    again = c.Report(round=1, fault=Fault.FOREIGN_CARD)
    assert pit.refused("ann", again) == (Reason.REPORT_OPEN, None)
    pit.player("bob", again)
    assert len(pit.state.faults) == 2
    pit.rule(SUPERVISOR, Choice.STANDS)
    pit.rule(SUPERVISOR, Choice.STANDS)
    pit.player("ann", again)
    assert pit.phase is Phase.DEALING, "once unfounded, noted for the rest of the round"
    assert pit.told(AlertRaised)[-1].kind == "claim"


def test_a_claim_waits_behind_the_open_question_and_the_set_stays_until_it_is_ruled_on() -> None:
    pit = in_play("commission", "5 K")
    pit.claim("ann", Fault.TECHNICAL)
    pit.claim("bob", Fault.FOREIGN_CARD)
    assert [put.question.fault for put in pit.told(QuestionPut)] == [Fault.TECHNICAL]
    pit.rule(SUPERVISOR, Choice.AFFECTS)
    assert pit.state.shoe is not None
    assert (pit.phase, pit.state.shoe.in_service) == (Phase.VOIDED, True)


# ---- what a report must name -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "facts"),
    [
        (Fault.SIMULTANEOUS, {}),
        (Fault.SIMULTANEOUS, {"cards": read_cards("9")}),
        (Fault.SIMULTANEOUS, {"index": 2}),
        (Fault.SIMULTANEOUS, {"index": 0}),
        (Fault.EXCESS, {}),
        (Fault.EXPOSED, {}),
        (Fault.EXPOSED, {"cards": (None,)}),
        (Fault.EXPOSED, {"cards": (None, *read_cards("8"))}),
        (Fault.MISDIRECTED, {}),
        (Fault.MISDIRECTED, {"lies": {3: Side.BANKER}}),
        (Fault.FACE_UP, {"index": 1}),
        (Fault.FACE_UP, {"cards": read_cards("9")}),
    ],
)
def test_a_report_names_what_it_is_about(fault: Fault, facts: dict[str, object]) -> None:
    pit = in_play("commission", "5 K")
    report = c.Report(round=1, fault=fault, **facts)  # type: ignore[arg-type]
    assert pit.refused(DEALER, report) == (Reason.REPORT_INCOMPLETE, None)


@pytest.mark.parametrize("fault", [Fault.WRONG_NUMBER_OF_CARDS, Fault.MISKEYED])
def test_no_hand_has_a_wrong_card_before_the_first_is_dealt(fault: Fault) -> None:
    pit = in_play("commission")
    assert pit.refused(DEALER, c.Report(round=1, fault=fault))[0] is Reason.NO_HANDS_YET


def test_a_card_that_lies_open_anyway_cannot_lie_open_by_mistake() -> None:
    pit = in_play("commission", "5")
    up = c.Report(round=1, fault=Fault.FACE_UP, index=1, cards=read_cards("5"))
    assert pit.refused(DEALER, up) == (Reason.ALREADY_EXPOSED, "5.9")


def test_a_report_is_about_a_round_that_has_begun() -> None:
    pit = in_play("commission", "5")
    for number in (0, 2):
        report = c.Report(round=number, fault=Fault.OTHER_DEALING_ERROR)
        assert pit.refused(DEALER, report) == (Reason.STALE_ROUND, None)


def test_only_those_who_may_answer_are_shown_the_question_as_theirs() -> None:
    pit = in_play("commission", "5")
    pit.report(Fault.FOREIGN_CARD)
    answers = {role: "Rule" in public_view(pit.felt, pit.state, role).allowed for role in (DEALER, SUPERVISOR, SHIFT)}
    assert answers == {DEALER: False, SUPERVISOR: True, SHIFT: True}
    paused = in_play("super-six", "5")
    paused.report(Fault.TECHNICAL)
    assert "Rule" in public_view(paused.felt, paused.state, DEALER).allowed, "anyone of the House ends a pause"
