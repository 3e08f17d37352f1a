"""Events: facts, in the past tense. An event already contains the result of every rule; evolving the state calls none.

Every event records who caused it, in which acting role and when, and the ruleset and paragraph where one applies.
Stored events never change: a new need becomes a new event.
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
    """A paragraph of a document."""

    ruleset: str
    """The key of the game whose document it is, or of the overlay."""
    paragraph: str


class Event(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    by: By
    rule: Cited | None = None


# ---- the table ---------------------------------------------------------------------------------------------------


class TableOpened(Event, frozen=True, tag="TableOpened"):
    """The table opened."""

    setup: Setup


class SetupChanged(Event, frozen=True, tag="SetupChanged"):
    """The set-up of the table changed."""

    setup: Setup


class ClosingAnnounced(Event, frozen=True, tag="ClosingAnnounced"):
    """Notice that the table will close: after one more round, or at `until`."""

    reason: str
    until: int


class TableClosed(Event, frozen=True, tag="TableClosed"):
    """The table closed. `cause`: why it closed without notice to people who had a seat or money there."""

    cause: ClosingCause | None = None
    reason: str = ""
    hears: bool = False
    """The closed table still accepts reports about its last round and its set of cards."""


class TableTakenOver(Event, frozen=True, tag="TableTakenOver"):
    """Another process of the house took over the round.

    `away`: the milliseconds without a process, which extend every deadline.
    """

    round: int
    away: int


class BoughtIn(Event, frozen=True, tag="BoughtIn"):
    """A person moved money from their wallet to a purse.

    `by.confirmed`: how they confirmed it, if somebody else acted for them.
    """

    person: str
    amount: int
    back: bool = False
    """The person had walked away and is present again."""


class CashedOut(Event, frozen=True, tag="CashedOut"):
    """A person moved money from their purse to the wallet."""

    person: str
    amount: int


class GuestBoughtIn(Event, frozen=True, tag="GuestBoughtIn"):
    """A guest without an account bought in with cash or chips.

    Cash goes to the drop, and chips for it come from the float.
    """

    person: str
    amount: int
    tender: Tender
    back: bool = False
    """The guest had walked away and is present again."""


class GuestLeft(Event, frozen=True, tag="GuestLeft"):
    """A guest without an account left with the chips in their purse."""

    person: str
    amount: int


class SeatTaken(Event, frozen=True, tag="SeatTaken"):
    """A person took the seat at a box."""

    box: int
    person: str


class SeatLeft(Event, frozen=True, tag="SeatLeft"):
    """A person left the seat at a box."""

    box: int
    person: str


class WalkedAway(Event, frozen=True, tag="WalkedAway"):
    """A person left the table. Their bets stay: presence never affects settlement."""

    person: str


class RoleAssigned(Event, frozen=True, tag="RoleAssigned"):
    """The person acts in that role at this table from now on, and in no other."""

    person: str
    role: Role


class RoleRelieved(Event, frozen=True, tag="RoleRelieved"):
    """The person no longer acts in that role at this table."""

    person: str
    role: Role


class ShoeLoaded(Event, frozen=True, tag="ShoeLoaded"):
    """A set of cards was put into the shoe."""

    shoe: str
    decks: int
    cards: int
    """How many cards the set has."""
    shuffled: bool
    source: Source
    commitment: str | None = None
    burned: int = 0
    """How many of the cards were burnt before the first round."""


class ShoeWithdrawn(Event, frozen=True, tag="ShoeWithdrawn"):
    """The set of cards in use left service."""

    reason: str
    unproven: bool = False
    """The house withdrew the shoe because its order did not match its commitment."""


class SetWithdrawn(Event, frozen=True, tag="SetWithdrawn"):
    """A set of cards that is not in use left service. The shoe in use stays."""

    shoe: str
    reason: str


class CutCardShown(Event, frozen=True, tag="CutCardShown"):
    """The cut card came out of the shoe: one more round follows."""


# ---- stakes ------------------------------------------------------------------------------------------------------


MOST_RAISES = 64
"""The most raises that a stake records separately. A further raise is added to the last one."""


class Stake(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One person's chips on one bet of one box. `raises`: pairs of placing order and amount, for chips added later."""

    owner: str
    box: int
    bet: str
    amount: int
    placer: str
    """The person who placed the bet: the owner, or somebody who placed it for them."""
    order: int
    """The number of the bet in the order of placing in the round."""
    raises: tuple[tuple[int, int], ...] = ()
    """Chips added later: pairs of placing order and amount in cents."""

    def at(self, amount: int, order: int) -> "Stake":
        """The stake at another amount. Added chips count as placed last; a reduction takes the chips placed last."""
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
        """Pairs of placing order and amount, for all chips of the stake."""
        first = self.amount - sum(added for _, added in self.raises)
        return ((self.order, first), *self.raises) if first else self.raises

    @property
    def key(self) -> str:
        return f"{self.box}/{self.bet}/{self.owner}"


