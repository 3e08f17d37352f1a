"""Reports of faults and what becomes of them, to the last card: bounds, what earlier editions did, and documents that
leave something out."""

import pytest
from msgspec.structs import replace

from puntobanco.rules.cards import read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import StaffRank
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.decide import Accepted
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.setup import GapCause, InterruptionFinding, Policy, SimultaneousOptions, Source
from puntobanco.table.state import Phase
from tests.table.pit import AT_ONCE, DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, in_play, paragraph
from tests.table.test_overlay import at, cause, overlay
from tests.table.test_own_games import smallest

UNATTENDED = Policy(interruption_finding=InterruptionFinding.AUTOMATIC)


def as_of(pit: Pit, edition: Edition) -> None:
    """From here on the table decides as that edition did."""
    assert pit.state.setup is not None
    pit.felt = Felt.of(pit.game, pit.state.setup, edition)


def holding(pit: Pit, left: int) -> None:
    """The shoe has so many cards left."""
    assert pit.state.shoe is not None
    pit.state = pit.replayed = replace(pit.state, shoe=replace(pit.state.shoe, left=left))


def reported(pit: Pit) -> e.Reported:
    return pit.told(e.IrregularityReported)[-1].report


# ---- which reports are heard -------------------------------------------------------------------------------------


def test_a_report_names_up_to_fifty_two_cards_and_places() -> None:
    for index, cards, heard in (
        (None, read_cards("9 " * 52), True),
        (None, read_cards("9 " * 53), False),
        (52, (), True),
        (53, (), False),
        (0, (), True),
        (-1, (), False),
    ):
        pit = in_play("commission", "3 7")
        answer = pit.tell(c.Report(round=1, fault=Fault.DISPLAY, index=index, cards=cards), By("dora", DEALER, pit.now))
        assert isinstance(answer, Accepted) is heard


def test_only_a_player_has_one_report_open_at_a_time() -> None:
    pit = in_play("commission", "2 9")
    pit.claim("ann", Fault.OTHER_DEALING_ERROR)
    pit.staff(DEALER, c.Report(round=1, fault=Fault.UNPROVIDED))
    pit.staff(DEALER, c.Report(round=1, fault=Fault.UNPROVIDED))
    by = By("ann", SUPERVISOR, pit.now)
    assert isinstance(pit.tell(c.Report(round=1, fault=Fault.UNPROVIDED), by), Accepted), "whoever has staff rank now"
    assert len(pit.state.faults) == 4


@pytest.mark.parametrize(("edition", "heard"), [(Edition.GUESTS_CONFIRM, True), (Edition.SECOND_READING, False)])
def test_since_the_second_reading_a_card_that_lies_right_is_not_misdirected(edition: Edition, heard: bool) -> None:
    pit = in_play("commission", "5 K")
    as_of(pit, edition)
    right = c.Report(round=1, fault=Fault.MISDIRECTED, lies={1: Side.PLAYER})
    assert isinstance(pit.tell(right, By("dora", DEALER, pit.now)), Accepted) is heard


def test_since_the_second_reading_a_report_about_one_of_two_sets_names_it() -> None:
    pit = Pit("wu-song")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.staff(SUPERVISOR, c.LoadShoe(shoe="two", decks=8, shuffled=True, source=Source.KEYBOARD, reason="worn"))
    as_of(pit, Edition.SECOND_READING)
    assert pit.refused(DEALER, c.Report(round=1, fault=Fault.FOREIGN_CARD))[0] is Reason.SET_UNCLEAR


def test_where_cards_are_dealt_face_up_none_lies_face_up_by_mistake() -> None:
    pit = in_play("commission", "5 K")
    pit.report(Fault.SIMULTANEOUS, cards=(None, None))
    pit.rule(SUPERVISOR, Choice.ORDER, order=(1, 2))
    pit.everyone()
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT, cards=(*read_cards("5 K"), None, None, *read_cards("3")))
    assert pit.hands == {"player": "5 ?", "banker": "K"}
    up = c.Report(round=1, fault=Fault.FACE_UP, index=3, cards=read_cards("7"))
    assert pit.refused(DEALER, up) == (Reason.ALREADY_EXPOSED, "5.9")


def test_before_the_first_card_none_was_keyed_wrongly_whatever_the_report_names() -> None:
    pit = in_play("commission")
    named = c.Report(round=1, fault=Fault.MISKEYED, cards=read_cards("7"))
    assert pit.refused(DEALER, named) == (Reason.NO_HANDS_YET, "5.14")


