"""Established outcomes: the general predicate, and what it comes to in every state, game and layout."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.rules import library
from puntobanco.rules.cards import Card, Rank
from puntobanco.rules.coup import Coup, deal
from puntobanco.rules.established import Standing, available, is_established, possible, possible_outcomes, standings
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import result_of
from tests.marks import rulebook, rulings

FELTS = [(library.game(key), layout) for key in library.GAMES for layout in (library.game(key).layouts or (None,))]
AVAILABLE = [available(game, layout) for game, layout in FELTS]


def exposures() -> Iterator[tuple[Rank | None, Rank | None]]:
    """Every way the two initial cards of a hand can be exposed: none, one, or both with each total, pair or not."""
    yield None, None
    for rank in list(Rank)[:10]:
        yield rank, None
        yield None, rank
    both: dict[tuple[int, bool], tuple[Rank, Rank]] = {}
    for one, other in product(Rank, repeat=2):
        both.setdefault(((one.points + other.points) % 10, one == other), (one, other))
    yield from both.values()


@rulebook({"commission": ["5.4.1", "5.4.2"], "wu-song": ["5.4.1", "5.4.2"]}, by=is_established)
def test_5_4_an_outcome_is_established_once_both_initial_cards_of_a_hand_are_exposed() -> None:
    """Every state, every game, every layout; third cards seen, or seen early in the shoe's mouth, included."""
    thirds = (None, *(rank for rank in Rank if rank <= Rank.TEN))
    states, found = 0, dict[int, set[bool]]()
    for player, banker, fifth, sixth in product(exposures(), exposures(), thirds, thirds):
        cards = (player[0], banker[0], player[1], banker[1], fifth, sixth)
        exposed = {index: rank for index, rank in enumerate(cards, start=1) if rank is not None}
        may_be = possible(exposed)
        states += 1
        expected = None not in player or None not in banker
        if may_be not in found:
            found[may_be] = {felt.established(may_be) for felt in AVAILABLE}
        assert found[may_be] == {expected}, exposed
    assert states == 36 * 36 * 11 * 11


@rulings("EST-2")
@given(st.lists(st.sampled_from(Rank), min_size=6, max_size=6), st.sets(st.integers(1, 6)), st.integers(0, 23))
def test_what_is_called_won_or_lost_never_changes_however_the_cards_fall(
    drawn: list[Rank], seen: set[int], felt: int
) -> None:
    game, layout = FELTS[felt]
    coup = Coup()
    for rank in drawn:
        if not coup.is_complete:
            coup = coup.draw(Card(rank))
    outcome = coup.outcome
    exposed = {index: drawn[index - 1] for index in seen if index <= len(coup.cards)}
    assert outcome in possible_outcomes(exposed)
    stand = AVAILABLE[felt].standings(possible(exposed))
    for bet in game.menu(layout):
        standing = stand.get(bet.key, Standing.OPEN)
        if standing is not Standing.OPEN:
            assert {"won": "win", "lost": "lose", "returned": "push"}[standing] == result_of(bet, outcome)


@given(st.lists(st.sampled_from(Rank), min_size=6, max_size=6))
def test_once_every_card_is_exposed_nothing_is_open(drawn: list[Rank]) -> None:
    coup = Coup()
    for rank in drawn:
        if not coup.is_complete:
            coup = coup.draw(Card(rank))
    exposed = dict(enumerate(drawn[: len(coup.cards)], start=1))
    assert possible_outcomes(exposed) == {coup.outcome}
    for felt in AVAILABLE:
        assert Standing.OPEN not in felt.standings(possible(exposed)).values()


@rulings("EST-4")
def test_a_fifth_card_counts_only_once_its_place_is_fixed() -> None:
    game, layout = library.game("wu-song"), library.game("wu-song").layout("E")
    in_the_mouth = {5: Rank.KING}
    assert set(standings(game, layout, in_the_mouth).values()) == {Standing.OPEN}
    hands = dict(enumerate((Rank.TWO, Rank.TWO, Rank.TWO, Rank.TWO), start=1))
    assert standings(game, layout, hands)["player_big_7"] is Standing.OPEN
    assert standings(game, layout, hands | in_the_mouth)["player_big_7"] is Standing.LOST


def test_a_sixth_card_counts_only_once_the_banker_is_sure_to_draw() -> None:
    game, layout = library.game("wu-song"), library.game("wu-song").layout("E")
    hands = dict(enumerate((Rank.TWO, Rank.ACE, Rank.TWO, Rank.TWO), start=1))
    assert standings(game, layout, hands | {6: Rank.THREE}) == standings(game, layout, hands)
    sure = dict(enumerate((Rank.TWO, Rank.ACE, Rank.TWO, Rank.KING), start=1))
    assert standings(game, layout, sure | {6: Rank.FIVE})["big_tiger"] is Standing.OPEN
    assert standings(game, layout, sure | {6: Rank.FOUR})["big_tiger"] is Standing.LOST


@rulings("EST-5")
def test_a_certain_tie_returns_the_original_bets() -> None:
    game = library.game("commission")
    exposed = dict(enumerate((Rank.NINE, Rank.NINE, Rank.KING, Rank.KING), start=1))
    standing = standings(game, game.layout(), exposed)
    assert (standing["player"], standing["tie"], standing["player_pair"]) == (
        Standing.RETURNED,
        Standing.WON,
        Standing.LOST,
    )


@rulings("EST-6")
def test_insurance_is_not_among_the_available_bets() -> None:
    game = library.game("insurance")
    assert not {"player_insurance", "banker_insurance"} & standings(game, game.layout(), {}).keys()


@pytest.mark.parametrize("index", [0, 7, -1])
def test_a_round_has_no_such_card(index: int) -> None:
    with pytest.raises(Refused) as refused:
        possible_outcomes({index: Rank.ACE})
    assert refused.value.reason is Reason.CARD_OUT_OF_PLACE


def test_the_predicate_agrees_with_dealing_every_remaining_card() -> None:
    """Enumerated card by card for one state, against the shorter way the predicate takes."""
    shown = (Rank.FIVE, Rank.SIX, Rank.KING)
    ends = set()
    for rest in product(Rank, repeat=3):
        coup = deal(Card(rank) for rank in shown)
        for rank in rest:
            if not coup.is_complete:
                coup = coup.draw(Card(rank))
        ends.add(coup.outcome)
    assert possible_outcomes(dict(enumerate(shown, start=1))) == ends
