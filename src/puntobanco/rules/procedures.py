"""Procedures: capabilities that a document enables, each with its paragraph. The document does not provide for what the
game file omits."""

from enum import StrEnum

from puntobanco.rules.condition import Numbers
from puntobanco.rules.money import Odds
from puntobanco.rules.outcome import Side, Winner
from puntobanco.rules.plain_data import ParagraphId, Written


class Announcer(StrEnum):
    DEALER = "dealer"
    TERMINAL = "terminal"


class Round(Written, frozen=True):
    """The course of a round, as paragraphs."""

    opens: ParagraphId
    closes: ParagraphId
    menu: ParagraphId
    first_four: ParagraphId
    third_cards: ParagraphId
    table_of_play: ParagraphId
    winner: ParagraphId
    natural: ParagraphId
    values: tuple[ParagraphId, ...]
    total: ParagraphId
    announced_by: Announcer
    begins_and_ends: ParagraphId | None = None


class TieMode(StrEnum):
    RETURNED = "returned"
    MAY_BE_WITHDRAWN = "may_be_withdrawn"


class Tie(Written, frozen=True):
    """What happens to Original Bets on a tie."""

    mode: TieMode
    rule: ParagraphId


class LateBetMode(StrEnum):
    REFUSED = "refused"
    NOT_HONOURED = "not_honoured"
    DISPLAY = "display"


class LateBets(Written, frozen=True):
    """Bets placed, raised or withdrawn after the close."""

    mode: LateBetMode
    placed: ParagraphId
    withdrawn: ParagraphId | None = None


class SqueezeRight(StrEnum):
    HIGHEST_SEATED = "highest_seated"
    HIGHEST = "highest"
    CONSENT = "consent"


class Squeeze(Written, frozen=True):
    """Who may ask to squeeze a card."""

    right: SqueezeRight
    rule: ParagraphId


class Limits(Written, frozen=True):
    """Minimum and Differential, for documents with paragraphs on limits."""

    differential: ParagraphId
    displayed: ParagraphId
    duty: ParagraphId
    balance: ParagraphId
    original_bet: ParagraphId
    seated: ParagraphId
    standing: ParagraphId


class Window(StrEnum):
    """When insurance is offered: after four cards are exposed, or after the Player's third card, the fifth."""

    FOUR = "four"
    FIVE = "five"


class InsuranceRow(Written, frozen=True):
    """One row of the insurance pay table. `player` and `banker` are the points the hands have in that window."""

    window: Window
    insures: Side
    player: Numbers
    banker: Numbers
    odds: Odds
    rule: ParagraphId
    pays_on: Winner | None = None

    @property
    def paid_on(self) -> Winner:
        """The result it is paid on. Default: the insured hand loses."""
        other = Winner.PLAYER if self.insures is Side.BANKER else Winner.BANKER
        return self.pays_on or other

    @property
    def lost_on(self) -> Winner:
        return Winner(self.insures)


class Insurance(Written, frozen=True, rename={"rows": "row"}):
    rule: ParagraphId
    situations: ParagraphId
    cap: ParagraphId
    eligible: ParagraphId
    tie: ParagraphId
    waiver: ParagraphId
    rows: tuple[InsuranceRow, ...]


class Discretion(StrEnum):
    ABSOLUTE = "absolute"
    REASONABLE = "reasonable"
    UNSTATED = "unstated"


class OverDifferential(Written, frozen=True):
    rule: ParagraphId
    pro_rata: ParagraphId
    under_minimum: ParagraphId


class UnderMinimum(Written, frozen=True):
    rule: ParagraphId
    unnoticed: ParagraphId


class Interruption(Written, frozen=True):
    rule: ParagraphId
    established: ParagraphId
    not_established: ParagraphId


class VoidCause(Written, frozen=True):
    """A cause that voids the round in play. `settled_too`: also a settled round, until the next is announced."""

    rule: ParagraphId
    settled_too: bool = False


class DealingFault(Written, frozen=True):
    """A dealing error with its own paragraph. `options` gives the players a choice."""

    rule: ParagraphId
    options: ParagraphId
    area: ParagraphId | None = None
    person: ParagraphId | None = None
    replace_shoe: ParagraphId | None = None


class Options(Written, frozen=True):
    """The paragraphs for a Player's choices after a dealing error.

    Play the cards as they lie, play them reconstructed, or take the bets back.
    """

    rule: ParagraphId
    as_lying: ParagraphId
    reconstructed: ParagraphId
    returned: ParagraphId


