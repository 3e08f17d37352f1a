"""The state of a table: what has happened so far, folded together. It holds no card that has not left the shoe."""

from enum import StrEnum

import msgspec
from msgspec.structs import replace

from puntobanco.rules.cards import Card, Rank
from puntobanco.rules.coup import Coup
from puntobanco.rules.outcome import Outcome, Side
from puntobanco.rules.procedures import Window
from puntobanco.table.authority import Role
from puntobanco.table.commands import Election, Fault
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
    PAYING = "paying"
    """Settled in the books: the dealer takes and pays, box by box, and the round ends with the last of them."""
    SETTLED = "settled"
    VOIDED = "voided"
    WITHOUT_BETS = "without_bets"
    """Everyone took the bets back, or nobody had bet: neither settled nor void."""
    DECIDED = "decided"
    """The House decided what became of the bets, since the round could not be played out."""
    SUSPENDED = "suspended"
    DECISION = "decision"
    OPTIONS = "options"


IN_ROUND = frozenset({Phase.BETTING, Phase.CLOSING, Phase.DEALING, Phase.INSURANCE, Phase.RESULT, Phase.PAYING})
"""The phases in which a round of play runs and nothing interrupts it."""

GAP = frozenset({Phase.SETTLED, Phase.DECIDED})
"""Bets were paid, and what was may still be taken back."""

BETWEEN_ROUNDS = GAP | {Phase.IDLE, Phase.VOIDED, Phase.WITHOUT_BETS}


