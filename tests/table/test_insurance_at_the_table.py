"""Insurance at the table: what a window takes, and what becomes of it when cards are put right."""

import pytest

from puntobanco.rules.cards import read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Window
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import dealing
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.events import AlertRaised, InsuranceClosed, InsuranceOpened, InsuranceReturned
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.state import Phase
from puntobanco.table.views import private_view
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, SHIFT, SUPERVISOR, Pit, paragraph

BANKER_5_AGAINST_4 = "2 2 2 3"
BANKER_1_AGAINST_0 = "K A K K"


def insured(dollars: int, **options: object) -> Pit:
    """Ann has 1,000 on Banker, who leads 5 to 4: the window after four cards is open at 2:1."""
    pit = Pit("insurance", **options)  # type: ignore[arg-type]
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.close()
    for index, card in enumerate(read_cards(BANKER_5_AGAINST_4), start=1):
        if pit.face_down:
            pit.staff(DEALER, c.DrawCard(round=1, index=index))
            pit.staff(DEALER, c.ExposeCard(round=1, index=index, card=card))
        else:
            pit.staff(DEALER, c.DrawCard(round=1, index=index, card=card))
    assert pit.phase is Phase.INSURANCE
    if dollars:
        pit.player("ann", insure(dollars * 100))
    return pit


def insure(cents: int, window: Window = Window.FOUR) -> c.Insure:
    return c.Insure(round=1, window=window, amount=cents, box=1)


def close(pit: Pit, window: Window = Window.FOUR) -> None:
    pit.staff(DEALER, c.CloseInsurance(round=1, window=window))


@pytest.mark.parametrize(
    ("cents", "reason", "rule"),
    [
        (-100, Reason.STAKE_NOT_POSITIVE, "3.5"),
        (150, Reason.STAKE_NOT_IN_UNITS, "3.5"),
        (501_00, Reason.OVER_CAP, "3.5.2"),
        (0, Reason.BET_UNCHANGED, None),
    ],
)
def test_an_insurance_stake_is_whole_chips_up_to_the_cap(cents: int, reason: Reason, rule: str | None) -> None:
    pit = insured(0)
    assert pit.refused("ann", insure(cents)) == (reason, rule)
    assert pit.purse("ann") == 99_000


def test_insurance_is_paid_from_the_purse() -> None:
    pit = insured(0, people={"ann": 1_200_00})
    assert pit.refused("ann", insure(201_00)) == (Reason.NOT_ENOUGH_MONEY, None)
    pit.player("ann", insure(150_00))
    assert pit.refused("ann", insure(201_00)) == (Reason.NOT_ENOUGH_MONEY, None), "only the difference is paid"
    pit.player("ann", insure(200_00))
    assert pit.purse("ann") == 0


def test_the_window_that_is_closed_is_the_one_that_is_open() -> None:
    pit = insured(100)
    assert pit.refused(DEALER, c.CloseInsurance(round=1, window=Window.FIVE)) == (Reason.STALE_WINDOW, None)
    assert pit.refused("ann", insure(200_00, Window.FIVE)) == (Reason.STALE_WINDOW, None)
    close(pit)
    assert pit.phase is Phase.DEALING


# ---- cards put right ---------------------------------------------------------------------------------------------


def correct(pit: Pit, cards: str) -> list[object]:
    """Other faces than were keyed lie on the table."""
    pit.report(Fault.MISKEYED, who=SUPERVISOR)
    return list(pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards(cards)))


def reconstruct(pit: Pit, cards: str) -> list[object]:
    """A card was forgotten."""
    pit.report(Fault.WRONG_NUMBER_OF_CARDS, who=SUPERVISOR)
    return list(pit.rule(SUPERVISOR, Choice.RECONSTRUCT, cards=read_cards(cards)))


