"""The minimum and the Differential of the two long documents, before and after the close of betting.

A box is written as a line: `S 8000 B, T1 4000 B` is 8,000 on Banker by S, who sits at the box, and 4,000 by T1, who
does not. What plays of it is written the same way.
"""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puntobanco as pb
from puntobanco.rules.limits import (
    BoxBet,
    Effective,
    ProRata,
    TableLimits,
    differential,
    free_room,
    merged,
    pro_rata,
    reject_excess,
    under_minimum,
)
from puntobanco.rules.money import Cents, write_money
from puntobanco.rules.outcome import Side, Winner
from puntobanco.rules.procedures import Limits
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import settle
from puntobanco.rules.slip import settle_slip
from tests.marks import rulebook, rulings

LONG = ("commission", "wu-song")

SIDES = {"P": Side.PLAYER, "B": Side.BANKER}


def limits(differential: int = 10_000, minimum: int = 100) -> TableLimits:
    """In dollars; the chip unit is one dollar."""
    return TableLimits(minimum=Cents(minimum * 100), differential=Cents(differential * 100))


USUAL = limits()


def box(line: str) -> list[BoxBet]:
    bets = [bet.split() for bet in line.split(", ")]
    return [
        BoxBet(person=person, side=SIDES[side], amount=pb.money(amount), seated=person == "S")
        for person, amount, side in bets
    ]


def played(effective: Sequence[Effective]) -> str:
    letters = {side: letter for letter, side in SIDES.items()}
    return ", ".join(f"{one.bet.person} {write_money(one.plays)[:-3]} {letters[one.bet.side]}" for one in effective)


def rules(key: str) -> Limits:
    found = pb.game(key).limits
    assert found is not None
    return found


# ---- what is displayed, whose duty it is, who may use the rest ----------------------------------------------------


@rulings("LIM-21", "LIM-22")
@rulebook({"commission": ["3.4"], "wu-song": ["3.4"]}, by=TableLimits)
@pytest.mark.parametrize("key", LONG)
def test_3_4_a_table_displays_a_minimum_and_one_differential_in_whole_chips(key: str) -> None:
    shown = TableLimits(minimum=pb.money("100"), differential=pb.money("10000"), unit=pb.money("25"))
    assert (shown.minimum, shown.differential) == (100_00, 10_000_00)
    for minimum, greatest, unit in [(0, 10_000, 1), (-100, 10_000, 1), (100, -1, 1), (100, 10_000, 0)]:
        with pytest.raises(Refused) as refused:
            TableLimits(minimum=Cents(minimum * 100), differential=Cents(greatest * 100), unit=Cents(unit * 100))
        assert refused.value.reason is Reason.LIMIT_NOT_POSITIVE
    with pytest.raises(Refused) as refused:
        limits(differential=99, minimum=100)
    assert refused.value.reason is Reason.MINIMUM_OVER_DIFFERENTIAL
    for minimum, greatest in [(110, 10_000), (100, 10_010)]:
        with pytest.raises(Refused) as refused:
            TableLimits(minimum=Cents(minimum * 100), differential=Cents(greatest * 100), unit=pb.money("25"))
        assert refused.value.reason is Reason.LIMIT_NOT_IN_UNITS
    assert rules(key).displayed == "3.4"


@rulebook({"commission": ["3.5"], "wu-song": ["3.5"]}, by=[settle_slip, pro_rata])
@pytest.mark.parametrize("key", LONG)
def test_3_5_keeping_within_the_limits_is_the_players_duty_and_a_stake_that_is_none_is_refused(key: str) -> None:
    game = pb.game(key)
    assert rules(key).duty == "3.5"
    for stake in ("0", "-100", "0.50"):
        with pytest.raises(Refused) as refused:
            pb.settle(game, "9 7 K 10", {"player": pb.money(stake)})
        assert refused.value.paragraph == "3.5"
    assert pb.settle(game, "9 7 K 10", {"player": pb.money("50")}).profit == pb.money("50"), "nothing puts it right"
    assert played(pro_rata(box("S 50 P"), USUAL)) == "S 50 P"


@rulebook({"commission": ["3.6"], "wu-song": ["3.6"]}, by=free_room)
@pytest.mark.parametrize("key", LONG)
def test_3_6_whatever_is_left_of_a_boxs_limit_is_free_for_anybody(key: str) -> None:
    lying = box("S 8000 B")
    assert free_room(lying, Side.BANKER, USUAL) == pb.money("2000")
    assert free_room(lying, Side.PLAYER, USUAL) == pb.money("18000"), "the other hand first balances, then fills"
    assert free_room([], Side.PLAYER, USUAL) == pb.money("10000")
    assert free_room(box("S 12000 B"), Side.BANKER, USUAL) == 0
    assert rules(key).balance == "3.6"


