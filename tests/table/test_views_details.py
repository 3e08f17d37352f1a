"""What each screen is sent, field by field: what only staff see, and what only one person sees."""

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.rules.cards import Card, read_cards
from puntobanco.rules.outcome import Side, Winner
from puntobanco.rules.procedures import Window
from puntobanco.table import commands as c
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.setup import Source
from puntobanco.table.state import MissingChip, Phase, SqueezeInProgress, State
from puntobanco.table.views import (
    AUDITOR,
    BOARD,
    Audience,
    BetTotal,
    BoxView,
    EachOwn,
    PrivateView,
    PublicView,
    preview,
    private_view,
    public_view,
)
from tests.table.pit import DEALER, MANAGER, SHIFT, SUPERVISOR, Pit, in_play
from tests.table.test_overlay import at, cause, overlay

INSIDERS: list[Audience] = [DEALER, SUPERVISOR, MANAGER, SHIFT, Role.SYSTEM, AUDITOR]
OUTSIDERS: list[Audience] = [Role.PLAYER, Role.CASHIER, BOARD]


def to(pit: Pit, audience: Audience, state: State | None = None) -> PublicView:
    return public_view(pit.felt, state or pit.state, audience)


def own(pit: Pit, person: str, state: State | None = None) -> PrivateView:
    return private_view(pit.felt, state or pit.state, person)


def only_staff(pit: Pit, state: State | None = None, /, **fields: object) -> None:
    """Staff and the auditor are sent these fields as given; players, cashiers and the board as if there were none."""
    for audience in INSIDERS:
        view = to(pit, audience, state)
        assert {name: getattr(view, name) for name in fields} == fields, audience
    for audience in OUTSIDERS:
        view = to(pit, audience, state)
        assert not any(getattr(view, name) for name in fields), audience


# ---- what only staff see -----------------------------------------------------------------------------------------


def test_only_staff_see_the_shoe_the_purses_and_who_is_at_the_table() -> None:
    pit = in_play("commission", "5 K")
    pit.player("ann", c.TakeSeat(box=2))
    pit.player("bob", c.WalkAway(person="bob"))
    chip = MissingChip(round=1, person="ann", box=1, bet="player", amount=100_00)
    state = replace(
        pit.state, owed={"bob": 5_00}, unconfirmed=frozenset({"cat", "zoe"}), missing={1: chip},
        corrections={"dora": 2}, acting={"dora": DEALER},
    )  # fmt: skip
    only_staff(
        pit, state, cards_left=414, shoe=state.shoe, dealt_from=("one",), purses=state.purses, seats={2: "ann"},
        keyed=2, absent=("bob",), owed={"bob": 5_00}, unconfirmed=("cat",), missing={1: chip},
        corrections={"dora": 2}, acting={"dora": DEALER},
    )  # fmt: skip
    stakes = [box.stakes for box in to(pit, DEALER).boxes]
    assert [[one.key for one in lying] for lying in stakes[:2]] == [["1/player/ann", "1/banker/bob"], []]
    assert all(not box.stakes for audience in OUTSIDERS for box in to(pit, audience).boxes)
    assert [[box.box for box in to(pit, audience).boxes if box.seated] for audience in (DEALER, BOARD)] == [[2], [2]]


def test_only_staff_see_the_open_question_and_what_a_reconstruction_leads_to() -> None:
    pit = in_play("commission", "5 K")
    pit.report(Fault.OTHER_DEALING_ERROR)
    only_staff(pit, question=pit.state.question, faults=pit.state.faults, preview=preview(pit.state))
    assert preview(pit.state) is not None


def test_only_staff_see_who_has_a_choice_and_who_has_made_it() -> None:
    pit = in_play("commission", "5")
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    options = pit.state.options
    assert options is not None
    pit.player("ann", c.Elect(question=options.question, election=Election.RETURN))
    only_staff(pit, undecided=("bob",))
    for audience in INSIDERS:
        assert to(pit, audience).options == pit.state.options
    for audience in OUTSIDERS:
        shown = to(pit, audience).options
        assert shown is not None
        assert (shown.people, shown.elections, shown.own, shown.deadline) == ((), {}, frozenset(), options.deadline)


def test_only_staff_see_how_bets_were_settled_and_which_boxes_are_left() -> None:
    pit = in_play("super-six", "9 9 K K")
    pit.staff(DEALER, c.Settle(round=1))
    only_staff(pit, settled=pit.state.settled, unpaid=(1,), held=tuple(pit.state.held.values()))
    assert len(pit.state.held) == 2
    assert all(not box.stakes for box in to(pit, DEALER).boxes), "the bets are settled"
    assert {(box.room_player, box.room_banker) for box in to(pit, BOARD).boxes} == {(10_000_00, 10_000_00)}


