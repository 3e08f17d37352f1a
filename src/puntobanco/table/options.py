"""Players' options after a dealing error: go on or take the bets back; and how play goes on."""

from puntobanco.rules.procedures import Action, Window
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.after_exposure import after_cards, alert_exposed, carry_over
from puntobanco.table.authority import Role
from puntobanco.table.commands import Election
from puntobanco.table.felt import Edition
from puntobanco.table.guests import check_there, shown
from puntobanco.table.pending import Story
from puntobanco.table.reversal import reverse, set_off
from puntobanco.table.setup import LEAST_OPTIONS
from puntobanco.table.state import Phase, State


def options_or_on(story: Story) -> None:
    """Put the options that are due, or play on; a round in which a card was seen before anybody bet is over."""
    state, rules = story.state, story.felt.game.irregularities.options
    if nobody_bet(story):
        excess = story.felt.game.irregularities.excess_or_exposed
        _end_without_bets(story, excess.rule if excess else None)
        return
    due = state.options_due
    if due is not None and rules is not None and state.bettors:
        if state.is_posted:
            reverse(story, due.paragraph)
            state = story.state
        continues = rules.as_lying if state.as_lying else rules.reconstructed
        known = state.coup is not None and state.coup.is_complete if len(state.drawn) >= 4 else False
        story.tell(
            e.OptionsOffered,
            due.paragraph,
            round=state.round,
            question=state.questions + 1,
            people=state.bettors,
            continues_by=story.felt.cite(continues),
            returns_by=story.felt.cite(rules.returned),
            deadline=story.by.at + _time(story),
            result_known=known,
        )
        if known:
            story.tell(e.AlertRaised, rules.rule, kind="options_after_result", to=Role.SHIFT_MANAGER)
        return
    resume(story)


def nobody_bet(story: Story) -> bool:
    """Whether a card that was seen closed betting with nothing on the layout; a table of cards only cannot know."""
    state = story.state
    return state.closed_by_card and not state.drawn and not state.bettors and not story.setup.cards_only


def _end_without_bets(story: Story, rule: str | None) -> None:
    story.tell(e.RoundEndedWithoutBets, rule, round=story.state.round)
    if story.state.front:
        carry_over(story)


def _time(story: Story) -> int:
    """Nobody chooses in no time, whatever an earlier edition let a table be set up with."""
    chosen = story.setup.timing.options
    return max(chosen, LEAST_OPTIONS) if story.felt.edition >= Edition.SECOND_READING else chosen


def resume(story: Story) -> None:
    """Back to where the round was, with the time it still had; cards that changed are looked at again."""
    state = story.state
    if state.interrupted is not None:
        back = state.interrupted
        if back in (Phase.RESULT, Phase.INSURANCE) and state.outcome is None and state.window is None:
            back = Phase.DEALING
        waited = story.by.at - state.interrupted_at
        same = back is state.interrupted
        deadline = state.interrupted_deadline + waited if same and state.interrupted_deadline else 0
        story.tell(e.RoundResumed, round=state.round, to=back, deadline=deadline)
        if any(state.front) and back in (Phase.BETTING, Phase.CLOSING, Phase.INSURANCE):
            alert_exposed(story)
        if back is Phase.INSURANCE and state.window is not None and _gone_past(state, state.window.window):
            story.tell(e.InsuranceClosed, story.felt.insurance_rule, round=state.round, window=state.window.window)
    elif state.phase is Phase.RESULT and state.outcome is None:
        story.tell(e.RoundResumed, round=state.round, to=Phase.DEALING)
    if story.state.phase is Phase.DEALING:
        after_cards(story)


def _gone_past(state: State, window: Window) -> bool:
    """Whether the card the window was to be closed before lies on the table, or in everyone's sight."""
    return len(state.drawn) > (4 if window is Window.FOUR else 5) or any(state.front)