@rulebook({"commission": ["3.6"], "wu-song": ["3.6"]}, by=[free_room, reject_excess])
def test_3_6_a_standing_bet_within_the_rest_stays_whole_and_one_chip_more_does_not() -> None:
    assert played(reject_excess(box("S 8000 B, T1 2000 B"), USUAL)) == "S 8000 B, T1 2000 B"
    assert played(reject_excess(box("S 8000 B, T1 2001 B"), USUAL)) == "S 8000 B, T1 2000 B"
    assert free_room(box("S 8000 B, T1 2000 B"), Side.BANKER, USUAL) == 0


# ---- 5.1: noticed before the close --------------------------------------------------------------------------------


@rulings("LIM-7")
@rulebook({"commission": ["5.1"], "wu-song": ["5.1"]}, by=reject_excess)
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize(
    ("lying", "stays"),
    [
        pytest.param("S 8000 B, T1 4000 B, T2 2000 B", "S 8000 B, T1 2000 B, T2 0 B", id="the last standing bet first"),
        pytest.param("T1 4000 B, T2 2000 B, S 8000 B", "T1 2000 B, T2 0 B, S 8000 B", id="seated last though latest"),
        pytest.param("S 12000 B, T1 5000 B", "S 10000 B, T1 0 B", id="the seated bettor only after the standing"),
        pytest.param("S 12000 B, T1 5000 P", "S 12000 B, T1 5000 P", id="balanced by the other hand"),
        pytest.param("S 12000 B, T1 6000 B, T2 5000 P", "S 12000 B, T1 3000 B, T2 5000 P", id="the lighter stays"),
        pytest.param("S 9950 B, T1 500 B", "S 9950 B, T1 0 B", id="no rest below the minimum is left"),
        pytest.param("S 9900 B, T1 500 B", "S 9900 B, T1 100 B", id="a rest of just the minimum stays"),
        pytest.param("S 10000 B", "S 10000 B", id="the limit itself is allowed"),
        pytest.param("T1 9000 P, T2 6000 P", "T1 9000 P, T2 1000 P", id="nobody seated, nobody has priority"),
        pytest.param("S 9000 B, T1 50 B, T2 4000 B", "S 9000 B, T1 50 B, T2 950 B", id="only the last is in excess"),
        pytest.param("T1 3000 B, S 4000 B, T1 1000 B, S 4000 B", "T1 2000 B, S 8000 B", id="chips of one are one bet"),
    ],
)
def test_5_1_noticed_excess_is_rejected_standing_bets_first(key: str, lying: str, stays: str) -> None:
    assert played(reject_excess(box(lying), USUAL)) == stays
    over = pb.game(key).irregularities.over_differential
    assert over is not None
    assert over.rule == "5.1"


@rulings("LIM-23")
@rulebook({"commission": ["5.1"], "wu-song": ["5.1"]}, by=[reject_excess, pro_rata])
def test_5_1_a_box_has_one_seated_bettor_at_most() -> None:
    two = [BoxBet(person=who, side=Side.BANKER, amount=pb.money("8000"), seated=True) for who in ("S", "R")]
    for cut in (reject_excess, pro_rata):
        with pytest.raises(Refused) as refused:
            cut(two, USUAL)
        assert refused.value.reason is Reason.TWO_SEATED


@rulebook({"commission": ["5.1"], "wu-song": ["5.1"]}, by=[differential, reject_excess])
def test_5_1_an_opposite_bet_ends_the_excess_before_anybody_is_cut() -> None:
    assert differential(box("S 12000 B")) > USUAL.differential
    both = box("S 12000 B, T1 5000 P")
    assert differential(both) == pb.money("7000")
    assert all(one.unplayed == 0 for one in reject_excess(both, USUAL))


# ---- 5.1.1 and 5.1.2: not rejected --------------------------------------------------------------------------------

