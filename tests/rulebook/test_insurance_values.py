"""Insurance: what each cell of the pay table is worth on an endless deck, and what holds for any stake whatever."""

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.rules.cards import Card, Rank
from puntobanco.rules.coup import Coup, deal
from puntobanco.rules.insurance import Insured, Offer, cap, check_stake, offer, offers, settle_insurance
from puntobanco.rules.library import game
from puntobanco.rules.money import Cents
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Window
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result
from tests.marks import rulebook, rulings

INSURANCE = "insurance"
UNIT_STAKE = Cents(20)
"""The smallest chip in which everything is paid in whole cents."""

# window, insured hand, Player points, Banker points: percent of the stake, in the player's favour if positive
VALUES: list[tuple[Window, Side, str, str, list[str]]] = [
    (Window.FOUR, Side.BANKER, "01234", "5", ["0.00", "-10.65", "-15.38", "-8.28", "-1.18"]),
    (Window.FOUR, Side.BANKER, "012345", "6", ["2.37", "-10.65", "-5.92", "-1.18", "3.55", "8.28"]),
    (Window.FOUR, Side.BANKER, "012345", "7", ["-15.38"] * 6),
    (Window.FOUR, Side.PLAYER, "5", "4", ["-1.78"]),
    (Window.FOUR, Side.PLAYER, "6", "012345", ["0.00"] * 6),
    (Window.FOUR, Side.PLAYER, "7", "012345", ["-15.38"] * 6),
    (Window.FIVE, Side.BANKER, "1", "1", ["-15.38"]),
    (Window.FIVE, Side.BANKER, "1", "23456", ["-30.77"] * 5),
    (Window.FIVE, Side.BANKER, "2", "3456", ["-15.38"] * 4),
    (Window.FIVE, Side.BANKER, "3", "4", ["-34.62"]),
    (Window.FIVE, Side.PLAYER, "5", "01234", ["0.00"] * 5),
    (Window.FIVE, Side.PLAYER, "6", "012345", ["0.00"] * 6),
    (Window.FIVE, Side.PLAYER, "7", "0123456", ["-15.38"] * 7),
    (Window.FIVE, Side.PLAYER, "8", "0123456", ["-30.77"] * 7),
    (Window.FIVE, Side.PLAYER, "9", "0123456", ["-30.77"] * 7),
]
CELLS = [
    (window, insures, int(player), int(banker), value)
    for window, insures, players, bankers, values in VALUES
    for (player, banker), value in zip([(p, b) for p in players for b in bankers], values, strict=True)
]


def card(points: int) -> Card:
    return Card(Rank(points) if points else Rank.KING)


def reaching(window: Window, player: int, banker: int) -> Iterator[Coup]:
    """Every deal, up to the value of its cards, that stands at those points in that window with a card to come."""
    for first_two in (player,) if window is Window.FOUR else range(6):
        third = () if window is Window.FOUR else (card((player - first_two) % 10),)
        coup = deal([card(0), card(0), card(first_two), card(banker), *third])
        if not coup.is_complete:
            yield coup


def offered(coup: Coup) -> Offer:
    made = offer(game(INSURANCE), coup)
    assert made is not None
    return made


def worth(taken: Insured, coup: Coup) -> Fraction:
    """What the stake is expected to win if each of the thirteen ranks is as likely as any other."""
    if coup.is_complete:
        return Fraction(settle_insurance(taken, game(INSURANCE), coup.outcome).profit)
    return sum((worth(taken, coup.draw(Card(rank))) for rank in Rank), Fraction(0)) / len(Rank)


def percent(share: Fraction) -> str:
    hundredths = round(share * 10_000)
    return f"{'-' if hundredths < 0 else ''}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}"


# ---- what it is worth --------------------------------------------------------------------------------------------


@rulings("INS-13")
@rulebook({INSURANCE: ["4.1.3"]}, by=(offer, settle_insurance))
@pytest.mark.parametrize(("window", "insures", "player", "banker", "value"), CELLS)
def test_4_1_3_what_each_cell_is_worth_on_an_endless_deck(
    window: Window, insures: Side, player: int, banker: int, value: str
) -> None:
    coups = list(reaching(window, player, banker))
    assert coups
    for coup in coups:
        made = offered(coup)
        assert (made.window, made.insures) == (window, insures)
        assert percent(worth(Insured(made, UNIT_STAKE), coup) / UNIT_STAKE) == value


@rulebook({INSURANCE: ["4.1.3"]}, by=(offer, settle_insurance))
def test_4_1_3_one_against_one_is_paid_once_in_thirteen_and_returned_four_times() -> None:
    (coup, *_) = reaching(Window.FIVE, 1, 1)
    taken = Insured(offered(coup), UNIT_STAKE)
    results = [settle_insurance(taken, game(INSURANCE), coup.draw(Card(rank)).outcome).result for rank in Rank]
    assert [results.count(result) for result in (Result.WIN, Result.PUSH, Result.LOSE)] == [1, 4, 8]


@rulebook({INSURANCE: ["4.1.3"]}, by=offers)
def test_4_1_3_these_are_all_the_cells_there_are() -> None:
    assert {(made.window, made.insures, *points) for made, points in every_offer()} == {cell[:4] for cell in CELLS}
    assert len(CELLS) == 73


