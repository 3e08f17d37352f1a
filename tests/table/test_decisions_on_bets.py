"""What the House makes of bets: of a round that cannot be played out, and of single ones by a decision."""

from itertools import product

import pytest
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.cards import Card, Rank, read_cards
from puntobanco.rules.established import possible_outcomes, standings
from puntobanco.rules.money import GREATEST_STAKE
from puntobanco.rules.procedures import Window
from puntobanco.rules.refusal import Reason
from puntobanco.rules.settlement import Result, deciding_line
from puntobanco.table import commands as c
from puntobanco.table import house_decisions, irregularities, reversal, settling
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import BetTerms, Choice, Fault, Terms
from puntobanco.table.events import (
    AlertRaised,
    BetsDecided,
    CardsSetAside,
    CarryOverDiscarded,
    DebtSetOff,
    HouseDecided,
    Question,
    RoundDecided,
    RoundSettled,
    RoundVoided,
    SettlementReversed,
    Stake,
)
from puntobanco.table.explain import account
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.pending import PendingEvents
from puntobanco.table.setup import InterruptionFinding, Policy, Source
from puntobanco.table.state import Phase
from puntobanco.table.views import public_view
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, in_play, paragraph

LONG = ["commission", "wu-song"]
SHORT = ["non-commission-etg", "super-six", "insurance"]
UNPROVIDED = {"commission": "5.17", "wu-song": "5.18"}
VOID = {"commission": "5.15", "wu-song": "5.16"}


def terms(owner: str, bet: str, what: Terms, dollars: int = 0, box: int = 1) -> BetTerms:
    return BetTerms(owner=owner, bet=bet, terms=what, amount=dollars * 100, box=box)


def stopped(key: str, cards: str = "5 K 5", **options: object) -> Pit:
    """An outcome is established, and play cannot go on."""
    pit = in_play(key, cards, **options)
    pit.report(Fault.TECHNICAL)
    if key in LONG:
        pit.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
    return pit


def asked(pit: Pit) -> Question:
    assert pit.state.question is not None
    return pit.state.question


def decide(*bets: BetTerms, number: int = 1, reason: str = "seen on the camera") -> c.DecideUnprovided:
    return c.DecideUnprovided(round=number, decision="so be it", reason=reason, bets=bets)


# ---- an outcome established, and no way to go on -----------------------------------------------------------------


