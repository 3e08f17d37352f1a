"""Whether there is anything to send a command about, once the phase and the sender's role allow it.

The views use this to offer commands. `decide` still decides, whatever is offered.
"""

from collections.abc import Container

from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Action
from puntobanco.rules.refusal import Refused
from puntobanco.table import authority
from puntobanco.table.authority import By, Role
from puntobanco.table.betting import LETS_OPEN, excess_boxes
from puntobanco.table.dealing import asked_to_agree, entitled_to_squeeze, may_ask_waiver
from puntobanco.table.felt import Felt
from puntobanco.table.guests import is_guest
from puntobanco.table.irregularities import is_overlaid, is_pause, may_declare
from puntobanco.table.pending import PendingEvents, due
from puntobanco.table.shoe import is_used_up
from puntobanco.table.state import BETWEEN_ROUNDS, Phase, State

# ---- for everyone in a role --------------------------------------------------------------------------------------


def due_now(state: State) -> Side | None:
    """The hand that the next card belongs to, if a card can be drawn now."""
    try:
        return due(state) if state.phase is Phase.DEALING else None
    except Refused:
        return None


def a_card_is_due(_felt: Felt, state: State, _role: Role) -> bool:
    return due_now(state) is not None


def a_card_is_hidden(_felt: Felt, state: State, _role: Role) -> bool:
    return bool(state.squeezed) if state.phase is Phase.OPTIONS else any(one.card is None for one in state.drawn)


def a_card_was_keyed(_felt: Felt, state: State, _role: Role) -> bool:
    return bool(state.keyed)


def is_not_closing(_felt: Felt, state: State, _role: Role) -> bool:
    return state.closing is None


def close_is_displayed(felt: Felt, _state: State, _role: Role) -> bool:
    return felt.close_is_displayed


def may_close(felt: Felt, state: State, _role: Role) -> bool:
    return not felt.close_is_displayed or state.phase is Phase.CLOSING


def a_box_has_excess(felt: Felt, state: State, _role: Role) -> bool:
    assert state.setup is not None, "the table is open"
    return felt.game.limits is not None and bool(excess_boxes(state, state.setup.limits))


def a_bet_is_low(felt: Felt, state: State, _role: Role) -> bool:
    assert state.setup is not None, "the table is open"
    least = state.setup.least
    return felt.game.limits is not None and any(one.amount < least(one.bet) for one in state.stakes.values())


def a_low_bet_was_advised(felt: Felt, state: State, role: Role) -> bool:
    return a_bet_is_low(felt, state, role) and bool(state.advised)


def may_attest(felt: Felt, state: State, role: Role) -> bool:
    return not state.card_known or authority.may(felt.game, Action.DECIDE_RECONSTRUCTION, By("", role, 0))


def a_chip_is_missing(_felt: Felt, state: State, _role: Role) -> bool:
    return bool(state.missing)


def may_load(felt: Felt, state: State, role: Role) -> bool:
    if state.shoe is not None and state.shoe.unproven:
        return False
    between = state.phase in BETWEEN_ROUNDS
    return (between and is_used_up(state)) or _may_replace(felt, state, role)


def may_withdraw(felt: Felt, state: State, role: Role) -> bool:
    return state.shoe is not None and _may_replace(felt, state, role)


def _may_replace(felt: Felt, state: State, role: Role) -> bool:
    by = By("", role, 0)
    provided = state.phase in BETWEEN_ROUNDS or state.replaceable
    return authority.may(felt.game, Action.REPLACE_SHOE if provided else Action.DECIDE_UNPROVIDED, by)


def may_open(_felt: Felt, state: State, role: Role) -> bool:
    return (
        state.shoe is not None
        and (state.shoe.in_service and state.shoe.shuffled and not state.shoe.finished)
        and not (state.waits_for_permission and not authority.is_least(By("", role, 0), LETS_OPEN))
    )


def opening_waits(_felt: Felt, state: State, _role: Role) -> bool:
    return state.waits_for_permission


def somebody_acts(_felt: Felt, state: State, _role: Role) -> bool:
    return bool(state.acting)


def may_sit(felt: Felt, state: State, role: Role) -> bool:
    return felt.layout is not None and (role is Role.PLAYER or bool(state.purses))


def has_guests(_felt: Felt, state: State, _role: Role) -> bool:
    return any(is_guest(person) for person in state.purses)


def may_squeeze(felt: Felt, state: State, role: Role) -> bool:
    return role is Role.PLAYER or bool(squeezers(felt, state))


def a_squeeze_was_recorded(_felt: Felt, state: State, role: Role) -> bool:
    return role is Role.PLAYER or any(one.permitted and one.recorded for one in state.squeezes.values())


def a_squeeze_waits(_felt: Felt, state: State, _role: Role) -> bool:
    return any(not one.permitted for one in state.squeezes.values())


def may_waive(felt: Felt, state: State, role: Role) -> bool:
    return role is Role.PLAYER or bool(waivers(felt, state))


def somebody_agrees(felt: Felt, state: State, _role: Role) -> bool:
    return bool(asked_to_agree(felt, state))


def a_waiver_waits(_felt: Felt, state: State, _role: Role) -> bool:
    return state.waiver_asked is not None


def a_stake_is_held(_felt: Felt, state: State, role: Role) -> bool:
    return role is Role.PLAYER or bool(state.held)


def may_answer(felt: Felt, state: State, role: Role) -> bool:
    by, question = By("", role, 0), state.question
    if question is None:
        return False
    assert state.plays_under is not None, "the table is open"
    if is_overlaid(state.plays_under, question):
        return authority.has_rank(question.asked_of, by)
    if may_declare(state.plays_under, question, by):
        return True
    return authority.may(felt.game, question.action, by) or is_pause(felt, state, question)


# ---- for single players ------------------------------------------------------------------------------------------


def squeezers(felt: Felt, state: State) -> tuple[str, ...]:
    """The players who may ask for a squeeze now."""
    assert state.plays_under is not None, "the table is open"
    if state.phase is not Phase.DEALING or not state.plays_under.face_down:
        return ()
    if state.squeeze_left == 0:
        return ()
    return entitled_to_squeeze(PendingEvents(felt, state, By("", Role.PLAYER, 0)))


def waivers(felt: Felt, state: State) -> tuple[str, ...]:
    """The players who may ask to see the Banker's third card first."""
    asked = state.waiver_asked is not None or bool(state.waiver_until)
    return state.bettors if not asked and may_ask_waiver(felt, state) else ()


def offered_insurance(_felt: Felt, state: State) -> Container[str]:
    assert state.window is not None, "a window is open"
    return {one.owner for one in state.window.offers}


def electors(_felt: Felt, state: State) -> Container[str]:
    assert state.options is not None, "options are open"
    return frozenset(state.options.people)


def holders(_felt: Felt, state: State) -> Container[str]:
    return {one.owner for one in state.held.values()}


def squeezing(_felt: Felt, state: State) -> Container[str]:
    return {one.person for one in state.squeezes.values() if one.permitted}


def seated(_felt: Felt, state: State) -> Container[str]:
    return frozenset(state.seats.values())


class Except(frozenset[str]):
    """A set that contains everyone except the given people."""

    def __contains__(self, person: object) -> bool:
        return not super().__contains__(person)


def without_claim(_felt: Felt, state: State) -> Container[str]:
    """Everyone except those whose claim is still open: one claim at a time."""
    return Except(one.claimed_by for one in state.faults)
