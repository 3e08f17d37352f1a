"""evolve(state, event): what a fact does to the state. It never refuses, calls no rule, and knows every event."""

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from puntobanco.rules.cards import Card
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Fault
from puntobanco.table.events import AnyEvent, Stake
from puntobanco.table.state import Drawn, OpenOptions, OpenWindow, Phase, Shoe, Squeeze, State


def replay(events: Iterable[AnyEvent], state: State | None = None) -> State:
    """The state a history leads to."""
    state = State() if state is None else state
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: AnyEvent) -> State:
    return replace(_evolved(state, event), version=state.version + 1)


def _evolved(state: State, event: AnyEvent) -> State:  # noqa: PLR0912, PLR0915 (one arm an event)
    match event:
        # the most frequent first
        case e.BetsPlaced():
            return _present(_staked(state, event.stakes, event.was), event)
        case e.ExcessRejected():
            return _staked(state, event.stakes, event.was)
        case e.CardDrawn():
            front = state.front[1:] if event.carried else state.front
            shoe = state.shoe if event.carried else _fewer(state.shoe, 1)
            drawn_now = replace(state, drawn=(*state.drawn, Drawn(event.to)), front=front, shoe=shoe)
            return _squeezed(drawn_now, event) if event.index in state.squeezes else drawn_now
        case e.CardExposed():
            drawn = list(state.drawn)
            drawn[event.index - 1] = replace(drawn[event.index - 1], card=event.card)
            seen = state.seen if event.counted else _seen(state.seen, [event.card])
            return replace(state, drawn=tuple(drawn), seen=seen, squeezes=_without(state.squeezes, event.index))

        # the table
        case e.TableOpened():
            return replace(state, setup=event.setup, phase=Phase.IDLE)
        case e.SetupChanged():
            return replace(state, setup=event.setup)
        case e.TableClosed():
            return replace(_ended(state), phase=Phase.CLOSED, held={}, leaving=frozenset(), settled=())
        case e.StakesReturned():
            return replace(_given_back(state, event.stakes), held={}, leaving=frozenset(), stakes=state.stakes)
        case e.BoughtIn():
            return replace(state, purses=_changed(state.purses, {event.person: event.amount}))
        case e.CashedOut():
            return replace(state, purses=_changed(state.purses, {event.person: -event.amount}))
        case e.SeatTaken():
            return replace(state, seats={**state.seats, event.box: event.person}, absent=state.absent - {event.person})
        case e.SeatLeft():
            return replace(state, seats={box: who for box, who in state.seats.items() if box != event.box})
        case e.WalkedAway():
            seats = {box: who for box, who in state.seats.items() if who != event.person}
            return replace(state, seats=seats, absent=state.absent | {event.person})
        case e.RoleAssigned():
            return replace(state, acting={**state.acting, event.person: event.role})
        case e.RoleRelieved():
            return replace(state, acting={who: role for who, role in state.acting.items() if who != event.person})
        case e.ShoeLoaded():
            shoe = Shoe(name=event.shoe, decks=event.decks, left=event.cards - event.burned, shuffled=event.shuffled)
            old = len(state.drawn) + len(state.front) if state.in_round else 0
            return replace(state, shoe=shoe, seen={}, old=old)
        case e.ShoeWithdrawn():
            return replace(state, shoe=state.shoe and replace(state.shoe, in_service=False))
        case e.CutCardShown():
            return replace(state, shoe=state.shoe and replace(state.shoe, last_round=True))

        # betting
        case e.BettingOpened():
            return _opened(state, event)
        case e.ObjectionRefused() | e.LateBetNoted() | e.DisplayCorrected() | e.AlertRaised() | e.HouseDecided():
            return state
        case e.MinimumAdvised():
            return replace(state, advised=state.advised | {f"{event.box}/{event.person}"})
        case e.BetReturned():
            return _given_back(state, [event.stake])
        case e.CloseAnnounced():
            return replace(state, phase=Phase.CLOSING, deadline=event.until)
        case e.BettingClosed():
            plays = {one.key: one.plays for one in event.cut}
            return replace(state, phase=Phase.DEALING, plays=plays, at_close=state.stakes, deadline=0)
        case e.BetAttested():
            staked = _staked(state, [event.stake], [event.was])
            here = f"{event.stake.box}/"
            elsewhere = {key: many for key, many in state.plays.items() if not key.startswith(here)}
            at_close = {**state.at_close, event.stake.key: event.stake}
            plays = elsewhere | {one.key: one.plays for one in event.cut}
            return replace(staked, plays=plays, at_close=at_close)

        # cards and windows
        case e.SqueezeRequested():
            return replace(state, squeezes={**state.squeezes, event.index: Squeeze(person=event.person)})
        case e.SqueezeAnswered():
            if not event.permitted:
                return replace(state, squeezes=_without(state.squeezes, event.index))
            permitted = Squeeze(person=event.person, permitted=True)
            return replace(state, squeezes={**state.squeezes, event.index: permitted})
        case e.SqueezeFinished():
            return replace(state, squeezes=_without(state.squeezes, event.index))
        case e.WaiverRequested():
            return replace(state, waiver_asked=event.person)
        case e.WaiverAnswered():
            return replace(state, waiver_asked=None, waived=event.consent)
        case e.InsuranceOpened():
            window = OpenWindow(
                window=event.window,
                bet=event.bet,
                insures=event.insures,
                odds=event.odds,
                offers=event.offers,
                deadline=event.deadline,
            )
            return replace(state, phase=Phase.INSURANCE, window=window, deadline=event.deadline)
        case e.InsuranceTaken():
            return _present(_staked(state, [event.stake], [event.was]), event)
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
            faces = [card for card in event.cards if card is not None]
            shoe = _fewer(state.shoe, len(event.cards))
            return replace(state, front=(*state.front, *event.cards), shoe=shoe, seen=_seen(state.seen, faces))
        case e.QuestionPut():
            waits = Phase.SUSPENDED if state.phase is Phase.SUSPENDED else Phase.DECISION
            waiting = _interrupted(state, waits, event)
            return replace(waiting, question=event.question, questions=event.question.number)
        case e.Ruled() | e.QuestionWithdrawn():
            return replace(state, question=None)
        case e.CardsSetAside():
            shoe = _fewer(state.shoe, len(event.cards))
            return replace(state, shoe=shoe, seen=_seen(state.seen, [card for card in event.cards if card]))
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
            dealt_with = replace(state, faults=faults, options_due=due, drawn_together=together, unfounded=unfounded)
            return _put_back(dealt_with, event.put_back) if event.put_back else dealt_with
        case e.OptionsOffered():
            options = OpenOptions(
                question=event.question,
                people=event.people,
                elections={},
                returns_by=event.returns_by,
                deadline=event.deadline,
            )
            open_ = _interrupted(state, Phase.OPTIONS, event)
            return replace(open_, options=options, questions=event.question, options_due=None, deadline=event.deadline)
        case e.Elected():
            assert state.options is not None, "an election answers open options"
            elections = {**state.options.elections, event.person: event.election}
            own = state.options.own | ({event.person} if event.by.person == event.person else set())
            return _present(replace(state, options=replace(state.options, elections=elections, own=own)), event)
        case e.OptionsClosed():
            gone = state.took_back | {stake.owner for stake in event.returned}
            plays = {key: many for key, many in state.plays.items() if key not in {one.key for one in event.returned}}
            back = _given_back(state, event.returned)
            return replace(back, options=None, deadline=0, took_back=gone, plays=plays)
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
                state, phase=Phase(event.to), interrupted=None, deadline=event.deadline, window=still, squeezes=later
            )
        case e.RoundVoided():
            return replace(_ended(_given_back(state, event.refunds)), phase=Phase.VOIDED)
        case e.RoundEndedWithoutBets():
            return replace(_ended(state), phase=Phase.VOIDED)
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