@pytest.mark.parametrize(
    ("own", "area", "person"),
    [("", "1", "1"), (', area = "2"', "2", "1"), (', person = "3"', "1", "3")],
)
def test_a_document_may_have_one_paragraph_for_all_misdirected_cards(own: str, area: str, person: str) -> None:
    game = smallest(f'[irregularities]\nmisdirected = {{ rule = "1", options = "1"{own} }}')
    for to_person, rule in ((False, area), (True, person)):
        pit = in_play("tiny", "5 K", game=game)
        pit.report(Fault.MISDIRECTED, lies={1: Side.BANKER, 2: Side.PLAYER}, to_person=to_person)
        assert paragraph(pit.told(e.IrregularityReported)[-1]) == rule


# ---- cards that the shoe holds -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "facts"),
    [(Fault.DISPLAY, {}), (Fault.FACE_UP, {"index": 1, "cards": read_cards("7")})],
)
def test_a_report_of_no_card_from_the_shoe_is_what_it_says_although_the_shoe_is_empty(
    fault: Fault, facts: dict[str, object]
) -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1)
    holding(pit, 0)
    pit.report(fault, DEALER, **facts)
    assert reported(pit).fault is fault


@pytest.mark.parametrize(("left", "cards", "fault"), [(0, "9", Fault.DECK_COUNT), (2, "9 9", Fault.EXCESS)])
def test_5_5_2_a_report_of_more_cards_than_the_shoe_has_left_is_a_wrong_count(
    left: int, cards: str, fault: Fault
) -> None:
    pit = in_play("commission", "5 K")
    holding(pit, left)
    pit.report(Fault.EXCESS, cards=read_cards(cards))
    assert reported(pit).fault is fault


def test_5_11_what_the_shoe_has_left_now_says_nothing_of_an_earlier_round() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.open()
    holding(pit, 1)
    pit.staff(DEALER, c.Report(round=1, fault=Fault.EXCESS, cards=read_cards("9 9")))
    assert (reported(pit).fault, pit.state.front, pit.phase) == (Fault.EXCESS, (), Phase.BETTING)


def test_only_cards_that_a_report_says_are_out_are_spoken_for() -> None:
    pit = in_play("commission", "5 K")
    holding(pit, 3)
    pit.report(Fault.FOREIGN_CARD, cards=read_cards("7"))
    pit.report(Fault.EXCESS, cards=read_cards("9"))
    pit.report(Fault.EXCESS, cards=read_cards("8 8"))
    assert [one.fault for one in pit.state.faults] == [Fault.FOREIGN_CARD, Fault.EXCESS, Fault.EXCESS]
    assert (pit.state.shoe and pit.state.shoe.left, pit.state.front) == (0, read_cards("9 8 8"))


@pytest.mark.parametrize(("left", "heard"), [(0, False), (1, True)])
def test_the_true_cards_may_take_the_last_card_of_the_shoe(left: int, heard: bool) -> None:
    pit = in_play("commission", "2 3 4 3")
    pit.report(Fault.MISKEYED)
    holding(pit, left)
    true = c.Rule(question=1, choice=Choice.CORRECT, cards=read_cards("2 3 3 3 9"), reason="seen on the camera")
    answer = pit.tell(true, By("sue", SUPERVISOR, pit.now))
    assert isinstance(answer, Accepted) is heard


def test_5_5_2_as_many_cards_of_a_kind_as_there_are_decks_are_no_fault() -> None:
    pit = in_play("commission", decks=4)
    pit.report(Fault.EXCESS, cards=read_cards("KS KS KS KS"))
    assert [one.fault for one in pit.state.faults] == [Fault.EXCESS]
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.report(Fault.EXCESS, cards=read_cards("KS"))
    assert [one.fault for one in pit.state.faults] == [Fault.EXCESS, Fault.DECK_COUNT]


@pytest.mark.parametrize(("key", "established"), [("commission", True), ("super-six", False)])
def test_cards_seen_too_early_establish_an_outcome_where_the_document_provides_for_them(
    key: str, established: bool
) -> None:
    pit = in_play(key)
    pit.report(Fault.EXPOSED, cards=read_cards("9 2 K 3"))
    assert reported(pit).established is established


# ---- when a report is taken up -----------------------------------------------------------------------------------


def test_a_fault_of_the_same_kind_waits_behind_the_open_question() -> None:
    pit = in_play("commission", "5 K")
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.report(Fault.OTHER_DEALING_ERROR)
    assert (pit.told(e.QuestionWithdrawn), len(pit.told(e.QuestionPut))) == ([], 1)


