"""Cards in draw order, one by one and at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.rules.cards import Card, Rank, read_cards
from puntobanco.rules.coup import Coup, deal
from puntobanco.rules.outcome import Side, Winner, reachable
from puntobanco.rules.refusal import Reason, Refused

ranks = st.sampled_from(Rank)


@given(st.lists(ranks, min_size=6, max_size=6))
def test_every_deal_ends_after_four_to_six_cards_in_a_reachable_outcome(drawn: list[Rank]) -> None:
    coup = Coup()
    for rank in drawn:
        if coup.is_complete:
            break
        side = coup.due
        coup = coup.draw(Card(rank))
        assert coup.sides[-1] is side
    assert 4 <= len(coup.cards) <= 6
    assert coup.outcome in reachable()
    assert deal(coup.cards) == coup
    assert len(coup.player.cards) + len(coup.banker.cards) == len(coup.cards)


@pytest.mark.parametrize("count", range(4))
def test_too_few_cards_give_no_outcome(count: int) -> None:
    coup = deal(read_cards("9 7 K T")[:count])
    assert not coup.is_complete
    with pytest.raises(Refused) as refused:
        _ = coup.outcome
    assert refused.value.reason is Reason.TOO_FEW_CARDS


def test_a_card_after_the_hands_are_complete_is_refused_and_changes_nothing() -> None:
    coup = deal(read_cards("9 7 K T"))
    with pytest.raises(Refused) as refused:
        coup.draw(Card(Rank.ACE))
    assert refused.value.reason is Reason.HAND_COMPLETE
    assert coup == deal(read_cards("9 7 K T"))
    with pytest.raises(Refused):
        deal(read_cards("9 7 K T 2"))


def test_an_outcome_says_who_won_by_how_much_and_whether_naturally() -> None:
    natural = deal(read_cards("9 7 K T")).outcome
    assert (natural.winner, natural.margin, natural.natural) == (Winner.PLAYER, 2, True)
    drawn = deal(read_cards("K 2 4 A 7 7")).outcome
    assert (drawn.winner, drawn.margin, drawn.natural) == (Winner.PLAYER, 1, False)
    assert deal(read_cards("2 4 3 4")).outcome.natural
    assert deal(read_cards("2 3 4 3")).outcome.winner is Winner.TIE


def test_a_hand_prints_its_cards() -> None:
    coup = deal(read_cards("KS 2D 4 A 7 7"))
    assert str(coup.player) == "K♠ 4 7"
    assert coup.hand(Side.BANKER) == coup.banker