class ShoeInUse(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    decks: int
    left: int
    shuffled: bool
    in_service: bool = True
    last_round: bool = False
    """The cut card has shown: the next round is the last."""
    finished: bool = False
    loaded: int = 0
    """The version of the event that loaded it, which holds the commitment to an electronic order."""
    sealed: bool = False
    """Its order was committed to before the first bet: nobody but the house names a card of it."""
    unproven: bool = False
    """The order did not match the commitment: nothing is loaded until the pit has confirmed the withdrawal."""


class Drawn(msgspec.Struct, frozen=True, gc=False):
    """A card of the round, and the hand it belongs to, or lies with. No face: it lies face down."""

    side: Side
    card: Card | None = None


class SqueezeInProgress(msgspec.Struct, frozen=True, kw_only=True):
    person: str
    permitted: bool = False
    deadline: int = 0
    recorded: bool = False
    """A Pit Employee recorded the request, and records the end."""


class OpenWindow(msgspec.Struct, frozen=True, kw_only=True):
    window: Window
    bet: str
    insures: Side
    odds: str
    offers: tuple[OfferMade, ...]
    deadline: int
    answered: frozenset[str] = frozenset()
    """The offers that were taken or declined, by `OfferMade.key`."""

    @property
    def is_answered(self) -> bool:
        """Whether nobody's answer is awaited any more."""
        return all(offer.key in self.answered for offer in self.offers)


class OpenOptions(msgspec.Struct, frozen=True, kw_only=True):
    question: int
    people: tuple[str, ...]
    elections: dict[str, Election]
    own: frozenset[str] = frozenset()
    """Who chose in person: nobody of the House can change it."""
    returns_by: Cited
    deadline: int
    faults: tuple[Fault, ...] = ()
    """What gave the choice."""


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    """Notice was given in that round, or after it: the table closes after a later round, or when `until` has come."""

    round: int
    until: int
    reason: str


class MissingChip(msgspec.Struct, frozen=True, kw_only=True):
    """A chip that was taken away after the close: the bet was debited when it was placed and settled as it lay, so that
    the dealer collects the chip itself."""

    round: int
    person: str
    box: int
    bet: str
    amount: int


class EndedBet(msgspec.Struct, frozen=True, kw_only=True):
    """A bet that a decision of the House ended before the settlement: as it lay, and what became of it."""

    stake: Stake
    settled: SettledStake


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    version: int = 0
    setup: Setup | None = None
    phase: Phase = Phase.CLOSED
    closed_in: Phase | None = None
    """The phase between two rounds in which the table was closed, while it is; the last round may still be judged."""
    played: Setup | None = None
    """The set-up of the last round, where the table was opened again since: it judges that round until the next."""
    interrupted: Phase | None = None
    """The phase an interruption goes back to."""
    interrupted_at: int = 0
    interrupted_deadline: int = 0
    closing: Closing | None = None

    # people
    seats: dict[int, str] = {}
    purses: dict[str, int] = {}
    owed: dict[str, int] = {}
    missing: dict[int, MissingChip] = {}
    """Chips taken away after the close, by number, until they are collected or written off."""
    missed: int = 0
    """How many there were."""
    unconfirmed: frozenset[str] = frozenset()
    """Whose confirmation is over since they cashed out, left or the table closed: nobody bets for them."""
    absent: frozenset[str] = frozenset()
    acting: dict[str, Role] = {}
    """Who is assigned to which role at this table."""

    corrections: dict[str, int] = {}
    """How often each dealer corrected the card keyed in last."""

    # the shoe
    shoe: ShoeInUse | None = None
    seen: dict[str, int] = {}
    """How often each card has come from this shoe, by its face; a card keyed without its suit is one without."""
    front: tuple[Card | None, ...] = ()
    """Cards that left the shoe before they were due, in order: the next draws are theirs."""
    permitted: tuple[Card | None, ...] = ()
    """With which of them somebody let the next round open."""
    dealt_from: tuple[str, ...] = ()
    """The sets of cards the round is dealt from, by name."""
    old: int = 0
    """How many cards of the round, the first in the order of drawing, are of a set that has been replaced since."""

    # the round
    round: int = 0
    house_deals: bool = False
    """The house announced the round, and no dealer: that holds to its end, also if somebody takes the table over."""
    deadline: int = 0
    not_offered: tuple[str, ...] = ()
    """Bets that cards in front of the shoe had decided before they were placed."""
    orders: int = 0
    stakes: dict[str, Stake] = {}
    handed_back: dict[str, int] = {}
    """What of each stake of the round exceeded the Differential and went back to its owner."""
    at_close: dict[str, Stake] = {}
    """The positions at the close, with chips attested later."""
    plays: dict[str, int] = {}
    """Stakes that do not play in full, since the close."""
    closed_by_card: bool = False
    """A card that was seen while betting was open closed it."""
    advised: frozenset[str] = frozenset()
    took_back: frozenset[str] = frozenset()
    """Who took everything back by an option in this round."""
    drawn: tuple[Drawn, ...] = ()
    as_lying: bool = False
    keyed: int = 0
    """The card that was keyed in last, as long as nothing has followed from it but the result; none: 0."""
    squeezes: dict[int, SqueezeInProgress] = {}
    """Draw index to who asked to squeeze that card."""
    squeeze_left: int | None = None
    """What is left of the time to squeeze, which is one for the round where the house deals; all of it: none."""
    in_hands: bool = False
    """A card of the round went into a player's hands, who may know it before the table does."""
    waiver_asked: str | None = None
    waiver_until: int = 0
    """Where the house deals and somebody has asked in this round, others agree until then."""
    waiver_said: dict[str, bool] = {}
    """Who agreed to it or did not."""
    waived: bool = False
    window: OpenWindow | None = None
    windows_closed: frozenset[Window] = frozenset()
    outcome: Outcome | None = None
    settled: tuple[SettledStake, ...] = ()
    ended: tuple[EndedBet, ...] = ()
    """Not part of the settlement, nor taken back with it; a void takes them back too."""
    unpaid: tuple[int, ...] = ()
    """Boxes that are settled and still to be taken or paid; what the settlement gave to a purse there waits for it."""
    paid: bool = False
    """A box of the round was taken or paid, whether or not that was taken back since."""
    held: dict[str, Stake] = {}
    leaving: frozenset[str] = frozenset()

    # irregularities
    reports: int = 0
    faults: tuple[Reported, ...] = ()
    unfounded: frozenset[str] = frozenset()
    """Whose claims proved unfounded in this round."""
    drawn_together: bool = False
    """Cards came out together in this round, until it is settled or void."""
    replaceable: bool = False
    """The same until the next announcement: the shoe may be replaced for it."""
    question: Question | None = None
    questions: int = 0
    options_due: Cited | None = None
    options_for: tuple[Fault, ...] = ()
    """What the options are due for."""
    options: OpenOptions | None = None

    @property
    def in_round(self) -> bool:
        """Whether a round has begun and is neither void nor settled in every box."""
        return self.reached in IN_ROUND

    @property
    def front_old(self) -> int:
        """How many cards waiting in front of the shoe are of a set that has been replaced."""
        return max(0, self.old - len(self.drawn))

    @property
    def known_first(self) -> dict[int, Rank]:
        """Place in the deal to rank, of the cards in front of the shoe: what everybody knows of a round before it is
        dealt."""
        return {place: card.rank for place, card in enumerate(self.front[:6], start=1) if card is not None}

    @property
    def waits_for_permission(self) -> bool:
        """Whether so many exposed cards lie in front of the shoe that somebody has to let the next round open."""
        return sum(card is not None for card in self.front) > 1 and self.permitted != self.front

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
    def card_known(self) -> bool:
        """Whether a card of the round was seen by everyone, or may be known to whoever squeezed it."""
        return self.in_hands or bool(self.seen_in_order)

    @property
    def squeezed(self) -> dict[int, SqueezeInProgress]:
        """The cards on the table that somebody squeezes."""
        return {
            index: one
            for index, one in self.squeezes.items()
            if one.permitted and index <= len(self.drawn) and self.drawn[index - 1].card is None
        }

    @property
    def in_gap(self) -> bool:
        """Whether the round is settled in every box, or decided, and the next not yet announced."""
        return self.reached in GAP

    @property
    def is_posted(self) -> bool:
        """Whether the settlement is in the books: while the dealer takes and pays, and in the gap after it."""
        return self.reached is Phase.PAYING or self.in_gap

    @property
    def has_paid(self) -> bool:
        """Whether the first box has been taken or paid, and not yet the last."""
        return self.reached is Phase.PAYING and any(one.box not in self.unpaid for one in self.settled)

    def unpaid_of(self, person: str) -> tuple[SettledStake, ...]:
        """What became of the person's stakes in boxes that are still to be taken or paid."""
        return tuple(one for one in self.settled if one.owner == person and one.box in self.unpaid)

    def withheld(self, person: str) -> int:
        """How much of the purse waits until its box is taken or paid."""
        return sum(one.back for one in self.unpaid_of(person))

    @property
    def reached(self) -> Phase:
        """Where the round is, whatever interrupts it, and whether or not the table has been closed since."""
        phase = self.interrupted if self.interrupted is not None else self.phase
        return self.closed_in if phase is Phase.CLOSED and self.closed_in is not None else phase

    @property
    def plays_under(self) -> Setup | None:
        """The set-up of the round that runs, or of the one to come."""
        return self.played if self.played is not None and self.in_round else self.setup

    @property
    def in_play(self) -> int:
        """The chips on the layout: stakes of the round, or what is held since a tie."""
        return sum(stake.amount for stake in (self.held if self.is_posted else self.stakes).values())

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
