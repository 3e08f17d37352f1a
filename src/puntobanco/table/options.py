"""Players' options after a dealing error, to continue or take the bets back, and how play resumes."""

from puntobanco.rules.procedures import Action, Window
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.after_exposure import after_cards, alert_exposed, carry_over
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import Role
from puntobanco.table.commands import Election
from puntobanco.table.felt import Edition
from puntobanco.table.guests import check_there
from puntobanco.table.pending import PendingEvents
from puntobanco.table.reversal import reverse, set_off
from puntobanco.table.setup import LEAST_OPTIONS
from puntobanco.table.state import Phase, State


def options_or_on(pending: PendingEvents) -> None:
    """Offers the options that are due, or resumes play. A round in which a card was seen before anybody bet ends."""
    state, rules = pending.state, pending.felt.game.irregularities.options
    if nobody_bet(pending):
        excess = pending.felt.game.irregularities.excess_or_exposed
        _end_without_bets(pending, excess.rule if excess else None)
        return
    due = state.options_due
    if due is not None and rules is not None and state.bettors:
        if state.is_posted:
            reverse(pending, due.paragraph)
            state = pending.state
        continues = rules.as_lying if state.as_lying else rules.reconstructed
        known = state.coup is not None and state.coup.is_complete if len(state.drawn) >= 4 else False
        pending.add(
            e.OptionsOffered(
                by=pending.by,
                rule=pending.cite(due.paragraph),
                round=state.round,
                question=state.questions + 1,
                people=state.bettors,
                continues_by=pending.felt.cited(continues),
                returns_by=pending.felt.cited(rules.returned),
                deadline=pending.by.at + _time(pending),
                result_known=known,
            )
        )
        if known:
            pending.alert(Alert.OPTIONS_AFTER_RESULT, to=Role.SHIFT_MANAGER, rule=rules.rule)
        return
    resume(pending)


def nobody_bet(pending: PendingEvents) -> bool:
    """Whether a seen card closed betting with no bets on the layout. Never at a cards-only table, which does not know
    the bets."""
    state = pending.state
    return state.closed_by_card and not state.drawn and not state.bettors and not pending.setup.cards_only


def _end_without_bets(pending: PendingEvents, rule: str | None) -> None:
    pending.add(e.RoundEndedWithoutBets(by=pending.by, rule=pending.cite(rule), round=pending.state.round))
    if pending.state.front:
        carry_over(pending)


def _time(pending: PendingEvents) -> int:
    """The time to choose, which has a minimum even if an earlier edition accepted a set-up with less."""
    chosen = pending.setup.timing.options
    return max(chosen, LEAST_OPTIONS) if pending.felt.edition >= Edition.SECOND_READING else chosen


def resume(pending: PendingEvents) -> None:
    """Returns to the phase that was interrupted, with the time that was left. Changed cards are evaluated again."""
    state = pending.state
    if state.interrupted is not None:
        back = state.interrupted
        if back in (Phase.RESULT, Phase.INSURANCE) and state.outcome is None and state.window is None:
            back = Phase.DEALING
        waited = pending.by.at - state.interrupted_at
        same = back is state.interrupted
        deadline = state.interrupted_deadline + waited if same and state.interrupted_deadline else 0
        pending.add(e.RoundResumed(by=pending.by, round=state.round, to=back, deadline=deadline))
        if any(state.front) and back in (Phase.BETTING, Phase.CLOSING, Phase.INSURANCE):
            alert_exposed(pending)
        if back is Phase.INSURANCE and state.window is not None and _gone_past(state, state.window.window):
            pending.add(
                e.InsuranceClosed(
                    by=pending.by,
                    rule=pending.cite(pending.felt.insurance_rule),
                    round=state.round,
                    window=state.window.window,
                )
            )
    elif state.phase is Phase.RESULT and state.outcome is None:
        pending.add(e.RoundResumed(by=pending.by, round=state.round, to=Phase.DEALING))
    if pending.state.phase is Phase.DEALING:
        after_cards(pending)


def _gone_past(state: State, window: Window) -> bool:
    """Whether the card before which the window had to close is on the table, or visible to everyone."""
    return len(state.drawn) > (4 if window is Window.FOUR else 5) or any(state.front)


