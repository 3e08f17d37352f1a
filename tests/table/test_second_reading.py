"""Where several irregularities meet: cards move only with their money, and none is lost or counted twice."""

import pytest
from msgspec.structs import replace

from puntobanco.rules.cards import read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.decide import Refusal
from puntobanco.table.events import (
    AlertRaised,
    CardsSetAside,
    CarryOverDiscarded,
    InsuranceReturned,
    QuestionWithdrawn,
    SettlementReversed,
)  # fmt: skip
from puntobanco.table.setup import Policy, SimultaneousOptions, Source
from puntobanco.table.state import Phase
from puntobanco.table.views import preview, public_view
from tests.marks import rulings
from tests.table.pit import AT_ONCE, DEALER, MANAGER, SHIFT, SUPERVISOR, Pit

SWAPPED = {1: Side.BANKER, 2: Side.PLAYER}


def in_play(key: str, cards: str = "", **options: object) -> Pit:
    pit = Pit(key, **options)  # type: ignore[arg-type]
    pit.open()
    pit.bet("ann", "player", 100)
    pit.bet("bob", "banker", 100)
    pit.close()
    pit.deal(cards)
    return pit


def everyone_continues(pit: Pit) -> None:
    question = pit.state.questions
    for person in ("ann", "bob"):
        pit.player(person, c.Elect(question=question, election=Election.CONTINUE))
    pit.staff(DEALER, c.CloseOptions(question=question))


def refused_ruling(pit: Pit, choice: Choice, cards: str) -> Reason:
    command = c.Rule(question=pit.state.questions, choice=choice, reason="seen", cards=read_cards(cards))
    answer = pit.tell(command, By("sue", Role.PIT_SUPERVISOR, pit.now))
    assert isinstance(answer, Refusal)
    return answer.reason


# ---- hands left lying --------------------------------------------------------------------------------------------


def left_lying() -> Pit:
    """Player 7 J, Banker 3 9: as they lie, everyone continues; one card more is drawn."""
    pit = in_play("commission", "3D 7H JH 9S")
    pit.report(Fault.MISDIRECTED, lies=SWAPPED)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    everyone_continues(pit)
    pit.deal("5S")
    return pit


def test_true_cards_under_which_the_hands_could_not_lie_so_are_refused() -> None:
    pit = left_lying()
    pit.report(Fault.MISKEYED)
    assert refused_ruling(pit, Choice.CORRECT, "3D 3H JH 9S 5S") is Reason.LIES_IMPOSSIBLY
    assert refused_ruling(pit, Choice.CORRECT, "3D 7H JH 9S") is Reason.CARDS_MISSING


def test_hands_do_not_lie_so_that_a_card_face_down_would_have_no_place() -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "4", 2: "J", 3: "9", 4: "5"})
    pit.hides(5)
    pit.report(Fault.MISDIRECTED, lies=SWAPPED)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert pit.phase is Phase.VOIDED, "as they lie the Banker has a natural nine, and the fifth card was never due"


def test_insurance_stays_when_hands_left_lying_are_put_in_no_other_order() -> None:
    pit = in_play("insurance", "6S AH KC KD")
    assert pit.phase is Phase.INSURANCE
    pit.report(Fault.MISDIRECTED, lies=SWAPPED)
    pit.rule(SHIFT, Choice.AS_LYING)
    assert pit.phase is Phase.INSURANCE
    assert pit.state.window is not None
    pit.player("bob", c.Insure(round=1, window=pit.state.window.window, amount=10_00, box=1))
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    before = len(pit.told(InsuranceReturned))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert len(pit.told(InsuranceReturned)) == before
    assert pit.state.window is not None


# ---- a settled round ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"policy": Policy(simultaneous_options=SimultaneousOptions.ORDER_UNKNOWN)}])
def test_cards_put_in_order_after_the_result_give_a_new_result(options: dict[str, object]) -> None:
    pit = Pit("commission", **options)  # type: ignore[arg-type]
    pit.open()
    if options:
        pit.bet("ann", "player", 100)
    pit.close()
    pit.deal("2S 9H 6C KD")
    pit.report(Fault.SIMULTANEOUS, index=1, order_known=True)
    assert pit.phase is Phase.RESULT
    pit.settle()


def test_cards_of_a_settled_round_are_put_in_order_only_with_the_settlement_taken_back() -> None:
    pit = in_play("commission", "2S 9H 6C KD")
    pit.settle()
    pit.report(Fault.SIMULTANEOUS, index=1)
    pit.rule(SUPERVISOR, Choice.ORDER, order=(2, 1, 4, 3))
    assert pit.told(SettlementReversed)
    assert pit.phase is Phase.RESULT
    pit.settle()
    assert (pit.purse("ann"), pit.purse("bob")) == (100_100, 99_900)


def test_a_house_that_leaves_cards_lying_after_settlement_settles_anew() -> None:
    pit = in_play("super-six", "9S 2H KC 6D")
    pit.settle()
    pit.report(Fault.MISDIRECTED, lies=SWAPPED)
    pit.rule(SHIFT, Choice.AS_LYING)
    assert pit.told(SettlementReversed)


