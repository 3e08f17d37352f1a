"""Hands of few cards, how a card is kept, and how a coup is explained card by card."""

import msgspec
import pytest

from puntobanco.rules.cards import Card, Rank, Suit, read_cards
from puntobanco.rules.coup import Coup, Hand, deal
from puntobanco.rules.explanation import Explanation, ExplanationStep, explain
from puntobanco.rules.library import GAMES, game
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason, Refused
from tests.marks import rulings

Step = ExplanationStep


def test_a_card_is_kept_as_its_number_from_ace_1_to_king_13() -> None:
    assert [int(rank) for rank in Rank] == list(range(1, 14))
    assert msgspec.json.encode(Card(Rank.KING, Suit.SPADES)) == '{"rank":13,"suit":"♠"}'.encode()


@pytest.mark.parametrize(
    ("cards", "pair"), [("", False), ("9", False), ("9 9", True), ("9 8", False), ("9 8 9", False), ("9 9 8", True)]
)
def test_a_pair_is_of_the_first_two_cards(cards: str, pair: bool) -> None:
    assert Hand(read_cards(cards)).is_pair is pair


@pytest.mark.parametrize("more", [1, 2, 3, 5_000])
def test_however_many_cards_too_many_are_given_the_first_of_them_is_refused(more: int) -> None:
    with pytest.raises(Refused) as refused:
        Coup((*read_cards("K 2 4 A 7 7"), *[Card(Rank.ACE)] * more))
    assert (refused.value.reason, refused.value.parameters["drawn"]) == (Reason.HAND_COMPLETE, 6)


# ---- explained ---------------------------------------------------------------------------------------------------


def steps(cards: str, key: str = "wu-song", *, waived: bool | None = None) -> list[Explanation]:
    coup = deal(read_cards(cards))
    return list(explain(game(key), coup) if waived is None else explain(game(key), coup, waived=waived))


def named(cards: str, key: str = "wu-song") -> list[Step]:
    return [one.step for one in steps(cards, key)]


@pytest.mark.parametrize(
    ("cards", "then"),
    [
        ("9", []),
        ("9 2 3", []),
        ("9 7 K T", [Step.NATURAL, Step.HAND_WINS]),
        ("K 2 7 5", [Step.PLAYER_STANDS, Step.BANKER_STANDS, Step.TIE]),
        ("K 2 7 3", [Step.PLAYER_STANDS, Step.BANKER_DRAWS]),
        ("K 2 4 A", [Step.PLAYER_DRAWS]),
        ("K 2 4 A 7", [Step.PLAYER_DRAWS, Step.CARD_DEALT, Step.BANKER_DRAWS_AGAINST]),
        ("K 2 4 A 8", [Step.PLAYER_DRAWS, Step.CARD_DEALT, Step.BANKER_STANDS_AGAINST, Step.HAND_WINS]),
    ],
)
def test_nothing_is_decided_before_four_cards_and_then_each_hand_once(cards: str, then: list[Step]) -> None:
    first = min(4, len(cards.split()))
    assert named(cards) == [Step.CARD_DEALT] * first + then


def test_each_card_is_explained_with_its_number_its_hand_and_what_that_comes_to() -> None:
    dealt = [one.parameters for one in steps("K 2 4 A 7 7") if one.step is Step.CARD_DEALT]
    assert [(one["index"], one["side"], one["points"]) for one in dealt] == [
        (1, Side.PLAYER, 0), (2, Side.BANKER, 2), (3, Side.PLAYER, 4),
        (4, Side.BANKER, 3), (5, Side.PLAYER, 1), (6, Side.BANKER, 0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("cards", "side", "points", "other"),
    [("9 7 K T", Side.PLAYER, 9, 7), ("7 9 K T", Side.BANKER, 9, 7), ("K 2 4 A 7 7", Side.PLAYER, 1, 0)],
)
def test_the_winning_hand_is_named_with_its_points_before_the_other_ones(
    cards: str, side: Side, points: int, other: int
) -> None:
    assert steps(cards)[-1].parameters == {"side": side, "points": points, "other": other}


@rulings("CRD-10")
@pytest.mark.parametrize("key", GAMES)
def test_a_banker_who_stands_on_seven_does_so_by_the_table_of_play(key: str) -> None:
    """The sentence about a Player who stands goes up to a Banker of 6; the table has a row for 7."""
    paragraphs = game(key).round
    for cards, step, rule in (
        ("K 2 6 5", Step.BANKER_STANDS, paragraphs.table_of_play),
        ("K 2 6 4", Step.BANKER_STANDS, paragraphs.third_cards),
        ("K 2 6 3", Step.BANKER_DRAWS, paragraphs.third_cards),
    ):
        (decided,) = (one for one in steps(cards, key) if one.step is step)
        assert decided.rule == rule


def test_a_window_after_the_third_card_is_told_unless_it_was_waived() -> None:
    for waived, told in ((None, 1), (False, 1), (True, 0)):
        explained = steps("K K Q A A", "insurance", waived=waived)
        assert sum(one.step is Step.INSURANCE_OFFERED for one in explained) == told


@pytest.mark.parametrize("cards", ["9 K 9 Q", "K 9 Q 9", "9 9 9 9"])
def test_two_nines_are_a_natural_eight_of_either_hand(cards: str) -> None:
    coup = deal(read_cards(cards))
    assert coup.is_complete
    assert coup.outcome.natural
