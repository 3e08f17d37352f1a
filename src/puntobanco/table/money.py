"""Money: every event as transfers between accounts. It covers every event, and every transfer sums to zero by its
form."""

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from puntobanco.ledger.accounts import Account, Accounts, Transfer, TransferKind, cage, chips
from puntobanco.rules.settlement import Result
from puntobanco.table import events as e
from puntobanco.table.commands import Tender
from puntobanco.table.events import AnyEvent, DecidedBet, SettledStake, Stake

BY_ITSELF = Accounts()


def transfers(event: AnyEvent, at: Accounts = BY_ITSELF) -> tuple[Transfer, ...]:
    """The transfers that the event makes. Most events make none."""
    return tuple([transfer for transfer in _transfers(event, at) if transfer.amount])


def _transfers(event: AnyEvent, at: Accounts) -> Sequence[Transfer]:  # noqa: PLR0912 (one arm a kind of event)
    match event:
        case e.BetsPlaced() | e.ExcessRejected():  # the most frequent first
            return [_moved(stake, was, at) for stake, was in zip(event.stakes, event.was, strict=True)]
        case e.CardDrawn() | e.CardExposed():
            return ()
        case e.InsuranceTaken() | e.BetAttested():
            return [_moved(event.stake, event.was, at)]
        case e.RoundSettled():
            return [made for settled in event.stakes for made in _settled(settled, at)]
        case e.BettingOpened():
            return _returned(event.returned, TransferKind.PUSH, at)
        case e.BoughtIn():
            return [Transfer(TransferKind.BUY_IN, at.wallet(event.person), at.purse(event.person), event.amount)]
        case e.CashedOut():
            return [Transfer(TransferKind.CASH_OUT, at.purse(event.person), at.wallet(event.person), event.amount)]
        case e.GuestBoughtIn() if event.tender is Tender.CASH:
            dropped = Transfer(TransferKind.DROP, cage, at.drop, event.amount)
            return [dropped, Transfer(TransferKind.BUY_IN, at.house, at.purse(event.person), event.amount)]
        case e.GuestBoughtIn():
            return [Transfer(TransferKind.BUY_IN, chips, at.purse(event.person), event.amount)]
        case e.GuestLeft():
            return [Transfer(TransferKind.CASH_OUT, at.purse(event.person), chips, event.amount)]
        case e.BetReturned():
            return _returned([event.stake], TransferKind.STAKE, at)
        case e.StakesReturned():
            return _returned(event.stakes, TransferKind.PUSH, at)
        case e.DebtSetOff():
            return [Transfer(TransferKind.SET_OFF, at.purse(event.person), at.receivable(event.person), event.amount)]
        case e.TieChoiceMade() if not event.leave:
            return _returned([event.stake], TransferKind.PUSH, at)
        case e.InsuranceReturned():
            return _returned(event.stakes, TransferKind.STAKE, at)
        case e.OptionsClosed():
            return _returned(event.returned, TransferKind.RETURN_OPTION, at)
        case e.RoundVoided():
            return [*_taken_back(event, event.taken_back, at), *_returned(event.refunds, TransferKind.VOID_REFUND, at)]
        case e.RoundDecided():
            return [made for settled in event.stakes for made in _settled(settled, at)]
        case e.BetsDecided():
            owed = dict(event.owed)
            return [made for one in event.bets for made in _decided(one, owed, at)]
        case e.SettlementReversed():
            return _taken_back(event, event.stakes, at)
        case (
            e.TableOpened() | e.SetupChanged() | e.ClosingAnnounced() | e.TableClosed()
            | e.TableTakenOver() | e.SeatTaken() | e.SeatLeft() | e.WalkedAway() | e.RoleAssigned()
            | e.RoleRelieved() | e.ShoeLoaded() | e.ShoeWithdrawn() | e.SetWithdrawn() | e.CutCardShown()
            | e.OpeningPermitted() | e.ObjectionRefused() | e.MinimumAdvised() | e.CloseAnnounced()
            | e.BettingClosed() | e.LateBetNoted() | e.ChipCollected() | e.ChipWrittenOff()
            | e.CardCorrected() | e.SqueezeRequested() | e.SqueezeAnswered() | e.SqueezeFinished()
            | e.WaiverRequested() | e.WaiverAgreed() | e.WaiverAnswered() | e.InsuranceOpened() | e.InsuranceDeclined()
            | e.InsuranceClosed() | e.HandsCompleted() | e.BoxesConfirmed() | e.TieChoiceMade()
            | e.IrregularityReported() | e.CardsOutOfTurn() | e.CardsSetAside() | e.QuestionPut()
            | e.QuestionWithdrawn() | e.Ruled() | e.CardsReconstructed() | e.CardsLeftLying()
            | e.FaultClosed() | e.OptionsOffered() | e.Elected() | e.RoundSuspended() | e.RoundResumed()
            | e.RoundEndedWithoutBets() | e.CardsCarriedOver() | e.CarryOverDiscarded()
            | e.DisplayCorrected() | e.AlertRaised() | e.HouseDecided()
        ):  # fmt: skip
            return ()
        case _:
            assert_never(event)


