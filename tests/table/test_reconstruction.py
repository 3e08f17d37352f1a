"""Cards put back in order or left as they lie, together and one after the other."""

import pytest
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import irregularities
from puntobanco.table.authority import By
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.decide import Accepted, decide
from puntobanco.table.events import (
    CardsCarriedOver,
    CardsReconstructed,
    FaultClosed,
    IrregularityReported,
    OptionsClosed,
    OptionsOffered,
    QuestionPut,
    QuestionWithdrawn,
    RoundVoided,
    Ruled,
    ShoeWithdrawn,
)
from puntobanco.table.setup import Policy, SimultaneousOptions
from puntobanco.table.state import Phase
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, MANAGER, SHIFT, STAFF, SUPERVISOR, Pit, in_play, paragraph

LONG = ["commission", "wu-song"]
SHORT = ["super-six", "insurance"]
SWAPPED = {1: Side.BANKER, 2: Side.PLAYER}
DISPLAY = {"commission": "5.14", "wu-song": "5.15"}
WRONG_NUMBER = {"commission": "5.5.3", "wu-song": "5.5.3"}


def left(pit: Pit) -> int:
    assert pit.state.shoe is not None
    return pit.state.shoe.left


def asked(pit: Pit) -> Fault | None:
    return pit.state.question.fault if pit.state.question else None


# ---- several reports ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", LONG)
def test_two_cards_face_up_are_both_seen_and_the_options_are_put_once(key: str) -> None:
    pit = in_play(key, face_down=True)
    pit.hides(1, 2)
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.report(Fault.FACE_UP, index=1, cards=read_cards("7"))
    pit.report(Fault.FACE_UP, index=2, cards=read_cards("3"))
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert (pit.phase, pit.state.seen_in_order, pit.state.faults) == (Phase.OPTIONS, {1: 7, 2: 3}, ())
    assert len(pit.told(OptionsOffered)) == 1


@pytest.mark.parametrize("key", LONG)
def test_two_pairs_drawn_together_are_each_put_in_order(key: str) -> None:
    pit = in_play(key)
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("5S KS"))
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("2H 3H"))
    pit.rule(SUPERVISOR, Choice.ORDER, order=(1, 2))
    assert (pit.phase, asked(pit)) == (Phase.DECISION, Fault.SIMULTANEOUS)
    pit.rule(SUPERVISOR, Choice.ORDER, order=(2, 1))
    assert (pit.phase, pit.state.front) == (Phase.OPTIONS, read_cards("5S KS 3H 2H"))


@rulings("IRR-15")
@pytest.mark.parametrize("key", LONG)
def test_cards_misdirected_are_put_right_together_however_many_reports_there_are(key: str) -> None:
    pit = in_play(key, "5 K 4 3")
    pit.report(Fault.MISDIRECTED, lies=SWAPPED)
    pit.report(Fault.MISDIRECTED, lies={3: Side.BANKER, 4: Side.PLAYER})
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert pit.hands == {"player": "K 3", "banker": "5 4"}
    assert (pit.phase, pit.state.faults) == (Phase.OPTIONS, ())
    assert [closed.report for closed in pit.told(FaultClosed)] == [1, 2]


@rulings("IRR-14")
@pytest.mark.parametrize("key", LONG)
def test_a_report_that_comes_first_by_the_rules_withdraws_the_question_before_it(key: str) -> None:
    pit = in_play(key, "5 K")
    pit.report(Fault.TECHNICAL)
    pit.report(Fault.FOREIGN_CARD, note="a blue back")
    (withdrawn,) = pit.told(QuestionWithdrawn)
    assert (withdrawn.question, asked(pit)) == (1, Fault.FOREIGN_CARD)
    pit.report(Fault.DISPLAY)
    assert asked(pit) is Fault.FOREIGN_CARD, "what comes later waits"
    stale = c.Rule(question=1, choice=Choice.AFFECTS)
    assert pit.refused(SUPERVISOR, stale) == (Reason.STALE_QUESTION, None)
    pit.rule(SUPERVISOR, Choice.VOID)
    (voided,) = pit.told(RoundVoided)
    assert paragraph(voided) == "5.5.1"
    assert len(pit.told(ShoeWithdrawn)) == 1