# ---- what several events do --------------------------------------------------------------------------------------


def _changed(held: dict[str, int], by: dict[str, int]) -> dict[str, int]:
    changed = dict(held)
    for person, amount in by.items():
        changed[person] = changed.get(person, 0) + amount
    return changed


def _staked(state: State, stakes: Iterable[Stake], was: Iterable[int]) -> State:
    """Stakes as they now lie; the difference comes from the purse or goes back to it."""
    lying, purses, orders = dict(state.stakes), dict(state.purses), state.orders
    for stake, before in zip(stakes, was, strict=True):
        purses[stake.owner] = purses.get(stake.owner, 0) + before - stake.amount
        if stake.amount:
            lying[stake.key] = stake
        else:
            lying.pop(stake.key, None)
        last = stake.raises[-1][0] if stake.raises else stake.order
        orders = max(orders, last)
    return replace(state, stakes=lying, purses=purses, orders=orders)


def _present(state: State, event: AnyEvent) -> State:
    """Whoever walked away and acts again is back."""
    back = event.by.role is Role.PLAYER and event.by.person in state.absent
    return replace(state, absent=state.absent - {event.by.person}) if back else state


def _given_back(state: State, stakes: Iterable[Stake]) -> State:
    """Stakes leave the layout and go back to their owners' purses."""
    lying, purses = dict(state.stakes), dict(state.purses)
    for stake in stakes:
        lying.pop(stake.key, None)
        purses[stake.owner] = purses.get(stake.owner, 0) + stake.amount
    return replace(state, stakes=lying, purses=purses)


def _opened(state: State, event: e.BettingOpened) -> State:
    """A new round on a clean layout, with what was left lying since a tie."""
    purses = dict(state.purses)
    for stake in event.returned:
        purses[stake.owner] = purses.get(stake.owner, 0) + stake.amount
    fresh = _ended(state)
    return replace(
        fresh,
        shoe=state.shoe and replace(state.shoe, finished=event.last_of_shoe),
        phase=Phase.BETTING,
        round=event.round,
        deadline=event.deadline,
        purses=purses,
        stakes={stake.key: stake for stake in event.left_lying},
        orders=len(event.left_lying),
        drawn=(),
        outcome=None,
        settled=(),
        held={},
        leaving=frozenset(),
        waived=False,
        windows_closed=frozenset(),
        as_lying=False,
        old=0,
    )


