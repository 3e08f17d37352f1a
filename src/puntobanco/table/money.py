"""Money: every event as transfers between accounts. A total function, and every transfer sums to zero by its form."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from puntobanco.ledger.accounts import Kind, Transfer, cage, commission, house, purse, receivable, stakes
from puntobanco.rules.settlement import Result
from puntobanco.table import events as e
from puntobanco.table.events import AnyEvent, SettledStake, Stake


def transfers(event: AnyEvent) -> tuple[Transfer, ...]:
    """What the event moves, and between whom; most events move nothing."""
    return tuple([transfer for transfer in _transfers(event) if transfer.amount])


def _transfers(event: AnyEvent) -> Iterator[Transfer]:  # noqa: PLR0912 (one arm a kind of event)
    match event:
        case e.BoughtIn():
            yield Transfer(Kind.BUY_IN, cage, purse(event.person), event.amount)
        case e.CashedOut():
            yield Transfer(Kind.CASH_OUT, purse(event.person), cage, event.amount)
        case e.BetsPlaced() | e.ExcessRejected():
            for stake, was in zip(event.stakes, event.was, strict=True):
                yield _moved(stake, was)
        case e.InsuranceTaken():
            yield _moved(event.stake, event.was)
        case e.BetAttested():
            yield _moved(event.stake, event.was)
        case e.BetReturned():
            yield from _returned([event.stake], Kind.STAKE)
        case e.BettingOpened():
            yield from _returned(event.returned, Kind.PUSH)
        case e.StakesReturned():
            yield from _returned(event.stakes, Kind.PUSH)
        case e.DebtSetOff():
            yield Transfer(Kind.SET_OFF, purse(event.person), receivable(event.person), event.amount)
        case e.TieChoiceMade() if not event.leave:
            yield from _returned([event.stake], Kind.PUSH)
        case e.InsuranceReturned():
            yield from _returned(event.stakes, Kind.STAKE)
        case e.OptionsClosed():
            yield from _returned(event.returned, Kind.RETURN_OPTION)
        case e.RoundVoided():
            yield from _returned(event.refunds, Kind.VOID_REFUND)
        case e.RoundSettled():
            for settled in event.stakes:
                yield from _settled(settled)
        case e.SettlementReversed():
            owed = dict(event.owed)
            for settled in event.stakes:
                for made in _settled(settled):
                    yield from _reversed(made, owed)
        case _:
            return


def _moved(stake: Stake, was: int) -> Transfer:
    """Chips onto the layout, or back from it."""
    if stake.amount >= was:
        return Transfer(Kind.STAKE, purse(stake.owner), stakes, stake.amount - was)
    return Transfer(Kind.STAKE, stakes, purse(stake.owner), was - stake.amount)


def _returned(lying: Iterable[Stake], kind: Kind) -> Iterator[Transfer]:
    for stake in lying:
        yield Transfer(kind, stakes, purse(stake.owner), stake.amount)


def _settled(settled: SettledStake) -> Iterator[Transfer]:
    mine = purse(settled.owner)
    yield Transfer(Kind.RETURN_UNPLAYED, stakes, mine, settled.stake - settled.plays)
    if settled.held:
        return
    match settled.result:
        case Result.LOSE:
            yield Transfer(Kind.LOSS, stakes, house, settled.plays)
        case Result.PUSH:
            yield Transfer(Kind.PUSH, stakes, mine, settled.plays)
        case Result.WIN:
            yield Transfer(Kind.STAKE, stakes, mine, settled.plays)
            yield Transfer(Kind.WIN, house, mine, settled.profit + settled.commission)
            yield Transfer(Kind.COMMISSION, mine, commission, settled.commission)
        case _:
            assert_never(settled.result)


def _reversed(made: Transfer, owed: dict[str, int]) -> Iterator[Transfer]:
    """The transfer taken back; what the purse no longer holds becomes a receivable."""
    person = made.target.removeprefix("purse:")
    missing = min(made.amount, owed.get(person, 0)) if made.target.startswith("purse:") else 0
    if missing:
        owed[person] -= missing
        yield Transfer(Kind.REVERSAL, receivable(person), made.source, missing)
    yield Transfer(Kind.REVERSAL, made.target, made.source, made.amount - missing)
