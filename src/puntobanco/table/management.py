"""The floor around the round: opening and changing a table, people and their money, the shoe."""

import msgspec

from puntobanco.rules import library
from puntobanco.rules.checks import check_text
from puntobanco.rules.limits import TableLimits
from puntobanco.rules.money import GREATEST_STAKE, show_money
from puntobanco.rules.overlay import Overlay
from puntobanco.rules.procedures import Action
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Fault
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.guests import check_name, cited, guest_id, is_guest, known_as, shown, whose
from puntobanco.table.irregularities import paragraph_of
from puntobanco.table.pending import Story, boxes_unpaid
from puntobanco.table.reversal import pay_debt, return_held
from puntobanco.table.setup import LEAST_OPTIONS, GapCause, Setup
from puntobanco.table.state import BETWEEN_ROUNDS, State
from puntobanco.table.tags import tag_of


def open_table(story: Story, command: c.OpenTable) -> None:
    game = story.felt.game
    authority.check(game, Action.CHANGE_TABLE, story.by)
    if game.effective is not None and story.by.at < game.effective.timestamp() * 1000:
        raise Refused(Reason.NOT_IN_FORCE, game.approved, game=game.title)
    _check_setup(story.felt, command.setup)
    if story.state.setup is not None:
        _make_way(story, command.setup)
    story.tell(e.TableOpened, game.approved, setup=command.setup)


def change_setup(story: Story, command: c.ChangeSetup) -> None:
    """From the next round on. The last may still be voided or settled again: its policies and bets stay until then."""
    authority.check(story.felt.game, Action.CHANGE_TABLE, story.by)
    state, rule = story.state, story.felt.authority_rule(Action.CHANGE_TABLE)
    _check_setup(story.felt, command.setup)
    if (command.setup.layout, command.setup.face_down) != (story.setup.layout, story.setup.face_down) and state.front:
        raise Refused(Reason.STAKES_IN_PLAY)
    judges = state.in_gap and state.played is None
    if _judged_by(command.setup) != _judged_by(story.setup) and judges:
        raise Refused(Reason.ROUND_NOT_FINAL, rule)
    return_held(story)
    _make_way(story, command.setup)
    story.tell(e.SetupChanged, rule, setup=command.setup)


def _judged_by(setup: Setup) -> tuple[object, ...]:
    """What decides whether a settled round is still void, or settled anew."""
    return setup.policy, setup.layout, setup.overlay


def _make_way(story: Story, setup: Setup) -> None:
    """What does not fit the table as it will be: cards of other decks, cards waiting, seats without a box."""
    state, rule = story.state, story.felt.authority_rule(Action.CHANGE_TABLE)
    holding = sorted(person for person, held in state.purses.items() if held)
    if setup.cards_only and holding:
        raise Refused(Reason.PURSES_NOT_EMPTY, people=", ".join(holding))
    other_set = state.shoe is not None and state.shoe.in_service and state.shoe.decks != setup.decks
    otherwise = (setup.layout, setup.face_down) != (story.setup.layout, story.setup.face_down)
    if state.front and (other_set or otherwise):
        story.tell(e.CarryOverDiscarded, rule)
    if other_set:
        story.tell(e.ShoeWithdrawn, rule, reason=Reason.DECKS_NOT_AS_SET)
    for box, person in state.seats.items():
        if box > setup.boxes:
            story.tell(e.SeatLeft, rule, box=box, person=person)


