"""Irregularities: the consequence that the rules give each reported fault, and who decides it.

The table handles open faults in the order of `Fault`: first those that void the round, then those that need the cards
put back in order, then the others. Players get their options once, at the end, if any fault grants them. Where a
document has no paragraph for a fault, the Shift Manager decides and the decision is recorded; the table never borrows a
rule from another document. Any report may prove unfounded. A player's report has no effect until staff rule on it.
"""

from typing import assert_never

from msgspec.structs import replace

from puntobanco.rules.cards import Card
from puntobanco.rules.overlay import OverlayVoid
from puntobanco.rules.procedures import Action
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import authority, options, reconstruction
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.after_exposure import carry_over
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import By, Role
from puntobanco.table.betting import close_on_sight
from puntobanco.table.commands import Choice, Fault
from puntobanco.table.events import Cited, Question, Reported
from puntobanco.table.felt import Citation, Edition, Felt
from puntobanco.table.house_decisions import MOST_BETS, check_reason, conclude
from puntobanco.table.pending import PendingEvents
from puntobanco.table.reconstruction import LEFT_THE_SHOE
from puntobanco.table.report_forms import is_complete
from puntobanco.table.reversal import DOUBTFUL, VOID_CAUSES, is_of_another_set, reverse, void
from puntobanco.table.setup import GapCause, InterruptionFinding, Setup, SimultaneousOptions
from puntobanco.table.state import BETWEEN_ROUNDS, GAP, IN_ROUND, Phase, State

OUT_OF_ORDER = (Fault.MISDIRECTED, Fault.WRONG_NUMBER_OF_CARDS, Fault.EXCESS, Fault.EXPOSED, Fault.OTHER_DEALING_ERROR)

ABOUT_THE_SET = (Fault.FOREIGN_CARD, Fault.DECK_COUNT, Fault.UNSHUFFLED)
"""Faults of a set of cards: the set in use, unless the report names another."""

MOST_CARDS_NAMED = 52
"""The most cards that a report may name, unless it is about cards that came out of the shoe."""

DECIDES = {
    **dict.fromkeys(VOID_CAUSES, Action.DECLARE_VOID),
    **dict.fromkeys((*OUT_OF_ORDER, Fault.FACE_UP, Fault.MISKEYED), Action.DECIDE_RECONSTRUCTION),
    Fault.TECHNICAL: Action.FIND_INTERRUPTION,
    Fault.SIMULTANEOUS: Action.ORDER_SIMULTANEOUS_CARDS,
    Fault.MISPAYMENT: Action.REVERSE_SETTLEMENT,
    Fault.UNPROVIDED: Action.DECIDE_UNPROVIDED,
}
"""The action whose authority a question about the fault requires, where the document provides for the fault."""

_PRECEDENCE = {fault: place for place, fault in enumerate(Fault)}


# ---- reports -----------------------------------------------------------------------------------------------------


def report(pending: PendingEvents, command: c.Report) -> None:
    state = pending.state
    before_the_first = command.round == 0 == state.round and command.fault in DOUBTFUL
    if not (0 < command.round <= state.round or before_the_first):
        raise Refused(Reason.STALE_ROUND, round=command.round, current=state.round)
    if before_the_first and (state.setup is None or (state.shoe is None and not command.shoe)):
        raise Refused(Reason.NO_SHOE)
    if command.since and pending.by.role is not Role.SYSTEM:
        raise Refused(Reason.ACCESS_DENIED, what="since")
    command = _more_than_it_holds(pending, command)
    current = command.round == state.round
    seen_in = _seen_in(pending)
    claimed = not (pending.by.is_staff or pending.by.role is Role.SYSTEM)
    if current:
        _check_report(pending, command)
        if claimed and any(one.claimed_by == pending.by.person for one in state.faults):
            raise Refused(Reason.REPORT_OPEN, person=pending.by.person)
    told = Reported(
        number=state.reports + 1,
        fault=command.fault,
        round=command.round,
        seen_in=seen_in,
        cards=command.cards,
        index=command.index,
        lies=command.lies,
        to_person=command.to_person,
        order_known=command.order_known,
        note=command.note,
        brought_out=not claimed and command.fault in LEFT_THE_SHOE and _provided(pending, command.fault),
        established=_established(pending, command),
        paid=state.has_paid,
        claimed_by=pending.by.person if claimed else "",
        since=command.since,
        shoe=command.shoe,
    )
    rule = _paragraph(pending, command.fault)
    misdirected = pending.felt.game.irregularities.misdirected
    if command.fault is Fault.MISDIRECTED and misdirected is not None:
        rule = (misdirected.person if command.to_person else misdirected.area) or rule
    pending.add(e.IrregularityReported(by=pending.by, rule=pending.cite(rule), report=told))
    if not current or not _may_change(seen_in, command.fault):
        _noticed_late(pending, told)
    elif not _concerns_round(pending, told):
        _of_another_set(pending, told)
    elif claimed and not _stops_play(pending):
        pending.alert(Alert.CLAIM, to=Role.DEALER, rule=rule)
        _log(pending, told, rule)
    else:
        if command.cards and told.brought_out:
            out_of_turn(pending, command.cards, rule)
        _taken_up_when(pending, told)


