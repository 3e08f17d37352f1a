"""Which reports are heard: all but those that describe no fault, from the first set of cards on."""

import pytest
from msgspec.structs import replace

from puntobanco.rules.cards import read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import dealing, irregularities, reversal
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.decide import Accepted, Refusal, decide
from puntobanco.table.events import (
    AlertRaised,
    FaultClosed,
    IrregularityReported,
    QuestionPut,
    SetWithdrawn,
    ShoeWithdrawn,
)
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.setup import InterruptionFinding, Policy, Source
from puntobanco.table.state import Phase, State
from tests.marks import rulebook, rulings
from tests.table.pit import AT_ONCE, DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, in_play, paragraph

LONG = ["commission", "wu-song"]
GAMES = [*LONG, "non-commission-etg", "super-six", "insurance"]


# ---- a report that describes no fault ----------------------------------------------------------------------------


@rulings("IRR-20")
@rulebook({"commission": ["5.8", "5.8.1"], "wu-song": ["5.9", "5.9.1"]}, by=irregularities.report)
@pytest.mark.parametrize(("key", "rule"), [("commission", "5.8"), ("wu-song", "5.9"), ("super-six", None)])
def test_a_card_that_lies_where_it_belongs_is_not_misdirected(key: str, rule: str | None) -> None:
    pit = in_play(key, "5 K")
    right = c.Report(round=1, fault=Fault.MISDIRECTED, lies={1: Side.PLAYER, 2: Side.BANKER})
    assert pit.refused(DEALER, right) == (Reason.NO_FAULT, rule)
    pit.report(Fault.MISDIRECTED, lies={1: Side.PLAYER, 2: Side.PLAYER})
    assert pit.phase is Phase.DECISION, "one of the cards does not lie where it belongs"


@pytest.mark.parametrize("key", LONG)
def test_a_card_where_it_belongs_may_still_have_gone_to_the_wrong_person(key: str) -> None:
    pit = in_play(key, "5 K")
    pit.report(Fault.MISDIRECTED, lies={1: Side.PLAYER}, to_person=True)
    assert pit.phase is Phase.DECISION


def test_an_earlier_edition_heard_of_cards_that_lie_where_they_belong() -> None:
    pit = in_play("commission", "5 K")
    assert pit.state.setup is not None
    felt = Felt.of(pit.game, pit.state.setup, Edition.GUESTS_CONFIRM)
    right = c.Report(round=1, fault=Fault.MISDIRECTED, lies={1: Side.PLAYER})
    assert not isinstance(decide(felt, pit.state, right, By("dora", DEALER, pit.now)), Refusal)


@rulings("IRR-20")
@rulebook({"commission": ["5.14", "5.5.2"], "wu-song": ["5.15", "5.5.2"]}, by=irregularities.report)
@pytest.mark.parametrize("key", LONG)
def test_more_cards_than_the_shoe_holds_by_the_record_are_a_wrong_count_of_the_decks(key: str) -> None:
    pit = in_play(key)
    assert pit.state.shoe is not None
    nearly_empty = replace(pit.state, shoe=replace(pit.state.shoe, left=1))
    two = c.Report(round=1, fault=Fault.EXCESS, cards=read_cards("5 K"))
    answer = decide(pit.felt, nearly_empty, two, By("dora", DEALER, pit.now))
    assert isinstance(answer, Accepted)
    told, asked = answer.events
    assert isinstance(told, IrregularityReported)
    assert (told.report.fault, told.report.cards, paragraph(told)) == (Fault.DECK_COUNT, two.cards, "5.5.2")
    assert isinstance(asked, QuestionPut)
    assert asked.question.choices == (Choice.VOID, Choice.STANDS)


