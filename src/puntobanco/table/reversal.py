"""Void and reversal: stakes go back, and what was paid is taken back."""

from collections.abc import Iterable

from msgspec.structs import replace

from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Fault
from puntobanco.table.events import Reported
from puntobanco.table.story import Story
from puntobanco.table.windows import carry_over

VOID_CAUSES = (Fault.FOREIGN_CARD, Fault.DECK_COUNT, Fault.UNSHUFFLED, Fault.SHOE_EMPTY)

OUT_OF_THE_SHOE = (Fault.EXCESS, Fault.EXPOSED, Fault.SIMULTANEOUS, Fault.WRONG_NUMBER_OF_CARDS)
"""Faults whose reports name cards that left the shoe."""

DOUBTFUL = VOID_CAUSES
"""What takes the set of cards out of service."""


def void(story: Story, cause: Fault, rule: str | None, told: Reported | None = None) -> None:
    """The round has no result: everything staked in it goes back, whatever was already decided or paid.

    Cards that were reported out of the shoe and have no place yet go to the discards; `told` is a report just closed.
    """
    if story.state.in_gap:
        reverse(story, rule)
    for one in (*story.state.faults, *((told,) if told else ())):
        if one.cards and one.fault in OUT_OF_THE_SHOE and not (one.brought_out or one.claimed_by):
            story.tell(e.CardsSetAside, rule, round=story.state.round, cards=one.cards)
    state = story.state
    doubt = next((one.fault for one in state.faults if one.fault in DOUBTFUL and not one.claimed_by), None)
    refunded_by = story.felt.cite(story.felt.game.irregularities.void)
    refunds = tuple(state.stakes.values())
    story.tell(e.RoundVoided, rule, round=state.round, cause=cause, refunds=refunds, refunded_by=refunded_by)
    set_off(story, ((stake.owner, stake.amount) for stake in refunds))
    if cause in DOUBTFUL or doubt is not None:
        story.tell(e.ShoeWithdrawn, rule, reason=cause if cause in DOUBTFUL else doubt)
    if story.state.front:
        if cause in VOID_CAUSES or cause in (Fault.WRONG_NUMBER_OF_CARDS, Fault.TECHNICAL):
            story.tell(e.CarryOverDiscarded, rule)
        else:
            carry_over(story)


def reverse(story: Story, rule: str | None) -> None:
    """Take a settlement back; what a purse no longer holds is owed."""
    state = story.state
    settled = tuple(one if one.key in state.held or not one.held else _taken(one) for one in state.settled)
    due: dict[str, int] = {}
    for one in settled:
        due[one.owner] = due.get(one.owner, 0) + one.back
    owed = {
        person: amount - state.purses.get(person, 0)
        for person, amount in due.items()
        if amount > state.purses.get(person, 0)
    }
    story.tell(e.SettlementReversed, rule, round=state.round, stakes=settled, owed=owed)
    if owed:
        story.tell(e.AlertRaised, rule, kind="receivable", to=Role.SHIFT_MANAGER)


def _taken(one: e.SettledStake) -> e.SettledStake:
    """A stake held since a tie that its owner has taken back meanwhile."""
    return replace(one, held=False)


def set_off(story: Story, paid: Iterable[tuple[str, int]]) -> None:
    """What was just paid to somebody who owes goes against the debt first."""
    received: dict[str, int] = {}
    for person, amount in paid:
        received[person] = received.get(person, 0) + amount
    for person, owed in story.state.owed.items():
        amount = min(owed, received.get(person, 0))
        if amount > 0:
            story.tell(e.DebtSetOff, person=person, amount=amount)