def _log(pending: PendingEvents, told: Reported, rule: str | None) -> None:
    """Closes the report as recorded only: it changes nothing."""
    pending.add(
        e.FaultClosed(
            by=pending.by,
            rule=pending.cite(rule),
            round=told.round,
            report=told.number,
            fault=told.fault,
            logged_only=True,
        )
    )


def _may_change(seen_in: Phase, fault: Fault) -> bool:
    """Whether a report can still change the round. Once the round is decided, only faults that void it can."""
    voids = fault in (*VOID_CAUSES, Fault.WRONG_NUMBER_OF_CARDS)
    return seen_in in IN_ROUND or seen_in is Phase.SETTLED or (seen_in is Phase.DECIDED and voids)


def _seen_in(pending: PendingEvents) -> Phase:
    """The phase of the round. Earlier editions record a round without bets as void."""
    phase = pending.state.reached
    earlier = pending.felt.edition < Edition.SECOND_READING
    return Phase.VOIDED if earlier and phase is Phase.WITHOUT_BETS else phase


def _check_report(pending: PendingEvents, command: c.Report) -> None:
    """Refuses a report that is incomplete or contradicts the state of the round."""
    state, fault, cards = pending.state, command.fault, command.cards
    drawn = len(state.drawn)
    incomplete = (
        not is_complete(command, drawn)
        or (fault is Fault.EXPOSED and None in cards)
        or any(not 1 <= index <= drawn for index in command.lies)
    )
    bounded = fault in (*LEFT_THE_SHOE, Fault.SIMULTANEOUS) or len(cards) <= MOST_CARDS_NAMED
    if incomplete or not bounded or not -1 < (command.index or 0) <= MOST_CARDS_NAMED:
        raise Refused(Reason.REPORT_INCOMPLETE, fault=fault)
    sets = dict.fromkeys((*state.dealt_from, *((state.shoe.name,) if state.shoe else ())))
    unclear = fault in ABOUT_THE_SET and not command.shoe and len(sets) > 1
    if unclear and pending.felt.edition >= Edition.SECOND_READING:
        raise Refused(Reason.SET_UNCLEAR, sets=", ".join(sets))
    if fault is Fault.FACE_UP:
        hidden = {index for index, one in enumerate(state.drawn, start=1) if one.card is None}
        for index in reconstruction.face_up(command):
            if not pending.setup.face_down or index not in hidden:
                raise Refused(Reason.ALREADY_EXPOSED, _paragraph(pending, fault), index=index)
    unrecorded = cards if fault is Fault.WRONG_NUMBER_OF_CARDS else ()
    if fault in (Fault.WRONG_NUMBER_OF_CARDS, Fault.MISKEYED) and not (state.drawn or unrecorded):
        raise Refused(Reason.NO_HANDS_YET, _paragraph(pending, fault), fault=fault)
    wrong = command.to_person or any(state.drawn[index - 1].side is not side for index, side in command.lies.items())
    if fault is Fault.MISDIRECTED and not wrong and pending.felt.edition >= Edition.SECOND_READING:
        raise Refused(Reason.NO_FAULT, _paragraph(pending, fault), fault=fault)


def _more_than_it_holds(pending: PendingEvents, command: c.Report) -> c.Report:
    """Turns a report that names more cards than the shoe holds into a report of a wrong deck count. The cards on the
    felt prevail over the recorded count."""
    named = len(command.cards) if command.fault in (*LEFT_THE_SHOE, Fault.SIMULTANEOUS) else 0
    if command.round != pending.state.round or named <= _left(pending, _still_inside(pending)):
        return command
    return replace(command, fault=Fault.DECK_COUNT)


def _established(pending: PendingEvents, command: c.Report) -> bool:
    """Whether an outcome is established when the fault is noticed. Cards seen too early count, because they keep their
    places in the order of drawing."""
    seen = command.cards if command.fault in LEFT_THE_SHOE and _provided(pending, command.fault) else ()
    return pending.established_with(seen)


def _check_left(pending: PendingEvents, cards: int) -> None:
    """Refuses to take more cards out of the shoe than it holds."""
    left = _left(pending)
    if cards > left:
        raise Refused(Reason.CARDS_NOT_IN_SHOE, left=left)


def _left(pending: PendingEvents, spoken_for: int = 0) -> int:
    return max(0, (pending.state.shoe.left if pending.state.shoe else 0) - spoken_for)


def _still_inside(pending: PendingEvents) -> int:
    """The number of cards that open reports name and no ruling has brought out of the shoe yet."""
    named = [one for one in pending.state.faults if one.fault in (*LEFT_THE_SHOE, Fault.SIMULTANEOUS)]
    return sum(len(one.cards) for one in named if not one.brought_out)


def _stops_play(pending: PendingEvents) -> bool:
    """Whether a player's claim interrupts the round at once; any other claim is only recorded.

    It does if the table has staff to decide it, and the player has a bet in the round, is present and has made no
    unfounded claim in this round.
    """
    attended = pending.setup.policy.interruption_finding is not InterruptionFinding.AUTOMATIC
    state, person = pending.state, pending.by.person
    return attended and person in state.bettors and person not in state.unfounded and person not in state.absent


