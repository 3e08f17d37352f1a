"""Between settlement and the next announcement: what still reaches the round, and what is only noted afterwards."""

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.money import Cents
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import irregularities, management
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.decide import Accepted, decide
from puntobanco.table.events import (
    AlertRaised,
    CardsCarriedOver,
    FaultClosed,
    OptionsOffered,
    QuestionPut,
    RoundVoided,
    SettlementReversed,
    ShoeWithdrawn,
)
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.setup import GapCause, Policy, Setup
from puntobanco.table.state import Phase, State
from tests.marks import rulebook, rulings
from tests.table.pit import AT_ONCE, DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, in_play, paragraph

LONG = ["commission", "wu-song"]
SHORT = ["super-six", "insurance"]
SWAPPED = {1: Side.BANKER, 2: Side.PLAYER}
UNPROVIDED = {"commission": "5.17", "wu-song": "5.18"}


def settled(key: str, **options: object) -> Pit:
    """Player has won 9 to 7: Ann is 100 up, Bob 100 down."""
    pit = Pit(key, **options)  # type: ignore[arg-type]
    pit.round({"ann": {"player": 100}, "bob": {"banker": 100}}, "9 7 K 10")
    return pit


def setup_of(pit: Pit) -> Setup:
    assert pit.state.setup is not None
    return pit.state.setup


# ---- cards misdirected -------------------------------------------------------------------------------------------


@rulings("FIN-9")
@rulebook({"commission": ["5.17"], "wu-song": ["5.18"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize(
    ("choice", "ann", "phase"),
    [
        (Choice.STANDS, 100_100, Phase.SETTLED),
        (Choice.VOID, 100_000, Phase.VOIDED),
        (Choice.RESETTLE, 99_900, Phase.RESULT),
    ],
)
def test_cards_that_lay_wrong_and_are_noticed_after_settlement_are_the_shift_managers(
    key: str, choice: Choice, ann: int, phase: Phase
) -> None:
    pit = settled(key)
    pit.report(Fault.MISDIRECTED, lies=SWAPPED)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    question = pit.told(QuestionPut)[-1].question
    assert (question.asked_of, question.choices) == (SHIFT, (Choice.STANDS, Choice.RESETTLE, Choice.VOID))
    assert question.rule is not None
    assert question.rule.paragraph == UNPROVIDED[key]
    assert pit.refused(SUPERVISOR, c.Rule(question=2, choice=choice, reason="x"))[0] is Reason.NOT_AUTHORISED
    pit.rule(SHIFT, choice)
    assert pit.phase is phase
    if phase is Phase.RESULT:
        assert pit.hands == {"player": "7 K", "banker": "9 10"}
        pit.settle()
    assert pit.purse("ann") == ann
    assert pit.told(OptionsOffered) == []


@rulings("OPT-7")
@pytest.mark.parametrize("key", LONG)
def test_cards_put_back_in_order_after_settlement_are_settled_anew_without_options(key: str) -> None:
    pit = settled(key)
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT, cards=read_cards("7 9 K 10"))
    assert (pit.phase, pit.purse("ann")) == (Phase.RESULT, 99_900)
    assert (len(pit.told(SettlementReversed)), pit.told(OptionsOffered)) == (1, [])
    pit.settle()
    assert pit.purse("ann") == 99_900


def test_another_dealing_error_after_settlement_that_cannot_be_put_right_goes_up() -> None:
    pit = settled("commission")
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    pit.rule(SHIFT, Choice.RESETTLE)
    pit.settle()
    assert pit.purse("ann") == 100_100, "the cards lie as they lay"


# ---- cards out of turn -------------------------------------------------------------------------------------------


@rulings("FIN-10")
@rulebook({"commission": ["5.7"], "wu-song": ["5.8"]}, by=irregularities.report)
@pytest.mark.parametrize(("key", "rule"), [("commission", "5.7"), ("wu-song", "5.8")])
@pytest.mark.parametrize("fault", [Fault.EXCESS, Fault.EXPOSED])
def test_a_card_that_comes_out_after_settlement_is_the_next_rounds_and_the_settlement_stands(
    key: str, rule: str, fault: Fault
) -> None:
    pit = settled(key)
    pit.player("ann", c.CashOut(person="ann", amount=100_100_00))
    pit.report(fault, cards=read_cards("4"))
    assert (pit.phase, pit.state.question, pit.state.owed) == (Phase.SETTLED, None, {})
    assert [paragraph(event) for event in pit.told(CardsCarriedOver)] == [rule]
    assert pit.refused(DEALER, c.OpenBetting()) == (Reason.EXPOSED_CARD_WAITS, rule)
    pit.open(acknowledge=True)
    pit.bet("bob", "player", 100)
    pit.close()
    pit.hides(1)
    assert pit.hands["player"] == "4"


def test_cards_drawn_together_after_settlement_wait_in_the_order_the_supervisor_says() -> None:
    pit = settled("commission")
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("5S KS"))
    pit.rule(SUPERVISOR, Choice.ORDER, order=(2, 1))
    assert (pit.phase, pit.state.front, pit.told(OptionsOffered)) == (Phase.SETTLED, read_cards("KS 5S"), [])


@pytest.mark.parametrize(("key", "rule"), [("commission", "5.7"), ("wu-song", "5.8")])
def test_a_card_seen_after_a_void_waits_in_front_of_the_shoe(key: str, rule: str) -> None:
    pit = in_play(key, "5")
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.AFFECTS)
    assert pit.phase is Phase.VOIDED
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    assert (pit.phase, pit.state.front) == (Phase.VOIDED, read_cards("9"))
    assert [paragraph(event) for event in pit.told(CardsCarriedOver)] == [rule]


