"""What happens around the round: opening, changing and closing a table, and people with their seats, money and
roles."""

import msgspec

from puntobanco.rules import library
from puntobanco.rules.limits import TableLimits
from puntobanco.rules.money import GREATEST_STAKE, write_money
from puntobanco.rules.overlay import Overlay
from puntobanco.rules.procedures import Action
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.rules.text import check_text
from puntobanco.table import authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.commands import Fault
from puntobanco.table.felt import Edition, Felt
from puntobanco.table.guests import check_name, cited, guest_id, is_guest, known_as, shown, whose
from puntobanco.table.irregularities import paragraph_of
from puntobanco.table.pending import PendingEvents, boxes_unpaid
from puntobanco.table.reversal import pay_debt, return_held
from puntobanco.table.setup import LEAST_OPTIONS, LONGEST_TIME, GapCause, Setup
from puntobanco.table.state import State
from puntobanco.table.tags import tag_of


def open_table(pending: PendingEvents, command: c.OpenTable) -> None:
    game = pending.felt.game
    authority.check(game, Action.CHANGE_TABLE, pending.by)
    if game.effective is not None and pending.by.at < game.effective.timestamp() * 1000:
        raise Refused(Reason.NOT_IN_FORCE, game.approved, game=game.title)
    _check_setup(pending.felt, command.setup)
    if pending.state.setup is not None:
        _make_way(pending, command.setup)
    pending.add(e.TableOpened(by=pending.by, rule=pending.cite(game.approved), setup=command.setup))


def change_setup(pending: PendingEvents, command: c.ChangeSetup) -> None:
    """Changes the set-up from the next round on. While the last round can still be voided or settled again, its policy,
    layout and overlay cannot change."""
    authority.check(pending.felt.game, Action.CHANGE_TABLE, pending.by)
    state, rule = pending.state, pending.felt.authority_rule(Action.CHANGE_TABLE)
    if command.replaces not in (None, state.setup):
        raise Refused(Reason.SETUP_REPLACED)
    _check_setup(pending.felt, command.setup)
    if (command.setup.layout, command.setup.face_down) != (
        pending.setup.layout,
        pending.setup.face_down,
    ) and state.front:
        raise Refused(Reason.STAKES_IN_PLAY)
    judges = state.in_gap and state.played is None
    if _judged_by(command.setup) != _judged_by(pending.setup) and judges:
        raise Refused(Reason.ROUND_NOT_FINAL, rule)
    return_held(pending)
    _make_way(pending, command.setup)
    pending.add(e.SetupChanged(by=pending.by, rule=pending.cite(rule), setup=command.setup))


def _judged_by(setup: Setup) -> tuple[object, ...]:
    """The part of the set-up that decides whether a settled round can be voided or settled again."""
    return setup.policy, setup.layout, setup.overlay


def _make_way(pending: PendingEvents, setup: Setup) -> None:
    """Removes what does not fit the new set-up: a shoe with other decks, waiting cards, and seats without a box.
    Refuses a cards-only set-up while somebody has money at the table."""
    state, rule = pending.state, pending.felt.authority_rule(Action.CHANGE_TABLE)
    holding = sorted(person for person, held in state.purses.items() if held)
    if setup.cards_only and holding:
        raise Refused(Reason.PURSES_NOT_EMPTY, people=holding)
    other_set = state.shoe is not None and state.shoe.in_service and state.shoe.decks != setup.decks
    otherwise = (setup.layout, setup.face_down) != (pending.setup.layout, pending.setup.face_down)
    if state.front and (other_set or otherwise):
        pending.add(e.CarryOverDiscarded(by=pending.by, rule=pending.cite(rule)))
    if other_set:
        pending.add(e.ShoeWithdrawn(by=pending.by, rule=pending.cite(rule), reason=Reason.DECKS_NOT_AS_SET))
    for box, person in state.seats.items():
        if box > setup.boxes:
            pending.add(e.SeatLeft(by=pending.by, rule=pending.cite(rule), box=box, person=person))


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
    if felt.edition >= Edition.CURRENT_NOTICE:
        _check_bounds(setup)
    layout = game.layout(setup.layout)
    if layout is not None:
        layout.check_boxes(setup.boxes)
    elif setup.boxes:
        raise Refused(Reason.NO_BOXES, felt.no_boxes_rule, game=game.key)


