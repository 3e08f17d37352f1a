"""Reconstruction: the cards back in their order of drawing, or left as they lie."""

from collections import Counter
from collections.abc import Iterator

from puntobanco.rules import insurance
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Coup
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import InsuranceRow, Window
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import events as e
from puntobanco.table.commands import Fault
from puntobanco.table.events import Reported
from puntobanco.table.state import State, lying_order
from puntobanco.table.story import Story, replayed

Cards = tuple[Card | None, ...]

LEFT_THE_SHOE = (Fault.EXCESS, Fault.EXPOSED, Fault.WRONG_NUMBER_OF_CARDS)
"""Faults whose report may name cards that left the shoe unasked."""


def cards_out(state: State) -> Cards:
    """Every card that has left the shoe for this round, in the order of drawing."""
    return (*(one.card for one in state.drawn), *state.front)


def claimed(told: Reported) -> Cards:
    """Cards that left the shoe by the word of a player, until somebody of the House says so too."""
    return told.cards if told.claimed_by and told.fault in LEFT_THE_SHOE else ()


def check_same_cards(story: Story, told: Reported, given: tuple[Card, ...]) -> None:
    """A reconstruction moves cards and changes none; only where their number is in question may there be more."""
    out = cards_out(story.state) + claimed(told)
    more = len(given) - len(out)
    left = (story.state.shoe.left if story.state.shoe else 0) - len(claimed(told))
    most = left if told.fault is Fault.WRONG_NUMBER_OF_CARDS else 0
    if not 0 <= more <= most or Counter(card for card in out if card is not None) - Counter(given):
        raise Refused(Reason.CARDS_DIFFER, cards=len(out))


def put_in_order(story: Story, cards: Cards, rule: str | None) -> None:
    """The cards to the hands they belong to, what is left over in front of the shoe; hands left lying stay so."""
    state = story.state
    before = cards_out(state)
    if state.as_lying:
        used, sides = len(state.drawn), tuple(one.side for one in state.drawn)
    else:
        belong, sides = replayed(cards)
        used = min(belong, len(state.drawn) + len(cards) - len(before))  # what waits in front stays there
    story.tell(
        e.CardsReconstructed,
        rule,
        round=state.round,
        cards=tuple(cards[:used]),
        sides=sides[:used],
        spare=tuple(cards[used:]),
        as_lying=state.as_lying,
    )
    insurance_put_right(story, before, rule)


def insurance_put_right(story: Story, before: Cards, rule: str | None) -> None:
    """Insurance taken on points that were not there goes back; its window may open anew on the right ones."""
    if story.felt.game.insurance is None:
        return
    were, are = _rows(story, before), _rows(story, tuple(one.card for one in lying_order(story.state)))
    changed = tuple(window for window in Window if were.get(window) != are.get(window))
    stakes = tuple(stake for stake in story.state.stakes.values() if stake.bet.partition("@")[2] in changed)
    if changed:
        story.tell(e.InsuranceReturned, rule, round=story.state.round, windows=changed, stakes=stakes)


def _rows(story: Story, cards: Cards) -> dict[Window, InsuranceRow]:
    """The row of each window on the cards known: the first four, the first five."""
    known: list[Card] = []
    for card in cards:
        if card is None or Coup(tuple(known)).is_complete:
            break
        known.append(card)
    rows: dict[Window, InsuranceRow] = {}
    for many in (4, 5):
        if len(known) >= many:
            made = insurance.offer(story.felt.game, Coup(tuple(known[:many])), waived=story.state.waived)
            if made is not None:
                rows[made.window] = made.row
    return rows


def same_kind(state: State, told: Reported) -> Iterator[Reported]:
    """The report, and with cards misdirected every other of its kind: they are put right together."""
    for one in state.faults:
        if one.number == told.number or (told.fault is Fault.MISDIRECTED and one.fault is told.fault):
            yield one


def as_they_lie(state: State, told: Reported) -> tuple[Side, ...] | None:
    """To which hand each card was put; none if a hand then has a number of cards it can never have."""
    lies = {index: side for one in same_kind(state, told) for index, side in one.lies.items()}
    sides = tuple(lies.get(index, one.side) for index, one in enumerate(state.drawn, start=1))
    if any(sides.count(side) != sum(one.side is side for one in state.drawn) for side in Side):
        return None
    known = tuple(_known(state, sides))
    try:
        coup = Coup(tuple(card for card, _ in known))
    except Refused:
        return None
    return sides if coup.sides == tuple(side for _, side in known) else None


def _known(state: State, sides: tuple[Side, ...]) -> Iterator[tuple[Card, Side]]:
    """The cards and their hands in the order that would have dealt them so, as far as they are known."""
    for one in lying_order(state, sides):
        if one.card is None:
            return
        yield one.card, one.side