@rulings("INS-19")
def test_insurance_on_points_that_were_not_there_goes_back_to_the_purse() -> None:
    pit = insured(100)
    correct(pit, "2 2 2 4")
    (returned,) = pit.told(InsuranceReturned)
    assert (returned.windows, pit.purse("ann")) == ((Window.FOUR,), 99_000)
    assert pit.state.window is not None
    assert (pit.phase, pit.state.window.odds) == (Phase.INSURANCE, "3:1"), "Banker leads 6 to 4: offered anew"


@rulings("INS-19")
def test_insurance_on_points_that_were_there_stays_when_cards_are_put_right() -> None:
    pit = insured(100)
    correct(pit, "A 2 3 3")
    assert pit.told(InsuranceReturned) == []
    assert (pit.phase, pit.purse("ann")) == (Phase.INSURANCE, 98_900)


def test_insurance_goes_back_although_a_later_card_lay_face_down() -> None:
    pit = insured(100, face_down=True)
    close(pit)
    pit.hides(5)
    correct(pit, "2 2 2 K 6")
    assert pit.purse("ann") == 99_000
    pit.hides(6)
    pit.turn({6: "K"})
    pit.settle()
    assert pit.purse("ann") == 100_950, "Banker wins 2 to 0, and there is no insurance to settle"


def test_insurance_goes_back_when_the_true_cards_leave_nothing_to_insure() -> None:
    pit = insured(100, face_down=True)
    close(pit)
    pit.hides(5)
    correct(pit, "9 2 K K")
    assert (pit.phase, pit.purse("ann")) == (Phase.RESULT, 99_000)
    pit.settle()


def test_no_window_is_left_open_over_cards_that_complete_the_hands() -> None:
    pit = insured(100)
    reconstruct(pit, "2 2 2 3 6 K")
    (closed,) = pit.told(InsuranceClosed)
    assert (closed.window, pit.phase) == (Window.FOUR, Phase.RESULT)
    assert pit.refused("ann", insure(0)) == (Reason.BETS_LATE, "5.3")
    pit.settle()
    assert pit.purse("ann") == 100_850, "Banker wins 5 to 0: 950 won, 100 of insurance lost"


def test_a_window_gives_way_to_the_next_if_a_card_found_later_leads_there() -> None:
    pit = insured(100)
    reconstruct(pit, "2 2 2 3 7")
    assert [event.window for event in pit.told(InsuranceOpened)] == [Window.FOUR, Window.FIVE]
    assert pit.state.window is not None
    assert (pit.phase, pit.state.window.odds) == (Phase.INSURANCE, "7:1"), "Player 1, Banker 5"
    assert pit.purse("ann") == 98_900, "what was insured on the right points is insured"


def test_after_cards_were_left_lying_what_was_insured_on_other_points_goes_back() -> None:
    pit = insured(100)
    pit.report(Fault.MISDIRECTED, lies={2: Side.PLAYER, 3: Side.BANKER, 1: Side.PLAYER, 4: Side.BANKER})
    pit.rule(SHIFT, Choice.AS_LYING)
    assert (pit.told(InsuranceReturned), pit.phase) == ([], Phase.INSURANCE), "a 2 for a 2: the points are the same"
    pit.report(Fault.MISDIRECTED, lies={4: Side.PLAYER, 3: Side.PLAYER, 1: Side.BANKER, 2: Side.BANKER})
    pit.rule(SHIFT, Choice.AS_LYING)
    assert (len(pit.told(InsuranceReturned)), pit.purse("ann")) == (1, 99_000)


# ---- a card in sight ---------------------------------------------------------------------------------------------


@rulings("INS-20")
def test_no_window_opens_while_the_next_card_is_in_sight() -> None:
    pit = Pit("insurance")
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.close()
    pit.deal("2 2 2")
    pit.report(Fault.EXPOSED, cards=read_cards("3"))
    pit.rule(SHIFT, Choice.CONTINUE)
    pit.report(Fault.EXPOSED, cards=read_cards("6"))
    pit.rule(SHIFT, Choice.CONTINUE)
    pit.hides(4)
    assert (pit.phase, pit.told(InsuranceOpened)) == (Phase.DEALING, []), "Banker leads 5 to 4, and a 6 waits"