def _taken_up_when(pending: PendingEvents, told: Reported) -> None:
    """Takes up a new fault now, or leaves it until the open ones are handled. A fault that takes precedence over the
    open question withdraws that question. A player's claim never does."""
    state = pending.state
    if state.phase not in (Phase.DECISION, Phase.OPTIONS, Phase.SUSPENDED):
        proceed(pending)
    elif told.claimed_by or state.question is None:
        return
    elif _PRECEDENCE[told.fault] < _PRECEDENCE[state.question.fault]:
        pending.add(e.QuestionWithdrawn(by=pending.by, question=state.question.number))
        proceed(pending)


def _paragraph(pending: PendingEvents, fault: Fault) -> str | None:
    return paragraph_of(pending.felt, fault)


def paragraph_of(felt: Felt, fault: Fault) -> str | None:
    """The paragraph that provides for the fault, or none."""
    rules = felt.game.irregularities
    specific = {
        Fault.FOREIGN_CARD: rules.foreign_card,
        Fault.DECK_COUNT: rules.deck_count,
        Fault.UNSHUFFLED: rules.unshuffled,
        Fault.SHOE_EMPTY: rules.shoe_empty,
        Fault.WRONG_NUMBER_OF_CARDS: rules.wrong_number_of_cards,
        Fault.TECHNICAL: rules.interruption,
        Fault.SIMULTANEOUS: rules.simultaneous,
        Fault.MISDIRECTED: rules.misdirected,
        Fault.EXCESS: rules.excess_or_exposed,
        Fault.EXPOSED: rules.excess_or_exposed,
        Fault.FACE_UP: rules.face_up,
        Fault.OTHER_DEALING_ERROR: rules.options,
    }.get(fault)
    if specific is not None:
        return specific.rule
    if fault in (Fault.DISPLAY, Fault.MISKEYED):
        return rules.display
    if fault is Fault.UNPROVIDED:
        return felt.authority_rule(Action.DECIDE_UNPROVIDED)
    return None


def decided_by(felt: Felt, fault: Fault, overlay: OverlayVoid | None = None) -> Role:
    """The lowest rank that may decide on a report of the fault. An overlay may let a lower rank declare the round
    void."""
    if overlay is not None:
        return authority.lower(overlay.declared_by, decided_by(felt, fault))
    provided = paragraph_of(felt, fault) is not None or fault in (Fault.MISPAYMENT, Fault.MISKEYED)
    needs = felt.game.authority.of(DECIDES[fault]) if provided and fault in DECIDES else None
    return Role(needs.least) if needs else Role.SHIFT_MANAGER


def _provided(pending: PendingEvents, fault: Fault) -> bool:
    return _paragraph(pending, fault) is not None


def _noticed_late(pending: PendingEvents, told: Reported) -> None:
    """Handles a fault of a round that is over. Later rounds are unaffected. The Shift Manager is alerted to what the
    document leaves open."""
    rules, fault = pending.felt.game.irregularities, told.fault
    between = pending.state.reached in BETWEEN_ROUNDS and told.round == pending.state.round
    if between and not told.claimed_by and fault in (Fault.EXCESS, Fault.EXPOSED) and _provided(pending, fault):
        out_of_turn(pending, told.cards, _paragraph(pending, fault))
        _carried_over(pending, told)
        for one in pending.state.faults:
            _noticed_late(pending, one)  # a card that the decks cannot hold
        return
    own, stand = _paragraph(pending, fault), rules.earlier_rounds_stand
    general = stand is not None and (rules.foreign_card is None or stand != rules.foreign_card.rule)
    if fault in VOID_CAUSES or fault is Fault.WRONG_NUMBER_OF_CARDS:
        rule = stand if general and told.round else own
    elif fault is Fault.MISPAYMENT and pending.felt.stands is not None:
        rule = stand
    else:
        rule = rules.noticed_late
    open_ = fault not in (*VOID_CAUSES, Fault.WRONG_NUMBER_OF_CARDS) and stand == rules.void_causes
    if open_ or rule is None:
        pending.alert(Alert.EARLIER_ROUND, to=Role.SHIFT_MANAGER, rule=rule)
    _log(pending, told, rule)
    _out_of_service(pending, told, rule)


def _out_of_service(pending: PendingEvents, told: Reported, rule: str | None) -> None:
    """Takes a set of cards in doubt out of service, whatever happens to the round."""
    shoe = pending.state.shoe
    if told.fault not in DOUBTFUL or told.claimed_by:
        return
    unused = pending.state.reached in BETWEEN_ROUNDS or not _concerns_round(pending, told)
    if is_of_another_set(pending.state, told):
        pending.add(e.SetWithdrawn(by=pending.by, rule=pending.cite(rule), shoe=told.shoe, reason=told.fault))
    elif unused and told.round == pending.state.round and shoe is not None and shoe.in_service:
        pending.add(e.ShoeWithdrawn(by=pending.by, rule=pending.cite(rule), reason=told.fault))


def _concerns_round(pending: PendingEvents, told: Reported) -> bool:
    """Whether the round was dealt from the set of cards that the report is about."""
    shoe = pending.state.shoe
    named = told.shoe or (shoe.name if shoe is not None else "")
    before = pending.felt.edition < Edition.SECOND_READING
    return before or told.fault not in ABOUT_THE_SET or named in pending.state.dealt_from


def _of_another_set(pending: PendingEvents, told: Reported) -> None:
    """Takes the reported set out of service without voiding the round, because the round was dealt from another set."""
    rule = _paragraph(pending, told.fault)
    if told.claimed_by:
        pending.alert(Alert.CLAIM, to=Role.DEALER, rule=rule)
    _log(pending, told, rule)
    _out_of_service(pending, told, rule)


