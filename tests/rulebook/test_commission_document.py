"""Commission Baccarat: title, layouts, decks and the bets on offer."""

from datetime import UTC, datetime

import pytest

import puntobanco as pb
from puntobanco.house.shoes.shuffle import cards_of
from puntobanco.rules import library
from puntobanco.rules.cards import check_copies, read_cards
from puntobanco.rules.game import Decks, Game, Layout
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.slip import settle_slip
from tests.marks import rulebook

GAME = pb.game("commission")

BOXES = {"A": 9, "B": 7, "C": 7, "D": 12}


def felt(key: str) -> Layout:
    layout = GAME.layout(key)
    assert layout is not None
    return layout


@rulebook({"commission": ["Title"]}, by=library.game)
def test_title_version_4_is_in_force_from_16_september_2019_at_eight_in_singapore() -> None:
    assert (GAME.title.en, GAME.version) == ("Commission Baccarat", 4)
    assert "Version 4" in GAME.document
    assert GAME.approved == "Title"
    assert GAME.effective is not None
    assert GAME.effective.astimezone(UTC) == datetime(2019, 9, 16, 0, 0, tzinfo=UTC)


@rulebook({"commission": ["2.1.1"]}, by=Game.layout)
def test_2_1_1_only_the_layouts_a_to_d_are_played_on() -> None:
    assert [layout.key for layout in GAME.layouts] == ["A", "B", "C", "D"]
    assert GAME.terminal is None
    with pytest.raises(Refused) as refused:
        GAME.layout("E")
    assert (refused.value.reason, refused.value.paragraph) == (Reason.UNKNOWN_LAYOUT, "2.1.1")
    assert GAME.tables is not None
    assert (GAME.tables.layouts, GAME.tables.boxes) == ("2.1.1", "2.1.1.a")


@rulebook(
    {"commission": ["2.1.1.a", "App. A", "App. B", "App. C", "App. D"]},
    by=[Layout.check_box, Game.layout],
)
@pytest.mark.parametrize(
    ("key", "kind", "boxes"), [("A", "Bean", 9), ("B", "Bean", 7), ("C", "Mini", 7), ("D", "Big", 12)]
)
def test_2_1_1_a_each_layout_has_the_boxes_its_appendix_names(key: str, kind: str, boxes: int) -> None:
    layout = felt(key)
    assert layout.rule == f"App. {key}"
    assert layout.title.en == f"{kind} Baccarat ({boxes} Players)"
    assert layout.most_boxes == boxes
    assert [layout.check_box(box) for box in (1, boxes)] == [1, boxes]
    for none_such in (-1, 0, boxes + 1):
        with pytest.raises(Refused) as refused:
            layout.check_box(none_such)
        assert refused.value.reason is Reason.BOX_OUT_OF_RANGE
        assert refused.value.paragraph == f"App. {key}"


@rulebook({"commission": ["2.2.1"]}, by=Decks.check)
def test_2_2_1_four_to_eight_decks_are_played_with() -> None:
    assert [GAME.decks.check(decks) for decks in range(4, 9)] == [4, 5, 6, 7, 8]
    for decks in (0, 3, 9, 10):
        with pytest.raises(Refused) as refused:
            GAME.decks.check(decks)
        assert (refused.value.reason, refused.value.paragraph) == (Reason.DECKS_OUT_OF_RANGE, "2.2.1")


@rulebook({"commission": ["2.2.1"]}, by=[cards_of, check_copies])
def test_2_2_1_each_deck_is_52_different_cards_without_a_joker() -> None:
    assert len(cards_of(1)) == len(set(cards_of(1))) == 52
    assert len(cards_of(8)) == 416
    check_copies(tuple(cards_of(8)), decks=8)
    check_copies(read_cards("A♠ A♠ A♠ A♠"), decks=4)
    with pytest.raises(Refused) as refused:
        check_copies(read_cards("A♠ A♠ A♠ A♠ A♠"), decks=4, paragraph="2.2.1")
    assert (refused.value.reason, refused.value.paragraph) == (Reason.IMPOSSIBLE_CARD, "2.2.1")


@rulebook({"commission": ["3.7"]}, by=[Game.menu, Game.bet])
@pytest.mark.parametrize("key", BOXES)
def test_3_7_every_layout_offers_player_banker_tie_and_two_pairs(key: str) -> None:
    offered = {bet.key: bet.title.en for bet in GAME.menu(felt(key))}
    assert offered == {
        "player": "Player",
        "banker": "Banker",
        "tie": "Tie",
        "player_pair": "Player Pair",
        "banker_pair": "Banker Pair",
    }
    for other in ("tiger_tie", "super_six", "player_insurance", "wu_song"):
        with pytest.raises(Refused) as refused:
            GAME.bet(other, felt(key))
        assert (refused.value.reason, refused.value.paragraph) == (Reason.UNKNOWN_BET, "3.7")


@rulebook({"commission": ["3.7"]}, by=settle_slip)
@pytest.mark.parametrize("bets", [["tie"], ["player_pair"], ["banker_pair"], ["player_pair", "banker_pair", "tie"]])
def test_3_7_tie_and_pairs_need_no_bet_on_a_hand(bets: list[str]) -> None:
    slip = pb.settle(GAME, "2 3 4 3", {bet: pb.money("10") for bet in bets})
    assert list(slip.bets) == bets


@rulebook({"commission": ["3.7"]}, by=settle_slip)
def test_3_7_one_player_may_hold_every_bet_at_once_both_hands_included() -> None:
    stakes = {bet.key: pb.money("10") for bet in GAME.menu(felt("D"))}
    slip = pb.settle(GAME, "9 7 K 10", stakes, layout="D")
    assert slip.profit == pb.money("10") - 4 * pb.money("10")
