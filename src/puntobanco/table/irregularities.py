"""Irregularities: what the rules make of a report, paragraph by paragraph, and what has to be decided by whom.

Faults are dealt with in the order of `Fault`: causes that void come before everything, then what puts the cards back
in order, then what is merely seen. Options are put once, at the end, if any fault grants them. Where a document has no
paragraph for a fault, the Shift Manager decides and it is recorded; another document's rule is never borrowed.
"""

from msgspec.structs import replace

from puntobanco.rules import insurance
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Coup
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Action, VoidCause, Window
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.events import Question, Reported
from puntobanco.table.setup import InterruptionFinding, SimultaneousOptions
from puntobanco.table.state import IN_ROUND, Phase
from puntobanco.table.story import Story, replayed
from puntobanco.table.windows import after_cards, carry_over

VOID_CAUSES = (Fault.FOREIGN_CARD, Fault.DECK_COUNT, Fault.UNSHUFFLED, Fault.SHOE_EMPTY)
OUT_OF_ORDER = (Fault.MISDIRECTED, Fault.WRONG_NUMBER_OF_CARDS, Fault.EXCESS, Fault.EXPOSED, Fault.OTHER_DEALING_ERROR)

LEFT_THE_SHOE = (Fault.EXCESS, Fault.EXPOSED, Fault.WRONG_NUMBER_OF_CARDS)
"""Faults whose report may name cards that left the shoe unasked."""

DECIDES = {
    **dict.fromkeys(VOID_CAUSES, Action.DECLARE_VOID),
    **dict.fromkeys(OUT_OF_ORDER, Action.DECIDE_RECONSTRUCTION),
    Fault.TECHNICAL: Action.FIND_INTERRUPTION,
    Fault.SIMULTANEOUS: Action.ORDER_SIMULTANEOUS_CARDS,
    Fault.MISPAYMENT: Action.REVERSE_SETTLEMENT,
    Fault.UNPROVIDED: Action.DECIDE_UNPROVIDED,
}
"""Which authority a question about the fault asks for."""


# ---- reports -----------------------------------------------------------------------------------------------------


def report(story: Story, command: c.Report) -> None:
    state = story.state
    if not 0 < command.round <= state.round:
        raise Refused(Reason.STALE_ROUND, round=command.round, current=state.round)
    _check_report(story, command)
    seen_in = state.interrupted or state.phase
    told = Reported(
        fault=command.fault,
        round=command.round,
        seen_in=seen_in,
        cards=command.cards,
        index=command.index,
        lies=command.lies,
        to_person=command.to_person,
        order_known=command.order_known,
        note=command.note,
    )
    rule = _paragraph(story, command.fault)
    misdirected = story.felt.game.irregularities.misdirected
    if command.fault is Fault.MISDIRECTED and misdirected is not None:
        rule = (misdirected.person if command.to_person else misdirected.area) or rule
    story.tell(e.IrregularityReported, rule, report=told)
    live = seen_in in IN_ROUND or seen_in is Phase.SETTLED
    if command.round < state.round or not live:
        _noticed_late(story, told)
        return
    if command.fault in LEFT_THE_SHOE and command.cards and _provided(story, command.fault):
        _out_of_turn(story, command.cards, rule)
    if state.phase in (Phase.DECISION, Phase.OPTIONS, Phase.SUSPENDED):
        return  # taken up with the faults already open
    proceed(story)


def _check_report(story: Story, command: c.Report) -> None:
    """A report names what it is about."""
    state, fault, cards = story.state, command.fault, command.cards
    incomplete = (
        (fault is Fault.SIMULTANEOUS and len(cards) < 2)
        or (fault is Fault.EXCESS and not cards)
        or (fault is Fault.EXPOSED and (len(cards) != 1 or cards[0] is None))
        or (fault is Fault.MISDIRECTED and not command.lies)
        or any(not 1 <= index <= len(state.drawn) for index in command.lies)
        or (fault is Fault.FACE_UP and (command.index is None or len(cards) != 1 or cards[0] is None))
    )
    if incomplete:
        raise Refused(Reason.REPORT_INCOMPLETE, fault=fault)
    if fault is Fault.FACE_UP:
        hidden = [index for index, one in enumerate(state.drawn, start=1) if one.card is None]
        if not story.setup.face_down or command.index not in hidden:
            raise Refused(Reason.ALREADY_EXPOSED, _paragraph(story, fault), index=command.index)