def test_5_4_2_at_an_unattended_table_an_interruption_voids_the_round_whatever_else_was_reported() -> None:
    pit = in_play("commission", "5", policy=UNATTENDED)
    pit.report(Fault.UNPROVIDED)
    events = pit.report(Fault.TECHNICAL)
    assert (pit.phase, pit.state.faults, pit.state.question) == (Phase.VOIDED, (), None)
    assert type(events[-1]) is e.RoundVoided


def test_another_dealing_error_is_still_asked_about_when_a_card_has_ended_a_round_without_bets() -> None:
    pit = Pit("commission")
    pit.open()
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    assert [one.question.fault for one in pit.told(e.QuestionPut)] == [Fault.OTHER_DEALING_ERROR] * 2
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert (pit.phase, pit.state.front) == (Phase.WITHOUT_BETS, read_cards("9"))


# ---- a round that is over ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "phase"),
    [(Edition.GUESTS_CONFIRM, Phase.VOIDED), (Edition.SECOND_READING, Phase.WITHOUT_BETS)],
)
def test_a_round_without_bets_was_recorded_as_void_before_the_second_reading(edition: Edition, phase: Phase) -> None:
    pit = in_play("commission", "5")
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.everyone(Election.RETURN)
    assert pit.phase is Phase.WITHOUT_BETS
    as_of(pit, edition)
    pit.report(Fault.DISPLAY)
    assert reported(pit).seen_in is phase


@pytest.mark.parametrize("edition", [Edition.GUESTS_CONFIRM, Edition.SECOND_READING])
def test_any_other_phase_is_recorded_as_it_is_in_every_edition(edition: Edition) -> None:
    pit = in_play("commission", "5")
    as_of(pit, edition)
    pit.report(Fault.DISPLAY)
    assert reported(pit).seen_in is Phase.DEALING


@pytest.mark.parametrize("betting", [False, True])
def test_5_11_a_card_too_many_in_an_earlier_round_is_only_recorded(betting: bool) -> None:
    pit = Pit("commission")
    for _ in range(2):
        pit.round({"ann": {"player": 100}}, "9 7 K 10")
    if betting:
        pit.open()
    number = pit.state.round - 1
    events = pit.staff(DEALER, c.Report(round=number, fault=Fault.EXCESS, cards=read_cards("9")))
    assert [type(event) for event in events] == [e.IrregularityReported, e.AlertRaised, e.FaultClosed]
    assert ({paragraph(event) for event in events[1:]}, pit.state.front) == ({"5.11"}, ())


def test_a_card_seen_after_a_void_waits_for_nothing_where_no_paragraph_provides_for_it() -> None:
    pit = in_play("super-six", "5 K")
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    assert (pit.phase, pit.state.front, pit.told(e.FaultClosed)[-1].logged_only) == (Phase.VOIDED, (), True)


@pytest.mark.parametrize(
    ("rules", "rule"),
    [
        ("", "1"),
        ('earlier_rounds_stand = "2"', "2"),
        ('foreign_card = { rule = "2" }', "1"),
        ('foreign_card = { rule = "2" }\nearlier_rounds_stand = "2"', "1"),
        ('foreign_card = { rule = "3" }\nearlier_rounds_stand = "2"', "2"),
    ],
)
def test_a_cause_noticed_late_cites_that_earlier_rounds_stand_if_the_document_says_so_of_all_causes(
    rules: str, rule: str
) -> None:
    pit = Pit("tiny", game=smallest(f'[irregularities]\ndeck_count = {{ rule = "1" }}\n{rules}'))
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.open()
    pit.staff(DEALER, c.Report(round=1, fault=Fault.DECK_COUNT))
    assert paragraph(pit.told(e.FaultClosed)[-1]) == rule


@pytest.mark.parametrize(("settled_too", "asked"), [("", False), (", settled_too = true", True)])
def test_a_wrong_number_of_cards_is_asked_about_in_the_round_and_after_it_where_the_document_says_so(
    settled_too: str, asked: bool
) -> None:
    game = smallest(f'[irregularities]\nwrong_number_of_cards = {{ rule = "1"{settled_too} }}')
    pit = in_play("tiny", "9 7", game=game)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    assert pit.phase is Phase.DECISION
    pit.rule(SHIFT, Choice.STANDS)
    pit.deal("K 10")
    pit.settle()
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    assert (pit.phase is Phase.DECISION) is asked
    assert pit.state.shoe is not None
    assert pit.state.shoe.in_service