def elect(story: Story, command: c.Elect) -> None:
    """One election for everything a person staked in the round."""
    options = story.state.options
    assert options is not None, "options are open"
    if options.question != command.question:
        raise Refused(Reason.STALE_QUESTION, question=command.question)
    person = command.person or story.by.person
    if story.by.role is Role.PLAYER and person != story.by.person:
        raise Refused(Reason.NOT_YOURS, person=person)
    if story.by.role is not Role.PLAYER:
        _check_recorder(story)
    _check_shown(story)
    if story.by.person != person and person in options.own:
        raise Refused(Reason.CHOSEN_IN_PERSON, options.returns_by.paragraph, person=person)
    if person not in options.people:
        raise Refused(Reason.NOT_IN_OPTIONS, options.returns_by.paragraph, person=person)
    if story.by.role is not Role.PLAYER:
        _check_said(story, command, person)
    rules = story.felt.game.irregularities.options
    assert rules is not None, "options are open"
    going_on = rules.as_lying if story.state.as_lying else rules.reconstructed
    paragraph = rules.returned if command.election is Election.RETURN else going_on
    said = story.by.role is not Role.PLAYER and command.present and person not in story.state.absent
    story.tell(e.Elected, paragraph, question=command.question, person=person, election=command.election, present=said)


def _check_recorder(story: Story) -> None:
    if story.felt.edition >= Edition.SECOND_READING:
        authority.check_pit_employee(story.felt.game, Action.RECORD_ELECTION, story.by)
    else:
        authority.check(story.felt.game, Action.RECORD_ELECTION, story.by)


def _check_shown(story: Story) -> None:
    """Where the house deals, a card that somebody squeezes is shown to all before anyone chooses; not if its shoe is
    out of service, since nobody can show it then."""
    state = story.state
    if story.house_deals and state.squeezed and state.shoe is not None and not state.shoe.unproven:
        person = next(iter(state.squeezed.values())).person
        raise Refused(Reason.SQUEEZE_GOES_ON, story.felt.squeeze_rule, person=shown(person))


def _check_said(story: Story, command: c.Elect, person: str) -> None:
    """What somebody present says is recorded for them; the bets of somebody who has left go on, and nothing else."""
    if story.felt.edition < Edition.SECOND_READING:
        return
    if command.election is Election.RETURN:
        check_there(story, person, story.felt.game.irregularities.walked_away)
    if person not in story.state.absent and not command.present:
        rules = story.felt.game.irregularities.options
        raise Refused(Reason.NOT_SAID_PRESENT, rules.rule if rules else None, person=shown(person))


def close_options(story: Story, command: c.CloseOptions) -> bool:
    """Silence goes on. Before the deadline only when everyone present has chosen. Whether the round ended with it."""
    state, options = story.state, story.state.options
    assert options is not None, "options are open"
    if options.question != command.question:
        raise Refused(Reason.STALE_QUESTION, question=command.question)
    _check_recorder(story)
    silent = tuple(person for person in options.people if person not in options.elections)
    waited_for = [person for person in silent if person not in state.absent]
    if waited_for and story.by.at < options.deadline:
        raise Refused(Reason.OPTIONS_RUNNING, people=", ".join(waited_for))
    leaving = {person for person, election in options.elections.items() if election is Election.RETURN}
    returned = tuple(stake for stake in state.stakes.values() if stake.owner in leaving)
    rules = story.felt.game.irregularities.options
    assert rules is not None, "options are open"
    story.tell(
        e.OptionsClosed, rules.returned if returned else rules.rule, round=state.round, question=command.question,
        silent=silent, returned=returned,
    )  # fmt: skip
    set_off(story, ((stake.owner, stake.amount) for stake in returned))
    bets_closed = state.interrupted not in (Phase.BETTING, Phase.CLOSING)
    if returned and bets_closed and not story.state.stakes and not story.state.faults:
        _end_without_bets(story, options.returns_by.paragraph)
        return True
    return False