def _check_bounds(setup: Setup) -> None:
    """A time that never ends would hold a table that deals by itself, and its set-up with it."""
    policy = setup.policy
    times = *msgspec.structs.astuple(setup.timing), policy.closing_notice * 60_000, policy.handover_grace * 1_000
    if max(times) > LONGEST_TIME:
        raise Refused(Reason.TIME_TOO_LONG, hours=LONGEST_TIME // 3_600_000)
    if setup.maximum is not None and setup.maximum <= 0:
        raise Refused(Reason.MAXIMUM_NOT_POSITIVE)


def _check_overlay(felt: Felt, overlay: Overlay) -> None:
    """Refuses an overlay that covers what the document covers: a cause must be unknown to it, or known only while a
    round runs."""
    check_text(overlay, "overlay", "overlay")
    if overlay.key in library.GAMES or overlay.key == felt.game.key:
        raise Refused(Reason.OVERLAY_KEY_TAKEN, key=overlay.key)
    for one in overlay.voids:
        fault = Fault(one.cause)
        own = paragraph_of(felt, fault)
        if (one.in_round and own is not None) or (one.settled and felt.voids_settled(GapCause(fault))):
            raise Refused(Reason.OVERLAY_NOT_SILENT, own, cause=fault)


def announce_closing(pending: PendingEvents, command: c.AnnounceClosing) -> None:
    rule = authority.check(pending.felt.game, Action.CHANGE_TABLE, pending.by)
    if not command.reason.strip():
        raise Refused(Reason.REASON_MISSING, rule, action=Action.CHANGE_TABLE)
    if pending.state.closing is not None:
        raise Refused(Reason.CLOSING_ANNOUNCED)
    setup = pending.state.setup if pending.felt.edition >= Edition.CURRENT_NOTICE else pending.setup
    assert setup is not None, "the table is open"
    until = pending.by.at + setup.policy.closing_notice * 60_000
    pending.add(e.ClosingAnnounced(by=pending.by, rule=pending.cite(rule), reason=command.reason, until=until))


def close_table(pending: PendingEvents, command: c.CloseTable) -> None:
    rule = authority.check(pending.felt.game, Action.CHANGE_TABLE, pending.by)
    if command.cause is not None and not command.reason.strip():
        raise Refused(Reason.REASON_MISSING, rule, action=Action.CHANGE_TABLE)
    if command.cause is None and pending.felt.edition >= Edition.SECOND_READING:
        _check_notice(pending)
    return_held(pending)
    hears = pending.felt.edition >= Edition.SECOND_READING
    pending.add(
        e.TableClosed(by=pending.by, rule=pending.cite(rule), cause=command.cause, reason=command.reason, hears=hears)
    )


def _check_notice(pending: PendingEvents) -> None:
    """Refuses to close a table without notice while somebody has a seat or money there."""
    state = pending.state
    if not (state.seats or state.held or any(state.purses.values())):
        return
    if state.closing is None:
        raise Refused(Reason.CLOSING_UNANNOUNCED)
    if state.round <= state.closing.round and pending.by.at < state.closing.until:
        minutes = -(-(state.closing.until - pending.by.at) // 60_000)
        raise Refused(Reason.CLOSING_TOO_EARLY, minutes=minutes)


# ---- people ------------------------------------------------------------------------------------------------------


def buy_in(pending: PendingEvents, command: c.BuyIn) -> None:
    _own_or_house(pending, command.person)
    if pending.setup.cards_only:
        raise Refused(Reason.CARDS_ONLY)
    if not command.person.strip() or is_guest(command.person):
        raise Refused(Reason.UNKNOWN_PERSON, person=command.person)
    _check_amount(command.amount)
    confirm = pending.felt.edition >= Edition.GUESTS_CONFIRM
    if confirm and pending.by.role is not Role.PLAYER and pending.by.confirmed is None:
        raise Refused(Reason.GUEST_NOT_CONFIRMED, person=command.person)
    back = _is_back(pending, command.person)
    pending.add(e.BoughtIn(by=pending.by, person=command.person, amount=command.amount, back=back))


def cash_out(pending: PendingEvents, command: c.CashOut) -> None:
    _own_or_house(pending, command.person)
    if is_guest(command.person):
        raise Refused(Reason.CHIPS_ONLY, person=command.person)
    _check_amount(command.amount)
    held = pending.state.purses.get(command.person, 0)
    owed = pending.state.owed.get(command.person, 0)
    if command.amount > held - owed:
        free = write_money(max(0, held - owed))
        raise Refused(Reason.OWED if owed else Reason.NOT_ENOUGH_MONEY, stake=write_money(command.amount), purse=free)
    if command.amount > held - owed - pending.state.withheld(command.person):
        raise _unpaid(pending.state, command.person)
    pending.add(e.CashedOut(by=pending.by, person=command.person, amount=command.amount))


def buy_in_at_table(pending: PendingEvents, command: c.BuyInAtTable) -> None:
    """Buys a guest in with cash or chips on the table. Putting them there is the guest's confirmation."""
    authority.check(pending.felt.game, Action.BET_FOR_PLAYER, pending.by)
    if pending.setup.cards_only:
        raise Refused(Reason.CARDS_ONLY)
    check_name(command.name)
    _check_amount(command.amount)
    here = known_as(pending.state, command.name)
    if command.again and (here is None or here not in pending.state.purses):
        raise Refused(Reason.UNKNOWN_PERSON, person=command.name)
    if here is not None and not command.again:
        raise Refused(Reason.GUEST_NAME_TAKEN, name=shown(here))
    person = here or guest_id(command.name)
    back = _is_back(pending, person)
    pending.add(e.GuestBoughtIn(by=pending.by, person=person, amount=command.amount, tender=command.tender, back=back))


def _is_back(pending: PendingEvents, person: str) -> bool:
    """Whether a buy-in marks a player who had walked away as present again."""
    return person in pending.state.absent and pending.felt.edition >= Edition.SECOND_READING


def leave_table(pending: PendingEvents, command: c.LeaveTable) -> None:
    """Lets a guest leave who has no bet in play. Stakes held since a tie come back, debts are paid from the purse, and
    the guest takes the rest."""
    state, person = pending.state, command.person
    if not is_guest(person) or person not in state.purses:
        raise Refused(Reason.UNKNOWN_PERSON, person=person)
    if not state.is_posted and state.stakes_of(person):
        raise Refused(Reason.BETS_IN_PLAY, person=person)
    if state.unpaid_of(person):
        raise _unpaid(state, person)
    for stake in [stake for stake in state.held.values() if stake.owner == person]:
        pending.add(
            e.TieChoiceMade(
                by=pending.by,
                rule=pending.cite(pending.felt.game.tie.rule),
                round=state.round,
                stake=stake,
                leave=False,
            )
        )
    pay_debt(pending, person)
    pending.add(e.GuestLeft(by=pending.by, person=person, amount=pending.state.purses[person]))


def _unpaid(state: State, person: str) -> Refused:
    """A refusal: what the settlement paid cannot be taken out until the dealer has taken and paid its box."""
    return boxes_unpaid({one.box for one in state.unpaid_of(person)})


def _own_or_house(pending: PendingEvents, person: str) -> None:
    if pending.by.role is Role.PLAYER and person != pending.by.person:
        raise Refused(Reason.NOT_YOURS, person=person)


def _check_amount(amount: int) -> None:
    if amount <= 0:
        raise Refused(Reason.AMOUNT_NOT_POSITIVE, amount=write_money(amount))
    if amount > GREATEST_STAKE:
        raise Refused(Reason.AMOUNT_TOO_GREAT, greatest=write_money(GREATEST_STAKE))


def take_seat(pending: PendingEvents, command: c.TakeSeat) -> None:
    felt, state = pending.felt, pending.state
    by_anybody = pending.felt.edition < Edition.SECOND_READING and pending.by.role is not Role.PLAYER
    sitting = (command.person or "") if by_anybody else whose(pending, command.person)
    if felt.layout is None:
        raise Refused(Reason.NO_BOXES, felt.no_boxes_rule, game=felt.game.key)
    felt.layout.check_box(command.box, pending.setup.boxes)
    if sitting not in state.purses:
        raise Refused(Reason.UNKNOWN_PERSON, person=sitting)
    if command.box in state.seats:
        raise Refused(Reason.SEAT_TAKEN, box=command.box)
    rule = cited(pending, sitting, felt.game.limits.seated if felt.game.limits else None)
    for box, person in state.seats.items():
        if person == sitting:
            pending.add(e.SeatLeft(by=pending.by, rule=pending.cite(rule), box=box, person=person))
    pending.add(e.SeatTaken(by=pending.by, rule=pending.cite(rule), box=command.box, person=sitting))


def leave_seat(pending: PendingEvents, command: c.LeaveSeat) -> None:
    person = pending.state.seats.get(command.box)
    if person is None:
        raise Refused(Reason.NO_SEAT, box=command.box)
    if pending.by.role is Role.PLAYER and person != pending.by.person:
        raise Refused(Reason.NOT_YOUR_SEAT, box=command.box)
    pending.add(e.SeatLeft(by=pending.by, box=command.box, person=person))


def walk_away(pending: PendingEvents, command: c.WalkAway) -> None:
    if command.person not in pending.state.purses:
        raise Refused(Reason.UNKNOWN_PERSON, person=command.person)
    _own_or_house(pending, command.person)
    options = pending.state.options
    if options is not None and command.person in options.people and pending.by.person != command.person:
        raise Refused(Reason.OPTIONS_RUNNING, options.returns_by.paragraph, people=command.person)
    pending.add(
        e.WalkedAway(
            by=pending.by, rule=pending.cite(pending.felt.game.irregularities.walked_away), person=command.person
        )
    )


def assign(pending: PendingEvents, command: c.Assign) -> None:
    """Gives a person a role. Staff never own bets, so nobody with a seat or a stake here is given one."""
    role, person, state = Role(command.role), command.person, pending.state
    rule = authority.check_assignment(pending.felt.game, role, pending.by)
    if state.acting.get(person) is role:
        raise Refused(Reason.ALREADY_ACTING, rule, person=person, role=role)
    if person in state.seats.values() or state.stakes_of(person):
        raise Refused(Reason.PLAYS_HERE, rule, person=person)
    pending.add(e.RoleAssigned(by=pending.by, rule=pending.cite(rule), person=person, role=role))


def relieve(pending: PendingEvents, command: c.Relieve) -> None:
    role = pending.state.acting.get(command.person)
    if role is None:
        raise Refused(Reason.NOT_ACTING, pending.felt.game.pit_employees, person=command.person)
    rule = authority.check_assignment(pending.felt.game, role, pending.by)
    pending.add(e.RoleRelieved(by=pending.by, rule=pending.cite(rule), person=command.person, role=role))


# ---- handover and display ----------------------------------------------------------------------------------------


def take_over(pending: PendingEvents, command: c.TakeOver) -> None:
    """Lets another process continue the round. Within the grace period the handover does not affect the round, and no
    deadline runs."""
    pending.check_round(command.round)
    if pending.by.role is not Role.SYSTEM:
        raise Refused(Reason.ACCESS_DENIED, what=tag_of(type(command)))
    interruption, grace = pending.felt.game.irregularities.interruption, pending.setup.policy.handover_grace
    rule = interruption.rule if interruption else None
    if not grace or not 0 <= command.away <= grace * 1_000:
        raise Refused(Reason.HANDOVER_TOO_LONG, rule, grace=grace)
    pending.add(e.TableTakenOver(by=pending.by, rule=pending.cite(rule), round=command.round, away=command.away))


def correct_display(pending: PendingEvents, command: c.CorrectDisplay) -> None:
    authority.check(pending.felt.game, Action.CORRECT_DISPLAY, pending.by)
    if not 0 < command.round <= pending.state.round:
        raise Refused(Reason.STALE_ROUND, round=command.round, current=pending.state.round)
    rule = pending.felt.game.irregularities.display
    pending.add(
        e.DisplayCorrected(
            by=pending.by, rule=pending.cite(rule), round=command.round, shown=command.shown, correct=command.correct
        )
    )