@rulings("IRR-14")
@pytest.mark.parametrize("key", LONG)
def test_a_question_that_was_withdrawn_is_put_again_if_it_still_matters(key: str) -> None:
    pit = in_play(key, "5 K")
    pit.report(Fault.TECHNICAL)
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert (pit.phase, asked(pit)) == (Phase.SUSPENDED, Fault.TECHNICAL)
    assert [put.question.number for put in pit.told(QuestionPut)] == [1, 2, 3]
    pit.rule(SUPERVISOR, Choice.DOES_NOT_AFFECT)
    assert pit.phase is Phase.DEALING


@pytest.mark.parametrize("key", LONG)
def test_a_set_in_doubt_goes_whatever_else_voids_the_round(key: str) -> None:
    pit = in_play(key, "5")
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.report(Fault.UNPROVIDED)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert asked(pit) is Fault.UNPROVIDED
    pit.report(Fault.UNSHUFFLED)
    pit.rule(SUPERVISOR, Choice.STANDS)
    pit.rule(SHIFT, Choice.VOID)
    assert pit.told(ShoeWithdrawn) == [], "it was found to be shuffled"
    doubtful = in_play(key, "5")
    doubtful.report(Fault.EXPOSED, cards=read_cards("7"))
    doubtful.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert doubtful.phase is Phase.OPTIONS
    doubtful.report(Fault.DECK_COUNT)
    doubtful.report(Fault.TECHNICAL)
    doubtful.everyone(Election.RETURN)
    assert asked(doubtful) is Fault.DECK_COUNT, "what was reported during the options is taken up after them"
    doubtful.rule(SUPERVISOR, Choice.VOID)
    assert [event.reason for event in doubtful.told(ShoeWithdrawn)] == ["deck_count"]


@pytest.mark.parametrize("key", LONG)
def test_an_open_doubt_about_the_set_withdraws_the_shoe_of_a_round_that_is_void_for_another_cause(key: str) -> None:
    pit = in_play(key, "AS AS AS AS", decks=4)
    pit.claim("ann", Fault.EXCESS, cards=read_cards("AS"))
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert paragraph(pit.told(RoundVoided)[0]) == "5.5.3"
    assert [event.reason for event in pit.told(ShoeWithdrawn)] == ["deck_count"], "it was a fifth ace of spades"


# ---- as they lie -------------------------------------------------------------------------------------------------