def _moved(stake: Stake, was: int, at: Accounts) -> Transfer:
    """Moves chips onto the layout, or back from it."""
    if stake.amount >= was:
        return Transfer(TransferKind.STAKE, at.purse(stake.owner), at.stakes, stake.amount - was)
    return Transfer(TransferKind.STAKE, at.stakes, at.purse(stake.owner), was - stake.amount)


def _returned(lying: Iterable[Stake], kind: TransferKind, at: Accounts) -> list[Transfer]:
    return [Transfer(kind, at.stakes, at.purse(stake.owner), stake.amount) for stake in lying]


def _settled(settled: SettledStake, at: Accounts) -> list[Transfer]:
    mine, plays, result = at.purse(settled.owner), settled.plays, settled.result
    made = []
    if settled.stake != plays:
        made.append(Transfer(TransferKind.RETURN_UNPLAYED, at.stakes, mine, settled.stake - plays))
    if settled.held:
        return made
    if result is Result.LOSE:
        made.append(Transfer(TransferKind.LOSS, at.stakes, at.house, plays))
    elif result is Result.PUSH:
        made.append(Transfer(TransferKind.PUSH, at.stakes, mine, plays))
    elif result is Result.WIN:
        made.append(Transfer(TransferKind.STAKE, at.stakes, mine, plays))
        made.append(Transfer(TransferKind.WIN, at.house, mine, settled.profit + settled.commission))
        if settled.commission:
            made.append(Transfer(TransferKind.COMMISSION, mine, at.commission, settled.commission))
    else:
        assert_never(result)
    return made


def _decided(one: DecidedBet, owed: dict[str, int], at: Accounts) -> Iterator[Transfer]:
    """Moves money from the earlier state of the bet to the decided one. What a purse cannot pay becomes a
    receivable."""
    mine, now, was = at.purse(one.terms.owner), one.settled, one.was
    if one.stake is not None:
        yield from _to_or_from(one.terms.owner, at.stakes, one.gets, owed, at)
    elif now is None:
        yield Transfer(TransferKind.DECISION, at.house, mine, one.gets)
    elif was is None:
        yield from _settled(now, at)
    else:
        if was.held:
            yield Transfer(TransferKind.DECISION, at.stakes, mine, was.plays)
        yield from _to_or_from(one.terms.owner, at.house, now.profit - was.profit, owed, at)
        more = now.commission - was.commission
        source, target = (at.house, at.commission) if more > 0 else (at.commission, at.house)
        yield Transfer(TransferKind.DECISION, source, target, abs(more))


def _to_or_from(person: str, account: Account, amount: int, owed: dict[str, int], at: Accounts) -> Iterator[Transfer]:
    """Moves the amount to the purse, or from it if negative."""
    if amount >= 0:
        yield Transfer(TransferKind.DECISION, account, at.purse(person), amount)
        return
    missing = min(-amount, owed.get(person, 0))
    owed[person] = owed.get(person, 0) - missing
    yield Transfer(TransferKind.DECISION, at.purse(person), account, -amount - missing)
    yield Transfer(TransferKind.DECISION, at.receivable(person), account, missing)


def _taken_back(
    event: e.SettlementReversed | e.RoundVoided, stakes: Iterable[SettledStake], at: Accounts
) -> list[Transfer]:
    owed = dict(event.owed)
    made_then = [(settled.owner, made) for settled in stakes for made in _settled(settled, at)]
    return [made for owner, one in made_then for made in _reversed(one, owner, owed, at)]


def _reversed(made: Transfer, owner: str, owed: dict[str, int], at: Accounts) -> Iterator[Transfer]:
    """Reverses a transfer of the owner's settlement. What the purse no longer holds becomes a receivable."""
    missing = min(made.amount, owed.get(owner, 0)) if made.target == at.purse(owner) else 0
    if missing:
        owed[owner] -= missing
        yield Transfer(TransferKind.REVERSAL, at.receivable(owner), made.source, missing)
    yield Transfer(TransferKind.REVERSAL, made.target, made.source, made.amount - missing)