EXAMPLES = [
    # the box, the limits, what plays when everyone is cut, what plays when the seated bettor is served first
    pytest.param("S 15000 B", USUAL, "S 10000 B", "S 10000 B", id="1"),
    pytest.param(
        "S 8000 B, T1 4000 B, T2 2000 B",
        USUAL,
        "S 5714 B, T1 2857 B, T2 1429 B",
        "S 8000 B, T1 1333 B, T2 667 B",
        id="2",
    ),
    pytest.param(
        "S 9700 B, T1 3000 B, T2 300 B",
        USUAL,
        "S 7461 B, T1 2308 B, T2 231 B",
        "S 9700 B, T1 200 B, T2 100 B",
        id="3",
    ),
    pytest.param(
        "S 12000 B, T1 6000 B, T2 5000 P",
        USUAL,
        "S 10000 B, T1 5000 B, T2 5000 P",
        "S 12000 B, T1 3000 B, T2 5000 P",
        id="4",
    ),
    pytest.param(
        "S 9000 B, T1 50 B, T2 4000 B",
        USUAL,
        "S 6888 B, T1 50 B, T2 3062 B",
        "S 9000 B, T1 50 B, T2 950 B",
        id="5",
    ),
    pytest.param(
        "S 10000 B, T1 2500 B, T2 100 B",
        USUAL,
        "S 7920 B, T1 1980 B, T2 100 B",
        "S 10000 B, T1 100 B, T2 100 B",
        id="6",
    ),
    pytest.param("T1 9000 P, T2 6000 P", USUAL, "T1 6000 P, T2 4000 P", "T1 6000 P, T2 4000 P", id="7"),
    pytest.param(
        "S 14000 B, S 2000 P, T1 1000 B",
        USUAL,
        "S 11200 B, S 2000 P, T1 800 B",
        "S 12000 B, S 2000 P, T1 100 B",
        id="8",
    ),
    pytest.param(
        "S 600 B, T1 600 B, T2 600 B",
        limits(differential=1_000, minimum=500),
        "S 500 B, T1 500 B, T2 500 B",
        "S 600 B, T1 500 B, T2 500 B",
        id="9",
    ),
]


@rulebook({"commission": ["5.1.1", "5.1.2"], "wu-song": ["5.1.1", "5.1.2"]}, by=pro_rata)
@pytest.mark.parametrize(("lying", "table", "everyone", "seated_first"), EXAMPLES)
def test_5_1_1_unrejected_excess_is_cut_pro_rata(
    lying: str, table: TableLimits, everyone: str, seated_first: str
) -> None:
    assert played(pro_rata(box(lying), table)) == everyone, "everyone on the heavier hand is cut by default"
    assert played(pro_rata(box(lying), table, ProRata.ALL_PRO_RATA)) == everyone
    assert played(pro_rata(box(lying), table, ProRata.SEATED_FIRST)) == seated_first


@rulebook({"commission": ["5.1.1"], "wu-song": ["5.1.1"]}, by=pro_rata)
@pytest.mark.parametrize("policy", ProRata)
@pytest.mark.parametrize("key", LONG)
def test_5_1_1_a_box_at_the_limit_is_not_touched_and_one_chip_over_it_is(key: str, policy: ProRata) -> None:
    assert played(pro_rata(box("S 10000 B"), USUAL, policy)) == "S 10000 B"
    assert played(pro_rata(box("S 10001 B"), USUAL, policy)) == "S 10000 B"
    assert played(pro_rata(box("T1 15000 P, S 5000 B"), USUAL, policy)) == "T1 15000 P, S 5000 B"
    over = pb.game(key).irregularities.over_differential
    assert over is not None
    assert (over.pro_rata, over.under_minimum) == ("5.1.1", "5.1.2")


@rulings("LIM-11")
@rulebook({"commission": ["5.1.1"], "wu-song": ["5.1.1"]}, by=pro_rata)
def test_5_1_1_a_chip_that_cannot_be_divided_goes_to_the_largest_remainder_and_then_to_the_earlier_bet() -> None:
    equals = "T1 5000 P, T2 5000 P, T3 5000 P"
    assert played(pro_rata(box(equals), USUAL)) == "T1 3334 P, T2 3333 P, T3 3333 P"
    in_fives = TableLimits(minimum=pb.money("100"), differential=pb.money("10000"), unit=pb.money("5"))
    assert played(pro_rata(box(equals), in_fives)) == "T1 3335 P, T2 3335 P, T3 3330 P"


