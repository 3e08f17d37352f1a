"""Dealing: cards one at a time, squeeze, insurance windows, the result and its settlement."""

from collections.abc import Iterable

from puntobanco.rules import insurance
from puntobanco.rules.cards import Card, Rank
from puntobanco.rules.coup import Coup
from puntobanco.rules.money import show_money
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Action, SqueezeRight
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.after_exposure import after_cards, carry_over, insurance_bet
from puntobanco.table.authority import Role
from puntobanco.table.events import SettledStake, Stake, stake_key
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.guests import check_covered, check_there, cited, shown, whose
from puntobanco.table.irregularities import report_impossible_card, void_for_empty_shoe
from puntobanco.table.pending import Story, due
from puntobanco.table.reversal import return_held, set_off
from puntobanco.table.settling import settled_stakes
from puntobanco.table.setup import HighestBet
from puntobanco.table.state import Phase, State
from puntobanco.table.tags import tag_of


def draw_card(story: Story, command: c.DrawCard) -> None:
    """The next card, from the queue in front of the shoe or from the shoe; an empty shoe voids the round."""
    story.check_round(command.round)
    game, state = story.felt.game, story.state
    authority.check(game, Action.DEAL, story.by)
    _check_index(state, command.index)
    side = due(state)
    assert side is not None, "complete hands have their result"
    rule = game.round.first_four if command.index <= 4 else game.round.third_cards
    waiting = bool(state.front)
    face = command.card
    if waiting and state.front[0] is not None:
        face = state.front[0]
        if command.card not in (None, face):
            raise Refused(Reason.FACE_UNWANTED, card=command.card, known=face)
    elif not story.setup.face_down and face is None:
        raise Refused(Reason.FACE_MISSING, index=command.index)
    elif story.setup.face_down and face is not None:
        raise Refused(Reason.FACE_UNWANTED, card=face, known="-")
    if not waiting:
        _check_shoe(story)
        if story.state.shoe is not None and story.state.shoe.left <= 0:
            void_for_empty_shoe(story)
            return
    squeeze = state.squeezes.get(command.index)
    if squeeze and not squeeze.permitted and story.house_deals:
        person = shown(squeeze.person)
        raise Refused(Reason.SQUEEZE_UNANSWERED, story.felt.squeeze_rule, person=person, index=command.index)
    until = _squeeze_until(story) if squeeze and squeeze.permitted else 0
    story.tell(
        e.CardDrawn, rule, round=command.round, index=command.index, to=side, carried=waiting, squeeze_until=until
    )
    shoe = story.state.shoe
    if shoe is not None and shoe.left <= story.setup.cut_card and not shoe.last_round:
        story.tell(e.CutCardShown)
    if face is not None:
        expose(story, command.index, face, counted=waiting and state.front[0] is not None)


def _squeeze_until(story: Story) -> int:
    """Where the house deals the time is one for all cards of the round, and runs while any of them is squeezed."""
    state, whole = story.state, story.setup.timing.squeeze
    if story.house_deals and state.squeezed:
        return next(iter(state.squeezed.values())).deadline
    return story.by.at + (state.squeeze_left if story.house_deals and state.squeeze_left is not None else whole)


def _check_index(state: State, index: int) -> None:
    if index != len(state.drawn) + 1:
        raise Refused(Reason.STALE_INDEX, index=index, current=len(state.drawn) + 1)


def _check_shoe(story: Story) -> None:
    shoe = story.state.shoe
    if shoe is None or not shoe.in_service:
        raise Refused(Reason.NO_SHOE)


