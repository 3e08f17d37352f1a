"""The squeeze where the house deals: one time for the round, and nobody chooses before the card is shown to all."""

import pytest
from msgspec.structs import replace

from puntobanco.rules.cards import read_card, read_cards
from puntobanco.rules.refusal import Reason, Refusal
from puntobanco.table import commands as c
from puntobanco.table import dealing, options
from puntobanco.table import events as e
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.decide import decide
from puntobanco.table.inferring import commands_for
from puntobanco.table.state import Phase
from puntobanco.table.views import private_view, public_view
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, SUPERVISOR, Pit, paragraph

LONG = ["commission", "wu-song"]
NINE = read_card("9")


def house_deals(key: str = "wu-song", bets: dict[str, int] | None = None) -> Pit:
    """Face down and closed, with these dollars on Player, in this order; everyone sits at a box of their own."""
    pit = Pit(key, face_down=True, automatic=True)
    pit.open()
    for box, (person, dollars) in enumerate((bets or {"ann": 500, "bob": 300}).items(), start=1):
        pit.player(person, c.TakeSeat(box=box))
        pit.bet(person, "player", dollars, box=box)
    pit.close()
    return pit


def ask(index: int) -> c.RequestSqueeze:
    return c.RequestSqueeze(round=1, index=index)


def granted(pit: Pit, person: str, *indexes: int) -> None:
    for index in indexes:
        pit.player(person, ask(index))
        pit.staff(DEALER, c.AnswerSqueeze(round=1, index=index, permit=True))


# ---- who ---------------------------------------------------------------------------------------------------------


@rulings("SQZ-7")
@rulebook({"commission": ["3.9"], "wu-song": ["3.9"]}, by=dealing.entitled_to_squeeze)
@pytest.mark.parametrize("key", LONG)
def test_of_equal_bets_the_earliest_may_squeeze(key: str) -> None:
    pit = house_deals(key, {"bob": 500, "ann": 500})
    assert pit.refused("ann", ask(1)) == (Reason.SQUEEZE_NOT_ENTITLED, "3.9")
    pit.player("bob", ask(1))


@pytest.mark.parametrize("key", LONG)
def test_the_earliest_is_whose_bet_came_to_that_much_first(key: str) -> None:
    pit = Pit(key, face_down=True, automatic=True)
    pit.open()
    for box, person in ((1, "ann"), (2, "bob")):
        pit.player(person, c.TakeSeat(box=box))
    pit.bet("ann", "player", 100, box=1)
    pit.bet("bob", "player", 500, box=2)
    pit.bet("ann", "player", 500, box=1)
    pit.close()
    views = {person: private_view(pit.felt, pit.state, person) for person in ("ann", "bob")}
    assert {person: view.may_squeeze for person, view in views.items()} == {"ann": False, "bob": True}


def test_nobody_may_squeeze_where_nobody_has_bet() -> None:
    pit = Pit("commission", face_down=True, automatic=True)
    pit.open()
    pit.close()
    assert pit.refused("ann", ask(1)) == (Reason.SQUEEZE_NOT_ENTITLED, "3.9")


@rulings("SQZ-8")
def test_a_request_is_answered_before_the_card_is_drawn() -> None:
    pit = house_deals()
    pit.player("ann", ask(1))
    assert pit.refused(DEALER, c.DrawCard(round=1, index=1)) == (Reason.SQUEEZE_UNANSWERED, "3.9")
    pit.staff(DEALER, c.AnswerSqueeze(round=1, index=1, permit=True))
    pit.hides(1)


# ---- how long ----------------------------------------------------------------------------------------------------


@rulings("SQZ-8")
@rulebook({"commission": ["3.9"], "wu-song": ["3.9"]}, by=dealing.draw_card)
@pytest.mark.parametrize("key", LONG)
def test_the_time_is_one_for_the_round(key: str) -> None:
    pit = house_deals(key)
    granted(pit, "ann", 1, 3, 4)
    pit.hides(1)
    ends = pit.now + 20_000
    pit.now += 5_000
    pit.hides(2, 3)
    assert {one.deadline for one in pit.state.squeezed.values()} == {ends}, "cards squeezed together share it"
    pit.player("ann", c.FinishSqueeze(round=1, index=3))
    assert (list(pit.state.squeezed), pit.state.squeeze_left) == ([1], None), "it runs while one is squeezed"
    pit.now += 7_000
    pit.turn({2: "K"})
    pit.player("ann", c.FinishSqueeze(round=1, index=1))
    assert pit.state.squeeze_left == 8_000
    pit.turn({1: "9"})
    pit.now += 60_000
    pit.hides(4)
    assert pit.state.squeezed[4].deadline == pit.now + 8_000, "the clock stood still meanwhile"
    assert pit.refused(DEALER, c.ExposeCard(round=1, index=4, card=NINE))[0] is Reason.SQUEEZE_GOES_ON
    pit.now += 8_000
    pit.turn({4: "2", 3: "5"})
    assert pit.state.squeeze_left == 0