@rulings("TEC-14")
@rulebook({"commission": ["5.4.1", "5.17"], "wu-song": ["5.4.1", "5.18"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", LONG)
def test_5_4_1_what_has_won_or_lost_is_settled_and_only_what_is_open_goes_back(key: str) -> None:
    pit = Pit(key)
    pit.open()
    for person, bet in (("ann", "player"), ("bob", "player_pair"), ("cat", "banker")):
        pit.bet(person, bet, 100)
    pit.close()
    pit.deal("5 K 5")
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
    question = asked(pit)
    assert (question.asked_of, question.choices) == (SHIFT, (Choice.BY_HAND, Choice.CONCLUDE, Choice.DECIDE_BETS))
    events = pit.rule(SHIFT, Choice.CONCLUDE)
    assert (pit.phase, pit.purse("ann"), pit.purse("bob"), pit.purse("cat")) == (
        Phase.DECIDED, 100_000, 101_100, 100_000,
    )  # fmt: skip
    (decided,) = pit.told(RoundDecided)
    assert paragraph(decided) == UNPROVIDED[key]
    assert VOID[key] not in {paragraph(event) for event in events}
    assert (pit.told(RoundVoided), pit.told(RoundSettled)) == ([], [])
    pit.open()
    assert (pit.phase, pit.state.round) == (Phase.BETTING, 2)


@pytest.mark.parametrize("key", SHORT)
def test_without_a_paragraph_the_house_decides_on_an_established_round_and_does_not_void_it(key: str) -> None:
    pit = stopped(key)
    assert asked(pit).choices == (Choice.CONTINUE, Choice.BY_HAND, Choice.CONCLUDE, Choice.DECIDE_BETS)
    assert "Rule" in public_view(pit.felt, pit.state, DEALER).allowed, "a pause is over when whoever deals says so"
    assert pit.refused(DEALER, c.Rule(question=1, choice=Choice.CONCLUDE, reason="x"))[0] is Reason.NOT_AUTHORISED
    pit.rule(SHIFT, Choice.CONCLUDE)
    assert (pit.phase, paragraph(pit.told(RoundDecided)[0]), pit.purse("ann")) == (Phase.DECIDED, None, 100_000)
    open_ = in_play(key, "5")
    open_.report(Fault.TECHNICAL)
    assert Choice.VOID in asked(open_).choices


@rulings("TEC-14")
@rulebook({"commission": ["5.4.1"], "wu-song": ["5.4.1"]}, by=irregularities.rule)
@pytest.mark.parametrize("key", [*LONG, "non-commission-etg", "super-six"])
def test_5_4_1_the_remaining_cards_are_dealt_by_hand(key: str) -> None:
    pit = stopped(key)
    pit.rule(SHIFT, Choice.BY_HAND)
    assert pit.phase is Phase.DEALING
    pit.deal("7 6")
    pit.settle()
    assert (pit.purse("ann"), pit.phase) == (99_900, Phase.SETTLED)


@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize("unproven", [False, True])
def test_nobody_deals_by_hand_from_a_sealed_shoe(key: str, unproven: bool) -> None:
    pit = Pit(key)
    pit.staff(SHIFT, c.WithdrawShoe(reason="worn"))
    pit.staff(DEALER, c.LoadShoe(shoe="sealed", decks=8, shuffled=True, source=Source.ELECTRONIC, commitment="a" * 64))
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.deal("5 K 5")
    if unproven:
        pit.staff(Role.SYSTEM, c.WithdrawShoe(reason="x"))
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
    deals = () if unproven else (Choice.CONTINUE,)
    assert asked(pit).choices == (*deals, Choice.CONCLUDE, Choice.DECIDE_BETS)
    assert "Rule" not in public_view(pit.felt, pit.state, DEALER).allowed


@pytest.mark.parametrize("key", LONG)
def test_once_the_round_is_settled_nothing_is_left_to_deal(key: str) -> None:
    pit = in_play(key, "9 7 K 10")
    pit.settle()
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
    assert (pit.phase, pit.state.question) == (Phase.SETTLED, None)


@rulebook({"commission": ["5.17"], "wu-song": ["5.18"]}, by=house_decisions.conclude)
@pytest.mark.parametrize("key", LONG)
def test_5_17_another_decision_names_bets_and_has_its_reason(key: str) -> None:
    pit = stopped(key, "5 K 5")
    rule = c.Rule(question=2, choice=Choice.DECIDE_BETS, reason="x", bets=(terms("ann", "player", Terms.RETURN),))
    assert pit.refused(SHIFT, replace(rule, reason=" ")) == (Reason.REASON_MISSING, UNPROVIDED[key])
    assert pit.refused(SHIFT, replace(rule, bets=())) == (Reason.BETS_NAMED_WRONGLY, UNPROVIDED[key])
    assert pit.refused(SHIFT, replace(rule, choice=Choice.CONCLUDE))[0] is Reason.BETS_NAMED_WRONGLY
    for bet, why in (
        (terms("ann", "banker", Terms.RETURN), Reason.NO_SUCH_BET_PLACED),
        (terms("eve", "player", Terms.RETURN), Reason.UNKNOWN_PERSON),
        (terms("ann", "nothing", Terms.RETURN), Reason.UNKNOWN_BET),
        (terms("ann", "player", Terms.RETURN, box=99), Reason.BOX_OUT_OF_RANGE),
        (terms("ann", "player", Terms.RETURN, 5), Reason.AMOUNT_NOT_POSITIVE),
        (terms("ann", "player", Terms.PAY), Reason.AMOUNT_NOT_POSITIVE),
        (terms("ann", "player", Terms.PAY, 10**15), Reason.AMOUNT_TOO_GREAT),
        (BetTerms(owner="ann", bet="player", terms=Terms.AT_STAKE, amount=150, box=1), Reason.STAKE_NOT_IN_UNITS),
        (terms("ann", "player", Terms.AT_STAKE, 100), Reason.BET_UNCHANGED),
        (terms("ann", "player", Terms.AT_STAKE, 500), Reason.BET_STILL_OPEN),
        (terms("ann", "player", Terms.AS_RECORDED), Reason.BET_STILL_OPEN),
    ):
        assert pit.refused(SHIFT, replace(rule, bets=(bet,)))[0] is why, bet
    assert pit.refused(SHIFT, replace(rule, bets=rule.bets * 2))[0] is Reason.BETS_NAMED_WRONGLY
    pit.rule(SHIFT, Choice.DECIDE_BETS, bets=(terms("ann", "player", Terms.PAY, 30),))
    assert (pit.phase, pit.purse("ann"), pit.purse("bob")) == (Phase.DECIDED, 99_930, 100_000)


@rulings("FIN-20")
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize(
    ("what", "dollars", "cat"),
    [
        (Terms.AS_RECORDED, 0, 101_100), (Terms.RETURN, 0, 100_000), (Terms.PAY, 500, 100_400),
        (Terms.AT_STAKE, 200, 102_200), (Terms.AT_STAKE, 50, 100_550), (Terms.PAY, 100, 100_000),
    ],
)  # fmt: skip
def test_a_bet_that_has_won_gets_what_the_decision_says(key: str, what: Terms, dollars: int, cat: int) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "player", 100)
    pit.bet("cat", "player_pair", 100)
    pit.close()
    pit.deal("5 K 5")
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
    pit.rule(SHIFT, Choice.DECIDE_BETS, bets=(terms("cat", "player_pair", what, dollars),))
    assert (pit.phase, pit.purse("cat"), pit.purse("ann")) == (Phase.DECIDED, cat, 100_000)


@pytest.mark.parametrize("key", LONG)
def test_unattended_a_round_that_no_shoe_can_finish_still_waits_for_the_shift_manager(key: str) -> None:
    pit = in_play(key, "5 K 5", policy=Policy(interruption_finding=InterruptionFinding.AUTOMATIC))
    pit.report(Fault.TECHNICAL)
    assert pit.phase is Phase.DEALING, "an established outcome is played out"


def test_cards_named_in_a_report_that_nobody_answered_are_set_aside_and_those_in_front_discarded() -> None:
    pit = in_play("super-six", "5 K 5")
    pit.report(Fault.EXCESS, who=SUPERVISOR, cards=read_cards("9"))
    pit.rule(SHIFT, Choice.CONTINUE)
    pit.report(Fault.EXCESS, who=SUPERVISOR, cards=read_cards("8"))
    pit.report(Fault.TECHNICAL)
    pit.rule(SHIFT, Choice.CONCLUDE)
    assert (pit.phase, pit.state.front) == (Phase.DECIDED, ())
    assert (len(pit.told(CardsSetAside)), len(pit.told(CarryOverDiscarded))) == (1, 1)


def test_bets_that_were_still_taken_are_closed_as_they_lie() -> None:
    """Three cards that came too early are in sight, so the Player's pair is lost before betting is closed."""
    pit = Pit("super-six")
    pit.open()
    pit.bet("ann", "super_six", 100)
    for card in ("9", "K", "K"):
        pit.report(Fault.EXPOSED, who=SUPERVISOR, cards=read_cards(card))
        pit.rule(SHIFT, Choice.CONTINUE)
    pit.report(Fault.TECHNICAL)
    pit.rule(SHIFT, Choice.CONCLUDE)
    assert (pit.phase, pit.purse("ann")) == (Phase.DECIDED, 99_900)


@rulings("TEC-15")
@pytest.mark.parametrize("key", library.GAMES)
def test_what_is_certain_is_what_every_outcome_gives(key: str) -> None:
    """For every hand of three open cards: a bet is concluded exactly if it stands won, lost or returned, and at what
    the worst of its outcomes pays."""
    pit = in_play(key, "")
    layout = pit.felt.layout
    ranks = (Rank.FIVE, Rank.SEVEN, Rank.NINE)
    for one, two, three in product(ranks, (Rank.SIX, Rank.KING), ranks):
        cards = (Card(one), Card(two), Card(three))
        state = replace(pit.state, front=cards)
        pending = PendingEvents(pit.felt, state, By("tom", SHIFT, 0))
        standing = standings(pit.game, layout, state.seen_in_order)
        for bet in (bet for bet in pit.felt.bets.values() if bet.insures is None):
            stake = Stake(owner="ann", box=1, bet=bet.key, amount=100_00, placer="ann", order=1)
            found = settling.concluded(pending, stake, 100_00)
            assert (found is None) == (standing[bet.key] == "open")
            if found is not None:
                possible = possible_outcomes(state.seen_in_order)
                lines = [
                    settling.settled_stake(pending, stake, 100_00, outcome, {bet.key: deciding_line(bet, outcome)})
                    for outcome in possible
                ]
                assert found.profit == min(line.profit for line in lines)
                assert {line.result for line in lines} == {found.result}


@rulings("TEC-15")
def test_insurance_is_open_as_long_as_the_hand_it_insures_is() -> None:
    pit = Pit("insurance", face_down=True)
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.close()
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "2", 2: "2", 3: "2", 4: "3"})
    assert pit.phase is Phase.INSURANCE
    pit.player("ann", c.Insure(round=1, window=Window.FOUR, amount=100_00, box=1))
    pit.staff(DEALER, c.CloseInsurance(round=1, window=Window.FOUR))
    pit.hides(5)
    pit.report(Fault.TECHNICAL)
    pit.rule(SHIFT, Choice.CONCLUDE)
    assert (pit.phase, pit.purse("ann")) == (Phase.DECIDED, 100_000)
    assert {one.result for one in pit.told(RoundDecided)[0].stakes} == {Result.PUSH}


