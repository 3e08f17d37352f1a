"""A card is seen while betting is open: that is the close where the document gives options, and a hold elsewhere."""

import pytest
from msgspec.structs import replace

from puntobanco.rules.cards import read_cards
from puntobanco.rules.refusal import Reason
from puntobanco.table import betting, irregularities, options
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.setup import Policy, SimultaneousOptions
from puntobanco.table.state import Phase
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, paragraph

LONG = ["commission", "wu-song"]
SHORT = ["non-commission-etg", "super-six", "insurance"]


def number(key: str, commission: str) -> str:
    """The paragraph of that document: from 5.6 on Wu Song counts one more."""
    chapter, place, *rest = commission.split(".")
    more = int(key == "wu-song" and int(place) >= 6)
    return ".".join([chapter, str(int(place) + more), *rest])


def open_with_bets(key: str, **options: object) -> Pit:
    pit = Pit(key, **options)  # type: ignore[arg-type]
    pit.open()
    pit.bet("ann", "player", 100)
    pit.bet("bob", "banker", 200)
    return pit


def closed_by_card(pit: Pit) -> list[e.BettingClosed]:
    return [one for one in pit.told(e.BettingClosed) if one.by_card]


@rulings("IRR-24")
@rulebook(
    {"commission": ["5.6", "5.7", "5.7.1", "5.12.3"], "wu-song": ["5.7", "5.8", "5.8.1", "5.13.3"]},
    by=(irregularities.report, betting.close_as_it_lies, options.options_or_on),
)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize("fault", [Fault.EXPOSED, Fault.EXCESS])
@pytest.mark.parametrize("who", [DEALER, SUPERVISOR, MANAGER, Role.SYSTEM])
def test_the_report_of_the_house_or_a_device_is_the_close(who: Role, fault: Fault, key: str) -> None:
    pit = open_with_bets(key)
    pit.report(fault, who=who, cards=read_cards("9"))
    (closed,) = closed_by_card(pit)
    assert (paragraph(closed), pit.phase) == (number(key, "5.7"), Phase.DECISION)
    for phase in (Phase.DECISION, Phase.OPTIONS):
        assert pit.phase is phase
        for amount in (0, 50_00, 300_00):
            for bet in ("player", "banker"):
                slip = c.PlaceBets(round=1, lines=(c.Line(bet=bet, amount=amount, box=1),))
                assert pit.refused("ann", slip) == (Reason.BETS_LATE, number(key, "5.6"))
        if phase is Phase.DECISION:
            pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    (offered,) = pit.told(e.OptionsOffered)
    assert paragraph(offered) == number(key, "5.7.1")
    assert offered.people == ("ann", "bob")
    pit.everyone(Election.RETURN)
    assert (pit.phase, pit.state.front) == (Phase.WITHOUT_BETS, read_cards("9"))
    assert (pit.purse("ann"), pit.purse("bob")) == (100_000, 100_000)
    assert pit.told(e.RoundVoided) == []
    assert paragraph(pit.told(e.RoundEndedWithoutBets)[0]) == number(key, "5.12.3")


@pytest.mark.parametrize("key", LONG)
def test_whoever_goes_on_plays_with_the_card_that_was_seen(key: str) -> None:
    pit = open_with_bets(key)
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.everyone()
    assert pit.phase is Phase.DEALING
    pit.staff(DEALER, c.DrawCard(round=1, index=1))
    pit.deal("7 K 10")
    pit.settle()
    assert (pit.purse("ann"), pit.purse("bob")) == (100_100, 99_800)


@rulebook(
    {"commission": ["5.1.1", "5.1.2", "5.2.1"], "wu-song": ["5.1.1", "5.1.2", "5.2.1"]}, by=betting.close_as_it_lies
)
@pytest.mark.parametrize("key", LONG)
def test_what_lies_over_the_differential_when_the_card_is_seen_plays_pro_rata(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "banker", 15_000)
    pit.bet("bob", "banker", 50)
    pit.bet("cat", "tie", 50, box=2)
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    (closed,) = closed_by_card(pit)
    cut = {one.key: (one.plays, one.rule.paragraph if one.rule else None) for one in closed.cut}
    assert cut == {"1/banker/ann": (9_950_00, "5.1.1")}
    low = {one.key: one.rule.paragraph if one.rule else None for one in closed.under_minimum}
    assert low == {"1/banker/bob": "5.1.2", "2/tie/cat": "5.2.1"}