# ---- the set of cards --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", library.GAMES)
def test_a_foreign_card_found_after_a_void_takes_the_set_out_of_service(key: str) -> None:
    pit = in_play(key, "5 K")
    pit.report(Fault.SHOE_EMPTY, who=SUPERVISOR)
    pit.rule(SUPERVISOR, Choice.STANDS)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS, who=SUPERVISOR)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert (pit.phase, pit.told(ShoeWithdrawn)) == (Phase.VOIDED, [])
    pit.report(Fault.FOREIGN_CARD, who=SUPERVISOR)
    assert [event.reason for event in pit.told(ShoeWithdrawn)] == ["foreign_card"]
    pit.report(Fault.FOREIGN_CARD, who=SUPERVISOR)
    assert len(pit.told(ShoeWithdrawn)) == 1, "it is already out"
    assert pit.refused(pit.dealer, c.OpenBetting())[0] is Reason.NO_SHOE


@rulings("IRR-17")
@pytest.mark.parametrize("key", ["commission", "super-six", "insurance"])
def test_a_foreign_card_in_the_gap_leaves_the_round_and_takes_the_set(key: str) -> None:
    pit = settled(key)
    pit.report(Fault.FOREIGN_CARD)
    assert (pit.phase, pit.purse("ann"), len(pit.told(ShoeWithdrawn))) == (Phase.SETTLED, 100_100, 1)


def test_a_player_alone_takes_no_set_out_of_service() -> None:
    pit = settled("commission")
    pit.player("cat", c.Report(round=1, fault=Fault.FOREIGN_CARD))
    assert pit.told(ShoeWithdrawn) == []
    voided = in_play("commission")
    voided.report(Fault.TECHNICAL)
    voided.rule(SUPERVISOR, Choice.AFFECTS)
    voided.claim("ann", Fault.FOREIGN_CARD)
    voided.claim("ann", Fault.EXPOSED, cards=read_cards("9"))
    assert (voided.told(ShoeWithdrawn), voided.state.front) == ([], ())


# ---- which causes still void -------------------------------------------------------------------------------------


@rulings("FIN-15")
@pytest.mark.parametrize(
    ("key", "causes", "stands", "rule"),
    [
        ("commission", None, True, "5.5"),
        ("commission", (GapCause.FOREIGN_CARD,), False, "5.5.1"),
        ("commission", (GapCause.DECK_COUNT,), True, "5.5"),
        ("wu-song", None, False, "5.5.1"),
        ("wu-song", (GapCause.DECK_COUNT,), False, "5.5.1"),
    ],
)
def test_the_house_may_add_causes_that_still_void_a_settled_round_and_takes_none_away(
    key: str, causes: tuple[GapCause, ...] | None, stands: bool, rule: str
) -> None:
    pit = settled(key, policy=Policy(gap_void=causes))
    pit.report(Fault.FOREIGN_CARD)
    if stands:
        assert paragraph(pit.told(FaultClosed)[-1]) == rule
    else:
        pit.rule(SUPERVISOR, Choice.VOID)
        assert paragraph(pit.told(RoundVoided)[-1]) == rule
    assert pit.purse("ann") == (100_100 if stands else 100_000)


@pytest.mark.parametrize("key", library.GAMES)
def test_a_policy_without_causes_takes_nothing_from_the_document(key: str) -> None:
    pit = settled(key, policy=Policy(gap_void=()))
    pit.report(Fault.WRONG_NUMBER_OF_CARDS, who=SUPERVISOR)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert (pit.phase, pit.purse("ann")) == (Phase.VOIDED, 100_000)


@rulings("FIN-15")
@rulebook(
    {"non-commission-etg": ["5.1.1", "5.1.2"], "super-six": ["5.1.1", "5.1.2"], "insurance": ["5.1.1", "5.1.2"]},
    by=management.open_table,
)
@pytest.mark.parametrize("key", ["non-commission-etg", *SHORT])
def test_a_short_document_leaves_no_room_to_add_causes(key: str) -> None:
    pit = settled(key)
    pit.staff(MANAGER, AT_ONCE)
    for causes in ((GapCause.FOREIGN_CARD,), (GapCause.WRONG_NUMBER_OF_CARDS, GapCause.SHOE_EMPTY)):
        wider = replace(setup_of(pit), policy=Policy(gap_void=causes))
        assert pit.refused(MANAGER, c.OpenTable(setup=wider)) == (Reason.GAP_VOID_FIXED, None)
    same = replace(setup_of(pit), policy=Policy(gap_void=(GapCause.WRONG_NUMBER_OF_CARDS,)))
    pit.staff(MANAGER, c.OpenTable(setup=same))


