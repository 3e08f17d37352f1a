"""The settlement of stakes: by the result, or by what is already certain while cards are still to come."""

from collections.abc import Mapping
from itertools import takewhile

from msgspec.structs import replace

from puntobanco.rules import insurance
from puntobanco.rules.coup import Coup
from puntobanco.rules.established import possible_outcomes
from puntobanco.rules.game import Bet, Game, PayLine
from puntobanco.rules.insurance import Insured, Offer
from puntobanco.rules.money import Cents
from puntobanco.rules.outcome import Outcome, Winner, reachable
from puntobanco.rules.procedures import TieMode
from puntobanco.rules.settlement import Result, Settled, deciding_line, settle_by
from puntobanco.table.events import SettledStake, Stake
from puntobanco.table.pending import PendingEvents
from puntobanco.table.state import State, lying_order


def settled_stakes(pending: PendingEvents, outcome: Outcome) -> tuple[SettledStake, ...]:
    """The settlement of every stake. Equal stakes on the same bet are settled once and share the result."""
    lines = {bet.key: deciding_line(bet, outcome) for bet in pending.felt.bets.values() if bet.insures is None}
    alike: dict[tuple[str, int, int], SettledStake] = {}
    settled: list[SettledStake] = []
    cut = pending.state.plays
    for key, stake in pending.state.stakes.items():
        plays = cut.get(key, stake.amount)
        like = alike.get((stake.bet, stake.amount, plays))
        if like is None:
            like = alike[stake.bet, stake.amount, plays] = settled_stake(pending, stake, plays, outcome, lines)
        settled.append(replace(like, owner=stake.owner, box=stake.box))
    return tuple(settled)


def settled_stake(
    pending: PendingEvents, stake: Stake, plays: int, outcome: Outcome, lines: Mapping[str, PayLine | None]
) -> SettledStake:
    game = pending.felt.game
    cut = game.irregularities.over_differential
    name, at, window = stake.bet.partition("@")
    bet = pending.felt.bets[name]
    settled = (
        _settled_insurance(pending, bet, window, plays, outcome) if at else settle_by(lines[name], bet, Cents(plays))
    )
    return SettledStake(
        owner=stake.owner,
        box=stake.box,
        bet=stake.bet,
        stake=stake.amount,
        plays=plays,
        result=settled.result,
        profit=settled.profit,
        rule=str(settled.rule),
        commission=settled.commission,
        commission_rule=str(settled.commission_rule) if settled.commission_rule else None,
        unplayed_rule=str(cut.pro_rata) if cut and plays < stake.amount else None,
        pays=settled.pays,
        held=_held(game, bet, settled, outcome),
    )


def _settled_insurance(pending: PendingEvents, bet: Bet, window: str, plays: int, outcome: Outcome) -> Settled:
    game = pending.felt.game
    offers = insurance.offers(game, _open_cards(pending.state), waived=pending.state.waived)
    row = next(offer.row for offer in offers if offer.window == window)
    return insurance.settle_insurance(Insured(Offer(bet, row), Cents(plays)), game, outcome)


def _open_cards(state: State) -> Coup:
    """The exposed cards up to the first that lies face down, because a window opens only on cards that everyone has
    seen."""
    drawn = lying_order(state) if state.as_lying else state.drawn
    open_ = takewhile(lambda one: one.card is not None, drawn)
    return Coup(tuple(one.card for one in open_ if one.card is not None))


def _held(game: Game, bet: Bet, settled: Settled, outcome: Outcome) -> bool:
    """Whether the owner may take or leave the original stake after a tie."""
    tie = outcome.winner is Winner.TIE and settled.result is Result.PUSH
    return bet.original and tie and game.tie.mode is TieMode.MAY_BE_WITHDRAWN


# ---- while cards are still to come -------------------------------------------------------------------------------


def concluded(pending: PendingEvents, stake: Stake, plays: int) -> SettledStake | None:
    """The settlement of the stake whatever cards follow, or none while it is open. If a bet has won but the amount is
    open, the least it can win."""
    ways = [settled_stake(pending, stake, plays, outcome, lines) for outcome, lines in _ways(pending, stake.bet)]
    if len({one.result for one in ways}) > 1:
        return None
    return replace(min(ways, key=lambda one: one.profit), held=False)


def _ways(pending: PendingEvents, name: str) -> list[tuple[Outcome, Mapping[str, PayLine | None]]]:
    """The outcomes that are still possible, one for each way in which they decide the bet."""
    key, at, _ = name.partition("@")
    bet, known = pending.felt.bets[key], pending.state.outcome
    possible = possible_outcomes(pending.state.seen_in_order) if known is None else ()
    ways: dict[object, tuple[Outcome, Mapping[str, PayLine | None]]] = {}
    for outcome in (known,) if known is not None else [one for one in reachable() if one in possible]:
        line = None if at else deciding_line(bet, outcome)
        ways.setdefault(outcome.winner if at else id(line), (outcome, {key: line}))
    return list(ways.values())
