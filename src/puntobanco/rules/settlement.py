"""Settlement: a bet, its stake and the Outcome determine the return, to the cent, and the paragraph that decided."""

from enum import StrEnum

import msgspec

from puntobanco.rules.game import Bet, PayLine
from puntobanco.rules.money import PUSH, Cents, exactly
from puntobanco.rules.outcome import Outcome
from puntobanco.rules.plain_data import ParagraphId


class Result(StrEnum):
    """What became of a bet: it won, lost, or was pushed."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one bet. `profit` is the player's, after commission; negative for a loss."""

    result: Result
    stake: Cents
    profit: Cents
    rule: ParagraphId
    commission: Cents = Cents(0)
    commission_rule: ParagraphId | None = None
    pays: str = ""

    @property
    def returned(self) -> Cents:
        """What the player receives: stake and profit, or nothing."""
        return Cents(self.stake + self.profit)

    @property
    def gross(self) -> Cents:
        """The win before commission."""
        return Cents(self.profit + self.commission)


def deciding_line(bet: Bet, outcome: Outcome) -> PayLine | None:
    """The first line that holds; none means the bet loses."""
    return next((line for line in bet.lines if line.when.holds(outcome)), None)


def result_of(bet: Bet, outcome: Outcome) -> Result:
    line = deciding_line(bet, outcome)
    if line is None:
        return Result.LOSE
    return Result.PUSH if line.pays == PUSH else Result.WIN


def settle(bet: Bet, stake: Cents, outcome: Outcome) -> Settled:
    """Settle a bet of a layout's menu (`Game.bet`) with the stake that plays. `insurance.py` settles insurance."""
    assert bet.insures is None, "insurance is settled by its rows"
    return settle_by(deciding_line(bet, outcome), bet, stake)


def settle_by(line: PayLine | None, bet: Bet, stake: Cents) -> Settled:
    """Settle by the deciding line, which the caller finds once for many stakes on one bet. Without a line the bet
    loses."""
    if line is None:
        return Settled(result=Result.LOSE, stake=stake, profit=Cents(-stake), rule=bet.losing_rule)
    return Settled(
        result=Result.PUSH if line.pays == PUSH else Result.WIN,
        stake=stake,
        profit=line.pays.of(stake),
        rule=line.rule,
        commission=exactly(line.commission.rate * stake) if line.commission else Cents(0),
        commission_rule=line.commission.rule if line.commission else None,
        pays=str(line.pays),
    )