def test_a_set_in_doubt_stays_while_a_round_that_was_settled_goes_on_from_it() -> None:
    pit = Pit("commission", decks=4)
    pit.round({"ann": {"player": 100}}, "KS KS KS KS 9 8")
    pit.claim("ann", Fault.WRONG_NUMBER_OF_CARDS, cards=read_cards("KS"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.state.in_round
    assert [one.fault for one in pit.told(e.FaultClosed)] == [Fault.WRONG_NUMBER_OF_CARDS, Fault.DECK_COUNT]
    assert pit.state.shoe is not None
    assert pit.state.shoe.in_service


def test_a_report_that_proves_unfounded_leaves_a_decided_round_decided() -> None:
    pit = in_play("commission", "5 K 5")
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
    pit.rule(SHIFT, Choice.CONCLUDE)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    assert pit.phase is Phase.DECISION
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert (pit.phase, pit.state.interrupted) == (Phase.DECIDED, None)


def test_a_round_settled_once_gives_no_options_any_more_since_the_second_reading() -> None:
    for edition, phase in ((Edition.GUESTS_CONFIRM, Phase.OPTIONS), (Edition.SECOND_READING, Phase.RESULT)):
        pit = Pit("commission")
        pit.round({"ann": {"player": 100}}, "9 7 K 10")
        as_of(pit, edition)
        pit.report(Fault.MISPAYMENT)
        pit.rule(SUPERVISOR, Choice.RESETTLE, cards=read_cards("9 7 K K"))
        assert pit.phase is Phase.RESULT
        pit.report(Fault.OTHER_DEALING_ERROR)
        pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
        assert pit.phase is phase


@pytest.mark.parametrize("edition", [Edition.GUESTS_CONFIRM, Edition.SECOND_READING])
def test_a_fault_noticed_after_settlement_gives_no_options_in_any_edition(edition: Edition) -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    as_of(pit, edition)
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.phase is Phase.RESULT


@pytest.mark.parametrize(("order_known", "phase"), [(False, Phase.OPTIONS), (True, Phase.DEALING)])
def test_an_order_that_the_supervisor_had_to_say_was_not_known(order_known: bool, phase: Phase) -> None:
    pit = in_play("commission", policy=Policy(simultaneous_options=SimultaneousOptions.ORDER_UNKNOWN))
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("5 K"), order_known=order_known)
    if not order_known:
        pit.rule(SUPERVISOR, Choice.ORDER, order=(1, 2))
    assert (pit.phase, pit.state.front) == (phase, read_cards("5 K"))


# ---- which causes still void -------------------------------------------------------------------------------------


def test_since_the_second_reading_the_house_takes_no_cause_away() -> None:
    pit = Pit("wu-song", policy=Policy(gap_void=(GapCause.DECK_COUNT,)))
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    as_of(pit, Edition.SECOND_READING)
    pit.report(Fault.FOREIGN_CARD)
    assert pit.phase is Phase.DECISION


def test_a_cause_that_a_short_document_had_no_room_for_voids_nothing_since_the_second_reading() -> None:
    """An earlier edition let the house add causes under any document."""
    pit = Pit("super-six")
    as_of(pit, Edition.GUESTS_CONFIRM)
    pit.staff(MANAGER, AT_ONCE)
    assert pit.state.setup is not None
    added = Policy(gap_void=(GapCause.FOREIGN_CARD,))
    pit.staff(MANAGER, c.OpenTable(setup=replace(pit.state.setup, policy=added)))
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    as_of(pit, Edition.SECOND_READING)
    pit.report(Fault.FOREIGN_CARD)
    assert (pit.phase, pit.purse("ann")) == (Phase.SETTLED, 100_100)


# ---- what the House decides --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "facts", "more"),
    [
        (Fault.SIMULTANEOUS, {"index": 1}, ()),
        (Fault.SIMULTANEOUS, {"cards": read_cards("9 8")}, (Choice.SET_ASIDE,)),
        (Fault.DECK_COUNT, {"cards": read_cards("9")}, ()),
        (Fault.MISDIRECTED, {"lies": {1: Side.BANKER, 2: Side.PLAYER}}, (Choice.AS_LYING,)),
    ],
)
def test_only_cards_that_are_out_of_the_shoe_can_be_set_aside(
    fault: Fault, facts: dict[str, object], more: tuple[Choice, ...]
) -> None:
    pit = in_play("super-six", "5 K")
    pit.report(fault, DEALER, **facts)
    assert pit.state.question is not None
    assert pit.state.question.choices == (Choice.CONTINUE, *more, Choice.VOID, Choice.RETURN_BETS)


