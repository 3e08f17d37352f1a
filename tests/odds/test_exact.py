"""Exact odds agree with the rules, with independent programs, and with every figure that was ever published."""

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puntobanco.odds import exact, pricing, tables
from puntobanco.odds.exact import Law, law
from puntobanco.odds.pricing import dot, menu, price
from puntobanco.odds.shoe import MOST_CARDS, Shoe, read_shoe
from puntobanco.rules import library
from puntobanco.rules.cards import Rank, read_card
from puntobanco.rules.outcome import Outcome, Winner, reachable
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.tableau import TABLE_OF_PLAY
from tests.golden import exact as plain
from tests.marks import rulings
from tests.odds.brute import chances

FIGURES = tomllib.loads((Path(plain.__file__).parent / "figures.toml").read_text())


def small_shoes(least: int, most: int) -> st.SearchStrategy[Shoe]:
    return st.lists(st.sampled_from(list(Rank)), min_size=least, max_size=most).map(
        lambda ranks: Shoe(tuple(ranks.count(rank) for rank in Rank))
    )


def shoes(most: int) -> st.SearchStrategy[Shoe]:
    return st.tuples(*[st.integers(0, most)] * 13).map(Shoe)


# ---- the tables the kernels index --------------------------------------------------------------------------------


def test_the_kernels_tables_are_the_rules() -> None:
    table = TABLE_OF_PLAY
    for player in range(10):
        for banker in range(10):
            draws = table.player_draws(player, banker)
            assert tables.player_draws()[player, banker] == draws
            alone = not draws and table.banker_draws(player, banker, None)
            assert tables.banker_draws_alone()[player, banker] == alone
            for third in range(10):
                if draws:
                    assert tables.banker_draws()[third, banker] == table.banker_draws(player, banker, third)


def test_every_reachable_outcome_has_a_cell_of_its_own() -> None:
    cells = tables.cell_of_outcome()
    assert len(set(cells.tolist())) == len(reachable()) == len(cells)
    assert 0 <= cells.min() <= cells.max() < tables.CELLS


# ---- the law -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decks", [1, 4, 6, 8, 10])
def test_the_joint_law_of_a_full_shoe_is_that_of_an_independent_program(decks: int) -> None:
    found, counted = law(Shoe.of(decks)), plain.distribution(decks)
    assert found.total == plain.total(decks)
    assert {outcome: int(ways) for outcome, ways in zip(found.outcomes, found.ways, strict=True) if ways} == {
        outcome: ways for outcome, ways in counted.items() if ways
    }
    assert found.void == 0


@pytest.mark.parametrize("decks", ["6", "8", "10"])
def test_published_counts(decks: str) -> None:
    published, found = FIGURES["counts"][decks], law(Shoe.of(int(decks)))
    won = {winner: _ways(found, winner) for winner in Winner}
    for winner in Winner:
        assert won[winner] == published[winner]
    if "total" in published:
        assert found.total == published["total"]


def _ways(found: Law, winner: Winner) -> int:
    return sum(int(way) for outcome, way in zip(found.outcomes, found.ways, strict=True) if outcome.winner is winner)


@settings(max_examples=40, deadline=None)
@given(shoe=small_shoes(0, 7))
def test_small_shoes_to_the_last_card_are_those_of_dealing_by_the_rules(shoe: Shoe) -> None:
    found, dealt = law(shoe), chances(shoe)
    assert Fraction(found.void, found.total) == dealt.get(None, 0)
    for outcome, ways in zip(found.outcomes, found.ways, strict=True):
        assert Fraction(int(ways), found.total) == dealt.get(outcome, 0)


# ---- cards that are known before they are drawn ------------------------------------------------------------------


@rulings("REC-22")
@settings(max_examples=60, deadline=None)
@given(
    shoe=small_shoes(0, 6),
    known=st.dictionaries(st.integers(1, 6), st.sampled_from(list(Rank)), max_size=6),
    most=st.integers(3, 6),
)
def test_known_cards_keep_their_places_as_in_dealing_by_the_rules(
    shoe: Shoe, known: dict[int, Rank], most: int
) -> None:
    found, dealt = law(shoe, known, most), chances(shoe, None, known, most)
    assert Fraction(found.void, found.total) == dealt.get(None, 0)
    for outcome, ways in zip(found.outcomes, found.ways, strict=True):
        assert Fraction(int(ways), found.total) == dealt.get(outcome, 0)


