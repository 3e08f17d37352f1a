"""What a table took is kept by bet, undone with a settlement that is taken back, and held against theory."""

from math import sqrt

from puntobanco.house.audit.takings import BAND, Takings, expected
from puntobanco.rules.settlement import Result
from puntobanco.table.commands import BetTerms, Terms
from puntobanco.table.events import DecidedBet, SettledStake, Stake


def _stake(bet: str, plays: int, profit: int, stake: int | None = None) -> SettledStake:
    result = Result.WIN if profit > 0 else Result.LOSE if profit < 0 else Result.PUSH
    return SettledStake(
        owner="ann", box=1, bet=bet, stake=stake or plays, plays=plays, result=result, profit=profit, rule="1"
    )


def test_only_what_played_is_turnover_and_what_players_lose_is_won() -> None:
    takings = Takings()
    takings.settled((_stake("player", 80_00, -80_00, 100_00), _stake("banker", 100_00, 95_00)))
    assert {bet: (one.bets, one.turnover, one.won) for bet, one in takings.by_bet.items()} == {
        "player": (1, 80_00, 80_00),
        "banker": (1, 100_00, -95_00),
    }


def test_a_settlement_taken_back_leaves_nothing() -> None:
    takings, stakes = Takings(), (_stake("player", 80_00, -80_00), _stake("tie", 10_00, 80_00))
    takings.settled(stakes)
    takings.settled(stakes, -1)
    assert all((one.bets, one.turnover, one.won, one.squares) == (0, 0, 0, 0) for one in takings.by_bet.values())


def test_what_the_house_decides_on_a_bet_takes_the_place_of_its_settlement() -> None:
    takings = Takings()
    takings.settled((_stake("player", 100_00, -100_00), _stake("tie", 10_00, -10_00)))
    terms = BetTerms(owner="ann", bet="player", terms=Terms.RETURN, box=1)
    back = DecidedBet(terms=terms, was=_stake("player", 100_00, -100_00), settled=_stake("player", 100_00, 0))
    paid = DecidedBet(terms=BetTerms(owner="ann", bet="tie", terms=Terms.PAY, amount=3_00, box=1))
    stake = Stake(owner="ann", box=1, bet="banker", amount=50_00, placer="ann", order=1)
    plays_on = DecidedBet(terms=BetTerms(owner="ann", bet="banker", terms=Terms.AT_STAKE, box=1), stake=stake)
    for one in (back, paid, plays_on):
        takings.decided(one)
    assert {bet: (one.bets, one.turnover, one.won) for bet, one in takings.by_bet.items()} == {
        "player": (1, 100_00, 0),
        "tie": (1, 10_00, 7_00),
    }


def test_the_band_is_as_wide_as_chance_and_bets_without_a_figure_stand_aside() -> None:
    takings = Takings()
    takings.settled((_stake("player", 100, -100), _stake("player", 300, 300), _stake("insurance@five", 50, -50)))
    found = expected(takings, {"player": 0.0125}, {"player": 0.95})
    width = BAND * 0.95 * sqrt(100**2 + 300**2)
    assert found.priced == -200
    assert abs(found.won - 5.0) < 1e-9
    assert abs(found.low - (5.0 - width)) < 1e-9
    assert abs(found.high - (5.0 + width)) < 1e-9