@pytest.mark.parametrize("boxes", [0, 1])
def test_an_interruption_once_the_round_is_settled_leaves_nothing_to_play_out(boxes: int) -> None:
    """The dealer has still to take and pay a box, or has come to the last."""
    pit = in_play("super-six", "9 7 K 10")
    pit.staff(DEALER, c.Settle(round=1))
    if not boxes:
        pit.pay()
    pit.report(Fault.TECHNICAL)
    assert pit.state.question is not None
    assert pit.state.question.choices == (Choice.CONTINUE, Choice.VOID, Choice.RETURN_BETS)


@pytest.mark.parametrize(("note", "said"), [("power cut", "power cut"), ("", "technical")])
def test_an_interruption_is_recorded_once_with_its_cause(note: str, said: str) -> None:
    pit = in_play("commission", "5 K")
    pit.report(Fault.TECHNICAL, note=note)
    pit.report(Fault.TECHNICAL, note="and again")
    assert [one.cause for one in pit.told(e.RoundSuspended)] == [said]
    pit.rule(SUPERVISOR, Choice.DOES_NOT_AFFECT)
    assert (pit.phase, len(pit.told(e.RoundSuspended))) == (Phase.SUSPENDED, 1), "the other report is still open"
    pit.rule(SUPERVISOR, Choice.DOES_NOT_AFFECT)
    assert pit.phase is Phase.DEALING


def test_5_4_1_an_interruption_of_a_settled_round_has_an_outcome() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
    assert (pit.phase, paragraph(pit.told(e.FaultClosed)[-1])) == (Phase.SETTLED, "5.4.1")


def test_an_interruption_voids_no_settled_round_even_if_no_bet_has_won_or_lost() -> None:
    interruption = 'interruption = { rule = "1", established = "2", not_established = "3" }'
    pit = in_play("tiny", "9 9 K K", game=smallest(f"[irregularities]\n{interruption}"))
    pit.settle()
    assert not pit.state.held
    pit.report(Fault.TECHNICAL)
    pit.rule(SHIFT, Choice.AFFECTS)
    assert (pit.phase, paragraph(pit.told(e.FaultClosed)[-1])) == (Phase.SETTLED, "2")


@pytest.mark.parametrize("edition", [Edition.GUESTS_CONFIRM, Edition.SECOND_READING])
def test_5_4_1_an_established_round_goes_on_if_it_can_in_any_edition(edition: Edition) -> None:
    pit = in_play("commission", "5 K 5")
    as_of(pit, edition)
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.AFFECTS)
    assert (pit.phase, paragraph(pit.told(e.FaultClosed)[-1])) == (Phase.DEALING, "5.4.1")


@pytest.mark.parametrize("edition", [Edition.GUESTS_CONFIRM, Edition.SECOND_READING])
def test_since_the_second_reading_an_established_round_ends_by_what_is_established(edition: Edition) -> None:
    for key in ("commission", "super-six"):
        pit = in_play(key, "5 K 5")
        as_of(pit, edition)
        pit.report(Fault.TECHNICAL)
        if key == "commission":
            pit.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
        assert pit.state.question is not None
        assert (Choice.CONCLUDE in pit.state.question.choices) is (edition is Edition.SECOND_READING)


def test_only_the_report_that_was_ruled_on_is_closed() -> None:
    pit = in_play("commission", "5 K")
    pit.report(Fault.TECHNICAL)
    pit.report(Fault.UNPROVIDED)
    pit.rule(SUPERVISOR, Choice.DOES_NOT_AFFECT)
    assert [one.fault for one in pit.state.faults] == [Fault.UNPROVIDED]


def test_one_finding_answers_every_report_that_the_house_was_away_and_no_other() -> None:
    pit = in_play("commission", "5 K")
    for since in (0, 1, 0, 2):
        pit.staff(Role.SYSTEM, c.Report(round=1, fault=Fault.TECHNICAL, since=since))
    assert pit.state.question is not None
    assert pit.state.question.report == 1
    pit.rule(SUPERVISOR, Choice.DOES_NOT_AFFECT)
    assert [one.number for one in pit.state.faults] == [2, 3, 4]
    pit.rule(SUPERVISOR, Choice.DOES_NOT_AFFECT)
    assert [one.number for one in pit.state.faults] == [3], "the house was away twice"
    pit.rule(SUPERVISOR, Choice.DOES_NOT_AFFECT)
    assert pit.phase is Phase.DEALING


