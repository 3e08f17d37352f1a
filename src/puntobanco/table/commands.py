"""Commands: imperatives. Each names the round, card or question that it is for, so that a late one is refused as
stale."""

from enum import StrEnum

import msgspec

from puntobanco.rules.cards import Card
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import StaffRank, Window
from puntobanco.table.setup import Setup, Source


class Command(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A request to the table. The house adds who sends it, in which role and when."""


# ---- people, money, seats ----------------------------------------------------------------------------------------


class BuyIn(Command, frozen=True, tag="BuyIn"):
    """Move money from the wallet to the purse. If somebody else asks for it, the guest has to confirm."""

    person: str
    amount: int


class CashOut(Command, frozen=True, tag="CashOut"):
    """Move money from the purse to the wallet."""

    person: str
    amount: int


class Tender(StrEnum):
    """What a guest without an account buys in with."""

    CASH = "cash"
    CHIPS = "chips"


class BuyInAtTable(Command, frozen=True, tag="BuyInAtTable"):
    """A guest without an account buys in under a name given at the table.

    `again`: the guest is at the table already.
    """

    name: str
    """The name that the guest gives at the table."""
    amount: int
    tender: Tender
    again: bool = False


class LeaveTable(Command, frozen=True, tag="LeaveTable"):
    """A guest without an account leaves with the chips in the purse. `person`: the table's key for the guest."""

    person: str


class TakeSeat(Command, frozen=True, tag="TakeSeat"):
    """Take the seat at a box.

    `person`: the player for whom a Pit Employee records it, as in every command that has this field.
    """

    box: int
    person: str | None = None
    """The player for whom staff record it. Leave it out to act for yourself."""


class LeaveSeat(Command, frozen=True, tag="LeaveSeat"):
    """Leave the seat at a box."""

    box: int


class WalkAway(Command, frozen=True, tag="WalkAway"):
    """The person leaves the table; the bets stay and are settled."""

    person: str


class Assign(Command, frozen=True, tag="Assign"):
    """Give a person a role at this table. The acting role counts, whatever the job title."""

    person: str
    role: StaffRank


class Relieve(Command, frozen=True, tag="Relieve"):
    """Relieve a person of their role at this table."""

    person: str


# ---- the table between rounds ------------------------------------------------------------------------------------


class OpenTable(Command, frozen=True, tag="OpenTable"):
    """Open the table with this set-up."""

    setup: Setup


class ChangeSetup(Command, frozen=True, tag="ChangeSetup"):
    """Change the set-up of the table between two rounds."""

    setup: Setup
    replaces: Setup | None = None
    """The set-up that the sender saw. Another one means that somebody else changed it meanwhile. Null accepts any."""


class AnnounceClosing(Command, frozen=True, tag="AnnounceClosing"):
    """Give notice that the table will close, after one more round or when the notice period ends."""

    reason: str


class ClosingCause(StrEnum):
    """Why a table may close without notice."""

    SAFETY = "safety"
    HONESTY = "honesty"
    REPAIR = "repair"


class CloseTable(Command, frozen=True, tag="CloseTable"):
    """Close the table. `cause` and `reason`: only for a closing without notice."""

    cause: ClosingCause | None = None
    reason: str = ""


class LoadShoe(Command, frozen=True, tag="LoadShoe"):
    """Put a set of cards into the shoe.

    `shuffled`: it is recorded as shuffled; `commitment`: to an electronic order.
    """

    shoe: str
    decks: int
    shuffled: bool
    source: Source
    commitment: str | None = None
    reason: str = ""


class WithdrawShoe(Command, frozen=True, tag="WithdrawShoe"):
    """Take the set of cards in use out of service."""

    reason: str


class TakeOver(Command, frozen=True, tag="TakeOver"):
    """Another process of the house takes over the round. Only that process sends it.

    `away`: how many milliseconds the table was without a process.
    """

    round: int
    away: int


class ShowCutCard(Command, frozen=True, tag="ShowCutCard"):
    """Record that the cut card came out of the shoe."""


# ---- betting -----------------------------------------------------------------------------------------------------


class Worth(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """The value of each bet if these cards come first: the average gain on a stake, in millionths of it."""

    cards: tuple[Card | None, ...]
    returns: dict[str, int]


class OpenBetting(Command, frozen=True, tag="OpenBetting"):
    """Open a round. The round before is final from then on."""

    acknowledge: bool = False
    """An exposed card lies in front of the shoe, and the Shift Manager was told."""
    worth: Worth | None = None
    """The value of each bet on the cards in sight. Calculated by the house for the Shift Manager; nobody else fills it
    in."""


class PermitOpening(Command, frozen=True, tag="PermitOpening"):
    """Let a round open although several exposed cards lie in front of the shoe."""


class Line(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """An absolute amount on one bet of one box; 0 withdraws the bet. Electronic tables use box 0."""

    bet: str
    amount: int
    """The amount that lies on the bet from now on, in cents; 0 withdraws the bet."""
    box: int = 0


class PlaceBets(Command, frozen=True, tag="PlaceBets"):
    """Place one person's slip of bets.

    Staff name in `owner` the player who asked them, and record in `requested` that the player did.
    """

    round: int
    lines: tuple[Line, ...]
    """The slip: an amount for each bet."""
    owner: str | None = None
    """The player for whom staff place the bets. Leave it out to bet for yourself."""
    requested: bool = False


class Object(Command, frozen=True, tag="Object"):
    """A player objects to another player's bet in their box, or without a name to every other bet there."""

    round: int
    box: int
    against: str = ""


class RejectExcess(Command, frozen=True, tag="RejectExcess"):
    """Hand back what exceeds the Differential in a box, as the document orders it."""

    round: int
    box: int


class AdviseMinimum(Command, frozen=True, tag="AdviseMinimum"):
    """Record that a player was advised that a bet is below the minimum."""

    round: int
    box: int
    person: str


class ReturnBet(Command, frozen=True, tag="ReturnBet"):
    """Hand back a bet below the minimum whose owner was advised and neither raised nor withdrew it."""

    round: int
    box: int
    bet: str
    person: str


class AnnounceClose(Command, frozen=True, tag="AnnounceClose"):
    """Show the close on the terminals. Bets made before it still count while they arrive."""

    round: int


class CloseBetting(Command, frozen=True, tag="CloseBetting"):
    """Close betting. The positions at this moment decide."""

    round: int
    over_excess: bool = False
    """Close although a box exceeds the Differential and the excess was not rejected."""
    worth: Worth | None = None


class AttestBet(Command, frozen=True, tag="AttestBet"):
    """Key in a bet that lay there at the close. Once a card is exposed, only a Pit Supervisor or above may."""

    round: int
    owner: str
    line: Line
    """The bet, its box and its amount."""
    attested: bool
    reason: str = ""
    worth: Worth | None = None
    """The value of each bet on the cards of the round that everyone has seen. Calculated by the house; nobody else
    fills it in."""


class NoteLateBet(Command, frozen=True, tag="NoteLateBet"):
    """Record that chips were placed, raised or taken away after the close."""

    round: int
    person: str
    box: int
    bet: str
    amount: int
    withdrawn: bool = False


class CollectChip(Command, frozen=True, tag="CollectChip"):
    """Record that the dealer collected a chip that was taken away after the close. `missing`: its number."""

    missing: int


class WriteOffChip(Command, frozen=True, tag="WriteOffChip"):
    """Write off a chip that was taken away after the close."""

    missing: int
    reason: str


# ---- cards -------------------------------------------------------------------------------------------------------


class DrawCard(Command, frozen=True, tag="DrawCard"):
    """Draw the next card. `card`: its face, on a table that deals face up."""

    round: int
    index: int
    card: Card | None = None
    """The face of the card, on a table that deals face up. Leave it out on a table that deals face down."""


class ExposeCard(Command, frozen=True, tag="ExposeCard"):
    """Turn a card face up."""

    round: int
    index: int
    card: Card


class CorrectCard(Command, frozen=True, tag="CorrectCard"):
    """Correct the card keyed in last: the dealer's own correction, before anything has followed from it."""

    round: int
    index: int
    card: Card
    """The card as it is."""


class RequestSqueeze(Command, frozen=True, tag="RequestSqueeze"):
    """Ask to squeeze a card before it is dealt."""

    round: int
    index: int
    person: str | None = None
    """The player for whom staff record it. Leave it out to act for yourself."""


class AnswerSqueeze(Command, frozen=True, tag="AnswerSqueeze"):
    """Grant or refuse a request to squeeze a card."""

    round: int
    index: int
    permit: bool


class FinishSqueeze(Command, frozen=True, tag="FinishSqueeze"):
    """End the squeeze of a card."""

    round: int
    index: int
    person: str | None = None
    """The player for whom staff record it. Leave it out to act for yourself."""


class RequestWaiver(Command, frozen=True, tag="RequestWaiver"):
    """Ask to see the Banker's third card before the Player's, and give up the insurance after the Player's."""

    round: int
    person: str | None = None
    """The player for whom staff record it. Leave it out to act for yourself."""


class AgreeToWaiver(Command, frozen=True, tag="AgreeToWaiver"):
    """Agree to the waiver, or refuse it, where the house deals.

    Sent for a player who could insure after the Player's third card.
    """

    round: int
    agrees: bool
    person: str | None = None
    """The player for whom staff record it. Leave it out to act for yourself."""


class AnswerWaiver(Command, frozen=True, tag="AnswerWaiver"):
    """Grant or refuse the request to see the Banker's third card first."""

    round: int
    consent: bool


class Insure(Command, frozen=True, tag="Insure"):
    """Place an absolute stake in the open insurance window on a box; 0 takes it back."""

    round: int
    window: Window
    amount: int
    """The amount that insures the box from now on, in cents; 0 takes it back."""
    box: int = 0
    person: str | None = None
    """The player for whom staff record it. Leave it out to act for yourself."""


class DeclineInsurance(Command, frozen=True, tag="DeclineInsurance"):
    """The player does not insure that box in the open window."""

    round: int
    window: Window
    box: int = 0
    person: str | None = None
    """The player for whom staff record it. Leave it out to act for yourself."""


class CloseInsurance(Command, frozen=True, tag="CloseInsurance"):
    """Close the insurance window."""

    round: int
    window: Window


class Settle(Command, frozen=True, tag="Settle"):
    """Settle the round."""

    round: int


class ConfirmBox(Command, frozen=True, tag="ConfirmBox"):
    """Confirm that the dealer has taken or paid a box of the settled round."""

    round: int
    box: int


class ConfirmRest(Command, frozen=True, tag="ConfirmRest"):
    """Confirm that the dealer has taken or paid all remaining boxes."""

    round: int


class ChooseAfterTie(Command, frozen=True, tag="ChooseAfterTie"):
    """Take an original stake back, or leave it lying for the next round."""

    round: int
    bet: str
    leave: bool
    box: int = 0
    person: str | None = None
    """The player for whom staff record it. Leave it out to act for yourself."""


# ---- irregularities ----------------------------------------------------------------------------------------------


class Fault(StrEnum):
    """The irregularities that can be reported, in the order in which the table handles them."""

    FOREIGN_CARD = "foreign_card"
    """A card that does not belong to the set."""
    DECK_COUNT = "deck_count"
    """The decks hold too many or too few of a card."""
    UNSHUFFLED = "unshuffled"
    """The set was not shuffled."""
    SHOE_EMPTY = "shoe_empty"
    """The shoe cannot supply the round."""
    TECHNICAL = "technical"
    """An interruption of a technical kind."""
    MISKEYED = "miskeyed"
    """A card was keyed in as another than lies on the table."""
    SIMULTANEOUS = "simultaneous"
    """Cards came at once."""
    MISDIRECTED = "misdirected"
    """Cards lie where they do not belong, or went to the wrong person."""
    WRONG_NUMBER_OF_CARDS = "wrong_number_of_cards"
    """A hand has too many or too few cards."""
    EXCESS = "excess"
    """A card left the shoe and was not due."""
    EXPOSED = "exposed"
    """Cards were seen in the mouth of the shoe."""
    FACE_UP = "face_up"
    """Cards were dealt open at a face-down table."""
    OTHER_DEALING_ERROR = "other_dealing_error"
    """Any other error in dealing."""
    MISPAYMENT = "mispayment"
    """A wrong payment or a miscalled result."""
    DISPLAY = "display"
    """A display shows what did not happen."""
    UNPROVIDED = "unprovided"
    """Something that the document does not provide for."""


class Report(Command, frozen=True, tag="Report"):
    """Report an irregularity, with what was seen. Anyone may.

    `cards`: faces that left the shoe out of turn (excess, simultaneous) or were seen too early, in the order known;
    `lies`: where misplaced cards lie, by draw index; `to_person`: they went to the wrong person; `order_known`: the
    order of cards drawn together is still known; `since`: the house itself was away from that moment on, and only the
    house may say so; `shoe`: the name of the set of cards it is about, if not the one in use. `report_forms` lists what
    each fault needs.
    """

    round: int
    fault: Fault
    cards: tuple[Card | None, ...] = ()
    index: int | None = None
    """The place in the order of drawing of the card that the report is about, or of the first such card; null if it
    needs none."""
    lies: dict[int, Side] = {}
    to_person: bool = False
    order_known: bool = False
    note: str = ""
    since: int = 0
    """When the house was last running, in milliseconds UTC; 0 unless the house was away. Only the house may give it."""
    shoe: str = ""
    """The set of cards that the report is about; empty for the one in use."""
    worth: Worth | None = None


class Choice(StrEnum):
    """The possible answers to a question."""

    VOID = "void"
    """The round is void."""
    STANDS = "stands"
    """The report is unfounded, or a settled round stays as it is."""
    RECONSTRUCT = "reconstruct"
    """Arrange the cards as they should have been dealt."""
    CANNOT_RECONSTRUCT = "cannot_reconstruct"
    """The cards cannot be arranged as they should have been dealt."""
    AFFECTS = "affects"
    """The interruption affects the round."""
    DOES_NOT_AFFECT = "does_not_affect"
    """The interruption does not affect the round."""
    ORDER = "order"
    """Give the order of cards drawn together."""
    CONTINUE = "continue"
    """Play goes on."""
    RETURN_BETS = "return_bets"
    """Return every bet."""
    RESETTLE = "resettle"
    """Take the settlement back and settle again."""
    CONFIRM = "confirm"
    """What a player reported is so."""
    CORRECT = "correct"
    """The cards are as the ruling names them, not as they were keyed."""
    SET_ASIDE = "set_aside"
    """The cards of the report are out of play."""
    AS_LYING = "as_lying"
    """Misdirected cards count where they lie."""
    CANNOT_GO_ON = "cannot_go_on"
    """The round is affected, and nobody can deal on."""
    BY_HAND = "by_hand"
    """Deal the remaining cards in order by hand."""
    CONCLUDE = "conclude"
    """Settle the bets that have won or lost whatever cards follow, and return those still open."""
    DECIDE_BETS = "decide_bets"
    """Another decision, which names bets."""


class Terms(StrEnum):
    """What the House decides for a bet."""

    AS_RECORDED = "as_recorded"
    """The bet stays as it was recorded."""
    AT_STAKE = "at_stake"
    """Settled as if `amount` had been the stake."""
    RETURN = "return"
    """The stake goes back."""
    PAY = "pay"
    """The bet pays `amount` and nothing else from then on."""


class BetTerms(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A bet and what the House decides for it. The bet is named by owner, box and name, insurance with its window."""

    owner: str
    bet: str
    terms: Terms
    amount: int = 0
    """The other stake, or the payment, in cents."""
    box: int = 0


class Rule(Command, frozen=True, tag="Rule"):
    """Answer the open question. The sender needs the rank for it."""

    question: int
    choice: Choice
    reason: str = ""
    order: tuple[int, ...] = ()
    """For `order`: the places of the cards drawn together, in the order of drawing, from 1."""
    cards: tuple[Card | None, ...] = ()
    """The cards in the order of drawing; null for a card that lies face down."""
    bets: tuple[BetTerms, ...] = ()
    """The bets that the decision names, for `decide_bets`."""
    worth: Worth | None = None


APPRAISED = (OpenBetting, CloseBetting, AttestBet, Report, Rule)
"""Commands that carry what bets are worth on cards that everyone knows."""


class Election(StrEnum):
    """What a player chooses when options are offered: to continue, or to take their bets back."""

    CONTINUE = "continue"
    RETURN = "return"


class Elect(Command, frozen=True, tag="Elect"):
    """Choose an option: the player in person, or a Pit Employee who records what a present player says."""

    question: int
    election: Election
    person: str | None = None
    """The player for whom it is recorded."""
    present: bool = False
    """The recorder states that the player is present and has said so."""


class CloseOptions(Command, frozen=True, tag="CloseOptions"):
    """Close the options. Players who have not chosen continue."""

    question: int


class CorrectDisplay(Command, frozen=True, tag="CorrectDisplay"):
    """Record that a display was wrong, and what is correct."""

    round: int
    shown: str
    correct: str


class DecideUnprovided(Command, frozen=True, tag="DecideUnprovided"):
    """Record a decision on what the rules leave open, in this round or an earlier one. It may name bets."""

    round: int
    decision: str
    reason: str = ""
    bets: tuple[BetTerms, ...] = ()


AnyCommand = (
    BuyIn | CashOut | BuyInAtTable | LeaveTable | TakeSeat
    | LeaveSeat | WalkAway | Assign | Relieve | OpenTable | ChangeSetup | AnnounceClosing | CloseTable
    | LoadShoe | WithdrawShoe | ShowCutCard | OpenBetting | PermitOpening | PlaceBets | Object | RejectExcess
    | AdviseMinimum | ReturnBet | AnnounceClose | TakeOver
    | CloseBetting | AttestBet | NoteLateBet | CollectChip | WriteOffChip
    | DrawCard | ExposeCard | CorrectCard | RequestSqueeze | AnswerSqueeze
    | FinishSqueeze | RequestWaiver | AgreeToWaiver | AnswerWaiver
    | Insure | DeclineInsurance | CloseInsurance | Settle | ConfirmBox | ConfirmRest
    | ChooseAfterTie | Report | Rule
    | Elect | CloseOptions | CorrectDisplay | DecideUnprovided
)  # fmt: skip