def _check_setup(felt: Felt, setup: Setup) -> None:
    game = felt.game
    if (setup.game, setup.fingerprint) != (game.key, game.fingerprint):
        raise Refused(Reason.WRONG_GAME, game.approved, game=setup.game)
    game.decks.check(setup.decks)
    game.check_unit(setup.unit)
    _ = setup.limits
    for bet, least in setup.minimums.items():
        if game.bet(bet, game.layout(setup.layout)).original:
            raise Refused(Reason.UNKNOWN_BET, game=game.key, bet=bet, known=", ".join(felt.bets))
        TableLimits(minimum=least, differential=least, unit=setup.unit)
    if not 0 <= setup.burn <= 52 or not 0 <= setup.cut_card < 52 * setup.decks:
        raise Refused(Reason.SHOE_SET_WRONGLY, burn=setup.burn, cut_card=setup.cut_card)
    if setup.overlay is not None:
        _check_overlay(felt, setup.overlay)
    widened = [
        cause
        for cause in setup.policy.gap_void or ()
        if not felt.voids_settled(cause) and not (setup.overlay and setup.overlay.of(cause, settled=True))
    ]
    if widened and felt.interprets is None and felt.edition >= Edition.SECOND_READING:
        raise Refused(Reason.GAP_VOID_FIXED, causes=tuple(Fault(cause) for cause in widened))
    if min(*msgspec.structs.astuple(setup.timing), setup.policy.closing_notice, setup.policy.handover_grace) < 0:
        raise Refused(Reason.TIME_NEGATIVE)
    if felt.edition >= Edition.SECOND_READING and setup.timing.options < LEAST_OPTIONS:
        raise Refused(Reason.OPTIONS_TOO_SHORT, seconds=LEAST_OPTIONS // 1_000)
    layout = game.layout(setup.layout)
    if layout is not None:
        layout.check_boxes(setup.boxes)
    elif setup.boxes:
        raise Refused(Reason.NO_BOXES, felt.no_boxes_rule, game=game.key)


def _check_overlay(felt: Felt, overlay: Overlay) -> None:
    """Only what the document is silent on: a cause it does not know, or knows only while a round runs."""
    check_text(overlay, "overlay", "overlay")
    if overlay.key in library.GAMES or overlay.key == felt.game.key:
        raise Refused(Reason.OVERLAY_KEY_TAKEN, key=overlay.key)
    for one in overlay.voids:
        fault = Fault(one.cause)
        own = paragraph_of(felt, fault)
        if (one.in_round and own is not None) or (one.settled and felt.voids_settled(GapCause(fault))):
            raise Refused(Reason.OVERLAY_NOT_SILENT, own, cause=fault)


def announce_closing(story: Story, command: c.AnnounceClosing) -> None:
    rule = authority.check(story.felt.game, Action.CHANGE_TABLE, story.by)
    if not command.reason.strip():
        raise Refused(Reason.REASON_MISSING, rule, action=Action.CHANGE_TABLE)
    if story.state.closing is not None:
        raise Refused(Reason.CLOSING_ANNOUNCED)
    until = story.by.at + story.setup.policy.closing_notice * 60_000
    story.tell(e.ClosingAnnounced, rule, reason=command.reason, until=until)


def close_table(story: Story, command: c.CloseTable) -> None:
    rule = authority.check(story.felt.game, Action.CHANGE_TABLE, story.by)
    if command.cause is not None and not command.reason.strip():
        raise Refused(Reason.REASON_MISSING, rule, action=Action.CHANGE_TABLE)
    if command.cause is None and story.felt.edition >= Edition.SECOND_READING:
        _check_notice(story)
    return_held(story)
    hears = story.felt.edition >= Edition.SECOND_READING
    story.tell(e.TableClosed, rule, cause=command.cause, reason=command.reason, hears=hears)


def _check_notice(story: Story) -> None:
    """Whoever sits or has money at a table is told before it closes."""
    state = story.state
    if not (state.seats or state.held or any(state.purses.values())):
        return
    if state.closing is None:
        raise Refused(Reason.CLOSING_UNANNOUNCED)
    if state.round <= state.closing.round and story.by.at < state.closing.until:
        minutes = -(-(state.closing.until - story.by.at) // 60_000)
        raise Refused(Reason.CLOSING_TOO_EARLY, minutes=minutes)


# ---- people ------------------------------------------------------------------------------------------------------


def buy_in(story: Story, command: c.BuyIn) -> None:
    _own_or_house(story, command.person)
    if story.setup.cards_only:
        raise Refused(Reason.CARDS_ONLY)
    if not command.person.strip() or is_guest(command.person):
        raise Refused(Reason.UNKNOWN_PERSON, person=command.person)
    _check_amount(command.amount)
    confirm = story.felt.edition >= Edition.GUESTS_CONFIRM
    if confirm and story.by.role is not Role.PLAYER and story.by.confirmed is None:
        raise Refused(Reason.GUEST_NOT_CONFIRMED, person=command.person)
    back = _is_back(story, command.person)
    story.tell(e.BoughtIn, person=command.person, amount=command.amount, back=back)


def cash_out(story: Story, command: c.CashOut) -> None:
    _own_or_house(story, command.person)
    if is_guest(command.person):
        raise Refused(Reason.CHIPS_ONLY, person=shown(command.person))
    _check_amount(command.amount)
    held = story.state.purses.get(command.person, 0)
    owed = story.state.owed.get(command.person, 0)
    if command.amount > held - owed:
        free = show_money(max(0, held - owed))
        raise Refused(Reason.OWED if owed else Reason.NOT_ENOUGH_MONEY, stake=show_money(command.amount), purse=free)
    if command.amount > held - owed - story.state.withheld(command.person):
        raise _unpaid(story.state, command.person)
    story.tell(e.CashedOut, person=command.person, amount=command.amount)


def buy_in_at_table(story: Story, command: c.BuyInAtTable) -> None:
    """Cash or chips on the table: whoever puts them there confirms by it."""
    authority.check(story.felt.game, Action.BET_FOR_PLAYER, story.by)
    if story.setup.cards_only:
        raise Refused(Reason.CARDS_ONLY)
    check_name(command.name)
    _check_amount(command.amount)
    here = known_as(story.state, command.name)
    if command.again and (here is None or here not in story.state.purses):
        raise Refused(Reason.UNKNOWN_PERSON, person=command.name)
    if here is not None and not command.again:
        raise Refused(Reason.GUEST_NAME_TAKEN, name=shown(here))
    person = here or guest_id(command.name)
    back = _is_back(story, person)
    story.tell(e.GuestBoughtIn, person=person, amount=command.amount, tender=command.tender, back=back)


def _is_back(story: Story, person: str) -> bool:
    """Whoever buys in is known to be there, and had walked away."""
    return person in story.state.absent and story.felt.edition >= Edition.SECOND_READING


def leave_table(story: Story, command: c.LeaveTable) -> None:
    """Between their rounds: what is held since a tie comes back, what is owed stays, the rest goes with the guest."""
    state, person = story.state, command.person
    if not is_guest(person) or person not in state.purses:
        raise Refused(Reason.UNKNOWN_PERSON, person=shown(person))
    if not state.is_posted and state.stakes_of(person):
        raise Refused(Reason.BETS_IN_PLAY, person=shown(person))
    if state.unpaid_of(person):
        raise _unpaid(state, person)
    for stake in [stake for stake in state.held.values() if stake.owner == person]:
        story.tell(e.TieChoiceMade, story.felt.game.tie.rule, round=state.round, stake=stake, leave=False)
    pay_debt(story, person)
    story.tell(e.GuestLeft, person=person, amount=story.state.purses[person])


def _unpaid(state: State, person: str) -> Refused:
    """What the settlement gave is not taken along before the dealer has come to its box."""
    return boxes_unpaid({one.box for one in state.unpaid_of(person)})


def _own_or_house(story: Story, person: str) -> None:
    if story.by.role is Role.PLAYER and person != story.by.person:
        raise Refused(Reason.NOT_YOURS, person=person)


def _check_amount(amount: int) -> None:
    if amount <= 0:
        raise Refused(Reason.AMOUNT_NOT_POSITIVE, amount=show_money(amount))
    if amount > GREATEST_STAKE:
        raise Refused(Reason.AMOUNT_TOO_GREAT, greatest=show_money(GREATEST_STAKE))


def take_seat(story: Story, command: c.TakeSeat) -> None:
    felt, state = story.felt, story.state
    by_anybody = story.felt.edition < Edition.SECOND_READING and story.by.role is not Role.PLAYER
    sitting = (command.person or "") if by_anybody else whose(story, command.person)
    if felt.layout is None:
        raise Refused(Reason.NO_BOXES, felt.no_boxes_rule, game=felt.game.key)
    felt.layout.check_box(command.box, story.setup.boxes)
    if sitting not in state.purses:
        raise Refused(Reason.UNKNOWN_PERSON, person=shown(sitting))
    if command.box in state.seats:
        raise Refused(Reason.SEAT_TAKEN, box=command.box)
    rule = cited(story, sitting, felt.game.limits.seated if felt.game.limits else None)
    for box, person in state.seats.items():
        if person == sitting:
            story.tell(e.SeatLeft, rule, box=box, person=person)
    story.tell(e.SeatTaken, rule, box=command.box, person=sitting)


def leave_seat(story: Story, command: c.LeaveSeat) -> None:
    person = story.state.seats.get(command.box)
    if person is None:
        raise Refused(Reason.NO_SEAT, box=command.box)
    if story.by.role is Role.PLAYER and person != story.by.person:
        raise Refused(Reason.NOT_YOUR_SEAT, box=command.box)
    story.tell(e.SeatLeft, box=command.box, person=person)


def walk_away(story: Story, command: c.WalkAway) -> None:
    if command.person not in story.state.purses:
        raise Refused(Reason.UNKNOWN_PERSON, person=command.person)
    _own_or_house(story, command.person)
    options = story.state.options
    if options is not None and command.person in options.people and story.by.person != command.person:
        raise Refused(Reason.OPTIONS_RUNNING, options.returns_by.paragraph, people=command.person)
    story.tell(e.WalkedAway, story.felt.game.irregularities.walked_away, person=command.person)


def assign(story: Story, command: c.Assign) -> None:
    """Staff never own bets: nobody with a seat or a stake here is given a role."""
    role, person, state = Role(command.role), command.person, story.state
    rule = authority.check_assignment(story.felt.game, role, story.by)
    if state.acting.get(person) is role:
        raise Refused(Reason.ALREADY_ACTING, rule, person=person, role=role)
    if person in state.seats.values() or state.stakes_of(person):
        raise Refused(Reason.PLAYS_HERE, rule, person=person)
    story.tell(e.RoleAssigned, rule, person=person, role=role)


def relieve(story: Story, command: c.Relieve) -> None:
    role = story.state.acting.get(command.person)
    if role is None:
        raise Refused(Reason.NOT_ACTING, story.felt.game.pit_employees, person=command.person)
    rule = authority.check_assignment(story.felt.game, role, story.by)
    story.tell(e.RoleRelieved, rule, person=command.person, role=role)


# ---- the shoe ----------------------------------------------------------------------------------------------------


def load_shoe(story: Story, command: c.LoadShoe) -> None:
    """A new set of cards: by whoever deals once the last is used up, else by the rank that may replace it."""
    game, state = story.felt.game, story.state
    if state.shoe is not None and state.shoe.unproven:
        raise Refused(Reason.SHOE_UNPROVEN)
    between = state.phase in BETWEEN_ROUNDS
    rule = None
    if not between or not is_used_up(state):
        rule = _replacing(story, command.reason, between=between)
    elif not (story.by.is_staff or story.by.role is Role.SYSTEM):
        raise Refused(Reason.NOT_AUTHORISED, role=story.by.role, action=Action.DEAL, least=Role.DEALER)
    game.decks.check(command.decks)
    if command.decks != story.setup.decks:
        raise Refused(Reason.DECKS_NOT_AS_SET, game.decks.rule, decks=command.decks, set=story.setup.decks)
    if not between and not command.shuffled:
        unshuffled = game.irregularities.unshuffled
        raise Refused(Reason.SHOE_UNSHUFFLED, unshuffled.rule if unshuffled else None)
    if state.front and between:
        story.tell(e.CarryOverDiscarded)
    story.tell(
        e.ShoeLoaded,
        rule or game.decks.rule,
        shoe=command.shoe,
        decks=command.decks,
        cards=52 * command.decks,
        shuffled=command.shuffled,
        source=command.source,
        commitment=command.commitment,
        burned=story.setup.burn,
    )


def is_used_up(state: State) -> bool:
    """Whether a new set of cards is needed anyway; a card waiting in front is still to be used, unless its set was
    withdrawn."""
    shoe = state.shoe
    if shoe is None or not shoe.in_service:
        return True
    return not state.front and (shoe.finished or not shoe.shuffled)


def _replacing(story: Story, reason: str, *, between: bool) -> str | None:
    """Replacing cards still in use: after cards came together, or between rounds, by the rank the document names;
    in the middle of a round for any other reason it is a decision the rules leave open."""
    game, state = story.felt.game, story.state
    together = state.replaceable if story.felt.edition >= Edition.SECOND_READING else state.drawn_together
    if between or together:
        rule = authority.check(game, Action.REPLACE_SHOE, story.by, reason)
        return rule if together else None
    return authority.check(game, Action.DECIDE_UNPROVIDED, story.by, reason)


def withdraw_shoe(story: Story, command: c.WithdrawShoe) -> None:
    """By the rank that may replace it; by the house itself when its order does not match its commitment, which the pit
    then confirms by withdrawing it too."""
    if story.state.shoe is None:
        raise Refused(Reason.NO_SHOE)
    between, unproven = story.state.phase in BETWEEN_ROUNDS, story.by.role is Role.SYSTEM
    rule = None if unproven else _replacing(story, command.reason, between=between)
    if story.state.front and between:
        story.tell(e.CarryOverDiscarded)
    story.tell(e.ShoeWithdrawn, rule, reason=command.reason, unproven=unproven)
    if unproven:
        story.tell(e.AlertRaised, kind="shoe_unproven", to=Role.PIT_SUPERVISOR)


def show_cut_card(story: Story, _command: c.ShowCutCard) -> None:
    authority.check(story.felt.game, Action.DEAL, story.by)
    if story.state.shoe is None:
        raise Refused(Reason.NO_SHOE)
    story.tell(e.CutCardShown)


def take_over(story: Story, command: c.TakeOver) -> None:
    """Within the grace the continuation is found not to be affected: the round goes on, and nobody's time has run."""
    story.check_round(command.round)
    if story.by.role is not Role.SYSTEM:
        raise Refused(Reason.ACCESS_DENIED, what=tag_of(type(command)))
    interruption, grace = story.felt.game.irregularities.interruption, story.setup.policy.handover_grace
    rule = interruption.rule if interruption else None
    if not grace or not 0 <= command.away <= grace * 1_000:
        raise Refused(Reason.HANDOVER_TOO_LONG, rule, grace=grace)
    story.tell(e.TableTakenOver, rule, round=command.round, away=command.away)


def correct_display(story: Story, command: c.CorrectDisplay) -> None:
    authority.check(story.felt.game, Action.CORRECT_DISPLAY, story.by)
    if not 0 < command.round <= story.state.round:
        raise Refused(Reason.STALE_ROUND, round=command.round, current=story.state.round)
    rule = story.felt.game.irregularities.display
    story.tell(e.DisplayCorrected, rule, round=command.round, shown=command.shown, correct=command.correct)
