"""Authority: who acts, in which role, and what that role may do. Roles are acting assignments, stamped from outside."""

from enum import StrEnum

import msgspec

from puntobanco.rules.game import Game
from puntobanco.rules.procedures import Action, Authority, StaffRank
from puntobanco.rules.refusal import Reason, Refused


class Role(StrEnum):
    PLAYER = "player"
    DEALER = "dealer"
    PIT_SUPERVISOR = "pit_supervisor"
    PIT_MANAGER = "pit_manager"
    SHIFT_MANAGER = "shift_manager"
    CASHIER = "cashier"
    """Moves money between wallets and the tables, and nothing else there."""
    SYSTEM = "system"
    """The house's own clockwork: terminals, timers, the electronic shoe."""


RANK = {role: place for place, role in enumerate(StaffRank)}


class Confirmation(StrEnum):
    """How a guest confirms that somebody else moves their money."""

    SESSION = "session"
    """In their own session."""
    PIN = "pin"
    """With a PIN keyed in where the money is moved."""
    CARD = "card"
    """With their player's card, read there."""


class By(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Who did it, acting as what, and when: milliseconds, stamped by the house; `request`: the sender's own number;
    `second`: who confirmed what needs a second person; `confirmed`: how the guest whose money it is confirmed it;
    `device`: a scanner, shoe or chip reader, which only tells what was done at the table; `house`: nobody, since the
    table deals by itself."""

    person: str
    role: Role
    at: int
    request: str = ""
    second: str = ""
    confirmed: Confirmation | None = None
    device: bool = False
    house: bool = False

    @property
    def is_staff(self) -> bool:
        return self.role in (Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER)

    @property
    def is_pit_employee(self) -> bool:
        """Dealer, Pit Supervisor or Pit Manager, as the documents define it."""
        return self.is_staff and self.role is not Role.SHIFT_MANAGER


BEYOND_THE_DOCUMENTS: dict[Action, Authority] = {
    Action.CONFIRM_REST: Authority(least=StaffRank.PIT_SUPERVISOR),
    Action.WRITE_OFF_CHIP: Authority(least=StaffRank.PIT_MANAGER, reason=True),
}
"""Actions of which no document speaks, and the rank they need (docs/rulings.md)."""


def _needed(game: Game, action: Action) -> Authority | None:
    return BEYOND_THE_DOCUMENTS.get(action) or game.authority.of(action)


def may(game: Game, action: Action, by: By) -> bool:
    """Whether that role may do it; what the game file does not mention is the Shift Manager's."""
    needs = _needed(game, action)
    if by.role is Role.SYSTEM:
        return action is Action.ASSIGN or (game.terminal is not None and action in _AUTOMATIC)
    if not by.is_staff or (game.terminal is not None and action in _TERMINALS_OWN):
        return False
    rank = RANK[StaffRank(by.role)]
    if needs is None:
        return rank >= RANK[StaffRank.SHIFT_MANAGER]
    return RANK[needs.least] <= rank <= RANK[needs.most]


_AUTOMATIC = {Action.OPEN_BETTING, Action.CLOSE_BETTING, Action.DEAL, Action.REFUSE_LATE_BETS}
"""What an electronic table does by itself."""

_TERMINALS_OWN = {Action.OPEN_BETTING, Action.CLOSE_BETTING, Action.DEAL, Action.BET_FOR_PLAYER}
"""What nobody else does there: terminals show the opening and the close, and bets are made at them."""


def check(game: Game, action: Action, by: By, reason: str = "") -> str | None:
    """The paragraph that gives the authority, or a refusal; a reason is asked for where one must be given."""
    needs = _needed(game, action)
    rule = needs.rule if needs else None
    if not may(game, action, by):
        least: StaffRank | Role = needs.least if needs else StaffRank.SHIFT_MANAGER
        if game.terminal is not None and action in _TERMINALS_OWN:
            least = Role.SYSTEM
        raise Refused(Reason.NOT_AUTHORISED, rule, role=by.role, action=action, least=least)
    if needs is not None and needs.reason and not reason.strip():
        raise Refused(Reason.REASON_MISSING, rule, action=action)
    return rule


def has_rank(least: str, by: By) -> bool:
    return by.is_staff and RANK[StaffRank(by.role)] >= RANK[StaffRank(least)]


def lower(one: str, other: str) -> Role:
    """The lower of two ranks."""
    return Role(min(StaffRank(one), StaffRank(other), key=RANK.__getitem__))


def check_rank(least: StaffRank, action: Action, by: By) -> None:
    """What somebody of that rank or above may do, whatever the document says."""
    if not has_rank(least, by):
        raise Refused(Reason.NOT_AUTHORISED, role=by.role, action=action, least=least)


def check_pit_employee(game: Game, action: Action, by: By) -> None:
    """What any Pit Employee may do, and nobody else."""
    if not by.is_pit_employee:
        raise Refused(Reason.NOT_AUTHORISED, game.pit_employees, role=by.role, action=action, least=StaffRank.DEALER)


def is_least(by: By, least: StaffRank) -> bool:
    return by.is_staff and RANK[StaffRank(by.role)] >= RANK[least]


def check_least(action: Action, by: By, least: StaffRank, rule: str | None) -> None:
    """What somebody of that rank or above may do by a ruling, whatever the document gives to whom."""
    if not is_least(by, least):
        raise Refused(Reason.NOT_AUTHORISED, rule, role=by.role, action=action, least=least)


def check_assignment(game: Game, role: Role, by: By) -> str | None:
    """Roles are given by a higher rank, the highest by its like or by the house; returns the paragraph."""
    if by.role is Role.SYSTEM:
        return game.pit_employees
    rule = check(game, Action.ASSIGN, by)
    least = min(RANK[StaffRank(role)] + 1, RANK[StaffRank.SHIFT_MANAGER])
    if RANK[StaffRank(by.role)] < least:
        raise Refused(Reason.NOT_AUTHORISED, rule, role=by.role, action=Action.ASSIGN, least=tuple(StaffRank)[least])
    return rule