@rulebook({"commission": ["5.5.3", "5.14"], "wu-song": ["5.5.3", "5.15"]}, by=irregularities.report)
@pytest.mark.parametrize("key", LONG)
def test_cards_on_the_felt_that_the_record_does_not_have_are_heard_before_the_first_is_recorded(key: str) -> None:
    pit = in_play(key)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS, cards=read_cards("5 K 3"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.phase is Phase.DEALING
    pit.hides(1, 2, 3)
    assert pit.hands == {"player": "5 3", "banker": "K"}


# ---- before the first round --------------------------------------------------------------------------------------


@rulings("IRR-21")
@rulebook({"commission": ["5.5.1", "5.5.2", "5.5.5"], "wu-song": ["5.5.1", "5.5.2", "5.5.5"]}, by=irregularities.report)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize(
    ("fault", "rule"), [(Fault.FOREIGN_CARD, "5.5.1"), (Fault.DECK_COUNT, "5.5.2"), (Fault.UNSHUFFLED, "5.5.5")]
)
def test_before_the_first_round_the_set_of_cards_may_be_reported(key: str, fault: Fault, rule: str) -> None:
    pit = Pit(key)
    events = pit.report(fault)
    assert [type(one) for one in events] == [IrregularityReported, FaultClosed, ShoeWithdrawn]
    assert {paragraph(one) for one in events} == {rule}, "no earlier round stands"
    assert pit.phase is Phase.IDLE
    assert pit.refused(DEALER, c.OpenBetting())[0] is Reason.NO_SHOE


@rulings("IRR-21")
@pytest.mark.parametrize("key", GAMES)
def test_before_the_first_round_only_the_set_of_cards_can_be_at_fault(key: str) -> None:
    pit = Pit(key)
    for fault in set(Fault) - {Fault.FOREIGN_CARD, Fault.DECK_COUNT, Fault.UNSHUFFLED, Fault.SHOE_EMPTY}:
        assert pit.refused(SUPERVISOR, c.Report(round=0, fault=fault))[0] is Reason.STALE_ROUND
    pit.player("ann", c.Report(round=0, fault=Fault.FOREIGN_CARD))
    assert pit.state.shoe is not None
    assert pit.state.shoe.in_service, "the word of a player takes nothing out of service"
    pit.report(Fault.FOREIGN_CARD, who=SUPERVISOR)
    assert not pit.state.shoe.in_service


def test_without_a_set_of_cards_there_is_nothing_to_report_before_the_first_round() -> None:
    pit = Pit("commission")
    empty = State(setup=pit.state.setup, phase=Phase.IDLE)
    answer = decide(pit.felt, empty, c.Report(round=0, fault=Fault.DECK_COUNT), By("dora", DEALER, pit.now))
    assert isinstance(answer, Refusal)
    assert answer.reason is Reason.NO_SHOE


def test_a_round_that_never_was_is_no_round_to_report_about() -> None:
    pit = in_play("commission")
    assert pit.refused(SHIFT, c.Report(round=0, fault=Fault.FOREIGN_CARD))[0] is Reason.STALE_ROUND


# ---- while the table is closed -----------------------------------------------------------------------------------

COUNTED = {"commission": "5.5.3", "wu-song": "5.5.3", "non-commission-etg": "5.1.2", "super-six": "5.1.2",
           "insurance": "5.1.2"}  # fmt: skip


def closed(key: str, cards: str = "9 7 K 10", **options: object) -> Pit:
    """Ann and Bob have bet 100 each, Ann on Player, and the table is closed after it."""
    pit = Pit(key, **options)  # type: ignore[arg-type]
    pit.round({"ann": {"player": 100}, "bob": {"banker": 100}}, cards)
    pit.staff(MANAGER, AT_ONCE)
    return pit


def reopened(pit: Pit, **changes: object) -> None:
    assert pit.state.setup is not None
    pit.staff(MANAGER, c.OpenTable(setup=replace(pit.state.setup, **changes)))


@rulings("FIN-12")
@rulebook(
    {
        "commission": ["5.5.3"], "wu-song": ["5.5.3", "5.6"], "non-commission-etg": ["5.1.2"], "super-six": ["5.1.2"],
        "insurance": ["5.1.2"],
    },
    by=irregularities.report,
)  # fmt: skip
@pytest.mark.parametrize(("key", "rule"), COUNTED.items())
def test_a_wrong_number_of_cards_voids_the_last_round_of_a_closed_table(key: str, rule: str) -> None:
    pit = closed(key)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS, who=SUPERVISOR)
    assert pit.refused(MANAGER, c.CloseTable())[0] is Reason.NOT_HEARD_NOW
    events = pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert rule in {paragraph(one) for one in events}
    assert (pit.phase, pit.purse("ann"), pit.purse("bob")) == (Phase.CLOSED, 100_000, 100_000)
    reopened(pit)
    assert pit.state.phase is Phase.VOIDED


