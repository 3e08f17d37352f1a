"""At a dealer's table the settlement is posted at once and made box by box: the round ends with the last box."""

import pytest

from puntobanco.rules.cards import read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import dealing, irregularities, management, options, reversal
from puntobanco.table import events as e
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Election, Fault, Tender
from puntobanco.table.decide import Refusal
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.setup import Setup
from puntobanco.table.state import Phase
from puntobanco.table.views import AUDITOR, BOARD, private_view, public_view
from tests.marks import rulebook, rulings
from tests.table.pit import AT_ONCE, DEALER, MANAGER, SHIFT, STAFF, SUPERVISOR, Pit, paragraph

LONG = ("commission", "wu-song")
BY_HAND = (*LONG, "super-six", "insurance")
BEFORE = {"ann": 100_000, "bob": 100_000, "cat": 100_000}


def posted(key: str, cards: str = "9 2 K 5", **options: object) -> Pit:
    """Ann has 100 on Player in box 1, Bob 200 on Banker in box 3, and the dealer has settled; no box is paid yet."""
    pit = Pit(key, **options)  # type: ignore[arg-type]
    pit.open()
    pit.bet("ann", "player", 100, box=1)
    pit.bet("bob", "banker", 200, box=3)
    pit.close()
    pit.deal(cards)
    pit.staff(pit.dealer, c.Settle(round=1))
    return pit


def purses(pit: Pit) -> dict[str, int]:
    return {person: pit.purse(person) for person in pit.state.purses}


def setup_of(pit: Pit) -> Setup:
    assert pit.state.setup is not None
    return pit.state.setup


# ---- when the round has ended ------------------------------------------------------------------------------------


@rulings("FIN-16")
@pytest.mark.parametrize("key", BY_HAND)
@rulebook({"commission": ["1.16"], "wu-song": ["1.22"]}, by=(dealing.settle_round, dealing.confirm_box))
def test_the_round_ends_with_the_last_box(key: str) -> None:
    pit = posted(key)
    assert (pit.phase, pit.state.unpaid, pit.state.in_round, pit.state.in_gap) == (Phase.PAYING, (1, 3), True, False)
    for who, command in (
        (DEALER, c.OpenBetting()),
        (MANAGER, AT_ONCE),
        (MANAGER, c.ChangeSetup(setup=setup_of(pit))),
        (MANAGER, c.LoadShoe(shoe="two", decks=8, shuffled=True, source=setup_of(pit).source)),
    ):
        answer = pit.tell(command, By(STAFF[who], who, pit.now))
        assert isinstance(answer, Refusal)
        assert (answer.reason, answer.parameters) == (Reason.BOX_UNPAID, {"boxes": "1, 3"}), "it names the boxes"
    assert pit.refused(DEALER, c.Settle(round=1)) == (Reason.NOT_HEARD_NOW, None), "nor is it heard after the last box"
    pit.confirm(3)
    assert (pit.phase, pit.state.unpaid) == (Phase.PAYING, (1,))
    pit.confirm(1)
    assert (pit.phase, pit.state.unpaid, pit.state.in_gap) == (Phase.SETTLED, (), True)
    assert [event.boxes for event in pit.told(e.BoxesConfirmed)] == [(3,), (1,)]
    pit.open()
    assert pit.state.round == 2


@rulings("FIN-17")
@pytest.mark.parametrize("key", BY_HAND)
def test_the_money_is_posted_with_the_settlement(key: str) -> None:
    pit = posted(key)
    assert purses(pit) == {"ann": 100_100, "bob": 99_800, "cat": 100_000}
    before = pit.state.purses
    pit.pay()
    assert pit.state.purses == before


@rulings("FIN-16")
def test_a_round_without_bets_ends_with_the_settlement() -> None:
    pit = Pit("commission")
    pit.round({}, "9 2 K 5")
    assert pit.phase is Phase.SETTLED
    assert pit.told(e.RoundSettled)[-1].boxes == ()


