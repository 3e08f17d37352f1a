"""The shoe: loading and withdrawing a set of cards, and the cut card."""

from puntobanco.rules.procedures import Action
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import Role
from puntobanco.table.felt import Edition
from puntobanco.table.pending import PendingEvents
from puntobanco.table.state import BETWEEN_ROUNDS, State


def load_shoe(pending: PendingEvents, command: c.LoadShoe) -> None:
    """Loads a new set of cards. Whoever deals may load it once the last is used up; otherwise the rank that may replace
    it."""
    game, state = pending.felt.game, pending.state
    if state.shoe is not None and state.shoe.unproven:
        raise Refused(Reason.SHOE_UNPROVEN)
    between = state.phase in BETWEEN_ROUNDS
    rule = None
    if not between or not is_used_up(state):
        rule = _replacing(pending, command.reason, between=between)
    elif not (pending.by.is_staff or pending.by.role is Role.SYSTEM):
        raise Refused(Reason.NOT_AUTHORISED, role=pending.by.role, action=Action.DEAL, least=Role.DEALER)
    game.decks.check(command.decks)
    if command.decks != pending.setup.decks:
        raise Refused(Reason.DECKS_NOT_AS_SET, game.decks.rule, decks=command.decks, set=pending.setup.decks)
    if not between and not command.shuffled:
        unshuffled = game.irregularities.unshuffled
        raise Refused(Reason.SHOE_UNSHUFFLED, unshuffled.rule if unshuffled else None)
    if state.front and between:
        pending.add(e.CarryOverDiscarded(by=pending.by))
    pending.add(
        e.ShoeLoaded(
            by=pending.by,
            rule=pending.cite(rule or game.decks.rule),
            shoe=command.shoe,
            decks=command.decks,
            cards=52 * command.decks,
            shuffled=command.shuffled,
            source=command.source,
            commitment=command.commitment,
            burned=pending.setup.burn,
        )
    )


def is_used_up(state: State) -> bool:
    """Whether a new set of cards is needed anyway. A card that waits in front of the shoe is still to be used, unless
    its set was withdrawn."""
    shoe = state.shoe
    if shoe is None or not shoe.in_service:
        return True
    return not state.front and (shoe.finished or not shoe.shuffled)


def _replacing(pending: PendingEvents, reason: str, *, between: bool) -> str | None:
    """The paragraph for replacing cards that are still in use. After cards came out together, or between rounds, the
    document names the rank; in the middle of a round, any other reason is a decision that the rules leave open."""
    game, state = pending.felt.game, pending.state
    together = state.replaceable if pending.felt.edition >= Edition.SECOND_READING else state.drawn_together
    if between or together:
        rule = authority.check(game, Action.REPLACE_SHOE, pending.by, reason)
        return rule if together else None
    return authority.check(game, Action.DECIDE_UNPROVIDED, pending.by, reason)


def withdraw_shoe(pending: PendingEvents, command: c.WithdrawShoe) -> None:
    """Withdraws the shoe. The rank that may replace it may do so, or the house itself if the order does not match its
    commitment; the pit then confirms that by withdrawing the shoe too."""
    if pending.state.shoe is None:
        raise Refused(Reason.NO_SHOE)
    between, unproven = pending.state.phase in BETWEEN_ROUNDS, pending.by.role is Role.SYSTEM
    rule = None if unproven else _replacing(pending, command.reason, between=between)
    if pending.state.front and between:
        pending.add(e.CarryOverDiscarded(by=pending.by))
    pending.add(e.ShoeWithdrawn(by=pending.by, rule=pending.cite(rule), reason=command.reason, unproven=unproven))
    if unproven:
        pending.alert(Alert.SHOE_UNPROVEN, to=Role.PIT_SUPERVISOR)


def show_cut_card(pending: PendingEvents, _command: c.ShowCutCard) -> None:
    authority.check(pending.felt.game, Action.DEAL, pending.by)
    if pending.state.shoe is None:
        raise Refused(Reason.NO_SHOE)
    pending.add(e.CutCardShown(by=pending.by))
