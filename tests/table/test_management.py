"""The floor around a round: opening, changing and closing a table, seats, people and their money."""

import pytest
from msgspec.structs import replace

from puntobanco.rules import library
from puntobanco.rules.cards import read_cards
from puntobanco.rules.money import Cents
from puntobanco.rules.refusal import Reason
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.decide import Refusal
from puntobanco.table.events import SeatLeft, SeatTaken, StakesReturned, TableClosed, TableOpened
from puntobanco.table.setup import Setup, Timing
from puntobanco.table.state import Phase
from puntobanco.table.views import private_view, public_view
from tests.marks import rulings
from tests.table.pit import AT_ONCE, DEALER, MANAGER, SUPERVISOR, Pit, paragraph

DATED = [key for key in library.GAMES if library.game(key).effective is not None]


def setup_of(pit: Pit) -> Setup:
    assert pit.state.setup is not None
    return pit.state.setup


def held_since_a_tie(key: str = "insurance") -> Pit:
    """Ann's stake lies since a tie and is hers to take or leave."""
    pit = Pit(key)
    pit.round({"ann": {"player": 100}}, "9 9 K K")
    assert [stake.owner for stake in pit.state.held.values()] == ["ann"]
    return pit


def card_in_front() -> Pit:
    """A settled round with an excess card left in front of the shoe."""
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.close()
    pit.deal("2 3 4 3")
    pit.report(Fault.EXCESS, cards=read_cards("9"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    pit.settle()
    return pit


# ---- opening, changing, closing ----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", DATED)
def test_no_table_opens_before_its_document_is_in_force(key: str) -> None:
    pit = Pit(key)
    pit.staff(MANAGER, AT_ONCE)
    assert pit.game.effective is not None
    in_force = int(pit.game.effective.timestamp() * 1000)
    pit.now = in_force - 1
    assert pit.refused(MANAGER, c.OpenTable(setup=setup_of(pit))) == (Reason.NOT_IN_FORCE, "Title")
    pit.now = in_force
    pit.staff(MANAGER, c.OpenTable(setup=setup_of(pit)))
    assert pit.phase is Phase.IDLE


@rulings("DOC-2")
def test_a_document_without_a_date_is_in_force_where_a_manager_opens_a_table_of_it() -> None:
    pit = Pit("super-six")
    pit.staff(MANAGER, AT_ONCE)
    for moment in (0, pit.now):
        pit.now = moment
        assert pit.refused(SUPERVISOR, c.OpenTable(setup=setup_of(pit)))[0] is Reason.NOT_AUTHORISED
        opened = pit.staff(MANAGER, c.OpenTable(setup=setup_of(pit)))
        assert [(type(event), event.by.role, event.by.at) for event in opened] == [(TableOpened, MANAGER, moment)]
        pit.staff(MANAGER, AT_ONCE)


def test_a_table_opens_only_with_the_game_file_it_names() -> None:
    pit = Pit("commission")
    for other in (replace(setup_of(pit), game="wu-song"), replace(setup_of(pit), fingerprint="another file")):
        assert pit.refused(MANAGER, c.ChangeSetup(setup=other)) == (Reason.WRONG_GAME, "Title")


def test_an_electronic_table_has_no_boxes_to_set_up_or_sit_at() -> None:
    pit = Pit("non-commission-etg")
    boxes = c.ChangeSetup(setup=replace(setup_of(pit), boxes=5))
    assert pit.refused(MANAGER, boxes) == (Reason.NO_BOXES, "2.1.1")
    assert pit.refused("ann", c.TakeSeat(box=1)) == (Reason.NO_BOXES, "2.1.1")


@rulings("TIE-5")
@pytest.mark.parametrize("key", ["super-six", "insurance"])
@pytest.mark.parametrize("closes", [True, False])
def test_a_table_that_changes_or_closes_returns_the_stakes_held_since_a_tie(key: str, closes: bool) -> None:
    pit = held_since_a_tie(key)
    pit.player("ann", c.ChooseAfterTie(round=1, bet="player", leave=True, box=1))
    lower = c.ChangeSetup(setup=replace(setup_of(pit), minimum=Cents(50_00)))
    pit.staff(MANAGER, AT_ONCE if closes else lower)
    (returned,) = pit.told(StakesReturned)
    assert (paragraph(returned), pit.purse("ann")) == (pit.game.tie.rule, 100_000)
    assert (pit.state.held, pit.state.leaving) == ({}, frozenset())
    if closes:
        assert pit.refused(DEALER, c.OpenBetting()) == (Reason.NOT_HEARD_NOW, None)
    else:
        pit.open()
        assert pit.state.stakes == {}


def test_the_limits_change_under_a_card_that_waits_and_the_layout_and_the_faces_do_not() -> None:
    pit = card_in_front()
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(setup_of(pit), differential=Cents(1_000_00))))
    assert (setup_of(pit).differential, pit.state.front) == (1_000_00, read_cards("9"))
    other = c.ChangeSetup(setup=replace(setup_of(pit), face_down=True))
    assert pit.refused(MANAGER, other) == (Reason.STAKES_IN_PLAY, None)


