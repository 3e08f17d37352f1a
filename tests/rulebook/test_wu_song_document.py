"""Wu Song: title, layouts, decks and which bets each layout offers."""

from datetime import UTC, datetime

import pytest

import puntobanco as pb
from puntobanco.house.shoes.shuffle import cards_of
from puntobanco.rules import library
from puntobanco.rules.cards import check_copies
from puntobanco.rules.game import Decks, Game, Layout
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.slip import settle_slip
from tests.marks import rulebook, rulings

GAME = pb.game("wu-song")

MENU = """
                 A  B  C  D  E  F
player           x  x  x  x  x  x
banker           x  x  x  x  x  x
tie              x  x  x  x  x  x
tiger_tie        x  x  x  x  x  x
big_tiger        x  x  x  x  x  x
small_tiger      x  x  x  x  x  x
banker_big_7     .  .  .  .  x  x
banker_small_7   .  .  .  .  x  x
player_big_7     .  .  .  .  x  x
player_small_7   .  .  .  .  x  x
player_pair      x  x  x  x  .  .
banker_pair      x  x  x  x  .  .
wu_dalang        x  x  x  x  x  x
wu_song          x  x  x  x  .  .
"""


def felt(key: str) -> Layout:
    layout = GAME.layout(key)
    assert layout is not None
    return layout


def offered(key: str) -> set[str]:
    """The bets crossed in that layout's column above."""
    layouts, *rows = (line.split() for line in MENU.strip().splitlines())
    return {bet for bet, *marks in rows if marks[layouts.index(key)] == "x"}


@rulebook({"wu-song": ["Title"]}, by=library.game)
def test_title_version_3_is_in_force_from_6_december_2024_at_eight_in_singapore() -> None:
    assert (GAME.title.en, GAME.version) == ("Wu Song (Non-Commission Baccarat)", 3)
    assert "Version 3" in GAME.document
    assert GAME.approved == "Title"
    assert GAME.effective is not None
    assert GAME.effective.astimezone(UTC) == datetime(2024, 12, 6, 0, 0, tzinfo=UTC)


@rulings("DOC-8")
@rulebook({"wu-song": ["2.1.1"]}, by=Game.layout)
def test_2_1_1_only_the_layouts_a_to_f_are_played_on() -> None:
    assert [layout.key for layout in GAME.layouts] == ["A", "B", "C", "D", "E", "F"]
    assert GAME.terminal is None
    with pytest.raises(Refused) as refused:
        GAME.layout("G")
    assert (refused.value.reason, refused.value.paragraph) == (Reason.UNKNOWN_LAYOUT, "2.1.1")
    assert GAME.tables is not None
    assert (GAME.tables.layouts, GAME.tables.boxes) == ("2.1.1", "2.1.1.a")


@rulings("DOC-6")
@rulebook(
    {"wu-song": ["2.1.1.a", "App. A", "App. B", "App. C", "App. D", "App. E", "App. F"]},
    by=[Layout.check_box, Game.layout],
)
@pytest.mark.parametrize(("key", "most"), [("A", 6), ("B", 5), ("C", 5), ("D", 6), ("E", 6), ("F", 6)])
def test_2_1_1_a_each_layout_has_from_one_position_to_the_most_its_appendix_names(key: str, most: int) -> None:
    layout = felt(key)
    assert layout.rule == f"App. {key}"
    assert (layout.fewest_boxes, layout.most_boxes) == (1, most)
    assert [layout.check_box(box) for box in (1, most)] == [1, most]
    for none_such in (0, most + 1):
        with pytest.raises(Refused) as refused:
            layout.check_box(none_such)
        assert (refused.value.reason, refused.value.paragraph) == (Reason.BOX_OUT_OF_RANGE, f"App. {key}")


@rulings("DOC-6")
@rulebook({"wu-song": ["2.1.1.a"]}, by=[Layout.check_box, Layout.check_boxes])
def test_2_1_1_a_a_table_with_fewer_positions_has_none_above_them_and_none_has_more_than_its_layout() -> None:
    assert felt("A").check_box(4, boxes=4) == 4
    with pytest.raises(Refused) as refused:
        felt("A").check_box(5, boxes=4)
    assert refused.value.reason is Reason.BOX_OUT_OF_RANGE
    for key, boxes in (("B", 6), ("C", 6), ("A", 7), ("F", 0)):
        with pytest.raises(Refused) as refused:
            felt(key).check_box(1, boxes=boxes)
        assert (refused.value.reason, refused.value.paragraph) == (Reason.BOXES_OUT_OF_RANGE, f"App. {key}")


@rulings("DOC-9")
@rulebook(
    {"wu-song": ["App. A", "App. B", "App. C", "App. D", "App. E", "App. F"]},
    by=Game.menu,
)
@pytest.mark.parametrize("key", "ABCDEF")
def test_appendix_every_betting_area_has_an_english_and_a_chinese_name(key: str) -> None:
    for bet in GAME.menu(felt(key)):
        assert bet.title.en
        assert bet.title.zh
        assert bet == GAME.bet(bet.key, felt(key)), "the same area whatever it is called"


@rulebook({"wu-song": ["2.2.1"]}, by=Decks.check)
def test_2_2_1_four_to_ten_decks_are_played_with() -> None:
    assert [GAME.decks.check(decks) for decks in range(4, 11)] == [4, 5, 6, 7, 8, 9, 10]
    for decks in (0, 3, 11):
        with pytest.raises(Refused) as refused:
            GAME.decks.check(decks)
        assert (refused.value.reason, refused.value.paragraph) == (Reason.DECKS_OUT_OF_RANGE, "2.2.1")


@rulebook({"wu-song": ["2.2.1"]}, by=[cards_of, check_copies])
def test_2_2_1_ten_decks_are_520_cards_each_of_the_52_ten_times() -> None:
    shoe = cards_of(10)
    assert (len(shoe), len(set(shoe))) == (520, 52)
    check_copies(tuple(shoe), decks=10)
    with pytest.raises(Refused):
        check_copies((*shoe, shoe[0]), decks=10)


@rulings("DOC-7", "DOC-8")
@rulebook({"wu-song": ["3.7"]}, by=Game.menu)
@pytest.mark.parametrize("key", "ABCDEF")
def test_3_7_each_layout_offers_the_bets_whose_settlement_names_it(key: str) -> None:
    assert {bet.key for bet in GAME.menu(felt(key))} == offered(key)


@rulebook({"wu-song": ["3.7"]}, by=Game.bet)
@pytest.mark.parametrize("key", "ABCDEF")
def test_3_7_a_bet_the_layout_does_not_carry_is_refused(key: str) -> None:
    assert len(GAME.bets) == 14
    for bet in GAME.bets:
        if bet.key in offered(key):
            assert GAME.bet(bet.key, felt(key)).key == bet.key
        else:
            with pytest.raises(Refused) as refused:
                pb.settle(GAME, "9 7 K 10", {bet.key: pb.money("10")}, layout=key)
            assert (refused.value.reason, refused.value.paragraph) == (Reason.BET_NOT_ON_LAYOUT, "3.7")


@rulings("PAY-7")
@rulebook({"wu-song": ["3.7"]}, by=settle_slip)
@pytest.mark.parametrize("key", "ABCDEF")
def test_3_7_every_side_bet_stands_alone(key: str) -> None:
    for bet in sorted(offered(key) - {"player", "banker"}):
        assert list(pb.settle(GAME, "9 7 K 10", {bet: pb.money("10")}, layout=key).bets) == [bet]
