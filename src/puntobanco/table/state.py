"""The state of a table: the result of all events so far. It contains no card that has not left the shoe."""

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
    """The phase of a table. The last three interrupt a round, which then returns to its earlier phase."""

    CLOSED = "closed"
    IDLE = "idle"
    BETTING = "betting"
    CLOSING = "closing"
    DEALING = "dealing"
    INSURANCE = "insurance"
    RESULT = "result"
    PAYING = "paying"
    """The round is settled in the books. The dealer takes and pays box by box, and the last box ends the round."""
    SETTLED = "settled"
    VOIDED = "voided"
    WITHOUT_BETS = "without_bets"
    """Everyone took their bets back, or nobody had bet. The round is neither settled nor void."""
    DECIDED = "decided"
    """The House decided the bets because the round could not be played out."""
    SUSPENDED = "suspended"
    DECISION = "decision"
    OPTIONS = "options"


IN_ROUND = frozenset({Phase.BETTING, Phase.CLOSING, Phase.DEALING, Phase.INSURANCE, Phase.RESULT, Phase.PAYING})
"""The phases in which a round runs without interruption."""

GAP = frozenset({Phase.SETTLED, Phase.DECIDED})
"""Phases in which bets have been paid and a reversal is still possible."""

BETWEEN_ROUNDS = GAP | {Phase.IDLE, Phase.VOIDED, Phase.WITHOUT_BETS}


class ShoeInUse(msgspec.Struct, frozen=True, kw_only=True):
    """The set of cards in use."""

    name: str
    """The name of the set of cards."""
    decks: int
    left: int
    """How many cards are left in the shoe."""
    shuffled: bool
    in_service: bool = True
    """Whether cards may be dealt from it."""
    last_round: bool = False
    """The cut card has shown: the next round is the last."""
    finished: bool = False
    """The last round of the shoe has begun."""
    loaded: int = 0
    """The version of the event that loaded the shoe, which holds the commitment to an electronic order."""
    sealed: bool = False
    """The order was committed to before the first bet, so only the house names its cards."""
    unproven: bool = False
    """The order did not match the commitment. No shoe is loaded until the pit confirms the withdrawal."""


class Drawn(msgspec.Struct, frozen=True, gc=False):
    """A card of the round and the hand it belongs to, or lies with. No `card` while it lies face down."""

    side: Side
    card: Card | None = None


class SqueezeInProgress(msgspec.Struct, frozen=True, kw_only=True):
    """A squeeze of one card."""

    person: str
    """The player who asked for it."""
    permitted: bool = False
    """Whether the squeeze is permitted; false while the request has no answer."""
    deadline: int = 0
    recorded: bool = False
    """A Pit Employee recorded the request, and also records the end of the squeeze."""


class OpenWindow(msgspec.Struct, frozen=True, kw_only=True):
    """An open insurance window."""

    window: Window
    bet: str
    insures: Side
    odds: str
    offers: tuple[OfferMade, ...]
    deadline: int
    answered: frozenset[str] = frozenset()
    """The offers that were taken or declined, each by its box and owner, as in `1/ann`."""

    @property
    def is_answered(self) -> bool:
        """Whether nobody's answer is awaited any more."""
        return all(offer.key in self.answered for offer in self.offers)


class OpenOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Open options: each of these players chooses to continue or to take their bets back."""

    question: int
    people: tuple[str, ...]
    elections: dict[str, Election]
    """What each player has chosen so far."""
    own: frozenset[str] = frozenset()
    """The people who chose in person. Staff cannot change their choice."""
    returns_by: Cited
    deadline: int
    faults: tuple[Fault, ...] = ()
    """The faults that granted the options."""


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    """Notice of closing, given in or after `round`. The table closes after a later round, or at `until`."""

    round: int
    until: int
    reason: str


class MissingChip(msgspec.Struct, frozen=True, kw_only=True):
    """A chip that was taken away after the close.

    The bet was debited when it was placed and is settled as it lay, so the dealer collects the chip itself.
    """

    round: int
    """The number of the round of the bet."""
    person: str
    box: int
    bet: str
    amount: int


class EndedBet(msgspec.Struct, frozen=True, kw_only=True):
    """A bet that a decision of the House ended before the settlement: the stake as it lay, and its settlement."""

    stake: Stake
    settled: SettledStake


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    version: int = 0
    setup: Setup | None = None
    phase: Phase = Phase.CLOSED
    closed_in: Phase | None = None
    """The phase in which the table was closed, while it is closed. Reports about the last round can still change it."""
    played: Setup | None = None
    """The set-up of the last round, if the table was opened again since. It judges that round until the next begins."""
    interrupted: Phase | None = None
    """The phase to which an interrupted round returns."""
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
    """How many chips have been missing so far."""
    unconfirmed: frozenset[str] = frozenset()
    """People whose confirmation ended because they cashed out, left, or the table closed. Nobody may bet for them."""
    absent: frozenset[str] = frozenset()
    acting: dict[str, Role] = {}
    """The role that each assigned person has at this table."""

    corrections: dict[str, int] = {}
    """How often each dealer corrected the card keyed in last."""

    # the shoe
    shoe: ShoeInUse | None = None
    seen: dict[str, int] = {}
    """How often each card has come from this shoe, by face. A card keyed without its suit is counted without suit."""
    front: tuple[Card | None, ...] = ()
    """Cards that left the shoe before they were due, in order. The next draws take them."""
    permitted: tuple[Card | None, ...] = ()
    """The exposed cards with which somebody let the next round open."""
    dealt_from: tuple[str, ...] = ()
    """The names of the sets of cards that the round is dealt from."""
    old: int = 0
    """How many cards of the round, first in the order of drawing, are from a set that has been replaced since."""

    # the round
    round: int = 0
    house_deals: bool = False
    """The house announced the round, not a dealer. This holds to the end of the round, even if somebody takes the table
    over."""
    deadline: int = 0
    not_offered: tuple[str, ...] = ()
    """Bets that the cards in front of the shoe had decided before anyone could place them."""
    orders: int = 0
    stakes: dict[str, Stake] = {}
    handed_back: dict[str, int] = {}
    """By stake: the amount over the Differential that went back to its owner in this round."""
    at_close: dict[str, Stake] = {}
    """The positions at the close, including bets attested later."""
    plays: dict[str, int] = {}
    """What plays of the stakes that do not play in full, since the close."""
    closed_by_card: bool = False
    """A card that was seen while betting was open closed it."""
    advised: frozenset[str] = frozenset()
    took_back: frozenset[str] = frozenset()
    """The people who took all their bets back by an option in this round."""
    drawn: tuple[Drawn, ...] = ()
    as_lying: bool = False
    keyed: int = 0
    """The index of the card keyed in last, while nothing but the result has followed from it; otherwise 0."""
    squeezes: dict[int, SqueezeInProgress] = {}
    """Draw index to the squeeze that was requested for that card."""
    squeeze_left: int | None = None
    """Where the house deals: the rest of the time to squeeze, which all cards of the round share. None: all of it."""
    in_hands: bool = False
    """A player has held a card of the round, and may know it before the table does."""
    waiver_asked: str | None = None
    waiver_until: int = 0
    """Where the house deals and somebody asked for a waiver in this round: the deadline for others to agree."""
    waiver_said: dict[str, bool] = {}
    """Who agreed to the waiver, and who did not."""
    waived: bool = False
    window: OpenWindow | None = None
    windows_closed: frozenset[Window] = frozenset()
    outcome: Outcome | None = None
    settled: tuple[SettledStake, ...] = ()
    ended: tuple[EndedBet, ...] = ()
    """Bets ended before the settlement. A reversal of the settlement leaves them as they are; a void takes them back
    too."""
    unpaid: tuple[int, ...] = ()
    """Settled boxes that the dealer has not taken or paid yet. Owners cannot take out what the settlement paid
    there."""
    paid: bool = False
    """A box of the round was taken or paid, even if that was reversed since."""
    held: dict[str, Stake] = {}
    leaving: frozenset[str] = frozenset()

    # irregularities
    reports: int = 0
    faults: tuple[Reported, ...] = ()
    unfounded: frozenset[str] = frozenset()
    """The people whose claims proved unfounded in this round."""
    drawn_together: bool = False
    """Cards came out of the shoe together in this round. Reset when the round is settled or void."""
    replaceable: bool = False
    """Like `drawn_together`, but kept until the next round is announced: the shoe may be replaced."""
    question: Question | None = None
    questions: int = 0
    options_due: Cited | None = None
    options_for: tuple[Fault, ...] = ()
    """The faults that grant the options that are due."""
    options: OpenOptions | None = None

    @property
    def in_round(self) -> bool:
        """Whether a round has begun and is neither void nor settled in every box."""
        return self.reached in IN_ROUND

    @property
    def front_old(self) -> int:
        """How many cards that wait in front of the shoe are from a set that has been replaced."""
        return max(0, self.old - len(self.drawn))

    @property
    def known_first(self) -> dict[int, Rank]:
        """Place in the deal to rank, for the cards in front of the shoe: what everybody knows before the round is
        dealt."""
        return {place: card.rank for place, card in enumerate(self.front[:6], start=1) if card is not None}

    @property
    def waits_for_permission(self) -> bool:
        """Whether several exposed cards lie in front of the shoe, so that somebody must let the next round open."""
        return sum(card is not None for card in self.front) > 1 and self.permitted != self.front

    @property
    def coup(self) -> Coup | None:
        """The hands that the cards make so far; none while a card lies face down."""
        drawn = lying_order(self) if self.as_lying else self.drawn
        known = tuple(one.card for one in drawn if one.card is not None)
        return Coup(known) if len(known) == len(drawn) else None

    @property
    def faces(self) -> tuple[Card | None, ...]:
        """The cards on the table and those that left the shoe early, in draw order; None for a hidden face."""
        return (*(one.card for one in self.drawn), *self.front)

    @property
    def seen_in_order(self) -> dict[int, Rank]:
        """Place in the deal to rank, for the cards that everyone can see: those on the table and those that left the
        shoe early. Cards left as they lie take the places of the hands they lie with."""
        faces = self.faces
        places = list(range(1, len(faces) + 1))
        if self.as_lying:
            own = {Side.PLAYER: [1, 3, 5], Side.BANKER: [2, 4, 6]}
            stands = len([one for one in self.drawn if one.side is Side.PLAYER]) == 2
            own[Side.BANKER][2] = 5 if stands else 6
            places = [own[one.side].pop(0) for one in self.drawn] + places[len(self.drawn) :]
        return {place: card.rank for place, card in zip(places, faces, strict=True) if card is not None and place <= 6}

    @property
    def card_known(self) -> bool:
        """Whether everyone has seen a card of the round, or a player who squeezed one may know it."""
        return self.in_hands or bool(self.seen_in_order)

    @property
    def squeezed(self) -> dict[int, SqueezeInProgress]:
        """The cards on the table that somebody is squeezing."""
        return {
            index: one
            for index, one in self.squeezes.items()
            if one.permitted and index <= len(self.drawn) and self.drawn[index - 1].card is None
        }

    @property
    def in_gap(self) -> bool:
        """Whether the round is settled in every box, or decided, and the next is not announced yet."""
        return self.reached in GAP

    @property
    def is_posted(self) -> bool:
        """Whether the settlement is in the books: while the dealer takes and pays, and in the gap after it."""
        return self.reached is Phase.PAYING or self.in_gap

    @property
    def has_paid(self) -> bool:
        """Whether the dealer has taken or paid the first box, but not the last."""
        return self.reached is Phase.PAYING and any(one.box not in self.unpaid for one in self.settled)

    def unpaid_of(self, person: str) -> tuple[SettledStake, ...]:
        """The settlements of the person's stakes in boxes that are still to be taken or paid."""
        return tuple(one for one in self.settled if one.owner == person and one.box in self.unpaid)

    def withheld(self, person: str) -> int:
        """How much of the purse cannot be taken out until its box is taken or paid."""
        return sum(one.back for one in self.unpaid_of(person))

    @property
    def reached(self) -> Phase:
        """The phase of the round, ignoring any interruption and whether the table has been closed since."""
        phase = self.interrupted if self.interrupted is not None else self.phase
        return self.closed_in if phase is Phase.CLOSED and self.closed_in is not None else phase

    @property
    def plays_under(self) -> Setup | None:
        """The set-up of the current round, or of the next one."""
        return self.played if self.played is not None and self.in_round else self.setup

    @property
    def in_play(self) -> int:
        """The chips on the layout: the stakes of the round, or those held since a tie."""
        return sum(stake.amount for stake in (self.held if self.is_posted else self.stakes).values())

    def stakes_of(self, person: str) -> tuple[Stake, ...]:
        return tuple(stake for stake in self.stakes.values() if stake.owner == person)

    @property
    def bettors(self) -> tuple[str, ...]:
        """Everyone with a stake in the round, in the order of their first bets."""
        return tuple(dict.fromkeys(stake.owner for stake in self.stakes.values()))

    def playing(self, key: str) -> int:
        """How much of the stake plays."""
        return self.plays.get(key, self.stakes[key].amount)


def lying_order(state: State, sides: tuple[Side, ...] | None = None) -> tuple[Drawn, ...]:
    """The cards in the order that would have dealt them to the hands they lie with. Each hand keeps its own order."""
    drawn = [
        replace(one, side=side)
        for one, side in zip(state.drawn, sides or [one.side for one in state.drawn], strict=True)
    ]
    player, banker = ([one for one in drawn if one.side is side] for side in Side)
    first = [one for pair in zip(player[:2], banker[:2], strict=False) for one in pair]
    left = player[len(banker[:2]) : 2] + banker[len(player[:2]) : 2]
    return (*first, *left, *player[2:], *banker[2:])
