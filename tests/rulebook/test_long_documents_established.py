"""When an outcome is established in the two long documents: what the exposed cards have already decided.

Exposed cards are written in draw order, `x` for a card that is face down or not yet drawn: `5 x 5`.
"""

from collections.abc import Callable
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puntobanco as pb
from puntobanco.rules.cards import Rank, read_card, read_cards
from puntobanco.rules.coup import Coup, deal
from puntobanco.rules.established import (
    Available,
    Exposed,
    Standing,
    available,
    is_established,
    possible,
    possible_outcomes,
    standings,
)
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result, settle
from tests.marks import rulebook, rulings

OPEN, WON, LOST, RETURNED = Standing.OPEN, Standing.WON, Standing.LOST, Standing.RETURNED

LAYOUTS = [*(("commission", layout) for layout in "ABCD"), *(("wu-song", layout) for layout in "ABCDEF")]


def shown(cards: str) -> Exposed:
    return {index: read_card(card).rank for index, card in enumerate(cards.split(), start=1) if card != "x"}


@cache
def bets_of(key: str, layout: str) -> Available:
    return available(pb.game(key), pb.game(key).layout(layout))


def standing(key: str, layout: str, cards: str) -> dict[str, Standing]:
    return bets_of(key, layout).standings(possible(shown(cards)))


def established(key: str, layout: str, cards: str) -> bool:
    return bets_of(key, layout).established(possible(shown(cards)))


TWO_CARDS = ["10 K", "A Q", "2 J", "3 K", "4 K", "5 K", "6 K", "7 K", "8 K", "9 K"]
"""Two cards for each total from 0 to 9, without a pair."""

PAIRS = {0: "K K", 2: "A A", 4: "7 7", 6: "3 3", 8: "9 9"}


def hands(total: int) -> list[tuple[tuple[str, str], bool]]:
    """Two cards of that total, unpaired and, where there is one, paired."""
    plain, pair = TWO_CARDS[total].split(), PAIRS.get(total, "").split()
    return [((plain[0], plain[1]), False)] + ([((pair[0], pair[1]), True)] if pair else [])


def opening(player: int, banker: int) -> str:
    (one, three), (two, four) = TWO_CARDS[player].split(), TWO_CARDS[banker].split()
    return f"{one} {two} {three} {four}"


# ---- the stages of a deal, bet by bet ----------------------------------------------------------------------------

# p and b are the totals of the first two cards

AFTER_THREE: dict[str, Callable[[int], Standing]] = {
    "player": lambda _: OPEN,
    "banker": lambda _: OPEN,
    "tie": lambda _: OPEN,
    "banker_pair": lambda _: OPEN,
    "big_tiger": lambda p: LOST if p >= 6 else OPEN,
    "small_tiger": lambda p: LOST if p >= 6 else OPEN,
    "tiger_tie": lambda p: LOST if p >= 7 else OPEN,
    "banker_big_7": lambda p: LOST if p >= 7 else OPEN,
    "banker_small_7": lambda p: LOST if p >= 7 else OPEN,
    "player_big_7": lambda p: LOST if p >= 6 else OPEN,
    "player_small_7": lambda p: LOST if p != 7 else OPEN,
    "wu_song": lambda p: LOST if p >= 6 else OPEN,
    "wu_dalang": lambda p: LOST if p >= 6 else OPEN,
}


def no_more_cards(p: int, b: int) -> bool:
    """A natural of either hand, or both hands stand."""
    return p >= 8 or b >= 8 or (p >= 6 and b >= 6)