@pytest.mark.parametrize(("boxes", "fits"), [(0, False), (1, True), (8, True), (9, True), (10, False)])
def test_a_table_may_have_fewer_boxes_than_its_layout_prints(boxes: int, fits: bool) -> None:
    pit = Pit("commission", "A")
    change = c.ChangeSetup(setup=replace(setup_of(pit), boxes=boxes))
    if not fits:
        assert pit.refused(MANAGER, change) == (Reason.BOXES_OUT_OF_RANGE, "App. A")
        return
    pit.staff(MANAGER, change)
    pit.player("ann", c.TakeSeat(box=boxes))
    assert pit.refused("bob", c.TakeSeat(box=boxes + 1))[0] is Reason.BOX_OUT_OF_RANGE


@pytest.mark.parametrize("who", [DEALER, SUPERVISOR])
def test_only_the_pit_manager_and_above_close_a_table(who: Role) -> None:
    pit = Pit("commission")
    assert pit.refused(who, c.CloseTable())[0] is Reason.NOT_AUTHORISED
    pit.staff(MANAGER, AT_ONCE)
    assert pit.phase is Phase.CLOSED


# ---- seats and people --------------------------------------------------------------------------------------------


def test_a_seat_is_one_persons_and_a_person_has_one_seat() -> None:
    pit = Pit("commission")
    pit.player("ann", c.TakeSeat(box=1))
    assert pit.refused("bob", c.TakeSeat(box=1)) == (Reason.SEAT_TAKEN, None)
    left, taken = pit.player("ann", c.TakeSeat(box=3))
    assert isinstance(left, SeatLeft)
    assert isinstance(taken, SeatTaken)
    assert left.rule is not None
    assert left.rule.paragraph == "1.17"
    assert pit.state.seats == {3: "ann"}
    pit.player("bob", c.TakeSeat(box=1))
    assert pit.state.seats == {3: "ann", 1: "bob"}


def test_a_seat_is_left_by_whoever_has_it_or_cleared_by_staff() -> None:
    pit = Pit("commission")
    pit.player("ann", c.TakeSeat(box=1))
    pit.player("bob", c.TakeSeat(box=2))
    refusal = pit.tell(c.LeaveSeat(box=1), By("bob", Role.PLAYER, pit.now))
    assert isinstance(refusal, Refusal)
    assert (refusal.reason, refusal.parameters) == (Reason.NOT_YOUR_SEAT, {"box": 1}), "it names nobody"
    assert pit.refused("bob", c.LeaveSeat(box=5)) == (Reason.NO_SEAT, None)
    pit.player("ann", c.LeaveSeat(box=1))
    pit.staff(DEALER, c.LeaveSeat(box=2))
    assert pit.state.seats == {}


