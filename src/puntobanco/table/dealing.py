"""Dealing: cards one at a time, squeeze, insurance windows, the result and its settlement."""

from collections.abc import Iterable

from puntobanco.rules import insurance
from puntobanco.rules.cards import Card, Rank
from puntobanco.rules.coup import Coup
from puntobanco.rules.money import write_money
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Action, SqueezeRight
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.after_exposure import after_cards, carry_over, insurance_bet
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import Role
from puntobanco.table.events import SettledStake, Stake, stake_key
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.guests import check_covered, check_there, cited, whose
from puntobanco.table.irregularities import report_impossible_card, void_for_empty_shoe
from puntobanco.table.pending import PendingEvents, due
from puntobanco.table.reversal import return_held, set_off
from puntobanco.table.settling import settled_stakes
from puntobanco.table.setup import HighestBet
from puntobanco.table.state import Phase, State
from puntobanco.table.tags import tag_of


def draw_card(pending: PendingEvents, command: c.DrawCard) -> None:
    """Draws the next card, from the queue in front of the shoe or from the shoe. An empty shoe voids the round."""
    pending.check_round(command.round)
    game, state = pending.felt.game, pending.state
    authority.check(game, Action.DEAL, pending.by)
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
    elif not pending.setup.face_down and face is None:
        raise Refused(Reason.FACE_MISSING, index=command.index)
    elif pending.setup.face_down and face is not None:
        raise Refused(Reason.FACE_UNWANTED, card=face, known="-")
    if not waiting:
        _check_shoe(pending)
        if pending.state.shoe is not None and pending.state.shoe.left <= 0:
            void_for_empty_shoe(pending)
            return
    squeeze = state.squeezes.get(command.index)
    if squeeze and not squeeze.permitted and pending.house_deals:
        person = squeeze.person
        raise Refused(Reason.SQUEEZE_UNANSWERED, pending.felt.squeeze_rule, person=person, index=command.index)
    until = _squeeze_until(pending) if squeeze and squeeze.permitted else 0
    pending.add(
        e.CardDrawn(
            by=pending.by,
            rule=pending.cite(rule),
            round=command.round,
            index=command.index,
            to=side,
            carried=waiting,
            squeeze_until=until,
        )
    )
    shoe = pending.state.shoe
    if shoe is not None and shoe.left <= pending.setup.cut_card and not shoe.last_round:
        pending.add(e.CutCardShown(by=pending.by))
    if face is not None:
        expose(pending, command.index, face, counted=waiting and state.front[0] is not None)


def _squeeze_until(pending: PendingEvents) -> int:
    """When the time to squeeze ends. Where the house deals, all cards of the round share one time, which runs while any
    of them is squeezed."""
    state, whole = pending.state, pending.setup.timing.squeeze
    if pending.house_deals and state.squeezed:
        return next(iter(state.squeezed.values())).deadline
    return pending.by.at + (state.squeeze_left if pending.house_deals and state.squeeze_left is not None else whole)


def _check_index(state: State, index: int) -> None:
    if index != len(state.drawn) + 1:
        raise Refused(Reason.STALE_INDEX, index=index, current=len(state.drawn) + 1)


def _check_shoe(pending: PendingEvents) -> None:
    shoe = pending.state.shoe
    if shoe is None or not shoe.in_service:
        raise Refused(Reason.NO_SHOE)


def expose_card(pending: PendingEvents, command: c.ExposeCard) -> None:
    pending.check_round(command.round)
    game, state = pending.felt.game, pending.state
    authority.check(game, Action.DEAL, pending.by)
    if not 1 <= command.index <= len(state.drawn):
        raise Refused(Reason.STALE_INDEX, index=command.index, current=len(state.drawn))
    if state.drawn[command.index - 1].card is not None:
        raise Refused(Reason.ALREADY_EXPOSED, index=command.index)
    if state.phase is Phase.OPTIONS:
        _check_to_be_shown(pending, command)
    squeeze = state.squeezes.get(command.index)
    if state.phase is not Phase.OPTIONS and squeeze and squeeze.permitted and pending.by.at < squeeze.deadline:
        raise Refused(Reason.SQUEEZE_GOES_ON, pending.felt.squeeze_rule, person=squeeze.person)
    expose(pending, command.index, command.card)