def test_a_wrong_payment_behind_a_wrong_card_reverses_nothing_twice() -> None:
    pit = in_play("commission", "9S 7H KC KD")
    pit.settle()
    pit.report(Fault.MISKEYED)
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("8S 7H KC KD"))
    pit.rule(SUPERVISOR, Choice.RESETTLE)
    assert len(pit.told(SettlementReversed)) == 1
    pit.settle()
    assert pit.purse("ann") == 100_100


# ---- cards keyed wrongly -----------------------------------------------------------------------------------------


def test_a_card_waiting_in_front_is_not_among_the_cards_to_be_named() -> None:
    pit = in_play("commission", "2S 3H 6C 5D")
    pit.report(Fault.EXCESS, cards=read_cards("9S"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    left = pit.state.shoe and pit.state.shoe.left
    pit.report(Fault.MISKEYED)
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("2S 3H 6C 6D"))
    assert pit.hands == {"player": "2♠ 6♣", "banker": "3♥ 6♦"}
    assert [str(card) for card in pit.state.front] == ["9♠"]
    assert (pit.state.shoe and pit.state.shoe.left) == left


def test_a_card_keyed_wrongly_beside_cards_face_down_is_corrected_alone() -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "KS", 3: "2C"})
    pit.report(Fault.MISKEYED)
    assert refused_ruling(pit, Choice.CORRECT, "QS 2C") is Reason.CARDS_MISSING
    queen, two = read_cards("QS 2C")
    bad = c.Rule(question=pit.state.questions, choice=Choice.CORRECT, reason="x", cards=(None, None, two, None))
    answer = pit.tell(bad, By("sue", Role.PIT_SUPERVISOR, pit.now))
    assert isinstance(answer, Refusal)
    assert answer.reason is Reason.CARDS_DIFFER
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=(queen, None, two, None))
    assert pit.hands == {"player": "Q♠ 2♣", "banker": "? ?"}


def test_a_third_card_face_down_keeps_its_hand() -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "2", 2: "3", 3: "3", 4: "3"})
    pit.hides(5)
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.hands == {"player": "2 3 ?", "banker": "3 3"}
    assert pit.state.front == ()


def test_a_waiver_ends_with_cards_that_would_not_have_allowed_it() -> None:
    pit = in_play("insurance", face_down=True)
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "K", 2: "A", 3: "2", 4: "K"})
    pit.player("ann", c.RequestWaiver(round=1))
    pit.staff(DEALER, c.AnswerWaiver(round=1, consent=True))
    pit.hides(5, 6)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.hands == {"player": "K 2 ?", "banker": "A K ?"}
    waived = pit.state.waived
    pit.report(Fault.MISKEYED)
    king, four, two, card = read_cards("K 4 2 K")
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=(king, four, two, card, None, None))
    assert (waived, pit.state.waived) == (True, False)
    assert pit.hands == {"player": "K 2 ?", "banker": "4 K"}
    assert pit.state.front == (None,)


# ---- cards that left the shoe ------------------------------------------------------------------------------------


@rulings("REC-12", "REC-17")
def test_cards_drawn_together_go_to_the_discards_with_a_void_round() -> None:
    pit = in_play("commission", "5 K")
    pit.report(Fault.TECHNICAL)
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("KS QS"))
    pit.rule(SUPERVISOR, Choice.AFFECTS)
    assert pit.phase is Phase.VOIDED
    assert len(pit.told(CardsSetAside)) == 1
    assert pit.state.shoe is not None
    assert (pit.state.shoe.left, pit.state.seen) == (416 - 4, {"5": 1, "K": 1, "K♠": 1, "Q♠": 1})


@rulings("REC-12")
@pytest.mark.parametrize("key", ["commission", "wu-song"])
def test_the_cards_of_a_round_that_an_interruption_voids_are_discarded_and_the_shoe_is_dealt_on(key: str) -> None:
    pit = in_play(key, "5 K")
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.AFFECTS)
    assert (pit.phase, pit.hands) == (Phase.VOIDED, {"player": "5", "banker": "K"})
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    shoe = pit.state.shoe
    assert shoe is not None
    assert (shoe.name, shoe.in_service, shoe.left) == ("one", True, 416 - 2 - 4)
    assert pit.state.seen == {"5": 1, "K": 2, "9": 1, "7": 1, "10": 1}


@pytest.mark.parametrize("choice", [Choice.VOID, Choice.RETURN_BETS])
def test_a_card_out_of_the_shoe_is_set_aside_when_the_house_ends_the_round(choice: Choice) -> None:
    pit = in_play("super-six", "5 K")
    pit.report(Fault.EXCESS, cards=read_cards("KS"))
    pit.rule(SHIFT, choice)
    assert pit.phase is Phase.VOIDED
    assert pit.state.shoe is not None
    assert pit.state.shoe.left == 416 - 3