@rulings("TEC-7")
def test_what_was_decided_then_is_asked_as_it_was_in_histories_of_then() -> None:
    pit = in_play("commission", "5 K 5")
    pit.felt = Felt(pit.felt.game, pit.felt.layout, Edition.GUESTS_CONFIRM)
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
    assert asked(pit).choices == (Choice.CONTINUE, Choice.RETURN_BETS)
    pit.rule(SHIFT, Choice.RETURN_BETS)
    assert pit.phase is Phase.VOIDED
    short = in_play("super-six", "5 K 5")
    short.felt = Felt(short.felt.game, short.felt.layout, Edition.GUESTS_CONFIRM)
    short.report(Fault.TECHNICAL)
    assert asked(short).choices == (Choice.CONTINUE, Choice.VOID, Choice.RETURN_BETS)


# ---- after the decision ------------------------------------------------------------------------------------------


@rulings("TEC-16")
@rulebook({"commission": ["5.5.3"], "wu-song": ["5.5.3", "5.6"]}, by=irregularities.report)
@pytest.mark.parametrize("key", LONG)
def test_5_5_a_wrong_number_of_cards_still_voids_a_decided_round(key: str) -> None:
    pit = stopped(key)
    pit.rule(SHIFT, Choice.CONCLUDE)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    assert asked(pit).choices == (Choice.CANNOT_RECONSTRUCT, Choice.STANDS)
    pit.rule(SHIFT, Choice.CANNOT_RECONSTRUCT)
    assert (pit.phase, pit.purse("ann"), len(pit.told(SettlementReversed))) == (Phase.VOIDED, 100_000, 1)


