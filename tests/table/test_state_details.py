"""What a state says of itself: which places of the deal are known, how cards lie, and what has been paid."""

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.rules.cards import Rank, read_card, read_cards
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Window
from puntobanco.table import commands as c
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.events import OfferMade
from puntobanco.table.setup import Policy
from puntobanco.table.state import Drawn, OpenWindow, Phase, ShoeInUse, SqueezeInProgress, State, lying_order
from tests.table.pit import AT_ONCE, DEALER, MANAGER, SUPERVISOR, Pit, in_play

SIDES = {"p": Side.PLAYER, "b": Side.BANKER}


def dealt(*cards: str) -> tuple[Drawn, ...]:
    """Each card after the hand it lies with, as in `p9`; `p?` lies face down."""
    return tuple(Drawn(SIDES[one[0]], None if one[1:] == "?" else read_card(one[1:])) for one in cards)


def written(cards: tuple[Drawn, ...]) -> list[str]:
    return [f"{one.side.value[0]}{one.card or '?'}" for one in cards]


def ranks(known: dict[int, Rank]) -> dict[int, int]:
    return {place: int(rank) for place, rank in known.items()}


# ---- what it begins with -----------------------------------------------------------------------------------------


def filled(struct: msgspec.Struct) -> dict[str, object]:
    return {name: value for name, value in msgspec.structs.asdict(struct).items() if value}


def test_a_table_that_was_never_opened_holds_nothing() -> None:
    assert filled(State()) == {"phase": Phase.CLOSED}


def test_a_new_set_of_cards_is_in_service_and_nothing_has_happened_to_it() -> None:
    new = ShoeInUse(name="one", decks=8, left=416, shuffled=True)
    assert filled(new) == {"name": "one", "decks": 8, "left": 416, "shuffled": True, "in_service": True}


def test_a_squeeze_that_was_only_asked_for_has_no_permission_and_no_deadline() -> None:
    assert filled(SqueezeInProgress(person="ann")) == {"person": "ann"}


def test_a_window_waits_until_every_offer_is_answered() -> None:
    offers = tuple(OfferMade(owner=owner, box=1, most=100_00) for owner in ("ann", "bob"))
    window = OpenWindow(window=Window.FOUR, bet="x", insures=Side.BANKER, odds="2:1", offers=offers, deadline=0)
    for answered, done in ((set(), False), ({"1/ann"}, False), ({"1/ann", "1/bob"}, True)):
        assert replace(window, answered=frozenset(answered)).is_answered is done


# ---- cards in front of the shoe ----------------------------------------------------------------------------------


def test_of_the_cards_in_front_of_the_shoe_the_first_six_tell_something_of_the_next_round() -> None:
    two, three = read_cards("2 3")
    assert ranks(State(front=(two, None, three)).known_first) == {1: 2, 3: 3}
    seven = State(front=read_cards("2 3 4 5 6 7 8"))
    assert ranks(seven.known_first) == {1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7}


@pytest.mark.parametrize(("old", "drawn", "waiting"), [(3, ("p9",), 2), (1, ("p9",), 0), (1, ("p9", "b8"), 0)])
def test_cards_of_a_replaced_set_that_wait_are_those_that_do_not_lie_on_the_table(
    old: int, drawn: tuple[str, ...], waiting: int
) -> None:
    assert State(old=old, drawn=dealt(*drawn)).front_old == waiting


@pytest.mark.parametrize(
    ("front", "permitted", "waits"),
    [("9", "", False), ("9 8", "", True), ("9 8", "9 8", False), ("9 8", "9 7", True), ("", "9 8", False)],
)
def test_several_exposed_cards_wait_until_somebody_permits_these_very_cards(
    front: str, permitted: str, waits: bool
) -> None:
    assert State(front=read_cards(front), permitted=read_cards(permitted)).waits_for_permission is waits


def test_a_card_whose_face_nobody_knows_needs_no_permission() -> None:
    assert not State(front=(None, None, *read_cards("9"))).waits_for_permission