@pytest.mark.parametrize("draw", range(1, 7))
def test_over_every_card_a_known_draw_may_be_the_law_is_that_of_the_shoe(draw: int) -> None:
    shoe = read_shoe("A=3,2=31,3=7,4=12,5=1,6=9,7=30,8=2,9=14,10=20,J=5,Q=11,K=32")
    whole, mixed = law(shoe), [Fraction(0)] * len(reachable())
    for rank, count in zip(Rank, shoe.ranks, strict=True):
        one = law(shoe.without([rank]), {draw: rank})
        for place, ways in enumerate(one.ways):
            mixed[place] += Fraction(count * int(ways), shoe.cards * one.total)
    assert mixed == [Fraction(int(ways), whole.total) for ways in whole.ways]


@rulings("REC-6")
@pytest.mark.parametrize("card", FIGURES["known"]["8"])
def test_the_worth_of_bets_with_the_first_card_known_is_the_published_one(card: str) -> None:
    """Of a carried-over card in a full shoe of eight decks: why the Shift Manager must be told of it."""
    known = {1: read_card(card).rank}
    found = price(library.game("commission"), Shoe.of(8).without(known.values()), known=known)
    for bet, percent in FIGURES["known"]["8"][card].items():
        assert round(-100 * found[bet].house_edge, len(percent.partition(".")[2])) == Fraction(percent)


def test_a_shoe_too_large_to_count_with_known_cards_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        law(Shoe.of(200), {1: Rank.NINE})
    assert refused.value.refusal.reason is Reason.SHOE_COUNT_WRONG


@settings(max_examples=30, deadline=None)
@given(shoe=st.one_of(shoes(5), shoes(40), small_shoes(1, 12)))
def test_burning_a_card_unseen_changes_nothing_exactly(shoe: Shoe) -> None:
    if shoe.cards == 0:
        return
    whole = law(shoe)
    mixed = [Fraction(0)] * (len(reachable()) + 1)
    for rank, count in zip(Rank, shoe.ranks, strict=True):
        if count:
            burnt = law(shoe.without([rank]))
            weight = Fraction(count, shoe.cards * burnt.total)
            for place, ways in enumerate([*burnt.ways, burnt.void]):
                mixed[place] += weight * int(ways)
    if shoe.cards > 6:
        assert mixed == [Fraction(int(ways), whole.total) for ways in [*whole.ways, whole.void]]
    else:
        assert sum(mixed) == 1, "with a card less some deals run out that did not"


@pytest.mark.parametrize("shoe", [Shoe.of(9), Shoe.of(27), Shoe.of(28), Shoe.of(100), Shoe((3_800,) * 13)])
def test_shoes_too_large_for_64_bits_are_exact_too(shoe: Shoe) -> None:
    whole, mixed = law(shoe), [Fraction(0)] * len(reachable())
    for rank, count in zip(Rank, shoe.ranks, strict=True):
        burnt = law(shoe.without([rank]))
        weight = Fraction(count, shoe.cards * burnt.total)
        mixed = [before + weight * int(ways) for before, ways in zip(mixed, burnt.ways, strict=True)]
    assert mixed == [Fraction(int(ways), whole.total) for ways in whole.ways]
    assert whole.void == 0


def test_the_points_alone_are_the_law_with_pairs_added_up() -> None:
    for shoe in (Shoe.of(8), Shoe.of(10), Shoe.of(1).without([Rank.ACE] * 4), Shoe((1, 0, 0, 0, 3) + (0,) * 8)):
        found, alone = law(shoe), exact.points(shoe)
        added = np.zeros((2, 2, 10, 10), np.int64)
        for outcome, ways in zip(found.outcomes, found.ways, strict=True):
            place = (outcome.player_cards - 2, outcome.banker_cards - 2, outcome.player_points, outcome.banker_points)
            added[place] += int(ways)
        assert (added == alone).all()
    assert exact.points(Shoe((1,) + (0,) * 12)).sum() == 0


def test_a_probability_can_be_asked_for_by_outcome() -> None:
    nine_all = Outcome(9, 9, 2, 2, False, False)
    assert 0 < law(Shoe.of(8)).probability(nine_all) < 1