@rulings("IRR-24")
@rulebook({"commission": ["5.7"], "wu-song": ["5.8"]}, by=(irregularities.rule, betting.close_as_it_lies))
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize("fault", [Fault.EXPOSED, Fault.EXCESS, Fault.SIMULTANEOUS])
def test_a_claim_holds_betting_and_closes_it_only_once_it_is_upheld(fault: Fault, key: str) -> None:
    cards = read_cards("9 5" if fault is Fault.SIMULTANEOUS else "9")
    pit = open_with_bets(key)
    pit.now += 10_000
    pit.claim("ann", fault, cards=cards)
    assert (pit.phase, closed_by_card(pit), pit.state.front) == (Phase.DECISION, [], ())
    raised = c.PlaceBets(round=1, lines=(c.Line(bet="player", amount=300_00, box=1),))
    assert pit.refused("bob", raised)[0] is Reason.NOT_HEARD_NOW, "held, not closed"
    pit.now += 60_000
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert (pit.phase, pit.state.deadline - pit.now) == (Phase.BETTING, 20_000)
    pit.bet("bob", "banker", 300)
    pit.claim("bob", fault, cards=cards)
    upheld = Choice.ORDER if fault is Fault.SIMULTANEOUS else Choice.RECONSTRUCT
    pit.rule(SUPERVISOR, upheld, order=(1, 2) if fault is Fault.SIMULTANEOUS else ())
    assert len(closed_by_card(pit)) == 1
    assert pit.phase is Phase.OPTIONS
    assert pit.state.at_close["1/banker/bob"].amount == 300_00
    assert pit.refused("bob", raised)[0] is Reason.BETS_LATE


@pytest.mark.parametrize("key", LONG)
def test_a_report_of_the_house_closes_what_a_claim_only_held(key: str) -> None:
    pit = open_with_bets(key)
    pit.claim("ann", Fault.UNPROVIDED, note="the dealer looked away")
    assert (pit.phase, pit.state.interrupted) == (Phase.DECISION, Phase.BETTING)
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    assert len(closed_by_card(pit)) == 1
    assert pit.state.interrupted is Phase.DEALING
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.rule(SHIFT, Choice.CONTINUE)
    pit.everyone()
    assert pit.phase is Phase.DEALING


@pytest.mark.parametrize("key", LONG)
def test_betting_stays_closed_although_the_house_was_mistaken(key: str) -> None:
    pit = open_with_bets(key)
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert (pit.phase, pit.state.front, pit.told(e.OptionsOffered)) == (Phase.DEALING, (), [])


@rulings("IRR-24")
@rulebook({"commission": ["1.20", "5.7"], "wu-song": ["1.28", "5.8"]}, by=options.options_or_on)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize("fault", [Fault.EXPOSED, Fault.EXCESS, Fault.SIMULTANEOUS])
def test_with_nobody_having_bet_the_round_ends_and_the_card_waits(fault: Fault, key: str) -> None:
    cards = read_cards("9 5" if fault is Fault.SIMULTANEOUS else "9")
    pit = Pit(key)
    pit.open()
    pit.report(fault, cards=cards, order_known=True)
    assert (pit.phase, pit.state.front) == (Phase.WITHOUT_BETS, cards)
    (ended,) = pit.told(e.RoundEndedWithoutBets)
    assert paragraph(ended) == number(key, "5.7")
    assert pit.told(e.CardsCarriedOver)[0].cards == cards
    assert (pit.told(e.RoundVoided), pit.told(e.OptionsOffered), pit.told(e.QuestionPut)) == ([], [], [])
    assert pit.refused(DEALER, c.OpenBetting())[0] is Reason.EXPOSED_CARD_WAITS
    if pit.state.waits_for_permission:
        pit.staff(SUPERVISOR, c.PermitOpening())
    pit.open(acknowledge=True)
    assert pit.state.round == 2


def test_where_only_cards_are_dealt_nobody_knows_whether_anybody_bet() -> None:
    pit = Pit("commission", people={"ann": 100_00})
    pit.player("ann", c.CashOut(person="ann", amount=100_00))
    assert pit.state.setup is not None
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(pit.state.setup, cards_only=True)))
    pit.open()
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    assert (pit.phase, len(closed_by_card(pit))) == (Phase.DEALING, 1)