# ---- cards on the table ------------------------------------------------------------------------------------------


def test_hands_make_a_coup_once_every_card_is_open() -> None:
    assert State(drawn=dealt("p9", "b?")).coup is None
    coup = State(drawn=dealt("p9", "b8")).coup
    assert coup is not None
    assert coup.cards == read_cards("9 8")


def test_cards_left_as_they_lie_make_the_coup_that_would_have_dealt_them() -> None:
    coup = State(drawn=dealt("b9", "p8", "pK", "bK"), as_lying=True).coup
    assert coup is not None
    assert coup.cards == read_cards("8 9 K K")


def test_everybody_knows_the_first_six_places_of_the_cards_they_see() -> None:
    state = State(drawn=dealt("p2", "b?", "p4", "b5"), front=read_cards("6 7 8"))
    assert ranks(state.seen_in_order) == {1: 2, 3: 4, 4: 5, 5: 6, 6: 7}


@pytest.mark.parametrize(
    ("drawn", "front", "places"),
    [
        (("b2", "p3", "b4", "p5"), "", {2: 2, 1: 3, 4: 4, 3: 5}),
        (("b2", "p3"), "9", {2: 2, 1: 3, 3: 9}),
        (("b2", "p3", "b4", "p5", "b6"), "", {2: 2, 1: 3, 4: 4, 3: 5, 5: 6}),
        (("b2", "p3", "b4", "p5", "b6"), "9", {2: 2, 1: 3, 4: 4, 3: 5, 5: 6, 6: 9}),
        (("b2", "p3", "b4", "p5", "p6", "b7"), "9", {2: 2, 1: 3, 4: 4, 3: 5, 5: 6, 6: 7}),
    ],
)
def test_cards_left_as_they_lie_have_the_places_of_their_hands(
    drawn: tuple[str, ...], front: str, places: dict[int, int]
) -> None:
    assert ranks(State(drawn=dealt(*drawn), front=read_cards(front), as_lying=True).seen_in_order) == places


@pytest.mark.parametrize(
    ("drawn", "order"),
    [
        (("b2", "p3", "b4", "p5", "b6", "p7"), ["p3", "b2", "p5", "b4", "p7", "b6"]),
        (("b2",), ["b2"]),
        (("b2", "b3"), ["b2", "b3"]),
        (("p2", "p3"), ["p2", "p3"]),
        (("p2", "p3", "b4"), ["p2", "b4", "p3"]),
        (("b2", "b3", "p4"), ["p4", "b2", "b3"]),
        (("p2", "b3", "p4", "p5"), ["p2", "b3", "p4", "p5"]),
        (("p2", "b3", "p4", "b5", "b6"), ["p2", "b3", "p4", "b5", "b6"]),
    ],
)
def test_cards_as_they_lie_are_in_the_order_of_the_deal_and_each_hand_keeps_its_own(
    drawn: tuple[str, ...], order: list[str]
) -> None:
    assert written(lying_order(State(drawn=dealt(*drawn)))) == order


def test_the_order_of_other_hands_is_that_of_the_cards_moved_there() -> None:
    state = State(drawn=dealt("p2", "b3", "p4", "b5"))
    moved = (Side.BANKER, Side.PLAYER, Side.PLAYER, Side.BANKER)
    assert written(lying_order(state, moved)) == ["p3", "b2", "p4", "b5"]


@pytest.mark.parametrize(
    ("in_hands", "drawn", "known"), [(False, "p?", False), (True, "p?", True), (False, "p9", True)]
)
def test_a_card_is_known_once_it_is_open_or_somebody_has_held_it(in_hands: bool, drawn: str, known: bool) -> None:
    assert State(drawn=dealt(drawn), in_hands=in_hands).card_known is known


