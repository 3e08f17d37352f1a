"""Cards as people type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.rules.cards import Card, Rank, Suit, check_copies, read_card, read_cards
from puntobanco.rules.refusal import Reason, Refused


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("9S", Card(Rank.NINE, Suit.SPADES)),
        ("9s", Card(Rank.NINE, Suit.SPADES)),
        ("10D", Card(Rank.TEN, Suit.DIAMONDS)),
        ("TD", Card(Rank.TEN, Suit.DIAMONDS)),
        ("td", Card(Rank.TEN, Suit.DIAMONDS)),
        ("9♠", Card(Rank.NINE, Suit.SPADES)),
        ("a♡", Card(Rank.ACE, Suit.HEARTS)),
        ("k♣\ufe0f", Card(Rank.KING, Suit.CLUBS)),
        ("9", Card(Rank.NINE)),
        ("T", Card(Rank.TEN)),
        ("q", Card(Rank.QUEEN)),
    ],
)
def test_a_card_is_read_however_it_is_written(text: str, card: Card) -> None:
    assert read_card(text) == card


@given(st.sampled_from(Rank), st.sampled_from([None, *Suit]))
def test_what_a_card_prints_is_read_back(rank: Rank, suit: Suit | None) -> None:
    assert read_card(str(Card(rank, suit))) == Card(rank, suit)


@pytest.mark.parametrize(
    "text",
    ["", "1", "0", "11", "1S", "9SS", "S9", "9 S", "joker", "JK", "９", "９Ｓ", "9S\n", "-9", "\x1b[31m", "ſ", "10ſ"],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read_card(text)
    assert refused.value.reason is Reason.UNKNOWN_CARD


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        read = read_cards(text)
    except Refused as refused:
        complaint = str(refused)
    else:
        complaint = ""
        assert all(isinstance(card, Card) for card in read)
    assert not complaint or complaint.startswith("unknown_card (card=")


def test_cards_are_parted_by_blanks_or_commas() -> None:
    assert read_cards(" K,2  4, A\t7\n7 ") == read_cards("K 2 4 A 7 7")


def test_a_card_that_the_decks_do_not_hold_so_often_is_impossible() -> None:
    check_copies(read_cards("AS AS AS AS AH"), 4)
    check_copies(read_cards("A A A A A A"), 4)
    with pytest.raises(Refused) as refused:
        check_copies(read_cards("AS AS AS AS AS"), 4, "2.2.1")
    assert (refused.value.reason, refused.value.paragraph) == (Reason.IMPOSSIBLE_CARD, "2.2.1")
    with pytest.raises(Refused):
        check_copies(read_cards("A A A A A"), 1)
    with pytest.raises(Refused):
        check_copies(read_cards("AS AH AD AC A"), 1)