def test_only_staff_see_who_may_squeeze_and_who_has_asked() -> None:
    pit = in_play("insurance", face_down=True)
    assert [own(pit, person).may_squeeze for person in ("ann", "bob", "cat")] == [True, True, False]
    pit.staff(DEALER, c.RequestSqueeze(round=1, index=1, person="bob"))
    assert pit.state.squeezes
    state = replace(pit.state, waiver_asked="ann")
    only_staff(pit, state, squeezes=state.squeezes, squeezers=("ann", "bob"), waiver_asked="ann")


def test_only_staff_see_who_has_still_to_agree_to_a_waiver() -> None:
    pit = Pit("insurance", face_down=True, automatic=True)
    pit.open()
    pit.bet("ann", "banker", 500)
    pit.bet("bob", "banker", 100)
    pit.close()
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "2", 2: "K", 3: "3", 4: "2"})
    pit.player("ann", c.RequestWaiver(round=1, person="ann"))
    only_staff(pit, waiver_to_agree=("bob",))


def test_names_are_in_alphabetical_order() -> None:
    names = tuple("abcdefghij")
    pit = Pit("commission", people=dict.fromkeys(names, 1_000_00))
    state = replace(pit.state, absent=frozenset(names), unconfirmed=frozenset(names))
    assert (to(pit, DEALER, state).absent, to(pit, DEALER, state).unconfirmed) == (names, names)


def test_only_staff_see_the_regulation_that_a_table_carries() -> None:
    carried = overlay(cause("technical"))
    only_staff(at("super-six", carried, "5"), overlay=carried)


def test_only_staff_see_the_stakes_at_a_table_without_boxes_while_they_lie() -> None:
    pit = in_play("non-commission-etg", "9 7 K 10")
    only_staff(pit, at_terminals=tuple(pit.state.stakes.values()))
    pit.settle()
    assert pit.state.stakes
    only_staff(pit, at_terminals=())
    assert to(in_play("commission"), DEALER).at_terminals == (), "they lie in boxes"


def test_only_staff_see_which_box_exceeds_the_differential_and_which_bets_are_low() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 15_000)
    pit.bet("bob", "banker", 50, box=2)
    pit.staff(DEALER, c.AdviseMinimum(round=1, box=2, person="bob"))
    for audience in INSIDERS:
        assert [box.over_differential for box in to(pit, audience).boxes[:2]] == [True, False], audience
    for audience in OUTSIDERS:
        assert not any(box.over_differential for box in to(pit, audience).boxes), audience
        assert to(pit, audience).low == ()
    assert len(to(pit, DEALER).low) == 1


def test_the_next_step_is_for_staff_at_the_table_and_the_auditor_sends_nothing() -> None:
    pit = in_play("commission", "5")
    assert [audience for audience in (*INSIDERS, *OUTSIDERS) if to(pit, audience).next] == INSIDERS[:-1]
    assert (to(pit, AUDITOR).allowed, to(pit, BOARD).allowed) == ((), ())


def test_unless_it_is_said_the_dealer_deals_and_no_totals_are_shown() -> None:
    pit = in_play("commission", "5")
    by_hand, dealt = (public_view(pit.felt, pit.state, DEALER, automatic=house) for house in (False, True))
    assert to(pit, DEALER).next == by_hand.next != dealt.next


@pytest.mark.parametrize("kind", [PublicView, BoxView, PrivateView])
def test_a_field_that_is_left_out_of_a_view_says_no_or_nothing(kind: type[msgspec.Struct]) -> None:
    given = (one.default for one in msgspec.structs.fields(kind) if one.default is not msgspec.NODEFAULT)
    assert {default for default in given if default} <= {Source.KEYBOARD}


# ---- what everybody sees -----------------------------------------------------------------------------------------


def test_everybody_sees_the_cards_with_their_places_and_points() -> None:
    pit = in_play("commission", "5 K 3")
    for audience in (*INSIDERS, *OUTSIDERS):
        view = to(pit, audience)
        assert [(card.index, card.face) for card in view.cards] == [(1, "5"), (2, "K"), (3, "3")]
        assert (view.points, view.due) == ({Side.PLAYER: 8, Side.BANKER: 0}, Side.BANKER)
        assert pit.state.setup is not None
        assert [box.box for box in view.boxes] == list(range(1, pit.state.setup.boxes + 1))
        assert (view.boxes[0].room_player, view.boxes[0].room_banker) == (10_100_00, 9_900_00)