def _check_to_be_shown(pending: PendingEvents, command: c.ExposeCard) -> None:
    """Refuses to expose a card while players choose their options, except a squeezed card where the house deals."""
    if not (pending.house_deals and command.index in pending.state.squeezed):
        raise Refused(Reason.NOT_HEARD_NOW, phase=pending.state.phase, command=tag_of(type(command)))


def expose(pending: PendingEvents, index: int, card: Card, *, counted: bool = False) -> None:
    """Exposes a card to everyone. A card that the decks cannot hold is reported as an irregularity."""
    seen = pending.state.seen.get(str(card), 0) if card.suit else 0
    pending.add(e.CardExposed(by=pending.by, round=pending.state.round, index=index, card=card, counted=counted))
    if not counted and card.suit and seen >= pending.setup.decks:
        report_impossible_card(pending, card)
    elif pending.state.interrupted is None:
        after_cards(pending)


def correct_card(pending: PendingEvents, command: c.CorrectCard) -> None:
    """Corrects the card keyed in last, because what was keyed is only a display of the card. The pit is alerted if the
    correction changes what a result that was already shown pays."""
    pending.check_round(command.round)
    game, state, card = pending.felt.game, pending.state, command.card
    authority.check(game, Action.DEAL, pending.by)
    rule = game.irregularities.display
    if not state.keyed or command.index != state.keyed:
        raise Refused(Reason.NOT_CORRECTABLE, rule, index=command.index)
    was = state.drawn[command.index - 1].card
    assert was is not None, "a card that was keyed in has a face"
    if card == was:
        raise Refused(Reason.CARD_UNCHANGED, rule, index=command.index, card=card)
    before, seen = _to_get(pending), state.seen.get(str(card), 0) if card.suit else 0
    pending.add(
        e.CardCorrected(
            by=pending.by, rule=pending.cite(rule), round=command.round, index=command.index, was=was, card=card
        )
    )
    if card.suit and seen >= pending.setup.decks:
        report_impossible_card(pending, card)
    else:
        after_cards(pending)
    if before and before != _to_get(pending):
        pending.alert(Alert.CARD_CORRECTED, to=Role.PIT_SUPERVISOR, rule=rule)


def _to_get(pending: PendingEvents) -> dict[str, int]:
    """What each stake gets back by the result; empty while there is no result."""
    return (
        {one.key: one.back for one in settled_stakes(pending, pending.state.outcome)} if pending.state.outcome else {}
    )


# ---- squeeze -----------------------------------------------------------------------------------------------------


def entitled_to_squeeze(pending: PendingEvents) -> tuple[str, ...]:
    """The players who may squeeze: every bettor where the rule is consent, otherwise those with the highest bet,
    wherever it lies, and only seated players where the rule says so. Among equals a Dealer chooses; where the house
    deals, the bet that reached that amount first has the right."""
    game, state = pending.felt.game, pending.state
    if game.squeeze is None:
        return ()
    if game.squeeze.right is SqueezeRight.CONSENT:
        return state.bettors
    original = pending.setup.policy.highest_bet is HighestBet.LARGEST_ORIGINAL
    bets = [one for one in state.stakes.values() if not original or one.bet in tuple(Side)]
    if game.squeeze.right is SqueezeRight.HIGHEST_SEATED:
        anywhere = pending.felt.edition >= Edition.SECOND_READING
        seated = frozenset(state.seats.values())
        bets = [one for one in bets if (one.owner in seated if anywhere else state.seats.get(one.box) == one.owner)]
    most = max((one.amount for one in bets), default=0)
    highest = [one for one in bets if one.amount == most]
    if pending.house_deals and highest:
        return (min(highest, key=lambda one: one.placed[-1][0]).owner,)
    return tuple(dict.fromkeys(one.owner for one in highest))


def request_squeeze(pending: PendingEvents, command: c.RequestSqueeze) -> None:
    pending.check_round(command.round)
    game, state = pending.felt.game, pending.state
    rule = game.squeeze.rule if game.squeeze else None
    if game.squeeze is None or not pending.setup.face_down:
        raise Refused(Reason.SQUEEZE_NOT_HERE, rule)
    if command.index <= len(state.drawn) or command.index > 6:
        raise Refused(Reason.SQUEEZE_TOO_LATE, rule, index=command.index)
    person = whose(pending, command.person)
    check_there(pending, person)
    if person not in entitled_to_squeeze(pending):
        raise Refused(Reason.SQUEEZE_NOT_ENTITLED, rule, person=person)
    if command.index in state.squeezes:
        raise Refused(Reason.SQUEEZE_TAKEN, rule, index=command.index)
    if state.squeeze_left == 0:
        raise Refused(Reason.SQUEEZE_TIME_OVER, rule)
    pending.add(
        e.SqueezeRequested(
            by=pending.by,
            rule=pending.cite(cited(pending, person, rule)),
            round=command.round,
            index=command.index,
            person=person,
        )
    )