@rulings("LIM-9")
@rulebook({"commission": ["5.1.1"], "wu-song": ["5.1.1"]}, by=pro_rata)
def test_5_1_1_the_floor_outranks_the_limit() -> None:
    crowd = ", ".join(f"T{number} 100 B" for number in range(150))
    assert played(pro_rata(box(crowd), USUAL)) == crowd
    floored = pro_rata(box("S 10000 B, T1 2500 B, T2 100 B"), USUAL, ProRata.SEATED_FIRST)
    assert sum(one.plays for one in floored) == pb.money("10200")


@rulings("LIM-10", "REJ-3")
@rulebook({"commission": ["5.1.2"], "wu-song": ["5.1.2"]}, by=pro_rata)
@pytest.mark.parametrize("policy", ProRata)
def test_5_1_2_a_bet_below_the_minimum_plays_whole_and_switches_pro_rata_off_for_nobody_else(policy: ProRata) -> None:
    assert played(pro_rata(box("S 15000 B, T1 50 B"), USUAL, policy)) == "S 9950 B, T1 50 B"
    assert played(pro_rata(box("T1 99 B, T2 20000 B"), USUAL, policy)) == "T1 99 B, T2 9901 B"
    assert played(pro_rata(box("S 50 B, T1 12000 B"), USUAL, policy)) == "S 50 B, T1 9950 B"


@rulebook({"commission": ["5.1.1", "5.1.2"], "wu-song": ["5.1.1", "5.1.2"]}, by=pro_rata)
@pytest.mark.parametrize("policy", ProRata)
def test_5_1_1_the_floor_holds_for_the_seated_bettor_too_when_exempt_bets_use_up_the_limit(policy: ProRata) -> None:
    tight = limits(differential=100, minimum=100)
    assert played(pro_rata(box("S 500 B, T1 50 B"), tight, policy)) == "S 100 B, T1 50 B", "50 of the limit are left"
    assert played(pro_rata(box("S 500 B, T1 60 B, T2 60 B"), tight, policy)) == "S 100 B, T1 60 B, T2 60 B", "none is"


@rulings("LIM-4")
@rulebook({"commission": ["5.1.2"], "wu-song": ["5.1.2"]}, by=pro_rata)
def test_5_1_2_counts_all_chips_of_a_player_on_the_hand_together() -> None:
    assert played(pro_rata(box("S 19900 B, T1 50 B, T1 50 B"), USUAL)) == "S 9900 B, T1 100 B", "100 is not below it"


@rulings("LIM-12")
@rulebook({"commission": ["5.1.1"]}, by=[pro_rata, settle])
@pytest.mark.parametrize(
    ("cards", "money"),
    [
        pytest.param(
            "2 4 3 4",
            {"S": ("5428.30", "2286"), "T1": ("2714.15", "1143"), "T2": ("1357.55", "571")},
            id="Banker wins",
        ),
        pytest.param(
            "9 7 K 10", {"S": ("-5714", "2286"), "T1": ("-2857", "1143"), "T2": ("-1429", "571")}, id="Player wins"
        ),
        pytest.param("2 K 3 3 8", {"S": ("0", "2286"), "T1": ("0", "1143"), "T2": ("0", "571")}, id="tie"),
    ],
)
def test_5_1_1_winners_and_losers_settle_on_what_plays_and_the_rest_goes_back(
    cards: str, money: dict[str, tuple[str, str]]
) -> None:
    game = pb.game("commission")
    outcome = pb.deal(cards).outcome
    for one in pro_rata(box("S 8000 B, T1 4000 B, T2 2000 B"), USUAL):
        profit, unplayed = money[one.bet.person]
        settled = settle(game.bet(one.bet.side, game.layout("A")), one.plays, outcome)
        assert (settled.profit, one.unplayed) == (pb.money(profit), pb.money(unplayed))


@rulebook({"wu-song": ["5.1.1"]}, by=[pro_rata, settle])
def test_5_1_1_the_lighter_hand_wins_in_full_what_the_heavier_loses_pro_rata() -> None:
    game, outcome = pb.game("wu-song"), pb.deal("8 7 K 10").outcome
    assert (outcome.winner, outcome.player_points) == (Winner.PLAYER, 8)
    profits = {
        one.bet.person: settle(game.bet(one.bet.side, game.layout("A")), one.plays, outcome).profit
        for one in pro_rata(box("S 12000 B, T1 6000 B, T2 5000 P"), USUAL)
    }
    assert profits == {"S": pb.money("-10000"), "T1": pb.money("-5000"), "T2": pb.money("5000")}


# ---- 5.2: below the minimum --------------------------------------------------------------------------------------


