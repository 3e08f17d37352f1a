"""evolve(state, event): the state after an event. It never refuses, calls no rule and handles every event."""

from collections.abc import Iterable
from typing import Any, TypeVar, assert_never

from msgspec.structs import force_setattr, replace

from puntobanco.rules.cards import Card
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Fault
from puntobanco.table.events import AnyEvent, SettledStake, Stake, offer_key
from puntobanco.table.state import (
    Closing,
    Drawn,
    EndedBet,
    MissingChip,
    OpenOptions,
    OpenWindow,
    Phase,
    ShoeInUse,
    SqueezeInProgress,
    State,
)

Held = TypeVar("Held")


def replay(events: Iterable[AnyEvent], state: State | None = None) -> State:
    """The state after all events of a history."""
    state = State() if state is None else state
    for event in events:
        state = evolve(state, event)
    return state


class Draft:
    """The mappings that a batch of decisions has made and nothing else refers to. They are changed in place, so that a
    bet costs the same however many people bet. Whoever uses one keeps no state from the middle of the batch."""

    def __init__(self) -> None:
        self._own: dict[int, dict[str, Any]] = {}
        self.changes = 0

    def of(self, held: dict[str, Held]) -> dict[str, Held]:
        """The mapping itself, if it was made here, otherwise a copy."""
        self.changes += 1
        if id(held) in self._own:
            return held
        own = held.copy()
        self._own[id(own)] = own
        return own


def evolve(state: State, event: AnyEvent, draft: Draft | None = None) -> State:
    """`draft`: for a bet, the mappings that may be changed in place."""
    if draft is not None and isinstance(event, e.BetsPlaced):
        after = _present(_staked(state, event.stakes, event.was, draft), event)
    else:
        after = _evolved(state, event)
    version = state.version + 1
    if after is state:
        return replace(state, version=version)
    force_setattr(after, "version", version)  # no copy needed: nothing else refers to the new state yet
    return after


