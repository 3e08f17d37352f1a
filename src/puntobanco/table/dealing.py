"""Dealing: cards one at a time, squeeze, insurance windows, the result and its settlement."""

from collections.abc import Mapping

from puntobanco.rules import insurance
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Coup
from puntobanco.rules.game import Bet, Game, PayLine
from puntobanco.rules.insurance import Insured, Offer
from puntobanco.rules.money import Cents, show_money
from puntobanco.rules.outcome import Outcome, Side, Winner
from puntobanco.rules.procedures import Action, SqueezeRight, TieMode
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.settlement import Result, Settled, deciding_line, settle_by
from puntobanco.table import authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.events import SettledStake, Stake, stake_key
from puntobanco.table.felt import Felt
from puntobanco.table.irregularities import report_impossible_card, void_for_empty_shoe
from puntobanco.table.reversal import set_off
from puntobanco.table.setup import HighestBet
from puntobanco.table.state import State
from puntobanco.table.story import Story, due
from puntobanco.table.windows import after_cards, carry_over, insurance_bet


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
    until = story.by.at + story.setup.timing.squeeze if squeeze and squeeze.permitted else 0
    story.tell(
        e.CardDrawn, rule, round=command.round, index=command.index, to=side, carried=waiting, squeeze_until=until
    )
    shoe = story.state.shoe
    if shoe is not None and shoe.left <= story.setup.cut_card and not shoe.last_round:
        story.tell(e.CutCardShown)
    if face is not None:
        expose(story, command.index, face, counted=waiting and state.front[0] is not None)


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
    squeeze = state.squeezes.get(command.index)
    if squeeze and squeeze.permitted and story.by.at < squeeze.deadline:
        raise Refused(Reason.SQUEEZE_GOES_ON, story.felt.squeeze_rule, person=squeeze.person)
    expose(story, command.index, command.card)


def expose(story: Story, index: int, card: Card, *, counted: bool = False) -> None:
    """Everyone sees the card; a card the decks cannot hold is an irregularity the machine reports itself."""
    seen = story.state.seen.get(str(card), 0) if card.suit else 0
    story.tell(e.CardExposed, round=story.state.round, index=index, card=card, counted=counted)
    if not counted and card.suit and seen >= story.setup.decks:
        report_impossible_card(story, card)
        return
    after_cards(story)


# ---- squeeze -----------------------------------------------------------------------------------------------------


def entitled_to_squeeze(story: Story) -> tuple[str, ...]:
    """Who has the highest bet; equals are for the House to choose between."""
    game, state = story.felt.game, story.state
    if game.squeeze is None:
        return ()
    if game.squeeze.right is SqueezeRight.CONSENT:
        return state.bettors
    original = story.setup.policy.highest_bet is HighestBet.LARGEST_ORIGINAL
    bets = [one for one in state.stakes.values() if not original or one.bet in tuple(Side)]
    if game.squeeze.right is SqueezeRight.HIGHEST_SEATED:
        bets = [one for one in bets if state.seats.get(one.box) == one.owner]
    most = max((one.amount for one in bets), default=0)
    return tuple(dict.fromkeys(one.owner for one in bets if one.amount == most))


