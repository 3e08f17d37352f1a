"""The events that a command produces. Each is decided on the state after the one before."""

from collections.abc import Iterable

from msgspec.structs import replace

from puntobanco.rules.cards import Card
from puntobanco.rules.coup import FIRST_FOUR, Coup
from puntobanco.rules.established import possible
from puntobanco.rules.outcome import Side
from puntobanco.rules.refusal import Reason, Refused
from puntobanco.table import events as e
from puntobanco.table.alerts import Alert
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Worth
from puntobanco.table.events import AnyEvent, Cited
from puntobanco.table.evolve import Draft, evolve
from puntobanco.table.felt import Citation, Edition, Felt
from puntobanco.table.setup import Setup
from puntobanco.table.state import State


class PendingEvents:
    """The events of one command as they are decided."""

    __slots__ = ("_draft", "_judged_by", "by", "events", "felt", "refusals", "state", "worth")

    def __init__(
        self,
        felt: Felt,
        state: State,
        by: By,
        judged_by: Setup | None = None,
        worth: Worth | None = None,
        draft: Draft | None = None,
    ) -> None:
        """`judged_by`: the set-up of the last round, if the command is about that round and the table has another now.
        `worth`: the value of bets on exposed cards, if the command carries it. `draft`: what may be changed in
        place."""
        self.felt, self.state, self.by, self.worth = felt, state, by, worth
        self._judged_by, self._draft = judged_by, draft
        self.events: list[AnyEvent] = []
        self.refusals: list[tuple[int, Refused]] = []

    def add(self, event: AnyEvent) -> None:
        """Adds the event and continues from the state after it."""
        self.events.append(event)
        self.state = evolve(self.state, event, self._draft)

    def alert(
        self,
        kind: Alert,
        *,
        to: Role,
        rule: Citation = None,
        worth: dict[str, int] | None = None,
        stakes: tuple[e.Stake, ...] = (),
    ) -> None:
        self.add(e.AlertRaised(by=self.by, rule=self.cite(rule), kind=kind, to=to, worth=worth or {}, stakes=stakes))

    def returns_on(self, cards: tuple[Card | None, ...]) -> dict[str, int]:
        """The value of each bet if these cards come first; empty if the command carries none, or that of others."""
        return self.worth.returns if self.worth is not None and self.worth.cards == cards else {}

    def cite(self, paragraph: Citation) -> Cited | None:
        """The paragraph in the form that events cite it."""
        return self.felt.cite(paragraph)

    @property
    def setup(self) -> Setup:
        setup = self._judged_by or self.state.setup
        assert setup is not None, "the table is open"
        return setup

    @property
    def house_deals(self) -> bool:
        """Whether the house deals the round, and so notices everything. Earlier editions make no difference."""
        return self.state.house_deals and self.felt.edition >= Edition.SECOND_READING

    def check_round(self, number: int) -> None:
        if number != self.state.round:
            raise Refused(Reason.STALE_ROUND, round=number, current=self.state.round)

    @property
    def established(self) -> bool:
        """Whether an available bet has conclusively won or lost on the exposed cards of the round."""
        return self.established_with(())

    def established_with(self, cards: tuple[Card | None, ...]) -> bool:
        """Whether one has, with these cards next in the order of drawing."""
        state = replace(self.state, front=(*self.state.front, *cards)) if cards else self.state
        return self.felt.available.established(possible(state.seen_in_order))


def boxes_unpaid(boxes: Iterable[int]) -> Refused:
    """A refusal: something has to wait until the dealer has taken and paid these boxes."""
    return Refused(Reason.BOX_UNPAID, boxes=", ".join(map(str, sorted(boxes))))


def due(state: State) -> Side | None:
    """The hand that the next card belongs to, or none. Refuses while a face that decides it is hidden."""
    drawn = len(state.drawn)
    if drawn < 4:
        return FIRST_FOUR[drawn]
    coup = state.coup
    if coup is not None:
        return coup.due
    if state.waived and drawn == 5 and all(one.card for one in state.drawn[:4]):
        return Side.BANKER
    raise Refused(Reason.EXPOSE_FIRST)


def replayed(cards: tuple[Card | None, ...], *, waived: bool = False) -> tuple[int, tuple[Side, ...]]:
    """How many of the cards, in draw order, belong to this round, and to which hand each.

    The first four have their places whatever their faces. From the fifth on, a card that lies face down has its place
    if the faces before it determine it; cards after it have none. `waived`: both third cards are drawn before either is
    seen.
    """
    known = next((place for place, card in enumerate(cards) if card is None), len(cards))
    if known < 4:
        placed = min(len(cards), 4)
        return placed, FIRST_FOUR[:placed]
    coup = Coup()
    for card in cards[:known]:
        if card is None or coup.is_complete:
            break
        coup = coup.draw(card)
    sides = coup.sides
    hidden = len(cards) - known if len(sides) == known else 0
    if hidden and coup.due is not None:
        sides = (*sides, coup.due)
        if waived and hidden > 1 and len(sides) == 5:
            sides = (*sides, Side.BANKER)
    return len(sides), sides