def _evolved(state: State, event: AnyEvent) -> State:  # noqa: PLR0912, PLR0915 (one arm an event)
    match event:
        # the most frequent events first
        case e.BetsPlaced():
            return _present(_staked(state, event.stakes, event.was), event)
        case e.ExcessRejected():
            less = {one.key: was - one.amount for one, was in zip(event.stakes, event.was, strict=True)}
            staked = _staked(state, event.stakes, event.was)
            return replace(staked, handed_back=_changed(state.handed_back, less))
        case e.CardDrawn():
            front = state.front[1:] if event.carried else state.front
            shoe = state.shoe if event.carried else _fewer(state.shoe, 1)
            drawn_now = replace(
                state, drawn=(*state.drawn, Drawn(event.to)), front=front, shoe=shoe, keyed=0,
                dealt_from=state.dealt_from if event.carried else _dealt_from(state.dealt_from, shoe),
            )  # fmt: skip
            return _squeezed(drawn_now, event) if event.index in state.squeezes else drawn_now
        case e.CardExposed():
            drawn = list(state.drawn)
            drawn[event.index - 1] = replace(drawn[event.index - 1], card=event.card)
            seen = state.seen if event.counted else _seen(state.seen, [event.card])
            by_hand = not (event.counted or event.by.device or event.by.house or event.by.role is Role.SYSTEM)
            keyed = event.index if by_hand and state.interrupted is None else 0
            exposed = _squeeze_over(state, event) if event.index in state.squeezes else state
            return replace(exposed, drawn=tuple(drawn), seen=seen, keyed=keyed)

        # the table
        case e.TableOpened():
            played = (state.played or state.setup) if state.in_gap else None
            phase = state.closed_in or Phase.IDLE
            return replace(state, setup=event.setup, phase=phase, closed_in=None, played=played)
        case e.SetupChanged():
            return replace(state, setup=event.setup)
        case e.ClosingAnnounced():
            return replace(state, closing=Closing(round=state.round, until=event.until, reason=event.reason))
        case e.TableClosed() if event.hears:
            unconfirmed = frozenset(state.purses)
            return replace(state, phase=Phase.CLOSED, closed_in=state.phase, unconfirmed=unconfirmed, closing=None)
        case e.TableClosed():
            ended = replace(_ended(state), unconfirmed=frozenset(state.purses))
            return replace(ended, phase=Phase.CLOSED, closed_in=Phase.IDLE, held={}, leaving=frozenset(), settled=())
        case e.TableTakenOver():
            return _later(state, event.away)
        case e.StakesReturned():
            return replace(_given_back(state, event.stakes), held={}, leaving=frozenset(), stakes=state.stakes)
        case e.BoughtIn() | e.GuestBoughtIn():
            purses = _changed(state.purses, {event.person: event.amount})
            bought = replace(state, purses=purses, unconfirmed=state.unconfirmed - {event.person})
            return replace(bought, absent=state.absent - {event.person}) if event.back else bought
        case e.CashedOut():
            purses = _changed(state.purses, {event.person: -event.amount})
            return replace(state, purses=purses, unconfirmed=state.unconfirmed | {event.person})
        case e.GuestLeft():
            purses = {who: held for who, held in state.purses.items() if who != event.person}
            return replace(_gone(state, event.person), purses=purses, absent=state.absent - {event.person})
        case e.SeatTaken():
            return replace(state, seats={**state.seats, event.box: event.person}, absent=state.absent - {event.person})
        case e.SeatLeft():
            return replace(state, seats={box: who for box, who in state.seats.items() if box != event.box})
        case e.WalkedAway():
            return replace(_gone(state, event.person), absent=state.absent | {event.person})
        case e.RoleAssigned():
            return replace(state, acting={**state.acting, event.person: event.role})
        case e.RoleRelieved():
            return replace(state, acting={who: role for who, role in state.acting.items() if who != event.person})
        case e.ShoeLoaded():
            shoe = ShoeInUse(
                name=event.shoe, decks=event.decks, left=event.cards - event.burned, shuffled=event.shuffled,
                loaded=state.version + 1, sealed=event.commitment is not None,
            )  # fmt: skip
            old = len(state.drawn) + len(state.front) if state.in_round or state.in_gap else 0
            before = state.dealt_from if old or not state.in_round else ()
            dealt_from = _dealt_from(before, shoe) if state.in_round else before
            return replace(state, shoe=shoe, seen={}, old=old, dealt_from=dealt_from, keyed=0)
        case e.ShoeWithdrawn():
            return replace(state, shoe=state.shoe and replace(state.shoe, in_service=False, unproven=event.unproven))
        case e.CutCardShown():
            return replace(state, shoe=state.shoe and replace(state.shoe, last_round=True))

        # betting
        case e.OpeningPermitted():
            return replace(state, permitted=event.cards)
        case e.BettingOpened():
            return _opened(state, event)
        case e.LateBetNoted() if event.missing:
            chip = MissingChip(
                round=event.round, person=event.person, box=event.box, bet=event.bet, amount=event.amount
            )
            return replace(state, missing={**state.missing, event.missing: chip}, missed=event.missing)
        case e.ChipCollected() | e.ChipWrittenOff():
            missing = {number: chip for number, chip in state.missing.items() if number != event.missing}
            return replace(state, missing=missing)
        case (
            e.SetWithdrawn()
            | e.ObjectionRefused()
            | e.LateBetNoted()
            | e.DisplayCorrected()
            | e.AlertRaised()
            | e.HouseDecided()
        ):
            return state
        case e.MinimumAdvised():
            return replace(state, advised=state.advised | {f"{event.box}/{event.person}"})
        case e.BetReturned():
            return _given_back(state, [event.stake])
        case e.CloseAnnounced():
            return replace(state, phase=Phase.CLOSING, deadline=event.until)
        case e.BettingClosed():
            plays = {one.key: one.plays for one in event.cut}
            closed_now = replace(state, plays=plays, at_close=state.stakes, closed_by_card=event.by_card)
            if state.interrupted is not None:
                return replace(closed_now, interrupted=Phase.DEALING, interrupted_deadline=0)
            return replace(closed_now, phase=Phase.DEALING, deadline=0)
        case e.BetAttested():
            staked = _staked(state, [event.stake], [event.was])
            here = f"{event.stake.box}/"
            elsewhere = {key: many for key, many in state.plays.items() if not key.startswith(here)}
            at_close = {**state.at_close, event.stake.key: event.stake}
            plays = elsewhere | {one.key: one.plays for one in event.cut}
            return replace(staked, plays=plays, at_close=at_close)

        # cards and windows
        case e.CardCorrected():
            return _corrected(state, event)
        case e.SqueezeRequested():
            asked = SqueezeInProgress(person=event.person, recorded=event.by.person != event.person)
            return replace(state, squeezes={**state.squeezes, event.index: asked})
        case e.SqueezeAnswered():
            if not event.permitted:
                return replace(state, squeezes=_without(state.squeezes, event.index))
            permitted = replace(state.squeezes[event.index], permitted=True)
            return replace(state, squeezes={**state.squeezes, event.index: permitted})
        case e.SqueezeFinished():
            return _squeeze_over(state, event)
        case e.WaiverRequested():
            return replace(state, waiver_asked=event.person, waiver_until=event.until)
        case e.WaiverAgreed():
            return _present(replace(state, waiver_said={**state.waiver_said, event.person: event.agrees}), event)
        case e.WaiverAnswered():
            return replace(state, waiver_asked=None, waived=event.consent, keyed=0 if event.consent else state.keyed)
        case e.InsuranceOpened():
            window = OpenWindow(
                window=event.window,
                bet=event.bet,
                insures=event.insures,
                odds=event.odds,
                offers=event.offers,
                deadline=event.deadline,
            )
            return replace(state, phase=Phase.INSURANCE, window=window, deadline=event.deadline, keyed=0)
        case e.InsuranceTaken():
            answered = _answered(state, event.stake.owner, event.stake.box)
            return _present(_staked(answered, [event.stake], [event.was]), event)
        case e.InsuranceDeclined():
            return _present(_answered(state, event.person, event.box), event)
        case e.InsuranceClosed():
            closed = state.windows_closed | {event.window}
            return replace(state, phase=Phase.DEALING, window=None, windows_closed=closed, deadline=0)
        case e.InsuranceReturned():
            over = state.window is not None and state.window.window in event.windows
            closed = state.windows_closed - set(event.windows)
            still = None if over else state.window
            return replace(_given_back(state, event.stakes), window=still, windows_closed=closed)
        case e.HandsCompleted():
            return replace(state, phase=Phase.RESULT, outcome=event.outcome)
        case e.RoundSettled():
            return _settled(state, event)
        case e.BoxesConfirmed():
            unpaid = tuple(box for box in state.unpaid if box not in event.boxes)
            confirmed = replace(state, unpaid=unpaid, paid=True)
            return confirmed if unpaid else _concluded(confirmed)
        case e.TieChoiceMade():
            if event.leave:
                return replace(state, leaving=state.leaving | {event.stake.key})
            held = {key: stake for key, stake in state.held.items() if key != event.stake.key}
            purses = _changed(state.purses, {event.stake.owner: event.stake.amount})
            return replace(state, held=held, purses=purses, leaving=state.leaving - {event.stake.key})

        # irregularities
        case e.IrregularityReported():
            told = replace(state, faults=(*state.faults, event.report), reports=event.report.number)
            return _later(told, event.by.at - event.report.since) if event.report.since else told
        case e.CardsOutOfTurn():
            shoe = _fewer(state.shoe, len(event.cards))
            return replace(state, front=(*state.front, *event.cards), shoe=shoe, seen=_seen(state.seen, event.cards))
        case e.QuestionPut():
            waits = Phase.SUSPENDED if state.phase is Phase.SUSPENDED else Phase.DECISION
            waiting = _interrupted(state, waits, event)
            return replace(waiting, question=event.question, questions=event.question.number)
        case e.Ruled() | e.QuestionWithdrawn():
            return replace(state, question=None)
        case e.CardsSetAside():
            shoe = _fewer(state.shoe, len(event.cards))
            return replace(state, shoe=shoe, seen=_seen(state.seen, event.cards))
        case e.CardsReconstructed():
            return _reconstructed(state, event)
        case e.CardsLeftLying():
            drawn = [Drawn(side, one.card) for side, one in zip(event.sides, state.drawn, strict=True)]
            return replace(state, drawn=tuple(drawn), as_lying=True, outcome=None)
        case e.FaultClosed():
            faults = tuple(one for one in state.faults if one.number != event.report)
            due = event.rule if event.grants_options and state.options_due is None else state.options_due
            together = state.drawn_together or (event.fault is Fault.SIMULTANEOUS and not event.logged_only)
            unfounded = state.unfounded | ({event.unfounded_claim} if event.unfounded_claim else set())
            dealt_with = replace(
                state, faults=faults, options_due=due, drawn_together=together, unfounded=unfounded,
                replaceable=together or state.replaceable, keyed=state.keyed if event.logged_only else 0,
            )  # fmt: skip
            if event.grants_options:
                causes = tuple(dict.fromkeys((*state.options_for, event.fault)))
                dealt_with = replace(dealt_with, options_for=causes)
            return _put_back(dealt_with, event.put_back) if event.put_back else dealt_with
        case e.OptionsOffered():
            options = OpenOptions(
                question=event.question,
                people=event.people,
                elections={},
                returns_by=event.returns_by,
                deadline=event.deadline,
                faults=state.options_for,
            )
            open_ = _interrupted(state, Phase.OPTIONS, event)
            put = replace(open_, options=options, questions=event.question, deadline=event.deadline)
            return replace(put, options_due=None, options_for=())
        case e.Elected():
            assert state.options is not None, "an election answers open options"
            elections = {**state.options.elections, event.person: event.election}
            own = state.options.own | ({event.person} if event.by.person == event.person else set())
            return _present(replace(state, options=replace(state.options, elections=elections, own=own)), event)
        case e.OptionsClosed():
            gone = state.took_back | {stake.owner for stake in event.returned}
            plays = {key: many for key, many in state.plays.items() if key not in {one.key for one in event.returned}}
            given = _given_back(state, event.returned)
            return replace(given, options=None, deadline=0, took_back=gone, plays=plays)
        case e.RoundSuspended():
            return _interrupted(state, Phase.SUSPENDED, event)
        case e.RoundResumed():
            still = state.window and replace(state.window, deadline=event.deadline)
            waited = event.by.at - state.interrupted_at
            later = {
                index: replace(one, deadline=one.deadline + waited) if one.deadline else one
                for index, one in state.squeezes.items()
            }
            return replace(
                state, phase=Phase(event.to), interrupted=None, deadline=event.deadline, window=still, squeezes=later,
                waiver_until=state.waiver_until + waited if state.waiver_until else 0,
            )  # fmt: skip
        case e.RoundVoided():
            taken = _taken_back(state, event.taken_back, event.owed)
            return _over(_ended(_given_back(replace(taken, ended=()), event.refunds)), Phase.VOIDED)
        case e.RoundEndedWithoutBets():
            return _over(_ended(state), Phase.WITHOUT_BETS)
        case e.RoundDecided():
            return _settled(state, event)
        case e.BetsDecided():
            return _bets_decided(state, event)
        case e.SettlementReversed():
            return _unsettled(state, event)
        case e.DebtSetOff():
            owed = _changed(state.owed, {event.person: -event.amount})
            return replace(state, purses=_changed(state.purses, {event.person: -event.amount}), owed=owed)
        case e.CardsCarriedOver():
            return state
        case e.CarryOverDiscarded():
            many = len(state.front) if event.many is None else event.many
            return replace(state, front=state.front[many:], old=min(state.old, len(state.drawn)))
        case _:
            assert_never(event)


