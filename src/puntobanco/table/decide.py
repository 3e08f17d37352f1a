"""decide(state, command): the events that the command leads to, or a refusal. A refusal changes nothing."""

import msgspec

from puntobanco.rules.refusal import Reason, Refusal, Refused
from puntobanco.table import commands as c
from puntobanco.table.authority import By, Role
from puntobanco.table.command_table import TABLE, CommandEntry, Sender
from puntobanco.table.events import AnyEvent, stake_key
from puntobanco.table.evolve import Draft
from puntobanco.table.felt import Felt
from puntobanco.table.pending import PendingEvents, boxes_unpaid
from puntobanco.table.state import BETWEEN_ROUNDS, Phase, State
from puntobanco.table.tags import tag_of

__all__ = ["Accepted", "Refusal", "decide"]


class Accepted(msgspec.Struct, frozen=True, gc=False):
    """The events of an accepted command, and the refused lines of a slip."""

    events: tuple[AnyEvent, ...]
    refusals: tuple[tuple[int, Refusal], ...] = ()
    state: State | None = None


def decide(felt: Felt, state: State, command: c.Command, by: By, draft: Draft | None = None) -> Accepted | Refusal:
    """Decides the command of this person, in this role, at this moment. `draft`: for a slip of bets, the mappings of
    the state that may be changed in place."""
    entry = TABLE[type(command)]
    pending = _judged(felt, state, command, by, entry, draft)
    try:
        _check_acting(felt, state, by)
        if by.role is Role.CASHIER and Sender.CASHIER not in entry.senders:
            raise Refused(Reason.ACCESS_DENIED, what=tag_of(type(command)))
        if state.phase not in entry.heard:
            raise _not_heard(felt, state, command, by, entry)
        entry.handler(pending, command)
    except Refused as refused:
        return refused.refusal
    if not pending.refusals:
        return Accepted(tuple(pending.events), (), pending.state)
    refusals = tuple([(place, refused.refusal) for place, refused in pending.refusals])
    return Accepted(tuple(pending.events), refusals, pending.state)


def _judged(
    felt: Felt, state: State, command: c.Command, by: By, entry: CommandEntry, draft: Draft | None
) -> PendingEvents:
    """The context for the decision. The last round is judged by the set-up it was played under, even if the table was
    opened with another since."""
    worth = command.worth if isinstance(command, c.APPRAISED) else None
    if state.played is None or (entry.next_round and not state.in_round):
        return PendingEvents(felt, state, by, None, worth, draft)
    return PendingEvents(felt.under(state.played), state, by, state.played, worth, draft)


def _check_acting(felt: Felt, state: State, by: By) -> None:
    """Refuses a person who is assigned at this table and acts in another role."""
    acting = state.acting.get(by.person)
    if acting is not None and by.role is not acting:
        raise Refused(Reason.ACTS_OTHERWISE, felt.game.pit_employees, person=by.person, acting=acting, role=by.role)


def _not_heard(felt: Felt, state: State, command: c.Command, by: By, entry: CommandEntry) -> Refused:
    """The reason why the command is not accepted in this phase."""
    late = felt.game.late_bets
    changes = _late_changes(state, command, by)
    closed = state.in_round and state.interrupted not in (Phase.BETTING, Phase.CLOSING)
    if late is not None and closed and changes:
        taken_away = all(now < was for now, was in changes)
        return Refused(Reason.BETS_LATE, late.withdrawn if taken_away and late.withdrawn else late.placed)
    if state.phase is Phase.PAYING and Phase.SETTLED in entry.heard:
        return boxes_unpaid(state.unpaid)
    early = isinstance(command, c.PlaceBets) and state.phase in BETWEEN_ROUNDS
    opens = felt.game.round.opens if early else None
    return Refused(Reason.NOT_HEARD_NOW, opens, phase=state.phase, command=tag_of(type(command)))


def _late_changes(state: State, command: c.Command, by: By) -> list[tuple[int, int]]:
    """The new and the current amounts of a bet that arrives after the close of its round, or insurance after its
    window."""
    if isinstance(command, c.PlaceBets) and command.round == state.round:
        owner = command.owner or by.person
        return [(line.amount, _lying(state, stake_key(line.box, line.bet, owner))) for line in command.lines]
    if isinstance(command, c.Insure) and command.round == state.round and command.window in state.windows_closed:
        bets = [stake for stake in state.stakes_of(command.person or by.person) if stake.box == command.box]
        lying = sum(stake.amount for stake in bets if stake.bet.endswith(f"@{command.window}"))
        return [(command.amount, lying)]
    return []


def _lying(state: State, key: str) -> int:
    return state.stakes[key].amount if key in state.stakes else 0
