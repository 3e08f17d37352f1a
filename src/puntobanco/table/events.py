"""Events: facts, in the past tense. Whatever rules were needed to make them is already in them; evolving calls none.

Every event carries who caused it, in which acting role and when, and the ruleset and paragraph where one applies.
Stored events are never changed: a new need is a new event.
"""

import msgspec
from msgspec.structs import replace

from puntobanco.rules.cards import Card
from puntobanco.rules.outcome import Outcome, Side
from puntobanco.rules.procedures import Action, Window
from puntobanco.rules.settlement import Result
from puntobanco.table.authority import By, Role
from puntobanco.table.commands import Choice, Election, Fault
from puntobanco.table.setup import Setup, Source


class Cited(msgspec.Struct, frozen=True):
    ruleset: str
    paragraph: str


class Event(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    by: By
    rule: Cited | None = None


# ---- the table ---------------------------------------------------------------------------------------------------


class TableOpened(Event, frozen=True):
    setup: Setup


class SetupChanged(Event, frozen=True):
    setup: Setup


class TableClosed(Event, frozen=True):
    pass


class BoughtIn(Event, frozen=True):
    person: str
    amount: int


class CashedOut(Event, frozen=True):
    person: str
    amount: int


class SeatTaken(Event, frozen=True):
    box: int
    person: str


class SeatLeft(Event, frozen=True):
    box: int
    person: str


class WalkedAway(Event, frozen=True):
    """Presence never affects settlement."""

    person: str


class RoleAssigned(Event, frozen=True):
    """From now on the person acts in that role at this table, and in no other."""

    person: str
    role: Role


class RoleRelieved(Event, frozen=True):
    person: str
    role: Role


class ShoeLoaded(Event, frozen=True):
    shoe: str
    decks: int
    cards: int
    shuffled: bool
    source: Source
    commitment: str | None = None
    burned: int = 0


class ShoeWithdrawn(Event, frozen=True):
    reason: str


class CutCardShown(Event, frozen=True):
    pass


# ---- stakes ------------------------------------------------------------------------------------------------------


MOST_RAISES = 64
"""Of one stake, that are told apart: with a further one the last counts as placed then."""


class Stake(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One person's chips on one bet of one box. `raises`: when how much was added later."""

    owner: str
    box: int
    bet: str
    amount: int
    placer: str
    order: int
    raises: tuple[tuple[int, int], ...] = ()

    def at(self, amount: int, order: int) -> "Stake":
        """The stake at another amount: what is added is placed last, what is taken away was placed last."""
        if amount > self.amount:
            kept, added = self.raises, amount - self.amount
            if len(kept) == MOST_RAISES:
                kept, added = kept[:-1], kept[-1][1] + added
            return replace(self, amount=amount, raises=(*kept, (order, added)))
        raises, left = [], amount - (self.amount - sum(added for _, added in self.raises))
        for place, added in self.raises:
            if left > 0:
                raises.append((place, min(added, left)))
            left -= added
        return replace(self, amount=amount, raises=tuple(raises))

    @property
    def placed(self) -> tuple[tuple[int, int], ...]:
        """When how much was placed."""
        first = self.amount - sum(added for _, added in self.raises)
        return ((self.order, first), *self.raises) if first else self.raises

    @property
    def key(self) -> str:
        return stake_key(self.box, self.bet, self.owner)


def stake_key(box: int, bet: str, owner: str) -> str:
    return f"{box}/{bet}/{owner}"


class StakesReturned(Event, frozen=True):
    """Stakes held since a tie go back because no next round of this set-up will have them."""

    round: int
    stakes: tuple[Stake, ...]


class BettingOpened(Event, frozen=True):
    """The round begins; stakes held since a tie go back, or lie for this round if their owners left them."""

    round: int
    deadline: int
    returned: tuple[Stake, ...] = ()
    left_lying: tuple[Stake, ...] = ()
    last_of_shoe: bool = False


class BetsPlaced(Event, frozen=True):
    """Absolute amounts, 0 for a withdrawal; `was` is what lay there before."""

    round: int
    stakes: tuple[Stake, ...]
    was: tuple[int, ...]


class ObjectionRefused(Event, frozen=True):
    round: int
    box: int
    against: str


class ExcessRejected(Event, frozen=True):
    """Stakes as they lie after the excess was handed back; `was` before."""

    round: int
    box: int
    stakes: tuple[Stake, ...]
    was: tuple[int, ...]


class MinimumAdvised(Event, frozen=True):
    round: int
    box: int
    person: str


class BetReturned(Event, frozen=True):
    round: int
    stake: Stake


class CloseAnnounced(Event, frozen=True):
    round: int
    until: int


class Playing(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a stake plays, and by which paragraph if not all of it."""

    key: str
    plays: int
    rule: Cited | None = None


class BettingClosed(Event, frozen=True):
    """The positions at the close, which decide; stakes that do not play in full are listed."""

    round: int
    cut: tuple[Playing, ...] = ()
    under_minimum: tuple[Playing, ...] = ()
    """Stakes below the minimum that nobody noticed: they play in full."""


class BetAttested(Event, frozen=True):
    """Chips that lay there at the close and were keyed in late; `was` of them were already. `cut` is the box anew."""

    round: int
    stake: Stake
    was: int = 0
    cut: tuple[Playing, ...] = ()


class LateBetNoted(Event, frozen=True):
    """Neither placed nor taken away counts: the positions at the close decide."""

    round: int
    person: str
    box: int
    bet: str
    amount: int
    withdrawn: bool


# ---- cards -------------------------------------------------------------------------------------------------------


class CardDrawn(Event, frozen=True):
    """A card left the shoe, or the queue in front of it, for that hand. Its face is another event's."""

    round: int
    index: int
    to: Side
    carried: bool = False
    squeeze_until: int = 0
    """Whoever may squeeze it has until then."""


class CardExposed(Event, frozen=True):
    """`counted`: it was seen, and counted, before it was drawn."""

    round: int
    index: int
    card: Card
    counted: bool = False


class SqueezeRequested(Event, frozen=True):
    round: int
    index: int
    person: str


class SqueezeAnswered(Event, frozen=True):
    round: int
    index: int
    person: str
    permitted: bool


class SqueezeFinished(Event, frozen=True):
    round: int
    index: int


class WaiverRequested(Event, frozen=True):
    round: int
    person: str


class WaiverAnswered(Event, frozen=True):
    round: int
    person: str
    consent: bool


class OfferMade(msgspec.Struct, frozen=True, kw_only=True):
    owner: str
    box: int
    most: int


class InsuranceOpened(Event, frozen=True):
    round: int
    window: Window
    bet: str
    insures: Side
    odds: str
    offers: tuple[OfferMade, ...]
    deadline: int


class InsuranceTaken(Event, frozen=True):
    round: int
    window: Window
    stake: Stake
    was: int


class InsuranceClosed(Event, frozen=True):
    round: int
    window: Window


class InsuranceReturned(Event, frozen=True):
    """Cards were put right and the points of these windows were others: what was staked in them goes back."""

    round: int
    windows: tuple[Window, ...]
    stakes: tuple[Stake, ...]


class HandsCompleted(Event, frozen=True):
    round: int
    outcome: Outcome


class SettledStake(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one stake: `plays` of it played, the rest went back unplayed."""

    owner: str
    box: int
    bet: str
    stake: int
    plays: int
    result: Result
    profit: int
    rule: str
    commission: int = 0
    commission_rule: str | None = None
    unplayed_rule: str | None = None
    pays: str = ""
    held: bool = False
    """An original stake that may be withdrawn after a tie, or left for the next round."""

    @property
    def key(self) -> str:
        return stake_key(self.box, self.bet, self.owner)

    @property
    def back(self) -> int:
        """What the settlement puts into the purse: a held stake stays on the layout, only its unplayed part goes."""
        return self.stake - self.plays if self.held else self.stake + self.profit


class RoundSettled(Event, frozen=True):
    round: int
    outcome: Outcome
    stakes: tuple[SettledStake, ...]


class TieChoiceMade(Event, frozen=True):
    round: int
    stake: Stake
    leave: bool


# ---- irregularities ----------------------------------------------------------------------------------------------


class Reported(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An irregularity as it was reported, and when in the round it was seen."""

    number: int
    fault: Fault
    round: int
    seen_in: str
    cards: tuple[Card | None, ...] = ()
    index: int | None = None
    lies: dict[int, Side] = {}
    to_person: bool = False
    order_known: bool = False
    note: str = ""
    brought_out: bool = False
    """The report itself put its cards in front of the shoe."""
    established: bool = False
    """Whether an outcome was established when it was noticed."""
    claimed_by: str = ""
    """The player who says so; empty when somebody of the House, or the machine, has seen it."""
    since: int = 0
    """When the house was last there, if it was away: no clock runs for anybody meanwhile."""


class IrregularityReported(Event, frozen=True):
    report: Reported


class CardsOutOfTurn(Event, frozen=True):
    """Cards that left the shoe, or were seen in its mouth, without being due: next in the order of drawing."""

    round: int
    cards: tuple[Card | None, ...]


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody of that rank has to decide before play goes on."""

    number: int
    fault: Fault
    report: int
    action: Action
    asked_of: Role
    choices: tuple[Choice, ...]
    rule: Cited | None = None


class QuestionPut(Event, frozen=True):
    question: Question


class QuestionWithdrawn(Event, frozen=True):
    """Something that comes first was reported; the question is put again if it still matters."""

    question: int


class Ruled(Event, frozen=True):
    question: int
    choice: Choice
    reason: str = ""


class CardsReconstructed(Event, frozen=True):
    """The cards back in their intended order: to whom each belongs, and which belong to no hand of this round yet."""

    round: int
    cards: tuple[Card | None, ...]
    sides: tuple[Side, ...]
    spare: tuple[Card | None, ...] = ()
    as_lying: bool = False
    waived: bool = False


class CardsLeftLying(Event, frozen=True):
    """The cards cannot be put back in order and stay as they lie."""

    round: int
    sides: tuple[Side, ...]


class FaultClosed(Event, frozen=True):
    """What the rules make of the fault; the paragraph is the event's."""

    round: int
    report: int
    fault: Fault
    grants_options: bool = False
    logged_only: bool = False
    put_back: tuple[Card | None, ...] = ()
    """Cards the report had brought out, which never left the shoe."""
    unfounded_claim: str = ""
    """The player whose claim it was: for the rest of the round his claims are noted and stop nothing."""


class CardsSetAside(Event, frozen=True):
    """Cards that left the shoe and are out of play by decision of the House."""

    round: int
    cards: tuple[Card | None, ...]


class OptionsOffered(Event, frozen=True):
    round: int
    question: int
    people: tuple[str, ...]
    continues_by: Cited
    returns_by: Cited
    deadline: int
    result_known: bool = False


class Elected(Event, frozen=True):
    question: int
    person: str
    election: Election


class OptionsClosed(Event, frozen=True):
    """Silence went on; those who chose so have everything they staked in the round back."""

    round: int
    question: int
    silent: tuple[str, ...]
    returned: tuple[Stake, ...]


class RoundSuspended(Event, frozen=True):
    round: int
    cause: str


class RoundResumed(Event, frozen=True):
    """Play goes on; `to` is the phase it goes on in."""

    round: int
    to: str
    deadline: int = 0


class RoundVoided(Event, frozen=True):
    round: int
    cause: Fault
    refunds: tuple[Stake, ...]
    refunded_by: Cited | None = None


class RoundEndedWithoutBets(Event, frozen=True):
    round: int


class SettlementReversed(Event, frozen=True):
    """What a settlement paid is taken back; `owed` is what purses no longer hold."""

    round: int
    stakes: tuple[SettledStake, ...]
    owed: dict[str, int] = {}


class DebtSetOff(Event, frozen=True):
    """What came to the purse of somebody who owes went against the debt."""

    person: str
    amount: int


class CardsCarriedOver(Event, frozen=True):
    """Spare cards wait in front of the shoe: the first is the next round's first card."""

    round: int
    cards: tuple[Card | None, ...]


class CarryOverDiscarded(Event, frozen=True):
    """Cards waiting in front of the shoe go to the discards: all, or the first so many."""

    many: int | None = None


class DisplayCorrected(Event, frozen=True):
    round: int
    shown: str
    correct: str


class AlertRaised(Event, frozen=True):
    kind: str
    to: Role


class HouseDecided(Event, frozen=True):
    """A decision on something the document does not provide for."""

    round: int
    decision: str
    reason: str


AnyEvent = (
    TableOpened | SetupChanged | TableClosed | StakesReturned | BoughtIn | CashedOut | SeatTaken | SeatLeft
    | WalkedAway | RoleAssigned | RoleRelieved | ShoeLoaded | ShoeWithdrawn | CutCardShown | BettingOpened | BetsPlaced
    | ObjectionRefused | ExcessRejected | MinimumAdvised | BetReturned | CloseAnnounced | BettingClosed | BetAttested
    | LateBetNoted | CardDrawn | CardExposed | SqueezeRequested | SqueezeAnswered | SqueezeFinished | WaiverRequested
    | WaiverAnswered | InsuranceOpened | InsuranceTaken | InsuranceClosed | InsuranceReturned | HandsCompleted
    | RoundSettled | TieChoiceMade | IrregularityReported | CardsOutOfTurn | CardsSetAside | QuestionPut
    | QuestionWithdrawn | Ruled | CardsReconstructed | CardsLeftLying | FaultClosed | OptionsOffered | Elected
    | OptionsClosed | RoundSuspended | RoundResumed | RoundVoided | RoundEndedWithoutBets | SettlementReversed
    | DebtSetOff | CardsCarriedOver | CarryOverDiscarded | DisplayCorrected | AlertRaised | HouseDecided
)  # fmt: skip