def stake_key(box: int, bet: str, owner: str) -> str:
    return f"{box}/{bet}/{owner}"


class StakesReturned(Event, frozen=True, tag="StakesReturned"):
    """Stakes held since a tie went back because no later round of this set-up can play them."""

    round: int
    stakes: tuple[Stake, ...]


class OpeningPermitted(Event, frozen=True, tag="OpeningPermitted"):
    """Somebody let the next round open although these exposed cards lie in front of the shoe."""

    cards: tuple[Card | None, ...]


class BettingOpened(Event, frozen=True, tag="BettingOpened"):
    """The round began. Stakes held since a tie went back, or play in this round if their owners left them."""

    round: int
    deadline: int
    returned: tuple[Stake, ...] = ()
    """Stakes held since a tie that went back to their owners."""
    left_lying: tuple[Stake, ...] = ()
    """Stakes held since a tie that play in this round."""
    last_of_shoe: bool = False
    not_offered: tuple[str, ...] = ()
    """Bets that the cards in front of the shoe have decided."""
    overlay: str = ""
    """The fingerprint of the overlay that the round is played under, if the table has one."""


class BetsPlaced(Event, frozen=True, tag="BetsPlaced"):
    """Bets were placed, changed or withdrawn. Amounts are absolute, 0 for a withdrawal; `was`: the amounts before."""

    round: int
    stakes: tuple[Stake, ...]
    """The bets as they lie now; an amount of 0 for a bet that was withdrawn."""
    was: tuple[int, ...]
    """The amounts before, in cents, in the order of `stakes`."""


class ObjectionRefused(Event, frozen=True, tag="ObjectionRefused"):
    """A player's objection to a bet in their box was refused."""

    round: int
    box: int
    against: str


class ExcessRejected(Event, frozen=True, tag="ExcessRejected"):
    """An excess over the Differential was handed back. `stakes`: what lies there now; `was`: the amounts before."""

    round: int
    box: int
    stakes: tuple[Stake, ...]
    """The bets as they lie now; an amount of 0 for a bet that was handed back whole."""
    was: tuple[int, ...]
    """The amounts before, in cents, in the order of `stakes`."""
    gives_way_to: str = ""
    """Where the house deals: the seated player whose new bet took priority over the stakes handed back."""


class MinimumAdvised(Event, frozen=True, tag="MinimumAdvised"):
    """A player was advised that a bet is below the minimum."""

    round: int
    box: int
    person: str


class BetReturned(Event, frozen=True, tag="BetReturned"):
    """A bet below the minimum was handed back."""

    round: int
    stake: Stake


class CloseAnnounced(Event, frozen=True, tag="CloseAnnounced"):
    """The close was shown on the terminals. Bets made before it still count until they have arrived."""

    round: int
    until: int
    """Until when bets may arrive, in milliseconds UTC."""