def every_offer() -> Iterator[tuple[Offer, tuple[int, int]]]:
    """Every offer some deal leads to, with the points it is made at."""
    for four in (deal(map(card, (0, 0, player, banker))) for player in range(10) for banker in range(10)):
        for five in [four, *(four.draw(card(third)) for third in range(10) if not four.is_complete)]:
            for made in offers(game(INSURANCE), five):
                at = deal(five.cards[: 4 if made.window is Window.FOUR else 5])
                yield made, (at.player.points, at.banker.points)


# ---- what holds for any stake ------------------------------------------------------------------------------------


@st.composite
def rounds(draw: st.DrawFn) -> Coup:
    """A complete coup that went through at least one window."""
    window, _, player, banker, _ = draw(st.sampled_from(CELLS))
    coup = draw(st.sampled_from(list(reaching(window, player, banker))))
    while not coup.is_complete:
        coup = coup.draw(card(draw(st.integers(min_value=0, max_value=9))))
    return coup


UNITS = st.sampled_from([20, 100, 500, 2_500, 10_000])
CHIPS = st.integers(min_value=1, max_value=1_000_000)
SHARES = st.lists(st.fractions(min_value=0, max_value=1), min_size=2, max_size=2)


def within(most: Cents, share: Fraction, unit: int) -> Cents:
    """A stake up to the most, in whole chips."""
    return Cents(int(most * share) // unit * unit)


@rulebook({INSURANCE: ["3.5.2"]}, by=cap)
@given(coup=rounds(), unit=UNITS, chips=CHIPS, shares=SHARES)
def test_3_5_2_no_stakes_within_the_cap_ever_pay_more_than_the_original_bet_and_one_chip_more_would(
    coup: Coup, unit: int, chips: int, shares: list[Fraction]
) -> None:
    original = chips * unit
    for side in Side:
        earlier: list[Insured] = []
        for made, share in zip(offers(game(INSURANCE), coup), shares, strict=False):
            if made.insures is not side:
                continue
            most = cap(made, original=original, unit=unit, earlier=earlier)
            spent = sum((taken.offer.row.odds * taken.stake for taken in earlier), Fraction(0))
            assert most >= 0
            assert most % unit == 0
            assert spent + made.row.odds * most <= original < spent + made.row.odds * (most + unit)
            earlier.append(Insured(made, within(most, share, unit)))


@rulebook({INSURANCE: ["3.5.2"]}, by=(check_stake, settle_insurance))
@given(coup=rounds(), unit=UNITS, chips=CHIPS, shares=SHARES, exclusive=st.booleans())
def test_3_5_2_what_is_really_paid_on_one_hand_stays_within_the_original_bet(
    coup: Coup, unit: int, chips: int, shares: list[Fraction], exclusive: bool
) -> None:
    """With the asterisk left out of the sum too: it is never paid together with the other."""
    original, found = chips * unit, game(INSURANCE)
    for side in Side:
        earlier: list[Insured] = []
        for made, share in zip(offers(found, coup), shares, strict=False):
            if made.insures is side:
                most = cap(made, original=original, unit=unit, earlier=earlier, count_exclusive=exclusive)
                stake = within(most, share, unit)
                if not stake:
                    continue
                earlier.append(
                    check_stake(
                        made,
                        found,
                        stake,
                        original=original,
                        unit=unit,
                        earlier=earlier,
                        count_exclusive=exclusive,
                    )
                )
        profits = [settle_insurance(taken, found, coup.outcome).profit for taken in earlier]
        assert sum(profit for profit in profits if profit > 0) <= original


@rulebook({INSURANCE: ["3.5.2"]}, by=check_stake)
@given(coup=rounds(), unit=UNITS, chips=CHIPS, over=st.integers(min_value=1, max_value=1_000))
def test_3_5_2_any_chip_above_the_cap_is_refused(coup: Coup, unit: int, chips: int, over: int) -> None:
    for made in offers(game(INSURANCE), coup):
        stake = Cents(cap(made, original=chips * unit, unit=unit) + over * unit)
        with pytest.raises(Refused) as refused:
            check_stake(made, game(INSURANCE), stake, original=chips * unit, unit=unit)
        assert (refused.value.reason, refused.value.paragraph) == (Reason.OVER_CAP, "3.5.2")


@rulebook({INSURANCE: ["3.9", "4.1.3", "4.1.4"]}, by=settle_insurance)
@given(coup=rounds(), unit=UNITS, chips=CHIPS)
def test_4_1_4_what_comes_back_is_the_stake_and_the_profit_and_nothing_is_lost_on_the_way(
    coup: Coup, unit: int, chips: int
) -> None:
    stake = Cents(chips * unit)
    for made in offers(game(INSURANCE), coup):
        settled = settle_insurance(Insured(made, stake), game(INSURANCE), coup.outcome)
        assert settled.stake == stake
        assert settled.returned == stake + settled.profit
        assert settled.gross == settled.profit
        if settled.result is Result.WIN:
            assert settled.profit == made.row.odds * stake
        elif settled.result is Result.PUSH:
            assert settled.returned == stake
        else:
            assert settled.returned == 0