@rulings("TEC-16")
@pytest.mark.parametrize("key", [*LONG, *SHORT])
@pytest.mark.parametrize("fault", [Fault.MISPAYMENT, Fault.TECHNICAL, Fault.OTHER_DEALING_ERROR])
def test_anything_else_is_recorded_and_the_decision_stays(key: str, fault: Fault) -> None:
    pit = stopped(key)
    pit.rule(SHIFT, Choice.CONCLUDE)
    pit.report(fault)
    assert (pit.phase, pit.state.question, pit.state.faults) == (Phase.DECIDED, None, ())


@pytest.mark.parametrize("key", SHORT)
def test_a_question_about_a_decided_round_leads_back_to_it(key: str) -> None:
    pit = stopped(key)
    pit.rule(SHIFT, Choice.CONCLUDE)
    pit.report(Fault.DECK_COUNT)
    pit.rule(SHIFT, Choice.CONTINUE)
    assert (pit.phase, pit.state.question) == (Phase.DECIDED, None)
    pit.open()


# ---- single bets -------------------------------------------------------------------------------------------------


@rulings("FIN-19")
@rulebook({"commission": ["5.17"], "wu-song": ["5.18"]}, by=house_decisions.decide_unprovided)
@pytest.mark.parametrize("key", library.GAMES)
def test_5_17_a_decision_names_bets_while_the_round_is_dealt(key: str) -> None:
    box = 0 if key == "non-commission-etg" else 1
    pit = in_play(key, "9 7")
    assert pit.refused(SHIFT, decide(terms("ann", "player", Terms.RETURN, box=box), reason=" "))[0] is (
        Reason.REASON_MISSING
    )
    assert pit.refused(MANAGER, decide(terms("ann", "player", Terms.RETURN, box=box)))[0] is Reason.NOT_AUTHORISED
    pit.staff(
        SHIFT, decide(terms("ann", "player", Terms.RETURN, box=box), terms("bob", "banker", Terms.AT_STAKE, 50, box))
    )
    (words,), (decided,) = pit.told(HouseDecided), pit.told(BetsDecided)
    assert (paragraph(words), paragraph(decided)) == (UNPROVIDED.get(key),) * 2
    assert (pit.purse("ann"), pit.purse("bob"), pit.state.in_play) == (100_000, 99_950, 50_00)
    pit.deal("K 10")
    pit.settle()
    assert (pit.purse("ann"), pit.purse("bob")) == (100_000, 99_950)