AFTER_FOUR: dict[str, Callable[[int, int], Standing]] = {
    "player": lambda p, b: (WON if p > b else LOST if p < b else RETURNED) if no_more_cards(p, b) else OPEN,
    "banker": lambda p, b: (WON if b > p else LOST if b < p else RETURNED) if no_more_cards(p, b) else OPEN,
    "tie": lambda p, b: (WON if p == b else LOST) if no_more_cards(p, b) else OPEN,
    "big_tiger": lambda p, b: LOST if p >= 6 or b >= 7 or (p, b) == (2, 5) or (b == 6 and p <= 2) else OPEN,
    "small_tiger": lambda p, b: OPEN if b == 6 and p <= 5 else LOST,
    "tiger_tie": lambda p, b: (
        WON if (p, b) == (6, 6) else LOST if p >= 7 or b >= 7 or (p, b) in {(5, 4), (3, 5), (4, 5), (5, 5)} else OPEN
    ),
    "banker_big_7": lambda p, b: LOST if p >= 7 or b >= 7 or (p, b) in {(6, 6), (1, 6), (2, 6)} else OPEN,
    "banker_small_7": lambda p, b: WON if (p, b) == (6, 7) else OPEN if b == 7 and p <= 5 else LOST,
    "player_big_7": lambda p, b: OPEN if p <= 5 and b <= 6 else LOST,
    "player_small_7": lambda p, b: WON if (p, b) == (7, 6) else OPEN if p == 7 and b <= 5 else LOST,
    "wu_song": lambda p, b: OPEN if (p <= 5 and b <= 5) or (p, b) == (0, 6) else LOST,
    "wu_dalang": lambda p, b: (
        OPEN if (p <= 5 and b <= 2) or (b == 3 and p in {0, 1, 2, 4, 5}) or (4 <= b <= 6 and p in {4, 5}) else LOST
    ),
}

# after the Player's third card, while the Banker's is still to come: the Player's final total decides

AFTER_FIVE: dict[str, Callable[[int], Standing]] = {
    "player": lambda _: OPEN,
    "banker": lambda _: OPEN,
    "tie": lambda _: OPEN,
    "big_tiger": lambda final: LOST if final >= 6 else OPEN,
    "small_tiger": lambda _: LOST,
    "tiger_tie": lambda final: OPEN if final == 6 else LOST,
    "banker_big_7": lambda final: LOST if final >= 7 else OPEN,
    "banker_small_7": lambda _: LOST,
    "player_big_7": lambda final: OPEN if final == 7 else LOST,
    "player_small_7": lambda _: LOST,
    "wu_song": lambda final: OPEN if final == 6 else LOST,
    "wu_dalang": lambda final: OPEN if final == 1 else LOST,
}


@rulebook({"commission": ["5.4.2"], "wu-song": ["5.4.2"]}, by=[Available.standings, Available.established])
@pytest.mark.parametrize(("key", "layout"), LAYOUTS)
@pytest.mark.parametrize("cards", ["", "9", "K 7", "5 5", "x 7", "A 9"])
def test_5_4_2_while_betting_and_after_one_or_two_cards_nothing_is_decided(key: str, layout: str, cards: str) -> None:
    assert set(standing(key, layout, cards).values()) == {OPEN}
    assert not established(key, layout, cards)


@rulebook({"commission": ["5.4.1"], "wu-song": ["5.4.1"]}, by=[Available.standings, Available.established])
@pytest.mark.parametrize(("key", "layout"), LAYOUTS)
@pytest.mark.parametrize("p", range(10))
def test_5_4_1_after_three_cards_the_players_two_decide_its_pair_and_what_its_total_rules_out(
    key: str, layout: str, p: int
) -> None:
    for ((one, three), pair), two in product(hands(p), [rank.sign for rank in Rank]):
        found = standing(key, layout, f"{one} {two} {three}")
        pair_decided = {"player_pair": WON if pair else LOST}
        expected = {bet: stage(p) for bet, stage in AFTER_THREE.items()} | pair_decided
        assert found == {bet: expected[bet] for bet in found}
        assert established(key, layout, f"{one} {two} {three}")


