"""Irregularities at a table: what each document makes of each, and who has to decide it."""

import pytest
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.cards import read_card, read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import irregularities, options, reversal
from puntobanco.table.authority import By
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.decide import Accepted, decide
from puntobanco.table.events import FaultClosed, OptionsOffered, RoundVoided, ShoeWithdrawn
from puntobanco.table.setup import InterruptionFinding, Policy
from puntobanco.table.state import Phase
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, MANAGER, SHIFT, STAFF, SUPERVISOR, Pit, in_play

LONG = ["commission", "wu-song"]
SHORT = ["non-commission-etg", "super-six", "insurance"]


def betting(key: str, **options: object) -> Pit:
    """A closed round with a Player and a Banker bet, ready to deal."""
    pit = Pit(key, **options)  # type: ignore[arg-type]
    pit.open()
    pit.bet("ann", "player", 100)
    pit.bet("bob", "banker", 200)
    pit.close()
    return pit


def refunded(pit: Pit) -> bool:
    return all(cents == 100_000_00 for cents in pit.state.purses.values())


def voided_by(pit: Pit) -> str | None:
    event = next(event for event in reversed(pit.events) if isinstance(event, RoundVoided))
    return event.rule.paragraph if event.rule else None


# ---- interruption ------------------------------------------------------------------------------------------------