class Playing(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a stake plays, and the paragraph if not all of it does."""

    key: str
    """The key of the stake: its box, bet and owner, as in `1/player/ann`."""
    plays: int
    rule: Cited | None = None


class BettingClosed(Event, frozen=True, tag="BettingClosed"):
    """Betting closed: the positions at this moment decide. `cut`: the stakes that do not play in full."""

    round: int
    cut: tuple[Playing, ...] = ()
    under_minimum: tuple[Playing, ...] = ()
    """Stakes below the minimum that nobody noticed: they play in full."""
    by_card: bool = False
    """A card that was seen while betting was open closed it."""


class BetAttested(Event, frozen=True, tag="BetAttested"):
    """A bet that lay there at the close was keyed in late.

    `was`: the amount known before; `cut`: what now plays in that box.
    """

    round: int
    stake: Stake
    was: int = 0
    """The amount known before, in cents."""
    cut: tuple[Playing, ...] = ()


class LateBetNoted(Event, frozen=True, tag="LateBetNoted"):
    """Chips were placed or taken away after the close. Neither counts, because the positions at the close decide.

    `missing`: the number of the chip that the dealer has to collect.
    """

    round: int
    person: str
    box: int
    bet: str
    amount: int
    withdrawn: bool
    missing: int = 0
    """The number of the chip that the dealer has to collect; 0 if there is none."""


class ChipCollected(Event, frozen=True, tag="ChipCollected"):
    """A chip that was taken away after the close was collected. `round`: the round of its bet."""

    round: int
    missing: int


class ChipWrittenOff(Event, frozen=True, tag="ChipWrittenOff"):
    """A chip that was taken away after the close was written off."""

    round: int
    missing: int
    reason: str


# ---- cards -------------------------------------------------------------------------------------------------------


class CardDrawn(Event, frozen=True, tag="CardDrawn"):
    """A card left the shoe, or the queue in front of it, for that hand. `CardExposed` records its face."""

    round: int
    index: int
    to: Side
    """The hand that the card goes to."""
    carried: bool = False
    """The card waited in front of the shoe."""
    squeeze_until: int = 0
    """When the time to squeeze the card ends, in milliseconds UTC; 0 if there is none."""


class CardExposed(Event, frozen=True, tag="CardExposed"):
    """A face became visible to everyone. `counted`: the card was seen and counted before it was drawn."""

    round: int
    index: int
    card: Card
    counted: bool = False
    """The card was seen, and counted, before it was drawn."""


class CardCorrected(Event, frozen=True, tag="CardCorrected"):
    """The card keyed in last was corrected to another."""

    round: int
    index: int
    was: Card
    """The card as it was keyed in before."""
    card: Card
    """The card as it is."""


class SqueezeRequested(Event, frozen=True, tag="SqueezeRequested"):
    """A player asked to squeeze a card."""

    round: int
    index: int
    person: str


class SqueezeAnswered(Event, frozen=True, tag="SqueezeAnswered"):
    """A request to squeeze a card was granted or refused."""

    round: int
    index: int
    person: str
    permitted: bool


class SqueezeFinished(Event, frozen=True, tag="SqueezeFinished"):
    """The squeeze of a card is over."""

    round: int
    index: int


class WaiverRequested(Event, frozen=True, tag="WaiverRequested"):
    """A player asked to see the Banker's third card before the Player's."""

    round: int
    person: str
    until: int = 0
    """Where the house deals: the moment, in milliseconds UTC, by which the players who could insure must agree, or the
    request is refused."""


class WaiverAgreed(Event, frozen=True, tag="WaiverAgreed"):
    """A player who could insure agreed to the waiver, or did not."""

    round: int
    person: str
    agrees: bool


class WaiverAnswered(Event, frozen=True, tag="WaiverAnswered"):
    """The request to see the Banker's third card first was granted or refused."""

    round: int
    person: str
    consent: bool


def offer_key(owner: str, box: int) -> str:
    return f"{box}/{owner}"


class OfferMade(msgspec.Struct, frozen=True, kw_only=True):
    """How much one person may insure in one box."""

    owner: str
    box: int
    most: int
    """The most that the person may stake on insurance in the box, in cents."""

    @property
    def key(self) -> str:
        return offer_key(self.owner, self.box)


class InsuranceOpened(Event, frozen=True, tag="InsuranceOpened"):
    """An insurance window opened."""

    round: int
    window: Window
    bet: str
    insures: Side
    odds: str
    offers: tuple[OfferMade, ...]
    deadline: int


class InsuranceTaken(Event, frozen=True, tag="InsuranceTaken"):
    """A player insured a box."""

    round: int
    window: Window
    stake: Stake
    was: int
    """The amount of the insurance before, in cents."""


class InsuranceDeclined(Event, frozen=True, tag="InsuranceDeclined"):
    """The player does not insure that box in the window."""

    round: int
    window: Window
    person: str
    box: int


class InsuranceClosed(Event, frozen=True, tag="InsuranceClosed"):
    """An insurance window closed."""

    round: int
    window: Window


class InsuranceReturned(Event, frozen=True, tag="InsuranceReturned"):
    """Stakes in these insurance windows went back because the corrected cards change the points that they insured."""

    round: int
    windows: tuple[Window, ...]
    stakes: tuple[Stake, ...]


class HandsCompleted(Event, frozen=True, tag="HandsCompleted"):
    """Both hands are complete."""

    round: int
    outcome: Outcome


class SettledStake(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The settlement of one stake: `plays` of it played, and the rest went back unplayed."""

    owner: str
    box: int
    bet: str
    stake: int
    """The amount of the stake, in cents."""
    plays: int
    result: Result
    profit: int
    rule: str
    commission: int = 0
    commission_rule: str | None = None
    unplayed_rule: str | None = None
    pays: str = ""
    held: bool = False
    """The owner may withdraw the original stake after the tie, or leave it for the next round."""

    @property
    def key(self) -> str:
        return stake_key(self.box, self.bet, self.owner)

    @property
    def back(self) -> int:
        """What the settlement pays into the purse. A held stake stays on the layout, so only its unplayed part
        counts."""
        return self.stake - self.plays if self.held else self.stake + self.profit


class RoundSettled(Event, frozen=True, tag="RoundSettled"):
    """The round was settled.

    `boxes`: those that the dealer still takes and pays one by one; if empty, the round has ended.
    """

    round: int
    outcome: Outcome
    stakes: tuple[SettledStake, ...]
    """The settlement of each stake."""
    boxes: tuple[int, ...] = ()


class BoxesConfirmed(Event, frozen=True, tag="BoxesConfirmed"):
    """The dealer took or paid these boxes. The last box ends the round."""

    round: int
    boxes: tuple[int, ...]


class TieChoiceMade(Event, frozen=True, tag="TieChoiceMade"):
    """After a tie, a player took a stake back or left it for the next round."""

    round: int
    stake: Stake
    leave: bool


# ---- irregularities ----------------------------------------------------------------------------------------------


class Reported(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An irregularity as it was reported, with the phase of the round in which it was seen."""

    number: int
    fault: Fault
    round: int
    seen_in: str
    """The phase of the round in which the irregularity was seen."""
    cards: tuple[Card | None, ...] = ()
    index: int | None = None
    lies: dict[int, Side] = {}
    to_person: bool = False
    order_known: bool = False
    note: str = ""
    brought_out: bool = False
    """The report itself put its cards in front of the shoe."""
    established: bool = False
    """Whether an outcome was established when the fault was noticed."""
    paid: bool = False
    """Whether the first box of the round had been taken or paid when the fault was noticed."""
    claimed_by: str = ""
    """The player who claims it; empty if staff or the system reported it."""
    since: int = 0
    """When the house was last running, in milliseconds UTC; 0 if it was not away. The time away counts against
    nobody."""
    shoe: str = ""
    """The set of cards that the report is about; empty for the one in use."""


class IrregularityReported(Event, frozen=True, tag="IrregularityReported"):
    """An irregularity was reported."""

    report: Reported
    """The report."""


class CardsOutOfTurn(Event, frozen=True, tag="CardsOutOfTurn"):
    """Cards left the shoe, or were seen in its mouth, before they were due. They come next in the order of drawing."""

    round: int
    cards: tuple[Card | None, ...]


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question that somebody of the required rank must answer before play continues."""

    number: int
    fault: Fault
    report: int
    action: Action
    asked_of: Role
    choices: tuple[Choice, ...]
    rule: Cited | None = None


class QuestionPut(Event, frozen=True, tag="QuestionPut"):
    """A question was put to staff."""

    question: Question
    """The question."""


class QuestionWithdrawn(Event, frozen=True, tag="QuestionWithdrawn"):
    """A fault that takes precedence was reported. The question is asked again if it still matters."""

    question: int


class Ruled(Event, frozen=True, tag="Ruled"):
    """Somebody of the required rank answered a question."""

    question: int
    choice: Choice
    reason: str = ""


class CardsReconstructed(Event, frozen=True, tag="CardsReconstructed"):
    """The cards were put back in their intended order.

    `sides`: the hand of each; `spare`: cards of no hand in this round yet.
    """

    round: int
    cards: tuple[Card | None, ...]
    sides: tuple[Side, ...]
    spare: tuple[Card | None, ...] = ()
    as_lying: bool = False
    """The cards stay in the hands where they lie."""
    waived: bool = False
    """The Banker's third card comes before the Player's."""


class CardsLeftLying(Event, frozen=True, tag="CardsLeftLying"):
    """The cards could not be put back in order and stay as they lie."""

    round: int
    sides: tuple[Side, ...]


class FaultClosed(Event, frozen=True, tag="FaultClosed"):
    """A fault was closed, by the paragraph that the event cites."""

    round: int
    report: int
    fault: Fault
    grants_options: bool = False
    """Players may choose between continuing and taking their bets back."""
    logged_only: bool = False
    """The report is recorded and changes nothing."""
    put_back: tuple[Card | None, ...] = ()
    """Cards that the report had brought out although they never left the shoe."""
    unfounded_claim: str = ""
    """The player whose claim was unfounded. Their further claims in this round are recorded and do not stop play."""


class CardsSetAside(Event, frozen=True, tag="CardsSetAside"):
    """Cards that left the shoe and are out of play by decision of the House."""

    round: int
    cards: tuple[Card | None, ...]


class OptionsOffered(Event, frozen=True, tag="OptionsOffered"):
    """Players were offered the options to continue or to take their bets back."""

    round: int
    question: int
    people: tuple[str, ...]
    continues_by: Cited
    returns_by: Cited
    deadline: int
    result_known: bool = False
    """The result of the round was known when the options were offered."""


class Elected(Event, frozen=True, tag="Elected"):
    """A player chose an option. `present`: staff recorded it, and state that the player was present and said so."""

    question: int
    person: str
    election: Election
    present: bool = False


class OptionsClosed(Event, frozen=True, tag="OptionsClosed"):
    """The options closed.

    Silent players continue; players who chose to return get back everything they staked in the round.
    """

    round: int
    question: int
    silent: tuple[str, ...]
    returned: tuple[Stake, ...]


class RoundSuspended(Event, frozen=True, tag="RoundSuspended"):
    """Play was suspended."""

    round: int
    cause: str


class RoundResumed(Event, frozen=True, tag="RoundResumed"):
    """Play resumed in the phase `to`."""

    round: int
    to: str
    """The phase in which play resumed."""
    deadline: int = 0


class RoundVoided(Event, frozen=True, tag="RoundVoided"):
    """The round was voided and every bet goes back.

    `taken_back`: the payments of bets that a decision had ended before the settlement; `owed`: what purses no longer
    hold of them.
    """

    round: int
    cause: Fault
    refunds: tuple[Stake, ...]
    refunded_by: Cited | None = None
    taken_back: tuple[SettledStake, ...] = ()
    owed: dict[str, int] = {}


class RoundEndedWithoutBets(Event, frozen=True, tag="RoundEndedWithoutBets"):
    """The round ended because no bets were left. It is neither settled nor void."""

    round: int


class RoundDecided(Event, frozen=True, tag="RoundDecided"):
    """The House ended a round that could not be played out. The round is neither settled nor void.

    `stakes`: the settlement of each stake; `named`: the bets that the decision named.
    """

    round: int
    stakes: tuple[SettledStake, ...]
    """The settlement of each stake."""
    named: tuple[BetTerms, ...] = ()


class SettlementReversed(Event, frozen=True, tag="SettlementReversed"):
    """The payments of a settlement were taken back. `owed`: what purses no longer hold of them."""

    round: int
    stakes: tuple[SettledStake, ...]
    """The settlements whose payments were taken back."""
    owed: dict[str, int] = {}


class DebtSetOff(Event, frozen=True, tag="DebtSetOff"):
    """Money in a purse was set off against its owner's debt."""

    person: str
    amount: int


class CardsCarriedOver(Event, frozen=True, tag="CardsCarriedOver"):
    """Spare cards wait in front of the shoe. The first of them is the first card of the next round."""

    round: int
    cards: tuple[Card | None, ...]


class CarryOverDiscarded(Event, frozen=True, tag="CarryOverDiscarded"):
    """Cards that waited in front of the shoe went to the discards: the first `many`, or all."""

    many: int | None = None


class DisplayCorrected(Event, frozen=True, tag="DisplayCorrected"):
    """A wrong display was corrected."""

    round: int
    shown: str
    correct: str


class AlertRaised(Event, frozen=True, tag="AlertRaised"):
    """Something happened that a rank of staff should look at."""

    kind: str
    """The code of the alert."""
    to: Role
    worth: dict[str, int] = {}
    """For bets on exposed cards: the average gain on a stake, in millionths of it. Empty if it was not calculated."""
    stakes: tuple[Stake, ...] = ()
    """The bets that the alert is about."""


class HouseDecided(Event, frozen=True, tag="HouseDecided"):
    """A decision on something that the document does not provide for."""

    round: int
    decision: str
    reason: str


class DecidedBet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A bet that a decision named.

    `stake`: the bet plays on at that stake, and `laid` was on the layout before. `settled`: the bet is settled this
    way, at once or in place of the settlement `was`. With neither, the owner may only be paid something.
    """

    terms: BetTerms
    stake: Stake | None = None
    """The bet as it plays on; null if it does not."""
    laid: int = 0
    settled: SettledStake | None = None
    """The settlement by the decision; null if the bet plays on, or its owner is only paid something."""
    was: SettledStake | None = None
    """The settlement that the decision replaces; null if the bet was not settled before."""

    @property
    def key(self) -> str:
        return stake_key(self.terms.box, self.terms.bet, self.terms.owner)

    @property
    def gets(self) -> int:
        """What the decision pays into the purse; negative if the purse pays."""
        if self.stake is not None:
            return self.laid - self.stake.amount
        if self.settled is None:
            return self.terms.amount if self.terms.terms is Terms.PAY else 0
        return self.settled.back if self.was is None else _gained(self.settled) - _gained(self.was)


def _gained(settled: SettledStake) -> int:
    return settled.back - settled.stake


class BetsDecided(Event, frozen=True, tag="BetsDecided"):
    """The House decided single bets. `owed`: what purses could not pay."""

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