def test_a_squeeze_given_up_before_its_card_is_drawn_takes_no_time() -> None:
    pit = house_deals()
    granted(pit, "ann", 1)
    pit.player("ann", c.FinishSqueeze(round=1, index=1))
    assert (pit.state.squeezes, pit.state.squeeze_left) == ({}, None)


def test_with_the_time_used_up_nobody_squeezes_any_more() -> None:
    pit = house_deals()
    granted(pit, "ann", 1, 2)
    pit.hides(1)
    pit.now += 30_000
    pit.turn({1: "9"})
    assert pit.state.squeeze_left == 0
    assert pit.refused("ann", ask(3)) == (Reason.SQUEEZE_TIME_OVER, "3.9")
    assert not private_view(pit.felt, pit.state, "ann").may_squeeze
    pit.hides(2)
    pit.turn({2: "9"})
    pit.hides(3, 4)
    pit.turn({3: "K", 4: "K"})
    pit.settle()
    assert pit.state.squeeze_left is None, "the next round has all of it"


def test_an_interruption_takes_nothing_of_the_time() -> None:
    pit = house_deals()
    granted(pit, "ann", 1)
    pit.hides(1)
    pit.now += 5_000
    pit.report(Fault.TECHNICAL, who=SUPERVISOR)
    pit.now += 60_000
    pit.rule(SUPERVISOR, Choice.DOES_NOT_AFFECT)
    pit.now += 5_000
    pit.player("ann", c.FinishSqueeze(round=1, index=1))
    assert pit.state.squeeze_left == 10_000


# ---- a question meanwhile ----------------------------------------------------------------------------------------