@rulebook({"commission": ["5.4.1"], "wu-song": ["5.4.1"]}, by=[Available.standings, Available.established])
@pytest.mark.parametrize(("key", "layout"), LAYOUTS)
@pytest.mark.parametrize("p", range(10))
def test_5_4_1_after_four_cards_the_two_totals_decide_as_listed(key: str, layout: str, p: int) -> None:
    for b in range(10):
        for ((one, three), player_pair), ((two, four), banker_pair) in product(hands(p), hands(b)):
            found = standing(key, layout, f"{one} {two} {three} {four}")
            pairs_decided = {
                "player_pair": WON if player_pair else LOST,
                "banker_pair": WON if banker_pair else LOST,
            }
            expected = {bet: stage(p, b) for bet, stage in AFTER_FOUR.items()} | pairs_decided
            assert found == {bet: expected[bet] for bet in found}, f"Player {p}, Banker {b}"
            assert established(key, layout, f"{one} {two} {three} {four}")


@rulebook({"commission": ["5.4.1"], "wu-song": ["5.4.1"]}, by=[Available.standings, Available.established])
@pytest.mark.parametrize(("key", "layout"), LAYOUTS)
def test_5_4_1_after_the_players_third_card_its_final_total_decides_as_listed(key: str, layout: str) -> None:
    seen = set()
    for p, b, third in product(range(6), range(8), [*"A23456789", "10", "Q"]):
        cards = f"{opening(p, b)} {third}"
        coup = deal(read_cards(cards))
        if coup.due is not Side.BANKER:
            continue
        final = coup.player.points
        pairs_decided = {"player_pair": LOST, "banker_pair": LOST}
        expected = {bet: stage(final) for bet, stage in AFTER_FIVE.items()} | pairs_decided
        found = standing(key, layout, cards)
        assert found == {bet: expected[bet] for bet in found}, cards
        seen.add(final)
    assert seen == set(range(10))


@rulebook({"commission": ["5.4.1"], "wu-song": ["5.4.1"]}, by=Available.standings)
@pytest.mark.parametrize(("key", "layout"), LAYOUTS)
def test_5_4_1_after_the_last_card_everything_stands_as_it_is_settled(key: str, layout: str) -> None:
    game = pb.game(key)
    settled_as = {Result.WIN: WON, Result.LOSE: LOST, Result.PUSH: RETURNED}
    menu = game.menu(game.layout(layout))
    for p, b, fifth, sixth in product(range(8), range(8), "A57", "248"):
        coup = Coup()
        for card in read_cards(f"{opening(p, b)} {fifth} {sixth}"):
            coup = coup if coup.is_complete else coup.draw(card)
        found = standing(key, layout, " ".join(map(str, coup.cards)))
        assert found == {bet.key: settled_as[settle(bet, pb.money("10"), coup.outcome).result] for bet in menu}


# ---- which cards count -------------------------------------------------------------------------------------------

BANKER_ONLY: dict[str, Callable[[int], Standing]] = {
    "player": lambda _: OPEN,
    "banker": lambda _: OPEN,
    "tie": lambda _: OPEN,
    "player_pair": lambda _: OPEN,
    "banker_small_7": lambda b: LOST if b != 7 else OPEN,
    "small_tiger": lambda b: LOST if b != 6 else OPEN,
    "tiger_tie": lambda b: LOST if b >= 7 else OPEN,
    "big_tiger": lambda b: LOST if b >= 7 else OPEN,
    "banker_big_7": lambda b: LOST if b >= 7 else OPEN,
    "player_big_7": lambda b: LOST if b >= 7 else OPEN,
    "player_small_7": lambda b: LOST if b >= 7 else OPEN,
    "wu_song": lambda b: LOST if b >= 7 else OPEN,
    "wu_dalang": lambda b: LOST if b >= 7 else OPEN,
}


