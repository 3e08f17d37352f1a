"""Sessions: the distribution of results of a number of rounds at given bets.

Every round is dealt from a full shoe. The distribution is computed, not simulated: after each round, the probabilities
of all results so far are spread over the results of one more round. With a bankroll, a player who cannot cover the bets
stops.
"""

from fractions import Fraction
from math import gcd, sqrt

import msgspec
import numpy as np

from puntobanco.odds.compiling import kernel
from puntobanco.odds.pricing import price
from puntobanco.odds.shoe import Shoe
from puntobanco.odds.tables import Floats, Ints
from puntobanco.rules.arguments import bad_argument, checked
from puntobanco.rules.game import Game, Layout
from puntobanco.rules.html import html_table
from puntobanco.rules.money import Cents, check_stake, show_money, write_money
from puntobanco.rules.refusal import Reason, Refused

MOST_ROUNDS = 100_000
MOST_WORK = 4 * 10**9
"""Results times rounds times outcomes. Beyond this, the stakes are too fine for that many rounds."""


class SessionForecast(msgspec.Struct, frozen=True, kw_only=True):
    """`chance[k]` of ending with `results[k]` cents won or lost. `ruin`: unable to cover the bets before the end."""

    stakes: dict[str, Cents]
    rounds: int
    bankroll: Cents | None
    results: Ints
    chance: Floats
    ruin: float
    expected_rounds: float
    theoretical_loss: Fraction
    """In cents, if all rounds had been played."""
    stdev: float

    def __repr__(self) -> str:
        staked = ", ".join(f"{bet} {show_money(stake)}" for bet, stake in self.stakes.items())
        return f"<SessionForecast {self.rounds:,} rounds, {staked}: average {show_money(round(self.mean))}>"

    @checked
    def percentile(self, share: float) -> Cents:
        """The result that at most this share of sessions falls below."""
        if not 0 <= share <= 1:
            raise bad_argument("percentile", "share", "float from 0 to 1", share)
        place = int(np.searchsorted(np.cumsum(self.chance), share))
        return Cents(int(self.results[min(place, len(self.results) - 1)]))

    @property
    def ahead(self) -> float:
        """The probability of ending with a gain."""
        return float(self.chance[self.results > 0].sum())

    @property
    def mean(self) -> float:
        return float((self.results * self.chance).sum())

    def _repr_html_(self) -> str:
        shares = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
        rows = [(f"{share:.0%}", show_money(self.percentile(share))) for share in shares]
        return html_table(f"After {self.rounds:,} rounds", ("Percentile", "Result"), rows)


