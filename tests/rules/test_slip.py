"""Settling one person's stakes together: every bet of every game and layout, exact to the cent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.rules import library
from puntobanco.rules.cards import Card, Rank, read_cards
from puntobanco.rules.coup import Coup, deal
from puntobanco.rules.limits import BoxBet, TableLimits, pro_rata
from puntobanco.rules.money import CHIP, Cents
from puntobanco.rules.outcome import Side, Winner
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result
from puntobanco.rules.slip import read_bet, read_stake, settle_slip
from tests.marks import rulings

FELTS = [(library.game(key), layout) for key in library.GAMES for layout in (library.game(key).layouts or (None,))]


def completed(ranks: list[Rank]) -> Coup:
    coup = Coup()
    for rank in ranks:
        if not coup.is_complete:
            coup = coup.draw(Card(rank))
    return coup


@rulings("MON-10")
@given(
    st.lists(st.sampled_from(Rank), min_size=6, max_size=6), st.sampled_from(range(len(FELTS))), st.integers(1, 10**10)
)
def test_every_bet_returns_what_it_staked_and_won_and_no_cent_is_lost(ranks: list[Rank], felt: int, chips: int) -> None:
    game, layout = FELTS[felt]
    stakes = {bet.key: Cents(chips * CHIP) for bet in game.menu(layout) if not bet.insures}
    slip = settle_slip(game, layout, completed(ranks), stakes)
    assert slip.bets.keys() == stakes.keys()
    for key, one in slip.bets.items():
        assert one.stake == stakes[key]
        assert one.returned == one.stake + one.profit
        assert one.gross == one.profit + one.commission
        assert one.rule in library.rulebook(game.key)
        match one.result:
            case Result.WIN:
                assert one.profit > 0
            case Result.LOSE:
                assert (one.profit, one.returned) == (-one.stake, 0)
            case Result.PUSH:
                assert (one.profit, one.returned) == (0, one.stake)
        if one.commission:
            assert (one.commission * 20, one.gross) == (one.stake, one.stake)
            assert one.commission_rule in library.rulebook(game.key)
    assert slip.profit == sum(one.profit for one in slip.bets.values())


@given(st.lists(st.sampled_from(Rank), min_size=6, max_size=6), st.sampled_from(range(len(FELTS))))
def test_on_a_tie_original_bets_come_back_and_otherwise_one_of_them_wins(ranks: list[Rank], felt: int) -> None:
    game, layout = FELTS[felt]
    slip = settle_slip(game, layout, completed(ranks), {"player": CHIP, "banker": CHIP})
    results = (slip.bets["player"].result, slip.bets["banker"].result)
    assert (
        results
        == {
            Winner.PLAYER: (Result.WIN, Result.LOSE),
            Winner.BANKER: (Result.LOSE, Result.WIN),
            Winner.TIE: (Result.PUSH, Result.PUSH),
        }[slip.outcome.winner]
    )


@pytest.mark.parametrize(
    ("stakes", "reason", "paragraph"),
    [
        ({"player": 0}, Reason.STAKE_NOT_POSITIVE, None),
        ({"player": 150}, Reason.STAKE_NOT_IN_UNITS, None),
        ({"dragon": 100}, Reason.UNKNOWN_BET, "3.3"),
        ({"player@four": 100}, Reason.NO_SUCH_WINDOW, None),
        ({"banker_insurance": 100}, Reason.WINDOW_MISSING, "3.5"),
        ({"banker_insurance@six": 100}, Reason.WINDOW_MISSING, "3.5"),
        ({"banker_insurance@four": 100}, Reason.NOTHING_TO_INSURE, "4.1.4"),
        ({"player": 1000, "banker_insurance@four": 100}, Reason.NOTHING_TO_INSURE, "4.1.4"),
        ({"banker": 100_000, "banker_insurance@four": 50_100}, Reason.OVER_CAP, "3.5.2"),
        ({"banker": 100_000, "banker_insurance@five": 100}, Reason.NOT_OFFERED, "3.5"),
        ({"player": 100_000, "player_insurance@four": 100}, Reason.NOT_OFFERED, "3.5"),
    ],
)
def test_a_bad_stake_is_refused_with_its_paragraph(
    stakes: dict[str, int], reason: Reason, paragraph: str | None
) -> None:
    game = library.game("insurance")
    with pytest.raises(Refused) as refused:
        settle_slip(game, game.layout(), deal(read_cards("2 2 2 3 4 A")), stakes)
    assert (refused.value.reason, refused.value.paragraph) == (reason, paragraph)


def test_a_later_window_counts_what_the_earlier_may_pay() -> None:
    game = library.game("insurance")
    coup = deal(read_cards("3 2 2 2 3 K"))  # 5 v 4 at 2:1, then 8 v 4 at 7:1; ends 8 v 4
    stakes = {"player_insurance@five": Cents(5_700), "player_insurance@four": Cents(30_000), "player": Cents(100_000)}
    slip = settle_slip(game, game.layout(), coup, stakes)
    assert [one.result for one in slip.bets.values()] == [Result.LOSE, Result.LOSE, Result.WIN]
    with pytest.raises(Refused) as refused:
        settle_slip(game, game.layout(), coup, stakes | {"player_insurance@five": Cents(5_800)})
    assert refused.value.parameters["most"] == "57.00"


def test_a_stake_that_is_no_whole_number_of_cents_is_refused() -> None:
    game = library.game("commission")
    for stake in (1.5, "100", None, True):
        with pytest.raises(Refused) as refused:
            settle_slip(game, game.layout(), deal(read_cards("9 7 K T")), {"player": stake})  # type: ignore[dict-item]
        assert refused.value.reason is Reason.NOT_AN_AMOUNT


def test_limits_and_boxes_that_cannot_be_are_refused() -> None:
    def bet(person: str, amount: int, *, seated: bool = False) -> BoxBet:
        return BoxBet(person=person, side=Side.BANKER, amount=Cents(amount), seated=seated)

    limits = TableLimits(minimum=Cents(10_000), differential=Cents(1_000_000))
    for call, reason in (
        (lambda: bet("S", -500), Reason.STAKE_NOT_POSITIVE),
        (lambda: pro_rata([bet("S", 150)], limits), Reason.STAKE_NOT_IN_UNITS),
        (lambda: pro_rata([bet("S", 100, seated=True), bet("T", 100, seated=True)], limits), Reason.TWO_SEATED),
        (lambda: TableLimits(minimum=Cents(200), differential=Cents(100)), Reason.MINIMUM_OVER_DIFFERENTIAL),
        (lambda: TableLimits(minimum=Cents(0), differential=Cents(100)), Reason.LIMIT_NOT_POSITIVE),
        (lambda: TableLimits(minimum=Cents(150), differential=Cents(200)), Reason.LIMIT_NOT_IN_UNITS),
    ):
        with pytest.raises(Refused) as refused:
            call()
        assert refused.value.reason is reason


def test_a_chip_unit_that_some_line_cannot_pay_in_whole_cents_is_refused() -> None:
    game = library.game("commission")
    assert game.check_unit(20) == 20
    for unit in (1, 5, 0, -100):
        with pytest.raises(Refused) as refused:
            game.check_unit(unit)
        assert refused.value.reason is Reason.UNIT_NOT_PAYABLE
    with pytest.raises(Refused):
        library.game("insurance").check_unit(10)


@pytest.mark.parametrize("text", ["player", "=5", "", "player:5"])
def test_a_stake_is_a_bet_and_an_amount(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read_stake(text)
    assert refused.value.reason is Reason.NOT_A_STAKE


def test_a_bet_of_another_layout_is_refused() -> None:
    game = library.game("wu-song")
    with pytest.raises(Refused) as refused:
        read_bet(game, game.layout("E"), "wu_song")
    assert (refused.value.reason, refused.value.paragraph) == (Reason.BET_NOT_ON_LAYOUT, "3.7")


def test_layouts_boxes_and_decks_out_of_range_are_refused() -> None:
    commission, etg = library.game("commission"), library.game("non-commission-etg")
    for call, reason in (
        (lambda: commission.layout("Z"), Reason.UNKNOWN_LAYOUT),
        (lambda: etg.layout("A"), Reason.NO_LAYOUTS),
        (lambda: commission.check_box(commission.layout("B"), 8), Reason.BOX_OUT_OF_RANGE),
        (lambda: commission.check_box(commission.layout("B"), 0), Reason.BOX_OUT_OF_RANGE),
        (lambda: etg.check_box(etg.layout(), 1), Reason.NO_BOXES),
        (lambda: commission.decks.check(9), Reason.DECKS_OUT_OF_RANGE),
        (lambda: library.game("chemin-de-fer"), Reason.UNKNOWN_GAME),
        (lambda: library.rulebook("chemin-de-fer"), Reason.UNKNOWN_GAME),
    ):
        with pytest.raises(Refused) as refused:
            call()
        assert refused.value.reason is reason
    assert commission.layout("b") is commission.layouts[1]
    assert commission.check_box(commission.layout("B"), 7) == 7
    wu_song = library.game("wu-song").layout("A")
    assert wu_song is not None
    with pytest.raises(Refused) as refused:
        wu_song.check_box(4, boxes=3)
    assert refused.value.reason is Reason.BOX_OUT_OF_RANGE
    with pytest.raises(Refused) as refused:
        wu_song.check_box(4, boxes=7)
    assert (refused.value.reason, refused.value.paragraph) == (Reason.BOXES_OUT_OF_RANGE, "App. A")


def test_a_coup_with_a_card_the_table_sends_nowhere_cannot_be_made() -> None:
    for cards in ("9 7 K T 8", "9 7 K T 8 8", "2 4 3 2 6 9 A"):
        with pytest.raises(Refused) as refused:
            Coup(read_cards(cards))
        assert refused.value.reason is Reason.HAND_COMPLETE


def test_a_waived_window_settles_no_insurance() -> None:
    game = library.game("insurance")
    coup = deal(read_cards("2 A 2 K 4 5"))  # 4 v 1, then 8 v 1 at 7:1
    stakes = {"player": Cents(100_000), "player_insurance@five": Cents(1_000)}
    assert settle_slip(game, game.layout(), coup, stakes).bets["player_insurance@five"].result is Result.LOSE
    with pytest.raises(Refused) as refused:
        settle_slip(game, game.layout(), coup, stakes, waived=True)
    assert refused.value.reason is Reason.NOT_OFFERED


def test_without_a_layout_the_first_is_meant() -> None:
    game = library.game("wu-song")
    seven_all = deal(read_cards("3 2 4 5"))
    assert settle_slip(game, None, seven_all, {"tie": CHIP}) == settle_slip(
        game, game.layout("A"), seven_all, {"tie": CHIP}
    )


def test_a_stake_is_read_as_cents() -> None:
    assert read_stake("banker_insurance@five=7.50") == ("banker_insurance@five", 750)