@rulebook({"commission": ["5.2"], "wu-song": ["5.2"]}, by=under_minimum)
@pytest.mark.parametrize("key", LONG)
def test_5_2_a_noticed_bet_below_the_minimum_is_pointed_out_until_raised_or_withdrawn(key: str) -> None:
    assert under_minimum(box("S 50 P, T1 100 B"), USUAL) == tuple(box("S 50 P"))
    assert under_minimum(box("S 50 P, T1 100 B, S 50 P"), USUAL) == (), "raised to the minimum"
    assert under_minimum(box("T1 100 B"), USUAL) == (), "withdrawn"
    assert under_minimum(box("S 5000 B, S 99 P"), USUAL) == tuple(box("S 99 P")), "each hand is a bet of its own"
    rule = pb.game(key).irregularities.under_minimum
    assert rule is not None
    assert (rule.rule, rule.unnoticed) == ("5.2", "5.2.1")


@rulebook({"commission": ["5.2.1"], "wu-song": ["5.2.1"]}, by=[pro_rata, settle_slip])
@pytest.mark.parametrize("key", LONG)
@pytest.mark.parametrize(("cards", "profit"), [("9 7 K 10", "50"), ("2 4 3 4", "-50"), ("2 K 3 3 8", "0")])
def test_5_2_1_an_unnoticed_bet_below_the_minimum_wins_or_loses_as_it_is(key: str, cards: str, profit: str) -> None:
    (one,) = pro_rata(box("S 50 P"), USUAL)
    assert (one.plays, one.unplayed) == (pb.money("50"), 0)
    assert pb.settle(pb.game(key), cards, {"player": one.plays}).profit == pb.money(profit)


# ---- properties ---------------------------------------------------------------------------------------------------


@st.composite
def tables(draw: st.DrawFn) -> TableLimits:
    """Any unit, and a Differential that is no smaller than the minimum."""
    unit = draw(st.sampled_from([20, 100, 500, 2_500]))
    minimum = draw(st.integers(1, 20))
    greatest = draw(st.integers(minimum, 400))
    return TableLimits(minimum=Cents(minimum * unit), differential=Cents(greatest * unit), unit=Cents(unit))


@st.composite
def crowded(draw: st.DrawFn) -> tuple[list[BoxBet], TableLimits]:
    """A table's limits, and a box where S sits and up to five others stand, some of them betting more than once."""
    table = draw(tables())
    person = st.sampled_from(["S", "T1", "T2", "T3", "T4", "T5"])
    side = st.sampled_from([Side.BANKER, Side.BANKER, Side.BANKER, Side.PLAYER])
    amount = st.one_of(st.integers(1, 30), st.integers(1, 1_000)).map(lambda chips: Cents(chips * table.unit))
    bet = st.builds(
        lambda who, on, much: BoxBet(person=who, side=on, amount=much, seated=who == "S"), person, side, amount
    )
    return draw(st.lists(bet, min_size=1, max_size=9)), table


def heavier(bets: Sequence[BoxBet]) -> Side:
    gap = sum(bet.amount if bet.side is Side.BANKER else -bet.amount for bet in bets)
    return Side.BANKER if gap > 0 else Side.PLAYER


def as_played(effective: Sequence[Effective]) -> list[BoxBet]:
    return [BoxBet(person=one.bet.person, side=one.bet.side, amount=one.plays) for one in effective if one.plays]


@rulings("LIM-11", "MON-11")
@rulebook({"commission": ["5.1.1", "5.1.2"], "wu-song": ["5.1.1", "5.1.2"]}, by=pro_rata)
@given(crowded(), st.sampled_from(ProRata))
def test_5_1_1_no_share_is_below_the_minimum_above_the_stake_or_part_of_a_chip(
    case: tuple[list[BoxBet], TableLimits], policy: ProRata
) -> None:
    bets, table = case
    effective = pro_rata(bets, table, policy)
    assert tuple(one.bet for one in effective) == merged(bets)
    for one in effective:
        assert min(table.minimum, one.bet.amount) <= one.plays <= one.bet.amount
        assert one.plays % table.unit == 0
        assert one.plays + one.unplayed == one.bet.amount
        if one.bet.side is not heavier(bets) or one.bet.amount < table.minimum:
            assert one.unplayed == 0, "the lighter hand and bets below the minimum play in full"