def expose_card(story: Story, command: c.ExposeCard) -> None:
    story.check_round(command.round)
    game, state = story.felt.game, story.state
    authority.check(game, Action.DEAL, story.by)
    if not 1 <= command.index <= len(state.drawn):
        raise Refused(Reason.STALE_INDEX, index=command.index, current=len(state.drawn))
    if state.drawn[command.index - 1].card is not None:
        raise Refused(Reason.ALREADY_EXPOSED, index=command.index)
    if state.phase is Phase.OPTIONS:
        _check_to_be_shown(story, command)
    squeeze = state.squeezes.get(command.index)
    if state.phase is not Phase.OPTIONS and squeeze and squeeze.permitted and story.by.at < squeeze.deadline:
        raise Refused(Reason.SQUEEZE_GOES_ON, story.felt.squeeze_rule, person=squeeze.person)
    expose(story, command.index, command.card)


def _check_to_be_shown(story: Story, command: c.ExposeCard) -> None:
    """While players choose only a card that was being squeezed is turned over, where the house deals."""
    if not (story.house_deals and command.index in story.state.squeezed):
        raise Refused(Reason.NOT_HEARD_NOW, phase=story.state.phase, command=tag_of(type(command)))


def expose(story: Story, index: int, card: Card, *, counted: bool = False) -> None:
    """Everyone sees the card; a card the decks cannot hold is an irregularity the machine reports itself."""
    seen = story.state.seen.get(str(card), 0) if card.suit else 0
    story.tell(e.CardExposed, round=story.state.round, index=index, card=card, counted=counted)
    if not counted and card.suit and seen >= story.setup.decks:
        report_impossible_card(story, card)
    elif story.state.interrupted is None:
        after_cards(story)


def correct_card(story: Story, command: c.CorrectCard) -> None:
    """What was keyed is a display of the card. The pit is told where it changes a result that was already shown."""
    story.check_round(command.round)
    game, state, card = story.felt.game, story.state, command.card
    authority.check(game, Action.DEAL, story.by)
    rule = game.irregularities.display
    if not state.keyed or command.index != state.keyed:
        raise Refused(Reason.NOT_CORRECTABLE, rule, index=command.index)
    was = state.drawn[command.index - 1].card
    if card == was:
        raise Refused(Reason.CARD_UNCHANGED, rule, index=command.index, card=card)
    before, seen = _to_get(story), state.seen.get(str(card), 0) if card.suit else 0
    story.tell(e.CardCorrected, rule, round=command.round, index=command.index, was=was, card=card)
    if card.suit and seen >= story.setup.decks:
        report_impossible_card(story, card)
    else:
        after_cards(story)
    if before and before != _to_get(story):
        story.tell(e.AlertRaised, rule, kind="card_corrected", to=Role.PIT_SUPERVISOR)


def _to_get(story: Story) -> dict[str, int]:
    """What each stake is to get by the result, if there is one."""
    return {one.key: one.back for one in settled_stakes(story, story.state.outcome)} if story.state.outcome else {}


# ---- squeeze -----------------------------------------------------------------------------------------------------


def entitled_to_squeeze(story: Story) -> tuple[str, ...]:
    """Who has the highest bet, wherever it lies. Of equals a Dealer chooses one; where the house deals, it is the one
    whose bet came to that much first."""
    game, state = story.felt.game, story.state
    if game.squeeze is None:
        return ()
    if game.squeeze.right is SqueezeRight.CONSENT:
        return state.bettors
    original = story.setup.policy.highest_bet is HighestBet.LARGEST_ORIGINAL
    bets = [one for one in state.stakes.values() if not original or one.bet in tuple(Side)]
    if game.squeeze.right is SqueezeRight.HIGHEST_SEATED:
        anywhere = story.felt.edition >= Edition.SECOND_READING
        seated = frozenset(state.seats.values())
        bets = [one for one in bets if (one.owner in seated if anywhere else state.seats.get(one.box) == one.owner)]
    most = max((one.amount for one in bets), default=0)
    highest = [one for one in bets if one.amount == most]
    if story.house_deals and highest:
        return (min(highest, key=lambda one: one.placed[-1][0]).owner,)
    return tuple(dict.fromkeys(one.owner for one in highest))