# ---- shared by several events ------------------------------------------------------------------------------------


def _changed(held: dict[str, int], by: dict[str, int]) -> dict[str, int]:
    changed = held.copy()
    for person, amount in by.items():
        changed[person] = changed.get(person, 0) + amount
    return changed


def _staked(state: State, stakes: Iterable[Stake], was: Iterable[int], draft: Draft | None = None) -> State:
    """Puts the stakes on the layout as they now lie. The difference comes from the purse or goes back to it."""
    draft = draft or Draft()
    lying, purses, orders = draft.of(state.stakes), draft.of(state.purses), state.orders
    for stake, before in zip(stakes, was, strict=True):
        owner, amount, last = stake.owner, stake.amount, stake.order
        purses[owner] = purses.get(owner, 0) + before - amount
        if amount:
            lying[stake.key] = stake
        else:
            lying.pop(stake.key, None)
        if stake.raises:
            last = stake.raises[-1][0]
        orders = max(orders, last)
    return replace(state, stakes=lying, purses=purses, orders=orders)


def _gone(state: State, person: str) -> State:
    """Frees the seat of a person who left the table and ends their confirmation."""
    seats = {box: who for box, who in state.seats.items() if who != person}
    return replace(state, seats=seats, unconfirmed=state.unconfirmed | {person})