@rulebook({"commission": ["5.4.1"], "wu-song": ["5.4.1"]}, by=[Available.standings, Available.established])
@pytest.mark.parametrize(("key", "layout"), LAYOUTS)
@pytest.mark.parametrize("b", range(10))
def test_5_4_1_the_bankers_two_cards_alone_decide_its_pair_and_what_its_total_rules_out(
    key: str, layout: str, b: int
) -> None:
    for (two, four), pair in hands(b):
        found = standing(key, layout, f"x {two} x {four}")
        pair_decided = {"banker_pair": WON if pair else LOST}
        expected = {bet: stage(b) for bet, stage in BANKER_ONLY.items()} | pair_decided
        assert found == {bet: expected[bet] for bet in found}
        assert established(key, layout, f"x {two} x {four}")


@rulings("EST-1", "REJ-6")
@rulebook({"commission": ["5.4.1"], "wu-song": ["5.4.1"]}, by=[Available.standings, Available.established])
def test_5_4_1_an_open_player_pair_establishes_an_outcome_though_nobody_need_have_bet_it() -> None:
    """The test asks what the layout offers; it is not told who bet what."""
    assert standing("commission", "A", "5 x 5")["player_pair"] is WON
    assert standing("commission", "A", "5 x 6")["player_pair"] is LOST
    assert established("commission", "A", "5 x 5")
    assert established("commission", "A", "5 3 K 10"), "Player 5 against Banker 3: both hands open, one pair lost"


@rulebook({"wu-song": ["5.4.1"]}, by=Available.standings)
@pytest.mark.parametrize("layout", "EF")
def test_5_4_1_where_there_are_no_pairs_one_of_the_7_bets_is_always_lost(layout: str) -> None:
    for total in range(10):
        one, other = TWO_CARDS[total].split()
        lost = "player_big_7" if total == 7 else "player_small_7"
        assert standing("wu-song", layout, f"{one} x {other}")[lost] is LOST
        lost = "banker_big_7" if total == 7 else "banker_small_7"
        assert standing("wu-song", layout, f"x {one} x {other}")[lost] is LOST


@rulings("EST-2")
@rulebook({"commission": ["5.4.2"], "wu-song": ["5.4.2"]}, by=Available.standings)
@pytest.mark.parametrize(("key", "layout"), LAYOUTS)
def test_5_4_2_a_bet_that_may_still_be_returned_is_open(key: str, layout: str) -> None:
    found = standing(key, layout, "9 x K")
    assert (found["player"], found["banker"]) == (OPEN, OPEN), "Player 9 cannot lose, but it may tie"


@rulings("EST-5")
@rulebook({"commission": ["5.4.1"], "wu-song": ["5.4.1"]}, by=Available.standings)
@pytest.mark.parametrize(("key", "layout"), LAYOUTS)
def test_5_4_1_a_bet_certain_to_be_returned_is_neither_won_nor_lost(key: str, layout: str) -> None:
    found = standing(key, layout, "3 2 4 5")
    assert (found["player"], found["banker"], found["tie"]) == (RETURNED, RETURNED, WON)


@rulings("EST-4")
@rulebook({"commission": ["5.4.2"], "wu-song": ["5.4.2"]}, by=[Available.established, possible_outcomes])
@pytest.mark.parametrize(("key", "layout"), LAYOUTS)
@pytest.mark.parametrize(
    "cards", ["x x x x 9", "x x x x 9 9", "8 x x x 9 9", "x 8 x x 9 9", "8 8 x x 9 9", "x x 9 9 A A"]
)
def test_5_4_2_a_card_seen_out_of_turn_proves_nothing_while_its_place_is_unknown(
    key: str, layout: str, cards: str
) -> None:
    assert set(standing(key, layout, cards).values()) == {OPEN}
    assert not established(key, layout, cards)
    before = " ".join(cards.split()[:4])
    assert possible_outcomes(shown(cards)) == possible_outcomes(shown(before))


