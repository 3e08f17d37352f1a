"""Commands: imperatives. Each names what it is for, so that one that comes too late is refused as stale."""

from enum import StrEnum

import msgspec

from puntobanco.rules.cards import Card
from puntobanco.rules.outcome import Side
from puntobanco.rules.procedures import Rank, Window
from puntobanco.table.setup import Setup, Source


class Command(msgspec.Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sends it, in which role and when is stamped from outside."""


# ---- people, money, seats ----------------------------------------------------------------------------------------


class BuyIn(Command, frozen=True):
    person: str
    amount: int


class CashOut(Command, frozen=True):
    person: str
    amount: int


class TakeSeat(Command, frozen=True):
    box: int


class LeaveSeat(Command, frozen=True):
    box: int


class WalkAway(Command, frozen=True):
    """The person leaves the table; the bets stay and are settled."""

    person: str


class Assign(Command, frozen=True):
    """Whoever is assigned and acting holds the role, whatever the job title."""

    person: str
    role: Rank


class Relieve(Command, frozen=True):
    person: str


# ---- the table between rounds ------------------------------------------------------------------------------------


class OpenTable(Command, frozen=True):
    setup: Setup


class ChangeSetup(Command, frozen=True):
    setup: Setup


class CloseTable(Command, frozen=True):
    pass


class LoadShoe(Command, frozen=True):
    """A set of cards goes into the shoe. `shuffled`: the record that it was; `commitment`: to an electronic order."""

    shoe: str
    decks: int
    shuffled: bool
    source: Source
    commitment: str | None = None
    reason: str = ""


class WithdrawShoe(Command, frozen=True):
    reason: str


class ShowCutCard(Command, frozen=True):
    pass


# ---- betting -----------------------------------------------------------------------------------------------------


class OpenBetting(Command, frozen=True):
    """The announcement that opens a round; the round before is final from then on."""

    acknowledge: bool = False
    """An exposed card lies in front of the shoe and the Shift Manager was told."""


class Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An absolute amount on one bet of one box: 0 withdraws it. Electronic tables have box 0."""

    bet: str
    amount: int
    box: int = 0


class PlaceBets(Command, frozen=True):
    """A slip of one person; staff name in `owner` the player who asked them, and record that he did."""

    round: int
    lines: tuple[Line, ...]
    owner: str | None = None
    requested: bool = False


class Object(Command, frozen=True):
    """A player objects to another's bet in his box."""

    round: int
    box: int
    against: str


class RejectExcess(Command, frozen=True):
    round: int
    box: int


class AdviseMinimum(Command, frozen=True):
    round: int
    box: int
    person: str


class ReturnBet(Command, frozen=True):
    """Hand back an advised bet that was neither raised nor withdrawn."""

    round: int
    box: int
    bet: str
    person: str


class AnnounceClose(Command, frozen=True):
    """Terminals show the close; bets made before are honoured while they arrive."""

    round: int


class CloseBetting(Command, frozen=True):
    round: int
    over_excess: bool = False
    """Close although a box exceeds the Differential and the excess was not rejected."""


class AttestBet(Command, frozen=True):
    """A chip that lay there at the close is keyed in afterwards; once a card is open, by Pit Supervisor or above."""

    round: int
    owner: str
    line: Line
    attested: bool
    reason: str = ""


class NoteLateBet(Command, frozen=True):
    """Chips placed, raised or taken away after the close were noticed."""

    round: int
    person: str
    box: int
    bet: str
    amount: int
    withdrawn: bool = False


# ---- cards -------------------------------------------------------------------------------------------------------


class DrawCard(Command, frozen=True):
    """The next card leaves the shoe; its face is given on a table that deals face up."""

    round: int
    index: int
    card: Card | None = None


class ExposeCard(Command, frozen=True):
    round: int
    index: int
    card: Card


class RequestSqueeze(Command, frozen=True):
    round: int
    index: int


class AnswerSqueeze(Command, frozen=True):
    round: int
    index: int
    permit: bool


class FinishSqueeze(Command, frozen=True):
    round: int
    index: int


class RequestWaiver(Command, frozen=True):
    """See the Banker's third card before the Player's, giving up insurance after it."""

    round: int


class AnswerWaiver(Command, frozen=True):
    round: int
    consent: bool


class Insure(Command, frozen=True):
    """An absolute stake in the open window on a box: 0 takes it back."""

    round: int
    window: Window
    amount: int
    box: int = 0


class CloseInsurance(Command, frozen=True):
    round: int
    window: Window


class Settle(Command, frozen=True):
    round: int


class ChooseAfterTie(Command, frozen=True):
    """Take an original stake back, or leave it lying for the next round."""

    round: int
    bet: str
    leave: bool
    box: int = 0


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


class Report(Command, frozen=True):
    """Anyone may report an irregularity. What is seen is reported with it.

    `cards`: faces that left the shoe unasked (excess, simultaneous) or were seen too early, in the order known;
    `lies`: where cards lie that do not lie where they belong, by draw index; `person`: they went to the wrong person;
    `order_known`: several cards at once whose order can still be told; `since`: the house itself was away from that
    moment on, and only it can say so.
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


class Rule(Command, frozen=True):
    """Answer the open question, by whoever has the rank for it."""

    question: int
    choice: Choice
    reason: str = ""
    order: tuple[int, ...] = ()
    cards: tuple[Card | None, ...] = ()
    """The cards in the order of drawing; none for one that lies face down."""


class Election(StrEnum):
    CONTINUE = "continue"
    RETURN = "return"


class Elect(Command, frozen=True):
    question: int
    election: Election
    person: str | None = None
    """Whom the dealer records it for."""


class CloseOptions(Command, frozen=True):
    question: int


class CorrectDisplay(Command, frozen=True):
    round: int
    shown: str
    correct: str


class DecideUnprovided(Command, frozen=True):
    """A recorded decision on what the rules leave open, about this round or an earlier one."""

    round: int
    decision: str
    reason: str = ""


AnyCommand = (
    BuyIn | CashOut | TakeSeat | LeaveSeat | WalkAway | Assign | Relieve | OpenTable | ChangeSetup | CloseTable
    | LoadShoe | WithdrawShoe | ShowCutCard | OpenBetting | PlaceBets | Object | RejectExcess | AdviseMinimum
    | ReturnBet | AnnounceClose
    | CloseBetting | AttestBet | NoteLateBet | DrawCard | ExposeCard | RequestSqueeze | AnswerSqueeze | FinishSqueeze
    | RequestWaiver | AnswerWaiver | Insure | CloseInsurance | Settle | ChooseAfterTie | Report | Rule | Elect
    | CloseOptions | CorrectDisplay | DecideUnprovided
)  # fmt: skip