def _paragraph(story: Story, fault: Fault) -> str | None:
    """Where the document provides for the fault, if it does."""
    rules = story.felt.game.irregularities
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
    if fault is Fault.DISPLAY:
        return rules.display
    if fault is Fault.UNPROVIDED:
        residual = story.felt.game.authority.of(Action.DECIDE_UNPROVIDED)
        return residual.rule if residual else None
    return None


def _provided(story: Story, fault: Fault) -> bool:
    return _paragraph(story, fault) is not None


def _noticed_late(story: Story, told: Reported) -> None:
    """A fault of a round that is over: later rounds are untouched, and what is left open goes up to be decided."""
    rules = story.felt.game.irregularities
    if told.fault in VOID_CAUSES or told.fault is Fault.WRONG_NUMBER_OF_CARDS:
        own, stand = _paragraph(story, told.fault), rules.earlier_rounds_stand
        general = stand is not None and (rules.foreign_card is None or stand != rules.foreign_card.rule)
        rule = stand if general else own or stand
    else:
        rule = rules.noticed_late
        if rules.earlier_rounds_stand == rules.void_causes or rule is None:
            story.tell(e.AlertRaised, rule, kind="earlier_round", to=Role.SHIFT_MANAGER)
    story.tell(e.FaultClosed, rule, round=told.round, fault=told.fault, logged_only=True)


def _out_of_turn(story: Story, cards: tuple[Card | None, ...], rule: str | None) -> None:
    """Cards next in the order of drawing; one the decks cannot hold is a fault of its own."""
    story.tell(e.CardsOutOfTurn, rule, round=story.state.round, cards=cards)
    for card in cards:
        if card is not None and story.state.seen.get(str(card), 0) > story.setup.decks:
            _impossible_card(story, card)


def report_impossible_card(story: Story, card: Card) -> None:
    """The machine itself saw a card the decks cannot hold so often."""
    _impossible_card(story, card)
    proceed(story)


def _impossible_card(story: Story, card: Card) -> None:
    state = story.state
    seen_in = state.interrupted or state.phase
    told = Reported(fault=Fault.DECK_COUNT, round=state.round, seen_in=seen_in, cards=(card,), index=len(state.drawn))
    story.tell(e.IrregularityReported, _paragraph(story, Fault.DECK_COUNT), report=told)


def void_for_empty_shoe(story: Story) -> None:
    """Bound by the rule: nobody has to decide it."""
    told = Reported(fault=Fault.SHOE_EMPTY, round=story.state.round, seen_in=story.state.phase)
    rule = _paragraph(story, Fault.SHOE_EMPTY)
    story.tell(e.IrregularityReported, rule, report=told)
    void(story, Fault.SHOE_EMPTY, rule)


# ---- taking the open faults one by one ---------------------------------------------------------------------------


def proceed(story: Story) -> None:
    """Deal with the next open fault; with none left, put the options that are due, or play on."""
    while story.state.faults and story.state.question is None:
        order = list(Fault)
        told = min(story.state.faults, key=lambda one: order.index(one.fault))
        _take_up(story, told)
        if story.state.phase is Phase.VOIDED:
            return
    if story.state.question is None:
        _options_or_on(story)


def _take_up(story: Story, told: Reported) -> None:
    fault, gap = told.fault, told.seen_in == Phase.SETTLED
    rules = story.felt.game.irregularities
    rule = _paragraph(story, fault)
    if fault is Fault.DISPLAY:
        story.tell(e.FaultClosed, rule, round=told.round, fault=fault, logged_only=True)
    elif fault is Fault.MISPAYMENT and gap:
        _ask(story, fault, (Choice.RESETTLE, Choice.STANDS), None)
    elif fault in VOID_CAUSES and rule is not None:
        if gap and not _voids_settled(story, fault):
            story.tell(e.FaultClosed, rules.earlier_rounds_stand, round=told.round, fault=fault, logged_only=True)
        else:
            _ask(story, fault, (Choice.VOID, Choice.STANDS), rule)
    elif fault is Fault.TECHNICAL:
        _interruption(story, told)
    elif fault is Fault.SIMULTANEOUS and rule is not None:
        if told.order_known:
            _ordered(story, told, told.cards, known=True)
        else:
            _ask(story, fault, (Choice.ORDER,), rule)
    elif fault is Fault.FACE_UP and rule is not None:
        assert told.index is not None, "a complete report"
        assert told.cards[0] is not None, "a complete report"
        story.tell(e.CardExposed, rule, round=told.round, index=told.index, card=told.cards[0])
        _close(story, fault, rule, options=not story.established)
    elif fault in OUT_OF_ORDER and rule is not None:
        _ask(story, fault, (Choice.RECONSTRUCT, Choice.CANNOT_RECONSTRUCT), rule)
    else:
        _ask(story, Fault.UNPROVIDED, (Choice.CONTINUE, Choice.VOID, Choice.RETURN_BETS), None, about=fault)