def request_squeeze(story: Story, command: c.RequestSqueeze) -> None:
    story.check_round(command.round)
    game, state = story.felt.game, story.state
    rule = game.squeeze.rule if game.squeeze else None
    if game.squeeze is None or not story.setup.face_down:
        raise Refused(Reason.SQUEEZE_NOT_HERE, rule)
    if command.index <= len(state.drawn) or command.index > 6:
        raise Refused(Reason.SQUEEZE_TOO_LATE, rule, index=command.index)
    person = whose(story, command.person)
    check_there(story, person)
    if person not in entitled_to_squeeze(story):
        raise Refused(Reason.SQUEEZE_NOT_ENTITLED, rule, person=shown(person))
    if command.index in state.squeezes:
        raise Refused(Reason.SQUEEZE_TAKEN, rule, index=command.index)
    if state.squeeze_left == 0:
        raise Refused(Reason.SQUEEZE_TIME_OVER, rule)
    story.tell(e.SqueezeRequested, cited(story, person, rule), round=command.round, index=command.index, person=person)


def answer_squeeze(story: Story, command: c.AnswerSqueeze) -> None:
    story.check_round(command.round)
    game, squeeze = story.felt.game, story.state.squeezes.get(command.index)
    rule = authority.check(game, Action.PERMIT_SQUEEZE, story.by)
    if squeeze is None or squeeze.permitted:
        raise Refused(Reason.NO_SQUEEZE_ASKED, rule, index=command.index)
    story.tell(
        e.SqueezeAnswered, rule, round=command.round, index=command.index, person=squeeze.person,
        permitted=command.permit,
    )  # fmt: skip


def finish_squeeze(story: Story, command: c.FinishSqueeze) -> None:
    story.check_round(command.round)
    squeeze = story.state.squeezes.get(command.index)
    if squeeze is None or not squeeze.permitted:
        raise Refused(Reason.NO_SQUEEZE_ASKED, index=command.index)
    person = whose(story, command.person)
    if person != squeeze.person or (person != story.by.person and not squeeze.recorded):
        raise Refused(Reason.NOT_YOURS, person=shown(squeeze.person))
    story.tell(e.SqueezeFinished, round=command.round, index=command.index)


# ---- insurance ---------------------------------------------------------------------------------------------------


def insure(story: Story, command: c.Insure) -> None:
    story.check_round(command.round)
    game, state = story.felt.game, story.state
    assert game.insurance is not None, "only insurance has windows"
    assert state.window is not None, "the phase says so"
    window = state.window
    if window.window is not command.window:
        raise Refused(Reason.STALE_WINDOW, window=command.window)
    owner = whose(story, command.person, game.insurance.eligible)
    check_covered(story, owner, story.felt.authority_rule(Action.BET_FOR_PLAYER))
    bet = story.felt.bets[window.bet]
    offer = next((one for one in window.offers if (one.owner, one.box) == (owner, command.box)), None)
    if offer is None:
        raise Refused(Reason.NOTHING_TO_INSURE, game.insurance.eligible, bet=bet.title, side=window.insures)
    if command.amount < 0:
        raise Refused(Reason.STAKE_NOT_POSITIVE, game.insurance.rule, stake=show_money(command.amount))
    if command.amount % story.setup.unit:
        unit = show_money(story.setup.unit)
        raise Refused(Reason.STAKE_NOT_IN_UNITS, game.insurance.rule, stake=show_money(command.amount), unit=unit)
    if command.amount > offer.most:
        stake, most = show_money(command.amount), show_money(offer.most)
        raise Refused(Reason.OVER_CAP, game.insurance.cap, bet=bet.title, stake=stake, most=most)
    name = insurance_bet(window.bet, window.window)
    before = state.stakes.get(stake_key(command.box, name, owner))
    was = before.amount if before else 0
    if command.amount == was:
        raise Refused(Reason.BET_UNCHANGED, bet=bet.title, stake=show_money(was))
    held = state.purses.get(owner, 0)
    if command.amount - was > held:
        raise Refused(Reason.NOT_ENOUGH_MONEY, stake=show_money(command.amount - was), purse=show_money(held))
    stake_taken = Stake(
        owner=owner, box=command.box, bet=name, amount=command.amount, placer=story.by.person, order=state.orders + 1
    )
    story.tell(
        e.InsuranceTaken,
        cited(story, owner, game.insurance.rule),
        round=command.round,
        window=window.window,
        stake=stake_taken,
        was=was,
    )


