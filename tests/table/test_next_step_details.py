"""The next step, at the edges: whose turn it is, until when, and which paragraph says so."""

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Action, Window
from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.next_step import (
    Awaited,
    LowBet,
    NextStep,
    ShoeNote,
    StepCode,
    awaited,
    hidden_next,
    low_bets,
    next_step,
)
from puntobanco.table.setup import Setup, Source
from puntobanco.table.state import Drawn, Phase, State
from puntobanco.table.views import public_view
from tests.table.pit import AT_ONCE, DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, in_play

ALL = frozenset({"AdviseMinimum", "ReturnBet"})


def setup_of(pit: Pit) -> Setup:
    assert pit.state.setup is not None
    return pit.state.setup


def step_of(pit: Pit, role: Role = DEALER, *, automatic: bool = False) -> NextStep:
    step = public_view(pit.felt, pit.state, role, automatic=automatic).next
    assert step is not None
    return step


def shoe(*, decks: int = 8, shuffled: bool = True) -> c.LoadShoe:
    return c.LoadShoe(shoe="two", decks=decks, shuffled=shuffled, source=Source.KEYBOARD, reason="worn")


# ---- what everybody waits for ------------------------------------------------------------------------------------


def test_while_no_round_runs_everybody_waits_for_one_thing() -> None:
    pit = Pit("commission", people={"ann": 1_000_00})
    assert awaited(pit.state) is Awaited.ROUND
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    assert awaited(pit.state) is Awaited.ROUND
    pit.report(Fault.EXCESS, cards=read_cards("9"))
    assert awaited(pit.state) is Awaited.ROUND, "one card is seen"
    pit.report(Fault.EXCESS, cards=read_cards("8"))
    assert awaited(pit.state) is Awaited.PERMISSION
    pit.staff(SUPERVISOR, c.PermitOpening())
    assert awaited(pit.state) is Awaited.ROUND
    pit.staff(SHIFT, c.WithdrawShoe(reason="worn"))
    assert awaited(pit.state) is Awaited.SHOE
    pit.staff(MANAGER, AT_ONCE)
    assert awaited(pit.state) is Awaited.OPENING
    assert step_of(pit) == NextStep(code=StepCode.WAIT_CLOSED)
    running = in_play("commission")
    assert awaited(running.state) is None


# ---- the shoe ----------------------------------------------------------------------------------------------------


def test_the_last_round_of_a_shoe_is_named_while_the_shoe_is_in_service_and_not_used_up() -> None:
    pit = in_play("commission", "9 7")
    pit.staff(DEALER, c.ShowCutCard())
    assert step_of(pit).shoe is ShoeNote.ONE_MORE
    pit.deal("K 10")
    pit.settle()
    assert step_of(pit).shoe is ShoeNote.LAST
    pit.staff(SHIFT, c.WithdrawShoe(reason="worn"))
    assert step_of(pit).shoe is None
    pit.staff(DEALER, shoe())
    assert step_of(pit).shoe is None
    pit.staff(MANAGER, AT_ONCE)
    assert next_step(pit.felt, State(), ()).shoe is None, "a table that never had one"


@pytest.mark.parametrize("burn", [0, 3])
def test_a_shoe_that_replaces_another_within_a_round_is_burnt_before_the_next_card(burn: int) -> None:
    pit = Pit("commission")
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), burn=burn)))
    pit.staff(SUPERVISOR, shoe())
    assert step_of(pit).burn == burn
    pit.open()
    assert (step_of(pit).code, step_of(pit).burn) == (StepCode.CLOSE, 0)
    pit.bet("ann", "player", 100)
    pit.close()
    assert (step_of(pit).code, step_of(pit).burn) == (StepCode.DRAW, 0), "that was done before the round opened"
    pit.deal("2 3")
    pit.staff(SHIFT, replace(shoe(), shoe="three"))
    assert (step_of(pit).code, step_of(pit).burn) == (StepCode.DRAW, burn)
    pit.deal("4")
    assert step_of(pit).burn == 0


def test_a_shoe_with_the_decks_of_the_table_is_burnt_whatever_their_number() -> None:
    pit = Pit("commission")
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), burn=3, decks=6)))
    pit.staff(DEALER, shoe(decks=6))
    assert step_of(pit).burn == 3
    pit.open()
    pit.close()
    assert step_of(pit).burn == 0


