"""The next step at a table: one for each state and role, so that a screen needs no order of play and no rules.

A step has a code for what to do, the command to send and the paragraph that requires it. The screens hold the sentence.
A step that waits for somebody else has no command.
"""

from collections.abc import Collection
from enum import StrEnum

import msgspec

from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Action
from puntobanco.table import commands as c
from puntobanco.table.betting import excess_boxes
from puntobanco.table.dealing import asked_to_agree
from puntobanco.table.felt import Felt
from puntobanco.table.pending import due
from puntobanco.table.shoe import is_used_up
from puntobanco.table.state import BETWEEN_ROUNDS, OpenOptions, OpenWindow, Phase, State
from puntobanco.table.tags import tag_of


class StepCode(StrEnum):
    """All steps. The screens have a sentence for each."""

    OPEN = "open"
    """Open betting."""
    OPEN_SEEN = "open_seen"
    """Announce the card that everybody has seen, and open betting."""
    PERMIT = "permit"
    """Permit the round to open."""
    ANNOUNCE = "announce"
    """Announce the close."""
    CLOSE = "close"
    """Close betting."""
    REJECT = "reject"
    """Hand back what exceeds the Differential at a box."""
    DRAW = "draw"
    """Draw a card and key it in."""
    DRAW_DOWN = "draw_down"
    """Draw a card face down."""
    DRAW_WAITING = "draw_waiting"
    """Draw the card that has left the shoe and waits in front of it."""
    EXPOSE = "expose"
    """Turn over a card and key it in."""
    ANSWER_SQUEEZE = "answer_squeeze"
    """Permit a squeeze, or refuse it."""
    ANSWER_WAIVER = "answer_waiver"
    """Consent to a waiver of insurance, or refuse it."""
    INSURANCE = "insurance"
    """Take insurance, then close it."""
    SETTLE = "settle"
    """Settle the round."""
    CONFIRM = "confirm"
    """Confirm that a box is taken and paid."""
    LOAD = "load"
    """Load a new shoe."""
    OPTIONS_CLOSE = "options_close"
    """Close the options that players were offered."""
    WAIT_SQUEEZE = "wait_squeeze"
    """A player squeezes."""
    WAIT_OPTIONS = "wait_options"
    """Players choose."""
    WAIT_DECISION = "wait_decision"
    """A question is open."""
    WAIT_CLOSED = "wait_closed"
    """The table is closed."""
    WAIT_ITSELF = "wait_itself"
    """The table deals by itself."""
    WAIT_PERMIT = "wait_permit"
    """Somebody must permit the round to open."""
    WAIT_TERMINAL = "wait_terminal"
    """The terminals run the table."""
    WAIT_CLOSING = "wait_closing"
    """Betting is closed, and the last bets arrive."""
    WAIT_PIT = "wait_pit"
    """Only the pit can go on."""


class Awaited(StrEnum):
    """What everybody at the table waits for while no round is running."""

    OPENING = "opening"
    """The table is closed."""
    SHOE = "shoe"
    """There is no shoe, or it is used up."""
    PERMISSION = "permission"
    """Somebody must permit the round to open."""
    ROUND = "round"
    """The next round."""


def awaited(state: State) -> Awaited | None:
    if state.phase is Phase.CLOSED:
        return Awaited.OPENING
    if state.phase not in BETWEEN_ROUNDS:
        return None
    if is_used_up(state):
        return Awaited.SHOE
    return Awaited.PERMISSION if state.waits_for_permission else Awaited.ROUND


class ShoeNote(StrEnum):
    """What the cut card means for the round."""

    ONE_MORE = "one_more"
    """It came out in this round: one more follows."""
    LAST = "last"
    """This round, or the one that opens next, is the last of the shoe."""


BURNS_BEFORE = frozenset({StepCode.OPEN, StepCode.OPEN_SEEN, StepCode.DRAW, StepCode.DRAW_DOWN})


class TurnOver(msgspec.Struct, frozen=True, kw_only=True, tag=tag_of(c.ExposeCard)):
    """Turn a card over: `ExposeCard` without the face, which whoever turns the card over adds."""

    round: int
    index: int