def close_insurance(story: Story, command: c.CloseInsurance) -> None:
    story.check_round(command.round)
    game, state = story.felt.game, story.state
    authority.check(game, Action.CLOSE_BETTING, story.by)
    assert state.window is not None, "a window is open"
    if state.window.window is not command.window:
        raise Refused(Reason.STALE_WINDOW, window=command.window)
    story.tell(e.InsuranceClosed, game.round.closes, round=command.round, window=command.window)
    after_cards(story)


def request_waiver(story: Story, command: c.RequestWaiver) -> None:
    """Asked while the Player's third card is not yet open, and only where both third cards are due anyway."""
    story.check_round(command.round)
    game, state = story.felt.game, story.state
    person = whose(story, command.person, story.felt.waiver_rule)
    check_there(story, person)
    if person not in state.bettors:
        raise Refused(Reason.NOT_A_PLAYER, story.felt.waiver_rule, role=story.by.role)
    _check_waiver(story)
    assert game.insurance is not None, "checked above"
    if state.waiver_until:
        raise Refused(Reason.WAIVER_ASKED_BEFORE, story.felt.waiver_rule)
    until = story.by.at + story.setup.timing.squeeze if story.house_deals else 0
    rule = cited(story, person, game.insurance.waiver)
    story.tell(e.WaiverRequested, rule, round=command.round, person=person, until=until)


def may_ask_waiver(felt: Felt, state: State) -> bool:
    """Both third cards are due and still face down: another order of opening them is possible."""
    first_four = tuple(one.card for one in state.drawn[:4] if one.card is not None)
    third_open = any(one.card for one in state.drawn[4:])
    if (
        len(first_four) < 4
        or third_open
        or state.waived
        or state.plays_under is None
        or not state.plays_under.face_down
    ):
        return False
    return insurance.may_waive(felt.game, Coup(first_four))


def _check_waiver(story: Story) -> None:
    if not may_ask_waiver(story.felt, story.state):
        raise Refused(Reason.NO_WAIVER, story.felt.waiver_rule, game=story.felt.game.key)


def asked_to_agree(felt: Felt, state: State) -> tuple[str, ...]:
    """Whose agreement is missing, where the house deals and somebody has asked: of those with a bet on a hand that some
    third card of the Player's would let them insure."""
    if state.waiver_asked is None or not state.waiver_until or not may_ask_waiver(felt, state):
        return ()
    agreed = {state.waiver_asked, *(person for person, agrees in state.waiver_said.items() if agrees)}
    return tuple(person for person in _could_insure(felt, state) if person not in agreed)


def _could_insure(felt: Felt, state: State) -> tuple[str, ...]:
    first_four = Coup(tuple(one.card for one in state.drawn[:4] if one.card is not None))
    after = [insurance.offer(felt.game, first_four.draw(Card(rank)), waived=False) for rank in Rank]
    hands = {made.insures for made in after if made is not None}
    return tuple(dict.fromkeys(stake.owner for stake in state.stakes.values() if stake.bet in hands))


def agree_to_waiver(story: Story, command: c.AgreeToWaiver) -> None:
    """Where the house deals, nobody loses the offer of insurance without having agreed."""
    story.check_round(command.round)
    state, rule = story.state, story.felt.waiver_rule
    person = whose(story, command.person, rule)
    check_there(story, person)
    if state.waiver_asked is None or not state.waiver_until:
        raise Refused(Reason.NO_WAIVER_ASKED, rule)
    _check_waiver(story)
    if person not in _could_insure(story.felt, state):
        raise Refused(Reason.WAIVER_NOT_CONCERNED, rule, person=shown(person))
    told = cited(story, person, rule)
    story.tell(e.WaiverAgreed, told, round=command.round, person=person, agrees=command.agrees)