def test_a_hand_without_an_open_card_has_no_points() -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1, 2, 3)
    pit.turn({3: "7"})
    assert to(pit, BOARD).points == {Side.PLAYER: 7}


def test_everybody_sees_which_cards_are_squeezed_once_it_is_permitted() -> None:
    pit = in_play("commission", face_down=True)
    squeezes = {1: SqueezeInProgress(person="ann", permitted=True), 2: SqueezeInProgress(person="bob")}
    assert to(pit, BOARD, replace(pit.state, squeezes=squeezes)).squeezing == (1,)


def test_a_set_of_cards_that_is_not_there_is_no_last_one() -> None:
    pit = Pit("commission")
    none = replace(pit.state, shoe=None)
    assert (to(pit, DEALER, none).last_of_shoe, to(pit, DEALER, none).cards_left) == (False, None)
    assert not to(pit, DEALER).last_of_shoe


@pytest.mark.parametrize(
    ("drawn", "squeezes", "offered"),
    [
        ((), (), {1: Side.PLAYER, 2: Side.BANKER, 3: Side.PLAYER, 4: Side.BANKER}),
        ((), (2,), {1: Side.PLAYER, 3: Side.PLAYER, 4: Side.BANKER}),
        ((1, 2, 3), (), {4: Side.BANKER}),
        ((1, 2, 3, 4), (), {5: None}),
    ],
)
def test_a_squeeze_can_be_asked_for_the_rest_of_the_first_four_cards_and_for_the_next(
    drawn: tuple[int, ...], squeezes: tuple[int, ...], offered: dict[int, Side | None]
) -> None:
    pit = in_play("insurance", face_down=True)
    pit.hides(*drawn)
    state = replace(pit.state, squeezes={index: SqueezeInProgress(person="ann") for index in squeezes})
    assert to(pit, Role.PLAYER, state).squeezable == offered


def test_a_third_card_that_is_due_can_be_squeezed_and_its_hand_is_known() -> None:
    pit = in_play("insurance", face_down=True)
    pit.hides(1, 2, 3, 4)
    pit.turn({1: "K", 2: "K", 3: "2", 4: "2"})
    assert to(pit, Role.PLAYER).squeezable == {5: Side.PLAYER}
    pit.hides(5)
    assert to(pit, Role.PLAYER).squeezable == {6: None}
    up = in_play("insurance")
    assert to(up, Role.PLAYER).squeezable == {}, "it deals face up"


def test_an_open_window_says_what_insurance_is_paid_on_and_only_staff_see_its_offers() -> None:
    pit = Pit("insurance")
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.close()
    pit.deal("2 2 2")
    assert (to(pit, BOARD).window, to(pit, BOARD).insurance_wins_on) == (None, None)
    pit.deal("3")
    for audience in INSIDERS:
        assert to(pit, audience).window == pit.state.window
    for audience in OUTSIDERS:
        shown = to(pit, audience).window
        assert shown is not None
        assert (shown.odds, shown.offers, shown.answered) == ("2:1", (), frozenset())
    assert {to(pit, audience).insurance_wins_on for audience in (*INSIDERS, *OUTSIDERS)} == {Winner.PLAYER}
    pit.staff(DEALER, c.CloseInsurance(round=1, window=Window.FOUR))
    assert (to(pit, BOARD).window, to(pit, BOARD).insurance_wins_on) == (None, None), "the window is closed"


@pytest.mark.parametrize(("fifth", "hand"), [("9", "2 2 9"), ("6", "2 2 6"), ("", "2 2 ?")])
def test_nothing_is_said_of_insurance_on_cards_that_give_none(fifth: str, hand: str) -> None:
    """A fifth card that was missing is put right while the window on four is still open: the hands are complete, or no
    row is for them, or it lies face down."""
    pit = in_play("insurance", "2 2 2 3")
    if not fifth:
        pit.report(Fault.EXCESS, cards=(None,))
        pit.rule(SHIFT, Choice.CONTINUE)
    pit.report(Fault.UNPROVIDED)
    pit.report(Fault.WRONG_NUMBER_OF_CARDS)
    third: tuple[Card | None, ...] = read_cards(fifth) or (None, *read_cards("8"))
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT, cards=(*read_cards("2 2 2 3"), *third))
    assert (pit.phase, pit.hands["player"]) == (Phase.DECISION, hand)
    assert to(pit, BOARD).window is not None
    assert to(pit, BOARD).insurance_wins_on is None


