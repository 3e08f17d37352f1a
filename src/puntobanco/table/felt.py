"""The felt that a table plays on: its game, layout and menu, looked up once."""

from enum import IntEnum
from functools import cached_property

from puntobanco.rules.established import Available, available
from puntobanco.rules.game import Bet, Game, Layout
from puntobanco.rules.procedures import Action, LateBetMode, VoidCause
from puntobanco.table.events import Cited
from puntobanco.table.setup import GapCause, Setup

Citation = str | Cited | None
"""A paragraph of the game's document, or a citation of an overlay."""


class Edition(IntEnum):
    """How the table decides where the documents leave it open.

    The same command on the same state may give another result in the next edition. Events are stored with their
    edition, so an old history is decided again as it was then.
    """

    FIRST = 1
    GUESTS_CONFIRM = 2
    """Staff move a guest's money, or bet from a guest's purse, only with the guest's confirmation."""
    SECOND_READING = 3
    """The rulings of the second reading of the documents (docs/rulings.md)."""
    CURRENT_NOTICE = 4
    """The notice of a closing is that of the current set-up. The alert to chips attested late names the bet. No
    time of a set-up is longer than a day, and the maximum of a side bet is positive."""
    ONE_REQUEST = 5
    """While a request for the waiver waits for its answer, nobody makes another."""


CURRENT = max(Edition)


class Felt:
    """A game on one of its layouts, with everything that decisions look up in it."""

    def __init__(self, game: Game, layout: Layout | None, edition: int = CURRENT) -> None:
        self.game = game
        self.layout = layout
        self.edition = edition
        self.bets: dict[str, Bet] = {bet.key: bet for bet in game.menu(layout)}
        self._cited: dict[str, Cited] = {}
        self._others: dict[str | None, Felt] = {}

    @classmethod
    def of(cls, game: Game, setup: Setup, edition: int = CURRENT) -> "Felt":
        return cls(game, game.layout(setup.layout), edition)

    def under(self, setup: Setup) -> "Felt":
        """The same game on the layout of another set-up."""
        if (self.layout.key if self.layout else None) == setup.layout:
            return self
        if setup.layout not in self._others:
            self._others[setup.layout] = Felt.of(self.game, setup, self.edition)
        return self._others[setup.layout]

    @cached_property
    def available(self) -> Available:
        return available(self.game, self.layout)

    @property
    def no_boxes_rule(self) -> str | None:
        return self.game.terminal.rule if self.game.terminal else None

    @property
    def insurance_rule(self) -> str | None:
        return self.game.insurance.rule if self.game.insurance else None

    @property
    def waiver_rule(self) -> str | None:
        return self.game.insurance.waiver if self.game.insurance else None

    @property
    def squeeze_rule(self) -> str | None:
        return self.game.squeeze.rule if self.game.squeeze else None

    @property
    def close_is_displayed(self) -> bool:
        """Whether terminals show the close before betting closes. Elsewhere the announcement closes betting at once."""
        return self.game.late_bets is not None and self.game.late_bets.mode is LateBetMode.DISPLAY

    @property
    def late_rule(self) -> str | None:
        return self.game.late_bets.placed if self.game.late_bets else None

    def authority_rule(self, action: Action) -> str | None:
        needs = self.game.authority.of(action)
        return needs.rule if needs else None

    @property
    def interprets(self) -> str | None:
        """The paragraph that lets somebody decide questions of interpretation, if there is one."""
        return self.authority_rule(Action.DECIDE_UNPROVIDED)

    @property
    def stands(self) -> str | None:
        """The paragraph by which every round before the last one announced stands, if there is one."""
        rules = self.game.irregularities
        only = (rules.void_causes, rules.foreign_card.rule if rules.foreign_card else None)
        return None if rules.earlier_rounds_stand in only else rules.earlier_rounds_stand

    def voids_settled(self, cause: GapCause) -> bool:
        """Whether the document itself lets the cause void a settled round."""
        own: VoidCause | None = getattr(self.game.irregularities, cause)
        return own is not None and own.settled_too

    def cite(self, paragraph: Citation) -> Cited | None:
        if not paragraph:
            return None
        return paragraph if isinstance(paragraph, Cited) else self.cited(paragraph)

    def cited(self, paragraph: str) -> Cited:
        if paragraph not in self._cited:
            self._cited[paragraph] = Cited(self.game.key, str(paragraph))
        return self._cited[paragraph]
