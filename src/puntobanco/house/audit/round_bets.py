"""The bets of a round and what became of each, from its events."""

from collections.abc import Iterable

from puntobanco.protocol.rounds import RoundBet
from puntobanco.table import events as e
from puntobanco.table.events import AnyEvent, SettledStake, Stake, stake_key


def bets_of(told: Iterable[AnyEvent]) -> tuple[RoundBet, ...]:
    """The bets of a round after the given events: settled, refunded or still in play."""
    lying: dict[str, Stake] = {}
    ended: tuple[RoundBet, ...] | None = None
    gone: dict[str, RoundBet] = {}
    for event in told:
        match event:
            case e.BettingOpened():
                lying = {one.key: one for one in event.left_lying}
            case e.BetsPlaced() | e.ExcessRejected():
                lying |= {one.key: one for one in event.stakes}
            case e.InsuranceTaken() | e.BetAttested():
                lying[event.stake.key] = event.stake
            case e.BetReturned():
                lying.pop(event.stake.key, None)
            case e.RoundSettled() | e.RoundDecided():
                ended = tuple(settled_bet(one) for one in event.stakes)
            case e.BetsDecided():
                lying |= {one.key: one.stake for one in event.bets if one.stake is not None}
                anew = {one.key: settled_bet(one.settled) for one in event.bets if one.settled is not None}
                gone |= {key: one for key, one in anew.items() if ended is None}
                lying = {key: one for key, one in lying.items() if key not in gone}
                ended = ended and tuple(anew.get(stake_key(one.box, one.bet, one.owner), one) for one in ended)
            case e.RoundVoided():
                rule = event.rule.paragraph if event.rule is not None else None
                ended, gone = tuple(placed_bet(one, one.amount, rule) for one in event.refunds), {}
            case e.SettlementReversed():
                ended = None
            case _:
                continue
    left = ended if ended is not None else tuple(placed_bet(one) for one in lying.values() if one.amount)
    return (*left, *gone.values())


def settled_bet(one: SettledStake) -> RoundBet:
    return RoundBet(
        owner=one.owner, box=one.box, bet=one.bet, stake=one.stake, plays=one.plays, unplayed_rule=one.unplayed_rule,
        result=one.result, back=one.back, profit=one.profit, commission=one.commission,
        commission_rule=one.commission_rule, pays=one.pays, rule=one.rule,
    )  # fmt: skip


def placed_bet(stake: Stake, back: int = 0, rule: str | None = None) -> RoundBet:
    return RoundBet(owner=stake.owner, box=stake.box, bet=stake.bet, stake=stake.amount, back=back, rule=rule)
