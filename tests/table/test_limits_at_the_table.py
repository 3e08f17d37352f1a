"""Limits at the table: who is seated now, raises in the order they were made, and games whose document has none."""

import pytest
from msgspec.structs import replace

from puntobanco.rules.money import GREATEST_STAKE, Cents
from puntobanco.rules.refusal import Reason
from puntobanco.table import betting
from puntobanco.table import commands as c
from puntobanco.table.events import MOST_RAISES, BettingClosed, BettingOpened, ExcessRejected, RoundSettled
from puntobanco.table.setup import ExcessAtPlacement, Policy, Setup
from tests.marks import rulebook, rulings
from tests.table.pit import DEALER, MANAGER, SHIFT, Pit, paragraph

LONG = ["commission", "wu-song"]
SHORT = ["non-commission-etg", "super-six", "insurance"]
REFUSE = Policy(excess_at_placement=ExcessAtPlacement.REFUSE)


def lying(pit: Pit) -> dict[str, int]:
    return {stake.owner: stake.amount // 100 for stake in pit.state.stakes.values()}


def place(pit: Pit, bet: str, dollars: int) -> c.PlaceBets:
    box = 0 if pit.game.terminal else 1
    return c.PlaceBets(round=pit.state.round, lines=(c.Line(bet=bet, amount=dollars * 100, box=box),))


def setup_of(pit: Pit) -> Setup:
    assert pit.state.setup is not None
    return pit.state.setup


# ---- seated ------------------------------------------------------------------------------------------------------


@rulebook({"commission": ["1.17", "1.18", "5.1"], "wu-song": ["5.1"]}, by=betting.reject_excess)
@pytest.mark.parametrize("key", LONG)
def test_5_1_seated_is_whoever_sits_at_the_box_now(key: str) -> None:
    pit = Pit(key)
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.bet("ann", "banker", 8_000)
    pit.player("ann", c.LeaveSeat(box=1))
    pit.player("bob", c.TakeSeat(box=1))
    pit.bet("bob", "banker", 8_000)
    pit.staff(DEALER, c.RejectExcess(round=1, box=1))
    assert lying(pit) == {"ann": 2_000, "bob": 8_000}
    pit.close()


@pytest.mark.parametrize("key", LONG)
def test_5_1_who_sits_down_after_betting_has_the_priority(key: str) -> None:
    pit = Pit(key)
    pit.player("bob", c.TakeSeat(box=1))
    pit.open()
    pit.bet("ann", "banker", 6_000, box=2)
    pit.bet("bob", "banker", 8_000, box=2)
    pit.player("ann", c.TakeSeat(box=2))
    pit.staff(DEALER, c.RejectExcess(round=1, box=2))
    assert lying(pit) == {"ann": 6_000, "bob": 4_000}, "a seat at another box is none here"


def test_an_excess_that_nobody_rejected_is_closed_over_whoever_has_sat_there() -> None:
    pit = Pit("commission")
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.bet("ann", "banker", 8_000)
    pit.player("ann", c.LeaveSeat(box=1))
    pit.player("bob", c.TakeSeat(box=1))
    pit.bet("bob", "banker", 8_000)
    pit.close(over_excess=True)
    assert {one.key: one.plays // 100 for one in pit.told(BettingClosed)[0].cut} == {
        "1/banker/ann": 5_000,
        "1/banker/bob": 5_000,
    }


# ---- raises ------------------------------------------------------------------------------------------------------


@rulebook({"commission": ["5.1"], "wu-song": ["5.1"]}, by=betting.reject_excess)
@pytest.mark.parametrize("key", LONG)
def test_5_1_a_raise_is_placed_when_it_is_made(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "banker", 2_000)
    pit.bet("bob", "banker", 4_000)
    pit.bet("ann", "banker", 8_000)
    pit.staff(DEALER, c.RejectExcess(round=1, box=1))
    assert lying(pit) == {"ann": 6_000, "bob": 4_000}
    pit.bet("ann", "banker", 1_000)
    pit.bet("ann", "banker", 3_000)
    pit.bet("bob", "banker", 9_000)
    pit.staff(DEALER, c.RejectExcess(round=1, box=1))
    assert lying(pit) == {"ann": 3_000, "bob": 7_000}, "Bob's raise came last"


def test_what_is_taken_away_was_placed_last() -> None:
    pit = Pit("commission")
    pit.open()
    for dollars in (1_000, 2_000, 4_000, 3_000, 1_500):
        pit.bet("ann", "banker", dollars)
    (stake,) = pit.state.stakes.values()
    assert (stake.amount, stake.placed) == (1_500_00, ((1, 1_000_00), (2, 500_00)))
    pit.bet("ann", "banker", 500)
    (stake,) = pit.state.stakes.values()
    assert stake.placed == ((1, 500_00),)


@rulings("LIM-24")
def test_a_stake_raised_without_end_is_told_in_so_many_raises_and_no_more() -> None:
    pit = Pit("commission")
    pit.open()
    for times in range(MOST_RAISES + 3):
        pit.bet("ann", "banker", 100 + times)
        pit.bet("bob", "player", 100 + times)
    stake = pit.state.stakes["1/banker/ann"]
    assert stake.placed[:2] == ((1, 100_00), (3, 1_00))
    assert len(stake.raises) == MOST_RAISES
    assert stake.raises[-1] == (2 * MOST_RAISES + 5, 3_00), "the last three count as placed with the very last"
    assert stake.amount == sum(amount for _, amount in stake.placed)


@rulings("LIM-25")
@pytest.mark.parametrize("key", LONG)
def test_5_1_where_an_excess_is_refused_at_once_the_seated_have_their_priority(key: str) -> None:
    pit = Pit(key, policy=REFUSE)
    pit.player("ann", c.TakeSeat(box=1))
    pit.open()
    pit.bet("bob", "banker", 10_000)
    assert pit.refused("cat", place(pit, "banker", 100)) == (Reason.OVER_DIFFERENTIAL, "5.1")
    assert pit.refused("bob", place(pit, "banker", 10_100)) == (Reason.OVER_DIFFERENTIAL, "5.1")
    pit.bet("ann", "banker", 5_000)
    assert pit.refused("ann", place(pit, "banker", 10_100)) == (Reason.OVER_DIFFERENTIAL, "5.1")
    pit.staff(DEALER, c.RejectExcess(round=1, box=1))
    assert lying(pit) == {"bob": 5_000, "ann": 5_000}


# ---- under the minimum -------------------------------------------------------------------------------------------


@rulebook({"commission": ["5.1.2", "5.2.1"], "wu-song": ["5.1.2", "5.2.1"]}, by=betting.close_betting)
@pytest.mark.parametrize("key", LONG)
def test_a_bet_under_the_minimum_plays_in_full_by_the_paragraph_of_its_box(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "banker", 15_000)
    pit.bet("bob", "banker", 50)
    pit.bet("bob", "tie", 50)
    pit.bet("cat", "player", 50, box=2)
    pit.close(over_excess=True)
    (closed,) = pit.told(BettingClosed)
    assert {one.key: one.rule.paragraph for one in closed.under_minimum if one.rule} == {
        "1/banker/bob": "5.1.2",
        "1/tie/bob": "5.2.1",
        "2/player/cat": "5.2.1",
    }
    assert [(one.key, one.rule.paragraph) for one in closed.cut if one.rule] == [("1/banker/ann", "5.1.1")]
    pit.deal("9 7 K 10")
    pit.settle()
    (settled,) = pit.told(RoundSettled)
    unplayed = {one.owner: one.unplayed_rule for one in settled.stakes if one.bet == "banker"}
    assert unplayed == {"ann": "5.1.1", "bob": None}


# ---- documents without limits ------------------------------------------------------------------------------------


@rulings("LIM-26")
@pytest.mark.parametrize("key", SHORT)
def test_without_limit_paragraphs_nothing_is_lowered_below_the_minimum(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "player", 1_000)
    assert pit.refused("ann", place(pit, "player", 50)) == (Reason.UNDER_MINIMUM, None)
    pit.bet("ann", "player", 100)
    pit.player("ann", place(pit, "player", 0))
    assert lying(pit) == {}


@rulings("LIM-26")
@pytest.mark.parametrize("key", SHORT)
def test_without_limit_paragraphs_what_a_withdrawal_leaves_over_the_limit_goes_back_at_the_close(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "banker", 10_000)
    pit.bet("ann", "player", 20_000)
    pit.bet("bob", "tie", 100)
    pit.player("ann", place(pit, "banker", 0))
    pit.close()
    (handed_back,) = pit.told(ExcessRejected)
    assert (paragraph(handed_back), pit.purse("ann")) == (None, 90_000)
    assert lying(pit) == {"ann": 10_000, "bob": 100}
    assert pit.told(BettingClosed)[0].cut == (), "nothing plays pro rata"


@pytest.mark.parametrize("key", ["super-six", "insurance"])
def test_what_is_left_lying_after_a_tie_over_the_limit_goes_back_at_the_close(key: str) -> None:
    pit = Pit(key)
    pit.round({"bob": {"banker": 10_000}, "ann": {"player": 20_000}}, "9 9 K K")
    pit.player("bob", c.ChooseAfterTie(round=1, bet="banker", leave=False, box=1))
    pit.player("ann", c.ChooseAfterTie(round=1, bet="player", leave=True, box=1))
    pit.open()
    assert [stake.amount for stake in pit.told(BettingOpened)[-1].left_lying] == [20_000_00]
    pit.close()
    assert (lying(pit), pit.purse("ann")) == ({"ann": 10_000}, 90_000)


@rulings("LIM-19")
@pytest.mark.parametrize("key", SHORT)
def test_nobody_acts_on_limits_where_the_document_has_none(key: str) -> None:
    pit = Pit(key)
    pit.open()
    pit.bet("ann", "player", 100)
    box = 0 if pit.game.terminal else 1
    for command in (
        c.RejectExcess(round=1, box=box),
        c.AdviseMinimum(round=1, box=box, person="ann"),
        c.ReturnBet(round=1, box=box, bet="player", person="ann"),
    ):
        assert pit.refused(SHIFT, command) == (Reason.NOT_PROVIDED, None)


# ---- the rest of a slip ------------------------------------------------------------------------------------------


def test_an_empty_slip_is_refused() -> None:
    pit = Pit("commission")
    pit.open()
    assert pit.refused("ann", c.PlaceBets(round=1, lines=())) == (Reason.SLIP_EMPTY, None)
    there_and_back = (c.Line(bet="player", amount=100_00, box=1), c.Line(bet="player", amount=0, box=1))
    assert pit.refused("ann", c.PlaceBets(round=1, lines=there_and_back)) == (Reason.SLIP_EMPTY, None)


def test_there_is_no_excess_to_reject_within_the_limit() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    assert pit.refused(DEALER, c.RejectExcess(round=1, box=1)) == (Reason.NO_EXCESS, None)


def test_a_stake_is_whole_chips_and_not_negative() -> None:
    pit = Pit("commission")
    pit.open()
    greatest = (GREATEST_STAKE + 100, Reason.STAKE_TOO_GREAT)
    for cents, reason in ((-100, Reason.STAKE_NOT_POSITIVE), (150, Reason.STAKE_NOT_IN_UNITS), greatest):
        line = c.Line(bet="player", amount=cents, box=1)
        assert pit.refused("ann", c.PlaceBets(round=1, lines=(line,)))[0] is reason
    assert pit.refused("ann", place(pit, "player", 0)) == (Reason.BET_UNCHANGED, None)


@pytest.mark.parametrize("key", LONG)
def test_an_objection_names_a_box_of_the_table_and_somebody_at_it(key: str) -> None:
    pit = Pit(key)
    pit.open()
    assert pit.refused("ann", c.Object(round=1, box=99, against="bob"))[0] is Reason.BOX_OUT_OF_RANGE
    assert pit.refused("ann", c.Object(round=1, box=1, against="nobody")) == (Reason.UNKNOWN_PERSON, None)


@rulings("LIM-3", "LIM-18")
def test_the_most_on_a_side_bet_is_displayed_and_kept_and_does_not_touch_the_hands() -> None:
    pit = Pit("commission")
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), maximum=Cents(500_00))))
    pit.open()
    assert pit.refused("ann", place(pit, "tie", 501)) == (Reason.OVER_SIDE_MAXIMUM, "3.5")
    pit.bet("ann", "tie", 500)
    pit.bet("ann", "player", 501)
    assert pit.purse("ann") == 98_999


@rulings("LIM-4")
def test_a_side_bet_may_have_a_minimum_of_its_own_and_the_hands_may_not() -> None:
    pit = Pit("commission")
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), minimums={"tie": Cents(10_00)})))
    pit.open()
    pit.bet("ann", "tie", 10)
    assert pit.refused(DEALER, c.AdviseMinimum(round=1, box=1, person="ann"))[0] is Reason.NOT_UNDER_MINIMUM
    fresh = Pit("commission")
    hands = c.ChangeSetup(setup=replace(setup_of(fresh), minimums={"player": Cents(10_00)}))
    assert fresh.refused(MANAGER, hands)[0] is Reason.UNKNOWN_BET


def test_only_a_bet_that_lies_there_is_handed_back() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 50)
    pit.staff(DEALER, c.AdviseMinimum(round=1, box=1, person="ann"))
    other = c.ReturnBet(round=1, box=1, bet="banker", person="ann")
    assert pit.refused(DEALER, other) == (Reason.NO_SUCH_BET_PLACED, None)
    assert pit.purse("ann") == 99_950
