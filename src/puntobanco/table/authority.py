"""Authority: who acts, in which role, and what that role may do. Roles are acting assignments, stamped from outside."""

from enum import StrEnum

import msgspec

from puntobanco.rules.game import Game
from puntobanco.rules.procedures import Action, Rank
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


RANK = {role: place for place, role in enumerate(Rank)}


class By(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who did it, acting as what, and when: milliseconds, stamped by the house; `request`: the sender's own number;
    `second`: who confirmed what needs a second person."""

    person: str
    role: Role
    at: int
    request: str = ""
    second: str = ""

    @property
    def is_staff(self) -> bool:
        return self.role in (Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER)


def may(game: Game, action: Action, by: By) -> bool:
    """Whether that role may do it; what the game file does not mention is the Shift Manager's."""
    needs = game.authority.of(action)
    if by.role is Role.SYSTEM:
        return action is Action.ASSIGN or (game.terminal is not None and action in _AUTOMATIC)
    if not by.is_staff or (game.terminal is not None and action in _TERMINALS_OWN):
        return False
    rank = RANK[Rank(by.role)]
    if needs is None:
        return rank >= RANK[Rank.SHIFT_MANAGER]
    return RANK[needs.least] <= rank <= RANK[needs.most]


_AUTOMATIC = {Action.OPEN_BETTING, Action.CLOSE_BETTING, Action.DEAL, Action.REFUSE_LATE_BETS}
"""What an electronic table does by itself."""

_TERMINALS_OWN = {Action.OPEN_BETTING, Action.CLOSE_BETTING, Action.DEAL, Action.BET_FOR_PLAYER}
"""What nobody else does there: terminals show the opening and the close, and bets are made at them."""


def check(game: Game, action: Action, by: By, reason: str = "") -> str | None:
    """The paragraph that gives the authority, or a refusal; a reason is asked for where one must be given."""
    needs = game.authority.of(action)
    rule = needs.rule if needs else None
    if not may(game, action, by):
        least: Rank | Role = needs.least if needs else Rank.SHIFT_MANAGER
        if game.terminal is not None and action in _TERMINALS_OWN:
            least = Role.SYSTEM
        raise Refused(Reason.NOT_AUTHORISED, rule, role=by.role, action=action, least=least)
    if needs is not None and needs.reason and not reason.strip():
        raise Refused(Reason.REASON_MISSING, rule, action=action)
    return rule


def check_assignment(game: Game, role: Role, by: By) -> str | None:
    """Roles are given by a higher rank, the highest by its like or by the house; returns the paragraph."""
    if by.role is Role.SYSTEM:
        return game.pit_employees
    rule = check(game, Action.ASSIGN, by)
    least = min(RANK[Rank(role)] + 1, RANK[Rank.SHIFT_MANAGER])
    if RANK[Rank(by.role)] < least:
        raise Refused(Reason.NOT_AUTHORISED, rule, role=by.role, action=Action.ASSIGN, least=tuple(Rank)[least])
    return rule