@rulings("INS-20")
def test_a_window_does_not_stay_open_once_the_next_card_is_in_sight() -> None:
    pit = insured(0)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS, cards=read_cards("6"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    (closed,) = pit.told(InsuranceClosed)
    assert (closed.window, pit.phase, pit.state.front) == (Window.FOUR, Phase.DEALING, read_cards("6"))
    assert [alert.kind for alert in pit.told(AlertRaised)] == ["exposed_card_carried_over"]
    assert pit.refused("ann", insure(500_00)) == (Reason.BETS_LATE, "5.2")


def test_a_card_that_waits_face_down_keeps_no_window_shut() -> None:
    pit = insured(0, face_down=True)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS, cards=(None,))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert (pit.phase, pit.state.front) == (Phase.INSURANCE, (None,))
    pit.player("ann", insure(500_00))


# ---- time --------------------------------------------------------------------------------------------------------


def test_a_pause_takes_no_time_from_a_window() -> None:
    pit = insured(0)
    assert pit.state.window is not None
    assert pit.state.window.deadline == pit.now + 15_000
    pit.now += 5_000
    pit.report(Fault.TECHNICAL)
    pit.now += 60_000
    pit.rule(DEALER, Choice.CONTINUE)
    assert (pit.phase, pit.state.deadline) == (Phase.INSURANCE, pit.now + 10_000)
    assert pit.state.window is not None
    assert pit.state.window.deadline == pit.now + 10_000


def test_a_pause_takes_no_time_from_the_betting() -> None:
    pit = Pit("insurance")
    pit.open()
    pit.now += 10_000
    pit.report(Fault.TECHNICAL)
    pit.now += 60_000
    pit.rule(DEALER, Choice.CONTINUE)
    assert (pit.phase, pit.state.deadline) == (Phase.BETTING, pit.now + 20_000)


# ---- the Banker's third card first -------------------------------------------------------------------------------


def third_cards_due(*, face_down: bool = True, others: str = "") -> Pit:
    """Player 0, Banker 1: both draw whatever comes."""
    pit = Pit("insurance", face_down=face_down)
    pit.open()
    for person in ("ann", *others.split()):
        pit.bet(person, "banker", 1_000)
    pit.close()
    if face_down:
        pit.hides(1, 2, 3, 4)
        pit.turn(dict(enumerate(BANKER_1_AGAINST_0.split(), start=1)))
    else:
        pit.deal(BANKER_1_AGAINST_0)
    return pit


ASK, YES, NO = c.RequestWaiver(round=1), c.AnswerWaiver(round=1, consent=True), c.AnswerWaiver(round=1, consent=False)
NO_WAIVER = (Reason.NO_WAIVER, "4.1.5")


@rulebook({"insurance": ["4.1.5"]}, by=(dealing.request_waiver, dealing.answer_waiver))
def test_4_1_5_consent_to_see_the_bankers_card_first_comes_before_the_players_third_is_open() -> None:
    pit = third_cards_due()
    pit.player("ann", ASK)
    pit.hides(5)
    pit.turn({5: "A"})
    pit.player("ann", insure(100_00, Window.FIVE))
    assert pit.refused(DEALER, YES) == NO_WAIVER
    pit.staff(DEALER, NO)
    assert not pit.state.waived
    close(pit, Window.FIVE)
    pit.hides(6)
    pit.turn({6: "5"})
    pit.settle()
    assert pit.purse("ann") == 100_850, "Banker wins 6 to 1: 950 won, 100 of insurance lost"


