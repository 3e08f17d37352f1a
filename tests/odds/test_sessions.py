"""What a session may come to is worked out, and agrees with playing every round in the mind."""

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

from puntobanco.odds.sessions import MOST_ROUNDS, one_round, session
from puntobanco.odds.shoe import Shoe
from puntobanco.rules import library
from puntobanco.rules.money import Cents
from puntobanco.rules.refusal import Reason, Refused

COMMISSION = library.game("commission")
STAKES = {"banker": Cents(100_00), "tie": Cents(20_00)}


def by_hand(rounds: int, bankroll: int | None) -> tuple[dict[int, float], float]:
    """Every way the rounds may go, one after the other."""
    gains, chances, _, _ = one_round(COMMISSION, COMMISSION.layout(), Shoe.of(8), STAKES)
    held: dict[int, float] = {0: 1.0}
    ruined = 0.0
    for _ in range(rounds):
        ruined = 0.0
        after: dict[int, float] = defaultdict(float)
        for result, chance in held.items():
            if bankroll is not None and bankroll + result < 120_00:
                after[result] += chance
                ruined += chance
                continue
            for gain, share in zip(gains.tolist(), chances.tolist(), strict=True):
                after[result + gain] += chance * share
        held = dict(after)
    return held, ruined


@pytest.mark.parametrize("bankroll", [None, 120_00, 300_00, 1_000_00])
def test_it_is_every_way_the_rounds_may_go(bankroll: int | None) -> None:
    found = session(COMMISSION, STAKES, 5, bankroll=None if bankroll is None else Cents(bankroll))
    held, ruined = by_hand(5, bankroll)
    assert {int(result): pytest.approx(chance) for result, chance in zip(found.results, found.chance, strict=True)} == {
        result: chance for result, chance in held.items() if chance
    }
    assert found.ruin == pytest.approx(ruined)
    assert found.chance.sum() == pytest.approx(1)


def test_mean_and_spread_are_those_of_the_bets() -> None:
    found = session(COMMISSION, {"banker": Cents(100_00)}, 200)
    assert found.mean == pytest.approx(-float(found.theoretical_loss))
    spread = float(np.sqrt((found.results.astype(float) ** 2 * found.chance).sum() - found.mean**2))
    assert spread == pytest.approx(found.stdev)
    assert found.expected_rounds == pytest.approx(200)
    assert found.percentile(0.05) < found.percentile(0.5) < found.percentile(0.95)
    assert 0.3 < found.ahead < 0.5
    assert found.theoretical_loss == pytest.approx(200 * 100_00 * 0.010579, rel=1e-4)
    assert "Percentile" in found._repr_html_()


def test_a_small_bankroll_is_ruined_more_often() -> None:
    poor, rich = (session(COMMISSION, STAKES, 300, bankroll=Cents(held)).ruin for held in (500_00, 5_000_00))
    assert 0 < rich < poor < 1


def test_long_odds_over_many_rounds_keep_the_work_bounded() -> None:
    found = session(library.game("wu-song"), {"wu_dalang": Cents(100)}, 3_000, bankroll=Cents(1_000_00))
    assert found.chance.sum() == pytest.approx(1)
    assert found.mean == pytest.approx(-100 * 0.255658 * found.expected_rounds, rel=1e-3)


@pytest.mark.parametrize(
    ("stakes", "rounds", "bankroll", "reason"),
    [
        ({}, 10, None, Reason.NOT_A_STAKE),
        ({"banker": 100_00}, 0, None, Reason.ROUNDS_OUT_OF_RANGE),
        ({"banker": 100_00}, MOST_ROUNDS + 1, None, Reason.ROUNDS_OUT_OF_RANGE),
        ({"banker": 0}, 10, None, Reason.STAKE_NOT_POSITIVE),
        ({"banker": 1}, 10, None, Reason.UNIT_NOT_PAYABLE),
        ({"dragon": 100}, 10, None, Reason.UNKNOWN_BET),
        ({"banker": 100_00}, 10, 50_00, Reason.NOT_ENOUGH_MONEY),
        ({"tie": 1, "player": 3_000_001}, 90_000, None, Reason.SESSION_TOO_LARGE),
    ],
)
def test_what_is_no_session_is_refused(
    stakes: dict[str, int], rounds: int, bankroll: int | None, reason: Reason
) -> None:
    held = None if bankroll is None else Cents(bankroll)
    with pytest.raises(Refused) as refused:
        session(COMMISSION, {key: Cents(stake) for key, stake in stakes.items()}, rounds, bankroll=held)
    assert refused.value.reason is reason


def test_insurance_is_no_bet_of_a_session() -> None:
    with pytest.raises(Refused) as refused:
        session(library.game("insurance"), {"banker_insurance": Cents(100_00)}, 10)
    assert refused.value.reason is Reason.INSURANCE_NOT_MAIN


def test_a_shoe_that_may_run_out_returns_stakes() -> None:
    gains, chances, loss, _ = one_round(
        COMMISSION, COMMISSION.layout(), Shoe((0,) * 12 + (4,)), {"banker": Cents(100_00)}
    )
    assert (gains.tolist(), chances.tolist(), loss) == ([0], [1.0], Fraction(0))