def test_totals_leave_insurance_out() -> None:
    people = dict.fromkeys(("ann", "bob", "cho"), 2_000_00)
    pit = Pit("insurance", people=people)
    pit.open()
    for person in people:
        pit.bet(person, "banker", 1_000)
    pit.close()
    pit.deal("2 2 2 3")
    for person in people:
        insure = c.Insure(round=1, window=Window.FOUR, amount=100_00, box=1)
        pit.player(person, insure)
    shown = public_view(pit.felt, pit.state, BOARD, totals=True).totals
    assert shown == {"banker": BetTotal(amount=3_000_00, bettors=3)}


def test_at_a_table_of_cards_only_no_command_about_bets_is_offered() -> None:
    pit = Pit("commission")
    pit.open()
    assert pit.state.setup is not None
    cards_only = replace(pit.state, setup=replace(pit.state.setup, cards_only=True))
    taken = set(to(pit, DEALER).allowed) - set(to(pit, DEALER, cards_only).allowed)
    assert {"PlaceBets"} <= taken
    assert "CloseBetting" in to(pit, DEALER, cards_only).allowed


# ---- what only one person sees -----------------------------------------------------------------------------------


def test_everyone_sees_their_own_squeezes() -> None:
    pit = in_play("commission", face_down=True)
    pit.hides(1, 2, 3, 4)
    squeezes = {
        1: SqueezeInProgress(person="ann", permitted=True, deadline=9_000),
        2: SqueezeInProgress(person="ann"),
        3: SqueezeInProgress(person="bob", permitted=True, deadline=3_000),
        4: SqueezeInProgress(person="ann", permitted=True, deadline=8_000),
        5: SqueezeInProgress(person="bob"),
    }
    state = replace(pit.state, squeezes=squeezes)
    ann, bob, cat = (own(pit, person, state) for person in ("ann", "bob", "cat"))
    assert (ann.squeezing, ann.squeeze_asked, ann.squeeze_until) == ((1, 4), (2,), 8_000)
    assert (bob.squeezing, bob.squeeze_asked, bob.squeeze_until) == ((3,), (5,), 3_000)
    assert (cat.squeezing, cat.squeeze_asked, cat.squeeze_until) == ((), (), 0)


def test_everyone_sees_their_own_seats_money_and_what_went_back() -> None:
    pit = in_play("commission")
    pit.player("ann", c.TakeSeat(box=2))
    back = {"1/player/ann": 100, "1/banker/bob": 200}
    state = replace(pit.state, handed_back=back, owed={"bob": 3_00}, waiver_asked="ann")
    ann, bob, nobody = (own(pit, person, state) for person in ("ann", "bob", "zoe"))
    assert (ann.seats, ann.handed_back, ann.owed, ann.waiver_asked) == ((2,), {"1/player/ann": 100}, 0, True)
    assert (bob.seats, bob.handed_back, bob.owed, bob.waiver_asked) == ((), {"1/banker/bob": 200}, 3_00, False)
    assert (ann.plays, bob.plays) == ({"1/player/ann": 100_00}, {"1/banker/bob": 200_00})
    assert (nobody.purse, nobody.owed, nobody.stakes, nobody.seats) == (0, 0, (), ())


def test_everyone_sees_their_own_choice_and_only_those_who_have_one_the_question() -> None:
    pit = in_play("commission", "5")
    before = own(pit, "ann")
    assert (before.election, before.may_elect, before.question, before.returns_by) == (None, False, None, None)
    pit.report(Fault.OTHER_DEALING_ERROR)
    pit.rule(SUPERVISOR, Choice.RECONSTRUCT)
    number = pit.state.questions
    pit.player("ann", c.Elect(question=number, election=Election.RETURN))
    ann, bob, cat = (own(pit, person) for person in ("ann", "bob", "cat"))
    assert (ann.election, ann.may_elect, ann.question, ann.returns_by) == ("return", True, number, "5.12.3")
    assert (bob.election, bob.may_elect, bob.question, bob.returns_by) == (None, True, number, "5.12.3")
    assert (cat.election, cat.may_elect, cat.question, cat.returns_by) == (None, False, None, "5.12.3")
    assert ("Elect" in bob.allowed, "Elect" in cat.allowed) == (True, False)


def test_everyone_sees_which_of_their_offers_are_answered() -> None:
    pit = Pit("insurance")
    pit.open()
    pit.bet("ann", "banker", 1_000)
    pit.bet("ann", "banker", 2_000, box=2)
    pit.bet("bob", "banker", 1_000)
    pit.close()
    pit.deal("2 2 2 3")
    pit.player("ann", c.Insure(round=1, window=Window.FOUR, amount=100_00, box=2))
    ann, bob = own(pit, "ann"), own(pit, "bob")
    assert ([one.box for one in ann.offers], ann.answered) == ([1, 2], (2,))
    assert ([one.box for one in bob.offers], bob.answered) == ([1], ())


