"""Infer the command behind an event, because everything in a command that matters is in its events.

Only text that no rule reads is lost, such as the reason for a new shoe.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import assert_never

from msgspec.structs import replace

from puntobanco.rules.cards import Card, Rank
from puntobanco.rules.procedures import StaffRank
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.events import AnyEvent, Stake
from puntobanco.table.guests import shown
from puntobanco.table.state import State

Told = Sequence[AnyEvent]
Cards = tuple[Card | None, ...]

UNRECORDED = "not recorded"
"""Stands for a required reason that no event records."""

BEFORE_OTHERS = (e.StakesReturned, e.CarryOverDiscarded, e.ShoeWithdrawn, e.SeatLeft, e.AlertRaised, e.ExcessRejected)
"""Events that may precede the event that identifies the command."""


def commands_for(state: State, told: Told) -> Iterable[c.Command]:
    """The commands that may have led to the first events, the likeliest first. All events are by the same person at the
    same moment. Events of further commands may follow."""
    first = told[0]
    if isinstance(first, e.BetsPlaced):  # by far the most frequent
        return (slip(first, plain_lines(first)),)
    return _commands_but_slips(state, first, told)


def _commands_but_slips(  # noqa: PLR0912, PLR0915 (one arm an event)
    state: State, first: AnyEvent, told: Told
) -> Iterator[c.Command]:
    if isinstance(first, BEFORE_OTHERS):
        named = next((place for place, one in enumerate(told) if not isinstance(one, BEFORE_OTHERS)), len(told))
        if named < len(told):
            yield from commands_for(state, told[named:])
    match first:
        case e.CardDrawn():
            yield c.DrawCard(round=first.round, index=first.index, card=_face(state, first.index, told))
        case e.CardExposed():
            yield c.ExposeCard(round=first.round, index=first.index, card=first.card)
        case e.CardCorrected():
            yield c.CorrectCard(round=first.round, index=first.index, card=first.card)
        case e.RoundSettled():
            yield c.Settle(round=first.round)

        # the table
        case e.TableOpened():
            yield c.OpenTable(setup=first.setup)
        case e.SetupChanged():
            yield c.ChangeSetup(setup=first.setup)
        case e.TableClosed():
            yield c.CloseTable(cause=first.cause, reason=first.reason)
        case e.ClosingAnnounced():
            yield c.AnnounceClosing(reason=first.reason)
        case e.TableTakenOver():
            yield c.TakeOver(round=first.round, away=first.away)
        case e.BoughtIn():
            yield c.BuyIn(person=first.person, amount=first.amount)
        case e.CashedOut():
            yield c.CashOut(person=first.person, amount=first.amount)
        case e.GuestBoughtIn():
            yield c.BuyInAtTable(
                name=shown(first.person), amount=first.amount, tender=first.tender, again=first.person in state.purses
            )
        case e.GuestLeft():
            yield c.LeaveTable(person=first.person)
        case e.SeatTaken():
            yield c.TakeSeat(box=first.box, person=_recorded_for(first, first.person))
        case e.SeatLeft():
            yield c.LeaveSeat(box=first.box)
        case e.WalkedAway():
            yield c.WalkAway(person=first.person)
        case e.RoleAssigned():
            yield c.Assign(person=first.person, role=StaffRank(first.role))
        case e.RoleRelieved():
            yield c.Relieve(person=first.person)
        case e.ShoeLoaded():
            yield c.LoadShoe(
                shoe=first.shoe, decks=first.decks, shuffled=first.shuffled, source=first.source,
                commitment=first.commitment, reason=UNRECORDED,
            )  # fmt: skip
        case e.ShoeWithdrawn():
            yield c.WithdrawShoe(reason=first.reason)
        case e.CarryOverDiscarded():
            withdrawn = told[1] if len(told) > 1 else None
            if isinstance(withdrawn, e.ShoeWithdrawn):
                yield c.WithdrawShoe(reason=withdrawn.reason)
        case e.CutCardShown():
            yield c.ShowCutCard()

        # betting
        case e.AlertRaised(kind=Alert.EXPOSED_CARD_CARRIED_OVER) if first.worth:
            yield c.OpenBetting(acknowledge=True, worth=c.Worth(cards=state.front, returns=first.worth))
        case e.AlertRaised(kind=Alert.ATTESTED_LATE) if first.worth:
            worth = c.Worth(cards=state.faces, returns=first.worth)
            yield from (replace(_attested(one), worth=worth) for one in told[1:2] if isinstance(one, e.BetAttested))
        case e.OpeningPermitted():
            yield c.PermitOpening()
        case e.BettingOpened():
            yield c.OpenBetting(acknowledge=True)
        case e.ObjectionRefused():
            yield c.Object(round=first.round, box=first.box, against=first.against)
        case e.ExcessRejected():
            yield c.RejectExcess(round=first.round, box=first.box)
        case e.MinimumAdvised():
            yield c.AdviseMinimum(round=first.round, box=first.box, person=first.person)
        case e.BetReturned():
            stake = first.stake
            yield c.ReturnBet(round=first.round, box=stake.box, bet=stake.bet, person=stake.owner)
        case e.CloseAnnounced():
            yield c.AnnounceClose(round=first.round)
        case e.BettingClosed():
            yield c.CloseBetting(round=first.round, over_excess=True, worth=_worth(told, state.front))
        case e.BetAttested():
            yield _attested(first)
        case e.LateBetNoted():
            yield c.NoteLateBet(
                round=first.round, person=first.person, box=first.box, bet=first.bet, amount=first.amount,
                withdrawn=first.withdrawn,
            )  # fmt: skip

        case e.ChipCollected():
            yield c.CollectChip(missing=first.missing)
        case e.ChipWrittenOff():
            yield c.WriteOffChip(missing=first.missing, reason=first.reason)

        # cards, windows, the result
        case e.SqueezeRequested():
            yield c.RequestSqueeze(round=first.round, index=first.index, person=_recorded_for(first, first.person))
        case e.SqueezeAnswered():
            yield c.AnswerSqueeze(round=first.round, index=first.index, permit=first.permitted)
        case e.SqueezeFinished():
            squeeze = state.squeezes.get(first.index)
            person = _recorded_for(first, squeeze.person) if squeeze else None
            yield c.FinishSqueeze(round=first.round, index=first.index, person=person)
        case e.WaiverRequested():
            yield c.RequestWaiver(round=first.round, person=_recorded_for(first, first.person))
        case e.WaiverAgreed():
            person = _recorded_for(first, first.person)
            yield c.AgreeToWaiver(round=first.round, agrees=first.agrees, person=person)
        case e.WaiverAnswered():
            yield c.AnswerWaiver(round=first.round, consent=first.consent)
        case e.InsuranceTaken():
            stake = first.stake
            person = _recorded_for(first, stake.owner)
            yield c.Insure(round=first.round, window=first.window, amount=stake.amount, box=stake.box, person=person)
        case e.InsuranceDeclined():
            person = _recorded_for(first, first.person)
            yield c.DeclineInsurance(round=first.round, window=first.window, box=first.box, person=person)
        case e.InsuranceClosed():
            yield c.CloseInsurance(round=first.round, window=first.window)
        case e.BoxesConfirmed():
            yield from (c.ConfirmBox(round=first.round, box=box) for box in first.boxes[:1])
            yield c.ConfirmRest(round=first.round)
        case e.TieChoiceMade():
            stake = first.stake
            yield from _leaving(stake.owner, told)
            person = _recorded_for(first, stake.owner)
            yield c.ChooseAfterTie(round=first.round, bet=stake.bet, leave=first.leave, box=stake.box, person=person)

        # irregularities
        case e.IrregularityReported():
            if first.report.fault is Fault.SHOE_EMPTY:  # the person who drew the next card found it
                face = None if state.plays_under is not None and state.plays_under.face_down else Card(Rank.ACE)
                yield c.DrawCard(round=state.round, index=len(state.drawn) + 1, card=face)
            yield _report(first.report, _worth(told, state.front))
        case e.Ruled():
            for order, cards in _ruled_on(state, first, told):
                yield c.Rule(
                    question=first.question, choice=first.choice, reason=first.reason, order=order, cards=cards,
                    bets=_named(told) if first.choice is Choice.DECIDE_BETS else (), worth=_worth(told, state.front),
                )  # fmt: skip
        case e.Elected():
            yield c.Elect(question=first.question, election=first.election, person=first.person, present=first.present)
        case e.OptionsClosed():
            yield c.CloseOptions(question=first.question)
        case e.DisplayCorrected():
            yield c.CorrectDisplay(round=first.round, shown=first.shown, correct=first.correct)
        case e.HouseDecided():
            decided = told[1] if len(told) > 1 else None
            bets = tuple(one.terms for one in decided.bets) if isinstance(decided, e.BetsDecided) else ()
            yield c.DecideUnprovided(round=first.round, decision=first.decision, reason=first.reason, bets=bets)

        case e.DebtSetOff():
            yield from _leaving(first.person, told)

        # events that only follow from another event of their command; slips are handled above
        case (
            e.BetsPlaced() | e.SetWithdrawn()
            | e.AlertRaised() | e.StakesReturned() | e.InsuranceOpened() | e.InsuranceReturned() | e.HandsCompleted()
            | e.CardsOutOfTurn() | e.CardsSetAside() | e.QuestionPut() | e.QuestionWithdrawn() | e.CardsReconstructed()
            | e.CardsLeftLying() | e.FaultClosed() | e.OptionsOffered() | e.RoundSuspended() | e.RoundResumed()
            | e.RoundVoided() | e.RoundEndedWithoutBets() | e.RoundDecided() | e.SettlementReversed()
            | e.CardsCarriedOver() | e.BetsDecided()
        ):  # fmt: skip
            return
        case _:
            assert_never(first)


def _recorded_for(event: AnyEvent, person: str) -> str | None:
    """The player for whom somebody else recorded it, if any."""
    return None if event.by.person == person else person


def _worth(told: Told, cards: Cards) -> c.Worth | None:
    """What a close was told of the bets: it is in the alert that follows."""
    for closed, alert in pairwise(told):
        if (
            isinstance(closed, e.BettingClosed)
            and isinstance(alert, e.AlertRaised)
            and alert.kind == Alert.BETS_ON_KNOWN_CARDS
        ):
            return c.Worth(cards=cards, returns=alert.worth)
    return None


def _attested(bet: e.BetAttested) -> c.AttestBet:
    line = _line(bet.stake, bet.stake.amount)
    return c.AttestBet(round=bet.round, owner=bet.stake.owner, line=line, attested=True, reason=UNRECORDED)


def _leaving(person: str, told: Told) -> Iterator[c.Command]:
    """The command of a guest who leaves, which first returns held stakes and pays debts."""
    if any(isinstance(one, e.GuestLeft) and one.person == person for one in told):
        yield c.LeaveTable(person=person)


def _face(state: State, index: int, told: Told) -> Card | None:
    """The face that a draw command named: the next one exposed, unless the card lies face down or was seen before."""
    if any(state.front[:1]) or (state.plays_under is not None and state.plays_under.face_down):
        return None
    return next((one.card for one in told if isinstance(one, e.CardExposed) and one.index == index), None)


def _report(told: e.Reported, worth: c.Worth | None) -> c.Report:
    return c.Report(
        round=told.round, fault=told.fault, cards=told.cards, index=told.index, lies=told.lies,
        to_person=told.to_person, order_known=told.order_known, note=told.note, since=told.since, shoe=told.shoe,
        worth=worth,
    )  # fmt: skip


# ---- slips -------------------------------------------------------------------------------------------------------


def slip(placed: e.BetsPlaced, lines: tuple[c.Line, ...]) -> c.PlaceBets:
    owner = placed.stakes[0].owner if placed.stakes and placed.by.role is not Role.PLAYER else None
    return c.PlaceBets(round=placed.round, lines=lines, owner=owner, requested=True)


def plain_lines(placed: e.BetsPlaced) -> tuple[c.Line, ...]:
    """One line for every stake, with its final amount."""
    return tuple([c.Line(bet=one.bet, amount=one.amount, box=one.box) for one in placed.stakes])


def lines_by_steps(state: State, placed: e.BetsPlaced) -> tuple[c.Line, ...]:
    """The lines of a slip that names a stake more than once: first those that lower stakes, then those that raise
    them."""
    lowered: list[c.Line] = []
    raised: list[c.Line] = []
    for stake, was in zip(placed.stakes, placed.was, strict=True):
        lies = sum(amount for order, amount in stake.placed if order <= state.orders)
        if lies < was:
            lowered.append(_line(stake, lies))
        if not stake.amount and stake.order > state.orders:  # taken away, placed again and taken away again
            lowered += [_line(stake, was), _line(stake, 0)]
        for order, amount in stake.placed:
            if order > state.orders:
                lies += amount
                raised.append(_line(stake, lies))
    return (*lowered, *raised)


def _line(stake: Stake, amount: int) -> c.Line:
    return c.Line(bet=stake.bet, amount=amount, box=stake.box)


# ---- rulings -----------------------------------------------------------------------------------------------------


def _ruled_on(state: State, ruled: e.Ruled, told: Told) -> Iterator[tuple[tuple[int, ...], Cards]]:
    """The order and the cards that a ruling may have named: none, or those in its events."""
    put, out = _put_in_order(told[1:])
    match ruled.choice:
        case Choice.ORDER:
            asked = state.question.report if state.question else 0
            report = next((one for one in state.faults if one.number == asked), None)
            since = ((report and report.index) or 1) - 1
            drawn = tuple(one.card for one in state.drawn)
            yield _order((report and report.cards) or drawn[since:], out or put[since : len(drawn)]), ()
        case Choice.CORRECT:
            yield (), put[: len(put) - len(state.front)]
        case Choice.RESETTLE:
            yield (), ()
            yield (), put[: len(put) - len(state.front)]
        case Choice.RECONSTRUCT:
            yield (), ()
            yield (), put
        case _:
            yield (), ()


def _named(told: Told) -> tuple[c.BetTerms, ...]:
    """The bets that a decision named when it ended the round."""
    return next((one.named for one in told if isinstance(one, e.RoundDecided)), ())


def _put_in_order(told: Told) -> tuple[Cards, Cards]:
    """The cards a ruling put in order, and those it brought out of the shoe."""
    put: Cards = ()
    out: Cards = ()
    for one in told:
        if isinstance(one, e.Ruled | e.FaultClosed):  # the following events belong to the next report
            break
        if isinstance(one, e.CardsReconstructed):
            put = (*one.cards, *one.spare)
        elif isinstance(one, e.CardsOutOfTurn):
            out = one.cards
    return put, out


def _order(together: Cards, wanted: Cards) -> tuple[int, ...]:
    """The places of the cards that came together, in the wanted order."""
    left, order = list(enumerate(together, start=1)), list[int]()
    for card in wanted:
        found = [one for one in left if one[1] == card][:1]
        order += [place for place, _ in found]
        left = [one for one in left if one not in found]
    return tuple(order)