@rulings("TEC-3")
@rulebook({"commission": ["5.4", "5.4.2", "5.15"], "wu-song": ["5.4", "5.4.2", "5.16"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize("cards", ["", "5", "5 K"])
def test_5_4_2_an_interruption_before_any_outcome_voids_and_refunds(key: str, cards: str) -> None:
    pit = betting(key)
    pit.deal(cards)
    pit.report(Fault.TECHNICAL)
    assert pit.refused(DEALER, c.Rule(question=1, choice=Choice.AFFECTS))[0] is Reason.NOT_AUTHORISED
    pit.rule(SUPERVISOR, Choice.AFFECTS)
    assert pit.phase is Phase.VOIDED
    assert voided_by(pit) == "5.4.2"
    assert refunded(pit)


@rulings("TEC-3")
@rulebook({"commission": ["5.4", "5.4.1"], "wu-song": ["5.4", "5.4.1"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
def test_5_4_1_an_interruption_after_an_established_outcome_is_played_on(key: str) -> None:
    pit = betting(key)
    pit.deal("5 K 5")
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.AFFECTS)
    assert pit.phase is Phase.DEALING
    pit.deal("9")
    pit.settle()
    assert pit.purse("ann") == 99_900


@pytest.mark.parametrize("key", LONG)
def test_5_4_an_interruption_that_does_not_affect_the_round_resumes_where_it_was(key: str) -> None:
    pit = betting(key)
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.DOES_NOT_AFFECT)
    assert pit.phase is Phase.DEALING
    unattended = betting(key, policy=Policy(interruption_finding=InterruptionFinding.AUTOMATIC))
    unattended.report(Fault.TECHNICAL)
    assert unattended.phase is Phase.VOIDED


@rulings("TEC-5")
@pytest.mark.parametrize("key", SHORT)
def test_without_a_paragraph_an_interruption_is_a_pause_or_a_recorded_decision(key: str) -> None:
    pit = betting(key)
    pit.deal("5")
    pit.report(Fault.TECHNICAL, who=SUPERVISOR)
    pit.rule(SUPERVISOR, Choice.CONTINUE)
    assert pit.phase is Phase.DEALING
    pit.report(Fault.TECHNICAL, who=SUPERVISOR)
    void = c.Rule(question=pit.state.questions, choice=Choice.VOID, reason="the shoe is dead")
    assert pit.refused(MANAGER, void)[0] is Reason.NOT_AUTHORISED
    assert pit.refused(SHIFT, c.Rule(question=pit.state.questions, choice=Choice.VOID))[0] is Reason.REASON_MISSING
    pit.rule(SHIFT, Choice.VOID)
    assert (pit.phase, voided_by(pit)) == (Phase.VOIDED, None)
    assert refunded(pit)


# ---- causes that void --------------------------------------------------------------------------------------------


@rulings("IRR-5")
@rulebook(
    {
        "commission": ["5.5", "5.5.1"],
        "wu-song": ["5.5", "5.5.1"],
        "non-commission-etg": ["5.1", "5.1.1"],
        "super-six": ["5.1", "5.1.1"],
        "insurance": ["5.1", "5.1.1"],
    },
    by=reversal.void,
)
@pytest.mark.parametrize("key", library.GAMES)
def test_a_foreign_card_voids_the_round_whatever_is_decided_and_withdraws_the_shoe(key: str) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    won = pit.purse("ann")
    pit.open()
    pit.bet("ann", "player_pair", 100)
    pit.close()
    pit.deal("5 K 5 3")
    pit.report(Fault.FOREIGN_CARD, who=SUPERVISOR)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert voided_by(pit) == ("5.5.1" if key in LONG else "5.1.1")
    assert pit.purse("ann") == won
    assert any(isinstance(event, ShoeWithdrawn) for event in pit.events)
    assert pit.refused(pit.dealer, c.OpenBetting())[0] is Reason.NO_SHOE


@rulebook({"commission": ["5.5.2"], "wu-song": ["5.5.2"]}, by=irregularities.report_impossible_card)
@pytest.mark.parametrize("key", LONG)
def test_5_5_2_the_machine_catches_a_card_that_the_decks_cannot_hold(key: str) -> None:
    pit = betting(key, decks=4)
    pit.deal("AS AS AS AS")
    pit.deal("AS")
    assert pit.phase is Phase.DECISION
    pit.rule(SUPERVISOR, Choice.VOID)
    assert voided_by(pit) == "5.5.2"


@rulebook(
    {
        "commission": ["5.5.4"],
        "wu-song": ["5.5.4"],
        "non-commission-etg": ["5.1.3"],
        "super-six": ["5.1.3"],
        "insurance": ["5.1.3"],
    },
    by=irregularities.void_for_empty_shoe,
)
@pytest.mark.parametrize("key", library.GAMES)
def test_an_empty_shoe_voids_without_anybody_deciding(key: str) -> None:
    pit = Pit(key, decks=4)
    assert pit.state.shoe is not None
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    state = replace(pit.state, shoe=replace(pit.state.shoe, left=2, last_round=True))
    by, card = By(STAFF[pit.dealer], pit.dealer, pit.now), read_cards("2")[0]
    events: list[object] = []
    for index in (1, 2, 3):
        answer = decide(pit.felt, state, c.DrawCard(round=1, index=index, card=card), by)
        assert isinstance(answer, Accepted)
        assert answer.state is not None
        state = answer.state
        events += answer.events
    voided = next(event for event in events if isinstance(event, RoundVoided))
    assert voided.rule is not None
    assert voided.rule.paragraph == ("5.5.4" if key in LONG else "5.1.3")
    assert state.purses["ann"] == 100_000_00


# ---- cards out of order ------------------------------------------------------------------------------------------


@rulings("REJ-8")
@rulebook({"commission": ["5.7", "5.7.1"], "wu-song": ["5.8", "5.8.1"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
def test_an_excess_card_after_an_established_outcome_waits_for_the_next_round(key: str) -> None:
    pit = betting(key)
    pit.deal("2 3 4 3")
    assert pit.phase is Phase.RESULT
    pit.report(Fault.EXCESS, cards=read_cards("9"))
    no_reason = c.Rule(question=1, choice=Choice.RECONSTRUCT)
    if key == "wu-song":
        assert pit.refused(SUPERVISOR, no_reason) == (Reason.REASON_MISSING, "5.8")
    assert pit.refused(DEALER, no_reason)[0] is Reason.NOT_AUTHORISED
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.phase is Phase.RESULT
    pit.settle()
    assert pit.state.front == read_cards("9")
    assert pit.refused(DEALER, c.OpenBetting())[0] is Reason.EXPOSED_CARD_WAITS
    pit.open(acknowledge=True)
    pit.bet("ann", "player", 100)
    pit.close()
    pit.staff(DEALER, c.DrawCard(round=2, index=1))
    assert pit.state.seen_in_order == {1: 9}


@rulebook(
    {"commission": ["5.7.1", "5.12", "5.12.2", "5.12.3"], "wu-song": ["5.8.1", "5.13", "5.13.2", "5.13.3"]},
    by=(options.elect, irregularities.close_options),
)
@pytest.mark.parametrize("key", LONG)
def test_an_exposed_card_before_any_outcome_gives_everyone_the_options(key: str) -> None:
    pit = betting(key)
    pit.deal("5")
    pit.report(Fault.EXPOSED, cards=read_cards("7"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.phase is Phase.OPTIONS
    question = pit.state.questions
    assert pit.refused(DEALER, c.DrawCard(round=1, index=2))[0] is Reason.NOT_HEARD_NOW
    assert pit.refused("cat", c.Elect(question=question, election=Election.RETURN))[0] is Reason.NOT_IN_OPTIONS
    pit.player("ann", c.Elect(question=question, election=Election.RETURN))
    assert pit.refused(DEALER, c.CloseOptions(question=question))[0] is Reason.OPTIONS_RUNNING
    pit.now += 31_000
    pit.staff(DEALER, c.CloseOptions(question=question))
    assert pit.purse("ann") == 100_000
    assert pit.refused("bob", c.Elect(question=question, election=Election.RETURN))[0] is Reason.NOT_HEARD_NOW
    pit.staff(DEALER, c.DrawCard(round=1, index=2))
    pit.deal("K 2")
    pit.settle()
    assert pit.purse("bob") == (100_190 if key == "commission" else 100_200)


@rulebook({"commission": ["5.8", "5.8.1", "5.8.2"], "wu-song": ["5.9", "5.9.1", "5.9.2"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize("to_person", [False, True])
def test_misdirected_cards_are_put_back_and_options_depend_on_an_established_outcome(key: str, to_person: bool) -> None:
    swapped = {1: Side.BANKER, 2: Side.PLAYER}
    early = betting(key)
    early.deal("5 K")
    early.report(Fault.MISDIRECTED, lies=swapped, to_person=to_person)
    early.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert early.phase is Phase.OPTIONS
    late = betting(key)
    late.deal("5 K 4 3")
    late.report(Fault.MISDIRECTED, lies=swapped, to_person=to_person)
    late.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert late.phase is Phase.RESULT
    lost = betting(key)
    lost.deal("5 K 4 3")
    lost.report(Fault.MISDIRECTED, lies=swapped, to_person=to_person)
    lost.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    offered = lost.events[-2:]
    assert any(isinstance(event, OptionsOffered) for event in offered)
    assert lost.phase is Phase.OPTIONS


@rulebook(
    {
        "commission": ["5.5.3"],
        "wu-song": ["5.5.3"],
        "non-commission-etg": ["5.1.2"],
        "super-six": ["5.1.2"],
        "insurance": ["5.1.2"],
    },
    by=irregularities.rule,
)
@pytest.mark.parametrize("key", library.GAMES)
def test_a_wrong_number_of_cards_that_cannot_be_put_right_voids_even_a_settled_round(key: str) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}, "bob": {"banker": 200}}, "9 7 K 10")
    pit.report(Fault.WRONG_NUMBER_OF_CARDS, who=SUPERVISOR)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert voided_by(pit) == ("5.5.3" if key in LONG else "5.1.2")
    assert refunded(pit)


@rulings("REC-8")
@rulebook({"commission": ["5.9"], "wu-song": ["5.10"]}, by=irregularities.report)
@pytest.mark.parametrize("key", LONG)
def test_a_card_face_up_by_mistake_keeps_its_place(key: str) -> None:
    pit = betting(key, face_down=True)
    pit.staff(DEALER, c.DrawCard(round=1, index=1))
    pit.report(Fault.FACE_UP, index=1, cards=read_cards("7"))
    assert pit.phase is Phase.OPTIONS
    assert pit.state.seen_in_order == {1: 7}
    both = betting(key, face_down=True)
    for index in (1, 2, 3):
        both.staff(DEALER, c.DrawCard(round=1, index=index))
    both.staff(DEALER, c.ExposeCard(round=1, index=1, card=read_cards("7")[0]))
    both.report(Fault.FACE_UP, index=3, cards=read_cards("2"))
    assert both.phase is Phase.DEALING


@rulings("IRR-22")
@rulebook({"commission": ["5.9", "5.12"], "wu-song": ["5.10", "5.13"]}, by=irregularities.report)
@pytest.mark.parametrize("key", LONG)
def test_several_cards_face_up_are_one_report_and_one_set_of_options(key: str) -> None:
    pit = in_play(key, face_down=True)
    pit.hides(1, 2, 3, 4)
    events = pit.report(Fault.FACE_UP, index=2, cards=(read_card("7"), read_card("9")))
    assert [type(one).__name__ for one in events] == [
        "IrregularityReported", "CardExposed", "CardExposed", "FaultClosed", "OptionsOffered",
    ]  # fmt: skip
    assert pit.hands == {"player": "? 9", "banker": "7 ?"}
    pit.everyone()
    assert pit.phase is Phase.DEALING


@rulings("IRR-22")
@rulebook({"commission": ["5.9"], "wu-song": ["5.10"]}, by=irregularities.report)
@pytest.mark.parametrize("key", LONG)
def test_whether_an_outcome_is_established_is_judged_on_all_cards_that_lie_face_up(key: str) -> None:
    pit = in_play(key, face_down=True)
    pit.hides(1, 2, 3)
    pit.report(Fault.FACE_UP, index=1, cards=(read_card("9"), None, read_card("K")))
    assert (pit.phase, pit.hands) == (Phase.DEALING, {"player": "9 K", "banker": "?"}), "the Player's pair is decided"
    up = c.Report(round=1, fault=Fault.FACE_UP, index=1, cards=(read_card("9"), read_card("7")))
    assert pit.refused(DEALER, up)[0] is Reason.ALREADY_EXPOSED
    for cards in ((None, read_card("7")), (read_card("7"), None), ()):
        assert pit.refused(DEALER, replace(up, index=2, cards=cards))[0] is Reason.REPORT_INCOMPLETE


def test_a_claim_of_several_cards_face_up_is_one_question() -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1, 2)
    pit.claim("ann", Fault.FACE_UP, index=1, cards=read_cards("9S 9S"))
    assert pit.hands == {"player": "?", "banker": "?"}
    pit.rule(SUPERVISOR, Choice.CONFIRM)
    assert (pit.phase, pit.hands) == (Phase.OPTIONS, {"player": "9♠", "banker": "9♠"})
    assert pit.state.questions == 2, "one to the House, one to the players"


@rulebook({"commission": ["5.10", "5.10.1", "5.10.2"], "wu-song": ["5.11", "5.11.1", "5.11.2"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
def test_the_order_of_cards_drawn_together_is_the_pit_supervisors_and_options_follow(key: str) -> None:
    pit = betting(key)
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("5 K"))
    order = c.Rule(question=1, choice=Choice.ORDER, order=(2, 1), reason="by lot")
    assert pit.refused(DEALER, order)[0] is Reason.NOT_AUTHORISED
    assert pit.refused(SUPERVISOR, c.Rule(question=1, choice=Choice.ORDER, order=(1, 1)))[0] is Reason.ORDER_WRONG
    pit.staff(SUPERVISOR, order)
    assert pit.phase is Phase.OPTIONS
    assert pit.state.front == read_cards("K 5")
    pit.now += 31_000
    pit.staff(DEALER, c.CloseOptions(question=pit.state.questions))
    pit.staff(DEALER, c.DrawCard(round=1, index=1))
    pit.staff(DEALER, c.DrawCard(round=1, index=2))
    assert pit.state.seen_in_order == {1: 13, 2: 5}
    assert pit.refused(DEALER, c.WithdrawShoe(reason="stuck"))[0] is Reason.NOT_AUTHORISED
    pit.staff(SUPERVISOR, c.WithdrawShoe(reason="stuck"))


@rulebook({"commission": ["5.12", "5.12.1"], "wu-song": ["5.13", "5.13.1"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
def test_any_other_dealing_error_always_gives_the_options(key: str) -> None:
    pit = betting(key)
    pit.deal("5 K 4 3")
    pit.report(Fault.OTHER_DEALING_ERROR, note="a card was bent")
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    offered = next(event for event in reversed(pit.events) if isinstance(event, OptionsOffered))
    assert offered.continues_by.paragraph == ("5.12.1" if key == "commission" else "5.13.1")


@rulebook({"commission": ["5.11"], "wu-song": ["5.12", "5.6"]}, by=irregularities.report)
@pytest.mark.parametrize("key", library.GAMES)
def test_what_is_noticed_in_a_later_round_touches_nothing(key: str) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.open()
    before = pit.state
    pit.staff(SUPERVISOR, c.Report(round=1, fault=Fault.OTHER_DEALING_ERROR))
    pit.staff(SUPERVISOR, c.Report(round=1, fault=Fault.FOREIGN_CARD))
    assert (pit.state.purses, pit.phase) == (before.purses, before.phase)
    logged = [event for event in pit.events if isinstance(event, FaultClosed)]
    paragraphs = [event.rule.paragraph if event.rule else None for event in logged]
    assert paragraphs == {"commission": ["5.11", "5.5"], "wu-song": ["5.12", "5.6"]}.get(key, [None, "5.1.1"])


@pytest.mark.parametrize(("key", "stands"), [("commission", True), ("super-six", True), ("wu-song", False)])
def test_a_foreign_card_in_the_gap_after_settlement_is_the_documents_question(key: str, stands: bool) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.report(Fault.FOREIGN_CARD)
    if not stands:
        pit.rule(SUPERVISOR, Choice.VOID)
    assert pit.purse("ann") == (100_100 if stands else 100_000)
    assert pit.phase is (Phase.SETTLED if stands else Phase.VOIDED)


@rulebook({"commission": ["5.17"], "wu-song": ["5.18"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
def test_what_the_rules_leave_open_is_the_shift_managers(key: str) -> None:
    pit = betting(key)
    pit.report(Fault.UNPROVIDED, note="a bird on the table")
    carry_on = c.Rule(question=1, choice=Choice.CONTINUE, reason="it flew off")
    assert pit.refused(MANAGER, carry_on) == (Reason.NOT_AUTHORISED, "5.17" if key == "commission" else "5.18")
    pit.staff(SHIFT, carry_on)
    assert pit.phase is Phase.DEALING


@rulings("FIN-5")
def test_money_that_has_left_the_table_is_owed_after_a_reversal() -> None:
    pit = Pit("commission", people={"ann": 100_00})
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.player("ann", c.CashOut(person="ann", amount=150_00))
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert pit.state.owed == {"ann": 50_00}, "150 were gone, the stake of 100 goes against them"
    assert pit.purse("ann") == 0


@rulings("FIN-7")
def test_a_forgotten_card_found_in_the_gap_is_drawn_and_settled_anew() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 100}}, "3 K 4 6")  # keyed 7 v 6; the Banker's first card was a 9: 7 v 5, one more due
    assert pit.purse("ann") == 100_100
    pit.report(Fault.MISKEYED)
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("3 9 4 6"))
    assert pit.phase is Phase.DEALING
    pit.deal("4")
    pit.settle()
    assert pit.purse("ann") == 99_900


@rulings("IRR-4")
def test_several_faults_are_taken_in_the_order_of_the_rules_and_options_put_once() -> None:
    pit = betting("commission")
    pit.deal("5")
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.report(Fault.EXPOSED, cards=read_cards("7"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.phase is Phase.OPTIONS
    assert sum(isinstance(event, OptionsOffered) for event in pit.events) == 1


# ---- several cards seen at once ----------------------------------------------------------------------------------


@rulings("IRR-22")
@rulebook({"commission": ["5.7", "5.7.1"], "wu-song": ["5.8", "5.8.1"]}, by=irregularities.report)
@pytest.mark.parametrize("key", ["commission", "wu-song"])
@pytest.mark.parametrize(("drawn", "chosen"), [("", True), ("5 K", False)])
def test_several_cards_seen_at_once_are_one_report_one_question_and_one_choice(
    key: str, drawn: str, chosen: bool
) -> None:
    pit = in_play(key, drawn)
    pit.report(Fault.EXPOSED, cards=read_cards("9 8"))
    assert pit.state.front == read_cards("9 8")
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert (pit.state.questions, pit.phase) == ((2, Phase.OPTIONS) if chosen else (1, Phase.DEALING))