def _ended(state: State) -> State:
    """Nothing of the round is open any more."""
    return replace(
        state,
        interrupted=None,
        stakes={},
        plays={},
        advised=frozenset(),
        took_back=frozenset(),
        unfounded=frozenset(),
        squeezes={},
        drawn_together=False,
        waiver_asked=None,
        window=None,
        faults=(),
        question=None,
        options_due=None,
        options=None,
        deadline=0,
    )


def _settled(state: State, event: e.RoundSettled) -> State:
    purses, held = dict(state.purses), {}
    for one in event.stakes:
        purses[one.owner] = purses.get(one.owner, 0) + one.back
        if one.held:
            held[one.key] = replace(state.stakes[one.key], amount=one.plays)
    ended = _ended(state)
    return replace(
        ended, phase=Phase.SETTLED, outcome=event.outcome, purses=purses, held=held, settled=event.stakes,
        stakes=state.stakes, plays=state.plays,
    )  # fmt: skip


def _unsettled(state: State, event: e.SettlementReversed) -> State:
    """As before the settlement: every stake lies where it lay, whatever had been paid is taken back."""
    purses, owed = dict(state.purses), dict(state.owed)
    for one in event.stakes:
        purses[one.owner] = purses.get(one.owner, 0) - one.back
    for person, amount in event.owed.items():
        purses[person] += amount
        owed[person] = owed.get(person, 0) + amount
    return replace(
        state, purses=purses, owed=owed, settled=(), held={}, leaving=frozenset(), outcome=None,
        interrupted=Phase.RESULT if state.interrupted is not None else None,
        phase=state.phase if state.interrupted is not None else Phase.RESULT,
    )  # fmt: skip


def _interrupted(state: State, phase: Phase, event: AnyEvent) -> State:
    """The round waits; what it goes back to, since when, and the time it still had, is remembered once."""
    if state.interrupted is not None:
        return replace(state, phase=phase)
    return replace(
        state, phase=phase, interrupted=state.phase, interrupted_at=event.by.at, interrupted_deadline=state.deadline
    )


def _later(state: State, away: int) -> State:
    """The house was away: whoever had time left has it still. What waited already is given it when it resumes."""
    if state.options is not None:
        options = replace(state.options, deadline=state.options.deadline + away)
        return replace(state, options=options, deadline=options.deadline)
    if state.interrupted is not None:
        return state
    squeezes = {
        index: replace(one, deadline=one.deadline + away) if one.deadline else one
        for index, one in state.squeezes.items()
    }
    return replace(state, deadline=state.deadline + away if state.deadline else 0, squeezes=squeezes)


def _squeezed(state: State, event: e.CardDrawn) -> State:
    """The card is there to be squeezed; a request nobody answered in time is void."""
    asked = state.squeezes[event.index]
    if not asked.permitted:
        return replace(state, squeezes=_without(state.squeezes, event.index))
    timed = replace(asked, deadline=event.squeeze_until)
    return replace(state, squeezes={**state.squeezes, event.index: timed})


def _without(squeezes: dict[int, Squeeze], index: int) -> dict[int, Squeeze]:
    return {one: squeeze for one, squeeze in squeezes.items() if one != index} if index in squeezes else squeezes


def _reconstructed(state: State, event: e.CardsReconstructed) -> State:
    """The cards where they belong; where the record of them was wrong, the count of cards follows."""
    was = [*(one.card for one in state.drawn), *state.front][state.old :]
    now = [*event.cards, *event.spare][state.old :]
    seen = dict(state.seen)
    for faces, change in ((was, -1), (now, 1)):
        for card in faces:
            if card is not None and card.suit is not None:
                seen = _changed(seen, {str(card): change})
    drawn = tuple(Drawn(side, card) for side, card in zip(event.sides, event.cards, strict=True))
    moved = replace(state, drawn=drawn, front=event.spare, as_lying=event.as_lying, waived=event.waived, outcome=None)
    kept = {card: many for card, many in seen.items() if many > 0}
    return replace(moved, seen=kept, shoe=_fewer(state.shoe, len(now) - len(was)))


def _put_back(state: State, cards: tuple[Card | None, ...]) -> State:
    """Cards that never left the shoe leave the queue in front of it: the last run of them there."""
    many = len(cards)
    starts = [place for place in range(len(state.front) - many + 1) if state.front[place : place + many] == cards]
    front = (*state.front[: starts[-1]], *state.front[starts[-1] + many :])
    seen = state.seen
    for card in cards:
        if card is not None and card.suit is not None:
            seen = _changed(seen, {str(card): -1})
    return replace(
        state, front=front, shoe=_fewer(state.shoe, -many), seen={one: n for one, n in seen.items() if n > 0}
    )


def _fewer(shoe: Shoe | None, cards: int) -> Shoe | None:
    return shoe and replace(shoe, left=shoe.left - cards)


def _seen(seen: dict[str, int], cards: Iterable[Card]) -> dict[str, int]:
    for card in cards:
        if card.suit is not None:
            seen = _changed(seen, {str(card): 1})
    return seen