def elect(pending: PendingEvents, command: c.Elect) -> None:
    """Records one choice for everything that the person staked in the round."""
    options = pending.state.options
    assert options is not None, "options are open"
    if options.question != command.question:
        raise Refused(Reason.STALE_QUESTION, question=command.question)
    person = command.person or pending.by.person
    if pending.by.role is Role.PLAYER and person != pending.by.person:
        raise Refused(Reason.NOT_YOURS, person=person)
    if pending.by.role is not Role.PLAYER:
        _check_recorder(pending)
    _check_shown(pending)
    if pending.by.person != person and person in options.own:
        raise Refused(Reason.CHOSEN_IN_PERSON, options.returns_by.paragraph, person=person)
    if person not in options.people:
        raise Refused(Reason.NOT_IN_OPTIONS, options.returns_by.paragraph, person=person)
    if pending.by.role is not Role.PLAYER:
        _check_said(pending, command, person)
    rules = pending.felt.game.irregularities.options
    assert rules is not None, "options are open"
    going_on = rules.as_lying if pending.state.as_lying else rules.reconstructed
    paragraph = rules.returned if command.election is Election.RETURN else going_on
    said = pending.by.role is not Role.PLAYER and command.present and person not in pending.state.absent
    pending.add(
        e.Elected(
            by=pending.by,
            rule=pending.cite(paragraph),
            question=command.question,
            person=person,
            election=command.election,
            present=said,
        )
    )


def _check_recorder(pending: PendingEvents) -> None:
    if pending.felt.edition >= Edition.SECOND_READING:
        authority.check_pit_employee(pending.felt.game, Action.RECORD_ELECTION, pending.by)
    else:
        authority.check(pending.felt.game, Action.RECORD_ELECTION, pending.by)


def _check_shown(pending: PendingEvents) -> None:
    """Refuses a choice while a card is being squeezed, where the house deals: everyone sees the card before anyone
    chooses. Not if its shoe failed verification, because then nobody can show the card."""
    state = pending.state
    if pending.house_deals and state.squeezed and state.shoe is not None and not state.shoe.unproven:
        person = next(iter(state.squeezed.values())).person
        raise Refused(Reason.SQUEEZE_GOES_ON, pending.felt.squeeze_rule, person=person)


def _check_said(pending: PendingEvents, command: c.Elect, person: str) -> None:
    """Refuses to record a choice that a player did not make: a present player must have said so, and the bets of a
    player who has left can only continue."""
    if pending.felt.edition < Edition.SECOND_READING:
        return
    if command.election is Election.RETURN:
        check_there(pending, person, pending.felt.game.irregularities.walked_away)
    if person not in pending.state.absent and not command.present:
        rules = pending.felt.game.irregularities.options
        raise Refused(Reason.NOT_SAID_PRESENT, rules.rule if rules else None, person=person)


def close_options(pending: PendingEvents, command: c.CloseOptions) -> bool:
    """Closes the options; silent players continue. Before the deadline, everyone present must have chosen. Returns
    whether this ended the round."""
    state, options = pending.state, pending.state.options
    assert options is not None, "options are open"
    if options.question != command.question:
        raise Refused(Reason.STALE_QUESTION, question=command.question)
    _check_recorder(pending)
    silent = tuple(person for person in options.people if person not in options.elections)
    waited_for = [person for person in silent if person not in state.absent]
    if waited_for and pending.by.at < options.deadline:
        raise Refused(Reason.OPTIONS_RUNNING, people=waited_for)
    leaving = {person for person, election in options.elections.items() if election is Election.RETURN}
    returned = tuple(stake for stake in state.stakes.values() if stake.owner in leaving)
    rules = pending.felt.game.irregularities.options
    assert rules is not None, "options are open"
    pending.add(
        e.OptionsClosed(
            by=pending.by,
            rule=pending.cite(rules.returned if returned else rules.rule),
            round=state.round,
            question=command.question,
            silent=silent,
            returned=returned,
        )
    )
    set_off(pending, ((stake.owner, stake.amount) for stake in returned))
    bets_closed = state.interrupted not in (Phase.BETTING, Phase.CLOSING)
    if returned and bets_closed and not pending.state.stakes and not pending.state.faults:
        _end_without_bets(pending, options.returns_by.paragraph)
        return True
    return False