@rulings("FIN-19")
def test_a_raised_stake_plays_in_full_and_what_the_purse_lacks_is_owed() -> None:
    pit = Pit("commission", people={"ann": 150_00, "bob": 100_000_00})
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.staff(SHIFT, decide(terms("ann", "player", Terms.AT_STAKE, 500)))
    assert (pit.purse("ann"), pit.state.owed["ann"], pit.state.stakes["1/player/ann"].amount) == (0, 350_00, 500_00)
    pit.deal("9 7 K 10")
    pit.settle()
    assert (pit.purse("ann"), pit.state.owed["ann"]) == (650, 0), "what is won goes against the debt first"


def test_what_is_paid_to_somebody_who_owes_goes_against_the_debt() -> None:
    pit = Pit("commission", people={"ann": 100_00, "bob": 100_000_00})
    pit.round({"ann": {"player": 100}}, "K 9 K K")
    pit.staff(SHIFT, decide(terms("ann", "player", Terms.AT_STAKE, 150)))
    assert (pit.purse("ann"), pit.state.owed["ann"]) == (0, 50_00)
    pit.staff(SHIFT, decide(terms("ann", "player", Terms.PAY, 80)))
    assert (pit.purse("ann"), pit.state.owed["ann"], len(pit.told(DebtSetOff))) == (30, 0, 1)


@pytest.mark.parametrize(
    ("what", "dollars", "bob"),
    [
        (Terms.AS_RECORDED, 0, 100_190), (Terms.RETURN, 0, 100_000), (Terms.AT_STAKE, 300, 100_285),
        (Terms.AT_STAKE, 100, 100_095), (Terms.PAY, 10, 100_200),
    ],
)  # fmt: skip
def test_a_settled_bet_gets_what_the_decision_says_and_a_void_takes_all_of_it_back(
    what: Terms, dollars: int, bob: int
) -> None:
    pit = in_play("commission", "K 9 K K")
    pit.settle()
    pit.staff(SHIFT, decide(terms("bob", "banker", what, dollars)))
    assert (pit.purse("bob"), pit.phase) == (bob, Phase.SETTLED)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    pit.rule(SHIFT, Choice.CANNOT_RECONSTRUCT)
    paid = dollars if what is Terms.PAY else 0
    assert (pit.phase, pit.purse("bob")) == (Phase.VOIDED, 100_000 + paid), "what was paid besides was no settlement"