def in_options(key: str) -> Pit:
    """Ann squeezes the first card while a dealing error gives everyone a choice."""
    pit = house_deals(key)
    granted(pit, "ann", 1, 3)
    pit.hides(1, 2)
    pit.now += 5_000
    pit.report(Fault.OTHER_DEALING_ERROR, who=SUPERVISOR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.phase is Phase.OPTIONS
    return pit


@rulings("SQZ-9")
@rulebook({"commission": ["3.9", "5.12"], "wu-song": ["3.9", "5.13"]}, by=(options.elect, dealing.expose_card))
@pytest.mark.parametrize("key", LONG)
def test_the_card_is_shown_to_all_before_anyone_chooses(key: str) -> None:
    pit = in_options(key)
    elect = c.Elect(question=pit.state.questions, election=Election.RETURN)
    for person in ("ann", "bob"):
        assert pit.refused(person, elect) == (Reason.SQUEEZE_GOES_ON, "3.9")
    assert "ExposeCard" in public_view(pit.felt, pit.state, Role.DEALER).allowed
    assert pit.refused(DEALER, c.ExposeCard(round=1, index=2, card=NINE))[0] is Reason.NOT_HEARD_NOW
    pit.now += 60
    pit.turn({1: "9"})
    assert (pit.phase, pit.state.squeeze_left, pit.state.keyed) == (Phase.OPTIONS, 15_000, 0)
    assert "ExposeCard" not in public_view(pit.felt, pit.state, Role.DEALER).allowed
    pit.player("bob", elect)
    pit.now = max(pit.now, pit.state.options.deadline if pit.state.options else 0)
    pit.staff(DEALER, c.CloseOptions(question=pit.state.questions))
    assert pit.phase is Phase.DEALING
    pit.turn({2: "K"})
    pit.hides(3)
    assert pit.state.squeezed[3].deadline == pit.now + 15_000


@pytest.mark.parametrize("key", LONG)
def test_the_last_card_shown_while_players_choose_gives_no_result_before_they_have_chosen(key: str) -> None:
    pit = house_deals(key)
    granted(pit, "ann", 4)
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "9", 2: "7", 3: "K"})
    pit.report(Fault.OTHER_DEALING_ERROR, who=SUPERVISOR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.turn({4: "10"})
    assert (pit.phase, pit.told(e.HandsCompleted)) == (Phase.OPTIONS, [])
    pit.everyone()
    assert (pit.phase, len(pit.told(e.HandsCompleted))) == (Phase.RESULT, 1)


@pytest.mark.parametrize("key", LONG)
def test_a_card_that_a_dealer_shows_while_players_choose_cannot_be_keyed_in_anew(key: str) -> None:
    pit = in_options(key)
    pit.automatic = False
    pit.turn({1: "9"})
    assert pit.state.keyed == 0


@pytest.mark.parametrize("key", LONG)
def test_with_a_shoe_that_failed_nobody_waits_for_a_card_that_cannot_be_shown(key: str) -> None:
    pit = in_options(key)
    assert pit.state.shoe is not None
    pit.state = pit.replayed = replace(pit.state, shoe=replace(pit.state.shoe, unproven=True))
    pit.player("bob", c.Elect(question=pit.state.questions, election=Election.RETURN))


@pytest.mark.parametrize("key", LONG)
def test_where_a_dealer_deals_nothing_is_turned_over_while_players_choose(key: str) -> None:
    pit = Pit(key, face_down=True)
    pit.open()
    pit.player("ann", c.TakeSeat(box=1))
    pit.bet("ann", "player", 500)
    pit.close()
    granted(pit, "ann", 1)
    pit.hides(1)
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert pit.refused(DEALER, c.ExposeCard(round=1, index=1, card=NINE))[0] is Reason.NOT_HEARD_NOW
    pit.player("ann", c.Elect(question=pit.state.questions, election=Election.RETURN))


@pytest.mark.parametrize("key", LONG)
def test_a_card_the_decks_cannot_hold_waits_until_everyone_has_chosen(key: str) -> None:
    pit = in_options(key)
    spades = {str(read_card("9S")): pit.decks}
    pit.state = pit.replayed = replace(pit.state, seen=spades)
    pit.turn({1: "9S"})
    assert (pit.phase, [one.fault for one in pit.state.faults]) == (Phase.OPTIONS, [Fault.DECK_COUNT])
    pit.everyone()
    assert pit.phase is Phase.DECISION


@pytest.mark.parametrize("key", LONG)
def test_the_table_itself_knows_no_face_before_everybody_does(key: str) -> None:
    pit = house_deals(key)
    granted(pit, "ann", 1)
    pit.hides(1)
    view = private_view(pit.felt, pit.state, "ann")
    assert (view.squeezing, view.faces) == ((1,), {}), "the house adds it to the view of whoever squeezes"
    assert [one.card for one in pit.state.drawn] == [None]


@pytest.mark.parametrize(
    ("automatic", "by_house", "ends"), [(True, True, True), (True, False, False), (False, True, False)]
)
@pytest.mark.parametrize("key", LONG)
def test_where_the_house_deals_it_may_end_a_squeeze_to_show_the_card(
    key: str, *, automatic: bool, by_house: bool, ends: bool
) -> None:
    pit = house_deals(key) if automatic else dealer_deals(key)
    granted(pit, "ann", 1)
    pit.hides(1)
    assert pit.refused(DEALER, c.ExposeCard(round=1, index=1, card=NINE)) == (Reason.SQUEEZE_GOES_ON, "3.9")
    by = By("dora", Role.DEALER, pit.now, house=by_house)
    found = decide(pit.felt, pit.state, c.FinishSqueeze(round=1, index=1, person="ann"), by)
    if not ends:
        assert isinstance(found, Refusal)
        assert found.reason is Reason.NOT_YOURS
        return
    assert not isinstance(found, Refusal)
    assert found.state is not None
    assert (found.state.squeezed, found.state.squeeze_left) == ({}, 20_000), "the time is kept for later cards"
    (told,) = found.events
    assert c.FinishSqueeze(round=1, index=1, person="ann") in commands_for(pit.state, (told,))


def dealer_deals(key: str) -> Pit:
    pit = Pit(key, face_down=True)
    pit.open()
    pit.player("ann", c.TakeSeat(box=1))
    pit.bet("ann", "player", 500, box=1)
    pit.close()
    return pit


# ---- the waiver --------------------------------------------------------------------------------------------------

ASK, CONSENT = c.RequestWaiver(round=1), c.AnswerWaiver(round=1, consent=True)
YES, NO = (c.AgreeToWaiver(round=1, agrees=agrees) for agrees in (True, False))


def third_cards_due(cards: str = "A K 3 2", *, automatic: bool = True) -> Pit:
    """Ann on Player, Bob on Banker, Cat on the Tie, and four open cards; both hands draw whatever comes."""
    pit = Pit("insurance", face_down=True, automatic=automatic)
    pit.open()
    for person, bet in (("ann", "player"), ("bob", "banker"), ("cat", "tie")):
        pit.bet(person, bet, 1_000)
    pit.close()
    pit.hides(1, 2, 3, 4)
    pit.turn(dict(enumerate(cards.split(), start=1)))
    assert pit.phase is Phase.DEALING
    return pit


@rulings("SQZ-8")
@rulebook({"insurance": ["4.1.4", "4.1.5"]}, by=(dealing.agree_to_waiver, dealing.answer_waiver))
def test_the_waiver_is_granted_only_if_everyone_agrees_who_could_insure() -> None:
    pit = third_cards_due()
    assert pit.refused("bob", YES) == (Reason.NO_WAIVER_ASKED, "4.1.5")
    pit.player("ann", ASK)
    assert pit.refused(DEALER, CONSENT) == (Reason.WAIVER_NOT_AGREED, "4.1.5")
    assert public_view(pit.felt, pit.state, Role.DEALER).waiver_to_agree == ("bob",)
    assert pit.refused("cat", YES) == (Reason.WAIVER_NOT_CONCERNED, "4.1.5")
    allowed = {person: private_view(pit.felt, pit.state, person).allowed for person in ("ann", "bob", "cat")}
    assert [person for person, names in allowed.items() if "AgreeToWaiver" in names] == ["bob"]
    pit.player("bob", NO)
    assert pit.refused(DEALER, CONSENT)[0] is Reason.WAIVER_NOT_AGREED
    (told,) = pit.player("bob", YES)
    assert paragraph(told) == "4.1.5"
    pit.staff(DEALER, CONSENT)
    assert pit.state.waived
    assert pit.refused("bob", NO)[0] is Reason.NO_WAIVER_ASKED


@rulings("SQZ-8")
@rulebook({"insurance": ["4.1.5"]}, by=dealing.request_waiver)
def test_it_is_asked_once_in_a_round() -> None:
    pit = third_cards_due()
    pit.player("ann", ASK)
    assert pit.state.waiver_until == pit.now + 20_000
    assert pit.refused("bob", ASK) == (Reason.WAIVER_ASKED_BEFORE, "4.1.5")
    pit.staff(DEALER, c.AnswerWaiver(round=1, consent=False))
    assert public_view(pit.felt, pit.state, Role.DEALER).waiver_to_agree == ()
    assert pit.refused("bob", ASK) == (Reason.WAIVER_ASKED_BEFORE, "4.1.5")
    assert "RequestWaiver" not in private_view(pit.felt, pit.state, "bob").allowed
    pit.hides(5)
    pit.turn({5: "7"})
    assert pit.phase is Phase.INSURANCE


def test_whoever_has_a_bet_on_a_hand_that_no_card_lets_insure_is_not_asked() -> None:
    pit = third_cards_due("A K 3 10")
    pit.player("ann", ASK)
    assert pit.refused("bob", YES)[0] is Reason.WAIVER_NOT_CONCERNED, "no row insures the Banker on nothing"
    pit.staff(DEALER, CONSENT)


def test_it_is_too_late_to_agree_once_a_third_card_is_open() -> None:
    pit = third_cards_due()
    pit.player("ann", ASK)
    pit.hides(5)
    pit.turn({5: "A"})
    assert pit.phase is Phase.INSURANCE
    assert pit.refused("bob", YES)[0] is Reason.NO_WAIVER
    assert public_view(pit.felt, pit.state, Role.DEALER).waiver_to_agree == ()


def test_nobody_is_asked_to_agree_once_corrected_cards_leave_no_third_to_open() -> None:
    pit = third_cards_due()
    pit.player("ann", ASK)
    pit.report(Fault.MISKEYED, who=SUPERVISOR)
    pit.rule(SUPERVISOR, Choice.CORRECT, cards=read_cards("A K 3 9"))
    assert (pit.phase, public_view(pit.felt, pit.state, Role.DEALER).waiver_to_agree) == (Phase.RESULT, ())


def test_nobody_is_offered_to_consent_where_the_house_does_it_but_may_refuse() -> None:
    pit = third_cards_due()
    pit.player("ann", ASK)
    pit.player("bob", YES)
    step = public_view(pit.felt, pit.state, Role.DEALER, automatic=True).next
    assert step is not None
    assert (step.code, step.command, step.otherwise) == ("answer_waiver", None, c.AnswerWaiver(round=1, consent=False))
    by_hand = public_view(pit.felt, pit.state, Role.DEALER).next
    assert by_hand is not None
    assert by_hand.command == CONSENT, "nobody else gives it once the table no longer deals by itself"


def test_a_pit_employee_records_what_a_player_without_a_terminal_says() -> None:
    pit = third_cards_due()
    pit.staff(DEALER, c.RequestWaiver(round=1, person="ann"))
    (told,) = pit.staff(DEALER, c.AgreeToWaiver(round=1, agrees=True, person="bob"))
    assert (isinstance(told, e.WaiverAgreed), paragraph(told)) == (True, None)
    pit.staff(DEALER, CONSENT)


def test_where_a_dealer_deals_the_house_consents_as_before() -> None:
    pit = third_cards_due(automatic=False)
    pit.player("ann", ASK)
    assert pit.refused("bob", YES) == (Reason.NO_WAIVER_ASKED, "4.1.5")
    pit.staff(DEALER, CONSENT)
    assert pit.state.waived
