"""Commands: imperatives. Each names what it is for, so that one that comes too late is refused as stale."""

from enum import StrEnum

import msgspec

from puntobanco.rules.cards import Card
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import StaffRank, Window
from puntobanco.table.setup import Setup, Source


class Command(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sends it, in which role and when is stamped from outside."""


# ---- people, money, seats ----------------------------------------------------------------------------------------


class BuyIn(Command, frozen=True, tag="BuyIn"):
    """From the wallet to the purse. The guest confirms what anybody else asks for."""

    person: str
    amount: int


class CashOut(Command, frozen=True, tag="CashOut"):
    person: str
    amount: int


class Tender(StrEnum):
    """What a guest without an account buys in with."""

    CASH = "cash"
    CHIPS = "chips"


class BuyInAtTable(Command, frozen=True, tag="BuyInAtTable"):
    """A guest without an account buys in under a name given at the table; `again`: one who is at the table already."""

    name: str
    amount: int
    tender: Tender
    again: bool = False


class LeaveTable(Command, frozen=True, tag="LeaveTable"):
    """A guest without an account leaves with the chips in the purse; `person`: as the table knows them."""

    person: str


class TakeSeat(Command, frozen=True, tag="TakeSeat"):
    """`person`: the player a Pit Employee records it for, as in every command that has such a field."""

    box: int
    person: str | None = None


class LeaveSeat(Command, frozen=True, tag="LeaveSeat"):
    box: int


class WalkAway(Command, frozen=True, tag="WalkAway"):
    """The person leaves the table; the bets stay and are settled."""

    person: str


class Assign(Command, frozen=True, tag="Assign"):
    """Whoever is assigned and acting holds the role, whatever the job title."""

    person: str
    role: StaffRank


class Relieve(Command, frozen=True, tag="Relieve"):
    person: str


# ---- the table between rounds ------------------------------------------------------------------------------------


class OpenTable(Command, frozen=True, tag="OpenTable"):
    setup: Setup


class ChangeSetup(Command, frozen=True, tag="ChangeSetup"):
    setup: Setup


class AnnounceClosing(Command, frozen=True, tag="AnnounceClosing"):
    """Notice that the table will close: after a further round, or when the notice is over."""

    reason: str


class ClosingCause(StrEnum):
    """Why a table may close without notice."""

    SAFETY = "safety"
    HONESTY = "honesty"
    REPAIR = "repair"


class CloseTable(Command, frozen=True, tag="CloseTable"):
    """`cause` and `reason`: only where it closes without notice."""

    cause: ClosingCause | None = None
    reason: str = ""


class LoadShoe(Command, frozen=True, tag="LoadShoe"):
    """A set of cards goes into the shoe. `shuffled`: the record that it was; `commitment`: to an electronic order."""

    shoe: str
    decks: int
    shuffled: bool
    source: Source
    commitment: str | None = None
    reason: str = ""


class WithdrawShoe(Command, frozen=True, tag="WithdrawShoe"):
    reason: str


class TakeOver(Command, frozen=True, tag="TakeOver"):
    """Another process of the house goes on with the round; only it can say so. `away`: for how many milliseconds
    nobody had the table."""

    round: int
    away: int


class ShowCutCard(Command, frozen=True, tag="ShowCutCard"):
    pass


# ---- betting -----------------------------------------------------------------------------------------------------


class Worth(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """What each bet is worth with these cards first: the average gain on a stake, in millionths of it."""

    cards: tuple[Card | None, ...]
    returns: dict[str, int]


class OpenBetting(Command, frozen=True, tag="OpenBetting"):
    """The announcement that opens a round; the round before is final from then on."""

    acknowledge: bool = False
    """An exposed card lies in front of the shoe and the Shift Manager was told."""
    worth: Worth | None = None
    """What the house works out for the Shift Manager; nobody else fills it in."""


class PermitOpening(Command, frozen=True, tag="PermitOpening"):
    """Let a round open although several exposed cards lie in front of the shoe."""


class Line(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """An absolute amount on one bet of one box: 0 withdraws it. Electronic tables have box 0."""

    bet: str
    amount: int
    box: int = 0


class PlaceBets(Command, frozen=True, tag="PlaceBets"):
    """A slip of one person; staff name in `owner` the player who asked them, and record that he did."""

    round: int
    lines: tuple[Line, ...]
    owner: str | None = None
    requested: bool = False


class Object(Command, frozen=True, tag="Object"):
    """A player objects to another's bet in his box."""

    round: int
    box: int
    against: str


class RejectExcess(Command, frozen=True, tag="RejectExcess"):
    round: int
    box: int


class AdviseMinimum(Command, frozen=True, tag="AdviseMinimum"):
    round: int
    box: int
    person: str


class ReturnBet(Command, frozen=True, tag="ReturnBet"):
    """Hand back an advised bet that was neither raised nor withdrawn."""

    round: int
    box: int
    bet: str
    person: str


class AnnounceClose(Command, frozen=True, tag="AnnounceClose"):
    """Terminals show the close; bets made before are honoured while they arrive."""

    round: int


class CloseBetting(Command, frozen=True, tag="CloseBetting"):
    round: int
    over_excess: bool = False
    """Close although a box exceeds the Differential and the excess was not rejected."""


class AttestBet(Command, frozen=True, tag="AttestBet"):
    """A chip that lay there at the close is keyed in afterwards; once a card is open, by Pit Supervisor or above."""

    round: int
    owner: str
    line: Line
    attested: bool
    reason: str = ""


class NoteLateBet(Command, frozen=True, tag="NoteLateBet"):
    """Chips placed, raised or taken away after the close were noticed."""

    round: int
    person: str
    box: int
    bet: str
    amount: int
    withdrawn: bool = False


class CollectChip(Command, frozen=True, tag="CollectChip"):
    """The chip of that number, taken away after the close, was collected."""

    missing: int


class WriteOffChip(Command, frozen=True, tag="WriteOffChip"):
    missing: int
    reason: str


# ---- cards -------------------------------------------------------------------------------------------------------


class DrawCard(Command, frozen=True, tag="DrawCard"):
    """The next card leaves the shoe; its face is given on a table that deals face up."""

    round: int
    index: int
    card: Card | None = None


class ExposeCard(Command, frozen=True, tag="ExposeCard"):
    round: int
    index: int
    card: Card


class CorrectCard(Command, frozen=True, tag="CorrectCard"):
    """The card keyed in last is another: the dealer's own correction, before anything has followed from it."""

    round: int
    index: int
    card: Card


class RequestSqueeze(Command, frozen=True, tag="RequestSqueeze"):
    round: int
    index: int
    person: str | None = None


class AnswerSqueeze(Command, frozen=True, tag="AnswerSqueeze"):
    round: int
    index: int
    permit: bool


class FinishSqueeze(Command, frozen=True, tag="FinishSqueeze"):
    round: int
    index: int
    person: str | None = None


class RequestWaiver(Command, frozen=True, tag="RequestWaiver"):
    """See the Banker's third card before the Player's, giving up insurance after it."""

    round: int
    person: str | None = None


class AgreeToWaiver(Command, frozen=True, tag="AgreeToWaiver"):
    """Where the house deals: whether a player who could insure after the Player's third card gives that up."""

    round: int
    agrees: bool
    person: str | None = None


class AnswerWaiver(Command, frozen=True, tag="AnswerWaiver"):
    round: int
    consent: bool


class Insure(Command, frozen=True, tag="Insure"):
    """An absolute stake in the open window on a box: 0 takes it back."""

    round: int
    window: Window
    amount: int
    box: int = 0
    person: str | None = None


class DeclineInsurance(Command, frozen=True, tag="DeclineInsurance"):
    """The player does not insure that box in the open window."""

    round: int
    window: Window
    box: int = 0
    person: str | None = None


class CloseInsurance(Command, frozen=True, tag="CloseInsurance"):
    round: int
    window: Window


class Settle(Command, frozen=True, tag="Settle"):
    round: int


class ConfirmBox(Command, frozen=True, tag="ConfirmBox"):
    """A box of the settled round is taken or paid."""

    round: int
    box: int


class ConfirmRest(Command, frozen=True, tag="ConfirmRest"):
    """All boxes that are left are taken or paid."""

    round: int


class ChooseAfterTie(Command, frozen=True, tag="ChooseAfterTie"):
    """Take an original stake back, or leave it lying for the next round."""

    round: int
    bet: str
    leave: bool
    box: int = 0
    person: str | None = None


# ---- irregularities ----------------------------------------------------------------------------------------------


class Fault(StrEnum):
    """What can be reported, in the order in which several are dealt with."""

    FOREIGN_CARD = "foreign_card"
    DECK_COUNT = "deck_count"
    UNSHUFFLED = "unshuffled"
    SHOE_EMPTY = "shoe_empty"
    TECHNICAL = "technical"
    MISKEYED = "miskeyed"
    SIMULTANEOUS = "simultaneous"
    MISDIRECTED = "misdirected"
    WRONG_NUMBER_OF_CARDS = "wrong_number_of_cards"
    EXCESS = "excess"
    EXPOSED = "exposed"
    FACE_UP = "face_up"
    OTHER_DEALING_ERROR = "other_dealing_error"
    MISPAYMENT = "mispayment"
    DISPLAY = "display"
    UNPROVIDED = "unprovided"


class Report(Command, frozen=True, tag="Report"):
    """Anyone may report an irregularity. What is seen is reported with it.

    `cards`: faces that left the shoe unasked (excess, simultaneous) or were seen too early, in the order known;
    `lies`: where cards lie that do not lie where they belong, by draw index; `to_person`: they went to the wrong
    person; `order_known`: several cards at once whose order can still be told; `since`: the house itself was away from
    that moment on, and only it can say so; `shoe`: the set of cards it is about, by its name, if not the one in use.
    What each fault needs is in `report_forms`.
    """

    round: int
    fault: Fault
    cards: tuple[Card | None, ...] = ()
    index: int | None = None
    lies: dict[int, Side] = {}
    to_person: bool = False
    order_known: bool = False
    note: str = ""
    since: int = 0
    shoe: str = ""


class Choice(StrEnum):
    """What a question may be answered with."""

    VOID = "void"
    STANDS = "stands"
    RECONSTRUCT = "reconstruct"
    CANNOT_RECONSTRUCT = "cannot_reconstruct"
    AFFECTS = "affects"
    DOES_NOT_AFFECT = "does_not_affect"
    ORDER = "order"
    CONTINUE = "continue"
    RETURN_BETS = "return_bets"
    RESETTLE = "resettle"
    CONFIRM = "confirm"
    CORRECT = "correct"
    SET_ASIDE = "set_aside"
    AS_LYING = "as_lying"
    CANNOT_GO_ON = "cannot_go_on"
    BY_HAND = "by_hand"
    """The remaining cards are dealt in order by hand."""
    CONCLUDE = "conclude"
    """Bets that have won or lost whatever follows are settled; those still open go back."""
    DECIDE_BETS = "decide_bets"
    """Another decision, which names bets."""


class Terms(StrEnum):
    """What the House makes of a bet."""

    AS_RECORDED = "as_recorded"
    AT_STAKE = "at_stake"
    """Settled as if that had been the stake."""
    RETURN = "return"
    PAY = "pay"
    """From then on the bet gets that amount and nothing else."""


class BetTerms(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A bet by its owner, its name (insurance with its window) and its box, and what the House makes of it."""

    owner: str
    bet: str
    terms: Terms
    amount: int = 0
    """The other stake, or what is paid."""
    box: int = 0


class Rule(Command, frozen=True, tag="Rule"):
    """Answer the open question, by whoever has the rank for it."""

    question: int
    choice: Choice
    reason: str = ""
    order: tuple[int, ...] = ()
    cards: tuple[Card | None, ...] = ()
    """The cards in the order of drawing; none for one that lies face down."""
    bets: tuple[BetTerms, ...] = ()
    """With another decision: the bets it names."""


class Election(StrEnum):
    CONTINUE = "continue"
    RETURN = "return"


class Elect(Command, frozen=True, tag="Elect"):
    """A player's own choice; or what one who is present says, recorded by a Pit Employee."""

    question: int
    election: Election
    person: str | None = None
    """Whom it is recorded for."""
    present: bool = False
    """Whoever records it says that the player is there and has said so."""


class CloseOptions(Command, frozen=True, tag="CloseOptions"):
    question: int


class CorrectDisplay(Command, frozen=True, tag="CorrectDisplay"):
    round: int
    shown: str
    correct: str


class DecideUnprovided(Command, frozen=True, tag="DecideUnprovided"):
    """A recorded decision on what the rules leave open, about this round or an earlier one; it may name bets."""

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