def test_only_a_shoe_that_was_never_dealt_from_is_burnt() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), burn=4)))
    assert (step_of(pit).code, step_of(pit).burn) == (StepCode.OPEN, 0), "four cards are gone, but they were dealt"
    pit.staff(SHIFT, c.WithdrawShoe(reason="worn"))
    pit.staff(DEALER, shoe())
    assert step_of(pit).burn == 4
    pit.staff(SHIFT, c.WithdrawShoe(reason="worn"))
    assert (step_of(pit).code, step_of(pit).burn) == (StepCode.LOAD, 0)


def test_what_a_step_or_a_low_bet_does_not_say_is_not_so() -> None:
    pit = Pit("commission")
    assert next_step(pit.felt, pit.state, {"OpenBetting"}).code is StepCode.OPEN, "people deal here"
    told = msgspec.json.decode(b'{"box": 1, "bet": "player", "owner": "ann"}', type=LowBet)
    assert (told.advised, told.command) == (False, None)


def test_cards_that_wait_in_front_of_a_shoe_that_is_used_up_are_played_first() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.report(Fault.EXCESS, cards=read_cards("9"))
    step = step_of(pit)
    assert (step.code, step.command) == (StepCode.OPEN_SEEN, c.OpenBetting(acknowledge=True))
    assert step.paragraph is None
    pit.open(acknowledge=True)
    pit.close()
    step = step_of(pit)
    assert (step.code, step.wants_card, step.index, step.side) == (StepCode.DRAW_WAITING, False, 1, Side.PLAYER)


# ---- bets below the minimum --------------------------------------------------------------------------------------


def low(pit: Pit, allowed: frozenset[str] = ALL) -> list[tuple[str, str, bool]]:
    return [(one.owner, one.bet, one.advised) for one in low_bets(pit.felt, pit.state, allowed)]


def test_a_bet_is_low_below_its_own_minimum_by_a_chip() -> None:
    pit = Pit("commission")
    assert low_bets(pit.felt, State(), ALL) == ()
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), minimums={"tie": 50_00})))
    pit.open()
    for bet, dollars in (("player", 95), ("banker", 100), ("tie", 45), ("player_pair", 95)):
        pit.bet("ann", bet, dollars)
    pit.bet("bob", "tie", 50)
    assert low(pit) == [("ann", "player", False), ("ann", "tie", False), ("ann", "player_pair", False)]


def test_who_may_only_advise_or_only_hand_back_is_told_what_concerns_them() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 50)
    pit.bet("bob", "player", 50, box=2)
    pit.bet("ann", "banker", 50, box=3)
    assert low(pit, frozenset({"ReturnBet"})) == [], "nobody was advised yet"
    pit.staff(DEALER, c.AdviseMinimum(round=1, box=1, person="ann"))
    assert low(pit) == [("bob", "player", False), ("ann", "banker", False), ("ann", "player", True)]
    hands_back = LowBet(box=1, bet="player", owner="ann", advised=True,
                        command=c.ReturnBet(round=1, box=1, bet="player", person="ann"))  # fmt: skip
    assert low_bets(pit.felt, pit.state, frozenset({"ReturnBet"})) == (hands_back,)
    advises = low_bets(pit.felt, pit.state, frozenset({"AdviseMinimum"}))
    assert [one.command for one in advises] == [
        c.AdviseMinimum(round=1, box=2, person="bob"), c.AdviseMinimum(round=1, box=3, person="ann"), None,
    ]  # fmt: skip
    assert low(pit, frozenset()) == [("ann", "player", True)]


def test_a_settled_round_has_no_low_bets_and_neither_has_a_document_without_limits() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 50}}, "9 7 K 10")
    assert pit.state.stakes != {}
    assert low(pit) == []
    short = in_play("super-six")
    lowered = c.BetTerms(owner="ann", bet="player", terms=c.Terms.AT_STAKE, amount=50_00, box=1)
    short.staff(SHIFT, c.DecideUnprovided(round=1, decision="half was hers", reason="on the camera", bets=(lowered,)))
    assert short.state.stakes["1/player/ann"].amount == 50_00
    assert low(short) == []


# ---- cards -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("known", "waived", "index"),
    [
        ("......", False, 1), ("KKKK..", False, 5), ("KKKK..", True, 6), ("KKKKK.", True, 6), ("KKKK.K", True, 5),
        ("KKKK.", True, 5), ("KK..", True, 3), ("KKKK", True, None), ("", False, None),
    ],
)  # fmt: skip
def test_where_insurance_is_waived_the_bankers_third_card_is_turned_over_first(
    known: str, index: int | None, *, waived: bool
) -> None:
    (king,) = read_cards("K")
    drawn = tuple(Drawn(Side.PLAYER, king if one == "K" else None) for one in known)
    assert hidden_next(State(drawn=drawn, waived=waived)) == index