def test_a_card_is_squeezed_while_it_lies_face_down_with_permission() -> None:
    squeezes = {
        index: SqueezeInProgress(person="ann", permitted=permitted)
        for index, permitted in ((1, True), (2, True), (3, False), (4, True), (5, True))
    }
    state = State(drawn=dealt("p9", "b?", "p?", "b?"), squeezes=squeezes)
    assert list(state.squeezed) == [2, 4], "1 is open, 3 has no answer, and 5 is not drawn yet"


# ---- what has been paid ------------------------------------------------------------------------------------------


def test_between_the_first_box_and_the_last_the_dealer_has_paid() -> None:
    pit = Pit("commission")
    pit.open()
    pit.bet("ann", "player", 100, box=1)
    pit.bet("ann", "player", 200, box=3)
    pit.bet("bob", "player", 400, box=3)
    pit.close()
    pit.deal("9 7 K 10")
    pit.staff(DEALER, c.Settle(round=1))
    assert (pit.state.has_paid, pit.state.is_posted, pit.state.in_gap) == (False, True, False)
    assert {one.key for one in pit.state.unpaid_of("ann")} == {"1/player/ann", "3/player/ann"}
    assert (pit.state.withheld("ann"), pit.state.withheld("bob")) == (600_00, 800_00)
    pit.confirm(1)
    assert (pit.state.has_paid, pit.state.is_posted) == (True, True)
    assert [one.key for one in pit.state.unpaid_of("ann")] == ["3/player/ann"]
    assert pit.state.withheld("ann") == 400_00
    assert [one.key for one in pit.state.stakes_of("bob")] == ["3/player/bob"]
    pit.confirm(3)
    assert (pit.state.has_paid, pit.state.is_posted, pit.state.in_gap) == (False, True, True)
    assert (pit.state.unpaid_of("ann"), pit.state.withheld("ann")) == ((), 0)


def test_what_lies_on_the_layout_is_what_is_staked_and_after_a_tie_what_is_held() -> None:
    pit = in_play("super-six", "9 9 K K")
    assert pit.state.in_play == 300_00
    pit.staff(DEALER, c.Settle(round=1))
    assert (pit.phase, pit.state.in_play) == (Phase.PAYING, 300_00)
    pit.pay()
    assert pit.state.in_play == 300_00
    won = in_play("commission", "9 7 K 10")
    won.settle()
    assert (won.state.in_play, won.state.stakes != {}) == (0, True), "the stakes are kept for a reversal"


# ---- the phase it is in ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "interrupted", "closed_in", "reached"),
    [
        (Phase.DEALING, None, None, Phase.DEALING),
        (Phase.DECISION, Phase.DEALING, None, Phase.DEALING),
        (Phase.CLOSED, None, Phase.SETTLED, Phase.SETTLED),
        (Phase.CLOSED, None, None, Phase.CLOSED),
        (Phase.DECISION, Phase.CLOSED, Phase.SETTLED, Phase.SETTLED),
        (Phase.DEALING, None, Phase.SETTLED, Phase.DEALING),
    ],
)
def test_the_round_is_where_it_was_before_it_was_interrupted_or_the_table_closed(
    phase: Phase, interrupted: Phase | None, closed_in: Phase | None, reached: Phase
) -> None:
    assert State(phase=phase, interrupted=interrupted, closed_in=closed_in).reached is reached


def test_a_round_plays_under_the_set_up_it_began_with() -> None:
    pit = Pit("commission")
    pit.round({"ann": {"player": 100}}, "9 7 K 10")
    before = pit.state.setup
    assert before is not None
    assert pit.state.plays_under is before
    pit.staff(MANAGER, AT_ONCE)
    pit.staff(MANAGER, c.OpenTable(setup=replace(before, policy=Policy(gap_void=()))))
    assert (pit.state.played, pit.state.plays_under) == (before, pit.state.setup), "the next round plays under the new"
    pit.report(Fault.MISPAYMENT)
    pit.rule(SUPERVISOR, Choice.RESETTLE, cards=read_cards("9 7 K K"))
    assert (pit.phase, pit.state.plays_under) == (Phase.RESULT, before), "the last is settled anew as it was played"