def answer_squeeze(pending: PendingEvents, command: c.AnswerSqueeze) -> None:
    pending.check_round(command.round)
    game, squeeze = pending.felt.game, pending.state.squeezes.get(command.index)
    rule = authority.check(game, Action.PERMIT_SQUEEZE, pending.by)
    if squeeze is None or squeeze.permitted:
        raise Refused(Reason.NO_SQUEEZE_ASKED, rule, index=command.index)
    pending.add(
        e.SqueezeAnswered(
            by=pending.by,
            rule=pending.cite(rule),
            round=command.round,
            index=command.index,
            person=squeeze.person,
            permitted=command.permit,
        )
    )


def finish_squeeze(pending: PendingEvents, command: c.FinishSqueeze) -> None:
    """Ends a squeeze. Where the house deals, it may end anybody's: it shows the card before others decide about the
    round."""
    pending.check_round(command.round)
    squeeze = pending.state.squeezes.get(command.index)
    if squeeze is None or not squeeze.permitted:
        raise Refused(Reason.NO_SQUEEZE_ASKED, index=command.index)
    if not (pending.house_deals and pending.by.house):
        person = whose(pending, command.person)
        if person != squeeze.person or (person != pending.by.person and not squeeze.recorded):
            raise Refused(Reason.NOT_YOURS, person=squeeze.person)
    pending.add(e.SqueezeFinished(by=pending.by, round=command.round, index=command.index))


# ---- insurance ---------------------------------------------------------------------------------------------------


def _offer(pending: PendingEvents, command: c.Insure | c.DeclineInsurance) -> e.OfferMade:
    """The offer of the open window that the command answers."""
    pending.check_round(command.round)
    game, window = pending.felt.game, pending.state.window
    assert game.insurance is not None, "only insurance has windows"
    assert window is not None, "the phase says so"
    if window.window is not command.window:
        raise Refused(Reason.STALE_WINDOW, window=command.window)
    owner = whose(pending, command.person, game.insurance.eligible)
    offer = next((one for one in window.offers if (one.owner, one.box) == (owner, command.box)), None)
    if offer is None:
        bet = pending.felt.bets[window.bet]
        raise Refused(Reason.NOTHING_TO_INSURE, game.insurance.eligible, bet=bet.title, side=window.insures)
    return offer


def insure(pending: PendingEvents, command: c.Insure) -> None:
    offer = _offer(pending, command)
    game, state, owner = pending.felt.game, pending.state, offer.owner
    assert game.insurance is not None, "only insurance has windows"
    assert state.window is not None, "the phase says so"
    check_covered(pending, owner, pending.felt.authority_rule(Action.BET_FOR_PLAYER))
    window, bet = state.window, pending.felt.bets[state.window.bet]
    if command.amount < 0:
        raise Refused(Reason.STAKE_NOT_POSITIVE, game.insurance.rule, stake=write_money(command.amount))
    if command.amount % pending.setup.unit:
        unit = write_money(pending.setup.unit)
        raise Refused(Reason.STAKE_NOT_IN_UNITS, game.insurance.rule, stake=write_money(command.amount), unit=unit)
    if command.amount > offer.most:
        stake, most = write_money(command.amount), write_money(offer.most)
        raise Refused(Reason.OVER_CAP, game.insurance.cap, bet=bet.title, stake=stake, most=most)
    name = insurance_bet(window.bet, window.window)
    before = state.stakes.get(stake_key(command.box, name, owner))
    was = before.amount if before else 0
    if command.amount == was:
        raise Refused(Reason.BET_UNCHANGED, bet=bet.title, stake=write_money(was))
    held = state.purses.get(owner, 0)
    if command.amount - was > held:
        raise Refused(Reason.NOT_ENOUGH_MONEY, stake=write_money(command.amount - was), purse=write_money(held))
    stake_taken = Stake(
        owner=owner, box=command.box, bet=name, amount=command.amount, placer=pending.by.person, order=state.orders + 1
    )
    pending.add(
        e.InsuranceTaken(
            by=pending.by,
            rule=pending.cite(cited(pending, owner, game.insurance.rule)),
            round=command.round,
            window=window.window,
            stake=stake_taken,
            was=was,
        )
    )