def test_a_card_goes_to_its_hand_by_the_paragraph_of_the_first_four_or_of_the_third_cards() -> None:
    pit = in_play("commission")
    rules = pit.game.round
    hands = [Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER]
    for index, (side, card) in enumerate(zip(hands, ["2", "2", "3", "2", "6", "9"], strict=True), start=1):
        step = step_of(pit)
        assert (step.code, step.wants_card, step.index, step.side) == (StepCode.DRAW, True, index, side)
        assert step.command == c.DrawCard(round=1, index=index)
        assert step.paragraph == (rules.first_four if index <= 4 else rules.third_cards)
        pit.deal(card)
    assert step_of(pit).code is StepCode.SETTLE
    assert step_of(pit).paragraph == rules.winner


def test_a_card_that_waits_face_down_is_drawn_like_any_other() -> None:
    pit = Pit("commission", face_down=True)
    pit.open()
    pit.close()
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "9", 2: "7", 3: "K", 4: "10"})
    pit.settle()
    pit.report(Fault.EXCESS, cards=(None,))
    assert step_of(pit).code is StepCode.OPEN
    pit.open()
    pit.close()
    assert step_of(pit).code is StepCode.DRAW_DOWN


def squeezed(*, recorded: bool = False) -> Pit:
    pit = Pit("commission", face_down=True)
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    asked = c.RequestSqueeze(round=1, index=1, person="ann" if recorded else None)
    pit.staff(DEALER, asked) if recorded else pit.player("ann", asked)
    return pit


def test_a_request_to_squeeze_is_answered_one_way_or_the_other() -> None:
    pit = squeezed()
    step = step_of(pit)
    assert (step.code, step.index, step.person) == (StepCode.ANSWER_SQUEEZE, 1, "ann")
    assert step.command == c.AnswerSqueeze(round=1, index=1, permit=True)
    assert step.otherwise == c.AnswerSqueeze(round=1, index=1, permit=False)
    assert step.paragraph == pit.felt.squeeze_rule
    pit.staff(DEALER, c.AnswerSqueeze(round=1, index=1, permit=True))
    pit.player("ann", c.RequestSqueeze(round=1, index=3))
    assert step_of(pit).index == 3, "the other is permitted already"


def test_a_card_that_is_squeezed_is_turned_over_when_the_time_is_up() -> None:
    pit = squeezed()
    pit.staff(DEALER, c.AnswerSqueeze(round=1, index=1, permit=True))
    pit.hides(1, 2, 3, 4)
    step = step_of(pit)
    assert (step.code, step.meanwhile, step.person) == (StepCode.EXPOSE, StepCode.WAIT_SQUEEZE, "ann")
    assert (step.deadline, step.side, step.paragraph) == (
        pit.state.squeezed[1].deadline, Side.PLAYER, pit.felt.squeeze_rule,
    )  # fmt: skip
    assert step.otherwise is None, "she ends it herself"
    pit.now = step.deadline
    pit.turn({1: "9"})
    step = step_of(pit)
    assert (step.code, step.index, step.side, step.meanwhile, step.deadline, step.paragraph) == (
        StepCode.EXPOSE, 2, Side.BANKER, None, 0, None,
    )  # fmt: skip


# ---- insurance and the waiver ------------------------------------------------------------------------------------


def test_insurance_waits_until_everybody_who_may_insure_has_answered() -> None:
    pit = Pit("insurance")
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.bet("bob", "banker", 1_000, box=2)
    pit.close()
    pit.deal("2 2 2 3")
    window = pit.state.window
    assert window is not None
    close = c.CloseInsurance(round=1, window=Window.FOUR)
    step = step_of(pit)
    assert (step.code, step.meanwhile, step.deadline, step.command, step.side) == (
        StepCode.INSURANCE, StepCode.INSURANCE, window.deadline, close, Side.BANKER,
    )  # fmt: skip
    pit.player("ann", c.Insure(round=1, window=Window.FOUR, amount=100_00, box=1))
    assert step_of(pit).meanwhile is StepCode.INSURANCE
    pit.player("bob", c.DeclineInsurance(round=1, window=Window.FOUR, box=2))
    step = step_of(pit)
    assert (step.code, step.meanwhile, step.deadline, step.command) == (StepCode.INSURANCE, None, 0, close)


