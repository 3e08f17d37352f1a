"""What the three short documents share: Non-Commission ETG, Super Six, Insurance."""

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

import pytest

from puntobanco.house.shoes.shuffle import cards_of
from puntobanco.rules import library
from puntobanco.rules.cards import Card, Rank, Suit, check_copies, read_card, read_cards
from puntobanco.rules.coup import FIRST_FOUR, Coup, Hand, deal
from puntobanco.rules.explanation import ExplanationStep, explain
from puntobanco.rules.game import Decks, Game
from puntobanco.rules.library import ParagraphKind, ParagraphMode, game
from puntobanco.rules.money import read_money, write_money
from puntobanco.rules.outcome import Outcome, Side, Winner
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import settle
from puntobanco.rules.slip import settle_slip
from puntobanco.rules.tableau import TABLE_OF_PLAY, TableOfPlay
from tests.marks import rulebook, rulings

SHORT = ("non-commission-etg", "super-six", "insurance")

Paragraphs = dict[str, Sequence[str]]

SINGAPORE = timezone(timedelta(hours=8))

VALUES_AND_WINNER: Paragraphs = {"non-commission-etg": ["3.7"], "super-six": ["3.7"], "insurance": ["3.8"]}
THIRD_CARDS: Paragraphs = {
    "non-commission-etg": ["3.5", "3.6"],
    "super-six": ["3.5", "3.6"],
    "insurance": ["3.6", "3.7"],
}

PARAGRAPHS = {
    "non-commission-etg": """
        Title | 1-TableOfPlay | 1-House | 1-Natural | 1-NonCommission | 1-Pair | 1-PlayerTerminal | 1-Tie
        2.1 | 2.1.1 | 2.2 | 2.2.1
        3.1 | 3.2 | 3.3 | 3.4 | 3.5 | 3.6 | 3.7 | 3.8
        4.1 | 4.1.1
        5.1 | 5.1.1 | 5.1.2 | 5.1.3
    """,
    "super-six": """
        Title | 1-TableOfPlay | 1-House | 1-Natural | 1-NonCommission | 1-Pair | 1-SuperSix | 1-Tie
        2.1 | 2.1.1 | 2.1.2 | 2.1.3 | 2.2 | 2.2.1
        3.1 | 3.2 | 3.3 | 3.4 | 3.5 | 3.6 | 3.7 | 3.8
        4.1 | 4.1.1
        5.1 | 5.1.1 | 5.1.2 | 5.1.3 | 5.2 | 5.3
        App. A | App. B | App. C | App. D | App. E | App. F
    """,
    "insurance": """
        Title | 1-Insurance | 1-TableOfPlay | 1-House | 1-Natural | 1-Pair | 1-Tie
        2.1 | 2.1.1 | 2.1.2 | 2.1.3 | 2.2 | 2.2.1
        3.1 | 3.2 | 3.3 | 3.4 | 3.5 | 3.5.1 | 3.5.2 | 3.6 | 3.7 | 3.8 | 3.9
        4.1 | 4.1.1 | 4.1.2 | 4.1.3 | 4.1.4 | 4.1.5
        5.1 | 5.1.1 | 5.1.2 | 5.1.3 | 5.2 | 5.3
        App. A | App. B | App. C | App. D | App. E | App. F | App. G
    """,
}


def everywhere(*paragraphs: str) -> Paragraphs:
    return dict.fromkeys(SHORT, paragraphs)


def net(key: str, cards: str, stakes: dict[str, str]) -> dict[str, str]:
    """What each stake won or lost, in dollars."""
    found = game(key)
    slip = settle_slip(found, found.layout(), deal(read_cards(cards)), {k: read_money(v) for k, v in stakes.items()})
    return {name: write_money(settled.profit) for name, settled in slip.bets.items()}


# ---- the documents themselves ------------------------------------------------------------------------------------


@rulings("DOC-2", "DOC-3")
@rulebook(everywhere("Title"), by=Game)
@pytest.mark.parametrize(
    ("key", "title", "version", "effective"),
    [
        (
            "non-commission-etg",
            "Non-Commission Baccarat (Electronic Table Game)",
            4,
            datetime(2016, 5, 12, 23, 59, tzinfo=SINGAPORE),
        ),
        ("super-six", "Non-Commission Baccarat with Super Six", 3, None),
        ("insurance", "Commission Baccarat with Insurance", 4, datetime(2013, 10, 22, tzinfo=SINGAPORE)),
    ],
)
def test_title_name_version_and_the_moment_it_comes_into_force(
    key: str, title: str, version: int, effective: datetime | None
) -> None:
    found = game(key)
    assert (found.key, found.title.en, found.version) == (key, title, version)
    assert found.effective == effective
    assert found.effective is None or found.effective.utcoffset() == timedelta(hours=8)
    assert found.approved == "Title"
    assert f"Version {version}" in found.document