@pytest.mark.parametrize("key", [*BY_HAND, "non-commission-etg"])
def test_where_the_house_deals_settlement_is_one_act(key: str) -> None:
    pit = posted(key, automatic=True)
    assert (pit.phase, pit.state.unpaid) == (Phase.SETTLED, ())
    assert pit.refused(SUPERVISOR, c.ConfirmRest(round=1))[0] is Reason.NOT_HEARD_NOW


def test_a_round_the_house_opened_is_settled_in_one_act_by_whoever_takes_the_table_over() -> None:
    pit = Pit("commission", automatic=True)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.automatic = False
    pit.close()
    pit.deal("9 2 K 5")
    pit.settle()
    assert (pit.phase, pit.told(e.BoxesConfirmed)) == (Phase.SETTLED, [])


@rulings("FIN-1")
def test_in_an_earlier_edition_the_settlement_ended_the_round() -> None:
    pit = Pit("commission")
    pit.felt = Felt.of(pit.game, setup_of(pit), Edition.GUESTS_CONFIRM)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.deal("9 2 K 5")
    pit.staff(DEALER, c.Settle(round=1))
    assert (pit.phase, pit.told(e.RoundSettled)[-1].boxes) == (Phase.SETTLED, ())


# ---- who confirms ------------------------------------------------------------------------------------------------


def test_a_box_is_confirmed_once_and_only_if_something_lay_there() -> None:
    pit = posted("commission")
    pit.confirm(1)
    for box in (1, 2, 0):
        assert pit.refused(DEALER, c.ConfirmBox(round=1, box=box)) == (Reason.NOT_UNPAID, None)
    assert pit.refused(DEALER, c.ConfirmBox(round=2, box=3)) == (Reason.STALE_ROUND, None)
    assert pit.refused(SUPERVISOR, c.ConfirmRest(round=2)) == (Reason.STALE_ROUND, None)


@rulings("FIN-18")
@pytest.mark.parametrize("key", BY_HAND)
def test_the_rest_is_confirmed_at_once_by_a_pit_supervisor_or_above(key: str) -> None:
    for role in (SUPERVISOR, MANAGER, SHIFT):
        pit = posted(key)
        assert pit.refused(DEALER, c.ConfirmRest(round=1))[0] is Reason.NOT_AUTHORISED
        assert pit.refused("ann", c.ConfirmRest(round=1))[0] is Reason.NOT_AUTHORISED
        assert pit.refused("ann", c.ConfirmBox(round=1, box=1))[0] is Reason.NOT_AUTHORISED
        pit.confirm(1)
        pit.staff(role, c.ConfirmRest(round=1))
        assert (pit.phase, pit.told(e.BoxesConfirmed)[-1].boxes) == (Phase.SETTLED, (3,))
    pit = posted(key)
    pit.staff(SUPERVISOR, c.ConfirmRest(round=1))
    assert (pit.phase, pit.told(e.BoxesConfirmed)[-1].boxes) == (Phase.SETTLED, (1, 3))


def test_screens_show_which_boxes_are_left_and_what_waits() -> None:
    pit = posted("commission")
    for audience, shown in ((DEALER, (1, 3)), (AUDITOR, (1, 3)), (Role.PLAYER, ()), (BOARD, ())):
        assert public_view(pit.felt, pit.state, audience).unpaid == shown
    assert "ConfirmBox" in public_view(pit.felt, pit.state, DEALER).allowed
    assert "ConfirmRest" not in public_view(pit.felt, pit.state, DEALER).allowed
    assert "ConfirmRest" in public_view(pit.felt, pit.state, SHIFT).allowed
    assert private_view(pit.felt, pit.state, "ann").withheld == 200_00
    assert private_view(pit.felt, pit.state, "bob").withheld == 0
    pit.confirm(1)
    assert private_view(pit.felt, pit.state, "ann").withheld == 0


# ---- what the settlement gave is held ----------------------------------------------------------------------------