def waiver_asked(*, automatic: bool) -> Pit:
    """Two hands that draw whatever comes, and Ann asks to see the Banker's third card first."""
    pit = Pit("insurance", face_down=True, automatic=automatic)
    pit.open()
    pit.bet("ann", "player", 1_000)
    pit.bet("bob", "banker", 1_000)
    pit.close()
    pit.hides(1, 2, 3, 4)
    for index, card in enumerate(["A", "K", "3", "2"], start=1):
        step = step_of(pit)
        assert (step.code, step.index, step.wants_card, step.side) == (
            StepCode.EXPOSE, index, True, pit.state.drawn[index - 1].side,
        )  # fmt: skip
        pit.turn({index: card})
    pit.player("ann", c.RequestWaiver(round=1))
    return pit


def test_a_waiver_is_consented_to_once_everybody_agrees_or_refused_at_once() -> None:
    yes, no = (c.AnswerWaiver(round=1, consent=consent) for consent in (True, False))
    asked = NextStep(code=StepCode.ANSWER_WAIVER, command=yes, otherwise=no, person="ann", paragraph="4.1.5")
    by_dealer = waiver_asked(automatic=False)
    assert step_of(by_dealer) == asked
    assert next_step(by_dealer.felt, by_dealer.state, ()).code is StepCode.WAIT_PIT, "it is for others to answer"
    assert next_step(by_dealer.felt, by_dealer.state, {"DrawCard"}).code is StepCode.DRAW_DOWN
    by_house = waiver_asked(automatic=True)
    assert step_of(by_house) == replace(asked, command=None), "Bob has not agreed"
    by_house.player("bob", c.AgreeToWaiver(round=1, agrees=True))
    assert step_of(by_house) == asked, "somebody has taken the table over"
    assert step_of(by_house, automatic=True) == replace(asked, command=None), "the house consents by itself"


def test_who_may_do_nothing_about_an_open_window_or_box_waits_for_the_pit() -> None:
    pit = Pit("insurance")
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.close()
    pit.deal("2 2 2 3")
    assert pit.state.window is not None
    assert next_step(pit.felt, pit.state, ()) == NextStep(code=StepCode.WAIT_PIT)
    paying = in_play("commission", "9 7 K 10")
    paying.staff(DEALER, c.Settle(round=1))
    assert paying.state.unpaid == (1,)
    assert next_step(paying.felt, paying.state, ()) == NextStep(code=StepCode.WAIT_PIT)


# ---- options -----------------------------------------------------------------------------------------------------