def out_of_turn(pending: PendingEvents, cards: tuple[Card | None, ...], rule: str | None) -> None:
    """Queues the cards in front of the shoe, next in the order of drawing. A card that the decks cannot hold is
    reported as a fault of its own."""
    close_on_sight(pending, cards, rule)
    pending.add(e.CardsOutOfTurn(by=pending.by, rule=pending.cite(rule), round=pending.state.round, cards=cards))
    _check_copies(pending, cards)


def _check_copies(pending: PendingEvents, cards: tuple[Card | None, ...]) -> None:
    for card in dict.fromkeys(cards):
        if card is not None and card.suit and pending.state.seen.get(str(card), 0) > pending.setup.decks:
            _impossible_card(pending, card)


def report_impossible_card(pending: PendingEvents, card: Card) -> None:
    """Reports a card that has now been seen more often than the decks can hold it."""
    _impossible_card(pending, card)
    if pending.state.options is None:
        proceed(pending)


def _impossible_card(pending: PendingEvents, card: Card) -> None:
    state = pending.state
    told = Reported(
        number=state.reports + 1,
        fault=Fault.DECK_COUNT,
        round=state.round,
        seen_in=_seen_in(pending),
        cards=(card,),
        index=len(state.drawn),
        established=pending.established,
    )
    pending.add(
        e.IrregularityReported(by=pending.by, rule=pending.cite(_paragraph(pending, Fault.DECK_COUNT)), report=told)
    )


def void_for_empty_shoe(pending: PendingEvents) -> None:
    """Voids the round because the shoe is empty. The rule leaves nothing to decide."""
    number = pending.state.reports + 1
    told = Reported(number=number, fault=Fault.SHOE_EMPTY, round=pending.state.round, seen_in=pending.state.phase)
    rule = _paragraph(pending, Fault.SHOE_EMPTY)
    pending.add(e.IrregularityReported(by=pending.by, rule=pending.cite(rule), report=told))
    void(pending, Fault.SHOE_EMPTY, rule)


# ---- taking the open faults one by one ---------------------------------------------------------------------------


def proceed(pending: PendingEvents) -> None:
    """Handles the open faults in order of precedence, until one needs a ruling. With none left, it offers the options
    that are due, or resumes play."""
    while pending.state.faults and pending.state.question is None:
        told = min(pending.state.faults, key=lambda one: _PRECEDENCE[one.fault])
        _take_up(pending, told)
        if _is_over(pending.state):
            return
    if pending.state.question is None:
        options.options_or_on(pending)


def _is_over(state: State) -> bool:
    """Whether a ruling has ended the round, even if other reports are open."""
    return state.interrupted is None and state.reached in (Phase.VOIDED, Phase.WITHOUT_BETS, Phase.DECIDED)


def _take_up(pending: PendingEvents, told: Reported) -> None:  # noqa: PLR0912 (one arm a kind of fault)
    fault, gap = told.fault, told.seen_in in GAP
    posted = gap or told.seen_in == Phase.PAYING
    rule = _paragraph(pending, fault)
    if fault is Fault.DISPLAY:
        _close(pending, told, rule, logged_only=True)
    elif fault is Fault.MISPAYMENT and posted:
        _ask(pending, told, (Choice.RESETTLE, Choice.STANDS), None)
    elif fault is Fault.MISKEYED:
        _ask(pending, told, (Choice.CORRECT, Choice.STANDS), rule)
    elif fault is Fault.TECHNICAL:
        _interruption(pending, told)
    elif (void_cause := _overlaid(pending, told)) is not None:
        _ask(pending, told, (Choice.VOID, Choice.STANDS), _cited(pending, void_cause), Action.DECLARE_VOID)
    elif rule is None or fault is Fault.UNPROVIDED:
        _ask_the_house(pending, told)
    elif fault in VOID_CAUSES and not (gap and not _voids_settled(pending, fault)):
        _ask(pending, told, (Choice.VOID, Choice.STANDS), rule)
    elif fault in VOID_CAUSES or (fault is Fault.WRONG_NUMBER_OF_CARDS and gap and not _voids_settled(pending, fault)):
        stand = pending.felt.game.irregularities.earlier_rounds_stand
        _out_of_service(pending, told, rule)
        _close(pending, told, stand, logged_only=True)
    elif fault is Fault.SIMULTANEOUS:
        if told.order_known and not told.claimed_by:
            _ordered(pending, told, _together(pending, told), known=True)
        else:
            _ask(pending, told, (Choice.ORDER, Choice.STANDS), rule)
    elif told.claimed_by and (fault is Fault.FACE_UP or (posted and fault in (Fault.EXCESS, Fault.EXPOSED))):
        _ask(pending, told, (Choice.CONFIRM, Choice.STANDS), rule)
    elif fault is Fault.FACE_UP or (posted and fault in (Fault.EXCESS, Fault.EXPOSED)):
        _as_seen(pending, told)
    elif fault in (Fault.EXCESS, Fault.EXPOSED) and options.nobody_bet(pending):
        _close(pending, told, rule)
    else:
        again = () if told.seen_in == Phase.DECIDED else (Choice.RECONSTRUCT,)
        _ask(pending, told, (*again, Choice.CANNOT_RECONSTRUCT, Choice.STANDS), rule)