def _answered(state: State, owner: str, box: int) -> State:
    """The state with that person's answer to the offer of insurance for a box."""
    if state.window is None:
        return state
    key = offer_key(owner, box)
    return replace(state, window=replace(state.window, answered=state.window.answered | {key}))


def _present(state: State, event: AnyEvent) -> State:
    """Marks a player who had walked away as present again when they act."""
    back = event.by.person in state.absent and event.by.role is Role.PLAYER
    return replace(state, absent=state.absent - {event.by.person}) if back else state


def _given_back(state: State, stakes: Iterable[Stake]) -> State:
    """Moves stakes from the layout back to their owners' purses."""
    lying, purses = state.stakes.copy(), state.purses.copy()
    for stake in stakes:
        lying.pop(stake.key, None)
        purses[stake.owner] = purses.get(stake.owner, 0) + stake.amount
    return replace(state, stakes=lying, purses=purses)


def _opened(state: State, event: e.BettingOpened) -> State:
    """Starts a new round on a clean layout, with the stakes left since a tie."""
    purses = state.purses.copy()
    for stake in event.returned:
        purses[stake.owner] = purses.get(stake.owner, 0) + stake.amount
    fresh = _ended(state)
    return replace(
        fresh,
        shoe=state.shoe and replace(state.shoe, finished=event.last_of_shoe),
        phase=Phase.BETTING,
        played=None,
        permitted=(),
        not_offered=event.not_offered,
        dealt_from=_dealt_from((), state.shoe),
        replaceable=False,
        round=event.round,
        house_deals=event.by.house or event.by.role is Role.SYSTEM,
        deadline=event.deadline,
        purses=purses,
        stakes={stake.key: stake for stake in event.left_lying},
        orders=len(event.left_lying),
        drawn=(),
        in_hands=False,
        outcome=None,
        settled=(),
        ended=(),
        paid=False,
        held={},
        leaving=frozenset(),
        waived=False,
        windows_closed=frozenset(),
        as_lying=False,
        old=0,
    )


