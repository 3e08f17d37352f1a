"""The words a game is written in. A game file is read straight into these; `checks.py` refuses what makes no sense."""

import hashlib
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from typing import Annotated

import msgspec

from puntobanco.rules.condition import Numbers, When
from puntobanco.rules.money import Odds, Rate, show_money
from puntobanco.rules.outcome import Side, Winner
from puntobanco.rules.refusal import Reason, Refused


class Rule(str):
    """The id of a paragraph of the game's document, such as 5.1.1. Only game files hold these."""

    __slots__ = ()


class Words(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A name in each language, and as it is printed on the felt where that differs."""

    en: str
    zh: str
    felt: str | None = None

    def said(self, language: str) -> str:
        return self.zh if language == "zh" else self.en


class _Written(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is written in a game file: frozen, and nothing unknown in it."""


# ---- where it is played, and with what ---------------------------------------------------------------------------


class Decks(_Written, frozen=True, rename={"least": "from", "most": "to"}):
    least: int
    most: int
    rule: Rule

    def check(self, decks: int) -> int:
        if not self.least <= decks <= self.most:
            raise Refused(Reason.DECKS_OUT_OF_RANGE, self.rule, decks=decks, least=self.least, most=self.most)
        return decks


class Boxes(_Written, frozen=True, rename={"least": "from", "most": "to"}):
    """How many betting boxes a table of the layout may have."""

    least: int
    most: int


class Layout(_Written, frozen=True):
    """One approved drawing of the felt: its betting boxes, and which bets they carry (all, if none are named)."""

    key: str
    title: Words
    rule: Rule
    boxes: int | Boxes
    bets: tuple[str, ...] = ()

    @property
    def fewest_boxes(self) -> int:
        return self.boxes if isinstance(self.boxes, int) else self.boxes.least

    @property
    def most_boxes(self) -> int:
        return self.boxes if isinstance(self.boxes, int) else self.boxes.most

    def check_boxes(self, boxes: int) -> int:
        """How many boxes a table of this layout has."""
        if not self.fewest_boxes <= boxes <= self.most_boxes:
            least, most = self.fewest_boxes, self.most_boxes
            raise Refused(Reason.BOXES_OUT_OF_RANGE, self.rule, layout=self.key, boxes=boxes, least=least, most=most)
        return boxes

    def check_box(self, box: int, boxes: int | None = None) -> int:
        """A box of a table of this layout; `boxes` is how many that table has, if not the most allowed."""
        most = self.most_boxes if boxes is None else self.check_boxes(boxes)
        if not 1 <= box <= most:
            raise Refused(Reason.BOX_OUT_OF_RANGE, self.rule, box=box, boxes=most, layout=self.key)
        return box


class Tables(_Written, frozen=True):
    """Where the document orders that only its layouts are played on, and how boxes and areas are marked."""

    layouts: Rule
    boxes: Rule
    areas: Rule | None = None


class Terminal(_Written, frozen=True):
    """An electronic table: player terminals instead of a felt with boxes."""

    rule: Rule
    device: Rule


# ---- bets --------------------------------------------------------------------------------------------------------


class Commission(_Written, frozen=True):
    rate: Rate
    rule: Rule


class PayLine(_Written, frozen=True):
    """When it holds, a bet is paid so. `pays` is what the player keeps; the commission was taken before.

    `rule` is the pay table's paragraph; `defined` another one that says the same.
    """

    when: When
    pays: Odds
    rule: Rule
    defined: Rule | None = None
    commission: Commission | None = None
    layouts: tuple[str, ...] = ()

    def on(self, layout: Layout | None) -> bool:
        return not self.layouts or (layout is not None and layout.key in self.layouts)


class Bet(_Written, frozen=True):
    """A bet of the menu. Lines are read from the top, the first that holds decides; if none holds, the bet loses.

    `rule` defines the bet, `loses` is cited when it loses (the same, if not written).
    An insurance bet has no lines: its odds are the rows of the insurance table.
    """

    key: str
    title: Words
    rule: Rule
    loses: Rule | None = None
    original: bool = False
    insures: Side | None = None
    lines: tuple[PayLine, ...] = ()

    @property
    def losing_rule(self) -> Rule:
        return self.loses or self.rule


# ---- procedures: capabilities of the code that a document switches on --------------------------------------------


class Announcer(StrEnum):
    DEALER = "dealer"
    TERMINAL = "terminal"


class Round(_Written, frozen=True):
    """The course of a round, and where the document orders it."""

    opens: Rule
    closes: Rule
    menu: Rule
    first_four: Rule
    third_cards: Rule
    table_of_play: Rule
    winner: Rule
    natural: Rule
    values: tuple[Rule, ...]
    total: Rule
    announced_by: Announcer
    begins_and_ends: Rule | None = None


class TieMode(StrEnum):
    RETURNED = "returned"
    MAY_BE_WITHDRAWN = "may_be_withdrawn"


class Tie(_Written, frozen=True):
    """What becomes of Original Bets on a tie."""

    mode: TieMode
    rule: Rule


class LateBetMode(StrEnum):
    REFUSED = "refused"
    NOT_HONOURED = "not_honoured"
    DISPLAY = "display"


class LateBets(_Written, frozen=True):
    """Bets placed, raised or withdrawn after the close."""

    mode: LateBetMode
    placed: Rule
    withdrawn: Rule | None = None


class SqueezeRight(StrEnum):
    HIGHEST_SEATED = "highest_seated"
    HIGHEST = "highest"
    CONSENT = "consent"


class Squeeze(_Written, frozen=True):
    """Who may ask to squeeze a card."""

    right: SqueezeRight
    rule: Rule


class Limits(_Written, frozen=True):
    """Minimum and Differential, as a document with limit paragraphs orders them."""

    differential: Rule
    displayed: Rule
    duty: Rule
    balance: Rule
    original_bet: Rule
    seated: Rule
    standing: Rule


class Window(StrEnum):
    """When insurance is offered: after four cards are exposed, or after the Player's third card, the fifth."""

    FOUR = "four"
    FIVE = "five"


class InsuranceRow(_Written, frozen=True):
    """One row of the insurance pay table. `player` and `banker` are the points the hands have in that window."""

    window: Window
    insures: Side
    player: Numbers
    banker: Numbers
    odds: Odds
    rule: Rule
    pays_on: Winner | None = None

    @property
    def paid_on(self) -> Winner:
        """The result it is paid on: the insured hand losing, unless the row says otherwise."""
        other = Winner.PLAYER if self.insures is Side.BANKER else Winner.BANKER
        return self.pays_on or other

    @property
    def lost_on(self) -> Winner:
        return Winner(self.insures)


class Insurance(_Written, frozen=True, rename={"rows": "row"}):
    rule: Rule
    situations: Rule
    cap: Rule
    eligible: Rule
    tie: Rule
    waiver: Rule
    rows: tuple[InsuranceRow, ...]


class Discretion(StrEnum):
    ABSOLUTE = "absolute"
    REASONABLE = "reasonable"
    UNSTATED = "unstated"


class OverDifferential(_Written, frozen=True):
    rule: Rule
    pro_rata: Rule
    under_minimum: Rule


class UnderMinimum(_Written, frozen=True):
    rule: Rule
    unnoticed: Rule


class Interruption(_Written, frozen=True):
    rule: Rule
    established: Rule
    not_established: Rule


class VoidCause(_Written, frozen=True):
    """A cause that voids the round in play; `settled_too`: also one just settled, until the next is announced."""

    rule: Rule
    settled_too: bool = False


class DealingFault(_Written, frozen=True):
    """A dealing error with a paragraph of its own; `options` grants the players' options."""

    rule: Rule
    options: Rule
    area: Rule | None = None
    person: Rule | None = None
    replace_shoe: Rule | None = None


class Options(_Written, frozen=True):
    """The three ways a Player may go on after a dealing error."""

    rule: Rule
    as_lying: Rule
    reconstructed: Rule
    returned: Rule


class Irregularities(_Written, frozen=True):
    """Where the document provides for each irregularity; what is left out it does not provide for."""

    over_differential: OverDifferential | None = None
    under_minimum: UnderMinimum | None = None
    walked_away: Rule | None = None
    interruption: Interruption | None = None
    void_causes: Rule | None = None
    foreign_card: VoidCause | None = None
    deck_count: VoidCause | None = None
    wrong_number_of_cards: VoidCause | None = None
    shoe_empty: VoidCause | None = None
    unshuffled: VoidCause | None = None
    earlier_rounds_stand: Rule | None = None
    excess_or_exposed: DealingFault | None = None
    misdirected: DealingFault | None = None
    face_up: DealingFault | None = None
    simultaneous: DealingFault | None = None
    noticed_late: Rule | None = None
    options: Options | None = None
    positions_at_close: Rule | None = None
    display: Rule | None = None
    void: Rule | None = None
    reconstruction: Rule | None = None
    discretion: Discretion = Discretion.UNSTATED


class Rank(StrEnum):
    """The House's ranks, lowest first; roles are acting assignments."""

    DEALER = "dealer"
    PIT_SUPERVISOR = "pit_supervisor"
    PIT_MANAGER = "pit_manager"
    SHIFT_MANAGER = "shift_manager"


class Action(StrEnum):
    """What the House's people do at a table."""

    OPEN_BETTING = "open_betting"
    CLOSE_BETTING = "close_betting"
    BET_FOR_PLAYER = "bet_for_player"
    PERMIT_SQUEEZE = "permit_squeeze"
    CONSENT_TO_WAIVER = "consent_to_waiver"
    DEAL = "deal"
    REJECT_EXCESS = "reject_excess"
    ADVISE_MINIMUM = "advise_minimum"
    REFUSE_LATE_BETS = "refuse_late_bets"
    FIND_INTERRUPTION = "find_interruption"
    DECIDE_RECONSTRUCTION = "decide_reconstruction"
    ORDER_SIMULTANEOUS_CARDS = "order_simultaneous_cards"
    REPLACE_SHOE = "replace_shoe"
    DECLARE_VOID = "declare_void"
    RECORD_ELECTION = "record_election"
    REVERSE_SETTLEMENT = "reverse_settlement"
    CHANGE_TABLE = "change_table"
    CORRECT_DISPLAY = "correct_display"
    DECIDE_UNPROVIDED = "decide_unprovided"


class Authority(_Written, frozen=True, rename={"least": "from", "most": "to"}):
    """The rank an action needs, where the document says so, and whether a reason must be given."""

    least: Rank
    most: Rank = Rank.SHIFT_MANAGER
    rule: Rule | None = None
    reason: bool = False


class Authorities(_Written, frozen=True):
    """Who may do what; an action that is left out is the Shift Manager's alone."""

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

    def of(self, action: Action) -> Authority | None:
        found: Authority | None = getattr(self, action)
        return found

    def provided(self) -> dict[Action, Authority]:
        """The actions the document, or its safe reading, gives to somebody."""
        return {action: found for action in Action if (found := self.of(action)) is not None}


# ---- the game ----------------------------------------------------------------------------------------------------


class Game(_Written, frozen=True, rename={"layouts": "layout", "bets": "bet"}):
    """A game as its approved document has it. Equal content gives an equal fingerprint."""

    key: str
    title: Words
    version: int
    document: str
    approved: Rule
    decks: Decks
    round: Round
    tie: Tie
    bets: tuple[Bet, ...]
    rulebook: str | None = None
    effective: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    pit_employees: Rule | None = None
    layouts: tuple[Layout, ...] = ()
    tables: Tables | None = None
    terminal: Terminal | None = None
    late_bets: LateBets | None = None
    squeeze: Squeeze | None = None
    limits: Limits | None = None
    insurance: Insurance | None = None
    irregularities: Irregularities = Irregularities()
    authority: Authorities = Authorities()

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the canonical content: comments, spacing and order of fields do not count."""
        return hashlib.sha256(self.canonical()).hexdigest()

    def canonical(self) -> bytes:
        return msgspec.json.encode(self, enc_hook=_canonical, order="sorted")

    def layout(self, key: str | None = None) -> Layout | None:
        """The layout of that name; without a name the first; none on an electronic table."""
        if self.terminal is not None:
            if key is not None:
                raise Refused(Reason.NO_LAYOUTS, self.terminal.rule, game=self.key, layout=key)
            return None
        if key is None:
            return self.layouts[0]
        for layout in self.layouts:
            if layout.key == key.upper():
                return layout
        known = ", ".join(layout.key for layout in self.layouts)
        rule = self.tables.layouts if self.tables else None
        raise Refused(Reason.UNKNOWN_LAYOUT, rule, game=self.key, layout=key, known=known)

    def menu(self, layout: Layout | None) -> tuple[Bet, ...]:
        """The bets of that layout (without one, the first) with its pay lines, in the file's order."""
        layout = self.layout() if layout is None else layout
        carried = layout.bets if layout is not None else ()
        return tuple(
            msgspec.structs.replace(bet, lines=tuple(line for line in bet.lines if line.on(layout)))
            for bet in self.bets
            if not carried or bet.key in carried
        )

    def bet(self, key: str, layout: Layout | None) -> Bet:
        """The bet of that name with the pay lines of that layout."""
        for bet in self.menu(layout):
            if bet.key == key:
                return bet
        if layout is not None and any(bet.key == key for bet in self.bets):
            raise Refused(Reason.BET_NOT_ON_LAYOUT, self.round.menu, bet=key, layout=layout.key)
        known = ", ".join(bet.key for bet in self.menu(layout))
        raise Refused(Reason.UNKNOWN_BET, self.round.menu, bet=key, game=self.key, known=known)

    def check_unit(self, unit: int) -> int:
        """A chip unit is good if every line of the game pays it in whole cents."""
        shares: list[Fraction] = [line.pays for bet in self.bets for line in bet.lines]
        shares += [line.commission.rate for bet in self.bets for line in bet.lines if line.commission]
        shares += [row.odds for row in self.insurance.rows] if self.insurance else []
        if unit <= 0 or any((share * unit).denominator != 1 for share in shares):
            raise Refused(Reason.UNIT_NOT_PAYABLE, amount=show_money(unit), game=self.key)
        return unit

    def check_box(self, layout: Layout | None, box: int) -> int:
        """A box of that layout; an electronic table has none."""
        if layout is None:
            raise Refused(Reason.NO_BOXES, self.terminal.rule if self.terminal else None, game=self.key)
        return layout.check_box(box)

    @property
    def stake_rule(self) -> Rule | None:
        """Where the document makes keeping to the limits the player's duty."""
        return self.limits.duty if self.limits else None


def _canonical(value: object) -> object:
    """Rules, odds and rates as their text, sets of numbers as sorted lists."""
    return sorted(value) if isinstance(value, Numbers) else str(value)
