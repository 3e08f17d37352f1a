"""The felt a table plays on: its game, layout and menu, looked up once."""

from functools import cached_property

from puntobanco.rules.established import Available, available
from puntobanco.rules.game import Bet, Game, Layout
from puntobanco.rules.procedures import Action, LateBetMode
from puntobanco.table.events import Cited
from puntobanco.table.setup import Setup


class Felt:
    """A game on one of its layouts, with what every decision looks up in it."""

    def __init__(self, game: Game, layout: Layout | None) -> None:
        self.game = game
        self.layout = layout
        self.bets: dict[str, Bet] = {bet.key: bet for bet in game.menu(layout)}

    @classmethod
    def of(cls, game: Game, setup: Setup) -> "Felt":
        return cls(game, game.layout(setup.layout))

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
        """Whether terminals show the close before it is one; elsewhere the announcement closes at once."""
        return self.game.late_bets is not None and self.game.late_bets.mode is LateBetMode.DISPLAY

    @property
    def late_rule(self) -> str | None:
        return self.game.late_bets.placed if self.game.late_bets else None

    def authority_rule(self, action: Action) -> str | None:
        needs = self.game.authority.of(action)
        return needs.rule if needs else None

    def cite(self, paragraph: str | None) -> Cited | None:
        return Cited(self.game.key, str(paragraph)) if paragraph else None