def _ended(state: State) -> State:
    """Resets everything that belongs to an open round."""
    return replace(
        state,
        interrupted=None,
        not_offered=(),
        stakes={},
        handed_back={},
        plays={},
        closed_by_card=False,
        advised=frozenset(),
        took_back=frozenset(),
        unfounded=frozenset(),
        squeezes={},
        drawn_together=False,
        squeeze_left=None,
        waiver_asked=None,
        waiver_until=0,
        waiver_said={},
        window=None,
        faults=(),
        question=None,
        options_due=None,
        options_for=(),
        options=None,
        deadline=0,
        keyed=0,
    )


def _settled(state: State, event: e.RoundSettled | e.RoundDecided) -> State:
    purses, held = state.purses.copy(), {}
    for one in event.stakes:
        purses[one.owner] = purses.get(one.owner, 0) + one.back
        if one.held:
            held[one.key] = replace(state.stakes[one.key], amount=one.plays)
    if isinstance(event, e.RoundDecided):
        decided = replace(state, purses=purses, held=held, settled=event.stakes, unpaid=(), keyed=0)
        return _concluded(decided, Phase.DECIDED)
    posted = replace(
        state, outcome=event.outcome, purses=purses, held=held, settled=event.stakes, unpaid=event.boxes, keyed=0
    )
    return replace(posted, phase=Phase.PAYING) if event.boxes else _concluded(posted)