@rulings("REC-14")
@rulebook({"commission": ["5.12.1"], "wu-song": ["5.13.1"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
def test_hands_left_as_they_lie_stay_so_when_a_later_card_is_put_in_order(key: str) -> None:
    pit = in_play(key, "5 K")
    pit.report(Fault.MISDIRECTED, lies=SWAPPED)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    pit.everyone()
    pit.deal("4")
    pit.report(Fault.EXPOSED, cards=read_cards("3"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert (pit.hands, pit.state.as_lying) == ({"player": "K 4", "banker": "5"}, True)
    pit.hides(4)
    assert pit.hands == {"player": "K 4", "banker": "5 3"}
    assert pit.phase is Phase.RESULT, "Banker has a natural"
    pit.settle()
    assert pit.purse("ann") == 99_900


@rulings("REC-4")
@pytest.mark.parametrize("key", LONG)
def test_cards_left_as_they_lie_decide_by_the_hands_they_lie_with(key: str) -> None:
    pit = in_play(key, face_down=True)
    pit.hides(1, 2, 3)
    pit.report(Fault.MISDIRECTED, lies={2: Side.PLAYER, 3: Side.BANKER})
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    pit.everyone()
    pit.turn({1: "5", 3: "5"})
    assert pit.hands == {"player": "5 ?", "banker": "5"}
    assert pit.state.seen_in_order == {1: 5, 2: 5}
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.AFFECTS)
    assert paragraph(pit.told(RoundVoided)[0]) == "5.4.2", "a 5 each is no pair of anybody's"


@rulings("IRR-18")
@rulebook({"commission": ["5.5.3"], "wu-song": ["5.5.3"]}, by=irregularities.rule)
@pytest.mark.parametrize(
    ("cards", "lies"),
    [
        ("2 9 K 4 5", SWAPPED),  # a natural, and a third card
        ("4 5 A 8 2", {1: Side.BANKER, 4: Side.PLAYER}),
        ("4 5 A 8 2", SWAPPED),  # Player stands on 6, and holds a third card
        ("5 K 4", {3: Side.BANKER}),  # a hand of one card and a hand of two that should be the other
    ],
)
@pytest.mark.parametrize("key", LONG)
def test_hands_that_no_table_of_play_can_have_dealt_void_the_round(key: str, cards: str, lies: dict[int, Side]) -> None:
    pit = in_play(key, cards)
    pit.report(Fault.MISDIRECTED, lies=lies)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    (voided,) = pit.told(RoundVoided)
    assert (voided.cause, paragraph(voided)) == (Fault.WRONG_NUMBER_OF_CARDS, WRONG_NUMBER[key])


@pytest.mark.parametrize("key", SHORT)
def test_the_house_leaves_no_hands_lying_that_cannot_be(key: str) -> None:
    pit = in_play(key, "5 K 4")
    pit.report(Fault.MISDIRECTED, lies={3: Side.BANKER})
    lying = c.Rule(question=1, choice=Choice.AS_LYING, reason="nobody saw")
    assert pit.refused(SHIFT, lying) == (Reason.LIES_IMPOSSIBLY, None)
    pit.rule(SHIFT, Choice.CONTINUE)
    assert pit.hands == {"player": "5 4", "banker": "K"}


@rulings("EST-7")
@pytest.mark.parametrize("key", LONG)
def test_what_was_established_is_judged_when_the_fault_was_noticed(key: str) -> None:
    pit = in_play(key, "5 K")
    pit.report(Fault.MISDIRECTED, lies=SWAPPED)
    pit.report(Fault.EXPOSED, cards=read_cards("4"))
    assert pit.state.faults[0].established is False
    assert pit.state.faults[1].established is True, "a 4 with a 5 is no pair: Player Pair has lost"
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert asked(pit) is Fault.EXPOSED
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.phase is Phase.OPTIONS, "for the cards misdirected, noticed before"
    assert [closed.grants_options for closed in pit.told(FaultClosed)] == [True, False]


# ---- the cards of a ruling ---------------------------------------------------------------------------------------


@rulings("REC-13")
@pytest.mark.parametrize(
    "cards", ["2S 3S 4S", "2S 3S 4S 3H 9S 9S", "2S 3S 4S 4H", "9S 2H KS KS KS KS KS", "2S 3S 4S 3H 9S"]
)
@pytest.mark.parametrize("key", LONG)
def test_a_reconstruction_moves_cards_and_invents_and_loses_none(key: str, cards: str) -> None:
    pit = in_play(key, "2S 3S 4S 3H", decks=4)
    pit.report(Fault.OTHER_DEALING_ERROR)
    given = c.Rule(question=1, choice=Choice.RECONSTRUCT, cards=read_cards(cards), reason="seen on the camera")
    assert pit.refused(SUPERVISOR, given)[0] is Reason.CARDS_DIFFER
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT, cards=read_cards("3S 2S 4S 3H"))
    assert pit.hands == {"player": "3♠ 4♠", "banker": "2♠ 3♥"}
    assert (left(pit), pit.state.seen) == (208 - 4, {"2♠": 1, "3♠": 1, "4♠": 1, "3♥": 1})


def test_a_reconstruction_forgets_no_card_in_front_of_the_shoe() -> None:
    pit = in_play("commission", "2 3 4 3")
    pit.report(Fault.EXCESS, cards=read_cards("AS 2S"))
    lost = c.Rule(question=1, choice=Choice.RECONSTRUCT, cards=read_cards("2 3 4 3"), reason="")
    assert pit.refused(SUPERVISOR, lost)[0] is Reason.CARDS_DIFFER
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT, cards=read_cards("2 3 4 3 2S AS"))
    assert (pit.hands["banker"], pit.state.front) == ("3 3", read_cards("2S AS"))
    assert left(pit) + len(pit.state.drawn) + len(pit.state.front) == 416


@pytest.mark.parametrize("key", library.GAMES)
def test_a_wrong_number_of_cards_is_made_up_from_the_shoe_and_counted(key: str) -> None:
    pit = in_play(key, "2S 2H 3S 3H", decks=4)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS, who=SUPERVISOR)
    if pit.phase is Phase.DECISION:
        few = c.Rule(question=1, choice=Choice.RECONSTRUCT, cards=read_cards("2S 2H 3S"), reason="on camera")
        assert pit.refused(SUPERVISOR, few)[0] is Reason.CARDS_DIFFER
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT, cards=read_cards("2S 2H 3S 3H 4S"))
    assert (left(pit), pit.state.seen["4♠"]) == (208 - 5, 1)
    assert pit.hands["player"] == "2♠ 3♠ 4♠"