# ---- rulings -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [(1,), (1, 2, 3), (2, 3), (1, 1), ()])
@pytest.mark.parametrize("facts", [{"cards": read_cards("9 8")}, {"index": 2}])
def test_5_10_an_order_names_each_card_that_came_together_once(
    order: tuple[int, ...], facts: dict[str, object]
) -> None:
    pit = in_play("commission", "5 K 3")
    pit.report(Fault.SIMULTANEOUS, DEALER, **facts)
    wrong = c.Rule(question=1, choice=Choice.ORDER, order=order, reason="seen on the camera")
    assert pit.refused(SUPERVISOR, wrong) == (Reason.ORDER_WRONG, None)
    pit.rule(SUPERVISOR, Choice.ORDER, order=(2, 1))
    assert pit.hands["banker"] == ("K" if "cards" in facts else "3")


def test_a_ruling_answers_the_question_that_is_open_with_one_of_its_choices() -> None:
    pit = in_play("commission", "5 K")
    assert pit.refused(SUPERVISOR, c.Rule(question=0, choice=Choice.STANDS))[0] is Reason.NOT_HEARD_NOW
    pit.report(Fault.FOREIGN_CARD)
    assert pit.refused(SUPERVISOR, c.Rule(question=2, choice=Choice.STANDS))[0] is Reason.STALE_QUESTION
    assert pit.refused(SUPERVISOR, c.Rule(question=1, choice=Choice.CORRECT))[0] is Reason.CHOICE_NOT_OPEN


def test_only_a_decision_on_bets_names_bets() -> None:
    pit = in_play("super-six", "5 K 5")
    pit.report(Fault.TECHNICAL)
    one = c.BetTerms(owner="ann", bet="player", terms=c.Terms.RETURN, box=1)
    for choice, bets in ((Choice.CONCLUDE, (one,)), (Choice.DECIDE_BETS, ())):
        answer = c.Rule(question=1, choice=choice, reason="seen on the camera", bets=bets)
        assert pit.refused(SHIFT, answer)[0] is Reason.BETS_NAMED_WRONGLY


def test_anyone_of_the_house_ends_a_pause_and_decides_nothing_else() -> None:
    go_on = c.Rule(question=1, choice=Choice.CONTINUE)
    for who, key in ((DEALER, "super-six"), (SHIFT, "super-six"), (Role.SYSTEM, "non-commission-etg")):
        pit = in_play(key, "5")
        pit.report(Fault.TECHNICAL, SUPERVISOR)
        assert pit.refused("ann", go_on)[0] is Reason.NOT_AUTHORISED
        assert pit.refused(DEALER, replace(go_on, choice=Choice.VOID))[0] is Reason.NOT_AUTHORISED
        pit.staff(who, go_on)
        assert pit.phase is Phase.DEALING
    for key, fault in (("super-six", Fault.UNPROVIDED), ("commission", Fault.UNPROVIDED)):
        pit = in_play(key, "5")
        pit.report(fault)
        assert pit.refused(MANAGER, replace(go_on, reason="it flew off"))[0] is Reason.NOT_AUTHORISED, "it is no pause"
    established = in_play("commission", "5 K 5")
    established.report(Fault.TECHNICAL)
    established.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
    by_hand = c.Rule(question=2, choice=Choice.BY_HAND, reason="the shoe is dead")
    assert established.refused(MANAGER, by_hand)[0] is Reason.NOT_AUTHORISED


def test_the_rank_that_a_regulation_names_declares_the_void_and_decides_nothing_else() -> None:
    pit = at("super-six", overlay(cause("technical")), "5 K 5")
    pit.report(Fault.TECHNICAL)
    conclude = c.Rule(question=1, choice=Choice.CONCLUDE, reason="the shoe is dead")
    assert pit.refused(MANAGER, conclude)[0] is Reason.NOT_AUTHORISED
    assert pit.refused(SUPERVISOR, replace(conclude, choice=Choice.VOID))[0] is Reason.NOT_AUTHORISED
    pit.staff(DEALER, c.Rule(question=1, choice=Choice.CONTINUE))
    pit.report(Fault.UNPROVIDED)
    void = c.Rule(question=2, choice=Choice.VOID, reason="a bird on the table")
    assert pit.refused(MANAGER, void)[0] is Reason.NOT_AUTHORISED, "the regulation does not name it"


def test_where_the_document_provides_for_interruptions_none_is_a_pause() -> None:
    pit = in_play("commission", "5 K 5")
    as_of(pit, Edition.GUESTS_CONFIRM)
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
    go_on = c.Rule(question=2, choice=Choice.CONTINUE, reason="the power is back")
    assert pit.refused(SUPERVISOR, go_on) == (Reason.NOT_AUTHORISED, "5.17")
    pit.staff(SHIFT, go_on)