@rulings("FIN-17")
@rulebook({"commission": ["1.16"], "wu-song": ["1.22"]}, by=management.cash_out)
def test_what_was_won_is_not_cashed_out_before_its_box_is_confirmed() -> None:
    pit = posted("commission")
    free = 99_900_00
    assert pit.refused("ann", c.CashOut(person="ann", amount=free + 100)) == (Reason.BOX_UNPAID, None)
    assert pit.refused("ann", c.CashOut(person="ann", amount=200_000_00)) == (Reason.NOT_ENOUGH_MONEY, None)
    pit.player("ann", c.CashOut(person="ann", amount=free))
    pit.player("bob", c.CashOut(person="bob", amount=99_800_00))
    assert pit.refused("ann", c.CashOut(person="ann", amount=100)) == (Reason.BOX_UNPAID, None)
    pit.confirm(1)
    pit.player("ann", c.CashOut(person="ann", amount=200_00))
    assert pit.purse("ann") == 0


def test_a_guest_leaves_when_the_dealer_has_come_to_every_box_of_theirs() -> None:
    pit = Pit("commission")
    for name in ("Lee", "Ng"):
        pit.staff(DEALER, c.BuyInAtTable(name=name, amount=1_000_00, tender=Tender.CASH))
    pit.open()
    for box, bet in ((1, "player"), (2, "banker")):
        line = c.Line(bet=bet, amount=100_00, box=box)
        pit.staff(DEALER, c.PlaceBets(round=1, owner="~Lee", requested=True, lines=(line,)))
    pit.close()
    assert pit.refused(DEALER, c.LeaveTable(person="~Lee"))[0] is Reason.BETS_IN_PLAY
    pit.deal("9 2 K 5")
    pit.staff(DEALER, c.Settle(round=1))
    pit.confirm(1)
    assert pit.refused(DEALER, c.LeaveTable(person="~Lee")) == (Reason.BOX_UNPAID, None), "box 2 is still to be taken"
    pit.staff(DEALER, c.LeaveTable(person="~Ng"))
    pit.confirm(2)
    pit.staff(DEALER, c.LeaveTable(person="~Lee"))
    assert pit.told(e.GuestLeft)[-1].amount == 1_000_00


@pytest.mark.parametrize("key", ["super-six", "insurance"])
def test_a_stake_is_taken_or_left_after_a_tie_once_its_box_is_confirmed(key: str) -> None:
    pit = posted(key, "9 9 K K")
    assert set(pit.state.held) == {"1/player/ann", "3/banker/bob"}
    take = c.ChooseAfterTie(round=1, bet="player", leave=False, box=1)
    assert pit.refused("ann", take) == (Reason.BOX_UNPAID, pit.game.tie.rule)
    pit.confirm(1)
    pit.player("ann", take)
    assert (pit.phase, pit.purse("ann")) == (Phase.PAYING, 100_000)
    pit.confirm(3)
    assert set(pit.state.held) == {"3/banker/bob"}


@rulings("FIN-17")
def test_a_debt_is_set_off_against_a_win_once_its_box_is_confirmed() -> None:
    pit = posted("wu-song")
    pit.pay()
    pit.player("ann", c.CashOut(person="ann", amount=100_100_00))
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert (pit.state.owed["ann"], pit.purse("ann")) == (100_00, 0)
    pit.player("ann", c.BuyIn(person="ann", amount=1_000_00))
    pit.staff(SUPERVISOR, c.LoadShoe(shoe="two", decks=8, shuffled=True, source=setup_of(pit).source))
    pit.open()
    pit.bet("ann", "player", 100)
    pit.bet("ann", "banker", 100, box=2)
    pit.close()
    pit.deal("9 2 K 5")
    pit.staff(DEALER, c.Settle(round=2))
    pit.confirm(2)
    assert pit.state.owed["ann"] == 100_00, "what lies in the other box is not paid yet"
    assert pit.refused("ann", c.CashOut(person="ann", amount=701_00)) == (Reason.BOX_UNPAID, None)
    pit.confirm(1)
    assert (pit.state.owed["ann"], pit.purse("ann")) == (0, 900)


# ---- a cause that voids ------------------------------------------------------------------------------------------