def test_no_ruling_takes_more_cards_than_the_shoe_holds() -> None:
    many = read_cards("2 " * 206 + "3 3 3")
    for fault, choice, reason in (
        (Fault.MISKEYED, Choice.CORRECT, Reason.CARDS_NOT_IN_SHOE),
        (Fault.WRONG_NUMBER_OF_CARDS, Choice.RECONSTRUCT, Reason.CARDS_DIFFER),
    ):
        pit = in_play("commission", "2 3", decks=4)
        pit.report(fault)
        assert pit.refused(SUPERVISOR, c.Rule(question=1, choice=choice, cards=many))[0] is reason
    gap = Pit("commission", decks=4)
    gap.round({"ann": {"player": 100}}, "9 7 K 10")
    gap.report(Fault.MISPAYMENT)
    assert (
        gap.refused(SUPERVISOR, c.Rule(question=1, choice=Choice.RESETTLE, cards=many))[0] is Reason.CARDS_NOT_IN_SHOE
    )


def test_no_report_takes_more_cards_from_the_shoe_than_it_holds() -> None:
    pit = in_play("commission", decks=4)
    assert pit.refused(DEALER, c.Report(round=1, fault=Fault.EXCESS, cards=read_cards("2 " * 209))) == (
        Reason.REPORT_INCOMPLETE,
        None,
    )
    pit.claim("ann", Fault.EXCESS, cards=read_cards("2 " * 200))
    pit.player("bob", c.Report(round=1, fault=Fault.EXCESS, cards=read_cards("2 " * 8)))
    pit.player("cat", c.Report(round=1, fault=Fault.EXCESS, cards=read_cards("2")))
    assert pit.told(IrregularityReported)[-1].report.fault is Fault.DECK_COUNT, "what other reports name is spoken for"
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert left(pit) == 0


def test_a_card_face_up_is_reported_from_a_shoe_that_has_no_card_left() -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1)
    assert pit.state.shoe is not None
    last = replace(pit.state, shoe=replace(pit.state.shoe, left=0))
    up = c.Report(round=1, fault=Fault.FACE_UP, index=1, cards=read_cards("7"))
    assert isinstance(decide(pit.felt, last, up, By(STAFF[DEALER], DEALER, pit.now)), Accepted)


# ---- cards drawn together ----------------------------------------------------------------------------------------


@rulebook({"commission": ["5.10", "5.10.1"], "wu-song": ["5.11", "5.11.1"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
def test_cards_already_dealt_that_came_together_are_put_in_order_where_they_lie(key: str) -> None:
    pit = in_play(key, "5S KS")
    pit.report(Fault.SIMULTANEOUS, index=1)
    wrong = c.Rule(question=1, choice=Choice.ORDER, order=(1,))
    assert pit.refused(SUPERVISOR, wrong) == (Reason.ORDER_WRONG, None)
    pit.rule(SUPERVISOR, Choice.ORDER, order=(2, 1))
    assert (pit.hands, pit.state.front, left(pit)) == ({"player": "K♠", "banker": "5♠"}, (), 414)
    assert (pit.phase, pit.state.seen) == (Phase.OPTIONS, {"5♠": 1, "K♠": 1})


@pytest.mark.parametrize("key", LONG)
def test_cards_already_dealt_in_an_order_that_is_known_lie_as_they_lay(key: str) -> None:
    pit = in_play(key, "5S KS 2H")
    pit.report(Fault.SIMULTANEOUS, index=2, order_known=True)
    assert pit.hands == {"player": "5♠ 2♥", "banker": "K♠"}
    assert pit.phase is Phase.OPTIONS


@rulings("OPT-8")
@pytest.mark.parametrize(
    ("policy", "phase"),
    [(SimultaneousOptions.ALWAYS, Phase.OPTIONS), (SimultaneousOptions.ORDER_UNKNOWN, Phase.DEALING)],
)
def test_whether_a_known_order_gives_the_options_is_the_houses_policy(
    policy: SimultaneousOptions, phase: Phase
) -> None:
    pit = in_play("commission", policy=Policy(simultaneous_options=policy))
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("5 K"), order_known=True)
    assert (pit.phase, pit.state.front) == (phase, read_cards("5 K"))


def test_an_interruption_comes_before_cards_drawn_together_and_its_void_discards_them() -> None:
    pit = in_play("commission")
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("5S KS"))
    pit.rule(SUPERVISOR, Choice.ORDER, order=(2, 1))
    pit.everyone()
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.AFFECTS)
    assert (pit.phase, pit.state.front) == (Phase.VOIDED, ()), "no outcome was established, and the cards are discarded"


# ---- keyed wrongly -----------------------------------------------------------------------------------------------