def decline_insurance(pending: PendingEvents, command: c.DeclineInsurance) -> None:
    """Record that the table need not wait for this player. Somebody who has insured sends `Insure` with 0 instead."""
    offer, window = _offer(pending, command), pending.state.window
    assert window is not None, "the phase says so"
    if offer.key in window.answered:
        lying = pending.state.stakes.get(stake_key(offer.box, insurance_bet(window.bet, window.window), offer.owner))
        stake = write_money(lying.amount if lying else 0)
        raise Refused(Reason.BET_UNCHANGED, bet=pending.felt.bets[window.bet].title, stake=stake)
    pending.add(
        e.InsuranceDeclined(
            by=pending.by, round=command.round, window=command.window, person=offer.owner, box=offer.box
        )
    )


def close_insurance(pending: PendingEvents, command: c.CloseInsurance) -> None:
    pending.check_round(command.round)
    game, state = pending.felt.game, pending.state
    authority.check(game, Action.CLOSE_BETTING, pending.by)
    assert state.window is not None, "a window is open"
    if state.window.window is not command.window:
        raise Refused(Reason.STALE_WINDOW, window=command.window)
    pending.add(
        e.InsuranceClosed(
            by=pending.by, rule=pending.cite(game.round.closes), round=command.round, window=command.window
        )
    )
    after_cards(pending)


def request_waiver(pending: PendingEvents, command: c.RequestWaiver) -> None:
    """Asks to see the Banker's third card before the Player's. Only allowed while both third cards are due and face
    down."""
    pending.check_round(command.round)
    game, state = pending.felt.game, pending.state
    person = whose(pending, command.person, pending.felt.waiver_rule)
    check_there(pending, person)
    if person not in state.bettors:
        raise Refused(Reason.NOT_A_PLAYER, pending.felt.waiver_rule, role=pending.by.role)
    _check_waiver(pending)
    assert game.insurance is not None, "checked above"
    waits = state.waiver_asked is not None and pending.felt.edition >= Edition.ONE_REQUEST
    if waits or state.waiver_until:
        raise Refused(Reason.WAIVER_ASKED_BEFORE, pending.felt.waiver_rule)
    until = pending.by.at + pending.setup.timing.squeeze if pending.house_deals else 0
    rule = cited(pending, person, game.insurance.waiver)
    pending.add(
        e.WaiverRequested(by=pending.by, rule=pending.cite(rule), round=command.round, person=person, until=until)
    )


def may_ask_waiver(felt: Felt, state: State) -> bool:
    """Whether both third cards are due and still face down, so that they can be opened in another order."""
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


def _check_waiver(pending: PendingEvents) -> None:
    if not may_ask_waiver(pending.felt, pending.state):
        raise Refused(Reason.NO_WAIVER, pending.felt.waiver_rule, game=pending.felt.game.key)


def asked_to_agree(felt: Felt, state: State) -> tuple[str, ...]:
    """The players whose agreement is missing, where the house deals and somebody has asked for the waiver: those with a
    bet on a hand that some third card of the Player's would let them insure."""
    if state.waiver_asked is None or not state.waiver_until or not may_ask_waiver(felt, state):
        return ()
    agreed = {state.waiver_asked, *(person for person, agrees in state.waiver_said.items() if agrees)}
    return tuple(person for person in _could_insure(felt, state) if person not in agreed)


def _could_insure(felt: Felt, state: State) -> tuple[str, ...]:
    first_four = Coup(tuple(one.card for one in state.drawn[:4] if one.card is not None))
    after = [insurance.offer(felt.game, first_four.draw(Card(rank)), waived=False) for rank in Rank]
    hands = {made.insures for made in after if made is not None}
    return tuple(dict.fromkeys(stake.owner for stake in state.stakes.values() if stake.bet in hands))


def agree_to_waiver(pending: PendingEvents, command: c.AgreeToWaiver) -> None:
    """Records whether a player gives up insurance. Where the house deals, nobody loses the offer without agreeing."""
    pending.check_round(command.round)
    state, rule = pending.state, pending.felt.waiver_rule
    person = whose(pending, command.person, rule)
    check_there(pending, person)
    if state.waiver_asked is None or not state.waiver_until:
        raise Refused(Reason.NO_WAIVER_ASKED, rule)
    _check_waiver(pending)
    if person not in _could_insure(pending.felt, state):
        raise Refused(Reason.WAIVER_NOT_CONCERNED, rule, person=person)
    told = cited(pending, person, rule)
    pending.add(
        e.WaiverAgreed(
            by=pending.by, rule=pending.cite(told), round=command.round, person=person, agrees=command.agrees
        )
    )