@rulings("REC-16")
def test_a_card_of_the_old_set_never_opens_a_round_of_the_new() -> None:
    pit = in_play("commission", "2S 3H 6C")
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("5D 9S"))
    pit.rule(SUPERVISOR, Choice.ORDER, order=(1, 2))
    everyone_continues(pit)
    load = c.LoadShoe(shoe="two", decks=8, shuffled=True, source=Source.KEYBOARD, reason="cards stuck together")
    pit.staff(SUPERVISOR, load)
    pit.staff(DEALER, c.DrawCard(round=1, index=4))
    assert pit.phase is Phase.RESULT
    pit.settle()
    assert pit.told(CarryOverDiscarded)
    assert (pit.state.front, pit.state.front_old) == ((), 0)
    assert pit.state.shoe is not None
    assert pit.state.shoe.left == 416


def test_a_card_the_decks_cannot_hold_reported_between_rounds_takes_the_set_away() -> None:
    pit = in_play("commission", "5 K", decks=4)
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.VOID)
    pit.staff(DEALER, c.LoadShoe(shoe="two", decks=4, shuffled=True, source=Source.KEYBOARD))
    pit.report(Fault.EXCESS, cards=read_cards("KS KS KS KS KS"))
    assert pit.state.faults == ()
    assert pit.state.shoe is not None
    assert not pit.state.shoe.in_service


# ---- tables and people -------------------------------------------------------------------------------------------


def test_a_table_opened_again_makes_way_like_one_that_changes() -> None:
    pit = in_play("commission", "9S 7H KC KD")
    pit.player("cat", c.TakeSeat(box=7))
    pit.settle()
    assert pit.state.setup is not None
    setup = replace(pit.state.setup, decks=4, boxes=2, face_down=True)
    pit.staff(MANAGER, AT_ONCE)
    pit.staff(MANAGER, c.OpenTable(setup=setup))
    assert pit.state.shoe is not None
    assert (pit.state.shoe.in_service, pit.state.seats) == (False, {})


@rulings("IRR-19")
def test_claims_withdraw_no_question_and_stop_nothing_once_unfounded() -> None:
    pit = in_play("commission", "5 K")
    pit.report(Fault.EXCESS, cards=read_cards("9S"))
    pit.player("ann", c.Report(round=1, fault=Fault.FOREIGN_CARD))
    assert not pit.told(QuestionWithdrawn)
    pit.rule(SUPERVISOR, Choice.STANDS)
    pit.rule(SUPERVISOR, Choice.STANDS)
    pit.player("ann", c.Report(round=1, fault=Fault.FOREIGN_CARD))
    assert pit.phase is Phase.DEALING
    pit.player("bob", c.WalkAway(person="bob"))
    pit.player("bob", c.Report(round=1, fault=Fault.FOREIGN_CARD))
    assert pit.phase is Phase.DEALING
    assert [alert.kind for alert in pit.told(AlertRaised)] == ["claim", "claim"]


def test_what_a_player_says_of_other_cards_is_asked_on_its_own() -> None:
    pit = in_play("commission", "3 7 K 9")
    pit.report(Fault.MISDIRECTED, lies={3: Side.BANKER, 4: Side.PLAYER})
    pit.player("bob", c.Report(round=1, fault=Fault.MISDIRECTED, lies=SWAPPED))
    shown = preview(pit.state)
    assert shown is not None
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert pit.state.question is not None
    assert [one.claimed_by for one in pit.state.faults] == ["bob"]
    assert pit.hands == {"player": "3 9", "banker": "7 K"}


def test_a_preview_shows_what_a_claim_would_bring_out() -> None:
    pit = in_play("commission", "3 7")
    pit.player("bob", c.Report(round=1, fault=Fault.EXPOSED, cards=read_cards("9")))
    shown = preview(pit.state)
    assert shown is not None
    assert (shown.player, shown.banker, shown.spare) == (("3",), ("7",), ("9",))


def test_reports_are_bounded() -> None:
    pit = in_play("commission", "3 7")
    for index, cards in ((10**30, ()), (-5, ()), (None, read_cards("9 " * 53))):
        report = c.Report(round=1, fault=Fault.DISPLAY, index=index, cards=cards)
        assert pit.refused("ann", report)[0] is Reason.REPORT_INCOMPLETE


def test_what_may_be_done_is_offered_only_to_who_may_do_it() -> None:
    pit = in_play("commission", "3 7")
    offered = {role: set(public_view(pit.felt, pit.state, role).allowed) for role in (DEALER, SUPERVISOR, SHIFT)}
    assert "LoadShoe" not in offered[DEALER]
    assert "WithdrawShoe" not in offered[SUPERVISOR]
    assert {"LoadShoe", "WithdrawShoe"} <= offered[SHIFT]
    assert "AttestBet" not in offered[DEALER]
    assert "AttestBet" in offered[SUPERVISOR]
    assert "Relieve" not in offered[SHIFT]
    assert "Assign" in public_view(pit.felt, pit.state, Role.SYSTEM).allowed
    electronic = Pit("non-commission-etg")
    assert "TakeSeat" not in public_view(electronic.felt, electronic.state, Role.PLAYER).allowed
    closed = in_play("super-six")
    assert not {"AdviseMinimum", "ReturnBet"} & set(public_view(closed.felt, closed.state, DEALER).allowed)