@rulings("DSP-4")
@rulebook({"commission": ["5.14"], "wu-song": ["5.15"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
def test_a_card_keyed_wrongly_is_corrected_to_what_lies_on_the_table(key: str) -> None:
    pit = in_play(key, "2S 9S KS KH")
    pit.report(Fault.MISKEYED)
    assert pit.state.question is not None
    assert pit.state.question.choices == (Choice.CORRECT, Choice.STANDS)
    assert pit.state.question.rule is not None
    assert pit.state.question.rule.paragraph == DISPLAY[key]
    cards = read_cards("9S 2S KS KH")
    assert pit.refused(DEALER, c.Rule(question=1, choice=Choice.CORRECT, cards=cards))[0] is Reason.NOT_AUTHORISED
    empty = c.Rule(question=1, choice=Choice.CORRECT, reason="seen on the camera")
    assert pit.refused(SUPERVISOR, empty)[0] is Reason.CARDS_MISSING
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=cards)
    assert (pit.phase, pit.hands["player"]) == (Phase.RESULT, "9♠ K♠")
    assert pit.state.seen == {"9♠": 1, "2♠": 1, "K♠": 1, "K♥": 1}
    assert pit.told(OptionsOffered) == []
    pit.settle()
    assert pit.purse("ann") == 100_100


@rulings("DSP-4")
@pytest.mark.parametrize("key", library.GAMES)
def test_a_card_keyed_wrongly_is_corrected_after_the_settlement_too(key: str) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}}, "2 9 K K")
    assert pit.purse("ann") == 99_900
    pit.report(Fault.MISKEYED, who=SUPERVISOR)
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("9 2 K K"))
    assert pit.phase is Phase.RESULT
    pit.settle()
    assert pit.purse("ann") == 100_100


def test_a_card_keyed_that_was_never_dealt_goes_back_to_the_count_of_the_shoe() -> None:
    pit = in_play("super-six", "2 2 3 3 5")
    pit.report(Fault.MISKEYED)
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("2 2 3 3"))
    assert (pit.phase, left(pit), pit.hands) == (Phase.DEALING, 416 - 4, {"player": "2 3", "banker": "2 3"})


@rulings("DSP-4")
@rulebook({"commission": ["5.7", "5.7.1"], "wu-song": ["5.8", "5.8.1"]}, by=irregularities.rule)
@pytest.mark.parametrize(("key", "grants", "rule"), [("commission", "5.7.1", "5.7"), ("wu-song", "5.8.1", "5.8")])
def test_a_card_that_the_true_faces_did_not_ask_for_is_in_excess(key: str, grants: str, rule: str) -> None:
    pit = in_play(key, "2 2 3 3 5")
    pit.report(Fault.MISKEYED)
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("2 4 K 4 5"))
    assert (pit.hands, pit.state.front) == ({"player": "2 K", "banker": "4 4"}, read_cards("5"))
    assert pit.phase is Phase.RESULT, "pairs had been decided"
    (closed,) = pit.told(FaultClosed)
    assert (paragraph(closed), closed.grants_options) == (rule, False)
    early = in_play(key, "2")
    early.report(Fault.MISKEYED)
    early.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("2 4 K 4 5"))
    assert (early.phase, early.state.front) == (Phase.OPTIONS, read_cards("5"))
    assert paragraph(early.told(FaultClosed)[0]) == grants


@pytest.mark.parametrize("key", ["commission", "super-six"])
def test_a_mispayment_is_settled_anew_on_the_cards_that_lay_there(key: str) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE, cards=read_cards("3 7 K 10 2"))
    assert (pit.phase, pit.hands["player"]) == (Phase.RESULT, "3 K 2")
    pit.settle()
    assert pit.purse("ann") == 99_900


# ---- faces -------------------------------------------------------------------------------------------------------


@rulebook({"commission": ["5.5.2"], "wu-song": ["5.5.2"]}, by=irregularities.report)
@pytest.mark.parametrize("key", LONG)
def test_a_card_face_up_that_the_decks_cannot_hold_is_a_fault_of_its_own(key: str) -> None:
    pit = in_play(key, face_down=True, decks=4)
    pit.hides(1, 2, 3, 4)
    pit.turn(dict.fromkeys((1, 2, 3, 4), "AS"))
    pit.hides(5)
    pit.report(Fault.FACE_UP, index=5, cards=read_cards("AS"))
    assert (pit.phase, asked(pit)) == (Phase.DECISION, Fault.DECK_COUNT)