@rulings("FIN-22")
@rulebook({"commission": ["5.15"], "wu-song": ["5.16"]}, by=reversal.void)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize("settle", [False, True])
@pytest.mark.parametrize(
    ("what", "dollars"), [(Terms.RETURN, 0), (Terms.PAY, 10), (Terms.PAY, 500), (Terms.AT_STAKE, 300)]
)
def test_a_void_returns_every_bet_also_one_that_a_decision_had_ended(
    key: str, settle: bool, what: Terms, dollars: int
) -> None:
    pit = in_play(key, "K 9 K K")
    pit.staff(SHIFT, decide(terms("bob", "banker", what, dollars)))
    if settle:
        pit.staff(DEALER, c.Settle(round=1))
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert (pit.phase, pit.purse("ann"), pit.purse("bob")) == (Phase.VOIDED, 100_000, 100_000)
    assert sum(1 for one in pit.told(RoundVoided)[-1].refunds if one.owner == "bob") == 1
    assert not pit.state.ended


@rulings("FIN-22")
@rulebook({"commission": ["5.15", "5.17"], "wu-song": ["5.16", "5.18"]}, by=reversal.void)
@pytest.mark.parametrize("key", LONG)
def test_what_a_decision_paid_and_a_purse_no_longer_holds_is_owed_after_a_void(key: str) -> None:
    pit = in_play(key, "K 9 K K")
    pit.staff(SHIFT, decide(terms("bob", "banker", Terms.PAY, 700)))
    pit.player("bob", c.CashOut(person="bob", amount=pit.state.purses["bob"]))
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.VOID)
    assert (pit.purse("bob"), pit.state.owed["bob"]) == (0, 500_00), "the stake of 200 goes against the 700"
    assert [one.kind for one in pit.told(AlertRaised)] == ["receivable"]


@pytest.mark.parametrize("what", [Terms.RETURN, Terms.AT_STAKE])
@pytest.mark.parametrize("taken", [False, True])
def test_a_stake_held_since_a_tie_leaves_the_layout(what: Terms, taken: bool) -> None:
    pit = in_play("super-six", "K K 9 9")
    pit.settle()
    if taken:
        pit.player("ann", c.ChooseAfterTie(round=1, bet="player", leave=False, box=1))
    pit.staff(SHIFT, decide(terms("ann", "player", what, 300 if what is Terms.AT_STAKE else 0)))
    assert (pit.purse("ann"), "1/player/ann" in pit.state.held) == (100_000, False)


@rulings("FIN-19")
def test_while_bets_or_insurance_are_taken_nothing_is_decided_on_them() -> None:
    pit = Pit("insurance")
    pit.open()
    pit.bet("ann", "banker", 1_000)
    returned = decide(terms("ann", "banker", Terms.RETURN))
    assert pit.refused(SHIFT, returned)[0] is Reason.NOT_HEARD_NOW
    pit.close()
    pit.deal("2 2 2 3")
    assert pit.phase is Phase.INSURANCE
    assert pit.refused(SHIFT, returned)[0] is Reason.NOT_HEARD_NOW
    pit.staff(DEALER, c.CloseInsurance(round=1, window=Window.FOUR))
    pit.staff(SHIFT, returned)
    assert pit.purse("ann") == 100_000


def test_while_boxes_are_taken_and_paid_nothing_is_decided_on_bets() -> None:
    pit = in_play("commission", "9 7 K 10")
    pit.staff(DEALER, c.Settle(round=1))
    assert pit.phase is Phase.PAYING
    assert pit.refused(SHIFT, decide(terms("ann", "player", Terms.RETURN)))[0] is Reason.BOX_UNPAID