def session(
    game: Game,
    stakes: dict[str, Cents],
    rounds: int,
    *,
    layout: Layout | str | None = None,
    decks: int = 8,
    bankroll: Cents | None = None,
) -> SessionForecast:
    """The distribution of a player's result.

    >>> from puntobanco.rules import library
    >>> night = session(library.game("commission"), {"banker": Cents(100_00)}, 100)
    >>> round(float(night.theoretical_loss) / 100, 2)
    105.79
    """
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refused(Reason.ROUNDS_OUT_OF_RANGE, rounds=rounds, most=f"{MOST_ROUNDS:,}")
    layout = game.layout(layout)
    for key, stake in stakes.items():
        game.bet(key, layout)
        check_stake(stake, 1)
    staked = sum(stakes.values())
    if not stakes:
        raise Refused(Reason.NOT_A_STAKE, stake="")
    if bankroll is not None and bankroll < staked:
        raise Refused(Reason.NOT_ENOUGH_MONEY, stake=write_money(staked), purse=write_money(bankroll))
    gains, chances, loss, variance = one_round(game, layout, Shoe.of(game.decks.check(decks)), stakes)
    step = gcd(*(int(gain) for gain in gains if gain)) or 1
    results, chance, ruin, played = _spread(gains // step, chances, rounds, step, staked, bankroll)
    return SessionForecast(
        stakes=stakes,
        rounds=rounds,
        bankroll=bankroll,
        results=results,
        chance=chance,
        ruin=ruin,
        expected_rounds=played,
        theoretical_loss=loss * rounds,
        stdev=sqrt(variance * rounds),
    )


def one_round(
    game: Game, layout: Layout | str | None, shoe: Shoe, stakes: dict[str, Cents]
) -> tuple[Ints, Floats, Fraction, float]:
    """The results of one round in cents with their probabilities, its average cost, and its variance."""
    prices = price(game, shoe, layout)
    compiled, total = prices.menu, prices.law.total
    won = np.zeros(compiled.gains.shape[1], np.int64)
    for key, stake in stakes.items():
        place = compiled.at.get(key)
        if place is None:
            raise Refused(Reason.INSURANCE_NOT_MAIN, bet=game.bet(key, layout).title)
        cents = compiled.gains[place] * stake
        if (cents % compiled.unit).any():
            raise Refused(Reason.UNIT_NOT_PAYABLE, amount=write_money(stake), game=game.key)
        won += cents // compiled.unit
    by_gain: dict[int, int] = {0: prices.law.void} if prices.law.void else {}
    for gain, ways in zip(won.tolist(), prices.law.ways, strict=True):
        if ways:
            by_gain[gain] = by_gain.get(gain, 0) + int(ways)
    mean = Fraction(sum(gain * ways for gain, ways in by_gain.items()), total)
    square = Fraction(sum(gain * gain * ways for gain, ways in by_gain.items()), total)
    gains = np.array(sorted(by_gain), np.int64)
    chances = np.array([by_gain[int(gain)] / total for gain in gains])
    return gains, chances, -mean, float(square - mean * mean)


def _spread(
    gains: Ints, chances: Floats, rounds: int, step: int, staked: int, bankroll: int | None
) -> tuple[Ints, Floats, float, float]:
    """Round by round over a row of results, `step` cents apart."""
    lowest = rounds * int(gains.min())
    if bankroll is not None:
        lowest = max(lowest, -(bankroll // step))
    highest = rounds * int(gains.max())
    least = -(-(staked - bankroll) // step) if bankroll is not None else lowest
    width = highest - lowest + 1
    if width * rounds * len(gains) > MOST_WORK:
        highest = _enough(gains, chances, rounds)
        width = highest - lowest + 1
    if width * rounds * len(gains) > MOST_WORK:
        raise Refused(Reason.SESSION_TOO_LARGE, rounds=rounds)
    chance, ruin, played = spread(gains, chances, rounds, lowest, width, least)
    some = np.flatnonzero(chance > 0)
    return (some + lowest) * step, chance[some], ruin, played


def _enough(gains: Ints, chances: Floats, rounds: int) -> int:
    """A result so high that only negligible probabilities lie beyond: twelve standard deviations."""
    mean = float((gains * chances).sum())
    variance = float((gains * gains * chances).sum()) - mean * mean
    return int(max(mean * rounds, 0) + 12 * sqrt(variance * rounds) + 40 * gains.max())


@kernel
def spread(
    gains: Ints, chances: Floats, rounds: int, lowest: int, width: int, least: int
) -> tuple[Floats, float, float]:
    """Results below `least` cannot cover another round and stay; those who miss a round for it are ruined. Results
    beyond the row stay at its end."""
    now, after = np.zeros(width), np.zeros(width)
    now[-lowest] = 1.0
    low, high, played, ruined = -lowest, -lowest, 0.0, 0.0
    for _ in range(rounds):
        ruined = 0.0
        next_low, next_high = max(0, low + gains[0]), min(width - 1, high + gains[-1])
        after[next_low : next_high + 1] = 0.0
        for place in range(low, high + 1):
            share = now[place]
            if share == 0.0:
                continue
            if place + lowest < least:
                after[place] += share
                ruined += share
                continue
            played += share
            for k in range(gains.size):
                to = place + gains[k]
                after[to if to < width else width - 1] += share * chances[k]
        low, high = next_low, next_high
        now, after = after, now
    return now, ruined, played
