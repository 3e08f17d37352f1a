"""Where the five documents use different words or numbers for the same thing, the same comes out.

The drawing table below was written down from the printed page a second time, on purpose: nothing here reads ours.
"""

from collections.abc import Sequence
from itertools import product

import pytest

from puntobanco.rules.cards import Card, Rank
from puntobanco.rules.coup import Coup, Hand, deal
from puntobanco.rules.explanation import ExplanationStep, explain
from puntobanco.rules.library import GAMES, game
from puntobanco.rules.outcome import Side
from puntobanco.rules.tableau import TABLE_OF_PLAY, TableOfPlay
from tests.marks import rulebook, rulings

Paragraphs = dict[str, Sequence[str]]

THIRD_CARDS: Paragraphs = {
    "commission": ["3.11"],
    "non-commission-etg": ["3.5"],
    "super-six": ["3.5"],
    "insurance": ["3.6"],
    "wu-song": ["3.11"],
}
PRINTED_TABLE: Paragraphs = {
    "commission": ["3.12"],
    "non-commission-etg": ["3.6"],
    "super-six": ["3.6"],
    "insurance": ["3.7"],
    "wu-song": ["3.12"],
}
BOTH: Paragraphs = {key: [*THIRD_CARDS[key], *PRINTED_TABLE[key]] for key in GAMES}
VALUES: Paragraphs = {
    "commission": ["1.14", "3.2", "3.2.1", "3.2.2", "3.2.3"],
    "non-commission-etg": ["3.7"],
    "super-six": ["3.7"],
    "insurance": ["3.8"],
    "wu-song": ["1.20", "3.2", "3.2.1", "3.2.2", "3.2.3"],
}

TOTALS = range(10)

# ---- the printed page, a second time -----------------------------------------------------------------------------

PLAYER_DRAWS = (0, 1, 2, 3, 4, 5)
PLAYER_STANDS = (6, 7)
NATURAL = (8, 9)

BANKER_AGAINST_A_THIRD_CARD = {
    # Banker: draws against, does not draw against
    0: ((0, 1, 2, 3, 4, 5, 6, 7, 8, 9), ()),
    1: ((0, 1, 2, 3, 4, 5, 6, 7, 8, 9), ()),
    2: ((0, 1, 2, 3, 4, 5, 6, 7, 8, 9), ()),
    3: ((0, 1, 2, 3, 4, 5, 6, 7, 9), (8,)),
    4: ((2, 3, 4, 5, 6, 7), (0, 1, 8, 9)),
    5: ((4, 5, 6, 7), (0, 1, 2, 3, 8, 9)),
    6: ((6, 7), (0, 1, 2, 3, 4, 5, 8, 9)),
    7: ((), (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)),
}

# where the Player took no third card: what the sentence of each family of documents says, by Banker total
LONG_SENTENCE = dict.fromkeys((0, 1, 2, 3, 4, 5), True) | dict.fromkeys((6, 7, 8, 9), False)
SHORT_SENTENCE = dict.fromkeys((0, 1, 2, 3, 4, 5), True) | {6: False}