@pytest.mark.parametrize("name", ["", "  "])
def test_nobody_buys_in_without_a_name(name: str) -> None:
    pit = Pit("commission")
    assert pit.refused(DEALER, c.BuyIn(person=name, amount=100_00)) == (Reason.UNKNOWN_PERSON, None)
    assert pit.state.purses.keys() == {"ann", "bob", "cat"}


def test_nobody_walks_away_who_never_came() -> None:
    pit = Pit("commission")
    assert pit.refused("dan", c.WalkAway(person="dan")) == (Reason.UNKNOWN_PERSON, None)
    assert "dan" not in pit.state.absent


def test_only_somebody_with_money_at_the_table_sits_down() -> None:
    pit = Pit("commission")
    assert pit.refused("ghost", c.TakeSeat(box=1)) == (Reason.UNKNOWN_PERSON, None)
    assert pit.refused(DEALER, c.TakeSeat(box=1)) == (Reason.NOT_A_PLAYER, None)
    assert pit.refused(DEALER, c.TakeSeat(box=1, person="ghost")) == (Reason.UNKNOWN_PERSON, None)


def test_nobody_else_moves_a_persons_money() -> None:
    pit = Pit("commission")
    assert pit.refused("bob", c.CashOut(person="ann", amount=100)) == (Reason.NOT_YOURS, None)
    assert pit.refused("bob", c.WalkAway(person="ann")) == (Reason.NOT_YOURS, None)
    assert pit.refused("ann", c.CashOut(person="ann", amount=0)) == (Reason.AMOUNT_NOT_POSITIVE, None)
    assert pit.refused("ann", c.BuyIn(person="ann", amount=10**15)) == (Reason.AMOUNT_TOO_GREAT, None)


@pytest.mark.parametrize("key", library.GAMES)
def test_money_is_cashed_out_after_the_table_is_closed(key: str) -> None:
    pit = Pit(key)
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.staff(MANAGER, AT_ONCE)
    assert pit.state.in_play == 0
    pit.player("ann", c.CashOut(person="ann", amount=100_100_00))
    assert pit.purse("ann") == 0
    assert pit.refused("ann", c.BuyIn(person="ann", amount=100)) == (Reason.NOT_HEARD_NOW, None)


def test_no_stake_of_the_last_round_lies_on_a_table_that_was_closed_after_it() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    pit.staff(MANAGER, AT_ONCE)
    pit.staff(MANAGER, c.OpenTable(setup=setup_of(pit)))
    assert private_view(pit.felt, pit.state, "ann").stakes == ()
    assert all(box.room_player == box.room_banker for box in public_view(pit.felt, pit.state, DEALER).boxes)
    pit.open()
    assert (pit.phase, pit.purse("ann"), pit.state.round) == (Phase.BETTING, 100_100, 2)


def test_whoever_sits_at_a_box_that_is_no_longer_used_is_no_longer_seated() -> None:
    pit = Pit("commission")
    pit.player("ann", c.TakeSeat(box=2))
    pit.player("bob", c.TakeSeat(box=9))
    assert pit.state.setup is not None
    pit.staff(MANAGER, c.ChangeSetup(setup=replace(pit.state.setup, boxes=7)))
    assert pit.state.seats == {2: "ann"}


def test_a_change_of_a_set_up_that_somebody_else_has_changed_meanwhile_is_refused() -> None:
    pit = Pit("commission")
    seen = pit.state.setup
    assert seen is not None
    first = c.ChangeSetup(setup=replace(seen, boxes=7), replaces=seen)
    second = c.ChangeSetup(setup=replace(seen, decks=6), replaces=seen)
    pit.staff(MANAGER, first)
    assert pit.refused(MANAGER, second) == (Reason.SETUP_REPLACED, None)
    assert pit.state.setup == first.setup
    pit.staff(MANAGER, replace(second, replaces=first.setup))
    pit.staff(MANAGER, replace(first, replaces=None))