def _overlaid(pending: PendingEvents, told: Reported) -> OverlayVoid | None:
    """The overlay's void cause for the fault, if the overlay has one."""
    overlay = pending.setup.overlay
    return overlay.of(told.fault, settled=told.seen_in in GAP) if overlay is not None else None


def _cited(pending: PendingEvents, cause: OverlayVoid) -> Cited:
    assert pending.setup.overlay is not None, "the cause is the overlay's"
    return Cited(pending.setup.overlay.key, cause.citation)


def _as_seen(pending: PendingEvents, told: Reported) -> None:
    """Records the cards as they were seen. Cards turned face up by mistake stay exposed and count. A card that left the
    shoe after settlement belongs to the next round."""
    if told.fault is not Fault.FACE_UP:
        if told.claimed_by:
            out_of_turn(pending, told.cards, _paragraph(pending, told.fault))
        _carried_over(pending, told)
        return
    rule = _paragraph(pending, told.fault)
    if _turned_over(pending, told, rule):
        _close(pending, told, rule, grants=not (told.established or pending.established))
    else:
        _close(pending, told, rule, logged_only=True)


def _turned_over(pending: PendingEvents, told: Reported, rule: str | None) -> bool:
    """Exposes the reported cards that still lie face down. Returns whether any reported card is still on the table."""
    drawn = pending.state.drawn
    lying = {index: card for index, card in reconstruction.face_up(told).items() if index <= len(drawn)}
    turned = {index: card for index, card in lying.items() if drawn[index - 1].card is None}
    for index, card in turned.items():
        pending.add(e.CardExposed(by=pending.by, rule=pending.cite(rule), round=told.round, index=index, card=card))
    _check_copies(pending, tuple(turned.values()))
    return bool(lying)


def _carried_over(pending: PendingEvents, told: Reported) -> None:
    carry_over(pending)
    _close(pending, told, _paragraph(pending, told.fault), logged_only=False)


def _voids_settled(pending: PendingEvents, fault: Fault) -> bool:
    """Whether the cause still voids a round that is settled, until the next round is announced."""
    felt, chosen, overlay = pending.felt, pending.setup.policy.gap_void, pending.setup.overlay
    named = chosen is not None and GapCause(fault) in chosen
    if felt.edition < Edition.SECOND_READING and chosen is not None:
        return named
    by_overlay = overlay is not None and overlay.of(fault, settled=True) is not None
    return felt.voids_settled(GapCause(fault)) or by_overlay or (named and felt.interprets is not None)


def _ask(
    pending: PendingEvents, told: Reported, choices: tuple[Choice, ...], rule: Citation, action: Action | None = None
) -> None:
    """Asks whoever has the authority, by the document or by an overlay. Play stops until they answer."""
    action = action or DECIDES[told.fault]
    needs = pending.felt.game.authority.of(action)
    least = Role(needs.least) if needs else Role.SHIFT_MANAGER
    if (cause := _overlaid(pending, told)) is not None and (isinstance(rule, Cited) or Choice.VOID in choices):
        least = Role(cause.declared_by) if isinstance(rule, Cited) else authority.lower(cause.declared_by, least)
    own = told.fault is Fault.MISKEYED  # a wrong record is no dealing fault: do not cite who decides those
    cited = rule or (needs.rule if needs and not own else None)
    question = Question(
        number=pending.state.questions + 1,
        fault=told.fault,
        report=told.number,
        action=action,
        asked_of=least,
        choices=choices,
        rule=pending.felt.cite(cited),
    )
    pending.add(e.QuestionPut(by=pending.by, rule=pending.cite(cited), question=question))


def _ask_the_house(pending: PendingEvents, told: Reported) -> None:
    """Asks for a recorded decision of the House, on the cards too, because no paragraph covers the fault."""
    cards: tuple[Choice, ...] = ()
    if told.fault is Fault.MISDIRECTED:
        cards = (Choice.AS_LYING,)
    elif told.cards and told.fault in (Fault.EXCESS, Fault.EXPOSED, Fault.SIMULTANEOUS):
        cards = (Choice.SET_ASIDE,)
    choices = (Choice.CONTINUE, *cards, Choice.VOID, Choice.RETURN_BETS)
    plays_on = pending.state.in_round and not pending.state.is_posted
    if told.fault is Fault.TECHNICAL and plays_on and pending.established and _reads_again(pending):
        choices = tuple(dict.fromkeys((Choice.CONTINUE, *_ways_to_end(pending))))
        if _overlaid(pending, told) is not None:
            choices = (*choices, Choice.VOID)
    _ask(pending, told, choices, None, Action.DECIDE_UNPROVIDED)


def _close(
    pending: PendingEvents, told: Reported, rule: str | None, *, grants: bool = False, logged_only: bool = False
) -> None:
    """Closes the fault. `grants`: the fault gives players their options, unless a box of the round has been taken or
    paid."""
    over = told.paid or told.seen_in in GAP or (pending.state.paid and _reads_again(pending))
    grants = grants and not over and pending.felt.game.irregularities.options is not None
    rule = _grants_options(pending, told) or rule if grants else rule
    pending.add(
        e.FaultClosed(
            by=pending.by,
            rule=pending.cite(rule),
            round=pending.state.round,
            report=told.number,
            fault=told.fault,
            grants_options=grants,
            logged_only=logged_only,
        )
    )


