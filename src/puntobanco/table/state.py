"""The state of a table: what has happened so far, folded together. It holds no card that has not left the shoe."""

from enum import StrEnum

import msgspec
from msgspec.structs import replace

from puntobanco.rules.cards import Card, Rank
from puntobanco.rules.coup import Coup
from puntobanco.rules.outcome import Outcome, Side
from puntobanco.rules.procedures import Window
from puntobanco.table.authority import Role
from puntobanco.table.commands import Election
from puntobanco.table.events import Cited, OfferMade, Question, Reported, SettledStake, Stake
from puntobanco.table.setup import Setup


class Phase(StrEnum):
    """Where a table is. The last three interrupt a round and go back to where it was."""

    CLOSED = "closed"
    IDLE = "idle"
    BETTING = "betting"
    CLOSING = "closing"
    DEALING = "dealing"
    INSURANCE = "insurance"
    RESULT = "result"
    SETTLED = "settled"
    VOIDED = "voided"
    SUSPENDED = "suspended"
    DECISION = "decision"
    OPTIONS = "options"


IN_ROUND = frozenset({Phase.BETTING, Phase.CLOSING, Phase.DEALING, Phase.INSURANCE, Phase.RESULT})
"""The phases in which a round of play runs and nothing interrupts it."""

BETWEEN_ROUNDS = frozenset({Phase.IDLE, Phase.SETTLED, Phase.VOIDED})


class Shoe(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    decks: int
    left: int
    shuffled: bool
    in_service: bool = True
    last_round: bool = False
    """The cut card has shown: the next round is the last."""
    finished: bool = False


class Drawn(msgspec.Struct, frozen=True):
    """A card of the round, and the hand it belongs to, or lies with. No face: it lies face down."""

    side: Side
    card: Card | None = None


class Squeeze(msgspec.Struct, frozen=True, kw_only=True):
    person: str
    permitted: bool = False
    deadline: int = 0


class OpenWindow(msgspec.Struct, frozen=True, kw_only=True):
    window: Window
    bet: str
    insures: Side
    odds: str
    offers: tuple[OfferMade, ...]
    deadline: int


class OpenOptions(msgspec.Struct, frozen=True, kw_only=True):
    question: int
    people: tuple[str, ...]
    elections: dict[str, Election]
    own: frozenset[str] = frozenset()
    """Who chose in person: nobody of the House can change it."""
    returns_by: Cited
    deadline: int


class State(msgspec.Struct, frozen=True, kw_only=True):
    version: int = 0
    setup: Setup | None = None
    phase: Phase = Phase.CLOSED
    interrupted: Phase | None = None
    """The phase an interruption goes back to."""
    interrupted_at: int = 0
    interrupted_deadline: int = 0

    # people
    seats: dict[int, str] = {}
    purses: dict[str, int] = {}
    owed: dict[str, int] = {}
    absent: frozenset[str] = frozenset()
    acting: dict[str, Role] = {}
    """Who is assigned to which role at this table."""

    # the shoe
    shoe: Shoe | None = None
    seen: dict[str, int] = {}
    """How often each card with a suit has come from this shoe."""
    front: tuple[Card | None, ...] = ()
    """Cards that left the shoe before they were due, in order: the next draws are theirs."""
    old: int = 0
    """How many cards of the round, the first in the order of drawing, are of a set that has been replaced since."""

    # the round
    round: int = 0
    deadline: int = 0
    orders: int = 0
    stakes: dict[str, Stake] = {}
    at_close: dict[str, Stake] = {}
    """The positions at the close, with chips attested later."""
    plays: dict[str, int] = {}
    """Stakes that do not play in full, since the close."""
    advised: frozenset[str] = frozenset()
    took_back: frozenset[str] = frozenset()
    """Who took everything back by an option in this round."""
    drawn: tuple[Drawn, ...] = ()
    as_lying: bool = False
    squeezes: dict[int, Squeeze] = {}
    """Draw index to who asked to squeeze that card."""
    waiver_asked: str | None = None
    waived: bool = False
    window: OpenWindow | None = None
    windows_closed: frozenset[Window] = frozenset()
    outcome: Outcome | None = None
    settled: tuple[SettledStake, ...] = ()
    held: dict[str, Stake] = {}
    leaving: frozenset[str] = frozenset()

    # irregularities
    reports: int = 0
    faults: tuple[Reported, ...] = ()
    unfounded: frozenset[str] = frozenset()
    """Whose claims proved unfounded in this round."""
    drawn_together: bool = False
    """Cards came out together in this round: the shoe may be replaced for it."""
    question: Question | None = None
    questions: int = 0
    options_due: Cited | None = None
    options: OpenOptions | None = None

    @property
    def in_round(self) -> bool:
        """Whether a round has begun and is neither settled nor void."""
        phase = self.interrupted if self.interrupted is not None else self.phase
        return phase in IN_ROUND

    @property
    def front_old(self) -> int:
        """How many cards waiting in front of the shoe are of a set that has been replaced."""
        return max(0, self.old - len(self.drawn))

    @property
    def coup(self) -> Coup | None:
        """The hands as the cards so far make them; none while a face that decides the next draw is hidden."""
        drawn = lying_order(self) if self.as_lying else self.drawn
        known = tuple(one.card for one in drawn if one.card is not None)
        return Coup(known) if len(known) == len(drawn) else None

    @property
    def seen_in_order(self) -> dict[int, Rank]:
        """Place in the deal to rank, for what everyone can see: cards on the table, and those that left the shoe early.

        Cards left as they lie have the places of the hands they lie with.
        """
        faces = (*(one.card for one in self.drawn), *self.front)
        places = list(range(1, len(faces) + 1))
        if self.as_lying:
            own = {Side.PLAYER: [1, 3, 5], Side.BANKER: [2, 4, 6]}
            stands = len([one for one in self.drawn if one.side is Side.PLAYER]) == 2
            own[Side.BANKER][2] = 5 if stands else 6
            places = [own[one.side].pop(0) for one in self.drawn] + places[len(self.drawn) :]
        return {place: card.rank for place, card in zip(places, faces, strict=True) if card is not None and place <= 6}

    @property
    def in_gap(self) -> bool:
        """Whether the round is settled and the next not yet announced."""
        return Phase.SETTLED in (self.phase, self.interrupted)

    @property
    def in_play(self) -> int:
        """The chips on the layout: stakes of the round, or what is held since a tie."""
        return sum(stake.amount for stake in (self.held if self.in_gap else self.stakes).values())

    def stakes_of(self, person: str) -> tuple[Stake, ...]:
        return tuple(stake for stake in self.stakes.values() if stake.owner == person)

    @property
    def bettors(self) -> tuple[str, ...]:
        """Everyone with a stake in the round, in order of first placing."""
        return tuple(dict.fromkeys(stake.owner for stake in self.stakes.values()))

    def playing(self, key: str) -> int:
        """How much of a stake plays."""
        return self.plays.get(key, self.stakes[key].amount)


def lying_order(state: State, sides: tuple[Side, ...] | None = None) -> tuple[Drawn, ...]:
    """The cards in the order that would have dealt them to the hands they lie with: each hand keeps its own order."""
    drawn = [
        replace(one, side=side)
        for one, side in zip(state.drawn, sides or [one.side for one in state.drawn], strict=True)
    ]
    player, banker = ([one for one in drawn if one.side is side] for side in Side)
    first = [one for pair in zip(player[:2], banker[:2], strict=False) for one in pair]
    left = player[len(banker[:2]) : 2] + banker[len(player[:2]) : 2]
    return (*first, *left, *player[2:], *banker[2:])