def test_a_regulation_is_cited_for_its_own_causes_only() -> None:
    pit = at("super-six", overlay(cause("technical")), "5 K")
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert paragraph(pit.told(e.RoundVoided)[-1]) == "5.1.1"


def test_a_report_under_a_regulation_that_proves_unfounded_cites_nothing() -> None:
    pit = at("super-six", overlay(cause("deck_count")), "5 K")
    pit.report(Fault.DECK_COUNT)
    pit.rule(MANAGER, Choice.STANDS)
    assert pit.told(e.FaultClosed)[-1].rule is None


@pytest.mark.parametrize(
    ("key", "fault", "asked_of", "rule"),
    [
        ("super-six", Fault.MISKEYED, SUPERVISOR, None),
        ("commission", Fault.MISKEYED, SUPERVISOR, "5.14"),
        ("super-six", Fault.OTHER_DEALING_ERROR, SHIFT, None),
        ("commission", Fault.MISPAYMENT, SHIFT, "5.17"),
        ("tiny", Fault.OTHER_DEALING_ERROR, SHIFT, None),
        ("tiny", Fault.MISKEYED, SHIFT, None),
    ],
)
def test_a_question_cites_the_paragraph_of_the_fault_or_of_who_decides(
    key: str, fault: Fault, asked_of: Role, rule: str | None
) -> None:
    pit = in_play(key, "5 K", game=smallest() if key == "tiny" else None)
    pit.report(fault)
    question = pit.state.question
    assert question is not None
    assert (question.asked_of, question.rule and question.rule.paragraph) == (asked_of, rule)


@pytest.mark.parametrize("declared_by", [SUPERVISOR, SHIFT])
def test_a_question_is_asked_of_the_lowest_rank_that_may_answer_it(declared_by: Role) -> None:
    decides = '[authority.decide_unprovided]\nfrom = "pit_manager"'
    pit = Pit("tiny", game=smallest(decides))
    assert pit.state.setup is not None
    carried = overlay(cause("technical", StaffRank(declared_by)))
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(pit.state.setup, overlay=carried)))
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.report(Fault.TECHNICAL)
    assert pit.state.question is not None
    assert pit.state.question.asked_of is (SUPERVISOR if declared_by is SUPERVISOR else MANAGER)


# ---- cards put right ---------------------------------------------------------------------------------------------


def test_a_card_said_to_lie_face_up_that_was_never_dealt_is_seen_by_nobody() -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1, 2, 3)
    pit.claim("ann", Fault.FACE_UP, index=3, cards=read_cards("9"))
    pit.report(Fault.MISKEYED)
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=(None, None))
    pit.rule(SUPERVISOR, Choice.CONFIRM)
    assert (pit.phase, pit.hands) == (Phase.DEALING, {"player": "?", "banker": "?"})
    assert pit.told(e.FaultClosed)[-1].logged_only


def test_5_9_whether_an_outcome_was_established_is_judged_when_the_card_was_seen() -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1, 2, 3)
    pit.turn({1: "9", 3: "K"})
    pit.claim("ann", Fault.FACE_UP, index=2, cards=read_cards("7"))
    assert reported(pit).established, "the Player's pair is lost"
    pit.report(Fault.SIMULTANEOUS, index=2)
    pit.rule(SUPERVISOR, Choice.ORDER, order=(2, 1))
    assert pit.hands == {"player": "9 ?", "banker": "K"}
    pit.rule(SUPERVISOR, Choice.CONFIRM)
    closed = pit.told(e.FaultClosed)[-1]
    assert (closed.fault, closed.grants_options) == (Fault.FACE_UP, False)


def test_5_5_2_a_card_that_the_decks_cannot_hold_is_reported_when_it_lies_face_up_by_mistake() -> None:
    pit = in_play("commission", decks=4, face_down=True)
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "KS", 2: "KS", 3: "KS", 4: "KS"})
    pit.hides(5)
    pit.report(Fault.FACE_UP, index=5, cards=read_cards("KS"))
    assert (reported(pit).fault, pit.phase) == (Fault.DECK_COUNT, Phase.DECISION)


@pytest.mark.parametrize(
    ("drawn", "cards", "grants", "rule"),
    [("5", "", True, "5.12"), ("5", "9", True, "5.7.1"), ("5 K 5", "", True, "5.12"), ("5 K 5", "9", False, "5.5.3")],
)
def test_the_options_after_a_wrong_number_of_cards_are_those_of_the_excess_if_there_was_one(
    drawn: str, cards: str, grants: bool, rule: str
) -> None:
    pit = in_play("commission", drawn)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS, cards=read_cards(cards))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    closed = pit.told(e.FaultClosed)[-1]
    assert (closed.grants_options, closed.logged_only, paragraph(closed)) == (grants, False, rule)


