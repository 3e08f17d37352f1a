"""Insurance: which windows a coup opens, to whom, at what odds and up to what stake, and how it is settled."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec

from puntobanco.rules import money
from puntobanco.rules.coup import Coup
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.money import Cents, down_to_unit, write_money
from puntobanco.rules.outcome import Outcome, Side, Winner
from puntobanco.rules.procedures import InsuranceRow, Window
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result, Settled

_DRAWN = {Window.FOUR: 4, Window.FIVE: 5}


class Offer(msgspec.Struct, frozen=True):
    """An insurance window: everyone with a bet on the insured hand may insure it at the row's odds."""

    bet: Bet
    row: InsuranceRow

    @property
    def window(self) -> Window:
        return self.row.window

    @property
    def insures(self) -> Side:
        return self.row.insures


class Insured(msgspec.Struct, frozen=True):
    """An insurance stake that was taken."""

    offer: Offer
    stake: Cents


def offer(game: Game, coup: Coup, *, waived: bool = False) -> Offer | None:
    """The window that is open now, with all drawn cards exposed: a card is to come and the pay table has a row.
    `waived`: the Banker's third card was shown first, with consent, so nothing is offered after the Player's."""
    window = next((window for window, drawn in _DRAWN.items() if drawn == len(coup.cards)), None)
    if game.insurance is None or coup.is_complete or (waived and window is Window.FIVE):
        return None
    for row in game.insurance.rows:
        if row.window is window and coup.player.points in row.player and coup.banker.points in row.banker:
            return Offer(next(bet for bet in game.bets if bet.insures is row.insures), row)
    return None


def offers(game: Game, coup: Coup, *, waived: bool = False) -> Iterator[Offer]:
    """Every window that the coup passed through, in order."""
    for drawn in _DRAWN.values():
        if len(coup.cards) >= drawn and (made := offer(game, coup.after(drawn), waived=waived)):
            yield made


def offered_to(made: Offer, originals: Mapping[str, Mapping[Side, Cents]]) -> tuple[str, ...]:
    """The people with an Original Bet on the insured hand. Nobody else may insure."""
    return tuple(person for person, stakes in originals.items() if stakes.get(made.insures, 0) > 0)


def cap(
    made: Offer, *, original: int, unit: int, earlier: Sequence[Insured] = (), count_exclusive: bool = True
) -> Cents:
    """The most that may be staked, so that all insurance payouts on that hand together stay within the original bet.

    `earlier`: what the same person staked on the same hand and box in this round. A row that pays on another result is
    never paid together with them; it counts all the same, unless `count_exclusive` is off.
    """
    counted = [
        taken.offer.row.odds * taken.stake
        for taken in earlier
        if taken.offer.insures is made.insures and (count_exclusive or taken.offer.row.paid_on is made.row.paid_on)
    ]
    left = original - sum(counted, Fraction(0))
    return down_to_unit(max(Fraction(0), left / made.row.odds), unit)


def check_stake(
    made: Offer,
    game: Game,
    stake: Cents,
    *,
    original: int,
    unit: int,
    earlier: Sequence[Insured] = (),
    count_exclusive: bool = True,
) -> Insured:
    """Take an insurance stake, or refuse it with the paragraph that forbids it."""
    assert game.insurance is not None, "an offer comes from a game with insurance"
    money.check_stake(stake, unit, game.insurance.rule)
    if original <= 0:
        raise Refused(Reason.NOTHING_TO_INSURE, game.insurance.eligible, bet=made.bet.title, side=made.insures)
    most = cap(made, original=original, unit=unit, earlier=earlier, count_exclusive=count_exclusive)
    if stake > most:
        raise Refused(
            Reason.OVER_CAP, game.insurance.cap, bet=made.bet.title, stake=write_money(stake), most=write_money(most)
        )
    return Insured(made, stake)


def settle_insurance(taken: Insured, game: Game, outcome: Outcome) -> Settled:
    """Settle an insurance stake: paid on the row's result, returned on any other tie, lost when the insured hand wins.
    It never has commission."""
    assert game.insurance is not None, "an offer comes from a game with insurance"
    row, stake = taken.offer.row, taken.stake
    if outcome.winner is row.paid_on:
        return Settled(result=Result.WIN, stake=stake, profit=row.odds.of(stake), rule=row.rule, pays=str(row.odds))
    if outcome.winner is Winner.TIE:
        return Settled(result=Result.PUSH, stake=stake, profit=Cents(0), rule=game.insurance.tie, pays="push")
    return Settled(result=Result.LOSE, stake=stake, profit=Cents(-stake), rule=taken.offer.bet.losing_rule)


def may_waive(game: Game, coup: Coup) -> bool:
    """Whether the Banker's third card can be shown before the Player's, because both are due whatever the Player's is.
    `coup` has the four cards that everyone has seen. The Player's third card may already lie face down."""
    if game.insurance is None or len(coup.cards) != 4 or coup.due is not Side.PLAYER:
        return False
    player, banker = coup.player.points, coup.banker.points
    return all(coup.table.banker_draws(player, banker, third) for third in range(10))


def check_waiver(game: Game, coup: Coup) -> None:
    if not may_waive(game, coup):
        raise Refused(Reason.NO_WAIVER, game.insurance.waiver if game.insurance else None, game=game.key)
