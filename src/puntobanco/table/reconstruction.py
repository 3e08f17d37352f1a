"""Reconstruction: puts the cards back in their order of drawing, or leaves them as they lie."""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from puntobanco.rules import insurance
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Coup
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import InsuranceRow, Window
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import events as e
from puntobanco.table.betting import close_on_sight
from puntobanco.table.commands import Fault, Report
from puntobanco.table.events import Reported
from puntobanco.table.pending import PendingEvents, replayed
from puntobanco.table.state import Drawn, State, lying_order

Cards = tuple[Card | None, ...]

LEFT_THE_SHOE = (Fault.EXCESS, Fault.EXPOSED, Fault.WRONG_NUMBER_OF_CARDS)
"""Faults whose reports may name cards that left the shoe out of turn."""


def cards_out(state: State) -> Cards:
    """Every card that has left the shoe for this round, in the order of drawing."""
    return (*(one.card for one in state.drawn), *state.front)


def claimed(told: Reported) -> Cards:
    """Cards that a player claims have left the shoe, until a ruling confirms it."""
    return told.cards if told.claimed_by and told.fault in LEFT_THE_SHOE else ()


def face_up(told: Reported | Report) -> dict[int, Card]:
    """Draw index to face, for cards that lie face up by mistake: the named cards from the reported index on, without
    those between them that still lie face down. A report of an earlier round may name no index."""
    if told.index is None:
        return {}
    return {index: card for index, card in enumerate(told.cards, start=told.index) if card is not None}


def check_same_cards(pending: PendingEvents, told: Reported, given: Cards) -> None:
    """Refuses a reconstruction that changes cards instead of moving them. It may add cards only if their number is in
    question."""
    out = cards_out(pending.state) + claimed(told)
    more = len(given) - len(out)
    left = (pending.state.shoe.left if pending.state.shoe else 0) - len(claimed(told))
    most = left if told.fault is Fault.WRONG_NUMBER_OF_CARDS else 0
    unknown = given.count(None) > out.count(None)
    if not 0 <= more <= most or unknown or Counter(filter(None, out)) - Counter(filter(None, given)):
        raise Refused(Reason.CARDS_DIFFER, cards=len(out))


def check_true_cards(pending: PendingEvents, given: Cards) -> None:
    """Refuses a list that cannot be the cards on the table. A card that lies face down has no face; cards left out at
    the end were never drawn."""
    drawn = pending.state.drawn
    hidden = [place for place, one in enumerate(drawn) if one.card is None]
    if not given or (hidden and any(one.card is not None for one in drawn[len(given) :])):
        raise Refused(Reason.CARDS_MISSING, cards=len(drawn))
    if any(card is None and place not in hidden for place, card in enumerate(given)):
        raise Refused(Reason.CARDS_DIFFER, cards=len(drawn))


def arranged(state: State, cards: Cards, *, waived: bool) -> tuple[int, tuple[Side, ...]]:
    """How many of the cards lie on the table, and with which hand each. The others wait in front of the shoe."""
    on_the_table = len(state.drawn) + len(cards) - len(cards_out(state))
    if not state.as_lying:
        belong, sides = replayed(cards, waived=waived)
        used = min(belong, on_the_table)
        return used, sides[:used]
    if on_the_table < len(state.drawn):
        raise Refused(Reason.CARDS_MISSING, cards=len(state.drawn))
    sides = tuple(one.side for one in state.drawn)
    drawn = tuple(Drawn(side, card) for side, card in zip(sides, cards, strict=False))
    if not _can_lie(replace(state, drawn=drawn), sides):
        raise Refused(Reason.LIES_IMPOSSIBLY)
    return len(sides), sides


def put_in_order(pending: PendingEvents, cards: Cards, rule: str | None) -> None:
    """Gives each card to the hand it belongs to, and puts spare cards in front of the shoe. Hands left as they lie stay
    so."""
    state, game = pending.state, pending.felt.game
    before, four = on_show(state), tuple(card for card in cards[:4] if card is not None)
    waived = state.waived and len(four) == 4 and insurance.may_waive(game, Coup(four))
    used, sides = arranged(state, cards, waived=waived)
    known = Counter(filter(None, cards_out(state)))
    close_on_sight(pending, Counter(filter(None, cards)) - known, rule)
    pending.add(
        e.CardsReconstructed(
            by=pending.by,
            rule=pending.cite(rule),
            round=state.round,
            cards=tuple(cards[:used]),
            sides=sides,
            spare=tuple(cards[used:]),
            as_lying=state.as_lying,
            waived=waived,
        )
    )
    insurance_put_right(pending, before, rule)


def on_show(state: State) -> Cards:
    """The cards of the hands, in the order that would deal them."""
    return tuple(one.card for one in (lying_order(state) if state.as_lying else state.drawn))


def insurance_put_right(pending: PendingEvents, before: Cards, rule: str | None) -> None:
    """Returns insurance that was taken on wrong points. Its window may open again on the right ones."""
    if pending.felt.game.insurance is None:
        return
    were, are = _rows(pending, before), _rows(pending, on_show(pending.state))
    changed = tuple(window for window in Window if were.get(window) != are.get(window))
    stakes = tuple(stake for stake in pending.state.stakes.values() if stake.bet.partition("@")[2] in changed)
    if changed:
        pending.add(
            e.InsuranceReturned(
                by=pending.by, rule=pending.cite(rule), round=pending.state.round, windows=changed, stakes=stakes
            )
        )


def _rows(pending: PendingEvents, cards: Cards) -> dict[Window, InsuranceRow]:
    """The insurance row of each window, on the first four and the first five known cards."""
    known: list[Card] = []
    for card in cards:
        if card is None or Coup(tuple(known)).is_complete:
            break
        known.append(card)
    rows: dict[Window, InsuranceRow] = {}
    for many in (4, 5):
        if len(known) >= many:
            made = insurance.offer(pending.felt.game, Coup(tuple(known[:many])), waived=pending.state.waived)
            if made is not None:
                rows[made.window] = made.row
    return rows


def same_kind(state: State, told: Reported) -> Iterator[Reported]:
    """The report, together with other misdirected cards that staff reported, which are corrected together. A claim
    stands alone."""
    for one in state.faults:
        alike = one.fault is told.fault is Fault.MISDIRECTED and not (one.claimed_by or told.claimed_by)
        if one.number == told.number or alike:
            yield one


def as_they_lie(state: State, told: Reported) -> tuple[Side, ...] | None:
    """The hand that each card was put to; none if that changes the number of cards of a hand, or the tableau could not
    have dealt them so."""
    lies = {index: side for one in same_kind(state, told) for index, side in one.lies.items()}
    sides = tuple(lies.get(index, one.side) for index, one in enumerate(state.drawn, start=1))
    if any(sides.count(side) != sum(one.side is side for one in state.drawn) for side in Side):
        return None
    return sides if _can_lie(state, sides) else None


def _can_lie(state: State, sides: tuple[Side, ...]) -> bool:
    """Whether the tableau could have dealt the cards to these hands, including those that lie face down."""
    lying = lying_order(state, sides)
    placed, dealt = replayed(tuple(one.card for one in lying), waived=state.waived)
    return placed == len(lying) and dealt == tuple(one.side for one in lying)