class Irregularities(Written, frozen=True):
    """The paragraph for each irregularity. The document does not provide for one that is left out."""

    over_differential: OverDifferential | None = None
    under_minimum: UnderMinimum | None = None
    walked_away: ParagraphId | None = None
    interruption: Interruption | None = None
    void_causes: ParagraphId | None = None
    foreign_card: VoidCause | None = None
    deck_count: VoidCause | None = None
    wrong_number_of_cards: VoidCause | None = None
    shoe_empty: VoidCause | None = None
    unshuffled: VoidCause | None = None
    earlier_rounds_stand: ParagraphId | None = None
    excess_or_exposed: DealingFault | None = None
    misdirected: DealingFault | None = None
    face_up: DealingFault | None = None
    simultaneous: DealingFault | None = None
    noticed_late: ParagraphId | None = None
    options: Options | None = None
    positions_at_close: ParagraphId | None = None
    display: ParagraphId | None = None
    void: ParagraphId | None = None
    reconstruction: ParagraphId | None = None
    discretion: Discretion = Discretion.UNSTATED


class StaffRank(StrEnum):
    """The ranks of the House, lowest first. Roles are assigned at a table."""

    DEALER = "dealer"
    PIT_SUPERVISOR = "pit_supervisor"
    PIT_MANAGER = "pit_manager"
    SHIFT_MANAGER = "shift_manager"


class Action(StrEnum):
    """What staff do at a table."""

    OPEN_BETTING = "open_betting"
    CLOSE_BETTING = "close_betting"
    BET_FOR_PLAYER = "bet_for_player"
    PERMIT_SQUEEZE = "permit_squeeze"
    CONSENT_TO_WAIVER = "consent_to_waiver"
    DEAL = "deal"
    """Draw cards and turn them over."""
    CONFIRM_REST = "confirm_rest"
    """Confirm together the boxes that are not yet taken and paid."""
    REJECT_EXCESS = "reject_excess"
    ADVISE_MINIMUM = "advise_minimum"
    REFUSE_LATE_BETS = "refuse_late_bets"
    WRITE_OFF_CHIP = "write_off_chip"
    FIND_INTERRUPTION = "find_interruption"
    """Find whether an interruption affects the round."""
    DECIDE_RECONSTRUCTION = "decide_reconstruction"
    ORDER_SIMULTANEOUS_CARDS = "order_simultaneous_cards"
    REPLACE_SHOE = "replace_shoe"
    DECLARE_VOID = "declare_void"
    RECORD_ELECTION = "record_election"
    """Record what a player chose when options were offered."""
    REVERSE_SETTLEMENT = "reverse_settlement"
    CHANGE_TABLE = "change_table"
    """Open and close the table, and change its set-up."""
    CORRECT_DISPLAY = "correct_display"
    DECIDE_UNPROVIDED = "decide_unprovided"
    """Decide what the document does not provide for."""
    ASSIGN = "assign"
    """Assign a rank at the table."""


class Authority(Written, frozen=True, rename={"least": "from", "most": "to"}):
    """The rank that an action needs, its paragraph, and whether a reason must be given."""

    least: StaffRank
    most: StaffRank = StaffRank.SHIFT_MANAGER
    rule: ParagraphId | None = None
    reason: bool = False


class Authorities(Written, frozen=True):
    """Who may do what. An action that is left out is reserved for the Shift Manager."""

    open_betting: Authority | None = None
    close_betting: Authority | None = None
    bet_for_player: Authority | None = None
    permit_squeeze: Authority | None = None
    consent_to_waiver: Authority | None = None
    deal: Authority | None = None
    reject_excess: Authority | None = None
    advise_minimum: Authority | None = None
    refuse_late_bets: Authority | None = None
    find_interruption: Authority | None = None
    decide_reconstruction: Authority | None = None
    order_simultaneous_cards: Authority | None = None
    replace_shoe: Authority | None = None
    declare_void: Authority | None = None
    record_election: Authority | None = None
    reverse_settlement: Authority | None = None
    change_table: Authority | None = None
    correct_display: Authority | None = None
    decide_unprovided: Authority | None = None
    assign: Authority | None = None

    def of(self, action: Action) -> Authority | None:
        found: Authority | None = getattr(self, action, None)
        return found

    def provided(self) -> dict[Action, Authority]:
        """The actions that the document, or its safe interpretation, gives to a rank."""
        return {action: found for action in Action if (found := self.of(action)) is not None}