@rulings("DOC-4")
@pytest.mark.parametrize("key", SHORT)
def test_every_paragraph_of_the_document_is_listed_in_its_order_and_no_other(key: str) -> None:
    expected = [one.strip() for line in PARAGRAPHS[key].strip().splitlines() for one in line.split("|")]
    assert list(library.rulebook(key)) == expected


@pytest.mark.parametrize("key", SHORT)
def test_2_1_2_2_and_4_1_are_headings_and_nothing_else_is(key: str) -> None:
    headings = [rule for rule, one in library.rulebook(key).items() if ParagraphKind.HEADING in one.kind]
    assert headings == ["2.1", "2.2", "4.1"]
    assert all(library.rulebook(key)[rule].mode == () for rule in headings)


@rulebook(everywhere("1-House"), by=library.rulebook)
@pytest.mark.parametrize("key", SHORT)
def test_1_house_is_a_word_and_asks_nothing_of_the_software(key: str) -> None:
    book = library.rulebook(key)
    assert book["1-House"].kind == (ParagraphKind.DEFINITION,)
    assert [rule for rule, one in book.items() if ParagraphMode.INFORMATIONAL in one.mode] == ["1-House"]


# ---- 1. definitions ----------------------------------------------------------------------------------------------


@rulebook(everywhere("1-TableOfPlay"), by=Coup.draw)
@pytest.mark.parametrize(
    ("cards", "to"),
    [
        ("9 7 K T", "PBPB"),  # a natural
        ("2 3 4 3", "PBPB"),  # both stand
        ("K 2 5 2 K", "PBPBP"),  # only the Player draws
        ("3 2 4 3 4", "PBPBB"),  # only the Banker draws
        ("2 4 3 2 6 9", "PBPBPB"),  # both draw
    ],
)
def test_1_table_of_play_alone_says_where_a_card_goes_and_when_the_drawing_ends(cards: str, to: str) -> None:
    *before, last = read_cards(cards)
    assert not deal(before).is_complete
    coup = deal(before).draw(last)
    assert coup.sides == tuple({"P": Side.PLAYER, "B": Side.BANKER}[side] for side in to)
    with pytest.raises(Refused) as refused:
        coup.draw(Card(Rank.ACE))
    assert refused.value.reason is Reason.HAND_COMPLETE


@rulebook(everywhere("1-Natural"), by=(TableOfPlay.is_natural, Outcome.natural))
@pytest.mark.parametrize(
    ("cards", "natural"),
    [
        ("9 7 K T", True),  # the Player's nine
        ("2 4 3 4", True),  # the Banker's eight
        ("4 3 5 6", True),  # both
        ("K 3 6 4", False),  # 6 against 7: both merely stand
        ("K K 5 4 4 4", False),  # 9 against 8, with three cards each
        ("K 3 Q 4 9", False),  # 9 on the Player's third card
    ],
)
def test_1_natural_is_eight_or_nine_on_the_first_two_cards_of_either_hand(cards: str, natural: bool) -> None:
    coup = deal(read_cards(cards))
    first_four = deal(coup.cards[:4])
    assert TABLE_OF_PLAY.is_natural(first_four.player.points, first_four.banker.points) is natural
    assert coup.outcome.natural is natural
    assert first_four.is_complete or not natural


@rulebook(everywhere("1-Pair"), by=(Hand.is_pair, settle))
@pytest.mark.parametrize("key", SHORT)
@pytest.mark.parametrize(
    ("cards", "player_pair", "banker_pair"),
    [
        ("10S 6 10S A 5", True, False),
        ("KS 6 KD A 5", True, False),
        ("T 6 K A 5", False, False),  # equal value is not equal rank
        ("2 8S 4 8C", False, True),
        ("2 3 2 3 K", True, True),
        ("2 K 3 3 3 3", False, False),  # the third card makes no pair
    ],
)
def test_1_pair_is_the_first_two_cards_of_one_rank(key: str, cards: str, player_pair: bool, banker_pair: bool) -> None:
    won = {True: "110.00", False: "-10.00"}
    stakes = {"player_pair": "10", "banker_pair": "10"}
    assert net(key, cards, stakes) == {"player_pair": won[player_pair], "banker_pair": won[banker_pair]}