# what each family of documents counts a card as
LONG_VALUE = dict(zip(Rank, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0), strict=True))
SHORT_VALUE = dict(zip(Rank, (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))


def player_draws(player: int, banker: int) -> bool:
    return player in PLAYER_DRAWS and banker not in NATURAL


def banker_draws(player: int, banker: int, third: int | None) -> bool:
    if player in NATURAL or banker in NATURAL:
        return False
    if third is None:
        return LONG_SENTENCE[banker]
    return third in BANKER_AGAINST_A_THIRD_CARD[banker][0]


def card(points: int) -> Card:
    return Card(Rank(points) if points else Rank.QUEEN)


def dealt(player: int, banker: int, *thirds: int) -> Coup:
    """Two-card totals and what was drawn to them."""
    return deal([card(0), card(0), card(player), card(banker), *map(card, thirds)])


def test_the_second_transcription_leaves_no_third_card_out_and_counts_none_twice() -> None:
    assert sorted(PLAYER_DRAWS + PLAYER_STANDS + NATURAL) == list(TOTALS)
    for draws, stands in BANKER_AGAINST_A_THIRD_CARD.values():
        assert sorted(draws + stands) == list(TOTALS)


# ---- what cards count --------------------------------------------------------------------------------------------


@rulebook(VALUES, by=Rank.points)
@pytest.mark.parametrize("rank", Rank)
def test_3_2_and_3_7_every_rank_counts_the_same_whichever_text_is_read(rank: Rank) -> None:
    assert rank.points == LONG_VALUE[rank] % 10 == SHORT_VALUE[rank]


@rulings("CRD-1")
@rulebook(VALUES, by=Hand.points)
def test_1_14_and_3_7_every_hand_of_two_or_three_cards_has_one_total_whichever_text_is_read() -> None:
    for ranks in [*product(Rank, repeat=2), *product(Rank, repeat=3)]:
        last_digit = int(str(sum(LONG_VALUE[rank] for rank in ranks))[-1])
        less_the_tens = sum(SHORT_VALUE[rank] for rank in ranks)
        while less_the_tens > 9:
            less_the_tens -= 10
        assert Hand(tuple(map(Card, ranks))).points == last_digit == less_the_tens, ranks


# ---- who draws ---------------------------------------------------------------------------------------------------


@rulebook(BOTH, by=(TableOfPlay.player_draws, TableOfPlay.banker_draws))
def test_3_12_and_3_6_every_cell_is_as_printed() -> None:
    cells = list(product(TOTALS, TOTALS, [None, *TOTALS]))
    assert len(cells) == 1_100
    for player, banker, third in cells:
        assert TABLE_OF_PLAY.player_draws(player, banker) is player_draws(player, banker), (player, banker)
        expected = banker_draws(player, banker, third)
        assert TABLE_OF_PLAY.banker_draws(player, banker, third) is expected, (player, banker, third)


@rulings("CRD-2")
@rulebook(BOTH, by=Coup.due)
@pytest.mark.parametrize("player", TOTALS)
def test_3_12_and_3_6_every_deal_draws_as_printed(player: int) -> None:
    for banker in TOTALS:
        coup = dealt(player, banker)
        if not player_draws(player, banker):
            assert coup.due is (Side.BANKER if banker_draws(player, banker, None) else None), (player, banker)
            continue
        assert coup.due is Side.PLAYER, (player, banker)
        for third in TOTALS:
            due = dealt(player, banker, third).due
            assert due is (Side.BANKER if banker_draws(player, banker, third) else None), (player, banker, third)
            if due is Side.BANKER:
                assert dealt(player, banker, third, 0).is_complete


@rulings("CRD-3")
@rulebook(THIRD_CARDS, by=Coup.due)
@pytest.mark.parametrize("player", PLAYER_STANDS)
def test_3_11_and_3_5_a_player_who_stands_leaves_the_banker_the_same_draws_in_both_texts(player: int) -> None:
    for banker in TOTALS:
        short = SHORT_SENTENCE.get(banker)
        if (
            short is None
        ):  # the short sentence stops at 6; the printed table says the rest: 7 stands, 8 and 9 are naturals
            short = banker_draws(player, banker, third=0)
        assert short == LONG_SENTENCE[banker]
        assert dealt(player, banker).due is (Side.BANKER if short else None), (player, banker)


@rulings("CRD-8")
@rulebook(BOTH, by=explain)
@pytest.mark.parametrize("key", GAMES)
def test_3_12_and_3_6_every_game_draws_by_the_printed_table_and_cites_its_own_paragraphs(key: str) -> None:
    (sentence,), (table,) = THIRD_CARDS[key], PRINTED_TABLE[key]
    for player, banker in product(TOTALS, TOTALS):
        natural = player in NATURAL or banker in NATURAL
        steps = {it.step: it.rule for it in explain(game(key), dealt(player, banker))}
        assert (ExplanationStep.NATURAL in steps) is natural
        assert steps.get(ExplanationStep.PLAYER_DRAWS) == (table if player_draws(player, banker) else None)
        assert steps.get(ExplanationStep.PLAYER_STANDS) == (table if player in PLAYER_STANDS and not natural else None)
        if player in PLAYER_STANDS and banker <= 6:
            expected = (
                ExplanationStep.BANKER_DRAWS if banker_draws(player, banker, None) else ExplanationStep.BANKER_STANDS
            )
            assert {step: rule for step, rule in steps.items() if step.startswith("banker")} == {expected: sentence}
        for third in TOTALS if player_draws(player, banker) else ():
            said = [(it.step, it.rule) for it in explain(game(key), dealt(player, banker, third))]
            drew = banker_draws(player, banker, third)
            expected = ExplanationStep.BANKER_DRAWS_AGAINST if drew else ExplanationStep.BANKER_STANDS_AGAINST
            assert [it for it in said if it[0].startswith("banker")] == [(expected, table)], (player, banker, third)


@pytest.mark.parametrize("key", GAMES)
def test_every_game_file_gives_these_numbers_to_the_sentence_and_to_the_table(key: str) -> None:
    played = game(key).round
    assert [played.third_cards] == THIRD_CARDS[key]
    assert [played.table_of_play] == PRINTED_TABLE[key]
    assert {played.total, *played.values} <= set(VALUES[key])