def _voids_settled(story: Story, fault: Fault) -> bool:
    """Whether the cause still voids a round that is settled, until the next is announced."""
    chosen = story.setup.policy.gap_void
    if chosen is not None:
        return fault in chosen
    cause: VoidCause | None = getattr(story.felt.game.irregularities, fault)
    return cause is not None and cause.settled_too


def _ask(story: Story, fault: Fault, choices: tuple[Choice, ...], rule: str | None, about: Fault | None = None) -> None:
    """Put the question to whoever has the authority; play waits."""
    needs = story.felt.game.authority.of(DECIDES[fault])
    asked_of = Role(needs.least) if needs else Role.SHIFT_MANAGER
    question = Question(
        number=story.state.questions + 1,
        fault=about or fault,
        asked_of=asked_of,
        choices=choices,
        rule=story.felt.cite(rule or (needs.rule if needs else None)),
    )
    story.tell(e.QuestionPut, rule or (needs.rule if needs else None), question=question)


def _close(story: Story, fault: Fault, rule: str | None, *, options: bool) -> None:
    """The fault is dealt with; it may have granted the players' options, never in the gap after settlement."""
    in_gap = any(one.seen_in == Phase.SETTLED for one in story.state.faults if one.fault is fault)
    options = options and not in_gap and story.felt.game.irregularities.options is not None
    rule = _grants_options(story, fault) or rule if options else rule
    story.tell(e.FaultClosed, rule, round=story.state.round, fault=fault, grants_options=options)


def _grants_options(story: Story, fault: Fault) -> str | None:
    """The paragraph that gives the players their options after the fault."""
    rules = story.felt.game.irregularities
    own = {
        Fault.EXCESS: rules.excess_or_exposed,
        Fault.EXPOSED: rules.excess_or_exposed,
        Fault.MISDIRECTED: rules.misdirected,
        Fault.FACE_UP: rules.face_up,
        Fault.SIMULTANEOUS: rules.simultaneous,
    }.get(fault)
    return own.options if own else rules.options.rule if rules.options else None


def _interruption(story: Story, told: Reported) -> None:
    rules = story.felt.game.irregularities.interruption
    story.tell(e.RoundSuspended, rules.rule if rules else None, round=told.round, cause=told.note or told.fault)
    if rules is None:
        _ask(story, Fault.UNPROVIDED, (Choice.CONTINUE, Choice.VOID, Choice.RETURN_BETS), None, about=Fault.TECHNICAL)
    elif story.setup.policy.interruption_finding is InterruptionFinding.AUTOMATIC:
        _affected(story)
    else:
        _ask(story, Fault.TECHNICAL, (Choice.AFFECTS, Choice.DOES_NOT_AFFECT), rules.rule)


def _affected(story: Story) -> None:
    """The interruption affects the round: an established outcome is played out, any other round is void."""
    rules = story.felt.game.irregularities.interruption
    assert rules is not None, "asked only where the document provides for it"
    if not story.state.in_gap and not story.established:
        void(story, Fault.TECHNICAL, rules.not_established)
    else:
        story.tell(e.FaultClosed, rules.established, round=story.state.round, fault=Fault.TECHNICAL)


# ---- rulings -----------------------------------------------------------------------------------------------------


def rule(story: Story, command: c.Rule) -> None:
    """Somebody with the rank answers the open question."""
    state = story.state
    question = state.question
    if question is None or question.number != command.question:
        raise Refused(Reason.STALE_QUESTION, question=command.question)
    if command.choice not in question.choices:
        raise Refused(Reason.CHOICE_NOT_OPEN, choice=command.choice, known=question.choices)
    unprovided = Choice.RETURN_BETS in question.choices
    action = DECIDES[Fault.UNPROVIDED if unprovided else question.fault]
    pause = unprovided and question.fault is Fault.TECHNICAL and command.choice is Choice.CONTINUE
    if not (pause and (story.by.is_staff or story.by.role is Role.SYSTEM)):
        authority.check(story.felt.game, action, story.by, command.reason)
    _check_ruling(story, question, command)
    cited = question.rule.paragraph if question.rule else None
    story.tell(e.Ruled, cited, question=command.question, choice=command.choice, reason=command.reason)
    _apply(story, question.fault, command, cited)
    if story.state.phase is not Phase.VOIDED:
        proceed(story)


