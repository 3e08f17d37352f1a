"""Authority: who acts, in which role, and what that role may do. A role is an acting assignment, added by the house."""

from enum import StrEnum

import msgspec

from puntobanco.rules.game import Game
from puntobanco.rules.procedures import Action, Authority, StaffRank
from puntobanco.rules.refusal import Reason, Refused


class Role(StrEnum):
    """The role in which somebody acts at a table."""

    PLAYER = "player"
    DEALER = "dealer"
    PIT_SUPERVISOR = "pit_supervisor"
    PIT_MANAGER = "pit_manager"
    SHIFT_MANAGER = "shift_manager"
    CASHIER = "cashier"
    """Moves money between wallets and tables, and does nothing else at a table."""
    SYSTEM = "system"
    """The house itself: terminals, timers, the electronic shoe."""


RANK = {role: place for place, role in enumerate(StaffRank)}


class Confirmation(StrEnum):
    """How a guest confirms that somebody else moves their money."""

    SESSION = "session"
    """In their own session."""
    PIN = "pin"
    """With a PIN, keyed in where the money is moved."""
    CARD = "card"
    """With their player's card, read where the money is moved."""


class By(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Who acted, in which role and when.

    `at`: milliseconds, added by the house; `request`: the sender's own number; `second`: who confirmed a command that
    needs a second person; `confirmed`: how the guest confirmed that their money is moved; `device`: a scanner, shoe or
    chip reader, which only reports what was done at the table; `house`: nobody acted, because the table deals by
    itself.
    """

    person: str
    role: Role
    at: int
    request: str = ""
    second: str = ""
    confirmed: Confirmation | None = None
    """How the guest whose money moves confirmed it; null if no guest had to."""
    device: bool = False
    """A device acted. It only reports what was done at the table."""
    house: bool = False
    """Nobody acted: the table deals by itself."""

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
"""Actions that no document mentions, and the rank they need (docs/rulings.md)."""


def _needed(game: Game, action: Action) -> Authority | None:
    return BEYOND_THE_DOCUMENTS.get(action) or game.authority.of(action)


def may(game: Game, action: Action, by: By) -> bool:
    """Whether the role may take the action. The Shift Manager may take those that the game file does not mention."""
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
"""Actions that an electronic table takes by itself."""

_TERMINALS_OWN = {Action.OPEN_BETTING, Action.CLOSE_BETTING, Action.DEAL, Action.BET_FOR_PLAYER}
"""Actions that staff cannot take at an electronic table: terminals show the opening and the close, and players bet
there."""


def check(game: Game, action: Action, by: By, reason: str = "") -> str | None:
    """The paragraph that gives the authority. Refuses without the authority, or without a reason where one is
    required."""
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
    """Refuses anyone below that rank, whatever the document says."""
    if not has_rank(least, by):
        raise Refused(Reason.NOT_AUTHORISED, role=by.role, action=action, least=least)


def check_pit_employee(game: Game, action: Action, by: By) -> None:
    """Refuses anyone but a Pit Employee."""
    if not by.is_pit_employee:
        raise Refused(Reason.NOT_AUTHORISED, game.pit_employees, role=by.role, action=action, least=StaffRank.DEALER)


def is_least(by: By, least: StaffRank) -> bool:
    return by.is_staff and RANK[StaffRank(by.role)] >= RANK[least]


def check_least(action: Action, by: By, least: StaffRank, rule: str | None) -> None:
    """Refuses anyone below that rank, by a ruling that applies whatever the document says."""
    if not is_least(by, least):
        raise Refused(Reason.NOT_AUTHORISED, rule, role=by.role, action=action, least=least)


def check_assignment(game: Game, role: Role, by: By) -> str | None:
    """The paragraph that lets this person assign the role. A higher rank assigns a role, the highest rank its own, and
    the house any."""
    if by.role is Role.SYSTEM:
        return game.pit_employees
    rule = check(game, Action.ASSIGN, by)
    least = min(RANK[StaffRank(role)] + 1, RANK[StaffRank.SHIFT_MANAGER])
    if RANK[StaffRank(by.role)] < least:
        raise Refused(Reason.NOT_AUTHORISED, rule, role=by.role, action=Action.ASSIGN, least=tuple(StaffRank)[least])
    return rule