def test_everyone_sees_which_of_their_held_stakes_they_leave() -> None:
    pit = Pit("super-six")
    pit.open()
    pit.bet("ann", "player", 100)
    pit.bet("ann", "banker", 200)
    pit.bet("bob", "player", 300)
    pit.close()
    pit.deal("9 9 K K")
    pit.settle()
    pit.player("ann", c.ChooseAfterTie(round=1, bet="banker", leave=True, box=1))
    ann, bob = own(pit, "ann"), own(pit, "bob")
    assert ([one.key for one in ann.held], ann.leaving) == (["1/player/ann", "1/banker/ann"], ("1/banker/ann",))
    assert ([one.key for one in bob.held], bob.leaving) == (["1/player/bob"], ())
    assert ([one.owner for one in ann.settled], ann.stakes) == (["ann", "ann"], ())


def test_at_a_terminal_everyone_sees_their_own_room() -> None:
    pit = Pit("non-commission-etg")
    pit.open()
    pit.bet("ann", "player", 1_000)
    assert own(pit, "ann").room == {Side.PLAYER: 9_000_00, Side.BANKER: 11_000_00}
    assert own(pit, "bob").room == {Side.PLAYER: 10_000_00, Side.BANKER: 10_000_00}
    assert own(Pit("commission"), "ann").room == {}


def test_views_follow_bets_and_are_made_anew_for_everything_else() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 15_000)
    pit.bet("bob", "banker", 100)
    views = EachOwn(pit.felt, pit.state)
    gone = pit.player("bob", c.PlaceBets(round=1, lines=(c.Line(bet="banker", amount=0, box=1),)))
    assert views.follow(pit.felt, pit.state, gone)
    assert (views.view("ann"), views.view("bob")) == (own(pit, "ann"), own(pit, "bob"))
    rejected = pit.staff(SUPERVISOR, c.RejectExcess(round=1, box=1))
    assert views.follow(pit.felt, pit.state, rejected)
    assert views.view("ann") == own(pit, "ann")
    seated = pit.player("cat", c.TakeSeat(box=1))
    assert not views.follow(pit.felt, pit.state, seated)
    assert not views.follow(pit.felt, pit.state, [*gone, *seated])
    pit.close()
    pit.deal("9 7 K 10")
    pit.staff(DEALER, c.Settle(round=1))
    assert pit.phase is Phase.PAYING
    assert not views.follow(pit.felt, pit.state, ()), "the bets are settled"


# ---- what a reconstruction leads to ------------------------------------------------------------------------------


def test_a_reconstruction_is_previewed_only_while_it_is_in_question() -> None:
    pit = in_play("commission", "5 K")
    assert preview(pit.state) is None
    pit.report(Fault.FOREIGN_CARD)
    assert preview(pit.state) is None


def test_the_preview_is_of_the_report_in_question() -> None:
    pit = in_play("commission", "5 K")
    pit.claim("bob", Fault.OTHER_DEALING_ERROR)
    pit.claim("ann", Fault.EXPOSED, cards=read_cards("9"))
    pit.report(Fault.FOREIGN_CARD)
    pit.rule(SUPERVISOR, Choice.STANDS)
    assert [one.fault for one in pit.state.faults] == [Fault.OTHER_DEALING_ERROR, Fault.EXPOSED]
    assert pit.state.question is not None
    assert pit.state.question.fault is Fault.EXPOSED
    shown = preview(pit.state)
    assert shown is not None
    assert (shown.player, shown.banker, shown.due, shown.spare) == (("5",), ("K",), Side.PLAYER, ("9",))


def test_who_draws_next_is_not_said_while_a_card_lies_face_down_or_hands_stay_as_they_lie() -> None:
    hidden = in_play("commission", face_down=True)
    hidden.hides(1, 2)
    hidden.turn({1: "5"})
    hidden.report(Fault.OTHER_DEALING_ERROR)
    shown = preview(hidden.state)
    assert shown is not None
    assert (shown.player, shown.banker, shown.due) == (("5",), (None,), None)
    lying = in_play("commission", "2 K 3 4")
    lying.report(Fault.MISDIRECTED, lies={1: Side.BANKER, 2: Side.PLAYER})
    lying.rule(SUPERVISOR, Choice.CANNOT_RECONSTRUCT)
    lying.everyone()
    lying.report(Fault.OTHER_DEALING_ERROR)
    left = preview(lying.state)
    assert left is not None
    assert (left.player, left.banker, left.due) == (("K", "3"), ("2", "4"), None)