def _grants_options(pending: PendingEvents, told: Reported) -> str | None:
    """The paragraph that gives players their options after the fault."""
    rules = pending.felt.game.irregularities
    own = {
        Fault.EXCESS: rules.excess_or_exposed,
        Fault.EXPOSED: rules.excess_or_exposed,
        Fault.WRONG_NUMBER_OF_CARDS: rules.excess_or_exposed if told.cards else None,
        Fault.MISKEYED: rules.excess_or_exposed,
        Fault.MISDIRECTED: rules.misdirected,
        Fault.FACE_UP: rules.face_up,
        Fault.SIMULTANEOUS: rules.simultaneous,
    }.get(told.fault)
    return own.options if own else rules.options.rule if rules.options else None


def _interruption(pending: PendingEvents, told: Reported) -> None:
    rules = pending.felt.game.irregularities.interruption
    if pending.state.phase is not Phase.SUSPENDED:
        pending.add(
            e.RoundSuspended(
                by=pending.by,
                rule=pending.cite(rules.rule if rules else None),
                round=told.round,
                cause=told.note or told.fault,
            )
        )
    if rules is None:
        _ask_the_house(pending, told)
    elif pending.setup.policy.interruption_finding is InterruptionFinding.AUTOMATIC:
        _affected(pending, told, cannot_go_on=pending.state.shoe is not None and pending.state.shoe.unproven)
    else:
        _ask(pending, told, (Choice.AFFECTS, Choice.DOES_NOT_AFFECT, Choice.CANNOT_GO_ON), rules.rule)


def _affected(pending: PendingEvents, told: Reported, *, cannot_go_on: bool = False) -> None:
    """Continues a round that has an established outcome after an interruption, and voids any other round.
    `cannot_go_on`: the round cannot be dealt further, so the House decides how it ends."""
    rules = pending.felt.game.irregularities.interruption
    assert rules is not None, "asked only where the document provides for it"
    if not pending.state.in_gap and not pending.established:
        void(pending, Fault.TECHNICAL, rules.not_established)
    elif cannot_go_on and not _reads_again(pending):
        _ask(pending, told, (Choice.CONTINUE, Choice.RETURN_BETS), None, Action.DECIDE_UNPROVIDED)
    elif cannot_go_on and not pending.state.is_posted:
        _ask(pending, told, _ways_to_end(pending), None, Action.DECIDE_UNPROVIDED)
    else:
        _goes_on(pending, told, rules.established)


def _reads_again(pending: PendingEvents) -> bool:
    return pending.felt.edition >= Edition.SECOND_READING


def _ways_to_end(pending: PendingEvents) -> tuple[Choice, ...]:
    """The choices for a round that has an established outcome and cannot continue.

    The house deals the rest of a sealed shoe while its order matches its commitment; any other shoe is dealt by hand. A
    bet that has won is returned only by a decision that names it.
    """
    shoe = pending.state.shoe
    sealed, unproven = shoe is not None and shoe.sealed, shoe is not None and shoe.unproven
    dealt = () if unproven else (Choice.CONTINUE,) if sealed else (Choice.BY_HAND,)
    return (*dealt, Choice.CONCLUDE, Choice.DECIDE_BETS)


def _goes_on(pending: PendingEvents, told: Reported, rule: str | None) -> None:
    """Closes the report and lets play continue. One finding answers every report that the house was away."""
    for one in pending.state.faults:
        if one.number == told.number or (one.since and told.since):
            _close(pending, one, rule)


def close_options(pending: PendingEvents, command: c.CloseOptions) -> None:
    """Closes the options once everyone has chosen or the time is up, and then takes up the remaining faults or the
    round."""
    if not options.close_options(pending, command):
        proceed(pending)


# ---- rulings -----------------------------------------------------------------------------------------------------


def rule(pending: PendingEvents, command: c.Rule) -> None:
    """Answers the open question."""
    question = pending.state.question
    if question is None or question.number != command.question:
        raise Refused(Reason.STALE_QUESTION, question=command.question)
    if command.choice not in question.choices:
        raise Refused(Reason.CHOICE_NOT_OPEN, choice=command.choice, known=question.choices)
    told = next(one for one in pending.state.faults if one.number == question.report)
    _check_authority(pending, question, told, command)
    _check_ruling(pending, told, command)
    cited = question.rule.paragraph if question.rule and not is_overlaid(pending.setup, question) else None
    pending.add(
        e.Ruled(
            by=pending.by,
            rule=pending.cite(question.rule),
            question=command.question,
            choice=command.choice,
            reason=command.reason,
        )
    )
    _apply(pending, told, command, cited)
    if not _is_over(pending.state):
        proceed(pending)


def _check_authority(pending: PendingEvents, question: Question, told: Reported, command: c.Rule) -> None:
    """Checks the rank that the document requires, or that the overlay names for its own void cause."""
    cause = _overlaid(pending, told)
    if cause is not None and (command.choice is Choice.VOID or is_overlaid(pending.setup, question)):
        authority.check_rank(cause.declared_by, Action.DECLARE_VOID, pending.by)
        return
    pause = is_pause(pending.felt, pending.state, question)
    if not (pause and command.choice is Choice.CONTINUE and (pending.by.is_staff or pending.by.role is Role.SYSTEM)):
        authority.check(pending.felt.game, question.action, pending.by, command.reason)


