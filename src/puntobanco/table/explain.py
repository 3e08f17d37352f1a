"""Explain: the account of a table in order, each line with its paragraph, as codes that `sentences/` puts into
words."""

from collections.abc import Iterable, Iterator

from puntobanco.rules.cards import Card
from puntobanco.rules.game import Game
from puntobanco.rules.plain_data import Phrase
from puntobanco.table import events as e
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import By
from puntobanco.table.commands import Choice
from puntobanco.table.decide import Refusal
from puntobanco.table.events import AnyEvent, Cited, Question
from puntobanco.table.evolve import evolve
from puntobanco.table.narration import PLAY, Moment, Teller, as_it_is, code_of, draws
from puntobanco.table.narration_faults import FAULTS
from puntobanco.table.narration_words import NarratedLine, bet_name, who
from puntobanco.table.state import State

__all__ = ["RunningAccount", "Alert", "NarratedLine", "account", "code_of"]

TELLERS: dict[type[e.Event], Teller] = PLAY | FAULTS


def account(events: Iterable[AnyEvent], game: Game, round: int | None = None) -> Iterator[NarratedLine]:
    """Everything that happened at a table since it was first opened, or only in one round."""
    telling = RunningAccount(game)
    for event in events:
        lines = telling.tell(event)
        if round is None or telling.state.round == round:
            yield from lines


class RunningAccount:
    """An account that is written event by event.

    It must receive every event from the first on, or from a state between two rounds, to know what each is about.
    """

    def __init__(self, game: Game, state: State | None = None) -> None:
        """`state`: the current state of the table, to narrate only what would follow."""
        self.game, self.state = game, state or State()
        self._answered: Question | None = None
        self._answer: Choice | None = None
        self._cards: tuple[Card, ...] = self.state.coup.cards if self.state.coup else ()

    def tell(self, event: AnyEvent) -> tuple[NarratedLine, ...]:
        """The lines for the event: what happened, whose money it moved, and why a hand then draws or stands."""
        before, self.state = self.state, evolve(self.state, event)
        if isinstance(event, e.Ruled):
            self._answered, self._answer = before.question, event.choice
        moment = Moment(self.game, before, self.state, self._answered, self._answer)
        told = (*TELLERS.get(type(event), as_it_is)(moment, event), *draws(moment, self._cards))
        coup = self.state.coup
        self._cards = coup.cards if coup is not None else self._cards
        return told

    def refused(self, by: By, wish: str, refusal: Refusal) -> NarratedLine:
        """The line for a refused command, which changed nothing."""
        rule = Cited(self.game.key, refusal.paragraph) if refusal.paragraph else None
        bet = refusal.parameters.get("bet")
        named = {"bet": bet_name(self.game, bet, 0)} if isinstance(bet, str) else {}
        why = Phrase("refusal", refusal.reason, refusal.parameters | named, means=refusal.reason)
        return NarratedLine("refused", rule, {"who": who(by), "wish": Phrase("wish", wish), "why": why})