@rulings("FIN-16")
@pytest.mark.parametrize("fault", [Fault.FOREIGN_CARD, Fault.DECK_COUNT, Fault.UNSHUFFLED, Fault.SHOE_EMPTY])
@pytest.mark.parametrize("key", BY_HAND)
@rulebook(
    {
        "commission": ["1.16", "5.5", "5.15"], "wu-song": ["1.22", "5.5", "5.16"], "super-six": ["5.1"],
        "insurance": ["5.1"],
    },
    by=(irregularities.report, reversal.void),
)  # fmt: skip
def test_a_cause_reported_halfway_voids_the_round_and_takes_back_what_was_paid(key: str, fault: Fault) -> None:
    own = irregularities.paragraph_of(Pit(key).felt, fault)
    pit = posted(key)
    pit.confirm(1)
    pit.report(fault)
    assert pit.phase is Phase.DECISION
    for command in (c.ConfirmBox(round=1, box=3), c.ConfirmRest(round=1)):
        assert pit.refused(SUPERVISOR, command)[0] is Reason.NOT_HEARD_NOW, "a hurried confirmation changes nothing"
    pit.rule(SHIFT, Choice.VOID)
    assert (pit.phase, pit.state.unpaid, purses(pit)) == (Phase.VOIDED, (), BEFORE)
    voided = pit.told(e.RoundVoided)[-1]
    assert own is None or paragraph(voided) == own
    assert pit.told(e.SettlementReversed)[-1].owed == {}


@rulebook({"commission": ["5.5", "5.5.1"]}, by=irregularities.report)
def test_after_the_last_box_only_what_reaches_a_settled_round_voids_it() -> None:
    pit = posted("commission")
    pit.pay()
    pit.report(Fault.FOREIGN_CARD)
    assert (pit.phase, pit.told(e.RoundVoided)) == (Phase.SETTLED, [])


def test_what_was_paid_and_cashed_out_before_the_report_is_owed() -> None:
    pit = posted("commission")
    pit.confirm(1)
    pit.player("ann", c.CashOut(person="ann", amount=100_100_00))
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert (pit.state.owed["ann"], pit.purse("ann"), pit.purse("bob")) == (100_00, 0, 100_000)


def test_a_claim_that_proves_unfounded_leaves_the_boxes_as_they_were() -> None:
    pit = posted("commission")
    pit.confirm(1)
    pit.claim("bob", Fault.FOREIGN_CARD)
    assert pit.phase is Phase.DECISION
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert (pit.phase, pit.state.unpaid) == (Phase.PAYING, (3,))


@pytest.mark.parametrize("key", LONG)
@rulebook({"commission": ["5.4.1"], "wu-song": ["5.4.1"]}, by=irregularities.rule)
def test_an_interruption_while_the_dealer_pays_ends_with_the_boxes_that_are_left(key: str) -> None:
    pit = posted(key)
    pit.confirm(1)
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.AFFECTS)
    assert (pit.phase, pit.state.unpaid) == (Phase.PAYING, (3,))


# ---- options -----------------------------------------------------------------------------------------------------

SWAPPED = {1: Side.BANKER, 2: Side.PLAYER}


@rulings("OPT-14")
@pytest.mark.parametrize("key", LONG)
@rulebook({"commission": ["5.12"], "wu-song": ["5.13"]}, by=(irregularities.rule, options.options_or_on))
def test_options_are_put_until_the_first_box_is_taken_or_paid(key: str) -> None:
    pit = posted(key)
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert (pit.phase, pit.purse("ann")) == (Phase.OPTIONS, 99_900), "the settlement is taken back first"
    assert pit.told(e.AlertRaised)[-1].kind == "options_after_result"
    pit.player("ann", c.Elect(question=pit.state.questions, election=Election.CONTINUE))
    pit.player("bob", c.Elect(question=pit.state.questions, election=Election.RETURN))
    pit.staff(DEALER, c.CloseOptions(question=pit.state.questions))
    assert pit.phase is Phase.RESULT
    pit.staff(DEALER, c.Settle(round=1))
    assert pit.state.unpaid == (1,), "what Bob took back is on no list"
    pit.confirm(1)
    assert (pit.phase, purses(pit)) == (Phase.SETTLED, BEFORE | {"ann": 100_100})