def is_overlaid(setup: Setup, question: Question) -> bool:
    """Whether the question comes from an overlay."""
    return setup.overlay is not None and question.rule is not None and question.rule.ruleset == setup.overlay.key


def may_declare(setup: Setup, question: Question, by: By) -> bool:
    """Whether an overlay gives this person the rank to declare the round void, even if they may decide nothing else."""
    cause = setup.overlay.of(question.fault, settled=False) if setup.overlay is not None else None
    return cause is not None and Choice.VOID in question.choices and authority.has_rank(cause.declared_by, by)


def is_pause(felt: Felt, state: State, question: Question) -> bool:
    """Whether the question is about an interruption that the document does not cover, so that any staff may let play
    continue. Not if the order of the shoe does not match its commitment."""
    unprovided = question.action is Action.DECIDE_UNPROVIDED and felt.game.irregularities.interruption is None
    return unprovided and question.fault is Fault.TECHNICAL and not (state.shoe is not None and state.shoe.unproven)


def _check_ruling(pending: PendingEvents, told: Reported, command: c.Rule) -> None:
    together = len(told.cards) or len(pending.state.drawn) - (told.index or 0) + 1
    if command.choice is Choice.ORDER and sorted(command.order) != list(range(1, together + 1)):
        raise Refused(Reason.ORDER_WRONG, cards=together)
    if command.choice is Choice.DECIDE_BETS:
        check_reason(command.reason, pending.felt.interprets)
    if (command.choice is Choice.DECIDE_BETS) != bool(command.bets):
        raise Refused(Reason.BETS_NAMED_WRONGLY, pending.felt.interprets, most=MOST_BETS)
    if command.choice is Choice.RECONSTRUCT and command.cards:
        reconstruction.check_same_cards(pending, told, command.cards)
    if command.choice is Choice.CORRECT or (command.choice is Choice.RESETTLE and command.cards):
        reconstruction.check_true_cards(pending, command.cards)
        _check_left(pending, len(command.cards) - len(pending.state.drawn))


def _apply(pending: PendingEvents, told: Reported, command: c.Rule, cited: str | None) -> None:  # noqa: PLR0912
    match command.choice:
        case Choice.VOID:
            cause = _overlaid(pending, told)
            void(pending, told.fault, cited if cause is None else _cited(pending, cause))
        case Choice.STANDS:
            _unfounded(pending, told, cited)
        case Choice.DOES_NOT_AFFECT:
            _goes_on(pending, told, cited)
        case Choice.AFFECTS:
            _affected(pending, told)
        case Choice.CANNOT_GO_ON:
            _affected(pending, told, cannot_go_on=True)
        case Choice.CONTINUE:
            _decided_to_continue(pending, told, cited)
        case Choice.SET_ASIDE:
            pending.add(
                e.CardsSetAside(by=pending.by, rule=pending.cite(cited), round=pending.state.round, cards=told.cards)
            )
            _close(pending, told, cited)
        case Choice.AS_LYING:
            _left_lying(pending, told, cited)
        case Choice.CONFIRM:
            _as_seen(pending, told)
        case Choice.ORDER:
            _ordered(pending, told, tuple(_together(pending, told)[place - 1] for place in command.order), known=False)
        case Choice.RECONSTRUCT:
            _reconstructed(pending, told, command.cards, cited)
        case Choice.CANNOT_RECONSTRUCT:
            _not_reconstructed(pending, told, cited)
        case Choice.CORRECT:
            _corrected(pending, told, command.cards, cited)
        case Choice.RESETTLE:
            _resettled(pending, told, command.cards, cited)
        case Choice.BY_HAND:
            _goes_on(pending, told, cited)
        case Choice.CONCLUDE | Choice.DECIDE_BETS:
            _close(pending, told, cited)
            conclude(pending, command.bets, cited, told)
        case Choice.RETURN_BETS:
            _close(pending, told, cited)
            void(pending, told.fault, cited, told)
        case _:
            assert_never(command.choice)


def _unfounded(pending: PendingEvents, told: Reported, cited: str | None) -> None:
    """Closes a report that proved unfounded, or that leaves a settled round as it is. Cards that the report brought out
    are put back into the shoe, if they still wait in front of it."""
    front, many = pending.state.front, len(told.cards)
    waits = any(front[place : place + many] == told.cards for place in range(len(front) - many + 1))
    pending.add(
        e.FaultClosed(
            by=pending.by,
            rule=pending.cite(cited),
            round=pending.state.round,
            report=told.number,
            fault=told.fault,
            logged_only=True,
            put_back=told.cards if waits and told.brought_out else (),
            unfounded_claim=told.claimed_by,
        )
    )


def _decided_to_continue(pending: PendingEvents, told: Reported, cited: str | None) -> None:
    """Lets play continue by decision of the House: cards keep their places in the order of drawing, and seen faces stay
    seen."""
    if told.fault is Fault.FACE_UP:
        _turned_over(pending, told, cited)
    elif told.cards and told.fault in (Fault.EXCESS, Fault.EXPOSED, Fault.SIMULTANEOUS):
        out_of_turn(pending, told.cards, cited)
    _close(pending, told, cited)