@pytest.mark.parametrize(
    ("key", "causes", "fault", "asked"),
    [
        ("super-six", (GapCause.FOREIGN_CARD,), Fault.FOREIGN_CARD, True),
        ("wu-song", (GapCause.DECK_COUNT,), Fault.FOREIGN_CARD, False),
        ("wu-song", None, Fault.FOREIGN_CARD, True),
        ("commission", (), Fault.WRONG_NUMBER_OF_CARDS, False),
    ],
)
def test_in_an_earlier_edition_the_house_named_all_the_causes(
    key: str, causes: tuple[GapCause, ...] | None, fault: Fault, asked: bool
) -> None:
    pit = settled(key)
    then = replace(setup_of(pit), policy=Policy(gap_void=causes))
    felt = Felt.of(pit.game, then, Edition.GUESTS_CONFIRM)
    opened = decide(felt, State(), c.OpenTable(setup=then), By("max", MANAGER, pit.now))
    assert isinstance(opened, Accepted)
    state = replace(pit.state, setup=then)
    answer = decide(felt, state, c.Report(round=1, fault=fault), By("sue", SUPERVISOR, pit.now))
    assert isinstance(answer, Accepted)
    assert (isinstance(answer.events[-1], QuestionPut)) is asked


def test_the_causes_are_a_closed_list() -> None:
    written = b'{"gap_void": ["nonsense"]}'
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(written, type=Policy)
    assert {cause.value for cause in GapCause} < {fault.value for fault in Fault}


@rulings("FIN-11")
@pytest.mark.parametrize("key", LONG)
def test_the_policy_does_not_change_while_the_last_round_may_still_be_voided(key: str) -> None:
    pit = settled(key)
    other = c.ChangeSetup(setup=replace(setup_of(pit), policy=Policy(gap_void=())))
    assert pit.refused(MANAGER, other) == (Reason.ROUND_NOT_FINAL, "3.4")
    layout = c.ChangeSetup(setup=replace(setup_of(pit), layout="B", boxes=1))
    assert pit.refused(MANAGER, layout) == (Reason.ROUND_NOT_FINAL, "3.4"), "its bets are the layout's"
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), minimum=Cents(200_00))))
    pit.staff(MANAGER, AT_ONCE)
    pit.staff(MANAGER, c.OpenTable(setup=replace(setup_of(pit), policy=Policy(gap_void=()))))
    assert setup_of(pit).policy.gap_void == ()


# ---- noticed later -----------------------------------------------------------------------------------------------


@rulebook({"commission": ["5.11"], "wu-song": ["5.6", "5.12"]}, by=irregularities.report)
@pytest.mark.parametrize(
    ("key", "fault", "rule", "alerts"),
    [
        ("commission", Fault.MISPAYMENT, "5.11", 1),
        ("commission", Fault.MISDIRECTED, "5.11", 1),
        ("commission", Fault.WRONG_NUMBER_OF_CARDS, "5.5", 0),
        ("commission", Fault.FACE_UP, "5.11", 1),
        ("wu-song", Fault.MISPAYMENT, "5.6", 0),
        ("wu-song", Fault.MISDIRECTED, "5.12", 0),
        ("wu-song", Fault.UNSHUFFLED, "5.6", 0),
        ("super-six", Fault.FOREIGN_CARD, "5.1.1", 0),
        ("super-six", Fault.DECK_COUNT, None, 1),
        ("insurance", Fault.UNSHUFFLED, None, 1),
        ("insurance", Fault.MISPAYMENT, None, 1),
        ("super-six", Fault.WRONG_NUMBER_OF_CARDS, "5.1.2", 0),
    ],
)
def test_a_fault_of_an_earlier_round_is_always_logged_and_touches_nothing(
    key: str, fault: Fault, rule: str | None, alerts: int
) -> None:
    pit = settled(key)
    pit.open()
    before = (pit.state.purses, pit.phase, pit.state.shoe)
    pit.staff(DEALER, c.Report(round=1, fault=fault, lies={9: Side.BANKER}))
    (closed,) = pit.told(FaultClosed)
    assert (closed.fault, closed.round, closed.logged_only, paragraph(closed)) == (fault, 1, True, rule)
    assert [alert.to for alert in pit.told(AlertRaised)] == [Role.SHIFT_MANAGER] * alerts
    assert (pit.state.purses, pit.phase, pit.state.shoe) == before
    assert pit.state.faults == ()


def test_an_interruption_in_the_gap_keeps_what_was_settled() -> None:
    pit = settled("commission")
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.AFFECTS)
    assert (pit.phase, pit.purse("ann")) == (Phase.SETTLED, 100_100)
    assert paragraph(pit.told(FaultClosed)[-1]) == "5.4.1"


def test_all_taking_their_bets_back_while_betting_is_open_does_not_end_the_round() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.everyone(Election.RETURN)
    assert (pit.phase, pit.purse("ann")) == (Phase.BETTING, 100_000)
    pit.bet("bob", "banker", 100)
    assert pit.state.bettors == ("bob",)