@rulings("OPT-14")
@pytest.mark.parametrize("key", LONG)
@rulebook({"commission": ["5.12"], "wu-song": ["5.13"]}, by=irregularities.rule)
def test_there_are_no_options_once_a_box_is_taken_or_paid(key: str) -> None:
    pit = posted(key)
    pit.confirm(3)
    pit.report(Fault.OTHER_DEALING_ERROR)
    assert pit.told(e.IrregularityReported)[-1].report.paid
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert (pit.phase, pit.told(e.OptionsOffered)) == (Phase.RESULT, [])
    pit.staff(DEALER, c.Settle(round=1))
    assert pit.state.unpaid == (1, 3), "what is settled anew is taken and paid anew"


@pytest.mark.parametrize("key", LONG)
@rulebook({"commission": ["5.10.1"], "wu-song": ["5.11.1"]}, by=options.options_or_on)
def test_cards_that_come_together_before_the_first_box_give_options_on_a_settlement_taken_back(key: str) -> None:
    pit = posted(key)
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("4 5"), order_known=True)
    assert (pit.phase, purses(pit)) == (Phase.OPTIONS, BEFORE | {"ann": 99_900, "bob": 99_800})
    pit.everyone(Election.RETURN)
    assert (pit.phase, purses(pit)) == (Phase.WITHOUT_BETS, BEFORE)


@pytest.mark.parametrize("key", LONG)
@rulebook({"commission": ["5.8", "5.12.1"], "wu-song": ["5.9", "5.13.1"]}, by=irregularities.rule)
def test_cards_that_cannot_be_put_in_order_lie_with_options_before_the_first_box_and_go_up_after_it(key: str) -> None:
    pit = posted(key)
    pit.report(Fault.MISDIRECTED, lies=SWAPPED)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert (pit.phase, pit.state.as_lying) == (Phase.OPTIONS, True)
    assert pit.told(e.SettlementReversed)
    pit = posted(key)
    pit.confirm(1)
    pit.report(Fault.MISDIRECTED, lies=SWAPPED)
    pit.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    assert pit.state.question is not None
    assert (pit.state.question.asked_of, pit.told(e.SettlementReversed)) == (SHIFT, [])
    pit.rule(SHIFT, Choice.RESETTLE)
    assert (pit.state.as_lying, pit.told(e.OptionsOffered)) == (True, [])


# ---- settled anew ------------------------------------------------------------------------------------------------


def test_a_wrong_payment_noticed_halfway_is_settled_anew() -> None:
    pit = posted("commission")
    pit.confirm(1)
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE, cards=read_cards("2 9 K K"))
    assert pit.phase is Phase.RESULT
    pit.settle()
    assert (pit.phase, purses(pit)) == (Phase.SETTLED, BEFORE | {"ann": 99_900, "bob": 100_190})
    assert [event.boxes for event in pit.told(e.BoxesConfirmed)] == [(1,), (1,), (3,)]


@pytest.mark.parametrize("key", LONG)
@rulebook({"commission": ["5.7"], "wu-song": ["5.8"]}, by=irregularities.report)
def test_a_card_seen_while_the_dealer_pays_is_the_next_rounds(key: str) -> None:
    pit = posted(key)
    pit.report(Fault.EXPOSED, cards=read_cards("4"))
    assert (pit.phase, pit.state.unpaid, len(pit.state.front)) == (Phase.PAYING, (1, 3), 1)


@pytest.mark.parametrize("key", ["super-six", "insurance"])
def test_a_round_settled_anew_after_the_table_closed_leaves_it_closed_with_the_last_box(key: str) -> None:
    pit = posted(key)
    pit.pay()
    pit.staff(MANAGER, AT_ONCE)
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE, cards=read_cards("9 9 K K"))
    pit.staff(DEALER, c.Settle(round=1))
    pit.confirm(1)
    assert (pit.phase, len(pit.state.held)) == (Phase.PAYING, 2)
    pit.confirm(3)
    assert (pit.phase, pit.state.held, purses(pit)) == (Phase.CLOSED, {}, BEFORE)