@pytest.mark.parametrize("key", LONG)
def test_a_card_face_up_that_no_longer_lies_in_a_hand_is_only_noted(key: str) -> None:
    pit = in_play(key, face_down=True)
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "2", 2: "3", 3: "3", 4: "3"})
    pit.hides(5)
    pit.report(Fault.MISKEYED, note="the fifth card never left the shoe")
    pit.report(Fault.FACE_UP, index=5, cards=read_cards("4"))
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("2 3 3 3"))
    assert (len(pit.state.drawn), pit.state.front) == (4, ())
    closed = pit.told(FaultClosed)[-1]
    assert (closed.fault, closed.logged_only, closed.grants_options) == (Fault.FACE_UP, True, False)


def test_the_house_that_plays_on_sees_a_card_face_up_once_and_none_that_is_gone() -> None:
    pit = in_play("super-six", face_down=True)
    pit.hides(1)
    for _ in range(2):
        pit.report(Fault.FACE_UP, index=1, cards=read_cards("4S"))
    pit.rule(SHIFT, Choice.CONTINUE)
    pit.rule(SHIFT, Choice.CONTINUE)
    assert (pit.phase, pit.state.seen) == (Phase.DEALING, {"4♠": 1})
    pit.hides(2)
    pit.report(Fault.MISKEYED)
    pit.report(Fault.FACE_UP, index=2, cards=read_cards("9S"))
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("4S"))
    pit.rule(SHIFT, Choice.CONTINUE)
    assert (pit.hands, pit.state.seen) == ({"player": "4♠", "banker": ""}, {"4♠": 1})


@pytest.mark.parametrize("key", LONG)
def test_a_card_exposed_and_carried_is_counted_once(key: str) -> None:
    pit = in_play(key, decks=4)
    pit.report(Fault.EXPOSED, cards=read_cards("9S"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.everyone()
    pit.hides(1)
    assert pit.state.seen == {"9♠": 1}
    pit.deal("9S 9S 9S")
    assert (pit.state.seen, pit.phase) == ({"9♠": 4}, Phase.RESULT)


def test_a_card_that_lay_in_front_since_the_last_round_is_counted_once() -> None:
    pit = in_play("commission", "9S 2H KH KD", decks=4)
    pit.report(Fault.EXCESS, cards=read_cards("AS"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.settle()
    assert len(pit.told(CardsCarriedOver)) == 1
    pit.open(acknowledge=True)
    pit.close()
    pit.hides(1)
    pit.deal("AS AS AS")
    assert (pit.state.seen["A♠"], pit.phase) == (4, Phase.DEALING)


# ---- citations ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "rule"), [("commission", "5.12"), ("wu-song", "5.13")])
def test_options_that_nobody_took_close_under_the_paragraph_that_gave_them(key: str, rule: str) -> None:
    pit = in_play(key, "5")
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.everyone()
    assert [paragraph(event) for event in pit.told(OptionsClosed)] == [rule]
    gone = in_play(key, "5")
    gone.report(Fault.EXPOSED, cards=read_cards("9"))
    gone.rule(SUPERVISOR, Choice.RECONSTRUCT)
    gone.everyone(Election.RETURN)
    assert [paragraph(event) for event in gone.told(OptionsClosed)] == [f"{rule}.3"]
    assert (gone.phase, gone.state.front) == (Phase.WITHOUT_BETS, read_cards("9"))


@pytest.mark.parametrize(("key", "rule"), [("commission", "5.7.1"), ("wu-song", "5.8.1")])
def test_a_hand_with_a_card_too_many_gives_the_options_of_a_card_in_excess(key: str, rule: str) -> None:
    pit = in_play(key, "2")
    pit.report(Fault.WRONG_NUMBER_OF_CARDS, cards=read_cards("9"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert (pit.phase, paragraph(pit.told(FaultClosed)[0])) == (Phase.OPTIONS, rule)
    assert [paragraph(event) for event in pit.told(CardsReconstructed)] == [pit.game.irregularities.reconstruction]


def test_a_ruling_answers_with_one_of_its_choices() -> None:
    pit = in_play("commission", "2")
    pit.report(Fault.FOREIGN_CARD)
    other = c.Rule(question=1, choice=Choice.RECONSTRUCT, reason="x")
    assert pit.refused(SUPERVISOR, other)[0] is Reason.CHOICE_NOT_OPEN
    assert pit.told(Ruled) == []
    assert pit.refused(MANAGER, c.Rule(question=2, choice=Choice.VOID))[0] is Reason.STALE_QUESTION