def test_a_decision_names_no_more_bets_than_a_table_has() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    many = tuple(terms("ann", bet, Terms.PAY, 1, box) for bet in pit.felt.bets for box in range(1, 10))
    assert len(many) <= house_decisions.MOST_BETS
    assert pit.refused(SHIFT, decide(terms("bob", "tie", Terms.PAY, 1)))[0] is Reason.NO_SUCH_BET_PLACED


# ---- earlier rounds ----------------------------------------------------------------------------------------------


@rulings("FIN-21")
@rulebook({"wu-song": ["5.6"]}, by=house_decisions.decide_unprovided)
def test_5_6_what_became_of_the_bets_of_an_earlier_round_stands() -> None:
    pit = Pit("wu-song")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.staff(SHIFT, decide(terms("ann", "player", Terms.RETURN)))
    assert pit.purse("ann") == 100_000, "until the next round is announced it is not an earlier one"
    pit.open()
    assert pit.refused(SHIFT, decide(terms("ann", "player", Terms.PAY, 1))) == (Reason.EARLIER_ROUND_STANDS, "5.6")
    pit.staff(SHIFT, decide())


@rulings("FIN-21")
@pytest.mark.parametrize("key", ["commission", *SHORT])
def test_for_a_bet_of_an_earlier_round_an_amount_can_be_paid_and_nothing_else(key: str) -> None:
    box = 0 if key == "non-commission-etg" else 1
    pit = Pit(key)
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.open()
    for what in (Terms.AS_RECORDED, Terms.RETURN):
        assert pit.refused(SHIFT, decide(terms("ann", "player", what, box=box))) == (
            Reason.ROUND_OVER, UNPROVIDED.get(key),
        )  # fmt: skip
    pit.staff(SHIFT, decide(terms("ann", "player", Terms.PAY, 5, box)))
    assert pit.purse("ann") == 100_105


@rulings("FIN-19")
def test_a_table_that_is_closed_still_hears_a_decision_about_its_last_round() -> None:
    pit = in_play("commission", "9 7 K 10")
    pit.settle()
    pit.staff(MANAGER, c.CloseTable(cause=c.ClosingCause.REPAIR, reason="torn"))
    pit.staff(SHIFT, decide(terms("ann", "player", Terms.RETURN)))
    assert (pit.phase, pit.purse("ann")) == (Phase.CLOSED, 100_000)


def test_a_bet_of_a_decided_round_that_was_open_is_settled_at_no_other_stake() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.bet("bob", "player_pair", 100)
    pit.close()
    pit.deal("5 K 5")
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
    pit.rule(SHIFT, Choice.CONCLUDE)
    assert pit.refused(SHIFT, decide(terms("ann", "player", Terms.AT_STAKE, 200))) == (Reason.BET_STILL_OPEN, None)


def test_a_round_on_known_cards_that_stops_while_bets_are_open_is_decided_as_the_bets_lie() -> None:
    pit = in_play("commission", "9 7 K 10")
    pit.settle()
    pit.report(Fault.EXCESS, cards=read_cards("9 5 K"))
    pit.staff(SUPERVISOR, c.OpenBetting(acknowledge=True))
    pit.bet("ann", "tie", 100)
    before = pit.purse("ann")
    pit.report(Fault.TECHNICAL)
    pit.rule(SUPERVISOR, Choice.CANNOT_GO_ON)
    pit.rule(SHIFT, Choice.CONCLUDE)
    assert (pit.phase, pit.purse("ann")) == (Phase.DECIDED, before + 100)


def test_a_bet_that_was_cut_may_play_in_full_and_nothing_moves() -> None:
    pit = Pit("commission", differential=1_000_00)
    pit.open()
    pit.bet("ann", "player", 900)
    pit.bet("bob", "player", 600)
    pit.close(over_excess=True)
    before = pit.purse("bob")
    assert pit.state.playing("1/player/bob") < 600_00
    pit.staff(SHIFT, decide(terms("bob", "player", Terms.AT_STAKE, 600)))
    assert (pit.state.playing("1/player/bob"), pit.purse("bob")) == (600_00, before)
    codes = {line.code for line in account(pit.events, pit.game)}
    assert ("bet_at_stake" in codes, codes & {"bet_more", "bet_less"}) == (True, set())