def _concluded(state: State, phase: Phase = Phase.SETTLED) -> State:
    """Ends a round with every box settled. The positions of the bets are kept in case the settlement is reversed."""
    return replace(_over(_ended(state), phase), stakes=state.stakes, plays=state.plays, paid=True)


def _bets_decided(state: State, event: e.BetsDecided) -> State:
    purses, owed = state.purses.copy(), state.owed.copy()
    stakes, at_close, plays = state.stakes.copy(), state.at_close.copy(), state.plays.copy()
    settled, held, ended = {one.key: one for one in state.settled}, state.held.copy(), state.ended
    for one in event.bets:
        owner, key = one.terms.owner, one.key
        purses[owner] = purses.get(owner, 0) + one.gets
        if one.stake is not None:
            stakes[key] = at_close[key] = one.stake
            plays.pop(key, None)
        elif one.settled is not None and one.was is None:
            ended = (*ended, EndedBet(stake=stakes.pop(key), settled=one.settled))
            plays.pop(key, None)
        elif one.settled is not None:
            settled[key] = one.settled
            stakes[key] = replace(stakes[key], amount=one.settled.stake)
            held.pop(key, None)
    for person, amount in event.owed.items():
        purses[person] += amount
        owed[person] = owed.get(person, 0) + amount
    return replace(
        state, purses=purses, owed=owed, stakes=stakes, at_close=at_close, plays=plays,
        settled=tuple(settled.values()), ended=ended, held=held, leaving=state.leaving & held.keys(),
    )  # fmt: skip


def _over(state: State, phase: Phase) -> State:
    """Ends the round in that phase. A table that was closed after the round and accepted a report about it closes
    again."""
    if state.closed_in is None:
        return replace(state, phase=phase)
    return replace(state, phase=Phase.CLOSED, closed_in=phase)


def _unsettled(state: State, event: e.SettlementReversed) -> State:
    """Restores the state before the settlement: every stake lies where it lay, and all payments are taken back."""
    return replace(
        _taken_back(state, event.stakes, event.owed),
        settled=(), unpaid=(), held={}, leaving=frozenset(), outcome=None,
        interrupted=Phase.RESULT if state.interrupted is not None else None,
        phase=state.phase if state.interrupted is not None else Phase.RESULT,
    )  # fmt: skip


def _taken_back(state: State, settled: Iterable[SettledStake], missing: dict[str, int]) -> State:
    """Takes payments back from the purses. What a purse no longer holds becomes a debt."""
    purses, owed = state.purses.copy(), state.owed.copy()
    for one in settled:
        purses[one.owner] = purses.get(one.owner, 0) - one.back
    for person, amount in missing.items():
        purses[person] += amount
        owed[person] = owed.get(person, 0) + amount
    return replace(state, purses=purses, owed=owed)


def _interrupted(state: State, phase: Phase, event: AnyEvent) -> State:
    """Interrupts the round. The first interruption records the phase to return to, its time and the deadline."""
    if state.interrupted is not None:
        return replace(state, phase=phase)
    return replace(
        state, phase=phase, interrupted=state.phase, interrupted_at=event.by.at, interrupted_deadline=state.deadline,
        keyed=0,
    )  # fmt: skip


