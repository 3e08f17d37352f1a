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
from puntobanco.table.commands import BetTerms, Choice, ClosingCause, Election, Fault, Tender, Terms
from puntobanco.table.setup import Setup, Source


class Cited(msgspec.Struct, frozen=True, gc=False):
    ruleset: str
    paragraph: str


class Event(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    by: By
    rule: Cited | None = None


# ---- the table ---------------------------------------------------------------------------------------------------


class TableOpened(Event, frozen=True, tag="TableOpened"):
    setup: Setup


class SetupChanged(Event, frozen=True, tag="SetupChanged"):
    setup: Setup


class ClosingAnnounced(Event, frozen=True, tag="ClosingAnnounced"):
    """The table closes after a further round, or from that moment on."""

    reason: str
    until: int


class TableClosed(Event, frozen=True, tag="TableClosed"):
    """`cause`: why it closed without notice to those who had a seat or money there."""

    cause: ClosingCause | None = None
    reason: str = ""
    hears: bool = False
    """Reports about the last round and its set of cards are heard while the table is closed."""


class TableTakenOver(Event, frozen=True, tag="TableTakenOver"):
    """Another process of the house goes on with the round. The milliseconds nobody had the table are nobody's time."""

    round: int
    away: int


class BoughtIn(Event, frozen=True, tag="BoughtIn"):
    """`by.confirmed` says how the guest confirmed it, unless it was their own doing."""

    person: str
    amount: int
    back: bool = False
    """The guest had walked away and is there again."""


class CashedOut(Event, frozen=True, tag="CashedOut"):
    person: str
    amount: int


class GuestBoughtIn(Event, frozen=True, tag="GuestBoughtIn"):
    """A guest without an account: cash goes to the drop and chips come from the float, or the guest brings chips."""

    person: str
    amount: int
    tender: Tender
    back: bool = False


class GuestLeft(Event, frozen=True, tag="GuestLeft"):
    """A guest without an account left with what the purse held, in chips."""

    person: str
    amount: int


class SeatTaken(Event, frozen=True, tag="SeatTaken"):
    box: int
    person: str


class SeatLeft(Event, frozen=True, tag="SeatLeft"):
    box: int
    person: str


class WalkedAway(Event, frozen=True, tag="WalkedAway"):
    """Presence never affects settlement."""

    person: str


class RoleAssigned(Event, frozen=True, tag="RoleAssigned"):
    """From now on the person acts in that role at this table, and in no other."""

    person: str
    role: Role


class RoleRelieved(Event, frozen=True, tag="RoleRelieved"):
    person: str
    role: Role


class ShoeLoaded(Event, frozen=True, tag="ShoeLoaded"):
    shoe: str
    decks: int
    cards: int
    shuffled: bool
    source: Source
    commitment: str | None = None
    burned: int = 0


class ShoeWithdrawn(Event, frozen=True, tag="ShoeWithdrawn"):
    reason: str
    unproven: bool = False
    """The house itself took it out of service, since its order did not match its commitment."""


class SetWithdrawn(Event, frozen=True, tag="SetWithdrawn"):
    """A set of cards that is not in use left service; the one in the shoe stays."""

    shoe: str
    reason: str


class CutCardShown(Event, frozen=True, tag="CutCardShown"):
    pass


# ---- stakes ------------------------------------------------------------------------------------------------------


MOST_RAISES = 64
"""Of one stake, that are told apart: with a further one the last counts as placed then."""


class Stake(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
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
        return f"{self.box}/{self.bet}/{self.owner}"


def stake_key(box: int, bet: str, owner: str) -> str:
    return f"{box}/{bet}/{owner}"


class StakesReturned(Event, frozen=True, tag="StakesReturned"):
    """Stakes held since a tie go back because no next round of this set-up will have them."""

    round: int
    stakes: tuple[Stake, ...]


class OpeningPermitted(Event, frozen=True, tag="OpeningPermitted"):
    """The next round may open although these cards lie exposed in front of the shoe."""

    cards: tuple[Card | None, ...]


class BettingOpened(Event, frozen=True, tag="BettingOpened"):
    """The round begins; stakes held since a tie go back, or lie for this round if their owners left them."""

    round: int
    deadline: int
    returned: tuple[Stake, ...] = ()
    left_lying: tuple[Stake, ...] = ()
    last_of_shoe: bool = False
    not_offered: tuple[str, ...] = ()
    """Bets that the cards in front of the shoe have decided."""
    overlay: str = ""
    """The fingerprint of the overlay the round is played under, if the table carries one."""


class BetsPlaced(Event, frozen=True, tag="BetsPlaced"):
    """Absolute amounts, 0 for a withdrawal; `was` is what lay there before."""

    round: int
    stakes: tuple[Stake, ...]
    was: tuple[int, ...]


class ObjectionRefused(Event, frozen=True, tag="ObjectionRefused"):
    round: int
    box: int
    against: str


class ExcessRejected(Event, frozen=True, tag="ExcessRejected"):
    """Stakes as they lie after the excess was handed back; `was` before."""

    round: int
    box: int
    stakes: tuple[Stake, ...]
    was: tuple[int, ...]
    gives_way_to: str = ""
    """The seated player whose bet has the priority, where the house deals: it is handed back as that is placed."""


class MinimumAdvised(Event, frozen=True, tag="MinimumAdvised"):
    round: int
    box: int
    person: str


class BetReturned(Event, frozen=True, tag="BetReturned"):
    round: int
    stake: Stake


class CloseAnnounced(Event, frozen=True, tag="CloseAnnounced"):
    round: int
    until: int


class Playing(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a stake plays, and by which paragraph if not all of it."""

    key: str
    plays: int
    rule: Cited | None = None


class BettingClosed(Event, frozen=True, tag="BettingClosed"):
    """The positions at the close, which decide; stakes that do not play in full are listed."""

    round: int
    cut: tuple[Playing, ...] = ()
    under_minimum: tuple[Playing, ...] = ()
    """Stakes below the minimum that nobody noticed: they play in full."""
    by_card: bool = False
    """A card was seen while betting was open, and that is the close."""


class BetAttested(Event, frozen=True, tag="BetAttested"):
    """Chips that lay there at the close and were keyed in late; `was` of them were already. `cut` is the box anew."""

    round: int
    stake: Stake
    was: int = 0
    cut: tuple[Playing, ...] = ()


class LateBetNoted(Event, frozen=True, tag="LateBetNoted"):
    """Neither placed nor taken away counts: the positions at the close decide.

    `missing`: the number of the chip that is to be collected.
    """

    round: int
    person: str
    box: int
    bet: str
    amount: int
    withdrawn: bool
    missing: int = 0


class ChipCollected(Event, frozen=True, tag="ChipCollected"):
    """A chip that was taken away after the close is back; `round`: whose bet it was."""

    round: int
    missing: int


class ChipWrittenOff(Event, frozen=True, tag="ChipWrittenOff"):
    """A chip that was taken away after the close is given up."""

    round: int
    missing: int
    reason: str


# ---- cards -------------------------------------------------------------------------------------------------------


class CardDrawn(Event, frozen=True, tag="CardDrawn"):
    """A card left the shoe, or the queue in front of it, for that hand. Its face is another event's."""

    round: int
    index: int
    to: Side
    carried: bool = False
    squeeze_until: int = 0
    """Whoever may squeeze it has until then."""


class CardExposed(Event, frozen=True, tag="CardExposed"):
    """`counted`: it was seen, and counted, before it was drawn."""

    round: int
    index: int
    card: Card
    counted: bool = False


class CardCorrected(Event, frozen=True, tag="CardCorrected"):
    """The card keyed in last was another."""

    round: int
    index: int
    was: Card
    card: Card


class SqueezeRequested(Event, frozen=True, tag="SqueezeRequested"):
    round: int
    index: int
    person: str


class SqueezeAnswered(Event, frozen=True, tag="SqueezeAnswered"):
    round: int
    index: int
    person: str
    permitted: bool


class SqueezeFinished(Event, frozen=True, tag="SqueezeFinished"):
    round: int
    index: int


class WaiverRequested(Event, frozen=True, tag="WaiverRequested"):
    round: int
    person: str
    until: int = 0
    """Where the house deals, whoever could insure agrees until then, or it is refused."""


class WaiverAgreed(Event, frozen=True, tag="WaiverAgreed"):
    """Or not: what one of those who could insure says of it."""

    round: int
    person: str
    agrees: bool


class WaiverAnswered(Event, frozen=True, tag="WaiverAnswered"):
    round: int
    person: str
    consent: bool


def offer_key(owner: str, box: int) -> str:
    return f"{box}/{owner}"


class OfferMade(msgspec.Struct, frozen=True, kw_only=True):
    owner: str
    box: int
    most: int

    @property
    def key(self) -> str:
        return offer_key(self.owner, self.box)


class InsuranceOpened(Event, frozen=True, tag="InsuranceOpened"):
    round: int
    window: Window
    bet: str
    insures: Side
    odds: str
    offers: tuple[OfferMade, ...]
    deadline: int


class InsuranceTaken(Event, frozen=True, tag="InsuranceTaken"):
    round: int
    window: Window
    stake: Stake
    was: int


class InsuranceDeclined(Event, frozen=True, tag="InsuranceDeclined"):
    """The player does not insure that box in the window."""

    round: int
    window: Window
    person: str
    box: int


class InsuranceClosed(Event, frozen=True, tag="InsuranceClosed"):
    round: int
    window: Window


class InsuranceReturned(Event, frozen=True, tag="InsuranceReturned"):
    """Cards were put right and the points of these windows were others: what was staked in them goes back."""

    round: int
    windows: tuple[Window, ...]
    stakes: tuple[Stake, ...]


class HandsCompleted(Event, frozen=True, tag="HandsCompleted"):
    round: int
    outcome: Outcome


class SettledStake(msgspec.Struct, frozen=True, gc=False, kw_only=True):
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


class RoundSettled(Event, frozen=True, tag="RoundSettled"):
    """`boxes`: those the dealer then takes and pays one by one; with none the round has ended."""

    round: int
    outcome: Outcome
    stakes: tuple[SettledStake, ...]
    boxes: tuple[int, ...] = ()


class BoxesConfirmed(Event, frozen=True, tag="BoxesConfirmed"):
    """What lay there is taken or paid; with the last box the round has ended."""

    round: int
    boxes: tuple[int, ...]


class TieChoiceMade(Event, frozen=True, tag="TieChoiceMade"):
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
    paid: bool = False
    """Whether the first box of the round had been taken or paid by then."""
    claimed_by: str = ""
    """The player who says so; empty when somebody of the House, or the machine, has seen it."""
    since: int = 0
    """When the house was last there, if it was away: no clock runs for anybody meanwhile."""
    shoe: str = ""
    """The set of cards it is about, where it was named: otherwise the one in use."""


class IrregularityReported(Event, frozen=True, tag="IrregularityReported"):
    report: Reported


class CardsOutOfTurn(Event, frozen=True, tag="CardsOutOfTurn"):
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


class QuestionPut(Event, frozen=True, tag="QuestionPut"):
    question: Question


class QuestionWithdrawn(Event, frozen=True, tag="QuestionWithdrawn"):
    """Something that comes first was reported; the question is put again if it still matters."""

    question: int


class Ruled(Event, frozen=True, tag="Ruled"):
    question: int
    choice: Choice
    reason: str = ""


class CardsReconstructed(Event, frozen=True, tag="CardsReconstructed"):
    """The cards back in their intended order: to whom each belongs, and which belong to no hand of this round yet."""

    round: int
    cards: tuple[Card | None, ...]
    sides: tuple[Side, ...]
    spare: tuple[Card | None, ...] = ()
    as_lying: bool = False
    waived: bool = False


class CardsLeftLying(Event, frozen=True, tag="CardsLeftLying"):
    """The cards cannot be put back in order and stay as they lie."""

    round: int
    sides: tuple[Side, ...]


class FaultClosed(Event, frozen=True, tag="FaultClosed"):
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


class CardsSetAside(Event, frozen=True, tag="CardsSetAside"):
    """Cards that left the shoe and are out of play by decision of the House."""

    round: int
    cards: tuple[Card | None, ...]


class OptionsOffered(Event, frozen=True, tag="OptionsOffered"):
    round: int
    question: int
    people: tuple[str, ...]
    continues_by: Cited
    returns_by: Cited
    deadline: int
    result_known: bool = False


class Elected(Event, frozen=True, tag="Elected"):
    """`present`: whoever recorded it says that the player was there and said so."""

    question: int
    person: str
    election: Election
    present: bool = False


class OptionsClosed(Event, frozen=True, tag="OptionsClosed"):
    """Silence went on; those who chose so have everything they staked in the round back."""

    round: int
    question: int
    silent: tuple[str, ...]
    returned: tuple[Stake, ...]


class RoundSuspended(Event, frozen=True, tag="RoundSuspended"):
    round: int
    cause: str


class RoundResumed(Event, frozen=True, tag="RoundResumed"):
    """Play goes on; `to` is the phase it goes on in."""

    round: int
    to: str
    deadline: int = 0


class RoundVoided(Event, frozen=True, tag="RoundVoided"):
    """Every bet of the round goes back. `taken_back`: what bets got that a decision had ended before the settlement;
    `owed` is what purses no longer hold of it."""

    round: int
    cause: Fault
    refunds: tuple[Stake, ...]
    refunded_by: Cited | None = None
    taken_back: tuple[SettledStake, ...] = ()
    owed: dict[str, int] = {}


class RoundEndedWithoutBets(Event, frozen=True, tag="RoundEndedWithoutBets"):
    round: int


class RoundDecided(Event, frozen=True, tag="RoundDecided"):
    """A round that could not be played out ended by decision of the House: what became of each stake, and the bets that
    the decision named. It is neither settled nor void."""

    round: int
    stakes: tuple[SettledStake, ...]
    named: tuple[BetTerms, ...] = ()


class SettlementReversed(Event, frozen=True, tag="SettlementReversed"):
    """What a settlement paid is taken back; `owed` is what purses no longer hold."""

    round: int
    stakes: tuple[SettledStake, ...]
    owed: dict[str, int] = {}


class DebtSetOff(Event, frozen=True, tag="DebtSetOff"):
    """What came to the purse of somebody who owes went against the debt."""

    person: str
    amount: int


class CardsCarriedOver(Event, frozen=True, tag="CardsCarriedOver"):
    """Spare cards wait in front of the shoe: the first is the next round's first card."""

    round: int
    cards: tuple[Card | None, ...]


class CarryOverDiscarded(Event, frozen=True, tag="CarryOverDiscarded"):
    """Cards waiting in front of the shoe go to the discards: all, or the first so many."""

    many: int | None = None


class DisplayCorrected(Event, frozen=True, tag="DisplayCorrected"):
    round: int
    shown: str
    correct: str


class AlertRaised(Event, frozen=True, tag="AlertRaised"):
    kind: str
    to: Role
    worth: dict[str, int] = {}
    """Of bets on cards in sight: the average gain on a stake, in millionths of it; empty if nobody could say."""


class HouseDecided(Event, frozen=True, tag="HouseDecided"):
    """A decision on something the document does not provide for."""

    round: int
    decision: str
    reason: str


class DecidedBet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A bet that a decision named. `stake`: it plays on at that stake, with `laid` on the layout before; `settled`:
    what became of it instead, at once or in place of what `was` its settlement. With neither, something may be paid."""

    terms: BetTerms
    stake: Stake | None = None
    laid: int = 0
    settled: SettledStake | None = None
    was: SettledStake | None = None

    @property
    def key(self) -> str:
        return stake_key(self.terms.box, self.terms.bet, self.terms.owner)

    @property
    def gets(self) -> int:
        """What comes into the purse by it, or has to come from it."""
        if self.stake is not None:
            return self.laid - self.stake.amount
        if self.settled is None:
            return self.terms.amount if self.terms.terms is Terms.PAY else 0
        return self.settled.back if self.was is None else _gained(self.settled) - _gained(self.was)


def _gained(settled: SettledStake) -> int:
    return settled.back - settled.stake


class BetsDecided(Event, frozen=True, tag="BetsDecided"):
    """What the House made of single bets; `owed`: what purses did not hold."""

    round: int
    bets: tuple[DecidedBet, ...]
    owed: dict[str, int] = {}


AnyEvent = (
    TableOpened | SetupChanged | ClosingAnnounced | TableClosed | TableTakenOver
    | StakesReturned | BoughtIn | CashedOut | GuestBoughtIn
    | GuestLeft | SeatTaken | SeatLeft | WalkedAway
    | RoleAssigned | RoleRelieved | ShoeLoaded | ShoeWithdrawn | SetWithdrawn | CutCardShown | OpeningPermitted
    | BettingOpened | BetsPlaced
    | ObjectionRefused | ExcessRejected | MinimumAdvised | BetReturned | CloseAnnounced | BettingClosed | BetAttested
    | LateBetNoted | ChipCollected | ChipWrittenOff
    | CardDrawn | CardExposed | CardCorrected | SqueezeRequested | SqueezeAnswered | SqueezeFinished
    | WaiverRequested | WaiverAgreed | WaiverAnswered
    | InsuranceOpened | InsuranceTaken | InsuranceDeclined | InsuranceClosed | InsuranceReturned
    | HandsCompleted | RoundSettled | BoxesConfirmed | TieChoiceMade
    | IrregularityReported | CardsOutOfTurn | CardsSetAside
    | QuestionPut | QuestionWithdrawn | Ruled | CardsReconstructed | CardsLeftLying | FaultClosed | OptionsOffered
    | Elected | OptionsClosed | RoundSuspended | RoundResumed | RoundVoided | RoundEndedWithoutBets
    | RoundDecided | SettlementReversed | DebtSetOff | CardsCarriedOver | CarryOverDiscarded | DisplayCorrected
    | AlertRaised | HouseDecided | BetsDecided
)  # fmt: skip