# ---- shoes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Reason.NOT_A_SHOE),
        ("A=1,,2=1", Reason.NOT_A_SHOE),
        ("1=4", Reason.NOT_A_SHOE),
        ("A:4", Reason.NOT_A_SHOE),
        ("A=-1", Reason.SHOE_COUNT_WRONG),
        ("A=1.5", Reason.SHOE_COUNT_WRONG),
        ("A=9999999", Reason.SHOE_COUNT_WRONG),
        (f"A={MOST_CARDS},2=1", Reason.SHOE_COUNT_WRONG),
        ("A=３", Reason.SHOE_COUNT_WRONG),
        ("A=1,A=2", Reason.RANK_TWICE),
        ("T=1,10=2", Reason.RANK_TWICE),
    ],
)
def test_what_is_no_shoe_is_refused(text: str, reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        read_shoe(text)
    assert refused.value.reason is reason
    for language in library.LANGUAGES:
        assert library.sentences(language).refusal(refused.value)


def test_a_shoe_reads_as_it_is_written() -> None:
    shoe = Shoe.of(8).without([Rank.ACE, Rank.KING, Rank.KING])
    assert read_shoe(str(shoe)) == shoe
    with pytest.raises(Refused) as refused:
        Shoe((0,) * 13).without([Rank.ACE])
    assert refused.value.reason is Reason.SHOE_HAS_NONE
    with pytest.raises(Refused):
        Shoe((1, 2))
    with pytest.raises(Refused):
        Shoe((-1,) + (0,) * 12)


# ---- prices ------------------------------------------------------------------------------------------------------


def _published() -> Iterator[tuple[int, str, str | None, str, str]]:
    for decks, edges in FIGURES["edge"].items():
        for name, percent in edges.items():
            game, layout, bet = name.split("/")
            yield int(decks), game, layout or None, bet, percent


@pytest.mark.parametrize(("decks", "game", "layout", "bet", "percent"), list(_published()))
def test_published_house_edges(decks: int, game: str, layout: str | None, bet: str, percent: str) -> None:
    rules = library.game(game)
    found = price(rules, Shoe.of(decks), rules.layout(layout))[bet].house_edge
    digits = len(percent.partition(".")[2])
    assert round(float(found) * 100, digits) == float(percent)


@pytest.mark.parametrize("key", library.GAMES)
def test_every_bet_of_every_layout_has_a_whole_price_on_every_permitted_shoe(key: str) -> None:
    game = library.game(key)
    for layout in game.layouts or (None,):
        for decks in range(game.decks.least, game.decks.most + 1):
            for bet, one in price(game, Shoe.of(decks), layout).bets.items():
                assert one.win + one.push + one.lose + one.void == 1
                assert one.house_edge > 0, bet
                assert one.return_to_player == 1 - one.house_edge
                assert one.house_edge_resolved * (one.win + one.lose) == one.house_edge
                assert one.stdev > 0


def test_a_price_is_what_settlement_pays_over_all_deals() -> None:
    game = library.game("wu-song")
    for layout in game.layouts:
        prices, counted = price(game, Shoe.of(8), layout), plain.distribution(8)
        for bet in game.menu(layout):
            assert prices[bet.key].house_edge == -plain.net(bet, counted) / plain.total(8)


def test_a_void_deal_returns_the_stake() -> None:
    game = library.game("commission")
    prices = price(game, Shoe((0,) * 12 + (4,)))
    assert prices["tie"].void == 1, "four kings, nought each: the Player is due a fifth card"
    assert prices["tie"].house_edge == 0
    assert prices["tie"].house_edge_resolved == 0


def test_variance_and_correlation_are_those_of_the_outcomes() -> None:
    prices = price(library.game("commission"), Shoe.of(8))
    player, banker = prices["player"], prices["banker"]
    assert player.variance == player.win + player.lose - player.house_edge**2
    places = list(prices.bets)
    correlation = prices.correlation
    assert correlation.shape == (5, 5)
    assert np.allclose(np.diag(correlation), 1)
    assert np.allclose(correlation, correlation.T)
    assert correlation[places.index("player"), places.index("banker")] < -0.99
    assert prices.covariance[0][0] == player.variance
    assert prices.covariance[1][1] == banker.variance
    assert "House edge" in prices._repr_html_()


def test_dot_products_are_exact_however_large() -> None:
    rows = np.array([[3000, -20], [1, 1]], np.int64)
    ways = np.array([2**62, 2**62 - 1], np.int64)
    assert dot(rows, ways) == [3000 * 2**62 - 20 * (2**62 - 1), 2**63 - 1]
    assert dot(rows, [2**80, 7]) == [3000 * 2**80 - 140, 2**80 + 7]


def test_a_menu_is_compiled_once_for_each_content() -> None:
    game = library.game("super-six")
    assert menu(game, game.layout("A")) is menu(game, game.layout("A"))
    assert "banker_insurance" not in menu(library.game("insurance"), library.game("insurance").layout("A")).at


def test_a_game_with_strange_odds_has_exact_variances_too() -> None:
    rows = np.array([[10**9, -(10**9)], [1, 1]], np.int64)
    ways = np.array([2**52, 2**52 - 1], np.int64)
    assert dot(rows, ways) == [10**9, 2**53 - 1]
    squared = pricing._product(rows * 10, rows * 10)
    assert dot(squared, ways)[0] == 10**20 * (2**53 - 1)


def test_a_shoe_too_large_for_points_alone_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        exact.points(Shoe.of(40))
    assert refused.value.reason is Reason.SHOE_COUNT_WRONG