@rulings("EST-8")
@rulebook({"commission": ["5.4.1"], "wu-song": ["5.4.1"]}, by=possible_outcomes)
def test_5_4_1_a_third_card_counts_as_soon_as_the_exposed_cards_fix_its_place() -> None:
    assert standing("wu-song", "A", "5 2 K K x 5")["big_tiger"] is LOST, "Banker 2 draws whatever comes: it ends on 7"
    assert standing("wu-song", "A", "5 2 K K x 4")["big_tiger"] is OPEN
    assert standing("wu-song", "A", "5 3 K K x 4")["big_tiger"] is OPEN, "Banker 3 may yet stand: the card may be spare"
    assert possible_outcomes(shown("5 3 K K x 4")) == possible_outcomes(shown("5 3 K K"))


@rulebook({"commission": ["5.4.1"], "wu-song": ["5.4.1"]}, by=possible_outcomes)
@pytest.mark.parametrize("cards", ["9 7 K 10", "3 2 4 5", "2 K 3 3 8"])
def test_5_4_1_a_spare_card_drawn_after_the_round_is_complete_changes_nothing(cards: str) -> None:
    (outcome,) = possible_outcomes(shown(cards))
    assert outcome == deal(read_cards(cards)).outcome
    assert possible_outcomes(shown(f"{cards} 9")) == {outcome}


@rulebook({"commission": ["5.4.1"], "wu-song": ["5.4.1"]}, by=possible_outcomes)
@pytest.mark.parametrize("index", [-1, 0, 7])
def test_5_4_1_a_round_has_no_card_beyond_the_sixth(index: int) -> None:
    with pytest.raises(Refused) as refused:
        possible_outcomes({index: Rank.ACE})
    assert refused.value.reason is Reason.CARD_OUT_OF_PLACE


@rulings("EST-3", "REJ-7")
@rulebook({"commission": ["5.4.1", "5.4.2"], "wu-song": ["5.4.1", "5.4.2"]}, by=Available.established)
@settings(max_examples=400)
@given(st.dictionaries(st.integers(1, 6), st.sampled_from(Rank), max_size=6))
def test_5_4_an_outcome_is_established_exactly_when_both_first_cards_of_a_hand_are_exposed(
    exposed: dict[int, Rank],
) -> None:
    a_hand_is_open = {1, 3} <= set(exposed) or {2, 4} <= set(exposed)
    for key, layout in LAYOUTS:
        assert bets_of(key, layout).established(possible(exposed)) is a_hand_is_open


@rulebook({"commission": ["5.4.2"], "wu-song": ["5.4.2"]}, by=Available.established)
def test_5_4_2_no_two_cards_of_different_hands_ever_establish_an_outcome() -> None:
    for player, banker in product(Rank, repeat=2):
        for places in product((1, 3), (2, 4)):
            still_possible = possible(dict(zip(places, (player, banker), strict=True)))
            assert not any(bets_of(key, layout).established(still_possible) for key, layout in LAYOUTS)


@rulebook({"commission": ["5.4.1", "5.4.2"], "wu-song": ["5.4.1", "5.4.2"]}, by=[is_established, standings])
@pytest.mark.parametrize(("key", "layout"), LAYOUTS)
def test_5_4_asking_for_a_game_and_a_layout_gives_the_same_answers(key: str, layout: str) -> None:
    game, felt = pb.game(key), pb.game(key).layout(layout)
    for cards in ("", "5 x", "5 x 5", "x 6 x K", "6 6 K K", "2 2 2 3 4"):
        assert standings(game, felt, shown(cards)) == standing(key, layout, cards)
        assert is_established(game, felt, shown(cards)) is established(key, layout, cards)


@pytest.mark.parametrize("key", ["commission", "wu-song"])
def test_5_4_its_three_paragraphs_are_cited_by_both_documents_alike(key: str) -> None:
    found = pb.game(key).irregularities.interruption
    assert found is not None
    assert (found.rule, found.established, found.not_established) == ("5.4", "5.4.1", "5.4.2")