@pytest.mark.parametrize("key", GAMES)
def test_what_is_unfounded_leaves_the_closed_table_as_it_was(key: str) -> None:
    pit = closed(key)
    before = pit.state
    pit.report(Fault.WRONG_NUMBER_OF_CARDS, who=SUPERVISOR)
    pit.rule(SUPERVISOR, Choice.STANDS)
    same = {"version", "reports", "questions", "interrupted_at"}
    changed = {one for one in State.__struct_fields__ if getattr(pit.state, one) != getattr(before, one)}
    assert changed <= same


@rulebook({"wu-song": ["5.5.2", "5.6"], "commission": ["5.5"]}, by=irregularities.report)
@pytest.mark.parametrize(("key", "phase"), [("wu-song", Phase.DECISION), ("commission", Phase.CLOSED)])
def test_a_count_of_the_set_at_closing_is_heard_and_reaches_the_last_round_where_the_document_says_so(
    key: str, phase: Phase
) -> None:
    pit = closed(key)
    pit.report(Fault.DECK_COUNT)
    assert pit.phase is phase
    if phase is Phase.DECISION:
        pit.rule(SUPERVISOR, Choice.VOID)
        assert pit.purse("ann") == 100_000
    assert pit.phase is Phase.CLOSED
    assert pit.state.shoe is not None
    assert not pit.state.shoe.in_service


@rulings("FIN-12")
def test_a_forgotten_card_is_drawn_and_the_round_settled_anew_on_a_closed_table() -> None:
    pit = closed("commission")
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE, cards=read_cards("2 A 3 A"))
    pit.deal("K K")
    pit.settle()
    assert (pit.phase, pit.state.in_gap) == (Phase.CLOSED, True)


@rulings("FIN-12")
@rulebook({"super-six": ["3.8"], "insurance": ["3.9"]}, by=dealing.settle_round)
@pytest.mark.parametrize("key", ["super-six", "insurance"])
def test_a_tie_settled_anew_on_a_closed_table_holds_no_stake(key: str) -> None:
    pit = closed(key)
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE, cards=read_cards("9 9 K 10"))
    pit.settle()
    assert pit.phase is Phase.CLOSED
    assert (pit.purse("ann"), pit.purse("bob"), pit.state.in_play) == (100_000, 100_000, 0)


def test_a_shoe_that_runs_out_over_the_last_round_of_a_closed_table_closes_it_again() -> None:
    pit = closed("commission", "6 3 K 4")
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE, cards=read_cards("2 A 3 A"))
    assert pit.state.shoe is not None
    empty = replace(pit.state, shoe=replace(pit.state.shoe, left=0))
    draw = c.DrawCard(round=1, index=5, card=read_cards("9")[0])
    answer = decide(pit.felt, empty, draw, By("dora", DEALER, pit.now))
    assert isinstance(answer, Accepted)
    assert answer.state is not None
    assert (answer.state.phase, answer.state.closed_in) == (Phase.CLOSED, Phase.VOIDED)


@rulings("FIN-13")
@pytest.mark.parametrize("key", LONG)
def test_the_last_round_is_judged_by_the_set_up_it_was_played_under(key: str) -> None:
    """Another finding, another layout and other decks come with the next announcement."""
    pit = closed(key)
    other = pit.game.layouts[1]
    policy = Policy(interruption_finding=InterruptionFinding.AUTOMATIC)
    reopened(pit, policy=policy, layout=other.key, boxes=other.most_boxes, decks=6)
    assert (pit.phase, pit.state.in_gap) == (Phase.SETTLED, True)
    pit.report(Fault.TECHNICAL)
    assert pit.phase is Phase.SUSPENDED, "somebody of the pit finds, as when the round was played"
    pit.rule(SUPERVISOR, Choice.DOES_NOT_AFFECT)
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE, cards=read_cards("2 A 3 A"))
    eight = c.LoadShoe(shoe="two", decks=8, shuffled=True, source=Source.KEYBOARD, reason="the last was withdrawn")
    pit.staff(SHIFT, eight)
    pit.deal("K K")
    pit.settle()
    assert pit.state.plays_under is pit.state.setup
    assert pit.state.setup is not None
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(pit.state.setup, policy=Policy())))
    six = c.LoadShoe(shoe="three", decks=6, shuffled=True, source=Source.KEYBOARD, reason="as set")
    pit.staff(SUPERVISOR, six)
    pit.felt = Felt.of(pit.game, pit.state.setup)
    assert pit.state.played is not None
    assert pit.felt.under(pit.state.played) is pit.felt.under(pit.state.played)
    pit.open()
    assert pit.state.played is None