def answer_waiver(story: Story, command: c.AnswerWaiver) -> None:
    story.check_round(command.round)
    game, state = story.felt.game, story.state
    rule = authority.check(game, Action.CONSENT_TO_WAIVER, story.by)
    if state.waiver_asked is None:
        raise Refused(Reason.NO_WAIVER_ASKED, rule)
    if command.consent:
        _check_waiver(story)
        if missing := asked_to_agree(story.felt, state):
            people = ", ".join(map(shown, missing))
            raise Refused(Reason.WAIVER_NOT_AGREED, rule, people=people)
    story.tell(e.WaiverAnswered, rule, round=command.round, person=state.waiver_asked, consent=command.consent)


# ---- settlement --------------------------------------------------------------------------------------------------


def settle_round(story: Story, command: c.Settle) -> None:
    """Every stake, walked away from or not, by the positions at the close."""
    story.check_round(command.round)
    game, state = story.felt.game, story.state
    authority.check(game, Action.DEAL, story.by)
    assert state.outcome is not None, "the hands are complete"
    stakes = settled_stakes(story, state.outcome)
    boxes = tuple(sorted({one.box for one in stakes})) if _is_paid_by_hand(story) else ()
    rule = game.irregularities.positions_at_close or game.round.winner
    front = state.front
    story.tell(e.RoundSettled, rule, round=state.round, outcome=state.outcome, stakes=stakes, boxes=boxes)
    if not boxes:
        _paid(story, stakes)
    if front:
        carry_over(story)


def _is_paid_by_hand(story: Story) -> bool:
    """Whether a dealer takes and pays box by box; where the house deals, settlement is one act."""
    return not story.state.house_deals and story.felt.edition >= Edition.SECOND_READING


def _paid(story: Story, stakes: Iterable[SettledStake]) -> None:
    """What came to purses is theirs. A table that was closed meanwhile has no next round to leave a stake for."""
    set_off(story, ((one.owner, one.back) for one in stakes))
    if story.state.phase is Phase.CLOSED:
        return_held(story)


def confirm_box(story: Story, command: c.ConfirmBox) -> None:
    story.check_round(command.round)
    authority.check(story.felt.game, Action.DEAL, story.by)
    if command.box not in story.state.unpaid:
        raise Refused(Reason.NOT_UNPAID, box=command.box)
    _confirm(story, (command.box,))


def confirm_rest(story: Story, command: c.ConfirmRest) -> None:
    """Without going from box to box: whoever confirms it answers for it."""
    story.check_round(command.round)
    authority.check(story.felt.game, Action.CONFIRM_REST, story.by)
    _confirm(story, story.state.unpaid)


def _confirm(story: Story, boxes: tuple[int, ...]) -> None:
    settled = story.state.settled
    story.tell(e.BoxesConfirmed, round=story.state.round, boxes=boxes)
    _paid(story, (one for one in settled if one.box in boxes))


def choose_after_tie(story: Story, command: c.ChooseAfterTie) -> None:
    story.check_round(command.round)
    state, rule = story.state, story.felt.game.tie.rule
    person = whose(story, command.person)
    check_there(story, person)
    if command.leave:
        check_covered(story, person, story.felt.authority_rule(Action.BET_FOR_PLAYER))
    stake = state.held.get(stake_key(command.box, command.bet, person))
    if stake is None:
        raise Refused(Reason.NOT_HELD, rule, bet=command.bet)
    if command.box in state.unpaid:
        raise Refused(Reason.BOX_UNPAID, rule, boxes=str(command.box))
    story.tell(e.TieChoiceMade, cited(story, person, rule), round=command.round, stake=stake, leave=command.leave)
