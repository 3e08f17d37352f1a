"""What happens around the round, at the edges: the last box, the last cent, the very moment, nobody's money."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.money import GREATEST_STAKE
from puntobanco.rules.procedures import StaffRank
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import By, Confirmation, Role
from puntobanco.table.commands import Choice, Fault, Tender
from puntobanco.table.decide import Accepted, Refusal, decide
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.guests import guest_id
from puntobanco.table.setup import GapCause, Policy, Setup, Timing
from puntobanco.table.state import State
from tests.table.pit import AT_ONCE, DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, paragraph
from tests.table.test_overlay import cause, overlay


def setup_of(pit: Pit) -> Setup:
    assert pit.state.setup is not None
    return pit.state.setup


def answer_of(pit: Pit, by: By, command: c.Command) -> Refusal:
    answer = pit.tell(command, by)
    assert isinstance(answer, Refusal)
    return answer


def manager(pit: Pit) -> By:
    return By("max", MANAGER, pit.now)


def change(pit: Pit, **changes: object) -> c.ChangeSetup:
    return c.ChangeSetup(setup=replace(setup_of(pit), **changes))


def reopen(pit: Pit, **changes: object) -> list[e.AnyEvent]:
    """Closes the table at once and opens it with these changes."""
    pit.staff(MANAGER, AT_ONCE)
    return pit.staff(MANAGER, c.OpenTable(setup=replace(setup_of(pit), **changes)))


# ---- the set-up --------------------------------------------------------------------------------------------------


def test_a_table_is_opened_by_whoever_may_change_it_and_as_it_may_be_set_up() -> None:
    pit = Pit("commission")
    pit.staff(MANAGER, AT_ONCE)
    for who in (DEALER, SUPERVISOR):
        assert pit.refused(who, c.OpenTable(setup=setup_of(pit))) == (Reason.NOT_AUTHORISED, "3.4")
    assert pit.refused(MANAGER, c.OpenTable(setup=replace(setup_of(pit), decks=9))) == (
        Reason.DECKS_OUT_OF_RANGE, "2.2.1",
    )  # fmt: skip
    pit.staff(SHIFT, c.OpenTable(setup=setup_of(pit)))
    for who in (DEALER, SUPERVISOR):
        assert pit.refused(who, change(pit, boxes=5))[0] is Reason.NOT_AUTHORISED


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"decks": 9}, Reason.DECKS_OUT_OF_RANGE),
        ({"decks": 3}, Reason.DECKS_OUT_OF_RANGE),
        ({"unit": 1}, Reason.UNIT_NOT_PAYABLE),
        ({"minimum": 0}, Reason.LIMIT_NOT_POSITIVE),
        ({"minimums": {"tie": 0}}, Reason.LIMIT_NOT_POSITIVE),
        ({"minimums": {"tie": 150}}, Reason.LIMIT_NOT_IN_UNITS),
        ({"minimums": {"player": 100_00}}, Reason.UNKNOWN_BET),
        ({"burn": 53}, Reason.SHOE_SET_WRONGLY),
        ({"burn": -1}, Reason.SHOE_SET_WRONGLY),
        ({"cut_card": -1}, Reason.SHOE_SET_WRONGLY),
        ({"cut_card": 416}, Reason.SHOE_SET_WRONGLY),
        ({"maximum": 0}, Reason.MAXIMUM_NOT_POSITIVE),
    ],
)
def test_a_table_is_not_set_up_with_what_no_round_could_be_played_with(
    changes: dict[str, object], reason: Reason
) -> None:
    pit = Pit("commission")
    assert pit.refused(MANAGER, change(pit, **changes))[0] is reason


@pytest.mark.parametrize(
    "changes",
    [
        {"decks": 4},
        {"minimums": {"tie": 50_00, "player_pair": 200_00}},
        {"burn": 0, "cut_card": 0},
        {"burn": 52, "cut_card": 415},
        {"maximum": 1},
    ],
)
def test_a_table_is_set_up_with_the_least_and_the_most_that_is_allowed(changes: dict[str, object]) -> None:
    pit = Pit("commission")
    pit.staff(MANAGER, change(pit, **changes))
    assert all(getattr(setup_of(pit), name) == value for name, value in changes.items())


@pytest.mark.parametrize("name", [*Timing.__struct_fields__])
def test_no_time_is_negative_and_the_time_to_choose_has_a_least(name: str) -> None:
    pit = Pit("commission")
    timing = setup_of(pit).timing
    least = 5_000 if name == "options" else 0
    wrong = answer_of(pit, manager(pit), change(pit, timing=replace(timing, **{name: -1})))
    assert wrong.reason is Reason.TIME_NEGATIVE
    if least:
        wrong = answer_of(pit, manager(pit), change(pit, timing=replace(timing, **{name: least - 1})))
        assert (wrong.reason, wrong.parameters) == (Reason.OPTIONS_TOO_SHORT, {"seconds": 5})
    pit.staff(MANAGER, change(pit, timing=replace(timing, **{name: least})))


def test_a_table_may_give_no_notice_and_no_grace_and_a_refused_time_names_the_longest() -> None:
    pit = Pit("commission")
    pit.staff(MANAGER, change(pit, policy=replace(setup_of(pit).policy, closing_notice=0, handover_grace=0)))
    too_long = answer_of(pit, manager(pit), change(pit, policy=Policy(closing_notice=24 * 60 + 1)))
    assert (too_long.reason, too_long.parameters) == (Reason.TIME_TOO_LONG, {"hours": 24})


def test_a_set_up_that_names_another_game_is_told_which() -> None:
    pit = Pit("commission")
    wrong = answer_of(pit, manager(pit), change(pit, game="wu-song"))
    assert (wrong.reason, wrong.parameters["game"]) == (Reason.WRONG_GAME, "wu-song")


@pytest.mark.parametrize("other", [{"layout": "B", "boxes": 7}, {"face_down": True}])
def test_while_a_card_waits_neither_the_layout_nor_the_way_of_dealing_changes(other: dict[str, Any]) -> None:
    pit = Pit("commission", "A")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.report(Fault.EXCESS, cards=read_cards("5"))
    assert pit.refused(MANAGER, change(pit, **other)) == (Reason.STAKES_IN_PLAY, None)
    pit.staff(MANAGER, change(pit, boxes=7))


@pytest.mark.parametrize("changes", [{"policy": Policy(closing_notice=5)}, {"layout": "B", "boxes": 7}])
def test_what_judges_a_round_that_may_be_voided_changes_only_by_opening_the_table_again(
    changes: dict[str, object],
) -> None:
    pit = Pit("commission", "A")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    assert pit.refused(MANAGER, change(pit, **changes)) == (Reason.ROUND_NOT_FINAL, "3.4")
    pit.staff(MANAGER, change(pit, boxes=7))
    reopen(pit)
    pit.staff(MANAGER, change(pit, **changes))


# ---- making way --------------------------------------------------------------------------------------------------


def test_who_has_money_at_a_table_that_is_to_deal_cards_only_is_named_in_order() -> None:
    pit = Pit("commission", people={"zoe": 100_00, "ann": 100_00, "mia": 100_00})
    pit.player("mia", c.CashOut(person="mia", amount=100_00))
    wrong = answer_of(pit, manager(pit), change(pit, cards_only=True))
    assert (wrong.reason, wrong.parameters["people"]) == (Reason.PURSES_NOT_EMPTY, ["ann", "zoe"])


def test_a_shoe_with_other_decks_is_withdrawn_once_and_a_table_without_one_has_none_to_withdraw() -> None:
    pit = Pit("commission")
    withdrawn, changed = pit.staff(MANAGER, change(pit, decks=6))
    assert isinstance(withdrawn, e.ShoeWithdrawn)
    assert isinstance(changed, e.SetupChanged)
    (changed,) = pit.staff(MANAGER, change(pit, decks=7))
    assert isinstance(changed, e.SetupChanged)
    state = State()
    for command in (c.OpenTable(setup=setup_of(pit)), change(pit, decks=6)):
        answer = decide(pit.felt, state, command, manager(pit))
        assert isinstance(answer, Accepted)
        assert answer.state is not None
        state = answer.state
        assert len(answer.events) == 1


@pytest.mark.parametrize(
    ("changes", "goes"),
    [({}, False), ({"boxes": 5}, False), ({"layout": "B", "boxes": 7}, True), ({"face_down": True}, True),
     ({"decks": 6}, True)],
)  # fmt: skip
def test_a_card_that_waits_is_discarded_when_a_table_opens_on_another_layout_dealing_or_shoe(
    changes: dict[str, object], *, goes: bool
) -> None:
    pit = Pit("commission", "A")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.report(Fault.EXCESS, cards=read_cards("5"))
    discarded = [one for one in reopen(pit, **changes) if isinstance(one, e.CarryOverDiscarded)]
    assert (len(discarded), pit.state.front) == ((1, ()) if goes else (0, read_cards("5")))


def test_a_seat_at_the_last_box_that_is_left_stays_and_one_behind_it_goes_by_the_paragraph_of_the_change() -> None:
    pit = Pit("commission", "A")
    for box, person in ((7, "ann"), (8, "bob"), (9, "cat")):
        pit.player(person, c.TakeSeat(box=box))
    first, second, changed = pit.staff(MANAGER, change(pit, boxes=7))
    assert pit.state.seats == {7: "ann"}
    assert [paragraph(one) for one in (first, second)] == [paragraph(changed)] * 2


# ---- overlays and policies ---------------------------------------------------------------------------------------


def test_an_overlay_is_refused_only_for_the_moment_that_the_document_covers() -> None:
    pit = Pit("commission")
    in_round, settled = cause("shoe_empty"), cause("shoe_empty", in_round=False, settled=True)
    assert pit.refused(MANAGER, change(pit, overlay=overlay(in_round))) == (Reason.OVERLAY_NOT_SILENT, "5.5.4")
    pit.staff(MANAGER, change(pit, overlay=overlay(settled)))
    number = cause("wrong_number_of_cards", in_round=False, settled=True)
    assert pit.refused(MANAGER, change(pit, overlay=overlay(number))) == (Reason.OVERLAY_NOT_SILENT, "5.5.3")


def test_an_overlay_is_not_called_like_the_game_of_the_table_nor_written_with_signs_nobody_sees() -> None:
    game = library.game("commission")
    own = msgspec.structs.replace(game, key="my-own")
    pit = Pit("my-own", game=own)
    carried = overlay(cause("shoe_empty", in_round=False, settled=True), key="my-own")
    assert pit.refused(MANAGER, change(pit, overlay=carried))[0] is Reason.OVERLAY_KEY_TAKEN
    unseen = msgspec.structs.replace(carried, key="other", document="Regulations\u202e")
    assert pit.refused(MANAGER, change(pit, overlay=unseen))[0] is Reason.TEXT_UNREADABLE


@pytest.mark.parametrize(
    ("carried", "allowed"), [(None, False), ("unshuffled", False), ("shoe_empty", True)]
)  # fmt: skip
def test_a_document_that_leaves_nothing_to_interpret_has_its_causes_widened_by_an_overlay_that_names_them(
    carried: str | None, *, allowed: bool
) -> None:
    pit = Pit("super-six")
    widened = change(
        pit,
        overlay=overlay(cause(carried, in_round=False, settled=True)) if carried else None,
        policy=Policy(gap_void=(GapCause.SHOE_EMPTY,)),
    )
    if allowed:
        pit.staff(MANAGER, widened)
        return
    wrong = answer_of(pit, manager(pit), widened)
    assert (wrong.reason, wrong.parameters) == (Reason.GAP_VOID_FIXED, {"causes": {"any": [{"word": "shoe_empty"}]}})


@pytest.mark.parametrize("edition", [Edition.GUESTS_CONFIRM, Edition.SECOND_READING])
def test_since_the_second_reading_only_interpretation_widens_the_causes_and_there_is_time_to_choose(
    edition: Edition,
) -> None:
    for changes, reason in (
        ({"policy": Policy(gap_void=(GapCause.SHOE_EMPTY,))}, Reason.GAP_VOID_FIXED),
        ({"timing": Timing(options=0)}, Reason.OPTIONS_TOO_SHORT),
    ):
        pit = Pit("super-six")
        pit.felt = Felt.of(pit.game, setup_of(pit), edition)
        if edition < Edition.SECOND_READING:
            pit.staff(MANAGER, change(pit, **changes))
        else:
            assert pit.refused(MANAGER, change(pit, **changes))[0] is reason


@pytest.mark.parametrize("edition", [Edition.SECOND_READING, Edition.CURRENT_NOTICE])
def test_since_the_current_notice_no_time_is_longer_than_a_day(edition: Edition) -> None:
    pit = Pit("commission")
    pit.felt = Felt.of(pit.game, setup_of(pit), edition)
    longer = change(pit, policy=Policy(closing_notice=24 * 60 + 1))
    if edition < Edition.CURRENT_NOTICE:
        pit.staff(MANAGER, longer)
    else:
        assert pit.refused(MANAGER, longer)[0] is Reason.TIME_TOO_LONG


# ---- closing -----------------------------------------------------------------------------------------------------


def test_a_grave_cause_needs_its_reason_by_the_paragraph_and_an_empty_table_closes_without() -> None:
    pit = Pit("commission", people={"ann": 100_00})
    at_once = c.CloseTable(cause=c.ClosingCause.REPAIR, reason=" ")
    assert pit.refused(MANAGER, at_once) == (Reason.REASON_MISSING, "3.4")
    assert pit.refused(MANAGER, c.AnnounceClosing(reason="")) == (Reason.REASON_MISSING, "3.4")
    pit.player("ann", c.CashOut(person="ann", amount=100_00))
    pit.staff(MANAGER, c.CloseTable())


@pytest.mark.parametrize("there", ["seat", "purse", "held"])
def test_whoever_has_a_seat_a_purse_or_a_stake_since_a_tie_is_given_notice(there: str) -> None:
    pit = Pit("insurance", people={"ann": 100_00, "bob": 1})
    pit.player("bob", c.CashOut(person="bob", amount=1))
    if there == "seat":
        pit.player("ann", c.TakeSeat(box=1))
        pit.player("ann", c.CashOut(person="ann", amount=100_00))
    if there == "held":
        pit.round({"ann": {"player": 100}}, "9 9 K K")
    present = (bool(pit.state.seats), any(pit.state.purses.values()), bool(pit.state.held))
    assert present == (there == "seat", there == "purse", there == "held")
    assert pit.refused(MANAGER, c.CloseTable()) == (Reason.CLOSING_UNANNOUNCED, None)


def test_how_long_the_notice_still_runs_is_told_in_minutes_begun() -> None:
    pit = Pit("commission")
    pit.staff(MANAGER, c.AnnounceClosing(reason="quiet"))
    for waits, minutes in ((0, 20), (1, 20), (60_000, 19), (18 * 60_000 + 59_999, 2), (20 * 60_000 - 1, 1)):
        early = answer_of(pit, By("max", MANAGER, pit.now + waits), c.CloseTable())
        assert (early.reason, early.parameters) == (Reason.CLOSING_TOO_EARLY, {"minutes": minutes})


@pytest.mark.parametrize("edition", [Edition.GUESTS_CONFIRM, Edition.SECOND_READING])
def test_since_the_second_reading_a_table_closes_with_notice_and_its_last_round_is_heard_of(edition: Edition) -> None:
    pit = Pit("commission")
    pit.felt = Felt.of(pit.game, setup_of(pit), edition)
    if edition < Edition.SECOND_READING:
        pit.staff(MANAGER, c.CloseTable())
    else:
        assert pit.refused(MANAGER, c.CloseTable())[0] is Reason.CLOSING_UNANNOUNCED
        pit.staff(MANAGER, AT_ONCE)
    (closed,) = pit.told(e.TableClosed)
    assert closed.hears is (edition >= Edition.SECOND_READING)


# ---- money -------------------------------------------------------------------------------------------------------


LEE = guest_id("Lee")


def cash(name: str = "Lee", *, again: bool = False, cents: int = 1_000_00) -> c.BuyInAtTable:
    return c.BuyInAtTable(name=name, amount=cents, tender=Tender.CASH, again=again)


def amounts(cents: int) -> list[tuple[str | Role, c.Command]]:
    """Everything that brings or takes that much."""
    return [
        ("ann", c.BuyIn(person="ann", amount=cents)),
        ("ann", c.CashOut(person="ann", amount=cents)),
        (DEALER, cash(cents=cents)),
    ]


def test_money_comes_and_goes_by_the_cent_and_up_to_the_greatest_stake() -> None:
    pit = Pit("commission", people={"ann": GREATEST_STAKE})
    for cents in (0, -1):
        for who, command in amounts(cents):
            assert pit.refused(who, command)[0] is Reason.AMOUNT_NOT_POSITIVE
    for who, command in amounts(GREATEST_STAKE + 1):
        assert pit.refused(who, command)[0] is Reason.AMOUNT_TOO_GREAT
    for who, command in amounts(1):
        assert pit.staff(who, command) if isinstance(who, Role) else pit.player(who, command)
    pit.player("ann", c.CashOut(person="ann", amount=GREATEST_STAKE))
    assert pit.state.purses["ann"] == 0
    pit.player("ann", c.BuyIn(person="ann", amount=GREATEST_STAKE))


def test_who_takes_out_more_than_the_purse_holds_is_told_what_it_holds() -> None:
    pit = Pit("commission", people={"ann": 100_00})
    more = answer_of(pit, By("ann", Role.PLAYER, pit.now), c.CashOut(person="ann", amount=100_01))
    assert (more.reason, more.parameters) == (Reason.NOT_ENOUGH_MONEY, {"stake": "100.01", "purse": "100.00"})
    stranger = answer_of(pit, By("dan", Role.PLAYER, pit.now), c.CashOut(person="dan", amount=1))
    assert (stranger.reason, stranger.parameters["purse"]) == (Reason.NOT_ENOUGH_MONEY, "0.00")


def test_what_is_owed_cannot_be_taken_out_and_what_is_left_of_the_purse_can() -> None:
    pit = Pit("commission", people={"ann": 100_00})
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.player("ann", c.CashOut(person="ann", amount=200_00))
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE, cards=read_cards("7 9 K 10"))
    pit.settle()
    assert pit.state.owed == {"ann": 200_00}
    pit.player("ann", c.BuyIn(person="ann", amount=150_00))
    owed = answer_of(pit, By("ann", Role.PLAYER, pit.now), c.CashOut(person="ann", amount=1))
    assert (owed.reason, owed.parameters["purse"]) == (Reason.OWED, "0.00"), "never less than nothing"
    pit.player("ann", c.BuyIn(person="ann", amount=100_00))
    owed = answer_of(pit, By("ann", Role.PLAYER, pit.now), c.CashOut(person="ann", amount=50_01))
    assert (owed.reason, owed.parameters) == (Reason.OWED, {"stake": "50.01", "purse": "50.00"})
    pit.player("ann", c.CashOut(person="ann", amount=50_00))


def test_what_the_dealer_has_not_paid_yet_stays_in_the_purse_to_the_cent() -> None:
    pit = Pit("commission", people={"ann": 1_000_00})
    pit.open()
    pit.bet("ann", "player", 100, box=1)
    pit.bet("ann", "player", 100, box=3)
    pit.close()
    pit.deal("9 7 K 10")
    pit.staff(DEALER, c.Settle(round=1))
    unpaid = answer_of(pit, By("ann", Role.PLAYER, pit.now), c.CashOut(person="ann", amount=800_01))
    assert (unpaid.reason, unpaid.parameters) == (Reason.BOX_UNPAID, {"boxes": "1, 3"})
    pit.player("ann", c.CashOut(person="ann", amount=800_00))


def test_a_guests_key_names_nobody_who_has_a_wallet() -> None:
    pit = Pit("commission")
    pit.staff(DEALER, cash())
    for command in (c.BuyIn(person=LEE, amount=1), c.CashOut(person=LEE, amount=1)):
        by = By("cal", Role.CASHIER, pit.now, confirmed=Confirmation.PIN)
        answer = answer_of(pit, by, command)
        assert answer.reason is (Reason.CHIPS_ONLY if isinstance(command, c.CashOut) else Reason.UNKNOWN_PERSON)
        assert answer.parameters == {"person": LEE}


@pytest.mark.parametrize("edition", [Edition.FIRST, Edition.GUESTS_CONFIRM])
def test_since_guests_confirm_staff_buy_in_only_who_has_confirmed_it(edition: Edition) -> None:
    pit = Pit("commission")
    pit.felt = Felt.of(pit.game, setup_of(pit), edition)
    buy = c.BuyIn(person="dan", amount=100_00)
    if edition < Edition.GUESTS_CONFIRM:
        pit.staff(Role.CASHIER, buy)
    else:
        assert pit.refused(Role.CASHIER, buy)[0] is Reason.GUEST_NOT_CONFIRMED
        pit.staff(Role.CASHIER, buy, confirmed=Confirmation.PIN)


@pytest.mark.parametrize("edition", [Edition.GUESTS_CONFIRM, Edition.SECOND_READING])
def test_since_the_second_reading_who_had_left_and_buys_in_is_back(edition: Edition) -> None:
    pit = Pit("commission")
    pit.felt = Felt.of(pit.game, setup_of(pit), edition)
    pit.player("ann", c.BuyIn(person="ann", amount=1))
    pit.player("ann", c.WalkAway(person="ann"))
    pit.player("ann", c.BuyIn(person="ann", amount=1))
    assert [bought.back for bought in pit.told(e.BoughtIn)[-2:]] == [False, edition >= Edition.SECOND_READING]


def test_nobody_takes_money_from_a_wallet_of_somebody_else() -> None:
    pit = Pit("commission")
    for command in (c.BuyIn(person="bob", amount=1), c.CashOut(person="bob", amount=1)):
        answer = answer_of(pit, By("ann", Role.PLAYER, pit.now), command)
        assert (answer.reason, answer.parameters) == (Reason.NOT_YOURS, {"person": "bob"})


def test_more_is_bought_by_a_guest_who_is_here_and_a_name_is_given_once() -> None:
    pit = Pit("commission")
    assert pit.refused(DEALER, cash(again=True)) == (Reason.UNKNOWN_PERSON, None)
    pit.staff(DEALER, cash())
    taken = answer_of(pit, By("dora", DEALER, pit.now), cash("lee"))
    assert (taken.reason, taken.parameters) == (Reason.GUEST_NAME_TAKEN, {"name": "Lee"})
    pit.staff(DEALER, cash("lee", again=True))
    assert pit.purse(LEE) == 2_000
    pit.staff(DEALER, c.LeaveTable(person=LEE))
    assert pit.refused(DEALER, cash(again=True)) == (Reason.UNKNOWN_PERSON, None), "who has left is not here"
    for name in ("", "Lee ", "a:b"):
        assert pit.refused(DEALER, cash(name))[0] is Reason.GUEST_NAME_WRONG


def test_a_guest_who_left_with_a_debt_keeps_the_name_and_is_not_here_to_buy_more() -> None:
    pit = Pit("commission")
    pit.staff(DEALER, cash())
    pit.open()
    lines = (c.Line(bet="player", amount=1_000_00, box=1),)
    pit.staff(DEALER, c.PlaceBets(round=1, lines=lines, owner=LEE, requested=True))
    pit.close()
    pit.deal("9 7 K 10")
    pit.settle()
    pit.staff(DEALER, c.LeaveTable(person=LEE))
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE, cards=read_cards("7 9 K 10"))
    pit.settle()
    pit.staff(DEALER, c.LeaveTable(person=LEE))
    assert (pit.state.owed[LEE], LEE in pit.state.purses) == (2_000_00, False)
    assert pit.refused(DEALER, cash()) == (Reason.GUEST_NAME_TAKEN, None)
    assert pit.refused(DEALER, cash(again=True)) == (Reason.UNKNOWN_PERSON, None)


def test_only_a_guest_who_is_here_and_has_nothing_in_play_or_unpaid_leaves_with_the_chips() -> None:
    pit = Pit("commission")
    for person in ("ann", LEE):
        assert pit.refused(DEALER, c.LeaveTable(person=person)) == (Reason.UNKNOWN_PERSON, None)
    pit.staff(DEALER, cash())
    pit.open()
    lines = (c.Line(bet="player", amount=100_00, box=2),)
    pit.staff(DEALER, c.PlaceBets(round=1, lines=lines, owner=LEE, requested=True))
    pit.bet("ann", "banker", 100, box=3)
    pit.close()
    assert pit.refused(DEALER, c.LeaveTable(person=LEE)) == (Reason.BETS_IN_PLAY, None)
    pit.deal("9 7 K 10")
    pit.staff(DEALER, c.Settle(round=1))
    unpaid = answer_of(pit, By("dora", DEALER, pit.now), c.LeaveTable(person=LEE))
    assert (unpaid.reason, unpaid.parameters) == (Reason.BOX_UNPAID, {"boxes": "2"})
    pit.confirm(2)
    (left,) = pit.staff(DEALER, c.LeaveTable(person=LEE))
    assert isinstance(left, e.GuestLeft)
    assert (left.amount, LEE in pit.state.purses) == (1_100_00, False)


# ---- seats and people --------------------------------------------------------------------------------------------


def test_a_seat_is_at_a_box_of_the_table_and_free() -> None:
    pit = Pit("commission", "A")
    for box in (0, 10):
        assert pit.refused("ann", c.TakeSeat(box=box))[0] is Reason.BOX_OUT_OF_RANGE
    pit.player("ann", c.TakeSeat(box=9))
    taken = answer_of(pit, By("bob", Role.PLAYER, pit.now), c.TakeSeat(box=9))
    assert (taken.reason, taken.parameters) == (Reason.SEAT_TAKEN, {"box": 9})


@pytest.mark.parametrize("edition", [Edition.GUESTS_CONFIRM, Edition.SECOND_READING])
def test_since_the_second_reading_a_pit_employee_records_who_sits_down(edition: Edition) -> None:
    pit = Pit("commission")
    pit.felt = Felt.of(pit.game, setup_of(pit), edition)
    seat = c.TakeSeat(box=2, person="ann")
    assert pit.refused("bob", seat) == (Reason.NOT_YOURS, None)
    nobody = answer_of(pit, By("dora", DEALER, pit.now), c.TakeSeat(box=2))
    if edition < Edition.SECOND_READING:
        assert (nobody.reason, nobody.parameters) == (Reason.UNKNOWN_PERSON, {"person": ""})
    else:
        assert nobody.reason is Reason.NOT_A_PLAYER
    (seated,) = pit.staff(DEALER, seat)
    assert paragraph(seated) == ("1.17" if edition < Edition.SECOND_READING else None), "recorded for her"


def test_a_role_is_not_given_twice_nor_taken_from_whoever_has_none() -> None:
    pit = Pit("commission")
    pit.staff(MANAGER, c.Assign(person="eve", role=StaffRank.DEALER))
    twice = answer_of(pit, manager(pit), c.Assign(person="eve", role=StaffRank.DEALER))
    assert (twice.reason, twice.parameters) == (Reason.ALREADY_ACTING, {"person": "eve", "role": {"word": "dealer"}})
    assert pit.refused(DEALER, c.Relieve(person="eve"))[0] is Reason.NOT_AUTHORISED
    pit.staff(MANAGER, c.Relieve(person="eve"))
    none = answer_of(pit, manager(pit), c.Relieve(person="eve"))
    assert (none.reason, none.parameters, none.paragraph) == (
        Reason.NOT_ACTING, {"person": "eve"}, pit.game.pit_employees,
    )  # fmt: skip


# ---- handover and display ----------------------------------------------------------------------------------------


def test_a_round_is_taken_over_in_the_very_moment_and_a_refusal_names_the_grace() -> None:
    pit = Pit("commission", policy=Policy(handover_grace=3))
    pit.open()
    pit.staff(Role.SYSTEM, c.TakeOver(round=1, away=0))
    long = answer_of(pit, By("house", Role.SYSTEM, pit.now), c.TakeOver(round=1, away=3_001))
    assert (long.reason, long.parameters) == (Reason.HANDOVER_TOO_LONG, {"grace": 3})


def test_a_display_is_corrected_for_a_round_that_has_been_announced() -> None:
    pit = Pit("commission")

    def corrected(number: int) -> c.CorrectDisplay:
        return c.CorrectDisplay(round=number, shown="7", correct="8")

    assert pit.refused(SUPERVISOR, corrected(0)) == (Reason.STALE_ROUND, None)
    for _ in range(2):
        pit.round({"ann": {"player": 100}}, "9 7 K 10")
    for number in (0, -1, 3):
        stale = answer_of(pit, By("sue", SUPERVISOR, pit.now), corrected(number))
        assert (stale.reason, stale.parameters) == (Reason.STALE_ROUND, {"round": number, "current": 2})
    for number in (1, 2):
        (told,) = pit.staff(SUPERVISOR, corrected(number))
        assert isinstance(told, e.DisplayCorrected)
        assert (told.round, told.shown, told.correct, paragraph(told)) == (number, "7", "8", "5.14")
    assert pit.refused(Role.CASHIER, corrected(1))[0] is Reason.ACCESS_DENIED