def test_a_table_closed_by_an_earlier_edition_has_no_round_to_judge() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    assert pit.state.setup is not None
    felt = Felt.of(pit.game, pit.state.setup, Edition.GUESTS_CONFIRM)
    answer = decide(felt, pit.state, c.CloseTable(), By("max", MANAGER, pit.now))
    assert isinstance(answer, Accepted)
    assert answer.state is not None
    assert (answer.state.in_gap, answer.state.settled, answer.state.stakes) == (False, (), {})
    again = decide(felt, answer.state, c.OpenTable(setup=pit.state.setup), By("max", MANAGER, pit.now))
    assert isinstance(again, Accepted)
    assert again.state is not None
    assert again.state.phase is Phase.IDLE


# ---- the set of cards a report is about --------------------------------------------------------------------------


def load(name: str) -> c.LoadShoe:
    return c.LoadShoe(shoe=name, decks=8, shuffled=True, source=Source.KEYBOARD, reason="worn")


def replaced_after_settlement(key: str) -> Pit:
    """The last round was dealt from the set "one", and "two" is in use since."""
    pit = Pit(key)
    pit.round({"ann": {"player": 100}, "bob": {"banker": 100}}, "9 7 K 10")
    pit.staff(SUPERVISOR, load("two"))
    return pit


def in_service(pit: Pit) -> bool:
    assert pit.state.shoe is not None
    return pit.state.shoe.in_service


@rulings("IRR-23")
@rulebook({"wu-song": ["5.5.1", "5.5.2", "5.5.5", "5.6"]}, by=irregularities.report)
@pytest.mark.parametrize("fault", irregularities.ABOUT_THE_SET)
def test_no_round_dealt_from_another_set_is_void(fault: Fault) -> None:
    pit = replaced_after_settlement("wu-song")
    assert pit.refused(DEALER, c.Report(round=1, fault=fault))[0] is Reason.SET_UNCLEAR
    pit.report(fault, shoe="two")
    assert (pit.phase, pit.purse("ann"), in_service(pit)) == (Phase.SETTLED, 100_100, False)
    assert pit.told(SetWithdrawn) == []


@rulings("IRR-23")
@rulebook({"wu-song": ["5.5.1", "5.6"]}, by=reversal.void)
def test_only_the_set_that_was_reported_leaves_service() -> None:
    pit = replaced_after_settlement("wu-song")
    pit.report(Fault.FOREIGN_CARD, shoe="one")
    pit.rule(SUPERVISOR, Choice.VOID)
    assert (pit.phase, pit.purse("ann"), in_service(pit)) == (Phase.VOIDED, 100_000, True)
    (withdrawn,) = pit.told(SetWithdrawn)
    assert (withdrawn.shoe, withdrawn.reason, paragraph(withdrawn)) == ("one", Fault.FOREIGN_CARD, "5.5.1")


@rulebook({"commission": ["5.5"]}, by=irregularities.report)
def test_a_set_that_is_no_longer_in_use_leaves_service_where_the_round_stands() -> None:
    pit = replaced_after_settlement("commission")
    pit.report(Fault.DECK_COUNT, shoe="one")
    assert (pit.phase, pit.purse("ann"), in_service(pit)) == (Phase.SETTLED, 100_100, True)
    assert [one.shoe for one in pit.told(SetWithdrawn)] == ["one"]