def _together(pending: PendingEvents, told: Reported) -> tuple[Card | None, ...]:
    """The cards that were drawn together: those the report names, or those drawn from its index on."""
    if told.cards:
        return told.cards
    assert told.index is not None, "a complete report"
    return tuple(one.card for one in pending.state.drawn[told.index - 1 :])


def _ordered(pending: PendingEvents, told: Reported, cards: tuple[Card | None, ...], *, known: bool) -> None:
    """Puts cards that were drawn together into the order of drawing; they are still a dealing error. The cards of a
    settled round whose order is known keep their places."""
    rules = pending.felt.game.irregularities.simultaneous
    assert rules is not None, "asked only where the document provides for it"
    if told.cards:
        out_of_turn(pending, cards, rules.rule)
    elif not (known and pending.state.in_gap and pending.felt.edition >= Edition.SECOND_READING):
        assert told.index is not None, "a complete report"
        if pending.state.is_posted:
            reverse(pending, rules.rule)
        before = tuple(one.card for one in pending.state.drawn[: told.index - 1])
        reconstruction.put_in_order(pending, (*before, *cards, *pending.state.front), rules.rule)
    always = pending.setup.policy.simultaneous_options is SimultaneousOptions.ALWAYS
    _close(pending, told, rules.options, grants=always or not known)


def _reconstructed(pending: PendingEvents, told: Reported, cards: reconstruction.Cards, cited: str | None) -> None:
    """Replays the draw order: each card goes to its hand, and spare cards wait in front of the shoe."""
    _out_of_the_shoe(pending, told, cited)
    if pending.state.is_posted:
        reverse(pending, cited)
    defined = pending.felt.game.irregularities.reconstruction or cited
    reconstruction.put_in_order(pending, cards or reconstruction.cards_out(pending.state), defined)
    _check_copies(pending, cards)
    too_few = told.fault is Fault.WRONG_NUMBER_OF_CARDS and not told.cards
    always = told.fault is Fault.OTHER_DEALING_ERROR or too_few
    for one in reconstruction.same_kind(pending.state, told):
        _close(pending, one, cited, grants=always or not told.established)


def _out_of_the_shoe(pending: PendingEvents, told: Reported, cited: str | None) -> None:
    """Takes out of the shoe the cards that a player claimed had left it, because the ruling confirms the claim."""
    cards = reconstruction.claimed(told)
    if cards:
        out_of_turn(pending, cards, cited)


def _not_reconstructed(pending: PendingEvents, told: Reported, cited: str | None) -> None:
    """Voids a round with the wrong number of cards, and otherwise leaves the cards as they lie. After a payment the
    House decides."""
    wrong = pending.felt.game.irregularities.wrong_number_of_cards
    _out_of_the_shoe(pending, told, cited)
    lying = reconstruction.as_they_lie(pending.state, told)
    if told.fault in (Fault.WRONG_NUMBER_OF_CARDS, Fault.EXCESS) or lying is None:
        void(pending, Fault.WRONG_NUMBER_OF_CARDS, wrong.rule if wrong else cited)
    elif pending.state.in_gap or told.paid:
        choices = (Choice.STANDS, Choice.RESETTLE, Choice.VOID)
        _ask(pending, told, choices, None, Action.DECIDE_UNPROVIDED)
    else:
        _left_lying(pending, told, cited)


def _left_lying(pending: PendingEvents, told: Reported, cited: str | None) -> None:
    lying = reconstruction.as_they_lie(pending.state, told)
    if lying is None:
        raise Refused(Reason.LIES_IMPOSSIBLY, cited)
    if pending.state.is_posted:
        reverse(pending, cited)
    before = reconstruction.on_show(pending.state)
    pending.add(e.CardsLeftLying(by=pending.by, rule=pending.cite(cited), round=pending.state.round, sides=lying))
    reconstruction.insurance_put_right(pending, before, cited)
    grants = told.fault is not Fault.EXPOSED or not told.established
    for one in reconstruction.same_kind(pending.state, told):
        _close(pending, one, cited, grants=grants)


def _corrected(pending: PendingEvents, told: Reported, cards: reconstruction.Cards, cited: str | None) -> None:
    """Corrects the record to the cards on the table, which prevail over what was keyed. A card dealt too many is an
    excess."""
    if pending.state.is_posted:
        reverse(pending, cited)
    spare = len(pending.state.front)
    reconstruction.put_in_order(pending, (*cards, *pending.state.front), cited)
    _check_copies(pending, cards)
    excess = pending.felt.game.irregularities.excess_or_exposed
    dealt_too_many = len(pending.state.front) > spare and excess is not None
    rule = excess.rule if excess and dealt_too_many else cited
    _close(pending, told, rule, grants=dealt_too_many and not told.established)


def _resettled(pending: PendingEvents, told: Reported, cards: reconstruction.Cards, cited: str | None) -> None:
    """Reverses the settlement so that the round is settled again: on the cards given, or on the cards as they lie."""
    if pending.state.is_posted:
        reverse(pending, cited)
    if told.fault is not Fault.MISPAYMENT:
        _left_lying(pending, told, cited)
        return
    if cards:
        reconstruction.put_in_order(pending, (*cards, *pending.state.front), cited)
        _check_copies(pending, cards)
    _close(pending, told, cited)