@rulebook(everywhere("1-Tie"), by=Outcome.winner)
@pytest.mark.parametrize("key", SHORT)
def test_1_tie_is_equal_points_however_many_cards(key: str) -> None:
    for points in range(10):
        assert Outcome(points, points, 2, 3, False, False).winner is Winner.TIE
    for cards in ("2 3 4 3", "2 K 3 3 8", "3 2 4 3 2", "K K 5 4 4 5"):
        assert net(key, cards, {"tie": "100"}) == {"tie": "800.00"}


# ---- 2. the cards ------------------------------------------------------------------------------------------------


@rulebook(everywhere("2.2.1"), by=(Decks.check, check_copies, cards_of))
@pytest.mark.parametrize("key", SHORT)
def test_2_2_1_four_to_eight_decks_of_52_cards(key: str) -> None:
    decks = game(key).decks
    for number in (4, 5, 6, 7, 8):
        assert decks.check(number) == number
        cards = cards_of(number)
        assert len(cards) == 52 * number
        assert all(cards.count(Card(rank, suit)) == number for rank in Rank for suit in Suit)
    for number in (-4, 0, 3, 9, 10):
        with pytest.raises(Refused) as refused:
            decks.check(number)
        assert (refused.value.reason, refused.value.paragraph) == (Reason.DECKS_OUT_OF_RANGE, "2.2.1")


@rulebook(everywhere("2.2.1"), by=check_copies)
@pytest.mark.parametrize("key", SHORT)
def test_2_2_1_no_card_is_dealt_more_often_than_the_decks_hold_it(key: str) -> None:
    spade, any_ace, rule = read_card("AS"), read_card("A"), game(key).decks.rule
    check_copies((spade,) * 4, 4, rule)
    check_copies((any_ace,) * 16, 4, rule)
    for cards in ((spade,) * 5, (any_ace,) * 17):
        with pytest.raises(Refused) as refused:
            check_copies(cards, 4, rule)
        assert (refused.value.reason, refused.value.paragraph) == (Reason.IMPOSSIBLE_CARD, "2.2.1")


# ---- 3. how to play ----------------------------------------------------------------------------------------------


@rulebook(everywhere("3.4"), by=(deal, Coup.hand))
def test_3_4_first_and_third_to_the_player_second_and_fourth_to_the_banker() -> None:
    assert FIRST_FOUR == (Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER)
    cards = read_cards("AS 2H 3D 4C")
    for drawn in range(4):
        assert deal(cards[:drawn]).due is FIRST_FOUR[drawn]
    coup = deal(cards)
    assert coup.player.cards == (cards[0], cards[2])
    assert coup.banker.cards == (cards[1], cards[3])


@rulebook(everywhere("3.4"), by=settle)
@pytest.mark.parametrize("key", SHORT)
def test_3_4_the_first_four_cards_decide_the_pairs_whatever_is_drawn_to_them(key: str) -> None:
    stakes = {"player_pair": "10", "banker_pair": "10"}
    assert net(key, "A 5 A K 3", stakes) == {"player_pair": "110.00", "banker_pair": "-10.00"}
    assert net(key, "A 5 4 K 4 5", stakes) == {"player_pair": "-10.00", "banker_pair": "-10.00"}


@rulebook(VALUES_AND_WINNER, by=(Rank.points, Hand.points))
def test_3_7_and_3_8_tens_and_court_cards_count_nothing_an_ace_one_the_rest_their_face() -> None:
    assert [Rank[name].points for name in ("TEN", "JACK", "QUEEN", "KING")] == [0, 0, 0, 0]
    assert Rank.ACE.points == 1
    assert [Rank(face).points for face in range(2, 10)] == list(range(2, 10))
    for cards, points in {"T J Q": 0, "9 9": 8, "5 5": 0, "9 9 9": 7, "A K 8": 9, "6 7 8": 1}.items():
        assert Hand(read_cards(cards)).points == points


@rulebook(VALUES_AND_WINNER, by=Outcome.winner)
def test_3_7_and_3_8_the_higher_points_win_and_nine_is_the_highest() -> None:
    ascending = list(range(10))
    for player in ascending:
        for banker in ascending:
            winner = Outcome(player, banker, 3, 3, False, False).winner
            if player != banker:
                higher_is_players = ascending.index(player) > ascending.index(banker)
                assert winner is (Winner.PLAYER if higher_is_players else Winner.BANKER)


BANKER_WINS = {"non-commission-etg": "100.00", "super-six": "100.00", "insurance": "95.00"}
BANKER_WINS_ON_SIX = {"non-commission-etg": "50.00", "super-six": "50.00", "insurance": "95.00"}