def answer_waiver(pending: PendingEvents, command: c.AnswerWaiver) -> None:
    pending.check_round(command.round)
    game, state = pending.felt.game, pending.state
    rule = authority.check(game, Action.CONSENT_TO_WAIVER, pending.by)
    if state.waiver_asked is None:
        raise Refused(Reason.NO_WAIVER_ASKED, rule)
    if command.consent:
        _check_waiver(pending)
        if missing := asked_to_agree(pending.felt, state):
            raise Refused(Reason.WAIVER_NOT_AGREED, rule, people=list(missing))
    pending.add(
        e.WaiverAnswered(
            by=pending.by,
            rule=pending.cite(rule),
            round=command.round,
            person=state.waiver_asked,
            consent=command.consent,
        )
    )


# ---- settlement --------------------------------------------------------------------------------------------------


def settle_round(pending: PendingEvents, command: c.Settle) -> None:
    """Settles every stake by the positions at the close, also those of players who walked away."""
    pending.check_round(command.round)
    game, state = pending.felt.game, pending.state
    authority.check(game, Action.DEAL, pending.by)
    assert state.outcome is not None, "the hands are complete"
    stakes = settled_stakes(pending, state.outcome)
    boxes = tuple(sorted({one.box for one in stakes})) if _is_paid_by_hand(pending) else ()
    rule = game.irregularities.positions_at_close or game.round.winner
    front = state.front
    pending.add(
        e.RoundSettled(
            by=pending.by, rule=pending.cite(rule), round=state.round, outcome=state.outcome, stakes=stakes, boxes=boxes
        )
    )
    if not boxes:
        _paid(pending, stakes)
    if front:
        carry_over(pending)


def _is_paid_by_hand(pending: PendingEvents) -> bool:
    """Whether a dealer takes and pays box by box. Where the house deals, the whole round is settled at once."""
    return not pending.state.house_deals and pending.felt.edition >= Edition.SECOND_READING


def _paid(pending: PendingEvents, stakes: Iterable[SettledStake]) -> None:
    """Sets payments off against debts. At a table closed meanwhile, held stakes go back, because there is no next
    round."""
    set_off(pending, ((one.owner, one.back) for one in stakes))
    if pending.state.phase is Phase.CLOSED:
        return_held(pending)


def confirm_box(pending: PendingEvents, command: c.ConfirmBox) -> None:
    pending.check_round(command.round)
    authority.check(pending.felt.game, Action.DEAL, pending.by)
    if command.box not in pending.state.unpaid:
        raise Refused(Reason.NOT_UNPAID, box=command.box)
    _confirm(pending, (command.box,))


def confirm_rest(pending: PendingEvents, command: c.ConfirmRest) -> None:
    """Confirms all remaining boxes at once. Whoever confirms them answers for them."""
    pending.check_round(command.round)
    authority.check(pending.felt.game, Action.CONFIRM_REST, pending.by)
    _confirm(pending, pending.state.unpaid)


def _confirm(pending: PendingEvents, boxes: tuple[int, ...]) -> None:
    settled = pending.state.settled
    pending.add(e.BoxesConfirmed(by=pending.by, round=pending.state.round, boxes=boxes))
    _paid(pending, (one for one in settled if one.box in boxes))


def choose_after_tie(pending: PendingEvents, command: c.ChooseAfterTie) -> None:
    pending.check_round(command.round)
    state, rule = pending.state, pending.felt.game.tie.rule
    person = whose(pending, command.person)
    check_there(pending, person)
    if command.leave:
        check_covered(pending, person, pending.felt.authority_rule(Action.BET_FOR_PLAYER))
    stake = state.held.get(stake_key(command.box, command.bet, person))
    if stake is None:
        raise Refused(Reason.NOT_HELD, rule, bet=command.bet)
    if command.box in state.unpaid:
        raise Refused(Reason.BOX_UNPAID, rule, boxes=str(command.box))
    pending.add(
        e.TieChoiceMade(
            by=pending.by,
            rule=pending.cite(cited(pending, person, rule)),
            round=command.round,
            stake=stake,
            leave=command.leave,
        )
    )