def _check_ruling(story: Story, question: Question, command: c.Rule) -> None:
    told = next((one for one in story.state.faults if one.fault is question.fault), None)
    together = len(told.cards) if told else 0
    if command.choice is Choice.ORDER and sorted(command.order) != list(range(1, together + 1)):
        raise Refused(Reason.ORDER_WRONG, cards=together)
    if command.choice is Choice.RECONSTRUCT and command.cards and len(command.cards) < len(story.state.drawn):
        raise Refused(Reason.CARDS_MISSING, cards=len(story.state.drawn))


def _apply(story: Story, fault: Fault, command: c.Rule, cited: str | None) -> None:
    match command.choice:
        case Choice.VOID:
            void(story, fault, cited)
        case Choice.STANDS | Choice.CONTINUE:
            _close(story, fault, cited, options=False)
        case Choice.DOES_NOT_AFFECT:
            _close(story, fault, cited, options=False)
        case Choice.AFFECTS:
            _affected(story)
        case Choice.ORDER:
            told = next(one for one in story.state.faults if one.fault is fault)
            _ordered(story, told, tuple(told.cards[place - 1] for place in command.order), known=False)
        case Choice.RECONSTRUCT:
            _reconstructed(story, fault, command, cited)
        case Choice.CANNOT_RECONSTRUCT:
            _not_reconstructed(story, fault, cited)
        case Choice.RESETTLE:
            _reverse(story, cited)
            _close(story, fault, cited, options=False)
        case Choice.RETURN_BETS:
            _close(story, fault, cited, options=False)
            void(story, fault, cited)


def _ordered(story: Story, told: Reported, cards: tuple[Card | None, ...], *, known: bool) -> None:
    """Cards drawn together take their places in the order of drawing; it is a dealing error all the same."""
    rules = story.felt.game.irregularities.simultaneous
    assert rules is not None, "asked only where the document provides for it"
    _out_of_turn(story, cards, rules.rule)
    always = story.setup.policy.simultaneous_options is SimultaneousOptions.ALWAYS
    _close(story, told.fault, rules.options, options=always or not known)


def _reconstructed(story: Story, fault: Fault, command: c.Rule, cited: str | None) -> None:
    """Replay of the draw order: the cards to their hands, what is left over in front of the shoe."""
    game, established = story.felt.game, story.established
    told = next(one for one in story.state.faults if one.fault is fault)
    too_few = fault is Fault.WRONG_NUMBER_OF_CARDS and not told.cards
    if story.state.in_gap:
        _reverse(story, cited)
    state = story.state
    cards: tuple[Card | None, ...] = command.cards or (*(one.card for one in state.drawn), *state.front)
    belong, sides = replayed(cards)
    used = belong if command.cards else min(belong, len(state.drawn))
    story.tell(
        e.CardsReconstructed,
        game.irregularities.reconstruction or cited,
        round=state.round,
        cards=tuple(cards[:used]),
        sides=sides[:used],
        spare=tuple(cards[used:]),
    )
    _insurance_put_right(story, state.coup, cited)
    always = fault is Fault.OTHER_DEALING_ERROR or too_few
    _close(story, fault, cited, options=always or not established)


def _insurance_put_right(story: Story, before: Coup | None, rule: str | None) -> None:
    """Insurance taken on points that were not there goes back; its window may open anew on the right ones."""
    game, after = story.felt.game, story.state.coup
    if game.insurance is None or before is None:
        return
    were = {made.window: made.row for made in insurance.offers(game, before)}
    are = {made.window: made.row for made in insurance.offers(game, after)} if after else {}
    changed = tuple(window for window in Window if were.get(window) != are.get(window))
    stakes = tuple(stake for stake in story.state.stakes.values() if stake.bet.partition("@")[2] in changed)
    if changed:
        story.tell(e.InsuranceReturned, rule, round=story.state.round, windows=changed, stakes=stakes)


def _not_reconstructed(story: Story, fault: Fault, cited: str | None) -> None:
    """With the wrong number of cards the round is void; otherwise the cards stay as they lie."""
    rules = story.felt.game.irregularities
    wrong = rules.wrong_number_of_cards
    told = next(one for one in story.state.faults if one.fault is fault)
    lying = tuple(told.lies.get(index, one.side) for index, one in enumerate(story.state.drawn, start=1))
    count_right = all(lying.count(side) == sum(one.side is side for one in story.state.drawn) for side in Side)
    if fault in (Fault.WRONG_NUMBER_OF_CARDS, Fault.EXCESS) or not count_right:
        void(story, Fault.WRONG_NUMBER_OF_CARDS, wrong.rule if wrong else cited)
        return
    established = story.established
    story.tell(e.CardsLeftLying, cited, round=story.state.round, sides=lying)
    options = fault is not Fault.EXPOSED or not established
    _close(story, fault, cited, options=options)