@rulings("BET-12")
def test_a_table_with_players_closes_after_notice_and_a_further_round() -> None:
    pit = Pit("commission")
    assert pit.refused(MANAGER, c.CloseTable()) == (Reason.CLOSING_UNANNOUNCED, None)
    assert pit.refused(MANAGER, c.AnnounceClosing(reason=" "))[0] is Reason.REASON_MISSING
    assert pit.refused(DEALER, c.AnnounceClosing(reason="quiet"))[0] is Reason.NOT_AUTHORISED
    pit.open()
    pit.staff(MANAGER, c.AnnounceClosing(reason="quiet"))
    assert pit.refused(MANAGER, c.AnnounceClosing(reason="quiet")) == (Reason.CLOSING_ANNOUNCED, None)
    pit.close()
    pit.deal("9 2 K K")
    pit.staff(DEALER, c.Settle(round=1))
    assert pit.refused(MANAGER, c.CloseTable()) == (Reason.CLOSING_TOO_EARLY, None), "that round had begun before"
    pit.open()
    pit.close()
    pit.deal("9 2 K K")
    pit.staff(DEALER, c.Settle(round=2))
    pit.staff(MANAGER, c.CloseTable())
    assert pit.state.phase is Phase.CLOSED
    assert pit.state.closing is None


def test_a_table_with_players_closes_when_the_notice_is_over() -> None:
    pit = Pit("commission")
    pit.staff(MANAGER, c.AnnounceClosing(reason="quiet"))
    pit.now += 20 * 60_000 - 1
    assert pit.refused(MANAGER, c.CloseTable())[0] is Reason.CLOSING_TOO_EARLY
    pit.now += 1
    pit.staff(MANAGER, c.CloseTable())


@rulings("BET-12")
def test_a_table_closes_at_once_for_a_grave_cause_with_a_reason_or_with_nobody_there() -> None:
    pit = Pit("commission")
    for cause in c.ClosingCause:
        assert pit.refused(MANAGER, c.CloseTable(cause=cause))[0] is Reason.REASON_MISSING
    [*_, closed] = pit.staff(MANAGER, AT_ONCE)
    assert isinstance(closed, TableClosed)
    assert (closed.cause, closed.reason) == (AT_ONCE.cause, AT_ONCE.reason)
    empty = Pit("commission", people={"ann": 100_00})
    empty.player("ann", c.CashOut(person="ann", amount=100_00))
    empty.staff(MANAGER, c.CloseTable())


def test_no_notice_is_shorter_than_none() -> None:
    pit = Pit("commission")
    setup = setup_of(pit)
    for policy in (replace(setup.policy, closing_notice=-1), replace(setup.policy, handover_grace=-1)):
        assert pit.refused(MANAGER, c.ChangeSetup(setup=replace(setup, policy=policy)))[0] is Reason.TIME_NEGATIVE


def test_no_time_is_longer_than_a_day() -> None:
    """A table that deals by itself would wait for ever, and its set-up changes only between rounds."""
    pit = Pit("commission")
    setup = setup_of(pit)
    day = 24 * 3_600_000
    longest = replace(
        setup,
        timing=Timing(betting=day, drain=day, squeeze=day, insurance=day, options=day),
        policy=replace(setup.policy, closing_notice=24 * 60, handover_grace=24 * 3_600),
    )
    pit.staff(MANAGER, c.ChangeSetup(setup=longest))
    for wrong in (
        *(replace(longest, timing=replace(longest.timing, **{one: day + 1})) for one in Timing.__struct_fields__),
        replace(longest, policy=replace(longest.policy, closing_notice=24 * 60 + 1)),
        replace(longest, policy=replace(longest.policy, handover_grace=24 * 3_600 + 1)),
    ):
        assert pit.refused(MANAGER, c.ChangeSetup(setup=wrong))[0] is Reason.TIME_TOO_LONG


def test_the_maximum_of_a_side_bet_is_positive() -> None:
    pit = Pit("commission")
    for maximum in (-1, 0):
        change = c.ChangeSetup(setup=replace(setup_of(pit), maximum=Cents(maximum)))
        assert pit.refused(MANAGER, change)[0] is Reason.MAXIMUM_NOT_POSITIVE