@rulebook(THIRD_CARDS, by=Coup.due)
@rulebook(VALUES_AND_WINNER, by=Coup.outcome)
@rulebook({"non-commission-etg": ["4.1.1"], "super-six": ["4.1.1"], "insurance": ["4.1.2"]}, by=settle)
@pytest.mark.parametrize("key", SHORT)
@pytest.mark.parametrize(
    ("cards", "player", "banker", "pairs"),
    [
        ("9 7 K T", 9, 7, ""),  # a natural: nobody draws
        ("2 4 3 4", 5, 8, "banker"),  # the Banker's natural stops the Player's draw on 5
        ("T 6 K A 5", 5, 7, ""),  # ten and king are no pair; the Banker stands on 7
        ("2 3 4 3", 6, 6, "banker"),  # both stand
        ("2 K 3 3 8", 3, 3, ""),  # the Banker's 3 stands against an 8 alone
        ("K 4 Q K A", 1, 4, ""),  # the Banker's 4 stands against an ace
        ("2 4 3 2 6 9", 1, 5, ""),  # the Banker's 6 draws against a 6
        ("2 4 3 2 5", 0, 6, ""),  # and stands against a 5
        ("3 2 4 3 4", 7, 9, ""),  # the Player stands on 7, the Banker draws on 5
    ],
)
def test_3_5_to_4_1_whole_rounds_from_the_first_card_to_the_last_cent(
    key: str, cards: str, player: int, banker: int, pairs: str
) -> None:
    outcome = deal(read_cards(cards)).outcome
    assert (outcome.player_points, outcome.banker_points) == (player, banker)
    banker_wins = BANKER_WINS_ON_SIX[key] if banker == 6 else BANKER_WINS[key]
    assert net(key, cards, dict.fromkeys(("player", "banker", "tie", "player_pair", "banker_pair"), "100")) == {
        "player": "100.00" if player > banker else "0.00" if player == banker else "-100.00",
        "banker": banker_wins if banker > player else "0.00" if player == banker else "-100.00",
        "tie": "800.00" if player == banker else "-100.00",
        "player_pair": "-100.00",
        "banker_pair": "1100.00" if pairs == "banker" else "-100.00",
    }


@pytest.mark.parametrize("key", SHORT)
def test_3_5_a_round_is_not_settled_before_its_last_card(key: str) -> None:
    with pytest.raises(Refused) as refused:
        net(key, "2 4 3 2 6", {"player": "100"})
    assert refused.value.reason is Reason.TOO_FEW_CARDS


@pytest.mark.parametrize(
    ("key", "third_cards", "higher_wins", "tie"),
    [
        ("non-commission-etg", "3.5", "3.7", "3.8"),
        ("super-six", "3.5", "3.7", "3.8"),
        ("insurance", "3.6", "3.8", "3.9"),
    ],
)
def test_a_round_in_words_cites_this_document_at_every_step(
    key: str, third_cards: str, higher_wins: str, tie: str
) -> None:
    def cited(cards: str, step: ExplanationStep) -> list[str]:
        return [it.rule for it in explain(game(key), deal(read_cards(cards))) if it.step is step]

    assert cited("2 4 3 2 6 9", ExplanationStep.CARD_DEALT) == ["3.4"] * 4 + [third_cards] * 2
    assert cited("9 7 K T", ExplanationStep.NATURAL) == ["1-Natural"]
    assert cited("9 7 K T", ExplanationStep.HAND_WINS) == [higher_wins]
    assert cited("2 4 3 4", ExplanationStep.HAND_WINS) == [higher_wins]
    assert cited("2 3 4 3", ExplanationStep.TIE) == [tie]


@rulings("DOC-5")
@pytest.mark.parametrize(
    ("key", "defined"),
    [
        ("non-commission-etg", {"player": "3.3", "banker": "1-NonCommission"}),
        ("super-six", {"player": "3.3", "banker": "1-NonCommission", "super_six": "1-SuperSix"}),
        (
            "insurance",
            {
                "player": "3.3",
                "banker": "3.3",
                "player_insurance": "1-Insurance",
                "banker_insurance": "1-Insurance",
            },
        ),
    ],
)
def test_every_bet_cites_the_paragraph_that_defines_it(key: str, defined: dict[str, str]) -> None:
    shared = {"tie": "1-Tie", "player_pair": "1-Pair", "banker_pair": "1-Pair"}
    assert {bet.key: bet.rule for bet in game(key).bets} == defined | shared