@pytest.mark.parametrize("given", [False, True])
def test_a_document_without_a_paragraph_on_options_gives_none(given: bool) -> None:
    rules = 'excess_or_exposed = { rule = "1", options = "3" }'
    if given:
        rules += '\noptions = { rule = "2", as_lying = "2", reconstructed = "2", returned = "2" }'
    pit = in_play("tiny", "5", game=smallest(f"[irregularities]\n{rules}"))
    pit.report(Fault.EXCESS, cards=read_cards("9"))
    pit.rule(SHIFT, Choice.RECONSTRUCT)
    closed = pit.told(e.FaultClosed)[-1]
    assert (closed.grants_options, paragraph(closed)) == ((True, "3") if given else (False, "1"))
    assert pit.phase is (Phase.OPTIONS if given else Phase.DEALING)


def test_true_cards_that_came_too_many_are_in_excess_only_where_the_document_knows_an_excess() -> None:
    for rules, rule in (("", None), ('excess_or_exposed = { rule = "1", options = "3" }', "1")):
        pit = in_play("tiny", "2 2 3 3 5", game=smallest(f"[irregularities]\n{rules}"))
        pit.report(Fault.MISKEYED)
        pit.rule(SHIFT, Choice.CORRECT, cards=read_cards("2 4 K 4 5"))
        assert (paragraph(pit.told(e.FaultClosed)[-1]), pit.state.front) == (rule, read_cards("5"))


def test_a_document_that_does_not_name_the_paragraph_of_reconstruction_cites_that_of_the_fault() -> None:
    for rules, rule in (("", "1"), ('reconstruction = "2"', "2")):
        excess = 'excess_or_exposed = { rule = "1", options = "3" }'
        pit = in_play("tiny", "5", game=smallest(f"[irregularities]\n{excess}\n{rules}"))
        pit.report(Fault.EXCESS, cards=read_cards("9"))
        pit.rule(SHIFT, Choice.RECONSTRUCT)
        assert paragraph(pit.told(e.CardsReconstructed)[-1]) == rule


@pytest.mark.parametrize(
    ("fault", "facts", "front"),
    [
        (Fault.SIMULTANEOUS, {"index": 1}, ""),
        (Fault.SIMULTANEOUS, {"cards": read_cards("9 8")}, "9 8"),
        (Fault.DECK_COUNT, {"cards": read_cards("9")}, ""),
    ],
)
def test_only_cards_that_came_out_of_the_shoe_wait_when_the_house_plays_on(
    fault: Fault, facts: dict[str, object], front: str
) -> None:
    pit = in_play("super-six", "5 K")
    pit.report(fault, DEALER, **facts)
    pit.rule(SHIFT, Choice.CONTINUE)
    assert (pit.phase, pit.state.front) == (Phase.DEALING, read_cards(front))
    assert len(pit.told(e.CardsOutOfTurn)) == bool(front)


def test_a_card_that_was_dealt_since_is_not_put_back_although_its_report_proves_unfounded() -> None:
    pit = in_play("commission", "5 K")
    pit.report(Fault.EXCESS, cards=read_cards("9"))
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT, cards=read_cards("5 K 9 4"))
    assert (pit.hands, pit.state.front) == ({"player": "5 9", "banker": "K"}, read_cards("4"))
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert pit.told(e.FaultClosed)[-1].put_back == ()
    assert pit.state.shoe is not None
    assert pit.state.shoe.left == 416 - 4


@pytest.mark.parametrize(
    ("edition", "settled", "order_known", "changed"),
    [
        (Edition.SECOND_READING, True, True, False),
        (Edition.SECOND_READING, True, False, True),
        (Edition.SECOND_READING, False, True, True),
        (Edition.GUESTS_CONFIRM, True, True, True),
    ],
)
def test_5_10_cards_of_a_settled_round_in_a_known_order_keep_their_places_since_the_second_reading(
    edition: Edition, settled: bool, order_known: bool, changed: bool
) -> None:
    pit = in_play("commission", "9 7 K 10")
    if settled:
        pit.settle()
    as_of(pit, edition)
    pit.report(Fault.SIMULTANEOUS, index=3, order_known=order_known)
    if not order_known:
        pit.rule(SUPERVISOR, Choice.ORDER, order=(1, 2))
    assert bool(pit.told(e.CardsReconstructed)) is changed
    assert bool(pit.told(e.SettlementReversed)) is (changed and settled)
