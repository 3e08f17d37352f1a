"""Void and reversal: stakes go back, and payments are taken back."""

from collections.abc import Iterable

from msgspec.structs import replace

from puntobanco.table import events as e
from puntobanco.table.after_exposure import carry_over
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import Role
from puntobanco.table.commands import Fault
from puntobanco.table.events import Reported
from puntobanco.table.felt import Citation
from puntobanco.table.pending import PendingEvents
from puntobanco.table.state import State

VOID_CAUSES = (Fault.FOREIGN_CARD, Fault.DECK_COUNT, Fault.UNSHUFFLED, Fault.SHOE_EMPTY)

OUT_OF_THE_SHOE = (Fault.EXCESS, Fault.EXPOSED, Fault.SIMULTANEOUS, Fault.WRONG_NUMBER_OF_CARDS)
"""Faults whose reports name cards that left the shoe."""

DOUBTFUL = VOID_CAUSES
"""Faults that take the set of cards out of service."""


def void(pending: PendingEvents, cause: Fault, rule: Citation, told: Reported | None = None) -> None:
    """Voids the round: everything staked in it goes back, whatever was already decided or paid. Cards that were
    reported out of the shoe and have no place yet go to the discards. `told`: a report that was just closed."""
    if pending.state.is_posted:
        reverse(pending, rule)
    set_aside(pending, rule, told)
    state = pending.state
    reports = (*state.faults, *((told,) if told else ()))
    doubts = [one for one in reports if one.fault in DOUBTFUL and (one.fault is cause or not one.claimed_by)]
    here = [one.fault for one in doubts if not is_of_another_set(state, one)]
    refunded_by = pending.felt.cite(pending.felt.game.irregularities.void)
    refunds = (*state.stakes.values(), *(one.stake for one in state.ended))
    taken_back = tuple(one.settled for one in state.ended)
    owed = _missing(state, taken_back)
    pending.add(
        e.RoundVoided(
            by=pending.by,
            rule=pending.cite(rule),
            round=state.round,
            cause=cause,
            refunds=refunds,
            refunded_by=refunded_by,
            taken_back=taken_back,
            owed=owed,
        )
    )
    if owed:
        pending.alert(Alert.RECEIVABLE, to=Role.SHIFT_MANAGER, rule=rule)
    set_off(pending, ((stake.owner, stake.amount) for stake in refunds))
    for one in doubts:
        if is_of_another_set(state, one):
            pending.add(e.SetWithdrawn(by=pending.by, rule=pending.cite(rule), shoe=one.shoe, reason=one.fault))
    if here:
        pending.add(e.ShoeWithdrawn(by=pending.by, rule=pending.cite(rule), reason=cause if cause in here else here[0]))
    if pending.state.front:
        if cause in VOID_CAUSES or cause in (Fault.WRONG_NUMBER_OF_CARDS, Fault.TECHNICAL):
            pending.add(e.CarryOverDiscarded(by=pending.by, rule=pending.cite(rule)))
        else:
            carry_over(pending)


def set_aside(pending: PendingEvents, rule: Citation, told: Reported | None) -> None:
    """Sets aside cards that were reported out of the shoe, because the round ends without a place for them."""
    for one in (*pending.state.faults, *((told,) if told else ())):
        if one.cards and one.fault in OUT_OF_THE_SHOE and not (one.brought_out or one.claimed_by):
            pending.add(
                e.CardsSetAside(by=pending.by, rule=pending.cite(rule), round=pending.state.round, cards=one.cards)
            )


def is_of_another_set(state: State, told: Reported) -> bool:
    """Whether the report names a set of cards that is not the one in use."""
    return bool(told.shoe) and (state.shoe is None or state.shoe.name != told.shoe)


def reverse(pending: PendingEvents, rule: Citation) -> None:
    """Reverses a settlement. What a purse no longer holds is owed."""
    state = pending.state
    settled = settled_by_now(state)
    owed = _missing(state, settled)
    pending.add(
        e.SettlementReversed(by=pending.by, rule=pending.cite(rule), round=state.round, stakes=settled, owed=owed)
    )
    if owed:
        pending.alert(Alert.RECEIVABLE, to=Role.SHIFT_MANAGER, rule=rule)


def _missing(state: State, settled: Iterable[e.SettledStake]) -> dict[str, int]:
    """By person: the part of the payments that the purse no longer holds."""
    due: dict[str, int] = {}
    for one in settled:
        due[one.owner] = due.get(one.owner, 0) + one.back
    purses = state.purses
    return {person: amount - held for person, amount in due.items() if amount > (held := purses.get(person, 0))}


def return_held(pending: PendingEvents) -> None:
    """Returns stakes held since a tie, where no later round of this set-up can play them."""
    held = tuple(pending.state.held.values())
    if held:
        pending.add(
            e.StakesReturned(
                by=pending.by, rule=pending.cite(pending.felt.game.tie.rule), round=pending.state.round, stakes=held
            )
        )


def settled_by_now(state: State) -> tuple[e.SettledStake, ...]:
    """The settlement, updated for held stakes that their owners have taken back since the tie."""
    return tuple(one if one.key in state.held or not one.held else replace(one, held=False) for one in state.settled)


def pay_debt(pending: PendingEvents, person: str) -> None:
    """Pays the debt of a person who leaves, as far as the purse allows."""
    amount = min(pending.state.owed.get(person, 0), pending.state.purses[person])
    if amount:
        pending.add(e.DebtSetOff(by=pending.by, person=person, amount=amount))


def set_off(pending: PendingEvents, paid: Iterable[tuple[str, int]]) -> None:
    """Sets what was just paid to people who owe money off against their debts."""
    if not pending.state.owed:
        return
    received: dict[str, int] = {}
    for person, amount in paid:
        received[person] = received.get(person, 0) + amount
    for person, owed in pending.state.owed.items():
        amount = min(owed, received.get(person, 0))
        if amount > 0:
            pending.add(e.DebtSetOff(by=pending.by, person=person, amount=amount))