def test_4_1_5_consent_is_given_once_and_not_taken_back() -> None:
    pit = third_cards_due()
    assert pit.refused(DEALER, YES) == (Reason.NO_WAIVER_ASKED, "4.1.5")
    pit.player("ann", ASK)
    pit.staff(DEALER, YES)
    pit.hides(5, 6)
    assert pit.refused("ann", ASK) == NO_WAIVER
    pit.turn({6: "9", 5: "8"})
    assert (pit.phase, pit.told(InsuranceOpened)) == (Phase.RESULT, [])


@pytest.mark.parametrize("answer", [YES, NO])
def test_4_1_5_whoever_asked_sees_that_the_answer_is_awaited_and_what_it_is(answer: c.AnswerWaiver) -> None:
    def seen(person: str) -> tuple[bool, bool]:
        own = private_view(pit.felt, pit.state, person)
        return own.waiver_asked, own.waived

    pit = third_cards_due()
    pit.player("ann", ASK)
    assert (seen("ann"), seen("bob")) == ((True, False), (False, False))
    pit.staff(DEALER, answer)
    assert (seen("ann"), seen("bob")) == ((False, answer.consent), (False, answer.consent))


@pytest.mark.parametrize("edition", [Edition.CURRENT_NOTICE, Edition.ONE_REQUEST])
def test_4_1_5_nobody_asks_while_another_request_waits(edition: Edition) -> None:
    def offered(person: str) -> bool:
        return "RequestWaiver" in private_view(pit.felt, pit.state, person).allowed

    pit = third_cards_due(others="bob")
    pit.felt = Felt(pit.game, pit.felt.layout, edition)
    assert offered("ann")
    assert offered("bob")
    pit.player("ann", ASK)
    assert not offered("ann")
    assert not offered("bob")
    if edition < Edition.ONE_REQUEST:
        pit.player("bob", ASK)
        assert pit.state.waiver_asked == "bob", "as it was decided then"
        return
    for person in ("ann", "bob"):
        assert pit.refused(person, ASK) == (Reason.WAIVER_ASKED_BEFORE, "4.1.5")
    pit.staff(DEALER, NO)
    pit.player("bob", ASK)
    pit.staff(DEALER, YES)
    assert pit.state.waived


def test_4_1_5_nobody_sees_a_card_first_where_cards_lie_open() -> None:
    pit = third_cards_due(face_down=False)
    assert pit.refused("ann", ASK) == NO_WAIVER


def test_4_1_5_only_somebody_with_a_bet_asks_and_only_once_four_cards_are_open() -> None:
    pit = third_cards_due()
    assert pit.refused("bob", ASK) == (Reason.NOT_A_PLAYER, "4.1.5")
    early = Pit("insurance", face_down=True)
    early.open()
    early.bet("ann", "banker", 1_000)
    early.close()
    assert early.refused("ann", ASK) == NO_WAIVER
    other = Pit("super-six", face_down=True)
    other.open()
    other.bet("ann", "banker", 1_000)
    other.close()
    assert other.refused("ann", ASK) == (Reason.NO_WAIVER, None)


def test_staff_insure_nothing_and_nobody_insures_the_hand_he_did_not_bet_on() -> None:
    pit = insured(0)
    assert pit.refused(DEALER, insure(100_00)) == (Reason.NOT_A_PLAYER, "4.1.4")
    assert pit.refused("bob", insure(100_00)) == (Reason.NOTHING_TO_INSURE, "4.1.4")
    assert paragraph(pit.told(InsuranceOpened)[0]) is not None


def test_chips_attested_while_a_window_is_open_may_be_insured_in_it() -> None:
    pit = insured(0)
    line = c.Line(bet="banker", amount=400_00, box=1)
    attested = c.AttestBet(round=1, owner="bob", line=line, attested=True, reason="seen on the camera")
    pit.staff(SUPERVISOR, attested)
    assert pit.state.window is not None
    assert {(one.owner, one.most) for one in pit.state.window.offers} == {("ann", 500_00), ("bob", 200_00)}
    pit.player("bob", insure(200_00))