def request_squeeze(story: Story, command: c.RequestSqueeze) -> None:
    story.check_round(command.round)
    game, state = story.felt.game, story.state
    rule = game.squeeze.rule if game.squeeze else None
    if game.squeeze is None or not story.setup.face_down:
        raise Refused(Reason.SQUEEZE_NOT_HERE, rule)
    if command.index <= len(state.drawn) or command.index > 6:
        raise Refused(Reason.SQUEEZE_TOO_LATE, rule, index=command.index)
    if story.by.role is not Role.PLAYER or story.by.person not in entitled_to_squeeze(story):
        raise Refused(Reason.SQUEEZE_NOT_ENTITLED, rule, person=story.by.person)
    if command.index in state.squeezes:
        raise Refused(Reason.SQUEEZE_TAKEN, rule, index=command.index)
    story.tell(e.SqueezeRequested, rule, round=command.round, index=command.index, person=story.by.person)


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
    if story.by.person != squeeze.person:
        raise Refused(Reason.NOT_YOURS, person=squeeze.person)
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
    owner = story.by.person
    if story.by.role is not Role.PLAYER:
        raise Refused(Reason.NOT_A_PLAYER, game.insurance.eligible, role=story.by.role)
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
        owner=owner, box=command.box, bet=name, amount=command.amount, placer=owner, order=state.orders + 1
    )
    story.tell(
        e.InsuranceTaken, game.insurance.rule, round=command.round, window=window.window, stake=stake_taken, was=was
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
    if story.by.person not in state.bettors:
        raise Refused(Reason.NOT_A_PLAYER, story.felt.waiver_rule, role=story.by.role)
    _check_waiver(story)
    assert game.insurance is not None, "checked above"
    story.tell(e.WaiverRequested, game.insurance.waiver, round=command.round, person=story.by.person)


def may_ask_waiver(felt: Felt, state: State) -> bool:
    """Both third cards are due and still face down: another order of opening them is possible."""
    first_four = tuple(one.card for one in state.drawn[:4] if one.card is not None)
    third_open = any(one.card for one in state.drawn[4:])
    if len(first_four) < 4 or third_open or state.waived or state.setup is None or not state.setup.face_down:
        return False
    return insurance.may_waive(felt.game, Coup(first_four))


def _check_waiver(story: Story) -> None:
    if not may_ask_waiver(story.felt, story.state):
        raise Refused(Reason.NO_WAIVER, story.felt.waiver_rule, game=story.felt.game.key)


def answer_waiver(story: Story, command: c.AnswerWaiver) -> None:
    story.check_round(command.round)
    game, state = story.felt.game, story.state
    rule = authority.check(game, Action.CONSENT_TO_WAIVER, story.by)
    if state.waiver_asked is None:
        raise Refused(Reason.NO_WAIVER_ASKED, rule)
    if command.consent:
        _check_waiver(story)
    story.tell(e.WaiverAnswered, rule, round=command.round, person=state.waiver_asked, consent=command.consent)


# ---- settlement --------------------------------------------------------------------------------------------------


def settle_round(story: Story, command: c.Settle) -> None:
    """Every stake, walked away from or not, by the positions at the close."""
    story.check_round(command.round)
    game, state = story.felt.game, story.state
    authority.check(game, Action.DEAL, story.by)
    assert state.outcome is not None, "the hands are complete"
    lines = {bet.key: deciding_line(bet, state.outcome) for bet in story.felt.bets.values() if bet.insures is None}
    stakes = tuple(_settled_stake(story, stake, state.outcome, lines) for stake in state.stakes.values())
    rule = game.irregularities.positions_at_close or game.round.winner
    front = state.front
    story.tell(e.RoundSettled, rule, round=state.round, outcome=state.outcome, stakes=stakes)
    set_off(story, ((one.owner, one.back) for one in stakes))
    if front:
        carry_over(story)


def _settled_stake(story: Story, stake: Stake, outcome: Outcome, lines: Mapping[str, PayLine | None]) -> SettledStake:
    game, plays = story.felt.game, story.state.playing(stake.key)
    cut = game.irregularities.over_differential
    name, at, window = stake.bet.partition("@")
    bet = story.felt.bets[name]
    if at:
        row = next(
            offer.row
            for offer in insurance.offers(game, _coup(story), waived=story.state.waived)
            if offer.window == window
        )
        settled = insurance.settle_insurance(Insured(Offer(bet, row), Cents(plays)), game, outcome)
    else:
        settled = settle_by(lines[name], bet, Cents(plays))
    return SettledStake(
        owner=stake.owner,
        box=stake.box,
        bet=stake.bet,
        stake=stake.amount,
        plays=plays,
        result=settled.result,
        profit=settled.profit,
        rule=str(settled.rule),
        commission=settled.commission,
        commission_rule=str(settled.commission_rule) if settled.commission_rule else None,
        unplayed_rule=str(cut.pro_rata) if cut and plays < stake.amount else None,
        pays=settled.pays,
        held=_held(game, bet, settled, outcome),
    )


def _coup(story: Story) -> Coup:
    coup = story.state.coup
    assert coup is not None, "every card is exposed once the hands are complete"
    return coup


def _held(game: Game, bet: Bet, settled: Settled, outcome: Outcome) -> bool:
    """After a tie an original stake that may be withdrawn is the player's to take or leave."""
    tie = outcome.winner is Winner.TIE and settled.result is Result.PUSH
    return bet.original and tie and game.tie.mode is TieMode.MAY_BE_WITHDRAWN


def choose_after_tie(story: Story, command: c.ChooseAfterTie) -> None:
    story.check_round(command.round)
    state = story.state
    stake = state.held.get(stake_key(command.box, command.bet, story.by.person))
    if stake is None:
        raise Refused(Reason.NOT_HELD, story.felt.game.tie.rule, bet=command.bet)
    story.tell(e.TieChoiceMade, story.felt.game.tie.rule, round=command.round, stake=stake, leave=command.leave)