def test_a_bet_that_was_cut_and_returned_by_decision_leaves_nothing_playing() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "banker", 15_000)
    pit.close(over_excess=True)
    assert pit.state.plays == {"1/banker/ann": 10_000_00}
    terms = c.BetTerms(owner="ann", bet="banker", terms=c.Terms.RETURN, box=1)
    pit.staff(SHIFT, c.DecideUnprovided(round=1, decision="back", reason="on the camera", bets=(terms,)))
    assert (pit.state.plays, pit.purse("ann")) == ({}, 100_000)


def decide_on(number: int, *bets: c.BetTerms) -> c.DecideUnprovided:
    return c.DecideUnprovided(round=number, decision="as seen", reason="on the camera", bets=bets)


def paid(cents: int) -> c.BetTerms:
    return c.BetTerms(owner="ann", bet="player", terms=c.Terms.PAY, amount=cents, box=1)


@pytest.mark.parametrize("cents", [1, GREATEST_STAKE])
def test_the_house_may_pay_a_single_cent_and_the_greatest_amount(cents: int) -> None:
    pit = in_play("super-six", "9 7 K 10")
    pit.settle()
    before = pit.state.purses["ann"]
    pit.staff(SHIFT, decide_on(1, paid(cents)))
    assert pit.state.purses["ann"] - before == cents


def test_a_bet_of_an_earlier_round_is_paid_while_the_next_is_taken_and_paid_and_after_it() -> None:
    pit = in_play("super-six", "9 7 K 10")
    pit.settle()
    pit.open()
    pit.bet("bob", "player", 100)
    pit.close()
    pit.deal("9 7 K 10")
    pit.staff(DEALER, c.Settle(round=2))
    before = pit.state.purses["ann"]
    pit.staff(SHIFT, decide_on(1, paid(50_00)))
    pit.pay()
    pit.staff(SHIFT, decide_on(1, paid(50_00)))
    assert pit.state.purses["ann"] - before == 100_00


def test_a_decision_names_a_thousand_bets_at_most() -> None:
    pit = in_play("super-six")
    bets = [c.BetTerms(owner="ann", bet=f"player@{one}", terms=c.Terms.RETURN, box=1) for one in range(1_001)]
    assert pit.refused(SHIFT, decide_on(1, *bets))[0] is Reason.BETS_NAMED_WRONGLY
    assert pit.refused(SHIFT, decide_on(1, *bets[:-1]))[0] is Reason.NO_SUCH_BET_PLACED


def test_a_settled_bet_is_not_decided_at_the_stake_it_had() -> None:
    pit = in_play("super-six", "9 7 K 10")
    pit.settle()
    same = c.BetTerms(owner="ann", bet="player", terms=c.Terms.AT_STAKE, amount=100_00, box=1)
    assert pit.refused(SHIFT, decide_on(1, same))[0] is Reason.BET_UNCHANGED


def test_a_decision_that_takes_the_last_cent_leaves_no_debt() -> None:
    pit = in_play("super-six", "9 7 K 10", people={"ann": 100_00, "bob": 200_00})
    pit.settle()
    pit.player("ann", c.CashOut(person="ann", amount=100_00))
    back = c.BetTerms(owner="ann", bet="player", terms=c.Terms.RETURN, box=1)
    pit.staff(SHIFT, decide_on(1, back))
    assert (pit.state.purses["ann"], pit.state.owed) == (0, {})
    (returned,) = pit.told(BetsDecided)[-1].bets
    assert returned.settled is not None
    assert returned.settled.plays == 100_00


def test_a_cent_over_the_stake_is_a_win_and_the_whole_stake_plays() -> None:
    pit = in_play("super-six")
    pit.staff(SHIFT, decide_on(1, paid(100_01)))
    (decided,) = pit.told(BetsDecided)[-1].bets
    assert decided.settled is not None
    assert (decided.settled.result, decided.settled.profit, decided.settled.plays) == (Result.WIN, 1, 100_00)