def test_options_close_at_once_when_everybody_who_is_there_has_chosen() -> None:
    pit = in_play("commission", "5")
    pit.report(Fault.EXPOSED, cards=read_cards("7"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    options = pit.state.options
    assert options is not None
    rules = pit.game.irregularities.options
    assert rules is not None
    command = c.CloseOptions(question=options.question)
    waiting = NextStep(code=StepCode.OPTIONS_CLOSE, meanwhile=StepCode.WAIT_OPTIONS, deadline=options.deadline,
                       command=command, paragraph=rules.rule)  # fmt: skip
    assert step_of(pit) == waiting
    assert step_of(pit, SHIFT) == NextStep(code=StepCode.WAIT_OPTIONS, deadline=options.deadline, paragraph=rules.rule)
    pit.player("ann", c.Elect(question=options.question, election=Election.CONTINUE))
    assert step_of(pit) == waiting
    pit.player("bob", c.WalkAway(person="bob"))
    assert step_of(pit) == NextStep(code=StepCode.OPTIONS_CLOSE, command=command, paragraph=rules.rule)


def test_who_waits_for_a_decision_is_told_its_paragraph_and_none_where_there_is_none() -> None:
    pit = in_play("commission", "5")
    pit.report(Fault.EXPOSED, cards=read_cards("7"))
    assert pit.state.question is not None
    assert pit.state.question.rule is not None
    assert step_of(pit) == NextStep(code=StepCode.WAIT_DECISION, paragraph=pit.state.question.rule.paragraph)
    short = in_play("super-six", "5")
    short.report(Fault.EXPOSED, cards=read_cards("7"))
    assert short.state.question is not None
    assert step_of(short).paragraph is None


def test_who_deals_where_the_house_deals_has_nothing_else_to_do() -> None:
    pit = Pit("commission", automatic=True)
    assert step_of(pit, automatic=True) == NextStep(code=StepCode.WAIT_ITSELF)
    assert step_of(pit).code is StepCode.OPEN


def test_a_squeeze_is_ended_by_whoever_recorded_its_request_and_may_end_it() -> None:
    for recorded in (True, False):
        pit = squeezed(recorded=recorded)
        pit.staff(DEALER, c.AnswerSqueeze(round=1, index=1, permit=True))
        pit.hides(1, 2, 3, 4)
        finish = c.FinishSqueeze(round=1, index=1, person="ann")
        both = next_step(pit.felt, pit.state, {"ExposeCard", "FinishSqueeze"})
        assert both.otherwise == (finish if recorded else None)
        assert next_step(pit.felt, pit.state, {"ExposeCard"}).otherwise is None


# ---- opening and closing -----------------------------------------------------------------------------------------


def test_a_round_over_the_limit_is_closed_after_the_excess_is_rejected_or_over_it() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 200, box=1)
    pit.bet("ann", "player", 10_100, box=3)
    step = step_of(pit)
    assert (step.code, step.command, step.box) == (StepCode.REJECT, c.RejectExcess(round=1, box=3), 3)
    assert step.otherwise == c.CloseBetting(round=1, over_excess=True)
    assert (step.deadline, step.paragraph) == (pit.state.deadline, pit.felt.authority_rule(Action.REJECT_EXCESS))
    assert next_step(pit.felt, pit.state, {"RejectExcess"}).otherwise is None, "who may not close"
    pit.staff(DEALER, c.RejectExcess(round=1, box=3))
    step = step_of(pit)
    assert (step.code, step.command, step.meanwhile, step.deadline, step.otherwise) == (
        StepCode.CLOSE, c.CloseBetting(round=1), None, pit.state.deadline, None,
    )  # fmt: skip


def test_where_terminals_show_the_close_it_is_announced_and_then_waited_for() -> None:
    pit = Pit("non-commission-etg")
    pit.open()
    step = step_of(pit, Role.SYSTEM)
    assert (step.code, step.command, step.meanwhile) == (StepCode.ANNOUNCE, c.AnnounceClose(round=1), None)
    pit.staff(Role.SYSTEM, c.AnnounceClose(round=1))
    step = step_of(pit, Role.SYSTEM)
    assert (step.code, step.command, step.meanwhile, step.deadline) == (
        StepCode.CLOSE, c.CloseBetting(round=1), StepCode.WAIT_CLOSING, pit.state.deadline,
    )  # fmt: skip
    assert step_of(pit, DEALER) == NextStep(
        code=StepCode.WAIT_TERMINAL, deadline=pit.state.deadline, paragraph=pit.game.round.closes
    )


def test_between_rounds_who_may_not_open_waits_for_the_permission_the_shoe_or_the_pit() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.report(Fault.EXCESS, cards=read_cards("9 8"))
    assert step_of(pit, DEALER).code is StepCode.WAIT_PERMIT
    permit = NextStep(code=StepCode.PERMIT, command=c.PermitOpening())
    assert step_of(pit, SUPERVISOR).code is StepCode.OPEN_SEEN, "whoever may open needs no permission"
    assert step_of(pit, SUPERVISOR, automatic=True) == permit
    assert next_step(pit.felt, pit.state, {"PermitOpening"}) == permit
    pit.staff(SHIFT, c.WithdrawShoe(reason="worn"))
    assert step_of(pit, DEALER).code is StepCode.LOAD
    etg = Pit("non-commission-etg")
    assert step_of(etg, DEALER).code is StepCode.WAIT_PIT
    etg.round({"ann": {"player": 100}}, "9 7 K 10")
    assert etg.phase is Phase.SETTLED
    assert step_of(etg, Role.SYSTEM).code is StepCode.OPEN


def test_once_a_round_is_announced_nobody_waits_for_the_permission() -> None:
    pit = in_play("commission")
    pit.report(Fault.EXPOSED, cards=read_cards("9 8"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.everyone()
    assert (pit.phase, pit.state.waits_for_permission) == (Phase.DEALING, True)
    assert next_step(pit.felt, pit.state, ()) == NextStep(code=StepCode.WAIT_PIT)


@pytest.mark.parametrize("key", list(library.GAMES))
def test_the_boxes_are_taken_and_paid_one_after_the_other(key: str) -> None:
    pit = Pit(key)
    if pit.game.terminal:
        return
    pit.open()
    pit.bet("ann", "player", 100, box=3)
    pit.bet("bob", "player", 100, box=2)
    pit.close()
    pit.deal("9 7 K 10")
    pit.staff(DEALER, c.Settle(round=1))
    for box in pit.state.unpaid:
        assert step_of(pit) == NextStep(code=StepCode.CONFIRM, command=c.ConfirmBox(round=1, box=box), box=box)
        pit.confirm(box)
    assert step_of(pit).code is StepCode.OPEN