@pytest.mark.parametrize("key", GAMES)
def test_a_set_the_round_is_not_dealt_from_leaves_the_round_alone(key: str) -> None:
    pit = in_play(key, "5 K")
    pit.report(Fault.FOREIGN_CARD, who=SUPERVISOR, shoe="zero")
    assert (pit.phase, in_service(pit)) == (Phase.DEALING, True)
    assert [one.shoe for one in pit.told(SetWithdrawn)] == ["zero"]
    pit.claim("ann", Fault.FOREIGN_CARD, shoe="nought")
    assert pit.phase is Phase.DEALING
    assert [one.to for one in pit.told(AlertRaised)] == [Role.DEALER]
    assert len(pit.told(SetWithdrawn)) == 1, "the word of a player takes nothing out of service"
    pit.report(Fault.FOREIGN_CARD, who=SUPERVISOR, shoe="one")
    pit.rule(SUPERVISOR, Choice.VOID)
    assert (pit.state.phase, in_service(pit)) == (Phase.VOIDED, False)


@rulings("IRR-23")
@rulebook({"commission": ["5.5.1", "5.10.2"], "wu-song": ["5.5.1", "5.11.2"]}, by=reversal.void)
@pytest.mark.parametrize("key", LONG)
def test_a_round_dealt_from_two_sets_is_void_for_either_and_only_that_set_goes(key: str) -> None:
    pit = in_play(key)
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("5 K"))
    pit.rule(SUPERVISOR, Choice.ORDER, order=(1, 2))
    pit.everyone()
    pit.staff(SUPERVISOR, load("two"))
    assert pit.state.dealt_from == ("one", "two")
    pit.report(Fault.FOREIGN_CARD, shoe="one")
    pit.report(Fault.DECK_COUNT, shoe="two")
    pit.rule(SUPERVISOR, Choice.VOID)
    assert [one.shoe for one in pit.told(SetWithdrawn)] == ["one"]
    assert pit.told(ShoeWithdrawn)[-1].reason == Fault.DECK_COUNT


def test_a_set_that_gave_no_card_is_none_the_round_is_dealt_from() -> None:
    pit = in_play("commission")
    pit.staff(SHIFT, load("two"))
    assert pit.state.dealt_from == ("two",)


def test_a_set_brought_in_for_a_round_that_is_settled_anew_counts_once_a_card_came_from_it() -> None:
    pit = replaced_after_settlement("commission")
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE, cards=read_cards("2 A 3 A"))
    before = pit.state
    pit.report(Fault.FOREIGN_CARD, shoe="two")
    assert (pit.phase, in_service(pit)) == (Phase.DEALING, False), "it gave no card yet, and goes"
    drawn = decide(pit.felt, before, c.DrawCard(round=1, index=5, card=read_cards("K")[0]), By("dora", DEALER, pit.now))
    assert isinstance(drawn, Accepted)
    assert drawn.state is not None
    assert drawn.state.dealt_from == ("one", "two")


def test_in_an_earlier_edition_a_report_was_about_the_last_round_whatever_the_set() -> None:
    pit = replaced_after_settlement("wu-song")
    assert pit.state.setup is not None
    felt = Felt.of(pit.game, pit.state.setup, Edition.GUESTS_CONFIRM)
    unnamed = c.Report(round=1, fault=Fault.FOREIGN_CARD)
    answer = decide(felt, pit.state, unnamed, By("dora", DEALER, pit.now))
    assert isinstance(answer, Accepted)
    assert isinstance(answer.events[-1], QuestionPut)


def test_a_set_that_was_never_in_use_may_be_reported_before_the_first_round() -> None:
    pit = Pit("commission")
    pit.report(Fault.DECK_COUNT, shoe="zero")
    assert in_service(pit)
    empty = State(setup=pit.state.setup, phase=Phase.IDLE)
    named = c.Report(round=0, fault=Fault.DECK_COUNT, shoe="zero")
    never = decide(pit.felt, State(), named, By("dora", DEALER, pit.now))
    assert isinstance(never, Refusal), "a table that was never opened has no set of cards"
    answer = decide(pit.felt, empty, named, By("dora", DEALER, pit.now))
    assert isinstance(answer, Accepted)
    assert isinstance(answer.events[-1], SetWithdrawn)