StepCommand = (
    c.OpenBetting
    | c.PermitOpening
    | c.AnnounceClose
    | c.CloseBetting
    | c.RejectExcess
    | c.DrawCard
    | TurnOver
    | c.AnswerSqueeze
    | c.AnswerWaiver
    | c.CloseInsurance
    | c.Settle
    | c.ConfirmBox
    | c.CloseOptions
)
"""The command of a step. It is sent as it is, or with the face of a card where one is needed."""


class NextStep(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What to do now, or who the table waits for."""

    code: StepCode
    """The code of the step."""
    command: StepCommand | None = None
    """The command that carries out the step, ready to send; null if staff can only wait."""
    otherwise: c.CloseBetting | c.AnswerSqueeze | c.AnswerWaiver | c.FinishSqueeze | None = None
    """The other answer, where there are two. It is the only answer while the first waits for other players. While
    somebody squeezes whose request staff recorded, it ends the squeeze."""
    wants_card: bool = False
    """The command still needs the face of a card."""
    deadline: int = 0
    meanwhile: StepCode | None = None
    """The code of the step until the deadline. The command is sent only after it."""
    side: Side | None = None
    """The hand that the card goes or belongs to, or that is insured."""
    index: int = 0
    """The place of the card in the order of drawing, from 1; 0 if the step is about none."""
    box: int = 0
    """The number of the box that the step is about; 0 if it is about none."""
    person: str = ""
    """Who asks or squeezes."""
    burn: int = 0
    """How many cards of the new shoe are burnt before this step, as the table is set up."""
    shoe: ShoeNote | None = None
    """What the cut card means for the step; null if it means nothing."""
    paragraph: str | None = None


class LowBet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A bet below the minimum, and the command for it: first advise the player, then hand the bet back."""

    box: int
    bet: str
    owner: str
    advised: bool = False
    command: c.AdviseMinimum | c.ReturnBet | None = None
    """The command to send next, ready to send; null if there is none."""


def next_step(felt: Felt, state: State, allowed: Collection[str], *, automatic: bool = False) -> NextStep:
    """The next step for somebody who may send the `allowed` commands. `automatic`: the house deals this table."""
    step = (
        _held(felt, state, allowed)
        or _asked(felt, state, allowed, automatic=automatic)
        or _course(felt, state, allowed)
    )
    burn = _to_burn(state) if step.code in BURNS_BEFORE else 0
    paragraph = str(step.paragraph) if step.paragraph else None
    return msgspec.structs.replace(step, burn=burn, shoe=_shoe_note(state), paragraph=paragraph)


def _shoe_note(state: State) -> ShoeNote | None:
    shoe = state.shoe
    if shoe is None or not shoe.last_round or not shoe.in_service:
        return None
    if state.in_round:
        return ShoeNote.LAST if shoe.finished else ShoeNote.ONE_MORE
    return None if shoe.finished else ShoeNote.LAST


def _to_burn(state: State) -> int:
    """The cards to burn from a shoe that was not dealt from yet: before the round opens, or, if the shoe was replaced
    within a round, before the next card."""
    if state.setup is None or state.shoe is None or state.seen or (state.in_round and not state.drawn):
        return 0
    burn = state.setup.burn
    return burn if state.shoe.left == 52 * state.shoe.decks - burn else 0


def low_bets(felt: Felt, state: State, allowed: Collection[str]) -> tuple[LowBet, ...]:
    """The bets below the minimum that concern somebody who may send these commands, starting with players not yet
    advised."""
    if felt.game.limits is None or state.setup is None or state.is_posted:
        return ()
    found = []
    for one in state.stakes.values():
        advised = f"{one.box}/{one.owner}" in state.advised
        if one.amount >= state.setup.least(one.bet) or not (advised or tag_of(c.AdviseMinimum) in allowed):
            continue
        command: c.AdviseMinimum | c.ReturnBet | None = None
        if not advised:
            command = c.AdviseMinimum(round=state.round, box=one.box, person=one.owner)
        elif tag_of(c.ReturnBet) in allowed:
            command = c.ReturnBet(round=state.round, box=one.box, bet=one.bet, person=one.owner)
        found.append(LowBet(box=one.box, bet=one.bet, owner=one.owner, advised=advised, command=command))
    return tuple(sorted(found, key=lambda one: one.advised))


def hidden_next(state: State) -> int | None:
    """The index of the card to expose next. Where insurance is waived, the Banker's third card comes before the
    Player's."""
    hidden = [index for index, one in enumerate(state.drawn, start=1) if one.card is None]
    banker_first = state.waived and len(state.drawn) == 6
    return (hidden[-1] if banker_first else hidden[0]) if hidden else None


def _held(felt: Felt, state: State, allowed: Collection[str]) -> NextStep | None:
    """The step that stops the round for everybody."""
    if state.phase is Phase.CLOSED:
        return NextStep(code=StepCode.WAIT_CLOSED)
    if state.question is not None:
        rule = state.question.rule
        return NextStep(code=StepCode.WAIT_DECISION, paragraph=rule.paragraph if rule else None)
    return _options(felt, state, state.options, allowed) if state.options is not None else None


def _options(felt: Felt, state: State, options: OpenOptions, allowed: Collection[str]) -> NextStep:
    rules = felt.game.irregularities.options
    paragraph = rules.rule if rules else None
    if tag_of(c.CloseOptions) not in allowed:
        return NextStep(code=StepCode.WAIT_OPTIONS, deadline=options.deadline, paragraph=paragraph)
    command = c.CloseOptions(question=options.question)
    if all(person in options.elections or person in state.absent for person in options.people):
        return NextStep(code=StepCode.OPTIONS_CLOSE, command=command, paragraph=paragraph)
    return NextStep(
        code=StepCode.OPTIONS_CLOSE, meanwhile=StepCode.WAIT_OPTIONS, deadline=options.deadline,
        command=command, paragraph=paragraph,
    )  # fmt: skip


def _asked(felt: Felt, state: State, allowed: Collection[str], *, automatic: bool) -> NextStep | None:
    """The step that people answer even where the house deals. There they have nothing else to do."""
    if tag_of(c.AnswerSqueeze) in allowed:
        index, squeeze = next((index, one) for index, one in state.squeezes.items() if not one.permitted)
        yes, no = (c.AnswerSqueeze(round=state.round, index=index, permit=permit) for permit in (True, False))
        return NextStep(
            code=StepCode.ANSWER_SQUEEZE, command=yes, otherwise=no,
            index=index, person=squeeze.person, paragraph=felt.squeeze_rule,
        )  # fmt: skip
    if state.waiver_asked is not None and tag_of(c.AnswerWaiver) in allowed:
        agreed, refused = (c.AnswerWaiver(round=state.round, consent=consent) for consent in (True, False))
        return NextStep(
            code=StepCode.ANSWER_WAIVER,
            command=None if automatic or asked_to_agree(felt, state) else agreed,
            otherwise=refused,
            person=state.waiver_asked,
            paragraph=felt.waiver_rule,
        )
    if tag_of(c.PermitOpening) in allowed and (automatic or tag_of(c.OpenBetting) not in allowed):
        return NextStep(code=StepCode.PERMIT, command=c.PermitOpening())
    return NextStep(code=StepCode.WAIT_ITSELF) if automatic else None


def _course(felt: Felt, state: State, allowed: Collection[str]) -> NextStep:
    """The step in the normal course of a round, from its opening to the last box."""
    rules, round_ = felt.game.round, state.round
    if state.window is not None and tag_of(c.CloseInsurance) in allowed:
        return _insurance(felt, state, state.window)
    if tag_of(c.DrawCard) in allowed:
        return _draw(felt, state)
    if tag_of(c.ExposeCard) in allowed:
        return _turn_over(felt, state, allowed)
    if tag_of(c.Settle) in allowed:
        return NextStep(code=StepCode.SETTLE, command=c.Settle(round=round_), paragraph=rules.winner)
    if state.unpaid and tag_of(c.ConfirmBox) in allowed:
        box = state.unpaid[0]
        return NextStep(code=StepCode.CONFIRM, command=c.ConfirmBox(round=round_, box=box), box=box)
    if tag_of(c.OpenBetting) in allowed:
        if any(state.front):
            return NextStep(code=StepCode.OPEN_SEEN, command=c.OpenBetting(acknowledge=True))
        return NextStep(code=StepCode.OPEN, command=c.OpenBetting(), paragraph=rules.opens)
    if state.phase in (Phase.BETTING, Phase.CLOSING):
        return _close(felt, state, allowed)
    if state.phase in BETWEEN_ROUNDS and state.waits_for_permission:
        return NextStep(code=StepCode.WAIT_PERMIT)
    return NextStep(code=StepCode.LOAD if tag_of(c.LoadShoe) in allowed else StepCode.WAIT_PIT)


def _insurance(felt: Felt, state: State, window: OpenWindow) -> NextStep:
    waits = not window.is_answered
    return NextStep(
        code=StepCode.INSURANCE, meanwhile=StepCode.INSURANCE if waits else None,
        deadline=window.deadline if waits else 0,
        command=c.CloseInsurance(round=state.round, window=window.window),
        side=window.insures, paragraph=felt.insurance_rule,
    )  # fmt: skip


def _draw(felt: Felt, state: State) -> NextStep:
    assert state.plays_under is not None, "the table is open"
    rules, index = felt.game.round, len(state.drawn) + 1
    code = StepCode.DRAW_DOWN if state.plays_under.face_down else StepCode.DRAW
    if state.front and state.front[0] is not None:
        code = StepCode.DRAW_WAITING
    return NextStep(
        code=code, wants_card=code is StepCode.DRAW, command=c.DrawCard(round=state.round, index=index),
        side=due(state), index=index, paragraph=rules.first_four if index <= 4 else rules.third_cards,
    )  # fmt: skip


def _turn_over(felt: Felt, state: State, allowed: Collection[str]) -> NextStep:
    index = hidden_next(state)
    assert index is not None, "a card lies face down"
    step = NextStep(
        code=StepCode.EXPOSE, wants_card=True, command=TurnOver(round=state.round, index=index),
        side=state.drawn[index - 1].side, index=index,
    )  # fmt: skip
    if (squeeze := state.squeezed.get(index)) is None:
        return step
    ends = squeeze.recorded and tag_of(c.FinishSqueeze) in allowed
    return msgspec.structs.replace(
        step, meanwhile=StepCode.WAIT_SQUEEZE, deadline=squeeze.deadline, person=squeeze.person,
        otherwise=c.FinishSqueeze(round=state.round, index=index, person=squeeze.person) if ends else None,
        paragraph=felt.squeeze_rule,
    )  # fmt: skip


def _close(felt: Felt, state: State, allowed: Collection[str]) -> NextStep:
    assert state.setup is not None, "the table is open"
    round_, deadline = state.round, state.deadline
    if tag_of(c.RejectExcess) in allowed:
        box = excess_boxes(state, state.setup.limits)[0]
        return NextStep(
            code=StepCode.REJECT, command=c.RejectExcess(round=round_, box=box),
            otherwise=c.CloseBetting(round=round_, over_excess=True) if tag_of(c.CloseBetting) in allowed else None,
            box=box, deadline=deadline, paragraph=felt.authority_rule(Action.REJECT_EXCESS),
        )  # fmt: skip
    step = NextStep(code=StepCode.WAIT_TERMINAL, deadline=deadline, paragraph=felt.game.round.closes)
    if tag_of(c.AnnounceClose) in allowed:
        return msgspec.structs.replace(step, code=StepCode.ANNOUNCE, command=c.AnnounceClose(round=round_))
    if tag_of(c.CloseBetting) not in allowed:
        return step
    return msgspec.structs.replace(
        step, code=StepCode.CLOSE, command=c.CloseBetting(round=round_),
        meanwhile=StepCode.WAIT_CLOSING if state.phase is Phase.CLOSING else None,
    )  # fmt: skip