@pytest.mark.parametrize("key", LONG)
def test_a_card_nobody_has_seen_closes_nothing(key: str) -> None:
    pit = open_with_bets(key, face_down=True)
    pit.report(Fault.EXCESS, cards=(None,))
    assert closed_by_card(pit) == []
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert pit.phase is Phase.BETTING


@pytest.mark.parametrize("key", LONG)
def test_cards_together_without_a_choice_are_dealt_at_once(key: str) -> None:
    pit = open_with_bets(key, policy=Policy(simultaneous_options=SimultaneousOptions.ORDER_UNKNOWN))
    pit.report(Fault.SIMULTANEOUS, cards=read_cards("9 5"), order_known=True)
    assert (pit.phase, pit.state.front, len(closed_by_card(pit))) == (Phase.DEALING, read_cards("9 5"), 1)


@rulings("IRR-24")
@pytest.mark.parametrize("key", SHORT)
def test_without_a_paragraph_betting_is_held_for_a_decision_of_the_house(key: str) -> None:
    pit = open_with_bets(key)
    pit.now += 10_000
    pit.report(Fault.EXPOSED, who=SUPERVISOR, cards=read_cards("9"))
    assert (pit.phase, pit.state.question and pit.state.question.asked_of) == (Phase.DECISION, SHIFT)
    held = c.PlaceBets(round=1, lines=(c.Line(bet="player", amount=0, box=0 if pit.game.terminal else 1),))
    assert pit.refused("ann", held)[0] is Reason.NOT_HEARD_NOW
    pit.now += 60_000
    pit.rule(SHIFT, Choice.SET_ASIDE)
    assert (pit.phase, pit.state.front) == (Phase.BETTING, ())
    assert pit.state.deadline - pit.now == 20_000
    assert (closed_by_card(pit), pit.told(e.OptionsOffered)) == ([], [])


# ---- rounds without bets are not void ----------------------------------------------------------------------------


@rulings("OPT-13")
@rulebook({"commission": ["1.20", "5.12.3"], "wu-song": ["1.28", "5.13.3"]}, by=options.close_options)
@pytest.mark.parametrize("key", LONG)
def test_a_round_everyone_left_is_neither_void_nor_settled(key: str) -> None:
    pit = open_with_bets(key)
    pit.close()
    pit.deal("5")
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.everyone(Election.RETURN)
    assert (pit.phase, pit.state.in_round, pit.state.in_gap) == (Phase.WITHOUT_BETS, False, False)
    assert (pit.told(e.RoundVoided), pit.told(e.RoundSettled)) == ([], [])
    pit.report(Fault.DISPLAY)
    assert pit.told(e.IrregularityReported)[-1].report.seen_in == Phase.WITHOUT_BETS
    pit.open()
    assert pit.phase is Phase.BETTING


# ---- as earlier editions decided ---------------------------------------------------------------------------------


def test_an_earlier_edition_is_decided_again_as_it_was() -> None:
    pit = Pit("commission")
    assert pit.state.setup is not None
    pit.felt = Felt.of(pit.game, pit.state.setup, Edition.GUESTS_CONFIRM)
    hurried = replace(pit.state.setup, timing=replace(pit.state.setup.timing, options=0))
    pit.staff(MANAGER, c.ChangeSetup(setup=hurried))
    pit.open()
    pit.bet("ann", "player", 100)
    pit.report(Fault.EXPOSED, cards=read_cards("9"))
    assert (closed_by_card(pit), pit.state.interrupted) == ([], Phase.BETTING)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    question = pit.state.questions
    pit.player("ann", c.WalkAway(person="ann"))
    assert pit.refused(MANAGER, c.CloseOptions(question=question)) == (Reason.NOT_AUTHORISED, "5.12")
    pit.staff(DEALER, c.Elect(question=question, election=Election.RETURN, person="ann"))
    pit.staff(DEALER, c.CloseOptions(question=question))
    assert (pit.phase, pit.purse("ann")) == (Phase.BETTING, 100_000)
    pit.bet("bob", "player", 100)
    pit.close()
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.everyone(Election.RETURN)
    pit.report(Fault.DISPLAY)
    assert pit.told(e.IrregularityReported)[-1].report.seen_in == Phase.VOIDED