# ---- void, reversal, going on ------------------------------------------------------------------------------------


def void(story: Story, cause: Fault, rule: str | None) -> None:
    """The round has no result: everything staked in it goes back, whatever was already decided or paid."""
    if story.state.in_gap:
        _reverse(story, rule)
    state = story.state
    refunded_by = story.felt.cite(story.felt.game.irregularities.void)
    refunds = tuple(state.stakes.values())
    story.tell(e.RoundVoided, rule, round=state.round, cause=cause, refunds=refunds, refunded_by=refunded_by)
    if cause in (Fault.FOREIGN_CARD, Fault.DECK_COUNT, Fault.UNSHUFFLED):
        story.tell(e.ShoeWithdrawn, rule, reason=cause)
    if story.state.front:
        if cause in VOID_CAUSES or cause is Fault.WRONG_NUMBER_OF_CARDS:
            story.tell(e.CarryOverDiscarded, rule)
        else:
            carry_over(story)


def _reverse(story: Story, rule: str | None) -> None:
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


def _options_or_on(story: Story) -> None:
    state, rules = story.state, story.felt.game.irregularities.options
    if state.options_due is not None and rules is not None and state.bettors:
        continues = rules.as_lying if state.as_lying else rules.reconstructed
        known = state.coup is not None and state.coup.is_complete if len(state.drawn) >= 4 else False
        cited, returned = story.felt.cite(continues), story.felt.cite(rules.returned)
        story.tell(
            e.OptionsOffered,
            state.options_due.paragraph,
            round=state.round,
            question=state.questions + 1,
            people=state.bettors,
            continues_by=cited,
            returns_by=returned,
            deadline=story.by.at + story.setup.timing.options,
            result_known=known,
        )
        if known:
            story.tell(e.AlertRaised, rules.rule, kind="options_after_result", to=Role.SHIFT_MANAGER)
        return
    resume(story)


def resume(story: Story) -> None:
    """Back to where the round was; cards that changed are looked at again."""
    state = story.state
    if state.interrupted is not None:
        back = state.interrupted
        if back in (Phase.RESULT, Phase.INSURANCE) and state.outcome is None and state.window is None:
            back = Phase.DEALING
        story.tell(e.RoundResumed, round=state.round, to=back)
    if story.state.phase is Phase.DEALING:
        after_cards(story)


# ---- options -----------------------------------------------------------------------------------------------------


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
        authority.check(story.felt.game, Action.RECORD_ELECTION, story.by)
    if person not in options.people:
        raise Refused(Reason.NOT_IN_OPTIONS, options.returns_by.paragraph, person=person)
    rules = story.felt.game.irregularities.options
    assert rules is not None, "options are open"
    going_on = rules.as_lying if story.state.as_lying else rules.reconstructed
    paragraph = rules.returned if command.election is Election.RETURN else going_on
    story.tell(e.Elected, paragraph, question=command.question, person=person, election=command.election)


def close_options(story: Story, command: c.CloseOptions) -> None:
    """Silence goes on. Before the deadline only when everyone present has chosen."""
    state, options = story.state, story.state.options
    assert options is not None, "options are open"
    if options.question != command.question:
        raise Refused(Reason.STALE_QUESTION, question=command.question)
    authority.check(story.felt.game, Action.RECORD_ELECTION, story.by)
    silent = tuple(person for person in options.people if person not in options.elections)
    waited_for = [person for person in silent if person not in state.absent]
    if waited_for and story.by.at < options.deadline:
        raise Refused(Reason.OPTIONS_RUNNING, people=", ".join(waited_for))
    leaving = {person for person, election in options.elections.items() if election is Election.RETURN}
    returned = tuple(stake for stake in state.stakes.values() if stake.owner in leaving)
    story.tell(
        e.OptionsClosed, options.returns_by.paragraph, round=state.round, question=command.question,
        silent=silent, returned=returned,
    )  # fmt: skip
    if returned and not story.state.stakes and not story.state.faults:
        story.tell(e.RoundEndedWithoutBets, options.returns_by.paragraph, round=state.round)
        if story.state.front:
            carry_over(story)
        return
    proceed(story)