def _later(state: State, away: int) -> State:
    """Extends the deadlines by the time the house was away. What was already interrupted gets its time back on
    resuming."""
    if state.options is not None:
        options = replace(state.options, deadline=state.options.deadline + away)
        return replace(state, options=options, deadline=options.deadline)
    if state.interrupted is not None:
        return state
    squeezes = {
        index: replace(one, deadline=one.deadline + away) if one.deadline else one
        for index, one in state.squeezes.items()
    }
    return replace(
        state,
        deadline=state.deadline + away if state.deadline else 0,
        window=state.window and replace(state.window, deadline=state.window.deadline + away),
        waiver_until=state.waiver_until + away if state.waiver_until else 0,
        squeezes=squeezes,
    )


def _corrected(state: State, event: e.CardCorrected) -> State:
    """Replaces the face of the card. The result is worked out again."""
    place = event.index - 1
    drawn = (*state.drawn[:place], replace(state.drawn[place], card=event.card), *state.drawn[event.index :])
    seen = _seen(_seen(state.seen, [event.was], -1), [event.card])
    corrections = _changed(state.corrections, {event.by.person: 1})
    return replace(state, drawn=drawn, seen=seen, corrections=corrections, outcome=None, phase=Phase.DEALING)


def _squeezed(state: State, event: e.CardDrawn) -> State:
    """Starts the squeeze of a drawn card. A request that nobody answered before the draw lapses."""
    asked = state.squeezes[event.index]
    if not asked.permitted:
        return replace(state, squeezes=_without(state.squeezes, event.index))
    timed = replace(asked, deadline=event.squeeze_until)
    return replace(state, squeezes={**state.squeezes, event.index: timed}, in_hands=True)


def _squeeze_over(state: State, event: e.CardExposed | e.SqueezeFinished) -> State:
    """Ends the squeeze of a card. Where the house deals, the shared time stops when the last card is no longer
    squeezed."""
    over = replace(state, squeezes=_without(state.squeezes, event.index))
    squeezed = state.squeezed.get(event.index)
    if squeezed is None or over.squeezed or not state.house_deals:
        return over
    now = event.by.at if state.interrupted is None else state.interrupted_at
    return replace(over, squeeze_left=max(0, squeezed.deadline - now))


def _without(squeezes: dict[int, SqueezeInProgress], index: int) -> dict[int, SqueezeInProgress]:
    return {one: squeeze for one, squeeze in squeezes.items() if one != index} if index in squeezes else squeezes


def _reconstructed(state: State, event: e.CardsReconstructed) -> State:
    """Puts the cards where they belong. If the record was wrong, the count of the shoe follows the cards."""
    was = [*(one.card for one in state.drawn), *state.front][state.old :]
    now = [*event.cards, *event.spare][state.old :]
    seen = _seen(_seen(state.seen, now), was, -1)
    drawn = tuple(Drawn(side, card) for side, card in zip(event.sides, event.cards, strict=True))
    moved = replace(state, drawn=drawn, front=event.spare, as_lying=event.as_lying, waived=event.waived, outcome=None)
    return replace(moved, seen=seen, shoe=_fewer(state.shoe, len(now) - len(was)))


def _put_back(state: State, cards: tuple[Card | None, ...]) -> State:
    """Removes cards that never left the shoe from the queue in front of it: their last occurrence there."""
    many = len(cards)
    starts = [place for place in range(len(state.front) - many + 1) if state.front[place : place + many] == cards]
    front = (*state.front[: starts[-1]], *state.front[starts[-1] + many :])
    return replace(state, front=front, shoe=_fewer(state.shoe, -many), seen=_seen(state.seen, cards, -1))


def _dealt_from(sets: tuple[str, ...], shoe: ShoeInUse | None) -> tuple[str, ...]:
    return sets if shoe is None or shoe.name in sets else (*sets, shoe.name)


def _fewer(shoe: ShoeInUse | None, cards: int) -> ShoeInUse | None:
    return shoe and replace(shoe, left=shoe.left - cards)


def _seen(seen: dict[str, int], cards: Iterable[Card | None], change: int = 1) -> dict[str, int]:
    """How often each card has come, with these cards added or removed."""
    for card in cards:
        if card is not None:
            seen = _changed(seen, {str(card): change})
    return seen if change > 0 else {face: many for face, many in seen.items() if many > 0}