@rulebook({"commission": ["5.1.1"], "wu-song": ["5.1.1"]}, by=pro_rata)
@given(crowded(), st.sampled_from(ProRata))
def test_5_1_1_where_no_floor_holds_it_up_the_box_comes_down_to_the_limit_exactly(
    case: tuple[list[BoxBet], TableLimits], policy: ProRata
) -> None:
    bets, table = case
    effective = pro_rata(bets, table, policy)
    after = differential(as_played(effective))
    if differential(bets) <= table.differential:
        assert all(one.unplayed == 0 for one in effective)
        return
    cut = [one for one in effective if one.bet.side is heavier(bets) and one.bet.amount >= table.minimum]
    if cut and all(one.plays > table.minimum for one in cut):
        assert after == table.differential
    else:
        assert table.differential <= after <= differential(bets), "the floor may leave more, never less"


@rulebook({"commission": ["5.1.1"], "wu-song": ["5.1.1"]}, by=pro_rata)
@given(crowded())
def test_5_1_1_shares_keep_their_proportion_to_within_a_chip_and_who_staked_more_never_plays_less(
    case: tuple[list[BoxBet], TableLimits],
) -> None:
    bets, table = case
    side = [one for one in pro_rata(bets, table) if one.bet.side is heavier(bets)]
    for one in side:
        assert all(one.plays >= other.plays for other in side if one.bet.amount > other.bet.amount)
    cut = [one for one in side if one.bet.amount >= table.minimum]
    if differential(bets) > table.differential and all(one.plays > table.minimum for one in cut):
        staked, plays = sum(one.bet.amount for one in cut), sum(one.plays for one in cut)
        assert all(abs(one.plays - Fraction(plays * one.bet.amount, staked)) < table.unit for one in cut)


@rulebook({"commission": ["5.1"], "wu-song": ["5.1"]}, by=reject_excess)
@given(crowded())
def test_5_1_rejecting_the_excess_brings_the_box_within_the_limit(case: tuple[list[BoxBet], TableLimits]) -> None:
    bets, table = case
    effective = reject_excess(bets, table)
    assert differential(as_played(effective)) <= table.differential
    for one in effective:
        assert 0 <= one.plays <= one.bet.amount
        assert one.plays % table.unit == 0
        if one.unplayed:
            assert differential(bets) > table.differential, "nobody is cut without an excess"
            assert one.bet.side is heavier(bets)
            assert one.plays == 0 or one.plays >= table.minimum


@rulings("LIM-24")
@rulebook({"commission": ["5.1"], "wu-song": ["5.1"]}, by=reject_excess)
def test_5_1_a_raise_is_placed_when_it_is_made_and_goes_before_what_lay_there_earlier() -> None:
    table = TableLimits(minimum=Cents(100_00), differential=Cents(10_000_00))
    placed = [
        BoxBet(person="T1", side=Side.BANKER, amount=Cents(5_000_00)),
        BoxBet(person="T2", side=Side.BANKER, amount=Cents(4_000_00)),
        BoxBet(person="T1", side=Side.BANKER, amount=Cents(3_000_00)),
    ]
    left = {one.bet.person: one.plays for one in reject_excess(placed, table)}
    assert left == {"T1": 6_000_00, "T2": 4_000_00}
    beyond_the_raise = box("T1 5000 B, T2 6000 B, T1 1000 B")
    assert played(reject_excess(beyond_the_raise, USUAL)) == "T1 5000 B, T2 5000 B", "then whoever came before it"


@rulebook({"commission": ["5.1"], "wu-song": ["5.1"]}, by=reject_excess)
@given(crowded())
def test_5_1_the_seated_bettor_is_cut_only_when_nothing_standing_is_left(
    case: tuple[list[BoxBet], TableLimits],
) -> None:
    placed, table = case
    side = [one for one in reject_excess(placed, table) if one.bet.side is heavier(placed)]
    if any(one.bet.seated and one.unplayed for one in side):
        assert all(one.plays == 0 for one in side if not one.bet.seated)


@rulebook({"commission": ["5.1"], "wu-song": ["5.1"]}, by=reject_excess)
@given(crowded())
def test_5_1_nobody_is_cut_while_somebody_behind_them_still_plays(case: tuple[list[BoxBet], TableLimits]) -> None:
    placed, table = case
    bets = merged(placed)
    side = [one for one in reject_excess(bets, table) if one.bet.side is heavier(bets)]
    in_line = [one for one in side if one.bet.seated] + [one for one in side if not one.bet.seated]
    cut = [place for place, one in enumerate(in_line) if one.unplayed]
    if cut:
        assert all(one.plays == 0 for one in in_line[cut[0] + 1 :])
