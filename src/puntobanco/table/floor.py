"""The floor around the round: opening and changing a table, people and their money, the shoe."""

import msgspec

from puntobanco.rules.limits import TableLimits
from puntobanco.rules.money import GREATEST_STAKE, show_money
from puntobanco.rules.procedures import Action
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import Role
from puntobanco.table.felt import Felt
from puntobanco.table.setup import Setup
from puntobanco.table.state import BETWEEN_ROUNDS, State
from puntobanco.table.story import Story


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
    if (command.setup.policy, command.setup.layout) != (story.setup.policy, story.setup.layout) and state.in_gap:
        raise Refused(Reason.ROUND_NOT_FINAL, rule)
    _return_held(story)
    _make_way(story, command.setup)
    story.tell(e.SetupChanged, rule, setup=command.setup)


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


def _return_held(story: Story) -> None:
    """Silence after a tie returns the stake, and so does a table that changes under it."""
    held = tuple(story.state.held.values())
    if held:
        story.tell(e.StakesReturned, story.felt.game.tie.rule, round=story.state.round, stakes=held)


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
    if min(msgspec.structs.astuple(setup.timing)) < 0:
        raise Refused(Reason.TIME_NEGATIVE)
    layout = game.layout(setup.layout)
    if layout is not None:
        layout.check_boxes(setup.boxes)
    elif setup.boxes:
        raise Refused(Reason.NO_BOXES, felt.no_boxes_rule, game=game.key)


def close_table(story: Story, _command: c.CloseTable) -> None:
    authority.check(story.felt.game, Action.CHANGE_TABLE, story.by)
    _return_held(story)
    story.tell(e.TableClosed, story.felt.authority_rule(Action.CHANGE_TABLE))


# ---- people ------------------------------------------------------------------------------------------------------


def buy_in(story: Story, command: c.BuyIn) -> None:
    _own_or_house(story, command.person)
    if story.setup.cards_only:
        raise Refused(Reason.CARDS_ONLY)
    if not command.person.strip():
        raise Refused(Reason.UNKNOWN_PERSON, person=command.person)
    _check_amount(command.amount)
    story.tell(e.BoughtIn, person=command.person, amount=command.amount)


def cash_out(story: Story, command: c.CashOut) -> None:
    _own_or_house(story, command.person)
    _check_amount(command.amount)
    held = story.state.purses.get(command.person, 0)
    owed = story.state.owed.get(command.person, 0)
    if command.amount > held - owed:
        free = show_money(max(0, held - owed))
        raise Refused(Reason.OWED if owed else Reason.NOT_ENOUGH_MONEY, stake=show_money(command.amount), purse=free)
    story.tell(e.CashedOut, person=command.person, amount=command.amount)


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
    if story.by.role is not Role.PLAYER:
        raise Refused(Reason.NOT_A_PLAYER, role=story.by.role)
    if felt.layout is None:
        raise Refused(Reason.NO_BOXES, felt.no_boxes_rule, game=felt.game.key)
    felt.layout.check_box(command.box, story.setup.boxes)
    if story.by.person not in state.purses:
        raise Refused(Reason.UNKNOWN_PERSON, person=story.by.person)
    if command.box in state.seats:
        raise Refused(Reason.SEAT_TAKEN, box=command.box)
    rule = felt.game.limits.seated if felt.game.limits else None
    for box, person in state.seats.items():
        if person == story.by.person:
            story.tell(e.SeatLeft, rule, box=box, person=person)
    story.tell(e.SeatTaken, rule, box=command.box, person=story.by.person)


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
    game = story.felt.game
    if between or story.state.drawn_together:
        rule = authority.check(game, Action.REPLACE_SHOE, story.by, reason)
        return rule if story.state.drawn_together else None
    return authority.check(game, Action.DECIDE_UNPROVIDED, story.by, reason)


def withdraw_shoe(story: Story, command: c.WithdrawShoe) -> None:
    if story.state.shoe is None:
        raise Refused(Reason.NO_SHOE)
    between = story.state.phase in BETWEEN_ROUNDS
    rule = _replacing(story, command.reason, between=between)
    if story.state.front and between:
        story.tell(e.CarryOverDiscarded)
    story.tell(e.ShoeWithdrawn, rule, reason=command.reason)


def show_cut_card(story: Story, _command: c.ShowCutCard) -> None:
    authority.check(story.felt.game, Action.DEAL, story.by)
    if story.state.shoe is None:
        raise Refused(Reason.NO_SHOE)
    story.tell(e.CutCardShown)


def correct_display(story: Story, command: c.CorrectDisplay) -> None:
    authority.check(story.felt.game, Action.CORRECT_DISPLAY, story.by)
    if not 0 < command.round <= story.state.round:
        raise Refused(Reason.STALE_ROUND, round=command.round, current=story.state.round)
    rule = story.felt.game.irregularities.display
    story.tell(e.DisplayCorrected, rule, round=command.round, shown=command.shown, correct=command.correct)


def decide_unprovided(story: Story, command: c.DecideUnprovided) -> None:
    rule = authority.check(story.felt.game, Action.DECIDE_UNPROVIDED, story.by, command.reason)
    if not 0 < command.round <= story.state.round:
        raise Refused(Reason.STALE_ROUND, round=command.round, current=story.state.round)
    story.tell(e.HouseDecided, rule, round=command.round, decision=command.decision, reason=command.reason)
